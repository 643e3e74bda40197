//! What is known of dialects, names of operations and entries of a context, as files for one target have them: found when it is first
//! met, and good for all files for that target.

use std::io::Write;
use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::text::{Elision, Printer};
use mlirbc_ir::{Attribute, AttributeData, Context, Identifier, OperationName, Result, Type, TypeData};

use super::property_values::{self, Plan};
use super::slot_map::SlotMap;
use super::strings::Strings;
use super::target::Target;
use super::templates::{Record, Template, Templates};
use crate::encoding::{self, DialectEncoding, EntryWriter, Write as Callback, Written};

/// What is known of a context.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) dialects: Dialects,
    /// By the number of the name in the context.
    names: Vec<Option<Name>>,
    plans: Vec<Option<Option<Arc<Plan>>>>,
    pub(crate) templates: Templates,
    /// By the number in the context: the place of the template.
    attributes: SlotMap,
    types: SlotMap,
    properties: HashMap<(OperationName, Attribute), u32>,
}

/// A name of operations.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) name: OperationName,
    /// Whether the definition has properties: where an operation has none, they are among its attributes.
    pub(crate) has_properties: bool,
    /// Whether operations may be of another release than what is written, in which the members are others.
    pub(crate) refits: bool,
    /// Whether it is marked as registered.
    pub(crate) is_registered: bool,
    /// The place of its dialect among those that are known.
    pub(super) dialect: u32,
    /// The place of the string that it is behind its dialect's name, where a file can hold it.
    pub(crate) own: Option<u32>,
}

/// Dialects, each in a place.
#[derive(Default)]
pub(crate) struct Dialects {
    all: Vec<Dialect>,
    places: HashMap<Identifier, u32>,
    /// The place of `builtin`, of which most entries are.
    builtin: Option<u32>,
}

/// A dialect, and what was found of it.
struct Dialect {
    name: Identifier,
    /// `None` until it is asked for.
    encoding: Option<Option<Arc<dyn DialectEncoding>>>,
}

/// An attribute or a type.
pub(crate) trait Entry: Copy {
    /// Encoders that go before those of its dialect.
    fn callbacks(target: &Target) -> &[Callback<Self>];

    /// Its dialect; `None` where that is `builtin`.
    fn dialect(self, context: &Context) -> Option<Identifier>;

    /// Whether it has no place but in the tables of its file, and whether it is the location of a file.
    fn kind(self, context: &Context) -> (bool, bool);

