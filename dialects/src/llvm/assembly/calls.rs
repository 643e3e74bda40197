//! Calls, and the operand bundles that they and others have.

use super::words::{TAIL_CALL, case, dictionary, keyword, parse_convention, print_convention};
use crate::llvm::TailCallKind;
use mlirbc_ir::body::{TypeRef, Value};
use mlirbc_ir::{Attribute, AttributeData, NamedAttribute, Result, Type};
use mlirbc_text::function::print as function;
use mlirbc_text::{Continuation, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, Signature, ValueName};

/// What calls show outside of the dictionary.
const OF_CALLS: &[&str] = &[
    "callee",
    "intrin",
    "TailCallKind",
    "CConv",
    "var_callee_type",
    "op_bundle_sizes",
    "op_bundle_tags",
    "arg_attrs",
    "res_attrs",
];

/// The dictionary of a call, without what its text shows in another place.
fn call_dictionary(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let elided: Vec<&str> =
        OF_CALLS.iter().copied().filter(|name| definition.inherent(name.as_bytes()).is_some()).collect();
    dictionary(printer, &elided)
}

/// `["tag"(%a : type), "tag"()]`; nothing where there are no bundles.
pub(in crate::llvm) fn bundles(printer: &mut OpPrinter<'_, '_>, values: &[Value], tags: Option<Attribute>) -> Printed {
    let groups = printer.groups(values, "op_bundle_sizes")?;
    let tags = match tags {
        Some(tags) => printer.array(tags)?,
        None => &[],
    };
    // Tags of no bundles are no tags when read back.
    if groups.len() != tags.len() || printer.get("op_bundle_tags").is_some() == tags.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    for (at, (group, &tag)) in groups.into_iter().zip(tags).enumerate() {
        printer.text(if at == 0 { "[" } else { ", " });
        let AttributeData::String { value, ty: None } = &printer.context()[tag] else {
            return Err(NotCustom::UseGeneric);
        };
        printer.quoted(value);
        printer.text("(");
        printer.values(group);
        if !group.is_empty() {
            printer.text(" : ");
            printer.value_types(group)?;
        }
        printer.text(")");
    }
    if !tags.is_empty() {
        printer.text("]");
    }
    Ok(())
}

/// The values of operand bundles.
pub(in crate::llvm) struct Bundles<'a> {
    pub(in crate::llvm) names: Vec<ValueName<'a>>,
    pub(in crate::llvm) types: Vec<TypeRef>,
    pub(in crate::llvm) sizes: Vec<usize>,
    pub(in crate::llvm) tags: Vec<Attribute>,
}

impl<'a> Bundles<'a> {
    /// `["tag"(%a : type), "tag"()]`, or nothing.
    pub(in crate::llvm) fn parse(parser: &mut OpParser<'a>) -> Result<Self> {
        let mut bundles = Bundles { names: Vec::new(), types: Vec::new(), sizes: Vec::new(), tags: Vec::new() };
        if !parser.text().eat(b'[') || parser.text().eat(b']') {
            return Ok(bundles);
        }
        loop {
            let tag = parser.text().string()?;
            bundles.tags.push(parser.context().string(tag));
            parser.text().expect(b'(')?;
            let names = parser.operand_list()?;
            if !names.is_empty() {
                parser.text().expect(b':')?;
                let types = parser.types()?;
                if types.len() != names.len() {
                    return Err(parser.text().error("a bundle has more or fewer types than operands"));
                }
                bundles.types.extend(types);
            }
            parser.text().expect(b')')?;
            bundles.sizes.push(names.len());
            bundles.names.extend(names);
            if parser.text().eat(b']') {
                return Ok(bundles);
            }
            parser.text().expect(b',')?;
        }
    }

    pub(in crate::llvm) fn tags(&self, parser: &OpParser<'_>) -> Option<Attribute> {
        let tags = AttributeData::Array(self.tags.clone().into());
        (!self.tags.is_empty()).then(|| parser.context().attribute(tags))
    }

