//! The assembly of `gpu` that its definitions leave to code.

use crate::common::regions::{parse_dictionary, parse_end, print_result_types};
use crate::common::types::expect_result_type;
use mlirbc_ir::body::{TypeRef, Value};
use mlirbc_ir::{AttributeData, Dialect, Result, Signedness, TypeData};
use mlirbc_text::function::{parse, print};
use mlirbc_text::{
    Argument, Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
    Signature, ValueName,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("func", CustomAssembly { print: print_func, parse: parse_func })
        .assembly("launch", CustomAssembly { print: print_launch, parse: parse_launch })
        .assembly("warp_execute_on_lane_0", CustomAssembly { print: print_warp_execute, parse: parse_warp_execute })
}

/// How many buffers in the memory of a workgroup the operation's region begins with.
fn workgroup_buffers(printer: &OpPrinter<'_, '_>) -> Printed<usize> {
    match printer.integer("workgroup_attributions")? {
        (TypeData::Integer { width: 64, signedness: Signedness::Signless }, count) => {
            usize::try_from(count).map_err(|_| NotCustom::UseGeneric)
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

/// Notes how many buffers are in the memory of a workgroup.
fn set_workgroup<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, count: usize) {
    let count = parser.context().integer(64, count as i64);
    parser.set(op, "workgroup_attributions", count);
}

/// ` workgroup(%arg1 : type {attributes}, ...)`: so many arguments of the region, from one of them on.
fn print_buffers(
    printer: &mut OpPrinter<'_, '_>,
    keyword: &str,
    first: usize,
    count: usize,
    attributes: Option<&str>,
) -> Printed {
    let attributes = match attributes {
        Some(name) => print::dictionaries(printer, name, count)?,
        None => None,
    };
    // Where none says anything, none are read back.
    if attributes.as_ref().is_some_and(|all| all.iter().all(|entries| entries.is_empty())) {
        return Err(NotCustom::UseGeneric);
    }
    let types = printer.region_argument_types(0)?;
    for at in 0..count {
        printer.text(if at == 0 { " " } else { ", " });
        if at == 0 {
            printer.text(keyword);
            printer.text("(");
        }
        printer.region_argument_name(0, first + at)?;
        printer.text(" : ");
        let ty = printer.resolved(*types.get(first + at).ok_or(NotCustom::UseGeneric)?)?;
        printer.ty(ty)?;
        if let Some(all) = &attributes {
            printer.dictionary_of(all[at], &|_| false, false)?;
        }
    }
    if count > 0 {
        printer.text(")");
    }
    Ok(())
}

/// `workgroup(%name : type {attributes}, ...)`, if that keyword is next.
fn parse_buffers<'a>(parser: &mut OpParser<'a>, keyword: &[u8]) -> Result<Signature<'a>> {
    let mut buffers = Signature::default();
    if !parser.text().eat_word(keyword) {
        return Ok(buffers);
    }
    parser.text().expect(b'(')?;
    parser.list(b')', |parser| {
        if !parser.text().is_at(b'%') {
            return Err(parser.text().expected("the name of a buffer"));
        }
        buffers.argument(parser)?;
        Ok(())
    })?;
    Ok(buffers)
}

/// `@name(%a: type) -> type workgroup(%b : type) private(%c : type) kernel attributes {...} {...}`
fn print_func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let workgroup = workgroup_buffers(printer)?;
    let (inputs, results) = print::signature(printer)?;
    let all = printer.region_argument_types(0)?.len();
    let attributions = all.checked_sub(inputs.len()).ok_or(NotCustom::UseGeneric)?;
    let private = attributions.checked_sub(workgroup).ok_or(NotCustom::UseGeneric)?;
    if printer.is_empty_region(0)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    print::name(printer)?;
    print::first_arguments(printer, inputs, results, false, attributions)?;
    print_buffers(printer, "workgroup", inputs.len(), workgroup, Some("workgroup_attrib_attrs"))?;
    print_buffers(printer, "private", inputs.len() + workgroup, private, Some("private_attrib_attrs"))?;
    if let Some(kernel) = printer.get("gpu.kernel") {
        if printer.context()[kernel] != AttributeData::Unit {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(" kernel");
    }
    printer.dictionary_with_keyword(&[
        "arg_attrs",
        "function_type",
        "gpu.kernel",
        "private_attrib_attrs",
        "res_attrs",
        "sym_name",
        "workgroup_attrib_attrs",
        "workgroup_attributions",
    ])?;
    printer.text(" ");
    printer.region(0, false, true);
    Ok(())
}

