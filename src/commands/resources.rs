//! `mlirbc resources`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Session;
use mlirbc::bytecode::{self, WriteOptions};
use mlirbc::ir::{ResourceEntry, ResourceGroup, ResourceValue};
use mlirbc::text::{PrintOptions, print_module};
use mlirbc::{Error, Module, Result};
use serde_json::{Value, json};

use super::form::Format;

/// List, extract or strip the resources of a module
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc resources list model.mlirbc\n  \
                        mlirbc resources extract model.mlirbc weights -o weights.bin\n  \
                        mlirbc resources strip model.mlirbc -o small.mlirbc")]
pub(crate) struct Resources {
    #[command(subcommand)]
    subcommand: Sub,
}

#[derive(clap::Subcommand)]
enum Sub {
    /// Show each resource: its owner, its key, what it is, and its size
    #[command(
        after_help = "Examples:\n  mlirbc resources list model.mlirbc\n  mlirbc resources list model.mlirbc --json"
    )]
    List {
        /// A module, bytecode or text; `-` is standard input
        file: PathBuf,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write what one resource holds, as it is
    #[command(after_help = "Examples:\n  mlirbc resources extract model.mlirbc weights -o weights.bin\n  \
                            mlirbc resources extract model.mlirbc builtin/weights | sha256sum")]
    Extract {
        /// A module, bytecode or text; `-` is standard input
        file: PathBuf,
        /// Key of the resource; OWNER/KEY where several owners have one of that key
        name: String,
        /// Where it goes; `-`, the default, is standard output
        #[arg(short, long, value_name = "OUT", default_value = "-")]
        output: PathBuf,
    },
    /// Write the module without the data of its blobs, and say which these were
    ///
    /// Blobs of dialects become declarations, so that the attributes that name them stay valid. External blobs go
    /// altogether: a declaration of one could not be read back.
    #[command(after_help = "Examples:\n  mlirbc resources strip model.mlirbc -o small.mlirbc")]
    Strip {
        /// A module, bytecode or text; `-` is standard input
        file: PathBuf,
        /// Where the module goes: text where the extension is mlir, else bytecode
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        /// What was stripped as one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
}

impl Resources {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Sub::Strip { output, json: true, .. } = &self.subcommand
            && super::is_standard(output)
        {
            let message = "--json needs standard output for itself: say where the module goes with -o FILE";
            return Ok(super::wrong_usage(message));
        }
        let file = match &self.subcommand {
            Sub::List { file, .. } | Sub::Extract { file, .. } | Sub::Strip { file, .. } => file.clone(),
        };
        if let Sub::Extract { output, .. } | Sub::Strip { output, .. } = &self.subcommand
            && let Some(refused) = session.refuses(std::slice::from_ref(&file), &[(output.clone(), &file)])
        {
            return Ok(refused);
        }
        Ok(super::for_input(&file, |file| {
            let context = session.context()?;
            let module = super::read(&context, file)?;
            match &self.subcommand {
                Sub::List { json, .. } => list(&module, *json),
                Sub::Extract { name, output, .. } => extract(&module, name, output),
                Sub::Strip { output, json, .. } => strip(module, output, *json),
            }
        }))
    }
}

/// One resource, as it is shown.
struct Shown {
    owner: String,
    external: bool,
    key: String,
    kind: &'static str,
    size: Option<usize>,
    alignment: Option<u64>,
}

impl Shown {
    fn new(module: &Module, group: &ResourceGroup, entry: &ResourceEntry) -> Self {
        let (kind, size, alignment) = match &entry.value {
            ResourceValue::Declared(_) => ("declaration", None, None),
            ResourceValue::Blob { alignment, data } => ("blob", Some(data.len()), Some(*alignment)),
            ResourceValue::Bool(_) => ("bool", None, None),
            ResourceValue::String(value) => ("string", Some(value.len()), None),
        };
        Shown {
            owner: module.context().text(group.owner).into_owned(),
            external: !group.dialect,
            key: String::from_utf8_lossy(&entry.key).into_owned(),
            kind,
            size,
            alignment,
        }
    }

