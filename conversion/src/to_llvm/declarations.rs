//! Functions and variables that what is converted asks the module for: patterns look at one function at a time, and their passes declare
//! these when all is converted.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use mlirbc_dialects::llvm::{FunctionType, Linkage, PlainType, PointerType, linkage};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BodyId, Context, Error, Identifier, Module, OpId, OpRef, Result, Rewriter,
    Type,
};
use mlirbc_rewrite::NoMatch;

use crate::common::{Rw, reference, symbol};

/// What the module has to have.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: Identifier,
    pub(crate) kind: Kind,
    /// Whether it stands in the next `builtin.module`, and not in the next symbol table.
    pub(crate) in_module: bool,
    /// The location: that of what it stands in, where none is given.
    pub(crate) at: Option<AttributeRef>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A function of that type.
    Function(Type),
    /// A variable of that type.
    Variable(Type),
    /// The bytes of a text, as a constant of that type. What asks for it calls it [`TEXT`]: it gets a name of its own.
    Text(Attribute, Type),
}

/// What was asked for, by the bodies in which it was.
#[derive(Debug, Default)]
pub(crate) struct Declarations(Mutex<BTreeMap<BodyId, Vec<Declared>>>);

/// Functions of the C library, and of MLIR's.
pub(crate) const MALLOC: &str = "malloc";
pub(crate) const FREE: &str = "free";

/// What patterns call a text, in the order in which they ask for such.
pub(crate) const TEXT: &str = "__text_of_assertion__";

/// The first of the names of texts: further ones have a number behind it.
const TEXT_NAME: &str = "assert_msg";

impl Declarations {
    /// Asks for something.
    pub(crate) fn want(&self, body: BodyId, declared: Declared) {
        let mut wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        wanted.entry(body).or_default().push(declared);
    }

    /// Asks for a function, which comes back by its name.
    ///
    /// # Errors
    /// No match where there is one already of another type.
    pub(crate) fn function(
        &self,
        rw: &Rw<'_, '_>,
        name: &str,
        (inputs, result): (&[Type], Type),
        in_module: bool,
    ) -> std::result::Result<Identifier, NoMatch> {
        let context = rw.context();
        let name = context.identifier(name);
        let ty: Type = FunctionType::new(context, result, inputs, false)?.into();
        self.want(rw.body_id(), Declared { name, kind: Kind::Function(ty), in_module, at: None });
        Ok(name)
    }

    /// Declares all that was asked for in `op`, each at the start of its symbol table: what was asked for first stands last.
    ///
    /// # Errors
    /// Where there is a function of that name and another type, or something of the module cannot be read.
    pub(crate) fn declare(&self, module: &mut Module, op: (BodyId, OpId)) -> Result<()> {
        let mut wanted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if wanted.is_empty() {
            return Ok(());
        }
        for (&body, wanted) in &mut wanted {
            let referred = referred(module, body)?;
            wanted.retain(|declared| referred.contains(&declared.name) || matches!(declared.kind, Kind::Text(..)));
        }
        let mut texts = Texts::default();
        for (table, wanted) in tables(module, op, wanted)? {
            put(module, table, wanted, &mut texts)?;
        }
        texts.names.into_iter().try_for_each(|(body, names)| rename(module, body, names))
    }
}

/// The functions and variables that a body refers to: not what patterns asked for that were undone.
fn referred(module: &Module, id: BodyId) -> Result<HashSet<Identifier>> {
    let (context, body) = (module.context(), module.body(id)?);
    let mut names = HashSet::new();
    for op in body.preorder().map(|op| OpRef::new(module, id, body, op)) {
        let name = match &*op.name() {
            "llvm.call" => "callee",
            "llvm.mlir.addressof" => "global_name",
            _ => continue,
        };
        names.extend(op.attribute(name)?.and_then(|name| symbol(context, name).ok()));
    }
    Ok(names)
}

/// The names of texts.
#[derive(Default)]
struct Texts {
    /// How many names were taken.
    count: usize,
    /// By the bodies that asked for them.
    names: BTreeMap<BodyId, Vec<Identifier>>,
}

/// Gives what asked for texts their names.
fn rename(module: &mut Module, body: BodyId, names: Vec<Identifier>) -> Result<()> {
    module.rewrite(body, |rw| {
        let context = rw.context();
        let placeholder = reference(context, context.identifier(TEXT));
        let mut asking = Vec::new();
        for op in rw.body().preorder() {
            if rw.op(op).is("llvm.mlir.addressof") && rw.op(op).attribute("global_name")? == Some(placeholder) {
                asking.push(op);
            }
        }
        asking.into_iter().zip(names).try_for_each(|(op, name)| {
            let name = reference(context, name);
            rw.modify(op, |rw| rw.set_attribute(op, "global_name", name))
        })
    })
}

