//! What `convert-spirv-to-llvm` makes of modules: names that linkers look for, modes, variables that nothing uses, and errors that say what is
//! wrong.

use mlirbc_ir::verify::verify_module;
use mlirbc_rewrite::Pipeline;
use mlirbc_testing::tool;

use super::spirv_to_llvm::refused;
use super::spirv_to_llvm_runs::{outer, piped};
use super::{by_us, context, generic, registry};

const PIPELINE: &str = "builtin.module(convert-spirv-to-llvm)";

/// A binary of assembly.
fn assembled(text: &str) -> Vec<u8> {
    let (code, binary) = piped("spirv-as", &["-", "-o", "-"], text.as_bytes());
    assert_eq!(code, Some(0), "{text}");
    binary
}

/// What a binary becomes, or why it becomes nothing.
fn of_binary(binary: Vec<u8>, pipeline: &str) -> Result<String, String> {
    let mut module = mlirbc_spirv::raise(&context(), binary).unwrap_or_else(|error| panic!("{error}"));
    let before = generic(&module);
    let pipeline = Pipeline::parse(pipeline, &registry()).unwrap_or_else(|error| panic!("{error}"));
    match pipeline.run(&mut module) {
        Ok(_) => Ok(generic(&module)),
        Err(error) => {
            assert_eq!(generic(&module), before);
            Err(error.to_string())
        }
    }
}

/// An entry point `main` of a function of another name, beside a function and a variable that have that name.
const NAMES: &str = r#"
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %f "main"
      OpEntryPoint GLCompute %g "other"
      OpExecutionMode %f LocalSize 4 2 1
      OpName %f "compute"
      OpName %g "other"
      OpName %h "main"
      OpName %v "main_0"
      %void = OpTypeVoid
      %type = OpTypeFunction %void
      %word = OpTypeInt 32 0
      %pointer = OpTypePointer Private %word
      %v = OpVariable %pointer Private
      %one = OpConstant %word 1
      %h = OpFunction %void None %type
      %c = OpLabel
      OpStore %v %one
      OpReturn
      OpFunctionEnd
      %f = OpFunction %void None %type
      %a = OpLabel
      %x = OpFunctionCall %void %h
      OpReturn
      OpFunctionEnd
      %g = OpFunction %void None %type
      %b = OpLabel
      %y = OpFunctionCall %void %f
      OpReturn
      OpFunctionEnd
"#;

#[test]
fn entry_points_have_the_names_that_linkers_look_for() {
    if !tool("spirv-as", "no binary was made whose entry point has a name of its own") {
        return;
    }
    let made = of_binary(assembled(NAMES), PIPELINE).unwrap_or_else(|error| panic!("{error}"));
    let order: Vec<&str> = made
        .lines()
        .filter(|line| line.contains("\"llvm.func\"") || line.contains("callee = "))
        .map(|line| line.split(['"', '@']).find(|part| part.starts_with("main") || *part == "other").unwrap_or(line))
        .collect();
    // What had the name by chance gives way, and not to a name that there is.
    let functions = ["sym_name = \"main\"", "sym_name = \"main_1\"", "sym_name = \"other\"", "sym_name = \"main_0\""];
    assert!(functions.iter().all(|name| made.contains(name)), "{made}");
    assert!(!made.contains("compute"), "{made}");
    assert!(made.contains("callee = @main_1") && made.contains("callee = @main,"), "{order:?} {made}");
    assert!(made.contains("sym_name = \"__spv__main_execution_mode_info_17\""), "{made}");
    if tool("mlir-translate-22", "names were not translated to LLVM IR") {
        let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
        assert_eq!(code, Some(0), "{made}");
        let llvm = String::from_utf8(llvm).expect("UTF-8");
        for name in ["define void @main()", "define void @main_1()", "define void @other()", "call void @main_1()"] {
            assert!(llvm.contains(name), "{name}: {llvm}");
        }
    }
}

