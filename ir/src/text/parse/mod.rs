//! Parsing attributes, types and locations from bytes.

mod affine;
mod attribute;
mod dense;
mod lexer;
mod location;
mod number;
mod packed;
mod symbol;
mod types;

pub use affine::AffineValues;
pub use lexer::{in_word, starts_word};
pub use symbol::closes_at_its_end;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::AttributeRef;
use crate::context::{Context, fresh_number};
use crate::error::{Error, Result};
use crate::module::ModuleSource;
use crate::parameter::Parameter;
use crate::types::{Type, TypeData};

/// How deep attributes, types and locations may be nested in text. Deeper text is an error.
pub const MAX_DEPTH: u32 = 256;

/// What several attributes of one text share: aliases, distinct attributes, and the owner of its resources.
#[derive(Debug)]
pub struct Scope {
    attributes: HashMap<Box<[u8]>, Attribute>,
    types: HashMap<Box<[u8]>, Type>,
    distinct: HashMap<u64, (Attribute, Attribute)>,
    owner: u64,
    locations: packed::Locations,
    declared: Option<Arc<Declarations>>,
    /// Whether something that was parsed depends on the scope.
    asked: bool,
}

/// What names of dialects stand for in all of a text or file: see [`Parser::declare`].
#[derive(Debug, Default)]
pub struct Declarations(Mutex<HashMap<Box<[u8]>, Parameter>>);

impl Scope {
    /// A scope without aliases, whose resources belong to an owner of their own.
    pub fn new() -> Self {
        Self::with_owner(fresh_number())
    }

    /// A scope without aliases, whose resources belong to `owner`: see [`ResourceKey`](crate::ResourceKey).
    pub(crate) fn with_owner(owner: u64) -> Self {
        Scope {
            attributes: HashMap::new(),
            types: HashMap::new(),
            distinct: HashMap::new(),
            owner,
            locations: Default::default(),
            declared: None,
            asked: false,
        }
    }

    /// Whether all that was parsed so far depends on the scope in nothing: in any other one the same text means the same.
    #[doc(hidden)]
    pub fn is_unasked(&self) -> bool {
        !self.asked
    }

    /// The same with names that stand for the same in other texts, too.
    #[must_use]
    #[doc(hidden)]
    pub fn with_declarations(self, declared: Arc<Declarations>) -> Self {
        Scope { declared: Some(declared), ..self }
    }

    /// Makes room for the locations of a text of so many bytes.
    #[doc(hidden)]
    pub fn expect_text(&mut self, bytes: usize) {
        self.locations.expect_text(bytes);
    }

    /// The owner of resources that the text refers to: see [`ResourceKey`](crate::ResourceKey).
    pub fn owner(&self) -> u64 {
        self.owner
    }

    /// A place in a file as the location of an operation of this text: kept with [the others](Scope::into_locations), not
    /// uniqued.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where the text has 2^31 of them.
    pub fn place(&mut self, context: &Context, file: Identifier, line: u32, column: u32) -> Result<AttributeRef> {
        self.locations.push(context, file, line, column)
    }

    /// Where in the text an alias stands that was used as a location and is not defined.
    #[doc(hidden)]
    pub fn undefined_location(&self) -> Option<u32> {
        self.locations.packed.first_reserved()
    }

    /// The locations of the operations of the text: the source of their module.
    #[doc(hidden)]
    pub fn into_locations(self) -> Arc<dyn ModuleSource> {
        self.locations.packed.finish()
    }

    /// Lets `#name` stand for an attribute.
    pub fn define_attribute(&mut self, name: &[u8], attribute: Attribute) {
        self.attributes.insert(name.into(), attribute);
    }

    /// Lets `!name` stand for a type.
    pub(crate) fn define_type(&mut self, name: &[u8], ty: Type) {
        self.types.insert(name.into(), ty);
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self::new()
    }
}

/// Parses MLIR text from the front: attributes, types, locations, and the small pieces that dialects make theirs of.
///
/// White space and comments before what is asked for are skipped.
pub struct Parser<'a> {
    context: &'a Context,
    text: &'a [u8],
    at: usize,
    depth: u32,
    scope: &'a mut Scope,
    /// The type of elements that may stand without it.
    elided: Option<Type>,
    /// Names of the recursive types that are being parsed.
    inside: Vec<Box<[u8]>>,
    /// Whether what is being parsed calls its dialect by a name that it had before.
    renamed: bool,
}

impl<'a> Parser<'a> {
    /// A parser at the start of `text`.
    pub fn new(context: &'a Context, text: &'a [u8], scope: &'a mut Scope) -> Self {
        Parser { context, text, at: 0, depth: 0, scope, elided: None, inside: Vec::new(), renamed: false }
    }

    /// The context that attributes and types are made in.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Whether the attribute or type that is being parsed calls its dialect by a [name that it had before](super::DialectText::renamed).
    pub fn is_renamed(&self) -> bool {
        self.renamed
    }

