//! The texts of the pages, one file per page.

mod access;
mod connect;
mod data;
mod developers;
mod dividends;
mod error_page;
mod explain;
mod feed;
mod holdings;
mod import;
mod income;
mod ledger;
mod market_data;
mod missing;
mod portfolios;
mod radar;
mod securities;
mod security;
mod settings;
mod shared;
mod shell;
mod sign_in;
mod stock;
mod stocks;
mod upcoming;
mod what_if;

use std::sync::LazyLock;

pub use access::Access;
pub use connect::Connect;
pub use data::Data;
pub use developers::Developers;
pub use dividends::Dividends;
pub use error_page::ErrorPage;
pub use explain::Explain;
pub use feed::Feed;
pub use holdings::Holdings;
pub use import::Import;
pub use income::Income;
pub use ledger::Ledger;
pub use market_data::MarketData;
pub use missing::Missing;
pub use portfolios::Portfolios;
pub use radar::Radar;
pub use securities::Securities;
pub use security::Security;
pub use settings::Settings;
pub use shared::Shared;
pub use shell::Shell;
pub use sign_in::SignIn;
pub use stock::Stock;
pub use stocks::Stocks;
pub use upcoming::Upcoming;
pub use what_if::WhatIf;

use crate::language::LANGUAGES;
use crate::{Keys, Language, by_preference};

pub const KEYS: &[Keys] = &[
    Access::KEYS,
    Connect::KEYS,
    Data::KEYS,
    Developers::KEYS,
    Dividends::KEYS,
    ErrorPage::KEYS,
    Explain::KEYS,
    Feed::KEYS,
    Holdings::KEYS,
    Import::KEYS,
    Income::KEYS,
    Ledger::KEYS,
    MarketData::KEYS,
    Missing::KEYS,
    Portfolios::KEYS,
    Radar::KEYS,
    Securities::KEYS,
    Security::KEYS,
    Settings::KEYS,
    Shared::KEYS,
    Shell::KEYS,
    SignIn::KEYS,
    Stock::KEYS,
    Stocks::KEYS,
    Upcoming::KEYS,
    WhatIf::KEYS,
];

pub struct Texts {
    /// The language tag for HTML.
    pub language: &'static str,
    pub access: Access,
    pub connect: Connect,
    pub data: Data,
    pub developers: Developers,
    pub dividends: Dividends,
    pub error_page: ErrorPage,
    pub explain: Explain,
    pub feed: Feed,
    pub holdings: Holdings,
    pub import: Import,
    pub income: Income,
    pub ledger: Ledger,
    pub market_data: MarketData,
    pub missing: Missing,
    pub portfolios: Portfolios,
    pub radar: Radar,
    pub securities: Securities,
    pub security: Security,
    pub settings: Settings,
    pub shared: Shared,
    pub shell: Shell,
    pub sign_in: SignIn,
    pub stock: Stock,
    pub stocks: Stocks,
    pub upcoming: Upcoming,
    pub what_if: WhatIf,
}

impl Texts {
    fn load(language: &'static Language) -> Texts {
        Texts {
            language: &language.tag,
            access: Access::load(language),
            connect: Connect::load(language),
            data: Data::load(language),
            developers: Developers::load(language),
            dividends: Dividends::load(language),
            error_page: ErrorPage::load(language),
            explain: Explain::load(language),
            feed: Feed::load(language),
            holdings: Holdings::load(language),
            import: Import::load(language),
            income: Income::load(language),
            ledger: Ledger::load(language),
            market_data: MarketData::load(language),
            missing: Missing::load(language),
            portfolios: Portfolios::load(language),
            radar: Radar::load(language),
            securities: Securities::load(language),
            security: Security::load(language),
            settings: Settings::load(language),
            shared: Shared::load(language),
            shell: Shell::load(language),
            sign_in: SignIn::load(language),
            stock: Stock::load(language),
            stocks: Stocks::load(language),
            upcoming: Upcoming::load(language),
            what_if: WhatIf::load(language),
        }
    }
}

/// In the order of [`LANGUAGES`], each language loaded once.
static TEXTS: LazyLock<Vec<Texts>> = LazyLock::new(|| LANGUAGES.iter().map(Texts::load).collect());

/// The texts for a reader with this `Accept-Language`; in English if it names no available language.
pub fn texts(accept_language: &str) -> &'static Texts {
    let language = by_preference(accept_language);
    TEXTS.iter().find(|texts| texts.language == language.tag).unwrap_or(&TEXTS[0])
}
