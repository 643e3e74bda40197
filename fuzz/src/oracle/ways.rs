//! The ways that a module goes, out and back.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::ods::Release;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{AttributeData, CompareOptions, Context, Error, Module, Result, compare};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module};

use super::{
    Way, alike, every_operation, gains_definitions, printed, same_but_unused, same_text, shown, text, written_and_read,
};

/// How often a module may say less each time that it is parsed from its own text: each time an expression or a location gets
/// shorter.
const GENERATIONS: usize = 8;

/// Prints a module in generic form and in custom assembly and parses both: the same module, with the same rules broken, and the
/// same text the second time. Gives the generic form; `None` where that would be too long.
#[track_caller]
pub(crate) fn through_text(module: &Module) -> Option<Vec<u8>> {
    let first = text(module)?;
    let again = generic(module, &first)?;
    assembly(again.as_ref().unwrap_or(module));
    Some(first)
}

/// Parses the generic form until nothing changes. Gives what came of it, where something had to.
#[track_caller]
fn generic(module: &Module, first: &[u8]) -> Option<Option<Module>> {
    let (mut before, mut printed): (Option<Module>, Vec<u8>) = (None, first.to_vec());
    for _ in 0..GENERATIONS {
        let from = before.as_ref().unwrap_or(module);
        let again = parsed(from.context(), &printed);
        let forgiven = alike(from, &again, Way::Generic)
            .unwrap_or_else(|difference| panic!("another module out of text: {difference}\n{}", shown(&printed)));
        let reprinted = text(&again)?;
        if forgiven.nothing() {
            same_but_unused(from, &again, &shown(&printed));
            assert!(
                reprinted == printed,
                "printed again, the text is another:\n{}\n{}",
                shown(&printed),
                shown(&reprinted)
            );
            if !gains_definitions(from) && !is_of_another_release(from) {
                let (broken, others) = (broken(from), self::broken(&again));
                assert_eq!(broken, others, "other rules are broken once it was parsed:\n{}", shown(&printed));
            }
            change_is_found(from, again, printed.len());
            return Some(before);
        }
        printed = reprinted;
        before = Some(again);
    }
    panic!("each time that its text is parsed, it is another module:\n{}", shown(&printed));
}

/// Prints in custom assembly, with locations and without, and parses that.
#[track_caller]
fn assembly(module: &Module) {
    let options = PrintOptions::new().generic(false);
    let (Some(located), Some(plain)) = (printed(module, &options.clone().locations(true)), printed(module, &options))
    else {
        return;
    };
    for text in [&located, &plain] {
        let again = parsed(module.context(), text);
        let forgiven = alike(module, &again, Way::Assembly)
            .unwrap_or_else(|difference| panic!("another module out of assembly: {difference}\n{}", shown(text)));
        if forgiven.changed {
            continue;
        }
        let mut reprinted = printed(&again, &options).unwrap_or_default();
        let mut plain = plain.clone();
        if forgiven.defaults && reprinted != plain {
            // What says its defaults may have a shorter form: from then on it stays the same.
            let third = parsed(module.context(), &reprinted);
            plain = std::mem::replace(&mut reprinted, printed(&third, &options).unwrap_or_default());
        }
        assert!(
            reprinted == plain,
            "printed again, the assembly is another:\n{}\n{}",
            shown(&plain),
            shown(&reprinted)
        );
        if !gains_definitions(module) && !is_of_another_release(module) {
            let (broken, others) = (broken(module), self::broken(&again));
            assert_eq!(broken, others, "other rules are broken once it was parsed:\n{}", shown(text));
        }
    }
}

/// Prints a module in custom assembly and parses that. Says what is wrong: that it does not parse, or is another module.
///
/// # Errors
/// What is wrong, with the text.
pub fn comes_back_from_assembly(module: &Module) -> std::result::Result<(), String> {
    let Some(text) = printed(module, &PrintOptions::new().generic(false)) else { return Ok(()) };
    let again = parse_module(module.context(), &text, &ParseOptions::new())
        .map_err(|errors| format!("what was printed does not parse: {errors}\n{}", shown(&text)))?;
    match alike(module, &again, Way::Assembly) {
        Ok(_) => Ok(()),
        Err(difference) => Err(format!("another module out of assembly: {difference}\n{}", shown(&text))),
    }
}

#[track_caller]
fn parsed(context: &Context, text: &[u8]) -> Module {
    parse_module(context, text, &ParseOptions::new())
        .unwrap_or_else(|errors| panic!("what was printed does not parse: {errors}\n{}", shown(text)))
}

/// Whether a module came from a file of another release of MLIR than that of the definitions: what that defines otherwise
/// breaks no rule, and text does not say of which release it is.
fn is_of_another_release(module: &Module) -> bool {
    Release::of_producer(&module.info.producer).is_some_and(|release| release != Release::DEFAULT)
}

/// What verifying says, without places.
pub(crate) fn broken(module: &Module) -> Vec<String> {
    let mut broken = Vec::new();
    let report = &mut |error: Error| broken.push(error.message().to_owned());
    verify_module(module, report).unwrap_or_else(|error| panic!("decoded, and cannot be verified: {error}"));
    // Bodies stand in another order in a module that was parsed.
    broken.sort();
    broken
}

/// Writes a module as bytecode and reads that: the same module, with the same text.
///
/// # Errors
/// What writing it says.
#[track_caller]
pub(crate) fn through_bytecode(module: &Module, options: &WriteOptions) -> Result<(Vec<u8>, Module)> {
    let (written, read) = written_and_read(module.context(), module, options)?;
    let forgiven = alike(module, &read, Way::Bytecode(options.release))
        .unwrap_or_else(|difference| panic!("another module out of bytecode: {difference}"));
    if forgiven.nothing()
        && let (Some(before), Some(after)) = (text(module), text(&read))
    {
        let (one, other) = (shown(&before), shown(&after));
        same_but_unused(module, &read, &one);
        assert!(same_text(&before, &after), "another text out of bytecode:\n{one}\n{other}");
    }
    Ok((written, read))
}

/// Comparing finds what is changed in an operation of `copy`, which is the same as `module`.
#[track_caller]
fn change_is_found(module: &Module, mut copy: Module, choice: usize) {
    let context = module.context();
    let places: Vec<_> = every_operation(&copy).map(|op| (op.body_id(), op.id())).collect();
    let Some(&(body, op)) = places.get(choice % places.len().max(1)) else { return };
    match choice % 3 {
        0 => {
            let name = copy.name("t.another name");
            copy.rewrite(body, |rw| rw.set_name(op, name)).expect("an operation of the body");
        }
        _ => {
            let place = copy.body(body).expect("a body that was parsed").attributes(op);
            let attributes = place.map(|place| copy.dictionary(place).expect("decoded"));
            let mut entries = match attributes.map(|attributes| &context[attributes]) {
                Some(AttributeData::Dictionary(entries)) => entries.to_vec(),
                _ => Vec::new(),
            };
            entries.push((context.identifier("t.another attribute"), context.unit()));
            let Ok(attributes) = context.dictionary(entries) else { return };
            copy.rewrite(body, |rw| rw.set_attributes(op, Some(attributes.into()))).expect("an operation of the body");
        }
    }
    let options = CompareOptions::new().locations(true);
    let differences = compare(module, &copy, &options).expect("decoded modules");
    assert!(
        !differences.is_empty(),
        "operation {} of {} was changed, and no difference found",
        op.index(),
        places.len()
    );
    assert!(alike(module, &copy, Way::Generic).is_err(), "operation {} was changed, and is alike", op.index());
}
