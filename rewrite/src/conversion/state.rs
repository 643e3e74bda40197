//! What a conversion knows of one body until its changes are final.

use hashbrown::HashMap;
use mlirbc_ir::{Body, BodyId, OpId, Original, RegionId, Type, Value, Workspace};

use super::log::Change;
use super::mapping::Mapping;
use super::types::{LastTypes, SignatureConversion, TypesId};

/// Operations of a body.
#[derive(Default)]
pub(super) struct Ops(Vec<bool>);

impl Ops {
    #[inline]
    pub(super) fn contains(&self, op: OpId) -> bool {
        self.0.get(op.index()).is_some_and(|&is_in| is_in)
    }

    /// Whether it was none of them.
    pub(super) fn insert(&mut self, op: OpId) -> bool {
        if self.0.len() <= op.index() {
            self.0.resize(op.index() + 1, false);
        }
        !std::mem::replace(&mut self.0[op.index()], true)
    }

    pub(super) fn remove(&mut self, op: OpId) {
        if let Some(is_in) = self.0.get_mut(op.index()) {
            *is_in = false;
        }
    }
}

/// What is known of some regions or operations of a body, by their places.
pub(super) struct Table<T>(Vec<Option<T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table(Vec::new())
    }
}

impl<T> Table<T> {
    pub(super) fn get(&self, at: usize) -> Option<&T> {
        self.0.get(at)?.as_ref()
    }

    /// Gives what was known before.
    pub(super) fn insert(&mut self, at: usize, known: T) -> Option<T> {
        if self.0.len() <= at {
            self.0.resize_with(at + 1, || None);
        }
        self.0[at].replace(known)
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<T> {
        self.0.get_mut(at)?.take()
    }
}

/// What is known of one body.
#[derive(Default)]
pub(super) struct State {
    pub(super) mapping: Mapping,
    /// Operations that are replaced, and those in them.
    pub(super) replaced: Ops,
    /// Operations in others that are legal with all that is in them.
    pub(super) ignored: Ops,
    /// The casts that were made.
    pub(super) casts: HashMap<OpId, Cast>,
    /// By region: how the types of blocks that come to it are converted.
    pub(super) regions: Table<TypesId>,
    /// By isolated operation: how its body is converted.
    pub(super) bodies: Table<Box<BodyTypes>>,
    /// A detached operation with a region for blocks that will be erased.
    pub(super) limbo: Option<(OpId, RegionId)>,
    /// Of any body.
    pub(super) last_types: LastTypes,
}

impl State {
    /// Forgets all, for another body.
    pub(super) fn clear(&mut self) {
        let State { mapping, replaced, ignored, casts, regions, bodies, limbo, last_types: _ } = self;
        mapping.clear();
        replaced.0.clear();
        ignored.0.clear();
        casts.clear();
        regions.0.clear();
        bodies.0.clear();
        *limbo = None;
    }

    /// Gives away what is known of the body, but not what is known of any.
    pub(super) fn split_off(&mut self) -> Box<State> {
        let last_types = std::mem::take(&mut self.last_types);
        Box::new(std::mem::replace(self, State { last_types, ..State::default() }))
    }

    /// Whether these are the results of a cast, and nothing else.
    pub(super) fn is_cast(&self, body: &Body, values: &[Value]) -> bool {
        let Some(op) = values.first().and_then(|&value| body.defining_operation(value)) else { return false };
        self.casts.get(&op).is_some_and(|cast| cast.pure)
            && values.iter().all(|&value| body.defining_operation(value) == Some(op))
    }
}

/// What a cast is for.
pub(super) enum CastKind {
    /// A value of the type that was converted, for those who still want it.
    Source,
    /// Values of converted types.
    Target,
}

/// A cast that was made, until it is known who uses it.
pub(super) struct Cast {
    pub(super) kind: CastKind,
    /// Whether it makes nothing but other types of the same values.
    pub(super) pure: bool,
    pub(super) original: Option<Type>,
    pub(super) types: Option<TypesId>,
}

/// How the body of an isolated operation is converted.
#[derive(Clone)]
pub(super) struct BodyTypes {
    pub(super) types: TypesId,
    /// What the arguments of the first block become, where not what their types do.
    pub(super) entry: Option<SignatureConversion>,
    /// Whether other blocks are converted, too.
    pub(super) others: bool,
}

/// What is left of a body's conversion until all of it is final.
pub(super) struct Session {
    pub(super) body: BodyId,
    pub(super) left: Left,
}

pub(super) enum Left {
    /// The body is as it will be; that is what it was.
    Settled(Original),
    Open(Open),
}

/// Changes that are not final.
pub(super) struct Open {
    pub(super) changes: Vec<Change>,
    pub(super) limbo: Option<OpId>,
    pub(super) replacements: Replacements,
}

/// What values are replaced by in the end.
pub(super) enum Replacements {
    /// These, by which no casts are needed.
    Found(Vec<(Value, Value)>),
    /// What is to be looked up in this.
    In(Box<State>),
}

/// What one body after another is converted with.
#[derive(Default)]
pub(super) struct Room {
    pub(super) state: Option<Box<State>>,
    pub(super) changes: Vec<Change>,
    pub(super) replaced: Vec<OpId>,
    pub(super) space: Workspace,
}
