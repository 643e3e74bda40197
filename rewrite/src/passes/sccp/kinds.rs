//! What the analysis has to know of each operation, looked up once a name.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;

use mlirbc_ir::interfaces::{Branch, Call, RegionBranch, RegionTerminator};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{OpRef, OperationName};

/// What operations of one name are.
pub(super) struct Kind {
    pub(super) traits: Traits,
    pub(super) branch: Option<Arc<dyn Branch>>,
    pub(super) region_branch: Option<Arc<dyn RegionBranch>>,
    pub(super) region_terminator: Option<Arc<dyn RegionTerminator>>,
    pub(super) call: Option<Arc<dyn Call>>,
}

/// The names that were met.
#[derive(Default)]
pub(super) struct Kinds(HashMap<OperationName, Rc<Kind>>);

impl Kinds {
    pub(super) fn of(&mut self, op: OpRef<'_>) -> Rc<Kind> {
        let find = || {
            Rc::new(Kind {
                traits: op.definition().map_or(Traits::NONE, |definition| definition.traits),
                branch: op.interface::<dyn Branch>(),
                region_branch: op.interface::<dyn RegionBranch>(),
                region_terminator: op.interface::<dyn RegionTerminator>(),
                call: op.interface::<dyn Call>(),
            })
        };
        self.0.entry(op.operation_name()).or_insert_with(find).clone()
    }
}
