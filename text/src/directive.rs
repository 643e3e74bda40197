//! Directives of declarative formats that stand for code: `custom<Name>($operand, type($result))`.

use std::ops::Range;
use std::rc::Rc;

use super::format::program::Program;
use super::parse::ValueName;
use super::parse::assembly::format::{State, set_types, step_on};
use super::parse::assembly::{OpState, Parsed};
use super::parse::module::OpParser;
use super::print::assembly::{NotCustom, OpPrinter, Printed, format as print_format};
use mlirbc_ir::ods::{Element, Multiplicity};
use mlirbc_ir::{Attribute, Error, Result, Type, TypeRef, Value};

/// Prints a directive.
pub type PrintDirectiveFn = fn(&mut OpPrinter<'_, '_>, DirectiveArguments<'_>) -> Printed;

/// Parses a directive.
pub type ParseDirectiveFn = for<'a> fn(&mut OpParser<'a>, &mut OpState<'a>, &mut DirectiveState<'_, 'a>) -> Result<()>;

/// Parses a directive that shows regions, and goes on behind it: see [`OpenDirective::finish`].
pub type ParseRegionsFn = for<'a> fn(&mut OpParser<'a>, &mut OpState<'a>, OpenDirective<'a>) -> Parsed<'a>;

#[derive(Clone, Copy)]
pub(super) enum ParseWith {
    State(ParseDirectiveFn),
    Regions(ParseRegionsFn),
}

/// What one `custom<Name>` of a dialect stands for.
#[derive(Clone, Copy)]
pub struct Directive {
    pub(super) starts: fn(&mut OpParser<'_>) -> bool,
    pub(super) print: PrintDirectiveFn,
    pub(super) parse: ParseWith,
}

impl Directive {
    /// A directive that is printed and parsed in this way.
    pub const fn new(print: PrintDirectiveFn, parse: ParseDirectiveFn) -> Self {
        Directive { starts: |_| false, print, parse: ParseWith::State(parse) }
    }

    /// A directive that shows regions.
    pub const fn with_regions(print: PrintDirectiveFn, parse: ParseRegionsFn) -> Self {
        Directive { starts: |_| false, print, parse: ParseWith::Regions(parse) }
    }

    /// Sets what tells whether the text that is next can be the directive's: asked where it begins an optional group.
    /// Without that such a group is never read.
    #[must_use]
    pub const fn starts(self, starts: fn(&mut OpParser<'_>) -> bool) -> Self {
        Directive { starts, ..self }
    }
}

/// The arguments of a directive, by position.
#[derive(Clone, Copy)]
pub struct DirectiveArguments<'p> {
    pub(crate) program: &'p Program,
    pub(crate) arguments: &'p [Element],
}

impl<'p> DirectiveArguments<'p> {
    /// How many there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.arguments.len()
    }

    fn get(&self, position: usize) -> Printed<&'p Element> {
        self.arguments.get(position).ok_or(NotCustom::UseGeneric)
    }

    /// The value of the attribute that an argument names, where the operation has it.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn attribute(&self, printer: &OpPrinter<'_, '_>, position: usize) -> Printed<Option<Attribute>> {
        let name = attribute_name(self.program, self.get(position)?).ok_or(NotCustom::UseGeneric)?;
        Ok(printer.get(name))
    }

    /// The value of the attribute that an argument names.
    ///
    /// # Errors
    /// Where the argument names none, or the operation does not have it.
    pub fn required(&self, printer: &OpPrinter<'_, '_>, position: usize) -> Printed<Attribute> {
        self.attribute(printer, position)?.ok_or(NotCustom::UseGeneric)
    }

    /// The integers in the attribute that an argument names. `None` where the operation does not have it.
    ///
    /// # Errors
    /// Where the argument names none, or what it names is no array of integers.
    pub fn integers(&self, printer: &OpPrinter<'_, '_>, position: usize) -> Printed<Option<Vec<i64>>> {
        let Some(numbers) = self.attribute(printer, position)? else { return Ok(None) };
        mlirbc_ir::text::integers(printer.context(), numbers).map(Some).ok_or(NotCustom::UseGeneric)
    }

    /// The type in the attribute that an argument names.
    ///
    /// # Errors
    /// Where the argument names none, or the operation has no type there.
    pub fn ty(&self, printer: &OpPrinter<'_, '_>, position: usize) -> Printed<Type> {
        printer.type_in(self.required(printer, position)?)
    }

    /// The operands or results that an argument names, also within `type(...)`.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn values(&self, printer: &mut OpPrinter<'_, '_>, position: usize) -> Printed<Vec<Value>> {
        print_format::values(printer, self.get(position)?)
    }

    /// The one operand or result that an argument names.
    ///
    /// # Errors
    /// Where there is none, or more than one.
    pub fn value(&self, printer: &mut OpPrinter<'_, '_>, position: usize) -> Printed<Value> {
        match self.values(printer, position)?[..] {
            [value] => Ok(value),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// The numbers of the regions that an argument names.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn regions(&self, printer: &OpPrinter<'_, '_>, position: usize) -> Printed<Range<usize>> {
        match self.get(position)? {
            Element::Region(at) => Ok(print_format::regions_of(printer, self.program, *at as usize)),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// Whether an argument is `type(...)`.
    pub fn is_type(&self, position: usize) -> bool {
        matches!(self.arguments.get(position), Some(Element::Type(_)))
    }

    /// Whether an argument names an attribute.
    pub fn is_attribute(&self, position: usize) -> bool {
        self.arguments.get(position).is_some_and(|argument| attribute_name(self.program, argument).is_some())
    }

    /// The text of an argument that is a literal.
    pub fn literal(&self, position: usize) -> Option<&'p str> {
        match self.arguments.get(position) {
            Some(Element::Text(text)) => Some(text),
            _ => None,
        }
    }
}

fn attribute_name<'p>(program: &'p Program, argument: &Element) -> Option<&'p str> {
    match argument {
        Element::Attribute(at) => Some(&program.details.attributes[*at as usize].name),
        Element::Ref(of) | Element::Qualified(of) => attribute_name(program, of),
        _ => None,
    }
}

