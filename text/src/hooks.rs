//! What a dialect brings to the text of its operations, beside their definitions: custom assembly written by hand,
//! directives of its declarative formats, and names of results.
//!
//! A dialect attaches these with [`DialectAssembly`]. What two dialects call by one name does not meet: each is asked for
//! its own.
//!
//! ```
//! use mlirbc_ir::ods::{OpDef, OpTable};
//! use mlirbc_ir::{Context, Dialect};
//! use mlirbc_text::{Continuation, CustomAssembly, DialectAssembly, OpParser, OpPrinter, OpState, Parsed, Printed};
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! /// ` -> i32`
//! fn print(printer: &mut OpPrinter<'_, '_>) -> Printed {
//!     let result = printer.result(0)?;
//!     printer.text(" makes ");
//!     printer.value_type(result)
//! }
//!
//! fn parse<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
//!     parser.text().expect_word("makes")?;
//!     let ty = parser.any_type()?;
//!     op.add_result(ty);
//!     Ok(Continuation::Done)
//! }
//!
//! let context = Context::new();
//! let one = OpDef::builder("toy.one").result("it", &mlirbc_ir::ods::TypeConstraint::any()).custom_syntax().finish()?;
//! let toy = Dialect::new("toy").ops(OpTable::from_definitions([one])).assembly("one", CustomAssembly { print, parse });
//! context.register(toy)?;
//! let module = parse_module(&context, b"%0 = toy.one makes i32", &ParseOptions::new())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::parse::assembly::{OpState, Parsed};
use super::parse::module::OpParser;
use super::print::assembly::{OpPrinter, Printed};
use mlirbc_ir::{Context, Dialect, Identifier, OpRef, OperationName, Result};

use super::directive::Directive;
use super::former::FormerDialect;

/// Prints what follows an operation's name.
pub type PrintFn = fn(&mut OpPrinter<'_, '_>) -> Printed;

/// Parses what follows an operation's name.
pub type ParseFn = for<'a> fn(&mut OpParser<'a>, &mut OpState<'a>) -> Parsed<'a>;

