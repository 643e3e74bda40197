//! Op definitions made in Rust.

use std::sync::Arc;

use super::constraint::{
    AttributeConstraint, AttributeDef, Multiplicity, NativeDef, RegionDef, SuccessorDef, Syntax, TypeConstraint,
    ValueDef,
};
use super::definition::{NativeProperty, OpDef, OpDetails};
use super::effect::{Effect, EffectDef, EffectOn};
use super::format::Format;
use super::lazy::Lazy;
use super::predicate::{BuiltinAttribute, Predicate, Term, TermClass};
use super::readable::{self, Reader};
use super::traits::Traits;
use crate::error::{Error, ErrorCode, Result};

/// Makes an [`OpDef`], with the layout that TableGen would give it: see [`OpDef::builder`].
#[derive(Clone, Debug, Default)]
pub struct OpDefBuilder {
    op: OpDef,
    details: OpDetails,
    format: Option<String>,
    inferred: bool,
}

impl OpDef {
    /// Starts the definition of the operation of that full name.
    ///
    /// ```
    /// use mlirbc_ir::ods::{AttributeConstraint, OpDef, OpTable, Predicate, Traits, TypeConstraint};
    /// let any = TypeConstraint::new("AnyType", Predicate::Always);
    /// let add = OpDef::builder("toy.add")
    ///     .traits(Traits::COMMUTATIVE)
    ///     .operand("lhs", &any)
    ///     .operand("rhs", &any)
    ///     .result("sum", &any)
    ///     .optional_attribute("label", &AttributeConstraint::string())
    ///     .format("$lhs `,` $rhs attr-dict `:` type(operands) `->` type($sum)")
    ///     .finish()?;
    /// assert_eq!(add.properties.len(), 1);
    /// let table = OpTable::from_definitions([add]);
    /// assert!(table.get("toy.add").is_some());
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    pub fn builder(name: impl Into<String>) -> OpDefBuilder {
        OpDefBuilder { op: OpDef { name: name.into(), ..OpDef::default() }, ..OpDefBuilder::default() }
    }
}

impl OpDefBuilder {
    /// Adds traits.
    #[must_use]
    pub fn traits(mut self, traits: Traits) -> Self {
        self.op.traits |= traits;
        self
    }

    /// Adds a trait that has no bit in [`Traits`].
    #[must_use]
    pub fn other_trait(mut self, name: impl Into<String>) -> Self {
        self.details.other_traits.push(name.into());
        self
    }

    /// Adds an interface.
    #[must_use]
    pub fn interface(mut self, name: impl Into<String>) -> Self {
        self.details.interfaces.push(name.into());
        self
    }

    /// Adds an effect on memory: all that it has are listed so, where one is.
    #[must_use]
    pub fn effect(mut self, effect: Effect, on: EffectOn) -> Self {
        self.details.effects.push(EffectDef { effect, on });
        self
    }

    /// Its regions are graphs of one block each: definitions need not come before their uses.
    #[must_use]
    pub fn graph_regions(self) -> Self {
        self.traits(Traits::ONLY_GRAPH_REGION | Traits::SINGLE_BLOCK).interface(super::definition::REGION_KIND)
    }

