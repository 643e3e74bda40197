//! What operations look like: op definitions as data.
//!
//! MLIR compiles the definitions of its operations into C++. Here they are a table, one a dialect: [`OpTable::from_json`] makes one
//! of what `llvm-tblgen --dump-json` prints, [`OpTable::embedded`] takes one that is part of a program, and
//! [`Dialect::ops`](crate::Dialect::ops) gives it to a dialect.

mod builder;
mod classes;
mod constraint;
pub(crate) mod coverage;
mod definition;
mod effect;
mod enumeration;
pub(crate) mod format;
pub(crate) mod history;
pub(crate) mod lazy;
mod predicate;
pub(crate) mod readable;
mod release;
mod show;
pub(crate) mod table;
mod traits;
mod undefined;

pub use builder::OpDefBuilder;
pub use classes::CppClasses;
pub use constraint::{
    AttrOrTypeDef, AttributeConstraint, AttributeDef, BitEnum, EnumCase, EnumDef, Multiplicity, NativeDef,
    ParameterDef, ParameterKind, RegionDef, SuccessorDef, Syntax, TypeConstraint, ValueDef,
};
pub use coverage::{Coverage, UnknownUse};
pub(crate) use definition::{MEMORY_EFFECTS, SegmentSizes};
pub use definition::{NativeProperty, OpDef, OpDetails, PropertyDef, PropertyKind};
pub use effect::{Effect, EffectDef, EffectOn};
pub use enumeration::{BitCase, Bits, Enumeration, Enumerators};
pub use format::{Anchor, Element, Format};
pub use predicate::{Accessor, Builtin, BuiltinAttribute, Operator, Predicate, Relation, Term, TermClass, Test};
pub use release::Release;
pub use table::{Definitions, OpTable};
pub use traits::Traits;
pub use undefined::UndefinedOp;

/// The definitions of `builtin`, as of MLIR 22.
pub(crate) fn builtin() -> OpTable {
    OpTable::embedded(include_bytes!("builtin.table"))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::OpTable;

    /// The tables of the workspace: those of all dialects that MLIR has.
    pub(super) fn tables() -> Vec<OpTable> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut paths: Vec<PathBuf> = Vec::new();
        for folder in ["ir/src/ods", "dialects/src", "spirv/src/dialect"] {
            let entries = std::fs::read_dir(workspace.join(folder)).expect("a folder of sources");
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "table"));
        paths.sort();
        assert_eq!(paths.len(), 49, "{paths:?}");
        let table = |path: &PathBuf| {
            OpTable::from_bytes(std::fs::read(path).expect("a table"))
                .unwrap_or_else(|error| panic!("{path:?}: {error}"))
        };
        paths.iter().map(table).collect()
    }
}
