//! `gpu-kernel-outlining` (`mlir/lib/Dialect/GPU/Transforms/KernelOutlining.cpp`): what is in a `gpu.launch` becomes a kernel in a `gpu.module`
//! behind the function, which launches that by name.
//!
//! What the kernel uses of the function it takes as arguments, in the order in which it does so; functions that it calls are copied to its
//! module. How many threads and blocks there are is said of it, where these are constants.

use std::collections::{HashMap, HashSet};

use super::{Dimension, NAME};
use crate::common::cases::attribute_of;
use mlirbc_ir::{
    Attribute, AttributeData, Body, BodyId, Error, Identifier, Module, NamedAttribute, OpId, OpRef, RegionId, Result,
    Rewriter, SymbolTable, Type, TypeData, Value, ValueMap, constant_value,
};
use mlirbc_rewrite::{MakePass, OptionInfo, Pass, PassInfo, Target};

/// Moves what is launched into kernels.
struct Outline {
    /// What is said of the layout of each module of kernels.
    layout: Option<String>,
}

const LAYOUT: OptionInfo = OptionInfo {
    name: "data-layout-str",
    about: "the text of an attribute that the modules of kernels get as dlti.dl_spec",
};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "gpu-kernel-outlining",
    about: "move what is in a gpu.launch into a kernel",
    options: &[LAYOUT],
    make: MakePass::With(|options| {
        let layout = options.text(LAYOUT.name).filter(|text| !text.is_empty()).map(Into::into);
        Ok(Box::new(Outline { layout }))
    }),
};

/// Which of its blocks and threads one is, and how many there are: operations of three dimensions each, as a launch has its arguments.
const PLACES: [&str; 6] =
    ["gpu.block_id", "gpu.thread_id", "gpu.grid_dim", "gpu.block_dim", "gpu.cluster_id", "gpu.cluster_dim"];

impl Pass for Outline {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let context = target.context().clone();
        let layout = self.layout.as_deref().map(|text| mlirbc_ir::text::parse_attribute(&context, text.as_bytes()));
        let layout = layout.transpose()?;
        let (body, op) = target.place();
        let module = target.module();
        let Some(inside) = module.body(body)?.region_body(op) else { return Ok(()) };
        let found = launches(module.operation(body, op)?)?;
        if found.is_empty() {
            return Ok(());
        }
        let mut table = module.rewrite(inside, |rw| SymbolTable::of_body(rw))?;
        for launch in found {
            let kernel = Kernel::of(module, &launch)?;
            let home = home(module, inside, &launch, &mut table, layout)?;
            let name = outline(module, inside, home, &launch, &kernel, &table)?;
            replace(module, &launch, &kernel, name)?;
        }
        module.rewrite(body, |rw| rw.set_attribute(op, "gpu.container_module", rw.context().unit()))
    }
}

/// A launch: where it stands, and what the kernel and its module are to be called.
struct Launch {
    place: (BodyId, OpId),
    /// What stands behind the function.
    behind: Option<OpId>,
    function: Identifier,
    module: Identifier,
}

/// The launches in the functions of a module.
fn launches(module: OpRef<'_>) -> Result<Vec<Launch>> {
    let context = module.module().context();
    let mut found = Vec::new();
    for function in module.ops()? {
        if function.symbol_name()?.is_none() {
            continue;
        }
        let behind = function.body().next_operation(function.id());
        for launch in function.walk()?.filter(|op| op.is("gpu.launch")) {
            let given = |attribute| {
                let given = launch.attribute(attribute)?.map(|given| &context[given]);
                Ok::<_, Error>(match given {
                    Some(AttributeData::SymbolRef { root, .. }) => Some(*root),
                    _ => None,
                })
            };
            let name = symbol_around(launch)?.unwrap_or_default();
            let own = context.identifier(format!("{name}_kernel"));
            let function = given("function")?.unwrap_or(own);
            let module = given("module")?.unwrap_or(function);
            found.push(Launch { place: (launch.body_id(), launch.id()), behind, function, module });
        }
    }
    Ok(found)
}

