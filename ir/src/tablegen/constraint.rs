//! Constraints from their records.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::cpp::plain;
use super::known::{Classes, qualified};
use super::record::{Record, Records};
use super::translate::Scope;
use crate::ods::NativeProperty;
use crate::ods::coverage::Tally;
use crate::ods::{AttributeConstraint, Multiplicity, NativeDef, TypeConstraint};
use crate::ods::{Predicate, Term};

/// Predicates upstream have at most some hundred parts, and nest less than 20 deep.
const PARTS: u32 = 20_000;
const DEPTH: u32 = 48;
/// The longest text of a predicate, after what is substituted in it.
const TEXT: usize = 1 << 16;

/// The constraints of one document.
pub(super) struct Constraints<'d> {
    pub(super) records: Records<'d>,
    pub(super) classes: &'d Classes<'d>,
    types: HashMap<&'d str, Arc<TypeConstraint>>,
    attributes: HashMap<&'d str, Arc<AttributeConstraint>>,
    counted: HashSet<&'d str>,
    pub(super) counts: Counts,
}

/// How often primitive predicates are used, and those that are not understood.
#[derive(Clone, Default)]
pub(super) struct Counts {
    uses: u64,
    unknown: BTreeMap<String, u64>,
}

impl Counts {
    pub(super) fn add(&mut self, leaves: u32, predicate: &Predicate) {
        self.uses += u64::from(leaves);
        for (reason, leaves) in predicate.unknown() {
            *self.unknown.entry(reason.to_owned()).or_default() += u64::from(leaves);
        }
    }

    pub(super) fn merge(&mut self, other: Counts) {
        self.uses += other.uses;
        for (reason, uses) in other.unknown {
            *self.unknown.entry(reason).or_default() += uses;
        }
    }

    pub(super) fn tally(self) -> Tally {
        Tally { uses: self.uses, unknown: self.unknown.into_iter().collect() }
    }
}

impl<'d> Constraints<'d> {
    pub(super) fn new(records: Records<'d>, classes: &'d Classes<'d>) -> Self {
        Constraints {
            records,
            classes,
            types: HashMap::new(),
            attributes: HashMap::new(),
            counted: HashSet::new(),
            counts: Counts::default(),
        }
    }

    /// The predicate of a constraint or rule, and of how many primitive ones it is made.
    pub(super) fn predicate(&self, record: Record<'d>, scope: Scope<'_>) -> (Predicate, u32) {
        let Some(predicate) = self.records.follow(record, "predicate") else { return (Predicate::Always, 0) };
        let reader = PredicateReader { records: self.records, budget: std::cell::Cell::new(PARTS) };
        (reader.read(predicate, &[], scope, DEPTH), reader.leaves(predicate, DEPTH))
    }

