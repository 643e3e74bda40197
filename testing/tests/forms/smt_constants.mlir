module {
  smt.solver() : () -> () {
    %c5 = smt.int.constant 5
    %c-5 = smt.int.constant -5 {a.b}
    %c8 = smt.int.constant 8
    %c0 = smt.int.constant 0
    %c-8 = smt.int.constant -8
    %c123456789012345678901234567890 = smt.int.constant 123456789012345678901234567890
    %c99 = smt.int.constant 99
    %c5_bv32 = smt.bv.constant #smt.bv<5> : !smt.bv<32>
    %c-5_bv4 = smt.bv.constant #smt.bv<-5> : !smt.bv<4>
    %c0_bv4 = smt.bv.constant #smt.bv<0> : !smt.bv<4> {a.b = 2 : i64}
  }
}

