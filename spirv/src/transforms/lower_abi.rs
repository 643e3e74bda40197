//! `spirv-lower-abi-attrs` (`mlir/Dialect/SPIRV/Transforms/LowerABIAttributesPass.cpp`).

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BodyId, Context, Error, NamedAttribute, OpId, OpRef, Result, Rewriter,
    Type, TypeData,
};
use mlirbc_rewrite::{MakePass, OptionInfo, Pass, PassInfo, Target};
use rspirv::spirv::{Capability, ExecutionMode, ExecutionModel, StorageClass};

use super::{MODULE, symbol_in, variable_type};
use crate::dialect::EnumKind;
use crate::dialect::abi::{ENTRY_POINT_ABI, EntryPointAbi};
use crate::dialect::attributes::{SpirvAttribute, enumerant, view as attribute_view};
use crate::dialect::types::{Layouts, Member, Rule, SpirvType, Struct, pointer, scalar_bits, structure, view};
use crate::target::{Availability, Environment, environment_of};

/// What says of an argument which resource it is.
const INTERFACE_VARIABLE_ABI: &[u8] = b"spirv.interface_var_abi";

/// Makes the arguments of entry points variables of the module, and says in operations of the module what attributes say of entry points.
///
/// MLIR crashes on arguments that are pointers to something else than a struct or an image, or structs and arrays themselves: these are errors.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowerAbiAttributes {
    /// Whether variables of functions that an entry point calls are of its interface, too. MLIR leaves them out, which no driver takes.
    pub called_functions: bool,
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-lower-abi-attrs",
    about: "make arguments of entry points variables, and what attributes say of them operations of the module",
    options: &[OptionInfo {
        name: "called-functions",
        about: "variables of functions that an entry point calls are of its interface, too",
    }],
    make: MakePass::With(|options| {
        Ok(Box::new(LowerAbiAttributes { called_functions: options.flag("called-functions", false)? }))
    }),
};

impl Pass for LowerAbiAttributes {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some(MODULE)
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let op = target.op()?;
        let context = op.module().context();
        let (attribute, environment) = environment_of(op)?;
        let model = execution_model(context, attribute);
        let (mut lowered, mut entries) = (Vec::new(), Vec::new());
        for function in op.ops()?.filter(|op| op.is("spirv.func")) {
            lowered.extend(variables(function)?);
            if let Some(abi) = function.attribute(ENTRY_POINT_ABI)?.and_then(|abi| EntryPointAbi::of(context, abi)) {
                entries.push((function.id(), abi));
            }
        }
        let mut graphs = Vec::new();
        for graph in op.ops()?.filter(|op| op.is("spirv.ARM.Graph")) {
            graphs.extend(graph_variables(graph)?);
        }
        let Some(module) = op.body().region_body(op.id()) else { return Ok(()) };
        let all = lowered.iter().chain(&graphs);
        target.count("arguments", all.map(|function| function.variables.len() as u64).sum());
        target.count("entry points", (entries.len() + graphs.len()) as u64);
        for function in &lowered {
            target.module().rewrite(function.body, |rw| read_variables(rw, function))?;
        }
        target.module().rewrite(module, |rw| {
            lowered.iter().try_for_each(|function| take_arguments(rw, function))?;
            graphs.iter().try_for_each(|graph| declare_graph(rw, graph))
        })?;
        if entries.is_empty() {
            return Ok(());
        }
        let none = || Error::verification("the target has neither of the capabilities Shader and Kernel");
        let model = model.ok_or_else(none)?;
        let interfaces = interfaces(target.op()?, &entries, &environment, self.called_functions)?;
        target.module().rewrite(module, |rw| {
            let mut ends = entries.into_iter().zip(interfaces);
            ends.try_for_each(|((op, abi), interface)| declare(rw, op, abi, interface, model, &environment))
        })
    }
}

/// A function whose arguments become variables.
struct Lowered {
    op: OpId,
    body: BodyId,
    location: AttributeRef,
    variables: Vec<Variable>,
}

