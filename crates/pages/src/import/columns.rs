//! Asks which column is which, for a table in an unknown format.

use app::import::{self, FileReason, Table};
use messages::web::Texts;

use crate::format::choices::CURRENCIES;
use crate::ledger::words;
use crate::visit::{Form, Visitor};

pub struct Columns {
    pub doubts: Vec<String>,
    /// Field name in the form, label, and the column currently assigned.
    pub fields: Vec<(String, &'static str, String)>,
    /// How an answer refers to a column, and its title.
    pub choices: Vec<(String, String)>,
    pub header: Vec<String>,
    pub sample: Vec<Vec<String>>,
    pub settings: Vec<Setting>,
    /// Labels for the words whose meaning is asked.
    pub words: Vec<String>,
    pub meanings: Vec<(&'static str, &'static str)>,
}

pub struct Setting {
    pub name: &'static str,
    pub label: &'static str,
    pub chosen: String,
    pub choices: Vec<(&'static str, &'static str)>,
}

const SETTINGS: [&str; 5] = ["dates", "decimals", "default", "default-currency", "costs"];

pub fn build(visitor: &Visitor, table: &Table) -> Columns {
    let t = visitor.texts;
    let mut fields = Vec::new();
    for field in import::fields() {
        let taken: Vec<&String> = table.taken.iter().filter(|(known, _)| *known == field).map(|(_, column)| column).collect();
        for at in 0..taken.len().max(1) {
            let column =
                taken.get(at).map(|column| column.as_str()).or_else(|| likely(table, field)).unwrap_or_default().to_owned();
            fields.push((format!("column.{field}"), words::field(t, field), column));
        }
    }
    Columns {
        doubts: table.doubts.iter().map(|doubt| visitor.reason(doubt)).collect(),
        fields,
        choices: table.header.iter().enumerate().map(|(at, name)| choice(table, at, name)).collect(),
        header: table.header.clone(),
        sample: table.sample.clone(),
        settings: SETTINGS.iter().map(|name| setting(t, name, table)).collect(),
        words: asked_words(table).map(|word| t.import.word(word)).collect(),
        meanings: meanings(t),
    }
}

/// The column mapping as text: the form's values override earlier ones.
pub fn mapping(table: &Table, form: &Form) -> Result<String, app::Error> {
    let columns: Vec<(String, String)> = form
        .starting("column.")
        .filter(|(_, column)| !column.is_empty())
        .map(|(field, column)| (field.to_owned(), column.to_owned()))
        .collect();
    let mut before = vec![if table.taken.is_empty() { format!("date=-;{}", table.columns) } else { table.columns.clone() }];
    for name in SETTINGS {
        before.extend(form.non_empty(&format!("setting.{name}")).map(|value| format!("{name}={}", escaped(value))));
    }
    for (at, word) in asked_words(table).enumerate() {
        before
            .extend(form.non_empty(&format!("word.{at}")).map(|meaning| format!("word:{}={}", escaped(word), escaped(meaning))));
    }
    before.retain(|part| !part.is_empty());
    import::columns_text(&before.join(";"), &columns)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;")
}

/// By its title if that is unique, else by its position.
fn choice(table: &Table, at: usize, name: &str) -> (String, String) {
    let alone = !name.trim().is_empty() && table.header.iter().filter(|other| *other == name).count() == 1;
    match alone {
        true => (name.to_owned(), name.to_owned()),
        false => (format!("#{}", at + 1), format!("#{} {name}", at + 1)),
    }
}

/// The likeliest answer about a setting or a field.
fn likely<'t>(table: &'t Table, name: &str) -> Option<&'t str> {
    table.likely.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Words of the file that are in doubt.
fn asked_words(table: &Table) -> impl Iterator<Item = &str> {
    table.doubts.iter().filter_map(|doubt| if let FileReason::UnknownWord { word, .. } = doubt { Some(&**word) } else { None })
}

fn setting(t: &'static Texts, name: &'static str, table: &Table) -> Setting {
    let i = &t.import;
    let chosen = table.columns.split(';').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
    let chosen = chosen.or_else(|| likely(table, name)).unwrap_or_default();
    let (label, choices) = match name {
        "dates" => (i.dates, vec![("day-first", i.day_first), ("month-first", i.month_first)]),
        "decimals" => (i.decimals, vec![("point", i.decimal_point), ("comma", i.decimal_comma)]),
        "default" => (i.default_kind, default_kinds(t)),
        "costs" => (i.costs, vec![("positive", i.costs_positive), ("negative", i.costs_negative)]),
        _ => (i.default_currency, currencies(t)),
    };
    Setting { name, label, chosen: chosen.to_owned(), choices }
}

fn currencies(t: &'static Texts) -> Vec<(&'static str, &'static str)> {
    let traded = std::iter::once(("traded", t.import.traded));
    traded.chain(CURRENCIES.iter().map(|code| (*code, *code))).collect()
}

fn default_kinds(t: &'static Texts) -> Vec<(&'static str, &'static str)> {
    let mut all = meanings(t);
    all.extend([("by-shares", t.import.by_shares), ("by-amount", t.import.by_amount)]);
    all
}

fn meanings(t: &'static Texts) -> Vec<(&'static str, &'static str)> {
    let kinds = app::entries::Kind::ALL.iter().map(|kind| (kind.word(), words::kind(t, *kind)));
    kinds.chain([("tax", t.ledger.tax), ("ignore", t.import.ignore)]).collect()
}
