//! Attributes and types of a file: by dialect and kind, and the largest of each.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

use mlirbc::bytecode::BytecodeFile;
use mlirbc::bytecode::inspect::PartOf;
use mlirbc::ir::{AttributeData, Context, ModuleSource, TypeData};
use mlirbc::{Attribute, Result, Type};

use super::page::{Cell, Table};
use super::tree::{Largest, Node};
use super::{LARGEST, preview};

/// The title of the table of the largest attributes.
pub(super) const LARGEST_ATTRIBUTES: &str = "Largest attributes";

/// So many kinds are told apart.
const MOST_KINDS: usize = 4096;

/// So many entries are shown as text, which may be longer than they are.
const SHOWN: usize = 500;

/// Of what takes more bytes, only the type is shown.
const LONG: u64 = 4096;

/// Attributes and types, sorted by what they are.
#[derive(Default)]
pub(super) struct Entries {
    kinds: HashMap<(Side, u32, Key), Kind>,
    /// How many bytes of the table of offsets each attribute takes.
    sizes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Attributes,
    Types,
}

/// What tells kinds of one dialect apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Code(u64),
    /// What its text begins with.
    Text(Rc<str>),
    /// One kind too many.
    Other,
}

struct Kind {
    /// One of them.
    sample: u32,
    count: u64,
    bytes: u64,
    /// Bytes of the table of offsets.
    sizes: u64,
    largest: Largest,
}

/// A kind with its name, and the largest of it with theirs.
struct Found {
    side: Side,
    dialect: u32,
    is_location: bool,
    kind: Kind,
    name: Rc<str>,
}

impl Entries {
    /// Adds what an entry takes in the table of offsets, which comes first.
    pub(super) fn add_size(&mut self, of: PartOf<'_>, bytes: u64) {
        if let PartOf::Attribute { .. } = of {
            self.sizes.push(bytes as u8);
        }
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, of: PartOf<'_>, data: &[u8]) {
        let (side, index, dialect, code) = match of {
            PartOf::Attribute { index, dialect, code, .. } => (Side::Attributes, index, dialect, code),
            PartOf::Type { index, dialect, code, .. } => (Side::Types, index, dialect, code),
            _ => return,
        };
        let key = code.map_or_else(|| Key::Text(beginning(data).into()), Key::Code);
        let is_room = self.kinds.len() < MOST_KINDS || self.kinds.contains_key(&(side, dialect, key.clone()));
        let place = (side, if is_room { dialect } else { 0 }, if is_room { key } else { Key::Other });
        let new = || Kind { sample: index, count: 0, bytes: 0, sizes: 0, largest: Largest::new(LARGEST) };
        let kind = self.kinds.entry(place).or_insert_with(new);
        kind.count += 1;
        kind.bytes += data.len() as u64;
        if side == Side::Attributes {
            kind.sizes += u64::from(self.sizes.get(index as usize).copied().unwrap_or_default());
        }
        kind.largest.add(data.len() as u64, || index.to_string().into());
    }

    /// Trees of attributes and of types, how many bytes locations take with their places in the table of offsets, and the largest
    /// attributes.
    pub(super) fn finish(
        self,
        file: &BytecodeFile,
        context: &Context,
        dialects: &[Rc<str>],
    ) -> (Vec<Node>, u64, Table) {
        let mut show = Show { file, context, left: SHOWN };
        let mut found: Vec<Found> = self.kinds.into_iter().map(|(place, kind)| show.kind(place, kind)).collect();
        found.sort_by(|a, b| {
            (Reverse(a.kind.bytes), &a.name, a.dialect).cmp(&(Reverse(b.kind.bytes), &b.name, b.dialect))
        });
        let of_locations = found.iter().filter(|found| found.is_location);
        let locations = of_locations.map(|found| found.kind.bytes + found.kind.sizes).sum();
        let mut largest = Vec::new();
        let mut by_dialect: HashMap<(Side, u32), Vec<Node>> = HashMap::new();
        for Found { side, dialect, kind, name, .. } in found {
            let mut nodes = kind.largest.finish();
            for node in nodes.iter_mut().filter(|node| !node.is_rest) {
                let index = node.name.parse().unwrap_or_default();
                node.name = show.entry(side, index, node.bytes).unwrap_or_else(|| "an entry".into());
                if side == Side::Attributes {
                    largest.push((node.bytes, index, name.clone(), node.name.clone()));
                }
            }
            // One that is there once needs no name of its own.
            let children = if kind.count > 1 { super::tree::by_name(nodes) } else { Vec::new() };
            let node = Node { bytes: kind.bytes, ..Node::of(name, kind.count, children) };
            by_dialect.entry((side, dialect)).or_default().push(node);
        }
        largest.sort_by_key(|entry| (Reverse(entry.0), entry.1));
        largest.truncate(LARGEST);
        let rows = largest.into_iter().map(|(bytes, index, kind, text)| {
            vec![Cell::Number(index.into()), Cell::Name(kind), Cell::Name(text), Cell::Bytes(bytes)]
        });
        let table =
            Table { title: LARGEST_ATTRIBUTES, heads: &["number", "kind", "what", "bytes"], rows: rows.collect() };
        let side = |side: Side, name: &str| {
            let mut nodes: Vec<Node> = Vec::new();
            for (&(_, number), kinds) in by_dialect.iter().filter(|(place, _)| place.0 == side) {
                let dialect = dialects.get(number as usize).cloned().unwrap_or_else(|| "?".into());
                let count = kinds.iter().map(|kind| kind.count).sum();
                nodes.push(Node::of(dialect, count, super::tree::by_name(kinds.clone())));
            }
            nodes.sort_by(|a, b| a.name.cmp(&b.name));
            Node::of(name, nodes.iter().map(|node| node.count).sum(), nodes)
        };
        (vec![side(Side::Attributes, "attributes"), side(Side::Types, "types")], locations, table)
    }
}

