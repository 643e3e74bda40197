//! What modules need, and what targets have.

use mlirbc_ir::{Context, Module};
use mlirbc_spirv::Builder;
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::{SpirvAttribute, Triple, view};
use mlirbc_spirv::target::{Environment, Met, Need, Platform, Runner, lookup, lookup_or_default, reasons};
use mlirbc_text::{ParseOptions, parse_module};

fn parsed(context: &Context, text: &str) -> Module {
    mlirbc_spirv::register(context).expect("registered once");
    parse_module(context, text.as_bytes(), &ParseOptions::new()).expect(text)
}

fn capability(name: &str) -> u32 {
    EnumKind::Capability.value(name).expect(name)
}

#[test]
fn what_is_said_next_counts() {
    let context = Context::new();
    let environment =
        |minor: u32| format!("#spirv.target_env<#spirv.vce<v1.{minor}, [Shader], []>, #spirv.resource_limits<>>");
    let text = format!(
        "\"builtin.module\"() ({{
           \"builtin.module\"() ({{ spirv.module Logical GLSL450 {{ }} }}) {{targets = [1 : i32, {}], spirv.target_env = {}}} : () -> ()
           \"test.around\"() ({{ spirv.module Logical GLSL450 {{ }} }}) {{spirv.target_env = {}}} : () -> ()
           spirv.module Logical GLSL450 attributes {{spirv.target_env = {}}} {{ }}
         }}) {{spirv.target_env = {}}} : () -> ()",
        environment(1),
        environment(2),
        environment(3),
        environment(4),
        environment(5)
    );
    let module = parsed(&context, &text);
    let outermost = module.operations().expect("a body").next().expect("a module");
    let version = |op| {
        let found = lookup(op).expect("well-formed").expect("an environment");
        Environment::of(&context, found).expect("an environment").version
    };
    let modules: Vec<u32> = outermost.walk().expect("bodies").filter(|op| op.is("spirv.module")).map(version).collect();
    // What is no symbol table is not asked.
    assert_eq!(modules, [1, 5, 4]);
    let module = parsed(&context, "\"builtin.module\"() ({ }) : () -> ()");
    let outermost = module.operations().expect("a body").next().expect("a module");
    assert_eq!(lookup(outermost).expect("well-formed"), None);
    let default = lookup_or_default(outermost).expect("well-formed");
    let shown = mlirbc_ir::text::parse_attribute(
        &context,
        b"#spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>",
    );
    assert_eq!(default, shown.expect("well-formed"));
}

#[test]
fn what_is_implied_is_there() {
    let triple = Triple {
        version: 5,
        capabilities: vec![capability("StorageUniform16"), capability("Geometry")],
        extensions: vec![],
    };
    let environment = Environment::new(&triple);
    for name in ["Geometry", "Shader", "Matrix", "StorageBuffer16BitAccess"] {
        assert!(environment.has_capability(capability(name)), "{name}");
    }
    assert!(!environment.has_capability(capability("Kernel")));
    assert!(
        environment.has_extension("SPV_KHR_8bit_storage") && !environment.has_extension("SPV_KHR_integer_dot_product")
    );
    let (kernel, shader) = (capability("Kernel"), capability("Shader"));
    let either: &'static [u32] = Box::leak(Box::new([kernel, shader]));
    assert_eq!(environment.meets(Need::Capability(either)), Some(Met::Capability(shader)));
    assert_eq!(environment.meets(Need::Most(4)), None);
}

#[test]
fn platforms_are_attributes() {
    let context = Context::new();
    mlirbc_spirv::register(&context).expect("registered once");
    for platform in Platform::ALL {
        let environment = Environment::of(&context, platform.attribute(&context)).expect("an environment");
        assert_eq!(environment.version, platform.version);
        assert_eq!(Runner::parse(&context, platform.name), Some(Runner::Platform(platform)));
    }
    let Some(SpirvAttribute::TargetEnvironment(kernel)) =
        view(&context, Platform::find("opencl2.2").expect("known").attribute(&context))
    else {
        panic!("no environment");
    };
    let Some(SpirvAttribute::Vce(triple)) = view(&context, kernel.triple) else { panic!("no triple") };
    assert_eq!(triple.capabilities[0], capability("Kernel"));
    assert_eq!(Runner::parse(&context, "#spirv.vce<v1.0, [], []>"), None);
}

