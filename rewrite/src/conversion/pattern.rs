//! Patterns that convert operations.

use std::fmt;
use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::{OpId, Value};

use super::rewriter::ConversionRewriter;
use super::types::TypeConverter;
use crate::outcome::{NoMatch, Outcome};

/// What stands for the operands of an operation that is converted: values of converted types, or what came of those who define them
/// where the pattern has no type converter.
#[derive(Clone, Debug, Default)]
pub struct Adaptor {
    values: Vec<Value>,
    /// By operand: where its values end, which begin where those of the one before end.
    ends: Vec<usize>,
}

impl Adaptor {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.ends.clear();
    }

    /// Adds one more operand, for which stands what `add` adds to the values.
    pub(super) fn push(&mut self, add: impl FnOnce(&mut Vec<Value>) -> Outcome) -> Outcome {
        add(&mut self.values)?;
        self.ends.push(self.values.len());
        Ok(())
    }

    /// How many operands there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What stands for the operand of that number.
    ///
    /// # Errors
    /// No match where there is no such operand, or not exactly one value stands for it.
    pub fn get(&self, number: usize) -> Result<Value, NoMatch> {
        match self.many(number) {
            &[value] => Ok(value),
            _ => Err(NoMatch::Reason("not one value stands for an operand")),
        }
    }

    /// The values that stand for the operand of that number; none where there is no such operand.
    pub fn many(&self, number: usize) -> &[Value] {
        let Some(&end) = self.ends.get(number) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start..end]
    }

    /// What stands for all operands, one value each.
    ///
    /// # Errors
    /// No match where not exactly one value stands for one of them.
    pub fn all(&self) -> Result<Vec<Value>, NoMatch> {
        (0..self.len()).map(|number| self.get(number)).collect()
    }

    /// What stands for all operands, one behind the other.
    pub fn flat(&self) -> Vec<Value> {
        self.values.clone()
    }
}

/// Converts one operation: replaces it, or changes it in place within [`ConversionRewriter::modify`]. A function that gives
/// [`NoMatch::Reason`] may have changed something: that is undone.
pub type ConvertFn = fn(&mut ConversionRewriter<'_, '_>, OpId, &Adaptor) -> Outcome;

type Convert = dyn Fn(&mut ConversionRewriter<'_, '_>, OpId, &Adaptor) -> Outcome + Send + Sync;

/// A pattern that converts operations.
#[derive(Clone)]
pub struct ConversionPattern {
    pub(super) name: &'static str,
    pub(super) benefit: u16,
    pub(super) bounded: bool,
    pub(super) types: Option<Arc<TypeConverter>>,
    /// The operations that it makes.
    pub(super) generates: Vec<Box<str>>,
    convert: Arc<Convert>,
}

impl ConversionPattern {
    /// A function as a pattern, of benefit 1.
    pub fn new(name: &'static str, convert: ConvertFn) -> Self {
        Self::of(name, convert)
    }

    /// As [`ConversionPattern::new`], of a closure.
    pub fn of(
        name: &'static str,
        convert: impl Fn(&mut ConversionRewriter<'_, '_>, OpId, &Adaptor) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        ConversionPattern {
            name,
            benefit: 1,
            bounded: false,
            types: None,
            generates: Vec::new(),
            convert: Arc::new(convert),
        }
    }

    /// The name of the pattern.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Sets the benefit: of the patterns for one operation that lead to legal ones in equally many steps, that of the highest is tried
    /// first.
    #[must_use]
    pub fn benefit(self, benefit: u16) -> Self {
        ConversionPattern { benefit, ..self }
    }

    /// Says that the pattern may be applied to what it made itself. Otherwise it is not, nor to what came of that.
    #[must_use]
    pub fn bounded_recursion(self) -> Self {
        ConversionPattern { bounded: true, ..self }
    }

    /// Says which operations it makes, in full names (`Pattern::getGeneratedOps`): so it is known how many steps lead from it to legal
    /// ones, and that it is of no use where none do. One that says nothing counts as leading there at once.
    #[must_use]
    pub fn generates<S: Into<Box<str>>>(mut self, operations: impl IntoIterator<Item = S>) -> Self {
        self.generates.extend(operations.into_iter().map(Into::into));
        self
    }

    /// Sets what types become, so that the pattern is given operands of converted types. It does not match where one of them cannot be
    /// converted.
    #[must_use]
    pub fn types(self, types: &Arc<TypeConverter>) -> Self {
        ConversionPattern { types: Some(types.clone()), ..self }
    }

    pub(super) fn convert(&self, rw: &mut ConversionRewriter<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
        (self.convert)(rw, op, operands)
    }
}

impl fmt::Debug for ConversionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.benefit)
    }
}

/// Patterns by the names of the operations that they convert.
///
/// They are tried in MLIR's order, which [`Conversion::patterns_of`](super::Conversion::patterns_of) tells: those first that lead to legal
/// operations in the fewest steps, as far as patterns [say what they make](ConversionPattern::generates); then those of the highest
/// benefit; then the one that was added last, but where there is a pattern for operations of any name, the one that was added first.
/// One that makes an operation that can never become legal is not tried, unless there is a pattern for operations of any name.
/// Such patterns are put between those for one name by benefit alone.
#[derive(Clone, Debug, Default)]
pub struct ConversionPatterns {
    pub(super) named: HashMap<Box<str>, Vec<ConversionPattern>>,
    pub(super) any: Vec<ConversionPattern>,
}

impl ConversionPatterns {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern for operations of that name.
    #[must_use]
    pub fn on(mut self, operation: &str, pattern: ConversionPattern) -> Self {
        self.named.entry_ref(operation).or_default().push(pattern);
        self
    }

    /// Adds a pattern for operations of any name.
    #[must_use]
    pub fn on_any(mut self, pattern: ConversionPattern) -> Self {
        self.any.push(pattern);
        self
    }

    /// Adds all patterns of another set behind these.
    #[must_use]
    pub fn with(mut self, others: Self) -> Self {
        for (name, patterns) in others.named {
            self.named.entry(name).or_default().extend(patterns);
        }
        self.any.extend(others.any);
        self
    }
}
