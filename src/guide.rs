//! What people do with this crate, a page each: a program, what happens in it, what that costs, and what can go wrong.
//!
//! | task | program |
//! | --- | --- |
//! | [Load lazily and print one function](load_lazily) | `examples/load_lazily.rs` |
//! | [Write a pattern and a pass](pattern_and_pass) | `examples/pattern_and_pass.rs` |
//! | [Bring a dialect](bring_a_dialect) | `examples/bring_a_dialect.rs`; `examples/toy` has all of it |
//! | [Work on several threads](threads) | `examples/threads.rs` |
//! | [Keep modules in a store](store) | `examples/store.rs` |
//! | [SPIR-V, both ways](spirv) | `examples/spirv.rs` |
//! | [Compile a kernel and run it](run_kernel) | `examples/compile_kernel.rs`, `examples/run_kernel` |
//!
//! The programs are in the repository: `cargo run --example load_lazily` runs one. What the crates hold, and when to use which, their own
//! pages say: [`ir`](crate::ir), [`text`](crate::text), [`rewrite`](crate::rewrite), [`bytecode`](crate::bytecode),
//! [`dialects`](crate::dialects), [`spirv`](crate::spirv), [`conversion`](crate::conversion), [`store`](crate::store).

/// A program of that name, as an example.
macro_rules! program {
    ($name:literal) => {
        concat!("\n```\n", include_str!(concat!("../examples/", $name, ".rs")), "```\n")
    };
}

/// Load lazily and print one function.
#[doc = program!("load_lazily")]
#[doc = include_str!("../docs/guide/load_lazily.md")]
pub mod load_lazily {}

/// Write a pattern and a pass.
#[doc = program!("pattern_and_pass")]
#[doc = include_str!("../docs/guide/pattern_and_pass.md")]
pub mod pattern_and_pass {}

/// Bring a dialect.
#[doc = program!("bring_a_dialect")]
#[doc = include_str!("../docs/guide/bring_a_dialect.md")]
pub mod bring_a_dialect {}

/// Work on several threads.
#[doc = program!("threads")]
#[doc = include_str!("../docs/guide/threads.md")]
pub mod threads {}

/// Keep modules in a store.
#[doc = program!("store")]
#[doc = include_str!("../docs/guide/store.md")]
pub mod store {}

/// SPIR-V, both ways.
#[doc = program!("spirv")]
#[doc = include_str!("../docs/guide/spirv.md")]
pub mod spirv {}

/// Compile a kernel and run it.
#[doc = program!("compile_kernel")]
#[doc = include_str!("../docs/guide/run_kernel.md")]
pub mod run_kernel {}
