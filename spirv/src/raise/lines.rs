//! Debug information that is instructions of an extended set: the lines that it says become `OpLine` before anything else is looked at.
//! All words stay where they are, so that errors name the right place.

use hashbrown::HashMap;
use mlirbc_ir::Result;

use crate::binary::instructions::Instructions;
use crate::binary::words;
use crate::op;

/// The sets whose instructions are taken out. The first has lines of its own; beside the others stand those of `OpLine`.
const SETS: [&[u8]; 2] = [b"NonSemantic.Shader.DebugInfo.100", b"OpenCL.DebugInfo.100"];

// Instructions of the first set.
const FUNCTION: u32 = 20;
const SOURCE: u32 = 35;
const FUNCTION_DEFINITION: u32 = 101;
const LINE: u32 = 103;
const NO_LINE: u32 = 104;

/// A place in a source: the id of the string that names the file, the line, and the column.
pub(super) type Place = [u32; 3];

/// A module without such instructions.
pub(super) struct Lines {
    /// The words, with `OpLine` and `OpNoLine` in their place, as many as it takes.
    pub(super) words: Vec<u32>,
    /// Where each function begins of which that is said, by id.
    pub(super) functions: HashMap<u32, Place>,
}

/// What is known of ids.
#[derive(Default)]
struct Known {
    /// The set that each import is, by its place in [`SETS`].
    sets: HashMap<u32, usize>,
    constants: HashMap<u32, u32>,
    /// The file's name of each source.
    sources: HashMap<u32, u32>,
    functions: HashMap<u32, Place>,
}

impl Known {
    /// A place whose line is known: ids of a source, a line and a column.
    fn place(&self, [source, line, column]: [u32; 3]) -> Option<Place> {
        let line = *self.constants.get(&line).filter(|&&line| line != 0)?;
        Some([*self.sources.get(&source)?, line, self.constants.get(&column).copied().unwrap_or(0)])
    }
}

impl Lines {
    /// Takes them out. `None` where the module has no such set.
    ///
    /// # Errors
    /// Where an instruction is cut off.
    pub(super) fn of(words: &[u32]) -> Result<Option<Lines>> {
        let mut known = Known::default();
        let mut lines = Lines { words: Vec::new(), functions: HashMap::new() };
        // The line in force, which what is taken out does not change.
        let mut line: Option<Place> = None;
        let mut instructions = Instructions::new(words);
        while let Some(place) = instructions.next() {
            let place = place?;
            let of = place.words;
            let here = place.at..place.at + of.len();
            match (of[0] as u16, of) {
                (op::EXT_INST_IMPORT, &[_, id, ref name @ ..]) => {
                    let set = words::string(name).and_then(|(name, _)| SETS.iter().position(|&set| set == &*name));
                    let Some(set) = set else { continue };
                    if lines.words.is_empty() {
                        lines.words = words.to_vec();
                    }
                    known.sets.insert(id, set);
                    fill(&mut lines.words[here], None);
                }
                // Imports come first: without one, there is nothing to look for.
                (op::MEMORY_MODEL, _) if known.sets.is_empty() => return Ok(None),
                (op::CONSTANT, &[_, _, id, value]) => drop(known.constants.insert(id, value)),
                (op::LINE, &[_, file, number, column]) => line = Some([file, number, column]),
                (op::NO_LINE | op::FUNCTION_END, _) => line = None,
                (opcode, _) if super::is_terminator(opcode) => line = None,
                (op::EXT_INST, &[_, _, id, set, number, ref operands @ ..]) => {
                    let Some(&set) = known.sets.get(&set) else { continue };
                    match (set, number, operands) {
                        (0, SOURCE, &[file, ..]) => drop(known.sources.insert(id, file)),
                        (0, FUNCTION, &[_, _, source, number, column, ..]) => {
                            if let Some(place) = known.place([source, number, column]) {
                                known.functions.insert(id, place);
                            }
                        }
                        (0, FUNCTION_DEFINITION, &[function, of]) => {
                            if let Some(&place) = known.functions.get(&function) {
                                lines.functions.insert(of, place);
                            }
                        }
                        (0, LINE, &[source, first, _, column, _]) => line = known.place([source, first, column]),
                        (0, NO_LINE, _) => line = None,
                        _ => {}
                    }
                    fill(&mut lines.words[here], line);
                }
                _ => {}
            }
        }
        Ok((!lines.words.is_empty()).then_some(lines))
    }
}

/// Says again which line is in force, in so many words.
fn fill(words: &mut [u32], line: Option<Place>) {
    words.fill(1 << 16 | u32::from(op::NO_LINE));
    if let (Some(line), Some(last)) = (line, words.last_chunk_mut::<4>()) {
        *last = [4 << 16 | u32::from(op::LINE), line[0], line[1], line[2]];
    }
}
