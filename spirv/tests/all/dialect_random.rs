//! Types and attributes at random, through text and through bytecode.

use std::cell::{Cell, RefCell};

use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::fields::{AttributeClass, FieldKind};
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::text::{parse_attribute, print_attribute};
use mlirbc_ir::{Attribute, AttributeData, Context, DYNAMIC, Parameter, Signedness, Type, TypeData};
use mlirbc_spirv::dialect::attributes::{self, DEFINITIONS, TargetEnvironment, Triple, UNKNOWN};
use mlirbc_spirv::dialect::types::{self, Decoration, Image, Member, NumberOrSymbol, Struct};
use mlirbc_spirv::dialect::{EnumKind, encoding::KNOWN_EXTENSIONS};
use mlirbc_spirv::grammar::{Instruction, OperandClass};
use mlirbc_spirv::register;

use super::dialect_bytecode::holding;

/// Numbers at random, the same each time.
struct Random {
    state: Cell<u64>,
    context: Context,
    /// Names of the structs around.
    around: RefCell<Vec<String>>,
    named: Cell<u32>,
}

impl Random {
    fn next(&self) -> u64 {
        let mut state = self.state.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.state.set(state);
        state
    }

    fn below(&self, count: u64) -> u64 {
        self.next() % count
    }

    /// Small, most of the time.
    fn word(&self) -> u32 {
        match self.below(4) {
            0 => self.next() as u32,
            _ => self.below(40) as u32,
        }
    }

    fn case(&self, kind: EnumKind) -> u32 {
        match kind.is_mask() {
            true => self.next() as u32 & self.next() as u32,
            false => self.word(),
        }
    }

    fn builtin(&self) -> Type {
        let signedness = [Signedness::Signless, Signedness::Signed, Signedness::Unsigned][self.below(3) as usize];
        let scalar = match self.below(3) {
            0 => TypeData::Float([FloatKind::F16, FloatKind::F32, FloatKind::BF16][self.below(3) as usize]),
            _ => TypeData::Integer { width: 1 + self.below(64) as u32, signedness },
        };
        let element = self.context.ty(scalar);
        match self.below(4) {
            0 => {
                let shape = [1 + self.below(16) as i64].into();
                self.context.ty(TypeData::Vector { shape, scalable: [].into(), element })
            }
            1 if self.below(3) == 0 => self.context.ty(TypeData::None),
            _ => element,
        }
    }

    fn number(&self) -> NumberOrSymbol {
        match self.below(8) {
            0 => {
                let root = self.context.identifier(format!("s{}", self.below(5)));
                NumberOrSymbol::Symbol(self.context.attribute(AttributeData::SymbolRef { root, nested: [].into() }))
            }
            _ => NumberOrSymbol::Known(self.word().max(1)),
        }
    }

    fn value(&self) -> Attribute {
        match self.below(4) {
            0 => self.context.string(format!("text {}\"\n", self.below(9))),
            1 => self.context.integer(64, self.next() as i64),
            2 => self.attribute(1),
            _ => self.context.integer(32, (self.next() as i32).into()),
        }
    }

    fn decorations(&self) -> Vec<Decoration> {
        let mut decorations = Vec::new();
        for _ in 0..self.below(3) {
            let value = (self.below(2) == 0).then(|| self.value());
            decorations.push(Decoration { decoration: self.word(), value });
        }
        decorations
    }

    fn last_name(&self) -> Option<String> {
        self.around.borrow().last().cloned()
    }

    fn structure(&self, depth: u32) -> Type {
        let name = (self.below(2) == 0).then(|| {
            let named = self.named.get() + 1;
            self.named.set(named);
            [format!("S{named}"), format!("a name {named}")][self.below(2) as usize].clone()
        });
        self.around.borrow_mut().extend(name.clone());
        let has_offsets = self.below(2) == 0;
        let members = (0..self.below(4)).map(|_| Member {
            ty: self.ty(depth),
            offset: has_offsets.then(|| self.word()),
            decorations: self.decorations(),
        });
        let members = members.collect();
        if name.is_some() {
            self.around.borrow_mut().pop();
        }
        let structure = Struct { name: name.map(Into::into), members, decorations: self.decorations() };
        types::structure(&self.context, &structure)
    }

