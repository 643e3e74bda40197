//! What a reader keeps from one module to the next: room for the tables of a file, and what it has looked up in its context.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::{DefaultHashBuilder, HashMap};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Context, Identifier, OperationName};

use super::dialects::{self, KnownDialect};
use super::entries::Entry;
use super::plans::Plans;
use crate::encoding::{self, DialectEncoding, Table};

/// How many files may leave their room.
const ROOMS: usize = 8;

/// How many entries of a table are worth keeping the room that they took.
const ENTRIES: usize = 1 << 13;

/// How many names of operations are found without being made: a power of two.
const NAMES: usize = 1 << 11;

/// How many dialects, and how many texts of attributes or types, are kept at most: where there are more, all are forgotten.
const DIALECTS: usize = 1 << 10;
const TEXTS: usize = 1 << 12;

/// The longest text that is kept.
const LONG: usize = 1 << 10;

/// For how many versions of bytecode and releases the layouts of properties are kept.
const LAYOUTS: usize = 8;

/// What is kept between modules of one context. None of it says anything that the context would not say again.
#[derive(Default)]
pub(crate) struct Kept {
    #[expect(clippy::vec_box, reason = "what goes from here to a file and back is not to be copied")]
    rooms: Mutex<Vec<Box<Room>>>,
    dialects: Mutex<HashMap<Box<[u8]>, Dialect>>,
    names: Names,
    texts: [Mutex<HashMap<Box<[u8]>, u32>>; 2],
    plans: Mutex<Vec<(Layouts, Arc<Plans>)>>,
}

/// A dialect's name, and its encodings.
pub(super) type Dialect = (Identifier, Option<Arc<dyn DialectEncoding>>);

/// What says how properties are laid out in a file that states no version of a dialect.
type Layouts = (u64, Option<Release>);

/// Room for the tables of a file: lists with nothing in them, but for the dialects of the last one.
#[derive(Default)]
pub(super) struct Room {
    pub(super) strings: Vec<Range<usize>>,
    pub(super) dialects: dialects::Room,
    pub(super) known: Vec<KnownDialect>,
    pub(super) entries: [Vec<Entry>; 2],
    pub(super) blobs: Vec<Range<usize>>,
    pub(super) attributes: Vec<AtomicU64>,
    pub(super) types: Vec<AtomicU64>,
    pub(super) properties: Vec<AtomicU64>,
}

impl Room {
    fn is_small(&self) -> bool {
        let [attributes, types] = &self.entries;
        let lists = [
            self.strings.capacity(),
            self.dialects.capacity(),
            self.known.capacity(),
            attributes.capacity(),
            types.capacity(),
            self.blobs.capacity(),
        ];
        lists.iter().all(|&capacity| capacity <= ENTRIES)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    /// Room that a file has left, or none yet.
    pub(super) fn room(&self) -> Box<Room> {
        lock(&self.rooms).pop().unwrap_or_default()
    }

    /// Takes the room of a file that is let go of.
    pub(super) fn give_back(&self, room: Box<Room>) {
        let mut rooms = lock(&self.rooms);
        if rooms.len() < ROOMS && room.is_small() {
            rooms.push(room);
        }
    }

    /// The dialect of that name.
    pub(super) fn dialect(&self, context: &Context, name: &[u8]) -> Dialect {
        if let Some(known) = lock(&self.dialects).get(name) {
            return known.clone();
        }
        let found = (context.identifier(name), encoding::find(context, name));
        if name.len() <= LONG {
            let mut dialects = lock(&self.dialects);
            if dialects.len() >= DIALECTS {
                dialects.clear();
            }
            dialects.insert(name.into(), found.clone());
        }
        found
    }

    /// The name of an operation of a dialect, from the dialect's name and its own.
    pub(super) fn operation_name(
        &self,
        context: &Context,
        (dialect, own): (Identifier, &[u8]),
        registered: bool,
        make: impl FnOnce() -> OperationName,
    ) -> OperationName {
        let hash = self.names.hasher.hash_one((dialect, own, registered));
        let Some(place) = self.names.places.get((hash >> 32) as usize % NAMES) else { return make() };
        if let Some(number) = place.load(Ordering::Acquire).checked_sub(1) {
            let name = OperationName::from_raw(number);
            if is_name(context, name, (dialect, own), registered) {
                return name;
            }
        }
        let name = make();
        place.store(name.raw().wrapping_add(1), Ordering::Release);
        name
    }

    /// The attribute or type that a text stands for wherever it stands, by its number in the context.
    pub(super) fn text(&self, table: Table, text: &[u8]) -> Option<u32> {
        // Another thread may be looking: then it is of no use here.
        self.texts_of(table).try_lock().ok()?.get(text).copied()
    }

    /// Keeps what a text stands for.
    pub(super) fn keep_text(&self, table: Table, text: &[u8], number: u32) {
        if text.len() <= LONG
            && let Ok(mut texts) = self.texts_of(table).try_lock()
        {
            if texts.len() >= TEXTS {
                texts.clear();
            }
            texts.insert(text.into(), number);
        }
    }

    fn texts_of(&self, table: Table) -> &Mutex<HashMap<Box<[u8]>, u32>> {
        let [attributes, types] = &self.texts;
        match table {
            Table::Attributes => attributes,
            Table::Types => types,
        }
    }

    /// The layouts of properties in files of that version and release that state no versions of dialects.
    pub(super) fn plans(&self, version: u64, release: Option<Release>) -> Arc<Plans> {
        let mut all = lock(&self.plans);
        if let Some((_, plans)) = all.iter().find(|plans| plans.0 == (version, release)) {
            return plans.clone();
        }
        let plans = Arc::<Plans>::default();
        if all.len() < LAYOUTS {
            all.push(((version, release), plans.clone()));
        }
        plans
    }
}

/// Whether that is the name of the operation of a dialect, made of these parts.
pub(super) fn is_name(
    context: &Context,
    name: OperationName,
    (dialect, own): (Identifier, &[u8]),
    registered: bool,
) -> bool {
    let text = context.operation_text(name).strip_prefix(context.bytes(dialect));
    let is = match (text, own) {
        (Some([]), []) => true,
        (Some([b'.', rest @ ..]), own) => !own.is_empty() && rest == own,
        _ => false,
    };
    is && context.is_registered(name) == registered
}

/// Names of operations by a hash of what they are made of: one more than their number in the context, 0 where there is none.
struct Names {
    places: Box<[AtomicU32]>,
    hasher: DefaultHashBuilder,
}

impl Default for Names {
    fn default() -> Self {
        Names { places: (0..NAMES).map(|_| AtomicU32::new(0)).collect(), hasher: DefaultHashBuilder::default() }
    }
}