    /// The operation may only stand in operations of these names.
    #[must_use]
    pub fn parents<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.op.traits |= Traits::HAS_PARENT;
        self.op.parents = names.into_iter().map(Into::into).collect();
        self
    }

    /// Its regions have one block each, which ends with the operation of this name.
    #[must_use]
    pub fn implicit_terminator(mut self, name: impl Into<String>) -> Self {
        self.op.traits |= Traits::IMPLICIT_TERMINATOR | Traits::SINGLE_BLOCK;
        self.op.implicit_terminator = Some(name.into());
        self
    }

    /// Adds operands under one name.
    #[must_use]
    pub fn operands(mut self, name: &str, multiplicity: Multiplicity, constraint: &Arc<TypeConstraint>) -> Self {
        let constraint = constraint.clone();
        self.details.operands.push(ValueDef { name: name.to_owned(), multiplicity, constraint });
        self
    }

    /// Adds an operand.
    #[must_use]
    pub fn operand(self, name: &str, constraint: &Arc<TypeConstraint>) -> Self {
        self.operands(name, Multiplicity::One, constraint)
    }

    /// Adds results under one name.
    #[must_use]
    pub fn results(mut self, name: &str, multiplicity: Multiplicity, constraint: &Arc<TypeConstraint>) -> Self {
        let constraint = constraint.clone();
        self.details.results.push(ValueDef { name: name.to_owned(), multiplicity, constraint });
        self
    }

    /// Adds a result.
    #[must_use]
    pub fn result(self, name: &str, constraint: &Arc<TypeConstraint>) -> Self {
        self.results(name, Multiplicity::One, constraint)
    }

    /// Adds an attribute that is always there.
    #[must_use]
    pub fn attribute(mut self, name: &str, constraint: &Arc<AttributeConstraint>) -> Self {
        let constraint = constraint.clone();
        self.details.attributes.push(AttributeDef { name: name.to_owned(), constraint, ..AttributeDef::default() });
        self
    }

    /// Adds an attribute that may be absent.
    #[must_use]
    pub fn optional_attribute(mut self, name: &str, constraint: &Arc<AttributeConstraint>) -> Self {
        let (name, constraint) = (name.to_owned(), constraint.clone());
        self.details.attributes.push(AttributeDef { name, optional: true, default: None, constraint });
        self
    }

    /// Adds an attribute that has a default.
    #[must_use]
    pub fn default_attribute(mut self, name: &str, constraint: &Arc<AttributeConstraint>, default: Term) -> Self {
        let (name, constraint) = (name.to_owned(), constraint.clone());
        self.details.attributes.push(AttributeDef { name, optional: false, default: Some(default), constraint });
        self
    }

    /// Adds a unit attribute, which is there or not.
    #[must_use]
    pub fn unit_attribute(mut self, name: &str) -> Self {
        let (name, constraint) = (name.to_owned(), AttributeConstraint::unit());
        self.details.attributes.push(AttributeDef {
            name,
            optional: true,
            default: Some(Term::Bool(false)),
            constraint,
        });
        self
    }

    /// Adds a property that is no attribute.
    #[must_use]
    pub fn native(self, name: &str, native: NativeProperty) -> Self {
        let unit = native == NativeProperty::Bool;
        let optional = matches!(native, NativeProperty::OptionalOf(_));
        let default = if optional { Some(Term::List(Vec::new())) } else { unit.then_some(Term::Bool(false)) };
        self.native_definition(NativeDef {
            name: name.to_owned(),
            native: Some(native),
            predicate: Predicate::Always,
            enumeration: None,
            keyword: None,
            default,
        })
    }

    /// Adds a property that is no attribute, with all that can be said of it.
    #[must_use]
    pub fn native_definition(mut self, native: NativeDef) -> Self {
        self.details.natives.push(native);
        self
    }

    /// Adds a region, of which the predicate holds as of a list of blocks.
    #[must_use]
    pub fn region(mut self, name: &str, predicate: Predicate) -> Self {
        self.details.regions.push(RegionDef { name: name.to_owned(), variadic: false, predicate });
        self
    }

    /// Adds any number of regions under one name.
    #[must_use]
    pub fn regions(mut self, name: &str, predicate: Predicate) -> Self {
        self.details.regions.push(RegionDef { name: name.to_owned(), variadic: true, predicate });
        self
    }

    /// Adds a successor.
    #[must_use]
    pub fn successor(mut self, name: &str) -> Self {
        self.details.successors.push(SuccessorDef { name: name.to_owned(), variadic: false });
        self
    }

    /// Adds any number of successors under one name.
    #[must_use]
    pub fn successors(mut self, name: &str) -> Self {
        self.details.successors.push(SuccessorDef { name: name.to_owned(), variadic: true });
        self
    }

    /// Adds what must hold of the operation as a whole.
    #[must_use]
    pub fn rule(mut self, predicate: Predicate) -> Self {
        self.details.rules.push(predicate);
        self
    }

    /// Says that the dialect finds the types of results that the format does not write: see
    /// [`Dialect::infer_types`](crate::Dialect::infer_types).
    #[must_use]
    pub fn inferred_results(mut self) -> Self {
        self.op.traits |= Traits::INFERS_RESULT_TYPES;
        self.inferred = true;
        self
    }

    /// Sets how the operation is written, in the declarative form of ODS.
    #[must_use]
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.format = Some(format.into());
        self
    }

    /// Says that code writes and reads the operation.
    #[must_use]
    pub fn custom_syntax(mut self) -> Self {
        self.details.syntax = Syntax::Custom;
        self
    }

    /// The definition.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where the name has no dialect, or a member comes twice;
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where the format is wrong, or what it writes could not be read
    /// again: an operand, region or successor is not in it, or a type that follows from nothing that is, or a list or group begins
    /// as what follows it can.
    pub fn finish(self) -> Result<OpDef> {
        let OpDefBuilder { mut op, mut details, format, inferred } = self;
        let reader = if inferred { Reader::Dialect } else { Reader::Own };
        if op.name.split_once('.').is_none_or(|(dialect, rest)| dialect.is_empty() || rest.is_empty()) {
            return Err(Error::misuse(format!("`{}` is no name of a dialect's operation", op.name)));
        }
        let values = details.operands.iter().chain(&details.results).map(|value| &value.name);
        let attributes = details.attributes.iter().map(|attribute| &attribute.name);
        let natives = details.natives.iter().map(|native| &native.name);
        let regions = details.regions.iter().map(|region| &region.name);
        let successors = details.successors.iter().map(|successor| &successor.name);
        let mut names: Vec<_> = values.chain(attributes).chain(natives).chain(regions).chain(successors).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1] && !pair[0].is_empty()) {
            return Err(
                Error::misuse(format!("`{}` of `{}` comes twice", twice[0], op.name)).with_code(ErrorCode::NameTaken)
            );
        }
        if let Some(format) = format {
            let parsed = Format::parse(&format, &details)
                .and_then(|format| readable::check(&format, &op, &details, reader).map(|()| format));
            details.syntax =
                Syntax::Format(parsed.map_err(|error| error.reading(format!("the format of `{}`", op.name)))?);
        }
        op.lay_out(&details, true);
        op.details = Lazy::from(details);
        Ok(op)
    }
}

