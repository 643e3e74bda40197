//! Debug information: a twin of `raise/debug.rs`.

use mlirbc_ir::{Attribute, AttributeData, AttributeRef, Error, Identifier, Location, Result};

use super::{Lowerer, close, push_string};
use crate::op;

/// Where an operation comes from: the name of its result, and a line of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Origin {
    pub(super) name: Option<Identifier>,
    pub(super) line: Option<(Identifier, u32, u32)>,
}

impl<'m> Lowerer<'m> {
    /// The debug section, as the module lists it.
    pub(super) fn debug(&mut self, list: Attribute) -> Result<()> {
        let wrong = || Error::verification("`spirv_binary.debug` is no list of instructions");
        let items = self.items(list).ok_or_else(wrong)?;
        // Sources name files: these come first.
        for strings in [true, false] {
            for &item in items {
                let (&name, operands) = self.items(item).and_then(<[_]>::split_first).ok_or_else(wrong)?;
                let name = self.text(name).ok_or_else(wrong)?;
                if (name == b"OpString") == strings {
                    self.debug_instruction(name, operands)?;
                }
            }
        }
        Ok(())
    }

    fn debug_instruction(&mut self, name: &[u8], operands: &[Attribute]) -> Result<()> {
        let wrong =
            || Error::verification(format!("{} in `spirv_binary.debug` has other operands", Error::quoted(name)));
        let (opcode, plain) = match name {
            b"OpString" => {
                let &[text] = operands else { return Err(wrong()) };
                let id = self.string(self.text(text).ok_or_else(wrong)?)?;
                if let Some(file) = self.context.as_identifier(text) {
                    self.files.entry(file).or_insert(id);
                }
                return Ok(());
            }
            b"OpSource" => {
                let &[language, version, ref rest @ ..] = operands else { return Err(wrong()) };
                let mut words =
                    vec![0, self.number(language).ok_or_else(wrong)?, self.number(version).ok_or_else(wrong)?];
                if let [file, source @ ..] = rest {
                    let file = self.context.as_identifier(*file).ok_or_else(wrong)?;
                    words.push(self.file(file)?);
                    for &source in source {
                        push_string(&mut words, self.text(source).ok_or_else(wrong)?)?;
                    }
                }
                close(&mut words, 0, op::SOURCE)?;
                self.sections.strings.extend(words);
                return Ok(());
            }
            b"OpSourceContinued" => (op::SOURCE_CONTINUED, false),
            b"OpSourceExtension" => (op::SOURCE_EXTENSION, false),
            b"OpModuleProcessed" => (op::MODULE_PROCESSED, true),
            _ => return Err(wrong()),
        };
        let &[text] = operands else { return Err(wrong()) };
        let text = self.text(text).ok_or_else(wrong)?;
        let section = if plain { &mut self.sections.processed } else { &mut self.sections.strings };
        let at = section.len();
        section.push(0);
        push_string(section, text)?;
        close(section, at, opcode)
    }

    fn string(&mut self, text: &[u8]) -> Result<u32> {
        let id = self.fresh()?;
        let at = self.sections.strings.len();
        self.sections.strings.extend([0, id]);
        push_string(&mut self.sections.strings, text)?;
        close(&mut self.sections.strings, at, op::STRING)?;
        Ok(id)
    }

    /// The id of a file's name.
    pub(super) fn file(&mut self, file: Identifier) -> Result<u32> {
        if let Some(&id) = self.files.get(&file) {
            return Ok(id);
        }
        let context = self.context;
        let id = self.string(context.bytes(file))?;
        self.files.insert(file, id);
        Ok(id)
    }

    /// What a location says.
    pub(super) fn origin(&self, location: AttributeRef) -> Result<Origin> {
        if location.in_context() == Some(self.context.unknown_location()) {
            return Ok(Origin::default());
        }
        Ok(match self.module.location(location)? {
            Location::File { file, line, column } => Origin { name: None, line: Some((file, line, column)) },
            Location::Attribute(attribute) => match self.context[attribute] {
                AttributeData::NameLocation { name, child } => Origin { name: Some(name), line: self.place(child) },
                _ => Origin { name: None, line: self.place(attribute) },
            },
        })
    }

    fn place(&self, location: Attribute) -> Option<(Identifier, u32, u32)> {
        match self.context[location] {
            AttributeData::FileLocation { file, start: (line, column), .. } => Some((file, line, column)),
            _ => None,
        }
    }
}
