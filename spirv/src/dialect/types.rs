//! The types of the dialect: made by the functions here, taken apart by [`view`].
//!
//! | type | text | parameters |
//! | --- | --- | --- |
//! | [`array()`] | `!spirv.array<4 x f32, stride=16>` | count, element, stride or 0 |
//! | [`runtime_array`] | `!spirv.rtarray<f32, stride=16>` | element, stride or 0 |
//! | [`pointer()`] | `!spirv.ptr<f32, Uniform>` | pointee, storage class |
//! | [`image`] | `!spirv.image<f32, Dim2D, NoDepth, ...>` | sampled type, six enumerants, access qualifier if any |
//! | [`sampled_image`] | `!spirv.sampled_image<!spirv.image<...>>` | image |
//! | [`structure`] | `!spirv.struct<S, (f32 [0, NonWritable]), Block>` | name or none, types, offsets or none, decorations of members (member, decoration, value or none; and so on), decorations (decoration, value or none; and so on) |
//! | [`reference()`] | `!spirv.struct<S>` | name |
//! | [`matrix`] | `!spirv.matrix<4 x vector<4xf32>>` | columns, column |
//! | [`cooperative_matrix`] | `!spirv.coopmatrix<8x16xf32, Subgroup, MatrixA>` | rows, columns, element, scope, use |
//! | [`tensor`] | `!spirv.arm.tensor<2x3xf32>` | sizes or none, element |
//! | [`other`] | `!spirv.sampler`, `!spirv.pipe<ReadOnly>` | as the grammar says |
//!
//! The last are the types of the grammar that MLIR lacks: `OpTypeRayQueryKHR` is `!spirv.khr.ray_query`. MLIR knows no
//! access qualifier of an image and no symbol in place of a number either.

use mlirbc_ir::{Attribute, AttributeData, Context, DYNAMIC, DialectValue, Parameter, Type, TypeData};

use super::{DIALECT, attributes};
use crate::grammar::Instruction;

mod check;
mod layout;
mod others;
mod parts;

pub(crate) use check::check;
pub(crate) use layout::scalar_bits;
pub use layout::{Layout, Layouts, Rule, layout, size_in_bytes};
pub(super) use others::instruction;
pub use others::{is_other, mnemonic};
pub(crate) use parts::is_same;
pub use parts::{part, unfold};

/// A number of a type: itself, or the symbol of a specialization constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumberOrSymbol {
    /// The number.
    Known(u32),
    /// A symbol reference.
    Symbol(Attribute),
}

impl From<u32> for NumberOrSymbol {
    fn from(number: u32) -> Self {
        NumberOrSymbol::Known(number)
    }
}

impl NumberOrSymbol {
    fn parameter(self) -> Parameter {
        match self {
            NumberOrSymbol::Known(number) => word(number),
            NumberOrSymbol::Symbol(symbol) => Parameter::Attribute(symbol),
        }
    }

    pub(super) fn of(parameter: &Parameter) -> Option<Self> {
        match parameter {
            Parameter::Unsigned(number) => Some(NumberOrSymbol::Known(u32::try_from(*number).ok()?)),
            Parameter::Attribute(symbol) => Some(NumberOrSymbol::Symbol(*symbol)),
            _ => None,
        }
    }
}

/// What an image type is. Numbers are those of `OpTypeImage`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Image {
    /// The sampled type: what comes back from sampling or reading.
    pub sampled: Type,
    /// Dimensionality: an enumerant of `Dim`.
    pub dim: u32,
    /// 0: no depth image; 1: one; 2: not known.
    pub depth: u32,
    /// 1 where arrayed.
    pub arrayed: u32,
    /// 1 where multisampled.
    pub multisampled: u32,
    /// 0: only known at run time; 1: used with a sampler; 2: without.
    pub sampler_use: u32,
    /// An enumerant of `ImageFormat`.
    pub format: u32,
    /// An enumerant of `AccessQualifier`.
    pub access: Option<u32>,
}

