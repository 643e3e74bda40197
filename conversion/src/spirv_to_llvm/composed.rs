//! Constants as operations of `llvm`: numbers, and vectors and arrays of numbers however nested, are one constant; structs are put together
//! part by part, but those of numbers that stand in an array again and again: that is one constant, too. What a constant holds twice is made
//! once.

use hashbrown::{HashMap, HashSet};
use mlirbc_dialects::llvm::{ArrayType, StructType};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{
    Attribute, AttributeData, Context, Identifier, NamedAttribute, NumberKind, Numbers, Result, Rewriter, Type,
    TypeData, Value,
};
use mlirbc_rewrite::NoMatch;

use super::emit::{Emit, Rw, dense_array, lanes, number_or_vector, reference, signless};
use super::known::{Address, Known, tree};
use super::parts::{OfOne, Parts};
use super::types::inside;

/// A constant has so many numbers that nothing writes out: where parts are the same, or one stands in several places. More than that are made
/// where as many are written out.
const MOST_PARTS: u64 = 4096;

/// Constants are nested so deep.
const DEEPEST: u32 = 256;

/// What makes operations, in a body that is converted or in one that was made.
pub(super) trait Making<'m> {
    fn context(&self) -> &'m Context;

    /// An operation of that name with a result of that type.
    fn make(&mut self, name: &str, operands: &[Value], ty: Type, attributes: Vec<NamedAttribute>) -> Result<Value>;
}

impl<'m> Making<'m> for Rw<'_, 'm> {
    fn context(&self) -> &'m Context {
        Rewriter::context(self)
    }

    fn make(&mut self, name: &str, operands: &[Value], ty: Type, attributes: Vec<NamedAttribute>) -> Result<Value> {
        self.emit_with(name, operands, ty, attributes)
    }
}

impl<'m> Making<'m> for Rewriter<'m> {
    fn context(&self) -> &'m Context {
        Rewriter::context(self)
    }

    fn make(&mut self, name: &str, operands: &[Value], ty: Type, attributes: Vec<NamedAttribute>) -> Result<Value> {
        let build = self.build(name).operands(operands.iter().copied()).result_type(ty);
        let made = build.attributes(attributes).create()?;
        self.result(made, 0)
    }
}

/// An address as LLVM has it: the name of a variable, the type of its pointer, and how it goes on from there.
pub(super) struct Place {
    pub(super) name: Identifier,
    pub(super) pointer: Type,
    pub(super) steps: Vec<(Type, Vec<i32>)>,
}

/// What finds the place of an address.
pub(super) type Find<'f> = &'f dyn Fn(&Address) -> Option<Place>;

/// An attribute, and how many numbers it shows.
type Shown = Option<(Attribute, u64)>;

/// A constant of a type of `llvm`.
///
/// # Errors
/// No match where it has too many parts, or is not of the type.
pub(super) fn made<'m>(
    rw: &mut impl Making<'m>,
    ty: Type,
    known: &Known,
    (find, parts): (Find<'_>, &Parts),
) -> std::result::Result<Value, NoMatch> {
    let left = parts.of_one();
    Composer { rw, find, made: HashMap::new(), shown: HashMap::new(), parts, left }.value(ty, known, DEEPEST)
}

/// A constant of a type of `spirv` that an attribute says.
///
/// # Errors
/// As [`made`].
pub(super) fn of_attribute(rw: &mut Rw<'_, '_>, ty: Type, value: Attribute) -> std::result::Result<Value, NoMatch> {
    let context = rw.context();
    if number_or_vector(context, ty) && Numbers::of(context, value).is_some_and(|numbers| numbers.ty == ty) {
        let (ty, value) = signless(rw, ty, value)?;
        return Ok(rw.constant(ty, value)?);
    }
    let ty = rw.convert_type(ty)?;
    if let Some(value) = elements_of(context, ty, value) {
        return Ok(rw.constant(ty, value)?);
    }
    let known = tree(context, value, |_| None);
    let known = known.ok_or(NoMatch::Reason("the value of a constant is of another kind"))?;
    // All is written out but numbers that are the same.
    made(rw, ty, &known, (&|_| None, &Parts::default()))
}

