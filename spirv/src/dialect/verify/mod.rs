//! Rules of SPIR-V that MLIR's tables leave to code.
//!
//! They are those of mlir-opt, but for what MLIR alone asks and SPIR-V does not: that a vector has at most four elements,
//! that integers have 1, 8, 16, 32 or 64 bits, that pointers point to something, that the integers of an operation are
//! read alike: `OpIAdd` may add a signed integer to an unsigned one; and that a function is one entry point of a model, and not several of
//! different names.

mod module;
mod operations;
mod structure;

use std::borrow::Cow;

use mlirbc_ir::ods::Traits;
use mlirbc_ir::verify::{Checker, FunctionPart, rules};
use mlirbc_ir::{
    Attribute, AttributeData, Context, Dialect, DialectVerifier, Error, LooksAt, OpRef, Result, Type, TypeData,
};

use super::attributes::{self, DEFINITIONS, SpirvAttribute};

pub(crate) use operations::accessed;

/// Attaches the verifiers of single operations to the dialect, and its own.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .verify_with(Verifier)
        .verify_op("Return", returned)
        .verify_op("ReturnValue", returned)
        .verify_symbol_uses("FunctionCall", rules::call)
        .verify_op_by("Constant", LooksAt::TypesAndAttributes, operations::constant_type)
        .verify_op("mlir.addressof", |checker, op| rules::refers_to(checker, op, "variable", "spirv.GlobalVariable"))
}

/// What is returned is what the function around says, where that is one of this dialect: of others nobody looks, since conversions leave
/// such between two steps.
fn returned(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let mut around = op.parent_op()?;
    while let Some(parent) = around {
        if parent.has_trait(Traits::FUNCTION) {
            return match parent.is("spirv.func") {
                true => rules::returns_from_nearest_function(checker, op),
                false => Ok(()),
            };
        }
        around = parent.parent_op()?;
    }
    Ok(())
}

struct Verifier;

impl DialectVerifier for Verifier {
    fn operation(&self, op: OpRef<'_>) -> Result<()> {
        match name_in_dialect(op) {
            "func" => module::function(op),
            "GlobalVariable" => module::global_variable(op),
            "SpecConstant" => module::spec_constant(op),
            "BranchConditional" => structure::branch_conditional(op),
            "Switch" => structure::switch(op),
            "Variable" => operations::variable(op),
            "Load" => operations::load(op),
            "Store" => operations::store(op),
            "CopyMemory" => operations::copy_memory(op),
            "AccessChain" => operations::access_chain(op, 1),
            "PtrAccessChain" | "InBoundsPtrAccessChain" => operations::access_chain(op, 2),
            "CompositeExtract" => operations::extract(op),
            "CompositeInsert" => operations::insert(op),
            "CompositeConstruct" => operations::construct(op),
            "Constant" => operations::constant(op),
            "Bitcast" => operations::bitcast(op),
            "VectorShuffle" => operations::shuffle(op),
            _ => Ok(()),
        }
    }

    fn looks_at(&self, operation: &str) -> LooksAt {
        match operation {
            // What their operands are defined by, and where they go on.
            "Variable" | "AccessChain" | "PtrAccessChain" | "InBoundsPtrAccessChain" | "Switch" => LooksAt::Anything,
            "func" | "GlobalVariable" | "SpecConstant" | "BranchConditional" | "Load" | "Store" | "CopyMemory"
            | "CompositeExtract" | "CompositeInsert" | "CompositeConstruct" | "Constant" | "Bitcast"
            | "VectorShuffle" => LooksAt::TypesAndAttributes,
            _ => LooksAt::Nothing,
        }
    }

    // Names count in a module as a whole alone.
    fn looks_at_names(&self, _: &str) -> bool {
        false
    }

    fn regions(&self, op: OpRef<'_>) -> Result<()> {
        match name_in_dialect(op) {
            "module" => module::module(op),
            "SpecConstantOperation" => module::spec_constant_operation(op),
            "mlir.selection" => structure::selection(op),
            "mlir.loop" => structure::loop_op(op),
            _ => Ok(()),
        }
    }

    fn is_graph(&self, op: OpRef<'_>) -> bool {
        op.is("spirv.ARM.Graph")
    }

    // SPIR-V asks for equal widths alone, most of the time; how the bits are read is the operation's affair.
    fn mixes_signedness(&self) -> bool {
        true
    }