    fn image(&self) -> Type {
        let image = Image {
            sampled: self.builtin(),
            dim: self.word(),
            depth: self.word(),
            arrayed: self.word(),
            multisampled: self.word(),
            sampler_use: self.word(),
            format: self.word(),
            access: (self.below(3) == 0).then(|| self.word()),
        };
        types::image(&self.context, &image)
    }

    fn other(&self, depth: u32) -> Type {
        let all: Vec<_> = Instruction::all().iter().filter(|instruction| types::is_other(instruction)).collect();
        let instruction = all[self.below(all.len() as u64) as usize];
        let operands: Vec<Parameter> = instruction
            .operands
            .iter()
            .map(|operand| match operand.kind.class() {
                OperandClass::String => Parameter::String(format!("s {}", self.below(9)).into_bytes().into()),
                OperandClass::Id if self.below(2) == 0 => Parameter::Type(self.ty(depth)),
                OperandClass::Id => Parameter::Attribute(self.context.integer(32, self.below(99) as i64)),
                _ => Parameter::Unsigned(self.word().into()),
            })
            .collect();
        types::other(&self.context, instruction, operands)
    }

    fn ty(&self, depth: u32) -> Type {
        let Some(depth) = depth.checked_sub(1) else { return self.builtin() };
        match self.below(11) {
            0 => {
                let (element, count, stride) = (self.ty(depth), self.number(), self.word());
                types::array(&self.context, element, count, stride)
            }
            1 => {
                let (element, stride) = (self.ty(depth), self.word());
                types::runtime_array(&self.context, element, stride)
            }
            2 | 3 => {
                let (pointee, class) = (self.ty(depth), self.word());
                types::pointer(&self.context, pointee, class)
            }
            4 => self.image(),
            5 => {
                let image = self.image();
                types::sampled_image(&self.context, image)
            }
            6 => self.structure(depth),
            7 => match self.last_name() {
                Some(name) => types::reference(&self.context, &name),
                None => self.structure(depth),
            },
            8 => {
                let element = self.context.float_type(FloatKind::F32);
                let shape = [2 + self.below(3) as i64].into();
                let column = self.context.ty(TypeData::Vector { shape, scalable: [].into(), element });
                types::matrix(&self.context, column, 2 + self.below(3) as u32)
            }
            9 => match self.below(2) {
                0 => {
                    let sizes = [self.number(), self.number()];
                    let (element, scope, usage) = (self.builtin(), self.number(), self.number());
                    types::cooperative_matrix(&self.context, sizes, element, scope, usage)
                }
                _ => {
                    let dynamic = self.below(2) == 0;
                    let size = |random: &Self| if dynamic { DYNAMIC } else { 1 + i64::from(random.word()) };
                    let shape: Vec<i64> = (0..1 + self.below(3)).map(|_| size(self)).collect();
                    let element = self.builtin();
                    types::tensor(&self.context, (self.below(3) != 0).then_some(&shape), element)
                }
            },
            _ => self.other(depth),
        }
    }

    fn triple(&self) -> Attribute {
        let extension = |random: &Self| match random.below(3) {
            0 => b"SPV_new one".as_slice().into(),
            _ => KNOWN_EXTENSIONS[random.below(KNOWN_EXTENSIONS.len() as u64) as usize].as_bytes().into(),
        };
        let triple = Triple {
            version: self.below(8) as u32,
            capabilities: (0..self.below(4)).map(|_| self.word()).collect(),
            extensions: (0..self.below(4)).map(|_| extension(self)).collect(),
        };
        attributes::vce(&self.context, &triple)
    }

