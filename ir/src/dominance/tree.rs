//! Immediate dominators of a graph, after T. Lengauer and R. E. Tarjan, "A fast algorithm for finding dominators in a
//! flowgraph" (1979), in its simple form: time grows with the edges times the logarithm of the nodes, whatever the graph.

/// No node.
const NONE: u32 = u32::MAX;

/// A graph whose nodes are numbers from 0, of which 0 is the one to begin at.
#[derive(Default)]
pub(super) struct Graph {
    /// By node, where its edges begin in `targets`; one more than there are nodes.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// Adds a node, with the nodes that its edges lead to.
    pub(super) fn push(&mut self, targets: impl Iterator<Item = u32>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.targets.extend(targets);
        self.starts.push(self.targets.len() as u32);
    }

    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn edges(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// By node: the last one that every way from node 0 to it goes through. `Err` of whether the node is reached at all for
    /// those without: node 0, and those that no way leads to.
    pub(super) fn immediate_dominators(&self) -> Vec<Result<u32, bool>> {
        let mut dominators = vec![Err(false); self.len()];
        if self.len() == 0 {
            return dominators;
        }
        dominators[0] = Err(true);
        let walk = Walk::new(self);
        for (place, &of) in walk.dominators(self).iter().enumerate().skip(1) {
            dominators[walk.order[place] as usize] = Ok(walk.order[of as usize]);
        }
        dominators
    }
}

/// The nodes that are reached, in the order of a walk in depth. What follows calls them by their places in it.
struct Walk {
    order: Vec<u32>,
    /// By node.
    places: Vec<u32>,
    /// By place: that of the node from which the walk came.
    parents: Vec<u32>,
}

impl Walk {
    fn new(graph: &Graph) -> Self {
        let mut walk = Walk { order: Vec::new(), places: vec![NONE; graph.len()], parents: Vec::new() };
        walk.reach(0, 0);
        // The nodes that the walk is in, each with how many of its edges were gone along.
        let mut open = vec![(0u32, 0usize)];
        while let Some((node, gone)) = open.last_mut() {
            let Some(&target) = graph.edges(*node).get(*gone) else {
                open.pop();
                continue;
            };
            *gone += 1;
            if walk.places[target as usize] == NONE {
                walk.reach(target, walk.places[*node as usize]);
                open.push((target, 0));
            }
        }
        walk
    }

    fn reach(&mut self, node: u32, parent: u32) {
        self.places[node as usize] = self.order.len() as u32;
        self.order.push(node);
        self.parents.push(parent);
    }

    /// By place: from which places edges lead there.
    fn sources(&self, graph: &Graph) -> Graph {
        let mut starts = vec![0u32; self.order.len() + 1];
        let edges = || {
            let from = self.order.iter().zip(0u32..);
            from.flat_map(|(&node, from)| graph.edges(node).iter().map(move |&to| (from, self.places[to as usize])))
        };
        for (_, to) in edges() {
            starts[to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; starts.last().map_or(0, |&end| end as usize)];
        for (from, to) in edges() {
            targets[next[to as usize] as usize] = from;
            next[to as usize] += 1;
        }
        Graph { starts, targets }
    }

    /// By place: that of the immediate dominator; of the first place, 0.
    fn dominators(&self, graph: &Graph) -> Vec<u32> {
        let count = self.order.len() as u32;
        let sources = self.sources(graph);
        let mut forest = Forest::new(count);
        let mut dominators = vec![0; count as usize];
        // Lists of places by their semidominator: the first of each list, and the next of each place.
        let (mut first, mut next) = (vec![NONE; count as usize], vec![NONE; count as usize]);
        for place in (1..count).rev() {
            for &source in sources.edges(place) {
                let least = forest.least(source);
                forest.semi[place as usize] = forest.semi[place as usize].min(forest.semi[least as usize]);
            }
            let semi = forest.semi[place as usize] as usize;
            (next[place as usize], first[semi]) = (first[semi], place);
            let parent = self.parents[place as usize];
            forest.ancestor[place as usize] = parent;
            let mut waiting = std::mem::replace(&mut first[parent as usize], NONE);
            while waiting != NONE {
                let least = forest.least(waiting);
                let earlier = forest.semi[least as usize] < forest.semi[waiting as usize];
                dominators[waiting as usize] = if earlier { least } else { parent };
                waiting = next[waiting as usize];
            }
        }
        for place in 1..count as usize {
            if dominators[place] != forest.semi[place] {
                dominators[place] = dominators[dominators[place] as usize];
            }
        }
        dominators
    }
}

/// The part of the walk's tree that was looked at, with its paths made short.
struct Forest {
    semi: Vec<u32>,
    ancestor: Vec<u32>,
    /// The place with the least semidominator on the path to the ancestor.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(count: u32) -> Self {
        let each: Vec<u32> = (0..count).collect();
        Forest { semi: each.clone(), ancestor: vec![NONE; count as usize], label: each, path: Vec::new() }
    }

