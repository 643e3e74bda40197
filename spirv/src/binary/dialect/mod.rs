//! The dialect `spirv_binary`: one operation an instruction, in the order in which they stand.
//!
//! ```mlir
//! "spirv_binary.module"() <{header = #spirv_binary.header<"1.3", generator = 524299, bound = 4, schema = 0>}> ({
//!   "spirv_binary.Capability"() <{literals = #spirv_binary.literals<Capability.Shader>}> : () -> ()
//!   "spirv_binary.MemoryModel"() <{literals = #spirv_binary.literals<AddressingModel.Logical, MemoryModel.GLSL450>}> : () -> ()
//!   %1 = "spirv_binary.TypeFloat"() <{literals = #spirv_binary.literals<32>}> : () -> !spirv_binary.id
//! }) : () -> ()
//! ```
//!
//! Operands that are ids are operands of the operation, the type of the result first; all others are its *literals*. A
//! result is of the one type `!spirv_binary.id`. Ids are numbered in the order of their definitions, from 1; where the
//! module has other numbers, `ids` lists them. What the grammar does not know is `spirv_binary.unknown`, whose literals
//! are the instruction's words.

pub(crate) mod encoding;
mod literals;
mod operations;
pub(crate) mod source;
mod text;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, Error, Parameter, Result, Type};

pub use literals::Literal;
pub(crate) use literals::flatten;
pub(crate) use operations::UNKNOWN;

use crate::binary::Header;

/// The name of the dialect.
pub const DIALECT: &str = "spirv_binary";

/// The name of the operation that holds the instructions of a module.
pub const MODULE: &str = "spirv_binary.module";

/// The property of an instruction's operation that holds its operands that are no ids.
pub(crate) const LITERALS: &str = "literals";

/// The property of a module's operation that holds its header.
pub const HEADER: &str = "header";

/// The property of a module's operation that holds its ids, where they are not in order.
pub(crate) const IDS: &str = "ids";

/// The dialect with its operations, text and encodings, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect::new(DIALECT).ops(operations::table()).text(text::Text).bytecode(encoding::Encoding)
}

/// Registers the dialect, unless it is registered.
///
/// # Errors
/// Where the context refuses it.
pub fn register(context: &Context) -> Result<()> {
    if context.has_dialect(DIALECT) {
        return Ok(());
    }
    // Values of this type are made all the time.
    context.register_on_demand(DIALECT, |context| dialect().extension(IdType(new_id_type(context))))
}

/// The type of ids in the context that the dialect is registered in.
struct IdType(Type);

/// `!spirv_binary.id`
pub(crate) fn id_type(context: &Context) -> Type {
    let known = context.dialect(DIALECT).and_then(|dialect| dialect.get::<IdType>());
    known.map_or_else(|| new_id_type(context), |known| known.0)
}

fn new_id_type(context: &Context) -> Type {
    context.dialect_type(DIALECT, "id", [])
}

/// `#spirv_binary.literals<...>`
pub(crate) fn literals_attribute(context: &Context, literals: &[Literal]) -> Attribute {
    let parameters: Vec<Parameter> = literals.iter().map(Literal::to_parameter).collect();
    context.dialect_attribute(DIALECT, "literals", parameters)
}

/// The dictionary of an instruction's properties.
pub(crate) fn literals_dictionary(context: &Context, literals: &[Literal]) -> Result<Attribute> {
    context.dictionary(vec![(context.identifier(LITERALS), literals_attribute(context, literals))])
}

/// The parameters of an attribute of the dialect, where it is one of that mnemonic.
pub(crate) fn parameters<'c>(context: &'c Context, attribute: Attribute, mnemonic: &str) -> Option<&'c [Parameter]> {
    context.attribute_parameters(attribute, DIALECT, mnemonic)
}

