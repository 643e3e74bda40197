//! Of operations in which many devices take part.

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{DYNAMIC, OpRef, Result, Type};

use super::regions::Reducer;
use super::shaped::{Grid, Shaped, all_fit, are_dimensions, must, shapes_fit, size, sizes_fit};
use crate::stablehlo::ChannelHandle;

/// How the devices of an operation are grouped.
#[derive(Clone, Copy)]
struct Groups {
    /// Whether each has as many.
    uniform: bool,
    /// How many each has, where it is known.
    size: Option<i64>,
}

impl Groups {
    fn check(self, op: &Shaped<'_>, global: bool) -> Result<()> {
        // Groups may be axes of a mesh as well.
        let Some(Grid { shape, numbers }) = op.grid("replica_groups")? else { return Ok(()) };
        let &[count, _] = shape else { return must(false, "its `replica_groups` have not two dimensions") };
        must(!global || !numbers.is_empty(), "it has no groups, although its ids are global")?;
        let mut seen = vec![false; numbers.len()];
        let mut used = 0;
        for &id in &numbers {
            if id == -1 && !self.uniform {
                continue;
            }
            let place = usize::try_from(id).ok().and_then(|id| seen.get_mut(id));
            let is_new = place.is_some_and(|seen| !std::mem::replace(seen, true));
            must(is_new, "its `replica_groups` have an id twice, or lack one below another")?;
            used += 1;
        }
        must(seen[..used].iter().all(|&seen| seen), "its `replica_groups` lack an id below another")?;
        let is_right = |size: i64| count == 0 || numbers.len() as i64 / count == size;
        must(self.size.is_none_or(is_right), "its groups are of another size than it splits into")
    }
}

/// The channel, 0 where there is none.
fn channel(op: &Shaped<'_>) -> Result<i64> {
    let handle = op.op.attribute("channel_handle")?;
    Ok(handle.and_then(|handle| ChannelHandle::of(op.context, handle)).map_or(0, |handle| handle.handle))
}

const UNIFORM: Groups = Groups { uniform: true, size: None };

/// The operands have a result each.
fn one_result_each(op: &Shaped<'_>) -> Result<()> {
    must(op.operands.len() == op.results.len(), "it has another number of results than of operands")
}

pub(super) fn all_gather(op: &Shaped<'_>) -> Result<()> {
    one_result_each(op)?;
    let global = op.flag("use_global_device_ids")?;
    UNIFORM.check(op, global)?;
    must(!global || channel(op)? >= 0, "its ids are global, and its channel is negative")?;
    let Some(dimension) = op.number("all_gather_dim")? else { return Ok(()) };
    must(dimension >= 0, "its `all_gather_dim` is negative")?;
    for at in 0..op.operands.len() {
        must(op.elements_fit(op.operands[at], op.results[at]), "its result has other elements than what it is given")?;
        let Some(operand) = op.operand(at) else { continue };
        must(are_dimensions(&[dimension], operand.len()), "its `all_gather_dim` is none of its operand")?;
        must(size(operand, dimension) != 0, "its operand has nothing to gather")?;
        let Some(result) = op.shape(op.results.get(at)) else { continue };
        must(scales(operand, result, dimension), "its result has another shape than what it gathers")?;
    }
    Ok(())
}

/// Whether the larger shape is a multiple of the smaller one in one dimension, and no other elsewhere.
fn scales(smaller: &[i64], larger: &[i64], dimension: i64) -> bool {
    let fits = |(at, (&small, &large)): (i64, (&i64, &i64))| match at == dimension {
        true => small == DYNAMIC || large == DYNAMIC || small != 0 && large % small == 0,
        false => sizes_fit(small, large),
    };
    smaller.len() == larger.len() && (0..).zip(smaller.iter().zip(larger)).all(fits)
}

