//! The quant dialect's encodings (MLIR's `QuantDialectBytecode.td`).

use mlirbc_bytecode::encoding::{DialectEncoding, EntryReader, EntryWriter, fields};
use mlirbc_ir::{DialectValue, Result, Type, TypeData};

use super::{TYPES, definition, verify};

pub(crate) struct Quant;

impl DialectEncoding for Quant {
    fn is_of_mlir(&self) -> bool {
        true
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        let code = reader.varint()?;
        let Some(definition) = TYPES.iter().find(|definition| definition.code == Some(code)) else {
            return Err(reader.unknown(format!("no quant type has the code {code}")));
        };
        let parameters = fields::read(definition, reader)?;
        let context = reader.context();
        let (dialect, mnemonic) = (context.identifier("quant"), context.identifier(definition.mnemonic));
        let value = DialectValue { dialect, mnemonic, parameters };
        verify(context, &value).map_err(|error| reader.error(error.message()))?;
        Ok(context.ty(TypeData::Dialect(value)))
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let TypeData::Dialect(value) = &context[ty] else { return false };
        let Some((definition, code)) = definition(context, value).and_then(|form| Some((form, form.code?))) else {
            return false;
        };
        writer.varint(code);
        fields::write(definition, &value.parameters, writer);
        true
    }
}
