//! `mlirbc completions` and `mlirbc man`: made from what the command line takes, so that they tell no more and no less.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap_complete::Shell;
use clap_mangen::Man;
use mlirbc::{Error, Result};

/// Print a script that completes the words of this command in a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc completions bash > ~/.local/share/bash-completion/completions/mlirbc\n  \
                        mlirbc completions zsh > ~/.zfunc/_mlirbc    # a folder of $fpath\n  \
                        mlirbc completions fish > ~/.config/fish/completions/mlirbc.fish")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, mut command: clap::Command) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "mlirbc", &mut script);
        super::show(|out| Ok(out.write_all(&script)?))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Print a manual page, of this command or of a subcommand
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc man | man -l -\n  mlirbc man store put | man -l -\n  \
                        mlirbc man --out-dir ~/.local/share/man/man1    # all pages: man mlirbc-convert")]
pub(crate) struct Manual {
    /// The subcommand; none for the command itself
    #[arg(value_name = "COMMAND")]
    names: Vec<String>,
    /// Folder that every page is written to
    #[arg(long, value_name = "DIR", conflicts_with = "names")]
    out_dir: Option<PathBuf>,
}

impl Manual {
    pub(crate) fn run(self, mut command: clap::Command) -> Result<ExitCode> {
        command.build();
        if let Some(folder) = &self.out_dir {
            std::fs::create_dir_all(folder).map_err(|error| super::about(folder, error))?;
            write_all(&command, folder)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut found = &command;
        for name in &self.names {
            found = match found.find_subcommand(name) {
                Some(found) => found,
                None => return Ok(super::wrong_usage(format_args!("no command `{name}` in `{}`", found.get_name()))),
            };
        }
        super::show(|out| render(found, out))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn render(command: &clap::Command, out: &mut dyn std::io::Write) -> Result<()> {
    Man::new(command.clone()).render(out).map_err(Error::from)
}

/// Writes the page of a command and those of its subcommands.
fn write_all(command: &clap::Command, folder: &Path) -> Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    super::write_to(&folder.join(format!("{name}.1")), |out| render(command, out))?;
    command.get_subcommands().filter(|inner| inner.get_name() != "help").try_for_each(|inner| write_all(inner, folder))
}
