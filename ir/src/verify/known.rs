//! What checks ask of the name of an operation, looked up once.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use super::hooks::{DialectVerifier, LooksAt};
use crate::attribute::{Attribute, Identifier};
use crate::context::{Context, OperationName};
use crate::ods::{Accessor, AttributeDef, BuiltinAttribute, OpDef, Predicate, Term, TermClass, Test, Traits};
use crate::types::Type;

/// What is known of all operations of one name.
pub(super) struct Known {
    /// The definition that operations of the name are checked against.
    pub(super) definition: Option<Arc<OpDef>>,
    pub(super) verifier: Option<Arc<dyn DialectVerifier>>,
    /// Whether operations of its dialect take integers of one width for one type.
    pub(super) mixes_signedness: bool,
    /// What that looks at.
    pub(super) looks_at: LooksAt,
    /// Whether names are among the attributes that it looks at.
    pub(super) looks_at_names: bool,
    /// By attribute of the definition.
    attributes: Box<[Member]>,
    /// By property of the definition that is no attribute.
    natives: Box<[Member]>,
    /// By operand of the definition: the type that was last found to fit.
    pub(super) operands: Box<[Cell<Option<Type>>]>,
    /// The same by result.
    pub(super) results: Box<[Cell<Option<Type>>]>,
    /// By region of the definition: the number of blocks that was last found to fit.
    pub(super) regions: Box<[Cell<Option<usize>>]>,
    /// Whether any region fits.
    pub(super) takes_any_region: bool,
    /// The names of its properties, in the order of their numbers.
    properties: Box<[Identifier]>,
    /// The same of its attributes, and of its properties that are none, with their numbers in `attributes` and `natives`.
    members: Box<[(Identifier, MemberId)]>,
    /// The names of attributes that have to be given.
    pub(super) required: Box<[Identifier]>,
    /// The rules of the definition that ask where an operation stands, and nothing else.
    pub(super) place_rules: Box<[PlaceRule]>,
    /// What only has to be of a class for the definition to hold, and is mostly another one from operation to operation: names of symbols, and
    /// references to them.
    names: Box<[(Identifier, TermClass)]>,
    /// Whether a symbol can do without a name.
    pub(super) may_be_nameless: bool,
}

/// A rule that asks something of an operation, or of one around it.
pub(super) struct PlaceRule {
    /// Its number among the rules of the definition.
    pub(super) number: usize,
    /// How many levels up the operation is that it asks about.
    pub(super) level: u32,
    pub(super) test: Test,
}

impl PlaceRule {
    fn of(number: usize, rule: &Predicate) -> Option<Self> {
        let Predicate::Test(term, test @ (Test::IsInsideFunction | Test::IsInsideGraph | Test::IsSymbolTable)) = rule
        else {
            return None;
        };
        let (mut term, mut level) = (term, 0);
        while let Term::Get(of, Accessor::Parent) = term {
            (term, level) = (&**of, level + 1);
        }
        (*term == Term::Operation).then_some(PlaceRule { number, level, test: *test })
    }
}

/// Which attribute or property of a definition something is.
#[derive(Clone, Copy)]
pub(super) enum MemberId {
    Attribute(usize),
    Native(usize),
}

/// An attribute of a definition, or a property.
pub(super) struct Member {
    pub(super) name: Identifier,
    /// What was last found to fit it.
    last: Cell<Option<Attribute>>,
    /// The same of those that have one place in this by their numbers: mostly few take turns.
    others: OnceCell<Box<[Cell<Option<Attribute>>; OTHERS]>>,
}

/// So many attributes are remembered of one member.
const OTHERS: usize = 64;

impl Member {
    fn of(context: &Context, name: &str) -> Self {
        Member { name: context.identifier(name), last: Cell::new(None), others: OnceCell::new() }
    }

    /// Whether that was found to fit it.
    pub(super) fn is_known_to_fit(&self, value: Attribute) -> bool {
        if self.last.get() == Some(value) {
            return true;
        }
        let known = self.others.get().is_some_and(|others| others[value.raw() as usize % OTHERS].get() == Some(value));
        if known {
            self.last.set(Some(value));
        }
        known
    }

    /// Notes that something fits it.
    pub(super) fn note_fit(&self, value: Attribute) {
        if let Some(last) = self.last.replace(Some(value)) {
            let others = self.others.get_or_init(|| Box::new([const { Cell::new(None) }; OTHERS]));
            [last, value].into_iter().for_each(|value| others[value.raw() as usize % OTHERS].set(Some(value)));
        }
    }
}

