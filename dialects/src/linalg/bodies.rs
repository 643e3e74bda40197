//! The bodies of named operations, which text leaves out.

use super::{ElementwiseKind, NAME};
use crate::common::cases::case_of;
use mlirbc_ir::{Attribute, Context, Type, TypeData};
use mlirbc_text::ImpliedOp;

/// A body that is being made up.
struct Maker<'c> {
    context: &'c Context,
    types: Vec<Type>,
    ops: Vec<ImpliedOp>,
}

/// The operations of the body of the named operation whose block has arguments of these types, and what it yields. `None`
/// where that is not known.
pub(super) fn body(context: &Context, name: &str, arguments: &[Type]) -> Option<(Vec<ImpliedOp>, usize)> {
    let mut maker = Maker { context, types: arguments.to_vec(), ops: Vec::new() };
    let yielded = match (name, arguments.len()) {
        ("fill" | "copy", 2) => maker.cast(0, 1, true)?,
        ("exp" | "log" | "abs" | "ceil" | "floor" | "negf" | "round" | "sqrt" | "rsqrt" | "tanh" | "erf", 2) => {
            let op = match name {
                "exp" => "math.exp",
                "log" => "math.log",
                "abs" => "math.absf",
                "ceil" => "math.ceil",
                "floor" => "math.floor",
                "negf" => "arith.negf",
                "round" => "math.round",
                "sqrt" => "math.sqrt",
                "rsqrt" => "math.rsqrt",
                "tanh" => "math.tanh",
                _ => "math.erf",
            };
            maker.float(0)?;
            maker.push(op, &[0])
        }
        ("square", 2) => maker.multiply(0, 0)?,
        ("add", 3) => maker.add(0, 1)?,
        ("mul", 3) => maker.multiply(0, 1)?,
        ("sub", 3) => maker.binary(0, 1, "arith.subf", "arith.subi")?,
        ("div", 3) => maker.binary(0, 1, "arith.divf", "arith.divsi")?,
        ("div_unsigned", 3) => maker.binary(0, 1, "arith.divf", "arith.divui").filter(|_| maker.float(0).is_none())?,
        ("max", 3) => maker.binary(0, 1, "arith.maximumf", "arith.maxsi")?,
        ("min", 3) => maker.binary(0, 1, "arith.minimumf", "arith.minsi")?,
        ("max_unsigned", 3) => maker.binary(0, 1, "arith.maximumf", "arith.maxui")?,
        ("min_unsigned", 3) => maker.binary(0, 1, "arith.minimumf", "arith.minui")?,
        ("powf", 3) => {
            maker.float(0)?;
            maker.push("math.powf", &[0, 1])
        }
        ("select", 4) => {
            maker.types.push(arguments[1]);
            maker.ops.push(ImpliedOp::new("arith.select", [0, 1, 2], vec![arguments[1]]));
            maker.types.len() - 1
        }
        (_, 3) if name.starts_with("pooling_") => {
            let value = maker.cast(0, 2, !name.ends_with("_unsigned"))?;
            let kind = name.trim_end_matches("_unsigned").rsplit('_').next()?;
            match (kind, name.ends_with("_unsigned")) {
                ("sum", false) => maker.add(2, value)?,
                ("max", false) => maker.binary(2, value, "arith.maximumf", "arith.maxsi")?,
                ("min", false) => maker.binary(2, value, "arith.minimumf", "arith.minsi")?,
                ("max", true) => maker.binary(2, value, "arith.maximumf", "arith.maxui")?,
                ("min", true) => maker.binary(2, value, "arith.minimumf", "arith.minui")?,
                _ => return None,
            }
        }
        (_, 3) if is_contraction(name) => {
            let left = maker.cast(0, 2, true)?;
            let right = maker.cast(1, 2, true)?;
            let product = maker.multiply(left, right)?;
            maker.add(2, product)?
        }
        (_, 5) if name.starts_with("quantized_") || name.ends_with("_q") => {
            let left = maker.cast(0, 4, true)?;
            let zero = maker.cast(2, 4, true)?;
            let left = maker.binary(left, zero, "arith.subf", "arith.subi")?;
            let right = maker.cast(1, 4, true)?;
            let zero = maker.cast(3, 4, true)?;
            let right = maker.binary(right, zero, "arith.subf", "arith.subi")?;
            let product = maker.multiply(left, right)?;
            maker.add(4, product)?
        }
        _ => return None,
    };
    Some((maker.ops, yielded))
}