/// A library without names but for those that other modules know.
const LIBRARY: &str = r#"
      OpCapability Kernel
      OpCapability Addresses
      OpCapability Linkage
      OpMemoryModel Physical64 OpenCL
      OpDecorate %f LinkageAttributes "doubled" Export
      OpDecorate %g LinkageAttributes "abs" Import
      OpDecorate %v LinkageAttributes "counter" Export
      %word = OpTypeInt 32 0
      %type = OpTypeFunction %word %word
      %pointer = OpTypePointer CrossWorkgroup %word
      %v = OpVariable %pointer CrossWorkgroup
      %g = OpFunction %word None %type
      %p = OpFunctionParameter %word
      OpFunctionEnd
      %f = OpFunction %word None %type
      %q = OpFunctionParameter %word
      %a = OpLabel
      %x = OpFunctionCall %word %g %q
      OpStore %v %x
      OpReturnValue %x
      OpFunctionEnd
"#;

#[test]
fn functions_of_several_entry_points_have_all_their_names() {
    if !tool("spirv-as", "no function with several names was made") {
        return;
    }
    let more = "OpEntryPoint GLCompute %f \"again\"\n      OpEntryPoint GLCompute %g \"main_0\"\n      OpExecutionMode";
    let text = NAMES.replacen("OpExecutionMode", more, 1);
    let made = of_binary(assembled(&text), PIPELINE).unwrap_or_else(|error| panic!("{error}"));
    for name in ["main", "other", "again", "main_0"] {
        assert_eq!(made.matches(&format!("sym_name = \"{name}\"")).count(), 1, "{name}: {made}");
    }
    assert_eq!(made.matches("\"llvm.mlir.alias\"").count(), 2, "{made}");
    if tool("mlir-translate-22", "functions with several names were not translated to LLVM IR") {
        let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
        let llvm = String::from_utf8(llvm).expect("UTF-8");
        assert_eq!(code, Some(0), "{made}");
        for alias in ["@again = alias void (), ptr @main", "@main_0 = alias void (), ptr @other"] {
            assert!(llvm.contains(alias), "{llvm}");
        }
    }
    // All of them are one module, and the same name twice breaks a rule.
    let verified = |text: &str| {
        let module = mlirbc_spirv::raise(&context(), assembled(text)).unwrap_or_else(|error| panic!("{error}"));
        let mut said = Vec::new();
        let done = verify_module(&module, &mut |error| said.push(error.to_string()));
        done.unwrap_or_else(|error| panic!("{error}"));
        said.join("\n")
    };
    assert_eq!(verified(&text), "");
    let twice = NAMES.replacen("OpExecutionMode", &more.replace("\"again\"", "\"main\""), 1);
    let said = verified(&twice);
    assert!(said.contains("duplicate of a previous EntryPointOp"), "{said}");
}

/// What MLIR has no types for stands in variables as all else.
#[test]
fn samplers_are_named_by_what_samples() {
    if !tool("spirv-as", "no sampler was made") {
        return;
    }
    let text = r#"
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      %file = OpString "sampled.comp"
      OpDecorate %t DescriptorSet 0
      OpDecorate %t Binding 0
      OpDecorate %s DescriptorSet 0
      OpDecorate %s Binding 1
      %void = OpTypeVoid
      %type = OpTypeFunction %void
      %float = OpTypeFloat 32
      %two = OpTypeVector %float 2
      %four = OpTypeVector %float 4
      %zero = OpConstantNull %two
      %level = OpConstant %float 0
      %image = OpTypeImage %float 2D 0 0 0 1 Unknown
      %sampler = OpTypeSampler
      %both = OpTypeSampledImage %image
      %images = OpTypePointer UniformConstant %image
      %samplers = OpTypePointer UniformConstant %sampler
      %t = OpVariable %images UniformConstant
      %s = OpVariable %samplers UniformConstant
      %main = OpFunction %void None %type
      %a = OpLabel
      %i = OpLoad %image %t
      %j = OpLoad %sampler %s
      OpLine %file 7 3
      %k = OpSampledImage %both %i %j
      %l = OpImageSampleExplicitLod %four %k %zero Lod %level
      OpReturn
      OpFunctionEnd
"#;
    let module = mlirbc_spirv::raise(&context(), assembled(text)).unwrap_or_else(|error| panic!("{error}"));
    verify_module(&module, &mut |error| panic!("{error}")).unwrap_or_else(|error| panic!("{error}"));
    let error = of_binary(assembled(text), PIPELINE).expect_err("it is refused");
    let expected = "'spirv.SampledImage' that was explicitly marked illegal: a processor has no images and no samplers, at sampled.comp:7:3";
    assert!(error.contains(expected), "{error}");
}

