//! Types that assembly leaves out.

use mlirbc_ir::Type;
use mlirbc_text::{OpPrinter, Printed};

/// Fails where the result of that position has another type than this one, which assembly implies.
pub(crate) fn expect_result_type(printer: &OpPrinter<'_, '_>, position: usize, implied: Type) -> Printed {
    printer.expect_type(printer.result(position)?, implied)
}