impl TypeConstraint {
    /// A constraint by its name, which may be empty, and what must hold of the type.
    pub fn new(name: &str, predicate: Predicate) -> Arc<Self> {
        Arc::new(TypeConstraint { name: name.to_owned(), predicate, only: None })
    }

    /// The types of a dialect that have that mnemonic: `toy.number`.
    pub fn dialect_type(name: &str) -> Arc<Self> {
        Self::new(name, Predicate::is(TermClass::DialectType(name.into())))
    }

    /// A constraint that only one type fits.
    pub fn only(name: &str, predicate: Predicate, ty: Term) -> Arc<Self> {
        Arc::new(TypeConstraint { name: name.to_owned(), predicate, only: Some(ty) })
    }

    /// Any type fits.
    pub fn any() -> Arc<Self> {
        Self::new("AnyType", Predicate::Always)
    }

    /// The signless integer type of `width` bits fits.
    pub fn integer(width: u32) -> Arc<Self> {
        let signedness = Some(crate::types::Signedness::Signless);
        let class = TermClass::Integer { signedness, width: Some(width) };
        Self::only(&format!("I{width}"), Predicate::is(class), integer_type(width))
    }
}

impl AttributeConstraint {
    /// A constraint by its name, which may be empty, what holds the attribute ([`AttributeConstraint::storage`]: `Attribute` says
    /// nothing, `mine.range` lets text leave out dialect and mnemonic), and what must hold of it.
    pub fn new(name: &str, storage: &str, predicate: Predicate) -> Arc<Self> {
        let (name, storage) = (name.to_owned(), storage.to_owned());
        Arc::new(AttributeConstraint { name, predicate, storage, ..AttributeConstraint::default() })
    }

    fn builtin(name: &str, class: BuiltinAttribute, value_type: Option<Term>) -> Arc<Self> {
        let predicate = Predicate::is(TermClass::Attribute(class));
        let (name, storage) = (name.to_owned(), class.class().to_owned());
        Arc::new(AttributeConstraint { name, predicate, storage, value_type, enumeration: None })
    }

    /// Any attribute fits.
    pub fn any() -> Arc<Self> {
        Self::new("AnyAttr", "Attribute", Predicate::Always)
    }

    /// A string.
    pub fn string() -> Arc<Self> {
        Self::builtin("StrAttr", BuiltinAttribute::String, Some(Term::NoneType))
    }

    /// A string that names a symbol, and is written as one.
    pub fn symbol_name() -> Arc<Self> {
        Self::builtin("SymbolNameAttr", BuiltinAttribute::String, Some(Term::NoneType))
    }

    /// `unit`
    pub fn unit() -> Arc<Self> {
        Self::builtin("UnitAttr", BuiltinAttribute::Unit, Some(Term::NoneType))
    }

    /// A signless integer of `width` bits.
    pub fn integer(width: u32) -> Arc<Self> {
        let signedness = Some(crate::types::Signedness::Signless);
        let ty = Term::Get(Box::new(Term::This), super::predicate::Accessor::Type);
        let of_width = Predicate::Is(ty, TermClass::Integer { signedness, width: Some(width) });
        let predicate = Predicate::is(TermClass::Attribute(BuiltinAttribute::Integer)).and(of_width);
        let (name, storage) = (format!("I{width}Attr"), "IntegerAttr".to_owned());
        Arc::new(AttributeConstraint {
            name,
            predicate,
            storage,
            value_type: Some(integer_type(width)),
            enumeration: None,
        })
    }
}

fn integer_type(width: u32) -> Term {
    let width = Box::new(Term::Integer(i64::from(width)));
    Term::IntegerType { width, signedness: crate::types::Signedness::Signless }
}
