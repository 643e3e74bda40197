//! The classes of C++ that types and attributes are implemented by, and what they are here.

use std::collections::{HashMap, HashSet};

use super::cpp::plain;
use super::record::{Record, Records};
use crate::error::Result;
use crate::number::FloatKind;
use crate::ods::CppClasses;
use crate::ods::{Builtin, BuiltinAttribute, TermClass, Test};

/// What dialects say of classes that no record describes.
#[derive(Default)]
pub(super) struct Known {
    classes: HashMap<String, TermClass>,
    /// By type or attribute and by method, the parameter.
    parameters: HashMap<(String, String), String>,
    /// By function, what it tells of a type.
    functions: HashMap<String, String>,
    /// By function, the test of an operation that it is.
    tests: HashMap<String, Test>,
}

impl Known {
    /// Adds what a dialect says. What was there first counts.
    pub(super) fn add(&mut self, dialect: &str, said: &CppClasses) {
        let full = |mnemonic: &str| format!("{dialect}.{mnemonic}");
        let types = said.types.iter().map(|[class, mnemonic]| (class, TermClass::DialectType(full(mnemonic))));
        let attributes = said.attributes.iter();
        let attributes = attributes.map(|[class, mnemonic]| (class, TermClass::DialectAttribute(full(mnemonic))));
        let bases = said.bases.iter().map(|class| (class, TermClass::TypeOf(dialect.to_owned())));
        for (class, stands_for) in types.chain(attributes).chain(bases) {
            self.classes.entry(class.clone()).or_insert(stands_for);
        }
        for [function, what] in &said.functions {
            self.functions.entry(function.clone()).or_insert_with(|| what.clone());
        }
        for (function, test) in &said.tests {
            self.tests.entry(function.clone()).or_insert(*test);
        }
        for [mnemonic, method, parameter] in &said.parameters {
            self.parameters.entry((full(mnemonic), method.clone())).or_insert_with(|| parameter.clone());
        }
    }
}

/// What a document says of classes, and dialects beside it.
pub(super) struct Classes<'k> {
    known: &'k Known,
    classes: HashMap<String, TermClass>,
    /// By type or attribute, the names of its parameters.
    parameters: HashMap<String, Vec<String>>,
    /// By class, the enum.
    pub(super) enums: HashMap<String, HashMap<String, i64>>,
    interfaces: HashSet<String>,
}

/// Dialect and mnemonic of an attribute or type definition; that of a builtin one is made from its class.
pub(super) fn definition_name(records: Records<'_>, record: Record<'_>) -> Option<String> {
    let field = if record.is("TypeDef") { "typeName" } else { "attrName" };
    let dialect = records.follow(record, "dialect")?.optional_text("name")?;
    match (record.some_text("mnemonic"), record.some_text(field)) {
        (Some(mnemonic), _) => Some(format!("{dialect}.{mnemonic}")),
        (None, Some(name)) => Some(name.to_owned()),
        (None, None) => Some(format!("{dialect}.{}", record.some_text("cppClassName")?)),
    }
}

/// The name of a class with its namespace.
pub(super) fn qualified(record: Record<'_>, class_field: &str) -> Option<String> {
    let class = record.some_text(class_field)?;
    let namespace = plain(record.optional_text("cppNamespace").unwrap_or_default()).trim_matches(':');
    // The namespace of builtin classes is `mlir` itself.
    Some(if namespace.is_empty() || namespace == "mlir" { class.to_owned() } else { format!("{namespace}::{class}") })
}

/// The class of an attribute or type definition, with its namespace.
pub(super) fn definition_class(records: Records<'_>, record: Record<'_>) -> Option<String> {
    if record.some_text("cppNamespace").is_some() {
        return qualified(record, "cppClassName");
    }
    let class = record.some_text("cppClassName")?;
    let namespace = plain(records.follow(record, "dialect")?.optional_text("cppNamespace").unwrap_or_default());
    Some(if namespace.is_empty() || namespace == "mlir" { class.to_owned() } else { format!("{namespace}::{class}") })
}

impl<'k> Classes<'k> {
    /// The classes of all that is defined; what of it is wrong is left for those who import it to say.
    pub(super) fn new(records: Records<'_>, known: &'k Known) -> Result<Self> {
        let mut found = Classes {
            known,
            classes: HashMap::new(),
            parameters: HashMap::new(),
            enums: HashMap::new(),
            interfaces: HashSet::new(),
        };
        for name in records.instances("EnumInfo")? {
            let Ok(record) = records.get(name) else { continue };
            let Some(class) = qualified(record, "className") else { continue };
            let cases = records.follow_all(record, "enumerants").into_iter();
            let cases =
                cases.filter_map(|case| Some((case.optional_text("symbol")?.to_owned(), case.number("value")?)));
            found.enums.insert(class.clone(), cases.collect());
            if let Some(attribute) = qualified(record, "specializedAttrClassName") {
                found.classes.insert(attribute, TermClass::Enumerant(class));
            }
        }
        for (class, make) in
            [("TypeDef", TermClass::DialectType as fn(String) -> TermClass), ("AttrDef", TermClass::DialectAttribute)]
        {
            for name in records.instances(class)? {
                let Ok(record) = records.get(name) else { continue };
                let names = definition_name(records, record).zip(definition_class(records, record));
                let Some((name, class)) = names else { continue };
                let parameters = record.raw_arguments("parameters").unwrap_or_default();
                let parameters = parameters.into_iter().map(|(_, name)| name.to_owned()).collect();
                found.parameters.insert(name.clone(), parameters);
                if !name.starts_with("builtin.") {
                    found.classes.insert(class, make(name));
                }
            }
        }
        for name in records.instances("Interface")? {
            found.interfaces.extend(records.get(name).ok().and_then(|record| qualified(record, "cppInterfaceName")));
        }
        Ok(found)
    }