/// What is wanted, and by which body.
type Wanted = (BodyId, Declared);

/// What is wanted by the symbol tables that it is to stand in, in the order in which it was asked for.
type Tables = Vec<((BodyId, OpId), Vec<Wanted>)>;

fn tables(module: &Module, top: (BodyId, OpId), mut wanted: BTreeMap<BodyId, Vec<Declared>>) -> Result<Tables> {
    /// Where something stands: the next module, and the next symbol table.
    type Around = [(BodyId, OpId); 2];
    let mut around: HashMap<BodyId, Around> = HashMap::new();
    let mut tables: Tables = Vec::new();
    let mut give = |body: BodyId, around: Around, tables: &mut Tables| {
        for declared in wanted.remove(&body).unwrap_or_default() {
            let table = if declared.in_module { around[0] } else { around[1] };
            match tables.iter_mut().find(|known| known.0 == table) {
                Some(known) => known.1.push((body, declared)),
                None => tables.push((table, vec![(body, declared)])),
            }
        }
    };
    for op in module.operation(top.0, top.1)?.walk()? {
        let Some(inside) = op.body().region_body(op.id()) else { continue };
        let place = (op.body_id(), op.id());
        let mut own = around.get(&op.body_id()).copied().unwrap_or([place; 2]);
        if op.is("builtin.module") {
            own = [place; 2];
        } else if op.has_trait(Traits::SYMBOL_TABLE) {
            own[1] = place;
        }
        around.insert(inside, own);
        give(inside, own, &mut tables);
    }
    Ok(tables)
}

fn put(module: &mut Module, table: (BodyId, OpId), wanted: Vec<Wanted>, texts: &mut Texts) -> Result<()> {
    let context = module.context().clone();
    let (mut known, mut functions) = (HashSet::new(), HashMap::new());
    for op in module.operation(table.0, table.1)?.ops()? {
        let Some(name) = op.symbol_name()? else { continue };
        known.insert(name);
        if op.is("llvm.func") {
            functions.insert(name, op.attribute("function_type")?);
        }
    }
    let (body, first) = {
        let (body, tree, regions) = module.operation(table.0, table.1)?.region_tree()?;
        (body, regions.first().and_then(|&region| tree.first_block(region)))
    };
    let Some(block) = first else { return Ok(()) };
    let at = module.body(table.0)?.location(table.1);
    module.rewrite(body, |rw| {
        for (asking, mut declared) in wanted {
            match &declared.kind {
                Kind::Function(ty) => {
                    let ty = Some(context.attribute(AttributeData::Type(*ty)));
                    match functions.insert(declared.name, ty) {
                        Some(was) if was == ty => continue,
                        Some(_) => {
                            let name = context.text(declared.name).into_owned();
                            return Err(Error::verification(format!(
                                "redefinition of reserved function '{name}' of different type is prohibited"
                            )));
                        }
                        None => {}
                    }
                }
                Kind::Text(..) => {
                    declared.name = context.identifier(TEXT_NAME);
                    while !known.insert(declared.name) {
                        declared.name = context.identifier(format!("{TEXT_NAME}_{}", texts.count));
                        texts.count += 1;
                    }
                    texts.names.entry(asking).or_default().push(declared.name);
                }
                Kind::Variable(_) if !known.insert(declared.name) => continue,
                Kind::Variable(_) => {}
            }
            rw.set_insertion_point_to_start(block)?;
            make(rw, &context, &declared, at)?;
        }
        Ok(())
    })
}

fn make(rw: &mut Rewriter<'_>, context: &Context, declared: &Declared, at: AttributeRef) -> Result<()> {
    let ty = |ty: Type| context.attribute(AttributeData::Type(ty));
    let build = match &declared.kind {
        Kind::Function(_) => rw.build("llvm.func"),
        _ => rw.build("llvm.mlir.global"),
    };
    let build = build.at(declared.at.unwrap_or(at)).attribute("sym_name", declared.name.attribute()).regions(1);
    let build = match declared.kind {
        Kind::Function(of) => build.attribute("function_type", ty(of)),
        Kind::Variable(of) => {
            build.attribute("global_type", ty(of)).attribute("linkage", linkage(context, Linkage::Linkonce))
        }
        Kind::Text(value, of) => build
            .attribute("global_type", ty(of))
            .attribute("linkage", linkage(context, Linkage::Private))
            .attribute("constant", context.unit())
            .attribute("value", value),
    };
    let build = match declared.kind {
        Kind::Function(_) => build,
        _ => build.attribute("addr_space", context.integer(32, 0)),
    };
    build.create().map(drop)
}

/// The usual pointer.
pub(crate) fn pointer(context: &Context) -> Type {
    PointerType::new(context, 0).into()
}

/// What functions give that give nothing.
pub(crate) fn void(context: &Context) -> Type {
    PlainType::Void.ty(context)
}
