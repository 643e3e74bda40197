//! `mlirbc compile`

use std::path::PathBuf;
use std::process::ExitCode;

use super::form::{Form, Format};
use super::{Session, SpirvForm};
use mlirbc::Result;
use mlirbc::conversion::compile::compile;
use mlirbc::text::ParseOptions;

/// Compile kernels of the dialect `gpu` to SPIR-V
///
/// The kernels of each `gpu.module` become entry points of one module, with all that they use: arith, math, func, cf, scf, index, memref,
/// vector, tensor, complex and ub. What is written is checked against the target. A kernel says how large its workgroups are:
/// `known_block_size`, or `spirv.entry_point_abi`. Its arguments are the resources of set 0 in order.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc compile kernels.mlir -o kernels.spv\n  \
                        mlirbc compile kernels.mlir --target-env vulkan1.3 -o kernels.spv\n  \
                        mlirbc compile kernels.mlirbc --target-env opencl2.2 --to mlir")]
pub(crate) struct Compile {
    /// File with kernels, text or bytecode; `-` is standard input
    #[arg(value_name = "KERNELS", default_value = "-")]
    input: PathBuf,
    /// Where the result goes; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// What the result is written as: told by the extension of -o, or a binary
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// What it is compiled for, where it does not say that itself: `vulkan1.1` or another name that `mlirbc verify --target-env` takes, or the
    /// text of a `#spirv.target_env`
    #[arg(long, value_name = "ENV", default_value = "vulkan1.1")]
    target_env: String,
    /// How many threads work at once; as many as there are cores, where it is not given. The result is the same
    #[arg(long, value_name = "COUNT")]
    threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    form: Form,
}

impl Compile {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let inputs = [self.input.clone()];
        if let Some(refused) = session.refuses(&inputs, &[(self.output.clone(), &self.input)]) {
            return Ok(refused);
        }
        if let Some(refused) = super::spirv::refuses_target(Some(&self.target_env), session)? {
            return Ok(refused);
        }
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, |count| count.get());
        let format = self.to.or_else(|| Format::of(&self.output)).unwrap_or(Format::Spv);
        Ok(super::for_input(&self.input, |path| {
            let context = session.context()?;
            let text = ParseOptions::new().implicit_module(true);
            let mut module = super::read_as(&context, path, &text, SpirvForm::Dialect)?;
            let compiled = compile(&mut module, &self.target_env, threads)?;
            super::write_to(&self.output, |out| self.form.write(session, path, &compiled, format, &self.output, out))
        }))
    }
}
