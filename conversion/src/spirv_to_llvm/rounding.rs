//! Conversions between numbers that say how they round, and that what is too large becomes the largest number. MLIR takes both for
//! nothing.

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::number::ApFloat;
use mlirbc_ir::{OpId, Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::emit::{Emit, Look, Rw, element, resized, width};
use super::glsl::counted;
use super::math::Math;

/// Where numbers go that are between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    ToZero,
    Up,
    Down,
}

/// What a conversion says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Said {
    saturates: bool,
    /// To the nearest number, and to the even one of two, where it is none of these.
    mode: Option<Mode>,
    /// Whether it says how it rounds.
    says_mode: bool,
}

impl Said {
    /// # Errors
    /// No match where the mode is none that is known.
    pub(super) fn of(rw: &Rw<'_, '_>, op: OpId) -> Result<Self, NoMatch> {
        let mode = rw.op(op).attribute("fp_rounding_mode")?;
        let number = mode.map(|mode| enumerant_of(rw.context(), mode, EnumKind::FPRoundingMode));
        let mode = match number {
            None | Some(Some(0)) => None,
            Some(Some(1)) => Some(Mode::ToZero),
            Some(Some(2)) => Some(Mode::Up),
            Some(Some(3)) => Some(Mode::Down),
            _ => return Err(NoMatch::Reason("how a conversion rounds is no case of its enum")),
        };
        let saturates = rw.op(op).attribute("saturated_conversion")?.is_some();
        Ok(Said { saturates, mode, says_mode: number.is_some() })
    }

    /// An integer as a narrower one of that type.
    pub(super) fn narrower(
        self,
        rw: &mut Rw<'_, '_>,
        mut of: Value,
        ty: Type,
        has_sign: bool,
    ) -> Result<Value, NoMatch> {
        if self.saturates {
            let wide = rw.ty(of)?;
            let [least, most] = range(rw, ty, has_sign)?;
            let most = rw.splat(wide, most)?;
            if has_sign {
                let least = rw.splat(wide, least)?;
                of = rw.math("llvm.intr.smax", &[of, least])?;
                of = rw.math("llvm.intr.smin", &[of, most])?;
            } else {
                of = rw.math("llvm.intr.umin", &[of, most])?;
            }
        }
        Ok(rw.emit("llvm.trunc", &[of], ty)?)
    }

    /// A float as a narrower one of that type.
    pub(super) fn narrower_float(self, rw: &mut Rw<'_, '_>, of: Value, ty: Type) -> Result<Value, NoMatch> {
        let near = rw.emit("llvm.fptrunc", &[of], ty)?;
        let Some(mode) = self.mode else { return Ok(near) };
        let wide = rw.ty(of)?;
        let back = rw.emit("llvm.fpext", &[near], wide)?;
        let [farther, nearer] = beside(rw, near)?;
        Ok(match mode {
            Mode::ToZero => {
                let sizes = [rw.math("llvm.intr.fabs", &[back])?, rw.math("llvm.intr.fabs", &[of])?];
                let is_too_far = rw.compare(FCmpPredicate::Ogt, sizes[0], sizes[1])?;
                rw.choose(is_too_far, nearer, near)?
            }
            Mode::Up | Mode::Down => {
                let zero = rw.float(wide, 0.0)?;
                let is_negative = rw.compare(FCmpPredicate::Olt, of, zero)?;
                let (is_wrong, moved) = if mode == Mode::Up {
                    (FCmpPredicate::Olt, rw.choose(is_negative, nearer, farther)?)
                } else {
                    (FCmpPredicate::Ogt, rw.choose(is_negative, farther, nearer)?)
                };
                let is_wrong = rw.compare(is_wrong, back, of)?;
                rw.choose(is_wrong, moved, near)?
            }
        })
    }

    /// Whether it says nothing.
    pub(super) fn is_nothing(self) -> bool {
        !self.saturates && !self.says_mode
    }

