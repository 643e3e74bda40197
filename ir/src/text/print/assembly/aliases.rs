//! Aliases: short names for attributes, types and locations, defined before or behind the operations.

use std::collections::{HashMap, HashSet};

use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::context::Context;
use crate::source::Location;
use crate::text::hooks::TextHooks;
use crate::text::print::Printer;
use crate::text::print::output::push_decimal;
use crate::types::{Type, TypeData};

/// What can have an alias. A place in a file is the same thing whether it is uniqued or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::text::print) enum Symbol {
    Attribute(Attribute),
    Type(Type),
    Place(Identifier, u32, u32),
}

impl Symbol {
    pub(in crate::text::print) fn attribute(context: &Context, attribute: Attribute) -> Self {
        match context[attribute] {
            AttributeData::FileLocation { file, start, end } if start == end => Symbol::Place(file, start.0, start.1),
            _ => Symbol::Attribute(attribute),
        }
    }

    pub(in crate::text::print) fn location(context: &Context, location: Location) -> Self {
        match location {
            Location::File { file, line, column } => Symbol::Place(file, line, column),
            Location::Attribute(attribute) => Symbol::attribute(context, attribute),
        }
    }
}

struct Known {
    alias: Option<Vec<u8>>,
    depth: u32,
    deferred: bool,
    children: Vec<usize>,
}

/// Finds out what gets an alias.
#[derive(Default)]
pub(super) struct Collector {
    places: HashMap<Symbol, usize, hashbrown::DefaultHashBuilder>,
    known: Vec<(Symbol, Known)>,
}

/// A symbol whose parts are being visited.
struct Visit {
    at: usize,
    parts: std::vec::IntoIter<(Symbol, bool)>,
    deferred: bool,
    deepest: u32,
    children: Vec<usize>,
}

impl Collector {
    /// Notes that the symbol is printed. What is not deferred must be defined before the operations.
    pub(super) fn visit(&mut self, context: &Context, symbol: Symbol, deferred: bool) {
        let mut stack: Vec<Visit> = Vec::new();
        let mut next = Some((symbol, deferred, false));
        loop {
            if let Some((symbol, deferred, elided)) = next.take() {
                match self.places.get(&symbol) {
                    Some(&at) => {
                        if !deferred {
                            self.settle(at);
                        }
                        let depth = self.known[at].1.depth;
                        if let Some(outer) = stack.last_mut() {
                            outer.note(at, depth, self.known[at].1.alias.is_some() || depth > 0);
                        }
                    }
                    None => {
                        let at = self.known.len();
                        self.places.insert(symbol, at);
                        let alias = alias(context, symbol);
                        let depth = u32::from(alias.is_some());
                        self.known.push((symbol, Known { alias, depth, deferred, children: Vec::new() }));
                        let parts = parts(context, symbol, elided).into_iter();
                        stack.push(Visit { at, parts, deferred, deepest: 0, children: Vec::new() });
                    }
                }
            }
            let Some(visit) = stack.last_mut() else { return };
            match visit.parts.next() {
                Some((part, elided)) => next = Some((part, visit.deferred, elided)),
                None => {
                    let Some(done) = stack.pop() else { return };
                    let known = &mut self.known[done.at].1;
                    known.children = done.children;
                    if done.deepest > 0 {
                        known.depth = done.deepest + 1;
                    }
                    let (depth, at) = (known.depth, done.at);
                    if let Some(outer) = stack.last_mut() {
                        outer.note(at, depth, true);
                    }
                }
            }
        }
    }

    /// The symbol and what is in it cannot be deferred.
    fn settle(&mut self, at: usize) {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            let known = &mut self.known[at].1;
            if known.deferred {
                known.deferred = false;
                waiting.extend_from_slice(&known.children);
            }
        }
    }

    pub(super) fn finish(self) -> Aliases {
        let mut known: Vec<(Symbol, Known)> = self.known.into_iter().filter(|entry| entry.1.alias.is_some()).collect();
        known.sort_by(|(a, x), (b, y)| {
            let kind = |symbol: &Symbol| !matches!(symbol, Symbol::Type(_));
            x.depth.cmp(&y.depth).then(kind(a).cmp(&kind(b))).then(x.alias.cmp(&y.alias))
        });
        let mut aliases = Aliases::default();
        let mut used: HashSet<Vec<u8>> = HashSet::new();
        let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
        for (symbol, known) in known {
            let mut name = known.alias.unwrap_or_default();
            if !used.insert(name.clone()) {
                if name.last().is_some_and(u8::is_ascii_digit) {
                    name.push(b'_');
                }
                let count = counts.entry(name.clone()).or_insert(1);
                loop {
                    let mut probe = name.clone();
                    push_decimal(&mut probe, *count);
                    *count += 1;
                    if used.insert(probe.clone()) {
                        name = probe;
                        break;
                    }
                }
            }
            let mark = if matches!(symbol, Symbol::Type(_)) { b'!' } else { b'#' };
            name.insert(0, mark);
            aliases.order.push((symbol, known.deferred));
            aliases.names.insert(symbol, name.into());
        }
        aliases
    }
}

impl Visit {
    fn note(&mut self, at: usize, depth: u32, child: bool) {
        self.deepest = self.deepest.max(depth);
        if child {
            self.children.push(at);
        }
    }
}

