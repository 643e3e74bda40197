//! Where the bytes of a SPIR-V binary are: by the parts that a module has in this order, and by function.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlirbc::spirv::ModuleView;
use mlirbc::{Error, Module, Result};

use super::bytecode::{KEPT, largest};
use super::page::Table;
use super::tree::{Largest, Node};

/// How many bytes come before the instructions.
const HEADER: u64 = 20;

/// Parts of a module and what stands in them, but for functions and what comes before them and has no other place.
const PARTS: [(&str, &[&str]); 5] = [
    ("capabilities, extensions and imports", &["Capability", "Extension", "ExtInstImport", "MemoryModel"]),
    ("entry points and their modes", &["EntryPoint", "ExecutionMode", "ExecutionModeId"]),
    (
        "names and lines",
        &[
            "String",
            "SourceExtension",
            "Source",
            "SourceContinued",
            "Name",
            "MemberName",
            "ModuleProcessed",
            "Line",
            "NoLine",
        ],
    ),
    (
        "decorations",
        &[
            "Decorate",
            "MemberDecorate",
            "DecorationGroup",
            "GroupDecorate",
            "GroupMemberDecorate",
            "DecorateId",
            "DecorateString",
            "MemberDecorateString",
        ],
    ),
    ("types, constants and variables", &[]),
];

/// Sizes of what the binary holds, and tables of what in it is of interest.
pub(super) fn sizes(module: &Module, bytes: &[u8]) -> Result<(Vec<Node>, Vec<Table>)> {
    let view = ModuleView::of(module)?;
    let word = |at: usize| -> Option<u32> {
        let word = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(if view.header().big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
    };
    type Kinds = BTreeMap<&'static str, (u64, u64)>;
    let mut parts: [Kinds; PARTS.len()] = Default::default();
    let mut functions = Largest::new(KEPT);
    let mut function: Option<(Rc<str>, Kinds)> = None;
    let mut at = HEADER as usize;
    for instruction in view.instructions() {
        // An operation is an instruction, whose first word says how many there are.
        let size = word(at).map(|first| 4 * (first >> 16) as usize).filter(|&size| size > 0);
        let size = size.ok_or_else(|| Error::malformed("an instruction without words").at(at as u64))?;
        at += size;
        let name = instruction.name();
        if name == "Function" {
            let name = instruction.result().map_or_else(|| "?".to_owned(), |value| view.show_value(value));
            function = Some((super::preview(&name).into(), Kinds::new()));
        }
        let part = PARTS.iter().position(|(_, names)| names.contains(&name)).unwrap_or(PARTS.len() - 1);
        let kinds = function.as_mut().map_or(&mut parts[part], |function| &mut function.1);
        let tally = kinds.entry(name).or_default();
        *tally = (tally.0 + size as u64, tally.1 + 1);
        if name == "FunctionEnd"
            && let Some((name, kinds)) = function.take()
        {
            functions.push(Node::of(name, 1, leaves(kinds)));
        }
    }
    // One that nothing ends.
    if let Some((name, kinds)) = function {
        functions.push(Node::of(name, 1, leaves(kinds)));
    }
    let functions = Node::of("functions", 1, super::tree::by_name(functions.finish()));
    let mut nodes = vec![Node::leaf("header", HEADER, 1)];
    for ((name, _), kinds) in PARTS.into_iter().zip(parts) {
        let mut children = leaves(kinds);
        if name.starts_with("types") {
            children = by_class(children);
        }
        nodes.push(Node::of(name, 1, children));
    }
    let table = largest("Largest functions", &functions.children, &|node| !node.children.is_empty());
    nodes.push(functions);
    Ok((nodes, vec![table]))
}

fn leaves(kinds: BTreeMap<&'static str, (u64, u64)>) -> Vec<Node> {
    kinds.into_iter().map(|(name, (bytes, count))| Node::leaf(name, bytes, count)).collect()
}

/// Types, constants and all else.
fn by_class(nodes: Vec<Node>) -> Vec<Node> {
    let mut classes: BTreeMap<&str, Vec<Node>> = BTreeMap::new();
    for node in nodes {
        let class = match &*node.name {
            name if name.starts_with("Type") => "types",
            name if name.contains("Constant") => "constants",
            "Variable" => "variables",
            _ => "others",
        };
        classes.entry(class).or_default().push(node);
    }
    classes.into_iter().map(|(class, nodes)| Node::of(class, 1, nodes)).collect()
}
