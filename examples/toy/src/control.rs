//! What decides where control goes on, and what holds regions of some kind: `toy.toss`, `toy.wander`, `toy.layer`, `toy.keep`,
//! `toy.album`, `toy.end`, `toy.easel`, `toy.scene` and `toy.gallery`.

use std::ops::Range;
use std::sync::Arc;

use mlirbc::ir::Dialect;
use mlirbc::ir::interfaces::{
    Branch, Loop, RegionBranch, RegionKind, RegionSuccessor, RegionTerminator, SuccessorOperands,
};
use mlirbc::ir::ods::{Multiplicity, OpDef, OpTable, Predicate, Traits, TypeConstraint};
use mlirbc::ir::verify::Checker;
use mlirbc::{Attribute, Error, OpRef, Result};

pub(crate) fn attach(toy: Dialect) -> Result<Dialect> {
    let any = TypeConstraint::any();
    let toss = OpDef::builder("toy.toss")
        .traits(Traits::TERMINATOR)
        .operand("coin", &TypeConstraint::integer(1))
        .operands("shown", Multiplicity::Variadic, &any)
        .successor("heads")
        .successor("tails")
        .interface("BranchOpInterface")
        .interface("NoMemoryEffect")
        .format("$coin `,` $heads `,` $tails (`show` $shown^ `:` type($shown))? attr-dict");
    let wander =
        OpDef::builder("toy.wander").traits(Traits::TERMINATOR).successors("to").format("`(` $to `)` attr-dict");
    let layer = OpDef::builder("toy.layer")
        .results("kept", Multiplicity::Variadic, &any)
        .region("body", Predicate::Always)
        .traits(Traits::SINGLE_BLOCK | Traits::RECURSIVE_MEMORY_EFFECTS)
        .format("attr-dict `:` `(` type($kept) `)` $body");
    let keep = OpDef::builder("toy.keep")
        .traits(Traits::TERMINATOR)
        .parents(["toy.layer"])
        .operand("share", &TypeConstraint::integer(32))
        .operands("kept", Multiplicity::Variadic, &any)
        .interface("NoMemoryEffect")
        .format("$share (`of` $kept^ `:` type($kept))? attr-dict");
    let album = OpDef::builder("toy.album")
        .regions("pages", Predicate::Always)
        .implicit_terminator("toy.end")
        .format("attr-dict-with-keyword $pages");
    let end = OpDef::builder("toy.end").traits(Traits::TERMINATOR).parents(["toy.album"]).format("attr-dict");
    let easel = OpDef::builder("toy.easel")
        .traits(Traits::SINGLE_BLOCK | Traits::NO_TERMINATOR)
        .region("loose", Predicate::Always)
        .region("dry", Predicate::Always)
        .format("attr-dict `loose` $loose `dry` $dry");
    let scene = OpDef::builder("toy.scene")
        .graph_regions()
        .traits(Traits::NO_TERMINATOR)
        .region("body", Predicate::Always)
        .format("attr-dict-with-keyword $body");
    let gallery = OpDef::builder("toy.gallery")
        .traits(Traits::SYMBOL_TABLE | Traits::SINGLE_BLOCK | Traits::NO_TERMINATOR)
        .region("rooms", Predicate::Always)
        .format("attr-dict-with-keyword $rooms");
    let all = [toss, wander, layer, keep, album, end, easel, scene, gallery];
    let all = all.into_iter().map(|definition| definition.finish()).collect::<Result<Vec<OpDef>>>()?;
    Ok(toy
        .ops(OpTable::from_definitions(all))
        .interface::<dyn Branch>("toss", Arc::new(Toss))
        .interface::<dyn RegionBranch>("layer", Arc::new(Layer))
        .interface::<dyn RegionTerminator>("keep", Arc::new(Keep))
        .verify_regions("layer", verify_layer)
        .interface::<dyn RegionKind>("easel", Arc::new(Easel))
        .interface::<dyn Loop>("album", Arc::new(Album)))
}

/// Heads where the coin is true. Both get what is shown, which a definition cannot say: it has a group of operands for each
/// successor.
struct Toss;

impl Branch for Toss {
    fn successor_operands(&self, op: OpRef<'_>) -> Result<Vec<Option<SuccessorOperands>>> {
        let forwarded = op.operand_ranges()?.into_iter().nth(1).unwrap_or_default();
        let shown = SuccessorOperands { produced: 0, forwarded, group: None };
        Ok(vec![Some(shown.clone()), Some(shown)])
    }

    fn successor_for(&self, op: OpRef<'_>, constants: &[Option<Attribute>]) -> Result<Option<usize>> {
        let coin = constants.first().copied().flatten();
        let coin = coin.and_then(|coin| op.module().context().integer_of(coin)?.to_u64());
        Ok(coin.map(|coin| usize::from(coin == 0)))
    }
}

/// Executes its region once, and gives what is kept of it.
struct Layer;

impl RegionBranch for Layer {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok(vec![match from {
            None => RegionSuccessor { region: Some(0), inputs: Vec::new() },
            Some(_) => RegionSuccessor { region: None, inputs: op.results().collect() },
        }])
    }
}

/// Says how much is kept of all the rest.
struct Keep;

impl RegionTerminator for Keep {
    fn forwarded(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        let count = op.operands().len();
        Ok(1.min(count)..count)
    }
}

/// Nothing is kept twice. That what is kept are the results, is verified for all that have regions to go through.
fn verify_layer(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    for inner in op.ops()?.filter(|inner| inner.is("toy.keep")) {
        let kept = inner.operands_named("kept")?;
        if kept.iter().enumerate().any(|(at, value)| kept[..at].contains(value)) {
            return Err(Error::verification("what is kept is kept twice"));
        }
    }
    Ok(())
}

/// What lies loose has no order yet; what is dry has.
struct Easel;

impl RegionKind for Easel {
    fn is_graph(&self, _: OpRef<'_>, region: usize) -> bool {
        region == 0
    }
}

/// Somebody goes through its pages over and over.
struct Album;

impl Loop for Album {}
