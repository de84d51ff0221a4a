//! A mapping as a person types it and as it is stored: `date=Trade Date;type=Action;shares=Qty;word:Kauf=buy;dates=day-first`.

use std::fmt;

use ledger::{Currency, Kind};

use super::field::Field;
use super::mapping::{Costs, DefaultCurrency, Mapping, Meaning, Ratios, Style};
use super::names::plain;
use crate::Reason;
use crate::reading::{Decimals, Order};
use crate::reason::Cell;

impl Mapping {
    pub fn parse(text: &str) -> Result<Mapping, Reason> {
        let mut mapping = Mapping::default();
        for part in parts(text) {
            mapping.add(&part)?;
        }
        match mapping.columns.is_empty() {
            true => Err(Reason::NoColumns),
            false => Ok(mapping),
        }
    }

    fn add(&mut self, part: &str) -> Result<(), Reason> {
        let incomplete = || Reason::SettingIncomplete { setting: part.into() };
        if let Some(word) = part.strip_prefix("word:") {
            let (word, meaning) = word.rsplit_once('=').ok_or_else(incomplete)?;
            let meaning = choice(&format!("word:{word}"), meaning, &MEANINGS)?;
            self.words.retain(|(known, _)| plain(known) != plain(word));
            self.words.push((collapsed(word), meaning));
            return Ok(());
        }
        let (key, value) = part.split_once('=').ok_or_else(incomplete)?;
        let value = value.trim();
        if value.is_empty() {
            return Err(incomplete());
        }
        let key = key.trim().to_lowercase();
        let key = key.as_str();
        match key {
            "dates" => self.dates = Some(choice(key, value, &ORDERS)?),
            "decimals" => self.decimals = Some(choice(key, value, &DECIMALS)?),
            "default" => self.default = Some(choice(key, value, &MEANINGS)?),
            "costs" => self.costs = Some(choice(key, value, &COSTS)?),
            "ratios" => self.ratios = Some(choice(key, value, &RATIOS)?),
            "style" => self.style = choice(key, value, &STYLES)?,
            "default-currency" => self.currency = Some(default_currency(value)?),
            key => self.add_column(key, value)?,
        }
        Ok(())
    }

    fn add_column(&mut self, key: &str, column: &str) -> Result<(), Reason> {
        let field = Field::parse(key).ok_or_else(|| Reason::UnknownSetting { setting: key.into() })?;
        let column = collapsed(column);
        let same = |other: &str| plain(other) == plain(&column);
        if self.columns.iter().any(|(known, other)| *known == field && same(other)) {
            return Ok(());
        }
        // An answer after a suggestion: the last one counts, and not gross and net at once.
        self.columns.retain(|(known, other)| !(known.is_money() && field.is_money() && same(other)));
        if self.columns.iter().any(|(known, _)| *known == field) && !field.adds_up() {
            return Err(Reason::ChosenTwice { column: field.word().into() });
        }
        self.columns.push((field, column));
        Ok(())
    }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> =
            self.columns.iter().map(|(field, column)| format!("{}={}", field.word(), escaped(column))).collect();
        let mut set = |key: &str, value: Option<&str>| parts.extend(value.map(|value| format!("{key}={value}")));
        set("dates", self.dates.map(|order| named(&ORDERS, order)));
        set("decimals", self.decimals.map(|decimals| named(&DECIMALS, decimals)));
        set("default", self.default.map(|meaning| named(&MEANINGS, meaning)));
        set(
            "default-currency",
            self.currency.as_ref().map(|currency| match currency {
                DefaultCurrency::Traded => "traded",
                DefaultCurrency::Of(currency) => currency.code(),
            }),
        );
        set("costs", self.costs.map(|costs| named(&COSTS, costs)));
        set("ratios", self.ratios.map(|ratios| named(&RATIOS, ratios)));
        set("style", Some(self.style).filter(|style| *style != Style::Broker).map(|style| named(&STYLES, style)));
        parts.extend(self.words.iter().map(|(word, meaning)| format!("word:{}={}", escaped(word), named(&MEANINGS, *meaning))));
        f.write_str(&parts.join(";"))
    }
}

const ORDERS: [(&str, Order); 2] = [("day-first", Order::DayFirst), ("month-first", Order::MonthFirst)];
const DECIMALS: [(&str, Decimals); 2] = [("point", Decimals::Point), ("comma", Decimals::Comma)];
const COSTS: [(&str, Costs); 2] = [("positive", Costs::Positive), ("negative", Costs::Negative)];
const RATIOS: [(&str, Ratios); 2] = [("new-first", Ratios::NewFirst), ("old-first", Ratios::OldFirst)];
const STYLES: [(&str, Style); 3] = [("broker", Style::Broker), ("yahoo", Style::Yahoo), ("dripline", Style::Dripline)];
const MEANINGS: [(&str, Meaning); 12] = [
    ("buy", Meaning::Kind(Kind::Buy)),
    ("sell", Meaning::Kind(Kind::Sell)),
    ("dividend", Meaning::Kind(Kind::Dividend)),
    ("split", Meaning::Kind(Kind::Split)),
    ("transfer_in", Meaning::Kind(Kind::TransferIn)),
    ("transfer_out", Meaning::Kind(Kind::TransferOut)),
    ("return_of_capital", Meaning::Kind(Kind::ReturnOfCapital)),
    ("by-shares", Meaning::ByShares),
    ("by-amount", Meaning::ByAmount),
    ("transfer", Meaning::Transfer),
    ("tax", Meaning::Tax),
    ("ignore", Meaning::Ignore),
];

