//! What a target lacks of what an operation would need: for messages.

use mlirbc_ir::{AttributeData, Context, OpRef, Result, Type, TypeData};
use mlirbc_rewrite::conversion::ConversionTarget;
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::dialect::types;
use mlirbc_spirv::target::{Depth, Environment, Need, of_operation, of_type};

use super::SpirvTypeConverter;
use super::types::is_spirv;

impl SpirvTypeConverter {
    /// What a type needs that the target does not have: `` `f64` needs capability Float64, which the target does not have ``. `None` where it
    /// can be converted, or cannot for another reason.
    pub fn lacking(&self, context: &Context, ty: Type) -> Option<String> {
        if let TypeData::Function { inputs, results } = &context[ty] {
            return inputs.iter().chain(results.iter()).find_map(|&ty| self.lacking(context, ty));
        }
        if self.convert(context, ty).is_some() {
            return None;
        }
        let class = match &context[ty] {
            TypeData::MemRef { space: Some(space), .. } => enumerant_of(context, *space, EnumKind::StorageClass),
            _ => None,
        };
        let element = context[ty].element().unwrap_or(ty);
        let asked = match class {
            // One that is too narrow for the target is kept as 32 bits, but not in this memory.
            Some(class) if is_spirv(context, element) => types::pointer(context, element, class),
            _ => element,
        };
        let need = first_lacking(self.environment(), |each| of_type(context, asked, each))?;
        Some(format!("`{}` needs {need}, which the target does not have", context.show(ty)))
    }

    /// Lets errors of a conversion say what the target lacks.
    pub fn explain(&self, target: ConversionTarget) -> ConversionTarget {
        let to = self.clone();
        target.explained(move |op| of_op(&to, op).ok().flatten())
    }
}

/// The first need that the target does not meet.
fn first_lacking(environment: &Environment, needs: impl FnOnce(&mut dyn FnMut(Need))) -> Option<Need> {
    let mut found = None;
    needs(&mut |need| found = found.or(Some(need).filter(|need| environment.meets(*need).is_none())));
    found
}

/// What an operation lacks: one of SPIR-V itself or its types, of another one its types.
fn of_op(to: &SpirvTypeConverter, op: OpRef<'_>) -> Result<Option<String>> {
    let context = op.module().context();
    let environment = to.environment();
    let mut done = Ok(());
    let own = first_lacking(environment, |each| done = of_operation(op, Depth::Operation, each));
    done?;
    if let Some(need) = own {
        return Ok(Some(format!("'{}' needs {need}, which the target does not have", op.name())));
    }
    let mut types = Vec::new();
    for value in op.operands().iter().copied().chain(op.results()) {
        types.push(op.type_of(value)?);
    }
    for name in ["type", "function_type"] {
        types.extend(op.attribute(name)?.and_then(|ty| match context[ty] {
            AttributeData::Type(ty) => Some(ty),
            _ => None,
        }));
    }
    let lacking = |&ty: &Type| match is_spirv(context, ty) {
        true => {
            let need = first_lacking(environment, |each| of_type(context, ty, each))?;
            let name = context.show(ty);
            Some(format!("`{name}` needs {need}, which the target does not have"))
        }
        false => to.lacking(context, ty),
    };
    Ok(types.iter().find_map(lacking))
}
