//! The operations of `llvm` that have printers of their own.

use super::format::groups;
use super::function;
use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::body::Value;
use crate::text::assembly::llvm::{CONVENTION, DYNAMIC_INDEX, LINKAGE, TAIL_CALL, compared, shuffled};
use crate::text::assembly::{enum_text, llvm, split_symbol};
use crate::text::directive::DirectiveArguments;
use crate::text::directives::case_labels;
use crate::text::print_attribute;
use crate::types::Type;
use crate::upstream::llvm::{ArrayType, FunctionType, PlainType};

pub(in crate::text) fn compare(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let predicate = printer.need("predicate")?;
    let enumeration = definition.attributes().first().and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| printer.to.checker.enumeration(&name)).ok_or(NotCustom::UseGeneric)?;
    let AttributeData::Integer { value, .. } = &printer.context()[predicate] else { return Err(NotCustom::UseGeneric) };
    let text = enum_text(&cases, value.to_i64().ok_or(NotCustom::UseGeneric)?).ok_or(NotCustom::UseGeneric)?;
    printer.text(" \"");
    printer.text(text);
    printer.text("\" ");
    let operands = printer.op.operands();
    printer.values(operands);
    dictionary(printer, &["predicate"])?;
    printer.text(" : ");
    let left = printer.at(0)?;
    let compared = compared(printer.context(), printer.type_of(left)?);
    printer.expect_type(printer.result(0)?, compared)?;
    printer.expect_same_types(&[printer.at(1)?], &[left])?;
    printer.value_type(left)
}

/// The case that an attribute of this name and enum holds.
fn case(printer: &OpPrinter<'_, '_>, (name, mnemonic, enumeration): (&str, &str, &str)) -> Printed<Option<String>> {
    let Some(value) = printer.get(name) else { return Ok(None) };
    let text = print_attribute(printer.context(), value)?;
    let (dialect, found, rest) = split_symbol(text.as_bytes()).ok_or(NotCustom::UseGeneric)?;
    let case = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).ok_or(NotCustom::UseGeneric)?;
    let cases = printer.to.checker.enumeration(enumeration).ok_or(NotCustom::UseGeneric)?;
    let known = cases.cases.iter().find(|known| known.text.as_bytes() == case).ok_or(NotCustom::UseGeneric)?;
    if (dialect, found) == (b"llvm", mnemonic.as_bytes()) {
        Ok(Some(known.text.clone()))
    } else {
        Err(NotCustom::UseGeneric)
    }
}

/// The words of integer attributes that name cases of enums, each with a space behind it.
fn words(printer: &mut OpPrinter<'_, '_>, names: &[&str]) -> Printed {
    let definition = printer.definition()?;
    for name in names {
        let attribute =
            definition.attributes().iter().find(|attribute| attribute.name == *name).ok_or(NotCustom::UseGeneric)?;
        let Some(value) = printer.get(name) else { continue };
        let AttributeData::Integer { value, .. } = &printer.context()[value] else { return Err(NotCustom::UseGeneric) };
        let cases = attribute.constraint.enumeration.as_ref().and_then(|name| printer.to.checker.enumeration(name));
        let text = cases.and_then(|cases| enum_text(&cases, value.to_i64()?)).ok_or(NotCustom::UseGeneric)?;
        if !text.is_empty() {
            printer.text(text);
            printer.text(" ");
        }
    }
    Ok(())
}

fn comdat(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(comdat) = printer.get("comdat") {
        printer.text(" comdat(");
        printer.attribute(comdat)?;
        printer.text(")");
    }
    Ok(())
}

