//! The parts of a module that cannot be decoded, counted.

use std::collections::BTreeMap;
use std::fmt;

use mlirbc_ir::{AttributeData, Error, Identifier, Module, ModuleSource, Result, TypeData};

use crate::read::BytecodeFile;

/// The parts of a module that cannot be decoded, by dialect. It is kept as bytes that only its own file gives a meaning: bytecode
/// holds it, and text cannot, so that nothing that parses text takes what stands in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpaqueParts {
    /// Attributes in encodings that are not known: how many.
    pub attributes: BTreeMap<String, u64>,
    /// Types in encodings that are not known: how many.
    pub types: BTreeMap<String, u64>,
    /// Operations with properties whose layout is not known: how many.
    pub properties: BTreeMap<String, u64>,
}

impl OpaqueParts {
    /// Whether a module may hold such parts. Then it is written with the tables of its file as they are, in the encodings that
    /// they are in. Reads the tables of its file, and none of its operations.
    ///
    /// # Errors
    /// Where a table is malformed.
    pub fn may_be_in(module: &Module) -> Result<bool> {
        BytecodeFile::of(module).map_or(Ok(false), BytecodeFile::has_opaque_parts)
    }

    /// What in a module is opaque. Reads all of a file that may hold such parts, and next to nothing of any other.
    ///
    /// # Errors
    /// Where something in the module cannot be read.
    pub fn of(module: &Module) -> Result<Self> {
        let mut parts = OpaqueParts::default();
        let Some(file) = BytecodeFile::of(module) else { return Ok(parts) };
        if !Self::may_be_in(module)? {
            return Ok(parts);
        }
        let context = module.context();
        let add = |to: &mut BTreeMap<String, u64>, dialect: Identifier| {
            *to.entry(context.text(dialect).into_owned()).or_default() += 1;
        };
        let counts = file.counts()?;
        for index in 0..counts.attributes {
            if let AttributeData::Encoded(encoded) = &context[ModuleSource::attribute(file, context, index)?] {
                add(&mut parts.attributes, encoded.dialect);
            }
        }
        for index in 0..counts.types {
            if let TypeData::Encoded(encoded) = &context[ModuleSource::ty(file, context, index)?] {
                add(&mut parts.types, encoded.dialect);
            }
        }
        module.load_all()?;
        for (_, body) in module.bodies() {
            for op in body.preorder() {
                if let Some(properties) = body.properties(op)
                    && let AttributeData::Encoded(encoded) = &context[module.properties(body.name(op), properties)?]
                {
                    add(&mut parts.properties, encoded.dialect);
                }
            }
        }
        Ok(parts)
    }

    /// Whether nothing is opaque.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.types.is_empty() && self.properties.is_empty()
    }
}

/// So many dialects are named before there are only more.
const MOST_NAMED: usize = 8;

/// "3 attributes of `a`, 1 type of `b`, the properties of 2 operations of `a`"
impl fmt::Display for OpaqueParts {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            (&self.attributes, "", "attribute"),
            (&self.types, "", "type"),
            (&self.properties, "the properties of ", "operation"),
        ];
        let rows = rows.into_iter().flat_map(|(counts, of, what)| counts.iter().map(move |it| (it, of, what)));
        for (at, ((dialect, count), of, what)) in rows.enumerate() {
            if at == MOST_NAMED {
                return to.write_str(", and more");
            }
            let (comma, plural) = (if at == 0 { "" } else { ", " }, if *count == 1 { "" } else { "s" });
            write!(to, "{comma}{of}{count} {what}{plural} of {}", Error::quoted(dialect.as_bytes()))?;
        }
        Ok(())
    }
}
