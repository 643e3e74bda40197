//! Modules and what stands in them.

use std::cell::OnceCell;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Attribute, AttributeData, Context, Identifier, OpRef, Result, Type, TypeData};
use rspirv::spirv::{Decoration, StorageClass};

use super::{need, number as number_of, own_name, wrong};
use crate::dialect::EnumKind;
use crate::dialect::attributes::{self, SpirvAttribute};
use crate::dialect::table::mlir;
use crate::dialect::types::{self, NumberOrSymbol, SpirvType};

const IMPORT: u32 = 1;

/// What a symbol of a module is.
struct Symbol<'m> {
    operation: OpRef<'m>,
    /// The type of its value, where it has one.
    ty: Option<Type>,
}

impl Symbol<'_> {
    fn is(&self, operation: &str) -> bool {
        self.operation.is(operation)
    }

    /// Whether it is a specialization constant of MLIR's, or what MLIR does not know.
    fn is_constant(&self) -> bool {
        let name = self.operation.name();
        name.contains("SpecConstant") || !mlir().has(&name)
    }
}

/// The symbol that an attribute names.
fn symbol_of(context: &Context, attribute: Option<Attribute>) -> Option<Identifier> {
    match &context[attribute?] {
        AttributeData::SymbolRef { root, nested } if nested.is_empty() => Some(*root),
        _ => None,
    }
}

pub(super) fn type_attribute(op: OpRef<'_>, name: &str) -> Result<Option<Type>> {
    let context = op.module().context();
    Ok(op.attribute(name)?.and_then(|attribute| match &context[attribute] {
        AttributeData::Type(ty) => Some(*ty),
        _ => None,
    }))
}

fn items(context: &Context, list: Attribute) -> Option<&[Attribute]> {
    match &context[list] {
        AttributeData::Array(items) => Some(items),
        _ => None,
    }
}

/// The type of an attribute that shows it.
fn type_of_value(context: &Context, attribute: Attribute) -> Option<Type> {
    match &context[attribute] {
        AttributeData::Integer { ty, .. } | AttributeData::Float { ty, .. } => Some(*ty),
        _ => None,
    }
}

/// What a module defines.
fn symbols_of(op: OpRef<'_>) -> Result<HashMap<Identifier, Symbol<'_>>> {
    let context = op.module().context();
    let mut symbols = HashMap::new();
    for operation in op.ops()? {
        let Some(name) = operation.symbol_name()? else { continue };
        let ty = match operation.attribute("default_value")? {
            Some(value) => type_of_value(context, value),
            None => type_attribute(operation, "type")?,
        };
        symbols.insert(name, Symbol { operation, ty });
    }
    Ok(symbols)
}

pub(super) fn module(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    // In most modules nothing asks for them.
    let symbols = OnceCell::new();
    let find = |attribute: Option<Attribute>| -> Result<Option<&Symbol<'_>>> {
        let Some(name) = symbol_of(context, attribute) else { return Ok(None) };
        if symbols.get().is_none() {
            let _ = symbols.set(symbols_of(op)?);
        }
        Ok(symbols.get().and_then(|symbols| symbols.get(&name)))
    };
    let is = |attribute: Option<Attribute>, operation: &str| -> Result<bool> {
        Ok(find(attribute)?.is_some_and(|it| it.is(operation)))
    };
    let mut entry_points = HashSet::new();
    op.ops()?.try_for_each(|inside| {
        match own_name(inside).ok_or_else(|| wrong("'spirv.module' can only contain spirv.* ops"))? {
            "EntryPoint" => {
                let (function, model) = (inside.attribute("fn")?, inside.attribute("execution_model")?);
                need(is(function, "spirv.func")?, "an entry point's function is not in the module")?;
                let entry_point = (function, model, inside.attribute("spirv_binary.name")?);
                need(entry_points.insert(entry_point), "duplicate of a previous EntryPointOp")?;
                if let Some(AttributeData::Array(interface)) = inside.attribute("interface")?.map(|it| &context[it]) {
                    for &variable in interface {
                        let found = is(Some(variable), "spirv.GlobalVariable")?;
                        need(found, "an entry point's interface names what is no spirv.GlobalVariable")?;
                    }
                }
            }
            "func" => function_of_module(inside, &find)?,
            "GlobalVariable" => {
                if let Some(initializer) = inside.attribute("initializer")? {
                    let found = find(Some(initializer))?;
                    let fits = found.is_some_and(|symbol| symbol.is_constant() || symbol.is("spirv.GlobalVariable"));
                    need(fits, "an initializer must be a specialization constant or a variable")?;
                }
            }
            "SpecConstantComposite" => {
                let (Some(parts), Some(ty)) = (inside.attribute("constituents")?, type_attribute(inside, "type")?)
                else {
                    return Ok(());
                };
                let AttributeData::Array(parts) = &context[parts] else { return Ok(()) };
                composite(context, ty, parts, &|part| Ok(find(Some(part))?.filter(|symbol| symbol.is_constant())))?;
            }
            _ => {}
        }
        Ok(())
    })
}

