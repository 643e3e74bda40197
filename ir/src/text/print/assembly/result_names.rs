//! The names that operations give their results and arguments.

use crate::attribute::{Attribute, AttributeData};
use crate::error::Result;
use crate::operation::OpRef;
use crate::text::hooks::ResultNamesFn;
use crate::text::print::attribute::push_integer;
use crate::text::print_type;
use crate::types::{Signedness, TypeData};

/// Operations whose first result always has the same name.
const FIXED: &[(&str, &str)] = &[
    ("complex.constant", "cst"),
    ("func.constant", "f"),
    ("linalg.broadcast", "broadcasted"),
    ("linalg.map", "mapped"),
    ("linalg.pack", "pack"),
    ("linalg.reduce", "reduced"),
    ("linalg.transpose", "transposed"),
    ("linalg.unpack", "unpack"),
    ("memref.alloc", "alloc"),
    ("memref.alloca", "alloca"),
    ("memref.assume_alignment", "assume_align"),
    ("memref.cast", "cast"),
    ("memref.collapse_shape", "collapse_shape"),
    ("memref.dim", "dim"),
    ("memref.expand_shape", "expand_shape"),
    ("memref.extract_aligned_pointer_as_index", "intptr"),
    ("memref.memory_space_cast", "memspacecast"),
    ("memref.reinterpret_cast", "reinterpret_cast"),
    ("memref.reshape", "reshape"),
    ("memref.subview", "subview"),
    ("memref.transpose", "transpose"),
    ("memref.view", "view"),
    ("shard.all_gather", "all_gather"),
    ("shard.all_reduce", "all_reduce"),
    ("shard.all_slice", "all_slice"),
    ("shard.all_to_all", "all_to_all"),
    ("shard.broadcast", "broadcast"),
    ("shard.gather", "gather"),
    ("shard.grid_shape", "mesh_shape"),
    ("shard.process_linear_index", "proc_linear_idx"),
    ("shard.process_multi_index", "proc_linear_idx"),
    ("shard.recv", "recv"),
    ("shard.reduce", "reduce"),
    ("shard.reduce_scatter", "reduce_scatter"),
    ("shard.scatter", "scatter"),
    ("shard.send", "send"),
    ("shard.shard", "sharding_annotated"),
    ("shard.sharding", "sharding"),
    ("shard.shift", "shift"),
    ("tensor.cast", "cast"),
    ("tensor.collapse_shape", "collapsed"),
    ("tensor.concat", "concat"),
    ("tensor.dim", "dim"),
    ("tensor.expand_shape", "expanded"),
    ("tensor.extract", "extracted"),
    ("tensor.extract_slice", "extracted_slice"),
    ("tensor.from_elements", "from_elements"),
    ("tensor.gather", "gather"),
    ("tensor.generate", "generated"),
    ("tensor.insert", "inserted"),
    ("tensor.insert_slice", "inserted_slice"),
    ("tensor.pad", "padded"),
    ("tensor.rank", "rank"),
    ("tensor.reshape", "reshape"),
    ("tensor.scatter", "scatter"),
    ("tensor.splat", "splat"),
    ("vector.vscale", "vscale"),
];

