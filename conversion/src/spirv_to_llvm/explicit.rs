//! Memory whose layout SPIR-V says, and LLVM's types do not: it is addressed in bytes, and what is no number and no vector is loaded and
//! stored part by part. MLIR has no conversion of these.

use mlirbc_dialects::llvm::{ArrayType, PointerType};
use mlirbc_ir::{AttributeData, Context, NamedAttribute, Type, TypeData, Value};
use mlirbc_rewrite::{Match, NoMatch};
use mlirbc_spirv::dialect::types::{SpirvType, view};

use super::class::pointee;
use super::constants::{Lengths, length};
use super::emit::{DYNAMIC_INDEX, Emit, Look, Rw, dense_array, element, lanes, symbol, width};
use super::parts::OfOne;
use super::surroundings::{Matrix, Standing, Surroundings, is_block};

/// So many parts of a type are looked at to find out how large it is.
const MOST_PARTS: u32 = 4096;

/// So many operations are followed to where a pointer comes from.
const FARTHEST: u32 = 64;

/// What stands at a place in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'l> {
    ty: Type,
    /// The lengths of arrays that specialisation constants say.
    lengths: &'l Lengths,
    standing: Standing,
    /// The distance of a vector's elements, where they do not follow each other.
    element_stride: Option<u32>,
}

/// A part of what stands at a place, and where that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// So many bytes from the start of the whole.
    At(u32),
    /// Its number times so many bytes.
    Times(u32),
    /// Elsewhere: a pointer of that number leads to it.
    Behind,
}

/// How many pointers stand for an array of blocks, which may be of several dimensions, or for a block in one. `None` where it is no such
/// thing, or too long.
fn pointers(context: &Context, ty: Type, lengths: &Lengths) -> Option<u32> {
    let (mut ty, mut count) = (ty, 1u32);
    for _ in 0..FARTHEST {
        match view(context, ty) {
            Some(SpirvType::Array { element, count: of, stride: 0 }) => {
                count = count.checked_mul(length(context, of, lengths)?).filter(|&count| count < 1 << 28)?;
                ty = element;
            }
            // The last dimension may be of any length.
            Some(SpirvType::RuntimeArray { element, stride: 0 }) => (ty, count) = (element, 0),
            _ => return is_block(context, ty).then_some(count),
        }
    }
    None
}

fn bytes_of_element(context: &Context, ty: Type) -> Option<u32> {
    width(context, ty).map(|bits| bits.div_ceil(8))
}

impl<'l> Place<'l> {
    /// A place where a value of that type stands, and nothing is known of what it is in.
    fn new(ty: Type, lengths: &'l Lengths) -> Self {
        Place { ty, lengths, standing: Standing::default(), element_stride: None }
    }

