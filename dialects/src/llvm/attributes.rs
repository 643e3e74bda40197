//! Attributes of the `llvm` dialect that have parameters worth knowing: debug information, loop annotations, alias scopes
//! and type-based alias analysis.
//!
//! Each is a [`DialectValue`] whose parameters follow its [`FieldsDef`]: see [`definition`]. The dialect's other
//! attributes are kept as text.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{DIEmissionKind, DIFlags, DINameTableKind, DISubprogramFlags, NAME as DIALECT, dwarf};
use mlirbc_ir::fields::{AttributeClass, Field, FieldKind, FieldsDef, Flags, Group, Keywords, NumberNames};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute as Handle, AttributeData, Context, Error, Parameter, Result};

use AttributeClass::{Any, Bool, Distinct, DistinctOrString, FusedLocation, Integer};
use FieldKind::{AnyAttributes, Attribute, Attributes, Braced, Keyword, OptionalUnsigned, Signed, String, Unsigned};

/// Attributes of the dialect with this mnemonic.
pub(super) const fn of(mnemonic: &'static str) -> AttributeClass {
    AttributeClass::Of(DIALECT, mnemonic)
}

/// Whether the attribute is one of the dialect with one of these mnemonics.
fn is_one_of(context: &Context, data: &AttributeData, groups: &[&[&str]]) -> bool {
    match data {
        AttributeData::Dialect(value) if context.bytes(value.dialect) == DIALECT.as_bytes() => {
            let mnemonic = context.bytes(value.mnemonic);
            groups.iter().any(|group| group.iter().any(|member| member.as_bytes() == mnemonic))
        }
        _ => false,
    }
}

/// Whether the attribute is one of the dialect that only a newer version of it knows.
fn is_newer(context: &Context, data: &AttributeData) -> bool {
    matches!(data, AttributeData::Text { dialect, .. } if context.bytes(*dialect) == DIALECT.as_bytes())
}

/// Whether the attribute is one of the dialect with one of these mnemonics, or may be one of newer debug information.
fn is_debug_info(context: &Context, data: &AttributeData, groups: &[&[&str]]) -> bool {
    is_newer(context, data) || is_one_of(context, data, groups)
}

const SCOPES: &[&str] = &[
    "di_file",
    "di_compile_unit",
    "di_subprogram",
    "di_lexical_block",
    "di_lexical_block_file",
    "di_namespace",
    "di_composite_type",
    "di_derived_type",
    "di_module",
    "di_common_block",
];

const TYPES: &[&str] =
    &["di_basic_type", "di_derived_type", "di_composite_type", "di_subroutine_type", "di_null_type", "di_string_type"];

const VARIABLES: &[&str] = &["di_local_variable", "di_global_variable"];

const OTHER_NODES: &[&str] = &["di_subrange", "di_generic_subrange", "di_imported_entity", "di_label", "di_annotation"];

/// Scopes of debug information.
static SCOPE_GROUP: Group = Group {
    description: "a scope of debug information",
    holds: |context, data| is_debug_info(context, data, &[SCOPES]),
};

/// Types of debug information.
static TYPE_GROUP: Group =
    Group { description: "a type of debug information", holds: |context, data| is_debug_info(context, data, &[TYPES]) };

/// Variables of debug information.
static VARIABLE_GROUP: Group = Group {
    description: "a variable of debug information",
    holds: |context, data| is_debug_info(context, data, &[VARIABLES]),
};

/// Anything of debug information but expressions.
static NODE_GROUP: Group = Group {
    description: "a node of debug information",
    holds: |context, data| is_debug_info(context, data, &[OTHER_NODES, SCOPES, TYPES, VARIABLES]),
};

/// Roots and type descriptors of type-based alias analysis.
static TBAA_GROUP: Group = Group {
    description: "a node of type-based alias analysis",
    holds: |context, data| is_one_of(context, data, &[&["tbaa_root", "tbaa_type_desc"]]),
};

/// The release whose encodings of debug information have more parameters, and in which more of them are optional.
const MORE_DEBUG_INFO: Release = Release::new(23);

/// The release in whose encoding a language is an attribute.
const LANGUAGE_NAMES: Release = Release::new(24);

