//! Types of every kind.

use arbitrary::Result;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::text::parse_type;
use mlirbc_ir::{Attribute, AttributeData, DYNAMIC, Signedness, TypeData};

use super::Builder;

/// Types of dialects: of those that this build knows, and of others.
const FOREIGN: &[&str] = &[
    "!quant.uniform<i8:f32, 2.0:10>",
    "!quant.any<i8<-16:7>:f32>",
    "!quant.uniform<u8:f32:1, {2.0:10, 3.5:120}>",
    "!quant.calibrated<f32<-0.998:1.2321>>",
    "!llvm.ptr",
    "!llvm.struct<(i32, ptr)>",
    "!t.d",
    "!t.d<\"x{\">",
    "!t<b[1, \"]\"]>",
    "!other.thing<#t.a, i32>",
];

impl Builder<'_, '_> {
    fn shape(&mut self, most: usize, dynamic: bool) -> Result<Box<[i64]>> {
        (0..self.below(most + 1)?)
            .map(|_| {
                Ok(match self.below(8)? {
                    0 if dynamic => DYNAMIC,
                    1 => 0,
                    2 => 1 << self.below(40)?,
                    size => size as i64 - 1,
                })
            })
            .collect()
    }

    fn memory_space(&mut self) -> Result<Option<Attribute>> {
        let space = if self.chance(2)? { Some(self.an_attribute()?) } else { None };
        Ok(space.filter(|&space| !self.context.is_default_memory_space(space)))
    }

    /// Makes a type of the earlier ones, where the rules allow it.
    pub(super) fn make_type(&mut self) -> Result<()> {
        let data = match self.below(14)? {
            0 => {
                let width =
                    self.any(&[0, 1, 3, 7, 8, 16, 31, 32, 63, 64, 65, 128, 200, TypeData::MAX_INTEGER_WIDTH])?;
                let signedness = self.any(&[Signedness::Signless, Signedness::Signed, Signedness::Unsigned])?;
                TypeData::Integer { width, signedness }
            }
            1 => TypeData::Index,
            2 => TypeData::Float(self.any(FloatKind::ALL)?),
            3 => TypeData::None,
            4 => TypeData::Function { inputs: self.some_types(3)?, results: self.some_types(3)? },
            5 => TypeData::Tuple(self.some_types(4)?),
            6 => TypeData::Complex(self.a_type()?),
            7 => {
                let shape = self.shape(3, false)?;
                let scalable: Box<[bool]> = match self.chance(3)? {
                    true => shape.iter().map(|_| self.chance(2)).collect::<Result<_>>()?,
                    false => [].into(),
                };
                TypeData::Vector { shape, scalable, element: self.a_type()? }
            }
            8 | 9 => {
                let encoding = if self.chance(4)? { Some(self.an_attribute()?) } else { None };
                TypeData::RankedTensor { shape: self.shape(3, true)?, element: self.a_type()?, encoding }
            }
            10 => TypeData::UnrankedTensor(self.a_type()?),
            11 => {
                let shape = self.shape(3, true)?;
                let any = self.an_attribute()?;
                // Of a layout of a dialect, text does not say that it is none of a memory space.
                let layout = match &self.context[any] {
                    AttributeData::AffineMap(_) | AttributeData::StridedLayout { .. } => any,
                    _ => {
                        let identity = mlirbc_ir::affine::AffineMap::identity(shape.len() as u32);
                        self.context.attribute(AttributeData::AffineMap(identity))
                    }
                };
                TypeData::MemRef { shape, element: self.a_type()?, layout, space: self.memory_space()? }
            }
            12 => TypeData::UnrankedMemRef { element: self.a_type()?, space: self.memory_space()? },
            _ => {
                let text = self.any(FOREIGN)?;
                let ty = parse_type(self.context, text.as_bytes());
                self.types.push(ty.unwrap_or_else(|error| panic!("{text}: {error}")));
                return Ok(());
            }
        };
        self.keep_type(data);
        Ok(())
    }
}
