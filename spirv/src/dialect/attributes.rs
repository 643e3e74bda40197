//! The attributes of the dialect: made by the functions here, taken apart by [`view`] and [`enumerant_of`].
//!
//! | attribute | text | parameters |
//! | --- | --- | --- |
//! | [`enumerant`] | `#spirv.storage_class<Uniform>` | the number of the enumerant, or the bits of a mask |
//! | [`extension`] | `#spirv.ext<SPV_KHR_multiview>` | a string |
//! | [`vce`] | `#spirv.vce<v1.5, [Shader], [SPV_KHR_multiview]>` | version, capabilities, extensions |
//! | [`interface_variable`] | `#spirv.interface_var_abi<(0, 1), Uniform>` | set, binding, storage class or none |
//! | [`target_environment`] | `#spirv.target_env<#spirv.vce<...>, api=Vulkan, ...>` | triple, API, vendor, device, limits |
//! | [`EntryPointAbi`](super::abi::EntryPointAbi) | `#spirv.entry_point_abi<workgroup_size = [64, 1, 1]>` | three numbers or lists of them |
//! | [`ResourceLimits`](super::abi::ResourceLimits) | `#spirv.resource_limits<subgroup_size = 64>` | numbers, and kinds of matrices |
//! | [`structural`] | `#spirv.linkage_attributes<linkage_name = "x", ...>` | those of its [definition](DEFINITIONS) |

use std::sync::OnceLock;

use hashbrown::HashMap;
use mlirbc_ir::fields::{AttributeClass, DefaultValue, Enumeration, Field, FieldKind, FieldsDef};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::text::{Elision, Parser, Printer, Scope};

use mlirbc_ir::{Attribute, AttributeData, Context, DialectValue, Parameter, Signedness, TypeData};

use super::{DIALECT, EnumKind};

/// What a version, a set of capabilities and a set of extensions are.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Triple {
    /// The minor version: 5 of 1.5. An enumerant of [`EnumKind::Version`].
    pub version: u32,
    /// Enumerants of `Capability`, in order.
    pub capabilities: Vec<u32>,
    /// Names of extensions, in order.
    pub extensions: Vec<Box<[u8]>>,
}

/// What an attribute of the dialect that is no enumerant is.
#[derive(Clone, Debug)]
pub enum SpirvAttribute<'c> {
    /// An enumerant of an enum, by its number.
    Enumerant(EnumKind, u32),
    /// The name of an extension.
    Extension(&'c [u8]),
    /// A version, capabilities and extensions.
    Vce(Triple),
    /// Where a resource is bound.
    InterfaceVariable {
        /// The descriptor set.
        set: u32,
        /// The binding in it.
        binding: u32,
        /// The storage class, if one is given.
        class: Option<u32>,
    },
    /// What code is compiled for.
    TargetEnvironment(TargetEnvironment),
    /// The parameters are of the kinds that the definition says.
    Structural(&'static FieldsDef, &'c [Parameter]),
}

/// What code is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TargetEnvironment {
    /// A [`vce`].
    pub triple: Attribute,
    /// An enumerant of [`EnumKind::ClientApi`].
    pub api: u32,
    /// An enumerant of [`EnumKind::Vendor`].
    pub vendor: u32,
    /// An enumerant of [`EnumKind::DeviceType`].
    pub device_type: u32,
    /// The device; [`UNKNOWN`] where it is not known.
    pub device: u32,
    /// A `#spirv.resource_limits`.
    pub limits: Attribute,
}

/// API, vendor, type and number of a device of which nothing is known.
pub const UNKNOWN: u32 = u32::MAX;

const fn array(name: &'static str) -> Field {
    Field::optional(name, FieldKind::Attribute(AttributeClass::Array))
}

/// An enumerant, whose text leaves out what enum it is of.
const fn enumerant_field(name: &'static str, kind: EnumKind) -> Field {
    Field::required(name, FieldKind::Attribute(AttributeClass::Of(DIALECT, kind.mnemonic())))
}

const WORD: FieldKind = FieldKind::Unsigned(32);
const SIGNED: FieldKind = FieldKind::Signed(32);

