//! The text of the dialect's types and attributes, beside mlir-opt's.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_ir::text::{parse_attribute, print_attribute};
use mlirbc_ir::{AttributeData, Context};
use mlirbc_spirv::register;
use mlirbc_testing::tool;

/// What both read, and print alike.
const TYPES: &[&str] = &[
    "!spirv.array<4 x f32>",
    "!spirv.array<4xf32, stride = 4>",
    "!spirv.array<4 x!spirv.rtarray<i64>,stride=8>",
    "!spirv.array<4294967295 x si16>",
    "!spirv.rtarray<bf16>",
    "!spirv.rtarray<ui8, stride=1>",
    "!spirv.ptr<f32,Uniform>",
    "!spirv.ptr<vector<4xf32>, Input>",
    "!spirv.ptr<vector<[4]xf32>, DeviceOnlyINTEL>",
    "!spirv<ptr<f80, CrossWorkgroup>>",
    "!spirv.ptr<i1, PhysicalStorageBuffer>",
    "!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba32f>",
    "!spirv.image<vector<4xf32>, Dim1D, DepthUnknown, Arrayed, MultiSampled, NoSampler, Unknown>",
    "!spirv.image<!spirv.ptr<f32,Uniform>, SubpassData, IsDepth, Arrayed, MultiSampled, SamplerUnknown, R64ui>",
    "!spirv.sampled_image<!spirv.image<f32, Cube, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>",
    "!spirv.matrix<3 x vector<3xf32>>",
    "!spirv.matrix<2xvector<4xf16>>",
    "!spirv.coopmatrix<8x16xf32, Subgroup, MatrixA>",
    "!spirv.coopmatrix<8 x 16 x vector<4xf32>, QueueFamily, MatrixB>",
    "!spirv.coopmatrix<0x0xbf16, CrossDevice, MatrixAcc>",
    "!spirv.arm.tensor<14x19xi32>",
    "!spirv.arm.tensor<?x?xi32>",
    "!spirv.arm.tensor<*xf32>",
    "!spirv.arm.tensor<2x!spirv.ptr<f32,Uniform>>",
    "!spirv.struct<()>",
    "!spirv.struct<(f32)>",
    "!spirv.struct<(f32, tensor<2xi32>, none, index, memref<2xf32>)>",
    "!spirv.struct<(f32 [0], i32 [4, NonWritable, Location=3])>",
    "!spirv.struct<(f32 [NonWritable, MatrixStride=16, ColMajor])>",
    "!spirv.struct<(f32 [0, Location=2 : i32, Location=1 : i32])>",
    "!spirv.struct<(f32 [0, Location=1 : si32, BuiltIn=0x10, FPRoundingMode=1 : i8])>",
    "!spirv.struct<(f32 [0, BuiltIn=1.5, FPRoundingMode=1.5 : f32, Location = 4294967295])>",
    "!spirv.struct<(f32 [0], i32 [4, UserSemantic=[1 : i32, \"b\"], Offset=5 : i64, BuiltIn=true, Aliased=-1, \
     Uniform=@foo, Block=unit, SpecId={a = 1}])>",
    "!spirv.struct<(f32 [4294967295], i32 [-1])>",
    "!spirv.struct<(f32 [], i32)>",
    "!spirv.struct<(f32 [0]), Block>",
    "!spirv.struct<(f32 [0]), Block, GLSLShared, BuiltIn=\"Position\", SpecId=1>",
    "!spirv.struct<S.x, (f32 [0]), Block>",
    "!spirv.struct<(f32 [0, MatrixStride=16, RowMajor]), GLSLShared, Block>",
    "!spirv.struct<E, (f32 [0, MatrixStride=16, RowMajor, Location=2, Location=1]), GLSLShared, Block>",
    "!spirv.struct<Empty, ()>",
    "!spirv.struct<i32, (i32)>",
    "!spirv.struct<A, (i32, !spirv.ptr<!spirv.struct<A>, StorageBuffer>)>",
    "!spirv.struct<B, (!spirv.ptr<!spirv.struct<C, (!spirv.ptr<!spirv.struct<B>, Uniform>, \
     !spirv.ptr<!spirv.struct<C>, Uniform>)>, Uniform>)>",
    "!spirv.array<2 x !spirv.struct<D, (!spirv.rtarray<!spirv.ptr<!spirv.struct<D>, Generic>>), Block>>",
];

