//! Attributes and types of `stablehlo`, with their text and encodings.

use mlirbc_ir::text::{DialectPrinter, DialectText, Elision, Parser};
use mlirbc_ir::{Attribute, AttributeData, Context, DialectValue, Error, Parameter, Result, Type};

use super::DIALECT;
use super::parts::{self, Form, Forms, Part, number};
use super::views::{enums, values};

enums! {
    "stablehlo";
    /// How two numbers are compared.
    ComparisonDirection = "comparison_direction" { Eq = 0 "EQ", Ne = 1 "NE", Ge = 2 "GE", Gt = 3 "GT", Le = 4 "LE", Lt = 5 "LT", }
    /// As what numbers are compared.
    ComparisonType = "comparison_type" { NoType = 0 "NOTYPE", Float = 1 "FLOAT", TotalOrder = 2 "TOTALORDER", Signed = 3 "SIGNED", Unsigned = 4 "UNSIGNED", }
    /// Which Fourier transform.
    FftType = "fft_type" { Fft = 0 "FFT", Ifft = 1 "IFFT", Rfft = 2 "RFFT", Irfft = 3 "IRFFT", }
    /// How exact products are.
    Precision = "precision" { Default = 0 "DEFAULT", High = 1 "HIGH", Highest = 2 "HIGHEST", }
    /// Which generator of random bits.
    RngAlgorithm = "rng_algorithm" { Default = 0 "DEFAULT", ThreeFry = 1 "THREE_FRY", Philox = 2 "PHILOX", }
    /// How random numbers are distributed.
    RngDistribution = "rng_distribution" { Uniform = 1 "UNIFORM", Normal = 2 "NORMAL", }
    /// What becomes of a matrix first.
    Transpose = "transpose" { Invalid = 0 "TRANSPOSE_INVALID", NoTranspose = 1 "NO_TRANSPOSE", Transpose = 2 "TRANSPOSE", Adjoint = 3 "ADJOINT", }
    /// How exact a result is.
    ResultAccuracyMode = "result_accuracy_mode" { Default = 0 "DEFAULT", Highest = 1 "HIGHEST", Tolerance = 2 "TOLERANCE", }
}

