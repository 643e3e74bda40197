//! Operations of `llvm` made with what SPIR-V does not say of them.

use mlirbc_dialects::llvm::{FastmathFlags, fast_math};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{
    Attribute, AttributeData, Context, Error, Identifier, NamedAttribute, NumberKind, OpId, OpRef, Result, Signedness,
    Type, TypeData, Value,
};
use mlirbc_rewrite::conversion::{Adaptor, ConversionRewriter};
use mlirbc_rewrite::{NoMatch, Outcome};

/// What stands in `rawConstantIndices` for an index that is an operand.
pub(super) const DYNAMIC_INDEX: i64 = i32::MIN as i64;

/// The rewriter of patterns.
pub(super) type Rw<'r, 'm> = ConversionRewriter<'r, 'm>;

/// A function that converts operations.
pub(super) type Convert = fn(&mut Rw<'_, '_>, OpId, &Adaptor) -> Outcome;

/// The member that operations of that name have where nothing else is said.
fn members(context: &Context, name: &str, given: &[NamedAttribute]) -> Option<NamedAttribute> {
    let (name, value) = match name {
        "llvm.add" | "llvm.sub" | "llvm.mul" | "llvm.shl" | "llvm.trunc" => ("overflowFlags", context.integer(32, 0)),
        "llvm.fadd"
        | "llvm.fsub"
        | "llvm.fmul"
        | "llvm.fdiv"
        | "llvm.frem"
        | "llvm.fneg"
        | "llvm.fcmp"
        | "llvm.call"
        | "llvm.select"
        | "llvm.intr.ceil"
        | "llvm.intr.cos"
        | "llvm.intr.exp"
        | "llvm.intr.fabs"
        | "llvm.intr.floor"
        | "llvm.intr.log"
        | "llvm.intr.maxnum"
        | "llvm.intr.minnum"
        | "llvm.intr.sin"
        | "llvm.intr.sqrt"
        | "llvm.intr.tan"
        | "llvm.intr.tanh"
        | "llvm.intr.acos"
        | "llvm.intr.asin"
        | "llvm.intr.atan"
        | "llvm.intr.atan2"
        | "llvm.intr.copysign"
        | "llvm.intr.cosh"
        | "llvm.intr.exp2"
        | "llvm.intr.exp10"
        | "llvm.intr.log10"
        | "llvm.intr.rint"
        | "llvm.intr.frexp"
        | "llvm.intr.ldexp"
        | "llvm.intr.sinh"
        | "llvm.intr.fma"
        | "llvm.intr.log2"
        | "llvm.intr.pow"
        | "llvm.intr.round"
        | "llvm.intr.roundeven"
        | "llvm.intr.trunc" => ("fastmathFlags", fast_math(context, FastmathFlags::NONE)),
        "llvm.load" | "llvm.store" => ("ordering", context.integer(64, 0)),
        _ => return None,
    };
    let name = context.static_identifier(name);
    given.iter().all(|given| given.0 != name).then_some((name, value))
}

/// What patterns make.
pub(super) trait Emit {
    /// An operation of that name with a result of that type.
    fn emit(&mut self, name: &str, operands: &[Value], ty: Type) -> Result<Value> {
        self.emit_with(name, operands, ty, Vec::new())
    }

    /// As [`Emit::emit`], with attributes.
    fn emit_with(&mut self, name: &str, operands: &[Value], ty: Type, attributes: Vec<NamedAttribute>)
    -> Result<Value>;

    /// An operation without results.
    fn emit_nothing(&mut self, name: &str, operands: &[Value], attributes: Vec<NamedAttribute>) -> Result<OpId>;

    /// A constant.
    fn constant(&mut self, ty: Type, value: Attribute) -> Result<Value>;

    /// A constant of `i32`.
    fn index(&mut self, value: i64) -> Result<Value>;

    /// An integer, or a vector that has it everywhere.
    fn splat(&mut self, ty: Type, value: i64) -> Result<Value>;

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

impl Emit for Rw<'_, '_> {
    fn emit_with(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Type,
        attributes: Vec<NamedAttribute>,
    ) -> Result<Value> {
        let members = members(self.context(), name, &attributes);
        let build = self.build(name).operands(operands.iter().copied()).result_type(ty);
        let op = build.attributes(members.into_iter().chain(attributes)).create()?;
        self.result(op, 0)
    }

    fn emit_nothing(&mut self, name: &str, operands: &[Value], attributes: Vec<NamedAttribute>) -> Result<OpId> {
        let members = members(self.context(), name, &attributes);
        let attributes = members.into_iter().chain(attributes);
        self.build(name).operands(operands.iter().copied()).attributes(attributes).create()
    }

    fn constant(&mut self, ty: Type, value: Attribute) -> Result<Value> {
        let value = (self.context().static_identifier("value"), value);
        self.emit_with("llvm.mlir.constant", &[], ty, vec![value])
    }

    fn index(&mut self, value: i64) -> Result<Value> {
        let context = self.context();
        self.constant(context.integer_type(32), context.integer(32, value))
    }

