//! How the parts of a definition are written as bytes and read back.

use std::collections::HashMap;
use std::sync::Arc;

use super::Inner;

/// Trees in upstream's definitions are less than 20 deep.
const DEPTH: u32 = 64;

/// How many values one record may hold; upstream's largest has some hundred.
const FUEL: u32 = 1 << 17;

/// Something that has a form in bytes.
pub(super) trait Wire: Sized {
    fn put(&self, out: &mut Out<'_>);
    fn take(at: &mut In<'_>) -> Option<Self>;

    /// Checks what [`Wire::take`] would read, and makes nothing of it.
    fn skip(at: &mut In<'_>) -> Option<()> {
        Self::take(at).map(drop)
    }
}

/// Something that several records share: written once, and referred to by number.
pub(super) trait Shared: Wire {
    const KIND: u8;
}

/// A place in a table that is being read.
pub(super) struct In<'t> {
    table: &'t Inner,
    bytes: &'t [u8],
    depth: u32,
    fuel: u32,
    shared: bool,
}

impl<'t> In<'t> {
    pub(super) fn new(table: &'t Inner, bytes: &'t [u8]) -> Self {
        In { table, bytes, depth: DEPTH, fuel: FUEL, shared: false }
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    pub(super) fn varint(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn string(&mut self) -> Option<&'t str> {
        let number = usize::try_from(self.varint()?).ok()?;
        self.table.string(number)
    }

    /// The length of a list. An item takes a byte or more, and counts as a value.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.varint()?).ok()?;
        if count > self.bytes.len() {
            return None;
        }
        self.fuel = self.fuel.checked_sub(u32::try_from(count).ok()?)?;
        Some(count)
    }

    /// Counts a value, and one level of nesting while `read` runs.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.fuel = self.fuel.checked_sub(1)?;
        self.depth = self.depth.checked_sub(1)?;
        let found = read(self);
        self.depth += 1;
        found
    }

    /// Checks that what comes next refers to something shared of that type; what that is, is checked by itself.
    pub(super) fn skip_shared<T: Shared>(&mut self) -> Option<()> {
        let (kind, _) = self.table.blob(usize::try_from(self.varint()?).ok()?)?;
        (kind == T::KIND && !self.shared).then_some(())
    }

    pub(super) fn take_shared<T: Shared>(&mut self) -> Option<T> {
        let number = usize::try_from(self.varint()?).ok()?;
        let (kind, bytes) = self.table.blob(number)?;
        // What is shared refers to nothing shared, so that nothing can refer to itself.
        if kind != T::KIND || self.shared {
            return None;
        }
        let mut inside = In { bytes, shared: true, table: self.table, depth: DEPTH, fuel: self.fuel };
        let found = T::take(&mut inside)?;
        self.fuel = inside.fuel;
        Some(found)
    }

    /// Marks that a shared part is being read by itself.
    pub(super) fn inside_shared(mut self) -> Self {
        self.shared = true;
        self
    }
}

/// What the parts of a table that is being written have in common.
#[derive(Default)]
pub(super) struct Pool {
    numbers: HashMap<String, u64>,
    uses: HashMap<String, u64>,
    blobs: HashMap<Vec<u8>, usize>,
    blob_uses: Vec<u64>,
    /// Numbers of the blobs in order of their first use.
    blob_numbers: Vec<usize>,
}

impl Pool {
    pub(super) fn number(&mut self, string: &str) -> u64 {
        if let Some(&number) = self.numbers.get(string) {
            if let Some(uses) = self.uses.get_mut(string) {
                *uses += 1;
            }
            return number;
        }
        let next = self.numbers.len() as u64;
        self.numbers.insert(string.to_owned(), next);
        self.uses.insert(string.to_owned(), 1);
        next
    }

    fn blob(&mut self, bytes: Vec<u8>) -> usize {
        let next = self.blobs.len();
        let first_use = *self.blobs.entry(bytes).or_insert(next);
        if first_use == self.blob_uses.len() {
            self.blob_uses.push(0);
        }
        self.blob_uses[first_use] += 1;
        self.blob_numbers.get(first_use).copied().unwrap_or(first_use)
    }

    /// Gives what is used most the shortest numbers, for a second writing of the same.
    pub(super) fn renumber(self) -> Pool {
        let mut strings: Vec<_> = self.uses.into_iter().collect();
        strings.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut order: Vec<usize> = (0..self.blob_uses.len()).collect();
        order.sort_by_key(|&blob| (std::cmp::Reverse(self.blob_uses[blob]), blob));
        let mut blob_numbers = vec![0; order.len()];
        order.into_iter().enumerate().for_each(|(number, blob)| blob_numbers[blob] = number);
        let numbers = strings.into_iter().map(|(string, _)| string).zip(0..).collect();
        Pool { numbers, blob_numbers, ..Pool::default() }
    }

    /// The strings and the blobs, in the order of their numbers.
    pub(super) fn into_parts(self) -> (Vec<String>, Vec<Vec<u8>>) {
        let mut strings: Vec<_> = self.numbers.into_iter().collect();
        strings.sort_by_key(|entry| entry.1);
        let number = |first_use: usize| self.blob_numbers.get(first_use).copied().unwrap_or(first_use);
        let mut blobs: Vec<_> = self.blobs.into_iter().map(|(bytes, first_use)| (number(first_use), bytes)).collect();
        blobs.sort();
        (strings.into_iter().map(|entry| entry.0).collect(), blobs.into_iter().map(|entry| entry.1).collect())
    }
}

