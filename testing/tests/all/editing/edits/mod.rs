//! Random edits, each made in a body and in the tree beside it: both must allow it, or both refuse it.

mod between;
mod choose;
mod paste;
mod rewriter;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mlirbc_ir::{
    AttributeData, AttributeRef, BodyId, Context, Module, OperationName, OperationSpec, RegionId, Result, TypeRef,
    Value,
};

use crate::editing::form::Trees;
use crate::editing::model::{Op, Tree};

/// Numbers that look random, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 8) as usize % end
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.below(list.len())]) }
    }

    pub fn key<K: Copy + Ord, V>(&mut self, map: &BTreeMap<K, V>) -> Option<K> {
        if map.is_empty() { None } else { map.keys().nth(self.below(map.len())).copied() }
    }
}

/// What new operations are made of.
struct Stock {
    names: [OperationName; 3],
    isolated: OperationName,
    types: [TypeRef; 3],
    locations: [AttributeRef; 3],
    /// Discardable attributes, and properties.
    dictionaries: [AttributeRef; 2],
    properties: [AttributeRef; 2],
}

impl Stock {
    fn new(context: &Context) -> Self {
        let place = |line: u32| {
            let file = context.identifier("edits.mlir");
            let data = AttributeData::FileLocation { file, start: (line, 1), end: (line, 1) };
            AttributeRef::from(context.attribute(data))
        };
        let dictionary = |name: &str, number: i64| {
            let entry = (context.identifier(name), context.integer(32, number));
            AttributeRef::from(context.dictionary(vec![entry]).expect("one entry"))
        };
        Stock {
            names: ["edit.one", "edit.two", "other.three"].map(|name| context.operation_name(name, false)),
            isolated: context.operation_name("builtin.module", true),
            types: [1, 8, 64].map(|width| context.integer_type(width).into()),
            locations: [place(1), place(70_000), context.unknown_location().into()],
            dictionaries: [1, 2].map(|number| dictionary("test.note", number)),
            properties: [1, 2].map(|number| dictionary("member", number)),
        }
    }
}

/// How often each kind of edit was made, and how often refused.
pub type Tally = BTreeMap<&'static str, (usize, usize)>;

/// A module being edited.
pub struct Run {
    pub module: Module,
    context: Context,
    /// The bodies that were entered, as they must be.
    pub trees: Trees,
    pub random: Random,
    pub tally: Tally,
    /// Whether it is written in a version that has no properties: an operation without definition had better have none.
    pub old: bool,
    stock: Stock,
    /// Whether the body of the outermost operations is edited, of which bytecode holds one block without arguments.
    top: bool,
    /// Bodies that are being edited by rewriters, each in the one before.
    editing: Vec<BodyId>,
    /// Bodies that the rewriter made that is at work.
    made: BTreeSet<BodyId>,
    /// How many edits were made since this was last set to none.
    done: usize,
    /// Another module of the context, all read, to copy from.
    other: Option<Rc<Module>>,
}

/// The larger it is, the more rarely an id is one that the body does not have.
const SANE: usize = 60;

impl Run {
    pub fn new(module: Module, other: Option<Module>, random: Random) -> Self {
        let (context, stock) = (module.context().clone(), Stock::new(module.context()));
        Run {
            module,
            context,
            trees: Trees::new(),
            random,
            tally: Tally::new(),
            old: false,
            stock,
            top: false,
            editing: Vec::new(),
            made: BTreeSet::new(),
            done: 0,
            other: other.map(Rc::new),
        }
    }

    /// Enters a body that was not edited.
    pub fn enter(&mut self, id: BodyId) {
        if !self.trees.contains_key(&id) {
            let tree = Tree::of(self.module.body(id).expect("well-formed"));
            self.trees.insert(id, tree);
        }
    }

    /// The bodies that operations lead to, as far as they were entered or stand in one that was.
    pub fn reachable(&self) -> Vec<BodyId> {
        let mut ids = vec![BodyId::from_index(Module::TOP)];
        let mut at = 0;
        while let Some(id) = ids.get(at) {
            if let Some(tree) = self.trees.get(id) {
                ids.extend(tree.ops.values().filter_map(|op| op.child));
            }
            at += 1;
        }
        ids
    }

