//! Names of operations: what is known of each is looked up once.

use std::any::Any;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::{Context, OperationName};
use crate::attribute::{Attribute, Identifier};
use crate::ods::{OpDef, Traits, UndefinedOp};

/// A fact about all operations of one name that is asked for so often that it is cached.
#[derive(Clone, Copy)]
pub(crate) enum CachedFact {
    Effects,
    Constant,
    Defaults,
    Layout,
    Bare,
    Sorting,
    Branch,
    RegionBranch,
    RegionTerminator,
    RegionKind,
    Callable,
}

/// How many there are.
const FACTS: usize = CachedFact::Callable as usize + 1;

/// What is known of a name: kept with it, so that threads that ask for it have nothing to count, or found for one question.
pub(crate) enum Answered<'c, T> {
    Kept(&'c T),
    Found(T),
}

impl<T> Deref for Answered<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Answered::Kept(kept) => kept,
            Answered::Found(found) => found,
        }
    }
}

type Answer = (u64, Option<Arc<dyn Any + Send + Sync>>);

pub(super) struct NameEntry {
    text: Text,
    definition: OnceLock<Option<Arc<OpDef>>>,
    /// Made by the first question: most names of most modules are never asked.
    facts: OnceLock<Box<Facts>>,
    name: LazyIdentifier,
    dialect: LazyIdentifier,
    registered: bool,
}

// Each context has a table of these, and makes room for many at once: a module that is read into a context of its own pays
// for it.
const _: () = assert!(size_of::<NameEntry>() <= 64);

/// An identifier that is uniqued on demand: one more than its number, and 0 until then.
struct LazyIdentifier(AtomicU32);

impl LazyIdentifier {
    const fn new() -> Self {
        LazyIdentifier(AtomicU32::new(0))
    }

    /// What `find` gives, which is the same each time.
    #[inline]
    fn get_or_find(&self, find: impl FnOnce() -> Identifier) -> Identifier {
        if let Some(number) = self.0.load(Ordering::Acquire).checked_sub(1) {
            return Identifier(Attribute(number));
        }
        let found = find();
        self.0.store(found.0.0.wrapping_add(1), Ordering::Release);
        found
    }
}

/// What passes and checks ask of a name.
#[derive(Default)]
struct Facts {
    undefined: OnceLock<Option<Arc<UndefinedOp>>>,
    /// By [`CachedFact`]: the fact, and how often dialects had changed when it was found.
    answers: [OnceLock<Answer>; FACTS],
}

/// A name as it is spelled: by the program itself, or somewhere else.
enum Text {
    Static(&'static str),
    Owned(Box<OwnedText>),
}

/// Nearly all are text: that is found out once.
enum OwnedText {
    Text(String),
    Other(Vec<u8>),
}

impl Text {
    fn of(bytes: &[u8]) -> Self {
        Text::Owned(Box::new(match std::str::from_utf8(bytes) {
            Ok(text) => OwnedText::Text(text.to_owned()),
            Err(_) => OwnedText::Other(bytes.to_vec()),
        }))
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Static(text) => text.as_bytes(),
            Text::Owned(owned) => match &**owned {
                OwnedText::Text(text) => text.as_bytes(),
                OwnedText::Other(bytes) => bytes,
            },
        }
    }

    /// What is no UTF-8 in it is replaced.
    fn str(&self) -> Cow<'_, str> {
        match self {
            Text::Static(text) => Cow::Borrowed(text),
            Text::Owned(owned) => match &**owned {
                OwnedText::Text(text) => Cow::Borrowed(text),
                OwnedText::Other(bytes) => String::from_utf8_lossy(bytes),
            },
        }
    }
}

impl NameEntry {
    fn key(&self) -> (&[u8], bool) {
        (self.text.bytes(), self.registered)
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(Box::default)
    }
}

impl PartialEq for NameEntry {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for NameEntry {}

impl std::hash::Hash for NameEntry {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Context {
    /// The name of an operation, from its full text (`func.call`) and whether it counts as registered.
    pub fn operation_name(&self, name: impl AsRef<[u8]>, registered: bool) -> OperationName {
        self.name_of(name.as_ref(), registered, Text::of)
    }

    /// As [`Context::operation_name`], of a text that the program itself spells out: not copied, and cheaper to be asked for
    /// time and again.
    #[inline]
    pub fn static_operation_name(&self, name: &'static str, registered: bool) -> OperationName {
        let is = |number| match self.0.operation_names.get(number) {
            Some(known) => known.key() == (name.as_bytes(), registered),
            None => false,
        };
        let make = || self.name_of(name.as_bytes(), registered, |_| Text::Static(name)).0;
        OperationName(self.0.static_operations.find(name.as_bytes(), is, make))
    }

    /// The name of an operation, registered where it [is known](Context::is_known_operation).
    pub(crate) fn known_operation_name(&self, name: &[u8]) -> OperationName {
        let is = |number| {
            let known = self.0.operation_names.get(number);
            known.is_some_and(|known| known.key() == (name, true)) && self.definition(OperationName(number)).is_some()
        };
        OperationName(self.0.static_operations.find(name, is, || self.find_known_operation_name(name).0))
    }

