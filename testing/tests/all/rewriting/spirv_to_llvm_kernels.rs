//! What `convert-spirv-to-llvm` makes of kernels of OpenCL and of what else MLIR does not convert, compiled and run by LLVM.

use std::fmt::Write as _;

use mlirbc_rewrite::Pipeline;
use mlirbc_testing::tool;

use super::spirv_to_llvm::refused;
use super::spirv_to_llvm_host::run_beside;
use super::spirv_to_llvm_runs::Operand::{Float, Floats, Integer, Integers};
use super::spirv_to_llvm_runs::{Program, Types, USUAL, outer, piped, tools};
use super::{by_us, context, generic, registry};

/// What a module of `spirv` becomes, as LLVM IR.
pub(super) fn llvm(text: &str, options: &str) -> String {
    let converted = by_us(text, &format!("builtin.module(convert-spirv-to-llvm{options})"));
    assert!(!converted.contains("\"spirv."), "{converted}");
    let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&converted).as_bytes());
    assert_eq!(code, Some(0), "{converted}");
    String::from_utf8(llvm).expect("UTF-8")
}

/// The exit code of a program, and what it prints.
pub(super) fn run(llvm: &str) -> (Option<i32>, String) {
    let (code, said) = piped("lli-22", &["-"], llvm.as_bytes());
    (code, String::from_utf8(said).expect("UTF-8"))
}

