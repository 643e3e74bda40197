//! `convert-func-to-llvm` (`mlir/lib/Conversion/FuncToLLVM`): functions, calls and returns of the dialect `func`.
//!
//! Memory becomes several arguments: its pointers, offset, sizes and strides; several results become a struct. A function that says
//! `llvm.emit_c_interface` has another one beside it, with `_mlir_ciface_` before its name, that C calls, or that C defines.

mod functions;
mod said;
mod wrappers;

use mlirbc_dialects::llvm::is_compatible;
use mlirbc_ir::{OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw, symbol};
use crate::to_llvm::declarations::{FREE, MALLOC, pointer, void};
use crate::to_llvm::descriptors::Descriptor;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::pass::ToLlvm;
use crate::to_llvm::patterns::To;
use crate::to_llvm::unranked;
use crate::to_llvm::{BARE_POINTERS, INDEX_BITS, LlvmOptions, LlvmPatterns, index_bits};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-func-to-llvm",
    about: "convert the dialect func to the dialect llvm",
    options: &[INDEX_BITS, BARE_POINTERS],
    make: MakePass::With(|options| {
        let bare_pointers = options.flag(BARE_POINTERS.name, false)?;
        Ok(Box::new(ToLlvm {
            name: INFO.name,
            of_module: true,
            index_bits: index_bits(options)?,
            options: LlvmOptions::new().bare_pointers(bare_pointers),
            patterns,
            legal: |target| target,
        }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: LlvmPatterns) -> LlvmPatterns {
    set.on("func.func", functions::function)
        .on("func.call_indirect", |to, rw, op, operands| called(to, rw, op, operands, to.types.options().bare_pointers))
        .on("func.call", call)
        .on("func.constant", constant)
        .on("func.return", returned)
}

fn call(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let callee = symbol(rw.context(), rw.attribute(op, "callee")?).ok();
    let is_bare = to.types.options().bare_pointers || callee.is_some_and(|callee| to.bare.names.contains(&callee));
    called(to, rw, op, operands, is_bare)
}

fn called(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, bare: bool) -> Outcome {
    let context = rw.context();
    let results: Vec<Type> = rw.body().results(op).map(|result| rw.ty(result)).collect::<mlirbc_ir::Result<_>>()?;
    let packed = match &*results {
        [] => None,
        all => Some(to.types.results(context, all, bare).ok_or(NoMatch::Reason("a result cannot be converted"))?),
    };
    let mut arguments = Vec::new();
    for number in 0..operands.len() {
        let ty = rw.operand_type(op, number)?;
        promote(rw, (ty, operands.many(number)), bare, &mut arguments)?;
    }
    let attributes = rw.all_attributes(op)?;
    let made = rw.call_with(&arguments, packed, attributes)?;
    let mut values: Vec<Value> = match results.len() {
        0 | 1 => rw.body().results(made).collect(),
        count => {
            let whole = rw.result(made, 0)?;
            (0..count).map(|at| rw.extract(whole, &[at as i64])).collect::<mlirbc_ir::Result<_>>()?
        }
    };
    match bare {
        true => {
            for (value, &ty) in values.iter_mut().zip(&results) {
                if matches!(context[ty], TypeData::MemRef { .. })
                    && let Some(made) = Descriptor::of_static(rw, ty, to.types.options(), (*value, *value))?
                {
                    *value = made.value;
                }
            }
        }
        false => copy_unranked(to, rw, &results, &mut values, false)?,
    }
    Ok(rw.replace(op, values)?)
}

/// Adds the arguments that an operand of that type becomes.
fn promote(rw: &mut Rw<'_, '_>, (ty, values): (Type, &[Value]), bare: bool, arguments: &mut Vec<Value>) -> Outcome {
    let (&[value], kind) = (values, &rw.context()[ty]) else {
        arguments.extend(values);
        return Ok(());
    };
    match kind {
        TypeData::MemRef { .. } if bare => arguments.push(Descriptor { value }.aligned(rw)?),
        TypeData::UnrankedMemRef { .. } if bare => {
            return Err(NoMatch::Reason("memory of an unknown rank is no pointer"));
        }
        TypeData::MemRef { shape, .. } => arguments.extend(Descriptor { value }.unpack(rw, shape.len())?),
        TypeData::UnrankedMemRef { .. } => {
            arguments.push(unranked::rank(rw, value)?);
            arguments.push(unranked::pointer(rw, value)?);
        }
        _ => arguments.push(value),
    }
    Ok(())
}

/// Copies descriptors of memory whose rank is not known: to the heap, where a function gives them, and to the stack, where it gave them.
fn copy_unranked(to: &To, rw: &mut Rw<'_, '_>, types: &[Type], values: &mut [Value], to_heap: bool) -> Outcome {
    let context = rw.context();
    let which = types.iter().enumerate().filter(|(_, ty)| unranked::is_unranked(context, **ty));
    let which: Vec<usize> = which.map(|(at, _)| at).filter(|&at| at < values.len()).collect();
    if which.is_empty() {
        return Ok(());
    }
    let index = to.types.index(context);
    let of: Vec<Value> = which.iter().map(|&at| values[at]).collect();
    let function = match to_heap {
        true => to.declarations.function(rw, MALLOC, (&[index], pointer(context)), true)?,
        false => to.declarations.function(rw, FREE, (&[pointer(context)], void(context)), true)?,
    };
    for (at, of) in which.into_iter().zip(of) {
        let size = unranked::size(rw, of, to.types.options())?;
        let memory = match to_heap {
            true => {
                let made = rw.call(function, &[size], Some(pointer(context)))?;
                rw.result(made, 0)?
            }
            false => rw.stack(context.integer_type(8), size, 0)?,
        };
        let from = unranked::pointer(rw, of)?;
        rw.copy_bytes(memory, from, size)?;
        if !to_heap {
            rw.call(function, &[from], None)?;
        }
        let ty = rw.convert_type(types[at])?;
        let made = rw.emit("llvm.mlir.poison", &[], ty)?;
        let rank = unranked::rank(rw, of)?;
        let made = rw.insert(made, rank, &[0])?;
        values[at] = rw.insert(made, memory, &[1])?;
    }
    Ok(())
}

fn constant(_: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    if !is_compatible(rw.context(), ty) {
        return Err(NoMatch::Reason("the type of a function cannot be converted"));
    }
    let value = rw.attribute(op, "value")?;
    let given = rw.context().static_identifier("value");
    let others = rw.all_attributes(op)?.into_iter().filter(|(name, _)| *name != given);
    let attributes = others.chain([rw.named("global_name", value)]).collect();
    let made = rw.emit_with("llvm.mlir.addressof", &[], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

fn returned(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let bare = to.types.options().bare_pointers || to.bare.bodies.contains(&rw.body_id());
    let types: Vec<Type> =
        (0..operands.len()).map(|number| rw.operand_type(op, number)).collect::<mlirbc_ir::Result<_>>()?;
    let mut values = operands.all()?;
    match bare {
        true => {
            for (value, &ty) in values.iter_mut().zip(&types) {
                match context[ty] {
                    TypeData::MemRef { .. } if to.types.bare_pointer(context, ty).is_some() => {
                        *value = Descriptor { value: *value }.allocated(rw)?;
                    }
                    TypeData::UnrankedMemRef { .. } => {
                        return Err(NoMatch::Reason("memory of an unknown rank is no pointer"));
                    }
                    _ => {}
                }
            }
        }
        false => copy_unranked(to, rw, &types, &mut values, true)?,
    }
    if values.len() > 1 {
        let packed = to.types.results(context, &types, bare);
        let packed = packed.ok_or(NoMatch::Reason("the results cannot be converted"))?;
        let mut made = rw.emit("llvm.mlir.poison", &[], packed)?;
        for (at, &value) in values.iter().enumerate() {
            made = rw.insert(made, value, &[at as i64])?;
        }
        values = vec![made];
    }
    let attributes = rw.all_attributes(op)?;
    rw.emit_nothing("llvm.return", &values, attributes)?;
    Ok(rw.replace(op, [])?)
}
