//! What operations and enumerants are available with: MLIR's definitions say it, and of what these lack the grammar.

use std::fmt;
use std::sync::OnceLock;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::EnumDef;

use crate::dialect::EnumKind;
use crate::dialect::table::mlir;
use crate::grammar::{Instruction, Kind};

/// One condition under which something is available.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Need {
    /// A minor version of SPIR-V 1, or a later one.
    Least(u32),
    /// A minor version of SPIR-V 1, or an earlier one.
    Most(u32),
    /// A minor version of SPIR-V 1, or a later one; or one of these extensions, which were there before it.
    Since(u32, &'static [&'static str]),
    /// One of these extensions.
    Extension(&'static [&'static str]),
    /// One of these enumerants of `Capability`.
    Capability(&'static [u32]),
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Least(minor) => write!(f, "version 1.{minor}"),
            Need::Most(minor) => write!(f, "at most version 1.{minor}"),
            Need::Since(minor, names) => write!(f, "version 1.{minor} or extension {}", names.join(" or ")),
            Need::Extension(names) => write!(f, "extension {}", names.join(" or ")),
            Need::Capability(numbers) => {
                let names: Vec<_> = numbers.iter().map(|&number| EnumKind::Capability.show(number)).collect();
                write!(f, "capability {}", names.join(" or "))
            }
        }
    }
}

/// What an operation or enumerant is available with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Availability {
    /// The first minor version that has it, where one is said.
    pub least: Option<u32>,
    /// The last minor version that has it, where one is said.
    pub most: Option<u32>,
    /// The extensions of which one is needed; none where that is empty.
    pub extensions: Vec<&'static str>,
    /// The capabilities of which one is needed; none where that is empty.
    pub capabilities: Vec<u32>,
}

/// What MLIR says of an operation.
pub(super) struct OfOperation {
    pub(super) own: Availability,
    /// The attributes whose enumerants have needs of their own, in order.
    pub(super) attributes: Vec<OfAttribute>,
}

pub(super) struct OfAttribute {
    pub(super) name: String,
    pub(super) kind: EnumKind,
    /// Whether it may be absent: MLIR's interfaces do not look at such attributes.
    pub(super) optional: bool,
}

impl Availability {
    /// That of an operation by its full name, without that of its attributes and types. `None` where it is unknown.
    pub fn of_name(name: &str) -> Option<&'static Availability> {
        match operation(name) {
            Some(found) => Some(&found.own),
            None => {
                let (_, rest) = name.split_once('.')?;
                of_instruction(Instruction::find(rest).or_else(|| Instruction::find(rest.strip_prefix("Op")?))?.opcode)
            }
        }
    }

    /// That of an enumerant, or of a single bit of a mask. `None` where nothing is known of it.
    pub fn of(kind: EnumKind, value: u32) -> Option<&'static Availability> {
        Self::of_mlir(kind, value).or_else(|| of_grammar(kind.grammar()?, value))
    }

    /// The same, of those that MLIR knows.
    pub(super) fn of_mlir(kind: EnumKind, value: u32) -> Option<&'static Availability> {
        static TABLES: [OnceLock<HashMap<u32, Availability>>; EnumKind::ALL.len()] =
            [const { OnceLock::new() }; EnumKind::ALL.len()];
        let table = TABLES[kind as usize].get_or_init(|| {
            let cases = upstream(kind).map(|definition| definition.cases).unwrap_or_default();
            cases.iter().map(|case| (case.value as u32, of_facts(&case.facts))).collect()
        });
        table.get(&value)
    }

    /// What an enumerant, or a single bit of a mask, needs: MLIR's conditions, and beside each version the extensions that had it before.
    pub(crate) fn needs_of(kind: EnumKind, value: u32) -> impl Iterator<Item = Need> {
        let needs = Self::of(kind, value).into_iter().flat_map(Self::needs);
        needs.map(move |need| match need {
            Need::Least(least) => match extensions_with(kind, value) {
                [] => need,
                _ if Self::of(kind, value).is_some_and(|found| !found.extensions.is_empty()) => need,
                names => Need::Since(least, names),
            },
            _ => need,
        })
    }

    /// Its conditions, one by one.
    pub fn needs(&'static self) -> impl Iterator<Item = Need> {
        let extensions = (!self.extensions.is_empty()).then_some(Need::Extension(&self.extensions));
        let capabilities = (!self.capabilities.is_empty()).then_some(Need::Capability(&self.capabilities));
        let versions = self.least.map(Need::Least).into_iter().chain(self.most.map(Need::Most));
        versions.chain(extensions).chain(capabilities)
    }
}

