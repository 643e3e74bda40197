//! Modules: what a file holds, body by body.

mod clone;
mod edited;
mod members;
mod operation;
mod owners;
mod source;
mod table;
mod turns;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::attribute::{Attribute, AttributeData, Identifier, ResourceHandle};
use crate::blob::Blob;
use crate::body::{AttributeRef, Body, BodyBuilder, BodyId, OpId, Ref, TypeRef};
use crate::context::{Context, OperationName};
use crate::error::{Error, ErrorCode, Result};
use crate::types::Type;
use table::Table;
use turns::Turns;

pub(crate) use clone::{Resolver, with_bodies};
pub use edited::TakenBody;
use edited::Verified;
pub(crate) use edited::{Found, SymbolTables, Symbols, names_in};
pub use members::foreign_properties;
pub(crate) use members::{foreign_entries, segment_sizes};
pub use operation::{Inside, OpRef};
pub use source::{Location, ModuleSource, PackedLocation, PackedLocations, PendingBody, SymbolPlace};

/// What a file holds: top-level operations, their bodies, and resources.
///
/// Bodies stand in one flat table and are read when first entered, from any thread. The first body,
/// [`Module::TOP`], holds the top-level operations in one region of one block.
///
/// A number in the table is that of a body of the module only where an operation leads to it: readers enter bodies that are not
/// complete yet, and copies to look at, while other threads look at the module, and the bodies of operations that were erased stay
/// in it. To see all bodies, ask for [`Module::bodies`], and do not count through the table.
pub struct Module {
    context: Context,
    bodies: Table,
    turns: Turns,
    source: Option<Arc<dyn ModuleSource>>,
    /// What the module says about its file, kept for writing it again.
    pub info: FileInfo,
    resources: OnceLock<Vec<ResourceGroup>>,
    dialect_versions: OnceLock<Vec<(Identifier, Bytes)>>,
    resources_edited: bool,
    versions_edited: bool,
    /// What was found when it was last verified, and broke no rule.
    verified: Option<Verified>,
    /// Bodies that came back with more records of what was erased than others.
    mostly_erased: Vec<BodyId>,
}

/// What a file says about itself beside its IR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileInfo {
    /// Bytecode version of the file; `None` where the module was not read from bytecode.
    pub version: Option<u64>,
    /// The producer string.
    pub producer: Vec<u8>,
}

/// Resources of one owner.
#[derive(Clone, Debug)]
pub struct ResourceGroup {
    /// The dialect or, for an external group, the name of the owner.
    pub owner: Identifier,
    /// Whether the owner is a dialect.
    pub dialect: bool,
    /// The entries in order.
    pub entries: Vec<ResourceEntry>,
}

/// One resource.
#[derive(Clone, Debug)]
pub struct ResourceEntry {
    /// Its key.
    pub key: Bytes,
    /// How attributes refer to it, for a resource of a dialect.
    pub handle: Option<ResourceHandle>,
    /// What it holds.
    pub value: ResourceValue,
}

/// What a resource holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceValue {
    /// Nothing: a declaration. Its kind in the file: 0 blob, 1 bool, 2 string.
    Declared(u8),
    /// Bytes that want to stand at a multiple of `alignment`.
    Blob {
        /// In bytes; 0 or a power of two.
        alignment: u64,
        /// The bytes.
        data: Blob,
    },
    /// True or false.
    Bool(bool),
    /// A string.
    String(Bytes),
}

#[derive(Debug)]
struct Slot {
    body: OnceLock<Box<Body>>,
    pending: Option<PendingBody>,
    parent: Option<(BodyId, OpId)>,
    /// How many bodies it is in.
    depth: u32,
    /// How much work it is to go through it, about, in operations: it is not looked at for that.
    weight: u32,
    /// A copy of one operation, read past its parent: to look at, not to edit.
    fragment: bool,
    /// Whether it may have been changed since the module was last [verified](Module::note_verified).
    edited: bool,
    /// Whether [`Module::take_body`] took it, and it was not put back.
    taken: bool,
    /// Whether the operation that it belonged to was erased, and it with that.
    freed: bool,
    /// Whether a thread reads it now.
    read_now: AtomicBool,
}

