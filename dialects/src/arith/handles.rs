//! Typed handles of the operations.

mlirbc_rewrite::handles! {
    /// The sum of integers.
    "arith.addi" AddI(lhs, rhs);
    /// The difference of integers.
    "arith.subi" SubI(lhs, rhs);
    /// The product of integers.
    "arith.muli" MulI(lhs, rhs);
    /// The quotient of integers with a sign.
    "arith.divsi" DivSI(lhs, rhs);
    /// The quotient of integers without a sign.
    "arith.divui" DivUI(lhs, rhs);
    /// What division of integers with a sign leaves.
    "arith.remsi" RemSI(lhs, rhs);
    /// What division of integers without a sign leaves.
    "arith.remui" RemUI(lhs, rhs);
    /// The bits that both have.
    "arith.andi" AndI(lhs, rhs);
    /// The bits that one of them has.
    "arith.ori" OrI(lhs, rhs);
    /// The bits that only one of them has.
    "arith.xori" XOrI(lhs, rhs);
    /// Bits moved up.
    "arith.shli" ShLI(lhs, rhs);
    /// Bits moved down, the sign kept.
    "arith.shrsi" ShRSI(lhs, rhs);
    /// Bits moved down, zeros following.
    "arith.shrui" ShRUI(lhs, rhs);
    /// The sum of floats.
    "arith.addf" AddF(lhs, rhs);
    /// The difference of floats.
    "arith.subf" SubF(lhs, rhs);
    /// The product of floats.
    "arith.mulf" MulF(lhs, rhs);
    /// The quotient of floats.
    "arith.divf" DivF(lhs, rhs);
    /// A comparison of integers.
    "arith.cmpi" CmpI(lhs, rhs);
    /// A comparison of floats.
    "arith.cmpf" CmpF(lhs, rhs);
    /// One of two values.
    "arith.select" Select(condition, true_value, false_value);
    /// A wider integer with the same sign.
    "arith.extsi" ExtSI(input);
    /// A wider integer, zeros in front.
    "arith.extui" ExtUI(input);
    /// The low bits of an integer.
    "arith.trunci" TruncI(input);
}
