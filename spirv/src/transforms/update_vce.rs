//! `spirv-update-vce` (`mlir/Dialect/SPIRV/Transforms/UpdateVCEPass.cpp`).

use hashbrown::HashSet;
use mlirbc_ir::{Error, OpRef, Result};
use mlirbc_rewrite::{MakePass, Pass, PassInfo, Target};

use super::MODULE;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{Triple, vce};
use crate::target::{
    Availability, Depth, Environment, Met, Need, environment_of, of_operation, post_order, with_implied,
};

/// Says of a module which version, capabilities and extensions it needs, of those that its target has: what it said before goes.
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
        let triple = vce(context, &needed(op, &environment)?);
        let (body, op) = target.place();
        target.module().rewrite(body, |rw| rw.set_attribute(op, "vce_triple", triple))
    }
}

/// What a module needs: the first of what is enough that the target has.
fn needed(module: OpRef<'_>, environment: &Environment) -> Result<Triple> {
    let mut triple = Triple::default();
    let mut extensions = HashSet::new();
    post_order(module, |op| {
        let mut failed = None;
        of_operation(op, Depth::Types, &mut |need| match (need, environment.meets(need)) {
            (Need::Least(version), Some(_)) => triple.version = triple.version.max(version),
            (_, Some(Met::Capability(capability))) => triple.capabilities.push(capability),
            (_, Some(Met::Extension(name))) if extensions.insert(name) => {
                triple.extensions.push(name.as_bytes().into())
            }
            // As in MLIR, nobody asks whether the version is too new.
            (Need::Most(_), _) | (_, Some(_)) => {}
            (_, None) => failed = failed.or(Some(need)),
        })?;
        failed.map_or(Ok(()), |need| Err(refused(op, need, environment)))
    })?;
    triple.capabilities = with_implied(std::mem::take(&mut triple.capabilities));
    forgotten(module, environment, &mut triple)?;
    for &capability in &triple.capabilities {
        let least = Availability::of(EnumKind::Capability, capability).and_then(|found| found.least).unwrap_or(0);
        triple.version = triple.version.max(least);
        if least > environment.version {
            return Err(Error::verification(format!(
                "Capability '{}' requires min version v1.{least} but target environment allows up to v1.{}",
                EnumKind::Capability.show(capability),
                environment.version
            )));
        }
    }
    Ok(triple)
}

/// Adds what MLIR does not look at: decorations, built-ins, attributes that may be absent, instructions that it has no operation for. As it
/// takes a module that has none of them for its target, so does this; whether the target has them is what is verified.
fn forgotten(module: OpRef<'_>, environment: &Environment, triple: &mut Triple) -> Result<()> {
    post_order(module, |op| {
        of_operation(op, Depth::All, &mut |need| {
            // As the module says by now, but for what its target's version has brought.
            let said = match need {
                Need::Extension(names) => {
                    names.iter().any(|name| triple.extensions.iter().any(|it| **it == *name.as_bytes()))
                }
                Need::Capability(list) => list.iter().any(|capability| triple.capabilities.contains(capability)),
                Need::Least(version) => version <= triple.version,
                Need::Most(_) => true,
            };
            match (need, environment.meets(need)) {
                _ if said => {}
                (Need::Least(version), Some(_)) => triple.version = version,
                (_, Some(Met::Extension(name))) => triple.extensions.push(name.as_bytes().into()),
                (_, Some(Met::Capability(capability))) => {
                    triple.capabilities.push(capability);
                    triple.capabilities = with_implied(std::mem::take(&mut triple.capabilities));
                }
                _ => {}
            }
        })
    })
}

fn refused(op: OpRef<'_>, need: Need, environment: &Environment) -> Error {
    let name = op.name();
    Error::verification(match need {
        Need::Least(version) | Need::Most(version) => format!(
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
