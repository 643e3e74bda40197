//! Entries and properties as encoders have written them, with what they refer to left open: an encoder is asked once, and what it said
//! is written with the numbers of one file after the other.

use std::io::{self, Write};
use std::ops::Range;

use mlirbc_ir::{Attribute, ResourceHandle, Type};

use super::strings::Strings;
use crate::encoding::Sink;

/// What one entry or property refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference {
    Attribute(Attribute),
    Type(Type),
    Resource(ResourceHandle),
}

/// What an encoder has written.
#[derive(Clone, Copy)]
pub(crate) struct Template {
    bytes: (u32, u32),
    pieces: (u32, u32),
    /// The place of the dialect that it is filed under.
    pub(crate) dialect: u32,
    /// Whether it is in an encoding, and no text.
    pub(crate) custom: bool,
    /// Whether it is the location of a file, which may be held in another way.
    pub(crate) is_place: bool,
    /// Whether all of it is here. What is large is encoded again when it is written.
    pub(crate) is_whole: bool,
}

impl Template {
    /// The places of its pieces.
    pub(crate) fn pieces(self) -> Range<u32> {
        self.pieces.0..self.pieces.1
    }
}

/// Something that is written by its number.
#[derive(Clone, Copy)]
enum Open {
    /// A string, by its place.
    String(u32),
    Attribute(Attribute),
    Optional(Attribute),
    Type(Type),
    Resource(ResourceHandle),
}

#[derive(Clone, Copy)]
struct Piece {
    /// Where the bytes before it end.
    at: u32,
    what: Open,
}

/// The largest template, in bytes and in pieces.
const LARGE: usize = 1 << 10;

/// So many are kept at most, of so many bytes and pieces in all.
const MOST: usize = 1 << 15;
const MOST_BYTES: usize = 1 << 20;
const MOST_PIECES: usize = 1 << 17;

pub(crate) struct Templates {
    all: Vec<Template>,
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

impl Default for Templates {
    /// None yet, and room for those of a small module.
    fn default() -> Self {
        Templates { all: Vec::with_capacity(64), bytes: Vec::with_capacity(1 << 10), pieces: Vec::with_capacity(128) }
    }
}

impl Templates {
    #[inline]
    pub(crate) fn get(&self, at: u32) -> Template {
        self.all[at as usize]
    }

    /// Keeps a template; gives its place.
    pub(crate) fn push(&mut self, template: Template) -> u32 {
        self.all.push(template);
        self.all.len() as u32 - 1
    }

    /// Whether there is room for no more.
    pub(crate) fn are_full(&self) -> bool {
        self.all.len() >= MOST || self.bytes.len() > MOST_BYTES || self.pieces.len() > MOST_PIECES
    }

    /// What it refers to.
    pub(crate) fn references(&self, template: Template) -> impl DoubleEndedIterator<Item = Reference> {
        template.pieces().filter_map(|piece| self.reference(piece))
    }

    /// What a piece refers to.
    #[inline]
    pub(crate) fn reference(&self, piece: u32) -> Option<Reference> {
        match self.pieces[piece as usize].what {
            Open::String(_) => None,
            Open::Attribute(attribute) | Open::Optional(attribute) => Some(Reference::Attribute(attribute)),
            Open::Type(ty) => Some(Reference::Type(ty)),
            Open::Resource(resource) => Some(Reference::Resource(resource)),
        }
    }

    /// Lets go of what was recorded last, if it is not whole: what it refers to was looked at.
    pub(crate) fn release(&mut self, template: Template) {
        if !template.is_whole {
            self.bytes.truncate(template.bytes.0 as usize);
            self.pieces.truncate(template.pieces.0 as usize);
        }
    }

    /// Writes it with the numbers of a file.
    pub(crate) fn write(&self, template: Template, to: &mut impl Fill) {
        let mut from = template.bytes.0 as usize;
        for piece in &self.pieces[template.pieces.0 as usize..template.pieces.1 as usize] {
            to.bytes(&self.bytes[from..piece.at as usize]);
            from = piece.at as usize;
            match piece.what {
                Open::String(place) => to.known_string(place),
                Open::Attribute(attribute) => to.attribute(attribute, false),
                Open::Optional(attribute) => to.attribute(attribute, true),
                Open::Type(ty) => to.ty(ty),
                Open::Resource(resource) => to.resource(resource),
            }
        }
        to.bytes(&self.bytes[from..template.bytes.1 as usize]);
    }
}

/// Takes what is written with the numbers of a file.
pub(crate) trait Fill: Sink {
    /// A string that is known by its place.
    fn known_string(&mut self, place: u32);
}

/// Takes down what an encoder writes.
pub(crate) struct Record<'a> {
    templates: &'a mut Templates,
    strings: &'a mut Strings,
    start: (usize, usize),
    is_whole: bool,
}

impl<'a> Record<'a> {
    pub(crate) fn new(templates: &'a mut Templates, strings: &'a mut Strings) -> Self {
        let start = (templates.bytes.len(), templates.pieces.len());
        let is_whole = !templates.are_full();
        Record { templates, strings, start, is_whole }
    }

    /// Forgets what was written.
    pub(crate) fn rewind(&mut self) {
        self.templates.bytes.truncate(self.start.0);
        self.templates.pieces.truncate(self.start.1);
        self.is_whole = !self.templates.are_full();
    }

    /// What was written. `keeps`: whether it may be kept.
    pub(crate) fn finish(self, dialect: u32, (custom, is_place): (bool, bool), keeps: bool) -> Template {
        let Templates { bytes, pieces, .. } = self.templates;
        let few = bytes.len() - self.start.0 <= LARGE && pieces.len() - self.start.1 <= LARGE;
        Template {
            bytes: (self.start.0 as u32, bytes.len() as u32),
            pieces: (self.start.1 as u32, pieces.len() as u32),
            dialect,
            custom,
            is_place,
            is_whole: self.is_whole && few && keeps,
        }
    }

    fn open(&mut self, what: Open) {
        let at = self.templates.bytes.len() as u32;
        self.templates.pieces.push(Piece { at, what });
    }
}

/// Text, which comes to an end where it is large.
impl Write for Record<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.bytes(text);
        if self.is_whole { Ok(text.len()) } else { Err(io::ErrorKind::FileTooLarge.into()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Record<'_> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        let templates = &mut *self.templates;
        if self.is_whole {
            templates.bytes.extend_from_slice(bytes);
            self.is_whole = templates.bytes.len() - self.start.0 <= LARGE;
        }
    }

    fn share(&mut self, bytes: &bytes::Bytes) {
        self.is_whole &= bytes.len() <= LARGE;
        self.bytes(bytes);
    }

    fn string(&mut self, string: &[u8]) {
        if self.is_whole {
            let place = self.strings.place(string);
            self.open(Open::String(place));
        }
    }

    fn attribute(&mut self, attribute: Attribute, optional: bool) {
        self.open(if optional { Open::Optional(attribute) } else { Open::Attribute(attribute) });
    }

    fn ty(&mut self, ty: Type) {
        self.open(Open::Type(ty));
    }

    fn resource(&mut self, resource: ResourceHandle) {
        self.open(Open::Resource(resource));
    }
}
