//! Changing texts by what they say: values, types, attributes, operations.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::definitions::definitions;

use super::tokens::{Kind, Token, closing, statements, text, tokens};
use super::{bytes_of_text, pieces};
use crate::random::Random;

/// Types that stand for each other.
const SCALARS: &[&str] =
    &["i1", "i8", "i16", "i32", "i64", "i128", "si8", "ui32", "index", "f16", "bf16", "f32", "f64", "f8E4M3FN", "tf32"];

/// Numbers at which something ends.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "16",
    "32",
    "64",
    "127",
    "128",
    "255",
    "256",
    "1000003",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "0.0",
    "1.5",
    "0x7FC00000",
];

/// Attributes that fit in many places.
const ATTRIBUTES: &[&str] = &[
    "unit",
    "true",
    "1 : i32",
    "-1 : i64",
    "0 : index",
    "2.5 : f32",
    "\"a\"",
    "\"a b\\0A\"",
    "@f",
    "@f::@g",
    "[]",
    "[1, unit]",
    "{}",
    "{a = 1 : i8}",
    "i32",
    "(i32) -> f32",
    "array<i32: 1, 2>",
    "array<i1: true>",
    "array<i64>",
    "dense<1> : tensor<2xi32>",
    "dense<[1.0, 2.0]> : vector<2xf32>",
    "affine_map<(d0)[s0] -> (d0 + s0, d0 mod 2)>",
    "affine_set<(d0) : (d0 - 1 >= 0)>",
    "strided<[1, ?], offset: 3>",
    "loc(\"f\":1:2)",
    "distinct[0]<unit>",
    "#arith.fastmath<nnan,ninf>",
    "#arith.overflow<nsw>",
    "#llvm.linkage<internal>",
    "#gpu.address_space<workgroup>",
    "#t.a<b>",
];

/// Changes a text of operations in one to four places.
pub fn mutate_module(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    if random.below(12) == 0 {
        return bytes_of_text(random, input, other);
    }
    let mut tokens = tokens(input);
    let from = match random.below(3) {
        0 => self::tokens(other),
        _ => tokens.clone(),
    };
    for _ in 0..[1, 1, 1, 2, 2, 3, 4][random.below(7)] {
        if tokens.is_empty() {
            break;
        }
        match random.below(20) {
            0..2 => change_number(random, &mut tokens),
            2..5 => change_token(random, &mut tokens, &from),
            5..7 => change_type(random, &mut tokens),
            7 => rename(random, &mut tokens),
            8 => change_value(random, &mut tokens),
            9..11 => change_operation(random, &mut tokens),
            11 => delete_statement(random, &mut tokens),
            12..14 => repeat_statement(random, &mut tokens, &from),
            14 => move_statement(random, &mut tokens),
            15..18 => change_entry(random, &mut tokens, &from),
            18 => change_group(random, &mut tokens, &from),
            _ => insert_piece(random, &mut tokens),
        }
    }
    text(&tokens)
}

/// Changes the text of an attribute or type in one to three places, or puts it into another.
pub fn mutate_attribute(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    if random.below(12) == 0 {
        return bytes_of_text(random, input, other);
    }
    let mut tokens = tokens(input);
    let from = match random.below(2) {
        0 => self::tokens(other),
        _ => tokens.clone(),
    };
    for _ in 0..[1, 1, 2, 3][random.below(4)] {
        match random.below(12) {
            0..2 => change_number(random, &mut tokens),
            2..4 => change_token(random, &mut tokens, &from),
            4..6 => change_type(random, &mut tokens),
            6 => change_entry(random, &mut tokens, &from),
            7..9 => change_group(random, &mut tokens, &from),
            9 => wrap(random, &mut tokens, other),
            10 => change_item(random, &mut tokens, &from),
            _ => insert_piece(random, &mut tokens),
        }
    }
    text(&tokens)
}

/// The places of tokens that fit.
fn places(tokens: &[Token], fits: impl Fn(&Token) -> bool) -> Vec<usize> {
    (0..tokens.len()).filter(|&at| fits(&tokens[at])).collect()
}

