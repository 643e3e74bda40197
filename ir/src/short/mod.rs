//! Short forms of what programs do most, made of all the rest: nothing here is known elsewhere.
//!
//! | file | what is there |
//! | --- | --- |
//! | `attributes.rs` | makers of attributes and locations, on the context |
//! | `types.rs` | makers of types |
//! | `values.rs` | attributes of an operation as values of Rust, and what is asked of operations most |
//! | `changes.rs` | changes of a module in one call |
//! | `blobs.rs` | blobs as numbers |

mod attributes;
mod blobs;
mod changes;
mod types;
mod values;

pub use attributes::Number;
