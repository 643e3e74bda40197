//! Modules of the reference corpus with one operation moved, or one operand put in the place of another of its type: what
//! mlir-opt 22 says of definitions and uses is said here, of the same operation.
//!
//! `MLIRBC_DOMINANCE_MUTANTS=2000` makes so many; far fewer are made by default.

use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{AttributeData, BodyId, Dominance, Module, OpId, RegionId, Result, Value};
use mlirbc_testing::{Numbers, blocks, corpus, env_number, tool, values};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// Every body that is in use, of a module that has been read whole.
fn bodies(module: &Module) -> Vec<BodyId> {
    module.bodies().map(|(id, _)| id).collect()
}

/// Gives every operation a line of its own in a file that is not there, by which to know it again.
fn number(module: &mut Module) -> Result<()> {
    let context = module.context().clone();
    let file = context.identifier(FILE);
    let mut line = 0;
    for id in bodies(module) {
        module.rewrite(id, |rw| {
            let ops: Vec<OpId> = rw.body().preorder().collect();
            ops.into_iter().try_for_each(|op| {
                line += 1;
                let location = AttributeData::FileLocation { file, start: (line, 1), end: (line, 1) };
                rw.set_location(op, context.attribute(location))
            })
        })?;
    }
    Ok(())
}

const FILE: &str = "op";

/// Whether an operation may stand elsewhere in a block without breaking a rule that has nothing to do with values.
fn moves(module: &Module, id: BodyId, op: OpId) -> bool {
    let Ok(op) = module.operation(id, op) else { return false };
    let body = op.body();
    let last = body.block_of(op.id()).is_none_or(|block| body.last_operation(block) == Some(op.id()));
    !last && body.successors(op.id()).is_empty() && !op.has_trait(Traits::TERMINATOR)
}

/// Moves one operation, or puts one operand in the place of another.
fn edit(module: &mut Module, numbers: &mut Numbers) -> Result<bool> {
    let bodies = bodies(module);
    let Some(&id) = numbers.of(&bodies) else { return Ok(false) };
    let body = module.body(id)?;
    let ops: Vec<OpId> = body.preorder().collect();
    if numbers.below(2) == 0 {
        let ops: Vec<OpId> = ops.into_iter().filter(|&op| moves(module, id, op)).collect();
        let Some(&op) = numbers.of(&ops) else { return Ok(false) };
        // Mostly within the block, where most operations are right.
        let own = body.block_of(op);
        let others = blocks(body);
        let block = if numbers.below(4) == 0 { numbers.of(&others).copied() } else { own };
        let Some(block) = block else { return Ok(false) };
        let before: Vec<OpId> = body.operations(block).filter(|&before| before != op).collect();
        let Some(&before) = numbers.of(&before) else { return Ok(false) };
        if body.next_operation(op) == Some(before) || body.is_inside(before, op) {
            return Ok(false);
        }
        module.rewrite(id, |rw| rw.move_before(op, before))?;
        return Ok(true);
    }
    let ops: Vec<OpId> = ops.into_iter().filter(|&op| !body.operands(op).is_empty()).collect();
    let Some(&op) = numbers.of(&ops) else { return Ok(false) };
    let operand = numbers.below(body.operands(op).len());
    let old = body.operands(op)[operand];
    let alike: Vec<Value> =
        values(body).into_iter().filter(|&value| value != old && body.ty(value) == body.ty(old)).collect();
    let Some(&new) = numbers.of(&alike) else { return Ok(false) };
    module.rewrite(id, |rw| rw.set_operand(op, operand, new))?;
    Ok(true)
}

