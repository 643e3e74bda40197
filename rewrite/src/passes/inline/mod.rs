//! `inline` (`mlir/Transforms/Passes.td`).

mod graph;
mod insert;
mod uses;

use std::collections::{HashMap, HashSet};

use mlirbc_ir::interfaces::{Call, callable_region};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BodyId, Error, OpId, OpRef, Result};

use self::graph::{Graph, Place, Symbols, is_flat, place};
use self::insert::Inserter;
use self::uses::Uses;
use super::Canonicalize;
use crate::pass::{Pass, Target};
use crate::pipeline::Pipeline;
use crate::registry::{MakePass, OptionInfo, Options, PassInfo};

pub(super) const INFO: PassInfo = PassInfo {
    name: "inline",
    about: "put the bodies of functions in the place of calls, and simplify functions before and after that",
    options: &[
        OptionInfo {
            name: "default-pipeline",
            about: "passes that run on each function that has no others (canonicalize)",
        },
        OptionInfo {
            name: "op-pipelines",
            about: "passes by the name of the functions that they run on: func.func(cse),...",
        },
        OptionInfo {
            name: "max-iterations",
            about: "how often calls are inlined among functions that call each other (4)",
        },
        OptionInfo {
            name: "inlining-threshold",
            about: "the most operations of a callee, in percent of the caller's (4294967295: any)",
        },
    ],
    make: MakePass::With(|options| Ok(Box::new(Inline::with(options)?))),
};

/// The threshold that a callee of any size is below.
const ANY_SIZE: u32 = u32::MAX;

/// As many operations may be made, times those that there were, and added to [`LEAST`]: calls that double from function to function
/// stay calls then.
const MOST_TIMES: u64 = 16;
const LEAST: u64 = 1 << 17;

/// Puts the bodies of functions in the place of calls, callees before their callers, and simplifies functions before and after that.
/// Symbols that are not public and that nothing names any more are erased.
///
/// What may be inlined, dialects say: [`DialectInliner`](crate::DialectInliner). Functions that call themselves stay, as do calls
/// that end a block.
pub struct Inline {
    /// For functions that have no pipeline of their own.
    default: Pipeline,
    /// By the name of the operations.
    pipelines: Vec<Pipeline>,
    max_iterations: u64,
    /// In percent; `None` where any is worth it.
    threshold: Option<u64>,
}

impl Default for Inline {
    fn default() -> Self {
        let default = Pipeline::on("any").pass(Canonicalize::default());
        Inline { default, pipelines: Vec::new(), max_iterations: 4, threshold: None }
    }
}

impl Inline {
    fn with(options: &Options<'_>) -> Result<Self, String> {
        let inline = Inline::default();
        let number = |name: &str, default: u32| {
            let number = options.number(name, default.into())?;
            u32::try_from(number).map_err(|_| format!("`{name}` is a number of 32 bits without a sign"))
        };
        let threshold = number("inlining-threshold", ANY_SIZE)?;
        Ok(Inline {
            default: options.pipeline("default-pipeline")?.unwrap_or(inline.default),
            pipelines: options.pipelines("op-pipelines")?,
            max_iterations: number("max-iterations", 4)?.into(),
            threshold: (threshold != ANY_SIZE).then_some(threshold.into()),
        })
    }

    /// What runs on functions of that name.
    fn pipeline_of(&self, name: &str) -> &Pipeline {
        let own = self.pipelines.iter().find(|pipeline| pipeline.anchor() == name && !pipeline.is_empty());
        own.unwrap_or(&self.default)
    }
}

impl Pass for Inline {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let top = target.op()?;
        if !top.has_trait(Traits::SYMBOL_TABLE) {
            let name = top.name();
            return Err(Error::misuse(format!("`{}` runs on symbol tables, and `{name}` is none", INFO.name)));
        }
        let mut symbols = Symbols::default();
        let graph = Graph::of(top, &mut symbols)?;
        let uses = Uses::of(top, &graph, &mut symbols)?;
        let left = (top.walk()?.count() as u64).saturating_mul(MOST_TIMES).saturating_add(LEAST);
        let inserter = Inserter::new(left);
        let components = graph.components();
        let mut inliner = Inliner { pass: self, target, graph, symbols, uses, inserter, dead: Vec::new(), count: 0 };
        for component in components {
            inliner.component(component)?;
        }
        inliner.finish()
    }
}

