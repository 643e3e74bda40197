//! `convert-spirv-to-llvm` (`mlir/lib/Conversion/SPIRVToLLVM`): the dialect `spirv` to the dialect `llvm`.
//!
//! [`type_converter`] says what types become. A `spirv.module` becomes a `builtin.module` of its name, entry points go, execution modes
//! become constants, and structured control flow becomes branches. A global variable that has a descriptor set and a binding is named
//! after them: `@MODULE_NAME_descriptor_setS_bindingB`, without the first part where the module has no name.
//!
//! Where an operation has no conversion, nothing is converted, and the error names it, the line that it comes from, and why. What a
//! processor has no counterpart of, such as images and rays, is named before the types that it needs ([`reason_against`]). A value that is
//! given to a specialisation constant which is not there, or cannot have it, is an error that names both.
//!
//! # Lines
//!
//! All that is made of an operation has its location: the `OpLine` of a binary, and the name of a value or variable. A function that has no
//! line gets the first one in it. LLVM asks for more than lines: the pass `ensure-debug-info-scope-on-llvm-func` of `mlir-opt` makes of
//! them what `mlir-translate` turns into tables of lines.
//!
//! # Beyond MLIR
//!
//! Wherever MLIR converts a module, the result is the same as its, but where that does something else than the module says:
//!
//! | what | how |
//! | --- | --- |
//! | loads and stores of single elements of vectors of truth values, which MLIR has as many bytes from the start and LLVM as many bits | the whole vector |
//! | `SaturatedConversion` and `FPRoundingMode` of conversions between numbers, which MLIR leaves out | a few operations |
//! | types of storage buffers whose parts LLVM has elsewhere than SPIR-V says: behind three numbers in a vector there is room for one more, and MLIR counts the strides of arrays in arrays twice | as all memory of another layout, below |
//! | structs of kernels without offsets (memory model `OpenCL`), which MLIR packs | as those of C, or packed where they say `CPacked`. Kernels that have such beside shaders are refused: types have one meaning in a pass |
//!
//! MLIR refuses modules in which one operation or type has no conversion; many of these are converted here:
//!
//! | what | how |
//! | --- | --- |
//! | memory of the classes `StorageBuffer`, `Uniform`, `PushConstant` and `PhysicalStorageBuffer` whose layout is another than LLVM's: run-time arrays, strides, offsets, decorations, matrices row by row | addressed in bytes, loaded and stored part by part; a variable is an array of bytes |
//! | variables of the classes `Uniform` and `PushConstant`; `Workgroup` and `CrossWorkgroup` | external; internal |
//! | specialisation constants, and operations of them | their defaults, or what the option `specialization` gives; worked out, also where they are lengths of arrays |
//! | addresses of variables and of what stands in them, as constants of kernels | `addressof`, `getelementptr` |
//! | arrays of blocks | arrays of pointers to them |
//! | `PtrAccessChain`; `ArrayLength` | `getelementptr`; of what `_Z18__spirv_BufferSizePv` says of the pointer, in bytes |
//! | parts of such memory, or variables, that are `Volatile` or `Coherent` | loads, stores and atomic operations are volatile: also by pointers that come from arguments, where a module has any |
//! | matrices by pointers that come from arguments or blocks | as the one struct says that has such; an error where they stand in several ways |
//! | elements behind a pointer, in such memory | as far as the `ArrayStride` of the pointer's type says, or of the array that it comes from |
//! | blocks of the class `Workgroup` that are `Aliased` | one variable, an array of bytes |
//! | built-in variables and those of the class `Private`, with the option `thread-local` | `thread_local`, not constant |
//! | variables of the classes `Private`, `Output` and `Workgroup` that hold something at first, and are stored to | are set at the start of each entry point, too; behind those of a workgroup, a call of `_Z22__spirv_ControlBarrieriii` |
//! | constants of arrays and structs, of any number of parts | one constant of dense elements where all are numbers, and else put together part by part; parts that are shared are made once. An array whose elements are one struct of numbers is one constant, too |
//! | `CompositeConstruct`; elements of vectors by a number known at run time | put together part by part; `extractelement`, `insertelement` |
//! | `SMod`, `FMod`, `SNegate`, `Dot`, `VectorTimesScalar`, `IsNan`, `IsInf`, `Ordered`, `Unordered`, `Any`, `All` | a few operations each |
//! | products of matrices and vectors, `Transpose`, `OuterProduct` | column by column |
//! | `IAddCarry`, `ISubBorrow`, `UMulExtended`, `SMulExtended` | sums with overflow, products of twice the width |
//! | atomic operations | `atomicrmw`, `cmpxchg`, atomic `load` and `store`, in the order that the memory semantics ask for, in any scope; where these are no constants, specialisation constants included, in the strictest |
//! | loads, stores and copies with several bits of memory access, and what these say of other invocations and of aliases | all of them on one operation; nothing |
//! | the rest of GLSL's set, but for interpolation | the intrinsic of LLVM that does the same, or a few operations; `Acosh`, `Asinh`, `Atanh` call the C library, element by element, `f16` as `f32` |
//! | `Switch`, `Unreachable`, hints of selections and loops, results of both | `switch`, or `br` without cases, `unreachable`, left out, arguments of a block |
//! | `MemoryBarrier`, all other operations of groups | calls of functions such as `_Z21__spirv_MemoryBarrierii` and `_Z32__spirv_GroupNonUniformBroadcastiDv2_fj`: scopes, semantics and group operations first, then the operands, integers as if they had no sign. Operations that MLIR has not, such as `GroupLogicalAndKHR`, have all in the order of their instruction. What a group copies with `GroupAsyncCopy` it waits for by pointers: `_Z22__spirv_GroupAsyncCopyiPjS_jj9ocl_event` |
//! | shifts by wider numbers | shifts by what is left of these |
//! | what variables hold at first, also where it is a composite | stored, or the value of the global variable |
//! | `SpecConstantOperation`; constants whose parts all are the same | the operation in it; put together |
//! | `CopyMemory`, with what is said of how both are accessed | `load` and `store` |
//! | OpenCL's set | as GLSL's; `vloadn` and the like in one piece, rounded as they say; `printf` calls that of the C library, without vectors; `prefetch` is nothing |
//! | entry points that have another name than their function | the function has the entry point's, and what has that name by chance another one; further names of a function are aliases of it |
//! | functions that are `Pure` or `Const`, or several of this and `Inline`, in modules with memory that MLIR does not convert | `memory_effects`, and all that is said: for MLIR's words, functions of LLVM have no place any more |
//! | modes whose operands are constants | as other modes, with what these are worth |
//! | variables that hold images and the like, where nothing but entry points names them | left out |
//! | `SatConvertSToU`, `SatConvertUToS`, `IsNormal`, `SignBitSet`, `PtrDiff`, `SizeOf`, `Select` of composites, `CopyLogical`; operations of integers, clocks and arrays of any length of extensions | a few operations each |
//! | `PtrCastToGeneric`, `GenericCastToPtr`, `GenericCastToPtrExplicit` | `addrspacecast`, or the pointer itself; of which class it is, nobody looks |
//! | elements of vectors in structs, arrays and matrices, by one operation | the vector first |
//! | `IsFinite`, `AssumeTrue`, floats of `bf16` and `tf32` by Intel's operations | a few operations each |
//! | instructions of sets named `NonSemantic.*`, and their strings | nothing |
//! | modes that a function has twice, with other operands | constants with these behind their names |
//! | parts of packed structs, in modules with such memory | loaded and stored from any byte: MLIR says nothing of their alignment |
//! | dot products of integers | products of extended vectors, and their sum |
//! | fields of no bits or of all, and such as are inserted from more bits, in modules with such memory | with another `select` and `and`: MLIR's are undefined, or have bits beyond the field |
//! | `QuantizeToF16` | to `f16` and back, denormal numbers zero |
//! | blocks that nothing leads to, which MLIR leaves as they were | erased |
//! | numbers as pointers, and back; `CopyObject` | `inttoptr`, `ptrtoint`; nothing |
//!
//! A few words of SPIR-V may load, copy or repeat thousands of parts. An operation becomes so many of `llvm` that 4,096 parts take, and all of
//! a module together half a million, where those of operations that have up to 64 do not count; a vector has up to 64 elements where these are
//! looked at one by one. More is an error that names the operation.

