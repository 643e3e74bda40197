//! What two modules have different: by entry point, declaration and function.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::time::{Duration, Instant};

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Module, Result, Value};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::view::{ExecutionMode, InstructionView, ModuleView, Operand, OperandValue};

/// A part of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ModulePart {
    /// What the module says of itself: version, capabilities, extensions, imports, memory model.
    Module,
    /// An entry point: its function, interface and execution modes.
    EntryPoint,
    /// A type, constant, variable or other definition outside of functions, with its decorations.
    Declaration,
    /// A function, instruction by instruction.
    Function,
}

impl ModulePart {
    /// Its name in lower case: `entry point`.
    pub fn name(self) -> &'static str {
        match self {
            ModulePart::Module => "module",
            ModulePart::EntryPoint => "entry point",
            ModulePart::Declaration => "declaration",
            ModulePart::Function => "function",
        }
    }
}

/// Which of two modules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// One part that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is.
    pub part: ModulePart,
    /// Its name: what the host calls an entry point, or `%main`, or the text of a type.
    pub name: String,
    /// The module that alone has it; `None` where both do.
    pub only_in: Option<Side>,
    /// The lines that one module has and the other has not, in order.
    pub lines: Vec<(Side, String)>,
}

/// What two modules have different, in the order of the parts, then by name.
///
/// Numbers of ids, the order of declarations, names of what is inside functions, source lines and the bound do not count.
/// Definitions are matched by name, by what they are where they have none.
///
/// # Errors
/// As [`ModuleView::of`].
pub fn differences(first: &Module, second: &Module) -> Result<Vec<Difference>> {
    let (mut first, mut second) = (ModuleLines::of(first)?, ModuleLines::of(second)?);
    let mut found = Vec::new();
    let keys: Vec<_> = first.parts.keys().chain(second.parts.keys()).cloned().collect();
    for key in keys {
        let (a, b) = (first.parts.remove(&key), second.parts.remove(&key));
        let (only_in, lines) = match (a, b) {
            (Some(a), Some(b)) if a == b => continue,
            (Some(a), Some(b)) => (None, changed(&a, &b)),
            (Some(a), None) => (Some(Side::First), a.into_iter().map(|line| (Side::First, line)).collect()),
            (None, Some(b)) => (Some(Side::Second), b.into_iter().map(|line| (Side::Second, line)).collect()),
            (None, None) => continue,
        };
        found.push(Difference { part: key.0, name: key.1, only_in, lines });
    }
    found.sort_by(|a, b| (a.part, &a.name).cmp(&(b.part, &b.name)));
    Ok(found)
}

/// How long the lines of one part are compared before what is left counts as replaced: two long functions that have
/// nothing in common would take for ever.
const PATIENCE: Duration = Duration::from_secs(2);

fn changed(a: &[String], b: &[String]) -> Vec<(Side, String)> {
    let operations = capture_diff_slices_deadline(Algorithm::Patience, a, b, Some(Instant::now() + PATIENCE));
    let mut lines = Vec::new();
    for operation in operations {
        if let DiffOp::Equal { .. } = operation {
            continue;
        }
        let (old, new) = (operation.old_range(), operation.new_range());
        lines.extend(a[old].iter().map(|line| (Side::First, line.clone())));
        lines.extend(b[new].iter().map(|line| (Side::Second, line.clone())));
    }
    lines
}

/// What outside of functions is shown with what it is about, or does not count.
const SHOWN_ELSEWHERE: &[&str] = &[
    "Capability",
    "Extension",
    "MemoryModel",
    "EntryPoint",
    "ExecutionMode",
    "ExecutionModeId",
    "Name",
    "MemberName",
    "Decorate",
    "DecorateId",
    "DecorateString",
    "MemberDecorate",
    "MemberDecorateString",
    "GroupDecorate",
    "GroupMemberDecorate",
    "TypeForwardPointer",
    "Source",
    "SourceContinued",
    "SourceExtension",
    "ModuleProcessed",
    "Line",
    "NoLine",
];

