//! Changes of a module in one call each. [`Module::rewrite`] makes several at once.

use std::collections::{BTreeMap, HashSet};

use crate::attribute::{Attribute, AttributeData, ResourceKey};
use crate::blob::Blob;
use crate::body::{BlockId, BodyId, OpId};
use crate::context::{Context, IntoAttribute, fresh_number};
use crate::dense::dense_layout;
use crate::error::{Error, ErrorCode, Errors, Result};
use crate::module::{Module, OpRef, ResourceEntry, ResourceValue};
use crate::rewriter::{InsertionPoint, Rewriter};
use crate::types::Type;
use crate::verify::verify_module_or;

/// # Changes in one call
impl Module {
    /// A module of one operation `builtin.module` that holds nothing yet, as the programs of MLIR make them.
    ///
    /// ```
    /// use mlirbc_ir::{Context, Module};
    ///
    /// let mut module = Module::with_module_op(&Context::new())?;
    /// module.build(|rw| rw.build("toy.one").create())?;
    /// let outermost = module.operations()?.next().ok_or("no operation")?;
    /// assert!(outermost.is("builtin.module") && outermost.ops()?.count() == 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None that a caller makes.
    pub fn with_module_op(context: &Context) -> Result<Self> {
        let mut module = Self::new(context);
        module.build(|rw| rw.build("builtin.module").body::<Type, _>([], |_, _| Ok(())))?;
        Ok(module)
    }

    /// Makes operations at the end of the module: of its `builtin.module`, where that is all that it has, else behind the outermost ones.
    ///
    /// ```
    /// use mlirbc_ir::{Context, Module};
    ///
    /// let context = Context::new();
    /// let mut module = Module::new(&context);
    /// let index = context.index_type();
    /// let sum = module.build(|rw| {
    ///     let one = rw.build("toy.constant").attribute("value", context.index_attr(1)).result_type(index).value()?;
    ///     rw.build("toy.add").operands([one, one]).result_type(index).create()
    /// })?;
    /// assert_eq!(module.top()?.operands(sum).len(), 2);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Module::rewrite`].
    pub fn build<R>(&mut self, build: impl FnOnce(&mut Rewriter<'_>) -> Result<R>) -> Result<R> {
        let (body, block) = self.end()?;
        self.build_at(body, block.map(InsertionPoint::End), |rw| {
            if block.is_none() {
                let region = rw.body().top_regions()[0];
                let block = rw.create_block::<Type>(region, None, [])?;
                rw.set_insertion_point_to_end(block)?;
            }
            build(rw)
        })
    }

    /// Makes operations at that place of a body, such as the end of a block: `InsertionPoint::End(block)`.
    ///
    /// # Errors
    /// As [`Module::rewrite`], and where the body has no such place.
    pub fn build_at<R>(
        &mut self,
        body: BodyId,
        point: impl Into<Option<InsertionPoint>>,
        build: impl FnOnce(&mut Rewriter<'_>) -> Result<R>,
    ) -> Result<R> {
        self.rewrite(body, |rw| {
            rw.set_insertion_point(point.into())?;
            build(rw)
        })
    }

    /// Every operation, each before what it holds, those in other bodies included. All bodies are read first.
    ///
    /// # Errors
    /// Where one of them is malformed.
    pub fn walk(&self) -> Result<impl Iterator<Item = OpRef<'_>>> {
        let walks: Result<Vec<_>> = self.operations()?.map(OpRef::walk).collect();
        Ok(walks?.into_iter().flatten())
    }

    /// Where the operations stand that are `wanted`, as changes take it: to find them all before the first is changed. Each comes before what
    /// it holds.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, Module};
    /// # let mut module = Module::new(&Context::new());
    /// # module.build(|rw| rw.build("toy.one").create())?;
    /// for place in module.places(|op| op.is("toy.one"))? {
    ///     module.set_attribute(place, "colour", "red")?;
    /// }
    /// # assert!(module.walk()?.all(|op| op.has_attribute("colour").is_ok_and(|has| has)));
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Module::walk`].
    pub fn places(&self, mut wanted: impl FnMut(OpRef<'_>) -> bool) -> Result<Vec<(BodyId, OpId)>> {
        Ok(self.walk()?.filter(|&op| wanted(op)).map(OpRef::place).collect())
    }

    /// How many operations there are of each kind that `key` tells apart.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, Module};
    /// # let mut module = Module::with_module_op(&Context::new())?;
    /// # module.build(|rw| rw.build("toy.one").create())?;
    /// let counts = module.count_by(|op| op.dialect())?;
    /// assert_eq!((counts["builtin"], counts["toy"]), (1, 1));
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Module::walk`].
    pub fn count_by<'m, K: Ord>(&'m self, mut key: impl FnMut(OpRef<'m>) -> K) -> Result<BTreeMap<K, usize>> {
        let mut counts = BTreeMap::new();
        for op in self.walk()? {
            *counts.entry(key(op)).or_default() += 1;
        }
        Ok(counts)
    }

    /// Where the module ends: a body, and a block of it, or none where its one region has none.
    fn end(&self) -> Result<(BodyId, Option<BlockId>)> {
        let mut ops = self.operations()?;
        let body = match (ops.next(), ops.next()) {
            (Some(op), None) if op.is("builtin.module") => op.body().region_body(op.id()),
            _ => None,
        };
        let id = body.unwrap_or(BodyId::from_index(Self::TOP));
        let body = self.body(id)?;
        Ok((id, body.top_regions().first().and_then(|&region| body.last_block(region))))
    }

