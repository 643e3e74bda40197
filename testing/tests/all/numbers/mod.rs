//! The arithmetic of integers and floating-point numbers beside that of `mlir-opt`, which folds constants.
//!
//! Operations on dense elements fold element by element, so that one operation compares all pairs of numbers of a narrow type. What
//! `mlir-opt` folds it to is read back as bytecode. Wider types are compared at numbers that look random: `MLIRBC_NUMBERS=100000` takes
//! so many of each (a few hundred where it is not set).

mod conversions;
mod floats;
mod integers;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mlirbc_bytecode::read;
use mlirbc_ir::AttributeData;
use mlirbc_ir::OpRef;
use mlirbc_ir::dense::ElementLayout;
use mlirbc_ir::number::ApInt;
use mlirbc_testing::{Numbers, env_number, tool};

/// How many numbers that look random are taken of each wide type.
fn wide_count() -> usize {
    env_number("MLIRBC_NUMBERS").map_or(300, |count| count as usize)
}

/// Whether `mlir-opt` is there to be compared with.
fn mlir_opt_is_here() -> bool {
    tool("mlir-opt-22", "arithmetic was not compared with the folds of mlir-opt")
}

/// Numbers of one type: `i8`, `f32`.
#[derive(Clone)]
struct Column {
    ty: String,
    values: Vec<ApInt>,
}

impl Column {
    fn new(ty: &str, values: Vec<ApInt>) -> Column {
        Column { ty: ty.to_owned(), values }
    }

    fn tensor(&self) -> String {
        format!("tensor<{}x{}>", self.values.len(), self.ty)
    }

    /// The numbers as dense elements in hexadecimal.
    fn constant(&self) -> String {
        let bytes: Vec<u8> = if self.ty == "i1" {
            self.values
                .chunks(8)
                .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(bit.bit(0))))
                .collect()
        } else {
            let size = |value: &ApInt| value.width().div_ceil(8) as usize;
            let bytes = |value: &ApInt| value.words().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
            self.values.iter().flat_map(|value| bytes(value).into_iter().take(size(value))).collect()
        };
        let mut text = String::with_capacity(bytes.len() * 2 + 40);
        text.push_str("arith.constant dense<\"0x");
        for byte in bytes {
            let _ = write!(text, "{byte:02X}");
        }
        let _ = write!(text, "\"> : {}", self.tensor());
        text
    }
}

/// One operation on constants, and what it should fold to.
struct Fold {
    /// Other operations, which stand before it.
    before: String,
    inputs: Vec<Column>,
    /// The operation. Its operands are `%0`, `%1` and so on.
    operation: String,
    /// What each result is; nothing where the operation does not fold.
    results: Option<Vec<Column>>,
}

impl Fold {
    fn new(inputs: Vec<Column>, operation: String, results: Vec<Column>) -> Fold {
        Fold { before: String::new(), inputs, operation, results: Some(results) }
    }

    fn text(&self, name: usize, out: &mut String) {
        let results = match &self.results {
            Some(results) => results.iter().map(Column::tensor).collect(),
            None => vec![self.operation.rsplit(' ').next().unwrap_or_default().to_owned()],
        };
        let _ = writeln!(out, "func.func @f{name}() -> ({}) {{", results.join(", "));
        for (at, input) in self.inputs.iter().enumerate() {
            let _ = writeln!(out, "  %{at} = {}", input.constant());
        }
        out.push_str(&self.before);
        let _ = writeln!(out, "  %r:{} = {}", results.len(), self.operation);
        let values: Vec<String> = (0..results.len()).map(|at| format!("%r#{at}")).collect();
        let _ = writeln!(out, "  return {} : {}\n}}", values.join(", "), results.join(", "));
    }