/// A call that may be inlined.
struct Found {
    place: Place,
    /// What it stands in, and what it calls.
    caller: usize,
    callee: usize,
    /// The inlining that it came with: its number.
    came_with: Option<usize>,
}

struct Inliner<'i, 'm> {
    pass: &'i Inline,
    target: &'i mut Target<'m>,
    graph: Graph,
    symbols: Symbols,
    uses: Uses,
    inserter: Inserter,
    /// What is erased in the end.
    dead: Vec<usize>,
    /// How many calls were inlined.
    count: u64,
}

/// Operations that stand in one block, and what of the graph they stand in.
type Block<'m> = (Vec<OpRef<'m>>, usize);

/// Finds calls of known functions in blocks, the last block first, and in what their operations hold. `nested` are callables that
/// stand in others: what they hold is left out, being looked at on its own. `entered` says whether operations with a body of their own
/// are gone into.
fn calls_in(
    mut blocks: Vec<Block<'_>>,
    graph: &Graph,
    symbols: &mut Symbols,
    entered: bool,
) -> Result<Vec<(Place, usize, usize)>> {
    let mut calls = Vec::new();
    while let Some((ops, caller)) = blocks.pop() {
        for op in ops {
            if let Some(interface) = op.interface::<dyn Call>() {
                if let Some((reference, callee)) = symbols.callee(graph, op, &*interface)?
                    && is_flat(op, reference)
                {
                    calls.push((place(op), caller, callee));
                }
                continue;
            }
            let (body, id) = (op.body(), op.id());
            let is_own = body.region_body(id).is_some();
            if body.region_count_of(id) == 0 || is_own && (!entered || graph.number(place(op)).is_some()) {
                continue;
            }
            let mut block = None;
            for inner in op.ops()? {
                let holder = inner.body().block_of(inner.id());
                match blocks.last_mut() {
                    Some(last) if block == Some(holder) => last.0.push(inner),
                    _ => blocks.push((vec![inner], caller)),
                }
                block = Some(holder);
            }
        }
    }
    Ok(calls)
}

impl Inliner<'_, '_> {
    /// Inlines calls in functions that call each other, until there are no more, or often enough.
    fn component(&mut self, mut nodes: Vec<usize>) -> Result<()> {
        let mut iterations = 0;
        loop {
            self.simplify(&nodes)?;
            if !self.inline_calls(&mut nodes)? {
                return Ok(());
            }
            iterations += 1;
            if iterations >= self.pass.max_iterations {
                return Ok(());
            }
        }
    }

    /// Runs the passes that are there for functions of such names, but on those that hold others: these could be erased.
    fn simplify(&mut self, nodes: &[usize]) -> Result<()> {
        let mut by_name: Vec<(String, Vec<Place>)> = Vec::new();
        let mut simplified = Vec::new();
        for &node in nodes.iter().filter(|&&node| self.graph.nodes[node].children.is_empty()) {
            let place = self.graph.nodes[node].place;
            let callable = self.target.module().operation(place.0, place.1)?;
            if !callable.has_trait(Traits::ISOLATED_FROM_ABOVE) {
                continue;
            }
            simplified.push(node);
            self.inserter.forget(place);
            let name = callable.name().into_owned();
            match by_name.iter_mut().find(|entry| entry.0 == name) {
                Some(entry) => entry.1.push(place),
                None => by_name.push((name, vec![place])),
            }
        }
        for (name, anchors) in by_name {
            self.pass.pipeline_of(&name).run_inside(INFO.name, self.target, &anchors)?;
        }
        for node in simplified {
            self.uses.recount(self.target.module(), node, &self.graph, &mut self.symbols)?;
        }
        Ok(())
    }

