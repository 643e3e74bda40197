//! Op definitions from what `llvm-tblgen --dump-json` prints.

mod constraint;
mod cpp;
mod dialect;
mod facts;
mod history;
mod known;
mod op;
mod record;
mod translate;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

use crate::context::Context;
use crate::dialect::Dialect;
use crate::error::{Error, Result};
use crate::ods::CppClasses;
use crate::ods::table::split;
use crate::ods::{AttrOrTypeDef, EnumDef};
use crate::ods::{Definitions, OpTable};
use constraint::{Constraints, Counts};
use history::Members;
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
    /// By dialect.
    counts: BTreeMap<String, Counts>,
    known: Known,
    members: Members,
    is_of_mlir: bool,
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
        first.and_then(|()| importer.finish())
    }
}

impl Importer {
    /// Nothing imported yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what the dialect says of [classes](crate::ods::CppClasses) that no record describes. What an importer was told first
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

    /// Says that the definitions are those of MLIR's own tools in the release [`Release::DEFAULT`](crate::ods::Release::DEFAULT): they get
    /// the [mark](crate::ods::OpDef::is_of_mlir).
    #[must_use]
    pub fn of_mlir(mut self) -> Self {
        self.is_of_mlir = true;
        self
    }

    /// Takes which members of properties operations have in which releases of MLIR, where they do not have them in all: a line a
    /// member, `OPERATION MEMBER KIND RELEASES`. The kind is `required`, `optional`, `operands:3`, `results:2` or `native:` and
    /// what it is, such as `native:i64`; releases are `24-`, `-21` or `20-21`. An operation that is not defined has a line of its own,
    /// `OPERATION RELEASES`, and behind it all its members. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where a line is none of these.
    pub fn members(mut self, text: &str) -> Result<Self> {
        self.members = Members::read(text)?;
        Ok(self)
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
            self.count(&mut constraints, name);
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
        Ok(taken)
    }

    /// The table of all that was added.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where what was said of [members](Importer::members) does not fit the
    /// definitions.
    pub fn finish(self) -> Result<OpTable> {
        Ok(OpTable::new(&self.definitions()?.0))
    }

    /// The tables of all that was added, one for each dialect, by name. Enums stand in each whose definitions name them.
    ///
    /// # Errors
    /// As [`Importer::finish`].
    pub fn finish_by_dialect(self) -> Result<BTreeMap<String, OpTable>> {
        let (all, mut counts) = self.definitions()?;
        let mut dialects: BTreeMap<String, Definitions> = BTreeMap::new();
        macro_rules! by_dialect {
            ($($list:ident)*) => {$(
                for item in all.$list {
                    dialects.entry(split(&item.name).0.to_owned()).or_default().$list.push(item);
                }
            )*};
        }
        by_dialect!(ops attributes types undefined);
        for (name, definitions) in &mut dialects {
            definitions.tally = Some(counts.remove(name).unwrap_or_default().tally());
            let named = definitions.strings();
            let namespace = |name: &str| name.rsplit_once("::").map(|parts| parts.0.to_owned());
            let classes = definitions.attributes.iter().chain(&definitions.types);
            let namespaces: BTreeSet<String> = classes.filter_map(|of| namespace(&of.class)).collect();
            let is_of = |of: &&EnumDef| {
                let holds = |namespace: &String| {
                    of.name.strip_prefix(namespace.as_str()).is_some_and(|rest| rest.starts_with("::"))
                };
                named.contains(&of.name) || namespaces.iter().any(holds)
            };
            definitions.enums = all.enums.iter().filter(is_of).cloned().collect();
        }
        Ok(dialects.into_iter().map(|(name, definitions)| (name, OpTable::new(&definitions))).collect())
    }

    fn definitions(self) -> Result<(Definitions, BTreeMap<String, Counts>)> {
        let Importer { ops, classes, attributes, types, enums, counts, mut members, is_of_mlir, known: _ } = self;
        let op = |mut imported: Imported| {
            let resolve = |class: &String| resolve(&classes, &imported.namespace, class);
            imported.op.parents = imported.parents.iter().map(resolve).collect();
            imported.op.implicit_terminator = imported.terminator.as_ref().map(resolve);
            imported.op.is_of_mlir = is_of_mlir;
            members.tell(&mut imported.op)?;
            Ok(imported.op)
        };
        let ops = ops.into_values().map(op).collect::<Result<_>>()?;
        let mut whole = Counts::default();
        counts.values().cloned().for_each(|counts| whole.merge(counts));
        let definitions = Definitions {
            ops,
            attributes: attributes.into_values().collect(),
            types: types.into_values().collect(),
            enums: enums.into_values().collect(),
            undefined: members.rest()?,
            tally: Some(whole.tally()),
        };
        Ok((definitions, counts))
    }

    /// Takes what was counted since the last time: of that operation.
    fn count(&mut self, constraints: &mut Constraints<'_>, op: &str) {
        let dialect = || constraints.records.get(constraints.records.get(op).ok()?.reference("opDialect").ok()?).ok();
        let name = dialect().and_then(|dialect| dialect.optional_text("name")).unwrap_or_default();
        self.counts.entry(name.to_owned()).or_default().merge(std::mem::take(&mut constraints.counts));
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
