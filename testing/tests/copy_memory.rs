//! What a copy costs: what it copies, and not the body that it is in.
//!
//! One test, since it counts the memory of the whole process.

use mlirbc_ir::{BodyBuilder, OperationSpec, ValueMap};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[test]
fn copying_one_operation_does_not_copy_the_body_that_holds_it() {
    let context = mlirbc_testing::context();
    let (name, i32) = (context.operation_name("test.op", false), context.integer_type(32).into());
    let mut body = BodyBuilder::new(1);
    let block = body.push_block(body.top_regions()[0]);
    let mut body = body.finish();
    let first = body.add_argument(block, i32, None);
    let spec = OperationSpec {
        operands: &[first],
        results: &[i32],
        ..OperationSpec::new(name, context.unknown_location().into())
    };
    for _ in 0..20_000 {
        let op = body.create(&spec).expect("an operation");
        body.append(block, op).expect("a detached operation");
    }
    let op = body.first_operation(block).expect("an operation");
    let whole = body.heap_bytes();
    assert!(whole > 1 << 20);
    // Lists that grow are moved now and then, and then for a thousand copies.
    let copies = 1_000;
    let mut large = 0;
    for _ in 0..copies {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        body.clone_operation(op, &mut ValueMap::default()).expect("a copy");
        large += usize::from(MEMORY.peak_usage().saturating_sub(before) > whole / 20);
    }
    assert!(large <= 20, "{large} of {copies} copies took memory as if for the whole body");
}