const SCOPE: FieldKind = Attribute(AttributeClass::Group(&SCOPE_GROUP));
const TYPE: FieldKind = Attribute(AttributeClass::Group(&TYPE_GROUP));
const NODE_CLASS: AttributeClass = AttributeClass::Group(&NODE_GROUP);
const NODE: FieldKind = Attribute(NODE_CLASS);
const NODES: FieldKind = Attributes(NODE_CLASS);
const NAME: FieldKind = Attribute(AttributeClass::String);
const FILE: FieldKind = Attribute(of("di_file"));
const EXPRESSION: FieldKind = Attribute(of("di_expression"));
const ANNOTATION: FieldKind = Attribute(of("loop_annotation"));
const TAG: FieldKind = Keyword(&dwarf::TAGS);
const ENCODING: FieldKind = Keyword(&dwarf::ENCODINGS);
const LINE: FieldKind = Unsigned(32);
const FLAGS: FieldKind = FieldKind::Flags(&DI_FLAGS);

/// A language, for which MLIR 24 has an attribute.
static LANGUAGE: NumberNames = NumberNames {
    description: "a language",
    keywords: &dwarf::LANGUAGES,
    since: LANGUAGE_NAMES,
    is_name: |context, data| is_newer(context, data) || is_one_of(context, data, &[&[LANGUAGE_NAME]]),
    number: language,
    name: language_name,
};

static EMISSION_KINDS: Keywords = Keywords { prefix: "", bits: 64, names: DIEmissionKind::NAMES };

static NAME_TABLE_KINDS: Keywords = Keywords { prefix: "", bits: 64, names: DINameTableKind::NAMES };

static DI_FLAGS: Flags = Flags {
    zero: Some("Zero"),
    groups: &words::<3>(DIFlags::BITS.cases, true),
    bits: &words::<30>(DIFlags::BITS.cases, false),
};

static SUBPROGRAM_FLAGS: Flags =
    Flags { zero: None, groups: &[], bits: &words::<11>(DISubprogramFlags::BITS.cases, false) };

