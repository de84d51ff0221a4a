//! Files that are uploaded, imported or undone. Errors in their rows are elsewhere.

use app::refusal::Import as Refusal;

use super::entries::inconsistency;
use crate::{Language, Notation, import};

crate::texts! { Import = "error-import" {
    key_used, unreadable;
    too_many_uploads(max), too_large(max), unknown(id), file_lost(id), needed(problem), unknown_format(name),
    columns_of_broker(format), columns_malformed(reason), unknown_column(name), instrument_name(max), symbol_malformed(symbol),
    unknown_unit(unit), row_not_skippable(line), no_shares_missing(line), too_many_skipped(max), too_many_openings(max),
} }

pub fn text(language: &'static Language, notation: &dyn Notation, refusal: &Refusal) -> String {
    let texts = Import::load(language);
    match refusal {
        Refusal::TooManyUploads { max } => texts.too_many_uploads(*max),
        Refusal::TooLarge { max_mib } => texts.too_large(*max_mib),
        Refusal::KeyUsed => texts.key_used.to_owned(),
        Refusal::Unreadable => texts.unreadable.to_owned(),
        Refusal::Unknown { id } => texts.unknown(id.as_str()),
        Refusal::FileLost { id } => texts.file_lost(id.to_string()),
        Refusal::Needed { symbol, cause } => texts.needed(inconsistency(language, notation, symbol, cause)),
        Refusal::UnknownFormat { name } => texts.unknown_format(name.as_str()),
        Refusal::ColumnsOfBroker { format } => texts.columns_of_broker(*format),
        Refusal::ColumnsMalformed { reason } => texts.columns_malformed(import::reason(language, notation, reason)),
        Refusal::UnknownColumn { name } => texts.unknown_column(name.as_str()),
        Refusal::InstrumentNameLength { max } => texts.instrument_name(*max),
        Refusal::SymbolMalformed { symbol } => texts.symbol_malformed(symbol.as_str()),
        Refusal::UnknownUnit { unit } => texts.unknown_unit(unit.as_str()),
        Refusal::RowNotSkippable { line } => texts.row_not_skippable(line.to_string()),
        Refusal::NoSharesMissing { line } => texts.no_shares_missing(line.to_string()),
        Refusal::TooManySkipped { max } => texts.too_many_skipped(*max),
        Refusal::TooManyOpenings { max } => texts.too_many_openings(*max),
    }
}
