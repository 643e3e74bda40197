//! Passes over MLIR modules: pipelines in MLIR's syntax, and what runs them.
//!
//! A [`Pass`] works on operations of one name, a [`Pipeline`] says which passes run on which operations, and a [`Registry`] knows
//! passes by name. [`passes::registry`] has those that come with this crate.
//!
//! ```
//! use mlirbc_ir::{Context, Result};
//! use mlirbc_rewrite::{Pass, Pipeline, RunOptions, Target};
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! struct Count;
//!
//! impl Pass for Count {
//!     fn name(&self) -> &str {
//!         "count"
//!     }
//!
//!     fn run(&self, target: &mut Target<'_>) -> Result<()> {
//!         let count = target.op()?.walk()?.count();
//!         target.count("operations", count as u64);
//!         Ok(())
//!     }
//! }
//!
//! let text = b"module { \"toy.one\"() : () -> () }";
//! let mut module = parse_module(&Context::new(), text, &ParseOptions::new())?;
//! let report = Pipeline::new().pass(Count).run(&mut module)?;
//! assert_eq!(report.counts[0].1[0].value, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Pattern`] rewrites one operation; [`Greedy`] is the pass that applies patterns and folds until nothing changes:
//!
//! ```
//! use mlirbc_ir::{Context, Rewriter};
//! use mlirbc_rewrite::{Greedy, Outcome, Pattern, Patterns, Pipeline, handles};
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! handles! {
//!     /// What is done twice.
//!     "toy.twice" Twice(on);
//! }
//!
//! struct TwiceIsNothing;
//!
//! impl Pattern for TwiceIsNothing {
//!     type Root = Twice;
//!
//!     fn rewrite(&self, op: Twice, rw: &mut Rewriter<'_>) -> Outcome {
//!         Ok(rw.replace(op, [op.on(rw)])?)
//!     }
//! }
//!
//! let text = br#"module {
//!   %0 = "toy.make"() : () -> i32
//!   %1 = "toy.twice"(%0) : (i32) -> i32
//!   "toy.use"(%1) : (i32) -> ()
//! }"#;
//! let mut module = parse_module(&Context::new(), text, &ParseOptions::new())?;
//! Pipeline::new().pass(Greedy::new(Patterns::new().add(TwiceIsNothing))).run(&mut module)?;
//! assert_eq!(module.operations()?.next().ok_or("a module")?.walk()?.count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | write a pass | [`Pass`], [`FnPass`]; [`LocalPass`] and [`LookingPass`] for those that work on several functions at once |
//! | run passes | [`Pipeline`], [`RunOptions`]; [`Registry`] and [`Options`] for those that are named in text |
//! | write a pattern | [`Pattern`], [`Match`], [`handles!`]; [`Greedy`] applies it |
//! | fold | [`fold`]; [`DialectRewrite`] gives folds and patterns to a dialect |
//! | change types, and have operations gone in the end | [`conversion`] |
//! | look on | [`Instrument`], [`PrintIr`], [`Report`] |
//! | change all functions, without a pass | [`bodies`] |
//! | inline | [`DialectInliner`], and the pass in [`passes`] |
//!
//! # When not to use it
//!
//! To look at a module, or to change one thing in it, no pipeline is needed: `mlirbc-ir` does both.

#![forbid(unsafe_code)]

pub mod bodies;
mod classes;
pub mod conversion;
mod dialect;
mod extract;
pub mod fold;
pub mod greedy;
mod handle;
mod inlining;
mod instrument;
mod known;
pub mod operands;
mod outcome;
mod pass;
pub mod passes;
mod pattern;
mod patterns;
pub mod pipeline;
mod region_branch;
pub mod regions;
mod registry;
mod root;

pub use dialect::{DialectRewrite, KeepBlocksFn, KeptBlocks, MaterializeFn, is_poison};
pub use extract::extract_symbols;
pub use fold::{Fold, FoldFn, FoldResult, Folded};
pub use greedy::{Greedy, Ran};
pub use handle::Handle;
pub use inlining::{DialectInliner, InlineEverywhere, InlineOperations};
pub use instrument::{Instrument, PassRun, PipelineRun, PrintIr};
#[doc(hidden)]
pub use mlirbc_ir as ir;
pub use outcome::{NoMatch, Outcome};
pub use pass::{Count, Counts, FnPass, LocalPass, LocalRun, LookingPass, Pass, Target};
pub use pattern::{AnyPattern, Match, Pattern, RewriteFn};
pub use patterns::Patterns;
pub use pipeline::{Pipeline, PipelineError, Report, RunOptions, Timing};
pub use region_branch::{erase_results, region_branch_patterns};
pub use registry::{MakePass, OptionInfo, Options, PassInfo, Registry};
pub use root::{Root, Roots, With};
