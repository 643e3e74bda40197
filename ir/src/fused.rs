//! Locations that are made of others.

use std::collections::HashSet;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;

impl Context {
    /// The location that fuses others, reduced as MLIR does: unknown locations and repetitions are dropped, fused locations
    /// with the same metadata are taken apart, and a single location without metadata is itself.
    pub fn fused_location(&self, locations: &[Attribute], metadata: Option<Attribute>) -> Attribute {
        let mut seen = HashSet::new();
        let mut parts: Vec<Attribute> = Vec::new();
        for &location in locations {
            match &self[location] {
                AttributeData::FusedLocation { locations, metadata: inner } if *inner == metadata => {
                    parts.extend(locations.iter().filter(|&&part| seen.insert(part)));
                }
                AttributeData::UnknownLocation => {}
                _ if seen.insert(location) => parts.push(location),
                _ => {}
            }
        }
        match (parts.as_slice(), metadata) {
            ([], None) => return self.unknown_location(),
            ([single], None) => return *single,
            ([], Some(_)) => parts.push(self.unknown_location()),
            _ => {}
        }
        self.attribute(AttributeData::FusedLocation { locations: parts.into(), metadata })
    }
}
