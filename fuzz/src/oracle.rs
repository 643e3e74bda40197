//! What has to hold of every module and every error.

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::text::{PrintOptions, print_module};
use mlirbc_ir::{CompareOptions, Context, Error, ErrorKind, Module, Result, compare};

/// Reads a file and decodes everything in it.
pub(crate) fn load(context: &Context, bytes: &[u8]) -> Result<Module> {
    let module = read(context, bytes.to_vec())?;
    decode_all(&module)?;
    Ok(module)
}

/// The module as text, with locations, after it was printed in custom assembly, too. `None` where the text would be longer
/// than any file deserves: shared entries can make it exponential in the size of the file. Not always UTF-8: what nobody
/// knows is kept as it is.
pub(crate) fn text(module: &Module) -> Option<Vec<u8>> {
    printed(module, false);
    printed(module, true)
}

fn printed(module: &Module, generic: bool) -> Option<Vec<u8>> {
    let mut text = Bounded { text: Vec::new(), left: 16 << 20 };
    match print_module(module, &PrintOptions::new().locations(true).generic(generic), &mut text) {
        Ok(()) => Some(text.text),
        // Other errors are not for a module whose every part has been decoded.
        Err(error) => match text.left {
            0 => None,
            _ if error.message().contains("longer than") => None,
            _ => panic!("decoded, and cannot be printed: {error}"),
        },
    }
}

/// Takes so many bytes and no more.
struct Bounded {
    text: Vec<u8>,
    left: usize,
}

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > self.left {
            self.left = 0;
            return Err(std::io::Error::other("too long a text"));
        }
        self.left -= bytes.len();
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What is wrong with a file of so many bytes is said as it should be: what, where, and while reading what.
pub(crate) fn proper(error: &Error, length: usize) {
    assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
    assert!(error.place().offset.is_some_and(|offset| offset <= length as u64), "no place: {error}");
    assert!(!error.what_was_read().is_empty(), "what was being read is not said: {error}");
    assert!(error.to_string().len() < 2_000, "{error}");
}

/// Whether a module that reads may be refused when written: where its properties are not those that the definition of
/// the operation asks for, which verifying finds, where results of outermost operations are used, or where a name ends in
/// its only dot.
pub(crate) fn unfit(error: &Error) -> bool {
    error.message().contains(" in the properties of ")
        || error.message().starts_with("bytecode cannot hold the operation name ")
        || error.message() == "bytecode cannot hold a use of a result of an outermost operation"
}

fn holds(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

/// Whether a text may say less once it was parsed. MLIR reduces a fused location, and simplifies sums in sums, which it
/// prints without parentheses: what came out of another form is reduced by the second parse.
pub(crate) fn simplifies(text: &[u8]) -> bool {
    holds(text, b"fused<") || holds(text, b"affine_")
}

/// Whether a module may hold more than its text says: of zero points of blocks MLIR keeps whole bytes, and prints the bits
/// that count.
pub(crate) fn holds_more(text: &[u8]) -> bool {
    holds(text, b"quant.uniform<")
}

/// Whether bytecode may make more distinct attributes of those in the text, as it does in MLIR: each attribute that it holds
/// as text is parsed by itself, and shares none with others. A second time there are no more to make.
pub(crate) fn splits(text: &[u8]) -> bool {
    holds(text, b"distinct[")
}

/// Whether two modules of one context differ.
pub(crate) fn differ(first: &Module, second: &Module) -> bool {
    !compare(first, second, &CompareOptions::new().locations(true)).expect("decoded modules").is_empty()
}

/// Two modules of one context are the same.
#[track_caller]
pub(crate) fn same(first: &Module, second: &Module) {
    let differences = compare(first, second, &CompareOptions::new().locations(true)).expect("decoded modules");
    assert!(differences.is_empty(), "{} differences: {:#?}", differences.len(), &differences[..1]);
}

/// Writes a module at its own version, reads that back and writes it again: the bytes must be the same. Gives what was
/// written and read.
///
/// # Errors
/// What writing it the first time says.
#[track_caller]
pub(crate) fn written_and_read(
    context: &Context,
    module: &Module,
    options: &WriteOptions,
) -> Result<(Vec<u8>, Module)> {
    let written = write(module, options)?;
    let again = load(context, &written).unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    let rewritten = write(&again, options).unwrap_or_else(|error| panic!("cannot be written again: {error}"));
    assert!(rewritten == written, "writing again gives other bytes");
    Ok((written, again))
}

/// Whether two texts say the same. A writer puts resources in the order in which attributes refer to them, and leaves out
/// those that nothing refers to, as MLIR does.
pub(crate) fn same_text(text: &[u8], again: &[u8]) -> bool {
    let (text, again) = (String::from_utf8_lossy(text), String::from_utf8_lossy(again));
    /// Operations, and the lines of resources, each with the line that begins its group.
    fn split(text: &str) -> (&str, Vec<(&str, &str)>) {
        let (operations, resources) = text.split_once("\n{-#\n").unwrap_or((text, ""));
        let mut group = "";
        let lines = resources.lines().map(|line| line.trim().trim_end_matches(','));
        let lines = lines.filter(|line| !matches!(*line, "}" | "#-}")).map(|line| {
            if line.ends_with('{') {
                group = line;
            }
            (group, line)
        });
        (operations.trim_end(), lines.collect())
    }
    let ((operations, resources), (operations_again, resources_again)) = (split(&text), split(&again));
    let refers = |&(group, line): &(&str, &str)| {
        let key = line.split_once(": \"").map(|(key, _)| key);
        group == "builtin: {" && key.is_some_and(|key| operations.contains(&format!("dense_resource<{key}>")))
    };
    operations == operations_again
        && resources_again.iter().all(|line| resources.contains(line))
        && resources.iter().all(|line| resources_again.contains(line) || !refers(line))
}

/// A text for messages.
pub(crate) fn shown(text: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(text)
}
