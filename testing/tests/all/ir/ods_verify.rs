//! Operations against their definitions, by hand.

use crate::definitions::upstream;
use mlirbc_ir::ods::{Accessor, Predicate, Relation, Term, TermClass};
use mlirbc_ir::text::{parse_attribute, parse_type};
use mlirbc_ir::verify::{Checker, verify, verify_module};
use mlirbc_ir::{
    AttributeData, BlockId, BodyId, Context, ErrorKind, Module, OpId, OperationSpec, Type, TypeData, TypeRef, Value,
};
use mlirbc_text::{ParseOptions, parse_module};

/// A module with one block in its body's one region.
struct Maker {
    module: Module,
    body: BodyId,
    block: BlockId,
}

impl Maker {
    fn new() -> Self {
        let module = Module::new(&crate::definitions::context());
        let top = module.top().expect("a body");
        let block = top.first_block(top.top_regions()[0]).expect("a block");
        Maker { module, body: BodyId::from_index(Module::TOP), block }
    }

    fn context(&self) -> &Context {
        self.module.context()
    }

    fn ty(&self, text: &str) -> Type {
        parse_type(self.context(), text.as_bytes()).expect("a type")
    }

    /// Values of these types, from an operation without a definition.
    fn values(&mut self, types: &[&str]) -> Vec<Value> {
        let types: Vec<_> = types.iter().map(|text| self.ty(text)).collect();
        let source = self.context().operation_name("test.source", false);
        let op = self.push(source, &[], &types, "{}", 0);
        let body = self.module.body(self.body).expect("a body");
        body.results(op).collect()
    }

    fn push(
        &mut self,
        name: mlirbc_ir::OperationName,
        operands: &[Value],
        results: &[Type],
        properties: &str,
        regions: u32,
    ) -> OpId {
        let location = self.context().unknown_location().into();
        let properties = parse_attribute(self.context(), properties.as_bytes()).expect("a dictionary");
        let results: Vec<_> = results.iter().map(|&ty| ty.into()).collect();
        let properties = Some(properties.into());
        let spec =
            OperationSpec { operands, results: &results, properties, regions, ..OperationSpec::new(name, location) };
        let made = self.module.rewrite(self.body, |rw| {
            rw.set_insertion_point_to_end(self.block)?;
            rw.create(&spec)
        });
        made.expect("an operation")
    }

    fn op(&mut self, name: &str, operands: &[&str], results: &[&str], properties: &str) -> OpId {
        let operands = self.values(operands);
        let results: Vec<_> = results.iter().map(|text| self.ty(text)).collect();
        let name = self.context().operation_name(name, true);
        self.push(name, &operands, &results, properties, 0)
    }

    /// What is wrong with an operation of these operands, results and properties.
    fn wrong(name: &str, operands: &[&str], results: &[&str], properties: &str) -> Option<String> {
        let mut maker = Maker::new();
        let op = maker.op(name, operands, results, properties);
        let checker = Checker::new(maker.context());
        let result = verify(&checker, maker.module.operation(maker.body, op).expect("an operation"));
        result.err().map(|error| {
            assert_eq!(error.kind(), ErrorKind::Verification);
            error.message().to_owned()
        })
    }
}

#[test]
fn right_operations_are_right() {
    for (name, operands, results, properties) in [
        ("arith.addi", &["i32", "i32"][..], &["i32"][..], "{}"),
        ("arith.addi", &["vector<4xindex>", "vector<4xindex>"], &["vector<4xindex>"], "{}"),
        ("arith.cmpi", &["tensor<?xi8>", "tensor<?xi8>"], &["tensor<?xi1>"], "{predicate = 3 : i64}"),
        ("arith.constant", &[], &["i32"], "{value = 5 : i32}"),
        ("arith.addf", &["f32", "f32"], &["f32"], "{fastmath = #arith.fastmath<nnan,ninf>}"),
        ("llvm.load", &["!llvm.ptr<3>"], &["i64"], "{}"),
        ("tensor.empty", &["index", "index"], &["tensor<?x4x?xf32>"], "{}"),
        ("test.unknown", &["i1"], &["f32"], "{}"),
    ] {
        assert_eq!(Maker::wrong(name, operands, results, properties), None, "{name}");
    }
}

