//! `!gpu.mma_matrix<16x16xf16, "AOp">`: a matrix that the lanes of a subgroup hold together.

use mlirbc_ir::{Context, Parameter, Type};

use super::NAME;
use crate::common::values::Own;

/// The type's text.
pub(super) const MMA_MATRIX: Own = Own {
    mnemonic: "mma_matrix",
    holds: |_, parameters| parts(parameters).is_some(),
    print: |parameters, printer| {
        if let Some((shape, element, operand)) = parts(parameters) {
            let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
            printer.text("<").text(sizes).ty(element).text(", ").string(operand).text(">");
        }
    },
    parse: |parser| {
        if !parser.eat_next(b'<') {
            return None;
        }
        let shape = parser.shape().ok()??;
        let shape = shape.iter().map(|&size| Parameter::Signed(size)).collect();
        let element = parser.ty().ok()?;
        if !parser.eat(b',') {
            return None;
        }
        let operand = parser.string().ok()?;
        let parameters = [Parameter::List(shape), Parameter::Type(element), Parameter::String(operand.as_ref().into())];
        (parser.eat(b'>') && parts(&parameters).is_some()).then(|| parameters.into())
    },
};

fn parts(parameters: &[Parameter]) -> Option<(Vec<i64>, Type, &[u8])> {
    let [Parameter::List(shape), Parameter::Type(element), Parameter::String(operand)] = parameters else {
        return None;
    };
    let size = |size: &Parameter| match size {
        Parameter::Signed(size) => Some(*size),
        _ => None,
    };
    Some((shape.iter().map(size).collect::<Option<_>>()?, *element, operand))
}

/// A matrix that the lanes of a subgroup hold together (`gpu::MMAMatrixType` of MLIR).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaMatrix {
    /// The sizes of its dimensions.
    pub shape: Vec<i64>,
    /// The type of its elements.
    pub element: Type,
    /// Which operand of a product it is: `AOp`, `BOp` or `COp`.
    pub operand: String,
}

impl MmaMatrix {
    /// The matrix that a type is; `None` of other types.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let parameters = context.type_parameters(ty, NAME, MMA_MATRIX.mnemonic)?;
        let (shape, element, operand) = parts(parameters)?;
        Some(MmaMatrix { shape, element, operand: String::from_utf8_lossy(operand).into_owned() })
    }
}
