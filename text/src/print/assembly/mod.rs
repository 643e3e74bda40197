//! Operations in custom assembly, region by region on an explicit stack.
//!
//! All is printed twice: once to see which attributes, types and locations come, for their aliases, and once for good.

pub(super) mod aliases;
pub(crate) mod format;
pub(crate) mod function;
mod implied;
mod inferred;
mod kinds;
mod names;
mod op;
mod open;
mod pool;
mod regions;
mod result_names;

use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Write;
use std::ops::Range;
use std::rc::Rc;

use self::aliases::{Collector, Named};
use self::kinds::{Hole, Kinds};
use self::names::Names;
pub use self::op::{NotCustom, OpPrinter, Printed, dense_integers};
use super::operation::PrintOptions;
use super::texts::Texts;
use crate::format::program::Program;
use crate::hooks::{PrintFn, TextHooks};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::text::{Aliasable, Elision, Printer, push_decimal};
use mlirbc_ir::verify::{Checker, Validity, validity};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Body, BodyId, Identifier, Location, Module, OpId, OpRef,
    OperationName, Result, TypeRef, foreign_properties,
};

/// Prints a module with aliases, operations in custom assembly, and resources.
pub(super) fn print_module(module: &Module, options: &PrintOptions, sink: &mut dyn Write) -> Result<()> {
    let top: Vec<OpRef<'_>> = module.operations()?.collect();
    let mut names = Names::default();
    names.number_body(module, BodyId::from_index(Module::TOP), module.top()?)?;
    let mut printer = print(module, &top, names, options, sink)?;
    super::resources::all(&mut printer, module)?;
    // mlir-opt ends its output so.
    printer.text(b"\n")?;
    printer.finish().map(drop)
}

/// Prints one operation in the same way, with the resources that it refers to.
pub(super) fn print_operation(op: OpRef<'_>, options: &PrintOptions, sink: &mut dyn Write) -> Result<()> {
    let mut names = Names::default();
    match op.body().region_body(op.id()) {
        Some(_) => names.number(op)?,
        None => names.number_in_place(op)?,
    }
    let mut printer = print(op.module(), &[op], names, options, sink)?;
    super::resources::used(&mut printer, op.module())?;
    printer.finish().map(drop)
}

fn print<'m>(
    module: &'m Module,
    top: &[OpRef<'m>],
    names: Names,
    options: &PrintOptions,
    sink: &'m mut dyn Write,
) -> Result<Printer<'m>> {
    let mut nowhere = std::io::sink();
    let mut first = Assembly::new(module, names, options, Printer::new(module.context(), &mut nowhere));
    first.print.collect();
    first.collector = Some(Collector::default());
    for &op in top {
        first.top(op)?;
    }
    let named = first.collector.take().unwrap_or_default().finish();
    let (names, kinds, invalid) = (first.names, first.kinds, first.invalid);
    let mut second = Assembly::new(module, names, options, Printer::new(module.context(), sink));
    (second.kinds, second.invalid) = (kinds, invalid);
    second.print.set_aliases(named.aliases());
    second.define(&named, false)?;
    for &op in top {
        second.top(op)?;
    }
    second.define(&named, true)?;
    Ok(second.print)
}

/// How operations of one name are printed.
#[derive(Clone)]
enum OpForm {
    Generic,
    Custom(PrintFn),
    Program(Rc<Program>),
}

/// A part of an operation's text that comes at or behind its first region.
enum Piece {
    Region(RegionPiece),
    Bytes(Vec<u8>),
    Visit(Aliasable),
}

/// How a region is printed.
#[derive(Clone, Copy)]
struct RegionPiece {
    number: usize,
    /// Whether the first block shows its arguments.
    arguments: bool,
    /// Whether the last operation of the first block is shown, if it is a terminator.
    terminator: bool,
    /// Whether an only block without operations shows its label.
    empty_block: bool,
    /// How much deeper than usual it stands.
    indent: usize,
}

enum Frame<'m> {
    Rest(OpRef<'m>, Rest),
    Region(Open<'m>),
}

/// The rest of an operation.
enum Rest {
    /// What was printed; then all that the kind shows has been noted, with these regions.
    Pieces(VecDeque<Piece>, Option<(u32, Vec<RegionPiece>)>),
    /// That of this kind, from its part of that number on.
    OfKind(u32, usize),
}

/// A region being printed.
struct Open<'m> {
    id: BodyId,
    body: &'m Body,
    /// Whether the next block is shown with its label.
    label: bool,
    /// An operation that is left out.
    skip: Option<OpId>,
    block: Option<BlockId>,
    op: Option<OpId>,
    /// The dialect whose name is left out.
    dialect: Option<Identifier>,
    predecessors: Predecessors,
    /// How much deeper than usual it stands.
    indent: usize,
}

