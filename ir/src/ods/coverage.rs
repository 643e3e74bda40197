//! How much of the definitions is understood.

use std::collections::{BTreeMap, BTreeSet};

use super::constraint::Syntax;
use super::format::Element;
use super::predicate::Predicate;
use super::table::OpTable;
use crate::error::Error;

/// How often primitive predicates are used by the constraints that a table was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) uses: u64,
    /// What is not understood, and how often it is used.
    pub(crate) unknown: Vec<(String, u64)>,
}

/// How much of the definitions in a table is understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many operations there are.
    pub operations: usize,
    /// How many dialects have operations.
    pub dialects: usize,
    /// How many attribute definitions there are.
    pub attributes: usize,
    /// How many type definitions there are.
    pub types: usize,
    /// How many enums there are.
    pub enums: usize,
    /// How many operations have a declarative format.
    pub formats: usize,
    /// How many operations are written by code that is not part of their definition.
    pub custom: usize,
    /// How many operations have only the generic form.
    pub generic: usize,
    /// How many operations are checked by code that is not part of their definition, too.
    pub verified: usize,
    /// Directives that code outside of the definitions writes, and how often each is used.
    pub directives: BTreeMap<String, usize>,
    /// How many uses of primitive predicates the constraints make.
    pub uses: u64,
    /// How many of these are understood.
    pub understood: u64,
    /// What is not understood.
    pub unknown: Vec<UnknownUse>,
}

/// A primitive predicate that is not understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownUse {
    /// What it calls or says.
    pub reason: String,
    /// How often it is used.
    pub uses: u64,
    /// The operations that it leaves partly unchecked.
    pub operations: Vec<String>,
}

impl Coverage {
    /// How much of the definitions in all these tables is understood. An enum that stands in several counts once.
    pub fn of_all<'t>(tables: impl IntoIterator<Item = &'t OpTable>) -> Self {
        let (mut all, mut enums) = (Coverage::default(), BTreeSet::new());
        let mut unknown: BTreeMap<String, UnknownUse> = BTreeMap::new();
        for table in tables {
            let one = table.coverage();
            enums.extend(table.enumerations().map(|enumeration| enumeration.name));
            all.operations += one.operations;
            all.dialects += one.dialects;
            all.attributes += one.attributes;
            all.types += one.types;
            all.formats += one.formats;
            all.custom += one.custom;
            all.generic += one.generic;
            all.verified += one.verified;
            for (directive, uses) in one.directives {
                *all.directives.entry(directive).or_default() += uses;
            }
            all.uses += one.uses;
            all.understood += one.understood;
            for more in one.unknown {
                let known = unknown
                    .entry(more.reason.clone())
                    .or_insert(UnknownUse { reason: more.reason, ..UnknownUse::default() });
                known.uses += more.uses;
                known.operations.extend(more.operations);
            }
        }
        all.enums = enums.len();
        all.unknown = unknown.into_values().collect();
        all.sort();
        all
    }

    /// The most used of the unknown first.
    fn sort(&mut self) {
        self.unknown.sort_by(|a, b| b.uses.cmp(&a.uses).then_with(|| a.reason.cmp(&b.reason)));
    }
}

impl OpTable {
    /// How much of the definitions is understood. Decodes the whole table.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage {
            operations: self.len(),
            dialects: self.dialects().count(),
            attributes: self.attribute_definitions().count(),
            types: self.type_definitions().count(),
            enums: self.enumerations().count(),
            ..Coverage::default()
        };
        let mut unchecked: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let (mut counted, mut counted_unknown) = (0, BTreeMap::<String, u64>::new());
        for op in self.iter() {
            let details = op.details();
            coverage.verified += usize::from(details.has_verifier);
            match &details.syntax {
                Syntax::Generic => coverage.generic += 1,
                Syntax::Custom => coverage.custom += 1,
                Syntax::Format(format) => {
                    coverage.formats += 1;
                    let mut directives = Vec::new();
                    format.walk(&mut |element| {
                        if let Element::Custom { name, .. } = element {
                            directives.push(name.clone());
                        }
                    });
                    for directive in directives {
                        *coverage.directives.entry(directive).or_default() += 1;
                    }
                }
            }
            let values = details.operands.iter().chain(&details.results).map(|value| &value.constraint.predicate);
            let attributes = details.attributes.iter().map(|attribute| &attribute.constraint.predicate);
            let natives = details.natives.iter().map(|native| &native.predicate);
            let regions = details.regions.iter().map(|region| &region.predicate);
            for predicate in values.chain(attributes).chain(natives).chain(regions).chain(&details.rules) {
                predicate.walk(&mut |predicate| match predicate {
                    Predicate::Unknown { reason, leaves } => {
                        counted += u64::from(*leaves);
                        *counted_unknown.entry(reason.clone()).or_default() += u64::from(*leaves);
                        let operations = unchecked.entry(reason.clone()).or_default();
                        if operations.last() != Some(&op.name) {
                            operations.push(op.name.clone());
                        }
                    }
                    Predicate::All(_)
                    | Predicate::Any(_)
                    | Predicate::Not(_)
                    | Predicate::Where(..)
                    | Predicate::Each(..) => {}
                    _ => counted += 1,
                });
            }
        }
        let counted = Tally { uses: counted, unknown: counted_unknown.into_iter().collect() };
        let tally = self.tally().unwrap_or(counted);
        coverage.uses = tally.uses;
        coverage.understood = tally.uses;
        let mut uses: BTreeMap<String, u64> = tally.unknown.into_iter().collect();
        for reason in unchecked.keys() {
            uses.entry(reason.clone()).or_default();
        }
        for (reason, uses) in uses {
            coverage.understood -= uses.min(coverage.understood);
            let operations = unchecked.remove(&reason).unwrap_or_default();
            coverage.unknown.push(UnknownUse { reason, uses, operations });
        }
        coverage.sort();
        coverage
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counted = |count: usize, one: &str| Error::counted(count, one);
        writeln!(f, "{} of {}", counted(self.operations, "operation"), counted(self.dialects, "dialect"))?;
        let [attributes, types, enums] = [(self.attributes, "attribute"), (self.types, "type"), (self.enums, "enum")]
            .map(|(count, one)| counted(count, one));
        writeln!(f, "{attributes}, {types}, {enums}")?;
        let Coverage { formats, custom, generic, .. } = self;
        writeln!(
            f,
            "{}, {custom} written by code, {generic} in generic form only",
            counted(*formats, "declarative format")
        )?;
        let uses: usize = self.directives.values().sum();
        let directives = counted(self.directives.len(), "custom directive");
        writeln!(f, "{directives}, used {}", counted(uses, "time"))?;
        writeln!(f, "{} of {} constraint uses understood", self.understood, self.uses)?;
        writeln!(f, "{} checked by code, too", counted(self.verified, "operation"))?;
        for unknown in &self.unknown {
            writeln!(f, "{:5} not understood: {}", unknown.uses, unknown.reason)?;
            for operation in &unknown.operations {
                writeln!(f, "        {operation}")?;
            }
        }
        Ok(())
    }
}
