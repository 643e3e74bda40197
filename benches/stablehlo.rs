//! StableHLO as JAX exports it, beside libStablehlo: `cargo bench -p mlirbc-benches --bench stablehlo`.
//!
//! One module of 120,000 operations, or as many as `MLIRBC_BENCH_OPERATIONS` says: parsed, printed, read from a portable artifact with all
//! of it decoded and converted, and written as one. Both sides run in one thread, in turns, each in a context of its own, and both check what
//! they parse. libStablehlo is that of jaxlib, in the Python that `JAX_PYTHON` names or in `~/.stablehlo` (`benches/stablehlo.py`); where there
//! is none, this crate alone is timed. First both have to make the same text and the same artifact. `-- parse print` times these alone.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use mlirbc::bytecode::{decode_all, read};
use mlirbc::ir::verify::verify_module;
use mlirbc::stablehlo::Version;
use mlirbc::stablehlo::{register, to_stablehlo, write_artifact};
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, Module};
use mlirbc_testing::{env_number, skipped};

const OPERATIONS: u64 = 120_000;
const TIMES: usize = 9;
/// What is timed, and what of libStablehlo beside it: that one checks what it deserialises.
const WHAT: [(&str, &str); 5] = [
    ("parse", "parse"),
    ("print", "print"),
    ("deserialise", "deserialise"),
    ("deserialise, checked", "deserialise"),
    ("serialise", "serialise"),
];