/// By block, the places of the blocks that go on to it.
type Predecessors = HashMap<BlockId, Vec<u32>, hashbrown::DefaultHashBuilder>;

struct Assembly<'m> {
    module: &'m Module,
    locations: bool,
    print: Printer<'m>,
    names: Names,
    forms: HashMap<OperationName, OpForm, hashbrown::DefaultHashBuilder>,
    /// The dialect whose name is left out inside operations of that name.
    default_dialects: HashMap<OperationName, Option<Identifier>, hashbrown::DefaultHashBuilder>,
    frames: Vec<Frame<'m>>,
    /// How many regions are open.
    depth: usize,
    /// The text from the first region of the operation on that is being printed.
    pieces: Vec<Piece>,
    /// Where in the text regions come.
    marks: Vec<(usize, RegionPiece)>,
    collector: Option<Collector>,
    checker: Checker<'m>,
    types: Texts<TypeRef>,
    visited: HashSet<TypeRef, hashbrown::DefaultHashBuilder>,
    /// Whether an attribute is the default, by where its definition stands: the programs keep these where they are.
    defaults: HashMap<(Attribute, usize), bool, hashbrown::DefaultHashBuilder>,
    /// Operations that break a rule of their definition: custom assembly may leave out what is wrong with them.
    invalid: HashSet<(BodyId, OpId), hashbrown::DefaultHashBuilder>,
    kinds: Kinds,
    /// The names in the text of the operation that is being printed, each with where it stands.
    holes: Vec<(Range<usize>, Hole)>,
    /// Whether that text may differ from that of others of its kind.
    is_particular: Cell<bool>,
    /// Whether an operand could follow it.
    is_open: bool,
}

/// Whether the first block of a region is a successor: custom assembly has no label for it.
fn goes_back_to_entry(op: OpRef<'_>) -> Result<bool> {
    if op.body().region_count_of(op.id()) == 0 {
        return Ok(false);
    }
    let inside = op.inside()?;
    let body = inside.body;
    Ok(inside.regions().any(|region| {
        body.first_block(region).is_some_and(|first| {
            let mut inside = body.blocks(region).flat_map(|block| body.operations(block));
            inside.any(|op| body.successors(op).contains(&first))
        })
    }))
}

/// Nesting deeper than this is not shown by more spaces, which would take quadratic room.
const DEEPEST_INDENT: usize = 100;

impl<'m> Assembly<'m> {
    fn new(module: &'m Module, names: Names, options: &PrintOptions, print: Printer<'m>) -> Self {
        Assembly {
            module,
            locations: options.locations,
            print,
            names,
            forms: HashMap::default(),
            default_dialects: HashMap::default(),
            frames: Vec::new(),
            depth: 0,
            pieces: Vec::new(),
            marks: Vec::new(),
            collector: None,
            checker: Checker::of_module(module),
            types: Texts::new(),
            visited: HashSet::default(),
            defaults: HashMap::default(),
            invalid: HashSet::default(),
            kinds: Kinds::default(),
            holes: Vec::new(),
            is_particular: Cell::new(false),
            is_open: false,
        }
    }

    fn out(&mut self) -> &mut Vec<u8> {
        self.print.buffer()
    }

    fn indent(&mut self, depth: usize) {
        let length = self.out().len() + 2 * depth.min(DEEPEST_INDENT);
        self.out().resize(length, b' ');
    }

    /// Defines the aliases that stand before or behind the operations.
    fn define(&mut self, named: &Named, deferred: bool) -> Result<()> {
        for (symbol, name) in named.ordered(deferred) {
            self.out().extend_from_slice(name);
            self.out().extend_from_slice(b" = ");
            self.print.set_plain(true);
            match symbol {
                Aliasable::Attribute(attribute) if self.module.context()[attribute].is_location() => {
                    self.out().extend_from_slice(b"loc(");
                    self.print.location(attribute)?;
                    self.out().push(b')');
                }
                Aliasable::Attribute(attribute) => self.print.attribute(attribute, Elision::Never)?,
                Aliasable::Type(ty) => self.print.ty(ty)?,
                Aliasable::Place(file, line, column) => {
                    self.out().extend_from_slice(b"loc(");
                    self.place(file, line, column);
                    self.out().push(b')');
                }
            }
            self.print.set_plain(false);
            self.out().push(b'\n');
            self.print.spill()?;
        }
        Ok(())
    }