/// Decorations and built-ins, which are attributes in the dialect, and members of structs.
#[test]
fn attributes_have_needs() {
    let context = Context::new();
    let text = "spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {
      spirv.GlobalVariable @b built_in(\"SubgroupEqMask\") : !spirv.ptr<vector<4xi32>, Input>
      spirv.GlobalVariable @s : !spirv.ptr<!spirv.struct<(f32 [0, Sample])>, Output>
      spirv.func @f(%p: !spirv.ptr<f32, Function>) -> f32 \"None\" {
        %0 = spirv.Load \"Function\" %p [\"NonPrivatePointer\"] : f32
        %1 = spirv.FAdd %0, %0 {rounding_mode = #spirv.fp_rounding_mode<RTE>} : f32
        spirv.ReturnValue %1 : f32
      }
    }";
    let module = parsed(&context, text);
    let found: Vec<String> =
        reasons(&module).expect("well-formed").iter().map(|(needs, place)| format!("{needs}: {place}")).collect();
    for (needs, place) in [
        ("capability GroupNonUniformBallot or SubgroupBallotKHR", "spirv.GlobalVariable"),
        ("capability SampleRateShading", "spirv.GlobalVariable"),
        ("capability VulkanMemoryModel", "operation 1, spirv.Load in @f"),
    ] {
        assert!(found.iter().any(|it| it.starts_with(needs) && it.ends_with(place)), "{needs}: {found:#?}");
    }
    let obstacles =
        Runner::Platform(Platform::find("vulkan1.3").expect("known")).obstacles(&module).expect("well-formed");
    assert!(obstacles.iter().any(|it| it.to_string().contains("needs capability SampleRateShading")), "{obstacles:?}");
}

/// What a module says of itself after `spirv-update-vce` for a target that has much.
fn updated(module: &str) -> String {
    let context = Context::new();
    let text = format!(
        "\"builtin.module\"() ({{ {module} }}) {{spirv.target_env = #spirv.target_env<#spirv.vce<v1.6, [Kernel, Addresses, ImageMSArray, Geometry,
           Tessellation, Int8, Int16, Float16, UniformAndStorageBuffer8BitAccess, VariablePointers, ShaderNonUniform, MinLod, ClipDistance,
           AtomicStorage, StorageImageWriteWithoutFormat], [SPV_EXT_descriptor_indexing, SPV_KHR_non_semantic_info,
           SPV_GOOGLE_hlsl_functionality1]>, #spirv.resource_limits<>>}} : () -> ()"
    );
    let mut module = parsed(&context, &text);
    let registry = mlirbc_spirv::transforms::add_to(mlirbc_rewrite::Registry::default());
    let pipeline = "builtin.module(spirv.module(spirv-update-vce))";
    let pipeline = mlirbc_rewrite::Pipeline::parse(pipeline, &registry).expect("known");
    pipeline.run(&mut module).expect("well-formed");
    let outermost = module.operations().expect("a body").next().expect("a module");
    let inner = outermost.walk().expect("bodies").find(|op| op.is("spirv.module")).expect("one");
    let triple = inner.attribute("vce_triple").expect("well-formed").expect("given");
    let Some(SpirvAttribute::Vce(triple)) = view(&context, triple) else { panic!("no triple") };
    let names: Vec<_> = triple.capabilities.iter().map(|&it| EnumKind::Capability.show(it)).collect();
    let extensions: Vec<_> = triple.extensions.iter().map(|name| String::from_utf8_lossy(name)).collect();
    format!("v1.{}, [{}], [{}]", triple.version, names.join(", "), extensions.join(", "))
}

/// Of what is enough, what the module said before is taken; what MLIR does not look at counts, and what does not show is kept.
#[test]
fn what_a_module_says_it_needs_counts() {
    let image = "!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>";
    let image = format!("spirv.GlobalVariable @v : !spirv.ptr<{image}, UniformConstant>");
    let in_function = |body: &str| {
        let arguments = "%c: i1, %v: vector<2xi32>, %w: vector<2xi32>, %p: !spirv.ptr<i32, StorageBuffer>";
        format!("spirv.func @f({arguments}) \"None\" {{ {body} spirv.Return }}")
    };
    for (before, content, after) in [
        // MLIR takes the first of three.
        ("", image.as_str(), "v1.0, [ImageMSArray, Shader, Matrix], []"),
        ("v1.0, [Shader], []", &image, "v1.0, [Shader, Matrix], []"),
        (
            "v1.0, [Shader, Tessellation], []",
            "spirv.GlobalVariable @v built_in(\"TessLevelInner\") : !spirv.ptr<f32, Input>",
            "v1.0, [Tessellation, Shader, Matrix], []",
        ),
        (
            "v1.0, [Shader], []",
            "spirv.GlobalVariable @v built_in(\"ClipDistance\") : !spirv.ptr<f32, Output>",
            "v1.0, [Shader, Matrix], []",
        ),
        (
            "v1.0, [Shader, StorageImageWriteWithoutFormat], []",
            "",
            "v1.0, [Shader, Matrix, StorageImageWriteWithoutFormat], []",
        ),
        // Types in attributes, and numbers that are only stored.
        ("v1.3, [Shader, Int16], []", "spirv.SpecConstant @s = 1 : i16", "v1.0, [Int16, Shader, Matrix], []"),
        (
            "v1.3, [Shader, StorageBuffer8BitAccess], [SPV_KHR_8bit_storage]",
            "spirv.GlobalVariable @v : !spirv.ptr<!spirv.struct<(i8 [0])>, Uniform>",
            "v1.0, [StorageBuffer8BitAccess, Shader, Matrix], [SPV_KHR_8bit_storage]",
        ),
        // Rules of versions, and extensions that were there before them.
        (
            "v1.6, [Shader], []",
            &in_function("%0 = spirv.Select %c, %v, %w : i1, vector<2xi32>"),
            "v1.4, [Shader, Matrix], [SPV_KHR_storage_buffer_storage_class]",
        ),
        (
            "v1.3, [Shader, VariablePointersStorageBuffer], []",
            &in_function("%0 = spirv.Select %c, %p, %p : i1, !spirv.ptr<i32, StorageBuffer>"),
            "v1.0, [VariablePointersStorageBuffer, Shader, Matrix], [SPV_KHR_storage_buffer_storage_class, SPV_KHR_variable_pointers]",
        ),
        (
            "v1.3, [Shader, ShaderNonUniform], [SPV_EXT_descriptor_indexing]",
            &in_function("%0 = spirv.IAdd %v, %w {non_uniform} : vector<2xi32>"),
            "v1.0, [ShaderNonUniform, Shader, Matrix], [SPV_EXT_descriptor_indexing, SPV_KHR_storage_buffer_storage_class]",
        ),
        (
            "v1.3, [Shader], [SPV_GOOGLE_hlsl_functionality1]",
            "spirv.GlobalVariable @v {spirv_binary.decorations = [[5635 : i32, \"A\"]]} : !spirv.ptr<f32, Input>",
            "v1.0, [Shader, Matrix], [SPV_GOOGLE_hlsl_functionality1]",
        ),
    ] {
        let requires = if before.is_empty() { String::new() } else { format!("requires #spirv.vce<{before}>") };
        let module = format!("spirv.module Logical GLSL450 {requires} {{ {content} }}");
        assert_eq!(updated(&module), after, "{before}: {content}");
    }
}

