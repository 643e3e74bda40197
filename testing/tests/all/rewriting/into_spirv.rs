//! Random kernels, compiled to SPIR-V: what is compiled is valid, comes back from its binary, and is what spirv-val takes. The example
//! `into_spirv` makes many more, which `testing/into_spirv.py` has checked.

use std::process::Command;

use mlirbc_conversion::compile::compile;
use mlirbc_fuzz::Forms;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{ErrorKind, Module};
use mlirbc_testing::{times, tool};
use mlirbc_text::{ParseOptions, parse_module};

const TARGETS: [&str; 4] = ["vulkan1.0", "vulkan1.1", "vulkan1.3", "opencl2.2"];

fn check(module: &Module, what: &str) {
    verify_module(module, &mut |error| panic!("{what}: {error}")).expect("it can be read");
}

#[test]
fn random_kernels_become_valid_binaries() {
    let context = mlirbc_dialects::context();
    mlirbc_spirv::register(&context).expect("a fresh context");
    let forms = Forms::new(&context, 12);
    let validates = tool("spirv-val", "binaries of random kernels are verified in process alone");
    let folder = tempfile::tempdir().expect("a folder");
    let (count, mut compiled) = (times("MLIRBC_KERNELS", 300), 0);
    let one = |text: &str, target: &str| {
        let mut module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).expect("a kernel parses");
        check(&module, text);
        compile(&mut module, target, 1)
    };
    for seed in 0..count {
        let target = TARGETS[(seed % 4) as usize];
        let text = forms.kernel(seed, &|form| one(&forms.alone(form), target).is_ok());
        let module = match one(&text, target) {
            Ok(module) => module,
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Verification | ErrorKind::Misuse), "{error}");
                continue;
            }
        };
        compiled += 1;
        check(&module, &text);
        let binary = mlirbc_spirv::lower(&module).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let path = folder.path().join(format!("{seed}.spv"));
        std::fs::write(&path, &binary).expect("the folder takes it");
        check(&mlirbc_spirv::raise(&context, binary).expect("what was lowered is raised"), &text);
        if validates {
            let done =
                Command::new("spirv-val").args(["--target-env", target]).arg(&path).output().expect("spirv-val runs");
            assert!(
                done.status.success(),
                "seed {seed} for {target}: {}\n{text}",
                String::from_utf8_lossy(&done.stderr)
            );
        }
    }
    assert!(compiled * 3 >= count, "{compiled} of {count} kernels are compiled");
}
