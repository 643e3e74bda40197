//! A dialect that lived through two versions.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{
    Attribute, AttributeData, BodyId, Context, Dialect, DialectValue, Module, OpId, OperationSpec, Parameter, Result,
    Type, TypeData,
};

/// `#toy.colour<r, g, b>` and `!toy.canvas<width>`.
///
/// Version 1 writes a colour as one number and calls the attribute of `toy.paint` that holds it `color`; version 2
/// writes three bytes and calls it `colour`.
pub(crate) struct Toy {
    pub(crate) current: u64,
}

pub(crate) fn context(current: u64) -> Context {
    let context = crate::definitions::context();
    context.register(Dialect::new("toy").bytecode(Toy { current })).expect("registered once");
    context
}

fn version(stated: Option<&DialectVersion>, current: u64) -> u64 {
    stated.and_then(|version| version.downcast_ref::<u64>()).copied().unwrap_or(current)
}

impl DialectEncoding for Toy {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let stated = reader.dialect_version("toy")?;
        let (r, g, b) = match version(stated.as_ref(), self.current) {
            1 => {
                let packed = reader.varint()?;
                (packed >> 16 & 255, packed >> 8 & 255, packed & 255)
            }
            _ => (reader.byte()?.into(), reader.byte()?.into(), reader.byte()?.into()),
        };
        Ok(colour(reader.context(), r, g, b))
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        let width = reader.varint()?;
        Ok(canvas(reader.context(), width))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let AttributeData::Dialect(value) = &writer.context()[attribute] else { return false };
        let [Parameter::Unsigned(r), Parameter::Unsigned(g), Parameter::Unsigned(b)] = *value.parameters else {
            return false;
        };
        match version(writer.dialect_version("toy"), self.current) {
            1 => writer.varint(r << 16 | g << 8 | b),
            _ => [r, g, b].into_iter().for_each(|part| writer.byte(part as u8)),
        }
        true
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let TypeData::Dialect(value) = &writer.context()[ty] else { return false };
        let [Parameter::Unsigned(width)] = *value.parameters else { return false };
        writer.varint(width);
        true
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        let version = version(writer.dialect_version("toy"), self.current);
        writer.varint(version);
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        match reader.varint()? {
            version if version <= self.current => Ok(Arc::new(version)),
            version => Err(reader.unknown(format!("version {version} of toy is newer than this build"))),
        }
    }

    fn upgrade(&self, module: &mut Module, stated: &DialectVersion) -> Result<()> {
        if version(Some(stated), self.current) >= 2 {
            return Ok(());
        }
        let context = module.context().clone();
        let (old, new) = (context.identifier("color"), context.identifier("colour"));
        for id in (0..module.body_count()).map(BodyId::from_index) {
            let ops: Vec<OpId> = module.body(id)?.preorder().collect();
            for op in ops {
                let mut entries = module.operation(id, op)?.attributes()?.to_vec();
                if entries.iter().any(|entry| entry.0 == old) {
                    entries.iter_mut().filter(|entry| entry.0 == old).for_each(|entry| entry.0 = new);
                    let dictionary = context.dictionary(entries)?;
                    module.rewrite(id, |rw| rw.set_attributes(op, Some(dictionary.into())))?;
                }
            }
        }
        Ok(())
    }
}

fn value(context: &Context, mnemonic: &str, parameters: &[u64]) -> DialectValue {
    let parameters = parameters.iter().map(|&number| Parameter::Unsigned(number)).collect();
    DialectValue { dialect: context.identifier("toy"), mnemonic: context.identifier(mnemonic), parameters }
}

pub(crate) fn colour(context: &Context, r: u64, g: u64, b: u64) -> Attribute {
    context.attribute(AttributeData::Dialect(value(context, "colour", &[r, g, b])))
}

pub(crate) fn canvas(context: &Context, width: u64) -> Type {
    context.ty(TypeData::Dialect(value(context, "canvas", &[width])))
}

/// Appends an operation with one attribute at the top of the module.
pub(crate) fn append(module: &mut Module, name: &str, key: &str, value: Attribute, results: &[Type]) -> OpId {
    let context = module.context().clone();
    let attributes = context.dictionary(vec![(context.identifier(key), value)]).expect("one entry");
    let file = context.identifier("toy.mlir");
    let line = module.top().expect("a body").operation_count() as u32 + 1;
    let location = AttributeData::FileLocation { file, start: (line, 1), end: (line, 1) };
    let results: Vec<_> = results.iter().map(|&ty| ty.into()).collect();
    let spec = OperationSpec {
        attributes: Some(attributes.into()),
        results: &results,
        ..OperationSpec::new(context.operation_name(name, false), context.attribute(location).into())
    };
    mlirbc_testing::append(module, BodyId::from_index(Module::TOP), &spec)
}

/// Three operations, as version 1 knew them.
pub(crate) fn painting(context: &Context) -> Module {
    let mut module = Module::new(context);
    let wide = canvas(context, 640);
    append(&mut module, "toy.paint", "color", colour(context, 1, 2, 3), &[wide]);
    append(&mut module, "toy.paint", "color", colour(context, 200, 100, 0), &[canvas(context, 7)]);
    append(&mut module, "other.note", "text", context.string("done"), &[wide]);
    module
}