values! {
    "stablehlo";
    /// Which channel devices talk over.
    ChannelHandle = "channel_handle" {
        /// Its number.
        handle: i64,
        /// Between what it is.
        channel_type: i64,
    }
    /// What the dimensions of a convolution's operands and result are.
    ConvDimensionNumbers = "conv" {
        /// The batch dimension of the input.
        input_batch_dimension: i64,
        /// The feature dimension of the input.
        input_feature_dimension: i64,
        /// The spatial dimensions of the input.
        input_spatial_dimensions: Vec<i64>,
        /// The input feature dimension of the kernel.
        kernel_input_feature_dimension: i64,
        /// The output feature dimension of the kernel.
        kernel_output_feature_dimension: i64,
        /// The spatial dimensions of the kernel.
        kernel_spatial_dimensions: Vec<i64>,
        /// The batch dimension of the output.
        output_batch_dimension: i64,
        /// The feature dimension of the output.
        output_feature_dimension: i64,
        /// The spatial dimensions of the output.
        output_spatial_dimensions: Vec<i64>,
    }
    /// Which dimensions a product runs over.
    DotDimensionNumbers = "dot" {
        /// Those of the left operand that are batches.
        lhs_batching_dimensions: Vec<i64>,
        /// Those of the right operand that are batches.
        rhs_batching_dimensions: Vec<i64>,
        /// Those of the left operand that are summed over.
        lhs_contracting_dimensions: Vec<i64>,
        /// Those of the right operand that are summed over.
        rhs_contracting_dimensions: Vec<i64>,
    }
    /// By which steps a product is computed.
    DotAlgorithm = "dot_algorithm" {
        /// What the left operand is rounded to.
        lhs_precision_type: Type,
        /// What the right operand is rounded to.
        rhs_precision_type: Type,
        /// What is summed in.
        accumulation_type: Type,
        /// Into how many parts the left operand is taken apart.
        lhs_component_count: i64,
        /// Into how many parts the right operand is taken apart.
        rhs_component_count: i64,
        /// How many products of parts there are.
        num_primitive_operations: i64,
        /// Whether sums may be less exact.
        allow_imprecise_accumulation: bool,
    }
    /// Which dimensions are what where slices are gathered.
    GatherDimensionNumbers = "gather" {
        /// Dimensions of the result that are of slices.
        offset_dims: Vec<i64>,
        /// Dimensions of slices that are left out.
        collapsed_slice_dims: Vec<i64>,
        /// Dimensions of the operand that are batches.
        operand_batching_dims: Vec<i64>,
        /// Dimensions of the indices that are batches.
        start_indices_batching_dims: Vec<i64>,
        /// Which dimension each index is of.
        start_index_map: Vec<i64>,
        /// The dimension of the indices that holds one vector.
        index_vector_dim: i64,
    }
    /// Which dimensions are what where slices are scattered.
    ScatterDimensionNumbers = "scatter" {
        /// Dimensions of the updates that are of windows.
        update_window_dims: Vec<i64>,
        /// Dimensions of windows that updates leave out.
        inserted_window_dims: Vec<i64>,
        /// Dimensions of the inputs that are batches.
        input_batching_dims: Vec<i64>,
        /// Dimensions of the indices that are batches.
        scatter_indices_batching_dims: Vec<i64>,
        /// Which dimension each index is of.
        scatter_dims_to_operand_dims: Vec<i64>,
        /// The dimension of the indices that holds one vector.
        index_vector_dim: i64,
    }
    /// The most that dimensions of a tensor can be, [`DYNAMIC`](mlirbc_ir::DYNAMIC) where nobody knows. Text calls it `bounds`.
    TypeExtensions = "bounds" {
        /// By dimension.
        bounds: Vec<i64>,
    }
    /// Which output of a custom call is in the place of which operand.
    OutputOperandAlias = "output_operand_alias" {
        /// Where in the output, that is a tuple.
        output_tuple_indices: Vec<i64>,
        /// The operand.
        operand_index: i64,
        /// Where in the operand, that is a tuple.
        operand_tuple_indices: Vec<i64>,
    }
    /// How exact a result is.
    ResultAccuracy = "result_accuracy" {
        /// How far off it may be.
        atol: f64,
        /// How far off it may be, for its size.
        rtol: f64,
        /// How many numbers off it may be.
        ulps: i64,
        /// A [`ResultAccuracyMode`].
        mode: Attribute,
    }
    /// Replicas that are grouped by axes of a mesh.
    ReplicaGroupMeshAxes = "replica_group_mesh_axes" {
        /// A symbol, or a [`Mesh`].
        mesh: Attribute,
        /// An array of [`AxisRef`].
        axes: Attribute,
    }
    /// A part of an axis.
    SubAxisInfo = "sub_axis_info" {
        /// The product of what is before it.
        pre_size: i64,
        /// Its size.
        size: i64,
    }
    /// An axis, or a part of one.
    AxisRef = "axis_ref" {
        /// The name of the axis, a string.
        name: Attribute,
        /// A [`SubAxisInfo`].
        sub_axis_info: Option<Attribute>,
    }
    /// An axis of a mesh.
    MeshAxis = "mesh_axis" {
        /// Its name, a string.
        name: Attribute,
        /// How many devices it has.
        size: i64,
    }
    /// Devices in a grid.
    Mesh = "mesh" {
        /// An array of [`MeshAxis`].
        axes: Attribute,
        /// Dense elements: which device is where.
        device_ids: Option<Attribute>,
    }
}

