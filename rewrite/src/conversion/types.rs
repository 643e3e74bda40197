//! What types become, and what stands between values of different types.

use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use mlirbc_ir::{Context, OpRef, Result, Rewriter, Type, Value};

/// So many types in each other are converted; one that is deeper cannot be.
const DEEPEST: u32 = 256;

/// What a rule of a [`TypeConverter`] makes of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Converted {
    /// The rule is not for this type: the next one is asked.
    NotMine,
    /// The type cannot be converted, and no other rule is asked.
    Cannot,
    /// It becomes this one, which may be itself: it is legal then.
    Type(Type),
    /// It becomes these, which may be none.
    Types(Vec<Type>),
}

impl From<Option<Type>> for Converted {
    /// The type, or that there is none.
    fn from(ty: Option<Type>) -> Self {
        ty.map_or(Converted::Cannot, Converted::Type)
    }
}

/// What a type became.
#[derive(Clone)]
pub(super) enum Became {
    One(Type),
    Several(Arc<[Type]>),
}

impl Became {
    pub(super) fn as_slice(&self) -> &[Type] {
        match self {
            Became::One(ty) => std::slice::from_ref(ty),
            Became::Several(types) => types,
        }
    }

    pub(super) fn one(&self) -> Option<Type> {
        match *self.as_slice() {
            [ty] => Some(ty),
            _ => None,
        }
    }
}

/// Converts the types that a rule finds in another one.
pub struct Types<'c> {
    converter: &'c TypeConverter,
    context: &'c Context,
    depth: u32,
}

impl<'c> Types<'c> {
    /// The context of the types.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// What a type becomes, where that is one type.
    pub fn convert(&mut self, ty: Type) -> Option<Type> {
        self.became(ty)?.one()
    }

    /// What a type becomes. `None` where it cannot be converted, or is too deep.
    pub fn convert_to_many(&mut self, ty: Type) -> Option<Box<[Type]>> {
        self.became(ty).map(|became| became.as_slice().into())
    }

    fn became(&mut self, ty: Type) -> Option<Became> {
        if let Some(known) = self.converter.cached(self.context, ty) {
            return known;
        }
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let mut found = None;
        for rule in self.converter.rules.iter().rev() {
            found = match rule(self, ty) {
                Converted::NotMine => continue,
                Converted::Cannot => None,
                Converted::Type(ty) => Some(Became::One(ty)),
                Converted::Types(types) => Some(Became::Several(types.into())),
            };
            break;
        }
        self.depth -= 1;
        self.converter.cache(self.context, ty, found.clone());
        found
    }
}

