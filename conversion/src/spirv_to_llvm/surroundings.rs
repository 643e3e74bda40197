//! What a module says of memory that the type of a pointer does not.

use std::ops::ControlFlow;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{AttributeData, Context, Identifier, OpRef, Result, Type};
use mlirbc_rewrite::NoMatch;
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::dialect::types::{Decoration, SpirvType, Struct, view};

use super::class::{WORKGROUP, is_explicit};
use super::emit::Members;
use super::types::each_struct;

/// The decorations of members that say how a matrix stands in memory, and that others may change what they hold at any time.
const ROW_MAJOR: u32 = 4;
const MATRIX_STRIDE: u32 = 7;
const VOLATILE: u32 = 21;
const COHERENT: u32 = 23;

/// The decorations of structs that are blocks.
const BLOCK: u32 = 2;
const BUFFER_BLOCK: u32 = 3;

/// The decoration of pointers that says how far elements are from each other.
const ARRAY_STRIDE: u32 = 6;

/// The addressing model in which numbers become pointers into buffers: these need not be of the type of a variable, or in one.
const PHYSICAL_STORAGE_BUFFER: u32 = 5348;

/// How a matrix stands in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Matrix {
    /// The distance of its columns, or of its rows where it stands row by row; 0 where nothing says so.
    pub(super) stride: u32,
    pub(super) row_major: bool,
}

/// What a struct says of a member, beside its type and where it begins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    pub(super) matrix: Matrix,
    /// Whether others may change what it holds at any time, and see what is stored.
    pub(super) changes: bool,
}

impl Standing {
    /// Of a member's decorations.
    pub(super) fn of(context: &Context, decorations: &[Decoration]) -> Self {
        let mut standing = Standing::default();
        standing.follow(context, decorations);
        standing
    }

    /// What more decorations say.
    pub(super) fn follow(&mut self, context: &Context, decorations: &[Decoration]) {
        for decoration in decorations {
            match decoration.decoration {
                ROW_MAJOR => self.matrix.row_major = true,
                MATRIX_STRIDE => {
                    let stride = decoration.value.and_then(|stride| context.integer_of(stride));
                    let stride = stride.and_then(|stride| u32::try_from(stride.to_u64()?).ok());
                    self.matrix.stride = stride.unwrap_or(self.matrix.stride);
                }
                VOLATILE | COHERENT => self.changes = true,
                _ => {}
            }
        }
    }
}

/// Whether a struct is a block: what one binding holds.
pub(super) fn is_block(context: &Context, ty: Type) -> bool {
    let has = |of: &Struct| of.decorations.iter().any(|given| matches!(given.decoration, BLOCK | BUFFER_BLOCK));
    matches!(view(context, ty), Some(SpirvType::Struct(of)) if has(&of))
}

/// Blocks of one workgroup that stand in the same memory.
#[derive(Debug)]
pub(super) struct Shared {
    /// The variable that stands for all.
    pub(super) first: Identifier,
    pub(super) all: HashSet<Identifier>,
    /// What they hold.
    pub(super) types: Vec<Type>,
}

/// What a `spirv.module` says of memory.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// How far elements are from each other of which a pointer of that type leads to one.
    strides: HashMap<Type, u32>,
    /// How matrices of that type stand in structs; `None` where they stand in several ways.
    matrices: HashMap<Type, Option<Standing>>,
    /// The types of vectors that are columns of matrices which stand row by row.
    columns: HashSet<Type>,
    /// Variables whose memory others change.
    changing: HashSet<Identifier>,
    /// Whether some member of a struct is so, or a variable.
    some_changes: bool,
    pub(super) shared: Option<Shared>,
    /// The types that were looked at.
    seen: HashSet<Type>,
}

