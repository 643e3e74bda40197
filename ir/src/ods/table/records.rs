//! The form in bytes of everything that a definition is made of.

use super::wire::{Fields, In, Out, Shared, Wire, wire_any, wire_enum, wire_struct};
use crate::number::FloatKind;
use crate::ods::constraint::*;
use crate::ods::coverage::Tally;
use crate::ods::definition::*;
use crate::ods::effect::*;
use crate::ods::format::*;
use crate::ods::history::{Change, Span};
use crate::ods::predicate::*;
use crate::ods::release::Release;
use crate::ods::undefined::UndefinedOp;
use crate::types::Signedness;

wire_struct!(PropertyDef { name, kind });
wire_struct!(Change { member, releases });
wire_struct!(UndefinedOp { name, releases, changes });

impl Wire for Span {
    fn put(&self, out: &mut Out<'_>) {
        out.varint(self.start().major().into());
        out.varint(self.end().major().into());
    }

    fn take(at: &mut In<'_>) -> Option<Self> {
        let mut release = || Some(Release::new(at.varint()?.try_into().ok()?));
        Some(release()?..=release()?)
    }
}

wire_enum!(PropertyKind {
    0 Required,
    1 Optional,
    2 OperandSegments(groups),
    3 ResultSegments(groups),
    4 Native(native),
});
wire_enum!(NativeProperty {
    0 Bool,
    1 Boolean,
    2 Integer { width, signed },
    3 String,
    4 Array(element),
    5 OptionalOf(element),
    6 Attribute,
});

wire_enum!(Multiplicity {
    0 One,
    1 Optional,
    2 Variadic,
    3 Groups(lengths),
});
wire_struct!(ValueDef { name, multiplicity, constraint });
wire_struct!(AttributeDef { name, optional, default, constraint });
wire_struct!(NativeDef { name, native, predicate, enumeration, keyword, default });
wire_struct!(RegionDef { name, variadic, predicate });
wire_struct!(SuccessorDef { name, variadic });
wire_struct!(TypeConstraint { name, predicate, only });
wire_struct!(AttributeConstraint { name, predicate, storage, value_type, enumeration });

wire_struct!(EnumDef { name, width, bits, cases });
wire_struct!(BitEnum { separator, quoted, groups_first });

/// Marks of a case.
const GROUP: u8 = 1;
const FACTS: u8 = 2;

impl Wire for EnumCase {
    fn put(&self, out: &mut Out<'_>) {
        self.symbol.put(out);
        self.text.put(out);
        self.value.put(out);
        out.byte(if self.group { GROUP } else { 0 } | if self.facts.is_empty() { 0 } else { FACTS });
        if !self.facts.is_empty() {
            self.facts.put(out);
        }
    }

    fn take(at: &mut In<'_>) -> Option<Self> {
        let (symbol, text, value) = (Wire::take(at)?, Wire::take(at)?, Wire::take(at)?);
        let marks = at.byte().filter(|marks| marks & !(GROUP | FACTS) == 0)?;
        let facts = if marks & FACTS != 0 { Wire::take(at)? } else { Vec::new() };
        Some(EnumCase { symbol, text, value, group: marks & GROUP != 0, facts })
    }
}

wire_struct!(AttrOrTypeDef { name, class, parameters, syntax, traits, enumeration });
wire_struct!(ParameterDef { name, kind, optional, default });
wire_enum!(ParameterKind {
    0 Bool,
    1 Integer { width, signed },
    2 ApInt,
    3 ApFloat,
    4 String,
    5 Type(class),
    6 Attribute(class),
    7 SelfType,
    8 Enum(name),
    9 Array(element),
    10 Optional(element),
    11 Opaque,
    12 Class(name),
});

wire_struct!(EffectDef { effect, on });
wire_enum!(Effect {
    0 Allocate,
    1 Free,
    2 Read,
    3 Write,
});
wire_enum!(EffectOn {
    0 Anything,
    1 Operand(at),
    2 Result(at),
});

wire_enum!(Syntax {
    0 Generic,
    1 Custom,
    2 Format(format),
});

/// What many operations have alike: their traits and interfaces.
struct TraitSet {
    traits: Vec<String>,
    interfaces: Vec<String>,
}

wire_struct!(TraitSet { traits, interfaces });

