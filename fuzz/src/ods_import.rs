//! Op definitions: JSON as TableGen prints it, and the table that is made of it.

use mlirbc_ir::ods::OpTable;
use mlirbc_ir::{Dialect, ErrorKind};

use crate::{Outcome, Seed, fixtures, inputs};

/// Inputs to begin with: JSON, and a table.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = inputs::files_below(&fixtures().join("ods"), "json");
    let tables: Vec<Seed> = seeds
        .iter()
        .filter_map(|(name, json)| {
            let table = OpTable::from_json(json).ok()?;
            Some((name.replace(".json", ".table"), table.to_bytes().to_vec()))
        })
        .collect();
    seeds.extend(tables);
    seeds
}

/// Imports JSON or opens a table, and looks at all that it says.
pub fn run(data: &[u8]) -> Outcome {
    let table = match data.first() {
        Some(b'{' | b' ' | b'\n') | None => OpTable::from_json(data),
        Some(_) => OpTable::from_bytes(data.to_vec()),
    };
    let table = match table {
        Ok(table) => table,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
            return Outcome::Refused;
        }
    };
    let bytes = table.to_bytes();
    let again = OpTable::from_bytes(bytes.clone()).unwrap_or_else(|error| panic!("not taken back: {error}"));
    assert!(again.to_bytes() == bytes, "the table has other bytes once it was read");
    assert_eq!(again.len(), table.len());
    assert_eq!(format!("{:?}", again.coverage()), format!("{:?}", table.coverage()));
    for (first, second) in table.iter().zip(again.iter()) {
        assert_eq!(first, second);
        let found = table.get(&first.name).unwrap_or_else(|| panic!("`{}` is not found", first.name));
        assert_eq!(found.name, first.name);
        assert_eq!(format!("{:?}", first.details()), format!("{:?}", second.details()));
    }
    let rebuilt = OpTable::new(&table.to_definitions());
    assert_eq!(rebuilt.len(), table.len());
    assert_eq!(rebuilt.enumerations().count(), table.enumerations().count());
    // A dialect may be registered, or refused with an error.
    let _ = mlirbc_dialects::context().register(Dialect::new("toy").ops(table));
    Outcome::Accepted
}
