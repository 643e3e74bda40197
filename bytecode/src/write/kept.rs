//! What a writer keeps from one module to the next: room, with what is known of its context.

use std::sync::{Mutex, PoisonError};

use mlirbc_ir::ods::Release;

use super::room::Room;

/// How many rooms are kept: for threads that write at the same time, and for files of different kinds.
const ROOMS: usize = 8;

/// What is known is good for: a version of bytecode, and what [`Target::kind`](super::target::Target::kind) gives.
pub(super) type Kind = (u64, Release, bool, Option<Release>);

/// Rooms that modules have left, the last one last. None of what is known there is anything that the context would not say again.
#[derive(Default)]
pub(super) struct Kept {
    rooms: Mutex<Vec<(Kind, Room)>>,
}

impl Kept {
    /// Room that a module of that kind has left, or new room.
    pub(super) fn room(&self, kind: Kind) -> Room {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        match rooms.iter().rposition(|room| room.0 == kind) {
            Some(at) => rooms.remove(at).1,
            None => Room::default(),
        }
    }

    /// Takes the room of a module that was written.
    pub(super) fn give_back(&self, kind: Kind, mut room: Room) {
        if room.clear() {
            let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            if rooms.len() == ROOMS {
                // That which was not wanted for the longest time.
                rooms.remove(0);
            }
            rooms.push((kind, room));
        }
    }
}
