//! The metadata at the end of a file: resources.

use std::collections::HashMap;

use super::Printer;
use super::output::{push_escaped, push_hex, push_name};
use crate::attribute::Identifier;
use crate::error::Result;
use crate::module::{Module, ResourceEntry, ResourceGroup, ResourceValue};

impl Printer<'_> {
    /// Prints every resource of the module that has a value.
    pub(super) fn resources(&mut self, module: &Module) -> Result<()> {
        let groups: Vec<&ResourceGroup> = module.resources()?.iter().collect();
        self.groups(&groups, |_, _| true)
    }

    /// Prints the resources that have been referred to.
    pub(super) fn used_resources(&mut self, module: &Module) -> Result<()> {
        if self.names.resources().is_empty() {
            return Ok(());
        }
        let groups: Vec<&ResourceGroup> = module.resources()?.iter().filter(|group| group.dialect).collect();
        self.groups(&groups, |printer, entry| {
            entry.handle.is_some_and(|handle| printer.names.resources().iter().any(|(used, _)| *used == handle))
        })
    }

    fn groups(&mut self, groups: &[&ResourceGroup], wanted: impl Fn(&Self, &ResourceEntry) -> bool) -> Result<()> {
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
                for (group, entry) in
                    same.iter().flat_map(|group| group.entries.iter().map(move |entry| (group, entry)))
                {
                    if matches!(entry.value, ResourceValue::Declared(_)) || !wanted(self, entry) {
                        continue;
                    }
                    if entries == 0 {
                        let opening = match (shown, sections) {
                            (0, 0) => format!("\n{{-#\n  {title}: {{\n    "),
                            (0, _) => format!(",\n  {title}: {{\n    "),
                            _ => ",\n    ".to_owned(),
                        };
                        self.out.buffer.extend_from_slice(opening.as_bytes());
                        push_name(&mut self.out.buffer, self.context.bytes(group.owner));
                        self.out.buffer.extend_from_slice(b": {");
                        (shown, sections) = (shown + 1, sections + usize::from(shown == 0));
                    }
                    self.out.buffer.extend_from_slice(if entries == 0 { b"\n      " } else { b",\n      " });
                    entries += 1;
                    self.resource(entry)?;
                }
                if entries > 0 {
                    self.out.buffer.extend_from_slice(b"\n    }");
                }
            }
            if shown > 0 {
                self.out.buffer.extend_from_slice(b"\n  }");
            }
        }
        if sections > 0 {
            self.out.buffer.extend_from_slice(b"\n#-}\n");
        }
        Ok(())
    }

    fn resource(&mut self, entry: &ResourceEntry) -> Result<()> {
        match entry.handle {
            Some(handle) => push_name(&mut self.out.buffer, self.names.resource(self.context, handle)),
            None => push_name(&mut self.out.buffer, &entry.key),
        }
        self.out.buffer.extend_from_slice(b": ");
        match &entry.value {
            ResourceValue::Declared(_) => {}
            ResourceValue::Bool(value) => self.out.buffer.extend_from_slice(if *value { b"true" } else { b"false" }),
            ResourceValue::String(value) => push_escaped(&mut self.out.buffer, value),
            ResourceValue::Blob { alignment, data } => {
                // The alignment goes before the data, in four bytes.
                let alignment = u32::try_from(*alignment).unwrap_or(1).to_le_bytes();
                self.out.buffer.extend_from_slice(b"\"0x");
                alignment.iter().for_each(|&byte| push_hex(&mut self.out.buffer, byte));
                for chunk in data.bytes()?.chunks(1 << 14) {
                    chunk.iter().for_each(|&byte| push_hex(&mut self.out.buffer, byte));
                    self.out.spill()?;
                }
                self.out.buffer.push(b'"');
            }
        }
        self.out.spill()
    }
}