#[test]
fn functions_of_opencl_give_what_they_should() {
    type Function = (&'static str, fn(f64) -> f64);
    let functions: [Function; 35] = [
        ("acos", f64::acos),
        ("asin", f64::asin),
        ("asinh", f64::asinh),
        ("atan", f64::atan),
        ("atanh", f64::atanh),
        ("cbrt", f64::cbrt),
        ("ceil", f64::ceil),
        ("cos", f64::cos),
        ("cosh", f64::cosh),
        ("degrees", f64::to_degrees),
        ("exp", f64::exp),
        ("exp10", |x| 10f64.powf(x)),
        ("exp2", f64::exp2),
        ("expm1", f64::exp_m1),
        ("fabs", f64::abs),
        ("fast_length", f64::abs),
        ("floor", f64::floor),
        ("half_cos", f64::cos),
        ("half_recip", f64::recip),
        ("length", f64::abs),
        ("log1p", f64::ln_1p),
        ("native_exp2", f64::exp2),
        ("native_sin", f64::sin),
        ("normalize", f64::signum),
        ("radians", f64::to_radians),
        ("rint", f64::round_ties_even),
        ("round", f64::round),
        ("sign", f64::signum),
        ("sin", f64::sin),
        ("sinh", f64::sinh),
        ("tan", f64::tan),
        ("tanh", f64::tanh),
        ("trunc", f64::trunc),
        // Numbers from elsewhere.
        ("erf", |_| -0.623_240_88),
        ("erfc", |_| 1.623_240_88),
    ];
    let positive: [Function; 10] = [
        ("acosh", f64::acosh),
        ("lgamma", |_| -0.120_782_237),
        ("log", f64::ln),
        ("log10", f64::log10),
        ("log2", f64::log2),
        ("native_log10", f64::log10),
        ("native_rsqrt", |x| x.sqrt().recip()),
        ("rsqrt", |x| x.sqrt().recip()),
        ("sqrt", f64::sqrt),
        ("tgamma", |_| 0.886_226_925),
    ];
    if !tools() {
        return;
    }
    for (float, near) in [("f32", 2e-5), ("f64", 1e-7)] {
        let mut program = Program::new(Types { float, near, ..USUAL });
        for (name, function) in functions {
            program.check(&format!("CL.{name}"), &[Float(-0.625)], &Float(function(-0.625)));
            if !matches!(name, "erf" | "erfc" | "fast_length" | "length" | "normalize") {
                let given = vec![0.25, -0.75];
                let expected = Floats(given.iter().map(|&number| function(number)).collect());
                program.check(&format!("CL.{name}"), &[Floats(given)], &expected);
            }
        }
        for (name, function) in positive {
            program.check(&format!("CL.{name}"), &[Float(1.5)], &Float(function(1.5)));
        }
        program.run();
    }
}

#[test]
fn functions_of_opencl_with_several_operands_give_what_they_should() {
    if !tools() {
        return;
    }
    let floats = |all: &[f64]| Floats(all.to_vec());
    let mut program = Program::new(USUAL);
    program.check("CL.atan2", &[Float(0.5), Float(-2.0)], &Float(0.5f64.atan2(-2.0)));
    program.check("CL.pow", &[floats(&[1.5, 2.0]), floats(&[2.5, -1.0])], &floats(&[1.5f64.powf(2.5), 0.5]));
    program.check("CL.powr", &[Float(1.5), Float(2.5)], &Float(1.5f64.powf(2.5)));
    program.check("CL.pown", &[Float(-1.5), Integer(3)], &Float(-3.375));
    program.check("CL.fma", &[floats(&[1.5, 2.0]), floats(&[2.5, 3.0]), floats(&[0.25, 1.0])], &floats(&[4.0, 7.0]));
    program.check("CL.mad", &[Float(1.5), Float(2.5), Float(0.25)], &Float(4.0));
    program.check("CL.fmax", &[Float(1.5), Float(2.5)], &Float(2.5));
    program.check("CL.fmin", &[Float(1.5), Float(2.5)], &Float(1.5));
    program.check("CL.fmod", &[Float(-5.5), Float(2.0)], &Float(-1.5));
    program.check("CL.remainder", &[Float(5.5), Float(2.0)], &Float(-0.5));
    program.check("CL.fdim", &[floats(&[5.5, 1.0]), floats(&[2.0, 2.0])], &floats(&[3.5, 0.0]));
    program.check("CL.hypot", &[Float(3.0), Float(-4.0)], &Float(5.0));
    program.check("CL.copysign", &[Float(3.0), Float(-4.0)], &Float(-3.0));
    program.check("CL.ldexp", &[Float(0.75), Integer(4)], &Float(12.0));
    program.check("CL.mix", &[floats(&[1.0, 2.0]), floats(&[3.0, 10.0]), floats(&[0.25, 0.5])], &floats(&[1.5, 6.0]));
    program.check("CL.fclamp", &[Float(7.0), Float(-1.0), Float(2.0)], &Float(2.0));
    program.check("CL.step", &[Float(0.5), Float(0.25)], &Float(0.0));
    program.check("CL.smoothstep", &[Float(1.0), Float(5.0), Float(2.0)], &Float(0.15625));
    program.check("CL.distance", &[floats(&[3.0, 5.0, 9.0]), floats(&[1.0, 2.0, 3.0])], &Float(7.0));
    program.check("CL.cross", &[floats(&[1.0, 2.0, 3.0]), floats(&[-4.0, 5.0, 6.0])], &floats(&[-3.0, -18.0, 13.0]));
    program.check("CL.native_divide", &[Float(3.0), Float(-4.0)], &Float(-0.75));
    program.check("CL.select", &[Float(3.0), Float(-4.0), Integer(1)], &Float(-4.0));
    program.check(
        "CL.select",
        &[floats(&[3.0, 4.0]), floats(&[5.0, 6.0]), Integers(vec![1, -1])],
        &floats(&[3.0, 6.0]),
    );
    program.check("CL.bitselect", &[Float(3.0), Float(-4.0), Integer(0)], &Float(3.0));
    program.run();
}

#[test]
fn functions_of_integers_of_opencl_give_what_they_should() {
    if !tools() {
        return;
    }
    let integers = |all: &[i64]| Integers(all.to_vec());
    for (integer, bits) in [("i32", 32), ("i64", 64), ("i16", 16)] {
        let mut program = Program::new(Types { integer, ..USUAL });
        let most = i64::MAX >> (64 - bits);
        program.check("CL.s_abs", &[integers(&[-7, 0, 9])], &integers(&[7, 0, 9]));
        program.check("CL.u_abs", &[integers(&[-7, 9])], &integers(&[-7, 9]));
        program.check("CL.s_max", &[Integer(-1), Integer(5)], &Integer(5));
        program.check("CL.s_min", &[Integer(-1), Integer(5)], &Integer(-1));
        program.check("CL.u_max", &[Integer(-1), Integer(5)], &Integer(-1));
        program.check("CL.u_min", &[Integer(-1), Integer(5)], &Integer(5));
        program.check("CL.s_clamp", &[Integer(-9), Integer(-2), Integer(3)], &Integer(-2));
        program.check("CL.u_clamp", &[Integer(-9), Integer(2), Integer(5)], &Integer(5));
        program.check("CL.s_abs_diff", &[Integer(-9), Integer(2)], &Integer(11));
        program.check("CL.u_abs_diff", &[Integer(9), Integer(20)], &Integer(11));
        program.check("CL.clz", &[integers(&[1, 0, -1])], &integers(&[bits - 1, bits, 0]));
        program.check("CL.ctz", &[integers(&[12, 0, -1])], &integers(&[2, bits, 0]));
        program.check("CL.popcount", &[integers(&[12, 0, -1])], &integers(&[2, 0, bits]));
        program.check("CL.rotate", &[Integer(-1 - most), Integer(2)], &Integer(2));
        program.check("CL.s_add_sat", &[Integer(most), Integer(2)], &Integer(most));
        program.check("CL.u_add_sat", &[Integer(-1), Integer(2)], &Integer(-1));
        program.check("CL.s_sub_sat", &[Integer(-most), Integer(2)], &Integer(-1 - most));
        program.check("CL.u_sub_sat", &[Integer(1), Integer(2)], &Integer(0));
        program.check("CL.s_mul_hi", &[Integer(-1), Integer(2)], &Integer(-1));
        program.check("CL.u_mul_hi", &[Integer(-1), Integer(2)], &Integer(1));
        program.check("CL.s_mad24", &[Integer(-3), Integer(5), Integer(7)], &Integer(-8));
        program.check("CL.u_mul24", &[Integer(3), Integer(5)], &Integer(15));
        program.check("CL.bitselect", &[Integer(0b1100), Integer(0b1010), Integer(0b0110)], &Integer(0b1010));
        program.check("GL.IMix", &[integers(&[3, 4]), integers(&[5, 6]), integers(&[0, 1])], &integers(&[3, 6]));
        program.run();
    }
}

const KERNEL: &str = r#"
spirv.module Physical64 OpenCL requires #spirv.vce<v1.2, [Kernel, Addresses, Int64, GenericPointer], []> {
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi64>, Input>
  spirv.GlobalVariable @shared : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
  spirv.func @kernel(%in: !spirv.ptr<f32, CrossWorkgroup>, %out: !spirv.ptr<f32, CrossWorkgroup>,
                     %by: !spirv.ptr<f32, UniformConstant>) "None" {
    %place = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi64>, Input>
    %ids = spirv.Load "Input" %place : vector<3xi64>
    %i = spirv.CompositeExtract %ids[0 : i32] : vector<3xi64>
    %from = "spirv.PtrAccessChain"(%in, %i) : (!spirv.ptr<f32, CrossWorkgroup>, i64) -> !spirv.ptr<f32, CrossWorkgroup>
    %to = "spirv.PtrAccessChain"(%out, %i) : (!spirv.ptr<f32, CrossWorkgroup>, i64) -> !spirv.ptr<f32, CrossWorkgroup>
    %number = "spirv.ConvertPtrToU"(%from) : (!spirv.ptr<f32, CrossWorkgroup>) -> i64
    %four = spirv.Constant 4 : i64
    %behind = spirv.IAdd %number, %four : i64
    %next = "spirv.ConvertUToPtr"(%behind) : (i64) -> !spirv.ptr<f32, CrossWorkgroup>
    %generic = spirv.PtrCastToGeneric %next : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<f32, Generic>
    %back = spirv.GenericCastToPtrExplicit %generic : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, CrossWorkgroup>
    %a = spirv.Load "CrossWorkgroup" %from ["Aligned", 4] : f32
    %b = spirv.Load "UniformConstant" %by : f32
    %c = spirv.Load "CrossWorkgroup" %back : f32
    %sum = spirv.CL.fma %a, %b, %c : f32
    %group = spirv.mlir.addressof @shared : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
    %mine = spirv.AccessChain %group[%i] : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>, i64 -> !spirv.ptr<f32, Workgroup>
    spirv.Store "Workgroup" %mine, %sum : f32
    "spirv.CopyMemory"(%to, %mine) {memory_access = #spirv.memory_access<Volatile>, source_memory_access = #spirv.memory_access<Aligned>, source_alignment = 2 : i32} : (!spirv.ptr<f32, CrossWorkgroup>, !spirv.ptr<f32, Workgroup>) -> ()
    spirv.Return
  }
  spirv.EntryPoint "Kernel" @kernel, @id
}
"#;

#[test]
fn a_kernel_reads_and_writes_the_buffers_that_it_is_given() {
    if !tools() {
        return;
    }
    let llvm = llvm(KERNEL, "");
    let declared = "@id = external constant <3 x i64>";
    assert!(llvm.contains(declared), "{llvm}");
    assert!(llvm.contains("store volatile float") && llvm.contains("align 2"), "{llvm}");
    let program = llvm.replace(declared, "@id = constant <3 x i64> <i64 2, i64 0, i64 0>")
        + "@in = global [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]\n@out = global [4 x float] zeroinitializer\n\
           @by = constant float 2.0\n\
           define i32 @main() {\n  call void @kernel(ptr @in, ptr @out, ptr @by)\n\
             %p = getelementptr float, ptr @out, i32 2\n  %x = load float, ptr %p\n  %n = fptosi float %x to i32\n  ret i32 %n\n}\n";
    assert_eq!(run(&program).0, Some(10), "{program}");
}

#[test]
fn storage_classes_of_a_kernel_are_address_spaces_of_opencl() {
    if !tools() {
        return;
    }
    let llvm = llvm(KERNEL, "{client-api=OpenCL}");
    assert!(
        llvm.contains("define void @kernel(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(2) %2)"),
        "{llvm}"
    );
    assert!(llvm.contains("addrspacecast") && llvm.contains("@shared = internal addrspace(3) global"), "{llvm}");
    let (code, _) = piped("llc-22", &["-O1", "-o", "-", "-"], llvm.as_bytes());
    assert_eq!(code, Some(0), "{llvm}");
}

#[test]
fn variables_hold_what_they_are_said_to_at_first() {
    if !tools() {
        return;
    }
    let mut constants = String::new();
    let format = "of %d, %g\n\0";
    for (at, byte) in format.bytes().enumerate() {
        writeln!(constants, "spirv.SpecConstant @f{at} = {byte} : i8").expect("text");
    }
    let (count, all) = (format.len(), (0..format.len()).map(|at| format!("@f{at}")).collect::<Vec<_>>().join(", "));
    let text = format!(
        r#"spirv.module Physical64 OpenCL {{
          {constants}
          spirv.SpecConstantComposite @format_bytes ({all}) : !spirv.array<{count} x i8>
          spirv.GlobalVariable @format initializer(@format_bytes) : !spirv.ptr<!spirv.array<{count} x i8>, UniformConstant>
          spirv.SpecConstant @ten = 10 : i32
          spirv.SpecConstant @twenty = 20 : i32
          spirv.SpecConstantComposite @pair (@ten, @twenty) : vector<2xi32>
          spirv.EXT.SpecConstantCompositeReplicate @pairs (@pair) : !spirv.array<3 x vector<2xi32>>
          spirv.GlobalVariable @lookup initializer(@pairs) : !spirv.ptr<!spirv.array<3 x vector<2xi32>>, Private>
          spirv.GlobalVariable @seven {{spirv_binary.initializer = 7 : i32}} : !spirv.ptr<i32, Private>
          spirv.GlobalVariable @both {{spirv_binary.initializer = {{type = !spirv.array<2 x i32>, value = [40 : i32, 41 : i32]}}}} :
            !spirv.ptr<!spirv.array<2 x i32>, Private>
          spirv.func @abs(%x: i32) -> i32 "None" attributes {{
            linkage_attributes = #spirv.linkage_attributes<linkage_name = "abs", linkage_type = <Import>>
          }}
          spirv.func @main() -> i32 "None" {{
            %zero = spirv.Constant 0 : i32
            %one = spirv.Constant 1 : i32
            %f = spirv.mlir.addressof @format : !spirv.ptr<!spirv.array<{count} x i8>, UniformConstant>
            %first = spirv.AccessChain %f[%zero] : !spirv.ptr<!spirv.array<{count} x i8>, UniformConstant>, i32 -> !spirv.ptr<i8, UniformConstant>
            %l = spirv.mlir.addressof @lookup : !spirv.ptr<!spirv.array<3 x vector<2xi32>>, Private>
            %p = spirv.AccessChain %l[%one, %one] : !spirv.ptr<!spirv.array<3 x vector<2xi32>>, Private>, i32, i32 -> !spirv.ptr<i32, Private>
            %number = spirv.Load "Private" %p : i32
            %half = spirv.Constant 2.5 : f32
            %said = spirv.CL.printf %first %number, %half : !spirv.ptr<i8, UniformConstant>, i32, f32 -> i32
            %s = spirv.mlir.addressof @seven : !spirv.ptr<i32, Private>
            %seven = spirv.Load "Private" %s : i32
            %less = spirv.ISub %seven, %number : i32
            %absolute = spirv.FunctionCall @abs(%less) : (i32) -> i32
            %a = spirv.mlir.referenceof @ten : i32
            %worked = spirv.SpecConstantOperation wraps "spirv.IAdd"(%a, %a) : (i32, i32) -> i32
            %sum = spirv.IAdd %absolute, %worked : i32
            %b = spirv.mlir.addressof @both : !spirv.ptr<!spirv.array<2 x i32>, Private>
            %q = spirv.AccessChain %b[%one] : !spirv.ptr<!spirv.array<2 x i32>, Private>, i32 -> !spirv.ptr<i32, Private>
            %of_both = spirv.Load "Private" %q : i32
            %more = spirv.IAdd %sum, %of_both : i32
            %tree = "spirv.ConstantComposite"() {{value = {{
              parts = [{{type = !spirv.array<2 x i32>, value = [50 : i32, 51 : i32]}}, {{null, type = vector<2xi32>}}],
              type = !spirv.struct<(!spirv.array<2 x i32>, vector<2xi32>)>
            }}}} : () -> !spirv.struct<(!spirv.array<2 x i32>, vector<2xi32>)>
            %of_tree = spirv.CompositeExtract %tree[0 : i32, 1 : i32] : !spirv.struct<(!spirv.array<2 x i32>, vector<2xi32>)>
            %changed = spirv.CompositeInsert %zero, %tree[1 : i32, 1 : i32] : i32 into !spirv.struct<(!spirv.array<2 x i32>, vector<2xi32>)>
            %none = spirv.CompositeExtract %changed[1 : i32, 1 : i32] : !spirv.struct<(!spirv.array<2 x i32>, vector<2xi32>)>
            %all = spirv.IAdd %more, %of_tree : i32
            %last = spirv.IAdd %all, %none : i32
            spirv.ReturnValue %last : i32
          }}
          spirv.ExecutionMode @main "DenormPreserve", 16
          spirv.ExecutionMode @main "DenormPreserve", 64
          spirv.ExecutionMode @main "DenormPreserve", 64
        }}"#
    );
    let program = llvm(&text, "");
    for name in ["__spv__main_execution_mode_info_4459", "__spv__main_execution_mode_info_4459_64"] {
        assert!(program.contains(&format!("@{name} = ")), "{name}: {program}");
    }
    assert_eq!(run(&program), (Some(13 + 20 + 41 + 51), "of 20, 2.5\n".to_owned()), "{program}");
}

