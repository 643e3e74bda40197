//! The context: where types, attributes and names are uniqued, and where dialects are registered.

mod dialect_values;
mod into_attribute;
mod names;

use std::borrow::Cow;
use std::ops::Index;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use hashbrown::HashMap;

use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute, ResourceHandle, ResourceKey};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorCode, Result};
use crate::interner::Interner;
use crate::number::{ApInt, FloatKind};
use crate::statics::Statics;
use crate::types::{Signedness, Type, TypeData};
use names::NameEntry;

pub use crate::handles::OperationName;
pub use into_attribute::IntoAttribute;
pub(crate) use names::{Answered, CachedFact};

/// Owns what modules share: uniqued types and attributes, names, and the registered dialects.
///
/// A clone is another handle to the same context. It can be used from many threads; looking at a type or attribute
/// takes no lock. Handles ([`Attribute`], [`Type`], [`Identifier`], [`OperationName`]) belong to the context that made
/// them: in another context they stand for something else, or for nothing, and indexing panics.
///
/// ```
/// use mlirbc_ir::{Context, TypeData};
/// let context = Context::new();
/// let i32 = context.integer_type(32);
/// assert_eq!(i32, context.integer_type(32));
/// assert!(matches!(context[i32], TypeData::Integer { width: 32, .. }));
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    attributes: Interner<AttributeData, 16>,
    types: Interner<TypeData, 16>,
    // Few, and looked up once a file.
    operation_names: Interner<NameEntry, 1>,
    resources: Interner<ResourceKey, 1>,
    /// What the context was made with, sorted by name.
    known: &'static [KnownDialect],
    /// What was registered since, and what was made of the known.
    dialects: RwLock<HashMap<Box<str>, Arc<Registered>>>,
    /// How often a dialect was extended.
    changes: AtomicU64,
    unknown_location: Attribute,
    unit: Attribute,
    /// Whether there is an attribute that nothing decoded.
    has_encoded: AtomicBool,
    /// By width: signless integer types, each with one added; 0 until then.
    integer_types: [AtomicU32; WIDTHS],
    /// The type `none` with one added; 0 until it was asked for.
    none_type: AtomicU32,
    static_identifiers: Statics,
    static_operations: Statics,
}

/// Signless integer types of fewer bits than this are found by their width.
const WIDTHS: usize = 129;

/// What `find` gives, which is the same each time: one more than its number is kept.
#[inline]
fn found_once(known: &AtomicU32, find: impl FnOnce() -> Type) -> Type {
    if let Some(number) = known.load(Ordering::Acquire).checked_sub(1) {
        return Type(number);
    }
    let found = find();
    known.store(found.0.wrapping_add(1), Ordering::Release);
    found
}

/// Hashes as the string attribute of these bytes does, which need not be made to be found.
struct StringKey<'a>(&'a [u8]);

impl std::hash::Hash for StringKey<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let kind = AttributeData::String { value: Box::default(), ty: None };
        std::mem::discriminant(&kind).hash(state);
        self.0.hash(state);
        None::<Type>.hash(state);
    }
}

/// Whether that is the string attribute of these bytes.
#[inline]
fn is_string(key: &StringKey<'_>, known: &AttributeData) -> bool {
    matches!(known, AttributeData::String { value, ty: None } if **value == *key.0)
}

/// Hashes as the dictionary of these entries does.
struct DictionaryKey<'a>(&'a [NamedAttribute]);

impl std::hash::Hash for DictionaryKey<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&AttributeData::Dictionary(Box::default())).hash(state);
        self.0.hash(state);
    }
}

/// Makes a dialect for a context that meets it for the first time. One that is the same in every context can be kept and given
/// again.
pub type MakeDialect = fn(&Context) -> Arc<Dialect>;

