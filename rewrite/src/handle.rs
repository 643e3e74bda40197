//! Typed handles: an operation whose name is known, with its operands by name.

use mlirbc_ir::OpId;

/// A handle of operations of one name: one word. [`handles!`](crate::handles) declares them.
pub trait Handle: Copy + Into<OpId> + Send + Sync + 'static {
    /// The name, such as `arith.addi`.
    const NAME: &'static str;

    /// The handle of an operation that has this name: of another one, its methods give what makes no sense or panic.
    fn new(op: OpId) -> Self;
}

/// Declares handles: the name of the operation, of the handle, of its operands, and, in braces, of attributes.
///
/// Each operand stands for one value, but the last one for all that are left where `..` stands behind it. Of an operation with several
/// groups of operands, [`OpRef::operands_named`](crate::ir::OpRef::operands_named) gives those of one: `rw.op(op.id())` has all that
/// its definition tells.
///
/// ```
/// use mlirbc_ir::Rewriter;
/// use mlirbc_rewrite::{Handle, Match, Outcome, Pattern, handles};
///
/// handles! {
///     /// The sum of two numbers.
///     "toy.add" Add(left, right);
///     /// Paints a picture with pens.
///     "toy.paint" Paint(picture, pens..) {colour, size};
/// }
///
/// assert_eq!(Add::NAME, "toy.add");
///
/// /// Without pens nothing is painted.
/// struct NoPen;
///
/// impl Pattern for NoPen {
///     type Root = Paint;
///
///     fn rewrite(&self, op: Paint, rw: &mut Rewriter<'_>) -> Outcome {
///         match op.pens(rw).is_empty() && op.colour(rw)?.is_none() {
///             true => Ok(rw.replace(op, [op.picture(rw)])?),
///             false => rw.no_match("there are pens"),
///         }
///     }
/// }
/// ```
#[macro_export]
macro_rules! handles {
    ($($(#[$about:meta])* $name:literal $handle:ident($($operands:tt)*) $({$($attribute:ident),*})?;)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $handle($crate::ir::OpId);

            impl $crate::Handle for $handle {
                const NAME: &'static str = $name;

                fn new(op: $crate::ir::OpId) -> Self {
                    $handle(op)
                }
            }

            impl From<$handle> for $crate::ir::OpId {
                fn from(op: $handle) -> Self {
                    op.0
                }
            }

            impl $handle {
                $crate::handles!(@operands 0usize, $($operands)*);

                $($(
                    #[doc = concat!("The attribute `", stringify!($attribute), "`, where there is one.")]
                    ///
                    /// # Errors
                    /// Where it cannot be decoded.
                    pub fn $attribute(self, rw: &$crate::ir::Rewriter<'_>)
                        -> $crate::ir::Result<Option<$crate::ir::Attribute>>
                    {
                        rw.op(self.0).attribute(stringify!($attribute))
                    }
                )*)?

                /// The operation.
                pub fn id(self) -> $crate::ir::OpId {
                    self.0
                }
            }
        )*
    };
    (@operands $number:expr, $operand:ident..) => {
        #[doc = concat!("The operands `", stringify!($operand), "`.")]
        pub fn $operand<'r>(self, rw: &'r $crate::ir::Rewriter<'_>) -> &'r [$crate::ir::Value] {
            rw.body().operands(self.0).get($number..).unwrap_or_default()
        }
    };
    (@operands $number:expr, $operand:ident $(, $($rest:tt)*)?) => {
        #[doc = concat!("The operand `", stringify!($operand), "`.")]
        pub fn $operand(self, rw: &$crate::ir::Rewriter<'_>) -> $crate::ir::Value {
            rw.body().operands(self.0)[$number]
        }

        $crate::handles!(@operands $number + 1, $($($rest)*)?);
    };
    (@operands $number:expr,) => {};
}
