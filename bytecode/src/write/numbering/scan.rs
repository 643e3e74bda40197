//! What parts of a module refer to, found on several threads, and met in the order of a walk by one.

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BodyId, Error, Module, OpView, OperationName, Result, TypeRef,
};

use super::Numbering;
use super::walk::{self, Meet, key_of};
use crate::write::ledger::{Key, Split};
use crate::write::lossy::Losses;
use crate::write::parts::{Part, Parts};
use crate::write::property_values::{Plan, references};
use crate::write::target::Target;

/// What operations of one kind refer to beside their locations, or the type of arguments that follow each other.
struct Kind {
    /// None of an argument.
    name: Option<OperationName>,
    attributes: Option<AttributeRef>,
    properties: Option<AttributeRef>,
    /// Where the types of its results begin, and how many there are.
    types: (u32, u32),
    /// The same of what its properties refer to, where that was found.
    references: Option<(u32, u32)>,
    /// How many locations were met before it.
    locations: u32,
    /// How many others are of this kind.
    more: u32,
}

/// What a chunk of the module refers to: each kind where it was first met, with how often it was met in all of the chunk.
#[derive(Default)]
pub(super) struct Met {
    kinds: Vec<Kind>,
    types: Vec<TypeRef>,
    references: Vec<Attribute>,
    /// Each with how often it was met again right after.
    locations: Vec<(AttributeRef, u32)>,
    /// By part, in the order in which they are met: how many kinds and locations were met up to its end.
    ends: Vec<(u32, u32)>,
    /// What is wrong behind all of these.
    wrong: Option<Error>,
}

/// Which locations are met.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    /// In the place of every one, if they are not written.
    pub(super) stripped: Option<AttributeRef>,
    /// In the place of an unknown one of an argument, if it counts.
    pub(super) unknown: Option<AttributeRef>,
}

impl Shown {
    #[inline]
    pub(super) fn of_argument(self, location: Option<AttributeRef>) -> Option<AttributeRef> {
        Some(self.of(location.or(self.unknown)?))
    }

    #[inline]
    pub(super) fn of(self, location: AttributeRef) -> AttributeRef {
        self.stripped.unwrap_or(location)
    }
}

/// What those who look need to know.
#[derive(Clone, Copy)]
struct Looks<'m> {
    module: &'m Module,
    shown: Shown,
    target: &'m Target,
    version: u64,
    /// Whether they find what properties refer to.
    refers: bool,
}

/// Looks at parts of a module.
struct Scan<'m> {
    looks: Looks<'m>,
    /// How properties are laid out.
    plans: HashMap<OperationName, Option<Arc<Plan>>>,
    losses: Losses,
    /// By the number of the name in the context: the kind of the last operation of that name, and its place.
    last: Vec<Option<(Key, u32)>>,
    kinds: HashMap<Key, u32>,
    met: Met,
}

impl<'m> Scan<'m> {
    fn new(looks: Looks<'m>) -> Self {
        Scan {
            looks,
            plans: HashMap::new(),
            losses: Losses::default(),
            last: Vec::new(),
            kinds: HashMap::new(),
            met: Met::default(),
        }
    }

    /// Looks at a chunk, the last part first.
    fn chunk(&mut self, parts: &[Part]) -> Met {
        self.last.clear();
        self.kinds.clear();
        let operations = parts.iter().map(|part| part.operations as usize).sum();
        self.met.locations.reserve(operations);
        for part in parts.iter().rev() {
            if let Err(error) = walk::body(self.looks.module, self, part.body) {
                self.met.wrong = Some(error);
                break;
            }
            self.met.ends.push((self.met.kinds.len() as u32, self.met.locations.len() as u32));
        }
        std::mem::take(&mut self.met)
    }

    #[inline]
    fn location(&mut self, location: AttributeRef) {
        match self.met.locations.last_mut() {
            Some((last, more)) if *last == location => *more += 1,
            _ => self.met.locations.push((location, 0)),
        }
    }

    fn push(
        &mut self,
        name: Option<OperationName>,
        (attributes, properties): Split,
        types: impl Iterator<Item = TypeRef>,
    ) -> u32 {
        let references = name.zip(properties).and_then(|(name, properties)| self.references(name, properties));
        let met = &mut self.met;
        let start = met.types.len() as u32;
        met.types.extend(types);
        let types = (start, met.types.len() as u32 - start);
        let locations = met.locations.len() as u32;
        met.kinds.push(Kind { name, attributes, properties, types, references, locations, more: 0 });
        met.kinds.len() as u32 - 1
    }

    /// Finds what properties refer to, where there is nothing to be said about them.
    fn references(&mut self, name: OperationName, properties: AttributeRef) -> Option<(u32, u32)> {
        let Looks { module, target, version, refers, .. } = self.looks;
        let context = module.context();
        if !refers {
            return None;
        }
        let plan = self.plans.entry(name).or_insert_with(|| Plan::of(context, target, name, version)).as_deref();
        if matches!(plan, Some(Plan::Dialect(_))) {
            return None;
        }
        let dictionary = module.properties(name, properties).ok()?;
        if matches!(context[dictionary], AttributeData::Encoded(_)) {
            return None;
        }
        let found = &mut self.met.references;
        let start = found.len();
        let done = references(context, name, plan, dictionary, (version, target.release), &mut self.losses, found);
        if done.is_err() || !self.losses.is_empty() {
            found.truncate(start);
            self.losses = Losses::default();
            return None;
        }
        Some((start as u32, (found.len() - start) as u32))
    }

