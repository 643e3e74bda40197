//! `mlirbc bench`

mod plot;
mod threads;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use super::{Input, Session};
use bytes::Bytes;
use mlirbc::bytecode::{self, Reader, WriteOptions, Writer};
use mlirbc::ir::{Body, BodyId};
use mlirbc::{Index, Module, ReadOptions, Result};
use serde_json::{Value, json};

/// Time opening, loading and writing a file, on one thread or several
///
/// Nothing that is timed has seen the file before, as in a process that begins; with --warm it has, as in one that loads many
/// modules.
#[derive(clap::Args)]
#[command(after_help = COLUMNS)]
pub(crate) struct Bench {
    /// Bytecode file; `-` is standard input
    file: PathBuf,
    /// How often each is timed, opening and a symbol 101 times at least; medians are printed
    #[arg(long, value_name = "COUNT", default_value_t = 5, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// Also time opening the file and loading this symbol alone; named as in `mlirbc print`
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// Use the index beside the file (see `mlirbc index`) for the symbol
    #[arg(long)]
    index: bool,
    /// Read from memory, by a reader that has loaded the file once before, and write by a writer that has written it
    #[arg(long)]
    warm: bool,
    /// Time what works on several threads instead, with each of these numbers of them, the first of which is best 1
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', conflicts_with_all = ["symbol", "index", "warm"])]
    threads: Vec<std::num::NonZeroUsize>,
    /// With --threads: also time as many processes at once, each on one thread
    #[arg(long, requires = "threads")]
    processes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the times into a picture instead: a chart of bars, as SVG; `-` is standard output
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "threads"])]
    plot: Option<PathBuf>,
}

const COLUMNS: &str = "\
What is printed, times as medians:
  bytes, ops, operands, results   the size of the file, and what there is in it
  open_us    to open the file: its header and section table, in microseconds
  symbol_us  to open the file, load one symbol and walk it, in microseconds (with --symbol)
  lazy_ms    to open it and read the operations of the outermost module, isolated ones left in the file, in milliseconds
  eager_ms   to open it and read every operation; attributes, types and locations are left until they are asked for
  full_ms    to read and decode everything, and to find the uses of every value
  write_ms   to write into memory what full_ms loaded
  rss_mib    the memory that this takes, in MiB

With --threads, a row for each number of them, and how many times as much is done in the same time as by one:
  load       to read every operation
  decode     to decode everything that they refer to
  verify     to verify the module
  passes     canonicalize,cse without verification
  write      to write the result into memory

Examples:
  mlirbc bench model.mlirbc
  mlirbc bench model.mlirbc --symbol main
  mlirbc bench kernel.mlirbc --warm --reps 200 --json
  mlirbc bench model.mlirbc --plot times.svg
  mlirbc bench model.mlirbc --threads 1,2,4,8 --processes";

/// What is said of other files.
const BYTECODE_ONLY: &str = "what is timed is bytecode (`mlirbc convert` makes it)";

/// How often at least what takes microseconds is timed.
const SHORT_REPS: u32 = 101;

/// In milliseconds.
#[derive(Default)]
struct Times {
    open: Vec<f64>,
    symbol: Vec<f64>,
    lazy: Vec<f64>,
    eager: Vec<f64>,
    full: Vec<f64>,
    write: Vec<f64>,
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// What is given back is dropped by the caller: freeing is not timed.
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

fn load_full(reader: &Reader, bytes: &Bytes) -> Result<Module> {
    let mut module = reader.read(bytes.clone())?;
    bytecode::decode_all(&module)?;
    for at in 0..module.body_count() {
        module.build_uses(BodyId::from_index(at))?;
    }
    Ok(module)
}

/// Where every repetition begins.
struct Start<'a> {
    session: &'a Session,
    bytes: Bytes,
    /// The file, where it is opened anew each time.
    path: Option<&'a Path>,
    /// The reader that has read the file before, and the writer that has written it.
    warm: Option<(Reader, Writer)>,
}

impl Start<'_> {
    fn reader(&self) -> Result<Reader> {
        match &self.warm {
            Some((reader, _)) => Ok(reader.clone()),
            None => self.session.context().map(|context| Reader::new(&context)),
        }
    }

    fn write(&self, module: &Module) -> Result<Vec<u8>> {
        let options = WriteOptions::like(module);
        match &self.warm {
            Some((_, writer)) => writer.write(module, &options),
            None => bytecode::write(module, &options),
        }
    }

    fn open(&self, reader: &Reader, options: &ReadOptions) -> Result<Module> {
        match self.path {
            Some(path) => mlirbc::open_with(reader.context(), path, options),
            None => reader.read_with(self.bytes.clone(), options),
        }
    }
}

