//! The rules of types and attributes: what MLIR checks when it makes them, of one level at a time. Those of builtin's stand here,
//! those of a dialect's own are attached to the dialect.

use std::sync::Arc;

use crate::affine::AffineExpression;
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::dense::{NumberKind, dense_layout, static_count};
use crate::error::{Error, Result};
use crate::parameter::DialectValue;
use crate::types::{DYNAMIC, Type, TypeData};

/// What a dialect checks of its attributes and types.
pub(crate) trait VerifyValue: Send + Sync {
    /// Checks an attribute.
    fn attribute(&self, context: &Context, value: &DialectValue) -> Result<()>;

    /// Checks a type.
    fn ty(&self, context: &Context, value: &DialectValue) -> Result<()>;
}

/// The checks that are attached to a dialect.
pub(crate) struct ValueRules(Box<dyn VerifyValue>);

impl ValueRules {
    /// To be attached.
    pub(crate) fn new(rules: impl VerifyValue + 'static) -> Self {
        ValueRules(Box::new(rules))
    }

    /// Those of the dialect that a value is of.
    fn of(context: &Context, value: &DialectValue) -> Option<Arc<Self>> {
        context.dialect(std::str::from_utf8(context.bytes(value.dialect)).ok()?)?.get()
    }
}

fn ensure(holds: bool, message: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::verification(message)) }
}

/// Whether the type is of a dialect other than builtin, whose rules are not known here.
fn foreign(data: &TypeData) -> bool {
    matches!(data, TypeData::Dialect(_) | TypeData::Text { .. } | TypeData::Encoded(_))
}

fn sizes_valid(shape: &[i64]) -> bool {
    shape.iter().all(|&size| size >= 0 || size == DYNAMIC)
}