/// A dialect that a [context is made with](Context::with_dialects): its name, and what makes it when it is first met.
pub type KnownDialect = (&'static str, MakeDialect);

/// What every context knows.
const BUILTIN: KnownDialect = ("builtin", |_| {
    static MADE: OnceLock<Arc<Dialect>> = OnceLock::new();
    MADE.get_or_init(|| Arc::new(Context::builtin())).clone()
});

/// A dialect that is registered, and perhaps not made yet.
struct Registered {
    dialect: OnceLock<Arc<Dialect>>,
    make: Make,
}

/// What makes a dialect that is registered.
enum Make {
    /// It is made, or has nothing in it.
    Empty,
    Own(fn(&Context) -> Dialect),
    Known(MakeDialect),
}

impl Registered {
    fn get(&self, context: &Context, name: &str) -> Arc<Dialect> {
        let make = || match self.make {
            Make::Empty => Arc::new(Dialect::new(name)),
            Make::Own(make) => Arc::new(make(context)),
            Make::Known(make) => make(context),
        };
        self.dialect.get_or_init(make).clone()
    }
}

/// A number that nothing else in this process has: for distinct attributes, sources and owners of resources.
pub fn fresh_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Context {
    /// A context that knows the dialect `builtin` and no other.
    pub fn new() -> Self {
        Self::with_dialects(&[])
    }

    /// The dialect `builtin` as every context knows it that is made with no other: for those who make one with more in it.
    pub fn builtin() -> Dialect {
        Dialect::new("builtin").ops(crate::ods::builtin())
    }

    /// A context that knows the dialect `builtin` and these, sorted by name. None of them costs anything before it is met. One of
    /// them may be `builtin`, with more in it.
    ///
    /// # Panics
    /// In debug builds, where they are not sorted or two have one name.
    pub fn with_dialects(known: &'static [KnownDialect]) -> Self {
        debug_assert!(known.is_sorted_by(|a, b| a.0 < b.0), "the dialects must be sorted by name");
        let attributes = Interner::new();
        let unknown_location = Attribute(attributes.intern(AttributeData::UnknownLocation));
        let unit = Attribute(attributes.intern(AttributeData::Unit));
        Context(Arc::new(Inner {
            attributes,
            unknown_location,
            unit,
            has_encoded: AtomicBool::new(false),
            integer_types: [const { AtomicU32::new(0) }; WIDTHS],
            none_type: AtomicU32::new(0),
            static_identifiers: Statics::new(),
            static_operations: Statics::new(),
            types: Interner::new(),
            operation_names: Interner::new(),
            resources: Interner::new(),
            known,
            dialects: RwLock::new(HashMap::new()),
            changes: AtomicU64::new(0),
        }))
    }

    /// Whether this is a handle of the same context: only then do attributes and types of both mean the same.
    pub fn is(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Registers a dialect: its operations, and what other crates attached to it.
    ///
    /// Register before the first module is read: what has been resolved without the dialect stays as it is.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where a dialect of that name is registered already.
    pub fn register(&self, dialect: Dialect) -> Result<()> {
        let name = dialect.name().into();
        self.insert(name, Registered { dialect: Arc::new(dialect).into(), make: Make::Empty })
    }

    /// Registers a dialect that is made on first use, so that a context that never meets it does not
    /// pay for it.
    ///
    /// ```
    /// use mlirbc_ir::{Context, Dialect};
    ///
    /// let context = Context::new();
    /// context.register_on_demand("toy", |_| Dialect::new("toy"))?;
    /// assert!(context.has_dialect("toy"));
    /// assert_eq!(context.dialect("toy").unwrap().name(), "toy");
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Context::register`].
    pub fn register_on_demand(&self, name: &'static str, make: fn(&Context) -> Dialect) -> Result<()> {
        self.insert(name.into(), Registered { dialect: OnceLock::new(), make: Make::Own(make) })
    }

    fn insert(&self, name: Box<str>, registered: Registered) -> Result<()> {
        let mut dialects = self.0.dialects.write().unwrap_or_else(PoisonError::into_inner);
        if dialects.contains_key(&name) || self.known(&name).is_some() {
            return Err(
                Error::misuse(format!("dialect `{name}` is registered already")).with_code(ErrorCode::NameTaken)
            );
        }
        dialects.insert(name, Arc::new(registered));
        Ok(())
    }

    /// Adds to a dialect, whether it is registered or not: `change` gets it as it is, or an empty one of that name. What it
    /// adds goes before what was there.
    ///
    /// Extend before the first module is read: what has been resolved without the extension stays as it is.
    ///
    /// ```
    /// use mlirbc_ir::ods::OpTable;
    /// use mlirbc_ir::Context;
    ///
    /// let context = Context::new();
    /// context.extend("builtin", |builtin| builtin.ops(OpTable::default()));
    /// assert!(context.dialect("builtin").unwrap().operation("builtin.module").is_some());
    /// ```
    pub fn extend(&self, name: &str, change: impl FnOnce(Dialect) -> Dialect) {
        let dialect = self.dialect(name).map_or_else(|| Dialect::new(name), |dialect| Dialect::clone(&dialect));
        let changed = Registered { dialect: Arc::new(change(dialect)).into(), make: Make::Empty };
        let mut dialects = self.0.dialects.write().unwrap_or_else(PoisonError::into_inner);
        dialects.insert(name.into(), Arc::new(changed));
        drop(dialects);
        self.0.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// What makes the dialect of that name, where the context was made with it.
    fn known(&self, name: &str) -> Option<MakeDialect> {
        if let Ok(at) = self.0.known.binary_search_by_key(&name, |known| known.0) {
            return Some(self.0.known[at].1);
        }
        (name == BUILTIN.0).then_some(BUILTIN.1)
    }

    /// Whether a dialect of that name is registered, or the context was made with it.
    pub fn has_dialect(&self, name: &str) -> bool {
        let dialects = self.0.dialects.read().unwrap_or_else(PoisonError::into_inner);
        dialects.contains_key(name) || self.known(name).is_some()
    }

    /// The registered dialect of that name.
    pub fn dialect(&self, name: &str) -> Option<Arc<Dialect>> {
        // What makes a dialect may ask for another: the lock is free by then.
        let found = self.0.dialects.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let found = match found {
            Some(found) => found,
            None => {
                let registered = Registered { dialect: OnceLock::new(), make: Make::Known(self.known(name)?) };
                let mut dialects = self.0.dialects.write().unwrap_or_else(PoisonError::into_inner);
                dialects.entry(name.into()).or_insert_with(|| Arc::new(registered)).clone()
            }
        };
        Some(found.get(self, name))
    }

    /// The registered dialects and those that the context was made with, sorted by name. Makes all of them.
    pub fn dialects(&self) -> Vec<Arc<Dialect>> {
        let dialects = self.0.dialects.read().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<Box<str>> = dialects.keys().cloned().collect();
        drop(dialects);
        names.extend(self.0.known.iter().chain([&BUILTIN]).map(|known| known.0.into()));
        names.sort_unstable();
        names.dedup();
        names.iter().filter_map(|name| self.dialect(name)).collect()
    }

    /// The registered dialects that have been made, sorted by name.
    pub(crate) fn dialects_made(&self) -> Vec<Arc<Dialect>> {
        let dialects = self.0.dialects.read().unwrap_or_else(PoisonError::into_inner);
        let mut made: Vec<_> = dialects.values().filter_map(|registered| registered.dialect.get().cloned()).collect();
        made.sort_by(|a, b| a.name().cmp(b.name()));
        made
    }

    /// The uniqued attribute of that data. What it holds is not checked: see
    /// [`AttributeData::verify`].
    pub fn attribute(&self, data: AttributeData) -> Attribute {
        if let AttributeData::Encoded(_) = data {
            // Before the handle is there, so that nobody can hold one that is not counted.
            self.0.has_encoded.store(true, Ordering::Relaxed);
        }
        Attribute(self.0.attributes.intern(data))
    }

    /// Whether it is an attribute that nothing decoded. Mostly the context holds none, so that nothing needs to be fetched to say it.
    #[inline]
    pub(crate) fn is_encoded(&self, attribute: Attribute) -> bool {
        self.0.has_encoded.load(Ordering::Relaxed) && matches!(self[attribute], AttributeData::Encoded(_))
    }

    /// The uniqued type of that data. What it holds is not checked: see [`TypeData::verify`].
    pub fn ty(&self, data: TypeData) -> Type {
        Type(self.0.types.intern(data))
    }

    /// The name of these bytes.
    pub fn identifier(&self, name: impl AsRef<[u8]>) -> Identifier {
        Identifier(self.string(name))
    }

    /// As [`Context::identifier`], of a text that the program itself spells out: cheaper than that, to be asked for time
    /// and again.
    #[inline]
    pub fn static_identifier(&self, name: &'static str) -> Identifier {
        self.identifier_at(name.as_bytes())
    }

    /// As [`Context::static_identifier`], of a text that mostly stands at one place for as long as it is asked for.
    #[inline]
    pub(crate) fn identifier_at(&self, name: &[u8]) -> Identifier {
        let is = |number| self.is_name(number, name);
        Identifier(Attribute(self.0.static_identifiers.find(name, is, || self.string(name).0)))
    }

    /// The value of that name among the entries of a dictionary.
    pub(crate) fn entry_of(&self, entries: &[NamedAttribute], name: &[u8]) -> Option<Attribute> {
        // Up to how many entries it takes less to look at the lengths of all names than to bisect.
        const FEW: usize = 16;
        if let Some(key) = self.0.static_identifiers.known(name, |number| self.is_name(number, name)) {
            return entries.iter().find(|entry| entry.0.0.0 == key).map(|entry| entry.1);
        }
        let at = match entries.len() {
            ..=FEW => entries.iter().position(|entry| self.bytes(entry.0) == name),
            _ => entries.binary_search_by(|entry| self.bytes(entry.0).cmp(name)).ok(),
        };
        let (key, value) = entries[at?];
        self.0.static_identifiers.keep(name, key.0.0);
        Some(value)
    }

    #[inline]
    fn is_name(&self, number: u32, name: &[u8]) -> bool {
        self.0.attributes.get(number).is_some_and(|known| is_string(&StringKey(name), known))
    }

    /// The string attribute (of type `none`) of these bytes.
    pub fn string(&self, value: impl AsRef<[u8]>) -> Attribute {
        Attribute(self.0.attributes.find_or_make(StringKey(value.as_ref()), is_string, |key| AttributeData::String {
            value: key.0.into(),
            ty: None,
        }))
    }

    /// The attribute as a name, where it is a string without a type.
    pub fn as_identifier(&self, attribute: Attribute) -> Option<Identifier> {
        matches!(self[attribute], AttributeData::String { ty: None, .. }).then_some(Identifier(attribute))
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: Identifier) -> &[u8] {
        match &self[name.0] {
            AttributeData::String { value, .. } => value,
            _ => &[],
        }
    }

    /// The name as text; bytes that are not UTF-8 are replaced.
    pub fn text(&self, name: Identifier) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(name))
    }

    /// The signless integer type of `width` bits.
    pub fn integer_type(&self, width: u32) -> Type {
        let find = || self.ty(TypeData::Integer { width, signedness: Signedness::Signless });
        self.0.integer_types.get(width as usize).map_or_else(find, |known| found_once(known, find))
    }

    /// The type `none`.
    #[inline]
    pub fn none_type(&self) -> Type {
        found_once(&self.0.none_type, || self.ty(TypeData::None))
    }

    /// `index`
    pub fn index_type(&self) -> Type {
        self.ty(TypeData::Index)
    }

    /// The floating-point type of that format.
    pub fn float_type(&self, kind: FloatKind) -> Type {
        self.ty(TypeData::Float(kind))
    }

    /// `loc(unknown)`
    pub fn unknown_location(&self) -> Attribute {
        self.0.unknown_location
    }

    /// `unit`
    pub fn unit(&self) -> Attribute {
        self.0.unit
    }

    /// The signless integer attribute of `width` bits, up to 64.
    pub fn integer(&self, width: u32, value: i64) -> Attribute {
        self.attribute(AttributeData::Integer { ty: self.integer_type(width), value: ApInt::from_i64(width, value) })
    }

    /// The dictionary of these entries, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where a name comes twice.
    pub fn dictionary(&self, mut entries: Vec<NamedAttribute>) -> Result<Attribute> {
        self.dictionary_of(&mut entries)
    }

    /// As [`Context::dictionary`], of entries that are put in order where they are.
    ///
    /// # Errors
    /// As [`Context::dictionary`].
    pub fn dictionary_of(&self, entries: &mut [NamedAttribute]) -> Result<Attribute> {
        let sorted = entries.is_sorted_by(|a, b| self.bytes(a.0) < self.bytes(b.0));
        if !sorted {
            entries.sort_by(|a, b| self.bytes(a.0).cmp(self.bytes(b.0)));
            self.check_names(entries)?;
        }
        Ok(self.sorted_dictionary(entries))
    }

    /// Refuses entries of which two that stand together have one name.
    pub(crate) fn check_names(&self, entries: &[NamedAttribute]) -> Result<()> {
        match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(twice) => {
                Err(Error::misuse(format!("attribute {} comes twice", Error::quoted(self.bytes(twice[0].0))))
                    .with_code(ErrorCode::NameTaken))
            }
            None => Ok(()),
        }
    }

    /// As [`Context::dictionary`], of entries that are known to be in order, each of another name.
    pub fn sorted_dictionary(&self, entries: &[NamedAttribute]) -> Attribute {
        Attribute(self.0.attributes.find_or_make(
            DictionaryKey(entries),
            |key, known| matches!(known, AttributeData::Dictionary(known) if **known == *key.0),
            |key| AttributeData::Dictionary(key.0.into()),
        ))
    }

    /// The handle of a resource. The blob belongs to the module that declares it.
    pub fn resource(&self, key: ResourceKey) -> ResourceHandle {
        ResourceHandle(self.0.resources.intern(key))
    }

    /// How many distinct attributes and types the context holds.
    pub fn len(&self) -> (usize, usize) {
        (self.0.attributes.len(), self.0.types.len())
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (attributes, types) = self.len();
        write!(f, "Context({}, {})", Error::counted(attributes, "attribute"), Error::counted(types, "type"))
    }
}

/// # Panics
/// Where the handle is of another context.
impl Index<Attribute> for Context {
    type Output = AttributeData;
    fn index(&self, attribute: Attribute) -> &AttributeData {
        self.0.attributes.get(attribute.0).expect("an attribute of this context")
    }
}

/// # Panics
/// Where the handle is of another context.
impl Index<Type> for Context {
    type Output = TypeData;
    fn index(&self, ty: Type) -> &TypeData {
        self.0.types.get(ty.0).expect("a type of this context")
    }
}

/// # Panics
/// Where the handle is of another context.
impl Index<ResourceHandle> for Context {
    type Output = ResourceKey;
    fn index(&self, resource: ResourceHandle) -> &ResourceKey {
        self.0.resources.get(resource.0).expect("a resource of this context")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found_as_they_were_made() {
        let context = Context::new();
        for text in ["", "a", "a longer string than most", "\0"] {
            let made = context.attribute(AttributeData::String { value: text.as_bytes().into(), ty: None });
            assert_eq!(context.string(text), made);
            let longer = format!("{text}!");
            let string = context.string(&longer);
            assert_eq!(context.attribute(AttributeData::String { value: longer.as_bytes().into(), ty: None }), string);
        }
    }
}
