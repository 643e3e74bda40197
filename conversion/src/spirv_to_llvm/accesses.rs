//! How memory is accessed: what the bits of `spirv.memory_access` are to loads, stores and copies of LLVM.

use mlirbc_ir::{Context, NamedAttribute, OpId};
use mlirbc_rewrite::NoMatch;
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::emit::{Look, Rw, integers};

const VOLATILE: u32 = 0x1;
const ALIGNED: u32 = 0x2;
const NONTEMPORAL: u32 = 0x4;

/// What is said of other invocations, of which these bits order nothing: that is up to barriers and atomic operations, behind which a
/// processor's memory is the same to all. And what is said of aliases, which allows more and asks for nothing.
const WITHOUT_EFFECT: u32 = MAKE_AVAILABLE | MAKE_VISIBLE | NON_PRIVATE | ALIAS_SCOPE | NO_ALIAS;
const MAKE_AVAILABLE: u32 = 0x8;
const MAKE_VISIBLE: u32 = 0x10;
const NON_PRIVATE: u32 = 0x20;
const ALIAS_SCOPE: u32 = 0x1_0000;
const NO_ALIAS: u32 = 0x2_0000;

/// How an operation accesses memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Access {
    bits: u32,
    alignment: i64,
}

/// The attributes of operations that access memory once, or as their target.
const FIRST: [&str; 2] = ["memory_access", "alignment"];

/// The attributes that say how the source is accessed.
const SOURCE: [&str; 2] = ["source_memory_access", "source_alignment"];

impl Access {
    /// How an operation accesses what it leads to, or its target, and its source: that is accessed in the same way where nothing else is said.
    ///
    /// # Errors
    /// No match where something is said that has no counterpart.
    pub(super) fn both(rw: &Rw<'_, '_>, op: OpId) -> Result<[Access; 2], NoMatch> {
        let (first, source) = match rw.op(op).attribute("literals")? {
            Some(literals) => Self::of_words(&integers(rw.context(), literals)?)?,
            None => (Self::of_members(rw, op, FIRST)?, Self::of_members(rw, op, SOURCE)?),
        };
        let first = first.unwrap_or_default();
        Ok([first, source.unwrap_or(first)])
    }

    /// As [`Access::both`], of an operation that accesses memory once.
    pub(super) fn of(rw: &Rw<'_, '_>, op: OpId) -> Result<Access, NoMatch> {
        Self::both(rw, op).map(|[first, _]| first)
    }

    fn of_members(rw: &Rw<'_, '_>, op: OpId, [access, alignment]: [&str; 2]) -> Result<Option<Access>, NoMatch> {
        let context = rw.context();
        let Some(access) = rw.op(op).attribute(access)? else { return Ok(None) };
        let bits = enumerant_of(context, access, EnumKind::MemoryAccess);
        let bits = bits.ok_or(NoMatch::Reason("how memory is accessed is no case of its enum"))?;
        let alignment = match bits & ALIGNED {
            0 => 0,
            _ => context.integer_of(rw.attribute(op, alignment)?).and_then(|bytes| bytes.to_u64()).unwrap_or(u64::MAX),
        };
        let alignment = i64::try_from(alignment).map_err(|_| NoMatch::Reason("the alignment is no number"))?;
        Access { bits, alignment }.known().map(Some)
    }

    /// Of the words of an instruction that are no ids: a mask, the alignment where it says that there is one, and the same again.
    fn of_words(words: &[i64]) -> Result<(Option<Access>, Option<Access>), NoMatch> {
        let mut words = words.iter().map(|&word| word as u32);
        let mut next = || {
            let Some(bits) = words.next() else { return Ok(None) };
            let alignment = if bits & ALIGNED == 0 { Some(0) } else { words.next() };
            let alignment = alignment.ok_or(NoMatch::Reason("an alignment is missing"))?.into();
            Access { bits, alignment }.known().map(Some)
        };
        let both = (next()?, next()?);
        match words.next() {
            None => Ok(both),
            Some(_) => Err(NoMatch::Reason("more is said of how memory is accessed than there are accesses")),
        }
    }

    fn known(self) -> Result<Access, NoMatch> {
        match self.bits & !(VOLATILE | ALIGNED | NONTEMPORAL | WITHOUT_EFFECT) {
            0 => Ok(self),
            _ => Err(NoMatch::Reason("memory is accessed in a way that has no counterpart")),
        }
    }

    /// Whether each access counts.
    pub(super) fn is_volatile(self) -> bool {
        self.bits & VOLATILE != 0
    }

    /// The attributes of a load or store.
    pub(super) fn attributes(self, context: &Context) -> Vec<NamedAttribute> {
        let mut attributes = Vec::new();
        for (bit, name, value) in [
            (VOLATILE, "volatile_", context.unit()),
            (ALIGNED, "alignment", context.integer(64, self.alignment)),
            (NONTEMPORAL, "nontemporal", context.unit()),
        ] {
            if self.bits & bit != 0 {
                attributes.push((context.static_identifier(name), value));
            }
        }
        attributes
    }
}
