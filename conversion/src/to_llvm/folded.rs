//! What MLIR folds while it converts, and leaves as it is then: constants in the place of what is known of memory that is taken apart.

use std::collections::BTreeMap;

use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{BodyId, DYNAMIC, Module, OpId, Result, TypeData};
use mlirbc_rewrite::conversion::ConversionTarget;

/// What such a constant says of itself until all is converted.
const FOLDED: &str = "folded";

/// Folds `memref.extract_strided_metadata` where its results are used. Gives the bodies in which there are constants now.
///
/// # Errors
/// Where the module is broken.
pub(super) fn fold(module: &mut Module, (body, op): (BodyId, OpId)) -> Result<Vec<BodyId>> {
    let mut found = BTreeMap::<BodyId, Vec<(OpId, Vec<i64>)>>::new();
    for op in module.operation(body, op)?.walk()?.filter(|op| op.is("memref.extract_strided_metadata")) {
        let &[memory] = op.operands() else { continue };
        let (context, ty) = (module.context(), op.type_of(memory)?);
        let (TypeData::MemRef { shape, .. }, Some(strides)) = (&context[ty], Strides::of(context, ty)) else {
            continue;
        };
        let known = [strides.offset].into_iter().chain(shape.iter().copied()).chain(strides.strides).collect();
        found.entry(op.body_id()).or_default().push((op.id(), known));
    }
    let bodies = found.keys().copied().collect();
    for (body, ops) in found {
        module.rewrite(body, |rw| {
            rw.build_uses();
            for (op, known) in ops {
                let at = rw.body().location(op);
                rw.set_insertion_point_before(op)?;
                for (number, known) in known.into_iter().enumerate() {
                    let result = rw.result(op, number + 1)?;
                    if known == DYNAMIC || rw.body().uses_of(result).next().is_none() {
                        continue;
                    }
                    let (value, unit) = (rw.context().index_attr(known), rw.context().unit());
                    let made = rw.build("arith.constant").at(at).attribute("value", value).attribute(FOLDED, unit);
                    let made = made.create()?;
                    rw.replace_uses(result, rw.result(made, 0)?)?;
                }
            }
            Ok(())
        })?;
    }
    Ok(bodies)
}

/// Says that these constants stay.
pub(super) fn stay(target: ConversionTarget) -> ConversionTarget {
    target.dynamic("arith.constant", |op| op.attribute(FOLDED).ok()?.map(|_| true))
}

/// Makes them constants as all others.
///
/// # Errors
/// Where the module is broken.
pub(super) fn done(module: &mut Module, bodies: Vec<BodyId>) -> Result<()> {
    bodies.into_iter().try_for_each(|body| {
        module.rewrite(body, |rw| {
            let mut folded = Vec::new();
            for op in rw.body().preorder().filter(|&op| rw.op(op).is("arith.constant")) {
                if rw.op(op).attribute(FOLDED)?.is_some() {
                    folded.push(op);
                }
            }
            folded.into_iter().try_for_each(|op| rw.remove_attribute(op, FOLDED))
        })
    })
}
