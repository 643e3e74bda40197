//! Modules of any size, made through the public API of the IR.

use crate::Numbers;
use mlirbc_ir::{
    AttributeData, AttributeRef, BlockId, BodyBuilder, BodyId, Context, Identifier, Module, NamedAttribute, OpId,
    OperationName, OperationSpec, PackedLocations, ResourceEntry, ResourceGroup, ResourceKey, ResourceValue, Result,
    Rewriter, TypeData, TypeRef, Value, fresh_number,
};

/// What a generated module is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Many functions of about a hundred operations each.
    Functions,
    /// Functions of loops, nested 64 deep.
    Nested,
    /// Few operations, and resources of up to a MiB each.
    Resources,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Shape; 3] = [Shape::Functions, Shape::Nested, Shape::Resources];

    /// The shape's name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Functions => "functions",
            Shape::Nested => "nested",
            Shape::Resources => "resources",
        }
    }
}

/// The sizes of modules that a benchmark makes, each with its name: those of `MLIRBC_BENCH_SIZES`, or else these. `10K,200M`
/// are 10 KiB and 200 MiB.
///
/// # Panics
/// Where one is no number.
pub fn sizes(usual: &str) -> Vec<(String, usize)> {
    let sizes = std::env::var("MLIRBC_BENCH_SIZES").unwrap_or_else(|_| usual.to_owned());
    let size = |text: &str| {
        let (digits, unit) = match text.strip_suffix(['K', 'k']) {
            Some(digits) => (digits, 1 << 10),
            None => text.strip_suffix(['M', 'm']).map_or((text, 1), |digits| (digits, 1 << 20)),
        };
        let number: usize = digits.parse().unwrap_or_else(|_| panic!("no size: {text}"));
        (text.to_owned(), number * unit)
    };
    sizes.split(',').map(size).collect()
}

/// Operations of a function beside its terminator.
const OPERATIONS: usize = 100;
/// Loops in each other.
const DEPTH: usize = 64;
/// The largest resource in bytes.
const RESOURCE: usize = 1 << 20;
/// Bytes of bytecode that a function takes.
const FUNCTION_BYTES: usize = 1950;
/// Bytes of bytecode that a nest of loops takes.
const NEST_BYTES: usize = 2500;

/// Makes a module whose bytecode takes about `size` bytes. It holds the symbols `@f0`, `@f1` and so on.
///
/// The same shape and size give the same module. It is valid: mlir-opt reads its bytecode.
///
/// # Errors
/// None that a correct build would meet.
pub fn generate(context: &Context, shape: Shape, size: usize) -> Result<Module> {
    match shape {
        Shape::Functions => functions(context, (size / FUNCTION_BYTES).max(1), OPERATIONS + 2, function),
        Shape::Nested => functions(context, (size / NEST_BYTES).max(1), 2 * DEPTH + 6, nest),
        Shape::Resources => resources(context, size),
    }
}

struct Generator<'c> {
    context: &'c Context,
    numbers: Numbers,
    /// Number of operations made so far: each has a location of its own.
    made: u32,
}

fn location(number: u32) -> AttributeRef {
    AttributeRef::local(number).expect("fewer than 2^31 - 1 locations")
}

impl<'c> Generator<'c> {
    /// A generator, and a module in which it has made an empty `builtin.module`; the body of that, and the block in it.
    fn new(context: &'c Context, operations: usize) -> Result<(Self, Module, BodyId, BlockId)> {
        let mut locations = PackedLocations::new();
        let file = locations.push_file(context.identifier("generated.c"));
        for number in 0..=operations as u32 {
            locations.push(context, file, number + 1, 1 + number % 60);
        }
        let mut module = Module::with_source(context, Some(locations.finish()));
        let mut top = BodyBuilder::new(1);
        let block = top.push_block(top.top_regions()[0]);
        let top = module.declare(Some(top.finish()), None, None);
        let mut generator = Generator { context, numbers: Numbers(1), made: 0 };
        let (body, block) = module.rewrite(top, |rw| {
            let op = generator.isolated(rw, block, "builtin.module", Vec::new())?;
            let block = rw.inside(op, first_block)?;
            Ok((rw.body().region_body(op).expect("it was made"), block))
        })?;
        Ok((generator, module, body, block))
    }

    fn location(&mut self) -> AttributeRef {
        self.made += 1;
        location(self.made - 1)
    }

