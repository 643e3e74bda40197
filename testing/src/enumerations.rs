//! The enums of the dialects as Rust: what stands in `dialects/src/*/enums.rs`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::definitions::definitions as all_definitions;
use mlirbc_ir::ods::{AttrOrTypeDef, Element, EnumDef, Syntax};

/// Namespaces of C++ that are no dialects, and where their enums stand.
const OTHERS: [(&str, &str); 1] = [("utils", "linalg")];

/// Dialects whose enums are made of something else.
const ELSEWHERE: [&str; 1] = ["spirv"];

/// The source of each dialect that has enums, by the dialect's name.
pub fn enumerations() -> BTreeMap<String, String> {
    let mut dialects: BTreeMap<String, Vec<EnumDef>> = BTreeMap::new();
    for definition in all_definitions().enumerations() {
        let namespace = definition.name.split("::").next().unwrap_or_default().to_lowercase();
        let other = OTHERS.iter().find(|other| other.0 == namespace);
        let dialect = other.map_or(namespace, |other| other.1.to_owned());
        if !ELSEWHERE.contains(&&*dialect) {
            dialects.entry(dialect).or_default().push(definition);
        }
    }
    dialects.iter().map(|(dialect, definitions)| (dialect.clone(), source(dialect, definitions))).collect()
}

fn source(dialect: &str, definitions: &[EnumDef]) -> String {
    let has_bits = definitions.iter().any(|definition| definition.bits.is_some());
    let has_others = definitions.iter().any(|definition| definition.bits.is_none());
    let mut made = format!(
        "//! The enums of `{dialect}`, of its definitions. Not to be edited:\n\
         //! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.\n\n\
         use mlirbc_ir::"
    );
    made.push_str(match (has_bits, has_others) {
        (true, true) => "{bit_enumeration, enumeration};\n",
        (true, false) => "bit_enumeration;\n",
        _ => "enumeration;\n",
    });
    made.push_str("\nuse crate::common::cases::listed;\n");
    for definition in definitions {
        declare(&mut made, definition);
    }
    made.push_str("\nlisted! {\n");
    for definition in definitions {
        let _ = writeln!(made, "    {},", name(definition));
    }
    made.push_str("    ;\n");
    for attribute in all_definitions().attribute_definitions() {
        let Some((of, mnemonic)) = attribute.name.split_once('.').filter(|(of, _)| *of == dialect) else { continue };
        let held = definitions.iter().find(|definition| attribute.enumeration.as_ref() == Some(&definition.name));
        if let Some(definition) = held {
            let brackets = brackets(&attribute)
                .unwrap_or_else(|| panic!("`{of}.{mnemonic}` is written in a way that has no name here"));
            let _ = writeln!(made, "    {} in {brackets} of {mnemonic:?},", name(definition));
        }
    }
    made.push_str("}\n");
    made
}

/// How an attribute is written that is one case and nothing else.
fn brackets(attribute: &AttrOrTypeDef) -> Option<&'static str> {
    let Syntax::Format(format) = &attribute.syntax else { return None };
    let shown = format.elements.iter().filter(|element| !matches!(element, Element::Space | Element::NoSpace));
    match shown.collect::<Vec<_>>()[..] {
        _ if attribute.parameters.len() != 1 => None,
        [Element::Parameter(0)] => Some("None"),
        [Element::Literal(open), Element::Parameter(0), Element::Literal(close)] => match (&**open, &**close) {
            ("<", ">") => Some("Angle"),
            ("(", ")") => Some("Round"),
            _ => None,
        },
        [
            Element::Literal(open),
            Element::Literal(name),
            Element::Literal(equals),
            Element::Parameter(0),
            Element::Literal(close),
        ] if [open, name, equals, close] == ["{", "type", "=", "}"] => Some("Member"),
        _ => None,
    }
}

fn declare(made: &mut String, definition: &EnumDef) {
    let (name, full, width) = (name(definition), &definition.name, definition.width);
    let macro_name = if definition.bits.is_some() { "bit_enumeration" } else { "enumeration" };
    let _ = write!(made, "\n{macro_name}! {{\n    /// `{full}` of MLIR.\n    {name} = \"{full}\", {width}");
    if let Some(bits) = &definition.bits {
        let _ = write!(made, ", {:?}, {}", bits.separator, bits.groups_first);
    }
    made.push_str(";\n");
    for case in &definition.cases {
        let symbol = match definition.bits {
            Some(_) => constant(&case.symbol),
            None => camel(&case.symbol),
        };
        let group = if case.group { " group" } else { "" };
        let _ = writeln!(made, "    {symbol} = {} {:?}{group},", case.value, case.text);
    }
    made.push_str("}\n");
}

/// The name of the type: that of C++ without its namespace.
fn name(definition: &EnumDef) -> String {
    camel(definition.name.rsplit("::").next().unwrap_or_default())
}

/// `ToNearestEven` of `to_nearest_even`. A symbol that has capital letters is as it is, but for its first one.
fn camel(symbol: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    let symbol = symbol.trim_start_matches('_');
    if symbol.bytes().any(|letter| letter.is_ascii_uppercase()) {
        return capital(symbol);
    }
    symbol.split('_').map(capital).collect()
}

/// `EXPORT_SYMBOLS` of `ExportSymbols`.
fn constant(symbol: &str) -> String {
    let mut made = String::new();
    let mut before = '_';
    for letter in symbol.chars() {
        if letter.is_ascii_uppercase() && before.is_ascii_lowercase() {
            made.push('_');
        }
        made.push(letter.to_ascii_uppercase());
        before = letter;
    }
    made
}