/// Layers of a function.
const LAYERS: usize = 12;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A layer of a network as JAX lowers it, an operation a line: `$y` is what it takes, `$z` what it gives, `$a`, `$b` and `$h` are sizes. Behind
/// `@` stands what JAX calls the place, and the line that it comes from.
const LAYER: &str = "
%$vcst = stablehlo.constant dense<$weight> : tensor<f32> @ mul 5
%$vmax = stablehlo.constant dense<0xFF800000> : tensor<f32> @ reduce_max 6
%$vzero = stablehlo.constant dense<0.000000e+00> : tensor<f32> @ reduce_sum 8
%$vc = stablehlo.constant dense<0> : tensor<i32> @ lt 12
%$vn = stablehlo.constant dense<$a> : tensor<i32> @ add 12
%$v0 = stablehlo.dot_general %$y, %w, contracting_dims = [1] x [0] : (tensor<$ax$bxf32>, tensor<$bx$bxf32>) -> tensor<$ax$bxf32> @ dot_general 4
%$v1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<$bxf32>) -> tensor<1x$bxf32> @ broadcast_in_dim 4
%$v2 = stablehlo.broadcast_in_dim %$v1, dims = [0, 1] : (tensor<1x$bxf32>) -> tensor<$ax$bxf32> @ add 4
%$v3 = stablehlo.add %$v0, %$v2 : tensor<$ax$bxf32> @ add 4
%$v4 = stablehlo.multiply %$v3, %$v3 : tensor<$ax$bxf32> @ integer_pow 5
%$v5 = stablehlo.multiply %$v4, %$v3 : tensor<$ax$bxf32> @ integer_pow 5
%$v6 = stablehlo.broadcast_in_dim %$vcst, dims = [] : (tensor<f32>) -> tensor<$ax$bxf32> @ mul 5
%$v7 = stablehlo.multiply %$v6, %$v5 : tensor<$ax$bxf32> @ mul 5
%$v8 = stablehlo.add %$v3, %$v7 : tensor<$ax$bxf32> @ add 5
%$v9 = stablehlo.tanh %$v8 : tensor<$ax$bxf32> @ tanh 5
%$v10 = stablehlo.multiply %$v3, %$v9 : tensor<$ax$bxf32> @ mul 5
%$v11 = stablehlo.reduce(%$v10 init: %$vmax) applies stablehlo.maximum across dimensions = [1] : (tensor<$ax$bxf32>, tensor<f32>) -> tensor<$axf32> @ reduce_max 6
%$v12 = stablehlo.broadcast_in_dim %$v11, dims = [0] : (tensor<$axf32>) -> tensor<$ax1xf32> @ broadcast_in_dim 6
%$v13 = stablehlo.broadcast_in_dim %$v12, dims = [0, 1] : (tensor<$ax1xf32>) -> tensor<$ax$bxf32> @ sub 7
%$v14 = stablehlo.subtract %$v10, %$v13 : tensor<$ax$bxf32> @ sub 7
%$v15 = stablehlo.exponential %$v14 : tensor<$ax$bxf32> @ exp 7
%$v16 = stablehlo.reduce(%$v15 init: %$vzero) across dimensions = [1] : (tensor<$ax$bxf32>, tensor<f32>) -> tensor<$axf32>
 reducer(%$vl: tensor<f32> loc(\"reduce\"), %$vr: tensor<f32> loc(\"reduce\")) {
%$vsum = stablehlo.add %$vl, %$vr : tensor<f32> @ reduce_sum 8
%$vhalf = stablehlo.multiply %$vsum, %$vsum : tensor<f32> @ reduce_sum 8
stablehlo.return %$vhalf : tensor<f32> @ reduce_sum 8
} @ reduce 8
%$v17 = stablehlo.broadcast_in_dim %$v16, dims = [0] : (tensor<$axf32>) -> tensor<$ax1xf32> @ broadcast_in_dim 8
%$v18 = stablehlo.broadcast_in_dim %$v17, dims = [0, 1] : (tensor<$ax1xf32>) -> tensor<$ax$bxf32> @ div 9
%$v19 = stablehlo.divide %$v15, %$v18 : tensor<$ax$bxf32> @ div 9
%$v20 = stablehlo.compare  GT, %$v19, %$v6,  FLOAT : (tensor<$ax$bxf32>, tensor<$ax$bxf32>) -> tensor<$ax$bxi1> @ gt 11
%$v21 = func.call @where_$n(%$v20, %$v19, %$vzero) : (tensor<$ax$bxi1>, tensor<$ax$bxf32>, tensor<f32>) -> tensor<$ax$bxf32> @ jit 11
%$v22 = stablehlo.broadcast_in_dim %$vc, dims = [] : (tensor<i32>) -> tensor<6xi32> @ lt 12
%$v23 = stablehlo.compare  LT, %i, %$v22,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1> @ lt 12
%$v24 = stablehlo.broadcast_in_dim %$vn, dims = [] : (tensor<i32>) -> tensor<6xi32> @ add 12
%$v25 = stablehlo.add %i, %$v24 : tensor<6xi32> @ add 12
%$v26 = stablehlo.select %$v23, %$v25, %i : tensor<6xi1>, tensor<6xi32> @ select_n 12
%$v27 = stablehlo.broadcast_in_dim %$v26, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32> @ broadcast_in_dim 12
%$v28 = \"stablehlo.gather\"(%$v21, %$v27) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, $b>}> : (tensor<$ax$bxf32>, tensor<6x1xi32>) -> tensor<6x$bxf32> @ gather 12
%$v29:2 = stablehlo.while(%$vk = %$vc, %$vt = %$v28) : tensor<i32>, tensor<6x$bxf32>
 cond {
%$vlt = stablehlo.compare  LT, %$vk, %$vn,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> @ while/cond/lt 13
stablehlo.return %$vlt : tensor<i1> @ while 13
} do {
%$vnext = stablehlo.add %$vk, %$vn : tensor<i32> @ while/body/add 13
%$vmore = stablehlo.multiply %$vt, %$vt : tensor<6x$bxf32> @ while/body/mul 13
stablehlo.return %$vnext, %$vmore : tensor<i32>, tensor<6x$bxf32> @ while 13
} @ while 13
%$v30 = stablehlo.slice %$v29#1 [1:3, 0:$b:2] : (tensor<6x$bxf32>) -> tensor<2x$hxf32> @ slice 14
%$v31 = stablehlo.concatenate %$v30, %$v30, dim = 0 : (tensor<2x$hxf32>, tensor<2x$hxf32>) -> tensor<4x$hxf32> @ concatenate 14
%$v32 = stablehlo.transpose %$v31, dims = [1, 0] : (tensor<4x$hxf32>) -> tensor<$hx4xf32> @ transpose 15
%$v33 = stablehlo.reduce(%$v32 init: %$vzero) applies stablehlo.add across dimensions = [0, 1] : (tensor<$hx4xf32>, tensor<f32>) -> tensor<f32> @ reduce_sum 15
%$v34 = stablehlo.broadcast_in_dim %$v33, dims = [] : (tensor<f32>) -> tensor<$ax$bxf32> @ mul 16
%$z = stablehlo.multiply %$v21, %$v34 : tensor<$ax$bxf32> @ mul 16
";

/// Operations of a layer, those of regions that are not written among them.
const LAYER_OPERATIONS: usize = 53;

/// A module of about so many operations, with the locations that JAX writes.
fn generate(operations: usize) -> String {
    let functions = operations.div_ceil(LAYERS * LAYER_OPERATIONS).max(1);
    let mut text =
        "module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n".to_owned();
    for function in 0..functions {
        let (a, b) = (4 + function % 13, 8 * (1 + function % 29));
        let place = |name: &str, line: usize, layer: usize| {
            let file = format!("/home/user/models/part{}.py", function % 20);
            let at = |line: usize| format!("\"{file}\":{line}:8 to :{}", 20 + line % 30);
            let (inner, outer) = (at(function * 20 + line), at(10_000 + layer));
            format!("loc(\"jit(f)/{name}\"(callsite(\"layer\"({inner}) at \"f\"({outer}))))")
        };
        let sized = |line: &str, layer: usize| {
            let weight = format!("{:.6}e-01", 1.0 + ((function * LAYERS + layer) % 4096) as f64 / 1024.0);
            [
                ("$weight", weight),
                ("$v", format!("v{layer}_")),
                ("$y", format!("y{layer}")),
                ("$z", format!("y{}", layer + 1)),
                ("$a", a.to_string()),
                ("$b", b.to_string()),
                ("$h", (b / 2).to_string()),
                ("$n", function.to_string()),
            ]
            .iter()
            .fold(line.to_owned(), |line, (from, to)| line.replace(from, to))
        };
        let visibility = if function == 0 { "public @main" } else { &format!("private @f{function}") };
        let _ = writeln!(
            text,
            "func.func {visibility}(%y0: tensor<{a}x{b}xf32> loc(\"x\"), %w: tensor<{b}x{b}xf32> loc(\"w\"), %b: tensor<{b}xf32> \
             loc(\"b\"), %i: tensor<6xi32> loc(\"i\")) -> (tensor<{a}x{b}xf32> {{jax.result_info = \"result\"}}) {{"
        );
        for layer in 0..LAYERS {
            for line in LAYER.lines().filter(|line| !line.is_empty()) {
                match line.split_once(" @ ").and_then(|(op, at)| Some((op, at.rsplit_once(' ')?))) {
                    Some((op, (name, at))) => {
                        let place = place(name, at.parse().unwrap_or(0), layer);
                        let _ = writeln!(text, "{} {place}", sized(op, layer));
                    }
                    None => text.push_str(&(sized(line, layer) + "\n")),
                }
            }
        }
        let _ = writeln!(
            text,
            "func.return %y{LAYERS} : tensor<{a}x{b}xf32> loc(unknown)\n}} loc(unknown)\n\
             func.func private @where_{function}(%p: tensor<{a}x{b}xi1> loc(unknown), \
             %x: tensor<{a}x{b}xf32> loc(unknown), %y: tensor<f32> loc(unknown)) -> tensor<{a}x{b}xf32> {{\n\
             %0 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<{a}x{b}xf32> loc(\"broadcast_in_dim\")\n\
             %1 = stablehlo.select %p, %x, %0 : tensor<{a}x{b}xi1>, tensor<{a}x{b}xf32> loc(\"select_n\")\n\
             func.return %1 : tensor<{a}x{b}xf32> loc(unknown)\n}} loc(\"jit:\")"
        );
    }
    text + "} loc(unknown)\n"
}

/// A context that knows StableHLO.
fn context() -> Outcome<Context> {
    let context = Context::new();
    register(&context)?;
    Ok(context)
}

fn parse(context: &Context, text: &[u8]) -> Outcome<Module> {
    checked(parse_module(context, text, &ParseOptions::new().file("-"))?)
}

fn checked(module: Module) -> Outcome<Module> {
    let mut wrong = Vec::new();
    verify_module(&module, &mut |error| wrong.push(error.to_string()))?;
    if wrong.is_empty() { Ok(module) } else { Err(wrong.join("\n").into()) }
}

fn print(module: &Module) -> Outcome<Vec<u8>> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(false).locations(true), &mut text)?;
    Ok(text)
}

