//! Whether a module that came back is the one that went, operation by operation.

use std::collections::HashMap;

use crate::definitions::definitions;
use mlirbc_bytecode::UnknownKind;
use mlirbc_ir::ods::{NativeDef, Release, Term};
use mlirbc_ir::text::print_attribute;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Body, BodyId, Context, Identifier, Module, NamedAttribute, OpRef,
    RegionId, Result, Value,
};

use super::equal::{Equal, Way};

/// What had to be forgiven for two modules to be the same.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forgiven {
    /// Something that MLIR's text does not say: what came back may change again on the same way.
    pub(crate) changed: bool,
    /// Distinct attributes became several.
    pub(crate) split: bool,
    /// A location is another, or an attribute is there that is the default or is not.
    pub(crate) assembly: bool,
    /// An attribute is there that is the default.
    pub(crate) defaults: bool,
}

impl Forgiven {
    /// Whether the modules are the same to the last attribute.
    pub(crate) fn nothing(self) -> bool {
        !self.changed && !self.split && !self.assembly
    }
}

/// Compares a module with what came back of it; where they differ, says how.
pub(crate) fn alike(first: &Module, second: &Module, way: Way) -> std::result::Result<Forgiven, String> {
    let context = first.context();
    let mut pass = Pass {
        first,
        second,
        equal: Equal::new(context, way),
        way,
        assembly: false,
        defaults: false,
        values: HashMap::new(),
    };
    let found = pass.run().unwrap_or_else(|error| panic!("decoded modules: {error}"));
    match found {
        Some(difference) => Err(difference),
        None => Ok(Forgiven {
            changed: pass.equal.changed,
            split: pass.equal.split,
            assembly: pass.assembly,
            defaults: pass.defaults,
        }),
    }
}

struct Pass<'m> {
    first: &'m Module,
    second: &'m Module,
    equal: Equal<'m>,
    way: Way,
    assembly: bool,
    defaults: bool,
    values: HashMap<(BodyId, Value), (BodyId, Value)>,
}

/// A region, and the body that holds it.
type Place = (BodyId, RegionId);

impl<'m> Pass<'m> {
    /// The first difference.
    fn run(&mut self) -> Result<Option<String>> {
        let top = BodyId::from_index(Module::TOP);
        let (of_a, of_b) = (self.first.body(top)?.top_regions(), self.second.body(top)?.top_regions());
        let mut regions: Vec<(Place, Place)> = of_a.iter().zip(of_b).map(|(&a, &b)| ((top, a), (top, b))).collect();
        let mut pairs = Vec::new();
        let mut blocks = HashMap::new();
        while let Some((first, second)) = regions.pop() {
            let (a, b) = (self.first.body(first.0)?, self.second.body(second.0)?);
            let (of_a, of_b): (Vec<BlockId>, Vec<BlockId>) =
                (a.blocks(first.1).collect(), b.blocks(second.1).collect());
            if of_a.len() != of_b.len() {
                return Ok(Some(format!("{} blocks, and {}", of_a.len(), of_b.len())));
            }
            for (&x, &y) in of_a.iter().zip(&of_b) {
                blocks.insert((first.0, x), (second.0, y));
                if let Some(difference) = self.arguments((first.0, a, x), (second.0, b, y))? {
                    return Ok(Some(difference));
                }
                let (ops, others) = (a.operations(x).count(), b.operations(y).count());
                if ops != others {
                    return Ok(Some(format!("{ops} operations in a block, and {others}")));
                }
                for (x, y) in a.operations(x).zip(b.operations(y)) {
                    let pair = (self.first.operation(first.0, x)?, self.second.operation(second.0, y)?);
                    let results = pair.0.results().zip(pair.1.results());
                    self.values.extend(results.map(|(x, y)| ((first.0, x), (second.0, y))));
                    if let Some(difference) = inside(pair, &mut regions)? {
                        return Ok(Some(format!("{}: {difference}", pair.0.name())));
                    }
                    pairs.push(pair);
                }
            }
        }
        for (a, b) in pairs {
            if let Some(difference) = self.operation(a, b, &blocks)? {
                return Ok(Some(format!("{}: {difference}", a.name())));
            }
        }
        Ok(None)
    }

