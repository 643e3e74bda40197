//! Symbols that get another name.

use std::collections::HashMap;

use super::table::NAME;
use super::uses::{names_through, scopes, walk_scope};
use super::{own_name, own_table, unknown_table};
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::{AttributeRef, BodyId, OpId, Value};
use crate::context::Context;
use crate::error::{Error, ErrorCode, Result};
use crate::module::{Module, OpRef};
use crate::parts::Replacer;
use crate::types::Type;

/// What an operation has after all: its discardable attributes and its properties.
type Dictionaries = (Option<Attribute>, Option<Attribute>);

/// Operations of one body that get other attributes.
type Changes = HashMap<BodyId, Vec<(OpId, Dictionaries)>>;

/// What stands in the place of attributes of operations, and of types of values.
#[derive(Default)]
struct NewParts {
    attributes: Changes,
    types: HashMap<BodyId, Vec<(Value, Type)>>,
}

impl NewParts {
    /// Adds what is to be replaced in an operation and in arguments of its blocks.
    fn look(
        &mut self,
        op: OpRef<'_>,
        replacer: &mut Replacer<'_, impl FnMut(Attribute) -> Option<Attribute>>,
    ) -> Result<()> {
        let context = op.module().context();
        let old = op.dictionaries()?;
        let new = (old.0.map(|it| replacer.attribute(it)), old.1.map(|it| replacer.attribute(it)));
        if new != old {
            self.attributes.entry(op.body_id()).or_default().push((op.id(), new));
        }
        let (inside, held, regions) = op.region_tree()?;
        let blocks = regions.iter().flat_map(|&region| held.blocks(region));
        let arguments = blocks.flat_map(|block| held.arguments(block)).map(|&argument| (inside, held, argument));
        for (id, body, value) in op.results().map(|result| (op.body_id(), op.body(), result)).chain(arguments) {
            let old = op.module().ty(body.ty(value))?;
            let new = replacer.attribute(context.attribute(AttributeData::Type(old)));
            if let AttributeData::Type(new) = context[new]
                && new != old
            {
                self.types.entry(id).or_default().push((value, new));
            }
        }
        Ok(())
    }
}

impl Module {
    /// Gives a symbol another name, and puts that into all references to it: those in its table, and those that lead there from
    /// outside. Names that lead through it to symbols in it change, too. The symbol is found as by [`Module::symbol_place`].
    ///
    /// # Errors
    /// Where there is no such symbol ([`ErrorCode::NoSymbol`]), or its table has another one of the new name
    /// ([`ErrorCode::SymbolExists`]); where something that may refer to it cannot be read, or may be a symbol table that is not known
    /// ([`ErrorCode::UnknownSymbolTable`]). Nothing is changed then.
    pub fn rename_symbol(&mut self, path: &str, to: impl AsRef<[u8]>) -> Result<()> {
        let symbol = self.symbol_place(path)?;
        let to = self.context().identifier(to);
        self.rename_symbol_of(symbol, to)
    }

    /// As [`Module::rename_symbol`], of the symbol that an operation defines: that of [`OpRef::place`].
    ///
    /// # Errors
    /// As [`Module::rename_symbol`], and where the operation has no name, or stands in no symbol table.
    pub fn rename_symbol_of(&mut self, (body, op): (BodyId, OpId), to: Identifier) -> Result<()> {
        let symbol = self.operation(body, op)?;
        let from = own_name(symbol)?;
        if from == to {
            return Ok(());
        }
        let table = own_table(symbol)?;
        if table.lookup_symbol(self.context().bytes(to))?.is_some() {
            let name = Error::quoted(self.context().bytes(to));
            let message = format!("there is a symbol {name} already");
            return Err(Error::misuse(message).with_code(ErrorCode::SymbolExists));
        }
        let changes = self.renamed_references(table, from, to)?;
        self.put_references(changes)?;
        self.rewrite(body, |rw| rw.set_attribute(op, NAME, to.attribute()))
    }

    fn put_references(&mut self, changes: Changes) -> Result<()> {
        for (id, ops) in changes {
            self.rewrite(id, |rw| {
                ops.into_iter().try_for_each(|(op, (attributes, properties))| {
                    rw.modify(op, |rw| {
                        rw.set_attributes(op, attributes.map(AttributeRef::from))?;
                        rw.set_properties(op, properties.map(AttributeRef::from))
                    })
                })
            })?;
        }
        Ok(())
    }

