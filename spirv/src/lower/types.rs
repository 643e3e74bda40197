//! Types: a twin of `raise/types.rs`.

use hashbrown::HashMap;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Attribute, AttributeData, Error, Parameter, Result, Signedness, Type, TypeData};

use super::{Lowerer, close, push_string};
use crate::dialect::types::{Decoration, NumberOrSymbol, SpirvType, Struct, struct_name, view};
use crate::op;

pub(super) struct Types<'m> {
    ids: HashMap<Type, u32>,
    /// Structs that have names, be they declared already or not.
    structs: HashMap<&'m str, (u32, bool)>,
    pointers: HashMap<(u32, u32), u32>,
    /// Those of which a binary may have one alone, by their operands and opcode.
    plain: HashMap<Box<[u32]>, u32>,
    /// Pointers that were declared ahead: the struct, the class, the id.
    ahead: Vec<(u32, u32, u32)>,
    /// What the dialect has no place for, by type, and by the name of a struct.
    extras: HashMap<Type, Attribute>,
    named_extras: HashMap<&'m str, Attribute>,
    void: Option<u32>,
    /// Room for the operands of a type.
    room: Vec<u32>,
    /// Room for what is still to be declared.
    open: Vec<Open<'m>>,
}

/// A type that is to be declared, and what it is where its parts stand above it already.
type Open<'m> = (Type, Option<Option<SpirvType<'m>>>);

impl Types<'_> {
    pub(super) fn new() -> Self {
        Types {
            ids: HashMap::with_capacity(28),
            structs: HashMap::new(),
            pointers: HashMap::with_capacity(14),
            plain: HashMap::with_capacity(14),
            ahead: Vec::new(),
            extras: HashMap::new(),
            named_extras: HashMap::new(),
            void: None,
            room: Vec::with_capacity(16),
            open: Vec::with_capacity(16),
        }
    }
}

