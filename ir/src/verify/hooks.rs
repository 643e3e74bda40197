//! What dialects can bring to the checks of operations. `dialect.rs` attaches it to them.

use crate::attribute::Attribute;
use crate::context::Context;
use crate::error::Result;
use crate::module::OpRef;
use crate::types::Type;

/// The verifier of a dialect: rules that no definition says. What is wrong is an error of
/// [`ErrorKind::Verification`](crate::ErrorKind::Verification).
pub trait DialectVerifier: Send + Sync {
    /// Checks an operation of the dialect that is as its definition says.
    ///
    /// # Errors
    /// The rule that is broken, or what could not be decoded.
    fn operation(&self, op: OpRef<'_>) -> Result<()> {
        let _ = op;
        Ok(())
    }

    /// What [`DialectVerifier::operation`] looks at, of operations of that name, without the dialect's: what need not be asked again is
    /// then asked once.
    fn looks_at(&self, operation: &str) -> LooksAt {
        let _ = operation;
        LooksAt::Anything
    }

    /// Whether [`DialectVerifier::operation`] looks at strings and references to symbols, too, where it [looks at](DialectVerifier::looks_at)
    /// attributes of operations of that name: if not, those that differ in these alone are asked once.
    fn looks_at_names(&self, operation: &str) -> bool {
        let _ = operation;
        true
    }

    /// Checks an operation with regions once all that it holds has been checked.
    ///
    /// # Errors
    /// In the same way.
    fn regions(&self, op: OpRef<'_>) -> Result<()> {
        let _ = op;
        Ok(())
    }

    /// Whether integers of one width count as one type, however their bits are read, where operations ask for equal types or for integers
    /// without a sign.
    fn mixes_signedness(&self) -> bool {
        false
    }

    /// Whether a type that a constraint of the dialect's definitions does not hold of is one of those that it stands for: the dialect may have
    /// types that the definitions do not know.
    fn takes(&self, context: &Context, constraint: &str, ty: Type) -> bool {
        let _ = (context, constraint, ty);
        false
    }

    /// Whether an operation of the dialect is a graph: where another one asks to stand inside of one.
    fn is_graph(&self, op: OpRef<'_>) -> bool {
        let _ = op;
        false
    }

    /// Checks a discardable attribute whose name begins with the dialect's, `dialect.name`, on an operation of any dialect.
    ///
    /// # Errors
    /// In the same way.
    fn attribute(&self, op: OpRef<'_>, name: &[u8], value: Attribute) -> Result<()> {
        let _ = (op, name, value);
        Ok(())
    }

    /// Checks the same of one on an argument or a result of a function of any dialect. By default what is right on an operation is right
    /// on an argument, and anything on a result.
    ///
    /// # Errors
    /// In the same way.
    fn function_attribute(&self, op: OpRef<'_>, of: FunctionPart, name: &[u8], value: Attribute) -> Result<()> {
        match of {
            FunctionPart::Argument(_) => self.attribute(op, name, value),
            FunctionPart::Result(_) => Ok(()),
        }
    }
}

/// What of a function has attributes of its own: by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionPart {
    /// An argument.
    Argument(usize),
    /// A result.
    Result(usize),
}

/// What a rule about an operation looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LooksAt {
    /// It says nothing.
    Nothing,
    /// The operation's attributes and properties, and the types of its operands and results: it says the same of all that have these.
    TypesAndAttributes,
    /// Anything.
    Anything,
}

/// A rule that an interface of MLIR brings to all operations that have it, and that single ones do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterfaceRule {
    /// Of `FunctionOpInterface`: the arguments of the first block are the inputs of the function type.
    FunctionArguments,
}

/// What [functions](crate::ods::CppClasses::function) of a dialect's own tell in C++: whether the one of that name holds of a type, `None` where it
/// is another dialect's or the answer is unknown: another dialect is asked then. Attached to the dialect with
/// [`Dialect::extension`](crate::Dialect::extension). Where no dialect that was met so far answers for a function or names it among its
/// [classes](crate::ods::CppClasses::function), all that the context knows are made, and asked.
#[derive(Clone, Copy, Debug)]
pub struct TypeTests(pub fn(&Context, Type, &str) -> Option<bool>);
