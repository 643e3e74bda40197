//! What operations hand from region to region: MLIR 22 refuses the same.

use std::process::{Command, Stdio};

use mlirbc_ir::verify::verify_module;
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

/// A loop whose condition hands values of these types on, to arguments of these and results of these.
fn while_op(handed: &str, arguments: &str, results: &str) -> String {
    let of = |types: &str| types.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let values: Vec<String> = of(handed).iter().map(|ty| format!("%{ty}")).collect();
    let numbered: Vec<String> = of(arguments).iter().enumerate().map(|(at, ty)| format!("%a{at}: {ty}")).collect();
    format!(
        "func.func @f(%i1: i1, %i32: i32, %f32: f32) {{
           %r:{} = \"scf.while\"() ({{
             \"scf.condition\"(%i1, {}) : (i1, {handed}) -> ()
           }}, {{
           ^bb0({}):
             \"scf.yield\"() : () -> ()
           }}) : () -> ({results})
           return
         }}",
        of(results).len(),
        values.join(", "),
        numbered.join(", "),
    )
}

/// What is wrong with a module.
fn broken(text: &str) -> Vec<String> {
    let module = parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut broken = Vec::new();
    verify_module(&module, &mut |error| broken.push(error.message().to_owned())).expect("a module that was parsed");
    broken
}

const ASYNC: &str = "func.func @f(%v: !async.value<f32>) {
  %t, %r = async.execute (%v as %x: !async.value<f32>) -> !async.value<f32> { async.yield %x : f32 }
  return
}";

const WARP: &str = "func.func @f(%lane: index, %v: vector<32xf32>) -> vector<1xf32> {
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (vector<1xf32>) { gpu.yield %v : vector<32xf32> }
  return %r : vector<1xf32>
}";

#[test]
fn what_regions_hand_to_each_other_is_what_they_take() {
    let cases = [
        (while_op("i32, f32", "i32, f32", "i32, f32"), None),
        (
            while_op("i1, f32", "i32, f32", "i1, f32"),
            Some("what `scf.condition` hands to region 1 is not what that takes: value 0 is of type i1, and not i32"),
        ),
        (
            while_op("i32, i1", "i32, i1", "i32, f32"),
            Some(
                "what `scf.condition` hands to what is behind it is not what that takes: value 1 is of type i1, and not f32",
            ),
        ),
        (
            while_op("i32, f32", "i32", "i32, f32"),
            Some("what `scf.condition` hands to region 1 is not what that takes: 2 values where there must be 1"),
        ),
        (ASYNC.to_owned(), None),
        (WARP.to_owned(), None),
        (
            ASYNC
                .replace("yield %x : f32", "yield %v : !async.value<f32>")
                .replace("-> !async.value<f32>", "-> !async.value<i32>"),
            Some(
                "what `async.yield` hands to what is behind it is not what that takes: value 0 is of type !async.value<f32>, and not !async.value<i32>",
            ),
        ),
    ];
    for (text, wrong) in cases {
        assert_eq!(broken(&text), Vec::from_iter(wrong), "{text}");
        if !tool("mlir-opt-22", "whether MLIR refuses the same") {
            continue;
        }
        let mut child = Command::new("mlir-opt-22")
            .args(["-o", "/dev/null"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("mlir-opt-22 runs");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text.as_bytes())
            .expect("mlir-opt-22 reads");
        assert_eq!(child.wait().expect("mlir-opt-22 ends").success(), wrong.is_none(), "{text}");
    }
}
