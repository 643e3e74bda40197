//! The text of a kernel, operation by operation.

use super::*;

/// Makes one kernel.
pub(super) struct Maker<'f> {
    forms: &'f Forms,
    is_allowed: &'f dyn Fn(usize) -> bool,
    pub(super) numbers: Random,
    /// How many values have names.
    named: usize,
    /// The values that an operation may use, with their types.
    visible: Vec<(String, String)>,
    /// What the function takes that is being made.
    arguments: Vec<(String, String)>,
    text: String,
    /// The functions before it.
    functions: Vec<String>,
}

impl<'f> Maker<'f> {
    pub(super) fn new(forms: &'f Forms, seed: u64, is_allowed: &'f dyn Fn(usize) -> bool) -> Self {
        let numbers = Random::new(seed);
        let (visible, arguments, functions) = Default::default();
        Maker { forms, is_allowed, numbers, named: 0, visible, arguments, text: String::new(), functions }
    }

    fn name(&mut self) -> String {
        self.named += 1;
        format!("%v{}", self.named)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str("      ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A value of that type, which may be made for it.
    fn value(&mut self, ty: &str) -> String {
        let known: Vec<&String> = self.visible.iter().filter(|one| one.1 == ty).map(|one| &one.0).collect();
        if !known.is_empty() && self.numbers.below(8) > 0 {
            return known[self.numbers.below(known.len())].clone();
        }
        let name = self.name();
        if let Some(constant) = constant(ty, &mut self.numbers) {
            self.line(&format!("{name} = arith.constant {constant}"));
        } else if let Some(number) = ty.strip_prefix("complex<").and_then(|of| of.strip_suffix('>')) {
            self.line(&format!("{name} = complex.constant [1.0 : {number}, -0.5 : {number}] : {ty}"));
        } else if ty.contains("<workgroup>") {
            self.line(&format!("{name} = memref.alloc() : {ty}"));
        } else if ty.contains("<private>") {
            self.line(&format!("{name} = memref.alloca() : {ty}"));
        } else if ty.starts_with("memref") {
            // A resource of the kernel: seen everywhere in it.
            self.arguments.push((name.clone(), ty.to_owned()));
            self.visible.insert(0, (name.clone(), ty.to_owned()));
            return name;
        } else {
            self.line(&format!("{name} = ub.poison : {ty}"));
        }
        self.visible.push((name.clone(), ty.to_owned()));
        name
    }

    /// An operation of that form.
    pub(super) fn form(&mut self, form: usize) {
        let form = &self.forms.all[form];
        let operands: Vec<String> = form.operands.iter().map(|ty| self.value(ty)).collect();
        let results: Vec<String> = form.results.iter().map(|_| self.name()).collect();
        let defined = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
        self.line(&format!("{defined}{}", form.text(&operands)));
        self.visible.extend(results.into_iter().zip(form.results.iter().cloned()));
    }

    fn any_form(&mut self) {
        let forms = self.forms;
        let mut chosen = None;
        // Where few are allowed, one that is not.
        for _ in 0..40 {
            let Some(operation) = self.numbers.of(&forms.operations) else { return };
            chosen = self.numbers.of(operation).copied();
            if chosen.is_some_and(|form| (self.is_allowed)(form)) {
                break;
            }
        }
        if let Some(form) = chosen {
            self.form(form);
        }
    }

    /// So many operations, at that depth of regions.
    pub(super) fn operations(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.numbers.below(24) {
                0 if depth < 3 => self.conditional(depth),
                1 if depth < 3 => self.counted(depth),
                2 if depth < 3 => self.repeated(depth),
                3 if depth < 2 && self.functions.len() < 3 => self.call(depth),
                _ => self.any_form(),
            }
        }
    }

    /// Operations in a region, and the values at its end.
    fn region(&mut self, depth: usize, arguments: &[(String, String)], results: &[&str]) -> Vec<String> {
        let outside = self.visible.clone();
        let known = self.arguments.len();
        self.visible.extend_from_slice(arguments);
        let count = 1 + self.numbers.below(4);
        self.operations(count, depth + 1);
        let values = results.iter().map(|ty| self.value(ty)).collect();
        self.visible = [&self.arguments[known..], &outside].concat();
        values
    }

    /// Types of values that regions give.
    fn types(&mut self) -> Vec<&'static str> {
        let all = ["i32", "f32", "index", "i1", "vector<4xf32>", "vector<2xi32>", "f16", "i8", "vector<1xf32>", "i64"];
        (0..self.numbers.below(3)).map(|_| all[self.numbers.below(all.len())]).collect()
    }

