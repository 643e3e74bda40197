//! Variables of modules that patterns in functions ask for: patterns look at one function at a time.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, BodyId, Identifier, Module, OpId, OpRef, Result, Type};

use crate::common::reference;

/// What patterns call memory of a workgroup, each a variable of its own: it gets a number.
pub(crate) const WORKGROUP_MEMORY: &str = "__workgroup_mem__";

/// Around the name of a built-in variable.
const BUILT_IN: (&str, &str) = ("__builtin__", "__");

/// What patterns call a built-in variable.
pub(crate) fn name_of_built_in(name: &str) -> String {
    format!("{}{name}{}", BUILT_IN.0, BUILT_IN.1)
}

/// A use of a variable.
struct Use {
    op: (BodyId, OpId),
    name: Identifier,
    ty: Type,
    at: AttributeRef,
}

/// Declares the variables that operations in `op` ask for and that are not there, each at the start of the symbol table around: built-in
/// ones, and memory of workgroups. What [conversions](super) make of operations asks for such; their passes do this when all is converted.
///
/// # Errors
/// Where something of the module cannot be read.
pub fn declare_variables(module: &mut Module, op: (BodyId, OpId)) -> Result<()> {
    for (table, uses) in uses(module.operation(op.0, op.1)?)? {
        let context = module.context().clone();
        let mut known = HashSet::new();
        for op in module.operation(table.0, table.1)?.ops()? {
            known.extend(op.symbol_name()?);
        }
        let (memory, mut number) = (context.identifier(WORKGROUP_MEMORY), 0);
        let (mut made, mut renamed): (Vec<(Identifier, Use)>, Vec<((BodyId, OpId), Attribute)>) = Default::default();
        for wanted in uses {
            let name = match wanted.name == memory {
                false => wanted.name,
                true => loop {
                    let name = context.identifier(format!("{WORKGROUP_MEMORY}{number}"));
                    number += 1;
                    if !known.contains(&name) {
                        renamed.push((wanted.op, reference(&context, name)));
                        break name;
                    }
                },
            };
            if known.insert(name) {
                made.push((name, wanted));
            }
        }
        for ((body, op), name) in renamed {
            module.rewrite(body, |rw| rw.set_attribute(op, "variable", name))?;
        }
        let (body, regions) = {
            let (body, _, regions) = module.operation(table.0, table.1)?.region_tree()?;
            (body, regions)
        };
        module.rewrite(body, |rw| {
            let Some(block) = regions.first().and_then(|&region| rw.body().first_block(region)) else { return Ok(()) };
            for (name, wanted) in made {
                rw.set_insertion_point_to_start(block)?;
                let built_in = built_in(&context.text(name)).map(|name| context.string(name));
                let built_in = built_in.map(|name| (context.static_identifier("built_in"), name));
                rw.build("spirv.GlobalVariable")
                    .at(wanted.at)
                    .attribute("type", context.attribute(AttributeData::Type(wanted.ty)))
                    .attribute("sym_name", name.attribute())
                    .attributes(built_in)
                    .create()?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The name of a built-in in that of its variable.
fn built_in(name: &str) -> Option<&str> {
    name.strip_prefix(BUILT_IN.0)?.strip_suffix(BUILT_IN.1)
}

/// The uses of variables that have such names, in order, by the symbol table that is to have them.
fn uses(root: OpRef<'_>) -> Result<Vec<((BodyId, OpId), Vec<Use>)>> {
    let context = root.module().context();
    let mut places: HashMap<(BodyId, OpId), usize> = HashMap::new();
    let mut all: Vec<((BodyId, OpId), Vec<Use>)> = Vec::new();
    for op in root.walk()?.filter(|op| op.is("spirv.mlir.addressof")) {
        let name = match op.attribute("variable")?.map(|name| &context[name]) {
            Some(AttributeData::SymbolRef { root, nested }) if nested.is_empty() => *root,
            _ => continue,
        };
        let text = context.text(name);
        if text != WORKGROUP_MEMORY && built_in(&text).is_none() {
            continue;
        }
        let mut around = op.parent_op()?;
        while let Some(table) = around
            && !table.has_trait(Traits::SYMBOL_TABLE)
        {
            around = table.parent_op()?;
        }
        let (Some(table), Some(result)) = (around, op.results().next()) else { continue };
        let table = (table.body_id(), table.id());
        let place = *places.entry(table).or_insert_with(|| {
            all.push((table, Vec::new()));
            all.len() - 1
        });
        let at = op.body().location(op.id());
        all[place].1.push(Use { op: (op.body_id(), op.id()), name, ty: op.type_of(result)?, at });
    }
    Ok(all)
}
