//! Matrices, which MLIR does not convert: arrays of their columns.

use mlirbc_dialects::llvm::ArrayType;
use mlirbc_ir::{OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Look, Rw, element, lanes};
use super::explicit::extract;
use super::math::{Math, at, several};

pub(super) fn add_to(set: Set) -> Set {
    let set = set
        .on("spirv.MatrixTimesVector", |rw, op, operands| {
            let columns = columns(rw, operands.get(0)?)?;
            let made = combined(rw, &columns, operands.get(1)?)?;
            Ok(rw.replace(op, [made])?)
        })
        .on("spirv.MatrixTimesMatrix", times_matrix)
        .on("spirv.MatrixTimesScalar", times_scalar)
        .on("spirv.VectorTimesMatrix", vector_times)
        .on("spirv.OuterProduct", outer_product)
        .on("spirv.Transpose", transposed);
    let set = several(set, "spirv.GL.Determinant", |rw, _, given| {
        let columns = columns(rw, at(given, 0)?)?;
        let all: Vec<u32> = (0..columns.len() as u32).collect();
        determinant(rw, &columns, &all)
    });
    several(set, "spirv.GL.MatrixInverse", |rw, ty, given| inverted(rw, ty, at(given, 0)?))
}

/// The columns of a matrix.
fn columns(rw: &mut Rw<'_, '_>, matrix: Value) -> Result<Vec<Value>, NoMatch> {
    let (ty, context) = (rw.ty(matrix)?, rw.context());
    let of = ArrayType::of(context, ty).ok_or(NoMatch::Reason("it is no matrix"))?;
    let (column, count) = (of.element(context), of.count(context).min(u32::MAX.into()) as u32);
    if count > 16 {
        return Err(NoMatch::Reason("a matrix has too many columns"));
    }
    (0..count).map(|number| Ok(extract(rw, matrix, number, column)?)).collect()
}

/// The sum of vectors, each times the element of its number.
fn combined(rw: &mut Rw<'_, '_>, vectors: &[Value], factors: Value) -> Result<Value, NoMatch> {
    let of = rw.ty(factors)?;
    let number = element(rw.context(), of);
    let mut sum = None;
    for (&vector, lane) in vectors.iter().zip(0..) {
        let ty = rw.ty(vector)?;
        let factor = extract(rw, factors, lane, number)?;
        let factor = rw.spread(ty, factor)?;
        let product = rw.emit("llvm.fmul", &[vector, factor], ty)?;
        sum = Some(match sum {
            None => product,
            Some(sum) => rw.emit("llvm.fadd", &[sum, product], ty)?,
        });
    }
    sum.ok_or(NoMatch::Reason("a matrix has no column"))
}

fn times_matrix(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let left = columns(rw, operands.get(0)?)?;
    let right = columns(rw, operands.get(1)?)?;
    let products: Result<Vec<Value>, NoMatch> = right.into_iter().map(|column| combined(rw, &left, column)).collect();
    let made = rw.put_together(ty, &products?)?;
    Ok(rw.replace(op, [made])?)
}

fn times_scalar(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let mut products = Vec::new();
    for column in columns(rw, operands.get(0)?)? {
        let of = rw.ty(column)?;
        let factor = rw.spread(of, operands.get(1)?)?;
        products.push(rw.emit("llvm.fmul", &[column, factor], of)?);
    }
    let made = rw.put_together(ty, &products)?;
    Ok(rw.replace(op, [made])?)
}

/// The rows of a matrix, as vectors of that type.
fn rows(rw: &mut Rw<'_, '_>, matrix: Value, ty: Type) -> Result<Vec<Value>, NoMatch> {
    let columns = columns(rw, matrix)?;
    let first = columns.first().ok_or(NoMatch::Reason("a matrix has no column"))?;
    let of = rw.ty(*first)?;
    let count = lanes(rw.context(), of).ok_or(NoMatch::Reason("a column is no vector"))?;
    let number = element(rw.context(), of);
    let mut rows = Vec::new();
    for row in 0..count as u32 {
        let parts: mlirbc_ir::Result<Vec<Value>> =
            columns.iter().map(|&column| extract(rw, column, row, number)).collect();
        rows.push(rw.put_together(ty, &parts?)?);
    }
    Ok(rows)
}

