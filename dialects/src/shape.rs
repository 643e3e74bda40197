//! `shape`: shapes of tensors.

mod assembly;

use std::sync::Arc;

use super::common::branches::Once;
use super::common::values::Types;
use super::names;
use mlirbc_ir::interfaces::RegionBranch;
use mlirbc_ir::{Dialect, Signedness};
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "shape";

/// Its types.
const TYPES: Types = Types(&[("shape", &[]), ("size", &[]), ("value_shape", &[]), ("witness", &[])]);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("shape").inliner(InlineEverywhere))
        .interface::<dyn RegionBranch>("assuming", Arc::new(Once))
        .text(TYPES)
        .default_dialect("func")
        .default_dialect("function_library")
        .result_names("const_size", |op, set| names::integer(op, "c", Signedness::Signless, set))
}
