//! Parsing whole modules: operations, aliases, and the metadata at the end.

use std::collections::HashMap;
use std::io::BufRead;
use std::rc::Rc;

use super::lines::{Line, Sought};
use super::names::{ScopeId, ValueName, ValueNames};
use super::operation::{OpenOperation, OperationInfo, ResultName};
use super::orders::UseLog;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::former::FormerDialect;
use mlirbc_ir::text::{Parser, Scope};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Body, BodyBuilder, BodyId, Context, Error, Identifier,
    IsolationMark, Module, OpHead, OpId, OperationName, RegionId, ResourceGroup, ResourceHandle, Result, TypeRef,
};

/// How deep regions may be nested in text. Deeper text is an error.
const MAX_REGION_DEPTH: usize = 1 << 17;

/// How a text is parsed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The name of the text, for messages and for the locations of operations that give none.
    pub file: String,
    /// Whether operations that do not stand in one `builtin.module` are put into a new one.
    pub implicit_module: bool,
    /// Whether operations and block arguments that give no location are located where they stand in the text, as in MLIR;
    /// else their location is unknown.
    pub implicit_locations: bool,
    /// How many things wrong are reported before the parser gives up.
    pub max_errors: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { file: "<text>".into(), implicit_module: false, implicit_locations: true, max_errors: 20 }
    }
}

impl ParseOptions {
    /// A text without a name, whose operations stay where they stand.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the name of the text.
    #[must_use]
    pub fn file(mut self, name: impl Into<String>) -> Self {
        self.file = name.into();
        self
    }

    /// Sets whether operations that do not stand in one `builtin.module` are put into a new one.
    #[must_use]
    pub fn implicit_module(mut self, implicit: bool) -> Self {
        self.implicit_module = implicit;
        self
    }

    /// Sets whether what gives no location is located where it stands in the text.
    #[must_use]
    pub fn implicit_locations(mut self, implicit: bool) -> Self {
        self.implicit_locations = implicit;
        self
    }
}

/// Parses a module: operations in generic form, and in custom assembly where the dialect's is known.
///
/// The uses of values come in the order in which MLIR's parser leaves them. What breaks no rule of the text is not checked
/// against the definitions of operations.
///
/// ```
/// use mlirbc_ir::Context;
/// use mlirbc_text::{ParseOptions, parse_module};
///
/// let context = Context::new();
/// let module = parse_module(&context, b"%0 = \"toy.one\"() : () -> i32", &ParseOptions::new())?;
/// assert_eq!(module.operations()?.count(), 1);
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
///
/// # Errors
/// Where the text is wrong: each place that could be told. Where regions are nested deeper than 2^17.
pub fn parse_module(context: &Context, text: &[u8], options: &ParseOptions) -> Result<Module, Diagnostics> {
    let mut scope = Scope::new();
    let (mut errors, bodies, resources) = {
        let mut parser = OpParser::new(context, text, options, &mut scope);
        if parser.run() {
            parser.close();
        }
        (parser.errors, parser.bodies, parser.resources)
    };
    if errors.is_empty() {
        let bodies = bodies.into_iter().map(Option::unwrap_or_default).collect();
        let mut module = Module::from_bodies(context, Some(scope.into_locations()), bodies);
        match module.resources_mut() {
            Ok(kept) => {
                *kept = resources;
                return Ok(module);
            }
            Err(error) => errors.push(error),
        }
    }
    let place = |error: &Error| error.place().offset.map_or(0, |offset| offset as usize);
    errors.sort_by_key(place);
    let shown = errors.iter().take(options.max_errors.max(1));
    Err(Diagnostics(
        shown.map(|error| Diagnostic::new(&options.file, text, place(error), error.message().to_owned())).collect(),
    ))
}

/// A body being filled.
pub(super) struct Build {
    pub(super) id: BodyId,
    pub(super) body: BodyBuilder,
    /// Its owner, for all but the first.
    owner: Option<(BodyId, OpId)>,
    /// The scope around its regions: a name defined in an earlier one is not visible in it.
    pub(super) base: ScopeId,
    pub(super) uses: UseLog,
    /// Forward references that are not resolved.
    pub(super) waiting: usize,
    /// Where this body's forward references begin.
    pub(super) first_forward: usize,
}

