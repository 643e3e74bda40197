//! Attributes and types as text, compared with mlir-opt 22 where it is installed.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_ir::text::{Parser, Scope, parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_testing::{shared, skipped};

const SEPARATOR: &str = "// -----";

/// One case a line; `cargo test` runs in the crate's folder.
fn cases(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("tests/text/{file}")).expect("the list of cases");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).map(str::to_owned).collect()
}

/// What mlir-opt 22 prints for each case, as its aliases and the attribute. `None` where mlir-opt 22 is not installed.
fn reference(cases: &[String]) -> Option<Vec<(Vec<String>, String)>> {
    let source: Vec<String> = cases.iter().map(|case| format!("\"t.t\"() {{a = {case}}} : () -> ()")).collect();
    let child = Command::new("mlir-opt-22")
        .args(["--mlir-print-op-generic", "--allow-unregistered-dialect", "--split-input-file"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        skipped("what mlir-opt prints was not compared", "mlir-opt-22 is not installed");
        return None;
    };
    let input = source.join(&format!("\n{SEPARATOR}\n"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    let _ = writer.join();
    assert!(output.status.success(), "mlir-opt-22: {}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).expect("text");
    let printed: Vec<_> = output.split(SEPARATOR).filter(|part| !part.trim().is_empty()).map(one_case).collect();
    assert_eq!(printed.len(), cases.len());
    Some(printed)
}

fn one_case(printed: &str) -> (Vec<String>, String) {
    let aliases = printed.lines().filter(|line| line.starts_with(['#', '!'])).map(str::to_owned).collect();
    let start = printed.find("{a").expect("the attribute") + 2;
    let end = printed.rfind("} : () -> ()").expect("the end of the operation");
    let attribute = printed[start..end].strip_prefix(" = ").unwrap_or("unit");
    (aliases, attribute.to_owned())
}

#[test]
fn what_mlir_opt_prints_is_what_we_print() {
    compare(&cases("accepted.txt"));
}

/// A sequence of numbers that is the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) % below
    }

    fn expression(&mut self, depth: u64) -> String {
        let leaf = |numbers: &mut Self| match numbers.next(3) {
            0 => format!("d{}", numbers.next(2)),
            1 => format!("s{}", numbers.next(2)),
            _ => numbers.next(9).to_string(),
        };
        if depth == 0 {
            return leaf(self);
        }
        let left = self.expression(depth - 1);
        let symbol =
            if self.next(2) == 0 { format!("s{}", self.next(2)) } else { format!("{}", self.next(9) as i64 - 2) };
        match self.next(7) {
            0 | 1 => format!("({left}) + ({})", self.expression(depth - 1)),
            2 => format!("({left}) - ({})", self.expression(depth - 1)),
            3 => format!("({left}) * {symbol}"),
            4 => format!("({left}) floordiv {symbol}"),
            5 => format!("({left}) ceildiv {symbol}"),
            _ => format!("({left}) mod {symbol}"),
        }
    }
}

#[test]
fn random_maps_and_floats_are_as_mlir_opt_has_them() {
    let mut numbers = Numbers(7);
    let mut cases = Vec::new();
    for _ in 0..1500 {
        let depth = numbers.next(5);
        cases.push(format!("affine_map<(d0, d1)[s0, s1] -> ({})>", numbers.expression(depth)));
    }
    for (width, name) in [
        (16, "bf16"),
        (16, "f16"),
        (32, "f32"),
        (64, "f64"),
        (19, "tf32"),
        (4, "f4E2M1FN"),
        (6, "f6E2M3FN"),
        (6, "f6E3M2FN"),
        (8, "f8E3M4"),
        (8, "f8E4M3"),
        (8, "f8E4M3B11FNUZ"),
        (8, "f8E4M3FN"),
        (8, "f8E4M3FNUZ"),
        (8, "f8E5M2"),
        (8, "f8E5M2FNUZ"),
        (8, "f8E8M0FNU"),
    ] {
        for at in 0..if width <= 8 { 1 << width } else { 200 } {
            let bits =
                if width <= 8 { at } else { (numbers.next(1 << 32) << 32 | numbers.next(1 << 32)) >> (64 - width) };
            cases.push(format!("0x{bits:X} : {name}"));
        }
    }
    for kind in ["bf16", "f16", "f32", "f64", "f80", "f128", "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f6E3M2FN"] {
        for _ in 0..60 {
            let digits = 10u64.pow(1 + numbers.next(9) as u32);
            let (whole, part, exponent) = (numbers.next(digits), numbers.next(digits), numbers.next(40) as i64 - 20);
            cases.push(format!("{whole}.{part}e{exponent} : {kind}"));
        }
    }
    compare(&cases);
}

fn compare(cases: &[String]) {
    let context = crate::definitions::context();
    let ours: Vec<_> = cases.iter().map(|case| parse_attribute(&context, case.as_bytes())).collect();
    for (case, ours) in cases.iter().zip(&ours) {
        let attribute = ours.as_ref().unwrap_or_else(|error| panic!("{case}: {error}"));
        let text = print_attribute(&context, *attribute).expect("short text");
        let again = parse_attribute(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        // Simplifying an affine expression once may leave more to simplify.
        if !["distinct", "dense_resource", "affine_map<(d0, d1)[s0, s1]"].iter().any(|word| text.contains(word)) {
            assert_eq!(print_attribute(&context, again).expect("short text"), text, "{case}");
        }
    }
    let Some(reference) = reference(cases) else { return };
    for ((case, ours), (aliases, theirs)) in cases.iter().zip(ours).zip(reference) {
        let attribute = ours.expect("checked above");
        let ours_text = print_attribute(&context, attribute).expect("short text");
        if let [alias] = aliases.as_slice()
            && alias.strip_prefix(&format!("{theirs} = ")).is_some_and(|theirs| theirs == ours_text)
        {
            continue;
        }
        let mut scope = Scope::new();
        for alias in &aliases {
            let (name, text) = alias.split_once(" = ").expect("a definition");
            let mut parser = Parser::new(&context, text.as_bytes(), &mut scope);
            let value = parser.attribute().unwrap_or_else(|error| panic!("{alias}: {error}"));
            if !text[1..].contains('#') && !text.contains("distinct") {
                assert_eq!(print_attribute(&context, value).expect("short text"), text, "{case}, ours {ours_text}");
            }
            scope.define_attribute(&name.as_bytes()[1..], value);
        }
        if aliases.is_empty() {
            assert_eq!(print_attribute(&context, attribute).expect("short text"), theirs, "{case}");
        } else if !case.contains("distinct") {
            let value = Parser::new(&context, theirs.as_bytes(), &mut scope).attribute();
            let value = value.unwrap_or_else(|error| panic!("{theirs}: {error}"));
            assert_eq!(
                print_attribute(&context, attribute).expect("short text"),
                print_attribute(&context, value).expect("short text"),
                "{case}"
            );
        }
    }
}

#[test]
fn what_mlir_opt_rejects_is_rejected() {
    let context = crate::definitions::context();
    for case in cases("rejected.txt") {
        let error = parse_attribute(&context, case.as_bytes()).expect_err(&case);
        assert!(error.place().offset.is_some(), "{case}: {error}");
    }
}

/// The text entries of attributes and types in real files, found by their shape: no decoder is at hand in this crate.
#[test]
fn text_entries_of_real_files_survive() {
    let Some(shared) = shared("text entries of corpus files were not read") else { return };
    let context = crate::definitions::context();
    let mut count = 0;
    for folder in ["bytecode", "spirv_dialect", "codes", "stablehlo"] {
        let mut files: Vec<_> = std::fs::read_dir(shared.join("corpus").join(folder))
            .expect("the corpus")
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"))
            .collect();
        files.sort();
        for file in files {
            let bytes = std::fs::read(&file).expect("a readable file");
            for (text, is_type) in text_entries(&bytes) {
                count += 1;
                let shown = String::from_utf8_lossy(text);
                let printed = if is_type {
                    parse_type(&context, text).and_then(|ty| print_type(&context, ty))
                } else {
                    parse_attribute(&context, text).and_then(|attribute| print_attribute(&context, attribute))
                };
                let printed = printed.unwrap_or_else(|error| panic!("{}: {shown}: {error}", file.display()));
                assert_eq!(printed, shown, "{}", file.display());
            }
        }
    }
    println!("{count} text entries");
    assert!(count > 4_000, "only {count} text entries");
}

/// Walks the sections of a bytecode file, and gives the attributes and types that are kept as text.
fn text_entries(file: &[u8]) -> Vec<(&[u8], bool)> {
    let mut at = 4;
    varint(file, &mut at);
    at += file[at..].iter().position(|&byte| byte == 0).expect("a producer") + 1;
    let (mut offsets, mut data): (&[u8], &[u8]) = (&[], &[]);
    while at < file.len() {
        let id = file[at];
        at += 1;
        let length = varint(file, &mut at);
        if id & 0x80 != 0 {
            let alignment = varint(file, &mut at);
            at = at.next_multiple_of(alignment);
        }
        match id & 0x7f {
            2 => data = &file[at..at + length],
            3 => offsets = &file[at..at + length],
            _ => {}
        }
        at += length;
    }
    let (mut entries, mut at, mut start) = (Vec::new(), 0, 0);
    let counts = [varint(offsets, &mut at), varint(offsets, &mut at)];
    for (is_type, total) in [(false, counts[0]), (true, counts[1])] {
        let mut seen = 0;
        while seen < total {
            varint(offsets, &mut at);
            let count = varint(offsets, &mut at);
            for _ in 0..count {
                let size = varint(offsets, &mut at);
                let entry = &data[start..start + (size >> 1)];
                start += size >> 1;
                if size & 1 == 0 {
                    entries.push((&entry[..entry.len() - 1], is_type));
                }
            }
            seen += count;
        }
    }
    entries
}

fn varint(bytes: &[u8], at: &mut usize) -> usize {
    let first = bytes[*at];
    let extra = first.trailing_zeros() as usize;
    let mut value = 0u64;
    if extra == 8 {
        value = u64::from_le_bytes(bytes[*at + 1..*at + 9].try_into().expect("eight bytes"));
    } else {
        for place in (0..=extra).rev() {
            value = value << 8 | u64::from(bytes[*at + place]);
        }
        value >>= extra + 1;
    }
    *at += extra + 1;
    value as usize
}
