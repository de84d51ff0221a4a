//! Texts of refusals and errors.

mod accounts;
mod database;
mod entries;
mod imports;
mod market;
mod oauth;
mod portfolios;
mod server;

use app::{Error, Refusal, Unreplayable, WorkingFile as Role};

use crate::{Keys, Language, Notation, Plain, described};

pub use database::{finding as database_fault, text as database};
pub use entries::reason;
pub use market::file_problem;
pub use oauth::{text as oauth, unanswerable};
pub use server::{Redis, Tls, key_remedy, secret_key};

pub const KEYS: &[&[Keys]] = &[
    &[ERROR, UNREPLAYABLE],
    accounts::KEYS,
    database::KEYS,
    entries::KEYS,
    imports::KEYS,
    market::KEYS,
    oauth::KEYS,
    portfolios::KEYS,
    server::KEYS,
];

described! {
    /// For the user who made the request. Details for the operator are only shown to the operator.
    ERROR = "error": pub fn text(language, notation: &dyn Notation; Error) {
    UnknownPortfolio { wanted, names } => unknown_portfolio(name = wanted, count = names.len(), names = names.join(", ")),
    UnknownAccount(email) => unknown_account(email),
    Lines(lines) => lines(count = lines.len()),
    MarketFiles(problems) => market_files(count = problems.len()),
    Overflow(_) => overflow,
    Ledger { symbol, cause } => ledger(symbol, cause = unreplayable(language, symbol, cause)),
    Busy => busy,
    Crowded => crowded,
    TooManyJobs => too_many_jobs,
    TooManyUploads => too_many_uploads,
    Wait { seconds } => wait(seconds),
    Randomness(_) => no_randomness,
    PasswordHash(_) => password_hash,
    StoredPasswordHash { .. } => stored_password_hash,
    SecondFactorSecret { .. } => second_factor_secret,
    WorkingFile { role: Role::Upload, cause } => upload_unwritten(cause),
    WorkingFile { role: Role::ImportedFile, cause } => imported_file_unwritten(cause),
    WorkingFile { role: Role::Export, cause } => export_unwritten(cause);
    Refused(refused) => refusal(language, notation, refused),
    Entry(problems) => problems.iter().map(|problem| reason(language, notation, &problem.reason)).collect::<Vec<_>>().join(" "),
    Payments(payments) => payments.iter().flat_map(|(_, problems)| problems).map(|problem| reason(language, notation, &problem.reason))
        .collect::<Vec<_>>().join(" "),
    Store(error) => database::text(language, error),
    NoSpace(space) => server::no_space(language, space),
    SecretKey(error) => secret_key(language, error),
} }

described! {
    /// Why a stored ledger does not add up, for the operator.
    UNREPLAYABLE = "error": pub fn unreplayable(language, symbol: &str; Unreplayable) {
    Incomplete { sequence, field } => entry_incomplete(sequence, field),
    NoEntries => no_snapshot_entries;
    Replay(cause) => entries::inconsistency(language, &Plain, symbol, cause),
} }

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
        Refusal::Purchase(refusal) => market::purchase(language, refusal),
        Refusal::Watchlist(refusal) => market::watchlist(language, refusal),
        Refusal::Lookup(refusal) => market::lookup(language, refusal),
        Refusal::Market(refusal) => market::text(language, refusal),
        Refusal::Mail(refusal) => server::mail(language, refusal),
        Refusal::Backup(refusal) => server::backup(language, refusal),
        Refusal::Import(refusal) => imports::text(language, notation, refusal),
    }
}
