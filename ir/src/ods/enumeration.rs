//! Enums of definitions as enums of Rust: [`enumeration!`](crate::enumeration) and
//! [`bit_enumeration!`](crate::bit_enumeration) make them.
//!
//! ```
//! use mlirbc_ir::ods::Enumeration;
//!
//! mlirbc_ir::enumeration! {
//!     /// How a thing is turned.
//!     Turn = "toy::Turn", 32; Left = 0 "left", Right = 1 "right",
//! }
//! mlirbc_ir::bit_enumeration! {
//!     /// What a thing is.
//!     Traits = "toy::Traits", 32, "|", true; NONE = 0 "none", LARGE = 1 "large", ROUND = 2 "round",
//! }
//!
//! assert_eq!(Turn::from_name("right"), Some(Turn::Right));
//! assert_eq!((Turn::Right.value(), Turn::from_value(7)), (1, None));
//! let both = Traits::LARGE | Traits::ROUND;
//! assert_eq!(both.text().as_deref(), Some("large|round"));
//! assert_eq!(Traits::from_text("round|large"), Some(both));
//! assert_eq!(Turn::NAME, "toy::Turn");
//! ```

use std::borrow::Cow;
use std::fmt::Debug;

use super::constraint::{EnumCase, EnumDef};

/// An enum of a definition. Of one whose cases are bits, a value is any combination of them.
pub trait Enumeration: Copy + Eq + Debug + 'static {
    /// Its name in definitions, with the namespace: `arith::CmpIPredicate`.
    const NAME: &'static str;

    /// Width in bits of the integer that stands for a case.
    const WIDTH: u32;

    /// Of an enum whose cases are bits, what text has between two.
    const SEPARATOR: Option<&'static str> = None;

    /// The cases, in order of definition.
    const CASES: &'static [Self];

    /// Its number.
    fn value(self) -> i64;

    /// What has that number. `None` where nothing has.
    fn from_value(value: i64) -> Option<Self>;

    /// How text shows it. `None` for bits that no text shows: none, where no case says that.
    fn text(self) -> Option<Cow<'static, str>>;

    /// What text shows so. `None` where it is something else.
    fn from_text(text: &str) -> Option<Self>;
}

/// An [`Enumeration`], to look up by name and by number where the type is not known.
#[derive(Clone, Copy, Debug)]
pub struct Enumerators {
    /// [`Enumeration::NAME`]
    pub name: &'static str,
    /// [`Enumeration::WIDTH`]
    pub width: u32,
    /// [`Enumeration::SEPARATOR`]
    pub separator: Option<&'static str>,
    /// The numbers of all cases, in order of definition.
    pub values: fn() -> Vec<i64>,
    /// The text of a number: [`Enumeration::from_value`] and [`Enumeration::text`].
    pub text_of: fn(i64) -> Option<Cow<'static, str>>,
    /// The number of a text: [`Enumeration::from_text`] and [`Enumeration::value`].
    pub value_of: fn(&str) -> Option<i64>,
}

impl Enumerators {
    /// Those of the enum.
    pub const fn of<E: Enumeration>() -> Self {
        Enumerators {
            name: E::NAME,
            width: E::WIDTH,
            separator: E::SEPARATOR,
            values: || E::CASES.iter().map(|case| case.value()).collect(),
            text_of: |value| E::from_value(value)?.text(),
            value_of: |text| Some(E::from_text(text)?.value()),
        }
    }
}

/// Cases that are bits, and how several of them are written.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a, C> {
    /// The cases, in order of definition.
    pub cases: &'a [C],
    /// What stands between two.
    pub separator: &'a str,
    /// Whether a group that is set as a whole is written in place of its bits.
    pub groups_first: bool,
}

/// A case that is a bit, or a group of bits that are cases themselves.
#[doc(hidden)]
pub trait BitCase {
    /// Number, text, and whether it is a group.
    fn parts(&self) -> (i64, &str, bool);
}

