//! One operation, without its operands, results and regions: what it is called, and its attributes.

use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{
    Attribute, AttributeData, Context, Error, NamedAttribute, OpRef, OperationName, Parameter, Result, TypeData,
};

use super::attributes::{Since, array, code, down, held, put_together, symbol, taken_apart, up};
use super::defaults::find;
use super::order::REFERENCE;
use super::rules::{Added, Kind, Rule, rule_of};
use crate::vhlo::types::{attribute_parts, make_attribute};
use crate::vhlo::{Version, to_builtin};

/// What became of an operation, the same for all that have its name and attributes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Converted {
    /// Its name.
    pub(super) name: OperationName,
    /// Its name directly inside of a function, where that is another one.
    pub(super) name_in_function: OperationName,
    /// Its discardable attributes, and its properties.
    pub(super) attributes: (Option<Attribute>, Option<Attribute>),
    /// Whether it is one of those that are converted. The others keep their types, too.
    pub(super) is_native: bool,
    /// Whether it was of a newer version first.
    pub(super) is_lowered: bool,
    /// The oldest version of `vhlo` that has the operation with such attributes.
    pub(super) since: Version,
    /// Since when it may have several operands and results, and regions, where it may not ever have had them.
    pub(super) many_since: Option<Version>,
    pub(super) regions_since: Option<Version>,
    /// Below which version what it works on is of the type of what it gives.
    pub(super) is_strict_below: Option<Version>,
    /// Since when it works on futures.
    pub(super) futures_since: Version,
}

/// Reductions that could not always give another type than they take.
const STRICT: [&str; 6] = ["all_reduce", "reduce", "reduce_scatter", "reduce_window", "scatter", "select_and_scatter"];
const STRICT_BELOW: Version = Version::new(0, 17, 0);
/// Since when a custom call takes a dictionary, and futures.
const DICTIONARY: Version = Version::new(1, 3, 0);
const FUTURES: Version = Version::new(1, 17, 0);
/// Since when products of f8E4M3FN are summed in f32 by three or four products of parts, which older releases do not know.
const EIGHT_BITS: Version = Version::new(1, 21, 0);

/// The name in `vhlo`, without version, of an operation of StableHLO.
pub(super) fn base(name: &str) -> Option<&str> {
    match name {
        "func.func" => Some("func"),
        "func.call" => Some("call"),
        "func.return" => Some("return"),
        _ => name.strip_prefix("stablehlo."),
    }
}

/// The name without version of an operation of `vhlo`, and its version.
pub(super) fn versioned(name: &str) -> Option<(&str, usize)> {
    let (base, version) = name.strip_prefix("vhlo.")?.rsplit_once("_v")?;
    Some((base, version.parse().ok()?))
}

/// The attributes of an operation, inherent or not.
fn entries(op: OpRef<'_>) -> Result<Vec<NamedAttribute>> {
    let context = op.module().context();
    let (discardable, inherent) = op.dictionaries()?;
    let mut all = Vec::new();
    for dictionary in [inherent, discardable].into_iter().flatten() {
        match &context[dictionary] {
            AttributeData::Dictionary(entries) => all.extend_from_slice(entries),
            _ => return Err(Error::verification("its attributes are bytes that nobody knows")),
        }
    }
    Ok(all)
}

/// The operation as it is.
fn kept(op: OpRef<'_>) -> Result<Converted> {
    let name = op.operation_name();
    Ok(Converted {
        name,
        name_in_function: name,
        attributes: op.dictionaries()?,
        is_native: false,
        is_lowered: false,
        since: Version::MINIMUM,
        many_since: None,
        regions_since: None,
        is_strict_below: None,
        futures_since: Version::MINIMUM,
    })
}

/// With these attributes, those that its definition has among its properties.
fn finish(
    context: &Context,
    name: OperationName,
    entries: Vec<NamedAttribute>,
) -> Result<(Option<Attribute>, Option<Attribute>)> {
    let all = context.dictionary(entries)?;
    let (discardable, properties) = context.split_attributes(name, Some(all), None)?;
    let is_empty = |of: &Attribute| matches!(&context[*of], AttributeData::Dictionary(entries) if entries.is_empty());
    Ok((discardable.filter(|of| !is_empty(of)), properties))
}