    fn dictionary(&self, entries: Vec<(&str, AttributeData)>) -> Result<AttributeRef> {
        let entries = entries
            .into_iter()
            .map(|(name, value)| -> NamedAttribute { (self.context.identifier(name), self.context.attribute(value)) });
        Ok(self.context.dictionary(entries.collect())?.into())
    }

    /// Appends an operation with one region that has a body of its own.
    fn isolated(
        &mut self,
        rw: &mut Rewriter<'_>,
        block: BlockId,
        name: &str,
        properties: Vec<(&str, AttributeData)>,
    ) -> Result<OpId> {
        let location = self.location();
        let name = rw.module().name(name);
        let properties = Some(self.dictionary(properties)?);
        append(rw, block, &OperationSpec { properties, regions: 1, ..OperationSpec::new(name, location) })
    }
}

/// Makes the first block of a body that has none.
fn first_block(rw: &mut Rewriter<'_>) -> Result<BlockId> {
    rw.create_block(rw.body().top_regions()[0], None, [] as [TypeRef; 0])
}

/// What the functions of a module share.
struct Names {
    arithmetic: [OperationName; 6],
    compare: OperationName,
    select: OperationName,
    constant: OperationName,
    func_return: OperationName,
    repeat: OperationName,
    end: OperationName,
    i1: TypeRef,
    i32: TypeRef,
    index: TypeRef,
    predicate: AttributeRef,
}

impl Names {
    fn new(generator: &Generator<'_>, module: &Module) -> Result<Self> {
        let context = generator.context;
        let arithmetic = ["xori", "andi", "ori", "minui", "maxui", "divui"];
        let less = context[context.integer(64, 2)].clone();
        Ok(Names {
            arithmetic: arithmetic.map(|name| module.name(format!("arith.{name}"))),
            compare: module.name("arith.cmpi"),
            select: module.name("arith.select"),
            constant: module.name("arith.constant"),
            func_return: module.name("func.return"),
            repeat: module.name("scf.for"),
            end: module.name("scf.yield"),
            i1: context.integer_type(1).into(),
            i32: context.integer_type(32).into(),
            index: context.index_type().into(),
            predicate: generator.dictionary(vec![("predicate", less)])?,
        })
    }
}

type Fill = fn(&mut Generator<'_>, &Names, &mut Rewriter<'_>, BlockId) -> Result<()>;

fn functions(context: &Context, count: usize, operations: usize, fill: Fill) -> Result<Module> {
    let (mut generator, mut module, body, block) = Generator::new(context, count * (operations + 1) + 1)?;
    let names = Names::new(&generator, &module)?;
    let i32 = context.integer_type(32);
    let ty = context.ty(TypeData::Function { inputs: [i32, i32].into(), results: [i32].into() });
    module.rewrite(body, |rw| {
        for number in 0..count {
            let properties = vec![
                ("sym_name", AttributeData::String { value: format!("f{number}").into_bytes().into(), ty: None }),
                ("function_type", AttributeData::Type(ty)),
            ];
            let op = generator.isolated(rw, block, "func.func", properties)?;
            rw.inside(op, |rw| {
                let first = first_block(rw)?;
                fill(&mut generator, &names, rw, first)
            })?;
        }
        Ok(())
    })?;
    Ok(module)
}

fn append(rw: &mut Rewriter<'_>, block: BlockId, spec: &OperationSpec<'_>) -> Result<OpId> {
    rw.set_insertion_point_to_end(block)?;
    rw.create(spec)
}

/// Straight-line arithmetic.
fn function(generator: &mut Generator<'_>, names: &Names, rw: &mut Rewriter<'_>, block: BlockId) -> Result<()> {
    let unknown = AttributeRef::from(generator.context.unknown_location());
    let mut values = Vec::new();
    for _ in 0..2 {
        values.push(rw.add_argument(block, names.i32, Some(unknown))?);
    }
    for _ in 0..OPERATIONS {
        let (a, b) = (values[generator.numbers.below(values.len())], values[generator.numbers.below(values.len())]);
        let kind = generator.numbers.below(6);
        let location = generator.location();
        let plain = OperationSpec::new(names.constant, location);
        let value = match kind {
            0..=3 => {
                let name = names.arithmetic[generator.numbers.below(names.arithmetic.len())];
                let spec = OperationSpec { name, operands: &[a, b], results: &[names.i32], ..plain };
                append(rw, block, &spec)?
            }
            4 => {
                let number = generator.numbers.below(1000) as i64;
                let value = generator.context[generator.context.integer(32, number)].clone();
                let properties = Some(generator.dictionary(vec![("value", value)])?);
                append(rw, block, &OperationSpec { properties, results: &[names.i32], ..plain })?
            }
            _ => {
                let properties = Some(names.predicate);
                let results = &[names.i1];
                let spec = OperationSpec { name: names.compare, properties, operands: &[a, b], results, ..plain };
                let compared = append(rw, block, &spec)?;
                let operands = &[rw.result(compared, 0)?, a, b];
                let results = &[names.i32];
                append(rw, block, &OperationSpec { name: names.select, operands, results, ..plain })?
            }
        };
        values.push(rw.result(value, 0)?);
    }
    let last = [values[values.len() - 1]];
    let spec = OperationSpec { operands: &last, ..OperationSpec::new(names.func_return, generator.location()) };
    append(rw, block, &spec)?;
    Ok(())
}

