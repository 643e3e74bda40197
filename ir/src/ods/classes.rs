//! What classes and functions of C++ stand for that no record of TableGen describes.

use super::predicate::Test;

/// Classes of C++ that a dialect implements without a record, or whose record files of others do not include: an
/// [`Importer`](crate::tablegen::Importer) that [knows](crate::tablegen::Importer::knows) the dialect understands predicates that name them.
/// Attached to a dialect with [`Dialect::extension`](crate::Dialect::extension). Classes are named with their namespaces, but
/// for `mlir`: `gpu::AsyncTokenType`.
///
/// ```
/// use mlirbc_ir::Dialect;
/// use mlirbc_ir::ods::CppClasses;
/// use mlirbc_ir::tablegen::Importer;
///
/// let classes = CppClasses::new().ty("toy::ListType", "list").parameter("list", "getElement", "element");
/// let toy = Dialect::new("toy").extension(classes);
/// let importer = Importer::new().knows(&toy);
/// # drop(importer);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CppClasses {
    /// Class and mnemonic.
    pub(crate) types: Vec<[String; 2]>,
    /// Class and mnemonic.
    pub(crate) attributes: Vec<[String; 2]>,
    /// Classes that all types of the dialect have.
    pub(crate) bases: Vec<String>,
    /// Mnemonic, method and parameter.
    pub(crate) parameters: Vec<[String; 3]>,
    /// Function, and what it tells.
    pub(crate) functions: Vec<[String; 2]>,
    /// Function, and the test that it is.
    pub(crate) tests: Vec<(String, Test)>,
}

impl CppClasses {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says which type a class implements, by mnemonic.
    #[must_use]
    pub fn ty(mut self, class: &str, mnemonic: &str) -> Self {
        self.types.push([class, mnemonic].map(str::to_owned));
        self
    }

    /// Says which attribute a class implements, by mnemonic.
    #[must_use]
    pub fn attribute(mut self, class: &str, mnemonic: &str) -> Self {
        self.attributes.push([class, mnemonic].map(str::to_owned));
        self
    }

    /// Says that a class is the base of all types of the dialect, and of no others.
    #[must_use]
    pub fn any_type(mut self, class: &str) -> Self {
        self.bases.push(class.to_owned());
        self
    }

    /// Says that a function of one type tells types that are `what`, such as `a float that LLVM knows`: [`TypeTests`](crate::verify::TypeTests) of the dialect
    /// answer for it.
    #[must_use]
    pub fn function(mut self, function: &str, what: &str) -> Self {
        self.functions.push([function, what].map(str::to_owned));
        self
    }

    /// Whether a function of one type was [named](Self::function).
    pub(crate) fn has_function(&self, function: &str) -> bool {
        self.functions.iter().any(|[known, _]| known == function)
    }

    /// Says that a function of one operation is a test, such as [`Test::IsSymbolTable`].
    #[must_use]
    pub fn operation_test(mut self, function: &str, test: Test) -> Self {
        self.tests.push((function.to_owned(), test));
        self
    }

    /// Says which parameter of a type or attribute a method reads, where the method is not named after it.
    #[must_use]
    pub fn parameter(mut self, mnemonic: &str, method: &str, parameter: &str) -> Self {
        self.parameters.push([mnemonic, method, parameter].map(str::to_owned));
        self
    }
}
