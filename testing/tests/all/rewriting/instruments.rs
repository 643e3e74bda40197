//! What watches pipelines: which calls come, in which order, with what.

use std::sync::Mutex;

use mlirbc_ir::{Error, Module, Result};
use mlirbc_rewrite::passes::{Cse, Inline};
use mlirbc_rewrite::{Instrument, Pass, PassRun, Pipeline, PipelineRun, PrintIr, RunOptions, Target, passes};
use mlirbc_text::{ParseOptions, parse_module};

const TEXT: &str = "module { func.func @a() { %0 = arith.constant 1 : i32 return } func.func @b() { return } }";

fn parsed(text: &str) -> Module {
    parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).expect("it parses")
}

/// Notes all that it is told, with a name of its own, where several do.
struct Note<'n> {
    name: &'static str,
    notes: &'n Mutex<Vec<String>>,
    only: Option<&'static str>,
}

impl<'n> Note<'n> {
    fn new(name: &'static str, notes: &'n Mutex<Vec<String>>) -> Self {
        Note { name, notes, only: None }
    }

    fn note(&self, what: &str) -> Result<()> {
        self.notes.lock().expect("no thread panics").push(format!("{}{what}", self.name));
        Ok(())
    }

    fn pipeline(&self, when: &str, run: &PipelineRun<'_>) -> Result<()> {
        let parent = run.parent().map(|pass| format!(" in {pass}")).unwrap_or_default();
        let anchor = run.anchor().unwrap_or("any");
        self.note(&format!("{when} {anchor} x{}{parent}, {}", run.operations(), run.depth()))
    }

    fn pass(&self, when: &str, run: &PassRun<'_>) -> Result<()> {
        let parent = run.parent().map(|pass| format!(" in {pass}")).unwrap_or_default();
        let op = run.op().map_or_else(|error| error.to_string(), |op| format!("{} {}", op.name(), op.path()));
        self.note(&format!("{when} {} on {}{parent}, {}", run.pass(), op.trim(), run.depth()))
    }
}

impl Instrument for Note<'_> {
    fn watches(&self, pass: &str) -> bool {
        self.only.is_none_or(|only| only == pass)
    }

    fn before_pipeline(&self, run: &mut PipelineRun<'_>) -> Result<()> {
        self.pipeline("begin", run)
    }

    fn after_pipeline(&self, run: &mut PipelineRun<'_>) -> Result<()> {
        self.pipeline("end", run)
    }

    fn before_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        self.pass("before", run)
    }

    fn after_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        self.pass("after", run)
    }

    fn after_pass_failed(&self, run: &mut PassRun<'_>, error: &Error) -> Result<()> {
        self.pass(&format!("failed ({})", error.message()), run)
    }
}

fn pipeline(text: &str) -> Pipeline {
    Pipeline::parse(text, &passes::registry()).unwrap_or_else(|error| panic!("{error}"))
}

fn notes(text: &str, pipeline: &Pipeline, threads: usize) -> Vec<String> {
    let notes = Mutex::new(Vec::new());
    let options = RunOptions::new().threads(threads).instrument(Note::new("", &notes));
    pipeline.run_with(&mut parsed(text), options).expect("it runs");
    notes.into_inner().expect("no thread panics")
}

#[test]
fn pipelines_and_passes_are_watched_operation_by_operation() {
    let pipeline = pipeline("builtin.module(func.func(cse),any(),llvm.func(cse),strip-debuginfo)");
    let noted = notes(TEXT, &pipeline, 1);
    let wanted = [
        "begin builtin.module x1, 1",
        "begin func.func x2, 2",
        "before cse on func.func @a, 2",
        "after cse on func.func @a, 2",
        "before cse on func.func @b, 2",
        "after cse on func.func @b, 2",
        "end func.func x2, 2",
        "begin any x2, 2",
        "end any x2, 2",
        "before strip-debuginfo on builtin.module, 1",
        "after strip-debuginfo on builtin.module, 1",
        "end builtin.module x1, 1",
    ];
    assert_eq!(noted, wanted);
    assert_eq!(notes(TEXT, &pipeline, 4), wanted);
}

#[test]
fn the_first_is_called_first_before_and_last_after() {
    let notes = Mutex::new(Vec::new());
    let (one, two) = (Note::new("1 ", &notes), Note { only: Some("symbol-dce"), ..Note::new("2 ", &notes) });
    let options = RunOptions::new().instrument(&one).instrument(&two);
    pipeline("any(symbol-dce,cse)").run_with(&mut parsed("module {}"), options).expect("it runs");
    let wanted = [
        "1 begin any x1, 1",
        "2 begin any x1, 1",
        "1 before symbol-dce on builtin.module, 1",
        "2 before symbol-dce on builtin.module, 1",
        "2 after symbol-dce on builtin.module, 1",
        "1 after symbol-dce on builtin.module, 1",
        "1 before cse on builtin.module, 1",
        "1 after cse on builtin.module, 1",
        "2 end any x1, 1",
        "1 end any x1, 1",
    ];
    assert_eq!(notes.into_inner().expect("no thread panics"), wanted);
}

