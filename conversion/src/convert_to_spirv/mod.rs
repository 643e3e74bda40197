//! `convert-to-spirv`: conversions into SPIR-V as one, `arith`, `func`, `gpu`, `index`, `memref`, `scf`, `ub` and `vector` together.
//!
//! MLIR 22 has it as a pass for tests, `test-convert-to-spirv`, which is taken as another name of it. What that does with vectors before it
//! converts, wider ones as several, is not done: its options have to say so.
//!
//! Divisions that round up or down are made of others. Memory spaces that are numbers become storage classes first, as by
//! [`map-memref-spirv-storage-class`](crate::memref_to_spirv::storage_class). With `convert-gpu-modules`, each `gpu.module` alone is
//! converted, for what it is for.

use mlirbc_ir::Result;
use mlirbc_rewrite::conversion::{Conversion, ConversionPatterns};
use mlirbc_rewrite::{MakePass, OptionInfo, Options, Pass, PassInfo, Target};

use crate::memref_to_spirv::storage_class;
use crate::to_spirv::pass::type_converter;
use crate::to_spirv::{SpirvConversionTarget, SpirvPatterns, SpirvTypeConverter, TypeOptions, declare_variables};
use crate::{
    arith_to_spirv, divisions, func_to_spirv, gpu_to_spirv, index_to_spirv, memref_to_spirv, scf_to_spirv, ub_to_spirv,
    vector_to_spirv,
};

/// Converts all that can be converted.
struct ConvertToSpirv {
    name: &'static str,
    /// Whether modules of kernels are converted alone.
    modules: bool,
    /// Whether what they become stands in them.
    nested: bool,
}

const OPTIONS: &[OptionInfo] = &[
    OptionInfo { name: "run-signature-conversion", about: "false: vectors of functions stay as they are" },
    OptionInfo { name: "run-vector-unrolling", about: "false: vectors in functions stay as they are" },
    OptionInfo { name: "convert-gpu-modules", about: "convert each module of kernels alone" },
    OptionInfo { name: "nest-in-gpu-module", about: "put what a module of kernels becomes in it, and not before it" },
];

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-to-spirv",
    about: "convert all dialects that can be to the dialect spirv",
    options: OPTIONS,
    make: MakePass::With(|options| make(INFO.name, options)),
};

/// The same by the name of MLIR's pass for tests.
pub(crate) const TEST: PassInfo = PassInfo {
    name: "test-convert-to-spirv",
    about: "as convert-to-spirv",
    options: OPTIONS,
    make: MakePass::With(|options| make(TEST.name, options)),
};

fn make(name: &'static str, options: &Options) -> std::result::Result<Box<dyn Pass>, String> {
    for unrolls in ["run-signature-conversion", "run-vector-unrolling"] {
        if options.flag(unrolls, false)? {
            return Err(format!("`{unrolls}` cannot be asked for"));
        }
    }
    let (modules, nested) = (options.flag("convert-gpu-modules", false)?, options.flag("nest-in-gpu-module", false)?);
    Ok(Box::new(ConvertToSpirv { name, modules, nested }))
}

/// All patterns of it.
pub fn patterns(to: &SpirvTypeConverter) -> ConversionPatterns {
    let set = func_to_spirv::patterns(arith_to_spirv::patterns(SpirvPatterns::new(to)));
    let set = index_to_spirv::patterns(gpu_to_spirv::patterns(set));
    let set = vector_to_spirv::patterns(memref_to_spirv::patterns(set));
    let set = ub_to_spirv::patterns(scf_to_spirv::patterns(set));
    divisions::add_to(set.into_patterns())
}

fn conversion(to: &SpirvTypeConverter, threads: usize) -> Conversion {
    Conversion::new(to.explain(SpirvConversionTarget::new(to.environment())), patterns(to)).partial().threads(threads)
}

impl Pass for ConvertToSpirv {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let (place, threads) = (target.place(), target.threads());
        if self.modules {
            for (place, environment) in gpu_to_spirv::kernels(target)? {
                let to = SpirvTypeConverter::new(environment, TypeOptions::default());
                let made = gpu_to_spirv::convert(target.module(), place, &to, &conversion(&to, threads))?;
                if self.nested {
                    gpu_to_spirv::move_inside(target.module(), made, place.1)?;
                }
            }
            return Ok(());
        }
        let to = type_converter(target, TypeOptions::default())?;
        storage_class::assign(target.module(), place, gpu_to_spirv::spaces_of(to.environment()))?;
        gpu_to_spirv::allocate(target.module(), place)?;
        conversion(&to, threads).run(target.module(), place)?;
        declare_variables(target.module(), place)
    }
}
