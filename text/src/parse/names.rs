//! Names of values: what each stands for in the regions that are open.

use std::collections::HashMap;

use mlirbc_ir::TypeRef;

/// The name of a value as it stands in the text, with the number of a result behind it.
#[derive(Clone, Copy, Debug)]
pub struct ValueName<'a> {
    /// Without the percent sign.
    pub(super) text: &'a [u8],
    /// For `%12` and `%arg12`, the place in a table; they need no hashing.
    pub(super) key: Option<Key>,
    /// `1` in `%x#1`
    pub(super) result: u32,
    /// Where it stands.
    pub(super) at: usize,
}

impl ValueName<'_> {
    /// Where it stands: for [`OpParser::error_at`](super::OpParser::error_at).
    pub fn place(&self) -> usize {
        self.at
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    Number(u32),
    Argument(u32),
}

/// A region, by a number that rises as regions open; 0 is none.
pub(super) type ScopeId = u32;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// So many values from the one of this number on.
    Values(u32, u32),
    /// Nothing yet: the forward reference of that number.
    Forward(u32),
    /// Something whose definition is wrong, which has been reported.
    Broken,
}

/// A name: what it stands for, and the region in which it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) scope: ScopeId,
    pub(super) meaning: Meaning,
}

const NOTHING: Entry = Entry { scope: 0, meaning: Meaning::Broken };

/// Uses of a value before its definition.
#[derive(Debug)]
pub(super) struct Forward<'a> {
    pub(super) name: ValueName<'a>,
    pub(super) uses: Vec<ForwardUse>,
}

#[derive(Debug)]
pub(super) struct ForwardUse {
    /// Where the operand waits for its value.
    pub(super) slot: u32,
    pub(super) result: u32,
    pub(super) ty: TypeRef,
    pub(super) scope: ScopeId,
    pub(super) at: usize,
}

/// The names of values of a text.
#[derive(Default)]
pub(super) struct ValueNames<'a> {
    numbers: Vec<Entry>,
    arguments: Vec<Entry>,
    named: HashMap<&'a [u8], Entry, hashbrown::DefaultHashBuilder>,
    /// By scope: whether its region is open.
    open: Vec<bool>,
    /// Higher numbers are hashed like other names, so that one of them cannot make a table huge.
    most: u32,
    pub(super) forwards: Vec<Forward<'a>>,
}

impl<'a> ValueNames<'a> {
    pub(super) fn new(text_length: usize) -> Self {
        // Each definition takes more bytes than an entry of the table takes quarters.
        let most = u32::try_from(text_length / 4).unwrap_or(u32::MAX).saturating_add(1024);
        ValueNames { open: vec![false], most, ..Self::default() }
    }

    /// The name of this text, without the percent sign.
    #[inline]
    pub(super) fn name(&self, text: &'a [u8], at: usize) -> ValueName<'a> {
        let number = |digits: &[u8]| match digits {
            [b'0'] => Some(0),
            [b'1'..=b'9', ..] if digits.len() < 10 => digits
                .iter()
                .try_fold(0u32, |number, digit| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0'))),
            _ => None,
        };
        let key = match text {
            [b'a', b'r', b'g', digits @ ..] => number(digits).filter(|&n| n < self.most).map(Key::Argument),
            _ => number(text).filter(|&n| n < self.most).map(Key::Number),
        };
        ValueName { text, key, result: 0, at }
    }

    pub(super) fn open_scope(&mut self) -> ScopeId {
        self.open.push(true);
        self.open.len() as ScopeId - 1
    }

    pub(super) fn close_scope(&mut self, scope: ScopeId) {
        self.open[scope as usize] = false;
    }

    /// What the name stands for, if anything does in the regions that are open.
    #[inline]
    pub(super) fn get(&self, name: &ValueName<'a>) -> Option<Entry> {
        let entry = match name.key {
            Some(Key::Number(number)) => self.numbers.get(number as usize).copied(),
            Some(Key::Argument(number)) => self.arguments.get(number as usize).copied(),
            None => self.named.get(name.text).copied(),
        };
        entry.filter(|entry| self.open[entry.scope as usize])
    }

    #[inline]
    pub(super) fn set(&mut self, name: &ValueName<'a>, entry: Entry) {
        let (table, number) = match name.key {
            Some(Key::Number(number)) => (&mut self.numbers, number as usize),
            Some(Key::Argument(number)) => (&mut self.arguments, number as usize),
            None => {
                self.named.insert(name.text, entry);
                return;
            }
        };
        if number >= table.len() {
            table.resize(number + 1, NOTHING);
        }
        table[number] = entry;
    }
}