    // What a binary has types for that MLIR lacks is loaded, stored and handed over as all else.
    fn takes(&self, context: &Context, constraint: &str, ty: Type) -> bool {
        constraint == "SPIRV_Type" && super::is_of_grammar(context, ty)
    }

    fn attribute(&self, op: OpRef<'_>, name: &[u8], value: Attribute) -> Result<()> {
        let context = op.module().context();
        let wanted = match name {
            b"spirv.entry_point_abi" => DEFINITIONS[1].mnemonic,
            b"spirv.target_env" => "target_env",
            b"spirv.interface_var_abi" | b"spirv.decoration" => {
                return Err(wrong(format!("`{}` is an attribute of arguments", name.escape_ascii())));
            }
            _ => return Err(wrong(format!("the dialect has no attribute {}", Error::quoted(name)))),
        };
        is_named(context, name, value, wanted)
    }

    fn function_attribute(&self, op: OpRef<'_>, of: FunctionPart, name: &[u8], value: Attribute) -> Result<()> {
        let context = op.module().context();
        let is_of_graph = op.is("spirv.ARM.Graph");
        let wanted = match (of, name) {
            (FunctionPart::Result(_), _) if !is_of_graph => {
                return Err(wrong("results have no attributes of `spirv`, but for those of graphs"));
            }
            (_, b"spirv.interface_var_abi") => "interface_var_abi",
            (_, b"spirv.decoration") => "decoration",
            _ => {
                return Err(wrong(format!("the dialect has no attribute {} of arguments", Error::quoted(name))));
            }
        };
        is_named(context, name, value, wanted)?;
        let Some(SpirvAttribute::InterfaceVariable { class: Some(_), .. }) = attributes::view(context, value) else {
            return Ok(());
        };
        let Some(TypeData::Function { inputs, results }) =
            module::type_attribute(op, "function_type")?.map(|ty| &context[ty])
        else {
            return Ok(());
        };
        let ty = match of {
            FunctionPart::Argument(number) => inputs.get(number),
            FunctionPart::Result(number) => results.get(number),
        };
        // A storage class says where a number is put that is no pointer itself.
        let is_number =
            |ty: &Type| matches!(context[*ty], TypeData::Integer { .. } | TypeData::Index | TypeData::Float(_));
        need(ty.is_none_or(is_number), "'spirv.interface_var_abi' cannot say a storage class of what is no scalar")
    }
}

/// Checks that an attribute is of the kind that its name asks for.
fn is_named(context: &Context, name: &[u8], value: Attribute, wanted: &str) -> Result<()> {
    match attributes::is_of(context, value, wanted) {
        true => Ok(()),
        false => Err(wrong(format!("`{}` is no `#spirv.{wanted}`", name.escape_ascii()))),
    }
}

/// The operation's name without the dialect's.
fn name_in_dialect(op: OpRef<'_>) -> &str {
    own_name(op).unwrap_or_default()
}

/// The same; `None` for one of another dialect.
fn own_name(op: OpRef<'_>) -> Option<&str> {
    match op.name() {
        Cow::Borrowed("spirv") => Some(""),
        Cow::Borrowed(name) => name.strip_prefix("spirv."),
        // What is no UTF-8 has no rules.
        Cow::Owned(name) => (name.starts_with("spirv.") || name == "spirv").then_some(""),
    }
}

fn wrong(message: impl Into<String>) -> Error {
    Error::verification(message)
}

/// Fails with the message where a rule does not hold.
fn need(holds: bool, message: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(wrong(message)) }
}

/// The numbers of an array of integers, or of dense integers of 32 bits; `None` for any other attribute.
fn numbers(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    match &context[attribute] {
        AttributeData::Array(items) => items.iter().map(|&item| number(context, item)).collect(),
        AttributeData::DenseArray { element, data } if *element == context.integer_type(32) => {
            let (words, _) = data.as_chunks::<4>();
            Some(words.iter().map(|bytes| i32::from_le_bytes(*bytes).into()).collect())
        }
        _ => None,
    }
}

fn number(context: &Context, attribute: Attribute) -> Option<i64> {
    match &context[attribute] {
        AttributeData::Integer { value, .. } => {
            value.to_u64().and_then(|number| i64::try_from(number).ok()).or_else(|| value.to_i64())
        }
        _ => None,
    }
}