    /// The part of that number, where the number is known: of a struct it has to be.
    fn part(self, context: &Context, number: Option<u32>) -> Option<(Start, Place<'l>)> {
        let bytes = bytes_of_element(context, self.ty);
        if let (TypeData::Vector { element, .. }, Some(bytes)) = (&context[self.ty], bytes) {
            return Some((Start::Times(self.element_stride.unwrap_or(bytes)), self.with(*element)));
        }
        match view(context, self.ty)? {
            SpirvType::Struct(of) => {
                let member = of.members.get(number? as usize)?;
                let mut place = self.with(member.ty);
                place.standing.follow(context, &member.decorations);
                Some((Start::At(member.offset?), place))
            }
            SpirvType::Array { element, stride: stride @ 1.., .. }
            | SpirvType::RuntimeArray { element, stride: stride @ 1.. } => {
                Some((Start::Times(stride), self.with(element)))
            }
            SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. } => {
                let pointers = pointers(context, element, self.lengths)?;
                let start = if is_block(context, element) { Start::Behind } else { Start::Times(8 * pointers) };
                Some((start, self.with(element)))
            }
            SpirvType::Matrix { column, .. } => {
                let bytes = bytes_of_element(context, column)?;
                // Where nothing says so, columns stand as vectors do.
                let rows = lanes(context, column)? as u32;
                let natural = bytes * if rows == 2 { 2 } else { 4 };
                let Matrix { stride, row_major } = self.standing.matrix;
                let stride = if stride == 0 { natural } else { stride };
                let mut place = self.with(column);
                place.element_stride = row_major.then_some(stride);
                Some((Start::Times(if row_major { bytes } else { stride }), place))
            }
            _ => None,
        }
    }

    /// Whether others may change what stands there at any time, and see what is stored.
    pub(super) fn changes(self) -> bool {
        self.standing.changes
    }

    /// A part of that type, which stands in its way but for the distance of elements.
    fn with(self, ty: Type) -> Place<'l> {
        Place { ty, element_stride: None, ..self }
    }

    /// How many parts it has: none where it is loaded and stored at once.
    fn count(self, context: &Context) -> Result<Option<u32>, NoMatch> {
        if let Some(lanes) = lanes(context, self.ty) {
            return Ok(self.element_stride.map(|_| lanes as u32));
        }
        match view(context, self.ty) {
            None | Some(SpirvType::Pointer { .. }) => Ok(None),
            Some(SpirvType::Struct(of)) => Ok(Some(of.members.len() as u32)),
            Some(SpirvType::Array { count, .. }) => {
                let unknown = NoMatch::Reason("how long an array is cannot be worked out");
                length(context, count, self.lengths).map(Some).ok_or(unknown)
            }
            Some(SpirvType::Matrix { columns, .. }) => Ok(Some(columns)),
            _ => Err(NoMatch::Reason("what stands in memory has no length")),
        }
    }

    /// How many bytes it takes, a run-time array none; `None` where that is too much or not known, or more than `left` parts are looked
    /// at.
    fn size(self, context: &Context, depth: u32, left: &mut u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        if matches!(view(context, self.ty), Some(SpirvType::RuntimeArray { .. })) {
            return Some(0);
        }
        if let (None, Some(bytes)) = (lanes(context, self.ty), bytes_of_element(context, self.ty)) {
            return Some(bytes.into());
        }
        if matches!(view(context, self.ty), Some(SpirvType::Pointer { .. })) {
            return Some(8);
        }
        if let (Some(lanes), Some(bytes), None) =
            (lanes(context, self.ty), bytes_of_element(context, self.ty), self.element_stride)
        {
            return lanes.checked_mul(bytes.into());
        }
        // Of parts that are alike, the last one ends last; of members, the one that does.
        let count = self.count(context).ok()??;
        let ends = match view(context, self.ty) {
            Some(SpirvType::Struct(_)) => 0..count,
            _ => count.checked_sub(1)?..count,
        };
        let mut most = 0;
        for number in ends {
            let (start, part) = self.part(context, Some(number))?;
            let start = match start {
                Start::At(start) => u64::from(start),
                Start::Times(stride) => u64::from(stride).checked_mul(number.into())?,
                Start::Behind => return None,
            };
            most = most.max(start.checked_add(part.size(context, depth, left)?)?);
        }
        Some(most)
    }
}

/// An index that is a constant.
fn known(rw: &Rw<'_, '_>, index: Value) -> Option<u32> {
    rw.constant_int(index).and_then(|index| u32::try_from(index.to_u64()?).ok())
}

/// Operations that make pointers of pointers, and how many of their operands come before the indices: an element to begin at, which is of
/// the same type, is not one of these.
pub(super) const CHAINS: [(&str, usize); 4] = [
    ("spirv.AccessChain", 1),
    ("spirv.InBoundsAccessChain", 1),
    ("spirv.PtrAccessChain", 2),
    ("spirv.InBoundsPtrAccessChain", 2),
];

/// What a pointer is made of, and the indices that lead from there: none, where it is a copy.
fn base_of<'o>(rw: &'o Rw<'_, '_>, pointer: Value) -> Option<(Value, &'o [Value])> {
    let op = rw.body().defining_operation(pointer)?;
    let known = CHAINS.iter().chain(&[("spirv.CopyObject", 1)]).find(|(name, _)| rw.op(op).is(name))?;
    let operands = rw.body().operands(op);
    Some((*operands.first()?, operands.get(known.1..)?))
}

/// What a pointer of an operation that is converted leads to: where its chain begins in a struct, with what that says of matrices.
pub(super) fn place_of<'l>(
    rw: &Rw<'_, '_>,
    pointer: Value,
    (lengths, around): (&'l Lengths, &Surroundings),
) -> Result<Place<'l>, NoMatch> {
    place_from(rw, pointer, (lengths, around), &mut { FARTHEST })
}

