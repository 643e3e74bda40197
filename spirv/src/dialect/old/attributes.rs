//! Attributes as they were: enumerants as integers or strings, and dictionaries for what has an attribute of its own today.

use mlirbc_ir::fields::{AttributeClass, Field, FieldKind};
use mlirbc_ir::ods::OpDef;
use mlirbc_ir::text::Parser;
use mlirbc_ir::verify::dialect_attribute;
use mlirbc_ir::{Attribute, AttributeData, Context, Identifier, NamedAttribute, Numbers, Parameter, Result};

use super::{FORMER, enumerant, wrong};
use crate::dialect::abi::EntryPointAbi;
use crate::dialect::attributes::{self, TargetEnvironment, Triple, UNKNOWN};
use crate::dialect::{DIALECT, EnumKind};

/// Attributes of operations that have another name today.
const RENAMED: [(&str, &str, &str); 4] = [
    ("spirv.func", "type", "function_type"),
    ("spirv.GlobalVariable", "descriptorSet", "descriptor_set"),
    ("spirv.GlobalVariable", "builtin", "built_in"),
    ("spirv.ImageDrefGather", "imageoperands", "image_operands"),
];

/// Attributes that went without saying in the first years. They are masks, without a bit.
const IMPLIED: [EnumKind; 3] = [EnumKind::FunctionControl, EnumKind::LoopControl, EnumKind::SelectionControl];

/// The enum that an attribute of an operation is a case of.
fn kind_of(operation: &OpDef, name: &[u8]) -> Option<EnumKind> {
    let attributes = operation.attributes();
    let attribute = attributes.iter().find(|attribute| attribute.name.as_bytes() == name)?;
    let (dialect, mnemonic) = dialect_attribute(&attribute.constraint.storage)?;
    EnumKind::of_mnemonic(mnemonic.as_bytes()).filter(|_| dialect == DIALECT)
}

/// A number of 32 bits, whatever its sign.
fn word(context: &Context, value: Attribute) -> Option<u32> {
    match &context[value] {
        AttributeData::Integer { value, .. } => match value.to_i64() {
            Some(number) if (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&number) => Some(number as u32),
            _ => None,
        },
        _ => None,
    }
}

/// No list of old had more numbers.
const MOST: u64 = 16;

/// The numbers of a list, or of dense elements.
fn words(context: &Context, value: Attribute) -> Option<Vec<u32>> {
    match &context[value] {
        AttributeData::Array(items) => items.iter().map(|&item| word(context, item)).collect(),
        _ => {
            let numbers = Numbers::of(context, value).filter(|numbers| numbers.count <= MOST)?;
            let number = |at| Some(i32::try_from(numbers.get(at).to_i64()?).ok()? as u32);
            (0..numbers.count).map(number).collect()
        }
    }
}

fn text(context: &Context, value: Attribute) -> Option<&str> {
    match &context[value] {
        AttributeData::String { value, .. } => std::str::from_utf8(value).ok(),
        _ => None,
    }
}

/// An enumerant from its number or its text.
fn enumerant_of(context: &Context, kind: EnumKind, value: Attribute) -> Option<u32> {
    word(context, value).or_else(|| enumerant(kind, text(context, value)?))
}

/// An attribute of an operation.
pub(super) fn of_operation(context: &Context, operation: &OpDef, entry: NamedAttribute) -> Result<NamedAttribute> {
    let (name, value) = entry;
    let old = context.bytes(name);
    let renamed = RENAMED.iter().find(|of| of.0 == operation.name && of.1.as_bytes() == old);
    let name = renamed.map_or(name, |of| context.static_identifier(of.2));
    let own = context.bytes(name);
    if own == b"built_in"
        && let Some(known) = text(context, value).and_then(|text| enumerant(EnumKind::BuiltIn, text))
        && let Some(known) = EnumKind::BuiltIn.name(known)
    {
        return Ok((name, context.string(known)));
    }
    if matches!(own, b"operand_segment_sizes" | b"operandSegmentSizes")
        && let Some(sizes) = words(context, value)
    {
        let data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        let sizes = AttributeData::DenseArray { element: context.integer_type(32), data: data.into() };
        return Ok((name, context.attribute(sizes)));
    }
    match (kind_of(operation, own), &context[value]) {
        (Some(kind), AttributeData::Integer { .. } | AttributeData::String { .. }) => {
            match enumerant_of(context, kind, value) {
                Some(number) => Ok((name, attributes::enumerant(context, kind, number))),
                None => Err(wrong(format!(
                    "no case of `#{DIALECT}.{}` is what `{}` was",
                    kind.mnemonic(),
                    old.escape_ascii()
                ))),
            }
        }
        _ => Ok((name, value)),
    }
}