type Rule = dyn Fn(&mut Types<'_>, Type) -> Converted + Send + Sync;
type SourceCast = dyn Fn(&mut Rewriter<'_>, &[Value], Type) -> Result<Option<Value>> + Send + Sync;
type TargetCast =
    dyn Fn(&mut Rewriter<'_>, &[Value], &[Type], Option<Type>) -> Result<Option<Vec<Value>>> + Send + Sync;

/// Rules for what types become, of which the last one that was added is asked first; and how values of one type are made from those
/// of another (`mlir/Transforms/DialectConversion.h`, `TypeConverter`).
///
/// ```
/// use mlirbc_ir::Context;
/// use mlirbc_rewrite::conversion::{Converted, TypeConverter};
///
/// let context = Context::new();
/// let (i8, i32) = (context.integer_type(8), context.integer_type(32));
/// let types = TypeConverter::new()
///     .rule(|_, ty| Converted::Type(ty))
///     .rule(move |_, ty| if ty == i8 { Converted::Type(i32) } else { Converted::NotMine });
/// assert_eq!(types.convert(&context, i8), Some(i32));
/// assert!(types.is_legal(&context, i32) && !types.is_legal(&context, i8));
/// ```
#[derive(Default)]
pub struct TypeConverter {
    rules: Vec<Box<Rule>>,
    pub(super) sources: Vec<Box<SourceCast>>,
    pub(super) targets: Vec<Box<TargetCast>>,
    known: Mutex<Known>,
}

/// What types of a context became.
#[derive(Default)]
struct Known {
    context: Option<Context>,
    types: HashMap<Type, Option<Became>>,
}

impl TypeConverter {
    /// Converts no type yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule, which is asked before those that are there. What it says of a type must always be the same.
    #[must_use]
    pub fn rule(mut self, rule: impl Fn(&mut Types<'_>, Type) -> Converted + Send + Sync + 'static) -> Self {
        self.rules.push(Box::new(rule));
        self
    }

    /// Adds a way to make a value of a type that was converted, for those who still want it, from the values that took its place: it
    /// is asked before those that are there, makes operations at the insertion point, and gives `None` where it is not for these. What
    /// no way is for becomes a `builtin.unrealized_conversion_cast`.
    #[must_use]
    pub fn source(
        mut self,
        cast: impl Fn(&mut Rewriter<'_>, &[Value], Type) -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Self {
        self.sources.push(Box::new(cast));
        self
    }

    /// Adds a way to make values of converted types from what was not converted, or to other types: as [`TypeConverter::source`]. It is
    /// also told the type that a pattern found.
    #[must_use]
    pub fn target(
        mut self,
        cast: impl Fn(&mut Rewriter<'_>, &[Value], &[Type], Option<Type>) -> Result<Option<Vec<Value>>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.targets.push(Box::new(cast));
        self
    }

    fn cached(&self, context: &Context, ty: Type) -> Option<Option<Became>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.context.as_ref().is_some_and(|of| of.is(context)) {
            true => known.types.get(&ty).cloned(),
            false => None,
        }
    }

    fn cache(&self, context: &Context, ty: Type, became: Option<Became>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.context.as_ref().is_some_and(|of| of.is(context)) {
            *known = Known { context: Some(context.clone()), types: HashMap::new() };
        }
        known.types.insert(ty, became);
    }

    fn types<'c>(&'c self, context: &'c Context) -> Types<'c> {
        Types { converter: self, context, depth: 0 }
    }

    /// What a type becomes, where that is one type.
    pub fn convert(&self, context: &Context, ty: Type) -> Option<Type> {
        self.types(context).convert(ty)
    }

    /// What a type becomes. `None` where it cannot be converted.
    pub fn convert_to_many(&self, context: &Context, ty: Type) -> Option<Box<[Type]>> {
        self.types(context).convert_to_many(ty)
    }

    pub(super) fn became(&self, context: &Context, ty: Type) -> Option<Became> {
        self.types(context).became(ty)
    }

    /// What types become, one behind the other. `None` where one of them cannot be converted.
    pub fn convert_all(&self, context: &Context, types: impl IntoIterator<Item = Type>) -> Option<Vec<Type>> {
        let mut all = Vec::new();
        for ty in types {
            all.extend_from_slice(self.became(context, ty)?.as_slice());
        }
        Some(all)
    }

    /// Whether the type becomes itself.
    pub fn is_legal(&self, context: &Context, ty: Type) -> bool {
        self.convert(context, ty) == Some(ty)
    }

    /// Whether the types of an operation's operands and results all become themselves; not where one cannot be decoded.
    pub fn is_legal_op(&self, op: OpRef<'_>) -> bool {
        let context = op.module().context();
        let mut values = op.operands().iter().copied().chain(op.results());
        values.all(|value| op.type_of(value).is_ok_and(|ty| self.is_legal(context, ty)))
    }

    /// What arguments of these types become, each what its type does. `None` where one of them cannot be converted.
    pub fn convert_signature(&self, context: &Context, types: &[Type]) -> Option<SignatureConversion> {
        let mut signature = SignatureConversion::new(types.len());
        for (number, &ty) in types.iter().enumerate() {
            signature.input(number, self.became(context, ty)?.as_slice());
        }
        Some(signature)
    }
}

/// A type converter of a conversion, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypesId(u32);

/// The type converters of a conversion, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Converters(Vec<Arc<TypeConverter>>);

impl Converters {
    pub(super) fn id(&mut self, types: &Arc<TypeConverter>) -> TypesId {
        let known = self.0.iter().position(|known| Arc::ptr_eq(known, types));
        let at = known.unwrap_or_else(|| {
            self.0.push(types.clone());
            self.0.len() - 1
        });
        TypesId(at as u32)
    }

    pub(super) fn get(&self, id: TypesId) -> &Arc<TypeConverter> {
        &self.0[id.0 as usize]
    }
}

/// What became of types that were converted last, by the converters of one conversion: threads that ask these wait for each other.
#[derive(Default)]
pub(super) struct LastTypes(Vec<Cell<Option<LastType>>>);

#[derive(Clone, Copy)]
struct LastType {
    types: TypesId,
    ty: Type,
    became: Option<Type>,
}

impl LastTypes {
    /// So many are kept.
    const COUNT: usize = 256;

    /// What a type becomes.
    pub(super) fn became(
        &self,
        context: &Context,
        converters: &Converters,
        types: TypesId,
        ty: Type,
    ) -> Option<Became> {
        let place = self.0.get(ty.raw() as usize % Self::COUNT);
        if let Some(last) = place.and_then(Cell::get).filter(|last| (last.types, last.ty) == (types, ty)) {
            return last.became.map(Became::One);
        }
        let became = converters.get(types).became(context, ty);
        let one = match &became {
            None => None,
            Some(Became::One(ty)) => Some(*ty),
            Some(Became::Several(_)) => return became,
        };
        if let Some(place) = place {
            place.set(Some(LastType { types, ty, became: one }));
        }
        became
    }

    /// Makes room where there is none.
    pub(super) fn prepare(&mut self) {
        if self.0.is_empty() {
            self.0.resize_with(Self::COUNT, Cell::default);
        }
    }
}

impl fmt::Debug for TypeConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeConverter({} rules)", self.rules.len())
    }
}

/// What the arguments of a block become. A copy costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignatureConversion(Arc<Signature>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Signature {
    inputs: Vec<Input>,
    types: Vec<Type>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Input {
    /// Nothing stands for it.
    #[default]
    Dropped,
    /// So many new arguments from that number on.
    Arguments(usize, usize),
    /// Values that are there already.
    Values(Vec<Value>),
}

impl SignatureConversion {
    /// Of a block with so many arguments, all of which are dropped unless something else is said.
    pub fn new(inputs: usize) -> Self {
        SignatureConversion(Arc::new(Signature { inputs: vec![Input::Dropped; inputs], types: Vec::new() }))
    }

    /// The argument of that number becomes arguments of these types, behind those that there are. Dropped where there are none.
    pub fn input(&mut self, number: usize, types: &[Type]) {
        let signature = Arc::make_mut(&mut self.0);
        if let (Some(input), false) = (signature.inputs.get_mut(number), types.is_empty()) {
            *input = Input::Arguments(signature.types.len(), types.len());
            signature.types.extend_from_slice(types);
        }
    }

    /// There are arguments of these types that no old one becomes.
    pub fn add(&mut self, types: &[Type]) {
        Arc::make_mut(&mut self.0).types.extend_from_slice(types);
    }

    /// These values stand for the argument of that number.
    pub fn replace(&mut self, number: usize, values: Vec<Value>) {
        if let Some(input) = Arc::make_mut(&mut self.0).inputs.get_mut(number) {
            *input = Input::Values(values);
        }
    }

    /// The types of the new arguments.
    pub fn types(&self) -> &[Type] {
        &self.0.types
    }

    pub(super) fn inputs(&self) -> &[Input] {
        &self.0.inputs
    }
}
