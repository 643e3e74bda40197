//! Whether predicates hold of types, attributes and operations.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::hooks::{DialectVerifier, InterfaceRule, LooksAt};
use super::known::Known;
use super::scope::{Lists, PartialOp, Scope, TermValue};
use super::told::ToldBy;
use crate::attribute::{Attribute, Identifier};
use crate::body::{BodyId, OpId};
use crate::context::{Context, OperationName};
use crate::error::Result;
use crate::module::{Module, OpRef, SymbolTables};
use crate::ods::{AttrOrTypeDef, EnumDef, Predicate, Relation, Term, Test, TypeConstraint};
use crate::types::Type;

/// How many steps one answer may take: no upstream predicate comes near, and no table can make a check run for long.
const STEPS: u32 = 1 << 20;

/// Answers whether predicates hold of types and attributes of a context, and remembers what it looked up.
pub struct Checker<'c> {
    pub(super) context: &'c Context,
    pub(super) enums: RefCell<HashMap<String, Option<Arc<EnumDef>>, hashbrown::DefaultHashBuilder>>,
    /// The tests of types that dialects bring which had been made when they were first needed.
    pub(super) told_by_made: OnceCell<Vec<ToldBy>>,
    /// Those of all dialects, once none of these knows a function.
    pub(super) told_by_all: OnceCell<Vec<ToldBy>>,
    pub(super) definitions: RefCell<Definitions>,
    types: RefCell<HashMap<(usize, Type), Option<bool>, hashbrown::DefaultHashBuilder>>,
    /// Keeps what `types` knows by address.
    kept: RefCell<Vec<Arc<TypeConstraint>>>,
    pub(super) symbols: RefCell<SymbolTables>,
    verifiers: RefCell<HashMap<Box<[u8]>, Verifier, hashbrown::DefaultHashBuilder>>,
    named: boxcar::Vec<Named>,
    /// By number of an operation's name: what is known of it is the one of that number in `named`, less one.
    named_of: RefCell<Vec<u32>>,
    /// The names of symbols of the last table that was checked, to be used again.
    pub(super) names: Cell<Vec<(Identifier, OpId)>>,
    /// The function type that was last asked for, by its operation.
    pub(super) signature: Cell<Option<LastSignature<'c>>>,
    /// The lists of the last operation that was checked, to be used again.
    pub(super) lists: Cell<Lists>,
    /// Whether the operation being checked takes integers of one width for one type.
    pub(super) mixes_signedness: Cell<bool>,
    steps: Cell<u32>,
    /// Whether a rule looked beyond the operation being checked, at what holds it or at what it refers to.
    pub(super) depends_on_context: Cell<bool>,
    /// Whether nothing is wrong with the module whose operations are asked about.
    pub(super) found_right: bool,
}

/// Attribute and type definitions by whether it is a type, and by name.
pub(super) type Definitions = HashMap<(bool, String), Option<Arc<AttrOrTypeDef>>, hashbrown::DefaultHashBuilder>;

/// What is known of all operations of one name, and what their dialect brings for them.
pub(super) struct Named {
    known: Known,
    pub(super) brought: Brought,
}

impl Named {
    /// Whether code of the dialect asks something of an operation, which may look at all that this holds: a definition looks no further
    /// than its blocks.
    pub(super) fn has_own_rules(&self) -> bool {
        self.verifier.is_some() || self.brought.verify.is_some() || self.brought.regions.is_some()
    }
}

impl std::ops::Deref for Named {
    type Target = Known;

    fn deref(&self) -> &Known {
        &self.known
    }
}

/// What a dialect brings for the operations of one name.
#[derive(Clone, Copy)]
pub(super) struct Brought {
    pub(super) verify: Option<VerifyFn>,
    /// What that looks at.
    pub(super) looks_at: LooksAt,
    pub(super) regions: Option<VerifyFn>,
    pub(super) symbol_uses: Option<VerifyFn>,
    /// Whether the first block of a function has the arguments of its type.
    pub(super) function_arguments: bool,
}

impl Default for Brought {
    fn default() -> Self {
        Brought { verify: None, looks_at: LooksAt::Nothing, regions: None, symbol_uses: None, function_arguments: true }
    }
}

/// The inputs and the results of a function type.
pub(super) type Signature<'c> = (&'c [Type], &'c [Type]);