/// A module as lines, by part.
struct ModuleLines<'m> {
    view: ModuleView<'m>,
    /// What values are called, in a way that does not depend on their ids.
    labels: HashMap<Value, String>,
    taken: HashMap<String, u32>,
    /// What the first entry point of each function is called.
    entries: HashMap<Value, String>,
    parts: BTreeMap<(ModulePart, String), Vec<String>>,
}

/// A label is cut off behind so many bytes, and a hash put in the place of the rest.
const LONGEST: usize = 160;

impl<'m> ModuleLines<'m> {
    fn of(module: &'m Module) -> Result<Self> {
        let view = ModuleView::of(module)?;
        let mut entries = HashMap::new();
        for entry in view.entry_points() {
            entries.entry(entry.function).or_insert_with(|| entry.name.clone());
        }
        let (labels, taken, parts) = (HashMap::new(), HashMap::new(), BTreeMap::new());
        let mut shown = ModuleLines { view, labels, taken, entries, parts };
        shown.module();
        let instructions: Vec<InstructionView<'m>> = shown.view.instructions().collect();
        // A variable's initializer, an entry point and a call may use what comes later: first names, then lines.
        let mut inside = false;
        for &instruction in &instructions {
            inside |= instruction.name() == "Function";
            if let Some(value) = instruction.result()
                && (!inside || instruction.name() == "Function")
            {
                let label = shown.module_label(instruction, value)?;
                shown.label(value, label);
            }
            inside &= instruction.name() != "FunctionEnd";
        }
        let mut at = 0;
        while let Some(&instruction) = instructions.get(at) {
            if instruction.name() == "Function" {
                let rest = &instructions[at..];
                let end = rest.iter().position(|it| it.name() == "FunctionEnd").map_or(rest.len(), |end| end + 1);
                shown.function(&rest[..end])?;
                at += end;
            } else {
                match instruction.result() {
                    Some(value) => shown.declaration(instruction, value)?,
                    None if SHOWN_ELSEWHERE.contains(&instruction.name()) => {}
                    None => {
                        let line = shown.line(instruction)?;
                        shown.parts.entry((ModulePart::Module, String::new())).or_default().push(line);
                    }
                }
                at += 1;
            }
        }
        shown.entry_points();
        Ok(shown)
    }

    fn module(&mut self) {
        let (view, mut lines) = (&self.view, Vec::new());
        let version = view.header().version;
        lines.push(format!("version {}.{}", version >> 16 & 0xff, version >> 8 & 0xff));
        lines.push(format!("generator {:#x}", view.header().generator));
        if let Some((addressing, memory)) = view.memory_model() {
            lines.push(format!("memory model {addressing} {memory}"));
        }
        for (what, names) in [("capability", view.capabilities()), ("extension", view.extensions())] {
            let mut names: Vec<_> = names.iter().collect();
            names.sort_unstable();
            lines.extend(names.iter().map(|name| format!("{what} {name}")));
        }
        self.parts.insert((ModulePart::Module, String::new()), lines);
    }

    /// The same label a second time gets a number.
    fn label(&mut self, value: Value, mut label: String) {
        let count = self.taken.entry(label.clone()).or_default();
        *count += 1;
        if *count > 1 {
            label.push_str(&format!("#{count}"));
        }
        self.labels.insert(value, label);
    }

    fn module_label(&self, instruction: InstructionView<'m>, value: Value) -> Result<String> {
        if let Some(name) = self.view.name(value) {
            return Ok(format!("%{name}"));
        }
        if instruction.name() == "Function" {
            return Ok(self.entries.get(&value).map_or_else(|| "%function".into(), |name| format!("%{name}")));
        }
        let mut label = self.line(instruction)?;
        self.decorations(value).iter().for_each(|decoration| label.push_str(&format!(" [{decoration}]")));
        if label.len() > LONGEST {
            let mut hash = DefaultHasher::new();
            hash.write(label.as_bytes());
            let hash = hash.finish();
            let mut end = LONGEST;
            while !label.is_char_boundary(end) {
                end -= 1;
            }
            label.truncate(end);
            label.push_str(&format!("...{hash:016x}"));
        }
        Ok(label)
    }

