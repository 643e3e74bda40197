//! Functions for C: memory is a pointer to its descriptor, and a struct is given behind the first argument.

use mlirbc_dialects::llvm::{FunctionType, Linkage, PlainType, linkage};
use mlirbc_ir::{AttributeData, Context, Error, Identifier, OpId, Result, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::said::Function;
use crate::common::Rw;
use crate::to_llvm::descriptors::Descriptor;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::patterns::To;
use crate::to_llvm::signatures::Signature;
use crate::to_llvm::unranked;

/// The name of the function for C.
fn name_of(context: &Context, name: Identifier) -> Identifier {
    context.identifier(format!("_mlir_ciface_{}", context.text(name)))
}

/// Makes the function for C, without a body. Gives its type, too, and that of the struct that it gives.
fn declare(to: &To, rw: &mut Rw<'_, '_>, function: &Function) -> Result<(OpId, Type, Option<Type>), NoMatch> {
    let context = rw.context();
    let cannot = NoMatch::Reason("a type cannot be one of C");
    let (ty, structure) = to.types.for_c(context, (&function.inputs, &function.results)).ok_or(cannot)?;
    let mut attributes = function.said.clone();
    match (structure, &function.arguments) {
        (None, arguments) => {
            let arguments =
                arguments.as_ref().map(|all| context.attribute(AttributeData::Array(all.as_slice().into())));
            attributes.extend(arguments.map(|all| rw.named("arg_attrs", all)));
            attributes.extend(function.of_results.map(|all| rw.named("res_attrs", all)));
        }
        (Some(_), Some(arguments)) => {
            let all = [context.dictionary(Vec::new())?].into_iter().chain(arguments.iter().copied()).collect();
            attributes.push(rw.named("arg_attrs", context.attribute(AttributeData::Array(all))));
        }
        (Some(_), None) => {}
    }
    let made = rw.build("llvm.func").attribute("sym_name", name_of(context, function.name).attribute());
    let made = made.attribute("function_type", context.attribute(AttributeData::Type(ty)));
    let made = made.attribute("linkage", linkage(context, Linkage::External)).attributes(attributes).regions(1);
    Ok((made.create()?, ty, structure))
}

/// The first block of a function that has none yet, and what it takes.
fn enter(rw: &mut Rewriter<'_>, inputs: Vec<Type>) -> Result<Vec<Value>> {
    let region = rw.body().top_regions().first().copied();
    let region = region.ok_or_else(|| Error::misuse("a function has no region"))?;
    let block = rw.create_block(region, None, inputs)?;
    rw.set_insertion_point_to_end(block)?;
    Ok(rw.body().arguments(block).to_vec())
}

/// The inputs of a function of `llvm`, and what it gives where that is something.
fn parts(context: &Context, ty: Type) -> (Vec<Type>, Option<Type>) {
    let Some(ty) = FunctionType::of(context, ty) else { return Default::default() };
    let result = ty.result(context);
    (ty.inputs(context), Some(result).filter(|&ty| PlainType::of(context, ty) != Some(PlainType::Void)))
}

/// A function that C calls, and that calls the one that is there.
pub(super) fn called_by_c(to: &To, rw: &mut Rw<'_, '_>, function: &Function, of: Type) -> Outcome {
    let context = rw.context();
    let (made, ty, structure) = declare(to, rw, function)?;
    let at = rw.body().location(made);
    let loaded: Option<Vec<Type>> = function.inputs.iter().map(|&ty| to.types.convert(context, ty)).collect();
    let loaded = loaded.ok_or(NoMatch::Reason("the type of an argument cannot be converted"))?;
    rw.inside(made, |rw| {
        rw.locate(at);
        let given = enter(rw, parts(context, ty).0)?;
        let own = given.iter().skip(usize::from(structure.is_some()));
        let mut arguments = Vec::new();
        for ((&argument, &input), &loaded) in own.zip(&function.inputs).zip(&loaded) {
            match &context[input] {
                TypeData::MemRef { shape, .. } => {
                    let value = rw.load(loaded, argument)?;
                    arguments.extend(Descriptor { value }.unpack(rw, shape.len())?);
                }
                TypeData::UnrankedMemRef { .. } => {
                    let value = rw.load(loaded, argument)?;
                    arguments.push(unranked::rank(rw, value)?);
                    arguments.push(unranked::pointer(rw, value)?);
                }
                _ => arguments.push(argument),
            }
        }
        let called = rw.call(function.name, &arguments, parts(context, of).1)?;
        let results: Vec<Value> = rw.body().results(called).collect();
        match (structure, &*results, &*given) {
            (Some(_), &[result], &[to, ..]) => {
                rw.store(result, to)?;
                rw.emit_nothing("llvm.return", &[], Vec::new()).map(drop)
            }
            _ => rw.emit_nothing("llvm.return", &results, Vec::new()).map(drop),
        }
    })?;
    Ok(())
}

/// The body of a function that C defines: it calls that.
pub(super) fn calls_c(
    to: &To,
    rw: &mut Rw<'_, '_>,
    function: &Function,
    (own, signature): (OpId, &Signature),
) -> Outcome {
    let context = rw.context();
    let (_, ty, structure) = declare(to, rw, function)?;
    let (at, index) = (rw.body().location(own), to.types.index(context));
    let packed: Option<Vec<Type>> = function.inputs.iter().map(|&ty| to.types.convert(context, ty)).collect();
    let packed = packed.ok_or(NoMatch::Reason("the type of an argument cannot be converted"))?;
    rw.inside(own, |rw| {
        rw.locate(at);
        let given = enter(rw, parts(context, signature.ty).0)?;
        let (mut given, mut arguments) = (&*given, Vec::new());
        if let Some(structure) = structure {
            let one = rw.index_constant(index, 1)?;
            arguments.push(rw.stack(structure, one, 0)?);
        }
        for ((&input, &packed), types) in function.inputs.iter().zip(&packed).zip(&signature.inputs) {
            let (own, rest) = given.split_at_checked(types.len()).unwrap_or((given, &[]));
            given = rest;
            let made = match context[input] {
                TypeData::MemRef { .. } => Descriptor::pack(rw, packed, own)?.value,
                TypeData::UnrankedMemRef { .. } => unranked::pack(rw, packed, own)?,
                _ => {
                    arguments.extend(own);
                    continue;
                }
            };
            let one = rw.index_constant(index, 1)?;
            let place = rw.stack(packed, one, 0)?;
            rw.store(made, place)?;
            arguments.push(place);
        }
        let called = rw.call(name_of(context, function.name), &arguments, parts(context, ty).1)?;
        let mut results: Vec<Value> = rw.body().results(called).collect();
        if let (Some(structure), Some(&place)) = (structure, arguments.first()) {
            results = vec![rw.load(structure, place)?];
        }
        rw.emit_nothing("llvm.return", &results, Vec::new()).map(drop)
    })?;
    Ok(())
}
