//! What differs between two modules.

mod align;
mod equal;
mod show;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use self::align::{Aligned, align};
use self::equal::Equal;
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::body::{BlockId, Body, BodyId, OpId, RegionId, Value};
use crate::error::{Error, ErrorCode, Result};
use crate::module::Location;
use crate::module::OpRef;
use crate::module::{Module, ResourceValue};
use crate::path::step;
use crate::symbols::symbol_text;
use crate::types::Type;

/// What to compare.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CompareOptions {
    /// Whether locations count.
    pub locations: bool,
}

impl CompareOptions {
    /// Everything but locations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether locations count.
    #[must_use]
    pub fn locations(mut self, locations: bool) -> Self {
        self.locations = locations;
        self
    }
}

/// One difference between two modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The innermost symbol that holds it, as `outer::inner`, each as [`symbol_text`](crate::symbol_text) has it; empty
    /// outside of all symbols. [`Module::symbol`] finds it.
    pub symbol: String,
    /// Where it is, in the first module unless it is in the second alone: symbols as `@name`, other operations as
    /// `name#place`, with `rN` and `^N` before them for regions and blocks but the first. A resource is its owner and key.
    pub path: String,
    /// The name of the operation; empty for a resource.
    pub name: String,
    /// What differs.
    pub what: What,
    /// It in the first module, as short text.
    pub first: Option<String>,
    /// It in the second module, as short text.
    pub second: Option<String>,
    /// Of an operation that is in one module alone: where it is there.
    pub alone: Option<(BodyId, OpId)>,
}

/// What of an operation differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// The operation or resource is in one module alone.
    Presence,
    /// Its name.
    Name,
    /// The discardable attribute of that name.
    Attribute(String),
    /// The inherent attribute or native property of that name; empty where the properties are opaque.
    Property(String),
    /// The values that it uses.
    Operands,
    /// The types of its results.
    Results,
    /// The blocks that it may go on to.
    Successors,
    /// The number of its regions, or of blocks in them.
    Regions,
    /// The types of the arguments of a block in it.
    Arguments,
    /// Its location, or that of an argument of a block in it.
    Location,
    /// What a resource holds.
    Resource,
}

impl What {
    /// One word for it, for scripts.
    pub fn keyword(&self) -> &'static str {
        match self {
            What::Presence => "presence",
            What::Name => "name",
            What::Attribute(_) => "attribute",
            What::Property(_) => "property",
            What::Operands => "operands",
            What::Results => "results",
            What::Successors => "successors",
            What::Regions => "regions",
            What::Arguments => "arguments",
            What::Location => "location",
            What::Resource => "resource",
        }
    }
}

/// What differs between two modules of one context, operation by operation.
///
/// Symbols are compared by name, other operations in order. Distinct attributes are equal where they stand at the same
/// places; resources by what they hold; opaque attributes and types by their bytes, which only means something where
/// both files number their tables alike. Producers, versions and orders of uses do not count.
///
/// # Errors
/// Where a module cannot be decoded, or the modules are of different contexts.
///
/// ```
/// use mlirbc_ir::{BodyBuilder, CompareOptions, Context, Module, OpHead, Result, What, compare};
///
/// let context = Context::new();
/// let module = |value: i64| -> Result<Module> {
///     let mut body = BodyBuilder::new(1);
///     let (block, start) = (body.push_block(body.top_regions()[0]), body.operand_start());
///     let attributes = context.dictionary(vec![(context.identifier("value"), context.integer(32, value))])?;
///     let head = OpHead::new(context.operation_name("toy.constant", false), context.unknown_location().into());
///     let head = OpHead { attributes: Some(attributes.into()), ..head };
///     body.append_simple(block, head, start, Some(context.integer_type(32).into()));
///     Ok(Module::from_bodies(&context, None, vec![(body.finish(), None)]))
/// };
/// let differences = compare(&module(1)?, &module(2)?, &CompareOptions::new())?;
/// assert_eq!(differences[0].what, What::Attribute("value".into()));
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
pub fn compare(first: &Module, second: &Module, options: &CompareOptions) -> Result<Vec<Difference>> {
    if !first.context().is(second.context()) {
        return Err(
            Error::misuse("modules of different contexts cannot be compared").with_code(ErrorCode::OtherContext)
        );
    }
    let mut comparison =
        Comparison { first, second, options, equal: Equal::new(first.context()), differences: Vec::new() };
    comparison.run()?;
    comparison.resources()?;
    Ok(comparison.differences)
}

