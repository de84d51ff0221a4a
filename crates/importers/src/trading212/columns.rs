//! The positions of all columns, with the header of any year: found once, because every row needs them.

use crate::reading::Table;

pub const SHARES: &str = "no. of shares";
pub const PRICE: &str = "price / share";
pub const EXCHANGE_RATE: &str = "exchange rate";

pub struct Columns {
    pub action: Option<usize>,
    /// The better one first.
    pub times: [Option<usize>; 2],
    pub isin: Option<usize>,
    pub ticker: Option<usize>,
    pub name: Option<usize>,
    pub notes: Option<usize>,
    pub id: Option<usize>,
    pub shares: Option<usize>,
    pub price: Option<usize>,
    pub unit: Option<usize>,
    pub exchange_rate: Option<usize>,
    pub total: Option<Priced>,
    /// For a dividend, after tax.
    pub net_total: Option<Priced>,
    pub tax: Option<Priced>,
    pub fees: Vec<Priced>,
}

/// An amount whose currency is in its own title in some years, and in a separate column in others.
pub struct Priced {
    pub name: String,
    pub place: usize,
    /// `Total (GBP)`
    pub code: Option<String>,
    /// `Currency (Total)`
    pub code_place: Option<usize>,
}

impl Columns {
    pub fn of(table: &Table<'_>) -> Columns {
        let mut columns = Columns {
            action: table.index("action"),
            times: ["time (utc)", "time"].map(|name| table.index(name)),
            isin: table.index("isin"),
            ticker: table.index("ticker"),
            name: table.index("name"),
            notes: table.index("notes"),
            id: table.index("id"),
            shares: table.index(SHARES),
            price: table.index(PRICE),
            unit: table.index("currency (price / share)"),
            exchange_rate: table.index(EXCHANGE_RATE),
            total: None,
            net_total: None,
            tax: None,
            fees: Vec::new(),
        };
        for (place, name) in table.names().enumerate() {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let (stem, code) = match name.strip_suffix(')').and_then(|name| name.split_once(" (")) {
                Some((stem, code)) if code.len() == 3 => (stem, Some(code.to_uppercase())),
                _ => (name.as_str(), None),
            };
            let code_place = table.index(&format!("currency ({stem})"));
            let priced = || Priced { name: stem.to_owned(), place, code, code_place };
            match stem {
                "total" | "gross total" if columns.total.is_none() => columns.total = Some(priced()),
                "net total" => columns.net_total = Some(priced()),
                "withholding tax" => columns.tax = Some(priced()),
                _ if is_fee(stem) => columns.fees.push(priced()),
                _ => {}
            }
        }
        // If each tax has a separate column, this one would be their sum.
        if columns.fees.iter().any(|fee| is_tax(&fee.name)) {
            columns.fees.retain(|fee| fee.name != TAXES);
        }
        columns
    }
}

const TAXES: &str = "taxes";

fn is_tax(stem: &str) -> bool {
    [" tax", "duty", "levy"].iter().any(|word| stem.contains(word))
}

/// Stamp duty, transaction taxes of France and Italy, the PTM levy, FINRA's fee and any later additions.
fn is_fee(stem: &str) -> bool {
    let names_fee = is_tax(stem) || stem == TAXES || [" fee", "commission"].iter().any(|word| stem.contains(word));
    names_fee && !["currency (", "withholding", "deposit fee"].iter().any(|other| stem.starts_with(other))
}