/// Calls its second argument with the number of a result and the name that the operation gives it. An operation without operands and
/// regions names its one result as all others do that have the same attributes and the same type: only one of them is asked.
pub type ResultNamesFn = fn(OpRef<'_>, &mut dyn FnMut(usize, &[u8])) -> Result<()>;

/// Calls its last argument with the number of an argument and the name that the operation gives it: of the first block,
/// with so many arguments, of the region of that number.
pub type ArgumentNamesFn = fn(OpRef<'_>, usize, usize, &mut dyn FnMut(usize, &[u8])) -> Result<()>;

/// The alias of an attribute of a dialect that has this mnemonic, without number: letters, digits, `_` and `$`, the first no digit; the
/// attribute is printed in full where it is another. `None` where it wants none.
pub type AliasFn = fn(&[u8]) -> Option<Vec<u8>>;

/// The names that an operation gives its results.
#[derive(Clone, Copy)]
pub(super) enum ResultNames {
    /// The first is always called that.
    First(&'static str),
    By(ResultNamesFn),
}

/// The custom assembly of an operation: printer and parser side by side, so that no operation has one without the other.
#[derive(Clone, Copy)]
pub struct CustomAssembly {
    /// Prints what stands between the operation's name and its location.
    pub print: PrintFn,
    /// Reads the same.
    pub parse: ParseFn,
}

/// What is attached to a dialect.
#[derive(Clone, Default)]
pub(super) struct TextHooks {
    operations: HashMap<Box<str>, CustomAssembly>,
    directives: HashMap<Box<str>, Directive>,
    result_names: HashMap<Box<str>, ResultNames>,
    argument_names: HashMap<Box<str>, ArgumentNamesFn>,
    /// Operations whose contents leave out the name of the dialect.
    default: HashSet<Box<str>>,
    alias: Option<AliasFn>,
    /// What became of the operations of a dialect that goes by another name today.
    pub(super) former: Option<Arc<dyn FormerDialect>>,
}

impl TextHooks {
    /// Those of the dialect that an operation's name begins with, and the rest of the name.
    pub(super) fn of<'n>(context: &Context, operation: &'n str) -> Option<(Arc<TextHooks>, &'n str)> {
        let (dialect, rest) = operation.split_once('.')?;
        Some((context.dialect(dialect)?.get::<TextHooks>()?, rest))
    }

    /// Those of the dialect of that name.
    pub(super) fn of_dialect(context: &Context, dialect: Identifier) -> Option<Arc<TextHooks>> {
        context.dialect(std::str::from_utf8(context.bytes(dialect)).ok()?)?.get::<TextHooks>()
    }

    /// The custom assembly of an operation, by its full name.
    pub(super) fn assembly(context: &Context, operation: &str) -> Option<CustomAssembly> {
        let (hooks, rest) = Self::of(context, operation)?;
        hooks.operations.get(rest).copied()
    }

    /// How results of an operation are named, by its full name.
    pub(super) fn result_names(context: &Context, operation: &str) -> Option<ResultNames> {
        let (hooks, rest) = Self::of(context, operation)?;
        hooks.result_names.get(rest).copied()
    }

    /// How arguments of an operation's regions are named, by its full name.
    pub(super) fn argument_names(context: &Context, operation: &str) -> Option<ArgumentNamesFn> {
        let (hooks, rest) = Self::of(context, operation)?;
        hooks.argument_names.get(rest).copied()
    }

    /// The dialect whose name operations directly inside such an operation leave out.
    pub(super) fn default_dialect(context: &Context, operation: OperationName) -> Option<Identifier> {
        let name = context.operation_text(operation);
        let is_set = || {
            let (hooks, rest) = Self::of(context, std::str::from_utf8(name).ok()?)?;
            hooks.default.contains(rest).then_some(())
        };
        let is_module = name == b"builtin.module";
        (is_module || context.is_registered(operation) && is_set().is_some())
            .then(|| context.operation_dialect(operation))
    }

    /// The alias that an attribute of that dialect and mnemonic wants.
    pub(super) fn alias(context: &Context, dialect: &[u8], mnemonic: &[u8]) -> Option<Vec<u8>> {
        let dialect = context.dialect(std::str::from_utf8(dialect).ok()?)?;
        let mut name = dialect.get::<TextHooks>()?.alias?(mnemonic)?;
        // No parser takes another one: what has a dot is an attribute of a dialect.
        let begins = name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
        if !begins || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')) {
            return None;
        }
        // A number may follow.
        if name.last().is_some_and(u8::is_ascii_digit) {
            name.push(b'_');
        }
        Some(name)
    }

    /// Whether what stands directly inside such an operation, by its name without the dialect's, leaves out the name of the dialect.
    pub(super) fn is_default(&self, operation: &str) -> bool {
        self.default.contains(operation)
    }

    /// The custom assembly that a dialect brings, by the operation's name without the dialect's.
    pub(super) fn own_assembly(&self, operation: &str) -> Option<CustomAssembly> {
        self.operations.get(operation).copied()
    }

    pub(super) fn directive(&self, name: &str) -> Option<Directive> {
        self.directives.get(name).copied()
    }
}

/// Attaching to a dialect what it brings to the text of its operations. Names of operations are without the dialect's.
pub trait DialectAssembly {
    /// Sets the custom assembly of an operation. It goes before a declarative format of its definition.
    #[must_use]
    fn assembly(self, operation: &str, assembly: CustomAssembly) -> Self;

    /// Sets what `custom<name>` in a declarative format of this dialect's operations stands for.
    #[must_use]
    fn directive(self, name: &str, directive: Directive) -> Self;

    /// Sets how an operation names its results, as `OpAsmOpInterface` of MLIR does.
    #[must_use]
    fn result_names(self, operation: &str, names: ResultNamesFn) -> Self;

    /// Sets the one name that an operation gives its first result.
    #[must_use]
    fn result_name(self, operation: &str, name: &'static str) -> Self;

    /// Sets how an operation names the arguments of its regions' first blocks.
    #[must_use]
    fn argument_names(self, operation: &str, names: ArgumentNamesFn) -> Self;

    /// Says that operations of the dialect leave out its name where they stand directly inside this operation.
    #[must_use]
    fn default_dialect(self, operation: &str) -> Self;

    /// Sets which attributes of the dialect are printed by an alias.
    #[must_use]
    fn alias(self, alias: AliasFn) -> Self;

    /// Says that this is a name which the dialect had before, and what became of its operations.
    #[must_use]
    fn former(self, former: impl FormerDialect + 'static) -> Self;
}

impl DialectAssembly for Dialect {
    fn assembly(self, operation: &str, assembly: CustomAssembly) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.operations.insert(operation.into(), assembly);
        })
    }

    fn directive(self, name: &str, directive: Directive) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.directives.insert(name.into(), directive);
        })
    }

    fn result_names(self, operation: &str, names: ResultNamesFn) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.result_names.insert(operation.into(), ResultNames::By(names));
        })
    }

    fn result_name(self, operation: &str, name: &'static str) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.result_names.insert(operation.into(), ResultNames::First(name));
        })
    }

    fn argument_names(self, operation: &str, names: ArgumentNamesFn) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.argument_names.insert(operation.into(), names);
        })
    }

    fn default_dialect(self, operation: &str) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.default.insert(operation.into());
        })
    }

    fn alias(self, alias: AliasFn) -> Self {
        self.amend(|hooks: &mut TextHooks| hooks.alias = Some(alias))
    }

    fn former(self, former: impl FormerDialect + 'static) -> Self {
        self.amend(|hooks: &mut TextHooks| hooks.former = Some(Arc::new(former)))
    }
}
