//! Directives that several dialects have, ready to be registered: `dialect.directive("DynamicIndexList", INDEX_LIST)`, and
//! what assembly written by hand shares with them.

use super::directive::{Directive, DirectiveArguments, DirectiveState};
use super::parse::ValueName;
use super::parse::assembly::OpState;
use super::parse::module::OpParser;
use super::print::assembly::{NotCustom, OpPrinter, Printed};
use mlirbc_ir::dense::{NumberKind, dense_layout};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, DYNAMIC, Result, Type, TypeData, TypeRef, Value};

/// `custom<DynamicIndexList>($values, $numbers, $scalable, type($values), "Paren")` of MLIR's `ViewLikeInterface`: `[1, %a, [4]]`.
/// What follows the numbers may be left out.
pub const INDEX_LIST: Directive = Directive::new(print_index_list, parse_index_list)
    .starts(|parser| matches!(parser.text().peek(), Some(b'[' | b'(')));

/// `custom<SwitchOpCases>(ref(type($flag)), $defaultDestination, $defaultOperands, type($defaultOperands), $values, $destinations,
/// $operands, type($operands))`: the cases of a switch, a line each.
pub const SWITCH_CASES: Directive = Directive::new(print_switch_cases, parse_switch_cases);

/// The widest integers that the cases of a switch are shown of, in bits.
const MAX_CASE_WIDTH: u32 = 128;

fn print_index_list(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    let numbers = arguments.integers(printer, 1)?.unwrap_or_default();
    let mut scalable = Vec::new();
    let mut typed = false;
    let mut brackets = ["[", "]"];
    for at in 2..arguments.len() {
        match arguments.literal(at) {
            Some("Paren") => brackets = ["(", ")"],
            Some("Square" | "{}") => {}
            Some(_) => return Err(NotCustom::UseGeneric),
            None if arguments.is_type(at) => typed = true,
            None => scalable = arguments.integers(printer, at)?.unwrap_or_default(),
        }
    }
    printer.text(brackets[0]);
    index_list(printer, &numbers, &values, &scalable, typed)?;
    printer.text(brackets[1]);
    Ok(())
}

fn index_list(
    printer: &mut OpPrinter<'_, '_>,
    numbers: &[i64],
    values: &[Value],
    scalable: &[i64],
    typed: bool,
) -> Printed {
    if numbers.iter().filter(|&&number| number == DYNAMIC).count() != values.len() {
        return Err(NotCustom::UseGeneric);
    }
    let mut values = values.iter();
    for (at, &number) in numbers.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        let bracket = scalable.get(at).is_some_and(|&flag| flag != 0);
        if bracket {
            printer.text("[");
        }
        if number == DYNAMIC {
            let value = *values.next().ok_or(NotCustom::UseGeneric)?;
            printer.value(value);
            if typed {
                printer.text(" : ");
                printer.value_type(value)?;
            }
        } else {
            printer.number(number);
        }
        if bracket {
            printer.text("]");
        }
    }
    Ok(())
}

impl OpPrinter<'_, '_> {
    /// Prints numbers between these brackets, with a value where one is [`DYNAMIC`].
    ///
    /// # Errors
    /// Where there are not as many values as numbers that are not known.
    pub fn index_list(&mut self, numbers: &[i64], values: &[Value], brackets: &[u8; 2]) -> Printed {
        self.text(&brackets[..1]);
        index_list(self, numbers, values, &[], false)?;
        self.text(&brackets[1..]);
        Ok(())
    }
}

/// What stands in a list of numbers and values.
pub struct IndexList<'a> {
    /// The numbers, [`DYNAMIC`] for a value.
    pub numbers: Vec<i64>,
    /// The values.
    pub values: Vec<ValueName<'a>>,
    /// The types of the values, where text has them.
    pub types: Vec<TypeRef>,
    /// For each number, whether it stands in brackets.
    pub scalable: Vec<bool>,
}

