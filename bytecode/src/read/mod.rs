//! Reading bytecode.

mod checkpoints;
mod cursor;
mod dialects;
mod entries;
mod file;
mod full;
mod ir;
mod locations;
mod properties;
mod property_values;
mod resources;
mod sections;
mod slots;
mod source;
mod strings;
mod use_lists;

pub(crate) use cursor::Cursor;
pub use file::BytecodeFile;
pub use full::{decode_all, detach};
pub use sections::{NEWEST_VERSION, SectionId};
pub use source::{ReadOptions, read, read_with};
