//! Open questions about a file: which stocks it means, and their currencies. A page asks only as many as one form can send.

use std::collections::{BTreeMap, BTreeSet};

use app::import::staged::Upload;
use app::import::{Inconsistency, Question, Reason, Report};
use ledger::Currency;
use messages::web::Texts;

use crate::format::choices::CURRENCIES;
use crate::format::figures;
use crate::visit::Visitor;

const AT_ONCE: usize = 100;
/// A form may have 64 KiB; encoding makes names up to three times as long, and the answers need space too.
const KEY_BYTES_MAX: usize = 24 << 10;
const SYMBOLS_SHOWN: usize = 20;

#[derive(Default)]
pub struct Instruments {
    pub questions: Vec<OpenQuestion>,
    pub more_questions: Option<String>,
    /// The answers so far, the latest first.
    pub answered: Vec<(String, String)>,
    pub more_answered: Option<String>,
    pub keep: bool,
}

pub struct OpenQuestion {
    pub key: String,
    pub name: Option<String>,
    pub candidates: Vec<String>,
    pub rows: String,
}

impl Instruments {
    pub fn of(t: &'static Texts, report: &Report, upload: &Upload) -> Instruments {
        let asked = fitting(report.questions.iter().map(|question| question.key.as_str()));
        let answered = fitting(upload.map.iter().rev().map(|(key, _)| key.as_str()));
        let rest = |all: usize, shown: usize| (all > shown).then_some(all - shown);
        Instruments {
            questions: report.questions.iter().take(asked).map(|question| question_of(t, question)).collect(),
            more_questions: rest(report.questions.len(), asked).map(|more| t.import.more_questions(more)),
            answered: upload.map.iter().rev().take(answered).cloned().collect(),
            more_answered: rest(upload.map.len(), answered).map(|more| t.import.more_answered(more)),
            keep: upload.keep,
        }
    }
}

/// How many of these fit on the page.
fn fitting<'a>(keys: impl Iterator<Item = &'a str>) -> usize {
    let sums = keys.scan(0, |sum, key| {
        *sum += key.len() * 3;
        Some(*sum)
    });
    // There is always at least one, or nothing could be answered.
    sums.take(AT_ONCE).enumerate().take_while(|(at, sum)| *at == 0 || *sum <= KEY_BYTES_MAX).count()
}

fn question_of(t: &'static Texts, question: &Question) -> OpenQuestion {
    OpenQuestion {
        key: question.key.clone(),
        name: question.name.clone(),
        candidates: question.candidates.clone(),
        rows: t.import.rows_mean_it(question.rows),
    }
}

/// Currencies that the file does not state.
pub struct Currencies {
    pub lead: Option<String>,
    pub chosen: String,
    pub choices: Vec<(&'static str, &'static str)>,
}

impl Currencies {
    pub fn of(t: &'static Texts, report: &Report, upload: &Upload) -> Option<Currencies> {
        let open = &report.no_currency;
        if open.is_empty() && upload.currency.is_none() {
            return None;
        }
        let more = if open.len() > SYMBOLS_SHOWN { ", …" } else { "" };
        let symbols = open.iter().take(SYMBOLS_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        let lead = t.import.currency_lead(format!("{symbols}{more}"));
        let hundredths = [("GBp", t.import.pence), ("ILA", t.import.agorot), ("ZAc", t.import.cents)];
        Some(Currencies {
            lead: (!open.is_empty()).then_some(lead),
            chosen: upload.currency.clone().unwrap_or_default(),
            choices: CURRENCIES.iter().map(|code| (*code, *code)).chain(hundredths).collect(),
        })
    }
}

/// An exchange rate that is not known.
pub struct Rate {
    pub from: Currency,
    pub to: Currency,
    pub label: String,
    /// The user's rate.
    pub given: String,
}

/// Those that rows need, and those that the user gave.
pub fn rates(visitor: &Visitor, report: &Report, upload: &Upload) -> Vec<Rate> {
    let needed = report.errors.iter().filter_map(|problem| missing_rate(&problem.reason));
    let given: BTreeMap<_, _> = upload.rates.iter().map(|(from, to, rate)| ((*from, *to), *rate)).collect();
    let pairs: BTreeSet<_> = needed.chain(given.keys().copied()).collect();
    let rate = |(from, to): (Currency, Currency)| Rate {
        from,
        to,
        label: visitor.texts.import.rate_of(from.code(), to.code()),
        given: given.get(&(from, to)).map(|rate| figures::written(*rate, &visitor.format)).unwrap_or_default(),
    };
    pairs.into_iter().map(rate).collect()
}

/// The two currencies, if the reason is an exchange rate that is not known.
pub fn missing_rate(reason: &Reason) -> Option<(Currency, Currency)> {
    match reason {
        Reason::Ledger(problem) => match &**problem {
            Inconsistency::MissingRate { from, to, .. } => Some((*from, *to)),
            _ => None,
        },
        Reason::Several { problems } => problems.iter().find_map(missing_rate),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn at_most_a_hundred_questions_fit_on_a_page_and_in_a_form() {
        assert_eq!(fitting(["US0378331005"; 99].into_iter()), 99);
        assert_eq!(fitting(["US0378331005"; 1_500].into_iter()), 100);
        // 24 KiB are 24,576 bytes; a name of 200 letters takes 600 of them, and 40 names take 24,000.
        assert_eq!(fitting([&*"n".repeat(200); 1_500].into_iter()), 40);
        assert_eq!(fitting([&*"n".repeat(20_000); 2].into_iter()), 1);
    }
}