impl Wire for OpDetails {
    fn put(&self, out: &mut Out<'_>) {
        self.operands.put(out);
        self.results.put(out);
        self.attributes.put(out);
        // Most operations have none of these.
        let has = [
            !self.natives.is_empty(),
            !self.regions.is_empty(),
            !self.successors.is_empty(),
            !self.rules.is_empty(),
            !self.facts.is_empty(),
            self.has_verifier,
            !self.effects.is_empty(),
        ];
        out.byte(has.iter().rev().fold(0, |bits, &bit| bits << 1 | u8::from(bit)));
        if has[0] {
            self.natives.put(out);
        }
        if has[1] {
            self.regions.put(out);
        }
        if has[2] {
            self.successors.put(out);
        }
        if has[3] {
            self.rules.put(out);
        }
        if has[4] {
            self.facts.put(out);
        }
        if has[6] {
            self.effects.put(out);
        }
        let traits = TraitSet { traits: self.other_traits.clone(), interfaces: self.interfaces.clone() };
        out.put_shared(&traits);
        self.syntax.put(out);
    }

    fn take(at: &mut In<'_>) -> Option<Self> {
        let (operands, results, attributes) = (Wire::take(at)?, Wire::take(at)?, Wire::take(at)?);
        let has = at.byte()?;
        if has >= 1 << 7 {
            return None;
        }
        fn list<T: Wire>(at: &mut In<'_>, present: bool) -> Option<Vec<T>> {
            if present { Wire::take(at) } else { Some(Vec::new()) }
        }
        let natives = list(at, has & 1 != 0)?;
        let regions = list(at, has & 2 != 0)?;
        let successors = list(at, has & 4 != 0)?;
        let rules = list(at, has & 8 != 0)?;
        let facts = list(at, has & 16 != 0)?;
        let effects = list(at, has & 64 != 0)?;
        let TraitSet { traits: other_traits, interfaces } = at.take_shared()?;
        let syntax = Wire::take(at)?;
        let has_verifier = has & 32 != 0;
        Some(OpDetails {
            operands,
            results,
            attributes,
            natives,
            regions,
            successors,
            other_traits,
            interfaces,
            effects,
            rules,
            syntax,
            facts,
            has_verifier,
        })
    }

    fn skip(at: &mut In<'_>) -> Option<()> {
        Vec::<ValueDef>::skip(at)?;
        Vec::<ValueDef>::skip(at)?;
        Vec::<AttributeDef>::skip(at)?;
        let has = at.byte()?;
        if has >= 1 << 7 {
            return None;
        }
        if has & 1 != 0 {
            Vec::<NativeDef>::skip(at)?;
        }
        if has & 2 != 0 {
            Vec::<RegionDef>::skip(at)?;
        }
        if has & 4 != 0 {
            Vec::<SuccessorDef>::skip(at)?;
        }
        if has & 8 != 0 {
            Vec::<Predicate>::skip(at)?;
        }
        if has & 16 != 0 {
            Vec::<(String, String)>::skip(at)?;
        }
        if has & 64 != 0 {
            Vec::<EffectDef>::skip(at)?;
        }
        at.skip_shared::<TraitSet>()?;
        Syntax::skip(at)
    }
}

impl Wire for Format {
    fn put(&self, out: &mut Out<'_>) {
        out.put_shared(&Elements(self.elements.clone()));
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        at.take_shared().map(|Elements(elements)| Format { elements })
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        at.skip_shared::<Elements>()
    }
}

/// The elements of a format, which many operations have alike.
struct Elements(Vec<Element>);

impl Wire for Elements {
    fn put(&self, out: &mut Out<'_>) {
        self.0.put(out);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        Wire::take(at).map(Elements)
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        Vec::<Element>::skip(at)
    }
}

wire_struct!(Anchor { in_otherwise, position });
wire_enum!(Element {
    0 Literal(text),
    1 Space,
    2 Newline,
    3 NoSpace,
    4 Operand(at),
    5 Result(at),
    6 Attribute(at),
    7 Native(at),
    8 Region(at),
    9 Successor(at),
    10 Parameter(at),
    11 Operands,
    12 Results,
    13 Regions,
    14 Successors,
    15 AttrDict,
    16 AttrDictWithKeyword,
    17 PropDict,
    18 Type(of),
    19 FunctionalType(inputs, results),
    20 Ref(of),
    21 Qualified(of),
    22 Custom { name, arguments },
    23 Text(text),
    24 Optional { then, otherwise, anchor },
    25 Clauses(clauses),
    26 Parameters,
    27 Struct(parameters),
});

