//! What must hold for any input. Each file belongs to the target of its name; tests of the crates check it for sample input.

pub mod answers;
pub mod apps;
pub mod connections;
pub mod fields;
pub mod heads;
pub mod searches;
pub mod snapshots;
pub mod words;