macro_rules! enumeration {
    ($kind:expr) => {
        Enumeration {
            name: $kind.mnemonic(),
            word: |number| $kind.name(number),
            number: |word| $kind.value(std::str::from_utf8(word).ok()?),
        }
    };
}

static LOAD_CACHE_CONTROL: Enumeration = enumeration!(EnumKind::LoadCacheControl);
static STORE_CACHE_CONTROL: Enumeration = enumeration!(EnumKind::StoreCacheControl);

/// The attributes that are a list of named parameters. Bytecode has a bit for each parameter that text shows, and
/// these.
pub static DEFINITIONS: [FieldsDef; 7] = [
    FieldsDef {
        mnemonic: "linkage_attributes",
        code: Some(4),
        fields: &[
            Field::required("linkage_name", FieldKind::Attribute(AttributeClass::String)),
            enumerant_field("linkage_type", EnumKind::LinkageType),
        ],
    },
    FieldsDef {
        mnemonic: "entry_point_abi",
        code: Some(5),
        fields: &[
            Field::optional("workgroup_size", FieldKind::SignedList(32)),
            Field::optional("subgroup_size", SIGNED),
            Field::optional("target_width", SIGNED),
        ],
    },
    FieldsDef {
        mnemonic: "resource_limits",
        code: Some(6),
        fields: &[
            Field::optional("max_compute_shared_memory_size", SIGNED).or(DefaultValue::Signed(16384)),
            Field::optional("max_compute_workgroup_invocations", SIGNED).or(DefaultValue::Signed(128)),
            array("max_compute_workgroup_size").or(DefaultValue::Integers(&[128, 128, 64])),
            Field::optional("subgroup_size", SIGNED).or(DefaultValue::Signed(32)),
            Field::optional("min_subgroup_size", SIGNED),
            Field::optional("max_subgroup_size", SIGNED),
            array("cooperative_matrix_properties_khr"),
            array("cooperative_matrix_properties_nv"),
        ],
    },
    FieldsDef {
        mnemonic: "coop_matrix_props_khr",
        code: Some(7),
        fields: &[
            Field::required("m_size", WORD),
            Field::required("n_size", WORD),
            Field::required("k_size", WORD),
            Field::required("a_type", FieldKind::Type),
            Field::required("b_type", FieldKind::Type),
            Field::required("c_type", FieldKind::Type),
            Field::required("result_type", FieldKind::Type),
            Field::required("acc_sat", FieldKind::Bool),
            enumerant_field("scope", EnumKind::Scope),
        ],
    },
    FieldsDef {
        mnemonic: "coop_matrix_props_nv",
        code: Some(8),
        fields: &[
            Field::required("m_size", SIGNED),
            Field::required("n_size", SIGNED),
            Field::required("k_size", SIGNED),
            Field::required("a_type", FieldKind::Type),
            Field::required("b_type", FieldKind::Type),
            Field::required("c_type", FieldKind::Type),
            Field::required("result_type", FieldKind::Type),
            enumerant_field("scope", EnumKind::Scope),
        ],
    },
    FieldsDef {
        mnemonic: "cache_control_load_intel",
        code: Some(9),
        fields: &[
            Field::required("cache_level", WORD),
            Field::required("load_cache_control", FieldKind::Case(&LOAD_CACHE_CONTROL)),
        ],
    },
    FieldsDef {
        mnemonic: "cache_control_store_intel",
        code: Some(10),
        fields: &[
            Field::required("cache_level", WORD),
            Field::required("store_cache_control", FieldKind::Case(&STORE_CACHE_CONTROL)),
        ],
    },
];

/// The definition of that mnemonic.
pub fn definition(mnemonic: &[u8]) -> Option<&'static FieldsDef> {
    DEFINITIONS.iter().find(|definition| definition.mnemonic.as_bytes() == mnemonic)
}

fn word(number: u32) -> Parameter {
    Parameter::Unsigned(number.into())
}

pub(super) fn make(
    context: &Context,
    mnemonic: &'static str,
    parameters: impl AsRef<[Parameter]> + Into<Box<[Parameter]>>,
) -> Attribute {
    context.dialect_attribute(DIALECT, mnemonic, parameters)
}

