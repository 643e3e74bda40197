//! The types of `llvm` by their handles. What their text may be is in `text/accepted.txt` and `text/rejected.txt`.

use mlirbc_dialects::llvm::{ArrayType, FunctionType, PlainType, PointerType, StructType, TargetExtType};
use mlirbc_ir::text::{parse_type, print_type};
use mlirbc_ir::{Context, Type, TypeData};

#[track_caller]
fn read(context: &Context, text: &str) -> Type {
    parse_type(context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn structure(context: &Context, text: &str) -> StructType {
    StructType::of(context, read(context, text)).expect("a struct")
}

#[track_caller]
fn shown(context: &Context, ty: impl Into<Type>) -> String {
    print_type(context, ty.into()).expect("a short text")
}

/// What a handle makes is what its text is read as, and says what it was made of.
#[test]
fn handles_and_text_say_the_same() {
    let context = crate::definitions::context();
    let i32 = context.integer_type(32);
    let pointer = PointerType::new(&context, 3);
    assert_eq!(Type::from(pointer), read(&context, "!llvm.ptr<3>"));
    assert_eq!(pointer.address_space(&context), 3);
    assert_eq!(Type::from(PointerType::new(&context, 0)), read(&context, "!llvm.ptr"));

    let array = ArrayType::new(&context, pointer.into(), 4).expect("an array");
    assert_eq!(Type::from(array), read(&context, "!llvm.array<4 x ptr<3>>"));
    assert_eq!((array.element(&context), array.count(&context)), (pointer.into(), 4));

    let void = PlainType::Void.ty(&context);
    let function = FunctionType::new(&context, void, &[i32, array.into()], true).expect("a function");
    assert_eq!(Type::from(function), read(&context, "!llvm.func<void (i32, array<4 x ptr<3>>, ...)>"));
    assert_eq!(function.inputs(&context), [i32, array.into()]);
    assert_eq!((function.result(&context), function.is_variadic(&context)), (void, true));

    let literal = StructType::literal(&context, &[i32, pointer.into()], true).expect("a struct");
    assert_eq!(Type::from(literal), read(&context, "!llvm.struct<packed (i32, ptr<3>)>"));
    assert_eq!((literal.len(&context), literal.member(&context, 1)), (2, Some(pointer.into())));
    assert_eq!(literal.member(&context, 2), None);
    assert_eq!(literal.name(&context), None);
    assert!(literal.is_packed(&context) && !literal.is_opaque(&context));

    let opaque = StructType::opaque(&context, b"a");
    assert_eq!(Type::from(opaque), read(&context, "!llvm.struct<\"a\", opaque>"));
    assert!(opaque.is_opaque(&context) && opaque.is_empty(&context) && opaque.members(&context).is_none());

    let target = TargetExtType::new(&context, b"x.y", &[i32], &[7, u32::MAX]);
    assert_eq!(Type::from(target), read(&context, "!llvm.target<\"x.y\", i32, 7, 4294967295>"));
    assert_eq!(target.name(&context), b"x.y");
    assert_eq!((target.types(&context), target.numbers(&context)), (vec![i32], vec![7, u32::MAX]));

    for plain in PlainType::ALL {
        let ty = read(&context, &format!("!llvm.{}", plain.mnemonic()));
        assert_eq!((plain.ty(&context), PlainType::of(&context, ty)), (ty, Some(plain)));
        assert!(StructType::of(&context, ty).is_none() && PointerType::of(&context, ty).is_none());
    }
    assert!(ArrayType::of(&context, i32).is_none());
}

/// What may not stand in a type is said by its maker, as by the parser.
#[test]
fn makers_refuse_what_the_parser_refuses() {
    let context = crate::definitions::context();
    let void = PlainType::Void.ty(&context);
    let error = ArrayType::new(&context, void, 1).expect_err("an array of nothing");
    assert_eq!(error.message(), "invalid array element type: '!llvm.void'");
    let error = StructType::literal(&context, &[void], false).expect_err("a struct of nothing");
    assert_eq!(error.message(), "invalid LLVM structure element type: '!llvm.void'");
    assert!(StructType::identified(&context, b"a", false, |_| vec![void]).is_err());
    assert!(FunctionType::new(&context, void, &[void], false).is_err());
    assert!(FunctionType::new(&context, PlainType::Label.ty(&context), &[], false).is_err());
}

/// A struct inside of itself is its name in text, and all of itself to who asks for the member.
#[test]
fn a_struct_can_hold_itself() {
    let context = crate::definitions::context();
    let made = StructType::identified(&context, b"a", false, |a| vec![context.integer_type(8), a]).expect("a struct");
    assert_eq!(shown(&context, made), "!llvm.struct<\"a\", (i8, struct<\"a\">)>");
    assert_eq!(Type::from(made), read(&context, &shown(&context, made)));
    assert_eq!(made.member(&context, 1), Some(made.into()));
    // However it comes there, it is its name.
    let again = StructType::identified(&context, b"a", false, |_| vec![context.integer_type(8), made.into()]);
    assert_eq!(again.expect("a struct"), made);
}

#[test]
fn structs_can_hold_each_other() {
    let context = crate::definitions::context();
    let a = structure(&context, "!llvm.struct<\"a\", (ptr, struct<\"b\", (struct<\"a\">, array<2 x struct<\"b\">>)>)>");
    let b = structure(&context, "!llvm.struct<\"b\", (struct<\"a\", (ptr, struct<\"b\">)>, array<2 x struct<\"b\">>)>");
    assert_eq!(a.member(&context, 1), Some(b.into()));
    assert_eq!(b.member(&context, 0), Some(a.into()));
    let array = ArrayType::of(&context, b.member(&context, 1).expect("a member")).expect("an array");
    assert_eq!(array.element(&context), b.into());

    // Through types of other dialects, too.
    let text =
        "!llvm.struct<\"c\", (tuple<!llvm.struct<\"c\">>, (!llvm.struct<\"c\">) -> i8, target<\"x\", struct<\"c\">>)>";
    let c = structure(&context, text);
    assert_eq!(shown(&context, c), text.replace("target<\"x\", struct", "!llvm.target<\"x\", !llvm.struct"));
    let whole = shown(&context, c);
    let members: Vec<String> =
        c.members(&context).expect("members").into_iter().map(|member| shown(&context, member)).collect();
    assert_eq!(
        members,
        [format!("tuple<{whole}>"), format!("({whole}) -> i8"), format!("!llvm.target<\"x\", {whole}>"),]
    );

    // With the name of another inside of it.
    let outer = StructType::identified(&context, b"outer", true, |outer| {
        vec![StructType::identified(&context, b"inner", false, |inner| vec![inner, outer]).expect("a struct").into()]
    });
    let outer = outer.expect("a struct");
    assert_eq!(
        shown(&context, outer),
        "!llvm.struct<\"outer\", packed (struct<\"inner\", (struct<\"inner\">, struct<\"outer\">)>)>"
    );
    assert_eq!(
        shown(&context, outer.member(&context, 0).expect("a member")),
        "!llvm.struct<\"inner\", (struct<\"inner\">, struct<\"outer\", packed (struct<\"inner\">)>)>"
    );
}

/// Types of one name with other members are other types, where no text holds both.
#[test]
fn structs_of_one_name_are_told_apart_by_their_members() {
    let context = crate::definitions::context();
    let [one, other] = ["!llvm.struct<\"a\", (i8)>", "!llvm.struct<\"a\", (i16)>"].map(|text| read(&context, text));
    assert_ne!(one, other);
}

/// What this release does not know is kept as its text, the types around it are not.
#[test]
fn types_of_other_releases_are_kept_as_text() {
    let context = crate::definitions::context();
    for text in [
        "!llvm.ptr<i32>",
        "!llvm.ptr<struct<\"a\", (ptr<struct<\"a\">>)>, 3>",
        "!llvm.vec<? x 4 x ptr>",
        "!llvm.x86_mmx",
        "!llvm.byte<8>",
    ] {
        let ty = read(&context, text);
        assert!(matches!(context[ty], TypeData::Text { .. }), "{text}");
        assert_eq!(shown(&context, ty), text);
        let around = format!("!llvm.struct<\"s\", ({0}, array<2 x {0}>)>", &text["!llvm.".len()..]);
        let holder = structure(&context, &around);
        assert_eq!(shown(&context, holder), around);
        assert_eq!(holder.member(&context, 0), Some(ty));
    }
}

/// Each struct holds the one before twice: putting the outermost in the place of its name would take more than there is.
#[test]
fn what_holds_itself_too_often_has_no_members() {
    let context = crate::definitions::context();
    let made = StructType::identified(&context, b"a", false, |a| {
        let step = |inner: Type, at: i32| {
            let name = format!("n{at}");
            StructType::identified(&context, name.as_bytes(), false, |_| vec![inner; 2]).expect("a struct").into()
        };
        // Literal structs between them, or equal ones would be found to be done.
        let both = |inner: Type, at: i32| {
            let one = step(inner, 2 * at);
            let other = step(inner, 2 * at + 1);
            StructType::literal(&context, &[one, other], false).expect("a struct").into()
        };
        vec![(0..40).fold(a, both)]
    });
    let made = made.expect("a struct");
    assert_eq!(made.len(&context), 1);
    assert_eq!(made.member(&context, 0), None);
    assert_eq!(made.members(&context), None);
}

/// As deep as text goes, and one deeper.
#[test]
fn nesting_has_a_limit() {
    let context = crate::definitions::context();
    let text = |depth: usize| {
        let names: String = (0..depth).map(|at| format!("struct<\"n{at}\", (struct<\"n0\">, ")).collect();
        format!("!llvm.{}i8{}", names.replacen("struct<\"n0\">, ", "", 1), ")>".repeat(depth))
    };
    let deepest = (1..400).rev().find(|&depth| parse_type(&context, text(depth).as_bytes()).is_ok());
    let deepest = structure(&context, &text(deepest.expect("some depth")));
    assert!(deepest.member(&context, 0).is_some());
    let error = parse_type(&context, text(100_000).as_bytes()).expect_err("far too deep").to_string();
    assert!(error.contains("nested deeper"), "{error}");
}
