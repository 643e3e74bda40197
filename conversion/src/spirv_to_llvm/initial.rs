//! What global variables hold at first: MLIR converts none that says so.

use mlirbc_ir::{
    Attribute, AttributeData, Context, Identifier, NumberKind, OpId, OpRef, Result, Rewriter, Type, Value,
};
use mlirbc_rewrite::NoMatch;

use super::constants::Known;
use super::emit::{Rw, dense_array, element, lanes, reference};
use super::state::State;
use super::types::inside;

/// A value has so many parts at most.
const MOST_PARTS: u32 = 4096;

/// The value of a global variable.
#[derive(Debug)]
pub(super) enum Initial {
    Constant(Known),
    /// The address of a variable of that name.
    Address(Identifier),
}

/// What an operation says of its value.
pub(super) fn initial(op: OpRef<'_>, state: &State) -> std::result::Result<Option<Initial>, NoMatch> {
    let (context, body) = (op.module().context(), op.body_id());
    let said = match op.attribute("initializer")? {
        // What a binary says, and the dialect has no place for.
        None => op.attribute("spirv_binary.initializer")?,
        said => said,
    };
    let Some(said) = said else { return Ok(None) };
    match (state.known(op, said), &context[said]) {
        (Some(known), _) => {
            parts(&known, &mut { MOST_PARTS }).ok_or(NoMatch::Reason("a constant has too many parts"))?;
            Ok(Some(Initial::Constant(known)))
        }
        (None, AttributeData::SymbolRef { root, nested }) if nested.is_empty() => {
            Ok(Some(Initial::Address(state.new_name(body, *root))))
        }
        _ => Err(NoMatch::Reason("what a global variable holds at first cannot be worked out")),
    }
}

/// Counts the parts down.
fn parts(known: &Known, left: &mut u32) -> Option<()> {
    *left = left.checked_sub(1)?;
    match known {
        Known::Parts(all) => all.iter().try_for_each(|part| parts(part, left)),
        _ => Some(()),
    }
}

/// Fills the region of a global variable of that type.
pub(super) fn fill(rw: &mut Rw<'_, '_>, global: OpId, ty: Type, value: &Initial) -> Result<()> {
    rw.inside(global, |rw| {
        let region = rw.body().top_regions()[0];
        let block = rw.create_block::<Type>(region, None, [])?;
        rw.set_insertion_point_to_end(block)?;
        let made = make(rw, ty, value)?;
        rw.build("llvm.return").operands([made]).create()?;
        Ok(())
    })
}

/// Makes the value, of that type.
pub(super) fn make(rw: &mut Rewriter<'_>, ty: Type, value: &Initial) -> Result<Value> {
    match value {
        Initial::Constant(known) => write(rw, ty, known),
        Initial::Address(name) => {
            let name = reference(rw.context(), *name);
            let made = rw.build("llvm.mlir.addressof").attribute("global_name", name).result_type(ty).create()?;
            rw.result(made, 0)
        }
    }
}

/// The numbers of a vector, where they all are known.
fn numbers(context: &Context, ty: Type, known: &[Known]) -> Result<Option<Attribute>> {
    let numbers: Option<Vec<_>> = known.iter().map(|part| part.number(context)).collect();
    match (numbers, lanes(context, ty), NumberKind::of(context, element(context, ty))) {
        (Some(numbers), Some(_), Some(_)) => context.numbers(ty, &numbers).map(Some),
        _ => Ok(None),
    }
}

fn write(rw: &mut Rewriter<'_>, ty: Type, known: &Known) -> Result<Value> {
    let context = rw.context();
    let value = match known {
        Known::Number(number) => Some(context.numbers(ty, std::slice::from_ref(number))?),
        Known::Parts(parts) => numbers(context, ty, parts)?,
        Known::Null(_) | Known::Undefined => None,
    };
    let name = match (known, value) {
        (_, Some(_)) => "llvm.mlir.constant",
        (Known::Null(_), _) => "llvm.mlir.zero",
        (Known::Undefined, _) => "llvm.mlir.undef",
        _ => "llvm.mlir.poison",
    };
    let mut build = rw.build(name).result_type(ty);
    if let Some(value) = value {
        build = build.attribute("value", value);
    }
    let made = build.create()?;
    let mut made = rw.result(made, 0)?;
    let Known::Parts(parts) = known else { return Ok(made) };
    if value.is_some() {
        return Ok(made);
    }
    for (number, part) in (0..).zip(parts.iter()) {
        let wrong = || mlirbc_ir::Error::verification("a constant has more parts than its type");
        let of = inside(context, ty, Some(number)).ok_or_else(wrong)?;
        let part = write(rw, of, part)?;
        let insert = if lanes(context, ty).is_some() {
            let index = rw.build("llvm.mlir.constant").attribute("value", context.integer(32, number.into()));
            let index = index.result_type(context.integer_type(32)).create()?;
            let index = rw.result(index, 0)?;
            rw.build("llvm.insertelement").operands([made, part, index])
        } else {
            let position = dense_array(context, 64, [number.into()]);
            rw.build("llvm.insertvalue").operands([made, part]).attribute("position", position)
        };
        let insert = insert.result_type(ty).create()?;
        made = rw.result(insert, 0)?;
    }
    Ok(made)
}
