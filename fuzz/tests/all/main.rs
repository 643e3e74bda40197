//! The tests of hostile input, in one program. `mutations` is one of its own, since it counts the memory of the whole process.

mod targets;
mod types;
