//! What is made when a file is opened, or when it is first asked for.

use std::sync::OnceLock;

use mlirbc_ir::Result;

/// A value that is made once.
pub(super) enum Lazy<T> {
    /// Made with the file: to be looked at without asking whether it is there.
    Early(T),
    Late(OnceLock<T>),
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy::Late(OnceLock::new())
    }
}

impl<T> Lazy<T> {
    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        match self {
            Lazy::Early(value) => Some(value),
            Lazy::Late(cell) => cell.get(),
        }
    }

    /// The value, made now where there is none yet.
    pub(super) fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        match self {
            Lazy::Early(value) => value,
            Lazy::Late(cell) => cell.get_or_init(make),
        }
    }

    /// As [`Lazy::get_or_init`], where it may fail; then there is none.
    #[inline]
    pub(super) fn get_or_try(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        match self {
            Lazy::Early(value) => Ok(value),
            Lazy::Late(cell) => lazily(cell, make),
        }
    }

    /// Sets the value where there is none.
    pub(super) fn set(&self, value: T) {
        self.get_or_init(|| value);
    }

    pub(super) fn take(&mut self) -> Option<T> {
        match std::mem::take(self) {
            Lazy::Early(value) => Some(value),
            Lazy::Late(cell) => cell.into_inner(),
        }
    }
}

/// What is in `cell`, made if it is empty.
pub(super) fn lazily<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}
