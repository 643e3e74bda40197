//! File locations, which are so many that they are told apart without being decoded.

use super::*;

impl Numbering<'_> {
    /// Meets an entry of the source for the first time.
    #[inline(always)]
    pub(super) fn local(&mut self, attribute: AttributeRef, index: u32) -> Result<()> {
        match self.places.get(index) {
            Some(place) if self.unplaced.is_empty() && self.locations.insert_first(place, index) => {
                self.new_location(place, index)
            }
            place => self.uncommon_local(attribute, index, place),
        }
    }

    #[inline(never)]
    fn uncommon_local(&mut self, attribute: AttributeRef, index: u32, place: Option<PackedLocation>) -> Result<()> {
        if !self.unplaced.is_empty() {
            self.know_files();
        }
        let slot = match place {
            None => self.attribute(self.module.attribute(attribute)?)?,
            Some(place) => match self.find_or_insert_location(place, index) {
                None => return self.new_location(place, index),
                Some(slot) => {
                    self.attributes.again(slot);
                    slot
                }
            },
        };
        self.attributes.set_moved(index, slot);
        Ok(())
    }

    #[inline(always)]
    fn new_location(&mut self, place: PackedLocation, index: u32) -> Result<()> {
        self.attributes.meet_local(index);
        if place.file() != self.last_file.0 {
            return self.other_file(place.file());
        }
        // Counted once for all locations in a row.
        self.last_file.1 += 1;
        Ok(())
    }

    /// Meets the name of a file of the source; it is that of the last location from now on.
    #[cold]
    fn other_file(&mut self, file: u32) -> Result<()> {
        if self.attributes.local_dialect.is_none() {
            let builtin = self.dialect(self.context.static_identifier("builtin"));
            self.attributes.local_dialect = Some(builtin);
        }
        self.count_file();
        self.last_file = (file, 0);
        if let Some(slot) = self.file_slots.get(file) {
            self.attributes.again(slot);
            return Ok(());
        }
        let name = self.source.and_then(|source| source.packed_file(file));
        let slot = self.attribute(name.ok_or_else(|| Error::misuse("a location without its file"))?.attribute())?;
        self.file_slots.set(file, slot);
        Ok(())
    }

    pub(super) fn count_file(&mut self) {
        let (file, more) = std::mem::take(&mut self.last_file);
        if let Some(slot) = self.file_slots.get(file) {
            self.attributes.add(slot, more);
        }
    }

    /// The slot of a file location that was met, packed or not; else it is met now, in `slot`.
    pub(super) fn find_or_insert_location(&mut self, place: PackedLocation, slot: u32) -> Option<u32> {
        let (source, context, ledger) = (self.source, self.context, &mut *self.ledger);
        let locals = ledger.attributes.locals();
        ledger.locations.find_or_insert(place, slot, |slot| match slot.checked_sub(locals) {
            None => source?.packed_location(slot),
            Some(at) => pack(&ledger.file_numbers, &context[ledger.attribute_keys[at as usize]]),
        })
    }

    /// The slot of the name of a file of the source, which was met.
    #[inline]
    pub(crate) fn file_slot(&self, file: u32) -> Option<u32> {
        self.file_slots.get(file)
    }

    /// Takes note of the numbers of the source's files. More may come while more of the source is decoded.
    pub(super) fn know_files(&mut self) {
        while let Some(name) = self.source.and_then(|source| source.packed_file(self.known_files)) {
            let number = self.known_files;
            self.file_numbers.insert(name, number);
            self.known_files += 1;
            for slot in self.unplaced.remove(&name).unwrap_or_default() {
                let key =
                    slot.checked_sub(self.attributes.locals()).and_then(|at| self.attribute_keys.get(at as usize));
                if let Some(place) = key.and_then(|&key| pack(&self.file_numbers, &self.context[key])) {
                    self.find_or_insert_location(place, slot);
                }
            }
        }
    }

    /// Notes a location of a file that the source has no number for, or none yet: the source may have the same one.
    pub(super) fn note_unplaced(&mut self, data: &AttributeData, slot: u32) {
        if let AttributeData::FileLocation { file, start, end } = *data
            && start == end
            && self.source.is_some()
            && !self.file_numbers.contains_key(&file)
        {
            self.unplaced.entry(file).or_default().push(slot);
        }
    }
}

/// A file location as the source would pack it, so that one that is held in both ways is found.
pub(super) fn pack(files: &HashMap<Identifier, u32>, data: &AttributeData) -> Option<PackedLocation> {
    match *data {
        AttributeData::FileLocation { file, start, end } if start == end => {
            PackedLocation::new(*files.get(&file)?, start.0.into(), start.1.into())
        }
        _ => None,
    }
}
