//! Where members and elements stand in memory: by MLIR's rule (`mlir/Dialect/SPIRV/Utils/LayoutUtils.h`), and by those of Vulkan.

use hashbrown::HashMap;
use mlirbc_ir::{Context, Type, TypeData};

use super::{Decoration, Member, NumberOrSymbol, SpirvType, array, runtime_array, structure, view};

/// So many types in each other have a layout; one that is deeper has none.
const DEEPEST: u32 = 256;

/// Decorations of members that are matrices.
const ROW_MAJOR: u32 = 4;
const COLUMN_MAJOR: u32 = 5;
const MATRIX_STRIDE: u32 = 7;

/// By which rule parts stand in memory.
///
/// Two or four numbers in a vector stand at multiples of the size of all of them and three as four do, where it is not said otherwise;
/// arrays and structs at multiples of what their parts do. Structs end at such a multiple, and so do elements of arrays, which is how far
/// they are from each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rule {
    /// MLIR's: elements of arrays are so far from each other as they are large, which is 12 for vectors of three `f32`. Nothing is said of
    /// matrices, whose columns stand one behind the other at multiples of a number; decorations of structs are left out.
    #[default]
    Upstream,
    /// GLSL's `std140`, for uniform blocks: elements of arrays, columns of matrices and structs stand at multiples of 16, too.
    Std140,
    /// GLSL's `std430`, for storage buffers and push constants.
    Std430,
    /// That of `VK_EXT_scalar_block_layout`: vectors stand at multiples of one number, and structs end with their last member.
    Scalar,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 4] = [Rule::Upstream, Rule::Std140, Rule::Std430, Rule::Scalar];

    /// How options call it.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Upstream => "upstream",
            Rule::Std140 => "std140",
            Rule::Std430 => "std430",
            Rule::Scalar => "scalar",
        }
    }

    /// The rule of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// At multiples of how many bytes an array, a matrix or a struct stands of which parts stand at multiples of so many.
    fn around(self, alignment: u64) -> Option<u64> {
        match self {
            Rule::Std140 => alignment.checked_next_multiple_of(16),
            _ => Some(alignment),
        }
    }
}

/// How a type stands in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The type, with offsets and strides.
    pub ty: Type,
    /// How many bytes it takes; 0 for an array whose length is known at run time.
    pub size: u64,
    /// It stands at multiples of so many bytes: at least 1.
    pub alignment: u64,
    /// How far elements of an array are from each other, or columns of a matrix, or its rows where it stands row by row; 0 for other types.
    pub stride: u64,
}

/// How a type stands in memory by a rule: see [`Layouts::of`]. Who asks for many asks one [`Layouts`].
///
/// ```
/// use mlirbc_ir::Context;
/// use mlirbc_spirv::dialect::types::{Member, Rule, Struct, array, layout, structure};
///
/// let context = Context::new();
/// let word = context.integer_type(32);
/// let members = vec![Member::from(word), Member::from(array(&context, word, 2, 0))];
/// let block = structure(&context, &Struct { members, ..Struct::default() });
/// let [std140, std430] = [Rule::Std140, Rule::Std430].map(|rule| layout(&context, block, rule).map(|it| it.size));
/// assert_eq!((std140, std430), (Some(48), Some(12)));
/// ```
pub fn layout(context: &Context, ty: Type, rule: Rule) -> Option<Layout> {
    Layouts::new(context, rule).of(ty)
}

/// Finds layouts of types, each once.
#[derive(Debug)]
pub struct Layouts<'c> {
    context: &'c Context,
    rule: Rule,
    /// By type, and whether matrices in it stand row by row.
    known: HashMap<(Type, bool), Option<Layout>>,
    depth: u32,
}

impl<'c> Layouts<'c> {
    /// None found yet.
    pub fn new(context: &'c Context, rule: Rule) -> Self {
        Layouts { context, rule, known: HashMap::new(), depth: 0 }
    }

    /// The layout that the rule gives to a type: members and elements as near to each other as their alignments let them stand, what was
    /// said of offsets and strides before put aside.
    ///
    /// `None` where a part has no layout: pointers, images, structs that have a name and members, numbers that SPIR-V does not have; but
    /// for MLIR's rule, truth values and vectors of more than four.
    pub fn of(&mut self, ty: Type) -> Option<Layout> {
        self.of_part(ty, false)
    }

    /// The same, where matrices may stand row by row.
    fn of_part(&mut self, ty: Type, row_major: bool) -> Option<Layout> {
        if let Some(known) = self.known.get(&(ty, row_major)) {
            return *known;
        }
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let found = self.find(ty, row_major);
        self.depth -= 1;
        self.known.insert((ty, row_major), found);
        found
    }