#[test]
fn operations_of_extensions_give_what_they_should() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    // To the nearest, and of two to the even one.
    for (number, bits) in [(1.0 + 2f64.powi(-9), 0x3f80), (1.01171875, 0x3f82), (1.00390625, 0x3f80), (-1.5, 0xbfc0)] {
        let given = program.constant(&Float(number));
        let short = program.value(&format!("spirv.INTEL.ConvertFToBF16 {given} : f32 to i16"));
        let wide = program.value(&format!("spirv.UConvert {short} : i16 to i32"));
        program.expect(&wide, &Integer(bits));
        let back = program.value(&format!("spirv.INTEL.ConvertBF16ToF {short} : i16 to f32"));
        program.expect(&back, &Float(f64::from(f32::from_bits((bits as u32) << 16))));
    }
    let given = 1.0 + 2f64.powi(-11) + 2f64.powi(-20);
    let given = program.constant(&Float(given));
    let made = program.value(&format!("spirv.INTEL.RoundFToTF32 {given} : f32 to f32"));
    program.expect(&made, &Float(1.0 + 2f64.powi(-10)));
    let is_finite = program.value(&format!("spirv.IsFinite {given} : f32"));
    program.count(&is_finite);
    writeln!(program.text, "spirv.KHR.AssumeTrue {is_finite}").expect("text");
    let zero = program.constant(&Float(0.0));
    let infinite = program.value(&format!("spirv.FDiv {given}, {zero} : f32"));
    let is_finite = program.value(&format!("spirv.IsFinite {infinite} : f32"));
    let is_not = program.value(&format!("spirv.LogicalNot {is_finite} : i1"));
    program.count(&is_not);
    let made = program.value("spirv.EXT.ConstantCompositeReplicate [3 : i32] : vector<3xi32>");
    program.expect(&made, &Integers(vec![3; 3]));
    let three = program.constant(&Integer(3));
    let place = program.value(&format!("spirv.Variable init({three}) : !spirv.ptr<i32, Function>"));
    let five = program.constant(&Integer(5));
    let old = program.value(&format!(
        "\"spirv.AtomicCompareExchangeWeak\"({place}, {five}, {three}) {{memory_scope = #spirv.scope<Device>, \
         equal_semantics = #spirv.memory_semantics<None>, unequal_semantics = #spirv.memory_semantics<None>}} : \
         (!spirv.ptr<i32, Function>, i32, i32) -> i32"
    ));
    program.expect(&old, &Integer(3));
    let now = program.value(&format!("spirv.Load \"Function\" {place} : i32"));
    program.expect(&now, &Integer(5));
    program.run();
}

