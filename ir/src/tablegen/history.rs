//! Which members operations have in which releases, as text.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::ods::Release;
use crate::ods::UndefinedOp;
use crate::ods::history::{Change, Span};
use crate::ods::{OpDef, PropertyDef};

/// What is known of the operations of one name.
#[derive(Debug, Default)]
struct Known {
    /// The releases that have the operation, where no definition of it is imported.
    undefined: Option<Span>,
    changes: Vec<Change>,
}

/// What is known of operations in other releases than that of their definitions.
#[derive(Debug, Default)]
pub(super) struct Members(BTreeMap<String, Known>);

impl Members {
    /// Reads `OPERATION MEMBER KIND RELEASES`, and `OPERATION RELEASES` of an operation without definition; lines that begin with `#`
    /// are comments.
    pub(super) fn read(text: &str) -> Result<Self> {
        let mut members = Members::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            members.line(line).ok_or_else(|| {
                Error::malformed(format!("line {} is no member of an operation: `{line}`", number + 1))
            })?;
        }
        Ok(members)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let words: Vec<_> = line.split(' ').collect();
        let known = self.0.entry((*words.first()?).to_owned()).or_default();
        match words[..] {
            [_, releases] => known.undefined = Some(span(releases)?),
            [_, name, kind, releases] => {
                let member = PropertyDef { name: name.to_owned(), kind: kind.parse().ok()? };
                known.changes.push(Change { member, releases: span(releases)? });
            }
            _ => return None,
        }
        Some(())
    }

    /// Puts into the definition what is known of it.
    pub(super) fn tell(&mut self, op: &mut OpDef) -> Result<()> {
        let Some(known) = self.0.remove(&op.name) else { return Ok(()) };
        if known.undefined.is_some() {
            return Err(Error::malformed(format!("`{}` has a definition, and is listed as one without", op.name)));
        }
        op.changes = known.changes;
        Ok(())
    }

    /// What is left: the operations without definition.
    pub(super) fn rest(self) -> Result<Vec<UndefinedOp>> {
        let undefined = |(name, known): (String, Known)| match known.undefined {
            Some(releases) => Ok(UndefinedOp { name, releases, changes: known.changes }),
            None => {
                Err(Error::malformed(format!("`{name}` has no definition, and no line says which releases have it")))
            }
        };
        self.0.into_iter().map(undefined).collect()
    }
}

/// `24-`, `-21`, `20-21`.
fn span(text: &str) -> Option<Span> {
    let (since, until) = text.split_once('-')?;
    let major = |text: &str, unless: Release| match text {
        "" => Some(unless),
        text => text.parse().ok().map(Release::new),
    };
    let span = major(since, Release::OLDEST)?..=major(until, Release::NEWEST)?;
    // All of them is no change.
    (!span.is_empty() && span != (Release::OLDEST..=Release::NEWEST)).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_member_is_an_error() {
        assert!(Members::read("# a comment\na.b c optional 20-\na.d 23-\n").is_ok());
        for wrong in [
            "",
            "a.b",
            "a.b c",
            "a.b c sometimes 20-",
            "a.b c optional 20",
            "a.b -",
            "a.b 24-20",
            "a.b c optional 20- x",
        ] {
            assert!(Members::read(&format!("{wrong}\n")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn releases_are_those_that_are_spelt() {
        let of = |text: &str| span(text).map(|span| (span.start().major(), span.end().major()));
        assert_eq!(of("24-"), Some((24, Release::NEWEST.major())));
        assert_eq!(of("-21"), Some((Release::OLDEST.major(), 21)));
        assert_eq!(of("20-21"), Some((20, 21)));
    }
}