/// Whether the operation sums products of two things.
fn is_contraction(name: &str) -> bool {
    matches!(
        name,
        "matmul"
            | "matvec"
            | "vecmat"
            | "dot"
            | "batch_matmul"
            | "batch_matvec"
            | "batch_vecmat"
            | "batch_reduce_matmul"
            | "mmt4d"
            | "batch_mmt4d"
            | "contract"
    ) || name.starts_with("conv_")
        || name.starts_with("depthwise_conv_")
}

impl Maker<'_> {
    fn push(&mut self, name: &'static str, operands: &[usize]) -> usize {
        let ty = self.types[operands[0]];
        self.ops.push(ImpliedOp::new(name, operands, vec![ty]));
        self.types.push(ty);
        self.types.len() - 1
    }

    /// Whether the value is a float.
    fn float(&self, value: usize) -> Option<()> {
        matches!(self.context[self.types[value]], TypeData::Float(_)).then_some(())
    }

    fn binary(&mut self, left: usize, right: usize, float: &'static str, integer: &'static str) -> Option<usize> {
        let name = match self.context[self.types[left]] {
            TypeData::Float(_) => float,
            // Truth values have other operations.
            TypeData::Integer { width, .. } if width > 1 => integer,
            TypeData::Index => integer,
            _ => return None,
        };
        Some(self.push(name, &[left, right]))
    }

    fn add(&mut self, left: usize, right: usize) -> Option<usize> {
        match self.context[self.types[left]] {
            TypeData::Integer { width: 1, .. } => Some(self.push("arith.ori", &[left, right])),
            TypeData::Complex(_) => Some(self.push("complex.add", &[left, right])),
            _ => self.binary(left, right, "arith.addf", "arith.addi"),
        }
    }

    fn multiply(&mut self, left: usize, right: usize) -> Option<usize> {
        match self.context[self.types[left]] {
            TypeData::Integer { width: 1, .. } => Some(self.push("arith.andi", &[left, right])),
            TypeData::Complex(_) => Some(self.push("complex.mul", &[left, right])),
            _ => self.binary(left, right, "arith.mulf", "arith.muli"),
        }
    }

    /// The value as one of the type of another.
    fn cast(&mut self, value: usize, like: usize, signed: bool) -> Option<usize> {
        let (from, to) = (self.types[value], self.types[like]);
        if from == to {
            return Some(value);
        }
        let name = match (&self.context[from], &self.context[to]) {
            (TypeData::Integer { width: from, .. }, TypeData::Integer { width: to, .. }) => match (from < to, signed) {
                (true, true) => "arith.extsi",
                (true, false) => "arith.extui",
                (false, _) if from > to => "arith.trunci",
                _ => return None,
            },
            (TypeData::Float(from), TypeData::Float(to)) => match from.width().cmp(&to.width()) {
                std::cmp::Ordering::Less => "arith.extf",
                std::cmp::Ordering::Greater => "arith.truncf",
                std::cmp::Ordering::Equal => return None,
            },
            (TypeData::Integer { .. }, TypeData::Float(_)) if signed => "arith.sitofp",
            (TypeData::Integer { .. }, TypeData::Float(_)) => "arith.uitofp",
            (TypeData::Float(_), TypeData::Integer { .. }) if signed => "arith.fptosi",
            (TypeData::Float(_), TypeData::Integer { .. }) => "arith.fptoui",
            (TypeData::Index, TypeData::Integer { .. }) | (TypeData::Integer { .. }, TypeData::Index) => {
                if signed {
                    "arith.index_cast"
                } else {
                    "arith.index_castui"
                }
            }
            _ => return None,
        };
        self.ops.push(ImpliedOp::new(name, [value], vec![to]));
        self.types.push(to);
        Some(self.types.len() - 1)
    }
}

/// The name of the body that an elementwise operation of a kind, `#linalg.elementwise_kind<...>`, has.
pub(super) fn elementwise_body(context: &Context, kind: Attribute) -> Option<&'static str> {
    Some(match case_of(context, kind, NAME, "elementwise_kind")? {
        ElementwiseKind::MaxSigned => "max",
        ElementwiseKind::MinSigned => "min",
        kind => kind.name(),
    })
}
