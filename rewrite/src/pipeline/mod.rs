//! Pipelines: passes, and the operations that they run on (`mlir/Pass/PassManager.h`, `mlir/Pass/PassRegistry.h`).

mod parse;
mod run;

pub use parse::{Element, PassOption, PipelineError, parse_elements};
pub use run::{Report, RunOptions, Timing};

use std::fmt;

use crate::pass::Pass;
use crate::registry::{MakePass, Options, Registry};

/// Passes that run on the operations of one name, in order.
///
/// ```
/// use mlirbc_ir::{Context, Module};
/// use mlirbc_rewrite::passes::{Canonicalize, Cse, SymbolDce};
/// use mlirbc_rewrite::{Pipeline, passes};
///
/// let parsed = Pipeline::parse("builtin.module(func.func(cse),symbol-dce)", &passes::registry())?;
/// let mut module = Module::new(&Context::new());
/// parsed.run(&mut module)?;
///
/// let built = Pipeline::new().nest("func.func", Cse).pass(SymbolDce);
/// assert_eq!(built.to_string(), parsed.to_string());
/// let several = Pipeline::new().nested(Pipeline::on("func.func").pass(Canonicalize::default()).pass(Cse));
/// assert_eq!(several.to_string(), "builtin.module(func.func(canonicalize,cse))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pipeline {
    /// The name of the operations; `any` for all that are isolated from above.
    anchor: String,
    items: Vec<Item>,
}

enum Item {
    Pass {
        pass: Box<dyn Pass>,
        /// The options as they were written.
        options: String,
    },
    Nested(Pipeline),
}

/// Stands for operations of all names.
const ANY: &str = "any";
/// The operation that most modules are.
const MODULE: &str = "builtin.module";

impl Default for Pipeline {
    fn default() -> Self {
        Self::new()
    }
}

impl Pipeline {
    /// Nothing yet, to run on `builtin.module`.
    pub fn new() -> Self {
        Self::on(MODULE)
    }

    /// Nothing yet, to run on the operations of that name; `any` stands for all that are isolated from above.
    pub fn on(anchor: &str) -> Self {
        Pipeline { anchor: anchor.to_owned(), items: Vec::new() }
    }

    /// Adds a pass. One that is [for operations of another name](Pass::anchor) is an error when the pipeline runs.
    #[must_use]
    pub fn pass(mut self, pass: impl Pass + 'static) -> Self {
        self.items.push(Item::Pass { pass: Box::new(pass), options: String::new() });
        self
    }

    /// Adds a pass that runs on the operations of that name which stand directly in those of this pipeline.
    #[must_use]
    pub fn nest(self, anchor: &str, pass: impl Pass + 'static) -> Self {
        self.nested(Pipeline::on(anchor).pass(pass))
    }

    /// Adds what runs on operations that stand directly in those of this pipeline.
    #[must_use]
    pub fn nested(mut self, nested: Pipeline) -> Self {
        self.items.push(Item::Nested(nested));
        self
    }

    /// How many passes there are, those of nested pipelines too.
    pub fn pass_count(&self) -> usize {
        let count = |item: &Item| match item {
            Item::Pass { .. } => 1,
            Item::Nested(nested) => nested.pass_count(),
        };
        self.items.iter().map(count).sum()
    }

    /// The name of the operations that it runs on.
    pub fn anchor(&self) -> &str {
        &self.anchor
    }

    /// Reads a pipeline in MLIR's syntax: `builtin.module(func.func(cse),canonicalize{max-iterations=2})`. Passes are around one
    /// name of operations at least.
    ///
    /// # Errors
    /// Where the text is no pipeline, names a pass that the registry does not have, or gives a pass an option or a value that it does
    /// not take, or has a pass where operations of another name than [its own](Pass::anchor) are worked on: with the place in the text.
    pub fn parse(text: &str, registry: &Registry) -> Result<Pipeline, PipelineError> {
        Self::parse_with(text, registry, Elsewhere::Wrong)
    }

    /// As [`Pipeline::parse`], but passes that are for operations of another name than those that a pipeline is for are nested in it:
    /// what the names of passes mean that stand alone on command lines.
    ///
    /// # Errors
    /// As [`Pipeline::parse`].
    pub fn parse_nesting(text: &str, registry: &Registry) -> Result<Pipeline, PipelineError> {
        Self::parse_with(text, registry, Elsewhere::Nested)
    }

    fn parse_with(text: &str, registry: &Registry, elsewhere: Elsewhere) -> Result<Pipeline, PipelineError> {
        let elements = parse_elements(text)?;
        match elements.as_slice() {
            [Element { name, nested: Some(nested), .. }] => Self::of(name, nested, text, registry, elsewhere),
            _ => Err(PipelineError::new(
                text,
                0,
                "expected one pipeline with the name of the operation that it runs on, such as `builtin.module(...)`",
            )),
        }
    }

    /// Reads pipelines that have commas between them, each as [`Pipeline::parse`] does.
    pub(crate) fn parse_list(text: &str, registry: &Registry) -> Result<Vec<Pipeline>, PipelineError> {
        let mut pipelines = Vec::new();
        for element in parse_elements(text)? {
            match &element.nested {
                Some(nested) => pipelines.push(Self::of(&element.name, nested, text, registry, Elsewhere::Wrong)?),
                None => {
                    return Err(PipelineError::new(text, element.at, "expected a pipeline such as `func.func(...)`"));
                }
            }
        }
        Ok(pipelines)
    }

