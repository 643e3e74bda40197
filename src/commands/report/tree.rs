//! Where the bytes of a file are, as a tree: what is in a node adds up to it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

/// Something that takes bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) name: Rc<str>,
    pub(super) bytes: u64,
    /// How many things of that name there are.
    pub(super) count: u64,
    /// Whether it stands for many that are too small to be named.
    pub(super) is_rest: bool,
    /// What it is made of, the largest first and what stands for the others last; nothing where it has no parts.
    pub(super) children: Vec<Node>,
}

impl Node {
    pub(super) fn leaf(name: impl Into<Rc<str>>, bytes: u64, count: u64) -> Self {
        Node { name: name.into(), bytes, count, is_rest: false, children: Vec::new() }
    }

    /// What these are together. Those without bytes are left out.
    pub(super) fn of(name: impl Into<Rc<str>>, count: u64, mut children: Vec<Node>) -> Self {
        children.retain(|child| child.bytes > 0);
        children.sort_by_key(|child| (child.is_rest, Reverse(child.bytes)));
        let bytes = children.iter().map(|child| child.bytes).sum();
        Node { name: name.into(), bytes, count, is_rest: false, children }
    }

    /// One for many, with what is in them by its name.
    pub(super) fn rest(nodes: Vec<Node>) -> Self {
        let count = nodes.iter().map(|node| if node.is_rest { node.count } else { 1 }).sum();
        let name = if count == 1 { "1 other".to_owned() } else { format!("{} others", super::page::thousands(count)) };
        Node { is_rest: true, ..Self::merged(name.into(), count, nodes) }
    }

    fn merged(name: Rc<str>, count: u64, nodes: Vec<Node>) -> Self {
        let bytes = nodes.iter().map(|node| node.bytes).sum();
        let children = by_name(nodes.into_iter().flat_map(|node| node.children).collect());
        let mut node = Node::of(name, count, children);
        // Some have no parts.
        if !node.children.is_empty() && node.bytes < bytes {
            node.children.push(Node { is_rest: true, ..Node::leaf("not told apart", bytes - node.bytes, 1) });
        }
        Node { bytes, ..node }
    }

    /// Leaves no more than so many children, at every depth.
    fn limit(&mut self, most: usize) {
        if self.children.len() > most {
            let others = self.children.split_off(most.saturating_sub(1));
            self.children.push(Node::rest(others));
        }
        self.children.iter_mut().for_each(|child| child.limit(most));
    }

    /// Leaves no more than `most` children in a node, and about `all` nodes: the parts of small ones are not told apart.
    pub(super) fn trim(&mut self, most: usize, all: usize) {
        self.limit(most);
        let mut parents = Vec::new();
        self.visit(&mut |node| parents.push((node.bytes, node.children.len())));
        parents.retain(|parent| parent.1 > 0);
        parents.sort_by_key(|parent| Reverse(parent.0));
        let mut left = all;
        // A node comes after what it is part of, which is no smaller.
        let kept = parents.iter().skip(1).take_while(|parent| {
            left = left.saturating_sub(parent.1);
            left > 0
        });
        let kept = kept.count() + 1;
        if let Some(&(bytes, _)) = parents.get(kept) {
            self.children.iter_mut().for_each(|child| child.close(bytes));
        }
    }

    fn close(&mut self, bytes: u64) {
        match self.bytes <= bytes {
            true => self.children.clear(),
            false => self.children.iter_mut().for_each(|child| child.close(bytes)),
        }
    }

    /// Calls `each` with every node, parents first.
    pub(super) fn visit<'n>(&'n self, each: &mut impl FnMut(&'n Node)) {
        each(self);
        self.children.iter().for_each(|child| child.visit(each));
    }
}

/// One node for all of the same name, in the order in which names are first met.
pub(super) fn by_name(nodes: Vec<Node>) -> Vec<Node> {
    let mut places: HashMap<(Rc<str>, bool), usize> = HashMap::new();
    let mut groups: Vec<Vec<Node>> = Vec::new();
    for node in nodes {
        // Those that stand for others differ in name only by how many they are.
        let key = if node.is_rest { ("".into(), true) } else { (node.name.clone(), false) };
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    let merged = |mut group: Vec<Node>| match group.first() {
        Some(_) if group.len() == 1 => group.remove(0),
        Some(first) if first.is_rest => Node::rest(group),
        Some(first) => {
            let (name, count) = (first.name.clone(), group.iter().map(|node| node.count).sum());
            Node::merged(name, count, group)
        }
        None => Node::leaf("", 0, 0),
    };
    groups.into_iter().map(merged).collect()
}

/// The largest of many things, and what the others are together: takes no more room for more of them.
#[derive(Debug, Default)]
pub(super) struct Largest {
    most: usize,
    kept: Vec<Node>,
    rest: Vec<Node>,
    /// What is no larger is none of the largest.
    floor: u64,
    /// How many were counted, and their bytes, without being made into nodes.
    small: (u64, u64),
}

impl Largest {
    pub(super) fn new(most: usize) -> Self {
        Largest { most, ..Largest::default() }
    }

    /// Adds one thing without parts, of which `name` is asked where it may be one of the largest.
    pub(super) fn add(&mut self, bytes: u64, name: impl FnOnce() -> Rc<str>) {
        if bytes > self.floor {
            return self.push(Node::leaf(name(), bytes, 1));
        }
        self.small = (self.small.0 + 1, self.small.1 + bytes);
    }

    pub(super) fn push(&mut self, node: Node) {
        self.kept.push(node);
        if self.kept.len() > 2 * self.most {
            self.sort_out();
        }
    }

    fn sort_out(&mut self) {
        self.kept.sort_by_key(|node| Reverse(node.bytes));
        if self.kept.len() <= self.most {
            return;
        }
        let smaller = self.kept.split_off(self.most);
        self.floor = self.kept.last().map_or(0, |node| node.bytes);
        self.rest.extend(smaller);
        self.rest = vec![Node::rest(std::mem::take(&mut self.rest))];
    }

    /// The largest, and what stands for the others.
    pub(super) fn finish(mut self) -> Vec<Node> {
        self.sort_out();
        let (count, bytes) = self.small;
        if count > 0 {
            self.rest.push(Node { is_rest: true, ..Node::leaf("", bytes, count) });
        }
        if !self.rest.is_empty() {
            self.kept.push(Node::rest(self.rest));
        }
        self.kept
    }
}
