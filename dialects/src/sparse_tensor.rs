//! `sparse_tensor`: sparse tensors.

mod enums;

pub use enums::*;

use mlirbc_ir::Dialect;
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("sparse_tensor").alias(alias)
}

fn alias(mnemonic: &[u8]) -> Option<Vec<u8>> {
    (mnemonic == b"encoding").then(|| b"sparse".to_vec())
}