const ATTRIBUTES: &[&str] = &[
    "#spirv.vce<v1.5, [Shader, Int64], [SPV_KHR_16bit_storage]>",
    "#spirv.vce<v1.0,[],[]>",
    "#spirv.vce<v1.6, [StorageUniform16, FPGARegINTEL], [SPV_KHR_multiview, SPV_EXT_mesh_shader]>",
    "#spirv.vce<v1.5, [Shader, Shader], []>",
    "#spirv.interface_var_abi<(0, 1), StorageBuffer>",
    "#spirv.interface_var_abi<(0,4294967295)>",
    "#spirv.interface_var_abi<(0, -1)>",
    "#spirv.target_env<#spirv.vce<v1.0, [], []>, api=Vulkan, ARM:IntegratedGPU:42, #spirv.resource_limits<subgroup_size=16>>",
    "#spirv.target_env<#spirv.vce<v1.0, [], []>, api=Unknown, Unknown:IntegratedGPU:42, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.0, [], []>, ARM:Unknown:42, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.0, [], []>, ARM, #spirv.resource_limits<max_compute_shared_memory_size = 16384, \
     subgroup_size=-16, max_compute_workgroup_size=[128,128,64], cooperative_matrix_properties_khr = []>>",
    "#spirv.resource_limits<max_compute_workgroup_size=[128,128,63], min_subgroup_size=0, \
     cooperative_matrix_properties_khr=[#spirv.coop_matrix_props_khr<m_size=8,n_size=8,k_size=32,a_type=i8,b_type=i8,\
     c_type=i32,result_type=i32,acc_sat=true,scope=<Subgroup>>]>",
    "#spirv.resource_limits<max_compute_workgroup_size=[128 : i32,128 : i32,64 : i32], \
     cooperative_matrix_properties_nv=[#spirv.coop_matrix_props_nv<m_size=-8,n_size=8,k_size=32,a_type=i8,b_type=i8,\
     c_type=i32,result_type=i32,scope=<Subgroup>>]>",
    "#spirv.resource_limits<max_compute_workgroup_size=[128 : i8, 1.5, \"x\"], subgroup_size=-2147483648, \
     min_subgroup_size=-3>",
    "#spirv.entry_point_abi<>",
    "#spirv.entry_point_abi<subgroup_size=16, workgroup_size=[1,2,3], target_width=32>",
    "#spirv.entry_point_abi<workgroup_size=[]>",
    "#spirv.linkage_attributes<linkage_name=\"x\", linkage_type=<Import>>",
    "#spirv.linkage_attributes<linkage_type=<LinkOnceODR>, linkage_name=\"a\\22b\\0A\\n\">",
    "#spirv.linkage_attributes<linkage_name=\"x\" : i32, linkage_type=#spirv.linkage_type<Export>>",
    "#spirv.cache_control_load_intel<cache_level=1, load_cache_control=Cached>",
    "#spirv.cache_control_store_intel<cache_level=-1, store_cache_control=WriteBack>",
    "#spirv.coop_matrix_props_khr<m_size=4294967295,n_size=-1,k_size=32,a_type=i8,b_type=(i8)->i8,\
     c_type=!spirv.ptr<i8,Uniform>,result_type=i32,acc_sat=1,scope=<Subgroup>>",
    "#spirv.memory_access<\"Volatile|Aligned\">",
    "#spirv.memory_access<Aligned | Volatile>",
    "#spirv.memory_access<Aligned|Aligned>",
    "#spirv.memory_access< None>",
    "#spirv.storage_class<\"Uniform\">",
    "#spirv<storage_class <Uniform>>",
    "#spirv.loop_control<Unroll|None>",
    "#spirv.loop_control<Unroll|InitiationIntervalINTEL|MaxConcurrencyINTEL|LoopCoalesceINTEL|PeelCount>",
    "#spirv.memory_semantics<Acquire|Volatile|UniformMemory>",
    "#spirv.image_operands<Bias|MakeTexelAvailable>",
    "#spirv.ext<SPV_KHR_16bit_storage>",
    "#spirv.opcode<OpIAdd>",
    "#spirv.version<v1.5>",
    "#spirv.dim<Dim2D>",
    "#spirv.decoration<Restrict>",
    "#spirv.f_p_encoding<BFloat16KHR>",
    "#spirv.matrixLayout<ColumnMajor>",
    "#spirv.vendor<Unknown>",
    "#spirv.client_api<WebGPU>",
];

