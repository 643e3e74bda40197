//! Constants: a twin of `raise/constants.rs`.

use hashbrown::HashMap;
use mlirbc_ir::dense::ElementLayout;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Error, NamedAttribute, Result, Signedness, Type, TypeData};

use super::{Lowerer, close};
use crate::dialect::types::part;
use crate::op;
use crate::raise::number_words;

pub(super) struct Constants {
    values: HashMap<(Type, Attribute), u32>,
    trees: HashMap<Attribute, u32>,
    undefined: HashMap<Type, u32>,
    /// By type, part, and what is said of them.
    replicated: HashMap<(Type, Attribute, Option<Attribute>), u32>,
}

impl Constants {
    pub(super) fn new() -> Self {
        Constants {
            values: HashMap::with_capacity(14),
            trees: HashMap::new(),
            undefined: HashMap::new(),
            replicated: HashMap::new(),
        }
    }
}

impl Lowerer<'_> {
    /// The id of a constant of type `OpTypeInt 32 0`.
    pub(super) fn word_constant(&mut self, number: u32) -> Result<u32> {
        let ty = self.context.integer_type(32);
        let value = self.context.attribute(AttributeData::Integer { ty, value: ApInt::from_u64(32, number.into()) });
        self.constant(ty, value)
    }

    /// The id of the constant of that type and value.
    pub(super) fn constant(&mut self, ty: Type, value: Attribute) -> Result<u32> {
        if let Some(&id) = self.constants.values.get(&(ty, value)) {
            return Ok(id);
        }
        let id = self.deeper(|this| this.declare_constant(ty, value))?;
        self.constants.values.insert((ty, value), id);
        Ok(id)
    }

    fn declare_constant(&mut self, ty: Type, value: Attribute) -> Result<u32> {
        let context = self.context;
        let wrong = || Error::verification("a constant's value does not match its type");
        match &context[value] {
            AttributeData::Integer { value, .. } => match context[ty] {
                TypeData::Integer { width: 1, .. } => {
                    let is_true = value.to_u64() == Some(1);
                    self.push_constant(if is_true { op::CONSTANT_TRUE } else { op::CONSTANT_FALSE }, ty, &[])
                }
                TypeData::Integer { width, signedness } if width <= 64 && value.width() == width => {
                    let (words, count) = number_words(value, width, signedness == Signedness::Signed);
                    self.push_constant(op::CONSTANT, ty, &words[..count])
                }
                _ => Err(wrong()),
            },
            AttributeData::Float { bits, .. } => match context[ty] {
                TypeData::Float(kind) if kind.width() <= 64 && bits.width() == kind.width() => {
                    let (words, count) = number_words(bits, kind.width(), false);
                    self.push_constant(op::CONSTANT, ty, &words[..count])
                }
                _ => Err(wrong()),
            },
            AttributeData::Array(items) => {
                let mut parts = Vec::with_capacity(items.len());
                for (at, &item) in items.iter().enumerate() {
                    let element = part(context, ty, at as u32).ok_or_else(wrong)?;
                    parts.push(self.constant(element, item)?);
                }
                self.push_constant(op::CONSTANT_COMPOSITE, ty, &parts)
            }
            AttributeData::DenseElements { ty: shaped, data } => {
                let element = context[*shaped].element().ok_or_else(wrong)?;
                let count = context[*shaped].element_count().ok_or_else(wrong)?;
                let layout = ElementLayout::of(context, element).ok_or_else(wrong)?;
                // Not more than a SPIR-V module can hold.
                if count > 1 << 22 || layout.complex {
                    return Err(Error::verification("a constant of too many elements"));
                }
                let splat = layout.is_splat(count, data).ok_or_else(wrong)?;
                let number = |at: usize| match (splat, layout.packed()) {
                    (true, _) => layout.read(data.get(..layout.size()).unwrap_or(data)),
                    (false, true) => ApInt::from_u64(1, u64::from(data[at / 8] >> (at % 8) & 1)),
                    (false, false) => layout.read(&data[at * layout.size()..(at + 1) * layout.size()]),
                };
                let mut values = Vec::with_capacity(count as usize);
                for at in 0..count as usize {
                    let value = number(at);
                    values.push(match context[element] {
                        TypeData::Float(_) => context.attribute(AttributeData::Float { ty: element, bits: value }),
                        _ => context.attribute(AttributeData::Integer { ty: element, value }),
                    });
                }
                let shape = context[*shaped].shape().unwrap_or_default().to_vec();
                self.nested(ty, &shape, &values)
            }
            _ => Err(wrong()),
        }
    }

    /// The constant of elements that lie in several dimensions.
    fn nested(&mut self, ty: Type, shape: &[i64], values: &[Attribute]) -> Result<u32> {
        let context = self.context;
        let wrong = || Error::verification("a constant's value does not match its type");
        let mut parts = Vec::new();
        match shape {
            [] => return Err(wrong()),
            [_] => {
                for (at, &value) in values.iter().enumerate() {
                    let element = part(context, ty, at as u32).ok_or_else(wrong)?;
                    parts.push(self.constant(element, value)?);
                }
            }
            [count, rest @ ..] => {
                let each = values.len() / usize::try_from(*count).ok().filter(|&count| count > 0).ok_or_else(wrong)?;
                for (at, values) in values.chunks(each.max(1)).enumerate() {
                    let element = part(context, ty, at as u32).ok_or_else(wrong)?;
                    parts.push(self.deeper(|this| this.nested(element, rest, values))?);
                }
            }
        }
        self.push_constant(op::CONSTANT_COMPOSITE, ty, &parts)
    }

    /// Writes the declaration of a constant.
    pub(super) fn push_constant(&mut self, opcode: u16, ty: Type, operands: &[u32]) -> Result<u32> {
        let ty = self.ty(ty)?;
        let id = self.fresh()?;
        let at = self.sections.declarations.len();
        self.sections.declarations.extend([0, ty, id]);
        self.sections.declarations.extend_from_slice(operands);
        close(&mut self.sections.declarations, at, opcode)?;
        Ok(id)
    }

    /// The id of an undefined value.
    pub(super) fn undefined(&mut self, ty: Type) -> Result<u32> {
        if let Some(&id) = self.constants.undefined.get(&ty) {
            return Ok(id);
        }
        let id = self.push_constant(op::UNDEF, ty, &[])?;
        self.constants.undefined.insert(ty, id);
        Ok(id)
    }

    /// The id of a constant of which all parts are one, or are made of it alone; `said` is a tree that says its name and decorations.
    pub(super) fn replicated(&mut self, ty: Type, part_value: Attribute, said: Option<Attribute>) -> Result<u32> {
        let key = (ty, part_value, said);
        if let Some(&id) = self.constants.replicated.get(&key) {
            return Ok(id);
        }
        let context = self.context;
        let wrong = || Error::verification("a constant's value does not match its type");
        let element = part(context, ty, 0).ok_or_else(wrong)?;
        let is_whole = match &context[part_value] {
            AttributeData::Integer { ty, .. } | AttributeData::Float { ty, .. } => *ty == element,
            AttributeData::DenseElements { ty, .. } => {
                *ty == element || part(context, element, 0).is_some_and(|inner| part(context, inner, 0).is_none())
            }
            // What stands in it says whether it is the element.
            AttributeData::Array(items) => {
                match (items.first().map(|first| &context[*first]), part(context, element, 0)) {
                    (Some(AttributeData::Integer { ty, .. } | AttributeData::Float { ty, .. }), Some(inner)) => {
                        *ty == inner
                    }
                    _ => true,
                }
            }
            _ => true,
        };
        let inner = match is_whole {
            true => self.constant(element, part_value)?,
            false => self.deeper(|this| this.replicated(element, part_value, None))?,
        };
        let id = self.push_constant(op::CONSTANT_COMPOSITE_REPLICATE_EXT, ty, &[inner])?;
        if let Some(AttributeData::Dictionary(entries)) = said.map(|said| &context[said]) {
            self.say(id, entries)?;
        }
        self.constants.replicated.insert(key, id);
        Ok(id)
    }

    /// Says the name and the decorations of a constant.
    fn say(&mut self, id: u32, entries: &[NamedAttribute]) -> Result<()> {
        if let Some(name) = self.entry(entries, "name").and_then(|name| self.text(name)) {
            self.name(id, name)?;
        }
        self.entry(entries, "decorations").map_or(Ok(()), |list| self.decorate_list(id, list))
    }

    /// The id of what a tree says: a value with its type, a symbol, or a dictionary that says more.
    pub(super) fn tree(&mut self, tree: Attribute) -> Result<u32> {
        let context = self.context;
        match &context[tree] {
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => self.symbol(*root),
            AttributeData::Integer { ty, .. }
            | AttributeData::Float { ty, .. }
            | AttributeData::DenseElements { ty, .. } => self.constant(*ty, tree),
            AttributeData::Dictionary(_) => {
                if let Some(&id) = self.constants.trees.get(&tree) {
                    return Ok(id);
                }
                let id = self.deeper(|this| this.declare_tree(tree))?;
                self.constants.trees.insert(tree, id);
                Ok(id)
            }
            _ => Err(Error::verification("a constant is malformed")),
        }
    }

    fn declare_tree(&mut self, tree: Attribute) -> Result<u32> {
        let context = self.context;
        let wrong = || Error::verification("a constant is malformed");
        let AttributeData::Dictionary(entries) = &context[tree] else { return Err(wrong()) };
        let ty = self.entry(entries, "type").and_then(|ty| self.ty_of(ty)).ok_or_else(wrong)?;
        let is_named = ["name", "decorations"].iter().any(|name| self.entry(entries, name).is_some());
        let id = if self.entry(entries, "undef").is_some() {
            self.push_constant(op::UNDEF, ty, &[])?
        } else if self.entry(entries, "null").is_some() {
            self.push_constant(op::CONSTANT_NULL, ty, &[])?
        } else if let Some(value) = self.entry(entries, "value") {
            match is_named {
                // Another one of the same value may have another name.
                true => self.declare_constant(ty, value)?,
                false => self.constant(ty, value)?,
            }
        } else if let Some(parts) = self.entry(entries, "parts") {
            let mut ids = Vec::new();
            for &part in self.items(parts).ok_or_else(wrong)? {
                ids.push(self.tree(part)?);
            }
            self.push_constant(op::CONSTANT_COMPOSITE, ty, &ids)?
        } else if let Some(part) = self.entry(entries, "replicated") {
            let part = self.tree(part)?;
            self.push_constant(op::CONSTANT_COMPOSITE_REPLICATE_EXT, ty, &[part])?
        } else if let Some(operands) = self.entry(entries, "sampler") {
            let operands = self.numbers(operands).ok_or_else(wrong)?;
            self.push_constant(op::CONSTANT_SAMPLER, ty, &operands)?
        } else {
            return Err(wrong());
        };
        self.say(id, entries)?;
        Ok(id)
    }
}
