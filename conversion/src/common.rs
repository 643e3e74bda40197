//! What patterns of every conversion look at: operations, their attributes, types and symbols.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{
    Attribute, AttributeData, Context, Error, Identifier, NamedAttribute, NumberKind, OpId, OpRef, Result, Type,
    TypeData, Value,
};
use mlirbc_rewrite::NoMatch;
use mlirbc_rewrite::conversion::ConversionRewriter;

/// The rewriter of patterns.
pub(crate) type Rw<'r, 'm> = ConversionRewriter<'r, 'm>;

/// What patterns ask of operations and values.
pub(crate) trait Look {
    /// The type of a value.
    fn ty(&self, value: Value) -> Result<Type>;

    /// The type of an operand of an operation that is converted, as it was.
    fn operand_type(&self, op: OpId, number: usize) -> Result<Type>;

    /// The type of the one result, as it was.
    fn result_type(&self, op: OpId) -> Result<Type, NoMatch>;

    /// What the type of the one result becomes.
    fn converted_result(&self, op: OpId) -> Result<Type, NoMatch>;

    /// An attribute that the operation must have.
    fn attribute(&self, op: OpId, name: &str) -> Result<Attribute, NoMatch>;

    /// All attributes of an operation.
    fn all_attributes(&self, op: OpId) -> Result<Vec<NamedAttribute>>;
}

impl Look for Rw<'_, '_> {
    fn ty(&self, value: Value) -> Result<Type> {
        self.module().ty(self.body().ty(value))
    }

    fn operand_type(&self, op: OpId, number: usize) -> Result<Type> {
        match self.body().operands(op).get(number) {
            Some(&operand) => self.ty(operand),
            None => Err(Error::misuse("an operation has too few operands")),
        }
    }

    fn result_type(&self, op: OpId) -> Result<Type, NoMatch> {
        Ok(self.ty(self.result(op, 0)?)?)
    }

    fn converted_result(&self, op: OpId) -> Result<Type, NoMatch> {
        self.convert_type(self.result_type(op)?)
    }

    fn attribute(&self, op: OpId, name: &str) -> Result<Attribute, NoMatch> {
        self.op(op).attribute(name)?.ok_or(NoMatch::Reason("an attribute is missing"))
    }

    fn all_attributes(&self, op: OpId) -> Result<Vec<NamedAttribute>> {
        let (attributes, properties) = self.op(op).dictionaries()?;
        let mut all = Vec::new();
        for dictionary in [attributes, properties].into_iter().flatten() {
            all.extend_from_slice(self.context().entries(dictionary)?);
        }
        Ok(all)
    }
}

/// What an operation has, looked up once for several of its attributes.
#[derive(Clone, Copy)]
pub(crate) struct Members<'m> {
    context: &'m Context,
    /// Its properties, and its discardable attributes.
    lists: [&'m [NamedAttribute]; 2],
}

impl<'m> Members<'m> {
    /// # Errors
    /// Where they cannot be read.
    pub(crate) fn of(op: OpRef<'m>) -> Result<Self> {
        let context = op.module().context();
        let (attributes, properties) = op.dictionaries()?;
        let lists = [properties, attributes].map(|list| match list.map(|list| &context[list]) {
            Some(AttributeData::Dictionary(entries)) => &**entries,
            _ => &[],
        });
        Ok(Members { context, lists })
    }

    /// The attribute of that name.
    pub(crate) fn get(self, name: &'static str) -> Option<Attribute> {
        let name = self.context.static_identifier(name);
        self.lists.into_iter().flatten().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// The name of the symbol that it defines.
    pub(crate) fn symbol(self) -> Option<Identifier> {
        self.context.as_identifier(self.get("sym_name")?)
    }
}

/// An integer as an attribute, or a vector that has it everywhere.
pub(crate) fn splat(context: &Context, ty: Type, value: i64) -> Result<Attribute> {
    let Some(width) = width(context, ty) else { return Err(Error::misuse("no type of integers")) };
    context.numbers(ty, &[ApInt::from_i64(width, value)])
}

/// How many bits an integer or a float has, or those that a vector holds.
pub(crate) fn width(context: &Context, ty: Type) -> Option<u32> {
    NumberKind::of(context, element(context, ty)).map(NumberKind::width)
}

/// The type of the elements of a vector; other types as they are.
pub(crate) fn element(context: &Context, ty: Type) -> Type {
    context[ty].element().unwrap_or(ty)
}

/// How many elements a vector has; `None` for other types.
pub(crate) fn lanes(context: &Context, ty: Type) -> Option<u64> {
    match &context[ty] {
        of @ TypeData::Vector { .. } => of.element_count(),
        _ => None,
    }
}

/// A type with another element in place of a vector's, or of itself.
pub(crate) fn with_element(context: &Context, ty: Type, element: Type) -> Type {
    match &context[ty] {
        TypeData::Vector { shape, scalable, .. } => {
            context.ty(TypeData::Vector { shape: shape.clone(), scalable: scalable.clone(), element })
        }
        _ => element,
    }
}

/// The type of an integer of so many bits, or of as many of these as a vector has elements.
pub(crate) fn resized(context: &Context, ty: Type, bits: u32) -> Type {
    with_element(context, ty, context.integer_type(bits))
}

/// `array<i64: ...>` of numbers of so many bits: 32 or 64.
pub(crate) fn dense_array(context: &Context, bits: u32, numbers: impl IntoIterator<Item = i64>) -> Attribute {
    let bytes = (bits / 8) as usize;
    let data: Vec<u8> = numbers.into_iter().flat_map(|number| number.to_le_bytes().into_iter().take(bytes)).collect();
    context.attribute(AttributeData::DenseArray { element: context.integer_type(bits), data: data.into() })
}

/// The integers of an array.
pub(crate) fn integers(context: &Context, array: Attribute) -> Result<Vec<i64>, NoMatch> {
    let wrong = NoMatch::Reason("an attribute is no array of integers");
    let AttributeData::Array(items) = &context[array] else { return Err(wrong) };
    items.iter().map(|&item| context.integer_of(item)?.to_i64()).collect::<Option<_>>().ok_or(wrong)
}

/// A symbol by its only name.
pub(crate) fn symbol(context: &Context, reference: Attribute) -> Result<Identifier, NoMatch> {
    match &context[reference] {
        AttributeData::SymbolRef { root, nested } if nested.is_empty() => Ok(*root),
        _ => Err(NoMatch::Reason("an attribute names no symbol of the same table")),
    }
}

/// A reference to a symbol.
pub(crate) fn reference(context: &Context, root: Identifier) -> Attribute {
    context.attribute(AttributeData::SymbolRef { root, nested: Box::new([]) })
}
