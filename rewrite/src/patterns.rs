//! Sets of patterns.

use std::any::Any;
use std::cmp::Reverse;

use hashbrown::HashMap;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Context, OperationName};

use crate::pattern::{AnyPattern, Pattern};
use crate::root::{Root, Roots};

/// Patterns, each with the operations that it begins with.
///
/// Of those for one operation that of the highest benefit is tried first; of equal ones the one that was added first, but those for
/// operations of any name after all others. Which patterns are for operations of a name is found out once a name.
///
/// ```
/// use mlirbc_ir::interfaces::Branch;
/// use mlirbc_ir::ods::Traits;
/// use mlirbc_ir::{Context, OpId, Rewriter};
/// use mlirbc_rewrite::{AnyPattern, Greedy, Match, Outcome, Patterns, Pipeline};
///
/// /// Takes an attribute away.
/// fn forget(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
///     match rw.op(op).attribute("toy.note")? {
///         Some(_) => Ok(rw.remove_attribute(op, "toy.note")?),
///         None => rw.no_match("there is no note"),
///     }
/// }
///
/// let patterns = Patterns::new()
///     .on("toy.sum", AnyPattern::new("OfSums", forget).benefit(2))
///     .on_interface::<dyn Branch>(AnyPattern::new("OfBranches", forget))
///     .on_trait(Traits::TERMINATOR, AnyPattern::new("OfTerminators", forget))
///     .on_any(AnyPattern::new("OfAll", forget));
/// let more = Patterns::new().on("toy.sum", AnyPattern::new("MoreOfSums", forget));
/// let patterns = patterns.with(more);
///
/// let context = Context::new();
/// let names = |operation: &str| -> Vec<&str> {
///     let patterns = patterns.of(&context, context.operation_name(operation, true));
///     patterns.iter().map(|pattern| pattern.name).collect()
/// };
/// assert_eq!(names("toy.sum"), ["OfSums", "MoreOfSums", "OfAll"]);
/// assert_eq!(names("toy.product"), ["OfAll"]);
///
/// let text = b"module { \"toy.product\"() {toy.note} : () -> () }";
/// let mut module = mlirbc_text::parse_module(&context, text, &mlirbc_text::ParseOptions::new())?;
/// Pipeline::new().pass(Greedy::new(patterns)).run(&mut module)?;
/// let product = module.operations()?.next().ok_or("a module")?.ops()?.next().ok_or("a product")?;
/// assert_eq!(product.attribute("toy.note")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// By name; each with its number among all that were added.
    named: HashMap<Box<[u8]>, Vec<(usize, AnyPattern)>>,
    /// Those for operations of several names, in the order in which they were added.
    chosen: Vec<(usize, Roots, AnyPattern)>,
    any: Vec<AnyPattern>,
    /// How many were added.
    count: usize,
}

impl Patterns {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern for the operations that it says itself.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "sets of patterns are no numbers")]
    pub fn add<P: Pattern>(self, pattern: P) -> Self {
        self.on_roots(P::Root::roots(), pattern)
    }

    /// Adds a pattern for operations of that name.
    #[must_use]
    pub fn on(mut self, operation: impl AsRef<[u8]>, pattern: impl Into<AnyPattern>) -> Self {
        self.named.entry_ref(operation.as_ref()).or_default().push((self.count, pattern.into()));
        self.count += 1;
        self
    }

    /// Adds a pattern for operations of any name, unknown ones included.
    #[must_use]
    pub fn on_any(self, pattern: impl Into<AnyPattern>) -> Self {
        self.on_roots(Roots::Any, pattern)
    }

    /// Adds a pattern for operations that have an interface: those of which a dialect says how they
    /// [implement](mlirbc_ir::Dialect::interface) it. Where definitions alone say so, see [`Patterns::on_implementing`].
    #[must_use]
    pub fn on_interface<I: ?Sized + Any + Send + Sync>(self, pattern: impl Into<AnyPattern>) -> Self {
        self.on_roots(Roots::with::<I>(), pattern)
    }

    /// Adds a pattern for operations whose definition implements the interface of that name in C++: `DestinationStyleOpInterface`.
    #[must_use]
    pub fn on_implementing(self, interface: &'static str, pattern: impl Into<AnyPattern>) -> Self {
        self.on_roots(Roots::Implementing(interface), pattern)
    }

    /// Adds a pattern for operations whose definition has all of these traits.
    #[must_use]
    pub fn on_trait(self, traits: Traits, pattern: impl Into<AnyPattern>) -> Self {
        self.on_roots(Roots::Trait(traits), pattern)
    }

    /// Adds a pattern for those operations.
    #[must_use]
    pub fn on_roots(mut self, roots: Roots, pattern: impl Into<AnyPattern>) -> Self {
        match roots {
            Roots::Named(name) => return self.on(name, pattern),
            Roots::Any => self.any.push(pattern.into()),
            roots => self.chosen.push((self.count, roots, pattern.into())),
        }
        self.count += 1;
        self
    }

    /// Adds all patterns of another set behind these.
    #[must_use]
    pub fn with(mut self, others: Self) -> Self {
        let before = self.count;
        for (name, patterns) in others.named {
            let patterns = patterns.into_iter().map(|(number, pattern)| (before + number, pattern));
            self.named.entry(name).or_default().extend(patterns);
        }
        let chosen = others.chosen.into_iter();
        self.chosen.extend(chosen.map(|(number, roots, pattern)| (before + number, roots, pattern)));
        self.any.extend(others.any);
        self.count += others.count;
        self
    }

    /// The patterns for operations of that name, in the order in which they are tried.
    pub fn of(&self, context: &Context, name: OperationName) -> Vec<AnyPattern> {
        self.of_with(context, name, &[], |_| true)
    }

    /// As [`Patterns::of`], with `more` behind those that were added for it, of all of which `takes` says which are left.
    pub(crate) fn of_with(
        &self,
        context: &Context,
        name: OperationName,
        more: &[AnyPattern],
        takes: impl Fn(&AnyPattern) -> bool,
    ) -> Vec<AnyPattern> {
        let text = context.operation_text(name);
        let named = self.named.get(text).into_iter().flatten();
        let mut added: Vec<(usize, &AnyPattern)> = named.map(|(number, pattern)| (*number, pattern)).collect();
        if !self.chosen.is_empty() {
            let chosen = self.chosen.iter().filter(|(_, roots, _)| roots.contain(context, name));
            added.extend(chosen.map(|(number, _, pattern)| (*number, pattern)));
            added.sort_by_key(|(number, _)| *number);
        }
        let all = added.into_iter().map(|(_, pattern)| pattern).chain(more).chain(&self.any);
        let mut all: Vec<AnyPattern> = all.filter(|pattern| takes(pattern)).cloned().collect();
        all.sort_by_key(|pattern| Reverse((pattern.is_fold, pattern.benefit)));
        all
    }
}
