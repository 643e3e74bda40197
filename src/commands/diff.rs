//! `mlirbc diff`

mod stat;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{Session, color};
use mlirbc::ir::{CompareOptions, Difference, What, compare, symbol_path};
use mlirbc::text::{PrintOptions, print_operation};
use mlirbc::{Error, Module, Result, stablehlo};
use serde_json::{Value, json};

/// Show what differs between two modules, by symbol, then by operation
///
/// Symbols are compared by name, other operations in order. Versions, producers and orders of uses do not count. Two SPIR-V
/// binaries, or bytecode of them, are compared by entry point, declaration and function; numbers of ids, the order of
/// declarations, source lines and the names of what is inside functions do not count. Two portable artifacts are compared as
/// StableHLO: which versions of its operations they hold does not count.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc diff before.mlirbc after.mlirbc\n  mlirbc diff model.mlir model.mlirbc --json\n  mlirbc diff before.mlirbc after.mlirbc --stat\n  mlirbc diff before.mlirbc after.mlirbc --symbol main\n  mlirbc diff before.spv after.spv\n\n\
                        Exit codes: 0 equal, 1 different, 2 wrong usage or an input that cannot be read."
)]
pub(crate) struct Diff {
    /// The first module: bytecode, text or SPIR-V; `-` is standard input
    first: PathBuf,
    /// The second module
    second: PathBuf,
    /// Compare locations, too
    #[arg(long)]
    locations: bool,
    /// Say only that the files differ
    #[arg(short, long, conflicts_with_all = ["json", "stat"])]
    quiet: bool,
    /// Count what differs, by symbol
    #[arg(long)]
    stat: bool,
    /// Show only what differs in this symbol and in what is in it; of SPIR-V binaries the function or variable of that name
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// One JSON object: equal, and differences (symbol, path, name, what, key, first, second), or with --stat symbols (symbol, changed,
    /// added, removed)
    #[arg(long)]
    json: bool,
}

impl Diff {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Some(refused) = super::standard_twice([&self.first, &self.second]) {
            return Ok(refused);
        }
        // One context, so that what is equal has equal handles.
        let context = session.context()?;
        let read = |path: &PathBuf| {
            let module = super::read(&context, path).map_err(|error| super::about(path, error))?;
            Ok::<_, Error>(readable(&module)?.unwrap_or(module))
        };
        let (first, second) = (read(&self.first)?, read(&self.second)?);
        let mut found = match mlirbc::spirv::has_module(&first)? && mlirbc::spirv::has_module(&second)? {
            true => Compared::Spirv(mlirbc::spirv::differences(&first, &second)?),
            false => {
                let options = CompareOptions::new().locations(self.locations);
                Compared::Operations(compare(&first, &second, &options)?)
            }
        };
        if let Some(name) = &self.symbol {
            if super::symbol(&first, name).is_err() {
                super::symbol(&second, name)?;
            }
            found.keep(name);
        }
        let equal = found.is_empty();
        super::show(|out| match &found {
            _ if self.quiet && equal => Ok(()),
            _ if self.quiet => {
                let [first, second] = [&self.first, &self.second].map(|path| super::shown_name(path, "<stdin>"));
                Ok(writeln!(out, "{first} and {second} differ")?)
            }
            _ if self.stat => stat::show(&found.counts(), self.json, out),
            Compared::Operations(found) if self.json => Ok(writeln!(out, "{:#}", to_json(found))?),
            Compared::Operations(found) => show(found, (&first, &second), out),
            Compared::Spirv(found) if self.json => Ok(writeln!(out, "{:#}", super::spirv::to_json(found))?),
            Compared::Spirv(found) => super::spirv::show(found, out),
        })?;
        Ok(ExitCode::from(u8::from(!equal)))
    }
}

/// A portable artifact as people write StableHLO; `None` where the module is none, or cannot be said so.
fn readable(module: &Module) -> Result<Option<Module>> {
    Ok(if stablehlo::is_vhlo(module)? { stablehlo::to_stablehlo(module).ok() } else { None })
}

enum Compared {
    Operations(Vec<Difference>),
    /// Of two SPIR-V modules in their binary form.
    Spirv(Vec<mlirbc::spirv::Difference>),
}

