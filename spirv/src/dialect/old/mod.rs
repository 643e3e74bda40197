//! The dialect as MLIR 10 to 15 had it, under the name `spv`: what became of its operations, types, attributes and enumerants.
//!
//! This room reads it as `spirv`; nothing is written so. Operations are renamed by the table and the rules here, and those whose text
//! was another one have a parser in `assembly.rs`. What types and attributes had otherwise, the parsers in `text/` know, where
//! [`Parser::is_renamed`] says so.

mod assembly;
mod attributes;

use mlirbc_ir::ods::OpDef;
use mlirbc_ir::text::{DialectText, Parser};
use mlirbc_ir::{Context, Dialect, Error, NamedAttribute, Parameter, Result};
use mlirbc_text::{DialectAssembly, FormerDialect, Today};

pub(super) use attributes::limits;

use super::text::Text;
use super::{DIALECT, EnumKind, split_vendor, table};

/// The name that the dialect had before.
pub const FORMER: &str = "spv";

/// Operations that have another name today. One without is left out.
const RENAMED: [(&str, &str); 16] = [
    ("_address_of", "mlir.addressof"),
    ("_reference_of", "mlir.referenceof"),
    ("_merge", "mlir.merge"),
    ("_yield", "mlir.yield"),
    ("loop", "mlir.loop"),
    ("selection", "mlir.selection"),
    ("constant", "Constant"),
    ("globalVariable", "GlobalVariable"),
    ("specConstant", "SpecConstant"),
    ("specConstantComposite", "SpecConstantComposite"),
    ("specConstantOperation", "SpecConstantOperation"),
    ("undef", "Undef"),
    ("Undefined", "Undef"),
    ("_module_end", ""),
    ("module_end", ""),
    ("mlir.endmodule", ""),
];

/// Groups of operations that have another prefix today.
const GROUPS: [(&str, &str); 2] = [("GLSL.", "GL."), ("OCL.", "CL.")];

/// Beginnings of operations that went away: what took their place says what these do not.
const GONE: [(&str, &str); 2] = [
    (
        "CooperativeMatrix",
        "`spirv.KHR.CooperativeMatrix...` take matrices whose type says what they are used for, and how they lie",
    ),
    ("JointMatrix", "MLIR has no joint matrices any more"),
];

/// Enumerants that have another name today for another reason than their vendor.
const CASES: [(&str, &str); 2] = [("GLShared", "GLSLShared"), ("GLPacked", "GLSLPacked")];

/// The dialect under its former name, to be registered beside the one of today.
pub(super) fn dialect() -> Dialect {
    assembly::attach(Dialect::new(FORMER).text(Former).former(Former).default_dialect("module"))
}

/// A case of an enum, or the bits of a mask, from the text that it had.
pub(super) fn enumerant(kind: EnumKind, text: &str) -> Option<u32> {
    match kind.is_mask() {
        true => text.split('|').try_fold(0, |bits, name| Some(bits | case(kind, name.trim())?)),
        false => case(kind, text),
    }
}

/// A case, or the single bit, of that name: of the same name today, of another vendor or of none.
pub(super) fn case(kind: EnumKind, name: &str) -> Option<u32> {
    let name = CASES.iter().find(|case| case.0 == name).map_or(name, |case| case.1);
    let of_other = || {
        let base = split_vendor(name).0;
        ["", "KHR", "EXT", "ALTERA"].iter().find_map(|vendor| kind.value(&format!("{base}{vendor}")))
    };
    kind.value(name).or_else(of_other)
}

/// The full name today of an operation that had that name.
fn today(name: &str) -> Option<String> {
    let known = |name: &str| {
        let full = format!("{DIALECT}.{name}");
        (table::mlir().get(&full).is_some() || table::operations().get(&full).is_some()).then_some(full)
    };
    let grouped = || GROUPS.iter().find_map(|(old, new)| known(&format!("{new}{}", name.strip_prefix(old)?)));
    let of_vendor = || match split_vendor(name) {
        (_, "") => None,
        (base, vendor) => known(&format!("{vendor}.{base}")),
    };
    known(name).or_else(grouped).or_else(of_vendor)
}

struct Former;

impl FormerDialect for Former {
    fn operation(&self, name: &str) -> Today {
        let renamed = RENAMED.iter().find(|renamed| renamed.0 == name).map_or(name, |renamed| renamed.1);
        if renamed.is_empty() {
            return Today::Nothing;
        }
        if let Some((_, why)) = GONE.iter().find(|gone| name.starts_with(gone.0)) {
            return Today::Gone(format!("no operation of today does what `{FORMER}.{name}` did: {why}"));
        }
        match today(renamed) {
            Some(today) => Today::Operation(today),
            None => Today::Gone(format!("no operation of today is what `{FORMER}.{name}` was")),
        }
    }

    fn bare(&self, name: &str) -> Option<Today> {
        match name {
            "module" => Some(Today::Operation("builtin.module".to_owned())),
            "func" => Some(Today::Operation("func.func".to_owned())),
            "module_terminator" => Some(Today::Nothing),
            _ => None,
        }
    }

    fn entry(&self, context: &Context, operation: &OpDef, entry: NamedAttribute) -> Result<NamedAttribute> {
        attributes::of_operation(context, operation, entry)
    }

    fn complete(&self, context: &Context, operation: &OpDef, entries: &mut Vec<NamedAttribute>) {
        attributes::complete(context, operation, entries);
    }
}

impl DialectText for Former {
    fn renamed(&self) -> Option<&'static str> {
        Some(DIALECT)
    }

    fn renamed_entry(&self, context: &Context, entry: NamedAttribute) -> Result<NamedAttribute> {
        attributes::of_dictionary(context, entry)
    }

    fn renamed_mnemonic<'a>(&self, mnemonic: &'a [u8]) -> &'a [u8] {
        if mnemonic == b"coop_matrix_props" { b"coop_matrix_props_nv" } else { mnemonic }
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        match mnemonic {
            b"entry_point_abi" => attributes::entry_point(parser).map(Some),
            b"coop_matrix_props" => attributes::cooperative_matrix(parser).map(Some),
            _ => Text.parse_attribute(mnemonic, parser),
        }
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let gone = match mnemonic {
            b"coopmatrix" => "says what the matrix is used for, which this does not",
            b"jointmatrix" => "",
            _ => return Text.parse_type(mnemonic, parser),
        };
        let name = String::from_utf8_lossy(mnemonic);
        Err(parser.error(match gone {
            "" => format!("no type of today is what `!{FORMER}.{name}` was"),
            _ => format!("`!{DIALECT}.{name}` {gone}"),
        }))
    }
}

/// An error without a place: whoever asked knows it.
fn wrong(message: impl Into<String>) -> Error {
    Error::malformed(message)
}
