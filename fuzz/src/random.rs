//! Numbers that look random, and are the same in every run.

/// A number that a text stands for, the same in every build: FNV-1a, mixed.
pub fn number_of(text: &[u8]) -> u64 {
    mix(text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
}

/// Spreads a number over all bits: the end of SplitMix64.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// One of some things that have these [numbers](number_of): where one is added, it is chosen of some turns, and of the others
/// what was chosen before.
///
/// # Panics
/// Where there are none.
pub fn choose(numbers: &[u64], turn: u64) -> usize {
    let turn = mix(turn);
    (0..numbers.len()).max_by_key(|&at| mix(numbers[at] ^ turn)).expect("one at least")
}

/// A small generator: xorshift*.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of that seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.next();
        random
    }

    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 11) % end as u64) as usize
    }

    /// One of these; nothing where there is none.
    pub fn of<'t, T>(&mut self, choices: &'t [T]) -> Option<&'t T> {
        if choices.is_empty() { None } else { choices.get(self.below(choices.len())) }
    }

    /// So many bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| (self.next() >> 32) as u8).collect()
    }
}
