//! A part of a module that stands on its own (as `llvm-extract` makes one).

use std::collections::{HashMap, HashSet};

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BodyId, Module, OpId, OpRef, Result, SymbolReferences, SymbolTableCollection};

/// Where an operation is.
type Place = (BodyId, OpId);

/// Keeps these symbols with all that they need, and erases what else is in their tables.
///
/// What has a name is a symbol. What one needs is what it names, the operations that make the values it uses, and the tables around it, of which the rest
/// goes. An operation that is no symbol stays where it names nothing, where all that it names stays, or where it names a function that
/// stays: then it needs what else it names. So the entry point of a shader stays with its function, and what lists functions to be
/// run before all others brings all of them. A reference leads to what the nearest table has of that name, else to what one further out has.
///
/// The places are those of [`Module::symbol_place`]. Of a module that was opened lazily what stays is read, and the lists of operations
/// in the tables.
///
/// # Errors
/// Where something that stays cannot be read, or one of the places is none. Nothing is changed then.
///
/// ```
/// # use mlirbc_ir::Context;
/// # use mlirbc_text::{ParseOptions, parse_module};
/// let text = br#""builtin.module"() ({
///   "func.func"() <{sym_name = "f", function_type = () -> ()}> ({ "func.call"() <{callee = @g}> : () -> () }) : () -> ()
///   "func.func"() <{sym_name = "g", function_type = () -> ()}> ({ }) : () -> ()
///   "func.func"() <{sym_name = "h", function_type = () -> ()}> ({ }) : () -> ()
/// }) : () -> ()"#;
/// let mut module = parse_module(&Context::new(), text, &ParseOptions::new())?;
/// let f = module.symbol_place("f")?;
/// mlirbc_rewrite::extract_symbols(&mut module, &[f])?;
/// assert!(module.symbol("g")?.is_some() && module.symbol("h")?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn extract_symbols(module: &mut Module, symbols: &[Place]) -> Result<()> {
    let mut dead: HashMap<BodyId, Vec<OpId>> = HashMap::new();
    {
        let mut kept = Kept::new(module);
        for &(body, op) in symbols {
            kept.keep(module.operation(body, op)?)?;
        }
        kept.settle()?;
        for table in kept.tables()? {
            for op in table.ops()? {
                if !kept.stays(op) {
                    dead.entry(op.body_id()).or_default().push(op.id());
                }
            }
        }
    }
    dead.into_iter().try_for_each(|(body, ops)| module.rewrite(body, |rw| rw.erase_together(&ops)))
}

/// What stays.
struct Kept<'m> {
    module: &'m Module,
    /// With all that is in them.
    whole: HashSet<Place>,
    /// Around those that stay: of what is in them, only what stays for itself.
    around: HashSet<Place>,
    /// What stays and was not looked at.
    waiting: Vec<OpRef<'m>>,
    symbols: SymbolTableCollection,
    /// By table: a reference says the same wherever it is met in one.
    references: HashMap<Option<Place>, SymbolReferences<'m>>,
}

fn place(op: OpRef<'_>) -> Place {
    (op.body_id(), op.id())
}

impl<'m> Kept<'m> {
    fn new(module: &'m Module) -> Self {
        Kept {
            module,
            whole: HashSet::new(),
            around: HashSet::new(),
            waiting: Vec::new(),
            symbols: SymbolTableCollection::new(),
            references: HashMap::new(),
        }
    }

    fn stays(&self, op: OpRef<'_>) -> bool {
        self.whole.contains(&place(op)) || self.around.contains(&place(op))
    }

    /// The tables of which not all stays.
    fn tables(&self) -> Result<Vec<OpRef<'m>>> {
        let mut tables = Vec::new();
        for place in self.around.difference(&self.whole) {
            let table = self.module.operation(place.0, place.1)?;
            if !self.is_inside(table)? {
                tables.push(table);
            }
        }
        Ok(tables)
    }

    /// Keeps an operation with all that is in it, and what is around it.
    fn keep(&mut self, op: OpRef<'m>) -> Result<()> {
        if self.whole.insert(place(op)) {
            self.waiting.push(op);
            self.keep_around(op)?;
        }
        Ok(())
    }

    fn keep_around(&mut self, op: OpRef<'m>) -> Result<()> {
        let mut inner = op;
        while let Some(table) = inner.parent_op()? {
            if self.stays(table) {
                break;
            }
            self.around.insert(place(table));
            self.see(table, table)?;
            inner = table;
        }
        Ok(())
    }

    /// Looks at what stays until it needs nothing more, and nothing more stays for what it names.
    fn settle(&mut self) -> Result<()> {
        loop {
            while let Some(top) = self.waiting.pop() {
                for op in top.walk()? {
                    self.see(op, top)?;
                }
            }
            for table in self.tables()? {
                for op in table.ops()? {
                    if !self.stays(op) && op.symbol_name()?.is_none() && self.belongs(op)? {
                        self.keep(op)?;
                    }
                }
            }
            if self.waiting.is_empty() {
                return Ok(());
            }
        }
    }

    /// Keeps what an operation needs that stands in `top`: that one and what is in it is kept already.
    fn see(&mut self, op: OpRef<'m>, top: OpRef<'m>) -> Result<()> {
        if op.body_id() == top.body_id() {
            for maker in op.operands().iter().filter_map(|&value| op.defining_operation(value)) {
                self.keep_in_table(maker, top)?;
            }
        }
        let table = table_around(op)?;
        let met = self.references.entry(table.map(place)).or_insert_with(|| SymbolReferences::new(self.module));
        for reference in met.of_op(op)? {
            if let Some(found) = self.symbols.seen_from(op, reference)? {
                // What stands inside something that stays needs no place of its own.
                if !self.is_inside(found)? {
                    self.keep(found)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps what makes a value, where it stands beside `top`.
    fn keep_in_table(&mut self, maker: OpRef<'m>, top: OpRef<'m>) -> Result<()> {
        let table = top.parent_op()?.map(place);
        let mut maker = maker;
        loop {
            let parent = maker.parent_op()?;
            if place(maker) == place(top) {
                return Ok(());
            }
            match parent {
                Some(parent) if table != Some(place(parent)) => maker = parent,
                _ => return self.keep(maker),
            }
        }
    }

    fn is_inside(&self, op: OpRef<'m>) -> Result<bool> {
        let mut next = op.parent_op()?;
        while let Some(op) = next {
            if self.whole.contains(&place(op)) {
                return Ok(true);
            }
            next = op.parent_op()?;
        }
        Ok(false)
    }

    /// Whether an operation that is no symbol stays with what it names.
    fn belongs(&mut self, op: OpRef<'m>) -> Result<bool> {
        // A table without a name is another module.
        if op.has_trait(Traits::SYMBOL_TABLE) {
            return Ok(false);
        }
        let mut all_stay = true;
        for inner in op.walk()? {
            let mut references = SymbolReferences::new(self.module);
            for reference in references.of_op(inner)? {
                let Some(found) = self.symbols.seen_from(inner, reference)? else { continue };
                let stays = self.stays(found) || self.is_inside(found)?;
                if stays && found.has_trait(Traits::FUNCTION) {
                    return Ok(true);
                }
                all_stay &= stays;
            }
        }
        Ok(all_stay)
    }
}

/// The table that an operation stands in, however deep.
fn table_around(op: OpRef<'_>) -> Result<Option<OpRef<'_>>> {
    let mut next = op.parent_op()?;
    while let Some(op) = next {
        if op.has_trait(Traits::SYMBOL_TABLE) {
            return Ok(Some(op));
        }
        next = op.parent_op()?;
    }
    Ok(None)
}
