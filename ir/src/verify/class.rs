//! Whether a type or attribute is of a class.

use super::checker::Checker;
use super::scope::TermValue;
use super::told::ToldBy;
use crate::attribute::{Attribute, AttributeData};
use crate::ods::{Builtin, BuiltinAttribute, TermClass};
use crate::types::{Signedness, Type, TypeData};

impl Checker<'_> {
    /// Whether the subject is of the class; unknown where only C++ can tell.
    pub(super) fn is(&self, subject: &TermValue, class: &TermClass) -> Option<bool> {
        match subject {
            TermValue::Type(ty) | TermValue::Value(ty) => self.type_is(*ty, class),
            TermValue::Attribute(attribute) => self.attribute_is(*attribute, class),
            TermValue::Absent => Some(false),
            _ => None,
        }
    }

    fn type_is(&self, ty: Type, class: &TermClass) -> Option<bool> {
        let data = &self.context[ty];
        if *class == TermClass::AnyType {
            return Some(true);
        }
        if let TermClass::Told { function, .. } = class {
            return self.told(ty, function);
        }
        if let Some(name) = self.type_name(data) {
            return self.dialect_type_is(&name, class);
        }
        if matches!(data, TypeData::Text { .. } | TypeData::Dialect(_) | TypeData::Encoded(_)) {
            return None;
        }
        Some(match class {
            TermClass::Integer { signedness, width } => match data {
                TypeData::Integer { width: found, signedness: how } => {
                    signedness.is_none_or(|wanted| wanted == *how) && width.is_none_or(|wanted| wanted == *found)
                }
                _ => false,
            },
            TermClass::Float(kind) => matches!(data, TypeData::Float(found) if kind.is_none_or(|kind| kind == *found)),
            TermClass::Builtin(class) => builtin_is(data, *class),
            TermClass::Trait(name) if name == "ValueSemantics" => {
                matches!(data, TypeData::Vector { .. } | TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_))
            }
            TermClass::Interface(name) => return self.builtin_implements(data, name),
            TermClass::DialectType(_) | TermClass::TypeOf(_) => false,
            _ => return None,
        })
    }

    /// What a function of a dialect's own tells of a type. Dialects that were not met yet need not be made where one that was says
    /// that the function is its own.
    fn told(&self, ty: Type, function: &str) -> Option<bool> {
        let ask = |all: &[ToldBy]| all.iter().find_map(|of| of.tell(self.context, ty, function));
        let made = self.told_by_made.get_or_init(|| ToldBy::those_of(self.context.dialects_made()));
        let told = ask(made);
        if told.is_some() || made.iter().any(|of| of.names(function)) {
            return told;
        }
        ask(self.told_by_all.get_or_init(|| ToldBy::those_of(self.context.dialects())))
    }

    /// Interfaces of builtin types, as far as they say what the type is.
    fn builtin_implements(&self, data: &TypeData, name: &str) -> Option<bool> {
        let tensor = matches!(data, TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_));
        let memref = matches!(data, TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. });
        match name {
            "TensorLikeType" => Some(tensor),
            "BufferLikeType" => Some(memref),
            "PointerLikeType" if memref => Some(true),
            "TransformHandleTypeInterface" | "TransformParamTypeInterface" | "TransformValueHandleTypeInterface" => {
                Some(false)
            }
            _ => None,
        }
    }

    /// A type of a dialect is what its name and definition say.
    fn dialect_type_is(&self, name: &str, class: &TermClass) -> Option<bool> {
        match class {
            TermClass::DialectType(wanted) => Some(name == wanted),
            TermClass::TypeOf(dialect) => Some(name.split('.').next() == Some(dialect)),
            TermClass::Integer { .. } => Some(false),
            TermClass::Float(Some(_)) => Some(false),
            // These can be interfaces that a dialect's type implements.
            TermClass::Float(None) => self.defined_with(true, name, "FloatType", true),
            TermClass::Builtin(Builtin::Shaped) => self.defined_with(true, name, "ShapedType", true),
            TermClass::Builtin(_) => Some(false),
            TermClass::Trait(wanted) => self.defined_with(true, name, wanted, true),
            // Code can attach interfaces to a type that does not name them.
            TermClass::Interface(wanted) => self.defined_with(true, name, wanted, false),
            _ => None,
        }
    }

    /// Whether a definition lists a trait or interface. Where it does not, the answer is no only if `complete`.
    fn defined_with(&self, of_type: bool, name: &str, wanted: &str, complete: bool) -> Option<bool> {
        let definition = if of_type { self.type_definition(name) } else { self.attribute_definition(name) };
        let listed = definition?.traits.iter().any(|known| known == wanted);
        (listed || complete).then_some(listed)
    }

    /// Whether an attribute is of a class. `None` where that is not known.
    pub fn attribute_is(&self, attribute: Attribute, class: &TermClass) -> Option<bool> {
        let data = &self.context[attribute];
        if *class == TermClass::AnyAttribute {
            return Some(true);
        }
        if let Some(name) = self.attribute_name(data) {
            return match class {
                TermClass::DialectAttribute(wanted) => Some(name == *wanted),
                TermClass::Attribute(BuiltinAttribute::Typed) => self.defined_with(false, &name, "TypedAttr", false),
                TermClass::Attribute(BuiltinAttribute::Elements) => {
                    self.defined_with(false, &name, "ElementsAttr", false)
                }
                TermClass::Attribute(_) | TermClass::Enumerant(_) => Some(false),
                TermClass::Trait(wanted) | TermClass::Interface(wanted) => {
                    self.defined_with(false, &name, wanted, false)
                }
                _ => None,
            };
        }
        if matches!(data, AttributeData::Text { .. } | AttributeData::Dialect(_) | AttributeData::Encoded(_)) {
            return None;
        }
        match class {
            TermClass::Attribute(class) => self.builtin_attribute_is(data, *class),
            TermClass::Enumerant(name) => {
                let definition = self.enumeration(name)?;
                let AttributeData::Integer { ty, value } = data else { return Some(false) };
                let signless = TypeData::Integer { width: definition.width, signedness: Signedness::Signless };
                let is_case = |value: Option<i64>| value.is_some_and(|value| definition.has_value(value));
                let unsigned = value.to_u64().and_then(|value| i64::try_from(value).ok());
                Some(self.context[*ty] == signless && (is_case(value.to_i64()) || is_case(unsigned)))
            }
            TermClass::DialectAttribute(_) => Some(false),
            // Upstream attaches interfaces to builtin attributes too.
            _ => None,
        }
    }

    fn builtin_attribute_is(&self, data: &AttributeData, class: BuiltinAttribute) -> Option<bool> {
        use AttributeData as A;
        use BuiltinAttribute as B;
        let is_dense_array = |wanted: fn(&TypeData) -> bool| match data {
            A::DenseArray { element, .. } => wanted(&self.context[*element]),
            _ => false,
        };
        let elements = |wanted: fn(&TypeData) -> bool| match data {
            A::DenseElements { ty, .. } => {
                self.context[*ty].element().is_some_and(|element| wanted(&self.context[element]))
            }
            _ => false,
        };
        let is_i =
            |wanted: u32| move |data: &TypeData| matches!(data, TypeData::Integer { width, .. } if *width == wanted);
        let is_array_of_i = |width: u32| match data {
            A::DenseArray { element, .. } => is_i(width)(&self.context[*element]),
            _ => false,
        };
        use crate::number::FloatKind;
        Some(match class {
            B::Integer => matches!(data, A::Integer { .. }),
            B::Bool => matches!(data, A::Integer { ty, .. } if *ty == self.context.integer_type(1)),
            B::Float => matches!(data, A::Float { .. }),
            B::String => matches!(data, A::String { .. }),
            B::Array => matches!(data, A::Array(_)),
            B::Dictionary => matches!(data, A::Dictionary(_)),
            B::Unit => matches!(data, A::Unit),
            B::Type => matches!(data, A::Type(_)),
            B::SymbolRef => matches!(data, A::SymbolRef { .. }),
            B::FlatSymbolRef => matches!(data, A::SymbolRef { nested, .. } if nested.is_empty()),
            B::DenseArray => matches!(data, A::DenseArray { .. }),
            B::DenseBoolArray => is_array_of_i(1),
            B::DenseI8Array => is_array_of_i(8),
            B::DenseI16Array => is_array_of_i(16),
            B::DenseI32Array => is_array_of_i(32),
            B::DenseI64Array => is_array_of_i(64),
            B::DenseF32Array => is_dense_array(|data| *data == TypeData::Float(FloatKind::F32)),
            B::DenseF64Array => is_dense_array(|data| *data == TypeData::Float(FloatKind::F64)),
            B::DenseElements => matches!(data, A::DenseElements { .. } | A::DenseStrings { .. }),
            B::DenseNumbers => matches!(data, A::DenseElements { .. }),
            B::DenseIntegers => elements(|data| matches!(data, TypeData::Integer { .. } | TypeData::Index)),
            B::DenseFloats => elements(|data| matches!(data, TypeData::Float(_))),
            B::DenseStrings => matches!(data, A::DenseStrings { .. }),
            B::DenseResource => matches!(data, A::DenseResource { .. }),
            B::Sparse => matches!(data, A::Sparse { .. }),
            B::Elements => matches!(
                data,
                A::DenseElements { .. } | A::DenseStrings { .. } | A::DenseResource { .. } | A::Sparse { .. }
            ),
            B::Typed => matches!(
                data,
                A::Integer { .. }
                    | A::Float { .. }
                    | A::String { .. }
                    | A::DenseElements { .. }
                    | A::DenseStrings { .. }
                    | A::DenseResource { .. }
                    | A::Sparse { .. }
            ),
            B::AffineMap => matches!(data, A::AffineMap(_)),
            B::IntegerSet => matches!(data, A::IntegerSet(_)),
            B::StridedLayout => matches!(data, A::StridedLayout { .. }),
            B::Location => data.is_location(),
            B::Distinct => matches!(data, A::Distinct { .. }),
        })
    }
}

