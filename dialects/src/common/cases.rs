//! Attributes that are one case of an enum.

use mlirbc_ir::ods::{Enumeration, Enumerators};

/// What stands around the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Brackets {
    /// Nothing: `#gpu<dim x>`.
    None,
    /// `#arith.fastmath<fast>`
    Angle,
    /// `#omp<clause_depend(dependsource)>`
    Round,
}

/// An attribute of a dialect that is one case of an enum and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnumAttribute {
    /// Its mnemonic.
    pub(crate) mnemonic: &'static str,
    /// The enum.
    pub(crate) cases: Enumerators,
    /// What stands around the case.
    #[allow(dead_code)]
    pub(crate) brackets: Brackets,
}

impl EnumAttribute {
    /// That of the enum.
    pub(crate) const fn of<E: Enumeration>(mnemonic: &'static str, brackets: Brackets) -> Self {
        EnumAttribute { mnemonic, cases: Enumerators::of::<E>(), brackets }
    }
}

/// Lists enums, and the attributes that are a case of one: by enum, what stands around the case, and mnemonic.
macro_rules! listed {
    ($($name:ident,)* ; $($of:ident in $brackets:ident of $mnemonic:literal,)*) => {
        /// The enums of the dialect.
        pub(crate) const ENUMERATIONS: &[mlirbc_ir::ods::Enumerators] =
            &[$(mlirbc_ir::ods::Enumerators::of::<$name>(),)*];

        /// The attributes of the dialect that are a case of one and nothing else.
        pub(crate) const ENUM_ATTRIBUTES: &[$crate::common::cases::EnumAttribute] = &[
            $($crate::common::cases::EnumAttribute::of::<$of>($mnemonic, $crate::common::cases::Brackets::$brackets),)*
        ];
    };
}

pub(crate) use listed;
