//! Attributes of `chlo`. Two have an encoding; bytecode holds the others as text.

use super::DIALECT;
use crate::stablehlo::parts::{Form, Forms, Part, Text};
use crate::stablehlo::views::{enums, values};

enums! {
    "chlo";
    /// How two numbers are compared.
    ComparisonDirection = "comparison_direction" { Eq = 0 "EQ", Ne = 1 "NE", Ge = 2 "GE", Gt = 3 "GT", Le = 4 "LE", Lt = 5 "LT", }
    /// As what numbers are compared.
    ComparisonType = "comparison_type" { NoType = 0 "NOTYPE", Float = 1 "FLOAT", TotalOrder = 2 "TOTALORDER", Signed = 3 "SIGNED", Unsigned = 4 "UNSIGNED", }
    /// How exact products are.
    Precision = "precision" { Default = 0 "DEFAULT", High = 1 "HIGH", Highest = 2 "HIGHEST", }
}

values! {
    "chlo";
    /// Which dimensions a product of groups runs over.
    RaggedDotDimensionNumbers = "ragged_dot" {
        /// Those of the left operand that are batches.
        lhs_batching_dimensions: Vec<i64>,
        /// Those of the right operand that are batches.
        rhs_batching_dimensions: Vec<i64>,
        /// Those of the left operand that are summed over.
        lhs_contracting_dimensions: Vec<i64>,
        /// Those of the right operand that are summed over.
        rhs_contracting_dimensions: Vec<i64>,
        /// Those of the left operand that are in groups.
        lhs_ragged_dimensions: Vec<i64>,
        /// Those of the right operand that count groups.
        rhs_group_dimensions: Vec<i64>,
    }
}

/// All attributes.
pub(super) const FORMS: Forms = Forms {
    dialect: DIALECT,
    types: &[],
    attributes: &[
        Form::new("comparison_direction", 0, &[("value", Part::Case(ComparisonDirection::CASES))], Text::Case),
        Form::new("comparison_type", 1, &[("value", Part::Case(ComparisonType::CASES))], Text::Case),
        Form::new("precision", 0, &[("value", Part::Case(Precision::CASES))], Text::Case).without_code(),
        Form::new(
            "ragged_dot",
            0,
            &[
                ("lhs_batching_dimensions", Part::Ints),
                ("rhs_batching_dimensions", Part::Ints),
                ("lhs_contracting_dimensions", Part::Ints),
                ("rhs_contracting_dimensions", Part::Ints),
                ("lhs_ragged_dimensions", Part::Ints),
                ("rhs_group_dimensions", Part::Ints),
            ],
            Text::Shown,
        )
        .without_code(),
    ],
};
