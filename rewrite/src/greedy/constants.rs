//! Equal constants become one, at the start of the isolated region that they are in (`mlir/Transforms/FoldUtils.h`).

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, BlockId, Context, Identifier, OpId, OperationName, RegionId, Result, Rewriter, Type};

/// The constants of one round.
#[derive(Default)]
pub(crate) struct Constants {
    known: HashMap<(RegionId, Identifier, Attribute, Type), OpId>,
    owned: HashSet<OpId>,
    /// By region, where it was asked for: [`insertion_region`].
    regions: Vec<Option<RegionId>>,
}

/// A table with room for more than that is not cleared, but made anew: what follows a large body may be many small ones.
const MANY: usize = 1 << 10;

impl Constants {
    /// Begins with another round.
    pub(crate) fn clear(&mut self) {
        match self.owned.capacity() > MANY || self.regions.capacity() > MANY {
            true => *self = Self::default(),
            false => {
                self.known.clear();
                self.owned.clear();
                self.regions.clear();
            }
        }
    }

    /// Takes in a constant of that value: it is moved to the start of the region's first block, unless it stands there already, first
    /// or right behind another constant that was taken in. Where there is an equal one, that takes its place, and `false` comes back.
    pub(crate) fn insert(&mut self, rw: &mut Rewriter<'_>, op: OpId, value: Attribute) -> Result<bool> {
        let body = rw.body();
        let Some(block) = body.block_of(op) else { return Ok(true) };
        let Some(region) = self.insertion_region(rw, block) else { return Ok(true) };
        let ty = rw.op(op).type_of(rw.result(op, 0)?)?;
        let dialect = rw.context().operation_dialect(body.name(op));
        if let Some(&other) = self.known.get(&(region, dialect, value, ty)) {
            rw.replace_with(op, other)?;
            let unknown = rw.context().unknown_location();
            rw.set_location(other, unknown)?;
            return Ok(false);
        }
        let body = rw.body();
        let entry = body.first_block(region);
        let previous = body.previous_operation(op);
        let stays = entry == Some(block) && previous.is_none_or(|previous| self.owned.contains(&previous));
        if !stays && let Some(first) = entry.and_then(|entry| body.first_operation(entry)) {
            rw.move_before(op, first)?;
            let unknown = rw.context().unknown_location();
            rw.set_location(op, unknown)?;
        }
        self.known.insert((region, dialect, value, ty), op);
        self.owned.insert(op);
        Ok(true)
    }
}

impl Constants {
    /// What the function of that name gives, found once for what is nested: regions do not move in a round before all is on the list.
    fn insertion_region(&mut self, rw: &Rewriter<'_>, block: BlockId) -> Option<RegionId> {
        let body = rw.body();
        let first = body.region_of(block)?;
        self.regions.resize(body.region_count(), None);
        let (mut region, mut path) = (first, Vec::new());
        let found = loop {
            if let Some(known) = self.regions[region.index()] {
                break known;
            }
            path.push(region);
            match body.operation_of(region) {
                Some(parent) if !is_barrier(rw.context(), body.name(parent)) => {
                    region = body.region_of(body.block_of(parent)?)?;
                }
                _ => break region,
            }
        };
        path.into_iter().for_each(|region| self.regions[region.index()] = Some(found));
        Some(found)
    }
}

/// The innermost region around the block whose own operation is isolated from above, or unknown.
pub(crate) fn insertion_region(rw: &Rewriter<'_>, block: BlockId) -> Option<RegionId> {
    let body = rw.body();
    let mut region = body.region_of(block)?;
    while let Some(parent) = body.operation_of(region) {
        if is_barrier(rw.context(), body.name(parent)) {
            break;
        }
        region = body.region_of(body.block_of(parent)?)?;
    }
    Some(region)
}

fn is_barrier(context: &Context, name: OperationName) -> bool {
    context.definition(name).is_none_or(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE))
}
