module {
  llvm.func @f(%arg0: i32, %arg1: !llvm.ptr, %arg2: vector<4xi32>, %arg3: vector<4x!llvm.ptr>, %arg4: i64, %arg5: f32, %arg6: vector<[4]xi32>, %arg7: i1, %arg8: vector<4xf32>) -> i32 vscale_range(1, 16) attributes {foo.bar} {
    %0 = llvm.alloca %arg0 x i32 : (i32) -> !llvm.ptr
    %1 = llvm.alloca %arg0 x !llvm.struct<"foo", (i32, ptr)> {alignment = 8 : i64} : (i32) -> !llvm.ptr
    %2 = llvm.alloca inalloca %arg0 x f32 {x = 1 : i32} : (i32) -> !llvm.ptr
    %3 = llvm.alloca %arg4 x !llvm.ptr<3> : (i64) -> !llvm.ptr<5>
    %4 = llvm.getelementptr %arg1[%arg0] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %5 = llvm.getelementptr inbounds %arg1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %6 = llvm.getelementptr inbounds|nuw %arg1[%arg4, 1, %arg0, -4] {foo} : (!llvm.ptr, i64, i32) -> !llvm.ptr, !llvm.struct<(i32, array<4 x array<2 x f32>>)>
    %7 = llvm.getelementptr nuw %arg3[%arg2] : (vector<4x!llvm.ptr>, vector<4xi32>) -> vector<4x!llvm.ptr>, i8
    %8 = llvm.getelementptr nusw %arg3[0] : (vector<4x!llvm.ptr>) -> vector<4x!llvm.ptr>, i8
    %9 = llvm.getelementptr nusw|nuw %arg3[-5] : (vector<4x!llvm.ptr>) -> vector<4x!llvm.ptr>, i8
    %10 = llvm.mlir.undef : !llvm.struct<(i32, struct<(f32, array<2 x ptr>)>)>
    %11 = llvm.insertvalue %arg0, %10[0] : !llvm.struct<(i32, struct<(f32, array<2 x ptr>)>)> 
    %12 = llvm.insertvalue %arg1, %11[1, 1, 0] {foo = 3 : i32} : !llvm.struct<(i32, struct<(f32, array<2 x ptr>)>)> 
    %13 = llvm.extractvalue %12[1, 0] : !llvm.struct<(i32, struct<(f32, array<2 x ptr>)>)> 
    %14 = llvm.extractvalue %12[1] {foo} : !llvm.struct<(i32, struct<(f32, array<2 x ptr>)>)> 
    %15 = llvm.mlir.poison : !llvm.struct<"named", (i32, struct<"inner", packed (i8, vector<4xi32>)>, ptr<2>)>
    %16 = llvm.insertvalue %arg2, %15[1, 1] : !llvm.struct<"named", (i32, struct<"inner", packed (i8, vector<4xi32>)>, ptr<2>)> 
    %17 = llvm.extractvalue %16[1, 0] : !llvm.struct<"named", (i32, struct<"inner", packed (i8, vector<4xi32>)>, ptr<2>)> 
    %18 = llvm.extractvalue %16[2] : !llvm.struct<"named", (i32, struct<"inner", packed (i8, vector<4xi32>)>, ptr<2>)> 
    %19 = llvm.extractvalue %16[] : !llvm.struct<"named", (i32, struct<"inner", packed (i8, vector<4xi32>)>, ptr<2>)> 
    %20 = llvm.shufflevector %arg2, %arg2 [0, 1, 2, 7, 5, -1] : vector<4xi32> 
    %21 = llvm.shufflevector %arg6, %arg6 [0, 0, 0, 0] {foo} : vector<[4]xi32> 
    %22 = llvm.call_intrinsic "llvm.x86.sse41.round.ss"(%arg8, %arg8, %arg0) : (vector<4xf32>, vector<4xf32>, i32) -> vector<4xf32>
    llvm.call_intrinsic "llvm.foo"() : () -> ()
    %23 = llvm.call_intrinsic "llvm.vector.reduce.add"(%arg2) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xi32>) -> i32
    %24 = llvm.call_intrinsic "llvm.foo"(%arg2) ["tag"(%arg0 : i32)] {x = 2 : i32} : (vector<4xi32> {llvm.noundef}) -> (i32 {llvm.signext})
    llvm.intr.assume %arg7 : i1
    llvm.intr.assume %arg7 ["align"(%arg1, %arg4 : !llvm.ptr, i64)] : i1
    llvm.intr.assume %arg7 ["a"(), "b"(%arg0 : i32)] : i1 {foo}
    %25 = llvm.fcmp "oeq" %arg5, %arg5 : f32
    %26 = llvm.fcmp "ult" %arg8, %arg8 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf32>
    %27 = llvm.icmp "slt" %arg6, %arg6 : vector<[4]xi32>
    %28 = llvm.icmp "eq" %arg3, %arg3 : vector<4x!llvm.ptr>
    %29 = llvm.icmp "ne" %arg1, %arg1 {foo} : !llvm.ptr
    llvm.return %arg0 : i32
  }
  llvm.func internal hidden local_unnamed_addr fastcc @g() vscale_range(2, 2) comdat(@c::@d) attributes {dso_local} {
    llvm.return
  }
  llvm.func @k(...) vscale_range(1, 0)
  llvm.comdat @c {
    llvm.comdat_selector @d any
    llvm.comdat_selector @e nodeduplicate
  }
}

