//! `print-op-stats` (`mlir/Transforms/Passes.td`).

use std::collections::BTreeMap;

use mlirbc_ir::Result;

use crate::pass::{Pass, Target};
use crate::registry::{OptionInfo, PassInfo};

/// Prints how many operations of each name there are, the operation that the pass runs on included.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOpStats {
    /// Whether it prints JSON.
    pub json: bool,
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "print-op-stats",
    about: "print how many operations of each name there are",
    options: &[OptionInfo { name: "json", about: "print JSON" }],
    make: |options| Ok(Box::new(PrintOpStats { json: options.flag("json", false)? })),
};

impl Pass for PrintOpStats {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for op in target.op()?.walk()? {
            *counts.entry(op.name().into_owned()).or_default() += 1;
        }
        let text = if self.json { json(&counts) } else { table(&counts) };
        Ok(target.output().write_all(text.as_bytes())?)
    }
}

fn json(counts: &BTreeMap<String, u64>) -> String {
    let lines: Vec<String> = counts.iter().map(|(name, count)| format!("  \"{name}\" : {count}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Dialects end, and names begin, in one column.
fn table(counts: &BTreeMap<String, u64>) -> String {
    let split =
        |name: &str| name.split_once('.').map_or((0, name.len()), |(dialect, rest)| (dialect.len(), rest.len()));
    let dialect = counts.keys().map(|name| split(name).0).max().unwrap_or_default();
    let rest = counts.keys().map(|name| split(name).1).max().unwrap_or_default();
    let mut text = "Operations encountered:\n-----------------------\n".to_owned();
    for (name, count) in counts {
        let (before, after) = name.split_once('.').unwrap_or(("", name));
        let dot = if name.contains('.') { "." } else { " " };
        text += &format!("  {before:>dialect$}{dot}{after:<rest$} , {count}\n");
    }
    text
}
