//! Of operations with regions: what these take and give.

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{OpRef, Result, Signedness, Type, TypeData};

use super::shaped::{First, Shaped, all_fit, are_dimensions, first_block, must, shapes_fit, sizes_fit, without, wrong};

/// Of `if` and `case`.
pub(super) fn branches(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    must(shapes_fit(shaped.operand(0), Some(&[])), "what it decides by is no scalar")?;
    let mut first: Option<Vec<Type>> = None;
    for region in op.region_tree()?.2 {
        let Some(First { arguments, given }) = first_block(op, region)? else { continue };
        must(arguments.is_empty(), "a branch has arguments")?;
        let Some(given) = given else { continue };
        must(all_fit(&shaped, &given, &shaped.results), "a branch gives other types than the results")?;
        let of_first = first.get_or_insert_with(|| given.clone());
        must(all_fit(&shaped, &given, of_first), "branches give different types")?;
    }
    Ok(())
}

pub(super) fn reduce(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    let inputs = shaped.operands.len() / 2;
    must(shaped.operands.len() % 2 == 0, "it has another number of inputs than of initial values")?;
    must(shaped.results.len() == inputs, "it has another number of results than of inputs")?;
    let Some(dimensions) = shaped.numbers("dimensions")? else { return Ok(()) };
    for at in 0..inputs {
        must(shapes_fit(shaped.operand(at), shaped.operand(0)), "its inputs have different shapes")?;
        let Some(shape) = shaped.operand(at) else { continue };
        must(are_dimensions(&dimensions, shape.len()), "its `dimensions` are none of its inputs, each once")?;
        let kept = without(shape, &[&dimensions]);
        must(
            shapes_fit(shaped.shape(shaped.results.get(at)), Some(&kept)),
            "its result has another shape than what it computes",
        )?;
    }
    let kept = shaped.operand(0).map(|shape| without(shape, &[&dimensions]));
    let (from, initial) = shaped.operands.split_at(inputs);
    Reducer { inputs: from, initial, dimensions: kept.as_deref() }.check(&shaped, 0, true)
}

pub(super) fn scatter(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    super::shapes::scatter(&shaped)?;
    let inputs = shaped.operands.len() / 2;
    let scalars: Option<Vec<Type>> =
        (inputs + 1..shaped.operands.len()).map(|at| Some(shaped.scalar(shaped.element(at)?))).collect();
    let Some(initial) = scalars else { return Ok(()) };
    Reducer { inputs: &shaped.operands[..inputs], initial: &initial, dimensions: Some(&[]) }.check(&shaped, 0, true)
}

pub(super) fn r#while(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    must(all_fit(&shaped, &shaped.operands, &shaped.results), "its operands and its results are of different types")?;
    for (at, &region) in op.region_tree()?.2.iter().enumerate() {
        let Some(First { arguments, given }) = first_block(op, region)? else { continue };
        must(all_fit(&shaped, &arguments, &shaped.operands), "a region has other arguments than the operands")?;
        let Some(given) = given else { continue };
        match at {
            0 => gives_a_truth(&shaped, Some(&given))?,
            _ => must(all_fit(&shaped, &given, &shaped.operands), "its body gives other types than the operands")?,
        }
    }
    Ok(())
}

/// What a region computes of two values: of each input its element and what has been computed before, or the other way round.
pub(super) struct Reducer<'t> {
    /// What is reduced.
    pub(super) inputs: &'t [Type],
    /// What is there before.
    pub(super) initial: &'t [Type],
    /// The sizes of the dimensions that values in the region may have, where they are known.
    pub(super) dimensions: Option<&'t [i64]>,
}

impl Reducer<'_> {
    /// Checks the region of that number, and the elements of the results where they are what it gives.
    pub(super) fn check(&self, op: &Shaped<'_>, region: usize, gives_results: bool) -> Result<()> {
        let region = op.op.region_tree()?.2.get(region).map(|&region| first_block(op.op, region));
        let Some(First { arguments, given }) = region.transpose()?.flatten() else { return Ok(()) };
        let count = self.inputs.len();
        must(arguments.len() == 2 * count, "its region has another number of arguments than two for each input")?;
        let Some(given) = given else { return Ok(()) };
        must(given.len() == count, "its region gives another number of values than there are inputs")?;
        for at in 0..count {
            let element = |ty: Type| op.context[ty].element();
            let (before, next, computed) = (arguments[at], arguments[count + at], given[at]);
            let (Some(_), Some(of_next), Some(of_computed)) = (element(before), element(next), element(computed))
            else {
                return wrong("its region takes or gives what is no tensor");
            };
            let shapes = [before, next, computed].map(|ty| op.shape(Some(&ty)));
            must(
                shapes_fit(shapes[0], shapes[2]) && shapes_fit(shapes[1], shapes[2]),
                "its region takes other shapes than it gives",
            )?;
            must(
                op.elements_fit(before, computed) && op.alike(of_next, of_computed),
                "its region takes other elements than it gives",
            )?;
            must(
                shapes_fit(op.shape(self.initial.get(at)), shapes[2]),
                "its region gives another shape than is there before",
            )?;
            let is_room_for = |ty: Option<&Type>, wider: Type| {
                ty.and_then(|&ty| element(ty)).is_none_or(|element| promotes(op, element, wider))
            };
            must(
                is_room_for(self.initial.get(at), of_computed) && is_room_for(self.inputs.get(at), of_next),
                "its region computes with other elements than it is given",
            )?;
            let has_part = |shape| self.dimensions.is_none_or(|of| is_part(shape, of));
            must(shapes[1].is_none_or(has_part), "its region takes another shape than it is given")?;
            if gives_results {
                op.gives_elements(at, of_computed)?;
            }
        }
        Ok(())
    }
}

