//! Operations whose definition has an assembly format.

use std::rc::Rc;

use super::{Continuation, OpState, Parsed, attributes};
use crate::directive::{Directive, DirectiveState, OpenDirective, ParseWith};
use crate::format::dialect_type;
use crate::format::program::{Program, Step};
use crate::format::written::Written;
use crate::parse::module::OpParser;
use crate::parse::names::ValueName;
use crate::parse::texts::block_label;
use mlirbc_ir::ods::{AttributeDef, Element, Multiplicity, Traits, ValueDef};
use mlirbc_ir::verify::{OpTypes, infer_types};
use mlirbc_ir::{Error, NamedAttribute, Result, Type, TypeRef};

/// Where in the format an operation is, and what it has given so far.
pub(crate) struct State<'a> {
    at: usize,
    /// The lists of clauses that are open: where they stand, and which clauses came.
    clauses: Vec<(usize, Vec<usize>)>,
    pub(crate) operands: Vec<Option<Vec<ValueName<'a>>>>,
    /// Of an operand that stands for several groups, their sizes.
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) operand_types: Vec<Option<Vec<TypeRef>>>,
    pub(super) result_types: Vec<Option<Vec<TypeRef>>>,
    /// For each region that has begun, the definition's region that it is one of.
    pub(crate) regions: Vec<u32>,
    /// For each successor, the definition's that it is one of.
    successors: Vec<u32>,
    all_operands: Option<Vec<ValueName<'a>>>,
    all_operand_types: Option<Vec<TypeRef>>,
    all_result_types: Option<Vec<TypeRef>>,
}

impl<'a> State<'a> {
    /// The arguments of the directive that the state is at.
    pub(crate) fn directive<'p>(&self, program: &'p Program) -> (&'p str, &'p [Element]) {
        match program.steps.get(self.at) {
            Some(Step::Element(Element::Custom { name, arguments }, _)) => (name, arguments),
            _ => ("", &[]),
        }
    }
}

/// Parses what follows the operation's name.
pub(super) fn parse<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, program: &Rc<Program>) -> Parsed<'a> {
    let details = &program.details;
    let state = State {
        at: 0,
        clauses: Vec::new(),
        operands: details.operands.iter().map(|_| None).collect(),
        groups: vec![Vec::new(); details.operands.len()],
        operand_types: vec![None; details.operands.len()],
        result_types: vec![None; details.results.len()],
        regions: Vec::new(),
        successors: Vec::new(),
        all_operands: None,
        all_operand_types: None,
        all_result_types: None,
    };
    run(parser, custom, program.clone(), state)
}

fn run<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: Rc<Program>,
    mut state: State<'a>,
) -> Parsed<'a> {
    while let Some(step) = program.steps.get(state.at) {
        if let Step::Element(Element::Custom { name, .. }, _) = step
            && let Some(Directive { parse: ParseWith::Regions(parse), .. }) = program.directive(name)
        {
            return parse(parser, custom, OpenDirective { program, state });
        }
        match step {
            Step::Literal(text, _) => {
                if text == ":" {
                    misplaced_dictionary(parser, custom)?;
                }
                literal(parser, text)?;
            }
            Step::Space | Step::Newline => {}
            Step::Dictionary { keyword: true } => parser.keyword_dictionary(custom)?,
            Step::Dictionary { keyword: false } => parser.optional_dictionary(custom)?,
            Step::Optional { inverted, middle, end, sets, .. } => {
                let first = &program.steps[state.at + 1..*middle - 1];
                if begins(parser, &program, first)? {
                    if !inverted && let Some(element) = sets {
                        set(parser, custom, &program, element);
                    }
                    state.at += 1;
                } else {
                    if *inverted && let Some(element) = sets {
                        set(parser, custom, &program, element);
                    }
                    state.at = if middle == end { *end } else { *middle };
                }
                continue;
            }
            Step::Jump(to) => {
                state.at = *to;
                continue;
            }
            Step::Clauses { clauses, end } => {
                if state.clauses.last().is_none_or(|open| open.0 != state.at) {
                    state.clauses.push((state.at, Vec::new()));
                }
                let mut next = None;
                for (number, clause) in clauses.iter().enumerate() {
                    if let Step::Literal(text, _) = &program.steps[clause.start]
                        && is_literal(parser, text)
                    {
                        next = Some((number, clause));
                        break;
                    }
                }
                match next {
                    None => {
                        state.clauses.pop();
                        state.at = *end;
                    }
                    Some((number, clause)) => {
                        if let Some(open) = state.clauses.last_mut() {
                            if open.1.contains(&number) {
                                return Err(parser.at.error("this clause can appear at most once"));
                            }
                            open.1.push(number);
                        }
                        if let Some(element) = &clause.sets {
                            set(parser, custom, &program, element);
                        }
                        state.at = clause.start;
                    }
                }
                continue;
            }
            Step::Element(Element::Region(number), _) => {
                let variadic = program.details.regions[*number as usize].variadic;
                if variadic && !parser.at.is_at(b'{') {
                    state.at += 1;
                    continue;
                }
                let number = *number;
                return region(parser, program, state, number, variadic);
            }
            // Of regions as many as are there: none as well.
            Step::Element(Element::Regions, _) if parser.at.is_at(b'{') => {
                return region(parser, program, state, 0, true);
            }
            Step::Element(Element::Regions, _) => {}
            Step::Element(element, _) => self::element(parser, custom, &program, &mut state, element)?,
        }
        state.at += 1;
    }
    misplaced_dictionary(parser, custom)?;
    finish(parser, custom, &program, state)?;
    Ok(Continuation::Done)
}

