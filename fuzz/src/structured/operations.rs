//! Operations, regions, blocks, orders of uses, resources.

use arbitrary::Result;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, BodyId, Module, OpId, OperationSpec, RegionId, ResourceEntry,
    ResourceGroup, ResourceValue, TypeData, TypeRef, Value,
};

use super::Builder;

/// The most operations of a module.
const OPERATIONS: usize = 60;
/// How deep regions are nested.
const DEPTH: usize = 5;

/// Operations that nothing is known of.
const UNKNOWN: &[&str] = &["t.op", "t.other", "other.op", "x.y.z", "t.odd name", "alone"];

/// Where operations are put.
struct Place {
    body: BodyId,
    region: RegionId,
    /// The values that an operation here may use, from outside and from here.
    visible: Vec<Value>,
    depth: usize,
}

impl Builder<'_, '_> {
    /// A module of what has been made.
    pub(super) fn module(&mut self) -> Result<Module> {
        let mut module = Module::new(self.context);
        let top = BodyId::from_index(Module::TOP);
        let region = module.top().expect("just made").top_regions()[0];
        let block = module.top().expect("just made").first_block(region).expect("the block of the top level");
        let mut left = OPERATIONS;
        for _ in 0..1 + self.below(2)? {
            let mut place = Place { body: top, region, visible: Vec::new(), depth: 0 };
            self.operation(&mut module, &mut place, block, &[block], &mut left)?;
        }
        self.all_that_was_made(&mut module, top, block);
        self.orders(&mut module)?;
        self.keep_resources(&mut module)?;
        Ok(module)
    }

    /// One operation that holds everything, so that nothing is made in vain.
    fn all_that_was_made(&mut self, module: &mut Module, body: BodyId, block: BlockId) {
        let context = self.context;
        let all = context.attribute(AttributeData::Array(self.attributes.clone().into()));
        let attributes = context.dictionary(vec![(context.identifier("all"), all)]).expect("one name");
        let results: Vec<TypeRef> = self.types.iter().map(|&ty| ty.into()).collect();
        let location = context.fused_location(&self.locations, None);
        let spec = OperationSpec {
            attributes: Some(attributes.into()),
            results: &results,
            ..OperationSpec::new(module.name("t.all"), location.into())
        };
        append(module, body, block, &spec);
    }

