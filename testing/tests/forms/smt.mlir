module {
  smt.solver() : () -> () {
    %0 = smt.declare_fun : !smt.bool
    %b = smt.declare_fun "b" : !smt.bool
    %1 = smt.eq %0, %b : !smt.bool
    %2 = smt.eq %0, %b, %0 {x.y} : !smt.bool
    %3 = smt.distinct %0, %b, %0 {x.y = 1 : i64} : !smt.bool
  }
}

