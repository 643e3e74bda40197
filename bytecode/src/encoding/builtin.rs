//! The builtin dialect's encodings (MLIR's `BuiltinDialectBytecode.td`).

use mlirbc_ir::number::FloatKind;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{
    Attribute, AttributeData, Error, Identifier, Result, Signedness, Type, TypeData, UNKNOWN_COLUMN, fresh_number,
};

use super::{DialectEncoding, EntryReader, EntryWriter, affine};

pub(crate) struct Builtin;

/// The number of the file-line-column location among the attributes.
pub(crate) const FILE_LINE_COLUMN: u64 = 11;

/// The numbers of locations.
pub(crate) const LOCATION_CODES: [u64; 7] = [10, FILE_LINE_COLUMN, 12, 13, 14, 15, 22];

/// The unknown location's entry.
pub(crate) const UNKNOWN_LOCATION: [u8; 1] = [15 << 1 | 1];

/// The number of the string attribute without a type.
pub(crate) const STRING: u64 = 2;

/// The number of the strided layout among the attributes.
const STRIDED_LAYOUT: u64 = 25;

/// The floating-point types by code, and the first release that writes the code; older ones write the type as text.
const FLOATS: [(u64, FloatKind, Release); 18] = [
    (3, FloatKind::BF16, EVER),
    (4, FloatKind::F16, EVER),
    (5, FloatKind::F32, EVER),
    (6, FloatKind::F64, EVER),
    (7, FloatKind::F80, EVER),
    (8, FloatKind::F128, EVER),
    (21, FloatKind::TF32, SMALL_FLOATS),
    (22, FloatKind::F8E5M2, SMALL_FLOATS),
    (23, FloatKind::F8E4M3, SMALL_FLOATS),
    (24, FloatKind::F8E4M3FN, SMALL_FLOATS),
    (25, FloatKind::F8E5M2FNUZ, SMALL_FLOATS),
    (26, FloatKind::F8E4M3FNUZ, SMALL_FLOATS),
    (27, FloatKind::F8E4M3B11FNUZ, SMALL_FLOATS),
    (28, FloatKind::F8E3M4, SMALL_FLOATS),
    (29, FloatKind::F4E2M1FN, SMALL_FLOATS),
    (30, FloatKind::F6E2M3FN, SMALL_FLOATS),
    (31, FloatKind::F6E3M2FN, SMALL_FLOATS),
    (32, FloatKind::F8E8M0FNU, SMALL_FLOATS),
];

/// Before the first release that wrote bytecode.
const EVER: Release = Release::new(0);

/// The first release with codes for the small floating-point types.
const SMALL_FLOATS: Release = Release::new(23);

/// The first release with codes for affine maps, integer sets and strided layouts.
const AFFINE: Release = Release::new(24);