    fn arguments(
        &mut self,
        (first, a, x): (BodyId, &Body, BlockId),
        (second, b, y): (BodyId, &Body, BlockId),
    ) -> Result<Option<String>> {
        let (of_a, of_b) = (a.arguments(x), b.arguments(y));
        if of_a.len() != of_b.len() {
            return Ok(Some(format!("{} arguments of a block, and {}", of_a.len(), of_b.len())));
        }
        for (&x, &y) in of_a.iter().zip(of_b) {
            self.values.insert((first, x), (second, y));
            let (x, y) = (self.first.ty(a.ty(x))?, self.second.ty(b.ty(y))?);
            if !self.equal.types(x, y) {
                return Ok(Some("the type of an argument of a block".to_owned()));
            }
        }
        for (x, y) in a.argument_locations(x).iter().zip(b.argument_locations(y)) {
            let (x, y) = (argument_location(self.first, *x)?, argument_location(self.second, *y)?);
            if !self.location(x, y) {
                return Ok(Some("the location of an argument of a block".to_owned()));
            }
        }
        Ok(None)
    }

    /// Custom assembly does not say the locations of all block arguments, nor of operations that it leaves out.
    fn location(&mut self, a: Attribute, b: Attribute) -> bool {
        let same = self.equal.attributes(a, b);
        self.assembly |= !same;
        same || self.way == Way::Assembly
    }

    fn operation(
        &mut self,
        a: OpRef<'m>,
        b: OpRef<'m>,
        blocks: &HashMap<(BodyId, BlockId), (BodyId, BlockId)>,
    ) -> Result<Option<String>> {
        let context = self.first.context();
        // Text does not say which operations counted as registered.
        let names = |op: OpRef<'_>| (op.operation_name(), context.operation_identifier(op.operation_name()));
        if names(a).1 != names(b).1 || self.way.is_bytecode() && names(a) != names(b) {
            return Ok(Some(format!("the name became {}", b.name())));
        }
        let (attributes, properties) = a.dictionaries()?;
        let (others, other) = b.dictionaries()?;
        if let Some(difference) = self.dictionaries(a, attributes, others) {
            return Ok(Some(format!("attribute {difference}")));
        }
        if let Some(difference) = self.dictionaries(a, properties, other) {
            return Ok(Some(format!("property {difference}")));
        }
        let same = |(&x, &y): (&Value, &Value)| self.values.get(&(a.body_id(), x)) == Some(&(b.body_id(), y));
        if a.operands().len() != b.operands().len() || !a.operands().iter().zip(b.operands()).all(same) {
            return Ok(Some("an operand".to_owned()));
        }
        if a.results().len() != b.results().len() {
            return Ok(Some(format!("{} results, and {}", a.results().len(), b.results().len())));
        }
        for (x, y) in a.results().zip(b.results()) {
            if !self.equal.types(a.type_of(x)?, b.type_of(y)?) {
                return Ok(Some("the type of a result".to_owned()));
            }
        }
        let (of_a, of_b) = (a.body().successors(a.id()), b.body().successors(b.id()));
        let same = |(&x, &y): (&BlockId, &BlockId)| blocks.get(&(a.body_id(), x)) == Some(&(b.body_id(), y));
        if of_a.len() != of_b.len() || !of_a.iter().zip(of_b).all(same) {
            return Ok(Some("a successor".to_owned()));
        }
        let (x, y) = (a.location()?.attribute(context), b.location()?.attribute(context));
        if !self.location(x, y) {
            return Ok(Some(format!("the location {} became {}", shown(context, x), shown(context, y))));
        }
        Ok(None)
    }