/// The name of the next symbol around.
fn symbol_around(op: OpRef<'_>) -> Result<Option<String>> {
    let (module, mut inside) = (op.module(), op.body_id());
    while let Some((id, op)) = module.owner(inside) {
        let body = module.body(id)?;
        if let Some(name) = OpRef::new(module, id, body, op).symbol_name()? {
            return Ok(Some(module.context().text(name).into_owned()));
        }
        inside = id;
    }
    Ok(None)
}

/// What a kernel is made of.
struct Kernel {
    region: RegionId,
    /// The arguments of the launch's first block.
    arguments: Vec<Value>,
    /// How many of these say where one is.
    places: usize,
    /// How many of the others are memory of the workgroup.
    of_workgroup: i64,
    /// What it takes.
    captured: Vec<Value>,
    /// The types of what it takes, and of its own memory.
    inputs: Vec<Type>,
    own: Vec<Type>,
    said: Vec<NamedAttribute>,
}

impl Kernel {
    fn of(module: &Module, launch: &Launch) -> Result<Self> {
        let context = module.context();
        let (id, op) = launch.place;
        let body = module.body(id)?;
        let of = OpRef::new(module, id, body, op);
        let wrong = || Error::verification(format!("a launch without a body, {}", of.path()));
        let region = body.regions(op).next().ok_or_else(wrong)?;
        let first = body.first_block(region).ok_or_else(wrong)?;
        let groups = of.operand_ranges()?;
        let size =
            |number: usize| groups.get(number).and_then(|group| of.operands().get(group.clone())?.first()).copied();
        let places = if size(7).is_some() { 18 } else { 12 };
        let arguments = body.arguments(first).to_vec();
        let captured = captured(body, region);
        let types = |values: &[Value]| values.iter().map(|&value| of.type_of(value)).collect::<Result<Vec<Type>>>();
        let (inputs, own) = (types(&captured)?, types(arguments.get(places..).ok_or_else(wrong)?)?);
        let of_workgroup = of.attribute("workgroup_attributions")?;
        let of_workgroup = of_workgroup.and_then(|count| context.integer_of(count)?.to_i64()).unwrap_or(0);
        let mut said = Vec::new();
        for (name, sizes) in [("known_block_size", 4..7), ("known_grid_size", 1..4)] {
            let sizes: Option<Vec<Value>> = sizes.map(size).collect();
            if let Some(known) = sizes.and_then(|sizes| known_sizes(of, &sizes)) {
                said.push((context.identifier(name), known));
            }
        }
        Ok(Kernel { region, arguments, places, of_workgroup, captured, inputs, own, said })
    }
}

/// Sizes as an attribute, where all are constants.
fn known_sizes(of: OpRef<'_>, sizes: &[Value]) -> Option<Attribute> {
    let context = of.module().context();
    let mut data = Vec::new();
    for &size in sizes {
        let constant = of.defining_operation(size)?;
        let value = constant_value(constant).ok()??;
        let number = u32::try_from(context.integer_of(value)?.to_u64()?).ok()?;
        data.extend_from_slice(&number.to_le_bytes());
    }
    let element = context.integer_type(32);
    Some(context.attribute(AttributeData::DenseArray { element, data: data.into() }))
}