impl DialectEncoding for Builtin {
    fn is_of_mlir(&self) -> bool {
        true
    }

    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let code = reader.varint()?;
        let context = reader.context();
        let data = match code {
            0 => AttributeData::Array(reader.list(EntryReader::attribute)?.into()),
            1 => {
                let entries = reader.list(|reader| Ok((reader.name_attribute()?, reader.attribute()?)))?;
                // Sorting compares names, which dictionaries share.
                let long = entries.iter().map(|entry| context.bytes(entry.0).len().saturating_sub(64) as u64);
                reader.expand(long.sum())?;
                return context.dictionary(entries).map_err(|error| reader.error(error.message()));
            }
            2 => return Ok(context.string(reader.string()?)),
            3 => {
                let value = reader.string()?.into();
                let ty = reader.ty()?;
                AttributeData::String { value, ty: (context[ty] != TypeData::None).then_some(ty) }
            }
            4 => AttributeData::SymbolRef { root: reader.name_attribute()?, nested: Box::default() },
            5 => {
                let root = reader.name_attribute()?;
                let nested = reader.list(flat_symbol)?;
                AttributeData::SymbolRef { root, nested: nested.into() }
            }
            6 => AttributeData::Type(reader.ty()?),
            7 => AttributeData::Unit,
            8 => {
                let ty = reader.ty()?;
                let width = match context[ty] {
                    TypeData::Integer { width, .. } => width,
                    TypeData::Index => 64,
                    _ => return Err(reader.error("an integer attribute of a type that is no integer")),
                };
                AttributeData::Integer { ty, value: reader.ap_int(width)? }
            }
            9 => {
                let ty = reader.ty()?;
                let TypeData::Float(kind) = context[ty] else {
                    return Err(reader.error("a float attribute of a type that is no float"));
                };
                AttributeData::Float { ty, bits: reader.ap_int(kind.width())? }
            }
            10 => AttributeData::CallSiteLocation { callee: reader.location()?, caller: reader.location()? },
            FILE_LINE_COLUMN => {
                let file = reader.name_attribute()?;
                let place = (line_or_column(reader)?, line_or_column(reader)?);
                AttributeData::FileLocation { file, start: place, end: place }
            }
            12 => {
                let locations = reader.list(EntryReader::location)?;
                // Fused locations in it are taken apart: each could hold all of the last one.
                let parts = locations.iter().map(|&location| match &context[location] {
                    AttributeData::FusedLocation { locations, .. } => 4 * locations.len() as u64,
                    _ => 0,
                });
                reader.expand(parts.sum())?;
                return Ok(context.fused_location(&locations, None));
            }
            // MLIR reduces those without metadata alone when it reads them.
            13 => {
                let locations = reader.list(EntryReader::location)?;
                AttributeData::FusedLocation { locations: locations.into(), metadata: Some(reader.attribute()?) }
            }
            14 => AttributeData::NameLocation { name: reader.name_attribute()?, child: reader.location()? },
            15 => AttributeData::UnknownLocation,
            16 => {
                let (ty, resource) = (reader.ty()?, reader.resource()?);
                let owner = context.bytes(context[resource].dialect);
                // Text would say that it is one of `builtin`.
                if owner != b"builtin" {
                    let owner = Error::quoted(owner);
                    return Err(reader.error(format!("a resource of {owner}, where one of `builtin` must be")));
                }
                AttributeData::DenseResource { ty, resource }
            }
            17 => return dense_array(reader),
            18 => {
                let ty = reader.ty()?;
                let data = reader.blob()?;
                AttributeData::dense_elements(context, ty, data).map_err(|error| reader.error(error.message()))?
            }
            19 => dense_strings(reader)?,
            20 => {
                let (ty, indices, values) = (reader.ty()?, reader.attribute()?, reader.attribute()?);
                // Each index is looked at, though others may hold the array, too.
                if let AttributeData::DenseElements { data, .. } = &context[indices] {
                    reader.expand(data.len() as u64)?;
                }
                AttributeData::Sparse { ty, indices, values }
            }
            21 => AttributeData::Distinct { referenced: reader.attribute()?, id: fresh_number() },
            22 => file_range(reader)?,
            affine::MAP => affine::read_map(reader)?,
            affine::SET => affine::read_set(reader)?,
            STRIDED_LAYOUT => AttributeData::StridedLayout {
                offset: reader.signed_varint()?,
                strides: reader.list(EntryReader::signed_varint)?.into(),
            },
            _ => return Err(reader.unknown(format!("no builtin attribute has the code {code}"))),
        };
        data.verify(context).map_err(|error| reader.error(error.message()))?;
        Ok(context.attribute(data))
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        let code = reader.varint()?;
        let context = reader.context();
        let data = match code {
            0 => {
                let value = reader.varint()?;
                let signedness = match value & 3 {
                    0 => Signedness::Signless,
                    1 => Signedness::Signed,
                    2 => Signedness::Unsigned,
                    _ => return Err(reader.error("no integer type has the signedness 3")),
                };
                let Ok(width) = u32::try_from(value >> 2) else {
                    return Err(reader.error(format!("an integer type of {} bits", value >> 2)));
                };
                TypeData::Integer { width, signedness }
            }
            1 => TypeData::Index,
            2 => TypeData::Function {
                inputs: reader.list(EntryReader::ty)?.into(),
                results: reader.list(EntryReader::ty)?.into(),
            },
            9 => TypeData::Complex(reader.ty()?),
            10 | 11 => {
                let space = if code == 11 { memory_space(reader)? } else { None };
                TypeData::MemRef { shape: shape(reader)?, element: reader.ty()?, layout: reader.attribute()?, space }
            }
            12 => TypeData::None,
            13 | 14 => {
                let encoding = if code == 14 { Some(reader.attribute()?) } else { None };
                TypeData::RankedTensor { shape: shape(reader)?, element: reader.ty()?, encoding }
            }
            15 => TypeData::Tuple(reader.list(EntryReader::ty)?.into()),
            16 => TypeData::UnrankedMemRef { element: reader.ty()?, space: None },
            17 => {
                let space = memory_space(reader)?;
                TypeData::UnrankedMemRef { element: reader.ty()?, space }
            }
            18 => TypeData::UnrankedTensor(reader.ty()?),
            19 => TypeData::Vector { shape: shape(reader)?, scalable: Box::default(), element: reader.ty()? },
            20 => {
                let scalable = reader.list(EntryReader::bool)?;
                let scalable = if scalable.contains(&true) { scalable } else { Vec::new() };
                TypeData::Vector { scalable: scalable.into(), shape: shape(reader)?, element: reader.ty()? }
            }
            _ => match FLOATS.iter().find(|float| float.0 == code) {
                Some(&(_, kind, _)) => TypeData::Float(kind),
                None => return Err(reader.unknown(format!("no builtin type has the code {code}"))),
            },
        };
        data.verify(context).map_err(|error| reader.error(error.message()))?;
        Ok(context.ty(data))
    }

    fn has_resources(&self) -> bool {
        true
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        match &context[attribute] {
            AttributeData::Array(elements) => {
                writer.varint(0);
                writer.list(elements.iter(), |writer, &element| writer.attribute(element));
            }
            AttributeData::Dictionary(entries) => {
                writer.varint(1);
                writer.list(entries.iter(), |writer, &(name, value)| {
                    writer.attribute(name);
                    writer.attribute(value);
                });
            }
            AttributeData::String { value, ty: None } => {
                writer.varint(2);
                writer.string(value);
            }
            AttributeData::String { value, ty: Some(ty) } => {
                writer.varint(3);
                writer.string(value);
                writer.ty(*ty);
            }
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => {
                writer.varint(4);
                writer.attribute(*root);
            }
            AttributeData::SymbolRef { root, nested } => {
                writer.varint(5);
                writer.attribute(*root);
                writer.list(nested.iter(), |writer, &name| {
                    let flat = AttributeData::SymbolRef { root: name, nested: Box::default() };
                    writer.attribute(context.attribute(flat));
                });
            }
            AttributeData::Type(ty) => {
                writer.varint(6);
                writer.ty(*ty);
            }
            AttributeData::Unit => writer.varint(7),
            AttributeData::Integer { ty, value } => {
                writer.varint(8);
                writer.ty(*ty);
                writer.ap_int(value);
            }
            AttributeData::Float { ty, bits } => {
                writer.varint(9);
                writer.ty(*ty);
                writer.ap_int(bits);
            }
            AttributeData::CallSiteLocation { callee, caller } => {
                writer.varint(10);
                writer.attribute(*callee);
                writer.attribute(*caller);
            }
            &AttributeData::FileLocation { file, start, end } => write_file_location(writer, file, start, end),
            AttributeData::FusedLocation { locations, metadata } => {
                writer.varint(if metadata.is_some() { 13 } else { 12 });
                writer.list(locations.iter(), |writer, &location| writer.attribute(location));
                if let Some(metadata) = metadata {
                    writer.attribute(*metadata);
                }
            }
            AttributeData::NameLocation { name, child } => {
                writer.varint(14);
                writer.attribute(*name);
                writer.attribute(*child);
            }
            AttributeData::UnknownLocation => writer.varint(15),
            AttributeData::DenseResource { ty, resource } => {
                writer.varint(16);
                writer.ty(*ty);
                writer.resource(*resource);
            }
            AttributeData::DenseArray { element, data } => {
                writer.varint(17);
                writer.ty(*element);
                writer.varint((data.len() / element_bytes(&context[*element]).max(1)) as u64);
                writer.shared_blob(data);
            }
            AttributeData::DenseElements { ty, data } => {
                writer.varint(18);
                writer.ty(*ty);
                writer.shared_blob(data);
            }
            AttributeData::DenseStrings { ty, values, splat } => {
                writer.varint(19);
                writer.ty(*ty);
                writer.varint(u64::from(*splat));
                for value in values {
                    writer.string(value);
                }
            }
            AttributeData::Sparse { ty, indices, values } => {
                writer.varint(20);
                writer.ty(*ty);
                writer.attribute(*indices);
                writer.attribute(*values);
            }
            AttributeData::Distinct { referenced, .. } => {
                writer.varint(21);
                writer.attribute(*referenced);
            }
            AttributeData::AffineMap(map) if writer.release() >= AFFINE => affine::write_map(map, writer),
            AttributeData::IntegerSet(set) if writer.release() >= AFFINE => affine::write_set(set, writer),
            AttributeData::StridedLayout { strides, offset } if writer.release() >= AFFINE => {
                writer.varint(STRIDED_LAYOUT);
                writer.signed_varint(*offset);
                writer.list(strides.iter(), |writer, &stride| writer.signed_varint(stride));
            }
            _ => return false,
        }
        true
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let types = |writer: &mut EntryWriter<'_>, types: &[Type]| {
            writer.list(types.iter(), |writer, &ty| writer.ty(ty));
        };
        let shape = |writer: &mut EntryWriter<'_>, shape: &[i64]| {
            writer.list(shape.iter(), |writer, &size| writer.signed_varint(size));
        };
        match &context[ty] {
            TypeData::Integer { width, signedness } => {
                writer.varint(0);
                let sign = match signedness {
                    Signedness::Signless => 0,
                    Signedness::Signed => 1,
                    Signedness::Unsigned => 2,
                };
                writer.varint(u64::from(*width) << 2 | sign);
            }
            TypeData::Index => writer.varint(1),
            TypeData::Function { inputs, results } => {
                writer.varint(2);
                types(writer, inputs);
                types(writer, results);
            }
            TypeData::Float(kind) => match FLOATS.iter().find(|float| float.1 == *kind) {
                Some(&(code, _, since)) if writer.release() >= since => writer.varint(code),
                _ => return false,
            },
            TypeData::Complex(element) => {
                writer.varint(9);
                writer.ty(*element);
            }
            TypeData::MemRef { shape: sizes, element, layout, space } => {
                writer.varint(if space.is_some() { 11 } else { 10 });
                if let Some(space) = space {
                    writer.attribute(*space);
                }
                shape(writer, sizes);
                writer.ty(*element);
                writer.attribute(*layout);
            }
            TypeData::None => writer.varint(12),
            TypeData::RankedTensor { shape: sizes, element, encoding } => {
                writer.varint(if encoding.is_some() { 14 } else { 13 });
                if let Some(encoding) = encoding {
                    writer.attribute(*encoding);
                }
                shape(writer, sizes);
                writer.ty(*element);
            }
            TypeData::Tuple(elements) => {
                writer.varint(15);
                types(writer, elements);
            }
            TypeData::UnrankedMemRef { element, space } => {
                writer.varint(if space.is_some() { 17 } else { 16 });
                if let Some(space) = space {
                    writer.attribute(*space);
                }
                writer.ty(*element);
            }
            TypeData::UnrankedTensor(element) => {
                writer.varint(18);
                writer.ty(*element);
            }
            TypeData::Vector { shape: sizes, scalable, element } => {
                writer.varint(if scalable.is_empty() { 19 } else { 20 });
                if !scalable.is_empty() {
                    writer.list(scalable.iter(), |writer, &scalable| writer.bool(scalable));
                }
                shape(writer, sizes);
                writer.ty(*element);
            }
            _ => return false,
        }
        true
    }
}

