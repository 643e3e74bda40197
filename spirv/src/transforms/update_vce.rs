//! `spirv-update-vce` (`mlir/Dialect/SPIRV/Transforms/UpdateVCEPass.cpp`).

use mlirbc_ir::{Error, OpRef, Result};
use mlirbc_rewrite::{MakePass, Pass, PassInfo, Target};

use super::MODULE;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{SpirvAttribute, Triple, vce, view};
use crate::target::{
    Availability, Depth, Environment, Met, Need, Search, environment_of, is_free, is_shown, is_shown_extension,
    post_order, relaxed, with_implied,
};

/// Says of a module which version, capabilities and extensions it needs, of those that its target has: what it said before goes.
///
/// Where several are enough, it is the first of them that the module said before, and else the first that the target has, as in MLIR,
/// which does not look at what was said.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpdateVce;

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-update-vce",
    about: "say which version, capabilities and extensions a module needs, of those that its target has",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(UpdateVce))),
};

impl Pass for UpdateVce {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some(MODULE)
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let op = target.op()?;
        let context = op.module().context();
        let (_, environment) = environment_of(op)?;
        let said = match op.attribute("vce_triple")?.and_then(|triple| view(context, triple)) {
            Some(SpirvAttribute::Vce(triple)) => Some(triple),
            _ => None,
        };
        let mut needed = Needed { environment, before: said.as_ref().map(Environment::new), triple: Triple::default() };
        needed.find(op, said.as_ref())?;
        let triple = vce(context, &needed.triple);
        let (body, op) = target.place();
        target.module().rewrite(body, |rw| rw.set_attribute(op, "vce_triple", triple))
    }
}

/// What a module needs.
struct Needed {
    environment: Environment,
    /// What the module said before, with all that this implies.
    before: Option<Environment>,
    /// What was found.
    triple: Triple,
}

impl Needed {
    fn find(&mut self, module: OpRef<'_>, said: Option<&Triple>) -> Result<()> {
        let mut search = Search::default();
        post_order(module, |op| {
            let mut failed = None;
            search.operation(op, Depth::Types, &mut |need| {
                // What a module that says what it needs does without, nobody asks of it.
                let (need, is_free) = match self.before {
                    Some(_) => (relaxed(need), is_free(need)),
                    None => (need, false),
                };
                match self.meets(need) {
                    // As in MLIR, nobody asks whether the version is too new.
                    None if !matches!(need, Need::Most(_)) && !is_free => failed = failed.or(Some(need)),
                    Some(met) if self.before.is_none() => self.add(need, met),
                    _ => {}
                }
            })?;
            failed.map_or(Ok(()), |need| Err(refused(op, need, &self.environment)))
        })?;
        self.imply();
        let seen_by_mlir = self.triple.capabilities.clone();
        // As MLIR takes a module that has none of them for its target, so does this; whether the target has them is what is verified.
        let mut search = Search::default();
        post_order(module, |op| {
            search.operation(op, Depth::All, &mut |need| {
                let is_said = match self.meets(need) {
                    // Another one is not as good as what the module said.
                    Some(Met::Capability(found)) if self.before.is_some() => self.triple.capabilities.contains(&found),
                    _ => self.is_said(need),
                };
                if let (false, Some(met)) = (is_said, self.meets(need)) {
                    self.add(need, met);
                    self.imply();
                }
            })
        })?;
        if let Some(said) = said {
            self.keep(said);
        }
        self.imply();
        self.add_needs_of_capabilities(&seen_by_mlir)
    }

    /// How a need is met: as the module said before, or as the target does.
    fn meets(&self, need: Need) -> Option<Met> {
        let met = match (need, self.before.as_ref().and_then(|before| before.meets(need))) {
            (Need::Capability(_), Some(Met::Capability(capability))) => {
                self.environment.has_capability(capability).then_some(Met::Capability(capability))
            }
            (Need::Extension(_) | Need::Since(..), Some(Met::Extension(name))) => {
                self.environment.has_extension(name).then_some(Met::Extension(name))
            }
            _ => None,
        };
        met.or_else(|| self.environment.meets(need))
    }

