//! Attributes in short: what [`Context::attribute`] makes of an [`AttributeData`].

use bytes::Bytes;

use crate::affine::AffineMap;
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::dense::NumberKind;
use crate::error::{Error, ErrorCode, Result};
use crate::number::{ApFloat, ApInt, FloatKind};
use crate::symbols::symbol_path;
use crate::types::{Signedness, Type};

/// A number of Rust that attributes are made of: integers, `bool`, `f32` and `f64`.
pub trait Number: Copy {
    /// The bits of the number as one of that kind: none where it is no such number. Integers have to fit; floats are rounded.
    fn bits(self, kind: NumberKind) -> Option<ApInt>;

    /// The type that has as many bits: a signless integer, or a float.
    fn type_of(context: &Context) -> Type;

    /// The little-endian bytes of numbers. They are not copied where they stand in memory so.
    fn into_bytes(numbers: Vec<Self>) -> Bytes;

    /// The number whose little-endian bytes these are: none where there are more or fewer, or they are no number.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

/// Numbers whose bytes are what is asked for.
struct InMemory<N>(Vec<N>);

impl<N: bytemuck::NoUninit> AsRef<[u8]> for InMemory<N> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

/// A [`Number`] as bytes.
macro_rules! as_bytes {
    (bool) => {
        fn into_bytes(numbers: Vec<Self>) -> Bytes {
            Bytes::from_owner(InMemory(numbers))
        }

        fn from_bytes(bytes: &[u8]) -> Option<Self> {
            match bytes {
                [byte @ (0 | 1)] => Some(*byte == 1),
                _ => None,
            }
        }
    };
    ($name:ident) => {
        fn into_bytes(numbers: Vec<Self>) -> Bytes {
            match cfg!(target_endian = "little") {
                true => Bytes::from_owner(InMemory(numbers)),
                false => numbers.into_iter().flat_map(Self::to_le_bytes).collect(),
            }
        }

        fn from_bytes(bytes: &[u8]) -> Option<Self> {
            bytes.try_into().ok().map(Self::from_le_bytes)
        }
    };
}

/// The bits of an integer, where they fit. What is signless holds the numbers of both signs.
fn integer_bits(value: i128, kind: NumberKind) -> Option<ApInt> {
    let NumberKind::Integer { width, signedness, .. } = kind else { return None };
    if width < 128 {
        let bound = 1i128 << width;
        let (lowest, beyond) = match signedness {
            Signedness::Signless => (-bound / 2, bound),
            Signedness::Signed => (-bound / 2, bound / 2),
            Signedness::Unsigned => (0, bound),
        };
        if value < lowest || value >= beyond {
            return None;
        }
    } else if value < 0 && signedness == Signedness::Unsigned {
        return None;
    }
    let bits = ApInt::from_words(128, &[value as u64, (value >> 64) as u64]);
    Some(if width < 128 { bits.trunc(width) } else { bits.sext(width) })
}

macro_rules! integers {
    ($($name:ident $width:literal,)*) => {
        $(impl Number for $name {
            fn bits(self, kind: NumberKind) -> Option<ApInt> {
                integer_bits(self.into(), kind)
            }

            fn type_of(context: &Context) -> Type {
                context.integer_type($width)
            }

            as_bytes!($name);
        })*
    };
}

integers! { bool 1, i8 8, u8 8, i16 16, u16 16, i32 32, u32 32, i64 64, u64 64, }

macro_rules! floats {
    ($($name:ident $kind:ident $from:ident,)*) => {
        $(impl Number for $name {
            fn bits(self, kind: NumberKind) -> Option<ApInt> {
                match kind {
                    NumberKind::Float(kind) => Some(ApFloat::$from(kind, self).to_bits()),
                    NumberKind::Integer { .. } => None,
                }
            }

            fn type_of(context: &Context) -> Type {
                context.float_type(FloatKind::$kind)
            }

            as_bytes!($name);
        })*
    };
}

floats! { f32 F32 from_f32, f64 F64 from_f64, }

/// # Attributes
///
/// ```
/// use mlirbc_ir::Context;
///
/// let context = Context::new();
/// let i8 = context.integer_type(8);
/// let shown = |attribute| context.show(attribute).to_string();
/// assert_eq!(shown(context.index_attr(1)), "1 : index");
/// assert_eq!(shown(context.integer_attr(i8, -3)?), "-3 : i8");
/// assert!(context.integer_attr(i8, 300).is_err(), "it does not fit");
/// assert_eq!(shown(context.float_attr(context.f32_type(), 0.5)?), "5.000000e-01 : f32");
/// assert_eq!(shown(context.array([context.bool_attr(true), context.type_attr(i8)])), "[true, i8]");
/// assert_eq!(shown(context.symbol_ref("outer::inner")), "@outer::@inner");
/// let numbers = context.dense(context.tensor_type([2, 2], i8), &[1, 2, 3, 4])?;
/// assert_eq!(shown(numbers), "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>");
/// assert_eq!(shown(context.dense_array([1i64, 2])), "array<i64: 1, 2>");
/// assert_eq!(shown(context.file_location("a.c", 3, 7)), "loc(\"a.c\":3:7)");
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
impl Context {
    /// `true` or `false`
    pub fn bool_attr(&self, value: bool) -> Attribute {
        self.attribute(AttributeData::Integer { ty: self.integer_type(1), value: ApInt::from_u64(1, value.into()) })
    }

