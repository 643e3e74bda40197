//! Integers beside Rust's own, and wider ones beside what has to hold of them.

use std::cmp::Ordering;

use super::ApInt;

/// The signed number in 128 bits or less.
fn signed(value: &ApInt) -> i128 {
    let words = value.sext(128);
    (u128::from(words.words()[1]) << 64 | u128::from(words.words()[0])) as i128
}

fn unsigned(value: &ApInt) -> u128 {
    signed(&value.zext(128)) as u128
}

fn int(width: u32, value: i128) -> ApInt {
    ApInt::from_words(width, &[value as u64, (value >> 64) as u64])
}

/// Numbers that look random.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state ^ *state >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ *state >> 32
}

/// Patterns with long runs of equal bits, which carries and borrows go through.
fn runs(width: u32, state: &mut u64) -> ApInt {
    let mut value = ApInt::zero(width);
    let mut at = 0;
    while at < width {
        let length = match random(state) % 3 {
            0 => 1 + random(state) % 4,
            1 => 64,
            _ => 1 + random(state) % 90,
        } as u32;
        let words = match random(state) % 4 {
            0 => ApInt::from_u64(width, random(state)),
            1 => ApInt::all_ones(length).zext(width),
            _ => ApInt::zero(width),
        };
        value = value.or(&words.shl(at));
        at += length;
    }
    value
}

/// Compares every operation on two numbers of up to 64 bits with 128-bit arithmetic.
fn compare(a: &ApInt, b: &ApInt) {
    let width = a.width();
    let (sa, sb, ua, ub) = (signed(a), signed(b), unsigned(a), unsigned(b));
    let fits_signed = |value: i128| signed(&int(width, value)) == value;
    let fits_unsigned = |value: i128| signed(&int(width, value).zext(128)) == value;
    let exact = |value: i128| fits_signed(value).then(|| int(width, value));
    let (ia, ib) = (ua as i128, ub as i128);
    let of = || format!("{a:?} {b:?}");

    assert_eq!(a.add_signed(b), (int(width, sa + sb), !fits_signed(sa + sb)), "{}", of());
    assert_eq!(a.add_unsigned(b), (int(width, ia + ib), !fits_unsigned(ia + ib)), "{}", of());
    assert_eq!(a.sub_signed(b), (int(width, sa - sb), !fits_signed(sa - sb)), "{}", of());
    assert_eq!(a.sub_unsigned(b), (int(width, ia - ib), !fits_unsigned(ia - ib)), "{}", of());
    assert_eq!(a.mul_signed(b), (int(width, sa * sb), !fits_signed(sa * sb)), "{}", of());
    let product = ua * ub;
    assert_eq!(a.mul_unsigned(b), (int(width, product as i128), product >> width != 0), "{}", of());
    assert_eq!(a.mul_high_signed(b), int(width, (sa * sb) >> width), "{}", of());
    assert_eq!(a.mul_high_unsigned(b), int(width, (product >> width) as i128), "{}", of());

    assert_eq!(a.div_unsigned(b), ua.checked_div(ub).map(|value| int(width, value as i128)), "{}", of());
    assert_eq!(a.rem_unsigned(b), ua.checked_rem(ub).map(|value| int(width, value as i128)), "{}", of());
    assert_eq!(a.div_signed(b), sa.checked_div(sb).and_then(exact), "{}", of());
    assert_eq!(a.rem_signed(b), sa.checked_rem(sb).and_then(exact), "{}", of());
    let floor = |a: i128, b: i128| a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
    let ceil = |a: i128, b: i128| -floor(-a, b);
    let divisible = (sb != 0).then_some(());
    assert_eq!(a.floor_div_signed(b), divisible.and_then(|()| exact(floor(sa, sb))), "{}", of());
    assert_eq!(a.ceil_div_signed(b), divisible.and_then(|()| exact(ceil(sa, sb))), "{}", of());
    assert_eq!(a.ceil_div_unsigned(b), divisible.map(|()| int(width, ceil(ia, ib))), "{}", of());

    assert_eq!(a.cmp_signed(b), sa.cmp(&sb), "{}", of());
    assert_eq!(a.cmp_unsigned(b), ua.cmp(&ub), "{}", of());
    assert_eq!(a.min_signed(b), int(width, sa.min(sb)));
    assert_eq!(a.max_signed(b), int(width, sa.max(sb)));
    assert_eq!(a.min_unsigned(b), int(width, ia.min(ib)));
    assert_eq!(a.max_unsigned(b), int(width, ia.max(ib)));
    assert_eq!(a.and(b), int(width, ia & ib));
    assert_eq!(a.or(b), int(width, ia | ib));
    assert_eq!(a.xor(b), int(width, ia ^ ib));
}

