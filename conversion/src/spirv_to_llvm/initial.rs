//! What global variables hold at first: MLIR converts none that says so.

use mlirbc_ir::{AttributeData, Error, Identifier, OpId, OpRef, Result, Rewriter, Type, Value};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::composed;
use super::emit::{Rw, reference};
use super::known::Known;
use super::state::State;

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
        (Some(known), _) => Ok(Some(Initial::Constant(known))),
        (None, AttributeData::SymbolRef { root, nested }) if nested.is_empty() => {
            Ok(Some(Initial::Address(state.new_name(body, *root))))
        }
        _ => Err(NoMatch::Reason("what a global variable holds at first cannot be worked out")),
    }
}

/// Fills the region of a global variable of that type.
pub(super) fn fill(rw: &mut Rw<'_, '_>, global: OpId, ty: Type, value: &Initial) -> Outcome {
    let mut wrong = None;
    rw.inside(global, |rw| {
        let region = rw.body().top_regions()[0];
        let block = rw.create_block::<Type>(region, None, [])?;
        rw.set_insertion_point_to_end(block)?;
        match made(rw, ty, value) {
            Ok(made) => drop(rw.build("llvm.return").operands([made]).create()?),
            Err(reason) => wrong = Some(reason),
        }
        Ok(())
    })?;
    wrong.map_or(Ok(()), Err)
}

/// Makes the value, of that type.
///
/// # Errors
/// Where it has too many parts, or is of another type.
pub(super) fn make(rw: &mut Rewriter<'_>, ty: Type, value: &Initial) -> Result<Value> {
    made(rw, ty, value).map_err(|wrong| match wrong {
        NoMatch::Error(error) => error,
        NoMatch::Reason(reason) => Error::verification(reason),
    })
}

fn made(rw: &mut Rewriter<'_>, ty: Type, value: &Initial) -> std::result::Result<Value, NoMatch> {
    match value {
        Initial::Constant(known) => composed::made(rw, ty, known),
        Initial::Address(name) => {
            let name = reference(rw.context(), *name);
            let made = rw.build("llvm.mlir.addressof").attribute("global_name", name).result_type(ty).create()?;
            Ok(rw.result(made, 0)?)
        }
    }
}
