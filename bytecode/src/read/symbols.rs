//! Finding one symbol without decoding the others.

use std::sync::PoisonError;

use hashbrown::hash_map::Entry;
use mlirbc_ir::ods::PropertyKind;
use mlirbc_ir::{
    AttributeData, AttributeRef, BodyId, Module, OpId, OperationName, PendingBody, Ref, Result, SymbolPlace,
};

use super::file::BytecodeFile;
use super::ir::BodyReader;
use super::symbol_scan::{Naming, SymbolField, SymbolScan, SymbolTables};
use crate::encoding::Table;
use crate::format::{Cursor, Data, SectionId};

impl BytecodeFile {
    /// Reads the one operation that stands at `offset`, once; `None` where it cannot be read alone.
    pub(crate) fn fragment(&self, module: &Module, offset: u64) -> Result<Option<(BodyId, OpId)>> {
        let mut fragments = self.seldom().fragments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&place) = fragments.get(&offset) {
            return Ok(Some(place));
        }
        // Declared first, since the operation's own body is declared as its child.
        let id = module.declare_fragment(None, None);
        let read = BodyReader::new(self, module).and_then(|reader| reader.fragment(id, offset));
        let body = read.map_err(|error| self.of_file(error.in_section(SectionId::Ir.name())))?;
        let Some(body) = body else { return Ok(None) };
        module.fill(id, body);
        let place = (id, OpId::from_index(0));
        fragments.insert(offset, place);
        Ok(Some(place))
    }

    /// Looks up a symbol of the body that stands at `offset` in the index; `None` where there is none that covers the body, or the body has to
    /// be read for it.
    pub(super) fn indexed_symbol(
        &self,
        module: &Module,
        offset: u64,
        name: &[u8],
    ) -> Option<Result<Option<SymbolPlace>>> {
        let index = self.index.as_ref().filter(|index| index.covers(offset))?;
        let places = match index.candidates(name) {
            Ok(places) => places,
            Err(error) => return Some(Err(error)),
        };
        for place in places {
            match self.named(module, place, name)? {
                Ok(None) => {}
                found => return Some(found),
            }
        }
        Some(Ok(None))
    }

    /// Looks for a symbol in a body that has not been entered; `None` where the body has to be read for it.
    pub(super) fn scan_for_symbol(
        &self,
        module: &Module,
        body: PendingBody,
        name: &[u8],
    ) -> Option<Result<Option<SymbolPlace>>> {
        let mut scans = self.seldom().symbol_scans.lock().unwrap_or_else(PoisonError::into_inner);
        let scan = match scans.entry(body.offset) {
            Entry::Occupied(scan) => scan.into_mut(),
            // Before version 5 names are among the attributes, and regions before version 2 have no length.
            Entry::Vacant(_) if self.version() < 5 => return None,
            Entry::Vacant(scan) => scan.insert(SymbolScan::new(self.guarded(), body)?),
        };
        for place in scan.met(name) {
            match self.named(module, place, name)? {
                Ok(None) => {}
                found => return Some(found),
            }
        }
        // What looks like the name may be none.
        loop {
            let Some(place) = scan.next(self, name)? else { return Some(Ok(None)) };
            match self.named(module, place, name)? {
                Ok(None) => {}
                found => return Some(found),
            }
        }
    }

    /// The operation that stands at `offset`, if it defines that symbol; `None` where it cannot be read alone.
    fn named(&self, module: &Module, offset: u64, name: &[u8]) -> Option<Result<Option<SymbolPlace>>> {
        let (id, op) = match self.fragment(module, offset).transpose()? {
            Ok(place) => place,
            Err(error) => return Some(Err(error)),
        };
        let defines = || {
            let body = module.body(id)?;
            let field = self.symbol_field(body.name(op));
            self.defines(module, (id, op), body.properties(op), field.as_ref(), name, &mut None)
        };
        Some(defines().map(|found| found.then_some((id, op))))
    }

    /// Whether an operation defines that symbol: as its blob says where that is enough, and else by its properties.
    fn defines(
        &self,
        module: &Module,
        place: SymbolPlace,
        properties: Option<AttributeRef>,
        field: Option<&SymbolField>,
        name: &[u8],
        next: &mut Option<(usize, u64)>,
    ) -> Result<bool> {
        let raw = match (field, properties.map(|properties| properties.resolve())) {
            (Some(field), Some(Ref::Source(blob))) => self.raw_symbol(blob, field, next)?,
            _ => None,
        };
        let op = module.operation(place.0, place.1)?;
        // What looks like the name is none where the layout of the rest of the blob is unknown.
        let is_known = || match op.properties() {
            Ok(Some(properties)) => !matches!(self.context()[properties], AttributeData::Encoded(_)),
            _ => true,
        };
        if let Some(symbol) = raw
            && (symbol != name || is_known())
        {
            return Ok(symbol == name);
        }
        let symbol = op.symbol_name()?;
        Ok(symbol.is_some_and(|symbol| self.context().bytes(symbol) == name))
    }

    /// Looks for a symbol among the operations directly in a body.
    pub(super) fn symbol_in(&self, module: &Module, id: BodyId, name: &[u8]) -> Result<Option<SymbolPlace>> {
        let body = module.body(id)?;
        let mut last: Option<(OperationName, Option<SymbolField>)> = None;
        let mut next = None;
        for block in body.top_regions().iter().flat_map(|&region| body.blocks(region)) {
            for op in body.operations(block) {
                let operation = body.name(op);
                if last.as_ref().is_none_or(|last| last.0 != operation) {
                    last = Some((operation, self.symbol_field(operation)));
                }
                let field = last.as_ref().and_then(|last| last.1.as_ref());
                if self.defines(module, (id, op), body.properties(op), field, name, &mut next)? {
                    return Ok(Some((id, op)));
                }
            }
        }
        Ok(None)
    }

    /// Where the symbol's name stands in a blob of that name's properties. `None` where it has to be found in another way.
    pub(super) fn symbol_field(&self, name: OperationName) -> Option<SymbolField> {
        let definition = self.context().definition(name)?;
        let layout = self.layout_of(name, definition).ok().flatten()?;
        let mut before = Vec::new();
        for member in &*layout {
            // Version 5 has other fields among these; only what all versions agree on is taken.
            before.push(match member.kind {
                PropertyKind::Required => false,
                PropertyKind::Optional => true,
                _ => return None,
            });
            if member.name == "sym_name" {
                let sorted_alike = member.name.as_str() < "operandSegmentSizes" || self.version() >= 6;
                let segments = |kind: &PropertyKind| {
                    matches!(kind, PropertyKind::OperandSegments(_) | PropertyKind::ResultSegments(_))
                };
                let plain = !layout.iter().any(|member| segments(&member.kind));
                return (sorted_alike || plain).then_some(SymbolField { before });
            }
        }
        None
    }

    /// The symbol's name, from the operation's blob and the tables' bytes; `None` where it is not a plain string there.
    /// `next` is where the blob before was left.
    pub(super) fn raw_symbol(
        &self,
        blob: u32,
        field: &SymbolField,
        next: &mut Option<(usize, u64)>,
    ) -> Result<Option<&[u8]>> {
        let Some(range) = self.property_blobs()?.get_next(self.guarded(), blob, next)? else { return Ok(None) };
        let mut cursor = Cursor::new(self.guarded(), range.start, range.end);
        let mut index = 0;
        for &optional in &field.before {
            // A blob that is too short is one of another layout.
            let Ok(number) = cursor.varint() else { return Ok(None) };
            index = number;
            if optional {
                // An absent name reads as an index that is none.
                index = if index & 1 == 1 { index >> 1 } else { u64::MAX };
            }
        }
        let counts = self.counts()?;
        let Some(index) = u32::try_from(index).ok().filter(|&index| index < counts.attributes) else { return Ok(None) };
        let entry = self.entry(Table::Attributes, index)?;
        let dialect = self.context().bytes(self.dialect_name(entry.dialect)?);
        let mut cursor = Cursor::new(self.guarded(), entry.range.start, entry.range.end);
        if !entry.custom || dialect != b"builtin" || cursor.varint()? != crate::encoding::builtin::STRING {
            return Ok(None);
        }
        let string = cursor.index()?;
        self.string(string).map(Some)
    }
}

impl SymbolTables for BytecodeFile {
    fn data(&self) -> Data<'_> {
        self.guarded()
    }

    fn operation(&self, index: u32) -> Result<OperationName> {
        self.operation_name(index)
    }

    fn naming(&self, name: OperationName) -> Naming {
        match self.symbol_field(name) {
            Some(field) => Naming::Blob(field),
            None => match self.context().definition(name) {
                Some(definition) if !self.may_have(definition, "sym_name") => Naming::None,
                _ => Naming::Unknown,
            },
        }
    }

    fn symbol(&self, blob: u32, field: &SymbolField, next: &mut Option<(usize, u64)>) -> Result<Option<&[u8]>> {
        self.raw_symbol(blob, field, next)
    }
}
