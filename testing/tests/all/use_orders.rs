//! Edits of bodies whose values are used in orders that a file gave: what is written is what mlir-opt keeps.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{BodyId, Module, OpId, OperationSpec, Result, Value, ValueMap};
use mlirbc_testing::{corpus, fixture, of_any, tool};

fn options() -> WriteOptions {
    WriteOptions { producer: b"MLIR22.1.8".to_vec(), ..WriteOptions::default() }
}

fn open(bytes: &[u8]) -> Module {
    let module = read(&crate::definitions::context(), bytes.to_vec()).expect("a module");
    decode_all(&module).expect("well-formed");
    module
}

fn has_orders(module: &Module) -> bool {
    module.bodies().any(|(_, body)| body.stored_orders().next().is_some())
}

/// The module as bytecode, which our reader takes and gives back.
fn written(module: &Module, what: &str) -> Vec<u8> {
    let bytes = write(module, &options()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let again = read(module.context(), bytes.clone()).expect("a module");
    decode_all(&again).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(write(&again, &options()).expect("bytecode") == bytes, "{what}: other bytes");
    bytes
}

/// What mlir-opt makes of the bytes, or what it says against them.
fn through_mlir_opt(bytes: &[u8], name: &str) -> std::result::Result<Vec<u8>, String> {
    // Two tests may ask of one name at once.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join(format!("{name}.mlirbc")), folder.path().join("out.mlirbc"));
    std::fs::write(&from, bytes).expect("a temporary file");
    let output = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "--emit-bytecode", "-o"])
        .arg(&to)
        .arg(&from)
        .output()
        .expect("mlir-opt-22 runs");
    let made = std::fs::read(&to);
    match output.status.success() {
        true => Ok(made.expect("what mlir-opt wrote")),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

type Orders = Vec<(BodyId, Value, Vec<u32>)>;

/// The orders that a file states, and those that mlir-opt reads: of one that is written as pairs, the inverse.
fn orders(bytes: &[u8]) -> (Orders, Orders) {
    let module = open(bytes);
    let orders = module.bodies().flat_map(|(id, body)| body.stored_orders().map(move |it| (id, it.0, it.1.to_vec())));
    let stated: Orders = orders.collect();
    let read = stated.iter().map(|(id, value, places)| {
        let moved = places.iter().zip(0..).filter(|&(&place, at)| place != at).count();
        let mut read = places.clone();
        if moved < places.len() / 2 {
            places.iter().zip(0..).for_each(|(&place, at)| read[place as usize] = at);
        }
        (*id, *value, read)
    });
    let read = read.collect();
    (stated, read)
}

type Edit = fn(&mut Module, BodyId, OpId) -> Result<bool>;

fn is_terminator(module: &Module, id: BodyId, op: OpId) -> Result<bool> {
    let body = module.body(id)?;
    Ok(!body.successors(op).is_empty() || body.next_operation(op).is_none())
}

/// Edits of one operation, each of which does nothing where it says so. Unregistered operations break no rule by them,
/// but that of dominance.
const EDITS: [(&str, Edit); 9] = [
    ("detached", |module, id, op| {
        if is_terminator(module, id, op)? || module.body(id)?.results(op).any(|value| is_used(module, id, value)) {
            return Ok(false);
        }
        module.rewrite(id, |rw| rw.detach(op))?;
        Ok(true)
    }),
    ("detached and put back", |module, id, op| {
        module.rewrite(id, |rw| {
            let (block, before) = (rw.body().block_of(op).expect("in a block"), rw.body().next_operation(op));
            rw.detach(op)?;
            match before {
                Some(before) => rw.move_before(op, before),
                None => rw.move_to_end(op, block),
            }
        })?;
        Ok(true)
    }),
    ("detached and put first", |module, id, op| {
        if is_terminator(module, id, op)? {
            return Ok(false);
        }
        module.rewrite(id, |rw| {
            let block = rw.body().block_of(op).expect("in a block");
            rw.detach(op)?;
            rw.set_insertion_point_to_start(block)?;
            rw.insert(op)
        })?;
        Ok(true)
    }),
    ("moved before the last", |module, id, op| {
        if is_terminator(module, id, op)? {
            return Ok(false);
        }
        module.rewrite(id, |rw| {
            let block = rw.body().block_of(op).expect("in a block");
            rw.move_before(op, rw.body().last_operation(block).expect("an operation"))
        })?;
        Ok(true)
    }),
    ("erased", |module, id, op| {
        if is_terminator(module, id, op)? || module.body(id)?.results(op).any(|value| is_used(module, id, value)) {
            return Ok(false);
        }
        // What is inside may be used from outside as well.
        Ok(module.rewrite(id, |rw| rw.erase(op)).is_ok())
    }),
    ("given its first operand again", |module, id, op| {
        let Some(&value) = module.body(id)?.operands(op).first() else { return Ok(false) };
        module.rewrite(id, |rw| rw.set_operand(op, 0, value))?;
        Ok(true)
    }),
    ("without its last operand", |module, id, op| {
        let operands = module.body(id)?.operands(op).to_vec();
        let Some((_, others)) = operands.split_last() else { return Ok(false) };
        module.rewrite(id, |rw| rw.set_operands(op, others))?;
        Ok(true)
    }),
    ("with a new user before it", |module, id, op| {
        let (name, location) = (module.context().operation_name("new.user", false), module.body(id)?.location(op));
        module.rewrite(id, |rw| {
            let operands = rw.body().operands(op).to_vec();
            rw.set_insertion_point_before(op)?;
            rw.create(&OperationSpec { operands: &operands, ..OperationSpec::new(name, location) })
        })?;
        Ok(true)
    }),
    ("copied", |module, id, op| {
        if is_terminator(module, id, op)? || module.body(id)?.region_body(op).is_some() {
            return Ok(false);
        }
        module.rewrite(id, |rw| {
            rw.set_insertion_point_before(op)?;
            rw.clone_operation(op, &mut ValueMap::default())
        })?;
        Ok(true)
    }),
];

fn is_used(module: &Module, id: BodyId, value: Value) -> bool {
    module.body(id).expect("a body").is_used(value)
}

/// Asks mlir-opt of each of these, of which each is what one edit left: it must take it, and give it back as it is. It may find
/// that a value does not dominate a use of it, which it looks for once all has been read. Gives the names of edits or files of
/// which it takes none, and those of which it gives none back byte for byte, since orders are stated that a reader gets by itself.
fn ask(cases: Vec<(String, String, Vec<u8>)>) -> (Vec<String>, Vec<String>) {
    let (mut taken, mut same) = (BTreeMap::new(), BTreeMap::new());
    for (number, (name, what, bytes)) in cases.iter().enumerate() {
        let (taken, same) = (taken.entry(name).or_insert(0), same.entry(name).or_insert(0));
        let made = match through_mlir_opt(bytes, &number.to_string()) {
            Ok(made) => made,
            Err(error) => {
                assert!(error.contains("does not dominate this use"), "{what}: {error}");
                continue;
            }
        };
        *taken += 1;
        let (stated, read) = orders(bytes);
        assert_eq!(orders(&made).0, read, "{what}: other orders of uses");
        if stated == read {
            assert!(made == *bytes, "{what}: mlir-opt-22 makes other bytes of it");
            *same += 1;
        }
    }
    println!("taken: {taken:?}\ngiven back: {same:?}");
    let none = |of: BTreeMap<&String, usize>| of.into_iter().filter(|it| it.1 == 0).map(|it| it.0.clone()).collect();
    (none(taken), none(same))
}

#[test]
fn an_edit_of_a_body_with_orders_of_uses_leaves_orders_that_fit() {
    let bytes = std::fs::read(fixture("use_lists.mlirbc")).expect("a fixture");
    assert!(has_orders(&open(&bytes)));
    let mut cases = Vec::new();
    for (name, edit) in EDITS {
        let mut edited = 0;
        let ops: Vec<(BodyId, OpId)> = {
            let module = open(&bytes);
            let inside = |op: &mlirbc_ir::OpRef<'_>| op.body().parent(op.id()).is_some();
            let outermost = module.operations().expect("operations").flat_map(|op| op.walk().expect("bodies"));
            outermost.filter(inside).map(|op| (op.body_id(), of_any(op.id()))).collect()
        };
        assert_eq!(ops.len(), 15);
        for (id, op) in ops {
            let mut module = open(&bytes);
            if edit(&mut module, id, op).expect("an edit that may be made") {
                edited += 1;
                let what = format!("{op:?} {name}");
                let bytes = written(&module, &what);
                cases.push((name.to_owned(), what, bytes));
            }
        }
        assert!(edited >= 3, "{edited} operations {name}");
    }
    assert!(cases.len() > 70, "{} edits", cases.len());
    if tool("mlir-opt-22", "what mlir-opt-22 makes of edited bodies with orders of uses") {
        let (untaken, others) = ask(cases);
        assert_eq!(untaken, [""; 0]);
        // All that these leave has an order that a reader gets by itself.
        let stated = ["detached", "detached and put back", "detached and put first", "erased", "moved before the last"];
        assert_eq!(others, stated);
    }
}

/// Files of the corpus with orders of uses.
fn with_orders(what: &str) -> Option<Vec<PathBuf>> {
    let paths = corpus("bytecode", what)?;
    let with = |path: &PathBuf| {
        let module = read(&crate::definitions::context(), std::fs::read(path).expect("a file")).expect("a module");
        decode_all(&module).is_ok() && has_orders(&module)
    };
    Some(paths.into_iter().filter(with).collect())
}

#[test]
fn files_with_orders_of_uses_stay_right_through_edits_that_change_no_meaning() {
    let Some(paths) = with_orders("edits of files of the corpus with orders of uses") else { return };
    assert!(paths.len() > 10, "{} files with orders", paths.len());
    let mut cases = Vec::new();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a file");
        let module = open(&bytes);
        // Each operation is put back where it was, or given the operands that it has, one after the other.
        for number in 0..4 {
            let mut edited = open(&bytes);
            let mut turn = 0;
            for (id, body) in module.bodies() {
                for op in body.preorder().filter(|&op| body.parent(op).is_some() || id.index() != Module::TOP) {
                    turn += 1;
                    if turn % 4 == number {
                        let edit = EDITS[if turn % 8 < 4 { 1 } else { 5 }].1;
                        edit(&mut edited, id, of_any(op)).expect("an edit that may be made");
                    }
                }
            }
            let what = format!("{}, number {number}", path.display());
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            cases.push((name, what.clone(), written(&edited, &what)));
        }
    }
    if tool("mlir-opt-22", "what mlir-opt-22 makes of edited files") {
        let (untaken, others) = ask(cases);
        assert_eq!((untaken, others), (Vec::new(), Vec::new()));
    }
}

