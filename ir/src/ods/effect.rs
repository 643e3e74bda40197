//! What definitions say that operations do to memory.

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Makes room.
    Allocate,
    /// Gives it back.
    Free,
    /// Looks at what is there.
    Read,
    /// Changes it.
    Write,
}

/// One effect of a definition: `Arg<AnyMemRef, "", [MemRead]>`, or one of `MemoryEffects<[MemWrite]>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectDef {
    /// What it does.
    pub effect: Effect,
    /// To what.
    pub on: EffectOn,
}

/// Which memory an effect is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectOn {
    /// Any, or that of a symbol.
    Anything,
    /// What the operands stand for of one of the definition, by its number.
    Operand(u32),
    /// What the results stand for of one of the definition, by its number.
    Result(u32),
}
