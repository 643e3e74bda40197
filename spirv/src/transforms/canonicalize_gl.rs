//! `spirv-canonicalize-gl` (`CanonicalizeGLPass.cpp`, `SPIRVCanonicalization.td`).

use mlirbc_ir::{Attribute, OpId, OpRef, Result, Rewriter, Value};
use mlirbc_rewrite::regions::Simplify;
use mlirbc_rewrite::{AnyPattern, Greedy, LocalPass, MakePass, Match, NoMatch, Outcome, Pass, PassInfo, Patterns};

/// Makes `GL.FClamp`, `GL.SClamp` and `GL.UClamp` of comparisons and selections that do the same. Operations are folded beside, and regions
/// simplified: blocks that do the same become one.
pub struct CanonicalizeGl(Greedy);

impl Default for CanonicalizeGl {
    fn default() -> Self {
        CanonicalizeGl(Greedy::new(patterns()).simplify(Simplify::Aggressive))
    }
}

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-canonicalize-gl",
    about: "make comparisons and selections GL.FClamp, GL.SClamp and GL.UClamp where they do the same",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(CanonicalizeGl::default()))),
};

impl Pass for CanonicalizeGl {
    fn name(&self) -> &str {
        INFO.name
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(&self.0)
    }
}

/// The patterns for operations of GLSL's set.
fn patterns() -> Patterns {
    macro_rules! clamps {
        ($($comparison:literal $clamp:literal;)*) => {
            Patterns::new()
            $(.on("spirv.Select", AnyPattern::new(
                concat!("ConvertComparisonIntoClamp1_SPIRV_", $comparison, "Op"),
                |rw, op| least_first(rw, op, concat!("spirv.", $comparison), $clamp),
            ).benefit(4)))*
            $(.on("spirv.Select", AnyPattern::new(
                concat!("ConvertComparisonIntoClamp2_SPIRV_", $comparison, "Op"),
                |rw, op| most_first(rw, op, concat!("spirv.", $comparison), $clamp),
            ).benefit(4)))*
        };
    }
    clamps! {
        "FOrdLessThan" "spirv.GL.FClamp";
        "FOrdLessThanEqual" "spirv.GL.FClamp";
        "SLessThan" "spirv.GL.SClamp";
        "SLessThanEqual" "spirv.GL.SClamp";
        "ULessThan" "spirv.GL.UClamp";
        "ULessThanEqual" "spirv.GL.UClamp";
    }
}

/// A selection by a comparison of that name: what is compared, and what is selected from.
struct Choice<'r> {
    ops: [OpRef<'r>; 2],
    compared: [Value; 2],
    chosen: [Value; 2],
}

fn choice<'r>(rw: &'r Rewriter<'_>, select: OpRef<'r>, comparison: &str) -> std::result::Result<Choice<'r>, NoMatch> {
    let other = || NoMatch::Reason("it is no selection by such a comparison");
    let &[condition, first, second] = select.operands() else { return Err(other()) };
    let comparison = rw.defined_by(condition, comparison)?;
    let &[left, right] = comparison.operands() else { return Err(other()) };
    Ok(Choice { ops: [select, comparison], compared: [left, right], chosen: [first, second] })
}

/// `middle < max ? middle : max`, where the middle is `min < input ? input : min`.
fn least_first(rw: &mut Rewriter<'_>, op: OpId, comparison: &str, clamp: &str) -> Outcome {
    let outer = choice(rw, rw.op(op), comparison)?;
    let [middle, max] = outer.compared;
    let inner = choice(rw, rw.defined_by(middle, "spirv.Select")?, comparison)?;
    let [min, input] = inner.compared;
    if outer.chosen != [middle, max] || inner.chosen != [input, min] {
        return rw.no_match("something else is selected than what is compared");
    }
    let locations = locations(&outer, &inner)?;
    replace(rw, op, clamp, [input, min, max], &locations)
}

/// `max < input ? max : input < min ? min : input`
fn most_first(rw: &mut Rewriter<'_>, op: OpId, comparison: &str, clamp: &str) -> Outcome {
    let outer = choice(rw, rw.op(op), comparison)?;
    let ([max, input], [first, middle]) = (outer.compared, outer.chosen);
    let inner = choice(rw, rw.defined_by(middle, "spirv.Select")?, comparison)?;
    let [_, min] = inner.compared;
    if first != max || inner.compared != [input, min] || inner.chosen != [min, input] {
        return rw.no_match("something else is selected than what is compared");
    }
    let locations = locations(&outer, &inner)?;
    replace(rw, op, clamp, [input, min, max], &locations)
}

/// Where both selections and what they select by come from.
fn locations(outer: &Choice<'_>, inner: &Choice<'_>) -> Result<Vec<Attribute>> {
    let ops = outer.ops.iter().chain(&inner.ops);
    ops.map(|op| Ok(op.location()?.attribute(op.module().context()))).collect()
}

fn replace(rw: &mut Rewriter<'_>, op: OpId, clamp: &str, operands: [Value; 3], locations: &[Attribute]) -> Outcome {
    let result = rw.result(op, 0)?;
    let (ty, location) = (rw.body().ty(result), rw.context().fused_location(locations, None));
    let made = rw.build(clamp).operands(operands).result_type(ty).at(location).create()?;
    Ok(rw.replace_with(op, made)?)
}
