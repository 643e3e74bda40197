//! How often what can be called is named, so that it goes once nothing names it.

use std::collections::{HashMap, HashSet};

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Module, OpRef, Result, Visibility};

use super::graph::{Graph, Place, Symbols, place};

/// What one of them names.
#[derive(Default)]
struct Names {
    /// In its own attributes.
    own: HashSet<usize>,
    /// In it, and how many operations do.
    inside: HashMap<usize, i64>,
}

/// How many operations name what may be erased once none does.
pub(super) struct Uses {
    counts: HashMap<usize, i64>,
    names: Vec<Names>,
}

/// The callables that the operation and what is in it name, each with who does. `None` where something unknown may name others.
fn named(op: OpRef<'_>, graph: &Graph, symbols: &mut Symbols) -> Result<Option<Vec<(usize, Place)>>> {
    let Some(parent) = op.parent_op()? else { return Ok(Some(Vec::new())) };
    let (Some(uses), Some(table)) = (op.symbol_uses()?, parent.nearest_symbol_table()?) else { return Ok(None) };
    let mut named = Vec::new();
    for found in uses {
        if let Some(node) = symbols.node(graph, table, found.reference)? {
            named.push((node, place(found.user)));
        }
    }
    Ok(Some(named))
}

impl Uses {
    /// Counts what is in the operation.
    pub(super) fn of(top: OpRef<'_>, graph: &Graph, symbols: &mut Symbols) -> Result<Self> {
        let mut uses = Uses { counts: HashMap::new(), names: Vec::new() };
        let mut always = HashSet::new();
        // With each operation, whether all that names the symbols around it is known.
        let mut waiting = vec![(top, top.parent_op()?.is_none())];
        while let Some((op, mut hidden)) = waiting.pop() {
            let is_table = op.has_trait(Traits::SYMBOL_TABLE);
            hidden |= !is_table || !op.is_symbol()? || op.visibility()? == Visibility::Private;
            for inner in op.ops()? {
                if inner.body().region_count_of(inner.id()) > 0 {
                    waiting.push((inner, hidden));
                }
                if !is_table {
                    continue;
                }
                match graph.number(place(inner)) {
                    Some(node) => {
                        let visibility = inner.visibility()?;
                        let visible = visibility == Visibility::Public || visibility == Visibility::Nested && !hidden;
                        if !visible && inner.is_symbol()? {
                            uses.counts.insert(node, 0);
                        }
                    }
                    None => match named(inner, graph, symbols)? {
                        Some(named) => always.extend(named.into_iter().map(|named| named.0)),
                        None => always.extend(0..graph.nodes.len()),
                    },
                }
            }
        }
        uses.counts.retain(|node, _| !always.contains(node));
        for node in 0..graph.nodes.len() {
            uses.names.push(Names::default());
            uses.recount(top.module(), node, graph, symbols)?;
        }
        Ok(uses)
    }

    /// Counts again what a callable names, as it is now.
    pub(super) fn recount(&mut self, module: &Module, node: usize, graph: &Graph, symbols: &mut Symbols) -> Result<()> {
        self.forget(node);
        let at = graph.nodes[node].place;
        let Some(named) = named(module.operation(at.0, at.1)?, graph, symbols)? else {
            self.counts.clear();
            return Ok(());
        };
        let names = &mut self.names[node];
        for (named, user) in named {
            let Some(count) = self.counts.get_mut(&named) else { continue };
            if user != at {
                *names.inside.entry(named).or_default() += 1;
            } else if !names.own.insert(named) {
                continue;
            }
            *count += 1;
        }
        Ok(())
    }

    /// Counts no more what a callable names.
    fn forget(&mut self, node: usize) {
        let names = std::mem::take(&mut self.names[node]);
        let own = names.own.into_iter().map(|named| (named, 1));
        for (named, times) in own.chain(names.inside) {
            if let Some(count) = self.counts.get_mut(&named) {
                *count -= times;
            }
        }
    }

    /// Whether nothing names it, and it may be erased then.
    pub(super) fn is_dead(&self, node: usize) -> bool {
        self.counts.get(&node) == Some(&0)
    }

    /// Whether one operation names it, and it may be erased without that.
    pub(super) fn has_one(&self, node: usize) -> bool {
        self.counts.get(&node) == Some(&1)
    }

    /// What the call names: before it is inlined.
    pub(super) fn named_by(call: OpRef<'_>, graph: &Graph, symbols: &mut Symbols) -> Result<Vec<usize>> {
        let named = named(call, graph, symbols)?.unwrap_or_default();
        Ok(named.into_iter().map(|named| named.0).collect())
    }

    /// Counts no more what a call named that stood in `caller`, but what `callee` names there too.
    pub(super) fn inlined(&mut self, caller: usize, callee: usize, named: Vec<usize>) {
        for named in named {
            if let Some(times) = self.names[caller].inside.get_mut(&named) {
                *times -= 1;
                self.count(named, -1);
            }
        }
        let inside: Vec<(usize, i64)> =
            self.names[callee].inside.iter().map(|(&named, &times)| (named, times)).collect();
        for (named, times) in inside {
            *self.names[caller].inside.entry(named).or_default() += times;
            self.count(named, times);
        }
    }

    fn count(&mut self, node: usize, more: i64) {
        if let Some(count) = self.counts.get_mut(&node) {
            *count += more;
        }
    }

    /// Counts no more what an erased callable and those in it name.
    pub(super) fn erased(&mut self, node: usize, graph: &Graph) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            waiting.extend(&graph.nodes[node].children);
            self.forget(node);
            self.counts.remove(&node);
        }
    }
}
