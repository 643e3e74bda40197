//! The types of operands and results that are not given: text leaves them out, or an operation is made without them.

use super::checker::Checker;
use super::scope::PartialOp;
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::ods::{Accessor, Multiplicity, OpDef, Predicate, Relation, Term, Traits, ValueDef};
use crate::types::Type;

/// What is known of the types of an operation that is being made: by operand and result of its definition.
#[derive(Clone, Debug, Default)]
pub struct OpTypes {
    /// How many operands each stands for.
    pub counts: Vec<usize>,
    /// The types of operands, where they are known.
    pub operands: Vec<Option<Vec<Type>>>,
    /// The types of results, where they are known.
    pub results: Vec<Option<Vec<Type>>>,
    /// How many results the operation is known to have, such as those that text names.
    pub named: usize,
    /// The attributes of the definition that the operation has; filled in before code is asked.
    pub attributes: Vec<Option<Attribute>>,
}

impl OpTypes {
    /// The types of an operand of the definition, as many as it stands for. `None` where they are not known yet.
    pub fn operand(&self, number: usize) -> Option<&[Type]> {
        self.operands.get(number)?.as_deref()
    }

    /// The types of a result of the definition. `None` where they are not known yet.
    pub fn result(&self, number: usize) -> Option<&[Type]> {
        self.results.get(number)?.as_deref()
    }

    /// How many results the operation is known to have.
    pub fn named_results(&self) -> usize {
        self.named
    }

    /// The attribute of that number in the definition, where the operation has it.
    pub fn attribute(&self, number: usize) -> Option<Attribute> {
        *self.attributes.get(number)?
    }

    /// Sets the type of each of the values that an operand stands for, where it is not known yet.
    pub fn set_operand(&mut self, number: usize, ty: Type) {
        if let (Some(types @ None), Some(&count)) = (self.operands.get_mut(number), self.counts.get(number)) {
            *types = Some(vec![ty; count]);
        }
    }

    /// Sets the types of a result, where they are not known yet.
    pub fn set_result(&mut self, number: usize, of: impl IntoIterator<Item = Type>) {
        if let Some(types @ None) = self.results.get_mut(number) {
            *types = Some(of.into_iter().collect());
        }
    }
}

/// Fills in types of operands and results that text leaves out, or that a builder is not given, and the definition does not say.
pub type InferTypesFn = fn(&Context, &mut OpTypes);

/// The code of its dialect that finds types of an operation: see [`Dialect::infer_types`](crate::Dialect::infer_types).
#[doc(hidden)]
pub fn type_inference(context: &Context, definition: &OpDef) -> Option<InferTypesFn> {
    let (dialect, rest) = definition.name.split_once('.')?;
    context.dialect(dialect)?.type_inference(rest)
}

/// Finds the types that are not given, as far as the definition says them, or the [code](type_inference) that its dialect brings: for a
/// parser or builder, which makes them so, and for a printer, which asks whether that is what they are. `find` gives the attributes of
/// the operation.
pub fn infer_types(
    checker: &Checker<'_>,
    definition: &OpDef,
    code: Option<InferTypesFn>,
    known: &mut OpTypes,
    find: &dyn Fn(&str) -> Option<Attribute>,
) {
    let rules = &definition.details().rules;
    // Each round finds one more at least.
    let rounds = known.operands.len() + known.results.len() + 1;
    for _ in 0..rounds {
        let before = missing(known);
        if before == 0 {
            return;
        }
        buildable(checker, definition, known);
        traits(checker.context(), definition, known, find);
        for rule in rules {
            self::rule(checker, definition, rule, known, find);
        }
        if missing(known) == before {
            break;
        }
    }
    if let Some(infer) = code {
        known.attributes = definition.attributes().iter().map(|attribute| find(&attribute.name)).collect();
        infer(checker.context(), known);
    }
    // An operand group without operands has no types.
    for (types, &count) in known.operands.iter_mut().zip(&known.counts) {
        if count == 0 && types.is_none() {
            *types = Some(Vec::new());
        }
    }
    for (types, definition) in known.results.iter_mut().zip(definition.results()) {
        if types.is_none() && definition.multiplicity != Multiplicity::One {
            *types = Some(Vec::new());
        }
    }
}

fn missing(known: &OpTypes) -> usize {
    known.operands.iter().chain(&known.results).filter(|types| types.is_none()).count()
}

