//! `convert-memref-to-spirv` (`mlir/lib/Conversion/MemRefToSPIRV`): the dialect `memref` to the dialect `spirv`, where memory spaces
//! are storage classes, as [`map-memref-spirv-storage-class`](storage_class) makes them.
//!
//! Numbers that the target cannot keep in memory as they are stand in wider ones: they are taken out of these, and put into them by two
//! atomic operations.
//!
//! Memory of a workgroup is a variable of the module. It is declared by the [pass](crate::to_spirv::declare_variables) when all is converted: patterns
//! look at one function at a time.

mod accesses;
mod atomics;
pub mod storage_class;

use mlirbc_ir::{AttributeData, DYNAMIC, OpId, Type, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use rspirv::spirv::{Capability, StorageClass};

use crate::common::{Look, Rw, element, reference};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::memory::{class_of, pointee};
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::variables::WORKGROUP_MEMORY;
use crate::to_spirv::{BOOL_BITS, SpirvPatterns, SpirvTypeConverter, TypeOptions, WIDE_INDEX};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-memref-to-spirv",
    about: "convert the dialect memref to the dialect spirv",
    options: &[BOOL_BITS, WIDE_INDEX],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv { name: INFO.name, options: TypeOptions::of(options)?, patterns, legal: casts_stay }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    let set = set
        .on("memref.alloca", of_function)
        .on("memref.alloc", of_workgroup)
        .on("memref.dealloc", freed)
        .on("memref.memory_space_cast", class_cast)
        .on("memref.reinterpret_cast", reinterpreted)
        .on("memref.cast", cast)
        .on("memref.extract_aligned_pointer_as_index", number_of_pointer);
    atomics::add_to(accesses::add_to(set))
}

/// Whether memory of that type can be a variable of that class.
fn check_variable(rw: &Rw<'_, '_>, ty: Type, class: StorageClass) -> Outcome {
    let context = rw.context();
    let numbers = |ty| matches!(context[ty], TypeData::Integer { .. } | TypeData::Float(_));
    let fits = match &context[ty] {
        TypeData::MemRef { shape, element: of, .. } => {
            !shape.contains(&DYNAMIC)
                && numbers(match context[*of] {
                    TypeData::Vector { .. } => element(context, *of),
                    _ => *of,
                })
        }
        _ => false,
    };
    match fits && class_of(rw, ty)? == class {
        true => Ok(()),
        false => Err(NoMatch::Reason("memory that is no variable of SPIR-V")),
    }
}

fn of_function(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    check_variable(rw, rw.result_type(op)?, StorageClass::Function)?;
    let ty = rw.converted_result(op)?;
    let context = rw.context();
    let class = enumerant(context, EnumKind::StorageClass, StorageClass::Function as u32);
    let made = rw.emit_with("spirv.Variable", &[], ty, vec![(context.static_identifier("storage_class"), class)])?;
    Ok(rw.replace(op, [made])?)
}

fn of_workgroup(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    check_variable(rw, rw.result_type(op)?, StorageClass::Workgroup)?;
    let ty = rw.converted_result(op)?;
    let context = rw.context();
    let name = reference(context, context.identifier(WORKGROUP_MEMORY));
    let name = (context.static_identifier("variable"), name);
    let made = rw.emit_with("spirv.mlir.addressof", &[], ty, vec![name])?;
    Ok(rw.replace(op, [made])?)
}

fn freed(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    check_variable(rw, rw.operand_type(op, 0)?, StorageClass::Workgroup)?;
    Ok(rw.erase(op)?)
}

/// From one class of memory to another, through the generic one.
fn class_cast(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    if !spirv.has(Capability::Kernel) {
        return Err(NoMatch::Reason("the target has no generic pointers"));
    }
    let (from, to) = (rw.operand_type(op, 0)?, rw.result_type(op)?);
    let (from_class, to_class) = (class_of(rw, from)?, class_of(rw, to)?);
    let ty = rw.convert_type(to)?;
    let context = rw.context();
    let mut value = operands.get(0)?;
    if from_class != StorageClass::Generic {
        let mut generic = ty;
        if let (true, TypeData::MemRef { shape, element, layout, .. }) =
            (to_class != StorageClass::Generic, &context[from])
        {
            let space = Some(enumerant(context, EnumKind::StorageClass, StorageClass::Generic as u32));
            let between = TypeData::MemRef { shape: shape.clone(), element: *element, layout: *layout, space };
            generic = rw.convert_type(context.ty(between))?;
        }
        value = rw.emit("spirv.PtrCastToGeneric", &[value], generic)?;
    }
    if to_class != StorageClass::Generic {
        value = rw.emit("spirv.GenericCastToPtr", &[value], ty)?;
    }
    Ok(rw.replace(op, [value])?)
}

fn cast(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let value = operands.get(0)?;
    match rw.ty(value)? == rw.converted_result(op)? {
        true => Ok(rw.replace(op, [value])?),
        false => Err(NoMatch::Reason("a cast between memory of different types")),
    }
}

/// The same memory from an offset on.
fn reinterpreted(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let value = operands.get(0)?;
    let ty = rw.ty(value)?;
    pointee(rw, ty)?;
    if rw.converted_result(op)? != ty {
        return Err(NoMatch::Reason("memory of another type"));
    }
    let context = rw.context();
    let AttributeData::DenseArray { data, .. } = &context[rw.attribute(op, "static_offsets")?] else {
        return Err(NoMatch::Reason("offsets of another form"));
    };
    let offset = data.first_chunk::<8>().map(|bytes| i64::from_le_bytes(*bytes));
    let offset = match offset {
        Some(0) => return Ok(rw.replace(op, [value])?),
        Some(DYNAMIC) => operands.get(1)?,
        Some(offset) => rw.integer(spirv.index_type(context), offset as u64)?,
        None => return Err(NoMatch::Reason("memory without an offset")),
    };
    let made = rw.emit("spirv.InBoundsPtrAccessChain", &[value, offset], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn number_of_pointer(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = spirv.index_type(rw.context());
    let made = rw.emit("spirv.ConvertPtrToU", &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}