/// An operation of StableHLO in `vhlo`, as the target has it.
pub(super) fn raise(op: OpRef<'_>, target: Version, since: &mut Since) -> Result<Converted> {
    let context = op.module().context();
    let text = op.name();
    let Some(base) = base(&text) else { return kept(op) };
    let rule = rule_of(base);
    let has = |version: usize| context.find_definition(format!("vhlo.{base}_v{version}")).is_some();
    if !has(rule.since.len()) {
        return Err(Error::verification("no version of vhlo has it"));
    }
    let mut made = Vec::new();
    for (name, value) in entries(op)? {
        let text = context.bytes(name);
        let member = rule.members.iter().find(|member| member.name.as_bytes() == text);
        let refused = || Error::verification(format!("its `{}` is none that vhlo has", context.text(name)));
        let raised = match (member.map_or(Kind::Plain, |member| member.kind), &context[value]) {
            (Kind::Group(mnemonic, names), _) => {
                let parts = taken_apart(context, value, mnemonic).ok_or_else(refused)?;
                let names = names.iter().map(|&name| context.static_identifier(name));
                made.extend(names.zip(parts));
                continue;
            }
            (Kind::Unit, AttributeData::Unit) => Some(make_attribute(context, code::BOOL, [Parameter::Bool(true)])),
            (Kind::ApiVersion, AttributeData::Integer { value, .. }) => {
                let number = value.to_u64().filter(|&number| number <= 4).ok_or_else(refused)?;
                Some(make_attribute(context, code::API_VERSION, [Parameter::Unsigned(number)]))
            }
            _ => up(context, value, 0)?,
        };
        made.push((name, raised.unwrap_or(value)));
    }
    for member in rule.members {
        let single = [member.name];
        let names = if let Kind::Group(_, names) = member.kind { names } else { &single[..] };
        for &name in names {
            if find(context, &made, name).is_none()
                && let Some(value) = member.default.value(context, &made)
            {
                made.push((context.static_identifier(name), value));
            }
        }
    }
    let mut converted = Converted { is_native: true, since: rule.since[0], ..kept(op)? };
    let newest = rule.since.iter().rposition(|&since| since <= target).unwrap_or(0);
    let lowers = rule.since.len() == 2 && newest == 0;
    let is_added = |entry: &NamedAttribute| {
        rule.added.attributes.iter().find(|added| added.0.as_bytes() == context.bytes(entry.0))
    };
    for entry in &made {
        let needed = match is_added(entry) {
            Some((_, default)) if default.value(context, &made) == Some(entry.1) => continue,
            Some(_) => rule.since[1],
            None => Version::MINIMUM,
        };
        converted.since = converted.since.max(needed).max(since.attribute(context, entry.1, 0));
    }
    constrain(context, base, rule, &made, &mut converted);
    converted.is_lowered = lowers && rule.since[1] <= REFERENCE;
    if lowers {
        let removed: Vec<NamedAttribute> = rule
            .added
            .removed
            .iter()
            .filter_map(|&(name, default)| Some((context.static_identifier(name), default.value(context, &made)?)))
            .collect();
        made.retain(|entry| is_added(entry).is_none());
        made.extend(removed);
    }
    converted.name = context.operation_name(format!("vhlo.{base}_v{}", newest + 1), true);
    converted.name_in_function = converted.name;
    converted.attributes = finish(context, converted.name, made)?;
    Ok(converted)
}

/// What of it not every version takes, beside attributes and types that this does not have.
fn constrain(context: &Context, base: &str, rule: &Rule, made: &[NamedAttribute], converted: &mut Converted) {
    let Added { many, regions, .. } = rule.added;
    converted.many_since = rule.since.get(1).copied().filter(|_| many);
    converted.regions_since = rule.since.get(1).copied().filter(|_| regions);
    converted.is_strict_below = Some(STRICT_BELOW).filter(|_| STRICT.contains(&base));
    if base == "dot_general" && is_of_eight_bits(context, made) {
        converted.since = converted.since.max(EIGHT_BITS);
    }
    if base == "custom_call" {
        converted.futures_since = FUTURES;
        let is = |name: &str, of: usize| {
            find(context, made, name).and_then(|value| attribute_parts(context, value)).filter(|parts| parts.0 == of)
        };
        let is_typed = is("api_version", code::API_VERSION).is_some_and(|parts| parts.1 == [Parameter::Unsigned(4)]);
        if is_typed || is("backend_config", code::DICTIONARY).is_some() {
            converted.since = converted.since.max(DICTIONARY);
        }
    }
}

