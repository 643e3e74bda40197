//! What types become in SPIR-V for a target.

use std::sync::Arc;

use mlirbc_dialects::gpu::MmaMatrix;
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, DYNAMIC, NumberKind, Result, Rewriter, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Converted, TypeConverter};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::dialect::types::{self, Image, Member, Struct};
use mlirbc_spirv::target::{Environment, Need, of_type};
use rspirv::spirv::{Capability, CooperativeMatrixUse, Dim, ImageFormat, Scope, StorageClass};

use super::TypeOptions;
use super::emit::one;
use crate::common::with_element;

/// What types become in SPIR-V for a target (`SPIRVTypeConverter` of MLIR): the rules, and what they are made of.
#[derive(Clone, Debug)]
pub struct SpirvTypeConverter {
    /// What is given to patterns.
    types: Arc<TypeConverter>,
    rules: Arc<Rules>,
}

/// What the rules look at.
#[derive(Debug)]
struct Rules {
    environment: Environment,
    options: TypeOptions,
    /// Whether matrices of subgroups become cooperative matrices.
    matrices: bool,
}

impl SpirvTypeConverter {
    /// For a target that has all that `environment` says.
    pub fn new(environment: Environment, options: TypeOptions) -> Self {
        Self::of(Rules { environment, options, matrices: false })
    }

    /// As [`SpirvTypeConverter::new`], and `!gpu.mma_matrix` becomes a cooperative matrix.
    pub fn with_matrices(environment: Environment, options: TypeOptions) -> Self {
        Self::of(Rules { environment, options, matrices: true })
    }

    fn of(rules: Rules) -> Self {
        let rules = Arc::new(rules);
        let (convert, cast) = (rules.clone(), rules.clone());
        let types = TypeConverter::new()
            .rule(move |types, ty| convert.converted(types.context(), ty))
            .source(move |rw, values, ty| cast.back(rw, values, ty));
        SpirvTypeConverter { types: Arc::new(types), rules }
    }

    /// The rules, for patterns of one's own.
    pub fn types(&self) -> &Arc<TypeConverter> {
        &self.types
    }

    /// What a type becomes; `None` where it cannot be converted.
    pub fn convert(&self, context: &Context, ty: Type) -> Option<Type> {
        self.types.convert(context, ty)
    }

    /// What `index` becomes.
    pub fn index_type(&self, context: &Context) -> Type {
        self.rules.index(context)
    }

    /// What the target has.
    pub fn environment(&self) -> &Environment {
        &self.rules.environment
    }

    /// What was chosen.
    pub fn options(&self) -> TypeOptions {
        self.rules.options
    }

    /// Whether the target has that capability.
    pub fn has(&self, capability: Capability) -> bool {
        self.rules.has(capability)
    }
}

/// Whether a type is one of a single number that SPIR-V has: of 8, 16, 32 or 64 bits, or of truth.
pub(crate) fn is_scalar(context: &Context, ty: Type) -> bool {
    match context[ty] {
        TypeData::Integer { width, .. } => matches!(width, 1 | 8 | 16 | 32 | 64),
        TypeData::Float(kind) => matches!(kind, FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64),
        _ => false,
    }
}

/// Whether a type is a vector that SPIR-V may have: of 2 to 4, 8 or 16 numbers.
fn is_vector(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::Vector { shape, scalable, element } => {
            matches!(**shape, [2 | 3 | 4 | 8 | 16]) && !scalable.contains(&true) && is_scalar(context, *element)
        }
        _ => false,
    }
}

/// Whether values of SPIR-V may be of the type, on some target.
pub(crate) fn is_spirv(context: &Context, ty: Type) -> bool {
    is_scalar(context, ty) || is_vector(context, ty) || types::view(context, ty).is_some()
}

/// Whether shaders want to be told where things stand in memory of that class.
fn has_layout(class: StorageClass) -> bool {
    use StorageClass::{PhysicalStorageBuffer, PushConstant, StorageBuffer, Uniform};
    matches!(class, PhysicalStorageBuffer | PushConstant | StorageBuffer | Uniform)
}

impl Rules {
    fn has(&self, capability: Capability) -> bool {
        self.environment.has_capability(capability as u32)
    }