impl IndexList<'_> {
    /// A list without values.
    pub fn of(numbers: Vec<i64>) -> Self {
        IndexList { numbers, values: Vec::new(), types: Vec::new(), scalable: Vec::new() }
    }
}

impl<'a> OpParser<'a> {
    /// Parses a list such as `[1, %a, [4]]`, with these brackets around.
    ///
    /// # Errors
    /// Where there is something else.
    pub fn index_list(&mut self, open: u8, close: u8) -> Result<IndexList<'a>> {
        let mut list = IndexList::of(Vec::new());
        self.text().expect(open)?;
        if self.text().eat(close) {
            return Ok(list);
        }
        loop {
            let bracket = self.text().eat(b'[');
            if self.text().is_at(b'%') {
                list.values.push(self.operand_name()?);
                list.numbers.push(DYNAMIC);
                if self.text().eat(b':') {
                    list.types.push(self.any_type()?);
                }
            } else {
                match self.text().signed() {
                    Some(number) => list.numbers.push(number),
                    None => return Err(self.text().expected("a number or a value")),
                }
            }
            list.scalable.push(bracket);
            if bracket {
                self.text().expect(b']')?;
            }
            if self.text().eat(close) {
                return Ok(list);
            }
            self.text().expect(b',')?;
        }
    }

    /// The attribute `array<i64: ...>` of these numbers.
    pub fn i64_array(&self, numbers: &[i64]) -> Attribute {
        let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let element = self.context().integer_type(64);
        self.context().attribute(AttributeData::DenseArray { element, data: data.into() })
    }
}

fn parse_index_list<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let arguments = state.arguments();
    let paren = (0..arguments.len()).any(|at| arguments.literal(at) == Some("Paren"));
    let (open, close) = if paren { (b'(', b')') } else { (b'[', b']') };
    let list = parser.index_list(open, close)?;
    let numbers = parser.i64_array(&list.numbers);
    state.set_attribute(parser, op, 1, numbers)?;
    for at in 2..arguments.len() {
        if arguments.is_type(at) {
            state.set_types(parser, at, list.types.clone())?;
        } else if arguments.literal(at).is_none() {
            let data: Vec<u8> = list.scalable.iter().map(|&flag| u8::from(flag)).collect();
            let element = parser.context().integer_type(1);
            let flags = parser.context().attribute(AttributeData::DenseArray { element, data: data.into() });
            state.set_attribute(parser, op, at, flags)?;
        }
    }
    state.set_operands(parser, 0, list.values)
}

fn print_switch_cases(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let segments = printer.integers("case_operand_segments")?;
    let defaults = arguments.values(printer, 2)?;
    let cases = arguments.attribute(printer, 4)?;
    let mut rest = arguments.values(printer, 6)?;
    printer.text("  default: ");
    printer.successor_with(0, &defaults)?;
    if let Some(cases) = cases {
        if segments.len() + 1 != printer.successors().len() {
            return Err(NotCustom::UseGeneric);
        }
        let labels = case_labels(printer, cases, segments.len())?;
        for (at, (label, size)) in labels.into_iter().zip(segments).enumerate() {
            let size = usize::try_from(size).ok().filter(|&size| size <= rest.len()).ok_or(NotCustom::UseGeneric)?;
            let others = rest.split_off(size);
            let values = std::mem::replace(&mut rest, others);
            printer.text(",");
            printer.new_line();
            printer.text("  ");
            printer.text(label.to_u64().ok_or(NotCustom::UseGeneric)?.to_string());
            printer.text(": ");
            printer.successor_with(at + 1, &values)?;
        }
        printer.new_line();
    } else if !segments.is_empty() || !rest.is_empty() || printer.successors().len() > 1 {
        return Err(NotCustom::UseGeneric);
    }
    Ok(())
}

