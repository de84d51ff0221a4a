//! The Transaction History as CSV: one list of everything, with amounts in the account's currency.

use ledger::{Currency, Decimal};

use super::book::{Book, Statement};
use super::entry::{Entry, Part};
use super::sections::{Line, has_section, lines};
use crate::reading::figure;
use crate::{Opened, Parsed, Reason};

const SECTION: &str = "Transaction History";

pub fn detect(file: &Opened) -> bool {
    has_section(file, &[SECTION])
}

pub fn parse(file: &Opened) -> Parsed {
    let lines = lines(file);
    // Its name depends on the account's language; its value is the only currency of the section.
    let mut summary = lines.iter().filter(|line| line.section == "Summary").map(|line| line.row.cell(3));
    let Some(base) = summary.find(|cell| Currency::parse(cell).is_ok()) else {
        return Parsed::refused(1, Reason::AccountCurrencyMissing);
    };
    let mut book = Book { statements: vec![Statement::default()], base: Some(base.to_owned()), ..Book::default() };
    let (mut errors, mut totals) = (Vec::new(), Vec::new());
    for line in lines.iter().filter(|line| line.section == SECTION) {
        match entry(line, base) {
            _ if line.total => totals.push(line.row.line()),
            Ok(entry) => book.entries.push(entry),
            Err(reason) => errors.push((line.row.line(), reason)),
        }
    }
    let mut parsed = book.read();
    parsed.rows += (errors.len() + totals.len()) as u64;
    errors.into_iter().for_each(|(line, reason)| parsed.error(line, reason));
    totals.into_iter().for_each(|line| parsed.skip(line, Reason::Total));
    parsed
}

fn entry(line: &Line<'_>, base: &str) -> Result<Entry, Reason> {
    let kind = line.cell("transactiontype").unwrap_or_default().to_lowercase();
    let description = line.cell("description").unwrap_or_default();
    let has_shares = line.cell("symbol").is_some() && line.cell("quantity").is_some();
    let part = match kind.as_str() {
        "buy" | "sell" | "assignment" | "exercise" | "expiration" => Part::Trades,
        _ if has_shares
            && (kind.contains("corporate") || kind.contains("split") || description.to_uppercase().contains(") SPLIT ")) =>
        {
            Part::Corporate
        }
        _ if has_shares && kind.contains("transfer") => Part::Transfers,
        _ => Part::Cash,
    };
    let mut entry = Entry::new(line.row.line(), part, 0, line.decimals);
    let cell = |name: &str| line.cell(name).unwrap_or_default();
    entry.set("accountid", cell("account"));
    entry.set("date", cell("date"));
    entry.set("description", description);
    entry.set("symbol", cell("symbol"));
    if is_option(cell("symbol")) {
        entry.set("assetcategory", "OPT");
    } else if has_expiry(description) {
        entry.set("assetcategory", "FUT");
    }
    match part {
        // Its figures have footnote marks.
        Part::Trades if entry.text("assetcategory").is_some() => {}
        Part::Trades => trade(line, base, &mut entry)?,
        Part::Cash => {
            entry.set("type", cell("transactiontype"));
            entry.set("currency", base);
            entry.set("amount", line.cell("grossamount").or(line.cell("netamount")).unwrap_or_default());
        }
        _ => {
            entry.set("quantity", cell("quantity"));
            entry.set("currency", line.cell("pricecurrency").unwrap_or(base));
            entry.set("transferprice", cell("price"));
            entry.set("proceeds", line.cell("grossamount").or(line.cell("netamount")).unwrap_or_default());
        }
    }
    Ok(entry)
}

fn trade(line: &Line<'_>, base: &str, entry: &mut Entry) -> Result<(), Reason> {
    let read = |name: &str| line.cell(name).map(|cell| figure(name, cell, line.decimals)).transpose();
    let cell = |name: &str| line.cell(name).unwrap_or_default();
    entry.set("tradedate", cell("date"));
    entry.set("quantity", cell("quantity"));
    entry.set("multiplier", cell("multiplier"));
    let kind = cell("transactiontype").to_lowercase();
    entry.set("buysell", if matches!(kind.as_str(), "buy" | "sell") { &kind } else { "" });
    let product =
        read("quantity")?.zip(read("price")?).and_then(|(shares, price)| shares.checked_mul(price)).map(|product| product.abs());
    let gross = read("grossamount")?.map(|gross| gross.abs());
    let rate = match read("exchangerate")? {
        Some(rate) => Some(rate),
        None => gross.zip(product).and_then(|(gross, product)| gross.checked_div(product)),
    };
    let currency = line.cell("pricecurrency").filter(|currency| *currency != base);
    let like_base = rate.is_some_and(|rate| rate.saturating_sub(Decimal::ONE).abs() < Decimal::new(5, 3));
    entry.set("currency", currency.unwrap_or(base));
    match currency {
        Some(_) => {
            entry.set("tradeprice", cell("price"));
            entry.set("fxratetobase", &rate.map(|rate| rate.round_dp(15).to_string()).unwrap_or_default());
        }
        None => {
            // If the currency is not stated and the price does not agree with the amount, it is in another currency.
            let named = line.cell("pricecurrency").is_some();
            entry.set("tradeprice", if named || like_base { cell("price") } else { "" });
            entry.set("trademoney", cell("grossamount"));
        }
    }
    let fees = [read("commission")?, read("transactionfees")?].into_iter().flatten();
    let fees = fees.fold(Decimal::ZERO, Decimal::saturating_add);
    entry.set("ibcommission", &fees.to_string());
    entry.set("ibcommissioncurrency", base);
    Ok(())
}

/// `QQQ  260320P00500000` and `C UBSE 20291221 28 M`.
fn is_option(symbol: &str) -> bool {
    let words: Vec<&str> = symbol.split_whitespace().collect();
    let has_day = |word: &str| word.len() >= 6 && word.bytes().take(6).all(|byte| byte.is_ascii_digit());
    words.len() > 1 && words.iter().any(|word| has_day(word))
}

/// `MCL JUN26` and `M6E 15JUN26`: what expires is not a share, and one unit is more than one share.
fn has_expiry(description: &str) -> bool {
    const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
    description.split_whitespace().any(|word| {
        let month = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let year = month.get(3..).unwrap_or_default();
        let named = month.get(..3).is_some_and(|month| MONTHS.contains(&month));
        named && word.len() - month.len() <= 2 && year.len() == 2 && year.bytes().all(|byte| byte.is_ascii_digit())
    })
}