#[test]
fn what_runs_in_a_pass_is_watched_too() {
    let text = "module { func.func private @a() { return } func.func @b() { call @a() : () -> () return } }";
    let noted = notes(text, &Pipeline::new().pass(Inline::default()), 1);
    assert_eq!(noted[..2], ["begin builtin.module x1, 1", "before inline on builtin.module, 1"]);
    assert!(noted.contains(&"begin any x1 in inline, 1".to_owned()), "{noted:#?}");
    assert!(noted.contains(&"before canonicalize on func.func @b in inline, 1".to_owned()), "{noted:#?}");
    assert!(noted.contains(&"after canonicalize on func.func @b in inline, 1".to_owned()), "{noted:#?}");
    assert_eq!(noted[noted.len() - 2..], ["after inline on builtin.module, 1", "end builtin.module x1, 1"]);
}

/// Fails, or takes the return of a function away.
struct Bad {
    fails: bool,
}

impl Pass for Bad {
    fn name(&self) -> &str {
        "bad"
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        if self.fails {
            return Err(Error::misuse("no"));
        }
        let inside = target.op()?.ops()?.next().map(|op| (op.body_id(), op.id()));
        let (body, op) = inside.expect("an operation");
        target.module().rewrite(body, |rw| rw.erase(op))
    }
}

#[test]
fn a_pass_that_fails_is_told_and_nothing_after_it() {
    for (fails, why) in [(true, "the pass `bad` failed: no"), (false, "the pass `bad` left 1 rule broken")] {
        let notes = Mutex::new(Vec::new());
        let functions = Pipeline::on("func.func").pass(Cse).pass(Bad { fails }).pass(Cse);
        let pipeline = Pipeline::new().nested(functions);
        let mut printed = Vec::new();
        let options = RunOptions::new().output(&mut printed).instrument(PrintIr::new().after("bad"));
        let options = options.instrument(Note { only: Some("bad"), ..Note::new("", &notes) });
        let text = "module { func.func @a() { return } func.func @b() { return } }";
        let error = pipeline.run_with(&mut parsed(text), options).expect_err("it fails");
        assert!(error.message().contains(why), "{error}");
        let notes = notes.into_inner().expect("no thread panics");
        assert_eq!(notes.len(), 4, "{notes:#?}");
        assert_eq!(notes[2], "before bad on func.func @a, 2");
        assert!(notes[3].starts_with(&format!("failed ({why}")), "{notes:#?}");
        assert!(notes[3].ends_with(") bad on func.func @a, 2"), "{notes:#?}");
        let printed = String::from_utf8_lossy(&printed);
        assert!(printed.starts_with("// -----// IR Dump After bad Failed //----- //\n"), "{printed}");
    }
}

/// Gives an error where it is told something.
struct Stop(&'static str);

impl Instrument for Stop {
    fn before_pass(&self, _: &mut PassRun<'_>) -> Result<()> {
        if self.0 == "before" { Err(Error::misuse("stopped before")) } else { Ok(()) }
    }

    fn after_pass(&self, _: &mut PassRun<'_>) -> Result<()> {
        if self.0 == "after" { Err(Error::misuse("stopped after")) } else { Ok(()) }
    }

    fn after_pipeline(&self, _: &mut PipelineRun<'_>) -> Result<()> {
        if self.0 == "end" { Err(Error::misuse("stopped end")) } else { Ok(()) }
    }
}

#[test]
fn an_instrument_may_end_the_run() {
    for when in ["before", "after", "end"] {
        let error = pipeline("any(cse)").run_with(&mut parsed(TEXT), RunOptions::new().instrument(Stop(when)));
        assert_eq!(error.expect_err("it is stopped").message(), format!("stopped {when}"));
    }
}

#[test]
fn operations_are_printed_before_and_after_passes() {
    let mut printed = Vec::new();
    let print = PrintIr::new().before("cse").after("*");
    let options = RunOptions::new().threads(4).output(&mut printed).instrument(print);
    pipeline("builtin.module(func.func(cse),symbol-dce)").run_with(&mut parsed(TEXT), options).expect("it runs");
    let printed = String::from_utf8(printed).expect("text");
    let headers: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("// -----// IR Dump ")).collect();
    let wanted = ["Before cse", "After cse", "Before cse", "After cse", "After symbol-dce"];
    assert_eq!(headers, wanted.map(|header| format!("{header} //----- //")));
    assert_eq!(printed.matches("arith.constant").count(), 1, "{printed}");
}
