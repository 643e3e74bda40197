//! Operations that a processor has no counterpart of, with the reason.

use std::collections::HashSet;

use mlirbc_ir::{
    AttributeData, BodyId, Context, Error, Identifier, Module, OpId, OpRef, OperationName, Result, Rewriter, Type,
    TypeData,
};
use mlirbc_rewrite::conversion::not_legalized;
use mlirbc_spirv::dialect::types::{SpirvType, view};

use super::emit::symbol;
use super::{OfNames, bodies_in, operations};

const IMAGES: &str = "a processor has no images and no samplers";
const RASTERISER: &str = "what is interpolated is known to a rasteriser alone";
const ORDER: &str = "a processor does not order fragments";
const FRAGMENTS: &str = "a processor has no fragments around this one";
const ATTACHMENTS: &str = "a processor has no attachments";
const DISCARDED: &str = "there is no fragment to be discarded";
const GEOMETRY: &str = "there is no rasteriser to give vertices to";
const MATRICES: &str = "a matrix that all invocations of a group hold together";
const GRAPHS: &str = "a graph of tensors is for another machine";
const TENSORS: &str = "a tensor is for another machine";
const NODES: &str = "a graph of nodes is for another machine";
const BLOCKS: &str = "what all invocations of a subgroup read or write together";
const RAYS: &str = "a processor traces no rays";
const PIPES: &str = "a processor has no pipes";
const QUEUES: &str = "a processor has no queue of kernels";
const BARRIERS: &str = "a processor has no barriers that are made at run time";
const ASSEMBLY: &str = "assembly is for another machine";
const CIRCUITS: &str = "numbers and sequences of a circuit are for another machine";
const UNTYPED: &str = "what a pointer without a type leads to is not known";
const CLASSES: &str = "a processor has one memory, and no pointer says of which storage class it is";
const MACHINE: &str = "an instruction of another machine";
const BUFFERS: &str = "where a buffer is described is not known";

/// How the names of such operations begin, behind `spirv.` and `Op`.
const BEGINNINGS: &[(&str, &str)] = &[
    ("ARM.Graph", GRAPHS),
    ("AllocateNodePayloads", NODES),
    ("ArbitraryFloat", CIRCUITS),
    ("Asm", ASSEMBLY),
    ("BeginInvocationInterlock", ORDER),
    ("BitCastArray", MATRICES),
    ("BitwiseFunction", MACHINE),
    ("BufferPointer", BUFFERS),
    ("BuildNDRange", QUEUES),
    ("CaptureEventProfilingInfo", QUEUES),
    ("ColorAttachmentRead", ATTACHMENTS),
    ("CommitReadPipe", PIPES),
    ("CommitWritePipe", PIPES),
    ("CompositeConstructCoopMat", MATRICES),
    ("CompositeExtractCoopMat", MATRICES),
    ("ConditionalCopyObject", MACHINE),
    ("ConvertHandleTo", IMAGES),
    ("ConvertImageToU", IMAGES),
    ("ConvertSampledImageToU", IMAGES),
    ("ConvertSamplerToU", IMAGES),
    ("ConvertUToAccelerationStructure", RAYS),
    ("ConvertUToImage", IMAGES),
    ("ConvertUToSampledImage", IMAGES),
    ("ConvertUToSampler", IMAGES),
    ("CooperativeMatrix", MATRICES),
    ("CooperativeVector", MATRICES),
    ("CreatePipeFromPipeStorage", PIPES),
    ("CreateTensor", TENSORS),
    ("CreateUserEvent", QUEUES),
    ("DPdx", FRAGMENTS),
    ("DPdy", FRAGMENTS),
    ("DemoteToHelperInvocation", DISCARDED),
    ("DepthAttachmentRead", ATTACHMENTS),
    ("EXT.EmitMeshTasks", GEOMETRY),
    ("EXT.SetMeshOutputs", GEOMETRY),
    ("EmitMeshTasks", GEOMETRY),
    ("EmitStreamVertex", GEOMETRY),
    ("EmitVertex", GEOMETRY),
    ("EndInvocationInterlock", ORDER),
    ("EndPrimitive", GEOMETRY),
    ("EndStreamPrimitive", GEOMETRY),
    ("Enqueue", QUEUES),
    ("ExecuteCallable", RAYS),
    ("ExtractSubArray", MATRICES),
    ("FetchMicroTriangle", RAYS),
    ("FinishWritingNodePayload", NODES),
    ("Fixed", CIRCUITS),
    ("FragmentFetch", FRAGMENTS),
    ("FragmentMaskFetch", FRAGMENTS),
    ("Fwidth", FRAGMENTS),
    ("GL.InterpolateAt", RASTERISER),
    ("GenericPtrMemSemantics", CLASSES),
    ("GetDefaultQueue", QUEUES),
    ("GetKernel", QUEUES),
    ("GetMaxPipePackets", PIPES),
    ("GetNumPipePackets", PIPES),
    ("HitObject", RAYS),
    ("INTEL.SubgroupBlock", BLOCKS),
    ("IgnoreIntersection", RAYS),
    ("Image", IMAGES),
    ("IsHelperInvocation", FRAGMENTS),
    ("IsNodePayloadValid", NODES),
    ("IsValidEvent", QUEUES),
    ("IsValidReserveId", PIPES),
    ("KHR.CooperativeMatrix", MATRICES),
    ("Kill", DISCARDED),
    ("MaskedGather", MACHINE),
    ("MaskedScatter", MACHINE),
    ("MemoryNamedBarrier", BARRIERS),
    ("NamedBarrierInitialize", BARRIERS),
    ("NodePayloadArrayLength", NODES),
    ("RayQuery", RAYS),
    ("RawAccessChain", MACHINE),
    ("ReadPipe", PIPES),
    ("ReleaseEvent", QUEUES),
    ("ReorderThread", RAYS),
    ("ReportIntersection", RAYS),
    ("Reserve", PIPES),
    ("RetainEvent", QUEUES),
    ("SampledImage", IMAGES),
    ("SamplerImageAddressingMode", IMAGES),
    ("SetMeshOutputs", GEOMETRY),
    ("SetUserEventStatus", QUEUES),
    ("StencilAttachmentRead", ATTACHMENTS),
    ("SubgroupBlock", BLOCKS),
    ("TaskSequence", CIRCUITS),
    ("Tensor", TENSORS),
    ("TerminateInvocation", DISCARDED),
    ("TerminateRay", RAYS),
    ("TraceMotion", RAYS),
    ("TraceNV", RAYS),
    ("TraceRay", RAYS),
    ("Untyped", UNTYPED),
    ("VmeImage", IMAGES),
    ("WritePackedPrimitiveIndices", GEOMETRY),
    ("WritePipe", PIPES),
];