/// Types that are the only ones to fit.
fn buildable(checker: &Checker<'_>, definition: &OpDef, known: &mut OpTypes) {
    let only = |value: &ValueDef| value.constraint.only.as_ref().and_then(|term| checker.type_of(term));
    for ((value, types), &count) in definition.operands().iter().zip(&mut known.operands).zip(&known.counts) {
        if types.is_none()
            && let Some(ty) = only(value)
        {
            *types = Some(vec![ty; count]);
        }
    }
    for (value, types) in definition.results().iter().zip(&mut known.results) {
        if types.is_none()
            && value.multiplicity == Multiplicity::One
            && let Some(ty) = only(value)
        {
            *types = Some(vec![ty]);
        }
    }
}

fn traits(context: &Context, definition: &OpDef, known: &mut OpTypes, find: &dyn Fn(&str) -> Option<Attribute>) {
    let first = |types: &[Option<Vec<Type>>]| types.iter().flatten().flatten().next().copied();
    let operands_alike = |known: &mut OpTypes, ty: Type| {
        for (types, &count) in known.operands.iter_mut().zip(&known.counts) {
            types.get_or_insert_with(|| vec![ty; count]);
        }
    };
    let results_alike = |known: &mut OpTypes, ty: Type| {
        for (types, value) in known.results.iter_mut().zip(definition.results()) {
            if value.multiplicity == Multiplicity::One {
                types.get_or_insert_with(|| vec![ty]);
            }
        }
    };
    if definition.traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE)
        && let Some(ty) = first(&known.operands).or_else(|| first(&known.results))
    {
        operands_alike(known, ty);
        results_alike(known, ty);
    }
    if definition.traits.contains(Traits::SAME_TYPE_OPERANDS)
        && let Some(ty) = first(&known.operands)
    {
        operands_alike(known, ty);
    }
    if definition.traits.contains(Traits::FIRST_ATTRIBUTE_RESULT_TYPE)
        && let Some(attribute) = definition.attributes().first().and_then(|attribute| find(&attribute.name))
    {
        let ty = match &context[attribute] {
            AttributeData::Type(ty) => Some(*ty),
            data => data.ty(),
        };
        if let Some(ty) = ty {
            results_alike(known, ty);
        }
    }
}

/// Takes from a rule that two terms are equal what one of them must be.
fn rule(
    checker: &Checker<'_>,
    definition: &OpDef,
    rule: &Predicate,
    known: &mut OpTypes,
    find: &dyn Fn(&str) -> Option<Attribute>,
) {
    match rule {
        Predicate::All(of) | Predicate::Any(of) => {
            of.iter().for_each(|each| self::rule(checker, definition, each, known, find))
        }
        // Each value of a variadic one.
        Predicate::Each(Term::Get(of, Accessor::Type), each) => {
            let (Term::Member(name), Predicate::Compare(Term::This, Relation::Equal, other)) = (&**of, &**each) else {
                return;
            };
            let Some(at) = definition.operands().iter().position(|value| value.name == *name) else { return };
            if known.operands[at].is_some() {
                return;
            }
            let partial =
                PartialOp { definition, operands: &known.operands, results: &known.results, attributes: find };
            if let Some([ty]) = checker.types_of(other, &partial).as_deref() {
                known.operands[at] = Some(vec![*ty; known.counts[at]]);
            }
        }
        Predicate::Compare(left, Relation::Equal, right) => {
            for (wanted, other) in [(left, right), (right, left)] {
                let Term::Get(of, Accessor::Type) = wanted else { continue };
                let Term::Member(name) = &**of else { continue };
                let operand = definition.operands().iter().position(|value| value.name == *name);
                let result = definition.results().iter().position(|value| value.name == *name);
                let (is_known, count) = match (operand, result) {
                    (Some(at), _) => (known.operands[at].is_some(), known.counts[at]),
                    (None, Some(at)) => (known.results[at].is_some(), 1),
                    (None, None) => continue,
                };
                if is_known {
                    continue;
                }
                let partial =
                    PartialOp { definition, operands: &known.operands, results: &known.results, attributes: find };
                let Some(mut types) = checker.types_of(other, &partial) else { continue };
                if types.len() == 1 {
                    types = vec![types[0]; count];
                }
                match (operand, result) {
                    (Some(at), _) => known.operands[at] = Some(types),
                    (None, Some(at)) => known.results[at] = Some(types),
                    (None, None) => {}
                }
            }
        }
        _ => {}
    }
}