impl Surroundings {
    /// Of a `spirv.module`, which has these members.
    ///
    /// # Errors
    /// Where an attribute or a body cannot be read.
    pub(super) fn of(holder: OpRef<'_>, members: Members<'_>) -> Result<Self> {
        let context = holder.module().context();
        let mut all = Surroundings::default();
        all.take_strides(context, members.get("spirv_binary.types"));
        for op in holder.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
            all.take_variable(op)?;
        }
        let addressing = members.get("addressing_model");
        let addressing = addressing.and_then(|model| enumerant_of(context, model, EnumKind::AddressingModel));
        if addressing == Some(PHYSICAL_STORAGE_BUFFER) {
            for op in holder.walk()? {
                for result in op.results() {
                    all.take_type(context, op.type_of(result)?);
                }
                if op.is("spirv.func")
                    && let Some(AttributeData::Type(ty)) = op.attribute("function_type")?.map(|ty| &context[ty])
                {
                    all.take_type(context, *ty);
                }
            }
        }
        all.seen = HashSet::new();
        Ok(all)
    }

    /// Whether it is as where there is no module around.
    pub(super) fn say_nothing(&self) -> bool {
        let Surroundings { strides, matrices, columns, changing, some_changes, shared, seen: _ } = self;
        let is_empty = strides.is_empty() && matrices.is_empty() && columns.is_empty() && changing.is_empty();
        is_empty && !some_changes && shared.is_none()
    }

    /// What a binary says of types, and they have no place for.
    fn take_strides(&mut self, context: &Context, types: Option<mlirbc_ir::Attribute>) {
        let items = |attribute| match &context[attribute] {
            AttributeData::Array(items) => &**items,
            _ => &[],
        };
        for &said in types.map(items).unwrap_or_default() {
            let AttributeData::Dictionary(entries) = &context[said] else { continue };
            let named = |name: &[u8]| entries.iter().find(|entry| context.bytes(entry.0) == name).map(|entry| entry.1);
            let (Some(ty), Some(decorations)) = (named(b"type"), named(b"decorations")) else { continue };
            let AttributeData::Type(ty) = context[ty] else { continue };
            if !matches!(view(context, ty), Some(SpirvType::Pointer { .. })) {
                continue;
            }
            for &decoration in items(decorations) {
                let number =
                    |&number| context.integer_of(number).and_then(|number| u32::try_from(number.to_u64()?).ok());
                let numbers: Vec<Option<u32>> = items(decoration).iter().map(number).collect();
                if let [Some(ARRAY_STRIDE), Some(stride)] = *numbers {
                    self.strides.insert(ty, stride);
                }
            }
        }
    }

    fn take_variable(&mut self, op: OpRef<'_>) -> Result<()> {
        let context = op.module().context();
        let members = Members::of(op)?;
        let (Some(name), Some(ty)) = (members.symbol(), members.get("type")) else { return Ok(()) };
        let AttributeData::Type(ty) = context[ty] else { return Ok(()) };
        let Some(SpirvType::Pointer { pointee, class }) = view(context, ty) else { return Ok(()) };
        self.take_type(context, ty);
        if is_explicit(class) && (members.get("volatile").is_some() || members.get("coherent").is_some()) {
            self.changing.insert(name);
            self.some_changes = true;
        }
        if class == WORKGROUP && is_block(context, pointee) && members.get("aliased").is_some() {
            let empty = || Shared { first: name, all: HashSet::new(), types: Vec::new() };
            let shared = self.shared.get_or_insert_with(empty);
            shared.all.insert(name);
            shared.types.push(pointee);
        }
        Ok(())
    }

    /// What the members of structs in a type say.
    fn take_type(&mut self, context: &Context, ty: Type) {
        let mut seen = std::mem::take(&mut self.seen);
        let visited = each_struct(context, ty, &mut seen, |of| {
            of.members.iter().for_each(|member| self.take_member(context, member.ty, &member.decorations));
            ControlFlow::Continue(())
        });
        debug_assert!(visited.is_continue());
        self.seen = seen;
    }

    fn take_member(&mut self, context: &Context, ty: Type, decorations: &[Decoration]) {
        let standing = Standing::of(context, decorations);
        self.some_changes |= standing.changes;
        let ty = element_of_arrays(context, ty);
        if let Some(SpirvType::Matrix { column, .. }) = view(context, ty) {
            let known = self.matrices.entry(ty).or_insert(Some(standing));
            *known = known.filter(|known| known.matrix == standing.matrix);
            if standing.matrix.row_major {
                self.columns.insert(column);
            }
        }
    }

    /// How far elements are from each other that a pointer of that type leads to one of, where the type says so.
    pub(super) fn stride(&self, pointer: Type) -> Option<u32> {
        self.strides.get(&pointer).copied()
    }

    /// How something of that type stands to which a pointer leads that comes from anywhere.
    ///
    /// # Errors
    /// No match where it may stand in several ways.
    pub(super) fn anywhere(&self, context: &Context, ty: Type) -> std::result::Result<Standing, NoMatch> {
        let known = match self.matrices.get(&element_of_arrays(context, ty)) {
            Some(known) => *known,
            None if self.columns.contains(&ty) => None,
            None => Some(Standing::default()),
        };
        let known = known.ok_or(NoMatch::Reason(
            "a matrix stands in memory in several ways, and which one a pointer leads to is unknown",
        ))?;
        Ok(Standing { changes: self.some_changes, ..known })
    }

    /// Whether others change what some variable or some part of one holds.
    pub(super) fn some_changes(&self) -> bool {
        self.some_changes
    }

    /// Whether others change what a variable holds.
    pub(super) fn changes(&self, variable: Identifier) -> bool {
        self.changing.contains(&variable)
    }
}

/// What arrays hold, whatever their dimensions are.
fn element_of_arrays(context: &Context, mut ty: Type) -> Type {
    while let Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. }) = view(context, ty) {
        ty = element;
    }
    ty
}
