//! Aliases: short names for attributes, types and locations, defined before or behind the operations.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::hooks::TextHooks;
use mlirbc_ir::text::{Aliasable, Aliases, is_identity, push_decimal, values_in};
use mlirbc_ir::{Attribute, AttributeData, Context, Type, TypeData};

struct Known {
    alias: Option<Cow<'static, [u8]>>,
    depth: u32,
    deferred: bool,
    /// Where in `Collector::children` those are that it holds.
    children: Range<usize>,
}

/// Stands for a symbol of which nothing is to be known: neither it nor any part of it has an alias.
const NOTHING: u32 = u32::MAX;

/// Finds out what gets an alias.
#[derive(Default)]
pub(super) struct Collector {
    /// Where in `known` a symbol stands.
    places: HashMap<Aliasable, u32>,
    known: Vec<(Aliasable, Known)>,
    /// Where in `known` stands what others hold.
    children: Vec<u32>,
    /// Symbols whose parts are being visited, their parts, and those of them that were found to be known.
    visits: Vec<Visit>,
    parts: Vec<(Aliasable, bool)>,
    found: Vec<u32>,
}

/// A symbol whose parts are being visited.
struct Visit {
    at: usize,
    /// Those of its parts that come next.
    parts: Range<usize>,
    deferred: bool,
    deepest: u32,
    /// From where on what was found is its.
    found: usize,
}

impl Collector {
    /// Notes that the symbol is printed. What is not deferred must be defined before the operations.
    pub(super) fn visit(&mut self, context: &Context, symbol: Aliasable, deferred: bool) {
        let mut next = Some((symbol, deferred, false));
        loop {
            if let Some((symbol, deferred, elided)) = next.take() {
                match self.places.get(&symbol) {
                    Some(&NOTHING) => {}
                    Some(&at) => {
                        if !deferred {
                            self.settle(at as usize);
                        }
                        let known = &self.known[at as usize].1;
                        let (depth, is_child) = (known.depth, known.alias.is_some() || known.depth > 0);
                        self.note(at, depth, is_child);
                    }
                    None => {
                        let at = self.known.len();
                        self.places.insert(symbol, at as u32);
                        let alias = alias(context, symbol);
                        let depth = u32::from(alias.is_some());
                        self.known.push((symbol, Known { alias, depth, deferred, children: 0..0 }));
                        let start = self.parts.len();
                        parts(context, symbol, elided, &mut self.parts);
                        let (parts, found) = (start..self.parts.len(), self.found.len());
                        self.visits.push(Visit { at, parts, deferred, deepest: 0, found });
                    }
                }
            }
            let Some(visit) = self.visits.last_mut() else { return };
            if let Some(part) = visit.parts.next() {
                let (part, elided) = self.parts[part];
                next = Some((part, visit.deferred, elided));
                continue;
            }
            let Some(done) = self.visits.pop() else { return };
            self.parts.truncate(self.visits.last().map_or(0, |visit| visit.parts.end));
            let has_parts = done.deepest > 0 || self.found.len() > done.found;
            if let Some((symbol, _)) = self.known.pop_if(|(_, known)| !has_parts && known.alias.is_none()) {
                // All that came behind it has gone, too.
                self.places.insert(symbol, NOTHING);
                continue;
            }
            let start = self.children.len();
            self.children.extend(self.found.drain(done.found..));
            let known = &mut self.known[done.at].1;
            known.children = start..self.children.len();
            if done.deepest > 0 {
                known.depth = done.deepest + 1;
            }
            let depth = known.depth;
            self.note(done.at as u32, depth, true);
        }
    }

    /// Notes a part for the symbol that is being visited.
    fn note(&mut self, at: u32, depth: u32, is_child: bool) {
        if let Some(visit) = self.visits.last_mut() {
            visit.deepest = visit.deepest.max(depth);
            self.found.extend(is_child.then_some(at));
        }
    }

    /// The symbol and what is in it cannot be deferred.
    fn settle(&mut self, at: usize) {
        if !self.known[at].1.deferred {
            return;
        }
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            let known = &mut self.known[at].1;
            if known.deferred {
                known.deferred = false;
                waiting.extend(self.children[known.children.clone()].iter().map(|&child| child as usize));
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
        let Named { mut definitions, mut names } = Named::default();
        let ends_in_digit = |name: &[u8]| name.last().is_some_and(u8::is_ascii_digit);
        // Where none does, a number behind one makes a name that is no other's.
        let may_clash = known.iter().any(|(_, known)| known.alias.as_deref().is_some_and(ends_in_digit));
        let mut used: HashSet<Vec<u8>> = HashSet::new();
        let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
        for (symbol, known) in known {
            let alias = known.alias.unwrap_or_default();
            names.push(if matches!(symbol, Aliasable::Type(_)) { b'!' } else { b'#' });
            let start = names.len();
            names.extend_from_slice(&alias);
            if !used.contains(&*alias) {
                used.insert(alias.into_owned());
            } else {
                if ends_in_digit(&alias) {
                    names.push(b'_');
                }
                let (stem, count) = (names.len(), counts.entry_ref(&names[start..]).or_insert(1u64));
                loop {
                    push_decimal(&mut names, *count);
                    *count += 1;
                    if !may_clash || used.insert(names[start..].to_vec()) {
                        break;
                    }
                    names.truncate(stem);
                }
            }
            definitions.push(Definition { of: symbol, name: start - 1..names.len(), deferred: known.deferred });
        }
        Named { definitions, names }
    }
}

/// What gets an alias, in the order of the definitions.
#[derive(Default)]
pub(super) struct Named {
    definitions: Vec<Definition>,
    /// All names, one after the other.
    names: Vec<u8>,
}

/// The definition of an alias.
struct Definition {
    of: Aliasable,
    /// Where its name is.
    name: Range<usize>,
    /// Whether it stands behind the operations.
    deferred: bool,
}

impl Named {
    /// The aliases by what they stand for.
    pub(super) fn aliases(&self) -> Aliases {
        self.definitions.iter().map(|definition| (definition.of, &self.names[definition.name.clone()])).collect()
    }

    pub(super) fn ordered(&self, deferred: bool) -> impl Iterator<Item = (Aliasable, &[u8])> {
        let some = self.definitions.iter().filter(move |it| it.deferred == deferred);
        some.map(|it| (it.of, &self.names[it.name.clone()]))
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

/// Adds what is printed inside a symbol, in order, and whether it is printed without its type.
fn parts(context: &Context, symbol: Aliasable, elided: bool, parts: &mut Vec<(Aliasable, bool)>) {
    let attribute_part = |attribute: Attribute| (Aliasable::attribute(context, attribute), false);
    let type_part = |ty: Type| (Aliasable::Type(ty), false);
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
            TypeData::Dialect(value) => parts.extend(values_in(context, value, false)),
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
                AttributeData::Dialect(value) => parts.extend(values_in(context, value, true)),
                _ => {}
            }
            if !elided {
                parts.extend(attribute_type(context, data).map(type_part));
            }
        }
    }
}

/// The type that is printed behind an attribute.
fn attribute_type(context: &Context, data: &AttributeData) -> Option<Type> {
    data.ty().filter(|&ty| context[ty] != TypeData::None)
}
