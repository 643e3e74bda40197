//! `equal` looks past what a round trip may change, and past nothing else: each word of the fixtures is changed, and where the
//! module counts as the same, one of the reasons below holds.

use mlirbc_spirv::equal;
use mlirbc_spirv::grammar::Instruction;

/// Words before the first instruction.
const HEADER: usize = 5;

fn modules() -> Vec<(String, Vec<u32>)> {
    let read = |name: &str| {
        let bytes = std::fs::read(mlirbc_testing::fixture(&format!("spirv/{name}.spv"))).expect(name);
        (name.to_owned(), bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    };
    ["blur", "shade", "control_flow", "declarations", "kernel"].map(read).into()
}

/// Where each instruction begins, and its words.
fn instructions(words: &[u32]) -> Vec<(usize, &[u32])> {
    let (mut found, mut at) = (Vec::new(), HEADER);
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        found.push((at, &words[at..at + length]));
        at += length;
    }
    found
}

fn name(instruction: &[u32]) -> &'static str {
    Instruction::of(instruction[0] as u16).map_or("", |known| known.name)
}

/// Why a module is the same though the word at `place` is another.
fn reason(original: &[u32], changed: &[u32], place: usize) -> Option<&'static str> {
    let all = instructions(original);
    let number = all.iter().position(|(at, words)| (*at..at + words.len()).contains(&place))?;
    let (start, words) = all[number];
    let times = |words: &[u32], id: u32| words[HEADER..].iter().filter(|&&word| word == id).count();
    let result = Instruction::of(words[0] as u16).filter(|known| known.has_result);
    let result = result.map(|known| start + 1 + usize::from(known.has_type));
    let is_function = |found: &&(usize, &[u32])| matches!(name(found.1), "Function" | "FunctionEnd");
    let in_function = all[..number].iter().rev().find(is_function).is_some_and(|found| name(found.1) == "Function");
    match name(words) {
        _ if result == Some(place) && times(original, original[place]) == 1 && times(changed, changed[place]) == 1 => {
            Some("an id that nothing refers to has another number")
        }
        "Line" if !in_function => Some("a line outside of functions, which the dialect has no place for"),
        "TypeForwardPointer" => Some("a pointer that is announced: the pointer itself is compared where it is made"),
        "DecorationGroup" => Some("a group: what it decorates is compared, each by itself"),
        _ => None,
    }
}

#[test]
fn a_word_changed_is_another_module_unless_a_reason_is_known() {
    let (mut same, mut others) = (std::collections::BTreeMap::new(), 0);
    for (name, original) in modules() {
        assert!(equal(&original, &original.clone()).expect("a module"), "{name}");
        for place in HEADER..original.len() {
            let mut changed = original.clone();
            changed[place] ^= 1;
            if !equal(&original, &changed).unwrap_or(false) {
                others += 1;
                continue;
            }
            let reason = reason(&original, &changed, place);
            let reason = reason.unwrap_or_else(|| panic!("{name}: equal, though word {place} is another"));
            *same.entry(reason).or_insert(0) += 1;
        }
    }
    // A reason that is not met any more is to be taken off the list.
    assert_eq!(same.len(), 4, "{same:#?}");
    assert!(others > 0);
}

#[test]
fn bound_and_generator_say_nothing() {
    for (name, original) in modules() {
        let mut changed = original.clone();
        (changed[2], changed[3]) = (original[2] ^ 1, original[3] + 7);
        assert!(equal(&original, &changed).expect("a module"), "{name}");
    }
}
