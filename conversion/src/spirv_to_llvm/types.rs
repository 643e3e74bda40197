//! What types become.

use std::ops::ControlFlow;
use std::sync::Arc;

use hashbrown::HashSet;
use mlirbc_dialects::llvm::{ArrayType, PointerType, StructType, is_compatible};
use mlirbc_ir::{Context, Type, TypeData};
use mlirbc_rewrite::conversion::{Converted, TypeConverter, Types};
use mlirbc_spirv::dialect::types::{NumberOrSymbol, Rule, SpirvType, Struct, layout, size_in_bytes, view};

use super::constants::{Lengths, length};

/// The API that a module is for: it says which address spaces the storage classes of pointers are (`storageClassToAddressSpace` of
/// MLIR). Only [`ClientApi::OpenCl`] has any but 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientApi {
    /// None that is known.
    #[default]
    Unknown,
    /// Metal.
    Metal,
    /// OpenCL.
    OpenCl,
    /// Vulkan.
    Vulkan,
    /// WebGPU.
    WebGpu,
}

impl ClientApi {
    /// All of them, with their names in pipelines.
    pub const NAMES: [(&str, ClientApi); 5] = [
        ("Unknown", ClientApi::Unknown),
        ("Metal", ClientApi::Metal),
        ("OpenCL", ClientApi::OpenCl),
        ("Vulkan", ClientApi::Vulkan),
        ("WebGPU", ClientApi::WebGpu),
    ];

    /// The one of that name in pipelines.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|known| known.0 == name).map(|known| known.1)
    }

    /// The address space of a storage class.
    pub fn address_space(self, class: u32) -> u32 {
        use super::class::{CROSS_WORKGROUP, GENERIC, INPUT, UNIFORM_CONSTANT, WORKGROUP};
        match class {
            INPUT | CROSS_WORKGROUP if self == ClientApi::OpenCl => 1,
            UNIFORM_CONSTANT if self == ClientApi::OpenCl => 2,
            WORKGROUP if self == ClientApi::OpenCl => 3,
            GENERIC if self == ClientApi::OpenCl => 4,
            _ => 0,
        }
    }
}

/// Converts types of `spirv` to types of `llvm`.
///
/// | type | becomes |
/// | --- | --- |
/// | `si32`, `ui32` | `i32` |
/// | floats of 8 bits and less | integers of as many bits |
/// | `vector<4xsi32>` | `vector<4xi32>` |
/// | `!spirv.ptr<T, C>` | `!llvm.ptr` of the [address space](ClientApi::address_space) of the class |
/// | `!spirv.array<4 x T, stride=S>` | `!llvm.array<4 x T>`, where the stride is [the size](size_in_bytes) of an element |
/// | `!spirv.rtarray<T>` | `!llvm.array<0 x T>` |
/// | `!spirv.struct<(T, U)>` | `!llvm.struct<packed (T, U)>` |
/// | `!spirv.struct<(T [0], U [4])>` | `!llvm.struct<(T, U)>`, where the offsets are [those that MLIR gives](Rule::Upstream) |
///
/// The pass, which knows the module, makes `!llvm.struct<(T, U)>` of a struct without offsets where that is for OpenCL: its members stand as
/// those of C.
///
/// All others of `spirv` cannot be converted by MLIR; those that LLVM has stay. Beyond that, here:
///
/// | type | becomes |
/// | --- | --- |
/// | a struct with other offsets, or decorations | `!llvm.struct<packed (T, U)>`, as a value: in memory, it stands as SPIR-V says |
/// | an array with another stride | `!llvm.array<4 x T>`, in the same way |
/// | an array as long as a specialisation constant says | one as long as that is; the function here knows none |
/// | a run-time array with a stride | `!llvm.array<0 x T>` |
/// | `!spirv.matrix<4 x V>` | `!llvm.array<4 x V>` of its columns |
/// | `!spirv.event` | `!llvm.ptr` |
pub fn type_converter(api: ClientApi) -> TypeConverter {
    converter(api, Scope::All, Structs::Packed, &Arc::default())
}

/// The decoration of structs whose members follow each other byte by byte, in kernels.
const C_PACKED: u32 = 10;

/// How structs stand in memory of which nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structs {
    /// Member behind member, as MLIR has them.
    Packed,
    /// As in C, where they do not say that they are packed: the environment of OpenCL has them so.
    OfC,
}

/// Which types are converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those that MLIR converts.
    Mlir,
    All,
}

/// As [`type_converter`], where arrays may be as long as specialisation constants say.
pub(super) fn converter(api: ClientApi, scope: Scope, structs: Structs, lengths: &Arc<Lengths>) -> TypeConverter {
    let lengths = lengths.clone();
    TypeConverter::new()
        .rule(|types, ty| match is_compatible(types.context(), ty) {
            true => Converted::Type(ty),
            false => Converted::NotMine,
        })
        .rule(number_or_vector)
        .rule(move |types, ty| match view(types.context(), ty) {
            Some(of) => composite(types, ty, of, (api, scope, structs, &lengths)).into(),
            None => Converted::NotMine,
        })
}

/// Adds what types of `spirv` become to a converter: those that MLIR converts.
pub(crate) fn with_spirv(types: TypeConverter) -> TypeConverter {
    let lengths = Arc::<Lengths>::default();
    types.rule(move |types, ty| match view(types.context(), ty) {
        Some(of) => composite(types, ty, of, (ClientApi::Unknown, Scope::Mlir, Structs::Packed, &lengths)).into(),
        None => Converted::NotMine,
    })
}

