//! The dialect's own passes (`mlir/Dialect/SPIRV/Transforms`), a file each.
//!
//! | file | pass | type |
//! | --- | --- | --- |
//! | `attach_target.rs` | `spirv-attach-target` | [`AttachTarget`] |
//! | `canonicalize_gl.rs` | `spirv-canonicalize-gl` | [`CanonicalizeGl`] |
//! | `composite_layout.rs` | `decorate-spirv-composite-type-layout` | [`DecorateCompositeTypeLayout`] |
//! | `lower_abi.rs` | `spirv-lower-abi-attrs` | [`LowerAbiAttributes`] |
//! | `replicated_constants.rs` | `spirv-promote-to-replicated-constants` | [`PromoteToReplicatedConstants`] |
//! | `rewrite_inserts.rs` | `spirv-rewrite-inserts` | [`RewriteInserts`] |
//! | `unify_aliased.rs` | `spirv-unify-aliased-resource` | [`UnifyAliasedResource`] |
//! | `update_vce.rs` | `spirv-update-vce` | [`UpdateVce`] |
//! | `webgpu.rs` | `spirv-webgpu-prepare` | [`WebGpuPrepare`] |
//!
//! Where parts stand in memory is asked of [`layout`](crate::dialect::types::layout()).
//!
//! ```
//! use mlirbc_rewrite::Pipeline;
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! let context = mlirbc_ir::Context::new();
//! mlirbc_spirv::register(&context)?;
//! let text = br#"spirv.module Logical GLSL450 {
//!   spirv.func @f(%x: f32, %y: f32) -> f32 "None" {
//!     %0 = spirv.IsNan %x : f32
//!     %1 = spirv.Select %0, %x, %y : i1, f32
//!     spirv.ReturnValue %1 : f32
//!   }
//! }"#;
//! let mut module = parse_module(&context, text, &ParseOptions::new().implicit_module(true))?;
//! let registry = mlirbc_spirv::transforms::add_to(Default::default());
//! Pipeline::parse("builtin.module(spirv.module(spirv-webgpu-prepare))", &registry)?.run(&mut module)?;
//! let inner = module.operations()?.next().ok_or("no module")?.ops()?.next().ok_or("no module in it")?;
//! let function = inner.lookup_symbol("f")?.ok_or("no function")?;
//! assert_eq!(function.ops()?.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attach_target;
mod canonicalize_gl;
mod composite_layout;
mod link;
mod lower_abi;
mod pattern;
mod replicated_constants;
mod rewrite_inserts;
mod serializable;
mod unify_aliased;
mod update_vce;
mod webgpu;

use mlirbc_ir::{Attribute, AttributeData, Context, OpRef, Result, Type};
use mlirbc_rewrite::Registry;

pub use attach_target::AttachTarget;
pub use canonicalize_gl::CanonicalizeGl;
pub use composite_layout::DecorateCompositeTypeLayout;
pub use link::link;
pub use lower_abi::LowerAbiAttributes;
pub use replicated_constants::PromoteToReplicatedConstants;
pub use rewrite_inserts::RewriteInserts;
pub use serializable::serializable;
pub use unify_aliased::UnifyAliasedResource;
pub use update_vce::UpdateVce;
pub use webgpu::WebGpuPrepare;

/// The operation that the passes of one module run on.
const MODULE: &str = "spirv.module";

/// A registry with these passes, beside those that are in it.
pub fn add_to(registry: Registry) -> Registry {
    let all = [
        attach_target::INFO,
        canonicalize_gl::INFO,
        composite_layout::INFO,
        lower_abi::INFO,
        replicated_constants::INFO,
        rewrite_inserts::INFO,
        unify_aliased::INFO,
        update_vce::INFO,
        webgpu::INFO,
    ];
    all.into_iter().fold(registry, Registry::pass)
}

/// The name of the symbol that an attribute of an operation refers to, where it refers to one right beside it.
fn symbol_in<'m>(op: OpRef<'m>, attribute: &str) -> Result<Option<&'m [u8]>> {
    let context = op.module().context();
    Ok(op.attribute(attribute)?.and_then(|reference| flat_symbol(context, reference)))
}

/// The name that a reference to a symbol consists of, where it is one name.
fn flat_symbol(context: &Context, reference: Attribute) -> Option<&[u8]> {
    match &context[reference] {
        AttributeData::SymbolRef { root, nested } if nested.is_empty() => Some(context.bytes(*root)),
        _ => None,
    }
}

/// A number that an operation says of itself.
fn number(op: OpRef<'_>, attribute: &str) -> Result<Option<u64>> {
    Ok(op.attribute(attribute)?.and_then(|number| op.module().context().integer_of(number)?.to_u64()))
}

/// The type of a global variable.
fn variable_type(variable: OpRef<'_>) -> Result<Option<Type>> {
    let ty = variable.attribute("type")?.map(|ty| &variable.module().context()[ty]);
    Ok(ty.and_then(|ty| if let AttributeData::Type(ty) = ty { Some(*ty) } else { None }))
}
