//! Whether an operation is as its definition says.

use std::ops::Range;

use super::validity::{TypedOpKey, VerifiedOps};
use super::{Checker, Scope, TermValue};
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::{Body, OpId, Value};
use crate::error::{Error, Result};
use crate::module::{Module, OpRef, foreign_properties, segment_sizes};
use crate::ods::OpDef;
use crate::ods::Release;
use crate::ods::Test;
use crate::ods::Traits;
use crate::ods::{Multiplicity, ValueDef};
use crate::path::Paths;
use crate::types::Type;

/// How many levels up a rule looks: nested deeper, the answer is not known, since a file must not cost more than its size.
pub(super) const LEVELS: usize = 256;

/// An operation and its definition, with what is asked about most.
pub(super) struct Operation<'m> {
    pub(super) op: OpRef<'m>,
    pub(super) definition: &'m OpDef,
    pub(super) operands: Vec<Type>,
    pub(super) results: Vec<Type>,
    pub(super) operand_ranges: Vec<Range<usize>>,
    result_ranges: Vec<Range<usize>>,
}

/// Checks what comes before the operations that one holds: discardable attributes, then its definition with its traits and interfaces,
/// then its own rules. Whether its attributes are known: what cannot be decoded breaks no rule.
pub(super) fn verify_first(checker: &Checker<'_>, op: OpRef<'_>, valid: &mut VerifiedOps) -> Result<bool> {
    // What has a key has neither regions nor successors.
    let key = TypedOpKey::of(op);
    if key.is_some_and(|key| valid.is_whole(&key)) {
        return Ok(true);
    }
    super::structure::placed(op)?;
    let context = checker.context;
    let (attributes, properties) = op.dictionaries()?;
    let mut asks_more = verify_discardable(checker, op, attributes)?;
    let is_opaque = |it: Attribute| matches!(context[it], AttributeData::Encoded(_));
    if attributes.into_iter().chain(properties).any(is_opaque) {
        return Ok(false);
    }
    let verifier = checker.verifier_of(op.operation_name());
    asks_more |= verifier.is_some();
    checker.mixes_signedness.set(verifier.as_ref().is_some_and(|verifier| verifier.mixes_signedness()));
    let result = valid.verify(checker, op, key);
    checker.mixes_signedness.set(false);
    unless_of_another_release(op, result)?;
    verify_arguments(checker, op)?;
    verifier.map_or(Ok(()), |verifier| verifier.operation(op))?;
    if let (Some(key), false) = (key, asks_more) {
        valid.note_whole(key);
    }
    Ok(true)
}

/// Checks what is asked of an operation once all that it holds has been checked.
pub(super) fn verify_last(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    unless_of_another_release(op, verify_regions(checker, op))?;
    checker.verifier_of(op.operation_name()).map_or(Ok(()), |verifier| verifier.regions(op))
}

/// The same, of what its definition and its name say.
pub(super) fn verify_regions(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(definition) = op.definition() else { return Ok(()) };
    super::structure::region_traits(op, definition)?;
    checker.brought(op.operation_name()).regions.map_or(Ok(()), |verify| verify(checker, op))
}

/// Checks the symbols that an operation uses, once all of its symbol table has been checked.
pub(super) fn verify_symbol_uses(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(verify) = checker.brought(op.operation_name()).symbol_uses else { return Ok(()) };
    checker.depends_on_context.set(true);
    verify(checker, op)
}

fn unless_of_another_release(op: OpRef<'_>, result: Result<()>) -> Result<()> {
    result.or_else(|error| if is_of_its_release(op) { Ok(()) } else { Err(error) })
}

/// Whether the file that the operation came from is of a release that defines the operation otherwise, which this build does
/// not know: nothing is wrong with it then.
#[cold]
fn is_of_its_release(op: OpRef<'_>) -> bool {
    let release = Release::of_producer(&op.module().info.producer).unwrap_or_default();
    // What is known of it without a definition is MLIR's; a definition is of another origin then.
    let undefined = op.module().context().undefined_operation(op.operation_name());
    undefined.is_some_and(|known| known.is_in(release))
        || op.definition().is_some_and(|definition| definition.is_another_in(release))
}

