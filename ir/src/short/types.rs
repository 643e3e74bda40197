//! Types in short: what [`Context::ty`] makes of a [`TypeData`]. What they hold is not checked either: see [`TypeData::verify`].

use crate::affine::AffineMap;
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::number::FloatKind;
use crate::types::{Signedness, Type, TypeData};

/// # Types
///
/// ```
/// use mlirbc_ir::{Context, DYNAMIC};
///
/// let context = Context::new();
/// let (i32, f32) = (context.integer_type(32), context.f32_type());
/// let rows = context.memref_type([4, DYNAMIC], f32);
/// let function = context.function_type([rows, context.index_type()], [i32]);
/// assert_eq!(context.show(function).to_string(), "(memref<4x?xf32>, index) -> i32");
/// let sums = context.tuple_type([context.vector_type([8], f32), context.tensor_type([], i32)]);
/// assert_eq!(context.show(sums).to_string(), "tuple<vector<8xf32>, tensor<i32>>");
/// ```
impl Context {
    /// `si32`
    pub fn signed_type(&self, width: u32) -> Type {
        self.ty(TypeData::Integer { width, signedness: Signedness::Signed })
    }

    /// `ui32`
    pub fn unsigned_type(&self, width: u32) -> Type {
        self.ty(TypeData::Integer { width, signedness: Signedness::Unsigned })
    }

    /// `bf16`
    pub fn bf16_type(&self) -> Type {
        self.float_type(FloatKind::BF16)
    }

    /// `f16`
    pub fn f16_type(&self) -> Type {
        self.float_type(FloatKind::F16)
    }

    /// `f32`
    pub fn f32_type(&self) -> Type {
        self.float_type(FloatKind::F32)
    }

    /// `f64`
    pub fn f64_type(&self) -> Type {
        self.float_type(FloatKind::F64)
    }

    /// `complex<f32>`
    pub fn complex_type(&self, part: Type) -> Type {
        self.ty(TypeData::Complex(part))
    }

    /// `(i32, i32) -> f32`
    pub fn function_type(
        &self,
        inputs: impl IntoIterator<Item = Type>,
        results: impl IntoIterator<Item = Type>,
    ) -> Type {
        let (inputs, results) = (inputs.into_iter().collect(), results.into_iter().collect());
        self.ty(TypeData::Function { inputs, results })
    }

    /// `tuple<i32, f32>`
    pub fn tuple_type(&self, parts: impl IntoIterator<Item = Type>) -> Type {
        self.ty(TypeData::Tuple(parts.into_iter().collect()))
    }

    /// `vector<4x8xf32>`, which has no scalable dimension.
    pub fn vector_type(&self, shape: impl AsRef<[i64]>, element: Type) -> Type {
        self.ty(TypeData::Vector { shape: shape.as_ref().into(), scalable: Box::default(), element })
    }

    /// `tensor<4x?xf32>`: a size that is not known is [`DYNAMIC`](crate::DYNAMIC).
    pub fn tensor_type(&self, shape: impl AsRef<[i64]>, element: Type) -> Type {
        self.ty(TypeData::RankedTensor { shape: shape.as_ref().into(), element, encoding: None })
    }

    /// `tensor<4x?xf32, #encoding>`
    pub fn encoded_tensor_type(&self, shape: impl AsRef<[i64]>, element: Type, encoding: Attribute) -> Type {
        self.ty(TypeData::RankedTensor { shape: shape.as_ref().into(), element, encoding: Some(encoding) })
    }

    /// `tensor<*xf32>`
    pub fn unranked_tensor_type(&self, element: Type) -> Type {
        self.ty(TypeData::UnrankedTensor(element))
    }

    /// `memref<4x?xf32>`: row by row, in the memory space that is the usual one. A size that is not known is
    /// [`DYNAMIC`](crate::DYNAMIC).
    pub fn memref_type(&self, shape: impl AsRef<[i64]>, element: Type) -> Type {
        self.memref_type_in(shape, element, None, None)
    }

    /// `memref<4x?xf32, #layout, #space>`. Without a layout, elements stand row by row.
    pub fn memref_type_in(
        &self,
        shape: impl AsRef<[i64]>,
        element: Type,
        layout: Option<Attribute>,
        space: Option<Attribute>,
    ) -> Type {
        let shape: Box<[i64]> = shape.as_ref().into();
        let identity = || self.attribute(AttributeData::AffineMap(AffineMap::identity(shape.len() as u32)));
        let layout = layout.unwrap_or_else(identity);
        self.ty(TypeData::MemRef { shape, element, layout, space })
    }

    /// `memref<*xf32, #space>`
    pub fn unranked_memref_type(&self, element: Type, space: Option<Attribute>) -> Type {
        self.ty(TypeData::UnrankedMemRef { element, space })
    }
}