/// Which numbers a range is written with: `FileLineColRange` in MLIR's `BuiltinDialectBytecode.td`.
fn write_file_location(writer: &mut EntryWriter<'_>, file: Identifier, start: (u32, u32), end: (u32, u32)) {
    writer.varint(if start == end { FILE_LINE_COLUMN } else { 22 });
    writer.attribute(file);
    let numbers: &[u32] = match (start, end) {
        _ if start == end => {
            writer.varint(start.0.into());
            writer.varint(start.1.into());
            return;
        }
        // MLIR writes any end column so, and loses it.
        ((line, 0), (end_line, UNKNOWN_COLUMN)) if line == end_line => &[line],
        ((line, column), (end_line, end_column)) if line == end_line => &[line, column, end_column],
        ((line, column), (end_line, end_column)) => &[line, column, end_line, end_column],
    };
    writer.list(numbers.iter(), |writer, &number| writer.varint(number.into()));
}

/// Bytes of one element of a dense array; 0 where it can be in none.
fn element_bytes(ty: &TypeData) -> usize {
    match *ty {
        TypeData::Integer { width: 1, .. } => 1,
        TypeData::Integer { width, .. } => width as usize / 8,
        TypeData::Float(kind) => kind.width() as usize / 8,
        _ => 0,
    }
}

