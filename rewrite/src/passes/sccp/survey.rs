//! Who calls whom: found out before anything is analysed.

use std::collections::{HashMap, HashSet};

use mlirbc_ir::interfaces::{Callee, callable_region};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BodyId, OpId, OpRef, Result, SymbolReferences, SymbolTableCollection, Visibility};

use super::kinds::Kinds;

/// An operation of a module.
pub(super) type Place = (BodyId, OpId);

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The bodies in the operation, outer ones first.
    pub(super) bodies: Vec<BodyId>,
    /// What is called, by call: where it is known, and has a region.
    pub(super) callees: HashMap<Place, Place>,
    /// What may be called by others than those calls.
    pub(super) called_by_others: HashSet<Place>,
}

fn place(op: OpRef<'_>) -> Place {
    (op.body_id(), op.id())
}

impl Survey {
    /// Looks at an operation and all that is in it.
    pub(super) fn of(top: OpRef<'_>, kinds: &mut Kinds) -> Result<Self> {
        let mut survey = Survey::default();
        let (mut tables, mut calls, mut callables) = (Vec::new(), Vec::new(), HashSet::new());
        // With each operation, whether all that names the symbols around it is known.
        let mut waiting = vec![(top, top.parent_op()?.is_none())];
        while let Some((op, outside_is_known)) = waiting.pop() {
            if let Some(call) = kinds.of(op).call.clone() {
                calls.push((op, call));
            }
            if op.body().region_count_of(op.id()) == 0 {
                continue;
            }
            survey.bodies.extend(op.body().region_body(op.id()));
            if place(op) != place(top) && callable_region(op)?.is_some() {
                callables.insert(place(op));
            }
            let mut is_known = true;
            if op.has_trait(Traits::SYMBOL_TABLE) {
                is_known = outside_is_known || !op.is_symbol()? || op.visibility()? == Visibility::Private;
                tables.push((op, is_known));
            }
            waiting.extend(op.ops()?.map(|op| (op, is_known)));
        }
        let mut found = SymbolTableCollection::new();
        for (table, is_known) in tables {
            survey.table(table, is_known, &callables, &mut found, kinds)?;
        }
        for (call, interface) in calls {
            let Some(Callee::Symbol(reference)) = interface.callee(call)? else { continue };
            let Some(table) = call.nearest_symbol_table()? else { continue };
            let callee = found.resolve(table, reference)?.and_then(|path| path.last().copied());
            if let Some(callee) = callee.filter(|callee| callables.contains(&place(*callee)))
                && callee.is_symbol()?
            {
                survey.callees.insert(place(call), place(callee));
            }
        }
        Ok(survey)
    }

    /// Finds out which functions of a table may be called by others.
    fn table(
        &mut self,
        table: OpRef<'_>,
        is_known: bool,
        callables: &HashSet<Place>,
        tables: &mut SymbolTableCollection,
        kinds: &mut Kinds,
    ) -> Result<()> {
        let mut has_callable = false;
        for op in table.ops()?.filter(|op| callables.contains(&place(*op))) {
            if op.is_symbol()? {
                has_callable = true;
                let visibility = op.visibility()?;
                if visibility == Visibility::Public || visibility == Visibility::Nested && !is_known {
                    self.called_by_others.insert(place(op));
                }
            }
        }
        if !has_callable {
            return Ok(());
        }
        let mut references = SymbolReferences::new(table.module());
        for op in table.ops()? {
            let uses = references.in_op_if(op, |op| kinds.of(op).call.is_none())?;
            let Some(uses) = uses else {
                // What is not known may name any of them.
                self.called_by_others.extend(callables);
                return Ok(());
            };
            for reference in uses {
                let symbol = tables.resolve(table, reference)?.and_then(|path| path.last().copied());
                self.called_by_others.extend(symbol.map(place));
            }
        }
        Ok(())
    }
}