/// Adds what went without saying, and what a module said in other words.
pub(super) fn complete(context: &Context, operation: &OpDef, entries: &mut Vec<NamedAttribute>) {
    for attribute in operation.attributes() {
        let name = context.identifier(&attribute.name);
        if let Some(kind) = kind_of(operation, attribute.name.as_bytes()).filter(|kind| IMPLIED.contains(kind))
            && !entries.iter().any(|entry| entry.0 == name)
        {
            entries.push((name, attributes::enumerant(context, kind, 0)));
        }
    }
    let triple = context.static_identifier("vce_triple");
    let says =
        ["capabilities", "extensions", "major_version"].iter().any(|name| find(context, entries, name).is_some());
    if operation.name == "spirv.module"
        && says
        && !entries.iter().any(|entry| entry.0 == triple)
        && let Some(found) = triple_of(context, entries)
    {
        entries.retain(|entry| !TRIPLE.iter().any(|name| name.as_bytes() == context.bytes(entry.0)));
        entries.push((triple, attributes::vce(context, &found)));
    }
}

/// What says together what a module needs.
const TRIPLE: [&str; 5] = ["version", "major_version", "minor_version", "capabilities", "extensions"];

fn find(context: &Context, entries: &[NamedAttribute], name: &str) -> Option<Attribute> {
    entries.iter().find(|entry| context.bytes(entry.0) == name.as_bytes()).map(|entry| entry.1)
}

/// What these say together; `None` where they say nothing, or something else.
fn triple_of(context: &Context, entries: &[NamedAttribute]) -> Option<Triple> {
    let list = |name| match find(context, entries, name).map(|list| &context[list]) {
        None => Some(&[][..]),
        Some(AttributeData::Array(items)) => Some(&**items),
        Some(_) => None,
    };
    TRIPLE.iter().find(|name| find(context, entries, name).is_some())?;
    let version = ["version", "minor_version"].iter().find_map(|name| find(context, entries, name));
    let capability = |&item: &Attribute| enumerant_of(context, EnumKind::Capability, item);
    let extension = |&item: &Attribute| Some(text(context, item)?.as_bytes().into());
    Some(Triple {
        version: match version {
            Some(version) => enumerant_of(context, EnumKind::Version, version)?,
            None => 0,
        },
        capabilities: list("capabilities")?.iter().map(capability).collect::<Option<_>>()?,
        extensions: list("extensions")?.iter().map(extension).collect::<Option<_>>()?,
    })
}

/// An entry of any dictionary whose name begins with that of the dialect.
pub(super) fn of_dictionary(context: &Context, entry: NamedAttribute) -> Result<NamedAttribute> {
    let (name, value) = entry;
    let own = String::from_utf8_lossy(context.bytes(name));
    let own = own.strip_prefix(FORMER).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
    let name: Identifier = context.identifier(format!("{DIALECT}.{own}"));
    let AttributeData::Dictionary(entries) = &context[value] else { return Ok((name, value)) };
    let made = match own {
        "entry_point_abi" => entry_point_of(context, entries),
        "interface_var_abi" => interface_variable(context, entries),
        "target_env" => target_environment(context, entries),
        _ => return Ok((name, value)),
    };
    match made {
        Some(made) => Ok((name, made)),
        None => Err(wrong(format!("`#{DIALECT}.{own}` does not say what stands here"))),
    }
}

/// `{local_size = dense<[32, 1, 1]> : vector<3xi32>}`
fn entry_point_of(context: &Context, entries: &[NamedAttribute]) -> Option<Attribute> {
    let size = match entries {
        [] => None,
        [(name, size)] if context.bytes(*name) == b"local_size" => Some(words(context, *size)?),
        _ => return None,
    };
    let workgroup_size = size.map(|size| size.into_iter().map(|word| word as i32).collect());
    Some(EntryPointAbi { workgroup_size, ..EntryPointAbi::default() }.attribute(context))
}

/// `{binding = 0 : i32, descriptor_set = 0 : i32, storage_class = 12 : i32}`
fn interface_variable(context: &Context, entries: &[NamedAttribute]) -> Option<Attribute> {
    let number = |name| word(context, find(context, entries, name)?);
    let class = match find(context, entries, "storage_class") {
        Some(class) => Some(enumerant_of(context, EnumKind::StorageClass, class)?),
        None => None,
    };
    Some(attributes::interface_variable(context, number("descriptor_set")?, number("binding")?, class))
}

