module {
  llvm.func @some()
  llvm.mlir.global external @g(5 : i32) {addr_space = 0 : i32} : i32
  llvm.mlir.alias external @foo_alias {addr_space = 0 : i32} : !llvm.ptr {
    %0 = llvm.mlir.addressof @some : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.mlir.alias linkonce_odr hidden thread_local local_unnamed_addr @glob {dso_local} : !llvm.array<32 x i32> {
    %0 = llvm.mlir.constant(1234 : i64) : i64
    %1 = llvm.mlir.addressof @g : !llvm.ptr
    %2 = llvm.ptrtoint %1 : !llvm.ptr to i64
    %3 = llvm.add %2, %0 : i64
    %4 = llvm.inttoptr %3 : i64 to !llvm.ptr
    llvm.return %4 : !llvm.ptr
  }
  llvm.mlir.alias external @plain : i32 {
    %0 = llvm.mlir.addressof @g : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.mlir.ifunc external @ifoo : !llvm.func<f32 (i64)>, !llvm.ptr @resolver
  llvm.mlir.ifunc private hidden unnamed_addr @ifoo2 : !llvm.func<f32 (i64)>, !llvm.ptr @resolver {dso_local}
  llvm.mlir.ifunc external @ifoo3 : !llvm.func<f32 (i64)>, !llvm.ptr @resolver {foo}
  llvm.func @resolver() -> !llvm.ptr {
    %0 = llvm.mlir.addressof @some : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @ctor() {
    llvm.return
  }
  llvm.mlir.global_ctors ctors = [@ctor], priorities = [0 : i32], data = [#llvm.zero]
  llvm.mlir.global_dtors dtors = [], priorities = [], data = []
  llvm.mlir.global internal constant @str("foo\00bar") {addr_space = 0 : i32, dso_local}
  llvm.mlir.global private unnamed_addr constant @t2(dense<[1, 2]> : tensor<2xi32>) {addr_space = 0 : i32, alignment = 8 : i64, section = "foo"} : !llvm.array<2 x i32>
  llvm.mlir.global weak @r() {addr_space = 0 : i32} : i64 {
    %0 = llvm.mlir.constant(1 : i64) : i64
    llvm.return %0 : i64
  }
  llvm.linker_options ["/DEFAULTLIB:", "libcmt"]
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
}

