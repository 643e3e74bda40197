//! How much differs, by symbol.

use std::collections::HashMap;
use std::io::Write;

use mlirbc::ir::{Difference, What};
use mlirbc::spirv::Side;
use mlirbc::{Error, Result};
use serde_json::{Value, json};

use super::super::{color, visible};

/// What differs in one symbol, in operations; of a SPIR-V binary, in lines of one of its parts.
#[derive(Default)]
pub(super) struct Row {
    name: String,
    changed: usize,
    added: usize,
    removed: usize,
}

/// What differs in each symbol: as they come, which is by symbol.
pub(super) fn of_operations(differences: &[Difference]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut changed: Option<&str> = None;
    for difference in differences {
        let number = *numbers.entry(&difference.symbol).or_insert_with(|| {
            changed = None;
            rows.push(Row { name: difference.symbol.clone(), ..Row::default() });
            rows.len() - 1
        });
        let row = &mut rows[number];
        match (&difference.what, &difference.second) {
            (What::Presence, None) => row.removed += 1,
            (What::Presence, Some(_)) => row.added += 1,
            // An operation may differ in several ways.
            _ if changed == Some(&difference.path) => {}
            _ => {
                row.changed += 1;
                changed = Some(&difference.path);
            }
        }
    }
    rows
}

/// What differs in each part of a SPIR-V binary.
pub(super) fn of_spirv(differences: &[mlirbc::spirv::Difference]) -> Vec<Row> {
    let row = |difference: &mlirbc::spirv::Difference| {
        let count = |side| difference.lines.iter().filter(|line| line.0 == side).count();
        let name = format!("{} {}", difference.part.name(), difference.name);
        Row { name: name.trim_end().to_owned(), changed: 0, added: count(Side::Second), removed: count(Side::First) }
    };
    differences.iter().map(row).collect()
}

/// Writes them as a table, or as JSON.
pub(super) fn show(rows: &[Row], json: bool, out: &mut dyn Write) -> Result<()> {
    if json {
        let symbols = rows.iter().map(
            |row| json!({ "symbol": row.name, "changed": row.changed, "added": row.added, "removed": row.removed }),
        );
        let all = json!({ "equal": rows.is_empty(), "symbols": symbols.collect::<Vec<Value>>() });
        return Ok(writeln!(out, "{all:#}")?);
    }
    let wanted = color::of_output();
    let name = |row: &Row| match row.name.as_str() {
        "" => "outside of symbols".to_owned(),
        name if name.contains(' ') => visible(name).into_owned(),
        name => format!("@{}", visible(name)),
    };
    let width = rows.iter().map(|row| name(row).chars().count()).max().unwrap_or_default().min(60);
    let mut all = [0; 3];
    for row in rows {
        let counts = [row.changed, row.added, row.removed];
        (0..3).for_each(|at| all[at] += counts[at]);
        writeln!(out, " {:width$} | {}", name(row), counted(counts, wanted))?;
    }
    if !rows.is_empty() {
        writeln!(out, " {} differ: {}", Error::counted(rows.len(), "symbol"), counted(all, wanted))?;
    }
    Ok(())
}

fn counted(counts: [usize; 3], wanted: bool) -> String {
    let words = [("changed", color::HEAD), ("added", color::NEW), ("removed", color::OLD)];
    let parts = counts.iter().zip(words).filter(|(count, _)| **count > 0);
    let parts = parts.map(|(count, (word, style))| color::painted(style, &format!("{count} {word}"), wanted));
    parts.collect::<Vec<_>>().join(", ")
}