/// Checks what dialects say of discardable attributes named after them. Whether one was asked.
fn verify_discardable(checker: &Checker<'_>, op: OpRef<'_>, attributes: Option<Attribute>) -> Result<bool> {
    let context = checker.context;
    let mut asked = false;
    let Some(AttributeData::Dictionary(entries)) = attributes.map(|attributes| &context[attributes]) else {
        return Ok(asked);
    };
    for (name, value) in entries {
        let name = context.bytes(*name);
        if let Some(dot) = name.iter().position(|&byte| byte == b'.')
            && let Some(verifier) = checker.verifier(&name[..dot])
        {
            asked = true;
            verifier.attribute(op, name, *value)?;
        }
    }
    Ok(asked)
}

/// The same of those of a function's arguments.
fn verify_arguments(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    if op.has_trait(Traits::FUNCTION)
        && let Some(arguments) = op.attribute("arg_attrs")?
        && let AttributeData::Array(arguments) = &checker.context[arguments]
    {
        for &argument in arguments {
            verify_discardable(checker, op, Some(argument))?;
        }
    }
    Ok(())
}

/// Says of errors which operation they are about.
#[derive(Default)]
pub(super) struct Describe(Paths);

impl Describe {
    /// The same error with the operation's name and where it came from; where that is not known, where it is.
    pub(super) fn error(&mut self, op: OpRef<'_>, error: Error) -> Error {
        let context = op.module().context();
        let location = op.location().map(|location| location.attribute(context));
        let known = location.ok().filter(|&location| location != context.unknown_location());
        let place = match known.and_then(|location| crate::text::print_location(context, location).ok()) {
            Some(location) => location,
            None => self.0.path(op),
        };
        let at = if place.is_empty() { "" } else { " at " };
        error.reading(format!("`{}`{at}{place}", op.name()))
    }
}

fn wrong(message: impl Into<String>) -> Error {
    Error::verification(message)
}

pub(super) fn verify_definition(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(definition) = op.definition() else { return Ok(()) };
    // Properties that are encoded by hand cannot be looked into.
    if definition.traits.contains(Traits::OPAQUE_PROPERTIES) {
        return Ok(());
    }
    let context = checker.context;
    let fits = |properties| matches!(context[properties], AttributeData::Dictionary(_) | AttributeData::Encoded(_));
    if !op.dictionaries()?.1.is_none_or(fits) {
        return Err(wrong("its properties are no dictionary"));
    }
    let is_of_no_release = |name: &Identifier| definition.releases_with(&context.text(*name)).is_none();
    if let Some(name) = foreign_properties(op)?.into_iter().find(is_of_no_release) {
        return Err(wrong(format!("it has no property {}", Error::quoted(context.bytes(name)))));
    }
    let operation = Operation::new(op, definition)?;
    operation.counts()?;
    super::structure::structural_traits(checker, &operation)?;
    operation.attributes(checker)?;
    operation.values(checker, "operand", definition.operands(), &operation.operand_ranges, &operation.operands)?;
    operation.values(checker, "result", definition.results(), &operation.result_ranges, &operation.results)?;
    let scope = Scope { this: &TermValue::Operation(0), operation: Some(&operation), partial: None };
    for (number, rule) in definition.details().rules.iter().enumerate() {
        if checker.ask(rule, &scope) == Some(false) {
            return Err(wrong(format!("rule {number} of its definition does not hold: {rule}")));
        }
    }
    operation.regions(checker)?;
    super::structure::other_traits(checker, &operation)?;
    super::rules::verify_known(checker, &operation)
}

