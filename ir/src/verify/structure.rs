//! Blocks, terminators, and the traits that say how an operation nests and how its types agree.

use std::collections::HashSet;

use super::Checker;
use super::operation::Operation;
use crate::attribute::AttributeData;
use crate::error::{Error, Result};
use crate::module::OpRef;
use crate::ods::Traits;
use crate::types::{DYNAMIC, Type, TypeData};

fn wrong(message: impl Into<String>) -> Error {
    Error::verification(message)
}

/// Checks what holds of the blocks of any operation: terminators at their end, and nowhere else.
pub(super) fn verify_blocks(op: OpRef<'_>) -> Result<()> {
    let (body, id) = (op.body(), op.id());
    let last = body.block_of(id).is_some_and(|block| body.last_operation(block) == Some(id));
    if !body.successors(id).is_empty() && body.block_of(id).is_some() && !last {
        return Err(wrong("an operation with successors must be the last of its block"));
    }
    let region = body.block_of(id).and_then(|block| body.region_of(block));
    if body.successors(id).iter().any(|&successor| body.region_of(successor) != region) {
        return Err(wrong("a successor is a block of another region"));
    }
    if body.region_count_of(id) == 0 {
        return Ok(());
    }
    let without_terminator = op.definition().is_none() || op.has_trait(Traits::NO_TERMINATOR);
    let (inside_id, inside, regions) = op.region_tree()?;
    for (number, region) in regions.into_iter().enumerate() {
        let mut blocks = inside.blocks(region).peekable();
        let entry = blocks.peek().copied();
        let single = inside.blocks(region).nth(1).is_none();
        for block in blocks {
            if single && without_terminator {
                continue;
            }
            let Some(last) = inside.last_operation(block) else {
                return Err(wrong(format!("a block of region {number} is empty, without a terminator")));
            };
            let last = op.module().operation(inside_id, last)?;
            if last.definition().is_some_and(|definition| !definition.traits.contains(Traits::TERMINATOR)) {
                return Err(wrong(format!(
                    "a block of region {number} ends with `{}`, which is no terminator",
                    last.name()
                )));
            }
        }
        if let Some(entry) = entry
            && inside
                .blocks(region)
                .any(|block| inside.last_operation(block).is_some_and(|last| inside.successors(last).contains(&entry)))
        {
            return Err(wrong(format!("the first block of region {number} is a successor")));
        }
    }
    Ok(())
}

/// Checks the traits of the operation's definition.
pub(super) fn verify_traits(checker: &Checker<'_>, operation: &Operation<'_>) -> Result<()> {
    let traits = operation.definition.traits;
    let places = [Traits::TERMINATOR, Traits::SYMBOL, Traits::SYMBOL_TABLE];
    if places.iter().any(|&place| traits.contains(place)) || !operation.definition.parents.is_empty() {
        checker.depends_on_context.set(true);
    }
    nesting(operation, traits)?;
    regions(operation, traits)?;
    if traits.contains(Traits::SYMBOL) {
        symbol(operation)?;
    }
    if traits.contains(Traits::SYMBOL_TABLE) {
        symbol_table(operation)?;
    }
    types(checker, operation, traits)
}

fn nesting(operation: &Operation<'_>, traits: Traits) -> Result<()> {
    let (body, id) = operation.place();
    if traits.contains(Traits::TERMINATOR)
        && let Some(block) = body.block_of(id)
        && body.last_operation(block) != Some(id)
    {
        return Err(wrong("a terminator must be the last operation of its block"));
    }
    if !operation.definition.parents.is_empty()
        && let Some(parent_op) = operation.op.parent_op()?
    {
        let parents = &operation.definition.parents;
        let name = parent_op.name();
        // With the other trait, the operations listed are those inside.
        let listed = traits.contains(Traits::HAS_PARENT) && !traits.contains(Traits::AT_MOST_ONE_CHILD_OF);
        if listed && !parents.iter().any(|parent| *parent == name) {
            return Err(wrong(format!("it stands in `{name}`, but must stand in {}", parents.join(" or "))));
        }
    }
    Ok(())
}

