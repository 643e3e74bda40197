//! In which order the patterns of a conversion are tried (`OperationLegalizer` in `mlir/lib/Transforms/Utils/DialectConversion.cpp`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::pattern::{ConversionPattern, ConversionPatterns};
use super::target::ConversionTarget;
use super::types::{Converters, TypesId};

/// Patterns in the order in which they are tried.
pub(super) type Tried = Arc<[TriedPattern]>;

#[derive(Clone, Debug)]
pub(super) struct TriedPattern {
    /// Its number among all of the conversion.
    pub(super) number: usize,
    pub(super) types: Option<TypesId>,
    pub(super) pattern: ConversionPattern,
}

/// The numbers of patterns, by operation.
type Numbers<'p> = BTreeMap<&'p str, Vec<usize>>;

/// In which order patterns are tried, by operation.
#[derive(Clone, Debug)]
pub(super) struct Order {
    named: HashMap<Box<str>, Tried>,
    /// For operations that have no patterns of their own.
    others: Tried,
    /// The type converters of all patterns.
    pub(super) converters: Converters,
}

impl Order {
    pub(super) fn new(patterns: &ConversionPatterns, target: &ConversionTarget) -> Self {
        let mut all: Vec<&ConversionPattern> = Vec::new();
        let mut named = Numbers::new();
        for (name, patterns) in patterns.named.iter().filter(|(name, _)| !target.is_always_legal(name)) {
            named.insert(name, (all.len()..all.len() + patterns.len()).collect());
            all.extend(patterns);
        }
        let any = all.len()..all.len() + patterns.any.len();
        all.extend(&patterns.any);
        // What a pattern for any operation leads to cannot be told: then all others may be of use.
        let useful = if any.is_empty() { useful(&named, &all, target) } else { named };
        let mut depths = Depths { all: &all, useful: &useful, of: HashMap::new(), sorted: HashMap::new() };
        for name in useful.keys() {
            depths.of(name);
        }
        let (_, any) = depths.sort(&any.collect::<Vec<_>>());
        let mut converters = Converters::default();
        let mut tried = |order: &[usize]| {
            let tried = order.iter().map(|&number| {
                let pattern = all[number].clone();
                TriedPattern { number, types: pattern.types.as_ref().map(|types| converters.id(types)), pattern }
            });
            tried.collect::<Tried>()
        };
        let merged = |(name, own): (&&str, &Vec<usize>)| (Box::from(*name), tried(&merge(own, &any, &all)));
        let named = depths.sorted.iter().map(merged).collect();
        let others = tried(&any);
        Order { named, others, converters }
    }

    /// The patterns that are tried on operations of that name.
    pub(super) fn of(&self, operation: &str) -> &Tried {
        self.named.get(operation).unwrap_or(&self.others)
    }
}

/// The patterns of which all that they make may be legal or has such patterns in turn. Those that were found last come first: so do, of
/// equal ones, those that were added last.
fn useful<'p>(named: &Numbers<'p>, all: &[&'p ConversionPattern], target: &ConversionTarget) -> Numbers<'p> {
    let mut left: Vec<(&str, usize)> = Vec::new();
    let mut makers: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for (&name, patterns) in named {
        for &number in patterns {
            left.push((name, number));
            for made in &all[number].generates {
                makers.entry(made).or_default().insert(name);
            }
        }
    }
    let mut waiting: HashSet<usize> = left.iter().map(|pattern| pattern.1).collect();
    let mut missing = waiting.clone();
    let mut found = Numbers::new();
    while let Some((name, number)) = left.pop() {
        waiting.remove(&number);
        let leads = |made: &str| found.contains_key(made) || target.may_be_legal(made);
        if !all[number].generates.iter().all(|made| leads(made)) {
            continue;
        }
        found.entry(name).or_default().push(number);
        missing.remove(&number);
        // Those that make this operation may be of use now.
        for &maker in makers.get(name).into_iter().flatten() {
            let again = named[maker].iter().filter(|number| missing.contains(*number));
            left.extend(again.filter(|number| waiting.insert(**number)).map(|&number| (maker, number)));
        }
    }
    found
}

/// How many patterns have to be applied, each to what came of the one before, until an operation is legal.
struct Depths<'p> {
    all: &'p [&'p ConversionPattern],
    useful: &'p Numbers<'p>,
    /// By operation; `None` while it is being found.
    of: HashMap<&'p str, Option<u32>>,
    /// The patterns of each operation in order.
    sorted: HashMap<&'p str, Vec<usize>>,
}

impl<'p> Depths<'p> {
    /// The fewest patterns for an operation of that name; `None` where that is being asked, because something that it becomes may become
    /// it again.
    fn of(&mut self, name: &str) -> Option<u32> {
        let useful = self.useful;
        let Some((&name, patterns)) = useful.get_key_value(name) else { return Some(0) };
        if let Some(&known) = self.of.get(name) {
            return known;
        }
        self.of.insert(name, None);
        let (least, sorted) = self.sort(patterns);
        self.of.insert(name, Some(least));
        self.sorted.insert(name, sorted);
        Some(least)
    }

    /// Those of the fewest steps first, then those of the highest benefit. Gives the fewest steps, too.
    fn sort(&mut self, patterns: &[usize]) -> (u32, Vec<usize>) {
        let all = self.all;
        let mut sorted = Vec::with_capacity(patterns.len());
        for &number in patterns {
            // What leads back to itself adds nothing, as in MLIR: of such a pattern its benefit decides.
            let steps = all[number].generates.iter().filter_map(|made| self.of(made)).max().unwrap_or(0);
            sorted.push((steps.saturating_add(1), Reverse(all[number].benefit), number));
        }
        sorted.sort_by_key(|&(depth, benefit, _)| (depth, benefit));
        let least = sorted.first().map_or(0, |first| first.0);
        (least, sorted.into_iter().map(|(_, _, number)| number).collect())
    }
}

/// Two lists as one: of their first patterns, that of the higher benefit comes first; where they are equal, that of `own`.
fn merge(own: &[usize], any: &[usize], all: &[&ConversionPattern]) -> Vec<usize> {
    let (mut own, mut any) = (own.iter().peekable(), any.iter().peekable());
    let mut merged = Vec::new();
    loop {
        let benefit = |next: Option<&&usize>| next.map(|&&number| all[number].benefit);
        let next = if benefit(own.peek()) >= benefit(any.peek()) { own.next() } else { any.next() };
        let Some(&next) = next else { return merged };
        merged.push(next);
    }
}
