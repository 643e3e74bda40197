//! Whether an operation is as its definition says.

use std::cell::Cell;
use std::ops::Range;

use super::checker::{Checker, Named};
use super::known::{Known, MemberId};
use super::scope::{Operation, Scope, TermValue, passes};
use super::{control_flow, rules, structure};
use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute};
use crate::error::{Error, Result};
use crate::module::{Inside, OpRef, foreign_entries, segment_sizes};
use crate::ods::{Multiplicity, OpDef, Traits, ValueDef};
use crate::path::Paths;
use crate::types::Type;

/// Checks what its definition and its name say of an operation, once all that it holds has been checked.
pub(super) fn verify_regions(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    inside: Option<Inside<'_>>,
    known: &Named,
) -> Result<()> {
    let Some(definition) = &known.definition else { return Ok(()) };
    structure::region_traits(checker, op, inside, definition)?;
    control_flow::region_edges(checker, op)?;
    known.brought.regions.map_or(Ok(()), |verify| verify(checker, op))
}

/// Checks the symbols that an operation uses, once all of its symbol table has been checked.
pub(super) fn verify_symbol_uses(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(verify) = checker.known(op.operation_name()).brought.symbol_uses else { return Ok(()) };
    checker.depends_on_context.set(true);
    verify(checker, op)
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

    /// Reports what is wrong with an operation; whether nothing is.
    #[inline]
    pub(super) fn reported(
        &mut self,
        op: OpRef<'_>,
        result: Result<()>,
        report: &mut dyn FnMut(Error),
    ) -> Result<bool> {
        let Err(error) = result else { return Ok(true) };
        match self.error(op, error) {
            error if error.kind() == crate::ErrorKind::Verification => {
                report(error);
                Ok(false)
            }
            error => Err(error),
        }
    }
}

fn wrong(message: impl Into<String>) -> Error {
    Error::verification(message)
}

/// The discardable attributes and the properties of an operation, as [`OpRef::dictionaries`] gives them.
pub(super) type Dictionaries = (Option<Attribute>, Option<Attribute>);

/// Checks an operation against its definition. Whether all that was asked, up to [`verify_in_place`], is about the operation alone.
pub(super) fn verify_definition(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    inside: Option<Inside<'_>>,
    known: &Named,
    dictionaries: Dictionaries,
) -> Result<bool> {
    checker.depends_on_context.set(false);
    let Some(definition) = known.definition.as_deref() else { return Ok(true) };
    // Properties that are encoded by hand cannot be looked into.
    if definition.traits.contains(Traits::OPAQUE_PROPERTIES) {
        return Ok(true);
    }
    let context = checker.context;
    match dictionaries.1.map(|properties| &context[properties]) {
        None | Some(AttributeData::Encoded(_)) => {}
        Some(AttributeData::Dictionary(entries)) => {
            let is_of_no_release = |name: &Identifier| definition.releases_with(&context.text(*name)).is_none();
            if !entries.iter().all(|entry| known.has_property(entry.0))
                && let Some(name) = foreign_entries(context, definition, entries).find(is_of_no_release)
            {
                return Err(wrong(format!("it has no property {}", Error::quoted(context.bytes(name)))));
            }
        }
        Some(_) => return Err(wrong("its properties are no dictionary")),
    }
    let operation = Operation::new(op, definition, dictionaries, checker.lists.take())?;
    operation.counts()?;
    let parent_op = if asks_parent(known, definition) { op.parent_op()? } else { None };
    structure::parents(parent_op, definition)?;
    structure::regions(inside, definition.traits)?;
    operation.attributes(checker, known)?;
    let lists = &operation.lists;
    let operands = definition.operands().iter().zip(&known.operands);
    operation.values((checker, known), "operand", operands, &lists.operand_ranges, &lists.operands)?;
    let results = definition.results().iter().zip(&known.results);
    operation.values((checker, known), "result", results, &lists.result_ranges, &lists.results)?;
    let scope = Scope { this: &TermValue::Operation(0), operation: Some(&operation), partial: None };
    let mut of_place = known.place_rules.iter().peekable();
    for (number, rule) in definition.details().rules.iter().enumerate() {
        let holds = match of_place.next_if(|rule| rule.number == number) {
            Some(rule) => passes(op, parent_op, rule.level, rule.test),
            None => checker.ask(rule, &scope),
        };
        if holds == Some(false) {
            return Err(broken(definition, number));
        }
    }
    let is_alone = !checker.depends_on_context.get();
    regions(checker, inside, known, definition)?;
    structure::is_last(op, definition)?;
    structure::types(checker, &operation, definition.traits)?;
    structure::symbol(checker, known, parent_op, |name| operation.attribute_named(context.static_identifier(name)))?;
    checker.lists.set(operation.lists);
    rules::verify_known(checker, op, inside, known, definition)?;
    if asks_about_place(op, inside, known, definition) {
        checker.depends_on_context.set(true);
    }
    Ok(is_alone)
}