/// A kernel that copies with its whole group, and takes a pointer back to where it came from.
const COPIES: &str = r#"
      OpCapability Kernel
      OpCapability Addresses
      OpCapability Groups
      OpCapability GenericPointer
      OpMemoryModel Physical64 OpenCL
      OpEntryPoint Kernel %f "f"
      %void = OpTypeVoid
      %word = OpTypeInt 32 0
      %event = OpTypeEvent
      %here = OpTypePointer Workgroup %word
      %there = OpTypePointer CrossWorkgroup %word
      %any = OpTypePointer Generic %word
      %events = OpTypePointer Function %event
      %type = OpTypeFunction %void %here %there
      %one = OpConstant %word 1
      %two = OpConstant %word 2
      %none = OpConstantNull %event
      %f = OpFunction %void None %type
      %p = OpFunctionParameter %here
      %q = OpFunctionParameter %there
      %a = OpLabel
      %e = OpVariable %events Function
      %x = OpGroupAsyncCopy %event %two %p %q %two %one %none
      OpStore %e %x
      OpGroupWaitEvents %two %one %e
      %g = OpPtrCastToGeneric %any %q
      %b = OpGenericCastToPtrExplicit %there %g CrossWorkgroup
      OpStore %b %one
      OpReturn
      OpFunctionEnd
"#;

#[test]
fn groups_copy_by_calls_and_wait_for_events() {
    if !tool("spirv-as", "no kernel that copies was made") {
        return;
    }
    for (options, names) in [
        ("", ["_Z22__spirv_GroupAsyncCopyiPjS_jj9ocl_event", "_Z23__spirv_GroupWaitEventsijP9ocl_event"]),
        (
            "{client-api=OpenCL}",
            ["_Z22__spirv_GroupAsyncCopyiPU3AS3jPU3AS1jjj9ocl_event", "_Z23__spirv_GroupWaitEventsijP9ocl_event"],
        ),
    ] {
        let pipeline = format!("builtin.module(convert-spirv-to-llvm{options})");
        let made = of_binary(assembled(COPIES), &pipeline).unwrap_or_else(|error| panic!("{error}"));
        assert!(!made.contains("\"spirv."), "{made}");
        for name in names {
            assert!(made.contains(&format!("callee = @{name}")), "{name}: {made}");
            assert_eq!(made.matches(&format!("sym_name = \"{name}\"")).count(), 1, "{name}: {made}");
        }
        assert_eq!(made.matches("\"llvm.addrspacecast\"").count(), if options.is_empty() { 0 } else { 2 }, "{made}");
        if tool("mlir-translate-22", "a kernel that copies was not translated to LLVM IR") {
            let (code, _) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
            assert_eq!(code, Some(0), "{made}");
        }
    }
}

#[test]
fn libraries_have_the_names_that_linkers_look_for() {
    if !tool("spirv-as", "no library was made") {
        return;
    }
    let made = of_binary(assembled(LIBRARY), PIPELINE).unwrap_or_else(|error| panic!("{error}"));
    for name in [
        "sym_name = \"doubled\"",
        "sym_name = \"abs\"",
        "sym_name = \"counter\"",
        "callee = @abs,",
        "global_name = @counter",
    ] {
        assert!(made.contains(name), "{name}: {made}");
    }
    // What a binary names keeps that name, as with MLIR.
    let named = LIBRARY.replacen("OpDecorate", "OpName %f \"twice\"\nOpDecorate", 1);
    let made = of_binary(assembled(&named), PIPELINE).unwrap_or_else(|error| panic!("{error}"));
    assert!(made.contains("sym_name = \"twice\"") && made.contains("sym_name = \"abs\""), "{made}");
}