fn parse_func<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse::name(parser, op)?;
    let signature = Signature::parse(parser, false)?;
    if signature.arguments.len() != signature.inputs.len() {
        return Err(parser.text().error("the arguments must have names"));
    }
    let workgroup = parse_buffers(parser, b"workgroup")?;
    set_workgroup(parser, op, workgroup.inputs.len());
    let private = parse_buffers(parser, b"private")?;
    if parser.text().eat_word(b"kernel") {
        let unit = parser.context().unit();
        parser.set(op, "gpu.kernel", unit);
    }
    parser.keyword_dictionary(op)?;
    signature.set(parser, op);
    workgroup.set_argument_attributes(parser, op, "workgroup_attrib_attrs");
    private.set_argument_attributes(parser, op, "private_attrib_attrs");
    let mut arguments = signature.arguments;
    arguments.extend(workgroup.arguments);
    arguments.extend(private.arguments);
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}

/// ` blocks(%arg0, %arg1, %arg2) in (%arg6 = %x, %arg7 = %y, %arg8 = %z)`
fn print_sizes(
    printer: &mut OpPrinter<'_, '_>,
    keyword: &str,
    ids: usize,
    sizes: usize,
    values: [Value; 3],
) -> Printed {
    printer.text(keyword);
    for at in 0..3 {
        printer.text(if at == 0 { "(" } else { ", " });
        printer.region_argument_name(0, ids + at)?;
    }
    printer.text(") in (");
    for (at, value) in values.into_iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(0, sizes + at)?;
        printer.text(" = ");
        printer.value(value);
    }
    printer.text(")");
    Ok(())
}

/// `(%id, %id, %id) in (%size = %value, %size = %value, %size = %value)` as ids, sizes and values.
fn parse_sizes<'a>(parser: &mut OpParser<'a>) -> Result<[Vec<ValueName<'a>>; 3]> {
    let (mut ids, mut sizes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..3 {
        parser.text().expect(if at == 0 { b'(' } else { b',' })?;
        ids.push(parser.value_name()?);
    }
    parser.text().expect(b')')?;
    parser.text().expect_word("in")?;
    for at in 0..3 {
        parser.text().expect(if at == 0 { b'(' } else { b',' })?;
        sizes.push(parser.value_name()?);
        parser.text().expect(b'=')?;
        values.push(parser.operand_name()?);
    }
    parser.text().expect(b')')?;
    Ok([ids, sizes, values])
}

/// `async [%token] blocks(...) in (...) threads(...) in (...) {...}`
fn print_launch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut three =
        |first: usize| match (printer.operands(first)?, printer.operands(first + 1)?, printer.operands(first + 2)?) {
            (&[x], &[y], &[z]) => Ok(Some([x, y, z])),
            ([], [], []) => Ok(None),
            _ => Err(NotCustom::UseGeneric),
        };
    let (Some(grid), Some(block), cluster) = (three(1)?, three(4)?, three(7)?) else {
        return Err(NotCustom::UseGeneric);
    };
    let (dependencies, dynamic) = (printer.operands(0)?, printer.operands(10)?);
    let workgroup = workgroup_buffers(printer)?;
    let types = printer.region_argument_types(0)?;
    let fixed = if cluster.is_some() { 18 } else { 12 };
    let private =
        types.len().checked_sub(fixed).and_then(|rest| rest.checked_sub(workgroup)).ok_or(NotCustom::UseGeneric)?;
    printer.expect_index(&types[..fixed])?;
    let is_async = !printer.all_results().is_empty();
    if is_async {
        expect_result_type(printer, 0, super::token(printer.context()))?;
        printer.text(" async");
        if !dependencies.is_empty() {
            printer.text(" [");
            printer.values(dependencies);
            printer.text("]");
        }
    } else if !dependencies.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    if let Some(cluster) = cluster {
        print_sizes(printer, " clusters", 12, 15, cluster)?;
    }
    print_sizes(printer, " blocks", 0, 6, grid)?;
    print_sizes(printer, " threads", 3, 9, block)?;
    if let Some(&dynamic) = dynamic.first() {
        printer.text(" dynamic_shared_memory_size ");
        printer.value(dynamic);
    }
    for name in ["module", "function"] {
        if let Some(symbol) = printer.get(name) {
            printer.text(format!(" {name}("));
            printer.attribute(symbol)?;
            printer.text(")");
        }
    }
    print_buffers(printer, "workgroup", fixed, workgroup, None)?;
    print_buffers(printer, "private", fixed + workgroup, private, None)?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.dictionary(&["workgroup_attributions", "module", "function"])
}

