//! What types become.

use std::sync::Arc;

use mlirbc_dialects::llvm::{ArrayType, FunctionType, PointerType, StructType, is_compatible};
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{Context, DYNAMIC, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{CAST, Converted, TypeConverter, Types};

use super::LlvmOptions;
use super::descriptors::Descriptor;
use super::layouts::{address_space, descriptor, descriptor_parts};
use super::unranked;

/// Converts types to those of `llvm` (`LLVMTypeConverter` of MLIR).
///
/// | type | becomes |
/// | --- | --- |
/// | `index` | an integer of as many bits as [the options](LlvmOptions) say |
/// | integers with a sign, floats of 8 bits and less | integers of as many bits |
/// | `complex<T>` | `!llvm.struct<(T, T)>` |
/// | `(T) -> U` | `!llvm.ptr` |
/// | `vector<2x4xT>` | `!llvm.array<2 x vector<4xT>>` |
/// | `memref<2x?xT>` | `!llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>` |
/// | `memref<*xT>` | `!llvm.struct<(i64, ptr)>` |
///
/// A copy costs nothing.
///
/// ```
/// use mlirbc_conversion::to_llvm::{LlvmOptions, LlvmTypeConverter};
/// use mlirbc_ir::text::{parse_type, print_type};
///
/// let context = mlirbc_dialects::context();
/// let types = LlvmTypeConverter::new(LlvmOptions::new().index_bits(32));
/// let memory = parse_type(&context, b"memref<?xindex>")?;
/// let becomes = types.convert(&context, memory).ok_or("no type of llvm")?;
/// assert_eq!(print_type(&context, becomes)?, "!llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LlvmTypeConverter {
    types: Arc<TypeConverter>,
    options: LlvmOptions,
}

impl LlvmTypeConverter {
    /// One for these options.
    pub fn new(options: LlvmOptions) -> Self {
        Self::with(options, |types| types)
    }

    /// As [`LlvmTypeConverter::new`], with more rules.
    pub(crate) fn with(options: LlvmOptions, more: impl FnOnce(TypeConverter) -> TypeConverter) -> Self {
        let types = TypeConverter::new()
            .rule(move |types, ty| builtin(types, ty, options))
            .rule(|types, ty| match is_compatible(types.context(), ty) {
                true => Converted::Type(ty),
                false => Converted::NotMine,
            })
            .rule(composed)
            .source(|rw, values, ty| plain_cast(rw, values, ty).map(Some))
            .target(|rw, values, types, _| match types {
                &[ty] => Ok(Some(vec![plain_cast(rw, values, ty)?])),
                _ => Ok(None),
            })
            .source(move |rw, values, ty| match packed(rw, values, ty, options)? {
                Some(packed) => plain_cast(rw, &[packed], ty).map(Some),
                None => Ok(None),
            })
            .target(move |rw, values, types, original| {
                let (&[ty], Some(original)) = (types, original) else { return Ok(None) };
                match descriptor(rw.context(), original, options) == Some(ty) {
                    true => Ok(packed(rw, values, original, options)?.map(|packed| vec![packed])),
                    false => Ok(None),
                }
            });
        LlvmTypeConverter { types: Arc::new(more(types)), options }
    }

    /// The rules, for patterns.
    pub fn types(&self) -> &Arc<TypeConverter> {
        &self.types
    }

    /// What the converter was told.
    pub fn options(&self) -> LlvmOptions {
        self.options
    }

    /// What a type becomes. `None` where it cannot be converted.
    pub fn convert(&self, context: &Context, ty: Type) -> Option<Type> {
        self.types.convert(context, ty)
    }

    /// What an `index` becomes.
    pub fn index(&self, context: &Context) -> Type {
        context.integer_type(self.options.index_bits)
    }

    /// What memory becomes where a function takes it as a pointer: memory whose layout is known.
    pub(crate) fn bare_pointer(&self, context: &Context, ty: Type) -> Option<Type> {
        let TypeData::MemRef { shape, element, space, .. } = &context[ty] else { return None };
        let strides = Strides::of(context, ty)?;
        let is_known = strides.offset != DYNAMIC && !shape.contains(&DYNAMIC) && !strides.strides.contains(&DYNAMIC);
        self.convert(context, *element).filter(|_| is_known)?;
        Some(PointerType::new(context, address_space(context, *space)?).into())
    }
}