/// A rule of a definition that an operation breaks.
#[cold]
fn broken(definition: &OpDef, number: usize) -> Error {
    match definition.details().rules.get(number) {
        Some(rule) => wrong(format!("rule {number} of its definition does not hold: {rule}")),
        None => wrong(format!("rule {number} of its definition does not hold")),
    }
}

/// Checks of an operation that is otherwise known to be as its definition says what is asked about where it stands and what it holds, and
/// by its dialect, in the same order.
pub(super) fn verify_in_place(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    inside: Option<Inside<'_>>,
    known: &Named,
    (attributes, properties): Dictionaries,
) -> Result<()> {
    let Some(definition) = known.definition.as_deref() else { return Ok(()) };
    let parent_op = if asks_parent(known, definition) { op.parent_op()? } else { None };
    structure::parents(parent_op, definition)?;
    structure::regions(inside, definition.traits)?;
    for rule in &known.place_rules {
        if passes(op, parent_op, rule.level, rule.test) == Some(false) {
            return Err(broken(definition, rule.number));
        }
    }
    regions(checker, inside, known, definition)?;
    structure::is_last(op, definition)?;
    let context = checker.context;
    structure::symbol(checker, known, parent_op, |name| {
        let name = context.static_identifier(name);
        [properties, attributes].into_iter().flatten().find_map(|dictionary| match &context[dictionary] {
            AttributeData::Dictionary(entries) => entries.iter().find(|entry| entry.0 == name).map(|entry| entry.1),
            _ => None,
        })
    })?;
    rules::verify_known(checker, op, inside, known, definition)
}

/// Whether anything is asked about what holds an operation.
fn asks_parent(known: &Named, definition: &OpDef) -> bool {
    !definition.parents.is_empty() || !known.place_rules.is_empty() || definition.traits.contains(Traits::SYMBOL)
}

/// Whether there is anything to check in place.
fn asks_about_place(op: OpRef<'_>, inside: Option<Inside<'_>>, known: &Named, definition: &OpDef) -> bool {
    definition.traits.contains(Traits::TERMINATOR)
        || inside.is_some()
        || asks_parent(known, definition)
        || rules::knows_more(op, known, definition)
}

/// The regions have as many blocks as the definition says.
fn regions(checker: &Checker<'_>, inside: Option<Inside<'_>>, known: &Known, definition: &OpDef) -> Result<()> {
    let Some(inside) = inside.filter(|_| !known.takes_any_region) else { return Ok(()) };
    let definitions = definition.regions();
    for number in 0..inside.with_empty() {
        let Some(wanted) = definitions.get(number).or(definitions.last()) else { continue };
        // Isolated regions that are all empty may have no body.
        let blocks = inside.region(number).map_or(0, |region| inside.body.blocks(region).count());
        let fits = known.regions.get(number.min(definitions.len() - 1));
        if fits.is_some_and(|fits| fits.get() == Some(blocks)) {
            continue;
        }
        if checker.region_fits(&wanted.predicate, blocks) == Some(false) {
            return Err(wrong(format!("region {number} cannot have {}", Error::counted(blocks, "block"))));
        }
        if let Some(fits) = fits {
            fits.set(Some(blocks));
        }
    }
    Ok(())
}