fn compare_one(a: &ApInt) {
    let width = a.width();
    let (signed, unsigned) = (signed(a), unsigned(a));
    assert_eq!(a.not(), int(width, !signed));
    assert_eq!(a.negated(), int(width, -signed));
    assert_eq!(a.abs(), int(width, signed.abs()));
    for amount in 0..=width + 1 {
        let shift = amount.min(127);
        assert_eq!(a.shl(amount), int(width, if amount >= width { 0 } else { (unsigned << shift) as i128 }));
        assert_eq!(a.lshr(amount), int(width, (unsigned >> shift) as i128), "{a:?} {amount}");
        assert_eq!(a.ashr(amount), int(width, signed >> shift), "{a:?} {amount}");
    }
    let expected = (unsigned < u128::from(width)).then_some(unsigned as u32);
    assert_eq!(a.shift_amount(), expected);
    assert_eq!(a.leading_zeros(), width - (128 - unsigned.leading_zeros()));
    assert_eq!(a.active_bits(), 128 - unsigned.leading_zeros());
    assert_eq!(a.trailing_zeros(), unsigned.trailing_zeros().min(width));
    assert_eq!(a.leading_ones(), a.not().leading_zeros());
    assert_eq!(a.trailing_ones(), unsigned.trailing_ones());
    assert_eq!(a.count_ones(), unsigned.count_ones());
    assert_eq!(a.is_zero(), unsigned == 0);
    assert_eq!(a.is_one(), unsigned == 1);
    assert_eq!(a.is_all_ones(), width == 0 || signed == -1);
    assert_eq!(a.is_negative(), signed < 0);
    let half = 1i128 << width >> 1;
    assert_eq!(a.is_signed_min(), signed == -half, "{a:?}");
    assert_eq!(a.is_signed_max(), signed == (half - 1).max(0), "{a:?}");
}

#[test]
fn all_of_narrow_widths_compute_as_machine_words_do() {
    for width in 0..=6u32 {
        for a in 0..1 << width {
            let a = ApInt::from_u64(width, a);
            compare_one(&a);
            for b in 0..1 << width {
                compare(&a, &ApInt::from_u64(width, b));
            }
        }
    }
}

#[test]
fn words_and_wider_integers_compute_alike() {
    let state = &mut 1;
    for width in [7, 8, 31, 32, 33, 62, 63, 64] {
        for _ in 0..300 {
            let (a, b) = (runs(width, state), runs(width, state));
            compare_one(&a);
            // Products have to fit 128 bits.
            if width < 64 {
                compare(&a, &b);
            }
            // The same numbers in more words.
            let (wide_a, wide_b) = (a.sext(200), b.sext(200));
            assert_eq!(wide_a.add(&wide_b).trunc(width), a.add(&b));
            assert_eq!(wide_a.sub(&wide_b).trunc(width), a.sub(&b));
            assert_eq!(wide_a.mul(&wide_b).trunc(width), a.mul(&b));
            assert_eq!(wide_a.mul(&wide_b).ashr(width).trunc(width), a.mul_high_signed(&b));
            assert_eq!(a.zext(200).mul(&b.zext(200)).lshr(width).trunc(width), a.mul_high_unsigned(&b));
            assert_eq!(wide_a.cmp_signed(&wide_b), a.cmp_signed(&b));
            if let Some(quotient) = a.div_signed(&b) {
                assert_eq!(wide_a.div_signed(&wide_b).map(|wide| wide.trunc(width)), Some(quotient));
                assert_eq!(wide_a.rem_signed(&wide_b).map(|wide| wide.trunc(width)), a.rem_signed(&b));
                assert_eq!(wide_a.floor_div_signed(&wide_b).map(|wide| wide.trunc(width)), a.floor_div_signed(&b));
                assert_eq!(wide_a.ceil_div_signed(&wide_b).map(|wide| wide.trunc(width)), a.ceil_div_signed(&b));
            }
        }
    }
}