struct Comparison<'m> {
    first: &'m Module,
    second: &'m Module,
    options: &'m CompareOptions,
    equal: Equal<'m>,
    differences: Vec<Difference>,
}

/// Where something is.
#[derive(Clone, Default)]
struct Place {
    symbol: String,
    path: String,
}

/// Regions of two operations that stand for each other, and where these are.
struct Regions {
    first: Vec<RegionId>,
    second: Vec<RegionId>,
    place: Place,
    /// The operation's name; none for the top-level regions.
    name: String,
}

/// Two bodies, and the regions to begin with.
struct Bodies {
    first: BodyId,
    second: BodyId,
    regions: Regions,
}

/// Operations of two bodies that stand for each other, and where they are.
struct Pair<'m> {
    a: OpRef<'m>,
    b: OpRef<'m>,
    place: Place,
}

/// What is the same thing in two bodies.
#[derive(Default)]
struct Matches {
    values: HashMap<Value, Value>,
    blocks: HashMap<BlockId, BlockId>,
}

impl<'m> Comparison<'m> {
    fn run(&mut self) -> Result<()> {
        let top = BodyId::from_index(Module::TOP);
        let regions = Regions {
            first: self.first.body(top)?.top_regions().to_vec(),
            second: self.second.body(top)?.top_regions().to_vec(),
            place: Place::default(),
            name: String::new(),
        };
        let mut waiting = VecDeque::from([Bodies { first: top, second: top, regions }]);
        while let Some(bodies) = waiting.pop_front() {
            self.bodies(bodies, &mut waiting)?;
        }
        Ok(())
    }

    /// Finds out which operations of two bodies stand for each other, then compares these.
    fn bodies(&mut self, bodies: Bodies, waiting: &mut VecDeque<Bodies>) -> Result<()> {
        let mut matches = Matches::default();
        let mut pairs = Vec::new();
        let mut regions = vec![bodies.regions];
        while let Some(Regions { first, second, place, name }) = regions.pop() {
            let start = pairs.len();
            for (number, (&x, &y)) in first.iter().zip(&second).enumerate() {
                let ids = (bodies.first, bodies.second);
                self.region(ids, (x, y, number), &place, &name, &mut matches, &mut pairs)?;
            }
            for pair in pairs[start..].iter().rev() {
                self.nested(pair, &mut regions, waiting)?;
            }
        }
        for pair in &pairs {
            self.operation(pair, &matches)?;
        }
        Ok(())
    }

    /// Regions of operations that stand for each other: of the same two bodies, or of others, for later.
    fn nested(&mut self, pair: &Pair<'m>, regions: &mut Vec<Regions>, waiting: &mut VecDeque<Bodies>) -> Result<()> {
        let (a, b) = (pair.a, pair.b);
        let (number, other) = (a.body().region_count_of(a.id()), b.body().region_count_of(b.id()));
        if number != other {
            let count = |number: usize| Some(Error::counted(number, "region"));
            self.note(&pair.place, &a.name(), What::Regions, count(number), count(other));
            return Ok(());
        }
        let (first, body, of_a) = a.region_tree()?;
        let (second, other, of_b) = b.region_tree()?;
        let place = pair.place.clone();
        // Regions without blocks need no body, and so are not always there.
        if of_a.is_empty() || of_b.is_empty() {
            let count =
                |body: &Body, of: &[RegionId]| of.iter().map(|&region| body.blocks(region).count()).sum::<usize>();
            let (blocks, others) = (count(body, &of_a), count(other, &of_b));
            if blocks != others {
                let text = |blocks: usize| Some(Error::counted(blocks, "block"));
                self.note(&place, &a.name(), What::Regions, text(blocks), text(others));
            }
            return Ok(());
        }
        let inside = Regions { first: of_a, second: of_b, place, name: a.name().into_owned() };
        match (a.body().region_body(a.id()), b.body().region_body(b.id())) {
            (None, None) => regions.push(inside),
            _ => waiting.push_back(Bodies { first, second, regions: inside }),
        }
        Ok(())
    }

