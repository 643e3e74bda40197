//! The definition of one operation.

use std::ops::Range;
use std::sync::Arc;

use super::constraint::{AttributeDef, Multiplicity, NativeDef, RegionDef, SuccessorDef, Syntax, ValueDef};
use super::effect::EffectDef;
use super::format::{Element, Names};
use super::history::Change;
use super::lazy::Lazy;
use super::predicate::Predicate;
use super::traits::Traits;

/// What is known of one operation.
///
/// Name, traits and the layout of properties are there at once; the rest is decoded when first asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpDef {
    /// The full name: `func.call`.
    pub name: String,
    /// The traits that matter for structure.
    pub traits: Traits,
    /// The inherent attributes and native properties, in the order in which bytecode version 6 lays them out.
    pub properties: Vec<PropertyDef>,
    /// With [`Traits::HAS_PARENT`], the operations that it may stand in.
    pub parents: Vec<String>,
    /// With [`Traits::IMPLICIT_TERMINATOR`], the operation that ends its blocks.
    pub implicit_terminator: Option<String>,
    /// Whether MLIR's own tools know the operation, as those of the release [`Release::DEFAULT`](super::Release::DEFAULT) do.
    pub is_of_mlir: bool,
    /// The members of its properties that other releases of MLIR do not have, or have in another way.
    pub(crate) changes: Vec<Change>,
    pub(crate) details: Lazy,
}

/// What an operation takes, gives and holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpDetails {
    /// The operands.
    pub operands: Vec<ValueDef>,
    /// The results.
    pub results: Vec<ValueDef>,
    /// The inherent attributes, in order of definition.
    pub attributes: Vec<AttributeDef>,
    /// The properties that are no attributes, in order of definition.
    pub natives: Vec<NativeDef>,
    /// The regions.
    pub regions: Vec<RegionDef>,
    /// The successors.
    pub successors: Vec<SuccessorDef>,
    /// Traits that have no bit in [`Traits`], with their arguments.
    pub other_traits: Vec<String>,
    /// The interfaces that it implements.
    pub interfaces: Vec<String>,
    /// What it does to memory, as far as the definition lists it. Where that lists nothing, and the operation implements
    /// `MemoryEffectOpInterface`, code says it.
    pub effects: Vec<EffectDef>,
    /// What must hold of the operation as a whole.
    pub rules: Vec<Predicate>,
    /// How it is written.
    pub syntax: Syntax,
    /// Facts of its dialect alone, such as the opcode of a `spirv` operation.
    pub facts: Vec<(String, String)>,
    /// Whether code that is not part of the definition checks more.
    pub has_verifier: bool,
}

/// The interface that tells graphs from regions in which definitions come first.
pub(crate) const REGION_KIND: &str = "RegionKindInterface";

/// The interface of operations that do something to memory of their own, which code or a list in the definition says.
pub(crate) const MEMORY_EFFECTS: &str = "MemoryEffectOpInterface";

impl OpDef {
    /// What the operation takes, gives and holds.
    pub fn details(&self) -> &Arc<OpDetails> {
        self.details.get()
    }

    /// The operands.
    pub fn operands(&self) -> &[ValueDef] {
        &self.details().operands
    }

    /// The results.
    pub fn results(&self) -> &[ValueDef] {
        &self.details().results
    }

    /// The inherent attributes, in order of definition.
    pub fn attributes(&self) -> &[AttributeDef] {
        &self.details().attributes
    }

    /// The properties that are no attributes, in order of definition.
    pub fn natives(&self) -> &[NativeDef] {
        &self.details().natives
    }

    /// The regions.
    pub fn regions(&self) -> &[RegionDef] {
        &self.details().regions
    }

    /// The successors.
    pub fn successors(&self) -> &[SuccessorDef] {
        &self.details().successors
    }

    /// How it is written.
    pub fn syntax(&self) -> &Syntax {
        &self.details().syntax
    }

    /// Whether it implements the interface of that name in C++.
    pub fn implements(&self, interface: &str) -> bool {
        self.details().interfaces.iter().any(|known| known == interface)
    }

