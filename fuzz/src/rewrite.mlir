func.func @sums(%a: i32, %b: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %0 = arith.addi %c7, %a : i32
  %1 = arith.addi %0, %c1 : i32
  %2 = arith.subi %1, %c0 : i32
  %3 = arith.muli %b, %c1 : i32
  %4 = arith.addi %c7, %a : i32
  %5 = arith.divsi %3, %c1 : i32
  %6 = arith.xori %2, %2 : i32
  %7 = arith.ori %6, %5 : i32
  return %2, %7 : i32, i32
}
func.func @vectors(%a: vector<4xi8>, %i: index) -> vector<4xi8> {
  %c = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>
  %d = arith.constant dense<-1> : vector<4xi8>
  %0 = arith.andi %c, %d : vector<4xi8>
  %1 = arith.addi %0, %a : vector<4xi8>
  %2 = arith.shrui %1, %c : vector<4xi8>
  %p = arith.cmpi slt, %2, %c : vector<4xi8>
  %3 = arith.select %p, %2, %d : vector<4xi1>, vector<4xi8>
  return %3 : vector<4xi8>
}
func.func @floats(%a: f32, %b: f16) -> (f32, i1) {
  %c = arith.constant 1.5 : f32
  %n = arith.constant 0x7FC00000 : f32
  %0 = arith.addf %c, %c : f32
  %1 = arith.mulf %a, %0 : f32
  %2 = arith.extf %b : f16 to f32
  %3 = arith.maximumf %n, %2 : f32
  %4 = arith.cmpf olt, %1, %3 : f32
  return %3, %4 : f32, i1
}
func.func @branches(%p: i1, %a: i32) -> i32 {
  %true = arith.constant true
  %c4 = arith.constant 4 : i32
  cf.cond_br %p, ^one(%a, %c4 : i32, i32), ^two
^one(%x: i32, %y: i32):
  %0 = arith.addi %x, %y : i32
  cf.cond_br %true, ^three(%0 : i32), ^four
^two:
  %1 = arith.muli %a, %c4 : i32
  cf.br ^three(%1 : i32)
^three(%z: i32):
  return %z : i32
^four:
  cf.br ^four
}
func.func @switches(%flag: i32, %a: i32) -> i32 {
  %c42 = arith.constant 42 : i32
  cf.switch %flag : i32, [
    default: ^one(%a : i32),
    42: ^two(%c42 : i32),
    43: ^one(%c42 : i32)
  ]
^one(%x: i32):
  return %x : i32
^two(%y: i32):
  cf.br ^one(%y : i32)
}
func.func @loops(%n: index, %a: i32, %p: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : i32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %c5) -> (i32, i32) {
    %c5_again = arith.constant 5 : i32
    %1 = arith.addi %s, %c5_again : i32
    scf.yield %1, %t : i32, i32
  }
  %2 = scf.if %p -> (i32) {
    %3 = arith.addi %0#0, %c5 : i32
    scf.yield %3 : i32
  } else {
    scf.yield %0#1 : i32
  }
  scf.if %p {
  }
  return %2 : i32
}
func.func private @unused(i32) -> i32
func.func @calls(%a: i32) -> i32 {
  %0 = call @inner(%a) : (i32) -> i32
  return %0 : i32
}
func.func private @inner(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.subi %0, %1 : i32
  return %2 : i32
}
spirv.module Logical GLSL450 {
  spirv.func @shader(%a: i32, %v: vector<2xi32>) -> i32 "None" {
    %0 = spirv.Constant 0 : i32
    %1 = spirv.Constant 3 : i32
    %2 = spirv.IAdd %a, %0 : i32
    %3 = spirv.IMul %1, %1 : i32
    %4 = spirv.CompositeInsert %3, %v[0 : i32] : i32 into vector<2xi32>
    %5 = spirv.CompositeExtract %4[0 : i32] : vector<2xi32>
    %6 = spirv.IAdd %5, %2 : i32
    spirv.ReturnValue %6 : i32
  }
}