#[test]
fn wrong_operations_are_found() {
    for (name, operands, results, properties, message) in [
        ("arith.addi", &["i32"][..], &["i32"][..], "{}", "1 operand where there must be 2"),
        ("arith.addi", &["i32", "i32"], &[], "{}", "0 results where there must be 1"),
        (
            "arith.addi",
            &["f32", "f32"],
            &["f32"],
            "{}",
            "operand 0 is of type `f32`, which is not SignlessIntegerOrIndexLike",
        ),
        ("arith.addi", &["i32", "i32"], &["i64"], "{}", "the element types of its operands and results differ"),
        ("arith.cmpi", &["i8", "i8"], &["i1"], "{}", "attribute `predicate` is missing"),
        (
            "arith.cmpi",
            &["i8", "i8"],
            &["i1"],
            "{predicate = 10 : i64}",
            "attribute `predicate` is `10 : i64`, which is not Arith_CmpIPredicateAttr",
        ),
        (
            "arith.cmpi",
            &["vector<2xi8>", "vector<2xi8>"],
            &["i1"],
            "{predicate = 1 : i64}",
            "rule 0 of its definition does not hold: (the type of `lhs` with elements i1) == the type of `result`",
        ),
        (
            "arith.constant",
            &[],
            &["i32"],
            "{value = 5 : i64}",
            "rule 0 of its definition does not hold: the type of `value` == the type of `result`",
        ),
        ("tensor.empty", &["index"], &["tensor<?x4x?xf32>"], "{}", "1 dynamic size where there must be 2"),
        (
            "cf.cond_br",
            &["i1"],
            &[],
            "{operandSegmentSizes = array<i32: 1, 0, 1>}",
            "1 operand does not make segments of [1, 0, 1]",
        ),
        ("cf.br", &[], &[], "{}", "0 successors where there must be 1"),
        ("builtin.module", &[], &[], "{}", "0 regions where there must be 1"),
    ] {
        assert_eq!(Maker::wrong(name, operands, results, properties).as_deref(), Some(message), "{name}");
    }
}

#[test]
fn nesting_is_checked() {
    let mut maker = Maker::new();
    let condition = maker.values(&["i1"]);
    let name = maker.context().operation_name("scf.if", true);
    let properties = "{}";
    let op = maker.push(name, &condition, &[], properties, 2);
    let checked = |maker: &Maker| {
        let mut errors = Vec::new();
        verify_module(&maker.module, &mut |error| errors.push(error.message().to_owned())).expect("a module");
        errors
    };
    assert_eq!(checked(&maker), ["region 0 cannot have 0 blocks"]);
    let region = maker.module.body(maker.body).expect("a body").regions(op).next().expect("a region");
    let made = maker.module.rewrite(maker.body, |rw| rw.create_block(region, None, [] as [TypeRef; 0]));
    let block = made.expect("a block");
    assert_eq!(checked(&maker), ["the block of region 0 is empty"]);
    maker.block = block;
    maker.op("arith.constant", &[], &["i32"], "{value = 5 : i32}");
    assert_eq!(checked(&maker), ["a block of region 0 ends with `arith.constant`, which is no terminator"]);
    maker.op("scf.yield", &[], &[], "{}");
    assert_eq!(checked(&maker), Vec::<String>::new());
    maker.op("func.return", &[], &[], "{}");
    assert_eq!(
        checked(&maker),
        [
            "a terminator must be the last operation of its block",
            "it stands in `scf.if`, but must stand in func.func",
            "region 0 ends with `func.return`, but must end with `scf.yield`",
        ]
    );
}

#[test]
fn properties_that_are_no_dictionary_are_found() {
    // One operation has properties by its definition, the other none.
    for name in ["llvm.or", "llvm.xor"] {
        let text = format!("%0 = \"t.a\"() : () -> i32\n%1 = \"{name}\"(%0, %0) <i64> : (i32, i32) -> i32");
        let module = parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).expect("text");
        let mut errors = Vec::new();
        verify_module(&module, &mut |error| errors.push(error.message().to_owned())).expect("a module");
        assert_eq!(errors, ["its properties are no dictionary"], "{name}");
    }
}

#[test]
fn members_are_found_by_name() {
    let mut maker = Maker::new();
    let operands = ["memref<?x?xf32>", "index", "index", "f32", "i1"];
    let op = maker.op("memref.store", &["f32", "memref<?x?xf32>", "index", "index"], &[], "{}");
    let op = maker.module.operation(maker.body, op).expect("an operation");
    assert_eq!(
        op.operand("memref").expect("named").map(|value| op.type_of(value).expect("a type")),
        Some(maker.ty(operands[0]))
    );
    assert_eq!(op.operands_named("indices").expect("named").len(), 2);
    assert_eq!(op.operand("indices").expect("named"), None);
    assert_eq!(op.operand("nothing").map_err(|error| error.kind()), Err(ErrorKind::Misuse));
    assert_eq!(op.results_named("nothing").map_err(|error| error.kind()), Err(ErrorKind::Misuse));
}