/// A case of an enum, or bits of one: `#spirv.memory_access<Volatile|Aligned>`.
pub fn enumerant(context: &Context, kind: EnumKind, value: u32) -> Attribute {
    make(context, kind.mnemonic(), [word(value)])
}

/// The number of an enumerant of that enum; `None` for other attributes.
pub fn enumerant_of(context: &Context, attribute: Attribute, kind: EnumKind) -> Option<u32> {
    let value = parts(context, attribute)?;
    match &*value.parameters {
        [parameter] if context.bytes(value.mnemonic) == kind.mnemonic().as_bytes() => number(parameter),
        _ => None,
    }
}

/// `#spirv.ext<...>`: the name of an extension.
pub fn extension(context: &Context, name: impl AsRef<[u8]>) -> Attribute {
    make(context, "ext", [Parameter::String(name.as_ref().into())])
}

/// `#spirv.vce<...>`: a version, capabilities and extensions.
pub fn vce(context: &Context, triple: &Triple) -> Attribute {
    let capabilities = triple.capabilities.iter().map(|&number| word(number)).collect();
    let extensions = triple.extensions.iter().map(|name| Parameter::String(name.clone())).collect();
    let lists = [Parameter::List(capabilities), Parameter::List(extensions)];
    let [capabilities, extensions] = lists;
    make(context, "vce", [word(triple.version), capabilities, extensions])
}

/// `#spirv.interface_var_abi<(set, binding), class>`
pub fn interface_variable(context: &Context, set: u32, binding: u32, class: Option<u32>) -> Attribute {
    make(context, "interface_var_abi", [word(set), word(binding), class.map_or(Parameter::None, word)])
}

/// `#spirv.target_env<...>`. Of a vendor who is not known, neither is the device.
pub fn target_environment(context: &Context, environment: &TargetEnvironment) -> Attribute {
    let TargetEnvironment { triple, api, vendor, device_type, device, limits } = *environment;
    let device_type = if vendor == UNKNOWN { UNKNOWN } else { device_type };
    let device = if device_type == UNKNOWN { UNKNOWN } else { device };
    let [api, vendor, device_type, device] = [api, vendor, device_type, device].map(word);
    let (triple, limits) = (Parameter::Attribute(triple), Parameter::Attribute(limits));
    make(context, "target_env", [triple, api, vendor, device_type, device, limits])
}

/// An attribute that is a list of named parameters, of those [`DEFINITIONS`]. `None` where these are not its parameters.
pub fn structural(
    context: &Context,
    definition: &'static FieldsDef,
    parameters: impl Into<Box<[Parameter]>>,
) -> Option<Attribute> {
    let parameters = parameters.into();
    definition.verify(context, &parameters).is_ok().then(|| make(context, definition.mnemonic, parameters))
}

/// `#spirv.linkage_attributes<...>`: the name that others see, and an enumerant of `LinkageType`.
pub fn linkage(context: &Context, name: impl AsRef<[u8]>, linkage: u32) -> Attribute {
    let linkage = enumerant(context, EnumKind::LinkageType, linkage);
    let parameters = [context.string(name), linkage].map(Parameter::Attribute);
    make(context, "linkage_attributes", parameters)
}

/// `#spirv.resource_limits<>`: what is taken to be where nothing is said.
pub fn default_limits(context: &Context) -> Attribute {
    let parameters = DEFINITIONS[2].fields.iter().map(|field| field.absent(context));
    make(context, DEFINITIONS[2].mnemonic, parameters.collect::<Box<[_]>>())
}

/// The mnemonic and parameters of an attribute of the dialect.
pub(super) fn parts(context: &Context, attribute: Attribute) -> Option<&DialectValue> {
    match &context[attribute] {
        AttributeData::Dialect(value) if context.bytes(value.dialect) == DIALECT.as_bytes() => Some(value),
        _ => None,
    }
}

/// Whether an attribute of the dialect has that mnemonic, or is kept as text.
pub(super) fn is_of(context: &Context, attribute: Attribute, mnemonic: &str) -> bool {
    match &context[attribute] {
        AttributeData::Text { dialect, .. } => context.bytes(*dialect) == DIALECT.as_bytes(),
        _ => parts(context, attribute).is_some_and(|value| context.bytes(value.mnemonic) == mnemonic.as_bytes()),
    }
}

