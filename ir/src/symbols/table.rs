//! Tables of symbols, and who may see what is in them.

use std::collections::HashMap;

use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::{BodyId, OpId};
use crate::error::Result;
use crate::module::OpRef;
use crate::ods::Traits;
use crate::rewriter::Rewriter;

/// The attribute that names a symbol.
pub(super) const NAME: &str = "sym_name";
/// The attribute that says who may see it.
const VISIBILITY: &str = "sym_visibility";

/// Who may refer to a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visibility {
    /// All that can see its table, and what is not in the module.
    Public,
    /// What is in its table alone.
    Private,
    /// What is in the module, wherever it can see the table.
    Nested,
}

impl Visibility {
    /// The word for it in `sym_visibility`.
    pub fn keyword(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
            Visibility::Nested => "nested",
        }
    }
}

impl<'m> OpRef<'m> {
    /// Whether the operation is a symbol: its definition says so, or that it is a function, and it has a name.
    ///
    /// # Errors
    /// Where its attributes cannot be decoded.
    pub fn is_symbol(self) -> Result<bool> {
        let may_be = self.has_trait(Traits::SYMBOL) || self.has_trait(Traits::FUNCTION);
        Ok(may_be && self.attribute(NAME)?.is_some())
    }

    /// Who may refer to the symbol that the operation is. Public is what says nothing, or no such word.
    ///
    /// # Errors
    /// Where its attributes cannot be decoded.
    pub fn visibility(self) -> Result<Visibility> {
        let word = self.attribute(VISIBILITY)?.map(|word| &self.module().context()[word]);
        let Some(AttributeData::String { value, .. }) = word else { return Ok(Visibility::Public) };
        let words = [Visibility::Private, Visibility::Nested];
        let is_it = |visibility: &Visibility| visibility.keyword().as_bytes() == &**value;
        Ok(words.into_iter().find(is_it).unwrap_or(Visibility::Public))
    }

    /// Whether nothing is known of the operation, so that its one region may be a symbol table.
    pub(super) fn may_be_symbol_table(self) -> bool {
        let context = self.module().context();
        self.body().region_count_of(self.id()) == 1
            && !context.has_dialect(&context.text(context.operation_dialect(self.operation_name())))
    }

    /// The symbol table that the operation is, or the innermost that holds it. `None` where there is none, or where something unknown
    /// on the way may be one.
    ///
    /// # Errors
    /// Where a body cannot be read.
    pub fn nearest_symbol_table(self) -> Result<Option<OpRef<'m>>> {
        let mut op = self;
        loop {
            if op.may_be_symbol_table() {
                return Ok(None);
            }
            if op.has_trait(Traits::SYMBOL_TABLE) {
                return Ok(Some(op));
            }
            match op.parent_op()? {
                Some(parent) => op = parent,
                None => return Ok(None),
            }
        }
    }

    /// The symbol that a reference in this operation leads to, from the nearest symbol table.
    ///
    /// # Errors
    /// Where what is in a table cannot be read.
    pub fn nearest_symbol(self, reference: Attribute) -> Result<Option<OpRef<'m>>> {
        let Some(table) = self.nearest_symbol_table()? else { return Ok(None) };
        Ok(SymbolTableCollection::new().resolve(table, reference)?.and_then(|found| found.last().copied()))
    }
}

impl Rewriter<'_> {
    /// Says who may refer to a symbol.
    ///
    /// # Errors
    /// As [`Rewriter::set_attribute`].
    pub fn set_visibility(&mut self, op: OpId, visibility: Visibility) -> Result<()> {
        match visibility {
            Visibility::Public => self.remove_attribute(op, VISIBILITY),
            _ => self.set_attribute(op, VISIBILITY, self.context().string(visibility.keyword())),
        }
    }
}

/// The symbols of many tables by name: each table is looked through when it is first asked for.
#[derive(Debug, Default)]
pub struct SymbolTableCollection {
    tables: HashMap<(BodyId, OpId), HashMap<Identifier, (BodyId, OpId)>>,
}

impl SymbolTableCollection {
    /// No table yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The operation in the table that defines the symbol; of several of one name the first.
    ///
    /// # Errors
    /// Where what is in the table cannot be read.
    pub fn symbol<'m>(&mut self, table: OpRef<'m>, name: Identifier) -> Result<Option<OpRef<'m>>> {
        let key = (table.body_id(), table.id());
        let symbols = match self.tables.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                let mut symbols = HashMap::new();
                for op in table.ops()? {
                    if let Some(name) = op.symbol_name()? {
                        symbols.entry(name).or_insert((op.body_id(), op.id()));
                    }
                }
                place.insert(symbols)
            }
        };
        symbols.get(&name).map(|&(body, op)| table.module().operation(body, op)).transpose()
    }

    /// What a reference in an operation names: of the tables around it, the innermost counts from which it leads somewhere. `None` where
    /// none does.
    ///
    /// # Errors
    /// Where what is in a table cannot be read.
    pub fn seen_from<'m>(&mut self, op: OpRef<'m>, reference: Attribute) -> Result<Option<OpRef<'m>>> {
        let mut around = op.parent_op()?;
        while let Some(table) = around {
            if table.has_trait(Traits::SYMBOL_TABLE)
                && let Some(found) = self.resolve(table, reference)?
            {
                return Ok(found.last().copied());
            }
            around = table.parent_op()?;
        }
        Ok(None)
    }

    /// The operations that a reference leads to from a table, the outermost first and what it names last. `None` where it leads
    /// nowhere, or is no reference to a symbol.
    ///
    /// # Errors
    /// Where what is in a table cannot be read.
    pub fn resolve<'m>(&mut self, table: OpRef<'m>, reference: Attribute) -> Result<Option<Vec<OpRef<'m>>>> {
        let AttributeData::SymbolRef { root, nested } = &table.module().context()[reference] else { return Ok(None) };
        let mut found: Vec<OpRef<'m>> = Vec::with_capacity(nested.len() + 1);
        for &name in [root].into_iter().chain(nested) {
            let inner = match found.last() {
                None => table,
                Some(op) if op.has_trait(Traits::SYMBOL_TABLE) => *op,
                Some(_) => return Ok(None),
            };
            match self.symbol(inner, name)? {
                Some(op) => found.push(op),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }
}
