//! How an operation's format writes an attribute: what of it the constraint says, so that text need not.

use mlirbc_ir::ods::{AttributeConstraint, BuiltinAttribute, Term, TermClass};
use mlirbc_ir::text::{closes_at_its_end, is_word, split_symbol};
use mlirbc_ir::verify::{Checker, dense_element, dialect_attribute};
use mlirbc_ir::{Attribute, AttributeData, Type, TypeData};

/// How a format writes an attribute of a constraint. Printer and parser both ask it.
pub(crate) struct AttributeForm {
    pub(crate) written: Written,
    /// The builtin class that it is of.
    class: Option<BuiltinAttribute>,
}

/// How an attribute is written where a format shows it.
pub(crate) enum Written {
    /// The name of a case of this enum stands for an integer of so many bits.
    Case { enumeration: String, width: u32 },
    /// `@name` stands for a string.
    Symbol,
    /// A string, without a type.
    String,
    /// `[1, 2]` stands for a dense array of this element type.
    List(Type),
    /// Without its type, which is this one.
    Untyped(Type),
    /// Without its dialect and mnemonic, where it has these.
    Stripped { dialect: String, mnemonic: String },
    /// As anywhere else.
    Full,
}

impl AttributeForm {
    /// How an attribute of that constraint is written.
    pub(crate) fn of(constraint: &AttributeConstraint, checker: &Checker<'_>) -> Self {
        AttributeForm {
            written: Written::of(constraint, checker),
            class: BuiltinAttribute::of_class(&constraint.storage),
        }
    }

    /// Whether it can be written so: a parser expects what the constraint names.
    pub(crate) fn fits(&self, checker: &Checker<'_>, attribute: Attribute) -> bool {
        let data = &checker.context()[attribute];
        let of_class = |class| match data {
            // Some builtin names are those of interfaces.
            AttributeData::Dialect(_) | AttributeData::Text { .. } => {
                matches!(class, BuiltinAttribute::Elements | BuiltinAttribute::Typed)
            }
            _ => checker.attribute_is(attribute, &TermClass::Attribute(class)) != Some(false),
        };
        self.class.is_none_or(of_class)
            && match (&self.written, data) {
                (Written::Case { .. }, data) => matches!(data, AttributeData::Integer { .. }),
                // A parser would give it the usual type, and a string none.
                (Written::Untyped(usual), AttributeData::String { ty: None, .. }) => {
                    checker.context()[*usual] == TypeData::None
                }
                (Written::Untyped(usual), data) => data.ty().is_none_or(|own| own == *usual),
                (Written::Symbol | Written::String, data) => matches!(data, AttributeData::String { ty: None, .. }),
                (Written::Stripped { .. }, data) => {
                    matches!(data, AttributeData::Dialect(_) | AttributeData::Text { .. })
                }
                (Written::List(usual), AttributeData::DenseArray { element, .. }) => element == usual,
                (Written::List(_) | Written::Full, _) => true,
            }
    }
}

impl Written {
    fn of(constraint: &AttributeConstraint, checker: &Checker<'_>) -> Self {
        if let (Some(enumeration), Some(Term::IntegerType { width, .. })) =
            (&constraint.enumeration, &constraint.value_type)
            && let Term::Integer(width) = **width
        {
            return Written::Case { enumeration: enumeration.clone(), width: width as u32 };
        }
        if constraint.name == "SymbolNameAttr" {
            return Written::Symbol;
        }
        if constraint.storage == "StringAttr" {
            return Written::String;
        }
        if let Some(element) = dense_element(checker.context(), &constraint.storage) {
            return Written::List(element);
        }
        if let Some(ty) = constraint.value_type.as_ref().and_then(|term| checker.type_of(term)) {
            return Written::Untyped(ty);
        }
        match dialect_attribute(&constraint.storage) {
            Some((dialect, mnemonic)) => Written::Stripped { dialect: dialect.into(), mnemonic: mnemonic.into() },
            None => Written::Full,
        }
    }
}

/// Whether the attribute has this dialect and mnemonic, and reads back without them.
pub(crate) fn can_be_stripped(checker: &Checker<'_>, data: &AttributeData, dialect: &str, mnemonic: &str) -> bool {
    match data {
        AttributeData::Dialect(value) => value.is(checker.context(), dialect, mnemonic),
        AttributeData::Text { text, .. } => split_symbol(text).is_some_and(|(its_dialect, its_mnemonic, rest)| {
            (its_dialect, its_mnemonic) == (dialect.as_bytes(), mnemonic.as_bytes())
                && (rest.starts_with(b"<") && closes_at_its_end(rest)
                    // As a parser puts it there.
                    || rest.strip_prefix(b" ").is_some_and(is_word) && is_bare_case(checker, dialect, mnemonic)
                    || {
                        let definition = checker.attribute_definition(&format!("{dialect}.{mnemonic}"));
                        let brackets = definition.is_some_and(|definition| definition.syntax.opens("["));
                        brackets && rest.starts_with(b"[") && closes_at_its_end(rest)
                    })
        }),
        _ => false,
    }
}

/// Whether the attribute is defined to be a case of an enum, without brackets: `#gpu<dim x>` is `x`.
pub(crate) fn is_bare_case(checker: &Checker<'_>, dialect: &str, mnemonic: &str) -> bool {
    let definition = checker.attribute_definition(&format!("{dialect}.{mnemonic}"));
    definition.is_some_and(|definition| definition.enumeration.is_some() && !definition.syntax.opens("<"))
}
