//! Operations made step by step.

use super::Rewriter;
use crate::attribute::NamedAttribute;
use crate::body::{AttributeRef, BlockId, OpId, OperationSpec, TypeRef, Value};
use crate::context::{IntoAttribute, OperationName};
use crate::error::{Error, ErrorCode, Result};
use crate::ods::Traits;
use crate::types::Type;
use crate::verify::{Checker, OpTypes, infer_types, type_inference};

/// An operation that a [`Rewriter`] makes: [`Builder::create`] puts it at the insertion point.
///
/// The types of its results may be left out where the definition says them: by its traits, by constraints that one type fits, or by
/// its rules. Attributes go where the definition has them, to the properties or to the discardable ones; those that the definition
/// [gives a value](crate::Context::default_attributes) need not be given.
///
/// ```
/// # use mlirbc_ir::{BodyId, Context, Module};
/// # let context = Context::new();
/// # let mut module = Module::new(&context);
/// # module.rewrite(BodyId::from_index(Module::TOP), |rw| {
/// # let block = rw.body().first_block(rw.body().top_regions()[0]).expect("the outermost block");
/// # rw.set_insertion_point_to_end(block)?;
/// let index = context.index_type();
/// let op = rw.build("toy.split").attribute("at", context.integer(64, 3)).result_types([index, index]).create()?;
/// let (low, high) = (rw.result(op, 0)?, rw.result(op, 1)?);
/// let sum = rw.build("toy.join").operands([low, high]).result_type(index).create()?;
/// assert_eq!(rw.body().operands(sum), [low, high]);
/// # Ok(())
/// # })?;
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
#[must_use = "`create` makes the operation"]
#[derive(Debug)]
pub struct Builder<'r, 'm> {
    rewriter: &'r mut Rewriter<'m>,
    name: OperationName,
    location: AttributeRef,
    operands: Vec<Value>,
    groups: Option<Vec<i32>>,
    results: Option<Vec<TypeRef>>,
    attributes: Vec<NamedAttribute>,
    successors: Vec<BlockId>,
    regions: u32,
}

impl<'m> Rewriter<'m> {
    /// Begins an operation of that name, such as `arith.addi`. Its location is that of [`Rewriter::locate`].
    pub fn build(&mut self, name: impl AsRef<[u8]>) -> Builder<'_, 'm> {
        let name = self.module.name(name);
        self.build_named(name)
    }

    /// Makes an operation that has operands alone: `rw.build(name).operands(operands).create()`.
    ///
    /// # Errors
    /// As [`Builder::create`].
    pub fn build_op(&mut self, name: impl AsRef<[u8]>, operands: impl IntoIterator<Item = Value>) -> Result<OpId> {
        self.build(name).operands(operands).create()
    }

    /// As [`Rewriter::build_op`], of an operation that has one result, which it gives: `rw.build_value("arith.addi", [a, b])`.
    ///
    /// # Errors
    /// As [`Builder::value`].
    pub fn build_value(&mut self, name: impl AsRef<[u8]>, operands: impl IntoIterator<Item = Value>) -> Result<Value> {
        self.build(name).operands(operands).value()
    }

    /// As [`Rewriter::build`], by a name that is uniqued.
    pub fn build_named(&mut self, name: OperationName) -> Builder<'_, 'm> {
        let location = self.location;
        Builder {
            rewriter: self,
            name,
            location,
            operands: Vec::new(),
            groups: None,
            results: None,
            attributes: Vec::new(),
            successors: Vec::new(),
            regions: 0,
        }
    }

    /// From now on, operations are built at this location, where they are not given another. At first it is unknown.
    pub fn locate(&mut self, location: impl Into<AttributeRef>) {
        self.location = location.into();
    }
}

impl Builder<'_, '_> {
    /// More operands.
    pub fn operands(mut self, operands: impl IntoIterator<Item = Value>) -> Self {
        self.operands.extend(operands);
        self
    }