/// A case, or the bits of a mask, one by one.
pub(super) fn singles(kind: EnumKind, value: u32) -> impl Iterator<Item = u32> {
    let bits = (0..32).map(move |bit| value & 1 << bit).filter(|bit| *bit != 0);
    let case = (!kind.is_mask()).then_some(value);
    bits.filter(move |_| kind.is_mask()).chain(case)
}

/// The extensions that an enumerant can be had with: those that MLIR says, and where that says a version alone, the one that had it before.
pub(super) fn extensions_with(kind: EnumKind, value: u32) -> &'static [&'static str] {
    let Some(found) = Availability::of(kind, value) else { return &[] };
    if !found.extensions.is_empty() || found.least.is_none() {
        return &found.extensions;
    }
    let name = kind.name(value).unwrap_or_default();
    match (kind, name) {
        (EnumKind::Capability, "DemoteToHelperInvocation") => &["SPV_EXT_demote_to_helper_invocation"],
        (EnumKind::Capability, "ShaderNonUniform" | "RuntimeDescriptorArray") => &["SPV_EXT_descriptor_indexing"],
        (EnumKind::Capability, name) if name.starts_with("DotProduct") => &["SPV_KHR_integer_dot_product"],
        (EnumKind::Capability, name) if name.ends_with("Indexing") => &["SPV_EXT_descriptor_indexing"],
        (EnumKind::Capability, name) if name.starts_with("VulkanMemoryModel") => &["SPV_KHR_vulkan_memory_model"],
        (EnumKind::Decoration, "NonUniform") => &["SPV_EXT_descriptor_indexing"],
        (EnumKind::Decoration, "CounterBuffer" | "UserSemantic") => &["SPV_GOOGLE_hlsl_functionality1"],
        (EnumKind::BuiltIn, name) if name.ends_with("Mask") => &["SPV_KHR_shader_ballot"],
        (EnumKind::Scope, "QueueFamily") => &["SPV_KHR_vulkan_memory_model"],
        (EnumKind::MemoryAccess | EnumKind::ImageOperands | EnumKind::MemorySemantics, _) if found.least == Some(5) => {
            &["SPV_KHR_vulkan_memory_model"]
        }
        _ => &[],
    }
}

/// The capabilities that a capability stands for as well, directly, in order.
pub fn implied(capability: u32) -> &'static [u32] {
    static IMPLIED: OnceLock<HashMap<u32, Vec<u32>>> = OnceLock::new();
    let table = IMPLIED.get_or_init(|| {
        let definition = upstream(EnumKind::Capability).unwrap_or_default();
        let implied = |facts: &[(String, String)]| {
            symbols(facts, "implies").filter_map(|symbol| Some(definition.case(symbol)?.value as u32)).collect()
        };
        let known = definition.cases.iter().map(|case| (case.value as u32, implied(&case.facts)));
        let mut table: HashMap<u32, Vec<u32>> = known.collect();
        // What the grammar says of a capability that MLIR lacks: the first of those that one of is needed.
        for value in (0..1 << 13).filter(|&value| EnumKind::Capability.name(value).is_some()) {
            if let (false, Some(found)) = (table.contains_key(&value), of_grammar(Kind::Capability, value)) {
                table.insert(value, found.capabilities.first().copied().into_iter().collect());
            }
        }
        table
    });
    table.get(&capability).map_or(&[], |list| list)
}

fn upstream(kind: EnumKind) -> Option<EnumDef> {
    if kind.upstream().is_empty() { None } else { mlir().enumeration(&format!("spirv::{}", kind.upstream())) }
}

/// What MLIR's definitions say of an operation.
pub(super) fn operation(name: &str) -> Option<&'static OfOperation> {
    static TABLE: OnceLock<HashMap<String, OfOperation>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let kinds: HashMap<String, EnumKind> =
            EnumKind::ALL.iter().map(|&kind| (format!("spirv::{}", kind.upstream()), kind)).collect();
        let make = |op: mlirbc_ir::ods::OpDef| {
            let attributes = op.attributes().iter();
            let attributes = attributes.filter_map(|attribute| {
                let kind = kinds.get(attribute.constraint.enumeration.as_deref()?)?;
                let optional = attribute.optional || attribute.default.is_some();
                Some(OfAttribute { name: attribute.name.clone(), kind: *kind, optional })
            });
            let found = OfOperation { own: of_facts(&op.details().facts), attributes: attributes.collect() };
            (op.name, found)
        };
        mlir().iter().map(make).collect()
    });
    table.get(name)
}