    fn dictionaries(&mut self, op: OpRef<'m>, a: Option<Attribute>, b: Option<Attribute>) -> Option<String> {
        if self.equal.optional(a, b) {
            return None;
        }
        let context = self.first.context();
        let entries = |attribute: Option<Attribute>| match attribute.map(|attribute| &context[attribute]) {
            None => Some(&[] as &[NamedAttribute]),
            Some(AttributeData::Dictionary(entries)) => Some(&**entries),
            Some(_) => None,
        };
        let (Some(of_a), Some(of_b)) = (entries(a), entries(b)) else {
            // Written by a producer that names no release, properties may fit the layouts of two: they are kept as they are.
            let release = Release::of_producer(&self.first.info.producer);
            let layouts = op.definition().map_or(0, |definition| definition.layouts().len());
            if self.way.is_bytecode() && entries(a).is_some() && release.is_none() && layouts > 1 {
                self.equal.changed = true;
                return None;
            }
            // Bytes that are kept name entries by number: one that was none may be one of those that were added.
            if self.way.is_bytecode() && entries(a).is_none() && names_no_entry(op) {
                self.equal.changed = true;
                return None;
            }
            return Some("of another kind".to_owned());
        };
        let find =
            |of: &[NamedAttribute], name: Identifier| of.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
        for &(name, _) in of_a.iter().chain(of_b) {
            let (x, y) = (find(of_a, name), find(of_b, name));
            if !self.equal.optional(x, y) {
                let unsaid = match (x, y) {
                    // Without any it has those that its parser gives it.
                    (None, Some(value)) if is_given(op, context.bytes(name), value) => true,
                    (Some(value), None) | (None, Some(value)) => is_default(op, &context.text(name), value),
                    (Some(x), Some(y)) => is_as_printed(op, &context.text(name), x, y),
                    (None, None) => false,
                };
                if self.way == Way::Assembly && unsaid {
                    self.assembly = true;
                    self.defaults |= x.is_none();
                    continue;
                }
                let text = |attribute: Option<Attribute>| attribute.map_or("none".into(), |at| shown(context, at));
                return Some(format!("{}: {} became {}", context.text(name), text(x), text(y)));
            }
        }
        None
    }
}

/// Whether the properties of an operation are opaque because they name an entry behind the last one.
fn names_no_entry(op: OpRef<'_>) -> bool {
    let blob = op.body().properties(op.id()).and_then(|properties| properties.in_source());
    let parts =
        mlirbc_bytecode::unknown_parts(op.module()).unwrap_or_else(|error| panic!("a module that was read: {error}"));
    let mut of_it = parts.iter().filter(|part| part.kind == UnknownKind::Properties && Some(part.index) == blob);
    of_it.any(|part| {
        let (what, count) = part.error.message().split_once(" of ").unwrap_or_default();
        let number = what.rsplit_once(' ').and_then(|(_, number)| number.parse::<u64>().ok());
        number.zip(count.parse().ok()).is_some_and(|(number, count)| number >= count)
    })
}

/// Adds the regions of two operations that stand for each other.
fn inside(pair: (OpRef<'_>, OpRef<'_>), regions: &mut Vec<(Place, Place)>) -> Result<Option<String>> {
    let (a, b) = pair;
    let (number, other) = (a.body().region_count_of(a.id()), b.body().region_count_of(b.id()));
    if number != other {
        return Ok(Some(format!("{number} regions, and {other}")));
    }
    let (first, body, of_a) = a.region_tree()?;
    let (second, other, of_b) = b.region_tree()?;
    // Regions without blocks need no body, and so are not always there.
    if of_a.is_empty() || of_b.is_empty() {
        let blocks = |body: &Body, of: &[RegionId]| of.iter().map(|&at| body.blocks(at).count()).sum::<usize>();
        let (blocks, others) = (blocks(body, &of_a), blocks(other, &of_b));
        return Ok((blocks != others).then(|| format!("{blocks} blocks, and {others}")));
    }
    regions.extend(of_a.into_iter().zip(of_b).map(|(a, b)| ((first, a), (second, b))));
    Ok(None)
}

fn argument_location(module: &Module, location: Option<AttributeRef>) -> Result<Attribute> {
    let context = module.context();
    match location {
        Some(location) => Ok(module.location(location)?.attribute(context)),
        None => Ok(context.unknown_location()),
    }
}

fn shown(context: &Context, attribute: Attribute) -> String {
    let text = print_attribute(context, attribute).unwrap_or_else(|error| error.to_string());
    text.chars().take(200).collect()
}

/// Whether the operation means the same where the attribute is not there: its definition says that this is the default, or
/// it says of each argument or result of a function that nothing is to be said.
fn is_default(op: OpRef<'_>, name: &str, value: Attribute) -> bool {
    let context = op.module().context();
    let Some(definition) = op.definition() else { return false };
    if matches!(name, "arg_attrs" | "res_attrs")
        && let AttributeData::Array(items) = &context[value]
    {
        let empty = |item: &Attribute| matches!(&context[*item], AttributeData::Dictionary(of) if of.is_empty());
        return items.iter().all(empty);
    }
    // MLIR notes these when it looks at the operation.
    if name == "linalg.memoized_indexing_maps" {
        return definition.name.starts_with("linalg.");
    }
    // Their parsers add this one.
    if name == "unnamed_addr" && matches!(&*definition.name, "llvm.func" | "llvm.mlir.global" | "llvm.mlir.alias") {
        return matches!(&context[value], AttributeData::Integer { value, .. } if value.to_u64() == Some(0));
    }
    let term = definition.attributes().iter().find(|of| of.name == name).and_then(|of| of.default.as_ref());
    let native = definition.natives().iter().find(|of| of.name == name);
    match (term, native) {
        (Some(term), _) => is_term(context, term, value),
        (None, Some(NativeDef { default: Some(term), .. })) => is_term(context, term, value),
        // A property is always there: what nothing is said of is 0, or empty.
        (None, Some(_)) => match &context[value] {
            AttributeData::Integer { value, .. } => value.to_u64() == Some(0),
            AttributeData::Array(items) => items.is_empty(),
            _ => false,
        },
        (None, None) => false,
    }
}

