//! Which types a format writes, and which follow from them.

use super::{Bindings, Reader, varies, wrong};
use crate::error::Result;
use crate::ods::constraint::ValueDef;
use crate::ods::definition::{OpDef, OpDetails};
use crate::ods::format::Element;
use crate::ods::predicate::{Accessor, Predicate, Relation, Term};
use crate::ods::traits::Traits;

/// Of which operands and results the types are known.
pub(super) struct Types<'d> {
    details: &'d OpDetails,
    operands: Bindings,
    results: Bindings,
}

impl<'d> Types<'d> {
    pub(super) fn new(details: &'d OpDetails) -> Self {
        let (operands, results) = (Bindings::new(details.operands.len()), Bindings::new(details.results.len()));
        Types { details, operands, results }
    }

    /// Binds the types of an operand.
    pub(super) fn operand(&mut self, at: usize) -> Result<()> {
        self.operands.bind(at, "the type of operand", &self.details.operands[at].name)
    }

    /// Binds the types of a result.
    pub(super) fn result(&mut self, at: usize) -> Result<()> {
        self.results.bind(at, "the type of result", &self.details.results[at].name)
    }

    /// Binds the types of all operands.
    pub(super) fn operands(&mut self) -> Result<()> {
        self.operands.bind_all("types of operands")
    }

    /// Binds the types of all results.
    pub(super) fn results(&mut self) -> Result<()> {
        self.results.bind_all("types of results")
    }

    /// Whether the types of what an element stands for are bound.
    pub(super) fn is_bound(&self, of: &Element) -> bool {
        match of {
            Element::Operand(at) => self.operands.each[*at as usize],
            Element::Result(at) => self.results.each[*at as usize],
            Element::Operands => self.operands.are_bound(),
            Element::Results => self.results.are_bound(),
            _ => false,
        }
    }

    /// Whether every type is bound, or follows from what is.
    pub(super) fn check(mut self, op: &OpDef, reader: Reader, all_operands: bool) -> Result<()> {
        if reader.is_own() {
            self.counts(op, all_operands)?;
        }
        self.follow(op, reader, all_operands);
        self.complete()
    }

    /// Which of all operands or results is which must be told by their number alone.
    fn counts(&self, op: &OpDef, all_operands: bool) -> Result<()> {
        let all_results = self.results.all;
        for (all, segments, what) in
            [(all_operands, Traits::OPERAND_SEGMENTS, "operands"), (all_results, Traits::RESULT_SEGMENTS, "results")]
        {
            if all && op.traits.contains(segments) {
                return Err(wrong(format!("which of all `{what}` stand for which name is not told by their number")));
            }
        }
        Ok(())
    }

    /// Finds all that follows.
    fn follow(&mut self, op: &OpDef, reader: Reader, all_operands: bool) {
        let details = self.details;
        let only = |value: &ValueDef| match &value.constraint.only {
            Some(Term::Unknown(_)) => reader == Reader::TableGen,
            only => only.is_some(),
        };
        // What the dialect says in code may give any type.
        let infers = op.traits.contains(Traits::INFERS_RESULT_TYPES) && !self.results.each.contains(&true);
        if reader == Reader::Dialect || infers && reader == Reader::TableGen {
            self.results.each.fill(true);
        }
        if reader == Reader::TableGen && details.rules.iter().any(|rule| !rule.unknown().is_empty()) {
            self.results.each.fill(true);
            self.operands.each.fill(true);
        }
        for (known, value) in self.operands.each.iter_mut().zip(&details.operands) {
            *known |= only(value) && !(reader == Reader::TableGen && all_operands && varies(value));
        }
        for (known, value) in self.results.each.iter_mut().zip(&details.results) {
            *known |= only(value) && !varies(value);
        }
        loop {
            let before = self.missing();
            self.traits(op.traits, reader);
            details.rules.iter().for_each(|rule| self.rule(rule, reader));
            if before == self.missing() {
                return;
            }
        }
    }

    fn missing(&self) -> usize {
        self.operands.each.iter().chain(&self.results.each).filter(|known| !**known).count()
    }

    fn complete(&self) -> Result<()> {
        let missing = |known: &[bool], values: &[ValueDef], what: &str| {
            let Some(at) = known.iter().position(|known| !known) else { return Ok(()) };
            Err(wrong(match values[at].name.as_str() {
                "" => {
                    format!("the type of {what} {at} is missing and follows from nothing: `type({what}s)` writes all")
                }
                name => {
                    format!(
                        "the type of {what} `{name}` is missing and follows from nothing: `type(${name})` writes it"
                    )
                }
            }))
        };
        missing(&self.operands.each, &self.details.operands, "operand")?;
        missing(&self.results.each, &self.details.results, "result")
    }

