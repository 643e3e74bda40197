//! Of operations that move a window over their operand.

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{DYNAMIC, OpRef, Result, Type};

use super::regions::{Reducer, gives_a_truth};
use super::shaped::{First, Shaped, are_dimensions, first_block, must, shapes_fit, size, sizes_fit};
use crate::stablehlo::ConvDimensionNumbers;

/// A window in one dimension.
struct Window {
    size: i64,
    stride: i64,
    padding: [i64; 2],
    base_dilation: i64,
    window_dilation: i64,
}

/// What attributes of windows are called.
struct Names {
    strides: &'static str,
    base_dilations: &'static str,
    window_dilations: &'static str,
}

const OF_REDUCE: Names =
    Names { strides: "window_strides", base_dilations: "base_dilations", window_dilations: "window_dilations" };
const OF_CONVOLUTION: Names =
    Names { strides: "window_strides", base_dilations: "lhs_dilation", window_dilations: "rhs_dilation" };

impl Window {
    /// The windows of an operation, a size a dimension.
    fn all(op: &Shaped<'_>, sizes: &[i64], names: &Names) -> Result<Vec<Window>> {
        let of = |name: &str| -> Result<Vec<i64>> {
            let numbers = op.numbers(name)?.filter(|numbers| !numbers.is_empty());
            let numbers = numbers.unwrap_or_else(|| vec![1; sizes.len()]);
            must(numbers.len() == sizes.len(), "an attribute of its windows is of another number of dimensions")?;
            must(numbers.iter().all(|&number| number > 0), "a stride or a dilation is not positive")?;
            Ok(numbers)
        };
        let (strides, bases, windows) = (of(names.strides)?, of(names.base_dilations)?, of(names.window_dilations)?);
        must(sizes.iter().all(|&size| size == DYNAMIC || size > 0), "a window has a size that is not positive")?;
        let padding = match op.grid("padding")? {
            Some(padding) => match padding.pairs() {
                Some(pairs) if pairs.is_empty() => vec![[0; 2]; sizes.len()],
                Some(pairs) => pairs,
                None => return must(false, "its `padding` is no two numbers a dimension").map(|()| Vec::new()),
            },
            None => vec![[0; 2]; sizes.len()],
        };
        must(padding.len() == sizes.len(), "its `padding` is of another number of dimensions")?;
        let each = (0..sizes.len()).map(|at| Window {
            size: sizes[at],
            stride: strides[at],
            padding: padding[at],
            base_dilation: bases[at],
            window_dilation: windows[at],
        });
        Ok(each.collect())
    }

    /// How many places it has in a dimension of that size.
    fn places(&self, base: i64) -> i64 {
        if base == DYNAMIC || self.size == DYNAMIC {
            return DYNAMIC;
        }
        let dilated = |size: i64, by: i64| if size == 0 { 0 } else { (i128::from(size) - 1) * i128::from(by) + 1 };
        let [low, high] = self.padding.map(i128::from);
        let room = low + dilated(base, self.base_dilation) + high;
        let window = dilated(self.size, self.window_dilation);
        if room == 0 || window > room {
            return 0;
        }
        i64::try_from((room - window) / i128::from(self.stride) + 1).unwrap_or(DYNAMIC)
    }
}

/// The shape of what windows make of a shape.
fn places(windows: &[Window], base: &[i64]) -> Vec<i64> {
    windows.iter().zip(base).map(|(window, &base)| window.places(base)).collect()
}

pub(super) fn convolution(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| ConvDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    let (Some(input), Some(kernel)) = (op.operand(0), op.operand(1)) else { return Ok(()) };
    must(op.elements_fit(op.operands[0], op.operands[1]), "its operands have different elements")?;
    let rank = input.len();
    must(
        rank >= 2 && kernel.len() == rank,
        "its operands have other numbers of dimensions than two and what is spatial",
    )?;
    let [spatial, in_kernel, in_output] =
        [&of.input_spatial_dimensions, &of.kernel_spatial_dimensions, &of.output_spatial_dimensions];
    must(
        [spatial, in_kernel, in_output].iter().all(|dimensions| dimensions.len() + 2 == rank),
        "its operands have other numbers of spatial dimensions",
    )?;
    for (first, second, spatial) in [
        (of.input_batch_dimension, of.input_feature_dimension, spatial),
        (of.kernel_input_feature_dimension, of.kernel_output_feature_dimension, in_kernel),
        (of.output_batch_dimension, of.output_feature_dimension, in_output),
    ] {
        let all: Vec<i64> = [first, second].into_iter().chain(spatial.iter().copied()).collect();
        must(are_dimensions(&all, rank), "its `dimension_numbers` are no dimensions, each once")?;
    }
    let batches = size(input, of.input_batch_dimension);
    let features = size(kernel, of.kernel_output_feature_dimension);
    let batches = groups(
        op,
        batches,
        features,
        [size(input, of.input_feature_dimension), size(kernel, of.kernel_input_feature_dimension)],
    )?;
    precisions(op)?;
    let sizes: Vec<i64> = in_kernel.iter().map(|&at| size(kernel, at)).collect();
    let windows = Window::all(op, &sizes, &OF_CONVOLUTION)?;
    let reversal = op.numbers("window_reversal")?;
    must(
        reversal.is_none_or(|reversal| reversal.is_empty() || reversal.len() == sizes.len()),
        "its `window_reversal` is of another number of dimensions",
    )?;
    let base: Vec<i64> = spatial.iter().map(|&at| size(input, at)).collect();
    let mut whole = vec![DYNAMIC; rank];
    let mut put = |at: i64, size: i64| whole[at as usize] = size;
    put(of.output_batch_dimension, batches);
    put(of.output_feature_dimension, features);
    for (&at, size) in in_output.iter().zip(places(&windows, &base)) {
        put(at, size);
    }
    // Where an operand says how it is padded, nothing is asked of the result.
    match op.operand(2) {
        Some(padding) => {
            must(shapes_fit(Some(padding), Some(&[sizes.len() as i64, 2])), "its padding is no two numbers a dimension")
        }
        None => op.gives(&whole),
    }
}

