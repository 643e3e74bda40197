//! Which blob the properties of an operation are.

use super::emitter::{Coded, Emitter};
use super::numbering::{Numbering, not_numbered};
use super::properties::Blobs;
use super::property_values;
use super::strings::Strings;
use super::tables::{Emit, Numbers};
use mlirbc_ir::Result;
use mlirbc_ir::threads::ahead;

/// The numbers of the blobs that properties are, by their place among those that were met.
pub(crate) enum BlobNumbers<'w> {
    /// A blob is written when it is first asked for.
    Growing(NewBlobs<'w>),
    /// All blobs were written in this order before.
    Written(&'w [Option<Coded>]),
}

/// Writes blobs.
pub(crate) struct NewBlobs<'w> {
    /// By place: the number of the blob, once it was written.
    numbers: Vec<Option<Coded>>,
    strings: &'w mut Strings,
    blobs: &'w mut Blobs,
    blob: Emitter,
}

impl BlobNumbers<'_> {
    /// The number of a blob that was written.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> Option<Coded> {
        match self {
            BlobNumbers::Growing(new) => new.get(place),
            BlobNumbers::Written(numbers) => numbers[place as usize],
        }
    }

    /// Writes a blob; gives its number.
    ///
    /// # Errors
    /// Where it cannot be written. Of blobs that were to be written before, only such are asked for here.
    #[cold]
    #[inline(never)]
    pub(crate) fn write(&mut self, numbering: &Numbering<'_>, numbers: &Numbers, place: u32) -> Result<Coded> {
        match self {
            BlobNumbers::Growing(new) => new.write(numbering, numbers, place),
            BlobNumbers::Written(_) => {
                encode(numbering, numbers, place, &mut Strings::default(), &mut Emitter::default())?;
                Err(not_numbered("a blob of properties"))
            }
        }
    }
}

impl<'w> NewBlobs<'w> {
    /// Some may have numbers already.
    pub(crate) fn new(
        numbers: Vec<Option<Coded>>,
        strings: &'w mut Strings,
        blobs: &'w mut Blobs,
        blob: Emitter,
    ) -> Self {
        NewBlobs { numbers, strings, blobs, blob }
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> Option<Coded> {
        self.numbers[place as usize]
    }

    pub(crate) fn write(&mut self, numbering: &Numbering<'_>, numbers: &Numbers, place: u32) -> Result<Coded> {
        self.blob.bytes.clear();
        encode(numbering, numbers, place, self.strings, &mut self.blob)?;
        let blob = Coded::new(self.blobs.number(&self.blob.bytes));
        self.numbers[place as usize] = Some(blob);
        Ok(blob)
    }

    /// Writes blobs in this order, as far as they can be written, on as many threads as that: the first that cannot is found to be wrong
    /// when the operation is written that asks for it.
    pub(crate) fn write_all(&mut self, numbering: &Numbering<'_>, numbers: &Numbers, places: Vec<u32>, threads: usize) {
        /// How many are written by one thread at a time.
        const SHARE: usize = 256;
        let places: Vec<u32> = places.into_iter().filter(|&place| self.get(place).is_none()).collect();
        let write = |(strings, blob): &mut (Strings, Emitter), some: &[u32]| {
            let mut written = Vec::with_capacity(some.len());
            for &place in some {
                let start = blob.bytes.len();
                let done = encode(numbering, numbers, place, strings, blob).is_ok() && strings.len() == 0;
                // Strings get their numbers in the order of all blobs.
                if strings.len() > 0 {
                    *strings = Strings::default();
                }
                written.push((place, done.then_some(start..blob.bytes.len())));
            }
            (written, std::mem::take(&mut blob.bytes))
        };
        let start = || (Strings::default(), Emitter::default());
        let threads = threads.min(places.len() / (2 * SHARE));
        ahead(threads, 4 * threads, places.chunks(SHARE).collect(), start, write, |next| {
            while let Some((written, bytes)) = next() {
                for (place, range) in written {
                    match range.and_then(|range| bytes.get(range)) {
                        Some(blob) => self.numbers[place as usize] = Some(Coded::new(self.blobs.number(blob))),
                        None if self.write(numbering, numbers, place).is_err() => return,
                        None => {}
                    }
                }
            }
        });
    }

    /// The numbers of all that were written, and the room of the last one.
    pub(crate) fn into_parts(self) -> (Vec<Option<Coded>>, Emitter) {
        (self.numbers, self.blob)
    }

    /// The numbers of all that were written.
    pub(crate) fn into_numbers(self) -> Vec<Option<Coded>> {
        self.numbers
    }
}

/// Writes what a blob holds.
fn encode(
    numbering: &Numbering<'_>,
    numbers: &Numbers,
    place: u32,
    strings: &mut Strings,
    emitter: &mut Emitter,
) -> Result<()> {
    let (name, dictionary, template) = numbering.properties.content(place);
    let mut sink = Emit { numbering, numbers, strings, emitter };
    if let Some(at) = template {
        let templates = &numbering.known.templates;
        templates.write(templates.get(at), &mut sink);
        return Ok(());
    }
    let plan = numbering.known.met_plan(name).ok_or_else(|| not_numbered("a name"))?;
    if let (Some(plan), Some(source), Some(index)) =
        (plan, numbering.module.source(), numbering.properties.in_source(place))
        && let Some(encoding) = plan.of_source(&**source)
    {
        return match encoding.write_from_source(name, (&**source, index), &mut numbering.writer(&mut sink)) {
            true => Ok(()),
            false => Err(property_values::about(numbering.context, name, "something without an encoding")),
        };
    }
    property_values::write(&mut numbering.writer(&mut sink), name, plan, dictionary)
}
