//! Short texts of what differs.

use std::io::{self, Write};

use crate::attribute::Attribute;
use crate::body::ValueOwner;
use crate::context::Context;
use crate::error::Error;
use crate::module::OpRef;
use crate::module::ResourceValue;
use crate::text::{Elision, Printer};
use crate::types::Type;

/// The most bytes that are shown of one thing.
const MOST: usize = 200;

/// Takes as much as is shown, and then no more.
struct Short(Vec<u8>);

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() > MOST {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn short(context: &Context, print: impl FnOnce(&mut Printer<'_>) -> crate::Result<()>) -> String {
    let mut sink = Short(Vec::new());
    let mut printer = Printer::new(context, &mut sink);
    // What stops it is the sink: what stands there is shown.
    let printed = print(&mut printer);
    let printed = printed.and_then(|()| printer.finish().map(drop));
    let text = String::from_utf8_lossy(&sink.0);
    if printed.is_ok() && text.len() <= MOST {
        return text.into_owned();
    }
    let end = (0..=MOST.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}...", &text[..end])
}

pub(super) fn attribute(context: &Context, attribute: Attribute) -> String {
    short(context, |printer| printer.attribute(attribute, Elision::Never))
}

pub(super) fn types(context: &Context, types: &[Type]) -> String {
    short(context, |printer| {
        printer.text(b"(")?;
        for (at, &ty) in types.iter().enumerate() {
            if at > 0 {
                printer.text(b", ")?;
            }
            printer.ty(ty)?;
        }
        printer.text(b")")
    })
}

/// Each operand by what defines it.
pub(super) fn operands(op: OpRef<'_>) -> String {
    let body = op.body();
    let shown = op.operands().iter().map(|&value| match body.owner(value) {
        Some(ValueOwner::Result(defining, 0)) if body.result_count(defining) == 1 => {
            format!("result of {}", op.at(defining).name())
        }
        Some(ValueOwner::Result(defining, number)) => format!("result {number} of {}", op.at(defining).name()),
        Some(ValueOwner::Argument(block, number)) => format!("argument {number} of ^{}", block_number(op, block)),
        None => "nothing".into(),
    });
    list(shown)
}

pub(super) fn blocks(op: OpRef<'_>) -> String {
    let shown = op.body().successors(op.id()).iter().map(|&block| format!("^{}", block_number(op, block)));
    list(shown)
}

fn block_number(op: OpRef<'_>, block: crate::body::BlockId) -> usize {
    let body = op.body();
    let blocks = body.region_of(block).map(|region| body.blocks(region));
    blocks.and_then(|mut blocks| blocks.position(|other| other == block)).unwrap_or(0)
}

fn list(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = if items.len() > 16 { format!(", ... {} in all", items.len()) } else { String::new() };
    let items: Vec<String> = items.take(16).collect();
    format!("({}{more})", items.join(", "))
}

pub(super) fn resource(value: &ResourceValue) -> String {
    match value {
        ResourceValue::Declared(_) => "a declaration".into(),
        ResourceValue::Blob { alignment, data } => {
            format!("{}, aligned to {alignment}", Error::counted(data.len(), "byte"))
        }
        ResourceValue::Bool(value) => value.to_string(),
        ResourceValue::String(value) => format!("{:?}", String::from_utf8_lossy(value)),
    }
}