/// A vector times the columns: the sum of the rows, each times the element of its number.
fn vector_times(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let rows = rows(rw, operands.get(1)?, ty)?;
    let made = combined(rw, &rows, operands.get(0)?)?;
    Ok(rw.replace(op, [made])?)
}

fn outer_product(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (ty, column, row) = (rw.converted_result(op)?, operands.get(0)?, operands.get(1)?);
    let (of_column, of_row) = (rw.ty(column)?, rw.ty(row)?);
    let count = lanes(rw.context(), of_row).ok_or(NoMatch::Reason("it is no vector"))?;
    let number = element(rw.context(), of_row);
    let mut products = Vec::new();
    for lane in 0..count as u32 {
        let factor = extract(rw, row, lane, number)?;
        let factor = rw.spread(of_column, factor)?;
        products.push(rw.emit("llvm.fmul", &[column, factor], of_column)?);
    }
    let made = rw.put_together(ty, &products)?;
    Ok(rw.replace(op, [made])?)
}

fn transposed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (ty, context) = (rw.converted_result(op)?, rw.context());
    let column = ArrayType::of(context, ty).ok_or(NoMatch::Reason("it is no matrix"))?.element(context);
    let rows = rows(rw, operands.get(0)?, column)?;
    let made = rw.put_together(ty, &rows)?;
    Ok(rw.replace(op, [made])?)
}

/// The determinant of some columns in as many rows, by the elements of the first column.
fn determinant(rw: &mut Rw<'_, '_>, columns: &[Value], rows: &[u32]) -> Result<Value, NoMatch> {
    let (&first, others) = columns.split_first().ok_or(NoMatch::Reason("a matrix has no column"))?;
    if columns.len() > 4 || columns.len() != rows.len() {
        return Err(NoMatch::Reason("a matrix has not as many rows as columns, or too many"));
    }
    let mut sum = None;
    for (place, &row) in rows.iter().enumerate() {
        let mut term = rw.lane(first, row)?;
        if !others.is_empty() {
            let rest: Vec<u32> = rows.iter().copied().filter(|&other| other != row).collect();
            let minor = determinant(rw, others, &rest)?;
            term = rw.math("llvm.fmul", &[term, minor])?;
        }
        sum = Some(match sum {
            None => term,
            Some(sum) => rw.math(if place % 2 == 0 { "llvm.fadd" } else { "llvm.fsub" }, &[sum, term])?,
        });
    }
    sum.ok_or(NoMatch::Reason("a matrix has no row"))
}

/// The adjugate by the determinant: in column `c` and row `r`, the determinant without row `c` and column `r`, with its sign.
fn inverted(rw: &mut Rw<'_, '_>, ty: Type, matrix: Value) -> Result<Value, NoMatch> {
    let columns = columns(rw, matrix)?;
    let count = columns.len() as u32;
    let all: Vec<u32> = (0..count).collect();
    let whole = determinant(rw, &columns, &all)?;
    let of = rw.ty(*columns.first().ok_or(NoMatch::Reason("a matrix has no column"))?)?;
    let whole = rw.spread(of, whole)?;
    let mut made = Vec::new();
    for column in 0..count {
        let rows: Vec<u32> = (0..count).filter(|&row| row != column).collect();
        let mut parts = Vec::new();
        for row in 0..count {
            let others = columns.iter().zip(0..).filter(|&(_, number)| number != row).map(|(&column, _)| column);
            let minor = determinant(rw, &others.collect::<Vec<Value>>(), &rows)?;
            parts.push(if (row + column) % 2 == 0 { minor } else { rw.math("llvm.fneg", &[minor])? });
        }
        let adjugate = rw.put_together(of, &parts)?;
        made.push(rw.math("llvm.fdiv", &[adjugate, whole])?);
    }
    rw.put_together(ty, &made)
}