/// What an attribute of the dialect is; `None` for other attributes, and for what is no well-formed one.
pub fn view(context: &Context, attribute: Attribute) -> Option<SpirvAttribute<'_>> {
    of_value(context, parts(context, attribute)?)
}

fn number(parameter: &Parameter) -> Option<u32> {
    match parameter {
        Parameter::Unsigned(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

pub(super) fn of_value<'c>(context: &'c Context, value: &'c DialectValue) -> Option<SpirvAttribute<'c>> {
    use Parameter::{Attribute as Of, List};
    let mnemonic = context.bytes(value.mnemonic);
    let numbers = |items: &[Parameter]| items.iter().map(number).collect::<Option<Vec<u32>>>();
    Some(match (mnemonic, &*value.parameters) {
        (b"ext", [Parameter::String(name)]) => SpirvAttribute::Extension(name),
        (b"vce", [version, List(capabilities), List(extensions)]) => {
            let string = |item: &Parameter| match item {
                Parameter::String(name) => Some(name.clone()),
                _ => None,
            };
            SpirvAttribute::Vce(Triple {
                version: number(version)?,
                capabilities: numbers(capabilities)?,
                extensions: extensions.iter().map(string).collect::<Option<_>>()?,
            })
        }
        (b"interface_var_abi", [set, binding, class]) => {
            let class = if *class == Parameter::None { None } else { Some(number(class)?) };
            SpirvAttribute::InterfaceVariable { set: number(set)?, binding: number(binding)?, class }
        }
        (b"target_env", [Of(triple), api, vendor, device_type, device, Of(limits)])
            if is_of(context, *triple, "vce") && is_of(context, *limits, DEFINITIONS[2].mnemonic) =>
        {
            SpirvAttribute::TargetEnvironment(TargetEnvironment {
                triple: *triple,
                api: number(api)?,
                vendor: number(vendor)?,
                device_type: number(device_type)?,
                device: number(device)?,
                limits: *limits,
            })
        }
        (_, parameters) => match EnumKind::of_mnemonic(mnemonic) {
            Some(kind) => match parameters {
                [case] => SpirvAttribute::Enumerant(kind, number(case)?),
                _ => return None,
            },
            None => {
                let definition = definition(mnemonic)?;
                definition.verify(context, parameters).ok()?;
                SpirvAttribute::Structural(definition, parameters)
            }
        },
    })
}

/// An operand of a decoration as text shows it, without its type: integers of 32 bits, of 64 where they do not fit, and
/// doubles. What is neither integer nor float is itself.
pub fn untyped(context: &Context, value: Attribute) -> Attribute {
    match &context[value] {
        AttributeData::Integer { ty, value: number } => {
            let shown = match &context[*ty] {
                TypeData::Integer { width: 1, signedness: Signedness::Signless } => return value,
                TypeData::Integer { signedness: Signedness::Unsigned, .. } => {
                    number.to_u64().and_then(|number| i64::try_from(number).ok())
                }
                _ => number.to_i64(),
            };
            match shown {
                None => value,
                Some(shown) if i32::try_from(shown).is_ok() => context.integer(32, shown),
                Some(shown) => context.integer(64, shown),
            }
        }
        AttributeData::Float { .. } => read_back(context, value).unwrap_or(value),
        _ => value,
    }
}

/// What the text of an attribute without its type is.
fn read_back(context: &Context, value: Attribute) -> Option<Attribute> {
    let mut text = Vec::new();
    let mut printer = Printer::new(context, &mut text);
    printer.attribute(value, Elision::Must).ok()?;
    printer.finish().ok()?;
    Parser::new(context, &text, &mut Scope::new()).attribute().ok()
}

/// A number as it stands in a dictionary: `4 : i32`.
pub(crate) fn word_attribute(context: &Context, number: u32) -> Attribute {
    let value = ApInt::from_u64(32, number.into());
    context.attribute(AttributeData::Integer { ty: context.integer_type(32), value })
}

/// The name of the discardable attribute for a decoration: `relaxed_precision`. `None` where the grammar does not know
/// it.
pub fn decoration_name(decoration: u32) -> Option<&'static str> {
    let names = &decoration_names().by_number;
    let at = names.binary_search_by_key(&decoration, |known| known.0).ok()?;
    Some(&names[at].1)
}

/// The decoration that a discardable attribute stands for.
pub fn decoration_of_name(name: &[u8]) -> Option<u32> {
    decoration_names().by_name.get(name).copied()
}

struct DecorationNames {
    by_number: Vec<(u32, String)>,
    by_name: HashMap<Vec<u8>, u32>,
}

fn decoration_names() -> &'static DecorationNames {
    static NAMES: OnceLock<DecorationNames> = OnceLock::new();
    NAMES.get_or_init(|| {
        let name = |number| Some((number, snake_case(EnumKind::Decoration.name(number)?)));
        let by_number: Vec<(u32, String)> = (0..1 << 13).filter_map(name).collect();
        let by_name = by_number.iter().map(|(number, name)| (name.as_bytes().to_vec(), *number)).collect();
        DecorationNames { by_number, by_name }
    })
}

/// `FPFastMathMode` as `fp_fast_math_mode`, as MLIR does it.
pub(crate) fn snake_case(name: &str) -> String {
    let name = name.as_bytes();
    let upper = |at: usize| name.get(at).is_some_and(u8::is_ascii_uppercase);
    let lower = |at: usize| name.get(at).is_some_and(u8::is_ascii_lowercase);
    let mut snake = String::with_capacity(name.len() + 8);
    for (at, &byte) in name.iter().enumerate() {
        snake.push(byte.to_ascii_lowercase().into());
        let word_ends = upper(at) && upper(at + 1) && lower(at + 2);
        if word_ends || (lower(at) || byte.is_ascii_digit()) && upper(at + 1) {
            snake.push('_');
        }
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_have_names() {
        assert_eq!(decoration_name(0), Some("relaxed_precision"));
        assert_eq!(decoration_name(40), Some("fp_fast_math_mode"));
        assert_eq!(decoration_of_name(b"descriptor_set"), Some(34));
        assert_eq!(decoration_of_name(b"cache_control_load_intel"), Some(6442));
        assert_eq!(decoration_of_name(b"sym_name"), None);
        for number in (0..1 << 13).filter(|number| EnumKind::Decoration.name(*number).is_some()) {
            assert_eq!(decoration_of_name(decoration_name(number).expect("a name").as_bytes()), Some(number));
        }
    }

    #[test]
    fn operands_of_decorations_lose_their_types() {
        let context = Context::new();
        let attribute = |text: &str| mlirbc_ir::text::parse_attribute(&context, text.as_bytes()).expect(text);
        for (from, to) in [
            ("5 : i64", "5 : i32"),
            ("-1 : i8", "-1 : i32"),
            ("3 : ui32", "3 : i32"),
            ("4294967295 : i64", "4294967295 : i64"),
            ("4294967295 : i32", "-1 : i32"),
            ("true", "true"),
            ("1.5 : f32", "1.5 : f64"),
            ("\"x\"", "\"x\""),
        ] {
            assert_eq!(untyped(&context, attribute(from)), attribute(to), "{from}");
        }
    }

    /// The definitions are those of MLIR's tables.
    #[test]
    fn definitions_are_those_of_mlir() {
        let table = super::super::table::mlir();
        let mut count = 0;
        for known in table.attribute_definitions().filter(|known| known.name.starts_with("spirv.")) {
            let mnemonic = &known.name["spirv.".len()..];
            count += 1;
            if known.enumeration.is_some() {
                assert!(mnemonic == "ext" || EnumKind::of_mnemonic(mnemonic.as_bytes()).is_some(), "{mnemonic}");
                continue;
            }
            let own = definition(mnemonic.as_bytes()).expect(mnemonic);
            let names: Vec<&str> = known.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let fields: Vec<&str> = own.fields.iter().map(|field| field.name).collect();
            assert_eq!(names, fields, "{mnemonic}");
            for (known, own) in known.parameters.iter().zip(own.fields) {
                assert_eq!(known.optional, !own.required, "{mnemonic} {}", own.name);
            }
        }
        assert_eq!(count, 39 + DEFINITIONS.len());
    }
}
