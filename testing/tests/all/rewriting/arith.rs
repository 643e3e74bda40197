//! Folds and patterns of `arith`, beside those of mlir-opt: each operation on arguments and constants, and operations on the results
//! of others.
//!
//! Which of all combinations are taken looks random. `MLIRBC_ARITH=20000` takes so many of each kind (a thousand where it is not set).

use std::fmt::Write as _;

use mlirbc_testing::{Numbers, env_number, tool};

use super::{by_us, differences};

const PIPELINE: &str = "builtin.module(canonicalize)";

const INTEGERS: [&str; 7] = ["i1", "i7", "i8", "i32", "i64", "i128", "index"];
// Text of wider ones is not exact.
const FLOATS: [&str; 6] = ["f16", "bf16", "f32", "f64", "f8E5M2", "tf32"];
const OF_INTEGERS: [&str; 20] = [
    "addi",
    "subi",
    "muli",
    "divsi",
    "divui",
    "ceildivsi",
    "ceildivui",
    "floordivsi",
    "remsi",
    "remui",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrsi",
    "shrui",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
];
const OF_FLOATS: [&str; 9] = ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"];
const EXTENDED: [&str; 3] = ["addui_extended", "mulsi_extended", "mului_extended"];
const INTEGER_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const FLOAT_PREDICATES: [&str; 16] =
    ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"];

/// How many functions of each kind are compared.
fn count() -> usize {
    env_number("MLIRBC_ARITH").map_or(1000, |count| count as usize)
}

/// Bits of a value of that type.
fn width(ty: &str) -> u32 {
    match ty {
        "index" => 64,
        "bf16" => 16,
        "tf32" => 19,
        _ => ty[1..].split('E').next().and_then(|digits| digits.parse().ok()).expect("a width"),
    }
}

fn is_float(ty: &str) -> bool {
    FLOATS.contains(&ty)
}

/// A function that is written line by line.
struct Function<'n> {
    numbers: &'n mut Numbers,
    /// What stands before the type of an element, and behind it.
    shape: (&'static str, &'static str),
    /// Whether constants have one number in all elements.
    splats: bool,
    arguments: Vec<String>,
    lines: Vec<String>,
    results: Vec<(String, String)>,
}

impl<'n> Function<'n> {
    fn new(numbers: &'n mut Numbers) -> Self {
        const SHAPES: [(&str, &str); 7] =
            [("", ""), ("", ""), ("", ""), ("", ""), ("vector<2x", ">"), ("tensor<2x", ">"), ("vector<[2]x", ">")];
        let shape = *numbers.of(&SHAPES).expect("shapes");
        Function { numbers, shape, splats: false, arguments: Vec::new(), lines: Vec::new(), results: Vec::new() }
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        *self.numbers.of(choices).expect("choices")
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.numbers.below(100) < percent
    }

    /// The type with elements of that type.
    fn ty(&self, element: &str) -> String {
        format!("{}{element}{}", self.shape.0, self.shape.1)
    }

    fn argument(&mut self, ty: &str) -> String {
        self.arguments.push(ty.to_owned());
        format!("%a{}", self.arguments.len() - 1)
    }

    fn op(&mut self, text: impl AsRef<str>) -> String {
        self.lines.push(text.as_ref().to_owned());
        format!("%v{}", self.lines.len() - 1)
    }

    /// A number of the type as text shows it.
    fn number(&mut self, element: &str) -> String {
        if is_float(element) {
            // Infinities and NaN by their bits.
            const SPECIAL: [(&str, [&str; 4]); 5] = [
                ("f16", ["0x7C00", "0xFC00", "0x7E00", "0x7C01"]),
                ("bf16", ["0x7F80", "0xFF80", "0x7FC0", "0x7F81"]),
                ("f32", ["0x7F800000", "0xFF800000", "0x7FC00000", "0x7F800001"]),
                ("f64", ["0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000", "0x7FF0000000000001"]),
                ("f8E5M2", ["0x7C", "0xFC", "0x7E", "0x7D"]),
            ];
            let special = SPECIAL.iter().find(|special| special.0 == element).filter(|_| self.chance(35));
            return match special {
                Some((_, values)) => self.one_of(values).to_owned(),
                None => self.one_of(&["0.0", "-0.0", "1.0", "-1.0", "2.5", "-0.5", "100.0", "3.0e4"]).to_owned(),
            };
        }
        if element == "i1" {
            return self.one_of(&["true", "false"]).to_owned();
        }
        let width = width(element);
        let highest = (1i128 << (width - 1).min(126)) - 1;
        let around = i128::from(width);
        self.one_of(&[0, 0, 1, 1, -1, -1, highest, -highest - 1, 2, 3, -7, around - 1, around, 40]).to_string()
    }

