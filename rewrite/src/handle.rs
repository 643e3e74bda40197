//! Typed handles: an operation whose name is known, with its operands by name.

use mlirbc_ir::OpId;

/// A handle of operations of one name: one word. [`handles!`](crate::handles) declares them.
pub trait Handle: Copy + Into<OpId> + Send + Sync + 'static {
    /// The name, such as `arith.addi`.
    const NAME: &'static str;

    /// The handle of an operation that has this name: of another one, its methods give what makes no sense or panic.
    fn new(op: OpId) -> Self;
}

/// Declares handles: the name of the operation, of the handle, and of its operands, each of which stands for one value.
///
/// ```
/// use mlirbc_rewrite::{Handle, handles};
///
/// handles! {
///     /// The sum of two numbers.
///     "toy.add" Add(left, right);
/// }
///
/// assert_eq!(Add::NAME, "toy.add");
/// ```
#[macro_export]
macro_rules! handles {
    ($($(#[$about:meta])* $name:literal $handle:ident($($operand:ident),*);)*) => {
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
                $crate::handles!(@operands 0usize, $($operand)*);

                /// The operation.
                pub fn id(self) -> $crate::ir::OpId {
                    self.0
                }
            }
        )*
    };
    (@operands $number:expr, $operand:ident $($rest:ident)*) => {
        #[doc = concat!("The operand `", stringify!($operand), "`.")]
        pub fn $operand(self, rw: &$crate::ir::Rewriter<'_>) -> $crate::ir::Value {
            rw.body().operands(self.0)[$number]
        }

        $crate::handles!(@operands $number + 1, $($rest)*);
    };
    (@operands $number:expr,) => {};
}
