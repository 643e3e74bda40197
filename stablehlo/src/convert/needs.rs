//! Which version of StableHLO an operation needs, and why.

use mlirbc_ir::{Error, OpRef, Result, Type, TypeData};

use super::operation::Converted;
use super::walk::Walk;
use crate::Version;

/// What asks for the oldest version that can hold a module.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// By version: how many operations need it, and where the first of them is. Newest first.
    pub by_version: Vec<Need>,
}

/// Operations that need a version.
#[derive(Clone, Debug)]
pub struct Need {
    /// The version.
    pub version: Version,
    /// How many there are.
    pub operations: usize,
    /// The name of the first, in StableHLO.
    pub name: String,
    /// Where that is.
    pub path: String,
    /// The line that it comes from.
    pub line: Option<String>,
}

impl Needs {
    /// The oldest version that can hold the module.
    pub fn version(&self) -> Version {
        self.by_version.first().map_or(Version::MINIMUM, |need| need.version)
    }

    fn add(&mut self, version: Version, op: OpRef<'_>) {
        match self.by_version.iter_mut().find(|need| need.version == version) {
            Some(need) => need.operations += 1,
            None => {
                let (name, path, line) = (op.name().into_owned(), op.path(), op.source_line());
                self.by_version.push(Need { version, operations: 1, name, path, line });
                self.by_version.sort_by_key(|need| std::cmp::Reverse(need.version));
            }
        }
    }
}

impl Walk<'_> {
    /// Refuses an operation that the target does not have, or notes what it needs.
    pub(super) fn check(&mut self, op: OpRef<'_>, converted: &Converted, target: Version) -> Result<()> {
        let context = op.module().context();
        let mut needed = converted.since;
        let mut elements = Vec::new();
        for value in op.operands().iter().copied().chain(op.results()) {
            let ty = self.converted_type(op.body().ty(value))?;
            needed = needed.max(ty.since);
            if needed < converted.futures_since && ty.is_future {
                needed = converted.futures_since;
            }
            if converted.is_strict_below.is_some() {
                elements.push(op.type_of(value).map(|ty| element(&context[ty], ty))?);
            }
        }
        let (operands, results) = (op.operands().len(), op.results().len());
        if let Some(since) = converted.many_since.filter(|_| (operands, results) != (1, 1)) {
            needed = needed.max(since);
        }
        if let Some(since) = converted.regions_since.filter(|_| op.body().region_count_of(op.id()) > 0) {
            needed = needed.max(since);
        }
        if let Some(below) = converted.is_strict_below
            && elements[..operands].iter().zip(&elements[operands..]).any(|(from, to)| from != to)
        {
            needed = needed.max(below);
        }
        match &mut self.needs {
            Some(needs) => needs.add(needed, op),
            None if needed > target.minor_release() => {
                return Err(Error::verification(format!(
                    "StableHLO {target} does not have it, {needed} is the first that does"
                )));
            }
            None => {}
        }
        Ok(())
    }
}

/// What the elements of a type are; a type without elements is its own.
fn element(data: &TypeData, ty: Type) -> Type {
    data.element().unwrap_or(ty)
}