/// A decoration of a struct or of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decoration {
    /// An enumerant of `Decoration`.
    pub decoration: u32,
    /// Its operand, if it has one. An integer is held as one of 32 bits where it fits, since text does not show its type.
    pub value: Option<Attribute>,
}

impl Decoration {
    /// A decoration without an operand.
    pub fn plain(decoration: u32) -> Self {
        Decoration { decoration, value: None }
    }

    /// A decoration whose operand is a word.
    pub fn with_word(context: &Context, decoration: u32, operand: u32) -> Self {
        Decoration { decoration, value: Some(context.integer(32, (operand as i32).into())) }
    }
}

/// A member of a struct.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// Its type.
    pub ty: Type,
    /// Its offset in bytes. MLIR's text has one for all members or for none.
    pub offset: Option<u32>,
    /// Its other decorations; those of a struct without a name by number.
    pub decorations: Vec<Decoration>,
}

impl From<Type> for Member {
    fn from(ty: Type) -> Self {
        Member { ty, offset: None, decorations: Vec::new() }
    }
}

/// What a struct type is.
///
/// A struct that refers to itself is closed: inside of it, it is [`reference()`]d by name. [`part`] gives
/// the types of members as they are outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Struct {
    /// The name of an identified struct: a word (`[A-Za-z_][A-Za-z0-9_$.]*`), or text cannot be read back.
    pub name: Option<Box<str>>,
    /// The members.
    pub members: Vec<Member>,
    /// Decorations of the struct itself; of one without a name by number.
    pub decorations: Vec<Decoration>,
}

/// What a type of the dialect is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpirvType<'c> {
    /// An [`array()`] of a fixed length.
    Array {
        /// What it is of.
        element: Type,
        /// How many elements it has.
        count: NumberOrSymbol,
        /// The bytes from one to the next; 0 where that is not said.
        stride: u32,
    },
    /// An array whose length is known at run time.
    RuntimeArray {
        /// What it is of.
        element: Type,
        /// The bytes from one element to the next; 0 where that is not said.
        stride: u32,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        pointee: Type,
        /// The storage class that it points into.
        class: u32,
    },
    /// An image.
    Image(Image),
    /// An image of that type, and a sampler.
    SampledImage(Type),
    /// A struct.
    Struct(Struct),
    /// The struct of that name, inside of its own members.
    Reference(&'c str),
    /// A matrix.
    Matrix {
        /// The vector that a column is.
        column: Type,
        /// How many there are.
        columns: u32,
    },
    /// A cooperative matrix of `SPV_KHR_cooperative_matrix`.
    CooperativeMatrix {
        /// How many rows it has.
        rows: NumberOrSymbol,
        /// How many columns it has.
        columns: NumberOrSymbol,
        /// What it is of.
        element: Type,
        /// Which invocations hold it together.
        scope: NumberOrSymbol,
        /// Which of the operands of a multiplication it is.
        usage: NumberOrSymbol,
    },
    /// A tensor of `SPV_ARM_tensors`.
    Tensor {
        /// Its sizes, each of which may be [`DYNAMIC`]; without them, the rank is not known.
        shape: Option<Vec<i64>>,
        /// What it is of.
        element: Type,
    },
    /// A type of the grammar that MLIR lacks.
    Other {
        /// The instruction that declares it.
        instruction: &'static Instruction,
        /// What [`other`] was given.
        operands: &'c [Parameter],
    },
}

/// The decoration `Offset`.
const OFFSET: u32 = 35;

fn word(number: u32) -> Parameter {
    Parameter::Unsigned(number.into())
}

pub(super) fn make(context: &Context, mnemonic: &'static str, parameters: impl Into<Box<[Parameter]>>) -> Type {
    context.dialect_type(DIALECT, mnemonic, parameters)
}

/// An array of so many elements; a stride of 0 stands for no stride.
pub fn array(context: &Context, element: Type, count: impl Into<NumberOrSymbol>, stride: u32) -> Type {
    make(context, "array", [count.into().parameter(), Parameter::Type(element), word(stride)])
}