    fn structural(&self, at: usize) -> Attribute {
        let definition = &DEFINITIONS[at];
        let parameters: Vec<Parameter> = definition
            .fields
            .iter()
            .map(|field| match field.kind {
                _ if !field.required && self.below(2) == 0 => field.absent(&self.context),
                FieldKind::Unsigned(32) => Parameter::Unsigned(self.word().into()),
                FieldKind::Case(cases) => {
                    let kind = EnumKind::of_mnemonic(cases.name.as_bytes()).expect(cases.name);
                    Parameter::Unsigned(self.case(kind).into())
                }
                FieldKind::Signed(32) => Parameter::Signed((self.word() as i32).into()),
                FieldKind::Bool => Parameter::Bool(self.below(2) == 0),
                FieldKind::Type => Parameter::Type(self.ty(1)),
                FieldKind::Attribute(AttributeClass::String) => Parameter::Attribute(self.context.string("a\"b\\")),
                FieldKind::Attribute(AttributeClass::Array) => {
                    let items = (0..self.below(3)).map(|_| self.context.integer(32, 7)).collect();
                    Parameter::Attribute(self.context.attribute(AttributeData::Array(items)))
                }
                FieldKind::SignedList(32) => Parameter::List(
                    (0..self.below(4)).map(|_| Parameter::Signed((self.word() as i32).into())).collect(),
                ),
                FieldKind::Attribute(AttributeClass::Of("spirv", mnemonic)) => {
                    let kind = EnumKind::of_mnemonic(mnemonic.as_bytes()).expect(mnemonic);
                    let case = self.case(kind);
                    Parameter::Attribute(attributes::enumerant(&self.context, kind, case))
                }
                kind => panic!("{kind:?}"),
            })
            .collect();
        attributes::structural(&self.context, definition, parameters).expect(definition.mnemonic)
    }

    fn attribute(&self, depth: u32) -> Attribute {
        match self.below(8) {
            0 => attributes::extension(&self.context, ["SPV_KHR_multiview", "odd one"][self.below(2) as usize]),
            1 => self.triple(),
            2 => {
                let class = (self.below(2) == 0).then(|| self.word());
                let (set, binding) = (self.word(), self.word());
                attributes::interface_variable(&self.context, set, binding, class)
            }
            3 => {
                let (triple, limits) = (self.triple(), self.structural(2));
                let word = |random: &Self| if random.below(2) == 0 { UNKNOWN } else { random.word() };
                let (api, vendor, device_type, device) = (word(self), word(self), word(self), word(self));
                let environment = TargetEnvironment { triple, api, vendor, device_type, device, limits };
                attributes::target_environment(&self.context, &environment)
            }
            4 => {
                let at = self.below(DEFINITIONS.len() as u64) as usize;
                self.structural(at)
            }
            5 if depth > 1 => {
                let ty = self.ty(depth - 1);
                self.context.attribute(AttributeData::Type(ty))
            }
            _ => {
                let kind = EnumKind::ALL[self.below(EnumKind::ALL.len() as u64) as usize];
                let case = self.case(kind);
                attributes::enumerant(&self.context, kind, case)
            }
        }
    }
}

#[test]
fn what_is_made_comes_back() {
    let context = mlirbc_testing::context();
    register(&context).expect("registered");
    let random = Random {
        state: Cell::new(0x9e37_79b9_7f4a_7c15),
        context: context.clone(),
        around: RefCell::default(),
        named: Cell::new(0),
    };
    for _ in 0..4000 {
        let made = match random.below(3) {
            0 => random.attribute(3),
            _ => {
                let ty = random.ty(4);
                context.attribute(AttributeData::Type(ty))
            }
        };
        let text = print_attribute(&context, made).expect("text");
        let parsed = parse_attribute(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(parsed == made, "{text} came back as {}", print_attribute(&context, parsed).expect("text"));

        let bytes = write(&holding(&context, made), &WriteOptions::default()).expect(&text);
        let module = read(&context, bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
        let op = module.operations().expect("operations").next().expect("an operation");
        assert_eq!(op.attribute("of").unwrap_or_else(|error| panic!("{text}: {error}")), Some(made), "{text}");
    }
}
