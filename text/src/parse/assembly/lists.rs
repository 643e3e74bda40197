//! What parsers of operations are put together from: operands, types, attributes, successors.

use super::{OpParser, OpState, attributes};
use crate::parse::names::ValueName;
use crate::parse::regions::Argument;
use crate::parse::texts::block_label;
use mlirbc_ir::ods::EnumDef;
use mlirbc_ir::{Attribute, AttributeData, Error, Result, Type, TypeRef};

impl<'a> OpParser<'a> {
    /// Takes the brace that opens a region.
    pub fn open_brace(&mut self) -> Result<()> {
        self.at.expect(b'{')
    }

    /// `%a, %b`; may be empty.
    pub fn operand_list(&mut self) -> Result<Vec<ValueName<'a>>> {
        let mut names = Vec::new();
        if self.at.is_at(b'%') {
            loop {
                names.push(self.operand_name()?);
                if !self.at.eat(b',') {
                    break;
                }
            }
        }
        Ok(names)
    }

    /// The same between these brackets.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn operand_list_in(&mut self, open: u8, close: u8) -> Result<Vec<ValueName<'a>>> {
        self.at.expect(open)?;
        let names = self.operand_list()?;
        self.at.expect(close)?;
        Ok(names)
    }

    /// Adds operands with their types.
    ///
    /// # Errors
    /// Where there are more or fewer types than operands. MLIR's `resolveOperands`.
    pub fn add_operands(
        &mut self,
        op: &mut OpState<'a>,
        names: Vec<ValueName<'a>>,
        types: impl IntoIterator<Item = TypeRef, IntoIter: ExactSizeIterator>,
    ) -> Result<()> {
        let types = types.into_iter();
        if names.len() != types.len() {
            return Err(self.at.error(format!("{} of {} operands", Error::counted(types.len(), "type"), names.len())));
        }
        for (name, ty) in names.into_iter().zip(types) {
            op.add(name, ty);
        }
        Ok(())
    }

    /// `%a, %b {attributes} : type`: operands that all have the one type, which is given back.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn operands_of_one_type(&mut self, op: &mut OpState<'a>) -> Result<TypeRef> {
        let names = self.operand_list()?;
        self.optional_dictionary(op)?;
        self.at.expect(b':')?;
        let ty = self.any_type()?;
        for name in names {
            op.add(name, ty);
        }
        Ok(ty)
    }

    /// An argument of a region whose location text does not give: that of its name.
    ///
    /// # Errors
    /// Where there are too many locations.
    pub fn argument(&mut self, name: ValueName<'a>, ty: TypeRef) -> Result<Argument<'a>> {
        let location = self.location_of(name.at)?;
        Ok((name, ty, location))
    }

    /// An argument of a region with the location that is next, `loc(...)`: where there is none, with that of its name.
    ///
    /// # Errors
    /// Where the location is wrong.
    pub fn located_argument(&mut self, name: ValueName<'a>, ty: TypeRef) -> Result<Argument<'a>> {
        match self.at.trailing_location()? {
            Some(location) => Ok((name, ty, location)),
            None => self.argument(name, ty),
        }
    }

    /// `%x: type loc(...)`: an argument of a region; where there is no location, with that of its name.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn typed_argument(&mut self) -> Result<Argument<'a>> {
        let name = self.value_name()?;
        self.at.expect(b':')?;
        let ty = self.any_type()?;
        self.located_argument(name, ty)
    }

    /// `(%x: type, %y: type)`: the arguments of a region, as [`region_arguments`](crate::OpPrinter::region_arguments) prints them.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn region_arguments(&mut self) -> Result<Vec<Argument<'a>>> {
        let mut arguments = Vec::new();
        self.at.expect(b'(')?;
        self.list(b')', |parser| {
            arguments.push(parser.typed_argument()?);
            Ok(())
        })?;
        Ok(arguments)
    }

    /// `type, type`; at least one.
    pub fn types(&mut self) -> Result<Vec<TypeRef>> {
        let mut types = Vec::new();
        loop {
            types.push(self.any_type()?);
            if !self.at.eat(b',') {
                return Ok(types);
            }
        }
    }

    /// `type`, or `(type, type)`
    pub fn arrow_types(&mut self) -> Result<Vec<TypeRef>> {
        if !self.at.eat(b'(') {
            return Ok(vec![self.ty()?]);
        }
        let mut types = Vec::new();
        if self.at.eat(b')') {
            return Ok(types);
        }
        types = self.types()?;
        self.at.expect(b')')?;
        Ok(types)
    }

    /// `-> type`, or `-> (type, type)`, or nothing.
    pub fn optional_arrow(&mut self) -> Result<Vec<TypeRef>> {
        if self.at.eat_arrow() { self.arrow_types() } else { Ok(Vec::new()) }
    }

    /// `(type, type) -> type`
    pub fn functional(&mut self) -> Result<(Vec<TypeRef>, Vec<TypeRef>)> {
        if !self.at.is_at(b'(') {
            return Err(self.at.expected("a function type"));
        }
        let inputs = self.arrow_types()?;
        if !self.at.eat_arrow() {
            return Err(self.at.expected("`->` and the types of the results"));
        }
        Ok((inputs, self.arrow_types()?))
    }

    /// A dictionary of attributes, if one is next.
    pub fn optional_dictionary(&mut self, custom: &mut OpState<'a>) -> Result<()> {
        if self.at.is_at(b'{') {
            let entries = self.at.nested_entries()?;
            custom.attributes.extend(entries);
        }
        Ok(())
    }

    /// The same behind the keyword `attributes`.
    pub fn keyword_dictionary(&mut self, custom: &mut OpState<'a>) -> Result<()> {
        if self.at.eat_word(b"attributes") {
            if !self.at.is_at(b'{') {
                return Err(self.at.expected("`{` behind `attributes`"));
            }
            self.optional_dictionary(custom)?;
        }
        Ok(())
    }

    /// Gives the operation an attribute.
    pub fn set(&mut self, custom: &mut OpState<'a>, name: impl AsRef<[u8]>, value: Attribute) {
        custom.attributes.push((self.context().identifier(name), value));
    }

    /// Sets the sizes of the segments of operands or results.
    pub fn set_segments(&mut self, custom: &mut OpState<'a>, name: &str, sizes: &[usize]) {
        let data: Vec<u8> = sizes.iter().flat_map(|&size| (size as i32).to_le_bytes()).collect();
        let element = self.context().integer_type(32);
        let value = self.context().attribute(AttributeData::DenseArray { element, data: data.into() });
        self.set(custom, name, value);
    }

    /// `^bb1`: a block that the operation goes on to. MLIR's `parseSuccessor`.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn successor_block(&mut self, op: &mut OpState<'a>) -> Result<()> {
        let start = self.at.here();
        let label = block_label(&mut self.at)?;
        let Some(made) = op.op else {
            op.successors.push((label, start));
            return Ok(());
        };
        // The operation has begun: behind a region of it.
        let successors = &mut self.frame().successors;
        match successors.last_mut() {
            Some((of, labels)) if *of == made => labels.push((label, start)),
            _ => successors.push((made, vec![(label, start)])),
        }
        Ok(())
    }

    /// `^bb1`, `^bb1(%a, %b : type, type)`: a block that the operation goes on to, and what it is given. MLIR's
    /// `parseSuccessorAndUseList`.
    ///
    /// # Errors
    /// Where something else stands there.
    #[allow(clippy::type_complexity)]
    pub fn successor(&mut self, custom: &mut OpState<'a>) -> Result<(Vec<ValueName<'a>>, Vec<TypeRef>)> {
        self.successor_block(custom)?;
        let (mut names, mut types) = (Vec::new(), Vec::new());
        if self.at.eat(b'(') {
            names = self.operand_list()?;
            if self.at.eat(b':') {
                types = self.types()?;
            }
            self.at.expect(b')')?;
        }
        Ok((names, types))
    }

    /// An attribute whose type text leaves out: `4` of an integer type.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn typed_attribute(&mut self, ty: Type) -> Result<Attribute> {
        self.at.typed_attribute(ty)
    }

    /// `[1, 2]` as the attribute `array<i64: 1, 2>`, of that element type.
    ///
    /// # Errors
    /// Where something else stands there, or a number does not fit.
    pub fn dense_array(&mut self, element: Type) -> Result<Attribute> {
        attributes::dense_array(self, element)
    }

    /// The type that a reference of the text stands for; all of them are of the context.
    pub fn resolved(&self, ty: TypeRef) -> Result<Type> {
        ty.in_context().ok_or_else(|| Error::misuse("a type of a text has no place in its context"))
    }

    /// The enum of that name, of a dialect of the context: `arith::AtomicRMWKind`.
    pub fn enumeration(&self, name: &str) -> Option<std::sync::Arc<EnumDef>> {
        self.checker.enumeration(name)
    }
}