/// An array whose length is known at run time; a stride of 0 stands for no stride.
pub fn runtime_array(context: &Context, element: Type, stride: u32) -> Type {
    make(context, "rtarray", [Parameter::Type(element), word(stride)])
}

/// A pointer into a storage class.
pub fn pointer(context: &Context, pointee: Type, class: u32) -> Type {
    make(context, "ptr", [Parameter::Type(pointee), word(class)])
}

/// An image.
pub fn image(context: &Context, image: &Image) -> Type {
    let Image { sampled, dim, depth, arrayed, multisampled, sampler_use, format, access } = *image;
    let mut parameters = vec![Parameter::Type(sampled)];
    parameters.extend([dim, depth, arrayed, multisampled, sampler_use, format].into_iter().chain(access).map(word));
    make(context, "image", parameters)
}

/// An image and a sampler.
pub fn sampled_image(context: &Context, image: Type) -> Type {
    make(context, "sampled_image", [Parameter::Type(image)])
}

/// A matrix of so many columns, each a vector of floats.
pub fn matrix(context: &Context, column: Type, columns: u32) -> Type {
    make(context, "matrix", [word(columns), Parameter::Type(column)])
}

/// A cooperative matrix of `SPV_KHR_cooperative_matrix`.
pub fn cooperative_matrix(
    context: &Context,
    [rows, columns]: [NumberOrSymbol; 2],
    element: Type,
    scope: NumberOrSymbol,
    usage: NumberOrSymbol,
) -> Type {
    let [rows, columns, scope, usage] = [rows, columns, scope, usage].map(NumberOrSymbol::parameter);
    make(context, "coopmatrix", [rows, columns, Parameter::Type(element), scope, usage])
}

/// A tensor of `SPV_ARM_tensors`: without a shape, its rank is not known. Sizes are all [`DYNAMIC`], or none is.
pub fn tensor(context: &Context, shape: Option<&[i64]>, element: Type) -> Type {
    let sizes = |shape: &[i64]| Parameter::List(shape.iter().map(|&size| Parameter::Signed(size)).collect());
    make(context, "arm.tensor", [shape.map_or(Parameter::None, sizes), Parameter::Type(element)])
}

/// A struct. Decorations of one without a name are put in order, and those values of theirs whose type text does not show are made plain.
/// Where some members have offsets and others do not, these become decorations.
pub fn structure(context: &Context, structure: &Struct) -> Type {
    let offsets = structure.members.iter().filter(|member| member.offset.is_some()).count();
    if offsets != 0 && offsets != structure.members.len() {
        let mut structure = structure.clone();
        for member in &mut structure.members {
            let offset = member.offset.take().map(|offset| Decoration::with_word(context, OFFSET, offset));
            member.decorations.extend(offset);
        }
        return self::structure(context, &structure);
    }
    let sorted = |decorations: &[Decoration]| {
        let mut decorations = decorations.to_vec();
        if structure.name.is_none() {
            decorations.sort_by_key(|decoration| decoration.decoration);
        }
        decorations.into_iter().flat_map(|decoration| {
            // A unit is shown as nothing.
            let value = decoration.value.filter(|&value| context[value] != AttributeData::Unit);
            let value = value.map(|value| Parameter::Attribute(attributes::untyped(context, value)));
            [word(decoration.decoration), value.unwrap_or(Parameter::None)]
        })
    };
    let name = structure.name.as_ref().map_or(Parameter::None, |name| Parameter::String(name.as_bytes().into()));
    let types = structure.members.iter().map(|member| Parameter::Type(member.ty)).collect();
    let offsets = match offsets {
        0 => Parameter::None,
        _ => Parameter::List(structure.members.iter().filter_map(|member| member.offset.map(word)).collect()),
    };
    let mut of_members = Vec::new();
    for (member, at) in structure.members.iter().zip(0..) {
        of_members.extend(
            sorted(&member.decorations)
                .collect::<Vec<_>>()
                .chunks(2)
                .flat_map(|decoration| [word(at), decoration[0].clone(), decoration[1].clone()]),
        );
    }
    let decorations = sorted(&structure.decorations).collect();
    let lists = [types, of_members.into(), decorations].map(Parameter::List);
    let [types, of_members, decorations] = lists;
    make(context, "struct", [name, types, offsets, of_members, decorations])
}

