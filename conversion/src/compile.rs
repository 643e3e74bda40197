//! From kernels to a module of SPIR-V that a driver takes: `mlirbc compile`.
//!
//! Each `gpu.module` is [converted](crate::gpu_to_spirv), with all dialects that have conversions into SPIR-V. Arguments of its kernels
//! become variables, capabilities and extensions are those that it needs, and all together become one `spirv.module`, which is verified and
//! which the target can run.
//!
//! ```
//! use mlirbc_conversion::compile::compile_to_binary;
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! let context = mlirbc_dialects::context();
//! mlirbc_spirv::register(&context)?;
//! let text = br#"module attributes {gpu.container_module} {
//!   gpu.module @kernels {
//!     gpu.func @twice(%data: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
//!       %i = gpu.global_id x
//!       %x = memref.load %data[%i] : memref<64xf32>
//!       %y = arith.addf %x, %x : f32
//!       memref.store %y, %data[%i] : memref<64xf32>
//!       gpu.return
//!     }
//!   }
//! }"#;
//! let mut module = parse_module(&context, text, &ParseOptions::new())?;
//! let binary = compile_to_binary(&mut module, "vulkan1.1", 1)?;
//! assert_eq!(binary[..4], 0x0723_0203u32.to_le_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a kernel has to say
//!
//! How large its workgroups are: `spirv.entry_point_abi`, or `known_block_size`, which `gpu.launch` leaves. An argument is the resource of
//! its number in the set 0, unless `spirv.interface_var_abi` says which.

mod logical;

use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{AttributeData, BodyId, Error, Module, OpId, OpRef, Result};
use mlirbc_rewrite::conversion::{Conversion, ConversionPatterns, not_legalized};
use mlirbc_rewrite::{Pipeline, Registry, RunOptions};
use mlirbc_spirv::dialect::abi::{ENTRY_POINT_ABI, EntryPointAbi};
use mlirbc_spirv::lower;
use mlirbc_spirv::target::{Environment, Runner, lookup_or_default, set_target, target_attribute};
use mlirbc_spirv::transforms::{self, link};
use rspirv::spirv::Capability;

use crate::gpu_to_spirv::convert;
use crate::to_spirv::{SpirvConversionTarget, SpirvPatterns, SpirvTypeConverter, TypeOptions};
use crate::{
    arith_to_spirv, cf_to_spirv, complex_to_spirv, divisions, func_to_spirv, gpu_to_spirv, index_to_spirv,
    math_to_spirv, memref_to_spirv, scf_to_spirv, tensor_to_spirv, ub_to_spirv, vector_to_spirv,
};

/// Makes one `spirv.module` of the kernels in a module, for a target: `vulkan1.1` or another name that
/// [`target_attribute`] knows, or the text of a `#spirv.target_env`. What says itself what it is for is compiled for that.
///
/// # Errors
/// Where the target is none, there is no kernel, or one does not say how large its workgroups are; where an operation has no conversion, or needs
/// what the target does not have: with the line that it comes from; where what is made is no binary. The module holds what was made until then.
pub fn compile(module: &mut Module, target: &str, threads: usize) -> Result<Module> {
    Ok(compiled(module, target, threads)?.0)
}

/// As [`compile`], and gives the words of the binary, which are made in any case.
///
/// # Errors
/// As [`compile`].
pub fn compile_to_binary(module: &mut Module, target: &str, threads: usize) -> Result<Vec<u8>> {
    Ok(compiled(module, target, threads)?.1)
}

/// The module, and the binary.
fn compiled(module: &mut Module, target: &str, threads: usize) -> Result<(Module, Vec<u8>)> {
    let context = module.context().clone();
    let unknown =
        || Error::misuse(format!("`{target}` is no target: vulkan1.1, opencl2.2, or the text of a #spirv.target_env"));
    let attribute = target_attribute(&context, target).ok_or_else(unknown)?;
    set_target(module, attribute)?;
    let mut kernels = Vec::new();
    for top in module.operations()? {
        for op in top.walk()?.filter(|op| op.is("gpu.module")) {
            let is_module = |inner: &OpRef<'_>| inner.is("gpu.module") || inner.is("spirv.module");
            if let Some(inner) = op.walk()?.skip(1).find(is_module) {
                return Err(not_legalized(inner, false, Some("it stands in a module of kernels")));
            }
            kernels.push((op.body_id(), op.id()));
        }
    }
    if kernels.is_empty() {
        return Err(Error::verification("there is no gpu.module in it, and so nothing to compile"));
    }
    let mut made = Vec::new();
    for place in kernels {
        say_sizes(module, place)?;
        let environment = Environment::of(&context, lookup_or_default(module.operation(place.0, place.1)?)?);
        let to = SpirvTypeConverter::with_matrices(environment.unwrap_or_default(), TypeOptions::default());
        let target = to.explain(SpirvConversionTarget::new(to.environment()));
        let mut patterns = patterns(&to);
        logical::assign_spaces(module, place)?;
        if !to.has(Capability::Kernel) {
            logical::refuse(module.operation(place.0, place.1)?)?;
            patterns = logical::add_to(patterns);
        }
        let conversion = Conversion::new(target, patterns).threads(threads);
        let converted = convert(module, place, &to, &conversion)?;
        logical::split_headers(module, converted)?;
        made.push(converted);
    }
    let parts: Vec<OpRef<'_>> = made.iter().map(|&(body, op)| module.operation(body, op)).collect::<Result<_>>()?;
    let mut linked = link(&parts, false)?;
    set_target(&mut linked, attribute)?;
    verify(&linked)?;
    let passes = "builtin.module(spirv.module(spirv-lower-abi-attrs{called-functions=true},spirv-update-vce))";
    let pipeline = Pipeline::parse(passes, &transforms::add_to(Registry::default()));
    pipeline.map_err(|error| Error::misuse(error.to_string()))?.run_with(&mut linked, RunOptions::new())?;
    transforms::serializable(&mut linked)?;
    let binary = checked(&linked, target)?;
    Ok((linked, binary))
}