/// The same of an operation, where it has one.
pub(super) type LastSignature<'c> = ((BodyId, OpId), Option<Signature<'c>>);

/// The verifier of a dialect, where it has one.
pub(super) type Verifier = Option<Arc<dyn DialectVerifier>>;

/// Checks one operation: see [`Dialect::verify_op`](crate::Dialect::verify_op), [`Dialect::verify_regions`](crate::Dialect::verify_regions)
/// and [`Dialect::verify_symbol_uses`](crate::Dialect::verify_symbol_uses). What is wrong is an error of
/// [`ErrorKind::Verification`](crate::ErrorKind::Verification).
pub type VerifyFn = fn(&Checker<'_>, OpRef<'_>) -> Result<()>;

impl<'c> Checker<'c> {
    /// A checker of types and attributes of that context.
    pub fn new(context: &'c Context) -> Self {
        Checker {
            context,
            enums: RefCell::default(),
            told_by_made: OnceCell::new(),
            told_by_all: OnceCell::new(),
            definitions: RefCell::default(),
            types: RefCell::default(),
            kept: RefCell::default(),
            symbols: RefCell::default(),
            verifiers: RefCell::default(),
            named: boxcar::Vec::new(),
            named_of: RefCell::default(),
            names: Cell::default(),
            signature: Cell::new(None),
            lists: Cell::default(),
            mixes_signedness: Cell::new(false),
            steps: Cell::new(0),
            depends_on_context: Cell::new(false),
            found_right: false,
        }
    }

    /// The same, for a module. Where that was found right by [`verify_edits`](super::verify_edits) and nothing of it has changed since,
    /// `validity` need not look again.
    pub fn of_module(module: &'c Module) -> Self {
        Checker { found_right: module.is_found_right(), ..Checker::new(module.context()) }
    }

    /// What is known of operations of that name.
    #[inline]
    pub(super) fn known(&self, name: OperationName) -> &Named {
        let place = self.named_of.borrow().get(name.raw() as usize).and_then(|place| place.checked_sub(1));
        place.and_then(|place| self.named.get(place as usize)).unwrap_or_else(|| self.find_out(name))
    }

    #[cold]
    fn find_out(&self, name: OperationName) -> &Named {
        let verifier = self.verifier(self.context.bytes(self.context.operation_dialect(name)));
        let known = Known::of(self.context, name, verifier);
        let place = self.named.push(Named { known, brought: self.brought(name) });
        let mut places = self.named_of.borrow_mut();
        let at = name.raw() as usize;
        if places.len() <= at {
            places.resize(at + 1, 0);
        }
        // There are fewer than 2^32 names.
        places[at] = place as u32 + 1;
        &self.named[place]
    }

    /// What the dialect brings for operations of that name.
    fn brought(&self, name: OperationName) -> Brought {
        let find = || {
            let (dialect, rest) = std::str::from_utf8(self.context.operation_text(name)).ok()?.split_once('.')?;
            let dialect = self.context.dialect(dialect)?;
            let applies = |rule| !dialect.is_exempt(rest, rule);
            Some(Brought {
                verify: dialect.op_verifier(rest),
                looks_at: dialect.op_verifier_looks_at(rest),
                regions: dialect.region_verifier(rest),
                symbol_uses: dialect.symbol_use_verifier(rest),
                function_arguments: applies(InterfaceRule::FunctionArguments),
            })
        };
        find().unwrap_or_default()
    }

    /// The verifier of the registered dialect of that name.
    pub(super) fn verifier(&self, dialect: &[u8]) -> Verifier {
        if let Some(known) = self.verifiers.borrow().get(dialect) {
            return known.clone();
        }
        let name = std::str::from_utf8(dialect).ok();
        let found = name.and_then(|name| self.context.dialect(name)?.verifier());
        self.verifiers.borrow_mut().insert(dialect.into(), found.clone());
        found
    }

    /// Forgets what was found of operations: they may have changed, or be of another module.
    pub(super) fn forget_operations(&self) {
        self.symbols.borrow_mut().clear();
        self.signature.set(None);
    }

    /// The context whose types and attributes are checked.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Whether the predicate holds of the type. `None` where that is not known.
    pub fn type_fits(&self, predicate: &Predicate, ty: Type) -> Option<bool> {
        self.ask(predicate, &Scope { this: &TermValue::Type(ty), operation: None, partial: None })
    }

