//! An entry in the form: what was typed, and what it means.

use std::collections::BTreeMap;

use app::entries::{Asked, Draft, Kind, Reinvested};
use jiff::civil::Date;
use ledger::{Currency, Decimal, Ratio};
use messages::web::Texts;

use crate::format::Format;
use crate::format::figures;
use crate::visit::links::escaped;

/// All fields, by the name that the use case uses.
pub const FIELDS: [&str; 18] = [
    "portfolio",
    "date",
    "kind",
    "symbol",
    "shares",
    "price",
    "amount",
    "fees",
    "tax",
    "net",
    "ratio",
    "currency",
    "fx_rate",
    "ex_date",
    "reinvested",
    "reinvested_shares",
    "reinvested_price",
    "note",
];

/// Those of the purchase that a dividend paid for; they only count if it is ticked.
pub const REINVESTED: &str = "reinvested";
pub const PURCHASE: [&str; 2] = ["reinvested_price", "reinvested_shares"];

/// The type of a transfer in that is an opening position.
pub const OPENING: &str = "opening";

const BYTES_MAX: usize = 2_000;

/// What is wrong with a field.
pub struct Problem {
    pub field: &'static str,
    pub reason: String,
    /// The reason begins with the field's name.
    pub labelled: bool,
}

impl Problem {
    fn new(field: &'static str, reason: String) -> Problem {
        Problem { field, reason, labelled: false }
    }
}

#[derive(Clone, Default)]
pub struct Typed {
    values: BTreeMap<&'static str, String>,
}

impl Typed {
    pub fn by(read: impl Fn(&'static str) -> Option<String>) -> Typed {
        let values =
            FIELDS.into_iter().filter_map(|field| Some((field, read(field)?))).filter(|(_, value)| value.len() <= BYTES_MAX);
        Typed { values: values.collect() }
    }

    pub fn of_draft(draft: &Draft, f: &Format) -> Typed {
        let figure = |figure: Option<Decimal>| figure.map(|figure| figures::written(figure, f));
        let (reinvested, bought) = match draft.reinvested {
            Reinvested::Yes { shares, price } => (Some("true".to_owned()), [shares, price]),
            _ => (None, [None; 2]),
        };
        Typed::by(|field| match field {
            "portfolio" => Some(draft.portfolio.clone()),
            "date" => Some(draft.date.to_string()),
            "kind" => Some(if draft.opening { OPENING } else { draft.kind.word() }.to_owned()),
            "symbol" => Some(draft.symbol.clone()),
            "shares" => figure(draft.shares),
            "price" => figure(draft.price),
            "amount" => figure(draft.amount),
            "fees" => figure(draft.fees),
            "tax" => figure(draft.tax),
            "net" => figure(draft.net),
            "ratio" => draft.ratio.map(|ratio| ratio.to_string()),
            "currency" => draft.currency.map(|currency| currency.to_string()),
            "fx_rate" => figure(draft.fx_rate),
            "ex_date" => draft.ex_date.map(|date| date.to_string()),
            REINVESTED => reinvested.clone(),
            "reinvested_shares" => figure(bought[0]),
            "reinvested_price" => figure(bought[1]),
            _ => draft.note.clone(),
        })
    }

    pub fn get(&self, field: &str) -> &str {
        self.values.get(field).map_or("", |value| value.trim())
    }

    pub fn set(&mut self, field: &'static str, value: &str) {
        self.values.insert(field, value.to_owned());
    }

    pub fn kind(&self) -> Kind {
        match self.is_opening() {
            true => Kind::TransferIn,
            false => Kind::parse(self.get("kind")).unwrap_or(Kind::Buy),
        }
    }

    pub fn is_opening(&self) -> bool {
        self.get("kind") == OPENING
    }

    /// The type as the form sends it.
    pub fn kind_word(&self) -> &'static str {
        if self.is_opening() { OPENING } else { self.kind().word() }
    }

    /// The values that a link keeps.
    pub fn query(&self) -> String {
        let given = FIELDS.into_iter().filter(|field| !self.get(field).is_empty());
        given.map(|field| format!("&{field}={}", escaped(self.get(field)))).collect()
    }