pub(in crate::text) fn func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    if let Some(linkage) = case(printer, LINKAGE)?.filter(|linkage| linkage != "external") {
        printer.text(linkage);
        printer.text(" ");
    }
    words(printer, &["visibility_", "unnamed_addr"])?;
    if let Some(convention) = case(printer, CONVENTION)?.filter(|convention| convention != "ccc") {
        printer.text(convention);
        printer.text(" ");
    }
    function::name(printer)?;
    let ty = printer.type_in(printer.need("function_type")?)?;
    let context = printer.context();
    let function = FunctionType::of(context, ty).ok_or(NotCustom::UseGeneric)?;
    let result = function.result(context);
    let results = if result == PlainType::Void.ty(context) { &[][..] } else { &[result] };
    function::arguments(printer, &function.inputs(context), results, function.is_variadic(context))?;
    if let Some(range) = printer.get("vscale_range") {
        let text = print_attribute(printer.context(), range)?;
        let inner = text.strip_prefix("#llvm.vscale_range<minRange = ").and_then(|rest| rest.strip_suffix(" : i32>"));
        let (low, high) =
            inner.and_then(|inner| inner.split_once(" : i32, maxRange = ")).ok_or(NotCustom::UseGeneric)?;
        // Anything else would read back as another text.
        if [low, high].iter().any(|text| text.parse().map(|number: i32| number.to_string()).as_deref() != Ok(text)) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(format!(" vscale_range({low}, {high})"));
    }
    comdat(printer)?;
    printer.dictionary_with_keyword(&[
        "function_type",
        "arg_attrs",
        "res_attrs",
        "linkage",
        "CConv",
        "visibility_",
        "comdat",
        "unnamed_addr",
        "vscale_range",
        "sym_name",
    ])?;
    function::body(printer)
}

/// What stands before the name of a global and of an alias.
fn symbol_words(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let linkage = case(printer, LINKAGE)?.ok_or(NotCustom::UseGeneric)?;
    printer.text(linkage);
    printer.text(" ");
    words(printer, &["visibility_"])?;
    if printer.get("thread_local_").is_some() {
        printer.text("thread_local ");
    }
    words(printer, &["unnamed_addr"])
}

/// ` {...}` of a region whose arguments text has no place for.
fn initializer(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if !printer.region_argument_types(0)?.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region(0, false, true);
    Ok(())
}

pub(in crate::text) fn alias(printer: &mut OpPrinter<'_, '_>) -> Printed {
    symbol_words(printer)?;
    function::name(printer)?;
    printer.dictionary(&["sym_name", "alias_type", "linkage", "unnamed_addr", "thread_local_", "visibility_"])?;
    let ty = printer.type_in(printer.need("alias_type")?)?;
    printer.text(" : ");
    printer.ty(ty)?;
    initializer(printer)
}

pub(in crate::text) fn global(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // A parser gives it where text does not, and then it is shown.
    printer.need("addr_space")?;
    symbol_words(printer)?;
    if printer.get("constant").is_some() {
        printer.text("constant ");
    }
    function::name(printer)?;
    printer.text("(");
    let value = printer.get("value");
    if let Some(value) = value {
        printer.attribute(value)?;
    }
    printer.text(")");
    comdat(printer)?;
    printer.dictionary(&[
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "visibility_",
        "comdat",
    ])?;
    let ty = printer.type_in(printer.need("global_type")?)?;
    if let Some(AttributeData::String { value, .. }) = value.map(|value| &printer.context()[value]) {
        // Text leaves out the type of a string, which follows from its length.
        let context = printer.context();
        let array = ArrayType::of(context, ty);
        let fits = array.is_some_and(|array| {
            (array.element(context), array.count(context)) == (context.integer_type(8), value.len() as u64)
        });
        return if fits && printer.is_empty_region(0)? { Ok(()) } else { Err(NotCustom::UseGeneric) };
    }
    printer.text(" : ");
    printer.ty(ty)?;
    if printer.is_empty_region(0)? { Ok(()) } else { initializer(printer) }
}

