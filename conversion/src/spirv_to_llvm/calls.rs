//! Functions of `llvm` and calls of them, as all that is converted makes them.

use std::sync::OnceLock;

use hashbrown::HashMap;
use mlirbc_dialects::llvm::{CConv, FastmathFlags, TailCallKind};
use mlirbc_dialects::llvm::{calling_convention, fast_math, tail_call_kind};
use mlirbc_ir::{AttributeData, BlockId, Context, Identifier, NamedAttribute, OpId, OpRef, OperationName, Type, Value};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::emit::{Rw, dense_array};
use super::signatures::{function_type, signature};
use super::state::State;

/// A function that operations become calls of, and that the module does not define.
pub(super) struct Callee {
    pub(super) name: Identifier,
    pub(super) convention: CConv,
    pub(super) inputs: Vec<Type>,
    /// Whether more may follow.
    pub(super) is_variadic: bool,
    pub(super) result: Option<Type>,
    /// What the function and its calls say of themselves.
    pub(super) flags: Vec<NamedAttribute>,
}

/// The function that an operation will call, if any.
pub(super) type Find = Box<dyn Fn(&Rw<'_, '_>, OpRef<'_>) -> Result<Option<Callee>, NoMatch> + Send + Sync>;

impl Callee {
    /// A function of the C library, which does nothing but compute.
    pub(super) fn of_library(context: &Context, name: &str, inputs: Vec<Type>, result: Type) -> Self {
        let flags = flags(context, &["no_unwind", "will_return"]);
        Callee {
            name: context.identifier(name),
            convention: CConv::C,
            inputs,
            is_variadic: false,
            result: Some(result),
            flags,
        }
    }

    /// Its type.
    pub(super) fn ty(&self, context: &Context) -> mlirbc_ir::Result<Type> {
        function_type(context, self.result, &self.inputs, self.is_variadic)
    }

    /// Calls it.
    pub(super) fn call(&self, rw: &mut Rw<'_, '_>, arguments: &[Value]) -> Result<OpId, NoMatch> {
        let context = rw.context();
        let mut attributes = self.flags.clone();
        let name = AttributeData::SymbolRef { root: self.name, nested: Box::new([]) };
        attributes.push((context.static_identifier("callee"), context.attribute(name)));
        build_call(rw, self.convention, arguments, self.result, attributes)
    }

    /// Declares it at the start of a block.
    fn declare(&self, rw: &mut Rw<'_, '_>, block: BlockId) -> Outcome {
        let context = rw.context();
        let attributes = signature(context, self.convention, self.ty(context)?);
        let point = rw.insertion_point();
        rw.set_insertion_point_to_start(block)?;
        let build = rw.build("llvm.func").attribute("sym_name", self.name.attribute()).attributes(attributes);
        build.attributes(self.flags.iter().copied()).regions(1).create()?;
        rw.set_insertion_point(point)?;
        Ok(())
    }
}

/// Attributes that say something by being there.
pub(super) fn flags(context: &Context, names: &[&'static str]) -> Vec<NamedAttribute> {
    names.iter().map(|name| (context.static_identifier(name), context.unit())).collect()
}

/// The operations that become calls, by their names.
pub(super) struct Calls {
    known: Vec<(String, Find)>,
    /// As names of a context, made when first asked for.
    named: OnceLock<HashMap<Identifier, usize>>,
}

impl Calls {
    pub(super) fn new(known: Vec<(String, Find)>) -> Self {
        Calls { known, named: OnceLock::new() }
    }

    fn find(&self, context: &Context, name: OperationName) -> Option<&Find> {
        let name_all = || self.known.iter().enumerate().map(|(at, known)| (context.identifier(&known.0), at)).collect();
        let at = *self.named.get_or_init(name_all).get(&context.operation_identifier(name))?;
        self.known.get(at).map(|known| &known.1)
    }

    /// Declares what a function will call at its start, and then what the operations in it will, each at the start of the block that the
    /// function is in.
    pub(super) fn declare(
        &self,
        rw: &mut Rw<'_, '_>,
        function: OpId,
        (at_start, state): (Option<Callee>, &State),
    ) -> Outcome {
        let Some(block) = rw.body().block_of(function) else { return Ok(()) };
        let mut callees: Vec<Callee> = at_start.into_iter().collect();
        if let Some(body) = rw.child_body(function)? {
            let (module, context) = (rw.module(), rw.context());
            let id = rw.body().region_body(function).unwrap_or(rw.body_id());
            for op in body.preorder() {
                let Some(find) = self.find(context, body.name(op)) else { continue };
                // What cannot be called is named by the error when its turn comes.
                callees.extend(find(rw, OpRef::new(module, id, body, op)).ok().flatten());
            }
        }
        for callee in callees {
            if state.declare(rw, block, callee.name)? {
                callee.declare(rw, block)?;
            }
        }
        Ok(())
    }
}

/// Makes a call.
pub(super) fn build_call(
    rw: &mut Rw<'_, '_>,
    convention: CConv,
    arguments: &[Value],
    result: Option<Type>,
    attributes: Vec<NamedAttribute>,
) -> Result<OpId, NoMatch> {
    let attributes = call_attributes(rw.context(), convention, attributes);
    let build = rw.build("llvm.call").operand_groups([arguments, &[]]).result_types(result);
    Ok(build.attributes(attributes).create()?)
}

/// The attributes of a call that has these, and what it has in any case.
pub(super) fn call_attributes(
    context: &Context,
    convention: CConv,
    mut attributes: Vec<NamedAttribute>,
) -> Vec<NamedAttribute> {
    let mut set = |name: &'static str, value| {
        let name = context.static_identifier(name);
        if attributes.iter().all(|given| given.0 != name) {
            attributes.push((name, value));
        }
    };
    set("CConv", calling_convention(context, convention));
    set("TailCallKind", tail_call_kind(context, TailCallKind::None));
    set("fastmathFlags", fast_math(context, FastmathFlags::NONE));
    set("op_bundle_sizes", dense_array(context, 32, []));
    attributes
}
