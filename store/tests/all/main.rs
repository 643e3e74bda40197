//! The tests of `mlirbc-store`, in one program: linking each alone would take longer than running it.

mod again;
mod common;
mod content;
mod counters;
mod equal;
mod export;
mod flips;
mod large;
mod meanwhile;
mod model;
mod power;
mod processes;
#[cfg(feature = "remote")]
mod remote;
#[cfg(feature = "remote")]
mod remote_s3;
mod shared;
