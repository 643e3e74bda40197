//! What the predicates of comparisons say.

use std::cmp::Ordering;

use super::{CmpFPredicate, CmpIPredicate};

impl CmpIPredicate {
    /// Whether it holds of two integers that compare so, with a sign and without.
    pub fn holds(self, signed: Ordering, unsigned: Ordering) -> bool {
        match self {
            CmpIPredicate::Eq => unsigned.is_eq(),
            CmpIPredicate::Ne => unsigned.is_ne(),
            CmpIPredicate::Slt => signed.is_lt(),
            CmpIPredicate::Sle => signed.is_le(),
            CmpIPredicate::Sgt => signed.is_gt(),
            CmpIPredicate::Sge => signed.is_ge(),
            CmpIPredicate::Ult => unsigned.is_lt(),
            CmpIPredicate::Ule => unsigned.is_le(),
            CmpIPredicate::Ugt => unsigned.is_gt(),
            CmpIPredicate::Uge => unsigned.is_ge(),
        }
    }

    /// The one that holds where this one does not.
    #[must_use]
    pub fn inverted(self) -> Self {
        match self {
            CmpIPredicate::Eq => CmpIPredicate::Ne,
            CmpIPredicate::Ne => CmpIPredicate::Eq,
            CmpIPredicate::Slt => CmpIPredicate::Sge,
            CmpIPredicate::Sle => CmpIPredicate::Sgt,
            CmpIPredicate::Sgt => CmpIPredicate::Sle,
            CmpIPredicate::Sge => CmpIPredicate::Slt,
            CmpIPredicate::Ult => CmpIPredicate::Uge,
            CmpIPredicate::Ule => CmpIPredicate::Ugt,
            CmpIPredicate::Ugt => CmpIPredicate::Ule,
            CmpIPredicate::Uge => CmpIPredicate::Ult,
        }
    }

    /// The one that says the same of the operands in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            CmpIPredicate::Eq | CmpIPredicate::Ne => self,
            CmpIPredicate::Slt => CmpIPredicate::Sgt,
            CmpIPredicate::Sle => CmpIPredicate::Sge,
            CmpIPredicate::Sgt => CmpIPredicate::Slt,
            CmpIPredicate::Sge => CmpIPredicate::Sle,
            CmpIPredicate::Ult => CmpIPredicate::Ugt,
            CmpIPredicate::Ule => CmpIPredicate::Uge,
            CmpIPredicate::Ugt => CmpIPredicate::Ult,
            CmpIPredicate::Uge => CmpIPredicate::Ule,
        }
    }
}

impl CmpFPredicate {
    /// Whether it holds of two floats that compare so: `None` where one is NaN.
    pub fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            CmpFPredicate::AlwaysFalse => false,
            CmpFPredicate::OEQ => order.is_some_and(Ordering::is_eq),
            CmpFPredicate::OGT => order.is_some_and(Ordering::is_gt),
            CmpFPredicate::OGE => order.is_some_and(Ordering::is_ge),
            CmpFPredicate::OLT => order.is_some_and(Ordering::is_lt),
            CmpFPredicate::OLE => order.is_some_and(Ordering::is_le),
            CmpFPredicate::ONE => order.is_some_and(Ordering::is_ne),
            CmpFPredicate::ORD => order.is_some(),
            CmpFPredicate::UEQ => order.is_none_or(Ordering::is_eq),
            CmpFPredicate::UGT => order.is_none_or(Ordering::is_gt),
            CmpFPredicate::UGE => order.is_none_or(Ordering::is_ge),
            CmpFPredicate::ULT => order.is_none_or(Ordering::is_lt),
            CmpFPredicate::ULE => order.is_none_or(Ordering::is_le),
            CmpFPredicate::UNE => order.is_none_or(Ordering::is_ne),
            CmpFPredicate::UNO => order.is_none(),
            CmpFPredicate::AlwaysTrue => true,
        }
    }

    /// What it says of integers. `None` where it does not compare.
    pub fn of_integers(self, signed: bool) -> Option<CmpIPredicate> {
        Some(match (self, signed) {
            (CmpFPredicate::OEQ | CmpFPredicate::UEQ, _) => CmpIPredicate::Eq,
            (CmpFPredicate::ONE | CmpFPredicate::UNE, _) => CmpIPredicate::Ne,
            (CmpFPredicate::OGT | CmpFPredicate::UGT, true) => CmpIPredicate::Sgt,
            (CmpFPredicate::OGT | CmpFPredicate::UGT, false) => CmpIPredicate::Ugt,
            (CmpFPredicate::OGE | CmpFPredicate::UGE, true) => CmpIPredicate::Sge,
            (CmpFPredicate::OGE | CmpFPredicate::UGE, false) => CmpIPredicate::Uge,
            (CmpFPredicate::OLT | CmpFPredicate::ULT, true) => CmpIPredicate::Slt,
            (CmpFPredicate::OLT | CmpFPredicate::ULT, false) => CmpIPredicate::Ult,
            (CmpFPredicate::OLE | CmpFPredicate::ULE, true) => CmpIPredicate::Sle,
            (CmpFPredicate::OLE | CmpFPredicate::ULE, false) => CmpIPredicate::Ule,
            (CmpFPredicate::AlwaysFalse | CmpFPredicate::ORD | CmpFPredicate::UNO | CmpFPredicate::AlwaysTrue, _) => {
                return None;
            }
        })
    }
}
