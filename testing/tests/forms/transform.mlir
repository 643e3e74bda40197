module {
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @m(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
      %0 = transform.match.structured %arg0 : (!transform.any_op) -> !transform.any_op {
      ^bb0(%arg1: !transform.any_op):
        %1 = transform.match.structured.rank %arg1 : (!transform.any_op) -> !transform.param<i64>
        transform.match.structured.dim %arg1[all] {parallel} : !transform.any_op
        transform.match.structured.dim %arg1[0, -1] : !transform.any_op
        %2 = transform.match.structured.dim %arg1[except(-1)] : (!transform.any_op) -> !transform.param<i64>
        %3 = transform.match.structured.input %arg1[0] : (!transform.any_op) -> !transform.any_value
        transform.match.structured.yield %arg1 : !transform.any_op
      }
      transform.match.structured failures(propagate) %arg0 : !transform.any_op {
      ^bb0(%arg1: !transform.any_op):
      }
      transform.yield %arg0 : !transform.any_op
    }
    transform.named_sequence @a(%arg0: !transform.any_op {transform.readonly}) {
      transform.print %arg0 : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @m2(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
      transform.yield %arg0 : !transform.any_op
    }
    transform.named_sequence @a2(%arg0: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
      transform.yield %arg0, %arg0 : !transform.any_op, !transform.any_op
    }
    transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
      %updated_root = transform.foreach_match in %arg0 
          @m -> @a : (!transform.any_op) -> !transform.any_op
      %updated_root_0 = transform.foreach_match restrict_root flatten_results in %updated_root 
          @m -> @a, 
          @m2 -> @a {x = 1 : i32} : (!transform.any_op) -> !transform.any_op
      %0 = transform.param.constant 3 : i64 -> !transform.param<i64>
      %1 = transform.apply_registered_pass "canonicalize" to %updated_root_0 : (!transform.any_op) -> !transform.any_op
      %2 = transform.apply_registered_pass "canonicalize" with options = {"top-down" = false} to %1 : (!transform.any_op) -> !transform.any_op
      %3 = transform.apply_registered_pass "canonicalize" with options = {"max" = %0, "region-simplify" = "x", "test" = [%0, 1 : i64, [2 : i64]]} to %2 {y} : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
      %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %3 tile_sizes [4, %0] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
      %tiled_op, %forall_op = transform.structured.tile_using_forall %tiled_linalg_op num_threads [2, %0](mapping = [#gpu.thread<x>, #gpu.thread<y>]) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %tiled_op_1, %forall_op_2 = transform.structured.tile_using_forall %tiled_op tile_sizes *(%0) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %tiled_op_3, %forall_op_4 = transform.structured.tile_using_forall %tiled_op_1 tile_sizes [1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %4 = transform.structured.split %tiled_op_3 after 42  {dimension = 0 : i64} : !transform.any_op
      %5 = transform.structured.split %4 after %0  {dimension = 1 : i64, multiway} : !transform.any_op, !transform.param<i64>
      %low_size, %high_size, %split_point = transform.structured.multitile_sizes %5 {dimension = 1 : i64, target_size = 42 : i64} : (!transform.any_op) -> !transform.any_op
      %tile_sizes, %chunk_sizes = transform.structured.continuous_tile_sizes %5 {dimension = 1 : i64, target_size = 9 : i64} : (!transform.any_op) -> !transform.param<i64>
      %6 = transform.structured.generalize %5 : (!transform.any_op) -> !transform.any_op
      %7 = transform.get_operand %6[all] : (!transform.any_op) -> !transform.any_value
      %8 = transform.get_operand %6[0, 2, -1] : (!transform.any_op) -> !transform.any_value
      %9 = transform.get_result %6[except(0, 1)] : (!transform.any_op) -> !transform.any_value
      %10 = transform.structured.interchange %6 iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
      %11 = transform.structured.replace %10 {
        builtin.module {
        }
      } : (!transform.any_op) -> !transform.any_op
      %12 = transform.structured.hoist_redundant_vector_transfers %11 : (!transform.any_op) -> !transform.any_op
      %13 = transform.structured.decompose %11 : (!transform.any_op) -> !transform.any_op
      %14 = transform.tune.knob<"n"> options = [1, 2] -> !transform.param<i64>
      transform.tune.alternatives<"c"> {
      }, {
      }
      %15 = transform.tune.alternatives<"c"> selected_region = 1 attributes {q} -> !transform.any_op {
        transform.yield %arg0 : !transform.any_op
      }, {
        transform.yield %arg0 : !transform.any_op
      }
      transform.tune.alternatives<"c"> selected_region = %0 : !transform.param<i64> {
      }
      transform.yield 
    }
  }
  module {
    transform.sequence  failures(propagate) {
    ^bb0(%arg0: !transform.any_op):
      sequence %arg0 : !transform.any_op failures(suppress) {
      ^bb0(%arg1: !transform.any_op):
      }
      %0 = sequence %arg0, %arg0 : (!transform.any_op, !transform.any_op) -> !transform.any_op failures(suppress) {
      ^bb0(%arg1: !transform.any_op, %arg2: !transform.any_op):
        yield %arg1 : !transform.any_op
      }
    }
  }
}