    fn place(&mut self, file: mlirbc_ir::Identifier, line: u32, column: u32) {
        let context = self.module.context();
        let out = self.out();
        mlirbc_ir::text::push_escaped(out, context.bytes(file));
        out.push(b':');
        push_decimal(out, line.into());
        out.push(b':');
        push_decimal(out, column.into());
    }

    /// Prints an operation that no other holds.
    fn top(&mut self, op: OpRef<'m>) -> Result<()> {
        let builtin = self.module.context().static_identifier("builtin");
        self.begin(op, Some(builtin))?;
        while let Some(frame) = self.frames.last() {
            if matches!(frame, Frame::Region(_)) {
                self.step()?;
            } else if let Some(Frame::Rest(op, rest)) = self.frames.pop() {
                self.rest(op, rest)?;
            }
            self.print.spill()?;
        }
        Ok(())
    }

    /// Prints an operation up to its first region, or whole.
    fn begin(&mut self, op: OpRef<'m>, dialect: Option<Identifier>) -> Result<()> {
        if self.collector.is_some() {
            return self.visit(op, dialect);
        }
        self.indent(self.depth);
        let (id, body) = (op.body_id(), op.body());
        self.names.push_results(id, body, op.id(), self.print.buffer());
        let kind = self.names.kind(id, op.id());
        if let Some(kind) = kind.filter(|&kind| self.kinds.has_text(kind, op, dialect)) {
            return self.rest(op, Rest::OfKind(kind, 0));
        }
        self.holes.clear();
        self.is_open = false;
        self.is_particular.set(kind.is_none());
        let start = self.print.buffer().len();
        self.print.hold(true);
        let done = self.operation(op, dialect);
        self.print.hold(false);
        done?;
        if let Some(kind) = kind.filter(|_| !self.is_particular.get()) {
            self.kinds.keep(kind, (self.print.buffered(), start), &self.holes, dialect, self.is_open);
        }
        let pieces = self.take_pieces();
        self.rest(op, Rest::Pieces(pieces, None))
    }

    /// The first time: finds out whether the operation is valid, and what it shows, for aliases.
    fn visit(&mut self, op: OpRef<'m>, dialect: Option<Identifier>) -> Result<()> {
        if self.locations
            && let Some(collector) = &mut self.collector
        {
            let context = self.module.context();
            collector.visit(context, Aliasable::location(context, op.location()?), true);
        }
        let kind = self.valid_kind(op)?;
        if let Some(kind) = kind.filter(|&kind| self.kinds.is_visited(kind)) {
            return self.rest(op, Rest::OfKind(kind, 0));
        }
        self.is_particular.set(kind.is_none());
        let start = self.print.buffer().len();
        self.print.hold(true);
        let done = self.operation(op, dialect);
        self.print.hold(false);
        done?;
        let pieces = self.take_pieces();
        self.print.buffer().truncate(start);
        let regions =
            pieces.iter().filter_map(|piece| if let Piece::Region(piece) = piece { Some(*piece) } else { None });
        let visited = kind.filter(|_| !self.is_particular.get()).map(|kind| (kind, regions.collect()));
        self.rest(op, Rest::Pieces(pieces, visited))
    }

    /// Finds out whether the operation is valid. Gives its kind where it is.
    fn valid_kind(&mut self, op: OpRef<'m>) -> Result<Option<u32>> {
        let kind = self.kinds.of(op);
        let is_known = kind.is_some_and(|kind| self.kinds.is_valid(kind));
        if !is_known && !self.is_valid(op, kind)? || goes_back_to_entry(op)? {
            self.invalid.insert((op.body_id(), op.id()));
            return Ok(None);
        }
        if let Some(kind) = kind {
            self.names.set_kind(op, kind);
        }
        Ok(kind)
    }

