//! `#spirv.entry_point_abi` and `#spirv.resource_limits` as Rust values: taken from an attribute by `of`, and made one again by
//! `attribute`.
//!
//! ```
//! use mlirbc_spirv::dialect::abi::{EntryPointAbi, ResourceLimits};
//!
//! let context = mlirbc_ir::Context::new();
//! mlirbc_spirv::register(&context)?;
//! let abi = EntryPointAbi { workgroup_size: Some(vec![64, 1, 1]), ..EntryPointAbi::default() };
//! let attribute = abi.attribute(&context);
//! assert_eq!(context.show(attribute).to_string(), "#spirv.entry_point_abi<workgroup_size = [64, 1, 1]>");
//! assert_eq!(EntryPointAbi::of(&context, attribute), Some(abi));
//!
//! let limits = ResourceLimits { subgroup_size: 64, ..ResourceLimits::default() };
//! let attribute = limits.attribute(&context)?;
//! assert_eq!(context.show(attribute).to_string(), "#spirv.resource_limits<subgroup_size = 64>");
//! assert_eq!(ResourceLimits::of(&context, attribute), Some(limits));
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```

use mlirbc_ir::{Attribute, AttributeData, Context, Error, ErrorKind, Parameter, Result};

use super::attributes::{SpirvAttribute, is_of, make, view};

/// The name of the attribute of a function that is an entry point, which holds an [`EntryPointAbi`].
pub const ENTRY_POINT_ABI: &str = "spirv.entry_point_abi";

const LIMITS: &str = "resource_limits";
const KHR: &str = "coop_matrix_props_khr";
const NV: &str = "coop_matrix_props_nv";

/// What `#spirv.entry_point_abi` says of a function: how an entry point is called. What is `None` is not said.
/// Source: `SPIRV_EntryPointABIAttr` of MLIR.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct EntryPointAbi {
    /// Invocations of a workgroup in x, y and z.
    pub workgroup_size: Option<Vec<i32>>,
    /// Invocations of a subgroup.
    pub subgroup_size: Option<i32>,
    /// Of floats of so many bits, zeros keep their sign, and infinities and NaN stay what they are.
    pub target_width: Option<i32>,
}

/// What `#spirv.resource_limits` says of a device. Each has a value, or stands for none, where text does not say it:
/// [`ResourceLimits::default`] is that. Source: `SPIRV_ResourceLimitsAttr` of MLIR.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceLimits {
    /// Bytes of memory that a workgroup shares, at most.
    pub max_compute_shared_memory_size: i32,
    /// Invocations of a workgroup, at most.
    pub max_compute_workgroup_invocations: i32,
    /// Invocations of a workgroup in x, y and z, at most.
    pub max_compute_workgroup_size: Vec<i32>,
    /// Invocations of a subgroup.
    pub subgroup_size: i32,
    /// The smallest subgroup that can be asked for.
    pub min_subgroup_size: Option<i32>,
    /// The largest subgroup that can be asked for.
    pub max_subgroup_size: Option<i32>,
    /// A `#spirv.coop_matrix_props_khr` for each kind of cooperative matrices.
    pub cooperative_matrix_properties_khr: Vec<Attribute>,
    /// A `#spirv.coop_matrix_props_nv` for each kind of cooperative matrices.
    pub cooperative_matrix_properties_nv: Vec<Attribute>,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        ResourceLimits {
            max_compute_shared_memory_size: 16384,
            max_compute_workgroup_invocations: 128,
            max_compute_workgroup_size: vec![128, 128, 64],
            subgroup_size: 32,
            min_subgroup_size: None,
            max_subgroup_size: None,
            cooperative_matrix_properties_khr: Vec::new(),
            cooperative_matrix_properties_nv: Vec::new(),
        }
    }
}

impl EntryPointAbi {
    /// What an attribute says; `None` where it is no `#spirv.entry_point_abi`.
    pub fn of(context: &Context, attribute: Attribute) -> Option<Self> {
        let [workgroup, subgroup, width] = parameters(context, attribute, "entry_point_abi")? else { return None };
        let workgroup_size = match workgroup {
            Parameter::List(sizes) => Some(sizes.iter().map(number).collect::<Option<_>>()?),
            _ => None,
        };
        Some(EntryPointAbi { workgroup_size, subgroup_size: number(subgroup), target_width: number(width) })
    }

    /// The attribute that says so.
    pub fn attribute(&self, context: &Context) -> Attribute {
        let sizes = |sizes: &Vec<i32>| Parameter::List(sizes.iter().map(|&size| signed(Some(size))).collect());
        let workgroup = self.workgroup_size.as_ref().map_or(Parameter::None, sizes);
        make(context, "entry_point_abi", [workgroup, signed(self.subgroup_size), signed(self.target_width)])
    }
}

impl ResourceLimits {
    /// What an attribute says; `None` where it is no `#spirv.resource_limits`, or where a size in it is no number of 32 bits.
    pub fn of(context: &Context, attribute: Attribute) -> Option<Self> {
        let [memory, invocations, sizes, subgroup, min, max, khr, nv] = parameters(context, attribute, LIMITS)? else {
            return None;
        };
        let array = |parameter: &Parameter| match parameter {
            Parameter::None => Some(Vec::new()),
            Parameter::Attribute(array) => match &context[*array] {
                AttributeData::Array(items) => Some(items.to_vec()),
                _ => None,
            },
            _ => None,
        };
        let size = |size: Attribute| i32::try_from(context.integer_of(size)?.to_i64()?).ok();
        Some(ResourceLimits {
            max_compute_shared_memory_size: number(memory)?,
            max_compute_workgroup_invocations: number(invocations)?,
            max_compute_workgroup_size: array(sizes)?.into_iter().map(size).collect::<Option<_>>()?,
            subgroup_size: number(subgroup)?,
            min_subgroup_size: number(min),
            max_subgroup_size: number(max),
            cooperative_matrix_properties_khr: array(khr)?,
            cooperative_matrix_properties_nv: array(nv)?,
        })
    }