mod accesses;
mod atomics;
mod bits;
mod bools;
mod calls;
mod casts;
mod class;
mod composed;
mod composites;
mod constants;
mod direct;
mod dots;
mod emit;
mod entries;
mod explicit;
mod extended;
mod folded;
mod functions;
mod glsl;
mod groups;
mod initial;
mod known;
mod layout;
mod library;
mod math;
mod matrices;
mod memory;
mod opencl;
mod opencl_memory;
mod opencl_numbers;
mod others;
mod packing;
mod parts;
mod rounding;
mod signatures;
mod specialization;
mod starts;
mod state;
mod structure;
mod surroundings;
mod types;
mod values;
mod without;

use std::collections::HashSet;
use std::sync::Arc;

use mlirbc_ir::{Body, BodyId, Error, ErrorKind, Module, OpId, OperationName, Result, Rewriter};
use mlirbc_rewrite::conversion::{Conversion, ConversionPattern, ConversionPatterns, ConversionTarget, TypeConverter};
use mlirbc_rewrite::regions::erase_unreachable_blocks;
use mlirbc_rewrite::{MakePass, OptionInfo, Pass, PassInfo, Target};

use emit::Convert;
use starts::Start;
use state::State;
use types::{Scope, converter};
pub(crate) use types::{inside, with_spirv};