    pub(super) fn scope(&self) -> Scope<'d> {
        Scope::new(self.classes, &[])
    }

    fn term(&self, text: &str) -> Term {
        self.scope().read_term(text).unwrap_or_else(Term::Unknown)
    }

    /// What the operand or result of that record is: how many, and of which types.
    pub(super) fn value(&mut self, record: Record<'d>) -> (Multiplicity, Arc<TypeConstraint>) {
        let multiplicity = if record.is("VariadicOfVariadic") {
            Multiplicity::Groups(record.optional_text("segmentAttrName").unwrap_or_default().to_owned())
        } else if record.is("Variadic") {
            Multiplicity::Variadic
        } else if record.is("Optional") {
            Multiplicity::Optional
        } else {
            Multiplicity::One
        };
        let element = match multiplicity {
            Multiplicity::One => record,
            _ => self.records.follow(record, "baseType").unwrap_or(record),
        };
        self.count(element);
        if let Some(known) = self.types.get(element.identity()) {
            return (multiplicity, known.clone());
        }
        let constraint = Arc::new(TypeConstraint {
            name: element.name().to_owned(),
            predicate: self.predicate(element, self.scope()).0,
            only: element.some_text("builderCall").map(|text| self.term(text)),
        });
        self.types.insert(element.identity(), constraint.clone());
        (multiplicity, constraint)
    }

    /// What the attribute of that record is.
    pub(super) fn attribute(&mut self, record: Record<'d>) -> Arc<AttributeConstraint> {
        self.count(record);
        if let Some(known) = self.attributes.get(record.identity()) {
            return known.clone();
        }
        let base = self.base(record, "baseAttr");
        let storage = plain(record.optional_text("storageType").unwrap_or_default());
        let constraint = Arc::new(AttributeConstraint {
            name: base.name().to_owned(),
            predicate: self.predicate(record, self.scope()).0,
            storage: match self.classes.class(storage, "") {
                Some(crate::ods::TermClass::DialectAttribute(name)) => name,
                _ => storage.to_owned(),
            },
            value_type: self
                .records
                .follow(record, "valueType")
                .and_then(|ty| ty.some_text("builderCall"))
                .map(|text| self.term(text)),
            enumeration: self.enumeration(base),
        });
        self.attributes.insert(record.identity(), constraint.clone());
        constraint
    }

    /// What optional, default-valued and confined constraints are made from.
    fn base(&self, mut record: Record<'d>, field: &str) -> Record<'d> {
        for _ in 0..DEPTH {
            match self.records.follow(record, field) {
                Some(base) => record = base,
                None => break,
            }
        }
        record
    }

    /// The enum whose cases an attribute or property names.
    fn enumeration(&self, record: Record<'d>) -> Option<String> {
        if record.is("EnumInfo") {
            return qualified(record, "className");
        }
        qualified(self.records.follow(record, "enum")?, "className")
    }

    /// What an attribute or property is where nothing says otherwise.
    pub(super) fn default(&self, record: Record<'d>, enumeration: Option<&str>) -> Option<Term> {
        let text = record.some_text("defaultValue")?;
        if text == "std::nullopt" {
            return Some(Term::List(Vec::new()));
        }
        let case = text.rsplit("::").next().unwrap_or(text);
        let enumeration = enumeration.and_then(|name| Some((name, self.classes.enums.get(name)?)));
        if let Some((name, _)) = enumeration.filter(|(_, cases)| cases.contains_key(case)) {
            return Some(Term::Enumerant { enumeration: name.to_owned(), case: case.to_owned() });
        }
        Some(self.term(text))
    }

    /// A property that is no attribute.
    pub(super) fn native(&mut self, record: Record<'d>, name: &str) -> NativeDef {
        self.count(record);
        let base = self.base(record, "baseProperty");
        let enumeration = self.enumeration(base);
        NativeDef {
            name: name.to_owned(),
            native: native(self.records, base),
            predicate: self.predicate(record, self.scope()).0,
            keyword: base.some_text("mnemonic").map(str::to_owned),
            default: self.default(record, enumeration.as_deref()),
            enumeration,
        }
    }

    /// Counts the primitive predicates of a constraint and of those that it is made from, once a document.
    pub(super) fn count(&mut self, record: Record<'d>) {
        let mut waiting = vec![record];
        while let Some(record) = waiting.pop() {
            if !self.counted.insert(record.identity()) {
                continue;
            }
            let (predicate, leaves) = self.predicate(record, self.scope());
            self.counts.add(leaves, &predicate);
            for field in ["baseType", "baseAttr", "baseProperty", "elementAttr", "enum", "valueType"] {
                let constraint = |record: &Record<'d>| {
                    ["TypeConstraint", "AttrConstraint", "Property"].iter().any(|class| record.is(class))
                };
                waiting.extend(self.records.follow(record, field).filter(constraint));
            }
            waiting.extend(self.records.follow_all(record, "allowedTypes"));
        }
    }
}

/// Reads the tree of a predicate.
struct PredicateReader<'d> {
    records: Records<'d>,
    budget: std::cell::Cell<u32>,
}

/// What is replaced by what in the text of predicates, the innermost last.
type Replacements<'a> = [(&'a str, &'a str)];

impl<'d> PredicateReader<'d> {
    fn spend(&self) -> Option<()> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        Some(())
    }

    fn read(&self, record: Record<'d>, replaced: &Replacements<'_>, scope: Scope<'_>, depth: u32) -> Predicate {
        let unknown =
            |reason: &str| Predicate::Unknown { reason: reason.to_owned(), leaves: self.leaves(record, depth) };
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend().is_some()) else {
            return unknown("a predicate that is too large");
        };
        if let Some(text) = record.optional_text("predExpr") {
            let Some(text) = replace(text, replaced) else { return unknown("a predicate that is too large") };
            let found = scope.read_predicate(&text);
            return found.unwrap_or_else(|reason| Predicate::Unknown { reason, leaves: 1 });
        }
        let children = self.records.follow_all(record, "children");
        let each = || children.iter().map(|child| self.read(*child, replaced, scope, depth));
        match (record.reference("kind").unwrap_or_default(), children.as_slice()) {
            ("PredCombinerAnd", _) => all(each().collect()),
            ("PredCombinerOr", _) => any(each().collect()),
            ("PredCombinerNot", [child]) => match self.read(*child, replaced, scope, depth) {
                unknown @ Predicate::Unknown { .. } => unknown,
                Predicate::Not(of) => *of,
                known => Predicate::Not(Box::new(known)),
            },
            ("PredCombinerSubstLeaves", [child]) => {
                let pattern = record.optional_text("pattern").unwrap_or_default();
                let replacement = record.optional_text("replacement").unwrap_or_default();
                let mut replaced = replaced.to_vec();
                replaced.push((pattern, replacement));
                self.read(*child, &replaced, scope, depth)
            }
            ("PredCombinerConcat", [child]) => {
                let prefix = record.optional_text("prefix").unwrap_or_default();
                let suffix = record.optional_text("suffix").unwrap_or_default();
                let text = replace(&format!("{prefix}$_child{suffix}"), replaced);
                let read_child = |scope: Scope<'_>| self.read(*child, replaced, scope, depth);
                let found = text.ok_or_else(|| "a predicate that is too large".to_owned());
                let found = found.and_then(|text| scope.with_child(&read_child).read_predicate(&text));
                found.unwrap_or_else(|reason| unknown(&reason))
            }
            (kind, _) => unknown(&format!("the combination {kind}")),
        }
    }

    /// Of how many primitive predicates this one is made.
    fn leaves(&self, record: Record<'d>, depth: u32) -> u32 {
        if record.optional_text("predExpr").is_some() {
            return 1;
        }
        let Some(depth) = depth.checked_sub(1) else { return 1 };
        let mut leaves = 0u32;
        for child in self.records.follow_all(record, "children") {
            leaves = leaves.saturating_add(self.leaves(child, depth));
            if leaves >= PARTS {
                break;
            }
        }
        leaves
    }
}

