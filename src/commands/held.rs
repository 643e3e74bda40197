//! What is written and said while it is not the turn of an input to be shown.

use std::cell::RefCell;

/// What an input has made so far that is not shown yet: it is not its turn.
#[derive(Default)]
pub(super) struct Held {
    pub(super) out: Vec<u8>,
    pub(super) messages: Vec<String>,
}

thread_local! {
    pub(super) static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

/// Does something with what this thread holds back. `None` where it holds nothing back.
pub(super) fn held<T>(with: impl FnOnce(&mut Held) -> T) -> Option<T> {
    HELD.with_borrow_mut(|held| held.as_mut().map(with))
}