pub use specialization::SpecializationValue;
pub use types::{ClientApi, type_converter};
pub use without::reason_against;

/// Patterns that all convert types in one way.
struct Set {
    patterns: ConversionPatterns,
    types: Arc<TypeConverter>,
}

impl Set {
    /// Adds a pattern for operations of that name.
    fn pattern(self, operation: &str, pattern: ConversionPattern) -> Self {
        let patterns = self.patterns.on(operation, pattern.types(&self.types));
        Set { patterns, types: self.types }
    }

    /// Adds a function as a pattern.
    fn on(self, operation: &'static str, convert: Convert) -> Self {
        self.pattern(operation, ConversionPattern::new(operation, convert))
    }
}

/// All patterns.
fn patterns(options: &ConvertSpirvToLlvm, state: &Arc<State>, starts: &Arc<[Start]>) -> ConversionPatterns {
    let types = converter(options.client_api, Scope::All, state.structs, &state.lengths);
    let set = Set { patterns: ConversionPatterns::new(), types: Arc::new(types) };
    let set = direct::add_to(set);
    let set = bits::add_to(set, state);
    let set = casts::add_to(set);
    let set = composites::add_to(set);
    let set = glsl::add_to(set);
    let set = opencl::add_to(set);
    let set = memory::add_to(set, state, (options.client_api, options.thread_local));
    let set = values::add_to(set, state);
    let set = matrices::add_to(set);
    let set = dots::add_to(set);
    let set = extended::add_to(set);
    let set = atomics::add_to(set, state);
    let set = others::add_to(set, state);
    let set = functions::add_to(set, state, starts);
    let set = structure::add_to(set, state);
    groups::add_to(set).patterns
}

/// What is legal, and the patterns for what is not.
fn conversion(options: &ConvertSpirvToLlvm, state: &Arc<State>, starts: &Arc<[Start]>) -> Conversion {
    let target = ConversionTarget::new().illegal_dialects(["spirv"]).legal_dialects(["llvm"]);
    // Strings are erased with what has no meaning, behind it.
    let target = target.legal(["builtin.module", "spirv.OpString"]);
    Conversion::new(target, patterns(options, state, starts)).partial()
}

/// Whether operations of that name are converted, with the dialect in front: `spirv.IAdd`. Not all of them have to be: types and attributes
/// may be in the way.
pub fn has_conversion(operation: &str) -> bool {
    let state = Arc::new(State::new(ClientApi::default(), &[]));
    conversion(&ConvertSpirvToLlvm::default(), &state, &Arc::default()).patterns_of(operation).next().is_some()
}

/// Converts all of the dialect `spirv` in a module to the dialect `llvm`: see the [documentation](self) of the conversion.
#[derive(Clone, Debug, Default)]
pub struct ConvertSpirvToLlvm {
    /// The API that the module is for.
    pub client_api: ClientApi,
    /// Whether each thread has its own built-in variables, such as `GlobalInvocationId`, which the host sets before it calls the entry
    /// point while others run at the same time, and its own variables of the class `Private`. There is one of each otherwise, and those
    /// that are built in are constant, as in MLIR.
    pub thread_local: bool,
    /// Values of specialisation constants, by their ids; the others have their defaults. That there is no constant of an id, or that it
    /// cannot have its value, is an error.
    pub specialization: Vec<(u32, SpecializationValue)>,
}

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-spirv-to-llvm",
    about: "convert the dialect spirv to the dialect llvm",
    options: &[
        OptionInfo {
            name: "client-api",
            about: "the API that says which address spaces storage classes are: Unknown, Metal, OpenCL, Vulkan or WebGPU",
        },
        OptionInfo { name: "thread-local", about: "whether each thread has its own built-in and private variables" },
        OptionInfo { name: "specialization", about: "values of specialization constants by their ids: 0:64,3:-1.5" },
    ],
    make: MakePass::With(|options| {
        let client_api = match options.text("client-api") {
            None => ClientApi::default(),
            Some(name) => ClientApi::of_name(name).ok_or_else(|| format!("`{name}` is no client API"))?,
        };
        let thread_local = options.flag("thread-local", false)?;
        let given = options.list("specialization").into_iter().map(SpecializationValue::with_id);
        let specialization = given.collect::<std::result::Result<Vec<_>, _>>()?;
        let mut ids = HashSet::new();
        if let Some((id, _)) = specialization.iter().find(|given| !ids.insert(given.0)) {
            return Err(format!("the specialization constant {id} is given two values"));
        }
        Ok(Box::new(ConvertSpirvToLlvm { client_api, thread_local, specialization }))
    }),
};