    fn region(
        &mut self,
        bodies: (BodyId, BodyId),
        (x, y, number): (RegionId, RegionId, usize),
        place: &Place,
        name: &str,
        matches: &mut Matches,
        pairs: &mut Vec<Pair<'m>>,
    ) -> Result<()> {
        let (a, b) = (self.first.body(bodies.0)?, self.second.body(bodies.1)?);
        let (of_a, of_b): (Vec<BlockId>, Vec<BlockId>) = (a.blocks(x).collect(), b.blocks(y).collect());
        if of_a.len() != of_b.len() {
            let count =
                |blocks: &[BlockId]| Some(format!("{} in region {number}", Error::counted(blocks.len(), "block")));
            self.note(place, name, What::Regions, count(&of_a), count(&of_b));
        }
        for (at, (&x, &y)) in of_a.iter().zip(&of_b).enumerate() {
            matches.blocks.insert(x, y);
            self.arguments(bodies, (x, y), place, name, matches)?;
            let of_a = self.entries(self.first, bodies.0, x)?;
            let of_b = self.entries(self.second, bodies.1, y)?;
            for aligned in align(&keys(&of_a), &keys(&of_b)) {
                match aligned {
                    Aligned::Both(i, j) => {
                        let (a, b) = (of_a[i].op, of_b[j].op);
                        let values = a.results().zip(b.results());
                        matches.values.extend(values);
                        let root = name.is_empty() && of_a.len() == 1 && of_a[i].symbol.is_none();
                        let place = if root { place.clone() } else { of_a[i].place(place, (number, at), i) };
                        pairs.push(Pair { a, b, place });
                    }
                    Aligned::First(i) => {
                        let place = of_a[i].place(place, (number, at), i);
                        self.note_alone(&place, of_a[i].op, true);
                    }
                    Aligned::Second(j) => {
                        let place = of_b[j].place(place, (number, at), j);
                        self.note_alone(&place, of_b[j].op, false);
                    }
                }
            }
        }
        Ok(())
    }

    fn arguments(
        &mut self,
        bodies: (BodyId, BodyId),
        (x, y): (BlockId, BlockId),
        place: &Place,
        name: &str,
        matches: &mut Matches,
    ) -> Result<()> {
        let (a, b) = (self.first.body(bodies.0)?, self.second.body(bodies.1)?);
        let (of_a, of_b) = (a.arguments(x), b.arguments(y));
        matches.values.extend(of_a.iter().copied().zip(of_b.iter().copied()));
        let types = of_a.iter().map(|&value| self.first.ty(a.ty(value))).collect::<Result<Vec<_>>>()?;
        let others = of_b.iter().map(|&value| self.second.ty(b.ty(value))).collect::<Result<Vec<_>>>()?;
        self.types(place, name, What::Arguments, &types, &others);
        if self.options.locations {
            let unknown = Location::Attribute(self.first.context().unknown_location());
            for (x, y) in a.argument_locations(x).iter().zip(b.argument_locations(y)) {
                let x = x.map_or(Ok(unknown), |x| self.first.location(x))?;
                let y = y.map_or(Ok(unknown), |y| self.second.location(y))?;
                self.locations(place, name, x, y);
            }
        }
        Ok(())
    }

