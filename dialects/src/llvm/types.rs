//! The types of the dialect: made and taken apart by handles.
//!
//! | handle | text | parameters |
//! | --- | --- | --- |
//! | [`PointerType`] | `!llvm.ptr<3>` | address space |
//! | [`ArrayType`] | `!llvm.array<4 x ptr>` | element, count |
//! | [`FunctionType`] | `!llvm.func<void (i32, ...)>` | result, list of inputs, whether any number may follow |
//! | [`StructType`] | `!llvm.struct<"name", packed (i32)>` | name or none, list of members or none, whether packed |
//! | [`TargetExtType`] | `!llvm.target<"name", i32, 4>` | name, list of types, list of numbers |
//! | [`PlainType`] | `!llvm.void` | |
//!
//! A struct that has a name may hold itself: inside of its members the name alone stands for it, `!llvm.struct<"name">`, as
//! in text. So a type is a value like any other, and two of one name that hold different members are two types.
//! [`StructType::member`] puts the struct in the place of its name. A type that no handle takes, such as one of another
//! release, is kept as its text.

mod rewriting;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::NAME;
use super::facts::{self, Facts};
use mlirbc_ir::{Context, DialectValue, Error, Parameter, Result, Type, TypeData};

use rewriting::{Change, Rewriting, UNFOLDED};
pub(super) use rewriting::{marked, outermost};

const POINTER: &str = "ptr";
const ARRAY: &str = "array";
const FUNCTION: &str = "func";
const STRUCT: &str = "struct";
const TARGET: &str = "target";

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $view:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub struct $name(Type);

            impl $name {
                /// The handle of a type. `None` where it is another type.
                pub fn of(context: &Context, ty: Type) -> Option<Self> {
                    matches!(Parts::of(context, ty)?, Parts::$view { .. }).then_some($name(ty))
                }
            }

            impl From<$name> for Type {
                fn from(handle: $name) -> Type {
                    handle.0
                }
            }
        )*
    };
}

handles! {
    /// A pointer: `!llvm.ptr`, `!llvm.ptr<3>`.
    PointerType: Pointer;
    /// An array: `!llvm.array<4 x i32>`.
    ArrayType: Array;
    /// The type of a function: `!llvm.func<i32 (ptr, ...)>`.
    FunctionType: Function;
    /// A struct, known by its members (*literal*) or by a name (*identified*): `!llvm.struct<(i32)>`, `!llvm.struct<"name", (i32)>`.
    StructType: Struct;
    /// A type that only a target knows: `!llvm.target<"spirv.Image", i32, 4>`.
    TargetExtType: Target;
}

/// A type that has no parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlainType {
    /// `!llvm.void`: what a function gives that gives nothing.
    Void,
    /// `!llvm.token`
    Token,
    /// `!llvm.label`
    Label,
    /// `!llvm.metadata`
    Metadata,
    /// `!llvm.ppc_fp128`: a float that is the sum of two doubles.
    PpcFp128,
    /// `!llvm.x86_amx`: a tile register.
    X86Amx,
}

impl PlainType {
    /// All of them.
    pub const ALL: [PlainType; 6] = [
        PlainType::Void,
        PlainType::Token,
        PlainType::Label,
        PlainType::Metadata,
        PlainType::PpcFp128,
        PlainType::X86Amx,
    ];

    /// Its mnemonic.
    pub fn mnemonic(self) -> &'static str {
        match self {
            PlainType::Void => "void",
            PlainType::Token => "token",
            PlainType::Label => "label",
            PlainType::Metadata => "metadata",
            PlainType::PpcFp128 => "ppc_fp128",
            PlainType::X86Amx => "x86_amx",
        }
    }

    pub(super) fn of_mnemonic(mnemonic: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|plain| plain.mnemonic().as_bytes() == mnemonic)
    }

    /// The type.
    pub fn ty(self, context: &Context) -> Type {
        make(context, self.mnemonic(), [])
    }

    /// Which of them a type is. `None` where it is another type.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        match Parts::of(context, ty)? {
            Parts::Plain(plain) => Some(plain),
            _ => None,
        }
    }
}