/// What neither reads.
const WRONG: &[&str] = &[
    "!spirv.array<0 x f32>",
    "!spirv.array<4 x f32, stride=0>",
    "!spirv.array<4x5xf32>",
    "!spirv.array<4 x 5 x f32>",
    "!spirv.array<0x4xf32>",
    "!spirv.array<f32>",
    "!spirv.array<4 x index>",
    "!spirv.array<4 x f32",
    "!spirv.array<4 x f32, stride>",
    "!spirv.rtarray<tensor<2xf32>>",
    "!spirv.ptr<f32>",
    "!spirv.ptr<index, Uniform>",
    "!spirv.ptr<vector<2x2xf32>, Uniform>",
    "!spirv.ptr",
    "!spirv.image<f32>",
    "!spirv.sampled_image<f32>",
    "!spirv.matrix<5 x vector<3xf32>>",
    "!spirv.matrix<3 x vector<3xi32>>",
    "!spirv.matrix<3 x f32>",
    "!spirv.coopmatrix<8xf32, Subgroup, MatrixA>",
    "!spirv.coopmatrix<8x8xf32, Subgroup>",
    "!spirv.arm.tensor<?x4xi32>",
    "!spirv.arm.tensor<i32>",
    "!spirv.arm.tensor<0xf32>",
    "!spirv.struct<A>",
    "!spirv.struct<(f32 [0], i32)>",
    "!spirv.struct<(f32 [4294967296])>",
    "!spirv.struct<(f32 [NonWritable, 0])>",
    "!spirv.struct<f32>",
    "!spirv.struct<A, (!spirv.struct<A, (f32)>)>",
    "!spirv.struct<A, (!spirv.struct<Q>)>",
    "#spirv.vce<v1.5, [Shader]>",
    "#spirv.vce<v1.5>",
    "#spirv.interface_var_abi<(0)>",
    "#spirv.interface_var_abi<0, 1>",
    "#spirv.interface_var_abi<(0, 4294967296)>",
    "#spirv.target_env<#spirv.vce<v1.0, [], []>>",
    "#spirv.target_env<#spirv.resource_limits<>, #spirv.resource_limits<>>",
    "#spirv.resource_limits<subgroup_size=32,subgroup_size=32>",
    "#spirv.resource_limits<max_compute_shared_memory_size=2147483648>",
    "#spirv.resource_limits<nothing=1>",
    "#spirv.entry_point_abi",
    "#spirv.entry_point_abi<workgroup_size=[2147483648]>",
    "#spirv.entry_point_abi<workgroup_size=array<i32:1>>",
    "#spirv.linkage_attributes<linkage_name=\"x\">",
    "#spirv.linkage_attributes<linkage_name=x, linkage_type=<Export>>",
    "#spirv.linkage_attributes<linkage_name=\"x\", linkage_type=Export>",
    "#spirv.loop_control<Unroll,DontUnroll>",
    "#spirv.memory_access<>",
    "#spirv.scope",
];

/// What only we read: what MLIR has no place for. All of it is printed as it stands here.
const OURS: &[&str] = &[
    "!spirv.array<@length x f32>",
    "!spirv.array<@length x f32, stride=16>",
    "!spirv.ptr<none, CrossWorkgroup>",
    "!spirv.ptr<vector<16xf32>, Uniform>",
    "!spirv.ptr<i7, Function>",
    "!spirv.ptr<f32, 4711>",
    "!spirv.image<none, Dim2D, NoDepth, NonArrayed, SingleSampled, SamplerUnknown, Unknown, ReadOnly>",
    "!spirv.coopmatrix<@rows x 16xf32, @scope, MatrixA>",
    "!spirv.struct<\"a b\", (f32)>",
    "!spirv.struct<\"a b\", (!spirv.ptr<!spirv.struct<\"a b\">, Uniform>)>",
    "!spirv.struct<(), Block>",
    "!spirv.struct<(f32 [0, Decoration 9999=3], f32 [4, Decoration 9998])>",
    "!spirv.sampler",
    "!spirv.event",
    "!spirv.pipe<ReadOnly>",
    "!spirv.opaque<\"a\\22b\">",
    "!spirv.khr.ray_query",
    "!spirv.khr.acceleration_structure",
    "!spirv.khr.untyped_pointer<Uniform>",
    "!spirv.nv.cooperative_matrix<f32, 3 : i32, 8 : i32, @columns>",
    "!spirv.nv.tensor_view<2 : i32, true, 0 : i32, 1 : i32>",
    "!spirv.amdx.node_payload_array<!spirv.struct<(f32)>>",
    "!spirv.ptr<!spirv.sampler, UniformConstant>",
    "#spirv.vce<v1.6, [60000], [SPV_NEW_thing, \"odd one\"]>",
    "#spirv.access_qualifier<ReadWrite>",
    "#spirv.memory_access<Volatile|1073741824>",
    "#spirv.capability<60000>",
    "#spirv.ext<\"odd one\">",
    "#spirv.tensor_operands<MakeElementAvailableARM>",
    // Names of a time to come are kept.
    "#spirv.capability<NotYetKnown>",
    "#spirv.linkage_attributes<linkage_name = \"x\", linkage_type = <NotYet>>",
    "#spirv.vce<v1.7, [NotYetKnown], []>",
    "!spirv.ptr<f32, NotYet>",
    "!spirv.struct<(!spirv.ptr<f32, NotYet> [0, NotYet=4])>",
    "#spirv.new_thing<a = b>",
    "!spirv.new_thing<(4) -> x>",
];