wire_enum!(Predicate {
    0 Always,
    1 Never,
    2 All(of),
    3 Any(of),
    4 Not(of),
    5 Is(term, class),
    6 Where(term, of),
    7 Each(term, of),
    8 Compare(left, relation, right),
    9 Test(term, test),
    10 Contains(list, element),
    11 Unknown { reason, leaves },
});
wire_enum!(Relation {
    0 Equal,
    1 NotEqual,
    2 Less,
    3 LessOrEqual,
    4 Greater,
    5 GreaterOrEqual,
});
wire_enum!(Test {
    0 IsPresent,
    1 HasRank,
    2 HasStaticShape,
    3 IsStrided,
    4 AllDimensionsScalable,
    5 IsScalable,
    6 IsNegative,
    7 IsPositive,
    8 IsPowerOfTwo,
    9 IsSorted,
    10 NoEqualNeighbours,
    11 IsTrue,
    12 IsInsideFunction,
    13 IsInsideGraph,
    14 IsSymbolTable,
});
wire_enum!(Term {
    0 This,
    1 Operation,
    2 Member(name),
    3 Operand(at),
    4 Result(at),
    5 Integer(value),
    6 Bool(value),
    7 Text(value),
    8 List(of),
    9 Enumerant { enumeration, case },
    10 Get(of, what),
    11 At(list, index),
    12 Arithmetic(left, operator, right),
    13 WithElement(shaped, element),
    14 IntegerType { width, signedness },
    15 IndexType,
    16 NoneType,
    17 FloatType(kind),
    18 VectorType(shape, element),
    19 TensorType(shape, element),
    20 DialectType { name, parameters },
    21 Unknown(reason),
    22 Choice(condition, then, otherwise),
});
wire_enum!(Operator {
    0 Add,
    1 Subtract,
    2 Multiply,
    3 Divide,
    4 Remainder,
    5 And,
    6 Or,
});
wire_enum!(Accessor {
    0 Type,
    1 ElementType,
    2 ElementTypeOrSelf,
    3 Rank,
    4 Shape,
    5 ElementCount,
    6 Width,
    7 ElementWidth,
    8 Value,
    9 Size,
    10 ScalableDimensions,
    11 Last,
    12 AllButLast,
    13 AllButFirst,
    14 Class,
    15 Inputs,
    16 Results,
    17 Operands,
    18 Parent,
    19 Name,
    20 Parameter(name),
});
wire_enum!(TermClass {
    0 AnyType,
    1 AnyAttribute,
    2 Integer { signedness, width },
    3 Float(kind),
    4 Builtin(class),
    5 Attribute(class),
    6 DialectType(name),
    7 DialectAttribute(name),
    8 TypeOf(dialect),
    9 Enumerant(name),
    10 Trait(name),
    11 Interface(name),
    12 Operation(name),
    13 Other(name),
    14 Told { function, what },
});
wire_enum!(Signedness {
    0 Signless,
    1 Signed,
    2 Unsigned,
});

/// Enums without data are written as their place in the list of all.
macro_rules! wire_by_place {
    ($($type:ident)*) => {$(
        impl Wire for $type {
            fn put(&self, out: &mut Out<'_>) {
                let place = $type::ALL.iter().position(|known| known == self);
                out.varint(place.unwrap_or_default() as u64);
            }
            fn take(at: &mut In<'_>) -> Option<Self> {
                $type::ALL.get(usize::try_from(at.varint()?).ok()?).copied()
            }
        }
    )*};
}

wire_by_place!(Builtin BuiltinAttribute FloatKind);
wire_struct!(Tally { uses, unknown });

macro_rules! shared {
    ($($kind:literal $type:ident)*) => {
        $(impl Shared for $type {
            const KIND: u8 = $kind;
        })*

        /// Whether these are the bytes of something shared of that kind.
        pub(super) fn is_shared(kind: u8, at: &mut In<'_>) -> bool {
            match kind {
                $($kind => $type::skip(at).is_some(),)*
                _ => false,
            }
        }
    };
}

shared! {
    1 TypeConstraint
    2 AttributeConstraint
    3 TraitSet
    4 Elements
}
