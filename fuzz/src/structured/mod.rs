//! Valid modules of any kind, built through the public API of the IR from bytes that say what to build.

mod attributes;
mod operations;
mod types;

use arbitrary::{Result, Unstructured};
use mlirbc_ir::{Attribute, Context, Module, NamedAttribute, ResourceEntry, Type, fresh_number};

/// A module, and what is to be done with it.
pub(crate) struct Built {
    pub(crate) module: Module,
    /// The bytecode version to write it at.
    pub(crate) version: u64,
    pub(crate) producer: Vec<u8>,
}

/// Builds a module. Bytes that say too little give small modules.
///
/// # Errors
/// Where the bytes end in the middle of something.
pub(crate) fn build(context: &Context, data: &[u8]) -> Result<Built> {
    let mut builder = Builder {
        context,
        input: Unstructured::new(data),
        types: vec![context.integer_type(32)],
        attributes: vec![context.unit()],
        locations: vec![context.unknown_location()],
        resources: Vec::new(),
        owner: fresh_number(),
    };
    let version = builder.input.int_in_range(0..=6)?;
    let length = builder.below(12)?;
    let producer = builder.input.bytes(length)?.iter().map(|&byte| byte.max(1)).collect();
    for _ in 0..builder.below(40)? {
        match builder.below(4)? {
            0 => builder.make_type()?,
            1 => builder.make_location()?,
            _ => builder.make_attribute()?,
        }
    }
    let module = builder.module()?;
    Ok(Built { module, version, producer })
}

/// What has been built so far: later things are made of earlier ones.
struct Builder<'b, 'c> {
    context: &'c Context,
    input: Unstructured<'b>,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
    locations: Vec<Attribute>,
    resources: Vec<ResourceEntry>,
    /// Tells the resources from those of other files.
    owner: u64,
}

/// Names of attributes, symbols and files, plain and odd.
const NAMES: &[&str] =
    &["a", "b", "main", "x.y", "odd name", "\u{e9}", "0", "\"", "-", "_", "$", "a\\b", "line\nend", "t", "true", "loc"];

impl Builder<'_, '_> {
    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> Result<usize> {
        self.input.int_in_range(0..=end - 1)
    }

    fn chance(&mut self, one_in: usize) -> Result<bool> {
        Ok(self.below(one_in)? == one_in - 1)
    }

    fn any<T: Copy>(&mut self, of: &[T]) -> Result<T> {
        let at = self.below(of.len())?;
        Ok(of[at])
    }

    fn a_type(&mut self) -> Result<Type> {
        let at = self.below(self.types.len())?;
        Ok(self.types[at])
    }

    fn an_attribute(&mut self) -> Result<Attribute> {
        let at = self.below(self.attributes.len())?;
        Ok(self.attributes[at])
    }

    fn a_location(&mut self) -> Result<Attribute> {
        let at = self.below(self.locations.len())?;
        Ok(self.locations[at])
    }

    fn some_types(&mut self, most: usize) -> Result<Box<[Type]>> {
        (0..self.below(most + 1)?).map(|_| self.a_type()).collect()
    }

    fn some_attributes(&mut self, most: usize) -> Result<Box<[Attribute]>> {
        (0..self.below(most + 1)?).map(|_| self.an_attribute()).collect()
    }

    /// A name, plain or odd.
    fn name(&mut self) -> Result<&'static str> {
        self.any(NAMES)
    }

    /// Bytes that need not be a text.
    fn bytes(&mut self, most: usize) -> Result<Box<[u8]>> {
        let length = self.below(most + 1)?;
        Ok(self.input.bytes(length)?.into())
    }

    /// Entries of a dictionary, each name once.
    fn entries(&mut self, most: usize) -> Result<Vec<NamedAttribute>> {
        let mut entries: Vec<NamedAttribute> = Vec::new();
        for _ in 0..self.below(most + 1)? {
            let name = self.context.identifier(self.any(NAMES)?);
            let value = self.an_attribute()?;
            if entries.iter().all(|entry| entry.0 != name) {
                entries.push((name, value));
            }
        }
        Ok(entries)
    }

    /// Keeps a type that keeps the rules.
    fn keep_type(&mut self, data: mlirbc_ir::TypeData) {
        if data.verify(self.context).is_ok() {
            self.types.push(self.context.ty(data));
        }
    }

    /// Keeps an attribute that keeps the rules.
    fn keep_attribute(&mut self, data: mlirbc_ir::AttributeData) {
        if data.verify(self.context).is_ok() {
            self.attributes.push(self.context.attribute(data));
        }
    }
}