fn composite<'s>(
    context: &Context,
    ty: Type,
    parts: &[Attribute],
    find: &dyn Fn(Attribute) -> Result<Option<&'s Symbol<'s>>>,
) -> Result<()> {
    let wanted = match (&context[ty], types::view(context, ty)) {
        (TypeData::Vector { shape, .. }, _) => shape.first().copied(),
        (_, Some(SpirvType::Array { count: NumberOrSymbol::Known(count), .. })) => Some(count.into()),
        (_, Some(SpirvType::Struct(structure))) => Some(structure.members.len() as i64),
        (_, Some(SpirvType::Matrix { columns, .. })) => Some(columns.into()),
        // As long as a constant says, or of parts that are all alike.
        (_, Some(SpirvType::Array { .. } | SpirvType::CooperativeMatrix { .. } | SpirvType::Tensor { .. })) => None,
        _ => return Err(wrong("the type of a composite constant must be a composite")),
    };
    if let Some(wanted) = wanted
        && wanted != parts.len() as i64
    {
        return Err(wrong(format!(
            "has incorrect number of operands: expected {wanted}, but provided {}",
            parts.len()
        )));
    }
    for (&part, at) in parts.iter().zip(0..) {
        let Some(symbol) = find(part)? else { return Err(wrong("a constituent is no specialization constant")) };
        let (found, wanted) = (symbol.ty, types::part(context, ty, at));
        need(found.is_none() || wanted.is_none() || found == wanted, "has incorrect types of operands")?;
    }
    Ok(())
}

/// Checks a function of a module, and the symbols that it refers to.
fn function_of_module<'s>(
    op: OpRef<'_>,
    find: &dyn Fn(Option<Attribute>) -> Result<Option<&'s Symbol<'s>>>,
) -> Result<()> {
    let context = op.module().context();
    let (id, body, regions) = op.region_tree()?;
    if regions.iter().all(|&region| body.first_block(region).is_none()) {
        let linkage = op.attribute("linkage_attributes")?.and_then(|linkage| attributes::view(context, linkage));
        let import = match linkage {
            Some(SpirvAttribute::Structural(_, [_, mlirbc_ir::Parameter::Attribute(linkage)])) => {
                attributes::enumerant_of(context, *linkage, EnumKind::LinkageType) == Some(IMPORT)
            }
            _ => false,
        };
        let message = "'spirv.module' cannot contain external functions without 'Import' linkage_attributes";
        return need(import, message);
    }
    let check = |inside: OpRef<'_>| -> Result<()> {
        let name = own_name(inside).ok_or_else(|| wrong("functions in 'spirv.module' can only contain spirv.* ops"))?;
        let found = match name {
            "mlir.referenceof" => find(inside.attribute("spec_const")?)?.filter(|symbol| symbol.is_constant()),
            "mlir.addressof" => find(inside.attribute("variable")?)?.filter(|symbol| symbol.is("spirv.GlobalVariable")),
            _ => return Ok(()),
        };
        let Some(found) = found else { return Err(wrong("a symbol that stands for something else, or for nothing")) };
        let result = inside.results().next().map(|result| inside.type_of(result)).transpose()?;
        let fits = found.ty.is_none() || result.is_none() || found.ty == result;
        need(fits, "the type of the result is not that of what the symbol stands for")
    };
    match op.body().region_body(op.id()) == Some(id) && body.region_bodies().next().is_none() {
        // All of it stands in one body, as nearly always.
        true => body.preorder().try_for_each(|inside| check(OpRef::new(op.module(), id, body, inside))),
        false => op.walk()?.skip(1).try_for_each(check),
    }
}

