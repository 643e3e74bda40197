//! `decorate-spirv-composite-type-layout` (`DecorateCompositeTypeLayoutPass.cpp`).

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{AttributeData, BodyId, Context, Error, OpId, OpRef, Result, Rewriter, Type, Value};
use mlirbc_rewrite::bodies::rewrite_inside;
use mlirbc_rewrite::{MakePass, OptionInfo, Pass, PassInfo, Target};

use super::{MODULE, symbol_in, variable_type};
use crate::dialect::types::{Layouts, Rule, SpirvType, pointer, view};
use crate::dialect::verify::accessed;

/// The storage classes whose blocks say where their members stand.
const UNIFORM: u32 = 2;
const PUSH_CONSTANT: u32 = 9;
const STORAGE_BUFFER: u32 = 12;
const PHYSICAL_STORAGE_BUFFER: u32 = 5349;

/// Says where members stand in the structs of variables of the classes `Uniform`, `StorageBuffer`, `PushConstant` and
/// `PhysicalStorageBuffer` that do not say so. A struct of which a part has no layout is an error.
///
/// By MLIR's rule only the types of the variables change, and of their addresses: where an access then has another type, the module is no
/// longer valid, and MLIR fails. By the other rules the types of accesses change, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecorateCompositeTypeLayout {
    /// By which rule members stand in memory.
    pub rule: Rule,
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "decorate-spirv-composite-type-layout",
    about: "say where members of structs stand in memory, in variables of storage classes that ask for it",
    options: &[OptionInfo {
        name: "rule",
        about: "by which rule: upstream, which is MLIR's, std140, std430 or scalar (upstream)",
    }],
    make: MakePass::With(|options| {
        let rule = match options.text("rule") {
            None => Rule::default(),
            Some(name) => Rule::of_name(name).ok_or_else(|| format!("`{name}` is no rule of layout"))?,
        };
        Ok(Box::new(DecorateCompositeTypeLayout { rule }))
    }),
};

impl Pass for DecorateCompositeTypeLayout {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let threads = target.threads();
        let op = target.op()?;
        let modules: Vec<(BodyId, OpId)> =
            op.ops()?.filter(|op| op.is(MODULE)).map(|op| (op.body_id(), op.id())).collect();
        for (body, op) in modules {
            let module = target.module().operation(body, op)?;
            let types = self.decorated(module)?;
            if types.is_empty() {
                continue;
            }
            target.count("decorated", types.len() as u64);
            let follows = self.rule != Rule::Upstream;
            let change = |_: &mut (), rw: &mut Rewriter<'_>| retype(rw, &types, follows);
            rewrite_inside(target.module(), &[(body, op)], threads, || (), change)?;
        }
        Ok(())
    }
}

/// The types that variables get, by their names.
type Types = HashMap<Box<[u8]>, Type>;

impl DecorateCompositeTypeLayout {
    /// What variables of a module get.
    fn decorated(&self, module: OpRef<'_>) -> Result<Types> {
        let context = module.module().context();
        let mut layouts = Layouts::new(context, self.rule);
        let mut types = Types::new();
        for variable in module.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
            let Some((pointee, class)) = variable_type(variable)?.and_then(|ty| undecorated(context, ty)) else {
                continue;
            };
            let Some(name) = variable.symbol_name()? else { continue };
            let Some(layout) = layouts.of(pointee) else {
                let (path, ty) = (variable.path(), context.show(pointee));
                return Err(Error::verification(format!("{path}: there is no layout for its type '{ty}'")));
            };
            types.insert(context.bytes(name).into(), pointer(context, layout.ty, class));
        }
        Ok(types)
    }
}

/// The struct that a pointer leads to, and its storage class, where that asks for offsets and there are none.
fn undecorated(context: &Context, ty: Type) -> Option<(Type, u32)> {
    let SpirvType::Pointer { pointee, class } = view(context, ty)? else { return None };
    let SpirvType::Struct(block) = view(context, pointee)? else { return None };
    let asks = matches!(class, UNIFORM | PUSH_CONSTANT | STORAGE_BUFFER | PHYSICAL_STORAGE_BUFFER);
    let is_bare = !block.members.is_empty() && block.members.iter().all(|member| member.offset.is_none());
    (asks && is_bare).then_some((pointee, class))
}

/// Gives variables, their addresses and, where it is said so, accesses by these the types that they are to have.
fn retype(rw: &mut Rewriter<'_>, types: &Types, follows: bool) -> Result<()> {
    let context = rw.context();
    let ops: Vec<OpId> = rw.body().preorder().collect();
    let mut changed = HashSet::new();
    for op in ops {
        let of = rw.op(op);
        if of.is("spirv.GlobalVariable") {
            let wanted = of.symbol_name()?.and_then(|name| types.get(context.bytes(name)));
            if let Some(&ty) = wanted {
                rw.set_attribute(op, "type", context.attribute(AttributeData::Type(ty)))?;
            }
        } else if let Some((result, ty)) = wanted(of, types, &changed)? {
            rw.set_type(result, ty)?;
            if follows {
                changed.insert(result);
            }
        }
    }
    Ok(())
}

/// The type that the result of an operation is to have, where it is an address, or an access by a pointer whose type changed.
fn wanted(op: OpRef<'_>, types: &Types, changed: &HashSet<Value>) -> Result<Option<(Value, Type)>> {
    let Some(result) = op.results().next() else { return Ok(None) };
    let ty = if op.is("spirv.mlir.addressof") {
        let is_bare = undecorated(op.module().context(), op.type_of(result)?).is_some();
        symbol_in(op, "variable")?.and_then(|name| types.get(name)).copied().filter(|_| is_bare)
    } else if op.operands().first().is_some_and(|base| changed.contains(base)) && op.is("spirv.AccessChain") {
        accessed(op, 1)?
    } else {
        None
    };
    Ok(ty.map(|ty| (result, ty)))
}
