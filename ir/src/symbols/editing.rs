//! A symbol table that is being changed.

use std::collections::HashMap;

use super::table::NAME;
use crate::attribute::Identifier;
use crate::body::{BlockId, OpId, RegionId};
use crate::context::Context;
use crate::error::{Error, ErrorCode, Result};
use crate::ods::Traits;
use crate::rewriter::Rewriter;

/// The symbols of a table by name, kept while a [`Rewriter`] changes it: as MLIR's `SymbolTable`, it gives what is put into it a name
/// that nothing else there has.
///
/// ```
/// # use mlirbc_ir::{BodyId, Context, Module, SymbolTable};
/// # let context = Context::new();
/// # let mut module = Module::new(&context);
/// # module.rewrite(BodyId::from_index(Module::TOP), |rw| {
/// let mut table = SymbolTable::of_body(rw)?;
/// for expected in ["f", "f_0", "f_1"] {
///     let symbol = rw.build("builtin.module").attribute("sym_name", context.string("f")).regions(1).create()?;
///     let name = table.insert(rw, symbol, None)?;
///     assert_eq!(context.text(name), expected);
///     assert_eq!(table.symbol(name), Some(symbol));
/// }
/// # Ok(())
/// # })?;
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymbolTable {
    region: RegionId,
    symbols: HashMap<Identifier, OpId>,
    /// The number that the next name ends with which is made up: one count for all names, as in MLIR.
    next: u64,
}

impl SymbolTable {
    /// The table in the first region of the body, which is that of an isolated operation.
    ///
    /// # Errors
    /// Where the body has no region, or the name of an operation in it cannot be decoded.
    pub fn of_body(rw: &Rewriter<'_>) -> Result<Self> {
        let region = rw.body().top_regions().first();
        Self::of_region(rw, *region.ok_or_else(|| Error::misuse("the body has no region"))?)
    }

    /// The table in a region of the body. Of several symbols of one name the first counts.
    ///
    /// # Errors
    /// Where the body has no such region, or the name of an operation in it cannot be decoded.
    pub fn of_region(rw: &Rewriter<'_>, region: RegionId) -> Result<Self> {
        rw.body().check_region(region)?;
        let mut symbols = HashMap::new();
        for op in rw.body().blocks(region).flat_map(|block| rw.body().operations(block)) {
            if let Some(name) = rw.op(op).symbol_name()? {
                symbols.entry(name).or_insert(op);
            }
        }
        Ok(SymbolTable { region, symbols, next: 0 })
    }

    /// The operation that defines the symbol.
    pub fn symbol(&self, name: Identifier) -> Option<OpId> {
        self.symbols.get(&name).copied()
    }

    /// Takes a symbol into the table, and gives the name that it has there: where another symbol has its own, that and `_` and the next
    /// number with which it is new. A detached operation is put before `before`, or to the end, but before a terminator.
    ///
    /// What refers to the symbol by its old name refers to the other one.
    ///
    /// # Errors
    /// Where the operation has no name, or stands in a block that is not the table's, or `before` does not stand in the table; where
    /// the table has no block. Nothing is changed then.
    pub fn insert(&mut self, rw: &mut Rewriter<'_>, op: OpId, before: Option<OpId>) -> Result<Identifier> {
        let name = name_of(rw, op)?;
        match rw.body().block_of(op) {
            Some(block) if rw.body().region_of(block) == Some(self.region) => {}
            Some(_) => {
                return Err(
                    Error::misuse("the symbol stands in another place already").with_code(ErrorCode::WrongPlace)
                );
            }
            None => self.place(rw, op, before)?,
        }
        match self.symbol(name) {
            Some(known) if known == op => return Ok(name),
            None => {
                self.symbols.insert(name, op);
                return Ok(name);
            }
            Some(_) => {}
        }
        let new = self.unique_name(rw.context(), name);
        rw.set_attribute(op, NAME, new.attribute())?;
        self.symbols.insert(new, op);
        Ok(new)
    }

    fn place(&self, rw: &mut Rewriter<'_>, op: OpId, before: Option<OpId>) -> Result<()> {
        let block_of = |op: OpId| rw.body().check_operation(op).map(|()| rw.body().block_of(op));
        let block: Option<BlockId> = match before {
            Some(before) => block_of(before)?,
            None => rw.body().first_block(self.region),
        };
        let block = block.filter(|&block| rw.body().region_of(block) == Some(self.region));
        let block = block.ok_or_else(|| Error::misuse("that is no place in the symbol table"))?;
        let ends = |op: &OpId| rw.op(*op).has_trait(Traits::TERMINATOR);
        let before = before.or_else(|| rw.body().last_operation(block).filter(ends));
        match before {
            Some(before) => rw.move_before(op, before),
            None => rw.move_to_end(op, block),
        }
    }

    /// A name that begins so and that no symbol of the table has.
    pub fn unique_name(&mut self, context: &Context, name: Identifier) -> Identifier {
        loop {
            let mut text = context.bytes(name).to_vec();
            text.extend_from_slice(format!("_{}", self.next).as_bytes());
            self.next += 1;
            let new = context.identifier(text);
            if !self.symbols.contains_key(&new) {
                return new;
            }
        }
    }

    /// Takes a symbol out of the table. It stays where it stands, to be put elsewhere.
    ///
    /// # Errors
    /// Where the operation has no name, or the body no such operation.
    pub fn remove(&mut self, rw: &Rewriter<'_>, op: OpId) -> Result<()> {
        let name = name_of(rw, op)?;
        if self.symbol(name) == Some(op) {
            self.symbols.remove(&name);
        }
        Ok(())
    }

    /// Takes a symbol out of the table and erases it. What refers to it is not looked for.
    ///
    /// # Errors
    /// As [`SymbolTable::remove`] and [`Rewriter::erase`]. Nothing is changed then.
    pub fn erase(&mut self, rw: &mut Rewriter<'_>, op: OpId) -> Result<()> {
        let name = name_of(rw, op)?;
        rw.erase(op)?;
        if self.symbol(name) == Some(op) {
            self.symbols.remove(&name);
        }
        Ok(())
    }
}

fn name_of(rw: &Rewriter<'_>, op: OpId) -> Result<Identifier> {
    rw.body().check_operation(op)?;
    rw.op(op)
        .symbol_name()?
        .ok_or_else(|| Error::misuse("the operation defines no symbol").with_code(ErrorCode::NoSymbol))
}
