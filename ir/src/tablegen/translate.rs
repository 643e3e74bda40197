//! From the expressions of C++ to our predicates and terms.

use super::cpp::{self, Expression, plain};
use super::known::{Classes, float_of_class};
use crate::ods::{Accessor, Builtin, Operator, Predicate, Relation, Term, TermClass, Test};
use crate::types::Signedness;

/// What was found, or why nothing was.
pub(super) type Found<T> = std::result::Result<T, String>;

/// What names in an expression stand for.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) classes: &'a Classes<'a>,
    /// The arguments and results of the operation that the expression speaks of.
    pub(super) members: &'a [String],
    /// The namespace that the expression stands in.
    namespace: &'a str,
    /// The name that stands for [`Term::This`].
    this: &'a str,
    /// The predicate in whose place `$_child` stands.
    child: Option<&'a dyn Fn(Scope<'_>) -> Predicate>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(classes: &'a Classes<'a>, members: &'a [String]) -> Self {
        Scope { classes, members, namespace: "", this: "_self", child: None }
    }

    pub(super) fn inside_namespace(self, namespace: &'a str) -> Self {
        Scope { namespace, ..self }
    }

    pub(super) fn with_child(self, child: &'a dyn Fn(Scope<'_>) -> Predicate) -> Self {
        Scope { child: Some(child), ..self }
    }

    /// The predicate that this text is.
    pub(super) fn read_predicate(self, text: &str) -> Found<Predicate> {
        self.predicate(&cpp::parse(text).ok_or("an expression of an unknown form")?)
    }

    /// The term that this text is.
    pub(super) fn read_term(self, text: &str) -> Found<Term> {
        self.term(&cpp::parse(text).ok_or("an expression of an unknown form")?)
    }

    fn inside<'b>(&'b self, parameter: &'b str) -> Scope<'b> {
        Scope { this: parameter, ..*self }
    }

    fn predicate(self, expression: &Expression) -> Found<Predicate> {
        use Expression as E;
        match expression {
            E::Name(name, _) if name == "true" => Ok(Predicate::Always),
            E::Name(name, _) if name == "false" => Ok(Predicate::Never),
            E::Variable(name) if name == "_child" => match self.child {
                Some(child) => Ok(child(self)),
                None => Err("a predicate without parts".to_owned()),
            },
            E::Unary('!', of) => Ok(match self.predicate(of)? {
                Predicate::Not(of) => *of,
                other => Predicate::Not(Box::new(other)),
            }),
            E::Binary(left, "&&", right) => {
                // That an element of a list is there goes without saying.
                let present = matches!(&**left, E::Name(name, _) if name == self.this);
                let right = self.predicate(right)?;
                let left = if present { Predicate::Always } else { self.predicate(left)? };
                // That two things are equal need not be said twice.
                let said = matches!((&left, &right), (
                    Predicate::Compare(a, Relation::Equal, b),
                    Predicate::Compare(c, Relation::Equal, d),
                ) if a == d && b == c);
                Ok(if said { left } else { left.and(right) })
            }
            E::Binary(left, "||", right) => Ok(match self.predicate(left)? {
                Predicate::Any(mut any) => {
                    any.push(self.predicate(right)?);
                    Predicate::Any(any)
                }
                left => Predicate::Any(vec![left, self.predicate(right)?]),
            }),
            E::Binary(left, operator, right) => self.comparison(expression, left, operator, right),
            E::Call(function, arguments) => self.predicate_call(expression, function, arguments),
            _ => self.truth(expression),
        }
    }

    /// A term where a predicate stands: it is there, or it is not 0.
    fn truth(self, expression: &Expression) -> Found<Predicate> {
        let term = self.term(expression)?;
        Ok(match term {
            Term::Arithmetic(..) => Predicate::Compare(term, Relation::NotEqual, Term::Integer(0)),
            Term::Get(_, Accessor::Last) => Predicate::Test(term, Test::IsTrue),
            _ => Predicate::Test(term, Test::IsPresent),
        })
    }

    fn comparison(self, whole: &Expression, left: &Expression, operator: &str, right: &Expression) -> Found<Predicate> {
        let relation = match operator {
            "==" => Relation::Equal,
            "!=" => Relation::NotEqual,
            "<" => Relation::Less,
            "<=" => Relation::LessOrEqual,
            ">" => Relation::Greater,
            ">=" => Relation::GreaterOrEqual,
            _ => return self.truth(whole),
        };
        if let (Some(left), Some(right), Relation::Equal) = (as_truth(left), as_truth(right), relation) {
            let (left, right) = (self.predicate(left)?, self.predicate(right)?);
            let neither = Predicate::Not(Box::new(Predicate::Any(vec![left.clone(), right.clone()])));
            return Ok(Predicate::Any(vec![Predicate::All(vec![left, right]), neither]));
        }
        if called(left).is_some_and(|name| name == "std::adjacent_find") && relation == Relation::Equal {
            return Ok(Predicate::Test(Term::This, Test::NoEqualNeighbours));
        }
        Ok(Predicate::Compare(self.value(left)?, relation, self.value(right)?))
    }

    fn predicate_call(self, whole: &Expression, function: &Expression, arguments: &[Expression]) -> Found<Predicate> {
        use Expression as E;
        match (function, arguments) {
            (E::Lambda(parameter, body), [argument]) => {
                let term = self.value(argument)?;
                Ok(Predicate::Where(term, Box::new(self.inside(parameter).predicate(body)?)))
            }
            (E::Call(equal, none), [left, right]) if none.is_empty() && is_name(equal, "std::equal_to") => {
                Ok(Predicate::Compare(self.value(left)?, Relation::Equal, self.value(right)?))
            }
            (E::Member(of, method, templates), _) => self.test(whole, of, method, templates, arguments),
            (E::Name(name, templates), _) => {
                let last = name.rsplit("::").next().unwrap_or(name);
                self.function(whole, last, templates, arguments)
            }
            _ => Err("an expression of an unknown form".to_owned()),
        }
    }

    /// A call of a function that answers by yes or no.
    fn function(
        self,
        whole: &Expression,
        name: &str,
        templates: &[String],
        arguments: &[Expression],
    ) -> Found<Predicate> {
        use Expression as E;
        let ask = |test, term: &Expression| Ok(Predicate::Test(self.type_term(term)?, test));
        match (name, arguments) {
            ("isa", [of]) => {
                let term = self.value(of)?;
                let one = |name: &String| {
                    let class = self.classes.class(name, self.namespace).ok_or_else(|| format!("the class {name}"))?;
                    Ok(Predicate::Is(term.clone(), class))
                };
                let mut classes: Vec<_> = templates.iter().map(one).collect::<Found<_>>()?;
                Ok(if classes.len() == 1 { classes.remove(0) } else { Predicate::Any(classes) })
            }
            ("all_of", [list, E::Lambda(parameter, body)]) => {
                let each = self.inside(parameter).predicate(body)?;
                Ok(Predicate::Each(self.value(list)?, Box::new(each)))
            }
            ("is_contained", [list, element]) => Ok(Predicate::Contains(self.value(list)?, self.value(element)?)),
            ("hasNItems", [list, count]) => self.sized(list, Relation::Equal, count),
            ("hasNItemsOrMore", [list, count]) => self.sized(list, Relation::GreaterOrEqual, count),
            ("hasNItemsOrLess", [list, count]) => self.sized(list, Relation::LessOrEqual, count),
            ("equal", [left, right]) => Ok(Predicate::Compare(self.value(left)?, Relation::Equal, self.value(right)?)),
            ("is_sorted", [list]) => ask(Test::IsSorted, list),
            ("bool", [of]) => self.predicate(of),
            ("bitEnumContainsAny", [value, bits]) => {
                let set = Term::Arithmetic(Box::new(self.value(value)?), Operator::And, Box::new(self.value(bits)?));
                Ok(Predicate::Compare(set, Relation::NotEqual, Term::Integer(0)))
            }
            ("isScalableVectorType", [of]) => ask(Test::IsScalable, of),
            (name, []) if self.member(name).is_some() => self.truth(whole),
            (name, [of]) => self.named_after(name, of),
            _ => Err(format!("the function {name}")),
        }
    }

    /// A function that a dialect answers for, or one that is named after what it asks for: `isa_tosa_shape_type` for a type by dialect and mnemonic,
    /// `getSparseTensorEncoding` for a tensor's encoding by its class.
    fn named_after(self, name: &str, of: &Expression) -> Found<Predicate> {
        if let Some(test) = self.classes.operation_test(name) {
            return Ok(Predicate::Test(self.type_term(of)?, test));
        }
        if let Some(class) = self.classes.told(name) {
            return Ok(Predicate::Is(self.type_term(of)?, class));
        }
        let wanted = name.strip_prefix("isa_").and_then(|rest| rest.strip_suffix("_type"));
        if let Some(class) = wanted.and_then(|wanted| self.classes.type_spelled(wanted)) {
            return Ok(Predicate::Is(self.type_term(of)?, class));
        }
        let class = name.strip_prefix("get").filter(|class| class.ends_with("Encoding"));
        let class = class.and_then(|class| self.classes.class(&format!("{class}Attr"), self.namespace));
        if let Some(class @ TermClass::DialectAttribute(_)) = class {
            let encoding = Term::Get(Box::new(self.type_term(of)?), Accessor::Parameter("encoding".to_owned()));
            return Ok(Predicate::Is(encoding, class));
        }
        Err(format!("the function {name}"))
    }

    fn sized(self, list: &Expression, relation: Relation, count: &Expression) -> Found<Predicate> {
        let size = Term::Get(Box::new(self.value(list)?), Accessor::Size);
        Ok(Predicate::Compare(size, relation, self.value(count)?))
    }

    /// A call of a method that answers by yes or no.
    fn test(
        self,
        whole: &Expression,
        of: &Expression,
        method: &str,
        templates: &[String],
        arguments: &[Expression],
    ) -> Found<Predicate> {
        // `isSignlessIntOrIndex` asks for one of several classes.
        let alternatives: Vec<&str> = method.strip_prefix("is").unwrap_or(method).split("Or").collect();
        let classes = alternatives.iter().map(|name| class_asked_for(name, arguments)).collect::<Option<Vec<_>>>();
        if let (Some(classes), true) = (classes, method.starts_with("is")) {
            let term = self.value(of)?;
            let mut any: Vec<_> = classes.into_iter().map(|class| Predicate::Is(term.clone(), class)).collect();
            return Ok(if any.len() == 1 { any.remove(0) } else { Predicate::Any(any) });
        }
        let test = match (method, arguments) {
            ("hasRank", []) => Test::HasRank,
            ("hasStaticShape", []) => Test::HasStaticShape,
            ("isStrided", []) => Test::IsStrided,
            ("allDimsScalable", []) => Test::AllDimensionsScalable,
            ("isScalable", []) => Test::IsScalable,
            ("isNegative", []) => Test::IsNegative,
            ("isStrictlyPositive", []) => Test::IsPositive,
            ("isPowerOf2", []) => Test::IsPowerOfTwo,
            ("eq", [other]) => {
                return Ok(Predicate::Compare(self.value(of)?, Relation::Equal, self.value(other)?));
            }
            ("hasTrait", []) => {
                let name = templates.first().ok_or("a trait without a name")?;
                let last = name.rsplit("::").next().unwrap_or(name);
                return Ok(Predicate::Is(self.value(of)?, TermClass::Trait(last.to_owned())));
            }
            ("hasPromiseOrImplementsInterface", []) => {
                let name = templates.first().ok_or("an interface without a name")?;
                let last = name.rsplit("::").next().unwrap_or(name);
                return Ok(Predicate::Is(self.value(of)?, TermClass::Interface(last.to_owned())));
            }
            _ => return self.truth(whole),
        };
        Ok(Predicate::Test(self.value(of)?, test))
    }

    /// The member of the operation that a method reads: `getLhsMask` reads `lhsMask`, or `lhs_mask`.
    fn member(self, method: &str) -> Option<Term> {
        let wanted = method.strip_prefix("get")?;
        let letters = |name: &str| name.replace('_', "").to_lowercase();
        let found = self.members.iter().find(|name| letters(name) == letters(wanted))?;
        Some(Term::Member(found.clone()))
    }

    /// A term; where a value of the operation stands for its type, that type.
    fn type_term(self, expression: &Expression) -> Found<Term> {
        let term = self.value(expression)?;
        Ok(match term {
            Term::Member(_) => Term::Get(Box::new(term), Accessor::Type),
            other => other,
        })
    }

    fn value(self, expression: &Expression) -> Found<Term> {
        self.term(expression)
    }

    pub(super) fn term(self, expression: &Expression) -> Found<Term> {
        use Expression as E;
        let unknown = || Err("an expression of an unknown form".to_owned());
        match expression {
            E::Variable(name) if name == self.this => Ok(Term::This),
            E::Variable(name) if name == "_op" => Ok(Term::Operation),
            E::Variable(name) if name.starts_with('_') => Err(format!("the variable {name}")),
            E::Variable(name) => Ok(Term::Member(name.clone())),
            E::Name(name, _) if name == self.this => Ok(Term::This),
            E::Name(name, _) => match (name.as_str(), self.classes.enumerant(name)) {
                ("true", _) => Ok(Term::Bool(true)),
                ("false", _) => Ok(Term::Bool(false)),
                ("ShapedType::kDynamic", _) => Ok(Term::Integer(-1)),
                (_, Some((enumeration, case))) => Ok(Term::Enumerant { enumeration, case }),
                _ => Err(format!("the name {name}")),
            },
            E::Number(value) => Ok(Term::Integer(*value)),
            E::Text(text) => Ok(Term::Text(text.clone())),
            E::Braces(items) => Ok(Term::List(items.iter().map(|item| self.term(item)).collect::<Found<_>>()?)),
            E::Unary('-', of) => match self.term(of)? {
                Term::Integer(value) => Ok(Term::Integer(value.wrapping_neg())),
                _ => unknown(),
            },
            E::Unary('~', of) => match self.term(of)? {
                Term::Integer(value) => Ok(Term::Integer(!value)),
                _ => unknown(),
            },
            E::Index(list, index) => Ok(Term::At(Box::new(self.term(list)?), Box::new(self.term(index)?))),
            E::Choice(condition, then, otherwise) => Ok(Term::Choice(
                Box::new(self.predicate(condition)?),
                Box::new(self.term(then)?),
                Box::new(self.term(otherwise)?),
            )),
            E::Binary(left, operator, right) => self.arithmetic(left, operator, right),
            E::Call(function, arguments) => match &**function {
                E::Member(of, method, templates) => self.method(of, method, templates, arguments),
                E::Name(name, templates) => self.made(name, templates, arguments),
                _ => unknown(),
            },
            _ => unknown(),
        }
    }

    fn arithmetic(self, left: &Expression, operator: &str, right: &Expression) -> Found<Term> {
        let (left, right) = (self.term(left)?, self.term(right)?);
        let operator = match operator {
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "%" => Operator::Remainder,
            "&" => Operator::And,
            "|" => Operator::Or,
            _ => return Err(format!("the operator {operator}")),
        };
        if let (Term::Integer(left), Term::Integer(right), Operator::Or) = (&left, &right, operator) {
            return Ok(Term::Integer(left | right));
        }
        Ok(Term::Arithmetic(Box::new(left), operator, Box::new(right)))
    }

    /// What a method gives.
    fn method(self, of: &Expression, method: &str, templates: &[String], arguments: &[Expression]) -> Found<Term> {
        if matches!(of, Expression::Variable(name) if name == "_builder") {
            return self.built(method, templates, arguments);
        }
        let of_term = || self.value(of).map(Box::new);
        // A parameter of a class is known by the class that it is read of.
        if let (Some(class), []) = (cast_to(of), arguments) {
            let name = match self.classes.class(class, self.namespace) {
                Some(TermClass::DialectType(name) | TermClass::DialectAttribute(name)) => Some(name),
                _ => None,
            };
            if let Some(parameter) = name.and_then(|name| self.classes.parameter(&name, method)) {
                return Ok(Term::Get(of_term()?, Accessor::Parameter(parameter)));
            }
        }
        let accessor = match (method, arguments) {
            ("getType" | "getTypes", []) => Accessor::Type,
            ("getElementType", []) => Accessor::ElementType,
            ("getRank", []) => Accessor::Rank,
            ("getShape", []) => Accessor::Shape,
            ("getNumElements", []) => Accessor::ElementCount,
            ("getElementTypeBitWidth", []) => Accessor::ElementWidth,
            ("getIntOrFloatBitWidth" | "getWidth", []) => Accessor::Width,
            ("getValue" | "getInt", []) => Accessor::Value,
            ("size", []) => Accessor::Size,
            ("getScalableDims", []) => Accessor::ScalableDimensions,
            ("back", []) => Accessor::Last,
            ("drop_back", []) => Accessor::AllButLast,
            ("drop_front", []) => Accessor::AllButFirst,
            ("getTypeID", []) => Accessor::Class,
            ("getInputs", []) => Accessor::Inputs,
            ("getResults", []) => Accessor::Results,
            ("getParentOp", []) => Accessor::Parent,
            ("getStorageTypeIntegralWidth", []) => Accessor::Parameter("storageWidth".to_owned()),
            ("getZExtValue" | "getSExtValue" | "asArrayRef", []) => return self.value(of),
            ("getDimSize", [index]) => {
                let shape = Term::Get(of_term()?, Accessor::Shape);
                return Ok(Term::At(Box::new(shape), Box::new(self.term(index)?)));
            }
            ("getOperand", [Expression::Number(at)]) => {
                return Ok(Term::Operand(u32::try_from(*at).unwrap_or(u32::MAX)));
            }
            ("getResult", [Expression::Number(at)]) => return Ok(Term::Result(u32::try_from(*at).unwrap_or(u32::MAX))),
            ("getNumOperands", []) => return Ok(counted(Term::Get(of_term()?, Accessor::Operands))),
            ("getNumResults", []) => return Ok(counted(Term::Get(of_term()?, Accessor::Results))),
            ("clone", [element]) | ("cloneWith", [_, element]) => {
                return Ok(Term::WithElement(of_term()?, Box::new(self.term(element)?)));
            }
            _ => return Err(format!("the method {method}")),
        };
        Ok(Term::Get(of_term()?, accessor))
    }

    /// What a function or a constructor gives.
    fn made(self, name: &str, templates: &[String], arguments: &[Expression]) -> Found<Term> {
        let last = name.rsplit("::").next().unwrap_or(name);
        if let Some(member) = self.member(last).filter(|_| arguments.is_empty()) {
            return Ok(member);
        }
        match (last, arguments) {
            ("cast" | "dyn_cast" | "static_cast", [of]) => self.value(of),
            ("ArrayRef", []) => Ok(Term::List(Vec::new())),
            ("ArrayRef", [list]) if !templates.is_empty() => self.term(list),
            ("ArrayRef", items) => Ok(Term::List(items.iter().map(|item| self.term(item)).collect::<Found<_>>()?)),
            ("APInt", [_, value]) => self.term(value),
            ("getElementTypeOrSelf", [of]) => Ok(Term::Get(Box::new(self.type_term(of)?), Accessor::ElementTypeOrSelf)),
            ("getI1SameShape" | "getUnaryOpResultType", [of]) => {
                Ok(Term::WithElement(Box::new(self.type_term(of)?), Box::new(integer(Term::Integer(1)))))
            }
            ("get" | "getLiteral", _) => {
                let class = name.rsplit_once("::").map_or("", |parts| parts.0);
                self.type_of_class(class, arguments)
            }
            _ => Err(format!("the function {last}")),
        }
    }

    /// What a builder gives: `getF32Type()`, `getType<NoneType>()`.
    fn built(self, method: &str, templates: &[String], arguments: &[Expression]) -> Found<Term> {
        match (method, templates, arguments) {
            ("getType", [class], _) => self.type_of_class(class, arguments),
            ("getIntegerType", _, [width]) => Ok(integer(self.term(width)?)),
            ("getIntegerType", _, [width, signed]) => {
                let signedness = match self.term(signed)? {
                    Term::Bool(true) => Signedness::Signed,
                    _ => Signedness::Unsigned,
                };
                Ok(Term::IntegerType { width: Box::new(self.term(width)?), signedness })
            }
            ("getIndexType", _, []) => Ok(Term::IndexType),
            _ => {
                let short = method.strip_prefix("get").and_then(|name| name.strip_suffix("Type")).unwrap_or(method);
                let width = short.strip_prefix('I').and_then(|width| width.parse().ok());
                match (width, float_of_class(short)) {
                    (Some(width), _) => Ok(integer(Term::Integer(width))),
                    (None, Some(kind)) => Ok(Term::FloatType(kind)),
                    _ => Err(format!("the method {method}")),
                }
            }
        }
    }

    /// The type of a class that these arguments make.
    fn type_of_class(self, class: &str, arguments: &[Expression]) -> Found<Term> {
        // The context goes without saying.
        let context = |argument: &&Expression| {
            !matches!(argument, Expression::Call(function, _)
            if matches!(&**function, Expression::Member(_, name, _) if name == "getContext"))
                && !matches!(argument, Expression::Variable(name) if name == "_ctxt")
        };
        let mut terms: Vec<_> = arguments.iter().filter(context).map(|item| self.term(item)).collect::<Found<_>>()?;
        let known = self.classes.class(class, self.namespace).ok_or_else(|| format!("the class {}", plain(class)))?;
        let wrong = || format!("what makes the class {}", plain(class));
        match (known, terms.len()) {
            (TermClass::Integer { .. }, 1) => Ok(integer(terms.remove(0))),
            (TermClass::Float(Some(kind)), 0) => Ok(Term::FloatType(kind)),
            (TermClass::Builtin(Builtin::Index), 0) => Ok(Term::IndexType),
            (TermClass::Builtin(Builtin::None), 0) => Ok(Term::NoneType),
            (TermClass::Builtin(Builtin::Vector), 2) => {
                let element = terms.remove(1);
                Ok(Term::VectorType(Box::new(terms.remove(0)), Box::new(element)))
            }
            (TermClass::Builtin(Builtin::RankedTensor), 2) => {
                let element = terms.remove(1);
                Ok(Term::TensorType(Box::new(terms.remove(0)), Box::new(element)))
            }
            (TermClass::DialectType(name), _) => Ok(Term::DialectType { name, parameters: terms }),
            _ => Err(wrong()),
        }
    }
}

