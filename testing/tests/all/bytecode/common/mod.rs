//! Bytecode files put together by hand, right or wrong.
#![allow(dead_code, reason = "each test binary uses its own part")]

mod ops;

use mlirbc_bytecode::{UnknownKind, WriteOptions, decode_all, read, unknown_parts, write};
use mlirbc_ir::{Error, ErrorKind, Module};
use mlirbc_text::{PrintOptions, print_module};

pub(crate) use ops::{Block, Op, Region, op};

/// Bytes being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Out(pub(crate) Vec<u8>);

/// No bytes yet.
pub(crate) fn out() -> Out {
    Out::default()
}

impl Out {
    /// An unsigned integer.
    pub(crate) fn v(mut self, value: u64) -> Self {
        push_varint(&mut self.0, value);
        self
    }

    /// Several of them.
    pub(crate) fn vs(self, values: &[u64]) -> Self {
        values.iter().fold(self, |out, &value| out.v(value))
    }

    /// A signed integer.
    pub(crate) fn z(self, value: i64) -> Self {
        self.v((value << 1 ^ value >> 63) as u64)
    }

    /// One byte.
    pub(crate) fn b(mut self, byte: u8) -> Self {
        self.0.push(byte);
        self
    }

    /// Bytes as they are.
    pub(crate) fn raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.0.extend_from_slice(bytes.as_ref());
        self
    }

    /// Bytes with their length before them.
    pub(crate) fn blob(self, bytes: impl AsRef<[u8]>) -> Self {
        self.v(bytes.as_ref().len() as u64).raw(bytes)
    }

    /// A section without alignment.
    pub(crate) fn section(self, id: u8, bytes: impl AsRef<[u8]>) -> Self {
        self.b(id).blob(bytes)
    }
}

impl AsRef<[u8]> for Out {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Appends the shortest form of an unsigned integer.
pub(crate) fn push_varint(to: &mut Vec<u8>, value: u64) {
    let bits = 64 - (value | 1).leading_zeros() as usize;
    let length = bits.div_ceil(7);
    if length > 8 {
        to.push(0);
        to.extend(value.to_le_bytes());
    } else {
        to.extend(&((value << 1 | 1) << (length - 1)).to_le_bytes()[..length]);
    }
}

/// How long the integer is that begins with this byte.
pub(crate) fn varint_length(first: u8) -> usize {
    first.trailing_zeros() as usize + 1
}

pub(crate) const STRING: u8 = 0;
pub(crate) const DIALECT: u8 = 1;
pub(crate) const ATTR_TYPE: u8 = 2;
pub(crate) const OFFSETS: u8 = 3;
pub(crate) const IR: u8 = 4;
pub(crate) const RESOURCE: u8 = 5;
pub(crate) const RESOURCE_OFFSET: u8 = 6;
pub(crate) const VERSIONS: u8 = 7;
pub(crate) const PROPERTIES: u8 = 8;

/// One attribute or type.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) dialect: u64,
    pub(crate) custom: bool,
    pub(crate) bytes: Vec<u8>,
}

/// A file by its tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) version: u64,
    pub(crate) strings: Vec<Vec<u8>>,
    /// By dialect: the string of its name, and its version.
    pub(crate) dialects: Vec<(u64, Option<Vec<u8>>)>,
    /// By operation name: dialect, string, and whether it counts as registered.
    pub(crate) names: Vec<(u64, u64, bool)>,
    pub(crate) attributes: Vec<Entry>,
    pub(crate) types: Vec<Entry>,
    pub(crate) properties: Vec<Vec<u8>>,
    /// Offsets and payloads of resources.
    pub(crate) resources: Option<(Out, Out)>,
    pub(crate) ir: Vec<u8>,
}

/// The dialects, names, attributes and types of [`File::new`], by number.
pub(crate) const BUILTIN: u64 = 0;
pub(crate) const T: u64 = 1;
pub(crate) const MODULE: u64 = 0;
pub(crate) const OP: u64 = 1;
pub(crate) const UNKNOWN: u64 = 0;
pub(crate) const I32: u64 = 0;

impl File {
    /// Holds `builtin.module`, the unregistered `t.op`, the unknown location and `i32`; no operation.
    pub(crate) fn new(version: u64) -> Self {
        let mut file = File { version, ir: out().v(0).0, ..File::default() };
        file.dialect("builtin");
        file.dialect("t");
        file.name(BUILTIN, "module", true);
        file.name(T, "op", false);
        file.builtin(out().v(15));
        file.ty(out().v(0).v(32 << 2));
        file
    }