    /// Whether the predicate holds of the attribute. `None` where that is not known.
    pub fn attribute_fits(&self, predicate: &Predicate, attribute: Attribute) -> Option<bool> {
        self.ask(predicate, &Scope { this: &TermValue::Attribute(attribute), operation: None, partial: None })
    }

    /// Whether the predicate, of a list of blocks, holds of a region of so many blocks.
    pub(crate) fn region_fits(&self, predicate: &Predicate, blocks: usize) -> Option<bool> {
        if *predicate == Predicate::Always {
            return Some(true);
        }
        let blocks = TermValue::List(vec![TermValue::Absent; blocks]);
        self.ask(predicate, &Scope { this: &blocks, operation: None, partial: None })
    }

    /// The type that a term stands for, such as the only one that fits a constraint.
    pub fn type_of(&self, term: &Term) -> Option<Type> {
        self.steps.set(STEPS);
        match self.term(term, &Scope { this: &TermValue::Absent, operation: None, partial: None })? {
            TermValue::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// The types that a term stands for in an operation that is being made.
    pub fn types_of(&self, term: &Term, partial: &PartialOp<'_>) -> Option<Vec<Type>> {
        self.steps.set(STEPS);
        match self.term(term, &Scope { this: &TermValue::Absent, operation: None, partial: Some(partial) })? {
            TermValue::List(of) => of.iter().map(|one| self.ty(one)).collect(),
            one => Some(vec![self.ty(&one)?]),
        }
    }

    /// The integer that an attribute holds: its value, or the number of its enum's case.
    pub fn attribute_value(&self, attribute: Attribute) -> Option<i128> {
        self.number(&TermValue::Attribute(attribute))
    }

    /// Whether a type fits a constraint, remembered: a module has few types and many values.
    pub(super) fn constraint_fits(&self, constraint: &Arc<TypeConstraint>, ty: Type) -> Option<bool> {
        let key = (Arc::as_ptr(constraint).addr(), ty);
        if let Some(&known) = self.types.borrow().get(&key) {
            return known;
        }
        let fits = self.type_fits(&constraint.predicate, ty);
        self.kept.borrow_mut().push(constraint.clone());
        self.types.borrow_mut().insert(key, fits);
        fits
    }

    pub(super) fn ask(&self, predicate: &Predicate, scope: &Scope<'_>) -> Option<bool> {
        self.steps.set(STEPS);
        self.holds(predicate, scope)
    }

    pub(super) fn step(&self) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        Some(())
    }

    pub(super) fn holds(&self, predicate: &Predicate, scope: &Scope<'_>) -> Option<bool> {
        self.step()?;
        match predicate {
            Predicate::Always => Some(true),
            Predicate::Never => Some(false),
            Predicate::All(of) => every(of.iter().map(|each| self.holds(each, scope))),
            Predicate::Any(of) => {
                every(of.iter().map(|each| self.holds(each, scope).map(|holds| !holds))).map(|none| !none)
            }
            Predicate::Not(of) => self.holds(of, scope).map(|holds| !holds),
            // What most constraints are.
            Predicate::Is(Term::This, class) => {
                self.step()?;
                self.each(scope.this, &mut |subject| self.is(subject, class))
            }
            Predicate::Is(term, class) => {
                let subject = self.term(term, scope)?;
                self.each(&subject, &mut |subject| self.is(subject, class))
            }
            Predicate::Where(term, of) => {
                let subject = self.term(term, scope)?;
                self.each(&subject, &mut |this| {
                    self.holds(of, &Scope { this, operation: scope.operation, partial: scope.partial })
                })
            }
            Predicate::Each(term, of) => {
                let list = self.list(self.term(term, scope)?)?;
                every(
                    list.iter().map(|this| {
                        self.holds(of, &Scope { this, operation: scope.operation, partial: scope.partial })
                    }),
                )
            }
            Predicate::Compare(left, relation, right) => {
                let (left, right) = (self.term(left, scope)?, self.term(right, scope)?);
                self.compare(&left, *relation, &right)
            }
            Predicate::Test(term, Test::IsPresent) => match self.term(term, scope)? {
                TermValue::Absent => Some(false),
                TermValue::List(of) => Some(!of.is_empty()),
                _ => Some(true),
            },
            Predicate::Test(term, test) => {
                let subject = self.term(term, scope)?;
                self.passes(&subject, *test, scope)
            }
            Predicate::Contains(list, element) => {
                let (list, element) = (self.list(self.term(list, scope)?)?, self.term(element, scope)?);
                let others = list.iter().map(|item| self.compare(item, Relation::NotEqual, &element));
                every(others).map(|none| !none)
            }
            Predicate::Unknown { .. } => None,
        }
    }

    /// Of a variadic operand or result each is asked about; of any other subject, itself.
    fn each(&self, subject: &TermValue, ask: &mut dyn FnMut(&TermValue) -> Option<bool>) -> Option<bool> {
        match subject {
            TermValue::List(of) if of.iter().all(|item| matches!(item, TermValue::Value(_) | TermValue::Type(_))) => {
                every(of.iter().map(ask))
            }
            _ => ask(subject),
        }
    }

    fn compare(&self, left: &TermValue, relation: Relation, right: &TermValue) -> Option<bool> {
        self.step()?;
        match relation {
            Relation::Equal => self.equal(left, right),
            Relation::NotEqual => self.equal(left, right).map(|equal| !equal),
            _ => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Some(match relation {
                    Relation::Less => left < right,
                    Relation::LessOrEqual => left <= right,
                    Relation::Greater => left > right,
                    _ => left >= right,
                })
            }
        }
    }

