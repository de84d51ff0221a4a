//! Texts of refusals and errors.

mod accounts;
mod database;
mod entries;
mod imports;
mod market;
mod oauth;
mod portfolios;
mod server;

use app::{Error, Refusal, Unreplayable, WorkingFile};

use crate::{Keys, Language, Notation, Plain};

pub use database::{finding as database_fault, text as database};
pub use entries::reason;
pub use market::file_problem;
pub use oauth::{text as oauth, unanswerable};
pub use server::{Redis, Tls, key_remedy, secret_key};

pub const KEYS: &[Keys] = &[
    Texts::KEYS,
    accounts::Account::KEYS,
    accounts::Access::KEYS,
    database::Database::KEYS,
    entries::Entry::KEYS,
    imports::Import::KEYS,
    market::Market::KEYS,
    market::Files::KEYS,
    oauth::Oauth::KEYS,
    oauth::Metadata::KEYS,
    oauth::Description::KEYS,
    portfolios::Portfolio::KEYS,
    server::Server::KEYS,
    Tls::KEYS,
    Redis::KEYS,
];

crate::texts! { Texts = "error" {
    busy, crowded, too_many_jobs, too_many_uploads, overflow, no_snapshot_entries, no_randomness, password_hash, stored_password_hash,
    second_factor_secret;
    unknown_portfolio(name), unknown_account(email), lines(count), market_files(count), ledger(symbol, cause), entry_incomplete(sequence, field), wait(seconds), upload_unwritten(cause), imported_file_unwritten(cause), export_unwritten(cause),
} }

/// For the user who made the request. Details for the operator are only shown to the operator.
pub fn text(language: &'static Language, notation: &dyn Notation, error: &Error) -> String {
    let texts = Texts::load(language);
    match error {
        Error::Refused(refused) => refusal(language, notation, refused),
        Error::UnknownPortfolio(name) => texts.unknown_portfolio(name.as_str()),
        Error::UnknownAccount(email) => texts.unknown_account(email.as_str()),
        Error::Lines(lines) => texts.lines(lines.len()),
        Error::Entry(problems) => {
            problems.iter().map(|problem| reason(language, notation, &problem.reason)).collect::<Vec<_>>().join(" ")
        }
        Error::MarketFiles(problems) => texts.market_files(problems.len()),
        Error::Store(error) => database::text(language, error),
        Error::Overflow(_) => texts.overflow.to_owned(),
        Error::Ledger { symbol, cause } => texts.ledger(symbol.as_str(), unreplayable(language, symbol, cause)),
        Error::Busy => texts.busy.to_owned(),
        Error::Crowded => texts.crowded.to_owned(),
        Error::TooManyJobs => texts.too_many_jobs.to_owned(),
        Error::TooManyUploads => texts.too_many_uploads.to_owned(),
        Error::NoSpace(space) => server::no_space(language, space),
        Error::Wait { seconds } => texts.wait(*seconds),
        Error::SecretKey(error) => secret_key(language, error),
        Error::Randomness(_) => texts.no_randomness.to_owned(),
        Error::PasswordHash(_) => texts.password_hash.to_owned(),
        Error::StoredPasswordHash { .. } => texts.stored_password_hash.to_owned(),
        Error::SecondFactorSecret { .. } => texts.second_factor_secret.to_owned(),
        Error::WorkingFile { role: WorkingFile::Upload, cause } => texts.upload_unwritten(cause.to_string()),
        Error::WorkingFile { role: WorkingFile::ImportedFile, cause } => texts.imported_file_unwritten(cause.to_string()),
        Error::WorkingFile { role: WorkingFile::Export, cause } => texts.export_unwritten(cause.to_string()),
    }
}

/// Why a stored ledger does not add up, for the operator.
pub fn unreplayable(language: &'static Language, symbol: &str, cause: &Unreplayable) -> String {
    let texts = Texts::load(language);
    match cause {
        Unreplayable::Replay(cause) => entries::inconsistency(language, &Plain, symbol, cause),
        Unreplayable::Incomplete { sequence, field } => texts.entry_incomplete(*sequence, *field),
        Unreplayable::NoEntries => texts.no_snapshot_entries.to_owned(),
    }
}

pub fn refusal(language: &'static Language, notation: &dyn Notation, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Account(refusal) => accounts::account(language, refusal),
        Refusal::Password(refusal) => accounts::password(language, refusal),
        Refusal::SecondFactor(refusal) => accounts::second_factor(language, refusal),
        Refusal::Session(refusal) => accounts::session(language, refusal),
        Refusal::Invitation(refusal) => accounts::invitation(language, refusal),
        Refusal::Export(refusal) => accounts::export(language, refusal),
        Refusal::Token(refusal) => accounts::token(language, refusal),
        Refusal::Feed(refusal) => accounts::feed(language, refusal),
        Refusal::Client(refusal) => oauth::client(language, refusal),
        Refusal::Portfolio(refusal) => portfolios::text(language, refusal),
        Refusal::Entry(refusal) => entries::refusal(language, refusal),
        Refusal::Watchlist(refusal) => market::watchlist(language, refusal),
        Refusal::Lookup(refusal) => market::lookup(language, refusal),
        Refusal::Market(refusal) => market::text(language, refusal),
        Refusal::Mail(refusal) => server::mail(language, refusal),
        Refusal::Backup(refusal) => server::backup(language, refusal),
        Refusal::Import(refusal) => imports::text(language, notation, refusal),
    }
}
