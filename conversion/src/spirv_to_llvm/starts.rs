//! What entry points begin with. A variable of each invocation or workgroup that holds something at first holds it at the start of each:
//! that of `llvm` is one for all, and has it when the program is loaded.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use mlirbc_dialects::llvm::{CConv, PointerType};
use mlirbc_ir::{AttributeData, Body, BodyId, Context, Identifier, Module, OpId, OpRef, Result, Rewriter, Type, Value};
use mlirbc_rewrite::conversion::TypeConverter;
use mlirbc_spirv::dialect::types::{SpirvType, view};

use super::calls::{Callee, call_attributes, flags};
use super::class::{OUTPUT, PRIVATE, WORKGROUP};
use super::emit::{DYNAMIC_INDEX, dense_array, reference, symbol};
use super::explicit::CHAINS;
use super::initial::{initial, make};
use super::known::Known;
use super::state::{State, holders};
use super::types::ClientApi;

/// The scope `Workgroup`, and the semantics `AcquireRelease` of memory that a workgroup shares.
const OF_WORKGROUP: i64 = 2;
const SHARED_MEMORY: i64 = 0x8 | 0x100;

/// What one entry point begins with.
#[derive(Debug)]
pub(super) struct Start {
    /// The body of its function.
    function: BodyId,
    variables: Arc<[Variable]>,
}

#[derive(Debug)]
struct Variable {
    /// The name that it gets.
    name: Identifier,
    pointee: Type,
    class: u32,
    value: Known,
}

impl Start {
    /// Of all entry points in an operation, where some variable has to be set. What is never stored holds what it did.
    ///
    /// # Errors
    /// Where an attribute or a body cannot be read.
    pub(super) fn all(module: &Module, place: (BodyId, OpId), state: &State) -> Result<Vec<Start>> {
        let mut all = Vec::new();
        if !state.has_initial {
            return Ok(all);
        }
        for holder in holders(module, place)? {
            all.extend(Start::of(holder, state)?);
        }
        Ok(all)
    }

    fn of(holder: OpRef<'_>, state: &State) -> Result<Vec<Start>> {
        let context = holder.module().context();
        let (mut variables, mut changed) = (Vec::new(), HashSet::new());
        for op in holder.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
            // What is no constant is named by the error when its turn comes.
            let Some(value) = initial(op, state).ok().flatten() else { continue };
            changed.extend(value.variables().into_iter().map(|(body, name)| state.new_name(body, name)));
            let (Some(name), Some(ty)) = (op.symbol_name()?, op.attribute("type")?) else { continue };
            let AttributeData::Type(ty) = context[ty] else { continue };
            if let Some(SpirvType::Pointer { pointee, class: class @ (PRIVATE | OUTPUT | WORKGROUP) }) =
                view(context, ty)
            {
                variables.push(Variable { name: state.new_name(op.body_id(), name), pointee, class, value });
            }
        }
        if variables.is_empty() {
            return Ok(Vec::new());
        }
        let (mut entries, mut functions) = (HashSet::new(), Vec::new());
        for op in holder.ops()? {
            if op.is("spirv.EntryPoint") {
                entries.extend(op.attribute("fn")?.and_then(|name| symbol(context, name).ok()));
            } else if let (true, Some(name), Some(id)) =
                (op.is("spirv.func"), op.symbol_name()?, op.body().region_body(op.id()))
            {
                let body = op.module().body(id)?;
                let name_of = |name| state.name_of(op.module(), id, name);
                take_changed((op.module(), id, body), name_of, &mut changed)?;
                functions.push((name, id));
            }
        }
        variables.retain(|variable| changed.contains(&variable.name));
        if variables.is_empty() {
            return Ok(Vec::new());
        }
        let variables: Arc<[Variable]> = variables.into();
        let functions = functions.into_iter().filter(|(name, _)| entries.contains(name));
        Ok(functions.map(|(_, function)| Start { function, variables: variables.clone() }).collect())
    }

    /// The function that it calls, if this is of that function: others of the workgroup wait until its memory is set.
    pub(super) fn callee(&self, context: &Context, function: BodyId) -> Option<Callee> {
        (self.function == function && self.waits()).then(|| barrier(context))
    }

    fn waits(&self) -> bool {
        self.variables.iter().any(|variable| variable.class == WORKGROUP)
    }

    fn put(&self, rw: &mut Rewriter<'_>, (types, state): (&TypeConverter, &State), api: ClientApi) -> Result<()> {
        let context = rw.context();
        let Some(block) = rw.body().top_regions().first().and_then(|&region| rw.body().blocks(region).next()) else {
            return Ok(());
        };
        if let Some(first) = rw.body().first_operation(block) {
            let location = rw.body().location(first);
            rw.locate(location);
        }
        rw.set_insertion_point_to_start(block)?;
        for variable in &*self.variables {
            let wrong = || mlirbc_ir::Error::misuse("a variable of another type was converted");
            let ty = types.convert(context, variable.pointee).ok_or_else(wrong)?;
            let pointer: Type = PointerType::new(context, api.address_space(variable.class)).into();
            let name = reference(context, variable.name);
            let place = rw.build("llvm.mlir.addressof").attribute("global_name", name).result_type(pointer).create()?;
            let place = rw.result(place, 0)?;
            match variable.value {
                Known::Null(_) => set_to_zero(rw, ty, place)?,
                _ => {
                    let value = make(rw, ty, &variable.value, (types, state))?;
                    let store = rw.build("llvm.store").operands([value, place]);
                    store.attribute("ordering", context.integer(64, 0)).create()?;
                }
            }
        }
        if self.waits() {
            let callee = barrier(context);
            let mut arguments = Vec::new();
            for number in [OF_WORKGROUP, OF_WORKGROUP, SHARED_MEMORY] {
                arguments.push(constant(rw, 32, number)?);
            }
            let mut attributes = callee.flags.clone();
            attributes.push((context.static_identifier("callee"), reference(context, callee.name)));
            let attributes = call_attributes(context, callee.convention, attributes);
            rw.build("llvm.call").operand_groups([&*arguments, &[]]).attributes(attributes).create()?;
        }
        Ok(())
    }
}