    /// The attribute that says so.
    ///
    /// # Errors
    /// Where what is said of cooperative matrices is said by another attribute than the one for it.
    pub fn attribute(&self, context: &Context) -> Result<Attribute> {
        let lists = [(&self.cooperative_matrix_properties_khr, KHR), (&self.cooperative_matrix_properties_nv, NV)];
        for (list, mnemonic) in lists {
            if let Some(other) = list.iter().find(|&&item| !is_of(context, item, mnemonic)) {
                let message = format!("of cooperative matrices, `{}` is no `#spirv.{mnemonic}`", context.show(*other));
                return Err(Error::new(ErrorKind::Misuse, message));
            }
        }
        let [khr, nv] = lists.map(|(list, _)| match list.is_empty() {
            true => Parameter::None,
            false => Parameter::Attribute(context.array(list.iter().copied())),
        });
        let sizes = self.max_compute_workgroup_size.iter().map(|&size| context.integer(32, size.into()));
        let numbers = [
            Some(self.max_compute_shared_memory_size),
            Some(self.max_compute_workgroup_invocations),
            Some(self.subgroup_size),
            self.min_subgroup_size,
            self.max_subgroup_size,
        ];
        let [memory, invocations, subgroup, min, max] = numbers.map(signed);
        let sizes = Parameter::Attribute(context.array(sizes));
        Ok(make(context, LIMITS, [memory, invocations, sizes, subgroup, min, max, khr, nv]))
    }
}

/// The parameters of an attribute of that mnemonic.
fn parameters<'c>(context: &'c Context, attribute: Attribute, mnemonic: &str) -> Option<&'c [Parameter]> {
    match view(context, attribute)? {
        SpirvAttribute::Structural(definition, parameters) if definition.mnemonic == mnemonic => Some(parameters),
        _ => None,
    }
}

fn number(parameter: &Parameter) -> Option<i32> {
    match parameter {
        Parameter::Signed(number) => i32::try_from(*number).ok(),
        _ => None,
    }
}

fn signed(number: Option<i32>) -> Parameter {
    number.map_or(Parameter::None, |number| Parameter::Signed(number.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::attributes::default_limits;
    use mlirbc_ir::text::parse_attribute;

    fn context() -> Context {
        let context = Context::new();
        crate::register(&context).expect("nothing else is there");
        context
    }

    /// Every text is taken apart and made again.
    #[test]
    fn attributes_come_back() {
        let context = context();
        for text in [
            "#spirv.entry_point_abi<>",
            "#spirv.entry_point_abi<workgroup_size = []>",
            "#spirv.entry_point_abi<workgroup_size = [32, 4, 1], subgroup_size = 16, target_width = 32>",
        ] {
            let attribute = parse_attribute(&context, text.as_bytes()).expect(text);
            let abi = EntryPointAbi::of(&context, attribute).expect(text);
            assert_eq!(abi.attribute(&context), attribute, "{text}");
            assert_eq!(ResourceLimits::of(&context, attribute), None);
        }
        for text in [
            "#spirv.resource_limits<>",
            "#spirv.resource_limits<max_compute_workgroup_size = [], min_subgroup_size = 8, max_subgroup_size = 64>",
            "#spirv.resource_limits<max_compute_shared_memory_size = 1, max_compute_workgroup_invocations = 2, \
             max_compute_workgroup_size = [3 : i32, 4 : i32, 5 : i32], subgroup_size = 6, \
             cooperative_matrix_properties_nv = [#spirv.coop_matrix_props_nv<m_size = 8, n_size = 8, k_size = 32, \
             a_type = i8, b_type = i8, c_type = i32, result_type = i32, scope = <Subgroup>>]>",
        ] {
            let attribute = parse_attribute(&context, text.as_bytes()).expect(text);
            let limits = ResourceLimits::of(&context, attribute).expect(text);
            assert_eq!(limits.attribute(&context).expect(text), attribute, "{text}");
            assert_eq!(EntryPointAbi::of(&context, attribute), None);
        }
    }

    #[test]
    fn what_is_not_said_is_the_default() {
        let context = context();
        assert_eq!(ResourceLimits::of(&context, default_limits(&context)), Some(ResourceLimits::default()));
    }

    #[test]
    fn other_properties_are_refused() {
        let context = context();
        let properties = vec![context.unit()];
        let limits = ResourceLimits { cooperative_matrix_properties_khr: properties, ..ResourceLimits::default() };
        let error = limits.attribute(&context).expect_err("the unit is none");
        assert!(error.to_string().contains("`unit` is no `#spirv.coop_matrix_props_khr`"), "{error}");
    }

    /// A size that is no number is an attribute that can be written and read, and no limits.
    #[test]
    fn sizes_that_are_no_numbers_are_none() {
        let context = context();
        let text = b"#spirv.resource_limits<max_compute_workgroup_size = [\"x\"]>";
        let attribute = parse_attribute(&context, text).expect("any array is taken");
        assert_eq!(ResourceLimits::of(&context, attribute), None);
    }
}
