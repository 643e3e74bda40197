//! What specialisation constants are worth: what is given to them or their defaults, and what is worked out of these.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Attribute, AttributeData, BodyId, Context, Error, Identifier, Numbers, OpRef, Result};
use mlirbc_spirv::dialect::types::NumberOrSymbol;
use mlirbc_spirv::grammar::Instruction;

use super::class::{is_explicit, pointee};
use super::emit::{Members, lanes};
use super::folded;
use super::known::{Address, Known, LONGEST, tree};
use super::specialization::SpecializationValue;

/// So many parts are copied at most by what changes one part of a constant, in all of a module.
const MOST_COPIES: u64 = 1 << 20;

/// The lengths of arrays that specialisation constants say.
pub(super) type Lengths = HashMap<Identifier, u32>;

/// How many elements an array has.
pub(super) fn length(context: &Context, count: NumberOrSymbol, lengths: &Lengths) -> Option<u32> {
    match count {
        NumberOrSymbol::Known(count) => Some(count),
        NumberOrSymbol::Symbol(symbol) => match &context[symbol] {
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => lengths.get(root).copied(),
            _ => None,
        },
    }
}

/// What a name stands for in a body.
pub(super) type Named = ((BodyId, Identifier), Known);

/// A variable is its address.
pub(super) fn variable(op: OpRef<'_>, members: Members<'_>) -> Option<Named> {
    let context = op.module().context();
    let (name, ty) = (members.symbol()?, members.get("type")?);
    let AttributeData::Type(pointer) = context[ty] else { return None };
    let (pointee, _) = pointee(context, pointer).ok().filter(|(_, class)| !is_explicit(*class))?;
    let variable = (op.body_id(), name);
    Some((variable, Known::Address(Arc::new(Address { variable, pointer, pointee, steps: Vec::new() }))))
}

/// The specialisation constants of modules, and the addresses of their variables.
#[derive(Debug)]
pub(super) struct Constants {
    /// By the body that they stand in.
    known: HashMap<(BodyId, Identifier), Known>,
    /// What is given to them, by their ids.
    given: HashMap<u32, SpecializationValue>,
    /// The ids that there are.
    ids: HashSet<u32>,
    /// How many parts may still be copied.
    left: u64,
}

impl Constants {
    pub(super) fn new(given: &[(u32, SpecializationValue)]) -> Self {
        let given = given.iter().copied().collect();
        Constants { known: HashMap::new(), given, ids: HashSet::new(), left: MOST_COPIES }
    }

    /// The one of that name in a body.
    pub(super) fn get(&self, body: BodyId, name: Identifier) -> Option<&Known> {
        self.known.get(&(body, name))
    }

    /// Those that are lengths. A name that stands for several, in several modules, says nothing.
    pub(super) fn lengths(&self) -> Lengths {
        let mut lengths: HashMap<Identifier, Option<u32>> = HashMap::new();
        for (&(_, name), known) in &self.known {
            let Known::Number(number) = known else { continue };
            let length = number.to_u64().and_then(|length| u32::try_from(length).ok()).filter(|&length| length > 0);
            lengths.entry(name).and_modify(|other| *other = other.filter(|_| *other == length)).or_insert(length);
        }
        lengths.into_iter().filter_map(|(name, length)| Some((name, length?))).collect()
    }

    /// Whether there is a constant for every value that is given to one.
    ///
    /// # Errors
    /// Where there is none.
    pub(super) fn all_are_known(&self) -> Result<()> {
        let unknown = self.given.iter().filter(|given| !self.ids.contains(given.0));
        match unknown.min_by_key(|given| given.0) {
            None => Ok(()),
            Some((id, value)) => {
                Err(Error::misuse(format!("{value} is given to the specialization constant {id}, and there is none")))
            }
        }
    }

    /// Takes in the addresses of variables: constants may be made of them.
    pub(super) fn know(&mut self, variables: Vec<Named>) {
        self.known.extend(variables);
    }

    /// Whether operations of that name may define one.
    pub(super) fn may_define(name: &str) -> bool {
        const NAMES: [&str; 5] = [
            "spirv.SpecConstant",
            "spirv.SpecConstantComposite",
            "spirv.OpSpecConstantComposite",
            "spirv.EXT.SpecConstantCompositeReplicate",
            "spirv.OpSpecConstantOp",
        ];
        NAMES.contains(&name)
    }

