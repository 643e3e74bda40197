//! Op definitions from what `llvm-tblgen --dump-json` prints.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::definition::{NATIVE_DEPTH, NativeProperty, OpDef, PropertyDef, PropertyKind};
use super::table::OpTable;
use super::traits::Traits;
use crate::error::{Error, Result};

/// Collects the op definitions of several JSON documents; where two define one operation, the first one counts.
#[derive(Default)]
pub struct Importer {
    ops: BTreeMap<String, Imported>,
    /// Operations by namespace and class in C++, since traits name them so.
    classes: HashMap<(String, String), String>,
}

struct Imported {
    op: OpDef,
    namespace: String,
    /// C++ classes whose operations are known once all is read.
    parents: Vec<String>,
    terminator: Option<String>,
}

impl OpTable {
    /// The operations in the JSON that `llvm-tblgen --dump-json` prints for one file of op definitions.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where it is no such JSON.
    pub fn from_json(json: &[u8]) -> Result<OpTable> {
        let mut importer = Importer::default();
        importer.add(json)?;
        Ok(importer.finish())
    }
}

impl Importer {
    /// Nothing imported yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the definitions of one document.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where it is not what TableGen prints.
    pub fn add(&mut self, json: &[u8]) -> Result<()> {
        let document: Map<String, Value> = serde_json::from_slice(json)
            .map_err(|error| Error::malformed(format!("not JSON from TableGen: {error}")))?;
        let records = Records(&document);
        for name in records.instances("Op")? {
            let record = records.get(name)?;
            self.op(records, record).map_err(|error| error.reading(format!("the definition of `{name}`")))?;
        }
        Ok(())
    }

    /// The table of all that was added.
    pub fn finish(self) -> OpTable {
        let Importer { ops, classes } = self;
        OpTable::from_definitions(ops.into_values().map(|mut imported| {
            let resolve = |class: &String| resolve(&classes, &imported.namespace, class);
            imported.op.parents = imported.parents.iter().map(resolve).collect();
            imported.op.implicit_terminator = imported.terminator.as_ref().map(resolve);
            imported.op
        }))
    }

    fn op(&mut self, records: Records<'_>, record: Record<'_>) -> Result<()> {
        let dialect = records.get(record.reference("opDialect")?)?;
        let name = format!("{}.{}", dialect.text("name")?, record.text("opName")?);
        let namespace = dialect.text("cppNamespace")?.trim_start_matches("::").to_owned();
        if self.ops.contains_key(&name) {
            return Ok(());
        }
        self.classes.insert((namespace.clone(), class_name(record.text("!name")?).to_owned()), name.clone());
        let mut imported = Imported {
            op: OpDef { name: name.clone(), ..OpDef::default() },
            namespace,
            parents: Vec::new(),
            terminator: None,
        };
        imported.traits(records, record, "traits", 0)?;
        if record.bit("useCustomPropertiesEncoding") {
            imported.op.traits |= Traits::OPAQUE_PROPERTIES;
        }
        imported.layout(records, record, dialect.bit_or("usePropertiesForAttributes", true))?;
        self.ops.insert(name, imported);
        Ok(())
    }
}

impl Imported {
    /// The layout of the properties in bytecode: attributes by name, other properties, segment sizes.
    fn layout(&mut self, records: Records<'_>, record: Record<'_>, attributes_are_properties: bool) -> Result<()> {
        let (mut attributes, mut natives, mut operands) = (Vec::new(), Vec::new(), 0);
        for (argument, name) in record.arguments("arguments")? {
            let mut argument = records.get(argument)?;
            if argument.is("OpVariable") {
                argument = records.get(argument.reference("constraint")?)?;
            }
            if argument.is("TypeConstraint") {
                operands += 1;
                continue;
            }
            let name = name.ok_or_else(|| Error::malformed("an attribute has no name"))?.to_owned();
            if argument.is("Property") {
                match native(records, argument, NATIVE_DEPTH) {
                    Some(native) => natives.push(PropertyDef { name, kind: PropertyKind::Native(native) }),
                    None => self.op.traits |= Traits::OPAQUE_PROPERTIES,
                }
            } else if argument.is("AttrConstraint") {
                let optional = argument.bit("isOptional") || argument.has_text("defaultValue");
                let kind = if optional { PropertyKind::Optional } else { PropertyKind::Required };
                if attributes_are_properties && !argument.is("DerivedAttr") {
                    attributes.push(PropertyDef { name, kind });
                }
            } else {
                return Err(Error::malformed(format!("argument `{name}` is no operand, attribute or property")));
            }
        }
        attributes.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        self.op.properties = attributes;
        self.op.properties.append(&mut natives);
        let results = record.arguments("results")?.len() as u32;
        for (wanted, name, kind) in [
            (Traits::OPERAND_SEGMENTS, "operandSegmentSizes", PropertyKind::OperandSegments(operands)),
            (Traits::RESULT_SEGMENTS, "resultSegmentSizes", PropertyKind::ResultSegments(results)),
        ] {
            if attributes_are_properties && self.op.traits.contains(wanted) {
                self.op.properties.push(PropertyDef { name: name.to_owned(), kind });
            }
        }
        Ok(())
    }

