//! Attributes of an operation: looked up, and printed.

use super::*;

impl<'m> OpPrinter<'_, 'm> {
    /// Notes that an attribute ends here which may have a type behind a colon: one of a dialect that is kept as text.
    fn attribute_ends(&mut self, attribute: Attribute) {
        let context = self.context();
        let is_text = matches!(context[attribute], AttributeData::Text { .. });
        if is_text && !has_alias(context, attribute) {
            self.untyped_until = Some(self.out().len());
        }
    }

    /// The inherent attribute of that name, or the discardable one.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<Attribute> {
        let (context, name) = (self.context(), name.as_ref());
        let find = |entries: &'m [NamedAttribute]| {
            entries.iter().find(|entry| context.bytes(entry.0) == name).map(|entry| entry.1)
        };
        find(self.inherent).or_else(|| find(self.discardable))
    }

    /// [`OpPrinter::get`] of what must be there.
    pub fn need(&self, name: impl AsRef<[u8]>) -> Printed<Attribute> {
        self.get(name).ok_or(NotCustom::UseGeneric)
    }

    /// The bytes of a string attribute.
    pub fn string(&self, name: impl AsRef<[u8]>) -> Printed<Option<&'m [u8]>> {
        match self.get(name).map(|attribute| &self.context()[attribute]) {
            None => Ok(None),
            Some(AttributeData::String { value, .. }) => Ok(Some(value)),
            Some(_) => Err(NotCustom::UseGeneric),
        }
    }

    /// The integers of a dense array, or of an array of integers.
    pub fn integers(&self, name: impl AsRef<[u8]>) -> Printed<Vec<i64>> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(attribute) => integers(self.context(), attribute).ok_or(NotCustom::UseGeneric),
        }
    }

    /// The items of an array attribute.
    pub fn array(&self, attribute: Attribute) -> Printed<&'m [Attribute]> {
        match &self.context()[attribute] {
            AttributeData::Array(items) => Ok(items),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// An integer that fits 64 bits, and its type.
    pub fn integer(&self, name: impl AsRef<[u8]>) -> Printed<(&'m TypeData, i64)> {
        let context = self.context();
        match &context[self.need(name)?] {
            AttributeData::Integer { ty, value } => Ok((&context[*ty], value.to_i64().ok_or(NotCustom::UseGeneric)?)),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// Whether it is set, of an attribute that is a boolean.
    pub fn flag(&self, name: impl AsRef<[u8]>) -> Printed<bool> {
        match self.integer(name)? {
            (TypeData::Integer { width: 1, .. }, value) => Ok(value != 0),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// Prints an attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute) -> Printed {
        self.to.print.attribute(attribute, Elision::Never)?;
        self.attribute_ends(attribute);
        Ok(())
    }

    /// An attribute without its type.
    pub fn bare(&mut self, attribute: Attribute) -> Printed {
        self.to.print.attribute(attribute, Elision::Must)?;
        self.attribute_ends(attribute);
        Ok(())
    }

    /// An attribute without dialect and mnemonic.
    pub fn stripped(&mut self, attribute: Attribute) -> Printed {
        Ok(self.to.print.stripped(attribute)?)
    }

    /// What stands inside `affine_map<...>`.
    pub fn affine_map(&mut self, map: &'m AffineMap) -> Printed {
        Ok(self.to.print.bare_affine_map(map)?)
    }

    /// A dense array as a list: `[1, 2]` for `array<i64: 1, 2>`.
    pub fn list(&mut self, attribute: Attribute) -> Printed {
        let start = self.out().len();
        self.to.print.attribute(attribute, Elision::Never)?;
        if self.to.print.is_collecting() {
            return Ok(());
        }
        let out = self.out();
        let from = out[start..].iter().position(|&byte| matches!(byte, b':' | b'>')).unwrap_or(0) + start;
        let skip = if out.get(from) == Some(&b':') { from + 2 } else { from };
        let items = out[skip..out.len() - 1].to_vec();
        out.truncate(start);
        out.push(b'[');
        out.extend_from_slice(&items);
        out.push(b']');
        Ok(())
    }

    /// Prints `@name`.
    pub fn symbol(&mut self, name: impl AsRef<[u8]>) {
        push_symbol(self.to.print.buffer(), name.as_ref());
    }

    /// Prints a name, in quotes where it is no word.
    pub fn keyword_or_string(&mut self, name: impl AsRef<[u8]>) {
        push_name(self.to.print.buffer(), name.as_ref());
    }

    /// Prints text in quotes, with escapes.
    pub fn quoted(&mut self, text: &[u8]) {
        mlirbc_ir::text::push_escaped(self.to.print.buffer(), text);
    }

    /// All attributes, inherent and discardable, by name.
    pub fn all_attributes(&self) -> Vec<NamedAttribute> {
        let context = self.context();
        let is_shown = |entry: &&NamedAttribute| !self.is_native(entry);
        let mut all: Vec<NamedAttribute> = Vec::with_capacity(self.inherent.len() + self.discardable.len());
        all.extend(self.inherent.iter().filter(is_shown));
        all.extend_from_slice(self.discardable);
        // Each of the two is in order.
        all.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        all
    }

    /// Whether what is in the properties is none of the inherent attributes, but what code holds in another form.
    pub(super) fn is_native(&self, entry: &NamedAttribute) -> bool {
        let name = self.context().bytes(entry.0);
        self.op.definition().is_some_and(|definition| {
            definition.inherent(name).is_none()
                && definition.properties.iter().any(|property| property.name.as_bytes() == name)
        })
    }

    /// ` {a = b}` of what is not left out; with the keyword ` attributes` before it where that is wanted.
    pub fn dictionary_of(
        &mut self,
        entries: &[NamedAttribute],
        elided: &dyn Fn(&[u8]) -> bool,
        keyword: bool,
    ) -> Printed {
        let mut first = true;
        for &(name, value) in entries {
            let name = self.context().bytes(name);
            if elided(name) {
                continue;
            }
            if std::mem::take(&mut first) {
                self.text(if keyword { " attributes {" } else { " {" });
            } else {
                self.text(", ");
            }
            self.keyword_or_string(name);
            if self.context()[value] != AttributeData::Unit {
                self.text(" = ");
                self.attribute(value)?;
            } else if self.to.print.is_collecting() {
                self.attribute(value)?;
            }
        }
        if !first {
            self.text("}");
        }
        Ok(())
    }

    /// The dictionary of all attributes but these and the sizes of segments.
    pub fn dictionary(&mut self, elided: &[&str]) -> Printed {
        self.dictionary_behind(elided, false)
    }

    /// The same behind the keyword `attributes`.
    pub fn dictionary_with_keyword(&mut self, elided: &[&str]) -> Printed {
        self.dictionary_behind(elided, true)
    }

    fn dictionary_behind(&mut self, elided: &[&str], keyword: bool) -> Printed {
        let all = self.all_attributes();
        let has_segments = self.has_segments();
        let elided =
            |name: &[u8]| has_segments && is_segments(name) || elided.iter().any(|known| known.as_bytes() == name);
        self.dictionary_of(&all, &elided, keyword)
    }

    /// Whether the sizes of segments say what the text shows.
    pub(in super::super) fn has_segments(&self) -> bool {
        self.op.has_trait(Traits::OPERAND_SEGMENTS) || self.op.has_trait(Traits::RESULT_SEGMENTS)
    }

    /// Fails where the operation has other attributes than these: for a form that has no place for a dictionary.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where it has.
    pub fn no_attributes_but(&self, known: &[&str]) -> Printed {
        let context = self.context();
        let is_known = |name: &[u8]| known.iter().any(|known| known.as_bytes() == name);
        match self.all_attributes().iter().all(|entry| is_known(context.bytes(entry.0))) {
            true => Ok(()),
            false => Err(NotCustom::UseGeneric),
        }
    }
}
