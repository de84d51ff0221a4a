//! How the dividends of a portfolio are reinvested, and those of single stocks; the form is here and on the page of a stock.

use app::automatic::{self, Automatic, Reinvest};
use app::portfolios::Portfolio;
use app::portfolios::holdings::HoldingSummary;
use messages::web::Portfolios;

use crate::Web;
use crate::visit::{Form, SignedIn, links};

/// Of one portfolio.
pub struct Reinvestment {
    /// The rule, and how many exceptions there are.
    pub summary: String,
    pub rules: [Choice; 3],
    /// Missing dividends are off, so that nothing is recorded or bought.
    pub without_effect: bool,
    pub exceptions: Vec<Exception>,
    /// Symbol and name of each stock that the portfolio holds.
    pub stocks: Vec<(String, Option<String>)>,
}

pub struct Choice {
    pub word: &'static str,
    pub name: &'static str,
    pub hint: &'static str,
    pub chosen: bool,
}

/// A stock whose dividends are not reinvested as those of the rest.
pub struct Exception {
    pub symbol: String,
    pub link: String,
    pub rule: &'static str,
}

/// A stock follows the rest of its portfolio.
pub const DEFAULT: &str = "default";

const RULES: [Reinvest; 3] = [Reinvest::Off, Reinvest::Fractional, Reinvest::Whole];

impl Reinvestment {
    /// `held` are the user's holdings; they only name their portfolio if there are several.
    pub fn of(t: &'static Portfolios, portfolio: &Portfolio, held: &[HoldingSummary]) -> Reinvestment {
        let is_here = |holding: &&HoldingSummary| holding.portfolio.as_ref().is_none_or(|name| *name == portfolio.name);
        let mut stocks: Vec<_> = held.iter().filter(is_here).map(|one| (one.symbol.clone(), one.name.clone())).collect();
        stocks.sort();
        let exception = |(symbol, rule): &(String, Reinvest)| Exception {
            symbol: symbol.clone(),
            link: links::stock(symbol),
            rule: rule_name(t, *rule),
        };
        let rule = rule_name(t, portfolio.reinvest);
        Reinvestment {
            summary: match portfolio.reinvest_of.len() {
                0 => rule.to_owned(),
                n => t.reinvest_summary(rule, n as u64),
            },
            rules: choices(t, portfolio.reinvest),
            without_effect: portfolio.automatic == Automatic::Off,
            exceptions: portfolio.reinvest_of.iter().map(exception).collect(),
            stocks,
        }
    }
}

fn choices(t: &'static Portfolios, chosen: Reinvest) -> [Choice; 3] {
    let hint = |rule| match rule {
        Reinvest::Off => t.reinvest_off_hint,
        Reinvest::Fractional => t.reinvest_fractional_hint,
        Reinvest::Whole => t.reinvest_whole_hint,
    };
    RULES.map(|rule| Choice { word: rule.word(), name: rule_name(t, rule), hint: hint(rule), chosen: rule == chosen })
}

/// The rule of one stock: as the rest of the portfolio, or one of its own. Value, name and whether it is chosen.
pub fn of_stock(t: &'static Portfolios, portfolio: &Portfolio, symbol: &str) -> Vec<(&'static str, String, bool)> {
    let own = own_rule(portfolio, symbol);
    let rest = (DEFAULT, t.reinvest_as_rest(rule_name(t, portfolio.reinvest)), own.is_none());
    let rules = RULES.map(|rule| (rule.word(), rule_name(t, rule).to_owned(), own == Some(rule)));
    std::iter::once(rest).chain(rules).collect()
}

/// The rule that applies to a stock.
pub fn applied(t: &'static Portfolios, portfolio: &Portfolio, symbol: &str) -> &'static str {
    rule_name(t, own_rule(portfolio, symbol).unwrap_or(portfolio.reinvest))
}

fn own_rule(portfolio: &Portfolio, symbol: &str) -> Option<Reinvest> {
    portfolio.reinvest_of.iter().find(|(of, _)| of == symbol).map(|(_, rule)| *rule)
}

/// For the whole portfolio; `None` if there is no such rule.
pub async fn set(web: &Web, who: &SignedIn, form: &Form) -> Result<Option<String>, app::Error> {
    let (name, t) = (form.text("name"), &who.visitor.texts.portfolios);
    let Some(rule) = Reinvest::of_word(form.text("rule")) else { return Ok(None) };
    automatic::set_reinvest(&web.app, who.user_id(), name, None, Some(rule)).await?;
    Ok(Some(match rule {
        Reinvest::Off => t.reinvest_set_off(name),
        Reinvest::Fractional => t.reinvest_set_fractional(name),
        Reinvest::Whole => t.reinvest_set_whole(name),
    }))
}

/// For one stock; `None` if there is no such rule.
pub async fn set_of_stock(web: &Web, who: &SignedIn, form: &Form) -> Result<Option<String>, app::Error> {
    let (name, symbol, word) = (form.text("name"), form.text("symbol"), form.text("rule"));
    let t = &who.visitor.texts.portfolios;
    let rule = Reinvest::of_word(word);
    if rule.is_none() && word != DEFAULT {
        return Ok(None);
    }
    automatic::set_reinvest(&web.app, who.user_id(), name, Some(symbol), rule).await?;
    Ok(Some(match rule {
        Some(rule) => t.reinvest_stock_set(symbol, name, rule_name(t, rule)),
        None => t.reinvest_stock_default(symbol, name),
    }))
}

fn rule_name(t: &'static Portfolios, rule: Reinvest) -> &'static str {
    match rule {
        Reinvest::Off => t.reinvest_off,
        Reinvest::Fractional => t.reinvest_fractional,
        Reinvest::Whole => t.reinvest_whole,
    }
}