#[test]
fn unknown_is_neither_right_nor_wrong() {
    let context = crate::definitions::context();
    let checker = Checker::new(&context);
    let unknown = || Predicate::Unknown { reason: "C++".into(), leaves: 1 };
    let i32 = context.integer_type(32);
    let ask = |predicate: Predicate| checker.type_fits(&predicate, i32);
    assert_eq!(ask(unknown()), None);
    assert_eq!(ask(Predicate::Not(Box::new(unknown()))), None);
    assert_eq!(ask(Predicate::All(vec![unknown(), Predicate::Never])), Some(false));
    assert_eq!(ask(Predicate::All(vec![unknown(), Predicate::Always])), None);
    assert_eq!(ask(Predicate::Any(vec![unknown(), Predicate::Always])), Some(true));
    assert_eq!(ask(Predicate::Any(vec![unknown(), Predicate::Never])), None);
    // What makes no sense of a type is unknown too.
    let rank = Term::Get(Box::new(Term::This), Accessor::Rank);
    assert_eq!(ask(Predicate::Compare(rank, Relation::Greater, Term::Integer(0))), None);
    assert_eq!(
        ask(Predicate::Compare(
            Term::At(Box::new(Term::This), Box::new(Term::Integer(-1))),
            Relation::Equal,
            Term::Integer(i64::MIN)
        )),
        None
    );
}

#[test]
fn no_predicate_runs_for_long() {
    let context = crate::definitions::context();
    let checker = Checker::new(&context);
    let many = Term::List((0..200).map(Term::Integer).collect());
    let deep = (0..40).fold(Predicate::Always, |of, _| Predicate::Each(many.clone(), Box::new(of)));
    assert_eq!(checker.type_fits(&deep, context.index_type()), None);
}

#[test]
fn types_that_definitions_name_are_made() {
    let context = crate::definitions::context();
    let checker = Checker::new(&context);
    let mut made = 0;
    for op in upstream().iter() {
        for value in op.operands().iter().chain(op.results()) {
            let Some(ty) = value.constraint.only.as_ref().and_then(|only| checker.type_of(only)) else { continue };
            assert_ne!(checker.type_fits(&value.constraint.predicate, ty), Some(false), "{} {}", op.name, value.name);
            made += 1;
        }
    }
    assert!(made > 1_000, "{made}");
}

/// What is wrong with the operations of a module, each checked by itself: what alike ones have in common is not known then.
fn one_by_one(module: &Module) -> Vec<String> {
    let checker = Checker::new(module.context());
    let mut wrong = Vec::new();
    for outermost in module.operations().expect("a body") {
        for op in outermost.walk().expect("bodies") {
            wrong.extend(verify(&checker, op).err().map(|error| error.to_string()));
        }
    }
    wrong
}

fn together(module: &Module) -> Vec<String> {
    let mut wrong = Vec::new();
    verify_module(module, &mut |error| wrong.push(error.to_string())).expect("what can be decoded");
    wrong
}

