//! Random kernels of the dialect `gpu`: operations in any forms that their definitions allow, with types that fit.

use std::fmt::Write as _;

use mlirbc_ir::ods::{Multiplicity, OpDef, Traits, TypeConstraint};
use mlirbc_ir::text::{parse_attribute, parse_type, print_type};
use mlirbc_ir::verify::{Checker, OpTypes, infer_types, type_inference, verify_module};
use mlirbc_ir::{Attribute, Context, Type};
use mlirbc_text::{ParseOptions, parse_module};

use crate::Random;
use crate::definitions::definitions;

mod maker;

use maker::Maker;

/// The dialects whose operations are in kernels.
const DIALECTS: [&str; 9] = ["arith", "math", "index", "vector", "memref", "gpu", "complex", "tensor", "ub"];

/// Numbers, of which there are also vectors and memory.
const NUMBERS: [&str; 10] = ["i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"];

/// Vectors and memory of numbers.
const OF_NUMBERS: [&str; 6] = [
    "vector<1x$>",
    "vector<2x$>",
    "vector<3x$>",
    "vector<4x$>",
    "memref<8x$>",
    "memref<8x$, #gpu.address_space<workgroup>>",
];

/// Other types.
const OTHERS: [&str; 18] = [
    "vector<8xf32>",
    "vector<8xi32>",
    "vector<8xi8>",
    "vector<2x2xf32>",
    "vector<f32>",
    "complex<f16>",
    "complex<f32>",
    "complex<f64>",
    "tensor<4xf32>",
    "tensor<2x2xi32>",
    "tensor<3xindex>",
    "tensor<2xf16>",
    "memref<2x4xf32>",
    "memref<2x4xi16>",
    "memref<4xvector<4xf32>>",
    "memref<?xf32>",
    "memref<8xf32, #gpu.address_space<private>>",
    "memref<4xi32, #gpu.address_space<private>>",
];

/// Attributes that operations want, beside constants and cases of enums.
const ATTRIBUTES: [&str; 34] = [
    "0 : i64",
    "1 : i64",
    "4 : i64",
    "0 : i32",
    "array<i64>",
    "array<i64: 0>",
    "array<i64: 1>",
    "array<i64: 0, 1>",
    "array<i64: -9223372036854775808>",
    "array<i64: 0, 3, 1, 2>",
    "array<i64: 1, 0>",
    "array<i1: true>",
    "[0]",
    "[1]",
    "[2]",
    "[1.0 : f32, 2.0 : f32]",
    "[1.0 : f16, 2.0 : f16]",
    "\"%d\"",
    "unit",
    "#gpu<dim x>",
    "#gpu<dim y>",
    "#gpu<dim z>",
    "#gpu<all_reduce_op add>",
    "#gpu<all_reduce_op minui>",
    "#gpu<all_reduce_op maxsi>",
    "#gpu<all_reduce_op and>",
    "#gpu<all_reduce_op maxnumf>",
    "#gpu<all_reduce_op minimumf>",
    "#vector.kind<add>",
    "#vector.kind<mul>",
    "#vector.kind<minui>",
    "#vector.kind<maxsi>",
    "#vector.kind<xor>",
    "#vector.kind<maximumf>",
];

/// Operations of which code checks more than the definition says: their forms are those of [`BY_HAND`] and [`CASTS`], if they have some.
const CHECKED: [(&str, &str); 7] = [
    ("arith", "extf extsi extui index_cast index_castui scaling_extf scaling_truncf truncf trunci"),
    ("complex", "bitcast constant"),
    ("gpu", "alloc dynamic_shared_memory rotate subgroup_reduce"),
    ("index", "casts castu"),
    (
        "memref",
        "alloc alloca atomic_rmw cast collapse_shape copy distinct_objects dma_start dma_wait expand_shape load prefetch realloc reinterpret_cast reshape subview transpose view",
    ),
    (
        "tensor",
        "bitcast cast collapse_shape concat expand_shape extract extract_slice from_elements gather insert_slice parallel_insert_slice reshape scatter splat",
    ),
    (
        "vector",
        "bitcast compressstore constant_mask create_mask deinterleave expandload extract extract_strided_slice gather insert insert_strided_slice interleave load maskedload maskedstore multi_reduction outerproduct reduction scan scatter shape_cast shuffle store transpose type_cast",
    ),
];

