//! Inherent and discardable attributes, where a file does not keep them apart.

use crate::attribute::AttributeData;
use crate::body::AttributeRef;
use crate::context::OperationName;
use crate::error::Result;
use crate::module::Module;
use crate::ods::PropertyKind;

/// Splits the dictionary of an operation as files before bytecode version 5 hold it: discardable attributes, if there
/// are any, and those that the operation's definition names. An operation that is not defined has only discardable
/// ones.
///
/// # Errors
/// Where the dictionary cannot be decoded.
pub fn split_attributes(
    module: &Module,
    name: OperationName,
    attributes: Option<AttributeRef>,
) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
    let context = module.context();
    let Some(definition) = context.definition(name).filter(|definition| !definition.properties.is_empty()) else {
        return Ok((attributes, None));
    };
    let entries = match attributes.map(|attributes| module.attribute(attributes)).transpose()? {
        Some(dictionary) => match &context[dictionary] {
            AttributeData::Dictionary(entries) => &**entries,
            // What is opaque cannot be split.
            _ => return Ok((attributes, None)),
        },
        None => &[],
    };
    let mut inherent = Vec::new();
    let mut discardable = Vec::new();
    for &(key, value) in entries {
        let bytes = context.bytes(key);
        // Up to LLVM 16 segment sizes had other names.
        let (legacy, bytes) = match bytes {
            b"operand_segment_sizes" => (true, &b"operandSegmentSizes"[..]),
            b"result_segment_sizes" => (true, &b"resultSegmentSizes"[..]),
            bytes => (false, bytes),
        };
        let member = definition.properties.iter().find(|member| member.name.as_bytes() == bytes);
        match member {
            Some(member)
                if !legacy
                    || matches!(member.kind, PropertyKind::OperandSegments(_) | PropertyKind::ResultSegments(_)) =>
            {
                inherent.push((context.identifier(bytes), value));
            }
            _ => discardable.push((key, value)),
        }
    }
    let inherent = context.dictionary(inherent)?;
    let discardable = match discardable.is_empty() {
        true => None,
        false => Some(context.dictionary(discardable)?.into()),
    };
    Ok((discardable, Some(inherent.into())))
}