/// Takes an enumerant in quotes, or as a word, as text had it that has a name for its dialect that this had before. False where none
/// is next.
fn former_case<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, definition: &AttributeDef) -> Result<bool> {
    let start = parser.at.here();
    let value = match parser.at.is_at(b'"') {
        true => parser.at.string()?.into_owned(),
        false => parser.at.word().to_vec(),
    };
    if value.is_empty() {
        return Ok(false);
    }
    let entry = (parser.context().identifier(&definition.name), parser.context().string(value));
    let entry = parser.renamed_entry(custom.info, entry);
    custom.attributes.push(entry.map_err(|error| parser.error_at(start, error.message()))?);
    Ok(true)
}

/// Text of a dialect under a name that it had before may have the dictionary where the format has none.
fn misplaced_dictionary<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    if parser.is_former() { parser.optional_dictionary(custom) } else { Ok(()) }
}

/// Goes on behind the step that the state is at.
pub(crate) fn step_on<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: Rc<Program>,
    mut state: State<'a>,
) -> Parsed<'a> {
    state.at += 1;
    run(parser, custom, program, state)
}

/// Parses a region, more of them where there can be, and then the rest of the format.
fn region<'a>(
    parser: &mut OpParser<'a>,
    program: Rc<Program>,
    mut state: State<'a>,
    number: u32,
    several: bool,
) -> Parsed<'a> {
    parser.open_brace()?;
    state.regions.push(number);
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            if let Some(name) = &program.definition.implicit_terminator {
                parser.ensure_terminator(custom, name)?;
            } else if program.definition.traits.contains(Traits::SINGLE_BLOCK)
                && program.definition.traits.contains(Traits::NO_TERMINATOR)
            {
                parser.ensure_block(custom);
            }
            if several && parser.at.eat(b',') {
                return region(parser, program, state, number, true);
            }
            step_on(parser, custom, program, state)
        }),
    ))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Whether this keyword or punctuation is next.
fn is_literal(parser: &mut OpParser<'_>, text: &str) -> bool {
    if is_word(text) {
        return parser.at.peek_word() == text.as_bytes();
    }
    let here = parser.at.here();
    parser.at.source()[here..].starts_with(text.as_bytes())
        && !(matches!(text, "-") && parser.at.source()[here..].starts_with(b"->"))
        && !(matches!(text, ":") && parser.at.source()[here..].starts_with(b"::"))
}

pub(super) fn literal(parser: &mut OpParser<'_>, text: &str) -> Result<()> {
    if !is_literal(parser, text) {
        return Err(parser.at.expected(&format!("`{text}`")));
    }
    parser.at.seek(parser.at.position() + text.len());
    Ok(())
}

/// Sets what stands for nothing but its group.
fn set<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, program: &Program, element: &Element) {
    match element {
        Element::Attribute(at) => {
            let unit = parser.context().unit();
            parser.set(custom, &program.details.attributes[*at as usize].name, unit);
        }
        Element::Native(at) => {
            let native = &program.details.natives[*at as usize];
            let name = parser.context().identifier(&native.name);
            let value = attributes::native_unit(parser, native);
            custom.natives.push((name, value));
        }
        _ => {}
    }
}