/// The entry of that name in a dictionary.
pub(crate) fn entry(context: &Context, dictionary: Attribute, name: &str) -> Option<Attribute> {
    let AttributeData::Dictionary(entries) = &context[dictionary] else { return None };
    entries.iter().find(|entry| context.bytes(entry.0) == name.as_bytes()).map(|entry| entry.1)
}

/// `#spirv_binary.header<...>`
pub(crate) fn header_attribute(context: &Context, header: &Header) -> Attribute {
    let numbers = [header.version, header.generator, header.bound, header.schema];
    let mut parameters: Vec<_> = numbers.iter().map(|&word| Parameter::Unsigned(word.into())).collect();
    parameters.push(Parameter::Bool(header.big_endian));
    context.dialect_attribute(DIALECT, "header", parameters)
}

/// The header in the parameters of its attribute.
pub(crate) fn header_of(parameters: &[Parameter]) -> Option<Header> {
    let word = |at: usize| match parameters.get(at) {
        Some(Parameter::Unsigned(word)) => u32::try_from(*word).ok(),
        _ => None,
    };
    let Some(Parameter::Bool(big_endian)) = parameters.get(4) else { return None };
    Some(Header { version: word(0)?, generator: word(1)?, bound: word(2)?, schema: word(3)?, big_endian: *big_endian })
        .filter(|_| parameters.len() == 5)
}

/// A run of ids: the first, and how many.
pub(crate) type Run = (u32, u32);

/// `#spirv_binary.ids<...>`: the ids, which are not 1, 2, 3 and so on.
pub(crate) fn ids_attribute(context: &Context, runs: &[Run]) -> Attribute {
    let parameters = runs.iter().flat_map(|&(first, count)| [first, count]);
    let parameters: Vec<Parameter> = parameters.map(|number| Parameter::Unsigned(number.into())).collect();
    context.dialect_attribute(DIALECT, "ids", parameters)
}

/// The runs in the parameters of their attribute: none empty, none past 2^32.
pub(crate) fn runs_of(parameters: &[Parameter]) -> Option<Vec<Run>> {
    let (pairs, rest) = parameters.as_chunks::<2>();
    let word = |parameter: &Parameter| match parameter {
        Parameter::Unsigned(word) => u32::try_from(*word).ok(),
        _ => None,
    };
    let run = |pair: &[Parameter; 2]| {
        let (first, count) = (word(&pair[0])?, word(&pair[1])?);
        (count > 0 && first.checked_add(count - 1).is_some()).then_some((first, count))
    };
    if rest.is_empty() { pairs.iter().map(run).collect() } else { None }
}

/// Ids as runs; none where they are 1, 2, 3 and so on.
pub(crate) fn runs(ids: impl Iterator<Item = u32>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some((first, count)) if first.checked_add(*count) == Some(id) => *count += 1,
            _ => runs.push((id, 1)),
        }
    }
    if let [(1, _)] = runs[..] {
        runs.clear();
    }
    runs
}

/// The dictionary of a module's properties.
pub(crate) fn module_dictionary(context: &Context, header: &Header, runs: &[Run]) -> Result<Attribute> {
    let mut entries = vec![(context.identifier(HEADER), header_attribute(context, header))];
    if !runs.is_empty() {
        entries.push((context.identifier(IDS), ids_attribute(context, runs)));
    }
    context.dictionary(entries)
}

/// Header and runs of ids in a module's properties.
pub(crate) fn module_properties(context: &Context, dictionary: Attribute) -> Result<(Header, Vec<Run>)> {
    let part = |name: &str| {
        let attribute = entry(context, dictionary, name)?;
        Some(parameters(context, attribute, name).unwrap_or_default())
    };
    let header = part(HEADER).and_then(header_of);
    let header = header.ok_or_else(|| Error::verification(format!("`{MODULE}` has no `header`")))?;
    let runs = match part(IDS) {
        None => Vec::new(),
        Some(runs) => runs_of(runs).ok_or_else(|| Error::verification(format!("`ids` of `{MODULE}` is malformed")))?,
    };
    Ok((header, runs))
}
