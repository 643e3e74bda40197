//! `spirv-promote-to-replicated-constants` (`ConvertToReplicatedConstantCompositePass.cpp`).

use hashbrown::HashSet;
use mlirbc_ir::{
    Attribute, AttributeData, BodyId, Context, Error, Module, NamedAttribute, Numbers, OpId, OpRef, Result, Rewriter,
    Type, TypeData,
};
use mlirbc_rewrite::{LocalPass, LocalRun, MakePass, Pass, PassInfo};

use super::{MODULE, symbol_in};
use crate::dialect::types::{SpirvType, view};

/// Makes constants of which all parts are the same `spirv.EXT.ConstantCompositeReplicate` of one part, and specialization constants that
/// name one constant for all parts `spirv.EXT.SpecConstantCompositeReplicate`: what `SPV_EXT_replicated_composites` has for them. That a
/// function refers to one of the latter is an error, since MLIR could not read what came of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PromoteToReplicatedConstants;

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-promote-to-replicated-constants",
    about: "make constants whose parts all are the same those of SPV_EXT_replicated_composites",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(PromoteToReplicatedConstants))),
};

impl Pass for PromoteToReplicatedConstants {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some(MODULE)
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

impl LocalPass for PromoteToReplicatedConstants {
    /// MLIR knows no references to what a specialization constant would become.
    fn begin(&self, module: &mut Module, anchors: &[(BodyId, OpId)]) -> Result<()> {
        for &(body, op) in anchors {
            let op = module.operation(body, op)?;
            let mut names = HashSet::new();
            for constant in op.ops()?.filter(|op| op.is("spirv.SpecConstantComposite")) {
                if same_constituent(constant)?.is_some() {
                    names.extend(constant.symbol_name()?.map(|name| module.context().bytes(name)));
                }
            }
            for reference in op.walk()?.filter(|op| !names.is_empty() && op.is("spirv.mlir.referenceof")) {
                if let Some(name) = symbol_in(reference, "spec_const")?.filter(|name| names.contains(name)) {
                    let (path, name) = (reference.path(), String::from_utf8_lossy(name));
                    let message = format!("{path}: it refers to @{name}, and cannot refer to a replicated constant");
                    return Err(Error::verification(message));
                }
            }
        }
        Ok(())
    }

    fn start(&self) -> LocalRun<'_> {
        Box::new(|rw, counts| {
            let ops: Vec<OpId> = rw.body().preorder().collect();
            for op in ops {
                counts.add("promoted", u64::from(promote(rw, op)?));
            }
            Ok(())
        })
    }
}

/// Puts an operation of the extension in the place of a constant that it can stand for.
fn promote(rw: &mut Rewriter<'_>, op: OpId) -> Result<bool> {
    let constant = rw.op(op);
    let is_spec = constant.is("spirv.SpecConstantComposite");
    if !is_spec && !constant.is("spirv.Constant") || constant.is_opaque()? {
        return Ok(false);
    }
    let context = rw.context();
    let Some((member, part)) = (if is_spec { same_constituent(constant)? } else { same_part(constant)? }) else {
        return Ok(false);
    };
    // What binaries say beside goes along; of a specialization constant also its symbol and type.
    let said = constant.attributes()?.iter().filter(|(name, _)| context.bytes(*name).starts_with(b"spirv_binary."));
    let mut attributes: Vec<NamedAttribute> = said.copied().collect();
    attributes.push((context.static_identifier(member), part));
    for name in ["sym_name", "type"].into_iter().filter(|_| is_spec) {
        attributes.extend(constant.attribute(name)?.map(|value| (context.static_identifier(name), value)));
    }
    let location = rw.body().location(op);
    let types: Vec<_> = rw.body().results(op).map(|result| rw.body().ty(result)).collect();
    let name =
        if is_spec { "spirv.EXT.SpecConstantCompositeReplicate" } else { "spirv.EXT.ConstantCompositeReplicate" };
    rw.set_insertion_point_before(op)?;
    let made = rw.build(name).result_types(types).attributes(attributes).at(location).create()?;
    rw.replace_with(op, made)?;
    Ok(true)
}

/// What all parts of a constant are, where there are several.
fn same_part(op: OpRef<'_>) -> Result<Option<(&'static str, Attribute)>> {
    let context = op.module().context();
    let (Some(value), Some(result)) = (op.attribute("value")?, op.results().next()) else { return Ok(None) };
    if !is_composite(context, op.type_of(result)?) {
        return Ok(None);
    }
    let (mut part, mut count, mut deeper) = (value, 1u64, true);
    while deeper {
        let next = match &context[part] {
            AttributeData::Array(parts) => same(parts).map(|first| (first, parts.len() as u64)),
            _ => splat(context, part),
        };
        let Some((inner, more)) = next else { break };
        (part, count) = (inner, count.saturating_mul(more));
        // An array of arrays; elements that are vectors, and no tensors.
        deeper = match &context[part] {
            AttributeData::Array(_) => true,
            AttributeData::DenseElements { ty, .. } => is_composite(context, *ty),
            _ => false,
        };
    }
    Ok((count > 1).then_some(("value", part)))
}

/// The number that dense elements all are, and how many these are.
fn splat(context: &Context, elements: Attribute) -> Option<(Attribute, u64)> {
    let AttributeData::DenseElements { ty, .. } = context[elements] else { return None };
    let numbers = Numbers::of(context, elements)?;
    let number = context.numbers(context[ty].element()?, &[numbers.splat()?.clone()]).ok()?;
    Some((number, numbers.count))
}

/// The symbol of all parts of a specialization constant, where there are several.
fn same_constituent(op: OpRef<'_>) -> Result<Option<(&'static str, Attribute)>> {
    let context = op.module().context();
    let is_type = |ty| matches!(context[ty], AttributeData::Type(ty) if is_composite(context, ty));
    let Some(AttributeData::Array(parts)) = op.attribute("constituents")?.map(|parts| &context[parts]) else {
        return Ok(None);
    };
    let is_flat =
        |part: &Attribute| matches!(&context[*part], AttributeData::SymbolRef { nested, .. } if nested.is_empty());
    let part = same(parts).filter(|part| parts.len() > 1 && is_flat(part));
    Ok(part.filter(|_| op.attribute("type").ok().flatten().is_some_and(is_type)).map(|part| ("constituent", part)))
}

/// What all of these are.
fn same(parts: &[Attribute]) -> Option<Attribute> {
    let (first, others) = parts.split_first()?;
    others.iter().all(|other| other == first).then_some(*first)
}

/// Whether a type has parts.
fn is_composite(context: &Context, ty: Type) -> bool {
    use SpirvType::{Array, CooperativeMatrix, Matrix, RuntimeArray, Struct, Tensor};
    matches!(context[ty], TypeData::Vector { .. })
        || matches!(
            view(context, ty),
            Some(
                Array { .. }
                    | CooperativeMatrix { .. }
                    | Matrix { .. }
                    | RuntimeArray { .. }
                    | Struct(_)
                    | Tensor { .. }
            )
        )
}