fn place_from<'l>(
    rw: &Rw<'_, '_>,
    pointer: Value,
    (lengths, around): (&'l Lengths, &Surroundings),
    left: &mut u32,
) -> Result<Place<'l>, NoMatch> {
    let context = rw.context();
    let mut chain = Vec::new();
    let mut at = pointer;
    let mut farther = || -> Result<(), NoMatch> {
        *left = left.checked_sub(1).ok_or(NoMatch::Reason("a pointer comes from too far away"))?;
        Ok(())
    };
    while let Some((base, indices)) = base_of(rw, at) {
        farther()?;
        chain.push(indices);
        at = base;
    }
    farther()?;
    let (from, _) = pointee(context, rw.ty(at)?)?;
    let mut place = Place::new(from, lengths);
    let op = rw.body().defining_operation(at).map(|op| rw.op(op));
    match op {
        Some(op) if op.is("spirv.mlir.addressof") => {
            let name = symbol(context, op.attribute("variable")?.ok_or(NoMatch::Reason("a variable has no name"))?)?;
            place.standing.changes = around.changes(name);
        }
        Some(op) if op.is("spirv.Select") => {
            let &[_, yes, no] = op.operands() else { return Err(NoMatch::Reason("a choice is not of two")) };
            let places = [place_from(rw, yes, (lengths, around), left)?, place_from(rw, no, (lengths, around), left)?];
            let is_matrix = lanes(context, from).is_none();
            let way = |place: Place<'_>| (is_matrix.then_some(place.standing.matrix), place.element_stride);
            if way(places[0]) != way(places[1]) {
                around.anywhere(context, from)?;
            }
            place = places[0];
            place.standing.changes |= places[1].standing.changes;
        }
        _ => place.standing = around.anywhere(context, from)?,
    }
    for &index in chain.iter().rev().flat_map(|indices| indices.iter()) {
        place = inside(context, place, known(rw, index))?;
    }
    Ok(place)
}

/// How far from each other the elements are that a pointer of an operation leads to one of: as its type says, or the array that it comes from,
/// and else as far as numbers and vectors reach.
fn stride_of(rw: &Rw<'_, '_>, pointer: Value, place: Place<'_>, around: &Surroundings) -> Result<Option<u32>, NoMatch> {
    let context = rw.context();
    let mut at = pointer;
    for _ in 0..FARTHEST {
        if let Some(stride) = around.stride(rw.ty(at)?) {
            return Ok(Some(stride));
        }
        match base_of(rw, at) {
            // A copy, or another element of the same array.
            Some((base, [])) => at = base,
            Some((base, [indices @ .., _])) => {
                let mut array = place_of(rw, base, (place.lengths, around))?;
                for &index in indices {
                    array = inside(context, array, known(rw, index))?;
                }
                if let Some(
                    SpirvType::Array { stride: stride @ 1.., .. }
                    | SpirvType::RuntimeArray { stride: stride @ 1.., .. },
                ) = view(context, array.ty)
                {
                    return Ok(Some(stride));
                }
                break;
            }
            None => break,
        }
    }
    // Three elements may stand as four do.
    let count = lanes(context, place.ty).unwrap_or(1);
    let bytes = bytes_of_element(context, place.ty).filter(|_| count != 3);
    Ok(bytes.zip(u32::try_from(count).ok()).and_then(|(bytes, count)| count.checked_mul(bytes)))
}

/// The pointer to the element so many further, of which a pointer leads to one.
pub(super) fn element_behind(
    rw: &mut Rw<'_, '_>,
    (place, around): (Place<'_>, &Surroundings),
    [pointer, converted]: [Value; 2],
    number: Value,
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let stride = stride_of(rw, pointer, place, around)?;
    let stride = stride.ok_or(NoMatch::Reason("how far elements are from each other is unknown"))?;
    let unit = ArrayType::new(context, context.integer_type(8), stride.into())?.into();
    Ok(address(rw, converted, unit, &[number], &[DYNAMIC_INDEX])?)
}

/// The part of that number, also of what has no layout of its own.
fn inside<'l>(context: &Context, place: Place<'l>, number: Option<u32>) -> Result<Place<'l>, NoMatch> {
    if let Some((_, part)) = place.part(context, number) {
        return Ok(part);
    }
    match view(context, place.ty) {
        Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. }) => Ok(place.with(element)),
        Some(SpirvType::Struct(of)) => {
            let member = number.and_then(|number| of.members.get(number as usize));
            member.map(|member| place.with(member.ty)).ok_or(NoMatch::Reason("an index leads nowhere"))
        }
        _ => Err(NoMatch::Reason("an index leads nowhere")),
    }
}

/// The pointer so many bytes on.
fn forward(rw: &mut Rw<'_, '_>, pointer: Value, bytes: i64) -> Result<Value, NoMatch> {
    match bytes {
        0 => Ok(pointer),
        _ => {
            let context = rw.context();
            let byte = context.integer_type(8);
            Ok(address(rw, pointer, byte, &[], &[bytes])?)
        }
    }
}