impl Known {
    pub(super) fn of(context: &Context, name: OperationName, verifier: Option<Arc<dyn DialectVerifier>>) -> Self {
        let definition = context.definition(name).cloned();
        // Properties that are encoded by hand cannot be looked into, and then nothing is asked of the rest.
        let asked = definition.as_deref().filter(|definition| !definition.traits.contains(Traits::OPAQUE_PROPERTIES));
        let member = |name: &String| Member::of(context, name);
        let operation = context.operation_text(name);
        let rest = operation.iter().position(|&byte| byte == b'.').map_or(&[][..], |dot| &operation[dot + 1..]);
        let rest = std::str::from_utf8(rest).ok();
        let attributes = asked.map_or(&[][..], OpDef::attributes);
        let natives = asked.map_or(&[][..], OpDef::natives);
        let mut members: Vec<(Identifier, MemberId)> = attributes
            .iter()
            .enumerate()
            .map(|(at, it)| (context.identifier(&it.name), MemberId::Attribute(at)))
            .collect();
        members.extend(natives.iter().enumerate().map(|(at, it)| (context.identifier(&it.name), MemberId::Native(at))));
        members.sort_by_key(|member| member.0);
        let required = attributes.iter().filter(|it| !it.optional && it.default.is_none());
        let mut properties: Vec<Identifier> =
            asked.map_or(&[][..], |it| &it.properties).iter().map(|it| context.identifier(&it.name)).collect();
        properties.sort_unstable();
        let rules = asked.map_or(&[][..], |asked| &asked.details().rules);
        let place_rules: Box<[PlaceRule]> =
            rules.iter().enumerate().filter_map(|(number, rule)| PlaceRule::of(number, rule)).collect();
        // Another rule may look at any of them.
        let unruled = if place_rules.len() == rules.len() { attributes } else { &[] };
        let is_name = |class: &TermClass| {
            use BuiltinAttribute::{FlatSymbolRef, String, SymbolRef};
            matches!(class, TermClass::Attribute(String | SymbolRef | FlatSymbolRef))
        };
        let names = unruled.iter().filter_map(|attribute| match &attribute.constraint.predicate {
            Predicate::Is(Term::This, class) if is_name(class) && attribute.name != "sym_visibility" => {
                Some((context.identifier(&attribute.name), class.clone()))
            }
            _ => None,
        });
        let names = names.collect();
        let is_optional = |it: &AttributeDef| it.name == "sym_name" && (it.optional || it.default.is_some());
        let looks_at =
            |verifier: &Arc<dyn DialectVerifier>| rest.map_or(LooksAt::Anything, |rest| verifier.looks_at(rest));
        Known {
            looks_at: verifier.as_ref().map_or(LooksAt::Nothing, looks_at),
            looks_at_names: verifier.as_ref().is_some_and(|it| rest.is_none_or(|rest| it.looks_at_names(rest))),
            mixes_signedness: verifier.as_ref().is_some_and(|verifier| verifier.mixes_signedness()),
            verifier,
            attributes: attributes.iter().map(|it| member(&it.name)).collect(),
            natives: natives.iter().map(|it| member(&it.name)).collect(),
            required: required.map(|it| context.identifier(&it.name)).collect(),
            members: members.into(),
            operands: asked.map_or(&[][..], OpDef::operands).iter().map(|_| Cell::new(None)).collect(),
            results: asked.map_or(&[][..], OpDef::results).iter().map(|_| Cell::new(None)).collect(),
            regions: asked.map_or(&[][..], OpDef::regions).iter().map(|_| Cell::new(None)).collect(),
            takes_any_region: asked
                .map_or(&[][..], OpDef::regions)
                .iter()
                .all(|region| region.predicate == Predicate::Always),
            properties: properties.into(),
            place_rules,
            names,
            may_be_nameless: attributes.iter().any(is_optional),
            definition,
        }
    }

    /// Whether the dialect takes a type for one of those that a constraint of its definition stands for.
    pub(super) fn takes(&self, context: &Context, constraint: &str, ty: Type) -> bool {
        self.verifier.as_ref().is_some_and(|verifier| verifier.takes(context, constraint, ty))
    }

    /// Whether it has members of which only the class counts.
    pub(super) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The class that a member of that name has to be of, where nothing else of it counts.
    pub(super) fn class_of_name(&self, name: Identifier) -> Option<&TermClass> {
        self.names.iter().find(|known| known.0 == name).map(|known| &known.1)
    }

    /// Whether the definition has that trait.
    #[inline]
    pub(super) fn has_trait(&self, wanted: Traits) -> bool {
        self.definition.as_ref().is_some_and(|definition| definition.traits.contains(wanted))
    }

    /// Whether the definition has a property of that name.
    pub(super) fn has_property(&self, name: Identifier) -> bool {
        self.properties.binary_search(&name).is_ok()
    }

    /// The attribute or property of that name.
    pub(super) fn member_named(&self, name: Identifier) -> Option<MemberId> {
        let at = self.members.binary_search_by_key(&name, |member| member.0).ok()?;
        Some(self.members[at].1)
    }

    pub(super) fn member(&self, id: MemberId) -> &Member {
        match id {
            MemberId::Attribute(at) => &self.attributes[at],
            MemberId::Native(at) => &self.natives[at],
        }
    }
}