    /// Compares with what the operand of the return is. Gives the count of numbers.
    fn compare(&self, returned: OpRef<'_>, wrong: &mut Vec<String>) -> usize {
        let defining = |at: usize| {
            let value = returned.operands()[at];
            returned.defining_operation(value).expect("what it returns is defined")
        };
        let Some(results) = &self.results else {
            if defining(0).name() == "arith.constant" {
                wrong.push(format!("{} folds on {:?}", self.operation, self.at(0)));
            }
            return 1;
        };
        let mut compared = 0;
        for (at, expected) in results.iter().enumerate() {
            let constant = defining(at);
            if constant.name() != "arith.constant" {
                wrong.push(format!("{} does not fold: {:?} ...", self.operation, self.at(0)));
                continue;
            }
            let value = constant.attribute("value").expect("well-formed").expect("a value");
            let context = constant.module().context();
            let AttributeData::DenseElements { ty, data } = &context[value] else {
                wrong.push(format!("{}: not dense elements", self.operation));
                continue;
            };
            let found = elements(context, *ty, data, expected.values.len());
            assert_eq!(found.len(), expected.values.len());
            let differing = (0..found.len()).filter(|&place| found[place] != expected.values[place]);
            let differing: Vec<usize> = differing.collect();
            if let Some(&first) = differing.first() {
                wrong.push(format!(
                    "{} result {at}, {} of {}: {:?} is {:?} and not {:?}",
                    self.operation,
                    differing.len(),
                    found.len(),
                    self.at(first),
                    found[first],
                    expected.values[first]
                ));
            }
            compared += found.len();
        }
        compared
    }

    /// The operands in one place.
    fn at(&self, place: usize) -> Vec<&ApInt> {
        self.inputs.iter().map(|input| &input.values[place]).collect()
    }
}

/// The numbers of dense elements.
fn elements(context: &mlirbc_ir::Context, ty: mlirbc_ir::Type, data: &[u8], count: usize) -> Vec<ApInt> {
    let mlirbc_ir::TypeData::RankedTensor { element, .. } = &context[ty] else { panic!("a tensor") };
    let layout = ElementLayout::of(context, *element).expect("numbers");
    let size = layout.size();
    if layout.packed() {
        let splat = matches!(data, [0x00 | 0xff]);
        let byte = |at: usize| if splat { data[0] } else { data[at / 8] };
        return (0..count).map(|at| ApInt::from_u64(1, u64::from(byte(at) >> (at % 8)))).collect();
    }
    if data.len() == size {
        return vec![layout.read(data); count];
    }
    data.chunks(size).map(|bytes| layout.read(bytes)).collect()
}