    /// Makes one edit, or is refused one, and compares the body with the tree.
    pub fn edit(&mut self) {
        let reachable = self.reachable();
        let mut id = reachable[self.random.below(reachable.len())];
        self.enter(id);
        // Where there is little, most edits have nothing to do.
        if self.trees[&id].types.len() < 4 && !self.random.one_in(3) {
            id = reachable[self.random.below(reachable.len())];
            self.enter(id);
        }
        self.top = id.index() == Module::TOP;
        if self.random.one_in(12) {
            self.compact(id);
        }
        if self.random.one_in(6) {
            self.move_between(id);
        } else {
            self.rewrite(id);
        }
        self.trees[&id].check(self.module.body(id).expect("a body of the module"));
    }

    /// Frees the records of what was erased: what is left gets other numbers.
    fn compact(&mut self, id: BodyId) {
        let tree = self.trees.get_mut(&id).expect("entered");
        let (name, location, ty) = (self.stock.names[0], self.stock.locations[0], self.stock.types[0]);
        // More that are gone than are there, and many.
        let count = 350 + tree.ops.len() + tree.types.len();
        let made = self.module.rewrite(id, |rw| {
            for _ in 0..count {
                let op = rw.create(&OperationSpec { results: &[ty, ty], ..OperationSpec::new(name, location) })?;
                rw.erase(op)?;
                (tree.made[0], tree.made[3]) = (tree.made[0] + 1, tree.made[3] + 2);
            }
            Ok(())
        });
        made.expect("operations");
        tree.check(self.module.body(id).expect("a body of the module"));
        self.module.compact();
        let ids: Vec<BodyId> = self.trees.keys().copied().collect();
        for id in ids {
            let body = self.module.body(id).expect("a body of the module");
            let tree = self.trees.get_mut(&id).expect("entered");
            if [body.operation_count(), body.block_count(), body.region_count(), body.value_count()] == tree.made {
                continue;
            }
            tree.compact();
            tree.check(body);
            for (&op, known) in &tree.ops {
                let owner = known.child.map(|child| self.module.owner(child));
                assert!(owner.is_none_or(|owner| owner == Some((id, op))), "another owner");
            }
            self.note("compact", true, Ok(()));
        }
    }

    /// Whether the outermost region had better stay as it is.
    fn spares(&mut self, tree: &Tree, region: RegionId) -> bool {
        self.top && tree.roots.contains(&region) && !self.random.one_in(20)
    }

    /// Makes operations use what they can use, and go on to where they can go on to.
    pub fn repair(&mut self, id: BodyId) {
        let mut tree = self.trees.remove(&id).expect("entered");
        let top = id.index() == Module::TOP;
        let repaired = self.module.rewrite(id, |rw| {
            for op in tree.preorder() {
                let (around, known) = (tree.around(op), tree.ops[&op].clone());
                let usable = |region: &RegionId| !(top && tree.roots.contains(region));
                let regions = around.iter().copied().filter(usable).collect::<Vec<_>>();
                let values: Vec<Value> = tree.values_in(&regions);
                let fits = |value: &Value| values.contains(value);
                if !known.operands.iter().all(fits) {
                    let fitting: Vec<Value> = known.operands.iter().copied().filter(fits).collect();
                    rw.set_operands(op, &fitting)?;
                    assert!(tree.set_operands(op, &fitting));
                }
                let blocks = tree.regions[&around[0]].blocks.clone();
                for (at, _) in known.successors.iter().enumerate().filter(|to| !blocks.contains(to.1)) {
                    let instead = blocks[at % blocks.len()];
                    rw.set_successor(op, at, instead)?;
                    assert!(tree.set_successor(op, at, instead));
                }
            }
            Ok(())
        });
        repaired.expect("operands and successors of the body");
        tree.check(self.module.body(id).expect("a body of the module"));
        self.trees.insert(id, tree);
    }

    /// Whether attributes of the definition may be among those of the operation, as in files that keep them in one dictionary and
    /// in copies of what was read from such a file.
    fn has_inherent(&self, op: &Op) -> bool {
        let Some(attributes) = op.attributes else { return false };
        attributes.in_context().is_none_or(|all| {
            let split = self.context.split_attributes(op.name, Some(all), None).expect("a dictionary, or opaque");
            split.0 != Some(all)
        })
    }

    fn note<T>(&mut self, kind: &'static str, allowed: bool, result: Result<T>) -> Option<T> {
        let tally = self.tally.entry(kind).or_default();
        match result {
            Ok(done) => {
                assert!(allowed, "{kind}: must be refused");
                tally.0 += 1;
                self.done += 1;
                Some(done)
            }
            Err(error) => {
                assert!(!allowed, "{kind}: refused: {error}");
                assert_eq!(error.kind(), mlirbc_ir::ErrorKind::Misuse, "{kind}: {error}");
                tally.1 += 1;
                None
            }
        }
    }
}
