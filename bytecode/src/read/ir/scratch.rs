//! What reading a body takes, and the next one takes again.

use std::cell::Cell;

use super::*;

/// Room that a thread takes for one body after the other: most are small.
#[derive(Default)]
pub(super) struct Scratch {
    /// The body being filled is the last one; those before it wait for it.
    #[expect(clippy::vec_box, reason = "what goes from one list to the other is not to be copied")]
    pub(super) builds: Vec<Box<Build>>,
    pub(super) frames: Vec<Frame>,
    /// Values by their numbers in the file, of every scope that is open.
    pub(super) scope: Vec<Value>,
    /// The arguments of the block being read.
    pub(super) arguments: Vec<(TypeRef, Option<AttributeRef>)>,
    /// What bodies that are done were filled in.
    #[expect(clippy::vec_box, reason = "as that of the others")]
    done: Vec<Box<Build>>,
}

impl Scratch {
    /// What has room for more than this is not kept.
    const MOST: usize = 1 << 12;

    /// How many bodies may be filled at once in room that is kept.
    const DONE: usize = 4;

    const NEW: Self =
        Scratch { builds: Vec::new(), frames: Vec::new(), scope: Vec::new(), arguments: Vec::new(), done: Vec::new() };

    /// That of this thread, or new.
    pub(super) fn take() -> Self {
        SCRATCH.try_with(Cell::take).unwrap_or_default()
    }

    /// A body to be filled.
    pub(super) fn build(&mut self, id: BodyId, regions: u32) -> Box<Build> {
        let mut build = self.done.pop().unwrap_or_else(|| Box::new(Build::new(id)));
        build.id = id;
        build.body.begin(regions);
        build
    }

    /// Takes back what was filled, with nothing in it.
    pub(super) fn give_back(&mut self, mut build: Box<Build>) {
        (build.orders, build.unmarked, build.undefined) = (Vec::new(), Vec::new(), None);
        self.done.push(build);
    }

    fn is_small(&self) -> bool {
        let (builds, frames) = (self.builds.capacity(), self.frames.capacity());
        builds.max(frames).max(self.scope.capacity()).max(self.arguments.capacity()) <= Self::MOST
    }
}

thread_local! {
    static SCRATCH: Cell<Scratch> = const { Cell::new(Scratch::NEW) };
}

impl Drop for BodyReader<'_> {
    fn drop(&mut self) {
        let scratch = &mut self.room;
        scratch.builds.clear();
        scratch.frames.clear();
        scratch.scope.clear();
        scratch.done.truncate(Scratch::DONE);
        if scratch.is_small() {
            // A thread that ends has no more use for it.
            let _ = SCRATCH.try_with(|kept| kept.set(std::mem::take(scratch)));
        }
    }
}
