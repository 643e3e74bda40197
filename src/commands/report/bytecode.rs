//! Where the bytes of a bytecode file are: by section, and in it by what stands there.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use mlirbc::bytecode::inspect::{Part, PartOf, walk_bytes};
use mlirbc::bytecode::{BytecodeFile, SectionId};
use mlirbc::{Error, Module, OpRef, Result};

use super::LARGEST;
use super::kinds::Entries;
use super::operations::Operations;
use super::page::{Cell, Table};
use super::tree::{Largest, Node};

/// So many symbols, strings and resources are told apart before the page is made: two files are compared by these.
pub(super) const KEPT: usize = 20_000;

/// The title of the table of the largest symbols.
pub(super) const LARGEST_SYMBOLS: &str = "Largest functions and other symbols";

/// So many owners of resources are told apart.
const OWNERS: usize = 1024;

/// What is known of a file, section by section.
struct Sizes<'m> {
    module: &'m Module,
    file: &'m BytecodeFile,
    /// Names of dialects, by number.
    dialects: Vec<Rc<str>>,
    header: u64,
    /// What holds the rest of each section.
    frames: HashMap<SectionId, u64>,
    string_sizes: u64,
    strings: Largest,
    /// Of the sections that have something of each dialect: bytes and how many.
    by_dialect: HashMap<(SectionId, u32), (u64, u64)>,
    entries: Entries,
    operations: Operations,
    /// Bytes of each blob of properties.
    blobs: Vec<u64>,
    resources: HashMap<(SectionId, Rc<str>), Largest>,
}

/// Sizes of what the file holds, and tables of what in it is of interest.
pub(super) fn sizes(module: &Module, file: &BytecodeFile) -> Result<(Vec<Node>, Vec<Table>)> {
    let context = module.context();
    let mut sizes = Sizes {
        module,
        file,
        dialects: file.dialect_names()?.into_iter().map(|name| context.text(name).into()).collect(),
        header: 0,
        frames: HashMap::new(),
        string_sizes: 0,
        strings: Largest::new(KEPT),
        by_dialect: HashMap::new(),
        entries: Entries::default(),
        operations: Operations::new(),
        blobs: Vec::new(),
        resources: HashMap::new(),
    };
    // The bytes and the module have the same operations in the same order.
    let mut walks = Vec::new();
    for op in module.operations()? {
        walks.push(op.walk()?);
    }
    let mut ops = walks.into_iter().flatten();
    walk_bytes(file, &mut |range, part| sizes.add(range, part, &mut ops))?;
    Ok(sizes.finish())
}

impl<'m> Sizes<'m> {
    fn add(&mut self, range: Range<u64>, part: &Part<'_>, ops: &mut dyn Iterator<Item = OpRef<'m>>) -> Result<()> {
        let bytes = range.end - range.start;
        let Some(section) = part.section else {
            self.header += bytes;
            return Ok(());
        };
        let data = || self.file.data().get(range.start as usize..range.end as usize).unwrap_or_default();
        let text = |bytes: &[u8]| super::preview(&String::from_utf8_lossy(bytes)).into();
        match part.of {
            PartOf::StringSize(_) => self.string_sizes += bytes,
            PartOf::String(_) => self.strings.add(bytes, || text(data().strip_suffix(&[0]).unwrap_or_default())),
            PartOf::Dialect(dialect) => self.of_dialect(section, dialect, bytes),
            PartOf::Attribute { dialect, .. } | PartOf::Type { dialect, .. }
                if section == SectionId::AttrTypeOffset =>
            {
                self.entries.add_size(part.of, bytes);
                self.of_dialect(section, dialect, bytes);
            }
            PartOf::Attribute { .. } | PartOf::Type { .. } => self.entries.add(part.of, data()),
            PartOf::Properties(_) => self.blobs.push(bytes),
            PartOf::Resource { owner, key, .. } => {
                let owner = if self.resources.len() < OWNERS { text(owner) } else { "other owners".into() };
                let largest = self.resources.entry((section, owner)).or_insert_with(|| Largest::new(KEPT));
                largest.add(bytes, || text(key));
            }
            PartOf::Operation { depth, properties, location, .. } => {
                let Some(op) = ops.next() else { return Err(Error::malformed("operations that no walk meets")) };
                self.operations.enter(op, depth, bytes, properties);
                self.operations.locations += location as u64;
            }
            PartOf::Regions(depth) => self.operations.regions(depth, bytes),
            _ => *self.frames.entry(section).or_default() += bytes,
        }
        Ok(())
    }

