//! What is left of a tree once the numbers of what was erased are given to others.

use super::*;

/// The numbers from 0 on, in the order of the old ones.
fn ranks<K: Copy + Ord, V>(map: &BTreeMap<K, V>, number: impl Fn(usize) -> K) -> BTreeMap<K, K> {
    map.keys().enumerate().map(|(rank, &old)| (old, number(rank))).collect()
}

impl Tree {
    /// Numbers all that is there anew.
    pub fn compact(&mut self) {
        let (ops, blocks) = (ranks(&self.ops, OpId::from_index), ranks(&self.blocks, BlockId::from_index));
        let (regions, values) = (ranks(&self.regions, RegionId::from_index), ranks(&self.types, Value::from_index));
        let uses = |list: &[Use]| -> Vec<Use> { list.iter().map(|use_| (ops[&use_.0], use_.1)).collect() };
        let renumbered_op = |op: &Op| Op {
            block: op.block.map(|block| blocks[&block]),
            operands: op.operands.iter().map(|value| values[value]).collect(),
            results: op.results.iter().map(|value| values[value]).collect(),
            successors: op.successors.iter().map(|block| blocks[block]).collect(),
            regions: op.regions.iter().map(|region| regions[region]).collect(),
            ..op.clone()
        };
        let renumbered_block = |block: &Block| Block {
            region: regions[&block.region],
            arguments: block.arguments.iter().map(|&(value, location)| (values[&value], location)).collect(),
            ops: block.ops.iter().map(|op| ops[op]).collect(),
        };
        let renumbered_region = |region: &Region| Region {
            op: region.op.map(|op| ops[&op]),
            blocks: region.blocks.iter().map(|block| blocks[block]).collect(),
        };
        *self = Tree {
            roots: self.roots.iter().map(|region| regions[region]).collect(),
            ops: self.ops.iter().map(|(id, op)| (ops[id], renumbered_op(op))).collect(),
            blocks: self.blocks.iter().map(|(id, block)| (blocks[id], renumbered_block(block))).collect(),
            regions: self.regions.iter().map(|(id, region)| (regions[id], renumbered_region(region))).collect(),
            types: self.types.iter().map(|(id, &ty)| (values[id], ty)).collect(),
            uses: self.uses.iter().map(|(id, list)| (values[id], uses(list))).collect(),
            gone_to: self.gone_to.iter().map(|(id, list)| (blocks[id], uses(list))).collect(),
            made: [ops.len(), blocks.len(), regions.len(), values.len()],
        };
    }
}
