//! Whether attributes and types of what came back are those that were there, but for what MLIR changes on that way.

use std::collections::{HashMap, HashSet};

use mlirbc_dialects::llvm;
use mlirbc_ir::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};
use mlirbc_ir::dense::ElementLayout;
use mlirbc_ir::ods::Release;
use mlirbc_ir::text::parse_type;
use mlirbc_ir::{
    Attribute, AttributeData, Context, DialectValue, Encoded, Module, Parameter, Type, TypeData, UNKNOWN_COLUMN,
};

/// Which way a module went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Printed in generic form and parsed.
    Generic,
    /// Printed in custom assembly and parsed.
    Assembly,
    /// Written as bytecode for a release of MLIR, and read.
    Bytecode(Release),
}

impl Way {
    fn is_text(self) -> bool {
        !self.is_bytecode()
    }

    pub(crate) fn is_bytecode(self) -> bool {
        matches!(self, Way::Bytecode(_))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Pair {
    Attributes(Attribute, Attribute),
    Types(Type, Type),
}

/// Distinct attributes of one text: which stands for which.
#[derive(Default)]
struct Scope {
    there: HashMap<u64, u64>,
    back: HashMap<u64, u64>,
}

impl Scope {
    /// Whether two stand for each other and for no others.
    fn pair(&mut self, a: u64, b: u64) -> bool {
        *self.there.entry(a).or_insert(b) == b && *self.back.entry(b).or_insert(a) == a
    }
}

/// Compares attributes and types of one context.
pub(crate) struct Equal<'c> {
    context: &'c Context,
    way: Way,
    /// Pairs that were found to be the same.
    known: HashSet<Pair>,
    scope: Scope,
    /// Locations as they are made again, and whether by a parser.
    reduced: HashMap<(Attribute, bool), Attribute>,
    /// Whether equal handles are compared all the same.
    looks_inside: bool,
    /// Whether what is compared is inside of what bytecode holds as text.
    inside_text: bool,
    /// Whether something was the same only by a rule of MLIR's text: what came back may change again on the same way.
    pub(crate) changed: bool,
    /// Whether attributes that bytecode holds as text may have become several.
    pub(crate) split: bool,
}

impl<'c> Equal<'c> {
    pub(crate) fn new(context: &'c Context, way: Way) -> Self {
        Equal {
            context,
            way,
            known: HashSet::new(),
            scope: Scope::default(),
            reduced: HashMap::new(),
            looks_inside: false,
            inside_text: false,
            changed: false,
            split: false,
        }
    }

    pub(crate) fn types(&mut self, a: Type, b: Type) -> bool {
        a == b || self.pairs(vec![Pair::Types(a, b)])
    }

    pub(crate) fn attributes(&mut self, a: Attribute, b: Attribute) -> bool {
        a == b || self.pairs(vec![Pair::Attributes(a, b)])
    }

