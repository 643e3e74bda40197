//! Types of the `quant` dialect.
//!
//! Each is a [`DialectValue`] whose parameters follow one of [`TYPES`]. Three forms share the mnemonic `uniform`; they
//! differ in what parameters they have.

mod encoding;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::dense::ElementLayout;
use mlirbc_ir::fields::{AttributeClass, Field, FieldKind, FieldsDef};
use mlirbc_ir::number::{ApInt, FloatKind};
use mlirbc_ir::ods::CppClasses;
use mlirbc_ir::text::{DialectPrinter, DialectText, Parser, float};
use mlirbc_ir::{
    Attribute, AttributeData, Context, Dialect, DialectValue, Error, Parameter, Result, Signedness, Type, TypeData,
};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};

const FLAGS: Field = Field::required("flags", FieldKind::Unsigned(32));
const STORAGE: Field = Field::required("storage", FieldKind::Type);
const EXPRESSED: Field = Field::required("expressed", FieldKind::Type);
const MIN: Field = Field::required("min", FieldKind::Signed(64));
const MAX: Field = Field::required("max", FieldKind::Signed(64));

const fn form(code: u64, mnemonic: &'static str, fields: &'static [Field]) -> FieldsDef {
    FieldsDef { mnemonic, code: Some(code), fields }
}

/// Every form of every type, in the order of their codes. The codes begin with 1.
pub static TYPES: &[FieldsDef] = &[
    form(1, "any", &[FLAGS, STORAGE, Field::required("expressed", FieldKind::Absent), MIN, MAX]),
    form(2, "any", &[FLAGS, STORAGE, EXPRESSED, MIN, MAX]),
    form(
        3,
        "calibrated",
        &[EXPRESSED, Field::required("min", FieldKind::Double), Field::required("max", FieldKind::Double)],
    ),
    form(
        4,
        "uniform",
        &[
            FLAGS,
            STORAGE,
            EXPRESSED,
            Field::required("scale", FieldKind::Double),
            Field::required("zeroPoint", FieldKind::Signed(64)),
            MIN,
            MAX,
        ],
    ),
    form(
        5,
        "uniform",
        &[
            FLAGS,
            STORAGE,
            EXPRESSED,
            Field::required("axis", FieldKind::Unsigned(31)),
            MIN,
            MAX,
            Field::required("scales", FieldKind::Doubles),
            Field::required("zeroPoints", FieldKind::SignedList(64)),
        ],
    ),
    form(
        6,
        "uniform",
        &[
            FLAGS,
            STORAGE,
            EXPRESSED,
            MIN,
            MAX,
            Field::required("axes", FieldKind::SignedList(64)),
            Field::required("blockSizes", FieldKind::SignedList(64)),
            Field::required("scales", FieldKind::Attribute(AttributeClass::Any)),
            Field::required("zeroPoints", FieldKind::Attribute(AttributeClass::Any)),
        ],
    ),
];

/// The widest storage type.
const MAX_STORAGE: u32 = 32;

/// The bit among the flags that says that storage is signed.
const SIGNED: u64 = 1;

/// The form that the parameters have.
pub fn definition(context: &Context, value: &DialectValue) -> Option<&'static FieldsDef> {
    let mnemonic = context.bytes(value.mnemonic);
    TYPES.iter().find(|form| {
        form.mnemonic.as_bytes() == mnemonic
            && form.fields.len() == value.parameters.len()
            && form.fields.iter().zip(&value.parameters).all(|(field, parameter)| field.holds(context, parameter))
    })
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::verification(message())) }
}

/// What the elements of a dense attribute are, and how many dimensions of which sizes they fill.
struct Dense<'c> {
    shape: &'c [i64],
    element: Type,
    layout: ElementLayout,
    count: u64,
    data: &'c [u8],
}

