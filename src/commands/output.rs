//! What the command writes, and what it says.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use mlirbc::Result;
use mlirbc::output::Output;

use super::color;

/// Writes to a file that appears whole or not at all; to standard output where the path is `-`.
///
/// A reader that goes away, as `head` does, has seen enough: that ends the writing, and is no failure. It changes nothing of
/// what the command has found out.
pub(crate) fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    write_sized_to(path, 0, write)
}

/// As [`write_to`], of as many bytes as that, or 0 where that is not known.
pub(crate) fn write_sized_to(path: &Path, bytes: u64, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if super::is_standard(path) && super::held::held(|_| ()).is_some() {
        let mut bytes = Vec::new();
        // What stands before an error is shown, as without threads.
        let result = write(&mut bytes);
        super::held::held(|held| held.out.append(&mut bytes));
        return result;
    }
    if super::is_standard(path) {
        no_longer_waiting();
    }
    let mut out = if super::is_standard(path) { Output::standard() } else { Output::create(path) }?;
    out.reserve(bytes);
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        Err(_) if out.reader_is_gone() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => out.finish(),
    }
}

/// Writes to standard output, as [`write_to`].
pub(crate) fn show(write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    write_to("-".as_ref(), write)
}

/// A module of so many bytes is read in a moment.
const LONG: usize = 4 << 20;

/// Shows on a terminal how many of so many passes have run, where a module of that size makes one wait.
pub(crate) fn progress(bytes: usize, passes: usize) -> ProgressBar {
    no_longer_waiting();
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}");
    match style {
        Ok(style) if bytes >= LONG => ProgressBar::new(passes as u64)
            .with_style(style)
            .with_message("reading")
            .with_finish(ProgressFinish::AndClear),
        _ => ProgressBar::hidden(),
    }
}

/// What turns on a terminal while one long file is worked on.
static WAITING: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Takes the sign away when it is dropped.
pub(crate) struct Waiting(());

/// Shows on a terminal that a file is worked on, where it is a long one, until something is written or said.
pub(crate) fn waiting(path: &Path) -> Waiting {
    let is_long = std::fs::metadata(path).is_ok_and(|data| data.len() >= LONG as u64);
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    if let (true, true, Ok(style)) = (is_long, std::io::stderr().is_terminal(), style) {
        let sign = ProgressBar::new_spinner()
            .with_style(style)
            .with_message(visible(&path.display().to_string()).into_owned());
        sign.enable_steady_tick(Duration::from_millis(100));
        *WAITING.lock().unwrap_or_else(PoisonError::into_inner) = Some(sign);
    }
    Waiting(())
}

fn no_longer_waiting() {
    if let Some(sign) = WAITING.lock().unwrap_or_else(PoisonError::into_inner).take() {
        sign.finish_and_clear();
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        no_longer_waiting();
    }
}

/// Says something on standard error. Where that cannot be written, there is no other way to tell.
pub(crate) fn say(message: impl Display) {
    if super::held::held(|held| held.messages.push(message.to_string())).is_some() {
        return;
    }
    no_longer_waiting();
    let text = message.to_string();
    let text = visible(&text);
    let text = if color::of_errors() { color::message(&text).into() } else { text };
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Says that the command was called wrongly, and gives the exit code for it.
pub(crate) fn wrong_usage(message: impl Display) -> ExitCode {
    say(format_args!("error: {message}"));
    ExitCode::from(2)
}

/// Text with its control characters escaped, but for ends of lines and tabs: a name in a file, or of one, must not talk to
/// the terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if !text.contains(hidden) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if hidden(letter) { shown.extend(letter.escape_unicode()) } else { shown.push(letter) }
    }
    shown.into()
}
