module {
  emitc.global @x : !emitc.array<2xf32> = dense<0.000000e+00>
  emitc.global static const @x1 : i32 = -5
  emitc.global extern @x2 : !emitc.array<2xf32>
  emitc.global @x3 : !emitc.opaque<"char"> = #emitc.opaque<"CHAR_MIN"> {a = 1 : i32}
  emitc.global @x4 : f32 = 1.500000e+00
  emitc.global @x5 : !emitc.array<3x1xi32> = dense<[[0], [1], [2]]>
  emitc.global @x6 : i1 = true
  emitc.global @x7 : index = 7
  emitc.include <"stdio.h">
  emitc.include "foo.h"
  emitc.class @modelClass {
    emitc.field @fieldName0 : !emitc.array<1xf32> = dense<1.000000e+00> {emitc.opaque = "input_tensor"}
    emitc.field @fieldName1 : !emitc.array<1xf32>
    emitc.func @execute() {
      return
    }
  }
  func.func @f(%arg0: index, %arg1: i32, %arg2: i1, %arg3: !emitc.ptr<i32>) {
    emitc.for %arg4 = %arg0 to %arg0 step %arg0 {
      %0 = add %arg4, %arg4 : (index, index) -> index
    }
    emitc.for %arg4 = %arg1 to %arg1 step %arg1  : i32 {
    } {x = 1 : i32}
    emitc.if %arg2 {
      if %arg2 {
        %0 = add %arg1, %arg1 : (i32, i32) -> i32
      } else {
      }
    } else {
      %0 = add %arg1, %arg1 : (i32, i32) -> i32
    } {y}
    return
  }
}

