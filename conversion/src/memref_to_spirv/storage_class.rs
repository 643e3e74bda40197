//! `map-memref-spirv-storage-class` (`mlir/lib/Conversion/MemRefToSPIRV/MapMemRefStorageClassPass.cpp`): memory spaces that are numbers
//! become storage classes of SPIR-V, wherever a type stands.

use mlirbc_ir::{Attribute, AttributeData, BodyId, Context, Error, Module, OpId, OpRef, Result, Type, TypeData};
use mlirbc_rewrite::{MakePass, OptionInfo, Pass, PassInfo, Target};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::{enumerant, enumerant_of};
use mlirbc_spirv::target::{Environment, lookup};
use rspirv::spirv::{Capability, StorageClass};

/// Which storage classes numbers of memory spaces stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spaces {
    /// Those of shaders.
    Vulkan,
    /// Those of kernels.
    OpenCl,
}

impl Spaces {
    /// Those of that name: `vulkan` or `opencl`.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "vulkan" => Some(Spaces::Vulkan),
            "opencl" => Some(Spaces::OpenCl),
            _ => None,
        }
    }

    /// The storage class of a number.
    pub fn class(self, number: u64) -> Option<StorageClass> {
        Some(match (self, number) {
            (Spaces::Vulkan, 0) => StorageClass::StorageBuffer,
            (Spaces::OpenCl, 0) => StorageClass::CrossWorkgroup,
            (_, 1) => StorageClass::Generic,
            (_, 3) => StorageClass::Workgroup,
            (Spaces::Vulkan, 4) => StorageClass::Uniform,
            (Spaces::OpenCl, 4) => StorageClass::UniformConstant,
            (_, 5) => StorageClass::Private,
            (_, 6) => StorageClass::Function,
            (Spaces::Vulkan, 7) => StorageClass::PushConstant,
            (Spaces::OpenCl, 7) => StorageClass::Image,
            (Spaces::Vulkan, 8) => StorageClass::UniformConstant,
            (Spaces::Vulkan, 9) => StorageClass::Input,
            (Spaces::Vulkan, 10) => StorageClass::Output,
            (Spaces::Vulkan, 11) => StorageClass::PhysicalStorageBuffer,
            (Spaces::Vulkan, 12) => StorageClass::Image,
            _ => return None,
        })
    }
}

/// Gives memory in an operation, and in all that is in it, storage classes, where memory spaces have such.
///
/// # Errors
/// Where something of it cannot be read.
pub fn assign(module: &mut Module, op: (BodyId, OpId), spaces: Spaces) -> Result<()> {
    let context = module.context().clone();
    module.replace_types(op, &|ty| mapped(&context, ty, spaces).unwrap_or(ty))
}

/// As [`assign`], where memory of every space has to have a class.
///
/// # Errors
/// Where a memory space has none: the module has those classes by then that others have.
pub fn map(module: &mut Module, op: (BodyId, OpId), spaces: Spaces) -> Result<()> {
    assign(module, op, spaces)?;
    for op in module.operation(op.0, op.1)?.walk()? {
        if !is_legal(op)? {
            return Err(Error::verification(format!(
                "failed to legalize memory spaces of '{}', {}",
                op.name(),
                op.path()
            )));
        }
    }
    Ok(())
}

/// A type of memory with a storage class. `None` of other types, and where the memory space has none.
fn mapped(context: &Context, ty: Type, spaces: Spaces) -> Option<Type> {
    let class = |space: Option<Attribute>| {
        let number = match space {
            None => 0,
            Some(space) => match &context[space] {
                AttributeData::Integer { value, .. } => value.to_u64()?,
                _ => return None,
            },
        };
        Some(enumerant(context, EnumKind::StorageClass, spaces.class(number)? as u32))
    };
    let new = match context[ty].clone() {
        TypeData::MemRef { shape, element, layout, space } => {
            TypeData::MemRef { shape, element, layout, space: Some(class(space)?) }
        }
        TypeData::UnrankedMemRef { element, space } => TypeData::UnrankedMemRef { element, space: Some(class(space)?) },
        _ => return None,
    };
    Some(context.ty(new))
}

/// Whether memory of a type has a storage class.
fn has_class(context: &Context, ty: Type) -> bool {
    match context[ty] {
        TypeData::MemRef { space, .. } | TypeData::UnrankedMemRef { space, .. } => {
            space.is_some_and(|space| enumerant_of(context, space, EnumKind::StorageClass).is_some())
        }
        _ => true,
    }
}

fn is_legal(op: OpRef<'_>) -> Result<bool> {
    let context = op.module().context();
    for value in op.operands().iter().copied().chain(op.results()) {
        if !has_class(context, op.type_of(value)?) {
            return Ok(false);
        }
    }
    let dictionaries: [Option<Attribute>; 2] = op.dictionaries()?.into();
    for (_, value) in dictionaries.into_iter().flatten().flat_map(|it| context.entries(it).unwrap_or_default()) {
        let AttributeData::Type(ty) = context[*value] else { continue };
        let is_legal = match &context[ty] {
            TypeData::Function { inputs, results } => inputs.iter().chain(results).all(|&ty| has_class(context, ty)),
            _ => has_class(context, ty),
        };
        if !is_legal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// As a pass: for the API that is asked for, or the one of the target.
struct MapStorageClass(Option<Spaces>);

pub(crate) const INFO: PassInfo = PassInfo {
    name: "map-memref-spirv-storage-class",
    about: "make storage classes of SPIR-V of memory spaces that are numbers",
    options: &[OptionInfo { name: "client-api", about: "which classes numbers stand for: vulkan or opencl" }],
    make: MakePass::With(|options| {
        let spaces = options
            .text("client-api")
            .map(|name| Spaces::of_name(name).ok_or_else(|| format!("`{name}` is no client API: vulkan or opencl")));
        Ok(Box::new(MapStorageClass(spaces.transpose()?)))
    }),
};

impl Pass for MapStorageClass {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let place = target.place();
        let context = target.context();
        let environment = lookup(target.op()?)?.and_then(|said| Environment::of(context, said));
        let is_kernel = |environment: Environment| environment.has_capability(Capability::Kernel as u32);
        let usual = if environment.is_some_and(is_kernel) { Spaces::OpenCl } else { Spaces::Vulkan };
        map(target.module(), place, self.0.unwrap_or(usual))
    }
}