    /// `1 : index`
    pub fn index_attr(&self, value: i64) -> Attribute {
        self.attribute(AttributeData::Integer { ty: self.index_type(), value: ApInt::from_i64(64, value) })
    }

    /// `1 : i32`, of an integer type or `index`. [`Context::integer`] takes the width of a signless one.
    ///
    /// # Errors
    /// Where the type is no such type, or the number does not fit.
    pub fn integer_attr(&self, ty: Type, value: impl Number) -> Result<Attribute> {
        self.number_attr(ty, value, |kind| matches!(kind, NumberKind::Integer { .. }))
    }

    /// `1.0 : f32`, rounded to the nearest number of the type.
    ///
    /// # Errors
    /// Where the type is no floating-point type.
    pub fn float_attr(&self, ty: Type, value: f64) -> Result<Attribute> {
        self.number_attr(ty, value, |kind| matches!(kind, NumberKind::Float(_)))
    }

    fn number_attr(&self, ty: Type, value: impl Number, is: impl FnOnce(&NumberKind) -> bool) -> Result<Attribute> {
        let bits = NumberKind::of(self, ty).filter(is).and_then(|kind| value.bits(kind));
        self.numbers(ty, &[bits.ok_or_else(|| self.does_not_fit(ty))?])
    }

    #[cold]
    fn does_not_fit(&self, ty: Type) -> Error {
        Error::misuse(format!("a number is none of {}, or does not fit", self.show(ty))).with_code(ErrorCode::WrongType)
    }

    /// A type as an attribute.
    pub fn type_attr(&self, ty: Type) -> Attribute {
        self.attribute(AttributeData::Type(ty))
    }

    /// `@name` or `@outer::@inner`: a path of symbols as [`Module::symbol`](crate::Module::symbol) takes it.
    pub fn symbol_ref(&self, path: &str) -> Attribute {
        self.nested_symbol_ref(&symbol_path(path))
    }

    /// As [`Context::symbol_ref`], by names that are taken as they are, the outermost first.
    pub fn nested_symbol_ref(&self, names: &[impl AsRef<[u8]>]) -> Attribute {
        let mut names = names.iter().map(|name| self.identifier(name));
        let root = names.next().unwrap_or_else(|| self.identifier(""));
        self.attribute(AttributeData::SymbolRef { root, nested: names.collect() })
    }

    /// `[a, b]`
    pub fn array(&self, elements: impl IntoIterator<Item = Attribute>) -> Attribute {
        self.attribute(AttributeData::Array(elements.into_iter().collect()))
    }

    /// `dense<[1, 2]> : tensor<2xi32>`, of a shaped type with static shape: all elements, row by row, or one that stands for all.
    /// [`Context::numbers`] takes numbers of any width.
    ///
    /// # Errors
    /// Where the type is no such type, where there are more or fewer elements, or where one does not fit.
    pub fn dense<N: Number>(&self, ty: Type, elements: &[N]) -> Result<Attribute> {
        let kind = self[ty].element().and_then(|element| NumberKind::of(self, element));
        let bits: Option<Vec<ApInt>> =
            kind.and_then(|kind| elements.iter().map(|element| element.bits(kind)).collect());
        self.numbers(ty, &bits.ok_or_else(|| self.does_not_fit(ty))?)
    }

    /// `array<i32: 1, 2>`, of the signless integer or float that has as many bits as the numbers.
    pub fn dense_array<N: Number>(&self, elements: impl AsRef<[N]>) -> Attribute {
        let element = N::type_of(self);
        let mut data = Vec::new();
        if let Some(kind) = NumberKind::of(self, element) {
            for bits in elements.as_ref().iter().filter_map(|element| element.bits(kind)) {
                data.extend_from_slice(&bits.words()[0].to_le_bytes()[..kind.width().div_ceil(8) as usize]);
            }
        }
        self.attribute(AttributeData::DenseArray { element, data: data.into() })
    }