    fn of_dialect(&mut self, section: SectionId, dialect: u32, bytes: u64) {
        let tally = self.by_dialect.entry((section, dialect)).or_default();
        *tally = (tally.0 + bytes, tally.1 + 1);
    }

    fn finish(mut self) -> (Vec<Node>, Vec<Table>) {
        let mut symbols = self.operations.finish();
        let mut properties = self.operations.properties(&self.blobs);
        let dialect = |number: u32| self.dialects.get(number as usize).cloned().unwrap_or_else(|| "?".into());
        let (mut entries, locations, attributes) =
            self.entries.finish(self.file, self.module.context(), &self.dialects);
        let mut strings = self.strings.finish();
        let mut others: HashMap<SectionId, Vec<Node>> = HashMap::new();
        for ((section, owner), largest) in self.resources {
            others.entry(section).or_default().push(Node::of(owner, 1, largest.finish()));
        }
        for ((section, number), (bytes, count)) in self.by_dialect {
            others.entry(section).or_default().push(Node::leaf(dialect(number), bytes, count));
        }
        let resources = others.get(&SectionId::Resource).map_or(&[][..], Vec::as_slice);
        let all = self.file.data().len() as u64;
        let tables = vec![
            self.operations.by_dialect(),
            locations_table(locations, self.operations.locations, all),
            largest(LARGEST_SYMBOLS, &symbols, &|node| node.name.starts_with('@')),
            attributes,
            largest("Largest resources", resources, &|node| node.children.is_empty()),
        ];
        let mut nodes = vec![Node::leaf("header", self.header, 1)];
        for (id, _) in self.file.sections() {
            let mut children: Vec<Node> = match id {
                SectionId::Ir => std::mem::take(&mut symbols),
                SectionId::AttrType => std::mem::take(&mut entries),
                SectionId::String => {
                    let texts = Node::of("texts", 1, std::mem::take(&mut strings));
                    vec![Node::leaf("sizes", self.string_sizes, 1), texts]
                }
                SectionId::Properties => std::mem::take(&mut properties),
                _ => others.remove(&id).unwrap_or_default(),
            };
            // What is made of a map comes in any order.
            children.sort_by(|a, b| a.name.cmp(&b.name));
            children.extend(self.frames.remove(&id).map(|bytes| Node::leaf("id, length and counts", bytes, 1)));
            nodes.push(Node::of(format!("{} section", id.name()), 1, super::tree::by_name(children)));
        }
        (nodes, tables)
    }
}

/// What of the file goes if locations do.
fn locations_table(entries: u64, references: u64, all: u64) -> Table {
    let row = |what: &str, bytes| vec![Cell::Name(what.into()), Cell::Bytes(bytes), Cell::Share(bytes, all)];
    Table {
        title: "Locations",
        heads: &["what", "bytes", "of the file"],
        rows: vec![
            row("attributes that are locations, with their sizes", entries),
            row("where operations refer to them", references),
            row("together", entries + references),
        ],
    }
}

/// The largest of the nodes below these that are `wanted`, by their paths.
pub(super) fn largest(title: &'static str, nodes: &[Node], wanted: &dyn Fn(&Node) -> bool) -> Table {
    let mut found = Vec::new();
    let mut pending: Vec<(String, &Node)> = nodes.iter().map(|node| (node.name.to_string(), node)).collect();
    while let Some((path, node)) = pending.pop() {
        let children = node.children.iter().filter(|child| !child.is_rest && !node.is_rest);
        pending.extend(children.map(|child| (format!("{path} › {}", child.name), child)));
        if wanted(node) && !node.is_rest {
            let mut leaves = 0;
            node.visit(&mut |part| leaves += if part.children.is_empty() { part.count } else { 0 });
            found.push((node.bytes, path, leaves));
        }
    }
    found.sort_by(|a, b| (Reverse(a.0), &a.1).cmp(&(Reverse(b.0), &b.1)));
    found.truncate(LARGEST);
    let rows = found
        .into_iter()
        .map(|(bytes, path, leaves)| vec![Cell::Name(path.into()), Cell::Number(leaves), Cell::Bytes(bytes)]);
    Table { title, heads: &["name", "things in it", "bytes"], rows: rows.collect() }
}
