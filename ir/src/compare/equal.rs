//! Equality of attributes and types of two modules.

use std::collections::{HashMap, HashSet};

use crate::attribute::{Attribute, AttributeData, Encoded, ResourceHandle};
use crate::context::Context;
use crate::parameter::{DialectValue, Parameter};
use crate::types::{Type, TypeData};

/// Compares what two modules of one context hold.
///
/// Equal handles are equal. Handles that differ may still stand for the same thing: a distinct attribute is another one
/// in every file, resources belong to their file, and so do opaque attributes.
pub(super) struct Equal<'c> {
    context: &'c Context,
    /// Pairs of different handles that were found to be equal.
    known: HashSet<Pair>,
    /// Which distinct attribute of the second module stands for one of the first, and the other way round.
    distinct: HashMap<u64, u64>,
    distinct_back: HashMap<u64, u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Pair {
    Attributes(Attribute, Attribute),
    Types(Type, Type),
}

/// What is found out while one pair is compared: true only if all of it holds.
#[derive(Default)]
struct Attempt {
    pending: Vec<Pair>,
    seen: HashSet<Pair>,
    distinct: Vec<(u64, u64)>,
}

impl Attempt {
    fn attributes(&mut self, a: &[Attribute], b: &[Attribute]) -> bool {
        self.pending.extend(a.iter().zip(b).map(|(&a, &b)| Pair::Attributes(a, b)));
        a.len() == b.len()
    }

    fn optional(&mut self, a: Option<Attribute>, b: Option<Attribute>) -> bool {
        self.pending.extend(a.zip(b).map(|(a, b)| Pair::Attributes(a, b)));
        a.is_some() == b.is_some()
    }

    fn types(&mut self, a: &[Type], b: &[Type]) -> bool {
        self.pending.extend(a.iter().zip(b).map(|(&a, &b)| Pair::Types(a, b)));
        a.len() == b.len()
    }

    fn ty(&mut self, a: Type, b: Type) -> bool {
        self.types(&[a], &[b])
    }

    fn optional_type(&mut self, a: Option<Type>, b: Option<Type>) -> bool {
        self.pending.extend(a.zip(b).map(|(a, b)| Pair::Types(a, b)));
        a.is_some() == b.is_some()
    }

    fn value(&mut self, a: &DialectValue, b: &DialectValue) -> bool {
        if (a.dialect, a.mnemonic) != (b.dialect, b.mnemonic) || a.parameters.len() != b.parameters.len() {
            return false;
        }
        let mut pending: Vec<_> = a.parameters.iter().zip(&b.parameters).collect();
        while let Some(pair) = pending.pop() {
            match pair {
                (Parameter::Attribute(a), Parameter::Attribute(b)) => self.pending.push(Pair::Attributes(*a, *b)),
                (Parameter::Type(a), Parameter::Type(b)) => self.pending.push(Pair::Types(*a, *b)),
                (Parameter::List(a), Parameter::List(b)) if a.len() == b.len() => pending.extend(a.iter().zip(b)),
                (a, b) if a == b => {}
                _ => return false,
            }
        }
        true
    }
}

