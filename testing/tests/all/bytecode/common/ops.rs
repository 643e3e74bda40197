//! Operations, regions and blocks of files that are put together.

use super::*;

/// An operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Op {
    pub(crate) name: u64,
    pub(crate) location: u64,
    pub(crate) attributes: Option<u64>,
    pub(crate) properties: Option<u64>,
    pub(crate) results: Vec<u64>,
    pub(crate) operands: Vec<u64>,
    pub(crate) successors: Vec<u64>,
    /// The orders of the uses of the results, as bytes.
    pub(crate) orders: Option<Out>,
    pub(crate) regions: Option<(bool, Vec<Region>)>,
    /// Bits beside those that the fields ask for.
    pub(crate) mask: u8,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    pub(crate) values: u64,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Type and, if it is given, location.
    pub(crate) arguments: Option<Vec<(u64, Option<u64>)>>,
    /// The orders of the uses of the arguments, as bytes.
    pub(crate) orders: Option<Out>,
    pub(crate) ops: Vec<Op>,
}

/// `t.op`, with nothing but a location.
pub(crate) fn op() -> Op {
    Op { name: OP, ..Op::default() }
}

impl Op {
    pub(crate) fn named(name: u64) -> Op {
        Op { name, ..Op::default() }
    }

    pub(crate) fn at(mut self, location: u64) -> Self {
        self.location = location;
        self
    }

    pub(crate) fn attributes(mut self, dictionary: u64) -> Self {
        self.attributes = Some(dictionary);
        self
    }

    pub(crate) fn properties(mut self, blob: u64) -> Self {
        self.properties = Some(blob);
        self
    }

    pub(crate) fn results(mut self, types: &[u64]) -> Self {
        self.results = types.to_vec();
        self
    }

    pub(crate) fn operands(mut self, values: &[u64]) -> Self {
        self.operands = values.to_vec();
        self
    }

    pub(crate) fn successors(mut self, blocks: &[u64]) -> Self {
        self.successors = blocks.to_vec();
        self
    }

    pub(crate) fn orders(mut self, orders: Out) -> Self {
        self.orders = Some(orders);
        self
    }

    pub(crate) fn mask(mut self, bits: u8) -> Self {
        self.mask = bits;
        self
    }

    /// Regions that stand inline.
    pub(crate) fn regions(mut self, regions: impl IntoIterator<Item = Region>) -> Self {
        self.regions = Some((false, regions.into_iter().collect()));
        self
    }

    /// Regions that stand in a section of their own, from version 2 on.
    pub(crate) fn isolated(mut self, regions: impl IntoIterator<Item = Region>) -> Self {
        self.regions = Some((true, regions.into_iter().collect()));
        self
    }

    pub(crate) fn write(&self, version: u64, to: &mut Vec<u8>) {
        let bit = |bit: u8, set: bool| if set { bit } else { 0 };
        let mask = bit(0x01, self.attributes.is_some())
            | bit(0x02, !self.results.is_empty())
            | bit(0x04, !self.operands.is_empty())
            | bit(0x08, !self.successors.is_empty())
            | bit(0x10, self.regions.is_some())
            | bit(0x20, self.orders.is_some())
            | bit(0x40, self.properties.is_some())
            | self.mask;
        let list = |out: Out, set: u8, list: &[u64]| match mask & set {
            0 => out,
            _ => out.v(list.len() as u64).vs(list),
        };
        let mut bytes = out().v(self.name).b(mask).v(self.location);
        bytes = self.attributes.iter().chain(&self.properties).fold(bytes, |out, &index| out.v(index));
        bytes = list(bytes, 0x02, &self.results);
        bytes = list(bytes, 0x04, &self.operands);
        bytes = list(bytes, 0x08, &self.successors);
        bytes = self.orders.iter().fold(bytes, |out, orders| out.raw(orders));
        if let Some((isolated, regions)) = &self.regions {
            let mut inside = Vec::new();
            regions.iter().for_each(|region| region.write(version, &mut inside));
            bytes = bytes.v((regions.len() as u64) << 1 | u64::from(*isolated));
            bytes = match *isolated && version >= 2 {
                true => bytes.section(IR, inside),
                false => bytes.raw(inside),
            };
        }
        to.extend(bytes.0);
    }
}

impl Region {
    /// One block of these operations; `values` results and arguments are announced.
    pub(crate) fn of(values: u64, ops: impl IntoIterator<Item = Op>) -> Self {
        Region { values, blocks: vec![Block::of(ops)] }
    }

    pub(crate) fn blocks(values: u64, blocks: impl IntoIterator<Item = Block>) -> Self {
        Region { values, blocks: blocks.into_iter().collect() }
    }

    fn write(&self, version: u64, to: &mut Vec<u8>) {
        push_varint(to, self.blocks.len() as u64);
        if !self.blocks.is_empty() {
            push_varint(to, self.values);
            self.blocks.iter().for_each(|block| block.write(version, to));
        }
    }
}

impl Block {
    pub(crate) fn of(ops: impl IntoIterator<Item = Op>) -> Self {
        Block { ops: ops.into_iter().collect(), ..Block::default() }
    }

    /// With arguments of these types, at unknown locations.
    pub(crate) fn arguments(mut self, types: &[u64]) -> Self {
        self.arguments = Some(types.iter().map(|&ty| (ty, None)).collect());
        self
    }

    pub(crate) fn orders(mut self, orders: Out) -> Self {
        self.orders = Some(orders);
        self
    }

    pub(crate) fn write(&self, version: u64, to: &mut Vec<u8>) {
        let mut bytes = out().v((self.ops.len() as u64) << 1 | u64::from(self.arguments.is_some()));
        if let Some(arguments) = &self.arguments {
            bytes = bytes.v(arguments.len() as u64);
            for &(ty, location) in arguments {
                bytes = match (version, location) {
                    (0..4, location) => bytes.v(ty).v(location.unwrap_or(UNKNOWN)),
                    (_, None) => bytes.v(ty << 1),
                    (_, Some(location)) => bytes.v(ty << 1 | 1).v(location),
                };
            }
            bytes = match &self.orders {
                _ if version < 3 => bytes,
                None => bytes.b(0),
                Some(orders) => bytes.b(0x20).raw(orders),
            };
        }
        to.extend(bytes.0);
        self.ops.iter().for_each(|op| op.write(version, to));
    }
}
