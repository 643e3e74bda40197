//! The assembly format of a definition as a list of steps, which both sides run.

use std::sync::Arc;

use super::written::AttributeForm;
use crate::directive::Directive;
use crate::hooks::TextHooks;
use mlirbc_ir::ods::{AttributeDef, Element, Multiplicity, OpDef, OpDetails, Syntax};
use mlirbc_ir::verify::{Checker, InferTypesFn, type_inference};

/// The format of one operation.
pub(crate) struct Program {
    pub(crate) definition: Arc<OpDef>,
    pub(crate) details: Arc<OpDetails>,
    pub(crate) steps: Vec<Step>,
    /// How the attributes of the definition are written where the format shows them.
    forms: Vec<AttributeForm>,
    /// The attributes that the format shows: the dictionary leaves them out.
    pub(crate) shown: Vec<bool>,
    /// The same for properties that are no attributes: no dictionary shows those.
    pub(crate) shown_natives: Vec<bool>,
    /// Whether the format leaves out types of operands or results, always or where a group is left out.
    pub(crate) hides_types: bool,
    /// What the dialect of the operation brings.
    hooks: Option<Arc<TextHooks>>,
    /// What finds types that text leaves out.
    pub(crate) infer: Option<InferTypesFn>,
}

/// One step. A list of elements becomes steps one after the other; what is optional says where it ends.
pub(crate) enum Step {
    /// A keyword or punctuation, and whether a space stands before it.
    Literal(String, bool),
    Space,
    Newline,
    /// Anything else, and whether a space stands before it.
    Element(Element, bool),
    /// The attributes that nothing else has shown.
    Dictionary {
        keyword: bool,
    },
    /// Steps up to `middle` where the anchor is present, else those from there to `end`.
    Optional {
        anchor: Element,
        inverted: bool,
        middle: usize,
        end: usize,
        sets: Option<Element>,
    },
    /// The end of the first part of an optional group.
    Jump(usize),
    /// Clauses in any order. Each is followed by a `Jump` back to here.
    Clauses {
        clauses: Vec<Clause>,
        end: usize,
    },
}

/// A clause: its keyword is its first step.
pub(crate) struct Clause {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// What must be present for the clause to be written.
    pub(crate) holds: Vec<Element>,
    /// The unit attribute that the clause alone stands for.
    pub(crate) sets: Option<Element>,
}

impl Program {
    /// The program of a definition that has a format whose directives all are known.
    pub(crate) fn new(definition: &Arc<OpDef>, checker: &Checker<'_>) -> Option<Program> {
        let infer = type_inference(checker.context(), definition);
        let hooks = TextHooks::of(checker.context(), &definition.name).map(|(hooks, _)| hooks);
        let known = |name: &str| hooks.as_ref().is_some_and(|hooks| hooks.directive(name).is_some());
        let details = definition.details().clone();
        let Syntax::Format(format) = &details.syntax else { return None };
        let mut fits = true;
        let mut shown = vec![false; details.attributes.len()];
        let mut shown_natives = vec![false; details.natives.len()];
        format.walk(&mut |element| match element {
            Element::Custom { name, .. } => fits &= known(name),
            Element::Attribute(at) => shown[*at as usize] = true,
            Element::Native(at) => shown_natives[*at as usize] = true,
            // Nothing writes these into an operation.
            Element::Parameter(_) | Element::Parameters | Element::Struct(_) | Element::PropDict => fits = false,
            _ => {}
        });
        if !fits {
            return None;
        }
        let mut builder = Builder { details: &details, steps: Vec::new(), space: true, punctuation: false };
        builder.list(&format.elements, None);
        let steps = builder.steps;
        let forms = details.attributes.iter().map(|of| AttributeForm::of(&of.constraint, checker)).collect();
        let hides_types = hides_types(&details, &format.elements);
        let definition = definition.clone();
        Some(Program { definition, details, steps, forms, shown, shown_natives, hides_types, hooks, infer })
    }
}

impl Program {
    /// The directive of that name that the operation's dialect brings.
    pub(crate) fn directive(&self, name: &str) -> Option<Directive> {
        self.hooks.as_ref()?.directive(name)
    }

    /// Whether an element always stands for one operand or result.
    pub(crate) fn is_one(&self, element: &Element) -> bool {
        match element {
            Element::Operand(at) => self.details.operands[*at as usize].multiplicity == Multiplicity::One,
            Element::Result(at) => self.details.results[*at as usize].multiplicity == Multiplicity::One,
            _ => false,
        }
    }

    /// An attribute of the definition, and how it is written.
    pub(crate) fn attribute(&self, number: u32) -> (&AttributeDef, &AttributeForm) {
        (&self.details.attributes[number as usize], &self.forms[number as usize])
    }
}