    pub(crate) fn string(&mut self, text: impl AsRef<[u8]>) -> u64 {
        let text = text.as_ref();
        let found = self.strings.iter().position(|string| string == text);
        found.unwrap_or_else(|| {
            self.strings.push(text.to_vec());
            self.strings.len() - 1
        }) as u64
    }

    pub(crate) fn dialect(&mut self, name: &str) -> u64 {
        let name = self.string(name);
        self.dialects.push((name, None));
        self.dialects.len() as u64 - 1
    }

    pub(crate) fn name(&mut self, dialect: u64, name: &str, registered: bool) -> u64 {
        let name = self.string(name);
        self.names.push((dialect, name, registered));
        self.names.len() as u64 - 1
    }

    /// An attribute in an encoding of its dialect.
    pub(crate) fn attribute(&mut self, dialect: u64, bytes: Out) -> u64 {
        self.attributes.push(Entry { dialect, custom: true, bytes: bytes.0 });
        self.attributes.len() as u64 - 1
    }

    /// An attribute in a builtin encoding.
    pub(crate) fn builtin(&mut self, bytes: Out) -> u64 {
        self.attribute(BUILTIN, bytes)
    }

    /// An attribute as text.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        self.attributes.push(Entry { dialect: BUILTIN, custom: false, bytes: out().raw(text).b(0).0 });
        self.attributes.len() as u64 - 1
    }

    /// A string attribute.
    pub(crate) fn string_attribute(&mut self, text: impl AsRef<[u8]>) -> u64 {
        let string = self.string(text);
        self.builtin(out().v(2).v(string))
    }

    /// A type in a builtin encoding.
    pub(crate) fn ty(&mut self, bytes: Out) -> u64 {
        self.types.push(Entry { dialect: BUILTIN, custom: true, bytes: bytes.0 });
        self.types.len() as u64 - 1
    }

    pub(crate) fn properties(&mut self, blob: Out) -> u64 {
        self.properties.push(blob.0);
        self.properties.len() as u64 - 1
    }

    /// Puts operations at the top level.
    pub(crate) fn ops(&mut self, ops: impl IntoIterator<Item = Op>) -> &mut Self {
        let block = Block::of(ops);
        self.ir.clear();
        block.write(self.version, &mut self.ir);
        self
    }

    /// Puts `t.op`s at the top level that hold the attributes in a dictionary each, under the name `a`.
    pub(crate) fn hold(&mut self, attributes: impl IntoIterator<Item = u64>) -> &mut Self {
        let name = self.string_attribute("a");
        let mut ops = Vec::new();
        for attribute in attributes {
            let dictionary = self.builtin(out().v(1).v(1).v(name).v(attribute));
            ops.push(op().attributes(dictionary));
        }
        self.ops(ops)
    }

    pub(crate) fn string_section(&self) -> Vec<u8> {
        let sizes: Vec<u64> = self.strings.iter().rev().map(|string| string.len() as u64 + 1).collect();
        let head = out().v(self.strings.len() as u64).vs(&sizes);
        self.strings.iter().fold(head, |out, string| out.raw(string).b(0)).0
    }

    pub(crate) fn dialect_section(&self) -> Vec<u8> {
        let mut bytes = out().v(self.dialects.len() as u64);
        for (name, version) in &self.dialects {
            bytes = match (self.version, version) {
                (0, _) => bytes.v(*name),
                (_, None) => bytes.v(name << 1),
                (_, Some(version)) => bytes.v(name << 1 | 1).section(VERSIONS, version),
            };
        }
        if self.version >= 4 {
            bytes = bytes.v(self.names.len() as u64);
        }
        for run in self.names.chunk_by(|a, b| a.0 == b.0) {
            bytes = bytes.v(run[0].0).v(run.len() as u64);
            for &(_, name, registered) in run {
                bytes = if self.version < 5 { bytes.v(name) } else { bytes.v(name << 1 | u64::from(registered)) };
            }
        }
        bytes.0
    }

    pub(crate) fn offset_section(&self) -> Vec<u8> {
        let mut bytes = out().v(self.attributes.len() as u64).v(self.types.len() as u64);
        for table in [&self.attributes, &self.types] {
            for run in table.chunk_by(|a, b| a.dialect == b.dialect) {
                bytes = bytes.v(run[0].dialect).v(run.len() as u64);
                for entry in run {
                    bytes = bytes.v((entry.bytes.len() as u64) << 1 | u64::from(entry.custom));
                }
            }
        }
        bytes.0
    }

    pub(crate) fn entry_section(&self) -> Vec<u8> {
        self.attributes.iter().chain(&self.types).flat_map(|entry| entry.bytes.iter().copied()).collect()
    }

    pub(crate) fn property_section(&self) -> Vec<u8> {
        let head = out().v(self.properties.len() as u64);
        self.properties.iter().fold(head, |out, blob| out.blob(blob)).0
    }

    /// The sections in the order in which MLIR writes them.
    pub(crate) fn sections(&self) -> Vec<(u8, Vec<u8>)> {
        let mut sections = vec![
            (DIALECT, self.dialect_section()),
            (OFFSETS, self.offset_section()),
            (ATTR_TYPE, self.entry_section()),
            (IR, self.ir.clone()),
        ];
        if let Some((offsets, payloads)) = &self.resources {
            sections.extend([(RESOURCE_OFFSET, offsets.0.clone()), (RESOURCE, payloads.0.clone())]);
        }
        sections.push((STRING, self.string_section()));
        if self.version >= 5 {
            sections.push((PROPERTIES, self.property_section()));
        }
        sections
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        assemble(self.version, &self.sections())
    }

    /// The file with one section changed.
    pub(crate) fn with(&self, id: u8, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut sections = self.sections();
        let (_, bytes) = sections.iter_mut().find(|section| section.0 == id).expect("the section");
        change(bytes);
        assemble(self.version, &sections)
    }
}

