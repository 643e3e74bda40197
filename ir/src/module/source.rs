//! Where a module's lazy parts come from.

use std::any::Any;
use std::sync::Arc;

use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::{Body, BodyId};
use crate::context::{Context, OperationName};
use crate::error::{Error, Result};
use crate::module::Module;
use crate::types::Type;

/// A location, not uniqued where it is of the most common kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    /// `loc("file":line:column)`
    File {
        /// The file's name.
        file: Identifier,
        /// The line, from 1; 0 where unknown.
        line: u32,
        /// The column, from 1; 0 where unknown.
        column: u32,
    },
    /// Any other, uniqued.
    Attribute(Attribute),
}

impl Location {
    /// The location as a uniqued attribute.
    pub fn attribute(self, context: &Context) -> Attribute {
        match self {
            Location::File { file, line, column } => {
                context.attribute(AttributeData::FileLocation { file, start: (line, column), end: (line, column) })
            }
            Location::Attribute(attribute) => attribute,
        }
    }
}

/// A range of a file that holds the regions of one operation, not yet read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingBody {
    /// Where the range begins.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// Number of regions in it.
    pub regions: u32,
}

impl PendingBody {
    /// How many operations stand there, about.
    pub(super) fn weight(self) -> u32 {
        // How many bytes of a file an operation takes, about.
        const BYTES: u64 = 8;
        u32::try_from(self.length / BYTES).unwrap_or(u32::MAX)
    }
}

/// What a module was read from, and decodes its lazy parts on demand.
///
/// Entries are numbered as in the file; the same entry gives the same answer each time.
pub trait ModuleSource: Send + Sync + Any {
    /// The attribute of that number.
    fn attribute(&self, context: &Context, index: u32) -> Result<Attribute>;

    /// The attribute of that number, which an operation names as its attributes: a dictionary, or opaque.
    fn dictionary(&self, context: &Context, index: u32) -> Result<Attribute> {
        self.attribute(context, index)
    }

    /// The attribute of that number as a location. Cheaper than [`ModuleSource::attribute`] for the common kind.
    fn location(&self, context: &Context, index: u32) -> Result<Location>;

    /// The entry of that number as a packed location, where it is one: see [`PackedLocation`].
    fn packed_location(&self, index: u32) -> Option<PackedLocation> {
        let _ = index;
        None
    }

    /// The words of the packed locations among the entries from `start` on; 0, or a word that is none, for others and for
    /// those that were not looked at yet.
    fn packed_words(&self, start: u32, words: &mut [u64]) {
        let _ = start;
        words.fill(0);
    }

    /// The file of that number in packed locations of this source.
    fn packed_file(&self, file: u32) -> Option<Identifier> {
        let _ = file;
        None
    }

    /// How many entries the source numbers as attributes.
    fn attribute_count(&self) -> u32 {
        0
    }

    /// The type of that number.
    fn ty(&self, context: &Context, index: u32) -> Result<Type>;

    /// The properties blob of that number, as those of an operation of that name: a dictionary.
    fn properties(&self, context: &Context, name: OperationName, index: u32) -> Result<Attribute>;

    /// Reads the regions of the operation that will own the body `id`.
    fn body(&self, module: &Module, id: BodyId, pending: PendingBody) -> Result<Body>;

    /// Looks for the operation in `body` that names that symbol, without decoding more than needed. `None` where this
    /// source has no faster way than looking at each operation.
    fn find_symbol(&self, module: &Module, body: BodyId, name: &[u8]) -> Option<Result<Option<SymbolPlace>>> {
        let _ = (module, body, name);
        None
    }

    /// The resources of the file.
    fn resources(&self) -> Result<Vec<crate::module::ResourceGroup>> {
        Ok(Vec::new())
    }

    /// For each dialect that wrote one, the version as its bytes in the file.
    fn dialect_versions(&self) -> Result<Vec<(Identifier, bytes::Bytes)>> {
        Ok(Vec::new())
    }

    /// Itself, for the format that made it.
    fn as_any(&self) -> &dyn Any;

    /// Itself, for the format that made it, to change.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// Where an operation stands: in which body, and its number there.
pub type SymbolPlace = (BodyId, crate::body::OpId);

/// A file-line-column location in one word: the number of its file in its source, line and column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedLocation(u64);

impl PackedLocation {
    const FILE_BITS: u32 = 14;
    const PLACE_BITS: u32 = 24;
    /// Set in every packed location, so that words without it are free for others.
    pub const TAG: u64 = 2;

    /// The word, where the numbers are small enough.
    #[inline]
    pub fn new(file: u32, line: u64, column: u64) -> Option<Self> {
        let place = 1 << Self::PLACE_BITS;
        let fits = file < 1 << Self::FILE_BITS && line < place && column < place;
        let shift = 2 + Self::FILE_BITS;
        fits.then(|| {
            PackedLocation(Self::TAG | u64::from(file) << 2 | line << shift | column << (shift + Self::PLACE_BITS))
        })
    }

    /// The location that the word is, if its two lowest bits say that it is one.
    #[inline]
    pub fn from_word(word: u64) -> Option<Self> {
        (word & 3 == Self::TAG).then_some(PackedLocation(word))
    }

    /// The word.
    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }

    /// The number of the file in its source.
    #[inline]
    pub fn file(self) -> u32 {
        (self.0 >> 2) as u32 & ((1 << Self::FILE_BITS) - 1)
    }

