//! Who names symbols.

use std::collections::HashSet;

use super::{own_name, own_table};
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::AttributeRef;
use crate::context::{Context, OperationName};
use crate::error::Result;
use crate::module::{Module, OpRef};
use crate::ods::Traits;
use crate::parts::{Part, Parts};

/// An operation that names a symbol.
#[derive(Clone, Copy, Debug)]
pub struct SymbolUse<'m> {
    /// The operation.
    pub user: OpRef<'m>,
    /// The reference, which is somewhere in its attributes or properties.
    pub reference: Attribute,
}

impl<'m> OpRef<'m> {
    /// The references to symbols in the operation and in what is in it: in attributes and properties, however deep. A symbol
    /// table in it may name symbols itself, but what is in that names others. Each operation counts equal references once. `None`
    /// where something unknown may be a symbol table.
    ///
    /// # Errors
    /// Where something of them cannot be read.
    pub fn symbol_uses(self) -> Result<Option<Vec<SymbolUse<'m>>>> {
        let mut uses = Vec::new();
        let all_known = walk_scope([self], &mut |user| {
            let see = &mut |reference| uses.push(SymbolUse { user, reference });
            references_of(user, &mut Parts::new(self.module().context()), see)
        })?;
        Ok(all_known.then_some(uses))
    }
}

impl<'m> OpRef<'m> {
    /// The references to the symbol that the operation defines, from its table and from further out, wherever they are in the module;
    /// those that lead through it to what is in it, too. `None` where something unknown may be a symbol table. Each operation counts
    /// equal references once.
    ///
    /// # Errors
    /// Where something that may refer to it cannot be read, the operation has no name, or it stands in no symbol table.
    pub fn uses_of_symbol(self) -> Result<Option<Vec<SymbolUse<'m>>>> {
        let (name, table) = (own_name(self)?, own_table(self)?);
        let context = self.module().context();
        let mut uses = Vec::new();
        for (table, path) in scopes(table)? {
            let all_known = walk_scope(table.ops()?, &mut |user| {
                references_of(user, &mut Parts::new(context), &mut |reference| {
                    if names_through(context, reference, &path, name).is_some() {
                        uses.push(SymbolUse { user, reference });
                    }
                })
            })?;
            if !all_known {
                return Ok(None);
            }
        }
        Ok(Some(uses))
    }
}

/// A symbol table and those around it: from each, the names that lead to the first, the outermost first.
pub(super) fn scopes(table: OpRef<'_>) -> Result<Vec<(OpRef<'_>, Vec<Identifier>)>> {
    let mut path: Vec<Identifier> = Vec::new();
    let mut scopes = vec![(table, path.clone())];
    let mut table = table;
    while let (Some(name), Some(outer)) = (table.symbol_name()?, table.parent_op()?) {
        if !outer.has_trait(Traits::SYMBOL_TABLE) {
            break;
        }
        path.insert(0, name);
        scopes.push((outer, path.clone()));
        table = outer;
    }
    Ok(scopes)
}

/// The names of a reference, where they begin with these and go on with that one.
pub(super) fn names_through(
    context: &Context,
    reference: Attribute,
    path: &[Identifier],
    name: Identifier,
) -> Option<Vec<Identifier>> {
    let AttributeData::SymbolRef { root, nested } = &context[reference] else { return None };
    let names: Vec<Identifier> = [*root].into_iter().chain(nested.iter().copied()).collect();
    (names.starts_with(path) && names.get(path.len()) == Some(&name)).then_some(names)
}

/// What an operation has, as it is stored.
type Stored = (OperationName, Option<AttributeRef>, Option<AttributeRef>);

/// References to symbols, each looked at once however often it is met: what symbols can be reached at all.
pub struct SymbolReferences<'m> {
    parts: Parts<'m>,
    /// Most operations have what others have: nothing of that is decoded again.
    met: HashSet<Stored>,
}

impl<'m> SymbolReferences<'m> {
    /// None is met yet.
    pub fn new(module: &'m Module) -> Self {
        SymbolReferences { parts: Parts::new(module.context()), met: HashSet::new() }
    }

    /// The references in the operation and in what is in it, as [`OpRef::symbol_uses`] finds them, that were not met before.
    ///
    /// # Errors
    /// Where something of them cannot be read.
    pub fn in_op(&mut self, op: OpRef<'m>) -> Result<Option<Vec<Attribute>>> {
        self.in_op_if(op, |_| true)
    }

    /// The references of the operation itself that were not met before, whatever it is.
    ///
    /// # Errors
    /// Where something of them cannot be read.
    pub fn of_op(&mut self, op: OpRef<'m>) -> Result<Vec<Attribute>> {
        let mut references = Vec::new();
        let view = op.body().view(op.id());
        if self.met.insert((view.name(), view.attributes(), view.properties())) {
            references_of(op, &mut self.parts, &mut |reference| references.push(reference))?;
        }
        Ok(references)
    }

    /// As [`SymbolReferences::in_op`], of the operations of which `wanted` says so.
    ///
    /// # Errors
    /// As [`SymbolReferences::in_op`].
    pub fn in_op_if(
        &mut self,
        op: OpRef<'m>,
        mut wanted: impl FnMut(OpRef<'m>) -> bool,
    ) -> Result<Option<Vec<Attribute>>> {
        let mut references = Vec::new();
        let all_known = walk_scope([op], &mut |op| {
            if wanted(op) {
                references.extend(self.of_op(op)?);
            }
            Ok(())
        })?;
        Ok(all_known.then_some(references))
    }
}

impl std::fmt::Debug for SymbolReferences<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SymbolReferences")
    }
}

/// Shows operations and what is in them, down to symbol tables, which are not gone into. False as soon as one is met that may be an
/// unknown symbol table.
pub(super) fn walk_scope<'m>(
    ops: impl IntoIterator<Item = OpRef<'m>>,
    see: &mut dyn FnMut(OpRef<'m>) -> Result<()>,
) -> Result<bool> {
    let mut waiting: Vec<OpRef<'m>> = ops.into_iter().collect();
    while let Some(op) = waiting.pop() {
        if op.may_be_symbol_table() {
            return Ok(false);
        }
        see(op)?;
        if op.body().region_count_of(op.id()) > 0 && !op.has_trait(Traits::SYMBOL_TABLE) {
            waiting.extend(op.ops()?);
        }
    }
    Ok(true)
}

/// Shows the references in the operation's attributes and properties, as far as their parts were not met before.
fn references_of<'m>(op: OpRef<'m>, parts: &mut Parts<'m>, see: &mut dyn FnMut(Attribute)) -> Result<()> {
    let context = op.module().context();
    let (attributes, properties) = op.dictionaries()?;
    for dictionary in [attributes, properties].into_iter().flatten() {
        parts.visit(Part::Attribute(dictionary), &mut |part| {
            if let Part::Attribute(attribute) = part
                && matches!(context[attribute], AttributeData::SymbolRef { .. })
            {
                see(attribute);
            }
        });
    }
    Ok(())
}
