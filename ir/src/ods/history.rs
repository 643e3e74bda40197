//! Members of operations in other releases of MLIR than the one that the definitions are of.
//!
//! A blob of properties does not say which members its operation had when it was written: the release that wrote it does. What
//! changed stands in the definition.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::definition::{NativeProperty, OpDef, PropertyDef, PropertyKind};
use super::release::Release;

/// The first and the last of the releases that have something.
pub(crate) type Span = RangeInclusive<Release>;

/// A member that is not the same in every release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) member: PropertyDef,
    pub(crate) releases: Span,
}

/// The releases in words: `MLIR 24 or newer`.
pub(crate) fn in_words(releases: &Span) -> String {
    match (*releases.start(), *releases.end()) {
        (since, until) if since == until => since.to_string(),
        (since, Release::NEWEST) => format!("{since} or newer"),
        (Release::OLDEST, until) => format!("{until} or older"),
        (since, until) => format!("{since} to {}", until.major()),
    }
}

/// The members of `all` that are the same in every release, and what `changes` add to them in this one, in the order in which
/// bytecode of version 6 lays them out.
pub(crate) fn laid_out(all: &[PropertyDef], changes: &[Change], release: Release) -> Vec<PropertyDef> {
    let release = release.clamp(Release::OLDEST, Release::NEWEST);
    let changed = |member: &&PropertyDef| changes.iter().any(|change| change.member.name == member.name);
    let mut members: Vec<_> = all.iter().filter(|member| !changed(member)).cloned().collect();
    let there = changes.iter().filter(|change| change.releases.contains(&release));
    members.extend(there.map(|change| change.member.clone()));
    sort_members(&mut members);
    members
}

impl OpDef {
    /// The members of the operation's properties in a release, in the order in which its bytecode of version 6 lays them
    /// out. Releases older than [`Release::OLDEST`] or newer than [`Release::NEWEST`] count as these. A definition
    /// that is not MLIR's is the same in every release, but where it replaces one of MLIR's with the same properties in a
    /// [`Dialect`](crate::Dialect::ops).
    pub fn layout(&self, release: Release) -> Cow<'_, [PropertyDef]> {
        let changes = if release == Release::DEFAULT { &[] } else { self.changes() };
        if changes.is_empty() {
            Cow::Borrowed(&self.properties)
        } else {
            Cow::Owned(laid_out(&self.properties, changes, release))
        }
    }

    /// Every layout that is known of the operation's properties, each with a release that has it: that of the definition
    /// first, then from the oldest release on.
    pub fn layouts(&self) -> Vec<(Release, Cow<'_, [PropertyDef]>)> {
        let mut layouts = vec![(Release::DEFAULT, Cow::Borrowed(self.properties.as_slice()))];
        if !self.changes().is_empty() {
            for release in (Release::OLDEST.major()..=Release::NEWEST.major()).map(Release::new) {
                let layout = self.layout(release);
                if layouts.iter().all(|known| known.1 != layout) {
                    layouts.push((release, layout));
                }
            }
        }
        layouts
    }

    /// Whether the operation's properties are the same in every release.
    pub fn has_one_layout(&self) -> bool {
        self.changes().is_empty()
    }

    /// Whether operations of a release need not be as this definition says: an attribute that it asks for may be absent there,
    /// or operands or results are in other groups.
    pub(crate) fn is_another_in(&self, release: Release) -> bool {
        let layout = self.layout(release);
        let asked = |member: &&PropertyDef| !matches!(member.kind, PropertyKind::Optional | PropertyKind::Native(_));
        let groups = |member: &&PropertyDef| {
            matches!(member.kind, PropertyKind::OperandSegments(_) | PropertyKind::ResultSegments(_))
        };
        !self.properties.iter().filter(asked).all(|member| layout.contains(member))
            || !layout.iter().filter(groups).all(|member| self.properties.contains(member))
    }

    /// The releases that have a member which not all have, `MLIR 24 or newer`; `None` where no other release than the
    /// definition's has it.
    pub fn releases_with(&self, member: &str) -> Option<String> {
        let change = self.changes().iter().find(|change| change.member.name == member)?;
        Some(in_words(&change.releases))
    }

    fn changes(&self) -> &[Change] {
        &self.changes
    }
}

/// Attributes by name, other properties in order of definition, sizes of segments last.
pub(crate) fn sort_members(members: &mut [PropertyDef]) {
    let rank = |kind: &PropertyKind| match kind {
        PropertyKind::Required | PropertyKind::Optional => 0,
        PropertyKind::Native(_) => 1,
        PropertyKind::OperandSegments(_) => 2,
        PropertyKind::ResultSegments(_) => 3,
    };
    members.sort_by(|a, b| {
        let (first, second) = (rank(&a.kind), rank(&b.kind));
        let names = || if first == 0 { a.name.as_bytes().cmp(b.name.as_bytes()) } else { std::cmp::Ordering::Equal };
        first.cmp(&second).then_with(names)
    });
}

