//! What copies take along: bodies, and resources of another module.

use super::{Module, ResourceEntry, ResourceGroup};
use crate::attribute::ResourceHandle;
use crate::body::{AttributeRef, Body, BodyId, Excerpt, Resolve, TypeRef};
use crate::context::{Context, OperationName};
use crate::error::{Error, ErrorCode, Result};
use crate::parts::Between;

/// What was read off a body, and behind it each body in it: those of the operations of one excerpt before those of the next.
pub(crate) fn with_bodies<'b>(
    body_of: &dyn Fn(BodyId) -> Result<&'b Body>,
    first: Excerpt,
    resolve: &mut dyn Resolve,
) -> Result<Vec<Excerpt>> {
    let mut excerpts = vec![first];
    let mut at = 0;
    while let Some(excerpt) = excerpts.get(at) {
        let children: Vec<BodyId> = excerpt.region_bodies().map(|child| child.1).collect();
        for child in children {
            excerpts.push(Excerpt::whole(body_of(child)?, resolve)?);
        }
        at += 1;
    }
    Ok(excerpts)
}

impl Module {
    /// What `other` holds of those resources and this module does not: each as `other` has it, and as this module does.
    pub(crate) fn missing_resources(
        &self,
        other: &Module,
        wanted: &[(ResourceHandle, ResourceHandle)],
    ) -> Result<Vec<(ResourceHandle, ResourceEntry)>> {
        let mut missing = Vec::new();
        for &(theirs, ours) in wanted {
            let Some(entry) = other.resource(theirs)? else { continue };
            if self.resource(ours)?.is_some() {
                continue;
            }
            let owner = self.context[ours].dialect;
            let mut groups = self.resources()?.iter().filter(|group| group.dialect && group.owner == owner);
            if groups.any(|group| group.entries.iter().any(|known| known.key == entry.key)) {
                let key = Error::quoted(&entry.key);
                return Err(Error::misuse(format!("both modules have a resource {key}, and they are not the same"))
                    .with_code(ErrorCode::NameTaken));
            }
            missing.push((ours, ResourceEntry { handle: Some(ours), ..entry.clone() }));
        }
        Ok(missing)
    }

    /// Takes in resources of another module, but for those that have come meanwhile.
    pub(crate) fn bring_resources(&mut self, brought: Vec<(ResourceHandle, ResourceEntry)>) -> Result<()> {
        for (handle, entry) in brought {
            if self.resource(handle)?.is_none() {
                self.add_resources(vec![(handle, entry)])?;
            }
        }
        Ok(())
    }

    pub(crate) fn add_resources(&mut self, added: Vec<(ResourceHandle, ResourceEntry)>) -> Result<()> {
        for (handle, entry) in added {
            let owner = self.context[handle].dialect;
            let groups = self.resources_mut()?;
            match groups.iter_mut().find(|group| group.dialect && group.owner == owner) {
                Some(group) => group.entries.push(entry),
                None => groups.push(ResourceGroup { owner, dialect: true, entries: vec![entry] }),
            }
        }
        Ok(())
    }
}

/// Decodes what is lazy in the module that is copied from, and makes it in the context of the one that it comes to.
pub(crate) struct Resolver<'m> {
    from: &'m Module,
    between: Between<'m>,
}

impl<'m> Resolver<'m> {
    pub(crate) fn new(from: &'m Module, to: &'m Context) -> Self {
        Resolver { from, between: Between::new(&from.context, to) }
    }

    /// The resources that what was resolved refers to, as each context has them.
    pub(crate) fn resources(&self) -> &[(ResourceHandle, ResourceHandle)] {
        self.between.resources()
    }
}

impl Resolve for Resolver<'_> {
    fn name(&mut self, name: OperationName) -> Result<OperationName> {
        self.between.operation_name(name)
    }

    fn attribute(&mut self, attribute: AttributeRef) -> Result<AttributeRef> {
        let attribute = self.from.attribute(attribute)?;
        Ok(self.between.attribute(attribute)?.into())
    }

    fn properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<AttributeRef> {
        let attribute = self.from.properties(name, properties)?;
        Ok(self.between.attribute(attribute)?.into())
    }

    fn ty(&mut self, ty: TypeRef) -> Result<TypeRef> {
        let ty = self.from.ty(ty)?;
        Ok(self.between.ty(ty)?.into())
    }
}