    fn equal(&self, left: &TermValue, right: &TermValue) -> Option<bool> {
        match (left, right) {
            (TermValue::Type(left), TermValue::Type(right)) => self.same_type(*left, *right),
            (TermValue::Attribute(left), TermValue::Attribute(right)) if left == right => Some(true),
            (TermValue::Text(left), TermValue::Text(right)) => Some(left == right),
            (TermValue::Bool(left), TermValue::Bool(right)) => Some(left == right),
            (TermValue::List(left), TermValue::List(right)) => {
                if left.len() != right.len() {
                    return Some(false);
                }
                every(left.iter().zip(right).map(|(left, right)| self.compare(left, Relation::Equal, right)))
            }
            // A variadic value that must be of one type is that of each.
            (TermValue::List(of), one @ TermValue::Type(_)) | (one @ TermValue::Type(_), TermValue::List(of)) => {
                match of.as_slice() {
                    [] => Some(true),
                    [only] => self.equal(only, one),
                    _ => None,
                }
            }
            (TermValue::Absent, _) | (_, TermValue::Absent) => None,
            _ => {
                let (left, right) = (self.readings(left)?, self.readings(right)?);
                Some(left.iter().any(|reading| right.contains(reading)))
            }
        }
    }

    /// Whether two types differ in how the bits of integers are read, and the operation being checked does not mind that.
    pub(super) fn differs_in_sign(&self, left: Type, right: Type) -> bool {
        self.mixes_signedness.get() && self.same_type(left, right) == Some(true)
    }

    /// The type without what says how the bits of integers are read, where the operation being checked does not mind that.
    pub(super) fn without_sign(&self, ty: Type) -> Option<Type> {
        use crate::types::{Signedness, TypeData as T};
        match &self.context[ty] {
            T::Integer { width, signedness } if *signedness != Signedness::Signless && self.mixes_signedness.get() => {
                Some(self.context.integer_type(*width))
            }
            T::Vector { shape, scalable, element } => {
                let element = self.without_sign(*element)?;
                Some(self.context.ty(T::Vector { shape: shape.clone(), scalable: scalable.clone(), element }))
            }
            _ => None,
        }
    }

    /// Whether two types are the same. Two texts of one dialect may be two ways to write one type.
    pub fn same_type(&self, left: Type, right: Type) -> Option<bool> {
        use crate::types::TypeData as T;
        if left == right {
            return Some(true);
        }
        match (&self.context[left], &self.context[right]) {
            (T::Integer { width: left, .. }, T::Integer { width: right, .. }) if self.mixes_signedness.get() => {
                Some(left == right)
            }
            (T::Vector { shape: left, element: of_left, .. }, T::Vector { shape: right, element: of_right, .. })
                if self.mixes_signedness.get() && left == right =>
            {
                self.same_type(*of_left, *of_right)
            }
            (T::Text { .. }, T::Dialect(_)) | (T::Dialect(_), T::Text { .. }) => None,
            (T::Encoded(_), _) | (_, T::Encoded(_)) => None,
            _ => Some(false),
        }
    }
}

/// Whether all are true: false where one is false, unknown where one is unknown and none is false.
fn every(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut unknown = false;
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(true)
}
