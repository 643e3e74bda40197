func.func private @ext(i32) -> i32
func.func @commutative(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %2 = arith.subi %a, %b : i32
  %3 = arith.subi %b, %a : i32
  %4 = arith.addi %a, %b overflow<nsw> : i32
  %5 = arith.muli %0, %1 : i32
  %6 = arith.muli %2, %3 : i32
  %7 = arith.muli %5, %6 : i32
  %8 = arith.muli %7, %4 : i32
  return %8 : i32
}
func.func @dead(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %0, %b : i32
  %2 = arith.muli %0, %b : i32
  %3 = memref.alloc() : memref<4xi32>
  %4 = func.call @ext(%a) : (i32) -> i32
  return
}
func.func @dominated(%a: i32, %b: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^left, ^right
^left:
  %0 = arith.addi %a, %b : i32
  cf.br ^both(%0 : i32)
^right:
  %1 = arith.addi %a, %b : i32
  %2 = arith.addi %a, %b : i32
  %3 = arith.muli %1, %2 : i32
  cf.br ^both(%3 : i32)
^both(%4: i32):
  %5 = arith.addi %a, %b : i32
  %6 = arith.addi %5, %4 : i32
  cf.cond_br %c, ^last, ^both(%6 : i32)
^last:
  %7 = arith.addi %a, %b : i32
  %8 = arith.muli %7, %6 : i32
  return %8 : i32
^unreachable:
  %9 = arith.addi %a, %b : i32
  cf.br ^both(%9 : i32)
}
func.func @regions(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = scf.if %c -> i32 {
    %x = arith.addi %a, %b : i32
    %y = arith.addi %b, %a : i32
    %z = arith.muli %x, %y : i32
    scf.yield %z : i32
  } else {
    scf.yield %a : i32
  }
  %1 = scf.if %c -> i32 {
    %x = arith.addi %a, %b : i32
    %y = arith.addi %b, %a : i32
    %z = arith.muli %x, %y : i32
    scf.yield %z : i32
  } else {
    scf.yield %a : i32
  }
  %2 = scf.if %c -> i32 {
    %x = arith.addi %a, %a : i32
    %y = arith.addi %b, %a : i32
    %z = arith.muli %x, %y : i32
    scf.yield %z : i32
  } else {
    scf.yield %a : i32
  }
  %3 = arith.addi %a, %b : i32
  %4 = arith.muli %0, %1 : i32
  %5 = arith.muli %4, %2 : i32
  %6 = arith.muli %5, %3 : i32
  return %6 : i32
}
func.func @memory(%m: memref<4xi32>, %i: index, %c: i1) -> i32 {
  %0 = memref.load %m[%i] : memref<4xi32>
  scf.if %c {
    %x = memref.load %m[%i] : memref<4xi32>
    "any.use"(%x) : (i32) -> ()
  }
  %1 = memref.load %m[%i] : memref<4xi32>
  %2 = scf.if %c -> i32 {
    %x = memref.load %m[%i] : memref<4xi32>
    scf.yield %x : i32
  } else {
    scf.yield %0 : i32
  }
  %3 = memref.load %m[%i] : memref<4xi32>
  memref.store %3, %m[%i] : memref<4xi32>
  %4 = memref.load %m[%i] : memref<4xi32>
  %5 = memref.load %m[%i] : memref<4xi32>
  %6 = arith.addi %1, %2 : i32
  %7 = arith.addi %3, %4 : i32
  %8 = arith.addi %6, %7 : i32
  %9 = arith.addi %8, %5 : i32
  return %9 : i32
}
func.func @unknown(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  "any.region"() ({
    %1 = arith.addi %a, %b : i32
    %2 = arith.addi %a, %b : i32
    "any.use"(%0, %1, %2) : (i32, i32, i32) -> ()
    "any.br"()[^next] : () -> ()
  ^next:
    %3 = arith.addi %a, %b : i32
    "any.use"(%3) : (i32) -> ()
  }) : () -> ()
  %4 = arith.addi %a, %b : i32
  "any.use"(%4) : (i32) -> ()
  %5 = "any.pure"() : () -> i32
  %6 = "any.pure"() : () -> i32
  return
}
%g0 = arith.constant 1 : i32
"any.use"(%g2) : (i32) -> ()
%g1 = arith.constant 1 : i32
%g2 = arith.addi %g0, %g1 : i32
"any.use"(%g2) : (i32) -> ()
%g3 = arith.addi %g0, %g0 : i32
%g4 = arith.muli %g3, %g4 : i32