#[test]
fn wide_integers_keep_the_laws_of_arithmetic() {
    let state = &mut 7;
    for width in [65, 100, 127, 128, 129, 192, 200, 256, 640, 1000] {
        for _ in 0..200 {
            let (a, b) = (runs(width, state), runs(width, state));
            // Divisors of all lengths.
            let b = b.lshr(random(state) as u32 % width);
            assert_eq!(a.add(&b).sub(&b), a);
            assert_eq!(a.sub(&b), b.sub(&a).negated());
            assert_eq!(a.add(&a), a.shl(1));
            assert_eq!(a.xor(&b).xor(&b), a);
            assert_eq!(a.and(&b).add(&a.or(&b)), a.add(&b));
            assert_eq!(a.mul(&b), b.mul(&a));
            let (twice_a, twice_b) = (a.zext(2 * width), b.zext(2 * width));
            assert_eq!(twice_a.mul(&twice_b).lshr(width).trunc(width), a.mul_high_unsigned(&b));
            let product = a.sext(2 * width).mul(&b.sext(2 * width));
            assert_eq!(product.ashr(width).trunc(width), a.mul_high_signed(&b));
            assert_eq!(a.mul_signed(&b).1, product.trunc(width).sext(2 * width) != product);
            assert_eq!(a.mul_unsigned(&b).1, twice_a.mul(&twice_b).leading_zeros() < width);
            assert_eq!(a.add_unsigned(&b).1, twice_a.add(&twice_b).bit(width));
            assert_eq!(a.sub_unsigned(&b).1, a.cmp_unsigned(&b) == Ordering::Less);
            let amount = random(state) as u32 % width;
            assert_eq!(a.lshr(amount).shl(amount), a.and(&ApInt::all_ones(width).shl(amount)));
            assert_eq!(a.ashr(amount), a.sext(width + amount).lshr(amount).trunc(width));
            assert_eq!(a.leading_zeros() + a.active_bits(), width);
            assert_eq!(a.trailing_zeros(), if a.is_zero() { width } else { a.and(&a.negated()).active_bits() - 1 });
            if b.is_zero() {
                assert_eq!((a.div_unsigned(&b), a.rem_unsigned(&b), a.div_signed(&b)), (None, None, None));
                continue;
            }
            let (quotient, rest) = (a.div_unsigned(&b).unwrap(), a.rem_unsigned(&b).unwrap());
            assert!(rest.cmp_unsigned(&b).is_lt(), "{a:?} {b:?}");
            assert_eq!(quotient.mul(&b).add(&rest), a, "{a:?} {b:?}");
            assert!(!quotient.mul_unsigned(&b).1);
            let (quotient, rest) = (a.div_signed(&b).unwrap(), a.rem_signed(&b).unwrap());
            assert!(rest.abs().cmp_unsigned(&b.abs()).is_lt());
            assert!(rest.is_zero() || rest.is_negative() == a.is_negative());
            assert_eq!(quotient.mul(&b).add(&rest), a);
        }
    }
}

