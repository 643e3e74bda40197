//! How a file lays out the properties of operations: a twin of the plans of `write/property_values.rs`.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use mlirbc_ir::ods::{PropertyDef, PropertyKind};
use mlirbc_ir::{Context, Identifier, NamedAttribute, OperationName};

/// How many names of operations are found without being looked for in what was met before: a power of two.
const PLACES: usize = 256;

/// How many places a name may have.
const PROBES: usize = 8;

/// The members of properties, as blobs of one layout have them.
#[derive(Debug)]
pub(super) struct Plan {
    /// In the order in which they are read.
    pub(super) members: Box<[(PropertyKind, Identifier)]>,
    /// What the definition has beside them: the zeros of native members.
    pub(super) zeros: Box<[NamedAttribute]>,
    /// Whether the members stand in the order of a dictionary, and there is nothing beside them.
    pub(super) in_order: bool,
}

impl Plan {
    /// The plan of a layout in this version of bytecode. Native members that are `defined` and that the layout has not get their zero.
    pub(super) fn new(context: &Context, version: u64, layout: &[PropertyDef], defined: &[PropertyDef]) -> Self {
        let mut order: Vec<_> = layout.iter().collect();
        // Version 5 writes segment sizes as attributes, in their place among the names.
        if version < 6 {
            let is_native = |kind: &PropertyKind| matches!(kind, PropertyKind::Native(_));
            order.sort_by(|a, b| (is_native(&a.kind), &a.name).cmp(&(is_native(&b.kind), &b.name)));
            let natives = layout.iter().filter(|member| is_native(&member.kind));
            let first = order.iter().position(|member| is_native(&member.kind)).unwrap_or(order.len());
            order.splice(first.., natives);
        }
        let in_order = order.is_sorted_by(|a, b| a.name.as_bytes() < b.name.as_bytes());
        let members = order.iter().map(|member| (member.kind.clone(), context.identifier(&member.name))).collect();
        let zero = |member: &PropertyDef| match &member.kind {
            PropertyKind::Native(native) if layout.iter().all(|known| known.name != member.name) => {
                Some((context.identifier(&member.name), context.native_zero(native)?))
            }
            _ => None,
        };
        let zeros: Box<[_]> = defined.iter().filter_map(zero).collect();
        Plan { members, in_order: in_order && zeros.is_empty(), zeros }
    }
}

/// The plans of a file, by the name of the operation. They are asked for by all threads at once: without a lock.
#[derive(Debug, Default)]
pub(super) struct Plans {
    all: boxcar::Vec<(OperationName, Arc<Plan>)>,
    /// One more than the number of a plan, near the place of its name; 0 where there is none.
    places: OnceLock<Box<[AtomicU32]>>,
}

impl Plans {
    fn places(&self, name: OperationName) -> impl Iterator<Item = &AtomicU32> {
        let places = self.places.get_or_init(|| (0..PLACES).map(|_| AtomicU32::new(0)).collect());
        (name.raw() as usize..).take(PROBES).filter_map(|at| places.get(at % PLACES))
    }

    /// The plan of a name that was noted.
    pub(super) fn get(&self, name: OperationName) -> Option<&Plan> {
        for place in self.places(name) {
            let number = place.load(Ordering::Acquire).checked_sub(1)?;
            match self.all.get(number as usize) {
                Some((of, plan)) if *of == name => return Some(plan),
                _ => {}
            }
        }
        None
    }

    /// Notes the plan of a name, as long as there are places.
    pub(super) fn keep(&self, name: OperationName, plan: Arc<Plan>) {
        let Some(place) = self.places(name).find(|place| place.load(Ordering::Acquire) == 0) else { return };
        let next = (self.all.push((name, plan)) as u32).saturating_add(1);
        // Another thread may have been faster: its plan is found from now on, which says the same.
        let _ = place.compare_exchange(0, next, Ordering::AcqRel, Ordering::Acquire);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mlirbc_ir::OperationName;

    use super::{PLACES, PROBES, Plan, Plans};

    #[test]
    fn each_name_has_its_own_plan_as_long_as_there_are_places() {
        let plans = Plans::default();
        let name = |number: usize| OperationName::from_raw((1 + number * PLACES) as u32);
        let made: Vec<Arc<Plan>> = (0..=PROBES)
            .map(|_| Arc::new(Plan { members: Box::default(), zeros: Box::default(), in_order: true }))
            .collect();
        for (number, plan) in made.iter().enumerate() {
            assert!(plans.get(name(number)).is_none());
            plans.keep(name(number), plan.clone());
        }
        for (number, plan) in made.iter().enumerate() {
            let found = plans.get(name(number)).map(std::ptr::from_ref);
            assert_eq!(found, (number < PROBES).then_some(Arc::as_ptr(plan)), "{number}");
        }
        assert_eq!(plans.all.count(), PROBES);
    }
}
