//! Passes over modules: what holds of a module before them holds after each of them, and the number of threads changes nothing.

use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Error, Module, Result};
use mlirbc_rewrite::{Pipeline, Report, RunOptions, passes};
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::{load_or_refuse, text_cannot_say, through_bytecode, through_text, unfit};
use crate::{Outcome, Random, Seed, inputs, mutate_bytecode, mutate_module, number_of, text_parse};

/// The most passes of a pipeline.
const MOST: usize = 4;

/// What `symbol-dce` says where it cannot know what is used.
const UNKNOWN_TABLE: &str = "may be a symbol table";

/// What pipelines say of a file whose outermost operation is no module.
const OTHER_TOP: &str = "a pipeline for `builtin.module` cannot run on";

/// What cannot be written at the version that parts which are kept as they are need.
const OLD_VERSION: &str = "cannot hold the order of uses";

/// Functions of which much can be folded, merged and erased.
const FUNCTIONS: &str = include_str!("rewrite.mlir");

/// How often the functions stand in one module: more than one thread takes at once.
const COPIES: usize = 4;

fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_spirv::register(&context).expect("a fresh context");
    context
}

/// Inputs to begin with: those of text and of bytecode, and functions that passes change, one by one and many at once.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = text_parse::seeds();
    let functions = FUNCTIONS.split_inclusive("\n}\n").enumerate();
    seeds.extend(functions.map(|(number, text)| (format!("function-{number:02}.mlir"), text.as_bytes().to_vec())));
    let many: String =
        (0..COPIES).map(|copy| FUNCTIONS.replace("func.func @", &format!("func.func @copy{copy}_"))).collect();
    let module = parsed(&context(), many.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let bytes = write(&module, &WriteOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    seeds.push(("functions.mlir".to_owned(), many.into_bytes()));
    seeds.push(("functions.mlirbc".to_owned(), bytes));
    seeds.extend(inputs::bytecode());
    seeds
}

/// Another input of the same kind.
pub fn mutate(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let other = if is_bytecode(input) == is_bytecode(other) { other } else { input };
    if is_bytecode(input) { mutate_bytecode(random, input, other) } else { mutate_module(random, input, other) }
}

fn is_bytecode(input: &[u8]) -> bool {
    input.starts_with(b"ML\xefR")
}

fn parsed(context: &Context, text: &[u8]) -> Result<Module> {
    Ok(parse_module(context, text, &ParseOptions::new().implicit_module(true))?)
}

/// The module of an input. That of bytecode has nothing decoded.
fn module(data: &[u8]) -> Result<Module> {
    if is_bytecode(data) { read(&context(), data.to_vec()) } else { parsed(&context(), data) }
}

/// What came of a pipeline.
struct Ran {
    module: Module,
    printed: Vec<u8>,
    report: std::result::Result<Report, Error>,
}

/// Runs a pipeline on the module of an input, which is known to be one.
fn ran(data: &[u8], pipeline: &Pipeline, verify: bool, threads: usize) -> Ran {
    let mut module = module(data).unwrap_or_else(|error| panic!("it was read before: {error}"));
    let mut printed = Vec::new();
    let options = RunOptions::new().verify_each(verify).output(&mut printed).threads(threads);
    let report = pipeline.run_with(&mut module, options);
    Ran { module, printed, report }
}

/// Reads a module, and runs passes on it: which ones, the input says.
pub fn run(data: &[u8]) -> Outcome {
    // All of it is decoded, and verified, in a module of its own.
    let whole = match is_bytecode(data) {
        true => load_or_refuse(&context(), data),
        false => module(data).map_err(|_| Outcome::Refused),
    };
    let valid = match whole {
        Ok(whole) => is_valid(&whole),
        Err(refused) => {
            // What is broken may be where passes do not look, or where they stop.
            if let (true, Ok(_)) = (is_bytecode(data), module(data)) {
                let (_, pipeline) = pipeline(data);
                _ = ran(data, &pipeline, false, 1);
            }
            return refused;
        }
    };
    let (text, pipeline) = pipeline(data);
    let alone = ran(data, &pipeline, valid, 1);
    let threads = 1 + (number_of(data) >> 32) as usize % 3;
    if threads > 1 {
        same(&text, &alone, &ran(data, &pipeline, valid, threads), threads);
    }
    if let Err(error) = &alone.report {
        // What is unknown may name symbols in ways that are unknown, too: then none of them is erased.
        let message = error.to_string();
        let expected = [UNKNOWN_TABLE, OTHER_TOP].iter().any(|known| message.contains(known));
        assert!(!valid || expected, "`{text}` of a valid module: {message}");
        assert!(!message.is_empty() && message.len() <= 100 * (1_000 + data.len()), "{} bytes", message.len());
        return Outcome::Accepted;
    }
    if !valid {
        return Outcome::Accepted;
    }
    if !text_cannot_say(&alone.module) {
        through_text(&alone.module);
    }
    let options = options(&alone.module);
    match through_bytecode(&alone.module, &options) {
        Ok(_) => Outcome::Accepted,
        Err(error) => {
            let known = unfit(&alone.module, &error) || error.message().contains(OLD_VERSION);
            assert!(known, "`{text}`, and then it cannot be written: {error}");
            Outcome::Unwritable
        }
    }
}

/// How a module is written: for the release and at the version of its file, where parts of that are kept as they are.
fn options(module: &Module) -> WriteOptions {
    let options = WriteOptions::default();
    match write(module, &options) {
        Err(error) if error.message().contains("a file with opaque parts") => WriteOptions::like(module),
        _ => options,
    }
}

/// The same came of a pipeline on several threads.
fn same(text: &str, alone: &Ran, other: &Ran, threads: usize) {
    assert!(alone.printed == other.printed, "`{text}` prints something else on {threads} threads");
    match (&alone.report, &other.report) {
        (Ok(report), Ok(others)) => {
            assert_eq!(report.counts, others.counts, "`{text}` counts something else on {threads} threads");
        }
        (Err(error), Err(others)) => {
            assert_eq!(error.to_string(), others.to_string(), "`{text}` on {threads} threads");
            return;
        }
        (report, others) => panic!("`{text}` on {threads} threads: {others:?}, alone: {report:?}"),
    }
    let bytes = |ran: &Ran| write(&ran.module, &options(&ran.module)).map_err(|error| error.to_string());
    assert!(bytes(alone) == bytes(other), "`{text}` makes something else on {threads} threads");
}

pub(crate) fn is_valid(module: &Module) -> bool {
    let mut valid = true;
    verify_module(module, &mut |_| valid = false).is_ok() && valid
}

/// Values that options of passes may have.
const OPTIONS: [(&str, &[&str]); 11] = [
    ("canonicalize", &["region-simplify=aggressive", "region-simplify=disabled", "region-simplify=normal"]),
    ("canonicalize", &["top-down=false"]),
    ("canonicalize", &["max-iterations=1", "max-iterations=-1", "max-iterations=0"]),
    ("canonicalize", &["max-num-rewrites=0", "max-num-rewrites=1", "max-num-rewrites=5"]),
    ("canonicalize", &["disable-patterns=CombineIfs,SimplifyPassThroughBr", "enable-patterns=CombineIfs"]),
    ("inline", &["max-iterations=0", "max-iterations=1", "max-iterations=9"]),
    ("inline", &["inlining-threshold=0", "inlining-threshold=50"]),
    ("inline", &["default-pipeline=", "default-pipeline=cse,canonicalize{top-down=false}"]),
    ("inline", &["op-pipelines=func.func(sccp,cse)", "op-pipelines=func.func(canonicalize),llvm.func(cse)"]),
    ("symbol-privatize", &["exclude=sums,f", "exclude=main"]),
    ("print-op-stats", &["json", "json=false"]),
];

/// Passes that are for symbol tables.
const OF_TABLES: [&str; 2] = ["inline", "symbol-dce"];

/// A pipeline of passes that come with the project, and its text.
fn pipeline(data: &[u8]) -> (String, Pipeline) {
    let random = &mut Random::new(number_of(data));
    let count = 1 + random.below(MOST);
    let items: Vec<String> = (0..count)
        .map(|_| match random.below(4) {
            0 => {
                let anchor = ["func.func", "any", "builtin.module", "spirv.module", "llvm.func"][random.below(5)];
                let count = 1 + random.below(2);
                let is_table = anchor.ends_with("module");
                let passes: Vec<String> = (0..count).map(|_| pass(random, is_table)).collect();
                format!("{anchor}({})", passes.join(","))
            }
            _ => pass(random, true),
        })
        .collect();
    let text = format!("builtin.module({})", items.join(","));
    let pipeline = Pipeline::parse(&text, &passes::registry()).unwrap_or_else(|error| panic!("{error}"));
    (text, pipeline)
}

/// A pass with some of its options, as text.
fn pass(random: &mut Random, in_table: bool) -> String {
    let registry = passes::registry();
    let names: Vec<&str> = registry.passes().map(|pass| pass.name).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| in_table || !OF_TABLES.contains(name)).collect();
    let name = names[random.below(names.len())];
    let mut options = Vec::new();
    for (pass, values) in OPTIONS {
        if pass == name && random.below(3) == 0 {
            options.push(values[random.below(values.len())]);
        }
    }
    if options.is_empty() { name.to_owned() } else { format!("{name}{{{}}}", options.join(" ")) }
}