impl Bench {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let plots: Vec<(PathBuf, &Path)> = self.plot.iter().map(|plot| (plot.clone(), &*self.file)).collect();
        if let Some(refused) = session.refuses(std::slice::from_ref(&self.file), &plots) {
            return Ok(refused);
        }
        Ok(super::for_input(&self.file, |path| {
            if !self.threads.is_empty() {
                return self.run_on_threads(session, path);
            }
            let figures = self.measure(session, path)?;
            if let Some(plot) = &self.plot {
                let svg = plot::svg(&super::shown_name(path, "<stdin>"), &figures);
                return super::write_to(plot, |out| Ok(out.write_all(svg.as_bytes())?));
            }
            super::show(|out| {
                if self.json {
                    let figures = figures.into_iter().map(|(name, figure)| (name.to_owned(), figure));
                    return Ok(writeln!(out, "{}", Value::Object(figures.collect()))?);
                }
                for (name, figure) in figures {
                    match figure.as_f64().filter(|_| figure.is_f64()) {
                        Some(figure) => writeln!(out, "{name:10} {figure:12.3}")?,
                        None => writeln!(out, "{name:10} {:>12}", figure.to_string())?,
                    }
                }
                Ok(())
            })
        }))
    }

    fn run_on_threads(&self, session: &Session, path: &Path) -> Result<()> {
        let input = Input::open(path)?;
        input.must_be_bytecode(BYTECODE_ONLY)?;
        let counts: Vec<usize> = self.threads.iter().map(|count| count.get()).collect();
        let figures = threads::measure(session, path, &input.bytes, &counts, self.reps, self.processes)?;
        super::show(|out| {
            let text = if self.json { format!("{figures}\n") } else { threads::table(&figures) };
            Ok(write!(out, "{text}")?)
        })
    }

    fn measure(&self, session: &Session, path: &Path) -> Result<Vec<(&'static str, Value)>> {
        let input = Input::open(path)?;
        input.must_be_bytecode(BYTECODE_ONLY)?;
        // What stands in a file of another kind is not opened by its path.
        let is_it = |metadata: std::fs::Metadata| metadata.is_file() && metadata.len() == input.bytes.len() as u64;
        let reopened = !self.warm && std::fs::metadata(path).is_ok_and(is_it);
        let mut start = Start {
            session,
            bytes: if self.warm { input.bytes.to_vec().into() } else { input.bytes },
            path: reopened.then_some(path),
            warm: None,
        };
        if self.warm {
            let reader = start.reader()?;
            let module = load_full(&reader, &start.bytes)?;
            let writer = Writer::new(reader.context());
            start.warm = Some((reader, writer));
            start.write(&module)?;
        }
        let index = match self.index {
            true => Some(Index::open(mlirbc::map_file(super::index_path(path))?)?),
            false => None,
        };
        let mut times = Times::default();
        self.measure_short(&start, index, &mut times)?;
        let options = ReadOptions::default();
        let (mut memory, mut operations, mut operands, mut results) = (0.0, 0, 0, 0);
        // Of one large load each is timed in a row, so that no figure has to do with how the allocator gives back what another one took;
        // what is done warm is done in turn, as a process does it that has many modules.
        let (turns, reps) = if self.warm { (self.reps, 1) } else { (1, self.reps) };
        for turn in 0..turns {
            let mut loaded = None;
            for rep in 0..reps {
                drop(loaded.take());
                // What the system says of memory is asked once: that leaves the caches of the processor to others.
                let is_first = turn == 0 && rep == 0;
                let before = if is_first { anonymous_memory() } else { 0.0 };
                let reader = start.reader()?;
                let module = timed(&mut times.full, || load_full(&reader, &start.bytes))?;
                if is_first {
                    memory = anonymous_memory() - before;
                    for body in bodies(&module) {
                        for op in body.preorder() {
                            operations += 1;
                            operands += body.operands(op).len();
                            results += body.result_count(op);
                        }
                    }
                }
                loaded = Some((reader, module));
            }
            if let Some((_, module)) = &mut loaded {
                bytecode::detach(module)?;
                for _ in 0..reps {
                    timed(&mut times.write, || start.write(module))?;
                }
            }
            drop(loaded);
            for _ in 0..reps {
                let reader = start.reader()?;
                timed(&mut times.lazy, || {
                    let module = start.open(&reader, &options)?;
                    let inside: usize = module.operations()?.filter_map(|op| op.ops().ok()).map(Iterator::count).sum();
                    Ok((module, inside))
                })?;
            }
            for _ in 0..reps {
                let reader = start.reader()?;
                timed(&mut times.eager, || {
                    let module = start.open(&reader, &options)?;
                    module.load_all()?;
                    Ok(module)
                })?;
            }
        }
        let mut figures = vec![
            ("bytes", json!(start.bytes.len())),
            ("ops", json!(operations)),
            ("operands", json!(operands)),
            ("results", json!(results)),
            ("open_us", json!(median(&mut times.open) * 1e3)),
        ];
        if self.symbol.is_some() {
            figures.push(("symbol_us", json!(median(&mut times.symbol) * 1e3)));
        }
        figures.extend([
            ("lazy_ms", json!(median(&mut times.lazy))),
            ("eager_ms", json!(median(&mut times.eager))),
            ("full_ms", json!(median(&mut times.full))),
            ("write_ms", json!(median(&mut times.write))),
            ("rss_mib", json!(memory)),
        ]);
        Ok(figures)
    }

    /// What takes microseconds: done more often, and first of all, since large loads leave the allocator with a million free
    /// pieces to sort.
    fn measure_short(&self, start: &Start, index: Option<Index>, times: &mut Times) -> Result<()> {
        let reps = self.reps.max(SHORT_REPS);
        for _ in 0..reps {
            let reader = start.reader()?;
            timed(&mut times.open, || start.open(&reader, &ReadOptions::default()))?;
        }
        let Some(symbol) = &self.symbol else { return Ok(()) };
        let options = ReadOptions::new().index(index);
        for _ in 0..reps {
            let reader = start.reader()?;
            timed(&mut times.symbol, || {
                let module = start.open(&reader, &options)?;
                let walked = super::symbol(&module, symbol)?.walk()?.count();
                Ok((module, walked))
            })?;
        }
        Ok(())
    }
}
