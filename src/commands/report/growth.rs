//! What grew from one file to another: the same paths in both trees.

use std::collections::HashMap;
use std::rc::Rc;

use super::tree::Node;

/// What has become of something.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Names from the outermost on.
    pub(super) path: Vec<Rc<str>>,
    pub(super) before: u64,
    pub(super) after: u64,
    /// Whether nothing smaller in it is compared.
    pub(super) is_leaf: bool,
}

impl Change {
    pub(super) fn difference(&self) -> i128 {
        i128::from(self.after) - i128::from(self.before)
    }
}

/// Everything whose size differs, what holds others before it.
pub(super) fn changes(before: &Node, after: &Node) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(&mut Vec::new(), Some(before), Some(after), &mut changes);
    changes
}

fn compare(path: &mut Vec<Rc<str>>, before: Option<&Node>, after: Option<&Node>, changes: &mut Vec<Change>) {
    let bytes = |node: Option<&Node>| node.map_or(0, |node| node.bytes);
    let pairs = pairs(before, after);
    if bytes(before) != bytes(after) {
        let (before, after, is_leaf) = (bytes(before), bytes(after), pairs.is_empty());
        changes.push(Change { path: path.clone(), before, after, is_leaf });
    }
    for (name, before, after) in pairs {
        path.push(name);
        compare(path, before.as_ref(), after.as_ref(), changes);
        path.pop();
    }
}

type Pair<'n> = (Rc<str>, Option<Node>, Option<Node>);

/// The children of both by name. What only one of them names may be among the others of the other: it is compared with these then.
fn pairs<'n>(before: Option<&'n Node>, after: Option<&'n Node>) -> Vec<Pair<'n>> {
    let children = |node: Option<&'n Node>| node.map_or(&[][..], |node| &node.children);
    let sides = [children(before), children(after)];
    let has_rest = sides.map(|nodes| nodes.iter().any(|node| node.is_rest));
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let mut places: HashMap<Rc<str>, usize> = HashMap::new();
    let mut rest: [Vec<Node>; 2] = Default::default();
    let named = sides.map(|nodes| nodes.iter().map(|node| &*node.name).collect::<std::collections::HashSet<&str>>());
    for (side, nodes) in sides.into_iter().enumerate() {
        for node in super::tree::by_name(nodes.to_vec()) {
            let other = 1 - side;
            if node.is_rest || has_rest[other] && !named[other].contains(&*node.name) {
                rest[side].push(node);
                continue;
            }
            let place = *places.entry(node.name.clone()).or_insert_with(|| {
                pairs.push((node.name.clone(), None, None));
                pairs.len() - 1
            });
            let pair = &mut pairs[place];
            *(if side == 0 { &mut pair.1 } else { &mut pair.2 }) = Some(node);
        }
    }
    let [before, after] = rest.map(|nodes| (!nodes.is_empty()).then(|| Node::rest(nodes)));
    if before.is_some() || after.is_some() {
        pairs.push(("others".into(), before, after));
    }
    pairs
}
