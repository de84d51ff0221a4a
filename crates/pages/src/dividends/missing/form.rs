//! The form of missing payments: what was typed, and why it is not accepted.

use std::collections::HashMap;

use app::automatic::{Chosen, Key, Suggestion};
use app::entries;
use ledger::Decimal;
use messages::web::Texts;

use crate::format::figures;
use crate::visit::{Form, Visitor};

/// What was sent for each payment.
#[derive(Default)]
pub struct Sent {
    rows: HashMap<String, Typed>,
}

#[derive(Clone)]
pub struct Typed {
    pub picked: bool,
    pub date: String,
    pub gross: String,
    pub tax: String,
    pub net: String,
}

const CHARACTERS_MAX: usize = 40;

impl Sent {
    pub fn of(form: &Form) -> Sent {
        let text = |name: &str, at: &str| form.text(&format!("{name}.{at}")).chars().take(CHARACTERS_MAX).collect();
        let typed = |(at, code): (&str, &str)| {
            let typed = Typed {
                picked: form.ticked(&format!("pick.{at}")),
                date: text("date", at),
                gross: text("gross", at),
                tax: text("tax", at),
                net: text("net", at),
            };
            (code.to_owned(), typed)
        };
        Sent { rows: form.starting("key.").map(typed).collect() }
    }

    pub fn get(&self, key: &Key) -> Option<&Typed> {
        self.rows.get(&code(key))
    }

    pub fn has_picked(&self) -> bool {
        self.rows.values().any(|typed| typed.picked)
    }
}

/// Why something is not accepted.
pub struct Problem {
    /// The payment; `None` if it is about none.
    pub code: Option<String>,
    pub field: &'static str,
    reason: String,
}

impl Problem {
    pub fn general(reason: &str) -> Problem {
        Problem { code: None, field: "", reason: reason.to_owned() }
    }
}

/// A problem, as the page says it.
pub struct Sentence {
    /// The id of the field, and its label.
    pub field: Option<(String, String)>,
    pub reason: String,
}

/// `shown` are the rows of the page.
pub fn sentences(visitor: &Visitor, shown: &[&Suggestion], problems: Vec<Problem>) -> Vec<Sentence> {
    let place = |problem: &Problem| {
        let code_sent = problem.code.as_ref()?;
        let at = shown.iter().position(|one| code(&one.key) == *code_sent)?;
        Some((format!("{}-{}", problem.field, at + 1), label(visitor, shown[at], heading(visitor.texts, problem.field))))
    };
    problems.into_iter().map(|problem| Sentence { field: place(&problem), reason: problem.reason }).collect()
}

pub fn heading(t: &'static Texts, field: &str) -> &'static str {
    match field {
        "gross" => t.dividends.amount,
        "tax" => t.dividends.tax,
        "net" => t.dividends.net,
        _ => t.dividends.date,
    }
}

/// Of something in the row of a payment.
pub fn label(visitor: &Visitor, one: &Suggestion, what: &str) -> String {
    visitor.texts.missing.of_row(&one.key.symbol, visitor.format.date_text(one.pay_date), what)
}

/// The payments with what was typed for them, or everything that cannot be read.
pub fn chosen<'a>(
    visitor: &Visitor,
    meant: impl Iterator<Item = (&'a Suggestion, &'a Typed)>,
) -> Result<Vec<Chosen>, Vec<Problem>> {
    let (mut chosen, mut problems) = (Vec::new(), Vec::new());
    for (one, typed) in meant {
        match read(visitor, &one.key, typed) {
            Ok(read) => chosen.push(read),
            Err(wrong) => {
                problems.extend(wrong.into_iter().map(|(field, reason)| Problem { code: Some(code(&one.key)), field, reason }))
            }
        }
    }
    if problems.is_empty() { Ok(chosen) } else { Err(problems) }
}

/// Fields that cannot be read, each with the reason.
type Unread = Vec<(&'static str, String)>;

fn read(visitor: &Visitor, key: &Key, typed: &Typed) -> Result<Chosen, Unread> {
    let t = visitor.texts;
    let mut problems = Vec::new();
    let mut figure = |field: &'static str, text: &str| -> Option<Decimal> {
        let read = (!text.is_empty()).then(|| figures::parse(text, &visitor.format))?;
        read.map_err(|error| problems.push((field, error.text(t)))).ok()
    };
    let (amount, tax, net) = (figure("gross", &typed.gross), figure("tax", &typed.tax), figure("net", &typed.net));
    if typed.gross.is_empty() && typed.net.is_empty() {
        problems.push(("gross", t.missing.no_amounts.to_owned()));
    }
    let pay_date = typed.date.parse().ok();
    if pay_date.is_none() {
        problems.push(("date", if typed.date.is_empty() { t.ledger.no_date } else { t.ledger.odd_date }.to_owned()));
    }
    if problems.is_empty() { Ok(Chosen { key: key.clone(), pay_date, amount, tax, net }) } else { Err(problems) }
}

pub fn as_suggested(key: Key) -> Chosen {
    Chosen { key, pay_date: None, amount: None, tax: None, net: None }
}

/// The objections of the use case.
pub fn problems(visitor: &Visitor, payments: Vec<(Key, Vec<entries::Problem>)>) -> Vec<Problem> {
    let mut all = Vec::new();
    for (key, problems) in payments {
        for problem in problems {
            let field = match problem.field {
                "amount" => "gross",
                "tax" => "tax",
                "net" => "net",
                _ => "date",
            };
            all.push(Problem { code: Some(code(&key)), field, reason: visitor.problem(&problem) });
        }
    }
    all
}

/// Names a payment in a form.
pub fn code(key: &Key) -> String {
    let Key { portfolio_id, symbol, ex_date, currency, special } = key;
    format!("{portfolio_id} {symbol} {ex_date} {currency} {}", if *special { "special" } else { "regular" })
}
