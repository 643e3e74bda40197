//! The floating-point formats of MLIR.

macro_rules! float_kinds {
    ($($name:ident $text:literal $width:literal,)*) => {
        /// A floating-point format of MLIR's builtin dialect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FloatKind { $(#[doc = concat!("`", $text, "`, ", stringify!($width), " bits.")] $name,)* }

        impl FloatKind {
            /// Every format.
            pub const ALL: &[FloatKind] = &[$(FloatKind::$name,)*];

            /// The keyword in text.
            pub fn keyword(self) -> &'static str {
                match self { $(FloatKind::$name => $text,)* }
            }

            /// Width of a value in bits.
            pub fn width(self) -> u32 {
                match self { $(FloatKind::$name => $width,)* }
            }
        }
    };
}

float_kinds! {
    BF16 "bf16" 16,
    F16 "f16" 16,
    F32 "f32" 32,
    F64 "f64" 64,
    F80 "f80" 80,
    F128 "f128" 128,
    TF32 "tf32" 19,
    F4E2M1FN "f4E2M1FN" 4,
    F6E2M3FN "f6E2M3FN" 6,
    F6E3M2FN "f6E3M2FN" 6,
    F8E3M4 "f8E3M4" 8,
    F8E4M3 "f8E4M3" 8,
    F8E4M3B11FNUZ "f8E4M3B11FNUZ" 8,
    F8E4M3FN "f8E4M3FN" 8,
    F8E4M3FNUZ "f8E4M3FNUZ" 8,
    F8E5M2 "f8E5M2" 8,
    F8E5M2FNUZ "f8E5M2FNUZ" 8,
    F8E8M0FNU "f8E8M0FNU" 8,
}
