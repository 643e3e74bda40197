//! Operations in custom assembly.
//!
//! What an operation is made of is gathered in a [`OpState`]. Where a region comes, the parser of the operation gives
//! back how it goes on behind it: nesting costs no call stack.

pub(crate) mod attributes;
pub(crate) mod format;
pub(crate) mod function;
pub(crate) mod implied;
mod lists;

use std::rc::Rc;
use std::sync::Arc;

use super::former::Renamed;
use super::module::{OpParser, Successors};
use super::names::ValueName;
use super::operation::{OpenOperation, OperationInfo, ResultName};
use super::regions::Argument;
use crate::format::program::Program;
use crate::hooks::{ParseFn, TextHooks};
use mlirbc_ir::ods::{AttributeDef, OpDef, Traits};
use mlirbc_ir::verify::{attribute_default, native_default};
use mlirbc_ir::{
    Attribute, AttributeRef, Identifier, NamedAttribute, OpHead, OpId, OperationName, RegionId, Result, TypeRef, Value,
};

/// How the operations of one name are read.
#[derive(Clone)]
pub(super) enum OpForm {
    /// In generic form alone.
    Generic,
    Custom(ParseFn),
    Program(Rc<Program>),
}

/// How an operation goes on, or what is wrong with its text.
pub type Parsed<'a> = Result<Continuation<'a>>;

/// How an operation goes on.
pub enum Continuation<'a> {
    /// Nothing but a location follows.
    Done,
    /// A region, whose opening brace has been taken, with the arguments of its first block; then what is left.
    Region(Vec<Argument<'a>>, Resume<'a>),
}

/// Parses what follows a region.
pub type Resume<'a> = Box<dyn FnOnce(&mut OpParser<'a>, &mut OpState<'a>) -> Parsed<'a> + 'a>;

/// An operation in custom form whose regions are being parsed.
pub(super) struct Suspended<'a> {
    custom: Box<OpState<'a>>,
    then: Resume<'a>,
}

/// An operation in custom assembly that is being parsed: what it is made of, as far as the text has said.
pub struct OpState<'a> {
    pub(super) definition: Arc<OpDef>,
    info: OperationInfo,
    /// Where its name stands.
    pub(super) at: usize,
    results: Vec<ResultName<'a>>,
    pub(super) operands: Vec<ValueName<'a>>,
    pub(super) operand_types: Vec<TypeRef>,
    pub(super) result_types: Vec<TypeRef>,
    /// Discardable and inherent attributes.
    pub(super) attributes: Vec<NamedAttribute>,
    /// Properties that are no attributes.
    pub(super) natives: Vec<NamedAttribute>,
    pub(super) successors: Successors<'a>,
    /// Its location where none follows: that of an operation inside it, which took it.
    location: Option<AttributeRef>,
    /// The operation, once its first region has begun.
    op: Option<OpId>,
    regions: Vec<RegionId>,
    first_slot: u32,
}

impl<'a> OpState<'a> {
    fn new(definition: Arc<OpDef>, info: OperationInfo, at: usize, results: Vec<ResultName<'a>>) -> Self {
        OpState {
            definition,
            info,
            at,
            results,
            operands: Vec::new(),
            operand_types: Vec::new(),
            result_types: Vec::new(),
            attributes: Vec::new(),
            natives: Vec::new(),
            successors: Vec::new(),
            location: None,
            op: None,
            regions: Vec::new(),
            first_slot: 0,
        }
    }

    /// Forgets all that was said of an operation, and keeps the room for the next one.
    fn clear(&mut self) {
        self.results.clear();
        self.operands.clear();
        self.operand_types.clear();
        self.result_types.clear();
        self.attributes.clear();
        self.natives.clear();
        self.successors.clear();
        self.regions.clear();
        (self.location, self.op, self.first_slot) = (None, None, 0);
    }

    /// The definition of the operation.
    pub fn definition(&self) -> &Arc<OpDef> {
        &self.definition
    }

