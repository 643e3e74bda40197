//! `mlirbc symbols`

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::jobs::Jobs;
use super::{Input, Session, shown_name};
use mlirbc::bytecode::BytecodeFile;
use mlirbc::bytecode::inspect::{PartOf, walk_bytes};
use mlirbc::ir::{Attribute, BodyId, OpId, SymbolReferences, SymbolTableCollection, Visibility};
use mlirbc::{Error, Module, OpRef, Result};
use serde_json::{Value, json};

/// List the symbols of modules: what each takes, how many operations are in it, and how many name it
///
/// What a symbol has counts for those around it, too. Bytes are those of operations in bytecode: attributes, types and strings are shared.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc symbols model.mlirbc\n  mlirbc symbols model.mlirbc --sort bytes | head\n  mlirbc symbols cache/*.mlirbc --json"
)]
pub(crate) struct Symbols {
    /// Files, bytecode, text or SPIR-V binaries; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which come first
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Sort::Place)]
    sort: Sort,
    /// Print JSON, a line for each file: file, operations, bytes (of operations, or null), outside (operations and bytes outside of
    /// symbols), symbols (path, operation, visibility, depth, operations, bytes, uses)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    /// As they stand in the file
    Place,
    /// Those with the most bytes
    Bytes,
    /// Those with the most operations
    Operations,
    /// By name
    Name,
}

impl Symbols {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        Ok(self.jobs.run(&self.files, |path| {
            let module = Input::open(path)?.module(&session.context()?)?;
            let mut listed = Listed::of(&module)?;
            match self.sort {
                Sort::Place => {}
                Sort::Bytes => listed.symbols.sort_by_key(|symbol| std::cmp::Reverse(symbol.takes.bytes)),
                Sort::Operations => listed.symbols.sort_by_key(|symbol| std::cmp::Reverse(symbol.takes.operations)),
                Sort::Name => listed.symbols.sort_by(|a, b| a.path.cmp(&b.path)),
            }
            super::show(|out| self.show(path, &listed, out))
        }))
    }

    fn show(&self, path: &Path, listed: &Listed, out: &mut dyn Write) -> Result<()> {
        if self.json {
            return Ok(writeln!(out, "{}", listed.json(&shown_name(path, "<stdin>")))?);
        }
        if self.files.len() > 1 {
            writeln!(out, "{}:", super::visible(&shown_name(path, "<stdin>")))?;
        }
        for symbol in &listed.symbols {
            let bytes = if listed.has_bytes { symbol.takes.bytes.to_string() } else { "-".to_owned() };
            let (operations, uses, visibility) = (symbol.takes.operations, symbol.uses, symbol.visibility.keyword());
            let (name, operation) = (super::visible(&symbol.path), super::visible(&symbol.operation));
            writeln!(out, "{bytes:>10} {operations:>8} {uses:>6} {visibility:8} {operation:20} @{name}")?;
        }
        Ok(())
    }
}

/// What something takes.
#[derive(Clone, Copy, Default)]
struct Takes {
    operations: u64,
    bytes: u64,
}

impl Takes {
    fn json(self, has_bytes: bool) -> Value {
        json!({ "operations": self.operations, "bytes": has_bytes.then_some(self.bytes) })
    }
}

/// A symbol.
struct Symbol {
    path: String,
    operation: String,
    visibility: Visibility,
    takes: Takes,
    /// How many operations name it.
    uses: u64,
    /// The symbol around it.
    around: Option<usize>,
    depth: usize,
}

/// The symbols of a module.
struct Listed {
    symbols: Vec<Symbol>,
    /// What is in no symbol.
    outside: Takes,
    all: Takes,
    has_bytes: bool,
}

type Place = (BodyId, OpId);

impl Listed {
    fn of(module: &Module) -> Result<Self> {
        module.load_all()?;
        let mut listed =
            Listed { symbols: Vec::new(), outside: Takes::default(), all: Takes::default(), has_bytes: false };
        // Of each operation, the symbol that it is or is in.
        let mut owners: Vec<Option<usize>> = Vec::new();
        let mut symbols: HashMap<Place, usize> = HashMap::new();
        let mut open: Vec<(Place, Option<usize>)> = Vec::new();
        for op in module.walk()? {
            let parent = op.parent_op()?.map(OpRef::place);
            while open.last().is_some_and(|last| Some(last.0) != parent) {
                open.pop();
            }
            let mut owner = open.last().and_then(|last| last.1);
            if let Some(name) = super::symbol::defined(op) {
                owner = Some(listed.add(op, &name, owner));
                symbols.extend(owner.map(|owner| (op.place(), owner)));
            }
            listed.takes(owner).operations += 1;
            owners.push(owner);
            open.push((op.place(), owner));
        }
        if let Some(file) = BytecodeFile::of(module) {
            listed.has_bytes = true;
            listed.measure(file, &owners)?;
        }
        listed.count_uses(module, &symbols)?;
        listed.sum_up();
        Ok(listed)
    }

