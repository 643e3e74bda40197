//! The metadata at the end of a file: resources.

use std::collections::HashMap;

use mlirbc_ir::text::{Printer, push_escaped, push_hex, push_name};
use mlirbc_ir::{Identifier, Module, ResourceEntry, ResourceGroup, ResourceValue, Result};

/// Prints every resource of the module that has a value.
pub(super) fn all(printer: &mut Printer<'_>, module: &Module) -> Result<()> {
    let groups: Vec<&ResourceGroup> = module.resources()?.iter().collect();
    print_groups(printer, &groups, |_, _| true)
}

/// Prints the resources that have been referred to.
pub(super) fn used(printer: &mut Printer<'_>, module: &Module) -> Result<()> {
    if printer.names().resources().is_empty() {
        return Ok(());
    }
    let groups: Vec<&ResourceGroup> = module.resources()?.iter().filter(|group| group.dialect).collect();
    print_groups(printer, &groups, |printer, entry| {
        entry.handle.is_some_and(|handle| printer.names().resources().iter().any(|(used, _)| *used == handle))
    })
}

fn print_groups(
    printer: &mut Printer<'_>,
    groups: &[&ResourceGroup],
    wanted: impl Fn(&Printer<'_>, &ResourceEntry) -> bool,
) -> Result<()> {
    let mut sections = 0;
    for (dialect, title) in [(true, "dialect_resources"), (false, "external_resources")] {
        let mut shown = 0;
        // In text a group that comes again goes on.
        let mut places: HashMap<Identifier, usize> = HashMap::new();
        let mut merged: Vec<Vec<&ResourceGroup>> = Vec::new();
        for &group in groups.iter().filter(|group| group.dialect == dialect) {
            let at = *places.entry(group.owner).or_insert(merged.len());
            match merged.get_mut(at) {
                Some(same) => same.push(group),
                None => merged.push(vec![group]),
            }
        }
        for same in &merged {
            let mut entries = 0;
            for (group, entry) in same.iter().flat_map(|group| group.entries.iter().map(move |entry| (group, entry))) {
                if matches!(entry.value, ResourceValue::Declared(_)) || !wanted(printer, entry) {
                    continue;
                }
                if entries == 0 {
                    let opening = match (shown, sections) {
                        (0, 0) => format!("\n{{-#\n  {title}: {{\n    "),
                        (0, _) => format!(",\n  {title}: {{\n    "),
                        _ => ",\n    ".to_owned(),
                    };
                    printer.buffer().extend_from_slice(opening.as_bytes());
                    let context = printer.context();
                    push_name(printer.buffer(), context.bytes(group.owner));
                    printer.buffer().extend_from_slice(b": {");
                    (shown, sections) = (shown + 1, sections + usize::from(shown == 0));
                }
                printer.buffer().extend_from_slice(if entries == 0 { b"\n      " } else { b",\n      " });
                entries += 1;
                resource(printer, entry)?;
            }
            if entries > 0 {
                printer.buffer().extend_from_slice(b"\n    }");
            }
        }
        if shown > 0 {
            printer.buffer().extend_from_slice(b"\n  }");
        }
    }
    if sections > 0 {
        printer.buffer().extend_from_slice(b"\n#-}\n");
    }
    Ok(())
}

fn resource(printer: &mut Printer<'_>, entry: &ResourceEntry) -> Result<()> {
    match entry.handle {
        Some(handle) => printer.resource_name(handle),
        None => push_name(printer.buffer(), &entry.key),
    }
    printer.buffer().extend_from_slice(b": ");
    match &entry.value {
        ResourceValue::Declared(_) => {}
        ResourceValue::Bool(value) => printer.buffer().extend_from_slice(if *value { b"true" } else { b"false" }),
        ResourceValue::String(value) => push_escaped(printer.buffer(), value),
        ResourceValue::Blob { alignment, data } => {
            // The alignment goes before the data, in four bytes.
            let alignment = u32::try_from(*alignment).unwrap_or(1).to_le_bytes();
            printer.buffer().extend_from_slice(b"\"0x");
            alignment.iter().for_each(|&byte| push_hex(printer.buffer(), byte));
            for chunk in data.bytes()?.chunks(1 << 14) {
                chunk.iter().for_each(|&byte| push_hex(printer.buffer(), byte));
                printer.spill()?;
            }
            printer.buffer().push(b'"');
        }
    }
    printer.spill()
}
