//! `async`: asynchronous execution.

mod assembly;

use std::ops::Range;
use std::sync::Arc;

use super::common::branches::{behind, into};
use super::common::values::{Part, Types};
use mlirbc_ir::interfaces::{Call, NamedCall, RegionBranch, RegionSuccessor};
use mlirbc_ir::{Context, Dialect, OpRef, Parameter, Result, Type};
use mlirbc_text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
};

/// The dialect's name.
const NAME: &str = "async";

/// Its types.
const TYPES: Types = Types(&[("group", &[]), ("token", &[]), ("value", &[Part::Type])]);

/// The type of what is in an asynchronous value. `None` where the type is another.
fn held(context: &Context, ty: Type) -> Option<Type> {
    match context.type_parameters(ty, NAME, "value")? {
        [Parameter::Type(held)] => Some(*held),
        _ => None,
    }
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("async"))
        .interface::<dyn Call>("call", Arc::new(NamedCall { callee: "callee", arguments: "operands" }))
        .interface::<dyn RegionBranch>("execute", Arc::new(Execute))
        .text(TYPES)
        .directive("AwaitResultType", AWAITED)
        .default_dialect("func")
}

/// Executes its region once, and hands over what that yields behind its first result.
struct Execute;

impl RegionBranch for Execute {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        if from.is_none() {
            return Ok(vec![into(op, 0, 0)]);
        }
        let RegionSuccessor { region, mut inputs } = behind(op);
        inputs.drain(..inputs.len().min(1));
        Ok(vec![RegionSuccessor { region, inputs }])
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        Ok(op.operand_ranges()?.into_iter().nth(1).unwrap_or_default())
    }

    fn takes(&self, context: &Context, handed: Type, taken: Type) -> bool {
        let value = |ty| held(context, ty).unwrap_or(ty);
        value(handed) == value(taken)
    }
}

/// The type of what is awaited, where that of the result is inside it.
const AWAITED: Directive = Directive::new(print_awaited, parse_awaited);

fn print_awaited(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let awaited = arguments.value(printer, 0)?;
    let results = arguments.values(printer, 1)?;
    let inner = results.first().map(|&result| printer.type_of(result)).transpose()?;
    if held(printer.context(), printer.type_of(awaited)?) != inner {
        return Err(NotCustom::UseGeneric);
    }
    printer.value_type(awaited)
}

fn parse_awaited<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let ty = parser.any_type()?;
    let inner = held(parser.context(), parser.resolved(ty)?);
    state.set_types(parser, 0, vec![ty])?;
    state.set_types(parser, 1, inner.into_iter().map(Into::into).collect())
}
