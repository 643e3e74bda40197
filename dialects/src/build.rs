//! What programs build most, in one call each.

use mlirbc_ir::{Attribute, IntoAttribute, OpId, Result, Rewriter, Type, Value};

/// Operations that most programs build, beside [`Rewriter::build`], which builds any.
///
/// ```
/// use mlirbc_dialects::Build;
/// use mlirbc_ir::Module;
///
/// let context = mlirbc_dialects::context();
/// let i32 = context.integer_type(32);
/// let mut module = Module::with_module_op(&context)?;
/// module.build(|rw| {
///     rw.build_function("increment", [i32], [i32], |rw, arguments| {
///         let one = rw.build_constant(1)?;
///         let sum = rw.build_value("arith.addi", [arguments[0], one])?;
///         rw.build_op("func.return", [sum])
///     })
/// })?;
/// module.verify()?;
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
pub trait Build {
    /// An `arith.constant`, of the type that the attribute has: `rw.build_constant(1)` is one of `i32`.
    ///
    /// # Errors
    /// Where the attribute has no type; as [`Builder::create`](mlirbc_ir::Builder::create).
    fn build_constant(&mut self, value: impl IntoAttribute) -> Result<Value>;

    /// An `arith.constant` of `index`.
    ///
    /// # Errors
    /// As [`Builder::create`](mlirbc_ir::Builder::create).
    fn build_index(&mut self, value: i64) -> Result<Value>;

    /// A `func.func` of that name that takes and gives values of these types, and has `fill` make what is in it.
    ///
    /// # Errors
    /// As [`Builder::body`](mlirbc_ir::Builder::body).
    fn build_function<R>(
        &mut self,
        name: &str,
        inputs: impl IntoIterator<Item = Type>,
        results: impl IntoIterator<Item = Type>,
        fill: impl FnOnce(&mut Rewriter<'_>, &[Value]) -> Result<R>,
    ) -> Result<OpId>;

    /// A private `ml_program.global` of that name and type, and what it holds: a number, or weights in a blob.
    ///
    /// ```
    /// # use mlirbc_dialects::Build;
    /// # use mlirbc_ir::{Blob, Module};
    /// # let context = mlirbc_dialects::context();
    /// # let mut module = Module::with_module_op(&context)?;
    /// let ty = context.tensor_type([2], context.f32_type());
    /// let weights = module.add_blob("weights", ty, Blob::of(vec![0.5f32, 1.5]))?;
    /// module.build(|rw| rw.build_global("w", ty, weights))?;
    /// assert_eq!(module.expect_symbol("w")?.expect_attribute("value")?, weights);
    /// # module.verify()?;
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::create`](mlirbc_ir::Builder::create).
    fn build_global(&mut self, name: &str, ty: Type, value: Attribute) -> Result<OpId>;
}

impl Build for Rewriter<'_> {
    fn build_constant(&mut self, value: impl IntoAttribute) -> Result<Value> {
        self.build("arith.constant").attribute("value", value).value()
    }

    fn build_index(&mut self, value: i64) -> Result<Value> {
        let value = self.context().index_attr(value);
        self.build_constant(value)
    }

    fn build_function<R>(
        &mut self,
        name: &str,
        inputs: impl IntoIterator<Item = Type>,
        results: impl IntoIterator<Item = Type>,
        fill: impl FnOnce(&mut Rewriter<'_>, &[Value]) -> Result<R>,
    ) -> Result<OpId> {
        let inputs: Vec<Type> = inputs.into_iter().collect();
        let ty = self.context().function_type(inputs.iter().copied(), results);
        self.build("func.func").attribute("sym_name", name).attribute("function_type", ty).body(inputs, fill)
    }

    fn build_global(&mut self, name: &str, ty: Type, value: Attribute) -> Result<OpId> {
        let global = self.build("ml_program.global").attribute("sym_name", name).attribute("type", ty);
        global.attribute("sym_visibility", "private").attribute("value", value).create()
    }
}
