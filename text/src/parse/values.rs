//! Uses of values and their definitions, in whichever order they come.

use super::module::OpParser;
use super::names::{Entry, Forward, ForwardUse, Meaning, ValueName};
use super::operation::ResultName;
use mlirbc_ir::text::print_type;
use mlirbc_ir::{Error, Type, TypeRef, Value};

impl<'a> OpParser<'a> {
    /// Pushes an operand.
    #[inline]
    pub(super) fn operand(&mut self, name: &ValueName<'a>, ty: TypeRef, nest: Option<u32>) {
        let build = self.builds.last_mut().expect("the first body is open to the end");
        if let Some(Entry { scope, meaning: Meaning::Values(first, count) }) = self.names.get(name)
            && scope >= build.base
            && name.result < count
        {
            let value = Value::from_index((first + name.result) as usize);
            let slot = build.body.operand_start();
            if let Some(start) = nest {
                build.uses.used_by_nest(value, start);
            }
            build.uses.used(value, slot);
            build.body.push_operand(value);
            if build.body.ty(value) != ty {
                self.report_type(name, ty, value);
            }
            return;
        }
        self.unusual_operand(name, ty);
    }

    /// Pushes an operand that stands for no value of the body yet.
    #[cold]
    fn unusual_operand(&mut self, name: &ValueName<'a>, ty: TypeRef) {
        let build = self.builds.last_mut().expect("the first body is open to the end");
        let slot = build.body.operand_start();
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        build.body.push_operand(Value::from_index(0));
        let uses = |forward: &mut Forward<'a>| {
            forward.uses.push(ForwardUse { slot, result: name.result, ty, scope, at: name.at });
        };
        let message = match self.names.get(name) {
            Some(Entry { meaning: Meaning::Broken, .. }) => return,
            Some(Entry { scope, .. }) if scope < build.base => format!(
                "use of value `%{}`, which is defined outside of an operation that is isolated from above",
                name.text.escape_ascii()
            ),
            Some(Entry { meaning: Meaning::Forward(number), .. }) => {
                return uses(&mut self.names.forwards[number as usize]);
            }
            Some(Entry { meaning: Meaning::Values(..), .. }) => "reference to invalid result number".to_owned(),
            None => {
                let number = self.names.forwards.len() as u32;
                let mut forward = Forward { name: *name, uses: Vec::new() };
                uses(&mut forward);
                self.names.forwards.push(forward);
                self.names.set(name, Entry { scope: build.base, meaning: Meaning::Forward(number) });
                build.waiting += 1;
                return;
            }
        };
        self.report(name.at, message);
    }

    #[cold]
    fn report_type(&mut self, name: &ValueName<'a>, ty: TypeRef, value: Value) {
        let text = |parser: &Self, ty: TypeRef| {
            let ty = ty.in_context().and_then(|ty: Type| print_type(parser.context(), ty).ok());
            ty.unwrap_or_else(|| "?".into())
        };
        let (used, defined) = (text(self, ty), text(self, self.builds[self.builds.len() - 1].body.ty(value)));
        let message = format!(
            "use of value `%{}` expects different type than its definition: `{used}` vs `{defined}`",
            name.text.escape_ascii()
        );
        self.report(name.at, message);
    }

    /// Lets a name stand for values from now on.
    #[inline]
    pub(super) fn define(&mut self, name: &ValueName<'a>, first: u32, count: u32) {
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        match self.names.get(name) {
            None => {}
            Some(Entry { scope: outer, meaning: Meaning::Forward(number) }) => {
                self.settle(name, outer, number, first, count);
            }
            Some(Entry { meaning: Meaning::Broken, .. }) => {}
            Some(Entry { meaning: Meaning::Values(..), .. }) => {
                let message = format!("redefinition of SSA value `%{}`", name.text.escape_ascii());
                return self.report(name.at, message);
            }
        }
        self.names.set(name, Entry { scope, meaning: Meaning::Values(first, count) });
    }

    /// Gives operands that wait for a value their value.
    fn settle(&mut self, name: &ValueName<'a>, outer: u32, number: u32, first: u32, count: u32) {
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        let build = self.builds.last_mut().expect("the first body is open to the end");
        let uses = std::mem::take(&mut self.names.forwards[number as usize].uses);
        if outer != build.base {
            // It waits in a body around this one.
            let message = format!("value `%{}` is used outside of what it is defined in", name.text.escape_ascii());
            return self.report(name.at, message);
        }
        build.waiting -= 1;
        for one in uses {
            if one.result >= count {
                self.report(one.at, "reference to invalid result number");
                continue;
            }
            let value = Value::from_index((first + one.result) as usize);
            let build = self.builds.last_mut().expect("the first body is open to the end");
            if build.body.ty(value) != one.ty {
                self.report_type(&ValueName { at: one.at, ..*name }, one.ty, value);
            } else if one.scope < scope {
                // Regions that opened since this one are inside it; all others are not.
                let message = format!("value `%{}` is used outside of its region", name.text.escape_ascii());
                self.report(one.at, message);
            } else {
                build.body.replace_pushed_operand(one.slot, value);
                build.uses.filled(value, one.slot);
            }
        }
    }

    /// Lets names stand for results that were not understood.
    pub(super) fn define_broken(&mut self, names: &[ResultName<'a>]) {
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        for (name, _) in names {
            match self.names.get(name) {
                Some(Entry { meaning: Meaning::Values(..), .. }) => {}
                _ => self.names.set(name, Entry { scope, meaning: Meaning::Broken }),
            }
        }
    }

    /// Reports the values of the innermost body that were used and never defined.
    pub(super) fn report_waiting(&mut self) {
        let Some(build) = self.builds.last() else { return };
        if build.waiting == 0 || self.lost {
            return;
        }
        let waiting = self.names.forwards[build.first_forward..].iter().filter(|forward| !forward.uses.is_empty());
        let errors: Vec<Error> = waiting
            .map(|forward| {
                let name = forward.name.text.escape_ascii();
                Error::malformed(format!("use of undeclared SSA value name `%{name}`")).at(forward.name.at as u64)
            })
            .collect();
        self.errors.extend(errors);
    }
}
