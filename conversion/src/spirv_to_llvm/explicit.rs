//! Memory whose layout SPIR-V says, and LLVM's types do not: it is addressed in bytes, and what is no number and no vector is loaded and
//! stored part by part. MLIR has no conversion of these.

use mlirbc_dialects::llvm::ArrayType;
use mlirbc_ir::{AttributeData, Context, NamedAttribute, Type, TypeData, Value};
use mlirbc_rewrite::{Match, NoMatch};
use mlirbc_spirv::dialect::types::{Decoration, NumberOrSymbol, SpirvType, view};

use super::class::pointee;
use super::emit::{DYNAMIC_INDEX, Emit, Rw, dense_array, element, lanes, width};

/// So many loads or stores one operation becomes at most.
const MOST_PARTS: u32 = 4096;

/// So many chains are followed to where a pointer comes from.
const FARTHEST: u32 = 64;

/// The decorations of members that say how a matrix stands in memory.
const ROW_MAJOR: u32 = 4;
const MATRIX_STRIDE: u32 = 7;

/// What stands at a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    ty: Type,
    /// The distance of columns of a matrix, or of rows where it stands row by row; 0 where nothing says so.
    matrix_stride: u32,
    row_major: bool,
    /// The distance of a vector's elements, where they do not follow each other.
    element_stride: Option<u32>,
}

impl From<Type> for Place {
    fn from(ty: Type) -> Self {
        Place { ty, matrix_stride: 0, row_major: false, element_stride: None }
    }
}

/// A part of what stands at a place, and where that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// So many bytes from the start of the whole.
    At(u32),
    /// Its number times so many bytes.
    Times(u32),
}

fn bytes_of_element(context: &Context, ty: Type) -> Option<u32> {
    width(context, ty).map(|bits| bits.div_ceil(8))
}

impl Place {
    /// The part of that number, where the number is known: of a struct it has to be.
    fn part(self, context: &Context, number: Option<u32>) -> Option<(Start, Place)> {
        let bytes = bytes_of_element(context, self.ty);
        if let (TypeData::Vector { element, .. }, Some(bytes)) = (&context[self.ty], bytes) {
            return Some((Start::Times(self.element_stride.unwrap_or(bytes)), (*element).into()));
        }
        match view(context, self.ty)? {
            SpirvType::Struct(of) => {
                let member = of.members.get(number? as usize)?;
                let mut place = self.with(member.ty);
                place.follow(context, &member.decorations);
                Some((Start::At(member.offset?), place))
            }
            SpirvType::Array { element, stride: stride @ 1.., .. }
            | SpirvType::RuntimeArray { element, stride: stride @ 1.. } => {
                Some((Start::Times(stride), self.with(element)))
            }
            SpirvType::Matrix { column, .. } => {
                let bytes = bytes_of_element(context, column)?;
                // Where nothing says so, columns stand as vectors do.
                let rows = lanes(context, column)? as u32;
                let natural = bytes * if rows == 2 { 2 } else { 4 };
                let stride = if self.matrix_stride == 0 { natural } else { self.matrix_stride };
                let mut place = Place::from(column);
                place.element_stride = self.row_major.then_some(stride);
                Some((Start::Times(if self.row_major { bytes } else { stride }), place))
            }
            _ => None,
        }
    }

    fn with(self, ty: Type) -> Place {
        Place { ty, ..self }
    }

    fn follow(&mut self, context: &Context, decorations: &[Decoration]) {
        for decoration in decorations {
            match decoration.decoration {
                ROW_MAJOR => self.row_major = true,
                MATRIX_STRIDE => {
                    let stride = decoration.value.and_then(|stride| context.integer_of(stride));
                    let stride = stride.and_then(|stride| u32::try_from(stride.to_u64()?).ok());
                    self.matrix_stride = stride.unwrap_or(self.matrix_stride);
                }
                _ => {}
            }
        }
    }

    /// How many parts it has: none where it is loaded and stored at once.
    fn count(self, context: &Context) -> Result<Option<u32>, NoMatch> {
        if let Some(lanes) = lanes(context, self.ty) {
            return Ok(self.element_stride.map(|_| lanes as u32));
        }
        match view(context, self.ty) {
            None | Some(SpirvType::Pointer { .. }) => Ok(None),
            Some(SpirvType::Struct(of)) => Ok(Some(of.members.len() as u32)),
            Some(SpirvType::Array { count: NumberOrSymbol::Known(count), .. }) => Ok(Some(count)),
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
            };
            most = most.max(start.checked_add(part.size(context, depth, left)?)?);
        }
        Some(most)
    }
}

