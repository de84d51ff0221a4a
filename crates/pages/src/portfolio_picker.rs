//! The portfolio a page shows, and texts about it that several pages share.

use axum::http::request::Parts;
use jiff::civil::Date;
use ledger::Currency;
use serving::Query;

use crate::visit::{Visitor, links};

/// The portfolios to choose from; hidden if there is only one.
pub struct Picker {
    pub names: Vec<String>,
    pub chosen: Option<String>,
}

impl Picker {
    pub fn of(portfolios: Vec<app::portfolios::Portfolio>, chosen: Option<&str>) -> Picker {
        Picker::of_names(portfolios.into_iter().map(|one| one.name).collect(), chosen)
    }

    pub fn of_names(names: Vec<String>, chosen: Option<&str>) -> Picker {
        Picker { names, chosen: chosen.map(str::to_owned) }
    }

    pub fn is_shown(&self) -> bool {
        self.names.len() > 1
    }

    pub fn is(&self, name: &str) -> bool {
        self.chosen.as_deref().is_some_and(|chosen| chosen.to_lowercase() == name.to_lowercase())
    }
}

/// `None` for all portfolios.
pub fn portfolio(parts: &Parts) -> Option<String> {
    let query = Query::parse(parts.uri.query()).ok()?;
    query.text("portfolio").ok().flatten().map(str::to_owned)
}

/// The API request for the same portfolio.
pub fn api(resource: &str, portfolio: Option<&str>) -> String {
    links::with_query(&format!("/api/v1/{resource}"), portfolio.map(|name| ("portfolio", name)))
}

/// The sentence about positions not included in totals; `None` if all are.
pub fn unconverted(visitor: &Visitor, left_out: &[(String, Currency)]) -> Option<String> {
    let names: Vec<String> = left_out.iter().map(|(symbol, currency)| format!("{symbol} ({currency})")).collect();
    (!names.is_empty()).then(|| visitor.texts.shell.unconverted(names.join(", ")))
}

/// The sentence about old exchange rates; `None` if all are current.
pub fn outdated_rates(visitor: &Visitor, date: Option<Date>) -> Option<String> {
    date.map(|date| visitor.texts.shell.outdated_rates(visitor.format.date_text(date)))
}

#[cfg(test)]
mod tests {
    use super::Picker;

    #[test]
    fn a_portfolio_is_selected_regardless_of_case() {
        let picker = Picker::of_names(vec!["Élan".to_owned(), "Core".to_owned()], Some("éLAN"));
        assert!(picker.is("Élan") && !picker.is("Core"));
    }
}
