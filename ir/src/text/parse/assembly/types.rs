//! The types of operands and results that text leaves out.

use super::OpState;
use crate::attribute::{Attribute, AttributeData};
use crate::error::Result;
use crate::ods::{Accessor, Draft, Multiplicity, OpDef, Predicate, Relation, Term, Traits, ValueDef};
use crate::text::parse::module::OpParser;
use crate::types::{Type, TypeData};

/// What of the types of an operation is known: by operand and result of its definition.
pub(super) struct Known {
    /// How many operands each stands for.
    pub(super) counts: Vec<usize>,
    pub(super) operands: Vec<Option<Vec<Type>>>,
    pub(super) results: Vec<Option<Vec<Type>>>,
}

/// Finds the types that nobody gave, as far as the definition says them.
pub(super) fn resolve(parser: &OpParser<'_>, custom: &OpState<'_>, known: &mut Known) -> Result<()> {
    let context = parser.context();
    let definition = &*custom.definition;
    let find = |name: &str| custom.find(context, name);
    // Each round finds one more at least.
    let rounds = known.operands.len() + known.results.len() + 1;
    for _ in 0..rounds {
        let before = missing(known);
        if before == 0 {
            return Ok(());
        }
        buildable(parser, definition, known);
        traits(parser, definition, known, &find);
        for rule in &definition.details().rules {
            self::rule(parser, definition, rule, known, &find);
        }
        if missing(known) == before {
            break;
        }
    }
    inferred(parser, custom, known);
    // What there is none of has no types.
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
    Ok(())
}

fn missing(known: &Known) -> usize {
    known.operands.iter().chain(&known.results).filter(|types| types.is_none()).count()
}

/// Types that are the only ones to fit.
fn buildable(parser: &OpParser<'_>, definition: &OpDef, known: &mut Known) {
    let only = |value: &ValueDef| value.constraint.only.as_ref().and_then(|term| parser.checker.type_of(term));
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

fn traits(parser: &OpParser<'_>, definition: &OpDef, known: &mut Known, find: &dyn Fn(&str) -> Option<Attribute>) {
    let first = |types: &[Option<Vec<Type>>]| types.iter().flatten().flatten().next().copied();
    let operands_alike = |known: &mut Known, ty: Type| {
        for (types, &count) in known.operands.iter_mut().zip(&known.counts) {
            types.get_or_insert_with(|| vec![ty; count]);
        }
    };
    let results_alike = |known: &mut Known, ty: Type| {
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
        let ty = match &parser.context()[attribute] {
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
    parser: &OpParser<'_>,
    definition: &OpDef,
    rule: &Predicate,
    known: &mut Known,
    find: &dyn Fn(&str) -> Option<Attribute>,
) {
    match rule {
        Predicate::All(of) | Predicate::Any(of) => {
            of.iter().for_each(|each| self::rule(parser, definition, each, known, find))
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
            let draft = Draft { definition, operands: &known.operands, results: &known.results, attributes: find };
            if let Some([ty]) = parser.checker.types_of(other, &draft).as_deref() {
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
                let draft = Draft { definition, operands: &known.operands, results: &known.results, attributes: find };
                let Some(mut types) = parser.checker.types_of(other, &draft) else { continue };
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

/// Result types that C++ infers, where text leaves them out.
fn inferred(parser: &OpParser<'_>, custom: &OpState<'_>, known: &mut Known) {
    let context = parser.context();
    let definition = &*custom.definition;
    let result = |known: &Known| known.results.first()?.as_ref()?.first().copied();
    match (definition.name.as_str(), known.operands.first(), result(known)) {
        ("tensor.from_elements", Some(None), Some(ty)) => {
            if let Some(element) = context[ty].element() {
                known.operands[0] = Some(vec![element; known.counts[0]]);
            }
        }
        ("pdl_interp.get_value_type", Some(None), Some(ty)) => {
            let text = crate::text::print_type(context, ty).unwrap_or_default();
            let value = if text.contains("range") { "!pdl.range<value>" } else { "!pdl.value" };
            if let Ok(ty) = crate::text::parse_type(context, value.as_bytes()) {
                known.operands[0] = Some(vec![ty]);
            }
        }
        ("pdl.operands", Some(operands), _) => {
            if operands.is_none() {
                let ty = crate::text::parse_type(context, b"!pdl.range<type>");
                known.operands[0] = ty.ok().map(|ty| vec![ty; known.counts[0]]);
            }
            known.results[0] = crate::text::parse_type(context, b"!pdl.range<value>").ok().map(|ty| vec![ty]);
        }
        ("pdl_interp.check_types", Some(None), _) => {
            known.operands[0] = crate::text::parse_type(context, b"!pdl.range<type>").ok().map(|ty| vec![ty]);
        }
        ("pdl.types", ..) if known.results == [None] => {
            known.results[0] = crate::text::parse_type(context, b"!pdl.range<type>").ok().map(|ty| vec![ty]);
        }
        ("vector.to_elements", Some(Some(types)), None) => {
            if let Some(data) = types.first().map(|&ty| &context[ty])
                && let (Some(element), count) = (data.element(), custom.named_results())
                && data.element_count() == Some(count as u64)
            {
                known.results[0] = Some(vec![element; count]);
            }
        }
        _ => {}
    }
    let [None] = known.results.as_slice() else {
        return;
    };
    let operand = |at: usize| known.operands.get(at)?.as_ref()?.first().copied();
    let found = match definition.name.as_str() {
        "vector.constant_mask" | "vector.create_mask" => None,
        "tensor.rank" | "memref.rank" => Some(context.index_type()),
        "vector.extract" | "vector.insert" => None,
        "llvm.cmpxchg" => operand(2).and_then(|ty| crate::text::assembly::llvm::exchanged(context, ty)),
        "complex.re" | "complex.im" | "complex.abs" => operand(0).and_then(|ty| match context[ty] {
            TypeData::Complex(element) => Some(element),
            _ => None,
        }),
        _ => None,
    };
    if let Some(ty) = found {
        known.results[0] = Some(vec![ty]);
    }
}