    /// Meets an operation of another kind than the last one of its name.
    #[inline(never)]
    fn other(&mut self, key: Key, op: OpView<'_>) {
        let at = key.0.raw() as usize;
        let place = match self.kinds.get(&key) {
            Some(&place) => {
                self.met.kinds[place as usize].more += 1;
                place
            }
            None => {
                let place = self.push(Some(key.0), (key.1, key.2), op.result_types());
                self.kinds.insert(key, place);
                place
            }
        };
        if at >= self.last.len() {
            self.last.resize(at + 1, None);
        }
        self.last[at] = Some((key, place));
    }
}

impl Meet for Scan<'_> {
    fn argument(&mut self, location: Option<AttributeRef>, ty: TypeRef) -> Result<()> {
        if let Some(location) = self.looks.shown.of_argument(location) {
            self.location(location);
        }
        match self.met.kinds.last_mut() {
            Some(Kind { name: None, types, more, .. }) if self.met.types.get(types.0 as usize) == Some(&ty) => {
                *more += 1;
            }
            _ => _ = self.push(None, (None, None), std::iter::once(ty)),
        }
        Ok(())
    }

    #[inline]
    fn operation(&mut self, op: OpView<'_>) -> Result<()> {
        match key_of(op) {
            Some(key) => match self.last.get(key.0.raw() as usize) {
                Some(Some((last, place))) if *last == key => self.met.kinds[*place as usize].more += 1,
                _ => self.other(key, op),
            },
            None => _ = self.push(Some(op.name()), (op.attributes(), op.properties()), op.result_types()),
        }
        self.location(self.looks.shown.of(op.location()));
        Ok(())
    }
}

/// Meets what others found in parts, and what stands between them.
struct Replay<'a, 'm> {
    numbering: &'a mut Numbering<'m>,
    /// Parts that were not met: the last is the next.
    parts: &'a [Part],
    /// What was found in the chunk of the next part, and how many of its parts were met.
    met: (Met, usize),
    next: &'a mut dyn FnMut() -> Option<Met>,
}

impl Meet for Replay<'_, '_> {
    fn argument(&mut self, location: Option<AttributeRef>, ty: TypeRef) -> Result<()> {
        self.numbering.argument(location, ty)
    }

    fn operation(&mut self, op: OpView<'_>) -> Result<()> {
        self.numbering.operation(op)
    }

    fn whole(&mut self, body: BodyId) -> Result<bool> {
        let Some((part, rest)) = self.parts.split_last().filter(|(part, _)| part.body == body) else {
            return Ok(false);
        };
        if self.met.1 == self.met.0.ends.len()
            && self.met.0.wrong.is_none()
            && let Some(next) = (self.next)()
        {
            self.met = (next, 0);
        }
        self.numbering.met_operations += part.operations as usize;
        self.numbering.part(&self.met.0, self.met.1)?;
        self.parts = rest;
        self.met.1 += 1;
        Ok(true)
    }
}

impl Numbering<'_> {
    /// Meets everything, parts as others find them meanwhile.
    pub(super) fn meet_parts(&mut self, parts: &Parts) -> Result<()> {
        let (module, target, version) = (self.module, self.target, self.version);
        let looks = Looks { module, shown: self.shown(), target, version, refers: version >= 5 && !self.keeps };
        let chunks: Vec<_> = parts.chunks.iter().rev().cloned().collect();
        let start = || Scan::new(looks);
        let look = |scan: &mut Scan<'_>, chunk| scan.chunk(parts.chunk(&chunk));
        mlirbc_ir::threads::ahead(parts.threads, 4 * parts.threads, chunks, start, look, |next| {
            let mut replay = Replay { numbering: self, parts: &parts.all, met: (Met::default(), 0), next };
            walk::module(module, &mut replay)
        })
    }

    /// Meets what was found in the part of that number in its chunk.
    fn part(&mut self, met: &Met, at: usize) -> Result<()> {
        let start = at.checked_sub(1).map_or((0, 0), |before| met.ends[before]);
        let (kinds, end) = match met.ends.get(at) {
            Some(&(kinds, locations)) => (&met.kinds[start.0 as usize..kinds as usize], locations),
            None => (&met.kinds[start.0 as usize..], met.locations.len() as u32),
        };
        let mut from = start.1;
        for kind in kinds {
            self.locations(&met.locations[from as usize..kind.locations as usize])?;
            from = kind.locations;
            let types = &met.types[kind.types.0 as usize..][..kind.types.1 as usize];
            let Some(name) = kind.name else {
                types.iter().try_for_each(|&ty| self.type_ref(ty))?;
                self.count_type(types.first().copied(), kind.more);
                continue;
            };
            let given = (kind.attributes, kind.properties);
            let known = kind.references.map(|(start, count)| &met.references[start as usize..][..count as usize]);
            let parts = self.kind(name, types.iter().copied(), given, known)?;
            if kind.more > 0 {
                self.count_kind(name, types.first().copied(), parts, kind.more)?;
            }
        }
        self.locations(&met.locations[from as usize..end as usize])?;
        match &met.wrong {
            Some(error) if at >= met.ends.len() => Err(error.clone()),
            _ => Ok(()),
        }
    }

    #[inline]
    fn locations(&mut self, locations: &[(AttributeRef, u32)]) -> Result<()> {
        for &(location, more) in locations {
            self.attribute_ref(location)?;
            if more > 0
                && let Some(slot) = self.slot(location)?
            {
                self.attributes.add(slot, more);
            }
        }
        Ok(())
    }
}