#[test]
fn functions_that_have_the_name_of_their_entry_point_keep_it() {
    let text = "spirv.module Logical GLSL450 {
      spirv.func @main() \"None\" { spirv.Return }
      spirv.func @compute() \"None\" { spirv.Return }
      spirv.EntryPoint \"GLCompute\" @main
      \"spirv.EntryPoint\"() {execution_model = #spirv.execution_model<Kernel>, fn = @compute, interface = [],
        spirv_binary.name = \"main\"} : () -> ()
    }";
    let made = by_us(text, PIPELINE);
    for name in ["main", "compute"] {
        assert!(made.contains(&format!("sym_name = \"{name}\"")), "{name}: {made}");
    }
}

#[test]
fn operands_of_modes_are_worked_out() {
    let text = "spirv.module Logical GLSL450 {
      spirv.SpecConstant @x spec_id(0) = 8 : i32
      spirv.SpecConstant @y = 2 : i32
      \"spirv.OpSpecConstantOp\"() {literals = [132 : i32], operands = [@x, @y], sym_name = \"z\", type = i32} : () -> ()
      spirv.func @main() \"None\" { spirv.Return }
      spirv.EntryPoint \"GLCompute\" @main
      \"spirv.ExecutionModeId\"() {execution_mode = #spirv.execution_mode<LocalSizeId>, fn = @main, values = [@x, 3 : i32, @z]} : () -> ()
    }";
    for (options, numbers) in [("", [38, 8, 3, 16]), ("{specialization=0:5}", [38, 5, 3, 10])] {
        let made = by_us(text, &format!("builtin.module(convert-spirv-to-llvm{options})"));
        let at = made.find("sym_name = \"__spv__main_execution_mode_info_38\"").unwrap_or_else(|| panic!("{made}"));
        let region = made[at..].split("llvm.return").next().expect("a region");
        let found: Vec<&str> = region.lines().filter_map(|line| line.split("value = ").nth(1)).collect();
        let wanted = numbers.map(|number| format!("{number} : i32"));
        assert_eq!(found.len(), 4, "{made}");
        assert!(found.iter().zip(&wanted).all(|(found, wanted)| found.starts_with(&**wanted)), "{found:?} {made}");
    }
    let error = refused(
        "spirv.module Logical GLSL450 {
           spirv.func @main() \"None\" { spirv.Return }
           \"spirv.ExecutionModeId\"() {execution_mode = #spirv.execution_mode<LocalSizeId>, fn = @main, values = [@none]} : () -> ()
         }",
    );
    assert!(error.contains("'spirv.ExecutionModeId'") && error.contains("cannot be worked out"), "{error}");
}

/// A mode whose first operand is a type: `FPFastMathDefault`, which older assemblers do not know.
const LIBERTIES: &str = r#"
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      OpExecutionModeId %main !6028 %float %none
      %void = OpTypeVoid
      %float = OpTypeFloat 32
      %word = OpTypeInt 32 0
      %none = OpConstant %word 0
      %type = OpTypeFunction %void
      %main = OpFunction %void None %type
      %start = OpLabel
      OpReturn
      OpFunctionEnd
"#;

#[test]
fn liberties_of_arithmetic_come_from_a_binary_and_go_back() {
    if !tool("spirv-as", "no shader with a mode of a type was made") {
        return;
    }
    let binary = assembled(LIBERTIES);
    let module = mlirbc_spirv::raise(&context(), binary.clone()).unwrap_or_else(|error| panic!("{error}"));
    assert!(generic(&module).contains("values = [f32, 0 : i32]"), "{}", generic(&module));
    let back = mlirbc_spirv::lower(&module).unwrap_or_else(|error| panic!("{error}"));
    let again = mlirbc_spirv::raise(&context(), back).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(generic(&again), generic(&module));
    let made = of_binary(binary, PIPELINE).unwrap_or_else(|error| panic!("{error}"));
    assert!(!made.contains("6028") && made.contains("execution_mode_info_17"), "{made}");
}

const IMAGE: &str = "!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>";