fn regions(operation: &Operation<'_>, traits: Traits) -> Result<()> {
    let wanted = Traits::SINGLE_BLOCK.0 | Traits::NO_REGION_ARGUMENTS.0 | Traits::IMPLICIT_TERMINATOR.0;
    let graph = traits.contains(Traits::ONLY_GRAPH_REGION);
    if traits.0 & wanted == 0 && !graph || operation.place().0.region_count_of(operation.op.id()) == 0 {
        return Ok(());
    }
    let (inside_id, inside, numbers) = operation.op.region_tree()?;
    for (number, region) in numbers.into_iter().enumerate() {
        let Some(first) = inside.first_block(region) else { continue };
        if (traits.contains(Traits::SINGLE_BLOCK) || graph) && inside.next_block(first).is_some() {
            return Err(wrong(format!("region {number} has several blocks, where there can be one")));
        }
        if traits.contains(Traits::NO_REGION_ARGUMENTS) && !inside.arguments(first).is_empty() {
            return Err(wrong(format!("region {number} has arguments")));
        }
        let last = inside.last_operation(first);
        if traits.contains(Traits::SINGLE_BLOCK) && !traits.contains(Traits::NO_TERMINATOR) && last.is_none() {
            return Err(wrong(format!("the block of region {number} is empty")));
        }
        if let (Some(wanted), Some(last)) = (&operation.definition.implicit_terminator, last) {
            let last = operation.op.module().operation(inside_id, last)?;
            if last.name() != wanted.as_str() {
                return Err(wrong(format!(
                    "region {number} ends with `{}`, but must end with `{wanted}`",
                    last.name()
                )));
            }
        }
    }
    Ok(())
}

fn symbol(operation: &Operation<'_>) -> Result<()> {
    let op = operation.op;
    let context = op.module().context();
    let optional = operation
        .definition
        .attributes()
        .iter()
        .any(|attribute| attribute.name == "sym_name" && (attribute.optional || attribute.default.is_some()));
    match op.attribute("sym_name")? {
        Some(name) if matches!(context[name], AttributeData::String { .. }) => {}
        None if optional => return Ok(()),
        _ => return Err(wrong("a symbol needs a string `sym_name`")),
    }
    if let Some(visibility) = op.attribute("sym_visibility")? {
        let known = match &context[visibility] {
            AttributeData::String { value, .. } => matches!(&**value, b"public" | b"private" | b"nested"),
            // Other dialects use the name for something of their own.
            _ => true,
        };
        if !known {
            return Err(wrong("a symbol is public, private or nested"));
        }
    }
    if let Some(parent_op) = op.parent_op()?
        && let Some(definition) = parent_op.definition()
        && !definition.traits.contains(Traits::SYMBOL_TABLE)
    {
        return Err(wrong(format!("a symbol stands in `{}`, which is no symbol table", parent_op.name())));
    }
    Ok(())
}

fn symbol_table(operation: &Operation<'_>) -> Result<()> {
    let op = operation.op;
    let (_, inside, regions) = op.region_tree()?;
    if op.body().region_count_of(op.id()) != 1 {
        return Err(wrong("a symbol table has one region"));
    }
    // A region without blocks needs no body.
    if regions.first().map_or(0, |&region| inside.blocks(region).count()) != 1 {
        return Err(wrong("a symbol table has one block"));
    }
    let mut names = HashSet::new();
    for symbol in op.ops()? {
        if let Some(name) = symbol.symbol_name()?
            && !names.insert(name)
        {
            return Err(wrong(format!("symbol `{}` is defined twice", op.module().context().text(name))));
        }
    }
    Ok(())
}

