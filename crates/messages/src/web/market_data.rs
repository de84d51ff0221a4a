//! Settings → Market data, and the same choice on the welcome page.

crate::texts! { MarketData = "market_data" {
    title, lead, sends, legend, yahoo_and_ecb, yahoo_and_ecb_hint, with_key, with_key_hint, none_for_now, none_hint, choose_one,
    provider, key, key_set, name_yahoo, name_fmp, name_alphavantage, name_eodhd, name_ecb, name_files, about_yahoo, about_fmp,
    about_alphavantage, about_eodhd, about_ecb, not_set, set_up, ask_owner, only_owner, nothing_asked, use_recommended,
    status_title, status, last_success, requests, never_asked, answers, watched, key_unreadable, test, refresh, refreshing,
    up_to_date, reload, missing_title, missing_none, unmatched, unmatched_hint, without_price, without_dividends,
    without_dividends_hint, change_title, change_lead, not_used, untested, remove_hint, save, saved, saved_none;
    configured(origin), requests_of(used, budget), fails(reason), test_of(provider), tested(provider), test_failed(reason),
    progress(due, planned), complete(held), of_held(n, held), order(provider), not_saved(reason), account_made(reason),
} }

impl MarketData {
    /// As people call the provider.
    pub fn name(&self, provider: &str) -> &'static str {
        match provider {
            "yahoo" => self.name_yahoo,
            "fmp" => self.name_fmp,
            "alphavantage" => self.name_alphavantage,
            "eodhd" => self.name_eodhd,
            "ecb" => self.name_ecb,
            _ => self.name_files,
        }
    }

    /// What the provider offers; empty for the watched folder.
    pub fn about(&self, provider: &str) -> &'static str {
        match provider {
            "yahoo" => self.about_yahoo,
            "fmp" => self.about_fmp,
            "alphavantage" => self.about_alphavantage,
            "eodhd" => self.about_eodhd,
            "ecb" => self.about_ecb,
            _ => "",
        }
    }
}
