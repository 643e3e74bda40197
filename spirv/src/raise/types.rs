//! Types: a twin of `lower/types.rs`.

use hashbrown::HashMap;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Attribute, DialectValue, Error, Parameter, Result, Signedness, Type, TypeData};

use super::scan::Note;
use super::{IdKind, Raiser};
use crate::dialect::types::{self, Decoration, Image, Member, NumberOrSymbol, Struct};
use crate::grammar::{Instruction, Kind, OperandClass};
use crate::op;

/// Decorations that types have a place for.
const ARRAY_STRIDE: u32 = 6;
const OFFSET: u32 = 35;

/// How deep types may be nested that refer to one another ahead.
const DEEPEST: usize = 32;

/// The types that are being made, and the names of those that are structs.
type Open = Vec<(u32, Option<String>)>;

impl Raiser<'_> {
    /// Declares the type that an instruction makes.
    pub(super) fn declare_type(&mut self, at: u32) -> Result<()> {
        let (_, words) = self.scan.instruction(at);
        let id = words[1];
        let mut extras = Vec::new();
        let mut open = Vec::new();
        let mut ty = self.make_type(at, &mut open, &mut extras)?;
        let name = self.scan.name(id);
        if self.scan.opcode(at) == op::TYPE_STRUCT {
            let comparable = !self.scan.copies_logically && !self.names_ahead.contains_key(&id);
            let mut key = None;
            if comparable && self.first_structs.contains_key(&name) {
                let own = (name.clone(), self.without_name(ty), extras.clone());
                if let Some((first, extras, unique)) = self.first_structs.insert(name.clone(), None).flatten() {
                    self.structs.insert((name.clone(), self.without_name(first), extras), unique);
                }
                if let Some(&same) = self.structs.get(&own) {
                    // Equal in all that is said of it: to the dialect, and when modules are compared, it is that one.
                    self.kinds[id as usize] = IdKind::Type;
                    self.types[id as usize] = Some(same);
                    return Ok(());
                }
                key = Some(own);
            }
            let made = ty;
            ty = self.make_unique(id, ty, name.as_deref());
            match key {
                Some(key) => drop(self.structs.insert(key, ty)),
                None if comparable => drop(self.first_structs.insert(name.clone(), Some((made, extras.clone(), ty)))),
                None => {}
            }
        }
        match (types::struct_name(self.context, ty), name) {
            (None, None) => {}
            (Some(of_type), Some(name)) if of_type.as_bytes() == &*name => {}
            (_, Some(name)) => extras.push(("name", self.context.string(name))),
            (Some(_), None) => extras.push(("name", self.context.unit())),
        }
        if self.scan.opcode(at) != op::TYPE_STRUCT && !self.scan.member_names(id).is_empty() {
            return Err(self.scan.stop().at(at, "its members have names, and it has none"));
        }
        self.kinds[id as usize] = IdKind::Type;
        self.types[id as usize] = Some(ty);
        if let Some(&first) = self.type_ids.get(&ty) {
            // The same type again: what is said of one is said of the other.
            let same = |a: &[Note], b: &[Note]| {
                let of = |note: &Note| (note.member, &self.scan.words[note.start as usize..note.end as usize]);
                a.len() == b.len() && a.iter().all(|note| b.iter().any(|other| of(other) == of(note)))
            };
            let names = |id: u32| self.scan.name(id);
            if !same(self.scan.notes(first), self.scan.notes(id)) || names(first) != names(id) || !extras.is_empty() {
                return Err(self.scan.stop().at(
                    at,
                    format!("the dialect cannot tell it from the type {first}, of which something else is said"),
                ));
            }
            return Ok(());
        }
        self.type_ids.insert(ty, id);
        if !extras.is_empty() {
            extras.push(("type", self.type_attribute(ty)));
            let mut entries: Vec<_> = extras.into_iter().map(|(name, value)| (self.name(name), value)).collect();
            let extra = self.context.dictionary_of(&mut entries)?;
            self.type_extras.push(extra);
        }
        Ok(())
    }

    /// Gives a struct a name of its own, where it has none that the dialect can show, and needs one.
    fn make_unique(&mut self, id: u32, ty: Type, name: Option<&[u8]>) -> Type {
        let context = self.context;
        let Some(types::SpirvType::Struct(of)) = types::view(context, ty) else { return ty };
        if of.name.is_some() || name.is_none() && !self.type_ids.contains_key(&ty) {
            return ty;
        }
        let shown = |&byte: &u8| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' };
        let mut unique: String = name.unwrap_or(b"struct").iter().map(shown).collect();
        if !is_word(unique.as_bytes()) {
            unique.insert(0, '_');
        }
        unique.push_str(&format!("_{id}"));
        while !self.struct_names.insert(unique.clone().into_bytes()) {
            unique.push('_');
        }
        types::structure(context, &Struct { name: Some(unique.into()), ..of })
    }

    /// What a struct is but for its name.
    fn without_name(&self, ty: Type) -> Type {
        match types::view(self.context, ty) {
            Some(types::SpirvType::Struct(of)) => types::structure(self.context, &Struct { name: None, ..of }),
            _ => ty,
        }
    }

    /// A type that an instruction refers to: declared before, or a pointer that is declared after.
    fn part(&mut self, at: u32, id: u32, open: &mut Open) -> Result<Type> {
        let ty = self.any_part(at, id, open)?;
        match self.context[ty] {
            TypeData::Function { .. } => Err(self.scan.stop().at(at, "the dialect has no types made of functions")),
            _ => Ok(ty),
        }
    }

    fn any_part(&mut self, at: u32, id: u32, open: &mut Open) -> Result<Type> {
        if let Some(&Some(ty)) = self.types.get(id as usize) {
            return Ok(ty);
        }
        if let Some(known) = open.iter().rposition(|(known, _)| *known == id) {
            match &open[known].1 {
                Some(name) => return Ok(types::reference(self.context, name)),
                None if open[known..].iter().all(|(_, name)| name.is_none()) => {
                    return Err(self.scan.stop().at(at, "it refers to itself, and no struct is between"));
                }
                // A struct is: there it ends the next time.
                None => {}
            }
        }
        let Some(ahead) = self.scan.definition(id).filter(|&ahead| is_type(self.scan.opcode(ahead))) else {
            return Err(self.scan.stop().at(at, format!("id {id} is no type")));
        };
        let mut extras = Vec::new();
        let is_struct = self.scan.opcode(ahead) == op::TYPE_STRUCT;
        // Something stands around a struct that is made ahead, which tells it that it is to keep its name.
        let stands = !is_struct || open.is_empty();
        if stands {
            open.push((if is_struct { 0 } else { id }, None));
        }
        let ty = self.make_type(ahead, open, &mut extras)?;
        if stands {
            open.pop();
        }
        // What is said of a struct is noted by its name, where it stands.
        match is_struct || extras.is_empty() && self.scan.name(id).is_none() {
            true => Ok(ty),
            false => Err(self.scan.stop().at(ahead, "something is said of a type that is referred to ahead")),
        }
    }

    fn make_type(&mut self, at: u32, open: &mut Open, extras: &mut Vec<(&'static str, Attribute)>) -> Result<Type> {
        let context = self.context;
        let (opcode, words) = self.scan.instruction(at);
        let stop = self.scan.stop();
        let short = || stop.at(at, "it has other operands");
        if open.len() > DEEPEST {
            return Err(stop.at(at, "types are nested too deep"));
        }
        let &[_, id, ref operands @ ..] = words else { return Err(short()) };
        let mut notes: Vec<Note> = self.scan.notes(id).to_vec();
        let ty = match (opcode, operands) {
            (op::TYPE_VOID, []) => context.ty(TypeData::None),
            (op::TYPE_BOOL, []) => context.integer_type(1),
            (op::TYPE_INT, &[width, signed]) => {
                let signedness = match signed {
                    0 => Signedness::Signless,
                    1 => Signedness::Signed,
                    _ => return Err(short()),
                };
                // `i1` is a bool.
                if !matches!(width, 2..=64) {
                    return Err(stop
                        .at(at, format!("integers of {} have no place in the dialect", Error::counted(width, "bit"))));
                }
                context.ty(TypeData::Integer { width, signedness })
            }
            (op::TYPE_FLOAT, [width, encoding @ ..]) => {
                let kind = match (width, encoding) {
                    (16, []) => FloatKind::F16,
                    (32, []) => FloatKind::F32,
                    (64, []) => FloatKind::F64,
                    (16, [0]) => FloatKind::BF16,
                    _ => return Err(stop.at(at, "the dialect has no such float")),
                };
                context.float_type(kind)
            }
            (op::TYPE_VECTOR, &[element, count]) => {
                let element = self.part(at, element, open)?;
                if count == 0 || !matches!(context[element], TypeData::Integer { .. } | TypeData::Float(_)) {
                    return Err(stop.at(at, "the dialect has no such vector"));
                }
                context.ty(TypeData::Vector { shape: [count.into()].into(), scalable: Box::default(), element })
            }
            (op::TYPE_MATRIX, &[column, count]) => types::matrix(context, self.part(at, column, open)?, count),
            (op::TYPE_IMAGE, &[sampled, dim, depth, arrayed, multisampled, sampler_use, format, ref access @ ..]) => {
                let access = match *access {
                    [] => None,
                    [access] => Some(access),
                    _ => return Err(short()),
                };
                let sampled = self.part(at, sampled, open)?;
                let image = Image { sampled, dim, depth, arrayed, multisampled, sampler_use, format, access };
                types::image(context, &image)
            }
            (op::TYPE_SAMPLED_IMAGE, &[image]) => types::sampled_image(context, self.part(at, image, open)?),
            (op::TYPE_ARRAY, &[element, length]) => {
                let element = self.part(at, element, open)?;
                let count = self.length(at, length, extras)?;
                let stride = stride(self.scan.words, &mut notes);
                types::array(context, element, count, stride)
            }
            (op::TYPE_RUNTIME_ARRAY, &[element]) => {
                let element = self.part(at, element, open)?;
                types::runtime_array(context, element, stride(self.scan.words, &mut notes))
            }
            (op::TYPE_POINTER, &[class, pointee]) => {
                let pointee = self.part(at, pointee, open)?;
                types::pointer(context, pointee, class)
            }
            (op::TYPE_FUNCTION, [result, inputs @ ..]) => {
                let result = self.part(at, *result, open)?;
                let inputs = inputs.iter().map(|&input| self.part(at, input, open)).collect::<Result<_>>()?;
                let results = if self.is_void(result) { Box::default() } else { [result].into() };
                context.ty(TypeData::Function { inputs, results })
            }
            (op::TYPE_STRUCT, members) => self.make_struct(at, id, members, open, &mut notes, extras)?,
            (op::TYPE_COOPERATIVE_MATRIX_KHR, &[element, scope, rows, columns, usage]) => {
                let element = self.part(at, element, open)?;
                let mut number = |id| self.plain_number(at, id).map(NumberOrSymbol::Known);
                let (scope, rows, columns, usage) = (number(scope)?, number(rows)?, number(columns)?, number(usage)?);
                types::cooperative_matrix(context, [rows, columns], element, scope, usage)
            }
            _ => {
                let known = Instruction::of(opcode).filter(|known| types::is_other(known));
                let Some(instruction) = known else { return Err(stop.at(at, "the dialect has no such type")) };
                self.other_type(at, instruction, operands)?
            }
        };
        let checked = match types::view(context, ty) {
            Some(view) => types::check(context, &view).map_err(mlirbc_ir::Error::verification),
            None => context[ty].verify(context),
        };
        if let Err(error) = checked {
            return Err(stop.at(at, error.message()));
        }
        if !notes.is_empty() {
            self.type_notes(at, &notes, extras)?;
        }
        Ok(ty)
    }

    fn other_type(&mut self, at: u32, instruction: &'static Instruction, operands: &[u32]) -> Result<Type> {
        let stop = self.scan.stop();
        let mut parameters = Vec::with_capacity(operands.len());
        let mut kinds = instruction.operands.iter();
        for &word in operands {
            let Some(kind) = kinds.next() else { return Err(stop.at(at, "it has other operands")) };
            parameters.push(match kind.kind.class() {
                OperandClass::Id => match self.kind(word) {
                    IdKind::Type => Parameter::Type(self.ty(at, word)?),
                    IdKind::Constant | IdKind::Spec => Parameter::Attribute(self.tree(at, word)?),
                    _ => return Err(stop.at(at, format!("id {word} is neither a type nor a constant"))),
                },
                OperandClass::Word | OperandClass::Value => Parameter::Unsigned(word.into()),
                _ => return Err(stop.at(at, "the dialect has no such type")),
            });
        }
        Ok(types::other(self.context, instruction, parameters))
    }

    fn make_struct(
        &mut self,
        at: u32,
        id: u32,
        members: &[u32],
        open: &mut Open,
        notes: &mut Vec<Note>,
        extras: &mut Vec<(&'static str, Attribute)>,
    ) -> Result<Type> {
        let context = self.context;
        let words = self.scan.words;
        // An anonymous struct may refer to itself, too; no other has the name that it gets for that.
        let refers_ahead = members.iter().any(|&member| self.types.get(member as usize).is_none_or(Option::is_none));
        let name = match self.names_ahead.get(&id) {
            Some(name) => Some(name.clone()),
            None => {
                let own = self.scan.name(id).filter(|name| is_word(name) && !self.struct_names.contains(&**name));
                let own = own.and_then(|name| String::from_utf8(name.into_owned()).ok());
                let is_ahead = !open.is_empty();
                let mut name = own.or_else(|| (refers_ahead || is_ahead).then(|| format!("struct_{id}")));
                if let Some(name) = &mut name {
                    while !self.struct_names.insert(name.clone().into_bytes()) {
                        name.push('_');
                    }
                    if refers_ahead || is_ahead {
                        self.names_ahead.insert(id, name.clone());
                    }
                }
                name
            }
        };
        if let Some(name) = &name {
            open.push((id, Some(name.clone())));
        }
        let mut made: Vec<Member> = Vec::with_capacity(members.len());
        for &member in members {
            let mut member = self.part(at, member, open)?;
            if !self.names_ahead.is_empty() {
                let around: Vec<&str> = open.iter().filter_map(|(_, name)| name.as_deref()).collect();
                member = self.fold(at, member, &around, &mut HashMap::new(), 0)?;
            }
            made.push(member.into());
        }
        if name.is_some() {
            open.pop();
        }
        let mut decorations = Vec::new();
        // Offsets are the dialect's for all members or for none.
        let offsets = notes.iter().filter(|note| note.member.is_some() && words[note.start as usize] == OFFSET).count();
        notes.retain(|note| {
            let [number, operands @ ..] = &words[note.start as usize..note.end as usize] else { return true };
            let kinds = Kind::Decoration.parameters(*number).unwrap_or_default();
            if note.has_ids || kinds.iter().any(|operand| operand.kind.class() == OperandClass::Id) {
                return true;
            }
            let value = match (operands, *number) {
                ([], _) => Decoration::plain(*number),
                ([word], _) => Decoration::with_word(context, *number, *word),
                _ => return true,
            };
            let list = match note.member {
                None => &mut decorations,
                Some(member) => {
                    let Some(member) = made.get_mut(member as usize) else { return true };
                    if let (OFFSET, [offset]) = (*number, operands) {
                        if offsets != members.len() || member.offset.is_some() {
                            return true;
                        }
                        member.offset = Some(*offset);
                        return false;
                    }
                    &mut member.decorations
                }
            };
            if list.iter().any(|known: &Decoration| known.decoration == *number) {
                return true;
            }
            list.push(value);
            false
        });
        let names = self.scan.member_names(id);
        if !names.is_empty() {
            let mut list = Vec::with_capacity(members.len());
            for name in names {
                // Names of no member, and second ones, have no place.
                if name.member as usize >= members.len() || list.len() > name.member as usize {
                    return Err(self.scan.stop().at(at, "a member has two names, or a name no member"));
                }
                list.resize(name.member as usize, context.string(""));
                list.push(context.string(self.scan.string(name.start, name.end).unwrap_or_default()));
            }
            extras.push(("members", self.array(list)));
        }
        decorations.sort_by_key(|decoration| decoration.decoration);
        made.iter_mut().for_each(|member| member.decorations.sort_by_key(|decoration| decoration.decoration));
        Ok(types::structure(context, &Struct { name: name.map(Into::into), members: made, decorations }))
    }

    /// A type as it stands inside of structs of these names: references to them, not what they are.
    fn fold(&self, at: u32, ty: Type, around: &[&str], known: &mut HashMap<Type, Type>, depth: usize) -> Result<Type> {
        let context = self.context;
        let TypeData::Dialect(value) = &context[ty] else { return Ok(ty) };
        if let Some(&known) = known.get(&ty) {
            return Ok(known);
        }
        if depth > DEEPEST {
            return Err(self.scan.stop().at(at, "types are nested too deep"));
        }
        let folded = match types::view(context, ty) {
            Some(types::SpirvType::Struct(Struct { name: Some(name), .. })) if around.contains(&&*name) => {
                types::reference(context, &name)
            }
            _ => {
                let mut fold = |ty| self.fold(at, ty, around, known, depth + 1);
                let parameters = value.parameters.iter().map(|parameter| fold_parameter(parameter, &mut fold));
                let parameters = parameters.collect::<Result<Box<[Parameter]>>>()?;
                match parameters == value.parameters {
                    true => ty,
                    false => context.ty(TypeData::Dialect(DialectValue { parameters, ..value.clone() })),
                }
            }
        };
        known.insert(ty, folded);
        Ok(folded)
    }

    /// The length of an array.
    fn length(&mut self, at: u32, id: u32, extras: &mut Vec<(&'static str, Attribute)>) -> Result<NumberOrSymbol> {
        if self.kind(id) == IdKind::Spec {
            let tree = self.tree(at, id)?;
            return Ok(NumberOrSymbol::Symbol(tree));
        }
        match self.scan.defining(id) {
            Some((op::CONSTANT, &[_, ty, _, count, ref high @ ..])) if high.iter().all(|&word| word == 0) => {
                let plain = self.constants.is_plain(id)
                    && self.types[ty as usize].is_some_and(|ty| ty == self.context.integer_type(32));
                if !plain {
                    extras.push(("length", self.tree(at, id)?));
                }
                Ok(NumberOrSymbol::Known(count))
            }
            _ => Err(self.scan.stop().at(at, "its length is no constant, or too large")),
        }
    }

    /// The value of a constant of 32 bits of which nothing is said.
    pub(super) fn plain_number(&mut self, at: u32, id: u32) -> Result<u32> {
        match self.scan.defining(id) {
            Some((op::CONSTANT, &[_, ty, _, number]))
                if self.constants.is_plain(id)
                    && self.types[ty as usize].is_some_and(|ty| ty == self.context.integer_type(32)) =>
            {
                Ok(number)
            }
            _ => Err(self.scan.stop().at(at, format!("id {id} is no plain constant"))),
        }
    }
}

/// Takes the stride of an array from what is said of it.
fn stride(words: &[u32], notes: &mut Vec<Note>) -> u32 {
    let found = notes.iter().position(
        |note| matches!(words[note.start as usize..note.end as usize], [ARRAY_STRIDE, stride] if stride != 0),
    );
    match found {
        Some(at) => words[notes.remove(at).start as usize + 1],
        None => 0,
    }
}

/// Whether a name can be that of a struct in text.
fn is_word(name: &[u8]) -> bool {
    let first = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let rest = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    name.first().is_some_and(first) && name.iter().all(rest)
}

fn is_type(opcode: u16) -> bool {
    Instruction::of(opcode).is_some_and(|known| known.has_result && !known.has_type && known.name.starts_with("Type"))
}

/// Parameters are nested three deep at most.
fn fold_parameter(parameter: &Parameter, fold: &mut impl FnMut(Type) -> Result<Type>) -> Result<Parameter> {
    Ok(match parameter {
        Parameter::Type(ty) => Parameter::Type(fold(*ty)?),
        Parameter::List(items) => {
            let items = items.iter().map(|item| fold_parameter(item, fold)).collect::<Result<_>>()?;
            Parameter::List(items)
        }
        other => other.clone(),
    })
}
