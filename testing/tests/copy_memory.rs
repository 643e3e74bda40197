//! What a copy costs: what it copies, and not the body that it is in.
//!
//! One test, since it counts the memory of the whole process.

use mlirbc_ir::{BodyId, Module, OperationSpec, TypeRef, ValueMap};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[test]
fn copying_one_operation_does_not_copy_the_body_that_holds_it() {
    let context = mlirbc_testing::context();
    let (name, i32) = (context.operation_name("test.op", false), TypeRef::from(context.integer_type(32)));
    let mut module = Module::new(&context);
    let edits = module.rewrite(BodyId::from_index(Module::TOP), |rw| {
        let block = rw.body().first_block(rw.body().top_regions()[0]).expect("the outermost block");
        let first = rw.add_argument(block, i32, None)?;
        let spec = OperationSpec {
            operands: &[first],
            results: &[i32],
            ..OperationSpec::new(name, context.unknown_location().into())
        };
        rw.set_insertion_point_to_end(block)?;
        for _ in 0..20_000 {
            rw.create(&spec)?;
        }
        rw.set_insertion_point(None)?;
        let op = rw.body().first_operation(block).expect("an operation");
        let whole = rw.body().heap_bytes();
        // Lists that grow are moved now and then, and then for a thousand copies.
        let copies = 1_000;
        let mut large = 0;
        for _ in 0..copies {
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage();
            rw.clone_operation(op, &mut ValueMap::default())?;
            large += usize::from(MEMORY.peak_usage().saturating_sub(before) > whole / 20);
        }
        Ok((whole, copies, large))
    });
    let (whole, copies, large) = edits.expect("edits");
    assert!(whole > 1 << 20);
    assert!(large <= 20, "{large} of {copies} copies took memory as if for the whole body");
}
