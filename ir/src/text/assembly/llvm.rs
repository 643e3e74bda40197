//! Function types of `llvm`, as text.

use crate::context::Context;
use crate::text::{parse_type, print_type};
use crate::types::Type;

/// What a function takes and gives.
pub(in crate::text) struct FunctionType {
    pub(in crate::text) inputs: Vec<Type>,
    /// Nothing where it is `void`.
    pub(in crate::text) result: Option<Type>,
    pub(in crate::text) variadic: bool,
}

/// A type as it stands inside another of `llvm`, where it needs no prefix.
fn inner_type(context: &Context, text: &str) -> Option<Type> {
    let short = parse_type(context, text.as_bytes()).ok();
    short.or_else(|| parse_type(context, format!("!llvm.{text}").as_bytes()).ok())
}

/// The parts of `!llvm.func<result (inputs, ...)>`.
pub(in crate::text) fn split(context: &Context, ty: Type) -> Option<FunctionType> {
    let text = print_type(context, ty).ok()?;
    let inner = text.strip_prefix("!llvm.func<")?.strip_suffix('>')?;
    let open = match inner.strip_suffix(')')? {
        body => {
            // The parenthesis that the last one closes.
            let mut depth = 1;
            body.bytes().enumerate().rev().find(|&(_, byte)| {
                match byte {
                    b')' => depth += 1,
                    b'(' => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?
            .0
        }
    };
    let (result, inputs) = (inner[..open].trim(), &inner[open + 1..inner.len() - 1]);
    let mut found = FunctionType { inputs: Vec::new(), result: None, variadic: false };
    if result != "void" {
        found.result = Some(inner_type(context, result)?);
    }
    for part in super::outer_parts(inputs).into_iter().filter(|part| !part.is_empty()) {
        if part == "..." {
            found.variadic = true;
        } else {
            found.inputs.push(inner_type(context, part)?);
        }
    }
    Some(found)
}

/// The function type of these parts.
pub(in crate::text) fn join(context: &Context, function: &FunctionType) -> Option<Type> {
    let short = |ty: Type| {
        let text = print_type(context, ty).ok()?;
        Some(text.strip_prefix("!llvm.").map_or(text.clone(), str::to_owned))
    };
    let result = match function.result {
        Some(ty) => short(ty)?,
        None => "void".to_owned(),
    };
    let mut inputs: Vec<String> = function.inputs.iter().map(|&ty| short(ty)).collect::<Option<_>>()?;
    if function.variadic {
        inputs.push("...".to_owned());
    }
    parse_type(context, format!("!llvm.func<{result} ({})>", inputs.join(", ")).as_bytes()).ok()
}
