//! Types that assembly leaves out.

use crate::text::{NotCustom, OpPrinter, Printed, print_type};

/// Fails where the result of that position has another type than this text says, which assembly implies.
pub(crate) fn expect_result_type(printer: &OpPrinter<'_, '_>, position: usize, implied: &str) -> Printed {
    let ty = printer.type_of(printer.result(position)?)?;
    if print_type(printer.context(), ty)? == implied { Ok(()) } else { Err(NotCustom::UseGeneric) }
}