#[test]
fn instructions_without_meaning_are_left_out_with_their_strings() {
    if !tool("spirv-as", "no binary with a set without meaning was made") {
        return;
    }
    let text = r#"
      OpCapability Shader
      OpExtension "SPV_KHR_non_semantic_info"
      %set = OpExtInstImport "NonSemantic.DebugPrintf"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      %text = OpString "nothing"
      %void = OpTypeVoid
      %type = OpTypeFunction %void
      %main = OpFunction %void None %type
      %start = OpLabel
      %said = OpExtInst %void %set 1 %text
      OpReturn
      OpFunctionEnd
    "#;
    let (code, binary) = piped("spirv-as", &["-", "-o", "-"], text.as_bytes());
    assert_eq!(code, Some(0));
    let mut module = mlirbc_spirv::raise(&context(), binary).unwrap_or_else(|error| panic!("{error}"));
    assert!(generic(&module).contains("spirv.OpString"));
    let pipeline = Pipeline::parse("builtin.module(convert-spirv-to-llvm)", &registry()).expect("a pipeline");
    pipeline.run(&mut module).unwrap_or_else(|error| panic!("{error}"));
    assert!(!generic(&module).contains("\"spirv."), "{}", generic(&module));
}

/// A module of kernels, with what the first argument points to.
fn kernel(of: &str, body: &str) -> String {
    format!(
        "spirv.module Physical64 OpenCL {{\nspirv.func @kernel(%in: !spirv.ptr<{of}, CrossWorkgroup>) -> i32 \"None\" {{\n\
         {body}\n}}\nspirv.EntryPoint \"Kernel\" @kernel\n}}"
    )
}