/// The words for single bits in order of definition, or those for groups, the last first. There must be `N` of them.
const fn words<const N: usize>(cases: &[(i64, &'static str, bool)], groups: bool) -> [(u64, &'static str); N] {
    let mut found = [(0, ""); N];
    let (mut at, mut next) = (0, 0);
    while at < cases.len() {
        let (value, text, is_group) = cases[if groups { cases.len() - 1 - at } else { at }];
        if value != 0 && is_group == groups {
            found[next] = (value as u64, text);
            next += 1;
        }
        at += 1;
    }
    assert!(next == N, "there are fewer words");
    found
}

const fn must(name: &'static str, kind: FieldKind) -> Field {
    Field::required(name, kind)
}

const fn may(name: &'static str, kind: FieldKind) -> Field {
    Field::optional(name, kind)
}

const fn coded(code: u64, mnemonic: &'static str, fields: &'static [Field]) -> FieldsDef {
    FieldsDef { mnemonic, code: Some(code), fields }
}

const fn text_only(mnemonic: &'static str, fields: &'static [Field]) -> FieldsDef {
    FieldsDef { mnemonic, code: None, fields }
}

/// Every attribute with known parameters. Those with a code come first, in the order of their codes.
pub static ATTRIBUTES: &[FieldsDef] = &[
    coded(
        0,
        "di_basic_type",
        &[may("tag", TAG), must("name", String), may("sizeInBits", Unsigned(64)), may("encoding", ENCODING)],
    ),
    coded(
        1,
        "di_compile_unit",
        &[
            may("recId", Attribute(Distinct)).since(MORE_DEBUG_INFO),
            may("isRecSelf", FieldKind::Bool).since(MORE_DEBUG_INFO),
            Field { optional_since: MORE_DEBUG_INFO, ..may("id", Attribute(Distinct)) },
            must("sourceLanguage", FieldKind::Named(&LANGUAGE)),
            Field { optional_since: MORE_DEBUG_INFO, ..may("file", FILE) },
            may("producer", NAME),
            may("isOptimized", FieldKind::Bool).shown(),
            may("emissionKind", Keyword(&EMISSION_KINDS)).shown(),
            may("isDebugInfoForProfiling", FieldKind::Bool).since(MORE_DEBUG_INFO),
            may("nameTableKind", Keyword(&NAME_TABLE_KINDS)),
            Field { dropped: true, ..may("splitDebugFilename", NAME).since(MORE_DEBUG_INFO) },
            may("importedEntities", NODES).since(MORE_DEBUG_INFO),
        ],
    ),
    coded(
        2,
        "di_composite_type",
        &[
            may("recId", Attribute(Distinct)),
            may("isRecSelf", FieldKind::Bool),
            may("tag", TAG),
            may("name", NAME),
            may("file", FILE),
            may("line", LINE),
            may("scope", SCOPE),
            may("baseType", TYPE),
            may("flags", FLAGS),
            may("sizeInBits", Unsigned(64)),
            may("alignInBits", Unsigned(64)),
            may("dataLocation", EXPRESSION),
            may("rank", EXPRESSION),
            may("allocated", EXPRESSION),
            may("associated", EXPRESSION),
            may("identifier", NAME).since(MORE_DEBUG_INFO),
            may("discriminator", Attribute(of("di_derived_type"))).since(MORE_DEBUG_INFO),
            may("elements", NODES),
        ],
    ),
    coded(
        3,
        "di_derived_type",
        &[
            may("tag", TAG),
            may("name", NAME),
            may("file", FILE).since(MORE_DEBUG_INFO),
            may("line", LINE).since(MORE_DEBUG_INFO),
            may("scope", SCOPE).since(MORE_DEBUG_INFO),
            may("baseType", TYPE),
            may("sizeInBits", Unsigned(64)),
            may("alignInBits", Unsigned(32)),
            may("offsetInBits", Unsigned(64)),
            may("dwarfAddressSpace", OptionalUnsigned(32)),
            may("flags", FLAGS).since(MORE_DEBUG_INFO),
            Field { narrow_before: Some((MORE_DEBUG_INFO, NODE_CLASS)), ..may("extraData", Attribute(Any)) },
        ],
    ),
    coded(
        4,
        "di_expression_elem",
        &[must("opcode", Keyword(&dwarf::OPERATIONS)), may("arguments", FieldKind::UnsignedList)],
    ),
    coded(5, "di_expression", &[may("operations", Attributes(of("di_expression_elem")))]),
    coded(6, "di_file", &[must("name", String), must("directory", String)]),
    coded(
        7,
        "di_global_variable",
        &[
            may("scope", SCOPE),
            may("name", NAME),
            may("linkageName", NAME),
            must("file", FILE),
            must("line", LINE),
            must("type", TYPE),
            may("isLocalToUnit", FieldKind::Bool),
            may("isDefined", FieldKind::Bool),
            may("alignInBits", Unsigned(32)),
        ],
    ),
    coded(
        8,
        "di_global_variable_expression",
        &[must("var", Attribute(of("di_global_variable"))), may("expr", EXPRESSION)],
    ),
    coded(
        9,
        "di_imported_entity",
        &[
            may("tag", TAG),
            must("scope", SCOPE),
            must("entity", NODE),
            may("file", FILE),
            may("line", LINE),
            may("name", NAME),
            may("elements", NODES),
        ],
    ),
    coded(10, "di_label", &[must("scope", SCOPE), may("name", NAME), may("file", FILE), may("line", LINE)]),
    coded(11, "di_lexical_block", &[must("scope", SCOPE), may("file", FILE), may("line", LINE), may("column", LINE)]),
    coded(12, "di_lexical_block_file", &[must("scope", SCOPE), may("file", FILE), must("discriminator", Unsigned(32))]),
    coded(
        13,
        "di_local_variable",
        &[
            must("scope", SCOPE),
            may("name", NAME),
            may("file", FILE),
            may("line", LINE),
            may("arg", Unsigned(32)),
            may("alignInBits", Unsigned(32)),
            may("type", TYPE),
            may("flags", FLAGS),
        ],
    ),
    coded(14, "di_namespace", &[may("name", NAME), may("scope", SCOPE), must("exportSymbols", FieldKind::Bool)]),
    coded(
        15,
        "di_subprogram",
        &[
            may("recId", Attribute(Distinct)),
            may("isRecSelf", FieldKind::Bool),
            may("id", Attribute(Distinct)),
            may("compileUnit", Attribute(of("di_compile_unit"))),
            may("scope", SCOPE),
            may("name", NAME),
            may("linkageName", NAME),
            may("file", FILE),
            may("line", LINE),
            may("scopeLine", LINE),
            may("subprogramFlags", FieldKind::Flags(&SUBPROGRAM_FLAGS)),
            may("type", Attribute(of("di_subroutine_type"))),
            Field {
                narrow_before: Some((LANGUAGE_NAMES, NODE_CLASS)),
                ..may("retainedNodes", AnyAttributes(NODE_CLASS))
            },
            may("annotations", NODES),
        ],
    ),
    coded(
        16,
        "di_subrange",
        &[
            may("count", Attribute(Any)),
            may("lowerBound", Attribute(Any)),
            may("upperBound", Attribute(Any)),
            may("stride", Attribute(Any)),
        ],
    ),
    coded(
        17,
        "di_subroutine_type",
        &[
            may("callingConvention", Keyword(&dwarf::CONVENTIONS)),
            may("types", Attributes(AttributeClass::Group(&TYPE_GROUP))),
        ],
    ),
    coded(
        18,
        "loop_annotation",
        &[
            may("disableNonforced", Attribute(Bool)),
            may("vectorize", Attribute(of("loop_vectorize"))),
            may("interleave", Attribute(of("loop_interleave"))),
            may("unroll", Attribute(of("loop_unroll"))),
            may("unrollAndJam", Attribute(of("loop_unroll_and_jam"))),
            may("licm", Attribute(of("loop_licm"))),
            may("distribute", Attribute(of("loop_distribute"))),
            may("pipeline", Attribute(of("loop_pipeline"))),
            may("peeled", Attribute(of("loop_peeled"))),
            may("unswitch", Attribute(of("loop_unswitch"))),
            may("mustProgress", Attribute(Bool)),
            may("isVectorized", Attribute(Bool)),
            may("startLoc", Attribute(FusedLocation)),
            may("endLoc", Attribute(FusedLocation)),
            may("parallelAccesses", Attributes(of("access_group"))),
        ],
    ),
    text_only(
        "loop_vectorize",
        &[
            may("disable", Attribute(Bool)),
            may("predicateEnable", Attribute(Bool)),
            may("scalableEnable", Attribute(Bool)),
            may("width", Attribute(Integer)),
            may("followupVectorized", ANNOTATION),
            may("followupEpilogue", ANNOTATION),
            may("followupAll", ANNOTATION),
        ],
    ),
    text_only("loop_interleave", &[must("count", Attribute(Integer))]),
    text_only(
        "loop_unroll",
        &[
            may("disable", Attribute(Bool)),
            may("count", Attribute(Integer)),
            may("runtimeDisable", Attribute(Bool)),
            may("full", Attribute(Bool)),
            may("followupUnrolled", ANNOTATION),
            may("followupRemainder", ANNOTATION),
            may("followupAll", ANNOTATION),
        ],
    ),
    text_only(
        "loop_unroll_and_jam",
        &[
            may("disable", Attribute(Bool)),
            may("count", Attribute(Integer)),
            may("followupOuter", ANNOTATION),
            may("followupInner", ANNOTATION),
            may("followupRemainderOuter", ANNOTATION),
            may("followupRemainderInner", ANNOTATION),
            may("followupAll", ANNOTATION),
        ],
    ),
    text_only("loop_licm", &[may("disable", Attribute(Bool)), may("versioningDisable", Attribute(Bool))]),
    text_only(
        "loop_distribute",
        &[
            may("disable", Attribute(Bool)),
            may("followupCoincident", ANNOTATION),
            may("followupSequential", ANNOTATION),
            may("followupFallback", ANNOTATION),
            may("followupAll", ANNOTATION),
        ],
    ),
    text_only("loop_pipeline", &[may("disable", Attribute(Bool)), may("initiationinterval", Attribute(Integer))]),
    text_only("loop_peeled", &[may("count", Attribute(Integer))]),
    text_only("loop_unswitch", &[may("partialDisable", Attribute(Bool))]),
    text_only("access_group", &[must("id", Attribute(Distinct))]),
    text_only("alias_scope_domain", &[must("id", Attribute(Any)), may("description", NAME)]),
    text_only(
        "alias_scope",
        &[
            must("id", Attribute(DistinctOrString)),
            must("domain", Attribute(of("alias_scope_domain"))),
            may("description", NAME),
        ],
    ),
    text_only("tbaa_root", &[may("id", NAME)]),
    text_only(
        "tbaa_member",
        &[must("typeDesc", Attribute(AttributeClass::Group(&TBAA_GROUP))), must("offset", Signed(64))],
    ),
    text_only("tbaa_type_desc", &[must("id", NAME), must("members", Braced(of("tbaa_member")))]),
    text_only(
        "tbaa_tag",
        &[
            must("base_type", Attribute(of("tbaa_type_desc"))),
            must("access_type", Attribute(of("tbaa_type_desc"))),
            must("offset", Signed(64)),
            may("constant", FieldKind::Bool),
        ],
    ),
    text_only("di_null_type", &[]),
    text_only(
        "di_string_type",
        &[
            may("tag", TAG),
            must("name", NAME),
            may("sizeInBits", Unsigned(64)),
            may("alignInBits", Unsigned(32)),
            may("stringLength", Attribute(AttributeClass::Group(&VARIABLE_GROUP))),
            may("stringLengthExp", EXPRESSION),
            may("stringLocationExp", EXPRESSION),
            may("encoding", ENCODING),
            may("charType", TYPE),
        ],
    ),
    text_only(
        "di_module",
        &[
            may("file", FILE),
            may("scope", SCOPE),
            may("name", NAME),
            may("configMacros", NAME),
            may("includePath", NAME),
            may("apinotes", NAME),
            may("line", LINE),
            may("isDecl", FieldKind::Bool),
        ],
    ),
    text_only(
        "di_common_block",
        &[
            must("scope", SCOPE),
            may("decl", Attribute(of("di_global_variable"))),
            must("name", NAME),
            may("file", FILE),
            may("line", LINE),
        ],
    ),
    text_only(
        "di_generic_subrange",
        &[
            may("count", Attribute(Any)),
            must("lowerBound", Attribute(Any)),
            may("upperBound", Attribute(Any)),
            must("stride", Attribute(Any)),
        ],
    ),
    text_only("vscale_range", &[must("minRange", Attribute(Integer)), must("maxRange", Attribute(Integer))]),
    text_only("di_annotation", &[must("name", NAME), must("value", NAME)]),
    text_only("address_space", &[must("addressSpace", Unsigned(32))]),
    text_only(
        LANGUAGE_NAME,
        &[
            may("language", Keyword(&dwarf::ALL_LANGUAGES)),
            may("name", Keyword(&dwarf::LANGUAGE_NAMES)),
            may("version", OptionalUnsigned(32)),
            may("dialect", Keyword(&dwarf::LANGUAGE_DIALECTS)),
        ],
    ),
];

/// The definition of the attribute with that mnemonic.
pub fn definition(mnemonic: &[u8]) -> Option<&'static FieldsDef> {
    static BY_MNEMONIC: OnceLock<HashMap<&[u8], &FieldsDef>> = OnceLock::new();
    let definitions = BY_MNEMONIC
        .get_or_init(|| ATTRIBUTES.iter().map(|definition| (definition.mnemonic.as_bytes(), definition)).collect());
    definitions.get(mnemonic).copied()
}

