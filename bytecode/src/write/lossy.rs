//! What a version cannot hold.

use mlirbc_ir::ods::{OpDef, PropertyDef, PropertyKind, Release};
use mlirbc_ir::{
    Attribute, AttributeData, Context, Error, ErrorCode, Identifier, NamedAttribute, OperationName, Result,
};

/// What writing at an older version, or for another release of MLIR, drops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Each kind of loss, with the operation it was first met in, and how often it was met.
    kinds: Vec<(String, u64)>,
    /// What has no place for the first of them, where it is not the version of bytecode.
    holder: Option<String>,
}

impl Losses {
    pub(crate) fn note(&mut self, what: String) {
        match self.kinds.iter_mut().find(|kind| kind.0 == what) {
            Some(kind) => kind.1 += 1,
            None => self.kinds.push((what, 1)),
        }
    }

    /// What was noted of operations that are written after these: no other release would have a place for it.
    pub(crate) fn extend(&mut self, after: Losses) {
        for (what, times) in after.kinds {
            match self.kinds.iter_mut().find(|kind| kind.0 == what) {
                Some(kind) => kind.1 += times,
                None => self.kinds.push((what, times)),
            }
        }
    }

    /// A member of an operation that `release` does not have. One that is no attribute and reads as an absent one does is no
    /// loss.
    ///
    /// # Errors
    /// Where no other release has it.
    pub(crate) fn member(
        &mut self,
        context: &Context,
        definition: &OpDef,
        (member, value): NamedAttribute,
        release: Release,
    ) -> Result<()> {
        let member = context.text(member);
        let Some(others) = definition.releases_with(&member) else {
            let message = format!("no member is called `{member}` in the properties of `{}`", definition.name);
            return Err(Error::verification(message).with_code(ErrorCode::Lossy));
        };
        let is_attribute = |kind: &PropertyKind| matches!(kind, PropertyKind::Required | PropertyKind::Optional);
        let may_be = |layout: &[PropertyDef]| layout.iter().any(|it| it.name == *member && is_attribute(&it.kind));
        if says_nothing(context, value) && !definition.layouts().iter().any(|layout| may_be(&layout.1)) {
            return Ok(());
        }
        if self.kinds.is_empty() {
            self.holder = Some(release.to_string());
        }
        self.note(format!("`{member}` of `{}` ({others})", definition.name));
        Ok(())
    }

    /// A member that the version of the dialect that is written does not have yet.
    pub(crate) fn later_member(&mut self, definition: &OpDef, member: &str, since: u64) {
        let dialect = definition.name.split('.').next().unwrap_or_default();
        if self.kinds.is_empty() {
            self.holder = Some(format!("the version of `{dialect}` that was asked for"));
        }
        self.note(format!("`{member}` of `{}` (version {since} or newer)", definition.name));
    }

    /// The error that the first loss is.
    ///
    /// # Errors
    /// Where something was lost.
    pub(crate) fn refuse(&self, version: u64) -> Result<()> {
        let Some((first, _)) = self.kinds.first() else { return Ok(()) };
        let message = match &self.holder {
            Some(holder) => format!("{holder} cannot hold {first}"),
            None => format!("bytecode version {version} cannot hold {first}"),
        };
        Err(Error::verification(message).with_code(ErrorCode::Lossy))
    }

    pub(crate) fn unregistered_properties(&mut self, context: &Context, name: OperationName, properties: Attribute) {
        if !matches!(&context[properties], AttributeData::Dictionary(entries) if entries.is_empty()) {
            let name = context.text(context.operation_identifier(name));
            self.note(format!("properties of the unregistered operation `{name}` (version 5)"));
        }
    }

    /// A native property. One that is what an absent property reads as is no loss.
    pub(crate) fn native_property(
        &mut self,
        context: &Context,
        name: OperationName,
        field: Identifier,
        value: Attribute,
    ) {
        if !says_nothing(context, value) {
            let (name, field) = (context.text(context.operation_identifier(name)), context.text(field));
            self.note(format!("property `{field}` of `{name}`, which is no attribute (version 5)"));
        }
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What was lost: each kind, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kinds.iter().map(|(what, count)| (what.as_str(), *count))
    }
}

/// Whether a member that is no attribute is as an absent one is read: zero, empty, or sizes of which none is more than that.
fn says_nothing(context: &Context, value: Attribute) -> bool {
    match &context[value] {
        AttributeData::Integer { value, .. } => value.words().iter().all(|&word| word == 0),
        AttributeData::DenseArray { data, .. } => data.iter().all(|&byte| byte == 0),
        AttributeData::Array(elements) => elements.is_empty(),
        _ => false,
    }
}
