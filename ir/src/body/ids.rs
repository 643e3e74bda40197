//! Numbers of what a body holds. Each is one more than a place in an arena, so that an absent one costs nothing.

use std::num::NonZeroU32;

use crate::handles::{Attribute, Type};

/// Debug builds mark the ids that a body gives out with a tag of that body, in bits that are free where the body is not large. An id that
/// is used in another body is found by that; one that was made of its place belongs to any. No mark makes ids differ.
const MARKED: u32 = 1 << 31;
const TAG: u32 = 20;
/// The largest number that can be marked.
const MARKABLE: u32 = (1 << TAG) - 1;

/// What the ids of a body are marked with, in debug builds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag(#[cfg(debug_assertions)] u16);

impl Default for Tag {
    /// One that few other bodies have.
    #[cfg(debug_assertions)]
    fn default() -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Tag((NEXT.fetch_add(1, Ordering::Relaxed) % (MARKED >> TAG)) as u16)
    }

    #[cfg(not(debug_assertions))]
    #[inline]
    fn default() -> Self {
        Tag()
    }
}

#[cfg(debug_assertions)]
impl Tag {
    fn mark(self, number: u32) -> Option<NonZeroU32> {
        NonZeroU32::new(MARKED | u32::from(self.0) << TAG | number).filter(|_| number <= MARKABLE)
    }

    fn may_have_marked(self, number: u32) -> bool {
        number & MARKED == 0 || (number & !MARKED) >> TAG == u32::from(self.0)
    }
}

#[cfg(not(debug_assertions))]
impl Tag {
    #[inline]
    fn mark(self, _: u32) -> Option<NonZeroU32> {
        None
    }

    #[inline]
    fn may_have_marked(self, _: u32) -> bool {
        true
    }
}

/// An id that a body marks.
pub(crate) trait Marked: Copy {
    /// The same, marked as one of that body.
    fn of(self, tag: Tag) -> Self;

    /// Whether it may be one of that body: it is not marked as one of another.
    fn is_of(self, tag: Tag) -> bool;
}

macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// One more than its place.
            #[inline]
            const fn number(self) -> u32 {
                let number = self.0.get();
                if cfg!(debug_assertions) && number & MARKED != 0 { number & MARKABLE } else { number }
            }

            /// The one at that place, from 0.
            ///
            /// # Panics
            /// Where `index` is `u32::MAX` or more; in debug builds, half of that.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                let number = u32::try_from(index).ok().and_then(|index| index.checked_add(1));
                debug_assert!(number.is_none_or(|number| number & MARKED == 0), "fewer than 2^31 - 1 in a debug build");
                $name(number.and_then(NonZeroU32::new).expect("fewer than 2^32 - 1"))
            }

            /// Its place, from 0.
            #[inline]
            pub fn index(self) -> usize {
                self.number() as usize - 1
            }
        }

        impl PartialEq for $name {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.number() == other.number()
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            #[inline]
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.number().cmp(&other.number())
            }
        }

        impl std::hash::Hash for $name {
            #[inline]
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.number().hash(state);
            }
        }

        impl Marked for $name {
            #[inline]
            fn of(self, tag: Tag) -> Self {
                match tag.mark(self.number()) {
                    Some(marked) => $name(marked),
                    None => self,
                }
            }

            #[inline]
            fn is_of(self, tag: Tag) -> bool {
                tag.may_have_marked(self.0.get())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.index())
            }
        }
    };
}

define_id! {
    /// An operation of a body.
    OpId
}
define_id! {
    /// A block of a body.
    BlockId
}
define_id! {
    /// A region of a body.
    RegionId
}
define_id! {
    /// A value of a body: a result of an operation or an argument of a block.
    Value
}
define_id! {
    /// A body of a module.
    BodyId
}
define_id! {
    /// What few operations have: regions, successors, more operands than fit the record.
    TailId
}

/// What an [`AttributeRef`] or a [`TypeRef`] refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ref<H> {
    /// What the context holds.
    Context(H),
    /// The entry of that number in the module's source.
    Source(u32),
}

const LOCAL: u32 = 1 << 31;

macro_rules! define_ref {
    ($(#[$doc:meta])* $name:ident of $handle:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The entry of that number in the module's source; `None` for 2^31 - 1 and more.
            #[inline]
            pub fn local(index: u32) -> Option<Self> {
                // The highest number is left out, so that `number + 1` below never reaches the flag.
                if index < LOCAL - 1 { NonZeroU32::new(index | LOCAL).map($name) } else { None }
            }

            /// What it refers to.
            #[inline]
            pub fn resolve(self) -> Ref<$handle> {
                let number = self.0.get();
                if number & LOCAL == 0 { Ref::Context($handle(number - 1)) } else { Ref::Source(number & !LOCAL) }
            }

            /// What the context holds, where it refers to that.
            #[inline]
            pub fn in_context(self) -> Option<$handle> {
                match self.resolve() {
                    Ref::Context(handle) => Some(handle),
                    Ref::Source(_) => None,
                }
            }

            /// The number of the entry of the module's source, where it refers to one.
            #[inline]
            pub fn in_source(self) -> Option<u32> {
                match self.resolve() {
                    Ref::Context(_) => None,
                    Ref::Source(index) => Some(index),
                }
            }
        }

        impl From<$handle> for $name {
            #[inline]
            fn from(handle: $handle) -> Self {
                assert!(handle.0 < LOCAL - 1, "fewer than 2^31 - 1 in a context");
                $name(NonZeroU32::MIN.saturating_add(handle.0))
            }
        }

        impl $name {
            /// A number that no other one has, and that is not 0.
            #[inline]
            pub fn raw(self) -> u32 {
                self.0.get()
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.resolve() {
                    Ref::Context(handle) => write!(f, "{handle:?}"),
                    Ref::Source(index) => write!(f, concat!(stringify!($name), "::local({})"), index),
                }
            }
        }
    };
}

define_ref! {
    /// An attribute of an operation: uniqued in the context, or still an entry of the module's source.
    AttributeRef of Attribute
}
define_ref! {
    /// A type of a value: uniqued in the context, or still an entry of the module's source.
    TypeRef of Type
}