/// Loops in each other.
fn nest(generator: &mut Generator<'_>, names: &Names, rw: &mut Rewriter<'_>, block: BlockId) -> Result<()> {
    let unknown = AttributeRef::from(generator.context.unknown_location());
    let given = rw.add_argument(block, names.i32, Some(unknown))?;
    rw.add_argument(block, names.i32, Some(unknown))?;
    let index =
        AttributeData::Integer { ty: generator.context.index_type(), value: mlirbc_ir::number::ApInt::from_u64(64, 1) };
    let one = Some(generator.dictionary(vec![("value", index)])?);
    let bounds: Vec<Value> = (0..3)
        .map(|_| {
            let spec = OperationSpec {
                properties: one,
                results: &[names.index],
                ..OperationSpec::new(names.constant, generator.location())
            };
            append(rw, block, &spec).and_then(|op| rw.result(op, 0))
        })
        .collect::<Result<_>>()?;
    let mut stack = vec![block];
    for _ in 0..DEPTH {
        let spec =
            OperationSpec { operands: &bounds, regions: 1, ..OperationSpec::new(names.repeat, generator.location()) };
        let op = append(rw, stack[stack.len() - 1], &spec)?;
        let region = rw.body().regions(op).next().expect("the loop's region");
        let inside = rw.create_block(region, None, [] as [TypeRef; 0])?;
        rw.add_argument(inside, names.index, Some(unknown))?;
        stack.push(inside);
    }
    for &inside in stack[1..].iter().rev() {
        append(rw, inside, &OperationSpec::new(names.end, generator.location()))?;
    }
    let spec = OperationSpec { operands: &[given], ..OperationSpec::new(names.func_return, generator.location()) };
    append(rw, block, &spec)?;
    Ok(())
}

/// Globals, each with a resource.
fn resources(context: &Context, size: usize) -> Result<Module> {
    let each = size.clamp(64, RESOURCE) & !7;
    let count = (size / each).max(1);
    let (mut generator, mut module, body, block) = Generator::new(context, count + 1)?;
    let owner: Identifier = context.identifier("builtin");
    let file = fresh_number();
    let element = context.integer_type(64);
    let ty = context.ty(TypeData::RankedTensor { shape: [each as i64 / 8].into(), element, encoding: None });
    let name = module.name("ml_program.global");
    let mut entries = Vec::new();
    for number in 0..count {
        let key: Box<[u8]> = format!("blob{number}").into_bytes().into();
        let handle = context.resource(ResourceKey { dialect: owner, key: key.clone(), owner: file });
        let data: Vec<u8> = (0..each / 8).flat_map(|at| ((at ^ number) as u64).to_le_bytes()).collect();
        entries.push(ResourceEntry {
            key: key.into(),
            handle: Some(handle),
            value: ResourceValue::Blob { alignment: 64, data: data.into() },
        });
        let properties = generator.dictionary(vec![
            ("sym_name", AttributeData::String { value: format!("f{number}").into_bytes().into(), ty: None }),
            ("sym_visibility", AttributeData::String { value: b"private".as_slice().into(), ty: None }),
            ("type", AttributeData::Type(ty)),
            ("value", AttributeData::DenseResource { ty, resource: handle }),
        ])?;
        let spec = OperationSpec { properties: Some(properties), ..OperationSpec::new(name, generator.location()) };
        module.rewrite(body, |rw| append(rw, block, &spec))?;
    }
    module.resources_mut()?.push(ResourceGroup { owner, dialect: true, entries });
    Ok(module)
}