fn flat_symbol(reader: &mut EntryReader<'_, '_>) -> Result<Identifier> {
    let attribute = reader.attribute()?;
    match &reader.context()[attribute] {
        AttributeData::SymbolRef { root, nested } if nested.is_empty() => Ok(*root),
        _ => Err(reader.error("a flat symbol reference is wanted here")),
    }
}

/// The memory space that a type names; the one that all types have is none.
fn memory_space(reader: &mut EntryReader<'_, '_>) -> Result<Option<Attribute>> {
    let space = reader.attribute()?;
    Ok((!reader.context().is_default_memory_space(space)).then_some(space))
}

fn shape(reader: &mut EntryReader<'_, '_>) -> Result<Box<[i64]>> {
    Ok(reader.list(EntryReader::signed_varint)?.into())
}

fn line_or_column(reader: &mut EntryReader<'_, '_>) -> Result<u32> {
    let value = reader.varint()?;
    u32::try_from(value).map_err(|_| reader.error(format!("line or column {value} is over 32 bits")))
}

fn file_range(reader: &mut EntryReader<'_, '_>) -> Result<AttributeData> {
    let file = reader.name_attribute()?;
    let numbers = reader.list(line_or_column)?;
    let (start, end) = match numbers[..] {
        [] => ((0, 0), (0, 0)),
        [line] => ((line, 0), (line, UNKNOWN_COLUMN)),
        [line, column] => ((line, column), (line, column)),
        [line, start, end] => ((line, start), (line, end)),
        [start_line, start, end_line, end] => ((start_line, start), (end_line, end)),
        _ => return Err(reader.error(format!("a location range of {}", Error::counted(numbers.len(), "number")))),
    };
    Ok(AttributeData::FileLocation { file, start, end })
}