    fn value(&self, value: Value) -> String {
        self.labels.get(&value).cloned().unwrap_or_else(|| match self.view.name(value) {
            Some(name) => format!("%{name}"),
            None => "%later".to_owned(),
        })
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand.value {
            OperandValue::Id(value) => format!("({})", self.value(value)),
            _ => self.view.show(operand),
        }
    }

    /// An instruction without its result.
    fn line(&self, instruction: InstructionView<'m>) -> Result<String> {
        let mut line = instruction.name().to_owned();
        if let Some(ty) = instruction.result_type() {
            line.push_str(&format!(" ({})", self.value(ty)));
        }
        for operand in instruction.operands()? {
            line.push(' ');
            line.push_str(&self.operand(&operand));
        }
        Ok(line)
    }

    fn decorations(&self, value: Value) -> Vec<String> {
        let of = |member: Option<u32>| member.map_or(String::new(), |member| format!("member {member} "));
        let (own, groups) = self.view.own_decorations(value);
        let own = own.iter().map(|decoration| {
            let operands: Vec<String> = decoration.operands.iter().map(|operand| self.operand(operand)).collect();
            let member = of(decoration.member);
            format!("{member}{} {}", decoration.name, operands.join(" ")).trim_end().to_owned()
        });
        // A group is named and not spelled out: all that many values have of large groups would be too much.
        let groups = groups.iter().map(|(group, member)| format!("{}group ({})", of(*member), self.value(*group)));
        let mut lines: Vec<String> = own.chain(groups).collect();
        lines.sort_unstable();
        lines
    }

    fn declaration(&mut self, instruction: InstructionView<'m>, value: Value) -> Result<()> {
        let mut lines = vec![self.line(instruction)?];
        lines.extend(self.decorations(value));
        for member in 0..instruction.ids().len() as u32 {
            if let Some(name) = self.view.member_name(value, member) {
                lines.push(format!("member {member} is called {name:?}"));
            }
        }
        self.parts.insert((ModulePart::Declaration, self.value(value)), lines);
        Ok(())
    }

    fn entry_points(&mut self) {
        let (mut parts, mut seen) = (Vec::new(), HashSet::new());
        for entry in self.view.entry_points() {
            let mut lines = vec![format!("function {}", self.value(entry.function))];
            let mut rest: Vec<String> =
                entry.interface.iter().map(|&value| format!("interface {}", self.value(value))).collect();
            // The modes are those of the function: said once.
            let modes: &[ExecutionMode] = if seen.insert(entry.function) { &entry.modes } else { &[] };
            rest.extend(modes.iter().map(|mode| {
                let operands: Vec<String> = mode.operands.iter().map(|operand| self.operand(operand)).collect();
                format!("mode {} {}", mode.name, operands.join(" ")).trim_end().to_owned()
            }));
            rest.sort_unstable();
            lines.append(&mut rest);
            parts.push(((ModulePart::EntryPoint, format!("{} {:?}", entry.model, entry.name)), lines));
        }
        self.parts.extend(parts);
    }

    /// Results inside are called by their instruction, counted, so that one more of them moves few names.
    fn function(&mut self, instructions: &[InstructionView<'m>]) -> Result<()> {
        let Some(function) = instructions.first().and_then(|first| first.result()) else { return Ok(()) };
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for instruction in &instructions[1..] {
            if let Some(value) = instruction.result() {
                let count = counts.entry(instruction.name()).or_default();
                *count += 1;
                self.labels.insert(value, format!("%{}.{count}", instruction.name()));
            }
        }
        let mut lines = Vec::with_capacity(instructions.len());
        for (at, &instruction) in instructions.iter().enumerate() {
            if matches!(instruction.name(), "Line" | "NoLine") {
                continue;
            }
            let line = self.line(instruction)?;
            let Some(value) = instruction.result() else {
                lines.push(line);
                continue;
            };
            lines.push(if at == 0 { line } else { format!("{} = {line}", self.value(value)) });
            lines.extend(self.decorations(value).into_iter().map(|decoration| format!("  {decoration}")));
        }
        self.parts.insert((ModulePart::Function, self.value(function)), lines);
        Ok(())
    }
}