/// The integers of dense elements, as many as there are cases of a switch.
///
/// # Errors
/// Where there are more or fewer, they are wider than 128 bits, or they are no vector of what the first operand is.
pub fn case_labels(printer: &OpPrinter<'_, '_>, cases: Attribute, count: usize) -> Printed<Vec<ApInt>> {
    let context = printer.context();
    let AttributeData::DenseElements { ty, data } = &context[cases] else {
        return Err(NotCustom::UseGeneric);
    };
    // Text does not say their type: a parser makes a vector of what the switch looks at.
    let flag = printer.type_of(printer.at(0)?)?;
    let is_made = matches!(&context[*ty], TypeData::Vector { element, scalable, .. }
        if *element == flag && scalable.is_empty());
    if !is_made {
        return Err(NotCustom::UseGeneric);
    }
    let (layout, elements) = dense_layout(printer.context(), *ty).map_err(|_| NotCustom::UseGeneric)?;
    let fits = matches!(layout.number, NumberKind::Integer { width, .. } if width <= MAX_CASE_WIDTH);
    if elements != count as u64 || layout.complex || !fits {
        return Err(NotCustom::UseGeneric);
    }
    if layout.is_splat(elements, data).ok_or(NotCustom::UseGeneric)? {
        return Ok(vec![layout.read(data); count]);
    }
    let bit = |at: usize| layout.read(&[data[at / 8] >> (at % 8) & 1]);
    Ok(match layout.packed() {
        true => (0..count).map(bit).collect(),
        false => data.chunks_exact(layout.size()).map(|bytes| layout.read(bytes)).collect(),
    })
}

fn parse_switch_cases<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    parser.text().expect_word("default")?;
    parser.text().expect(b':')?;
    let (names, types) = parser.successor(op)?;
    state.set_operands(parser, 2, names)?;
    state.set_types(parser, 2, types)?;
    let (mut names, mut types, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    while parser.text().eat(b',') {
        labels.push(case_label(parser)?);
        parser.text().expect(b':')?;
        let (more, more_types) = parser.successor(op)?;
        state.add_group(parser, 6, more.len())?;
        names.extend(more);
        types.extend(more_types);
    }
    state.set_operands(parser, 6, names)?;
    state.set_types(parser, 6, types)?;
    if labels.is_empty() {
        return Ok(());
    }
    let flag = state.types(parser, 0)?.and_then(|types| types.first().copied());
    let Some(flag) = flag else { return Err(parser.text().error("the type of what is switched over is not known")) };
    let flag = parser.resolved(flag)?;
    let value = case_values(parser, flag, &labels)?;
    state.set_attribute(parser, op, 4, value)
}

/// The number of a case, with sign or without.
///
/// # Errors
/// Where there is something else.
pub fn case_label(parser: &mut OpParser<'_>) -> Result<i64> {
    let start = parser.text().here();
    if let Some(label) = parser.text().unsigned() {
        return Ok(label as i64);
    }
    parser.text().signed().ok_or_else(|| parser.text().error_at(start, "expected the number of a case"))
}

/// The numbers of cases as dense elements of a vector.
///
/// # Errors
/// Where the type is no integer of 1 to 128 bits.
pub fn case_values(parser: &mut OpParser<'_>, element: Type, labels: &[i64]) -> Result<Attribute> {
    let context = parser.context();
    let width = match context[element] {
        TypeData::Integer { width, .. } if width > 0 && width <= MAX_CASE_WIDTH => width,
        _ => return Err(parser.text().error("a switch over values of this type cannot be read")),
    };
    let mut data = Vec::new();
    if width == 1 {
        let bit = |(at, &label): (usize, &i64)| ((label & 1) as u8) << at;
        data.extend(labels.chunks(8).map(|labels| labels.iter().enumerate().map(bit).sum::<u8>()));
    } else {
        for &label in labels {
            let value = ApInt::from_i64(width, label);
            let bytes = value.words().iter().flat_map(|word| word.to_le_bytes());
            data.extend(bytes.take(width.div_ceil(8) as usize));
        }
    }
    let shape: Box<[i64]> = Box::new([labels.len() as i64]);
    let ty = context.ty(TypeData::Vector { shape, scalable: Box::default(), element });
    let data = AttributeData::dense_elements(context, ty, data.into())?;
    Ok(context.attribute(data))
}