/// A region being parsed.
pub(super) struct Frame<'a> {
    /// The operation that holds the region; none for the outermost.
    pub(super) parent_op: Option<Box<OpenOperation<'a>>>,
    pub(super) region: RegionId,
    pub(super) scope: ScopeId,
    pub(super) block: Option<BlockId>,
    pub(super) blocks: Texts<'a, BlockId>,
    /// Operations that go on to blocks, with the names of these and where they stand.
    pub(super) successors: Vec<(OpId, Successors<'a>)>,
    /// The dialect that names of operations directly in the region may leave out.
    pub(super) dialect: Option<Identifier>,
}

/// A module being parsed: what a parser of custom assembly reads an operation with.
pub struct OpParser<'a> {
    pub(super) at: Parser<'a>,
    file: Identifier,
    implicit_module: bool,
    implicit_locations: bool,
    max_errors: usize,
    pub(super) errors: Vec<Error>,
    /// Whether the parser went past something that may have defined values.
    pub(super) lost: bool,
    /// Where to begin going past something that cannot be parsed: no bracket of it is open there.
    pub(super) resume: usize,
    /// By number, the bodies that are complete.
    bodies: Vec<Option<FinishedBody>>,
    pub(super) builds: Vec<Build>,
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) names: ValueNames<'a>,
    pub(super) resources: Vec<ResourceGroup>,
    /// Where each of them stands in its group that an attribute may refer to.
    pub(super) resource_places: HashMap<ResourceHandle, usize>,
    /// Where lines begin, for locations of operations that give none; empty until the first of these.
    lines: Vec<u32>,
    /// The line that was looked for last.
    line: usize,
    /// What lines stand for that were parsed before, and the one that is being parsed.
    pub(super) lines_known: Found<Box<[u8]>, Rc<Line>>,
    pub(super) sought: Sought<'a>,
    pub(super) operations: Vec<OperationInfo>,
    pub(super) operation_names: Texts<'a, u32>,
    pub(super) types: Texts<'a, TypeRef>,
    pub(super) dictionaries: Texts<'a, Attribute>,
    pub(super) splits: Found<(OperationName, Option<Attribute>, Option<Attribute>), Dictionaries>,
    /// Kept for the next operation, to allocate seldom.
    pub(super) results: Vec<ResultName<'a>>,
    pub(super) operands: Vec<ValueName<'a>>,
    pub(super) inputs: Vec<TypeRef>,
    pub(super) outputs: Vec<TypeRef>,
    /// Boxed, since they are handed around while regions are parsed.
    #[allow(clippy::vec_box)]
    pub(super) spare: Vec<Box<super::assembly::OpState<'a>>>,
    /// What bodies were filled in, empty: room for the next ones.
    spare_builds: Vec<(BodyBuilder, UseLog)>,
    /// How the operations of a name are read in custom form.
    pub(super) forms: Found<(OperationName, Option<Identifier>), super::assembly::OpForm>,
    /// Whether the operation in custom form that is being parsed has a name for its dialect that this had before.
    pub(super) former: bool,
    /// What became of the operations of the first such dialect.
    pub(super) met_former: Option<std::sync::Arc<dyn FormerDialect>>,
    /// What a word before custom assembly stands for, by the dialect that it may leave out.
    pub(super) words: Found<(&'a [u8], Option<Identifier>), Option<OperationInfo>>,
    /// Operations that text may leave out.
    pub(super) implied: Found<Box<str>, OperationInfo>,
    /// The values of attributes that are not given, by their number in the definition.
    pub(super) defaults: Found<(OperationName, usize), Option<Attribute>>,
    pub(super) checker: mlirbc_ir::verify::Checker<'a>,
}

/// A body with the operation that owns it.
type FinishedBody = (Body, Option<(BodyId, OpId)>);

/// Names of blocks, and where they stand.
pub(super) type Successors<'a> = Vec<(&'a [u8], usize)>;

