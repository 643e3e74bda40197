//! Orders of uses, as StableHLO's own conversion leaves them: what it makes anew uses its operands after all that it leaves alone.
//!
//! A file says the order of a value's uses where it is not that of a walk, so that artifacts are the same bytes only with these.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{BodyBuilder, OpId, Value};

use crate::Version;

/// The newest version of the release whose orders are followed: what it does not know, it did not make anew.
pub(super) const REFERENCE: Version = Version::new(1, 17, 0);

/// Operations of a body that came late.
#[derive(Default)]
pub(super) struct Late {
    /// Casts.
    pub(super) casts: HashSet<OpId>,
    /// Those of them that are made once for each user first, and then one for all.
    pub(super) shared: HashSet<OpId>,
    /// Those that were made of a newer version of themselves.
    pub(super) lowered: HashSet<OpId>,
}

impl Late {
    /// Notes the orders of all uses in a body that are not those of a walk.
    pub(super) fn note_orders(&self, body: &mut BodyBuilder) {
        if self.casts.is_empty() && self.lowered.is_empty() {
            return;
        }
        let mut uses: HashMap<Value, Vec<OpId>> = HashMap::new();
        for op in body.preorder() {
            for &operand in body.operands(op) {
                uses.entry(operand).or_default().push(op);
            }
        }
        let mut orders: Vec<(Value, Vec<u32>)> = uses
            .into_iter()
            .filter(|(_, users)| users.len() > 1)
            .map(|(value, users)| (value, self.order(body.defining_operation(value), &users)))
            .filter(|(_, places)| !places.is_sorted())
            .collect();
        orders.sort_unstable_by_key(|order| order.0.index());
        orders.into_iter().for_each(|(value, places)| body.push_order(value, places));
    }

    /// The places of the uses by these operations, which come as in a walk, last first.
    fn order(&self, of: Option<OpId>, users: &[OpId]) -> Vec<u32> {
        let is_in = |set: &HashSet<OpId>| of.is_some_and(|of| set.contains(&of));
        let last_first = || (0..users.len()).rev();
        let lowered = |at: &usize| self.lowered.contains(&users[*at]);
        let cast = |at: &usize| self.casts.contains(&users[*at]);
        let mut old: Vec<usize> = last_first().filter(|at| cast(at)).collect();
        old.extend(last_first().filter(|at| !cast(at) && !lowered(at)));
        // Who is given another value in place of one is put before who was given one before.
        if is_in(&self.shared) {
            old.reverse();
        }
        let new = last_first().filter(lowered);
        let list: Vec<usize> = if is_in(&self.lowered) {
            old.reverse();
            old.into_iter().chain(new).collect()
        } else {
            new.chain(old).collect()
        };
        let mut places = vec![0; users.len()];
        for (place, at) in list.into_iter().enumerate() {
            places[users.len() - 1 - at] = place as u32;
        }
        places
    }
}
