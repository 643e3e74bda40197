//! Keys by their first digits.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use mlirbc::store::{Key, Store};
use mlirbc::{Error, Result};

/// So many digits are needed to name a key.
const FEWEST: usize = 4;

/// So many keys are named where several begin so.
const MOST: usize = 4;

/// A key, or how one begins.
#[derive(Clone)]
pub(super) struct Prefix(String);

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text.is_empty() || text.len() > 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(format!("no key: {text:?}; a key has 64 hexadecimal digits, and its first few are enough"));
        }
        Ok(Prefix(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Prefix {
    /// Whether a key begins so.
    pub(super) fn is_of(&self, key: &Key) -> bool {
        key.to_string().starts_with(&self.0)
    }

    /// The only key of the store that begins so; `None` where there is none. A whole key is not looked for.
    pub(super) fn find(&self, store: &Store) -> Result<Option<Key>> {
        if let Ok(key) = self.0.parse() {
            return Ok(Some(key));
        }
        if self.0.len() < FEWEST {
            return Err(Error::misuse(format!("{self}: at least {FEWEST} digits of a key are needed")));
        }
        let mut found: Vec<Key> = store.iter()?.map(|entry| entry.key).filter(|key| self.is_of(key)).collect();
        found.sort_unstable();
        if found.len() < 2 {
            return Ok(found.pop());
        }
        let names: Vec<String> = found.iter().take(MOST).map(Key::to_string).collect();
        let more = if found.len() > MOST { ", ..." } else { "" };
        let keys = Error::counted(found.len(), "key");
        Err(Error::misuse(format!("{self}: {keys} begin so: {}{more}", names.join(", "))))
    }
}

/// Says that nothing has a key, and gives the exit code for it.
pub(super) fn missing(key: &Prefix) -> ExitCode {
    super::super::say(format_args!("{key}: nothing has this key"));
    ExitCode::from(3)
}
