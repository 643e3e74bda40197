//! What a type or attribute of a dialect is called, and what stands in its text.

use std::sync::Arc;

use super::checker::Checker;
use crate::attribute::AttributeData;
use crate::dialect::Dialect;
use crate::ods::OpTable;
use crate::ods::{AttrOrTypeDef, EnumDef};
use crate::types::TypeData;

/// A type or attribute of a dialect as text: its name, and what follows that.
pub(super) struct Written<'a> {
    /// Dialect and mnemonic.
    pub(super) name: String,
    /// What follows the mnemonic, without the angle brackets around it.
    pub(super) rest: &'a str,
}

/// `!dialect.mnemonic<rest>` or `!dialect<mnemonic rest>`
pub(super) fn split_text(text: &[u8]) -> Option<Written<'_>> {
    let text = std::str::from_utf8(text).ok()?.strip_prefix(['!', '#'])?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let unwrapped = rest.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    if name.contains('.') {
        return Some(Written { name: name.to_owned(), rest: unwrapped.unwrap_or(rest).trim() });
    }
    let body = unwrapped?.trim();
    let end = body.find(|c| !is_part(c)).unwrap_or(body.len());
    let (mnemonic, rest) = body.split_at(end);
    if mnemonic.is_empty() {
        return None;
    }
    let rest = rest.trim();
    let rest = rest.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(rest);
    Some(Written { name: format!("{name}.{mnemonic}"), rest: rest.trim() })
}

impl Checker<'_> {
    /// Dialect and mnemonic of a type of a dialect, where its text shows them.
    pub(super) fn type_name(&self, data: &TypeData) -> Option<String> {
        match data {
            TypeData::Dialect(value) => {
                let (dialect, mnemonic) = (self.context.text(value.dialect), self.context.text(value.mnemonic));
                Some(format!("{dialect}.{mnemonic}"))
            }
            TypeData::Text { text, .. } => split_text(text).map(|written| written.name),
            _ => None,
        }
    }

    /// The same for an attribute.
    pub(super) fn attribute_name(&self, data: &AttributeData) -> Option<String> {
        match data {
            AttributeData::Dialect(value) => {
                let (dialect, mnemonic) = (self.context.text(value.dialect), self.context.text(value.mnemonic));
                Some(format!("{dialect}.{mnemonic}"))
            }
            AttributeData::Text { text, .. } => split_text(text).map(|written| written.name),
            _ => None,
        }
    }

    /// The definition of a type by dialect and mnemonic.
    pub fn type_definition(&self, name: &str) -> Option<Arc<AttrOrTypeDef>> {
        self.definition(true, name)
    }

    /// The definition of an attribute by dialect and mnemonic.
    pub fn attribute_definition(&self, name: &str) -> Option<Arc<AttrOrTypeDef>> {
        self.definition(false, name)
    }

    /// The one attribute without parameters that implements an interface of C++, `ub::PoisonAttrInterface`, of the dialects
    /// that have been met: dialect and mnemonic.
    pub fn only_attribute_of(&self, interface: &str) -> Option<String> {
        let (_, interface) = interface.rsplit_once("::")?;
        let dialects = self.context.dialects_made();
        let mut tables: Vec<&OpTable> = Vec::new();
        for table in dialects.iter().flat_map(|dialect| dialect.tables()) {
            if !tables.iter().any(|known| known.is_same(table)) {
                tables.push(table);
            }
        }
        let all = tables.into_iter().flat_map(|table| table.attribute_definitions());
        let fits = |of: &AttrOrTypeDef| of.parameters.is_empty() && of.traits.iter().any(|it| it == interface);
        let mut names: Vec<String> = all.filter(fits).map(|of| of.name).collect();
        names.dedup();
        if names.len() == 1 { names.pop() } else { None }
    }

    fn definition(&self, of_type: bool, name: &str) -> Option<Arc<AttrOrTypeDef>> {
        let key = (of_type, name.to_owned());
        if let Some(known) = self.definitions.borrow().get(&key) {
            return known.clone();
        }
        let dialect = self.context.dialect(name.split('.').next().unwrap_or_default());
        let found = dialect.iter().flat_map(|dialect| dialect.tables()).find_map(|table| match of_type {
            true => table.type_definition(name),
            false => table.attribute_definition(name),
        });
        let found = found.map(Arc::new);
        self.definitions.borrow_mut().insert(key, found.clone());
        found
    }

    /// The enum of that name, of a registered dialect.
    pub fn enumeration(&self, name: &str) -> Option<Arc<EnumDef>> {
        if let Some(known) = self.enums.borrow().get(name) {
            return known.clone();
        }
        let of = |dialects: Vec<Arc<Dialect>>| {
            dialects.iter().flat_map(|dialect| dialect.tables()).find_map(|table| table.enumeration(name))
        };
        // A table has the enums that it mentions, so that seldom another dialect must be made.
        let found = of(self.context.dialects_made()).or_else(|| of(self.context.dialects())).map(Arc::new);
        self.enums.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_the_name_of_a_type_or_attribute() {
        let of = |text: &'static str| split_text(text.as_bytes()).map(|written| (written.name, written.rest));
        assert_eq!(of("!llvm.ptr"), Some(("llvm.ptr".into(), "")));
        assert_eq!(of("!llvm.ptr<3>"), Some(("llvm.ptr".into(), "3")));
        assert_eq!(of("#gpu<dim x>"), Some(("gpu.dim".into(), "x")));
        assert_eq!(of("#arith<fastmath<none>>"), Some(("arith.fastmath".into(), "none")));
        assert_eq!(of("graph<() -> ()>"), None);
        assert_eq!(of(""), None);
    }
}