#[test]
fn images_that_nothing_uses_are_left_out() {
    let with = |user: &str| {
        format!(
            "spirv.module Logical GLSL450 {{
               spirv.GlobalVariable @image bind(0, 1) : !spirv.ptr<!spirv.sampled_image<{IMAGE}>, UniformConstant>
               spirv.GlobalVariable @sampler bind(0, 2) : !spirv.ptr<!spirv.sampler, UniformConstant>
               spirv.GlobalVariable @number : !spirv.ptr<f32, Private>
               spirv.func @main() \"None\" {{ {user} spirv.Return }}
               spirv.EntryPoint \"GLCompute\" @main, @image
             }}"
        )
    };
    let made = by_us(&with(""), PIPELINE);
    assert!(made.contains("sym_name = \"number\"") && !made.contains("image") && !made.contains("sampler"), "{made}");
    let user = format!("%i = spirv.mlir.addressof @image : !spirv.ptr<!spirv.sampled_image<{IMAGE}>, UniformConstant>");
    let error = refused(&with(&user));
    assert!(error.contains("'spirv.GlobalVariable'") && error.contains("no images and no samplers"), "{error}");
    assert!(error.contains("@image"), "{error}");
    let error =
        refused(&format!("spirv.module Logical GLSL450 {{ spirv.func @f(%i: {IMAGE}) \"None\" {{ spirv.Return }} }}"));
    assert!(error.contains("'spirv.func'") && error.contains("no images and no samplers"), "{error}");
}

/// A shader that asks what rays meet.
const RAYS: &str = r#"
      OpCapability Shader
      OpCapability RayQueryKHR
      OpExtension "SPV_KHR_ray_query"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      %file = OpString "rays.comp"
      OpDecorate %scene DescriptorSet 0
      OpDecorate %scene Binding 0
      %void = OpTypeVoid
      %type = OpTypeFunction %void
      %word = OpTypeInt 32 0
      %float = OpTypeFloat 32
      %three = OpTypeVector %float 3
      %structure = OpTypeAccelerationStructureKHR
      %of_structure = OpTypePointer UniformConstant %structure
      %scene = OpVariable %of_structure UniformConstant
      %query = OpTypeRayQueryKHR
      %of_query = OpTypePointer Private %query
      %ray = OpVariable %of_query Private
      %none = OpConstant %word 0
      %zero = OpConstant %float 0
      %origin = OpConstantComposite %three %zero %zero %zero
      %main = OpFunction %void None %type
      %start = OpLabel
      OpLine %file 7 3
      %top = OpLoad %structure %scene
      OpLine %file 8 3
      OpRayQueryInitializeKHR %ray %top %none %none %origin %zero %origin %zero
      OpReturn
      OpFunctionEnd
"#;