/// Whether the algorithm of a product is one of the two that came with 1.21.0.
fn is_of_eight_bits(context: &Context, made: &[NamedAttribute]) -> bool {
    let is_of = |name: &str, kind: FloatKind| {
        matches!(
            find(context, made, name).and_then(|value| attribute_parts(context, value)),
            Some((code::TYPE, &[Parameter::Type(ty)])) if to_builtin(context, ty) == Some(context.float_type(kind))
        )
    };
    let products =
        find(context, made, "num_primitive_operations").and_then(|value| held(context, value, code::INTEGER));
    is_of("lhs_precision_type", FloatKind::F8E4M3FN)
        && is_of("rhs_precision_type", FloatKind::F8E4M3FN)
        && is_of("accumulation_type", FloatKind::F32)
        && products.and_then(|products| context.integer_of(products)?.to_i64()).is_some_and(|count| count > 1)
}

/// An operation of `vhlo`, of any version, in StableHLO.
pub(super) fn lower(op: OpRef<'_>) -> Result<Converted> {
    let context = op.module().context();
    let text = op.name();
    let Some((base, version)) = versioned(&text) else { return kept(op) };
    let rule = rule_of(base);
    let definition = context.definition(op.operation_name()).filter(|_| version <= rule.since.len());
    let definition = definition.ok_or_else(|| Error::verification("no version of vhlo that is known has it"))?;
    let mut all = entries(op)?;
    let members = &definition.details().attributes;
    if let Some(missing) = members.iter().find(|member| find(context, &all, &member.name).is_none()) {
        return Err(Error::verification(format!("it lacks `{}`", missing.name)));
    }
    if version < rule.since.len() {
        let added = rule.added.attributes.iter().map(|&(name, default)| (name, default));
        for (name, default) in added {
            if let Some(value) = default.value(context, &all).filter(|_| find(context, &all, name).is_none()) {
                all.push((context.static_identifier(name), value));
            }
        }
        let is_removed = |name: &[u8]| rule.added.removed.iter().any(|removed| removed.0.as_bytes() == name);
        all.retain(|entry| !is_removed(context.bytes(entry.0)));
    }
    let mut made = Vec::new();
    let mut grouped: Vec<&str> = Vec::new();
    for member in rule.members {
        let Kind::Group(mnemonic, names) = member.kind else { continue };
        grouped.extend_from_slice(names);
        let parts: Option<Vec<Attribute>> = names.iter().map(|name| find(context, &all, name)).collect();
        let missing = || Error::verification(format!("it lacks parts of `{}`", member.name));
        let parts = parts.ok_or_else(missing)?;
        if parts.iter().all(|&part| member.default.is(context, &all, part)) {
            continue;
        }
        // A channel's type is not always there.
        let more = if mnemonic == "channel_handle" { 2 - names.len() } else { 0 };
        let whole = put_together(context, mnemonic, &parts, more).ok_or_else(missing)?;
        context[whole].verify(context)?;
        made.push((context.static_identifier(member.name), whole));
    }
    for &(name, value) in &all {
        let text = context.bytes(name);
        if grouped.iter().any(|known| known.as_bytes() == text) {
            continue;
        }
        let member = rule.members.iter().find(|member| member.name.as_bytes() == text);
        if member.is_some_and(|member| member.default.is(context, &all, value)) {
            continue;
        }
        let lowered = down(context, value, 0)?;
        let lowered = match member.map_or(Kind::Plain, |member| member.kind) {
            Kind::Array => array(context, lowered),
            Kind::Symbol => symbol(context, lowered),
            Kind::Unit if is_true(context, lowered) => context.unit(),
            _ => lowered,
        };
        made.push((name, lowered));
    }
    let name = |name: &str| context.operation_name(name, true);
    let mut converted = Converted { is_native: true, ..kept(op)? };
    converted.name = match base {
        "func" => name("func.func"),
        "call" => name("func.call"),
        _ => name(&format!("stablehlo.{base}")),
    };
    converted.name_in_function = if base == "return" { name("func.return") } else { converted.name };
    converted.attributes = finish(context, converted.name, made)?;
    Ok(converted)
}

fn is_true(context: &Context, attribute: Attribute) -> bool {
    matches!(&context[attribute], AttributeData::Integer { ty, value }
        if matches!(context[*ty], TypeData::Integer { width: 1, .. }) && value.words()[0] == 1)
}
