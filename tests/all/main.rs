//! The tests of the command and the facade, in one program: linking each alone would take longer than running it.

mod artifacts;
mod assembly;
mod bench_command;
mod checks;
mod cli;
mod common;
mod corpus;
mod decodable;
mod examples;
mod facade;
mod fixtures;
mod full_disk;
mod input;
mod interrupt;
mod old_spv;
mod opt_reports;
mod output;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod schemas;
mod store_command;
mod symbols;
mod terminal;
mod text;
mod upstream;
