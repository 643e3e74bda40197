//! Op definitions from what `llvm-tblgen --dump-json` prints.

mod constraint;
mod cpp;
mod dialect;
mod known;
mod op;
mod record;
mod translate;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::classes::CppClasses;
use super::constraint::{AttrOrTypeDef, EnumDef};
use super::table::{Definitions, OpTable};
use crate::context::Context;
use crate::dialect::Dialect;
use crate::error::{Error, Result};
use constraint::{Constraints, Counts};
use known::{Classes, Known};
use op::Imported;
use record::Records;

/// Collects the definitions of several JSON documents; where two define the same, the first one counts.
#[derive(Default)]
pub struct Importer {
    ops: BTreeMap<String, Imported>,
    /// Operations by namespace and class in C++, since traits name them so.
    classes: HashMap<(String, String), String>,
    attributes: BTreeMap<String, AttrOrTypeDef>,
    types: BTreeMap<String, AttrOrTypeDef>,
    enums: BTreeMap<String, EnumDef>,
    counts: Counts,
    known: Known,
}

impl OpTable {
    /// The definitions in the JSON that `llvm-tblgen --dump-json` prints for one file of op definitions.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where it is no such JSON, or has a definition that is not
    /// understood: an [`Importer`] leaves out such definitions and goes on. It can be told what other dialects have, too.
    pub fn from_json(json: &[u8]) -> Result<OpTable> {
        let mut importer = Importer::new();
        let mut first = Ok(());
        importer.add(json, &mut |error| {
            if first.is_ok() {
                first = Err(error);
            }
        })?;
        first.map(|()| importer.finish())
    }
}

impl Importer {
    /// Nothing imported yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what the dialect says of [classes](super::CppClasses) that no record describes. What an importer was told first
    /// counts.
    #[must_use]
    pub fn knows(mut self, dialect: &Dialect) -> Self {
        if let Some(said) = dialect.get::<CppClasses>() {
            self.known.add(dialect.name(), &said);
        }
        self
    }

    /// The same of every dialect of the context. Makes all of them.
    #[must_use]
    pub fn knows_all(self, context: &Context) -> Self {
        context.dialects().iter().fold(self, |importer, dialect| importer.knows(dialect))
    }

    /// Adds the definitions of one document. One that is not understood is left out, and said to `report` by its name; of one
    /// whose assembly format alone is not understood, that is left out: it is written in generic form. Gives how many
    /// definitions were taken.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where it is not what TableGen prints.
    pub fn add(&mut self, json: &[u8], report: &mut dyn FnMut(Error)) -> Result<usize> {
        let document: Map<String, Value> = serde_json::from_slice(json)
            .map_err(|error| Error::malformed(format!("not JSON from TableGen: {error}")))?;
        let records = Records(&document);
        let known = std::mem::take(&mut self.known);
        let added = self.add_records(records, &known, report);
        self.known = known;
        added
    }

    fn add_records(&mut self, records: Records<'_>, known: &Known, report: &mut dyn FnMut(Error)) -> Result<usize> {
        let classes = Classes::new(records, known)?;
        let mut constraints = Constraints::new(records, &classes);
        let mut taken = 0;
        for name in records.instances("Op")? {
            let added = self.op(&mut constraints, name, report);
            taken += usize::from(note(added, "the definition of", name, report).is_some());
        }
        for (class, definitions) in [("AttrDef", &mut self.attributes), ("TypeDef", &mut self.types)] {
            for name in records.instances(class)? {
                let record = records.get(name);
                let made = record.and_then(|record| dialect::attribute_or_type(&constraints, record));
                let Some((definition, format)) = note(made, "the definition of", name, report) else { continue };
                note(format, FORMAT, name, report);
                taken += 1;
                definitions.entry(definition.name.clone()).or_insert(definition);
            }
        }
        for name in records.instances("EnumInfo")? {
            let made = records.get(name).and_then(|record| dialect::enumeration(records, record));
            if let Some(definition) = note(made, "the enum", name, report) {
                taken += 1;
                self.enums.entry(definition.name.clone()).or_insert(definition);
            }
        }
        self.counts.merge(constraints.counts);
        Ok(taken)
    }

    /// The table of all that was added.
    pub fn finish(self) -> OpTable {
        let Importer { ops, classes, attributes, types, enums, counts, known: _ } = self;
        let op = |mut imported: Imported| {
            let resolve = |class: &String| resolve(&classes, &imported.namespace, class);
            imported.op.parents = imported.parents.iter().map(resolve).collect();
            imported.op.implicit_terminator = imported.terminator.as_ref().map(resolve);
            imported.op
        };
        OpTable::new(&Definitions {
            ops: ops.into_values().map(op).collect(),
            attributes: attributes.into_values().collect(),
            types: types.into_values().collect(),
            enums: enums.into_values().collect(),
            tally: Some(counts.tally()),
        })
    }

    fn op<'d>(
        &mut self,
        constraints: &mut Constraints<'d>,
        name: &'d str,
        report: &mut dyn FnMut(Error),
    ) -> Result<()> {
        let record = constraints.records.get(name)?;
        let dialect = constraints.records.get(record.reference("opDialect")?)?;
        let identity = name;
        let name = format!("{}.{}", dialect.text("name")?, record.text("opName")?);
        if self.ops.contains_key(&name) {
            return Ok(());
        }
        let (imported, format) = Imported::new(constraints, record, name.clone(), dialect)?;
        note(format, FORMAT, identity, report);
        let class = class_name(record.identity()).to_owned();
        self.classes.insert((imported.namespace.clone(), class), name.clone());
        self.ops.insert(name, imported);
        Ok(())
    }
}

/// What of a definition is left out where it alone is not understood.
const FORMAT: &str = "the assembly format of";

/// What was made of a definition; where that failed, why and of which one is said to `report`.
fn note<T>(made: Result<T>, what: &str, name: &str, report: &mut dyn FnMut(Error)) -> Option<T> {
    made.map_err(|error| report(error.reading(format!("{what} `{name}`, left out")))).ok()
}

/// The operation of a C++ class, as seen from a namespace; where it has no definition, the class.
fn resolve(classes: &HashMap<(String, String), String>, namespace: &str, class: &str) -> String {
    let (absolute, plain) = match class.strip_prefix("::") {
        Some(plain) => (true, plain),
        None => (false, class),
    };
    let (prefix, name) = plain.rsplit_once("::").unwrap_or(("", plain));
    let mut scope = if absolute { "" } else { namespace };
    loop {
        let separator = if scope.is_empty() || prefix.is_empty() { "" } else { "::" };
        let key = (format!("{scope}{separator}{prefix}"), name.to_owned());
        if let Some(op) = classes.get(&key) {
            return op.clone();
        }
        if scope.is_empty() {
            return class.to_owned();
        }
        scope = scope.rsplit_once("::").map_or("", |parts| parts.0);
    }
}

/// The C++ class of an operation's record: what follows the first underscore, unless the record's name starts with it.
fn class_name(record: &str) -> &str {
    match record.split_once('_') {
        Some((before, after)) if !before.is_empty() && !after.is_empty() => after,
        _ => record,
    }
}
