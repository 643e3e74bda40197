//! Types: a twin of `raise/types.rs`.

use hashbrown::HashMap;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Attribute, AttributeData, Error, NamedAttribute, Parameter, Result, Signedness, Type, TypeData};

use super::{Lowerer, close};
use crate::binary::words;
use crate::dialect::types::{Decoration, Number, SpirvType, Struct, view};
use crate::op;

#[derive(Default)]
pub(super) struct Types {
    ids: HashMap<Type, u32>,
    /// Structs that have names, be they declared already or not.
    structs: HashMap<Box<str>, (u32, bool)>,
    pointers: HashMap<(u32, u32), u32>,
    /// Pointers that were declared ahead: the struct, the class, the id.
    ahead: Vec<(u32, u32, u32)>,
    /// What the dialect has no place for, by type, and by the name of a struct.
    extras: HashMap<Type, Attribute>,
    named_extras: HashMap<Box<str>, Attribute>,
    void: Option<u32>,
}

impl<'m> Lowerer<'m> {
    /// Notes what is to be said of types that the types cannot say.
    pub(super) fn type_extras(&mut self, list: Attribute) -> Result<()> {
        let wrong = || Error::verification("`spirv_binary.types` is no list of types");
        let mut listed = Vec::new();
        for &item in self.items(list).ok_or_else(wrong)? {
            let AttributeData::Dictionary(entries) = &self.context[item] else { return Err(wrong()) };
            let ty = self.entry(entries, "type").and_then(|ty| self.ty_of(ty)).ok_or_else(wrong)?;
            if let Some(SpirvType::Struct(Struct { name: Some(name), .. })) = view(self.context, ty) {
                self.types.named_extras.insert(name, item);
            }
            self.types.extras.insert(ty, item);
            listed.push(ty);
        }
        for ty in listed {
            self.ty(ty)?;
        }
        Ok(())
    }

    /// The id of a type.
    #[inline]
    pub(super) fn ty(&mut self, ty: Type) -> Result<u32> {
        match self.types.ids.get(&ty) {
            Some(&id) => Ok(id),
            None => self.declare_type(ty),
        }
    }

    /// `OpTypeVoid`
    pub(super) fn void(&mut self) -> Result<u32> {
        if let Some(id) = self.types.void {
            return Ok(id);
        }
        let none = self.context.ty(TypeData::None);
        let id = self.ty(none)?;
        self.types.void = Some(id);
        Ok(id)
    }

    #[cold]
    fn declare_type(&mut self, root: Type) -> Result<u32> {
        let context = self.context;
        let mut open = vec![root];
        while let Some(&ty) = open.last() {
            if self.types.ids.contains_key(&ty) {
                open.pop();
                continue;
            }
            let of = view(context, ty);
            if let Some(SpirvType::Struct(Struct { name: Some(name), .. })) = &of
                && self.name_struct(name)?.1
            {
                // The same struct as another type writes it.
                let id = self.types.structs[&**name].0;
                self.types.ids.insert(ty, id);
                continue;
            }
            let count = open.len();
            self.missing_parts(ty, of.as_ref(), &mut open)?;
            if open.len() > count {
                if open.len() > 1 << 20 {
                    return Err(Error::verification("types are nested too deep"));
                }
                continue;
            }
            open.pop();
            let id = self.make_type(ty, of)?;
            self.types.ids.insert(ty, id);
            self.close_pointers(id)?;
        }
        Ok(self.types.ids[&root])
    }

    /// The id of a struct of that name, and whether it is declared.
    fn name_struct(&mut self, name: &str) -> Result<(u32, bool)> {
        if let Some(&known) = self.types.structs.get(name) {
            return Ok(known);
        }
        let id = self.fresh()?;
        self.types.structs.insert(name.into(), (id, false));
        Ok((id, false))
    }