/// The values from outside that are used in a region, in the order in which MLIR meets them: what is in an operation before its operands.
pub(super) fn captured(body: &Body, region: RegionId) -> Vec<Value> {
    let (mut inside, mut ops) = (HashSet::new(), Vec::new());
    let mut left: Vec<(bool, Result<RegionId, OpId>)> = Vec::new();
    left.push((false, Ok(region)));
    // Behind all that is in it, an operation is met again.
    while let Some((entered, next)) = left.pop() {
        match next {
            Ok(region) => {
                let blocks: Vec<_> = body.blocks(region).collect();
                inside.extend(blocks.iter().flat_map(|&block| body.arguments(block).iter().copied()));
                let all: Vec<OpId> = blocks.into_iter().flat_map(|block| body.operations(block)).collect();
                left.extend(all.into_iter().rev().map(|op| (false, Err(op))));
            }
            Err(op) if entered || body.regions(op).len() == 0 => {
                inside.extend(body.results(op));
                ops.push(op);
            }
            Err(op) => {
                left.push((true, Err(op)));
                let regions: Vec<RegionId> = body.regions(op).collect();
                left.extend(regions.into_iter().rev().map(|region| (false, Ok(region))));
            }
        }
    }
    let mut met = HashSet::new();
    let operands = ops.iter().flat_map(|&op| body.operands(op).iter().copied());
    operands.filter(|value| !inside.contains(value) && met.insert(*value)).collect()
}

/// The module for a kernel: the one that the launch names, or a new one.
fn home(
    module: &mut Module,
    inside: BodyId,
    launch: &Launch,
    table: &mut SymbolTable,
    layout: Option<Attribute>,
) -> Result<(OpId, BodyId)> {
    let at = module.body(launch.place.0)?.location(launch.place.1);
    let is_named = module.operation(launch.place.0, launch.place.1)?.attribute("module")?.is_some();
    let known = table.symbol(launch.module).filter(|_| is_named);
    if let Some(known) = known {
        let of = module.operation(inside, known)?;
        if let (true, Some(body)) = (of.is("gpu.module"), of.body().region_body(known)) {
            if let Some(layout) = layout {
                module.rewrite(inside, |rw| rw.set_attribute(known, "dlti.dl_spec", layout))?;
            }
            return Ok((known, body));
        }
    }
    let made = module.rewrite(inside, |rw| {
        rw.set_insertion_point(None)?;
        let build = rw.build("gpu.module").at(at).attribute("sym_name", launch.module.attribute());
        let build = match layout {
            Some(layout) => build.attribute("dlti.dl_spec", layout),
            None => build,
        };
        let made = build.regions(1).create()?;
        table.insert(rw, made, launch.behind)?;
        rw.inside(made, |rw| rw.create_block(rw.body().top_regions()[0], None, std::iter::empty::<Type>()).map(drop))?;
        Ok(made)
    })?;
    let body = module.body(inside)?.region_body(made).ok_or_else(|| Error::misuse("a module without a body"))?;
    Ok((made, body))
}

/// Makes the kernel, and copies what it calls. Gives how it is called from outside.
fn outline(
    module: &mut Module,
    inside: BodyId,
    (home, body): (OpId, BodyId),
    launch: &Launch,
    kernel: &Kernel,
    around: &SymbolTable,
) -> Result<Attribute> {
    let context = module.context().clone();
    let at = module.body(launch.place.0)?.location(launch.place.1);
    let ty = context.ty(TypeData::Function { inputs: kernel.inputs.as_slice().into(), results: Box::new([]) });
    let (mut table, made, name) = module.rewrite(body, |rw| {
        let mut table = SymbolTable::of_body(rw)?;
        rw.set_insertion_point(None)?;
        let build = rw.build("gpu.func").at(at).attribute("sym_name", launch.function.attribute());
        let build = build.attribute("function_type", context.attribute(AttributeData::Type(ty)));
        let build = build.attribute("gpu.kernel", context.unit()).attributes(kernel.said.iter().copied());
        let build = build.attribute("workgroup_attributions", context.integer(64, kernel.of_workgroup));
        let made = build.regions(1).create()?;
        let name = table.insert(rw, made, None)?;
        rw.inside(made, |rw| {
            rw.locate(at);
            fill(rw, launch, kernel)
        })?;
        Ok((table, made, name))
    })?;
    let mut left = vec![made];
    while let Some(op) = left.pop() {
        let user = module.operation(body, op)?;
        let mut uses = user.symbol_uses()?.unwrap_or_default();
        let walked = user.walk()?.enumerate().map(|(at, op)| ((op.body_id(), op.id()), at));
        let order: HashMap<(BodyId, OpId), usize> = walked.collect();
        uses.sort_by_key(|symbol_use| order.get(&(symbol_use.user.body_id(), symbol_use.user.id())).copied());
        let names = uses.into_iter().filter_map(|symbol_use| match &context[symbol_use.reference] {
            AttributeData::SymbolRef { root, nested } => Some(nested.last().copied().unwrap_or(*root)),
            _ => None,
        });
        let names: Vec<Identifier> = names.collect();
        for name in names {
            let Some(definition) = around.symbol(name).filter(|_| table.symbol(name).is_none()) else { continue };
            let copy = module.rewrite(body, |rw| {
                rw.set_insertion_point(None)?;
                let copy = rw.clone_from((rw.module(), inside), definition, &mut ValueMap::default())?;
                table.insert(rw, copy, None)?;
                Ok(copy)
            })?;
            left.push(copy);
        }
    }
    let root = module.operation(inside, home)?.symbol_name()?.unwrap_or(launch.module);
    Ok(context.attribute(AttributeData::SymbolRef { root, nested: Box::new([name]) }))
}