/// Whether the text goes on with these steps.
fn begins(parser: &mut OpParser<'_>, program: &Program, steps: &[Step]) -> Result<bool> {
    let Some(step) = steps.iter().find(|step| !matches!(step, Step::Space | Step::Newline)) else { return Ok(false) };
    Ok(match step {
        Step::Literal(text, _) => is_literal(parser, text),
        Step::Element(element, _) => starts(parser, program, element),
        Step::Optional { .. } | Step::Dictionary { .. } | Step::Jump(_) | Step::Clauses { .. } => false,
        Step::Space | Step::Newline => false,
    })
}

fn starts(parser: &mut OpParser<'_>, program: &Program, element: &Element) -> bool {
    let next = parser.at.peek();
    match element {
        Element::Operand(at) => match program.details.operands[*at as usize].multiplicity {
            Multiplicity::Groups(_) => next == Some(b'('),
            _ => next == Some(b'%'),
        },
        Element::Operands => next == Some(b'%'),
        Element::Attribute(at) => {
            let (definition, form) = program.attribute(*at);
            attributes::starts(parser, definition, form)
        }
        Element::Native(at) => attributes::native_starts(parser, &program.details.natives[*at as usize]),
        Element::Region(_) | Element::Regions => parser.at.is_at(b'{'),
        Element::Successor(_) | Element::Successors => next == Some(b'^'),
        Element::Qualified(of) => starts(parser, program, of),
        Element::Type(_) | Element::FunctionalType(..) => starts_type(parser),
        Element::Custom { name, .. } => program.directive(name).is_some_and(|directive| (directive.starts)(parser)),
        _ => false,
    }
}

/// Whether what is next can be a type. Behind an empty list of types there may be a keyword, or the location of the operation.
fn starts_type(parser: &mut OpParser<'_>) -> bool {
    matches!(parser.at.peek(), Some(b'!' | b'(')) || attributes::starts_type(parser.at.peek_word())
}

fn element<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    element: &Element,
) -> Result<()> {
    match element {
        Element::Operand(at) => {
            let at = *at as usize;
            let names = match program.details.operands[at].multiplicity {
                Multiplicity::One => vec![parser.operand_name()?],
                Multiplicity::Optional => match parser.at.is_at(b'%') {
                    true => vec![parser.operand_name()?],
                    false => Vec::new(),
                },
                Multiplicity::Variadic => parser.operand_list()?,
                Multiplicity::Groups(_) => {
                    let mut names = Vec::new();
                    while parser.at.eat(b'(') {
                        let group = parser.operand_list()?;
                        parser.at.expect(b')')?;
                        state.groups[at].push(group.len());
                        names.extend(group);
                        if !parser.at.eat(b',') {
                            break;
                        }
                    }
                    names
                }
            };
            state.operands[at] = Some(names);
        }
        Element::Operands => state.all_operands = Some(parser.operand_list()?),
        Element::Attribute(at) => {
            let (definition, form) = program.attribute(*at);
            // A group or a clause of its own says whether an optional one is there.
            if definition.optional && !attributes::starts(parser, definition, form) {
                return Ok(());
            }
            if parser.is_former()
                && matches!(form.written, Written::Stripped { .. })
                && former_case(parser, custom, definition)?
            {
                return Ok(());
            }
            let value = attributes::parse(parser, form)?;
            parser.set(custom, &definition.name, value);
        }
        Element::Qualified(of) => match &**of {
            Element::Attribute(at) => {
                let value = parser.at.attribute()?;
                parser.set(custom, &program.details.attributes[*at as usize].name, value);
            }
            Element::Type(of) => types_of(parser, program, state, of, true)?,
            other => self::element(parser, custom, program, state, other)?,
        },
        Element::Native(at) => {
            let definition = &program.details.natives[*at as usize];
            let value = attributes::native(parser, definition)?;
            let name = parser.context().identifier(&definition.name);
            let entry: NamedAttribute = (name, value);
            custom.natives.push(entry);
        }
        Element::Successor(at) => {
            let variadic = program.details.successors[*at as usize].variadic;
            loop {
                let start = parser.at.here();
                if variadic && !parser.at.is_at(b'^') {
                    break;
                }
                custom.successors.push((block_label(&mut parser.at)?, start));
                state.successors.push(*at);
                if !variadic || !parser.at.eat(b',') {
                    break;
                }
            }
        }
        Element::Successors => {
            while parser.at.is_at(b'^') {
                let start = parser.at.here();
                custom.successors.push((block_label(&mut parser.at)?, start));
                if !parser.at.eat(b',') {
                    break;
                }
            }
        }
        Element::Type(of) => types_of(parser, program, state, of, false)?,
        Element::FunctionalType(inputs, results) => {
            let (input_types, output_types) = parser.functional()?;
            set_types(parser, state, inputs, input_types)?;
            set_types(parser, state, results, output_types)?;
        }
        Element::Custom { name, arguments } => match program.directive(name) {
            Some(Directive { parse: ParseWith::State(parse), .. }) => {
                parse(parser, custom, &mut DirectiveState { program, arguments, state })?;
            }
            _ => return Err(parser.at.error("this directive cannot be read")),
        },
        _ => return Err(parser.at.error("this format cannot be read")),
    }
    Ok(())
}

