//! What is shown beside blank fields, and used for them. Only what the form has shown is used.

use app::entries::{self, Defaults, Draft};
use jiff::civil::Date;
use ledger::{Decimal, Money};

use super::form::Typed;
use crate::Web;
use crate::format::figures;
use crate::visit::{Form, PageError, SignedIn, Visitor};

/// Beside one field; blank if there is nothing to suggest.
#[derive(Clone, Default)]
pub struct Suggested {
    pub field: &'static str,
    pub placeholder: String,
    pub hint: String,
    /// For the form: what it has shown.
    pub key: String,
}

/// None for an entry that is edited: what it leaves blank was left blank before.
pub async fn defaults(web: &Web, who: &SignedIn, editing: Option<i64>, typed: &Typed) -> Result<Defaults, PageError> {
    match typed.asked().filter(|_| editing.is_none()) {
        Some(asked) => Ok(entries::defaults(&web.app, who.user_id(), &asked).await?),
        None => Ok(Defaults::default()),
    }
}

/// One for each field that can have a suggestion.
pub fn of(visitor: &Visitor, defaults: &Defaults) -> Vec<Suggested> {
    let (t, f) = (&visitor.texts.ledger, visitor.format);
    let figure = |figure: Decimal| figures::written(figure, &f);
    let close = |found: Option<(Decimal, Date)>| {
        found.zip(defaults.currency).map(|((price, date), currency)| Suggested {
            placeholder: figure(price),
            hint: t.suggested_price(f.per_share_text(&Money::new(price, currency)), f.date_text(date)),
            key: key(price),
            ..Suggested::default()
        })
    };
    let (price, bought) = (close(defaults.price), close(defaults.reinvested_price));
    let rate = defaults.fx_rate.map(|(rate, [from, to])| Suggested {
        placeholder: figure(rate),
        hint: t.suggested_rate(from.code(), f.marked(&rate.to_string()), to.code()),
        ..Suggested::default()
    });
    let shares = defaults.shares.map(|shares| Suggested {
        placeholder: figure(shares),
        hint: t.suggested_shares(f.marked(&shares.to_string())),
        key: key(shares),
        ..Suggested::default()
    });
    let tax = defaults.withheld.map(|rate| Suggested {
        placeholder: f.rate_text(rate),
        hint: t.suggested_tax(f.rate_text(rate)),
        key: key(rate),
        ..Suggested::default()
    });
    let name = Suggested { hint: defaults.name.clone().unwrap_or_else(|| t.symbol_hint.to_owned()), ..Suggested::default() };
    let figures = [("price", price), ("reinvested_price", bought), ("fx_rate", rate), ("shares", shares), ("tax", tax)];
    let all = [("symbol", Some(name))].into_iter().chain(figures);
    all.map(|(field, one)| Suggested { field, ..one.unwrap_or_default() }).collect()
}

/// Fills in what the form has shown beside the fields that are left blank.
pub async fn fill(web: &Web, who: &SignedIn, form: &Form, typed: &Typed, draft: &mut Draft) -> Result<(), PageError> {
    let is_shown = |field: &str, figure: Decimal| form.text(field) == key(figure);
    if ["price", "reinvested_price", "shares", "tax"].iter().all(|field| form.text(&format!("{field}_shown")).is_empty()) {
        return Ok(());
    }
    let mut found = defaults(web, who, None, typed).await?;
    found.price = found.price.filter(|(price, _)| is_shown("price_shown", *price));
    found.reinvested_price = found.reinvested_price.filter(|(price, _)| is_shown("reinvested_price_shown", *price));
    found.shares = found.shares.filter(|shares| is_shown("shares_shown", *shares));
    found.withheld = found.withheld.filter(|rate| is_shown("tax_shown", *rate));
    found.fill(draft);
    Ok(())
}

fn key(figure: Decimal) -> String {
    figure.normalize().to_string()
}