/// Forms of these: what they are of (numbers, integers, or floats), name, operands, results and attributes. `$` is a number, `@` a kind.
const BY_HAND: &[(char, &str, &str, &str, &str)] = &[
    ('n', "memref.load", "memref<8x$> index", "$", ""),
    ('n', "memref.load", "memref<8x$, #gpu.address_space<workgroup>> index", "$", ""),
    ('f', "memref.load", "memref<2x4xf32> index index", "f32", ""),
    ('i', "memref.load", "memref<2x4xi16> index index", "i16", ""),
    ('n', "memref.load", "memref<4xvector<4xf32>> index", "vector<4xf32>", ""),
    ('f', "memref.load", "memref<?xf32> index", "f32", ""),
    ('i', "memref.atomic_rmw", "$ memref<8x$> index", "$", "kind = @ : i64"),
    ('i', "memref.atomic_rmw", "$ memref<8x$, #gpu.address_space<workgroup>> index", "$", "kind = @ : i64"),
    ('n', "vector.load", "memref<8x$> index", "vector<4x$>", ""),
    ('n', "vector.load", "memref<8x$> index", "vector<1x$>", ""),
    ('n', "vector.load", "memref<8x$> index", "vector<3x$>", ""),
    ('f', "vector.load", "memref<4xvector<4xf32>> index", "vector<4xf32>", ""),
    ('n', "vector.store", "vector<4x$> memref<8x$> index", "", ""),
    ('n', "vector.store", "vector<1x$> memref<8x$> index", "", ""),
    ('n', "vector.store", "vector<2x$> memref<8x$, #gpu.address_space<workgroup>> index", "", ""),
    ('n', "vector.extract", "vector<4x$>", "$", "static_position = array<i64: 2>"),
    ('n', "vector.extract", "vector<1x$>", "$", "static_position = array<i64: 0>"),
    ('n', "vector.extract", "vector<3x$> index", "$", "static_position = array<i64: -9223372036854775808>"),
    ('n', "vector.insert", "$ vector<4x$>", "vector<4x$>", "static_position = array<i64: 3>"),
    ('n', "vector.insert", "$ vector<1x$>", "vector<1x$>", "static_position = array<i64: 0>"),
    ('n', "vector.insert", "$ vector<2x$> index", "vector<2x$>", "static_position = array<i64: -9223372036854775808>"),
    ('n', "vector.interleave", "vector<2x$> vector<2x$>", "vector<4x$>", ""),
    ('n', "vector.interleave", "vector<1x$> vector<1x$>", "vector<2x$>", ""),
    ('n', "vector.deinterleave", "vector<4x$>", "vector<2x$> vector<2x$>", ""),
    ('n', "vector.deinterleave", "vector<2x$>", "vector<1x$> vector<1x$>", ""),
    ('n', "vector.shuffle", "vector<4x$> vector<2x$>", "vector<3x$>", "mask = array<i64: 5, 0, 3>"),
    ('n', "vector.shuffle", "vector<1x$> vector<1x$>", "vector<2x$>", "mask = array<i64: 1, 0>"),
    ('n', "vector.extract_strided_slice", "vector<4x$>", "vector<2x$>", "offsets = [1], sizes = [2], strides = [1]"),
    ('n', "vector.extract_strided_slice", "vector<3x$>", "vector<1x$>", "offsets = [2], sizes = [1], strides = [1]"),
    ('n', "vector.insert_strided_slice", "vector<2x$> vector<4x$>", "vector<4x$>", "offsets = [1], strides = [1]"),
    ('n', "vector.insert_strided_slice", "vector<1x$> vector<3x$>", "vector<3x$>", "offsets = [2], strides = [1]"),
    ('n', "vector.shape_cast", "vector<4x$>", "vector<2x2x$>", ""),
    ('n', "vector.shape_cast", "vector<1x$>", "vector<1x1x$>", ""),
    ('f', "vector.bitcast", "vector<2xf32>", "vector<4xi16>", ""),
    ('i', "vector.bitcast", "vector<4xi8>", "vector<1xf32>", ""),
    ('n', "vector.bitcast", "vector<2xf16>", "vector<2xi16>", ""),
    ('i', "vector.reduction", "vector<4x$>", "$", "kind = #vector.kind<%>"),
    ('i', "vector.reduction", "vector<1x$> $", "$", "kind = #vector.kind<%>"),
    ('f', "vector.reduction", "vector<3x$>", "$", "kind = #vector.kind<%>"),
    ('f', "vector.reduction", "vector<2x$> $", "$", "kind = #vector.kind<%>"),
    ('i', "gpu.subgroup_reduce", "$", "$", "op = #gpu<all_reduce_op %>, uniform"),
    ('f', "gpu.subgroup_reduce", "$", "$", "op = #gpu<all_reduce_op %>"),
    ('i', "gpu.rotate", "$", "$ i1", "offset = 1 : i32, width = 16 : i32"),
    ('f', "gpu.rotate", "$", "$ i1", "offset = 1 : i32, width = 16 : i32"),
    ('f', "complex.constant", "", "complex<$>", "value = [1.0 : $, -2.0 : $]"),
    ('f', "tensor.extract", "tensor<4xf32> index", "f32", ""),
    ('i', "tensor.extract", "tensor<2x2xi32> index index", "i32", ""),
    ('n', "tensor.extract", "tensor<3xindex> index", "index", ""),
    ('f', "tensor.extract", "tensor<2xf16> index", "f16", ""),
];

