//! Blocks, terminators, and the traits that say how an operation nests and how its types agree.

use hashbrown::HashSet;

use super::checker::Checker;
use super::known::Known;
use super::scope::Operation;
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::{BlockId, OpId};
use crate::error::{Error, Result};
use crate::module::{Inside, OpRef, names_in};
use crate::ods::{OpDef, Traits};
use crate::types::{DYNAMIC, Type, TypeData};

/// So many names are compared with each other.
const FEW: usize = 16;

fn wrong(message: impl Into<String>) -> Error {
    Error::verification(message)
}

/// Checks what holds of the blocks of any operation: terminators at their end, and nowhere else.
pub(super) fn verify_blocks(checker: &Checker<'_>, op: OpRef<'_>, inside: Option<Inside<'_>>) -> Result<()> {
    placed(op)?;
    successor_regions(op)?;
    let Some(inside) = inside else { return Ok(()) };
    let known = checker.known(op.operation_name());
    entry_blocks(known, inside)?;
    for (region, number) in inside.regions().enumerate() {
        for block in inside.body.blocks(number) {
            let place = Place { inside, region, block, needs_terminator: needs_terminator(known) };
            place.check_start()?;
            place.check_end(checker)?;
        }
    }
    Ok(())
}

/// Whether blocks of an operation's regions need terminators, also where they are alone.
pub(super) fn needs_terminator(known: &Known) -> bool {
    known.definition.as_ref().is_some_and(|definition| !definition.traits.contains(Traits::NO_TERMINATOR))
}

/// An operation with successors is the last of its block.
pub(super) fn placed(op: OpRef<'_>) -> Result<()> {
    let (body, id) = (op.body(), op.id());
    if !body.successors(id).is_empty() && body.block_of(id).is_some() && body.next_operation(id).is_some() {
        return Err(wrong("an operation with successors must be the last of its block"));
    }
    Ok(())
}

/// Successors are blocks of the region that the operation stands in.
pub(super) fn successor_regions(op: OpRef<'_>) -> Result<()> {
    let (body, id) = (op.body(), op.id());
    let region = body.block_of(id).and_then(|block| body.region_of(block));
    if body.successors(id).iter().any(|&successor| body.region_of(successor) != region) {
        return Err(wrong("a successor is a block of another region"));
    }
    Ok(())
}

/// No branch goes to the first block of a region, and a graph has one block.
pub(super) fn entry_blocks(known: &Known, inside: Inside<'_>) -> Result<()> {
    let body = inside.body;
    for (number, region) in inside.regions().enumerate() {
        let Some(entry) = body.first_block(region) else { continue };
        if known.has_trait(Traits::ONLY_GRAPH_REGION) && body.next_block(entry).is_some() {
            return Err(wrong(format!("region {number} has several blocks, where there can be one")));
        }
        let goes_there = |last| body.successors(last).contains(&entry);
        if body.blocks(region).any(|block| body.last_operation(block).is_some_and(goes_there)) {
            return Err(wrong(format!("the first block of region {number} is a successor")));
        }
    }
    Ok(())
}

/// A block of an operation's regions.
#[derive(Clone, Copy)]
pub(super) struct Place<'m> {
    pub(super) inside: Inside<'m>,
    /// Which of the regions has the block.
    pub(super) region: usize,
    pub(super) block: BlockId,
    /// Whether blocks of the operation [need terminators](needs_terminator), also where they are alone.
    pub(super) needs_terminator: bool,
}

impl Place<'_> {
    /// Whether the block can do without a terminator.
    fn needs_no_terminator(self) -> bool {
        let (body, block) = (self.inside.body, self.block);
        !self.needs_terminator && body.previous_block(block).is_none() && body.next_block(block).is_none()
    }

    /// The block is not empty, where it needs a terminator.
    pub(super) fn check_start(self) -> Result<()> {
        if self.inside.body.first_operation(self.block).is_none() && !self.needs_no_terminator() {
            return Err(wrong(format!("a block of region {} is empty, without a terminator", self.region)));
        }
        Ok(())
    }

    /// The block ends with a terminator, where it needs one.
    pub(super) fn check_end(self, checker: &Checker<'_>) -> Result<()> {
        let body = self.inside.body;
        let Some(last) = body.last_operation(self.block) else { return Ok(()) };
        let known = checker.known(body.name(last));
        if known.definition.is_none() || known.has_trait(Traits::TERMINATOR) || self.needs_no_terminator() {
            return Ok(());
        }
        let (region, name) = (self.region, checker.context.operation_str(body.name(last)));
        Err(wrong(format!("a block of region {region} ends with `{name}`, which is no terminator")))
    }
}