    fn discardable(&mut self) -> Result<Option<AttributeRef>> {
        let entries = self.entries(3)?;
        if entries.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.context.dictionary(entries).expect("each name once").into()))
    }

    fn dictionary(&self, entries: &[(&str, Attribute)]) -> AttributeRef {
        let entries = entries.iter().map(|&(name, value)| (self.context.identifier(name), value));
        self.context.dictionary(entries.collect()).expect("each name once").into()
    }

    /// Appends an operation, with all that is inside it.
    fn operation(
        &mut self,
        module: &mut Module,
        place: &mut Place,
        block: BlockId,
        blocks: &[BlockId],
        left: &mut usize,
    ) -> Result<()> {
        let Some(rest) = left.checked_sub(1) else { return Ok(()) };
        *left = rest;
        let context = self.context;
        let location: AttributeRef = self.a_location()?.into();
        let attributes = self.discardable()?;
        let results: Vec<TypeRef> = self.some_types(3)?.iter().map(|&ty| ty.into()).collect();
        let mut operands = Vec::new();
        if !place.visible.is_empty() {
            for _ in 0..self.below(4)? {
                operands.push(self.any(&place.visible)?);
            }
        }
        let mut successors = Vec::new();
        let mut regions = 0;
        let (name, properties) = match self.below(if place.depth < DEPTH { 9 } else { 4 })? {
            0..2 => {
                if self.chance(4)? && place.depth > 0 {
                    successors = (0..self.below(3)?).map(|_| self.any(blocks)).collect::<Result<_>>()?;
                }
                let properties = if self.chance(4)? { self.discardable()? } else { None };
                (self.any(UNKNOWN)?, properties)
            }
            2 => ("arith.constant", Some(self.dictionary(&[("value", self.attributes[self.attributes.len() / 2])]))),
            3 if place.depth > 0 => {
                successors = vec![self.any(blocks)?, self.any(blocks)?];
                let first = operands.len().min(1);
                let (yes, no) = (operands.len().saturating_sub(1) / 2, (operands.len().saturating_sub(1)).div_ceil(2));
                let sizes: Vec<u8> = [first, yes, no].iter().flat_map(|&size| (size as i32).to_le_bytes()).collect();
                let sizes = AttributeData::DenseArray { element: context.integer_type(32), data: sizes.into() };
                ("cf.cond_br", Some(self.dictionary(&[("operandSegmentSizes", context.attribute(sizes))])))
            }
            4 => {
                regions = 1;
                ("builtin.module", None)
            }
            5 => {
                regions = 1;
                let ty = TypeData::Function { inputs: self.some_types(2)?, results: self.some_types(2)? };
                let ty = context.attribute(AttributeData::Type(context.ty(ty)));
                let name = context.string(self.name()?);
                ("func.func", Some(self.dictionary(&[("sym_name", name), ("function_type", ty)])))
            }
            6 => {
                regions = 2;
                ("scf.if", None)
            }
            _ => {
                regions = 1 + self.below(2)?;
                (self.any(UNKNOWN)?, None)
            }
        };
        let spec = OperationSpec {
            attributes,
            properties,
            operands: &operands,
            results: &results,
            successors: &successors,
            regions: regions as u32,
            ..OperationSpec::new(module.name(name), location)
        };
        let op = append(module, place.body, block, &spec);
        let body = module.body(place.body).expect("read");
        let inside: Vec<RegionId> = body.regions(op).collect();
        // Bytecode has no numbers for the results of outermost operations.
        if place.depth > 0 {
            place.visible.extend(body.results(op));
        }
        match body.region_body(op) {
            Some(child) => {
                let roots = module.body(child).expect("made").top_regions().to_vec();
                for region in roots {
                    let mut place = Place { body: child, region, visible: Vec::new(), depth: place.depth + 1 };
                    self.region(module, &mut place, left)?;
                }
            }
            None => {
                for region in inside {
                    let visible = place.visible.clone();
                    let mut place = Place { body: place.body, region, visible, depth: place.depth + 1 };
                    self.region(module, &mut place, left)?;
                }
            }
        }
        Ok(())
    }

    /// Fills a region with blocks, and these with operations.
    fn region(&mut self, module: &mut Module, place: &mut Place, left: &mut usize) -> Result<()> {
        let mut blocks = Vec::new();
        for _ in 0..self.below(4)? {
            let arguments =
                (0..self.below(3)?).map(|_| Ok((self.a_type()?, self.a_location()?))).collect::<Result<Vec<_>>>()?;
            let made = module.rewrite(place.body, |rw| {
                let block = rw.create_block(place.region, None, [] as [TypeRef; 0])?;
                for (ty, location) in arguments {
                    place.visible.push(rw.add_argument(block, ty, Some(location.into()))?);
                }
                Ok(block)
            });
            blocks.push(made.expect("a region of the body"));
        }
        for &block in &blocks {
            for _ in 0..self.below(5)? {
                self.operation(module, place, block, &blocks, left)?;
            }
        }
        // Uses before the definition, as graphs have them.
        let body = module.body(place.body).expect("made");
        let ops: Vec<OpId> = blocks.iter().flat_map(|&block| body.operations(block)).collect();
        for op in ops {
            let count = module.body(place.body).expect("made").operands(op).len();
            if count > 0 && self.chance(4)? {
                let (number, value) = (self.below(count)?, self.any(&place.visible)?);
                let set = module.rewrite(place.body, |rw| rw.set_operand(op, number, value));
                set.expect("an operand that is there");
            }
        }
        Ok(())
    }

    /// Puts the uses of some values in another order.
    fn orders(&mut self, module: &mut Module) -> Result<()> {
        for at in 0..module.body_count() {
            let id = BodyId::from_index(at);
            module.build_uses(id).expect("made");
            for value in (0..module.body(id).expect("made").value_count()).map(Value::from_index) {
                let uses = module.body(id).expect("made").uses_of(value).count();
                if uses < 2 || !self.chance(3)? {
                    continue;
                }
                let mut places: Vec<u32> = (0..uses as u32).collect();
                for at in (1..uses).rev() {
                    places.swap(at, self.below(at + 1)?);
                }
                module.rewrite(id, |rw| rw.reorder_uses(value, &places)).expect("a permutation of the uses");
            }
        }
        Ok(())
    }

    fn keep_resources(&mut self, module: &mut Module) -> Result<()> {
        let mut groups = Vec::new();
        let entries = std::mem::take(&mut self.resources);
        if !entries.is_empty() {
            groups.push(ResourceGroup { owner: self.context.identifier("builtin"), dialect: true, entries });
        }
        if self.chance(3)? {
            let mut entries = Vec::new();
            for number in 0..1 + self.below(3)? {
                let value = match self.below(3)? {
                    0 => ResourceValue::Bool(self.chance(2)?),
                    1 => ResourceValue::String(self.bytes(9)?.into_vec().into()),
                    _ => {
                        ResourceValue::Blob { alignment: 1 << self.below(6)?, data: self.bytes(30)?.into_vec().into() }
                    }
                };
                let key = format!("{}{number}", self.name()?).into_bytes().into();
                entries.push(ResourceEntry { key, handle: None, value });
            }
            groups.push(ResourceGroup { owner: self.context.identifier("external"), dialect: false, entries });
        }
        *module.resources_mut().expect("made") = groups;
        Ok(())
    }
}

fn append(module: &mut Module, body: BodyId, block: BlockId, spec: &OperationSpec<'_>) -> OpId {
    let made = module.rewrite(body, |rw| {
        rw.set_insertion_point_to_end(block)?;
        rw.create(spec)
    });
    made.expect("a block of the body")
}