impl<'m> Lowerer<'m> {
    /// Notes what is to be said of types that the types cannot say.
    pub(super) fn type_extras(&mut self, list: Attribute) -> Result<()> {
        let wrong = || Error::verification("`spirv_binary.types` is no list of types");
        let items = self.items(list).ok_or_else(wrong)?;
        self.types.extras.reserve(items.len());
        let mut listed = Vec::with_capacity(items.len());
        for &item in items {
            let AttributeData::Dictionary(entries) = &self.context[item] else { return Err(wrong()) };
            let ty = self.entry(entries, "type").and_then(|ty| self.ty_of(ty)).ok_or_else(wrong)?;
            if let Some(name) = struct_name(self.context, ty) {
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
        let mut open = std::mem::take(&mut self.types.open);
        open.clear();
        open.push((root, None));
        while let Some((ty, seen)) = open.pop() {
            if self.types.ids.contains_key(&ty) {
                continue;
            }
            let of = match seen {
                Some(of) => of,
                None => {
                    let of = view(context, ty);
                    let mut is_inside = false;
                    match &of {
                        // A struct inside of itself is declared when it is done.
                        Some(SpirvType::Reference(_)) => is_inside = !open.is_empty(),
                        Some(SpirvType::Struct(Struct { name: Some(_), .. })) => {
                            let name = struct_name(context, ty).unwrap_or_default();
                            let is_open = self.types.structs.get(name).is_some_and(|known| !known.1);
                            is_inside = is_open && open.iter().any(|other| other.0 == ty);
                            if !is_inside && self.name_struct(name)?.1 {
                                // The same struct as another type writes it.
                                let id = self.types.structs[name].0;
                                self.types.ids.insert(ty, id);
                                continue;
                            }
                        }
                        _ => {}
                    }
                    if is_inside {
                        continue;
                    }
                    let at = open.len();
                    open.push((ty, None));
                    self.missing_parts(ty, of.as_ref(), &mut open);
                    if open.len() > at + 1 {
                        if open.len() > 1 << 20 {
                            return Err(Error::verification("types are nested too deep"));
                        }
                        open[at].1 = Some(of);
                        continue;
                    }
                    open.pop();
                    of
                }
            };
            let id = self.make_type(ty, of)?;
            self.types.ids.insert(ty, id);
            self.close_pointers(id)?;
        }
        self.types.open = open;
        Ok(self.types.ids[&root])
    }

    /// The id of a struct of that name, and whether it is declared.
    fn name_struct(&mut self, name: &'m str) -> Result<(u32, bool)> {
        if let Some(&known) = self.types.structs.get(name) {
            return Ok(known);
        }
        let id = self.fresh()?;
        self.types.structs.insert(name, (id, false));
        Ok((id, false))
    }

    /// Pushes the parts of a type that are not declared yet.
    fn missing_parts(&self, ty: Type, of: Option<&SpirvType<'m>>, open: &mut Vec<Open<'m>>) {
        let mut need = |part: Type| {
            if !self.types.ids.contains_key(&part) {
                open.push((part, None));
            }
        };
        match (&self.context[ty], of) {
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
    }

    /// The id of a part, which is declared, or a struct that is open.
    fn part(&mut self, ty: Type) -> Result<u32> {
        if let Some(&id) = self.types.ids.get(&ty) {
            return Ok(id);
        }
        match view(self.context, ty) {
            Some(SpirvType::Reference(name)) => Ok(self.name_struct(name)?.0),
            Some(SpirvType::Struct(_)) if let Some(name) = struct_name(self.context, ty) => {
                Ok(self.name_struct(name)?.0)
            }
            _ => Err(Error::verification("a type holds itself")),
        }
    }

    fn make_type(&mut self, ty: Type, of: Option<SpirvType<'m>>) -> Result<u32> {
        let mut operands = std::mem::take(&mut self.types.room);
        operands.clear();
        let made = self.make_type_of(ty, of, &mut operands);
        self.types.room = operands;
        made
    }

    fn make_type_of(&mut self, ty: Type, of: Option<SpirvType<'m>>, operands: &mut Vec<u32>) -> Result<u32> {
        let context = self.context;
        let extras = match self.types.extras.is_empty() {
            true => None,
            false => self.types.extras.get(&ty).copied(),
        };
        let mut stride = 0;
        let opcode = match (&context[ty], of) {
            (TypeData::None, _) => op::TYPE_VOID,
            (TypeData::Integer { width: 1, .. }, _) => op::TYPE_BOOL,
            (TypeData::Integer { width, signedness }, _) => {
                operands.extend([*width, u32::from(*signedness == Signedness::Signed)]);
                op::TYPE_INT
            }
            (TypeData::Float(kind), _) => {
                match kind {
                    FloatKind::F16 | FloatKind::F32 | FloatKind::F64 => operands.push(kind.width()),
                    FloatKind::BF16 => operands.extend([16, 0]),
                    _ => return Err(Error::verification(format!("{} is no type of SPIR-V", kind.keyword()))),
                }
                op::TYPE_FLOAT
            }
            (TypeData::Vector { shape, element, .. }, _) => match **shape {
                [count] if u32::try_from(count).is_ok() => {
                    operands.extend([self.part(*element)?, count as u32]);
                    op::TYPE_VECTOR
                }
                _ => return Err(Error::verification("a vector of several dimensions is no type of SPIR-V")),
            },
            (TypeData::Function { inputs, results }, _) => {
                operands.push(match **results {
                    [] => self.void()?,
                    [result] => self.part(result)?,
                    _ => return Err(Error::verification("a function of SPIR-V has at most one result")),
                });
                for &input in inputs {
                    operands.push(self.part(input)?);
                }
                op::TYPE_FUNCTION
            }
            (_, Some(SpirvType::Array { element, count, stride: bytes })) => {
                let element = self.part(element)?;
                let length = match extras.and_then(|extras| self.extra(extras, "length")) {
                    Some(tree) => self.tree(tree)?,
                    None => self.number_id(count)?,
                };
                stride = bytes;
                operands.extend([element, length]);
                op::TYPE_ARRAY
            }
            (_, Some(SpirvType::RuntimeArray { element, stride: bytes })) => {
                stride = bytes;
                operands.push(self.part(element)?);
                op::TYPE_RUNTIME_ARRAY
            }
            (_, Some(SpirvType::Pointer { pointee, class })) => return self.make_pointer(pointee, class, extras),
            (_, Some(SpirvType::Image(image))) => {
                let sampled = self.part(image.sampled)?;
                operands.extend([sampled, image.dim, image.depth, image.arrayed, image.multisampled]);
                operands.extend([image.sampler_use, image.format]);
                operands.extend(image.access);
                op::TYPE_IMAGE
            }
            (_, Some(SpirvType::SampledImage(image))) => {
                operands.push(self.part(image)?);
                op::TYPE_SAMPLED_IMAGE
            }
            (_, Some(SpirvType::Matrix { column, columns })) => {
                operands.extend([self.part(column)?, columns]);
                op::TYPE_MATRIX
            }
            (_, Some(SpirvType::CooperativeMatrix { rows, columns, element, scope, usage })) => {
                operands.push(self.part(element)?);
                for number in [scope, rows, columns, usage] {
                    operands.push(self.number_id(number)?);
                }
                op::TYPE_COOPERATIVE_MATRIX_KHR
            }
            (_, Some(SpirvType::Struct(of))) => return self.make_struct(ty, of, extras, operands),
            (_, Some(SpirvType::Other { instruction, operands: parameters })) => {
                for parameter in parameters {
                    operands.push(match parameter {
                        Parameter::Type(ty) => self.part(*ty)?,
                        Parameter::Attribute(tree) => self.tree(*tree)?,
                        Parameter::Unsigned(number) => *number as u32,
                        _ => return Err(Error::verification("a type has a parameter that SPIR-V has not")),
                    });
                }
                instruction.opcode
            }
            (_, Some(SpirvType::Tensor { .. } | SpirvType::Reference(_))) | (_, None) => {
                let text = context.show(ty).to_string();
                return Err(Error::verification(format!("{} is no type of SPIR-V", Error::quoted(text.as_bytes()))));
            }
        };
        let may_be_twice = matches!(opcode, op::TYPE_ARRAY | op::TYPE_RUNTIME_ARRAY) || extras.is_some();
        if may_be_twice {
            let id = self.fresh()?;
            if stride != 0 {
                self.decorate(id, 6, &[stride])?;
            }
            return self.finish_type(id, opcode, operands, None, extras);
        }
        // Types that differ in nothing that a binary says are one there: of integers without a sign and those without negatives, say.
        operands.push(u32::from(opcode));
        let known = self.types.plain.get(operands.as_slice()).copied();
        if let Some(id) = known {
            return Ok(id);
        }
        let id = self.fresh()?;
        self.types.plain.insert(operands.as_slice().into(), id);
        operands.pop();
        self.finish_type(id, opcode, operands, None, None)
    }

    fn make_pointer(&mut self, pointee: Type, class: u32, extras: Option<Attribute>) -> Result<u32> {
        let pointee_id = self.part(pointee)?;
        let key = (class, pointee_id);
        if extras.is_none()
            && let Some(&id) = self.types.pointers.get(&key)
        {
            return Ok(id);
        }
        let id = self.fresh()?;
        let is_open = !self.types.ids.contains_key(&pointee)
            && self.types.structs.values().any(|&(id, done)| id == pointee_id && !done);
        if is_open {
            self.sections.declarations.extend([3 << 16 | u32::from(op::TYPE_FORWARD_POINTER), id, class]);
            self.types.pointers.insert(key, id);
            self.types.ahead.push((pointee_id, class, id));
            return Ok(id);
        }
        if extras.is_none() {
            self.types.pointers.insert(key, id);
        }
        self.finish_type(id, op::TYPE_POINTER, &[class, pointee_id], None, extras)
    }

    fn make_struct(&mut self, ty: Type, of: Struct, extras: Option<Attribute>, operands: &mut Vec<u32>) -> Result<u32> {
        let name = struct_name(self.context, ty);
        let id = match name {
            Some(own) => self.name_struct(own)?.0,
            None => self.fresh()?,
        };
        for member in &of.members {
            operands.push(self.part(member.ty)?);
        }
        let extras = match name {
            Some(own) => extras.or_else(|| self.types.named_extras.get(own).copied()),
            None => extras,
        };
        if let Some(known) = name.and_then(|own| self.types.structs.get_mut(own)) {
            known.1 = true;
        }
        for (number, member) in (0..).zip(&of.members) {
            if let Some(offset) = member.offset {
                let at = self.annotate(&[id, number], 35);
                self.sections.annotations.push(offset);
                self.close_annotation(at, true)?;
            }
            for decoration in &member.decorations {
                let at = self.annotate(&[id, number], decoration.decoration);
                self.decoration_value(decoration)?;
                self.close_annotation(at, true)?;
            }
        }
        for decoration in &of.decorations {
            let at = self.annotate(&[id], decoration.decoration);
            self.decoration_value(decoration)?;
            self.close_annotation(at, false)?;
        }
        self.finish_type(id, op::TYPE_STRUCT, operands, name.map(str::as_bytes), extras)
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
        name: Option<&[u8]>,
        extras: Option<Attribute>,
    ) -> Result<u32> {
        let at = self.sections.declarations.len();
        self.sections.declarations.extend([0, id]);
        self.sections.declarations.extend_from_slice(operands);
        close(&mut self.sections.declarations, at, opcode)?;
        let Some(AttributeData::Dictionary(entries)) = extras.map(|extras| &self.context[extras]) else {
            if let Some(name) = name {
                self.name(id, name)?;
            }
            return Ok(id);
        };
        let name = match self.entry(entries, "name") {
            Some(other) => self.text(other),
            None => name,
        };
        if let Some(name) = name {
            self.name(id, name)?;
        }
        if let Some(members) = self.entry(entries, "members") {
            for (number, &member) in self.items(members).unwrap_or_default().iter().enumerate() {
                if let Some(name) = self.text(member).filter(|name| !name.is_empty()) {
                    let at = self.sections.names.len();
                    self.sections.names.extend([0, id, number as u32]);
                    push_string(&mut self.sections.names, name)?;
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
                self.note(&[id, member], said)?;
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
    pub(super) fn number_id(&mut self, number: NumberOrSymbol) -> Result<u32> {
        match number {
            NumberOrSymbol::Known(number) => self.word_constant(number),
            NumberOrSymbol::Symbol(symbol) => self.tree(symbol),
        }
    }

    /// The operand of a decoration of a struct or member.
    fn decoration_value(&mut self, decoration: &Decoration) -> Result<()> {
        match decoration.value {
            Some(value) => self.decoration_operand(decoration.decoration, value),
            None => Ok(()),
        }
    }
}
