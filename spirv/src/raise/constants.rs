//! Constants: a twin of `lower/constants.rs`.
//!
//! A constant that the dialect's own operation can hold has a *value*. One of which more is to be said (that it is made
//! by `OpConstantNull`, what its parts are, its name) has a *tree*: a dictionary. A specialization constant is a symbol.

use bytes::Bytes;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, Result, Type, TypeData};

use super::{IdKind, Raiser};
use crate::dialect::types::{NumberOrSymbol, SpirvType, part, view};
use crate::grammar::Instruction;
use crate::op;

/// What is known of constants, by id.
pub(super) struct Constants(Vec<Constant>);

#[derive(Clone, Copy, Default)]
struct Constant {
    value: Option<Attribute>,
    tree: Option<Attribute>,
    /// The properties of operations that stand for it where it is used.
    properties: Option<AttributeRef>,
    plain: bool,
}

impl Constants {
    pub(super) fn new(bound: usize) -> Self {
        Constants(vec![Constant::default(); bound])
    }

    fn get(&self, id: u32) -> Constant {
        self.0.get(id as usize).copied().unwrap_or_default()
    }

    /// Whether the constant is its value, and nothing else is to be said of it.
    pub(super) fn is_plain(&self, id: u32) -> bool {
        self.get(id).plain
    }

    pub(super) fn properties(&self, id: u32) -> Option<AttributeRef> {
        self.get(id).properties
    }

    pub(super) fn set_properties(&mut self, id: u32, properties: AttributeRef) {
        if let Some(constant) = self.0.get_mut(id as usize) {
            constant.properties = Some(properties);
        }
    }

    /// What the dialect's operation for constants holds.
    pub(super) fn value(&self, id: u32) -> Option<Attribute> {
        self.get(id).value
    }
}

