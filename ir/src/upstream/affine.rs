//! `affine`: loops and accesses whose bounds and places are affine.

mod assembly;

use super::defined;
use crate::Dialect;
use crate::ods::rules;
use crate::text::DialectAssembly;
use crate::text::directives::INDEX_LIST;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined("affine"))
        .directive("DynamicIndexList", INDEX_LIST)
        .verify_op("yield", |checker, op| rules::yields_results_of(checker, op, YIELDED_TO))
}

/// The operations whose results are what is yielded in them.
const YIELDED_TO: &[&str] = &["affine.for", "affine.if", "affine.parallel"];
