//! Finding the symbol that was asked for, and saying which there are where it is not.

use std::borrow::Cow;
use std::collections::VecDeque;

use mlirbc::ir::ods::Traits;
use mlirbc::ir::{symbol_path, symbol_text};
use mlirbc::{Error, Module, OpRef, Result};

/// So many names are told at most.
const MOST: usize = 8;

/// Names longer than this are not compared: no one mistypes them.
const LONGEST: usize = 256;

/// The operation that defines the symbol; an error that tells the nearest ones where there is none.
pub(crate) fn symbol<'m>(module: &'m Module, path: &str) -> Result<OpRef<'m>> {
    if let Some(found) = module.symbol(path)? {
        return Ok(found);
    }
    match in_nameless(module, &symbol_path(path))? {
        Some(found) => Ok(found),
        None => Err(missing(module, path)?),
    }
}

/// The symbol where tables that have no name, as those of shaders, are looked through. The first on the way counts.
fn in_nameless<'m>(module: &'m Module, names: &[Cow<'_, [u8]>]) -> Result<Option<OpRef<'m>>> {
    // Tables, each with the names that are left.
    let mut tables: VecDeque<(OpRef<'m>, &[Cow<'_, [u8]>])> = VecDeque::new();
    for table in module.operations()? {
        tables.push_back((table, names));
        // The path may begin with its name.
        if let (Some(name), Some((first, rest))) = (defined_bytes(table), names.split_first())
            && name == &**first
        {
            tables.push_back((table, rest));
        }
    }
    while let Some((table, names)) = tables.pop_front() {
        let Some((first, rest)) = names.split_first() else { continue };
        for op in table.ops()? {
            match defined_bytes(op) {
                Some(name) if name == &**first && rest.is_empty() => return Ok(Some(op)),
                Some(name) if name == &**first => tables.push_back((op, rest)),
                None if op.has_trait(Traits::SYMBOL_TABLE) => tables.push_back((op, names)),
                _ => {}
            }
        }
    }
    Ok(None)
}

fn defined_bytes<'m>(op: OpRef<'m>) -> Option<&'m [u8]> {
    op.symbol_name().ok().flatten().map(|name| op.module().context().bytes(name))
}

/// The name of the symbol that an operation defines, as text has it. What is opaque has none that could be shown.
pub(crate) fn defined(op: OpRef<'_>) -> Option<String> {
    let context = op.module().context();
    match op.symbol_name() {
        Ok(Some(name)) => Some(symbol_text(context.bytes(name))),
        // A dialect may have strings of its own.
        _ => {
            let shown = context.show(op.attribute("sym_name").ok()??).to_string();
            Some(shown.split_once('"')?.1.rsplit_once('"')?.0.to_owned())
        }
    }
}

fn missing(module: &Module, path: &str) -> Result<Error> {
    let names = symbol_path(path);
    let sign = |name: &[u8]| format!("@{}", symbol_text(name));
    // The longest beginning of the path that is there, and the name behind it that is not.
    let known = (1..names.len()).rev().find_map(|count| match module.nested_symbol(&names[..count]) {
        Ok(found) => found.map(|op| Ok((op, count))),
        Err(error) => Some(Err(error)),
    });
    let (there, wanted, place) = match known.transpose()? {
        Some((op, count)) => {
            let place: Vec<String> = names[..count].iter().map(|name| sign(name)).collect();
            (inside(op)?, &names[count], format!(" in {}", place.join("::")))
        }
        None => {
            let mut all = Vec::new();
            for op in module.operations()? {
                let own = op.symbol_name().ok().flatten();
                all.extend(own.map(|name| module.context().bytes(name).to_vec()));
                all.extend(inside(op)?);
            }
            (all, &names[0], String::new())
        }
    };
    let mut near: Vec<(usize, &Vec<u8>)> =
        there.iter().filter_map(|name| Some((distance(wanted, name)?, name))).collect();
    near.sort();
    near.dedup();
    let list = |names: &[String], last: &str| match names {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., end] => format!("{}{last}{end}", before.join(", ")),
    };
    let tell = match (near.as_slice(), there.as_slice()) {
        ([], []) => "there are no symbols".to_owned(),
        ([], there) => {
            let mut told: Vec<String> = there.iter().take(MOST).map(|name| sign(name)).collect();
            if there.len() > MOST {
                told.push(format!("{} more", there.len() - MOST));
            }
            format!("there {} {}", if there.len() == 1 { "is" } else { "are" }, list(&told, " and "))
        }
        (near, _) => {
            let told: Vec<String> = near.iter().take(3).map(|(_, name)| sign(name)).collect();
            format!("did you mean {}?", list(&told, " or "))
        }
    };
    Ok(Error::misuse(format!("no symbol {}{place}: {tell}", sign(wanted))))
}

/// The names of the symbols directly in an operation, those that can be decoded.
fn inside(op: OpRef<'_>) -> Result<Vec<Vec<u8>>> {
    let name = |op: OpRef<'_>| Some(op.module().context().bytes(op.symbol_name().ok()??).to_vec());
    Ok(op.ops()?.filter_map(name).collect())
}

/// How many letters have to be put in, left out or changed between two names that are near; `None` where they are not.
fn distance(a: &[u8], b: &[u8]) -> Option<usize> {
    let most = (a.len().max(b.len()) / 3).max(1);
    if a.len().abs_diff(b.len()) > most || a.len().max(b.len()) > LONGEST {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let changed = before + usize::from(!x.eq_ignore_ascii_case(&y));
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    // Two that have no letter in common are not near, however short they are.
    row.last().copied().filter(|&distance| distance <= most && distance < a.len().max(b.len()))
}