pub(super) fn all_to_all(op: &Shaped<'_>) -> Result<()> {
    one_result_each(op)?;
    let numbers = [op.number("split_dimension")?, op.number("concat_dimension")?, op.number("split_count")?];
    let [Some(split), Some(joined), Some(count)] = numbers else { return Ok(()) };
    must(count > 0, "its `split_count` is not positive")?;
    Groups { uniform: true, size: Some(count) }.check(op, false)?;
    must(split >= 0 && joined >= 0, "a dimension is negative")?;
    for at in 0..op.operands.len() {
        let Some(operand) = op.operand(at) else { continue };
        let rank = operand.len();
        must(are_dimensions(&[split], rank) && are_dimensions(&[joined], rank), "a dimension is none of its operand")?;
        let mut shape = operand.to_vec();
        let splits = &mut shape[split as usize];
        must(*splits == DYNAMIC || *splits % count == 0, "its `split_count` does not divide its operand")?;
        if *splits != DYNAMIC {
            *splits /= count;
        }
        let joins = &mut shape[joined as usize];
        if *joins != DYNAMIC {
            *joins = joins.checked_mul(count).unwrap_or(DYNAMIC);
        }
        must(
            shapes_fit(op.shape(op.results.get(at)), Some(&shape)),
            "its result has another shape than what it computes",
        )?;
        must(op.elements_fit(op.operands[at], op.results[at]), "its result has other elements than what it is given")?;
    }
    Ok(())
}

pub(super) fn collective_broadcast(op: &Shaped<'_>) -> Result<()> {
    let Some(Grid { shape, mut numbers }) = op.grid("replica_groups")? else { return Ok(()) };
    must(shape.len() == 2, "its `replica_groups` have not two dimensions")?;
    must(numbers.iter().all(|&id| id >= 0), "its `replica_groups` have an id that is negative")?;
    must(is_set(&mut numbers), "its `replica_groups` have an id twice")?;
    must(all_fit(op, &op.operands, &op.results), "its results are of other types than its operands")
}

/// Whether none of them is there twice.
fn is_set(numbers: &mut [i64]) -> bool {
    numbers.sort_unstable();
    numbers.windows(2).all(|pair| pair[0] != pair[1])
}

pub(super) fn collective_permute(op: &Shaped<'_>) -> Result<()> {
    source_target_pairs(op)?;
    op.gives_what_it_is_given(0)
}

/// Of `send` and `recv`, too, which may have none.
pub(super) fn source_target_pairs(op: &Shaped<'_>) -> Result<()> {
    let Some(grid) = op.grid("source_target_pairs")? else { return Ok(()) };
    let Some(pairs) = grid.pairs() else { return must(false, "its `source_target_pairs` are no pairs") };
    must(grid.numbers.iter().all(|&id| id >= 0), "its `source_target_pairs` have an id that is negative")?;
    let mut of = [0, 1].map(|at| pairs.iter().map(|pair| pair[at]).collect::<Vec<i64>>());
    must(of.iter_mut().all(|ids| is_set(ids)), "its `source_target_pairs` have a source or a target twice")
}

/// Each operand is reduced as elements of it.
fn reduces(op: &Shaped<'_>, gives_results: bool) -> Result<()> {
    let scalars: Vec<Type> = (0..op.operands.len()).filter_map(|at| op.element(at)).map(|ty| op.scalar(ty)).collect();
    if scalars.len() < op.operands.len() {
        return Ok(());
    }
    // One region reduces them, one after the other.
    for at in 0..scalars.len() {
        let of = &scalars[at..=at];
        Reducer { inputs: of, initial: of, dimensions: Some(&[]) }.check(op, 0, gives_results && at == 0)?;
    }
    Ok(())
}

pub(super) fn all_reduce(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    one_result_each(op)?;
    let global = op.flag("use_global_device_ids")?;
    Groups { uniform: false, size: None }.check(op, global)?;
    must(!global || channel(op)? > 0, "its ids are global, and its channel is not positive")?;
    for (at, &result) in op.results.iter().enumerate() {
        must(shapes_fit(op.operand(at), op.shape(Some(&result))), "a result has another shape than its operand")?;
    }
    reduces(op, true)
}

pub(super) fn reduce_scatter(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    let global = op.flag("use_global_device_ids")?;
    UNIFORM.check(op, global)?;
    // What the elements of its result are, libStablehlo does not ask.
    reduces(op, false)?;
    let Some(dimension) = op.number("scatter_dimension")? else { return Ok(()) };
    let (Some(operand), Some(result)) = (op.operand(0), op.result()) else { return Ok(()) };
    must(operand.len() == result.len(), "its result has another number of dimensions than its operand")?;
    must(are_dimensions(&[dimension], operand.len()), "its `scatter_dimension` is none of its operand")?;
    must(!global || channel(op)? > 0, "its ids are global, and its channel is not positive")?;
    if size(operand, dimension) == DYNAMIC || size(result, dimension) == DYNAMIC {
        return Ok(());
    }
    must(size(operand, dimension) != 0, "its operand has nothing to scatter")?;
    must(scales(result, operand, dimension), "its result has another shape than what it scatters")
}