    /// Whether what was found so far meets a need, without what the version of the target has brought.
    fn is_said(&self, need: Need) -> bool {
        let has = |name: &&str| self.has_extension(name);
        match need {
            Need::Extension(names) => names.iter().any(has),
            Need::Capability(list) => list.iter().any(|capability| self.triple.capabilities.contains(capability)),
            Need::Least(version) => version <= self.triple.version,
            Need::Since(version, names) => version <= self.triple.version || names.iter().any(has),
            Need::Most(_) => true,
        }
    }

    fn has_extension(&self, name: &str) -> bool {
        self.triple.extensions.iter().any(|it| **it == *name.as_bytes())
    }

    fn add(&mut self, need: Need, met: Met) {
        match (need, met) {
            (_, Met::Capability(capability)) if !self.triple.capabilities.contains(&capability) => {
                self.triple.capabilities.push(capability);
            }
            (_, Met::Extension(name)) if !self.has_extension(name) => {
                self.triple.extensions.push(name.as_bytes().into());
            }
            (Need::Least(version) | Need::Since(version, _), Met::Version) => {
                self.triple.version = self.triple.version.max(version);
            }
            _ => {}
        }
    }

    fn imply(&mut self) {
        self.triple.capabilities = with_implied(std::mem::take(&mut self.triple.capabilities));
    }

    /// Keeps what the module said of which nothing in it shows whether it is needed.
    fn keep(&mut self, said: &Triple) {
        for &capability in
            said.capabilities.iter().filter(|it| !is_shown(**it) && self.environment.has_capability(**it))
        {
            if !self.triple.capabilities.contains(&capability) {
                self.triple.capabilities.push(capability);
            }
        }
        for name in &said.extensions {
            let is_known = std::str::from_utf8(name)
                .is_ok_and(|name| !is_shown_extension(name) && self.environment.has_extension(name));
            if is_known && !self.triple.extensions.contains(name) {
                self.triple.extensions.push(name.clone());
            }
        }
    }

    /// Adds what capabilities need: of those that MLIR sees too it looks at versions alone.
    fn add_needs_of_capabilities(&mut self, seen_by_mlir: &[u32]) -> Result<()> {
        for capability in self.triple.capabilities.clone() {
            for need in Availability::needs_of(EnumKind::Capability, capability) {
                let need = match need {
                    Need::Since(least, _) if self.before.is_none() => Need::Least(least),
                    Need::Extension(_) if self.before.is_none() && seen_by_mlir.contains(&capability) => continue,
                    Need::Most(_) | Need::Capability(_) => continue,
                    _ => need,
                };
                match (self.meets(need), need) {
                    _ if self.is_said(need) => {}
                    (Some(met), _) => self.add(need, met),
                    (None, Need::Least(least) | Need::Since(least, _)) => {
                        return Err(Error::verification(format!(
                            "Capability '{}' requires min version v1.{least} but target environment allows up to v1.{}",
                            EnumKind::Capability.show(capability),
                            self.environment.version
                        )));
                    }
                    (None, _) => {}
                }
            }
        }
        Ok(())
    }
}

fn refused(op: OpRef<'_>, need: Need, environment: &Environment) -> Error {
    let name = op.name();
    Error::verification(match need {
        Need::Least(version) | Need::Since(version, _) | Need::Most(version) => format!(
            "'{name}' requires min version v1.{version} but target environment allows up to v1.{}",
            environment.version
        ),
        Need::Extension(names) => {
            let names = names.join(", ");
            format!("'{name}' requires at least one extension in [{names}] but none allowed in target environment")
        }
        Need::Capability(list) => {
            let names: Vec<_> = list.iter().map(|&it| EnumKind::Capability.show(it)).collect();
            let names = names.join(", ");
            format!("'{name}' requires at least one capability in [{names}] but none allowed in target environment")
        }
    })
}