fn replace(text: &str, replaced: &Replacements<'_>) -> Option<String> {
    let mut text = text.to_owned();
    for (pattern, replacement) in replaced.iter().rev() {
        if !pattern.is_empty() {
            let growth = text.len() / pattern.len() + 1;
            if growth.saturating_mul(replacement.len()).saturating_add(text.len()) > TEXT {
                return None;
            }
            text = text.replace(pattern, replacement);
        }
    }
    Some(text)
}

fn all(parts: Vec<Predicate>) -> Predicate {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Predicate::Always => {}
            Predicate::All(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Predicate::Always,
        1 => flat.remove(0),
        _ => Predicate::All(flat),
    }
}

fn any(parts: Vec<Predicate>) -> Predicate {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Predicate::Always => return Predicate::Always,
            Predicate::Any(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Predicate::Never,
        1 => flat.remove(0),
        _ => Predicate::Any(flat),
    }
}

/// How a property that is no attribute is encoded, where its record says so.
fn native(records: Records<'_>, property: Record<'_>) -> Option<NativeProperty> {
    if property.is("EnumProp") {
        let width = records.follow(property, "enum")?.number("bitwidth")?;
        return Some(NativeProperty::Integer { width: width.try_into().ok()?, signed: false });
    }
    let written = property.optional_text("writeToMlirBytecode")?;
    let unit = property.optional_text("convertToAttribute")?.contains("UnitAttr::get");
    stored(property.optional_text("storageType")?, written, unit, 8)
}

/// How a value of a C++ type is encoded. What an array or optional holds is known by that type alone.
fn stored(storage: &str, written: &str, unit: bool, depth: usize) -> Option<NativeProperty> {
    let depth = depth.checked_sub(1)?;
    let storage = storage.trim();
    let plain = storage.trim_start_matches("::").trim_start_matches("std::").trim_start_matches("llvm::");
    if let Some((container, rest)) = plain.split_once('<') {
        let element = rest.strip_suffix('>')?;
        let element = || stored(element, written, unit, depth).map(Box::new);
        return match container {
            "optional" if written.contains("writeOwnedBool") => Some(NativeProperty::OptionalOf(element()?)),
            "SmallVector" if written.contains("writeVarInt") => Some(NativeProperty::Array(element()?)),
            _ => None,
        };
    }
    let integer = |width, signed| written.contains("writeVarInt").then_some(NativeProperty::Integer { width, signed });
    match plain {
        "bool" if !written.contains("writeOwnedBool") => None,
        "bool" if unit => Some(NativeProperty::Bool),
        "bool" => Some(NativeProperty::Boolean),
        "string" if written.contains("writeOwnedString") => Some(NativeProperty::String),
        "int8_t" => integer(8, true),
        "int16_t" => integer(16, true),
        "int32_t" | "int" => integer(32, true),
        "int64_t" => integer(64, true),
        "uint8_t" => integer(8, false),
        "uint16_t" => integer(16, false),
        "uint32_t" | "unsigned" => integer(32, false),
        "uint64_t" => integer(64, false),
        _ if written.contains("writeAttribute(") => Some(NativeProperty::Attribute),
        // An enum inside an array or an optional: its width is only in the code, and 32 bits in all but name.
        _ if written.contains("static_cast<uint64_t>") => integer(32, false),
        _ => None,
    }
}