fn number_or_vector(types: &mut Types<'_>, ty: Type) -> Converted {
    let context = types.context();
    match &context[ty] {
        TypeData::Integer { width, .. } => Converted::Type(context.integer_type(*width)),
        TypeData::Float(kind) if kind.width() <= 8 => Converted::Type(context.integer_type(kind.width())),
        TypeData::Vector { shape, scalable, element } if shape.len() == 1 => {
            let (shape, scalable) = (shape.clone(), scalable.clone());
            let element = types.convert(*element);
            element.map(|element| context.ty(TypeData::Vector { shape, scalable, element })).into()
        }
        _ => Converted::NotMine,
    }
}

fn composite(
    types: &mut Types<'_>,
    ty: Type,
    of: SpirvType<'_>,
    (api, scope, structs, lengths): (ClientApi, Scope, Structs, &Lengths),
) -> Option<Type> {
    let context = types.context();
    match of {
        SpirvType::Pointer { class, .. } => Some(PointerType::new(context, api.address_space(class)).into()),
        SpirvType::Array { element, count, stride } => {
            if scope == Scope::Mlir && matches!(count, NumberOrSymbol::Symbol(_)) {
                return None;
            }
            let count = length(context, count, lengths)?;
            if scope == Scope::Mlir && stride != 0 && size_in_bytes(context, element) != Some(stride.into()) {
                return None;
            }
            array(context, types.convert(element)?, count)
        }
        SpirvType::RuntimeArray { element, stride } if scope == Scope::All || stride == 0 => {
            array(context, types.convert(element)?, 0)
        }
        SpirvType::Struct(known) => structure(types, ty, &known, (scope, structs)),
        SpirvType::Matrix { column, columns } if scope == Scope::All => array(context, types.convert(column)?, columns),
        SpirvType::Other { .. } if scope == Scope::All && is_event(context, ty) => {
            Some(PointerType::new(context, 0).into())
        }
        _ => None,
    }
}

/// Whether a type is that of what a group waits for.
pub(super) fn is_event(context: &Context, ty: Type) -> bool {
    matches!(view(context, ty), Some(SpirvType::Other { instruction, .. }) if instruction.name == "TypeEvent")
}

fn array(context: &Context, element: Type, count: u32) -> Option<Type> {
    ArrayType::new(context, element, count.into()).ok().map(Into::into)
}

fn structure(types: &mut Types<'_>, ty: Type, of: &Struct, (scope, structs): (Scope, Structs)) -> Option<Type> {
    let context = types.context();
    let has_offsets = of.members.iter().any(|member| member.offset.is_some());
    let is_plain = of.members.iter().all(|member| member.decorations.is_empty())
        && (!has_offsets || layout(context, ty, Rule::Upstream).is_some_and(|layout| layout.ty == ty));
    if scope == Scope::Mlir && !is_plain {
        return None;
    }
    let members: Option<Vec<Type>> = of.members.iter().map(|member| types.convert(member.ty)).collect();
    let is_packed = match structs {
        Structs::OfC if !has_offsets => says_packed(of),
        _ => !(has_offsets && is_plain),
    };
    StructType::literal(context, &members?, is_packed).ok().map(Into::into)
}

/// Whether a struct says that nothing stands between its members.
fn says_packed(of: &Struct) -> bool {
    of.decorations.iter().any(|given| given.decoration == C_PACKED)
}

/// Calls a function with each struct in a type, and in what its pointers lead to, until it says that this is enough. What was seen is not
/// looked at again.
pub(super) fn each_struct(
    context: &Context,
    ty: Type,
    seen: &mut HashSet<Type>,
    mut visit: impl FnMut(&Struct) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut left = vec![ty];
    while let Some(ty) = left.pop() {
        if !seen.insert(ty) {
            continue;
        }
        if let TypeData::Function { inputs, results } = &context[ty] {
            left.extend(inputs.iter().chain(results));
        }
        match view(context, ty) {
            Some(SpirvType::Struct(of)) => {
                visit(&of)?;
                left.extend(of.members.iter().map(|member| member.ty));
            }
            Some(
                SpirvType::Pointer { pointee: inner, .. }
                | SpirvType::Array { element: inner, .. }
                | SpirvType::RuntimeArray { element: inner, .. },
            ) => left.push(inner),
            _ => {}
        }
    }
    ControlFlow::Continue(())
}

/// Whether a struct is in a type of which nothing says how its members stand in memory.
pub(super) fn says_nothing(context: &Context, ty: Type) -> bool {
    let says_nothing = |of: &Struct| match of.members.first() {
        Some(first) if of.members.len() > 1 && first.offset.is_none() && !says_packed(of) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    each_struct(context, ty, &mut HashSet::new(), says_nothing).is_break()
}

/// What an index leads to in a type of `llvm`. In a struct, the index has to be known.
pub(crate) fn inside(context: &Context, ty: Type, index: Option<u32>) -> Option<Type> {
    if let Some(of) = StructType::of(context, ty) {
        return of.member(context, index? as usize);
    }
    ArrayType::of(context, ty).map(|of| of.element(context)).or(context[ty].element())
}