fn builtin_is(data: &TypeData, class: Builtin) -> bool {
    use TypeData as T;
    let scalable = |data: &TypeData| matches!(data, T::Vector { scalable, .. } if scalable.contains(&true));
    match class {
        Builtin::Index => matches!(data, T::Index),
        Builtin::None => matches!(data, T::None),
        Builtin::Function => matches!(data, T::Function { .. }),
        Builtin::Tuple => matches!(data, T::Tuple(_)),
        Builtin::Complex => matches!(data, T::Complex(_)),
        Builtin::Vector => matches!(data, T::Vector { .. }),
        Builtin::FixedVector => matches!(data, T::Vector { .. }) && !scalable(data),
        Builtin::ScalableVector => scalable(data),
        Builtin::Tensor => matches!(data, T::RankedTensor { .. } | T::UnrankedTensor(_)),
        Builtin::RankedTensor => matches!(data, T::RankedTensor { .. }),
        Builtin::UnrankedTensor => matches!(data, T::UnrankedTensor(_)),
        Builtin::AnyMemRef => matches!(data, T::MemRef { .. } | T::UnrankedMemRef { .. }),
        Builtin::MemRef => matches!(data, T::MemRef { .. }),
        Builtin::UnrankedMemRef => matches!(data, T::UnrankedMemRef { .. }),
        Builtin::Shaped => data.is_shaped(),
        // The type of a graph has the text of a function's, which is all that bytecode has of it.
        Builtin::Graph => matches!(data, T::Function { .. }),
        Builtin::Opaque => false,
    }
}
