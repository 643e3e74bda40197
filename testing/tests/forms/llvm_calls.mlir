#access_group = #llvm.access_group<id = distinct[0]<>>
module {
  llvm.func @foo(i32, !llvm.ptr) -> f32
  llvm.func @bar()
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @vf(...)
  llvm.func @"odd name"()
  llvm.func @test(%arg0: i32, %arg1: !llvm.ptr, %arg2: f32) -> f32 {
    %0 = llvm.call @foo(%arg0, %arg1) : (i32, !llvm.ptr) -> f32
    llvm.call @bar() : () -> ()
    llvm.call @"odd name"() : () -> ()
    llvm.call fastcc @bar() : () -> ()
    llvm.call coldcc tail @bar() : () -> ()
    llvm.call musttail @bar() : () -> ()
    llvm.call notail @bar() {x.y = 3 : i32} : () -> ()
    %1 = llvm.call %arg1(%arg0) : !llvm.ptr, (i32) -> i64
    llvm.call %arg1() : !llvm.ptr, () -> ()
    %2 = llvm.call @printf(%arg1, %arg0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    llvm.call %arg1(%arg0) vararg(!llvm.func<void (...)>) : !llvm.ptr, (i32) -> ()
    llvm.call @vf() vararg(!llvm.func<void (...)>) : () -> ()
    %3 = llvm.call @foo(%arg0, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (i32, !llvm.ptr) -> f32
    %4 = llvm.call @foo(%arg0, %arg1) : (i32, !llvm.ptr) -> f32
    %5 = llvm.call @foo(%arg0, %arg1) {convergent, fastmathFlags = #llvm.fastmath<nnan, ninf>, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_inline, no_unwind, will_return} : (i32, !llvm.ptr) -> f32
    %6 = llvm.call @foo(%arg0, %arg1) : (i32 {llvm.signext}, !llvm.ptr {llvm.align = 4 : i64, llvm.byval = i32}) -> (f32 {llvm.noundef})
    %7 = llvm.call @foo(%arg0, %arg1) : (i32, !llvm.ptr {llvm.nonnull}) -> f32
    %8 = llvm.call @foo(%arg0, %arg1) ["tag1"(), "tag 2"(%arg0, %arg1 : i32, !llvm.ptr), "t\223"(%arg2 : f32)] : (i32, !llvm.ptr) -> f32
    llvm.call @bar() : () -> ()
    llvm.call %arg1(%arg0) ["x"(%arg0 : i32)] {always_inline} : !llvm.ptr, (i32 {llvm.inreg}) -> ()
    llvm.call @bar() {access_groups = [#access_group]} : () -> ()
    llvm.call @foo2(%arg1, %arg0) : (!llvm.ptr, i32) -> ()
    llvm.return %0 : f32
  }
  llvm.func @foo2(!llvm.ptr, i32)
}