/// `ControlBarrier`.
fn barrier(context: &Context) -> Callee {
    Callee {
        name: context.identifier("_Z22__spirv_ControlBarrieriii"),
        convention: CConv::SPIR_FUNC,
        inputs: vec![context.integer_type(32); 3],
        is_variadic: false,
        result: None,
        flags: flags(context, &["convergent", "no_unwind", "will_return"]),
    }
}

/// Adds the variables, by the names that they get, whose addresses are used in a function for more than to load what is there.
fn take_changed(
    (module, id, body): (&Module, BodyId, &Body),
    name_of: impl Fn(Identifier) -> Identifier,
    changed: &mut HashSet<Identifier>,
) -> Result<()> {
    let context = module.context();
    let mut from: HashMap<Value, Identifier> = HashMap::new();
    for op in body.preorder().map(|op| OpRef::new(module, id, body, op)) {
        if op.is("spirv.mlir.addressof") {
            let name = op.attribute("variable")?.and_then(|name| symbol(context, name).ok()).map(&name_of);
            from.extend(op.results().next().zip(name));
            continue;
        }
        if from.is_empty() {
            continue;
        }
        let is_chain = || CHAINS.iter().any(|(name, _)| op.is(name));
        for (number, operand) in op.operands().iter().enumerate() {
            match from.get(operand).copied() {
                None => {}
                Some(_) if number == 0 && op.is("spirv.Load") => {}
                Some(name) if number == 0 && is_chain() => from.extend(op.results().next().map(|made| (made, name))),
                Some(name) => drop(changed.insert(name)),
            }
        }
    }
    Ok(())
}

fn constant(rw: &mut Rewriter<'_>, bits: u32, number: i64) -> Result<Value> {
    let context = rw.context();
    let build = rw.build("llvm.mlir.constant").attribute("value", context.integer(bits, number));
    let made = build.result_type(context.integer_type(bits)).create()?;
    rw.result(made, 0)
}

/// Sets all bytes that something of that type takes to zero.
fn set_to_zero(rw: &mut Rewriter<'_>, ty: Type, place: Value) -> Result<()> {
    let context = rw.context();
    let pointer: Type = PointerType::new(context, 0).into();
    let nowhere = rw.build("llvm.mlir.zero").result_type(pointer).create()?;
    let (nowhere, one, zero) = (rw.result(nowhere, 0)?, constant(rw, 32, 1)?, constant(rw, 8, 0)?);
    let end = rw.build("llvm.getelementptr").operands([nowhere, one]).result_type(pointer);
    let end = end.attribute("elem_type", context.attribute(AttributeData::Type(ty)));
    let end = end.attribute("noWrapFlags", context.integer(32, 0));
    let end = end.attribute("rawConstantIndices", dense_array(context, 32, [DYNAMIC_INDEX])).create()?;
    let end = rw.result(end, 0)?;
    let size = rw.build("llvm.ptrtoint").operands([end]).result_type(context.integer_type(64)).create()?;
    let size = rw.result(size, 0)?;
    let set = rw.build("llvm.intr.memset").operands([place, zero, size]);
    set.attribute("isVolatile", context.integer(1, 0)).create()?;
    Ok(())
}

/// Puts it at the starts of functions in a module that was converted.
///
/// # Errors
/// Where the module is broken.
pub(super) fn begin(
    module: &mut Module,
    starts: &[Start],
    how: (&TypeConverter, &State),
    api: ClientApi,
) -> Result<()> {
    starts.iter().try_for_each(|start| module.rewrite(start.function, |rw| start.put(rw, how, api)))
}