/// The operand that an argument stands for, also within `ref(type(...))`.
fn operand(argument: Option<&Element>) -> Option<usize> {
    match argument? {
        Element::Operand(at) => Some(*at as usize),
        Element::Ref(of) | Element::Type(of) | Element::Qualified(of) => operand(Some(of)),
        _ => None,
    }
}

/// The arguments of a directive, to be given what was parsed.
pub struct DirectiveState<'p, 'a> {
    pub(crate) program: &'p Program,
    pub(crate) arguments: &'p [Element],
    pub(crate) state: &'p mut State<'a>,
}

impl<'p, 'a> DirectiveState<'p, 'a> {
    /// The arguments as printing sees them.
    pub fn arguments(&self) -> DirectiveArguments<'p> {
        DirectiveArguments { program: self.program, arguments: self.arguments }
    }

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
        let name = self.arguments.get(position).and_then(|argument| attribute_name(self.program, argument));
        match name {
            Some(name) => {
                parser.set(op, name, value);
                Ok(())
            }
            None => Err(unreadable(parser)),
        }
    }

    fn operand(&mut self, parser: &mut OpParser<'a>, position: usize) -> Result<usize> {
        operand(self.arguments.get(position)).ok_or_else(|| unreadable(parser))
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
        let at = self.operand(parser, position)?;
        self.state.operands[at] = Some(names);
        Ok(())
    }

    /// How many operands were parsed of those that an argument names.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn operand_count(&mut self, parser: &mut OpParser<'a>, position: usize) -> Result<usize> {
        let at = self.operand(parser, position)?;
        Ok(self.state.operands[at].as_ref().map_or(0, Vec::len))
    }

    /// Says that so many of the operands that an argument names are a group of their own.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn add_group(&mut self, parser: &mut OpParser<'a>, position: usize, size: usize) -> Result<()> {
        let at = self.operand(parser, position)?;
        self.state.groups[at].push(size);
        Ok(())
    }

    /// Sets the types of the operands or results that an argument names, as `type($result)` does.
    ///
    /// # Errors
    /// Where the argument names none.
    pub fn set_types(&mut self, parser: &mut OpParser<'a>, position: usize, types: Vec<TypeRef>) -> Result<()> {
        match self.arguments.get(position) {
            Some(argument) => set_types(parser, self.state, argument, types),
            None => Err(unreadable(parser)),
        }
    }

    /// The types that were parsed of the operands that an argument names. `None` where none were yet.
    ///
    /// # Errors
    /// Where the argument names no operands.
    pub fn types(&mut self, parser: &mut OpParser<'a>, position: usize) -> Result<Option<&[TypeRef]>> {
        let at = self.operand(parser, position)?;
        Ok(self.state.operand_types[at].as_deref())
    }

    /// Whether an argument names results of which there always is one.
    pub fn is_one_result(&self, position: usize) -> bool {
        let mut argument = self.arguments.get(position);
        while let Some(Element::Type(of) | Element::Ref(of) | Element::Qualified(of)) = argument {
            argument = Some(of);
        }
        match argument {
            Some(Element::Result(at)) => self.program.details.results[*at as usize].multiplicity == Multiplicity::One,
            _ => false,
        }
    }
}

/// A directive with regions that is being parsed.
pub struct OpenDirective<'a> {
    pub(crate) program: Rc<Program>,
    pub(crate) state: State<'a>,
}

impl<'a> OpenDirective<'a> {
    /// Its arguments.
    pub fn state(&mut self) -> DirectiveState<'_, 'a> {
        let arguments = self.state.directive(&self.program).1;
        DirectiveState { program: &self.program, arguments, state: &mut self.state }
    }

    /// Says that the next region of the operation is one that this argument names.
    ///
    /// # Errors
    /// Where the argument names no regions.
    pub fn add_region(&mut self, parser: &mut OpParser<'a>, position: usize) -> Result<()> {
        match self.state.directive(&self.program).1.get(position) {
            Some(Element::Region(number)) => {
                self.state.regions.push(*number);
                Ok(())
            }
            _ => Err(unreadable(parser)),
        }
    }

    /// Goes on with the format behind the directive.
    ///
    /// # Errors
    /// Those of what follows.
    pub fn finish(self, parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
        step_on(parser, op, self.program, self.state)
    }
}

fn unreadable(parser: &mut OpParser<'_>) -> Error {
    parser.text().error("this directive cannot be read")
}
