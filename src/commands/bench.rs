//! `mlirbc bench`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use super::Session;
use mlirbc::bytecode::WriteOptions;
use mlirbc::ir::{Body, BodyId};
use mlirbc::{Context, Error, Index, Module, ReadOptions, Result};

/// Time opening, loading and writing a file, single threaded
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Bytecode file
    file: PathBuf,
    /// How often each is timed, opening and a symbol 101 times at least; medians are printed
    #[arg(long, default_value_t = 5)]
    reps: usize,
    /// Also time opening the file and loading this symbol alone
    #[arg(long)]
    symbol: Option<String>,
    /// Use the index beside the file (see `mlirbc index`) for the symbol
    #[arg(long)]
    index: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How often at least what takes microseconds is timed.
const SHORT_REPS: usize = 101;

#[derive(Default)]
struct Times {
    open: Vec<f64>,
    symbol: Vec<f64>,
    lazy: Vec<f64>,
    eager: Vec<f64>,
    full: Vec<f64>,
    write: Vec<f64>,
    memory: f64,
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn timed<T>(times: &mut Vec<f64>, run: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let value = run()?;
    times.push(start.elapsed().as_secs_f64() * 1e3);
    Ok(value)
}

/// Anonymous memory of this process in MiB.
fn anonymous_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}

fn bodies(module: &Module) -> impl Iterator<Item = &Body> {
    (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at)))
}

fn load_full(context: &Context, bytes: &bytes::Bytes) -> Result<Module> {
    let mut module = mlirbc::bytecode::read(context, bytes.clone())?;
    mlirbc::bytecode::decode_all(&module)?;
    for at in 0..module.body_count() {
        module.body_mut(BodyId::from_index(at))?.build_uses();
    }
    Ok(module)
}

impl Bench {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let mut times = Times::default();
        let bytes = mlirbc::map_file(&self.file)?;
        let index = match self.index {
            true => Some(Index::open(mlirbc::map_file(super::index_path(&self.file))?)?),
            false => None,
        };
        let (mut operations, mut operands, mut results) = (0, 0, 0);
        // First of all, since the large loads leave the allocator with a million free pieces to sort. What takes
        // microseconds is done more often.
        let short = self.reps.max(SHORT_REPS);
        for _ in 0..short {
            let context = session.context()?;
            timed(&mut times.open, || mlirbc::open(&context, &self.file))?;
        }
        for symbol in self.symbol.iter().flat_map(|symbol| std::iter::repeat_n(symbol, short)) {
            let context = session.context()?;
            timed(&mut times.symbol, || {
                let options = ReadOptions { index: index.clone(), ..ReadOptions::default() };
                let module = mlirbc::open_with(&context, &self.file, &options)?;
                let op = module.symbol(symbol)?;
                let op = op.ok_or_else(|| Error::misuse(format!("no symbol @{symbol}")))?;
                let walked = op.walk()?.count();
                // As for the others, freeing is not timed.
                Ok((module, walked))
            })?;
        }
        for rep in 0..self.reps.max(1) {
            let before = anonymous_memory();
            let context = session.context()?;
            let mut module = timed(&mut times.full, || load_full(&context, &bytes))?;
            if rep == 0 {
                times.memory = anonymous_memory() - before;
                (operations, operands, results) = (0, 0, 0);
                for body in bodies(&module) {
                    for op in body.preorder() {
                        operations += 1;
                        operands += body.operands(op).len();
                        results += body.result_count(op);
                    }
                }
            }
            mlirbc::bytecode::detach(&mut module)?;
            let options = WriteOptions::like(&module);
            timed(&mut times.write, || mlirbc::bytecode::write(&module, &options))?;
            drop(module);

            let context = session.context()?;
            timed(&mut times.lazy, || {
                let module = mlirbc::open(&context, &self.file)?;
                let inside: usize = module.operations()?.filter_map(|op| op.inside().ok()).map(Iterator::count).sum();
                Ok((module, inside))
            })?;
            timed(&mut times.eager, || {
                let module = mlirbc::open(&context, &self.file)?;
                module.load_all()?;
                Ok(module)
            })?;
        }
        let figures = [
            ("open_us", median(&mut times.open) * 1e3),
            ("symbol_us", median(&mut times.symbol) * 1e3),
            ("lazy_ms", median(&mut times.lazy)),
            ("eager_ms", median(&mut times.eager)),
            ("full_ms", median(&mut times.full)),
            ("write_ms", median(&mut times.write)),
            ("rss_mib", times.memory),
        ];
        let counts = [("bytes", bytes.len()), ("ops", operations), ("operands", operands), ("results", results)];
        super::show(|out| {
            if self.json {
                let counts = counts.iter().map(|&(name, count)| (name.to_owned(), count.into()));
                let figures = figures.iter().map(|&(name, figure)| (name.to_owned(), figure.into()));
                writeln!(out, "{}", serde_json::Value::Object(counts.chain(figures).collect()))?;
                return Ok(());
            }
            counts.iter().try_for_each(|(name, count)| writeln!(out, "{name:10} {count:12}"))?;
            Ok(figures.iter().try_for_each(|(name, figure)| writeln!(out, "{name:10} {figure:12.3}"))?)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