    fn takes(&mut self, owner: Option<usize>) -> &mut Takes {
        match owner.and_then(|owner| self.symbols.get_mut(owner)) {
            Some(symbol) => &mut symbol.takes,
            None => &mut self.outside,
        }
    }

    fn add(&mut self, op: OpRef<'_>, name: &str, around: Option<usize>) -> usize {
        let outer = around.and_then(|outer| self.symbols.get(outer));
        let path = outer.map_or_else(|| name.to_owned(), |outer| format!("{}::{name}", outer.path));
        let depth = outer.map_or(0, |outer| outer.depth + 1);
        let (operation, visibility) = (op.name().into_owned(), op.visibility().unwrap_or(Visibility::Public));
        self.symbols.push(Symbol { path, operation, visibility, takes: Takes::default(), uses: 0, around, depth });
        self.symbols.len() - 1
    }

    /// Adds the bytes of operations: they come in the order of a walk.
    fn measure(&mut self, file: &BytecodeFile, owners: &[Option<usize>]) -> Result<()> {
        let mut path: Vec<Option<usize>> = Vec::new();
        let mut next = owners.iter();
        walk_bytes(file, &mut |range, part| {
            let bytes = range.end - range.start;
            match part.of {
                PartOf::Operation { depth, .. } => {
                    let owner = next.next().ok_or_else(|| Error::malformed("operations that no walk meets"))?;
                    path.truncate(depth);
                    path.push(*owner);
                    self.takes(*owner).bytes += bytes;
                }
                PartOf::Regions(depth) => {
                    path.truncate(depth + 1);
                    let owner = path.last().copied().flatten();
                    self.takes(owner).bytes += bytes;
                }
                _ => {}
            }
            Ok(())
        })
    }

    /// Counts the operations that name each symbol.
    fn count_uses(&mut self, module: &Module, symbols: &HashMap<Place, usize>) -> Result<()> {
        let mut tables = SymbolTableCollection::new();
        // Most operations have what others have.
        let mut known: HashMap<(BodyId, Option<Attribute>, Option<Attribute>), BTreeSet<usize>> = HashMap::new();
        for op in module.walk()? {
            let (attributes, properties) = op.dictionaries()?;
            // What stands in one body sees the same tables.
            let key = (op.body_id(), attributes, properties);
            let named = match known.entry(key) {
                Entry::Occupied(named) => named.into_mut(),
                Entry::Vacant(place) => {
                    let mut named = BTreeSet::new();
                    for reference in SymbolReferences::new(module).of_op(op)? {
                        let found = tables.seen_from(op, reference)?;
                        named.extend(found.and_then(|found| symbols.get(&found.place())));
                    }
                    place.insert(named)
                }
            };
            for &number in named.iter() {
                if let Some(symbol) = self.symbols.get_mut(number) {
                    symbol.uses += 1;
                }
            }
        }
        Ok(())
    }

    /// Adds what each symbol has to those around it.
    fn sum_up(&mut self) {
        for number in (0..self.symbols.len()).rev() {
            let (takes, around) = (self.symbols[number].takes, self.symbols[number].around);
            let outer = match around {
                Some(outer) => &mut self.symbols[outer].takes,
                None => &mut self.all,
            };
            outer.operations += takes.operations;
            outer.bytes += takes.bytes;
        }
        self.all.operations += self.outside.operations;
        self.all.bytes += self.outside.bytes;
    }

    fn json(&self, file: &str) -> Value {
        let symbols = self.symbols.iter().map(|symbol| {
            json!({
                "path": symbol.path, "operation": symbol.operation, "visibility": symbol.visibility.keyword(),
                "depth": symbol.depth, "operations": symbol.takes.operations,
                "bytes": self.has_bytes.then_some(symbol.takes.bytes), "uses": symbol.uses,
            })
        });
        json!({
            "file": file, "operations": self.all.operations, "bytes": self.has_bytes.then_some(self.all.bytes),
            "outside": self.outside.json(self.has_bytes), "symbols": symbols.collect::<Vec<_>>(),
        })
    }
}