fn moved(bytes: &[u8], looked_at: bool, turn: usize) -> Option<Vec<u8>> {
    let mut module = open(bytes);
    let ids: Vec<BodyId> = module.bodies().map(|it| it.0).filter(|id| id.index() != Module::TOP).collect();
    let mut edits = 0;
    for id in ids {
        if looked_at {
            module.build_uses(id).expect("a body");
        }
        let body = module.body(id).expect("a body");
        let ops: Vec<OpId> = body.preorder().collect();
        if let Some(&op) = ops.get(turn % ops.len().max(1)) {
            let first = body.first_operation(body.block_of(op).expect("in a block")).expect("an operation");
            module.rewrite(id, |rw| rw.move_before(op, first)).expect("the same block");
            edits += 1;
        }
    }
    (edits > 0).then(|| write(&module, &options()).expect("bytecode"))
}

/// In MLIR a use stays at its place of the list, wherever its operation goes.
#[test]
fn a_move_gives_the_same_bytes_whether_or_not_uses_were_looked_at() {
    let mut paths: Vec<PathBuf> =
        ["arith", "use_lists", "nested", "debug_info"].iter().map(|name| fixture(&format!("{name}.mlirbc"))).collect();
    paths.extend(corpus("bytecode", "moves in files of the corpus").unwrap_or_default().into_iter().step_by(7));
    let (mut files, mut orders) = (0, 0);
    for path in &paths {
        let bytes = std::fs::read(path).expect("a file");
        for turn in 0..6 {
            let (one, other) = (moved(&bytes, false, turn), moved(&bytes, true, turn));
            assert!(one == other, "{}, operation {turn}", path.display());
            files += usize::from(one.is_some());
            orders += usize::from(one.is_some_and(|bytes| has_orders(&open(&bytes))));
        }
    }
    assert!(files > 12 && orders > 0, "{files} files, {orders} with orders");
}