    /// The place with the least semidominator from this one up to the root of its tree, without the root.
    fn least(&mut self, place: u32) -> u32 {
        let mut at = place;
        loop {
            let above = self.ancestor[at as usize];
            if above == NONE || self.ancestor[above as usize] == NONE {
                break;
            }
            self.path.push(at);
            at = above;
        }
        while let Some(at) = self.path.pop() {
            let above = self.ancestor[at as usize] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[at as usize] as usize] {
                self.label[at as usize] = self.label[above];
            }
            self.ancestor[at as usize] = self.ancestor[above];
        }
        self.label[place as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(edges: &[Vec<u32>]) -> Graph {
        let mut graph = Graph::default();
        edges.iter().for_each(|targets| graph.push(targets.iter().copied()));
        graph
    }

    /// Which nodes are reached from node 0 when one is taken away.
    fn reached_without(edges: &[Vec<u32>], away: Option<u32>) -> Vec<bool> {
        let mut reached = vec![false; edges.len()];
        let mut open: Vec<u32> = [0].into_iter().filter(|&node| Some(node) != away).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node as usize], true) {
                open.extend(edges[node as usize].iter().filter(|&&to| Some(to) != away));
            }
        }
        reached
    }

    /// A node dominates another where that is no longer reached without it; the immediate one is dominated by all others.
    fn by_definition(edges: &[Vec<u32>]) -> Vec<Result<u32, bool>> {
        let nodes = 0..edges.len() as u32;
        let reached = reached_without(edges, None);
        let without: Vec<Vec<bool>> = nodes.clone().map(|node| reached_without(edges, Some(node))).collect();
        let strict = |of: u32| {
            let dominates = |&node: &u32| node != of && reached[node as usize] && !without[node as usize][of as usize];
            nodes.clone().filter(dominates).collect::<Vec<u32>>()
        };
        let immediate = |of: u32| match reached[of as usize] {
            false => Err(false),
            true => strict(of).into_iter().max_by_key(|&node| strict(node).len()).ok_or(true),
        };
        nodes.clone().map(immediate).collect()
    }

    #[test]
    fn dominators_are_what_every_way_goes_through() {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % below
        };
        let mut unreached = 0;
        for round in 0..2_000 {
            let nodes = 1 + random(if round % 10 == 0 { 30 } else { 8 });
            let most = 1 + random(3);
            let edges: Vec<Vec<u32>> =
                (0..nodes).map(|_| (0..random(most + 1)).map(|_| random(nodes) as u32).collect()).collect();
            let found = graph(&edges).immediate_dominators();
            assert_eq!(found, by_definition(&edges), "{edges:?}");
            unreached += found.iter().filter(|&&found| found == Err(false)).count();
        }
        assert!(unreached > 100, "{unreached} nodes that nothing leads to");
        assert_eq!(Graph::default().immediate_dominators(), []);
    }

    #[test]
    fn long_chains_and_ladders_are_no_matter() {
        let nodes = 200_000u32;
        // Each leads to the next, to the one after that, and back to the one before.
        let ladder: Vec<Vec<u32>> = (0..nodes)
            .map(|node| [node + 1, node + 2, node.wrapping_sub(1)].into_iter().filter(|&to| to < nodes).collect())
            .collect();
        let found = graph(&ladder).immediate_dominators();
        assert_eq!(found[1..4], [Ok(0), Ok(0), Ok(0)]);
        assert!(found[1..].iter().all(|found| found.is_ok()));
        let chain: Vec<Vec<u32>> =
            (0..nodes).map(|node| Vec::from_iter((node + 1 < nodes).then_some(node + 1))).collect();
        let found = graph(&chain).immediate_dominators();
        assert!(found.iter().zip(0u32..).skip(1).all(|(&found, node)| found == Ok(node - 1)));
    }
}
