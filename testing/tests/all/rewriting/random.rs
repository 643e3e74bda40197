//! Random functions of several blocks, canonicalised with every option.

use std::fmt::Write as _;

use mlirbc_testing::{Numbers, env_number, times, tool};

use super::{by_us, differences};

const TYPES: [&str; 3] = ["i32", "i1", "index"];

/// A value that an operation of a block uses.
#[derive(Clone, Debug)]
enum Of {
    /// What the block defines itself, by number.
    Inside(usize),
    Outside(String),
}

#[derive(Clone, Debug)]
struct Line {
    /// With `{}` in the place of each operand, and `%%` in that of the result's name.
    text: String,
    operands: Vec<(Of, usize)>,
    result: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct Block {
    arguments: Vec<usize>,
    lines: Vec<Line>,
    /// The types of what it defines, arguments first.
    inside: Vec<usize>,
}

/// Makes functions whose blocks are often the same but for what they use.
struct Maker<'n> {
    numbers: &'n mut Numbers,
    count: usize,
    /// Values that all blocks may use, by type.
    outer: Vec<(String, usize)>,
}

impl Maker<'_> {
    fn pick(&mut self, block: &Block, ty: usize) -> Of {
        let inside: Vec<usize> = (0..block.inside.len()).filter(|&at| block.inside[at] == ty).collect();
        if !inside.is_empty() && self.numbers.below(2) == 0 {
            return Of::Inside(inside[self.numbers.below(inside.len())]);
        }
        self.outside(ty)
    }

    fn outside(&mut self, ty: usize) -> Of {
        let outer: Vec<&String> = self.outer.iter().filter(|of| of.1 == ty).map(|of| &of.0).collect();
        Of::Outside(outer[self.numbers.below(outer.len())].clone())
    }

    fn line(&mut self, block: &mut Block, text: String, operands: &[usize], result: Option<usize>) {
        let operands = operands.iter().map(|&ty| (self.pick(block, ty), ty)).collect();
        block.inside.extend(result);
        block.lines.push(Line { text, operands, result });
    }

    fn block(&mut self, arguments: Vec<usize>) -> Block {
        let mut block = Block { inside: arguments.clone(), arguments, lines: Vec::new() };
        let most = [4, 4, 4, 12][self.numbers.below(4)];
        for _ in 0..self.numbers.below(most) {
            let ty = [0, 0, 2][self.numbers.below(3)];
            let of = TYPES[ty];
            let constant = self.numbers.below(3);
            let (text, operands, result): (String, &[usize], _) = match self.numbers.below(14) {
                0 | 1 => (format!("%% = arith.constant {constant} : {of}"), &[], Some(ty)),
                2 => (format!("%% = arith.addi {{}}, {{}} : {of}"), &[ty, ty], Some(ty)),
                3 => (format!("%% = arith.subi {{}}, {{}} : {of}"), &[ty, ty], Some(ty)),
                4 => (format!("%% = arith.cmpi slt, {{}}, {{}} : {of}"), &[ty, ty], Some(1)),
                5 => (format!("%% = arith.select {{}}, {{}}, {{}} : {of}"), &[1, ty, ty], Some(ty)),
                6 => (format!("%% = \"test.def\"({{}}) : ({of}) -> {of}"), &[ty], Some(ty)),
                7 => (format!("%% = arith.constant {}", constant > 0), &[], Some(1)),
                8 => (format!("%% = arith.muli {{}}, {{}} : {of}"), &[ty, ty], Some(ty)),
                9 => (format!("scf.if {{}} {{ \"test.use\"({{}}) : ({of}) -> () }}"), &[1, ty], None),
                10 => {
                    let yielded = "%k = arith.constant 2 : i32 %s = arith.addi %k, {} : i32 scf.yield %s : i32";
                    let text = format!("%% = scf.if {{}} -> i32 {{ {yielded} }} else {{ scf.yield {{}} : i32 }}");
                    (text, &[1, 0, 0], Some(0))
                }
                11 => {
                    let inner =
                        "%k = arith.constant 7 : index %s = arith.addi %i, %k : index \"test.use\"(%s) : (index) -> ()";
                    let text = format!(
                        "%% = scf.for %i = {{}} to {{}} step {{}} iter_args(%x = {{}}) -> i32 {{ {inner} scf.yield %x : i32 }}"
                    );
                    (text, &[2, 2, 2, 0], Some(0))
                }
                _ => (format!("\"test.use\"({{}}, {{}}) : ({of}, {of}) -> ()"), &[ty, ty], None),
            };
            self.line(&mut block, text, operands, result);
        }
        block
    }

    /// The text of a list of blocks; values of those before `shared` may be used in all that follow.
    fn blocks(&mut self, depth: usize, returns: &str) -> String {
        let prefix = self.count;
        self.count += 1;
        let count = 1 + self.numbers.below(10);
        // What each block takes, and which block it is like.
        let mut blocks: Vec<Block> = Vec::new();
        let mut text = String::new();
        for number in 0..count {
            let like = (number > 2 && self.numbers.below(3) > 0).then(|| 2 + self.numbers.below(number - 2));
            let block = match like.map(|like| blocks[like].clone()) {
                Some(mut block) => {
                    for line in &mut block.lines {
                        for (operand, ty) in &mut line.operands {
                            if matches!(operand, Of::Outside(_)) && self.numbers.below(3) == 0 {
                                *operand = self.outside(*ty);
                            }
                        }
                    }
                    block
                }
                None => {
                    let arguments = match number {
                        0 | 1 => Vec::new(),
                        _ => (0..self.numbers.below(3)).map(|_| [0, 0, 2, 1][self.numbers.below(4)]).collect(),
                    };
                    let mut block = self.block(arguments);
                    self.end(&mut block, number, count, prefix, returns);
                    block
                }
            };
            blocks.push(block);
            if number < 2 {
                // What the first ones define may be used everywhere.
                self.name(&blocks[number], number, prefix);
            }
        }
        let takes: Vec<Vec<usize>> = blocks.iter().map(|block| block.arguments.clone()).collect();
        for (number, block) in blocks.iter().enumerate() {
            let names = self.names(block, number, prefix);
            if number > 0 {
                let arguments: Vec<String> = (0..block.arguments.len())
                    .map(|at| format!("{}: {}", names[at], TYPES[block.arguments[at]]))
                    .collect();
                writeln!(text, "^b{prefix}_{number}({}):", arguments.join(", ")).expect("text");
            }
            let mut defined = block.arguments.len();
            for (place, line) in block.lines.iter().enumerate() {
                let last = place + 1 == block.lines.len();
                let mut parts = line.text.split("{}");
                let mut made = parts.next().unwrap_or_default().to_owned();
                for (part, (operand, _)) in parts.zip(&line.operands) {
                    made += match operand {
                        Of::Inside(at) => &names[*at],
                        Of::Outside(name) => name,
                    };
                    made += part;
                }
                if line.result.is_some() {
                    made = made.replace("%%", &names[defined]);
                    defined += 1;
                }
                if last {
                    made = self.hand(&made, block, &names, &takes);
                }
                writeln!(text, "  {made}").expect("text");
                if !last && number > 1 && depth > 0 && self.numbers.below(12) == 0 {
                    let kept = self.outer.len();
                    let inner = self.blocks(depth - 1, "\"test.yield\"() : () -> ()");
                    self.outer.truncate(kept);
                    writeln!(text, "  \"test.region\"() ({{\n{inner}}}) : () -> ()").expect("text");
                }
            }
        }
        text
    }

    /// What ends a block: `^N` stands for a successor that gets values.
    fn end(&mut self, block: &mut Block, number: usize, count: usize, prefix: usize, returns: &str) {
        if number == 0 && count > 1 {
            return self.line(block, format!("cf.br ^b{prefix}_1"), &[], None);
        }
        if count <= 2 || self.numbers.below(4) == 0 && number > 1 {
            let operands: &[usize] = if returns.contains("{}") { &[0] } else { &[] };
            return self.line(block, returns.to_owned(), operands, None);
        }
        let kind = self.numbers.below(4);
        let mut next = || format!("@{prefix}_{}@", 2 + self.numbers.below(count - 2));
        let (text, operands): (String, &[usize]) = match kind {
            0 => (format!("cf.br {}", next()), &[]),
            1 | 2 => (format!("cf.cond_br {{}}, {}, {}", next(), next()), &[1]),
            _ => (format!("cf.switch {{}} : i32, [default: {}, 1: {}, 2: {}]", next(), next(), next()), &[0]),
        };
        self.line(block, text, operands, None);
    }

    /// Puts in what a branch hands to its successors.
    fn hand(&mut self, line: &str, block: &Block, names: &[String], takes: &[Vec<usize>]) -> String {
        let mut made = String::new();
        for (place, part) in line.split('@').enumerate() {
            if place % 2 == 0 {
                made += part;
                continue;
            }
            let number: usize = part.rsplit('_').next().and_then(|number| number.parse().ok()).expect("a number");
            let types = &takes[number];
            let values: Vec<String> = types
                .iter()
                .map(|&ty| match self.pick(block, ty) {
                    Of::Inside(at) => names[at].clone(),
                    Of::Outside(name) => name,
                })
                .collect();
            made += &format!("^b{part}");
            if !types.is_empty() {
                let types: Vec<&str> = types.iter().map(|&ty| TYPES[ty]).collect();
                made += &format!("({} : {})", values.join(", "), types.join(", "));
            }
        }
        made
    }

    fn names(&self, block: &Block, number: usize, prefix: usize) -> Vec<String> {
        (0..block.inside.len()).map(|at| format!("%v{prefix}_{number}_{at}")).collect()
    }

    fn name(&mut self, block: &Block, number: usize, prefix: usize) {
        let names = self.names(block, number, prefix);
        self.outer.extend(names.into_iter().zip(block.inside.iter().copied()));
    }
}