impl Operation<'_> {
    /// Checks operands or results. With each definition comes the type that was last found to fit it.
    fn values<'d>(
        &self,
        (checker, known): (&Checker<'_>, &Named),
        what: &str,
        definitions: impl Iterator<Item = (&'d ValueDef, &'d Cell<Option<Type>>)>,
        ranges: &[Range<usize>],
        types: &[Type],
    ) -> Result<()> {
        for ((definition, fits), range) in definitions.zip(ranges) {
            for (number, &ty) in types.iter().enumerate().skip(range.start).take(range.len()) {
                if fits.get() == Some(ty) {
                    continue;
                }
                let misfits = |ty| checker.constraint_fits(&definition.constraint, ty) == Some(false);
                if misfits(ty)
                    && checker.without_sign(ty).is_none_or(misfits)
                    && !known.takes(checker.context, &definition.constraint.name, ty)
                {
                    let ty = checker.context.show(ty);
                    let wanted = &definition.constraint;
                    let wanted =
                        if wanted.name.is_empty() { wanted.predicate.to_string() } else { wanted.name.clone() };
                    return Err(wrong(format!("{what} {number} is of type `{ty}`, which is not {wanted}")));
                }
                fits.set(Some(ty));
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
        let sum = lengths.iter().try_fold(0usize, |sum, length| sum.checked_add(usize::try_from(length).ok()?));
        if sum == Some(count) {
            Ok(())
        } else {
            Err(wrong(format!("`{name}` does not add up to {}", Error::counted(count, "operand"))))
        }
    }

    /// Whether an attribute or property can be that.
    fn fits(&self, checker: &Checker<'_>, known: &Known, id: MemberId, value: Attribute) -> bool {
        let member = known.member(id);
        if member.is_known_to_fit(value) {
            return true;
        }
        let fits = match id {
            MemberId::Attribute(at) => {
                let predicate = &self.definition.attributes()[at].constraint.predicate;
                checker.attribute_fits(predicate, value) != Some(false)
            }
            MemberId::Native(at) => {
                let definition = &self.definition.natives()[at];
                let is_one = |native| checker.context.normalized(native, value).is_some();
                checker.attribute_fits(&definition.predicate, value) != Some(false)
                    && definition.native.as_ref().is_none_or(is_one)
            }
        };
        if fits {
            member.note_fit(value);
        }
        fits
    }

    fn attributes(&self, checker: &Checker<'_>, known: &Known) -> Result<()> {
        // Of what a definition has, most operations have little.
        let is_right = |entry: &NamedAttribute| {
            known.member_named(entry.0).is_none_or(|id| self.fits(checker, known, id, entry.1))
        };
        let is_given = |name: &Identifier| self.attribute_named(*name).is_some();
        if known.required.iter().all(is_given) && self.entries().all(is_right) {
            return Ok(());
        }
        // What is wrong is told in the order of the definition.
        let shown = |attribute: Attribute| checker.context.show(attribute);
        for (at, definition) in self.definition.attributes().iter().enumerate() {
            let (id, name) = (MemberId::Attribute(at), &definition.name);
            match self.attribute_named(known.member(id).name) {
                None if !definition.optional && definition.default.is_none() => {
                    return Err(wrong(format!("attribute `{name}` is missing")));
                }
                Some(attribute) if !self.fits(checker, known, id, attribute) => {
                    let wanted = &definition.constraint;
                    let wanted =
                        if wanted.name.is_empty() { wanted.predicate.to_string() } else { wanted.name.clone() };
                    return Err(wrong(format!("attribute `{name}` is `{}`, which is not {wanted}", shown(attribute))));
                }
                _ => {}
            }
        }
        for (at, definition) in self.definition.natives().iter().enumerate() {
            let id = MemberId::Native(at);
            if let Some(attribute) = self.attribute_named(known.member(id).name)
                && !self.fits(checker, known, id, attribute)
            {
                return Err(wrong(format!("property `{}` cannot be `{}`", definition.name, shown(attribute))));
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
}

fn expect_count(what: &str, found: usize, wanted: usize, or_more: bool) -> Result<()> {
    if found == wanted || found > wanted && or_more {
        return Ok(());
    }
    let more = if or_more { " or more" } else { "" };
    Err(wrong(format!("{} where there must be {wanted}{more}", Error::counted(found, what))))
}
