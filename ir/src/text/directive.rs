//! Directives of declarative formats that stand for code: `custom<Name>($operand, type($result))`.

use super::assembly::program::Program;
use super::parse::ValueName;
use super::parse::assembly::format::{State, give};
use super::parse::assembly::{OpState, directives as parse_directives};
use super::parse::module::OpParser;
use super::print::assembly::{NotCustom, OpPrinter, Printed, directives as print_directives, format as print_format};
use crate::attribute::Attribute;
use crate::body::{TypeRef, Value};
use crate::error::Result;
use crate::ods::Element;

/// What one `custom<Name>` of a dialect stands for.
#[derive(Clone, Copy)]
pub struct Directive {
    /// Whether what is next in the text can be what the directive prints: asked where it begins an optional group.
    pub starts: fn(&mut OpParser<'_>) -> bool,
    /// Prints it.
    pub print: fn(&mut OpPrinter<'_, '_>, DirectiveArguments<'_>) -> Printed,
    /// Parses it.
    pub parse: for<'a> fn(&mut OpParser<'a>, &mut OpState<'a>, &mut DirectiveState<'_, 'a>) -> Result<()>,
}

/// The arguments of a directive, by position.
#[derive(Clone, Copy)]
pub struct DirectiveArguments<'p> {
    pub(in crate::text) program: &'p Program,
    pub(in crate::text) arguments: &'p [Element],
}

impl DirectiveArguments<'_> {
    /// How many there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.arguments.len()
    }

    fn get(&self, position: usize) -> Printed<&Element> {
        self.arguments.get(position).ok_or(NotCustom::UseGeneric)
    }

    /// The value of the attribute that an argument names, where the operation has it.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn attribute(&self, printer: &OpPrinter<'_, '_>, position: usize) -> Printed<Option<Attribute>> {
        print_directives::attribute(printer, self.program, self.get(position)?)
    }

    /// The operands or results that an argument names, also within `type(...)`.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn values(&self, printer: &mut OpPrinter<'_, '_>, position: usize) -> Printed<Vec<Value>> {
        print_format::values(printer, self.get(position)?)
    }
}

/// The arguments of a directive, to be given what was parsed.
pub struct DirectiveState<'p, 'a> {
    pub(in crate::text) program: &'p Program,
    pub(in crate::text) arguments: &'p [Element],
    pub(in crate::text) state: &'p mut State<'a>,
}

impl<'a> DirectiveState<'_, 'a> {
    /// Sets the attribute that an argument names.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn set_attribute(
        &mut self,
        parser: &mut OpParser<'a>,
        op: &mut OpState<'a>,
        position: usize,
        value: Attribute,
    ) -> Result<()> {
        parse_directives::set(parser, op, self.program, self.arguments.get(position), value)
    }

    /// Sets the operands that an argument names.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn set_operands(
        &mut self,
        parser: &mut OpParser<'a>,
        position: usize,
        names: Vec<ValueName<'a>>,
    ) -> Result<()> {
        match parse_directives::operand(self.arguments.get(position)).and_then(|at| self.state.operands.get_mut(at)) {
            Some(operands) => {
                *operands = Some(names);
                Ok(())
            }
            None => Err(parse_directives::unknown(parser)),
        }
    }

    /// Sets the types of the operands or results that an argument names, as `type($result)` does.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn set_types(&mut self, parser: &mut OpParser<'a>, position: usize, types: Vec<TypeRef>) -> Result<()> {
        match self.arguments.get(position) {
            Some(argument) => give(parser, self.state, argument, types),
            None => Err(parse_directives::unknown(parser)),
        }
    }
}
