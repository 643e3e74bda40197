//! `spirv-webgpu-prepare` (`SPIRVWebGPUTransforms.cpp`).

use mlirbc_ir::{BodyId, Error, Module, OpId, Result, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::regions::Simplify;
use mlirbc_rewrite::{
    AnyPattern, Greedy, LocalPass, LocalRun, MakePass, Match, NoMatch, Outcome, Pass, PassInfo, Patterns,
};

use super::MODULE;
use crate::dialect::folds::splat;

/// So many products of twice the width are taken apart, however few other operations there are; and one in so many operations.
const MOST_PRODUCTS: usize = 1 << 14;
const PER_PRODUCT: usize = 16;

/// Does without what WebGPU's language lacks: products of twice the width and sums with a carry, of 32 bits, become arithmetic of 16 bits
/// in 32; numbers are taken to be finite, so that `IsInf` and `IsNan` are false. Operations are folded beside, and regions simplified.
pub struct WebGpuPrepare(Greedy);

impl Default for WebGpuPrepare {
    fn default() -> Self {
        WebGpuPrepare(Greedy::new(patterns()).simplify(Simplify::Aggressive))
    }
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-webgpu-prepare",
    about: "do without the operations that WebGPU lacks",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(WebGpuPrepare::default()))),
};

impl Pass for WebGpuPrepare {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some(MODULE)
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

impl LocalPass for WebGpuPrepare {
    /// Of each product dozens of operations come: a module that is made of little else would become many times as large.
    fn begin(&self, module: &mut Module, anchors: &[(BodyId, OpId)]) -> Result<()> {
        let (mut all, mut products) = (0, 0);
        for &(body, op) in anchors {
            for op in module.operation(body, op)?.walk()? {
                all += 1;
                products += usize::from(op.is("spirv.SMulExtended") || op.is("spirv.UMulExtended"));
            }
        }
        if products > MOST_PRODUCTS.max(all / PER_PRODUCT) {
            let message =
                format!("{products} products of twice the width, which would become dozens of operations each");
            return Err(Error::verification(message));
        }
        Ok(())
    }

    fn start(&self) -> LocalRun<'_> {
        LocalPass::start(&self.0)
    }
}

fn patterns() -> Patterns {
    Patterns::new()
        .on("spirv.SMulExtended", AnyPattern::new("ExpandMulExtendedPattern<SMulExtendedOp, true>", multiply_signed))
        .on("spirv.UMulExtended", AnyPattern::new("ExpandMulExtendedPattern<UMulExtendedOp, false>", multiply_unsigned))
        .on("spirv.IAddCarry", AnyPattern::new("ExpandAddCarryPattern", add_carry))
        .on("spirv.IsInf", AnyPattern::new("ExpandIsInfPattern", never))
        .on("spirv.IsNan", AnyPattern::new("ExpandIsNanPattern", never))
}

/// What stands for an operation that is made of others, all of the type of its operands.
struct Maker<'r, 'm> {
    rw: &'r mut Rewriter<'m>,
    ty: Type,
}

impl Maker<'_, '_> {
    fn of_type(&mut self, name: &str, operands: &[Value], ty: Type) -> Result<Value> {
        let made = self.rw.build(name).operands(operands.iter().copied()).result_type(ty).create()?;
        self.rw.result(made, 0)
    }

    fn make(&mut self, name: &str, operands: [Value; 2]) -> Result<Value> {
        self.of_type(name, &operands, self.ty)
    }

    fn constant(&mut self, number: u64) -> Result<Value> {
        constant(self.rw, self.ty, number)
    }
}

fn constant(rw: &mut Rewriter<'_>, ty: Type, number: u64) -> Result<Value> {
    let value = splat(rw.context(), ty, number).ok_or_else(|| Error::misuse("a type that has no constants"))?;
    let made = rw.build("spirv.Constant").attribute("value", value).result_type(ty).create()?;
    rw.result(made, 0)
}

