//! Printing.

use mlirbc_ir::fields;
use mlirbc_ir::text::{DialectPrinter, Elision};
use mlirbc_ir::{DYNAMIC, Parameter};

use crate::dialect::EnumKind;
use crate::dialect::attributes::{SpirvAttribute, TargetEnvironment, UNKNOWN};
use crate::dialect::types::{Decoration, Image, NumberOrSymbol, SpirvType, Struct};
use crate::grammar::Operand;

/// Prints what follows the mnemonic of a type. False, with nothing printed, where it cannot be printed.
pub(super) fn ty(view: &SpirvType<'_>, printer: &mut DialectPrinter<'_>) -> bool {
    if let SpirvType::Other { operands: [], .. } = view {
        return true;
    }
    printer.text("<");
    match view {
        SpirvType::Array { element, count, stride } => {
            number(*count, printer);
            printer.text(" x ").ty(*element);
            print_stride(*stride, printer);
        }
        SpirvType::RuntimeArray { element, stride } => {
            printer.ty(*element);
            print_stride(*stride, printer);
        }
        SpirvType::Pointer { pointee, class } => {
            printer.ty(*pointee).text(", ").text(&*EnumKind::StorageClass.show(*class));
        }
        SpirvType::Image(image) => print_image(image, printer),
        SpirvType::SampledImage(image) => {
            printer.ty(*image);
        }
        SpirvType::Reference(name) => {
            printer.keyword_or_string(name);
        }
        SpirvType::Struct(structure) => print_struct(structure, printer),
        SpirvType::Matrix { column, columns } => {
            printer.text(columns.to_string()).text(" x ").ty(*column);
        }
        SpirvType::CooperativeMatrix { rows, columns, element, scope, usage } => {
            for size in [rows, columns] {
                number(*size, printer);
                // Behind a symbol, it would belong to its name.
                printer.text(if matches!(size, NumberOrSymbol::Known(_)) { "x" } else { " x " });
            }
            printer.ty(*element);
            for (kind, number) in [(EnumKind::Scope, scope), (EnumKind::CooperativeMatrixUse, usage)] {
                printer.text(", ");
                match number {
                    NumberOrSymbol::Known(value) => printer.text(&*kind.show(*value)),
                    NumberOrSymbol::Symbol(symbol) => printer.attribute(*symbol, Elision::Never),
                };
            }
        }
        SpirvType::Tensor { shape: None, element } => {
            printer.text("*x").ty(*element);
        }
        SpirvType::Tensor { shape: Some(shape), element } => {
            for &size in shape {
                printer.text(if size == DYNAMIC { "?".to_owned() } else { size.to_string() }).text("x");
            }
            printer.ty(*element);
        }
        SpirvType::Other { instruction, operands } => {
            let mut definitions = instruction.operands.iter();
            let mut definition = definitions.next();
            for (at, operand) in operands.iter().enumerate() {
                printer.text(if at == 0 { "" } else { ", " });
                print_operand(definition, operand, printer);
                definition = definitions.next().or(definition);
            }
        }
    }
    printer.text(">");
    true
}

fn number(number: NumberOrSymbol, printer: &mut DialectPrinter<'_>) {
    match number {
        NumberOrSymbol::Known(number) => printer.text(number.to_string()),
        NumberOrSymbol::Symbol(symbol) => printer.attribute(symbol, Elision::Never),
    };
}

fn print_stride(stride: u32, printer: &mut DialectPrinter<'_>) {
    if stride != 0 {
        printer.text(", stride=").text(stride.to_string());
    }
}

fn print_image(image: &Image, printer: &mut DialectPrinter<'_>) {
    printer.ty(image.sampled);
    let parts = [
        (EnumKind::Dim, image.dim),
        (EnumKind::ImageDepthInfo, image.depth),
        (EnumKind::ImageArrayedInfo, image.arrayed),
        (EnumKind::ImageSamplingInfo, image.multisampled),
        (EnumKind::ImageSamplerUseInfo, image.sampler_use),
        (EnumKind::ImageFormat, image.format),
    ];
    for (kind, value) in parts.into_iter().chain(image.access.map(|access| (EnumKind::AccessQualifier, access))) {
        printer.text(", ").text(&*kind.show(value));
    }
}

