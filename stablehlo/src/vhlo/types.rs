//! Which types of other dialects those of `vhlo` stand for: one table, looked up both ways.

use mlirbc_ir::affine::AffineMap;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Attribute, AttributeData, Context, Parameter, Signedness, Type, TypeData};

use super::forms::{ATTRIBUTES, TYPES, code, code_of};
use super::{DIALECT, is_dialect};

/// How deep types may stand in each other. Deeper ones stand for none.
const MAX_DEPTH: u32 = 64;

/// The codes of integer types: all whose width they say.
const INTEGERS: [(usize, u32, Signedness); 13] = [
    (0, 1, Signedness::Signless),
    (31, 2, Signedness::Signless),
    (10, 4, Signedness::Signless),
    (11, 8, Signedness::Signless),
    (12, 16, Signedness::Signless),
    (13, 32, Signedness::Signless),
    (14, 64, Signedness::Signless),
    (32, 2, Signedness::Unsigned),
    (15, 4, Signedness::Unsigned),
    (16, 8, Signedness::Unsigned),
    (17, 16, Signedness::Unsigned),
    (18, 32, Signedness::Unsigned),
    (19, 64, Signedness::Unsigned),
];

/// The codes of floating-point types.
const FLOATS: [(usize, FloatKind); 16] = [
    (2, FloatKind::BF16),
    (3, FloatKind::F16),
    (4, FloatKind::F32),
    (5, FloatKind::F64),
    (6, FloatKind::F8E4M3FN),
    (7, FloatKind::F8E5M2),
    (27, FloatKind::F8E4M3FNUZ),
    (28, FloatKind::F8E5M2FNUZ),
    (29, FloatKind::F8E4M3B11FNUZ),
    (34, FloatKind::TF32),
    (35, FloatKind::F8E4M3),
    (36, FloatKind::F8E3M4),
    (37, FloatKind::F4E2M1FN),
    (38, FloatKind::F6E2M3FN),
    (39, FloatKind::F6E3M2FN),
    (40, FloatKind::F8E8M0FNU),
];

/// Types without parameters of other dialects.
const NAMED: [(usize, &str, &str); 2] = [(code::TOKEN, "stablehlo", "token"), (code::WITNESS, "shape", "witness")];

/// The type of `vhlo` with that code and these parameters, which are not checked.
pub(crate) fn make(context: &Context, code: usize, parameters: impl Into<Box<[Parameter]>>) -> Type {
    context.dialect_type(DIALECT, TYPES[code].mnemonic, parameters)
}

/// The attribute of `vhlo` with that code and these parameters, which are not checked.
pub(crate) fn make_attribute(
    context: &Context,
    code: usize,
    parameters: impl AsRef<[Parameter]> + Into<Box<[Parameter]>>,
) -> Attribute {
    context.dialect_attribute(DIALECT, ATTRIBUTES[code].mnemonic, parameters)
}

/// The code and the parameters of a type of `vhlo`.
pub(crate) fn parts(context: &Context, ty: Type) -> Option<(usize, &[Parameter])> {
    let TypeData::Dialect(value) = &context[ty] else { return None };
    is_dialect(context, value.dialect, DIALECT)
        .then(|| code_of(&TYPES, context.bytes(value.mnemonic)))?
        .map(|code| (code, &*value.parameters))
}

/// The code and the parameters of an attribute of `vhlo`.
pub(crate) fn attribute_parts(context: &Context, attribute: Attribute) -> Option<(usize, &[Parameter])> {
    let AttributeData::Dialect(value) = &context[attribute] else { return None };
    is_dialect(context, value.dialect, DIALECT)
        .then(|| code_of(&ATTRIBUTES, context.bytes(value.mnemonic)))?
        .map(|code| (code, &*value.parameters))
}

/// The type that a type of `vhlo` stands for, where it stands for one: of `builtin` most often.
pub fn to_builtin(context: &Context, ty: Type) -> Option<Type> {
    down(context, ty, 0)
}

