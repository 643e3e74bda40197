//! Casts that cancel each other.

use hashbrown::HashSet;
use mlirbc_ir::{OpId, Result, Rewriter, TypeRef, Value};

/// So many casts in a row are looked at from the last of them.
const LONGEST: usize = 1024;

/// Lets those who use a cast use what the first of a row of casts is made of, where that has the same types; erases the casts of which
/// no one else has any use, and gives those that are left. `casts` are in the order in which they stand; other casts are looked through,
/// but stay.
pub(crate) fn reconcile(rw: &mut Rewriter<'_>, casts: &[OpId]) -> Result<Vec<OpId>> {
    rw.build_uses();
    let own: HashSet<OpId> = casts.iter().copied().collect();
    for &cast in casts.iter().rev() {
        let wanted = types_of(rw, rw.body().results(cast))?;
        let mut at = Some(cast);
        for _ in 0..LONGEST {
            let Some(other) = at else { break };
            let inputs = rw.body().operands(other).to_vec();
            if types_of(rw, inputs.iter().copied())? == wanted {
                if !inputs.iter().any(|&input| rw.body().defining_operation(input) == Some(cast)) {
                    rw.replace_all_uses(cast, &inputs)?;
                }
                break;
            }
            at = input_cast(rw, other);
        }
    }
    let mut live: HashSet<OpId> = HashSet::new();
    for &cast in casts {
        let body = rw.body();
        let mut users = body.results(cast).flat_map(|result| body.uses_of(result));
        if users.any(|use_| !own.contains(&use_.op)) {
            let mut left = vec![cast];
            while let Some(cast) = left.pop() {
                if live.insert(cast) {
                    let definers = body.operands(cast).iter().filter_map(|&input| body.defining_operation(input));
                    left.extend(definers.filter(|definer| own.contains(definer)));
                }
            }
        }
    }
    let (remaining, dead): (Vec<OpId>, Vec<OpId>) = casts.iter().partition(|cast| live.contains(*cast));
    // They may use each other in a circle.
    for &cast in &dead {
        rw.set_operands(cast, [])?;
    }
    for cast in dead {
        rw.erase(cast)?;
    }
    Ok(remaining)
}

fn types_of(rw: &Rewriter<'_>, values: impl Iterator<Item = Value>) -> Result<Vec<TypeRef>> {
    values.map(|value| Ok(rw.module().ty(rw.body().ty(value))?.into())).collect()
}

/// The cast all of whose results the cast is made of, and of nothing else.
fn input_cast(rw: &Rewriter<'_>, cast: OpId) -> Option<OpId> {
    let body = rw.body();
    let inputs = body.operands(cast);
    let other = body.defining_operation(*inputs.first()?)?;
    let is_cast = rw.context().operation_text(body.name(other)) == super::CAST.as_bytes();
    (is_cast && body.results(other).eq(inputs.iter().copied())).then_some(other)
}
