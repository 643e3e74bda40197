//! Operations that take a line each: most of these have been parsed before, but for the names of values and blocks in them.
//!
//! What the text of an operation stands for depends on nothing but that text, on the dialect whose name it may leave out, on how many
//! results are named before it, on which of its names are the same, and on what comes next, where it could go on: neither aliases nor
//! anything else that it may refer to ever change. So a line whose text was parsed as a whole once, and stood for an operation without
//! regions, stands for another one like it. Where an operation ends is a guess: a wrong one is never found again.

use std::io::BufRead;
use std::rc::Rc;

use super::module::{Dictionaries, OpParser};
use super::names::ValueName;
use super::operation::OperationInfo;
use mlirbc_ir::{OpId, Result, TypeRef};

/// Longer lines are parsed each time.
const LONGEST: usize = 1 << 10;

/// Lines with more names are parsed each time.
const MOST_NAMES: usize = 64;

/// How many lines are remembered.
const MOST: usize = 1 << 14;

/// What a line stands for.
pub(super) struct Line {
    info: OperationInfo,
    dictionaries: Dictionaries,
    inputs: Box<[TypeRef]>,
    outputs: Box<[TypeRef]>,
    /// For each operand and each successor, which of the names in the line it has.
    operands: Box<[u32]>,
    successors: Box<[u32]>,
}

/// The line that is being parsed.
#[derive(Default)]
pub(super) struct Sought<'a> {
    /// All that its meaning depends on: what stands in the line but for names, and what goes before and comes next.
    text: Vec<u8>,
    names: Vec<ValueName<'a>>,
    labels: Vec<(&'a [u8], usize)>,
    end: usize,
    /// Up to where the text has been looked through: what begins before is no line of its own.
    scanned: usize,
    /// The operations of the body and the errors before it, while it is parsed.
    pub(super) before: Option<(usize, usize)>,
    /// Where the text of the operation ended, all but its location.
    pub(super) stopped: usize,
    made: Option<Line>,
}

impl<'a> OpParser<'a> {
    /// Parses an operation whose line is known, up to its end. False where it is not, with nothing taken.
    pub(super) fn known_line(&mut self, at: usize) -> Result<bool> {
        let is_line = at >= self.sought.scanned && self.seek_line(at);
        self.sought.scanned = self.sought.scanned.max(self.at.position());
        self.at.seek(at);
        (self.sought.before, self.sought.made) = (None, None);
        if !is_line {
            return Ok(false);
        }
        let Some(line) = self.lines_known.get(self.sought.text.as_slice()).cloned() else {
            if self.lines_known.len() < MOST {
                self.sought.before = Some((self.body().operation_count(), self.errors.len()));
            }
            return Ok(false);
        };
        self.at.seek(self.sought.end);
        let location = match self.at.trailing_location()? {
            Some(location) => location,
            None => self.location_of(at)?,
        };
        let block = self.block_for_operation();
        let op = self.body().begin_operation(block, line.info.name(), location);
        if !line.successors.is_empty() {
            let labels = line.successors.iter().map(|&number| self.sought.labels[number as usize]).collect();
            self.frame().successors.push((op, labels));
        }
        let (results, mut operands) = (std::mem::take(&mut self.results), std::mem::take(&mut self.operands));
        operands.extend(line.operands.iter().map(|&number| self.sought.names[number as usize]));
        self.inputs.clear();
        self.inputs.extend_from_slice(&line.inputs);
        self.outputs.clear();
        self.outputs.extend_from_slice(&line.outputs);
        let done = self.finish_with(op, line.info, location, line.dictionaries, &operands, &results, None);
        (self.results, self.operands) = (results, operands);
        done.map(|()| true)
    }