    /// Where its name stands: for [`OpParser::error_at`] and [`OpParser::location_of`].
    pub fn place(&self) -> usize {
        self.at
    }

    /// The types of its operands, as far as the text has said.
    pub fn operand_types(&self) -> &[TypeRef] {
        &self.operand_types
    }

    /// The types of its results, as far as the text has said.
    pub fn result_types(&self) -> &[TypeRef] {
        &self.result_types
    }

    /// How many results are named to the left of the operation.
    pub fn named_results(&self) -> usize {
        self.results.iter().map(|result| result.1 as usize).sum()
    }

    /// Takes an attribute away that the text has given.
    pub fn remove(&mut self, context: &mlirbc_ir::Context, name: impl AsRef<[u8]>) {
        self.attributes.retain(|entry| context.bytes(entry.0) != name.as_ref());
    }

    /// Adds an operand of that type.
    pub fn add(&mut self, operand: ValueName<'a>, ty: TypeRef) {
        self.operands.push(operand);
        self.operand_types.push(ty);
    }

    /// Adds a result of that type.
    pub fn add_result(&mut self, ty: TypeRef) {
        self.result_types.push(ty);
    }

    /// Adds results of these types.
    pub fn add_results(&mut self, types: impl IntoIterator<Item = TypeRef>) {
        self.result_types.extend(types);
    }

    /// The attribute of that name, where the text has given it so far.
    pub fn find(&self, context: &mlirbc_ir::Context, name: impl AsRef<[u8]>) -> Option<Attribute> {
        let found = self.attributes.iter().find(|entry| context.bytes(entry.0) == name.as_ref());
        found.map(|entry| entry.1)
    }
}

impl<'a> OpParser<'a> {
    /// Parses an operation by the name before it, up to its first region or whole.
    pub(super) fn custom(&mut self, at: usize) -> Result<()> {
        let Some((info, definition, form)) = self.custom_form(at)? else { return Ok(()) };
        let mut custom = match self.spare.pop() {
            Some(spare) => spare,
            None => Box::new(OpState::new(definition.clone(), info, at, Vec::new())),
        };
        (custom.definition, custom.info, custom.at) = (definition, info, at);
        std::mem::swap(&mut custom.results, &mut self.results);
        self.former = info.former().is_some();
        match self.inside(&mut custom, &form) {
            Ok(next) => self.continue_with(custom, next),
            Err(error) => {
                // The caller defines them as broken.
                self.results = std::mem::take(&mut custom.results);
                Err(error)
            }
        }
    }

    /// Takes the name of an operation, and finds out how to read what follows. `None` of one that is left out.
    fn custom_form(&mut self, at: usize) -> Result<Option<(OperationInfo, Arc<OpDef>, OpForm)>> {
        let word = self.at.peek_word();
        if word.is_empty() {
            return Err(self.at.expected("an operation: its name in quotes, or results before it"));
        }
        let info = match self.word_info(word) {
            None => match self.renamed_word(at, word)? {
                Some(Renamed::Nothing) => {
                    self.at.word();
                    self.at.trailing_location()?;
                    self.block_for_operation();
                    return Ok(None);
                }
                Some(Renamed::Operation(info)) => Some(info),
                None => None,
            },
            known => known,
        };
        let context = self.context();
        let definition = info.and_then(|info| context.definition(info.name()));
        let form = match (info, definition) {
            (Some(info), Some(definition)) => match self.forms.get(&(info.name(), info.former())) {
                Some(form) => form.clone(),
                None => {
                    let form = self.find_op_form(definition, info.former());
                    self.forms.insert((info.name(), info.former()), form.clone());
                    form
                }
            },
            _ => OpForm::Generic,
        };
        match (info, definition, form) {
            (Some(info), Some(definition), form) if !matches!(form, OpForm::Generic) => {
                self.at.word();
                Ok(Some((info, definition.clone(), form)))
            }
            _ => {
                let name = word.escape_ascii();
                Err(self.at.error(format!(
                    "cannot read the custom assembly of `{name}`: expected the generic form, with the name in quotes"
                )))
            }
        }
    }