/// Calls `set` with the number of a result and the name that the operation gives it, as its dialect `brought` it or as is known
/// here. Gives whether operations of this name name any.
pub(super) fn result_names(
    op: OpRef<'_>,
    brought: Option<ResultNamesFn>,
    set: &mut dyn FnMut(usize, &[u8]),
) -> Result<bool> {
    let Some(definition) = op.definition() else { return Ok(false) };
    let name = definition.name.as_str();
    if let Ok(at) = FIXED.binary_search_by_key(&name, |entry| entry.0) {
        set(0, FIXED[at].1.as_bytes());
        return Ok(true);
    }
    let details = definition.details();
    let is_auto = details.results.len() > 1 && !details.interfaces.iter().any(|known| known == "OpAsmOpInterface");
    if is_auto {
        // Several kinds of results are called as the definition calls them.
        if let Ok(ranges) = op.result_ranges() {
            for (result, range) in details.results.iter().zip(ranges) {
                if !range.is_empty() && !result.name.is_empty() {
                    set(range.start, result.name.as_bytes());
                }
            }
        }
        return Ok(true);
    }
    if let Some(names) = brought {
        names(op, set)?;
        return Ok(true);
    }
    match name {
        "arith.constant" => constant(op, set)?,
        "arith.muli" => vscale_product(op, set)?,
        "ml_program.global_load" | "ml_program.global_load_const" => {
            if let Some(symbol) = symbol(op, op.attribute("global")?) {
                set(0, symbol);
            }
        }
        "index.constant" | "shape.const_size" => {
            let mut text = if name == "index.constant" { b"idx".to_vec() } else { b"c".to_vec() };
            if integer(op, op.attribute("value")?, Signedness::Signless, &mut text) {
                set(0, &text);
            }
        }
        "index.bool.constant" | "smt.constant" => {
            let mut text = Vec::new();
            if integer(op, op.attribute("value")?, Signedness::Signless, &mut text) {
                set(0, if text == b"0" { b"false" } else { b"true" });
            }
        }
        "smt.int.constant" => {
            let mut text = b"c".to_vec();
            if integer(op, op.attribute("value")?, Signedness::Signed, &mut text) {
                set(0, &text);
            }
        }
        "smt.bv.constant" => {
            let Some(value) = op.attribute("value")? else { return Ok(true) };
            let text = crate::text::print_attribute(op.module().context(), value)?;
            let inner = |text: &str, prefix: &str| Some(text.strip_prefix(prefix)?.strip_suffix('>')?.to_owned());
            let parts = text.split_once(" : ");
            if let Some((value, ty)) = parts
                && let (Some(value), Some(width)) = (inner(value, "#smt.bv<"), inner(ty, "!smt.bv<"))
            {
                set(0, format!("c{value}_bv{width}").as_bytes());
            }
        }
        "smt.declare_fun" => {
            if let Some(AttributeData::String { value, .. }) =
                op.attribute("namePrefix")?.map(|prefix| &op.module().context()[prefix])
            {
                set(0, value);
            }
        }
        "memref.extract_strided_metadata" => {
            set(0, b"base_buffer");
            set(1, b"offset");
            if op.results().len() > 2 {
                set(2, b"sizes");
                set(2 + (op.results().len() - 2) / 2, b"strides");
            }
        }
        "gpu.block_dim"
        | "gpu.block_id"
        | "gpu.cluster_block_id"
        | "gpu.cluster_dim_blocks"
        | "gpu.cluster_dim"
        | "gpu.cluster_id"
        | "gpu.global_id"
        | "gpu.grid_dim"
        | "gpu.thread_id" => {
            let context = op.module().context();
            if let Some(AttributeData::Text { text, .. }) =
                op.attribute("dimension")?.map(|attribute| &context[attribute])
                && let Some((.., rest)) = crate::text::assembly::split_symbol(text)
            {
                set(0, &[&name.as_bytes()[4..], b"_", rest.trim_ascii()].concat());
            }
        }
        "transform.foreach_match" => {
            set(0, b"updated_root");
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Calls `set` with the number of an argument of a region's first block and the name that the operation gives it.
pub(super) fn argument_names(
    op: OpRef<'_>,
    _region: usize,
    count: usize,
    set: &mut dyn FnMut(usize, &[u8]),
) -> Result<()> {
    let (input, output) = match op.definition().map(|definition| definition.name.as_str()) {
        Some("linalg.generic") => ("in", "out"),
        Some("linalg.map" | "linalg.reduce") => ("in", "init"),
        _ => return Ok(()),
    };
    let Ok(ranges) = op.operand_ranges() else { return Ok(()) };
    let inputs = ranges.first().map_or(0, |range| range.len());
    for at in 0..count {
        set(at, if at < inputs { input } else { output }.as_bytes());
    }
    Ok(())
}

fn symbol<'m>(op: OpRef<'m>, attribute: Option<Attribute>) -> Option<&'m [u8]> {
    let context = op.module().context();
    match &context[attribute?] {
        AttributeData::SymbolRef { root, nested } => Some(context.bytes(*nested.last().unwrap_or(root))),
        _ => None,
    }
}

fn integer(op: OpRef<'_>, attribute: Option<Attribute>, signedness: Signedness, text: &mut Vec<u8>) -> bool {
    match attribute.map(|attribute| &op.module().context()[attribute]) {
        Some(AttributeData::Integer { value, .. }) => {
            if value.width() == 1 {
                text.push(if value.to_u64() == Some(0) { b'0' } else { b'1' });
            } else {
                push_integer(text, value, signedness);
            }
            true
        }
        _ => false,
    }
}

/// `c4_vscale` for the product of a constant and `vector.vscale`.
fn vscale_product(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let &[left, right] = op.operands() else { return Ok(()) };
    let Some(result) = op.results().next() else { return Ok(()) };
    if op.module().context()[op.type_of(result)?] != TypeData::Index {
        return Ok(());
    }
    for (base, scale) in [(left, right), (right, left)] {
        let (Some(base), Some(scale)) = (op.defining_operation(base), op.defining_operation(scale)) else { continue };
        let mut text = b"c".to_vec();
        if scale.name() == "vector.vscale"
            && base.name() == "arith.constant"
            && integer(op, base.attribute("value")?, Signedness::Signed, &mut text)
        {
            text.extend_from_slice(b"_vscale");
            set(0, &text);
            break;
        }
    }
    Ok(())
}

fn constant(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(value) = op.attribute("value")? else { return Ok(()) };
    let AttributeData::Integer { ty, value: bits } = &context[value] else {
        set(0, b"cst");
        return Ok(());
    };
    match context[*ty] {
        TypeData::Integer { width: 1, .. } => set(0, if bits.to_u64() == Some(0) { b"false" } else { b"true" }),
        ref data => {
            let mut text = b"c".to_vec();
            push_integer(&mut text, bits, Signedness::Signed);
            if matches!(data, TypeData::Integer { .. }) {
                text.push(b'_');
                text.extend_from_slice(print_type(context, *ty)?.as_bytes());
            }
            set(0, &text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::FIXED.is_sorted_by_key(|entry| entry.0));
    }
}
