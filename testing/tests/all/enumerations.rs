//! The enums of dialects as Rust are those of the definitions, case by case.

use std::collections::BTreeSet;
use std::path::Path;

use mlirbc_ir::text::parse_attribute;
use mlirbc_ir::{AttributeData, Parameter};
use mlirbc_testing::{BLESS, definitions};

/// The sources are what the definitions give.
#[test]
fn sources_are_made_of_the_definitions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dialects/src");
    let made = mlirbc_testing::enumerations();
    assert!(made.len() >= 25, "{} dialects have enums", made.len());
    let mut wrong = Vec::new();
    for (dialect, source) in &made {
        let path = folder.join(dialect).join("enums.rs");
        if std::env::var_os(BLESS).is_some() {
            std::fs::create_dir_all(folder.join(dialect)).expect("a folder");
            std::fs::write(&path, source).expect("a source");
        }
        if std::fs::read_to_string(&path).ok().as_ref() != Some(source) {
            wrong.push(dialect);
        }
    }
    assert!(wrong.is_empty(), "{BLESS}=1 makes enums.rs again of {wrong:?}");
    // None is left of a dialect that has none.
    let there = std::fs::read_dir(folder).expect("the folder").filter_map(|entry| {
        let path = entry.expect("an entry").path();
        path.join("enums.rs").exists().then(|| path.file_name().expect("a name").to_str().expect("a name").to_owned())
    });
    assert_eq!(there.collect::<BTreeSet<_>>(), made.keys().cloned().collect());
}

/// Every case goes to its number and its text and back; so does every combination of two bits, and what the definition refuses is
/// refused.
#[test]
fn cases_are_those_of_the_definitions() {
    let (mut enums, mut cases, mut combined) = (0, 0, 0);
    for definition in definitions().enumerations().filter(|definition| !definition.name.starts_with("spirv::")) {
        let name = &definition.name;
        let found = mlirbc_dialects::enumeration(name).unwrap_or_else(|| panic!("{name} is not there"));
        assert_eq!(found.width, definition.width, "{name}");
        let values: Vec<i64> = definition.cases.iter().map(|case| case.value).collect();
        assert_eq!((found.values)(), values, "{name}");
        for case in &definition.cases {
            assert_eq!((found.value_of)(&case.text), definition.value_of(&case.text), "{name}: {}", case.text);
            let text = (found.text_of)(case.value);
            assert_eq!(text.as_deref(), definition.text_of(case.value).as_deref(), "{name}: {}", case.value);
            assert_eq!(
                (found.value_of)(&text.expect("the text of a case")),
                Some(case.value),
                "{name}: {}",
                case.value
            );
            cases += 1;
        }
        let mut others: Vec<i64> = (-2..66).chain([i64::MIN, i64::MAX, 1 << 31, 1 << 40]).collect();
        others.extend(values.iter().flat_map(|left| values.iter().map(move |right| left | right)));
        for value in others {
            let text = (found.text_of)(value);
            let wanted = definition.text_of(value).filter(|_| definition.has_value(value));
            let text = text.map(|text| text.into_owned());
            assert_eq!(text, wanted, "{name}: {value}");
            if let Some(text) = text {
                assert_eq!((found.value_of)(&text), definition.value_of(&text), "{name}: {text}");
                combined += usize::from(!values.contains(&value));
            }
        }
        for text in ["", "no such case", "|", ",", "none,none", "none|none"] {
            assert_eq!((found.value_of)(text), definition.value_of(text), "{name}: {text:?}");
        }
        enums += 1;
    }
    assert!(enums >= 190 && cases >= 1170 && combined >= 2000, "{enums} enums, {cases} cases, {combined} combinations");
    assert!(mlirbc_dialects::enumeration("arith::Nothing").is_none());
    assert_eq!(mlirbc_dialects::enumerations().count(), enums);
}

/// As `mlir-opt` 22 shows them: the largest groups go first, and what several names share has all of them.
#[test]
fn groups_go_before_bits() {
    let flags = mlirbc_dialects::enumeration("LLVM::DIFlags").expect("flags of debug information");
    for (value, text) in [
        (7, "Public|FwdDecl"),
        (33, "Private|Virtual"),
        (3, "Public"),
        (65539, "Public|SingleInheritance|MultipleInheritance|VirtualInheritance"),
    ] {
        assert_eq!((flags.text_of)(value).as_deref(), Some(text));
        assert_eq!((flags.value_of)(text), Some(value));
    }
}

/// Every attribute that a definition says to be of an enum is one case of that enum.
#[test]
fn attributes_are_those_of_the_definitions() {
    let mut count = 0;
    for definition in definitions().attribute_definitions() {
        let found = mlirbc_dialects::enumeration_of_attribute(&definition.name);
        assert_eq!(definition.enumeration.as_deref(), found.map(|found| found.name), "{}", definition.name);
        count += usize::from(found.is_some());
    }
    assert!(count >= 130, "{count} attributes");
}

/// Each way in which a case may stand in its attribute is read and printed as `mlir-opt` 22 does, and is the number of a case rather than
/// text. What is no case is text.
#[test]
fn cases_are_read_and_printed_in_every_kind_of_brackets() {
    let context = mlirbc_dialects::context();
    for (text, wanted) in [
        ("#gpu<dim y>", Some(1)),
        ("#arith.fastmath<nnan,ninf>", Some(6)),
        ("#omp<clause_depend(dependsink)>", Some(1)),
        ("#omp<data_sharing_type{type = private}>", Some(0)),
        ("#omp<data_sharing_type{type = firstprivate}>", Some(1)),
        ("#omp<data_sharing_type {type = no_case}>", None),
    ] {
        let attribute = parse_attribute(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let case = match &context[attribute] {
            AttributeData::Dialect(value) => match value.parameters[..] {
                [Parameter::Unsigned(case)] => Some(case),
                _ => panic!("{text}: {:?}", value.parameters),
            },
            _ => None,
        };
        assert_eq!(case, wanted, "{text}");
        assert_eq!(context.show(attribute).to_string(), text);
    }
    let spaced = parse_attribute(&context, b"#omp<data_sharing_type  { type=private } >").expect("an attribute");
    assert_eq!(context.show(spaced).to_string(), "#omp<data_sharing_type{type = private}>");
}