impl TypeData {
    /// Checks the rules of a builtin type: widths, sizes, what may be an element of what.
    ///
    /// What it holds is looked at, but not checked in turn.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying which rule is broken.
    pub fn verify(&self, context: &Context) -> Result<()> {
        match self {
            TypeData::Integer { width, .. } => {
                ensure(*width <= Self::MAX_INTEGER_WIDTH, "integer bitwidth is limited to 16777215 bits")
            }
            TypeData::Complex(element) => ensure(
                matches!(context[*element], TypeData::Integer { .. } | TypeData::Float(_)),
                "invalid element type for complex: expected an integer or float type",
            ),
            TypeData::Vector { shape, scalable, element } => {
                ensure(shape.iter().all(|&size| size > 0), "vector types must have positive constant sizes")?;
                ensure(
                    scalable.is_empty() || scalable.len() == shape.len() && scalable.contains(&true),
                    "scalable dimensions of a vector type do not match its shape",
                )?;
                let element = &context[*element];
                ensure(
                    matches!(element, TypeData::Integer { .. } | TypeData::Index | TypeData::Float(_))
                        || foreign(element),
                    "invalid vector element type: expected an integer, index or float type",
                )
            }
            TypeData::RankedTensor { shape, element, .. } => {
                ensure(sizes_valid(shape), "invalid tensor dimension size")?;
                tensor_element(context, *element)
            }
            TypeData::UnrankedTensor(element) => tensor_element(context, *element),
            TypeData::MemRef { shape, element, layout, space } => {
                ensure(sizes_valid(shape), "invalid memref size")?;
                memref_element(context, *element)?;
                let rank = match &context[*layout] {
                    AttributeData::AffineMap(map) => Some(map.dimensions as usize),
                    AttributeData::StridedLayout { strides, .. } => Some(strides.len()),
                    data if data.is_foreign() => None,
                    _ => {
                        return Err(Error::verification(
                            "memref layout is neither an affine map nor a layout attribute",
                        ));
                    }
                };
                ensure(rank.is_none_or(|rank| rank == shape.len()), "memref layout does not match the rank")?;
                memory_space(context, *space)
            }
            TypeData::UnrankedMemRef { element, space } => {
                memref_element(context, *element)?;
                memory_space(context, *space)
            }
            TypeData::Dialect(value) => match ValueRules::of(context, value) {
                Some(rules) => rules.0.ty(context, value),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether the type is shaped: a vector, tensor or memref.
    pub fn is_shaped(&self) -> bool {
        self.element().is_some()
    }
}

/// What both tensors and memrefs may be made of.
fn is_element(element: &TypeData) -> bool {
    matches!(
        element,
        TypeData::Integer { .. }
            | TypeData::Index
            | TypeData::Float(_)
            | TypeData::Complex(_)
            | TypeData::Vector { .. }
    ) || foreign(element)
}

fn tensor_element(context: &Context, element: Type) -> Result<()> {
    ensure(is_element(&context[element]), "invalid tensor element type")
}

fn memref_element(context: &Context, element: Type) -> Result<()> {
    let element = &context[element];
    let memref = matches!(element, TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. });
    ensure(memref || is_element(element), "invalid memref element type")
}

fn memory_space(context: &Context, space: Option<Attribute>) -> Result<()> {
    let Some(space) = space else { return Ok(()) };
    let data = &context[space];
    ensure(
        matches!(data, AttributeData::Integer { .. } | AttributeData::String { .. } | AttributeData::Dictionary(_))
            || data.is_foreign(),
        "unsupported memory space attribute",
    )
}

impl AttributeData {
    /// Whether the attribute is of a dialect other than builtin.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self, AttributeData::Dialect(_) | AttributeData::Text { .. } | AttributeData::Encoded(_))
    }

    /// Checks the rules of a builtin attribute: types that fit, widths, lengths, locations where locations belong.
    ///
    /// What it holds is looked at, but not checked in turn.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying which rule is broken.
    pub fn verify(&self, context: &Context) -> Result<()> {
        match self {
            AttributeData::Dictionary(entries) => ensure(
                entries.is_sorted_by(|a, b| context.bytes(a.0) < context.bytes(b.0)),
                "dictionary is not sorted by name, or a name comes twice",
            ),
            AttributeData::Integer { ty, value } => match NumberKind::of(context, *ty) {
                Some(NumberKind::Integer { width, .. }) => {
                    ensure(value.width() == width, "integer attribute does not have the width of its type")
                }
                _ => Err(Error::verification("integer attribute needs an integer or index type")),
            },
            AttributeData::Float { ty, bits } => match context[*ty] {
                TypeData::Float(kind) => {
                    ensure(bits.width() == kind.width(), "float attribute does not have the width of its type")
                }
                _ => Err(Error::verification("float attribute needs a float type")),
            },
            AttributeData::DenseArray { element, data } => {
                let size = dense_array_size(context, *element)?;
                ensure(data.len() % size == 0, "dense array does not hold a whole number of elements")
            }
            AttributeData::DenseElements { ty, data } => {
                let (layout, count) = dense_layout(context, *ty)?;
                ensure(
                    layout.is_splat(count, data).is_some(),
                    "dense elements hold neither one element nor as many as the type asks for",
                )
            }
            AttributeData::DenseStrings { ty, values, splat } => {
                let count = static_count(context, *ty)?;
                let holds = if *splat { values.len() == 1 } else { values.len() as u64 == count };
                ensure(holds, "dense strings hold neither one element nor as many as the type asks for")
            }
            AttributeData::DenseResource { ty, .. } => {
                ensure(context[*ty].is_shaped(), "`dense_resource` expected a shaped type")
            }
            AttributeData::Sparse { ty, indices, values } => verify_sparse(context, *ty, *indices, *values),
            AttributeData::AffineMap(map) => ensure(
                map.results.iter().all(|result| in_range(result, map.dimensions, map.symbols)),
                "affine map uses a dimension or symbol that it does not have",
            ),
            AttributeData::IntegerSet(set) => ensure(
                set.constraints.iter().all(|(expression, _)| in_range(expression, set.dimensions, set.symbols)),
                "integer set uses a dimension or symbol that it does not have",
            ),
            AttributeData::NameLocation { child, .. } => location(context, *child),
            AttributeData::CallSiteLocation { callee, caller } => {
                location(context, *callee)?;
                location(context, *caller)
            }
            AttributeData::FusedLocation { locations, .. } => {
                locations.iter().try_for_each(|&child| location(context, child))
            }
            AttributeData::Dialect(value) => match ValueRules::of(context, value) {
                Some(rules) => rules.0.attribute(context, value),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// Bytes of one element of a dense array.
pub(crate) fn dense_array_size(context: &Context, element: Type) -> Result<usize> {
    let width = match context[element] {
        TypeData::Integer { width: 1, .. } => 8,
        TypeData::Integer { width, .. } => width,
        TypeData::Float(kind) => kind.width(),
        _ => return Err(Error::verification("dense array needs an integer or float element type")),
    };
    ensure(width > 0 && width % 8 == 0, "element type bitwidth of a dense array must be a multiple of 8")?;
    Ok(width as usize / 8)
}

fn location(context: &Context, attribute: Attribute) -> Result<()> {
    let data = &context[attribute];
    ensure(data.is_location() || data.is_foreign(), "expected a location")
}

fn in_range(expression: &AffineExpression, dimensions: u32, symbols: u32) -> bool {
    match expression {
        AffineExpression::Dimension(at) => *at < dimensions,
        AffineExpression::Symbol(at) => *at < symbols,
        AffineExpression::Constant(_) => true,
        AffineExpression::Binary(_, sides) => {
            in_range(&sides.0, dimensions, symbols) && in_range(&sides.1, dimensions, symbols)
        }
    }
}

fn verify_sparse(context: &Context, ty: Type, indices: Attribute, values: Attribute) -> Result<()> {
    static_count(context, ty)?;
    let shape = context[ty].shape().unwrap_or_default();
    let AttributeData::DenseElements { ty: indices_type, data } = &context[indices] else {
        return Err(Error::verification("sparse elements need dense integers as indices"));
    };
    let values_type = match &context[values] {
        AttributeData::DenseElements { ty, .. } | AttributeData::DenseStrings { ty, .. } => *ty,
        _ => return Err(Error::verification("sparse elements need dense elements as values")),
    };
    let (layout, total) = dense_layout(context, *indices_type)?;
    ensure(
        !layout.complex && matches!(layout.number, NumberKind::Integer { width: 64, .. }),
        "sparse indices must be 64 bit integers",
    )?;
    ensure(context[values_type].element() == context[ty].element(), "sparse values are not of the element type")?;
    let count = match *context[*indices_type].shape().unwrap_or_default() {
        [count] if shape.len() == 1 => count,
        [count, rank] if rank as usize == shape.len() => count,
        _ => return Err(Error::verification("shape of the sparse indices does not match the rank of the type")),
    };
    ensure(
        matches!(context[values_type].shape(), Some([values]) if *values == count),
        "sparse elements need as many values as indices",
    )?;
    let inside = |at: usize, index: &[u8]| {
        let index = index.try_into().map_or(-1, i64::from_le_bytes);
        (0..shape[at % shape.len()]).contains(&index)
    };
    let holds = if total == 0 {
        true
    } else if layout.is_splat(total, data).unwrap_or(true) {
        (0..shape.len()).all(|at| inside(at, data))
    } else {
        data.chunks_exact(8).enumerate().all(|(at, index)| inside(at, index))
    };
    ensure(holds, "sparse index is not within the shape")
}

impl Context {
    /// Whether a memory space is the one that memref types leave out: the integer 0.
    pub fn is_default_memory_space(&self, space: Attribute) -> bool {
        matches!(&self[space], AttributeData::Integer { value, .. } if value.to_u64() == Some(0))
    }
}