    fn line(&self) -> String {
        let mut line = format!("{}/{}: {}", self.owner, self.key, if self.external { "external " } else { "" });
        line += self.kind;
        if let Some(size) = self.size {
            line += &format!(", {}", Error::counted(size, "byte"));
        }
        if let Some(alignment) = self.alignment.filter(|&alignment| alignment > 1) {
            line += &format!(", aligned to {alignment}");
        }
        line
    }

    fn json(&self) -> Value {
        json!({
            "owner": self.owner,
            "external": self.external,
            "key": self.key,
            "kind": self.kind,
            "size": self.size,
            "alignment": self.alignment,
        })
    }
}

fn entries(module: &Module) -> Result<impl Iterator<Item = (&ResourceGroup, &ResourceEntry)>> {
    Ok(module.resources()?.iter().flat_map(|group| group.entries.iter().map(move |entry| (group, entry))))
}

fn list(module: &Module, json: bool) -> Result<()> {
    let shown: Vec<Shown> = entries(module)?.map(|(group, entry)| Shown::new(module, group, entry)).collect();
    super::show(|out| {
        if json {
            let all: Vec<Value> = shown.iter().map(Shown::json).collect();
            writeln!(out, "{:#}", json!({ "resources": all }))?;
        } else {
            shown.iter().try_for_each(|shown| writeln!(out, "{}", super::visible(&shown.line())))?;
        }
        Ok(())
    })
}

fn extract(module: &Module, name: &str, output: &Path) -> Result<()> {
    let full = |group: &ResourceGroup, entry: &ResourceEntry| {
        [module.context().bytes(group.owner), b"/", &entry.key].concat() == name.as_bytes()
    };
    let mut found: Vec<_> = entries(module)?.filter(|(_, entry)| entry.key == name.as_bytes()).collect();
    if found.is_empty() {
        found = entries(module)?.filter(|(group, entry)| full(group, entry)).collect();
    }
    let entry = match found.as_slice() {
        [] => return Err(Error::misuse(format!("no resource `{name}`"))),
        [(_, entry)] => *entry,
        several => {
            let owners = several.iter().map(|(group, _)| format!("{}/{name}", module.context().text(group.owner)));
            let owners = owners.collect::<Vec<_>>().join(", ");
            return Err(Error::misuse(format!("several resources `{name}`: say which of {owners}")));
        }
    };
    super::write_to(output, |out| {
        match &entry.value {
            ResourceValue::Blob { data, .. } => out.write_all(data.bytes()?)?,
            ResourceValue::String(value) => out.write_all(value)?,
            ResourceValue::Bool(value) => write!(out, "{value}")?,
            ResourceValue::Declared(_) => {
                return Err(Error::misuse(format!("resource `{name}` is only declared: the file holds no data of it")));
            }
        }
        Ok(())
    })
}

fn strip(mut module: Module, output: &Path, json: bool) -> Result<()> {
    let is_blob = |entry: &ResourceEntry| matches!(entry.value, ResourceValue::Blob { .. });
    let blobs = entries(&module)?.filter(|(_, entry)| is_blob(entry));
    let stripped: Vec<Shown> = blobs.map(|(group, entry)| Shown::new(&module, group, entry)).collect();
    if !stripped.is_empty() {
        let groups = module.resources_mut()?;
        for group in groups.iter_mut() {
            if group.dialect {
                let blobs = group.entries.iter_mut().filter(|entry| is_blob(entry));
                blobs.for_each(|entry| entry.value = ResourceValue::Declared(0));
            } else {
                group.entries.retain(|entry| !is_blob(entry));
            }
        }
        groups.retain(|group| group.dialect || !group.entries.is_empty());
    }
    super::write_to(output, |out| match Format::of(output) {
        Some(Format::Mlir) => {
            super::opaque::refuse(&module)?;
            print_module(&module, &PrintOptions::new(), out)
        }
        _ => bytecode::write_to(&module, &WriteOptions::like(&module), out).map(drop),
    })?;
    if json {
        let all: Vec<Value> = stripped.iter().map(Shown::json).collect();
        return super::show(|out| Ok(writeln!(out, "{:#}", json!({ "stripped": all }))?));
    }
    stripped.iter().for_each(|shown| super::say(format_args!("stripped {}", shown.line())));
    Ok(())
}
