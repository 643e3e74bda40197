//! Numbers, vectors and tensors that become those of SPIR-V, beside mlir-opt.

use mlirbc_testing::tool;

use super::{by_us, differences};

const MODULES: &str = include_str!("values_to_spirv.mlir");

fn of_modules(pass: &str) -> String {
    format!("builtin.module(builtin.module({pass}))")
}

#[test]
fn values_become_what_they_become_in_mlir_opt() {
    if !tool("mlir-opt-22", "conversions of values into spirv were not compared with those of mlir-opt") {
        return;
    }
    for pass in [
        "convert-complex-to-spirv",
        "convert-index-to-spirv",
        "convert-index-to-spirv{use-64bit-index=true}",
        "convert-math-to-spirv",
        "convert-tensor-to-spirv",
        "convert-ub-to-spirv",
        "convert-vector-to-spirv",
    ] {
        let pipeline = of_modules(pass);
        if let Some((theirs, ours)) = differences(MODULES, &pipeline).first() {
            panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
        assert_ne!(by_us(MODULES, &pipeline), by_us(MODULES, "builtin.module()"), "{pipeline} does something");
    }
}

/// What comes of one operation on two indices, and of a power of floats that a target without them has.
#[test]
fn what_mlir_gets_wrong_is_right() {
    let made = by_us(
        "func.func @f(%a: index, %b: index) -> index {\n %0 = index.floordivs %a, %b\n return %0 : index\n}",
        "builtin.module(convert-index-to-spirv)",
    );
    // Where the signs differ, and something is divided, it is what rounds down: the difference, and not the quotient.
    let value = |name: &str, at: usize| {
        let line = made.lines().filter(|line| line.contains(name)).nth(at);
        line.and_then(|line| line.trim().split(' ').next()).map(str::to_owned).expect(name)
    };
    let (down, quotient) = (value("\"spirv.ISub\"", 1), value("\"spirv.SDiv\"", 1));
    let last = made.lines().rfind(|line| line.contains("\"spirv.Select\"")).expect("a choice");
    assert!(last.contains(&format!(", {down}, {quotient})")), "{made}");

    let made = by_us(
        "func.func @f(%a: vector<2xf16>) -> vector<2xf16> {\n %0 = math.powf %a, %a : vector<2xf16>\n return %0 : vector<2xf16>\n}",
        "builtin.module(convert-math-to-spirv)",
    );
    assert!(made.contains("dense<0x7FC00000> : vector<2xf32>"), "{made}");
}