impl<'c> Dense<'c> {
    fn of(context: &'c Context, attribute: Attribute) -> Option<Dense<'c>> {
        let AttributeData::DenseElements { ty, data } = &context[attribute] else { return None };
        let TypeData::RankedTensor { shape, element, .. } = &context[*ty] else { return None };
        let layout = ElementLayout::of(context, *element).filter(|layout| !layout.complex)?;
        let count = context[*ty].element_count()?;
        layout.is_splat(count, data)?;
        Some(Dense { shape, element: *element, layout, count, data })
    }

    fn element(&self, at: u64) -> ApInt {
        let size = self.layout.number_size();
        if self.layout.is_splat(self.count, self.data) == Some(true) {
            return self.layout.read(self.data);
        }
        if self.layout.packed() {
            let byte = self.data.get((at / 8) as usize).copied().unwrap_or(0);
            return ApInt::from_u64(1, u64::from(byte >> (at % 8) & 1));
        }
        let start = at as usize * size;
        self.data
            .get(start..start + size)
            .map_or(ApInt::from_u64(self.layout.number.width(), 0), |bytes| self.layout.read(bytes))
    }
}

/// Checks the rules of a type: storage that fits, scales that the expressed type can hold, lists of one length.
///
/// # Errors
/// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification), saying which rule is broken.
pub fn verify(context: &Context, value: &DialectValue) -> Result<()> {
    use Parameter::{Attribute, Double, List, Signed, Type, Unsigned};
    let Some(form) = definition(context, value) else {
        let known = TYPES.iter().any(|form| form.mnemonic.as_bytes() == context.bytes(value.mnemonic));
        return ensure(!known, || format!("`{}` has other parameters", context.text(value.mnemonic)));
    };
    if let &[Type(expressed), Double(min), Double(max)] = &*value.parameters {
        let (min, max) = (f64::from_bits(min), f64::from_bits(max));
        ensure(matches!(context[expressed], TypeData::Float(_)), || {
            "expressed type must be floating point".to_owned()
        })?;
        let wrong = max <= min;
        return ensure(!wrong, || format!("illegal min and max: ({min:e}:{max:e})"));
    }
    let [Unsigned(flags), Type(storage), expressed, ..] = &*value.parameters else { return Ok(()) };
    let limits: Vec<i64> = form.fields.iter().zip(&value.parameters).filter_map(limit).collect();
    ensure(flags & !SIGNED == 0, || format!("illegal flags of a quantized type: {flags}"))?;
    verify_storage(context, flags & SIGNED != 0, *storage, &limits)?;
    let Type(expressed) = expressed else { return Ok(()) };
    let TypeData::Float(kind) = context[*expressed] else {
        return Err(Error::verification("expressed type must be floating point"));
    };
    match &value.parameters[3..] {
        [Double(scale), ..] => verify_scale(kind, f64::from_bits(*scale)),
        [_, _, _, List(scales), List(zero_points)] => {
            ensure(scales.len() == zero_points.len(), || {
                format!("illegal number of scales and zeroPoints: {}, {}", scales.len(), zero_points.len())
            })?;
            let scales = scales.iter().filter_map(|scale| if let Double(bits) = scale { Some(*bits) } else { None });
            scales.into_iter().try_for_each(|scale| verify_scale(kind, f64::from_bits(scale)))
        }
        [_, _, List(axes), List(sizes), Attribute(scales), Attribute(zero_points)] => {
            let number = |item: &Parameter| if let Signed(value) = item { *value } else { 0 };
            ensure(axes.len() == sizes.len(), || {
                format!("illegal number of quantized dimensions and block sizes: {}, {}", axes.len(), sizes.len())
            })?;
            if let Some(axis) = axes.iter().map(number).find(|&axis| !(0..=i32::MAX.into()).contains(&axis)) {
                return Err(Error::verification(format!("illegal quantized dimension: {axis}")));
            }
            if let Some(size) = sizes.iter().map(number).find(|&size| size <= 0) {
                return Err(Error::verification(format!("illegal block size: {size}")));
            }
            let (Some(scales), Some(zero_points)) = (Dense::of(context, *scales), Dense::of(context, *zero_points))
            else {
                return Err(Error::verification("scales and zero points must be dense tensors"));
            };
            ensure(scales.element == *expressed, || "type of scales is not the expressed type".to_owned())?;
            ensure(zero_points.element == *storage, || "type of zero points is not the storage type".to_owned())?;
            ensure(scales.shape == zero_points.shape, || "shapes of scales and zero points differ".to_owned())?;
            let elements =
                if scales.layout.is_splat(scales.count, scales.data) == Some(true) { 1 } else { scales.count };
            (0..elements.min(scales.count)).try_for_each(|at| match float::to_double(kind, &scales.element(at)) {
                Some(scale) => verify_scale(kind, scale),
                // These have values between doubles.
                None => ensure(matches!(kind, FloatKind::F80 | FloatKind::F128), || "scale is not finite".to_owned()),
            })
        }
        _ => Ok(()),
    }
}

fn limit((field, parameter): (&Field, &Parameter)) -> Option<i64> {
    match parameter {
        Parameter::Signed(value) if matches!(field.name, "min" | "max") => Some(*value),
        _ => None,
    }
}

fn verify_storage(context: &Context, signed: bool, storage: Type, limits: &[i64]) -> Result<()> {
    let &TypeData::Integer { width, signedness } = &context[storage] else {
        return Err(Error::verification("storage type must be integral"));
    };
    // Text says both in one: MLIR prints the flag, and would read back another storage type.
    let other = if signed { Signedness::Unsigned } else { Signedness::Signed };
    ensure(signedness != other, || "illegal sign of a storage type, which the flags contradict".to_owned())?;
    ensure((1..=MAX_STORAGE).contains(&width), || format!("illegal storage type size: {width}"))?;
    let &[min, max] = limits else { return Ok(()) };
    let (lowest, highest) = limits_of(signed, width);
    ensure(min < max, || format!("illegal storage min and storage max: ({min}:{max})"))?;
    ensure(min >= lowest, || format!("illegal storage type minimum: {min}"))?;
    ensure(max <= highest, || format!("illegal storage type maximum: {max}"))
}

fn limits_of(signed: bool, width: u32) -> (i64, i64) {
    match signed {
        true => (-1 << (width - 1), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    }
}

/// A scale must be no smaller than the smallest positive number of the expressed type, and no larger than the largest.
fn verify_scale(kind: FloatKind, scale: f64) -> Result<()> {
    let (smallest, largest) = float::range(kind);
    let wrong = scale < smallest || scale > largest;
    ensure(!wrong, || format!("scale {scale:e} out of expressed type range [{smallest:e}, {largest:e}]"))
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("quant").inliner(InlineOperations).text(Text).extension(classes()).bytecode(encoding::Quant)
}

/// Its types, which have no records.
fn classes() -> CppClasses {
    CppClasses::new()
        .any_type("quant::QuantizedType")
        .ty("quant::AnyQuantizedType", "any")
        .ty("quant::CalibratedQuantizedType", "calibrated")
}

/// Text and checks of the dialect's types.
struct Text;

/// How many elements of splats are printed one by one.
const PRINTED_SPLAT: u64 = 1 << 16;

impl DialectText for Text {
    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        verify(context, value)
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        use Parameter::{Attribute, Double, List, Signed, Type, Unsigned};
        let context = printer.context();
        if definition(context, value).is_none() || verify(context, value).is_err() {
            return false;
        }
        printer.text("<");
        match &*value.parameters {
            &[Type(expressed), Double(min), Double(max)] => {
                printer.ty(expressed).text("<").double(f64::from_bits(min));
                printer.text(":").double(f64::from_bits(max)).text(">");
            }
            [Unsigned(flags), Type(storage), expressed, Signed(min), Signed(max)] => {
                print_storage(printer, flags & SIGNED != 0, *storage, (*min, *max));
                if let Type(expressed) = expressed {
                    printer.text(":").ty(*expressed);
                }
            }
            [
                Unsigned(flags),
                Type(storage),
                Type(expressed),
                Double(scale),
                Signed(zero),
                Signed(min),
                Signed(max),
            ] => {
                print_storage(printer, flags & SIGNED != 0, *storage, (*min, *max));
                printer.text(":").ty(*expressed).text(", ");
                print_scale(printer, f64::from_bits(*scale), *zero);
            }
            [
                Unsigned(flags),
                Type(storage),
                Type(expressed),
                Unsigned(axis),
                Signed(min),
                Signed(max),
                List(scales),
                List(zeros),
            ] => {
                print_storage(printer, flags & SIGNED != 0, *storage, (*min, *max));
                printer.text(":").ty(*expressed).text(format!(":{axis}, {{"));
                for (at, pair) in scales.iter().zip(zeros).enumerate() {
                    printer.text(if at == 0 { "" } else { "," });
                    if let (Double(scale), Signed(zero)) = pair {
                        print_scale(printer, f64::from_bits(*scale), *zero);
                    }
                }
                printer.text("}");
            }
            [
                Unsigned(flags),
                Type(storage),
                Type(expressed),
                Signed(min),
                Signed(max),
                List(axes),
                List(sizes),
                Attribute(scales),
                Attribute(zeros),
            ] => {
                let (Some(scales), Some(zeros)) = (Dense::of(context, *scales), Dense::of(context, *zeros)) else {
                    return false;
                };
                // A splat of few bytes can stand for any number of elements.
                let held = scales.data.len().max(zeros.data.len().saturating_mul(8)) as u64;
                if scales.count > held.max(PRINTED_SPLAT) {
                    return false;
                }
                print_storage(printer, flags & SIGNED != 0, *storage, (*min, *max));
                printer.text(":").ty(*expressed).text(":{");
                for (at, pair) in axes.iter().zip(sizes).enumerate() {
                    if let (Signed(axis), Signed(size)) = pair {
                        printer.text(if at == 0 { "" } else { ", " }).text(format!("{axis}:{size}"));
                    }
                }
                printer.text("}, ");
                print_blocks(printer, &scales, &zeros);
            }
            _ => return false,
        }
        printer.text(">");
        true
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let parse = match mnemonic {
            b"any" => parse_any,
            b"calibrated" => parse_calibrated,
            b"uniform" => parse_uniform,
            _ => return Ok(None),
        };
        parser.expect(b'<')?;
        let parameters = parse(parser)?;
        parser.expect(b'>')?;
        Ok(Some(parameters.into()))
    }
}

fn print_storage(printer: &mut DialectPrinter<'_>, signed: bool, storage: Type, limits: (i64, i64)) {
    let &TypeData::Integer { width, signedness } = &printer.context()[storage] else { return };
    // The sign of the storage type is shown where reading it gives the same sign among the flags.
    let letters = match (signedness, signed) {
        (Signedness::Signed, true) => "si",
        (_, true) => "i",
        (Signedness::Unsigned, false) => "ui",
        (_, false) => "u",
    };
    printer.text(format!("{letters}{width}"));
    if limits != limits_of(signed, width) {
        printer.text(format!("<{}:{}>", limits.0, limits.1));
    }
}

fn print_scale(printer: &mut DialectPrinter<'_>, scale: f64, zero_point: i64) {
    printer.double(scale);
    if zero_point != 0 {
        printer.text(format!(":{zero_point}"));
    }
}

/// Prints scales and zero points in braces nested as their shape says.
fn print_blocks(printer: &mut DialectPrinter<'_>, scales: &Dense<'_>, zeros: &Dense<'_>) {
    let TypeData::Float(kind) = printer.context()[scales.element] else { return };
    let shape = if scales.shape.is_empty() { &[1] } else { scales.shape };
    let braces = |at: u64| {
        // Each dimension opens where the index is a multiple of all that it holds.
        let mut held = 1u64;
        let opens = |size: &&i64| {
            held = held.saturating_mul(size.unsigned_abs());
            at.is_multiple_of(held)
        };
        shape.iter().rev().take_while(opens).count()
    };
    if scales.count == 0 {
        printer.text("{}");
    }
    for at in 0..scales.count {
        printer.text(if at == 0 { "" } else { ", " }).text("{".repeat(braces(at)));
        let mut text = Vec::new();
        float::print(&mut text, kind, &scales.element(at));
        match float::to_double(kind, &scales.element(at)) {
            // Bits are read as those of a double.
            Some(scale) if text.starts_with(b"0x") => printer.double(scale),
            _ => printer.text(text),
        };
        match zeros.element(at).to_i64() {
            None | Some(0) => {}
            Some(zero) => {
                printer.text(format!(":{zero}"));
            }
        }
        printer.text("}".repeat(braces(at + 1)));
    }
}

/// Parses storage type and limits: flags, type, lowest and highest.
fn parse_storage(parser: &mut Parser<'_>) -> Result<(u64, Type, i64, i64)> {
    let context = parser.context();
    let word = parser.peek_word();
    let width = word.strip_prefix(b"u").filter(|digits| digits.first().is_some_and(u8::is_ascii_digit));
    let (storage, signed) = match width {
        Some(digits) => {
            let width = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
            let Some(width) = width else { return Err(parser.expected("a storage type")) };
            parser.word();
            (context.integer_type(width), false)
        }
        None => {
            let ty = parser.ty()?;
            (ty, !matches!(context[ty], TypeData::Integer { signedness: Signedness::Unsigned, .. }))
        }
    };
    let width = match context[storage] {
        TypeData::Integer { width, .. } if (1..=MAX_STORAGE).contains(&width) => width,
        TypeData::Integer { width, .. } => return Err(parser.error(format!("illegal storage type size: {width}"))),
        _ => return Err(parser.error("storage type must be integral")),
    };
    let (mut min, mut max) = limits_of(signed, width);
    if parser.eat(b'<') {
        min = number(parser)?;
        parser.expect(b':')?;
        max = number(parser)?;
        parser.expect(b'>')?;
    }
    Ok((if signed { SIGNED } else { 0 }, storage, min, max))
}

fn number(parser: &mut Parser<'_>) -> Result<i64> {
    parser.signed().ok_or_else(|| parser.expected("an integer of 64 bits"))
}

fn parse_any(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let (flags, storage, min, max) = parse_storage(parser)?;
    let expressed = if parser.eat(b':') { Parameter::Type(parser.ty()?) } else { Parameter::None };
    Ok(vec![
        Parameter::Unsigned(flags),
        Parameter::Type(storage),
        expressed,
        Parameter::Signed(min),
        Parameter::Signed(max),
    ])
}

fn parse_calibrated(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let expressed = parser.ty()?;
    parser.expect(b'<')?;
    let min = parser.double()?;
    parser.expect(b':')?;
    let max = parser.double()?;
    parser.expect(b'>')?;
    Ok(vec![Parameter::Type(expressed), Parameter::Double(min.to_bits()), Parameter::Double(max.to_bits())])
}

fn parse_uniform(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let (flags, storage, min, max) = parse_storage(parser)?;
    parser.expect(b':')?;
    let expressed = parser.ty()?;
    let mut parameters = vec![Parameter::Unsigned(flags), Parameter::Type(storage), Parameter::Type(expressed)];
    let limits = [Parameter::Signed(min), Parameter::Signed(max)];
    if !parser.eat(b':') {
        parser.expect(b',')?;
        let (scale, zero_point) = parse_scale(parser)?;
        parameters.extend([Parameter::Double(scale.to_bits()), Parameter::Signed(zero_point)]);
        parameters.extend(limits);
        return Ok(parameters);
    }
    if parser.eat(b'{') {
        let (mut axes, mut sizes) = (Vec::new(), Vec::new());
        parser.list(b'}', |parser| {
            axes.push(Parameter::Signed(number(parser)?));
            parser.expect(b':')?;
            sizes.push(Parameter::Signed(number(parser)?));
            Ok(())
        })?;
        parser.expect(b',')?;
        let (scales, zero_points) = parse_blocks(parser, expressed, storage)?;
        parameters.extend(limits);
        parameters.extend([Parameter::List(axes.into()), Parameter::List(sizes.into())]);
        parameters.extend([Parameter::Attribute(scales), Parameter::Attribute(zero_points)]);
        return Ok(parameters);
    }
    let axis = parser.unsigned().ok_or_else(|| parser.expected("a dimension"))?;
    parser.expect(b',')?;
    parser.expect(b'{')?;
    let (mut scales, mut zero_points) = (Vec::new(), Vec::new());
    parser.list(b'}', |parser| {
        let (scale, zero_point) = parse_scale(parser)?;
        scales.push(Parameter::Double(scale.to_bits()));
        zero_points.push(Parameter::Signed(zero_point));
        Ok(())
    })?;
    parameters.push(Parameter::Unsigned(axis));
    parameters.extend(limits);
    parameters.extend([Parameter::List(scales.into()), Parameter::List(zero_points.into())]);
    Ok(parameters)
}

fn parse_scale(parser: &mut Parser<'_>) -> Result<(f64, i64)> {
    let scale = parser.double()?;
    let zero_point = if parser.eat(b':') { number(parser)? } else { 0 };
    Ok((scale, zero_point))
}

/// Parses scales and zero points in nested braces: two dense tensors.
fn parse_blocks(parser: &mut Parser<'_>, expressed: Type, storage: Type) -> Result<(Attribute, Attribute)> {
    let context = parser.context();
    let (TypeData::Float(kind), TypeData::Integer { width, .. }) = (&context[expressed], &context[storage]) else {
        return Err(parser.error("expressed type must be floating point"));
    };
    let (mut scales, mut zero_points) = (Vec::new(), Vec::new());
    // Items seen so far in each open brace, and of how many each depth is known to hold.
    let mut open = vec![0i64];
    let mut sizes: Vec<Option<i64>> = vec![None];
    parser.expect(b'{')?;
    while !open.is_empty() {
        if parser.eat(b'{') {
            open.push(0);
            if open.len() > sizes.len() {
                if !scales.is_empty() {
                    return Err(parser.error("braces are nested unevenly"));
                }
                sizes.push(None);
            }
            continue;
        }
        if open.len() != sizes.len() {
            return Err(parser.error("braces are nested unevenly"));
        }
        let (scale, zero_point) = parse_scale(parser)?;
        verify_scale(*kind, scale).map_err(|error| error.at(parser.position() as u64))?;
        let bits = float::from_double(*kind, scale);
        scales.push(bits.ok_or_else(|| parser.error("a negative scale of a type without a sign"))?);
        // As MLIR does it: 1 alone is a set bit, which it prints as -1; others keep what fills whole bytes.
        zero_points.push(match *width {
            1 => ApInt::from_i64(1, i64::from(matches!(zero_point, 1 | -1))),
            width => ApInt::from_i64(width.next_multiple_of(8), zero_point),
        });
        while let Some(seen) = open.last_mut() {
            *seen += 1;
            if parser.eat(b',') {
                break;
            }
            let seen = *seen;
            parser.expect(b'}')?;
            open.pop();
            if *sizes[open.len()].get_or_insert(seen) != seen {
                return Err(parser.error("braces of one depth hold different numbers of items"));
            }
        }
    }
    let shape: Box<[i64]> = sizes.into_iter().flatten().collect();
    let mut tensor = |element: Type, numbers: &[ApInt]| -> Result<Attribute> {
        let ty = context.ty(TypeData::RankedTensor { shape: shape.clone(), element, encoding: None });
        let data = AttributeData::dense_elements(context, ty, pack(numbers).into());
        Ok(context.attribute(data.map_err(|error| parser.error(error.message()))?))
    };
    Ok((tensor(expressed, &scales)?, tensor(storage, &zero_points)?))
}

/// The bytes of dense elements.
fn pack(numbers: &[ApInt]) -> Vec<u8> {
    if numbers.first().is_some_and(|number| number.width() == 1) {
        let bit = |number: &ApInt| number.words()[0] as u8;
        return numbers
            .chunks(8)
            .map(|byte| byte.iter().rev().fold(0, |bits, number| bits << 1 | bit(number)))
            .collect();
    }
    let bytes = |number: &ApInt| {
        let size = number.width().div_ceil(8) as usize;
        number.words().iter().flat_map(|word| word.to_le_bytes()).take(size).collect::<Vec<_>>()
    };
    numbers.iter().flat_map(bytes).collect()
}