/// A terminator is the last operation of its block.
pub(super) fn is_last(op: OpRef<'_>, definition: &OpDef) -> Result<()> {
    let (body, id) = (op.body(), op.id());
    let is_terminator = definition.traits.contains(Traits::TERMINATOR);
    if is_terminator && body.block_of(id).is_some() && body.next_operation(id).is_some() {
        return Err(wrong("a terminator must be the last operation of its block"));
    }
    Ok(())
}

/// Checks the traits that ask about what an operation holds, once that has been checked.
pub(super) fn region_traits(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    inside: Option<Inside<'_>>,
    definition: &OpDef,
) -> Result<()> {
    if let Some(inside) = inside
        && let Some(wanted) = &definition.implicit_terminator
    {
        implicit_terminator(op, inside, wanted)?;
    }
    if definition.traits.contains(Traits::SYMBOL_TABLE) { symbol_table(checker, op, inside) } else { Ok(()) }
}

/// It stands in one of the operations that its definition lists: `parent_op` holds it.
pub(super) fn parents(parent_op: Option<OpRef<'_>>, definition: &OpDef) -> Result<()> {
    let (traits, parents) = (definition.traits, &definition.parents);
    if parents.is_empty() {
        return Ok(());
    }
    let Some(parent_op) = parent_op else { return Ok(()) };
    let name = parent_op.module().context().operation_text(parent_op.operation_name());
    // With the other trait, the operations listed are those inside.
    let listed = traits.contains(Traits::HAS_PARENT) && !traits.contains(Traits::AT_MOST_ONE_CHILD_OF);
    if listed && !parents.iter().any(|parent| parent.as_bytes() == name) {
        let name = parent_op.name();
        return Err(wrong(format!("it stands in `{name}`, but must stand in {}", parents.join(" or "))));
    }
    Ok(())
}

/// Regions have as many blocks and arguments as the traits of their operation allow.
pub(super) fn regions(inside: Option<Inside<'_>>, traits: Traits) -> Result<()> {
    let wanted = Traits::SINGLE_BLOCK.0 | Traits::NO_REGION_ARGUMENTS.0;
    let Some(inside) = inside.filter(|_| traits.0 & wanted != 0) else { return Ok(()) };
    let body = inside.body;
    for (number, region) in inside.regions().enumerate() {
        let Some(first) = body.first_block(region) else { continue };
        if traits.contains(Traits::SINGLE_BLOCK) && body.next_block(first).is_some() {
            return Err(wrong(format!("region {number} has several blocks, where there can be one")));
        }
        let is_empty = body.first_operation(first).is_none();
        if traits.contains(Traits::SINGLE_BLOCK) && !traits.contains(Traits::NO_TERMINATOR) && is_empty {
            return Err(wrong(format!("the block of region {number} is empty")));
        }
        if traits.contains(Traits::NO_REGION_ARGUMENTS) && !body.arguments(first).is_empty() {
            return Err(wrong(format!("region {number} has arguments")));
        }
    }
    Ok(())
}

/// The regions end with the one terminator that they can have.
fn implicit_terminator(op: OpRef<'_>, inside: Inside<'_>, wanted: &str) -> Result<()> {
    let body = inside.body;
    for (number, region) in inside.regions().enumerate() {
        let Some(last) = body.first_block(region).and_then(|block| body.last_operation(block)) else { continue };
        let last = op.module().operation(inside.id, last)?;
        if !last.is(wanted) {
            let name = last.name();
            return Err(wrong(format!("region {number} ends with `{name}`, but must end with `{wanted}`")));
        }
    }
    Ok(())
}

