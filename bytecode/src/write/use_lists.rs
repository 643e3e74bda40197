//! Orders of uses (`BytecodeFormat.md` of MLIR, "Use-list orders"): a twin of `read/use_lists.rs`.

use mlirbc_ir::ods::Release;

use super::emitter::Emitter;

/// The first release that writes values in ascending order; older ones write them as a hash map gives them back.
const ASCENDING: Release = Release::new(23);

/// Writes the orders of the uses of some of `count` values: each with its number, ascending.
pub(crate) fn write(emitter: &mut Emitter, count: usize, orders: &[(u32, Vec<u32>)], release: Release) {
    if count != 1 {
        emitter.varint(orders.len() as u64);
    }
    let order = match release >= ASCENDING {
        true => (0..orders.len()).collect(),
        false => mlir_map_order(orders.iter().map(|order| order.0)),
    };
    for at in order {
        let (number, places) = &orders[at];
        if count != 1 {
            emitter.varint((*number).into());
        }
        let moved = places.iter().zip(0..).filter(|&(&place, at)| place != at);
        if moved.clone().count() < places.len() / 2 {
            emitter.varint_with_flag(2 * moved.clone().count() as u64, true);
            for (&place, at) in moved {
                emitter.varint(place.into());
                emitter.varint(at.into());
            }
        } else {
            emitter.varint_with_flag(places.len() as u64, false);
            for &place in places {
                emitter.varint(place.into());
            }
        }
    }
}

/// The order in which the hash map of MLIR 22 gives back ascending numbers: places among `numbers`.
fn mlir_map_order(numbers: impl Iterator<Item = u32>) -> Vec<usize> {
    fn insert(table: &mut [Option<(usize, u32)>], entry: (usize, u32)) {
        let mask = table.len() - 1;
        let mut at = entry.1.wrapping_mul(37) as usize & mask;
        let mut step = 1;
        while table[at].is_some() {
            at = (at + step) & mask;
            step += 1;
        }
        table[at] = Some(entry);
    }
    let mut table = vec![None; 64];
    for (count, entry) in numbers.enumerate().enumerate() {
        if (count + 1) * 4 >= table.len() * 3 {
            let old = std::mem::take(&mut table);
            table = vec![None; 2 * old.len()];
            old.into_iter().flatten().for_each(|entry| insert(&mut table, entry));
        }
        insert(&mut table, entry);
    }
    table.into_iter().flatten().map(|entry| entry.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_maps_come_back_as_mlir_gives_them() {
        assert_eq!(mlir_map_order([0, 1, 2].into_iter()), [0, 2, 1]);
        let many: Vec<usize> = mlir_map_order(0..400);
        let mut sorted = many.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..400).collect::<Vec<_>>());
    }
}