    fn splat(&mut self, ty: Type, value: i64) -> Result<Value> {
        let value = splat(self.context(), ty, value)?;
        self.constant(ty, value)
    }

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
pub(super) struct Members<'m> {
    context: &'m Context,
    /// Its properties, and its discardable attributes.
    lists: [&'m [NamedAttribute]; 2],
}

impl<'m> Members<'m> {
    /// # Errors
    /// Where they cannot be read.
    pub(super) fn of(op: OpRef<'m>) -> Result<Self> {
        let context = op.module().context();
        let (attributes, properties) = op.dictionaries()?;
        let lists = [properties, attributes].map(|list| match list.map(|list| &context[list]) {
            Some(AttributeData::Dictionary(entries)) => &**entries,
            _ => &[],
        });
        Ok(Members { context, lists })
    }

    /// The attribute of that name.
    pub(super) fn get(self, name: &'static str) -> Option<Attribute> {
        let name = self.context.static_identifier(name);
        self.lists.into_iter().flatten().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// The name of the symbol that it defines.
    pub(super) fn symbol(self) -> Option<Identifier> {
        self.context.as_identifier(self.get("sym_name")?)
    }
}

/// An integer as an attribute, or a vector that has it everywhere.
pub(super) fn splat(context: &Context, ty: Type, value: i64) -> Result<Attribute> {
    let Some(width) = width(context, ty) else { return Err(Error::misuse("no type of integers")) };
    context.numbers(ty, &[ApInt::from_i64(width, value)])
}

/// How many bits an integer or a float has, or those that a vector holds.
pub(super) fn width(context: &Context, ty: Type) -> Option<u32> {
    NumberKind::of(context, element(context, ty)).map(NumberKind::width)
}

/// The type of the elements of a vector; other types as they are.
pub(super) fn element(context: &Context, ty: Type) -> Type {
    context[ty].element().unwrap_or(ty)
}

/// How many elements a vector has; `None` for other types.
pub(super) fn lanes(context: &Context, ty: Type) -> Option<u64> {
    match &context[ty] {
        of @ TypeData::Vector { .. } => of.element_count(),
        _ => None,
    }
}

/// A type with another element in place of a vector's, or of itself.
pub(super) fn with_element(context: &Context, ty: Type, element: Type) -> Type {
    match &context[ty] {
        TypeData::Vector { shape, scalable, .. } => {
            context.ty(TypeData::Vector { shape: shape.clone(), scalable: scalable.clone(), element })
        }
        _ => element,
    }
}

/// The type of an integer of so many bits, or of as many of these as a vector has elements.
pub(super) fn resized(context: &Context, ty: Type, bits: u32) -> Type {
    with_element(context, ty, context.integer_type(bits))
}

/// `array<i64: ...>` of numbers of so many bits: 32 or 64.
pub(super) fn dense_array(context: &Context, bits: u32, numbers: impl IntoIterator<Item = i64>) -> Attribute {
    let bytes = (bits / 8) as usize;
    let data: Vec<u8> = numbers.into_iter().flat_map(|number| number.to_le_bytes().into_iter().take(bytes)).collect();
    context.attribute(AttributeData::DenseArray { element: context.integer_type(bits), data: data.into() })
}

/// The integers of an array.
pub(super) fn integers(context: &Context, array: Attribute) -> Result<Vec<i64>, NoMatch> {
    let wrong = NoMatch::Reason("an attribute is no array of integers");
    let AttributeData::Array(items) = &context[array] else { return Err(wrong) };
    items.iter().map(|&item| context.integer_of(item)?.to_i64()).collect::<Option<_>>().ok_or(wrong)
}

/// Whether a type is that of numbers, or of vectors of these.
pub(super) fn number_or_vector(context: &Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Vector { .. })
}

/// What a number or a vector becomes, and its value: what says how to read its bits goes.
pub(super) fn signless(rw: &Rw<'_, '_>, ty: Type, value: Attribute) -> Result<(Type, Attribute), NoMatch> {
    let context = rw.context();
    let converted = rw.convert_type(ty)?;
    let is_signless = match context[element(context, ty)] {
        TypeData::Integer { signedness, .. } => signedness == Signedness::Signless,
        _ => true,
    };
    if is_signless {
        return Ok((converted, value));
    }
    let value = match context[value].clone() {
        AttributeData::Integer { value, .. } => AttributeData::Integer { ty: converted, value },
        AttributeData::DenseElements { data, .. } => AttributeData::DenseElements { ty: converted, data },
        _ => return Err(NoMatch::Reason("the value of a constant is of another kind")),
    };
    Ok((converted, context.attribute(value)))
}

/// A symbol by its only name.
pub(super) fn symbol(context: &Context, reference: Attribute) -> Result<Identifier, NoMatch> {
    match &context[reference] {
        AttributeData::SymbolRef { root, nested } if nested.is_empty() => Ok(*root),
        _ => Err(NoMatch::Reason("an attribute names no symbol of the same table")),
    }
}

/// A reference to a symbol.
pub(super) fn reference(context: &Context, root: Identifier) -> Attribute {
    context.attribute(AttributeData::SymbolRef { root, nested: Box::new([]) })
}
