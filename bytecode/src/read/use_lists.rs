//! Orders of uses (`BytecodeFormat.md` of MLIR, "Use-list orders").

use crate::format::Cursor;
use mlirbc_ir::{Error, Result};

/// The order of the uses of one of several values.
pub(crate) struct UseOrder {
    /// Which of the values.
    pub(crate) value: usize,
    pub(crate) order: Order,
}

/// An order as it is written.
pub(crate) enum Order {
    /// For each use by descending id, its place in the list.
    Dense(Vec<u32>),
    /// Place and number of each use that is not where it would be by descending id.
    Pairs(Vec<(u32, u32)>),
}

impl Order {
    /// For each of `count` uses by descending id, its place in the list.
    pub(crate) fn places(self, count: usize) -> Option<Vec<u32>> {
        match self {
            Order::Dense(places) => Some(places),
            Order::Pairs(pairs) => {
                let mut places: Vec<u32> = (0..count as u32).collect();
                // Written as (place, number). mlir-opt 22 reads it the other way round, which inverts the order.
                for (place, number) in pairs {
                    *places.get_mut(number as usize)? = place;
                }
                Some(places)
            }
        }
    }
}

/// Reads the orders of the uses of `values` values.
pub(crate) fn read(cursor: &mut Cursor<'_>, values: usize) -> Result<Vec<UseOrder>> {
    let several = values > 1;
    let count = if several { cursor.count(2, "use-list order")? } else { 1 };
    if count == 0 {
        return Err(cursor.error("an empty list of use-list orders"));
    }
    let mut orders = Vec::new();
    for _ in 0..count {
        let value = if several { cursor.varint()? } else { 0 };
        if value >= values as u64 {
            return Err(cursor.error(format!("a use-list order of value {value} of {values}")));
        }
        let (numbers, pairs) = cursor.varint_with_flag()?;
        let numbers = cursor.check_count(numbers, 1, "number of a use-list order")?;
        let order = if pairs {
            if numbers % 2 != 0 {
                return Err(cursor.error("a use-list order of pairs with an odd count"));
            }
            let pairs = (0..numbers / 2).map(|_| Ok((cursor.index()?, cursor.index()?)));
            Order::Pairs(pairs.collect::<Result<_>>()?)
        } else {
            Order::Dense((0..numbers).map(|_| cursor.index()).collect::<Result<_>>()?)
        };
        orders.push(UseOrder { value: value as usize, order });
    }
    Ok(orders)
}

/// Whether the places are a permutation of the `count` uses of a value.
pub(crate) fn is_permutation(places: &[u32], count: usize) -> bool {
    let mut seen = vec![false; count];
    let new = |&place: &u32| seen.get_mut(place as usize).is_some_and(|seen| !std::mem::replace(seen, true));
    places.len() == count && places.iter().all(new)
}

/// An order that does not fit the uses of its value.
#[cold]
pub(crate) fn misfit(at: usize, count: usize) -> Error {
    let message =
        format!("a use-list order that is no permutation of the {} of its value", Error::counted(count, "use"));
    Error::malformed(message).at(at as u64)
}

/// A second order for one value.
#[cold]
pub(crate) fn twice(at: usize) -> Error {
    Error::malformed("two orders of the uses of one value").at(at as u64)
}