/// Sets the types of what an element stands for.
pub(crate) fn set_types(
    parser: &mut OpParser<'_>,
    state: &mut State<'_>,
    of: &Element,
    types: Vec<TypeRef>,
) -> Result<()> {
    match of {
        Element::Operand(at) => state.operand_types[*at as usize] = Some(types),
        Element::Result(at) => state.result_types[*at as usize] = Some(types),
        Element::Operands => state.all_operand_types = Some(types),
        Element::Results => state.all_result_types = Some(types),
        Element::Type(of) | Element::Qualified(of) => return set_types(parser, state, of, types),
        _ => return Err(parser.at.error("this format cannot be read")),
    }
    Ok(())
}

fn types_of(
    parser: &mut OpParser<'_>,
    program: &Program,
    state: &mut State<'_>,
    of: &Element,
    qualified: bool,
) -> Result<()> {
    let (of, qualified) = match of {
        Element::Qualified(of) => (&**of, true),
        of => (of, qualified),
    };
    let definition: Option<&ValueDef> = match of {
        Element::Operand(at) => Some(&program.details.operands[*at as usize]),
        Element::Result(at) => Some(&program.details.results[*at as usize]),
        _ => None,
    };
    let types = match definition.map(|definition| &definition.multiplicity) {
        Some(Multiplicity::One) => {
            let name = definition.and_then(|definition| dialect_type(&definition.constraint.predicate));
            match name.and_then(|name| name.split_once('.')).filter(|_| !qualified && parser.at.is_at(b'<')) {
                Some((dialect, mnemonic)) => vec![parser.at.stripped_type(dialect, mnemonic)?.into()],
                None => vec![parser.any_type()?],
            }
        }
        Some(Multiplicity::Groups(_)) => {
            let mut types = Vec::new();
            while parser.at.eat(b'(') {
                if !parser.at.eat(b')') {
                    types.extend(parser.types()?);
                    parser.at.expect(b')')?;
                }
                if !parser.at.eat(b',') {
                    break;
                }
            }
            types
        }
        Some(Multiplicity::Optional) if !starts_type(parser) => Vec::new(),
        Some(Multiplicity::Optional) => vec![parser.any_type()?],
        _ if !starts_type(parser) => Vec::new(),
        _ => parser.types()?,
    };
    set_types(parser, state, of, types)
}

/// Puts the regions, which stand in the text's order, in that of the definition.
fn sort_regions(parser: &mut OpParser<'_>, custom: &mut OpState<'_>, numbers: &[u32]) -> Result<()> {
    let Some(op) = custom.op.filter(|_| !numbers.is_sorted() && numbers.len() == custom.regions.len()) else {
        return Ok(());
    };
    if custom.info.is_isolated() {
        return Err(parser.at.error_at(custom.at, "the regions of an isolated operation must come in their order"));
    }
    let build = parser.build();
    build.uses.reorder(&build.body, op);
    let mut numbered: Vec<_> = numbers.iter().zip(std::mem::take(&mut custom.regions)).collect();
    numbered.sort_by_key(|entry| entry.0);
    custom.regions = numbered.into_iter().map(|entry| entry.1).collect();
    Ok(())
}