/// The place that indices lead to from one of several units.
pub(super) fn address(
    rw: &mut Rw<'_, '_>,
    pointer: Value,
    unit: Type,
    values: &[Value],
    raw: &[i64],
) -> mlirbc_ir::Result<Value> {
    let context = rw.context();
    let ty = rw.ty(pointer)?;
    let attributes = vec![
        (context.static_identifier("elem_type"), context.attribute(AttributeData::Type(unit))),
        (context.static_identifier("noWrapFlags"), context.integer(32, 0)),
        (context.static_identifier("rawConstantIndices"), dense_array(context, 32, raw.iter().copied())),
    ];
    let operands: Vec<Value> = std::iter::once(pointer).chain(values.iter().copied()).collect();
    rw.emit_with("llvm.getelementptr", &operands, ty, attributes)
}

/// A pointer to a part: the indices as they were, and what stands for them.
pub(super) fn chain(
    rw: &mut Rw<'_, '_>,
    mut place: Place<'_>,
    mut pointer: Value,
    indices: &[(Value, Value)],
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let wrong = || NoMatch::Reason("the layout of a type is not known");
    let mut bytes = 0i64;
    for &(index, converted) in indices {
        let number = known(rw, index);
        let (start, part) = place.part(context, number).ok_or_else(wrong)?;
        match (start, number) {
            (Start::Behind, _) => {
                pointer = forward(rw, pointer, bytes)?;
                bytes = 0;
                let unit = rw.ty(pointer)?;
                let at = address(rw, pointer, unit, &[converted], &[DYNAMIC_INDEX])?;
                pointer = rw.emit("llvm.load", &[at], unit)?;
            }
            (Start::At(start), _) => bytes = bytes.checked_add(start.into()).ok_or_else(wrong)?,
            (Start::Times(stride), Some(number)) => {
                bytes = bytes.checked_add(i64::from(stride) * i64::from(number)).ok_or_else(wrong)?;
            }
            (Start::Times(stride), None) => {
                let unit = ArrayType::new(context, context.integer_type(8), stride.into())?.into();
                pointer = address(rw, pointer, unit, &[converted], &[DYNAMIC_INDEX])?;
            }
        }
        place = part;
    }
    if bytes > i64::from(i32::MAX) {
        return Err(NoMatch::Reason("a part stands too far behind the start"));
    }
    forward(rw, pointer, bytes)
}

/// Loads or stores part by part.
struct Copying<'p> {
    attributes: Vec<NamedAttribute>,
    left: OfOne<'p>,
}

impl Copying<'_> {
    /// The attributes of one load or store: a vector stands at multiples of its elements' size.
    fn attributes(&self, rw: &Rw<'_, '_>, place: Place<'_>) -> Vec<NamedAttribute> {
        let context = rw.context();
        let mut attributes = self.attributes.clone();
        let name = context.static_identifier("alignment");
        let volatile = context.static_identifier("volatile_");
        attributes.retain(|given| given.0 != name && (given.0 != volatile || !place.standing.changes));
        if let (Some(_), Some(bytes)) = (lanes(context, place.ty), bytes_of_element(context, place.ty)) {
            attributes.push((name, context.integer(64, bytes.into())));
        }
        if place.standing.changes {
            attributes.push((volatile, context.unit()));
        }
        attributes
    }

    /// Where the parts are, and what they are.
    fn parts<'l>(
        &self,
        rw: &mut Rw<'_, '_>,
        place: Place<'l>,
        pointer: Value,
        number: u32,
    ) -> Result<(Value, Place<'l>), NoMatch> {
        let part = place.part(rw.context(), Some(number));
        let (start, part) = part.ok_or(NoMatch::Reason("the layout of a type is not known"))?;
        let bytes = match start {
            Start::At(start) => i64::from(start),
            Start::Times(stride) => i64::from(stride) * i64::from(number),
            Start::Behind => return Err(NoMatch::Reason("an array of blocks is no value")),
        };
        if bytes > i64::from(i32::MAX) {
            return Err(NoMatch::Reason("a part stands too far behind the start"));
        }
        Ok((forward(rw, pointer, bytes)?, part))
    }

    fn load(&mut self, rw: &mut Rw<'_, '_>, place: Place<'_>, pointer: Value) -> Result<Value, NoMatch> {
        self.left.take(1)?;
        let ty = rw.convert_type(place.ty)?;
        let Some(count) = place.count(rw.context())? else {
            let attributes = self.attributes(rw, place);
            return Ok(rw.emit_with("llvm.load", &[pointer], ty, attributes)?);
        };
        let mut made = rw.emit("llvm.mlir.poison", &[], ty)?;
        for number in 0..count {
            let (pointer, part) = self.parts(rw, place, pointer, number)?;
            let value = self.load(rw, part, pointer)?;
            made = insert(rw, made, value, number)?;
        }
        Ok(made)
    }

    fn store(&mut self, rw: &mut Rw<'_, '_>, place: Place<'_>, pointer: Value, value: Value) -> Result<(), NoMatch> {
        self.left.take(1)?;
        let Some(count) = place.count(rw.context())? else {
            let attributes = self.attributes(rw, place);
            rw.emit_nothing("llvm.store", &[value, pointer], attributes)?;
            return Ok(());
        };
        for number in 0..count {
            let (pointer, part) = self.parts(rw, place, pointer, number)?;
            let ty = rw.convert_type(part.ty)?;
            let value = extract(rw, value, number, ty)?;
            self.store(rw, part, pointer, value)?;
        }
        Ok(())
    }
}

