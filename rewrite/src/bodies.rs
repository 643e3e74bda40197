//! Bodies of isolated operations, rewritten one by one or several at once: none of them can see into another.

use mlirbc_ir::threads::in_shares;
use mlirbc_ir::{BodyId, Module, OpId, Result, Rewriter, TakenBody};

/// Changes all that isolated operations hold, in bodies of their own too: `change` gets each body, on as many threads as that, each
/// with a state of its own that `start` makes. What comes of it does not depend on their number, where `change` looks at its body
/// alone. Gives what `change` gives.
///
/// # Errors
/// Where a body cannot be read, and what `change` gives: of several errors that of the first body.
pub fn rewrite_inside<S, R: Send>(
    module: &mut Module,
    anchors: &[(BodyId, OpId)],
    threads: usize,
    start: impl Fn() -> S + Sync,
    change: impl Fn(&mut S, &mut Rewriter<'_>) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let mut state = start();
    let mut all = Vec::new();
    let mut level: Vec<BodyId> = Vec::new();
    for &(body, op) in anchors {
        level.extend(module.body(body)?.region_body(op));
    }
    // Bodies of one level neither hold each other nor are held by each other, so that what looks into another finds it there.
    while !level.is_empty() {
        let bodies = level.iter().map(|&body| (body, ())).collect();
        let change = |state: &mut S, rw: &mut Rewriter<'_>, ()| change(state, rw);
        rewrite_level(module, bodies, threads, &mut state, &start, &change, |result| all.push(result))?;
        let mut next = Vec::new();
        for &body in &level {
            next.extend(module.body(body)?.region_bodies());
        }
        level = next;
    }
    Ok(all)
}

/// Changes bodies that neither hold each other nor are held by each other, as [`rewrite_inside`] does, each with something of its own; in
/// place of threads of their own few get `state`. What `change` gives goes to `take`, one after the other.
pub(crate) fn rewrite_level<S, T: Send, R: Send>(
    module: &mut Module,
    bodies: Vec<(BodyId, T)>,
    threads: usize,
    state: &mut S,
    start: &(impl Fn() -> S + Sync),
    change: &(impl Fn(&mut S, &mut Rewriter<'_>, T) -> Result<R> + Sync),
    mut take: impl FnMut(R),
) -> Result<()> {
    // Nothing is changed where one of them cannot be read.
    for &(id, _) in &bodies {
        module.body(id)?;
    }
    if threads <= 1 || bodies.len() <= 1 {
        for (body, own) in bodies {
            take(module.rewrite(body, |rw| change(state, rw, own))?);
        }
        return Ok(());
    }
    let mut taken = Vec::with_capacity(bodies.len());
    for (id, own) in bodies {
        taken.push((id, module.take_body(id)?, own));
    }
    let looked_at: &Module = module;
    let rewrite = |state: &mut S, (id, body, own): (BodyId, TakenBody, T)| {
        let mut rewriter = Rewriter::new(looked_at, id, body);
        let result = change(state, &mut rewriter, own);
        (rewriter.finish(), result)
    };
    let shares = in_shares(threads, |(_, body, _)| body.weight(), taken, start, rewrite);
    // All are put back, also where one gives an error.
    let mut failed = None;
    for (rewritten, result) in shares.into_iter().flatten() {
        module.put_rewritten(rewritten)?;
        match result {
            Ok(result) if failed.is_none() => take(result),
            Ok(_) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(()), Err)
}