/// The parameters of a type.
pub(super) enum Parts<'c> {
    Pointer {
        space: u32,
    },
    Array {
        element: Type,
        count: u64,
    },
    Function {
        result: Type,
        inputs: &'c [Parameter],
        variadic: bool,
    },
    Struct {
        name: Option<&'c [u8]>,
        members: Option<&'c [Parameter]>,
        packed: bool,
    },
    /// The name of a struct inside of it. While they are printed, those of structs that hold what LLVM does not have are marked.
    Reference {
        name: &'c [u8],
        is_marked: bool,
    },
    Target {
        name: &'c [u8],
        types: &'c [Parameter],
        numbers: &'c [Parameter],
    },
    Plain(PlainType),
}

impl<'c> Parts<'c> {
    /// Those of a type of the dialect. `None` for other types.
    pub(super) fn of(context: &'c Context, ty: Type) -> Option<Self> {
        match &context[ty] {
            TypeData::Dialect(value) if context.bytes(value.dialect) == NAME.as_bytes() => {
                Self::of_value(context, value)
            }
            _ => None,
        }
    }

    /// Those of a type of the dialect; `None` where its parameters are none that a handle would have made.
    pub(super) fn of_value(context: &'c Context, value: &'c DialectValue) -> Option<Self> {
        use Parameter::{Bool, List, String, Type, Unsigned};
        let mnemonic = context.bytes(value.mnemonic);
        let are_types = |list: &[Parameter]| list.iter().all(|item| matches!(item, Type(_)));
        let are_numbers = |list: &[Parameter]| list.iter().all(|item| matches!(item, Unsigned(0..=0xffff_ffff)));
        Some(match (mnemonic, &*value.parameters) {
            (b"ptr", [Unsigned(space)]) => Parts::Pointer { space: u32::try_from(*space).ok()? },
            (b"array", [Type(element), Unsigned(count)]) => Parts::Array { element: *element, count: *count },
            (b"func", [Type(result), List(inputs), Bool(variadic)]) if are_types(inputs) => {
                Parts::Function { result: *result, inputs, variadic: *variadic }
            }
            (b"struct", [Parameter::None, List(members), Bool(packed)]) if are_types(members) => {
                Parts::Struct { name: None, members: Some(members), packed: *packed }
            }
            (b"struct", [String(name), List(members), Bool(packed)]) if are_types(members) => {
                Parts::Struct { name: Some(name), members: Some(members), packed: *packed }
            }
            (b"struct", [String(name), Parameter::None, Bool(false)]) => {
                Parts::Struct { name: Some(name), members: None, packed: false }
            }
            (b"struct", [String(name)]) => Parts::Reference { name, is_marked: false },
            (b"struct", [String(name), Bool(true)]) => Parts::Reference { name, is_marked: true },
            (b"target", [String(name), List(types), List(numbers)]) if are_types(types) && are_numbers(numbers) => {
                Parts::Target { name, types, numbers }
            }
            (_, []) => Parts::Plain(PlainType::of_mnemonic(mnemonic)?),
            _ => return None,
        })
    }

    /// The types that it holds.
    pub(super) fn types(&self) -> impl Iterator<Item = Type> {
        let (first, lists): (Option<Type>, &[Parameter]) = match *self {
            Parts::Array { element, .. } => (Some(element), &[]),
            Parts::Function { result, inputs, .. } => (Some(result), inputs),
            Parts::Struct { members, .. } => (None, members.unwrap_or_default()),
            Parts::Target { types, .. } => (None, types),
            _ => (None, &[]),
        };
        first.into_iter().chain(lists.iter().filter_map(ty))
    }
}

pub(super) fn ty(parameter: &Parameter) -> Option<Type> {
    match parameter {
        Parameter::Type(ty) => Some(*ty),
        _ => None,
    }
}

fn list(types: impl IntoIterator<Item = Type>) -> Parameter {
    Parameter::List(types.into_iter().map(Parameter::Type).collect())
}

