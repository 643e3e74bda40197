//! What constraints say: predicates over types, attributes, and the operands and results of an operation.

use crate::number::FloatKind;
use crate::types::Signedness;

/// What must hold of [`Term::This`], or of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Predicate {
    /// Holds of anything.
    #[default]
    Always,
    /// Holds of nothing.
    Never,
    /// All of these hold; the later ones may assume the earlier ones.
    All(Vec<Predicate>),
    /// One of these holds.
    Any(Vec<Predicate>),
    /// This does not hold.
    Not(Box<Predicate>),
    /// The term is of a class.
    Is(Term, TermClass),
    /// The predicate holds, with [`Term::This`] standing for this term.
    Where(Term, Box<Predicate>),
    /// The predicate holds of each element of a list.
    Each(Term, Box<Predicate>),
    /// The two terms compare so.
    Compare(Term, Relation, Term),
    /// The term, or each type of a list, passes the test.
    Test(Term, Test),
    /// The list has the element.
    Contains(Term, Term),
    /// C++ without a translation: what it says is unknown.
    Unknown {
        /// Why not: what it calls or says.
        reason: String,
        /// How many of upstream's primitive predicates it stands for.
        leaves: u32,
    },
}

/// How two terms compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A test of a term: it passes or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// There is such an operand, result or attribute.
    IsPresent,
    /// The shaped type has a rank.
    HasRank,
    /// The shape has a rank and no dimension of unknown size.
    HasStaticShape,
    /// The layout of the memory reference has strides.
    IsStrided,
    /// The vector has scalable dimensions only.
    AllDimensionsScalable,
    /// The vector has scalable dimensions.
    IsScalable,
    /// The integer is under 0, as two's complement.
    IsNegative,
    /// The integer is over 0, as two's complement.
    IsPositive,
    /// The integer is a power of two.
    IsPowerOfTwo,
    /// The list is sorted.
    IsSorted,
    /// The list has no two equal neighbours.
    NoEqualNeighbours,
    /// The term is true.
    IsTrue,
    /// The operation is a function or inside one, with no symbol table between.
    IsInsideFunction,
    /// The operation is inside of what its dialect calls a graph, or one itself, with no symbol table between.
    IsInsideGraph,
    /// The operation is a symbol table.
    IsSymbolTable,
}

/// What a predicate speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// What the predicate is asked about.
    This,
    /// The operation.
    Operation,
    /// An operand, result, attribute or property of the operation by name; a list where there can be several.
    Member(String),
    /// An operand of the operation by position.
    Operand(u32),
    /// A result of the operation by position.
    Result(u32),
    /// An integer.
    Integer(i64),
    /// A truth value.
    Bool(bool),
    /// A string.
    Text(String),
    /// Several things.
    List(Vec<Term>),
    /// A case of an enum.
    Enumerant {
        /// The enum, as [`OpTable::enumeration`](super::OpTable::enumeration) knows it.
        enumeration: String,
        /// The case.
        case: String,
    },
    /// What something has.
    Get(Box<Term>, Accessor),
    /// An element of a list.
    At(Box<Term>, Box<Term>),
    /// Two integers, combined.
    Arithmetic(Box<Term>, Operator, Box<Term>),
    /// A shaped type with another element type; where it is no shaped type, that element type.
    WithElement(Box<Term>, Box<Term>),
    /// An integer type.
    IntegerType {
        /// Width in bits.
        width: Box<Term>,
        /// How the bits are read.
        signedness: Signedness,
    },
    /// The index type.
    IndexType,
    /// The type `none`.
    NoneType,
    /// A floating-point type.
    FloatType(FloatKind),
    /// A vector type of a list of sizes.
    VectorType(Box<Term>, Box<Term>),
    /// A ranked tensor type of a list of sizes, -1 where one is not known.
    TensorType(Box<Term>, Box<Term>),
    /// A type of a dialect.
    DialectType {
        /// Dialect and mnemonic.
        name: String,
        /// The parameters.
        parameters: Vec<Term>,
    },
    /// One of two terms, as a predicate decides.
    Choice(Box<Predicate>, Box<Term>, Box<Term>),
    /// C++ without a translation: what it says is unknown.
    Unknown(String),
}