/// The enumerants that a fact lists.
fn symbols<'f>(facts: &'f [(String, String)], name: &str) -> impl Iterator<Item = &'f str> {
    let found = facts.iter().find(|fact| fact.0 == name);
    found.into_iter().flat_map(|fact| fact.1.split('|'))
}

fn of_facts(facts: &[(String, String)]) -> Availability {
    let version = |name| symbols(facts, name).next()?.rsplit('_').next()?.parse().ok();
    Availability {
        least: version("minVersion"),
        most: version("maxVersion"),
        extensions: symbols(facts, "extensions").filter_map(extension_name).collect(),
        capabilities: symbols(facts, "capabilities").filter_map(capability_named).collect(),
    }
}

/// The names of extensions, by what code calls them.
fn extension_names() -> &'static HashMap<String, String> {
    static NAMES: OnceLock<HashMap<String, String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let cases = mlir().enumeration("spirv::Extension").unwrap_or_default().cases;
        cases.into_iter().map(|case| (case.symbol, case.text)).collect()
    })
}

/// The name of an extension that lives as long as the process.
fn extension_name(name: &str) -> Option<&'static str> {
    extension_names().get(name).map(String::as_str)
}

/// Whether an extension is known: to MLIR, or since something needs it.
pub(crate) fn is_extension(name: &str) -> bool {
    extension_names().values().any(|known| known == name) || named().extensions.contains(name)
}

/// The capability that code calls so.
fn capability_named(symbol: &str) -> Option<u32> {
    static NAMES: OnceLock<HashMap<String, u32>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let cases = upstream(EnumKind::Capability).unwrap_or_default().cases;
        cases.into_iter().map(|case| (case.symbol, case.value as u32)).collect()
    });
    names.get(symbol).copied()
}

/// Since which minor version there are instructions that MLIR has no operation for: the grammar that `rspirv` carries does not say it.
const SINCE: [(&str, u32); 9] = [
    ("ModuleProcessed", 1),
    ("ExecutionModeId", 2),
    ("DecorateId", 2),
    ("CopyLogical", 4),
    ("PtrEqual", 4),
    ("PtrNotEqual", 4),
    ("DecorateString", 4),
    ("MemberDecorateString", 4),
    ("TerminateInvocation", 6),
];

/// What the grammar says of an instruction.
pub(super) fn of_instruction(opcode: u16) -> Option<&'static Availability> {
    static TABLE: OnceLock<HashMap<u16, Availability>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let each = Instruction::needs().map(|(opcode, capabilities, extensions)| {
            let name = Instruction::of(opcode).map_or("", |instruction| instruction.name);
            let least = SINCE.iter().find(|known| known.0 == name).map(|known| known.1);
            (opcode, Availability { least, most: None, capabilities, extensions: extensions.to_vec() })
        });
        each.collect()
    });
    table.get(&opcode)
}

/// What the grammar says of an enumerant, or of one bit of a mask.
pub(super) fn of_grammar(kind: Kind, value: u32) -> Option<&'static Availability> {
    static TABLES: [OnceLock<HashMap<u32, Availability>>; Kind::ALL.len()] =
        [const { OnceLock::new() }; Kind::ALL.len()];
    let table = TABLES[kind as usize].get_or_init(|| {
        let each =
            kind.needs().map(|(value, capabilities)| (value, Availability { capabilities, ..Default::default() }));
        each.collect()
    });
    table.get(&value)
}

/// What definitions say that something needs.
#[derive(Default)]
pub(super) struct Named {
    pub(super) capabilities: HashSet<u32>,
    pub(super) extensions: HashSet<&'static str>,
}

/// All capabilities and extensions of which a definition says that something other than a capability needs them.
pub(super) fn named() -> &'static Named {
    static NAMED: OnceLock<Named> = OnceLock::new();
    NAMED.get_or_init(|| {
        let mut named = Named::default();
        let mut add = |found: &'static Availability, is_capability: bool| {
            named.extensions.extend(&found.extensions);
            if !is_capability {
                named.capabilities.extend(&found.capabilities);
            }
        };
        mlir().iter().filter_map(|op| operation(&op.name)).for_each(|found| add(&found.own, false));
        Instruction::needs().filter_map(|(opcode, ..)| of_instruction(opcode)).for_each(|found| add(found, false));
        for &kind in EnumKind::ALL {
            let values = (0..1 << 13).chain((13..32).map(|bit| 1 << bit));
            let known = values.filter(|&value| kind.name(value).is_some());
            let known = known.filter_map(|value| Availability::of(kind, value));
            known.for_each(|found| add(found, kind == EnumKind::Capability));
        }
        named
    })
}