/// Whether the parser of an operation, as that of MLIR, gives it the attribute where the operation has none.
fn is_given(op: OpRef<'_>, name: &[u8], value: Attribute) -> bool {
    let context = op.module().context();
    match name {
        b"indexing_maps" => op.name().starts_with("linalg."),
        b"scalable_sizes" => {
            let is_none =
                matches!(&context[value], AttributeData::DenseArray { data, .. } if data.iter().all(|&byte| byte == 0));
            op.name().starts_with("transform.structured.") && is_none
        }
        _ => false,
    }
}

/// Whether MLIR, too, prints the attribute so that it is read back as the other: the number of a specialisation constant loses
/// its type.
fn is_as_printed(op: OpRef<'_>, name: &str, there: Attribute, back: Attribute) -> bool {
    let context = op.module().context();
    match (&context[there], &context[back]) {
        (AttributeData::Integer { value, .. }, AttributeData::Integer { value: other, ty }) => {
            op.name() == "spirv.SpecConstant"
                && name == "spec_id"
                && *ty == context.integer_type(64)
                && value.to_i64() == other.to_i64()
        }
        _ => false,
    }
}

/// Whether an attribute is what a definition gives as its default.
fn is_term(context: &Context, term: &Term, value: Attribute) -> bool {
    let integer = |wanted: i64| match &context[value] {
        AttributeData::Integer { value, .. } => value.to_i64() == Some(wanted) || value.to_u64() == Some(wanted as u64),
        _ => false,
    };
    match (term, &context[value]) {
        (Term::Integer(wanted), _) => integer(*wanted),
        (Term::Bool(wanted), AttributeData::Integer { value, .. }) => {
            value.width() == 1 && value.to_u64() == Some(u64::from(*wanted))
        }
        (Term::Text(wanted), AttributeData::String { value, .. }) => **value == *wanted.as_bytes(),
        (Term::Enumerant { enumeration, case }, _) => {
            // Those of StableHLO are no part of MLIR.
            let own = || {
                let dialect = context.dialect(enumeration.split("::").next()?)?;
                dialect.tables().iter().find_map(|table| table.enumeration(enumeration))
            };
            let enumeration = definitions().enumeration(enumeration).or_else(own);
            let case = enumeration.as_ref().and_then(|cases| cases.case(case));
            case.is_some_and(|case| integer(case.value) || in_brackets(context, value) == case.text)
        }
        (Term::List(wanted), AttributeData::Array(items)) => wanted.is_empty() && items.is_empty(),
        (Term::List(wanted), AttributeData::Dictionary(items)) => wanted.is_empty() && items.is_empty(),
        (Term::List(wanted), AttributeData::DenseArray { .. }) => {
            let wanted: Vec<String> = wanted.iter().filter_map(number).collect();
            let text = shown(context, value);
            let items = text.split_once(": ").map_or("", |(_, items)| items.trim_end_matches('>'));
            items.split(", ").filter(|item| !item.is_empty()).eq(wanted.iter().map(String::as_str))
        }
        // No bit of several, or nothing between brackets.
        (Term::List(wanted), _) => {
            wanted.is_empty() && (integer(0) || matches!(&*in_brackets(context, value), "" | "none" | "None"))
        }
        _ => false,
    }
}

fn number(term: &Term) -> Option<String> {
    match term {
        Term::Integer(value) => Some(value.to_string()),
        Term::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// What stands between the brackets of an attribute of a dialect: `none` of `#arith.fastmath<none>`.
fn in_brackets(context: &Context, value: Attribute) -> String {
    let text = shown(context, value);
    let inside = text.strip_prefix('#').and_then(|text| text.split_once('<')).map(|(_, rest)| rest);
    inside.and_then(|inside| inside.strip_suffix('>')).unwrap_or_default().to_owned()
}