fn print_struct(structure: &Struct, printer: &mut DialectPrinter<'_>) {
    if let Some(name) = &structure.name {
        printer.keyword_or_string(&**name).text(", ");
    }
    printer.text("(");
    for (at, member) in structure.members.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " }).ty(member.ty);
        let mut before = " [";
        if let Some(offset) = member.offset {
            printer.text(before).text(offset.to_string());
            before = ", ";
        }
        for decoration in &member.decorations {
            printer.text(before);
            print_decoration(decoration, printer);
            before = ", ";
        }
        printer.text(if before == ", " { "]" } else { "" });
    }
    printer.text(")");
    for decoration in &structure.decorations {
        printer.text(", ");
        print_decoration(decoration, printer);
    }
}

fn print_decoration(decoration: &Decoration, printer: &mut DialectPrinter<'_>) {
    let name = match EnumKind::Decoration.name(decoration.decoration) {
        Some(name) => name.to_owned(),
        // A number alone would be an offset.
        None => format!("Decoration {}", decoration.decoration),
    };
    printer.text(name);
    if let Some(value) = decoration.value {
        printer.text("=").attribute(value, Elision::Must);
    }
}

/// Prints an operand of a type that only the grammar knows.
fn print_operand(definition: Option<&Operand>, operand: &Parameter, printer: &mut DialectPrinter<'_>) {
    match operand {
        Parameter::Unsigned(value) => {
            let kind = definition.and_then(|operand| EnumKind::of_grammar(operand.kind));
            match (kind, u32::try_from(*value)) {
                (Some(kind), Ok(value)) => printer.text(&*kind.show(value)),
                _ => printer.text(value.to_string()),
            };
        }
        Parameter::String(value) => {
            printer.string(value);
        }
        Parameter::Type(ty) => {
            printer.ty(*ty);
        }
        Parameter::Attribute(attribute) => {
            printer.attribute(*attribute, Elision::Never);
        }
        _ => {}
    }
}

/// Prints what follows the mnemonic of an attribute. False, with nothing printed, where it cannot be printed.
pub(super) fn attribute(view: &SpirvAttribute<'_>, printer: &mut DialectPrinter<'_>) -> bool {
    if let SpirvAttribute::Structural(definition, parameters) = view {
        fields::text::print(definition.fields, parameters, printer);
        return true;
    }
    printer.text("<");
    match view {
        SpirvAttribute::Enumerant(kind, value) => {
            printer.text(&*kind.show(*value));
        }
        SpirvAttribute::Extension(name) => {
            printer.keyword_or_string(name);
        }
        SpirvAttribute::Vce(triple) => {
            printer.text(&*EnumKind::Version.show(triple.version)).text(", [");
            for (at, &capability) in triple.capabilities.iter().enumerate() {
                printer.text(if at == 0 { "" } else { ", " }).text(&*EnumKind::Capability.show(capability));
            }
            printer.text("], [");
            for (at, extension) in triple.extensions.iter().enumerate() {
                printer.text(if at == 0 { "" } else { ", " }).keyword_or_string(extension);
            }
            printer.text("]");
        }
        SpirvAttribute::InterfaceVariable { set, binding, class } => {
            printer.text(format!("({set}, {binding})"));
            if let Some(class) = class {
                printer.text(", ").text(&*EnumKind::StorageClass.show(*class));
            }
        }
        SpirvAttribute::TargetEnvironment(environment) => print_environment(environment, printer),
        SpirvAttribute::Structural(..) => {}
    }
    printer.text(">");
    true
}

fn print_environment(environment: &TargetEnvironment, printer: &mut DialectPrinter<'_>) {
    let TargetEnvironment { triple, api, vendor, device_type, device, limits } = *environment;
    printer.attribute(triple, Elision::Never);
    if api != UNKNOWN {
        printer.text(", api=").text(&*EnumKind::ClientApi.show(api));
    }
    if vendor != UNKNOWN {
        printer.text(", ").text(&*EnumKind::Vendor.show(vendor));
        if device_type != UNKNOWN {
            printer.text(":").text(&*EnumKind::DeviceType.show(device_type));
            if device != UNKNOWN {
                printer.text(format!(":{device}"));
            }
        }
    }
    printer.text(", ").attribute(limits, Elision::Never);
}
