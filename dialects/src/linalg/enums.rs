//! The enums of `linalg`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `linalg::BinaryFn` of MLIR.
    BinaryFn = "linalg::BinaryFn", 32;
    Add = 0 "add",
    Sub = 1 "sub",
    Mul = 2 "mul",
    Div = 3 "div",
    DivUnsigned = 4 "div_unsigned",
    MaxSigned = 5 "max_signed",
    MinSigned = 6 "min_signed",
    MaxUnsigned = 7 "max_unsigned",
    MinUnsigned = 8 "min_unsigned",
    Powf = 9 "powf",
}

enumeration! {
    /// `linalg::ElementwiseArityGroup` of MLIR.
    ElementwiseArityGroup = "linalg::ElementwiseArityGroup", 32;
    Unary = 1 "Unary",
    Binary = 2 "Binary",
    Ternary = 3 "Ternary",
}

enumeration! {
    /// `linalg::ElementwiseCaseLimits` of MLIR.
    ElementwiseCaseLimits = "linalg::ElementwiseCaseLimits", 32;
    LastUnary = 13 "LastUnary",
    LastBinary = 23 "LastBinary",
    LastTernary = 24 "LastTernary",
}

enumeration! {
    /// `linalg::ElementwiseKind` of MLIR.
    ElementwiseKind = "linalg::ElementwiseKind", 32;
    Exp = 0 "exp",
    Log = 1 "log",
    Abs = 2 "abs",
    Ceil = 3 "ceil",
    Floor = 4 "floor",
    Negf = 5 "negf",
    Reciprocal = 6 "reciprocal",
    Round = 7 "round",
    Sqrt = 8 "sqrt",
    Rsqrt = 9 "rsqrt",
    Square = 10 "square",
    Tanh = 11 "tanh",
    Erf = 12 "erf",
    Add = 13 "add",
    Sub = 14 "sub",
    Mul = 15 "mul",
    Div = 16 "div",
    DivUnsigned = 17 "div_unsigned",
    MaxSigned = 18 "max_signed",
    MinSigned = 19 "min_signed",
    MaxUnsigned = 20 "max_unsigned",
    MinUnsigned = 21 "min_unsigned",
    Powf = 22 "powf",
    Select = 23 "select",
}

enumeration! {
    /// `linalg::TernaryFn` of MLIR.
    TernaryFn = "linalg::TernaryFn", 32;
    Select = 0 "select",
}

enumeration! {
    /// `linalg::TypeFn` of MLIR.
    TypeFn = "linalg::TypeFn", 32;
    CastSigned = 0 "cast_signed",
    CastUnsigned = 1 "cast_unsigned",
}

enumeration! {
    /// `linalg::UnaryFn` of MLIR.
    UnaryFn = "linalg::UnaryFn", 32;
    Exp = 0 "exp",
    Log = 1 "log",
    Abs = 2 "abs",
    Ceil = 3 "ceil",
    Floor = 4 "floor",
    Negf = 5 "negf",
    Reciprocal = 6 "reciprocal",
    Round = 7 "round",
    Sqrt = 8 "sqrt",
    Rsqrt = 9 "rsqrt",
    Square = 10 "square",
    Tanh = 11 "tanh",
    Erf = 12 "erf",
}

enumeration! {
    /// `linalg::WinogradConv2DFmr` of MLIR.
    WinogradConv2DFmr = "linalg::WinogradConv2DFmr", 32;
    F_2_3 = 0 "F_2_3",
    F_4_3 = 1 "F_4_3",
    F_2_5 = 2 "F_2_5",
}

enumeration! {
    /// `utils::IteratorType` of MLIR.
    IteratorType = "utils::IteratorType", 32;
    Parallel = 0 "parallel",
    Reduction = 1 "reduction",
}

listed! {
    BinaryFn,
    ElementwiseArityGroup,
    ElementwiseCaseLimits,
    ElementwiseKind,
    TernaryFn,
    TypeFn,
    UnaryFn,
    WinogradConv2DFmr,
    IteratorType,
    ;
    BinaryFn in Angle of "binary_fn",
    ElementwiseKind in Angle of "elementwise_kind",
    IteratorType in Angle of "iterator_type",
    TernaryFn in Angle of "ternary_fn",
    TypeFn in Angle of "type_fn",
    UnaryFn in Angle of "unary_fn",
}
