//! Where the tiles of a map lie: rows of tiles that are as square as can be (squarified treemaps, Bruls, Huizing and van Wijk).

use std::cmp::Reverse;

/// How wide the map is for its height.
const RATIO: f64 = 16.0 / 9.0;

/// Left, top, width and height of a tile, in hundredths of the map.
pub(super) type Tile = [f64; 4];

/// Tiles of these sizes.
pub(super) fn tiles(sizes: &[u64]) -> Vec<Tile> {
    // Large ones first: what stands for many small ones may be one of them.
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&at| Reverse(sizes[at]));
    let sorted = in_order(&order.iter().map(|&at| sizes[at]).collect::<Vec<_>>());
    let mut tiles = vec![Tile::default(); sizes.len()];
    order.into_iter().zip(sorted).for_each(|(at, tile)| tiles[at] = tile);
    tiles
}

/// Tiles of sizes that are sorted.
fn in_order(sizes: &[u64]) -> Vec<Tile> {
    let all: f64 = sizes.iter().map(|&size| size as f64).sum();
    // What is still free, in a plane where the map is as high as 1.
    let [mut left, mut top, mut width, mut height] = [0.0, 0.0, RATIO, 1.0];
    let areas: Vec<f64> = sizes.iter().map(|&size| size as f64 * RATIO / all).collect();
    let mut tiles = Vec::with_capacity(sizes.len());
    let mut rest = &areas[..];
    while !rest.is_empty() {
        let side = f64::min(width, height);
        let mut count = 1;
        while count < rest.len() && worst(&rest[..=count], side) <= worst(&rest[..count], side) {
            count += 1;
        }
        let (row, others) = rest.split_at(count);
        let depth = if side > 0.0 { row.iter().sum::<f64>() / side } else { 0.0 };
        let mut along = 0.0;
        for area in row {
            let length = if depth > 0.0 { area / depth } else { 0.0 };
            tiles.push(match width >= height {
                true => [left, top + along, depth, length],
                false => [left + along, top, length, depth],
            });
            along += length;
        }
        match width >= height {
            true => (left, width) = (left + depth, width - depth),
            false => (top, height) = (top + depth, height - depth),
        }
        rest = others;
    }
    let hundredths = |[x, y, w, h]: Tile| [x / RATIO, y, w / RATIO, h].map(|part| part * 100.0);
    tiles.into_iter().map(hundredths).collect()
}

/// How far from square the worst tile of a row is.
fn worst(row: &[f64], side: f64) -> f64 {
    let sum: f64 = row.iter().sum();
    let each = row.iter().map(|area| {
        let ratio = side * side * area / (sum * sum);
        f64::max(ratio, 1.0 / ratio)
    });
    each.fold(0.0, f64::max)
}