#[test]
fn alike_operations_are_checked_for_what_they_stand_in() {
    let text = r#"
"builtin.module"() ({
  "builtin.module"() ({
    "func.func"() <{function_type = () -> i32, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()
    "func.func"() <{function_type = () -> i32, sym_name = "here"}> ({
      %0 = "func.call"() <{callee = @f}> : () -> i32
      "func.return"(%0) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
  "builtin.module"() ({
    "func.func"() <{function_type = () -> i64, sym_name = "elsewhere"}> ({
      %0 = "func.call"() <{callee = @f}> : () -> i32
      %1 = "arith.addi"(%0, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %2 = "arith.addi"(%0, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i64
      %3 = "arith.addi"(%0, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i64
      "func.return"(%0) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()
"#;
    let context = crate::definitions::context();
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).expect("a module");
    let (mut wrong, mut alone) = (together(&module), one_by_one(&module));
    // Symbols are asked about last where all is checked.
    wrong.sort();
    alone.sort();
    assert_eq!(wrong, alone);
    let about = |what: &str| wrong.iter().filter(|error| error.contains(what)).count();
    assert_eq!(
        (about("func.call"), about("func.return"), about("arith.addi"), wrong.len()),
        (1, 1, 2, 4),
        "{wrong:#?}"
    );
}

#[test]
fn operations_that_differ_in_names_alone_are_checked_for_what_they_hold_and_where_they_stand() {
    let text = r#"
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "right"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "argument"}> ({
  ^bb0(%a: i32):
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "open"}> ({
    "arith.constant"() <{value = 1 : i32}> : () -> i32
  }) : () -> ()
  "memref.global"() <{sym_name = "outside", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "around"}> ({
    "memref.global"() <{sym_name = "inside", type = memref<2xf32>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = 1 : i32}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "memref.global"() <{sym_name = "seen", sym_visibility = "public", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{sym_name = "unseen", sym_visibility = "unseen", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = (i1, i32) -> (), sym_name = "branches"}> ({
  ^bb0(%c: i1, %a: i32):
    "cf.br"(%a)[^bb1] : (i32) -> ()
  ^bb1(%b: i32):
    "cf.br"(%a)[^bb2] : (i32) -> ()
  ^bb2(%d: i64):
    "scf.if"(%c) ({
      "scf.yield"() : () -> ()
    }, {}) : (i1) -> ()
    "scf.if"(%c) ({
      "cf.br"()[^bb3] : () -> ()
    ^bb3:
      "scf.yield"() : () -> ()
    }, {}) : (i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>}> ({
    "spirv.GlobalVariable"() <{sym_name = "v", type = !spirv.ptr<f32, Input>}> : () -> ()
    "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = () -> (), sym_name = "s"}> ({
      "spirv.GlobalVariable"() <{sym_name = "w", type = !spirv.ptr<f32, Input>}> : () -> ()
      "spirv.Return"() : () -> ()
    }) : () -> ()
    "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = () -> i32, sym_name = "t"}> ({
      "spirv.Return"() : () -> ()
    }) : () -> ()
    "spirv.Return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "right"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"#;
    let module = parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).expect("a module");
    let (mut wrong, mut alone) = (together(&module), one_by_one(&module));
    wrong.sort();
    alone.sort();
    assert_eq!(wrong, alone);
    for message in [
        "the arguments of the first block are (i32)",
        "ends with `arith.constant`, which is no terminator",
        "a symbol stands in `func.func`, which is no symbol table",
        "attribute `sym_name` is `1 : i32`",
        "a symbol is public, private or nested",
        "the operands for successor 0 are (i32) where they must be (i64)",
        "region 0 has several blocks",
        "of its definition does not hold",
        "symbol `right` is defined twice",
    ] {
        assert!(wrong.iter().any(|error| error.contains(message)), "{message}: {wrong:#?}");
    }
}

#[test]
fn a_module_is_checked_as_each_operation_is() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read(&path).expect("a file");
        let module = parse_module(&crate::definitions::context(), &text, &ParseOptions::new()).expect("a module");
        assert_eq!(together(&module), one_by_one(&module), "{}", path.display());
        files += 1;
    }
    assert!(files >= 20, "{files} files");
}

#[test]
fn counts_of_one_are_in_the_singular() {
    let context = crate::definitions::context();
    let ty =
        context.ty(TypeData::RankedTensor { shape: [4].into(), element: context.integer_type(32), encoding: None });
    let dense = |length: usize| AttributeData::dense_elements(&context, ty, vec![0; length].into()).map(drop);
    let bytes = |length: usize| dense(length).map_err(|error| error.to_string()).expect_err("too few bytes");
    assert!(bytes(1).starts_with("dense elements hold 1 byte, "), "{}", bytes(1));
    assert!(bytes(2).starts_with("dense elements hold 2 bytes, "), "{}", bytes(2));
    let shown = |width| Predicate::is(TermClass::Integer { signedness: None, width: Some(width) }).to_string();
    assert_eq!(
        [shown(1), shown(2)].map(|text| text.rsplit("of ").next().map(str::to_owned)),
        [Some("1 bit".to_owned()), Some("2 bits".to_owned())]
    );
    assert_eq!(format!("{:?}", mlirbc_ir::Blob::from(vec![0])), "Blob(1 byte)");
}

#[test]
fn builtin_predicates_hold_where_they_should() {
    let context = crate::definitions::context();
    let checker = Checker::new(&context);
    let table = upstream();
    let fits = |op: &str, ty: &str| {
        let op = table.get(op).expect("an operation");
        let ty = parse_type(&context, ty.as_bytes()).expect("a type");
        checker.type_fits(&op.operands()[0].constraint.predicate, ty)
    };
    for (op, ty, expected) in [
        ("arith.addi", "i32", Some(true)),
        ("arith.addi", "index", Some(true)),
        ("arith.addi", "vector<4xi8>", Some(true)),
        ("arith.addi", "tensor<?xindex>", Some(true)),
        ("arith.addi", "si32", Some(false)),
        ("arith.addi", "f32", Some(false)),
        ("arith.addi", "memref<4xi32>", Some(false)),
        ("arith.addi", "tensor<4xf32>", Some(false)),
        ("memref.dim", "memref<*xf32>", Some(true)),
        ("memref.dim", "memref<f32>", Some(false)),
        ("llvm.load", "!llvm.ptr", Some(true)),
        ("llvm.load", "!llvm.ptr<3>", Some(true)),
        ("llvm.load", "i64", Some(false)),
        ("spirv.IAdd", "vector<4xi32>", Some(true)),
        ("spirv.IAdd", "vector<5xi32>", Some(false)),
        ("transform.yield", "!transform.any_op", Some(true)),
    ] {
        assert_eq!(fits(op, ty), expected, "{op} of {ty}");
    }
}