struct Variable {
    /// The symbol.
    name: Box<[u8]>,
    set: u32,
    binding: u32,
    /// The type of the variable.
    ty: Type,
    /// Where the variable holds the argument as the one member of a struct: its type, and the storage class.
    inside: Option<(Type, u32)>,
}

/// What the arguments of a function become; `None` where nothing is said of them.
fn variables(function: OpRef<'_>) -> Result<Option<Lowered>> {
    let context = function.module().context();
    let of_arguments = function.attribute("arg_attrs")?.map(|list| &context[list]);
    let Some(AttributeData::Array(of_arguments)) = of_arguments else { return Ok(None) };
    let abis: Vec<_> = of_arguments.iter().map(|argument| interface_variable(context, *argument)).collect();
    if abis.iter().all(Option::is_none) {
        return Ok(None);
    }
    let refuse = |why: &str| Err(Error::verification(format!("{}: {why}", function.path())));
    if function.attribute(ENTRY_POINT_ABI)?.is_none() {
        return refuse("arguments of a function that is no entry point cannot be variables");
    }
    let (Some(body), Some(name)) = (function.body().region_body(function.id()), function.symbol_name()?) else {
        return refuse("a function without a body has no variables");
    };
    let inputs = match function.attribute("function_type")?.map(|ty| &context[ty]) {
        Some(AttributeData::Type(ty)) => match &context[*ty] {
            TypeData::Function { inputs, .. } => inputs,
            _ => return refuse("its type is none of functions"),
        },
        _ => return refuse("it has no type"),
    };
    let mut layouts = Layouts::new(context, Rule::Upstream);
    let mut variables = Vec::new();
    for (at, &input) in inputs.iter().enumerate() {
        let Some((set, binding, class)) = abis.get(at).copied().flatten() else {
            return refuse(&format!("nothing says where argument {at} is bound"));
        };
        let (ty, inside) = if scalar_bits(context, context[input].element().unwrap_or(input)).is_some() {
            let Some(class) = class else {
                return refuse(&format!("nothing says in which storage class argument {at} is"));
            };
            let member = Member { offset: Some(0), ..Member::from(input) };
            let block = structure(context, &Struct { members: vec![member], ..Struct::default() });
            (pointer(context, block, class), Some((input, class)))
        } else {
            match decorated(context, &mut layouts, input) {
                Some(ty) => (ty, None),
                None => return refuse(&format!("argument {at} is no number and no pointer to a struct or an image")),
            }
        };
        let name = [context.bytes(name), format!("_arg_{at}").as_bytes()].concat().into();
        variables.push(Variable { name, set, binding, ty, inside });
    }
    let location = function.body().location(function.id());
    Ok(Some(Lowered { op: function.id(), body, location, variables }))
}

/// The set, binding and storage class that the attributes of an argument say.
fn interface_variable(context: &Context, argument: Attribute) -> Option<(u32, u32, Option<u32>)> {
    let AttributeData::Dictionary(entries) = &context[argument] else { return None };
    let found = entries.iter().find(|(name, _)| context.bytes(*name) == INTERFACE_VARIABLE_ABI)?;
    match attribute_view(context, found.1)? {
        SpirvAttribute::InterfaceVariable { set, binding, class } => Some((set, binding, class)),
        _ => None,
    }
}

/// The type of the variable that an argument becomes which is a pointer: members of structs stand where MLIR's rule says.
fn decorated(context: &Context, layouts: &mut Layouts<'_>, ty: Type) -> Option<Type> {
    let SpirvType::Pointer { pointee, class } = view(context, ty)? else { return None };
    match view(context, pointee)? {
        SpirvType::SampledImage { .. } => Some(ty),
        SpirvType::Struct(_) => Some(pointer(context, layouts.of(pointee)?.ty, class)),
        _ => None,
    }
}

fn symbol(context: &Context, name: &[u8]) -> Attribute {
    context.attribute(AttributeData::SymbolRef { root: context.identifier(name), nested: [].into() })
}

