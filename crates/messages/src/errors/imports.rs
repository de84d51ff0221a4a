//! Files that are uploaded, imported or undone. Errors in their rows are elsewhere.

use app::refusal::Import;

use super::entries::inconsistency;
use crate::{Keys, Notation, described, import};

pub const KEYS: &[Keys] = &[IMPORT];

described! { IMPORT = "error-import": pub fn text(language, notation: &dyn Notation; Import) {
    TooManyUploads { max } => too_many_uploads(max),
    TooLarge { max_mib } => too_large(max = max_mib),
    KeyUsed => key_used,
    Unreadable => unreadable,
    Unknown { id } => unknown(id),
    FileLost { id } => file_lost(id = id.to_string()),
    Needed { symbol, cause } => needed(problem = inconsistency(language, notation, symbol, cause)),
    UnknownSecurity { key } => unknown_security(key),
    MatchInconsistent { symbol, cause } => match_inconsistent(symbol, problem = inconsistency(language, notation, symbol, cause)),
    UnknownFormat { name } => unknown_format(name),
    ColumnsOfBroker { format } => columns_of_broker(format),
    ColumnsMalformed { reason } => columns_malformed(reason = import::reason(language, notation, reason)),
    UnknownColumn { name } => unknown_column(name),
    InstrumentNameLength { max } => instrument_name(max),
    SymbolMalformed { symbol } => symbol_malformed(symbol),
    UnknownUnit { unit } => unknown_unit(unit),
    RowNotSkippable { line } => row_not_skippable(line = line.to_string()),
    NoSharesMissing { line } => no_shares_missing(line = line.to_string()),
    TooManySkipped { max } => too_many_skipped(max),
    TooManyOpenings { max } => too_many_openings(max),
} }
