//! The tests of what needs several crates, in one program: linking each alone would take longer than running it.

mod bodies;
mod bytecode;
mod circles;
mod copying;
mod definitions;
mod determinism;
mod dominance;
mod dominance_mutants;
mod editing;
mod enumerations;
mod formats;
mod generated;
mod ir;
mod layouts;
mod literals;
mod llvm_types;
mod llvm_values;
mod numbers;
mod ods;
mod releases;
mod rewriter;
mod text_calls;
mod threads;
mod unit_tests;
mod unknown;
mod use_orders;
