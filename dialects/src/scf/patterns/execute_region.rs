//! Canonicalisation of `scf.execute_region`.

use mlirbc_ir::ods::Traits;

use super::*;

fn stays(rw: &Rewriter<'_>, op: OpId) -> Result<bool> {
    Ok(rw.op(op).attribute("no_inline")?.is_some())
}

/// What one block does can be done in place.
pub(super) fn one_block(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    if stays(rw, op)? {
        return rw.no_match("it is to stay");
    }
    let block = block(rw, op, 0)?;
    replace_by_block(rw, op, block, &[])
}

/// Where the blocks around it may go on to each other, its own can stand among them.
pub(super) fn blocks(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    if stays(rw, op)? || !is_among_blocks(rw, op)? {
        return rw.no_match("it is to stay, or stands where no other blocks can");
    }
    let (block, own) = (parent_block(rw, op)?, region(rw, op, 0)?);
    let (Some(first), Some(around)) = (rw.body().first_block(own), rw.body().region_of(block)) else {
        return rw.no_match("it is empty");
    };
    let ends: Vec<OpId> = rw.body().blocks(own).filter_map(|block| rw.body().last_operation(block)).collect();
    let yields: Vec<OpId> = ends.into_iter().filter(|&end| rw.op(end).name() == "scf.yield").collect();
    let count = rw.body().result_count(op);
    if yields.iter().any(|&end| rw.body().operands(end).len() != count) {
        return rw.no_match("a block does not yield as much as there are results");
    }
    let after = rw.split_block(op)?;
    rw.set_insertion_point_to_end(block)?;
    rw.build("cf.br").successors([first]).create()?;
    for end in yields {
        let (values, location) = (rw.body().operands(end).to_vec(), rw.body().location(end));
        rw.set_insertion_point_before(end)?;
        rw.build("cf.br").operands(values).successors([after]).at(location).create()?;
        rw.erase(end)?;
    }
    rw.inline_region(own, around, Some(after))?;
    let location = rw.body().location(op);
    let mut arguments = Vec::with_capacity(count);
    for ty in result_types(rw.body(), op) {
        arguments.push(rw.add_argument(after, ty, Some(location))?);
    }
    rw.replace(op, arguments)?;
    Ok(())
}

/// Whether it stands directly in a function or in another one.
fn is_among_blocks(rw: &Rewriter<'_>, op: OpId) -> Result<bool> {
    if let Some(parent) = rw.body().parent(op) {
        let parent = rw.op(parent);
        return Ok(parent.name() == "scf.execute_region" || parent.has_trait(Traits::FUNCTION));
    }
    let Some((body, owner)) = rw.module().owner(rw.body_id()) else { return Ok(false) };
    let Some(around) = rw.module().loaded(body) else { return Ok(false) };
    Ok(OpRef::new(rw.module(), body, around, owner).has_trait(Traits::FUNCTION))
}