/// Forms of casts: name, and pairs of numbers.
const CASTS: &[(&str, &str)] = &[
    ("arith.extf", "f16:f32 bf16:f32 f32:f64 f16:f64"),
    ("arith.truncf", "f32:f16 f32:bf16 f64:f32 f64:f16"),
    ("arith.extsi", "i1:i8 i1:i32 i8:i16 i8:i32 i16:i32 i16:i64 i32:i64"),
    ("arith.extui", "i1:i8 i1:i32 i8:i16 i8:i32 i16:i32 i16:i64 i32:i64"),
    ("arith.trunci", "i8:i1 i32:i1 i16:i8 i32:i8 i32:i16 i64:i16 i64:i32"),
    ("arith.index_cast", "i1:index i8:index i32:index i64:index index:i1 index:i8 index:i16 index:i32 index:i64"),
    ("arith.index_castui", "i1:index i8:index i32:index i64:index index:i1 index:i8 index:i16 index:i32 index:i64"),
    ("index.casts", "i8:index i32:index i64:index index:i8 index:i32 index:i64"),
    ("index.castu", "i8:index i32:index i64:index index:i8 index:i32 index:i64"),
];

/// What an operation is in one of its forms: its name, and types and attributes that are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    name: String,
    operands: Vec<String>,
    results: Vec<String>,
    /// Inherent attributes, as the generic form has them.
    properties: String,
}

impl Form {
    /// The operation in generic form, of operands with these names.
    fn text(&self, operands: &[String]) -> String {
        let (properties, results) = (&self.properties, self.results.join(", "));
        format!(
            "\"{}\"({}) {properties}: ({}) -> ({results})",
            self.name,
            operands.join(", "),
            self.operands.join(", ")
        )
    }

    /// The name of the operation.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(&[]))
    }
}

/// Finds forms of operations.
struct Finder<'c> {
    context: &'c Context,
    checker: Checker<'c>,
    types: Vec<(String, Type)>,
    attributes: Vec<(String, Attribute)>,
    numbers: Random,
}

