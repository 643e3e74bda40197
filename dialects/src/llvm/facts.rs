//! What follows from all that a type holds, found out once for each.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::ptr;
use super::NAME;
use super::attributes::is_address_space;
use super::types::{Known, Parts, PlainType};
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, DialectValue, Parameter, Signedness, Type, TypeData};

/// What is known of a type.
#[derive(Clone)]
pub(super) struct Facts {
    /// Whether LLVM has the type. A struct that is named inside of itself counts as one that it has there.
    pub(super) is_compatible: bool,
    /// Whether the type is a struct that holds itself.
    pub(super) is_recursive: bool,
    /// The names in it of structs that stand around it.
    names: Arc<[Box<[u8]>]>,
}

/// How deep types may be nested that are looked into.
const MAX_DEPTH: usize = 2 * mlirbc_ir::text::MAX_DEPTH as usize;

/// What is known of a type.
pub(super) fn of(context: &Context, ty: Type) -> Facts {
    if let Some(simple) = simple(context, ty) {
        return simple;
    }
    let known = context.dialect(NAME).and_then(|dialect| dialect.get::<Known>());
    let mut finding = Finding { context, known: known.as_deref(), found: HashMap::new() };
    let facts = finding.of(ty, 0);
    if let Some(known) = &known
        && !finding.found.is_empty()
    {
        known.note(finding.found);
    }
    facts
}

/// What is known of a type that holds no others. `None` where it may hold some.
fn simple(context: &Context, ty: Type) -> Option<Facts> {
    let facts = |is_compatible: bool| Facts { is_compatible, is_recursive: false, names: Arc::default() };
    Some(match &context[ty] {
        TypeData::Integer { signedness, .. } => facts(*signedness == Signedness::Signless),
        TypeData::Float(kind) => facts(is_float(*kind)),
        TypeData::Text { dialect, .. } => facts(context.bytes(*dialect) == NAME.as_bytes()),
        // A pointer of another dialect into an address space of this one.
        TypeData::Dialect(_)
            if ptr::memory_space(context, ty).is_some_and(|space| is_address_space(context, space)) =>
        {
            facts(true)
        }
        TypeData::Dialect(_) => match Parts::of(context, ty)? {
            Parts::Plain(_) | Parts::Pointer { .. } => facts(true),
            Parts::Reference { name, is_marked } => Facts { names: [name.into()].into(), ..facts(!is_marked) },
            _ => return None,
        },
        _ => return None,
    })
}

struct Finding<'c> {
    context: &'c Context,
    known: Option<&'c Known>,
    found: HashMap<Type, Facts>,
}

impl Finding<'_> {
    fn of(&mut self, ty: Type, depth: usize) -> Facts {
        let context = self.context;
        let found = simple(context, ty).or_else(|| self.found.get(&ty).cloned());
        if let Some(found) = found.or_else(|| self.known?.facts(ty)) {
            return found;
        }
        let parts = Parts::of(context, ty);
        let named = match &parts {
            Some(Parts::Struct { name, .. }) => *name,
            _ => None,
        };
        let mut is_compatible = match &context[ty] {
            TypeData::Vector { shape, .. } => shape.len() == 1,
            _ => parts.is_some(),
        };
        if depth == MAX_DEPTH {
            return Facts { is_compatible, is_recursive: false, names: Arc::default() };
        }
        let mut names: Vec<Box<[u8]>> = Vec::new();
        held(context, ty, &mut |inner| {
            let inner = self.of(inner, depth + 1);
            is_compatible &= inner.is_compatible;
            names.extend(inner.names.iter().cloned());
        });
        names.sort_unstable();
        names.dedup();
        let count = names.len();
        names.retain(|name| named != Some(&**name));
        let facts = Facts { is_compatible, is_recursive: names.len() < count, names: names.into() };
        self.found.insert(ty, facts.clone());
        facts
    }
}

/// Functions that predicates call.
const COMPATIBLE: &str = "isCompatibleOuterType";
const VECTOR: &str = "isCompatibleVectorType";
const FLOAT: &str = "isCompatibleFloatingPointType";

/// What they tell.
pub(super) const FUNCTIONS: [[&str; 2]; 3] =
    [[COMPATIBLE, "a type that LLVM knows"], [VECTOR, "a vector that LLVM knows"], [FLOAT, "a float that LLVM knows"]];

/// Answers what predicates ask: of a type alone, not of those that it holds. Other dialects can make their types known to this one.
pub(super) fn answer(context: &Context, ty: Type, function: &str) -> Option<bool> {
    let data = &context[ty];
    let foreign = matches!(data, TypeData::Dialect(_) | TypeData::Text { .. } | TypeData::Encoded(_));
    match (function, data) {
        (COMPATIBLE, TypeData::Integer { signedness, .. }) => Some(*signedness == Signedness::Signless),
        (COMPATIBLE, TypeData::Vector { shape, .. }) => Some(shape.len() == 1),
        (COMPATIBLE, TypeData::Float(kind)) => Some(is_float(*kind)),
        (COMPATIBLE, _) if foreign => is_own(context, ty).then_some(true),
        (COMPATIBLE, _) => Some(false),
        (FLOAT, TypeData::Float(kind)) if is_float(*kind) => Some(true),
        (FLOAT, TypeData::Dialect(_) | TypeData::Text { .. }) => {
            Some(PlainType::of(context, ty) == Some(PlainType::PpcFp128))
        }
        (VECTOR, TypeData::Vector { shape, .. }) if shape.len() != 1 => Some(false),
        (VECTOR, TypeData::Vector { element, .. }) => match &context[*element] {
            TypeData::Integer { signedness: Signedness::Signless, .. } => Some(true),
            TypeData::Float(kind) => Some(is_float(*kind)),
            // A pointer-like type of another dialect may be an element too.
            TypeData::Dialect(_) | TypeData::Text { .. } => is_own(context, *element).then_some(true),
            _ => Some(false),
        },
        (VECTOR, _) => (!foreign).then_some(false),
        _ => None,
    }
}

/// Whether the type is of this dialect.
fn is_own(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::Dialect(DialectValue { dialect, .. }) | TypeData::Text { dialect, .. } => {
            context.bytes(*dialect) == NAME.as_bytes()
        }
        _ => false,
    }
}

fn is_float(kind: FloatKind) -> bool {
    use FloatKind::{BF16, F16, F32, F64, F80, F128};
    matches!(kind, BF16 | F16 | F32 | F64 | F80 | F128)
}

/// The types inside of a type.
fn held(context: &Context, ty: Type, each: &mut dyn FnMut(Type)) {
    match &context[ty] {
        TypeData::Dialect(value) => {
            let mut waiting: Vec<&Parameter> = value.parameters.iter().collect();
            while let Some(parameter) = waiting.pop() {
                match parameter {
                    Parameter::Type(ty) => each(*ty),
                    Parameter::List(items) => waiting.extend(items.iter()),
                    _ => {}
                }
            }
        }
        TypeData::Tuple(types) => types.iter().copied().for_each(each),
        TypeData::Function { inputs, results } => inputs.iter().chain(results).copied().for_each(each),
        TypeData::Complex(element) => each(*element),
        data => data.element().into_iter().for_each(each),
    }
}