impl Module {
    /// The body of the top-level operations.
    pub const TOP: usize = 0;

    /// A module without operations.
    pub fn new(context: &Context) -> Self {
        let module = Self::with_source(context, None);
        let mut top = BodyBuilder::new(1);
        top.push_block(top.top_regions()[0]);
        module.declare(Some(top.finish()), None, None);
        module
    }

    /// A module without bodies that gets them from `source`: declare the top one first.
    pub fn with_source(context: &Context, source: Option<Arc<dyn ModuleSource>>) -> Self {
        Module {
            context: context.clone(),
            bodies: Table::default(),
            turns: Turns::default(),
            source,
            info: FileInfo::default(),
            resources: OnceLock::new(),
            dialect_versions: OnceLock::new(),
            resources_edited: false,
            versions_edited: false,
            verified: None,
            mostly_erased: Vec::new(),
        }
    }

    /// A module made of finished bodies: the first is the top one, each with the operation that owns it.
    pub fn from_bodies(
        context: &Context,
        source: Option<Arc<dyn ModuleSource>>,
        bodies: Vec<(Body, Option<(BodyId, OpId)>)>,
    ) -> Self {
        let module = Self::with_source(context, source);
        for (body, parent) in bodies {
            module.declare_slot(Some(body), None, parent, false);
        }
        module
    }

    /// Enters a body in the table: one that is there, or one that its source reads later. With neither, the number is taken,
    /// and [`Module::fill`] says what it stands for.
    pub fn declare(&self, body: Option<Body>, pending: Option<PendingBody>, parent: Option<(BodyId, OpId)>) -> BodyId {
        let fragment = parent.is_some_and(|(parent, _)| self.is_fragment(parent));
        self.declare_slot(body, pending, parent, fragment)
    }

    /// Enters a body that holds a copy of one operation of a body that has not been read: its regions may be read
    /// and looked at, but not edited.
    #[doc(hidden)]
    pub fn declare_fragment(&self, body: Option<Body>, parent: Option<(BodyId, OpId)>) -> BodyId {
        self.declare_slot(body, None, parent, true)
    }

    fn declare_slot(
        &self,
        body: Option<Body>,
        pending: Option<PendingBody>,
        parent: Option<(BodyId, OpId)>,
        fragment: bool,
    ) -> BodyId {
        let count = body.as_ref().map_or(1, |body| body.operation_count() as u32);
        let weight = pending.map_or(count, PendingBody::weight);
        let body = body.map_or_else(OnceLock::new, |body| OnceLock::from(Box::new(body)));
        let outer = parent.and_then(|(parent, _)| self.bodies.get(parent.index()));
        let depth = outer.map_or(0, |outer| outer.depth.saturating_add(1));
        BodyId::from_index(self.bodies.push(Slot {
            body,
            pending,
            parent: parent.map(unmarked),
            depth,
            weight,
            fragment,
            edited: true,
            taken: false,
            freed: false,
            read_now: AtomicBool::new(false),
        }))
    }

    /// Fills a body that was declared with neither bytes nor operations: for readers of nested bodies that have no
    /// length before them, and only before an operation leads to it. Does nothing where the body is there already, or was
    /// never declared.
    pub fn fill(&self, id: BodyId, body: Body) {
        if let Some(slot) = self.bodies.get(id.index()) {
            let _ = slot.body.set(Box::new(body));
        }
    }

    fn slot(&self, id: BodyId) -> Result<&Slot> {
        self.bodies.get(id.index()).ok_or_else(|| no_such_body(id))
    }

    fn slot_mut(&mut self, id: BodyId) -> Result<&mut Slot> {
        self.bodies.get_mut(id.index()).ok_or_else(|| no_such_body(id))
    }

    /// The context of the module's types and attributes.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// What the module was read from.
    pub fn source(&self) -> Option<&Arc<dyn ModuleSource>> {
        self.source.as_ref()
    }

    /// Takes the module's source: until another is set, what is lazy is an error.
    #[doc(hidden)]
    pub fn take_source(&mut self) -> Option<Arc<dyn ModuleSource>> {
        self.source.take()
    }

    /// Puts another source in the place of the module's, one that gives the same answers.
    #[doc(hidden)]
    pub fn set_source(&mut self, source: Option<Arc<dyn ModuleSource>>) {
        self.source = source;
    }