/// What `mlir-opt` makes of a text, as bytecode.
fn folded(text: String) -> Vec<u8> {
    let mut child = Command::new("mlir-opt-22")
        .args(["--canonicalize", "--emit-bytecode", "--mlir-disable-threading"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt-22 starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    let _ = writer.join();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "mlir-opt-22: {}", message.chars().take(2000).collect::<String>());
    output.stdout
}

/// Compares all folds with those of `mlir-opt`. Gives the count of numbers, all of which are equal.
fn compare(folds: &[Fold]) -> usize {
    let mut text = String::new();
    for (name, fold) in folds.iter().enumerate() {
        fold.text(name, &mut text);
    }
    let context = crate::definitions::context();
    let module = read(&context, folded(text)).expect("bytecode");
    let (mut compared, mut seen, mut wrong) = (0, 0, Vec::new());
    let top = module.operations().expect("a module").next().expect("one operation");
    for (function, fold) in top.ops().expect("functions").zip(folds) {
        let returned = function.ops().expect("a body").last().expect("a return");
        compared += fold.compare(returned, &mut wrong);
        seen += 1;
    }
    assert_eq!(seen, folds.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    compared
}

/// A word that looks random.
fn word(numbers: &mut Numbers) -> u64 {
    (0..4).fold(0, |word, _| word << 16 | numbers.below(1 << 16) as u64)
}

/// A pattern with long runs of equal bits, or one that looks random.
fn pattern(width: u32, numbers: &mut Numbers) -> ApInt {
    let words = |numbers: &mut Numbers| -> Vec<u64> { (0..width.div_ceil(64)).map(|_| word(numbers)).collect() };
    match numbers.below(8) {
        0 => ApInt::from_u64(width, numbers.below(20) as u64),
        1 => ApInt::from_u64(width, numbers.below(20) as u64).negated(),
        2 => ApInt::signed_min(width).add(&ApInt::from_i64(width, numbers.below(5) as i64 - 2)),
        3 => ApInt::all_ones(width).shl(numbers.below(width as usize) as u32),
        4 => ApInt::from_words(width, &words(numbers)).lshr(numbers.below(width as usize) as u32),
        5 => ApInt::from_words(width, &words(numbers)).ashr(numbers.below(width as usize) as u32),
        _ => ApInt::from_words(width, &words(numbers)),
    }
}

/// All pairs of patterns of a narrow width; so many that look random of a wide one.
fn pairs(width: u32, numbers: &mut Numbers) -> Vec<(ApInt, ApInt)> {
    if width <= 8 {
        let all = || (0..1u64 << width).map(|value| ApInt::from_u64(width, value));
        return all().flat_map(|a| all().map(move |b| (a.clone(), b))).collect();
    }
    (0..wide_count()).map(|_| (pattern(width, numbers), pattern(width, numbers))).collect()
}

/// A binary operation on those pairs of which `of` knows a result.
fn binary<const N: usize>(
    name: &str,
    ty: &str,
    results: [&str; N],
    pairs: &[(ApInt, ApInt)],
    of: impl Fn(&ApInt, &ApInt) -> Option<[ApInt; N]>,
) -> Fold {
    let (mut left, mut right) = (Column::new(ty, Vec::new()), Column::new(ty, Vec::new()));
    let mut columns = results.map(|ty| Column::new(ty, Vec::new()));
    for (a, b) in pairs {
        if let Some(values) = of(a, b) {
            left.values.push(a.clone());
            right.values.push(b.clone());
            for (column, value) in columns.iter_mut().zip(values) {
                column.values.push(value);
            }
        }
    }
    let operation = format!("{name} %0, %1 : {}", left.tensor());
    // The type of a carry is said, too.
    let operation =
        if name == "arith.addui_extended" { format!("{operation}, {}", columns[1].tensor()) } else { operation };
    Fold::new(vec![left, right], operation, columns.into())
}

/// Operations on one pair each that do not fold, because `of` knows no result: as many as `limit` of them.
fn unfolded(
    name: &str,
    ty: &str,
    pairs: &[(ApInt, ApInt)],
    limit: usize,
    of: impl Fn(&ApInt, &ApInt) -> bool,
) -> Vec<Fold> {
    let without: Vec<&(ApInt, ApInt)> = pairs.iter().filter(|(a, b)| !of(a, b)).collect();
    let step = without.len().div_ceil(limit.max(1)).max(1);
    let fold = |(a, b): &&(ApInt, ApInt)| Fold {
        before: String::new(),
        inputs: vec![Column::new(ty, vec![a.clone()]), Column::new(ty, vec![b.clone()])],
        operation: format!("{name} %0, %1 : tensor<1x{ty}>"),
        results: None,
    };
    without.iter().step_by(step).map(fold).collect()
}

/// An operation with one operand on those numbers of which `of` knows a result. Where types differ, the name has the operand, too.
fn unary(name: &str, (from, to): (&str, &str), values: &[ApInt], of: impl Fn(&ApInt) -> Option<ApInt>) -> Fold {
    let (values, results) = values.iter().filter_map(|value| Some((value.clone(), of(value)?))).unzip();
    let (input, result) = (Column::new(from, values), Column::new(to, results));
    let operation = match () {
        () if from == to => format!("{name} %0 : {}", input.tensor()),
        // An attribute may stand between operand and type.
        () => format!("{name} : {} to {}", input.tensor(), result.tensor()),
    };
    Fold::new(vec![input], operation, vec![result])
}