    fn converted(&self, context: &Context, ty: Type) -> Converted {
        match &context[ty] {
            TypeData::Index => Some(self.index(context)),
            TypeData::Integer { .. } if is_scalar(context, ty) => self.scalar(context, ty, None),
            TypeData::Integer { width: ..8, .. } => narrow(context, ty),
            TypeData::Integer { .. } => None,
            TypeData::Float(_) if is_scalar(context, ty) => self.scalar(context, ty, None),
            // Whether the target has integers of 8 bits or not.
            TypeData::Float(kind) if kind.width() == 8 && self.options.emulate_unsupported_float_types => {
                Some(context.integer_type(8))
            }
            TypeData::Float(_) => None,
            TypeData::Complex(element) => self.complex(context, *element, None),
            TypeData::Vector { .. } => self.vector(context, ty, None),
            TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_) => self.tensor(context, ty),
            TypeData::MemRef { .. } => self.memref(context, ty),
            _ if types::view(context, ty).is_some() => Some(ty),
            TypeData::Dialect(_) if self.matrices => matrix(context, ty),
            _ => return Converted::NotMine,
        }
        .into()
    }

    fn index(&self, context: &Context) -> Type {
        context.integer_type(if self.options.use_64bit_index { 64 } else { 32 })
    }

    /// Whether the target has all that a type needs, where it is kept in memory of that class.
    fn allows(&self, context: &Context, ty: Type, class: Option<StorageClass>) -> bool {
        let mut all = true;
        let mut meets = |need: Need| all &= self.environment.meets(need).is_some();
        match class {
            None => of_type(context, ty, &mut meets),
            // What a pointer needs for its class is not asked.
            Some(class) => {
                let wanted = types::pointer(context, ty, class as u32);
                let mut of_class = Vec::new();
                let void = types::pointer(context, context.integer_type(32), class as u32);
                of_type(context, void, &mut |need| of_class.push(need));
                of_type(context, wanted, &mut |need| {
                    if !of_class.contains(&need) {
                        meets(need);
                    }
                });
            }
        }
        all
    }

    /// A number: itself where the target has it, and else one of 32 bits, if it is no wider.
    fn scalar(&self, context: &Context, ty: Type, class: Option<StorageClass>) -> Option<Type> {
        if self.allows(context, ty, class) {
            return Some(ty);
        }
        if !self.options.emulate_lt_32_bit_scalar_types {
            return None;
        }
        match context[ty] {
            TypeData::Integer { width: ..=32, signedness } => {
                Some(context.ty(TypeData::Integer { width: 32, signedness }))
            }
            TypeData::Float(kind) if kind.width() <= 32 => Some(context.float_type(FloatKind::F32)),
            _ => None,
        }
    }

    fn complex(&self, context: &Context, element: Type, class: Option<StorageClass>) -> Option<Type> {
        let same = is_scalar(context, element) && self.scalar(context, element, class) == Some(element);
        same.then(|| vector_of(context, 2, element))
    }

    fn vector(&self, context: &Context, ty: Type, class: Option<StorageClass>) -> Option<Type> {
        let TypeData::Vector { shape, element, .. } = &context[ty] else { return None };
        let (element, ty) = match context[*element] {
            TypeData::Index => (self.index(context), with_element(context, ty, self.index(context))),
            TypeData::Float(kind) if kind.width() == 8 && self.options.emulate_unsupported_float_types => {
                let byte = context.integer_type(8);
                (byte, with_element(context, ty, byte))
            }
            _ => (*element, ty),
        };
        let count = context[ty].element_count()?;
        let single = shape.len() <= 1 && count == 1;
        if !is_scalar(context, element) {
            let element = narrow(context, element)?;
            return match single {
                true => Some(element),
                false => (count <= 4).then(|| with_element(context, ty, element)),
            };
        }
        if single {
            return self.scalar(context, element, class);
        }
        if !is_vector(context, ty) {
            return None;
        }
        if self.allows(context, ty, class) {
            return Some(ty);
        }
        Some(with_element(context, ty, self.scalar(context, element, class)?))
    }

    fn tensor(&self, context: &Context, ty: Type) -> Option<Type> {
        let TypeData::RankedTensor { shape, element, .. } = &context[ty] else { return None };
        let element = match context[*element] {
            TypeData::Index => self.index(context),
            _ => *element,
        };
        if shape.contains(&DYNAMIC) || !is_scalar(context, element) {
            return None;
        }
        byte_size(context, element)?;
        let count = u32::try_from(context[ty].element_count()?).ok().filter(|count| *count > 0)?;
        let element = self.scalar(context, element, None)?;
        byte_size(context, element)?;
        Some(types::array(context, element, count, 0))
    }

    fn memref(&self, context: &Context, ty: Type) -> Option<Type> {
        let TypeData::MemRef { shape, element, space, .. } = &context[ty] else { return None };
        let class = StorageClass::from_u32(enumerant_of(context, (*space)?, EnumKind::StorageClass)?)?;
        if class == StorageClass::Image {
            return self.image(context, *element, shape.len());
        }
        let is_static = !shape.contains(&DYNAMIC);
        // How many bytes there are.
        let bits = match context[*element] {
            TypeData::Integer { width: 1, .. } => Some(self.options.bool_num_bits),
            TypeData::Integer { width, .. } if width < 8 => Some(width),
            _ => None,
        };
        let (stored, size) = match (&context[*element], bits) {
            (TypeData::Integer { width: 1, .. }, Some(8)) => {
                (self.scalar(context, context.integer_type(8), Some(class))?, None)
            }
            (TypeData::Integer { width: 1, .. }, _) => return None,
            (_, Some(_)) => (narrow(context, *element)?, None),
            (TypeData::Vector { .. }, _) => (self.vector(context, *element, Some(class))?, Some(*element)),
            (TypeData::Complex(of), _) => (self.complex(context, *of, Some(class))?, Some(*element)),
            (TypeData::Index, _) => (self.index(context), Some(self.index(context))),
            (TypeData::Float(kind), _) if kind.width() == 8 && self.options.emulate_unsupported_float_types => {
                let byte = context.integer_type(8);
                (self.scalar(context, byte, Some(class))?, Some(byte))
            }
            _ if is_scalar(context, *element) => (self.scalar(context, *element, Some(class))?, Some(*element)),
            _ => return None,
        };
        let each = byte_size(context, stored)?;
        let stride = if has_layout(class) { u32::try_from(each).ok()? } else { 0 };
        let array = match is_static {
            false if self.has(Capability::Kernel) => return Some(types::pointer(context, stored, class as u32)),
            false => types::runtime_array(context, stored, stride),
            true => {
                let bytes = match bits {
                    Some(bits) => context[ty].element_count()?.checked_mul(bits.into())?.div_ceil(8),
                    None => memref_size(context, ty, size?)?,
                };
                let count = u32::try_from(bytes.div_ceil(each)).ok().filter(|count| *count > 0)?;
                types::array(context, stored, count, stride)
            }
        };
        let pointee = match self.has(Capability::Kernel) {
            true => array,
            false => {
                let offset = has_layout(class).then_some(0);
                let member = Member { offset, ..Member::from(array) };
                types::structure(context, &Struct { members: vec![member], ..Struct::default() })
            }
        };
        Some(types::pointer(context, pointee, class as u32))
    }

    /// Memory that is an image, of so many dimensions: a pointer to it and how it is sampled. The format of numbers of another size than 16
    /// or 32 bits is not what they are, as in MLIR.
    fn image(&self, context: &Context, element: Type, dimensions: usize) -> Option<Type> {
        if !is_scalar(context, element) {
            return None;
        }
        let format = match context[element] {
            TypeData::Float(FloatKind::F16) => ImageFormat::R16f,
            TypeData::Float(FloatKind::F32) => ImageFormat::R32f,
            TypeData::Integer { width: 16, signedness: Signedness::Unsigned } => ImageFormat::R16ui,
            TypeData::Integer { width: 16, .. } => ImageFormat::R16i,
            TypeData::Integer { width: 32, signedness: Signedness::Unsigned } => ImageFormat::R32ui,
            TypeData::Float(FloatKind::BF16) => return None,
            _ => ImageFormat::R32i,
        };
        let dim = match dimensions {
            1 => Dim::Dim1D,
            2 => Dim::Dim2D,
            3 => Dim::Dim3D,
            _ => return None,
        };
        let image = types::image(
            context,
            &Image {
                sampled: element,
                dim: dim as u32,
                depth: 2,
                arrayed: 0,
                multisampled: 0,
                sampler_use: 1,
                format: format as u32,
                access: None,
            },
        );
        let sampled = types::sampled_image(context, image);
        Some(types::pointer(context, sampled, StorageClass::UniformConstant as u32))
    }

    /// A value of a type that was converted, from what it became. An integer that the target has is made of a wider one.
    fn back(&self, rw: &mut Rewriter<'_>, values: &[Value], ty: Type) -> Result<Option<Value>> {
        let &[value] = values else { return Ok(None) };
        let context = rw.context();
        let from = rw.module().ty(rw.body().ty(value))?;
        let (&TypeData::Integer { width, signedness }, &TypeData::Integer { width: wide, .. }) =
            (&context[ty], &context[from])
        else {
            return Ok(None);
        };
        if !is_scalar(context, ty) || wide < width {
            return Ok(None);
        }
        let made = if width == 1 && signedness == Signedness::Signless {
            let one = one(context, from)?;
            let one = rw.build("spirv.Constant").attribute("value", one).result_type(from).create()?;
            let one = rw.result(one, 0)?;
            rw.build("spirv.IEqual").operands([value, one]).result_type(ty).create()?
        } else if self.allows(context, ty, None) {
            let name = if signedness == Signedness::Signed { "spirv.SConvert" } else { "spirv.UConvert" };
            rw.build(name).operands([value]).result_type(ty).create()?
        } else {
            return Ok(None);
        };
        rw.result(made, 0).map(Some)
    }
}