const fn case(mnemonic: &'static str, code: u64, cases: &'static [(&'static str, Part)]) -> Form {
    Form::new(mnemonic, code, cases, parts::Text::Case)
}

/// All attributes and types.
pub(super) const FORMS: Forms = Forms {
    dialect: DIALECT,
    types: &[
        Form::new("token", 0, &[], parts::Text::None),
        Form::new("future", 1, &[("types", Part::Types)], parts::Text::Bracketed).rule(has_types),
    ],
    attributes: &[
        Form::new("channel_handle", 1, &[("handle", Part::Int), ("type", Part::Int)], parts::Text::Named),
        case("comparison_direction", 2, &[("value", Part::Case(ComparisonDirection::CASES))]),
        case("comparison_type", 3, &[("value", Part::Case(ComparisonType::CASES))]),
        Form::new(
            "conv",
            4,
            &[
                ("input_batch_dimension", Part::Int),
                ("input_feature_dimension", Part::Int),
                ("input_spatial_dimensions", Part::Ints),
                ("kernel_input_feature_dimension", Part::Int),
                ("kernel_output_feature_dimension", Part::Int),
                ("kernel_spatial_dimensions", Part::Ints),
                ("output_batch_dimension", Part::Int),
                ("output_feature_dimension", Part::Int),
                ("output_spatial_dimensions", Part::Ints),
            ],
            parts::Text::Own(super::convolution::print_attribute, super::convolution::parse_attribute),
        ),
        Form::new(
            "dot",
            5,
            &[
                ("lhs_batching_dimensions", Part::Ints),
                ("rhs_batching_dimensions", Part::Ints),
                ("lhs_contracting_dimensions", Part::Ints),
                ("rhs_contracting_dimensions", Part::Ints),
            ],
            parts::Text::Shown,
        ),
        case("fft_type", 6, &[("value", Part::Case(FftType::CASES))]),
        Form::new(
            "gather",
            7,
            &[
                ("offset_dims", Part::Ints),
                ("collapsed_slice_dims", Part::Ints),
                ("operand_batching_dims", Part::Ints),
                ("start_indices_batching_dims", Part::Ints),
                ("start_index_map", Part::Ints),
                ("index_vector_dim", Part::Int),
            ],
            parts::Text::Shown,
        ),
        case("precision", 8, &[("value", Part::Case(Precision::CASES))]),
        case("rng_algorithm", 9, &[("value", Part::Case(RngAlgorithm::CASES))]),
        case("rng_distribution", 10, &[("value", Part::Case(RngDistribution::CASES))]),
        Form::new(
            "scatter",
            11,
            &[
                ("update_window_dims", Part::Ints),
                ("inserted_window_dims", Part::Ints),
                ("input_batching_dims", Part::Ints),
                ("scatter_indices_batching_dims", Part::Ints),
                ("scatter_dims_to_operand_dims", Part::Ints),
                ("index_vector_dim", Part::Int),
            ],
            parts::Text::Shown,
        ),
        case("transpose", 12, &[("value", Part::Case(Transpose::CASES))]),
        Form::new("bounds", 13, &[("bounds", Part::Ints)], parts::Text::Own(print_bounds, parse_bounds)),
        Form::new(
            "output_operand_alias",
            14,
            &[
                ("output_tuple_indices", Part::Ints),
                ("operand_index", Part::Int),
                ("operand_tuple_indices", Part::Ints),
            ],
            parts::Text::Named,
        ),
        Form::new(
            "dot_algorithm",
            15,
            &[
                ("lhs_precision_type", Part::Type),
                ("rhs_precision_type", Part::Type),
                ("accumulation_type", Part::Type),
                ("lhs_component_count", Part::Int),
                ("rhs_component_count", Part::Int),
                ("num_primitive_operations", Part::Int),
                ("allow_imprecise_accumulation", Part::Bool),
            ],
            parts::Text::Named,
        ),
        Form::new(
            "result_accuracy_mode",
            16,
            &[("value", Part::Case(ResultAccuracyMode::CASES))],
            parts::Text::Bracketed,
        ),
        Form::new(
            "result_accuracy",
            17,
            &[
                ("atol", Part::Double),
                ("rtol", Part::Double),
                ("ulps", Part::Int),
                ("mode", Part::Attribute("result_accuracy_mode")),
            ],
            parts::Text::Shown,
        )
        .rule(tolerance),
        Form::new(
            "replica_group_mesh_axes",
            18,
            &[("mesh", Part::Attribute("")), ("axes", Part::Items("axis_ref"))],
            parts::Text::Named,
        ),
        Form::new(
            "sub_axis_info",
            19,
            &[("pre_size", Part::Int), ("size", Part::Int)],
            parts::Text::Own(print_sub_axis, parse_sub_axis),
        ),
        Form::new(
            "axis_ref",
            20,
            &[("name", Part::Name), ("sub_axis_info", Part::Marked("sub_axis_info"))],
            parts::Text::Named,
        ),
        Form::new("mesh_axis", 21, &[("name", Part::Name), ("size", Part::Int)], parts::Text::Named),
        Form::new(
            "mesh",
            22,
            &[("axes", Part::Array("mesh_axis")), ("device_ids", Part::Marked(""))],
            parts::Text::Own(print_mesh, parse_mesh),
        ),
    ],
};

fn ensure(holds: bool, message: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::verification(message)) }
}

