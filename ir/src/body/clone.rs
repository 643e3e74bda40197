//! Copying operations, within a body or into another one.

use std::collections::HashMap;

use super::*;
use crate::error::{Error, Result};

/// Which values and blocks stand for which after a copy. Seed it with what the copied operations use from outside.
#[derive(Clone, Debug, Default)]
pub struct ValueMap {
    /// Old values and the new ones that stand for them.
    pub values: HashMap<Value, Value>,
    /// Old blocks and the new ones that stand for them.
    pub blocks: HashMap<BlockId, BlockId>,
}

/// How a copy refers to attributes and types: as the old body does, or resolved for another module.
pub(crate) trait Resolve {
    fn attribute(&mut self, attribute: AttributeRef) -> Result<AttributeRef>;
    fn properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<AttributeRef>;
    fn ty(&mut self, ty: TypeRef) -> Result<TypeRef>;
}

/// Within one module, references stay what they are.
pub(crate) struct Keep;

impl Resolve for Keep {
    fn attribute(&mut self, attribute: AttributeRef) -> Result<AttributeRef> {
        Ok(attribute)
    }
    fn properties(&mut self, _: OperationName, properties: AttributeRef) -> Result<AttributeRef> {
        Ok(properties)
    }
    fn ty(&mut self, ty: TypeRef) -> Result<TypeRef> {
        Ok(ty)
    }
}

impl Body {
    /// Copies an operation and all that is in it, detached. Operands that `map` does not name stay what they are.
    ///
    /// # Errors
    /// Where an operation inside is isolated from above and has a body: see
    /// [`Module::clone_operation`](crate::Module::clone_operation).
    pub fn clone_operation(&mut self, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        let source = self.clone();
        let mut child =
            |_: OpId, _: BodyId| Err(Error::misuse("an operation with a body of its own is copied by its module"));
        self.copy_from(&source, op, map, &mut Keep, &mut child)
    }

    /// Copies what the regions of `source` hold into the regions of this body, which are empty.
    pub(crate) fn copy_roots(
        &mut self,
        source: &Body,
        map: &mut ValueMap,
        resolve: &mut dyn Resolve,
        child: &mut dyn FnMut(OpId, BodyId) -> Result<BodyId>,
    ) -> Result<()> {
        let regions: Vec<_> = source.roots.iter().copied().zip(self.roots.iter().copied()).collect();
        self.copy_blocks(source, &regions, map, resolve)?;
        let ops: Vec<OpId> = source.preorder().collect();
        if !ops.is_empty() {
            self.copy_operations(source, &ops, map, resolve, child)?;
        }
        Ok(())
    }

    fn copy_blocks(
        &mut self,
        source: &Body,
        regions: &[(RegionId, RegionId)],
        map: &mut ValueMap,
        resolve: &mut dyn Resolve,
    ) -> Result<()> {
        for &(old_region, new_region) in regions {
            for old_block in source.blocks(old_region) {
                let new_block = self.create_block(new_region, None)?;
                map.blocks.insert(old_block, new_block);
                for (&value, &location) in source.arguments(old_block).iter().zip(source.argument_locations(old_block))
                {
                    let location = location.map(|location| resolve.attribute(location)).transpose()?;
                    let ty = resolve.ty(source.ty(value))?;
                    let argument = self.add_argument(new_block, ty, location);
                    map.values.insert(value, argument);
                }
            }
        }
        Ok(())
    }

    /// Copies `op` of `source`, detached. `child` makes the copy of a body that an operation owns.
    pub(crate) fn copy_from(
        &mut self,
        source: &Body,
        op: OpId,
        map: &mut ValueMap,
        resolve: &mut dyn Resolve,
        child: &mut dyn FnMut(OpId, BodyId) -> Result<BodyId>,
    ) -> Result<OpId> {
        let ops: Vec<OpId> = source.preorder_of(op).collect();
        self.copy_operations(source, &ops, map, resolve, child)
    }

    /// Copies `ops`, in pre-order, each into the block that stands for its own; gives the copy of the first.
    fn copy_operations(
        &mut self,
        source: &Body,
        ops: &[OpId],
        map: &mut ValueMap,
        resolve: &mut dyn Resolve,
        child: &mut dyn FnMut(OpId, BodyId) -> Result<BodyId>,
    ) -> Result<OpId> {
        // First every operation without operands and successors, so that forward references find their values.
        let mut copies: Vec<(OpId, OpId)> = Vec::with_capacity(ops.len());
        for &old in ops {
            let results = source.results(old).map(|value| resolve.ty(source.ty(value))).collect::<Result<Vec<_>>>()?;
            let name = source.name(old);
            let attributes = source.attributes(old).map(|attributes| resolve.attribute(attributes)).transpose()?;
            let properties =
                source.properties(old).map(|properties| resolve.properties(name, properties)).transpose()?;
            let new = self.create(&OperationSpec {
                attributes,
                properties,
                results: &results,
                regions: source.regions(old).len() as u32,
                ..OperationSpec::new(name, resolve.attribute(source.location(old))?)
            });
            map.values.extend(source.results(old).zip(self.results(new).collect::<Vec<_>>()));
            if source.region_number(old) > source.regions(old).len() {
                let body = source.child(old).map(|body| child(old, body)).transpose()?;
                self.set_child(new, body, source.region_number(old) as u32, IsolationMark::Unknown);
            }
            let regions: Vec<_> = source.regions(old).zip(self.regions(new)).collect();
            self.copy_blocks(source, &regions, map, resolve)?;
            // The block of the first one of `copy_from` is not among those copied: it stays detached.
            if let Some(block) = source.block_of(old).and_then(|block| map.blocks.get(&block).copied()) {
                self.append(block, new)?;
            }
            copies.push((old, new));
        }
        for &(old, new) in &copies {
            let operands: Vec<Value> =
                source.operands(old).iter().map(|value| map.values.get(value).copied().unwrap_or(*value)).collect();
            self.set_operands(new, &operands);
            let successors: Vec<BlockId> =
                source.successors(old).iter().map(|block| map.blocks.get(block).copied().unwrap_or(*block)).collect();
            if !successors.is_empty() {
                self.push_successors(new, successors.into_iter());
            }
        }
        copies.first().map(|&(_, new)| new).ok_or_else(|| Error::misuse("nothing to copy"))
    }
}