    /// What is known of the operation that a word stands for.
    fn word_info(&mut self, word: &'a [u8]) -> Option<OperationInfo> {
        let dialect = self.frame().dialect;
        if let Some(known) = self.words.get(&(word, dialect)) {
            return *known;
        }
        let found = self.find_word(word, dialect);
        self.words.insert((word, dialect), found);
        found
    }

    /// Takes the name of an operation that has a definition, without quotes.
    fn custom_name(&mut self) -> Result<(OperationInfo, Arc<OpDef>)> {
        let at = self.at.here();
        let word = self.at.word();
        let info = self.word_info(word).filter(|_| !word.is_empty());
        let definition = info.and_then(|info| self.context().definition(info.name()));
        match (info, definition) {
            (Some(info), Some(definition)) => Ok((info, definition.clone())),
            _ => Err(self.at.error_at(at, "expected the name of an operation")),
        }
    }

    /// The operation that a word stands for, which may leave out its dialect.
    fn find_word(&self, word: &[u8], dialect: Option<Identifier>) -> Option<OperationInfo> {
        let context = self.context();
        let full = [dialect.map_or(b"".as_slice(), |dialect| context.bytes(dialect)), b".", word].concat();
        let named = [word, full.as_slice(), &[b"builtin.", word].concat()].into_iter().find_map(|name| {
            name.contains(&b'.').then(|| context.find_definition(name).map(|_| name.to_vec())).flatten()
        });
        named.map(|name| self.named_info(&name))
    }

    fn find_op_form(&self, definition: &Arc<OpDef>, former: Option<Identifier>) -> OpForm {
        let hooks = former.and_then(|dialect| TextHooks::of_dialect(self.context(), dialect));
        let own = definition.name.split_once('.').map_or("", |(_, own)| own);
        if let Some(form) = hooks.and_then(|hooks| hooks.own_assembly(own)) {
            return OpForm::Custom(form.parse);
        }
        if definition.traits.contains(Traits::OPAQUE_PROPERTIES) {
            return OpForm::Generic;
        }
        match TextHooks::assembly(self.context(), &definition.name) {
            Some(form) => OpForm::Custom(form.parse),
            None => match Program::new(definition, &self.checker) {
                Some(program) => OpForm::Program(Rc::new(program)),
                None => OpForm::Generic,
            },
        }
    }

