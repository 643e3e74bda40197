//! Floating-point numbers beside those of the processor, and beside the nearest of all numbers of a format.

use std::cmp::Ordering;

use super::{ApFloat, ApInt, FloatKind, RoundingMode};

const NEAREST: RoundingMode = RoundingMode::ToNearestEven;

/// Numbers that look random.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state ^ *state >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ *state >> 32
}

/// Patterns of doubles: any, those of like exponents, and special ones.
fn double(state: &mut u64) -> f64 {
    let bits = random(state);
    f64::from_bits(match random(state) % 6 {
        0 => bits,
        1 => bits & 0x800f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000,
        2 => bits & 0x800f_ffff_ffff_ffff,
        3 => bits & 0x801f_ffff_ffff_f000 | 0x3fe0_0000_0000_0000,
        4 => [0, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x7fef_ffff_ffff_ffff, 1][bits as usize % 6],
        _ => ((bits as i64 >> (bits % 64)) as f64).to_bits(),
    })
}

fn of(value: f64) -> ApFloat {
    ApFloat::from_f64(FloatKind::F64, value)
}

#[test]
fn doubles_compute_as_the_processor_does() {
    let state = &mut 3;
    // NaN differ in what processors make of their signs.
    let same = |ours: ApFloat, theirs: f64| {
        if theirs.is_nan() { ours.is_nan() } else { ours.pattern() == u128::from(theirs.to_bits()) }
    };
    for _ in 0..20_000 {
        let (a, b, c) = (double(state), double(state), double(state));
        let (x, y, z) = (of(a), of(b), of(c));
        assert!(same(x.add(y, NEAREST), a + b), "{a:e} + {b:e} is {:?}", x.add(y, NEAREST));
        assert!(same(x.sub(y, NEAREST), a - b), "{a:e} - {b:e}");
        assert!(same(x.mul(y, NEAREST), a * b), "{a:e} * {b:e} is {:?}", x.mul(y, NEAREST));
        assert!(same(x.div(y, NEAREST).unwrap(), a / b), "{a:e} / {b:e} is {:?}", x.div(y, NEAREST));
        assert!(same(x.fmod(y).unwrap(), a % b), "{a:e} % {b:e} is {:?}", x.fmod(y));
        assert!(same(x.fma(y, z, NEAREST), a.mul_add(b, c)), "{a:e} * {b:e} + {c:e} is {:?}", x.fma(y, z, NEAREST));
        assert_eq!(x.compare(y), a.partial_cmp(&b));
        assert_eq!(x.to_f32().to_bits() << 1, (a as f32).to_bits() << 1, "{a:e}");
        assert!(same(x.round_to_integer(NEAREST), a.round_ties_even()));
        assert!(same(x.round_to_integer(RoundingMode::Downward), a.floor()));
        assert!(same(x.round_to_integer(RoundingMode::Upward), a.ceil()));
        assert!(same(x.round_to_integer(RoundingMode::TowardZero), a.trunc()));
        assert!(same(x.round_to_integer(RoundingMode::ToNearestAway), a.round()));
        assert_eq!(x.is_denormal(), a.is_subnormal());
        assert_eq!(x.is_integer(), a.fract() == 0.0);
        assert_eq!(x.to_signed(64, RoundingMode::TowardZero).value, ApInt::from_i64(64, a as i64));
        assert_eq!(x.to_unsigned(64, RoundingMode::TowardZero).value, ApInt::from_u64(64, a as u64));
        assert_eq!(x.to_signed(8, RoundingMode::TowardZero).value, ApInt::from_i64(8, i64::from(a as i8)));
        let integer = random(state);
        let bits = ApInt::from_u64(64, integer);
        assert!(same(ApFloat::from_unsigned(FloatKind::F64, &bits, NEAREST), integer as f64));
        assert!(same(ApFloat::from_signed(FloatKind::F64, &bits, NEAREST), integer as i64 as f64));
    }
}

