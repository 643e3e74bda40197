//! What is put on a canvas: `toy.label`, `toy.pin`, `toy.move`, `toy.hang`, `toy.wipe`,
//! `toy.stamp`, and the stickers `toy.sticker_0` to `toy.sticker_9`.

use std::sync::Arc;

use mlirbc::ir::Dialect;
use mlirbc::ir::interfaces::{MemoryEffect, MemoryEffects};
use mlirbc::ir::ods::{
    Accessor, AttributeConstraint, Effect, EffectOn, NativeDef, NativeProperty, OpDef, OpTable, Predicate, Relation,
    Term, Test, Traits, TypeConstraint,
};
use mlirbc::{OpRef, Result};

use crate::attributes::wide;

pub(crate) fn attach(toy: Dialect) -> Result<Dialect> {
    let any = TypeConstraint::any();
    let number = |signed| NativeProperty::Integer { width: 32, signed };
    let angle = NativeDef {
        name: "angle".into(),
        native: Some(number(true)),
        predicate: Predicate::Compare(Term::This, Relation::Less, Term::Integer(360)),
        enumeration: None,
        keyword: None,
        default: Some(Term::Integer(0)),
    };
    let label = OpDef::builder("toy.label")
        .operand("on", &any)
        .attribute("text", &AttributeConstraint::string())
        .optional_attribute("title", &AttributeConstraint::string())
        .default_attribute("size", &AttributeConstraint::integer(32), Term::Integer(12))
        .native("copies", number(false))
        .native_definition(angle)
        .effect(Effect::Write, EffectOn::Operand(0))
        .format(
            "$on `,` $text (`size` $size^)? (`title` $title^)? `copies` $copies (`angle` $angle^)? attr-dict `:` type($on)",
        );
    let pin = OpDef::builder("toy.pin")
        .operand("on", &any)
        .rule(Predicate::Test(Term::Operation, Test::IsInsideGraph))
        .format("$on attr-dict `:` type($on)");
    // How far: numbers of one width, each with a sign or without, as the verifier of the dialect says of integers.
    let ty = |of: &str| Term::Get(Box::new(Term::Member(of.into())), Accessor::Type);
    let shift = OpDef::builder("toy.move")
        .operand("on", &any)
        .operand("right", &any)
        .operand("down", &any)
        .rule(Predicate::Compare(ty("right"), Relation::Equal, ty("down")))
        .format("$on `by` $right `,` $down attr-dict `:` type($on) `,` type($right) `,` type($down)");
    let hang = OpDef::builder("toy.hang").operand("on", &wide()).format("$on attr-dict `:` type($on)");
    let wipe = OpDef::builder("toy.wipe")
        .operand("on", &any)
        .unit_attribute("dry")
        .format("(`dry` $dry^)? $on attr-dict `:` type($on)");
    // In generic form: a declarative format writes no properties that are encoded by hand.
    let stamp = OpDef::builder("toy.stamp")
        .traits(Traits::OPAQUE_PROPERTIES)
        .operand("on", &any)
        .attribute("motif", &AttributeConstraint::string());
    let all = [label, pin, shift, hang, wipe, stamp].map(|definition| definition.finish());
    let all = all.into_iter().collect::<Result<Vec<OpDef>>>()?;
    Ok(toy
        .ops(OpTable::from_definitions(all))
        .ops_on_demand(stickers)
        .interface::<dyn MemoryEffects>("wipe", Arc::new(Wipe)))
}

/// A family of operations that few files have: made when one of them is met.
fn stickers() -> OpTable {
    let any = TypeConstraint::any();
    let sticker = |number: u32| {
        let sticker = OpDef::builder(format!("toy.sticker_{number}")).operand("on", &any);
        sticker.format("`on` $on attr-dict `:` type($on)").finish().ok()
    };
    OpTable::from_definitions((0..10).filter_map(sticker))
}

/// A dry cloth wipes nothing off.
struct Wipe;

impl MemoryEffects for Wipe {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let write = MemoryEffect { effect: Effect::Write, value: op.operand("on")? };
        Ok(if op.attribute("dry")?.is_some() { Vec::new() } else { vec![write] })
    }
}