    fn inside(&mut self, custom: &mut OpState<'a>, form: &OpForm) -> Parsed<'a> {
        match form {
            OpForm::Generic => Err(self.at.expected("the generic form")),
            OpForm::Custom(parse) => parse(self, custom),
            OpForm::Program(program) => format::parse(self, custom, program),
        }
    }

    /// Begins a region of the operation, or finishes it.
    fn continue_with(&mut self, mut custom: Box<OpState<'a>>, next: Continuation<'a>) -> Result<()> {
        let Continuation::Region(arguments, then) = next else { return self.complete(custom) };
        let op = self.begin(&mut custom, true);
        let (info, at, first_slot) = (custom.info, custom.at, custom.first_slot);
        let regions = std::mem::take(&mut custom.regions);
        let rest = Some(Suspended { custom, then });
        self.begin_region(Some(Box::new(OpenOperation {
            op,
            isolated: info.is_isolated(),
            regions,
            custom: rest,
            info,
            at,
            results: Vec::new(),
            operands: Vec::new(),
            properties: None,
            first_slot,
        })));
        if !arguments.is_empty() {
            let region = self.frame().region;
            let block = self.body().push_block(region);
            self.frame().block = Some(block);
            self.arguments(block, &arguments);
        }
        Ok(())
    }

    /// Goes on behind a region.
    pub(super) fn resume_op(&mut self, regions: Vec<RegionId>, rest: Suspended<'a>) -> Result<()> {
        let Suspended { mut custom, then } = rest;
        custom.regions = regions;
        self.resume = self.at.position();
        self.former = custom.info.former().is_some();
        match then(self, &mut custom) {
            Ok(next) => self.continue_with(custom, next),
            Err(error) => {
                self.close_broken(&custom);
                Err(error)
            }
        }
    }

    /// Closes what an operation that cannot be read has opened.
    fn close_broken(&mut self, custom: &OpState<'a>) {
        if let Some(op) = custom.op {
            self.close_regions(op, custom.info.is_isolated(), &custom.regions);
        }
        self.define_broken(&custom.results);
    }

    /// Makes the operation, so that regions can go into it where it has any.
    fn begin(&mut self, custom: &mut OpState<'a>, has_regions: bool) -> OpId {
        if let Some(op) = custom.op {
            return op;
        }
        let block = self.block_for_operation();
        let unknown = self.context().unknown_location().into();
        let op = self.body().begin_operation(block, custom.info.name(), unknown);
        let successors = std::mem::take(&mut custom.successors);
        if !successors.is_empty() {
            self.frame().successors.push((op, successors));
        }
        custom.first_slot = self.body().operand_start();
        if custom.info.is_isolated() && has_regions {
            self.begin_body(Some(op));
        }
        custom.op = Some(op);
        op
    }

    /// Adds a region without blocks.
    pub fn empty_region(&mut self, custom: &mut OpState<'a>) {
        let op = self.begin(custom, true);
        let region = self.body().open_region(Some(op).filter(|_| !custom.info.is_isolated()));
        custom.regions.push(region);
    }

    /// Parses the location of an operation and makes what it is made of.
    fn complete(&mut self, mut custom: Box<OpState<'a>>) -> Result<()> {
        // A definition without variadic regions says how many there are.
        let regions = custom.definition.regions();
        let count = if regions.iter().any(|region| region.variadic) { 0 } else { regions.len() };
        for _ in custom.regions.len()..count {
            self.empty_region(&mut custom);
        }
        self.sought.stopped = self.at.position();
        let parsed = self.at.trailing_location().and_then(|location| match location.or(custom.location) {
            Some(location) => Ok(location),
            None => self.location_of(custom.at),
        });
        let parsed = parsed.and_then(|location| Ok((location, self.attributes_of(&mut custom)?)));
        let (location, (attributes, properties)) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                self.close_broken(&custom);
                return Err(error);
            }
        };
        let has_regions = !custom.regions.is_empty();
        let op = self.begin(&mut custom, has_regions);
        let mut nest = None;
        if has_regions {
            self.sought.before = None;
            self.close_regions(op, custom.info.is_isolated(), &custom.regions);
            nest = self.nest(op, custom.info.is_isolated(), custom.first_slot);
        }
        std::mem::swap(&mut self.inputs, &mut custom.operand_types);
        std::mem::swap(&mut self.outputs, &mut custom.result_types);
        let (operands, results) = (&custom.operands, &custom.results);
        let done = self.finish(op, custom.info, location, attributes, properties, operands, results, nest);
        match done.map_err(|error| error.at(custom.at as u64)) {
            Ok(()) => {
                custom.clear();
                self.spare.push(custom);
                Ok(())
            }
            Err(error) => {
                self.define_broken(results);
                Err(error)
            }
        }
    }

    /// The dictionary of attributes, and that of properties where there are some that are no attributes.
    fn attributes_of(&mut self, custom: &mut OpState<'a>) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let context = self.context();
        let definition = custom.definition.clone();
        for (number, attribute) in definition.attributes().iter().enumerate() {
            if !attribute.optional
                && attribute.default.is_some()
                && custom.find(context, &attribute.name).is_none()
                && let Some(default) = self.default_of(custom.info.name(), number, attribute)
            {
                custom.attributes.push((context.identifier(&attribute.name), default));
            }
        }
        let at = custom.at as u64;
        let dictionary = |entries: Vec<NamedAttribute>| context.dictionary(entries).map_err(|error| error.at(at));
        let mut properties = None;
        if !definition.natives().is_empty() {
            let mut natives = std::mem::take(&mut custom.natives);
            for native in definition.natives() {
                let name = context.identifier(&native.name);
                if !natives.iter().any(|entry| entry.0 == name)
                    && let Some(default) = native_default(&self.checker, native)
                {
                    natives.push((name, default));
                }
            }
            properties = Some(dictionary(natives)?);
        }
        let attributes = std::mem::take(&mut custom.attributes);
        let attributes = if attributes.is_empty() { None } else { Some(dictionary(attributes)?) };
        Ok((attributes, properties))
    }

    fn default_of(&mut self, name: OperationName, number: usize, attribute: &AttributeDef) -> Option<Attribute> {
        if let Some(&known) = self.defaults.get(&(name, number)) {
            return known;
        }
        let default = attribute_default(&self.checker, attribute);
        self.defaults.insert((name, number), default);
        default
    }

    /// Makes an operation in the last block of the innermost body's region, with the defaults of its definition.
    pub(super) fn make(
        &mut self,
        block: mlirbc_ir::BlockId,
        name: &str,
        location: AttributeRef,
        operands: &[Value],
        results: &[TypeRef],
    ) -> Result<Value> {
        let info = self.implied_info(name);
        let dictionaries = self.plain_of(info)?;
        Ok(self.make_with(block, info, location, operands, results, dictionaries))
    }

    /// The same with these attributes and properties.
    fn make_with(
        &mut self,
        block: mlirbc_ir::BlockId,
        info: OperationInfo,
        location: AttributeRef,
        operands: &[Value],
        results: &[TypeRef],
        (attributes, properties): super::module::Dictionaries,
    ) -> Value {
        let build = self.build();
        let op = build.body.begin_operation(block, info.name(), location);
        let start = build.body.operand_start();
        for &operand in operands {
            build.uses.used(operand, build.body.operand_start());
            build.body.push_operand(operand);
        }
        let head = OpHead { name: info.name(), location, attributes, properties };
        build.body.finish_operation(op, head, start, results)
    }

    /// The attributes and properties of an operation that is given none, defaults included.
    fn plain_of(&mut self, info: OperationInfo) -> Result<super::module::Dictionaries> {
        let context = self.context();
        let Some(definition) = context.definition(info.name()) else { return Ok(info.plain()) };
        if definition.attributes().iter().all(|attribute| attribute.optional || attribute.default.is_none()) {
            return Ok(info.plain());
        }
        let mut custom = OpState::new(definition.clone(), info, 0, Vec::new());
        let (attributes, properties) = self.attributes_of(&mut custom)?;
        self.dictionaries(info, attributes, properties)
    }

    /// Parses an operation in generic form as the only one of the next region, and yields its result there.
    pub fn wrapped(&mut self, custom: &mut OpState<'a>, terminator: &str) -> Result<()> {
        let at = self.at.here();
        if !self.at.is_at(b'"') {
            return Err(self.at.expected("an operation in generic form"));
        }
        let op = self.begin(custom, true);
        if custom.info.is_isolated() {
            return Err(self.at.error("an operation that is isolated cannot wrap another"));
        }
        let region = self.body().open_region(Some(op));
        custom.regions.push(region);
        let block = self.body().push_block(region);
        let outer = self.frame().block.replace(block);
        let depth = self.frames.len();
        let before = self.body().operation_count();
        let parsed = self.generic(at);
        self.frame().block = outer;
        parsed?;
        if self.frames.len() != depth {
            return Err(self.at.error_at(at, "an operation with regions cannot be wrapped"));
        }
        let inner = OpId::from_index(before);
        let result = match self.body().operation_count() > before {
            true => self.body().result(inner, 0),
            false => None,
        };
        let Some(result) = result.filter(|_| self.body().result_count(inner) == 1) else {
            return Err(self.at.error_at(at, "an operation with one result was expected"));
        };
        let (ty, location) = (self.body().ty(result), self.body().location(inner));
        self.make(block, terminator, location, &[result], &[])?;
        custom.result_types.push(ty);
        custom.location = Some(location);
        Ok(())
    }
}
