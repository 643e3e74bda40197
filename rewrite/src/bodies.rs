//! Bodies of isolated operations, rewritten one by one or several at once: none of them can see into another.

use std::sync::{Mutex, PoisonError};

use mlirbc_ir::{Body, BodyId, Error, Module, OpId, Result, Rewriter, Rewritten};

/// How many bodies a thread takes at a time.
const SHARE: usize = 16;

/// Changes all that an isolated operation holds, in bodies of their own too: `change` gets each body, on as many threads as that. What
/// comes of it does not depend on their number. Gives what `change` gives.
///
/// # Errors
/// Where a body cannot be read, and what `change` gives: of several errors that of the first body.
pub fn rewrite_inside<R: Send>(
    module: &mut Module,
    (body, op): (BodyId, OpId),
    threads: usize,
    change: impl Fn(&mut Rewriter<'_>) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let mut all = Vec::new();
    let mut level: Vec<BodyId> = module.body(body)?.region_body(op).into_iter().collect();
    // Bodies of one level neither hold each other nor are held by each other, so that what looks into another finds it there.
    while !level.is_empty() {
        all.extend(rewrite_level(module, &level, threads, &change)?);
        let mut next = Vec::new();
        for &body in &level {
            next.extend(module.body(body)?.region_bodies());
        }
        level = next;
    }
    Ok(all)
}

fn rewrite_level<R: Send>(
    module: &mut Module,
    bodies: &[BodyId],
    threads: usize,
    change: &(impl Fn(&mut Rewriter<'_>) -> Result<R> + Sync),
) -> Result<Vec<R>> {
    let threads = threads.min(bodies.len().div_ceil(SHARE));
    if threads <= 1 {
        return bodies.iter().map(|&body| module.rewrite(body, change)).collect();
    }
    let mut taken = Vec::with_capacity(bodies.len());
    for &id in bodies {
        module.body(id)?;
    }
    for (number, &id) in bodies.iter().enumerate() {
        taken.push((number, id, module.take_body(id)?));
    }
    let left = Mutex::new(taken.into_iter());
    let work = || {
        let mut done: Vec<(usize, Rewritten, Result<R>)> = Vec::new();
        loop {
            let share: Vec<(usize, BodyId, Box<Body>)> = {
                let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                left.by_ref().take(SHARE).collect()
            };
            if share.is_empty() {
                return done;
            }
            for (number, id, body) in share {
                let mut rewriter = Rewriter::new(module, id, body);
                let result = change(&mut rewriter);
                done.push((number, rewriter.finish(), result));
            }
        }
    };
    let finished = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut finished = vec![Some(work())];
        finished.extend(others.into_iter().map(|thread| thread.join().ok()));
        finished
    });
    let mut done = Vec::with_capacity(bodies.len());
    for part in finished {
        done.extend(part.ok_or_else(|| Error::misuse("a thread that rewrote bodies panicked"))?);
    }
    done.sort_unstable_by_key(|(number, ..)| *number);
    let mut results = Vec::with_capacity(done.len());
    for (_, rewritten, result) in done {
        module.put_rewritten(rewritten)?;
        results.push(result);
    }
    results.into_iter().collect()
}
