//! Where parts stand in LLVM's memory, beside where SPIR-V says that they do.
//!
//! MLIR takes its own rules of layout for those of LLVM, which are others: LLVM has as much room for three numbers in a vector as for
//! four.

use mlirbc_ir::{Context, Type};
use mlirbc_spirv::dialect::types::{NumberOrSymbol, SpirvType, view};

use super::emit::{lanes, width};

/// So many types in each other are looked at.
const DEEPEST: u32 = 256;

/// How many bytes something takes, and at multiples of how many it stands.
struct Room {
    size: u64,
    alignment: u64,
}

/// Whether all parts of a type that MLIR converts stand in LLVM's memory where SPIR-V says, as far as it does.
pub(super) fn is_of_llvm(context: &Context, ty: Type) -> bool {
    room(context, ty, DEEPEST).is_some()
}

/// What LLVM has for what the type becomes; `None` where SPIR-V says otherwise of a part.
fn room(context: &Context, ty: Type, depth: u32) -> Option<Room> {
    let depth = depth.checked_sub(1)?;
    if let Some(bits) = width(context, ty) {
        let bits = u64::from(bits).checked_mul(lanes(context, ty).unwrap_or(1))?;
        let size = bits.div_ceil(8).checked_next_power_of_two()?;
        return Some(Room { size, alignment: size });
    }
    match view(context, ty) {
        Some(SpirvType::Array { element, count: NumberOrSymbol::Known(count), stride }) => {
            let Room { size, alignment } = room(context, element, depth)?;
            let size = Some(size).filter(|&size| stride == 0 || size == u64::from(stride))?;
            Some(Room { size: size.checked_mul(count.into())?, alignment })
        }
        Some(SpirvType::RuntimeArray { element, .. }) => {
            let Room { alignment, .. } = room(context, element, depth)?;
            Some(Room { size: 0, alignment })
        }
        Some(SpirvType::Struct(of)) => {
            let (mut end, mut most) = (0u64, 1);
            for member in &of.members {
                let Room { size, alignment } = room(context, member.ty, depth)?;
                if let Some(offset) = member.offset {
                    end = end.checked_next_multiple_of(alignment).filter(|&start| start == u64::from(offset))?;
                    most = most.max(alignment);
                }
                end = end.checked_add(size)?;
            }
            Some(Room { size: end.checked_next_multiple_of(most)?, alignment: most })
        }
        // Pointers.
        _ => Some(Room { size: 8, alignment: 8 }),
    }
}