    fn find(&mut self, ty: Type, row_major: bool) -> Option<Layout> {
        let simple = |size, alignment| Layout { ty, size, alignment, stride: 0 };
        if let Some(bits) = scalar_bits(self.context, ty) {
            let size = u64::from(bits.div_ceil(8));
            return (bits > 1 || self.rule == Rule::Upstream).then(|| simple(size, size));
        }
        if let TypeData::Vector { element, .. } = self.context[ty] {
            let element = self.of(element)?;
            let (size, alignment) = self.vector(element.size, self.context[ty].element_count()?)?;
            return Some(simple(size, alignment));
        }
        match view(self.context, ty)? {
            SpirvType::Array { element, count: NumberOrSymbol::Known(count), .. } => {
                let (element, stride, alignment) = self.element(element, row_major)?;
                let size = match self.rule {
                    // Behind the last there is no room.
                    Rule::Scalar => stride.checked_mul(u64::from(count).checked_sub(1)?)?.checked_add(element.size)?,
                    _ => stride.checked_mul(count.into())?,
                };
                let ty = array(self.context, element.ty, count, u32::try_from(stride).ok()?);
                Some(Layout { ty, size, alignment, stride })
            }
            SpirvType::RuntimeArray { element, .. } => {
                let (element, stride, alignment) = self.element(element, row_major)?;
                let ty = runtime_array(self.context, element.ty, u32::try_from(stride).ok()?);
                Some(Layout { ty, size: 0, alignment, stride })
            }
            SpirvType::Matrix { column, columns } => {
                let number = self.of(self.context[column].element()?)?.size;
                let (mut length, mut count) = (self.context[column].element_count()?, u64::from(columns));
                if row_major {
                    (length, count) = (count, length);
                }
                let (size, alignment) = match self.rule {
                    Rule::Upstream => (length.checked_mul(number)?, number),
                    _ => self.vector(number, length)?,
                };
                let alignment = self.rule.around(alignment)?;
                let stride = size.checked_next_multiple_of(alignment)?;
                Some(Layout { ty, size: stride.checked_mul(count)?, alignment, stride })
            }
            SpirvType::Struct(known) if known.members.is_empty() => Some(simple(0, 1)),
            SpirvType::Struct(mut known) if known.name.is_none() => {
                let (mut end, mut most, count) = (0u64, 1, known.members.len());
                for (at, member) in known.members.iter_mut().enumerate() {
                    let row_major = member.decorations.iter().any(|it| it.decoration == ROW_MAJOR);
                    let of = self.of_part(member.ty, row_major)?;
                    let start = end.checked_next_multiple_of(of.alignment)?;
                    self.decorate(member, of, u32::try_from(start).ok()?, row_major)?;
                    end = match view(self.context, of.ty) {
                        // MLIR takes the largest number there is for its size, and goes on one byte before its start.
                        Some(SpirvType::RuntimeArray { .. }) if self.rule == Rule::Upstream && at + 1 < count => {
                            start.checked_sub(1)?
                        }
                        _ => start.checked_add(of.size)?,
                    };
                    most = most.max(of.alignment);
                }
                if self.rule == Rule::Upstream {
                    known.decorations.clear();
                }
                let alignment = self.rule.around(most)?;
                let size = match self.rule {
                    Rule::Scalar => end,
                    _ => end.checked_next_multiple_of(alignment)?,
                };
                Some(Layout { ty: structure(self.context, &known), size, alignment, stride: 0 })
            }
            _ => None,
        }
    }

    /// The size and alignment of so many numbers of that size.
    fn vector(&self, number: u64, count: u64) -> Option<(u64, u64)> {
        let together = match (self.rule, count) {
            (Rule::Scalar, 2..=4) => 1,
            (_, 2) => 2,
            (Rule::Upstream, _) | (_, 3 | 4) => 4,
            _ => return None,
        };
        Some((number.checked_mul(count)?, number.checked_mul(together)?))
    }

    /// The layout of an element, how far elements are from each other, and the alignment of all.
    fn element(&mut self, element: Type, row_major: bool) -> Option<(Layout, u64, u64)> {
        let of = self.of_part(element, row_major)?;
        if self.rule == Rule::Upstream {
            return Some((of, of.size, of.alignment));
        }
        // An array of arrays of which nobody knows the length.
        let is_known = !matches!(view(self.context, element), Some(SpirvType::RuntimeArray { .. }));
        let alignment = self.rule.around(of.alignment)?;
        is_known.then_some((of, of.size.checked_next_multiple_of(alignment)?, alignment))
    }

    /// Says where a member stands, and how matrices in it do.
    fn decorate(&self, member: &mut Member, of: Layout, offset: u32, row_major: bool) -> Option<()> {
        (member.ty, member.offset) = (of.ty, Some(offset));
        if self.rule == Rule::Upstream {
            return Some(());
        }
        let mut inner = member.ty;
        while let Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. }) =
            view(self.context, inner)
        {
            inner = element;
        }
        if let Some(Some(matrix)) = self.known.get(&(inner, row_major)).filter(|_| is_matrix(self.context, inner)) {
            let major = if row_major { ROW_MAJOR } else { COLUMN_MAJOR };
            let said = |decoration: u32| matches!(decoration, ROW_MAJOR | COLUMN_MAJOR | MATRIX_STRIDE);
            member.decorations.retain(|it| !said(it.decoration));
            let stride = u32::try_from(matrix.stride).ok()?;
            member.decorations.push(Decoration::plain(major));
            member.decorations.push(Decoration::with_word(self.context, MATRIX_STRIDE, stride));
        }
        Some(())
    }
}

fn is_matrix(context: &Context, ty: Type) -> bool {
    matches!(view(context, ty), Some(SpirvType::Matrix { .. }))
}

/// How many bits a number of SPIR-V has; `None` for other types.
pub(crate) fn scalar_bits(context: &Context, ty: Type) -> Option<u32> {
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
