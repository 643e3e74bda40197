//! Functions, and what looks like one.

use super::{Continuation, OpState, Parsed};
use crate::parse::module::OpParser;
use crate::parse::regions::Argument;
use mlirbc_ir::{Attribute, AttributeData, Result, Type, TypeData, TypeRef};

/// `private`, `public` or `nested`, if one is next, which becomes `sym_visibility`.
pub fn visibility<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) {
    let word = parser.at.peek_word();
    if matches!(word, b"private" | b"public" | b"nested") {
        parser.at.word();
        let value = parser.context().string(word);
        parser.set(custom, "sym_visibility", value);
    }
}

/// `@name`, which becomes `sym_name`.
///
/// # Errors
/// Where no symbol is next.
pub fn name<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    let name = parser.at.symbol_name()?;
    parser.set(custom, "sym_name", name.attribute());
    Ok(())
}

/// The body, if one is next: the last that an operation's text says.
///
/// # Errors
/// Where there is one and the arguments have no names.
pub fn body<'a>(parser: &mut OpParser<'a>, signature: Signature<'a>) -> Parsed<'a> {
    if !parser.at.eat(b'{') {
        return Ok(Continuation::Done);
    }
    if signature.arguments.len() != signature.inputs.len() {
        return Err(parser.at.error("a function with a body must name its arguments"));
    }
    Ok(Continuation::Region(
        signature.arguments,
        Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done)),
    ))
}

/// What a function takes and gives.
#[derive(Default)]
pub struct Signature<'a> {
    /// The arguments, where they have names: as many as [`Signature::inputs`], or none.
    pub arguments: Vec<Argument<'a>>,
    /// The types of the arguments.
    pub inputs: Vec<Type>,
    /// A dictionary for each argument.
    pub input_attributes: Vec<Attribute>,
    /// The types of the results.
    pub results: Vec<Type>,
    /// A dictionary for each result.
    pub result_attributes: Vec<Attribute>,
    /// Whether `...` ends the arguments.
    pub variadic: bool,
}

impl<'a> Signature<'a> {
    /// `(%arg0: type {attributes} loc(...), ...) -> (type {attributes})`: MLIR's
    /// `call_interface_impl::parseFunctionSignature`.
    ///
    /// # Errors
    /// Where something else stands there, or some arguments have names and others none.
    pub fn parse(parser: &mut OpParser<'a>, may_be_variadic: bool) -> Result<Self> {
        let mut signature = Signature::default();
        parser.at.expect(b'(')?;
        if !parser.at.eat(b')') {
            loop {
                if may_be_variadic && parser.at.is_at(b'.') {
                    for _ in 0..3 {
                        parser.at.expect(b'.')?;
                    }
                    signature.variadic = true;
                    parser.at.expect(b')')?;
                    break;
                }
                signature.argument(parser)?;
                if parser.at.eat(b')') {
                    break;
                }
                parser.at.expect(b',')?;
            }
        }
        if parser.at.eat_arrow() {
            signature.result_list(parser)?;
        }
        Ok(signature)
    }

    /// Adds an argument: `%arg0: type {attributes} loc(...)`
    ///
    /// # Errors
    /// Where something else stands there, or some arguments have names and others none.
    pub fn argument(&mut self, parser: &mut OpParser<'a>) -> Result<()> {
        let name = if parser.at.is_at(b'%') { Some(parser.value_name()?) } else { None };
        if name.is_some() {
            parser.at.expect(b':')?;
        }
        if name.is_some() != (self.arguments.len() == self.inputs.len()) && !self.inputs.is_empty() {
            return Err(parser.at.error("either all arguments have names or none"));
        }
        let ty: TypeRef = parser.any_type()?;
        self.inputs.push(parser.resolved(ty)?);
        self.input_attributes.push(dictionary(parser)?);
        let location = parser.at.trailing_location()?;
        if let Some(name) = name {
            let location = match location {
                Some(location) => location,
                None => parser.location_of(name.at)?,
            };
            self.arguments.push((name, ty, location));
        }
        Ok(())
    }

    /// `type`, or `(type {attributes}, type)`
    fn result_list(&mut self, parser: &mut OpParser<'a>) -> Result<()> {
        let parens = parser.at.eat(b'(');
        if parens && parser.at.eat(b')') {
            return Ok(());
        }
        loop {
            let ty = if parens { parser.any_type()? } else { parser.ty()? };
            self.results.push(parser.resolved(ty)?);
            self.result_attributes.push(if parens { dictionary(parser)? } else { empty(parser) });
            if !parens || parser.at.eat(b')') {
                return Ok(());
            }
            parser.at.expect(b',')?;
        }
    }

    /// Gives the operation its function type, and the attributes of arguments and results.
    pub fn set(&self, parser: &mut OpParser<'a>, custom: &mut OpState<'a>) {
        let (inputs, results) = (self.inputs.clone().into(), self.results.clone().into());
        let ty = parser.context().ty(TypeData::Function { inputs, results });
        let ty = parser.context().attribute(AttributeData::Type(ty));
        parser.set(custom, "function_type", ty);
        self.set_attributes(parser, custom);
    }

    /// Gives the operation the attributes of arguments and results, as `arg_attrs` and `res_attrs`; nothing where all of
    /// them are empty.
    pub fn set_attributes(&self, parser: &mut OpParser<'a>, custom: &mut OpState<'a>) {
        self.set_argument_attributes(parser, custom, "arg_attrs");
        set_dictionaries(parser, custom, "res_attrs", &self.result_attributes);
    }

    /// Gives the operation the attributes of the arguments alone, by that name.
    pub fn set_argument_attributes(&self, parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str) {
        set_dictionaries(parser, custom, name, &self.input_attributes);
    }

    /// Whether an argument has attributes.
    pub fn has_argument_attributes(&self, parser: &OpParser<'a>) -> bool {
        let empty = empty(parser);
        self.input_attributes.iter().any(|&dictionary| dictionary != empty)
    }
}

/// Sets an array of dictionaries, unless all are empty.
fn set_dictionaries<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str, list: &[Attribute]) {
    let empty = empty(parser);
    if list.iter().any(|&dictionary| dictionary != empty) {
        let array = parser.context().attribute(AttributeData::Array(list.into()));
        parser.set(custom, name, array);
    }
}

fn empty(parser: &OpParser<'_>) -> Attribute {
    parser.context().attribute(AttributeData::Dictionary(Box::default()))
}

fn dictionary(parser: &mut OpParser<'_>) -> Result<Attribute> {
    if parser.at.is_at(b'{') { parser.at.attribute() } else { Ok(empty(parser)) }
}
