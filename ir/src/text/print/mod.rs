//! Printing attributes, types and locations, on an explicit stack: nesting costs no call stack.

mod affine;
mod aliases;
mod attribute;
mod dense;
mod output;
mod types;

use std::collections::{HashMap, HashSet};
use std::io::Write;

use crate::affine::AffineExpression;
use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute, ResourceHandle, ResourceKey};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::types::Type;

pub use affine::push_affine;
pub use aliases::{Aliasable, Aliases};
pub use attribute::{push_integer, values_in};
use output::Output;
pub use output::{push_decimal, push_escaped, push_hex, push_name, push_symbol};
pub use types::is_identity;

/// Whether the type of a typed attribute is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elision {
    /// Always.
    Never,
    /// Not where a reader assumes it: 64 bit integers and doubles.
    May,
    /// Not at all.
    Must,
}

/// What several attributes of one text share: numbers of distinct attributes, and names of resources.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct PrintNames {
    distinct: HashMap<u64, usize>,
    resources: Vec<(ResourceHandle, Box<[u8]>)>,
    resource_numbers: HashMap<ResourceHandle, usize>,
    /// Names that are given, each with the dialect whose resources it is among.
    taken: HashSet<(Identifier, Box<[u8]>)>,
    large: HashSet<Attribute>,
}

impl PrintNames {
    /// The resources that were printed, in order of first appearance, each with the name it was given. Resources of one
    /// dialect and key but different owners get different names.
    pub fn resources(&self) -> &[(ResourceHandle, Box<[u8]>)] {
        &self.resources
    }

    fn distinct(&mut self, id: u64) -> usize {
        let next = self.distinct.len();
        *self.distinct.entry(id).or_insert(next)
    }

    /// The name of a resource in this text.
    fn resource(&mut self, context: &Context, handle: ResourceHandle) -> &[u8] {
        let at = *self.resource_numbers.entry(handle).or_insert_with(|| {
            let ResourceKey { dialect, key, .. } = &context[handle];
            let mut name = key.clone();
            let mut next = 1;
            while !self.taken.insert((*dialect, name.clone())) {
                name = [key, format!("_{next}").as_bytes()].concat().into();
                next += 1;
            }
            self.resources.push((handle, name));
            self.resources.len() - 1
        });
        &self.resources[at].1
    }
}

