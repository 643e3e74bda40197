//! What definitions say that their dialect alone knows the meaning of: `spirv` says of operations which instruction they are, and of
//! these and of enumerants what they are available with.

use super::record::{Record, Records};

/// A name and a text.
type Fact = (String, String);

/// Facts of `spirv` operations.
const OF_OPERATIONS: &[&str] = &["spirvOpName", "extendedInstSetName", "extendedInstOpcode"];

/// The facts of an operation.
pub(super) fn of_operation(records: Records<'_>, record: Record<'_>) -> Vec<Fact> {
    let fact = |name: &&str| {
        let text = record.some_text(name).map(str::to_owned);
        let value = text.or_else(|| record.number(name).map(|number| number.to_string()));
        value.map(|value| ((*name).to_owned(), value))
    };
    OF_OPERATIONS.iter().filter_map(fact).chain(availability(records, record)).collect()
}

/// The facts of an enumerant: what it is available with, and which others it implies.
pub(super) fn of_case(records: Records<'_>, case: Record<'_>) -> Vec<Fact> {
    let implied: Vec<&str> =
        records.follow_all(case, "implies").into_iter().filter_map(|case| case.some_text("symbol")).collect();
    let implies = (!implied.is_empty()).then(|| ("implies".to_owned(), implied.join("|")));
    availability(records, case).chain(implies).collect()
}

/// What something is available with: `minVersion`, `maxVersion`, `extensions`, `capabilities`, each the enumerants of which one is
/// enough, with `|` between them. What asks for nothing is left out.
fn availability<'d>(records: Records<'d>, record: Record<'d>) -> impl Iterator<Item = Fact> {
    records.follow_all(record, "availability").into_iter().filter_map(|need| {
        let mut name = need.some_text("queryFnName")?.strip_prefix("get")?.to_owned();
        name.get_mut(..1)?.make_ascii_lowercase();
        // Several stand in C++ as the elements of an array, and one alone.
        let listed =
            need.some_text("instancePreparation").and_then(|code| Some(code.split_once('{')?.1.split_once('}')?.0));
        let listed = listed.or_else(|| need.some_text("instance").filter(|code| code.contains("::")))?;
        let symbols: Vec<&str> = listed.split(',').filter_map(|path| Some(path.trim().rsplit_once("::")?.1)).collect();
        Some((name, symbols.join("|")))
    })
}