/// A symbol has a name and may have a visibility, and stands in a symbol table: `parent_op` holds it. `attribute` finds what it has.
pub(super) fn symbol(
    checker: &Checker<'_>,
    known: &Known,
    parent_op: Option<OpRef<'_>>,
    attribute: impl Fn(&'static str) -> Option<Attribute>,
) -> Result<()> {
    if !known.has_trait(Traits::SYMBOL) {
        return Ok(());
    }
    let context = checker.context;
    match attribute("sym_name") {
        Some(name) if matches!(context[name], AttributeData::String { .. }) => {}
        None if known.may_be_nameless => return Ok(()),
        _ => return Err(wrong("a symbol needs a string `sym_name`")),
    }
    if let Some(visibility) = attribute("sym_visibility") {
        let known = match &context[visibility] {
            AttributeData::String { value, .. } => matches!(&**value, b"public" | b"private" | b"nested"),
            // Other dialects use the name for something of their own.
            _ => true,
        };
        if !known {
            return Err(wrong("a symbol is public, private or nested"));
        }
    }
    if let Some(parent_op) = parent_op
        && let Some(definition) = &checker.known(parent_op.operation_name()).definition
        && !definition.traits.contains(Traits::SYMBOL_TABLE)
    {
        return Err(wrong(format!("a symbol stands in `{}`, which is no symbol table", parent_op.name())));
    }
    Ok(())
}

fn symbol_table(checker: &Checker<'_>, op: OpRef<'_>, inside: Option<Inside<'_>>) -> Result<()> {
    if op.body().region_count_of(op.id()) != 1 {
        return Err(wrong("a symbol table has one region"));
    }
    // A region without blocks needs no body.
    let blocks = inside.and_then(|inside| Some(inside.body.blocks(inside.region(0)?).count()));
    let Some(inside) = inside.filter(|_| blocks == Some(1)) else {
        return Err(wrong("a symbol table has one block"));
    };
    // Those who use them are checked next, and find them themselves.
    let mut names = checker.names.take();
    names.clear();
    names_in(op.module(), inside, &mut names)?;
    let twice = first_twice(&names);
    checker.names.set(names);
    match twice {
        Some(name) => Err(wrong(format!("symbol `{}` is defined twice", checker.context.text(name)))),
        None => Ok(()),
    }
}

/// The first name that another one before it is equal to.
fn first_twice(names: &[(Identifier, OpId)]) -> Option<Identifier> {
    let has_twice = |names: &[(Identifier, OpId)]| match names.len() {
        // So few are compared with each other in no time.
        ..=FEW => (1..names.len()).any(|at| names[..at].iter().any(|before| before.0 == names[at].0)),
        _ => {
            let mut sorted: Vec<Identifier> = names.iter().map(|name| name.0).collect();
            sorted.sort_unstable();
            sorted.windows(2).any(|pair| pair[0] == pair[1])
        }
    };
    if !has_twice(names) {
        return None;
    }
    let mut met = HashSet::new();
    names.iter().map(|name| name.0).find(|&name| !met.insert(name))
}

/// Types agree, as traits say.
pub(super) fn types(checker: &Checker<'_>, operation: &Operation<'_>, traits: Traits) -> Result<()> {
    let (operands, results) = (&operation.lists.operands, &operation.lists.results);
    let all = || operands.iter().chain(results).copied();
    let differ = |what: &str| Err(wrong(format!("{what} differ")));
    let same = |left: Type, right: Type| left == right || checker.differs_in_sign(left, right);
    if traits.contains(Traits::SAME_TYPE_OPERANDS) && operands.iter().any(|&ty| !same(ty, operands[0])) {
        return differ("the types of its operands");
    }
    let same_element = |types: &mut dyn Iterator<Item = Type>| {
        let elements: Option<Vec<Type>> = types.map(|ty| checker.element_or_self(ty)).collect();
        elements.is_none_or(|elements| elements.windows(2).all(|pair| same(pair[0], pair[1])))
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
    let operands: Vec<Type> = operation.lists.operands.iter().filter(mappable).copied().collect();
    let results: Vec<Type> = operation.lists.results.iter().filter(mappable).copied().collect();
    let Some(&first) = operands.first() else {
        return match results.is_empty() {
            true => Ok(()),
            false => Err(wrong("a result is a vector or tensor, but no operand is")),
        };
    };
    if results.len() != operation.lists.results.len() {
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