/// Aliases by what they stand for.
#[derive(Default, Clone, Debug)]
pub(in crate::text::print) struct Aliases {
    names: HashMap<Symbol, Box<[u8]>, hashbrown::DefaultHashBuilder>,
    /// In the order of their definitions; whether they stand behind the operations.
    order: Vec<(Symbol, bool)>,
}

impl Aliases {
    #[inline]
    pub(in crate::text::print) fn get(&self, symbol: Symbol) -> Option<&[u8]> {
        self.names.get(&symbol).map(|name| &**name)
    }

    pub(super) fn ordered(&self, deferred: bool) -> impl Iterator<Item = (Symbol, &[u8])> {
        self.order.iter().filter(move |entry| entry.1 == deferred).map(|entry| (entry.0, &*self.names[&entry.0]))
    }
}

/// Whether an attribute that is printed is printed by an alias.
pub(super) fn has_alias(context: &Context, attribute: Attribute) -> bool {
    alias(context, Symbol::attribute(context, attribute)).is_some()
}

/// The alias that a symbol wants, without number.
fn alias(context: &Context, symbol: Symbol) -> Option<Vec<u8>> {
    let name: &[u8] = match symbol {
        Symbol::Place(..) => b"loc",
        Symbol::Type(ty) => match &context[ty] {
            TypeData::Tuple(types) if types.len() > 16 => b"tuple",
            _ => return None,
        },
        Symbol::Attribute(attribute) => match &context[attribute] {
            AttributeData::AffineMap(_) => b"map",
            AttributeData::IntegerSet(_) => b"set",
            AttributeData::Distinct { referenced, .. } if context[*referenced] != AttributeData::Unit => b"distinct",
            data if data.is_location() => b"loc",
            AttributeData::Dialect(value) => {
                return TextHooks::alias(context, context.bytes(value.dialect), context.bytes(value.mnemonic));
            }
            AttributeData::Text { text, .. } => {
                let (dialect, mnemonic, _) = crate::text::assembly::split_symbol(text)?;
                return TextHooks::alias(context, dialect, mnemonic);
            }
            _ => return None,
        },
    };
    Some(name.to_vec())
}

/// What is printed inside a symbol, in order, and whether it is printed without its type.
fn parts(context: &Context, symbol: Symbol, elided: bool) -> Vec<(Symbol, bool)> {
    let attribute_part = |attribute: Attribute| (Symbol::attribute(context, attribute), false);
    let type_part = |ty: Type| (Symbol::Type(ty), false);
    let mut parts = Vec::new();
    match symbol {
        Symbol::Place(..) => {}
        Symbol::Type(ty) => match &context[ty] {
            TypeData::Function { inputs, results } => {
                parts.extend(inputs.iter().chain(results).map(|&ty| type_part(ty)));
            }
            TypeData::Tuple(types) => parts.extend(types.iter().map(|&ty| type_part(ty))),
            TypeData::Complex(ty) | TypeData::Vector { element: ty, .. } | TypeData::UnrankedTensor(ty) => {
                parts.push(type_part(*ty));
            }
            TypeData::RankedTensor { element, encoding, .. } => {
                parts.push(type_part(*element));
                parts.extend(encoding.map(attribute_part));
            }
            TypeData::MemRef { element, layout, space, .. } => {
                parts.push(type_part(*element));
                if !crate::text::print::types::is_identity(context, *layout) {
                    parts.push(attribute_part(*layout));
                }
                parts.extend(space.filter(|&space| !context.is_default_memory_space(space)).map(attribute_part));
            }
            TypeData::UnrankedMemRef { element, space } => {
                parts.push(type_part(*element));
                parts.extend(space.filter(|&space| !context.is_default_memory_space(space)).map(attribute_part));
            }
            TypeData::Dialect(value) => parts = Printer::symbols_in(context, value, false),
            _ => {}
        },
        Symbol::Attribute(attribute) => {
            let data = &context[attribute];
            match data {
                AttributeData::Array(items) => parts.extend(items.iter().map(|&item| attribute_part(item))),
                AttributeData::Dictionary(entries) => parts.extend(entries.iter().map(|entry| attribute_part(entry.1))),
                AttributeData::Type(ty) => parts.push(type_part(*ty)),
                AttributeData::Distinct { referenced, .. } => parts.push(attribute_part(*referenced)),
                AttributeData::NameLocation { child, .. } if context[*child] != AttributeData::UnknownLocation => {
                    parts.push(attribute_part(*child));
                }
                AttributeData::CallSiteLocation { callee, caller } => {
                    parts.extend([attribute_part(*callee), attribute_part(*caller)]);
                }
                AttributeData::FusedLocation { locations, metadata } => {
                    parts.extend(metadata.map(attribute_part));
                    parts.extend(locations.iter().map(|&location| attribute_part(location)));
                }
                AttributeData::Dialect(value) => parts = Printer::symbols_in(context, value, true),
                _ => {}
            }
            if !elided {
                parts.extend(attribute_type(context, data).map(type_part));
            }
        }
    }
    parts
}

/// The type that is printed behind an attribute.
fn attribute_type(context: &Context, data: &AttributeData) -> Option<Type> {
    data.ty().filter(|&ty| context[ty] != TypeData::None)
}
