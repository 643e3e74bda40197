module {
  pdl_interp.func @matcher(%arg0: !pdl.operation) {
    %0 = pdl_interp.create_type i32
    %1 = pdl_interp.create_types [i32, i64]
    pdl_interp.switch_operation_name of %arg0 to ["t.a", "t.b"](^bb1, ^bb2) -> ^bb3
  ^bb1:  // 3 preds: ^bb0, ^bb1, ^bb2
    pdl_interp.switch_types %1 to [[i32, i64], [i64]](^bb2, ^bb3) -> ^bb1
  ^bb2:  // 2 preds: ^bb0, ^bb1
    pdl_interp.switch_type %0 to [i32, i64](^bb3, ^bb3) -> ^bb1
  ^bb3:  // 4 preds: ^bb0, ^bb1, ^bb2, ^bb2
    pdl_interp.finalize
  }
}