#[test]
fn structs_of_kernels_stand_in_memory_as_those_of_c() {
    if !tools() {
        return;
    }
    let body = |of: &str| {
        format!(
            "%one = spirv.Constant 1 : i32
             %next = \"spirv.PtrAccessChain\"(%in, %one, %one) : (!spirv.ptr<{of}, CrossWorkgroup>, i32, i32) -> !spirv.ptr<i32, CrossWorkgroup>
             %got = spirv.Load \"CrossWorkgroup\" %next : i32
             spirv.ReturnValue %got : i32"
        )
    };
    let host = "
        @words = global [4 x i32] [i32 1, i32 20, i32 3, i32 40]
        define i32 @main() {
          %r = call i32 @kernel(ptr @words)
          ret i32 %r
        }";
    let of = "!spirv.struct<(i8, i32)>";
    assert_eq!(run_beside(&llvm(&kernel(of, &body(of)), ""), host), 40);
    // Behind six bytes: the upper half of the second word, and the lower one of the third.
    let of = "!spirv.struct<(i8, i32), CPacked>";
    let host = host.replace("i32 20, i32 3", "i32 11534336, i32 0");
    assert_eq!(run_beside(&llvm(&kernel(of, &body(of)), ""), &host), 176);
    let made = by_us(&kernel(of, &body(of)), "builtin.module(convert-spirv-to-llvm)");
    assert!(made.contains("alignment = 1 : i64"), "{made}");
    // Where nothing is said of the memory, a module is as MLIR has it.
    let shader =
        "spirv.module Logical GLSL450 {\nspirv.func @f(%p: !spirv.ptr<f32, Function>) \"None\" { spirv.Return }\n}\n";
    let of = "!spirv.struct<(i8, i32)>";
    let error = refused(&(shader.to_owned() + &kernel(of, &body(of))));
    assert!(error.contains("stand in memory as those of C"), "{error}");
    by_us(
        &(shader.to_owned() + &kernel("f32", "%n = spirv.Constant 1 : i32\nspirv.ReturnValue %n : i32")),
        "builtin.module(convert-spirv-to-llvm)",
    );
}
