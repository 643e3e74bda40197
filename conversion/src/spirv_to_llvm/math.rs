//! Arithmetic that patterns write down: each call makes one operation, or a few, of `llvm`.

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{OpId, Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};

use super::Set;
use super::emit::{Emit, Look, Rw, element, lanes, resized};
use super::explicit::{extract, insert};
use super::parts::few;

/// Operations on numbers and vectors of them.
pub(super) trait Math: Emit {
    /// An operation whose operands and result are all of one type.
    fn math(&mut self, name: &str, operands: &[Value]) -> Result<Value, NoMatch>;

    /// A float that a function says for each kind of float, or a vector that has it everywhere.
    fn float_by(&mut self, ty: Type, number: impl FnOnce(FloatKind) -> Option<ApFloat>) -> Result<Value, NoMatch>;

    /// A float, or a vector that has it everywhere.
    fn float(&mut self, ty: Type, number: f64) -> Result<Value, NoMatch> {
        self.float_by(ty, |kind| Some(ApFloat::from_f64(kind, number)))
    }

    /// Compares floats.
    fn compare(&mut self, predicate: FCmpPredicate, left: Value, right: Value) -> Result<Value, NoMatch>;

    /// Compares integers.
    fn compare_integers(&mut self, predicate: ICmpPredicate, left: Value, right: Value) -> Result<Value, NoMatch>;

    /// One value or the other.
    fn choose(&mut self, condition: Value, yes: Value, no: Value) -> Result<Value, NoMatch> {
        let ty = self.ty(yes)?;
        Ok(self.emit("llvm.select", &[condition, yes, no], ty)?)
    }

    /// An element of a vector.
    fn lane(&mut self, vector: Value, number: u32) -> Result<Value, NoMatch>;

    /// A vector of that type of its elements, or a composite of its parts.
    fn put_together(&mut self, ty: Type, parts: &[Value]) -> Result<Value, NoMatch>;

    /// A number, or a vector of that type which has it everywhere.
    fn spread(&mut self, ty: Type, number: Value) -> Result<Value, NoMatch>;

    /// The sum of the products of elements, the first ones first; of numbers, the product.
    fn dot(&mut self, left: Value, right: Value) -> Result<Value, NoMatch>;

    /// What a function makes of the elements of its operands, or of these where they are no vectors.
    fn by_element(
        &mut self,
        ty: Type,
        operands: &[Value],
        make: impl FnMut(&mut Self, &[Value]) -> Result<Value, NoMatch>,
    ) -> Result<Value, NoMatch>;
}

impl Math for Rw<'_, '_> {
    fn math(&mut self, name: &str, operands: &[Value]) -> Result<Value, NoMatch> {
        let first = operands.first().ok_or(NoMatch::Reason("there is no operand"))?;
        let ty = self.ty(*first)?;
        Ok(self.emit(name, operands, ty)?)
    }

    fn float_by(&mut self, ty: Type, number: impl FnOnce(FloatKind) -> Option<ApFloat>) -> Result<Value, NoMatch> {
        let context = self.context();
        let TypeData::Float(kind) = context[element(context, ty)] else {
            return Err(NoMatch::Reason("it is no float"));
        };
        let number = number(kind).ok_or(NoMatch::Reason("there is no such float"))?;
        let value = context.numbers(ty, &[number.to_bits()])?;
        Ok(self.constant(ty, value)?)
    }

    fn compare(&mut self, predicate: FCmpPredicate, left: Value, right: Value) -> Result<Value, NoMatch> {
        compared(self, "llvm.fcmp", predicate.value(), [left, right])
    }

    fn compare_integers(&mut self, predicate: ICmpPredicate, left: Value, right: Value) -> Result<Value, NoMatch> {
        compared(self, "llvm.icmp", predicate.value(), [left, right])
    }

    fn lane(&mut self, vector: Value, number: u32) -> Result<Value, NoMatch> {
        let ty = element(self.context(), self.ty(vector)?);
        Ok(extract(self, vector, number, ty)?)
    }

    fn put_together(&mut self, ty: Type, parts: &[Value]) -> Result<Value, NoMatch> {
        let mut made = self.emit("llvm.mlir.poison", &[], ty)?;
        for (&part, number) in parts.iter().zip(0..) {
            made = insert(self, made, part, number)?;
        }
        Ok(made)
    }

    fn spread(&mut self, ty: Type, number: Value) -> Result<Value, NoMatch> {
        match lanes(self.context(), ty) {
            None => Ok(number),
            Some(count) => self.put_together(ty, &vec![number; few(count)? as usize]),
        }
    }

    fn dot(&mut self, left: Value, right: Value) -> Result<Value, NoMatch> {
        let products = self.math("llvm.fmul", &[left, right])?;
        let Some(count) = lanes(self.context(), self.ty(left)?) else { return Ok(products) };
        let mut sum = self.lane(products, 0)?;
        for number in 1..few(count)? {
            let product = self.lane(products, number)?;
            sum = self.math("llvm.fadd", &[sum, product])?;
        }
        Ok(sum)
    }

    fn by_element(
        &mut self,
        ty: Type,
        operands: &[Value],
        mut make: impl FnMut(&mut Self, &[Value]) -> Result<Value, NoMatch>,
    ) -> Result<Value, NoMatch> {
        let Some(count) = lanes(self.context(), ty) else { return make(self, operands) };
        let mut made = Vec::new();
        for number in 0..few(count)? {
            let parts: Result<Vec<Value>, NoMatch> =
                operands.iter().map(|&operand| self.lane(operand, number)).collect();
            made.push(make(self, &parts?)?);
        }
        self.put_together(ty, &made)
    }
}

fn compared(rw: &mut Rw<'_, '_>, name: &str, predicate: i64, operands: [Value; 2]) -> Result<Value, NoMatch> {
    let context = rw.context();
    let ty = resized(context, rw.ty(operands[0])?, 1);
    let predicate = (context.static_identifier("predicate"), context.integer(64, predicate));
    Ok(rw.emit_with(name, &operands, ty, vec![predicate])?)
}

/// What makes the result of an operation, of that type, of its operands.
pub(super) type Make = fn(&mut Rw<'_, '_>, Type, &[Value]) -> Result<Value, NoMatch>;

/// Adds an operation to the set by what makes its result.
pub(super) fn several(set: Set, from: &str, make: Make) -> Set {
    let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
        let ty = rw.converted_result(op)?;
        let made = make(rw, ty, &operands.all()?)?;
        Ok(rw.replace(op, [made])?)
    };
    set.pattern(from, ConversionPattern::of("several", convert))
}

/// An operand.
pub(super) fn at(given: &[Value], number: usize) -> Result<Value, NoMatch> {
    given.get(number).copied().ok_or(NoMatch::Reason("an operand is missing"))
}
