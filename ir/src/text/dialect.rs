//! How dialects print and parse their attributes and types.

use std::sync::Arc;

use super::defined;
use super::parse::Parser;
use super::print::DialectPrinter;
use crate::attribute::{Identifier, NamedAttribute};
use crate::context::Context;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::invariants::{ValueRules, VerifyValue};
use crate::parameter::{DialectValue, Parameter};

/// How a dialect prints and parses its attributes and types.
///
/// Both sides see what stands behind the mnemonic: of `#toy.range<1, 2>`, the hooks print and parse `<1, 2>`. Attributes and
/// types that the hooks do not know are kept as their exact text.
pub trait DialectText: Send + Sync {
    /// Checks an attribute: what parameters it may have, and what these may hold. By default all may.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying what is wrong.
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let _ = (context, value);
        Ok(())
    }

    /// Checks a type, in the same way.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying what is wrong.
    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let _ = (context, value);
        Ok(())
    }

    /// Prints what follows the mnemonic of an attribute. False where the attribute is not known, with nothing printed.
    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let _ = (value, printer);
        false
    }

    /// Prints what follows the mnemonic of a type. False where the type is not known, with nothing printed.
    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let _ = (value, printer);
        false
    }

    /// Parses what follows the mnemonic of an attribute. `None` where the attribute is to be kept as text; the parser
    /// then starts over, however far it went.
    ///
    /// # Errors
    /// Where the mnemonic is known and the text is wrong. [`ErrorKind::Unknown`](crate::ErrorKind::Unknown) says the same as `None`.
    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let _ = (mnemonic, parser);
        Ok(None)
    }

    /// Parses what follows the mnemonic of a type, in the same way.
    ///
    /// # Errors
    /// Where the mnemonic is known and the text is wrong.
    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let _ = (mnemonic, parser);
        Ok(None)
    }

    /// The name of the dialect today, of hooks under a name that it had before: what they parse are attributes and types of that
    /// dialect, and nothing is kept as text.
    fn renamed(&self) -> Option<&'static str> {
        None
    }

    /// The mnemonic today of an attribute or type that had that one, of hooks under a name that the dialect had before.
    fn renamed_mnemonic<'a>(&self, mnemonic: &'a [u8]) -> &'a [u8] {
        mnemonic
    }

    /// What an entry of a dictionary is today whose name begins with the one that the dialect had before.
    ///
    /// # Errors
    /// Where nothing stands for it today.
    fn renamed_entry(&self, context: &Context, entry: NamedAttribute) -> Result<NamedAttribute> {
        let _ = context;
        Ok(entry)
    }

    /// Whether the format of an operation leaves out the white space that the text of an attribute begins with where it shows it without its
    /// mnemonic, as dialects built with MLIR 23 do. MLIR's own of 22 show it: `gpu.thread_id  x`.
    fn is_trimmed(&self) -> bool {
        false
    }

    /// Whether types of that mnemonic are left to these hooks: all of them, unless said otherwise. The others follow their definitions,
    /// where these show parameters one after the other, or are kept as text.
    fn has_type(&self, mnemonic: &[u8]) -> bool {
        let _ = mnemonic;
        true
    }
}

/// What a dialect brings.
#[derive(Clone)]
pub(crate) struct TextHooks(Arc<dyn DialectText>);

impl std::ops::Deref for TextHooks {
    type Target = dyn DialectText;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// The checks among text hooks.
struct Checks<T>(Arc<T>);

impl<T: DialectText> VerifyValue for Checks<T> {
    fn attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        self.0.verify_attribute(context, value)
    }

    fn ty(&self, context: &Context, value: &DialectValue) -> Result<()> {
        self.0.verify_type(context, value)
    }
}

impl Dialect {
    /// Sets how the dialect's attributes and types are printed, parsed and checked.
    #[must_use]
    pub fn text(self, text: impl DialectText + 'static) -> Self {
        let text = Arc::new(text);
        self.extension(ValueRules::new(Checks(text.clone()))).extension(TextHooks(text))
    }
}

impl Context {
    /// The dialect of that name.
    pub(super) fn dialect_of(&self, name: &[u8]) -> Option<Arc<Dialect>> {
        self.dialect(std::str::from_utf8(name).ok()?)
    }

    /// The hooks of the dialect that a dotted name begins with, where that is a name it had before.
    pub(super) fn renamed_hooks(&self, name: &[u8]) -> Option<Arc<TextHooks>> {
        let dot = name.iter().position(|&byte| byte == b'.')?;
        self.dialect_of(&name[..dot])?.get::<TextHooks>().filter(|hooks| hooks.renamed().is_some())
    }

    /// The name today of the dialect that had that name before.
    pub(super) fn today(&self, dialect: &[u8]) -> Option<Identifier> {
        let renamed = self.dialect_of(dialect)?.get::<TextHooks>()?.renamed();
        renamed.map(|name| self.static_identifier(name))
    }

    /// The mnemonic today of an attribute or type of that dialect.
    pub(super) fn mnemonic_today<'a>(&self, dialect: &[u8], mnemonic: &'a [u8]) -> &'a [u8] {
        let hooks = self.dialect_of(dialect).and_then(|dialect| dialect.get::<TextHooks>());
        hooks.map_or(mnemonic, |hooks| hooks.renamed_mnemonic(mnemonic))
    }

    /// Whether formats leave out the white space that attributes of that dialect begin with.
    pub(super) fn is_trimmed(&self, dialect: &[u8]) -> bool {
        let hooks = self.dialect_of(dialect).and_then(|dialect| dialect.get::<TextHooks>());
        hooks.is_some_and(|hooks| hooks.is_trimmed())
    }

    /// Whether types of that dialect and mnemonic are values and not kept as text.
    pub(crate) fn has_type_values(&self, dialect: &[u8], mnemonic: &[u8]) -> bool {
        let Some(dialect) = self.dialect_of(dialect) else { return false };
        dialect.get::<TextHooks>().is_some_and(|hooks| hooks.has_type(mnemonic))
            || defined::definition(&dialect, mnemonic).is_some()
    }

    /// Prints what stands behind the mnemonic of an attribute or type. False, with nothing printed, where nobody knows it.
    pub(super) fn print_value(&self, value: &DialectValue, attribute: bool, printer: &mut DialectPrinter<'_>) -> bool {
        let (dialect, mnemonic) = (self.bytes(value.dialect), self.bytes(value.mnemonic));
        let Some(dialect) = self.dialect_of(dialect) else { return false };
        match (attribute, dialect.get::<TextHooks>()) {
            (true, hooks) => hooks.is_some_and(|hooks| hooks.print_attribute(value, printer)),
            (false, Some(hooks)) if hooks.has_type(mnemonic) => hooks.print_type(value, printer),
            (false, _) => defined::definition(&dialect, mnemonic)
                .is_some_and(|definition| defined::print(definition, value, printer)),
        }
    }
}
