//! The columns of money, whichever year the header is from.

use crate::reading::Table;

/// Where the figures stand that carry their currency in their own name in one year and in a column of its own in another.
pub struct Columns<'t, 'a> {
    pub table: &'t Table<'a>,
    pub total: Option<Priced>,
    /// Of a dividend, after tax.
    pub net_total: Option<Priced>,
    pub tax: Option<Priced>,
    pub fees: Vec<Priced>,
}

pub struct Priced {
    pub name: String,
    pub place: usize,
    /// `Total (GBP)`
    pub code: Option<String>,
    /// `Currency (Total)`
    pub code_place: Option<usize>,
}

impl<'t, 'a> Columns<'t, 'a> {
    pub fn of(table: &'t Table<'a>) -> Columns<'t, 'a> {
        let mut columns = Columns { table, total: None, net_total: None, tax: None, fees: Vec::new() };
        for (place, name) in table.names().enumerate() {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let (stem, code) = match name.strip_suffix(')').and_then(|name| name.split_once(" (")) {
                Some((stem, code)) if code.len() == 3 => (stem, Some(code.to_uppercase())),
                _ => (name.as_str(), None),
            };
            let code_place = table.place(&format!("currency ({stem})"));
            let priced = || Priced { name: stem.to_owned(), place, code, code_place };
            match stem {
                "total" | "gross total" if columns.total.is_none() => columns.total = Some(priced()),
                "net total" => columns.net_total = Some(priced()),
                "withholding tax" => columns.tax = Some(priced()),
                _ if is_fee(stem) => columns.fees.push(priced()),
                _ => {}
            }
        }
        // Where each tax has a column of its own, this one would be their sum.
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

/// Stamp duty, transaction taxes of France and Italy, the PTM levy, FINRA's fee and whatever is added to them.
fn is_fee(stem: &str) -> bool {
    let names_fee = is_tax(stem) || stem == TAXES || [" fee", "commission"].iter().any(|word| stem.contains(word));
    names_fee && !["currency (", "withholding", "deposit fee"].iter().any(|other| stem.starts_with(other))
}
