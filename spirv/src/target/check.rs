//! What a module needs; whether it can run on a target, and why not.

use std::fmt;

use hashbrown::HashSet;
use mlirbc_ir::{Context, Module, OpRef, Result};

use super::availability::{Availability, Need, extensions_with};
use super::binary::{Needs, of_binary};
use super::environment::Environment;
use super::platform::{Platform, target_attribute};
use super::requirements::{Depth, Search};
use super::uses::is_of_vulkan;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{SpirvAttribute, Triple, view};
use crate::view::{ModuleView, OperandValue};

/// What a module is to run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runner {
    /// A version of an API.
    Platform(&'static Platform),
    /// What an attribute lists, and no more.
    Environment(Environment),
}

/// What keeps a module from running on a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Where: an instruction of a binary by number, an operation by name and the symbol that holds it.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl Runner {
    /// What is called so: `vulkan1.1`, or the text of a `#spirv.target_env`. `None` where it is neither.
    pub fn parse(context: &Context, text: &str) -> Option<Self> {
        match Platform::find(text) {
            Some(platform) => Some(Runner::Platform(platform)),
            None => Environment::of(context, target_attribute(context, text)?).map(Runner::Environment),
        }
    }

    /// Whether it is a platform other than Vulkan.
    fn is_other_api(&self) -> bool {
        matches!(self, Runner::Platform(platform) if !platform.is_vulkan())
    }

    /// Whether a module that declares all that `declared` has may declare a capability.
    fn allows(&self, capability: u32, declared: &Environment) -> bool {
        match self {
            Runner::Environment(environment) => environment.has_capability(capability),
            // An extension may bring any; of those that MLIR lacks, nobody says which does.
            Runner::Platform(platform) => {
                let is_known = Availability::of_mlir(EnumKind::Capability, capability).is_some();
                let mut extensions = extensions_with(EnumKind::Capability, capability).iter();
                platform.has_capability(capability, |other| declared.has_capability(other as u32))
                    || !is_known
                    || extensions.any(|name| declared.has_extension(name))
            }
        }
    }

    fn allows_extension(&self, name: &[u8]) -> bool {
        match self {
            Runner::Platform(_) => true,
            Runner::Environment(environment) => {
                std::str::from_utf8(name).is_ok_and(|name| environment.has_extension(name))
            }
        }
    }

    /// What keeps the `spirv_binary.module` or each `spirv.module` of a module from running on it: in order, what the module declares
    /// first. Where it says itself what it needs, an operation has to need no more than that.
    ///
    /// # Errors
    /// Where the module cannot be read.
    pub fn obstacles(&self, module: &Module) -> Result<Vec<Obstacle>> {
        if crate::binary::has_module(module)? {
            return self.of_binary(&ModuleView::of(module)?);
        }
        let mut found = Vec::new();
        for module in dialect_modules(module)? {
            self.of_dialect(module, &mut found)?;
        }
        Ok(found)
    }

    /// What a module declares that the target does not have.
    fn declarations(
        &self,
        triple: &Triple,
        declared: &Environment,
        place: &dyn Fn(Declaration) -> String,
    ) -> Vec<Obstacle> {
        let name = match self {
            Runner::Platform(platform) => platform.name,
            Runner::Environment(_) => "the target",
        };
        let last = match self {
            Runner::Platform(platform) => platform.version,
            Runner::Environment(environment) => environment.version,
        };
        let mut found = Vec::new();
        if triple.version > last {
            let what = format!("version 1.{} is above 1.{last}, the last of {name}", triple.version);
            found.push(Obstacle { place: place(Declaration::Version), what });
        }
        for (at, &capability) in triple.capabilities.iter().enumerate() {
            if !self.allows(capability, declared) {
                let what = format!("{name} has no capability {}", EnumKind::Capability.show(capability));
                found.push(Obstacle { place: place(Declaration::Capability(at)), what });
            }
        }
        for (at, extension) in triple.extensions.iter().enumerate() {
            if !self.allows_extension(extension) {
                let what = format!("{name} has no extension {}", String::from_utf8_lossy(extension));
                found.push(Obstacle { place: place(Declaration::Extension(at)), what });
            }
            if triple.version < 4 && SINCE_1_4.iter().any(|known| known.as_bytes() == &**extension) {
                let what = format!("extension {} needs version 1.4", String::from_utf8_lossy(extension));
                found.push(Obstacle { place: place(Declaration::Extension(at)), what });
            }
        }
        found
    }

    fn of_binary(&self, view: &ModuleView<'_>) -> Result<Vec<Obstacle>> {
        let (triple, places) = declared_in(view)?;
        let declared = Environment::new(&triple);
        let place = |declaration| match declaration {
            Declaration::Version => "header".to_owned(),
            Declaration::Capability(at) => format!("instruction {}, Capability", places[0][at]),
            Declaration::Extension(at) => format!("instruction {}, Extension", places[1][at]),
        };
        let mut found = self.declarations(&triple, &declared, &place);
        of_binary(view, &mut |requirement| {
            let is_asked = match requirement.needs {
                Needs::Capability(list) => !self.is_other_api() || !is_of_vulkan(list),
                _ => true,
            };
            if is_asked && !requirement.needs.is_met(&declared) {
                let place = requirement.place();
                found.push(Obstacle { place, what: format!("needs {}", requirement.needs) });
            }
        })?;
        Ok(found)
    }

    fn of_dialect(&self, module: OpRef<'_>, found: &mut Vec<Obstacle>) -> Result<()> {
        let context = module.module().context();
        let triple = match module.attribute("vce_triple")?.and_then(|triple| view(context, triple)) {
            Some(SpirvAttribute::Vce(triple)) => Some(triple),
            _ => None,
        };
        let name = module.symbol_name()?.map(|name| format!(" @{}", context.text(name))).unwrap_or_default();
        let declared = match (&triple, self) {
            (Some(triple), _) => Environment::new(triple),
            (None, Runner::Environment(environment)) => environment.clone(),
            (None, Runner::Platform(platform)) => platform.environment(),
        };
        if let Some(triple) = &triple {
            found.extend(self.declarations(triple, &declared, &|_| format!("spirv.module{name}")));
        }
        // Extensions are nothing that a platform could be said to have.
        let any_extension = triple.is_none() && matches!(self, Runner::Platform(_));
        each_need(module, &mut |need, place| {
            let skipped = any_extension && matches!(need, Need::Extension(_));
            if !skipped && declared.meets(need).is_none() {
                found.push(Obstacle { place: place(), what: format!("needs {need}") });
            }
        })
    }
}

