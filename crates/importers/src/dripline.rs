//! Dripline's own ledger file: CSV, UTF-8, a header row, columns in any order.

use csv::StringRecord;
use ledger::{Decimal, QuoteUnit, Ratio};

use crate::{Kind, Parsed, Problem, Record, fields};

pub const COLUMNS: [&str; 19] = [
    "date",
    "type",
    "symbol",
    "isin",
    "name",
    "shares",
    "price",
    "amount",
    "fees",
    "tax",
    "net",
    "currency",
    "fx_rate",
    "ratio",
    "ex_date",
    "portfolio",
    "source",
    "id",
    "note",
];

pub fn detect(bytes: &[u8]) -> bool {
    let first_line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(line) = std::str::from_utf8(first_line) else { return false };
    let columns: Vec<&str> =
        line.trim_start_matches('\u{feff}').trim_end().split(',').map(|name| name.trim_matches('"')).collect();
    columns.contains(&"date") && columns.contains(&"type") && (columns.contains(&"symbol") || columns.contains(&"isin"))
}

pub fn parse(bytes: &[u8]) -> Parsed {
    let mut parsed = Parsed::default();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let header = match reader
        .headers()
        .cloned()
        .map_err(|_| "the header is not UTF-8 text; save the file as UTF-8".to_owned())
        .and_then(columns_of)
    {
        Ok(header) => Some(header),
        Err(reason) => {
            parsed.errors.push(Problem::new(1, reason));
            None
        }
    };
    let mut raw = csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut raw) {
            Ok(false) => return parsed,
            Ok(true) => {
                parsed.rows += 1;
                let line = line_of(bytes, raw.position());
                match header.as_ref().map(|header| read(header, &raw, line)) {
                    Some(Ok(record)) => parsed.records.push(record),
                    Some(Err(reason)) => parsed.errors.push(Problem::new(line, reason)),
                    None => parsed.skips.push(Problem::new(line, "not read, because the header cannot be used")),
                }
            }
            Err(error) => {
                parsed.rows += 1;
                let line = line_of(bytes, error.position());
                parsed.errors.push(Problem::new(line, "this line is not readable as CSV; check its quotes"));
            }
        }
    }
}

/// The reader's place is where the record before ended: the rest of its line end and blank lines may follow.
fn line_of(bytes: &[u8], place: Option<&csv::Position>) -> u64 {
    let Some(place) = place else { return 0 };
    let rest = usize::try_from(place.byte()).ok().and_then(|start| bytes.get(start..)).unwrap_or_default();
    let before_record = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    place.line() + before_record.filter(|byte| **byte == b'\n').count() as u64
}

/// For each known column its place in the file.
struct Header {
    places: [Option<usize>; COLUMNS.len()],
    width: usize,
}

fn columns_of(header: StringRecord) -> Result<Header, String> {
    let mut places = [None; COLUMNS.len()];
    for (place, name) in header.iter().enumerate() {
        let name = name.trim();
        let column = COLUMNS.iter().position(|column| *column == name);
        let column = column.ok_or_else(|| format!("unknown column \"{name}\"; the columns are {}", COLUMNS.join(",")))?;
        if places[column].replace(place).is_some() {
            return Err(format!("the column \"{name}\" stands twice in the header"));
        }
    }
    for (column, name) in COLUMNS.iter().enumerate().take(2) {
        if places[column].is_none() {
            return Err(format!("the column \"{name}\" is missing from the header"));
        }
    }
    Ok(Header { places, width: header.len() })
}

