//! Traits of operations, as a set of bits where they are well known.

/// A set of the traits that say how an operation, its operands, results and regions are built.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Traits(pub u64);

impl Traits {
    /// No trait.
    pub const NONE: Traits = Traits(0);

    /// Whether all of `other` are among these.
    pub const fn contains(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// These and those.
    #[must_use]
    pub const fn union(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// The trait of that name in C++ (`IsTerminator`), without namespace or arguments.
    pub fn of_name(name: &str) -> Option<Traits> {
        NAMED.iter().find(|entry| entry.1 == name).map(|entry| entry.0)
    }

    /// The C++ names of the traits, in the order of their bits.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMED.iter().filter(move |entry| self.contains(entry.0)).map(|entry| entry.1)
    }
}

impl std::ops::BitOr for Traits {
    type Output = Traits;
    fn bitor(self, other: Traits) -> Traits {
        self.union(other)
    }
}

impl std::ops::BitOrAssign for Traits {
    fn bitor_assign(&mut self, other: Traits) {
        *self = self.union(other);
    }
}

impl std::fmt::Debug for Traits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

macro_rules! traits {
    ($($bit:literal $constant:ident $name:literal $doc:literal;)*) => {
        impl Traits {
            $(#[doc = $doc] pub const $constant: Traits = Traits(1 << $bit);)*
        }

        const NAMED: &[(Traits, &str)] = &[$((Traits::$constant, $name),)*];
    };
}

// The numbers are written in tables: add at the end, never renumber.
traits! {
    0 ISOLATED_FROM_ABOVE "IsIsolatedFromAbove" "Nothing inside uses a value from outside.";
    1 TERMINATOR "IsTerminator" "Ends a block.";
    2 SYMBOL "Symbol" "Names a symbol by `sym_name`, which may be optional.";
    3 SYMBOL_TABLE "SymbolTable" "Holds symbols.";
    4 SINGLE_BLOCK "SingleBlock" "Each region has at most one block.";
    5 NO_TERMINATOR "NoTerminator" "Blocks in its regions need no terminator.";
    6 IMPLICIT_TERMINATOR "SingleBlockImplicitTerminator" "Its blocks end with one kind of operation, which text may leave out.";
    7 OPERAND_SEGMENTS "AttrSizedOperandSegments" "`operandSegmentSizes` says how many operands each group has.";
    8 RESULT_SEGMENTS "AttrSizedResultSegments" "`resultSegmentSizes` says how many results each group has.";
    9 SAME_VARIADIC_OPERAND_SIZE "SameVariadicOperandSize" "All variadic groups of operands are of one size.";
    10 SAME_VARIADIC_RESULT_SIZE "SameVariadicResultSize" "All variadic groups of results are of one size.";
    11 HAS_PARENT "HasParent" "Stands directly in one of the operations that its definition lists.";
    12 AT_MOST_ONE_CHILD_OF "AtMostOneChildOf" "Holds at most one of each of the operations that its definition lists.";
    13 NO_REGION_ARGUMENTS "NoRegionArguments" "The blocks of its regions have no arguments.";
    14 RETURN_LIKE "ReturnLike" "Ends a region and hands its operands to what holds it.";
    15 CONSTANT_LIKE "ConstantLike" "Is a constant.";
    16 COMMUTATIVE "IsCommutative" "Its operands may change places.";
    17 ONLY_GRAPH_REGION "HasOnlyGraphRegion" "Its regions are graphs, where it implements `RegionKindInterface` too: definitions need not come before their uses.";
    18 AFFINE_SCOPE "AffineScope" "Values defined at its top level are affine symbols.";
    19 ALLOCATION_SCOPE "AutomaticAllocationScope" "Automatic allocations inside end with it.";
    20 SAME_OPERANDS_AND_RESULT_TYPE "SameOperandsAndResultType" "All operands and results are of one type.";
    21 SAME_OPERANDS_AND_RESULT_SHAPE "SameOperandsAndResultShape" "All operands and results are of compatible shapes.";
    22 SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE "SameOperandsAndResultElementType" "All operands and results are of one element type.";
    23 SAME_OPERANDS_AND_RESULT_RANK "SameOperandsAndResultRank" "All ranked operands and results are of one rank.";
    24 SAME_TYPE_OPERANDS "SameTypeOperands" "All operands are of one type.";
    25 SAME_OPERANDS_ELEMENT_TYPE "SameOperandsElementType" "All operands are of one element type.";
    26 SAME_OPERANDS_SHAPE "SameOperandsShape" "All operands are of compatible shapes.";
    27 ELEMENTWISE "Elementwise" "Works on each element of its operands alike.";
    28 RESULTS_ARE_FLOAT_LIKE "ResultsAreFloatLike" "All results are floats, or vectors or tensors of floats.";
    29 RESULTS_BROADCASTABLE "ResultsBroadcastableShape" "The operands' shapes broadcast to the results' shapes.";
    30 INFERS_RESULT_TYPES "InferTypeOpInterface" "The types of its results follow from the rest of it.";
    31 OPAQUE_PROPERTIES "CustomPropertiesEncoding" "Its properties are encoded by hand: their layout is not known.";
    32 RECURSIVE_MEMORY_EFFECTS "HasRecursiveMemoryEffects" "Its memory effects are those of what it holds.";
    33 ALWAYS_SPECULATABLE "AlwaysSpeculatableImplTrait" "It may be executed where it was not going to be.";
    34 RECURSIVELY_SPECULATABLE "RecursivelySpeculatableImplTrait" "It may be speculated where what it holds may be.";
    35 IDEMPOTENT "IsIdempotent" "Applied to its own result it changes nothing.";
    36 INVOLUTION "IsInvolution" "Applied twice it gives back its operand.";
    37 FUNCTION "FunctionOpInterface" "Is a function: its type in `function_type`, its body in its first region.";
    38 SCALARIZABLE "Scalarizable" "Can be applied to the elements one by one.";
    39 VECTORIZABLE "Vectorizable" "Can be applied to vectors.";
    40 TENSORIZABLE "Tensorizable" "Can be applied to tensors.";
    41 FIRST_ATTRIBUTE_RESULT_TYPE "FirstAttrDerivedResultType" "All results are of the type of its first attribute.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bits_agree() {
        for (number, (bit, name)) in NAMED.iter().enumerate() {
            assert_eq!(bit.0, 1 << number, "{name}");
            assert_eq!(Traits::of_name(name), Some(*bit));
        }
        let both = Traits::TERMINATOR | Traits::RETURN_LIKE;
        assert!(both.contains(Traits::TERMINATOR) && !both.contains(Traits::SYMBOL));
        assert_eq!(both.names().collect::<Vec<_>>(), ["IsTerminator", "ReturnLike"]);
    }
}
