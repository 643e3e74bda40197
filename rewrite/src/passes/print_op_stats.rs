//! `print-op-stats` (`mlir/Transforms/Passes.td`).

use std::collections::BTreeMap;
use std::io::Write;

use mlirbc_ir::{OpRef, Result};

use crate::pass::{Counts, LookingPass, Pass};
use crate::registry::{MakePass, OptionInfo, PassInfo};

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
    make: MakePass::With(|options| Ok(Box::new(PrintOpStats { json: options.flag("json", false)? }))),
};

impl Pass for PrintOpStats {
    fn name(&self) -> &str {
        INFO.name
    }

    fn looks_inside_only(&self) -> bool {
        true
    }

    fn looking(&self) -> Option<&dyn LookingPass> {
        Some(self)
    }
}

impl LookingPass for PrintOpStats {
    fn look(&self, op: OpRef<'_>, output: &mut dyn Write, _: &mut Counts) -> Result<()> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for op in op.walk()? {
            *counts.entry(op.name().into_owned()).or_default() += 1;
        }
        let text = if self.json { json(&counts) } else { table(&counts) };
        Ok(output.write_all(text.as_bytes())?)
    }
}

fn json(counts: &BTreeMap<String, u64>) -> String {
    let lines: Vec<String> = counts.iter().map(|(name, count)| format!("  \"{name}\" : {count}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Longer parts of names stand out of their columns, or each line would be as long as the longest.
const WIDEST: usize = 256;

/// Dialects end, and names begin, in one column.
fn table(counts: &BTreeMap<String, u64>) -> String {
    let split =
        |name: &str| name.split_once('.').map_or((0, name.len()), |(dialect, rest)| (dialect.len(), rest.len()));
    let widest =
        |lengths: &mut dyn Iterator<Item = usize>| lengths.filter(|&length| length <= WIDEST).max().unwrap_or_default();
    let dialect = widest(&mut counts.keys().map(|name| split(name).0));
    let rest = widest(&mut counts.keys().map(|name| split(name).1));
    let mut text = "Operations encountered:\n-----------------------\n".to_owned();
    for (name, count) in counts {
        let (before, after) = name.split_once('.').unwrap_or(("", name));
        let dot = if name.contains('.') { "." } else { " " };
        // No widths of a format, which end at 2^16: names of operations may be longer.
        let [left, right] = [(dialect, split(name).0), (rest, split(name).1)]
            .map(|(column, length)| " ".repeat(column.saturating_sub(length)));
        text += &format!("  {left}{before}{dot}{after}{right} , {count}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_stand_in_columns() {
        let long = format!("a.{}", "b".repeat(70_000));
        let counts = BTreeMap::from([(long, 1), ("toy.c".to_owned(), 2), ("plain".to_owned(), 3)]);
        let text = table(&counts);
        let places: Vec<Option<usize>> = text.lines().skip(2).map(|line| line.find(" ,")).collect();
        assert!(places.len() == 3 && places[1] == places[2] && text.len() < 71_000, "{places:?}");
    }
}