fn deserialise(context: &Context, artifact: &[u8]) -> Outcome<Module> {
    let module = read(context, artifact.to_vec())?;
    decode_all(&module)?;
    Ok(to_stablehlo(&module)?)
}

/// libStablehlo, in a process of its own.
struct Peer {
    process: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
    version: String,
}

impl Peer {
    /// With a module; `None` where it is not installed.
    fn start(text: &Path) -> Outcome<Option<Self>> {
        let home = std::env::home_dir().unwrap_or_default().join(".stablehlo/bin/python");
        let python = std::env::var_os("JAX_PYTHON").map_or(home, PathBuf::from);
        let has_jaxlib =
            Command::new(&python).args(["-c", "import jaxlib.mlir.dialects.stablehlo"]).stderr(Stdio::null()).status();
        if !has_jaxlib.is_ok_and(|status| status.success()) {
            skipped("libStablehlo", &format!("{} has no jaxlib", python.display()));
            return Ok(None);
        }
        let mut command = Command::new(&python);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("stablehlo.py")).arg(text);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(asked), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("no pipes".into());
        };
        let mut peer = Peer { process, asked, answers: BufReader::new(answers), version: String::new() };
        peer.version = peer.answer()?;
        Ok(Some(peer))
    }

    fn answer(&mut self) -> Outcome<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err(format!("libStablehlo: {}", self.process.wait()?).into()),
            _ => Ok(line.trim().to_owned()),
        }
    }

    fn ask(&mut self, question: &str) -> Outcome<Duration> {
        writeln!(self.asked, "{question}")?;
        Ok(Duration::from_secs_f64(self.answer()?.parse()?))
    }
}