fn make(context: &Context, mnemonic: &'static str, parameters: impl Into<Box<[Parameter]>>) -> Type {
    context.dialect_type(NAME, mnemonic, parameters)
}

fn checked(context: &Context, mnemonic: &'static str, parameters: impl Into<Box<[Parameter]>>) -> Result<Type> {
    let made = make(context, mnemonic, parameters);
    context[made].verify(context)?;
    Ok(made)
}

/// Checks what a type may hold, as MLIR does when it makes one.
///
/// # Errors
/// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification), saying what may not stand there.
pub(super) fn verify(context: &Context, value: &DialectValue) -> Result<()> {
    use PlainType::{Label, Metadata, Token, Void};
    let mnemonic = context.bytes(value.mnemonic);
    let Some(parts) = Parts::of_value(context, value) else {
        let known = [POINTER, ARRAY, FUNCTION, STRUCT, TARGET].iter().any(|known| known.as_bytes() == mnemonic);
        return match known || PlainType::of_mnemonic(mnemonic).is_some() {
            true => Err(Error::verification(format!("`{}` has other parameters", context.text(value.mnemonic)))),
            false => Ok(()),
        };
    };
    let ensure = |ty: Type, plain: &[PlainType], function: bool, what: &str| {
        let is_wrong = match Parts::of(context, ty) {
            Some(Parts::Plain(is)) => plain.contains(&is),
            Some(Parts::Function { .. }) => function,
            _ => false,
        };
        match is_wrong {
            true => {
                let shown = context.show(ty);
                Err(Error::verification(format!("invalid {what}: '{shown}'")))
            }
            false => Ok(()),
        }
    };
    let unsized_types = [Void, Label, Metadata, Token];
    match &parts {
        Parts::Array { element, .. } => ensure(*element, &unsized_types, true, "array element type"),
        Parts::Function { result, inputs, .. } => {
            ensure(*result, &[Label, Metadata], true, "function result type")?;
            inputs.iter().filter_map(ty).try_for_each(|ty| ensure(ty, &[Void], true, "function argument type"))
        }
        Parts::Struct { .. } => {
            parts.types().try_for_each(|ty| ensure(ty, &unsized_types, true, "LLVM structure element type"))
        }
        _ => Ok(()),
    }
}

/// Whether the type is one of LLVM: so are those of the dialect that hold only such.
pub fn is_compatible(context: &Context, ty: Type) -> bool {
    facts::of(context, ty).is_compatible
}

impl Known {
    pub(super) fn facts(&self, ty: Type) -> Option<Facts> {
        self.facts.read().unwrap_or_else(PoisonError::into_inner).get(&ty).cloned()
    }

    pub(super) fn note(&self, found: HashMap<Type, Facts>) {
        self.facts.write().unwrap_or_else(PoisonError::into_inner).extend(found);
    }
}

impl PointerType {
    /// The pointer into an address space; 0 is the usual one.
    pub fn new(context: &Context, address_space: u32) -> Self {
        PointerType(make(context, POINTER, [Parameter::Unsigned(address_space.into())]))
    }

    /// The address space.
    pub fn address_space(self, context: &Context) -> u32 {
        match Parts::of(context, self.0) {
            Some(Parts::Pointer { space }) => space,
            _ => 0,
        }
    }
}

impl ArrayType {
    /// The array of so many elements.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification) where a type has no size to be laid out by.
    pub fn new(context: &Context, element: Type, count: u64) -> Result<Self> {
        checked(context, ARRAY, [Parameter::Type(element), Parameter::Unsigned(count)]).map(ArrayType)
    }

    /// The type of the elements.
    pub fn element(self, context: &Context) -> Type {
        match Parts::of(context, self.0) {
            Some(Parts::Array { element, .. }) => element,
            _ => self.0,
        }
    }

    /// How many elements it has.
    pub fn count(self, context: &Context) -> u64 {
        match Parts::of(context, self.0) {
            Some(Parts::Array { count, .. }) => count,
            _ => 0,
        }
    }
}

