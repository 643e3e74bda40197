//! Changing op definitions: JSON by its values, a table by its bytes.

use mlirbc_ir::ods::OpTable;
use serde_json::{Map, Value};

use super::mutate_bytes;
use super::text::mutate_format;
use crate::random::Random;

/// Changes JSON in one to four of its values. A table is changed by its bytes, or made of changed JSON.
pub fn mutate_definitions(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let parsed = |input: &[u8]| serde_json::from_slice::<Map<String, Value>>(input).ok();
    let Some(mut document) = parsed(input) else {
        let made = parsed(other).and_then(|mut document| {
            change(random, &mut document);
            Some(OpTable::from_json(&serde_json::to_vec(&document).ok()?).ok()?.to_bytes().to_vec())
        });
        return match made.filter(|_| random.below(4) > 0) {
            Some(made) => made,
            None => mutate_bytes(random, input, other),
        };
    };
    change(random, &mut document);
    serde_json::to_vec(&document).unwrap_or_default()
}

fn change(random: &mut Random, document: &mut Map<String, Value>) {
    for _ in 0..[1, 1, 2, 4][random.below(4)] {
        match random.below(8) {
            0 => drop_instance(random, document),
            1 => exchange_field(random, document),
            _ => change_field(random, document),
        }
    }
}

/// One of the records, or none.
fn record<'d>(random: &mut Random, document: &'d mut Map<String, Value>) -> Option<&'d mut Map<String, Value>> {
    let number = random.below(document.len().max(1));
    document.values_mut().nth(number)?.as_object_mut()
}

/// Takes the name of a record out of a list of instances.
fn drop_instance(random: &mut Random, document: &mut Map<String, Value>) {
    let Some(Value::Object(classes)) = document.get_mut("!instanceof") else { return };
    let number = random.below(classes.len().max(1));
    if let Some(Value::Array(names)) = classes.values_mut().nth(number)
        && !names.is_empty()
    {
        names.remove(random.below(names.len()));
    }
}

/// Gives a field of a record what the same field of another one has.
fn exchange_field(random: &mut Random, document: &mut Map<String, Value>) {
    let Some(own) = record(random, document) else { return };
    let number = random.below(own.len().max(1));
    let Some(key) = own.keys().nth(number).cloned() else { return };
    let others: Vec<Value> =
        document.values().filter_map(|record| record.as_object()?.get(&key).cloned()).take(400).collect();
    if others.is_empty() || key == "!name" {
        return;
    }
    let value = others[random.below(others.len())].clone();
    for _ in 0..8 {
        if let Some(own) = record(random, document).and_then(|record| record.get_mut(&key)) {
            *own = value;
            return;
        }
    }
}

/// Changes a field of a record, or something in it.
fn change_field(random: &mut Random, document: &mut Map<String, Value>) {
    let names: Vec<String> = document.keys().cloned().collect();
    let Some(own) = record(random, document) else { return };
    let number = random.below(own.len().max(1));
    let Some(key) = own.keys().nth(number).cloned() else { return };
    let Some(mut value) = own.get_mut(&key) else { return };
    // Down to something that has no parts.
    loop {
        let parts = match &*value {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        };
        if parts == 0 || random.below(6) == 0 {
            break;
        }
        let number = random.below(parts);
        let next = match value {
            Value::Array(items) => items.get_mut(number),
            Value::Object(fields) => fields.values_mut().nth(number),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => return,
        }
    }
    match value {
        Value::Bool(on) => *on = !*on,
        Value::Number(number) => {
            let old = number.as_i64().unwrap_or(0);
            *value = [old.saturating_add(1), old.saturating_sub(1), 0, -1, 1 << 31, i64::MAX][random.below(6)].into();
        }
        Value::String(text) if key == "assemblyFormat" => {
            *text = String::from_utf8_lossy(&mutate_format(random, text.as_bytes())).into_owned();
        }
        Value::String(text) => match random.below(5) {
            0 => text.clear(),
            1 => *text = names[random.below(names.len())].clone(),
            2 => text.push_str(["x", ".", "::", " ", "<", "\u{e9}", "$_self"][random.below(7)]),
            3 => {
                text.pop();
            }
            _ => *text = String::from_utf8_lossy(&mutate_bytes(random, text.as_bytes(), b"")).into_owned(),
        },
        Value::Array(items) if !items.is_empty() => {
            let item = random.below(items.len());
            match random.below(3) {
                0 => drop(items.remove(item)),
                1 => items.push(items[item].clone()),
                _ => items.reverse(),
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let number = random.below(fields.len());
            if let Some(key) = fields.keys().nth(number).cloned() {
                fields.remove(&key);
            }
        }
        _ => *value = [Value::Null, 1.into(), "x".into(), Value::Array(Vec::new())][random.below(4)].clone(),
    }
}