/// Whether bytecode can say it: every operand is of a region around its operation, and nothing uses an outermost result.
fn is_sayable(module: &Module) -> Result<bool> {
    for id in bodies(module) {
        let body = module.body(id)?;
        let around = |op: OpId| {
            let region = body.block_of(op).and_then(|block| body.region_of(block));
            std::iter::successors(region, |&region: &RegionId| {
                body.block_of(body.operation_of(region)?).and_then(|block| body.region_of(block))
            })
        };
        for op in body.preorder() {
            let mut used = body.operands(op).iter().map(|&value| body.defining_region(value));
            if !used.all(|defining| around(op).any(|region| Some(region) == defining)) {
                return Ok(false);
            }
        }
        let outermost = id.index() == Module::TOP && body.preorder().any(|op| !body.operands(op).is_empty());
        if outermost {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A place that a tool names: a line of the file, or of the numbers that the operations were given.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Operation(u32),
    Line(u32),
}

/// What is said of a file.
#[derive(Debug)]
enum Verdict {
    Right,
    /// A definition does not reach a use, there.
    Unreached(At),
    /// Something else.
    Other(String),
}

fn mlir_opt(path: &Path) -> Verdict {
    let output = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "-o", "/dev/null"])
        .arg(path)
        .output()
        .expect("mlir-opt-22 runs");
    if output.status.success() {
        return Verdict::Right;
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = text.lines().find(|line| line.contains("error: ")).unwrap_or_default();
    let about = ["does not dominate this use", "defined outside the region", "undeclared SSA value", "undefined"];
    let line = |name: &str| first.strip_prefix(name)?.strip_prefix(':')?.split(':').next()?.parse().ok();
    let place = line(FILE).map(At::Operation).or_else(|| line(&path.to_string_lossy()).map(At::Line));
    match place {
        Some(place) if about.iter().any(|about| first.contains(about)) => Verdict::Unreached(place),
        _ => Verdict::Other(first.to_owned()),
    }
}

/// The places of all that is wrong with a file, and what it is.
fn ours(path: &Path, bytes: Vec<u8>) -> Vec<(Option<At>, String)> {
    let context = crate::definitions::context();
    let name = path.to_string_lossy();
    let place = |text: &str| {
        let line = |name: &str| text.split(&format!("\"{name}\":")).nth(1)?.split(':').next()?.parse().ok();
        line(FILE).map(At::Operation).or_else(|| line(&name).map(At::Line))
    };
    let module = match bytes.starts_with(b"ML\xefR") {
        true => read(&context, bytes).and_then(|module| decode_all(&module).map(|()| module)),
        false => match parse_module(&context, &bytes, &ParseOptions::new().file(&*name)) {
            Ok(module) => Ok(module),
            Err(errors) => {
                let lines = errors.to_string();
                let found = lines.lines().filter_map(|line| {
                    let place = line.strip_prefix(&*name)?.strip_prefix(':')?.split(':').next()?.parse().ok()?;
                    Some((Some(At::Line(place)), line.to_owned()))
                });
                return found.collect();
            }
        },
    };
    let mut wrong = Vec::new();
    match module {
        Ok(module) => {
            let checked = verify_module(&module, &mut |error| {
                wrong.push((place(&error.what_was_read().concat()), error.to_string()));
            });
            wrong.extend(checked.err().map(|error| (None, error.to_string())));
        }
        Err(error) => wrong.push((None, error.to_string())),
    }
    wrong
}

#[derive(Default)]
struct Counts {
    right: usize,
    unreached: usize,
    /// Of these, how many were texts, since bytecode cannot say it.
    texts: usize,
    other: usize,
}

/// Makes so many modules of which mlir-opt says one or the other.
fn compare(paths: &[PathBuf], seed: u64, wanted: usize) -> Counts {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ seed);
    let mut counts = Counts::default();
    let folder = std::env::temp_dir().join(format!("mlirbc-dominance-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    // What is refused for another reason counts for neither; where nothing else is left, this ends all the same.
    for _ in 0..20 * wanted {
        if counts.right + counts.unreached == wanted {
            break;
        }
        let source = numbers.of(paths).expect("a corpus");
        let context = crate::definitions::context();
        let bytes = std::fs::read(source).expect("a file of the corpus");
        let Ok(mut module) = read(&context, bytes).and_then(|module| decode_all(&module).map(|()| module)) else {
            continue;
        };
        number(&mut module).expect("readable");
        if !edit(&mut module, &mut numbers).unwrap_or(false) {
            continue;
        }
        let sayable = is_sayable(&module).expect("readable");
        let path = folder.join(if sayable { "mutant.mlirbc" } else { "mutant.mlir" });
        let bytes = if sayable {
            write(&module, &WriteOptions::default())
        } else {
            let mut text = Vec::new();
            let printed = print_module(&module, &PrintOptions::new().generic(true), &mut text);
            // Where no name is known any more, one that nothing defines stands for the value.
            printed.map(|()| String::from_utf8_lossy(&text).replace("%<unknown>", "%nowhere").into_bytes())
        };
        let Ok(bytes) = bytes else { continue };
        std::fs::write(&path, &bytes).expect("a temporary file");
        let verdict = mlir_opt(&path);
        let found = ours(&path, bytes);
        let show = || format!("{} (seed {seed}, {}): {found:?}", source.display(), path.display());
        match verdict {
            Verdict::Right => {
                assert!(found.is_empty(), "accepted by mlir-opt, but: {}", show());
                counts.right += 1;
            }
            Verdict::Unreached(at) => {
                let here = found.iter().any(|(place, _)| place.as_ref() == Some(&at));
                assert!(here, "mlir-opt refuses {at:?}, but: {}", show());
                counts.unreached += 1;
                counts.texts += usize::from(!sayable);
                // The module is as wrong before it is written.
                let mut wrong = 0;
                for id in bodies(&module) {
                    let body = module.body(id).expect("readable");
                    let dominance = Dominance::new(&module, id).expect("readable");
                    let live = |op| body.block_of(op).is_some_and(|block| dominance.is_reachable(block));
                    let out_of_reach = |op| body.operands(op).iter().any(|&value| !dominance.reaches(value, op));
                    wrong += body.preorder().filter(|&op| live(op) && out_of_reach(op)).count();
                }
                assert!(wrong > 0, "{}", show());
            }
            Verdict::Other(message) => {
                counts.other += 1;
                if std::env::var_os("MLIRBC_SHOW").is_some() {
                    eprintln!("neither: {message}");
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    counts
}

#[test]
fn dominance_is_as_mlir_has_it() {
    let what = "modules with an operation moved or an operand swapped";
    let folders: Option<Vec<_>> =
        ["bytecode", "spirv_dialect", "codes"].into_iter().map(|folder| corpus(folder, what)).collect();
    let Some(paths) = folders.map(|folders| folders.concat()) else { return };
    if !tool("mlir-opt-22", what) {
        return;
    }
    let mutants = env_number("MLIRBC_DOMINANCE_MUTANTS").map_or(100, |count| count as usize);
    let threads = [11u64, 12].map(|seed| {
        let paths = paths.clone();
        std::thread::spawn(move || compare(&paths, seed, mutants / 2))
    });
    let mut counts = Counts::default();
    for thread in threads {
        let found = thread.join().expect("agreement with mlir-opt");
        counts.right += found.right;
        counts.unreached += found.unreached;
        counts.texts += found.texts;
        counts.other += found.other;
    }
    let Counts { right, unreached, texts, other } = counts;
    eprintln!(
        "{right} accepted by both, {unreached} refused by both ({texts} as text), {other} refused for other reasons"
    );
    assert_eq!(right + unreached, mutants / 2 * 2);
    assert!(right * 4 >= mutants && unreached * 4 >= mutants, "{right} accepted, {unreached} refused");
}