    /// Puts other names into the references in a symbol table that begin with one of these, all at once, in types of values, too. The
    /// symbols keep the names that they have, and so do references from outside. `retype` says which type stands in the place of one, in
    /// which all has been replaced.
    ///
    /// # Errors
    /// Where something that may refer to a symbol cannot be read, or may be a symbol table that is not known. Nothing is changed then.
    pub fn replace_symbol_references(
        &mut self,
        (body, table): (BodyId, OpId),
        names: &HashMap<Identifier, Identifier>,
        retype: &dyn Fn(Type) -> Type,
    ) -> Result<()> {
        let table = self.operation(body, table)?;
        let context = self.context();
        let renamed = |attribute: Attribute| renamed_reference(context, attribute, names);
        let mut replacer = Replacer::new(context, renamed).types(retype);
        let mut parts = NewParts::default();
        let all_known = walk_scope(table.ops()?, &mut |op| parts.look(op, &mut replacer))?;
        if !all_known {
            return Err(unknown_table());
        }
        self.put_parts(parts)
    }

    /// Puts other types in the place of some in an operation and in all that is in it, wherever types and attributes hold them. `retype`
    /// says which type stands in the place of one, in which all has been replaced.
    ///
    /// # Errors
    /// Where something of it cannot be read. Nothing is changed then.
    pub fn replace_types(&mut self, (body, op): (BodyId, OpId), retype: &dyn Fn(Type) -> Type) -> Result<()> {
        let mut replacer = Replacer::new(self.context(), |_| None).types(retype);
        let mut parts = NewParts::default();
        for op in self.operation(body, op)?.walk()? {
            parts.look(op, &mut replacer)?;
        }
        self.put_parts(parts)
    }

    fn put_parts(&mut self, parts: NewParts) -> Result<()> {
        self.put_references(parts.attributes)?;
        for (id, values) in parts.types {
            self.rewrite(id, |rw| values.into_iter().try_for_each(|(value, ty)| rw.set_type(value, ty)))?;
        }
        Ok(())
    }

    /// Gives a symbol a name that its table does not have, nor `others`: its own, `_` and the first number with which it is new. As
    /// [`Module::rename_symbol`] otherwise; gives the new name.
    ///
    /// # Errors
    /// As [`Module::rename_symbol`], and where one of the others cannot be read.
    pub fn rename_symbol_to_unique(&mut self, body: BodyId, op: OpId, others: &[(BodyId, OpId)]) -> Result<Identifier> {
        let symbol = self.operation(body, op)?;
        let name = own_name(symbol)?;
        let table = own_table(symbol)?;
        let mut tables = vec![table];
        for &(body, op) in others {
            tables.push(self.operation(body, op)?);
        }
        let mut number = 0u64;
        let new = loop {
            let mut text = self.context().bytes(name).to_vec();
            text.extend_from_slice(format!("_{number}").as_bytes());
            let mut is_known = false;
            for table in &tables {
                is_known |= table.lookup_symbol(&text)?.is_some();
            }
            if !is_known {
                break self.context().identifier(text);
            }
            number += 1;
        };
        self.rename_symbol_of((body, op), new)?;
        Ok(new)
    }

    /// Who refers to the symbol of that name in the table, from there and from further out, with the new name.
    fn renamed_references(&self, table: OpRef<'_>, from: Identifier, to: Identifier) -> Result<Changes> {
        let context = self.context();
        let mut changes = Changes::new();
        for (table, path) in scopes(table)? {
            let renamed = |attribute: Attribute| {
                let mut names = names_through(context, attribute, &path, from)?;
                names[path.len()] = to;
                let data = AttributeData::SymbolRef { root: names[0], nested: names[1..].into() };
                Some(context.attribute(data))
            };
            let mut replacer = Replacer::new(context, renamed);
            let all_known = walk_scope(table.ops()?, &mut |op| {
                let old = op.dictionaries()?;
                let new = (
                    old.0.map(|dictionary| replacer.attribute(dictionary)),
                    old.1.map(|dictionary| replacer.attribute(dictionary)),
                );
                if new != old {
                    changes.entry(op.body_id()).or_default().push((op.id(), new));
                }
                Ok(())
            })?;
            if !all_known {
                return Err(unknown_table());
            }
        }
        Ok(changes)
    }
}

/// The reference that stands in the place of one to a symbol that gets another name.
fn renamed_reference(
    context: &Context,
    reference: Attribute,
    names: &HashMap<Identifier, Identifier>,
) -> Option<Attribute> {
    let AttributeData::SymbolRef { root, nested } = &context[reference] else { return None };
    let (root, nested) = (*names.get(root)?, nested.clone());
    Some(context.attribute(AttributeData::SymbolRef { root, nested }))
}

impl Context {
    /// An attribute with other names in references, as [`Module::replace_symbol_references`] has it: for what a symbol table says itself
    /// of symbols in it.
    #[must_use]
    pub fn replace_symbols(
        &self,
        attribute: Attribute,
        names: &HashMap<Identifier, Identifier>,
        retype: &dyn Fn(Type) -> Type,
    ) -> Attribute {
        let renamed = |attribute: Attribute| renamed_reference(self, attribute, names);
        Replacer::new(self, renamed).types(retype).attribute(attribute)
    }
}
