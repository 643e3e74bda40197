//! `canonicalize`: the folds and patterns that dialects bring (`mlir/Transforms/Passes.td`).

use mlirbc_ir::{Error, Result};

use crate::greedy::{Greedy, MAX_ITERATIONS, Ran};
use crate::pass::{LocalPass, LocalRun, Pass, Target};
use crate::regions::Simplify;
use crate::registry::{MakePass, OptionInfo, Options, PassInfo};

pub(super) const INFO: PassInfo = PassInfo {
    name: "canonicalize",
    about: "fold operations, apply the patterns of their dialects and simplify regions, until nothing changes",
    options: &[
        OptionInfo { name: "top-down", about: "visit operations first in the order in which they stand (true)" },
        OptionInfo {
            name: "region-simplify",
            about: "how regions are simplified: disabled, normal or aggressive (normal)",
        },
        OptionInfo { name: "max-iterations", about: "the most rounds, -1 for as many as it takes (10)" },
        OptionInfo { name: "max-num-rewrites", about: "the most patterns applied in a round, -1 for all (-1)" },
        OptionInfo { name: "test-convergence", about: "fail where the last round still changed something (false)" },
        OptionInfo { name: "disable-patterns", about: "names of patterns that are left out, with commas between" },
        OptionInfo { name: "enable-patterns", about: "names of the only patterns that are applied" },
    ],
    make: MakePass::With(|options| Ok(Box::new(Canonicalize::with(options)?))),
};

/// Folds operations, applies the patterns that their dialects bring and simplifies regions, until nothing changes.
#[derive(Clone)]
pub struct Canonicalize {
    greedy: Greedy,
    test_convergence: bool,
}

impl Default for Canonicalize {
    fn default() -> Self {
        Canonicalize { greedy: Greedy::canonicalization(), test_convergence: false }
    }
}

impl Canonicalize {
    fn with(options: &Options<'_>) -> Result<Self, String> {
        let simplify = match options.text("region-simplify") {
            None | Some("normal") => Simplify::Normal,
            Some("disabled") => Simplify::Disabled,
            Some("aggressive") => Simplify::Aggressive,
            Some(other) => {
                return Err(format!("regions are simplified `disabled`, `normal` or `aggressive`, not `{other}`"));
            }
        };
        let greedy = Greedy::canonicalization()
            .top_down(options.flag("top-down", true)?)
            .simplify(simplify)
            .max_iterations(options.number("max-iterations", MAX_ITERATIONS)?)
            .max_rewrites(options.number("max-num-rewrites", -1)?)
            .disable(options.list("disable-patterns"))
            .enable(options.list("enable-patterns"));
        Ok(Canonicalize { greedy, test_convergence: options.flag("test-convergence", false)? })
    }
}

impl Canonicalize {
    fn check(&self, ran: Ran) -> Result<()> {
        match ran.converged || !self.test_convergence {
            true => Ok(()),
            false => Err(Error::misuse("the last round still changed something")),
        }
    }
}

impl Pass for Canonicalize {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        match self.local() {
            Some(local) => target.run_local(local),
            None => self.check(self.greedy.run_counted(target)?),
        }
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        (!self.greedy.counts()).then_some(self)
    }
}

impl LocalPass for Canonicalize {
    fn start(&self) -> LocalRun<'_> {
        let mut run = self.greedy.start();
        Box::new(move |rw, _| self.check(run(rw)?))
    }
}