impl BitCase for (i64, &'static str, bool) {
    fn parts(&self) -> (i64, &str, bool) {
        *self
    }
}

impl BitCase for EnumCase {
    fn parts(&self) -> (i64, &str, bool) {
        (self.value, &self.text, self.group)
    }
}

impl<C: BitCase> Bits<'_, C> {
    /// Whether no bit of the number is in none of the cases.
    pub fn has(&self, value: i64) -> bool {
        value & !self.cases.iter().fold(0, |bits, case| bits | case.parts().0) == 0
    }

    /// The text of a number: of its case, or of the bits in it. `None` where it has none.
    pub fn text_of(&self, value: i64) -> Option<Cow<'_, str>> {
        if let Some((_, text, _)) = self.cases.iter().map(BitCase::parts).find(|case| case.0 == value) {
            return Some(text.into());
        }
        let is_early = |case: &(i64, &str, bool)| case.2 && self.groups_first;
        let (mut left, mut named, mut words) = (value, 0, Vec::new());
        // Groups that are defined later are larger, and go before the others.
        let groups = self.cases.iter().rev().map(BitCase::parts).filter(is_early);
        let others = self.cases.iter().map(BitCase::parts).filter(|case| !is_early(case));
        for case in groups.chain(others) {
            if case.0 != 0 && left & case.0 == case.0 {
                words.push(case.1);
                named |= case.0;
                if is_early(&case) {
                    left &= !case.0;
                }
            }
        }
        (named == value && !words.is_empty()).then(|| words.join(self.separator).into())
    }

    /// The number of a case, or of several with the separator between them.
    pub fn value_of(&self, text: &str) -> Option<i64> {
        let of = |text: &str| self.cases.iter().map(BitCase::parts).find(|case| case.1 == text).map(|case| case.0);
        if let Some(value) = of(text) {
            return Some(value);
        }
        let separator = self.separator.trim();
        if separator.is_empty() {
            return None;
        }
        text.split(separator).try_fold(0, |bits, part| Some(bits | of(part.trim())?))
    }
}

impl EnumDef {
    /// Its cases, where they are bits.
    fn combined(&self) -> Option<Bits<'_, EnumCase>> {
        let bits = self.bits.as_ref()?;
        Some(Bits { cases: &self.cases, separator: &bits.separator, groups_first: bits.groups_first })
    }

    /// The text of a value: of its case, or of the bits in it. `None` where it has none.
    pub fn text_of(&self, value: i64) -> Option<String> {
        match self.combined() {
            Some(bits) => bits.text_of(value).map(Cow::into_owned),
            None => self.case_of(value).map(|case| case.text.clone()),
        }
    }

    /// The number of a case, or of several bits, from their text.
    pub fn value_of(&self, text: &str) -> Option<i64> {
        match self.combined() {
            Some(bits) => bits.value_of(text),
            None => self.cases.iter().find(|case| case.text == text).map(|case| case.value),
        }
    }

    /// Whether an integer is a case, or a combination of bits that are cases.
    pub fn has_value(&self, value: i64) -> bool {
        match self.combined() {
            Some(bits) => bits.has(value),
            None => self.case_of(value).is_some(),
        }
    }
}