/// A part put into a vector, a struct or an array.
pub(super) fn insert(rw: &mut Rw<'_, '_>, into: Value, part: Value, number: u32) -> mlirbc_ir::Result<Value> {
    let (context, ty) = (rw.context(), rw.ty(into)?);
    if lanes(context, ty).is_some() {
        let number = rw.index(number.into())?;
        return rw.emit("llvm.insertelement", &[into, part, number], ty);
    }
    let position = (context.static_identifier("position"), dense_array(context, 64, [number.into()]));
    rw.emit_with("llvm.insertvalue", &[into, part], ty, vec![position])
}

/// A part of a vector, a struct or an array.
pub(super) fn extract(rw: &mut Rw<'_, '_>, from: Value, number: u32, ty: Type) -> mlirbc_ir::Result<Value> {
    let (context, of) = (rw.context(), rw.ty(from)?);
    if lanes(context, of).is_some() {
        let number = rw.index(number.into())?;
        return rw.emit("llvm.extractelement", &[from, number], element(context, of));
    }
    let position = (context.static_identifier("position"), dense_array(context, 64, [number.into()]));
    rw.emit_with("llvm.extractvalue", &[from], ty, vec![position])
}

/// Loads what stands at a place.
pub(super) fn load(
    rw: &mut Rw<'_, '_>,
    place: Place<'_>,
    pointer: Value,
    (attributes, left): (Vec<NamedAttribute>, OfOne<'_>),
) -> Result<Value, NoMatch> {
    Copying { attributes, left }.load(rw, place, pointer)
}

/// Stores what is to stand at a place.
pub(super) fn store(
    rw: &mut Rw<'_, '_>,
    place: Place<'_>,
    pointer: Value,
    value: Value,
    (attributes, left): (Vec<NamedAttribute>, OfOne<'_>),
) -> Result<(), NoMatch> {
    Copying { attributes, left }.store(rw, place, pointer, value)
}

/// The type of a variable that has a layout: its bytes, or the pointers that stand for an array of blocks.
pub(super) fn bytes(context: &Context, ty: Type, lengths: &Lengths) -> Result<Type, NoMatch> {
    if let (false, Some(count)) = (is_block(context, ty), pointers(context, ty, lengths)) {
        return Ok(ArrayType::new(context, PointerType::new(context, 0).into(), count.into())?.into());
    }
    room(context, size(context, ty, lengths)?)
}

/// How many bytes something of that type takes.
pub(super) fn size(context: &Context, ty: Type, lengths: &Lengths) -> Result<u64, NoMatch> {
    let size = Place::new(ty, lengths).size(context, FARTHEST, &mut { MOST_PARTS });
    size.ok_or(NoMatch::Reason("the size of a variable is not known"))
}

/// The type of so many bytes.
pub(super) fn room(context: &Context, size: u64) -> Result<Type, NoMatch> {
    Ok(ArrayType::new(context, context.integer_type(8), size)?.into())
}

/// Where the array begins that is a member of the struct at a place, and how far its elements are from each other.
pub(super) fn array_in(context: &Context, place: Place<'_>, member: u32) -> Option<(u32, u32)> {
    let (Start::At(start), array) = place.part(context, Some(member))? else { return None };
    let (Start::Times(stride), _) = array.part(context, Some(0))? else { return None };
    Some((start, stride))
}