/// A function of several blocks, many of which are alike.
fn function(numbers: &mut Numbers, name: usize) -> String {
    let outer = [("%a", 0), ("%b", 0), ("%p", 1), ("%q", 1), ("%n", 2)];
    let outer = outer.map(|(name, ty)| (name.to_owned(), ty)).into();
    let mut maker = Maker { numbers, count: 0, outer };
    let blocks = maker.blocks(1, "return {} : i32");
    format!("func.func @f{name}(%a: i32, %b: i32, %p: i1, %q: i1, %n: index) -> i32 {{\n{blocks}}}\n")
}

/// How many functions are tried with each option: more where `MLIRBC_FUNCTIONS` says so.
fn functions() -> usize {
    times("MLIRBC_FUNCTIONS", 800) as usize
}

fn seed() -> u64 {
    env_number("MLIRBC_SEED").unwrap_or(11)
}

/// With each of these options.
fn compare(options: &[&str]) {
    if !tool("mlir-opt-22", "random functions were not compared with what mlir-opt makes of them") {
        return;
    }
    let mut numbers = Numbers(seed());
    let mut failed = String::new();
    let count = functions();
    for option in options {
        let (mut left, mut different) = (count, 0);
        while left > 0 {
            let share = left.min(500);
            left -= share;
            let functions: Vec<String> = (0..share).map(|name| function(&mut numbers, name)).collect();
            let differences = differences(&functions.concat(), &format!("builtin.module(canonicalize{{{option}}})"));
            different += differences.len();
            let shortest = differences.into_iter().min_by_key(|(theirs, _)| theirs.len());
            if let Some((theirs, ours)) = shortest {
                let name =
                    theirs.split("sym_name = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
                let number: usize = name.trim_start_matches('f').parse().unwrap_or_default();
                let text = &functions[number];
                failed = format!("{option}: of\n{text}\nmlir-opt makes\n{theirs}\nand we make\n{ours}");
            }
        }
        if different > 0 {
            panic!("{different} of {count} functions differ\n{failed}");
        }
    }
}

#[test]
fn blocks_that_do_the_same_become_one_as_in_mlir_opt() {
    compare(&["region-simplify=aggressive", "region-simplify=aggressive max-iterations=1"]);
    let mut numbers = Numbers(seed());
    let text: String = (0..100).map(|name| function(&mut numbers, name)).collect();
    let blocks = |how: &str| {
        let text = by_us(&text, &format!("builtin.module(canonicalize{{region-simplify={how}}})"));
        text.lines().filter(|line| line.trim_start().starts_with('^')).count()
    };
    let (apart, merged) = (blocks("normal"), blocks("aggressive"));
    assert!(merged + 20 < apart, "{apart} blocks, then {merged}");
}

#[test]
fn with_each_option_as_in_mlir_opt() {
    compare(&[
        "",
        "max-iterations=1",
        "region-simplify=disabled",
        "top-down=false",
        "top-down=false region-simplify=disabled",
        "max-num-rewrites=30",
        "max-num-rewrites=20 top-down=false",
    ]);
}
