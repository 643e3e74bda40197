//! The assembly of the dialect that its definitions leave to code.

mod calls;
mod symbols;
mod values;
mod words;

pub(super) use calls::{Bundles, bundles};
pub(super) use words::{LINKAGE, case, keyword};

use mlirbc_ir::Dialect;
use mlirbc_text::{CustomAssembly, DialectAssembly};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let compare = CustomAssembly { print: values::print_compare, parse: values::parse_compare };
    dialect
        .assembly("alloca", CustomAssembly { print: values::print_alloca, parse: values::parse_alloca })
        .assembly("call", CustomAssembly { print: calls::print_call, parse: calls::parse_call })
        .assembly(
            "call_intrinsic",
            CustomAssembly { print: calls::print_call_intrinsic, parse: calls::parse_call_intrinsic },
        )
        .assembly("fcmp", compare)
        .assembly("icmp", compare)
        .assembly("invoke", CustomAssembly { print: calls::print_invoke, parse: calls::parse_invoke })
        .assembly("landingpad", CustomAssembly { print: values::print_landingpad, parse: values::parse_landingpad })
        .assembly("func", CustomAssembly { print: symbols::print_func, parse: symbols::parse_func })
        .assembly("mlir.alias", CustomAssembly { print: symbols::print_alias, parse: symbols::parse_alias })
        .assembly("mlir.global", CustomAssembly { print: symbols::print_global, parse: symbols::parse_global })
}