#[test]
fn single_precision_computes_as_the_processor_does() {
    let state = &mut 5;
    for _ in 0..20_000 {
        let (a, b) = (double(state) as f32, double(state) as f32);
        let (x, y) = (ApFloat::from_f32(FloatKind::F32, a), ApFloat::from_f32(FloatKind::F32, b));
        for (ours, theirs) in [
            (x.add(y, NEAREST), a + b),
            (x.mul(y, NEAREST), a * b),
            (x.div(y, NEAREST).unwrap(), a / b),
            (x.fmod(y).unwrap(), a % b),
        ] {
            let same = if theirs.is_nan() { ours.is_nan() } else { ours.pattern() == u128::from(theirs.to_bits()) };
            assert!(same, "{a:e} {b:e} {ours:?} {theirs:e}");
        }
    }
}

/// All finite numbers of a narrow format, from the lowest to the highest, 0 before -0.
fn numbers(kind: FloatKind) -> Vec<ApFloat> {
    let all = (0..1u128 << kind.width()).map(|pattern| ApFloat::from_pattern(kind, pattern));
    let mut finite: Vec<ApFloat> = all.filter(|number| number.is_finite()).collect();
    finite.sort_by(|a, b| a.to_f64().partial_cmp(&b.to_f64()).unwrap());
    finite
}

fn narrow() -> impl Iterator<Item = FloatKind> {
    FloatKind::ALL.iter().copied().filter(|kind| kind.width() <= 8)
}

