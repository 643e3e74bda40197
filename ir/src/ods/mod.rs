//! What operations look like: op definitions as data.
//!
//! MLIR compiles the definitions of its operations into C++. Here they are a table: [`upstream`] has those of every
//! upstream dialect, [`OpTable::from_json`] reads those of any other dialect from what `llvm-tblgen --dump-json` prints.

mod builder;
mod check;
mod classes;
mod constraint;
mod coverage;
mod definition;
mod enumeration;
mod format;
mod history;
#[cfg(feature = "ods-json")]
mod json;
mod lazy;
mod predicate;
mod readable;
mod release;
mod show;
mod table;
mod traits;
mod undefined;

pub use builder::OpDefBuilder;
pub use check::rules;
pub use check::{Checker, verify, verify_dominance, verify_module};
pub(crate) use check::{PartialOp, TypedOpKey, Validity, foreign_properties, segment_sizes, validity};
pub use classes::{CppClasses, TypeTests};
pub use constraint::{
    AttrOrTypeDef, AttributeConstraint, AttributeDef, BitEnum, EnumCase, EnumDef, Multiplicity, NativeDef,
    ParameterDef, ParameterKind, RegionDef, SuccessorDef, Syntax, TypeConstraint, ValueDef,
};
pub use coverage::{Coverage, UnknownUse};
pub use definition::{NativeProperty, OpDef, OpDetails, PropertyDef, PropertyKind};
pub use enumeration::{BitCase, Bits, Enumeration, Enumerators};
pub use format::{Anchor, Element, Format};
#[cfg(feature = "ods-json")]
pub use json::Importer;
pub use predicate::{Accessor, Builtin, BuiltinAttribute, Class, Operator, Predicate, Relation, Term, Test};
pub use release::Release;
pub use table::{Definitions, OpTable};
pub use traits::Traits;
pub use undefined::UndefinedOp;

use std::sync::OnceLock;

/// The operations of every upstream dialect, as of MLIR 22.
pub fn upstream() -> &'static OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The bytes are made by `regenerate.sh` and checked whole by a test.
        OpTable::open(bytes::Bytes::from_static(include_bytes!("upstream.table"))).unwrap_or_default()
    })
}