/// What an integer of fewer bits than a byte becomes: SPIR-V has none. `None` where these are no power of two.
fn narrow(context: &Context, ty: Type) -> Option<Type> {
    match context[ty] {
        TypeData::Integer { width, signedness } if width <= 8 && width.is_power_of_two() => {
            Some(context.ty(TypeData::Integer { width: 32, signedness }))
        }
        _ => None,
    }
}

/// A matrix that a subgroup holds together.
fn matrix(context: &Context, ty: Type) -> Option<Type> {
    let MmaMatrix { shape, element, operand } = MmaMatrix::of(context, ty)?;
    let usage = match &*operand {
        "AOp" => CooperativeMatrixUse::MatrixAKHR,
        "BOp" => CooperativeMatrixUse::MatrixBKHR,
        "COp" => CooperativeMatrixUse::MatrixAccumulatorKHR,
        _ => return None,
    };
    let [rows, columns] = *shape.as_slice() else { return None };
    let sizes = [u32::try_from(rows).ok()?.into(), u32::try_from(columns).ok()?.into()];
    let (scope, usage) = ((Scope::Subgroup as u32).into(), (usage as u32).into());
    Some(types::cooperative_matrix(context, sizes, element, scope, usage))
}

pub(crate) fn vector_of(context: &Context, count: i64, element: Type) -> Type {
    context.ty(TypeData::Vector { shape: [count].into(), scalable: [].into(), element })
}

