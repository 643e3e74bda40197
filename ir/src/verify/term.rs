//! What terms stand for.

use super::checker::Checker;
use super::names::split_text;
use super::scope::{Scope, TermValue, passes};
use crate::attribute::{Attribute, AttributeData};
use crate::dense::NumberKind;
use crate::ods::{Accessor, Operator, ParameterKind, Term, Test};
use crate::parameter::{DialectValue, Parameter};
use crate::types::{Type, TypeData};

/// What tables write for a size that is not known.
const DYNAMIC_IN_TABLES: i128 = -1;

impl Checker<'_> {
    /// What a term stands for; unknown where only C++ or a dialect's implementation can tell.
    pub(super) fn term(&self, term: &Term, scope: &Scope<'_>) -> Option<TermValue> {
        self.step()?;
        let both = |left: &Term, right: &Term| Some((self.term(left, scope)?, self.term(right, scope)?));
        Some(match term {
            Term::This => scope.this.clone(),
            Term::Operation => TermValue::Operation(0),
            Term::Member(name) => match scope.partial {
                Some(partial) => partial.member(name)?,
                None => scope.operation?.member(name)?,
            },
            Term::Operand(at) => TermValue::Value(*scope.operation?.lists.operands.get(*at as usize)?),
            Term::Result(at) => TermValue::Value(*scope.operation?.lists.results.get(*at as usize)?),
            Term::Integer(value) => TermValue::Integer(i128::from(*value)),
            Term::Bool(value) => TermValue::Bool(*value),
            Term::Text(text) => TermValue::Text(text.clone()),
            Term::List(of) => TermValue::List(of.iter().map(|item| self.term(item, scope)).collect::<Option<_>>()?),
            Term::Enumerant { enumeration, case } => {
                TermValue::Integer(i128::from(self.enumeration(enumeration)?.case(case)?.value))
            }
            Term::Get(of, what) => self.get(&self.term(of, scope)?, what, scope)?,
            Term::At(list, index) => {
                let (list, index) = both(list, index)?;
                let index = usize::try_from(self.number(&index)?).ok()?;
                self.list(list)?.get(index)?.clone()
            }
            Term::Arithmetic(left, operator, right) => {
                let (left, right) = both(left, right)?;
                TermValue::Integer(self.arithmetic(&left, *operator, &right)?)
            }
            Term::WithElement(shaped, element) => {
                let (shaped, element) = both(shaped, element)?;
                TermValue::Type(self.with_element(self.ty(&shaped)?, self.ty(&element)?)?)
            }
            Term::IntegerType { width, signedness } => {
                let width = u32::try_from(self.number(&self.term(width, scope)?)?).ok()?;
                if width > TypeData::MAX_INTEGER_WIDTH {
                    return None;
                }
                self.made(TypeData::Integer { width, signedness: *signedness })
            }
            Term::IndexType => self.made(TypeData::Index),
            Term::NoneType => self.made(TypeData::None),
            Term::FloatType(kind) => self.made(TypeData::Float(*kind)),
            Term::VectorType(shape, element) => {
                let (shape, element) = both(shape, element)?;
                let shape = self.sizes(shape)?;
                if shape.iter().any(|&size| size <= 0) {
                    return None;
                }
                self.made(TypeData::Vector { shape, scalable: Box::default(), element: self.ty(&element)? })
            }
            Term::TensorType(shape, element) => {
                let (shape, element) = both(shape, element)?;
                let (shape, element) = (self.sizes(shape)?, self.ty(&element)?);
                self.made(TypeData::RankedTensor { shape, element, encoding: None })
            }
            Term::DialectType { name, parameters } => self.dialect_type(name, parameters, scope)?,
            Term::Choice(condition, then, otherwise) => {
                let chosen = if self.holds(condition, scope)? { then } else { otherwise };
                self.term(chosen, scope)?
            }
            Term::Unknown(_) => return None,
        })
    }

    fn made(&self, data: TypeData) -> TermValue {
        TermValue::Type(self.context.ty(data))
    }

    /// A type of a dialect. Parameters that a term does not give have their defaults.
    fn dialect_type(&self, name: &str, given: &[Term], scope: &Scope<'_>) -> Option<TermValue> {
        let (dialect, mnemonic) = name.split_once('.')?;
        let is_value = self.context.has_type_values(dialect.as_bytes(), mnemonic.as_bytes());
        let (dialect, mnemonic) = (self.context.identifier(dialect), self.context.identifier(mnemonic));
        if !is_value {
            let text = format!("!{name}").into_bytes().into();
            return given.is_empty().then(|| self.made(TypeData::Text { dialect, text }));
        }
        let definition = self.type_definition(name);
        let known = definition.as_ref().map_or(&[][..], |definition| &definition.parameters);
        let mut parameters = Vec::with_capacity(known.len());
        for at in 0..known.len().max(given.len()) {
            let parameter = known.get(at);
            let term = given.get(at).or_else(|| parameter?.default.as_ref())?;
            parameters.push(self.as_parameter(&self.term(term, scope)?, parameter.map(|parameter| &parameter.kind))?);
        }
        let data = TypeData::Dialect(DialectValue { dialect, mnemonic, parameters: parameters.into() });
        data.verify(self.context).ok()?;
        Some(self.made(data))
    }

    /// A parameter of that kind, where it is known.
    fn as_parameter(&self, value: &TermValue, kind: Option<&ParameterKind>) -> Option<Parameter> {
        Some(match value {
            TermValue::Type(ty) | TermValue::Value(ty) => Parameter::Type(*ty),
            TermValue::Text(text) => Parameter::String(text.as_bytes().into()),
            TermValue::Bool(value) => Parameter::Bool(*value),
            _ => {
                let number = self.number(value)?;
                match (kind, u64::try_from(number)) {
                    (Some(ParameterKind::Integer { signed: true, .. }), _) | (_, Err(_)) => {
                        Parameter::Signed(i64::try_from(number).ok()?)
                    }
                    (_, Ok(number)) => Parameter::Unsigned(number),
                }
            }
        })
    }

    /// The shaped type with another element; that element where it is not shaped.
    fn with_element(&self, shaped: Type, element: Type) -> Option<Type> {
        let data = match self.context[shaped].clone() {
            TypeData::Vector { shape, scalable, .. } => TypeData::Vector { shape, scalable, element },
            TypeData::RankedTensor { shape, encoding, .. } => TypeData::RankedTensor { shape, element, encoding },
            TypeData::UnrankedTensor(_) => TypeData::UnrankedTensor(element),
            TypeData::MemRef { shape, layout, space, .. } => TypeData::MemRef { shape, element, layout, space },
            TypeData::UnrankedMemRef { space, .. } => TypeData::UnrankedMemRef { element, space },
            TypeData::Dialect(_) | TypeData::Text { .. } | TypeData::Encoded(_) => return None,
            _ => return Some(element),
        };
        Some(self.context.ty(data))
    }

    fn sizes(&self, shape: TermValue) -> Option<Box<[i64]>> {
        let size = |item: &TermValue| match self.number(item)? {
            DYNAMIC_IN_TABLES => Some(crate::types::DYNAMIC),
            size => i64::try_from(size).ok(),
        };
        self.list(shape)?.iter().map(size).collect()
    }

    pub(super) fn ty(&self, subject: &TermValue) -> Option<Type> {
        match subject {
            TermValue::Type(ty) | TermValue::Value(ty) => Some(*ty),
            _ => None,
        }
    }

    pub(super) fn number(&self, subject: &TermValue) -> Option<i128> {
        match subject {
            TermValue::Integer(value) => Some(*value),
            TermValue::Bits { signed, .. } => Some(*signed),
            TermValue::Bool(value) => Some(i128::from(*value)),
            TermValue::Attribute(attribute) => match self.held(*attribute)? {
                TermValue::Attribute(_) => None,
                held => self.number(&held),
            },
            _ => None,
        }
    }

    /// The integers that a subject can be read as.
    pub(super) fn readings(&self, subject: &TermValue) -> Option<Vec<i128>> {
        match subject {
            TermValue::Bits { signed, unsigned } => Some(vec![*signed, *unsigned]),
            TermValue::Attribute(attribute) => match self.held(*attribute)? {
                TermValue::Attribute(_) => None,
                held => self.readings(&held),
            },
            _ => self.number(subject).map(|value| vec![value]),
        }
    }

    fn arithmetic(&self, left: &TermValue, operator: Operator, right: &TermValue) -> Option<i128> {
        let unsigned = |subject: &TermValue| match subject {
            TermValue::Bits { unsigned, .. } => Some(*unsigned),
            TermValue::Attribute(attribute) => match self.held(*attribute)? {
                TermValue::Bits { unsigned, .. } => Some(unsigned),
                held => self.number(&held),
            },
            other => self.number(other),
        };
        match operator {
            Operator::And => Some(unsigned(left)? & unsigned(right)?),
            Operator::Or => Some(unsigned(left)? | unsigned(right)?),
            _ => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                match operator {
                    Operator::Add => left.checked_add(right),
                    Operator::Subtract => left.checked_sub(right),
                    Operator::Multiply => left.checked_mul(right),
                    Operator::Divide => left.checked_div(right),
                    _ => left.checked_rem(right),
                }
            }
        }
    }

    /// The items of a list: of a list, an array, a dictionary or dense numbers.
    pub(super) fn list(&self, subject: TermValue) -> Option<Vec<TermValue>> {
        let attribute = match subject {
            TermValue::List(of) => return Some(of),
            TermValue::Attribute(attribute) => attribute,
            _ => return None,
        };
        match &self.context[attribute] {
            AttributeData::Array(of) => Some(of.iter().copied().map(TermValue::Attribute).collect()),
            AttributeData::Dictionary(of) => Some(of.iter().map(|entry| TermValue::Attribute(entry.1)).collect()),
            AttributeData::DenseArray { element, data } => {
                let NumberKind::Integer { width, .. } = NumberKind::of(self.context, *element)? else { return None };
                let size = width.div_ceil(8) as usize;
                let item = |bytes: &[u8]| {
                    let mut wide = [if bytes.last().is_some_and(|&byte| byte >= 0x80) { 0xff } else { 0 }; 8];
                    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
                    Some(TermValue::Integer(i128::from(i64::from_le_bytes(wide))))
                };
                data.chunks_exact(size.max(1)).map(item).collect()
            }
            _ => None,
        }
    }

    /// What an attribute holds.
    fn held(&self, attribute: Attribute) -> Option<TermValue> {
        match &self.context[attribute] {
            AttributeData::Integer { value, .. } => {
                let signed = value.to_i64().map(i128::from);
                let unsigned = value.to_u64().map(i128::from).or(signed);
                Some(TermValue::Bits { signed: signed.or(unsigned)?, unsigned: unsigned? })
            }
            AttributeData::String { value, .. } => Some(TermValue::Text(std::str::from_utf8(value).ok()?.to_owned())),
            AttributeData::Type(ty) => Some(TermValue::Type(*ty)),
            AttributeData::Unit => Some(TermValue::Bool(true)),
            AttributeData::Dialect(value) => match &*value.parameters {
                [Parameter::Unsigned(number)] => Some(TermValue::Integer(i128::from(*number))),
                [Parameter::Signed(number)] => Some(TermValue::Integer(i128::from(*number))),
                _ => None,
            },
            AttributeData::Text { text, .. } => {
                let written = split_text(text)?;
                let definition = self.attribute_definition(&written.name)?;
                let cases = self.enumeration(definition.enumeration.as_deref()?)?;
                Some(TermValue::Integer(i128::from(cases.value_of(written.rest.trim_matches('"'))?)))
            }
            _ => None,
        }
    }

    fn get(&self, of: &TermValue, what: &Accessor, scope: &Scope<'_>) -> Option<TermValue> {
        // Of a variadic operand or result, what each has.
        if let TermValue::List(items) = of {
            match what {
                Accessor::Size => return Some(TermValue::Integer(items.len() as i128)),
                Accessor::Last => return items.last().cloned(),
                Accessor::AllButLast => return Some(TermValue::List(items.split_last()?.1.to_vec())),
                Accessor::AllButFirst => return Some(TermValue::List(items.split_first()?.1.to_vec())),
                Accessor::Type | Accessor::ElementType | Accessor::ElementTypeOrSelf => {
                    let each = items.iter().map(|item| self.get(item, what, scope));
                    return each.collect::<Option<_>>().map(TermValue::List);
                }
                _ => {}
            }
        }
        if let TermValue::Operation(level) = of {
            return match what {
                Accessor::Parent => Some(TermValue::Operation(level.checked_add(1)?)),
                Accessor::Operands if *level == 0 => {
                    let operands = &scope.operation?.lists.operands;
                    Some(TermValue::List(operands.iter().copied().map(TermValue::Value).collect()))
                }
                Accessor::Results if *level == 0 => {
                    let results = &scope.operation?.lists.results;
                    Some(TermValue::List(results.iter().copied().map(TermValue::Value).collect()))
                }
                _ => None,
            };
        }
        if let TermValue::Attribute(attribute) = of {
            return self.get_of_attribute(*attribute, what);
        }
        self.get_of_type(self.ty(of)?, what)
    }

    fn get_of_attribute(&self, attribute: Attribute, what: &Accessor) -> Option<TermValue> {
        match what {
            Accessor::Value => self.held(attribute),
            Accessor::Size => Some(TermValue::Integer(self.list(TermValue::Attribute(attribute))?.len() as i128)),
            Accessor::Type => Some(TermValue::Type(match &self.context[attribute] {
                AttributeData::Integer { ty, .. }
                | AttributeData::Float { ty, .. }
                | AttributeData::DenseElements { ty, .. }
                | AttributeData::DenseStrings { ty, .. }
                | AttributeData::DenseResource { ty, .. }
                | AttributeData::Sparse { ty, .. } => *ty,
                AttributeData::String { ty, .. } => ty.unwrap_or_else(|| self.context.ty(TypeData::None)),
                _ => return None,
            })),
            _ => None,
        }
    }

    fn get_of_type(&self, ty: Type, what: &Accessor) -> Option<TermValue> {
        let data = &self.context[ty];
        let count = |count: usize| Some(TermValue::Integer(count as i128));
        let types = |types: &[Type]| Some(TermValue::List(types.iter().copied().map(TermValue::Type).collect()));
        match what {
            Accessor::Type => Some(TermValue::Type(ty)),
            Accessor::ElementType => match data {
                TypeData::Complex(element) => Some(TermValue::Type(*element)),
                _ => data.element().map(TermValue::Type),
            },
            Accessor::ElementTypeOrSelf => Some(TermValue::Type(self.element_or_self(ty)?)),
            Accessor::Rank => count(data.shape()?.len()),
            Accessor::Shape => {
                Some(TermValue::List(data.shape()?.iter().map(|&size| TermValue::Integer(i128::from(size))).collect()))
            }
            Accessor::ElementCount => Some(TermValue::Integer(i128::from(data.element_count()?))),
            Accessor::Width => self.width(ty),
            Accessor::ElementWidth => self.width(data.element()?),
            Accessor::ScalableDimensions => match data {
                TypeData::Vector { shape, scalable, .. } => {
                    let is_scalable = |at: usize| TermValue::Bool(scalable.get(at).copied().unwrap_or(false));
                    Some(TermValue::List((0..shape.len()).map(is_scalable).collect()))
                }
                _ => None,
            },
            Accessor::Class => Some(TermValue::Text(match data {
                TypeData::Dialect(_) | TypeData::Text { .. } => self.type_name(data)?,
                TypeData::Encoded(_) => return None,
                _ => format!("{:?}", std::mem::discriminant(data)),
            })),
            Accessor::Inputs => match data {
                TypeData::Function { inputs, .. } => types(inputs),
                _ => None,
            },
            Accessor::Results => match data {
                TypeData::Function { results, .. } => types(results),
                _ => None,
            },
            Accessor::Parameter(name) => self.parameter(ty, name),
            _ => None,
        }
    }

    fn width(&self, ty: Type) -> Option<TermValue> {
        match self.context[ty] {
            TypeData::Integer { width, .. } => Some(TermValue::Integer(i128::from(width))),
            TypeData::Float(kind) => Some(TermValue::Integer(i128::from(kind.width()))),
            _ => None,
        }
    }

    /// The element of a shaped type; any other type itself. Unknown for a dialect's type that may be shaped.
    pub fn element_or_self(&self, ty: Type) -> Option<Type> {
        let data = &self.context[ty];
        if let Some(element) = data.element() {
            return Some(element);
        }
        match data {
            TypeData::Dialect(_) | TypeData::Text { .. } => {
                let definition = self.type_definition(&self.type_name(data)?)?;
                let shaped = definition.traits.iter().any(|name| name == "ShapedType");
                (!shaped).then_some(ty)
            }
            TypeData::Encoded(_) => None,
            _ => Some(ty),
        }
    }

    /// A parameter of a type, by its name.
    fn parameter(&self, ty: Type, name: &str) -> Option<TermValue> {
        let data = &self.context[ty];
        if name == "encoding" {
            return match data {
                TypeData::RankedTensor { encoding, .. } => {
                    Some(encoding.map_or(TermValue::Absent, TermValue::Attribute))
                }
                TypeData::Dialect(_) | TypeData::Text { .. } | TypeData::Encoded(_) => None,
                _ => Some(TermValue::Absent),
            };
        }
        let TypeData::Dialect(value) = data else { return None };
        let definition = self.type_definition(&self.type_name(data)?)?;
        let at = definition.parameters.iter().position(|parameter| parameter.name == name)?;
        match value.parameters.get(at)? {
            Parameter::Unsigned(number) => Some(TermValue::Integer(i128::from(*number))),
            Parameter::Signed(number) => Some(TermValue::Integer(i128::from(*number))),
            Parameter::Bool(value) => Some(TermValue::Bool(*value)),
            Parameter::Type(ty) => Some(TermValue::Type(*ty)),
            Parameter::Attribute(attribute) => Some(TermValue::Attribute(*attribute)),
            Parameter::String(text) => Some(TermValue::Text(std::str::from_utf8(text).ok()?.to_owned())),
            _ => None,
        }
    }

    /// Whether a test passes of a subject.
    pub(super) fn passes(&self, subject: &TermValue, test: Test, scope: &Scope<'_>) -> Option<bool> {
        match (test, subject) {
            (Test::IsTrue, TermValue::Bool(value)) => Some(*value),
            (Test::IsInsideFunction | Test::IsInsideGraph | Test::IsSymbolTable, TermValue::Operation(level)) => {
                self.depends_on_context.set(true);
                let op = scope.operation?.op;
                passes(op, op.parent_op().ok()?, *level, test)
            }
            (Test::IsNegative, _) => Some(self.number(subject)? < 0),
            (Test::IsPositive, _) => Some(self.number(subject)? > 0),
            (Test::IsPowerOfTwo, TermValue::Bits { unsigned, .. }) => Some(unsigned.count_ones() == 1),
            (Test::IsPowerOfTwo, _) => Some(self.number(subject)?.count_ones() == 1),
            (Test::IsSorted | Test::NoEqualNeighbours, _) => {
                let numbers = self.list(subject.clone())?;
                let numbers: Vec<i128> = numbers.iter().map(|item| self.number(item)).collect::<Option<_>>()?;
                Some(match test {
                    Test::IsSorted => numbers.is_sorted(),
                    _ => numbers.windows(2).all(|pair| pair[0] != pair[1]),
                })
            }
            _ => self.type_passes(self.ty(subject)?, test),
        }
    }

    fn type_passes(&self, ty: Type, test: Test) -> Option<bool> {
        let data = &self.context[ty];
        let foreign = matches!(data, TypeData::Dialect(_) | TypeData::Text { .. } | TypeData::Encoded(_));
        let scalable = match data {
            TypeData::Vector { scalable, .. } => &**scalable,
            _ => &[],
        };
        let vector = matches!(data, TypeData::Vector { .. });
        match test {
            Test::HasRank if !foreign => Some(data.shape().is_some()),
            Test::HasStaticShape if !foreign => {
                Some(data.shape().is_some_and(|shape| shape.iter().all(|&size| size >= 0)))
            }
            Test::IsStrided => match data {
                TypeData::MemRef { layout, .. } => match &self.context[*layout] {
                    AttributeData::StridedLayout { .. } => Some(true),
                    AttributeData::AffineMap(map) if map.is_identity() => Some(true),
                    _ => None,
                },
                _ => None,
            },
            Test::AllDimensionsScalable if vector => {
                Some(data.shape()?.len() == scalable.len() && scalable.iter().all(|&scalable| scalable))
            }
            Test::IsScalable if !foreign => Some(scalable.contains(&true)),
            _ => None,
        }
    }
}