/// The type of `vhlo` that stands for a type.
pub fn from_builtin(context: &Context, ty: Type) -> Option<Type> {
    up(context, ty, 0)
}

fn list(
    context: &Context,
    types: &Parameter,
    depth: u32,
    each: fn(&Context, Type, u32) -> Option<Type>,
) -> Option<Box<[Type]>> {
    let Parameter::List(types) = types else { return None };
    let one = |ty: &Parameter| match ty {
        Parameter::Type(ty) => each(context, *ty, depth),
        _ => None,
    };
    types.iter().map(one).collect()
}

/// Types as parameters.
pub(crate) fn type_list(types: impl IntoIterator<Item = Type>) -> Parameter {
    Parameter::List(types.into_iter().map(Parameter::Type).collect())
}

/// Numbers as parameters.
pub(crate) fn number_list(numbers: impl IntoIterator<Item = i64>) -> Parameter {
    Parameter::List(numbers.into_iter().map(Parameter::Signed).collect())
}

/// The numbers of a list of them.
pub(crate) fn numbers(parameter: &Parameter) -> Option<Box<[i64]>> {
    let Parameter::List(items) = parameter else { return None };
    items.iter().map(|item| if let Parameter::Signed(number) = item { Some(*number) } else { None }).collect()
}

fn down(context: &Context, ty: Type, depth: u32) -> Option<Type> {
    // What breaks a rule is none, inside of others, too.
    stands_for(context, ty, depth).filter(|&made| context[made].verify(context).is_ok())
}

fn stands_for(context: &Context, ty: Type, depth: u32) -> Option<Type> {
    let (code, parameters) = parts(context, ty)?;
    let depth = depth + 1;
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(&(_, width, signedness)) = INTEGERS.iter().find(|known| known.0 == code) {
        return Some(context.ty(TypeData::Integer { width, signedness }));
    }
    if let Some(&(_, kind)) = FLOATS.iter().find(|known| known.0 == code) {
        return Some(context.float_type(kind));
    }
    if let Some(&(_, dialect, mnemonic)) = NAMED.iter().find(|known| known.0 == code) {
        return Some(context.dialect_type(dialect, mnemonic, []));
    }
    Some(match (code, parameters) {
        (code::INDEX, _) => context.index_type(),
        (code::NONE, _) => context.none_type(),
        (code::COMPLEX, &[Parameter::Type(part)]) => context.ty(TypeData::Complex(down(context, part, depth)?)),
        (code::FUNCTION, [inputs, results]) => context.ty(TypeData::Function {
            inputs: list(context, inputs, depth, down)?,
            results: list(context, results, depth, down)?,
        }),
        (code::TENSOR, [encoding, shape, Parameter::Type(element)]) => {
            let encoding = match encoding {
                Parameter::Attribute(encoding) => Some(bounds_down(context, *encoding)?),
                _ => None,
            };
            let (shape, element) = (numbers(shape)?, down(context, *element, depth)?);
            context.ty(TypeData::RankedTensor { shape, element, encoding })
        }
        (code::TUPLE, [members]) => context.ty(TypeData::Tuple(list(context, members, depth, down)?)),
        (code::QUANTIZED | code::QUANTIZED_PER_AXIS, [flags, storage, expressed, rest @ ..]) => {
            let (&Parameter::Type(storage), &Parameter::Type(expressed)) = (storage, expressed) else { return None };
            let [storage, expressed] = [down(context, storage, depth)?, down(context, expressed, depth)?];
            let mut all = vec![flags.clone(), Parameter::Type(storage), Parameter::Type(expressed)];
            all.extend_from_slice(rest);
            context.dialect_type("quant", "uniform", all)
        }
        (code::UNRANKED, &[Parameter::Type(element)]) => {
            context.ty(TypeData::UnrankedTensor(down(context, element, depth)?))
        }
        (code::BUFFER, [shape, Parameter::Type(element)]) => {
            let (shape, element) = (numbers(shape)?, down(context, *element, depth)?);
            let layout = AffineMap::identity(u32::try_from(shape.len()).ok()?);
            let layout = context.attribute(AttributeData::AffineMap(layout));
            context.ty(TypeData::MemRef { shape, element, layout, space: None })
        }
        (code::FUTURE, [types]) => {
            context.dialect_type("stablehlo", "future", [type_list(list(context, types, depth, down)?)])
        }
        _ => return None,
    })
}

