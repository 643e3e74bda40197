//! Interfaces: what operations of many dialects answer in one way.
//!
//! An interface is a trait of Rust. A dialect says which of its operations implement it, and how, with
//! [`Dialect::interface`]; code that works on operations asks one for the interface by its type, with
//! [`OpRef::interface`]. The traits in this module are those that come with the IR. Where a definition tells the answer
//! (`HasOnlyGraphRegion`, the groups of operands of a branch), no implementation is needed: [`is_graph_region`] and
//! [`successor_operands`] ask first for the interface, then the definition. That an operation is a terminator, a symbol or
//! a symbol table are [traits](crate::ods::Traits) of its definition.
//!
//! ```
//! use std::sync::Arc;
//! use mlirbc_ir::{BodyBuilder, Context, Dialect, Module, OpHead, OpRef};
//!
//! /// What a user's passes ask of operations.
//! trait Cost: Send + Sync {
//!     fn cycles(&self, op: OpRef<'_>) -> u64;
//! }
//!
//! struct PerOperand(u64);
//!
//! impl Cost for PerOperand {
//!     fn cycles(&self, op: OpRef<'_>) -> u64 {
//!         self.0 + op.operands().len() as u64
//!     }
//! }
//!
//! let context = Context::new();
//! context.register(Dialect::new("toy").interface::<dyn Cost>("add", Arc::new(PerOperand(3))))?;
//!
//! let mut body = BodyBuilder::new(1);
//! let block = body.push_block(body.top_regions()[0]);
//! for name in ["toy.add", "toy.sub"] {
//!     let head = OpHead::new(context.operation_name(name, true), context.unknown_location().into());
//!     let start = body.operand_start();
//!     body.append_simple(block, head, start, None);
//! }
//! let module = Module::from_bodies(&context, None, vec![(body.finish(), None)]);
//! let cycles = |op: OpRef<'_>| op.interface::<dyn Cost>().map(|cost| cost.cycles(op));
//! assert_eq!(module.operations()?.map(cycles).collect::<Vec<_>>(), [Some(3), None]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: MLIR's `Interfaces.md`, `mlir/Interfaces/*.td`, `mlir/IR/RegionKindInterface.td`.

mod branch;
mod calls;
mod constants;
mod effects;
mod loops;
pub(crate) mod region_branch;
mod regions;
mod speculation;

use std::any::{Any, TypeId};
use std::sync::Arc;

use hashbrown::HashMap;

pub use branch::{Branch, NamedGroups, OperandGroup, SuccessorOperands, all_successor_operands, successor_operands};
pub use calls::{Call, Callable, Callee, IndirectCall, NamedCall, callable_region, is_callable};
pub use constants::{Constant, Mixed, constant_integer, constant_value};
pub use effects::{
    DeadOperations, Effect, MemoryEffect, MemoryEffects, NoEffects, all_memory_effects, has_own_effects,
    is_memory_effect_free, is_trivially_dead, memory_effects, would_be_trivially_dead,
};
pub use loops::{Loop, LoopBound, LoopRegions};
pub use region_branch::{RegionBranch, RegionEdge, RegionSuccessor, RegionTerminator, region_edges};
pub use regions::{RegionKind, is_graph_region};
pub use speculation::{Speculatable, Speculation, is_pure, is_speculatable};

use crate::context::{Answered, CachedFact, Context, OperationName};
use crate::dialect::Dialect;
use crate::module::OpRef;

/// The implementations that a dialect brings: by trait, then by operation, an `Arc` of the trait's object.
#[derive(Clone, Default)]
pub(crate) struct Interfaces(HashMap<TypeId, HashMap<Box<str>, Arc<dyn Any + Send + Sync>>>);

impl Dialect {
    /// Says how an operation of that name (without the dialect's) implements an interface. Of two implementations of one
    /// interface the later counts.
    #[must_use]
    pub fn interface<I: ?Sized + Any + Send + Sync>(self, operation: &str, implementation: Arc<I>) -> Self {
        self.amend(|interfaces: &mut Interfaces| {
            let operations = interfaces.0.entry(TypeId::of::<I>()).or_default();
            operations.insert(operation.into(), Arc::new(implementation));
        })
    }

    /// How the operation of that name (without the dialect's) implements an interface.
    pub(crate) fn interface_of<I: ?Sized + Any + Send + Sync>(&self, operation: &str) -> Option<Arc<I>> {
        let interfaces = self.get::<Interfaces>()?;
        interfaces.0.get(&TypeId::of::<I>())?.get(operation)?.downcast_ref::<Arc<I>>().cloned()
    }
}

impl Context {
    /// How operations of that name implement an interface.
    pub fn interface<I: ?Sized + Any + Send + Sync>(&self, name: OperationName) -> Option<Arc<I>> {
        let name = std::str::from_utf8(self.operation_text(name)).ok()?;
        let (dialect, operation) = name.split_once('.')?;
        self.dialect(dialect)?.interface_of(operation)
    }

    /// As [`Context::interface`], of one that is asked for so often that the answer is kept.
    pub(crate) fn kept_interface<I: ?Sized + Any + Send + Sync>(
        &self,
        name: OperationName,
        fact: CachedFact,
    ) -> Option<Answered<'_, Arc<I>>> {
        self.answer(name, fact, || self.interface::<I>(name))
    }
}

impl<'m> OpRef<'m> {
    /// As [`OpRef::interface`], of one that is asked for so often that the answer is kept.
    pub(crate) fn kept_interface<I: ?Sized + Any + Send + Sync>(
        self,
        fact: CachedFact,
    ) -> Option<Answered<'m, Arc<I>>> {
        self.module().context().kept_interface(self.operation_name(), fact).filter(|_| self.is_understood())
    }

    /// How the operation implements an interface. One that is [opaque](OpRef::is_opaque) implements none: what it says of itself cannot
    /// be read.
    pub fn interface<I: ?Sized + Any + Send + Sync>(self) -> Option<Arc<I>> {
        self.module().context().interface(self.operation_name()).filter(|_| self.is_understood())
    }

    fn is_understood(self) -> bool {
        self.is_opaque().is_ok_and(|is_opaque| !is_opaque)
    }
}
