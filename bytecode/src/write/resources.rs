//! Resource sections (`BytecodeFormat.md` of MLIR, "Resource Section"): a twin of `read/resources.rs`.

use hashbrown::HashMap;
use mlirbc_ir::{Context, Error, Identifier, Module, ResourceEntry, ResourceHandle, ResourceValue, Result};

use super::emitter::Emitter;
use super::strings::Strings;
use crate::read::BytecodeFile;

/// A dialect's number, its resources, and what the module holds of each.
type Group<'m> = (u32, Vec<(ResourceHandle, Option<&'m ResourceEntry>)>);

/// Resources in the order in which they are written: by dialect, those with data first.
pub(crate) struct ResourceOrder<'m> {
    /// Dialect numbers, and for each the resources and what the module holds of them.
    pub(crate) groups: Vec<Group<'m>>,
}

impl<'m> ResourceOrder<'m> {
    pub(crate) fn new(
        module: &'m Module,
        met: &[ResourceHandle],
        dialect: impl Fn(ResourceHandle) -> u32,
    ) -> Result<Self> {
        let mut held: HashMap<ResourceHandle, &ResourceEntry> = HashMap::new();
        for entry in module.resources()?.iter().flat_map(|group| &group.entries) {
            if let Some(handle) = entry.handle {
                held.insert(handle, entry);
            }
        }
        let mut groups: Vec<Group<'_>> = Vec::new();
        for &handle in met {
            let number = dialect(handle);
            let at = match groups.iter().position(|group| group.0 == number) {
                Some(at) => at,
                None => {
                    groups.push((number, Vec::new()));
                    groups.len() - 1
                }
            };
            let entry = held.get(&handle).copied();
            groups[at].1.push((handle, entry));
        }
        groups.sort_by_key(|group| group.0);
        for group in &mut groups {
            group.1.sort_by_key(|(_, entry)| !has_data(*entry));
        }
        Ok(ResourceOrder { groups })
    }

    /// Resources in the order of their numbers in the file.
    pub(crate) fn kept(module: &'m Module, met: &[ResourceHandle], dialects: &[Identifier]) -> Result<Self> {
        let context = module.context();
        let entries = module.resources()?.iter().flat_map(|group| &group.entries);
        let held: HashMap<_, _> = entries.filter_map(|entry| Some((entry.handle?, entry))).collect();
        let mut groups: Vec<Group<'_>> = Vec::new();
        for &handle in met {
            let owner = context[handle].dialect;
            let number = dialects.iter().position(|&dialect| dialect == owner).unwrap_or(0) as u32;
            let entry = (handle, held.get(&handle).copied());
            match groups.last_mut() {
                Some(group) if group.0 == number => group.1.push(entry),
                _ => groups.push((number, vec![entry])),
            }
        }
        Ok(ResourceOrder { groups })
    }

    /// The number of each resource.
    pub(crate) fn numbers(&self) -> HashMap<ResourceHandle, u32> {
        let handles = self.groups.iter().flat_map(|group| &group.1).map(|entry| entry.0);
        handles.zip(0..).collect()
    }
}

fn has_data(entry: Option<&ResourceEntry>) -> bool {
    entry.is_some_and(|entry| !matches!(entry.value, ResourceValue::Declared(_)))
}

/// Writes a payload; gives its kind.
fn payload(emitter: &mut Emitter, strings: &mut Strings, value: Option<&ResourceValue>) -> Result<u8> {
    Ok(match value {
        None => 0,
        Some(ResourceValue::Declared(kind)) => *kind,
        Some(ResourceValue::Blob { alignment, data }) => {
            emitter.varint(*alignment);
            emitter.varint(data.len() as u64);
            emitter.align(*alignment);
            emitter.share(data.bytes()?);
            0
        }
        Some(ResourceValue::Bool(value)) => {
            emitter.byte((*value).into());
            1
        }
        Some(ResourceValue::String(value)) => {
            let number = strings.number(value);
            emitter.varint(number);
            2
        }
    })
}

/// What alignments may add to a file by themselves, in bytes.
const PADDING: u64 = 1 << 26;

/// So many times what blobs hold they may add to that.
const PADDING_OF_DATA: u64 = 16;

/// A few characters of text can ask for padding of two gigabytes: that much is not written, unless there is as much in the file that the
/// module came from.
fn check_padding(module: &Module) -> Result<()> {
    let (mut padding, mut data) = (0u64, 0u64);
    for entry in module.resources()?.iter().flat_map(|group| &group.entries) {
        if let ResourceValue::Blob { alignment, data: blob } = &entry.value {
            padding = padding.saturating_add(alignment.saturating_sub(1));
            data = data.saturating_add(blob.len() as u64);
        }
    }
    let file = BytecodeFile::of(module).map_or(0, |file| file.data().len() as u64);
    let most = PADDING.saturating_add(data.saturating_mul(PADDING_OF_DATA)).saturating_add(file);
    if padding <= most {
        return Ok(());
    }
    Err(Error::verification(format!(
        "alignments of resources ask for up to {padding} bytes of padding, of which {most} are written at most for {data} bytes of data"
    )))
}

/// Offsets and payloads.
pub(crate) fn sections(
    module: &Module,
    context: &Context,
    order: &ResourceOrder<'_>,
    strings: &mut Strings,
) -> Result<(Emitter, Emitter)> {
    check_padding(module)?;
    let mut offsets = Emitter::default();
    let mut payloads = Emitter::default();
    let mut group = |strings: &mut Strings, values: &mut dyn Iterator<Item = Option<&ResourceValue>>| -> Result<_> {
        let mut sizes = Vec::new();
        for value in values {
            let start = payloads.len();
            let kind = payload(&mut payloads, strings, value)?;
            sizes.push(((payloads.len() - start) as u64, kind));
        }
        Ok(sizes)
    };
    fn entries<'a>(
        offsets: &mut Emitter,
        strings: &mut Strings,
        keys: impl Iterator<Item = &'a [u8]>,
        sizes: Vec<(u64, u8)>,
    ) {
        offsets.varint(sizes.len() as u64);
        for (key, (size, kind)) in keys.zip(sizes) {
            let key = strings.number(key);
            offsets.varint(key);
            offsets.varint(size);
            offsets.byte(kind);
        }
    }
    let external = || module.resources().into_iter().flatten().filter(|group| !group.dialect);
    offsets.varint(external().count() as u64);
    for owner in external() {
        let sizes = group(strings, &mut owner.entries.iter().map(|entry| Some(&entry.value)))?;
        let name = strings.number(context.bytes(owner.owner));
        offsets.varint(name);
        entries(&mut offsets, strings, owner.entries.iter().map(|entry| &*entry.key), sizes);
    }
    for (dialect, resources) in &order.groups {
        let sizes = group(strings, &mut resources.iter().map(|(_, entry)| entry.map(|entry| &entry.value)))?;
        offsets.varint((*dialect).into());
        entries(&mut offsets, strings, resources.iter().map(|(handle, _)| &*context[*handle].key), sizes);
    }
    Ok((offsets, payloads))
}
