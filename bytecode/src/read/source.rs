//! A bytecode file as the source of a module.

use std::any::Any;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::{
    Attribute, AttributeData, Body, BodyId, Context, Error, FileInfo, Identifier, Location, Module, ModuleSource,
    OperationName, PackedLocation, PendingBody, ResourceGroup, Result, SymbolPlace, Type,
};

use super::file::BytecodeFile;
use super::ir::BodyReader;
use super::locations::PackedSlot;
use super::options::ReadOptions;
use crate::encoding::Table;
use crate::format::SectionId;

/// Opens a module in bytecode: its header and section table are read, everything else on demand.
///
/// # Errors
/// Where the header or the section table is malformed.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = mlirbc_ir::Context::new();
/// # let bytes = include_bytes!("../../../fixtures/arith.mlirbc");
/// let module = mlirbc_bytecode::read(&context, &bytes[..])?;
/// for op in module.operations()? {
///     println!("{}", op.name());
/// }
/// # Ok(())
/// # }
/// ```
pub fn read(context: &Context, bytes: impl Into<Bytes>) -> Result<Module> {
    read_with(context, bytes, &ReadOptions::default())
}

/// Opens a module in bytecode as `options` say.
///
/// # Errors
/// Where the header or the section table is malformed.
pub fn read_with(context: &Context, bytes: impl Into<Bytes>, options: &ReadOptions) -> Result<Module> {
    Ok(module_of(context, BytecodeFile::open(context, bytes.into(), options, None)?))
}

/// The module of a file that was opened.
pub(super) fn module_of(context: &Context, file: Arc<BytecodeFile>) -> Module {
    let info = FileInfo { version: Some(file.version()), producer: file.producer().to_vec() };
    let ir = file.section(SectionId::Ir).unwrap_or_default();
    let mut module = Module::with_source(context, Some(file));
    module.info = info;
    let pending = PendingBody { offset: ir.start as u64, length: ir.len() as u64, regions: 1 };
    module.declare(None, Some(pending), None);
    module
}

impl BytecodeFile {
    /// The file that the module was read from, where it was read from bytecode.
    pub fn of(module: &Module) -> Option<&BytecodeFile> {
        module.source()?.as_any().downcast_ref()
    }
}

impl ModuleSource for BytecodeFile {
    fn attribute(&self, _: &Context, index: u32) -> Result<Attribute> {
        Ok(self.attribute_of(self.resolve(Table::Attributes, index)?))
    }

    fn dictionary(&self, context: &Context, index: u32) -> Result<Attribute> {
        let attribute = self.attribute(context, index)?;
        match &self.context[attribute] {
            AttributeData::Dictionary(_) | AttributeData::Encoded(_) => Ok(attribute),
            _ => {
                let error = self.misplaced(index, "stands for a dictionary, and is not one");
                Err(self.of_file(error.reading("the attributes of an operation")))
            }
        }
    }

    fn location(&self, _: &Context, index: u32) -> Result<Location> {
        match PackedSlot::of(self.resolve(Table::Attributes, index)?) {
            PackedSlot::Location(location) => Ok(Location::File {
                file: self.files.get(location.file()),
                line: location.line(),
                column: location.column(),
            }),
            PackedSlot::Handle(handle) => {
                let attribute = Attribute::from_raw(handle);
                match &self.context[attribute] {
                    // One of a kind that is not known, perhaps.
                    data if data.is_location() || matches!(data, AttributeData::Encoded(_)) => {
                        Ok(Location::Attribute(attribute))
                    }
                    _ => {
                        let error = self.misplaced(index, "stands for a location, and is not one");
                        Err(self.of_file(error.reading("a location")))
                    }
                }
            }
        }
    }

    fn packed_location(&self, index: u32) -> Option<PackedLocation> {
        let decoded = || self.attribute_slots.get().map_or(0, |slots| slots.get(index));
        if decoded() == 0 {
            // Where that fails, the entry says below what is wrong with it.
            let _ = self.settle_locations(index);
        }
        let word = decoded();
        PackedLocation::from_word(if word != 0 { word } else { self.resolve(Table::Attributes, index).ok()? })
    }

    fn packed_words(&self, start: u32, words: &mut [u64]) {
        match self.attribute_slots.get() {
            Some(slots) => slots.copy(start, words),
            None => words.fill(0),
        }
    }

    fn packed_file(&self, file: u32) -> Option<Identifier> {
        self.files.find(file)
    }

    fn attribute_count(&self) -> u32 {
        self.counts().map_or(0, |counts| counts.attributes)
    }

    fn ty(&self, _: &Context, index: u32) -> Result<Type> {
        match PackedSlot::of(self.resolve(Table::Types, index)?) {
            PackedSlot::Handle(handle) => Ok(Type::from_raw(handle)),
            PackedSlot::Location(_) => Err(Error::malformed("a location is no type")),
        }
    }

    fn properties(&self, _: &Context, name: OperationName, index: u32) -> Result<Attribute> {
        self.property_dictionary(name, index)
    }

    fn body(&self, module: &Module, id: BodyId, pending: PendingBody) -> Result<Body> {
        let read = || {
            let reader = BodyReader::new(self, module)?;
            if id.index() == Module::TOP { reader.top(id) } else { reader.regions(id, pending) }
        };
        read().map_err(|error| self.of_file(error.in_section(SectionId::Ir.name())))
    }

    fn find_symbol(&self, module: &Module, body: BodyId, name: &[u8]) -> Option<Result<Option<SymbolPlace>>> {
        // Once the body has been read, it may have been edited: the index says nothing of it any more.
        if module.loaded(body).is_none()
            && let Some(pending) = module.pending(body)
        {
            let indexed = self.indexed_symbol(module, pending.offset, name);
            if let Some(found) = indexed.or_else(|| self.scan_for_symbol(module, pending, name)) {
                return Some(found);
            }
        }
        Some(self.symbol_in(module, body, name).map_err(|error| self.of_file(error)))
    }

    fn resources(&self) -> Result<Vec<ResourceGroup>> {
        Ok(BytecodeFile::resources(self).map_err(|error| self.of_file(error))?.groups.clone())
    }

    fn dialect_versions(&self) -> Result<Vec<(Identifier, Bytes)>> {
        let dialects = self.dialects().map_err(|error| self.of_file(error))?;
        let versions = dialects.dialects.iter().zip(0..).filter_map(|(dialect, number)| {
            let range = dialect.version.clone()?;
            Some(
                self.guarded()
                    .get(range.clone())
                    .and_then(|_| Ok((self.dialect_name(number)?, self.data().slice(range)))),
            )
        });
        versions.collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
