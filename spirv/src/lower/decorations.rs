//! Decorations and names: a twin of `raise/decorations.rs`.

use mlirbc_ir::{Attribute, AttributeData, Error, NamedAttribute, Result};

use super::{Lowerer, close, number, push_string};
use crate::dialect::EnumKind;
use crate::dialect::attributes::{self, SpirvAttribute};
use crate::op;

/// Decorations whose operand is a string, and that have an instruction of their own for that.
const STRINGS: [u32; 2] = [5635, 5636];

impl Lowerer<'_> {
    /// `OpName`
    pub(super) fn name(&mut self, id: u32, name: &[u8]) -> Result<()> {
        let at = self.sections.names.len();
        self.sections.names.extend([0, id]);
        push_string(&mut self.sections.names, name)?;
        close(&mut self.sections.names, at, op::NAME)
    }

    /// `OpDecorate`
    pub(super) fn decorate(&mut self, id: u32, decoration: u32, operands: &[u32]) -> Result<()> {
        let at = self.annotate(&[id], decoration);
        self.sections.annotations.extend_from_slice(operands);
        self.close_annotation(at, false)
    }

    /// Begins a decoration of an id, or of a member of one. Gives where it begins.
    pub(super) fn annotate(&mut self, target: &[u32], decoration: u32) -> usize {
        let annotations = &mut self.sections.annotations;
        let at = annotations.len();
        annotations.push(0);
        annotations.extend_from_slice(target);
        annotations.push(decoration);
        at
    }

    /// Ends the decoration that begins there.
    pub(super) fn close_annotation(&mut self, at: usize, of_member: bool) -> Result<()> {
        let annotations = &mut self.sections.annotations;
        let has_string = STRINGS.contains(&annotations[at + 2 + usize::from(of_member)]);
        let opcode = match (of_member, has_string) {
            (false, false) => op::DECORATE,
            (false, true) => op::DECORATE_STRING,
            (true, false) => op::MEMBER_DECORATE,
            (true, true) => op::MEMBER_DECORATE_STRING,
        };
        close(annotations, at, opcode)
    }

    /// Appends the operand of a decoration to the one that is open.
    pub(super) fn decoration_operand(&mut self, decoration: u32, value: Attribute) -> Result<()> {
        let context = self.context;
        let words = &mut self.sections.annotations;
        let wrong = || Error::verification(format!("the operand of decoration {decoration} is malformed"));
        match &context[value] {
            AttributeData::Unit => {}
            AttributeData::Integer { .. } => words.push(number(context, value).ok_or_else(wrong)?),
            AttributeData::String { value, .. } if decoration == 11 => {
                let name = std::str::from_utf8(value).map_err(|_| wrong())?;
                words.push(EnumKind::BuiltIn.parse(name).ok_or_else(wrong)?);
            }
            AttributeData::String { value, .. } => push_string(words, value)?,
            _ => match attributes::view(context, value).ok_or_else(wrong)? {
                SpirvAttribute::Enumerant(_, number) => words.push(number),
                SpirvAttribute::Structural(definition, parameters) => {
                    for parameter in parameters {
                        match parameter {
                            mlirbc_ir::Parameter::Attribute(part) => self.decoration_operand(decoration, *part)?,
                            mlirbc_ir::Parameter::Unsigned(number) => self.sections.annotations.push(*number as u32),
                            _ => {
                                return Err(Error::verification(format!(
                                    "`{}` is not the operand of a decoration",
                                    definition.mnemonic
                                )));
                            }
                        }
                    }
                }
                _ => return Err(wrong()),
            },
        }
        Ok(())
    }

    /// Decorates an id as the attributes of its operation say: those that are decorations by their names.
    pub(super) fn decorate_as(&mut self, id: u32, entries: &[NamedAttribute]) -> Result<()> {
        for &(key, value) in entries {
            let name = self.context.bytes(key);
            if name == b"spirv_binary.decorations" {
                self.decorate_list(id, value)?;
                continue;
            }
            let Some(decoration) = attributes::decoration_of_name(name) else {
                continue;
            };
            let at = self.annotate(&[id], decoration);
            self.decoration_operand(decoration, value)?;
            self.close_annotation(at, false)?;
        }
        Ok(())
    }

    /// Decorates an id as a list says.
    pub(super) fn decorate_list(&mut self, id: u32, list: Attribute) -> Result<()> {
        for &said in self.items(list).unwrap_or_default() {
            self.note(&[id], said)?;
        }
        Ok(())
    }

    /// Decorates an id or a member as a list says: words, or ids with a unit behind them.
    pub(super) fn note(&mut self, target: &[u32], said: Attribute) -> Result<()> {
        let context = self.context;
        let wrong = || Error::verification("a decoration is no list");
        let items = self.items(said).ok_or_else(wrong)?;
        let (&decoration, operands) = items.split_first().ok_or_else(wrong)?;
        let decoration = self.number(decoration).ok_or_else(wrong)?;
        let of_member = target.len() > 1;
        if let Some((&last, trees)) = operands.split_last()
            && context[last] == AttributeData::Unit
        {
            // Before the decoration, as constants have decorations of their own.
            let ids = trees.iter().map(|&tree| self.tree(tree)).collect::<Result<Vec<_>>>()?;
            let at = self.annotate(target, decoration);
            self.sections.annotations.extend(ids);
            return match of_member {
                true => self.close_annotation(at, true),
                false => close(&mut self.sections.annotations, at, op::DECORATE_ID),
            };
        }
        let at = self.annotate(target, decoration);
        for &operand in operands {
            let words = &mut self.sections.annotations;
            match &context[operand] {
                AttributeData::String { value, .. } => push_string(words, value)?,
                _ => words.push(number(context, operand).ok_or_else(wrong)?),
            }
        }
        self.close_annotation(at, of_member)
    }
}
