//! Rules that several dialects share and no op definition says: calls, branches, returns and symbols, where what one operation
//! holds must fit another. In MLIR they are C++.
//!
//! A dialect gives them to its operations with [`Dialect::verify_op`](crate::Dialect::verify_op), and those of calls with
//! [`Dialect::verify_symbol_uses`](crate::Dialect::verify_symbol_uses).

use std::fmt::Display;

use super::checker::{Checker, Named};
use super::hooks::LooksAt;
use super::scope::LEVELS;
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;
use crate::error::{Error, Result};
use crate::interfaces::all_successor_operands;
use crate::module::{Inside, OpRef, Symbols};
use crate::ods::{OpDef, Traits};
use crate::types::{Type, TypeData};

fn wrong(message: impl Into<String>) -> Error {
    Error::verification(message)
}

/// Checks what interfaces and the operation's own verifier say.
pub(super) fn verify_known(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    inside: Option<Inside<'_>>,
    known: &Named,
    definition: &OpDef,
) -> Result<()> {
    if let Some(inside) = inside
        && definition.traits.contains(Traits::FUNCTION)
        && known.brought.function_arguments
    {
        function(checker, op, inside)?;
    }
    branch(checker, op)?;
    known.brought.verify.map_or(Ok(()), |verify| verify(checker, op))
}

/// Whether these look at more than the operation itself.
pub(super) fn knows_more(op: OpRef<'_>, known: &Named, definition: &OpDef) -> bool {
    let brought = &known.brought;
    let is_function = definition.traits.contains(Traits::FUNCTION) && brought.function_arguments;
    is_function || brought.looks_at == LooksAt::Anything || !op.body().successors(op.id()).is_empty()
}

impl Checker<'_> {
    /// Fails where the types are others than those that are wanted; what cannot be told is taken to be right.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), which says `what` they are of.
    pub fn expect_types(&self, what: impl Display, found: &[Type], wanted: &[Type]) -> Result<()> {
        let differ = |(left, right): (&Type, &Type)| self.same_type(*left, *right) == Some(false);
        if found.len() == wanted.len() && !found.iter().zip(wanted).any(differ) {
            return Ok(());
        }
        Err(self.unexpected_types(what, found, wanted))
    }

    /// As [`Checker::expect_types`], of the types of values of an operation's body.
    ///
    /// # Errors
    /// In the same way, and where one of the types cannot be decoded.
    pub fn expect_types_of<V>(&self, what: impl Display, op: OpRef<'_>, values: V, wanted: &[Type]) -> Result<()>
    where
        V: IntoIterator<Item = Value, IntoIter: ExactSizeIterator + Clone>,
    {
        let values = values.into_iter();
        let mut fit = values.len() == wanted.len();
        for (value, &wanted) in values.clone().zip(wanted) {
            fit &= self.same_type(op.type_of(value)?, wanted) != Some(false);
        }
        if fit { Ok(()) } else { self.expect_types(what, &types_of(op, values)?, wanted) }
    }

    #[cold]
    fn unexpected_types(&self, what: impl Display, found: &[Type], wanted: &[Type]) -> Error {
        let shown = |types: &[Type]| {
            let shown = types.iter().map(|ty| self.context.show(*ty).to_string());
            shown.collect::<Vec<_>>().join(", ")
        };
        wrong(format!("{what} are ({}) where they must be ({})", shown(found), shown(wanted)))
    }
}

/// The inputs and results that the attribute `function_type` says, where it is a builtin function type.
///
/// # Errors
/// Where the attribute cannot be decoded.
pub fn signature<'c>(checker: &Checker<'c>, op: OpRef<'_>) -> Result<Option<(&'c [Type], &'c [Type])>> {
    // What returns from a function asks for the same as the function.
    let place = (op.body_id(), op.id());
    match checker.signature.get() {
        Some((of, known)) if of == place => Ok(known),
        _ => {
            let ty = op.static_attribute("function_type")?.map(|attribute| &checker.context[attribute]);
            let ty = match ty {
                Some(AttributeData::Type(ty)) => Some(&checker.context[*ty]),
                _ => None,
            };
            let found = match ty {
                Some(TypeData::Function { inputs, results }) => Some((&**inputs, &**results)),
                _ => None,
            };
            checker.signature.set(Some((place, found)));
            Ok(found)
        }
    }
}