fn parse_launch<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let context = parser.context();
    let index: TypeRef = context.index_type().into();
    let mut segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0];
    if parser.text().eat_word(b"async") {
        if op.named_results() == 0 {
            return Err(parser.text().error("`async` returns a token: name the result"));
        }
        let token: TypeRef = super::token(context).into();
        op.add_result(token);
        if parser.text().is_at(b'[') {
            for name in parser.operand_list_in(b'[', b']')? {
                op.add(name, token);
                segments[0] += 1;
            }
        }
    }
    let cluster = if parser.text().eat_word(b"clusters") { Some(parse_sizes(parser)?) } else { None };
    parser.text().expect_word("blocks")?;
    let [block_ids, grid_sizes, grid] = parse_sizes(parser)?;
    parser.text().expect_word("threads")?;
    let [thread_ids, block_sizes, block] = parse_sizes(parser)?;
    let mut names = [block_ids, thread_ids, grid_sizes, block_sizes].concat();
    let mut values = [grid, block].concat();
    if let Some([ids, sizes, cluster]) = cluster {
        names.extend(ids);
        names.extend(sizes);
        values.extend(cluster);
        segments[7..10].fill(1);
    }
    for name in values {
        op.add(name, index);
    }
    if parser.text().eat_word(b"dynamic_shared_memory_size") {
        let size = parser.operand_name()?;
        op.add(size, context.integer_type(32).into());
        segments[10] = 1;
    }
    for name in ["module", "function"] {
        if parser.text().eat_word(name.as_bytes()) {
            parser.text().expect(b'(')?;
            let symbol = parser.text().attribute()?;
            if !matches!(&context[symbol], AttributeData::SymbolRef { nested, .. } if nested.is_empty()) {
                return Err(parser.text().error("a symbol of this module was expected"));
            }
            parser.text().expect(b')')?;
            parser.set(op, name, symbol);
        }
    }
    let mut arguments: Vec<Argument<'a>> = Vec::new();
    for name in names {
        arguments.push(parser.argument(name, index)?);
    }
    let workgroup = parse_buffers(parser, b"workgroup")?;
    set_workgroup(parser, op, workgroup.inputs.len());
    let private = parse_buffers(parser, b"private")?;
    if workgroup.has_argument_attributes(parser) || private.has_argument_attributes(parser) {
        return Err(parser.text().error("the buffers of a launch have no attributes"));
    }
    arguments.extend(workgroup.arguments);
    arguments.extend(private.arguments);
    parser.set_segments(op, "operandSegmentSizes", &segments);
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_dictionary)))
}

/// `(%lane)[32] args(%a : type) -> (type) {...}`
fn print_warp_execute(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let lane = printer.at(0)?;
    let (_, size) = printer.integer("warp_size")?;
    printer.text("(");
    printer.value(lane);
    printer.text(")[");
    printer.number(size);
    printer.text("]");
    let values = printer.operands(1)?;
    if !values.is_empty() {
        printer.text(" args(");
        printer.values(values);
        printer.text(" : ");
        printer.value_types(values)?;
        printer.text(")");
    }
    let results = printer.all_results();
    print_result_types(printer, &results)?;
    printer.text(" ");
    printer.body(0, true, !results.is_empty())?;
    printer.dictionary(&["warp_size"])
}

fn parse_warp_execute<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let index: TypeRef = parser.context().index_type().into();
    parser.text().expect(b'(')?;
    let lane = parser.operand_name()?;
    op.add(lane, index);
    parser.text().expect(b')')?;
    parser.text().expect(b'[')?;
    let Some(size) = parser.text().signed() else { return Err(parser.text().expected("the size of a warp")) };
    let size = parser.context().integer(64, size);
    parser.set(op, "warp_size", size);
    parser.text().expect(b']')?;
    if parser.text().eat_word(b"args") {
        parser.text().expect(b'(')?;
        let names = parser.operand_list()?;
        parser.text().expect(b':')?;
        let types = parser.types()?;
        parser.text().expect(b')')?;
        parser.add_operands(op, names, types)?;
    }
    op.add_results(parser.optional_arrow()?);
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_end)))
}
