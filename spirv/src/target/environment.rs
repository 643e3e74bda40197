//! What a target has.

use hashbrown::HashSet;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, AttributeData, BodyId, Context, Error, Module, OpRef, Result};

use super::availability::{Need, implied};
use crate::dialect::EnumKind;
use crate::dialect::abi::ResourceLimits;
use crate::dialect::attributes::{
    SpirvAttribute, TargetEnvironment, Triple, UNKNOWN, default_limits, target_environment, vce, view,
};

/// The attribute that says what the code in an operation is compiled for.
pub const TARGET_ENV: &str = "spirv.target_env";

/// What a target has: a version, and capabilities and extensions with all that they imply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The minor version of SPIR-V 1.
    pub version: u32,
    capabilities: HashSet<u32>,
    extensions: HashSet<Box<[u8]>>,
}

impl Environment {
    /// What these stand for.
    pub fn new(triple: &Triple) -> Self {
        let of_version = version_extensions(triple.version).map(|name| name.as_bytes().into());
        Environment {
            version: triple.version,
            capabilities: with_implied(triple.capabilities.iter().copied()).into_iter().collect(),
            extensions: triple.extensions.iter().cloned().chain(of_version).collect(),
        }
    }

    /// The one that an attribute stands for; `None` where it is no `#spirv.target_env`.
    pub fn of(context: &Context, attribute: Attribute) -> Option<Self> {
        let Some(SpirvAttribute::TargetEnvironment(environment)) = view(context, attribute) else { return None };
        match view(context, environment.triple) {
            Some(SpirvAttribute::Vce(triple)) => Some(Self::new(&triple)),
            _ => None,
        }
    }

    /// Whether it has that capability.
    pub fn has_capability(&self, capability: u32) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Whether it has that extension.
    pub fn has_extension(&self, name: &str) -> bool {
        self.extensions.contains(name.as_bytes())
    }

    /// Its capabilities, sorted by number.
    pub fn capabilities(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.capabilities.iter().copied().collect();
        all.sort_unstable();
        all
    }

    /// How it meets a need: with which capability or extension, the first one of those that are enough. `None` where it does not.
    pub fn meets(&self, need: Need) -> Option<Met> {
        match need {
            Need::Least(version) => (version <= self.version).then_some(Met::Version),
            Need::Most(version) => (version >= self.version).then_some(Met::Version),
            Need::Since(least, names) => self.meets(Need::Least(least)).or_else(|| self.meets(Need::Extension(names))),
            Need::Extension(names) => {
                names.iter().find(|name| self.has_extension(name)).map(|name| Met::Extension(name))
            }
            Need::Capability(list) => list.iter().find(|it| self.has_capability(**it)).map(|it| Met::Capability(*it)),
        }
    }
}

/// With what a need is met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met {
    /// With the version.
    Version,
    /// With an extension.
    Extension(&'static str),
    /// With an enumerant of `Capability`.
    Capability(u32),
}

/// Capabilities, and all that they imply behind those: level by level, in order.
pub(crate) fn with_implied(capabilities: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    all.extend(capabilities.into_iter().filter(|capability| seen.insert(*capability)));
    let mut at = 0;
    while let Some(&capability) = all.get(at) {
        all.extend(implied(capability).iter().copied().filter(|capability| seen.insert(*capability)));
        at += 1;
    }
    all
}

/// The extensions that became part of SPIR-V by that minor version: "Changes" of its specification.
fn version_extensions(version: u32) -> impl Iterator<Item = &'static str> {
    const SINCE: [(u32, &[&str]); 4] = [
        (
            3,
            &[
                "SPV_KHR_shader_draw_parameters",
                "SPV_KHR_16bit_storage",
                "SPV_KHR_device_group",
                "SPV_KHR_multiview",
                "SPV_KHR_storage_buffer_storage_class",
                "SPV_KHR_variable_pointers",
            ],
        ),
        (
            4,
            &[
                "SPV_KHR_no_integer_wrap_decoration",
                "SPV_GOOGLE_decorate_string",
                "SPV_GOOGLE_hlsl_functionality1",
                "SPV_KHR_float_controls",
            ],
        ),
        (
            5,
            &[
                "SPV_KHR_8bit_storage",
                "SPV_EXT_descriptor_indexing",
                "SPV_EXT_shader_viewport_index_layer",
                "SPV_EXT_physical_storage_buffer",
                "SPV_KHR_physical_storage_buffer",
                "SPV_KHR_vulkan_memory_model",
            ],
        ),
        (
            6,
            &[
                "SPV_KHR_non_semantic_info",
                "SPV_KHR_integer_dot_product",
                "SPV_KHR_terminate_invocation",
                "SPV_EXT_demote_to_helper_invocation",
            ],
        ),
    ];
    let known = SINCE.into_iter().filter(move |since| since.0 <= version);
    known.flat_map(|since| since.1.iter().copied())
}