impl Finder<'_> {
    fn fitting(&self, constraint: &TypeConstraint) -> Vec<Type> {
        let fits = |ty: Type| self.checker.type_fits(&constraint.predicate, ty) != Some(false);
        self.types.iter().map(|of| of.1).filter(|&ty| fits(ty)).collect()
    }

    /// One of the types that fit: mostly the one that others have.
    fn choose(&mut self, fitting: &[Type], usual: Option<Type>) -> Option<Type> {
        match usual.filter(|ty| fitting.contains(ty)) {
            Some(ty) if self.numbers.below(4) > 0 => Some(ty),
            _ => self.numbers.of(fitting).copied(),
        }
    }

    /// Attributes of an operation: their names and texts.
    fn attributes(&mut self, definition: &OpDef) -> Option<Vec<(String, String)>> {
        let mut all = Vec::new();
        for attribute in definition.attributes() {
            let is_needed = !attribute.optional && attribute.default.is_none();
            if !is_needed && self.numbers.below(4) > 0 {
                continue;
            }
            let fits = |one: Attribute| self.checker.attribute_fits(&attribute.constraint.predicate, one) == Some(true);
            let fitting: Vec<&String> = self.attributes.iter().filter(|one| fits(one.1)).map(|one| &one.0).collect();
            match self.numbers.of(&fitting) {
                Some(&text) => all.push((attribute.name.clone(), text.clone())),
                None if is_needed => return None,
                None => {}
            }
        }
        Some(all)
    }

    /// A form that may be valid.
    fn form(&mut self, definition: &OpDef, operands: &[Vec<Type>], results: &[Vec<Type>]) -> Option<Form> {
        let mut known = OpTypes { results: vec![None; results.len()], named: results.len(), ..OpTypes::default() };
        let mut usual = None;
        for (value, fitting) in definition.operands().iter().zip(operands) {
            let count = match value.multiplicity {
                Multiplicity::One => 1,
                Multiplicity::Optional => self.numbers.below(2),
                Multiplicity::Variadic => self.numbers.below(5),
                Multiplicity::Groups(_) => return None,
            };
            let types: Option<Vec<Type>> = (0..count)
                .map(|_| {
                    let ty = self.choose(fitting, usual)?;
                    usual = usual.or(Some(ty));
                    Some(ty)
                })
                .collect();
            known.counts.push(count);
            known.operands.push(Some(types?));
        }
        let attributes = self.attributes(definition)?;
        let find = |name: &str| {
            let text = &attributes.iter().find(|one| one.0 == name)?.1;
            self.attributes.iter().find(|one| one.0 == *text).map(|one| one.1)
        };
        infer_types(&self.checker, definition, type_inference(self.context, definition), &mut known, &find);
        for (types, fitting) in known.results.iter_mut().zip(results) {
            if types.is_none() {
                *types = Some(vec![self.choose(fitting, usual)?]);
            }
        }
        let text = |types: &[Option<Vec<Type>>]| {
            let types = types.iter().flatten().flatten();
            types.map(|&ty| print_type(self.context, ty).expect("a type has a text")).collect::<Vec<String>>()
        };
        let mut properties: Vec<String> = attributes.iter().map(|(name, text)| format!("{name} = {text}")).collect();
        if definition.traits.contains(Traits::OPERAND_SEGMENTS) {
            let counts: Vec<String> = known.counts.iter().map(usize::to_string).collect();
            properties.push(format!("operandSegmentSizes = array<i32: {}>", counts.join(", ")));
        }
        let properties =
            if properties.is_empty() { String::new() } else { format!("<{{{}}}> ", properties.join(", ")) };
        let (operands, results) = (text(&known.operands), text(&known.results));
        Some(Form { name: definition.name.clone(), operands, results, properties })
    }

    fn is_valid(&self, form: &Form) -> bool {
        let names: Vec<String> = (0..form.operands.len()).map(|number| format!("%{number}")).collect();
        let arguments: Vec<String> =
            form.operands.iter().enumerate().map(|(number, ty)| format!("%{number}: {ty}")).collect();
        let results = if form.results.is_empty() { "" } else { "%r:$ = " };
        let results = results.replace('$', &form.results.len().to_string());
        let text = format!("func.func @f({}) {{\n{results}{}\nreturn\n}}\n", arguments.join(", "), form.text(&names));
        let Ok(module) = parse_module(self.context, text.as_bytes(), &ParseOptions::new().implicit_module(true)) else {
            return false;
        };
        let mut valid = true;
        verify_module(&module, &mut |_| valid = false).is_ok() && valid
    }
}

