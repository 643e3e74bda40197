//! A host of what `convert-spirv-to-llvm` makes: the variables and functions that a module leaves to others.

use super::spirv_to_llvm_kernels::run;

/// The exit code of a module's `main` and of what stands beside it: definitions in LLVM IR, in place of what it declares by these names.
pub(super) fn run_beside(llvm: &str, host: &str) -> i32 {
    let name = |line: &str| {
        let start = line.find('@')? + 1;
        let end = line[start..].find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$'))?;
        Some(line[start..start + end].to_owned())
    };
    let is_definition = |line: &&str| line.starts_with('@') || line.starts_with("define ");
    let defined: Vec<String> = host.lines().map(str::trim).filter(is_definition).filter_map(name).collect();
    let is_declared = |line: &&str| {
        let declares = line.starts_with("declare ") || line.starts_with('@') && line.contains("= external ");
        declares && name(line).is_some_and(|name| defined.contains(&name))
    };
    let own: Vec<&str> = llvm.lines().filter(|line| !is_declared(line)).collect();
    let program = format!("{}\n{host}\n", own.join("\n"));
    let (code, said) = run(&program);
    code.unwrap_or_else(|| panic!("{said}{program}"))
}

/// A module whose function `main` gives a number.
pub(super) fn with_main(variables: &str, body: &str) -> String {
    format!("spirv.module Logical GLSL450 {{\n{variables}\nspirv.func @main() -> i32 \"None\" {{\n{body}\n}}\n}}")
}
