//! Attributes as values of Rust.

use mlirbc_ir::{Attribute, Parameter, Type};

/// What a parameter is in Rust.
pub(crate) trait Held: Sized {
    /// As a parameter.
    fn into_parameter(self) -> Parameter;
    /// Of a parameter; `None` where it is another.
    fn of(parameter: &Parameter) -> Option<Self>;
}

macro_rules! held {
    ($($ty:ty: $held:pat => $value:expr, $from:expr;)*) => {$(
        impl Held for $ty {
            fn into_parameter(self) -> Parameter {
                $from(self)
            }

            fn of(parameter: &Parameter) -> Option<Self> {
                match parameter {
                    $held => $value,
                    _ => None,
                }
            }
        }
    )*};
}

held! {
    i64: Parameter::Signed(number) => Some(*number), Parameter::Signed;
    bool: Parameter::Bool(value) => Some(*value), Parameter::Bool;
    f64: Parameter::Double(bits) => Some(f64::from_bits(*bits)), |value: f64| Parameter::Double(value.to_bits());
    Type: Parameter::Type(ty) => Some(*ty), Parameter::Type;
    Attribute: Parameter::Attribute(attribute) => Some(*attribute), Parameter::Attribute;
    Vec<i64>: Parameter::List(items) => items.iter().map(i64::of).collect(), |numbers: Vec<i64>| {
        Parameter::List(numbers.into_iter().map(Parameter::Signed).collect())
    };
}

impl Held for Option<Attribute> {
    fn into_parameter(self) -> Parameter {
        self.map_or(Parameter::None, Parameter::Attribute)
    }

    fn of(parameter: &Parameter) -> Option<Self> {
        match parameter {
            Parameter::None => Some(None),
            Parameter::Attribute(attribute) => Some(Some(*attribute)),
            _ => None,
        }
    }
}

/// Attributes of a dialect as values of Rust: made and looked at by the names of their parameters.
macro_rules! values {
    ($dialect:literal; $($(#[$doc:meta])* $name:ident = $mnemonic:literal { $($(#[$of:meta])* $field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $($(#[$of])* pub $field: $ty,)*
        }

        impl $name {
            /// The attribute.
            pub fn attribute(self, context: &mlirbc_ir::Context) -> mlirbc_ir::Attribute {
                let parameters = [$($crate::stablehlo::views::Held::into_parameter(self.$field)),*];
                context.dialect_attribute($dialect, $mnemonic, parameters)
            }

            /// What an attribute says. `None` where it is another one.
            pub fn of(context: &mlirbc_ir::Context, attribute: mlirbc_ir::Attribute) -> Option<Self> {
                let parameters = context.attribute_parameters(attribute, $dialect, $mnemonic)?;
                let [$($field),*] = parameters else { return None };
                Some($name { $($field: $crate::stablehlo::views::Held::of($field)?),* })
            }
        }
    )*};
}

/// Enums of a dialect as Rust's, and the attributes that are a case of one.
macro_rules! enums {
    ($dialect:literal; $($(#[$doc:meta])* $name:ident = $mnemonic:literal { $($case:ident = $number:literal $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum $name {
            $($case = $number,)*
        }

        impl $name {
            /// The cases: the number, and what text calls it.
            pub(crate) const CASES: &'static [(u64, &'static str)] = &[$(($number, $text)),*];

            /// The attribute.
            pub fn attribute(self, context: &mlirbc_ir::Context) -> mlirbc_ir::Attribute {
                context.dialect_attribute($dialect, $mnemonic, [mlirbc_ir::Parameter::Unsigned(self as u64)])
            }

            /// The case that an attribute is. `None` where it is another one.
            pub fn of(context: &mlirbc_ir::Context, attribute: mlirbc_ir::Attribute) -> Option<Self> {
                match context.attribute_parameters(attribute, $dialect, $mnemonic)? {
                    [mlirbc_ir::Parameter::Unsigned(number)] => Self::from_number(*number),
                    _ => None,
                }
            }

            /// The case of that number.
            pub fn from_number(number: u64) -> Option<Self> {
                match number {
                    $($number => Some($name::$case),)*
                    _ => None,
                }
            }
        }
    )*};
}

pub(crate) use {enums, values};