/// Discardable attributes and properties.
pub(super) type Dictionaries = (Option<AttributeRef>, Option<AttributeRef>);

/// What was found out once: the next time it is looked up.
type Found<K, V> = HashMap<K, V, hashbrown::DefaultHashBuilder>;

/// What a text was found to stand for.
pub(super) type Texts<'a, T> = Found<&'a [u8], T>;

impl<'a> OpParser<'a> {
    fn new(context: &'a Context, text: &'a [u8], options: &ParseOptions, scope: &'a mut Scope) -> Self {
        scope.expect_text(text.len());
        let mut parser = OpParser {
            at: Parser::new(context, text, scope),
            file: context.identifier(&options.file),
            implicit_module: options.implicit_module,
            implicit_locations: options.implicit_locations,
            max_errors: options.max_errors.max(1),
            errors: Vec::new(),
            lost: false,
            resume: 0,
            bodies: Vec::new(),
            builds: Vec::new(),
            frames: Vec::new(),
            names: ValueNames::new(text.len()),
            resources: Vec::new(),
            resource_places: HashMap::new(),
            lines: Vec::new(),
            line: 0,
            lines_known: Found::default(),
            sought: Sought::default(),
            operations: Vec::new(),
            operation_names: Texts::default(),
            types: Texts::default(),
            dictionaries: Texts::default(),
            splits: Found::default(),
            results: Vec::new(),
            operands: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            spare: Vec::new(),
            spare_builds: Vec::new(),
            forms: Found::default(),
            former: false,
            met_former: None,
            words: Found::default(),
            implied: Found::default(),
            defaults: Found::default(),
            checker: mlirbc_ir::verify::Checker::new(context),
        };
        if u32::try_from(text.len()).is_err() {
            parser.report(0, "text of 4 GiB and more");
        }
        parser.begin_body(None);
        parser.begin_region(None);
        let region = parser.frame().region;
        let block = parser.body().push_block(region);
        parser.frame().block = Some(block);
        parser
    }

