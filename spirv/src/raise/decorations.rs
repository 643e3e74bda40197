//! Decorations: a twin of `lower/decorations.rs`.

use mlirbc_ir::{Attribute, NamedAttribute, Result};

use super::Raiser;
use super::scan::{Note, string_before};
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::grammar::{Kind, OperandClass};

/// Decorations whose attribute is no number.
pub(crate) const BUILT_IN: u32 = 11;
pub(crate) const FP_ROUNDING_MODE: u32 = 39;
pub(crate) const FP_FAST_MATH_MODE: u32 = 40;
pub(crate) const LINKAGE_ATTRIBUTES: u32 = 41;

impl Raiser<'_> {
    /// What is said of a value, a variable or a function, as attributes.
    pub(super) fn decorations(&mut self, at: u32, id: u32) -> Result<Vec<NamedAttribute>> {
        let scan = self.scan;
        let notes = scan.notes(id);
        let mut entries: Vec<NamedAttribute> = Vec::with_capacity(notes.len());
        let mut rest = Vec::new();
        for note in notes {
            if note.member.is_some() {
                return Err(scan.stop().at(note.start, format!("id {id} has no members")));
            }
            let words = &scan.words[note.start as usize..note.end as usize];
            let number = words[0];
            let value = if note.has_ids { None } else { self.decoration_value(number, &words[1..]) };
            let name = attributes::decoration_name(number).map(|name| self.name(name));
            match (name, value) {
                (Some(name), Some(value)) if entries.iter().all(|entry| entry.0 != name) => entries.push((name, value)),
                _ => rest.push(self.note(at, note)?),
            }
        }
        if !rest.is_empty() {
            let list = self.array(rest);
            entries.push((self.name("spirv_binary.decorations"), list));
        }
        Ok(entries)
    }

    /// The value of the attribute for a decoration, where it is one that the dialect has.
    fn decoration_value(&mut self, number: u32, operands: &[u32]) -> Option<Attribute> {
        let context = self.context;
        let kinds = Kind::Decoration.parameters(number)?;
        Some(match (number, operands) {
            (_, []) if kinds.is_empty() => context.unit(),
            (BUILT_IN, &[built_in]) => context.string(EnumKind::BuiltIn.name(built_in)?),
            (FP_ROUNDING_MODE, &[mode]) => attributes::enumerant(context, EnumKind::FPRoundingMode, mode),
            (FP_FAST_MATH_MODE, &[mode]) => attributes::enumerant(context, EnumKind::FPFastMathMode, mode),
            (LINKAGE_ATTRIBUTES, [name @ .., linkage]) => {
                let (name, count) = string_before(name)?;
                if count + 1 != operands.len() {
                    return None;
                }
                attributes::linkage(context, name, *linkage)
            }
            (_, &[word])
                if kinds.len() == 1
                    && matches!(
                        kinds[0].kind.class(),
                        OperandClass::Word | OperandClass::Value | OperandClass::Mask
                    ) =>
            {
                self.number(word)
            }
            _ => return None,
        })
    }

    /// A decoration as a list: its number, then its operands.
    fn note(&mut self, at: u32, note: &Note) -> Result<Attribute> {
        let scan = self.scan;
        let context = self.context;
        let words = &scan.words[note.start as usize..note.end as usize];
        let number = words[0];
        let mut items = vec![self.number(number)];
        let mut rest = &words[1..];
        let kinds = Kind::Decoration.parameters(number).unwrap_or_default();
        let ids = kinds.iter().filter(|operand| operand.kind.class() == OperandClass::Id).count();
        if note.has_ids || ids > 0 {
            if ids != rest.len() || ids != kinds.len() || note.member.is_some() {
                return Err(scan.stop().at(note.start, "which of its operands are ids is unknown"));
            }
            for &id in rest {
                items.push(self.tree(at, id)?);
            }
            // Told from words by a unit behind them.
            items.push(context.unit());
            return Ok(self.array(items));
        }
        for operand in kinds {
            match operand.kind.class() {
                OperandClass::String => {
                    let Some((string, count)) = string_before(rest) else { break };
                    items.push(context.string(string));
                    rest = &rest[count..];
                }
                _ => {
                    let Some((&word, behind)) = rest.split_first() else { break };
                    items.push(self.number(word));
                    rest = behind;
                }
            }
        }
        items.extend(rest.iter().map(|&word| self.number(word)));
        Ok(self.array(items))
    }

    /// What a type has no place for.
    pub(super) fn type_notes(
        &mut self,
        at: u32,
        notes: &[Note],
        extras: &mut Vec<(&'static str, Attribute)>,
    ) -> Result<()> {
        let mut own = Vec::new();
        let mut members = Vec::new();
        for note in notes {
            let said = self.note(at, note)?;
            match note.member {
                None => own.push(said),
                Some(member) => {
                    let pair = vec![self.number(member), said];
                    members.push(self.array(pair));
                }
            }
        }
        for (name, list) in [("decorations", own), ("member_decorations", members)] {
            if !list.is_empty() {
                extras.push((name, self.array(list)));
            }
        }
        Ok(())
    }

    /// What is said of an id, as one list.
    pub(super) fn note_list(&mut self, at: u32, id: u32) -> Result<Option<Attribute>> {
        let scan = self.scan;
        let notes = scan.notes(id);
        if notes.is_empty() {
            return Ok(None);
        }
        let mut list = Vec::with_capacity(notes.len());
        for note in notes {
            if note.member.is_some() {
                return Err(scan.stop().at(note.start, format!("id {id} has no members")));
            }
            list.push(self.note(at, note)?);
        }
        Ok(Some(self.array(list)))
    }
}