/// What a binary that reads an image of that kind from a buffer, and gives a buffer to a function, needs beside all else, on a platform.
fn needs_of_uses(image: &[&str; 2], platform: &str) -> Vec<String> {
    let build = || {
        let mut build = Builder::new(1, 3);
        build.append("Capability", &["Shader".into()])?;
        build.append("MemoryModel", &["Logical".into(), "GLSL450".into()])?;
        let void = build.result("TypeVoid", &[])?;
        let float = build.result("TypeFloat", &[32.into()])?;
        let int = build.result("TypeInt", &[32.into(), 0.into()])?;
        let texel = build.result("TypeVector", &[float.into(), 4.into()])?;
        let [dim, format] = *image;
        let multisampled = u32::from(dim == "2D").into();
        let image = [float.into(), dim.into(), 0.into(), 0.into(), multisampled, 2.into(), format.into()];
        let image = build.result("TypeImage", &image)?;
        let buffer = build.result("TypePointer", &["StorageBuffer".into(), float.into()])?;
        let signature = build.result("TypeFunction", &[void.into(), image.into(), int.into(), buffer.into()])?;
        let function = build.result("Function", &[void.into(), "None".into(), signature.into()])?;
        let own = build.result("FunctionParameter", &[image.into()])?;
        let place = build.result("FunctionParameter", &[int.into()])?;
        let pointer = build.result("FunctionParameter", &[buffer.into()])?;
        build.result("Label", &[])?;
        let read = build.result("ImageRead", &[texel.into(), own.into(), place.into()])?;
        build.append("ImageWrite", &[own.into(), place.into(), read.into()])?;
        build.result("FunctionCall", &[void.into(), function.into(), own.into(), place.into(), pointer.into()])?;
        build.append("Return", &[])?;
        build.append("FunctionEnd", &[])?;
        build.finish(&Context::new())
    };
    let module = build().expect("well-formed");
    let obstacles =
        Runner::Platform(Platform::find(platform).expect(platform)).obstacles(&module).expect("well-formed");
    obstacles.iter().map(ToString::to_string).collect()
}

#[test]
fn uses_have_needs() {
    let pointer = "instruction 16, FunctionCall: needs capability VariablePointersStorageBuffer or VariablePointers";
    assert_eq!(needs_of_uses(&["3D", "Rgba32f"], "vulkan1.1"), [pointer]);
    assert_eq!(
        needs_of_uses(&["2D", "Unknown"], "vulkan1.1"),
        [
            "instruction 6, TypeImage: needs capability StorageImageMultisample",
            "instruction 14, ImageRead: needs capability StorageImageReadWithoutFormat",
            "instruction 15, ImageWrite: needs capability StorageImageWriteWithoutFormat",
            pointer
        ]
    );
    let buffer = [
        "instruction 6, TypeImage, Dim Buffer: needs capability SampledBuffer",
        "instruction 14, ImageRead: needs capability ImageBuffer",
        "instruction 15, ImageWrite: needs capability ImageBuffer",
        pointer,
    ];
    assert_eq!(needs_of_uses(&["Buffer", "Unknown"], "spv1.3"), buffer);
}
