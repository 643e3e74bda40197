//! The operations of `gpu` that have printers of their own.

use super::function::{dictionaries, first_arguments, name, signature};
use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::AttributeData;
use crate::body::Value;
use crate::types::TypeData;

/// How many buffers in the memory of a workgroup the operation's region begins with.
fn workgroup_buffers(printer: &OpPrinter<'_, '_>) -> Printed<usize> {
    let count = printer.need("workgroup_attributions")?;
    match &printer.context()[count] {
        AttributeData::Integer { ty, value } if printer.context()[*ty] == i64_type() => {
            value.to_i64().and_then(|count| usize::try_from(count).ok()).ok_or(NotCustom::UseGeneric)
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

fn i64_type() -> TypeData {
    TypeData::Integer { width: 64, signedness: crate::types::Signedness::Signless }
}

/// ` workgroup(%arg1 : type {attributes}, ...)`: so many arguments of the region, from one of them on.
fn buffers(
    printer: &mut OpPrinter<'_, '_>,
    keyword: &str,
    first: usize,
    count: usize,
    attributes: Option<&str>,
) -> Printed {
    let attributes = match attributes {
        Some(name) => dictionaries(printer, name, count)?,
        None => None,
    };
    // Where none says anything, none are read back.
    if attributes.as_ref().is_some_and(|all| all.iter().all(|entries| entries.is_empty())) {
        return Err(NotCustom::UseGeneric);
    }
    let types = printer.region_argument_types(0)?;
    for at in 0..count {
        printer.text(if at == 0 { " " } else { ", " });
        if at == 0 {
            printer.text(keyword);
            printer.text("(");
        }
        printer.region_argument_name(0, first + at)?;
        printer.text(" : ");
        let ty = printer.to.module.ty(*types.get(first + at).ok_or(NotCustom::UseGeneric)?)?;
        printer.ty(ty)?;
        if let Some(all) = &attributes {
            printer.dictionary_of(all[at], &|_| false, false)?;
        }
    }
    if count > 0 {
        printer.text(")");
    }
    Ok(())
}

pub(in crate::text) fn func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let workgroup = workgroup_buffers(printer)?;
    let (inputs, results) = signature(printer)?;
    let all = printer.region_argument_types(0)?.len();
    let attributions = all.checked_sub(inputs.len()).ok_or(NotCustom::UseGeneric)?;
    let private = attributions.checked_sub(workgroup).ok_or(NotCustom::UseGeneric)?;
    if printer.is_empty_region(0)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    name(printer)?;
    first_arguments(printer, inputs, results, false, attributions)?;
    buffers(printer, "workgroup", inputs.len(), workgroup, Some("workgroup_attrib_attrs"))?;
    buffers(printer, "private", inputs.len() + workgroup, private, Some("private_attrib_attrs"))?;
    if let Some(kernel) = printer.get("gpu.kernel") {
        if printer.context()[kernel] != AttributeData::Unit {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(" kernel");
    }
    printer.dictionary_with_keyword(&[
        "arg_attrs",
        "function_type",
        "gpu.kernel",
        "private_attrib_attrs",
        "res_attrs",
        "sym_name",
        "workgroup_attrib_attrs",
        "workgroup_attributions",
    ])?;
    printer.text(" ");
    printer.region(0, false, true);
    Ok(())
}

/// ` blocks(%arg0, %arg1, %arg2) in (%arg6 = %x, %arg7 = %y, %arg8 = %z)`
fn sizes(printer: &mut OpPrinter<'_, '_>, keyword: &str, ids: usize, sizes: usize, values: [Value; 3]) -> Printed {
    printer.text(keyword);
    for at in 0..3 {
        printer.text(if at == 0 { "(" } else { ", " });
        printer.region_argument_name(0, ids + at)?;
    }
    printer.text(") in (");
    for (at, value) in values.into_iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(0, sizes + at)?;
        printer.text(" = ");
        printer.value(value);
    }
    printer.text(")");
    Ok(())
}

pub(in crate::text) fn launch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut three =
        |first: usize| match (printer.operands(first)?, printer.operands(first + 1)?, printer.operands(first + 2)?) {
            (&[x], &[y], &[z]) => Ok(Some([x, y, z])),
            ([], [], []) => Ok(None),
            _ => Err(NotCustom::UseGeneric),
        };
    let (Some(grid), Some(block), cluster) = (three(1)?, three(4)?, three(7)?) else {
        return Err(NotCustom::UseGeneric);
    };
    let (dependencies, dynamic) = (printer.operands(0)?, printer.operands(10)?);
    let workgroup = workgroup_buffers(printer)?;
    let types = printer.region_argument_types(0)?;
    let fixed = if cluster.is_some() { 18 } else { 12 };
    let private =
        types.len().checked_sub(fixed).and_then(|rest| rest.checked_sub(workgroup)).ok_or(NotCustom::UseGeneric)?;
    for &ty in &types[..fixed] {
        if printer.context()[printer.to.module.ty(ty)?] != TypeData::Index {
            return Err(NotCustom::UseGeneric);
        }
    }
    let is_async = printer.op.results().len() > 0;
    if is_async {
        printer.implied(0, "!gpu.async.token")?;
        printer.text(" async");
        if !dependencies.is_empty() {
            printer.text(" [");
            printer.values(dependencies);
            printer.text("]");
        }
    } else if !dependencies.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    if let Some(cluster) = cluster {
        sizes(printer, " clusters", 12, 15, cluster)?;
    }
    sizes(printer, " blocks", 0, 6, grid)?;
    sizes(printer, " threads", 3, 9, block)?;
    if let Some(&dynamic) = dynamic.first() {
        printer.text(" dynamic_shared_memory_size ");
        printer.value(dynamic);
    }
    for name in ["module", "function"] {
        if let Some(symbol) = printer.get(name) {
            printer.text(format!(" {name}("));
            printer.attribute(symbol)?;
            printer.text(")");
        }
    }
    buffers(printer, "workgroup", fixed, workgroup, None)?;
    buffers(printer, "private", fixed + workgroup, private, None)?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.dictionary(&["workgroup_attributions", "module", "function"])
}

pub(in crate::text) fn warp_execute(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let lane = printer.at(0)?;
    let size = printer.need("warp_size")?;
    let AttributeData::Integer { value, .. } = &printer.context()[size] else { return Err(NotCustom::UseGeneric) };
    let size = value.to_i64().ok_or(NotCustom::UseGeneric)?;
    printer.text("(");
    printer.value(lane);
    printer.text(")[");
    printer.number(size);
    printer.text("]");
    let values = printer.operands(1)?;
    if !values.is_empty() {
        printer.text(" args(");
        printer.values(values);
        printer.text(" : ");
        printer.value_types(values)?;
        printer.text(")");
    }
    let results: Vec<Value> = printer.op.results().collect();
    if !results.is_empty() {
        printer.text(" -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.body(0, true, !results.is_empty())?;
    printer.dictionary(&["warp_size"])
}