impl Pass for ConvertSpirvToLlvm {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let place = target.place();
        // Nothing is changed where it fails: what a processor has no counterpart of is said to be the reason.
        self.convert(target).or_else(|error| without::refuse(target.module(), place).and(Err(error)))
    }
}

impl ConvertSpirvToLlvm {
    fn convert(&self, target: &mut Target<'_>) -> Result<()> {
        let (place, threads) = (target.place(), target.threads());
        let state = Arc::new(State::of(target.module(), place, threads, self.client_api, &self.specialization)?);
        let starts = Start::all(target.module(), place, &state)?.into();
        let conversion = conversion(self, &state, &starts).finally(erase_what_is_left);
        let mut converted = conversion.clone().threads(threads).run(target.module(), place);
        if converted.is_err() && state.parts.are_used_up() && threads > 1 {
            // Which operation took the last of what all share depends on the threads, and is the same on one.
            state.parts.refill();
            converted = conversion.run(target.module(), place);
        }
        // So is a type that it does not have.
        converted.or_else(|error| {
            without::refuse(target.module(), place)?;
            Err(without::type_reason(target.module(), place, |body, name| state.is_unused(body, name))?
                .unwrap_or_else(|| of_the_module(error)))
        })?;
        let types = converter(self.client_api, Scope::All, state.structs, &state.lengths);
        starts::begin(target.module(), &starts, (&types, &state), self.client_api)
    }
}

/// An error that says what is wrong with the module. What operations have that MLIR does not know is checked by nobody: where a pattern
/// misses something, the module is to blame, and not whoever runs the pass.
fn of_the_module(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Misuse => Error::verification(error.message()),
        _ => error,
    }
}

/// The bodies in an operation, each before those in it.
fn bodies_in(module: &Module, (body, op): (BodyId, OpId)) -> Result<Vec<BodyId>> {
    let body = module.operation(body, op)?.body();
    let mut bodies: Vec<BodyId> = body.preorder_of(op).filter_map(|op| body.region_body(op)).collect();
    let mut at = 0;
    while let Some(&id) = bodies.get(at) {
        bodies.extend(module.body(id)?.region_bodies());
        at += 1;
    }
    Ok(bodies)
}

/// The operations of a body in any order, and those that were erased.
fn operations(body: &Body) -> impl Iterator<Item = OpId> {
    (0..body.operation_count()).map(OpId::from_index)
}

/// What is known of names of operations, by their numbers.
struct OfNames<T>(Vec<Option<T>>);

impl<T> Default for OfNames<T> {
    fn default() -> Self {
        OfNames(Vec::new())
    }
}

impl<T: Copy> OfNames<T> {
    /// What `find` finds the first time.
    fn get(&mut self, name: OperationName, find: impl FnOnce() -> T) -> T {
        let at = name.raw() as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        *self.0[at].get_or_insert_with(find)
    }
}

/// Erases the blocks of a function that nothing leads to where some are not converted, since no block leads to them, and strings.
fn erase_what_is_left(rw: &mut Rewriter<'_>) -> Result<()> {
    let context = rw.context();
    let is_left = |op: OpId| context.bytes(context.operation_dialect(rw.body().name(op))) == b"spirv";
    if !operations(rw.body()).any(|op| is_left(op) && !rw.body().is_erased(op)) {
        return Ok(());
    }
    let Some((holder, function)) = rw.module().owner(rw.body_id()) else { return Ok(()) };
    if !rw.module().operation(holder, function)?.is("llvm.func") {
        return Ok(());
    }
    without::check(rw)?;
    erase_unreachable_blocks(rw)?;
    let strings: Vec<OpId> = rw.body().preorder().filter(|&op| rw.op(op).is("spirv.OpString")).collect();
    strings.into_iter().try_for_each(|op| rw.erase(op))
}
