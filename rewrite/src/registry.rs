//! Passes by name, with their options.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mlirbc_ir::Result as IrResult;

use crate::pass::{FnPass, Pass, Target};
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
    /// How it is made.
    pub make: MakePass,
}

/// How a pass is made.
#[derive(Clone)]
pub enum MakePass {
    /// With the options that are given. An error says what is wrong with one of them.
    With(fn(&Options<'_>) -> Result<Box<dyn Pass>, String>),
    /// It is there already, and has no options.
    Once(Arc<dyn Pass>),
    /// It is no pass, but a name for several: what stands in a pipeline, `cse,func.func(canonicalize)`. It has no options.
    Pipeline(&'static str),
}

impl fmt::Debug for MakePass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MakePass::With(_) => "With",
            MakePass::Once(_) => "Once",
            MakePass::Pipeline(passes) => passes,
        })
    }
}

/// An option of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
}

/// The options that were given to a pass: all of them are among those that it has.
#[derive(Clone, Debug)]
pub struct Options<'o> {
    given: &'o [PassOption],
    registry: &'o Registry,
    /// Where the option stands that was looked at last.
    last: Cell<Option<usize>>,
}

impl<'o> Options<'o> {
    pub(crate) fn new(given: &'o [PassOption], registry: &'o Registry) -> Self {
        Options { given, registry, last: Cell::new(given.first().map(|option| option.at)) }
    }

    /// Where what is wrong stands, if something is: the pass looked at that last.
    pub(crate) fn last(&self) -> Option<usize> {
        self.last.get()
    }

    /// The value of an option, the last one where it is given several times; empty where its name stands alone.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts(name).last()
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

    /// The number that an option gives, decimal or behind `0x`, `0b`, `0o` or `0`; `default` where it is not given.
    ///
    /// # Errors
    /// Where its value is no number of 64 bits.
    pub fn number(&self, name: &str, default: i64) -> Result<i64, String> {
        match self.text(name) {
            None => Ok(default),
            Some(value) => number(value).ok_or_else(|| format!("`{value}` is no number")),
        }
    }

    /// The pipelines that an option gives, one with each name of operations: `func.func(cse),any(canonicalize)`; empty where it is not
    /// given, and all of them where it is given several times.
    ///
    /// # Errors
    /// Where its value is no list of pipelines, or they do not fit what is registered.
    pub fn pipelines(&self, name: &str) -> Result<Vec<Pipeline>, String> {
        let mut pipelines = Vec::new();
        for text in self.texts(name) {
            pipelines.extend(Pipeline::parse_list(text, self.registry).map_err(|error| error.to_string())?);
        }
        Ok(pipelines)
    }

    /// The passes that an option names, as a pipeline for operations of all names; `None` where it is not given.
    ///
    /// # Errors
    /// Where its value is no list of passes, or they do not fit what is registered.
    pub fn pipeline(&self, name: &str) -> Result<Option<Pipeline>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        Pipeline::parse_inside(text, self.registry).map(Some).map_err(|error| error.to_string())
    }

    /// The values of a list, which have commas between them, and braces or quotes around them where they hold commas or blanks; empty
    /// where the option is not given, and all of them where it is given several times.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.texts(name).flat_map(elements).filter(|value| !value.is_empty()).collect()
    }

    /// All values of an option, in order.
    fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let given = self.given.iter().filter(move |option| option.name == name);
        given.map(|option| {
            self.last.set(Some(option.at));
            option.value.as_deref().unwrap_or_default()
        })
    }
}

/// The elements of a list, without the braces or quotes around each.
fn elements(list: &str) -> impl Iterator<Item = &str> {
    let (mut open, mut quote) = (0usize, None);
    let elements = list.split(move |at: char| {
        match (quote, at) {
            (None, '{') => open += 1,
            (None, '}') => open = open.saturating_sub(1),
            (None, '"' | '\'') => quote = Some(at),
            (Some(end), _) if end == at => quote = None,
            _ => {}
        }
        at == ',' && open == 0 && quote.is_none()
    });
    elements.map(|element| {
        let around = [('{', '}'), ('"', '"'), ('\'', '\'')];
        let inner = around.iter().find_map(|&(open, close)| element.strip_prefix(open)?.strip_suffix(close));
        inner.unwrap_or(element)
    })
}

/// A number as it is written on LLVM's command lines.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', b'o', ..] => (8, &digits[2..]),
        [b'0', b'0'..=b'9', ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    // Not another sign.
    let magnitude = digits.starts_with(|first: char| first.is_ascii_alphanumeric()).then_some(digits)?;
    let magnitude = i128::from(u64::from_str_radix(magnitude, radix).ok()?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
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

    /// Adds a pass that has no options and is one function, called with each operation that it runs on: see [`Pass::run`].
    ///
    /// ```
    /// use mlirbc_rewrite::{Pipeline, Registry};
    ///
    /// let registry = Registry::new().pass_fn("hello", "say hello", |target| {
    ///     let name = target.op()?.name().into_owned();
    ///     Ok(writeln!(target.output(), "hello, {name}")?)
    /// });
    /// let pipeline = Pipeline::parse("builtin.module(func.func(hello))", &registry);
    /// assert!(pipeline.is_ok());
    /// ```
    #[must_use]
    pub fn pass_fn(
        self,
        name: &'static str,
        about: &'static str,
        run: impl Fn(&mut Target<'_>) -> IrResult<()> + Send + Sync + 'static,
    ) -> Self {
        let pass = Arc::new(FnPass::new(name, run));
        self.pass(PassInfo { name, about, options: &[], make: MakePass::Once(pass) })
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

#[cfg(test)]
mod tests {
    use super::{elements, number};

    #[test]
    fn elements_of_lists_may_hold_commas_and_blanks() {
        let lists: [(&str, &[&str]); 6] = [
            ("a,b", &["a", "b"]),
            ("{a b},c", &["a b", "c"]),
            ("{a{b,c}d},'e,f',\"g\"", &["a{b,c}d", "e,f", "g"]),
            ("a,,", &["a", "", ""]),
            ("}a,b{", &["}a", "b{"]),
            ("'a,b", &["'a,b"]),
        ];
        for (list, expected) in lists {
            assert_eq!(elements(list).collect::<Vec<_>>(), expected, "{list}");
        }
    }

    #[test]
    fn numbers_are_written_as_on_command_lines_of_llvm() {
        let numbers = [
            ("0", 0),
            ("-10", -10),
            ("0x1F", 31),
            ("-0b11", -3),
            ("0o17", 15),
            ("010", 8),
            ("-9223372036854775808", i64::MIN),
        ];
        for (text, expected) in numbers {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in ["", "-", "--1", "+1", "0x", "0x-1", "08", "1 ", "9223372036854775808", "1a"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
