#access_group = #llvm.access_group<id = distinct[0]<>>
#alias_scope_domain = #llvm.alias_scope_domain<id = distinct[1]<>, description = "d">
#di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#di_file = #llvm.di_file<"a.c" in "/x">
#tbaa_root = #llvm.tbaa_root<id = "root">
#alias_scope = #llvm.alias_scope<id = distinct[2]<>, domain = #alias_scope_domain>
#di_compile_unit = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = DW_LANG_C11, file = #di_file, isOptimized = true, emissionKind = Full>
#di_subroutine_type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #di_basic_type>
#di_global_variable = #llvm.di_global_variable<scope = #di_compile_unit, name = "gv", linkageName = "gv", file = #di_file, line = 2, type = #di_basic_type, isDefined = true>
#di_subprogram = #llvm.di_subprogram<id = distinct[4]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "f", file = #di_file, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#tbaa_type_desc = #llvm.tbaa_type_desc<id = "int", members = {<#tbaa_root, 0>}>
#di_global_variable_expression = #llvm.di_global_variable_expression<var = #di_global_variable, expr = <>>
#di_label = #llvm.di_label<scope = #di_subprogram, name = "l", file = #di_file, line = 42>
#di_local_variable = #llvm.di_local_variable<scope = #di_subprogram, name = "v", file = #di_file, line = 3, arg = 1, type = #di_basic_type>
#di_local_variable1 = #llvm.di_local_variable<scope = #di_subprogram, name = "w">
#tbaa_tag = #llvm.tbaa_tag<base_type = #tbaa_type_desc, access_type = #tbaa_type_desc, offset = 0>
module {
  llvm.mlir.global external @gv() {addr_space = 0 : i32, dbg_exprs = [#di_global_variable_expression]} : i32
  llvm.mlir.global internal thread_local @tl(0 : i32) {addr_space = 0 : i32} : i32
  llvm.func @f(%arg0: i32, %arg1: !llvm.ptr, %arg2: f32, %arg3: vector<4xf32>, %arg4: i64, %arg5: i1, %arg6: vector<4x!llvm.ptr>, %arg7: vector<4xi1>, %arg8: vector<4xi32>, %arg9: !llvm.ptr<3>) {
    %0 = llvm.load %arg1 : !llvm.ptr -> i32
    %1 = llvm.load volatile %arg1 {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
    %2 = llvm.load %arg1 atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
    %3 = llvm.load volatile %arg1 atomic syncscope("singlethread") acquire invariant {alignment = 8 : i64} : !llvm.ptr -> i64
    %4 = llvm.load %arg1 invariant {access_groups = [#access_group], alias_scopes = [#alias_scope], noalias_scopes = [#alias_scope], tbaa = [#tbaa_tag]} : !llvm.ptr -> i64
    %5 = llvm.load %arg1 invariant_group dereferenceable<bytes = 8> : !llvm.ptr -> !llvm.ptr
    llvm.store %arg0, %arg1 : i32, !llvm.ptr
    llvm.store volatile %arg2, %arg1 {alignment = 4 : i64} : f32, !llvm.ptr
    llvm.store %arg0, %arg1 atomic syncscope("agent") release {alignment = 4 : i64} : i32, !llvm.ptr
    llvm.store %arg0, %arg1 invariant_group : i32, !llvm.ptr
    llvm.fence syncscope("agent") seq_cst
    llvm.fence release
    %6 = llvm.atomicrmw add %arg1, %arg0 monotonic : !llvm.ptr, i32
    %7 = llvm.atomicrmw volatile fadd %arg1, %arg2 syncscope("x") seq_cst {alignment = 4 : i64} : !llvm.ptr, f32
    %8 = llvm.cmpxchg %arg1, %arg0, %0 acq_rel monotonic : !llvm.ptr, i32
    %9 = llvm.cmpxchg weak volatile %arg1, %arg0, %0 syncscope("s") seq_cst acquire {alignment = 4 : i64} : !llvm.ptr, i32
    %10 = llvm.inline_asm "bswap $0", "=r,r" %arg0 : (i32) -> i32
    %11 = llvm.inline_asm has_side_effects is_align_stack asm_dialect = intel operand_attrs = [{elementtype = i32}] "nop", "*m" %arg1 : (!llvm.ptr) -> !llvm.struct<(i8, i8)>
    llvm.inline_asm has_side_effects tail_call_kind = <tail> "nop", ""  : () -> ()
    %12 = llvm.mlir.constant(42 : i32) : i32
    %13 = llvm.mlir.constant(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
    %14 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
    %15 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
    %16 = llvm.mlir.constant([1 : i32, 2.000000e+00 : f32]) : !llvm.struct<(i32, f32)>
    %17 = llvm.mlir.addressof @gv : !llvm.ptr
    %18 = llvm.mlir.zero : !llvm.ptr
    %19 = llvm.mlir.none : !llvm.token
    %20 = llvm.add %arg0, %0 overflow<nsw, nuw> : i32
    %21 = llvm.sub %arg0, %0 overflow<nsw> : i32
    %22 = llvm.mul %arg0, %0 : i32
    %23 = llvm.sdiv exact %arg0, %0 : i32
    %24 = llvm.or disjoint %arg0, %0 : i32
    %25 = llvm.lshr exact %arg0, %0 : i32
    %26 = llvm.fadd %arg2, %arg2 {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
    %27 = llvm.fneg %arg3 : vector<4xf32>
    %28 = llvm.zext nneg %arg0 : i32 to i64
    %29 = llvm.trunc %arg4 overflow<nuw> : i64 to i32
    %30 = llvm.sitofp %arg0 : i32 to f32
    %31 = llvm.uitofp nneg %arg0 : i32 to f32
    %32 = llvm.ptrtoint %arg1 : !llvm.ptr to i64
    %33 = llvm.inttoptr %arg4 : i64 to !llvm.ptr
    %34 = llvm.addrspacecast %arg9 : !llvm.ptr<3> to !llvm.ptr
    %35 = llvm.bitcast %arg2 : f32 to i32
    %36 = llvm.select %arg5, %arg0, %0 : i1, i32
    %37 = llvm.select %arg7, %arg3, %27 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xi1>, vector<4xf32>
    %38 = llvm.freeze %arg0 : i32
    %39 = llvm.extractelement %arg3[%arg0 : i32] : vector<4xf32>
    %40 = llvm.insertelement %arg2, %arg3[%arg4 : i64] : vector<4xf32>
    %41 = llvm.va_arg %arg1 : (!llvm.ptr) -> i32
    %42 = llvm.intr.fma(%arg2, %arg2, %arg2) : (f32, f32, f32) -> f32
    %43 = llvm.intr.ctpop(%arg0) : (i32) -> i32
    "llvm.intr.memcpy"(%arg1, %arg1, %arg4) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %44 = llvm.intr.masked.load %arg1, %arg7, %arg3 {alignment = 1 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    %45 = llvm.intr.masked.load %arg1, %arg7 {alignment = 1 : i32, nontemporal} : (!llvm.ptr, vector<4xi1>) -> vector<4xf32>
    llvm.intr.masked.store %arg3, %arg1, %arg7 {alignment = 1 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
    %46 = llvm.intr.masked.gather %arg6, %arg7 {alignment = 1 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<4xf32>
    llvm.intr.masked.scatter %arg3, %arg6, %arg7 {alignment = 1 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
    %47 = "llvm.intr.vector.reduce.add"(%arg8) : (vector<4xi32>) -> i32
    %48 = "llvm.intr.vector.reduce.fadd"(%arg2, %arg3) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
    %49 = "llvm.intr.sadd.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %50 = llvm.intr.expect %arg0, %0 : i32
    %51 = llvm.intr.expect.with.probability %arg0, %0, 5.000000e-01 : i32
    llvm.intr.lifetime.start %17 : !llvm.ptr
    %52 = llvm.intr.stacksave : !llvm.ptr
    llvm.intr.stackrestore %52 : !llvm.ptr
    %53 = llvm.intr.vector.insert %arg3, %15[0] : vector<4xf32> into vector<4xf32>
    %54 = llvm.intr.vector.extract %arg3[0] : vector<2xf32> from vector<4xf32>
    %55 = llvm.intr.powi(%arg2, %arg0) : (f32, i32) -> f32
    llvm.intr.dbg.value #di_local_variable = %arg0 : i32
    llvm.intr.dbg.declare #di_local_variable1 #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_convert(4, DW_ATE_signed)]> = %arg1 : !llvm.ptr
    llvm.intr.dbg.label #di_label
    %56 = llvm.intr.invariant.start 8, %arg1 : !llvm.ptr
    llvm.intr.invariant.end %56, 8, %arg1 : !llvm.ptr
    llvm.return
  }
  llvm.func @callee(%arg0: !llvm.ptr {llvm.noalias}) attributes {frame_pointer = #llvm.framePointerKind<all>, memory_effects = #llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, errnoMem = read, targetMem0 = read, targetMem1 = read>, no_unwind, passthrough = ["noinline", ["k", "v"]], target_cpu = "x", target_features = #llvm.target_features<["+sse", "+avx"]>} {
    llvm.return
  }
  llvm.func @blk() {
    %0 = llvm.blockaddress <function = @blk2, tag = <id = 1>> : !llvm.ptr
    llvm.return
  }
  llvm.func @blk2() {
    llvm.br ^bb1
  ^bb1:  // pred: ^bb0
    llvm.blocktag <id = 1>
    llvm.return
  }
  llvm.func @types(!llvm.ptr<1>, !llvm.struct<"opq", opaque>, !llvm.x86_amx, !llvm.target<"spirv.Image", !llvm.void, 1, 2>, !llvm.array<3 x struct<packed (i8)>>, !llvm.struct<()>, vector<[4]xi1>, !llvm.ppc_fp128, f80, bf16, !llvm.metadata)
}