/// `{version = 0 : i32, extensions = [], capabilities = [0 : i32], limits = {}}`
fn target_environment(context: &Context, entries: &[NamedAttribute]) -> Option<Attribute> {
    let triple = attributes::vce(context, &triple_of(context, entries)?);
    let limits = match find(context, entries, "limits") {
        Some(given) => limits(context, given)?,
        None => attributes::default_limits(context),
    };
    let (api, vendor, device_type, device) = (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
    let environment = TargetEnvironment { triple, api, vendor, device_type, device, limits };
    Some(attributes::target_environment(context, &environment))
}

/// `{max_compute_workgroup_invocations = 128 : i32, max_compute_workgroup_size = dense<[128, 128, 64]> : vector<3xi32>}`, which is
/// `#spirv.resource_limits` today.
pub(in crate::dialect) fn limits(context: &Context, given: Attribute) -> Option<Attribute> {
    structural(context, b"resource_limits", given)
}

/// The attribute of that mnemonic that says what a dictionary says.
fn structural(context: &Context, mnemonic: &[u8], given: Attribute) -> Option<Attribute> {
    let (AttributeData::Dictionary(entries), Some(definition)) = (&context[given], attributes::definition(mnemonic))
    else {
        return None;
    };
    let fields = definition.fields;
    if !entries.iter().all(|entry| fields.iter().any(|field| field.name.as_bytes() == context.bytes(entry.0))) {
        return None;
    }
    let parameters = fields.iter().map(|field| match find(context, entries, field.name) {
        Some(value) => parameter(context, field, value),
        None => Some(field.absent(context)),
    });
    attributes::structural(context, definition, parameters.collect::<Option<Box<[_]>>>()?)
}

fn parameter(context: &Context, field: &Field, value: Attribute) -> Option<Parameter> {
    Some(match (field.kind, &context[value]) {
        (FieldKind::Signed(_), _) => Parameter::Signed((word(context, value)? as i32).into()),
        (FieldKind::Type, AttributeData::Type(ty)) => Parameter::Type(*ty),
        (FieldKind::Attribute(AttributeClass::Of(_, mnemonic)), _) => {
            let kind = EnumKind::of_mnemonic(mnemonic.as_bytes())?;
            Parameter::Attribute(attributes::enumerant(context, kind, enumerant_of(context, kind, value)?))
        }
        (FieldKind::Attribute(AttributeClass::Array), data) => {
            let number = |word: u32| context.integer(64, (word as i32).into());
            let items: Box<[Attribute]> = match (words(context, value), data) {
                (Some(numbers), _) => numbers.into_iter().map(number).collect(),
                (None, AttributeData::Array(items)) => {
                    let matrix = |&item: &Attribute| structural(context, b"coop_matrix_props_nv", item);
                    items.iter().map(matrix).collect::<Option<_>>()?
                }
                (None, _) => return None,
            };
            Parameter::Attribute(context.attribute(AttributeData::Array(items)))
        }
        _ => return None,
    })
}

/// `<local_size = dense<[32, 1, 1]> : vector<3xi32>>`, behind the mnemonic.
pub(super) fn entry_point(parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    let made = |context: &Context, entries: &[NamedAttribute]| entry_point_of(context, entries);
    in_brackets(parser, made, "expected the numbers of `local_size`")
}

/// `<m_size = 8, n_size = 8, k_size = 32, a_type = i8, ..., scope = 3 : i32>`, behind the mnemonic.
pub(super) fn cooperative_matrix(parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    let made = |context: &Context, entries: &[NamedAttribute]| {
        let fields = attributes::definition(b"coop_matrix_props_nv")?.fields;
        let given = context.dictionary_of(&mut entries.to_vec()).ok().filter(|_| entries.len() == fields.len());
        structural(context, b"coop_matrix_props_nv", given?)
    };
    in_brackets(parser, made, "expected the sizes, types and scope of a cooperative matrix")
}

/// The parameters of what is made of entries in brackets.
fn in_brackets(
    parser: &mut Parser<'_>,
    make: impl Fn(&Context, &[NamedAttribute]) -> Option<Attribute>,
    expected: &str,
) -> Result<Box<[Parameter]>> {
    let mut entries = Vec::new();
    parser.expect(b'<')?;
    let start = parser.here();
    parser.list(b'>', |parser| {
        let name = parser.context().identifier(parser.word());
        parser.expect(b'=')?;
        entries.push((name, parser.attribute()?));
        Ok(())
    })?;
    let context = parser.context();
    match make(context, &entries).and_then(|made| attributes::parts(context, made)) {
        Some(value) => Ok(value.parameters.clone()),
        None => Err(parser.error_at(start, expected)),
    }
}