fn any(random: &mut Random, places: &[usize]) -> Option<usize> {
    if places.is_empty() { None } else { Some(places[random.below(places.len())]) }
}

fn change_number(random: &mut Random, tokens: &mut [Token]) {
    let Some(at) = any(random, &places(tokens, |token| token.kind == Kind::Number)) else { return };
    let number = std::str::from_utf8(&tokens[at].text).ok().and_then(|text| text.parse::<u64>().ok());
    tokens[at].text = match (random.below(4), number) {
        (0, Some(number)) => number.wrapping_add(1).to_string().into_bytes(),
        (1, Some(number)) => number.saturating_sub(1).to_string().into_bytes(),
        _ => NUMBERS[random.below(NUMBERS.len())].into(),
    };
}

/// Puts a token in the place of another of its kind.
fn change_token(random: &mut Random, tokens: &mut [Token], from: &[Token]) {
    let meaning = |token: &Token| !matches!(token.kind, Kind::Space | Kind::Newline | Kind::Punctuation);
    let Some(at) = any(random, &places(tokens, meaning)) else { return };
    let kind = tokens[at].kind;
    let others = places(from, |token| token.kind == kind && token.text != tokens[at].text);
    if let Some(other) = any(random, &others) {
        tokens[at] = from[other].clone();
    }
}

/// The type at the end of a word: `f32` of `x8xf32`.
fn scalar(token: &Token) -> Option<&'static str> {
    if token.kind != Kind::Word {
        return None;
    }
    let fits = |name: &&&str| {
        token.text.strip_suffix(name.as_bytes()).is_some_and(|before| before.is_empty() || before.ends_with(b"x"))
    };
    SCALARS.iter().find(fits).copied()
}

/// Puts a type in the place of another: everywhere, or in one place.
fn change_type(random: &mut Random, tokens: &mut [Token]) {
    let Some(at) = any(random, &places(tokens, |token| scalar(token).is_some())) else { return };
    let Some(old) = scalar(&tokens[at]) else { return };
    let new = SCALARS[random.below(SCALARS.len())];
    let everywhere = random.below(4) > 0;
    for (number, token) in tokens.iter_mut().enumerate() {
        if (everywhere || number == at) && scalar(token) == Some(old) {
            token.text.truncate(token.text.len() - old.len());
            token.text.extend(new.bytes());
        }
    }
}

/// Gives a value, a block, a symbol or an alias another name, wherever it stands.
fn rename(random: &mut Random, tokens: &mut [Token]) {
    let named = |token: &Token| {
        matches!(token.kind, Kind::Value | Kind::Block | Kind::Symbol)
            || matches!(token.kind, Kind::Attribute | Kind::Type) && !token.text.contains(&b'.')
    };
    let Some(at) = any(random, &places(tokens, named)) else { return };
    let base = |token: &Token| -> Vec<u8> {
        let end = token.text[1..].iter().position(|&byte| byte == b'#').map_or(token.text.len(), |at| at + 1);
        token.text[..end].to_vec()
    };
    let (kind, old) = (tokens[at].kind, base(&tokens[at]));
    let names: &[&[u8]] = match kind {
        Kind::Symbol => &[b"@x", b"@\"a b\"", b"@_", b"@f.g", b"@\"\""],
        Kind::Block => &[b"^x", b"^bb77", b"^_1"],
        Kind::Value => &[b"%x", b"%77", b"%_", b"%c0", b"%a.b"],
        Kind::Attribute => &[b"#x", b"#map9", b"#loc"],
        _ => &[b"!x", b"!t1"],
    };
    let new = names[random.below(names.len())];
    for token in tokens.iter_mut().filter(|token| token.kind == kind) {
        if base(token) == old {
            let rest = token.text.split_off(old.len());
            token.text = [new, &rest].concat();
        }
    }
}

/// Uses another value: one that stands close by.
fn change_value(random: &mut Random, tokens: &mut [Token]) {
    let values = places(tokens, |token| token.kind == Kind::Value);
    if values.len() < 2 {
        return;
    }
    let at = random.below(values.len());
    let near = at.saturating_sub(8)..values.len().min(at + 8);
    let other = values[near.start + random.below(near.len())];
    tokens[values[at]] = tokens[other].clone();
}