fn integer(width: Term) -> Term {
    Term::IntegerType { width: Box::new(width), signedness: Signedness::Signless }
}

fn counted(list: Term) -> Term {
    Term::Get(Box::new(list), Accessor::Size)
}

fn is_name(expression: &Expression, wanted: &str) -> bool {
    matches!(expression, Expression::Name(name, _) if name == wanted)
}

/// The name of the function that is called.
fn called(expression: &Expression) -> Option<&str> {
    let Expression::Call(function, _) = expression else { return None };
    match &**function {
        Expression::Name(name, _) => Some(name),
        _ => None,
    }
}

/// The class that a value is cast to.
fn cast_to(expression: &Expression) -> Option<&str> {
    let Expression::Call(function, _) = expression else { return None };
    match &**function {
        Expression::Name(name, templates) if name.ends_with("cast") => templates.first().map(String::as_str),
        _ => None,
    }
}

/// What `bool(...)` asks about.
fn as_truth(expression: &Expression) -> Option<&Expression> {
    match expression {
        Expression::Call(function, arguments) if is_name(function, "bool") => arguments.first(),
        _ => None,
    }
}

/// The class of types that a method of all types asks for, without `is`: `SignlessInteger(32)`, `F32()`, `Index()`.
fn class_asked_for(name: &str, arguments: &[Expression]) -> Option<TermClass> {
    let width = match arguments {
        [] => None,
        [Expression::Number(width)] => Some(u32::try_from(*width).ok()?),
        _ => return None,
    };
    let integer = |signedness| Some(TermClass::Integer { signedness, width });
    match name {
        "Integer" | "Int" => integer(None),
        "SignlessInteger" | "SignlessInt" => integer(Some(Signedness::Signless)),
        "SignedInteger" => integer(Some(Signedness::Signed)),
        "UnsignedInteger" => integer(Some(Signedness::Unsigned)),
        "Index" => Some(TermClass::Builtin(Builtin::Index)),
        "Float" => Some(TermClass::Float(None)),
        _ => float_of_class(name).map(|kind| TermClass::Float(Some(kind))),
    }
}
