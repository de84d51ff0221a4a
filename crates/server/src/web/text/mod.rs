//! Every word that a page says, one file per page. A language is added by giving each struct a second constant beside
//! `ENGLISH`, and one line in [`of`]: the compiler names what is missing.

/// Declares the words of a page: `texts! { Home { title: "Income", … } }`.
macro_rules! texts {
    ($name:ident { $($field:ident: $text:literal,)* }) => {
        pub struct $name { $(pub $field: &'static str,)* }

        impl $name {
            pub const ENGLISH: $name = $name { $($field: $text,)* };
        }
    };
}

mod access;
mod connect;
mod data;
mod developers;
mod dividends;
mod holdings;
mod import;
mod income;
mod ledger;
mod oops;
mod portfolios;
mod radar;
mod security;
mod settings;
mod shared;
mod shell;
mod sign_in;
mod stock;
mod stocks;
mod upcoming;

pub use access::Access;
pub use connect::Connect;
pub use data::Data;
pub use developers::Developers;
pub use dividends::Dividends;
pub use holdings::Holdings;
pub use import::Import;
pub use income::Income;
pub use ledger::Ledger;
pub use oops::Oops;
pub use portfolios::Portfolios;
pub use radar::Radar;
pub use security::Security;
pub use settings::Settings;
pub use shared::Shared;
pub use shell::Shell;
pub use sign_in::SignIn;
pub use stock::Stock;
pub use stocks::Stocks;
pub use upcoming::Upcoming;

pub struct Texts {
    /// As HTML names it.
    pub language: &'static str,
    pub shell: Shell,
    pub oops: Oops,
    pub access: Access,
    pub connect: Connect,
    pub developers: Developers,
    pub income: Income,
    pub radar: Radar,
    pub shared: Shared,
    pub import: Import,
    pub ledger: Ledger,
    pub portfolios: Portfolios,
    pub sign_in: SignIn,
    pub stock: Stock,
    pub stocks: Stocks,
    pub settings: Settings,
    pub security: Security,
    pub data: Data,
    pub upcoming: Upcoming,
    pub dividends: Dividends,
    pub holdings: Holdings,
}

static ENGLISH: Texts = Texts {
    language: "en",
    shell: Shell::ENGLISH,
    oops: Oops::ENGLISH,
    access: Access::ENGLISH,
    connect: Connect::ENGLISH,
    developers: Developers::ENGLISH,
    income: Income::ENGLISH,
    radar: Radar::ENGLISH,
    shared: Shared::ENGLISH,
    import: Import::ENGLISH,
    ledger: Ledger::ENGLISH,
    portfolios: Portfolios::ENGLISH,
    sign_in: SignIn::ENGLISH,
    stock: Stock::ENGLISH,
    stocks: Stocks::ENGLISH,
    settings: Settings::ENGLISH,
    security: Security::ENGLISH,
    data: Data::ENGLISH,
    upcoming: Upcoming::ENGLISH,
    dividends: Dividends::ENGLISH,
    holdings: Holdings::ENGLISH,
};

/// The words for a reader who prefers these languages.
pub fn of(_accept_language: &str) -> &'static Texts {
    &ENGLISH
}

/// The text with each `{name}` filled in.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Of "one row|{n} rows" the part for this number, with the number in it.
pub fn count(text: &str, number: u64) -> String {
    let (one, many) = text.split_once('|').unwrap_or((text, text));
    fill(if number == 1 { one } else { many }, &[("n", &number.to_string())])
}
