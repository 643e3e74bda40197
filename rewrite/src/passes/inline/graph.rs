//! Who calls whom (`mlir/Analysis/CallGraph.h`).

use std::collections::{HashMap, HashSet};

use mlirbc_ir::interfaces::{Call, Callee, callable_region};
use mlirbc_ir::{Attribute, AttributeData, BodyId, OpId, OpRef, Result, SymbolTableCollection};

/// An operation of a module.
pub(super) type Place = (BodyId, OpId);

pub(super) fn place(op: OpRef<'_>) -> Place {
    (op.body_id(), op.id())
}

/// Something that can be called.
pub(super) struct Node {
    pub(super) place: Place,
    /// Those that stand in it, directly.
    pub(super) children: Vec<usize>,
    /// Those that it calls, each once.
    calls: Vec<usize>,
    /// Whether it stands in none of the others.
    outermost: bool,
}

impl Node {
    /// Those that stand in it or that it calls.
    fn targets(&self) -> impl Iterator<Item = usize> {
        self.children.iter().chain(&self.calls).copied()
    }
}

/// What can be called, by number, in the order of the module.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    numbers: HashMap<Place, usize>,
    /// Pairs of which the first calls or holds the second.
    edges: HashSet<(usize, usize)>,
}

/// Which of them a reference to a symbol means.
#[derive(Default)]
pub(super) struct Symbols {
    tables: SymbolTableCollection,
    known: HashMap<(Place, Attribute), Option<usize>>,
}

impl Symbols {
    /// What a reference leads to from a table.
    pub(super) fn node(&mut self, graph: &Graph, table: OpRef<'_>, reference: Attribute) -> Result<Option<usize>> {
        let key = (place(table), reference);
        if let Some(&node) = self.known.get(&key) {
            return Ok(node);
        }
        let symbol = self.tables.resolve(table, reference)?.and_then(|path| path.last().copied());
        let node = symbol.and_then(|symbol| graph.number(place(symbol)));
        self.known.insert(key, node);
        Ok(node)
    }

    /// What a call goes to, with the reference that says so.
    pub(super) fn callee(
        &mut self,
        graph: &Graph,
        call: OpRef<'_>,
        interface: &dyn Call,
    ) -> Result<Option<(Attribute, usize)>> {
        let Some(Callee::Symbol(reference)) = interface.callee(call)? else { return Ok(None) };
        let Some(table) = call.nearest_symbol_table()? else { return Ok(None) };
        Ok(self.node(graph, table, reference)?.map(|node| (reference, node)))
    }
}

/// Whether the reference names a symbol of the table itself.
pub(super) fn is_flat(op: OpRef<'_>, reference: Attribute) -> bool {
    matches!(&op.module().context()[reference], AttributeData::SymbolRef { nested, .. } if nested.is_empty())
}

impl Graph {
    /// Of all that is in the operation.
    pub(super) fn of(top: OpRef<'_>, symbols: &mut Symbols) -> Result<Self> {
        let mut graph = Graph::default();
        let mut calls = Vec::new();
        let mut waiting: Vec<(OpRef<'_>, Option<usize>)> = vec![(top, None)];
        while let Some((op, mut parent)) = waiting.pop() {
            if let Some(interface) = op.interface::<dyn Call>() {
                calls.extend(parent.map(|parent| (parent, op, interface)));
                continue;
            }
            if op.body().region_count_of(op.id()) == 0 {
                continue;
            }
            // What is not isolated has no body of its own that could be rewritten.
            if callable_region(op)?.is_some() && op.body().region_body(op.id()).is_some() {
                let number = graph.nodes.len();
                if let Some(parent) = parent {
                    graph.nodes[parent].children.push(number);
                    graph.edges.insert((parent, number));
                }
                let outermost = parent.is_none();
                graph.nodes.push(Node { place: place(op), children: Vec::new(), calls: Vec::new(), outermost });
                graph.numbers.insert(place(op), number);
                parent = Some(number);
            }
            let start = waiting.len();
            waiting.extend(op.ops()?.map(|op| (op, parent)));
            waiting[start..].reverse();
        }
        for (caller, call, interface) in calls {
            if let Some((_, callee)) = symbols.callee(&graph, call, &*interface)?
                && graph.edges.insert((caller, callee))
            {
                graph.nodes[caller].calls.push(callee);
            }
        }
        Ok(graph)
    }

    /// Whether the first calls or holds the second.
    pub(super) fn leads_to(&self, from: usize, to: usize) -> bool {
        self.edges.contains(&(from, to))
    }

    pub(super) fn number(&self, place: Place) -> Option<usize> {
        self.numbers.get(&place).copied()
    }

    /// Those that call each other, together; called ones come before their callers. The order is that of Tarjan's algorithm, begun at
    /// each of the outermost, with what was reached last first in each component.
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        /// A node that was entered: its targets, how many of these were looked at, the lowest number that was reached.
        struct Visit {
            node: usize,
            targets: Vec<usize>,
            next: usize,
            lowest: usize,
        }
        const DONE: usize = usize::MAX;
        let mut numbers: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let (mut count, mut path, mut components) = (0, Vec::new(), Vec::new());
        let mut visits: Vec<Visit> = Vec::new();
        for root in (0..self.nodes.len()).filter(|&node| self.nodes[node].outermost) {
            let mut enter = numbers[root].is_none().then_some(root);
            loop {
                if let Some(node) = enter.take() {
                    numbers[node] = Some(count);
                    path.push(node);
                    visits.push(Visit { node, targets: self.nodes[node].targets().collect(), next: 0, lowest: count });
                    count += 1;
                }
                let Some(visit) = visits.last_mut() else { break };
                if let Some(&target) = visit.targets.get(visit.next) {
                    visit.next += 1;
                    match numbers[target] {
                        None => enter = Some(target),
                        Some(number) => visit.lowest = visit.lowest.min(number),
                    }
                    continue;
                }
                let (node, lowest) = (visit.node, visit.lowest);
                visits.pop();
                if let Some(outer) = visits.last_mut() {
                    outer.lowest = outer.lowest.min(lowest);
                }
                if numbers[node] != Some(lowest) {
                    continue;
                }
                let mut component = Vec::new();
                while let Some(reached) = path.pop() {
                    numbers[reached] = Some(DONE);
                    component.push(reached);
                    if reached == node {
                        break;
                    }
                }
                components.push(component);
            }
        }
        components
    }
}