    fn results(&mut self, types: &[&str]) -> String {
        let names: Vec<String> = types.iter().map(|_| self.name()).collect();
        self.visible.extend(names.iter().cloned().zip(types.iter().map(|&ty| ty.to_owned())));
        if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) }
    }

    /// Puts what was written since then behind what is to come before it.
    fn taken(&mut self, from: usize) -> String {
        self.text.split_off(from)
    }

    fn conditional(&mut self, depth: usize) {
        let types = self.types();
        let condition = self.value("i1");
        let at = self.text.len();
        let ends = [0, 1].map(|_| {
            let values = self.region(depth, &[], &types);
            let inside = self.taken(at);
            format!("{inside}      \"scf.yield\"({}) : ({}) -> ()\n", values.join(", "), types.join(", "))
        });
        let results = self.results(&types);
        let [then, otherwise] = ends;
        let of = types.join(", ");
        self.line(&format!(
            "{results}\"scf.if\"({condition}) ({{\n{then}      }}, {{\n{otherwise}      }}) : (i1) -> ({of})"
        ));
    }

    fn counted(&mut self, depth: usize) {
        let types = self.types();
        let bounds: Vec<String> = (0..3).map(|_| self.value("index")).collect();
        let initial: Vec<String> = types.iter().map(|ty| self.value(ty)).collect();
        let mut arguments = vec![(self.name(), "index".to_owned())];
        arguments.extend(types.iter().map(|&ty| (self.name(), ty.to_owned())));
        let at = self.text.len();
        let values = self.region(depth, &arguments, &types);
        let inside = self.taken(at);
        let results = self.results(&types);
        let (operands, of) = ([bounds, initial].concat().join(", "), types.join(", "));
        let all = ["index", "index", "index"].iter().chain(&types).copied().collect::<Vec<_>>().join(", ");
        let arguments = listed(&arguments);
        self.line(&format!(
            "{results}\"scf.for\"({operands}) ({{\n      ^bb0({arguments}):\n{inside}      \"scf.yield\"({}) : ({of}) -> ()\n      }}) : \
             ({all}) -> ({of})",
            values.join(", ")
        ));
    }

    fn repeated(&mut self, depth: usize) {
        let types = self.types();
        let of = types.join(", ");
        let initial: Vec<String> = types.iter().map(|ty| self.value(ty)).collect();
        let at = self.text.len();
        let regions = [["i1"].as_slice(), &[]].map(|condition| {
            let arguments: Vec<_> = types.iter().map(|&ty| (self.name(), ty.to_owned())).collect();
            let wanted: Vec<&str> = condition.iter().chain(&types).copied().collect();
            let values = self.region(depth, &arguments, &wanted).join(", ");
            let end = if condition.is_empty() { "scf.yield" } else { "scf.condition" };
            let inside = self.taken(at);
            format!(
                "      ^bb0({}):\n{inside}      \"{end}\"({values}) : ({}) -> ()\n",
                listed(&arguments),
                wanted.join(", ")
            )
        });
        let results = self.results(&types);
        let [before, after] = regions;
        let initial = initial.join(", ");
        self.line(&format!(
            "{results}\"scf.while\"({initial}) ({{\n{before}      }}, {{\n{after}      }}) : ({of}) -> ({of})"
        ));
    }

    /// A function, with branches or without, and a call of it.
    fn call(&mut self, depth: usize) {
        let (types, number) = (self.types(), self.functions.len());
        let results = &types[..types.len().min(1)];
        self.functions.push(String::new());
        let outer =
            (std::mem::take(&mut self.visible), std::mem::take(&mut self.arguments), std::mem::take(&mut self.text));
        for &ty in &types {
            let name = self.name();
            self.arguments.push((name.clone(), ty.to_owned()));
            self.visible.push((name, ty.to_owned()));
        }
        let count = 1 + self.numbers.below(4);
        self.operations(count, depth + 1);
        let of = results.join(", ");
        if self.numbers.below(8) == 0 {
            let condition = self.value("i1");
            let values: Vec<String> = results.iter().map(|ty| self.value(ty)).collect();
            self.line(&format!(
                "\"cf.cond_br\"({condition})[^then, ^else] <{{operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i1) -> ()"
            ));
            for label in ["then", "else"] {
                self.line(&format!("^{label}:"));
                let more = self.region(depth, &[], results);
                let passed = if label == "then" { &more } else { &values };
                self.line(&format!("\"cf.br\"({})[^end] : ({of}) -> ()", passed.join(", ")));
            }
            let arguments: Vec<_> = results.iter().map(|&ty| (self.name(), ty.to_owned())).collect();
            self.line(&if arguments.is_empty() {
                "^end:".to_owned()
            } else {
                format!("^end({}):", listed(&arguments))
            });
            self.visible.extend(arguments);
        }
        let values: Vec<String> = results.iter().map(|ty| self.value(ty)).collect();
        let text = std::mem::replace(&mut self.text, outer.2);
        let arguments = std::mem::replace(&mut self.arguments, outer.1);
        self.visible = outer.0;
        let takes = listed(&arguments);
        self.functions[number] = format!(
            "    func.func @f{number}({takes}) -> ({of}) {{\n{text}      \"func.return\"({}) : ({of}) -> ()\n    }}\n",
            values.join(", ")
        );
        let operands: Vec<String> = arguments.iter().map(|argument| self.value(&argument.1)).collect();
        let all: Vec<&str> = arguments.iter().map(|argument| argument.1.as_str()).collect();
        let results = self.results(results);
        self.line(&format!(
            "{results}\"func.call\"({}) <{{callee = @f{number}}}> : ({}) -> ({of})",
            operands.join(", "),
            all.join(", ")
        ));
    }

    pub(super) fn module(mut self) -> String {
        let mut module = "module attributes {gpu.container_module} {\n  gpu.module @kernels {\n".to_owned();
        module.extend(self.functions.iter().map(String::as_str));
        let sizes = ["64, 1, 1", "8, 8, 1", "1, 1, 1", "4, 2, 2"][self.numbers.below(4)];
        write!(
            module,
            "    gpu.func @main({}) kernel attributes {{known_block_size = array<i32: {sizes}>}} {{\n{}      gpu.return\n    }}\n  }}\n}}\n",
            listed(&self.arguments),
            self.text
        )
        .expect("a string takes it");
        module
    }
}

/// Arguments of a block or function, as text has them.
fn listed(arguments: &[(String, String)]) -> String {
    arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect::<Vec<_>>().join(", ")
}