    fn encode(self, encoding: &dyn DialectEncoding, writer: &mut EntryWriter<'_>) -> bool;

    fn print(self, printer: &mut Printer<'_>) -> Result<()>;

    fn raw(self) -> u32;

    fn templates(known: &Known) -> &SlotMap;

    fn templates_mut(known: &mut Known) -> &mut SlotMap;
}

impl Entry for Attribute {
    fn callbacks(target: &Target) -> &[Callback<Self>] {
        &target.callbacks.attributes
    }

    fn dialect(self, context: &Context) -> Option<Identifier> {
        match &context[self] {
            AttributeData::Dialect(value) => Some(value.dialect),
            AttributeData::Text { dialect, .. } => Some(*dialect),
            AttributeData::Encoded(encoded) => Some(encoded.dialect),
            _ => None,
        }
    }

    fn kind(self, context: &Context) -> (bool, bool) {
        let data = &context[self];
        (matches!(data, AttributeData::Encoded(_)), matches!(data, AttributeData::FileLocation { .. }))
    }

    fn encode(self, encoding: &dyn DialectEncoding, writer: &mut EntryWriter<'_>) -> bool {
        encoding.write_attribute(self, writer)
    }

    fn print(self, printer: &mut Printer<'_>) -> Result<()> {
        printer.attribute(self, Elision::Never)
    }

    fn raw(self) -> u32 {
        Attribute::raw(self)
    }

    fn templates(known: &Known) -> &SlotMap {
        &known.attributes
    }

    fn templates_mut(known: &mut Known) -> &mut SlotMap {
        &mut known.attributes
    }
}

impl Entry for Type {
    fn callbacks(target: &Target) -> &[Callback<Self>] {
        &target.callbacks.types
    }

    fn dialect(self, context: &Context) -> Option<Identifier> {
        match &context[self] {
            TypeData::Dialect(value) => Some(value.dialect),
            TypeData::Text { dialect, .. } => Some(*dialect),
            TypeData::Encoded(encoded) => Some(encoded.dialect),
            _ => None,
        }
    }

    fn kind(self, context: &Context) -> (bool, bool) {
        (matches!(&context[self], TypeData::Encoded(_)), false)
    }

    fn encode(self, encoding: &dyn DialectEncoding, writer: &mut EntryWriter<'_>) -> bool {
        encoding.write_type(self, writer)
    }

    fn print(self, printer: &mut Printer<'_>) -> Result<()> {
        printer.ty(self)
    }

    fn raw(self) -> u32 {
        Type::raw(self)
    }

    fn templates(known: &Known) -> &SlotMap {
        &known.types
    }

    fn templates_mut(known: &mut Known) -> &mut SlotMap {
        &mut known.types
    }
}

/// Writes an entry as text.
pub(crate) fn print(context: &Context, entry: impl Entry, to: &mut impl Write) -> Result<()> {
    let mut printer = Printer::new(context, to);
    entry.print(&mut printer)?;
    printer.finish()?;
    Ok(to.write_all(&[0])?)
}

/// What has the answers that are not known yet.
#[derive(Clone, Copy)]
pub(crate) struct Source<'m> {
    pub(crate) context: &'m Context,
    pub(crate) target: &'m Target,
    pub(crate) version: u64,
}

impl Dialects {
    /// The place of a dialect.
    pub(crate) fn place(&mut self, name: Identifier) -> u32 {
        let all = &mut self.all;
        *self.places.entry(name).or_insert_with(|| {
            all.push(Dialect { name, encoding: None });
            all.len() as u32 - 1
        })
    }

    /// The place of the dialect of an entry.
    fn place_of(&mut self, context: &Context, entry: impl Entry) -> u32 {
        match (entry.dialect(context), self.builtin) {
            (Some(name), _) => self.place(name),
            (None, Some(place)) => place,
            (None, None) => {
                let place = self.place(context.static_identifier("builtin"));
                self.builtin = Some(place);
                place
            }
        }
    }

    /// The place of a dialect that has one.
    pub(crate) fn known_place(&self, name: Identifier) -> Option<u32> {
        self.places.get(&name).copied()
    }

    /// The name of the dialect in a place.
    pub(crate) fn name(&self, place: u32) -> Identifier {
        self.all[place as usize].name
    }

    /// The encodings of the dialect in a place.
    pub(crate) fn encoding(&mut self, source: Source<'_>, place: u32) -> Option<Arc<dyn DialectEncoding>> {
        let Source { context, target, .. } = source;
        let Dialect { name, encoding } = &mut self.all[place as usize];
        let find = || {
            let found = encoding::find(context, context.bytes(*name))?;
            (found.is_of_mlir() || !target.hides(context, *name)).then_some(found)
        };
        encoding.get_or_insert_with(find).clone()
    }

    /// The encodings of a dialect of which something was met.
    pub(crate) fn met_encoding(&self, name: Identifier) -> Option<&dyn DialectEncoding> {
        let place = self.known_place(name)?;
        self.all[place as usize].encoding.as_ref()?.as_deref()
    }
}

impl Known {
    pub(crate) fn name(&self, name: OperationName) -> Option<Name> {
        *self.names.get(name.raw() as usize)?
    }

    pub(crate) fn set_name(&mut self, name: Name) {
        let at = name.name.raw() as usize;
        self.names.resize(self.names.len().max(at + 1), None);
        self.names[at] = Some(name);
    }

