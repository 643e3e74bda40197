//! The bytes of operations: by symbol, and in each by name.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use mlirbc::OpRef;
use mlirbc::ir::OperationName;
use mlirbc::ir::ods::Traits;

use super::bytecode::KEPT;
use super::page::{Cell, Table};
use super::tree::{Largest, Node};

/// Symbols that stand in so many others are not told apart.
const NESTED: usize = 8;

/// The attribute that names a symbol.
const SYMBOL: &str = "sym_name";

/// Bytes, and how many things take them.
type Tally = (u64, u64);

/// The operations of a file, as they come.
pub(super) struct Operations {
    kinds: Vec<Kind>,
    numbers: HashMap<OperationName, u32>,
    /// The kinds of the operations around what comes next.
    path: Vec<u32>,
    /// The symbols around it, the first of which is the section.
    open: Vec<Open>,
    /// Which operations have each blob of properties.
    users: HashMap<u32, User>,
    /// Bytes that refer to locations.
    pub(super) locations: u64,
}

/// Operations of one name.
struct Kind {
    name: Rc<str>,
    may_be_symbol: bool,
    all: Tally,
}

/// A symbol that is not over yet.
struct Open {
    name: Rc<str>,
    /// How many operations are around it.
    depth: usize,
    kinds: HashMap<u32, Tally>,
    inside: Largest,
}

impl Open {
    fn new(name: Rc<str>, depth: usize) -> Self {
        Open { name, depth, kinds: HashMap::new(), inside: Largest::new(KEPT) }
    }

    fn finish(self, kinds: &[Kind]) -> Node {
        let name = |kind: u32| kinds.get(kind as usize).map_or_else(|| "?".into(), |kind| kind.name.clone());
        let mut nodes: Vec<Node> =
            self.kinds.into_iter().map(|(kind, (bytes, count))| Node::leaf(name(kind), bytes, count)).collect();
        nodes.sort_by(|a, b| a.name.cmp(&b.name));
        nodes.extend(super::tree::by_name(self.inside.finish()));
        Node::of(self.name, 1, nodes)
    }
}

/// Who has a blob.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum User {
    #[default]
    Nobody,
    Kind(u32),
    Several,
}

impl Operations {
    pub(super) fn new() -> Self {
        let open = vec![Open::new("".into(), 0)];
        let (kinds, numbers, path, users) = Default::default();
        Operations { kinds, numbers, path, open, users, locations: 0 }
    }

    /// An operation with so many others around it.
    pub(super) fn enter(&mut self, op: OpRef<'_>, depth: usize, bytes: u64, properties: Option<u32>) {
        self.close(|open| open.depth >= depth);
        let number = self.kind(op);
        self.path.truncate(depth);
        self.path.push(number);
        let Some(kind) = self.kinds.get_mut(number as usize) else { return };
        kind.all = (kind.all.0 + bytes, kind.all.1 + 1);
        if kind.may_be_symbol
            && self.open.len() <= NESTED
            && let Some(name) = super::super::symbol::defined(op)
        {
            self.open.push(Open::new(super::preview(&format!("@{name}")).into(), depth));
        }
        self.count(number, bytes, 1);
        if let Some(blob) = properties {
            let user = self.users.entry(blob).or_insert(User::Kind(number));
            if *user != User::Kind(number) {
                *user = User::Several;
            }
        }
    }

    /// What of the regions of the operation with so many others around it is no operation.
    pub(super) fn regions(&mut self, depth: usize, bytes: u64) {
        self.close(|open| open.depth > depth);
        self.path.truncate(depth + 1);
        if let Some(&number) = self.path.last() {
            if let Some(kind) = self.kinds.get_mut(number as usize) {
                kind.all.0 += bytes;
            }
            self.count(number, bytes, 0);
        }
    }

    fn count(&mut self, kind: u32, bytes: u64, count: u64) {
        if let Some(open) = self.open.last_mut() {
            let tally = open.kinds.entry(kind).or_default();
            *tally = (tally.0 + bytes, tally.1 + count);
        }
    }

    fn close(&mut self, is_over: impl Fn(&Open) -> bool) {
        while self.open.len() > 1 && self.open.last().is_some_and(&is_over) {
            if let (Some(done), Some(around)) = (self.open.pop(), self.open.last_mut()) {
                around.inside.push(done.finish(&self.kinds));
            }
        }
    }

    fn kind(&mut self, op: OpRef<'_>) -> u32 {
        *self.numbers.entry(op.operation_name()).or_insert_with(|| {
            let may_be_symbol = op.definition().is_none_or(|definition| {
                op.has_trait(Traits::SYMBOL) || definition.properties.iter().any(|property| property.name == SYMBOL)
            });
            let name = super::preview(&op.name()).into();
            self.kinds.push(Kind { name, may_be_symbol, all: (0, 0) });
            (self.kinds.len() - 1) as u32
        })
    }

    /// What the section of operations holds.
    pub(super) fn finish(&mut self) -> Vec<Node> {
        self.close(|_| true);
        self.open.pop().map_or_else(Vec::new, |section| section.finish(&self.kinds).children)
    }

    /// Blobs of properties of these sizes, by the operations that have them.
    pub(super) fn properties(&self, blobs: &[u64]) -> Vec<Node> {
        let mut users: BTreeMap<User, Tally> = BTreeMap::new();
        for (blob, &bytes) in (0..).zip(blobs) {
            let tally = users.entry(self.users.get(&blob).copied().unwrap_or_default()).or_default();
            *tally = (tally.0 + bytes, tally.1 + 1);
        }
        let name = |user: User| match user {
            User::Nobody => "of no operation".into(),
            User::Several => "of operations of several names".into(),
            User::Kind(kind) => self.kinds.get(kind as usize).map_or_else(|| "?".into(), |kind| kind.name.clone()),
        };
        users.into_iter().map(|(user, (bytes, count))| Node::leaf(name(user), bytes, count)).collect()
    }

    /// How many operations of each dialect there are, and what they take.
    pub(super) fn by_dialect(&self) -> Table {
        let mut dialects: BTreeMap<&str, Tally> = BTreeMap::new();
        for kind in &self.kinds {
            let tally = dialects.entry(kind.name.split('.').next().unwrap_or_default()).or_default();
            *tally = (tally.0 + kind.all.0, tally.1 + kind.all.1);
        }
        let mut dialects: Vec<(&str, Tally)> = dialects.into_iter().collect();
        dialects.sort_by_key(|dialect| Reverse(dialect.1));
        dialects.truncate(super::LARGEST);
        let all = self.kinds.iter().map(|kind| kind.all.0).sum();
        let rows = dialects.into_iter().map(|(name, (bytes, count))| {
            vec![Cell::Name(name.into()), Cell::Number(count), Cell::Bytes(bytes), Cell::Share(bytes, all)]
        });
        let heads = &["dialect", "operations", "bytes", "of all operations"];
        Table { title: "Operations by dialect", heads, rows: rows.collect() }
    }
}
