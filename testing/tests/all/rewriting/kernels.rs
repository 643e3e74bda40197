//! Kernels compiled to SPIR-V: `testing/kernels.py` runs them.

use std::process::Command;

use mlirbc_conversion::compile::{compile, compile_to_binary};
use mlirbc_ir::Result;
use mlirbc_ir::verify::verify_module;
use mlirbc_spirv::{lower, raise};
use mlirbc_testing::{fixture, tool};
use mlirbc_text::{ParseOptions, parse_module};

use super::context;

const TARGETS: [&str; 3] = ["vulkan1.1", "vulkan1.2", "vulkan1.3"];

fn binary(text: &[u8], target: &str, threads: usize) -> Result<Vec<u8>> {
    let context = context();
    let mut module = parse_module(&context, text, &ParseOptions::new().implicit_module(true))?;
    let compiled = compile(&mut module, target, threads)?;
    verify_module(&compiled, &mut |error| panic!("{error}"))?;
    lower(&compiled)
}

#[test]
fn kernels_of_the_fixtures_compile() {
    let check = tool("spirv-val", "the binaries that kernels become");
    let work = tempfile::tempdir().unwrap();
    let mut files: Vec<_> = std::fs::read_dir(fixture("kernels")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    for file in files {
        let (text, name) = (std::fs::read(&file).unwrap(), file.display());
        for target in TARGETS {
            let made = binary(&text, target, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(made, binary(&text, target, 3).unwrap(), "{name}: threads matter");
            let parse = ParseOptions::new().implicit_module(true);
            let at_once = compile_to_binary(&mut parse_module(&context(), &text, &parse).unwrap(), target, 1);
            assert_eq!(made, at_once.unwrap(), "{name}: made at once, it is another one");
            let raised = raise(&context(), made.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(lower(&raised).unwrap().len(), made.len(), "{name}: read again, it is another one");
            if check {
                let path = work.path().join("kernel.spv");
                std::fs::write(&path, &made).unwrap();
                let said = Command::new("spirv-val").args(["--target-env", target]).arg(&path).output().unwrap();
                assert!(said.status.success(), "{name} for {target}: {}", String::from_utf8_lossy(&said.stderr));
            }
        }
    }
}

/// A kernel with this in it, whose arguments are of these types.
fn kernel(arguments: &str, body: &str) -> String {
    format!(
        "gpu.module @kernels {{
  gpu.func @k({arguments}) kernel attributes {{known_block_size = array<i32: 16, 1, 1>}} {{
    %i = gpu.global_id x
    {body}
    gpu.return
  }}
}}"
    )
}

#[test]
fn what_a_target_lacks_is_named_at_its_line() {
    let small = "#spirv.target_env<#spirv.vce<v1.0, [Shader], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>";
    let rows = [
        (
            "%a: memref<16xf64>",
            "",
            "`memref<16xf64, #spirv.storage_class<StorageBuffer>>` needs capability Float64",
            "2:3",
        ),
        ("%a: i32", "%x = arith.extsi %a : i32 to i64", "`i64` needs capability Int64", "4:10"),
        (
            "%a: i32",
            "%x = gpu.subgroup_reduce add %a uniform : (i32) -> (i32)",
            "'spirv.GroupIAdd' needs capability Groups",
            "4:10",
        ),
        ("%a: i32", "%x = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)", "'affine.apply'", "4:10"),
    ];
    for (arguments, body, says, line) in rows {
        let error = binary(kernel(arguments, body).as_bytes(), small, 1).expect_err(body).to_string();
        assert!(error.contains(says) && error.contains(&format!(":{line}")), "{body}: {error}");
    }
    let nothing = binary(b"module {}", small, 1).expect_err("there is no kernel").to_string();
    assert!(nothing.contains("gpu.module"), "{nothing}");
    let unknown = binary(kernel("", "").as_bytes(), "vulkan9.9", 1).expect_err("there is no such target").to_string();
    assert!(unknown.contains("vulkan9.9"), "{unknown}");
}