    /// How many bodies have been entered in the table: see [`Module`] for what a number of it may stand for. While other
    /// threads look at the module, there may be gaps below this number, and bodies beyond it.
    pub fn body_count(&self) -> usize {
        self.bodies.count()
    }

    /// The body, if it is one of the module and has been read.
    #[inline]
    pub fn loaded(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id.index())?.body.get().map(|body| &**body)
    }

    /// The range of the file that the body is read from; none where the module has no such body.
    #[doc(hidden)]
    pub fn pending(&self, id: BodyId) -> Option<PendingBody> {
        self.bodies.get(id.index())?.pending
    }

    /// The operation that owns the body, which may have been erased; none where the module has no such body.
    pub fn owner(&self, id: BodyId) -> Option<(BodyId, OpId)> {
        self.bodies.get(id.index())?.parent
    }

    /// How many bodies the body is in; 0 where the module has no such body.
    pub fn depth(&self, id: BodyId) -> u32 {
        self.bodies.get(id.index()).map_or(0, |slot| slot.depth)
    }

    /// How much work it is to go through the body, about, in operations, for who shares work out: known without a look at it.
    pub(crate) fn weight(&self, id: BodyId) -> usize {
        self.bodies.get(id.index()).map_or(0, |slot| slot.weight as usize)
    }

    /// Whether the body is only a copy to look at.
    #[doc(hidden)]
    pub fn is_fragment(&self, id: BodyId) -> bool {
        self.bodies.get(id.index()).is_some_and(|slot| slot.fragment)
    }

    /// The body, read now if it was not entered before.
    ///
    /// # Errors
    /// Where its bytes are malformed, the module has no such body, or it was taken.
    #[inline]
    pub fn body(&self, id: BodyId) -> Result<&Body> {
        match self.loaded(id) {
            Some(body) => Ok(body),
            None => self.enter(id),
        }
    }

    /// Reads a body that was not entered before.
    #[cold]
    #[inline(never)]
    fn enter(&self, id: BodyId) -> Result<&Body> {
        let slot = self.slot(id)?;
        let turn = self.turns.take(&slot.read_now);
        if slot.body.get().is_none()
            && let Some(pending) = slot.pending
        {
            let body = self.lazy()?.body(self, id, pending)?;
            let _ = slot.body.set(Box::new(body));
        }
        drop(turn);
        let missing = || {
            Error::misuse(format!("body {} was taken, or is not there yet", id.index())).with_code(ErrorCode::BodyTaken)
        };
        slot.body.get().map(|body| &**body).ok_or_else(missing)
    }

    /// The body of the top-level operations.
    pub fn top(&self) -> Result<&Body> {
        self.body(BodyId::from_index(Self::TOP))
    }

    /// The body, to edit.
    ///
    /// # Errors
    /// As [`Module::body`], and where it is that of an operation that [`Module::symbol`] read beside the others.
    pub(crate) fn body_mut(&mut self, id: BodyId) -> Result<&mut Body> {
        self.body(id)?;
        let slot = self.slot_mut(id)?;
        if slot.fragment {
            return Err(fragment());
        }
        slot.edited = true;
        slot.body
            .get_mut()
            .map(|body| &mut **body)
            .ok_or_else(|| Error::misuse("the body was taken").with_code(ErrorCode::BodyTaken))
    }

    /// Builds the lists of uses of a body, if they are not there yet, so that [`Body::uses_of`] gives them. What is edited has them.
    ///
    /// # Errors
    /// As [`Module::body`].
    pub fn build_uses(&mut self, id: BodyId) -> Result<()> {
        self.body(id)?;
        if let Some(body) = self.slot_mut(id)?.body.get_mut() {
            body.build_uses();
        }
        Ok(())
    }

    /// Reads every body that has not been entered yet: those that [`Module::bodies`] gives afterwards are all that the module
    /// has.
    ///
    /// # Errors
    /// The first that one of them has, in the order of [`Module::bodies`].
    pub fn load_all(&self) -> Result<()> {
        self.load_all_with(1)
    }

    /// As [`Module::load_all`], on as many threads as that.
    ///
    /// # Errors
    /// As [`Module::load_all`].
    pub fn load_all_with(&self, threads: usize) -> Result<()> {
        // Most often all of them have been read by now.
        if (0..self.bodies.count()).all(|at| self.bodies.get(at).is_some_and(|slot| slot.body.get().is_some())) {
            return Ok(());
        }
        let mut ids = Vec::with_capacity(16);
        ids.push(BodyId::from_index(Self::TOP));
        if threads <= 1 {
            let mut at = 0;
            while let Some(&id) = ids.get(at) {
                ids.extend(self.body(id)?.region_bodies());
                at += 1;
            }
            return Ok(());
        }
        while !ids.is_empty() {
            let read = |(): &mut (), id| self.body(id).map(|body| body.region_bodies().collect::<Vec<_>>());
            let weight = |id: &BodyId| self.weight(*id);
            let inside = crate::threads::in_order(threads, weight, ids, || (), read);
            ids = Vec::new();
            for bodies in inside {
                ids.extend(bodies?);
            }
        }
        Ok(())
    }

    /// Makes the location of every operation and block argument unknown, reading bodies that have not been entered yet.
    ///
    /// # Errors
    /// Where a body cannot be read, or was taken.
    pub fn strip_locations(&mut self) -> Result<()> {
        self.load_all()?;
        let unknown = self.context.unknown_location().into();
        let ids: Vec<_> = self.bodies().map(|(id, _)| id).collect();
        for id in ids {
            self.body_mut(id)?.strip_locations(unknown);
        }
        Ok(())
    }

    /// The bodies that have been read, each before those of the operations in it. Fragments are none of them, nor are the
    /// bodies of operations that were erased.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        let mut ids = Vec::with_capacity(16);
        ids.push(BodyId::from_index(Self::TOP));
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let id = *ids.get(at)?;
                at += 1;
                if let Some(body) = self.loaded(id) {
                    ids.extend(body.region_bodies());
                    return Some((id, body));
                }
            }
        })
    }

    /// The top-level operations.
    ///
    /// # Errors
    /// As [`Module::body`].
    pub fn operations(&self) -> Result<impl Iterator<Item = OpRef<'_>>> {
        let id = BodyId::from_index(Self::TOP);
        let body = self.body(id)?;
        let blocks = body.top_regions().iter().flat_map(|&region| body.blocks(region));
        Ok(blocks.flat_map(|block| body.operations(block)).map(move |op| OpRef::new(self, id, body, op)))
    }

    /// The operation of that number in that body.
    ///
    /// # Errors
    /// As [`Module::body`], and where the body has no such operation or it was erased.
    pub fn operation(&self, body: BodyId, op: OpId) -> Result<OpRef<'_>> {
        let (id, body) = (body, self.body(body)?);
        body.check_operation(op)?;
        Ok(OpRef::new(self, id, body, op))
    }

    // References.

    pub(super) fn lazy(&self) -> Result<&dyn ModuleSource> {
        self.source.as_deref().ok_or_else(|| Error::misuse("the module has no source"))
    }

    /// The attribute that `attribute` refers to.
    #[inline]
    pub fn attribute(&self, attribute: AttributeRef) -> Result<Attribute> {
        match attribute.resolve() {
            Ref::Context(attribute) => Ok(attribute),
            Ref::Source(index) => self.lazy()?.attribute(&self.context, index),
        }
    }

    /// The attributes of an operation that `dictionary` refers to: a dictionary, or opaque.
    ///
    /// # Errors
    /// Where it cannot be decoded, or is something else.
    #[inline]
    pub fn dictionary(&self, dictionary: AttributeRef) -> Result<Attribute> {
        match dictionary.resolve() {
            Ref::Context(attribute) => match &self.context[attribute] {
                AttributeData::Dictionary(_) | AttributeData::Encoded(_) => Ok(attribute),
                _ => Err(Error::verification("the attributes of an operation are no dictionary")),
            },
            Ref::Source(index) => self.lazy()?.dictionary(&self.context, index),
        }
    }

    /// The location that `location` refers to.
    #[inline]
    pub fn location(&self, location: AttributeRef) -> Result<Location> {
        match location.resolve() {
            Ref::Context(attribute) => match self.context[attribute] {
                AttributeData::FileLocation { file, start, end } if start == end => {
                    Ok(Location::File { file, line: start.0, column: start.1 })
                }
                _ => Ok(Location::Attribute(attribute)),
            },
            Ref::Source(index) => self.lazy()?.location(&self.context, index),
        }
    }

    /// The type that `ty` refers to.
    #[inline]
    pub fn ty(&self, ty: TypeRef) -> Result<Type> {
        match ty.resolve() {
            Ref::Context(ty) => Ok(ty),
            Ref::Source(index) => self.lazy()?.ty(&self.context, index),
        }
    }

    /// The properties that `properties` refers to, of an operation of that name.
    #[inline]
    pub fn properties(&self, name: OperationName, properties: AttributeRef) -> Result<Attribute> {
        match properties.resolve() {
            Ref::Context(attribute) => Ok(attribute),
            Ref::Source(index) => self.lazy()?.properties(&self.context, name, index),
        }
    }

    /// The resources, in the order of the file.
    ///
    /// # Errors
    /// Where their section is malformed.
    pub fn resources(&self) -> Result<&[ResourceGroup]> {
        if let Some(resources) = self.resources.get() {
            return Ok(resources);
        }
        let read = self.source.as_ref().map_or(Ok(Vec::new()), |source| source.resources())?;
        Ok(self.resources.get_or_init(|| read))
    }

    /// The resources, to edit.
    pub fn resources_mut(&mut self) -> Result<&mut Vec<ResourceGroup>> {
        self.resources()?;
        self.resources_edited = true;
        self.verified = None;
        self.resources.get_mut().ok_or_else(|| Error::misuse("no resources"))
    }

    /// Whether the resources may have been changed.
    #[doc(hidden)]
    pub fn resources_edited(&self) -> bool {
        self.resources_edited
    }

    /// Whether the dialect versions were changed.
    #[doc(hidden)]
    pub fn dialect_versions_edited(&self) -> bool {
        self.versions_edited
    }

    /// Looks up a resource by the handle that attributes hold.
    pub fn resource(&self, handle: ResourceHandle) -> Result<Option<&ResourceEntry>> {
        let key = &self.context[handle];
        let groups = self.resources()?.iter().filter(|group| group.dialect && group.owner == key.dialect);
        Ok(groups.flat_map(|group| &group.entries).find(|entry| entry.handle == Some(handle)))
    }

    /// For each dialect that wrote one, the version as its bytes in the file.
    pub fn dialect_versions(&self) -> Result<&[(Identifier, Bytes)]> {
        if let Some(versions) = self.dialect_versions.get() {
            return Ok(versions);
        }
        let read = self.source.as_ref().map_or(Ok(Vec::new()), |source| source.dialect_versions())?;
        Ok(self.dialect_versions.get_or_init(|| read))
    }

    /// Puts other dialect versions in their place. One without bytes stands for the current version of its dialect.
    pub fn set_dialect_versions(&mut self, versions: Vec<(Identifier, Bytes)>) {
        self.dialect_versions = OnceLock::from(versions);
        self.versions_edited = true;
    }

    /// The name of an operation of this module's context, registered where it [is known](Context::is_known_operation).
    pub fn name(&self, name: impl AsRef<[u8]>) -> OperationName {
        self.context.known_operation_name(name.as_ref())
    }
}

/// The owner of a body as it is kept: the body that it is in may be read again, and then gives out ids with another mark.
fn unmarked((body, op): (BodyId, OpId)) -> (BodyId, OpId) {
    (body, OpId::from_index(op.index()))
}

/// What was read beside the others stands for itself.
#[cold]
fn fragment() -> Error {
    let message = "an operation that `symbol` found in a module that is read lazily is there to look at: `symbol_place` says where to \
                   change it";
    Error::misuse(message).with_code(ErrorCode::WrongPlace)
}

#[cold]
fn no_such_body(id: BodyId) -> Error {
    Error::misuse(format!("the module has no body {}", id.index())).with_code(ErrorCode::NoSuchId)
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let loaded = self.bodies.iter().filter(|slot| slot.body.get().is_some()).count();
        write!(f, "Module({loaded} of {} bodies read)", self.bodies.count())
    }
}