/// Something still to be printed.
enum Piece<'a> {
    Text(&'static str),
    Bytes(Vec<u8>),
    Attribute(Attribute, Elision),
    /// Without dialect and mnemonic, and without white space before it or with.
    Stripped(Attribute, bool),
    Attributes(&'a [Attribute], Elision),
    Entries(&'a [NamedAttribute]),
    Type(Type),
    /// A type inside of one of that dialect.
    Short(Type, &'a str),
    Types(&'a [Type]),
    Location(Attribute),
    Locations(&'a [Attribute]),
    Affine(&'a AffineExpression, bool),
    Affines(&'a [AffineExpression]),
    Constraints(&'a [(AffineExpression, bool)]),
}

/// Prints attributes, types and locations to a writer, one after the other.
pub struct Printer<'a> {
    context: &'a Context,
    names: PrintNames,
    out: Output<'a>,
    stack: Vec<Piece<'a>>,
    limit: u64,
    /// Names that stand for attributes, types and locations.
    aliases: Option<Box<Aliases>>,
    /// Whether the next piece is printed as it is, though it may have an alias.
    plain: bool,
    /// Where nothing is printed: what would be.
    visits: Option<Vec<Aliasable>>,
}

impl<'a> Printer<'a> {
    /// The most bytes that one attribute or type may take, unless [`Printer::with_limit`] says otherwise. Shared parts are
    /// printed where they are used, so a small file can hold an attribute whose text would fill any disk.
    pub const DEFAULT_LIMIT: u64 = 1 << 30;

    /// A printer that writes to `sink`.
    pub fn new(context: &'a Context, sink: &'a mut dyn Write) -> Self {
        let out = Output::new(sink);
        Printer {
            context,
            names: PrintNames::default(),
            out,
            stack: Vec::new(),
            limit: Self::DEFAULT_LIMIT,
            aliases: None,
            plain: false,
            visits: None,
        }
    }

    /// Sets the most bytes that one attribute or type may take. Data of large dense elements count where they come again.
    #[must_use]
    pub fn with_limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// The context of what is printed.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Prints the name of a resource in this text.
    #[doc(hidden)]
    pub fn resource_name(&mut self, resource: ResourceHandle) {
        push_name(&mut self.out.buffer, self.names.resource(self.context, resource));
    }

    /// What has been named so far.
    pub fn names(&self) -> &PrintNames {
        &self.names
    }

    /// Prints an attribute.
    ///
    /// # Errors
    /// Where the writer fails, or the text is longer than the limit.
    pub fn attribute(&mut self, attribute: Attribute, elision: Elision) -> Result<()> {
        if let Some(visits) = &mut self.visits {
            visits.push(Aliasable::attribute(self.context, attribute));
            return Ok(());
        }
        self.print(Piece::Attribute(attribute, elision))
    }

    /// Prints a type.
    ///
    /// # Errors
    /// Where the writer fails, or the text is longer than the limit.
    pub fn ty(&mut self, ty: Type) -> Result<()> {
        if let Some(visits) = &mut self.visits {
            visits.push(Aliasable::Type(ty));
            return Ok(());
        }
        self.print(Piece::Type(ty))
    }

    /// Prints a location without the `loc(...)` around it.
    ///
    /// # Errors
    /// Where the writer fails, or the text is longer than the limit.
    pub fn location(&mut self, location: Attribute) -> Result<()> {
        self.plain = true;
        self.print(Piece::Location(location))
    }

    /// Prints an attribute where a reader knows its dialect and mnemonic, without these.
    ///
    /// # Errors
    /// Where the writer fails, or the text is longer than the limit.
    pub fn stripped(&mut self, attribute: Attribute) -> Result<()> {
        if let Some(visits) = &mut self.visits {
            visits.push(Aliasable::attribute(self.context, attribute));
            return Ok(());
        }
        let is_trimmed = match &self.context[attribute] {
            AttributeData::Dialect(value) => self.context.is_trimmed(self.context.bytes(value.dialect)),
            _ => false,
        };
        self.print(Piece::Stripped(attribute, is_trimmed))
    }

    /// What was printed last and is not written yet: for what builds on this printer, to add to and to take back.
    #[inline]
    #[doc(hidden)]
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.out.buffer
    }

    /// The same, to look at.
    #[inline]
    #[doc(hidden)]
    pub fn buffered(&self) -> &[u8] {
        &self.out.buffer
    }

    /// How many bytes were printed so far.
    #[inline]
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Writes the buffer where it is long enough, unless it is [held](Printer::hold).
    ///
    /// # Errors
    /// Where the writer fails.
    #[inline]
    #[doc(hidden)]
    pub fn spill(&mut self) -> Result<()> {
        self.out.spill()
    }

    /// Sets whether all that is printed stays in the buffer for now. Gives what was set before.
    #[doc(hidden)]
    pub fn hold(&mut self, hold: bool) -> bool {
        std::mem::replace(&mut self.out.hold, hold)
    }

    /// From now on, prints these aliases where they stand for something.
    #[doc(hidden)]
    pub fn set_aliases(&mut self, aliases: Aliases) {
        self.aliases = Some(Box::new(aliases));
    }

    /// Prints the alias of this. False where it has none, with nothing printed.
    #[inline]
    pub fn alias(&mut self, of: Aliasable) -> bool {
        let alias = self.aliases.as_ref().and_then(|aliases| aliases.get(of));
        self.out.buffer.extend_from_slice(alias.unwrap_or_default());
        alias.is_some()
    }

    /// Sets whether what is printed next is printed as it is, though it may have an alias.
    #[doc(hidden)]
    pub fn set_plain(&mut self, plain: bool) {
        self.plain = plain;
    }

    /// From now on, prints no attribute, type or location, but keeps in order what would be printed: see
    /// [`Printer::collected`].
    pub fn collect(&mut self) {
        self.visits = Some(Vec::new());
    }

    /// What was collected and is not taken yet. `None` where this printer prints.
    #[inline]
    #[doc(hidden)]
    pub fn collected(&mut self) -> Option<&mut Vec<Aliasable>> {
        self.visits.as_mut()
    }

    /// Whether this printer [collects](Printer::collect).
    #[inline]
    #[doc(hidden)]
    pub fn is_collecting(&self) -> bool {
        self.visits.is_some()
    }

    /// Prints these bytes as they are.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn text(&mut self, text: &[u8]) -> Result<()> {
        self.out.buffer.extend_from_slice(text);
        self.out.spill()
    }

    /// Writes out what is still held back, and gives the names.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn finish(mut self) -> Result<PrintNames> {
        self.out.flush()?;
        Ok(self.names)
    }

    fn print(&mut self, piece: Piece<'a>) -> Result<()> {
        let end = self.out.position().saturating_add(self.limit);
        self.stack.clear();
        self.stack.push(piece);
        let mut uncounted = 0u64;
        while let Some(piece) = self.stack.pop() {
            uncounted += self.print_piece(piece)?;
            self.out.spill()?;
            if self.out.position() - uncounted > end {
                return Err(Error::misuse(format!(
                    "the text of an attribute or type is over {} bytes long",
                    self.limit
                )));
            }
        }
        Ok(())
    }

    /// Prints a piece, or pushes what it is made of. Gives the bytes that do not count against the limit.
    fn print_piece(&mut self, piece: Piece<'a>) -> Result<u64> {
        let out = &mut self.out.buffer;
        if let Some(aliases) = &self.aliases
            && !std::mem::take(&mut self.plain)
        {
            let alias = match piece {
                Piece::Attribute(attribute, _) | Piece::Location(attribute) | Piece::Stripped(attribute, _) => {
                    aliases.get(Aliasable::attribute(self.context, attribute))
                }
                Piece::Type(ty) => aliases.get(Aliasable::Type(ty)),
                _ => None,
            };
            if let Some(alias) = alias {
                out.extend_from_slice(alias);
                return Ok(0);
            }
        }
        match piece {
            Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
            Piece::Bytes(bytes) => out.extend_from_slice(&bytes),
            Piece::Attribute(attribute, elision) => return self.print_attribute(attribute, elision),
            Piece::Stripped(attribute, trimmed) => return self.print_stripped(attribute, trimmed),
            Piece::Type(ty) => self.print_type(ty),
            Piece::Short(ty, dialect) => self.print_short_type(ty, dialect),
            Piece::Location(location) => self.print_location(location),
            Piece::Affine(expression, strong) => self.print_affine(expression, strong),
            Piece::Attributes(list, elision) => {
                self.next(list, Piece::Attributes(list.get(1..).unwrap_or_default(), elision), |&item| {
                    Piece::Attribute(item, elision)
                });
            }
            Piece::Types(list) => {
                self.next(list, Piece::Types(list.get(1..).unwrap_or_default()), |&item| Piece::Type(item));
            }
            Piece::Locations(list) => {
                self.next(list, Piece::Locations(list.get(1..).unwrap_or_default()), |&item| Piece::Location(item));
            }
            Piece::Affines(list) => {
                self.next(list, Piece::Affines(list.get(1..).unwrap_or_default()), |item| Piece::Affine(item, false));
            }
            Piece::Entries(list) => {
                let Some(&(name, value)) = list.first() else { return Ok(0) };
                if list.len() > 1 {
                    self.stack.push(Piece::Entries(&list[1..]));
                    self.stack.push(Piece::Text(", "));
                }
                self.print_entry(name, value);
            }
            Piece::Constraints(list) => {
                let Some((expression, equal)) = list.first() else { return Ok(0) };
                if list.len() > 1 {
                    self.stack.push(Piece::Constraints(&list[1..]));
                    self.stack.push(Piece::Text(", "));
                }
                self.stack.push(Piece::Text(if *equal { " == 0" } else { " >= 0" }));
                self.stack.push(Piece::Affine(expression, false));
            }
        }
        Ok(0)
    }

    /// Pushes the first item of a list, and the rest of the list behind it.
    fn next<T>(&mut self, list: &'a [T], rest: Piece<'a>, piece: impl FnOnce(&'a T) -> Piece<'a>) {
        if let Some(first) = list.first() {
            if list.len() > 1 {
                self.stack.push(rest);
                self.stack.push(Piece::Text(", "));
            }
            self.stack.push(piece(first));
        }
    }

    /// Pushes pieces so that they are printed in the given order.
    fn push<const N: usize>(&mut self, pieces: [Piece<'a>; N]) {
        self.stack.extend(pieces.into_iter().rev());
    }
}

/// What a dialect's hook prints into: see [`DialectText`](crate::text::DialectText).
///
/// Nothing is printed at once; what is given is kept and printed when the hook has returned.
pub struct DialectPrinter<'p> {
    context: &'p Context,
    pieces: Vec<Piece<'p>>,
}

impl<'p> DialectPrinter<'p> {
    pub(crate) fn new(context: &'p Context) -> Self {
        DialectPrinter { context, pieces: Vec::new() }
    }

    /// The context of what is printed.
    pub fn context(&self) -> &'p Context {
        self.context
    }

    fn bytes(&mut self) -> &mut Vec<u8> {
        if !matches!(self.pieces.last(), Some(Piece::Bytes(_))) {
            self.pieces.push(Piece::Bytes(Vec::new()));
        }
        match self.pieces.last_mut() {
            Some(Piece::Bytes(bytes)) => bytes,
            _ => unreachable!("pushed above"),
        }
    }

    /// Prints text as it is.
    pub fn text(&mut self, text: impl AsRef<[u8]>) -> &mut Self {
        self.bytes().extend_from_slice(text.as_ref());
        self
    }

    /// Prints a string in quotes, escaped.
    pub fn string(&mut self, value: impl AsRef<[u8]>) -> &mut Self {
        push_escaped(self.bytes(), value.as_ref());
        self
    }

    /// Prints a name as it is where it is a bare identifier, else as a string.
    pub fn keyword_or_string(&mut self, value: impl AsRef<[u8]>) -> &mut Self {
        output::push_name(self.bytes(), value.as_ref());
        self
    }

    /// Prints an attribute.
    pub fn attribute(&mut self, attribute: Attribute, elision: Elision) -> &mut Self {
        self.pieces.push(Piece::Attribute(attribute, elision));
        self
    }

    /// Prints an attribute where a reader knows its dialect and mnemonic: `<...>` for `#dialect.mnemonic<...>`. White space
    /// that the attribute's hook begins with is left out.
    pub fn stripped_attribute(&mut self, attribute: Attribute) -> &mut Self {
        self.pieces.push(Piece::Stripped(attribute, true));
        self
    }

    /// Prints a type.
    pub fn ty(&mut self, ty: Type) -> &mut Self {
        self.pieces.push(Piece::Type(ty));
        self
    }

    /// Prints a type inside of one of a dialect: those of the same dialect without its name, `ptr<3>` for `!llvm.ptr<3>`.
    pub fn short_type(&mut self, ty: Type, dialect: &'p str) -> &mut Self {
        self.pieces.push(Piece::Short(ty, dialect));
        self
    }

    /// Prints a double as MLIR does.
    pub fn double(&mut self, value: f64) -> &mut Self {
        let bits = crate::number::ApInt::from_u64(64, value.to_bits());
        crate::text::float::print(self.bytes(), crate::number::FloatKind::F64, &bits);
        self
    }
}

fn to_string(context: &Context, print: impl FnOnce(&mut Printer<'_>) -> Result<()>) -> Result<String> {
    let mut text = Vec::new();
    let mut printer = Printer::new(context, &mut text);
    print(&mut printer)?;
    printer.finish()?;
    Ok(String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The text of one attribute. Bytes that are not UTF-8, which only text kept of other dialects can hold, are replaced.
///
/// # Errors
/// Where the text is over [`Printer::DEFAULT_LIMIT`] bytes long.
pub fn print_attribute(context: &Context, attribute: Attribute) -> Result<String> {
    to_string(context, |printer| printer.attribute(attribute, Elision::Never))
}

/// The text of one type, in the same way.
///
/// # Errors
/// Where the text is over [`Printer::DEFAULT_LIMIT`] bytes long.
pub fn print_type(context: &Context, ty: Type) -> Result<String> {
    to_string(context, |printer| printer.ty(ty))
}

/// The text of one location, without the `loc(...)` around it.
///
/// # Errors
/// Where the text is over [`Printer::DEFAULT_LIMIT`] bytes long.
pub fn print_location(context: &Context, location: Attribute) -> Result<String> {
    to_string(context, |printer| printer.location(location))
}