impl Raiser<'_> {
    /// Declares the constant that an instruction makes.
    pub(super) fn declare_constant(&mut self, at: u32) -> Result<()> {
        let scan = self.scan;
        let (opcode, words) = scan.instruction(at);
        let stop = scan.stop();
        let &[_, ty, id, ref operands @ ..] = words else { return Err(stop.at(at, "it has other operands")) };
        let Some(ty) = self.types.get(ty as usize).copied().flatten() else {
            return Err(stop.at(at, "its type is not declared before it"));
        };
        let has_operands = !matches!(opcode, op::CONSTANT_TRUE | op::CONSTANT_FALSE | op::CONSTANT_NULL | op::UNDEF);
        let is_replicated = opcode == op::CONSTANT_COMPOSITE_REPLICATE_EXT;
        if !has_operands && !operands.is_empty() || is_replicated && operands.len() != 1 {
            return Err(stop.at(at, "it has other operands"));
        }
        let value = match opcode {
            op::CONSTANT_TRUE | op::CONSTANT_FALSE
                if self.context[ty] == TypeData::Integer { width: 1, signedness: mlirbc_ir::Signedness::Signless } =>
            {
                Some(self.context.integer(1, (opcode == op::CONSTANT_TRUE).into()))
            }
            op::CONSTANT => self.scalar(ty, operands),
            op::CONSTANT_COMPOSITE => self.composite(ty, operands),
            op::CONSTANT_NULL => self.zero(ty),
            _ => None,
        };
        if opcode == op::CONSTANT && value.is_none() {
            return Err(stop.at(at, "the dialect has no such number"));
        }
        let named = self.is_said(id);
        let plain = value.is_some() && opcode != op::CONSTANT_NULL && !named;
        let constant = &mut self.constants.0[id as usize];
        (constant.value, constant.plain) = (value, plain);
        self.kinds[id as usize] = if opcode == op::UNDEF { IdKind::Undef } else { IdKind::Constant };
        if !plain {
            // Now, when the trees of its parts are there: else they would have to be made one in the other.
            self.make_tree(at, id)?;
        }
        Ok(())
    }

    /// The number in these words.
    pub(super) fn scalar(&self, ty: Type, words: &[u32]) -> Option<Attribute> {
        let context = self.context;
        let (width, signed) = match context[ty] {
            TypeData::Integer { width, signedness } if width > 1 => {
                (width, signedness == mlirbc_ir::Signedness::Signed)
            }
            TypeData::Float(kind) => (kind.width(), false),
            _ => return None,
        };
        let bits = match *words {
            [low] if width <= 32 => low.into(),
            [low, high] if width > 32 && width <= 64 => u64::from(low) | u64::from(high) << 32,
            _ => return None,
        };
        let value = ApInt::from_u64(width, bits);
        // What stands above the width is what the specification says, or the number is not given back as it was.
        let kept = number_words(&value, width, signed);
        if kept.0[..kept.1] != *words {
            return None;
        }
        Some(match context[ty] {
            TypeData::Float(_) => context.attribute(AttributeData::Float { ty, bits: value }),
            _ => context.attribute(AttributeData::Integer { ty, value }),
        })
    }

    /// The zero of a scalar or vector.
    fn zero(&self, ty: Type) -> Option<Attribute> {
        let context = self.context;
        match &context[ty] {
            TypeData::Integer { width, .. } => {
                Some(context.attribute(AttributeData::Integer { ty, value: ApInt::from_u64(*width, 0) }))
            }
            TypeData::Float(kind) => {
                Some(context.attribute(AttributeData::Float { ty, bits: ApInt::from_u64(kind.width(), 0) }))
            }
            TypeData::Vector { element, .. } => {
                let bytes = match &context[self.zero(*element)?] {
                    AttributeData::Integer { value, .. } | AttributeData::Float { bits: value, .. } => {
                        value.width().div_ceil(8) as usize
                    }
                    _ => return None,
                };
                let data = Bytes::from(vec![0; bytes]);
                AttributeData::dense_elements(context, ty, data).ok().map(|data| context.attribute(data))
            }
            _ => None,
        }
    }

    /// The value of a vector or array of parts that are plain.
    fn composite(&self, ty: Type, parts: &[u32]) -> Option<Attribute> {
        let context = self.context;
        if !parts.iter().all(|&part| self.constants.is_plain(part)) {
            return None;
        }
        let values = || parts.iter().map(|&part| self.constants.value(part));
        match &context[ty] {
            TypeData::Vector { shape, element, .. } => {
                if **shape != [parts.len() as i64] {
                    return None;
                }
                let mut data = Vec::new();
                let mut packed = 0u8;
                let mut bits = 0;
                for value in values() {
                    match &context[value?] {
                        AttributeData::Integer { ty, value } if ty == element && value.width() == 1 => {
                            packed |= u8::from(value.to_u64() == Some(1)) << (bits % 8);
                            bits += 1;
                            if bits % 8 == 0 {
                                data.push(std::mem::take(&mut packed));
                            }
                        }
                        AttributeData::Integer { ty, value } | AttributeData::Float { ty, bits: value }
                            if ty == element =>
                        {
                            let bytes = value.words().first()?.to_le_bytes();
                            data.extend_from_slice(&bytes[..value.width().div_ceil(8) as usize]);
                        }
                        _ => return None,
                    }
                }
                if bits % 8 != 0 {
                    data.push(packed);
                }
                // One byte would be taken for a splat of as many.
                let data = match (bits, data.as_slice()) {
                    (1.., [0]) => vec![0],
                    (1.., &[byte]) if byte == ((1u16 << bits) - 1) as u8 => vec![0xff],
                    _ => data,
                };
                AttributeData::dense_elements(context, ty, data.into()).ok().map(|data| context.attribute(data))
            }
            _ => match view(context, ty)? {
                SpirvType::Array { element, count: NumberOrSymbol::Known(count), .. } => {
                    let of_element = |part: &u32| {
                        let ty = self.scan.defining(*part).and_then(|(_, words)| self.types[words[1] as usize]);
                        ty == Some(element)
                    };
                    if parts.len() != count as usize || !parts.iter().all(of_element) {
                        return None;
                    }
                    let values = values().collect::<Option<Vec<_>>>()?;
                    Some(self.array(values))
                }
                _ => None,
            },
        }
    }

    /// What all parts of a replicated constant are made of, where it says all of the constant beside its type: a number, or a vector of these.
    pub(super) fn replicated(&self, id: u32) -> Option<Attribute> {
        // So many levels of types; of more than that the tree says it.
        const MOST: usize = 8;
        let mut of = id;
        for _ in 0..MOST {
            let (opcode, words) = self.scan.defining(of).filter(|_| of == id || !self.is_said(of))?;
            let (&[_, own, _, inner], op::CONSTANT_COMPOSITE_REPLICATE_EXT) = (words, opcode) else { return None };
            let (of_inner, words) = self.scan.defining(inner)?;
            let ty = |id: &u32| self.types.get(*id as usize).copied().flatten();
            if part(self.context, ty(&own)?, 0)? != words.get(1).and_then(ty)? {
                return None;
            }
            if of_inner != op::CONSTANT_COMPOSITE_REPLICATE_EXT {
                use AttributeData::{DenseElements, Float, Integer};
                let value = self.constants.value(inner).filter(|_| self.constants.is_plain(inner))?;
                return matches!(self.context[value], Integer { .. } | Float { .. } | DenseElements { .. })
                    .then_some(value);
            }
            of = inner;
        }
        None
    }

    /// Whether something has a name or decorations.
    pub(super) fn is_said(&self, id: u32) -> bool {
        self.scan.names[id as usize] != 0 || !self.scan.notes(id).is_empty()
    }

    /// How something outside of functions refers to a constant: its value, the symbol of a specialization constant or a
    /// variable, or a dictionary that says more.
    pub(super) fn tree(&mut self, at: u32, id: u32) -> Result<Attribute> {
        if let Some(used) = self.used.get_mut(id as usize) {
            *used = true;
        }
        self.make_tree(at, id)
    }

    fn make_tree(&mut self, at: u32, id: u32) -> Result<Attribute> {
        if let Some(tree) = self.constants.get(id).tree {
            return Ok(tree);
        }
        let scan = self.scan;
        let context = self.context;
        match self.kind(id) {
            IdKind::Spec | IdKind::Global => return Ok(self.symbol_ref(self.symbols[&id])),
            IdKind::Constant | IdKind::Undef => {}
            _ => return Err(scan.stop().at(at, format!("id {id} is no constant that is declared before"))),
        }
        let Some((opcode, words)) = scan.defining(id) else { return Err(scan.stop().at(at, "a constant is missing")) };
        let Some(ty) = self.types[words[1] as usize] else { return Err(scan.stop().at(at, "its type is missing")) };
        let value = self.constants.value(id);
        let plain = self.constants.is_plain(id);
        if let Some(value) = value.filter(|_| plain)
            && !matches!(context[value], AttributeData::Array(_))
        {
            return Ok(value);
        }
        let mut entries = vec![(self.name("type"), self.type_attribute(ty))];
        match (opcode, value) {
            (op::UNDEF, _) => entries.push((self.name("undef"), context.unit())),
            (op::CONSTANT_NULL, _) => entries.push((self.name("null"), context.unit())),
            (_, Some(value)) => entries.push((self.name("value"), value)),
            (op::CONSTANT_COMPOSITE | op::CONSTANT_COMPOSITE_REPLICATE_EXT, None) => {
                let mut parts = Vec::with_capacity(words.len());
                let own = scan.definition(id);
                for &part in &words[3..] {
                    // Those before have their trees already: this goes one step deep.
                    if scan.definition(part) >= own {
                        return Err(scan.stop().at(at, format!("its part {part} is declared behind it")));
                    }
                    parts.push(self.make_tree(at, part)?);
                }
                entries.push(match (opcode, &parts[..]) {
                    (op::CONSTANT_COMPOSITE_REPLICATE_EXT, &[part]) => (self.name("replicated"), part),
                    _ => (self.name("parts"), self.array(parts)),
                });
            }
            _ => {
                let name = Instruction::of(opcode).map(|known| known.name).unwrap_or_default();
                // Its operands are ids in no set that is known.
                if opcode != op::CONSTANT_SAMPLER {
                    return Err(scan.stop().at(at, format!("a constant made by Op{name} has no place in the dialect")));
                }
                let operands = words[3..].iter().map(|&word| self.number(word)).collect();
                let operands = self.array(operands);
                entries.push((self.name("sampler"), operands));
            }
        }
        if let Some(name) = scan.name(id) {
            entries.push((self.name("name"), context.string(name)));
        }
        if let Some(list) = self.note_list(at, id)? {
            entries.push((self.name("decorations"), list));
        }
        let tree = context.dictionary_of(&mut entries)?;
        self.constants.0[id as usize].tree = Some(tree);
        Ok(tree)
    }

    /// Types, constants and undefined values that nothing uses, as types and trees.
    pub(super) fn unused(&mut self) -> Result<Vec<Attribute>> {
        let scan = self.scan;
        // What uses what, from the last to the first: a declaration refers to those before it.
        let undefined = std::mem::take(&mut self.undefined);
        for &at in undefined.iter().chain(scan.top.iter().rev()) {
            let (opcode, words) = scan.instruction(at);
            let Some(known) = Instruction::of(opcode).filter(|known| known.has_result) else { continue };
            let id = words.get(known.prefix() - 1).copied().unwrap_or(0);
            if self.used.get(id as usize).copied() != Some(true) {
                continue;
            }
            let first = if known.has_type { &words[1..2] } else { &[] };
            let rest = words.get(known.prefix()..).unwrap_or_default();
            let found;
            let ids: &[u32] = match opcode {
                op::CONSTANT | op::SPEC_CONSTANT | op::TYPE_INT | op::TYPE_FLOAT => &[],
                op::TYPE_VECTOR | op::TYPE_MATRIX => rest.get(..1).unwrap_or_default(),
                op::TYPE_POINTER | op::VARIABLE => rest.get(1..).unwrap_or_default(),
                op::TYPE_STRUCT | op::TYPE_FUNCTION | op::CONSTANT_COMPOSITE => rest,
                _ => {
                    found = self.operands(at)?.0;
                    &found
                }
            };
            for &id in first.iter().chain(ids) {
                if let Some(used) = self.used.get_mut(id as usize) {
                    *used = true;
                }
            }
        }
        let mut unused = Vec::new();
        for &at in scan.top.iter().chain(&undefined) {
            let Some(known) = Instruction::of(scan.opcode(at)).filter(|known| known.has_result) else { continue };
            let (_, words) = scan.instruction(at);
            let id = words.get(known.prefix() - 1).copied().unwrap_or(0);
            if self.used.get(id as usize).copied() != Some(false) {
                continue;
            }
            match self.kind(id) {
                IdKind::Type => {
                    if let Some(ty) = self.types[id as usize].filter(|ty| self.type_ids.get(ty) == Some(&id)) {
                        unused.push(self.type_attribute(ty));
                    }
                }
                IdKind::Constant | IdKind::Undef => {
                    let tree = self.tree(at, id)?;
                    unused.push(tree);
                }
                _ => {}
            }
        }
        Ok(unused)
    }
}

/// The words of a number, and how many they are: the lowest first, its sign above it where it is signed.
pub(crate) fn number_words(value: &ApInt, width: u32, signed: bool) -> ([u32; 2], usize) {
    let bits = value.words().first().copied().unwrap_or(0);
    let bits = match signed && width < 64 && width > 0 && bits >> (width - 1) & 1 == 1 {
        true => bits | !0 << width,
        false => bits,
    };
    ([bits as u32, (bits >> 32) as u32], if width > 32 { 2 } else { 1 })
}
