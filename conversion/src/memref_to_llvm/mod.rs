//! `finalize-memref-to-llvm` (`mlir/lib/Conversion/MemRefToLLVM`): the dialect `memref` to the dialect `llvm`.
//!
//! Memory is a struct of two pointers, an offset, sizes and strides, or of its rank and a pointer to such a struct where the rank is not
//! known. Views of a part, and shapes that are folded or unfolded, stay: `expand-strided-metadata` of MLIR makes other operations of them.
//!
//! | file | what |
//! | --- | --- |
//! | `allocated.rs` | memory of the heap and the stack |
//! | `accesses.rs` | loads, stores, atomic operations |
//! | `globals.rs` | variables of the module |
//! | `casts.rs` | the same memory as another type |
//! | `copies.rs` | copies |
//! | `shapes.rs` | sizes, ranks, shapes that are read from memory |

mod accesses;
mod allocated;
mod casts;
mod copies;
mod globals;
mod shapes;

use mlirbc_rewrite::{MakePass, OptionInfo, PassInfo};

use crate::to_llvm::pass::ToLlvm;
use crate::to_llvm::{INDEX_BITS, LlvmOptions, LlvmPatterns, index_bits};

const ALIGNED: OptionInfo =
    OptionInfo { name: "use-aligned-alloc", about: "memory comes from aligned_alloc in place of malloc" };
const GENERIC: OptionInfo = OptionInfo {
    name: "use-generic-functions",
    about: "memory comes from _mlir_memref_to_llvm_alloc and the like in place of the functions of C",
};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "finalize-memref-to-llvm",
    about: "convert the dialect memref to the dialect llvm",
    options: &[INDEX_BITS, ALIGNED, GENERIC],
    make: MakePass::With(|options| {
        let (aligned_alloc, generic_functions) =
            (options.flag(ALIGNED.name, false)?, options.flag(GENERIC.name, false)?);
        Ok(Box::new(ToLlvm {
            name: INFO.name,
            of_module: true,
            index_bits: index_bits(options)?,
            options: LlvmOptions::new().aligned_alloc(aligned_alloc).generic_functions(generic_functions),
            patterns,
            legal: |target| target.legal(["func.func"]),
        }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: LlvmPatterns) -> LlvmPatterns {
    shapes::add_to(copies::add_to(casts::add_to(globals::add_to(accesses::add_to(allocated::add_to(set))))))
}