fn up(context: &Context, ty: Type, depth: u32) -> Option<Type> {
    let depth = depth + 1;
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match &context[ty] {
        TypeData::Integer { width, signedness } => {
            let known = INTEGERS.iter().find(|known| (known.1, known.2) == (*width, *signedness))?;
            make(context, known.0, [])
        }
        TypeData::Float(kind) => make(context, FLOATS.iter().find(|known| known.1 == *kind)?.0, []),
        TypeData::Index => make(context, code::INDEX, []),
        TypeData::None => make(context, code::NONE, []),
        TypeData::Complex(part) => make(context, code::COMPLEX, [Parameter::Type(up(context, *part, depth)?)]),
        TypeData::Function { inputs, results } => {
            let all = |types: &[Type]| -> Option<Parameter> {
                let types: Vec<Type> = types.iter().map(|&ty| up(context, ty, depth)).collect::<Option<_>>()?;
                Some(type_list(types))
            };
            make(context, code::FUNCTION, [all(inputs)?, all(results)?])
        }
        TypeData::RankedTensor { shape, element, encoding } => {
            let encoding = match encoding {
                Some(encoding) => Parameter::Attribute(bounds_up(context, *encoding)?),
                None => Parameter::None,
            };
            let element = Parameter::Type(up(context, *element, depth)?);
            make(context, code::TENSOR, [encoding, number_list(shape.iter().copied()), element])
        }
        TypeData::Tuple(members) => {
            let members: Vec<Type> = members.iter().map(|&ty| up(context, ty, depth)).collect::<Option<_>>()?;
            make(context, code::TUPLE, [type_list(members)])
        }
        TypeData::UnrankedTensor(element) => {
            make(context, code::UNRANKED, [Parameter::Type(up(context, *element, depth)?)])
        }
        TypeData::MemRef { shape, element, .. } => {
            let element = Parameter::Type(up(context, *element, depth)?);
            make(context, code::BUFFER, [number_list(shape.iter().copied()), element])
        }
        TypeData::Dialect(value) => {
            let is = |dialect, mnemonic| value.is(context, dialect, mnemonic);
            if let Some(&(code, ..)) = NAMED.iter().find(|known| is(known.1, known.2)) {
                return Some(make(context, code, []));
            }
            match &*value.parameters {
                [types] if is("stablehlo", "future") => {
                    make(context, code::FUTURE, [type_list(list(context, types, depth, up)?)])
                }
                [flags, Parameter::Type(storage), Parameter::Type(expressed), rest @ ..] if is("quant", "uniform") => {
                    let code = match rest {
                        [Parameter::Double(_), ..] => code::QUANTIZED,
                        [Parameter::Unsigned(_), ..] => code::QUANTIZED_PER_AXIS,
                        _ => return None,
                    };
                    let [storage, expressed] = [up(context, *storage, depth)?, up(context, *expressed, depth)?];
                    let mut all = vec![flags.clone(), Parameter::Type(storage), Parameter::Type(expressed)];
                    all.extend_from_slice(rest);
                    make(context, code, all)
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// The code of the bounds of a tensor.
const BOUNDS: usize = 18;

fn bounds_down(context: &Context, encoding: Attribute) -> Option<Attribute> {
    let (BOUNDS, [bounds]) = attribute_parts(context, encoding)? else { return None };
    Some(context.dialect_attribute("stablehlo", "bounds", [bounds.clone()]))
}

fn bounds_up(context: &Context, encoding: Attribute) -> Option<Attribute> {
    match context.attribute_parameters(encoding, "stablehlo", "bounds")? {
        [bounds] => Some(make_attribute(context, BOUNDS, [bounds.clone()])),
        _ => None,
    }
}