    pub(crate) fn optional(&mut self, a: Option<Attribute>, b: Option<Attribute>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.attributes(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn pairs(&mut self, mut pending: Vec<Pair>) -> bool {
        let mut seen = HashSet::new();
        while let Some(pair) = pending.pop() {
            if self.known.contains(&pair) || !seen.insert(pair) {
                continue;
            }
            let found = match pair {
                Pair::Attributes(a, b) => self.attribute(a, b, &mut pending),
                Pair::Types(a, b) => a == b && !self.looks_inside || self.ty(a, b, &mut pending),
            };
            if !found {
                return false;
            }
        }
        self.known.extend(seen);
        true
    }

    fn attribute(&mut self, a: Attribute, b: Attribute, pending: &mut Vec<Pair>) -> bool {
        use AttributeData as D;
        let context = self.context;
        match (&context[a], &context[b]) {
            (D::Distinct { referenced, id }, D::Distinct { referenced: other, id: others }) => {
                pending.push(Pair::Attributes(*referenced, *other));
                self.scope.pair(*id, *others)
            }
            (D::Dictionary(entries), _)
                if self.looks_inside && entries.iter().any(|entry| context.bytes(entry.0).is_empty()) =>
            {
                false
            }
            _ if a == b && !self.looks_inside => true,
            (D::Array(a), D::Array(b)) => all(a, b, pending),
            (D::Dictionary(a), D::Dictionary(b)) => {
                pending.extend(a.iter().zip(b).map(|(a, b)| Pair::Attributes(a.1, b.1)));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0)
            }
            (D::String { value, ty: Some(ty) }, D::String { value: others, ty: Some(other) }) => {
                pending.push(Pair::Types(*ty, *other));
                value == others
            }
            (D::Type(a), D::Type(b)) => {
                pending.push(Pair::Types(*a, *b));
                true
            }
            (D::DenseElements { ty, data }, D::DenseElements { ty: other, data: others }) => {
                pending.push(Pair::Types(*ty, *other));
                data == others
            }
            (D::DenseStrings { ty, values, splat }, D::DenseStrings { ty: other, values: others, splat: is }) => {
                pending.push(Pair::Types(*ty, *other));
                values == others && splat == is
            }
            (D::DenseResource { ty, resource }, D::DenseResource { ty: other, resource: others }) => {
                pending.push(Pair::Types(*ty, *other));
                let (first, second) = (&context[*resource], &context[*others]);
                (first.dialect, &first.key) == (second.dialect, &second.key)
            }
            (D::Sparse { ty, indices, values }, D::Sparse { ty: other, indices: places, values: others }) => {
                pending.push(Pair::Types(*ty, *other));
                all(&[*indices, *values], &[*places, *others], pending)
            }
            (D::AffineMap(a), D::AffineMap(b)) => {
                self.changed = true;
                same_map(a, b)
            }
            (D::IntegerSet(a), D::IntegerSet(b)) => {
                self.changed = true;
                same_set(a, b)
            }
            // Of a range within one line whose last column is not known, text says where it begins.
            (D::FileLocation { file, start, end }, D::FileLocation { file: other, start: starts, end: ends })
                if self.way.is_text() && *end == (start.0, UNKNOWN_COLUMN) =>
            {
                self.changed = true;
                (file, start, start) == (other, starts, ends)
            }
            (D::NameLocation { name, child }, D::NameLocation { name: other, child: others }) => {
                pending.push(Pair::Attributes(*child, *others));
                name == other
            }
            (D::CallSiteLocation { callee, caller }, D::CallSiteLocation { callee: other, caller: others }) => {
                all(&[*callee, *caller], &[*other, *others], pending)
            }
            (D::Text { dialect, text }, D::Text { dialect: other, text: others })
                if self.way.is_text() && text != others =>
            {
                self.changed = true;
                dialect == other && self.typed_text(text, others, pending)
            }
            (first, second) => {
                // What is left of a fused location is made by the rules.
                let less = if self.looks_inside { a } else { self.reduced(a) };
                if less != a {
                    self.changed = true;
                    pending.push(Pair::Attributes(less, b));
                    return true;
                }
                match (first, second) {
                    (
                        D::FusedLocation { locations, metadata },
                        D::FusedLocation { locations: others, metadata: other },
                    ) => {
                        pending.extend(metadata.zip(*other).map(|(a, b)| Pair::Attributes(a, b)));
                        metadata.is_some() == other.is_some() && all(locations, others, pending)
                    }
                    (D::Dialect(a), D::Dialect(b)) => self.value(a, b, pending),
                    (D::Encoded(a), D::Encoded(b)) => self.opaque(a, b),
                    _ => a == b,
                }
            }
        }
    }

    /// Of an attribute that is kept as text, the type behind it was parsed and printed; a map in there says less each time.
    fn typed_text(&self, a: &[u8], b: &[u8], pending: &mut Vec<Pair>) -> bool {
        let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        for at in 0..common.saturating_sub(2) {
            if a[at..at + 3] == *b" : "
                && let Ok(ty) = parse_type(self.context, &a[at + 3..])
                && let Ok(other) = parse_type(self.context, &b[at + 3..])
            {
                pending.push(Pair::Types(ty, other));
                return true;
            }
        }
        false
    }

    fn ty(&mut self, a: Type, b: Type, pending: &mut Vec<Pair>) -> bool {
        use TypeData as T;
        let types = |a: &[Type], b: &[Type], pending: &mut Vec<Pair>| {
            pending.extend(a.iter().zip(b).map(|(&a, &b)| Pair::Types(a, b)));
            a.len() == b.len()
        };
        let optional = |a: &Option<Attribute>, b: &Option<Attribute>, pending: &mut Vec<Pair>| {
            pending.extend(a.zip(*b).map(|(a, b)| Pair::Attributes(a, b)));
            a.is_some() == b.is_some()
        };
        match (&self.context[a], &self.context[b]) {
            (T::Function { inputs, results }, T::Function { inputs: others, results: other }) => {
                types(inputs, others, pending) && types(results, other, pending)
            }
            (T::Tuple(a), T::Tuple(b)) => types(a, b, pending),
            (T::Complex(a), T::Complex(b)) | (T::UnrankedTensor(a), T::UnrankedTensor(b)) => {
                types(&[*a], &[*b], pending)
            }
            (
                T::Vector { shape, scalable, element },
                T::Vector { shape: other, scalable: others, element: elements },
            ) => shape == other && scalable == others && types(&[*element], &[*elements], pending),
            (
                T::RankedTensor { shape, element, encoding },
                T::RankedTensor { shape: other, element: others, encoding: encodings },
            ) => shape == other && types(&[*element], &[*others], pending) && optional(encoding, encodings, pending),
            (
                T::MemRef { shape, element, layout, space },
                T::MemRef { shape: other, element: others, layout: layouts, space: spaces },
            ) => {
                pending.push(Pair::Attributes(*layout, *layouts));
                shape == other && types(&[*element], &[*others], pending) && optional(space, spaces, pending)
            }
            (T::UnrankedMemRef { element, space }, T::UnrankedMemRef { element: other, space: others }) => {
                types(&[*element], &[*other], pending) && optional(space, others, pending)
            }
            (T::Dialect(a), T::Dialect(b)) => self.value(a, b, pending),
            (T::Encoded(a), T::Encoded(b)) => self.opaque(a, b),
            _ => a == b,
        }
    }

    fn value(&mut self, a: &DialectValue, b: &DialectValue, pending: &mut Vec<Pair>) -> bool {
        if (a.dialect, a.mnemonic) != (b.dialect, b.mnemonic) || a.parameters.len() != b.parameters.len() {
            return false;
        }
        let mut inside = Vec::new();
        let mut parameters: Vec<_> = a.parameters.iter().zip(&b.parameters).collect();
        if let Some(zero_points) = self.zero_points(a, b) {
            if !zero_points {
                return false;
            }
            self.changed = true;
            parameters.pop();
        }
        while let Some(pair) = parameters.pop() {
            match pair {
                (Parameter::Attribute(a), Parameter::Attribute(b)) => inside.push(Pair::Attributes(*a, *b)),
                (Parameter::Type(a), Parameter::Type(b)) => inside.push(Pair::Types(*a, *b)),
                (Parameter::List(a), Parameter::List(b)) if a.len() == b.len() => parameters.extend(a.iter().zip(b)),
                (a, b) if a == b => {}
                _ => return false,
            }
        }
        if self.way.is_text() || self.inside_text || self.has_encoding(a) {
            pending.append(&mut inside);
            return true;
        }
        // Bytecode holds it as text, which is parsed by itself: its distinct attributes are shared with no others, as in MLIR.
        let (outer, known) = (std::mem::take(&mut self.scope), std::mem::take(&mut self.known));
        self.inside_text = true;
        let same = self.pairs(inside);
        self.inside_text = false;
        self.split |= !self.scope.there.is_empty();
        (self.scope, self.known) = (outer, known);
        same
    }

    /// Bytes that name other entries by number: a writer keeps the tables of the file that they are from.
    fn opaque(&self, a: &Encoded, b: &Encoded) -> bool {
        self.way.is_bytecode() && (a.dialect, &a.bytes) == (b.dialect, &b.bytes)
    }

    /// Whether bytecode of the release has an encoding for an attribute or type of a dialect. (Types hold no distinct attributes.)
    fn has_encoding(&self, value: &DialectValue) -> bool {
        let definition = llvm::definition(self.context.bytes(value.mnemonic));
        let release = if let Way::Bytecode(release) = self.way { release } else { Release::DEFAULT };
        self.context.bytes(value.dialect) != b"llvm"
            || definition.is_some_and(|definition| {
                let mut fields = definition.fields.iter().zip(&value.parameters);
                definition.code.is_some()
                    && definition.verify(self.context, &value.parameters).is_ok()
                    && fields.all(|(field, parameter)| field.fits(self.context, parameter, release))
            })
    }

    /// Of two types that are quantized by blocks and differ in the bytes of their zero points: whether the bits that count are
    /// the same. MLIR keeps whole bytes of each, and prints the bits of the storage type.
    fn zero_points(&self, a: &DialectValue, b: &DialectValue) -> Option<bool> {
        let context = self.context;
        if !self.way.is_text() || context.bytes(a.dialect) != b"quant" || context.bytes(a.mnemonic) != b"uniform" {
            return None;
        }
        let (Some(&Parameter::Attribute(first)), Some(&Parameter::Attribute(second))) =
            (a.parameters.last(), b.parameters.last())
        else {
            return None;
        };
        let of = |attribute: Attribute| {
            let AttributeData::DenseElements { ty, data } = &context[attribute] else { return None };
            let count = context[*ty].element_count()?;
            let layout = ElementLayout::of(context, context[*ty].element()?)?;
            Some((*ty, count, layout, data))
        };
        let ((ty, count, layout, data), (other, .., others)) = (of(first)?, of(second)?);
        let width = layout.number.width();
        if data == others || ty != other || width.is_multiple_of(8) || layout.packed() {
            return None;
        }
        let size = layout.number_size();
        let number = |bytes: &[u8], at: u64| {
            let start = (at as usize * size) % bytes.len().max(1);
            bytes.get(start..start + size).map(|bytes| layout.read(bytes))
        };
        Some((0..count).all(|at| number(data, at) == number(others, at)))
    }

    /// A location as a parser makes it, or a reader of bytecode, which keeps a fused location with metadata as it stands: from the
    /// innermost outwards.
    fn reduced(&mut self, location: Attribute) -> Attribute {
        use AttributeData as D;
        let context = self.context;
        let is_parsed = self.way.is_text() || self.inside_text;
        let mut stack = vec![(location, false)];
        while let Some((location, ready)) = stack.pop() {
            if self.reduced.contains_key(&(location, is_parsed)) {
                continue;
            }
            let parts: &[Attribute] = match &context[location] {
                D::FusedLocation { locations, .. } => locations,
                D::NameLocation { child, .. } => std::slice::from_ref(child),
                D::CallSiteLocation { callee, caller } => &[*callee, *caller],
                _ => &[],
            };
            if !ready && !parts.is_empty() {
                stack.push((location, true));
                stack.extend(parts.iter().map(|&part| (part, false)));
                continue;
            }
            let part = |at: Attribute| self.reduced[&(at, is_parsed)];
            let less = match &context[location] {
                D::FusedLocation { locations, metadata: Some(metadata) } if !is_parsed => {
                    let locations = locations.iter().map(|&at| part(at)).collect();
                    context.attribute(D::FusedLocation { locations, metadata: Some(*metadata) })
                }
                D::FusedLocation { locations, metadata } => {
                    let parts: Vec<Attribute> = locations.iter().map(|&at| part(at)).collect();
                    context.fused_location(&parts, *metadata)
                }
                D::NameLocation { name, child } => {
                    context.attribute(D::NameLocation { name: *name, child: part(*child) })
                }
                D::CallSiteLocation { callee, caller } => {
                    context.attribute(D::CallSiteLocation { callee: part(*callee), caller: part(*caller) })
                }
                _ => location,
            };
            self.reduced.insert((location, is_parsed), less);
        }
        self.reduced[&(location, is_parsed)]
    }
}

fn all(a: &[Attribute], b: &[Attribute], pending: &mut Vec<Pair>) -> bool {
    pending.extend(a.iter().zip(b).map(|(&a, &b)| Pair::Attributes(a, b)));
    a.len() == b.len()
}

/// Whether two maps give the same numbers. MLIR prints a sum in a sum without parentheses, and simplifies what it parses.
pub(crate) fn same_map(a: &AffineMap, b: &AffineMap) -> bool {
    (a.dimensions, a.symbols, a.results.len()) == (b.dimensions, b.symbols, b.results.len())
        && a.results.iter().zip(&b.results).all(|(a, b)| same_values(a, b))
}

fn same_set(a: &IntegerSet, b: &IntegerSet) -> bool {
    (a.dimensions, a.symbols, a.constraints.len()) == (b.dimensions, b.symbols, b.constraints.len())
        && a.constraints.iter().zip(&b.constraints).all(|(a, b)| a.1 == b.1 && same_values(&a.0, &b.0))
}

fn same_values(first: &AffineExpression, second: &AffineExpression) -> bool {
    [0, 1, -1, 2, -3, 7, 1_000_003].into_iter().all(|at| match (value(first, at), value(second, at)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

/// What an expression is where its names stand for numbers from `from` on; `None` where it cannot be told in 64 bits.
fn value(expression: &AffineExpression, from: i64) -> Option<i64> {
    Some(match expression {
        AffineExpression::Dimension(at) => from.checked_add(i64::from(*at).checked_mul(5)?)?,
        AffineExpression::Symbol(at) => from.checked_add(i64::from(*at).checked_mul(3)?)?.checked_neg()?,
        AffineExpression::Constant(value) => *value,
        AffineExpression::Binary(operator, sides) => {
            let (left, right) = (value(&sides.0, from)?, value(&sides.1, from)?);
            match operator {
                AffineOperator::Add => left.checked_add(right)?,
                AffineOperator::Mul => left.checked_mul(right)?,
                _ if right <= 0 => return None,
                AffineOperator::Mod => left.rem_euclid(right),
                AffineOperator::FloorDiv => left.div_euclid(right),
                AffineOperator::CeilDiv => left.checked_neg()?.div_euclid(right).checked_neg()?,
            }
        }
    })
}

/// Whether a module holds bytes of an unknown dialect, or attributes without a name: these have no text.
pub(super) fn holds_what_has_no_text(module: &Module) -> bool {
    let context = module.context();
    let mut pending = Vec::new();
    for op in super::every_operation(module) {
        let (attributes, properties) = op.dictionaries().expect("decoded");
        let location = op.location().expect("decoded").attribute(context);
        let attributes = attributes.into_iter().chain(properties).chain([location]);
        pending.extend(attributes.map(|attribute| Pair::Attributes(attribute, attribute)));
        let values = op.operands().iter().copied().chain(op.results());
        pending.extend(values.map(|value| op.type_of(value).expect("decoded")).map(|ty| Pair::Types(ty, ty)));
        let (_, body, regions) = op.region_tree().expect("decoded");
        for block in regions.into_iter().flat_map(|region| body.blocks(region)) {
            let types = body.arguments(block).iter().map(|&value| module.ty(body.ty(value)).expect("decoded"));
            pending.extend(types.map(|ty| Pair::Types(ty, ty)));
            let locations = body.argument_locations(block).iter().flatten();
            let locations = locations.map(|&at| module.location(at).expect("decoded").attribute(context));
            pending.extend(locations.map(|location| Pair::Attributes(location, location)));
        }
    }
    // Everything is compared with itself, down to what has no parts.
    let mut equal = Equal { looks_inside: true, ..Equal::new(context, Way::Generic) };
    !equal.pairs(pending)
}