/// Gives each need in a `spirv.module`, and says where it comes from: an operation by its number in the function that holds it.
fn each_need(module: OpRef<'_>, each: &mut dyn FnMut(Need, &dyn Fn() -> String)) -> Result<()> {
    let context = module.module().context();
    let (mut number, mut holder, mut search) = (0, String::new(), Search::default());
    for op in module.walk()? {
        if let (true, Some(symbol)) = (op.is("spirv.func"), op.symbol_name()?) {
            (number, holder) = (0, format!(" in @{}", context.text(symbol)));
        }
        let place = || format!("operation {number}, {}{holder}", op.name());
        search.operation(op, Depth::All, &mut |need| each(need, &place))?;
        number += 1;
    }
    Ok(())
}

/// The `spirv.module`s of a module.
fn dialect_modules(module: &Module) -> Result<Vec<OpRef<'_>>> {
    let mut found = Vec::new();
    for op in module.operations()? {
        found.extend(op.walk()?.filter(|op| op.is("spirv.module")));
    }
    Ok(found)
}

/// What a module needs, each thing once, and what asks for it first.
///
/// # Errors
/// Where the module cannot be read.
pub fn reasons(module: &Module) -> Result<Vec<(Needs, String)>> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut add = |needs, place: &dyn Fn() -> String| {
        if seen.insert(needs) {
            found.push((needs, place()));
        }
    };
    if crate::binary::has_module(module)? {
        of_binary(&ModuleView::of(module)?, &mut |it| add(it.needs, &|| it.place()))?;
        return Ok(found);
    }
    for module in dialect_modules(module)? {
        each_need(module, &mut |need, place| match need {
            Need::Capability(list) => add(Needs::Capability(list), place),
            Need::Extension(names) => add(Needs::Version(None, names), place),
            Need::Least(version) if version > 0 => add(Needs::Version(Some(version), &[]), place),
            Need::Since(least, names) => add(Needs::Version(Some(least), names), place),
            Need::Most(version) if version < LAST => add(Needs::Most(version), place),
            Need::Least(_) | Need::Most(_) => {}
        })?;
    }
    Ok(found)
}

/// The last minor version of SPIR-V 1 that there is: nobody needs to be told that something is in it.
const LAST: u32 = 6;

/// Extensions that build on a version.
const SINCE_1_4: [&str; 3] =
    ["SPV_KHR_workgroup_memory_explicit_layout", "SPV_EXT_mesh_shader", "SPV_NV_shader_invocation_reorder"];

/// What of a module declares something: a capability or an extension by its place among them.
#[derive(Clone, Copy)]
enum Declaration {
    Version,
    Capability(usize),
    Extension(usize),
}

/// What a binary declares, and by which instructions it declares capabilities and extensions.
fn declared_in(view: &ModuleView<'_>) -> Result<(Triple, [Vec<usize>; 2])> {
    let mut triple = Triple { version: view.header().version >> 8 & 0xff, ..Triple::default() };
    let mut places = [Vec::new(), Vec::new()];
    for (number, instruction) in view.instructions().enumerate() {
        match instruction.name() {
            "Capability" | "Extension" => {}
            _ if triple.capabilities.is_empty() => continue,
            // Nothing else comes before them.
            _ => break,
        }
        for operand in instruction.operands()? {
            match operand.value {
                OperandValue::Enumerant(capability) => {
                    triple.capabilities.push(capability);
                    places[0].push(number);
                }
                OperandValue::String(name) => {
                    triple.extensions.push(name);
                    places[1].push(number);
                }
                _ => {}
            }
        }
    }
    Ok((triple, places))
}