fn read(header: &Header, raw: &csv::ByteRecord, line: u64) -> Result<Record, String> {
    if raw.len() != header.width {
        return Err(format!("this line has {} fields, the header {}", raw.len(), header.width));
    }
    let row = StringRecord::from_byte_record(raw.clone())
        .map_err(|_| "this line is not UTF-8 text; save the file as UTF-8".to_owned())?;
    let field = |name: &str| -> Option<&str> {
        let column = COLUMNS.iter().position(|column| *column == name)?;
        row.get(header.places[column]?).map(str::trim).filter(|text| !text.is_empty())
    };
    let required = |name: &str| field(name).ok_or_else(|| format!("{name} is missing"));
    let text = |name: &str, chars_max| field(name).map(|text| fields::text(name, text, chars_max)).transpose();
    let figure = |name: &str| field(name).map(|text| fields::decimal(name, text)).transpose();

    let kind = required("type")?;
    let kind = Kind::parse(kind)
        .ok_or_else(|| format!("type \"{kind}\" is unknown; it is one of {}", Kind::ALL.map(Kind::word).join(", ")))?;
    let unit = field("currency").map(QuoteUnit::parse).transpose().map_err(|unknown| format!("currency {unknown}"))?;
    let money = |name: &str| -> Result<Option<Decimal>, String> {
        let whole = figure(name)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure)));
        match whole {
            Some(figure) if figure.scale() > fields::DECIMALS_MAX => {
                Err(format!("{name} has more than {} decimals, the most for a figure in hundredths", fields::DECIMALS_MAX - 2))
            }
            whole => Ok(whole),
        }
    };
    let ratio = field("ratio").map(ratio).transpose()?;
    let record = Record {
        line,
        date: fields::date("date", required("date")?)?,
        kind,
        symbol: field("symbol").map(|text| fields::symbol("symbol", text)).transpose()?,
        isin: field("isin").map(|text| fields::isin("isin", text)).transpose()?,
        name: text("name", 200)?,
        shares: figure("shares")?,
        price: money("price")?,
        amount: money("amount")?,
        fees: money("fees")?,
        tax: money("tax")?,
        net: money("net")?,
        currency: unit.map(|unit| unit.currency),
        fx_rate: figure("fx_rate")?,
        ratio,
        ex_date: field("ex_date").map(|text| fields::date("ex_date", text)).transpose()?,
        portfolio: text("portfolio", 100)?,
        source: text("source", 100)?,
        id: text("id", 200)?,
        note: text("note", 1000)?,
    };
    check(&record)?;
    Ok(record)
}

fn ratio(text: &str) -> Result<Ratio, String> {
    let (new, old) = text.split_once(':').ok_or_else(|| format!("ratio \"{text}\" is not written new:old, such as 4:1"))?;
    fields::decimal("ratio", new.trim())?;
    fields::decimal("ratio", old.trim())?;
    Ratio::parse(text).ok_or_else(|| format!("ratio \"{text}\" is not two numbers above zero, such as 4:1"))
}

/// What each type needs, and what makes no sense for it.
fn check(record: &Record) -> Result<(), String> {
    let kind = record.kind.word();
    if record.symbol.is_none() && record.isin.is_none() {
        return Err("symbol and isin are both missing; give one of them".to_owned());
    }
    if record.kind != Kind::Split && record.ratio.is_some() {
        return Err(format!("a {kind} has no ratio; only a split does"));
    }
    if record.fx_rate.is_some_and(|rate| rate <= Decimal::ZERO) {
        return Err("fx_rate is not above zero".to_owned());
    }
    let priced = record.amount.is_some() || (record.shares.is_some() && record.price.is_some());
    match record.kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => check_trade(record, priced),
        Kind::Split if record.ratio.is_none() => Err("a split needs a ratio, such as 4:1".to_owned()),
        Kind::Split => Ok(()),
        Kind::Dividend if !priced && record.net.is_none() => Err("a dividend needs an amount (gross), or a net".to_owned()),
        Kind::Dividend => Ok(()),
        Kind::ReturnOfCapital if !priced => Err("a return_of_capital needs an amount".to_owned()),
        Kind::ReturnOfCapital if record.amount.or(record.price).is_some_and(|amount| amount < Decimal::ZERO) => {
            Err("the amount of a return_of_capital is below zero".to_owned())
        }
        Kind::ReturnOfCapital => Ok(()),
    }
}

fn check_trade(record: &Record, priced: bool) -> Result<(), String> {
    let kind = record.kind.word();
    let shares = record.shares.ok_or_else(|| format!("a {kind} needs shares"))?;
    if shares <= Decimal::ZERO {
        return Err(format!("shares {shares} is not above zero; the type says which way they go"));
    }
    if !priced && record.kind != Kind::TransferOut {
        return Err(format!("a {kind} needs a price per share, or an amount"));
    }
    let below_zero = [("price", record.price), ("amount", record.amount), ("fees", record.fees)];
    if let Some((name, _)) = below_zero.iter().find(|(_, figure)| figure.is_some_and(|figure| figure < Decimal::ZERO)) {
        return Err(format!("{name} is below zero; the type says which way the money goes"));
    }
    if let (Some(price), Some(amount)) = (record.price, record.amount) {
        let product = shares.checked_mul(price).ok_or("shares × price is too large")?;
        // Brokers round the price they print; a hundredth apart is rounding, more is another trade.
        let tolerance = amount.saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
        if product.saturating_sub(amount).abs() > tolerance {
            return Err(format!("amount {amount} is not shares × price ({}); give one of the two", product.normalize()));
        }
    }
    Ok(())
}