fn builtin(types: &mut Types<'_>, ty: Type, options: LlvmOptions) -> Converted {
    let context = types.context();
    match &context[ty] {
        TypeData::Index => Converted::Type(context.integer_type(options.index_bits)),
        TypeData::Integer { width, .. } => Converted::Type(context.integer_type(*width)),
        TypeData::Float(kind) if kind.width() <= 8 => Converted::Type(context.integer_type(kind.width())),
        TypeData::Function { .. } => Converted::Type(PointerType::new(context, 0).into()),
        TypeData::Complex(element) => {
            let both = types.convert(*element).and_then(|of| StructType::literal(context, &[of, of], false).ok());
            both.map(Into::into).into()
        }
        TypeData::Vector { .. } => vector(types, ty).map_or(Converted::NotMine, Converted::Type),
        TypeData::MemRef { element, .. } => {
            let element = types.convert(*element).filter(|_| Strides::of(context, ty).is_some());
            element.and_then(|_| descriptor(context, ty, options)).into()
        }
        TypeData::UnrankedMemRef { element, .. } => {
            types.convert(*element).and_then(|_| descriptor(context, ty, options)).into()
        }
        _ => Converted::NotMine,
    }
}

/// A vector of one dimension, in arrays where there are more.
fn vector(types: &mut Types<'_>, ty: Type) -> Option<Type> {
    let context = types.context();
    let TypeData::Vector { shape, scalable, element } = &context[ty] else { return None };
    let element = types.convert(*element)?;
    let of = |shape: &[i64], scalable: &[bool]| {
        let scalable: &[bool] = if scalable.contains(&true) { scalable } else { &[] };
        context.ty(TypeData::Vector { shape: shape.into(), scalable: scalable.into(), element })
    };
    let Some((last, outer)) = shape.split_last() else { return Some(of(&[1], &[false])) };
    let last_scales = scalable.last().copied().unwrap_or_default();
    if scalable.iter().take(outer.len()).any(|&scales| scales) {
        return None;
    }
    let inner = of(&[*last], &[last_scales]);
    outer.iter().rev().try_fold(inner, |inner, &count| {
        ArrayType::new(context, inner, u64::try_from(count).ok()?).ok().map(Into::into)
    })
}

/// Types of `llvm` that hold others.
fn composed(types: &mut Types<'_>, ty: Type) -> Converted {
    let context = types.context();
    if is_compatible(context, ty) {
        return Converted::NotMine;
    }
    if let Some(array) = ArrayType::of(context, ty) {
        let element = types.convert(array.element(context));
        let made = element.and_then(|element| ArrayType::new(context, element, array.count(context)).ok());
        return made.map_or(Converted::NotMine, |made| Converted::Type(made.into()));
    }
    if let Some(structure) = StructType::of(context, ty) {
        let members = structure.members(context).filter(|_| structure.name(context).is_none());
        let members: Option<Vec<Type>> = members.and_then(|all| all.into_iter().map(|ty| types.convert(ty)).collect());
        let made =
            members.and_then(|members| StructType::literal(context, &members, structure.is_packed(context)).ok());
        return made.map_or(Converted::NotMine, |made| Converted::Type(made.into()));
    }
    let Some(function) = FunctionType::of(context, ty) else { return Converted::NotMine };
    let result = types.convert(function.result(context));
    let inputs: Option<Vec<Type>> = function.inputs(context).into_iter().map(|ty| types.convert(ty)).collect();
    let made = result
        .zip(inputs)
        .and_then(|(result, inputs)| FunctionType::new(context, result, &inputs, function.is_variadic(context)).ok());
    made.map_or(Converted::NotMine, |made| Converted::Type(made.into()))
}

fn plain_cast(rw: &mut Rewriter<'_>, values: &[Value], ty: Type) -> mlirbc_ir::Result<Value> {
    let cast = rw.build(CAST).operands(values.iter().copied()).result_type(ty).create()?;
    rw.result(cast, 0)
}

/// Memory of its parts, or of a pointer alone. `None` where the values are something else.
fn packed(rw: &mut Rewriter<'_>, values: &[Value], ty: Type, options: LlvmOptions) -> mlirbc_ir::Result<Option<Value>> {
    let context = rw.context();
    let given: Vec<Type> =
        values.iter().map(|&value| rw.module().ty(rw.body().ty(value))).collect::<mlirbc_ir::Result<_>>()?;
    let Some(wanted) = descriptor(context, ty, options) else { return Ok(None) };
    let is_ranked = matches!(context[ty], TypeData::MemRef { .. });
    if let (true, &[pointer], &[of]) = (is_ranked, values, &*given)
        && PointerType::of(context, of).is_some()
    {
        return Descriptor::of_static(rw, ty, options, (pointer, pointer)).map(|made| made.map(|made| made.value));
    }
    match descriptor_parts(context, ty, options) == Some(given) {
        true if is_ranked => Descriptor::pack(rw, wanted, values).map(|made| Some(made.value)),
        true => unranked::pack(rw, wanted, values).map(Some),
        false => Ok(None),
    }
}