/// The operands of an operation on two integers of 32 bits each, and their type.
fn words(rw: &Rewriter<'_>, op: OpId) -> std::result::Result<([Value; 2], Type), NoMatch> {
    let context = rw.context();
    let &[left, right] = rw.body().operands(op) else { return Err(NoMatch::Reason("it has not two operands")) };
    let ty = rw.op(op).type_of(left)?;
    match context[context[ty].element().unwrap_or(ty)] {
        TypeData::Integer { width: 32, .. } if rw.body().result_count(op) == 1 => Ok(([left, right], ty)),
        _ => Err(NoMatch::Reason("its operands are no integers of 32 bits")),
    }
}

/// Puts the struct of two values in the place of an operation.
fn construct(rw: &mut Rewriter<'_>, op: OpId, members: [Value; 2]) -> Outcome {
    let result = rw.result(op, 0)?;
    let ty = rw.body().ty(result);
    let made = rw.build("spirv.CompositeConstruct").operands(members).result_type(ty).create()?;
    Ok(rw.replace_with(op, made)?)
}

fn multiply_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    multiply(rw, op, true)
}

fn multiply_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    multiply(rw, op, false)
}

/// A product of 64 bits, worked out by digits of 16 bits in words of 32, so that no product and no sum is too large for one.
fn multiply(rw: &mut Rewriter<'_>, op: OpId, signed: bool) -> Outcome {
    let (factors, ty) = words(rw, op)?;
    let mut make = Maker { rw, ty };
    let (mask, sixteen, zero) = (make.constant(0xffff)?, make.constant(16)?, make.constant(0)?);
    // What is above 32 bits: nothing, or the sign twice, of which the same digit serves for both.
    let mut digits = [[None; 4]; 2];
    for (digits, factor) in digits.iter_mut().zip(factors) {
        digits[0] = Some(make.make("spirv.BitwiseAnd", [factor, mask])?);
        digits[1] = Some(make.make("spirv.ShiftRightLogical", [factor, sixteen])?);
        if signed {
            let sign = make.make("spirv.ShiftRightArithmetic", [factor, sixteen])?;
            let sign = make.make("spirv.ShiftRightLogical", [sign, sixteen])?;
            digits[2..].fill(Some(sign));
        }
    }
    let mut sums = [zero; 4];
    for (at, left) in digits[0].into_iter().enumerate() {
        for (to, right) in (at..sums.len()).zip(digits[1]) {
            let (Some(left), Some(right)) = (left, right) else { continue };
            let product = make.make("spirv.IMul", [left, right])?;
            let sum = make.make("spirv.IAdd", [sums[to], product])?;
            sums[to] = make.make("spirv.BitwiseAnd", [sum, mask])?;
            if let Some(&next) = sums.get(to + 1) {
                let carry = make.make("spirv.ShiftRightLogical", [sum, sixteen])?;
                sums[to + 1] = make.make("spirv.IAdd", [next, carry])?;
            }
        }
    }
    let mut word = |low, high| {
        let high = make.make("spirv.ShiftLeftLogical", [high, sixteen])?;
        make.make("spirv.BitwiseOr", [low, high])
    };
    let [a, b, c, d] = sums;
    let members = [word(a, b)?, word(c, d)?];
    construct(rw, op, members)
}

/// The carry is one where the sum is less than what was added to.
fn add_carry(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let ([left, right], ty) = words(rw, op)?;
    let truth = rw.context().integer_type(1);
    let truth = match &rw.context()[ty] {
        TypeData::Vector { shape, scalable, .. } => {
            let (shape, scalable) = (shape.clone(), scalable.clone());
            rw.context().ty(TypeData::Vector { shape, scalable, element: truth })
        }
        _ => truth,
    };
    let mut make = Maker { rw, ty };
    let (one, zero) = (make.constant(1)?, make.constant(0)?);
    let sum = make.make("spirv.IAdd", [left, right])?;
    let is_less = make.of_type("spirv.ULessThan", &[sum, left], truth)?;
    let carry = make.of_type("spirv.Select", &[is_less, one, zero], ty)?;
    construct(rw, op, [sum, carry])
}

/// False.
fn never(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let result = rw.result(op, 0)?;
    let ty = rw.op(op).type_of(result)?;
    if splat(rw.context(), ty, 0).is_none() {
        return rw.no_match("its result is no truth value");
    }
    let no = constant(rw, ty, 0)?;
    Ok(rw.replace(op, [no])?)
}
