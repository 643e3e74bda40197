//! Bounds that are kept with the store, for all who open it.

use crate::disk::Disk;

/// The file of these: lines of a name and a number.
const LIMITS: &str = "limits";
/// It takes the other's place when it is whole.
const NEW: &str = "limits.tmp";

/// What a store is bounded by where its opener does not say: `None` where it says nothing either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// As [`Options::max_bytes`](crate::Options::max_bytes).
    pub max_bytes: Option<u64>,
    /// As [`Options::max_entries`](crate::Options::max_entries).
    pub max_entries: Option<u64>,
}

impl Limits {
    /// Those that are kept. What cannot be read is none.
    pub(crate) fn read(disk: &dyn Disk) -> Self {
        let text = disk.open(LIMITS, false).and_then(|file| file.map()).map(|map| map.bytes);
        let text = text.as_deref().ok().and_then(|bytes| std::str::from_utf8(bytes.get(..1024.min(bytes.len()))?).ok());
        let value = |name: &str| {
            let line = text?.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().parse().ok()
        };
        Limits { max_bytes: value("max_bytes "), max_entries: value("max_entries ") }
    }

    pub(crate) fn write(self, disk: &dyn Disk) -> std::io::Result<()> {
        let line = |name: &str, value: Option<u64>| value.map_or_else(String::new, |value| format!("{name} {value}\n"));
        let text = line("max_bytes", self.max_bytes) + &line("max_entries", self.max_entries);
        // What another left unfinished.
        let _ = disk.remove(NEW);
        let file = disk.create(NEW, text.len() as u64)?;
        file.write_at(0, text.as_bytes())?;
        file.sync()?;
        disk.rename(NEW, LIMITS)?;
        disk.sync()
    }
}