/// The types of values of an operation's body.
///
/// # Errors
/// Where one cannot be decoded.
pub fn types_of(op: OpRef<'_>, values: impl IntoIterator<Item = Value>) -> Result<Vec<Type>> {
    values.into_iter().map(|value| op.type_of(value)).collect()
}

/// The arguments of a function's first block are those of its type.
fn function(checker: &Checker<'_>, op: OpRef<'_>, inside: Inside<'_>) -> Result<()> {
    let Some((inputs, _)) = signature(checker, op)? else { return Ok(()) };
    let body = inside.body;
    let Some(entry) = inside.region(0).and_then(|region| body.first_block(region)) else { return Ok(()) };
    let Some(any) = body.first_operation(entry) else { return Ok(()) };
    let any = OpRef::new(op.module(), inside.id, body, any);
    let arguments = body.arguments(entry).iter().copied();
    checker.expect_types_of("the arguments of the first block", any, arguments, inputs)
}

/// What goes to each successor fits the arguments of that block.
fn branch(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let (body, id) = (op.body(), op.id());
    if body.successors(id).is_empty() {
        return Ok(());
    }
    let given = all_successor_operands(op)?;
    for (number, (block, given)) in body.successors(id).iter().zip(given).enumerate() {
        let Some(given) = given else { continue };
        let arguments = body.arguments(*block).get(given.produced..).unwrap_or_default();
        let forwarded = body.operands(id).get(given.forwarded).unwrap_or_default();
        if arguments.is_empty() && forwarded.is_empty() {
            continue;
        }
        let arguments = types_of(op, arguments.iter().copied())?;
        let what = format_args!("the operands for successor {number}");
        checker.expect_types_of(what, op, forwarded.iter().copied(), &arguments)?;
    }
    Ok(())
}

/// What is returned is what the function that holds the operation says.
///
/// # Errors
/// Where it is something else.
pub fn returns_from_function(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(function) = op.parent_op()? else { return Ok(()) };
    match signature(checker, function)? {
        Some((_, results)) => {
            checker.expect_types_of("the returned values", op, op.operands().iter().copied(), results)
        }
        None => Ok(()),
    }
}

/// What is returned is what the nearest function around says, where that is of the same dialect: a return may stand inside other operations
/// of its function.
///
/// # Errors
/// Where it is something else.
pub fn returns_from_nearest_function(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let returned = types_of(op, op.operands().iter().copied())?;
    let mut parent_op = op.parent_op()?;
    for _ in 0..LEVELS {
        let Some(parent) = parent_op else { break };
        if parent.has_trait(Traits::FUNCTION) {
            let alike = parent.name().split('.').next() == op.name().split('.').next();
            return match signature(checker, parent)?.filter(|_| alike) {
                Some((_, results)) => checker.expect_types("the returned values", &returned, results),
                None => Ok(()),
            };
        }
        parent_op = parent.parent_op()?;
    }
    Ok(())
}

/// The symbol in `callee` is a function that takes the operands and gives the results.
///
/// # Errors
/// Where it is none, or not defined.
pub fn call(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(callee) = op.static_attribute("callee")? else { return Ok(()) };
    match resolve(checker, op, callee)? {
        Resolved::Symbol(function) if function.has_trait(Traits::FUNCTION) => {
            let Some((inputs, results)) = signature(checker, function)? else { return Ok(()) };
            checker.expect_types_of("the arguments of the call", op, op.operands().iter().copied(), inputs)?;
            checker.expect_types_of("the results of the call", op, op.results(), results)
        }
        Resolved::Symbol(other) => match other.definition() {
            Some(_) => Err(wrong(format!("the callee is `{}`, which is no function", other.name()))),
            None => Ok(()),
        },
        Resolved::Missing => Err(wrong("the callee is not defined")),
        Resolved::Unknown => Ok(()),
    }
}

