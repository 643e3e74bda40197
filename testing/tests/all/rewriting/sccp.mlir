func.func @f(%a: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %k8 = arith.constant 8 : i32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %k) -> i32 {
    scf.yield %k8 : i32
  }
  %r2 = scf.for %i = %c4 to %c0 step %c1 iter_args(%x = %k) -> i32 {
    %q = arith.addi %x, %k : i32
    scf.yield %q : i32
  }
  %t = arith.constant true
  %f = arith.constant false
  %r3 = scf.while (%x = %k) : (i32) -> i32 {
    scf.condition(%f) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %a : i32
  }
  return %r, %r2, %r3 : i32, i32, i32
}
func.func private @p(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @g() -> i32 {
  %k = arith.constant 7 : i32
  %0 = func.call @p(%k) : (i32) -> i32
  %1 = func.call @p(%k) : (i32) -> i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
func.func @branches(%a: i32, %m: memref<4xi32>) -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %true, ^left(%one : i32), ^right(%two : i32)
^left(%x: i32):
  cf.switch %x : i32, [default: ^right(%a : i32), 1: ^last(%two : i32), 7: ^right(%a : i32)]
^right(%y: i32):
  %0 = arith.addi %y, %a : i32
  %1 = arith.addi %one, %two : i32
  cf.br ^last(%1 : i32)
^last(%z: i32):
  %2 = arith.muli %z, %z : i32
  %3 = scf.if %true -> i32 {
    scf.yield %2 : i32
  } else {
    scf.yield %a : i32
  }
  %four = arith.constant 1 : index
  %4 = scf.index_switch %four -> i32
  case 1 {
    scf.yield %3 : i32
  }
  default {
    "any.use"() : () -> ()
    scf.yield %a : i32
  }
  %5 = "any.region"() ({
    %6 = arith.addi %4, %4 : i32
    "any.end"(%6) : (i32) -> ()
  }) : () -> i32
  %7 = arith.addi %5, %4 : i32
  return %7 : i32
}
func.func @loop(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %one : i32, i32)
^head(%i: i32, %same: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %next = arith.addi %i, %same : i32
  %again = arith.muli %same, %same : i32
  cf.br ^head(%next, %again : i32, i32)
^exit:
  return %same : i32
}
func.func private @recursive(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %x, %zero : i32
  %r = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    %s = func.call @recursive(%zero) : (i32) -> i32
    scf.yield %s : i32
  }
  return %r : i32
}
func.func private @referred(%x: i32) -> i32 {
  return %x : i32
}
func.func private @never(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %zero : i32
  return %0 : i32
}
func.func @calls() -> (i32, i32) attributes {note = [@referred]} {
  %k = arith.constant 5 : i32
  %0 = func.call @recursive(%k) : (i32) -> i32
  %1 = func.call @referred(%k) : (i32) -> i32
  return %0, %1 : i32, i32
}
module @inner {
  func.func nested @f(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @g() -> i32 {
    %k = arith.constant 5 : i32
    %0 = func.call @f(%k) : (i32) -> i32
    return %0 : i32
  }
}
spirv.module Logical GLSL450 {
  spirv.func @sf(%x: i32) -> i32 "None" attributes {sym_visibility = "private"} { spirv.ReturnValue %x : i32 }
  spirv.func @sg() -> i32 "None" { %k = spirv.Constant 3 : i32 
  %t = spirv.Constant true
   %0 = spirv.FunctionCall @sf(%k) : (i32) -> i32 
   spirv.BranchConditional %t, ^a, ^b
   ^a: 
   spirv.ReturnValue %0 : i32
   ^b:
   %1 = spirv.IAdd %k, %k : i32 
   spirv.ReturnValue %1 : i32 }
}