/// The shapes of what is cast.
const SHAPES: [&str; 4] = ["$", "vector<1x$>", "vector<3x$>", "vector<4x$>"];

/// A form with types that have blanks between them.
fn written(name: &str, operands: &str, results: &str, properties: &str) -> Form {
    // A memory space is a part of the type before it.
    let list = |types: &str| {
        let types = types.replace(", #", ",#");
        types.split_whitespace().map(|ty| ty.replace(",#", ", #")).collect::<Vec<_>>()
    };
    let properties = if properties.is_empty() { String::new() } else { format!("<{{{properties}}}> ") };
    Form { name: name.to_owned(), operands: list(operands), results: list(results), properties }
}

/// The forms that a row of [`BY_HAND`] stands for.
fn by_hand((of, name, operands, results, properties): (char, &str, &str, &str, &str)) -> Vec<Form> {
    let of_vectors = name.starts_with("vector");
    let (numbers, kinds): (&[&str], &[&str]) = match (of, name == "memref.atomic_rmw") {
        ('i', true) => (&["i32", "i64"], &["1", "4", "5", "7", "8", "11", "12"]),
        ('i', _) => {
            (&["i8", "i16", "i32", "i64"], &["add", "mul", "minui", "maxsi", "maxui", "minsi", "xor", "and", "or"])
        }
        ('f', _) if of_vectors => {
            (&["f16", "f32", "f64"], &["add", "mul", "maximumf", "minnumf", "maxnumf", "minimumf"])
        }
        ('f', _) => (&["f16", "f32", "f64"], &["add", "mul", "maxnumf", "minimumf"]),
        _ => (&NUMBERS, &[""]),
    };
    let kinds = if properties.contains('@') { kinds } else { &[""] };
    let numbers = if [operands, results].iter().any(|types| types.contains('$')) { numbers } else { &[""] };
    let with = |text: &str, number: &str, kind: &str| text.replace('$', number).replace('@', kind);
    let one = |number: &str, kind: &str| {
        written(name, &with(operands, number, kind), &with(results, number, kind), &with(properties, number, kind))
    };
    numbers.iter().flat_map(|number| kinds.iter().map(|kind| one(number, kind)).collect::<Vec<_>>()).collect()
}

/// A constant of a type, as text with the type behind it.
fn constant(ty: &str, numbers: &mut Random) -> Option<String> {
    let list = ty.strip_prefix("vector<").or_else(|| ty.strip_prefix("tensor<")).and_then(|of| of.strip_suffix('>'));
    let number = list.unwrap_or(ty).trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == 'x');
    let value = match number {
        "i1" => ["true", "false"][numbers.below(2)],
        _ if !NUMBERS.contains(&number) => return None,
        _ if number.starts_with(['f', 'b']) => ["0.0", "1.0", "-2.5", "0.125"][numbers.below(4)],
        _ => ["0", "1", "2", "3"][numbers.below(4)],
    };
    Some(match list {
        Some(_) => format!("dense<{value}> : {ty}"),
        None if number == "i1" => value.to_owned(),
        None => format!("{value} : {ty}"),
    })
}

/// Forms of operations, which kernels are made of.
#[derive(Clone, Debug)]
pub struct Forms {
    all: Vec<Form>,
    /// The forms of each operation.
    operations: Vec<Vec<usize>>,
}

