//! Copying operations, within a body or into another one.
//!
//! What is copied is read off first, so that a copy costs what it copies, wherever it goes, and so that nothing is made where
//! something cannot be copied.

use std::collections::{HashMap, HashSet};

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
    fn name(&mut self, name: OperationName) -> Result<OperationName>;
    fn attribute(&mut self, attribute: AttributeRef) -> Result<AttributeRef>;
    fn properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<AttributeRef>;
    fn ty(&mut self, ty: TypeRef) -> Result<TypeRef>;
}

/// Within one module, references stay what they are.
pub(crate) struct Keep;

impl Resolve for Keep {
    fn name(&mut self, name: OperationName) -> Result<OperationName> {
        Ok(name)
    }
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

/// What copies are made of: operations of one body with all that is in them there, read off it.
#[derive(Default)]
pub(crate) struct Excerpt {
    /// The blocks of the body's own regions, where all of the body is copied.
    top_regions: Vec<Vec<ExcerptBlock>>,
    /// Each before what it holds.
    operations: Vec<ExcerptOperation>,
    /// Values of it, and their uses in order: each an operation of it and the number of the operand.
    orders: Vec<(Value, Vec<(usize, usize)>)>,
}

struct ExcerptOperation {
    id: OpId,
    name: OperationName,
    location: AttributeRef,
    attributes: Option<AttributeRef>,
    properties: Option<AttributeRef>,
    /// The block that holds the operation; none for the outermost one where a single operation is copied.
    block: Option<BlockId>,
    operands: Vec<Value>,
    results: Vec<(Value, TypeRef)>,
    successors: Vec<BlockId>,
    /// The blocks of its regions in this body.
    regions: Vec<Vec<ExcerptBlock>>,
    /// How many regions it has elsewhere, and the body that holds them.
    isolated: u32,
    child: Option<BodyId>,
}

struct ExcerptBlock {
    id: BlockId,
    arguments: Vec<(Value, TypeRef, Option<AttributeRef>)>,
}

impl Excerpt {
    /// `op`, which is in `body`, and all that is in it there.
    pub(crate) fn of(body: &Body, op: OpId, resolve: &mut dyn Resolve) -> Result<Self> {
        body.check_operation(op)?;
        let mut excerpt = Excerpt::default();
        for op in body.preorder_of(op) {
            excerpt.push(body, op, resolve)?;
        }
        excerpt.operations[0].block = None;
        Ok(excerpt)
    }

    /// All that is in a region, which is in `body`. Arguments of its blocks that `map` names are left out: what stands for them is there.
    pub(crate) fn of_region(body: &Body, region: RegionId, map: &ValueMap, resolve: &mut dyn Resolve) -> Result<Self> {
        body.check_region(region)?;
        let mut blocks = blocks_of(body, region, resolve)?;
        blocks.iter_mut().for_each(|block| block.arguments.retain(|argument| !map.values.contains_key(&argument.0)));
        let mut excerpt = Excerpt { top_regions: vec![blocks], ..Excerpt::default() };
        for op in body.blocks(region).flat_map(|block| body.operations(block)).flat_map(|op| body.preorder_of(op)) {
            excerpt.push(body, op, resolve)?;
        }
        Ok(excerpt)
    }

    /// All that is in the body's regions.
    ///
    /// # Errors
    /// Where something in them uses what is detached: it would not be copied.
    pub(crate) fn whole(body: &Body, resolve: &mut dyn Resolve) -> Result<Self> {
        let top_regions =
            body.top_regions.iter().map(|&region| blocks_of(body, region, resolve)).collect::<Result<_>>()?;
        let mut excerpt = Excerpt { top_regions, ..Excerpt::default() };
        for op in body.preorder() {
            excerpt.push(body, op, resolve)?;
        }
        excerpt.check(&Body::default(), &ValueMap::default(), false)?;
        Ok(excerpt)
    }

