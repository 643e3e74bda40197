//! The tests of `mlirbc-dialects`, in one program: linking each alone would take longer than running it.

mod encodings;
mod linalg;