    /// Whether its regions are graphs where they have one block: definitions need not come before their uses. As in MLIR,
    /// the trait says so only with the interface that asks for the kind of a region.
    pub fn has_graph_regions(&self) -> bool {
        self.traits.contains(Traits::ONLY_GRAPH_REGION) && self.implements(REGION_KIND)
    }

    /// Which operands each of [`OpDef::operands`] stands for, in an operation of `count` operands.
    ///
    /// `segments` is `operandSegmentSizes`, where the operation has it. `None` where the counts do not add up.
    pub fn operand_ranges(&self, count: usize, segments: Option<&[i32]>) -> Option<Vec<Range<usize>>> {
        let mut ranges = Vec::with_capacity(self.operands().len());
        let segments = segments.map(SegmentSizes::Numbers);
        self.each_operand_range(count, segments, |_, range| ranges.push(range)).then_some(ranges)
    }

    /// As [`OpDef::operand_ranges`], one after the other. Whether the counts add up, which is known behind the last.
    pub(crate) fn each_operand_range(
        &self,
        count: usize,
        segments: Option<SegmentSizes<'_>>,
        each: impl FnMut(usize, Range<usize>),
    ) -> bool {
        each_range(self.operands(), count, segments, self.traits.contains(Traits::OPERAND_SEGMENTS), each).is_some()
    }

    /// Which results each of [`OpDef::results`] stands for: see [`OpDef::operand_ranges`].
    pub fn result_ranges(&self, count: usize, segments: Option<&[i32]>) -> Option<Vec<Range<usize>>> {
        let mut ranges = Vec::with_capacity(self.results().len());
        let segments = segments.map(SegmentSizes::Numbers);
        self.each_result_range(count, segments, |_, range| ranges.push(range)).then_some(ranges)
    }

    /// As [`OpDef::result_ranges`], one after the other. Whether the counts add up, which is known behind the last.
    pub(crate) fn each_result_range(
        &self,
        count: usize,
        segments: Option<SegmentSizes<'_>>,
        each: impl FnMut(usize, Range<usize>),
    ) -> bool {
        each_range(self.results(), count, segments, self.traits.contains(Traits::RESULT_SEGMENTS), each).is_some()
    }

    /// Sets `properties` to what the attributes, native properties and traits of `details` give.
    pub(crate) fn lay_out(&mut self, details: &OpDetails, attributes_are_properties: bool) {
        let mut properties: Vec<_> = Vec::new();
        if attributes_are_properties {
            properties.extend(details.attributes.iter().map(|attribute| {
                let may_be_absent = attribute.optional || attribute.default.is_some();
                let kind = if may_be_absent { PropertyKind::Optional } else { PropertyKind::Required };
                PropertyDef { name: attribute.name.clone(), kind }
            }));
        }
        for native in &details.natives {
            match &native.native {
                Some(kind) => {
                    properties
                        .push(PropertyDef { name: native.name.clone(), kind: PropertyKind::Native(kind.clone()) });
                }
                None => self.traits |= Traits::OPAQUE_PROPERTIES,
            }
        }
        let segments = |name: &str, kind| PropertyDef { name: name.to_owned(), kind };
        if attributes_are_properties && self.traits.contains(Traits::OPERAND_SEGMENTS) {
            let groups = details.operands.len() as u32;
            properties.push(segments("operandSegmentSizes", PropertyKind::OperandSegments(groups)));
        }
        if attributes_are_properties && self.traits.contains(Traits::RESULT_SEGMENTS) {
            let groups = details.results.len() as u32;
            properties.push(segments("resultSegmentSizes", PropertyKind::ResultSegments(groups)));
        }
        super::history::sort_members(&mut properties);
        self.properties = properties;
    }
}