/// The symbol that an attribute names is defined by an operation of this name.
///
/// # Errors
/// Where it is not.
pub fn refers_to(checker: &Checker<'_>, op: OpRef<'_>, attribute: &str, wanted: &str) -> Result<()> {
    let Some(symbol) = op.attribute(attribute)? else { return Ok(()) };
    match resolve(checker, op, symbol)? {
        Resolved::Symbol(op) if op.name() != wanted => {
            Err(wrong(format!("`{attribute}` names `{}`, not `{wanted}`", op.name())))
        }
        Resolved::Missing => Err(wrong(format!("`{attribute}` is not defined"))),
        _ => Ok(()),
    }
}

enum Resolved<'m> {
    Symbol(OpRef<'m>),
    Missing,
    Unknown,
}

/// What a reference that is not nested stands for, seen from an operation: the symbol of the nearest symbol table.
fn resolve<'m>(checker: &Checker<'_>, from: OpRef<'m>, reference: Attribute) -> Result<Resolved<'m>> {
    let AttributeData::SymbolRef { root, nested } = &checker.context[reference] else { return Ok(Resolved::Unknown) };
    if !nested.is_empty() {
        return Ok(Resolved::Unknown);
    }
    let mut parent_op = from.parent_op()?;
    for _ in 0..LEVELS {
        let Some(op) = parent_op else { break };
        // An operation without a definition may be a symbol table.
        let Some(definition) = op.definition() else { return Ok(Resolved::Unknown) };
        if definition.traits.contains(Traits::SYMBOL_TABLE) {
            let key = (op.body_id(), op.id());
            let known = checker.symbols.borrow().get(&key).map(|symbols| symbols.get(*root));
            let found = match known {
                Some(found) => found,
                None => {
                    let symbols = Symbols::of(op.module(), op.inside()?)?;
                    let found = symbols.get(*root);
                    checker.symbols.borrow_mut().insert(key, symbols);
                    found
                }
            };
            return Ok(match found {
                Some((body, op)) => Resolved::Symbol(from.module().operation(body, op)?),
                None => Resolved::Missing,
            });
        }
        parent_op = op.parent_op()?;
    }
    Ok(Resolved::Unknown)
}

/// What is yielded are the results of the operation that holds it, where it is one of these.
///
/// # Errors
/// Where it is something else.
pub fn yields_results_of(checker: &Checker<'_>, op: OpRef<'_>, holders: &[&str]) -> Result<()> {
    let Some(parent_op) = op.parent_op()? else { return Ok(()) };
    if !holders.contains(&&*parent_op.name()) {
        return Ok(());
    }
    let results = types_of(parent_op, parent_op.results())?;
    checker.expect_types("the yielded values", &types_of(op, op.operands().iter().copied())?, &results)
}

/// The operands of that name are the sizes that the type of the first result does not say.
///
/// # Errors
/// Where there are more or fewer.
pub fn sizes_of_result(checker: &Checker<'_>, op: OpRef<'_>, operands: &str) -> Result<()> {
    let Some(result) = op.results().next() else { return Ok(()) };
    let Some(shape) = checker.context[op.type_of(result)?].shape() else { return Ok(()) };
    let wanted = shape.iter().filter(|&&size| size == crate::types::DYNAMIC).count();
    let found = op.operands_named(operands)?.len();
    if found == wanted {
        Ok(())
    } else {
        Err(wrong(format!("{} where there must be {wanted}", Error::counted(found, "dynamic size"))))
    }
}