/// Puts the successors, which stand in the text's order, in that of the definition.
fn sort_successors(custom: &mut OpState<'_>, numbers: &[u32]) {
    if !numbers.is_sorted() && numbers.len() == custom.successors.len() {
        let mut numbered: Vec<_> = numbers.iter().zip(std::mem::take(&mut custom.successors)).collect();
        numbered.sort_by_key(|entry| entry.0);
        custom.successors = numbered.into_iter().map(|entry| entry.1).collect();
    }
}

/// Puts what was parsed in order, and finds the types that were not.
fn finish<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, program: &Program, state: State<'a>) -> Result<()> {
    let definition = custom.definition.clone();
    let details = &program.details;
    let at = custom.at;
    let State {
        operands,
        groups,
        operand_types,
        result_types,
        regions,
        successors,
        all_operands,
        all_operand_types,
        all_result_types,
        ..
    } = state;
    sort_regions(parser, custom, &regions)?;
    sort_successors(custom, &successors);
    let mut operands: Vec<Vec<ValueName<'a>>> = operands.into_iter().map(Option::unwrap_or_default).collect();
    let wrong = |parser: &OpParser<'_>, message: &str| Err(parser.at.error_at(at, message.to_owned()));
    if let Some(all) = all_operands {
        // Without segments the definition says which operands are which.
        let Some(ranges) = definition.operand_ranges(all.len(), None) else {
            return wrong(parser, "too few or too many operands");
        };
        operands = ranges.into_iter().map(|range| all[range].to_vec()).collect();
    }
    for (value, operands) in details.operands.iter().zip(&operands) {
        if value.multiplicity == Multiplicity::One && operands.len() != 1 {
            return wrong(parser, "an operand is missing");
        }
    }
    let counts: Vec<usize> = operands.iter().map(Vec::len).collect();
    let resolved = |parser: &OpParser<'_>, types: Option<Vec<TypeRef>>| -> Result<Option<Vec<Type>>> {
        types.map(|types| types.into_iter().map(|ty| parser.resolved(ty)).collect()).transpose()
    };
    let named = custom.named_results();
    let mut known =
        OpTypes { counts: counts.clone(), operands: Vec::new(), results: Vec::new(), named, attributes: Vec::new() };
    for types in operand_types {
        known.operands.push(resolved(parser, types)?);
    }
    for types in result_types {
        known.results.push(resolved(parser, types)?);
    }
    if let Some(all) = resolved(parser, all_operand_types)? {
        if all.len() != counts.iter().sum::<usize>() {
            return wrong(parser, "there are more or fewer types than operands");
        }
        let mut rest = all.into_iter();
        known.operands = counts.iter().map(|&count| Some(rest.by_ref().take(count).collect())).collect();
    }
    if let Some(all) = resolved(parser, all_result_types)? {
        let Some(ranges) = definition.result_ranges(all.len(), None) else {
            return wrong(parser, "too few or too many result types");
        };
        known.results = ranges.into_iter().map(|range| Some(all[range].to_vec())).collect();
    }
    let context = parser.context();
    infer_types(&parser.checker, &program.definition, program.infer, &mut known, &|name| custom.find(context, name));
    for ((names, types), value) in operands.into_iter().zip(known.operands).zip(&details.operands) {
        let Some(types) = types else {
            return wrong(parser, &format!("the type of operand `{}` is not known", value.name));
        };
        if types.len() != names.len() {
            return wrong(
                parser,
                &format!(
                    "operand `{}` has {} for {}",
                    value.name,
                    Error::counted(types.len(), "type"),
                    Error::counted(names.len(), "value")
                ),
            );
        }
        for (name, ty) in names.into_iter().zip(types) {
            custom.add(name, ty.into());
        }
    }
    let mut result_counts = Vec::new();
    for (types, value) in known.results.into_iter().zip(&details.results) {
        let Some(types) = types else {
            return wrong(parser, &format!("the type of result `{}` is not known", value.name));
        };
        result_counts.push(types.len());
        custom.result_types.extend(types.into_iter().map(TypeRef::from));
    }
    for (value, groups) in details.operands.iter().zip(&groups) {
        if let Multiplicity::Groups(segments) = &value.multiplicity {
            parser.set_segments(custom, segments, groups);
        }
    }
    if definition.traits.contains(Traits::OPERAND_SEGMENTS) {
        parser.set_segments(custom, "operandSegmentSizes", &counts);
    }
    if definition.traits.contains(Traits::RESULT_SEGMENTS) {
        parser.set_segments(custom, "resultSegmentSizes", &result_counts);
    }
    Ok(())
}
