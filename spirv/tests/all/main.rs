//! The tests of `mlirbc-spirv`, in one program: linking each alone would take longer than running it.

mod assembly;
mod corpus;
mod dialect_bytecode;
mod dialect_corpus;
mod dialect_random;
mod dialect_text;
mod dialect_verify;
mod edits;
mod every_opcode;
mod files;
mod forms;
mod lines;
mod raise;
mod target;
mod tools;
mod view;