/// A move alone is enough to leave an order that bytecode has to state.
#[test]
fn a_move_leaves_the_order_of_uses_that_mlir_would_write() {
    let bytes = std::fs::read(fixture("arith.mlirbc")).expect("a fixture");
    let module = open(&bytes);
    // The first two users of a value in one block, which change places.
    let found = module.bodies().find_map(|(id, body)| {
        let users = |value: Value| -> Option<(OpId, OpId)> {
            let users: Vec<OpId> = body.preorder().filter(|&op| body.operands(op).contains(&value)).take(2).collect();
            let &[first, second] = users.as_slice() else { return None };
            (body.block_of(first) == body.block_of(second)).then_some((first, second))
        };
        let (first, second) = (0..body.value_count()).map(Value::from_index).find_map(users)?;
        Some((id, of_any(first), of_any(second)))
    });
    let (id, first, second) = found.expect("a value with two users in a block");
    for (detach, looked_at) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut module = open(&bytes);
        if looked_at {
            module.build_uses(id).expect("a body");
        }
        let moved = module.rewrite(id, |rw| {
            if detach {
                rw.detach(second)?;
            }
            rw.move_before(second, first)
        });
        moved.expect("the same block");
        let again = open(&written(&module, "moved"));
        let orders: Vec<Vec<u32>> =
            again.body(id).expect("a body").stored_orders().map(|(_, places)| places.to_vec()).collect();
        // The use that came last stays in front of the list, though its operation comes first now.
        assert!(orders.iter().any(|places| !places.is_sorted()), "{detach} {looked_at}: {orders:?}");
    }
}
