//! `symbol-privatize` (`mlir/Transforms/Passes.td`).

use std::collections::HashSet;

use mlirbc_ir::{OpId, Result, Visibility};

use crate::pass::{Pass, Target};
use crate::registry::{MakePass, OptionInfo, PassInfo};

/// Makes the symbols private that stand directly in the operation that the pass runs on.
#[derive(Clone, Debug, Default)]
pub struct SymbolPrivatize {
    /// Names of symbols that stay as they are.
    pub exclude: HashSet<String>,
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "symbol-privatize",
    about: "make symbols private",
    options: &[OptionInfo { name: "exclude", about: "names of symbols that stay as they are, with commas between" }],
    make: MakePass::With(|options| {
        let exclude = options.list("exclude").into_iter().map(str::to_owned).collect();
        Ok(Box::new(SymbolPrivatize { exclude }))
    }),
};

impl Pass for SymbolPrivatize {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let op = target.op()?;
        let context = op.module().context();
        let (body, _, _) = op.region_tree()?;
        let mut symbols: Vec<OpId> = Vec::new();
        for op in op.ops()? {
            let name = op.symbol_name()?.map(|name| context.text(name));
            if op.is_symbol()? && !name.is_some_and(|name| self.exclude.contains(&*name)) {
                symbols.push(op.id());
            }
        }
        target.module().rewrite(body, |rw| {
            symbols.into_iter().try_for_each(|symbol| rw.set_visibility(symbol, Visibility::Private))
        })
    }
}
