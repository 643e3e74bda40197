//! What drivers have to know of each operation, looked up once a name.

use std::rc::Rc;

use mlirbc_ir::ods::{Multiplicity, Traits};
use mlirbc_ir::{Context, OperationName};

use crate::dialect::{MaterializeFn, Rewrites};
use crate::fold::{Budget, FoldFn};
use crate::greedy::Greedy;
use crate::pattern::AnyPattern;
use crate::patterns::Patterns;

/// What is known of operations of one name.
pub(crate) struct Known {
    pub(crate) traits: Traits,
    /// Whether it has a definition.
    pub(crate) defined: bool,
    /// Whether it can be trivially dead.
    pub(crate) may_be_dead: bool,
    pub(crate) fold: Option<FoldFn>,
    pub(crate) materialize: Option<MaterializeFn>,
    pub(crate) patterns: Vec<AnyPattern>,
    /// Whether patterns are for operations that use their own results, too.
    pub(crate) takes_circles: bool,
    /// The fewest operands and results that fit the definition, and whether there may be more.
    operands: (usize, bool),
    results: (usize, bool),
    /// That of the driver.
    pub(crate) budget: Rc<Budget>,
}

impl Known {
    /// Whether the operation has as many operands and results as its definition says: folds and patterns count on them.
    pub(crate) fn fits(&self, operands: usize, results: usize) -> bool {
        let fits = |(least, more): (usize, bool), count: usize| if more { count >= least } else { count == least };
        fits(self.operands, operands) && fits(self.results, results)
    }

    /// Whether folding can do anything to such an operation.
    pub(crate) fn may_fold(&self) -> bool {
        let any = [Traits::COMMUTATIVE, Traits::IDEMPOTENT, Traits::INVOLUTION];
        self.fold.is_some() || any.iter().any(|&of| self.traits.contains(of))
    }
}

/// Which patterns a driver applies.
pub(crate) struct Knowledge<'p> {
    /// Patterns of one's own, whether those that dialects bring are applied too, and which of all are; none are applied where absent.
    patterns: Option<(&'p Patterns, bool, &'p Greedy)>,
    /// By number of the name.
    names: Vec<Option<Rc<Known>>>,
    budget: Rc<Budget>,
}

impl<'p> Knowledge<'p> {
    /// Of `own` patterns and, where `canonicalize` says so, those that dialects bring, of which `filter` takes.
    pub(crate) fn new(own: &'p Patterns, canonicalize: bool, filter: &'p Greedy) -> Self {
        Knowledge { patterns: Some((own, canonicalize, filter)), names: Vec::new(), budget: Rc::default() }
    }

    /// Of folds alone.
    pub(crate) fn of_folds() -> Self {
        Knowledge { patterns: None, names: Vec::new(), budget: Rc::default() }
    }

    /// Begins with another body: what was folded in others does not count.
    pub(crate) fn begin_body(&self) {
        self.budget.reset();
    }

    /// What is known of the operations of that name.
    pub(crate) fn of(&mut self, context: &Context, name: OperationName) -> Rc<Known> {
        let at = name.raw() as usize;
        if let Some(Some(known)) = self.names.get(at) {
            return known.clone();
        }
        let known = Rc::new(self.find(context, name));
        if self.names.len() <= at {
            self.names.resize(at + 1, None);
        }
        self.names[at] = Some(known.clone());
        known
    }

    fn find(&self, context: &Context, name: OperationName) -> Known {
        let text = String::from_utf8_lossy(context.operation_text(name)).into_owned();
        let (dialect, operation) = text.split_once('.').unwrap_or((&text, ""));
        let definition = context.definition(name);
        let found = definition.and_then(|_| context.dialect(dialect));
        let rewrites = found.and_then(|found| found.get::<Rewrites>());
        let patterns = self.patterns.map_or_else(Vec::new, |(own, canonicalize, filter)| {
            let brought =
                rewrites.as_ref().filter(|_| canonicalize).and_then(|rewrites| rewrites.patterns.get(operation));
            own.of_with(context, name, brought.map(Vec::as_slice).unwrap_or_default(), |pattern| filter.takes(pattern))
        });
        let counts = |multiplicities: &mut dyn Iterator<Item = &Multiplicity>| {
            let (mut least, mut more) = (0, false);
            for multiplicity in multiplicities {
                match multiplicity {
                    Multiplicity::One => least += 1,
                    _ => more = true,
                }
            }
            (least, more)
        };
        let takes_circles = self.patterns.is_none_or(|(_, canonicalize, _)| !canonicalize);
        let details = definition.map(|definition| definition.details());
        let (operands, results) = match details {
            None => ((0, true), (0, true)),
            Some(details) => (
                counts(&mut details.operands.iter().map(|operand| &operand.multiplicity)),
                counts(&mut details.results.iter().map(|result| &result.multiplicity)),
            ),
        };
        Known {
            traits: definition.map_or(Traits::NONE, |definition| definition.traits),
            defined: definition.is_some(),
            may_be_dead: context.may_be_dead(name),
            fold: rewrites.as_ref().and_then(|rewrites| rewrites.folds.get(operation).copied()),
            materialize: rewrites.as_ref().and_then(|rewrites| rewrites.materialize),
            patterns,
            takes_circles,
            operands,
            results,
            budget: self.budget.clone(),
        }
    }
}