/// The struct of that name, to stand inside of its own members: what a pointer in a recursive struct points to.
pub fn reference(context: &Context, name: &str) -> Type {
    make(context, "struct", [Parameter::String(name.as_bytes().into())])
}

/// A type of the grammar that MLIR lacks, such as `OpTypeSampler`: for each operand of the instruction (which
/// [`is_other`] must be), a number or an enumerant ([`Parameter::Unsigned`]), a string, a type, or, where it is the id of
/// a constant, an attribute: its value or symbol.
pub fn other(context: &Context, instruction: &Instruction, operands: impl Into<Box<[Parameter]>>) -> Type {
    make(context, mnemonic(instruction), operands)
}

/// The parameters of a type of the dialect, and its mnemonic.
pub(super) fn parts(context: &Context, ty: Type) -> Option<&DialectValue> {
    match &context[ty] {
        TypeData::Dialect(value) if context.bytes(value.dialect) == DIALECT.as_bytes() => Some(value),
        _ => None,
    }
}

/// What a type of the dialect is; `None` for other types, and for what is no well-formed one.
pub fn view(context: &Context, ty: Type) -> Option<SpirvType<'_>> {
    of_value(context, parts(context, ty)?)
}

pub(super) fn of_value<'c>(context: &'c Context, value: &'c DialectValue) -> Option<SpirvType<'c>> {
    use Parameter::{Type as Of, Unsigned};
    let word = |number: &u64| u32::try_from(*number).ok();
    Some(match (context.bytes(value.mnemonic), &*value.parameters) {
        (b"array", [count, Of(element), Unsigned(stride)]) => {
            SpirvType::Array { element: *element, count: NumberOrSymbol::of(count)?, stride: word(stride)? }
        }
        (b"rtarray", [Of(element), Unsigned(stride)]) => {
            SpirvType::RuntimeArray { element: *element, stride: word(stride)? }
        }
        (b"ptr", [Of(pointee), Unsigned(class)]) => SpirvType::Pointer { pointee: *pointee, class: word(class)? },
        (b"image", [Of(sampled), rest @ ..]) => {
            let numbers: Vec<u32> = rest.iter().map(number).collect::<Option<_>>()?;
            let [dim, depth, arrayed, multisampled, sampler_use, format, ref access @ ..] = *numbers else {
                return None;
            };
            if access.len() > 1 {
                return None;
            }
            let access = access.first().copied();
            let sampled = *sampled;
            SpirvType::Image(Image { sampled, dim, depth, arrayed, multisampled, sampler_use, format, access })
        }
        (b"sampled_image", [Of(image)]) => SpirvType::SampledImage(*image),
        (b"struct", [Parameter::String(name)]) => SpirvType::Reference(std::str::from_utf8(name).ok()?),
        (b"struct", parameters @ [_, _, _, _, _]) => SpirvType::Struct(structure_of(parameters)?),
        (b"matrix", [Unsigned(columns), Of(column)]) => SpirvType::Matrix { column: *column, columns: word(columns)? },
        (b"coopmatrix", [rows, columns, Of(element), scope, usage]) => SpirvType::CooperativeMatrix {
            rows: NumberOrSymbol::of(rows)?,
            columns: NumberOrSymbol::of(columns)?,
            element: *element,
            scope: NumberOrSymbol::of(scope)?,
            usage: NumberOrSymbol::of(usage)?,
        },
        (b"arm.tensor", [Parameter::None, Of(element)]) => SpirvType::Tensor { shape: None, element: *element },
        (b"arm.tensor", [Parameter::List(sizes), Of(element)]) => {
            let size = |size: &Parameter| match size {
                Parameter::Signed(size) if *size >= 0 || *size == DYNAMIC => Some(*size),
                _ => None,
            };
            let shape: Vec<i64> = sizes.iter().map(size).collect::<Option<_>>()?;
            SpirvType::Tensor { shape: Some(shape), element: *element }
        }
        (mnemonic, operands) => SpirvType::Other { instruction: instruction(mnemonic)?, operands },
    })
}