/// One word: `required`, `optional`, `operands:3`, `results:2`, or `native:` and what a native property is.
impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyKind::Required => f.write_str("required"),
            PropertyKind::Optional => f.write_str("optional"),
            PropertyKind::OperandSegments(groups) => write!(f, "operands:{groups}"),
            PropertyKind::ResultSegments(groups) => write!(f, "results:{groups}"),
            PropertyKind::Native(native) => write!(f, "native:{native}"),
        }
    }
}

impl FromStr for PropertyKind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Ok(match word.split_once(':') {
            None if word == "required" => PropertyKind::Required,
            None if word == "optional" => PropertyKind::Optional,
            Some(("operands", groups)) => PropertyKind::OperandSegments(groups.parse().map_err(drop)?),
            Some(("results", groups)) => PropertyKind::ResultSegments(groups.parse().map_err(drop)?),
            Some(("native", native)) => PropertyKind::Native(native.parse()?),
            _ => return Err(()),
        })
    }
}

/// `bool`, `boolean`, `i64`, `si32`, `string`, `attribute`, `[i64]`, `i64?`; `si` is sign-extended.
impl fmt::Display for NativeProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeProperty::Bool => f.write_str("bool"),
            NativeProperty::Boolean => f.write_str("boolean"),
            NativeProperty::Integer { width, signed } => write!(f, "{}i{width}", if *signed { "s" } else { "" }),
            NativeProperty::String => f.write_str("string"),
            NativeProperty::Array(inner) => write!(f, "[{inner}]"),
            NativeProperty::OptionalOf(inner) => write!(f, "{inner}?"),
            NativeProperty::Attribute => f.write_str("attribute"),
        }
    }
}

impl FromStr for NativeProperty {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Ok(match word {
            "bool" => NativeProperty::Bool,
            "boolean" => NativeProperty::Boolean,
            "string" => NativeProperty::String,
            "attribute" => NativeProperty::Attribute,
            _ => {
                if let Some(inner) = word.strip_suffix('?') {
                    return Ok(NativeProperty::OptionalOf(Box::new(inner.parse()?)));
                }
                if let Some(inner) = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) {
                    return Ok(NativeProperty::Array(Box::new(inner.parse()?)));
                }
                let signed = word.starts_with('s');
                let width = word.trim_start_matches('s').strip_prefix('i').ok_or(())?;
                NativeProperty::Integer { width: width.parse().map_err(drop)?, signed }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;
    use crate::ods::OpTable;
    use crate::ods::tests::tables;

    #[test]
    fn the_release_of_the_definitions_has_the_layouts_of_the_definitions() {
        let mut several = 0;
        for definition in tables().iter().flat_map(|table| table.iter()) {
            let layout = laid_out(&definition.properties, &definition.changes, Release::DEFAULT);
            assert_eq!(layout, definition.properties, "{}", definition.name);
            assert_eq!(definition.layouts().len() > 1, !definition.changes.is_empty(), "{}", definition.name);
            several += usize::from(!definition.has_one_layout());
        }
        assert_eq!(several, 432);
    }

    #[test]
    fn every_kind_of_upstream_is_one_word_and_back() {
        let mut count = 0;
        for member in tables().iter().flat_map(|table| table.iter()).flat_map(|op| op.properties) {
            let word = member.kind.to_string();
            assert!(!word.contains(' '), "{word}");
            assert_eq!(word.parse(), Ok(member.kind));
            count += 1;
        }
        assert!(count > 3000, "{count}");
    }

    #[test]
    fn a_definition_with_the_same_members_has_the_layouts_of_the_one_it_replaces() {
        let mut several = 0;
        for table in tables() {
            let stripped = |mut op: OpDef| {
                (op.is_of_mlir, op.changes) = (false, Vec::new());
                op
            };
            let again = OpTable::from_definitions(table.iter().map(stripped));
            let shorter = OpTable::from_definitions(table.iter().map(stripped).map(|mut op| {
                op.properties.pop();
                op
            }));
            let replaced = Dialect::new("same").ops(table.clone()).ops(shorter.clone()).ops(again.clone());
            let changed = Dialect::new("other").ops(table.clone()).ops(again).ops(shorter);
            for op in table.iter().filter(|op| !op.has_one_layout() && !op.properties.is_empty()) {
                let found = replaced.operation(&op.name).expect("defined");
                assert!(found.layouts() == op.layouts() && found.is_of_mlir, "{}", op.name);
                let found = changed.operation(&op.name).expect("defined");
                assert!(found.has_one_layout() && found.is_of_mlir, "{}", op.name);
                several += 1;
            }
        }
        assert_eq!(several, 327);
    }

    #[test]
    fn a_definition_of_another_origin_has_one_layout() {
        let own = OpDef::builder("arith.addf").unit_attribute("mine").finish().expect("a definition");
        assert!(own.has_one_layout());
        assert_eq!(*own.layout(Release::NEWEST), *own.properties);
    }
}