/// Dense elements as a constant of that type has them, where it has as many numbers.
fn elements_of(context: &Context, ty: Type, value: Attribute) -> Option<Attribute> {
    let AttributeData::DenseElements { data, .. } = &context[value] else { return None };
    let shape = Shape::of(context, ty)?;
    let numbers = Numbers::of(context, value)?;
    if numbers.count != shape.count()? || numbers.number.width() != NumberKind::of(context, shape.element)?.width() {
        return None;
    }
    let (ty, data) = (of_shape(context, shape), data.clone());
    Some(context.attribute(AttributeData::DenseElements { ty, data }))
}

/// What a vector or an array of numbers is.
struct Shape {
    /// How many numbers it has in each dimension.
    all: Vec<i64>,
    /// The type of these.
    element: Type,
    /// Whether the last dimension is that of vectors.
    of_vectors: bool,
}

impl Shape {
    fn of(context: &Context, mut ty: Type) -> Option<Self> {
        let mut all = Vec::new();
        while let Some(array) = ArrayType::of(context, ty) {
            if all.len() as u32 >= DEEPEST {
                return None;
            }
            all.push(i64::try_from(array.count(context)).ok()?);
            ty = array.element(context);
        }
        let count = lanes(context, ty);
        if let Some(count) = count {
            all.push(i64::try_from(count).ok()?);
            ty = context[ty].element()?;
        }
        let is_some = !all.is_empty() && all.iter().all(|&size| size > 0);
        let shape = Shape { all, element: ty, of_vectors: count.is_some() };
        (is_some && NumberKind::of(context, ty).is_some()).then_some(shape)
    }

    /// How many numbers there are.
    fn count(&self) -> Option<u64> {
        self.all.iter().try_fold(1u64, |count, &size| count.checked_mul(size as u64))
    }
}

/// The type of the elements of a constant: a tensor's become arrays, and a vector's arrays of vectors.
fn of_shape(context: &Context, Shape { all, element, of_vectors }: Shape) -> Type {
    let shape = all.into();
    context.ty(match of_vectors {
        true => TypeData::Vector { shape, scalable: [].into(), element },
        false => TypeData::RankedTensor { shape, element, encoding: None },
    })
}

/// How many parts a type of `llvm` has.
fn count(context: &Context, ty: Type) -> Option<u64> {
    if let Some(of) = StructType::of(context, ty) {
        return Some(of.len(context) as u64);
    }
    ArrayType::of(context, ty).map(|of| of.count(context)).or_else(|| lanes(context, ty))
}

/// How many parts are written out, each composite counted once.
fn written(known: &Known) -> u64 {
    let (mut count, mut left, mut seen) = (0, vec![known], HashSet::new());
    while let Some(known) = left.pop() {
        match known {
            Known::Parts(parts) if seen.insert(parts.as_ptr()) => {
                count += parts.len() as u64;
                left.extend(parts.iter().filter(|part| matches!(part, Known::Parts(_) | Known::Each(_))));
            }
            Known::Each(part) if seen.insert(&**part as *const Known) => left.push(part),
            _ => {}
        }
    }
    count
}

/// Puts the numbers of a constant of that shape one behind the other. `None` where something is no number.
fn flatten(known: &Known, all: &[i64], width: u32, into: &mut Vec<ApInt>) -> Option<()> {
    let Some((&size, rest)) = all.split_first() else {
        let number = match known {
            Known::Number(number) if number.width() == width => number.clone(),
            Known::Null(_) => ApInt::zero(width),
            _ => return None,
        };
        into.push(number);
        return Some(());
    };
    match known {
        Known::Parts(parts) if parts.len() as i64 == size => {
            parts.iter().try_for_each(|part| flatten(part, rest, width, into))
        }
        Known::Each(part) => (0..size).try_for_each(|_| flatten(part, rest, width, into)),
        Known::Number(_) | Known::Null(_) => (0..size).try_for_each(|_| flatten(known, rest, width, into)),
        _ => None,
    }
}

/// The number that all of a constant is.
fn only_number(mut known: &Known) -> Option<&ApInt> {
    loop {
        known = match known {
            Known::Number(number) => return Some(number),
            Known::Each(part) => part,
            _ => return None,
        };
    }
}