impl FunctionType {
    /// The function that takes and gives these, [`PlainType::Void`] where it gives nothing. Where it is variadic, any others may
    /// follow the inputs.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification) where a function cannot take or give a type.
    pub fn new(context: &Context, result: Type, inputs: &[Type], variadic: bool) -> Result<Self> {
        let parameters = [Parameter::Type(result), list(inputs.iter().copied()), Parameter::Bool(variadic)];
        checked(context, FUNCTION, parameters).map(FunctionType)
    }

    /// What it gives: [`PlainType::Void`] where that is nothing.
    pub fn result(self, context: &Context) -> Type {
        match Parts::of(context, self.0) {
            Some(Parts::Function { result, .. }) => result,
            _ => self.0,
        }
    }

    /// What it takes.
    pub fn inputs(self, context: &Context) -> Vec<Type> {
        match Parts::of(context, self.0) {
            Some(Parts::Function { inputs, .. }) => inputs.iter().filter_map(ty).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether any others may follow the inputs.
    pub fn is_variadic(self, context: &Context) -> bool {
        matches!(Parts::of(context, self.0), Some(Parts::Function { variadic: true, .. }))
    }
}

impl TargetExtType {
    /// The type of that name, with types and numbers that mean something to the target.
    pub fn new(context: &Context, name: impl AsRef<[u8]>, types: &[Type], numbers: &[u32]) -> Self {
        let numbers = numbers.iter().map(|&number| Parameter::Unsigned(number.into())).collect();
        let parameters =
            [Parameter::String(name.as_ref().into()), list(types.iter().copied()), Parameter::List(numbers)];
        TargetExtType(make(context, TARGET, parameters))
    }

    /// Its name.
    pub fn name(self, context: &Context) -> &[u8] {
        match Parts::of(context, self.0) {
            Some(Parts::Target { name, .. }) => name,
            _ => &[],
        }
    }

    /// Its types.
    pub fn types(self, context: &Context) -> Vec<Type> {
        match Parts::of(context, self.0) {
            Some(Parts::Target { types, .. }) => types.iter().filter_map(ty).collect(),
            _ => Vec::new(),
        }
    }

    /// Its numbers.
    pub fn numbers(self, context: &Context) -> Vec<u32> {
        let number = |parameter: &Parameter| match parameter {
            Parameter::Unsigned(number) => u32::try_from(*number).ok(),
            _ => None,
        };
        match Parts::of(context, self.0) {
            Some(Parts::Target { numbers, .. }) => numbers.iter().filter_map(number).collect(),
            _ => Vec::new(),
        }
    }
}

impl StructType {
    /// The struct that is known by its members.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification) where a type has no size to be laid out by.
    pub fn literal(context: &Context, members: &[Type], packed: bool) -> Result<Self> {
        let parameters = [Parameter::None, list(members.iter().copied()), Parameter::Bool(packed)];
        checked(context, STRUCT, parameters).map(StructType)
    }

    /// The struct of that name with no members known: `!llvm.struct<"name", opaque>`.
    pub fn opaque(context: &Context, name: impl AsRef<[u8]>) -> Self {
        let parameters = [Parameter::String(name.as_ref().into()), Parameter::None, Parameter::Bool(false)];
        StructType(make(context, STRUCT, parameters))
    }

    /// The struct of that name. `members` is given the type that stands for the struct itself inside of them.
    ///
    /// MLIR lets one name stand for one struct in all of a module, and reads no other.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification) where a type has no size to be laid out by, or the members are
    /// nested too deep or too often for the struct to be put in order.
    pub fn identified(
        context: &Context,
        name: impl AsRef<[u8]>,
        packed: bool,
        members: impl FnOnce(Type) -> Vec<Type>,
    ) -> Result<Self> {
        let name = name.as_ref();
        let itself = reference(context, name);
        // The struct itself is its name there, however it got among the members.
        let mut folding = Rewriting::new(context, Change::Fold(vec![name.into()]));
        let members: Option<Vec<Type>> = members(itself).into_iter().map(|member| folding.ty(member)).collect();
        let Some(members) = members else {
            return Err(Error::verification("a struct that is nested too deep, or holds itself too often"));
        };
        checked(context, STRUCT, identified(name, members, packed)).map(StructType)
    }

    /// Its name, where it is identified.
    pub fn name(self, context: &Context) -> Option<&[u8]> {
        match Parts::of(context, self.0) {
            Some(Parts::Struct { name, .. }) => name,
            _ => None,
        }
    }

    /// Whether no padding stands between its members.
    pub fn is_packed(self, context: &Context) -> bool {
        matches!(Parts::of(context, self.0), Some(Parts::Struct { packed: true, .. }))
    }

    /// Whether its members are not known.
    pub fn is_opaque(self, context: &Context) -> bool {
        matches!(Parts::of(context, self.0), Some(Parts::Struct { members: None, .. }))
    }

    /// How many members it has.
    pub fn len(self, context: &Context) -> usize {
        match Parts::of(context, self.0) {
            Some(Parts::Struct { members: Some(members), .. }) => members.len(),
            _ => 0,
        }
    }

    /// Whether it has no members.
    pub fn is_empty(self, context: &Context) -> bool {
        self.len(context) == 0
    }

    /// A member. Where it holds the struct itself, it has all of it, and not its name alone. `None` where there is no such member, or
    /// structs hold each other too often for that.
    pub fn member(self, context: &Context, index: usize) -> Option<Type> {
        match Parts::of(context, self.0)? {
            Parts::Struct { name: None, members: Some(members), .. } => members.get(index).and_then(ty),
            Parts::Struct { members: Some(_), .. } => self.unfolded(context)?.get(index).copied(),
            _ => None,
        }
    }

    /// All members, in the same way.
    pub fn members(self, context: &Context) -> Option<Vec<Type>> {
        match Parts::of(context, self.0)? {
            Parts::Struct { name: None, members: Some(members), .. } => Some(members.iter().filter_map(ty).collect()),
            Parts::Struct { members: Some(_), .. } => self.unfolded(context).map(|members| members.to_vec()),
            _ => None,
        }
    }

    /// The members of an identified struct, found once in a context.
    fn unfolded(self, context: &Context) -> Option<Arc<[Type]>> {
        let known = context.dialect(NAME).and_then(|dialect| dialect.get::<Known>());
        if let Some(known) = &known
            && let Some(found) = known.unfolded.read().unwrap_or_else(PoisonError::into_inner).get(&self.0)
        {
            return found.clone();
        }
        let found = self.unfold(context);
        if let Some(known) = known {
            known.unfolded.write().unwrap_or_else(PoisonError::into_inner).insert(self.0, found.clone());
        }
        found
    }

    fn unfold(self, context: &Context) -> Option<Arc<[Type]>> {
        let Parts::Struct { name: Some(name), members: Some(members), .. } = Parts::of(context, self.0)? else {
            return None;
        };
        let members = members.iter().filter_map(ty);
        if !facts::of(context, self.0).is_recursive {
            return Some(members.collect());
        }
        let mut unfolding = Rewriting::new(context, Change::Unfold { name, whole: self.0, around: Vec::new() });
        unfolding.budget = UNFOLDED;
        members.map(|member| unfolding.ty(member)).collect()
    }
}

/// What has been found out about types of a context.
#[derive(Default)]
pub(super) struct Known {
    /// The members of identified structs that were asked for: see [`StructType::member`].
    unfolded: RwLock<HashMap<Type, Option<Arc<[Type]>>>>,
    facts: RwLock<HashMap<Type, Facts>>,
}

/// The name of a struct, which stands for it inside of its members.
pub(super) fn reference(context: &Context, name: &[u8]) -> Type {
    make(context, STRUCT, [Parameter::String(name.into())])
}

/// The parameters of an identified struct.
pub(super) fn identified(name: &[u8], members: impl IntoIterator<Item = Type>, packed: bool) -> [Parameter; 3] {
    [Parameter::String(name.into()), list(members), Parameter::Bool(packed)]
}