    fn operation(&mut self, pair: &Pair<'m>, matches: &Matches) -> Result<()> {
        let Pair { a, b, place } = pair;
        let (name, other) = (a.name(), b.name());
        if name != other {
            self.note(place, &name, What::Name, Some(name.clone().into_owned()), Some(other.into_owned()));
        } else {
            let (attributes, properties) = a.dictionaries()?;
            let (others, other) = b.dictionaries()?;
            self.dictionaries(place, &name, attributes, others, What::Attribute);
            self.dictionaries(place, &name, properties, other, What::Property);
        }
        let (x, y) = (a.operands(), b.operands());
        if x.len() != y.len() || x.iter().zip(y).any(|(x, y)| matches.values.get(x) != Some(y)) {
            self.note(place, &name, What::Operands, Some(show::operands(*a)), Some(show::operands(*b)));
        }
        let types = a.results().map(|value| a.type_of(value)).collect::<Result<Vec<_>>>()?;
        let others = b.results().map(|value| b.type_of(value)).collect::<Result<Vec<_>>>()?;
        self.types(place, &name, What::Results, &types, &others);
        let (x, y) = (a.body().successors(a.id()), b.body().successors(b.id()));
        if x.len() != y.len() || x.iter().zip(y).any(|(x, y)| matches.blocks.get(x) != Some(y)) {
            self.note(place, &name, What::Successors, Some(show::blocks(*a)), Some(show::blocks(*b)));
        }
        if self.options.locations {
            self.locations(place, &name, a.location()?, b.location()?);
        }
        Ok(())
    }

    fn dictionaries(
        &mut self,
        place: &Place,
        name: &str,
        a: Option<Attribute>,
        b: Option<Attribute>,
        what: impl Fn(String) -> What,
    ) {
        if a == b || a.zip(b).is_some_and(|(a, b)| self.equal.attributes(a, b)) {
            return;
        }
        let context = self.first.context();
        let text = |attribute: Option<Attribute>| attribute.map(|attribute| show::attribute(context, attribute));
        let entries = |attribute: Option<Attribute>| match attribute.map(|attribute| &context[attribute]) {
            None => Some(&[] as &[NamedAttribute]),
            Some(AttributeData::Dictionary(entries)) => Some(&**entries),
            Some(_) => None,
        };
        let (Some(of_a), Some(of_b)) = (entries(a), entries(b)) else {
            self.note(place, name, what(String::new()), text(a), text(b));
            return;
        };
        let mut keys: Vec<_> = of_a.iter().chain(of_b).map(|entry| entry.0).collect();
        keys.sort_by(|a, b| context.bytes(*a).cmp(context.bytes(*b)));
        keys.dedup();
        for key in keys {
            let find = |of: &[NamedAttribute]| of.iter().find(|entry| entry.0 == key).map(|entry| entry.1);
            let (x, y) = (find(of_a), find(of_b));
            if !x.zip(y).is_some_and(|(x, y)| self.equal.attributes(x, y)) {
                self.note(place, name, what(context.text(key).into_owned()), text(x), text(y));
            }
        }
    }

    fn types(&mut self, place: &Place, name: &str, what: What, a: &[Type], b: &[Type]) {
        if a.len() != b.len() || a.iter().zip(b).any(|(&x, &y)| !self.equal.types(x, y)) {
            let text = |types: &[Type]| Some(show::types(self.first.context(), types));
            let (first, second) = (text(a), text(b));
            self.note(place, name, what, first, second);
        }
    }

    fn locations(&mut self, place: &Place, name: &str, a: Location, b: Location) {
        if a == b {
            return;
        }
        let context = self.first.context();
        let (a, b) = (a.attribute(context), b.attribute(context));
        if !self.equal.attributes(a, b) {
            let (first, second) = (show::attribute(context, a), show::attribute(context, b));
            self.note(place, name, What::Location, Some(first), Some(second));
        }
    }