/// Whether there are operands or results whose types no element shows that is always there, or is a directive.
fn hides_types(details: &OpDetails, elements: &[Element]) -> bool {
    fn shown<'e>(element: &'e Element, found: &mut Vec<&'e Element>) {
        match element {
            Element::Type(of) => match &**of {
                Element::Qualified(of) => found.push(of),
                of => found.push(of),
            },
            Element::FunctionalType(inputs, results) => found.extend([&**inputs, results]),
            Element::Qualified(of) => shown(of, found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    elements.iter().for_each(|element| shown(element, &mut found));
    let is_shown = |element: Element, all: Element| found.iter().any(|of| **of == element || **of == all);
    let mut operands = (0..details.operands.len()).map(|at| Element::Operand(at as u32));
    let mut results = (0..details.results.len()).map(|at| Element::Result(at as u32));
    operands.any(|of| !is_shown(of, Element::Operands)) || results.any(|of| !is_shown(of, Element::Results))
}

struct Builder<'d> {
    details: &'d OpDetails,
    steps: Vec<Step>,
    /// Whether what comes next wants a space before it.
    space: bool,
    /// Whether what came last was punctuation.
    punctuation: bool,
}

impl Builder<'_> {
    fn list(&mut self, elements: &[Element], left_out: Option<&Element>) {
        for element in elements {
            if left_out != Some(element) {
                self.element(element);
            }
        }
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Literal(text) => self.literal(text),
            Element::Space => {
                self.steps.push(Step::Space);
                (self.punctuation, self.space) = (false, false);
            }
            Element::NoSpace => (self.punctuation, self.space) = (true, false),
            Element::Newline => self.steps.push(Step::Newline),
            Element::AttrDict | Element::AttrDictWithKeyword | Element::PropDict => {
                self.steps.push(Step::Dictionary { keyword: *element == Element::AttrDictWithKeyword });
                self.punctuation = false;
            }
            Element::Optional { then, otherwise, anchor } => {
                let list = if anchor.in_otherwise { otherwise } else { then };
                let Some(anchor_element) = list.get(anchor.position as usize) else { return };
                let is_first = |list: &[Element]| {
                    let space =
                        |element: &&Element| matches!(element, Element::Space | Element::NoSpace | Element::Newline);
                    list.iter().find(|element| !space(element)) == Some(anchor_element)
                };
                let first = is_first(then) || is_first(otherwise);
                let sets = Some(anchor_element).filter(|element| !first && self.is_unit(element));
                let at = self.steps.len();
                self.steps.push(Step::Space);
                self.list(then, sets);
                let middle = self.steps.len() + 1;
                self.steps.push(Step::Space);
                self.list(otherwise, sets);
                let end = self.steps.len();
                self.steps[middle - 1] = Step::Jump(end);
                self.steps[at] = Step::Optional {
                    anchor: anchor_element.clone(),
                    inverted: anchor.in_otherwise,
                    middle,
                    end,
                    sets: sets.cloned(),
                };
            }
            Element::Clauses(clauses) => {
                let at = self.steps.len();
                self.steps.push(Step::Space);
                let mut made = Vec::new();
                for clause in clauses {
                    let start = self.steps.len();
                    let unit = match clause.as_slice() {
                        [_, element] if self.is_unit(element) => Some(element),
                        _ => None,
                    };
                    self.list(clause, unit);
                    let mut holds = Vec::new();
                    for element in clause {
                        self.variables(element, &mut holds);
                    }
                    made.push(Clause { start, end: self.steps.len(), holds, sets: unit.cloned() });
                    self.steps.push(Step::Jump(at));
                }
                let end = self.steps.len();
                self.steps[at] = Step::Clauses { clauses: made, end };
            }
            _ => {
                let space = self.space || !self.punctuation;
                (self.punctuation, self.space) = (false, true);
                self.steps.push(Step::Element(element.clone(), space));
            }
        }
    }

    fn literal(&mut self, text: &str) {
        let first = text.chars().next().unwrap_or(' ');
        let closes = if self.punctuation { ">)}]," } else { "<>(){}[]," };
        let before = text.len() != 1 && text != "->" || !closes.contains(first);
        self.steps.push(Step::Literal(text.to_owned(), self.space && before));
        self.space = text.len() != 1 || !"<({[".contains(first);
        self.punctuation = first != '_' && !first.is_ascii_alphabetic();
    }

    /// Whether it is a unit attribute or property.
    fn is_unit(&self, element: &Element) -> bool {
        match element {
            Element::Attribute(at) => self.details.attributes[*at as usize].constraint.storage == "UnitAttr",
            Element::Native(at) => {
                matches!(self.details.natives[*at as usize].native, Some(mlirbc_ir::ods::NativeProperty::Bool))
            }
            _ => false,
        }
    }

    /// What of a clause can be absent.
    fn variables(&self, element: &Element, into: &mut Vec<Element>) {
        match element {
            Element::Operand(at) if self.details.operands[*at as usize].multiplicity != Multiplicity::One => {
                into.push(element.clone());
            }
            Element::Attribute(_) | Element::Native(_) => into.push(element.clone()),
            Element::Custom { arguments, .. } => arguments.iter().for_each(|each| self.variables(each, into)),
            _ => {}
        }
    }
}
