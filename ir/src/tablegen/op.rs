//! An operation from its record.

use super::constraint::Constraints;
use super::facts;
use super::record::Record;
use super::translate::Scope;
use crate::error::{Error, Result};
use crate::ods::Format;
use crate::ods::MEMORY_EFFECTS;
use crate::ods::Traits;
use crate::ods::format::Names;
use crate::ods::lazy::Lazy;
use crate::ods::readable::{self, Reader};
use crate::ods::{AttributeDef, RegionDef, SuccessorDef, Syntax, ValueDef};
use crate::ods::{Effect, EffectDef, EffectOn, OpDef, OpDetails};

/// An operation, and the C++ classes in it whose operations are known once all is read.
pub(super) struct Imported {
    pub(super) op: OpDef,
    pub(super) namespace: String,
    pub(super) parents: Vec<String>,
    pub(super) terminator: Option<String>,
}

impl Imported {
    /// The operation, and whether its assembly format is understood: where not, it counts as written in C++.
    pub(super) fn new<'d>(
        constraints: &mut Constraints<'d>,
        record: Record<'d>,
        name: String,
        dialect: Record<'d>,
    ) -> Result<(Self, Result<()>)> {
        let mut imported = Imported {
            op: OpDef { name, ..OpDef::default() },
            namespace: dialect.text("cppNamespace")?.trim_start_matches("::").to_owned(),
            parents: Vec::new(),
            terminator: None,
        };
        let mut details = OpDetails::default();
        arguments(constraints, record, &mut details)?;
        for (result, name) in record.arguments("results")? {
            let result = constraints.records.get(result)?;
            effects(constraints, result, "decorators", EffectOn::Result(details.results.len() as u32), &mut details);
            let result = unwrap(constraints, result)?;
            let (multiplicity, constraint) = constraints.value(result);
            details.results.push(ValueDef { name: name.to_owned(), multiplicity, constraint });
        }
        for (region, name) in record.arguments("regions")? {
            let region = constraints.records.get(region)?;
            constraints.count(region);
            let predicate = constraints.predicate(region, constraints.scope()).0;
            let variadic = region.is("VariadicRegion");
            details.regions.push(RegionDef { name: name.to_owned(), variadic, predicate });
        }
        for (successor, name) in record.arguments("successors")? {
            let successor = constraints.records.get(successor)?;
            constraints.count(successor);
            let variadic = successor.is("VariadicSuccessor");
            details.successors.push(SuccessorDef { name: name.to_owned(), variadic });
        }
        let members = members(&details);
        imported.traits(constraints, record, &members, &mut details, 0)?;
        if record.bit("useCustomPropertiesEncoding") {
            imported.op.traits |= Traits::OPAQUE_PROPERTIES;
        }
        details.has_verifier = record.bit("hasVerifier") || record.bit("hasRegionVerifier");
        let (syntax, mut understood) = syntax(record, &details, false);
        if let Syntax::Format(format) = &syntax {
            understood = readable::check(format, &imported.op, &details, Reader::TableGen);
        }
        details.syntax = if understood.is_ok() { syntax } else { Syntax::Custom };
        details.facts = facts::of_operation(constraints.records, record);
        imported.op.lay_out(&details, dialect.bit_or("usePropertiesForAttributes", true));
        imported.op.details = Lazy::from(details);
        Ok((imported, understood))
    }

    fn traits<'d>(
        &mut self,
        constraints: &mut Constraints<'d>,
        record: Record<'d>,
        members: &[String],
        details: &mut OpDetails,
        depth: usize,
    ) -> Result<()> {
        if depth > 16 {
            return Err(Error::malformed("lists of traits nest too deep"));
        }
        for name in record.references("traits")? {
            let record = constraints.records.get(name)?;
            if record.is("TraitList") {
                self.traits(constraints, record, members, details, depth + 1)?;
            } else if record.is("InterfaceTrait") {
                // Effects that are listed where the operation is defined, in a trait without a name.
                let listed = record.is("MemoryEffects") && record.name().is_empty();
                if listed {
                    effects(constraints, record, "effects", EffectOn::Anything, details);
                }
                let name = if listed { MEMORY_EFFECTS } else { name };
                let name = record.optional_text("cppInterfaceName").unwrap_or(name).trim_end_matches("::Trait");
                self.op.traits |= match name {
                    "SymbolOpInterface" => Traits::SYMBOL,
                    name => Traits::of_name(name).unwrap_or_default(),
                };
                if !details.interfaces.iter().any(|known| known == name) {
                    details.interfaces.push(name.to_owned());
                }
            } else if record.is("PredTrait") {
                let (predicate, leaves) = {
                    let scope = Scope::new(constraints.classes, members).inside_namespace(&self.namespace);
                    constraints.predicate(record, scope)
                };
                constraints.counts.add(leaves, &predicate);
                details.rules.push(predicate);
            } else if let Some(name) = record.optional_text("trait") {
                self.native_trait(name, details);
            }
        }
        Ok(())
    }

    /// A trait by its C++ name, with arguments: `HasParent<FuncOp>::Impl`.
    fn native_trait(&mut self, name: &str, details: &mut OpDetails) {
        let name = name.trim_end_matches("::Impl");
        let (base, arguments) = match name.split_once('<') {
            Some((base, rest)) => (base, rest.rsplit_once('>').map_or(rest, |parts| parts.0)),
            None => (name, ""),
        };
        let base = base.rsplit("::").next().unwrap_or(base);
        let bit = Traits::of_name(base).unwrap_or_default();
        self.op.traits |= bit;
        let mut arguments = arguments.split(',').map(|argument| argument.trim().to_owned());
        if bit == Traits::HAS_PARENT || bit == Traits::AT_MOST_ONE_CHILD_OF {
            self.parents = arguments.collect();
        } else if bit == Traits::IMPLICIT_TERMINATOR {
            self.terminator = arguments.next();
        } else if bit == Traits::NONE {
            let name = name.trim_start_matches("::").trim_start_matches("mlir::").trim_start_matches("OpTrait::");
            if !details.other_traits.iter().any(|known| known == name) {
                details.other_traits.push(name.to_owned());
            }
        }
    }
}