    /// Inlines the calls in these functions, and those that come with what is inlined. Whether there were any.
    fn inline_calls(&mut self, nodes: &mut Vec<usize>) -> Result<bool> {
        let mut calls: Vec<Found> = Vec::new();
        let mut dead: HashSet<usize> = HashSet::new();
        for &node in nodes.iter() {
            if self.uses.is_dead(node) {
                dead.insert(node);
                continue;
            }
            let at = self.graph.nodes[node].place;
            let callable = self.target.module().operation(at.0, at.1)?;
            let blocks = insert::blocks_of(callable, node)?;
            let found = calls_in(blocks, &self.graph, &mut self.symbols, true)?;
            let found = found.into_iter();
            calls.extend(found.map(|(place, caller, callee)| Found { place, caller, callee, came_with: None }));
        }
        // What was inlined, and the inlining that the call came with.
        let mut history: Vec<(usize, Option<usize>)> = Vec::new();
        let mut at = 0;
        while let Some(&Found { place, caller, callee, came_with }) = calls.get(at) {
            at += 1;
            let mut before = came_with;
            while let Some((inlined, outer)) = before.map(|before| history[before])
                && inlined != callee
            {
                before = outer;
            }
            if dead.contains(&caller) || before.is_some() || !self.is_worth_it(place, caller, callee)? {
                continue;
            }
            let last_use = self.uses.has_one(callee);
            let module = self.target.module();
            let named = Uses::named_by(module.operation(place.0, place.1)?, &self.graph, &mut self.symbols)?;
            let callable = self.graph.nodes[callee].place;
            let inserted = self.inserter.inline(module, place, callable, caller, &self.graph, &mut self.symbols)?;
            let Some(found) = inserted else { continue };
            let at = self.graph.nodes[caller].place;
            self.inserter.forget(at);
            self.count += 1;
            let inlining = history.len();
            history.push((callee, came_with));
            let came_with = Some(inlining);
            let found = found.into_iter();
            calls.extend(found.map(|(place, caller, callee)| Found { place, caller, callee, came_with }));
            self.uses.inlined(caller, callee, named);
            if last_use {
                self.uses.erased(callee, &self.graph);
                dead.insert(callee);
            }
        }
        nodes.retain(|node| !dead.contains(node));
        self.dead.extend(dead);
        Ok(!history.is_empty())
    }

    /// Whether what is called does not call itself or the caller, can stand where the call does, and is not too large.
    fn is_worth_it(&mut self, at: Place, caller: usize, callee: usize) -> Result<bool> {
        if self.graph.leads_to(callee, callee) || self.graph.leads_to(callee, caller) {
            return Ok(false);
        }
        let module = self.target.module();
        let call = module.operation(at.0, at.1)?;
        if call.has_trait(Traits::TERMINATOR) {
            return Ok(false);
        }
        let Some(parent) = call.parent_op()? else { return Ok(false) };
        let mut outer = Some(parent);
        while let Some(op) = outer {
            if place(op) == self.graph.nodes[callee].place {
                return Ok(false);
            }
            outer = op.parent_op()?;
        }
        let of = |node: usize| {
            let (body, op) = self.graph.nodes[node].place;
            module.operation(body, op)
        };
        let (caller, callable) = (of(caller)?, of(callee)?);
        let takes_blocks =
            parent.definition().is_some_and(|definition| !definition.traits.contains(Traits::SINGLE_BLOCK));
        let is_alike = parent.operation_name() == callable.operation_name();
        if !takes_blocks && !is_alike && insert::callable_blocks(callable)?.len() > 1 {
            return Ok(false);
        }
        let Some(threshold) = self.pass.threshold else { return Ok(true) };
        let count = |op: OpRef<'_>| -> Result<u64> { Ok(op.walk()?.count() as u64 - 1) };
        Ok(threshold != 0 && {
            let callers = count(caller)?;
            callers == 0 || count(callable)? * 100 / callers <= threshold
        })
    }

    /// Erases what nothing names any more.
    fn finish(mut self) -> Result<()> {
        // Those that stand in others come behind them.
        self.dead.sort_unstable();
        let mut by_body: HashMap<BodyId, Vec<OpId>> = HashMap::new();
        let mut order = Vec::new();
        for (body, op) in self.dead.iter().rev().map(|&node| self.graph.nodes[node].place) {
            order.push(body);
            by_body.entry(body).or_default().push(op);
        }
        for body in order {
            let Some(ops) = by_body.remove(&body) else { continue };
            self.target.module().rewrite(body, |rw| ops.into_iter().try_for_each(|op| rw.erase(op)))?;
        }
        self.target.count("num-inlined-calls", self.count);
        self.target.count("num-erased-callables", self.dead.len() as u64);
        Ok(())
    }
}

/// The number of the region that is executed where the operation is called.
fn region_number(callable: OpRef<'_>) -> Result<usize> {
    Ok(callable_region(callable)?.unwrap_or_default())
}
