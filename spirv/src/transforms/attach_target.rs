//! `spirv-attach-target` (`mlir/Dialect/GPU/Transforms/SPIRVAttachTarget.cpp`).

use mlirbc_ir::{Attribute, AttributeData, BodyId, OpId, Result};
use mlirbc_rewrite::{MakePass, OptionInfo, Options, Pass, PassInfo, Target};

use super::pattern::Pattern;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{TargetEnvironment, Triple, UNKNOWN, default_limits, target_environment, vce};
use crate::target::is_extension;

/// Says of each `gpu.module` what it is compiled for, beside what it says itself.
#[derive(Clone, Debug)]
pub struct AttachTarget {
    /// A part of the name of a module that it is attached to has to be so: a regular expression of POSIX, extended. All, where it is empty.
    pub module: String,
    /// Version, capabilities and extensions.
    pub triple: Triple,
    /// An enumerant of [`EnumKind::ClientApi`].
    pub api: u32,
    /// An enumerant of [`EnumKind::Vendor`].
    pub vendor: u32,
    /// An enumerant of [`EnumKind::DeviceType`].
    pub device_type: u32,
    /// The device; [`UNKNOWN`] where it is not known.
    pub device: u32,
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-attach-target",
    about: "say of each gpu.module what it is compiled for, beside what it says itself",
    options: &[
        OptionInfo { name: "module", about: "a regular expression that names of modules have to match (all)" },
        OptionInfo { name: "ver", about: "the version of SPIR-V (v1.0)" },
        OptionInfo { name: "caps", about: "capabilities, with commas between; those that are not known are left out" },
        OptionInfo { name: "exts", about: "extensions, likewise" },
        OptionInfo { name: "client_api", about: "the API: Unknown, Metal, OpenCL, Vulkan or WebGPU (Unknown)" },
        OptionInfo { name: "vendor", about: "the vendor of the device (Unknown)" },
        OptionInfo { name: "device_type", about: "what the device is: Unknown, CPU, DiscreteGPU... (Unknown)" },
        OptionInfo { name: "device_id", about: "the number of the device (unknown)" },
    ],
    make: MakePass::With(|options| Ok(Box::new(AttachTarget::of(options)?))),
};

impl AttachTarget {
    fn of(options: &Options<'_>) -> Result<Self, String> {
        let enumerant = |option: &str, kind: EnumKind| match options.text(option) {
            None => Ok(UNKNOWN),
            Some(name) => kind.value(name).ok_or_else(|| format!("`{name}` is no `{option}` that is known")),
        };
        let version = options.text("ver").unwrap_or("v1.0");
        let minor = version
            .strip_prefix("v1.")
            .and_then(|minor| ["0", "1", "2", "3", "4", "5", "6"].iter().position(|it| *it == minor));
        let extensions = options.list("exts").into_iter().filter(|name| is_extension(name));
        let device = options.number("device_id", i64::from(UNKNOWN))?;
        Ok(AttachTarget {
            module: options.text("module").unwrap_or_default().to_owned(),
            triple: Triple {
                version: minor.ok_or_else(|| format!("`{version}` is no version of SPIR-V: v1.0 to v1.6"))? as u32,
                capabilities: options
                    .list("caps")
                    .into_iter()
                    .filter_map(|name| EnumKind::Capability.value(name))
                    .collect(),
                extensions: extensions.map(|name| name.as_bytes().into()).collect(),
            },
            api: enumerant("client_api", EnumKind::ClientApi)?,
            vendor: enumerant("vendor", EnumKind::Vendor)?,
            device_type: enumerant("device_type", EnumKind::DeviceType)?,
            device: u32::try_from(device).map_err(|_| format!("`{device}` is no number of 32 bits"))?,
        })
    }
}

impl Pass for AttachTarget {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let op = target.op()?;
        let context = op.module().context().clone();
        let new = target_environment(
            &context,
            &TargetEnvironment {
                triple: vce(&context, &self.triple),
                api: self.api,
                vendor: self.vendor,
                device_type: self.device_type,
                device: self.device,
                limits: default_limits(&context),
            },
        );
        // As in MLIR, an expression that is none matches no name.
        let pattern = Pattern::new(self.module.as_bytes());
        let mut changed: Vec<(BodyId, OpId, Attribute)> = Vec::new();
        for op in op.walk()?.filter(|op| op.is("gpu.module")) {
            let name = op.symbol_name()?.map_or(&[][..], |name| context.bytes(name));
            if !self.module.is_empty() && !pattern.as_ref().is_ok_and(|pattern| pattern.matches(name)) {
                continue;
            }
            let mut targets = match op.attribute("targets")?.map(|targets| &context[targets]) {
                Some(AttributeData::Array(targets)) => targets.to_vec(),
                _ => Vec::new(),
            };
            targets.push(new);
            targets.dedup();
            changed.push((op.body_id(), op.id(), context.attribute(AttributeData::Array(targets.into()))));
        }
        target.count("attached", changed.len() as u64);
        for (body, op, targets) in changed {
            target.module().rewrite(body, |rw| rw.set_attribute(op, "targets", targets))?;
        }
        Ok(())
    }
}