/// What a pointer of an operation that is converted leads to: where its chain begins in a struct, with what that says of matrices.
pub(super) fn place_of(rw: &Rw<'_, '_>, pointer: Value) -> Result<Place, NoMatch> {
    let context = rw.context();
    let mut chain = Vec::new();
    let mut at = pointer;
    while let Some(op) = rw.body().defining_operation(at).filter(|&op| rw.op(op).is("spirv.AccessChain")) {
        let operands = rw.body().operands(op);
        let [base, indices @ ..] = operands else { break };
        if chain.len() as u32 >= FARTHEST {
            return Err(NoMatch::Reason("a pointer comes from too far away"));
        }
        chain.push(indices);
        at = *base;
    }
    let (from, _) = pointee(context, rw.ty(at)?)?;
    let mut place = Place::from(from);
    for &index in chain.iter().rev().flat_map(|indices| indices.iter()) {
        let number = rw.constant_int(index).and_then(|index| u32::try_from(index.to_u64()?).ok());
        place = inside(context, place, number)?;
    }
    Ok(place)
}

/// The part of that number, also of what has no layout of its own.
fn inside(context: &Context, place: Place, number: Option<u32>) -> Result<Place, NoMatch> {
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

fn address(rw: &mut Rw<'_, '_>, pointer: Value, unit: Type, values: &[Value], raw: &[i64]) -> mlirbc_ir::Result<Value> {
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
    mut place: Place,
    mut pointer: Value,
    indices: &[(Value, Value)],
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let wrong = || NoMatch::Reason("the layout of a type is not known");
    let mut bytes = 0i64;
    for &(index, converted) in indices {
        let number = rw.constant_int(index).and_then(|index| u32::try_from(index.to_u64()?).ok());
        let (start, part) = place.part(context, number).ok_or_else(wrong)?;
        match (start, number) {
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
struct Copying {
    attributes: Vec<NamedAttribute>,
    left: u32,
}

impl Copying {
    fn count(&mut self) -> Result<(), NoMatch> {
        self.left = self.left.checked_sub(1).ok_or(NoMatch::Reason("what is copied has too many parts"))?;
        Ok(())
    }

    /// The attributes of one load or store: a vector stands at multiples of its elements' size.
    fn attributes(&self, rw: &Rw<'_, '_>, ty: Type) -> Vec<NamedAttribute> {
        let context = rw.context();
        let mut attributes = self.attributes.clone();
        let name = context.static_identifier("alignment");
        attributes.retain(|given| given.0 != name);
        if let (Some(_), Some(bytes)) = (lanes(context, ty), bytes_of_element(context, ty)) {
            attributes.push((name, context.integer(64, bytes.into())));
        }
        attributes
    }

    /// Where the parts are, and what they are.
    fn parts(&self, rw: &mut Rw<'_, '_>, place: Place, pointer: Value, number: u32) -> Result<(Value, Place), NoMatch> {
        let part = place.part(rw.context(), Some(number));
        let (start, part) = part.ok_or(NoMatch::Reason("the layout of a type is not known"))?;
        let bytes = match start {
            Start::At(start) => i64::from(start),
            Start::Times(stride) => i64::from(stride) * i64::from(number),
        };
        if bytes > i64::from(i32::MAX) {
            return Err(NoMatch::Reason("a part stands too far behind the start"));
        }
        Ok((forward(rw, pointer, bytes)?, part))
    }

    fn load(&mut self, rw: &mut Rw<'_, '_>, place: Place, pointer: Value) -> Result<Value, NoMatch> {
        self.count()?;
        let ty = rw.convert_type(place.ty)?;
        let Some(count) = place.count(rw.context())? else {
            let attributes = self.attributes(rw, place.ty);
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

    fn store(&mut self, rw: &mut Rw<'_, '_>, place: Place, pointer: Value, value: Value) -> Result<(), NoMatch> {
        self.count()?;
        let Some(count) = place.count(rw.context())? else {
            let attributes = self.attributes(rw, place.ty);
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
    place: Place,
    pointer: Value,
    attributes: Vec<NamedAttribute>,
) -> Result<Value, NoMatch> {
    Copying { attributes, left: MOST_PARTS }.load(rw, place, pointer)
}

/// Stores what is to stand at a place.
pub(super) fn store(
    rw: &mut Rw<'_, '_>,
    place: Place,
    pointer: Value,
    value: Value,
    attributes: Vec<NamedAttribute>,
) -> Result<(), NoMatch> {
    Copying { attributes, left: MOST_PARTS }.store(rw, place, pointer, value)
}

/// The type of a variable that has a layout: its bytes.
pub(super) fn bytes(context: &Context, ty: Type) -> Result<Type, NoMatch> {
    let size = Place::from(ty)
        .size(context, FARTHEST, &mut { MOST_PARTS })
        .ok_or(NoMatch::Reason("the size of a variable is not known"))?;
    Ok(ArrayType::new(context, context.integer_type(8), size)?.into())
}
