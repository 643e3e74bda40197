//! Tests of `mlirbc-ir`, with the dialects of upstream.

mod compare;
mod defined_types;
mod hooks;
mod hooks_parts;
mod interfaces;
mod llvm_types;
mod loops;
mod ods_dialect;
mod ods_upstream;
mod ods_verify;
mod short_forms;
mod support;
mod text_alike;
mod text_assembly;
mod text_attributes;
mod text_forms;
mod text_forms_bodies;
mod text_hostile;
mod text_llvm;
mod text_operations;
mod text_reference;
mod verify_edits;
