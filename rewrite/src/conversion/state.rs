//! What a conversion knows of one body until its changes are final.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Body, OpId, RegionId, Type, Value};

use super::log::Change;
use super::mapping::Mapping;
use super::types::{SignatureConversion, TypeConverter};

/// What is known of one body.
#[derive(Default)]
pub(super) struct State {
    pub(super) mapping: Mapping,
    /// Operations that are replaced, and those in them.
    pub(super) replaced: HashSet<OpId>,
    /// Operations in others that are legal with all that is in them.
    pub(super) ignored: HashSet<OpId>,
    /// The casts that were made.
    pub(super) casts: HashMap<OpId, Cast>,
    /// How the types of blocks that come to a region are converted.
    pub(super) regions: HashMap<RegionId, Arc<TypeConverter>>,
    /// How the bodies of isolated operations are converted.
    pub(super) bodies: HashMap<OpId, BodyTypes>,
    /// A detached operation with a region for blocks that will be erased.
    pub(super) limbo: Option<(OpId, RegionId)>,
}

impl State {
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
    pub(super) types: Option<Arc<TypeConverter>>,
}

/// How the body of an isolated operation is converted.
#[derive(Clone)]
pub(super) struct BodyTypes {
    pub(super) types: Arc<TypeConverter>,
    /// What the arguments of the first block become, where not what their types do.
    pub(super) entry: Option<SignatureConversion>,
}

/// What is left of a body's conversion until it is final.
pub(super) struct Session {
    pub(super) body: mlirbc_ir::BodyId,
    pub(super) changes: Vec<Change>,
    pub(super) state: State,
}
