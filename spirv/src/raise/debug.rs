//! Debug information of the module: a twin of `lower/debug.rs`.

use std::borrow::Cow;

use mlirbc_ir::{Attribute, Result};

use super::{IdKind, Raiser};
use crate::op;

impl<'r> Raiser<'r> {
    /// An instruction of the debug section as a list: its name, then its operands.
    pub(super) fn debug(&mut self, at: u32) -> Result<Attribute> {
        let scan = self.scan;
        let context = self.context;
        let (opcode, words) = scan.instruction(at);
        let end = at + words.len() as u32;
        let wrong = || scan.stop().at(at, "it has other operands");
        let string = |from: u32| scan.string(at + from, end).map(|string| context.string(string)).ok_or_else(wrong);
        let items = match opcode {
            op::STRING => {
                let id = *words.get(1).ok_or_else(wrong)?;
                if scan.names[id as usize] != 0 || !scan.notes(id).is_empty() {
                    return Err(scan.stop().at(at, "something is said of a string"));
                }
                self.kinds[id as usize] = IdKind::String;
                vec![context.string("OpString"), string(2)?]
            }
            op::SOURCE => {
                let &[_, language, version, ref rest @ ..] = words else { return Err(wrong()) };
                let mut items = vec![context.string("OpSource"), self.number(language), self.number(version)];
                if let [file, source @ ..] = rest {
                    items.push(context.string(self.string_of(*file).ok_or_else(wrong)?));
                    if !source.is_empty() {
                        items.push(string(4)?);
                    }
                }
                items
            }
            op::SOURCE_CONTINUED => vec![context.string("OpSourceContinued"), string(1)?],
            op::SOURCE_EXTENSION => vec![context.string("OpSourceExtension"), string(1)?],
            _ => vec![context.string("OpModuleProcessed"), string(1)?],
        };
        Ok(self.array(items))
    }

    /// The string that an id stands for.
    pub(super) fn string_of(&self, id: u32) -> Option<Cow<'r, [u8]>> {
        let at = self.scan.definition(id)?;
        let (opcode, words) = self.scan.instruction(at);
        if opcode != op::STRING {
            return None;
        }
        self.scan.string(at + 2, at + words.len() as u32)
    }
}
