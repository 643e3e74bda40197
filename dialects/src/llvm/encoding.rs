//! The llvm dialect's encodings: debug information and loop annotations (MLIR's `LLVMDialectBytecode.td`).

use std::sync::OnceLock;

use mlirbc_bytecode::encoding::{DialectEncoding, EntryReader, EntryWriter, fields};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, AttributeData, Context, DialectValue, Identifier, Result};

use super::{ATTRIBUTES, definition};

/// The release that the encodings came with.
const FIRST: Release = Release::new(22);

pub(crate) struct Llvm {
    dialect: Identifier,
    /// The mnemonics of the codes, as names of the context.
    mnemonics: Box<[OnceLock<Identifier>]>,
}

impl Llvm {
    pub(crate) fn new(context: &Context) -> Self {
        let codes = ATTRIBUTES.iter().take_while(|definition| definition.code.is_some());
        Llvm { dialect: context.identifier("llvm"), mnemonics: codes.map(|_| OnceLock::new()).collect() }
    }
}

impl DialectEncoding for Llvm {
    fn is_of_mlir(&self) -> bool {
        true
    }

    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let code = reader.varint()?;
        let known = usize::try_from(code).ok().and_then(|at| ATTRIBUTES[..self.mnemonics.len()].get(at));
        let Some(definition) = known else {
            return Err(reader.unknown(format!("no llvm attribute has the code {code}")));
        };
        let parameters = fields::read(definition, reader)?;
        let context = reader.context();
        let mnemonic = *self.mnemonics[code as usize].get_or_init(|| context.identifier(definition.mnemonic));
        Ok(context.attribute(AttributeData::Dialect(DialectValue { dialect: self.dialect, mnemonic, parameters })))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dialect(value) = &context[attribute] else { return false };
        // Releases before that have text.
        if writer.release() < FIRST {
            return false;
        }
        let Some(definition) = definition(context.bytes(value.mnemonic)) else { return false };
        match definition.code {
            Some(code)
                if definition.verify(context, &value.parameters).is_ok()
                    && fields::fit(definition, &value.parameters, writer) =>
            {
                writer.varint(code);
                fields::write(definition, &value.parameters, writer);
                true
            }
            _ => false,
        }
    }
}
