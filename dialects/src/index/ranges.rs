//! What is known of an index that lies between two others.

use mlirbc_ir::number::ApInt;

use super::IndexCmpPredicate;

/// The lowest and the highest number that a value can be, read with a sign and without.
pub(super) struct Range {
    signed: [ApInt; 2],
    unsigned: [ApInt; 2],
}

impl Range {
    /// One number.
    pub(super) fn of(value: ApInt) -> Self {
        Range { signed: [value.clone(), value.clone()], unsigned: [value.clone(), value] }
    }

    /// From that signed number on.
    pub(super) fn from_signed(low: ApInt) -> Self {
        let high = ApInt::signed_max(low.width());
        Self::signed([low, high])
    }

    /// Up to that signed number.
    pub(super) fn to_signed(high: ApInt) -> Self {
        Self::signed([ApInt::signed_min(high.width()), high])
    }

    /// From that unsigned number on.
    pub(super) fn from_unsigned(low: ApInt) -> Self {
        let high = ApInt::all_ones(low.width());
        Self::unsigned([low, high])
    }

    /// Up to that unsigned number.
    pub(super) fn to_unsigned(high: ApInt) -> Self {
        Self::unsigned([ApInt::zero(high.width()), high])
    }

    fn signed(signed: [ApInt; 2]) -> Self {
        let unsigned = if signed[0].is_negative() == signed[1].is_negative() {
            signed.clone()
        } else {
            let width = signed[0].width();
            [ApInt::zero(width), ApInt::all_ones(width)]
        };
        Range { signed, unsigned }
    }

    fn unsigned(unsigned: [ApInt; 2]) -> Self {
        let signed = if unsigned[0].is_negative() == unsigned[1].is_negative() {
            unsigned.clone()
        } else {
            let width = unsigned[0].width();
            [ApInt::signed_min(width), ApInt::signed_max(width)]
        };
        Range { signed, unsigned }
    }

    /// The number that it is.
    fn single(&self) -> Option<&ApInt> {
        let is_one = |[low, high]: &[ApInt; 2]| low == high;
        if is_one(&self.unsigned) { Some(&self.unsigned[0]) } else { is_one(&self.signed).then_some(&self.signed[0]) }
    }
}

/// Whether a comparison of any two numbers in these ranges holds. `None` where that depends on them.
pub(super) fn decide(predicate: IndexCmpPredicate, left: &Range, right: &Range) -> Option<bool> {
    use IndexCmpPredicate::{EQ, NE, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT};
    let inverse = match predicate {
        EQ => NE,
        NE => EQ,
        SGE => SLT,
        SGT => SLE,
        SLE => SGT,
        SLT => SGE,
        UGE => ULT,
        UGT => ULE,
        ULE => UGT,
        ULT => UGE,
    };
    match () {
        () if always(predicate, left, right) => Some(true),
        () if always(inverse, left, right) => Some(false),
        () => None,
    }
}

/// Whether the comparison holds of all numbers in these ranges.
fn always(predicate: IndexCmpPredicate, left: &Range, right: &Range) -> bool {
    use IndexCmpPredicate::{EQ, NE, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT};
    let signed = |a: &Range, b: &Range| a.signed[1].cmp_signed(&b.signed[0]);
    let unsigned = |a: &Range, b: &Range| a.unsigned[1].cmp_unsigned(&b.unsigned[0]);
    match predicate {
        SLE => signed(left, right).is_le(),
        SLT => signed(left, right).is_lt(),
        SGE => signed(right, left).is_le(),
        SGT => signed(right, left).is_lt(),
        ULE => unsigned(left, right).is_le(),
        ULT => unsigned(left, right).is_lt(),
        UGE => unsigned(right, left).is_le(),
        UGT => unsigned(right, left).is_lt(),
        EQ => matches!((left.single(), right.single()), (Some(left), Some(right)) if left == right),
        NE => {
            let apart = |less, greater| always(less, left, right) || always(greater, left, right);
            apart(SLT, SGT) && apart(ULT, UGT)
        }
    }
}
