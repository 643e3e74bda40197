//! Aliases: short names for attributes, types and locations, defined before or behind the operations.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::hooks::TextHooks;
use mlirbc_ir::text::{Aliasable, Aliases, is_identity, push_decimal, values_in};
use mlirbc_ir::{Attribute, AttributeData, Context, Type, TypeData};

struct Known {
    alias: Option<Cow<'static, [u8]>>,
    depth: u32,
    deferred: bool,
    children: Vec<usize>,
}

/// Stands for a symbol of which nothing is to be known: neither it nor any part of it has an alias.
const NOTHING: u32 = u32::MAX;

/// Finds out what gets an alias.
#[derive(Default)]
pub(super) struct Collector {
    /// Where in `known` a symbol stands.
    places: HashMap<Aliasable, u32>,
    known: Vec<(Aliasable, Known)>,
}

/// A symbol whose parts are being visited.
struct Visit {
    at: usize,
    parts: std::vec::IntoIter<(Aliasable, bool)>,
    deferred: bool,
    deepest: u32,
    children: Vec<usize>,
}

impl Collector {
    /// Notes that the symbol is printed. What is not deferred must be defined before the operations.
    pub(super) fn visit(&mut self, context: &Context, symbol: Aliasable, deferred: bool) {
        let mut stack: Vec<Visit> = Vec::new();
        let mut next = Some((symbol, deferred, false));
        loop {
            if let Some((symbol, deferred, elided)) = next.take() {
                match self.places.get(&symbol) {
                    Some(&NOTHING) => {}
                    Some(&at) => {
                        let at = at as usize;
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
                        self.places.insert(symbol, at as u32);
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
                    let has_parts = done.deepest > 0 || !done.children.is_empty();
                    if let Some((symbol, _)) = self.known.pop_if(|(_, known)| !has_parts && known.alias.is_none()) {
                        // All that came behind it has gone, too.
                        self.places.insert(symbol, NOTHING);
                        continue;
                    }
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

    pub(super) fn finish(self) -> Named {
        let mut known: Vec<(Aliasable, Known)> =
            self.known.into_iter().filter(|entry| entry.1.alias.is_some()).collect();
        known.sort_by(|(a, x), (b, y)| {
            let kind = |symbol: &Aliasable| !matches!(symbol, Aliasable::Type(_));
            x.depth.cmp(&y.depth).then(kind(a).cmp(&kind(b))).then(x.alias.cmp(&y.alias))
        });
        let mut named = Named::default();
        let ends_in_digit = |name: &[u8]| name.last().is_some_and(u8::is_ascii_digit);
        // Where none does, a number behind one makes a name that is no other's.
        let may_clash = known.iter().any(|(_, known)| known.alias.as_deref().is_some_and(ends_in_digit));
        let mut used: HashSet<Vec<u8>> = HashSet::new();
        let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
        for (symbol, known) in known {
            let alias = known.alias.unwrap_or_default();
            let mark = if matches!(symbol, Aliasable::Type(_)) { b'!' } else { b'#' };
            let mut name = Vec::with_capacity(alias.len() + 8);
            name.push(mark);
            name.extend_from_slice(&alias);
            if !used.contains(&*alias) {
                used.insert(alias.into_owned());
            } else {
                if ends_in_digit(&name) {
                    name.push(b'_');
                }
                let (stem, count) = (name.len(), counts.entry_ref(&name[1..]).or_insert(1u64));
                loop {
                    push_decimal(&mut name, *count);
                    *count += 1;
                    if !may_clash || used.insert(name[1..].to_vec()) {
                        break;
                    }
                    name.truncate(stem);
                }
            }
            named.0.push(Definition { of: symbol, name: name.into(), deferred: known.deferred });
        }
        named
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

/// What gets an alias, in the order of the definitions.
#[derive(Default)]
pub(super) struct Named(Vec<Definition>);

/// The definition of an alias.
struct Definition {
    of: Aliasable,
    name: Box<[u8]>,
    /// Whether it stands behind the operations.
    deferred: bool,
}

impl Named {
    /// The aliases by what they stand for.
    pub(super) fn aliases(&self) -> Aliases {
        self.0.iter().map(|definition| (definition.of, definition.name.clone())).collect()
    }

    pub(super) fn ordered(&self, deferred: bool) -> impl Iterator<Item = (Aliasable, &[u8])> {
        self.0.iter().filter(move |it| it.deferred == deferred).map(|it| (it.of, &*it.name))
    }
}

/// Whether an attribute that is printed is printed by an alias.
pub(super) fn has_alias(context: &Context, attribute: Attribute) -> bool {
    alias(context, Aliasable::attribute(context, attribute)).is_some()
}

/// The alias that a symbol wants, without number.
fn alias(context: &Context, symbol: Aliasable) -> Option<Cow<'static, [u8]>> {
    let name: &'static [u8] = match symbol {
        Aliasable::Place(..) => b"loc",
        Aliasable::Type(ty) => match &context[ty] {
            TypeData::Tuple(types) if types.len() > 16 => b"tuple",
            _ => return None,
        },
        Aliasable::Attribute(attribute) => match &context[attribute] {
            AttributeData::AffineMap(_) => b"map",
            AttributeData::IntegerSet(_) => b"set",
            AttributeData::Distinct { referenced, .. } if context[*referenced] != AttributeData::Unit => b"distinct",
            data if data.is_location() => b"loc",
            AttributeData::Dialect(value) => {
                return TextHooks::alias(context, context.bytes(value.dialect), context.bytes(value.mnemonic))
                    .map(Cow::Owned);
            }
            AttributeData::Text { text, .. } => {
                let (dialect, mnemonic, _) = mlirbc_ir::text::split_symbol(text)?;
                return TextHooks::alias(context, dialect, mnemonic).map(Cow::Owned);
            }
            _ => return None,
        },
    };
    Some(Cow::Borrowed(name))
}

/// What is printed inside a symbol, in order, and whether it is printed without its type.
fn parts(context: &Context, symbol: Aliasable, elided: bool) -> Vec<(Aliasable, bool)> {
    let attribute_part = |attribute: Attribute| (Aliasable::attribute(context, attribute), false);
    let type_part = |ty: Type| (Aliasable::Type(ty), false);
    let mut parts = Vec::new();
    match symbol {
        Aliasable::Place(..) => {}
        Aliasable::Type(ty) => match &context[ty] {
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
                if !is_identity(context, *layout) {
                    parts.push(attribute_part(*layout));
                }
                parts.extend(space.filter(|&space| !context.is_default_memory_space(space)).map(attribute_part));
            }
            TypeData::UnrankedMemRef { element, space } => {
                parts.push(type_part(*element));
                parts.extend(space.filter(|&space| !context.is_default_memory_space(space)).map(attribute_part));
            }
            TypeData::Dialect(value) => parts = values_in(context, value, false),
            _ => {}
        },
        Aliasable::Attribute(attribute) => {
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
                AttributeData::Dialect(value) => parts = values_in(context, value, true),
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