/// How many operands, results, regions and successors an operation has.
type Shape = [usize; 4];

/// Operations by their shapes, and the shape of each.
type Shapes = (HashMap<Shape, Vec<String>>, HashMap<String, Shape>);

/// The operations of upstream.
fn shapes() -> &'static Shapes {
    static SHAPES: OnceLock<Shapes> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let (mut names, mut shapes): (HashMap<Shape, Vec<String>>, _) = (HashMap::new(), HashMap::new());
        for op in definitions().iter() {
            let shape = [op.operands().len(), op.results().len(), op.regions().len(), op.successors().len()];
            names.entry(shape).or_default().push(op.name.clone());
            shapes.insert(op.name.clone(), shape);
        }
        (names, shapes)
    })
}

/// Puts an operation in the place of another with as many operands, results, regions and successors.
fn change_operation(random: &mut Random, tokens: &mut [Token]) {
    let (names, shapes) = shapes();
    let name = |token: &Token| -> Option<String> {
        let text = String::from_utf8(token.text.clone()).ok()?;
        match token.kind {
            Kind::String => Some(text.trim_matches('"').to_owned()),
            Kind::Word => Some(text),
            _ => None,
        }
        .filter(|name| name.contains('.'))
    };
    let Some(at) = any(random, &places(tokens, |token| name(token).is_some_and(|name| shapes.contains_key(&name))))
    else {
        return;
    };
    let Some(found) = name(&tokens[at]).and_then(|name| names.get(shapes.get(&name)?)) else { return };
    let new = &found[random.below(found.len())];
    let quoted = tokens[at].kind == Kind::String;
    tokens[at].text = if quoted { format!("\"{new}\"").into_bytes() } else { new.clone().into_bytes() };
}

/// The values that the tokens define.
fn defined(tokens: &[Token]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Value) {
        let next = tokens[at + 1..].iter().find(|token| token.kind != Kind::Space);
        if next.is_some_and(|next| next.is("=") || next.is(":") || next.is(",")) {
            found.push(token.text.clone());
        }
    }
    found
}

fn delete_statement(random: &mut Random, tokens: &mut Vec<Token>) {
    let all = statements(tokens);
    if all.is_empty() {
        return;
    }
    // One whose results are not used, if there is one close by.
    let start = random.below(all.len());
    let unused = |range: &&std::ops::Range<usize>| {
        let defined = defined(&tokens[(*range).clone()]);
        let outside = tokens[..range.start].iter().chain(&tokens[range.end..]);
        !outside.into_iter().any(|token| token.kind == Kind::Value && defined.contains(&token.text))
    };
    let range = all[start..].iter().take(8).find(unused).unwrap_or(&all[start]).clone();
    tokens.drain(range);
}

/// Puts a statement in once more, of this text or of another; what it defines gets other names.
fn repeat_statement(random: &mut Random, tokens: &mut Vec<Token>, from: &[Token]) {
    let (own, others) = (statements(tokens), statements(from));
    if own.is_empty() || others.is_empty() {
        return;
    }
    let at = random.below(others.len());
    let mut copy = from[others[at].clone()].to_vec();
    let defined = defined(&copy);
    let suffix = format!("_{}", random.below(100));
    for token in copy.iter_mut().filter(|token| token.kind == Kind::Value) {
        let end = token.text.iter().position(|&byte| byte == b'#').unwrap_or(token.text.len());
        if defined.iter().any(|name| *name == token.text[..end]) {
            let rest = token.text.split_off(end);
            token.text.extend(suffix.bytes().chain(rest));
        }
    }
    // Behind itself, where all that it uses is there, or anywhere.
    let to = match from == tokens.as_slice() && random.below(4) > 0 {
        true => others[at].end,
        false => own[random.below(own.len())].start,
    };
    tokens.splice(to..to, copy);
}

