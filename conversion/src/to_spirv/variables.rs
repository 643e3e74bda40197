//! Variables of modules that patterns in functions ask for: patterns look at one function at a time.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BodyId, Identifier, Module, NamedAttribute, OpId, OpRef, Result, Rewriter,
    Type,
};
use mlirbc_spirv::dialect::types::{SpirvType, view};

use crate::common::reference;

/// What patterns call memory of a workgroup, each a variable of its own: it gets a number.
pub(crate) const WORKGROUP_MEMORY: &str = "__workgroup_mem__";

/// What patterns call the text of a `printf`, each of its own: it gets a number.
pub(crate) const PRINTED: &str = "printfMsg";

/// What the use of such a text says until it is declared: the text.
pub(crate) const FORMAT: &str = "format";

/// Around the name of a built-in variable.
const BUILT_IN: (&str, &str) = ("__builtin__", "__");

/// What patterns call a built-in variable.
pub(crate) fn name_of_built_in(name: &str) -> String {
    format!("{}{name}{}", BUILT_IN.0, BUILT_IN.1)
}

/// An operation, and the body that it stands in.
type Place = (BodyId, OpId);

/// A use of a variable.
struct Use {
    op: Place,
    name: Identifier,
    ty: Type,
    at: AttributeRef,
    /// What a text is.
    format: Option<Attribute>,
}

/// Declares the variables that operations in `op` ask for and that are not there, each at the start of the symbol table around: built-in
/// ones, memory of workgroups, and texts of `printf`. What [conversions](super) make of operations asks for such; their passes do this when all is converted.
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
        let mut numbers = HashMap::<Identifier, usize>::new();
        let (mut made, mut renamed) = (Vec::<(Identifier, Use)>::new(), Vec::<(Place, Attribute)>::new());
        for wanted in uses {
            let text = context.text(wanted.name);
            let name = match text == WORKGROUP_MEMORY || text == PRINTED {
                false => wanted.name,
                true => loop {
                    let number = numbers.entry(wanted.name).or_default();
                    let name = context.identifier(format!("{text}{number}"));
                    *number += 1;
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
            module.rewrite(body, |rw| {
                rw.set_attribute(op, "variable", name)?;
                rw.remove_attribute(op, FORMAT)
            })?;
        }
        let (body, regions) = {
            let (body, _, regions) = module.operation(table.0, table.1)?.region_tree()?;
            (body, regions)
        };
        module.rewrite(body, |rw| {
            let Some(block) = regions.first().and_then(|&region| rw.body().first_block(region)) else { return Ok(()) };
            for (name, wanted) in made {
                rw.set_insertion_point_to_start(block)?;
                let attributes = match wanted.format {
                    Some(format) => text(rw, name, format, &wanted)?,
                    None => built_in(&context.text(name))
                        .map(|name| (context.static_identifier("built_in"), context.string(name)))
                        .into_iter()
                        .collect(),
                };
                rw.build("spirv.GlobalVariable")
                    .at(wanted.at)
                    .attribute("type", context.attribute(AttributeData::Type(wanted.ty)))
                    .attribute("sym_name", name.attribute())
                    .attributes(attributes)
                    .create()?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Makes specialization constants of a text, one a character, and what is put together of them. Gives what a variable says that holds it.
fn text(rw: &mut Rewriter<'_>, name: Identifier, format: Attribute, wanted: &Use) -> Result<Vec<NamedAttribute>> {
    let context = rw.context();
    let bytes = match &context[format] {
        AttributeData::String { value, .. } => value.to_vec(),
        _ => Vec::new(),
    };
    let name = context.text(name).into_owned();
    let mut parts = Vec::new();
    for (number, byte) in bytes.into_iter().chain([0]).enumerate() {
        let part = context.identifier(format!("{name}_sc{number}"));
        parts.push(reference(context, part));
        rw.build("spirv.SpecConstant")
            .at(wanted.at)
            .attribute("sym_name", part.attribute())
            .attribute("default_value", context.integer(8, i64::from(byte as i8)))
            .create()?;
    }
    let whole = context.identifier(format!("{name}_scc"));
    let ty = match view(context, wanted.ty) {
        Some(SpirvType::Pointer { pointee, .. }) => pointee,
        _ => wanted.ty,
    };
    rw.build("spirv.SpecConstantComposite")
        .at(wanted.at)
        .attribute("type", context.attribute(AttributeData::Type(ty)))
        .attribute("sym_name", whole.attribute())
        .attribute("constituents", context.attribute(AttributeData::Array(parts.into())))
        .create()?;
    Ok(vec![
        (context.static_identifier("initializer"), reference(context, whole)),
        (context.static_identifier("Constant"), context.unit()),
    ])
}

/// The name of a built-in in that of its variable.
fn built_in(name: &str) -> Option<&str> {
    name.strip_prefix(BUILT_IN.0)?.strip_suffix(BUILT_IN.1)
}

/// The uses of variables that have such names, in order, by the symbol table that is to have them.
fn uses(root: OpRef<'_>) -> Result<Vec<(Place, Vec<Use>)>> {
    let context = root.module().context();
    let mut places: HashMap<Place, usize> = HashMap::new();
    let mut all: Vec<(Place, Vec<Use>)> = Vec::new();
    for op in root.walk()?.filter(|op| op.is("spirv.mlir.addressof")) {
        let name = match op.attribute("variable")?.map(|name| &context[name]) {
            Some(AttributeData::SymbolRef { root, nested }) if nested.is_empty() => *root,
            _ => continue,
        };
        let text = context.text(name);
        let format = op.attribute(FORMAT)?.filter(|_| text == PRINTED);
        if text != WORKGROUP_MEMORY && format.is_none() && built_in(&text).is_none() {
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
        all[place].1.push(Use { op: (op.body_id(), op.id()), name, ty: op.type_of(result)?, at, format });
    }
    Ok(all)
}