    fn is_valid(&mut self, op: OpRef<'m>, kind: Option<u32>) -> Result<bool> {
        let form = self.form(op.operation_name());
        let validity = match form {
            // It says all that there is.
            OpForm::Generic => Validity::ValidForKey,
            _ => validity(&self.checker, op)?,
        };
        if validity == Validity::Invalid {
            return Ok(false);
        }
        if !kind.is_some_and(|kind| self.kinds.is_said(kind)) {
            let says_all = matches!(form, OpForm::Generic)
                || foreign_properties(op)?.is_empty() && self.types_follow(op, &form)?;
            if !says_all {
                return Ok(false);
            }
            if let Some(kind) = kind {
                self.kinds.note_said(kind);
            }
        }
        let has_regions = op.body().region_count_of(op.id()) > 0;
        if let Some(kind) = kind.filter(|_| validity == Validity::ValidForKey && !has_regions) {
            self.kinds.note_valid(kind);
        }
        Ok(true)
    }

    /// Whether a parser would find the types that the text of an operation leaves out.
    fn types_follow(&mut self, op: OpRef<'m>, form: &OpForm) -> Result<bool> {
        let OpForm::Program(program) = form else { return Ok(true) };
        match OpPrinter::new(self, op).and_then(|mut printer| inferred::types_follow(&mut printer, program)) {
            Ok(follow) => Ok(follow),
            Err(NotCustom::UseGeneric) => Ok(false),
            Err(NotCustom::Error(error)) => Err(error),
        }
    }

    /// Prints the name of an operation and what follows it; regions are left as marks.
    fn operation(&mut self, op: OpRef<'m>, dialect: Option<Identifier>) -> Result<()> {
        let start = self.print.buffer().len();
        let mut form = self.form(op.operation_name());
        if !self.invalid.is_empty() && self.invalid.contains(&(op.body_id(), op.id())) {
            form = OpForm::Generic;
        }
        if !matches!(form, OpForm::Generic) {
            let context = self.module.context();
            let name = context.bytes(context.operation_identifier(op.operation_name()));
            let dialect = dialect.map(|dialect| context.bytes(dialect));
            let short = dialect.and_then(|dialect| name.strip_prefix(dialect)?.strip_prefix(b"."));
            let short = short.filter(|rest| !rest.contains(&b'.'));
            self.out().extend_from_slice(short.unwrap_or(name));
            let printed = OpPrinter::new(self, op).and_then(|mut printer| {
                match &form {
                    _ if printer.is_opaque => Err(NotCustom::UseGeneric),
                    OpForm::Custom(print) => print(&mut printer),
                    OpForm::Program(program) => format::print(&mut printer, program),
                    OpForm::Generic => Err(NotCustom::UseGeneric),
                }?;
                if printer.is_ambiguous { Err(NotCustom::UseGeneric) } else { Ok(()) }
            });
            match printed {
                Ok(()) => return Ok(()),
                Err(NotCustom::Error(error)) => return Err(error),
                Err(NotCustom::UseGeneric) => {
                    self.take_pieces();
                    self.print.buffer().truncate(start);
                    self.holes.retain(|hole| hole.0.start < start);
                    self.is_open = false;
                }
            }
        }
        match OpPrinter::new(self, op).and_then(|mut printer| printer.generic()) {
            Ok(()) => Ok(()),
            Err(NotCustom::Error(error)) => Err(error),
            Err(NotCustom::UseGeneric) => Err(mlirbc_ir::Error::misuse("an operation cannot be printed")),
        }
    }

    /// Prints an operation without regions in the middle of another, without a location.
    fn inline(&mut self, op: OpRef<'m>) -> Result<()> {
        if self.locations && self.print.is_collecting() {
            // Its location is not printed, but has been looked at.
            let context = self.module.context();
            let symbol = Aliasable::location(context, op.location()?);
            if let Some(collector) = &mut self.collector {
                collector.visit(context, symbol, true);
            }
        }
        if self.collector.is_some() {
            self.valid_kind(op)?;
        }
        let pieces = std::mem::take(&mut self.pieces);
        let marks = std::mem::take(&mut self.marks);
        self.flush_visits();
        let kept = std::mem::replace(&mut self.pieces, pieces);
        self.pieces.extend(kept);
        let outer = std::mem::take(&mut self.pieces);
        self.operation(op, None)?;
        let inner = self.take_pieces();
        self.pieces = outer;
        self.pieces.extend(inner);
        self.marks = marks;
        Ok(())
    }

