//! What types are available with.

use hashbrown::HashSet;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, Type, TypeData};
use rspirv::spirv::{Capability, StorageClass};

use super::availability::{Availability, Need, of_instruction};
use crate::dialect::EnumKind;
use crate::dialect::types::{SpirvType, view};

/// Each of these lets a module have integers of 8 bits; those that say where they are stored, only there.
pub(super) const BYTE: &[u32] = &[
    Capability::Int8 as u32,
    Capability::StorageBuffer8BitAccess as u32,
    Capability::UniformAndStorageBuffer8BitAccess as u32,
    Capability::StoragePushConstant8 as u32,
    Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR as u32,
];
/// The same for integers of 16 bits.
pub(super) const HALF: &[u32] = &[
    Capability::Int16 as u32,
    Capability::StorageBuffer16BitAccess as u32,
    Capability::StorageUniform16 as u32,
    Capability::StoragePushConstant16 as u32,
    Capability::StorageInputOutput16 as u32,
    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR as u32,
];
/// The same for floating-point numbers of 16 bits.
pub(super) const HALF_FLOAT: &[u32] = &[
    Capability::Float16 as u32,
    Capability::Float16Buffer as u32,
    Capability::StorageBuffer16BitAccess as u32,
    Capability::StorageUniform16 as u32,
    Capability::StoragePushConstant16 as u32,
    Capability::StorageInputOutput16 as u32,
    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR as u32,
];

/// The capabilities that types are asked for.
pub(super) const ASKED: &[u32] = {
    use Capability as Has;
    &[
        Has::Int8 as u32,
        Has::Int16 as u32,
        Has::Int64 as u32,
        Has::Float16 as u32,
        Has::Float64 as u32,
        Has::Vector16 as u32,
        Has::StorageBuffer8BitAccess as u32,
        Has::UniformAndStorageBuffer8BitAccess as u32,
        Has::StoragePushConstant8 as u32,
        Has::StorageBuffer16BitAccess as u32,
        Has::StorageUniform16 as u32,
        Has::StoragePushConstant16 as u32,
        Has::StorageInputOutput16 as u32,
    ]
};

/// With which a need of a type is met as well, that MLIR does not say: a number that is only stored, loaded and converted needs nothing
/// but where it is stored, and of a `BufferBlock`, which is in `Uniform`, what a `StorageBuffer` needs is enough.
pub(crate) fn relaxed(need: Need) -> Need {
    use Capability as Has;
    const UNIFORM_BYTE: &[u32] = &[Has::UniformAndStorageBuffer8BitAccess as u32, Has::StorageBuffer8BitAccess as u32];
    const UNIFORM_HALF: &[u32] = &[Has::StorageUniform16 as u32, Has::StorageBuffer16BitAccess as u32];
    let Need::Capability(&[capability]) = need else { return need };
    let known = [BYTE, HALF, HALF_FLOAT, UNIFORM_BYTE, UNIFORM_HALF];
    known.into_iter().find(|list| list[0] == capability).map_or(need, Need::Capability)
}

