//! Passes by name, with their options.

use std::collections::BTreeMap;

use crate::pass::Pass;
use crate::pipeline::{PassOption, Pipeline};

/// What is known of a pass before it is made.
#[derive(Clone, Debug)]
pub struct PassInfo {
    /// Its name in pipelines.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Makes it, with the options that were given.
    pub make: MakePass,
}

/// Makes a pass. An error says what is wrong with an option.
pub type MakePass = fn(&Options<'_>) -> Result<Box<dyn Pass>, String>;

/// An option of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
}

/// The options that were given to a pass: all of them are among those that it has.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    pub(crate) given: &'o [PassOption],
    pub(crate) registry: &'o Registry,
}

impl Options<'_> {
    /// The value of an option, the last one where it is given several times; empty where its name stands alone.
    pub fn text(&self, name: &str) -> Option<&str> {
        let option = self.given.iter().rev().find(|option| option.name == name)?;
        Some(option.value.as_deref().unwrap_or_default())
    }

    /// Whether an option is set: its name alone, or `true` or `1`; `default` where it is not given.
    ///
    /// # Errors
    /// Where it has another value.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.text(name) {
            None => Ok(default),
            Some("" | "true" | "TRUE" | "True" | "1") => Ok(true),
            Some("false" | "FALSE" | "False" | "0") => Ok(false),
            Some(value) => Err(format!("`{value}` is neither `true` nor `false`")),
        }
    }

    /// The number that an option gives; `default` where it is not given.
    ///
    /// # Errors
    /// Where its value is no number of 64 bits.
    pub fn number(&self, name: &str, default: i64) -> Result<i64, String> {
        match self.text(name) {
            None => Ok(default),
            Some(value) => value.parse().map_err(|_| format!("`{value}` is no number")),
        }
    }

    /// The pipelines that an option gives, one with each name of operations: `func.func(cse),any(canonicalize)`; empty where it is not
    /// given.
    ///
    /// # Errors
    /// Where its value is no list of pipelines, or they do not fit what is registered.
    pub fn pipelines(&self, name: &str) -> Result<Vec<Pipeline>, String> {
        let text = self.text(name).unwrap_or_default();
        Pipeline::parse_list(text, self.registry).map_err(|error| error.to_string())
    }

    /// The passes that an option names, as a pipeline for operations of all names; `None` where it is not given.
    ///
    /// # Errors
    /// Where its value is no list of passes, or they do not fit what is registered.
    pub fn pipeline(&self, name: &str) -> Result<Option<Pipeline>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        Pipeline::parse_inside(text, self.registry).map(Some).map_err(|error| error.to_string())
    }

    /// The values of a list, which have commas between them; empty where the option is not given.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.text(name).into_iter().flat_map(|value| value.split(',')).filter(|value| !value.is_empty()).collect()
    }
}

/// The passes that a pipeline may name.
#[derive(Clone, Debug, Default)]
pub struct Registry(BTreeMap<&'static str, PassInfo>);

impl Registry {
    /// No pass yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pass. One that is registered last counts.
    #[must_use]
    pub fn pass(mut self, info: PassInfo) -> Self {
        self.0.insert(info.name, info);
        self
    }

    /// What is known of the pass of that name.
    pub fn get(&self, name: &str) -> Option<&PassInfo> {
        self.0.get(name)
    }

    /// All passes, sorted by name.
    pub fn passes(&self) -> impl Iterator<Item = &PassInfo> {
        self.0.values()
    }
}