    /// All operands by group of the definition. Where it has `operandSegmentSizes`, these are set.
    pub fn operand_groups<'v>(mut self, groups: impl IntoIterator<Item = &'v [Value]>) -> Self {
        let mut sizes = Vec::new();
        self.operands.clear();
        for group in groups {
            sizes.push(i32::try_from(group.len()).unwrap_or(i32::MAX));
            self.operands.extend_from_slice(group);
        }
        self.groups = Some(sizes);
        self
    }

    /// One more result of this type.
    pub fn result_type(self, ty: impl Into<TypeRef>) -> Self {
        self.result_types([ty])
    }

    /// More results of these types. Called with none, it says that there are none.
    pub fn result_types<T: Into<TypeRef>>(mut self, types: impl IntoIterator<Item = T>) -> Self {
        self.results.get_or_insert_default().extend(types.into_iter().map(Into::into));
        self
    }

    /// One more attribute.
    pub fn attribute(mut self, name: impl AsRef<[u8]>, value: impl IntoAttribute) -> Self {
        let context = self.rewriter.context();
        self.attributes.push((context.identifier_at(name.as_ref()), value.into_attribute(context)));
        self
    }

    /// More attributes.
    pub fn attributes(mut self, attributes: impl IntoIterator<Item = NamedAttribute>) -> Self {
        self.attributes.extend(attributes);
        self
    }

    /// More successors.
    pub fn successors(mut self, successors: impl IntoIterator<Item = BlockId>) -> Self {
        self.successors.extend(successors);
        self
    }

    /// So many regions, which are empty at first.
    pub fn regions(mut self, count: u32) -> Self {
        self.regions = count;
        self
    }

    /// The location.
    pub fn at(mut self, location: impl Into<AttributeRef>) -> Self {
        self.location = location.into();
        self
    }

    /// Makes the operation.
    ///
    /// # Errors
    /// As [`Rewriter::create`]; where two attributes have one name; where types of results were left out and the definition does not
    /// say them.
    pub fn create(mut self) -> Result<OpId> {
        self.make(false)
    }

    /// Makes the operation. `one`: with one result, or not at all.
    fn make(&mut self, one: bool) -> Result<OpId> {
        let context = self.rewriter.context();
        let definition = context.definition(self.name);
        let has_groups = |traits| definition.is_some_and(|definition| definition.traits.contains(traits));
        if let Some(sizes) = self.groups.take().filter(|_| has_groups(Traits::OPERAND_SEGMENTS)) {
            self.attributes.push((context.identifier("operandSegmentSizes"), context.dense_array(sizes)));
        }
        let results = match self.results.take() {
            Some(results) => results,
            None => self.inferred()?,
        };
        if one && results.len() != 1 {
            let (name, results) = (context.operation_str(self.name), Error::counted(results.len(), "result"));
            return Err(Error::misuse(format!("`{name}` has {results}, and not one")));
        }
        let given = std::mem::take(&mut self.attributes);
        let (attributes, properties) = match given.is_empty() {
            true => context.sort_out_defaults(self.name)?,
            false => context.sort_out_given(self.name, given)?,
        };
        self.rewriter.create_whole(&OperationSpec {
            name: self.name,
            location: self.location,
            attributes: attributes.map(Into::into),
            properties: properties.map(Into::into),
            operands: &self.operands,
            results: &results,
            successors: &self.successors,
            regions: self.regions,
        })
    }

    /// Makes the operation, and gives its one result.
    ///
    /// # Errors
    /// As [`Builder::create`], and where the operation has another number of results: it is not made then.
    pub fn value(mut self) -> Result<Value> {
        let op = self.make(true)?;
        self.rewriter.result(op, 0)
    }

    /// Makes the operation with one more region of one block, which has arguments of these types, and has `fill` make what is in it:
    /// as [`Rewriter::fill`], which ends the block where the definition says with what.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, Module};
    /// # let context = Context::new();
    /// # let mut module = Module::new(&context);
    /// # module.build(|rw| {
    /// let index = context.index_type();
    /// rw.build("toy.for_each").body([index], |rw, arguments| {
    ///     rw.build("toy.use").operands(arguments.iter().copied()).create()
    /// })?;
    /// # Ok(())
    /// # })?;
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::create`] and [`Rewriter::fill`].
    pub fn body<T: Into<TypeRef>, R>(
        mut self,
        arguments: impl IntoIterator<Item = T>,
        fill: impl FnOnce(&mut Rewriter<'_>, &[Value]) -> Result<R>,
    ) -> Result<OpId> {
        let number = self.regions as usize;
        self.regions += 1;
        let op = self.make(false)?;
        self.rewriter.fill(op, number, arguments, fill)?;
        Ok(op)
    }

    /// The types of the results, as the definition or its dialect says them.
    fn inferred(&self) -> Result<Vec<TypeRef>> {
        let (rewriter, context) = (&*self.rewriter, self.rewriter.context());
        let unknown = || {
            let name = context.operation_str(self.name);
            let message =
                format!("the definition of `{name}` does not say the types of its results: they have to be given");
            Error::misuse(message).with_code(ErrorCode::TypesNotKnown)
        };
        let Some(definition) = context.definition(self.name) else { return Ok(Vec::new()) };
        let details = definition.details();
        if details.results.is_empty() {
            return Ok(Vec::new());
        }
        let mut types: Vec<Type> = Vec::with_capacity(self.operands.len());
        for &operand in &self.operands {
            rewriter.body.check_value(operand)?;
            types.push(rewriter.module.ty(rewriter.body.ty(operand))?);
        }
        let find = |name: &str| {
            let found = self.attributes.iter().find(|entry| context.bytes(entry.0) == name.as_bytes());
            found.map(|entry| entry.1)
        };
        let sizes = find("operandSegmentSizes").and_then(|sizes| match &context[sizes] {
            crate::attribute::AttributeData::DenseArray { data, .. } => {
                let (sizes, _) = data.as_chunks::<4>();
                Some(sizes.iter().map(|size| i32::from_le_bytes(*size)).collect::<Vec<i32>>())
            }
            _ => None,
        });
        let ranges = definition.operand_ranges(types.len(), sizes.as_deref()).ok_or_else(unknown)?;
        let mut known = OpTypes {
            counts: ranges.iter().map(|range| range.len()).collect(),
            operands: ranges.into_iter().map(|range| types.get(range).map(<[Type]>::to_vec)).collect(),
            results: vec![None; details.results.len()],
            ..OpTypes::default()
        };
        infer_types(&Checker::new(context), definition, type_inference(context, definition), &mut known, &find);
        let results: Option<Vec<Vec<Type>>> = known.results.into_iter().collect();
        Ok(results.ok_or_else(unknown)?.into_iter().flatten().map(Into::into).collect())
    }
}
