//! Types put in the place of others inside of a type: structs for their names, and names for structs.

use std::collections::HashMap;

use mlirbc_ir::{Context, Parameter, Type};

use super::*;

/// The members of an identified struct with a name for every identified struct among them: what is the same wherever the struct
/// stands. `None` where they are nested too deep.
pub(in crate::llvm) fn outermost(context: &Context, members: impl IntoIterator<Item = Type>) -> Option<Vec<Type>> {
    let mut naming = Rewriting::new(context, Change::Name);
    members.into_iter().map(|member| naming.ty(member)).collect()
}

/// The members with the name of their struct marked. `None` where they are nested too deep.
pub(in crate::llvm) fn marked(context: &Context, members: &[Parameter], name: &[u8]) -> Option<Box<[Parameter]>> {
    let mut marking = Rewriting::new(context, Change::Mark(name));
    marking.budget = UNFOLDED;
    members.iter().filter_map(ty).map(|member| marking.ty(member).map(Parameter::Type)).collect()
}

/// How many types one rewriting looks at.
const BUDGET: usize = 1 << 20;

/// How many to put a struct in the place of its name. Structs that hold each other many times grow each time.
pub(super) const UNFOLDED: usize = 1 << 13;

/// How deep types may be nested that are rewritten.
const MAX_DEPTH: usize = 2 * mlirbc_ir::text::MAX_DEPTH as usize;

/// What is put in the place of structs or their names.
pub(super) enum Change<'c> {
    /// For every identified struct, its name.
    Name,
    /// For identified structs of these names, their names.
    Fold(Vec<Box<[u8]>>),
    /// For this name, a marked one.
    Mark(&'c [u8]),
    /// For this name, the whole struct: with the names of those structs that stand around the place for these.
    Unfold { name: &'c [u8], whole: Type, around: Vec<Box<[u8]>> },
}

/// Puts other types in the place of some inside of a type.
pub(super) struct Rewriting<'c> {
    context: &'c Context,
    change: Change<'c>,
    /// What came of types inside of the same identified structs, the innermost last.
    done: Vec<HashMap<Type, Type>>,
    pub(super) budget: usize,
    depth: usize,
}

impl<'c> Rewriting<'c> {
    pub(super) fn new(context: &'c Context, change: Change<'c>) -> Self {
        Rewriting { context, change, done: vec![HashMap::new()], budget: BUDGET, depth: 0 }
    }

    /// What comes of a type. `None` where it is nested too deep, or there is too much of it.
    pub(super) fn ty(&mut self, ty: Type) -> Option<Type> {
        if let Some(&done) = self.done.last()?.get(&ty) {
            return Some(done);
        }
        self.budget = self.budget.checked_sub(1)?;
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = self.rewritten(ty)?;
        self.depth -= 1;
        self.done.last_mut()?.insert(ty, found);
        Some(found)
    }

    fn rewritten(&mut self, ty: Type) -> Option<Type> {
        let context = self.context;
        let mut name_around = None;
        match Parts::of(context, ty) {
            Some(Parts::Struct { name: Some(found), .. }) => match &mut self.change {
                Change::Name => return Some(reference(context, found)),
                Change::Fold(names) if names.iter().any(|name| **name == *found) => {
                    return Some(reference(context, found));
                }
                Change::Fold(_) | Change::Mark(_) => {}
                Change::Unfold { .. } => name_around = Some(found),
            },
            Some(Parts::Reference { name: found, .. }) => {
                return match &self.change {
                    Change::Mark(name) if *name == found => {
                        Some(make(context, STRUCT, [Parameter::String(found.into()), Parameter::Bool(true)]))
                    }
                    Change::Unfold { name, whole, around } if *name == found && around.is_empty() => Some(*whole),
                    Change::Unfold { name, whole, around } if *name == found => {
                        let mut folding = Rewriting::new(context, Change::Fold(around.clone()));
                        folding.budget = self.budget;
                        let whole = folding.ty(*whole);
                        self.budget = folding.budget;
                        whole
                    }
                    _ => Some(ty),
                };
            }
            _ => {}
        }
        let mut data = context[ty].clone();
        let held: &mut [Type] = match &mut data {
            TypeData::Dialect(value) => {
                if let (Some(name), Change::Unfold { around, .. }) = (name_around, &mut self.change) {
                    around.push(name.into());
                    self.done.push(HashMap::new());
                }
                self.parameters(&mut value.parameters)?;
                if let (Some(_), Change::Unfold { around, .. }) = (name_around, &mut self.change) {
                    around.pop();
                    self.done.pop();
                }
                &mut []
            }
            TypeData::Tuple(types) => types,
            TypeData::Function { inputs, results } => {
                for held in results {
                    *held = self.ty(*held)?;
                }
                inputs
            }
            TypeData::Complex(element)
            | TypeData::Vector { element, .. }
            | TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor(element)
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. } => std::slice::from_mut(element),
            _ => return Some(ty),
        };
        for held in held {
            *held = self.ty(*held)?;
        }
        Some(context.ty(data))
    }

    fn parameters(&mut self, parameters: &mut [Parameter]) -> Option<()> {
        for parameter in parameters {
            match parameter {
                Parameter::Type(held) => *held = self.ty(*held)?,
                Parameter::List(items) => self.parameters(items)?,
                _ => {}
            }
        }
        Some(())
    }
}