/// At the start of a function, puts what its variables hold in the place of its arguments.
fn read_variables(rw: &mut Rewriter<'_>, function: &Lowered) -> Result<()> {
    let context = rw.context();
    let Some(block) = rw.body().top_regions().first().and_then(|region| rw.body().blocks(*region).next()) else {
        return Err(Error::verification("a function without a body has no variables"));
    };
    rw.set_insertion_point_to_start(block)?;
    rw.locate(function.location);
    for variable in &function.variables {
        let argument = rw.body().arguments(block).first().copied();
        let Some(argument) = argument else { return Err(Error::verification("it has fewer arguments than its type")) };
        let name = symbol(context, &variable.name);
        let address = rw.build("spirv.mlir.addressof").attribute("variable", name).result_type(variable.ty).create()?;
        let mut value = rw.result(address, 0)?;
        if let Some((ty, class)) = variable.inside {
            let word = context.integer_type(32);
            let zero = context.integer(32, 0);
            let zero = rw.build("spirv.Constant").attribute("value", zero).result_type(word).create()?;
            let places = [value, rw.result(zero, 0)?];
            let member = pointer(context, ty, class);
            let member = rw.build("spirv.AccessChain").operands(places).result_type(member).create()?;
            let member = rw.result(member, 0)?;
            let load = rw.build("spirv.Load").operands([member]).result_type(ty).create()?;
            value = rw.result(load, 0)?;
        } else if rw.body().ty(argument) != variable.ty.into() && rw.body().is_used(argument) {
            let ty = rw.body().ty(argument);
            let cast = rw.build("spirv.Bitcast").operands([value]).result_type(ty).create()?;
            value = rw.result(cast, 0)?;
        }
        rw.replace_uses(argument, value)?;
        rw.erase_argument(block, 0)?;
    }
    Ok(())
}

/// Puts the variables of a function before it.
fn make_variables(rw: &mut Rewriter<'_>, function: &Lowered) -> Result<()> {
    let context = rw.context();
    rw.set_insertion_point_before(function.op)?;
    for variable in &function.variables {
        let number = |number: u32| context.integer(32, number.into());
        rw.build("spirv.GlobalVariable")
            .attribute("sym_name", context.string(&variable.name))
            .attribute("type", context.attribute(AttributeData::Type(variable.ty)))
            .attribute("descriptor_set", number(variable.set))
            .attribute("binding", number(variable.binding))
            .at(function.location)
            .create()?;
    }
    Ok(())
}

/// Puts the variables of a function before it, and takes the arguments out of its type.
fn take_arguments(rw: &mut Rewriter<'_>, function: &Lowered) -> Result<()> {
    make_variables(rw, function)?;
    let context = rw.context();
    let ty = context.ty(TypeData::Function { inputs: [].into(), results: [].into() });
    rw.set_attribute(function.op, "function_type", context.attribute(AttributeData::Type(ty)))?;
    for name in ["arg_attrs", "res_attrs"] {
        if rw.op(function.op).attribute(name)?.is_some() {
            rw.remove_attribute(function.op, name)?;
        }
    }
    Ok(())
}

