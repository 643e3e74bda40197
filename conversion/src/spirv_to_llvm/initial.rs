//! What global variables hold at first: MLIR converts none that says so.

use mlirbc_ir::{Context, Error, OpId, OpRef, Result, Rewriter, Type, Value};
use mlirbc_rewrite::conversion::TypeConverter;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::composed::{self, Place};
use super::emit::Rw;
use super::known::{Address, Known};
use super::state::State;

/// What an operation says of its value.
pub(super) fn initial(op: OpRef<'_>, state: &State) -> std::result::Result<Option<Known>, NoMatch> {
    let said = match op.attribute("initializer")? {
        // What a binary says, and the dialect has no place for.
        None => op.attribute("spirv_binary.initializer")?,
        said => said,
    };
    let Some(said) = said else { return Ok(None) };
    let known = state.known(op, said);
    known.map(Some).ok_or(NoMatch::Reason("what a global variable holds at first cannot be worked out"))
}

/// Where an address is.
pub(super) fn place(context: &Context, types: &TypeConverter, state: &State, address: &Address) -> Option<Place> {
    let (body, name) = address.variable;
    let step = |(ty, indices): &(Type, Vec<i32>)| Some((types.convert(context, *ty)?, indices.clone()));
    Some(Place {
        name: state.new_name(body, name),
        pointer: types.convert(context, address.pointer)?,
        steps: address.steps.iter().map(step).collect::<Option<_>>()?,
    })
}

/// Fills the region of a global variable of that type.
pub(super) fn fill(rw: &mut Rw<'_, '_>, global: OpId, ty: Type, value: &Known, state: &State) -> Outcome {
    let types = rw.types().ok_or(NoMatch::Reason("no type is converted"))?.clone();
    let mut wrong = None;
    rw.inside(global, |rw| {
        let region = rw.body().top_regions()[0];
        let block = rw.create_block::<Type>(region, None, [])?;
        rw.set_insertion_point_to_end(block)?;
        let context = rw.context();
        match composed::made(rw, ty, value, (&|address| place(context, &types, state, address), &state.parts)) {
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
pub(super) fn make(
    rw: &mut Rewriter<'_>,
    ty: Type,
    value: &Known,
    (types, state): (&TypeConverter, &State),
) -> Result<Value> {
    let context = rw.context();
    let made = composed::made(rw, ty, value, (&|address| place(context, types, state, address), &state.parts));
    made.map_err(|wrong| match wrong {
        NoMatch::Error(error) => error,
        NoMatch::Reason(reason) => Error::verification(reason),
    })
}