    /// Finds the end of the line that begins there, and what its meaning depends on. False where it may be no line, or is long.
    fn seek_line(&mut self, at: usize) -> bool {
        let named: u64 = self.results.iter().map(|result| u64::from(result.1)).sum();
        let dialect = self.frame().dialect.map_or(u32::MAX, |dialect| dialect.attribute().raw());
        let all = self.at.source();
        let text = &all[..all.len().min(at + LONGEST)];
        // A region begins there.
        let length = (&text[at..]).skip_until(b'\n').unwrap_or_default();
        if text[at..at + length].trim_ascii_end().ends_with(b"{") {
            self.at.seek(at + length);
            return false;
        }
        let sought = &mut self.sought;
        sought.text.clear();
        sought.names.clear();
        sought.labels.clear();
        sought.text.extend_from_slice(&named.to_le_bytes());
        sought.text.extend_from_slice(&dialect.to_le_bytes());
        let (mut from, mut end) = (at, at);
        while let Some(&byte) = text.get(end) {
            match byte {
                b'\n' => break,
                b'%' | b'^' => {
                    sought.text.extend_from_slice(&text[from..=end]);
                    self.at.seek(end + 1);
                    let Ok(name) = self.at.suffix_identifier() else { return false };
                    let start = std::mem::replace(&mut end, self.at.position());
                    if byte == b'^' {
                        sought.labels.push((name, start));
                    } else {
                        let mut name = self.names.name(name, start);
                        if self.at.eat_next(b'#') {
                            sought.text.push(b'#');
                            let digits = all[end + 1..].iter().take_while(|digit| digit.is_ascii_digit());
                            let number = digits.take(9).fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
                            let Some(Ok(result)) = self.at.unsigned().map(u32::try_from) else { return false };
                            if result != number {
                                return false;
                            }
                            name.result = result;
                            end = self.at.position();
                        }
                        // What uses a value twice may be another operation.
                        let is_same = |known: &ValueName<'_>| (known.text, known.result) == (name.text, name.result);
                        if let Some(at) = sought.names.iter().position(is_same) {
                            sought.text.extend_from_slice(&[0, at as u8]);
                        }
                        if sought.names.len() == MOST_NAMES {
                            return false;
                        }
                        sought.names.push(name);
                    }
                    from = end;
                    continue;
                }
                // It tells names apart.
                0 => return false,
                b'"' => {
                    end += 1;
                    while *text.get(end).unwrap_or(&b'\n') != b'"' {
                        end += match text.get(end) {
                            Some(b'\\') => 2,
                            Some(b'\n') | None => return false,
                            Some(_) => 1,
                        };
                    }
                }
                b'/' if text.get(end + 1) == Some(&b'/') => return false,
                b'(' if text[from..end].ends_with(b" loc") => {
                    end -= 4;
                    break;
                }
                _ => {}
            }
            end += 1;
        }
        self.at.seek(end);
        // A name or the line is too long.
        if end > text.len() || end == text.len() && end < all.len() {
            return false;
        }
        end = from + text[from..end].trim_ascii_end().len();
        // A region begins there.
        if text[..end].ends_with(b"{") {
            return false;
        }
        sought.text.extend_from_slice(&text[from..end]);
        sought.text.push(b'\n');
        sought.end = end;
        self.at.seek(end);
        let next = self.at.peek();
        let word = self.at.peek_word();
        match next {
            // It may open a dictionary, or the resources of the file.
            Some(b'{') => return false,
            Some(byte) if word.is_empty() => sought.text.push(byte),
            _ => sought.text.extend_from_slice(word),
        }
        true
    }

    /// Notes what the line that is being parsed stands for, where nothing else has been made of it.
    pub(super) fn note_line(
        &mut self,
        op: OpId,
        info: OperationInfo,
        dictionaries: Dictionaries,
        operands: &[ValueName<'a>],
    ) {
        let Some((operations, _)) = self.sought.before else { return };
        if op.index() != operations || self.body().operation_count() != operations + 1 {
            return;
        }
        let successors = match self.frame().successors.last() {
            Some((of, labels)) if *of == op => labels.clone(),
            _ => Vec::new(),
        };
        let sought = &self.sought;
        let name = |operand: &ValueName<'a>| {
            let number = sought.names.binary_search_by_key(&operand.at, |name| name.at).ok()?;
            (sought.names[number].result == operand.result).then_some(number as u32)
        };
        let label = |label: &(&[u8], usize)| {
            sought.labels.binary_search_by_key(&label.1, |known| known.1).ok().map(|number| number as u32)
        };
        let operands: Option<Box<[u32]>> = operands.iter().map(name).collect();
        let successors: Option<Box<[u32]>> = successors.iter().map(label).collect();
        if let (Some(operands), Some(successors)) = (operands, successors)
            && operands.len() == sought.names.len()
            && successors.len() == sought.labels.len()
        {
            let (inputs, outputs) = (self.inputs.as_slice().into(), self.outputs.as_slice().into());
            self.sought.made = Some(Line { info, dictionaries, inputs, outputs, operands, successors });
        }
    }

    /// Remembers the line that was parsed, where it is one that nothing was wrong with.
    pub(super) fn remember_line(&mut self) {
        let made = self.sought.made.take();
        let (Some((_, errors)), Some(line)) = (self.sought.before.take(), made) else { return };
        let between = self.at.source().get(self.sought.end..self.sought.stopped);
        if self.errors.len() == errors && between.is_some_and(|between| between.trim_ascii().is_empty()) {
            self.lines_known.insert(self.sought.text.as_slice().into(), Rc::new(line));
        }
    }
}
