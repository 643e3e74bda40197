//! Which operations have a form of their own, written by hand, since their definitions say only that they have one.
//!
//! Printer and parser stand side by side, so that no operation has one without the other.

use crate::text::hooks::CustomAssembly;
use crate::text::{parse, print};

/// The twins of one name in a module of printers and one of parsers; of several, that of the operation's name.
macro_rules! form {
    ($module:ident, $form:ident) => {
        Some(CustomAssembly { print: print::assembly::$module::$form, parse: parse::assembly::$module::$form })
    };
    ($module:ident, $name:ident, { $($($operation:literal)|+ => $form:ident,)* }) => {
        match $name {
            $($($operation)|+ => form!($module, $form),)*
            _ => None,
        }
    };
}

/// The form of the operation of that name.
pub(in crate::text) fn find(name: &str) -> Option<CustomAssembly> {
    let (dialect, rest) = name.split_once('.')?;
    match dialect {
        "llvm" => llvm(rest),
        _ => None,
    }
}

fn llvm(name: &str) -> Option<CustomAssembly> {
    form!(llvm, name, {
        "alloca" => alloca,
        "call" => call,
        "call_intrinsic" => call_intrinsic,
        "icmp" | "fcmp" => compare,
        "invoke" => invoke,
        "landingpad" => landingpad,
        "func" => func,
        "mlir.alias" => alias,
        "mlir.global" => global,
    })
}