/// Whether what is of the one type can be of the other, which is of the same kind and no narrower.
fn promotes(op: &Shaped<'_>, from: Type, to: Type) -> bool {
    match (&op.context[from], &op.context[to]) {
        (TypeData::Integer { width: from, .. }, TypeData::Integer { width: to, .. }) => from <= to,
        (TypeData::Complex(_), TypeData::Complex(_)) => true,
        _ => op.alike(from, to),
    }
}

/// Whether sizes are some of others, in their order.
fn is_part(sizes: &[i64], of: &[i64]) -> bool {
    let mut rest = of.iter();
    sizes.iter().all(|&size| rest.any(|&other| sizes_fit(size, other)))
}

/// A region gives one scalar that is true or false.
pub(super) fn gives_a_truth(op: &Shaped<'_>, given: Option<&[Type]>) -> Result<()> {
    let Some(given) = given else { return Ok(()) };
    let is_truth = |ty: Type| {
        let is_bit = op.context[ty].element().is_some_and(|element| {
            op.context[element] == TypeData::Integer { width: 1, signedness: Signedness::Signless }
        });
        is_bit && shapes_fit(op.shape(Some(&ty)), Some(&[]))
    };
    must(matches!(*given, [ty] if is_truth(ty)), "its region gives no `tensor<i1>`")
}

/// Of `sort`.
pub(super) fn sort(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    must(!shaped.operands.is_empty(), "it sorts nothing")?;
    let (Some(first), dimension) = (shaped.operand(0), shaped.number("dimension")?) else { return Ok(()) };
    let rank = first.len() as i64;
    must(dimension.is_none_or(|at| (-rank..rank).contains(&at)), "its `dimension` is none of its operands")?;
    must(
        (1..shaped.operands.len()).all(|at| shapes_fit(shaped.operand(at), Some(first))),
        "its operands have different shapes",
    )?;
    must(all_fit(&shaped, &shaped.operands, &shaped.results), "its results are of other types than its operands")?;
    let Some(&region) = op.region_tree()?.2.first() else { return Ok(()) };
    let Some(First { arguments, given }) = first_block(op, region)? else { return Ok(()) };
    must(
        arguments.len() == 2 * shaped.operands.len(),
        "its region has another number of arguments than two for each operand",
    )?;
    for (at, pair) in arguments.chunks(2).enumerate() {
        let Some(element) = shaped.element(at) else { continue };
        let scalar = shaped.scalar(element);
        must(pair.iter().all(|&ty| ty == scalar), "its region takes other types than elements of its operands")?;
    }
    gives_a_truth(&shaped, given.as_deref())
}

/// Of `map`.
pub(super) fn map(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    let Some(dimensions) = shaped.numbers("dimensions")? else { return Ok(()) };
    must((0..).zip(&dimensions).all(|(at, &dimension)| at == dimension), "its `dimensions` are not all, in order")?;
    for at in 0..shaped.operands.len() {
        let Some(shape) = shaped.operand(at) else { continue };
        must(shape.len() == dimensions.len(), "its `dimensions` are not all of its operands")?;
        must(shapes_fit(Some(shape), shaped.result()), "its result has another shape than its operands")?;
    }
    let Some(&region) = op.region_tree()?.2.first() else { return Ok(()) };
    let Some(First { arguments, given }) = first_block(op, region)? else { return Ok(()) };
    must(arguments.len() == shaped.operands.len(), "its region has another number of arguments than it has operands")?;
    for (at, &ty) in arguments.iter().enumerate() {
        let Some(element) = shaped.element(at) else { continue };
        must(ty == shaped.scalar(element), "its region takes other types than elements of its operands")?;
    }
    let Some(given) = given else { return Ok(()) };
    let &[given] = &*given else { return wrong("its region gives not one value") };
    must(shapes_fit(shaped.shape(Some(&given)), Some(&[])), "its region gives no scalar")?;
    match shaped.context[given].element() {
        Some(element) => shaped.gives_elements(0, element),
        None => wrong("its region gives what is no tensor"),
    }
}