    fn resources(&mut self) -> Result<()> {
        let (a, b) = (held(self.first)?, held(self.second)?);
        let mut keys: Vec<_> = a.keys().chain(b.keys()).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let (x, y) = (a.get(key), b.get(key));
            for value in x.iter().chain(&y) {
                if let ResourceValue::Blob { data, .. } = value {
                    data.bytes()?;
                }
            }
            if x == y {
                continue;
            }
            let what = if x.is_some() && y.is_some() { What::Resource } else { What::Presence };
            let path = format!("{}/{}", String::from_utf8_lossy(key.1), String::from_utf8_lossy(key.2));
            let place = Place { symbol: String::new(), path };
            self.note(&place, "", what, x.map(|value| show::resource(value)), y.map(|value| show::resource(value)));
        }
        Ok(())
    }

    /// The operations of a block, each with what it is like.
    fn entries(&self, module: &'m Module, id: BodyId, block: BlockId) -> Result<Vec<Entry<'m>>> {
        let body = module.body(id)?;
        body.operations(block).map(|op| Entry::new(OpRef::new(module, id, body, op))).collect()
    }

    fn note(&mut self, place: &Place, name: &str, what: What, first: Option<String>, second: Option<String>) {
        let (symbol, path) = (place.symbol.clone(), place.path.clone());
        self.differences.push(Difference { symbol, path, name: name.into(), what, first, second, alone: None });
    }

    /// Notes an operation that is in one module alone, the first or the second.
    fn note_alone(&mut self, place: &Place, op: OpRef<'_>, in_first: bool) {
        let what = Some("an operation".into());
        let (first, second) = if in_first { (what, None) } else { (None, what) };
        self.note(place, &op.name(), What::Presence, first, second);
        if let Some(noted) = self.differences.last_mut() {
            noted.alone = Some(op.place());
        }
    }
}

type ResourceName<'m> = (bool, &'m [u8], &'m [u8]);

fn held(module: &Module) -> Result<BTreeMap<ResourceName<'_>, &ResourceValue>> {
    let groups = module.resources()?.iter();
    let entries = groups.flat_map(|group| group.entries.iter().map(move |entry| (group, entry)));
    let named =
        entries.map(|(group, entry)| ((group.dialect, module.context().bytes(group.owner), &*entry.key), &entry.value));
    Ok(named.collect())
}

/// An operation, and what it is aligned by.
struct Entry<'m> {
    op: OpRef<'m>,
    symbol: Option<String>,
    /// What the operation is like, and what it is called.
    key: (u64, u64),
}

impl<'m> Entry<'m> {
    fn new(op: OpRef<'m>) -> Result<Self> {
        let context = op.module().context();
        let symbol = op.symbol_name()?;
        let name = context.operation_identifier(op.operation_name());
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        symbol.hash(&mut hasher);
        let called = hasher.finish();
        // A symbol is itself whatever became of it.
        if symbol.is_none() {
            // A dictionary without entries is none.
            let is_empty =
                |of: &Attribute| matches!(&context[*of], AttributeData::Dictionary(items) if items.is_empty());
            let (attributes, properties) = op.dictionaries()?;
            [attributes, properties].map(|of| of.filter(|of| !is_empty(of))).hash(&mut hasher);
            for value in op.results() {
                op.type_of(value)?.hash(&mut hasher);
            }
        }
        let symbol = symbol.map(|symbol| symbol_text(context.bytes(symbol)));
        Ok(Entry { op, symbol, key: (hasher.finish(), called) })
    }

    fn place(&self, outer: &Place, (region, block): (usize, usize), at: usize) -> Place {
        let separator = if outer.path.is_empty() { "" } else { "/" };
        let symbol = match &self.symbol {
            Some(symbol) if outer.symbol.is_empty() => symbol.clone(),
            Some(symbol) => format!("{}::{symbol}", outer.symbol),
            None => outer.symbol.clone(),
        };
        let own = step(self.op, self.symbol.as_deref(), region, block, at);
        Place { symbol, path: format!("{}{separator}{own}", outer.path) }
    }
}

fn keys(entries: &[Entry<'_>]) -> Vec<(u64, u64)> {
    entries.iter().map(|entry| entry.key).collect()
}
