//! What an operation has, as values of Rust.

use std::borrow::Cow;

use crate::attribute::{Attribute, AttributeData};
use crate::body::{BodyId, OpId};
use crate::error::{Error, ErrorCode, Errors, Result};
use crate::interfaces::{is_pure, is_trivially_dead};
use crate::module::OpRef;
use crate::number::ApFloat;
use crate::symbols::symbol_text;
use crate::types::{Signedness, Type, TypeData};
use crate::verify::verify_op;

/// # Attributes as values
///
/// Each looks among properties and discardable attributes alike. None where the operation has no attribute of that name, or one of
/// another kind: [`OpRef::attribute`] tells these apart.
///
/// ```
/// # use mlirbc_ir::{Context, Module};
/// # let context = Context::new();
/// # let mut module = Module::new(&context);
/// # module.build(|rw| {
/// #     let value = context.integer(32, 5);
/// #     rw.build("toy.one").attribute("value", value).attribute("callee", context.symbol_ref("m::f")).create()
/// # })?;
/// let op = module.operations()?.next().ok_or("no operation")?;
/// assert_eq!(op.int("value")?, Some(5));
/// assert_eq!(op.symbol_ref("callee")?.as_deref(), Some("m::f"));
/// assert_eq!(op.float("value")?, None);
/// assert_eq!((op.dialect(), op.symbol()?), ("toy".into(), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where it cannot be decoded.
impl<'m> OpRef<'m> {
    /// The integer of that name: `true` is 1. None where it does not fit, too.
    pub fn int(self, name: impl AsRef<[u8]>) -> Result<Option<i64>> {
        let context = self.module().context();
        Ok(self.data(name)?.and_then(|data| {
            let AttributeData::Integer { ty, value } = data else { return None };
            match context[*ty] {
                TypeData::Integer { width: 1, .. } | TypeData::Integer { signedness: Signedness::Unsigned, .. } => {
                    value.to_u64().and_then(|value| i64::try_from(value).ok())
                }
                _ => value.to_i64(),
            }
        }))
    }

    /// The float of that name, rounded where it has more digits.
    pub fn float(self, name: impl AsRef<[u8]>) -> Result<Option<f64>> {
        let context = self.module().context();
        Ok(self.data(name)?.and_then(|data| {
            let AttributeData::Float { ty, bits } = data else { return None };
            let TypeData::Float(kind) = context[*ty] else { return None };
            Some(ApFloat::from_bits(kind, bits).to_f64())
        }))
    }

    /// The truth value of that name. [`OpRef::has_attribute`] says whether there is an attribute that is true by being there.
    pub fn bool(self, name: impl AsRef<[u8]>) -> Result<Option<bool>> {
        let i1 = self.module().context().integer_type(1);
        Ok(self.data(name)?.and_then(|data| match data {
            AttributeData::Integer { ty, value } if *ty == i1 => Some(!value.is_zero()),
            _ => None,
        }))
    }

    /// The string of that name; bytes that are not UTF-8 are replaced.
    pub fn string(self, name: impl AsRef<[u8]>) -> Result<Option<Cow<'m, str>>> {
        Ok(self.data(name)?.and_then(|data| match data {
            AttributeData::String { value, .. } => Some(String::from_utf8_lossy(value)),
            _ => None,
        }))
    }

    /// The type of that name, such as the `function_type` of a function.
    pub fn type_attr(self, name: impl AsRef<[u8]>) -> Result<Option<Type>> {
        Ok(self.data(name)?.and_then(|data| match data {
            AttributeData::Type(ty) => Some(*ty),
            _ => None,
        }))
    }

    /// The attribute of that name, where there has to be one.
    ///
    /// # Errors
    /// [`ErrorCode::NotDefined`](crate::ErrorCode::NotDefined) where there is none; where it cannot be decoded.
    pub fn expect_attribute(self, name: impl AsRef<[u8]>) -> Result<Attribute> {
        let name = name.as_ref();
        self.attribute(name)?.ok_or_else(|| {
            let message = format!("{} has no attribute {}", self.path(), Error::quoted(name));
            Error::misuse(message).with_code(ErrorCode::NotDefined)
        })
    }

    /// The elements of the array of that name.
    pub fn array(self, name: impl AsRef<[u8]>) -> Result<Option<&'m [Attribute]>> {
        Ok(self.data(name)?.and_then(|data| match data {
            AttributeData::Array(elements) => Some(&**elements),
            _ => None,
        }))
    }

    /// The symbol that the reference of that name leads to, as a path that [`Module::symbol`](crate::Module::symbol) takes.
    pub fn symbol_ref(self, name: impl AsRef<[u8]>) -> Result<Option<String>> {
        let context = self.module().context();
        Ok(self.data(name)?.and_then(|data| {
            let AttributeData::SymbolRef { root, nested } = data else { return None };
            let names: Vec<String> =
                [root].into_iter().chain(nested).map(|&name| symbol_text(context.bytes(name))).collect();
            Some(names.join("::"))
        }))
    }

    /// Whether there is an attribute of that name, whatever it is.
    pub fn has_attribute(self, name: impl AsRef<[u8]>) -> Result<bool> {
        Ok(self.attribute(name)?.is_some())
    }

    fn data(self, name: impl AsRef<[u8]>) -> Result<Option<&'m AttributeData>> {
        Ok(self.attribute(name)?.map(|attribute| &self.module().context()[attribute]))
    }

    /// The name of the symbol that the operation defines, as text: see [`OpRef::symbol_name`].
    pub fn symbol(self) -> Result<Option<Cow<'m, str>>> {
        Ok(self.symbol_name()?.map(|name| self.module().context().text(name)))
    }
}

/// # What it is
impl<'m> OpRef<'m> {
    /// Where it is in its module: what [`Module::operation`](crate::Module::operation) and changes of a module take. Changes do not take that
    /// of an operation that [`Module::symbol`](crate::Module::symbol) read alone: [`Module::symbol_place`](crate::Module::symbol_place) finds
    /// one that they do.
    pub fn place(self) -> (BodyId, OpId) {
        (self.body_id(), self.id())
    }

    /// The name of its dialect: what stands before the first dot of its own.
    pub fn dialect(self) -> Cow<'m, str> {
        let context = self.module().context();
        context.text(context.operation_dialect(self.operation_name()))
    }

    /// Whether it may be moved, left out and done again as one likes: see [`is_pure`].
    ///
    /// # Errors
    /// Where an operation cannot be decoded.
    pub fn is_pure(self) -> Result<bool> {
        is_pure(self)
    }

    /// Whether it can be erased, since nothing uses its results and it does nothing else: see [`is_trivially_dead`].
    ///
    /// # Errors
    /// Where an operation cannot be decoded.
    pub fn is_trivially_dead(self) -> Result<bool> {
        is_trivially_dead(self)
    }

    /// Whether it and all that it holds is as definitions and dialects say: all that is wrong, in MLIR's order. What cannot be decoded is
    /// the last error.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify(self) -> Result<(), Errors> {
        verify_op(self)
    }
}