impl<'c> Equal<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        Equal { context, known: HashSet::new(), distinct: HashMap::new(), distinct_back: HashMap::new() }
    }

    pub(super) fn attributes(&mut self, a: Attribute, b: Attribute) -> bool {
        a == b || self.pair(Pair::Attributes(a, b))
    }

    pub(super) fn types(&mut self, a: Type, b: Type) -> bool {
        a == b || self.pair(Pair::Types(a, b))
    }

    fn pair(&mut self, pair: Pair) -> bool {
        let mut attempt = Attempt { pending: vec![pair], ..Attempt::default() };
        while let Some(pair) = attempt.pending.pop() {
            let same = match pair {
                Pair::Attributes(a, b) => a == b,
                Pair::Types(a, b) => a == b,
            };
            if same || self.known.contains(&pair) || !attempt.seen.insert(pair) {
                continue;
            }
            let equal = match pair {
                Pair::Attributes(a, b) => self.attribute_data(&self.context[a], &self.context[b], &mut attempt),
                Pair::Types(a, b) => self.type_data(&self.context[a], &self.context[b], &mut attempt),
            };
            if !equal {
                return false;
            }
        }
        self.known.extend(attempt.seen);
        for (a, b) in attempt.distinct {
            self.distinct.insert(a, b);
            self.distinct_back.insert(b, a);
        }
        true
    }

    /// Whether the attributes are equal if everything is that goes to `attempt`.
    fn attribute_data(&self, a: &AttributeData, b: &AttributeData, attempt: &mut Attempt) -> bool {
        use AttributeData as D;
        match (a, b) {
            (D::Array(a), D::Array(b)) => attempt.attributes(a, b),
            (D::Dictionary(a), D::Dictionary(b)) => {
                attempt.pending.extend(a.iter().zip(b).map(|(a, b)| Pair::Attributes(a.1, b.1)));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0)
            }
            (D::String { value, ty }, D::String { value: other, ty: other_type }) => {
                value == other && attempt.optional_type(*ty, *other_type)
            }
            (D::Type(a), D::Type(b)) => attempt.ty(*a, *b),
            (D::DenseElements { ty, data }, D::DenseElements { ty: other, data: others }) => {
                data == others && attempt.ty(*ty, *other)
            }
            (D::DenseStrings { ty, values, splat }, D::DenseStrings { ty: other, values: others, splat: is }) => {
                values == others && splat == is && attempt.ty(*ty, *other)
            }
            (D::DenseResource { ty, resource }, D::DenseResource { ty: other, resource: others }) => {
                self.resources(*resource, *others) && attempt.ty(*ty, *other)
            }
            (D::Sparse { ty, indices, values }, D::Sparse { ty: other, indices: places, values: others }) => {
                attempt.ty(*ty, *other) && attempt.attributes(&[*indices, *values], &[*places, *others])
            }
            (D::Distinct { referenced, id }, D::Distinct { referenced: other, id: others }) => {
                self.distinct(*id, *others, attempt) && attempt.attributes(&[*referenced], &[*other])
            }
            (D::NameLocation { name, child }, D::NameLocation { name: other, child: others }) => {
                name == other && attempt.attributes(&[*child], &[*others])
            }
            (D::CallSiteLocation { callee, caller }, D::CallSiteLocation { callee: other, caller: others }) => {
                attempt.attributes(&[*callee, *caller], &[*other, *others])
            }
            (D::FusedLocation { locations, metadata }, D::FusedLocation { locations: others, metadata: other }) => {
                attempt.attributes(locations, others) && attempt.optional(*metadata, *other)
            }
            (D::Dialect(a), D::Dialect(b)) => attempt.value(a, b),
            (D::Encoded(a), D::Encoded(b)) => opaque(a, b),
            // What holds neither attributes nor types of a dialect is uniqued: other handles, other attributes.
            _ => a == b,
        }
    }

    fn type_data(&self, a: &TypeData, b: &TypeData, attempt: &mut Attempt) -> bool {
        use TypeData as T;
        match (a, b) {
            (T::Function { inputs, results }, T::Function { inputs: others, results: other }) => {
                attempt.types(inputs, others) && attempt.types(results, other)
            }
            (T::Tuple(a), T::Tuple(b)) => attempt.types(a, b),
            (T::Complex(a), T::Complex(b)) | (T::UnrankedTensor(a), T::UnrankedTensor(b)) => attempt.ty(*a, *b),
            (
                T::Vector { shape, scalable, element },
                T::Vector { shape: other, scalable: others, element: elements },
            ) => shape == other && scalable == others && attempt.ty(*element, *elements),
            (
                T::RankedTensor { shape, element, encoding },
                T::RankedTensor { shape: other, element: others, encoding: encodings },
            ) => shape == other && attempt.ty(*element, *others) && attempt.optional(*encoding, *encodings),
            (
                T::MemRef { shape, element, layout, space },
                T::MemRef { shape: other, element: others, layout: layouts, space: spaces },
            ) => {
                shape == other
                    && attempt.ty(*element, *others)
                    && attempt.attributes(&[*layout], &[*layouts])
                    && attempt.optional(*space, *spaces)
            }
            (T::UnrankedMemRef { element, space }, T::UnrankedMemRef { element: other, space: others }) => {
                attempt.ty(*element, *other) && attempt.optional(*space, *others)
            }
            (T::Dialect(a), T::Dialect(b)) => attempt.value(a, b),
            (T::Encoded(a), T::Encoded(b)) => opaque(a, b),
            _ => a == b,
        }
    }

    /// By name: what a resource holds is compared once, with the resources of the modules.
    fn resources(&self, a: ResourceHandle, b: ResourceHandle) -> bool {
        let (a, b) = (&self.context[a], &self.context[b]);
        (a.dialect, &a.key) == (b.dialect, &b.key)
    }

    /// Two distinct attributes are equal where they stand at the same places: each is paired with one other.
    fn distinct(&self, a: u64, b: u64, attempt: &mut Attempt) -> bool {
        let known = |of: &HashMap<u64, u64>, from: u64, to: u64| of.get(&from).is_none_or(|&paired| paired == to);
        if !known(&self.distinct, a, b) || !known(&self.distinct_back, b, a) {
            return false;
        }
        let consistent = attempt.distinct.iter().all(|&(first, second)| (first == a) == (second == b));
        attempt.distinct.push((a, b));
        consistent
    }
}

/// Opaque bytes name other entries by number: equal bytes mean the same only where the tables are numbered alike.
fn opaque(a: &Encoded, b: &Encoded) -> bool {
    a.dialect == b.dialect && a.bytes == b.bytes
}