    /// Works out the constant that an operation defines, where it defines one: those that it is made of are defined before it.
    ///
    /// # Errors
    /// Where an attribute cannot be read, or a value is given to it that it cannot have.
    pub(super) fn define(&mut self, op: OpRef<'_>) -> Result<()> {
        let known = if op.is("spirv.SpecConstant") {
            self.scalar(op)?
        } else if op.is("spirv.SpecConstantComposite") || op.is("spirv.OpSpecConstantComposite") {
            op.attribute("constituents")?.and_then(|parts| self.tree(op, parts))
        } else if op.is("spirv.EXT.SpecConstantCompositeReplicate") {
            self.replicated(op)?
        } else if op.is("spirv.OpSpecConstantOp") {
            self.operation(op)?
        } else {
            return Ok(());
        };
        if let (Some(name), Some(known)) = (op.symbol_name()?, known) {
            self.known.insert((op.body_id(), name), known);
        }
        Ok(())
    }

    fn scalar(&mut self, op: OpRef<'_>) -> Result<Option<Known>> {
        let context = op.module().context();
        let numbers = op.attribute("default_value")?.and_then(|value| Numbers::of(context, value));
        let Some(numbers) = numbers else { return Ok(None) };
        let id = op.attribute("spec_id")?.and_then(|id| context.integer_of(id)).and_then(|id| id.to_u64());
        let Some(id) = id.and_then(|id| u32::try_from(id).ok()) else {
            return Ok(Some(Known::Number(numbers.get(0))));
        };
        self.ids.insert(id);
        let Some(given) = self.given.get(&id) else { return Ok(Some(Known::Number(numbers.get(0)))) };
        match given.bits(numbers.number) {
            Some(bits) => Ok(Some(Known::Number(bits))),
            None => {
                let ty = context.show(numbers.ty);
                let message = format!("{given} is given to the specialization constant {id}, and is no value of {ty}");
                Err(Error::misuse(message))
            }
        }
    }

    /// A composite whose parts all are one constant.
    fn replicated(&self, op: OpRef<'_>) -> Result<Option<Known>> {
        let context = op.module().context();
        let (Some(ty), Some(part)) = (op.attribute("type")?, op.attribute("constituent")?) else { return Ok(None) };
        let (AttributeData::Type(ty), Some(part)) = (&context[ty], self.tree(op, part)) else { return Ok(None) };
        Ok(Some(match lanes(context, *ty).filter(|&count| count <= LONGEST) {
            Some(count) => Known::Parts(vec![part; count as usize].into()),
            None => Known::Each(Arc::new(part)),
        }))
    }

    /// What an attribute says that an operation has, which stands beside the constants.
    pub(super) fn tree(&self, op: OpRef<'_>, value: Attribute) -> Option<Known> {
        tree(op.module().context(), value, |name| self.get(op.body_id(), name).cloned())
    }

    fn operation(&mut self, op: OpRef<'_>) -> Result<Option<Known>> {
        let context = op.module().context();
        let (ty, operands, literals) = (op.attribute("type")?, op.attribute("operands")?, op.attribute("literals")?);
        let (Some(ty), Some(operands), Some(literals)) = (ty, operands, literals) else { return Ok(None) };
        let mut work_out = || {
            let AttributeData::Type(ty) = context[ty] else { return None };
            let (AttributeData::Array(operands), AttributeData::Array(literals)) =
                (&context[operands], &context[literals])
            else {
                return None;
            };
            let operands: Option<Vec<Known>> = operands.iter().map(|&operand| self.tree(op, operand)).collect();
            let literal = |&literal| context.integer_of(literal)?.to_i64().map(|literal| literal as u32);
            let literals: Option<Vec<u32>> = literals.iter().map(literal).collect();
            let (operands, literals) = (operands?, literals?);
            let (&opcode, literals) = literals.split_first()?;
            let name = Instruction::of(u16::try_from(opcode).ok()?)?.name;
            folded::composite(context, name, ty, &operands, literals, &mut self.left)
        };
        Ok(work_out())
    }
}
