//! What has to hold of every module and every error.

mod alike;
mod equal;
mod ways;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::ods::Release;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{
    CompareOptions, Context, Difference, Error, ErrorKind, Module, OpRef, RegionId, ResourceValue, Result, What,
    compare,
};
use mlirbc_text::{PrintOptions, print_module};

use crate::Outcome;

pub(crate) use alike::alike;
pub(crate) use equal::{Equal, Way};
pub use ways::comes_back_from_assembly;
pub(crate) use ways::{through_bytecode, through_text};

/// Reads a file and decodes everything in it.
pub(crate) fn load(context: &Context, bytes: &[u8]) -> Result<Module> {
    let module = read(context, bytes.to_vec())?;
    decode_all(&module)?;
    Ok(module)
}

/// As [`load`]. The error of a file that is refused has to be a [`proper`] one.
pub(crate) fn load_or_refuse(context: &Context, bytes: &[u8]) -> std::result::Result<Module, Outcome> {
    load(context, bytes).map_err(|error| {
        proper(&error, bytes.len());
        Outcome::Refused
    })
}

/// The module in generic form, with locations. `None` where the text would be longer than any file deserves: shared entries
/// can make it exponential in the size of the file. Not always UTF-8: what is unknown is kept as it is.
pub(crate) fn text(module: &Module) -> Option<Vec<u8>> {
    printed(module, &PrintOptions::new().locations(true))
}

fn printed(module: &Module, options: &PrintOptions) -> Option<Vec<u8>> {
    let mut text = Bounded { text: Vec::new(), left: 16 << 20 };
    match print_module(module, options, &mut text) {
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

/// Whether a module that reads may be refused when written, for what the error says: properties of an operation are not
/// those that its definition asks for, which verifying finds too; a name ends in its only dot; or a result of an outermost
/// operation is used; or an operation has a member that the release written for has not.
pub(crate) fn unfit(module: &Module, error: &Error) -> bool {
    let message = error.message();
    if let Some((_, name)) = message.split_once(" in the properties of ") {
        let mut found = false;
        let report = &mut |broken: Error| found |= broken.what_was_read().iter().any(|what| what.starts_with(name));
        verify_module(module, report).unwrap_or_else(|error| panic!("decoded, and cannot be verified: {error}"));
        return found;
    }
    let mut operations = every_operation(module);
    if let Some((_, rest)) = message.split_once(" cannot hold `")
        && let Some((member, of)) = rest.split_once("` of `")
    {
        // A member that operations of this name have in other releases of MLIR.
        return operations.any(|op| {
            of.strip_prefix(&*op.name()).is_some_and(|rest| rest.starts_with("` ("))
                && op.definition().is_some_and(|definition| definition.releases_with(member).is_some())
        });
    }
    match message {
        "bytecode cannot hold a use of a result of an outermost operation" => operations.any(|op| {
            let body = op.body();
            let outermost =
                |region: RegionId| body.operation_of(region).is_none() && op.body_id().index() == Module::TOP;
            op.operands().iter().any(|&value| body.defining_region(value).is_some_and(outermost))
        }),
        _ if message.starts_with("bytecode cannot hold the operation name ") => {
            operations.any(|op| op.name().split_once('.').is_some_and(|(_, rest)| rest.is_empty()))
        }
        _ if message.ends_with("that cannot be decoded would mean something new in it") => {
            operations.any(|op| op.is_opaque().is_ok_and(|is_opaque| is_opaque))
        }
        _ if message.starts_with("alignments of resources ask for ") => {
            let groups = module.resources().unwrap_or_default();
            let alignments = groups.iter().flat_map(|group| &group.entries).map(|entry| match entry.value {
                ResourceValue::Blob { alignment, .. } => alignment,
                _ => 0,
            });
            alignments.sum::<u64>() > 1 << 26
        }
        _ => false,
    }
}

/// Whether text does not say all of a module that was read: where a name is none in text, where properties are no dictionary,
/// where something is kept as the bytes of an unknown dialect, where the name of an operation has a zero byte in it, or
/// where an operation that is isolated from above uses values from there, which have no names in it.
pub(crate) fn text_cannot_say(module: &Module) -> bool {
    gains_definitions(module)
        || every_operation(module).any(|op| op.name().contains('\0'))
        || equal::holds_what_has_no_text(module)
        || ways::broken(module).iter().any(|rule| rule.ends_with("which is isolated from above"))
}

/// Whether an operation counts as unregistered that the context knows.
pub(crate) fn gains_definitions(module: &Module) -> bool {
    let context = module.context();
    every_operation(module).any(|op| {
        let name = op.operation_name();
        !context.is_registered(name) && context.is_known_operation(context.operation_text(name))
    })
}

/// Every operation of a module, bodies of their own included.
pub(crate) fn every_operation(module: &Module) -> impl Iterator<Item = OpRef<'_>> {
    let outermost = module.operations().expect("a decoded module");
    outermost.flat_map(|op| op.walk().expect("a decoded module"))
}

/// Two modules of one context are the same.
#[track_caller]
pub(crate) fn same(first: &Module, second: &Module) {
    same_but(first, second, |_| false);
}

/// Two modules of one context are the same, the second written at another version, but for properties that are kept as bytes
/// there: the producer names no release, and they fit the layouts of two.
#[track_caller]
pub(crate) fn same_at_another_version(first: &Module, second: &Module, options: &WriteOptions) {
    let unnamed = Release::of_producer(&options.producer).is_none();
    same_but(first, second, |difference| {
        let is_property = matches!(&difference.what, What::Property(name) if name.is_empty());
        unnamed && is_property && alike(first, second, Way::Bytecode(options.release)).is_ok()
    });
}

/// Two modules of one context are the same, but for resources that text or a writer has no reason to name, as in MLIR: those
/// without a value, and in the second those that nothing in `text` refers to.
#[track_caller]
pub(crate) fn same_but_unused(first: &Module, second: &Module, text: &str) {
    same_but(first, second, |difference| {
        let (owner, key) = difference.path.split_once('/').unwrap_or_default();
        let refers = owner == "builtin" && text.contains(&format!("dense_resource<{key}>"));
        let is = |side: &Option<String>| side.as_deref() == Some("a declaration");
        let unused = difference.second.is_none() && !refers || is(&difference.first) || is(&difference.second);
        difference.what == What::Presence && difference.name.is_empty() && unused
    });
}

#[track_caller]
fn same_but(first: &Module, second: &Module, forgiven: impl Fn(&Difference) -> bool) {
    let mut differences = compare(first, second, &CompareOptions::new().locations(true)).expect("decoded modules");
    differences.retain(|difference| !forgiven(difference));
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