    /// A constant. Scalable vectors have one number in all elements.
    fn constant(&mut self, element: &str) -> String {
        let ty = self.ty(element);
        let uniform = self.splats || self.shape.0 == "vector<[2]x" || self.chance(50);
        let value = match self.shape.0 {
            "" => self.number(element),
            _ if uniform => format!("dense<{}>", self.number(element)),
            _ => format!("dense<[{}, {}]>", self.number(element), self.number(element)),
        };
        let value = if ty == "i1" { value } else { format!("{value} : {ty}") };
        self.op(format!("arith.constant {value}"))
    }

    /// An argument or a constant.
    fn operand(&mut self, element: &str) -> String {
        let ty = self.ty(element);
        match self.numbers.below(20) {
            0 => self.op(format!("ub.poison : {ty}")),
            1..9 => self.constant(element),
            _ => self.argument(&ty),
        }
    }

    /// Two of them, at times one twice.
    fn operands(&mut self, element: &str) -> (String, String) {
        let one = self.operand(element);
        let other = if self.chance(10) { one.clone() } else { self.operand(element) };
        (one, other)
    }

    fn returns(&mut self, value: String, ty: String) {
        self.results.push((value, ty));
    }

    fn finish(self, name: usize, out: &mut String) {
        let arguments: Vec<String> =
            self.arguments.iter().enumerate().map(|(at, ty)| format!("%a{at}: {ty}")).collect();
        let (values, types): (Vec<String>, Vec<String>) = self.results.into_iter().unzip();
        let _ = writeln!(out, "func.func @f{name}({}) -> ({}) {{", arguments.join(", "), types.join(", "));
        for (at, line) in self.lines.iter().enumerate() {
            let count = if line.contains("_extended") { ":2" } else { "" };
            let _ = writeln!(out, "  %v{at}{count} = {line}");
        }
        let _ = writeln!(out, "  return {} : {}\n}}", values.join(", "), types.join(", "));
    }

    /// The flags of an operation, if it has any.
    fn flags(&mut self, name: &str) -> &'static str {
        let flags: &[&str] = match name {
            "addi" | "subi" | "muli" | "shli" | "trunci" => {
                &["", "", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"]
            }
            "extf" => &["", " fastmath<contract>"],
            "truncf" => &["", "", " fastmath<contract>", " to_nearest_even", " upward", " toward_zero"],
            _ if OF_FLOATS.contains(&name) || name == "negf" => &["", " fastmath<nnan,nsz>", " fastmath<fast>"],
            _ => &[""],
        };
        self.one_of(flags)
    }

    /// An operation on operands of one type.
    fn binary(&mut self, name: &str, (left, right): (&str, &str), element: &str) -> String {
        let (flags, ty) = (self.flags(name), self.ty(element));
        self.op(format!("arith.{name} {left}, {right}{flags} : {ty}"))
    }

    fn comparison(&mut self, (left, right): (&str, &str), element: &str) -> String {
        let (name, predicates): (_, &[&str]) =
            if is_float(element) { ("cmpf", &FLOAT_PREDICATES) } else { ("cmpi", &INTEGER_PREDICATES) };
        let (predicate, ty) = (self.one_of(predicates), self.ty(element));
        self.op(format!("arith.{name} {predicate}, {left}, {right} : {ty}"))
    }

