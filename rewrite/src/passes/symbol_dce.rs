//! `symbol-dce` (`mlir/Transforms/Passes.td`).

use std::collections::{HashMap, HashSet};

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BodyId, Error, OpId, OpRef, Result, SymbolReferences, SymbolTableCollection, Visibility};

use crate::pass::{Pass, Target};
use crate::registry::{MakePass, PassInfo};

/// Erases symbols that cannot be seen from outside of the module, and that nothing refers to which itself stays.
///
/// A symbol that is public stays unless its table cannot be seen; one that is not stays where something that stays refers to it. What
/// cannot be seen is the operation that the pass runs on, where it is outermost, no symbol or a private one, and every table in it that is
/// no symbol or a private one. Even there public symbols stay: they may be meant for those who look at the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolDce;

pub(super) const INFO: PassInfo = PassInfo {
    name: "symbol-dce",
    about: "erase symbols that nothing refers to and that cannot be seen from outside",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(SymbolDce))),
};

impl Pass for SymbolDce {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let table = target.op()?;
        if !table.has_trait(Traits::SYMBOL_TABLE) {
            return Err(Error::misuse(format!(
                "`{}` runs on symbol tables, and `{}` is none",
                INFO.name,
                table.name()
            )));
        }
        let live = live_symbols(table)?;
        // Tables come before those in them, so the last are the innermost.
        let mut dead: Vec<(BodyId, Vec<OpId>)> = Vec::new();
        for table in table.walk()?.filter(|op| op.has_trait(Traits::SYMBOL_TABLE)) {
            let mut ops = Vec::new();
            for op in table.ops()? {
                if !live.contains(&place(op)) && op.is_symbol()? {
                    ops.push(op.id());
                }
            }
            let (body, _, _) = table.region_tree()?;
            dead.push((body, ops));
        }
        let mut count = 0;
        for (body, ops) in dead.into_iter().rev().filter(|(_, ops)| !ops.is_empty()) {
            count += ops.len() as u64;
            target.module().rewrite(body, |rw| ops.into_iter().try_for_each(|op| rw.erase(op)))?;
        }
        target.count("num-dce'd", count);
        Ok(())
    }
}

fn place(op: OpRef<'_>) -> (BodyId, OpId) {
    (op.body_id(), op.id())
}

/// Operations of one symbol table that stay, and what they refer to.
struct Level<'m> {
    /// Whether the table cannot be seen from outside of it.
    hidden: bool,
    /// Operations that stay and were not looked at.
    waiting: Vec<OpRef<'m>>,
    /// A table among them, whose inside was looked at.
    entered: Option<OpRef<'m>>,
}

impl<'m> Level<'m> {
    /// What stays whatever refers to it.
    fn of(table: OpRef<'m>, hidden: bool, live: &mut HashSet<(BodyId, OpId)>) -> Result<Self> {
        let mut waiting = Vec::new();
        for op in table.ops()? {
            let stays = !op.is_symbol()? || {
                let visibility = op.visibility()?;
                let erasable = (hidden || visibility == Visibility::Private) && visibility != Visibility::Public;
                !erasable && live.insert(place(op))
            };
            if stays {
                waiting.push(op);
            }
        }
        Ok(Level { hidden, waiting, entered: None })
    }
}

/// The symbols that stay.
fn live_symbols(table: OpRef<'_>) -> Result<HashSet<(BodyId, OpId)>> {
    let mut live = HashSet::new();
    let mut tables = SymbolTableCollection::new();
    // By table: a reference says the same wherever it is met in one.
    let mut references: HashMap<(BodyId, OpId), SymbolReferences<'_>> = HashMap::new();
    let outermost = table.parent_op()?.is_none();
    let hidden = outermost || !table.is_symbol()? || table.visibility()? == Visibility::Private;
    let mut levels = vec![Level::of(table, hidden, &mut live)?];
    while let Some(level) = levels.last_mut() {
        let op = match level.entered.take() {
            Some(op) => op,
            None => {
                let Some(op) = level.waiting.pop() else {
                    levels.pop();
                    continue;
                };
                if op.has_trait(Traits::SYMBOL_TABLE) {
                    level.entered = Some(op);
                    let hidden = level.hidden || !op.is_symbol()? || op.visibility()? == Visibility::Private;
                    levels.push(Level::of(op, hidden, &mut live)?);
                    continue;
                }
                let inner = op.ops()?;
                level.waiting.extend(inner.filter(|op| op.body().region_count_of(op.id()) > 0));
                op
            }
        };
        // What is deeper in an operation is no symbol, and its references are those of the operation.
        let Some(parent) = op.parent_op()?.filter(|parent| parent.has_trait(Traits::SYMBOL_TABLE)) else { continue };
        let met = references.entry(place(parent)).or_insert_with(|| SymbolReferences::new(op.module()));
        let Some(found) = met.in_op(op)? else {
            let path = op.path();
            return Err(Error::misuse(format!("{path}: something unknown in it may be a symbol table")));
        };
        for reference in found {
            for symbol in tables.resolve(parent, reference)?.into_iter().flatten() {
                if live.insert(place(symbol)) {
                    level.waiting.push(symbol);
                }
            }
        }
    }
    Ok(live)
}