    /// A float as an integer of that type, by that operation.
    pub(super) fn integer(
        self,
        rw: &mut Rw<'_, '_>,
        mut of: Value,
        ty: Type,
        (to, has_sign): (&str, bool),
    ) -> Result<Value, NoMatch> {
        if self.says_mode {
            of = match self.mode {
                None => rw.math("llvm.intr.roundeven", &[of])?,
                Some(Mode::ToZero) => of,
                Some(Mode::Up) => rw.math("llvm.intr.ceil", &[of])?,
                Some(Mode::Down) => rw.math("llvm.intr.floor", &[of])?,
            };
        }
        let made = rw.emit(to, &[of], ty)?;
        if !self.saturates {
            return Ok(made);
        }
        // What is no number becomes zero.
        let [least, most] = range(rw, ty, has_sign)?;
        let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("it is no integer"))? as i32;
        let float = rw.ty(of)?;
        let end = rw.float(float, 2f64.powi(bits - i32::from(has_sign)))?;
        let is_large = rw.compare(FCmpPredicate::Oge, of, end)?;
        let most = rw.splat(ty, most)?;
        let mut made = rw.choose(is_large, most, made)?;
        let zero = rw.splat(ty, 0)?;
        if has_sign {
            let start = rw.float(float, -(2f64.powi(bits - 1)))?;
            let is_small = rw.compare(FCmpPredicate::Ole, of, start)?;
            let least = rw.splat(ty, least)?;
            made = rw.choose(is_small, least, made)?;
            let is_none = rw.compare(FCmpPredicate::Uno, of, of)?;
            return rw.choose(is_none, zero, made);
        }
        let start = rw.float(float, 0.0)?;
        let is_small = rw.compare(FCmpPredicate::Ule, of, start)?;
        rw.choose(is_small, zero, made)
    }

    /// An integer as a float of that type, the nearest by that operation. Else its highest bits, as many as that has, are one float, and the
    /// next one is taken where some bits are left and it is on the side that is asked for.
    pub(super) fn float(
        self,
        rw: &mut Rw<'_, '_>,
        of: Value,
        ty: Type,
        (to, has_sign): (&str, bool),
    ) -> Result<Value, NoMatch> {
        let Some(mode) = self.mode else { return Ok(rw.emit(to, &[of], ty)?) };
        let context = rw.context();
        let (integer, wrong) = (rw.ty(of)?, NoMatch::Reason("it is no number"));
        let TypeData::Float(kind) = context[element(context, ty)] else { return Err(wrong) };
        let bits = width(context, integer).ok_or(wrong)?;
        let (zero, mut size, mut is_negative) = (rw.splat(integer, 0)?, of, None);
        if has_sign {
            let condition = rw.compare_integers(ICmpPredicate::Slt, of, zero)?;
            let opposite = rw.math("llvm.sub", &[zero, of])?;
            size = rw.choose(condition, opposite, of)?;
            is_negative = Some(condition);
        }
        let zeros = counted(rw, "llvm.intr.ctlz", "is_zero_poison", size, integer)?;
        let most = rw.splat(integer, i64::from(bits.saturating_sub(kind.precision())))?;
        let lost = rw.math("llvm.intr.usub.sat", &[most, zeros])?;
        let ones = rw.splat(integer, -1)?;
        let mask = rw.math("llvm.shl", &[ones, lost])?;
        let kept = rw.math("llvm.and", &[size, mask])?;
        let is_between = rw.compare_integers(ICmpPredicate::Ne, kept, size)?;
        let made = rw.emit("llvm.uitofp", &[kept], ty)?;
        // There may be more than the largest float.
        let infinity = rw.float_by(ty, ApFloat::infinity)?;
        let is_infinite = rw.compare(FCmpPredicate::Oeq, made, infinity)?;
        let largest = rw.float_by(ty, |kind| Some(ApFloat::largest(kind)))?;
        let nearer = rw.choose(is_infinite, largest, made)?;
        let [next, _] = beside(rw, made)?;
        let next = rw.choose(is_infinite, infinity, next)?;
        let farther = rw.choose(is_between, next, made)?;
        let made = match (mode, is_negative) {
            (Mode::ToZero, _) | (Mode::Down, None) => nearer,
            (Mode::Up, None) => farther,
            (Mode::Up, Some(is_negative)) => rw.choose(is_negative, nearer, farther)?,
            (Mode::Down, Some(is_negative)) => rw.choose(is_negative, farther, nearer)?,
        };
        let Some(is_negative) = is_negative else { return Ok(made) };
        let opposite = rw.math("llvm.fneg", &[made])?;
        rw.choose(is_negative, opposite, made)
    }
}

/// The least and the greatest integer of a type, without a sign as if they had one.
fn range(rw: &Rw<'_, '_>, ty: Type, has_sign: bool) -> Result<[i64; 2], NoMatch> {
    let bits = width(rw.context(), ty).filter(|bits| (2..=64).contains(bits));
    let bits = bits.ok_or(NoMatch::Reason("there is no number of so many bits that is the largest"))?;
    let most = (u64::MAX >> (64 - bits)) as i64;
    Ok(if has_sign { [-1 << (bits - 1), i64::MAX >> (64 - bits)] } else { [0, most] })
}

/// The floats next to one, farther from zero and nearer to it.
fn beside(rw: &mut Rw<'_, '_>, of: Value) -> Result<[Value; 2], NoMatch> {
    let ty = rw.ty(of)?;
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("it is no float"))?;
    let integer = resized(rw.context(), ty, bits);
    let pattern = rw.emit("llvm.bitcast", &[of], integer)?;
    let one = rw.splat(integer, 1)?;
    let (farther, nearer) = (rw.math("llvm.add", &[pattern, one])?, rw.math("llvm.sub", &[pattern, one])?);
    Ok([rw.emit("llvm.bitcast", &[farther], ty)?, rw.emit("llvm.bitcast", &[nearer], ty)?])
}