    /// Sets an attribute, whichever it is: among the properties where the definition has one of that name, or there is one, else among the
    /// discardable attributes. The operation is that of [`OpRef::place`](crate::OpRef::place).
    ///
    /// # Errors
    /// Where the attributes of the operation cannot be decoded, or are opaque, or the module has no such operation.
    pub fn set_attribute(
        &mut self,
        op: (BodyId, OpId),
        name: impl AsRef<[u8]>,
        value: impl IntoAttribute,
    ) -> Result<()> {
        self.rewrite(op.0, |rw| rw.set_attribute(op.1, name, value))
    }

    /// Takes an attribute away, whichever it is. Nothing where the operation has none of that name.
    ///
    /// # Errors
    /// As [`Module::set_attribute`].
    pub fn remove_attribute(&mut self, op: (BodyId, OpId), name: impl AsRef<[u8]>) -> Result<()> {
        self.rewrite(op.0, |rw| rw.remove_attribute(op.1, name))
    }

    /// Keeps bytes as a resource, and gives the attribute that stands for them: `dense_resource<weights> : tensor<4xf32>`. They are not
    /// copied. Where the module has a resource of that key, the new one has a number behind it, as in MLIR.
    ///
    /// The bytes are the elements, little-endian, row by row: [`Blob::of`] makes them of numbers. They will stand in a file at a multiple of
    /// the size of an element.
    ///
    /// ```
    /// use mlirbc_ir::{Blob, Context, Module};
    ///
    /// let context = Context::new();
    /// let mut module = Module::new(&context);
    /// let ty = context.tensor_type([2], context.integer_type(16));
    /// let weights = module.add_blob("weights", ty, Blob::of(vec![1i16, 2]))?;
    /// module.build(|rw| rw.build("toy.constant").attribute("value", weights).result_type(ty).create())?;
    /// assert_eq!(context.show(weights).to_string(), "dense_resource<weights> : tensor<2xi16>");
    /// assert_eq!(module.expect_blob(weights)?.numbers::<i16>(1..)?, [2]);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the type is no shaped type of numbers with static shape, or takes another number of bytes; where resources of the module's file
    /// cannot be read.
    pub fn add_blob(&mut self, key: impl AsRef<[u8]>, ty: Type, bytes: impl Into<Blob>) -> Result<Attribute> {
        let data: Blob = bytes.into();
        let (layout, count) = dense_layout(self.context(), ty)?;
        // MLIR gives each truth value a byte here, and other elements as many as they have.
        let wanted = count.checked_mul(layout.size() as u64);
        if wanted != Some(data.len() as u64) {
            let (given, ty) = (Error::counted(data.len(), "byte"), self.context().show(ty));
            let message = format!("{given} for {ty}, which takes {}", wanted.unwrap_or(u64::MAX));
            return Err(Error::misuse(message).with_code(ErrorCode::WrongType));
        }
        let owner = self.context().identifier("builtin");
        let own = self.resources()?.iter().filter(|group| group.dialect && group.owner == owner);
        let taken: HashSet<&[u8]> = own.flat_map(|group| &group.entries).map(|entry| &*entry.key).collect();
        let mut unique = key.as_ref().to_vec();
        for number in 1u64.. {
            if !taken.contains(&*unique) {
                break;
            }
            unique = [key.as_ref(), format!("_{number}").as_bytes()].concat();
        }
        let key = ResourceKey { dialect: owner, key: unique.clone().into(), owner: fresh_number() };
        let handle = self.context().resource(key);
        let alignment = layout.number_size().next_power_of_two() as u64;
        let value = ResourceValue::Blob { alignment, data };
        self.add_resources(vec![(handle, ResourceEntry { key: unique.into(), handle: Some(handle), value })])?;
        Ok(self.context().attribute(AttributeData::DenseResource { ty, resource: handle }))
    }

    /// The bytes that an attribute stands for, where it stands for some of a resource and the module holds that.
    ///
    /// # Errors
    /// Where the resources of the module's file cannot be read.
    pub fn blob(&self, attribute: Attribute) -> Result<Option<&Blob>> {
        let AttributeData::DenseResource { resource, .. } = self.context()[attribute] else { return Ok(None) };
        Ok(self.resource(resource)?.and_then(|entry| match &entry.value {
            ResourceValue::Blob { data, .. } => Some(data),
            _ => None,
        }))
    }

    /// As [`Module::blob`], where there has to be one.
    ///
    /// # Errors
    /// [`ErrorCode::NotDefined`] where the attribute stands for no resource, or for one that the module does not hold.
    pub fn expect_blob(&self, attribute: Attribute) -> Result<&Blob> {
        self.blob(attribute)?.ok_or_else(|| {
            let message = format!("{} stands for no bytes that are there", self.context().show(attribute));
            Error::misuse(message).with_code(ErrorCode::NotDefined)
        })
    }

    /// Whether all of the module is as definitions and dialects say, and each value defined where it is used: all that is wrong, in MLIR's
    /// order. What cannot be decoded is the last error. [`verify_module_with`](crate::verify::verify_module_with) takes threads.
    ///
    /// ```
    /// use mlirbc_ir::{Context, Module};
    ///
    /// let context = Context::new();
    /// let mut module = Module::with_module_op(&context)?;
    /// module.verify()?;
    /// let place = module.operations()?.next().ok_or("no operation")?.place();
    /// module.set_attribute(place, "sym_name", context.integer(32, 1))?;
    /// for error in module.verify().expect_err("a name is a string") {
    ///     println!("{error}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify(&self) -> Result<(), Errors> {
        verify_module_or(self)
    }
}