    /// `affine_map<(d0) -> (d0)>`
    pub fn affine_map_attr(&self, map: AffineMap) -> Attribute {
        self.attribute(AttributeData::AffineMap(map))
    }

    /// `strided<[4, 1], offset: 2>`, the layout of a memref: what is not known is [`DYNAMIC`](crate::DYNAMIC).
    pub fn strided_layout(&self, strides: impl AsRef<[i64]>, offset: i64) -> Attribute {
        self.attribute(AttributeData::StridedLayout { strides: strides.as_ref().into(), offset })
    }

    // Locations: `unknown_location` and `fused_location` stand elsewhere.

    /// `loc("file":line:column)`: both from 1, or 0 where they are not known.
    pub fn file_location(&self, file: impl AsRef<[u8]>, line: u32, column: u32) -> Attribute {
        let (start, end) = ((line, column), (line, column));
        self.attribute(AttributeData::FileLocation { file: self.identifier(file), start, end })
    }

    /// `loc("name"(child))`
    pub fn name_location(&self, name: impl AsRef<[u8]>, child: Attribute) -> Attribute {
        self.attribute(AttributeData::NameLocation { name: self.identifier(name), child })
    }

    /// `loc(callsite(callee at caller))`
    pub fn call_site_location(&self, callee: Attribute, caller: Attribute) -> Attribute {
        self.attribute(AttributeData::CallSiteLocation { callee, caller })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_to_fit() {
        let context = Context::new();
        let is = |ty, value: i64| context.integer_attr(ty, value).map(|made| context.show(made).to_string()).ok();
        let (i1, i8) = (context.integer_type(1), context.integer_type(8));
        assert_eq!(is(i8, -128).as_deref(), Some("-128 : i8"));
        assert_eq!(context.integer_attr(i8, 255), context.integer_attr(i8, -1));
        assert_eq!((is(i8, 256), is(i8, -129)), (None, None));
        assert_eq!((is(i1, 1).as_deref(), is(i1, 2)), (Some("true"), None));
        assert_eq!(context.integer_attr(i1, true).ok(), Some(context.bool_attr(true)));
        let (si8, ui8) = (context.signed_type(8), context.unsigned_type(8));
        assert_eq!((is(si8, 128), is(ui8, -1), is(ui8, 255).as_deref()), (None, None, Some("255 : ui8")));
        assert_eq!(is(context.integer_type(200), -1).as_deref(), Some("-1 : i200"));
        assert_eq!(is(context.unsigned_type(200), -1), None);
        assert_eq!(context.integer_attr(context.integer_type(64), u64::MAX).ok(), Some(context.integer(64, -1)));
        assert_eq!(context.integer_attr(context.index_type(), 7).ok(), Some(context.index_attr(7)));
        let f32 = context.f32_type();
        assert!(context.integer_attr(f32, 1).is_err() && context.float_attr(i8, 1.0).is_err());
        let error = context.float_attr(context.none_type(), 1.0).expect_err("no number");
        assert_eq!(
            (error.code(), error.message()),
            (ErrorCode::WrongType, "a number is none of none, or does not fit")
        );
    }

    #[test]
    fn dense_elements_are_all_or_one() {
        let context = Context::new();
        let ty = context.tensor_type([3], context.f32_type());
        let shown = |made: Result<Attribute>| made.map(|made| context.show(made).to_string()).ok();
        assert_eq!(
            shown(context.dense(ty, &[1.0f32, 2.0, 4.0])).as_deref(),
            Some("dense<[1.000000e+00, 2.000000e+00, 4.000000e+00]> : tensor<3xf32>")
        );
        assert_eq!(shown(context.dense(ty, &[2.0f64])).as_deref(), Some("dense<2.000000e+00> : tensor<3xf32>"));
        assert_eq!((shown(context.dense(ty, &[1.0f32, 2.0])), shown(context.dense(ty, &[1, 2, 3]))), (None, None));
        let bits = context.vector_type([3], context.integer_type(1));
        assert_eq!(
            shown(context.dense(bits, &[true, false, true])).as_deref(),
            Some("dense<[true, false, true]> : vector<3xi1>")
        );
        assert_eq!(context.show(context.dense_array([true, false])).to_string(), "array<i1: true, false>");
        assert_eq!(context.show(context.dense_array([1.5f32])).to_string(), "array<f32: 1.500000e+00>");
        assert_eq!(context.show(context.dense_array::<i8>([])).to_string(), "array<i8>");
    }
}