    /// Parses items with commas between them, up to and with `close`: [`Parser::list`] for what needs the whole parser.
    pub fn list(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.at.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.at.is_end_of_list(close)? {
                return Ok(());
            }
        }
    }

    /// The text from here on: its small pieces, attributes and types.
    pub fn text(&mut self) -> &mut Parser<'a> {
        &mut self.at
    }

    /// An error at a place that [`Parser::here`] gave.
    pub fn error_at(&self, at: usize, message: impl Into<String>) -> Error {
        self.at.error_at(at, message)
    }

    /// The context that everything is made in.
    pub fn context(&self) -> &'a Context {
        self.at.context()
    }

    pub(super) fn build(&mut self) -> &mut Build {
        self.builds.last_mut().expect("the first body is open to the end")
    }

    pub(super) fn body(&mut self) -> &mut BodyBuilder {
        &mut self.build().body
    }

    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("the first region is open to the end")
    }

    /// Begins the body of an operation that is isolated from above.
    pub(super) fn begin_body(&mut self, owner: Option<OpId>) {
        let id = BodyId::from_index(self.bodies.len());
        self.bodies.push(None);
        let owner = owner.and_then(|op| Some((self.builds.last()?.id, op)));
        let base = self.names.open_scope();
        let first_forward = self.names.forwards.len();
        let (body, uses) = self.spare_builds.pop().unwrap_or_default();
        self.builds.push(Build { id, body, owner, base, uses, waiting: 0, first_forward });
    }

    /// Ends a body. `None` where it holds no block: then it is none.
    pub(super) fn end_body(&mut self) -> Option<BodyId> {
        self.report_waiting();
        let Build { id, mut body, owner, base, mut uses, first_forward, .. } = self.builds.pop()?;
        self.names.close_scope(base);
        self.names.forwards.truncate(first_forward);
        if body.block_count() == 0 {
            self.bodies.pop();
            return None;
        }
        if self.errors.is_empty() {
            uses.finish(&mut body);
        }
        self.bodies[id.index()] = Some((body.take(), owner));
        uses.clear();
        self.spare_builds.push((body, uses));
        Some(id)
    }

    pub(super) fn begin_region(&mut self, mut parent_op: Option<Box<OpenOperation<'a>>>) {
        let op = parent_op.as_ref().filter(|parent_op| !parent_op.isolated).map(|parent_op| parent_op.op);
        let region = self.body().open_region(op);
        if let Some(parent_op) = &mut parent_op {
            parent_op.regions.push(region);
        }
        let scope = self.names.open_scope();
        let builtin = || Some(self.context().static_identifier("builtin"));
        let dialect = parent_op.as_ref().map_or_else(builtin, |parent_op| parent_op.info.dialect());
        self.frames.push(Frame {
            parent_op,
            region,
            scope,
            block: None,
            blocks: Texts::default(),
            successors: Vec::new(),
            dialect,
        });
    }

    /// The location of what stands at `offset` and gives none.
    pub fn location_of(&mut self, offset: usize) -> Result<AttributeRef> {
        if !self.implicit_locations {
            return Ok(self.context().unknown_location().into());
        }
        if self.lines.is_empty() {
            self.lines.push(0);
            let text = self.at.source();
            let mut rest = text;
            // Many bytes at a time.
            while rest.skip_until(b'\n').is_ok_and(|length| length > 0) {
                let start = text.len() - rest.len();
                self.lines.extend(text[..start].ends_with(b"\n").then_some(start as u32));
            }
        }
        let is_line = |line: &usize| {
            let end = self.lines.get(line + 1).map_or(usize::MAX, |&end| end as usize);
            self.lines.get(*line).is_some_and(|&start| (start as usize..end).contains(&offset))
        };
        // Operations come line by line, and those with regions end in the opposite order.
        let near = (self.line..self.line + 3).chain([self.line.saturating_sub(1)]).find(is_line);
        self.line = near.unwrap_or_else(|| self.lines.partition_point(|&start| start as usize <= offset) - 1);
        let start = self.lines[self.line] as usize;
        let (line, column) = (self.line as u32 + 1, (offset - start + 1) as u32);
        self.place(line, column)
    }

    fn place(&mut self, line: u32, column: u32) -> Result<AttributeRef> {
        let (context, file) = (self.context(), self.file);
        self.at.scope().place(context, file, line, column)
    }

    /// Reports something that does not keep the parser from going on.
    pub(super) fn report(&mut self, at: usize, message: impl Into<String>) {
        let error = self.at.error_at(at, message);
        self.errors.push(error);
    }

    /// Parses all of the text. False where the parser gave up before its end.
    fn run(&mut self) -> bool {
        if !self.errors.is_empty() {
            return false;
        }
        while self.errors.len() < self.max_errors {
            let start = self.at.here();
            let failed = match self.step() {
                Ok(true) => continue,
                Ok(false) => return true,
                Err(error) => error,
            };
            self.errors.push(failed);
            self.lost = true;
            if !self.recover(start) {
                return false;
            }
        }
        false
    }

    /// Parses an operation up to its regions, or whatever else comes next. False at the end of the text.
    fn step(&mut self) -> Result<bool> {
        let outermost = self.frames.len() == 1;
        if self.frames.len() > MAX_REGION_DEPTH {
            // What is nested so deep is not gone into: this is the last error.
            self.max_errors = 0;
            return Err(self.at.error(format!("regions nested deeper than {MAX_REGION_DEPTH}")));
        }
        match self.at.peek() {
            Some(b'%' | b'"') => self.operation()?,
            Some(b'}') if !outermost => self.end_region()?,
            Some(b'^') if !outermost => self.block()?,
            None if !outermost => return Err(self.at.expected("an operation or `}`")),
            None => return Ok(false),
            Some(b'#') if outermost => self.at.attribute_alias()?,
            Some(b'!') if outermost => self.at.type_alias()?,
            Some(b'{') if outermost && self.at.source()[self.at.position()..].starts_with(b"{-#") => self.metadata()?,
            _ => self.operation()?,
        }
        Ok(true)
    }

    /// Goes past what cannot be parsed: to the end of a line outside of all brackets, behind which something new can begin.
    /// False where nothing is left.
    fn recover(&mut self, start: usize) -> bool {
        if self.at.position() >= self.at.source().len() {
            return false;
        }
        self.at.forget_nesting();
        let text = self.at.source();
        let mut at = self.resume.max(start);
        let mut open: Vec<u8> = Vec::new();
        let mut last = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\n' => {
                    // Only braces go on over many lines, unless the line shows that it goes on.
                    while !matches!(last, b'(' | b'[' | b'{' | b'<' | b',') && matches!(open.last(), Some(b'(' | b'['))
                    {
                        open.pop();
                    }
                    self.at.seek(at);
                    if open.is_empty() && self.something_begins() {
                        return self.at.position() < text.len();
                    }
                }
                b'"' => {
                    self.at.seek(at);
                    // A string that is not closed takes the rest of its line.
                    at = match self.at.skip_string() {
                        Ok(_) => self.at.position(),
                        Err(_) => at + text[at..].iter().position(|&byte| byte == b'\n').unwrap_or(text.len() - at),
                    };
                    last = byte;
                    continue;
                }
                b'/' if text.get(at + 1) == Some(&b'/') => {
                    at = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| at + end);
                    continue;
                }
                b'(' | b'[' | b'{' => open.push(byte),
                b'}' if !open.contains(&b'{') && self.frames.len() > 1 && at > start => {
                    self.at.seek(at);
                    return true;
                }
                b'}' => while open.pop().is_some_and(|open| open != b'{') {},
                b')' if open.last() == Some(&b'(') => drop(open.pop()),
                b']' if open.last() == Some(&b'[') => drop(open.pop()),
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
            at += 1;
        }
        self.at.seek(at);
        false
    }

    /// Whether what is next can begin an operation, or end a region.
    fn something_begins(&mut self) -> bool {
        match self.at.peek() {
            None | Some(b'%' | b'"' | b'}' | b'^') => true,
            Some(b'#' | b'!') => self.frames.len() == 1,
            _ => {
                let word = self.at.peek_word();
                !word.is_empty() && (self.frames.len() == 1 || word.contains(&b'.') || word == b"return")
            }
        }
    }

    /// Checks what needs all of the text, and closes the outermost body.
    fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.resolve_successors(frame);
        }
        self.end_body();
        if let Some(at) = self.at.scope().undefined_location().filter(|_| !self.lost) {
            self.report(at as usize, "operation location alias was never defined");
        }
        if self.implicit_module && self.errors.is_empty() {
            self.wrap();
        }
    }

    /// Puts the operations into a module of their own, unless they are one.
    fn wrap(&mut self) {
        let Some(Some((top, _))) = self.bodies.first() else { return };
        let name = self.context().operation_name("builtin.module", true);
        let mut operations =
            top.top_regions().iter().flat_map(|&region| top.blocks(region)).flat_map(|it| top.operations(it));
        if operations.next().is_some_and(|op| top.name(op) == name) && operations.next().is_none() {
            return;
        }
        drop(operations);
        let location = match self.implicit_locations {
            true => self.place(0, 0),
            false => Ok(self.context().unknown_location().into()),
        };
        let Ok(location) = location else { return };
        let mut outer = BodyBuilder::new(1);
        let block = outer.push_block(outer.top_regions()[0]);
        let op = outer.begin_operation(block, name, location);
        let properties = self.context().attribute(AttributeData::Dictionary(Box::default()));
        let head = OpHead { properties: Some(properties.into()), ..OpHead::new(name, location) };
        outer.finish_operation(op, head, 0, &[]);
        let (top, inner) = (BodyId::from_index(Module::TOP), BodyId::from_index(self.bodies.len()));
        outer.set_region_body(op, Some(inner), 1, IsolationMark::Unknown);
        for (_, owner) in self.bodies.iter_mut().flatten() {
            if let Some((parent, _)) = owner
                && *parent == top
            {
                *parent = inner;
            }
        }
        let content = self.bodies[Module::TOP].replace((outer.finish(), None));
        self.bodies.push(content.map(|(body, _)| (body, Some((top, op)))));
    }
}
