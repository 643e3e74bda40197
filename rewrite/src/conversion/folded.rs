//! Operations that patterns make and fold at once.

use std::rc::Rc;

use mlirbc_ir::{Attribute, OpId, OperationName, Result, Type, Value};

use super::driver::MOST_FOLDS;
use super::log::Change;
use super::rewriter::ConversionRewriter;
use crate::fold::{Folded, apply};
use crate::known::Known;

impl ConversionRewriter<'_, '_> {
    /// What an operation of that name and of one result gives: what it folds to, with a constant made where that is one, and else its
    /// result, in which case it is made (`OpBuilder::createOrFold` of MLIR). Operands are looked at as they are, and not as what they were
    /// before the conversion.
    ///
    /// # Errors
    /// Where the operation cannot be made, or not folded.
    pub fn build_or_fold(&mut self, name: &str, operands: &[Value], ty: Type) -> Result<Value> {
        self.log()?.deaf = true;
        let made = self.rw.build(name).operands(operands.iter().copied()).result_type(ty).create();
        self.log()?.deaf = false;
        let op = made?;
        let known = self.known(self.body().name(op));
        let mut folded = Folded::No;
        for _ in 0..MOST_FOLDS {
            let constants = self.constants_of(op);
            folded = apply::fold(self.rw, op, &known, &constants)?;
            if folded != Folded::InPlace {
                break;
            }
        }
        let start = self.change_count()?;
        if let Some(results) = apply::results(&folded) {
            match apply::constants(self.rw, op, &known, results)? {
                Ok(values) => {
                    self.rw.erase(op)?;
                    return values
                        .first()
                        .copied()
                        .ok_or_else(|| mlirbc_ir::Error::misuse("an operation folds to nothing"));
                }
                Err(_) => self.undo_to(start)?,
            }
        }
        self.note(Change::Created(op))?;
        self.result(op, 0)
    }

    /// What is known of operations of that name.
    pub(super) fn known(&mut self, name: OperationName) -> Rc<Known> {
        self.knowledge.of(self.rw.context(), name)
    }

    /// The constants that the operands of an operation are.
    pub(super) fn constants_of(&self, op: OpId) -> Vec<Option<Attribute>> {
        let body = self.body();
        let constant = |&operand: &Value| {
            // What cannot be read is no constant.
            mlirbc_ir::constant_value(self.op(body.defining_operation(operand)?)).ok().flatten()
        };
        body.operands(op).iter().map(constant).collect()
    }
}
