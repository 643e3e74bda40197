//! Which operations a conversion wants, and which it wants gone.

use std::fmt;
use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::OpRef;

/// Whether an operation is legal; `None` where that cannot be said: it counts as neither legal nor illegal then.
type Predicate = dyn Fn(OpRef<'_>) -> Option<bool> + Send + Sync;

/// Why an operation cannot be had; `None` where nothing is known.
type Explanation = dyn Fn(OpRef<'_>) -> Option<String> + Send + Sync;

#[derive(Clone)]
enum Action {
    Legal,
    Illegal,
    Dynamic(Arc<Predicate>),
}

#[derive(Clone)]
struct Entry {
    action: Action,
    recursive: Option<Arc<Predicate>>,
}

/// What a conversion says of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legality {
    /// It may stay.
    Legal,
    /// It may stay, and so may all that is in it.
    RecursivelyLegal,
    /// It has to go.
    Illegal,
    /// Nothing: it is converted where that can be done, and stays in a partial conversion where not.
    Unknown,
}

/// Which operations are legal when a conversion is done (`mlir/Transforms/DialectConversion.h`, `ConversionTarget`).
///
/// What is said of an operation's name goes before what is said of its dialect, and that before what is said of all.
///
/// ```
/// use mlirbc_rewrite::conversion::ConversionTarget;
///
/// let target = ConversionTarget::new()
///     .legal_dialects(["new"])
///     .illegal_dialects(["toy"])
///     .dynamic("toy.keep", |op| Some(op.operands().is_empty()))
///     .legal_recursively("toy.opaque");
/// ```
#[derive(Clone, Default)]
pub struct ConversionTarget {
    operations: HashMap<Box<str>, Entry>,
    dialects: HashMap<Box<str>, Action>,
    others: Option<Action>,
    explanation: Option<Arc<Explanation>>,
}

impl ConversionTarget {
    /// Says nothing of any operation yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Operations of these names are legal.
    #[must_use]
    pub fn legal<S: AsRef<str>>(self, names: impl IntoIterator<Item = S>) -> Self {
        self.operations(names, &Action::Legal)
    }

    /// Operations of these names are illegal.
    #[must_use]
    pub fn illegal<S: AsRef<str>>(self, names: impl IntoIterator<Item = S>) -> Self {
        self.operations(names, &Action::Illegal)
    }

    /// Operations of that name are legal where `is_legal` says so, and illegal where it says not.
    #[must_use]
    pub fn dynamic(self, name: &str, is_legal: impl Fn(OpRef<'_>) -> Option<bool> + Send + Sync + 'static) -> Self {
        self.operations([name], &Action::Dynamic(Arc::new(is_legal)))
    }

    /// Operations of these dialects are legal.
    #[must_use]
    pub fn legal_dialects<S: AsRef<str>>(self, names: impl IntoIterator<Item = S>) -> Self {
        self.dialects(names, &Action::Legal)
    }

    /// Operations of these dialects are illegal.
    #[must_use]
    pub fn illegal_dialects<S: AsRef<str>>(self, names: impl IntoIterator<Item = S>) -> Self {
        self.dialects(names, &Action::Illegal)
    }

    /// Operations of that dialect are legal where `is_legal` says so, and illegal where it says not.
    #[must_use]
    pub fn dynamic_dialect(
        self,
        name: &str,
        is_legal: impl Fn(OpRef<'_>) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        self.dialects([name], &Action::Dynamic(Arc::new(is_legal)))
    }

    /// All operations of which nothing else is said are legal where `is_legal` says so, and illegal where it says not.
    #[must_use]
    pub fn dynamic_others(self, is_legal: impl Fn(OpRef<'_>) -> Option<bool> + Send + Sync + 'static) -> Self {
        ConversionTarget { others: Some(Action::Dynamic(Arc::new(is_legal))), ..self }
    }

    /// What errors say of an operation that could not be converted, or of one that it would have become and that may not be.
    #[must_use]
    pub fn explained(self, explain: impl Fn(OpRef<'_>) -> Option<String> + Send + Sync + 'static) -> Self {
        ConversionTarget { explanation: Some(Arc::new(explain)), ..self }
    }

    /// Why an operation cannot be had, where that is known.
    pub fn explain(&self, op: OpRef<'_>) -> Option<String> {
        self.explanation.as_ref()?(op)
    }

    /// Operations of that name are legal, and all that is in them is.
    #[must_use]
    pub fn legal_recursively(self, name: &str) -> Self {
        self.operations([name], &Action::Legal).recursive(name, |_| Some(true))
    }

    /// All that is in an operation of that name is legal where the operation is and `is_recursive` does not say that it is not. What
    /// was said of the name stays; where nothing was, it is legal.
    #[must_use]
    pub fn recursive(
        mut self,
        name: &str,
        is_recursive: impl Fn(OpRef<'_>) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        let fresh = || Entry { action: Action::Legal, recursive: None };
        self.operations.entry_ref(name).or_insert_with(fresh).recursive = Some(Arc::new(is_recursive));
        self
    }

    fn operations<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>, action: &Action) -> Self {
        for name in names {
            let fresh = || Entry { action: Action::Legal, recursive: None };
            self.operations.entry_ref(name.as_ref()).or_insert_with(fresh).action = action.clone();
        }
        self
    }

    fn dialects<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>, action: &Action) -> Self {
        for name in names {
            self.dialects.insert(name.as_ref().into(), action.clone());
        }
        self
    }

    /// What is said of an operation.
    pub fn legality(&self, op: OpRef<'_>) -> Legality {
        let name = op.name();
        let is_legal = match self.action(&name) {
            None => None,
            Some(Action::Legal) => Some(true),
            Some(Action::Illegal) => Some(false),
            Some(Action::Dynamic(is_legal)) => is_legal(op),
        };
        let recursive = self.operations.get(&*name).and_then(|entry| entry.recursive.as_ref());
        match is_legal {
            None => Legality::Unknown,
            Some(false) => Legality::Illegal,
            Some(true) if recursive.is_some_and(|recursive| recursive(op).unwrap_or(true)) => {
                Legality::RecursivelyLegal
            }
            Some(true) => Legality::Legal,
        }
    }

    /// What is said of all operations of that name; `None` where each is asked about.
    pub(super) fn legality_of_all(&self, name: &str) -> Option<Legality> {
        if self.operations.get(name).is_some_and(|entry| entry.recursive.is_some()) {
            return None;
        }
        match self.action(name) {
            None => Some(Legality::Unknown),
            Some(Action::Legal) => Some(Legality::Legal),
            Some(Action::Illegal) => Some(Legality::Illegal),
            Some(Action::Dynamic(_)) => None,
        }
    }

    /// What is said of operations of that name.
    fn action(&self, name: &str) -> Option<&Action> {
        let dialect = || self.dialects.get(name.split_once('.').map_or("", |(dialect, _)| dialect));
        self.operations.get(name).map(|entry| &entry.action).or_else(dialect).or(self.others.as_ref())
    }

    /// Whether every operation of that name is legal.
    pub(super) fn is_always_legal(&self, name: &str) -> bool {
        matches!(self.action(name), Some(Action::Legal))
    }

    /// Whether an operation of that name may be legal.
    pub(super) fn may_be_legal(&self, name: &str) -> bool {
        matches!(self.action(name), Some(Action::Legal | Action::Dynamic(_)))
    }
}

impl fmt::Debug for ConversionTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |action: &Action| match action {
            Action::Legal => "legal",
            Action::Illegal => "illegal",
            Action::Dynamic(_) => "dynamic",
        };
        let operations = self.operations.iter().map(|(name, entry)| (name, kind(&entry.action)));
        f.debug_map().entries(operations).entries(self.dialects.iter().map(|(name, of)| (name, kind(of)))).finish()
    }
}
