//! Operations that a processor has no counterpart of, with the reason.

use std::collections::HashMap;

use mlirbc_ir::{BodyId, Module, OpId, OperationName, Result};
use mlirbc_rewrite::conversion::not_legalized;

const IMAGES: &str = "a processor has no images and no samplers";
const RASTERISER: &str = "what is interpolated is known to a rasteriser alone";
const ORDER: &str = "a processor does not order fragments";
const FRAGMENTS: &str = "a processor has no fragments around this one";
const DISCARDED: &str = "there is no fragment to be discarded";
const GEOMETRY: &str = "there is no rasteriser to give vertices to";
const MATRICES: &str = "a matrix that all invocations of a group hold together";
const GRAPHS: &str = "a graph of tensors is for another machine";
const BLOCKS: &str = "what all invocations of a subgroup read or write together";

/// How the names of such operations begin, behind `spirv.`.
const BEGINNINGS: &[(&str, &str)] = &[
    ("ARM.Graph", GRAPHS),
    ("BeginInvocationInterlock", ORDER),
    ("DPdx", FRAGMENTS),
    ("DPdy", FRAGMENTS),
    ("DemoteToHelperInvocation", DISCARDED),
    ("EXT.EmitMeshTasks", GEOMETRY),
    ("EXT.SetMeshOutputs", GEOMETRY),
    ("EmitMeshTasks", GEOMETRY),
    ("EmitStreamVertex", GEOMETRY),
    ("EmitVertex", GEOMETRY),
    ("EndInvocationInterlock", ORDER),
    ("EndPrimitive", GEOMETRY),
    ("EndStreamPrimitive", GEOMETRY),
    ("Fwidth", FRAGMENTS),
    ("GL.InterpolateAt", RASTERISER),
    ("INTEL.SubgroupBlock", BLOCKS),
    ("Image", IMAGES),
    ("KHR.CooperativeMatrix", MATRICES),
    ("Kill", DISCARDED),
    ("OpImage", IMAGES),
    ("OpSampledImage", IMAGES),
    ("SampledImage", IMAGES),
    ("SetMeshOutputs", GEOMETRY),
    ("SubgroupBlock", BLOCKS),
    ("TerminateInvocation", DISCARDED),
];

/// Why no operation of that name is converted, with the dialect in front: `spirv.ImageRead`. `None` where some are, or where it is
/// unknown.
pub fn reason_against(operation: &str) -> Option<&'static str> {
    let name = operation.strip_prefix("spirv.")?;
    BEGINNINGS.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|known| known.1)
}

/// Refuses a module with such an operation, before anything is said of the types and variables that it needs.
pub(super) fn refuse(module: &Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let mut known: HashMap<OperationName, Option<&'static str>> = HashMap::new();
    for op in module.operation(body, op)?.walk()? {
        let reason = known.entry(op.operation_name()).or_insert_with(|| reason_against(&op.name()));
        if reason.is_some() {
            return Err(not_legalized(op, true, *reason));
        }
    }
    Ok(())
}