    /// Gives them to a call, as the last of its operands: how many there are.
    fn add(self, parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<usize> {
        if let Some(tags) = self.tags(parser) {
            parser.set(op, "op_bundle_tags", tags);
        }
        parser.set_segments(op, "op_bundle_sizes", &self.sizes);
        let count = self.names.len();
        parser.add_operands(op, self.names, self.types)?;
        Ok(count)
    }
}

/// The same behind a space, as calls have them.
fn call_bundles(printer: &mut OpPrinter<'_, '_>, operand: usize) -> Printed {
    let values = printer.operands(operand)?;
    let tags = printer.get("op_bundle_tags");
    if tags.is_some() {
        printer.text(" ");
    }
    bundles(printer, values, tags)
}

/// `@name(%a)` or `%pointer(%a)`: the pointer, where there is one, and what is passed.
fn print_callee<'m>(printer: &mut OpPrinter<'_, 'm>) -> Printed<(Option<Value>, &'m [Value])> {
    let operands = printer.operands(0)?;
    let (pointer, arguments) = match printer.get("callee").map(|callee| &printer.context()[callee]) {
        Some(AttributeData::SymbolRef { root, nested }) if nested.is_empty() => {
            let name = printer.context().bytes(*root);
            printer.symbol(name);
            (None, operands)
        }
        Some(_) => return Err(NotCustom::UseGeneric),
        None => {
            let (&pointer, arguments) = operands.split_first().ok_or(NotCustom::UseGeneric)?;
            printer.value(pointer);
            (Some(pointer), arguments)
        }
    };
    printer.text("(");
    printer.values(arguments);
    printer.text(")");
    Ok((pointer, arguments))
}

/// `@name(%a)` or `%pointer(%a)`: the operands, of which a pointer is the first, and whether there is one.
fn parse_callee<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<(Vec<ValueName<'a>>, bool)> {
    let mut names = Vec::new();
    let indirect = parser.text().is_at(b'%');
    if indirect {
        names.push(parser.operand_name()?);
    } else {
        let start = parser.text().here();
        let name = parser.text().attribute()?;
        if !matches!(&parser.context()[name], AttributeData::SymbolRef { nested, .. } if nested.is_empty()) {
            return Err(parser.text().error_at(start, "expected the name of a function, or a pointer to one"));
        }
        parser.set(op, "callee", name);
    }
    names.extend(parser.operand_list_in(b'(', b')')?);
    Ok((names, indirect))
}

/// ` vararg(type)`, where the callee takes any number of arguments.
fn print_variadic_type(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(ty) = printer.get("var_callee_type") {
        let ty = printer.type_in(ty)?;
        printer.text(" vararg(");
        printer.ty(ty)?;
        printer.text(")");
    }
    Ok(())
}

/// `vararg(type)`, or nothing.
fn parse_variadic_type<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    if parser.text().eat_word(b"vararg") {
        parser.text().expect(b'(')?;
        let ty = parser.text().ty()?;
        let ty = parser.context().attribute(AttributeData::Type(ty));
        parser.set(op, "var_callee_type", ty);
        parser.text().expect(b')')?;
    }
    Ok(())
}

/// ` : pointer, (type {attributes}) -> (type {attributes})`
fn print_call_types(printer: &mut OpPrinter<'_, '_>, pointer: Option<Value>, arguments: &[Value]) -> Printed {
    printer.text(" : ");
    if let Some(pointer) = pointer {
        printer.value_type(pointer)?;
        printer.text(", ");
    }
    let results = printer.all_results();
    let attributes = function::dictionaries(printer, "arg_attrs", arguments.len())?;
    let of_results = function::dictionaries(printer, "res_attrs", results.len())?;
    let says_nothing = |all: &Option<Vec<&[NamedAttribute]>>| {
        all.as_ref().is_some_and(|all| all.iter().all(|entries| entries.is_empty()))
    };
    // Nothing would tell that they are there.
    if says_nothing(&attributes) || says_nothing(&of_results) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("(");
    for (at, &argument) in arguments.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.value_type(argument)?;
        printer.dictionary_of(attributes.as_ref().map_or(&[][..], |all| all[at]), &|_| false, false)?;
    }
    printer.text(") -> ");
    let results: Vec<Type> = results.into_iter().map(|result| printer.type_of(result)).collect::<Printed<_>>()?;
    function::result_list(printer, &results)
}

