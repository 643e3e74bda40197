//! Which MLIR wrote a file, or is to read it.

use std::fmt;

/// A release of MLIR, by the major version of the LLVM that it came with.
///
/// Encodings and the members of operations change from release to release while the version of the bytecode format stays
/// the same: the release says which of them a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(u16);

impl Release {
    /// The release whose bytes are written unless told otherwise, and whose operation definitions this build has.
    pub const DEFAULT: Release = Release(22);
    /// The oldest release whose layouts of properties are known: the first whose files are of bytecode version 6 are of 19.
    pub const OLDEST: Release = Release(19);
    /// The newest release that is known.
    pub const NEWEST: Release = Release(24);

    /// The release of LLVM `major`.
    pub const fn new(major: u16) -> Self {
        Release(major)
    }

    /// The major version of its LLVM.
    pub const fn major(self) -> u16 {
        self.0
    }

    /// The release that a producer string names: `MLIR22.1.8`, `LLVM20`, `MLIR24.0.0git`, or what this library writes for
    /// another release than its default, `mlirbc0.1.0 MLIR24`. `None` for any other producer.
    ///
    /// # Examples
    /// ```
    /// use mlirbc_ir::ods::Release;
    ///
    /// assert_eq!(Release::of_producer(b"MLIR24.0.0git"), Some(Release::new(24)));
    /// assert_eq!(Release::of_producer(b"StableHLO_v1.2.3"), None);
    /// ```
    pub fn of_producer(producer: &[u8]) -> Option<Self> {
        let producer = std::str::from_utf8(producer).ok()?;
        let own = producer.strip_prefix("mlirbc");
        let named = match own {
            Some(own) => own.split_once(' ').map_or("MLIR22", |(_, release)| release),
            None => producer,
        };
        let rest = named.strip_prefix("MLIR").or_else(|| named.strip_prefix("LLVM"))?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok().map(Release)
    }
}

impl Default for Release {
    fn default() -> Self {
        Release::DEFAULT
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MLIR {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_producer_names_its_release_or_none() {
        let major = |producer: &[u8]| Release::of_producer(producer).map(Release::major);
        assert_eq!(major(b"MLIR19.1.7"), Some(19));
        assert_eq!(major(b"LLVM20"), Some(20));
        assert_eq!(major(b"MLIR24.0.0git"), Some(24));
        assert_eq!(major(b"mlirbc0.1.0"), Some(22));
        assert_eq!(major(b"mlirbc0.1.0 MLIR24"), Some(24));
        for other in
            [&b""[..], b"MLIR", b"MLIRgit", b"StableHLO_v1.2.3", b"xMLIR22", b"\xff", b"MLIR99999999", b"mlirbc0 x"]
        {
            assert_eq!(major(other), None, "{other:?}");
        }
    }
}