/// How many bytes a number takes, or a vector of these; `None` where it has none that could be told.
pub(crate) fn byte_size(context: &Context, ty: Type) -> Option<u64> {
    match &context[ty] {
        TypeData::Complex(element) => byte_size(context, *element)?.checked_mul(2),
        data @ TypeData::Vector { element, .. } => byte_size(context, *element)?.checked_mul(data.element_count()?),
        _ if is_scalar(context, ty) => {
            let width = NumberKind::of(context, ty)?.width();
            (width > 1).then_some(u64::from(width / 8))
        }
        _ => None,
    }
}

/// How many bytes the elements of a memref take, each as many as `element`, with what stands between them.
fn memref_size(context: &Context, ty: Type, element: Type) -> Option<u64> {
    let each = byte_size(context, element)?;
    let Strides { strides, offset } = Strides::of(context, ty)?;
    let shape = context[ty].shape()?;
    if shape.is_empty() {
        return Some(each);
    }
    if offset == DYNAMIC || strides.contains(&DYNAMIC) {
        return None;
    }
    let ends = shape.iter().zip(strides).map(|(&size, stride)| size.checked_mul(stride));
    let furthest = ends.collect::<Option<Vec<_>>>()?.into_iter().max()?.max(-1);
    u64::try_from(offset.checked_add(furthest)?).ok()?.checked_mul(each)
}
