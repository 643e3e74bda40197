//! Operations whose dialect goes by another name today: see [`FormerDialect`](crate::FormerDialect).

use std::sync::Arc;

use super::module::OpParser;
use super::names::{Entry, Meaning, ValueName};
use super::operation::OperationInfo;
use crate::former::{FormerDialect, Today};
use crate::hooks::TextHooks;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, Error, Identifier, NamedAttribute, OperationName, Result, TypeRef, Value,
};

/// What an operation of such a dialect is today.
pub(super) enum Renamed {
    Operation(OperationInfo),
    Nothing,
}

/// A value that was defined before it is used: its type and, of a result, name and properties of its operation.
pub type Defined = (TypeRef, Option<(OperationName, Option<AttributeRef>)>);

impl<'a> OpParser<'a> {
    /// Whether the operation in custom form that is being parsed has a name for its dialect that this had before.
    pub fn is_former(&self) -> bool {
        self.former
    }

    /// What the operation of that full name is today, where its dialect goes by another name.
    pub(super) fn renamed(&mut self, at: usize, name: &[u8]) -> Result<Option<Renamed>> {
        let context = self.context();
        let Ok(name) = std::str::from_utf8(name) else { return Ok(None) };
        let (today, of) = match TextHooks::of(context, name) {
            Some((hooks, rest)) => {
                let today = hooks.former.as_ref().map(|former| former.operation(rest));
                self.met_former = self.met_former.take().or_else(|| hooks.former.clone());
                (today, Some((hooks, &name[..name.len() - rest.len() - 1])))
            }
            None if name.contains('.') => (None, None),
            None => (self.bare(at, name), None),
        };
        match today {
            Some(Today::Operation(today)) => {
                let info = self.named_info(today.as_bytes());
                let Some((hooks, dialect)) = of else { return Ok(Some(Renamed::Operation(info))) };
                let dialect = context.identifier(dialect);
                let own = today.split_once('.').map_or("", |(_, own)| own);
                let default = hooks.is_default(own).then_some(dialect);
                Ok(Some(Renamed::Operation(info.of_former(dialect, default))))
            }
            Some(Today::Nothing) => Ok(Some(Renamed::Nothing)),
            Some(Today::Gone(why)) => Err(self.at.error_at(at, why)),
            None => Ok(None),
        }
    }

    /// What became of an operation without a dialect, where one before it, or of the next that are in quotes, has a dialect under such
    /// a name.
    fn bare(&self, at: usize, name: &str) -> Option<Today> {
        const NEAR: usize = 8;
        if let Some(former) = &self.met_former {
            return former.bare(name);
        }
        let quoted = self.at.source()[at..].split(|&byte| byte == b'"').skip(3).step_by(2).take(NEAR);
        let mut formers = quoted.filter_map(|quoted| {
            let (hooks, _) = TextHooks::of(self.context(), std::str::from_utf8(quoted).ok()?)?;
            hooks.former.clone()
        });
        formers.next()?.bare(name)
    }

    /// The same of a word that may leave out its dialect.
    pub(super) fn renamed_word(&mut self, at: usize, word: &'a [u8]) -> Result<Option<Renamed>> {
        let dialect = self.frame().dialect;
        let renamed = match (word.contains(&b'.'), dialect) {
            (true, _) => self.renamed(at, word)?,
            (false, Some(dialect)) => self.renamed(at, &[self.context().bytes(dialect), b".", word].concat())?,
            (false, None) => None,
        };
        if let Some(Renamed::Operation(info)) = &renamed {
            self.words.insert((word, dialect), Some(*info));
        }
        Ok(renamed)
    }

    /// Parses what follows the name in quotes of an operation that is left out. Where it stands is a block all the same.
    pub(super) fn left_out(&mut self, at: usize) -> Result<()> {
        self.at.expect(b'(')?;
        self.at.expect(b')')?;
        self.tail(at)?;
        self.block_for_operation();
        Ok(())
    }

    fn former(&self, dialect: Identifier) -> Option<Arc<dyn FormerDialect>> {
        TextHooks::of_dialect(self.context(), dialect)?.former.clone()
    }

    /// An attribute as the operation of today has it.
    pub(super) fn renamed_entry(&self, info: OperationInfo, entry: NamedAttribute) -> Result<NamedAttribute> {
        let context = self.context();
        let former = info.former().and_then(|dialect| self.former(dialect));
        match (former, context.definition(info.name())) {
            (Some(former), Some(definition)) => former.entry(context, definition, entry),
            _ => Ok(entry),
        }
    }

    /// All that an operation is given, as that of today has it.
    pub(super) fn renamed_attributes(
        &self,
        info: OperationInfo,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<Option<Attribute>> {
        let context = self.context();
        let mut entries = Vec::new();
        for given in [attributes, properties].into_iter().flatten() {
            let AttributeData::Dictionary(given) = &context[given] else {
                return Err(Error::malformed("expected a dictionary of attributes"));
            };
            for &entry in given {
                entries.push(self.renamed_entry(info, entry)?);
            }
        }
        let former = info.former().and_then(|dialect| self.former(dialect));
        if let (Some(former), Some(definition)) = (former, context.definition(info.name())) {
            former.complete(context, definition, &mut entries);
        }
        context.dictionary(entries).map(Some)
    }

    /// What a name stands for that was defined before: text that leaves out a type may have meant that of an operand. What was parsed
    /// so is not taken for the meaning of an equal line.
    pub fn defined(&mut self, name: &ValueName<'a>) -> Option<Defined> {
        self.sought.before = None;
        let build = self.builds.last()?;
        let Some(Entry { scope, meaning: Meaning::Values(first, count) }) = self.names.get(name) else { return None };
        if scope < build.base || name.result >= count {
            return None;
        }
        let (value, body) = (Value::from_index((first + name.result) as usize), &build.body);
        let op = body.defining_operation(value);
        Some((body.ty(value), op.map(|op| (body.name(op), body.properties(op)))))
    }
}
