//! Which entry of one sequence stands for which of another.

/// An entry of both sequences, of the first alone, or of the second alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aligned {
    Both(usize, usize),
    First(usize),
    Second(usize),
}

/// Cells of the table that finds the longest common subsequence: beyond this, sequences are paired by position.
const CELLS: usize = 1 << 20;

/// Aligns two sequences, each entry given as what it is like and what it is called.
///
/// Entries that are alike in the same order are pairs; what lies between two pairs is paired by name, in order, and
/// where as many entries are left on both sides, by position.
pub(super) fn align(a: &[(u64, u64)], b: &[(u64, u64)]) -> Vec<Aligned> {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut aligned: Vec<Aligned> = (0..start).map(|at| Aligned::Both(at, at)).collect();
    let (a_end, b_end) = (a.len() - end, b.len() - end);
    let (mut i, mut j) = (start, start);
    for (x, y) in common(&a[start..a_end], &b[start..b_end]) {
        gap(a, b, i..start + x, j..start + y, &mut aligned);
        aligned.push(Aligned::Both(start + x, start + y));
        (i, j) = (start + x + 1, start + y + 1);
    }
    gap(a, b, i..a_end, j..b_end, &mut aligned);
    aligned.extend((0..end).map(|at| Aligned::Both(a_end + at, b_end + at)));
    aligned
}

/// The longest common subsequence.
fn common(a: &[(u64, u64)], b: &[(u64, u64)]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    if a.is_empty() || b.is_empty() || (a.len() + 1).saturating_mul(width) > CELLS {
        return Vec::new();
    }
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = match a[i] == b[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn gap(
    a: &[(u64, u64)],
    b: &[(u64, u64)],
    of_a: std::ops::Range<usize>,
    of_b: std::ops::Range<usize>,
    aligned: &mut Vec<Aligned>,
) {
    if of_a.len() == of_b.len() {
        aligned.extend(of_a.zip(of_b).map(|(i, j)| Aligned::Both(i, j)));
        return;
    }
    let mut j = of_b.start;
    for i in of_a {
        // Far away is another entry.
        let found = (j..of_b.end).take(NEAR).find(|&at| b[at].1 == a[i].1);
        match found {
            Some(at) => {
                aligned.extend((j..at).map(Aligned::Second));
                aligned.push(Aligned::Both(i, at));
                j = at + 1;
            }
            None => aligned.push(Aligned::First(i)),
        }
    }
    aligned.extend((j..of_b.end).map(Aligned::Second));
}

const NEAR: usize = 64;

#[cfg(test)]
mod tests {
    use super::{Aligned, align};

    fn of(text: &str) -> Vec<(u64, u64)> {
        text.bytes().map(|byte| (byte.into(), byte.to_ascii_lowercase().into())).collect()
    }

    #[test]
    fn alike_entries_are_pairs() {
        use Aligned::{Both, First, Second};
        assert_eq!(align(&of("abc"), &of("abc")), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(align(&of("abc"), &of("ac")), [Both(0, 0), First(1), Both(2, 1)]);
        assert_eq!(align(&of("ac"), &of("abc")), [Both(0, 0), Second(1), Both(1, 2)]);
        assert_eq!(align(&of("abc"), &of("aBc")), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(align(&of("axbc"), &of("aBc")), [Both(0, 0), First(1), Both(2, 1), Both(3, 2)]);
        assert_eq!(align(&of(""), &of("a")), [Second(0)]);
    }
}