fn choice<T: Copy>(setting: &str, text: &str, choices: &[(&str, T)]) -> Result<T, Reason> {
    let same = |text: &str| text.trim().to_lowercase().replace('_', "-");
    let chosen = choices.iter().find(|(name, _)| same(name) == same(text)).map(|(_, choice)| *choice);
    chosen.ok_or_else(|| Reason::UnknownChoice(Cell::new(setting, text.trim())))
}

/// The meaning with that name.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    choice("", name, &MEANINGS).ok()
}

/// The possible values of a setting.
pub(super) fn choices(setting: &str) -> Vec<&'static str> {
    fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
        choices.iter().map(|(name, _)| *name).collect()
    }
    match setting {
        "dates" => names(&ORDERS),
        "decimals" => names(&DECIMALS),
        "costs" => names(&COSTS),
        "ratios" => names(&RATIOS),
        "style" => names(&STYLES),
        _ => names(&MEANINGS),
    }
}

fn named<T: PartialEq>(choices: &[(&'static str, T)], choice: T) -> &'static str {
    choices.iter().find(|(_, known)| *known == choice).map_or("", |(name, _)| name)
}

fn default_currency(text: &str) -> Result<DefaultCurrency, Reason> {
    match text.to_lowercase().as_str() {
        "traded" => Ok(DefaultCurrency::Traded),
        _ => Currency::parse(&text.to_uppercase())
            .map(DefaultCurrency::Of)
            .map_err(|unknown| Reason::unknown_currency("default-currency", unknown)),
    }
}

/// Separated by semicolons; `\;` is part of a name.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ';' | '\n' => parts.push(String::new()),
            letter => {
                let letter = if letter == '\\' { letters.next().unwrap_or('\\') } else { letter };
                if let Some(part) = parts.last_mut() {
                    part.push(letter);
                }
            }
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;")
}

/// With single spaces: a title over two lines is one name.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_written_as_it_was_typed() {
        let text = "date=Trade Date;type=Action;shares=Qty;fees=Commission;fees=Stamp\\;duty;price=#4;dates=day-first;\
                    decimals=comma;default=by-shares;default-currency=EUR;costs=negative;ratios=old-first;style=yahoo;\
                    word:Kauf=buy;word:A=B=transfer_in;word:Zins=ignore;word:back\\\\slash=tax";
        let mapping = Mapping::parse(text).unwrap();
        assert_eq!(mapping.to_string(), text);
        assert_eq!(Mapping::parse(&mapping.to_string()), Ok(mapping.clone()));
        assert_eq!(mapping.columns[4], (Field::Fees, "Stamp;duty".to_owned()));
        assert_eq!(mapping.meaning("  kAUF "), Some(Meaning::Kind(Kind::Buy)));
        assert_eq!(mapping.meaning("a=b"), Some(Meaning::Kind(Kind::TransferIn)));
    }

    #[test]
    fn spaces_case_and_empty_parts_of_a_mapping_do_not_matter() {
        let mapping =
            Mapping::parse(" Date = Trade   Date ;;\n ex-date=Ex ; default-currency=traded; word:X = Transfer-In; ").unwrap();
        assert_eq!(mapping.to_string(), "date=Trade Date;ex_date=Ex;default-currency=traded;word:X=transfer_in");
    }

    #[test]
    fn errors_in_a_mapping_are_named() {
        let reason = |text: &str| Mapping::parse(text).unwrap_err();
        let incomplete = |setting: &str| Reason::SettingIncomplete { setting: setting.into() };
        let unknown_choice = |setting: &str, text: &str| Reason::UnknownChoice(Cell::new(setting, text));
        assert_eq!(reason(" ; "), Reason::NoColumns);
        assert_eq!(reason("date"), incomplete("date"));
        assert_eq!(reason("date="), incomplete("date="));
        assert_eq!(reason("word:Kauf"), incomplete("word:Kauf"));
        assert_eq!(reason("colour=Red"), Reason::UnknownSetting { setting: "colour".into() });
        assert_eq!(reason("date=A;date=B"), Reason::ChosenTwice { column: "date".into() });
        assert_eq!(reason("dates=ymd"), unknown_choice("dates", "ymd"));
        assert_eq!(reason("word:Kauf=purchase"), unknown_choice("word:Kauf", "purchase"));
        assert_eq!(reason("default-currency=Euro"), Reason::UnknownCurrency(Cell::new("default-currency", "EURO")));
    }
}
