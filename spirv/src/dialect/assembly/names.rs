//! The names that operations give their results.

use mlirbc_ir::text::push_integer;
use mlirbc_ir::{AttributeData, OpRef, Result, TypeData};

/// `%variable_addr`
pub(super) fn address(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(variable) = op.attribute("variable")? else { return Ok(()) };
    if let AttributeData::SymbolRef { root, nested } = &context[variable] {
        set(0, &[context.bytes(*nested.last().unwrap_or(root)), b"_addr"].concat());
    }
    Ok(())
}

/// `%cst4_i32`, `%true`, `%cst_vec_4xf32`
pub(super) fn constant(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let (Some(value), Some(result)) = (op.attribute("value")?, op.results().next()) else { return Ok(()) };
    let ty = op.type_of(result)?;
    let mut text = b"cst".to_vec();
    if let (AttributeData::Integer { value, .. }, TypeData::Integer { width, signedness }) =
        (&context[value], &context[ty])
    {
        if *width == 1 {
            set(0, if value.to_u64() == Some(0) { b"false" } else { b"true" });
            return Ok(());
        }
        push_integer(&mut text, value, *signedness);
    }
    let scalar = |data: &TypeData| matches!(data, TypeData::Integer { .. } | TypeData::Float(_));
    match &context[ty] {
        data if scalar(data) => {
            text.push(b'_');
            text.extend_from_slice(context.show(ty).to_string().as_bytes());
        }
        TypeData::Vector { shape, element, .. } => {
            text.extend_from_slice(format!("_vec_{}", shape.first().copied().unwrap_or(0)).as_bytes());
            if scalar(&context[*element]) {
                text.push(b'x');
                text.extend_from_slice(context.show(*element).to_string().as_bytes());
            }
        }
        _ => {}
    }
    set(0, &text);
    Ok(())
}
