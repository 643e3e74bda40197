//! Where members and elements stand in memory by the rules of Vulkan (`mlir/Dialect/SPIRV/Utils/LayoutUtils.h`).

use hashbrown::HashMap;
use mlirbc_ir::{Context, Type, TypeData};

use super::{NumberOrSymbol, SpirvType, array, runtime_array, structure, view};

/// So many types in each other have a layout; one that is deeper has none.
const DEEPEST: u32 = 256;

/// How a type stands in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The type, with offsets and strides.
    pub ty: Type,
    /// How many bytes it takes; 0 for an array whose length is known at run time.
    pub size: u64,
    /// It stands at multiples of so many bytes: at least 1.
    pub alignment: u64,
}

/// Finds layouts of types, each once.
#[derive(Debug)]
pub struct Layouts<'c> {
    context: &'c Context,
    known: HashMap<Type, Option<Layout>>,
    depth: u32,
}

impl<'c> Layouts<'c> {
    /// None found yet.
    pub fn new(context: &'c Context) -> Self {
        Layouts { context, known: HashMap::new(), depth: 0 }
    }

    /// The layout that MLIR gives to a type: members and elements as near to each other as their alignments let them stand, what was
    /// said of offsets and strides before put aside.
    ///
    /// An array's stride is the size of its elements, which is not rounded: that of vectors of three is 12 for `f32`. `None` where a
    /// part has no layout: pointers, images, structs that have a name and members, numbers that SPIR-V does not have.
    pub fn of(&mut self, ty: Type) -> Option<Layout> {
        if let Some(known) = self.known.get(&ty) {
            return *known;
        }
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let found = self.find(ty);
        self.depth -= 1;
        self.known.insert(ty, found);
        found
    }

    fn find(&mut self, ty: Type) -> Option<Layout> {
        if let Some(bits) = scalar_bits(self.context, ty) {
            let size = u64::from(bits.div_ceil(8));
            return Some(Layout { ty, size, alignment: size });
        }
        if let TypeData::Vector { element, .. } = self.context[ty] {
            let Layout { size, alignment, .. } = self.of(element)?;
            let count = self.context[ty].element_count()?;
            let alignment = alignment * if count == 2 { 2 } else { 4 };
            return Some(Layout { ty, size: size.checked_mul(count)?, alignment });
        }
        match view(self.context, ty)? {
            SpirvType::Array { element, count: NumberOrSymbol::Known(count), .. } => {
                let Layout { ty, size, alignment } = self.of(element)?;
                let ty = array(self.context, ty, count, u32::try_from(size).ok()?);
                Some(Layout { ty, size: size.checked_mul(count.into())?, alignment })
            }
            SpirvType::RuntimeArray { element, .. } => {
                let Layout { ty, size, alignment } = self.of(element)?;
                let ty = runtime_array(self.context, ty, u32::try_from(size).ok()?);
                Some(Layout { ty, size: 0, alignment })
            }
            SpirvType::Matrix { column, columns } => {
                let element = self.context[column].element()?;
                let Layout { size, alignment, .. } = self.of(element)?;
                let count = self.context[column].element_count()?.checked_mul(columns.into())?;
                Some(Layout { ty, size: size.checked_mul(count)?, alignment })
            }
            SpirvType::Struct(known) if known.members.is_empty() => Some(Layout { ty, size: 0, alignment: 1 }),
            SpirvType::Struct(mut known) if known.name.is_none() => {
                let (mut end, mut most) = (0u64, 1);
                for member in &mut known.members {
                    let Layout { ty, size, alignment } = self.of(member.ty)?;
                    let start = end.checked_next_multiple_of(alignment)?;
                    (member.ty, member.offset) = (ty, Some(u32::try_from(start).ok()?));
                    end = start.checked_add(size)?;
                    most = most.max(alignment);
                }
                known.decorations.clear();
                let ty = structure(self.context, &known);
                Some(Layout { ty, size: end.checked_next_multiple_of(most)?, alignment: most })
            }
            _ => None,
        }
    }
}

/// How many bits a number of SPIR-V has; `None` for other types.
fn scalar_bits(context: &Context, ty: Type) -> Option<u32> {
    match context[ty] {
        TypeData::Integer { width: width @ (1 | 8 | 16 | 32 | 64), .. } => Some(width),
        TypeData::Float(kind) if matches!(kind.width(), 8 | 16 | 32 | 64) => Some(kind.width()),
        _ => None,
    }
}

/// How many bytes a number, a vector or an array takes as MLIR counts them (`SPIRVType::getSizeInBytes`): an array of a stride has that
/// stride behind each element. `None` for other types, for boolean ones, and where it is too much.
pub fn size_in_bytes(context: &Context, ty: Type) -> Option<u64> {
    let (mut ty, mut factors) = (ty, Vec::new());
    while let Some(SpirvType::Array { element, count: NumberOrSymbol::Known(count), stride }) = view(context, ty) {
        factors.push((stride, count));
        ty = element;
    }
    let count = match context[ty] {
        TypeData::Vector { .. } => context[ty].element_count()?,
        _ => 1,
    };
    let bits = scalar_bits(context, context[ty].element().unwrap_or(ty)).filter(|&bits| bits > 1)?;
    let size = count.checked_mul(u64::from(bits / 8))?;
    let sum = |size: u64, &(stride, count): &(u32, u32)| size.checked_add(stride.into())?.checked_mul(count.into());
    factors.iter().rev().try_fold(size, sum)
}