/// `: pointer, (type {attributes}) -> (type {attributes})`: adds the operands of a call, with their types.
fn parse_call_types<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    names: Vec<ValueName<'a>>,
    indirect: bool,
) -> Result<()> {
    parser.text().expect(b':')?;
    let mut types = Vec::new();
    if indirect {
        types.push(parser.any_type()?);
        parser.text().expect(b',')?;
    }
    let start = parser.text().here();
    let signature = Signature::parse(parser, false)?;
    if !signature.arguments.is_empty() || signature.results.len() > 1 {
        return Err(parser.text().error_at(start, "expected the types of the arguments and of at most one result"));
    }
    signature.set_attributes(parser, op);
    types.extend(signature.inputs.into_iter().map(TypeRef::from));
    op.add_results(signature.results.into_iter().map(TypeRef::from));
    parser.add_operands(op, names, types)
}

pub(super) fn print_call(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    print_convention(printer)?;
    let tail: TailCallKind = case(printer, TAIL_CALL)?.ok_or(NotCustom::UseGeneric)?;
    if tail != TailCallKind::None {
        printer.text(tail.name());
        printer.text(" ");
    }
    let (pointer, arguments) = print_callee(printer)?;
    print_variadic_type(printer)?;
    call_bundles(printer, 1)?;
    call_dictionary(printer)?;
    print_call_types(printer, pointer, arguments)
}

pub(super) fn parse_call<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse_convention(parser, op);
    keyword(parser, op, TAIL_CALL, TailCallKind::None);
    let (names, indirect) = parse_callee(parser, op)?;
    parse_variadic_type(parser, op)?;
    call_end(parser, op, names, indirect)
}

/// Bundles, attributes and types of a call that goes nowhere else.
fn call_end<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    names: Vec<ValueName<'a>>,
    indirect: bool,
) -> Parsed<'a> {
    let bundles = Bundles::parse(parser)?;
    parser.optional_dictionary(op)?;
    let count = names.len();
    parse_call_types(parser, op, names, indirect)?;
    let in_bundles = bundles.add(parser, op)?;
    parser.set_segments(op, "operandSegmentSizes", &[count, in_bundles]);
    Ok(Continuation::Done)
}

pub(super) fn print_invoke(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    print_convention(printer)?;
    let (pointer, arguments) = print_callee(printer)?;
    for (number, word) in [" to ", " unwind "].into_iter().enumerate() {
        let values = printer.operands(1 + number)?;
        printer.text(word);
        printer.successor_with(number, values)?;
    }
    print_variadic_type(printer)?;
    call_bundles(printer, 3)?;
    call_dictionary(printer)?;
    print_call_types(printer, pointer, arguments)
}

pub(super) fn parse_invoke<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse_convention(parser, op);
    let (names, indirect) = parse_callee(parser, op)?;
    parser.text().expect_word("to")?;
    let normal = parser.successor(op)?;
    parser.text().expect_word("unwind")?;
    let unwind = parser.successor(op)?;
    parse_variadic_type(parser, op)?;
    let bundles = Bundles::parse(parser)?;
    parser.optional_dictionary(op)?;
    let mut counts = vec![names.len(), normal.0.len(), unwind.0.len()];
    parse_call_types(parser, op, names, indirect)?;
    parser.add_operands(op, normal.0, normal.1)?;
    parser.add_operands(op, unwind.0, unwind.1)?;
    counts.push(bundles.add(parser, op)?);
    parser.set_segments(op, "operandSegmentSizes", &counts);
    Ok(Continuation::Done)
}

pub(super) fn print_call_intrinsic(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.string("intrin")?.ok_or(NotCustom::UseGeneric)?;
    printer.text(" ");
    printer.quoted(name);
    let arguments = printer.operands(0)?;
    printer.text("(");
    printer.values(arguments);
    printer.text(")");
    call_bundles(printer, 1)?;
    call_dictionary(printer)?;
    print_call_types(printer, None, arguments)
}

pub(super) fn parse_call_intrinsic<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let name = parser.text().string()?;
    let name = parser.context().string(name);
    parser.set(op, "intrin", name);
    let names = parser.operand_list_in(b'(', b')')?;
    call_end(parser, op, names, false)
}
