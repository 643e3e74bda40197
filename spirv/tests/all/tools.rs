//! Modules of the tools that people compile with: OpenCL kernels by `llc`, GLSL with debug information by `glslangValidator`.

use std::path::Path;
use std::process::Command;

use mlirbc_bytecode::WriteOptions;
use mlirbc_spirv::{read, registered, write};
use mlirbc_testing::tool;

fn round_trip(name: &str, bytes: &[u8]) {
    let context = mlirbc_testing::context();
    let module = read(&context, bytes.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(write(&module).expect("words") == bytes, "{name}");
    for unregistered in [vec![], vec![mlirbc_spirv::DIALECT.to_owned()]] {
        let options = WriteOptions { unregistered, ..WriteOptions::default() };
        let file = mlirbc_bytecode::write(&module, &options).expect("bytecode");
        let module = mlirbc_bytecode::read(&context, file).expect("bytecode");
        assert!(write(&module).expect("words") == bytes, "{name}");
        assert!(write(&registered(module).expect("the same module")).expect("words") == bytes, "{name}");
    }
}

fn run(command: &mut Command) {
    let output = command.output().expect("the tool runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stdout));
}

const KERNELS: &[(&str, &str)] = &[
    (
        "add",
        "define spir_kernel void @add(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
           %p = getelementptr i32, ptr addrspace(1) %a, i32 %n
           %x = load i32, ptr addrspace(1) %p, align 4
           %q = getelementptr i32, ptr addrspace(1) %b, i32 %n
           %y = load volatile i32, ptr addrspace(1) %q, align 16
           %s = add nsw i32 %x, %y
           store i32 %s, ptr addrspace(1) %p, align 4
           ret void
         }",
    ),
    (
        "loop",
        "define spir_kernel void @f(ptr addrspace(1) %a, i64 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i64 [ 0, %entry ], [ %j, %next ]
           %p = getelementptr double, ptr addrspace(1) %a, i64 %i
           %x = load double, ptr addrspace(1) %p, align 8
           %y = fmul fast double %x, 2.5
           store double %y, ptr addrspace(1) %p, align 8
           switch i64 %i, label %next [ i64 5, label %out  i64 4294967296, label %out ]
         next:
           %j = add i64 %i, 1
           %c = icmp slt i64 %j, %n
           br i1 %c, label %loop, label %out
         out:
           ret void
         }",
    ),
    (
        "calls",
        "declare spir_func float @_Z3sinf(float)
         define linkonce_odr spir_func <4 x float> @g(<4 x float> %v, i16 %k) {
           %x = extractelement <4 x float> %v, i16 %k
           %y = call spir_func float @_Z3sinf(float %x)
           %w = insertelement <4 x float> %v, float %y, i32 1
           ret <4 x float> %w
         }
         @table = addrspace(2) constant [3 x i8] c\"ab\\00\"
         define spir_kernel void @k(ptr addrspace(1) %o, ptr addrspace(3) %l) {
           %v = load <4 x float>, ptr addrspace(1) %o
           %r = call spir_func <4 x float> @g(<4 x float> %v, i16 2)
           store <4 x float> %r, ptr addrspace(1) %o
           %a = atomicrmw add ptr addrspace(3) %l, i32 1 seq_cst
           ret void
         }",
    ),
];

#[test]
fn kernels() {
    if !tool("llc-22", "kernels") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for (name, text) in KERNELS {
        for triple in ["spirv32-unknown-unknown", "spirv64-unknown-unknown", "spirv64v1.4-unknown-unknown"] {
            for level in ["-O0", "-O2"] {
                let source = folder.path().join("kernel.ll");
                let target = folder.path().join("kernel.spv");
                std::fs::write(&source, text).expect("written");
                let triple = format!("--mtriple={triple}");
                run(Command::new("llc-22")
                    .args([&*triple, level, "-filetype=obj"])
                    .arg(&source)
                    .arg("-o")
                    .arg(&target));
                round_trip(&format!("{name} {triple} {level}"), &std::fs::read(&target).expect("a module"));
                count += 1;
            }
        }
    }
    assert_eq!(count, 18);
}

const SHADERS: &[(&str, &str)] = &[
    (
        "comp",
        "#version 460
         layout(local_size_x = 8, local_size_y = 4) in;
         layout(set = 0, binding = 1, std430) buffer Data { uint count; vec4 values[]; } data;
         struct Light { vec3 at; float power; };
         float lit(Light light, vec3 p) { return light.power / max(distance(light.at, p), 0.001); }
         void main() {
           uint at = gl_GlobalInvocationID.x;
           for (uint i = 0u; i < data.count; ++i) {
             if ((i & 1u) != 0u) continue;
             data.values[at] += vec4(lit(Light(vec3(i), 2.0), data.values[at].xyz));
           }
           switch (at) { case 1u: data.count = 3u; break; case 7u: atomicAdd(data.count, 1u); default: break; }
         }",
    ),
    (
        "frag",
        "#version 460
         layout(location = 0) in vec2 uv;
         layout(location = 0) out vec4 colour;
         layout(binding = 0) uniform sampler2D image;
         layout(constant_id = 3) const int mode = 1;
         void main() { colour = mode == 1 ? textureLod(image, uv, 0.0) : texture(image, uv, 0.5); if (colour.a < 0.1) discard; }",
    ),
];

#[test]
fn shaders_with_debug_information() {
    if !tool("glslangValidator", "shaders with debug information") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for (stage, text) in SHADERS {
        for flags in [&["-gVS"][..], &["-g"], &["-g0"], &["-gVS", "-Od"]] {
            let compile = |source: &Path, target: &Path| {
                let mut command = Command::new("glslangValidator");
                run(command.args(["-V", "--target-env", "vulkan1.3"]).args(flags).arg(source).arg("-o").arg(target));
            };
            let source = folder.path().join(format!("shader.{stage}"));
            let target = folder.path().join("shader.spv");
            std::fs::write(&source, text).expect("written");
            compile(&source, &target);
            let bytes = std::fs::read(&target).expect("a module");
            round_trip(&format!("{stage} {flags:?}"), &bytes);
            count += 1;
        }
    }
    assert_eq!(count, 8);
}
