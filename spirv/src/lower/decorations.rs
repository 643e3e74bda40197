//! Decorations and names: a twin of `raise/decorations.rs`.

use mlirbc_ir::{Attribute, AttributeData, Error, NamedAttribute, Result};

use super::{Lowerer, close};
use crate::binary::words;
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
        words::push_string(&mut self.sections.names, name);
        close(&mut self.sections.names, at, op::NAME)
    }

    /// `OpDecorate`
    pub(super) fn decorate(&mut self, id: u32, words: &[u32]) -> Result<()> {
        let opcode = if STRINGS.contains(&words[0]) { op::DECORATE_STRING } else { op::DECORATE };
        self.annotate(opcode, &[id], words)
    }

    /// `OpMemberDecorate`
    pub(super) fn member_decorate(&mut self, id: u32, member: u32, words: &[u32]) -> Result<()> {
        let opcode = if STRINGS.contains(&words[0]) { op::MEMBER_DECORATE_STRING } else { op::MEMBER_DECORATE };
        self.annotate(opcode, &[id, member], words)
    }

    fn annotate(&mut self, opcode: u16, target: &[u32], words: &[u32]) -> Result<()> {
        let at = self.sections.annotations.len();
        self.sections.annotations.push(0);
        self.sections.annotations.extend_from_slice(target);
        self.sections.annotations.extend_from_slice(words);
        close(&mut self.sections.annotations, at, opcode)
    }

    /// Appends the operand of a decoration.
    pub(super) fn decoration_operand(&mut self, decoration: u32, value: Attribute, words: &mut Vec<u32>) -> Result<()> {
        let context = self.context;
        let wrong = || Error::verification(format!("the operand of decoration {decoration} is none"));
        match &context[value] {
            AttributeData::Unit => {}
            AttributeData::Integer { .. } => words.push(self.number(value).ok_or_else(wrong)?),
            AttributeData::String { value, .. } if decoration == 11 => {
                let name = std::str::from_utf8(value).map_err(|_| wrong())?;
                words.push(EnumKind::BuiltIn.parse(name).ok_or_else(wrong)?);
            }
            AttributeData::String { value, .. } => words::push_string(words, value),
            _ => match attributes::view(context, value).ok_or_else(wrong)? {
                SpirvAttribute::Enumerant(_, number) => words.push(number),
                SpirvAttribute::Structural(definition, parameters) => {
                    for parameter in parameters {
                        match parameter {
                            mlirbc_ir::Parameter::Attribute(part) => {
                                self.decoration_operand(decoration, *part, words)?
                            }
                            mlirbc_ir::Parameter::Unsigned(number) => words.push(*number as u32),
                            _ => {
                                return Err(Error::verification(format!("`{}` is no decoration", definition.mnemonic)));
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
            let Some(decoration) = std::str::from_utf8(name).ok().and_then(attributes::decoration_of_name) else {
                continue;
            };
            let mut words = vec![decoration];
            self.decoration_operand(decoration, value, &mut words)?;
            self.decorate(id, &words)?;
        }
        Ok(())
    }

    /// Decorates an id as a list says.
    pub(super) fn decorate_list(&mut self, id: u32, list: Attribute) -> Result<()> {
        for &said in self.items(list).unwrap_or_default() {
            let (words, has_ids) = self.note_words(said)?;
            match has_ids {
                true => self.annotate(op::DECORATE_ID, &[id], &words)?,
                false => self.decorate(id, &words)?,
            }
        }
        Ok(())
    }

    /// The words of a decoration as a list, and whether its operands are ids: then a unit stands behind them.
    pub(super) fn note_words(&mut self, said: Attribute) -> Result<(Vec<u32>, bool)> {
        let wrong = || Error::verification("a decoration is no list");
        let items = self.items(said).ok_or_else(wrong)?;
        let (&number, operands) = items.split_first().ok_or_else(wrong)?;
        let mut words = vec![self.number(number).ok_or_else(wrong)?];
        if let Some((&last, trees)) = operands.split_last()
            && self.context[last] == AttributeData::Unit
        {
            for &tree in trees {
                words.push(self.tree(tree)?);
            }
            return Ok((words, true));
        }
        for &operand in operands {
            match self.text(operand) {
                Some(text) => words::push_string(&mut words, text),
                None => words.push(self.number(operand).ok_or_else(wrong)?),
            }
        }
        Ok((words, false))
    }
}