/// Dense elements for a vector or an array of numbers, where these are not many more than are written out.
fn dense(context: &Context, ty: Type, known: &Known) -> Option<Attribute> {
    let shape = Shape::of(context, ty)?;
    let width = NumberKind::of(context, shape.element)?.width();
    let total = shape.count()?;
    let mut numbers = Vec::new();
    match only_number(known) {
        Some(number) if number.width() == width => numbers.push(number.clone()),
        _ if total <= MOST_PARTS.max(written(known)) => flatten(known, &shape.all, width, &mut numbers)?,
        _ => return None,
    }
    context.numbers(of_shape(context, shape), &numbers).ok()
}

struct Composer<'r, R> {
    rw: &'r mut R,
    find: Find<'r>,
    /// What stands for parts of a type that are composites.
    made: HashMap<(Type, *const Known), Value>,
    /// What they are as attributes.
    shown: HashMap<(Type, *const Known), Shown>,
    parts: &'r Parts,
    /// What is left of them for this constant.
    left: OfOne<'r>,
}

impl<'m, R: Making<'m>> Composer<'_, R> {
    fn value(&mut self, ty: Type, known: &Known, depth: u32) -> std::result::Result<Value, NoMatch> {
        let other = || NoMatch::Reason("the value of a constant is of another kind");
        let depth = depth.checked_sub(1).ok_or(NoMatch::Reason("a constant is nested too deep"))?;
        let context = self.rw.context();
        let place = match known {
            Known::Number(number) if NumberKind::of(context, ty).is_some_and(|kind| kind.width() == number.width()) => {
                let value = context.numbers(ty, std::slice::from_ref(number))?;
                return self.constant(ty, value);
            }
            Known::Null(_) => return Ok(self.rw.make("llvm.mlir.zero", &[], ty, Vec::new())?),
            Known::Undefined => return Ok(self.rw.make("llvm.mlir.undef", &[], ty, Vec::new())?),
            Known::Address(address) => return self.address(ty, address),
            Known::Number(_) => std::ptr::null(),
            Known::Parts(parts) => parts.as_ptr(),
            Known::Each(part) => &**part as *const Known,
        };
        if let Some(&made) = self.made.get(&(ty, place)).filter(|_| !place.is_null()) {
            return Ok(made);
        }
        let made = match dense(context, ty, known) {
            Some(value) => self.constant(ty, value)?,
            None => {
                let count = count(context, ty).ok_or_else(other)?;
                match known {
                    Known::Parts(parts) if parts.len() as u64 > count => {
                        return Err(NoMatch::Reason("a constant has too many parts for its type"));
                    }
                    Known::Parts(parts) => self.composite(ty, parts.iter(), depth)?,
                    Known::Each(_) => match self.shown(ty, known, depth)? {
                        Some((value, _)) => self.constant(ty, value)?,
                        None => self.repeated(ty, known, depth)?,
                    },
                    _ => return Err(other()),
                }
            }
        };
        if !place.is_null() {
            self.made.insert((ty, place), made);
        }
        Ok(made)
    }

    /// Parts that all are the same, one by one.
    fn repeated(&mut self, ty: Type, known: &Known, depth: u32) -> std::result::Result<Value, NoMatch> {
        let (Some(count), Known::Each(part)) = (count(self.rw.context(), ty), known) else {
            return Err(NoMatch::Reason("the value of a constant is of another kind"));
        };
        self.left.take(count)?;
        self.composite(ty, std::iter::repeat_n(&**part, count as usize), depth)
    }

    /// A constant as one attribute. `None` where a part is no number, and for vectors of one that is the same.
    fn shown(&mut self, ty: Type, known: &Known, depth: u32) -> std::result::Result<Shown, NoMatch> {
        let context = self.rw.context();
        let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
        if let Some(kind) = NumberKind::of(context, ty) {
            let number = known.number(context).filter(|number| number.width() == kind.width());
            return Ok(match number {
                Some(number) => Some((context.numbers(ty, &[number])?, 1)),
                None => None,
            });
        }
        if let Some(value) = dense(context, ty, known) {
            return Ok(Numbers::of(context, value).map(|numbers| (value, numbers.splat().map_or(numbers.count, |_| 1))));
        }
        let place = match known {
            Known::Parts(parts) => parts.as_ptr(),
            Known::Each(part) => &raw const **part,
            _ => return Ok(None),
        };
        if let Some(&shown) = self.shown.get(&(ty, place)) {
            return Ok(shown);
        }
        let shown = match (known, count(context, ty)) {
            (Known::Each(part), Some(count)) if ArrayType::of(context, ty).is_some() => {
                let of = inside(context, ty, None).ok_or(NoMatch::Reason("an index leads nowhere"))?;
                match self.shown(of, part, depth)? {
                    None => None,
                    Some((part, numbers)) => {
                        let numbers = numbers.saturating_mul(count);
                        self.parts.take_elements(numbers)?;
                        let all = vec![part; count as usize].into();
                        Some((context.attribute(AttributeData::Array(all)), numbers))
                    }
                }
            }
            (Known::Parts(parts), Some(count)) if lanes(context, ty).is_none() && parts.len() as u64 == count => {
                let (mut all, mut numbers) = (Vec::new(), 0u64);
                for (part, number) in parts.iter().zip(0..) {
                    let of = inside(context, ty, Some(number)).ok_or(NoMatch::Reason("an index leads nowhere"))?;
                    let Some((part, more)) = self.shown(of, part, depth)? else { break };
                    all.push(part);
                    numbers = numbers.saturating_add(more);
                }
                let is_whole = all.len() == parts.len();
                is_whole.then(|| (context.attribute(AttributeData::Array(all.into())), numbers))
            }
            _ => None,
        };
        self.shown.insert((ty, place), shown);
        Ok(shown)
    }

    fn address(&mut self, ty: Type, address: &Address) -> std::result::Result<Value, NoMatch> {
        let context = self.rw.context();
        let place = (self.find)(address).ok_or(NoMatch::Reason("an address is not known"))?;
        let name = vec![(context.static_identifier("global_name"), reference(context, place.name))];
        let mut made = self.rw.make("llvm.mlir.addressof", &[], place.pointer, name)?;
        for (of, indices) in place.steps {
            let attributes = vec![
                (context.static_identifier("elem_type"), context.attribute(AttributeData::Type(of))),
                (context.static_identifier("noWrapFlags"), context.integer(32, 0)),
                (
                    context.static_identifier("rawConstantIndices"),
                    dense_array(context, 32, indices.into_iter().map(i64::from)),
                ),
            ];
            made = self.rw.make("llvm.getelementptr", &[made], place.pointer, attributes)?;
        }
        Ok(match place.pointer == ty {
            true => made,
            false => self.rw.make("llvm.addrspacecast", &[made], ty, Vec::new())?,
        })
    }

    fn constant(&mut self, ty: Type, value: Attribute) -> std::result::Result<Value, NoMatch> {
        let value = vec![(self.rw.context().static_identifier("value"), value)];
        Ok(self.rw.make("llvm.mlir.constant", &[], ty, value)?)
    }

    fn composite<'k>(
        &mut self,
        ty: Type,
        parts: impl Iterator<Item = &'k Known>,
        depth: u32,
    ) -> std::result::Result<Value, NoMatch> {
        let context = self.rw.context();
        let mut made = self.rw.make("llvm.mlir.poison", &[], ty, Vec::new())?;
        for (known, number) in parts.zip(0u32..) {
            let of = inside(context, ty, Some(number)).ok_or(NoMatch::Reason("a constant has too many parts"))?;
            let part = self.value(of, known, depth)?;
            made = if lanes(context, ty).is_some() {
                let word = context.integer_type(32);
                let index = self.constant(word, context.integer(32, number.into()))?;
                self.rw.make("llvm.insertelement", &[made, part, index], ty, Vec::new())?
            } else {
                let position = dense_array(context, 64, [number.into()]);
                let position = vec![(context.static_identifier("position"), position)];
                self.rw.make("llvm.insertvalue", &[made, part], ty, position)?
            };
        }
        Ok(made)
    }
}