fn types(checker: &Checker<'_>, operation: &Operation<'_>, traits: Traits) -> Result<()> {
    let (operands, results) = (&operation.operands, &operation.results);
    let all = || operands.iter().chain(results).copied();
    let differ = |what: &str| Err(wrong(format!("{what} differ")));
    if traits.contains(Traits::SAME_TYPE_OPERANDS) && operands.iter().any(|ty| Some(ty) != operands.first()) {
        return differ("the types of its operands");
    }
    let same_element = |types: &mut dyn Iterator<Item = Type>| {
        let elements: Option<Vec<Type>> = types.map(|ty| checker.element_or_self(ty)).collect();
        elements.is_none_or(|elements| elements.windows(2).all(|pair| pair[0] == pair[1]))
    };
    if traits.contains(Traits::SAME_OPERANDS_ELEMENT_TYPE) && !same_element(&mut operands.iter().copied()) {
        return differ("the element types of its operands");
    }
    let of_all = [Traits::SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE, Traits::SAME_OPERANDS_AND_RESULT_TYPE];
    if of_all.iter().any(|&wanted| traits.contains(wanted)) && !same_element(&mut all()) {
        return differ("the element types of its operands and results");
    }
    let compatible = |types: &mut dyn Iterator<Item = Type>| {
        let types: Vec<Type> = types.collect();
        types.iter().all(|&ty| compatible_shapes(checker, types[0], ty) != Some(false))
    };
    if traits.contains(Traits::SAME_OPERANDS_SHAPE) && !compatible(&mut operands.iter().copied()) {
        return differ("the shapes of its operands");
    }
    let of_all = [Traits::SAME_OPERANDS_AND_RESULT_SHAPE, Traits::SAME_OPERANDS_AND_RESULT_TYPE];
    if of_all.iter().any(|&wanted| traits.contains(wanted)) && !compatible(&mut all()) {
        return differ("the shapes of its operands and results");
    }
    if traits.contains(Traits::SAME_OPERANDS_AND_RESULT_RANK) {
        let mut ranks = all().filter_map(|ty| Some(checker.context[ty].shape()?.len()));
        if let Some(first) = ranks.next()
            && ranks.any(|rank| rank != first)
        {
            return differ("the ranks of its operands and results");
        }
    }
    if traits.contains(Traits::ELEMENTWISE) { elementwise(checker, operation) } else { Ok(()) }
}

/// A vector or tensor among the operands makes every result one, of a compatible shape.
fn elementwise(checker: &Checker<'_>, operation: &Operation<'_>) -> Result<()> {
    let mappable = |ty: &&Type| {
        matches!(
            checker.context[**ty],
            TypeData::Vector { .. } | TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_)
        )
    };
    let operands: Vec<Type> = operation.operands.iter().filter(mappable).copied().collect();
    let results: Vec<Type> = operation.results.iter().filter(mappable).copied().collect();
    let Some(&first) = operands.first() else {
        return match results.is_empty() {
            true => Ok(()),
            false => Err(wrong("a result is a vector or tensor, but no operand is")),
        };
    };
    if results.len() != operation.results.len() {
        return Err(wrong("an operand is a vector or tensor, but a result is none"));
    }
    let fits = |ty: &Type| compatible_shapes(checker, first, *ty) != Some(false);
    if operands.iter().chain(&results).all(fits) {
        Ok(())
    } else {
        Err(wrong("the shapes of its operands and results differ"))
    }
}

/// Whether two types are shaped alike, as far as their sizes are known.
fn compatible_shapes(checker: &Checker<'_>, left: Type, right: Type) -> Option<bool> {
    let (left, right) = (&checker.context[left], &checker.context[right]);
    let foreign = |data: &TypeData| matches!(data, TypeData::Dialect(_) | TypeData::Text { .. } | TypeData::Encoded(_));
    if foreign(left) || foreign(right) {
        return None;
    }
    if left.is_shaped() != right.is_shaped() {
        return Some(false);
    }
    let (Some(left), Some(right)) = (left.shape(), right.shape()) else { return Some(true) };
    let same = |(left, right): (&i64, &i64)| left == right || *left == DYNAMIC || *right == DYNAMIC;
    Some(left.len() == right.len() && left.iter().zip(right).all(same))
}
