//! Members of operations that later versions of a dialect added: see [`DialectExt::since`](super::DialectExt::since).

use std::borrow::Cow;

use hashbrown::HashMap;
use mlirbc_ir::ods::PropertyDef;
use mlirbc_ir::{Context, OperationName};

use super::{DialectVersion, find};

/// By operation: its members that not all versions have, and the first version that has each.
#[derive(Clone, Default)]
pub(super) struct MembersSince(pub(super) HashMap<Box<str>, Vec<(Box<str>, u64)>>);

/// A member that a version of a dialect lacks, and the first version that has it.
pub(crate) type Missing = (Box<str>, u64);

/// The members that operations of that name lack in files of this version of their dialect. None where no version is stated:
/// the file is of the current one then.
pub(crate) fn missing(context: &Context, name: OperationName, version: Option<&DialectVersion>) -> Vec<Missing> {
    let find = || {
        let version = version?;
        let (dialect, operation) = std::str::from_utf8(context.operation_text(name)).ok()?.split_once('.')?;
        let members = context.dialect(dialect)?.get::<MembersSince>()?;
        let version = find(context, dialect.as_bytes())?.number(version)?;
        Some(members.0.get(operation)?.iter().filter(|member| member.1 > version).cloned().collect())
    };
    find().unwrap_or_default()
}

/// A layout without the members that are missing.
pub(crate) fn without<'d>(layout: Cow<'d, [PropertyDef]>, missing: &[Missing]) -> Cow<'d, [PropertyDef]> {
    if missing.is_empty() {
        return layout;
    }
    let is_there = |member: &PropertyDef| missing.iter().all(|missing| *missing.0 != member.name);
    Cow::Owned(layout.iter().filter(|member| is_there(member)).cloned().collect())
}