/// The middle of several times.
fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn timed<T>(run: impl FnOnce() -> Outcome<T>) -> Outcome<(Duration, T)> {
    let start = Instant::now();
    let result = run()?;
    Ok((start.elapsed(), result))
}

fn main() -> Outcome<()> {
    let asked: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("made"), generate(env_number("MLIRBC_BENCH_OPERATIONS").unwrap_or(OPERATIONS) as usize))?;
    let mut peer = Peer::start(&at("made"))?;
    let module = parse(&context()?, &std::fs::read(at("made"))?)?;
    let version = peer.as_ref().map_or(Ok(Version::CURRENT), |peer| peer.version.parse())?;
    let (text, artifact) = (print(&module)?, write_artifact(&module, version)?);
    if let Some(peer) = &mut peer {
        peer.ask(&format!("write {}", folder.path().display()))?;
        std::fs::write(at("ours"), &artifact)?;
        peer.ask(&format!("text {} {}", at("ours").display(), at("theirs").display()))?;
        let read_back = print(&deserialise(&context()?, &artifact)?)?;
        for (what, ours, theirs) in [
            ("text", &text, at("text")),
            ("artifact", &artifact, at("artifact")),
            ("text of the artifact", &read_back, at("theirs")),
        ] {
            // Text of ours ends as that of mlir-opt does: with an empty line.
            let theirs = std::fs::read(theirs)?;
            let (ours, theirs) = (ours.trim_ascii_end(), theirs.trim_ascii_end());
            if ours != theirs {
                let same = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
                let near = |of: &[u8]| {
                    String::from_utf8_lossy(&of[same.saturating_sub(40)..(same + 40).min(of.len())]).into_owned()
                };
                return Err(format!("another {what}: {:?}, of libStablehlo {:?}", near(ours), near(theirs)).into());
            }
        }
    }
    let operations: usize = module.bodies().map(|(_, body)| body.preorder().count()).sum();
    println!("{operations} operations: {} bytes of text, {} of artifact {version}", text.len(), artifact.len());
    for (what, of_peer) in WHAT.into_iter().filter(|what| asked.is_empty() || asked.iter().any(|it| it == what.1)) {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TIMES {
            let context = context()?;
            ours.push(match what {
                "parse" => timed(|| parse(&context, &text))?.0,
                "print" => timed(|| print(&module))?.0,
                "deserialise" => timed(|| deserialise(&context, &artifact))?.0,
                "deserialise, checked" => timed(|| checked(deserialise(&context, &artifact)?))?.0,
                _ => timed(|| Ok(write_artifact(&module, version)?))?.0,
            });
            if let Some(peer) = &mut peer {
                theirs.push(peer.ask(of_peer)?);
            }
        }
        let ours = median(&mut ours);
        match theirs.is_empty() {
            true => println!("{what:20} {ours:9.1} ms"),
            false => {
                let theirs = median(&mut theirs);
                println!("{what:20} {ours:9.1} ms   libStablehlo {theirs:9.1} ms   {:5.1} times", theirs / ours);
            }
        }
    }
    Ok(())
}