/// What an operation is compiled for: what the nearest symbol table around it says, in `targets` or in `spirv.target_env`; an operation
/// that is one counts itself. `None` where none says it.
///
/// # Errors
/// Where an operation around it cannot be read.
pub fn lookup(op: OpRef<'_>) -> Result<Option<Attribute>> {
    let context = op.module().context();
    let is_one =
        |attribute: &Attribute| matches!(view(context, *attribute), Some(SpirvAttribute::TargetEnvironment(_)));
    let mut around = Some(op);
    while let Some(op) = around {
        if op.has_trait(Traits::SYMBOL_TABLE) {
            if let Some(AttributeData::Array(targets)) = op.attribute("targets")?.map(|targets| &context[targets])
                && let Some(found) = targets.iter().copied().find(is_one)
            {
                return Ok(Some(found));
            }
            if let Some(found) = op.attribute(TARGET_ENV)?.filter(is_one) {
                return Ok(Some(found));
            }
        }
        around = op.parent_op()?;
    }
    Ok(None)
}

/// The environment that [`lookup`] finds, with what says it, for a pass that cannot do without.
///
/// # Errors
/// Where none is found, or an operation around this one cannot be read.
pub(crate) fn environment_of(op: OpRef<'_>) -> Result<(Attribute, Environment)> {
    let found = lookup(op)?.and_then(|found| Some((found, Environment::of(op.module().context(), found)?)));
    found.ok_or_else(|| Error::verification(format!("{}: missing '{TARGET_ENV}' attribute", op.path())))
}

/// The same as [`lookup`], and where none says it, what is taken to be: version 1.0, `Shader`, and the least of what Vulkan grants.
///
/// # Errors
/// Where an operation around it cannot be read.
pub fn lookup_or_default(op: OpRef<'_>) -> Result<Attribute> {
    let context = op.module().context();
    Ok(match lookup(op)? {
        Some(found) => found,
        None => {
            let shader = EnumKind::Capability.value("Shader").into_iter().collect();
            let triple = Triple { version: 0, capabilities: shader, extensions: Vec::new() };
            of_triple(context, &triple, UNKNOWN)
        }
    })
}

/// Says of what holds symbols at the top of a module what it is compiled for, where it does not say that.
///
/// # Errors
/// Where the module cannot be read.
pub fn set_target(module: &mut Module, target: Attribute) -> Result<()> {
    let mut places = Vec::new();
    for op in module.operations()? {
        let says = op.attribute(TARGET_ENV)?.is_some() || op.is("spirv_binary.module");
        if op.has_trait(Traits::SYMBOL_TABLE) && !says {
            places.push(op.id());
        }
    }
    module.rewrite(BodyId::from_index(Module::TOP), |rw| {
        places.into_iter().try_for_each(|op| rw.set_attribute(op, TARGET_ENV, target))
    })
}

/// A `#spirv.target_env` of these, with limits of which nothing is said; an API is an enumerant of [`EnumKind::ClientApi`].
pub fn of_triple(context: &Context, triple: &Triple, api: u32) -> Attribute {
    let environment = TargetEnvironment {
        triple: vce(context, triple),
        api,
        vendor: UNKNOWN,
        device_type: UNKNOWN,
        device: UNKNOWN,
        limits: default_limits(context),
    };
    target_environment(context, &environment)
}

/// What a `#spirv.target_env` says of the device; `None` where it is none, or where its limits are no
/// [well-formed ones](ResourceLimits::of).
pub fn limits_of(context: &Context, attribute: Attribute) -> Option<ResourceLimits> {
    let Some(SpirvAttribute::TargetEnvironment(environment)) = view(context, attribute) else { return None };
    ResourceLimits::of(context, environment.limits)
}