/// The header that every file begins with, up to and with the producer.
pub(crate) fn header(version: u64) -> Out {
    out().raw(b"ML\xefR").v(version).raw(b"hand\0")
}

/// A file of these sections.
pub(crate) fn assemble(version: u64, sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    sections.iter().fold(header(version), |out, (id, bytes)| out.section(*id, bytes)).0
}

/// A file in which everything occurs: each kind of table entry, nested regions, arguments, successors, orders of uses,
/// properties, resources.
pub(crate) fn sample(version: u64) -> File {
    let mut file = File::new(version);
    let x = file.string_attribute("x.mlir");
    let location = file.builtin(out().v(11).v(x).v(3).v(300));
    let five = file.builtin(out().v(8).v(I32).z(5));
    let array = file.builtin(out().v(0).v(2).v(five).v(location));
    let name = file.string_attribute("a");
    let dictionary = file.builtin(out().v(1).v(1).v(name).v(array));
    let text = file.text("affine_map<(d0) -> (d0)>");
    let tensor = file.ty(out().v(13).v(1).z(4).v(I32));
    let function = file.ty(out().v(2).v(2).v(tensor).v(I32).v(1).v(I32));
    let ty = file.builtin(out().v(6).v(function));
    let elements = file.builtin(out().v(18).v(tensor).blob([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]));
    let big = file.builtin(out().v(16).v(tensor).v(0));
    let all = file.builtin(out().v(0).v(4).v(text).v(ty).v(elements).v(big));
    let key = file.string("blob");
    let payload = out().v(1).blob([7; 16]);
    file.resources = Some((out().v(0).v(BUILTIN).v(1).v(key).v(payload.0.len() as u64).b(0), payload));
    let dictionary2 = file.builtin(out().v(1).v(1).v(name).v(all));
    let blob = if version >= 5 { Some(file.properties(out().v(dictionary))) } else { None };
    let module = if version >= 5 { Some(file.properties(out().v(0).v(0))) } else { None };
    let with = |op: Op| match blob {
        Some(blob) => op.properties(blob),
        None => op,
    };
    let inner = Region::blocks(
        3,
        [
            Block::of([
                with(op().results(&[I32]).attributes(dictionary).at(location)),
                op().operands(&[0, 1, 1]).successors(&[1]),
            ])
            .arguments(&[I32]),
            Block::of([op().operands(&[2]).attributes(dictionary2)]).arguments(&[tensor]),
        ],
    );
    let inside = Region::of(
        2,
        [
            op().results(&[I32, I32]),
            op().operands(&[0, 1, 0]).regions([inner.clone(), Region::default()]).at(location),
            op().isolated([Region::of(1, [op().results(&[I32]), op().operands(&[0])])]),
        ],
    );
    let mut top = Op::named(MODULE).isolated([inside]);
    top.properties = module;
    // Inside the inline region values go on from those around it.
    if let Some((_, regions)) = &mut top.regions {
        let op = &mut regions[0].blocks[0].ops[1];
        if let Some((_, regions)) = &mut op.regions {
            regions[0].blocks[0].ops[1].operands = vec![2, 3, 3, 0];
            regions[0].blocks[1].ops[0].operands = vec![4];
        }
    }
    if version >= 3 {
        let Some((_, regions)) = &mut top.regions else { unreachable!("made above") };
        // The first result has three uses: two of one operation and one inside it.
        regions[0].blocks[0].ops[0].orders = Some(out().v(1).v(0).v(3 << 1).vs(&[2, 0, 1]));
    }
    file.ops([top]);
    file
}