/// The mnemonic of the attribute that MLIR 24 has for a language: one that DWARF 5 numbers, or a name of DWARF 6 and a version.
pub(super) const LANGUAGE_NAME: &str = "di_source_language_name";

/// Checks that a language is a number, or a name and a version.
///
/// # Errors
/// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification), saying what is missing or too much.
pub(super) fn verify_language_name(parameters: &[Parameter]) -> Result<()> {
    let wrong = match parameters {
        [Parameter::Unsigned(0), Parameter::Unsigned(0), ..]
        | [Parameter::Unsigned(1..), Parameter::Unsigned(1..), ..] => "a language is either a `language` or a `name`",
        [Parameter::Unsigned(1..), _, Parameter::Unsigned(_), _] => "a `language` has no `version`",
        [_, Parameter::Unsigned(1..), Parameter::None, _] => "the `name` of a language asks for a `version`",
        _ => return Ok(()),
    };
    Err(Error::verification(wrong))
}

/// The language that an attribute names, by its number where that is all it says.
fn language(context: &Context, name: Handle) -> Parameter {
    match context.attribute_parameters(name, DIALECT, LANGUAGE_NAME) {
        Some(&[Parameter::Unsigned(number), Parameter::Unsigned(0), Parameter::None, Parameter::Unsigned(0)])
            if dwarf::LANGUAGES.name(number).is_some() =>
        {
            Parameter::Unsigned(number)
        }
        _ => Parameter::Attribute(name),
    }
}

/// The attribute that MLIR 24 has for a language; `None` where the number has no word.
fn language_name(context: &Context, number: u64) -> Option<Handle> {
    dwarf::LANGUAGES.name(number)?;
    let parameters = [Parameter::Unsigned(number), Parameter::Unsigned(0), Parameter::None, Parameter::Unsigned(0)];
    Some(context.dialect_attribute(DIALECT, LANGUAGE_NAME, parameters))
}

/// Whether the attribute is an address space.
pub(super) fn is_address_space(context: &Context, attribute: Handle) -> bool {
    context.attribute_parameters(attribute, DIALECT, "address_space").is_some()
}

/// A parameter of an attribute, by its name in text.
///
/// `None` for other attributes, and for names that the attribute does not have.
pub fn parameter<'c>(context: &'c Context, attribute: Handle, name: &str) -> Option<&'c Parameter> {
    let AttributeData::Dialect(value) = &context[attribute] else { return None };
    if context.bytes(value.dialect) != DIALECT.as_bytes() {
        return None;
    }
    value.parameters.get(definition(context.bytes(value.mnemonic))?.position(name)?)
}