/// All patterns into SPIR-V.
fn patterns(to: &SpirvTypeConverter) -> ConversionPatterns {
    let set = gpu_to_spirv::patterns(SpirvPatterns::new(to));
    let set = scf_to_spirv::patterns(cf_to_spirv::patterns(func_to_spirv::patterns(set)));
    let set = index_to_spirv::patterns(math_to_spirv::patterns(arith_to_spirv::patterns(set)));
    let set = vector_to_spirv::patterns(tensor_to_spirv::patterns(complex_to_spirv::patterns(set)));
    divisions::add_to(ub_to_spirv::patterns(memref_to_spirv::patterns(set)).into_patterns())
}

/// Says of the kernels of a module how large their workgroups are, where another attribute does.
fn say_sizes(module: &mut Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let context = module.context().clone();
    let mut said = Vec::new();
    for kernel in module.operation(body, op)?.ops()?.filter(|op| op.is("gpu.func")) {
        if kernel.attribute("gpu.kernel")?.is_none() || kernel.attribute(ENTRY_POINT_ABI)?.is_some() {
            continue;
        }
        let sizes = match kernel.attribute("known_block_size")?.map(|sizes| &context[sizes]) {
            Some(AttributeData::DenseArray { data, .. }) => {
                let sizes = data.as_chunks::<4>().0.iter().map(|size| i32::from_le_bytes(*size));
                Some(sizes.collect::<Vec<i32>>())
            }
            _ => None,
        };
        let Some(sizes) = sizes.filter(|sizes| sizes.len() == 3) else {
            let line = kernel.source_line().map(|line| format!(", at {line}")).unwrap_or_default();
            return Err(Error::verification(format!(
                "the kernel does not say how large its workgroups are{line}, {}: give it `known_block_size = array<i32: 64, 1, 1>` or \
                 `spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [64, 1, 1]>`",
                kernel.path()
            )));
        };
        let abi = EntryPointAbi { workgroup_size: Some(sizes), ..EntryPointAbi::default() };
        said.push((kernel.body_id(), kernel.id(), abi.attribute(&context)));
    }
    for (body, kernel, abi) in said {
        module.rewrite(body, |rw| rw.set_attribute(kernel, ENTRY_POINT_ABI, abi))?;
    }
    Ok(())
}

/// Refuses what breaks a rule.
fn verify(module: &Module) -> Result<()> {
    let mut first = Ok(());
    verify_module(module, &mut |error| {
        if first.is_ok() {
            first = Err(error);
        }
    })?;
    first
}

/// What may stand outside of functions beside what has a name there.
const OUTSIDE: [&str; 3] = ["spirv.EntryPoint", "spirv.ExecutionMode", "spirv.ExecutionModeId"];

/// The binary. What breaks a rule, what the target cannot run, and what is no binary is an error: the first such thing.
fn checked(module: &Module, target: &str) -> Result<Vec<u8>> {
    verify(module)?;
    for top in module.operations()? {
        for made in top.walk()?.filter(|op| op.is("spirv.module")) {
            for op in made.ops()? {
                if !op.is_symbol()? && !OUTSIDE.iter().any(|name| op.is(name)) {
                    return Err(not_legalized(op, false, Some("it stands outside of functions")));
                }
            }
        }
    }
    let runner = Runner::parse(module.context(), target);
    let obstacles = runner.map(|runner| runner.obstacles(module)).transpose()?.unwrap_or_default();
    match obstacles.first() {
        Some(obstacle) => Err(Error::verification(obstacle.to_string())),
        // What a binary has no place for is known where it is written.
        None => lower(module),
    }
}
