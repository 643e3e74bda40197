//! Affine maps over values.

use mlirbc_ir::Result;
use mlirbc_ir::affine::{AffineExpression, AffineMap};
use mlirbc_ir::text::AffineValues;

use super::module::OpParser;
use super::names::ValueName;

impl<'a> OpParser<'a> {
    /// The map of these results over the values in them, and the values: those that are dimensions first.
    ///
    /// # Errors
    /// Where the text of a value names none.
    pub fn affine_map_of(
        &mut self,
        values: &AffineValues<'a>,
        results: Vec<AffineExpression>,
    ) -> Result<(AffineMap, Vec<ValueName<'a>>)> {
        let behind = self.at.position();
        let (dimensions, symbols) = values.places();
        let mut names = Vec::with_capacity(dimensions.len() + symbols.len());
        for &place in dimensions.iter().chain(symbols) {
            self.at.seek(place);
            names.push(self.operand_name()?);
        }
        self.at.seek(behind);
        let (dimensions, symbols) = (dimensions.len() as u32, symbols.len() as u32);
        Ok((AffineMap { dimensions, symbols, results: results.into() }, names))
    }
}