impl<'m> Operation<'m> {
    fn new(op: OpRef<'m>, definition: &'m OpDef) -> Result<Self> {
        let (body, module): (&Body, &Module) = (op.body(), op.module());
        let types = |values: &mut dyn Iterator<Item = Value>| -> Result<Vec<Type>> {
            values.map(|value| module.ty(body.ty(value))).collect()
        };
        Ok(Operation {
            operands: types(&mut op.operands().iter().copied())?,
            results: types(&mut op.results())?,
            operand_ranges: op.operand_ranges()?,
            result_ranges: op.result_ranges()?,
            op,
            definition,
        })
    }

    /// The operation's number in its body, and that body.
    pub(super) fn place(&self) -> (&'m Body, OpId) {
        (self.op.body(), self.op.id())
    }

    /// What a name of the definition stands for.
    pub(super) fn member(&self, name: &str) -> Option<TermValue> {
        let values = |definitions: &[ValueDef], ranges: &[Range<usize>], types: &[Type]| {
            let at = definitions.iter().position(|value| value.name == name)?;
            let types = types.get(ranges.get(at)?.clone())?;
            Some(match (&definitions[at].multiplicity, types) {
                (Multiplicity::One | Multiplicity::Optional, [ty]) => TermValue::Value(*ty),
                (Multiplicity::One | Multiplicity::Optional, _) => TermValue::Absent,
                _ => TermValue::List(types.iter().copied().map(TermValue::Value).collect()),
            })
        };
        if let Some(found) = values(self.definition.operands(), &self.operand_ranges, &self.operands) {
            return Some(found);
        }
        if let Some(found) = values(self.definition.results(), &self.result_ranges, &self.results) {
            return Some(found);
        }
        let attribute = self.definition.attributes().iter().find(|attribute| attribute.name == name);
        match (self.op.attribute(name).ok()?, attribute) {
            (Some(found), _) => Some(TermValue::Attribute(found)),
            // One that has a default is there, and is that.
            (None, Some(attribute)) if attribute.default.is_some() => None,
            (None, Some(_)) => Some(TermValue::Absent),
            (None, None) => None,
        }
    }

    /// Whether a test passes of the operation that so many levels above holds this one.
    pub(super) fn passes(&self, level: u32, test: Test) -> Option<bool> {
        let mut op = Some(self.op);
        for _ in 0..level {
            op = op.and_then(|op| op.parent_op().ok()?);
        }
        let Some(mut op) = op else { return Some(false) };
        for _ in 0..LEVELS {
            // An operation without a definition may be anything.
            let traits = op.definition()?.traits;
            match test {
                Test::IsSymbolTable => return Some(traits.contains(Traits::SYMBOL_TABLE)),
                Test::IsInsideFunction if traits.contains(Traits::FUNCTION) => return Some(true),
                Test::IsInsideGraph if is_graph(op)? => return Some(true),
                _ if traits.contains(Traits::SYMBOL_TABLE) => return Some(false),
                _ => match op.parent_op().ok()? {
                    Some(parent_op) => op = parent_op,
                    None => return Some(false),
                },
            }
        }
        None
    }

    fn values(
        &self,
        checker: &Checker<'_>,
        what: &str,
        definitions: &[ValueDef],
        ranges: &[Range<usize>],
        types: &[Type],
    ) -> Result<()> {
        for (definition, range) in definitions.iter().zip(ranges) {
            for (number, &ty) in types.iter().enumerate().skip(range.start).take(range.len()) {
                if checker.constraint_fits(&definition.constraint, ty) == Some(false) {
                    let ty = crate::text::show_type(checker.context, ty);
                    let wanted = &definition.constraint;
                    let wanted =
                        if wanted.name.is_empty() { wanted.predicate.to_string() } else { wanted.name.clone() };
                    return Err(wrong(format!("{what} {number} is of type `{ty}`, which is not {wanted}")));
                }
            }
            if let Multiplicity::Groups(name) = &definition.multiplicity {
                self.groups(name, range.len())?;
            }
        }
        Ok(())
    }

