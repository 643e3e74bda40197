//! What holds of all operations of the dialect, and of its discardable attributes.

use mlirbc::ir::ods::Traits;
use mlirbc::ir::{DialectVerifier, LooksAt};
use mlirbc::{Attribute, Error, OpRef, Result};

use crate::attributes::Canvas;

pub(crate) struct Verifier;

impl DialectVerifier for Verifier {
    /// Nothing is done to a canvas without width.
    fn operation(&self, op: OpRef<'_>) -> Result<()> {
        let context = op.module().context();
        for &value in op.operands() {
            if Canvas::of(context, op.type_of(value)?).is_some_and(|canvas| canvas.width(context) == 0) {
                return Err(Error::verification("there is nothing to draw on"));
            }
        }
        Ok(())
    }

    /// It asks for no more than types.
    fn looks_at(&self, _: &str) -> LooksAt {
        LooksAt::TypesAndAttributes
    }

    /// Nor at strings or symbols.
    fn looks_at_names(&self, _: &str) -> bool {
        false
    }

    /// What has regions holds something, or is declared alone.
    fn regions(&self, op: OpRef<'_>) -> Result<()> {
        match op.ops()?.next() {
            None if !op.has_trait(Traits::FUNCTION) => Err(Error::verification("it holds nothing")),
            _ => Ok(()),
        }
    }

    /// How far something is moved is one type, with a sign or without.
    fn mixes_signedness(&self) -> bool {
        true
    }

    fn is_graph(&self, op: OpRef<'_>) -> bool {
        op.is("toy.scene")
    }

    /// Functions are signed, of any dialect.
    fn attribute(&self, op: OpRef<'_>, name: &[u8], _: Attribute) -> Result<()> {
        match name {
            b"toy.signed" if op.has_trait(Traits::FUNCTION) => Ok(()),
            b"toy.signed" => Err(Error::verification("`toy.signed` is for functions")),
            _ => Err(Error::verification(format!("toy has no attribute {}", Error::quoted(name)))),
        }
    }
}