    /// The line.
    #[inline]
    pub fn line(self) -> u32 {
        (self.0 >> (2 + Self::FILE_BITS)) as u32 & ((1 << Self::PLACE_BITS) - 1)
    }

    /// The column.
    #[inline]
    pub fn column(self) -> u32 {
        (self.0 >> (2 + Self::FILE_BITS + Self::PLACE_BITS)) as u32
    }
}

/// A source without a file: packed locations of a module made from text or by hand.
#[derive(Debug, Default)]
pub struct PackedLocations {
    files: Vec<Identifier>,
    /// A packed location, or by the lowest bits an attribute or [`RESERVED`].
    words: Vec<u64>,
}

/// Marks a word whose location has not been set yet.
const RESERVED: u64 = 3;

fn attribute_word(attribute: Attribute) -> u64 {
    u64::from(attribute.raw()) << 2 | 1
}

impl PackedLocations {
    /// No location yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file name; its number is for [`PackedLocations::push`].
    pub fn push_file(&mut self, file: Identifier) -> u32 {
        self.files.push(file);
        self.files.len() as u32 - 1
    }

    /// The word of a place in a file: packed, or an attribute where a number is too large for that.
    fn place(&self, context: &Context, file: u32, line: u32, column: u32) -> u64 {
        match (PackedLocation::new(file, line.into(), column.into()), self.files.get(file as usize)) {
            (Some(packed), _) => packed.word(),
            (None, Some(&file)) => attribute_word(Location::File { file, line, column }.attribute(context)),
            (None, None) => 0,
        }
    }

    /// Adds a location and gives its number; `None` where there are 2^31 - 1 locations already.
    pub fn push(&mut self, context: &Context, file: u32, line: u32, column: u32) -> Option<crate::body::AttributeRef> {
        self.push_word(self.place(context, file, line, column))
    }

    fn push_word(&mut self, word: u64) -> Option<crate::body::AttributeRef> {
        self.words.push(word);
        crate::body::AttributeRef::local(u32::try_from(self.words.len() - 1).ok()?)
    }

    /// Adds a location of which nothing is known yet but who wants it, and gives its number: see
    /// [`PackedLocations::set`].
    pub(crate) fn reserve(&mut self, wanted_by: u32) -> Option<crate::body::AttributeRef> {
        self.push_word(u64::from(wanted_by) << 2 | RESERVED)
    }

    /// Who wants the first location that has not been set.
    pub(crate) fn first_reserved(&self) -> Option<u32> {
        self.words.iter().find(|&word| word & 3 == RESERVED).map(|word| (word >> 2) as u32)
    }

    /// How many locations there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Says what the location of that number is: a place in a file.
    pub(crate) fn set(&mut self, context: &Context, index: u32, file: u32, line: u32, column: u32) {
        let place = self.place(context, file, line, column);
        if let Some(word) = self.words.get_mut(index as usize) {
            *word = place;
        }
    }

    /// Says what the location of that number is: an attribute.
    pub(crate) fn set_attribute(&mut self, index: u32, attribute: Attribute) {
        if let Some(word) = self.words.get_mut(index as usize) {
            *word = attribute_word(attribute);
        }
    }

    /// The location of that number; `None` where it has not been set.
    pub(crate) fn get(&self, index: u32) -> Option<Location> {
        let word = *self.words.get(index as usize)?;
        match PackedLocation::from_word(word) {
            Some(packed) => Some(Location::File {
                file: *self.files.get(packed.file() as usize)?,
                line: packed.line(),
                column: packed.column(),
            }),
            None if word & 3 == 1 => Some(Location::Attribute(Attribute::from_raw((word >> 2) as u32))),
            None => None,
        }
    }

    /// The source, for [`Module::with_source`].
    pub fn finish(mut self) -> Arc<dyn ModuleSource> {
        self.words.shrink_to_fit();
        Arc::new(self)
    }
}

impl ModuleSource for PackedLocations {
    fn attribute(&self, context: &Context, index: u32) -> Result<Attribute> {
        Ok(self.location(context, index)?.attribute(context))
    }

    fn location(&self, _: &Context, index: u32) -> Result<Location> {
        self.get(index).ok_or_else(|| Error::misuse("a location of another module"))
    }

    fn packed_location(&self, index: u32) -> Option<PackedLocation> {
        PackedLocation::from_word(*self.words.get(index as usize)?)
    }

    fn packed_words(&self, start: u32, words: &mut [u64]) {
        let known = self.words.get(start as usize..).unwrap_or_default();
        let all = known.iter().copied().chain(std::iter::repeat(0));
        words.iter_mut().zip(all).for_each(|(word, known)| *word = known);
    }

    fn packed_file(&self, file: u32) -> Option<Identifier> {
        self.files.get(file as usize).copied()
    }

    fn attribute_count(&self) -> u32 {
        self.words.len() as u32
    }

    fn ty(&self, _: &Context, _: u32) -> Result<Type> {
        Err(Error::misuse("a type of another module"))
    }

    fn properties(&self, _: &Context, _: OperationName, _: u32) -> Result<Attribute> {
        Err(Error::misuse("properties of another module"))
    }

    fn body(&self, _: &Module, _: BodyId, _: PendingBody) -> Result<Body> {
        Err(Error::misuse("a body of another module"))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