    fn push(&mut self, body: &Body, op: OpId, resolve: &mut dyn Resolve) -> Result<()> {
        let op = body.view(op);
        let name = op.name();
        let results = op.results().map(|value| Ok((value, resolve.ty(body.ty(value))?))).collect::<Result<_>>()?;
        self.operations.push(ExcerptOperation {
            id: op.id(),
            name: resolve.name(name)?,
            location: resolve.attribute(op.location())?,
            attributes: op.attributes().map(|attributes| resolve.attribute(attributes)).transpose()?,
            properties: op.properties().map(|properties| resolve.properties(name, properties)).transpose()?,
            block: body.block_of(op.id()),
            operands: op.operands().to_vec(),
            results,
            successors: op.successors().to_vec(),
            regions: op.regions().map(|region| blocks_of(body, region, resolve)).collect::<Result<_>>()?,
            isolated: (op.region_count() - op.regions().len()) as u32,
            child: op.region_body(),
        });
        Ok(())
    }

    /// Notes in which order its values are used, for what takes the place of that which was read off: lists of uses are built, and
    /// nothing else uses them.
    pub(crate) fn note_orders(&mut self, body: &Body) {
        let numbers: HashMap<OpId, usize> = self.operations.iter().enumerate().map(|(at, op)| (op.id, at)).collect();
        let regions = self.operations.iter().flat_map(|op| &op.regions);
        let arguments = self.top_regions.iter().chain(regions).flatten().flat_map(|block| &block.arguments);
        let results = self.operations.iter().flat_map(|op| &op.results);
        for value in arguments.map(|argument| argument.0).chain(results.map(|result| result.0)) {
            let uses = body.uses_of(value).filter_map(|use_| Some((*numbers.get(&use_.op)?, use_.operand)));
            let uses: Vec<(usize, usize)> = uses.collect();
            if uses.len() > 1 {
                self.orders.push((value, uses));
            }
        }
    }

    /// The bodies of the operations that are isolated from above, each with the number of its operation here.
    pub(crate) fn region_bodies(&self) -> impl Iterator<Item = (usize, BodyId)> {
        self.operations.iter().enumerate().filter_map(|(at, op)| Some((at, op.child?)))
    }

    /// How many regions the body has that is copied as a whole.
    pub(crate) fn root_count(&self) -> u32 {
        self.top_regions.len() as u32
    }

    /// Refuses what would use something that `into` does not have. `within`: the copy is made in the same body, where what
    /// `map` does not name stays what it is.
    fn check(&self, into: &Body, map: &ValueMap, within: bool) -> Result<()> {
        let mut values: HashSet<Value> = HashSet::new();
        let mut blocks: HashSet<BlockId> = HashSet::new();
        values.extend(self.operations.iter().flat_map(|op| &op.results).map(|result| result.0));
        for block in self.top_regions.iter().chain(self.operations.iter().flat_map(|op| &op.regions)).flatten() {
            blocks.insert(block.id);
            values.extend(block.arguments.iter().map(|argument| argument.0));
        }
        let elsewhere = |what: &str| {
            Error::misuse(format!("an operation {what} that is not copied and that the map does not name"))
        };
        for op in &self.operations {
            for value in op.operands.iter().filter(|value| !values.contains(value)) {
                match map.values.get(value) {
                    Some(&value) => into.check_value(value)?,
                    None if within => {}
                    None => return Err(elsewhere("uses a value")),
                }
            }
            for block in op.successors.iter().filter(|block| !blocks.contains(block)) {
                match map.blocks.get(block) {
                    Some(&block) => into.check_block(block)?,
                    None if within => {}
                    None => return Err(elsewhere("goes on to a block")),
                }
            }
        }
        Ok(())
    }
}

fn blocks_of(body: &Body, region: RegionId, resolve: &mut dyn Resolve) -> Result<Vec<ExcerptBlock>> {
    let mut blocks = Vec::new();
    for id in body.blocks(region) {
        let mut arguments = Vec::new();
        for (&value, &location) in body.arguments(id).iter().zip(body.argument_locations(id)) {
            let location = location.map(|location| resolve.attribute(location)).transpose()?;
            arguments.push((value, resolve.ty(body.ty(value))?, location));
        }
        blocks.push(ExcerptBlock { id, arguments });
    }
    Ok(blocks)
}

impl Body {
    /// Makes the operations of an excerpt, the first of them detached; gives them in its order. `within`: it is of this body.
    pub(crate) fn paste_operation(&mut self, excerpt: &Excerpt, map: &mut ValueMap, within: bool) -> Result<Vec<OpId>> {
        excerpt.check(self, map, within)?;
        Ok(self.paste(excerpt, map))
    }