impl Forms {
    /// Tries so many forms of each operation, and keeps those that are valid: always the same.
    ///
    /// # Panics
    /// Where a type of the list is none.
    pub fn new(context: &Context, tries: usize) -> Self {
        let of_numbers = OF_NUMBERS.iter().flat_map(|of| NUMBERS.map(|number| of.replace('$', number)));
        let names = NUMBERS.map(str::to_owned).into_iter().chain(of_numbers).chain(OTHERS.map(str::to_owned));
        let types: Vec<(String, Type)> =
            names.map(|name| (name.clone(), parse_type(context, name.as_bytes()).expect("a type"))).collect();
        let mut numbers = Random::new(1);
        let texts = ATTRIBUTES.map(str::to_owned).into_iter();
        let constants: Vec<String> = types.iter().filter_map(|(name, _)| constant(name, &mut numbers)).collect();
        let cases: Vec<String> = (2..16).map(|number| format!("{number} : i64")).collect();
        let attributes = texts.chain(constants).chain(cases);
        let attributes = attributes
            .map(|text| (text.clone(), parse_attribute(context, text.as_bytes()).expect("an attribute")))
            .collect();
        let mut finder = Finder { context, checker: Checker::new(context), types, attributes, numbers };
        let mut forms = Forms { all: Vec::new(), operations: Vec::new() };
        for definition in definitions().iter() {
            let dialect = definition.name.split_once('.').map_or("", |(dialect, _)| dialect);
            let holds = !definition.regions().is_empty() || !definition.successors().is_empty();
            let is_checked = CHECKED.iter().any(|(of, names)| {
                *of == dialect && names.split(' ').any(|name| definition.name[of.len() + 1..] == *name)
            });
            if holds || is_checked || !DIALECTS.contains(&dialect) || definition.traits.contains(Traits::TERMINATOR) {
                continue;
            }
            let operands: Vec<_> = definition.operands().iter().map(|of| finder.fitting(&of.constraint)).collect();
            let results: Vec<_> = definition.results().iter().map(|of| finder.fitting(&of.constraint)).collect();
            let mut found: Vec<Form> = Vec::new();
            finder.numbers =
                Random::new(definition.name.bytes().fold(0, |number, byte| number * 31 % 65_521 + u64::from(byte)));
            for _ in 0..tries {
                let form = finder.form(&definition, &operands, &results);
                if let Some(form) = form.filter(|form| !found.contains(form) && finder.is_valid(form)) {
                    found.push(form);
                }
            }
            forms.add(found);
        }
        for (name, pairs) in CASTS {
            let pairs = pairs.split(' ').filter_map(|pair| pair.split_once(':'));
            let of = |(from, to): (&str, &str)| {
                let shapes = if name.starts_with("index") { &SHAPES[..1] } else { &SHAPES[..] };
                shapes
                    .iter()
                    .map(|of| written(name, &of.replace('$', from), &of.replace('$', to), ""))
                    .collect::<Vec<_>>()
            };
            forms.add(pairs.flat_map(of).collect());
        }
        for rows in BY_HAND.chunk_by(|a, b| a.1 == b.1) {
            let all: Vec<Form> = rows.iter().flat_map(|row| by_hand(*row)).collect();
            debug_assert!(all.iter().all(|form| finder.is_valid(form)), "{all:?}");
            forms.add(all);
        }
        forms
    }

    /// Adds the forms of an operation.
    fn add(&mut self, found: Vec<Form>) {
        if !found.is_empty() {
            self.operations.push((self.all.len()..self.all.len() + found.len()).collect());
            self.all.extend(found);
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Form] {
        &self.all
    }

    /// A module with a kernel that has this form of an operation alone.
    pub fn alone(&self, form: usize) -> String {
        let mut maker = Maker::new(self, form as u64, &|_| true);
        maker.form(form);
        maker.module()
    }

    /// The kernel of a seed, with functions that it calls: the same in every build. Most of its operations are of forms that are allowed.
    pub fn kernel(&self, seed: u64, is_allowed: &dyn Fn(usize) -> bool) -> String {
        let mut maker = Maker::new(self, seed, is_allowed);
        let count = 2 + maker.numbers.below(16);
        maker.operations(count, 0);
        maker.module()
    }
}
