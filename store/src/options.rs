//! How a store is opened.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use mlirbc_ir::Context;

use crate::limits::Limits;

/// What a put that has returned survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Durability {
    /// The end of the process, however it comes: the bytes are in the kernel's hands.
    #[default]
    Process,
    /// The machine losing power: the bytes, and the names of the files they are in, are on the disk.
    Power,
}

/// How a store is opened, and what it is bounded by.
///
/// ```
/// use mlirbc_store::{Durability, Options};
/// let options = Options::new().max_bytes(1 << 30).durability(Durability::Power);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// `None`: what is kept with the store says it, else the usual.
    max_bytes: Option<u64>,
    max_entries: Option<u64>,
    pub(crate) durability: Durability,
    pub(crate) read_only: bool,
    pub(crate) shared: bool,
    pub(crate) network: bool,
    pub(crate) segment_bytes: Option<u64>,
    pub(crate) context: fn() -> Context,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_bytes: None,
            max_entries: None,
            durability: Durability::Process,
            read_only: false,
            shared: false,
            network: false,
            segment_bytes: None,
            context: Context::new,
        }
    }
}

impl Options {
    /// Bounded as the store says itself, else by 8 GiB and 2^20 entries, durable as [`Durability::Process`], for this user alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes that records may take; beyond it, what was used least recently goes. While several processes write, each may
    /// go over it by a sixteenth.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes.max(64 << 10));
        self
    }

    /// Number of entries there may be; beyond it, what was used least recently goes.
    #[must_use]
    pub fn max_entries(mut self, entries: u64) -> Self {
        self.max_entries = Some(entries.max(1));
        self
    }

    /// What a put survives once it has returned.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Only to read: nothing is made, locked or noted in the directory, which need not be writable.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Takes a directory that other users may write to. They can make this process read what they like, and end it.
    ///
    /// What is made in it may be read and written by those who may do so with the directory, whatever the umask, and is of its
    /// group. It should not be sticky, as `/tmp` is: there no user can take away the files of others, and what others have
    /// put is never evicted.
    #[must_use]
    pub fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    /// Takes a directory of another machine for writing. Only one machine may use it at a time.
    #[must_use]
    pub fn network(mut self, network: bool) -> Self {
        self.network = network;
        self
    }

    /// Length of segments in bytes, instead of a sixteenth of the store between 64 KiB and 64 MiB.
    #[must_use]
    pub fn segment_length(mut self, bytes: u64) -> Self {
        self.segment_bytes = Some(bytes.clamp(4 << 10, 1 << 38));
        self
    }

    /// What makes a context that knows the dialects of modules that are put as bytes: where to find their symbols is noted
    /// beside large ones. Without it, `builtin` alone is known: every symbol is found all the same, but among operations of other dialects by
    /// looking through them. Each put makes one, so that no names of modules stay in memory.
    ///
    /// ```
    /// let options = mlirbc_store::Options::new().context(mlirbc_dialects::context);
    /// ```
    #[must_use]
    pub fn context(mut self, make: fn() -> Context) -> Self {
        self.context = make;
        self
    }

    pub(crate) fn segment_bytes(&self) -> u64 {
        self.segment_bytes.unwrap_or((self.most_bytes() / 16).clamp(64 << 10, 64 << 20))
    }

    /// Bytes and entries there may be.
    pub(crate) fn bounds(&self) -> (u64, u64) {
        (self.most_bytes(), self.most_entries())
    }

    pub(crate) fn most_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or(8 << 30)
    }

    pub(crate) fn most_entries(&self) -> u64 {
        self.max_entries.unwrap_or(1 << 20)
    }

    /// With what is kept with the store, where nothing else was asked for.
    pub(crate) fn within(self, kept: Limits) -> Self {
        let kept = [kept.max_bytes.map(|bytes| bytes.max(64 << 10)), kept.max_entries.map(|entries| entries.max(1))];
        Options { max_bytes: self.max_bytes.or(kept[0]), max_entries: self.max_entries.or(kept[1]), ..self }
    }

    /// Down to what eviction goes.
    pub(crate) fn target(&self) -> (u64, u64) {
        (self.most_bytes() / 8 * 7, self.most_entries() - self.most_entries() / 8)
    }
}