/// Where a record is written.
pub(super) struct Out<'a> {
    pub(super) bytes: Vec<u8>,
    pub(super) pool: &'a mut Pool,
}

impl Out<'_> {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(super) fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(super) fn string(&mut self, string: &str) {
        let number = self.pool.number(string);
        self.varint(number);
    }

    pub(super) fn put_shared<T: Shared>(&mut self, shared: &T) {
        let mut inside = Out { bytes: vec![T::KIND], pool: self.pool };
        shared.put(&mut inside);
        let bytes = inside.bytes;
        let number = self.pool.blob(bytes);
        self.varint(number as u64);
    }
}

impl Wire for u64 {
    fn put(&self, out: &mut Out<'_>) {
        out.varint(*self);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        at.varint()
    }
}

impl Wire for u32 {
    fn put(&self, out: &mut Out<'_>) {
        out.varint(u64::from(*self));
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        at.varint()?.try_into().ok()
    }
}

impl Wire for i64 {
    fn put(&self, out: &mut Out<'_>) {
        out.varint((*self as u64) << 1 ^ (*self >> 63) as u64);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        let coded = at.varint()?;
        Some((coded >> 1) as i64 ^ -((coded & 1) as i64))
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Out<'_>) {
        out.byte(u8::from(*self));
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        match at.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for String {
    fn put(&self, out: &mut Out<'_>) {
        out.string(self);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        at.string().map(str::to_owned)
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        // The strings themselves are checked once, not at each use.
        let number = usize::try_from(at.varint()?).ok()?;
        (number < at.table.count(super::index::List::Strings)).then_some(())
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Out<'_>) {
        out.varint(self.len() as u64);
        self.iter().for_each(|item| item.put(out));
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        let count = at.count()?;
        let mut items = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            items.push(T::take(at)?);
        }
        Some(items)
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        (0..at.count()?).try_for_each(|_| T::skip(at))
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Out<'_>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        if bool::take(at)? { T::take(at).map(Some) } else { Some(None) }
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        if bool::take(at)? { T::skip(at) } else { Some(()) }
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, out: &mut Out<'_>) {
        (**self).put(out);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        T::take(at).map(Box::new)
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        T::skip(at)
    }
}

impl<T: Shared> Wire for Arc<T> {
    fn put(&self, out: &mut Out<'_>) {
        out.put_shared(&**self);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        at.take_shared().map(Arc::new)
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        at.skip_shared::<T>()
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Out<'_>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(at: &mut In<'_>) -> Option<Self> {
        Some((A::take(at)?, B::take(at)?))
    }
    fn skip(at: &mut In<'_>) -> Option<()> {
        A::skip(at)?;
        B::skip(at)
    }
}

/// What a constructor takes, one after the other: a way to name the types of fields in macros.
pub(super) trait Fields {
    fn skip(self, at: &mut In<'_>) -> Option<()>;
}

macro_rules! fields {
    ($($field:ident)*) => {
        impl<R, $($field: Wire),*> Fields for fn($($field),*) -> R {
            fn skip(self, at: &mut In<'_>) -> Option<()> {
                let _ = &at;
                $($field::skip(at)?;)*
                Some(())
            }
        }
    };
}

fields!();
fields!(A);
fields!(A B);
fields!(A B C);
fields!(A B C D);
fields!(A B C D E);
fields!(A B C D E F);

/// Writes the fields of a structure one after the other.
macro_rules! wire_struct {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl Wire for $type {
            fn put(&self, out: &mut Out<'_>) {
                $(self.$field.put(out);)*
            }
            fn take(at: &mut In<'_>) -> Option<Self> {
                $(let $field = Wire::take(at)?;)*
                Some(Self { $($field),* })
            }
            fn skip(at: &mut In<'_>) -> Option<()> {
                Fields::skip((|$($field),*| Self { $($field),* }) as fn($(wire_any!($field)),*) -> Self, at)
            }
        }
    };
}

/// Writes a byte that says which variant, then its fields. The numbers are part of the format: never reuse one.
macro_rules! wire_enum {
    ($type:ty { $($tag:literal $variant:ident $(($($field:ident),*))? $({$($named:ident),*})?,)* }) => {
        impl Wire for $type {
            fn put(&self, out: &mut Out<'_>) {
                match self {
                    $(Self::$variant $(($($field),*))? $({$($named),*})? => {
                        out.byte($tag);
                        $($($field.put(out);)*)?
                        $($($named.put(out);)*)?
                    })*
                }
            }
            fn take(at: &mut In<'_>) -> Option<Self> {
                at.nested(|at| Some(match at.byte()? {
                    $($tag => {
                        $($(let $field = Wire::take(at)?;)*)?
                        $($(let $named = Wire::take(at)?;)*)?
                        Self::$variant $(($($field),*))? $({$($named),*})?
                    })*
                    _ => return None,
                }))
            }
            fn skip(at: &mut In<'_>) -> Option<()> {
                at.nested(|at| match at.byte()? {
                    $($tag => Fields::skip(
                        (|$($($field),*)? $($($named),*)?| Self::$variant $(($($field),*))? $({$($named),*})?)
                            as fn($($(wire_any!($field)),*)? $($(wire_any!($named)),*)?) -> Self,
                        at,
                    ),)*
                    _ => None,
                })
            }
        }
    };
}

/// A type to be inferred, once for each field.
macro_rules! wire_any {
    ($field:ident) => {
        _
    };
}

pub(super) use {wire_any, wire_enum, wire_struct};