fn move_statement(random: &mut Random, tokens: &mut Vec<Token>) {
    let all = statements(tokens);
    if all.is_empty() {
        return;
    }
    let at = random.below(all.len());
    let range = all[at].clone();
    // Before the one that stands before it, or behind the next one.
    let to = match random.below(2) {
        0 => all[..at].iter().rev().find(|other| other.end <= range.start).map(|other| other.start),
        _ => all[at + 1..].iter().find(|other| other.start >= range.end).map(|other| other.end),
    };
    let Some(to) = to else { return };
    let moved: Vec<Token> = tokens[range.clone()].to_vec();
    if to <= range.start {
        tokens.drain(range);
        tokens.splice(to..to, moved);
    } else {
        tokens.splice(to..to, moved);
        tokens.drain(range);
    }
}

/// Where the entries of dictionaries stand: name, and value behind the equals sign.
fn entries(tokens: &[Token]) -> Vec<(usize, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !token.is("=") || token.kind != Kind::Punctuation || at < 2 {
            continue;
        }
        let name = tokens[..at].iter().rposition(|token| token.kind != Kind::Space).unwrap_or(0);
        if !matches!(tokens[name].kind, Kind::Word | Kind::String) {
            continue;
        }
        let start = at + 1 + tokens[at + 1..].iter().take_while(|token| token.kind == Kind::Space).count();
        let mut end = start;
        while end < tokens.len() {
            match &*tokens[end].text {
                b"," | b"}" | b"]" | b")" | b">" | b"\n" => break,
                b"(" | b"[" | b"{" | b"<" => match closing(tokens, end) {
                    Some(closing) => end = closing + 1,
                    None => break,
                },
                _ => end += 1,
            }
        }
        if end > start {
            found.push((name, start..end));
        }
    }
    found
}

/// Changes an entry of a dictionary, adds one or takes one away.
fn change_entry(random: &mut Random, tokens: &mut Vec<Token>, from: &[Token]) {
    let own = entries(tokens);
    let value = |random: &mut Random| -> Vec<Token> {
        let others = entries(from);
        if others.is_empty() || random.below(2) == 0 {
            return self::tokens(ATTRIBUTES[random.below(ATTRIBUTES.len())].as_bytes());
        }
        from[others[random.below(others.len())].1.clone()].to_vec()
    };
    if own.is_empty() {
        return;
    }
    let (name, range) = own[random.below(own.len())].clone();
    match random.below(4) {
        0 => {
            // With the comma behind it, or before it.
            let comma = |at: usize| tokens.get(at).is_some_and(|token| token.is(","));
            let before = tokens[..name].iter().rposition(|token| token.kind != Kind::Space).filter(|&at| comma(at));
            let range = match (comma(range.end), before) {
                (true, _) => name..range.end + 1,
                (false, Some(before)) => before..range.end,
                (false, None) => name..range.end,
            };
            tokens.drain(range);
        }
        1 => {
            let names =
                ["a", "x.y", "value", "sym_name", "callee", "fastmath", "loc", "\"odd name\"", "operandSegmentSizes"];
            let name_of_new = names[random.below(names.len())];
            let mut new = vec![Token::new(Kind::Punctuation, ","), Token::new(Kind::Space, " ")];
            new.extend([Token::new(Kind::Word, name_of_new), Token::new(Kind::Space, " = ")]);
            new.extend(value(random));
            tokens.splice(range.end..range.end, new);
        }
        _ => {
            let value = value(random);
            tokens.splice(range, value);
        }
    }
}

/// The groups in brackets: where each opens and closes.
fn groups(tokens: &[Token], bracket: Option<&[u8]>) -> Vec<(usize, usize)> {
    let opens = places(tokens, |token| {
        token.kind == Kind::Punctuation
            && matches!(&*token.text, b"(" | b"[" | b"{" | b"<")
            && bracket.is_none_or(|bracket| token.text == bracket)
    });
    opens.into_iter().filter_map(|at| Some((at, closing(tokens, at)?))).collect()
}

/// Puts what stands between brackets in the place of what stands between others.
fn change_group(random: &mut Random, tokens: &mut Vec<Token>, from: &[Token]) {
    let own = groups(tokens, None);
    if own.is_empty() {
        return;
    }
    let (open, close) = own[random.below(own.len())];
    let others = groups(from, Some(&tokens[open].text));
    if others.is_empty() {
        return;
    }
    let (start, end) = others[random.below(others.len())];
    tokens.splice(open..=close, from[start..=end].iter().cloned());
}