/// How many batches each group leaves.
fn groups(op: &Shaped<'_>, batches: i64, features: i64, of_inputs: [i64; 2]) -> Result<i64> {
    let (by_feature, by_batch) = (op.number("feature_group_count")?, op.number("batch_group_count")?);
    let (by_feature, by_batch) = (by_feature.unwrap_or(1), by_batch.unwrap_or(1));
    must(by_feature > 0 && by_batch > 0, "a number of groups is not positive")?;
    must(by_feature == 1 || by_batch == 1, "it has groups both of features and of batches")?;
    let divides = |size: i64, by: i64| size == DYNAMIC || size % by == 0;
    let [given, taken] = of_inputs;
    must(
        divides(features, by_feature) && divides(features, by_batch) && divides(given, by_feature),
        "its groups do not divide its features",
    )?;
    must(divides(batches, by_batch), "its groups do not divide its batches")?;
    must(given == DYNAMIC || sizes_fit(given / by_feature, taken), "its kernel takes another number of features")?;
    Ok(if batches == DYNAMIC { DYNAMIC } else { batches / by_batch })
}

/// There are no more precisions than two.
pub(super) fn precisions(op: &Shaped<'_>) -> Result<()> {
    let config = op.op.array("precision_config")?;
    must(config.is_none_or(|config| config.len() <= 2), "it has more precisions than operands")
}

pub(super) fn reduce_window(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    let inputs = shaped.operands.len() / 2;
    must(
        shaped.operands.len() % 2 == 0 && shaped.results.len() == inputs,
        "it has other numbers of initial values or results than of inputs",
    )?;
    let Some(sizes) = shaped.numbers("window_dimensions")? else { return Ok(()) };
    let windows = Window::all(&shaped, &sizes, &OF_REDUCE)?;
    for at in 0..inputs {
        must(shapes_fit(shaped.operand(at), shaped.operand(0)), "its inputs have different shapes")?;
        let Some(shape) = shaped.operand(at) else { continue };
        must(shape.len() == sizes.len(), "its windows have another number of dimensions than its inputs")?;
        must(
            shapes_fit(shaped.shape(shaped.results.get(at)), Some(&places(&windows, shape))),
            "its result has another shape than what it computes",
        )?;
    }
    let (from, initial) = shaped.operands.split_at(inputs);
    Reducer { inputs: from, initial, dimensions: Some(&sizes) }.check(&shaped, 0, true)
}

pub(super) fn select_and_scatter(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    let &[operand, source, initial] = &*shaped.operands else { return Ok(()) };
    let (Some(element), Some(scattered)) = (shaped.element(0), shaped.element(1)) else { return Ok(()) };
    if let Some(&region) = op.region_tree()?.2.first()
        && let Some(First { arguments, given }) = first_block(op, region)?
    {
        let is_scalar = |ty: &Type| {
            shapes_fit(shaped.shape(Some(ty)), Some(&[]))
                && shaped.context[*ty].element().is_some_and(|found| shaped.alike(found, element))
        };
        must(
            arguments.len() == 2 && arguments.iter().all(is_scalar),
            "what selects takes no two elements of the operand",
        )?;
        gives_a_truth(&shaped, given.as_deref())?;
    }
    let of_source = [shaped.scalar(scattered)];
    Reducer { inputs: &of_source, initial: &[initial], dimensions: Some(&[]) }.check(&shaped, 1, true)?;
    let sizes = shaped.numbers("window_dimensions")?.unwrap_or_default();
    let windows = Window::all(&shaped, &sizes, &OF_REDUCE)?;
    if let Some(shape) = shaped.shape(Some(&operand)) {
        must(shape.len() == sizes.len(), "its windows have another number of dimensions than its operand")?;
        must(
            shapes_fit(shaped.shape(Some(&source)), Some(&places(&windows, shape))),
            "its source has another shape than what windows select",
        )?;
        must(shapes_fit(shaped.result(), Some(shape)), "its result has another shape than its operand")?;
    }
    must(shaped.alike(element, scattered), "its source has other elements than its operand")
}