/// The dictionary of all attributes but these, sizes of segments and flags of which none is set.
fn dictionary(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let flags = printer.get("fastmathFlags");
    let flags = flags.map(|flags| print_attribute(printer.context(), flags)).transpose()?;
    if flags.as_deref() == Some("#llvm.fastmath<none>") {
        printer.dictionary(&[elided, &["fastmathFlags"]].concat())
    } else {
        printer.dictionary(elided)
    }
}

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
fn bundles(printer: &mut OpPrinter<'_, '_>, values: &[Value], tags: Option<Attribute>) -> Printed {
    let groups = groups(printer, values, "op_bundle_sizes")?;
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

/// The same behind a space, as calls have them.
fn call_bundles(printer: &mut OpPrinter<'_, '_>, operand: usize) -> Printed {
    let values = printer.operands(operand)?;
    let tags = printer.get("op_bundle_tags");
    if tags.is_some() {
        printer.text(" ");
    }
    bundles(printer, values, tags)
}

/// `fastcc `, where it is not the usual convention.
fn convention(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let text = case(printer, CONVENTION)?.ok_or(NotCustom::UseGeneric)?;
    if text != "ccc" {
        printer.text(text);
        printer.text(" ");
    }
    Ok(())
}

/// `@name(%a)` or `%pointer(%a)`: the pointer, where there is one, and what is passed.
fn callee<'m>(printer: &mut OpPrinter<'_, 'm>) -> Printed<(Option<Value>, &'m [Value])> {
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

/// ` vararg(type)`, where the callee takes any number of arguments.
fn variadic_type(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(ty) = printer.get("var_callee_type") {
        let ty = printer.type_in(ty)?;
        printer.text(" vararg(");
        printer.ty(ty)?;
        printer.text(")");
    }
    Ok(())
}

/// ` : pointer, (type {attributes}) -> (type {attributes})`
fn call_types(printer: &mut OpPrinter<'_, '_>, pointer: Option<Value>, arguments: &[Value]) -> Printed {
    printer.text(" : ");
    if let Some(pointer) = pointer {
        printer.value_type(pointer)?;
        printer.text(", ");
    }
    let results: Vec<Value> = printer.op.results().collect();
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

pub(in crate::text) fn call(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    convention(printer)?;
    let tail = case(printer, TAIL_CALL)?.ok_or(NotCustom::UseGeneric)?;
    if tail != "none" {
        printer.text(tail);
        printer.text(" ");
    }
    let (pointer, arguments) = callee(printer)?;
    variadic_type(printer)?;
    call_bundles(printer, 1)?;
    call_dictionary(printer)?;
    call_types(printer, pointer, arguments)
}

pub(in crate::text) fn invoke(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    convention(printer)?;
    let (pointer, arguments) = callee(printer)?;
    for (number, word) in [" to ", " unwind "].into_iter().enumerate() {
        let values = printer.operands(1 + number)?;
        printer.text(word);
        printer.successor_with(number, values)?;
    }
    variadic_type(printer)?;
    call_bundles(printer, 3)?;
    call_dictionary(printer)?;
    call_types(printer, pointer, arguments)
}

pub(in crate::text) fn call_intrinsic(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.string("intrin")?.ok_or(NotCustom::UseGeneric)?;
    printer.text(" ");
    printer.quoted(name);
    let arguments = printer.operands(0)?;
    printer.text("(");
    printer.values(arguments);
    printer.text(")");
    call_bundles(printer, 1)?;
    call_dictionary(printer)?;
    call_types(printer, None, arguments)
}

/// `llvm.landingpad cleanup (catch %a : type) (filter %b : type) : type`
pub(in crate::text) fn landingpad(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let cleanup = printer.get("cleanup").is_some();
    // mlir-opt prints other attributes, but nobody reads them back.
    if printer.all_attributes().len() > usize::from(cleanup) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(if cleanup { " cleanup " } else { " " });
    for &clause in printer.op.operands() {
        let ty = printer.type_of(clause)?;
        let filter = ArrayType::of(printer.context(), ty).is_some();
        printer.text(if filter { "(filter " } else { "(catch " });
        printer.value(clause);
        printer.text(" : ");
        printer.value_type(clause)?;
        printer.text(") ");
    }
    printer.text(": ");
    let result = printer.result(0)?;
    printer.value_type(result)
}

/// `llvm.alloca inalloca %size x type {...} : (type) -> pointer`
pub(in crate::text) fn alloca(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if printer.get("inalloca").is_some() {
        printer.text(" inalloca");
    }
    let alignment = printer.get("alignment").map(|alignment| &printer.context()[alignment]);
    if matches!(alignment, Some(AttributeData::Integer { value, .. }) if value.to_u64() == Some(0)) {
        // Text leaves it out, as if there were none.
        return Err(NotCustom::UseGeneric);
    }
    let element = printer.type_in(printer.need("elem_type")?)?;
    let (size, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    printer.value(size);
    printer.text(" x ");
    printer.ty(element)?;
    printer.dictionary(&["elem_type", "inalloca"])?;
    printer.text(" : ");
    printer.functional(&[size], &[result])
}

/// `[%a, 1]`: the numbers of indices, and values for those that are not known.
pub(in crate::text) fn indices(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    let numbers = arguments.integers(printer, 1)?.ok_or(NotCustom::UseGeneric)?;
    // None at all is nothing that text can say.
    if numbers.is_empty() || numbers.iter().filter(|&&number| number == DYNAMIC_INDEX).count() != values.len() {
        return Err(NotCustom::UseGeneric);
    }
    let mut values = values.into_iter();
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        if number == DYNAMIC_INDEX {
            printer.value(values.next().ok_or(NotCustom::UseGeneric)?);
        } else {
            printer.number(number);
        }
    }
    Ok(())
}

/// The type of the value that an argument of a directive stands for.
fn only_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>, position: usize) -> Printed<Type> {
    let value = arguments.value(printer, position)?;
    printer.type_of(value)
}

/// Nothing, where the type of an element is the one at its position.
pub(in crate::text) fn element_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let element = only_type(printer, arguments, 0)?;
    let container = only_type(printer, arguments, 1)?;
    let position = arguments.integers(printer, 2)?.ok_or(NotCustom::UseGeneric)?;
    let context = printer.context();
    let found = llvm::element(context, container, &position);
    if found == Some(element) { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// Nothing, where the type of a shuffle is the one that its mask gives.
pub(in crate::text) fn shuffle_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let vector = only_type(printer, arguments, 0)?;
    let result = only_type(printer, arguments, 1)?;
    let mask = arguments.integers(printer, 2)?.ok_or(NotCustom::UseGeneric)?;
    if shuffled(printer.context(), vector, mask.len()) == Some(result) { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

pub(in crate::text) fn bundles_of(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    let tags = arguments.attribute(printer, 2)?;
    bundles(printer, &values, tags)
}

pub(in crate::text) fn linkage(printer: &mut OpPrinter<'_, '_>, _: DirectiveArguments<'_>) -> Printed {
    print_linkage(printer)
}

fn print_linkage(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let linkage = case(printer, LINKAGE)?.ok_or(NotCustom::UseGeneric)?;
    printer.text(linkage);
    Ok(())
}

/// The cases of a switch, a line each, with signed labels.
pub(in crate::text) fn switch_cases(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let cases = arguments.attribute(printer, 1)?;
    let values = arguments.values(printer, 3)?;
    let groups = groups(printer, &values, "case_operand_segments")?;
    if groups.len() + 1 != printer.successors().len() {
        return Err(NotCustom::UseGeneric);
    }
    let labels = match cases {
        Some(cases) => case_labels(printer, cases, groups.len())?,
        None => Vec::new(),
    };
    if labels.len() != groups.len() || cases.is_some() && labels.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("[");
    for (at, (label, group)) in labels.iter().zip(groups).enumerate() {
        if at > 0 {
            printer.text(",");
        }
        printer.new_line();
        printer.text("  ");
        printer.number(label.to_i64().ok_or(NotCustom::UseGeneric)?);
        printer.text(": ");
        printer.successor_with(at + 1, group)?;
    }
    printer.new_line();
    printer.text("]");
    Ok(())
}

/// The blocks that an indirect branch can go to, a line each.
pub(in crate::text) fn successors(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 2)?;
    let groups = groups(printer, &values, "indbr_operand_segments")?;
    if groups.len() != printer.successors().len() {
        return Err(NotCustom::UseGeneric);
    }
    let any = !groups.is_empty();
    printer.text("[");
    for (at, group) in groups.into_iter().enumerate() {
        if at > 0 {
            printer.text(",");
        }
        printer.new_line();
        printer.successor_with(at, group)?;
    }
    if any {
        printer.new_line();
    }
    printer.text("]");
    Ok(())
}