    /// What was entered, or the fields that cannot be read.
    pub fn draft(&self, f: &Format, t: &'static Texts) -> Result<Draft, Vec<Problem>> {
        let mut problems = Vec::new();
        let draft = Draft {
            portfolio: self.get("portfolio").to_owned(),
            date: self.day("date", t, &mut problems).unwrap_or_default(),
            kind: self.kind(),
            opening: self.is_opening(),
            symbol: self.get("symbol").to_owned(),
            shares: self.figure("shares", f, t, &mut problems),
            price: self.figure("price", f, t, &mut problems),
            amount: self.figure("amount", f, t, &mut problems),
            fees: self.figure("fees", f, t, &mut problems),
            tax: self.figure("tax", f, t, &mut problems),
            net: self.figure("net", f, t, &mut problems),
            currency: self
                .read("currency", t.ledger.odd_currency, &mut problems, |text| Currency::parse(&text.to_uppercase()).ok()),
            fx_rate: self.figure("fx_rate", f, t, &mut problems),
            ratio: self.read("ratio", t.ledger.odd_ratio, &mut problems, Ratio::parse),
            ex_date: self.day("ex_date", t, &mut problems),
            reinvested: self.reinvested(f, t, &mut problems),
            note: Some(self.get("note").to_owned()).filter(|note| !note.is_empty()),
        };
        if self.get("date").is_empty() {
            problems.push(Problem::new("date", t.ledger.no_date.to_owned()));
        }
        if problems.is_empty() { Ok(draft) } else { Err(problems) }
    }

    fn reinvested(&self, f: &Format, t: &'static Texts, problems: &mut Vec<Problem>) -> Reinvested {
        match (self.kind(), self.is_reinvested()) {
            (Kind::Dividend, true) => Reinvested::Yes {
                shares: self.figure("reinvested_shares", f, t, problems),
                price: self.figure("reinvested_price", f, t, problems),
            },
            (Kind::Dividend, false) => Reinvested::No,
            _ => Reinvested::AsBefore,
        }
    }

    pub fn is_reinvested(&self) -> bool {
        !self.get(REINVESTED).is_empty()
    }

    /// `None` without a symbol or a date.
    pub fn asked(&self) -> Option<Asked> {
        Some(Asked {
            kind: self.kind(),
            symbol: self.non_empty("symbol")?.to_owned(),
            portfolio: self.get("portfolio").to_owned(),
            date: self.get("date").parse().ok()?,
            ex_date: self.get("ex_date").parse().ok(),
            currency: Currency::parse(&self.get("currency").to_uppercase()).ok(),
        })
    }

    /// `None` if nothing was typed.
    fn non_empty(&self, field: &str) -> Option<&str> {
        Some(self.get(field)).filter(|text| !text.is_empty())
    }

    fn figure(&self, field: &'static str, f: &Format, t: &'static Texts, problems: &mut Vec<Problem>) -> Option<Decimal> {
        match figures::parse(self.non_empty(field)?, f) {
            Ok(figure) => Some(figure),
            Err(error) => {
                problems.push(Problem::new(field, error.text(t)));
                None
            }
        }
    }

    fn day(&self, field: &'static str, t: &'static Texts, problems: &mut Vec<Problem>) -> Option<Date> {
        self.read(field, t.ledger.odd_date, problems, |text| text.parse().ok())
    }

    fn read<T>(
        &self,
        field: &'static str,
        otherwise: &str,
        problems: &mut Vec<Problem>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let read = parse(self.non_empty(field)?);
        if read.is_none() {
            problems.push(Problem::new(field, otherwise.to_owned()));
        }
        read
    }
}

/// The fields that an entry of this type needs, and those that few entries have.
pub fn layout(typed: &Typed) -> [&'static [&'static str]; 2] {
    match typed.kind() {
        Kind::Buy | Kind::Sell => {
            [&["shares", "price", "date"], &["amount", "fees", "tax", "currency", "fx_rate", "note", "portfolio"]]
        }
        Kind::TransferIn if typed.is_opening() => [&["shares", "price", "amount", "date"], &["currency", "note", "portfolio"]],
        Kind::TransferIn => [&["shares", "price", "date"], &["amount", "currency", "fx_rate", "note", "portfolio"]],
        Kind::TransferOut => [&["shares", "date"], &["note", "portfolio"]],
        Kind::Dividend => [
            &["amount", "tax", "price", "shares", "date"],
            &["net", "fees", "ex_date", "currency", "fx_rate", "note", "portfolio"],
        ],
        Kind::Split => [&["ratio", "date"], &["note", "portfolio"]],
        Kind::ReturnOfCapital => [&["amount", "date"], &["tax", "currency", "fx_rate", "note", "portfolio"]],
    }
}
