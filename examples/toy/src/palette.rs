//! Names of colours: an extension of this crate's own, which is added to bit by bit, as those of `text` and `rewrite` are.

use std::sync::Arc;

use mlirbc::ir::{Context, Dialect};

/// The colours that have names.
#[derive(Clone, Default)]
pub struct Palette(Vec<(&'static str, [u8; 3])>);

impl Palette {
    /// That of the dialect.
    pub fn of(context: &Context) -> Option<Arc<Palette>> {
        context.dialect("toy")?.get()
    }

    /// What a colour is called. The name that was given last counts.
    pub fn name(&self, rgb: [u8; 3]) -> Option<&'static str> {
        self.0.iter().rfind(|named| named.1 == rgb).map(|named| named.0)
    }
}

/// Attaching names of colours to a dialect.
pub trait DialectPalette {
    /// Names a colour.
    #[must_use]
    fn colour(self, name: &'static str, rgb: [u8; 3]) -> Self;
}

impl DialectPalette for Dialect {
    fn colour(self, name: &'static str, rgb: [u8; 3]) -> Self {
        self.amend(|palette: &mut Palette| palette.0.push((name, rgb)))
    }
}
