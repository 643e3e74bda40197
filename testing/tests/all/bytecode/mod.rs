//! Tests of `mlirbc-bytecode`, with the dialects of upstream.

mod common;
mod every_byte;
mod interface;
mod llvm_and_quant;
mod malformed;
mod million;
mod nesting;
mod opaque;
mod outermost;
mod property_blobs;
mod questionable;
mod reader;
mod toy;
mod unknown;
mod writer;