/// An operator on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    And,
    /// `|`
    Or,
}

/// Something that a term has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accessor {
    /// The type of a value or typed attribute.
    Type,
    /// The element type of a shaped or complex type.
    ElementType,
    /// The element type of a shaped type; any other type itself.
    ElementTypeOrSelf,
    /// The number of dimensions.
    Rank,
    /// The sizes of the dimensions.
    Shape,
    /// The number of elements.
    ElementCount,
    /// The width of an integer or float in bits.
    Width,
    /// The width of the element type in bits.
    ElementWidth,
    /// The integer, string, type or enum case that an attribute holds.
    Value,
    /// The length of a list.
    Size,
    /// For each dimension whether it is scalable.
    ScalableDimensions,
    /// The last element.
    Last,
    /// All elements but the last.
    AllButLast,
    /// All elements but the first.
    AllButFirst,
    /// The class of a type or attribute, without parameters.
    Class,
    /// The inputs of a function type.
    Inputs,
    /// The results of a function type.
    Results,
    /// The operands of an operation.
    Operands,
    /// The operation that an operation stands in.
    Parent,
    /// The name of an operation.
    Name,
    /// A parameter of a dialect's type or attribute, by its name.
    Parameter(String),
}

/// A class of types or attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermClass {
    /// Any type.
    AnyType,
    /// Any attribute.
    AnyAttribute,
    /// An integer type.
    Integer {
        /// How the bits are read, where that matters.
        signedness: Option<Signedness>,
        /// The width, where that matters.
        width: Option<u32>,
    },
    /// A floating-point type, of one kind or any.
    Float(Option<FloatKind>),
    /// A builtin type that has parameters or is alone in its class.
    Builtin(Builtin),
    /// A builtin attribute.
    Attribute(BuiltinAttribute),
    /// A type of a dialect: dialect and mnemonic.
    DialectType(String),
    /// An attribute of a dialect: dialect and mnemonic.
    DialectAttribute(String),
    /// Any type of a dialect.
    TypeOf(String),
    /// An integer attribute whose value is a case of an enum.
    Enumerant(String),
    /// A type or attribute with this trait.
    Trait(String),
    /// A type or attribute that implements this interface.
    Interface(String),
    /// A type that a function of a dialect tells from others: see [`TypeTests`](crate::verify::TypeTests).
    Told {
        /// The name of the function in C++.
        function: String,
        /// What such a type is, in words: `a float that LLVM knows`.
        what: String,
    },
    /// An operation of this name.
    Operation(String),
    /// A class without a definition.
    Other(String),
}

macro_rules! builtins {
    ($(#[$doc:meta])* $type:ident { $($name:ident $class:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type { $(#[doc = $text] $name,)* }

        impl $type {
            pub(super) const ALL: &[$type] = &[$($type::$name,)*];

            /// The name of the class in C++, without namespace.
            pub fn class(self) -> &'static str {
                match self { $($type::$name => $class,)* }
            }

            /// The class of that C++ name.
            pub fn of_class(class: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.class() == class)
            }
        }
    };
}

// The numbers of these are written in tables: add at the end, never reorder.
builtins! {
    /// A class of builtin types.
    Builtin {
        Index "IndexType" "`index`",
        None "NoneType" "`none`",
        Function "FunctionType" "A function type.",
        Tuple "TupleType" "A tuple.",
        Complex "ComplexType" "A complex number.",
        Vector "VectorType" "A vector.",
        FixedVector "FixedVectorType" "A vector without scalable dimensions.",
        ScalableVector "ScalableVectorType" "A vector with scalable dimensions.",
        Tensor "TensorType" "A tensor.",
        RankedTensor "RankedTensorType" "A ranked tensor.",
        UnrankedTensor "UnrankedTensorType" "An unranked tensor.",
        AnyMemRef "BaseMemRefType" "A memory reference.",
        MemRef "MemRefType" "A ranked memory reference.",
        UnrankedMemRef "UnrankedMemRefType" "An unranked memory reference.",
        Shaped "ShapedType" "A vector, tensor or memory reference.",
        Graph "GraphType" "The type of a graph.",
        Opaque "OpaqueType" "An opaque type.",
    }
}

