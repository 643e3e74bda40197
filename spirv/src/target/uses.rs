//! What an instruction of a binary needs by what its ids stand for. The specification says so in sentences, where the grammar says nothing,
//! and `spirv-val` asks for it.

use mlirbc_ir::{Result, Value};
use rspirv::spirv::{Capability, Dim, ImageFormat, StorageClass};

use crate::view::{InstructionView, ModuleView, OperandValue};

/// To read or write images of which nobody says how a texel is stored. APIs other than Vulkan leave it to the driver.
const WITHOUT_FORMAT: [&[u32]; 2] =
    [&[Capability::StorageImageReadWithoutFormat as u32], &[Capability::StorageImageWriteWithoutFormat as u32]];

/// Whether Vulkan alone asks for these capabilities.
pub(super) fn is_of_vulkan(capabilities: &[u32]) -> bool {
    WITHOUT_FORMAT.contains(&capabilities)
}

/// Gives what an instruction needs by what its ids stand for: lists of capabilities of which one is enough.
pub(super) fn of_uses(
    view: &ModuleView<'_>,
    instruction: InstructionView<'_>,
    each: &mut dyn FnMut(&'static [u32]),
) -> Result<()> {
    match instruction.name() {
        "TypeImage" => {
            let Some(image) = Image::of(instruction)? else { return Ok(()) };
            if image.is_stored() && image.multisampled && image.dim != Dim::DimSubpassData {
                each(&[Capability::StorageImageMultisample as u32]);
            }
        }
        name @ ("ImageRead" | "ImageSparseRead" | "ImageWrite") => {
            let image = instruction.ids().get(usize::from(name != "ImageWrite"));
            let ty = image.and_then(|&image| type_of(view, image));
            let Some(image) = ty.map(Image::of).transpose()?.flatten() else { return Ok(()) };
            if let Some(capability) = image.access().filter(|_| image.is_stored()) {
                each(capability);
            }
            let is_kernel = view.capabilities().iter().any(|name| name == "Kernel");
            if image.format == ImageFormat::Unknown as u32 && image.dim != Dim::DimSubpassData && !is_kernel {
                each(WITHOUT_FORMAT[usize::from(name == "ImageWrite")]);
            }
        }
        "FunctionCall" if is_logical(view) => {
            for &argument in instruction.ids().get(2..).unwrap_or_default() {
                let class = type_of(view, argument).map(class_of).transpose()?.flatten();
                if class == Some(StorageClass::StorageBuffer as u32) {
                    each(VARIABLE_POINTERS);
                }
            }
        }
        "Select" | "Phi" if is_logical(view) => {
            let ty = instruction.result_type().and_then(|ty| view.definition(ty));
            if ty.map(class_of).transpose()?.flatten().is_some() {
                each(VARIABLE_POINTERS);
            }
        }
        _ => {}
    }
    Ok(())
}

/// For pointers that are not known where the module is compiled.
const VARIABLE_POINTERS: &[u32] =
    &[Capability::VariablePointersStorageBuffer as u32, Capability::VariablePointers as u32];

/// The instruction that says the type of a value.
fn type_of<'m>(view: &ModuleView<'m>, value: Value) -> Option<InstructionView<'m>> {
    view.definition(view.definition(value)?.result_type()?)
}

/// Whether a module cannot compute with addresses.
fn is_logical(view: &ModuleView<'_>) -> bool {
    view.memory_model().is_some_and(|(addressing, _)| addressing == "Logical")
}

/// The storage class of a type of pointers.
fn class_of(ty: InstructionView<'_>) -> Result<Option<u32>> {
    if ty.name() != "TypePointer" {
        return Ok(None);
    }
    Ok(ty.operands()?.iter().find_map(|operand| match operand.value {
        OperandValue::Enumerant(class) => Some(class),
        _ => None,
    }))
}

/// What a type of images says.
struct Image {
    dim: Dim,
    arrayed: bool,
    multisampled: bool,
    sampled: u32,
    format: u32,
}

impl Image {
    fn of(ty: InstructionView<'_>) -> Result<Option<Self>> {
        if ty.name() != "TypeImage" {
            return Ok(None);
        }
        let number = |value: &OperandValue| match value {
            OperandValue::Word(number) | OperandValue::Enumerant(number) => Some(*number),
            _ => None,
        };
        let numbers: Vec<u32> = ty.operands()?.iter().filter_map(|operand| number(&operand.value)).collect();
        let &[dim, _depth, arrayed, multisampled, sampled, format, ..] = &numbers[..] else { return Ok(None) };
        let image = |dim| Image { dim, arrayed: arrayed == 1, multisampled: multisampled == 1, sampled, format };
        Ok(Dim::from_u32(dim).map(image))
    }

    /// Whether it is read and written, and not sampled.
    fn is_stored(&self) -> bool {
        self.sampled == 2
    }

    /// One of these lets an image be read and written.
    fn access(&self) -> Option<&'static [u32]> {
        match self.dim {
            Dim::Dim1D => Some(&[Capability::Image1D as u32]),
            Dim::DimRect => Some(&[Capability::ImageRect as u32]),
            Dim::DimBuffer => Some(&[Capability::ImageBuffer as u32]),
            Dim::DimCube if self.arrayed => Some(&[Capability::ImageCubeArray as u32]),
            _ => None,
        }
    }
}