    /// How properties of that name are laid out; `None` where they are one attribute.
    pub(crate) fn plan(&mut self, source: Source<'_>, name: OperationName) -> Option<Arc<Plan>> {
        let at = name.raw() as usize;
        self.plans.resize(self.plans.len().max(at + 1), None);
        let find = || Plan::of(source.context, source.target, name, source.version);
        self.plans[at].get_or_insert_with(find).clone()
    }

    /// How properties of a name are laid out that were met, as [`Known::plan`] found; `None` where none were.
    pub(crate) fn met_plan(&self, name: OperationName) -> Option<Option<&Plan>> {
        Some(self.plans.get(name.raw() as usize)?.as_ref()?.as_deref())
    }

    /// What is written of an entry, which may have to be [released](Templates::release); `None` where it is opaque.
    pub(crate) fn entry<E: Entry>(&mut self, source: Source<'_>, strings: &mut Strings, entry: E) -> Option<Template> {
        match E::templates(self).get(entry.raw()) {
            Some(at) => Some(self.templates.get(at)),
            None => self.new_entry(source, strings, entry),
        }
    }

    /// What is written of an entry that was met, if that is known.
    #[inline]
    pub(crate) fn met_entry<E: Entry>(&self, entry: E) -> Option<Template> {
        E::templates(self).get(entry.raw()).map(|at| self.templates.get(at))
    }

    fn new_entry<E: Entry>(&mut self, source: Source<'_>, strings: &mut Strings, entry: E) -> Option<Template> {
        let Source { context, target, version } = source;
        let (is_opaque, is_place) = entry.kind(context);
        if is_opaque {
            return None;
        }
        let mut dialect = self.dialects.place_of(context, entry);
        let encoding = self.dialects.encoding(source, dialect);
        let mut record = Record::new(&mut self.templates, strings);
        let by_callback = E::callbacks(target).iter().any(|write| {
            match write(entry, &mut target.writer(context, version, &mut record)) {
                Written::NotMine => {
                    record.rewind();
                    return false;
                }
                Written::Entry => {}
                Written::Under(name) => dialect = self.dialects.place(context.identifier(name)),
            }
            true
        });
        let custom = by_callback
            || encoding
                .is_some_and(|encoding| entry.encode(&*encoding, &mut target.writer(context, version, &mut record)));
        // What is wrong with a text is said when it is written.
        let keeps = custom || print(context, entry, &mut record).is_ok();
        let template = record.finish(dialect, (custom, is_place), keeps);
        if template.is_whole {
            let at = self.templates.push(template);
            E::templates_mut(self).set(entry.raw(), at);
        }
        Some(template)
    }

    /// The place of what is written of properties, if that is known.
    pub(crate) fn properties(&self, name: OperationName, dictionary: Attribute) -> Option<u32> {
        self.properties.get(&(name, dictionary)).copied()
    }

    /// Takes down what is written of properties that are what their operation's definition allows, where they are not large; gives the place.
    pub(crate) fn record_properties(
        &mut self,
        source: Source<'_>,
        strings: &mut Strings,
        (name, plan, dictionary): (OperationName, Option<&Plan>, Attribute),
    ) -> Option<u32> {
        let Source { context, target, version } = source;
        if self.templates.are_full() {
            return None;
        }
        let mut record = Record::new(&mut self.templates, strings);
        let written = property_values::write(&mut target.writer(context, version, &mut record), name, plan, dictionary);
        let template = record.finish(0, (true, false), written.is_ok());
        self.templates.release(template);
        template.is_whole.then(|| {
            let at = self.templates.push(template);
            self.properties.insert((name, dictionary), at);
            at
        })
    }

    /// Whether so much is known that it is better forgotten.
    pub(crate) fn is_much(&self) -> bool {
        const MOST: usize = 1 << 20;
        self.templates.are_full()
            || self.attributes.room() > MOST
            || self.types.room() > MOST
            || self.names.capacity() > MOST
            || self.dialects.all.len() > MOST
    }
}