    fn traits(&mut self, records: Records<'_>, record: Record<'_>, field: &str, depth: usize) -> Result<()> {
        if depth > 16 {
            return Err(Error::malformed("lists of traits nest too deep"));
        }
        for name in record.references(field)? {
            let record = records.get(name)?;
            if record.is("TraitList") {
                self.traits(records, record, "traits", depth + 1)?;
            } else if record.is("InterfaceTrait") {
                let name = record.optional_text("cppInterfaceName").unwrap_or(name);
                self.op.traits |= match name.trim_end_matches("::Trait") {
                    "SymbolOpInterface" => Traits::SYMBOL,
                    name => Traits::of_name(name).unwrap_or_default(),
                };
            } else if let Some(name) = record.optional_text("trait") {
                self.native_trait(name);
            }
        }
        Ok(())
    }

    /// A trait by its C++ name, with arguments: `HasParent<FuncOp>::Impl`.
    fn native_trait(&mut self, name: &str) {
        let (base, arguments) = match name.split_once('<') {
            Some((base, rest)) => (base, rest.rsplit_once('>').map_or(rest, |parts| parts.0)),
            None => (name, ""),
        };
        let base = base.rsplit("::").next().unwrap_or(base);
        let bit = Traits::of_name(base).unwrap_or_default();
        self.op.traits |= bit;
        let mut arguments = arguments.split(',').map(|argument| argument.trim().to_owned());
        if bit == Traits::HAS_PARENT || bit == Traits::AT_MOST_ONE_CHILD_OF {
            self.parents = arguments.collect();
        } else if bit == Traits::IMPLICIT_TERMINATOR {
            self.terminator = arguments.next();
        }
    }
}

/// The operation of a C++ class, as seen from a namespace; where nobody defined it, the class.
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

/// How a property that is no attribute is encoded, where its record says so.
fn native(records: Records<'_>, property: Record<'_>, depth: usize) -> Option<NativeProperty> {
    let depth = depth.checked_sub(1)?;
    if let Ok(base) = property.reference("baseProperty") {
        return native(records, records.get(base).ok()?, depth);
    }
    if property.is("EnumProp") {
        let width = records.get(property.reference("enum").ok()?).ok()?.number("bitwidth")?;
        return Some(NativeProperty::Integer { width: width.try_into().ok()?, signed: false });
    }
    let written = property.optional_text("writeToMlirBytecode")?;
    let unit = property.optional_text("convertToAttribute")?.contains("UnitAttr::get");
    stored(property.optional_text("storageType")?, written, unit, depth)
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

/// The records of one document.
#[derive(Clone, Copy)]
struct Records<'d>(&'d Map<String, Value>);

/// One record: its fields by name.
#[derive(Clone, Copy)]
struct Record<'d>(&'d Map<String, Value>);

impl<'d> Records<'d> {
    fn get(self, name: &str) -> Result<Record<'d>> {
        match self.0.get(name) {
            Some(Value::Object(record)) => Ok(Record(record)),
            _ => Err(Error::malformed(format!("no record `{name}`"))),
        }
    }

    /// Names of the records of a class.
    fn instances(self, class: &str) -> Result<Vec<&'d str>> {
        let lists = self.get("!instanceof")?;
        let list = lists.0.get(class).and_then(Value::as_array);
        Ok(list.into_iter().flatten().filter_map(Value::as_str).collect())
    }
}

impl<'d> Record<'d> {
    fn is(self, class: &str) -> bool {
        let classes = self.0.get("!superclasses").and_then(Value::as_array);
        classes.is_some_and(|classes| classes.iter().any(|name| name == class))
    }

    fn optional_text(self, field: &str) -> Option<&'d str> {
        self.0.get(field)?.as_str()
    }

    fn text(self, field: &str) -> Result<&'d str> {
        self.optional_text(field).ok_or_else(|| Error::malformed(format!("field `{field}` is no text")))
    }

    fn has_text(self, field: &str) -> bool {
        self.optional_text(field).is_some_and(|text| !text.is_empty())
    }

    fn number(self, field: &str) -> Option<i64> {
        self.0.get(field)?.as_i64()
    }

    fn bit(self, field: &str) -> bool {
        self.bit_or(field, false)
    }

    fn bit_or(self, field: &str, otherwise: bool) -> bool {
        self.number(field).map_or(otherwise, |bit| bit != 0)
    }

    fn reference(self, field: &str) -> Result<&'d str> {
        let found = self.0.get(field).and_then(definition);
        found.ok_or_else(|| Error::malformed(format!("field `{field}` is no reference")))
    }

    fn references(self, field: &str) -> Result<Vec<&'d str>> {
        let list = self.0.get(field).and_then(Value::as_array);
        let list = list.and_then(|list| list.iter().map(definition).collect());
        list.ok_or_else(|| Error::malformed(format!("field `{field}` is no list of references")))
    }

    /// The arguments of a dag: what each refers to, and its name.
    fn arguments(self, field: &str) -> Result<Vec<(&'d str, Option<&'d str>)>> {
        let arguments = self.0.get(field).and_then(|dag| dag.get("args")).and_then(Value::as_array);
        let pair = |pair: &'d Value| Some((definition(pair.get(0)?)?, pair.get(1)?.as_str()));
        let arguments = arguments.and_then(|list| list.iter().map(pair).collect());
        arguments.ok_or_else(|| Error::malformed(format!("field `{field}` is no list of arguments")))
    }
}

/// The record that a value refers to.
fn definition(value: &Value) -> Option<&str> {
    value.get("def")?.as_str()
}
