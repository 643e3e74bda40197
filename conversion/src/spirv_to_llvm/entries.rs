//! Names of entry points, and of what other modules know. A linker looks for the name by which the host knows one, which may be another than
//! the function's own: the dialect has no place for both, and a binary's stands beside. A function that has several names has the first, and
//! the others are aliases of it. What has such a name by chance gives way.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{BodyId, Identifier, OpRef, Parameter, Result};
use mlirbc_spirv::dialect::attributes::{SpirvAttribute, view};

use super::emit::{Members, symbol};

/// The function of an entry point and the name that this has besides.
pub(super) fn name_of(entry: OpRef<'_>) -> Result<Option<(Identifier, Identifier)>> {
    let context = entry.module().context();
    let (Some(function), Some(name)) = (entry.attribute("fn")?, entry.attribute("spirv_binary.name")?) else {
        return Ok(None);
    };
    Ok(symbol(context, function).ok().zip(context.as_identifier(name)))
}

/// The symbol of a function or global variable that other modules know by a name, and that name: where the symbol is none that a binary gives. MLIR does not ask.
pub(super) fn linked_name_of(op: OpRef<'_>, members: Members<'_>) -> Option<(Identifier, Identifier)> {
    let context = op.module().context();
    if members.get("spirv_binary.name") != Some(context.unit()) {
        return None;
    }
    let linkage = members.get("linkage_attributes");
    let name = match linkage.and_then(|linkage| view(context, linkage)) {
        Some(SpirvAttribute::Structural(_, [Parameter::Attribute(name), ..])) => context.as_identifier(*name),
        _ => None,
    };
    members.symbol().zip(name).filter(|(symbol, name)| symbol != name)
}

/// Gives the functions of a module the names of their entry points, the first where there are several. Gives back the other ones, with their
/// functions.
pub(super) fn rename(
    holder: OpRef<'_>,
    entries: Vec<(Identifier, Identifier)>,
    names: &mut HashMap<(BodyId, Identifier), Identifier>,
) -> Result<Vec<((BodyId, Identifier), Identifier)>> {
    let context = holder.module().context();
    let (mut symbols, mut of_entries, mut functions) = (Vec::new(), HashSet::new(), HashSet::new());
    let mut body = None;
    for op in holder.ops()? {
        body = Some(op.body_id());
        symbols.extend(op.symbol_name()?);
        functions.extend(op.symbol_name()?.filter(|_| op.is("spirv.func")));
        if op.is("spirv.EntryPoint") && op.attribute("spirv_binary.name")?.is_none() {
            // What has its name already keeps it.
            of_entries.extend(op.attribute("fn")?.and_then(|function| symbol(context, function).ok()));
        }
    }
    let Some(body) = body else { return Ok(Vec::new()) };
    let mut aliases = Vec::new();
    let mut taken: HashSet<Identifier> = of_entries.clone();
    for (function, name) in entries {
        let has_name = of_entries.contains(&function) || names.contains_key(&(body, function));
        if has_name && !functions.contains(&function) || !taken.insert(name) {
            continue;
        }
        match has_name {
            true => aliases.push(((body, function), name)),
            false => drop(names.insert((body, function), name)),
        }
    }
    // What has its own name still, and may not.
    let own: Vec<Identifier> = symbols.iter().copied().filter(|&symbol| !names.contains_key(&(body, symbol))).collect();
    taken.extend(symbols.iter().filter_map(|&symbol| names.get(&(body, symbol)).copied()));
    let all: HashSet<Identifier> = own.iter().copied().collect();
    for symbol in own {
        if of_entries.contains(&symbol) || !taken.contains(&symbol) {
            continue;
        }
        let mut number = 0u32;
        let free = loop {
            let name = [context.bytes(symbol), format!("_{number}").as_bytes()].concat();
            let name = context.identifier(name);
            if !all.contains(&name) && taken.insert(name) {
                break name;
            }
            number += 1;
        };
        names.insert((body, symbol), free);
    }
    Ok(aliases)
}
