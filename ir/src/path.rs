//! Where an operation is in its module, in words.

use std::collections::HashMap;

use crate::attribute::AttributeData;
use crate::body::{BlockId, BodyId, OpId};
use crate::module::{Location, OpRef};

/// The most levels of a path that are shown: what is nested deeper is shown by its innermost ones.
const LEVELS: usize = 256;

/// So many locations are looked at for a line.
const LOCATIONS: usize = 64;

/// One step of a path: a symbol by its name, another operation by its name and its place in its block, behind the region
/// and the block that it stands in, where they are not the first.
pub(crate) fn step(op: OpRef<'_>, symbol: Option<&str>, region: usize, block: usize, at: usize) -> String {
    if let Some(symbol) = symbol {
        return format!("@{symbol}");
    }
    let region = if region > 0 { format!("r{region}/") } else { String::new() };
    let block = if block > 0 { format!("^{block}/") } else { String::new() };
    format!("{region}{block}{}#{at}", op.name())
}

/// Finds the paths of many operations: those of one block take no longer than going through it, in whichever order its
/// operations are asked for, one way.
#[derive(Default)]
pub(crate) struct Paths {
    /// By block: an operation whose place in it is known, and that place.
    places: HashMap<(BodyId, BlockId), (OpId, usize)>,
    /// By block: its number in its region, and that of the region in its operation.
    blocks: HashMap<(BodyId, BlockId), (usize, usize)>,
}

impl Paths {
    /// The path, as [`Difference::path`](crate::Difference::path) has it; empty for the one outermost operation that holds all
    /// others.
    pub(crate) fn path(&mut self, op: OpRef<'_>) -> String {
        let mut steps = Vec::new();
        let mut next = Some(op);
        while let Some(op) = next {
            if steps.len() == LEVELS {
                steps.push("...".to_owned());
                break;
            }
            next = op.parent_op().ok().flatten();
            let symbol = op.symbol_name().ok().flatten().map(|symbol| op.module().context().text(symbol));
            let (region, block) = self.block(op);
            let at = self.place(op);
            let alone = next.is_none() && at == 0 && op.body().next_operation(op.id()).is_none();
            if symbol.is_some() || !alone {
                steps.push(step(op, symbol.as_deref(), region, block, at));
            }
        }
        steps.reverse();
        steps.join("/")
    }

    /// The place of an operation in its block.
    fn place(&mut self, op: OpRef<'_>) -> usize {
        let body = op.body();
        let Some(block) = body.block_of(op.id()) else { return 0 };
        let known = self.places.get(&(op.body_id(), block)).copied();
        let mut before = 0;
        let mut at = op.id();
        let place = loop {
            match (known, body.previous_operation(at)) {
                (Some((known, place)), _) if known == at => break place + before,
                (_, Some(previous)) => (at, before) = (previous, before + 1),
                (_, None) => break before,
            }
        };
        self.places.insert((op.body_id(), block), (op.id(), place));
        place
    }

    /// The region and the block that an operation stands in, each by its number.
    fn block(&mut self, op: OpRef<'_>) -> (usize, usize) {
        let body = op.body();
        let Some((block, region)) = body.block_of(op.id()).and_then(|block| Some((block, body.region_of(block)?)))
        else {
            return (0, 0);
        };
        if let Some(&known) = self.blocks.get(&(op.body_id(), block)) {
            return known;
        }
        let first = match body.operation_of(region) {
            Some(parent_op) => body.regions(parent_op).next(),
            None => body.top_regions().first().copied(),
        };
        let number = first.map_or(0, |first| region.index() - first.index());
        // All blocks of the region at once: there may be many, and something to say of each.
        self.blocks.extend(body.blocks(region).zip(0..).map(|(block, at)| ((op.body_id(), block), (number, at))));
        self.blocks[&(op.body_id(), block)]
    }
}

impl OpRef<'_> {
    /// Where the operation is in its module, as [`Difference::path`](crate::Difference::path) has it: symbols as `@name`, other
    /// operations as `name#place`, with `rN` and `^N` before them for regions and blocks but the first. Empty for the one
    /// outermost operation that holds all others, unless it is a symbol.
    pub fn path(self) -> String {
        Paths::default().path(self)
    }

    /// The line that the operation comes from, as `file:line:column`: of what is fused, the first that there is, and where it was inlined
    /// from. `None` where its location says none, or cannot be read.
    pub fn source_line(self) -> Option<String> {
        let context = self.module().context();
        let line = |file, (line, column)| format!("{}:{line}:{column}", context.text(file));
        let mut left = match self.location().ok()? {
            Location::File { file, line: number, column } => return Some(line(file, (number, column))),
            Location::Attribute(location) => vec![location],
        };
        for _ in 0..LOCATIONS {
            match &context[left.pop()?] {
                AttributeData::FileLocation { file, start, .. } => return Some(line(*file, *start)),
                AttributeData::NameLocation { child, .. } => left.push(*child),
                AttributeData::CallSiteLocation { callee, caller } => left.extend([*caller, *callee]),
                AttributeData::FusedLocation { locations, .. } => left.extend(locations.iter().take(LOCATIONS).rev()),
                _ => {}
            }
        }
        None
    }
}
