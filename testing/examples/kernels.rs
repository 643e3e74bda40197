//! What the kernels in `fixtures/kernels` do, as loops in Rust: beside these `testing/kernels.py` runs them on a driver.
//!
//! ```sh
//! cargo run -p mlirbc-testing --example kernels -- saxpy OUT    # the four buffers afterwards, word by word
//! cargo run -p mlirbc-testing --example kernels                 # names
//! ```

const WORDS: usize = 1024;
const GROUP: usize = 64;

/// The four buffers: floats, integers, floats, integers.
struct Buffers {
    a: Vec<f32>,
    b: Vec<u32>,
    c: Vec<f32>,
    d: Vec<u32>,
}

impl Buffers {
    /// What they hold at first.
    fn new() -> Self {
        let float = |at: u32| {
            let number = move |k: u32| k.wrapping_mul(2_654_435_761).wrapping_add(at * 40_503) % 1000;
            (0..WORDS as u32).map(|k| number(k) as f32 / 100.0 + 0.25).collect::<Vec<f32>>()
        };
        let integer = || (0..WORDS as u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 7) % 97).collect::<Vec<u32>>();
        Buffers { a: float(0), b: integer(), c: float(2), d: integer() }
    }

    fn bytes(&self) -> Vec<u8> {
        let floats = |floats: &[f32]| floats.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<u8>>();
        let integers = |integers: &[u32]| integers.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>();
        [floats(&self.a), integers(&self.b), floats(&self.c), integers(&self.d)].concat()
    }
}

type Kernel = fn(&mut Buffers);

const KERNELS: [(&str, Kernel); 10] = [
    ("saxpy", |it| it.c.iter_mut().zip(&it.a).for_each(|(c, a)| *c += 2.5 * a)),
    ("matrix_product", |it| {
        for (at, c) in it.c.iter_mut().enumerate() {
            let (row, column) = (at / 32, at % 32);
            *c = (0..32).fold(0.0, |sum, k| sum + it.a[row * 32 + k] * it.a[k * 32 + column]);
        }
    }),
    ("reduction", |it| {
        for (sums, numbers) in it.d.chunks_mut(GROUP).zip(it.b.chunks(GROUP)) {
            sums.fill(numbers.iter().sum());
        }
    }),
    ("stencil", |it| {
        for (at, c) in it.c.iter_mut().enumerate() {
            *c = match at {
                0 | 1023 => it.a[at],
                _ => (it.a[at - 1] + it.a[at] + it.a[at + 1]) / 3.0,
            };
        }
    }),
    ("histogram", |it| it.b.iter().for_each(|&number| it.d[number as usize] += 1)),
    ("collatz", |it| {
        for (steps, &first) in it.d.iter_mut().zip(&it.b) {
            let next = |&n: &u32| (n as i32 > 1).then(|| if n & 1 == 0 { n >> 1 } else { 3 * n + 1 });
            *steps = std::iter::successors(Some(first), next).count() as u32 - 1;
        }
    }),
    ("distance", |it| {
        for (c, a) in it.c.iter_mut().zip(&it.a) {
            let length = (*c * *c + a * a).sqrt();
            *c = length + (*c / length).abs();
        }
    }),
    ("transpose", |it| {
        for (at, x) in it.a.iter().enumerate() {
            let to = at % 32 * 32 + at / 32;
            (it.c[to], it.d[to]) = (*x, x.to_bits());
        }
    }),
    ("prefix", |it| {
        for (sums, numbers) in it.d.chunks_mut(GROUP).zip(it.b.chunks(GROUP)) {
            let mut sum = 0;
            sums.iter_mut().zip(numbers).for_each(|(to, number)| {
                sum += number;
                *to = sum;
            });
        }
    }),
    ("vectors", |it| {
        for (at, c) in it.c.iter_mut().enumerate() {
            let (place, part) = (at & !3, at & 3);
            *c = it.a[place + part] * it.a[place + 3 - part];
        }
    }),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(out)) = (arguments.next(), arguments.next()) else {
        KERNELS.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    };
    let (_, kernel) = KERNELS.iter().find(|known| known.0 == name).ok_or("no kernel of that name")?;
    let mut buffers = Buffers::new();
    kernel(&mut buffers);
    Ok(std::fs::write(out, buffers.bytes())?)
}