impl Names for OpDetails {
    fn resolve(&self, name: &str) -> Option<Element> {
        fn find<'a>(mut names: impl Iterator<Item = &'a String>, name: &str) -> Option<u32> {
            names.position(|known| known == name).map(|at| at as u32)
        }
        let operand = find(self.operands.iter().map(|item| &item.name), name).map(Element::Operand);
        operand
            .or_else(|| find(self.results.iter().map(|item| &item.name), name).map(Element::Result))
            .or_else(|| find(self.attributes.iter().map(|item| &item.name), name).map(Element::Attribute))
            .or_else(|| find(self.natives.iter().map(|item| &item.name), name).map(Element::Native))
            .or_else(|| find(self.regions.iter().map(|item| &item.name), name).map(Element::Region))
            .or_else(|| find(self.successors.iter().map(|item| &item.name), name).map(Element::Successor))
    }
}

/// The sizes of the groups that operands or results are in: as they are, or as the data of an attribute has them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SegmentSizes<'a> {
    Numbers(&'a [i32]),
    Data(&'a [[u8; 4]]),
}

impl<'a> SegmentSizes<'a> {
    fn len(self) -> usize {
        match self {
            SegmentSizes::Numbers(sizes) => sizes.len(),
            SegmentSizes::Data(sizes) => sizes.len(),
        }
    }

    fn get(self, at: usize) -> Option<i32> {
        match self {
            SegmentSizes::Numbers(sizes) => sizes.get(at).copied(),
            SegmentSizes::Data(sizes) => sizes.get(at).map(|bytes| i32::from_le_bytes(*bytes)),
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = i32> + 'a {
        (0..self.len()).map_while(move |at| self.get(at))
    }
}

fn each_range(
    values: &[ValueDef],
    count: usize,
    segments: Option<SegmentSizes<'_>>,
    segmented: bool,
    mut each: impl FnMut(usize, Range<usize>),
) -> Option<()> {
    if values.is_empty() && count == 0 && !segmented {
        return Some(());
    }
    let segments = if segmented { Some(segments?) } else { None };
    let mut share = 0;
    match segments {
        Some(segments) if segments.len() != values.len() => return None,
        Some(_) => {}
        None => {
            // Groups without segment sizes share what the others leave, alike.
            let variable = values.iter().filter(|value| value.multiplicity != Multiplicity::One).count();
            let rest = count.checked_sub(values.len() - variable)?;
            if variable == 0 && rest != 0 || variable != 0 && rest % variable != 0 {
                return None;
            }
            share = rest.checked_div(variable).unwrap_or(0);
        }
    }
    let mut start = 0usize;
    for (at, value) in values.iter().enumerate() {
        let length = match segments {
            Some(segments) => usize::try_from(segments.get(at)?).ok()?,
            None if value.multiplicity == Multiplicity::One => 1,
            None => share,
        };
        let fits = match value.multiplicity {
            Multiplicity::One => length == 1,
            Multiplicity::Optional => length <= 1,
            _ => true,
        };
        let end = start.checked_add(length).filter(|&end| fits && end <= count)?;
        each(at, start..end);
        start = end;
    }
    (start == count).then_some(())
}

/// One member of an operation's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyDef {
    /// Its name.
    pub name: String,
    /// How bytecode lays it out.
    pub kind: PropertyKind,
}

/// How bytecode lays out one member of an operation's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// An attribute that is always there.
    Required,
    /// An attribute that may be absent: optional, with a default, or a unit.
    Optional,
    /// `operandSegmentSizes` of so many groups.
    OperandSegments(u32),
    /// `resultSegmentSizes` of so many groups.
    ResultSegments(u32),
    /// A property that is no attribute.
    Native(NativeProperty),
}

/// How bytecode and text show a property that is no attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeProperty {
    /// A byte, 0 or 1; a unit flag in text, or `false`.
    Bool,
    /// A byte, 0 or 1; `true` or `false` in text.
    Boolean,
    /// A varint; in text an integer of so many bits.
    Integer {
        /// Width in bits of the attribute that stands for it in text.
        width: u32,
        /// Whether the varint holds the value sign-extended to 64 bits; else it is extended with zeros.
        signed: bool,
    },
    /// A string; a string in text.
    String,
    /// A count and as many; an array in text.
    Array(Box<NativeProperty>),
    /// A byte, then the property where it is 1; in text an array of none or one.
    OptionalOf(Box<NativeProperty>),
    /// An attribute.
    Attribute,
}
