//! Types of operands and results: printed, and compared with those that a parser would find.

use super::*;

impl<'m> OpPrinter<'_, 'm> {
    pub(super) fn type_ref(&self, value: Value) -> TypeRef {
        self.op.body().ty(value)
    }

    /// The type of a value.
    pub fn type_of(&self, value: Value) -> Printed<Type> {
        Ok(self.op.type_of(value)?)
    }

    /// The type that a reference of the operation's module stands for.
    ///
    /// # Errors
    /// Where it cannot be decoded.
    pub fn resolved(&self, ty: TypeRef) -> Printed<Type> {
        Ok(self.to.module.ty(ty)?)
    }

    /// What the type of a value is.
    pub fn type_data(&self, value: Value) -> Printed<&'m TypeData> {
        Ok(&self.context()[self.type_of(value)?])
    }

    /// Fails where the values have other types than these: text that shows the one does not say the other.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where they have.
    pub fn expect_types(&self, values: &[Value], types: &[TypeRef]) -> Printed {
        if values.len() != types.len() {
            return Err(NotCustom::UseGeneric);
        }
        for (&value, &ty) in values.iter().zip(types) {
            if self.type_ref(value) != ty && self.type_of(value)? != self.to.module.ty(ty)? {
                return Err(NotCustom::UseGeneric);
            }
        }
        Ok(())
    }

    /// The value has this type.
    pub fn expect_type(&self, value: Value, ty: Type) -> Printed {
        if self.type_of(value)? == ty { Ok(()) } else { Err(NotCustom::UseGeneric) }
    }

    /// The values have the same types as the others.
    pub fn expect_same_types(&self, values: &[Value], others: &[Value]) -> Printed {
        let types: Vec<TypeRef> = others.iter().map(|&other| self.type_ref(other)).collect();
        self.expect_types(values, &types)
    }

    /// Fails where a type is not `index`.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where one is not.
    pub fn expect_index(&self, types: &[TypeRef]) -> Printed {
        for &ty in types {
            if self.context()[self.to.module.ty(ty)?] != TypeData::Index {
                return Err(NotCustom::UseGeneric);
            }
        }
        Ok(())
    }

    /// Prints the type of a value.
    pub fn value_type(&mut self, value: Value) -> Printed {
        Ok(self.to.ty(self.type_ref(value))?)
    }

    /// Prints a type.
    pub fn ty(&mut self, ty: Type) -> Printed {
        Ok(self.to.ty(ty.into())?)
    }

    /// Prints the types of values with commas between.
    pub fn value_types(&mut self, values: &[Value]) -> Printed {
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            self.value_type(value)?;
        }
        Ok(())
    }

    /// ` %a, %b {attributes} : type`: the operands, all of which must be of that type.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where one is of another.
    pub fn operands_of_one_type(&mut self, ty: Type) -> Printed {
        let operands = self.op.operands();
        operands.iter().try_for_each(|&operand| self.expect_type(operand, ty))?;
        self.text(" ");
        self.values(operands);
        self.dictionary(&[])?;
        self.text(" : ");
        self.ty(ty)
    }

    /// `-> type` or `-> (type, type)`, without the arrow: a function type needs parentheses as well.
    pub fn arrow_types(&mut self, values: &[Value]) -> Printed {
        let wrap = match values {
            [one] => matches!(self.type_data(*one)?, TypeData::Function { .. }),
            _ => true,
        };
        if wrap {
            self.text("(");
        }
        self.value_types(values)?;
        if wrap {
            self.text(")");
        }
        Ok(())
    }

    /// ` -> type` of an optional list of types; nothing where there are none.
    pub fn optional_arrow(&mut self, values: &[Value]) -> Printed {
        if values.is_empty() {
            return Ok(());
        }
        self.text(" -> ");
        self.arrow_types(values)
    }

    /// The functional type of some operands and results.
    pub fn functional(&mut self, inputs: &[Value], results: &[Value]) -> Printed {
        self.text("(");
        self.value_types(inputs)?;
        self.text(") -> ");
        self.arrow_types(results)
    }
}