    /// Reads what stands in a pipeline for operations of all names.
    pub(crate) fn parse_inside(text: &str, registry: &Registry) -> Result<Pipeline, PipelineError> {
        Self::of(ANY, &parse_elements(text)?, text, registry, Elsewhere::Wrong)
    }

    /// Whether it does nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The name of its operations, where it is one.
    fn name(&self) -> Option<&str> {
        (self.anchor != ANY).then_some(self.anchor.as_str())
    }

    /// Why a pass cannot stand in it, where it cannot.
    fn refuses(&self, pass: &dyn Pass) -> Option<String> {
        let (name, wanted) = (self.name()?, pass.anchor()?);
        (name != wanted)
            .then(|| format!("the pass `{}` is for `{wanted}`, and what it stands in for `{name}`", pass.name()))
    }

    /// What is wrong with where its passes stand, and those of pipelines in it.
    fn misplaced(&self) -> Option<String> {
        self.items.iter().find_map(|item| match item {
            Item::Pass { pass, .. } => self.refuses(&**pass),
            Item::Nested(nested) => nested.misplaced(),
        })
    }

    fn of(
        anchor: &str,
        elements: &[Element],
        text: &str,
        registry: &Registry,
        elsewhere: Elsewhere,
    ) -> Result<Pipeline, PipelineError> {
        let mut pipeline = Pipeline::on(anchor);
        for element in elements {
            if let Some(passes) = passes_of(element, registry) {
                pipeline.items.extend(Self::of(anchor, &parse_elements(passes)?, passes, registry, elsewhere)?.items);
                continue;
            }
            let item = match &element.nested {
                Some(nested) => Item::Nested(Self::of(&element.name, nested, text, registry, elsewhere)?),
                None => {
                    let (pass, options) = pass(element, text, registry)?;
                    let item = |pass, options| Item::Pass { pass, options };
                    match (pipeline.refuses(&*pass), elsewhere, pass.anchor().map(str::to_owned)) {
                        (Some(_), Elsewhere::Nested, Some(own)) => {
                            Item::Nested(Pipeline { anchor: own, items: vec![item(pass, options)] })
                        }
                        (Some(message), ..) => return Err(PipelineError::new(text, element.at, message)),
                        (None, ..) => item(pass, options),
                    }
                }
            };
            pipeline.items.push(item);
        }
        Ok(pipeline)
    }
}

/// What becomes of a pass that is for operations of another name than what it stands in.
#[derive(Clone, Copy)]
enum Elsewhere {
    Wrong,
    Nested,
}

/// The passes that an element stands for, where it names several.
fn passes_of(element: &Element, registry: &Registry) -> Option<&'static str> {
    match registry.get(&element.name)?.make {
        MakePass::Pipeline(passes) if element.nested.is_none() && element.options.is_empty() => Some(passes),
        _ => None,
    }
}

/// The pass that an element names, and its options as they were written.
fn pass(element: &Element, text: &str, registry: &Registry) -> Result<(Box<dyn Pass>, String), PipelineError> {
    let wrong = |at, message: String| PipelineError::new(text, at, message);
    let Some(info) = registry.get(&element.name) else {
        let known: Vec<String> = registry.passes().map(|known| format!("`{}`", known.name)).collect();
        let known =
            if known.is_empty() { "there is none".to_owned() } else { format!("there are {}", known.join(", ")) };
        return Err(wrong(element.at, format!("`{}` is no pass that is known here: {known}", element.name)));
    };
    for option in &element.options {
        if !info.options.iter().any(|known| known.name == option.name) {
            let known: Vec<String> = info.options.iter().map(|known| format!("`{}`", known.name)).collect();
            let known =
                if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
            return Err(wrong(option.at, format!("`{}` has no option `{}`: {known}", info.name, option.name)));
        }
    }
    let options = Options::new(&element.options, registry);
    let pass = match &info.make {
        MakePass::Once(pass) => Ok(Box::new(pass.clone()) as Box<dyn Pass>),
        MakePass::With(make) => make(&options),
        MakePass::Pipeline(_) => Err("it stands for several passes, and where they stand".to_owned()),
    };
    let pass =
        pass.map_err(|message| wrong(options.last().unwrap_or(element.at), format!("`{}`: {message}", info.name)))?;
    let options: Vec<String> = element.options.iter().map(PassOption::to_string).collect();
    Ok((pass, options.join(" ")))
}

impl fmt::Display for PassOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(value) = &self.value else { return f.write_str(&self.name) };
        let plain = !value.is_empty() && !value.contains(|at: char| at.is_whitespace() || "{}\"'".contains(at));
        match plain {
            true => write!(f, "{}={value}", self.name),
            false => write!(f, "{}={{{value}}}", self.name),
        }
    }
}

impl fmt::Display for Pipeline {
    /// As MLIR writes it, so that it can be read again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor)?;
        for (number, item) in self.items.iter().enumerate() {
            if number > 0 {
                f.write_str(",")?;
            }
            match item {
                Item::Nested(nested) => nested.fmt(f)?,
                Item::Pass { pass, options } if options.is_empty() => f.write_str(pass.name())?,
                Item::Pass { pass, options } => write!(f, "{}{{{options}}}", pass.name())?,
            }
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