    /// What a function of a dialect's own tells of a type.
    pub(super) fn told(&self, function: &str) -> Option<TermClass> {
        let what = self.known.functions.get(function)?.clone();
        Some(TermClass::Told { function: function.to_owned(), what })
    }

    /// The test of an operation that a function of a dialect's own is.
    pub(super) fn operation_test(&self, function: &str) -> Option<Test> {
        self.known.tests.get(function).copied()
    }

    /// What a class of C++ is here, where that is known; code inside a dialect's namespace need not say it.
    pub(super) fn class(&self, name: &str, namespace: &str) -> Option<TermClass> {
        let name = plain(name);
        let inside = format!("{}::{name}", plain(namespace));
        if !namespace.is_empty() && (self.classes.contains_key(&inside) || self.known.classes.contains_key(&inside)) {
            return self.class(&inside, "");
        }
        let last = name.rsplit("::").next().unwrap_or(name);
        if let Some(class) = self.classes.get(name) {
            return Some(class.clone());
        }
        if let Some(class) = self.known.classes.get(name) {
            return Some(class.clone());
        }
        match name {
            "Type" => return Some(TermClass::AnyType),
            "Attribute" => return Some(TermClass::AnyAttribute),
            "IntegerType" => return Some(TermClass::Integer { signedness: None, width: None }),
            "FloatType" => return Some(TermClass::Float(None)),
            _ => {}
        }
        if let Some(class) = Builtin::of_class(name) {
            return Some(TermClass::Builtin(class));
        }
        if let Some(class) = BuiltinAttribute::of_class(name) {
            return Some(TermClass::Attribute(class));
        }
        if let Some(kind) = float_of_class(name) {
            return Some(TermClass::Float(Some(kind)));
        }
        if self.interfaces.contains(name) {
            return Some(TermClass::Interface(last.to_owned()));
        }
        // A namespace that is left out, where there is only one that fits.
        let mut inside =
            self.classes.iter().filter(|(class, _)| class.ends_with(name) && class.ends_with(&format!("::{name}")));
        match (inside.next(), inside.next()) {
            (Some((_, class)), None) => Some(class.clone()),
            _ => None,
        }
    }

    /// The name of the parameter that a method reads of a type or attribute.
    pub(super) fn parameter(&self, name: &str, method: &str) -> Option<String> {
        if let Some(known) = self.known.parameters.get(&(name.to_owned(), method.to_owned())) {
            return Some(known.clone());
        }
        let wanted = method.strip_prefix("get")?;
        let same = |parameter: &&String| {
            let letters = parameter.chars().filter(|&c| c != '_');
            letters.flat_map(char::to_lowercase).eq(wanted.chars().flat_map(char::to_lowercase))
        };
        self.parameters.get(name)?.iter().find(same).cloned()
    }

    /// The type whose dialect and mnemonic are spelled so, with `_` for what stands between words: `tosa_shape`.
    pub(super) fn type_spelled(&self, words: &str) -> Option<TermClass> {
        let types = self.classes.values().filter_map(|class| match class {
            TermClass::DialectType(name) => Some(name).filter(|name| name.replace('.', "_") == words),
            _ => None,
        });
        types.min().cloned().map(TermClass::DialectType)
    }

    /// The enum of that name, as seen from anywhere.
    pub(super) fn enum_named(&self, name: &str) -> Option<String> {
        let name = plain(name);
        if self.enums.contains_key(name) {
            return Some(name.to_owned());
        }
        let mut inside = self.enums.keys().filter(|known| known.ends_with(&format!("::{name}")));
        match (inside.next(), inside.next()) {
            (Some(known), None) => Some(known.clone()),
            _ => None,
        }
    }

    /// The enum and the case that a name stands for.
    pub(super) fn enumerant(&self, path: &str) -> Option<(String, String)> {
        let (class, case) = plain(path).rsplit_once("::")?;
        Some((self.enum_named(class)?, case.to_owned()))
    }
}

/// The floating-point type of a class or of a method that asks for it: `Float8E5M2Type`, `F32`.
pub(super) fn float_of_class(name: &str) -> Option<FloatKind> {
    let short = name.strip_suffix("Type").unwrap_or(name);
    let lower = short.to_lowercase();
    let lower = match lower.strip_prefix("float") {
        Some(rest) => format!("f{rest}").replace("ftf32", "tf32"),
        None => lower.replace("bfloat16", "bf16"),
    };
    FloatKind::ALL.iter().copied().find(|kind| kind.keyword().to_lowercase() == lower)
}
