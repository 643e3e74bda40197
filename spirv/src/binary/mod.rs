//! SPIR-V binaries, read into operations of `spirv_binary` and written back to the same bytes.

use mlirbc_ir::{Body, BodyId, Module, OpId, Result};

pub mod dialect;
mod ids;
pub(crate) mod instructions;
pub(crate) mod operands;
pub(crate) mod place;
mod read;
pub(crate) mod words;
pub(crate) mod write;

use crate::grammar::Instruction;
use crate::op;
use place::find;
pub use place::has_module;
pub use read::read;
pub use words::{Header, MAGIC};
pub use write::{write, write_words};

/// The same module with operations that count as registered, so that they are written in the dialect's own encodings.
///
/// A file of another tool marks the operations of dialects that it did not know as unregistered. A module that is no
/// SPIR-V, or whose operations are registered, comes back as it is.
///
/// # Errors
/// As [`write()`] and [`read()`].
pub fn registered(module: Module) -> Result<Module> {
    if !has_module(&module)? || find(&module)?.0.definition().is_some() {
        return Ok(module);
    }
    read(module.context(), write(&module)?)
}

/// Takes away the lines of a module in the binary form: every `OpLine` and `OpNoLine`. The strings that they named stay.
///
/// To take away the locations of a module in the dialect form, see [`Module::strip_locations`].
///
/// # Errors
/// Where a body of the module cannot be read.
pub fn strip_lines(module: &mut Module) -> Result<()> {
    if !has_module(module)? {
        return Ok(());
    }
    module.load_all()?;
    let context = module.context().clone();
    let is_line = |body: &Body, op: OpId| {
        let instruction = Instruction::of_operation(context.operation_text(body.name(op)));
        instruction.is_some_and(|known| matches!(known.opcode, op::LINE | op::NO_LINE))
    };
    let lines = |(id, body): (BodyId, &Body)| {
        let lines: Vec<OpId> = body.preorder().filter(|&op| is_line(body, op)).collect();
        (!lines.is_empty()).then_some((id, lines))
    };
    let found: Vec<_> = module.bodies().filter_map(lines).collect();
    for (id, lines) in found {
        module.rewrite(id, |rw| lines.into_iter().try_for_each(|op| rw.erase(op)))?;
    }
    Ok(())
}

/// Whether these are the first bytes of a SPIR-V module.
pub fn is_spirv(bytes: &[u8]) -> bool {
    let magic = MAGIC.to_le_bytes();
    let first = bytes.get(..4);
    first == Some(&magic) || first.is_some_and(|first| first.iter().eq(magic.iter().rev()))
}