    /// Makes all that was in a body, in this one, which has as many regions and nothing in them; gives the operations in the
    /// order of the excerpt.
    pub(crate) fn paste_whole(&mut self, excerpt: &Excerpt) -> Vec<OpId> {
        let mut map = ValueMap::default();
        for (region, blocks) in self.top_regions.clone().iter().copied().zip(&excerpt.top_regions) {
            self.paste_blocks(region, None, blocks, &mut map);
        }
        self.paste(excerpt, &mut map)
    }

    /// Makes all that was in a region before `before` in this one, or at its end; gives the blocks, and the operations in the order of
    /// the excerpt. `within`: it is of this body.
    pub(crate) fn paste_region(
        &mut self,
        excerpt: &Excerpt,
        (region, before): (RegionId, Option<BlockId>),
        map: &mut ValueMap,
        within: bool,
    ) -> Result<(Vec<BlockId>, Vec<OpId>)> {
        self.check_block_before(region, before)?;
        excerpt.check(self, map, within)?;
        let old = excerpt.top_regions.first().map_or(&[][..], |blocks| blocks);
        self.paste_blocks(region, before, old, map);
        let ops = self.paste(excerpt, map);
        let blocks = old.iter().filter_map(|block| map.blocks.get(&block.id).copied()).collect();
        Ok((blocks, ops))
    }

    fn paste_blocks(&mut self, region: RegionId, before: Option<BlockId>, blocks: &[ExcerptBlock], map: &mut ValueMap) {
        for old in blocks {
            let block = self.make_block(region, before);
            map.blocks.insert(old.id, block);
            for &(value, ty, location) in &old.arguments {
                let argument = self.add_argument(block, ty, location);
                map.values.insert(value, argument);
            }
        }
    }

    fn paste(&mut self, excerpt: &Excerpt, map: &mut ValueMap) -> Vec<OpId> {
        // First every operation without operands and successors, so that forward references find their values.
        let mut copies = Vec::with_capacity(excerpt.operations.len());
        for old in &excerpt.operations {
            let results: Vec<TypeRef> = old.results.iter().map(|result| result.1).collect();
            let new = self.make(&OperationSpec {
                attributes: old.attributes,
                properties: old.properties,
                results: &results,
                regions: old.regions.len() as u32,
                ..OperationSpec::new(old.name, old.location)
            });
            map.values.extend(old.results.iter().map(|result| result.0).zip(self.results(new)));
            if old.isolated > 0 {
                self.set_region_body(new, None, old.isolated, IsolationMark::Unknown);
            }
            for (region, blocks) in self.regions(new).zip(&old.regions) {
                self.paste_blocks(region, None, blocks, map);
            }
            if let Some(block) = old.block.and_then(|block| map.blocks.get(&block).copied()) {
                self.link(new, block, None);
            }
            copies.push(new);
        }
        for (old, &new) in excerpt.operations.iter().zip(&copies) {
            let operands: Vec<Value> =
                old.operands.iter().map(|value| map.values.get(value).copied().unwrap_or(*value)).collect();
            self.put_operands(new, &operands);
            if !old.successors.is_empty() {
                let blocks = old.successors.iter().map(|block| map.blocks.get(block).copied().unwrap_or(*block));
                let blocks: Vec<BlockId> = blocks.collect();
                self.give_successors(new, blocks.into_iter());
            }
        }
        for (value, uses) in &excerpt.orders {
            let slots = uses.iter().map(|&(at, operand)| self.operand_range(copies[at]).start + operand).collect();
            if let Some(&value) = map.values.get(value) {
                self.order_uses(value, slots);
            }
        }
        copies
    }
}