    /// A cast from one type to the other, if there is one.
    fn cast(&mut self, value: &str, from: &str, to: &str) -> Option<String> {
        let (a, b) = (width(from), width(to));
        let names: &[&str] = match (is_float(from), is_float(to)) {
            _ if from == to => &[],
            (false, false) if from == "index" || to == "index" => &["index_cast", "index_castui"],
            (false, false) if a < b => &["extsi", "extui"],
            (false, false) => &["trunci"],
            (true, true) if a < b => &["extf"],
            (true, true) if a > b => &["truncf"],
            (true, true) => &["bitcast"],
            _ if from == "index" || to == "index" => &[],
            (false, true) if a == b => &["sitofp", "uitofp", "bitcast"],
            (false, true) => &["sitofp", "uitofp"],
            (true, false) if a == b => &["fptosi", "fptoui", "bitcast"],
            (true, false) => &["fptosi", "fptoui"],
        };
        let name = *self.numbers.of(names)?;
        let flags = self.flags(name);
        let (from, to) = (self.ty(from), self.ty(to));
        Some(self.op(format!("arith.{name} {value}{flags} : {from} to {to}")))
    }

    fn select(&mut self, condition: &str, (yes, no): (&str, &str), element: &str) -> String {
        let ty = self.ty(element);
        let of = if self.shape.0.is_empty() { String::new() } else { format!("{}, ", self.ty("i1")) };
        self.op(format!("arith.select {condition}, {yes}, {no} : {of}{ty}"))
    }
}

