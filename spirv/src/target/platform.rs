//! Targets by the names that `spirv-val` has for them.

use mlirbc_ir::text::parse_attribute;
use mlirbc_ir::{Attribute, Context};
use rspirv::spirv::Capability;
use rspirv::spirv::Capability as Has;

use super::environment::{Environment, of_triple, with_implied};
use crate::dialect::EnumKind;
use crate::dialect::attributes::{Triple, UNKNOWN};

/// A version of an API, or of SPIR-V alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Platform {
    /// Its name: `vulkan1.1`.
    pub name: &'static str,
    /// The latest minor version of SPIR-V 1 that it takes.
    pub version: u32,
    api: Api,
}

/// The `#spirv.target_env` that a name of a platform, or its own text, stands for. `None` where it is neither.
pub fn target_attribute(context: &Context, text: &str) -> Option<Attribute> {
    match Platform::find(text) {
        Some(platform) => Some(platform.attribute(context)),
        None => {
            let attribute = parse_attribute(context, text.as_bytes()).ok()?;
            Environment::of(context, attribute).map(|_| attribute)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Api {
    /// None: all that SPIR-V has.
    Any,
    OpenGl,
    /// A minor version of Vulkan 1.
    Vulkan(u32),
    /// A version of OpenCL, times ten.
    OpenCl(u32),
}

const fn platform(name: &'static str, version: u32, api: Api) -> Platform {
    Platform { name, version, api }
}

impl Platform {
    /// All of them.
    pub const ALL: &[Platform] = &[
        platform("spv1.0", 0, Api::Any),
        platform("spv1.1", 1, Api::Any),
        platform("spv1.2", 2, Api::Any),
        platform("spv1.3", 3, Api::Any),
        platform("spv1.4", 4, Api::Any),
        platform("spv1.5", 5, Api::Any),
        platform("spv1.6", 6, Api::Any),
        platform("vulkan1.0", 0, Api::Vulkan(0)),
        platform("vulkan1.1", 3, Api::Vulkan(1)),
        platform("vulkan1.1spv1.4", 4, Api::Vulkan(1)),
        platform("vulkan1.2", 5, Api::Vulkan(2)),
        platform("vulkan1.3", 6, Api::Vulkan(3)),
        platform("opencl1.2", 0, Api::OpenCl(12)),
        platform("opencl2.0", 0, Api::OpenCl(20)),
        platform("opencl2.1", 0, Api::OpenCl(21)),
        platform("opencl2.2", 2, Api::OpenCl(22)),
        platform("opengl4.0", 0, Api::OpenGl),
        platform("opengl4.1", 0, Api::OpenGl),
        platform("opengl4.2", 0, Api::OpenGl),
        platform("opengl4.3", 0, Api::OpenGl),
        platform("opengl4.5", 0, Api::OpenGl),
    ];

    /// Whether it is one of Vulkan's.
    pub(super) fn is_vulkan(&self) -> bool {
        matches!(self.api, Api::Vulkan(_))
    }

    /// The one of that name.
    pub fn find(name: &str) -> Option<&'static Platform> {
        Self::ALL.iter().find(|known| known.name == name)
    }

    /// Whether a module for it may declare that capability without an extension; `declared` are those that it declares before.
    pub fn has_capability(&self, capability: u32, declared: impl Fn(Capability) -> bool) -> bool {
        let since = |table: &[(u32, &[Capability])], version: u32| {
            let mut known = table.iter().filter(|row| row.0 <= version).flat_map(|row| row.1);
            known.any(|known| *known as u32 == capability)
        };
        match self.api {
            Api::Any | Api::OpenGl => true,
            Api::Vulkan(version) => since(VULKAN, version),
            Api::OpenCl(version) => {
                let images = OF_IMAGES.iter().any(|known| *known as u32 == capability);
                let writes = version >= 20 && capability == Capability::ImageReadWrite as u32;
                since(OPENCL, version) || (images || writes) && declared(Capability::ImageBasic)
            }
        }
    }

    /// The `#spirv.target_env` for it, with every capability that it knows. Extensions are nothing that a name could say.
    pub fn attribute(&self, context: &Context) -> Attribute {
        let api = match self.api {
            Api::Any => None,
            Api::OpenGl => EnumKind::ClientApi.value("OpenGL"),
            Api::Vulkan(_) => EnumKind::ClientApi.value("Vulkan"),
            Api::OpenCl(_) => EnumKind::ClientApi.value("OpenCL"),
        };
        of_triple(context, &self.triple(), api.unwrap_or(UNKNOWN))
    }

    /// What it has, but for extensions.
    pub(super) fn environment(&self) -> Environment {
        Environment::new(&self.triple())
    }

    fn triple(&self) -> Triple {
        let all = (0..1 << 13).filter(|&number| EnumKind::Capability.name(number).is_some());
        let mut capabilities: Vec<u32> = all.filter(|&number| self.has_capability(number, |_| true)).collect();
        // The first of `Shader` and `Kernel` says what code is for.
        let kernel = matches!(self.api, Api::OpenCl(_));
        let first = if kernel { Capability::Kernel } else { Capability::Shader } as u32;
        capabilities.sort_by_key(|&capability| capability != first);
        Triple { version: self.version, capabilities: with_implied(capabilities), extensions: Vec::new() }
    }
}

/// Since which minor version of Vulkan a module may declare which capabilities.
const VULKAN: &[(u32, &[Capability])] = &[
    (
        0,
        &[
            Has::Matrix,
            Has::Shader,
            Has::InputAttachment,
            Has::Sampled1D,
            Has::Image1D,
            Has::SampledBuffer,
            Has::ImageBuffer,
            Has::ImageQuery,
            Has::DerivativeControl,
            Has::Geometry,
            Has::Tessellation,
            Has::Float64,
            Has::Int64,
            Has::Int16,
            Has::TessellationPointSize,
            Has::GeometryPointSize,
            Has::ImageGatherExtended,
            Has::StorageImageMultisample,
            Has::UniformBufferArrayDynamicIndexing,
            Has::SampledImageArrayDynamicIndexing,
            Has::StorageBufferArrayDynamicIndexing,
            Has::StorageImageArrayDynamicIndexing,
            Has::ClipDistance,
            Has::CullDistance,
            Has::ImageCubeArray,
            Has::SampleRateShading,
            Has::SparseResidency,
            Has::MinLod,
            Has::SampledCubeArray,
            Has::ImageMSArray,
            Has::StorageImageExtendedFormats,
            Has::InterpolationFunction,
            Has::StorageImageReadWithoutFormat,
            Has::StorageImageWriteWithoutFormat,
            Has::MultiViewport,
            Has::Int64Atomics,
            Has::TransformFeedback,
            Has::GeometryStreams,
            Has::Float16,
            Has::Int8,
        ],
    ),
    (
        1,
        &[
            Has::DeviceGroup,
            Has::MultiView,
            Has::GroupNonUniform,
            Has::GroupNonUniformVote,
            Has::GroupNonUniformArithmetic,
            Has::GroupNonUniformBallot,
            Has::GroupNonUniformShuffle,
            Has::GroupNonUniformShuffleRelative,
            Has::GroupNonUniformClustered,
            Has::GroupNonUniformQuad,
            Has::DrawParameters,
            Has::StorageBuffer16BitAccess,
            Has::StorageUniform16,
            Has::StoragePushConstant16,
            Has::StorageInputOutput16,
            Has::VariablePointersStorageBuffer,
            Has::VariablePointers,
        ],
    ),
    (
        2,
        &[
            Has::ShaderNonUniform,
            Has::DenormPreserve,
            Has::DenormFlushToZero,
            Has::SignedZeroInfNanPreserve,
            Has::RoundingModeRTE,
            Has::RoundingModeRTZ,
            Has::VulkanMemoryModel,
            Has::VulkanMemoryModelDeviceScope,
            Has::StorageBuffer8BitAccess,
            Has::UniformAndStorageBuffer8BitAccess,
            Has::StoragePushConstant8,
            Has::ShaderViewportIndex,
            Has::ShaderLayer,
            Has::PhysicalStorageBufferAddresses,
            Has::RuntimeDescriptorArray,
            Has::UniformTexelBufferArrayDynamicIndexing,
            Has::StorageTexelBufferArrayDynamicIndexing,
            Has::UniformBufferArrayNonUniformIndexing,
            Has::SampledImageArrayNonUniformIndexing,
            Has::StorageBufferArrayNonUniformIndexing,
            Has::StorageImageArrayNonUniformIndexing,
            Has::InputAttachmentArrayNonUniformIndexing,
            Has::UniformTexelBufferArrayNonUniformIndexing,
            Has::StorageTexelBufferArrayNonUniformIndexing,
        ],
    ),
    (
        3,
        &[
            Has::DemoteToHelperInvocation,
            Has::DotProduct,
            Has::DotProductInputAll,
            Has::DotProductInput4x8Bit,
            Has::DotProductInput4x8BitPacked,
        ],
    ),
];

/// Since which version of OpenCL a kernel may declare which capabilities.
const OPENCL: &[(u32, &[Capability])] = &[
    (
        12,
        &[
            Has::Addresses,
            Has::Float16Buffer,
            Has::Int16,
            Has::Int8,
            Has::Int64,
            Has::Kernel,
            Has::Linkage,
            Has::Vector16,
            Has::ImageBasic,
            Has::Float64,
        ],
    ),
    (20, &[Has::DeviceEnqueue, Has::GenericPointer, Has::Groups, Has::Pipes]),
    (22, &[Has::SubgroupDispatch, Has::PipeStorage]),
];

/// What a kernel may declare with images.
const OF_IMAGES: &[Capability] =
    &[Has::LiteralSampler, Has::Sampled1D, Has::Image1D, Has::SampledBuffer, Has::ImageBuffer];