/// Takes an item of a list away, or puts it in twice.
fn change_item(random: &mut Random, tokens: &mut Vec<Token>, from: &[Token]) {
    let own = groups(tokens, None);
    if own.is_empty() {
        return;
    }
    let (open, close) = own[random.below(own.len())];
    let mut ends: Vec<usize> = vec![open];
    let mut at = open + 1;
    while at < close {
        match &*tokens[at].text {
            b"(" | b"[" | b"{" | b"<" => at = closing(tokens, at).unwrap_or(at),
            b"," => ends.push(at),
            _ => {}
        }
        at += 1;
    }
    ends.push(close);
    let item = random.below(ends.len() - 1);
    let range = ends[item] + 1..ends[item + 1];
    if random.below(2) == 0 && ends.len() > 2 {
        // With one of the commas beside it.
        let range = if item == 0 { range.start..range.end + 1 } else { range.start - 1..range.end };
        tokens.drain(range);
    } else if !range.is_empty() {
        let others = groups(from, Some(&tokens[open].text));
        let mut copy = vec![Token::new(Kind::Punctuation, ","), Token::new(Kind::Space, " ")];
        match others.is_empty() || random.below(2) == 0 {
            true => copy.extend_from_slice(&tokens[range.clone()]),
            false => {
                let (start, end) = others[random.below(others.len())];
                copy.extend_from_slice(&from[start + 1..end]);
            }
        }
        tokens.splice(range.end..range.end, copy);
    }
}

/// Puts the whole into another attribute or type.
fn wrap(random: &mut Random, tokens: &mut Vec<Token>, other: &[u8]) {
    let around: &[(&str, &str)] = &[
        ("[", "]"),
        ("[unit, ", "]"),
        ("{a = ", "}"),
        ("{a = 1 : i32, b = ", "}"),
        ("distinct[0]<", ">"),
        ("tuple<", ">"),
        ("tuple<i32, ", ">"),
        ("complex<", ">"),
        ("tensor<", ">"),
        ("tensor<2x?x", ">"),
        ("tensor<*x", ">"),
        ("vector<4x[2]x", ">"),
        ("memref<?x", ", 3>"),
        ("(", ") -> i32"),
        ("() -> ", ""),
        ("loc(fused<", ">[\"a\", unknown])"),
        ("#t.a<", ">"),
        ("#llvm.di_null_type, ", ""),
    ];
    let (before, behind) = around[random.below(around.len())];
    let mut inside = text(tokens);
    if random.below(4) == 0 {
        inside.extend(b", ");
        inside.extend(other);
    }
    *tokens = self::tokens(&[before.as_bytes(), &inside, behind.as_bytes()].concat());
}

fn insert_piece(random: &mut Random, tokens: &mut Vec<Token>) {
    let at = random.below(tokens.len() + 1);
    let piece = pieces(random);
    tokens.insert(at, Token::new(Kind::Punctuation, piece));
}

/// Changes an assembly format by its words.
pub(super) fn mutate_format(random: &mut Random, format: &[u8]) -> Vec<u8> {
    const PIECES: &[&str] = &[
        "attr-dict",
        "attr-dict-with-keyword",
        "prop-dict",
        "functional-type(operands, results)",
        "type($",
        "qualified($",
        "operands",
        "regions",
        "successors",
        "`:`",
        "`a-b`",
        "` `",
        "``",
        "(",
        ")?",
        "^",
        ":",
        "oilist(",
        "|",
        "custom<X>($",
        "ref($",
        "$result",
        "$value",
        "`\\n`",
    ];
    let mut tokens = tokens(format);
    for _ in 0..1 + random.below(2) {
        if tokens.is_empty() {
            break;
        }
        let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(5) {
            0 => tokens.swap(at, other),
            1 => drop(tokens.remove(at)),
            2 => tokens.insert(at, tokens[other].clone()),
            3 => tokens[at] = tokens[other].clone(),
            _ => tokens.insert(at, Token::new(Kind::Word, PIECES[random.below(PIECES.len())])),
        }
    }
    text(&tokens)
}
