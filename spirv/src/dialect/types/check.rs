//! What is asked of types.

use mlirbc_ir::{AttributeData, Context, DYNAMIC, Parameter, Type, TypeData};

use super::{NumberOrSymbol, SpirvType, parts};
use crate::dialect::DIALECT;
use crate::grammar::{OperandClass, Quantifier};

/// Whether a type can stand in a type of the dialect: a number, a vector of numbers, nothing at all, or a type of the
/// dialect. MLIR takes no vectors of more than four, no `none`, and integers of 1, 8, 16, 32 and 64 bits alone, though
/// SPIR-V has the others.
fn composes(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::Integer { .. } | TypeData::Float(_) | TypeData::None => true,
        TypeData::Vector { shape, .. } => shape.len() == 1,
        TypeData::Dialect(value) => context.bytes(value.dialect) == DIALECT.as_bytes(),
        TypeData::Text { dialect, .. } => context.bytes(*dialect) == DIALECT.as_bytes(),
        _ => false,
    }
}

/// What is wrong with a type, if anything is.
///
/// # Errors
/// Which rule the type breaks.
pub(crate) fn check(context: &Context, view: &SpirvType<'_>) -> Result<(), String> {
    let need = |holds: bool, message: &str| if holds { Ok(()) } else { Err(message.to_owned()) };
    let composes = |ty: Type| {
        if composes(context, ty) {
            Ok(())
        } else {
            Err(format!("cannot use `{}` to compose SPIR-V types", context.show(ty)))
        }
    };
    let is_symbol = |number: &NumberOrSymbol| match number {
        NumberOrSymbol::Known(_) => true,
        NumberOrSymbol::Symbol(symbol) => matches!(context[*symbol], AttributeData::SymbolRef { .. }),
    };
    match view {
        SpirvType::Array { element, count, .. } => {
            need(*count != NumberOrSymbol::Known(0), "expected array length greater than 0")?;
            need(is_symbol(count), "expected a symbol or a number")?;
            composes(*element)
        }
        SpirvType::RuntimeArray { element, .. } => composes(*element),
        SpirvType::Pointer { pointee, .. } => composes(*pointee),
        SpirvType::Image(image) => composes(image.sampled),
        SpirvType::SampledImage(image) => {
            let is_image = match &context[*image] {
                TypeData::Text { .. } => true,
                _ => parts(context, *image).is_some_and(|value| context.bytes(value.mnemonic) == b"image"),
            };
            need(is_image, "sampled image must be composed using image type")
        }
        SpirvType::Reference(_) | SpirvType::Struct(_) => Ok(()),
        SpirvType::Matrix { column, columns } => {
            need((2..=4).contains(columns), "matrix is expected to have 2, 3, or 4 columns")?;
            let fits = match &context[*column] {
                TypeData::Vector { shape, element, .. } => {
                    matches!(**shape, [2..=4]) && matches!(context[*element], TypeData::Float(_))
                }
                _ => false,
            };
            need(fits, "matrix columns must be vectors of 2 to 4 floats")
        }
        SpirvType::CooperativeMatrix { rows, columns, element, scope, usage } => {
            need([rows, columns, scope, usage].into_iter().all(is_symbol), "expected a symbol or a number")?;
            composes(*element)
        }
        SpirvType::Tensor { shape, element } => {
            if let Some(shape) = shape {
                need(!shape.is_empty(), "arm.tensors do not support rank zero")?;
                need(!shape.contains(&0), "arm.tensors do not support zero dimensions")?;
                let dynamic = shape.iter().filter(|size| **size == DYNAMIC).count();
                need(
                    dynamic == 0 || dynamic == shape.len(),
                    "arm.tensor shape dimensions must be either fully dynamic or completed shaped",
                )?;
                need(shape.iter().all(|size| *size > 0 || *size == DYNAMIC), "a size below 0")?;
            }
            composes(*element)
        }
        SpirvType::Other { instruction, operands } => {
            let fixed = instruction.operands.iter().filter(|operand| operand.quantifier == Quantifier::One).count();
            let variadic = instruction.operands.iter().any(|operand| operand.quantifier == Quantifier::Variadic);
            let count_fits = operands.len() >= fixed && (variadic || operands.len() <= instruction.operands.len());
            need(count_fits, "more or fewer operands than the instruction has")?;
            let last = instruction.operands.last();
            let holds = |(at, operand): (usize, &Parameter)| {
                let Some(definition) = instruction.operands.get(at).or(last) else { return false };
                match (definition.kind.class(), operand) {
                    (OperandClass::Id, Parameter::Type(_) | Parameter::Attribute(_)) => true,
                    (OperandClass::String, Parameter::String(_)) => true,
                    (OperandClass::Id | OperandClass::String, _) => false,
                    (_, Parameter::Unsigned(number)) => u32::try_from(*number).is_ok(),
                    _ => false,
                }
            };
            need(operands.iter().enumerate().all(holds), "an operand that the instruction does not have")
        }
    }
}
