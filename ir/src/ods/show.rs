//! Predicates and terms as people read them, in messages.

use std::fmt::{Display, Formatter, Result};

use super::predicate::{Accessor, Operator, Predicate, Relation, Term, TermClass, Test};
use crate::types::Signedness;

fn list<T: Display>(f: &mut Formatter<'_>, items: &[T], between: &str) -> Result {
    f.write_str("(")?;
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            f.write_str(between)?;
        }
        item.fmt(f)?;
    }
    f.write_str(")")
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Predicate::Always => f.write_str("anything"),
            Predicate::Never => f.write_str("nothing"),
            Predicate::All(of) => list(f, of, " and "),
            Predicate::Any(of) => list(f, of, " or "),
            Predicate::Not(of) => write!(f, "not {of}"),
            Predicate::Is(Term::This, class) => class.fmt(f),
            Predicate::Is(term, class) => write!(f, "{term} is {class}"),
            Predicate::Where(term, of) => write!(f, "{term} is {of}"),
            Predicate::Each(term, of) => write!(f, "each of {term} is {of}"),
            Predicate::Compare(left, relation, right) => write!(f, "{left} {relation} {right}"),
            Predicate::Test(Term::This, test) => test.fmt(f),
            Predicate::Test(term, test) => write!(f, "{term} {test}"),
            Predicate::Contains(list, element) => write!(f, "{element} is one of {list}"),
            Predicate::Unknown { reason, .. } => write!(f, "as {reason} says"),
        }
    }
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterOrEqual => ">=",
        })
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::And => "&",
            Operator::Or => "|",
        })
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Test::IsPresent => "is present",
            Test::HasRank => "has a rank",
            Test::HasStaticShape => "has a static shape",
            Test::IsStrided => "is strided",
            Test::AllDimensionsScalable => "is scalable in all dimensions",
            Test::IsScalable => "is scalable",
            Test::IsNegative => "is negative",
            Test::IsPositive => "is positive",
            Test::IsPowerOfTwo => "is a power of two",
            Test::IsSorted => "is sorted",
            Test::NoEqualNeighbours => "has no equal neighbours",
            Test::IsTrue => "is true",
            Test::IsInsideFunction => "is inside a function",
            Test::IsInsideGraph => "is inside a graph",
            Test::IsSymbolTable => "is a symbol table",
        })
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Term::This => f.write_str("it"),
            Term::Operation => f.write_str("the operation"),
            Term::Member(name) => write!(f, "`{name}`"),
            Term::Operand(at) => write!(f, "operand {at}"),
            Term::Result(at) => write!(f, "result {at}"),
            Term::Integer(value) => write!(f, "{value}"),
            Term::Bool(value) => write!(f, "{value}"),
            Term::Text(text) => write!(f, "{text:?}"),
            Term::List(of) => list(f, of, ", "),
            Term::Enumerant { enumeration, case } => write!(f, "{enumeration}::{case}"),
            Term::Get(of, what) => write!(f, "the {what} of {of}"),
            Term::At(of, index) => write!(f, "{of}[{index}]"),
            Term::Arithmetic(left, operator, right) => write!(f, "({left} {operator} {right})"),
            Term::WithElement(shaped, element) => write!(f, "({shaped} with elements {element})"),
            Term::IntegerType { width, signedness } => {
                let prefix = match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                };
                write!(f, "{prefix}{width}")
            }
            Term::IndexType => f.write_str("index"),
            Term::NoneType => f.write_str("none"),
            Term::FloatType(kind) => f.write_str(kind.keyword()),
            Term::VectorType(shape, element) => write!(f, "a vector {shape} of {element}"),
            Term::TensorType(shape, element) => write!(f, "a tensor {shape} of {element}"),
            Term::DialectType { name, parameters } if parameters.is_empty() => write!(f, "!{name}"),
            Term::DialectType { name, parameters } => {
                write!(f, "!{name}")?;
                list(f, parameters, ", ")
            }
            Term::Choice(condition, then, otherwise) => write!(f, "({then} where {condition}, else {otherwise})"),
            Term::Unknown(reason) => write!(f, "what {reason} says"),
        }
    }
}

impl Display for Accessor {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Accessor::Type => "type",
            Accessor::ElementType => "element type",
            Accessor::ElementTypeOrSelf => "scalar type",
            Accessor::Rank => "rank",
            Accessor::Shape => "shape",
            Accessor::ElementCount => "number of elements",
            Accessor::Width => "width",
            Accessor::ElementWidth => "width of the elements",
            Accessor::Value => "value",
            Accessor::Size => "length",
            Accessor::ScalableDimensions => "scalability",
            Accessor::Last => "last",
            Accessor::AllButLast => "all but last",
            Accessor::AllButFirst => "all but first",
            Accessor::Class => "class",
            Accessor::Inputs => "inputs",
            Accessor::Results => "results",
            Accessor::Operands => "operands",
            Accessor::Parent => "parent",
            Accessor::Name => "name",
            Accessor::Parameter(name) => name,
        })
    }
}

impl Display for TermClass {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            TermClass::AnyType => f.write_str("a type"),
            TermClass::AnyAttribute => f.write_str("an attribute"),
            TermClass::Integer { signedness, width } => {
                f.write_str(match signedness {
                    None => "an integer",
                    Some(Signedness::Signless) => "a signless integer",
                    Some(Signedness::Signed) => "a signed integer",
                    Some(Signedness::Unsigned) => "an unsigned integer",
                })?;
                width.map_or(Ok(()), |width| write!(f, " of {}", crate::Error::counted(width, "bit")))
            }
            TermClass::Float(None) => f.write_str("a float"),
            TermClass::Float(Some(kind)) => f.write_str(kind.keyword()),
            TermClass::Builtin(class) => f.write_str(class.class()),
            TermClass::Attribute(class) => f.write_str(class.class()),
            TermClass::DialectType(name) => write!(f, "!{name}"),
            TermClass::DialectAttribute(name) => write!(f, "#{name}"),
            TermClass::TypeOf(dialect) => write!(f, "a type of `{dialect}`"),
            TermClass::Enumerant(name) => write!(f, "a case of {name}"),
            TermClass::Trait(name) | TermClass::Interface(name) | TermClass::Other(name) => write!(f, "a {name}"),
            TermClass::Told { what, .. } => f.write_str(what),
            TermClass::Operation(name) => write!(f, "`{name}`"),
        }
    }
}