    fn traits(&mut self, traits: Traits, reader: Reader) {
        let (operand, result) = (self.operands.each.contains(&true), self.results.each.contains(&true));
        let results_alike = |types: &mut Self| {
            for (known, value) in types.results.each.iter_mut().zip(&types.details.results) {
                // Of how many results there are, other types say nothing.
                *known |= !varies(value) || reader == Reader::TableGen;
            }
        };
        if traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE) && (operand || result) {
            self.operands.each.fill(true);
            results_alike(self);
        }
        if traits.contains(Traits::SAME_TYPE_OPERANDS) && operand {
            self.operands.each.fill(true);
        }
        if traits.contains(Traits::FIRST_ATTRIBUTE_RESULT_TYPE) && !self.details.attributes.is_empty() {
            results_alike(self);
        }
    }

    /// Takes from a rule that two terms are equal that the one is known where all is that the other is made of.
    fn rule(&mut self, rule: &Predicate, reader: Reader) {
        match rule {
            Predicate::All(of) | Predicate::Any(of) => of.iter().for_each(|each| self.rule(each, reader)),
            // Each value of a variadic one.
            Predicate::Each(Term::Get(of, Accessor::Type), each) => {
                if let (Term::Member(name), Predicate::Compare(Term::This, Relation::Equal, other)) = (&**of, &**each)
                    && self.is_known(other, reader)
                {
                    self.know(name, other, reader);
                }
            }
            Predicate::Compare(left, Relation::Equal, right) => {
                for (wanted, other) in [(left, right), (right, left)] {
                    if let Term::Get(of, Accessor::Type) = wanted
                        && let Term::Member(name) = &**of
                        && self.is_known(other, reader)
                    {
                        self.know(name, other, reader);
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes that the types of what has this name are those of a term.
    fn know(&mut self, name: &str, from: &Term, reader: Reader) {
        for (value, known) in self.details.operands.iter().zip(&mut self.operands.each) {
            *known |= value.name == name;
        }
        // Of how many results there are, one type says nothing.
        let says_count = matches!(from, Term::List(_) | Term::Get(_, Accessor::Inputs | Accessor::Results));
        for (value, known) in self.details.results.iter().zip(&mut self.results.each) {
            *known |= value.name == name && (!varies(value) || says_count || reader == Reader::TableGen);
        }
    }

    /// Whether everything that a term is made of is known. Attributes are.
    fn is_known(&self, term: &Term, reader: Reader) -> bool {
        let is_known = |term: &Term| self.is_known(term, reader);
        match term {
            Term::Unknown(_) => reader == Reader::TableGen,
            Term::This | Term::Operation => false,
            Term::Member(name) => {
                let operands = self.details.operands.iter().zip(&self.operands.each);
                let mut values = operands.chain(self.details.results.iter().zip(&self.results.each));
                values.all(|(value, known)| value.name != *name || *known)
            }
            Term::Operand(at) => self.operands.each.get(*at as usize) == Some(&true),
            Term::Result(at) => self.results.each.get(*at as usize) == Some(&true),
            Term::List(of) | Term::DialectType { parameters: of, .. } => of.iter().all(is_known),
            Term::Get(of, _) => is_known(of),
            Term::IntegerType { width, .. } => is_known(width),
            Term::At(one, other)
            | Term::Arithmetic(one, _, other)
            | Term::WithElement(one, other)
            | Term::VectorType(one, other)
            | Term::TensorType(one, other)
            | Term::Choice(_, one, other) => is_known(one) && is_known(other),
            Term::Integer(_)
            | Term::Bool(_)
            | Term::Text(_)
            | Term::Enumerant { .. }
            | Term::IndexType
            | Term::NoneType
            | Term::FloatType(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Reader, check};
    use crate::ods::Syntax;
    use crate::ods::tests::tables;

    /// Asks of every upstream format; gives how many there are, and what is refused.
    fn ask(reader: Reader) -> (usize, Vec<String>) {
        let (mut asked, mut refused) = (0, Vec::new());
        for op in tables().iter().flat_map(|table| table.iter()) {
            if let Syntax::Format(format) = op.syntax() {
                asked += 1;
                let checked = check(format, &op, op.details(), reader);
                refused.extend(checked.err().map(|error| format!("{}: {error}", op.name)));
            }
        }
        (asked, refused)
    }

    #[test]
    fn every_upstream_format_can_be_read_again() {
        assert_eq!(ask(Reader::TableGen), (2_245, Vec::new()));
    }

    /// Of these, types follow from code, or a literal is missing that would tell neighbours apart.
    #[test]
    fn upstream_formats_that_our_parser_may_misread_are_known() {
        let (asked, refused) = ask(Reader::Own);
        let mut names: Vec<_> = refused.iter().filter_map(|refused| refused.split(':').next()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "acc.firstprivate.recipe",
                "acc.private.recipe",
                "acc.reduction.recipe",
                "amdgpu.dpp",
                "arith.constant",
                "arm_sme.outerproduct",
                "arm_sve.convert_from_svbool",
                "arm_sve.convert_to_svbool",
                "bufferization.dealloc",
                "irdl.region",
                "llvm.cmpxchg",
                "llvm.mlir.ifunc",
                "memref.distinct_objects",
                "nvgpu.device_async_create_group",
                "nvvm.barrier",
                "nvvm.dot.accumulate.2way",
                "nvvm.dot.accumulate.4way",
                "nvvm.inline_ptx",
                "omp.declare_reduction",
                "omp.private",
                "pdl.attribute",
                "pdl.operand",
                "pdl.operands",
                "pdl.replace",
                "pdl.rewrite",
                "pdl_interp.get_value_type",
                "ptr.constant",
                "ptr.ptr_add",
                "scf.reduce",
                "shape.assuming_all",
                "smt.and",
                "smt.bv.concat",
                "smt.int.add",
                "smt.int.mul",
                "smt.or",
                "smt.xor",
                "sparse_tensor.binary",
                "sparse_tensor.storage_specifier.get",
                "sparse_tensor.storage_specifier.set",
                "spirv.KHR.CooperativeMatrixLoad",
                "spirv.KHR.CooperativeMatrixStore",
                "tensor.from_elements",
                "transform.alternatives",
                "transform.apply_conversion_patterns",
                "transform.func.cast_and_call",
                "transform.print",
                "transform.replicate",
                "vector.print",
                "vector.shuffle",
                "vector.to_elements",
                "wasmssa.block",
                "wasmssa.if",
                "wasmssa.local",
                "wasmssa.local_get",
                "wasmssa.local_tee",
                "wasmssa.loop",
            ],
            "{refused:#?}"
        );
        assert_eq!(asked, 2_245);
    }
}