fn has_types(_: &Context, parameters: &[Parameter]) -> Result<()> {
    ensure(!matches!(parameters, [Parameter::List(types)] if types.is_empty()), "a future of nothing")
}

/// Only where tolerances are what counts may there be any, and none is negative.
fn tolerance(context: &Context, parameters: &[Parameter]) -> Result<()> {
    let [Parameter::Double(atol), Parameter::Double(rtol), Parameter::Signed(ulps), Parameter::Attribute(mode)] =
        parameters
    else {
        return Ok(());
    };
    let (atol, rtol) = (f64::from_bits(*atol), f64::from_bits(*rtol));
    let none = atol == 0.0 && rtol == 0.0 && *ulps == 0;
    let wants = ResultAccuracyMode::of(context, *mode) == Some(ResultAccuracyMode::Tolerance);
    ensure(wants || none, "tolerances of a result accuracy whose mode has none")?;
    ensure(!(atol < 0.0 || rtol < 0.0 || *ulps < 0), "a negative tolerance")
}

/// `<4, ?>`
fn print_bounds(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let [Parameter::List(bounds)] = parameters else { return };
    let bounds = bounds.iter().map(|bound| match bound {
        Parameter::Signed(mlirbc_ir::DYNAMIC) => "?".to_owned(),
        Parameter::Signed(bound) => bound.to_string(),
        _ => String::new(),
    });
    printer.text("<").text(bounds.collect::<Vec<_>>().join(", ")).text(">");
}

fn parse_bounds(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut bounds = Vec::new();
    parser.expect(b'<')?;
    let named = parser.eat_word(b"bounds");
    if named {
        parser.expect(b'=')?;
        parser.expect(b'[')?;
    }
    parser.list(if named { b']' } else { b'>' }, |parser| {
        bounds.push(Parameter::Signed(if parser.eat(b'?') { mlirbc_ir::DYNAMIC } else { number(parser)? }));
        Ok(())
    })?;
    if named {
        parser.expect(b'>')?;
    }
    Ok(vec![Parameter::List(bounds.into())])
}

/// `(1)2`
fn print_sub_axis(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    if let [Parameter::Signed(before), Parameter::Signed(size)] = parameters {
        printer.text(format!("({before}){size}"));
    }
}

fn parse_sub_axis(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'(')?;
    let before = number(parser)?;
    parser.expect(b')')?;
    Ok(vec![Parameter::Signed(before), Parameter::Signed(number(parser)?)])
}

/// `<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>`
fn print_mesh(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let [Parameter::Attribute(axes), device_ids] = parameters else { return };
    let AttributeData::Array(axes) = &printer.context()[*axes] else { return };
    printer.text("<axes=[");
    for (at, axis) in axes.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " }).stripped_attribute(*axis);
    }
    printer.text("]");
    if let Parameter::Attribute(ids) = device_ids {
        printer.text(", device_ids=").attribute(*ids, Elision::Never);
    }
    printer.text(">");
}

fn parse_mesh(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut axes = Vec::new();
    parser.expect(b'<')?;
    parser.expect_word("axes")?;
    parser.expect(b'=')?;
    parser.expect(b'[')?;
    parser.list(b']', |parser| {
        axes.push(parser.stripped_attribute(DIALECT, "mesh_axis")?);
        Ok(())
    })?;
    let axes = parser.context().attribute(AttributeData::Array(axes.into()));
    let mut ids = Parameter::None;
    if parser.eat(b',') {
        parser.expect_word("device_ids")?;
        parser.expect(b'=')?;
        ids = Parameter::Attribute(parser.attribute()?);
    }
    parser.expect(b'>')?;
    Ok(vec![Parameter::Attribute(axes), ids])
}

/// The text of the dialect: by its forms, and what has another name in them.
pub(super) struct Text;

impl DialectText for Text {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        FORMS.verify_attribute(context, value)
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        FORMS.verify_type(context, value)
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        FORMS.print_attribute(value, printer)
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        FORMS.print_type(value, printer)
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        FORMS.parse_attribute(self.renamed_mnemonic(mnemonic), parser)
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        FORMS.parse_type(mnemonic, parser)
    }

    fn is_trimmed(&self) -> bool {
        true
    }

    /// Bounds were the first of more.
    fn renamed_mnemonic<'a>(&self, mnemonic: &'a [u8]) -> &'a [u8] {
        if mnemonic == b"type_extensions" { b"bounds" } else { mnemonic }
    }
}