/// The word that a text begins with.
fn beginning(text: &[u8]) -> String {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"#!._$".contains(byte);
    let word: Vec<u8> = text.iter().copied().take_while(is_word).take(60).collect();
    if word.is_empty() { "text".to_owned() } else { String::from_utf8_lossy(&word).into_owned() }
}

/// Shows entries, as long as there have not been too many.
struct Show<'f> {
    file: &'f BytecodeFile,
    context: &'f Context,
    left: usize,
}

impl Show<'_> {
    fn attribute(&self, index: u32) -> Result<Attribute> {
        self.file.attribute(self.context, index)
    }

    fn ty(&self, index: u32) -> Result<Type> {
        self.file.ty(self.context, index)
    }

    fn kind(&mut self, (side, dialect, key): (Side, u32, Key), kind: Kind) -> Found {
        let attribute = if side == Side::Attributes { self.attribute(kind.sample).ok() } else { None };
        let data = attribute.map(|attribute| &self.context[attribute]);
        let name = match (&key, data) {
            (Key::Text(text), _) => text.clone(),
            (Key::Other, _) => "other kinds".into(),
            (Key::Code(_), Some(data)) if builtin_kind(data).is_some() => builtin_kind(data).unwrap_or_default().into(),
            (Key::Code(code), _) => {
                self.kind_by_text(side, kind.sample).unwrap_or_else(|| format!("code {code}").into())
            }
        };
        let is_location = data.is_some_and(AttributeData::is_location);
        Found { side, dialect, is_location, kind, name }
    }

    /// What the text of an entry begins with.
    fn kind_by_text(&mut self, side: Side, sample: u32) -> Option<Rc<str>> {
        if side == Side::Types {
            match &self.context[self.ty(sample).ok()?] {
                TypeData::Integer { .. } => return Some("integer".into()),
                TypeData::Float(_) => return Some("float".into()),
                TypeData::Function { .. } => return Some("function".into()),
                _ => {}
            }
        }
        let text = self.entry(side, sample, 0)?;
        Some(beginning(text.as_bytes()).into())
    }

    /// An entry of so many bytes, for people.
    fn entry(&mut self, side: Side, index: u32, bytes: u64) -> Option<Rc<str>> {
        self.left = self.left.checked_sub(1)?;
        let text = match side {
            Side::Types => self.context.show(self.ty(index).ok()?).to_string(),
            Side::Attributes => {
                let attribute = self.attribute(index).ok()?;
                let data = &self.context[attribute];
                match (bytes > LONG, data.ty()) {
                    (false, _) => self.context.show(attribute).to_string(),
                    (true, Some(ty)) => format!("{} : {}", builtin_kind(data)?, self.context.show(ty)),
                    (true, None) => return None,
                }
            }
        };
        Some(preview(&text).into())
    }
}

/// What people call the kind of an attribute of `builtin`.
fn builtin_kind(data: &AttributeData) -> Option<&'static str> {
    Some(match data {
        AttributeData::Array(_) => "array",
        AttributeData::Dictionary(_) => "dictionary",
        AttributeData::String { .. } => "string",
        AttributeData::SymbolRef { .. } => "symbol reference",
        AttributeData::Type(_) => "type",
        AttributeData::Unit => "unit",
        AttributeData::Integer { .. } => "integer",
        AttributeData::Float { .. } => "float",
        AttributeData::DenseArray { .. } => "dense array",
        AttributeData::DenseElements { .. } => "dense elements",
        AttributeData::DenseStrings { .. } => "dense strings",
        AttributeData::DenseResource { .. } => "dense resource",
        AttributeData::Sparse { .. } => "sparse elements",
        AttributeData::Distinct { .. } => "distinct",
        AttributeData::AffineMap(_) => "affine map",
        AttributeData::IntegerSet(_) => "integer set",
        AttributeData::StridedLayout { .. } => "strided layout",
        AttributeData::UnknownLocation => "location: unknown",
        AttributeData::FileLocation { .. } => "location: file, line and column",
        AttributeData::NameLocation { .. } => "location: name",
        AttributeData::CallSiteLocation { .. } => "location: call site",
        AttributeData::FusedLocation { .. } => "location: fused",
        _ => return None,
    })
}