    fn find_known_operation_name(&self, name: &[u8]) -> OperationName {
        let names = &self.0.operation_names;
        let met = names.find(&(name, true), |key, known| known.key() == *key).map(OperationName);
        met.filter(|&met| self.definition(met).is_some())
            .unwrap_or_else(|| self.operation_name(name, self.is_known_operation(name)))
    }

    fn name_of(&self, text: &[u8], registered: bool, keep: impl FnOnce(&[u8]) -> Text) -> OperationName {
        let make = |(text, registered)| NameEntry {
            text: keep(text),
            registered,
            name: LazyIdentifier::new(),
            dialect: LazyIdentifier::new(),
            definition: OnceLock::new(),
            facts: OnceLock::new(),
        };
        OperationName(self.0.operation_names.find_or_make((text, registered), |key, known| known.key() == *key, make))
    }

    fn name_entry(&self, name: OperationName) -> &NameEntry {
        self.0.operation_names.get(name.0).expect("a name of this context")
    }

    /// The full text of an operation's name.
    pub fn operation_text(&self, name: OperationName) -> &[u8] {
        self.name_entry(name).text.bytes()
    }

    /// As [`Context::operation_text`]: what is no UTF-8 in it is replaced.
    pub fn operation_str(&self, name: OperationName) -> Cow<'_, str> {
        self.name_entry(name).text.str()
    }

    /// The full text of an operation's name, uniqued.
    pub fn operation_identifier(&self, name: OperationName) -> Identifier {
        let entry = self.name_entry(name);
        entry.name.get_or_find(|| self.identifier(entry.text.bytes()))
    }

    /// The dialect's part of an operation's name: all before the first dot.
    pub fn operation_dialect(&self, name: OperationName) -> Identifier {
        let entry = self.name_entry(name);
        let dialect = || entry.text.bytes().split(|&byte| byte == b'.').next().unwrap_or_default();
        entry.dialect.get_or_find(|| self.identifier(dialect()))
    }

    /// Whether the name counts as registered: its properties are laid out by its definition.
    pub fn is_registered(&self, name: OperationName) -> bool {
        self.name_entry(name).registered
    }

    /// What is known of the operation. `None` for names that count as unregistered or have no definition.
    pub fn definition(&self, name: OperationName) -> Option<&Arc<OpDef>> {
        let entry = self.name_entry(name);
        if !entry.registered {
            return None;
        }
        entry.definition.get_or_init(|| self.find_definition(entry.text.bytes())).as_ref()
    }

    /// The definition of the operation of that full name, from a registered dialect.
    pub fn find_definition(&self, name: impl AsRef<[u8]>) -> Option<Arc<OpDef>> {
        let name = std::str::from_utf8(name.as_ref()).ok()?;
        self.dialect(name.split('.').next()?)?.operation(name)
    }

    /// What is known of a registered operation of which no definition says how its properties are laid out.
    #[doc(hidden)]
    pub fn undefined_operation(&self, name: OperationName) -> Option<&Arc<UndefinedOp>> {
        let says = |definition: &Arc<OpDef>| {
            let opaque = definition.traits.contains(Traits::OPAQUE_PROPERTIES);
            opaque || !definition.properties.is_empty() || definition.is_of_mlir
        };
        if !self.is_registered(name) || self.definition(name).is_some_and(says) {
            return None;
        }
        let entry = self.name_entry(name);
        entry.facts().undefined.get_or_init(|| self.find_undefined(entry.text.bytes())).as_ref()
    }

    /// What `find` gives for operations of that name, cached from the first call on. A dialect that was extended since is asked
    /// each time.
    pub(crate) fn answer<T: Any + Send + Sync>(
        &self,
        name: OperationName,
        fact: CachedFact,
        find: impl Fn() -> Option<T>,
    ) -> Option<Answered<'_, T>> {
        let changes = self.0.changes.load(Ordering::Acquire);
        let kept = &self.name_entry(name).facts().answers[fact as usize];
        let (at, answer) = kept.get_or_init(|| {
            let found = find().map(|found| Arc::new(found) as Arc<dyn Any + Send + Sync>);
            (changes, found)
        });
        match *at == changes {
            true => answer.as_ref()?.downcast_ref().map(Answered::Kept),
            false => find().map(Answered::Found),
        }
    }

    fn find_undefined(&self, name: &[u8]) -> Option<Arc<UndefinedOp>> {
        let name = std::str::from_utf8(name).ok()?;
        self.dialect(name.split('.').next()?)?.undefined_operation(name)
    }

    /// Whether an operation of that full name counts as registered where nothing else says so: it is defined, or it is
    /// [known without](UndefinedOp).
    pub fn is_known_operation(&self, name: impl AsRef<[u8]>) -> bool {
        let name = name.as_ref();
        self.find_definition(name).is_some() || self.find_undefined(name).is_some()
    }
}