    /// The lengths of groups must add up.
    fn groups(&self, name: &str, count: usize) -> Result<()> {
        let lengths = segment_sizes(self.op, name)?.ok_or_else(|| wrong(format!("`{name}` is missing")))?;
        let sum = lengths.iter().try_fold(0usize, |sum, &length| sum.checked_add(usize::try_from(length).ok()?));
        if sum == Some(count) {
            Ok(())
        } else {
            Err(wrong(format!("`{name}` does not add up to {}", Error::counted(count, "operand"))))
        }
    }

    fn attributes(&self, checker: &Checker<'_>) -> Result<()> {
        let shown = |attribute: Attribute| crate::text::show_attribute(checker.context, attribute);
        for definition in self.definition.attributes() {
            let name = &definition.name;
            let Some(attribute) = self.op.attribute(name)? else {
                if !definition.optional && definition.default.is_none() {
                    return Err(wrong(format!("attribute `{name}` is missing")));
                }
                continue;
            };
            if checker.attribute_fits(&definition.constraint.predicate, attribute) == Some(false) {
                let wanted = &definition.constraint;
                let wanted = if wanted.name.is_empty() { wanted.predicate.to_string() } else { wanted.name.clone() };
                return Err(wrong(format!("attribute `{name}` is `{}`, which is not {wanted}", shown(attribute))));
            }
        }
        for definition in self.definition.natives() {
            let name = &definition.name;
            let Some(attribute) = self.op.attribute(name)? else { continue };
            if checker.attribute_fits(&definition.predicate, attribute) == Some(false) {
                return Err(wrong(format!("property `{name}` cannot be `{}`", shown(attribute))));
            }
            if let Some(native) = &definition.native
                && checker.context.normalized(native, attribute).is_none()
            {
                return Err(wrong(format!("property `{name}` cannot be `{}`", shown(attribute))));
            }
        }
        Ok(())
    }

    /// There are as many regions and successors as the definition says.
    fn counts(&self) -> Result<()> {
        let (body, op) = self.place();
        let regions = self.definition.regions();
        let variadic = regions.last().is_some_and(|region| region.variadic);
        expect_count("region", body.region_count_of(op), regions.len() - usize::from(variadic), variadic)?;
        let successors = self.definition.successors();
        let variadic = successors.iter().filter(|successor| successor.variadic).count();
        expect_count("successor", body.successors(op).len(), successors.len() - variadic, variadic > 0)
    }

    /// The regions have as many blocks as the definition says.
    fn regions(&self, checker: &Checker<'_>) -> Result<()> {
        let (body, op) = self.place();
        let count = body.region_count_of(op);
        if count == 0 {
            return Ok(());
        }
        let regions = self.definition.regions();
        let (_, inside, numbers) = self.op.region_tree()?;
        for number in 0..count {
            let Some(definition) = regions.get(number).or(regions.last()) else { continue };
            // Isolated regions that are all empty may have no body.
            let blocks = numbers.get(number).map_or(0, |&region| inside.blocks(region).count());
            if checker.region_fits(&definition.predicate, blocks) == Some(false) {
                return Err(wrong(format!("region {number} cannot have {}", Error::counted(blocks, "block"))));
            }
        }
        Ok(())
    }
}

fn expect_count(what: &str, found: usize, wanted: usize, or_more: bool) -> Result<()> {
    if found == wanted || found > wanted && or_more {
        return Ok(());
    }
    let more = if or_more { " or more" } else { "" };
    Err(wrong(format!("{} where there must be {wanted}{more}", Error::counted(found, what))))
}

/// Whether the rules of its dialect say that the operation is a graph. `None` where the dialect has none.
fn is_graph(op: OpRef<'_>) -> Option<bool> {
    let context = op.module().context();
    let dialect = context.bytes(context.operation_dialect(op.operation_name()));
    let dialect = context.dialect(std::str::from_utf8(dialect).ok()?)?;
    Some(dialect.verifier()?.is_graph(op))
}
