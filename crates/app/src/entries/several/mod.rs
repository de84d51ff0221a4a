//! Several entries that are moved, deleted or restored together.

mod moving;
mod removal;
mod restore;
mod selection;

pub use moving::move_all;
pub use removal::{of_removal, remove, remove_all};
pub(crate) use restore::expire;
pub use restore::{last_deletion, undo_deletion};
pub use selection::{SELECTED_MAX, Selection};
