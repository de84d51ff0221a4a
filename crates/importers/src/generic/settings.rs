//! The mapping settings that resolve a reason.

use super::field::Field;
use super::text::{choices, escaped};
use crate::Reason;

const SETTINGS: [&str; 8] = ["dates", "decimals", "default", "default-currency", "costs", "ratios", "style", "word:…"];

impl Reason {
    /// As a person types them, such as `dates=day-first`; `…` stands for what only the user can fill in. Empty if no setting
    /// helps.
    pub fn settings(&self) -> Vec<String> {
        let columns = |fields: &[&str]| fields.iter().map(|field| format!("{field}=…")).collect();
        let each = |setting: &str| choices(setting).into_iter().map(|choice| format!("{setting}={choice}")).collect();
        let money = |name: &str| ["amount", "net"].map(|field| format!("{field}={}", escaped(name))).to_vec();
        let literal = |settings: &[&str]| settings.iter().map(|setting| (*setting).to_owned()).collect();
        match self {
            Reason::OpenQuestions { questions } => questions.iter().flat_map(Reason::settings).collect(),
            Reason::WhichColumn { field } => match *field {
                "date" => columns(&["date"]),
                "security" => columns(&["symbol", "isin", "name"]),
                "shares" => columns(&["shares"]),
                "type" => literal(&["type=…", "default=buy"]),
                "figures" => columns(&["shares", "amount"]),
                _ => columns(&["price", "amount", "net"]),
            },
            Reason::WhichDate { columns } => columns.iter().map(|column| format!("date={}", escaped(column))).collect(),
            Reason::NoTypeColumn => {
                literal(&["type=…", "default=buy", "default=dividend", "default=by-shares", "default=by-amount"])
            }
            Reason::DateOrder { .. } => each("dates"),
            Reason::DecimalMark { .. } => each("decimals"),
            Reason::CostSigns { .. } => each("costs"),
            Reason::RatioOrder { .. } => each("ratios"),
            Reason::GrossOrNet { name, .. } | Reason::AmountUnclear { name, .. } => money(name),
            Reason::WhichCurrency => literal(&["default-currency=EUR", "default-currency=traded", "currency=…"]),
            Reason::CurrenciesDiffer { .. } => columns(&["currency"]),
            Reason::UnknownWord { word, .. } => each(&format!("word:{}", escaped(word))),
            Reason::UnknownChoice(cell) => each(&cell.column),
            Reason::NoColumns => columns(&["date", "type", "shares"]),
            Reason::SettingIncomplete { setting } if setting.starts_with("word:") => literal(&["word:…=buy"]),
            Reason::SettingIncomplete { .. } => literal(&["date=Trade Date"]),
            Reason::UnknownSetting { .. } => columns(&[&Field::ALL.map(Field::word)[..], &SETTINGS[..]].concat()),
            _ => Vec::new(),
        }
    }
}
