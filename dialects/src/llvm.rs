//! `llvm`: LLVM's IR.

mod assembly;
mod attributes;
mod attributes_text;
mod calls;
mod cases;
mod constants;
mod directives;
mod dwarf;
mod encoding;
mod enums;
mod facts;
mod inlining;
mod types;
mod types_text;

pub use attributes::{ATTRIBUTES, definition, parameter};
pub use cases::{calling_convention, fast_math, linkage, memory_effects, tail_call_kind};
pub use enums::*;
pub use types::{ArrayType, FunctionType, PlainType, PointerType, StructType, TargetExtType, is_compatible};

use std::sync::Arc;

use attributes::LANGUAGE_NAME;

use super::common::cases::{Brackets, Cases, EnumAttribute};
use super::common::effects::{Access, AnythingIf};
use super::common::speculation::Division;
use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::interfaces::{Branch, Effect, MemoryEffects, NamedGroups, Speculatable};
use mlirbc_ir::ods::CppClasses;
use mlirbc_ir::text::{DialectPrinter, DialectText, Parser};
use mlirbc_ir::verify::{OpTypes, TypeTests};
use mlirbc_ir::{Context, Dialect, DialectValue, Parameter, Result};
use mlirbc_rewrite::DialectRewrite;
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "llvm";

/// The dialect.
pub(super) fn dialect(context: &Context) -> Dialect {
    calls::attach(constants::attach(directives::attach(assembly::attach(defined!("llvm").inliner(inlining::Llvm)))))
        // Its other operands are those of the call.
        .interface::<dyn Branch>("invoke", Arc::new(NamedGroups(&["normalDestOperands", "unwindDestOperands"])))
        .interface::<dyn MemoryEffects>("inline_asm", Arc::new(AnythingIf("has_side_effects")))
        .interface::<dyn MemoryEffects>("load", Arc::new(Access(Effect::Read, "addr")))
        .interface::<dyn MemoryEffects>("store", Arc::new(Access(Effect::Write, "addr")))
        .interface::<dyn Speculatable>("sdiv", Arc::new(Division::Signed))
        .interface::<dyn Speculatable>("udiv", Arc::new(Division::Unsigned))
        .text(Text)
        .extension(types::Known::default())
        .alias(alias)
        .infer_types("cmpxchg", exchanged)
        .extension(classes())
        .extension(TypeTests(facts::answer))
        .bytecode(encoding::Llvm::new(context))
}

/// Types without records, and types whose records the files of other dialects leave out.
fn classes() -> CppClasses {
    let functions = facts::FUNCTIONS.iter();
    let classes = functions.fold(CppClasses::new(), |classes, [function, what]| classes.function(function, what));
    classes
        .ty("LLVM::LLVMArrayType", "array")
        .ty("LLVM::LLVMFunctionType", "func")
        .ty("LLVM::LLVMPointerType", "ptr")
        .ty("LLVM::LLVMStructType", "struct")
        .ty("LLVM::LLVMTokenType", "token")
        .ty("LLVM::LLVMVoidType", "void")
        .parameter("ptr", "getAddressSpace", "addressSpace")
        .parameter("struct", "getBody", "body")
}

/// Debug information, loops and what aliases have aliases.
fn alias(mnemonic: &[u8]) -> Option<Vec<u8>> {
    let wanted = mnemonic.starts_with(b"di_")
        && !matches!(mnemonic, b"di_expression" | b"di_expression_elem" | b"di_subrange" | b"di_flags")
        && mnemonic != LANGUAGE_NAME.as_bytes()
        || mnemonic.starts_with(b"loop_")
        || mnemonic.starts_with(b"tbaa_") && mnemonic != b"tbaa_member"
        || matches!(mnemonic, b"access_group" | b"alias_scope" | b"alias_scope_domain");
    wanted.then(|| mnemonic.to_vec())
}

/// The result is a struct of what was there and whether it was exchanged.
fn exchanged(context: &Context, types: &mut OpTypes) {
    if let Some(&[ty]) = types.operand(2)
        && let Ok(both) = StructType::literal(context, &[ty, context.integer_type(1)], false)
    {
        types.set_result(0, [both.into()]);
    }
}

/// Its attributes that are cases of enums and whose text only code says.
const WORDS: Cases = Cases(&[
    EnumAttribute::of::<CConv>("cconv", Brackets::Angle),
    EnumAttribute::of::<FramePointerKind>("framePointerKind", Brackets::Angle),
    EnumAttribute::of::<Linkage>("linkage", Brackets::Angle),
    EnumAttribute::of::<TailCallKind>("tailcallkind", Brackets::Angle),
    EnumAttribute::of::<UWTableKind>("uwtableKind", Brackets::Angle),
]);

/// The list of attributes that are cases which has that mnemonic, if one has.
fn cases(mnemonic: &[u8]) -> Cases {
    if WORDS.has(mnemonic) { WORDS } else { Cases(enums::ENUM_ATTRIBUTES) }
}

/// Text and checks of the dialect's attributes and types.
struct Text;

impl DialectText for Text {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match definition(context.bytes(value.mnemonic)) {
            Some(definition) => {
                definition.verify(context, &value.parameters)?;
                match definition.mnemonic {
                    LANGUAGE_NAME => attributes::verify_language_name(&value.parameters),
                    _ => Ok(()),
                }
            }
            None => cases(context.bytes(value.mnemonic)).verify_attribute(context, value),
        }
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        types::verify(context, value)
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let mnemonic = printer.context().bytes(value.mnemonic);
        attributes_text::print_attribute(value, printer) || cases(mnemonic).print_attribute(value, printer)
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        types_text::print(value, printer)
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        match definition(mnemonic) {
            // Languages are added between releases: one that is not known is kept.
            Some(definition) if definition.mnemonic == LANGUAGE_NAME => {
                Ok(attributes_text::parse_attribute(definition, parser).ok())
            }
            Some(definition) => attributes_text::parse_attribute(definition, parser).map(Some),
            None => cases(mnemonic).parse_attribute(mnemonic, parser),
        }
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        types_text::parse(mnemonic, parser)
    }
}