fn unwrap<'d>(constraints: &Constraints<'d>, record: Record<'d>) -> Result<Record<'d>> {
    if record.is("OpVariable") { constraints.records.get(record.reference("constraint")?) } else { Ok(record) }
}

fn arguments<'d>(constraints: &mut Constraints<'d>, record: Record<'d>, details: &mut OpDetails) -> Result<()> {
    for (argument, name) in record.arguments("arguments")? {
        let variable = constraints.records.get(argument)?;
        let argument = unwrap(constraints, variable)?;
        let on = match argument.is("TypeConstraint") {
            true => EffectOn::Operand(details.operands.len() as u32),
            false => EffectOn::Anything,
        };
        effects(constraints, variable, "decorators", on, details);
        if argument.is("TypeConstraint") {
            let (multiplicity, constraint) = constraints.value(argument);
            details.operands.push(ValueDef { name: name.to_owned(), multiplicity, constraint });
        } else if name.is_empty() {
            return Err(Error::malformed("an attribute has no name"));
        } else if argument.is("Property") {
            details.natives.push(constraints.native(argument, name));
        } else if argument.is("AttrConstraint") {
            let constraint = constraints.attribute(argument);
            if !argument.is("DerivedAttr") {
                let default = constraints.default(argument, constraint.enumeration.as_deref());
                let optional = argument.bit("isOptional");
                details.attributes.push(AttributeDef { name: name.to_owned(), optional, default, constraint });
            }
        } else {
            return Err(Error::malformed(format!("argument `{name}` is no operand, attribute or property")));
        }
    }
    Ok(())
}

/// Takes the effects on memory in a list of decorators. As in MLIR, they make the operation implement the interface.
fn effects(constraints: &Constraints<'_>, record: Record<'_>, list: &str, on: EffectOn, details: &mut OpDetails) {
    for record in constraints.records.follow_all(record, list).into_iter().filter(|record| record.is("MemoryEffect")) {
        let effect = match record.text("effect").ok().and_then(|name| name.rsplit("::").next()) {
            Some("Allocate") => Effect::Allocate,
            Some("Free") => Effect::Free,
            Some("Read") => Effect::Read,
            _ => Effect::Write,
        };
        details.effects.push(EffectDef { effect, on });
        if !details.interfaces.iter().any(|known| known == MEMORY_EFFECTS) {
            details.interfaces.push(MEMORY_EFFECTS.to_owned());
        }
    }
}

/// The names of operands, results, attributes and properties.
fn members(details: &OpDetails) -> Vec<String> {
    let values = details.operands.iter().chain(&details.results).map(|value| &value.name);
    let attributes = details.attributes.iter().map(|attribute| &attribute.name);
    values.chain(attributes).chain(details.natives.iter().map(|native| &native.name)).cloned().collect()
}

/// How a definition is written, and whether its assembly format is understood: where not, it counts as written in C++, as
/// what is `custom` does that has no format.
pub(super) fn syntax(record: Record<'_>, names: &dyn Names, custom: bool) -> (Syntax, Result<()>) {
    match record.some_text("assemblyFormat").map(|text| Format::parse(text, names)) {
        Some(Ok(format)) => (Syntax::Format(format), Ok(())),
        Some(Err(error)) => (Syntax::Custom, Err(error)),
        None if custom || record.bit("hasCustomAssemblyFormat") => (Syntax::Custom, Ok(())),
        None => (Syntax::Generic, Ok(())),
    }
}