/// A file whose one operation has a result of the outermost of so many types, each of which `make` makes around another: around the
/// one before it, the first around `i32`, or around the one behind it, the last around `i32`.
pub(crate) fn nested_types(depth: u64, towards_the_end: bool, make: impl Fn(u64) -> Out) -> Vec<u8> {
    let mut file = File::new(6);
    for at in 0..depth {
        file.ty(make(match towards_the_end {
            false => at,
            true if at == depth - 1 => I32,
            true => at + 2,
        }));
    }
    file.ops([op().results(&[if towards_the_end { 1 } else { depth }])]);
    file.bytes()
}

/// Reads a file and decodes everything in it.
pub(crate) fn load(bytes: &[u8]) -> Result<Module, Error> {
    let module = read(&mlirbc_testing::context(), bytes.to_vec())?;
    decode_all(&module)?;
    Ok(module)
}

/// The module as text, with locations.
pub(crate) fn text(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(true), &mut text).expect("text");
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes a module at its own version and reads that back; what is written of it is the same again.
pub(crate) fn round_trip(module: &Module) -> Result<Vec<u8>, Error> {
    let written = write(module, &WriteOptions::like(module))?;
    let again = load(&written).unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    let rewritten = write(&again, &WriteOptions::like(&again)).expect("what was read is written again");
    assert!(rewritten == written, "writing again gives other bytes");
    Ok(written)
}

/// The file is refused for that reason, in that section, and the error says where and what was being read.
#[track_caller]
pub(crate) fn refused(bytes: &[u8], section: impl Into<Option<&'static str>>, message: &str) {
    let Err(error) = load(bytes) else { panic!("read without an error, where `{message}` was expected") };
    let section = section.into();
    assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
    assert!(error.message().contains(message), "`{message}` expected: {error}");
    assert_eq!(error.place().section, section, "{error}");
    let offset = error.place().offset.unwrap_or_else(|| panic!("no offset: {error}"));
    assert!(offset <= bytes.len() as u64, "{error}");
    assert!(!error.what_was_read().is_empty(), "what was being read is not said: {error}");
    if section.is_some() {
        assert_eq!(error.place().producer.as_deref(), Some("hand"), "{error}");
    }
}

/// The file is read and goes back to the same bytes; a part of it is not known for that reason, and what is said of it says
/// where.
#[track_caller]
pub(crate) fn unknown(bytes: &[u8], message: &str) {
    let module = load(bytes).unwrap_or_else(|error| panic!("`{message}` is no error of the file: {error}"));
    let parts = unknown_parts(&module).expect("decoded");
    let part = parts.iter().find(|part| part.error.message().contains(message));
    let part = part.unwrap_or_else(|| panic!("`{message}` expected: {parts:?}"));
    assert_eq!(part.error.kind(), ErrorKind::Unknown, "{part}");
    assert!(part.error.place().offset.is_some_and(|offset| offset <= bytes.len() as u64), "{part}");
    assert!(part.to_string().contains("unknown to this build"), "{part}");
    assert!(text(&module).contains(".encoded<") || part.kind == UnknownKind::DialectVersion, "{}", text(&module));
    assert_eq!(round_trip(&module).unwrap_or_else(|error| panic!("{error}")), bytes, "other bytes when written back");
}

/// The file is read; its text is the same once it has been written and read again.
#[track_caller]
pub(crate) fn accepted(bytes: &[u8]) -> Module {
    let module = load(bytes).unwrap_or_else(|error| panic!("{error}"));
    let written = round_trip(&module).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text(&load(&written).expect("read before")), text(&module));
    module
}

/// Runs on a thread with a stack of 2 MiB.
pub(crate) fn on_a_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A small generator of numbers that look random: xorshift*.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 11) % end as u64) as usize
    }
}
