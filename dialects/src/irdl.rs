//! `irdl`: dialects defined as operations.

mod directives;
mod enums;

pub use enums::*;

use super::common::cases::Cases;
use super::common::values::{Own, Values};
use mlirbc_ir::{Dialect, Parameter};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "irdl";

/// How many values each name stands for: `#irdl<variadicity_array[ single,  optional]>`.
const VARIADICITIES: Own = Own {
    mnemonic: "variadicity_array",
    holds: |_, parameters| variadicities(parameters).is_some(),
    print: |parameters, printer| {
        // MLIR has a space before each.
        let words: Vec<String> =
            variadicities(parameters).into_iter().flatten().map(|case| format!(" {}", case.name())).collect();
        printer.text(format!("[{}]", words.join(", ")));
    },
    parse: |parser| {
        let mut cases = Vec::new();
        if !parser.eat_next(b'[') {
            return None;
        }
        while !parser.eat(b']') {
            if !cases.is_empty() && !parser.eat(b',') {
                return None;
            }
            let case = Variadicity::from_name(std::str::from_utf8(parser.word()).ok()?)?;
            cases.push(Parameter::Unsigned(case.value() as u64));
        }
        Some([Parameter::List(cases.into())].into())
    },
};

/// The cases of such an array.
fn variadicities(parameters: &[Parameter]) -> Option<Vec<Variadicity>> {
    let [Parameter::List(cases)] = parameters else { return None };
    let case = |case: &Parameter| match case {
        Parameter::Unsigned(number) => Variadicity::from_value(i64::try_from(*number).ok()?),
        _ => None,
    };
    cases.iter().map(case).collect()
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("irdl")
        .text(Values { own: &[VARIADICITIES], cases: Cases(enums::ENUM_ATTRIBUTES), ..Values::NONE })
        .directive("AttributesOp", directives::ATTRIBUTES)
        .directive("NamedValueList", directives::NAMED_LIST)
        .directive("NamedValueListWithVariadicity", directives::NAMED_LIST)
        .directive("SingleBlockRegion", directives::SINGLE_BLOCK)
}
