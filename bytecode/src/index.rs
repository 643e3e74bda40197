//! Makes the index of a file. What stands in it, and how it is looked up in, is in `read/index.rs`.

use mlirbc_ir::{AttributeData, Context, Error, Module, Result};

use crate::format::SectionId;
use crate::read::index::{FAR, HEADER, MAGIC, Part, SymbolRow, fingerprint, hash};
use crate::read::{BodyReader, BytecodeFile, FixedState, Index, read};

/// Of how many strings a copy may be kept: names are few, and come first.
const MOST_NAMES: usize = 1 << 12;

impl Index {
    /// Makes the index of the file that the module was read from. Bodies of the module stay as they are.
    ///
    /// # Errors
    /// Where a table of the file or its outermost symbol table is malformed, or the module has no bytecode file.
    pub fn build(module: &Module) -> Result<Index> {
        let file = BytecodeFile::of(module).ok_or_else(|| Error::misuse("the module was not read from bytecode"))?;
        let (symbol_table, mut symbols) = symbols(file)?;
        symbols.sort_unstable();
        let symbol_count = symbols.len() as u64;
        let mut parts: [Vec<u8>; 6] = Default::default();
        fn save<S: FixedState + Copy>(states: impl Iterator<Item = S>, to: &mut Vec<u8>) {
            states.for_each(|state| state.save(to));
        }
        save(symbols.into_iter(), &mut parts[0]);
        let strings = file.strings()?;
        let mut starts = Vec::with_capacity(strings.len());
        strings.walk(file.guarded(), |place| starts.push(place.start as u64))?;
        starts.reverse();
        let names = file.dialects()?.names().max().map_or(0, |last| last as usize + 1);
        let names = if names <= MOST_NAMES { names } else { 0 };
        for number in 0..names as u32 {
            parts[Part::Names as usize].extend(file.string(number)?);
            parts[Part::Names as usize].push(0);
        }
        save(starts.into_iter(), &mut parts[1]);
        save(file.entries()?.attributes.thin(FAR), &mut parts[2]);
        save(file.entries()?.types.thin(FAR), &mut parts[3]);
        save(file.property_blobs()?.checkpoints().thin(FAR), &mut parts[4]);

        let counts = file.counts()?;
        let entries = [symbol_count, strings.len() as u64]
            .into_iter()
            .chain([counts.attributes, counts.types, counts.properties, names as u32].map(u64::from));
        let mut bytes = Vec::with_capacity(HEADER + parts.iter().map(Vec::len).sum::<usize>());
        bytes.extend(MAGIC);
        bytes.extend((file.data().len() as u64).to_le_bytes());
        bytes.extend(fingerprint(file.data(), file.section(SectionId::Ir).unwrap_or_default().start).to_le_bytes());
        bytes.extend(symbol_table.to_le_bytes());
        bytes.extend(file.header.alignment.to_le_bytes());
        for id in SectionId::ALL {
            let section = file.section(id).unwrap_or(0..0);
            bytes.extend((section.start as u64).to_le_bytes());
            bytes.extend((section.end as u64).to_le_bytes());
        }
        // What is small comes first, so that it shares a block with the header.
        let order = [Part::Names, Part::Types, Part::Properties, Part::Attributes, Part::Strings, Part::Symbols];
        let mut places = [0; 6];
        let mut at = HEADER as u64;
        for part in order {
            places[part as usize] = at;
            at += parts[part as usize].len() as u64;
        }
        for (((rows, part), at), entries) in parts.iter().zip(Part::ALL).zip(places).zip(entries) {
            bytes.extend(at.to_le_bytes());
            bytes.extend((rows.len() as u64 / part.row_size()).to_le_bytes());
            bytes.extend(entries.to_le_bytes());
        }
        order.iter().for_each(|part| bytes.extend(&parts[*part as usize]));
        Index::open(bytes)
    }
}

/// Where the regions of the only top-level operation stand, and its symbols.
fn symbols(file: &BytecodeFile) -> Result<(u64, Vec<SymbolRow>)> {
    // A second view of the file, so that what is read here is not part of the caller's module.
    file.check_bytes()?;
    let context: &Context = file.context();
    let module = read(context, file.data().clone())?;
    let file = BytecodeFile::of(&module).ok_or_else(|| Error::misuse("the module was not read from bytecode"))?;
    let mut tops = module.operations()?;
    let (Some(top), None) = (tops.next(), tops.next()) else { return Ok((0, Vec::new())) };
    let Some(pending) = top.body().region_body(top.id()).and_then(|child| module.pending(child)) else {
        return Ok((0, Vec::new()));
    };
    if !top.has_trait(mlirbc_ir::ods::Traits::SYMBOL_TABLE) {
        return Ok((0, Vec::new()));
    }
    let child = module.declare(None, None, None);
    let (body, places) = BodyReader::new(file, &module)?.regions_with_places(child, pending)?;
    module.fill(child, body);
    let mut symbols = Vec::new();
    for (op, place) in places {
        let op = module.operation(child, op)?;
        // One whose properties the context cannot decode may define any symbol: there is no table that has them all.
        if op.properties()?.is_some_and(|properties| matches!(context[properties], AttributeData::Encoded(_))) {
            return Ok((0, Vec::new()));
        }
        if let Some(symbol) = op.symbol_name()? {
            symbols.push(SymbolRow { hash: hash(context.bytes(symbol)), place });
        }
    }
    Ok((pending.offset, symbols))
}