    /// Pushes the parts of a type that are not declared yet.
    fn missing_parts(&self, ty: Type, of: Option<&SpirvType<'_>>, open: &mut Vec<Type>) -> Result<()> {
        let context = self.context;
        let mut need = |part: Type| {
            // A struct inside of itself is declared when it is done.
            if !self.types.ids.contains_key(&part) && !matches!(view(context, part), Some(SpirvType::Reference(_))) {
                let is_open = match view(context, part) {
                    Some(SpirvType::Struct(Struct { name: Some(name), .. })) => self.types.structs.contains_key(&name),
                    _ => false,
                };
                if !is_open || !open.contains(&part) {
                    open.push(part);
                }
            }
        };
        match (&context[ty], of) {
            (TypeData::Vector { element, .. }, _) => need(*element),
            (TypeData::Function { inputs, results }, _) => inputs.iter().chain(results).for_each(|&part| need(part)),
            (_, Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. })) => need(*element),
            (_, Some(SpirvType::Pointer { pointee, .. })) => need(*pointee),
            (_, Some(SpirvType::Image(image))) => need(image.sampled),
            (_, Some(SpirvType::SampledImage(image))) => need(*image),
            (_, Some(SpirvType::Struct(of))) => of.members.iter().for_each(|member| need(member.ty)),
            (_, Some(SpirvType::Matrix { column, .. })) => need(*column),
            (_, Some(SpirvType::CooperativeMatrix { element, .. })) => need(*element),
            (_, Some(SpirvType::Other { operands, .. })) => {
                for operand in *operands {
                    if let Parameter::Type(part) = operand {
                        need(*part);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The id of a part, which is declared, or a struct that is open.
    fn part(&mut self, ty: Type) -> Result<u32> {
        if let Some(&id) = self.types.ids.get(&ty) {
            return Ok(id);
        }
        match view(self.context, ty) {
            Some(SpirvType::Reference(name)) => Ok(self.name_struct(name)?.0),
            Some(SpirvType::Struct(Struct { name: Some(name), .. })) => Ok(self.name_struct(&name)?.0),
            _ => Err(Error::verification("a type holds itself")),
        }
    }

    fn make_type(&mut self, ty: Type, of: Option<SpirvType<'m>>) -> Result<u32> {
        let context = self.context;
        let extras = self.types.extras.get(&ty).copied();
        let mut name: Option<Vec<u8>> = None;
        let (opcode, operands): (u16, Vec<u32>) = match (&context[ty], of) {
            (TypeData::None, _) => (op::TYPE_VOID, vec![]),
            (TypeData::Integer { width: 1, .. }, _) => (op::TYPE_BOOL, vec![]),
            (TypeData::Integer { width, signedness }, _) => {
                (op::TYPE_INT, vec![*width, u32::from(*signedness == Signedness::Signed)])
            }
            (TypeData::Float(kind), _) => match kind {
                FloatKind::F16 | FloatKind::F32 | FloatKind::F64 => (op::TYPE_FLOAT, vec![kind.width()]),
                FloatKind::BF16 => (op::TYPE_FLOAT, vec![16, 0]),
                _ => return Err(Error::verification(format!("{} is no type of SPIR-V", kind.keyword()))),
            },
            (TypeData::Vector { shape, element, .. }, _) => match **shape {
                [count] if u32::try_from(count).is_ok() => (op::TYPE_VECTOR, vec![self.part(*element)?, count as u32]),
                _ => return Err(Error::verification("a vector of several dimensions is no type of SPIR-V")),
            },
            (TypeData::Function { inputs, results }, _) => {
                let result = match **results {
                    [] => self.void()?,
                    [result] => self.part(result)?,
                    _ => return Err(Error::verification("a function of SPIR-V has at most one result")),
                };
                let mut operands = vec![result];
                for &input in inputs {
                    operands.push(self.part(input)?);
                }
                (op::TYPE_FUNCTION, operands)
            }
            (_, Some(SpirvType::Array { element, count, .. })) => {
                let element = self.part(element)?;
                let length = match extras.and_then(|extras| self.extra(extras, "length")) {
                    Some(tree) => self.tree(tree)?,
                    None => self.number_id(count)?,
                };
                (op::TYPE_ARRAY, vec![element, length])
            }
            (_, Some(SpirvType::RuntimeArray { element, .. })) => (op::TYPE_RUNTIME_ARRAY, vec![self.part(element)?]),
            (_, Some(SpirvType::Pointer { pointee, class })) => {
                let pointee_id = self.part(pointee)?;
                let key = (class, pointee_id);
                if extras.is_none()
                    && let Some(&id) = self.types.pointers.get(&key)
                {
                    return Ok(id);
                }
                let is_open = !self.types.ids.contains_key(&pointee)
                    && self.types.structs.values().any(|&(id, done)| id == pointee_id && !done);
                if is_open {
                    let id = self.fresh()?;
                    self.sections.declarations.extend([3 << 16 | u32::from(op::TYPE_FORWARD_POINTER), id, class]);
                    self.types.pointers.insert(key, id);
                    self.types.ahead.push((pointee_id, class, id));
                    return Ok(id);
                }
                let id = self.fresh()?;
                if extras.is_none() {
                    self.types.pointers.insert(key, id);
                }
                return self.finish_type(id, op::TYPE_POINTER, &[class, pointee_id], None, extras);
            }
            (_, Some(SpirvType::Image(image))) => {
                let sampled = self.part(image.sampled)?;
                let mut operands = vec![sampled, image.dim, image.depth, image.arrayed, image.multisampled];
                operands.extend([image.sampler_use, image.format]);
                operands.extend(image.access);
                (op::TYPE_IMAGE, operands)
            }
            (_, Some(SpirvType::SampledImage(image))) => (op::TYPE_SAMPLED_IMAGE, vec![self.part(image)?]),
            (_, Some(SpirvType::Matrix { column, columns })) => (op::TYPE_MATRIX, vec![self.part(column)?, columns]),
            (_, Some(SpirvType::CooperativeMatrix { rows, columns, element, scope, usage })) => {
                let element = self.part(element)?;
                let mut operands = vec![element];
                for number in [scope, rows, columns, usage] {
                    operands.push(self.number_id(number)?);
                }
                (op::TYPE_COOPERATIVE_MATRIX_KHR, operands)
            }
            (_, Some(SpirvType::Struct(of))) => {
                let id = match &of.name {
                    Some(own) => self.name_struct(own)?.0,
                    None => self.fresh()?,
                };
                let mut members = Vec::with_capacity(of.members.len());
                for member in &of.members {
                    members.push(self.part(member.ty)?);
                }
                let extras = match &of.name {
                    Some(own) => extras.or_else(|| self.types.named_extras.get(own).copied()),
                    None => extras,
                };
                if let Some(own) = &of.name {
                    name = Some(own.as_bytes().to_vec());
                    self.types.structs.insert(own.clone(), (id, true));
                }
                for (number, member) in of.members.iter().enumerate() {
                    if let Some(offset) = member.offset {
                        self.member_decorate(id, number as u32, &[35, offset])?;
                    }
                    for decoration in &member.decorations {
                        let words = self.decoration_words(decoration)?;
                        self.member_decorate(id, number as u32, &words)?;
                    }
                }
                for decoration in &of.decorations {
                    let words = self.decoration_words(decoration)?;
                    self.decorate(id, &words)?;
                }
                return self.finish_type(id, op::TYPE_STRUCT, &members, name, extras);
            }
            (_, Some(SpirvType::Other { instruction, operands })) => {
                let mut words = Vec::with_capacity(operands.len());
                for operand in operands {
                    words.push(match operand {
                        Parameter::Type(ty) => self.part(*ty)?,
                        Parameter::Attribute(tree) => self.tree(*tree)?,
                        Parameter::Unsigned(number) => *number as u32,
                        _ => return Err(Error::verification("a type has a parameter that SPIR-V has not")),
                    });
                }
                (instruction.opcode, words)
            }
            (_, Some(SpirvType::Tensor { .. } | SpirvType::Reference(_))) | (_, None) => {
                let text = mlirbc_ir::text::print_type(context, ty)?;
                return Err(Error::verification(format!("{} is no type of SPIR-V", Error::quoted(text.as_bytes()))));
            }
        };
        let id = self.fresh()?;
        if let Some(SpirvType::Array { stride, .. } | SpirvType::RuntimeArray { stride, .. }) = view(context, ty)
            && stride != 0
        {
            self.decorate(id, &[6, stride])?;
        }
        self.finish_type(id, opcode, &operands, name, extras)
    }

    fn extra(&mut self, extras: Attribute, name: &'static str) -> Option<Attribute> {
        match &self.context[extras] {
            AttributeData::Dictionary(entries) => self.entry(entries, name),
            _ => None,
        }
    }

    /// Writes the declaration, and what is said of the type.
    fn finish_type(
        &mut self,
        id: u32,
        opcode: u16,
        operands: &[u32],
        name: Option<Vec<u8>>,
        extras: Option<Attribute>,
    ) -> Result<u32> {
        let at = self.sections.declarations.len();
        self.sections.declarations.extend([0, id]);
        self.sections.declarations.extend_from_slice(operands);
        close(&mut self.sections.declarations, at, opcode)?;
        let entries: &[NamedAttribute] = match extras.map(|extras| &self.context[extras]) {
            Some(AttributeData::Dictionary(entries)) => entries,
            _ => &[],
        };
        match self.entry(entries, "name") {
            Some(other) => {
                if let Some(other) = self.text(other) {
                    self.name(id, other)?;
                }
            }
            None => {
                if let Some(name) = name {
                    self.name(id, &name)?;
                }
            }
        }
        if let Some(members) = self.entry(entries, "members") {
            for (number, &member) in self.items(members).unwrap_or_default().iter().enumerate() {
                if let Some(name) = self.text(member).filter(|name| !name.is_empty()) {
                    let at = self.sections.names.len();
                    self.sections.names.extend([0, id, number as u32]);
                    words::push_string(&mut self.sections.names, name);
                    close(&mut self.sections.names, at, op::MEMBER_NAME)?;
                }
            }
        }
        if let Some(list) = self.entry(entries, "decorations") {
            self.decorate_list(id, list)?;
        }
        if let Some(list) = self.entry(entries, "member_decorations") {
            for &pair in self.items(list).unwrap_or_default() {
                let Some(&[member, said]) = self.items(pair) else { continue };
                let Some(member) = self.number(member) else { continue };
                let (words, _) = self.note_words(said)?;
                self.member_decorate(id, member, &words)?;
            }
        }
        Ok(id)
    }

    /// Declares the pointers that were waiting for a struct.
    fn close_pointers(&mut self, id: u32) -> Result<()> {
        if self.types.ahead.is_empty() {
            return Ok(());
        }
        let mut waiting = std::mem::take(&mut self.types.ahead);
        for &(_, class, pointer) in waiting.iter().filter(|waiting| waiting.0 == id) {
            self.sections.declarations.extend([4 << 16 | u32::from(op::TYPE_POINTER), pointer, class, id]);
        }
        waiting.retain(|waiting| waiting.0 != id);
        self.types.ahead = waiting;
        Ok(())
    }

    /// The id of a constant of 32 bits, or of a symbol.
    pub(super) fn number_id(&mut self, number: Number) -> Result<u32> {
        match number {
            Number::Known(number) => self.word_constant(number),
            Number::Symbol(symbol) => self.tree(symbol),
        }
    }

    /// The words of a decoration of a struct or member.
    fn decoration_words(&mut self, decoration: &Decoration) -> Result<Vec<u32>> {
        let mut words = vec![decoration.decoration];
        if let Some(value) = decoration.value {
            self.decoration_operand(decoration.decoration, value, &mut words)?;
        }
        Ok(words)
    }
}