pub(super) fn function(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let (inputs, results) = match type_attribute(op, "function_type")?.map(|ty| &context[ty]) {
        Some(TypeData::Function { inputs, results }) => (&inputs[..], results.len()),
        _ => (&[][..], 0),
    };
    need(results <= 1, "cannot have more than one result")?;
    inputs.iter().enumerate().try_for_each(|(number, &input)| physical_argument(op, number, input))
}

/// An argument that is a pointer into physical memory, or points to one, says whether others point there, too.
fn physical_argument(op: OpRef<'_>, number: usize, ty: Type) -> Result<()> {
    let context = op.module().context();
    let class_of = |ty| match types::view(context, ty) {
        Some(SpirvType::Pointer { class, .. }) => Some(class),
        _ => None,
    };
    let Some(SpirvType::Pointer { pointee, class }) = types::view(context, ty) else { return Ok(()) };
    let (class, either) = match (class_of(pointee), types::view(context, pointee)) {
        (Some(class), _) => (Some(class), [Decoration::AliasedPointer, Decoration::RestrictPointer]),
        (None, Some(SpirvType::Array { element, .. })) => {
            (class_of(element), [Decoration::Aliased, Decoration::Restrict])
        }
        (None, _) => (Some(class), [Decoration::Aliased, Decoration::Restrict]),
    };
    if class != Some(StorageClass::PhysicalStorageBuffer as u32) {
        return Ok(());
    }
    let is_either = |decoration: u32| either.iter().any(|it| *it as u32 == decoration);
    let of_arguments = op.attribute("arg_attrs")?.and_then(|lists| items(context, lists)).unwrap_or_default();
    let entries = of_arguments.get(number).map_or(Ok(&[][..]), |list| context.entries(*list))?;
    let says_it = entries.iter().any(|(name, value)| match context.bytes(*name) {
        b"spirv.decoration" => {
            matches!(attributes::view(context, *value), Some(SpirvAttribute::Enumerant(_, it)) if is_either(it))
        }
        // One of several.
        b"spirv_binary.decorations" => items(context, *value).unwrap_or_default().iter().any(|one| {
            let first = items(context, *one).and_then(|words| number_of(context, *words.first()?));
            first.is_some_and(|first| u32::try_from(first).is_ok_and(is_either))
        }),
        _ => false,
    });
    need(
        says_it,
        &format!(
            "a pointer that is physical, or points to one, must be decorated '{:?}' or '{:?}'",
            either[0], either[1]
        ),
    )
}

pub(super) fn global_variable(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let Some(ty) = type_attribute(op, "type")? else { return Ok(()) };
    let class = match types::view(context, ty) {
        Some(SpirvType::Pointer { class, .. }) => class,
        // A pointer that says no more, or a type that is unknown.
        Some(SpirvType::Other { instruction, .. }) if instruction.name == "TypeUntypedPointerKHR" => return Ok(()),
        None if matches!(context[ty], TypeData::Text { .. } | TypeData::Encoded(_)) => return Ok(()),
        _ => return Err(wrong("the type of a variable must be a pointer")),
    };
    let name = EnumKind::StorageClass.show(class);
    match &*name {
        "Generic" | "Function" => Err(wrong(format!("storage class cannot be '{name}'"))),
        _ => Ok(()),
    }
}

pub(super) fn spec_constant(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let Some(value) = op.attribute("default_value")? else { return Ok(()) };
    let Some(ty) = type_of_value(context, value) else {
        return Err(wrong("default value can only be a bool, integer, or float scalar"));
    };
    let fits = match &context[ty] {
        TypeData::Integer { width, .. } => matches!(width, 1 | 8 | 16 | 32 | 64),
        TypeData::Float(kind) => matches!(kind.width(), 16 | 32 | 64) && *kind != FloatKind::TF32,
        _ => false,
    };
    need(fits, "default value bitwidth disallowed")
}

pub(super) fn spec_constant_operation(op: OpRef<'_>) -> Result<()> {
    let inside: Vec<OpRef<'_>> = op.ops()?.take(3).collect();
    let [of, yields] = inside[..] else { return Err(wrong("expected exactly 2 nested ops")) };
    need(&*yields.name() == "spirv.mlir.yield", "the second operation must be 'spirv.mlir.yield'")?;
    let Some(definition) = of.definition() else { return Ok(()) };
    let traits = &definition.details().other_traits;
    let usable = traits.iter().any(|name| name.ends_with("UsableInSpecConstantOp"));
    // Those of the grammar do not say.
    let known = mlir().has(&of.name());
    need(usable || !known, "invalid enclosed op")
}