    /// What has been printed behind the mark of the first region, and the marks.
    fn take_pieces(&mut self) -> VecDeque<Piece> {
        self.flush_visits();
        let mut pieces: VecDeque<Piece> = std::mem::take(&mut self.pieces).into();
        let mut end = self.print.buffer().len();
        while let Some((at, region)) = self.marks.pop() {
            if at < end {
                pieces.push_front(Piece::Bytes(self.print.buffer()[at..end].to_vec()));
            }
            pieces.push_front(Piece::Region(region));
            end = at;
        }
        self.print.buffer().truncate(end);
        pieces
    }

    /// Moves what the printer noted to the pieces of the operation.
    fn flush_visits(&mut self) {
        if let Some(visits) = self.print.collected() {
            self.pieces.extend(visits.drain(..).map(Piece::Visit));
        }
    }

    fn form(&mut self, name: OperationName) -> OpForm {
        if let Some(form) = self.forms.get(&name) {
            return form.clone();
        }
        let context = self.module.context();
        let form = match context.definition(name) {
            None => OpForm::Generic,
            Some(definition) if definition.traits.contains(Traits::OPAQUE_PROPERTIES) => OpForm::Generic,
            Some(definition) => match TextHooks::assembly(context, &definition.name) {
                Some(form) => OpForm::Custom(form.print),
                None => match Program::new(definition, &self.checker) {
                    Some(program) => OpForm::Program(Rc::new(program)),
                    None => OpForm::Generic,
                },
            },
        };
        self.forms.insert(name, form.clone());
        form
    }

    /// Goes on with an operation up to its next region, or to its end.
    fn rest(&mut self, op: OpRef<'m>, rest: Rest) -> Result<()> {
        let region = match rest {
            Rest::OfKind(kind, at) => {
                let is_visit = self.collector.is_some();
                let part = if is_visit {
                    self.kinds.next_region(kind, at)
                } else {
                    self.kinds.print(kind, at, op, &self.names, self.print.buffer())
                };
                part.map(|(next, piece)| (Rest::OfKind(kind, next), piece))
            }
            Rest::Pieces(mut pieces, visited) => loop {
                match pieces.pop_front() {
                    Some(Piece::Bytes(bytes)) => self.out().extend_from_slice(&bytes),
                    Some(Piece::Visit(symbol)) => {
                        if let Some(collector) = &mut self.collector {
                            collector.visit(self.module.context(), symbol, false);
                        }
                    }
                    Some(Piece::Region(piece)) => break Some((Rest::Pieces(pieces, visited), piece)),
                    None => {
                        // What is in its regions may show the same, and be the first to show what comes behind them.
                        if let Some((kind, regions)) = visited {
                            self.kinds.note_visited(kind, regions);
                        }
                        break None;
                    }
                }
            },
        };
        match region {
            Some((rest, piece)) => {
                self.frames.push(Frame::Rest(op, rest));
                self.region(op, piece)
            }
            None => self.end(op),
        }
    }

    fn end(&mut self, op: OpRef<'m>) -> Result<()> {
        if self.collector.is_some() {
            self.print.buffer().clear();
            return Ok(());
        }
        if self.locations {
            self.trailing_location(op.location()?, true)?;
        }
        self.out().push(b'\n');
        Ok(())
    }

    /// Prints ` loc(...)`.
    fn trailing_location(&mut self, location: Location, alias: bool) -> Result<()> {
        let context = self.module.context();
        self.out().extend_from_slice(b" loc(");
        let symbol = Aliasable::location(context, location);
        if !(alias && self.print.alias(symbol)) {
            match location {
                Location::File { file, line, column } => self.place(file, line, column),
                Location::Attribute(attribute) => self.print.location(attribute)?,
            }
        }
        self.out().push(b')');
        Ok(())
    }

    fn ty(&mut self, ty: TypeRef) -> Result<()> {
        if self.print.is_collecting() {
            return if self.visited.insert(ty) { self.print.ty(self.module.ty(ty)?) } else { Ok(()) };
        }
        if let Some(text) = self.types.get(&ty) {
            self.print.buffer().extend_from_slice(self.types.bytes(text));
            return Ok(());
        }
        let start = self.print.buffer().len();
        let held = self.print.hold(true);
        let done = self.print.ty(self.module.ty(ty)?);
        self.print.hold(held);
        done?;
        self.types.keep(ty, &self.print.buffer()[start..], false);
        Ok(())
    }

    fn is_empty_dictionary(&self, dictionary: Attribute) -> bool {
        matches!(&self.module.context()[dictionary], AttributeData::Dictionary(entries) if entries.is_empty())
    }
}