builtins! {
    /// A class of builtin attributes.
    BuiltinAttribute {
        Integer "IntegerAttr" "An integer or index.",
        Bool "BoolAttr" "An integer of type `i1`.",
        Float "FloatAttr" "A float.",
        String "StringAttr" "A string.",
        Array "ArrayAttr" "An array.",
        Dictionary "DictionaryAttr" "A dictionary.",
        Unit "UnitAttr" "`unit`",
        Type "TypeAttr" "A type.",
        SymbolRef "SymbolRefAttr" "A reference to a symbol.",
        FlatSymbolRef "FlatSymbolRefAttr" "A reference to a symbol that is not nested.",
        DenseArray "DenseArrayAttr" "A dense array of any element.",
        DenseBoolArray "DenseBoolArrayAttr" "A dense array of `i1`.",
        DenseI8Array "DenseI8ArrayAttr" "A dense array of `i8`.",
        DenseI16Array "DenseI16ArrayAttr" "A dense array of `i16`.",
        DenseI32Array "DenseI32ArrayAttr" "A dense array of `i32`.",
        DenseI64Array "DenseI64ArrayAttr" "A dense array of `i64`.",
        DenseF32Array "DenseF32ArrayAttr" "A dense array of `f32`.",
        DenseF64Array "DenseF64ArrayAttr" "A dense array of `f64`.",
        DenseElements "DenseElementsAttr" "Dense elements of any type.",
        DenseNumbers "DenseIntOrFPElementsAttr" "Dense elements that are numbers.",
        DenseIntegers "DenseIntElementsAttr" "Dense elements that are integers.",
        DenseFloats "DenseFPElementsAttr" "Dense elements that are floats.",
        DenseStrings "DenseStringElementsAttr" "Dense elements that are strings.",
        DenseResource "DenseResourceElementsAttr" "Dense elements in a resource.",
        Sparse "SparseElementsAttr" "Sparse elements.",
        Elements "ElementsAttr" "Elements of a shaped type, in any form.",
        Typed "TypedAttr" "An attribute that has a type.",
        AffineMap "AffineMapAttr" "An affine map.",
        IntegerSet "IntegerSetAttr" "An integer set.",
        StridedLayout "StridedLayoutAttr" "A strided layout.",
        Location "LocationAttr" "A location.",
        Distinct "DistinctAttr" "A distinct attribute.",
    }
}

impl Predicate {
    /// Holds of types and attributes of that class.
    pub fn is(class: TermClass) -> Predicate {
        Predicate::Is(Term::This, class)
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Predicate) -> Predicate {
        match (self, other) {
            (Predicate::Always, other) => other,
            (this, Predicate::Always) => this,
            (Predicate::All(mut all), other) => {
                all.push(other);
                Predicate::All(all)
            }
            (this, other) => Predicate::All(vec![this, other]),
        }
    }

    /// Calls `visit` with every predicate inside, this one included.
    pub fn walk<'p>(&'p self, visit: &mut impl FnMut(&'p Predicate)) {
        visit(self);
        match self {
            Predicate::All(of) | Predicate::Any(of) => of.iter().for_each(|each| each.walk(visit)),
            Predicate::Not(of) | Predicate::Where(_, of) | Predicate::Each(_, of) => of.walk(visit),
            _ => {}
        }
    }

    /// What is not known, and how many of upstream's primitive predicates it stands for.
    pub fn unknown(&self) -> Vec<(&str, u32)> {
        let mut found = Vec::new();
        self.walk(&mut |predicate| {
            if let Predicate::Unknown { reason, leaves } = predicate {
                found.push((reason.as_str(), *leaves));
            }
        });
        found
    }
}