    /// All of the text, read or not.
    pub fn source(&self) -> &'a [u8] {
        self.text
    }

    /// How many bytes have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes to a place in the text: so many bytes behind its beginning, or its end where there are less.
    pub fn seek(&mut self, position: usize) {
        self.at = position.min(self.text.len());
    }

    /// Forgets how deep the parser is in what it could not parse.
    #[doc(hidden)]
    pub fn forget_nesting(&mut self) {
        self.depth = 0;
    }

    /// What the attributes of the text share.
    pub fn scope(&mut self) -> &mut Scope {
        self.scope.asked = true;
        self.scope
    }

    /// An error at the current place.
    pub fn error(&mut self, message: impl Into<String>) -> Error {
        self.skip();
        self.error_at(self.at, message)
    }

    /// An error at a place that [`Parser::here`] gave.
    pub fn error_at(&self, at: usize, message: impl Into<String>) -> Error {
        Error::malformed(message).at(at as u64)
    }

    /// An error that says what should stand here, and what does.
    pub fn expected(&mut self, what: &str) -> Error {
        self.skip();
        let rest = &self.text[self.at..];
        let found = match rest.first() {
            None => "the end of the text".to_owned(),
            Some(_) => {
                let word = self.peek_word();
                let shown = if word.is_empty() { &rest[..1] } else { &word[..word.len().min(40)] };
                Error::quoted(shown)
            }
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// Runs a part of the grammar that can hold itself.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Parses the body of a type that may refer to itself by this name: see [`Parser::is_inside`].
    ///
    /// # Errors
    /// Those of the body.
    pub fn inside<T, E>(&mut self, name: &[u8], body: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        self.inside.push(name.into());
        let result = body(self);
        self.inside.pop();
        result
    }

    /// Notes what a name stands for wherever it stands in this text, or among all that is parsed with the same
    /// [`Declarations`]. False where it stands for something else already.
    pub fn declare(&mut self, name: &[u8], meaning: Parameter) -> bool {
        self.scope.asked = true;
        let declared = self.scope.declared.get_or_insert_default();
        let mut declared = declared.0.lock().unwrap_or_else(PoisonError::into_inner);
        match declared.get(name) {
            Some(known) => *known == meaning,
            None => {
                declared.insert(name.into(), meaning);
                true
            }
        }
    }

    /// Whether the body of a type of that name is being parsed.
    pub fn is_inside(&self, name: &[u8]) -> bool {
        self.inside.iter().any(|inside| **inside == *name)
    }

    /// Parses items with commas between them, up to and with `close`.
    ///
    /// # Errors
    /// Where an item fails, or neither comma nor `close` follows one.
    pub fn list(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.is_end_of_list(close)? {
                return Ok(());
            }
        }
    }

    /// Behind an item of a list: whether `close` ends it here. A comma says that it goes on.
    ///
    /// # Errors
    /// Where neither follows.
    pub fn is_end_of_list(&mut self, close: u8) -> Result<bool> {
        if self.eat(close) {
            return Ok(true);
        }
        if self.eat(b',') { Ok(false) } else { Err(self.expected(&format!("`,` or `{}`", char::from(close)))) }
    }

    /// Makes an attribute, after checking its rules.
    fn make(&self, start: usize, data: AttributeData) -> Result<Attribute> {
        data.verify(self.context).map_err(|error| error.at(start as u64))?;
        Ok(self.context.attribute(data))
    }

    /// Makes a type, after checking its rules.
    fn make_type(&self, start: usize, data: TypeData) -> Result<Type> {
        data.verify(self.context).map_err(|error| error.at(start as u64))?;
        Ok(self.context.ty(data))
    }

    /// Fails unless only white space and comments are left.
    ///
    /// # Errors
    /// Where something follows.
    pub fn finish(&mut self) -> Result<()> {
        self.skip();
        if self.at == self.text.len() { Ok(()) } else { Err(self.expected("the end of the text")) }
    }
}

/// Parses the text of one attribute standing alone. White space may follow it, nothing else.
///
/// # Errors
/// Where the text is wrong, breaks a rule of the attribute, or is nested deeper than [`MAX_DEPTH`].
pub fn parse_attribute(context: &Context, text: &[u8]) -> Result<Attribute> {
    let mut scope = Scope::new();
    let mut parser = Parser::new(context, text, &mut scope);
    let attribute = parser.attribute()?;
    parser.finish()?;
    Ok(attribute)
}

/// Parses the text of one type standing alone. White space may follow it, nothing else.
///
/// # Errors
/// Where the text is wrong, breaks a rule of the type, or is nested deeper than [`MAX_DEPTH`].
pub fn parse_type(context: &Context, text: &[u8]) -> Result<Type> {
    let mut scope = Scope::new();
    let mut parser = Parser::new(context, text, &mut scope);
    let ty = parser.ty()?;
    parser.finish()?;
    Ok(ty)
}
