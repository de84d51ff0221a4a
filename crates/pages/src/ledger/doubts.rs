//! Likely mistakes, in words, and which of them the form has already confirmed.

use app::entries::Doubt;

use crate::visit::{Form, Visitor};

#[derive(Default)]
pub struct Doubts {
    /// A sentence each, and the entry it is about.
    pub sentences: Vec<(String, Option<i64>)>,
    /// For the form: the doubts its sender has seen.
    pub keys: String,
}

impl Doubts {
    pub fn of(visitor: &Visitor, doubts: &[Doubt]) -> Doubts {
        let sentences = doubts.iter().map(|doubt| words(visitor, doubt));
        let keys: Vec<String> = doubts.iter().map(Doubt::key).collect();
        Doubts { sentences: sentences.collect(), keys: keys.join(" ") }
    }
}

/// Whether the sender has seen all of them.
pub fn are_known(form: &Form, doubts: &[Doubt]) -> bool {
    let known = confirmed(form);
    let known: Vec<&str> = known.split(' ').collect();
    doubts.iter().all(|doubt| known.contains(&doubt.key().as_str()))
}

/// The doubts that the sender has seen, by key.
pub fn confirmed(form: &Form) -> String {
    format!("{} {}", form.text("confirmed"), form.text("anyway")).trim().to_owned()
}

fn words(visitor: &Visitor, doubt: &Doubt) -> (String, Option<i64>) {
    let (t, f) = (&visitor.texts.ledger, visitor.format);
    let day = |day| f.date_text(day);
    match doubt {
        Doubt::Duplicate { sequence } => (t.duplicate.to_owned(), Some(*sequence)),
        Doubt::TaxAboveGross { tax, gross } => (t.tax_above_gross(f.money_text(tax), f.money_text(gross)), None),
        Doubt::NothingHeld { symbol, date, ex_date, first_bought } => {
            let due = ex_date.unwrap_or(*date);
            let sentence = match (first_bought, ex_date) {
                (None, _) => t.never_bought(symbol),
                (Some(first), _) if *first >= due => t.before_first(symbol, day(*first)),
                (Some(_), Some(ex_date)) => t.nothing_on_ex_date(symbol, day(*ex_date)),
                (Some(_), None) => t.nothing_before(symbol, day(*date)),
            };
            (sentence, None)
        }
        Doubt::Orphaned { count, first } => (t.orphaned(*count, day(*first)), None),
        Doubt::Future { date } => (t.future(day(*date)), None),
        Doubt::SymbolUnknown { symbol } => (t.symbol_unknown(symbol), None),
    }
}