/// Compares what both make of so many functions that `write` makes.
fn compare(seed: u64, count: usize, mut write: impl FnMut(&mut Function<'_>)) {
    if !tool("mlir-opt-22", "folds of arith were not compared with those of mlir-opt") {
        return;
    }
    let (mut numbers, mut text) = (Numbers(seed), String::new());
    let mut written = 0;
    while written < count {
        let mut function = Function::new(&mut numbers);
        write(&mut function);
        if !function.results.is_empty() {
            function.finish(written, &mut text);
            written += 1;
        }
    }
    let differences = differences(&text, PIPELINE);
    if let Some((theirs, ours)) = differences.first() {
        let name = theirs.split("sym_name = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        let start = text.find(&format!("@{name}(")).unwrap_or_default();
        let given = text[start..].split("\n}").next().unwrap_or_default();
        let count = differences.len();
        panic!("{count} functions differ, such as {given}\nof which mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

#[test]
fn integers_fold_alike() {
    compare(1, 4 * count(), |function| {
        let element = function.one_of(&INTEGERS);
        let ty = function.ty(element);
        let name = function.one_of(&OF_INTEGERS);
        // Where one element has no result, mlir-opt makes up one, if the last element has.
        function.splats = matches!(name, "floordivsi" | "shli" | "shrsi" | "shrui");
        let (left, right) = function.operands(element);
        match function.numbers.below(8) {
            0 => {
                let result = function.comparison((&left, &right), element);
                let ty = function.ty("i1");
                function.returns(result, ty);
            }
            1 => {
                let condition = function.operand("i1");
                let result = function.select(&condition, (&left, &right), element);
                function.returns(result, ty);
            }
            // mlir-opt crashes at sums of poison.
            2 if element != "index" && !function.lines.iter().any(|line| line.starts_with("ub")) => {
                let name = function.one_of(&EXTENDED);
                let (high, of) = match name {
                    "addui_extended" => (function.ty("i1"), format!(", {}", function.ty("i1"))),
                    _ => (ty.clone(), String::new()),
                };
                let result = function.op(format!("arith.{name} {left}, {right} : {ty}{of}"));
                let used = function.numbers.below(3);
                if used != 1 {
                    function.returns(format!("{result}#0"), ty);
                }
                if used != 0 {
                    function.returns(format!("{result}#1"), high);
                }
            }
            _ => {
                let result = function.binary(name, (&left, &right), element);
                function.returns(result, ty);
            }
        }
    });
}

#[test]
fn floats_fold_alike() {
    compare(2, 3 * count(), |function| {
        let element = function.one_of(&FLOATS);
        let ty = function.ty(element);
        let (left, right) = function.operands(element);
        match function.numbers.below(5) {
            0 => {
                let result = function.comparison((&left, &right), element);
                let ty = function.ty("i1");
                function.returns(result, ty);
            }
            1 => {
                let flags = function.flags("negf");
                let result = function.op(format!("arith.negf {left}{flags} : {ty}"));
                function.returns(result, ty);
            }
            _ => {
                let name = function.one_of(&OF_FLOATS);
                let result = function.binary(name, (&left, &right), element);
                function.returns(result, ty);
            }
        }
    });
}

/// A type that casts are from or to.
fn any_type(function: &mut Function<'_>) -> &'static str {
    if function.chance(50) { function.one_of(&INTEGERS) } else { function.one_of(&FLOATS) }
}

#[test]
fn casts_fold_alike() {
    compare(3, 4 * count(), |function| {
        let (from, between, to) = (any_type(function), any_type(function), any_type(function));
        // What an index loses in between is lost: mlir-opt puts it back.
        if from == "index" && to == "index" {
            return;
        }
        let value = function.operand(from);
        let Some(cast) = function.cast(&value, from, between) else { return };
        match function.cast(&cast, between, to).filter(|_| between != "index" || width(from) == 64) {
            Some(result) => {
                let ty = function.ty(to);
                function.returns(result, ty);
            }
            None => {
                let ty = function.ty(between);
                function.returns(cast, ty);
            }
        }
    });
}

#[test]
fn sums_of_sums_are_rewritten_alike() {
    compare(4, 4 * count(), |function| {
        function.splats = true;
        let element = function.one_of(&["i8", "i1", "i32", "index"]);
        let ty = function.ty(element);
        let arguments = [function.argument(&ty), function.argument(&ty)];
        let mut values = arguments.to_vec();
        for _ in 0..2 + function.numbers.below(2) {
            let often = ["addi", "subi", "muli", "andi", "ori", "xori", "xori"];
            let name = if function.chance(80) { function.one_of(&often) } else { function.one_of(&OF_INTEGERS) };
            let left = values[values.len() - 1].clone();
            let other = match function.chance(45) {
                true => function.constant(element),
                false => values[function.numbers.below(values.len())].clone(),
            };
            let (left, right) = if function.chance(50) { (left, other) } else { (other, left) };
            let result = function.binary(name, (&left, &right), element);
            values.push(result);
        }
        let result = values.pop().expect("a value");
        function.returns(result, ty.clone());
        if function.chance(15) {
            let result = values.pop().expect("a value");
            function.returns(result, ty);
        }
    });
}

#[test]
fn bits_of_extended_integers_are_rewritten_alike() {
    compare(5, 3 * count(), |function| {
        let narrow = ["i1", "i8", "i16"];
        let (a, b) = (function.one_of(&narrow), function.one_of(&narrow));
        let b = if function.chance(70) { a } else { b };
        let extend = |function: &mut Function<'_>, from: &str| {
            let ty = function.ty(from);
            let value = function.argument(&ty);
            function.cast(&value, from, "i64").expect("an extension")
        };
        let left = extend(function, a);
        let right = if function.chance(75) { extend(function, b) } else { function.constant("i64") };
        if function.chance(30) {
            let bit = function.comparison((&left, &right), "i64");
            let other = function.constant("i1");
            let result = function.binary("xori", (&bit, &other), "i1");
            let ty = function.ty("i1");
            return function.returns(result, ty);
        }
        let name = function.one_of(&["andi", "ori", "xori", "addi", "muli", "shrsi", "shrui", "subi"]);
        let mut result = function.binary(name, (&left, &right), "i64");
        if function.chance(40) {
            let amount = function.one_of(&["32", "48", "56", "8"]);
            let (shift, ty) = (function.one_of(&["shrsi", "shrui"]), function.ty("i64"));
            let amount = if function.shape.0.is_empty() { amount.to_owned() } else { format!("dense<{amount}>") };
            let amount = function.op(format!("arith.constant {amount} : {ty}"));
            result = function.binary(shift, (&result, &amount), "i64");
        }
        let to = function.one_of(&["i64", "i32", "i16", "i8", "i1"]);
        let result = if to == "i64" { result } else { function.cast(&result, "i64", to).expect("a truncation") };
        let ty = function.ty(to);
        function.returns(result, ty);
    });
}

#[test]
fn choices_are_rewritten_alike() {
    compare(6, 3 * count(), |function| {
        let element = function.one_of(&["i1", "i8", "f32", "index"]);
        let (ty, bit) = (function.ty(element), function.ty("i1"));
        let (a, b) = (function.argument(&ty), function.argument(&ty));
        let condition = function.argument(&bit);
        let mask = function.constant("i1");
        let not = function.binary("xori", (&condition, &mask), "i1");
        let compared = function.comparison((&a, &b), element);
        let conditions = [condition.clone(), condition, not, compared];
        let (mut chosen, times) = (None, 1 + function.numbers.below(2));
        for _ in 0..times {
            let [one, other] = [0, 1].map(|_| match function.numbers.below(3) {
                0 => function.constant(element),
                1 => a.clone(),
                _ => b.clone(),
            });
            let one = chosen.unwrap_or(one);
            let (yes, no) = if function.chance(50) { (one, other) } else { (other, one) };
            let at = function.numbers.below(conditions.len());
            chosen = Some(function.select(&conditions[at], (&yes, &no), element));
        }
        let chosen = chosen.expect("a choice");
        function.returns(chosen, ty);
    });
}

#[test]
fn negated_floats_and_floats_of_integers_are_rewritten_alike() {
    compare(7, 3 * count(), |function| {
        let element = function.one_of(&["f16", "bf16", "f32", "f64", "f8E5M2"]);
        let ty = function.ty(element);
        if function.chance(25) {
            let [left, right] = [0, 1].map(|_| {
                let (value, flags) = (function.argument(&ty), function.flags("negf"));
                function.op(format!("arith.negf {value}{flags} : {ty}"))
            });
            let name = function.one_of(&OF_FLOATS);
            let result = function.binary(name, (&left, &right), element);
            return function.returns(result, ty);
        }
        let integer = function.one_of(&["i1", "i4", "i8", "i9", "i11", "i12", "i16", "i24", "i25", "i32", "i64"]);
        let of = function.ty(integer);
        let (value, cast) = (function.argument(&of), function.one_of(&["sitofp", "uitofp"]));
        let float = function.op(format!("arith.{cast} {value} : {of} to {ty}"));
        let bounds = ["3.5", "-3.5", "7.0", "8.0", "127.0", "128.0", "-128.0", "-129.0", "127.5", "255.5", "256.0"];
        let wide = ["2048.0", "2049.0", "16777216.0", "1.0e9", "4.0e9", "-1.0e9", "65000.0"];
        let bound = match function.numbers.below(3) {
            0 => function.number(element),
            1 if element == "f32" || element == "f64" => function.one_of(&wide).to_owned(),
            _ => function.one_of(&bounds).to_owned(),
        };
        let bound = if function.shape.0.is_empty() { bound } else { format!("dense<{bound}>") };
        let bound = function.op(format!("arith.constant {bound} : {ty}"));
        // Of `true` and `false`, mlir-opt does not know what they say of integers.
        let predicate = function.one_of(&FLOAT_PREDICATES[1..15]);
        let result = function.op(format!("arith.cmpf {predicate}, {float}, {bound} : {ty}"));
        let ty = function.ty("i1");
        function.returns(result, ty);
    });
}

#[test]
fn what_an_index_lost_is_not_put_back() {
    let text = "func.func @f(%i: index) -> (index, index) {
        %0 = arith.index_cast %i : index to i32
        %1 = arith.index_cast %0 : i32 to index
        %2 = arith.index_castui %i : index to i64
        %3 = arith.index_castui %2 : i64 to index
        return %1, %3 : index, index
    }";
    let ours = by_us(text, PIPELINE);
    assert_eq!(ours.matches("arith.index_cast").count(), 2, "{ours}");
    assert!(!ours.contains("arith.index_castui"), "{ours}");
}

/// Each of these integers would take two megabytes.
#[test]
fn wide_integers_do_not_make_much_of_little() {
    let mut text = String::from("func.func @f(%s: i16777215) -> i16777215 {\n");
    for at in 0..3000 {
        let before = if at == 0 { "%s".to_owned() } else { format!("%s{}", at - 1) };
        let _ = writeln!(text, "  %c{at} = arith.constant {at} : i32");
        let _ = writeln!(text, "  %w{at} = arith.extui %c{at} : i32 to i16777215");
        let _ = writeln!(text, "  %s{at} = arith.addi %w{at}, {before} : i16777215");
    }
    text.push_str("  return %s2999 : i16777215\n}");
    let ours = by_us(&text, PIPELINE);
    assert_eq!(ours.matches("arith.extui").count(), 3000);
}