#[test]
fn rounding_takes_the_nearest_of_all_numbers() {
    let state = &mut 11;
    let mut compared = 0;
    for kind in narrow() {
        let numbers = numbers(kind);
        let (lowest, highest) = (numbers[0].to_f64(), numbers[numbers.len() - 1].to_f64());
        let mut values: Vec<f64> = numbers.windows(2).map(|pair| (pair[0].to_f64() + pair[1].to_f64()) / 2.0).collect();
        values.extend(numbers.iter().map(|number| number.to_f64()));
        values.extend(values.clone().iter().flat_map(|value| [value.next_up(), value.next_down()]));
        values.extend((0..200).map(|_| double(state)));
        for value in values.into_iter().filter(|value| (lowest..=highest).contains(value) && *value != 0.0) {
            for mode in RoundingMode::ALL {
                let below = numbers.iter().rfind(|number| number.to_f64() <= value).unwrap();
                let above = numbers.iter().find(|number| number.to_f64() >= value).unwrap();
                let (down, up) = (value - below.to_f64(), above.to_f64() - value);
                let even = |number: &ApFloat| number.pattern() & 1 == 0;
                // Between powers of two the last bit of the significand is always 1.
                let even_below = if kind == FloatKind::F8E8M0FNU { false } else { even(below) };
                let nearest = |tie: bool| match down.partial_cmp(&up).unwrap() {
                    Ordering::Less => below,
                    Ordering::Greater => above,
                    Ordering::Equal if tie => below,
                    Ordering::Equal => above,
                };
                let expected = match mode {
                    RoundingMode::ToNearestEven => nearest(even_below),
                    RoundingMode::ToNearestAway => nearest(value < 0.0),
                    RoundingMode::Downward => below,
                    RoundingMode::Upward => above,
                    RoundingMode::TowardZero if value < 0.0 => above,
                    RoundingMode::TowardZero => below,
                };
                let converted = of(value).convert(kind, mode);
                assert_eq!(converted.value.to_f64(), expected.to_f64(), "{value:e} {mode:?} to {kind:?}");
                assert_eq!(converted.loses_info, expected.to_f64() != value, "{value:e} {mode:?} to {kind:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn what_a_format_has_no_number_for() {
    use FloatKind::*;
    for &kind in FloatKind::ALL {
        let (one, largest) = (ApFloat::one(kind), ApFloat::largest(kind));
        assert_eq!(one.to_f64(), 1.0);
        assert!(largest.is_finite() && ApFloat::smallest(kind).is_finite(), "{kind:?}");
        assert_eq!(largest.exponent(), Some(kind.max_exponent()));
        assert_eq!(ApFloat::nan(kind).map(ApFloat::is_nan), kind.has_nan().then_some(true));
        assert!(!ApFloat::nan(kind).is_some_and(ApFloat::is_signaling));
        assert_eq!(ApFloat::infinity(kind).map(ApFloat::is_infinite), kind.has_infinity().then_some(true));
        let beyond = largest.add(largest, NEAREST);
        match (kind.has_infinity(), kind.has_nan()) {
            (true, _) => assert!(beyond.is_infinite(), "{kind:?}"),
            (false, true) => assert!(beyond.is_nan(), "{kind:?}"),
            (false, false) => assert_eq!(beyond, largest),
        }
        assert_eq!(largest.add(largest, RoundingMode::TowardZero), largest);
        assert_eq!(ApFloat::zero(kind).is_zero(), kind.has_zero());
        assert_eq!(ApFloat::zero(kind).negated().is_negative(), kind.has_negative_zero());
        assert_eq!(one.negated().is_negative(), kind.is_signed());
        assert_eq!(one.sub(one, NEAREST), ApFloat::zero(kind));
        if kind.has_zero() {
            let by_zero = one.div(ApFloat::zero(kind), NEAREST);
            assert_eq!(by_zero, ApFloat::infinity(kind).or(ApFloat::nan(kind)));
            assert_eq!(ApFloat::zero(kind).div(ApFloat::zero(kind), NEAREST), ApFloat::nan(kind));
            assert_eq!(one.fmod(ApFloat::zero(kind)), ApFloat::nan(kind));
        }
    }
    assert!(ApFloat::one(F8E8M0FNU).negated().is_nan());
    assert!(ApFloat::from_f64(F8E8M0FNU, -2.0).is_nan());
    assert_eq!(ApFloat::from_f64(F8E8M0FNU, 0.0).pattern(), 0);
    assert_eq!(ApFloat::from_f64(F4E2M1FN, f64::INFINITY).to_f64(), 6.0);
    assert_eq!(ApFloat::from_f64(F4E2M1FN, f64::NEG_INFINITY).to_f64(), -6.0);
    assert!(F64.holds(F32) && !F32.holds(F64) && !F16.holds(BF16) && F32.holds(BF16));
}

#[test]
fn patterns_of_80_bits_that_no_processor_makes() {
    let of = |exponent: u128, significand: u128| ApFloat::from_pattern(FloatKind::F80, exponent << 64 | significand);
    let one = of(0x3fff, 1 << 63);
    assert_eq!(one.to_f64(), 1.0);
    assert!(of(0x3fff, 1).is_nan(), "without its leading one");
    assert!(of(0x7fff, 0).is_nan());
    assert!(of(0x7fff, 1 << 63).is_infinite());
    assert!(of(0, 1).is_denormal());
    assert_eq!(of(0, 1 << 63), of(1, 1 << 63), "the smallest normal number");
}

#[test]
fn payloads_of_nan_move_between_formats() {
    let nan = |bits: u32| ApFloat::from_pattern(FloatKind::F32, bits.into());
    let quiet = nan(0xffc1_2345);
    let double = quiet.convert(FloatKind::F64, NEAREST);
    assert_eq!(double.exact().map(ApFloat::pattern), Some(0xfff8_2468_a000_0000));
    assert_eq!(double.value.convert(FloatKind::F32, NEAREST).exact(), Some(quiet));
    let signaling = nan(0x7f80_0001);
    let half = signaling.convert(FloatKind::F16, NEAREST);
    assert!(half.loses_info && half.invalid && half.value.is_nan());
    assert_eq!(signaling.add(quiet, NEAREST), nan(0x7fc0_0001), "the first of two, made quiet");
    assert_eq!(signaling.negated(), nan(0xff80_0001));
}

#[test]
fn wide_formats_keep_the_laws_of_arithmetic() {
    let state = &mut 17;
    for kind in [FloatKind::F80, FloatKind::F128] {
        for _ in 0..2_000 {
            let pattern = |state: &mut u64| {
                let exponent = 0x3fff + u128::from(random(state) % 300) - 150;
                let fraction = u128::from(random(state)) << 64 | u128::from(random(state));
                let stored = if kind == FloatKind::F80 { 64 } else { 112 };
                let leading = if kind == FloatKind::F80 { 1 << 63 } else { 0 };
                ApFloat::from_pattern(kind, exponent << stored | fraction >> (128 - stored) | leading)
            };
            let (a, b) = (pattern(state), pattern(state));
            // What rounding took off a sum is a number itself, and so is what it took off a product.
            let sum = a.add(b, NEAREST);
            let (large, small) = if a.compare(b) == Some(Ordering::Less) { (b, a) } else { (a, b) };
            let lost = small.sub(sum.sub(large, NEAREST), NEAREST);
            assert_eq!(sum.add(lost, NEAREST), sum);
            let product = a.mul(b, NEAREST);
            let error = a.fma(b, product.negated(), NEAREST);
            assert_eq!(a.fma(b, error.negated(), NEAREST), product);
            // Between both directed results, of which one is the next of the other, lies the nearest one.
            let down = a.div(b, RoundingMode::Downward).unwrap();
            let up = a.div(b, RoundingMode::Upward).unwrap();
            assert!(up.pattern() - down.pattern() <= 1);
            assert!([down, up].contains(&a.div(b, NEAREST).unwrap()));
            assert!(down.fma(b, a.negated(), NEAREST).compare(ApFloat::zero(kind)) != Some(Ordering::Greater));
            assert!(up.fma(b, a.negated(), NEAREST).compare(ApFloat::zero(kind)) != Some(Ordering::Less));
            let rest = a.fmod(b).unwrap();
            assert!(rest.compare(b) == Some(Ordering::Less));
            // Where the quotient is a number of the format, nothing is rounded here.
            if a.exponent().unwrap() - b.exponent().unwrap() < 60 {
                let toward_zero = RoundingMode::TowardZero;
                let quotient = a.div(b, toward_zero).unwrap().round_to_integer(toward_zero);
                assert_eq!(quotient.negated().fma(b, a, NEAREST), rest);
            }
        }
    }
}

#[test]
fn integers_and_numbers() {
    let of = |value: f64| of(value);
    let to = |value: f64, width| of(value).to_signed(width, RoundingMode::TowardZero);
    assert_eq!(to(-128.9, 8).in_range(), Some(ApInt::from_i64(8, -128)));
    assert_eq!(to(128.0, 8).in_range(), None);
    assert_eq!(to(128.0, 8).value, ApInt::from_i64(8, 127));
    assert_eq!(to(f64::NAN, 8).value, ApInt::zero(8));
    assert_eq!(to(-1.0, 1).in_range(), Some(ApInt::one(1)));
    assert_eq!(to(0.5, 0).in_range(), Some(ApInt::zero(0)));
    assert_eq!(to(1.0, 0).in_range(), None);
    assert!(!to(-0.0, 8).exact && to(-0.0, 8).fits);
    let huge = of(2f64.powi(1000)).to_unsigned(2000, RoundingMode::TowardZero);
    assert_eq!((huge.value.trailing_zeros(), huge.exact), (1000, true));
    assert_eq!(ApFloat::from_unsigned(FloatKind::F64, &huge.value, NEAREST), of(2f64.powi(1000)));
    let beyond = ApInt::one(2000).shl(1999);
    assert!(ApFloat::from_unsigned(FloatKind::F64, &beyond, NEAREST).is_infinite());
    // A bit far below decides a tie.
    let tie = ApInt::from_u64(400, (1 << 54) + 2).shl(300);
    assert_eq!(ApFloat::from_unsigned(FloatKind::F64, &tie, NEAREST).pattern() & 1, 0);
    assert_eq!(ApFloat::from_unsigned(FloatKind::F64, &tie.add(&ApInt::one(400)), NEAREST).pattern() & 1, 1);
}