/// The name of a struct that has one.
pub(crate) fn struct_name(context: &Context, ty: Type) -> Option<&str> {
    let value = parts(context, ty)?;
    match &*value.parameters {
        [Parameter::String(name), _, _, _, _] if context.bytes(value.mnemonic) == b"struct" => {
            std::str::from_utf8(name).ok()
        }
        _ => None,
    }
}

fn number(parameter: &Parameter) -> Option<u32> {
    match parameter {
        Parameter::Unsigned(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

/// The struct that is held so.
fn structure_of(parameters: &[Parameter]) -> Option<Struct> {
    let [name, Parameter::List(types), offsets, Parameter::List(of_members), Parameter::List(decorations)] = parameters
    else {
        return None;
    };
    let name = match name {
        Parameter::None => None,
        Parameter::String(name) => Some(std::str::from_utf8(name).ok()?.into()),
        _ => return None,
    };
    let mut members: Vec<Member> = types.iter().map(|ty| Some(Member::from(type_of(ty)?))).collect::<Option<_>>()?;
    match offsets {
        Parameter::None => {}
        Parameter::List(offsets) if offsets.len() == members.len() && !members.is_empty() => {
            for (member, offset) in members.iter_mut().zip(offsets.iter()) {
                member.offset = Some(number(offset)?);
            }
        }
        _ => return None,
    }
    let (of_members, rest) = of_members.as_chunks::<3>();
    let mut last = 0;
    for [member, decoration, value] in of_members {
        let at = number(member)?;
        if at < last {
            return None;
        }
        last = at;
        members.get_mut(at as usize)?.decorations.push(decoration_of(decoration, value)?);
    }
    let (decorations, more) = decorations.as_chunks::<2>();
    if !rest.is_empty() || !more.is_empty() {
        return None;
    }
    let decorations = decorations.iter().map(|[decoration, value]| decoration_of(decoration, value));
    Some(Struct { name, members, decorations: decorations.collect::<Option<_>>()? })
}

fn type_of(parameter: &Parameter) -> Option<Type> {
    match parameter {
        Parameter::Type(ty) => Some(*ty),
        _ => None,
    }
}

fn decoration_of(decoration: &Parameter, value: &Parameter) -> Option<Decoration> {
    let value = match value {
        Parameter::None => None,
        Parameter::Attribute(value) => Some(*value),
        _ => return None,
    };
    Some(Decoration { decoration: number(decoration)?, value })
}

/// The types that stand directly in a type of the dialect.
pub(super) fn parts_of<'c>(context: &'c Context, ty: Type) -> impl Iterator<Item = Type> + use<'c> {
    let parameters = parts(context, ty).map_or(&[][..], |value| &value.parameters);
    let mut open = vec![parameters.iter()];
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(Parameter::Type(ty)) => return Some(*ty),
                Some(Parameter::List(items)) => open.push(items.iter()),
                Some(_) => {}
                None => drop(open.pop()),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlirbc_ir::number::FloatKind;

    #[test]
    fn types_of_the_grammar_have_names() {
        let name = |name| mnemonic(Instruction::find(name).expect(name));
        assert_eq!(name("TypeSampler"), "sampler");
        assert_eq!(name("TypeReserveId"), "reserve_id");
        assert_eq!(name("TypeRayQueryKHR"), "khr.ray_query");
        assert_eq!(name("TypeAccelerationStructureKHR"), "khr.acceleration_structure");
        assert_eq!(name("TypeNodePayloadArrayAMDX"), "amdx.node_payload_array");
        assert_eq!(name("TypeAvcImePayloadINTEL"), "intel.avc_ime_payload");
        assert_eq!(name("TypeArray"), "");
        let others = Instruction::all().iter().filter(|it| is_other(it));
        assert_eq!(others.clone().count(), others.map(mnemonic).collect::<hashbrown::HashSet<_>>().len());
    }

    #[test]
    fn a_recursive_struct_is_taken_apart() {
        let context = Context::new();
        let word = context.integer_type(32);
        let (a, b) = (reference(&context, "A"), reference(&context, "B"));
        let to = |ty| pointer(&context, ty, 12);
        let named = |name: &str, members: &[Type]| {
            let members = members.iter().map(|&ty| Member::from(ty)).collect();
            structure(&context, &Struct { name: Some(name.into()), members, decorations: Vec::new() })
        };
        // A holds a pointer to B, and B one to A and one to itself.
        let inner = named("B", &[to(a), to(b), word]);
        let outer = named("A", &[to(inner), word]);
        let first = part(&context, outer, 0).expect("a pointer");
        let Some(SpirvType::Pointer { pointee: b_outside, .. }) = view(&context, first) else { panic!() };
        let expected = named("B", &[to(named("A", &[to(b), word])), to(b), word]);
        assert_eq!(b_outside, expected);
        // And back again.
        let back = part(&context, b_outside, 0).expect("a pointer");
        assert_eq!(back, to(outer));
        assert_eq!(part(&context, b_outside, 1), Some(to(expected)));
        assert_eq!(part(&context, outer, 1), Some(word));
        assert_eq!(part(&context, outer, 2), None);
    }

    #[test]
    fn structs_that_hold_each_other_are_the_same_wherever_one_is_written_out() {
        let context = Context::new();
        let word = context.integer_type(32);
        let (a, b) = (reference(&context, "A"), reference(&context, "B"));
        let to = |ty| pointer(&context, ty, 12);
        let named = |name: &str, members: &[Type]| {
            let members = members.iter().map(|&ty| Member::from(ty)).collect();
            structure(&context, &Struct { name: Some(name.into()), members, decorations: Vec::new() })
        };
        // A holds B twice, which holds A: B is written out both times, or the second time by name.
        let inner = named("B", &[to(a)]);
        let (twice, once) = (named("A", &[to(inner), to(inner)]), named("A", &[to(inner), to(b)]));
        assert!(twice != once && is_same(&context, twice, once));
        // A is written out once more inside of itself.
        let again = named("A", &[to(named("B", &[to(twice)])), to(inner)]);
        assert!(again != twice && is_same(&context, again, twice));
        // Another member, and another name.
        for other in [named("A", &[to(inner), word]), named("C", &[to(inner), to(inner)]), inner, word, a] {
            assert!(!is_same(&context, twice, other) && !is_same(&context, other, twice));
        }
    }

    #[test]
    fn deep_types_do_not_overflow() {
        let context = Context::new();
        let mut ty = reference(&context, "A");
        for _ in 0..100_000 {
            ty = pointer(&context, ty, 0);
        }
        let members = vec![ty.into()];
        let outer = structure(&context, &Struct { name: Some("A".into()), members, decorations: Vec::new() });
        assert_eq!(part(&context, outer, 0), None);
    }

    #[test]
    fn views_give_back_what_was_made() {
        let context = Context::new();
        let float = context.float_type(FloatKind::F32);
        let of = Image {
            sampled: float,
            dim: 1,
            depth: 0,
            arrayed: 1,
            multisampled: 0,
            sampler_use: 1,
            format: 0,
            access: Some(1),
        };
        assert_eq!(view(&context, image(&context, &of)), Some(SpirvType::Image(of)));
        let ty = structure(
            &context,
            &Struct {
                name: None,
                members: vec![Member {
                    ty: float,
                    offset: Some(4),
                    decorations: vec![Decoration::with_word(&context, 30, 2), Decoration::plain(24)],
                }],
                decorations: vec![Decoration { decoration: 2, value: Some(context.unit()) }],
            },
        );
        let Some(SpirvType::Struct(found)) = view(&context, ty) else { panic!() };
        assert_eq!(found.members[0].decorations[0], Decoration::plain(24));
        assert_eq!(found.decorations, [Decoration::plain(2)]);
        assert_eq!(structure(&context, &found), ty);
        assert_eq!(view(&context, float), None);
        assert_eq!(view(&context, make(&context, "ptr", [Parameter::None])), None);
    }
}
