//! The programs in `examples` do what they say.

#[path = "../../examples/build_function.rs"]
mod build_function;
#[path = "../../examples/resources.rs"]
mod resources;
#[path = "../../examples/walk_and_edit.rs"]
mod walk_and_edit;

use mlirbc::prelude::*;

#[test]
fn a_function_is_built() {
    build_function::main().expect("a function");
    let context = Context::new();
    let path = std::env::temp_dir().join("scale.mlirbc");
    let module = mlirbc::open(&context, &path).expect("the file that it is kept in");
    let text = "module {
  func.func @scale(%arg0: memref<?xf32>, %arg1: index, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %arg2 : f32
      memref.store %1, %arg0[%arg3] : memref<?xf32>
    }
    return
  }
}
";
    assert_eq!(module.to_text().expect("text"), text);
    std::fs::remove_file(path).expect("a file");
}

#[test]
fn a_module_is_walked_and_edited() {
    walk_and_edit::main().expect("a module");
}

#[test]
fn a_blob_is_written_and_read() {
    resources::main().expect("a blob");
}