#[test]
fn rays_are_named_with_their_line() {
    if !tool("spirv-as", "no shader that asks what rays meet was made") {
        return;
    }
    let error = of_binary(assembled(RAYS), PIPELINE).expect_err("it is refused");
    assert!(error.contains("'spirv.RayQueryInitializeKHR'"), "{error}");
    assert!(error.contains("a processor traces no rays, at rays.comp:8:3"), "{error}");
    // Without the instruction, its types are named.
    let without = RAYS.lines().filter(|line| !line.contains("OpRayQueryInit")).collect::<Vec<_>>().join("\n");
    let error = of_binary(assembled(&without), PIPELINE).expect_err("it is refused");
    assert!(error.contains("'spirv.GlobalVariable'") && error.contains("a processor traces no rays"), "{error}");
    // And nothing is left to be named where nothing has them.
    let without = without.lines().filter(|line| !line.contains("OpLoad")).collect::<Vec<_>>().join("\n");
    of_binary(assembled(&without), PIPELINE).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn values_of_constants_are_checked() {
    let text = "spirv.module Logical GLSL450 {
      spirv.SpecConstant @a spec_id(0) = 1 : i8
      spirv.SpecConstant @b spec_id(1) = 1 : si8
      spirv.SpecConstant @c spec_id(2) = 1.0 : f16
      spirv.SpecConstant @d spec_id(3) = false
      spirv.SpecConstant @e spec_id(4) = 1 : i64
      spirv.SpecConstant @f spec_id(5) = 1.0 : f64
      spirv.func @f0() -> i64 \"None\" {
        %r = spirv.mlir.referenceof @e : i64
        spirv.ReturnValue %r : i64
      }
    }";
    let run = |given: &str| -> Result<String, String> {
        let options = mlirbc_text::ParseOptions::new().implicit_module(true);
        let mut module = mlirbc_text::parse_module(&context(), text.as_bytes(), &options).expect("a module");
        let pipeline = format!("builtin.module(convert-spirv-to-llvm{{specialization={given}}})");
        let pipeline = Pipeline::parse(&pipeline, &registry()).map_err(|error| error.to_string())?;
        pipeline.run(&mut module).map_err(|error| error.to_string())?;
        Ok(generic(&module))
    };
    for given in
        ["0:255", "0:-128", "1:127", "1:-128", "2:65504", "2:-inf", "2:nan", "3:true", "3:0", "4:-1", "5:1e300"]
    {
        run(given).unwrap_or_else(|error| panic!("{given}: {error}"));
    }
    assert!(run("4:18446744073709551615").expect("a module").contains("value = -1 : i64"));
    for (given, said) in [
        ("0:256", "256 is given to the specialization constant 0, and is no value of i8"),
        ("0:-129", "-129 is given to the specialization constant 0"),
        ("1:128", "128 is given to the specialization constant 1, and is no value of si8"),
        ("0:1.5", "1.5 is given to the specialization constant 0"),
        ("2:65536", "65536 is given to the specialization constant 2, and is no value of f16"),
        ("3:2", "2 is given to the specialization constant 3, and is no value of i1"),
        ("0:1,7:3", "3 is given to the specialization constant 7, and there is none"),
        ("4:18446744073709551616", "`4:18446744073709551616` ends with no number"),
        ("5:1e999", "`5:1e999` ends with no number"),
        ("4", "`4` is no id of a constant with its value"),
        ("x:4", "`x:4` does not begin with the id of a constant"),
        ("-1:4", "`-1:4` does not begin with the id of a constant"),
        ("4:four", "`4:four` ends with no number"),
        ("4:1,4:2", "the specialization constant 4 is given two values"),
    ] {
        let error = run(given).expect_err(given);
        assert!(error.contains(said), "{given}: {error}");
    }
}

/// Memory that MLIR does not convert.
const BUFFER: &str = "spirv.GlobalVariable @buffer bind(0, 0) : \
    !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>";

#[test]
fn functions_without_effects_are_said_to_have_none() {
    let functions = [
        ("Pure", "memory(read)", false),
        ("Const", "memory(none)", false),
        ("Inline|Pure", "memory(read)", true),
        ("Inline|Const", "memory(none)", true),
        ("Inline|Pure|Const", "memory(none)", true),
    ];
    let mut text = format!("spirv.module Logical GLSL450 {{ {BUFFER}\n");
    for (number, (control, ..)) in functions.iter().enumerate() {
        text += &format!("spirv.func @f{number}(%a: i32) -> i32 \"{control}\" {{ spirv.ReturnValue %a : i32 }}\n");
    }
    let made = by_us(&(text + "}"), PIPELINE);
    if !tool("mlir-translate-22", "effects of functions were not translated to LLVM IR") {
        return;
    }
    let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
    assert_eq!(code, Some(0), "{made}");
    let llvm = String::from_utf8(llvm).expect("UTF-8");
    for (number, (control, effects, is_inline)) in functions.iter().enumerate() {
        let name = format!("@f{number}(");
        let line = llvm.lines().find(|line| line.contains(&name)).unwrap_or_else(|| panic!("{llvm}"));
        let group = line.split('#').nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_else(|| panic!("{line}"));
        let said = format!("attributes #{group} = ");
        let said = llvm.lines().find(|line| line.starts_with(&said)).unwrap_or_else(|| panic!("{llvm}"));
        assert!(said.contains(effects), "{control}: {said}");
        assert_eq!(said.contains("alwaysinline"), *is_inline, "{control}: {said}");
    }
}