#[test]
fn long_division_corrects_digits_that_it_guessed_too_high() {
    // The classic inputs: the guess is two too high, and its product has to be added back.
    let top = 1 << 63;
    for (a, b) in [
        (vec![0, 0, top, top - 1], vec![1, 0, top]),
        (vec![0, u64::MAX - 1, top], vec![u64::MAX, top]),
        (vec![3, 0, top], vec![1, 0, 1 << 61]),
    ] {
        let (a, b) = (ApInt::from_words(256, &a), ApInt::from_words(256, &b));
        let (quotient, rest) = (a.div_unsigned(&b).unwrap(), a.rem_unsigned(&b).unwrap());
        assert!(rest.cmp_unsigned(&b).is_lt());
        assert_eq!(quotient.mul(&b).add(&rest), a);
    }
}

#[test]
fn powers_are_products() {
    for width in [1, 2, 5, 8, 70] {
        for base in -9i64..9 {
            let base = ApInt::from_i64(width, base);
            let mut product = ApInt::one(width);
            for power in 0..20 {
                let power = ApInt::from_i64(width, power);
                if power.is_negative() || power.to_i64() != Some(i64::from(power.to_u64().unwrap() as u32)) {
                    break;
                }
                if power.to_u64() != Some(0) {
                    product = product.mul(&base);
                }
                assert_eq!(base.pow(&power), Some(product.clone()), "{base:?} {power:?}");
            }
        }
    }
    let of =
        |base, power| ApInt::from_i64(8, base).pow(&ApInt::from_i64(8, power)).map(|value| value.to_i64().unwrap());
    assert_eq!(of(0, -1), None);
    assert_eq!(of(1, -5), Some(1));
    assert_eq!(of(-1, -5), Some(-1));
    assert_eq!(of(-1, -4), Some(1));
    assert_eq!(of(3, -1), Some(0));
}

#[test]
fn an_operand_of_another_width_is_taken_to_that_of_the_first() {
    let (narrow, wide) = (ApInt::from_u64(8, 200), ApInt::from_u64(100, 0x1_02));
    assert_eq!(narrow.add(&wide), ApInt::from_u64(8, 202));
    assert_eq!(wide.sub(&narrow), ApInt::from_u64(100, 58));
    assert_eq!(narrow.cmp_unsigned(&wide), Ordering::Greater);
    assert_eq!(narrow.max_unsigned(&wide), narrow);
    assert_eq!(narrow.min_unsigned(&wide), ApInt::from_u64(8, 2));
    assert_eq!(narrow.div_signed(&wide), Some(ApInt::from_i64(8, -28)));
    assert_eq!(narrow.rem_signed(&ApInt::from_u64(9, 511)), Some(ApInt::zero(8)));
}

#[test]
fn values_survive_their_width() {
    for (width, value) in
        [(1, -1i64), (8, -128), (32, i32::MIN.into()), (64, i64::MIN), (65, -1), (128, 5), (128, i64::MIN)]
    {
        let int = ApInt::from_i64(width, value);
        assert_eq!(int.to_i64(), Some(value), "{int:?}");
        assert_eq!(int.is_negative(), value < 0);
        for wider in [width, 66, 129, 1000] {
            let wider = int.sext(wider.max(width));
            assert_eq!(wider.to_i64(), Some(value), "{wider:?}");
            assert_eq!(wider.trunc(width), int);
        }
    }
    assert_eq!(ApInt::from_u64(0, 5).to_i64(), Some(0));
    assert_eq!(ApInt::from_words(65, &[0, 1]).to_i64(), None);
    assert_eq!(ApInt::from_words(128, &[7, 0]).to_u64(), Some(7));
    assert_eq!(ApInt::from_words(128, &[7, 1]).to_u64(), None);
    for width in [0, 1, 5, 64, 65, 128, 130] {
        assert!(ApInt::signed_min(width).is_signed_min());
        assert!(ApInt::signed_max(width).is_signed_max());
        assert!(ApInt::all_ones(width).is_all_ones());
    }
    assert_eq!(ApInt::signed_min(130).words(), [0, 0, 2]);
}