impl Compared {
    fn is_empty(&self) -> bool {
        match self {
            Compared::Operations(found) => found.is_empty(),
            Compared::Spirv(found) => found.is_empty(),
        }
    }

    /// Keeps what is of that symbol, which may be named without the name of the outermost module.
    fn keep(&mut self, name: &str) {
        let wanted = symbol_path(name);
        match self {
            Compared::Operations(found) => found.retain(|difference| {
                let path = symbol_path(&difference.symbol);
                path.starts_with(&wanted) || path.get(1..).is_some_and(|inner| inner.starts_with(&wanted))
            }),
            Compared::Spirv(found) => found.retain(|difference| difference.name.as_bytes() == wanted.concat()),
        }
    }

    fn counts(&self) -> Vec<stat::Row> {
        match self {
            Compared::Operations(found) => stat::of_operations(found),
            Compared::Spirv(found) => stat::of_spirv(found),
        }
    }
}

fn what(difference: &Difference) -> String {
    match &difference.what {
        What::Presence if difference.second.is_none() => "only in the first".into(),
        What::Presence => "only in the second".into(),
        What::Property(name) if name.is_empty() => "properties".into(),
        What::Attribute(name) | What::Property(name) => format!("{} {name}", difference.what.keyword()),
        what => what.keyword().into(),
    }
}

/// So many lines of an operation that is in one module alone are shown.
const LINES: usize = 12;

fn show(differences: &[Difference], modules: (&Module, &Module), out: &mut dyn Write) -> Result<()> {
    let wanted = color::of_output();
    let (mut symbol, mut path) = (None, None);
    for difference in differences {
        if symbol != Some(&difference.symbol) {
            let name = match difference.symbol.as_str() {
                "" => "outside of symbols".to_owned(),
                name => format!("@{}", super::visible(name)),
            };
            writeln!(out, "{}", color::painted(color::HEAD, &name, wanted))?;
            (symbol, path) = (Some(&difference.symbol), None);
        }
        if path != Some(&difference.path) {
            let place = if difference.path.is_empty() { &difference.name } else { &difference.path };
            writeln!(out, "  {}", super::visible(place))?;
            path = Some(&difference.path);
        }
        writeln!(out, "    {}", what(difference))?;
        if difference.what == What::Presence {
            show_alone(difference, modules, wanted, out)?;
            continue;
        }
        for (mark, side, style) in [('-', &difference.first, color::OLD), ('+', &difference.second, color::NEW)] {
            if let Some(text) = side {
                writeln!(out, "      {}", color::painted(style, &format!("{mark} {text}"), wanted))?;
            }
        }
    }
    Ok(())
}

/// The text of an operation that is in one module alone.
fn show_alone(difference: &Difference, modules: (&Module, &Module), wanted: bool, out: &mut dyn Write) -> Result<()> {
    let Some((body, op)) = difference.alone else { return Ok(()) };
    let (module, mark, style) = match difference.second {
        None => (modules.0, '-', color::OLD),
        Some(_) => (modules.1, '+', color::NEW),
    };
    let mut text = Vec::new();
    print_operation(module.operation(body, op)?, &PrintOptions::new().generic(false), &mut text)?;
    let text = String::from_utf8_lossy(&text);
    let all = text.trim_end().lines().count();
    for line in text.trim_end().lines().take(LINES) {
        let line: String = line.chars().take(LONGEST).collect();
        writeln!(out, "      {}", color::painted(style, &format!("{mark} {}", super::visible(&line)), wanted))?;
    }
    if all > LINES {
        writeln!(out, "      {mark} ... {} more", Error::counted(all - LINES, "line"))?;
    }
    Ok(())
}

/// Of a longer line the beginning is shown.
const LONGEST: usize = 200;

fn to_json(differences: &[Difference]) -> Value {
    let each = differences.iter().map(|difference| {
        let key = match &difference.what {
            What::Attribute(name) | What::Property(name) => Some(name),
            _ => None,
        };
        json!({
            "symbol": difference.symbol,
            "path": difference.path,
            "name": difference.name,
            "what": difference.what.keyword(),
            "key": key,
            "first": difference.first,
            "second": difference.second,
        })
    });
    json!({ "equal": differences.is_empty(), "differences": each.collect::<Vec<_>>() })
}