fn dense_array(reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
    let element = reader.ty()?;
    let count = reader.varint()?;
    let data = reader.blob()?;
    let context = reader.context();
    let size = element_bytes(&context[element]) as u64;
    if count.checked_mul(size) != Some(data.len() as u64) {
        return Err(reader.error(format!(
            "a dense array of {} in {}",
            Error::counted(count, "element"),
            Error::counted(data.len(), "byte")
        )));
    }
    let data = AttributeData::DenseArray { element, data };
    data.verify(context).map_err(|error| reader.error(error.message()))?;
    Ok(context.attribute(data))
}

fn dense_strings(reader: &mut EntryReader<'_, '_>) -> Result<AttributeData> {
    let ty = reader.ty()?;
    let splat = reader.varint()? != 0;
    let count = match splat {
        true => 1,
        false => reader.context()[ty]
            .element_count()
            .ok_or_else(|| reader.error("dense strings of a type without a static shape"))?,
    };
    if count > reader.remaining() as u64 {
        return Err(reader.error(format!(
            "{} announced, {} left",
            Error::counted(count, "string"),
            Error::counted(reader.remaining(), "byte")
        )));
    }
    let mut values = Vec::new();
    for _ in 0..count {
        values.push(reader.string()?.into());
    }
    Ok(AttributeData::DenseStrings { ty, values: values.into(), splat })
}