/// Why no operation of that name is converted, with the dialect in front: `spirv.ImageRead`. `None` where some are, or where it is
/// unknown.
pub fn reason_against(operation: &str) -> Option<&'static str> {
    let name = operation.strip_prefix("spirv.")?;
    let names = [Some(name), name.strip_prefix("Op")];
    let reasons = names
        .into_iter()
        .flatten()
        .map(|name| BEGINNINGS.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|known| known.1));
    reasons.flatten().next()
}

/// How the names of types of the grammar begin that a processor has no values of, behind `Type`.
const TYPES: &[(&str, &str)] = &[
    ("AccelerationStructure", RAYS),
    ("Avc", IMAGES),
    ("Buffer", BUFFERS),
    ("CooperativeMatrix", MATRICES),
    ("CooperativeVector", MATRICES),
    ("DeviceEvent", QUEUES),
    ("Graph", GRAPHS),
    ("HitObject", RAYS),
    ("NamedBarrier", BARRIERS),
    ("NodePayload", NODES),
    ("Pipe", PIPES),
    ("Queue", QUEUES),
    ("RayQuery", RAYS),
    ("ReserveId", PIPES),
    ("Sampler", IMAGES),
    ("TaskSequence", CIRCUITS),
    ("Tensor", TENSORS),
    ("UntypedPointer", UNTYPED),
    ("VmeImage", IMAGES),
];

/// Why a processor has no values of a type: of one of its parts, where it has such.
fn reason_against_type(context: &Context, ty: Type) -> Option<&'static str> {
    let (mut left, mut seen) = (vec![ty], HashSet::from([ty]));
    while let Some(ty) = left.pop() {
        let parts = match view(context, ty) {
            Some(SpirvType::Image(_) | SpirvType::SampledImage(_)) => return Some(IMAGES),
            Some(SpirvType::CooperativeMatrix { .. }) => return Some(MATRICES),
            Some(SpirvType::Tensor { .. }) => return Some(TENSORS),
            Some(SpirvType::Other { instruction, .. }) => {
                let name = instruction.name.strip_prefix("Type").unwrap_or(instruction.name);
                let known = TYPES.iter().find(|(beginning, _)| name.starts_with(beginning));
                if let Some(known) = known {
                    return Some(known.1);
                }
                Vec::new()
            }
            Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. }) => vec![element],
            Some(SpirvType::Struct(of)) => of.members.into_iter().map(|member| member.ty).collect(),
            // What a pointer leads to may be anything.
            _ => Vec::new(),
        };
        left.extend(parts.into_iter().filter(|part| seen.insert(*part)));
    }
    None
}