/// What the arguments and results of a graph become, which stay what they are; `None` where nothing is said of any.
fn graph_variables(graph: OpRef<'_>) -> Result<Option<Lowered>> {
    let context = graph.module().context();
    let refuse = |why: &str| Err(Error::verification(format!("{}: {why}", graph.path())));
    let inputs_and_results = match graph.attribute("function_type")?.map(|ty| &context[ty]) {
        Some(AttributeData::Type(ty)) => match &context[*ty] {
            TypeData::Function { inputs, results } => [inputs, results],
            _ => return refuse("its type is none of functions"),
        },
        _ => return refuse("it has no type"),
    };
    let (mut found, mut unsaid) = (Vec::new(), 0);
    for ((said, kind), types) in [("arg_attrs", "arg"), ("res_attrs", "res")].into_iter().zip(inputs_and_results) {
        let said = match graph.attribute(said)?.map(|list| &context[list]) {
            Some(AttributeData::Array(list)) => &list[..],
            _ => &[],
        };
        for (at, &ty) in types.iter().enumerate() {
            match said.get(at).and_then(|said| interface_variable(context, *said)) {
                Some(abi) => found.push((kind, at, ty, abi)),
                None => unsaid += 1,
            }
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let is_entry =
        graph.attribute("entry_point")?.and_then(|it| context.integer_of(it)).is_some_and(|it| !it.is_zero());
    let (Some(body), Some(name)) = (graph.body().region_body(graph.id()), graph.symbol_name()?.filter(|_| is_entry))
    else {
        return refuse("arguments and results of a graph that is no entry point cannot be variables");
    };
    if unsaid > 0 {
        return refuse("of an argument or result nothing says where it is bound");
    }
    let variable = |(kind, at, ty, (set, binding, class)): (&str, usize, Type, (u32, u32, Option<u32>))| {
        let ty = pointer(context, ty, class.unwrap_or(StorageClass::UniformConstant as u32));
        let name = [context.bytes(name), format!("_{kind}_{at}").as_bytes()].concat().into();
        Variable { name, set, binding, ty, inside: None }
    };
    let variables = found.into_iter().map(variable).collect();
    Ok(Some(Lowered { op: graph.id(), body, location: graph.body().location(graph.id()), variables }))
}

/// Puts the variables of a graph before it, and what says that it is an entry point; takes away what says of them where they are bound.
fn declare_graph(rw: &mut Rewriter<'_>, graph: &Lowered) -> Result<()> {
    make_variables(rw, graph)?;
    let context = rw.context();
    let Some(name) = rw.op(graph.op).symbol_name()? else { return Ok(()) };
    let interface = graph.variables.iter().map(|variable| symbol(context, &variable.name)).collect();
    rw.build("spirv.ARM.GraphEntryPoint")
        .attribute("fn", symbol(context, context.bytes(name)))
        .attribute("interface", context.attribute(AttributeData::Array(interface)))
        .at(graph.location)
        .create()?;
    for name in ["arg_attrs", "res_attrs"] {
        let Some(AttributeData::Array(said)) = rw.op(graph.op).attribute(name)?.map(|list| &context[list]) else {
            continue;
        };
        let mut left = Vec::new();
        for said in said {
            let entries = context.entries(*said).unwrap_or_default();
            let mut entries: Vec<_> =
                entries.iter().filter(|(name, _)| context.bytes(*name) != INTERFACE_VARIABLE_ABI).copied().collect();
            left.push((entries.is_empty(), context.dictionary_of(&mut entries)?));
        }
        match left.iter().all(|(is_empty, _)| *is_empty) {
            true => rw.remove_attribute(graph.op, name)?,
            false => {
                let left = left.into_iter().map(|(_, said)| said).collect();
                rw.set_attribute(graph.op, name, context.attribute(AttributeData::Array(left)))?;
            }
        }
    }
    Ok(())
}

/// `Kernel` or `GLCompute`, by which of their capabilities a target lists first.
fn execution_model(context: &Context, environment: Attribute) -> Option<ExecutionModel> {
    let SpirvAttribute::TargetEnvironment(environment) = attribute_view(context, environment)? else { return None };
    let SpirvAttribute::Vce(triple) = attribute_view(context, environment.triple)? else { return None };
    triple.capabilities.iter().find_map(|&capability| match capability {
        _ if capability == Capability::Kernel as u32 => Some(ExecutionModel::Kernel),
        _ if capability == Capability::Shader as u32 => Some(ExecutionModel::GLCompute),
        _ => None,
    })
}

/// The variables that each entry point takes the address of, in order: inputs and outputs alone before SPIR-V 1.4. Those of
/// functions that it calls come behind its own, where they are asked for.
fn interfaces(
    module: OpRef<'_>,
    entries: &[(OpId, EntryPointAbi)],
    environment: &Environment,
    called_functions: bool,
) -> Result<Vec<Vec<Attribute>>> {
    let context = module.module().context();
    let mut known = HashSet::new();
    for variable in module.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
        let class = match variable_type(variable)?.and_then(|ty| view(context, ty)) {
            Some(SpirvType::Pointer { class, .. }) => class,
            _ => continue,
        };
        if environment.version >= 4 || [StorageClass::Input as u32, StorageClass::Output as u32].contains(&class) {
            known.extend(variable.symbol_name()?.map(|name| context.bytes(name)));
        }
    }
    let mut functions = HashMap::new();
    for op in module.ops()?.filter(|op| op.is("spirv.func")) {
        functions.extend(op.symbol_name()?.map(|name| (context.bytes(name), op)));
    }
    let mut interfaces = Vec::new();
    for &(entry, _) in entries {
        let (mut interface, mut seen) = (Vec::new(), HashSet::new());
        let mut left: VecDeque<OpRef<'_>> =
            functions.values().find(|op| op.id() == entry).copied().into_iter().collect();
        let mut reached: HashSet<OpId> = [entry].into();
        while let Some(function) = left.pop_front() {
            for op in function.walk()? {
                if op.is("spirv.mlir.addressof") {
                    let name = symbol_in(op, "variable")?.filter(|&name| known.contains(name) && seen.insert(name));
                    interface.extend(name.map(|name| symbol(context, name)));
                } else if called_functions && op.is("spirv.FunctionCall") {
                    let callee = symbol_in(op, "callee")?.and_then(|name| functions.get(name));
                    left.extend(callee.copied().filter(|callee| reached.insert(callee.id())));
                }
            }
        }
        interfaces.push(interface);
    }
    Ok(interfaces)
}

/// At the end of the module, says of an entry point what its attribute says, as far as the target has a mode for it.
fn declare(
    rw: &mut Rewriter<'_>,
    function: OpId,
    abi: EntryPointAbi,
    interface: Vec<Attribute>,
    model: ExecutionModel,
    environment: &Environment,
) -> Result<()> {
    let context = rw.context();
    let Some(name) = rw.op(function).symbol_name()? else { return Ok(()) };
    let name = symbol(context, context.bytes(name));
    let location = rw.body().location(function);
    let Some(block) = rw.body().block_of(function) else { return Ok(()) };
    rw.set_insertion_point_to_end(block)?;
    rw.build("spirv.EntryPoint")
        .attribute("execution_model", enumerant(context, EnumKind::ExecutionModel, model as u32))
        .attribute("fn", name)
        .attribute("interface", context.attribute(AttributeData::Array(interface.into())))
        .at(location)
        .create()?;
    let mut mode = |mode: ExecutionMode, values: &mut Option<Vec<i32>>| {
        let needs = Availability::of(EnumKind::ExecutionMode, mode as u32).map(|found| &found.capabilities);
        let is_there =
            needs.is_none_or(|needs| needs.is_empty() || needs.iter().any(|it| environment.has_capability(*it)));
        let Some(values) = values.take_if(|_| is_there) else { return Ok(()) };
        let values: Vec<_> = values.iter().map(|&value| context.integer(32, value.into())).collect();
        let attributes: [NamedAttribute; 3] = [
            (context.static_identifier("fn"), name),
            (context.static_identifier("execution_mode"), enumerant(context, EnumKind::ExecutionMode, mode as u32)),
            (context.static_identifier("values"), context.attribute(AttributeData::Array(values.into()))),
        ];
        rw.build("spirv.ExecutionMode").attributes(attributes).at(location).create().map(drop)
    };
    let EntryPointAbi { mut workgroup_size, subgroup_size, target_width } = abi;
    let [mut subgroup_size, mut target_width] = [subgroup_size, target_width].map(|it| it.map(|number| vec![number]));
    mode(ExecutionMode::LocalSize, &mut workgroup_size)?;
    mode(ExecutionMode::SubgroupSize, &mut subgroup_size)?;
    mode(ExecutionMode::SignedZeroInfNanPreserve, &mut target_width)?;
    if workgroup_size.is_none() && subgroup_size.is_none() && target_width.is_none() {
        return rw.remove_attribute(function, ENTRY_POINT_ABI);
    }
    let number = |list: Option<Vec<i32>>| list.and_then(|list| list.first().copied());
    let left =
        EntryPointAbi { workgroup_size, subgroup_size: number(subgroup_size), target_width: number(target_width) };
    rw.set_attribute(function, ENTRY_POINT_ABI, left.attribute(context))
}
