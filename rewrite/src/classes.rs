//! Names, attributes and properties of operations as numbers: equal ones have one number, however they are stored.

use hashbrown::HashMap;

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, AttributeRef, OpRef, OperationName, Result};

/// What an operation is but for its operands, results, successors and regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    number: u32,
    /// Whether its operands may change places.
    pub(crate) commutative: bool,
}

impl Class {
    pub(crate) fn number(self) -> u64 {
        u64::from(self.number)
    }
}

/// As it is stored, or decoded.
type Key<A> = (OperationName, Option<A>, Option<A>);

/// The classes that were met.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// Most operations refer to the same entries of the file: these are decoded once.
    stored: HashMap<Key<AttributeRef>, Class>,
    /// By number of the name: what was asked for last. Most operations of a name are as the one before.
    last: Vec<Option<(Key<AttributeRef>, Class)>>,
    decoded: HashMap<Key<Attribute>, u32>,
}

impl Classes {
    pub(crate) fn of(&mut self, op: OpRef<'_>) -> Result<Class> {
        let view = op.body().view(op.id());
        let key = (view.name(), view.attributes(), view.properties());
        let at = view.name().raw() as usize;
        if let Some(Some((_, class))) = self.last.get(at).filter(|last| last.is_some_and(|(last, _)| last == key)) {
            return Ok(*class);
        }
        let class = self.find(op, key)?;
        if self.last.len() <= at {
            self.last.resize(at + 1, None);
        }
        self.last[at] = Some((key, class));
        Ok(class)
    }

    fn find(&mut self, op: OpRef<'_>, key: Key<AttributeRef>) -> Result<Class> {
        if let Some(class) = self.stored.get(&key) {
            return Ok(*class);
        }
        let (attributes, properties) = op.dictionaries()?;
        let next = self.decoded.len() as u32;
        let number = *self.decoded.entry((op.operation_name(), attributes, properties)).or_insert(next);
        let class = Class { number, commutative: op.has_trait(Traits::COMMUTATIVE) };
        self.stored.insert(key, class);
        Ok(class)
    }
}
