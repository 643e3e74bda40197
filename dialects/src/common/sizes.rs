//! Sizes with `x` between: `2x?x4`.

use mlirbc_ir::{DYNAMIC, Result};
use mlirbc_text::{NotCustom, OpParser, OpPrinter, Printed};

/// Prints sizes.
pub(crate) fn print(printer: &mut OpPrinter<'_, '_>, sizes: &[i64]) -> Printed {
    for (at, &size) in sizes.iter().enumerate() {
        if at > 0 {
            printer.text("x");
        }
        match size {
            DYNAMIC => printer.text("?"),
            0.. => printer.number(size),
            _ => return Err(NotCustom::UseGeneric),
        }
    }
    Ok(())
}

/// Parses sizes; there may be none.
pub(crate) fn parse(parser: &mut OpParser<'_>) -> Result<Vec<i64>> {
    let mut sizes = Vec::new();
    loop {
        if parser.text().eat(b'?') {
            sizes.push(DYNAMIC);
        } else {
            match parser.text().size()? {
                Some(size) => sizes.push(size),
                None if sizes.is_empty() => return Ok(sizes),
                None => return Err(parser.text().expected("a size behind `x`")),
            }
        }
        if !parser.text().eat_next(b'x') {
            return Ok(sizes);
        }
    }
}
