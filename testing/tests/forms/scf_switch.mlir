module {
  func.func @f(%arg0: index, %arg1: i32, %arg2: !emitc.opaque<"foo">) -> (i32, index) {
    %0:2 = scf.index_switch %arg0 {a = 1 : i32} -> i32, index 
    case 2 {
      %c1_i32 = arith.constant 1 : i32
      scf.yield %c1_i32, %arg0 : i32, index
    }
    case -5 {
      scf.yield %arg1, %arg0 : i32, index
    }
    default {
      scf.yield %arg1, %arg0 : i32, index
    }
    scf.index_switch %arg0 
    case 0 {
      scf.yield
    }
    case 9 {
      func.call @g(%arg1) : (i32) -> ()
      scf.yield
    }
    default {
      func.call @g(%arg1) : (i32) -> ()
    }
    scf.index_switch %arg0 
    default {
    }
    emitc.switch %arg1 : i32 
    case 2 {
      %1 = call_opaque "func_b"() : () -> i32
      yield
    }
    default {
      %1 = call_opaque "func_b"(%arg1) : (i32) -> i32
    }
    return %0#0, %0#1 : i32, index
  }
  func.func private @g(i32)
}