/// Makes an enum whose cases are those of a definition: its documentation, its name, its name in definitions and its width in bits,
/// then for each case its name, number and text. See [`ods::Enumeration`](crate::ods::Enumeration).
#[macro_export]
macro_rules! enumeration {
    ($(#[$meta:meta])* $name:ident = $full:literal, $width:literal; $($case:ident = $value:literal $text:literal,)+) => {
        $(#[$meta])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(i64)]
        pub enum $name {
            $(#[doc = ::std::concat!("`", $text, "`")] $case = $value,)+
        }

        impl $name {
            /// The cases, in order of definition.
            pub const ALL: &'static [Self] = &[$(Self::$case,)+];

            /// The number of each case, and how text shows it.
            pub const NAMES: &'static [(u64, &'static str)] = &[$((Self::$case as i64 as u64, $text),)+];

            /// Its number.
            pub const fn value(self) -> i64 {
                self as i64
            }

            /// The case of that number.
            pub fn from_value(value: i64) -> ::std::option::Option<Self> {
                Self::ALL.iter().copied().find(|case| case.value() == value)
            }

            /// How text shows it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $text,)+
                }
            }

            /// The case that text shows so.
            pub fn from_name(name: &str) -> ::std::option::Option<Self> {
                Self::ALL.iter().copied().find(|case| case.name() == name)
            }
        }

        impl $crate::ods::Enumeration for $name {
            const NAME: &'static str = $full;
            const WIDTH: u32 = $width;
            const CASES: &'static [Self] = Self::ALL;

            fn value(self) -> i64 {
                self.value()
            }

            fn from_value(value: i64) -> ::std::option::Option<Self> {
                Self::from_value(value)
            }

            fn text(self) -> ::std::option::Option<::std::borrow::Cow<'static, str>> {
                ::std::option::Option::Some(self.name().into())
            }

            fn from_text(text: &str) -> ::std::option::Option<Self> {
                Self::from_name(text)
            }
        }
    };
}

/// Makes a type whose values are combinations of the bits of a definition: its documentation, its name, its name in definitions, its width
/// in bits, what stands between two bits, and whether groups go first; then for each case its name, number, text, and `group` where it
/// is several bits that are cases themselves. See [`ods::Enumeration`](crate::ods::Enumeration).
#[macro_export]
macro_rules! bit_enumeration {
    (
        $(#[$meta:meta])* $name:ident = $full:literal, $width:literal, $separator:literal, $groups_first:literal;
        $($case:ident = $value:literal $text:literal $($group:ident)?,)+
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(i64);

        impl $name {
            $(#[doc = ::std::concat!("`", $text, "`")] pub const $case: Self = Self($value);)+

            /// The cases, in order of definition.
            pub const ALL: &'static [Self] = &[$(Self::$case,)+];

            /// The cases, and how several of them are written.
            pub const BITS: $crate::ods::Bits<'static, (i64, &'static str, bool)> = $crate::ods::Bits {
                cases: &[$(($value, $text, false $(|| $crate::bit_enumeration!(@ $group))?),)+],
                separator: $separator,
                groups_first: $groups_first,
            };

            /// Its number.
            pub const fn value(self) -> i64 {
                self.0
            }

            /// The combination of that number. `None` where a bit of it is in no case.
            pub fn from_value(value: i64) -> ::std::option::Option<Self> {
                Self::BITS.has(value).then_some(Self(value))
            }

            /// Whether all bits of the other are set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// How text shows it. `None` where it is no bit, and no case says that.
            pub fn text(self) -> ::std::option::Option<::std::borrow::Cow<'static, str>> {
                Self::BITS.text_of(self.0)
            }

            /// The combination that text shows so.
            pub fn from_text(text: &str) -> ::std::option::Option<Self> {
                Self::BITS.value_of(text).map(Self)
            }
        }

        impl ::std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl $crate::ods::Enumeration for $name {
            const NAME: &'static str = $full;
            const WIDTH: u32 = $width;
            const SEPARATOR: ::std::option::Option<&'static str> = ::std::option::Option::Some($separator);
            const CASES: &'static [Self] = Self::ALL;

            fn value(self) -> i64 {
                self.value()
            }

            fn from_value(value: i64) -> ::std::option::Option<Self> {
                Self::from_value(value)
            }

            fn text(self) -> ::std::option::Option<::std::borrow::Cow<'static, str>> {
                self.text()
            }

            fn from_text(text: &str) -> ::std::option::Option<Self> {
                Self::from_text(text)
            }
        }
    };
    (@ group) => {
        true
    };
}