/// What a pointer leads to.
fn pointee(context: &Context, ty: Type) -> Option<Type> {
    match view(context, ty) {
        Some(SpirvType::Pointer { pointee, .. }) => Some(pointee),
        _ => None,
    }
}

/// The type of a global variable, behind its pointer.
fn held(global: OpRef<'_>) -> Result<Option<Type>> {
    let context = global.module().context();
    Ok(match global.attribute("type")?.map(|ty| &context[ty]) {
        Some(AttributeData::Type(ty)) => pointee(context, *ty),
        _ => None,
    })
}

/// Whether a processor has no values of a type.
pub(super) fn is_strange(context: &Context, ty: Type) -> bool {
    reason_against_type(context, ty).is_some()
}

/// Of these global variables, keeps those that nothing within an operation uses. That an entry point names one is no use.
pub(super) fn keep_unused(within: OpRef<'_>, globals: &mut hashbrown::HashSet<(BodyId, Identifier)>) -> Result<()> {
    let context = within.module().context();
    for op in within.walk()? {
        let names = if op.is("spirv.mlir.addressof") {
            ["variable", "variable"]
        } else if op.is("spirv.GlobalVariable") {
            ["initializer", "spirv_binary.initializer"]
        } else {
            continue;
        };
        for name in names {
            let Some(name) = op.attribute(name)?.and_then(|name| symbol(context, name).ok()) else { continue };
            // In the same module, or in that of the function.
            globals.remove(&(op.body_id(), name));
            if let Some((holder, _)) = op.module().owner(op.body_id()) {
                globals.remove(&(holder, name));
            }
        }
    }
    Ok(())
}

/// Refuses a module with such an operation, before anything is said of the types and variables that it needs.
pub(super) fn refuse(module: &Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let mut known = OfNames::default();
    let mut reason_for =
        |name: OperationName| known.get(name, || reason_against(&module.context().operation_str(name)));
    let top = module.operation(body, op)?.body();
    let mut is_refused = top.preorder_of(op).any(|op| reason_for(top.name(op)).is_some());
    for id in bodies_in(module, (body, op))? {
        let body = module.body(id)?;
        is_refused |= operations(body).any(|op| reason_for(body.name(op)).is_some());
    }
    if !is_refused {
        return Ok(());
    }
    for op in module.operation(body, op)?.walk()? {
        if let Some(reason) = reason_for(op.operation_name()) {
            return Err(not_legalized(op, true, Some(reason)));
        }
    }
    Ok(())
}

/// Refuses a body that is converted with such an operation left in it, where no block leads to it.
pub(super) fn check(rw: &Rewriter<'_>) -> Result<()> {
    let reason_for = |op: OpId| reason_against(&rw.op(op).name());
    match rw.body().preorder().find_map(|op| Some((op, reason_for(op)?))) {
        Some((op, reason)) => Err(not_legalized(rw.op(op), true, Some(reason))),
        None => Ok(()),
    }
}

/// The error that an operation needs a type which a processor does not have, where one does: global variables that are not used do not.
pub(super) fn type_reason(
    module: &Module,
    (body, op): (BodyId, OpId),
    is_unused: impl Fn(BodyId, Identifier) -> bool,
) -> Result<Option<Error>> {
    let context = module.context();
    for op in module.operation(body, op)?.walk()? {
        if context.bytes(context.operation_dialect(op.operation_name())) != b"spirv" {
            continue;
        }
        let mut types: Vec<Type> = op.results().map(|result| op.type_of(result)).collect::<Result<_>>()?;
        if op.is("spirv.Variable") {
            types = types.into_iter().filter_map(|ty| pointee(context, ty)).collect();
        } else if op.is("spirv.GlobalVariable") {
            let is_unused = op.symbol_name()?.is_some_and(|name| is_unused(op.body_id(), name));
            types.extend(held(op)?.filter(|_| !is_unused));
        } else if op.is("spirv.func")
            && let Some(AttributeData::Type(ty)) = op.attribute("function_type")?.map(|ty| &context[ty])
            && let TypeData::Function { inputs, results } = &context[*ty]
        {
            types.extend(inputs.iter().chain(results.iter()));
        }
        if let Some(reason) = types.into_iter().find_map(|ty| reason_against_type(context, ty)) {
            return Ok(Some(not_legalized(op, true, Some(reason))));
        }
    }
    Ok(None)
}