fn context() -> Context {
    let context = Context::new();
    register(&context).expect("registered");
    context
}

fn print(context: &Context, text: &str) -> String {
    let attribute = parse_attribute(context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    print_attribute(context, attribute).expect("text")
}

fn mlir_opt(input: &str) -> (bool, String) {
    let mut child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("mlir-opt");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("mlir-opt ends");
    (output.status.success(), String::from_utf8(output.stdout).expect("text"))
}

fn operation(text: &str) -> String {
    format!("\"test.op\"() {{a = {text}}} : () -> ()\n")
}

#[test]
fn text_is_mlir_opts() {
    let context = context();
    let texts: Vec<&str> = TYPES.iter().chain(ATTRIBUTES).copied().collect();
    let printed: Vec<String> = texts.iter().map(|text| print(&context, text)).collect();
    for (text, printed) in texts.iter().zip(&printed) {
        assert_eq!(print(&context, printed), *printed, "{text}");
        let (first, again) =
            (parse_attribute(&context, text.as_bytes()), parse_attribute(&context, printed.as_bytes()));
        assert_eq!(first.expect(text), again.expect(printed), "{text}");
    }
    if !tool("mlir-opt-22", "the text of SPIR-V types and attributes") {
        return;
    }
    let (ok, output) = mlir_opt(&texts.iter().map(|text| operation(text)).collect::<String>());
    assert!(ok, "mlir-opt takes all of them");
    let lines: Vec<&str> = output
        .lines()
        .filter_map(|line| line.trim().strip_prefix("\"test.op\"() {a = ")?.strip_suffix("} : () -> ()"))
        .collect();
    assert_eq!(lines.len(), texts.len());
    for (line, printed) in lines.iter().zip(&printed) {
        assert_eq!(printed, line);
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let context = context();
    for text in WRONG {
        assert!(parse_attribute(&context, text.as_bytes()).is_err(), "{text}");
    }
    if tool("mlir-opt-22", "wrong text of SPIR-V types and attributes") {
        for text in WRONG {
            assert!(!mlir_opt(&operation(text)).0, "{text}");
        }
    }
}

#[test]
fn what_mlir_lacks_has_text() {
    let context = context();
    for text in OURS {
        assert_eq!(print(&context, text), *text);
        assert_eq!(print(&context, &format!("[{text}]")), format!("[{text}]"));
    }
    // What is known is not kept as text.
    for text in TYPES.iter().chain(ATTRIBUTES).chain(&OURS[..29]) {
        let attribute = parse_attribute(&context, text.as_bytes()).expect(text);
        match &context[attribute] {
            AttributeData::Type(ty) => assert!(mlirbc_spirv::dialect::types::view(&context, *ty).is_some(), "{text}"),
            _ => assert!(mlirbc_spirv::dialect::attributes::view(&context, attribute).is_some(), "{text}"),
        }
    }
    if tool("mlir-opt-22", "text that MLIR lacks") {
        for text in OURS {
            assert!(!mlir_opt(&operation(text)).0, "{text}");
        }
    }
}

/// Text cut anywhere, or with a byte changed, is read or refused.
#[test]
fn damaged_text_does_no_harm() {
    let context = context();
    for text in TYPES.iter().chain(ATTRIBUTES).chain(OURS) {
        let bytes = text.as_bytes();
        for at in 0..bytes.len() {
            let _ = parse_attribute(&context, &bytes[..at]);
            for byte in [b'<', b'>', b',', b'x', b'9', b'"', b'@', b'!', 0] {
                let mut changed = bytes.to_vec();
                changed[at] = byte;
                if let Ok(attribute) = parse_attribute(&context, &changed) {
                    let printed = print_attribute(&context, attribute).expect("text");
                    assert_eq!(parse_attribute(&context, printed.as_bytes()).ok(), Some(attribute), "{printed}");
                }
            }
        }
    }
    let deep = |levels: usize| format!("{}f32{}", "!spirv.ptr<".repeat(levels), ", Uniform>".repeat(levels));
    assert!(parse_attribute(&context, deep(100).as_bytes()).is_ok());
    assert!(parse_attribute(&context, deep(100_000).as_bytes()).is_err());
}
