//! The records of a document that TableGen printed.

use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// The records of one document.
#[derive(Clone, Copy)]
pub(super) struct Records<'d>(pub(super) &'d Map<String, Value>);

/// One record: its fields by name.
#[derive(Clone, Copy)]
pub(super) struct Record<'d>(pub(super) &'d Map<String, Value>);

impl<'d> Records<'d> {
    pub(super) fn get(self, name: &str) -> Result<Record<'d>> {
        match self.0.get(name) {
            Some(Value::Object(record)) => Ok(Record(record)),
            _ => Err(Error::malformed(format!("no record `{name}`"))),
        }
    }

    /// The record that a field refers to.
    pub(super) fn follow(self, record: Record<'d>, field: &str) -> Option<Record<'d>> {
        self.get(record.reference(field).ok()?).ok()
    }

    /// The records that the items of a list refer to.
    pub(super) fn follow_all(self, record: Record<'d>, field: &str) -> Vec<Record<'d>> {
        record.references(field).unwrap_or_default().into_iter().filter_map(|name| self.get(name).ok()).collect()
    }

    /// Names of the records of a class.
    pub(super) fn instances(self, class: &str) -> Result<Vec<&'d str>> {
        let lists = self.get("!instanceof")?;
        let list = lists.0.get(class).and_then(Value::as_array);
        Ok(list.into_iter().flatten().filter_map(Value::as_str).collect())
    }
}

impl<'d> Record<'d> {
    pub(super) fn is(self, class: &str) -> bool {
        let classes = self.0.get("!superclasses").and_then(Value::as_array);
        classes.is_some_and(|classes| classes.iter().any(|name| name == class))
    }

    /// Its name; empty where it was defined without one.
    pub(super) fn name(self) -> &'d str {
        let anonymous = self.0.get("!anonymous").and_then(Value::as_bool).unwrap_or(true);
        if anonymous { "" } else { self.identity() }
    }

    /// What references call it, in its document.
    pub(super) fn identity(self) -> &'d str {
        self.optional_text("!name").unwrap_or_default()
    }

    pub(super) fn optional_text(self, field: &str) -> Option<&'d str> {
        self.0.get(field)?.as_str()
    }

    pub(super) fn text(self, field: &str) -> Result<&'d str> {
        self.optional_text(field).ok_or_else(|| Error::malformed(format!("field `{field}` is no text")))
    }

    /// The text of a field, where it is not empty.
    pub(super) fn some_text(self, field: &str) -> Option<&'d str> {
        self.optional_text(field).map(str::trim).filter(|text| !text.is_empty())
    }

    pub(super) fn number(self, field: &str) -> Option<i64> {
        self.0.get(field)?.as_i64()
    }

    pub(super) fn bit(self, field: &str) -> bool {
        self.bit_or(field, false)
    }

    pub(super) fn bit_or(self, field: &str, otherwise: bool) -> bool {
        self.number(field).map_or(otherwise, |bit| bit != 0)
    }

    pub(super) fn reference(self, field: &str) -> Result<&'d str> {
        let found = self.0.get(field).and_then(definition);
        found.ok_or_else(|| Error::malformed(format!("field `{field}` is no reference")))
    }

    pub(super) fn references(self, field: &str) -> Result<Vec<&'d str>> {
        let list = self.0.get(field).and_then(Value::as_array);
        let list = list.and_then(|list| list.iter().map(definition).collect());
        list.ok_or_else(|| Error::malformed(format!("field `{field}` is no list of references")))
    }

    /// The arguments of a dag: what each refers to, and its name.
    pub(super) fn arguments(self, field: &str) -> Result<Vec<(&'d str, &'d str)>> {
        let pair = |(value, name): (&'d Value, &'d str)| Some((definition(value)?, name));
        let arguments = self.raw_arguments(field).and_then(|list| list.into_iter().map(pair).collect());
        arguments.ok_or_else(|| Error::malformed(format!("field `{field}` is no list of arguments")))
    }

    /// The arguments of a dag, which may be more than references; a name that is missing is empty.
    pub(super) fn raw_arguments(self, field: &str) -> Option<Vec<(&'d Value, &'d str)>> {
        let arguments = self.0.get(field)?.get("args")?.as_array()?;
        arguments.iter().map(|pair| Some((pair.get(0)?, pair.get(1)?.as_str().unwrap_or_default()))).collect()
    }
}

/// The record that a value refers to.
pub(super) fn definition(value: &Value) -> Option<&str> {
    value.get("def")?.as_str()
}
