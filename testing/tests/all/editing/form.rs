//! A module as lines that do not depend on the numbers that its parts have: what is written must come back as the same.

use std::collections::BTreeMap;
use std::fmt::Write;

use mlirbc_ir::text::{print_attribute, print_type};
use mlirbc_ir::{AttributeRef, BodyId, Module, OpId, RegionId, Value};

use crate::editing::model::Tree;

/// The bodies of a module, as trees.
pub type Trees = BTreeMap<BodyId, Tree>;

/// Every body of the module, as it is.
pub fn trees_of(module: &Module) -> Trees {
    module.load_all().expect("well-formed");
    module.bodies().map(|(id, body)| (id, Tree::of(body))).collect()
}

/// The module, of which `trees` says what each body holds, those of the operations in it included. `orders`: the order of
/// uses counts.
pub fn lines(module: &Module, trees: &Trees, orders: bool) -> String {
    let (numbers, values) = (BTreeMap::new(), BTreeMap::new());
    let mut lines = Lines { module, trees, orders, numbers, values, text: String::new() };
    let top = BodyId::from_index(Module::TOP);
    let roots = &trees[&top].roots;
    roots.iter().for_each(|&root| lines.number(top, root));
    roots.iter().for_each(|&root| lines.region(top, root));
    lines.text
}

struct Lines<'m> {
    module: &'m Module,
    trees: &'m Trees,
    orders: bool,
    /// Numbers in the order of a walk.
    numbers: BTreeMap<(BodyId, OpId), usize>,
    values: BTreeMap<(BodyId, Value), usize>,
    text: String,
}

impl<'m> Lines<'m> {
    /// The regions of an operation, wherever they are.
    fn regions(&self, body: BodyId, op: OpId) -> (BodyId, &'m [RegionId]) {
        let op = &self.trees[&body].ops[&op];
        match op.child {
            Some(child) => (child, &self.trees[&child].roots),
            None => (body, &op.regions),
        }
    }

    fn number(&mut self, body: BodyId, region: RegionId) {
        let tree = &self.trees[&body];
        for block in &tree.regions[&region].blocks {
            for argument in &tree.blocks[block].arguments {
                let number = self.values.len();
                self.values.insert((body, argument.0), number);
            }
            for &op in &tree.blocks[block].ops {
                let number = self.numbers.len();
                self.numbers.insert((body, op), number);
                for &result in &tree.ops[&op].results {
                    let number = self.values.len();
                    self.values.insert((body, result), number);
                }
                let (inner, regions) = self.regions(body, op);
                regions.iter().for_each(|&region| self.number(inner, region));
            }
        }
    }

    fn region(&mut self, body: BodyId, region: RegionId) {
        let tree = &self.trees[&body];
        let blocks = &tree.regions[&region].blocks;
        for block in blocks {
            let known = &tree.blocks[block];
            for &(argument, location) in &known.arguments {
                self.value(body, argument);
                let location = self.location(location);
                let _ = write!(self.text, " at {location}");
            }
            // A file without outermost operations is read as one with an empty outermost block.
            if !(body.index() == Module::TOP && tree.roots.contains(&region) && known.ops.is_empty()) {
                let _ = writeln!(self.text, "\nblock");
            }
            for &op in &known.ops {
                let shown = &tree.ops[&op];
                let context = self.module.context();
                let name = String::from_utf8_lossy(context.operation_text(shown.name));
                let operands: Vec<usize> = shown.operands.iter().map(|&value| self.values[&(body, value)]).collect();
                let places = shown.successors.iter().map(|to| blocks.iter().position(|block| block == to));
                let _ = write!(
                    self.text,
                    "{name} {} {operands:?} {:?}",
                    context.is_registered(shown.name),
                    places.collect::<Vec<_>>()
                );
                shown.results.iter().for_each(|&result| self.value(body, result));
                let location = self.location(Some(shown.location));
                let (attributes, properties) = self.dictionaries(body, op);
                let _ = writeln!(self.text, " {attributes} {properties} at {location}");
                let (inner, regions) = self.regions(body, op);
                let _ = writeln!(self.text, "{} regions", regions.len().max(shown.isolated));
                // Isolated regions that are all empty have no body, or one with nothing in it.
                let is_empty = |region: &RegionId| self.trees[&inner].regions[region].blocks.is_empty();
                if !regions.iter().all(is_empty) {
                    regions.iter().for_each(|&region| self.region(inner, region));
                }
            }
        }
        let _ = writeln!(self.text, "end");
    }

    /// A value where it is defined: its type, and its uses in their order.
    fn value(&mut self, body: BodyId, value: Value) {
        let tree = &self.trees[&body];
        let ty = self.module.ty(tree.types[&value]).expect("a type");
        let ty = print_type(self.module.context(), ty).expect("a type");
        // Detached operations are not written.
        let uses = tree.uses[&value].iter().filter_map(|use_| Some((self.numbers.get(&(body, use_.0))?, use_.1)));
        let mut uses: Vec<_> = uses.collect();
        if !self.orders {
            uses.sort_unstable();
        }
        let _ = write!(self.text, " {}: {ty} {uses:?}", self.values[&(body, value)]);
    }

    fn location(&self, location: Option<AttributeRef>) -> String {
        let context = self.module.context();
        let location = match location {
            Some(location) => self.module.location(location).expect("a location").attribute(context),
            None => context.unknown_location(),
        };
        print_attribute(context, location).expect("a location")
    }

    fn dictionaries(&self, body: BodyId, op: OpId) -> (String, String) {
        let context = self.module.context();
        let known = &self.trees[&body].ops[&op];
        let attributes = known.attributes.map(|it| self.module.dictionary(it).expect("attributes"));
        let properties = known.properties.map(|it| self.module.properties(known.name, it).expect("properties"));
        let split = context.split_attributes(known.name, attributes, properties).expect("attributes");
        // An empty dictionary is none.
        let shown = |dictionary: Option<_>| {
            let text = dictionary.map_or_else(String::new, |it| print_attribute(context, it).expect("a dictionary"));
            if text == "{}" { String::new() } else { text }
        };
        (shown(split.0), shown(split.1))
    }
}