/// Gives each need of a type: what it is made of included. Of a type that is stored, the storage class counts, which a pointer says.
pub fn of_type(context: &Context, ty: Type, each: &mut dyn FnMut(Need)) {
    // The parts that are left to look at, the next one last; needs of a type that come behind those of its parts stand there as well.
    enum Left {
        Type(Type, Option<StorageClass>),
        Needs(&'static [Need]),
        Of(&'static Availability),
    }
    // Most types are numbers.
    match &context[ty] {
        TypeData::Integer { width, .. } => return scalar(*width, None, None, each),
        TypeData::Float(kind) => return scalar(kind.width(), Some(*kind), None, each),
        _ => {}
    }
    let (mut left, mut seen) = (vec![Left::Type(ty, None)], HashSet::new());
    while let Some(next) = left.pop() {
        let (ty, class) = match next {
            Left::Type(ty, class) => (ty, class),
            Left::Needs(needs) => {
                needs.iter().for_each(|need| each(*need));
                continue;
            }
            Left::Of(found) => {
                found.needs().for_each(&mut *each);
                continue;
            }
        };
        if !seen.insert((ty, class.map(|class| class as u32))) {
            continue;
        }
        match &context[ty] {
            TypeData::Integer { width, .. } => scalar(*width, None, class, each),
            TypeData::Float(kind) => scalar(kind.width(), Some(*kind), class, each),
            TypeData::Vector { shape, element, .. } => {
                if let [8 | 16] = shape[..] {
                    left.push(Left::Needs(&[Need::Capability(&[Capability::Vector16 as u32])]));
                }
                left.push(Left::Type(*element, class));
            }
            _ => match view(context, ty) {
                Some(SpirvType::Array { element, .. }) => left.push(Left::Type(element, class)),
                Some(SpirvType::RuntimeArray { element, .. }) => {
                    left.push(Left::Needs(&[Need::Capability(&[Capability::Shader as u32])]));
                    left.push(Left::Type(element, class));
                }
                Some(SpirvType::Matrix { column, .. }) => {
                    left.push(Left::Needs(&[Need::Capability(&[Capability::Matrix as u32])]));
                    left.push(Left::Type(column, class));
                }
                Some(SpirvType::Pointer { pointee, class }) => {
                    left.extend(Availability::of(EnumKind::StorageClass, class).map(Left::Of));
                    left.push(Left::Type(pointee, StorageClass::from_u32(class)));
                }
                Some(SpirvType::Struct(structure)) => {
                    left.extend(structure.members.iter().rev().map(|member| Left::Type(member.ty, class)));
                }
                Some(SpirvType::Image(image)) => {
                    left.push(Left::Type(image.sampled, class));
                    left.extend(Availability::of(EnumKind::ImageFormat, image.format).map(Left::Of));
                    left.extend(Availability::of(EnumKind::Dim, image.dim).map(Left::Of));
                }
                Some(SpirvType::SampledImage(image)) => left.push(Left::Type(image, class)),
                Some(SpirvType::CooperativeMatrix { element, .. }) => {
                    left.push(Left::Needs(&[
                        Need::Extension(&["SPV_KHR_cooperative_matrix"]),
                        Need::Capability(&[Capability::CooperativeMatrixKHR as u32]),
                    ]));
                    left.push(Left::Type(element, class));
                }
                Some(SpirvType::Tensor { element, .. }) => {
                    left.push(Left::Needs(&[
                        Need::Extension(&["SPV_ARM_tensors"]),
                        Need::Capability(&[Capability::TensorsARM as u32]),
                    ]));
                    left.push(Left::Type(element, class));
                }
                Some(SpirvType::Other { instruction, .. }) => {
                    left.extend(of_instruction(instruction.opcode).map(Left::Of))
                }
                Some(SpirvType::Reference(_)) | None => {}
            },
        }
    }
}

/// Gives the needs of a number of so many bits, which is stored in that class.
fn scalar(width: u32, float: Option<FloatKind>, class: Option<StorageClass>, each: &mut dyn FnMut(Need)) {
    use Capability as Has;
    use StorageClass::{Input, Output, PushConstant, StorageBuffer, Uniform};
    macro_rules! need {
        ($capability:ident) => {
            each(Need::Capability(&[Has::$capability as u32]))
        };
        ($capability:ident with $extension:literal) => {{
            each(Need::Extension(&[$extension]));
            need!($capability);
        }};
    }
    match (width, float) {
        (16, Some(FloatKind::BF16)) => each(Need::Extension(&["SPV_KHR_bfloat16"])),
        (8, Some(_)) => each(Need::Extension(&["SPV_EXT_float8"])),
        _ => {}
    }
    match (width, class, float) {
        (8, Some(PushConstant), _) => need!(StoragePushConstant8 with "SPV_KHR_8bit_storage"),
        (8, Some(StorageBuffer), _) => need!(StorageBuffer8BitAccess with "SPV_KHR_8bit_storage"),
        (8, Some(Uniform), _) => need!(UniformAndStorageBuffer8BitAccess with "SPV_KHR_8bit_storage"),
        (16, Some(PushConstant), _) => need!(StoragePushConstant16 with "SPV_KHR_16bit_storage"),
        (16, Some(StorageBuffer), _) => need!(StorageBuffer16BitAccess with "SPV_KHR_16bit_storage"),
        (16, Some(Uniform), _) => need!(StorageUniform16 with "SPV_KHR_16bit_storage"),
        (16, Some(Input | Output), _) => need!(StorageInputOutput16 with "SPV_KHR_16bit_storage"),
        (8, _, None) => need!(Int8),
        (16, _, None) => need!(Int16),
        (64, _, None) => need!(Int64),
        (8, _, Some(_)) => need!(Float8EXT),
        (16, _, Some(FloatKind::BF16)) => need!(BFloat16TypeKHR),
        (16, _, Some(_)) => need!(Float16),
        (64, _, Some(_)) => need!(Float64),
        _ => {}
    }
}
