//! Numbers that look random.

/// A sequence of numbers that look random, and are the same in every run: it goes on from the seed that it is made of.
#[derive(Clone, Debug)]
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number under `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    /// One of these; nothing where there is none.
    pub fn of<'t, T>(&mut self, choices: &'t [T]) -> Option<&'t T> {
        choices.get(self.below(choices.len()))
    }
}
