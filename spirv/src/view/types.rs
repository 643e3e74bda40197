//! Types as people write them.

use mlirbc_ir::Value;

use super::{ModuleView, Operand, OperandValue};

/// A type is cut off behind so many bytes: a small module can nest structures into a text of any length.
const LONGEST: usize = 400;

impl ModuleView<'_> {
    /// The type of a value: `ptr<Uniform, struct Block>`. `None` where it has none.
    pub fn type_of(&self, value: Value) -> Option<String> {
        Some(self.show_type(self.definition(value)?.result_type()?))
    }

    /// A type as people write it: `f32`, `vector<4 x f32>`, `ptr<Uniform, struct Block>`. Structures without a name show
    /// their members; what is longer than some 400 bytes ends in dots.
    pub fn show_type(&self, ty: Value) -> String {
        enum Part {
            Type(Value),
            Text(String),
        }
        let mut text = String::new();
        let mut parts = vec![Part::Type(ty)];
        while let Some(part) = parts.pop() {
            if text.len() > LONGEST {
                text.push_str("...");
                break;
            }
            let ty = match part {
                Part::Text(part) => {
                    text.push_str(&part);
                    continue;
                }
                Part::Type(ty) => ty,
            };
            let definition = self.definition(ty);
            let operands = definition.and_then(|definition| definition.operands().ok()).unwrap_or_default();
            let name = definition.map_or("", |definition| definition.name());
            let id = |at: usize| match operands.get(at).map(|operand| &operand.value) {
                Some(&OperandValue::Id(value)) => Some(value),
                _ => None,
            };
            let shown = |at: usize| operands.get(at).map(|operand| self.show(operand)).unwrap_or_default();
            let mut push = |open: String, inner: &[Option<Value>]| {
                parts.push(Part::Text(">".into()));
                for (at, inner) in inner.iter().enumerate().rev() {
                    if let Some(inner) = inner {
                        parts.push(Part::Type(*inner));
                    }
                    if at > 0 {
                        parts.push(Part::Text(", ".into()));
                    }
                }
                parts.push(Part::Text(open));
            };
            match name {
                "TypeVoid" => text.push_str("void"),
                "TypeBool" => text.push_str("bool"),
                "TypeInt" => text.push_str(&match shown(1).as_str() {
                    "0" => format!("u{}", shown(0)),
                    _ => format!("i{}", shown(0)),
                }),
                "TypeFloat" => text.push_str(&format!("f{}", shown(0))),
                "TypeVector" => push(format!("vector<{} x ", shown(1)), &[id(0)]),
                "TypeMatrix" => push(format!("matrix<{} x ", shown(1)), &[id(0)]),
                "TypeArray" => {
                    let length = id(1).map(|length| self.constant(length)).unwrap_or_default();
                    push(format!("array<{length} x "), &[id(0)]);
                }
                "TypeRuntimeArray" => push("array<".into(), &[id(0)]),
                "TypePointer" => push(format!("ptr<{}, ", shown(0)), &[id(1)]),
                "TypeSampledImage" => push("sampled<".into(), &[id(0)]),
                "TypeImage" => {
                    let rest: Vec<String> = (1..operands.len()).map(shown).collect();
                    parts.push(Part::Text(format!(", {}>", rest.join(", "))));
                    parts.extend(id(0).map(Part::Type));
                    parts.push(Part::Text("image<".into()));
                }
                "TypeStruct" => match self.name(ty) {
                    Some(_) => text.push_str(&format!("struct {}", self.show_value(ty))),
                    None => push("struct<".into(), &operands.iter().map(as_id).collect::<Vec<_>>()),
                },
                "TypeFunction" => push("function<".into(), &operands.iter().map(as_id).collect::<Vec<_>>()),
                _ => match name.strip_prefix("Type") {
                    Some(name) => {
                        text.push_str(name);
                        if !operands.is_empty() {
                            let all: Vec<String> = operands.iter().map(|operand| self.show(operand)).collect();
                            text.push_str(&format!("<{}>", all.join(", ")));
                        }
                    }
                    None => text.push_str(&self.show_value(ty)),
                },
            }
        }
        text
    }

    /// The number of an integer constant of one word; else how the value is shown.
    fn constant(&self, value: Value) -> String {
        let definition = self.definition(value).filter(|definition| definition.name() == "Constant");
        match definition.and_then(|definition| definition.operands().ok()).as_deref() {
            Some([Operand { value: OperandValue::Word(word), .. }]) => word.to_string(),
            _ => self.show_value(value),
        }
    }
}

fn as_id(operand: &Operand) -> Option<Value> {
    match operand.value {
        OperandValue::Id(value) => Some(value),
        _ => None,
    }
}