/// Fills the body of a kernel.
fn fill(rw: &mut Rewriter<'_>, launch: &Launch, kernel: &Kernel) -> Result<()> {
    let context = rw.context();
    let region = rw.body().top_regions()[0];
    let entry = rw.create_block(region, None, kernel.inputs.iter().chain(&kernel.own).copied())?;
    let given = rw.body().arguments(entry).to_vec();
    rw.set_insertion_point_to_end(entry)?;
    let mut map = ValueMap::default();
    map.values.extend(kernel.captured.iter().copied().zip(given.iter().copied()));
    let own = given.iter().skip(kernel.inputs.len()).copied();
    map.values.extend(kernel.arguments.iter().copied().skip(kernel.places).zip(own));
    let dimensions = [Dimension::X, Dimension::Y, Dimension::Z].map(|it| attribute_of(context, NAME, "dim", it));
    let dimensions = PLACES.iter().flat_map(|name| dimensions.map(|dimension| (name, dimension)));
    for (&argument, (name, dimension)) in kernel.arguments.iter().take(kernel.places).zip(dimensions) {
        let made = rw.build(name).attribute("dimension", dimension).create()?;
        map.values.insert(argument, rw.result(made, 0)?);
    }
    let source = (rw.module(), launch.place.0);
    let blocks = rw.clone_region_from(source, kernel.region, region, None, &mut map)?;
    if let Some(&first) = blocks.first() {
        rw.inline_block(first, entry, None, &[])?;
    }
    let ends: Vec<OpId> = rw.body().preorder().filter(|&op| rw.op(op).is("gpu.terminator")).collect();
    for end in ends {
        let at = rw.body().location(end);
        rw.set_insertion_point_before(end)?;
        rw.build("gpu.return").at(at).create()?;
        rw.erase(end)?;
    }
    Ok(())
}

/// Puts a launch of the kernel in the place of the other one.
fn replace(module: &mut Module, launch: &Launch, kernel: &Kernel, name: Attribute) -> Result<()> {
    let (body, op) = launch.place;
    module.rewrite(body, |rw| {
        let of = rw.op(op);
        let operands = of.operands().to_vec();
        let groups: Vec<&[Value]> =
            of.operand_ranges()?.into_iter().map(|group| operands.get(group).unwrap_or_default()).collect();
        let types: Vec<Type> = of.results().map(|result| of.type_of(result)).collect::<Result<_>>()?;
        let at = rw.body().location(op);
        rw.set_insertion_point_before(op)?;
        let groups = groups.into_iter().chain([&*kernel.captured, &[]]);
        let made = rw.build("gpu.launch_func").at(at).operand_groups(groups).result_types(types);
        let made = made.attribute("kernel", name).create()?;
        rw.replace_with(op, made)
    })
}
