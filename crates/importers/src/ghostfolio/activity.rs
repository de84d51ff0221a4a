//! One activity, from either file.

use std::borrow::Cow;

use jiff::civil::{Date, Time, date};
use ledger::Decimal;

use crate::reading::fields::{self, one_line};
use crate::reading::{Order, Words, moment};
use crate::reason::Cell;
use crate::rows::Read;
use crate::{Kind, Reason, Record};

/// Texts as written, numbers parsed.
#[derive(Default)]
pub struct Activity<'a> {
    pub line: u64,
    pub kind: Option<Cow<'a, str>>,
    pub date: Option<Cow<'a, str>>,
    pub symbol: Option<Cow<'a, str>>,
    pub source: Option<Cow<'a, str>>,
    pub currency: Option<Cow<'a, str>>,
    pub quantity: Option<Decimal>,
    pub price: Option<Decimal>,
    pub fee: Option<Decimal>,
    pub account: Option<String>,
    pub comment: Option<Cow<'a, str>>,
    pub id: Option<Cow<'a, str>>,
    /// What else the file says about the asset.
    pub name: Option<String>,
    pub isin: Option<String>,
    pub cusip: Option<String>,
    /// From a table, where dates are written in more ways.
    pub in_table: bool,
}

pub static COLUMNS: Words = Words::new(include_str!("columns.txt"));

pub fn read(activity: &Activity<'_>) -> Result<Read, Reason> {
    let word = activity.kind.as_deref().ok_or_else(|| Reason::missing("type"))?;
    let kind = match word.to_uppercase().as_str() {
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        "DIVIDEND" => Kind::Dividend,
        "FEE" => return skip(Reason::AccountFee),
        "INTEREST" => return skip(Reason::Interest),
        "LIABILITY" => return skip(Reason::unsupported_asset("liability")),
        "ITEM" => return skip(Reason::NotListed),
        _ => {
            return Err(Reason::UnknownType(Cell::new("type", word)));
        }
    };
    let (date, time) = day(activity)?;
    let unit = activity.currency.as_deref().ok_or_else(|| Reason::missing("currency"))?;
    let unit = fields::unit("currency", unit)?;
    let mut record = Record { time, ..Record::new(activity.line, date, kind) };
    if let Some(reason) = name(activity, &mut record)? {
        return skip(reason);
    }
    let quantity = activity.quantity.ok_or_else(|| Reason::missing("quantity"))?;
    let price = activity.price.ok_or_else(|| Reason::missing("unit price"))?;
    if quantity.is_zero() {
        return skip(Reason::NoShares);
    }
    let money = |figure: Decimal| unit.normalise(figure).round_dp(fields::DECIMALS_MAX);
    record.shares = Some(quantity);
    record.price = Some(money(price));
    record.fees = activity.fee.map(money);
    record.currency = Some(unit.currency);
    if let (Kind::Dividend, Some(price), Some(fee)) = (kind, record.price, record.fees.filter(|fee| !fee.is_zero())) {
        record.net = quantity.checked_mul(price).map(|gross| gross.saturating_sub(fee).normalize());
    }
    record.portfolio = activity.account.as_deref().map(|account| one_line(account, 100));
    record.id = activity.id.as_deref().map(|id| one_line(id, 100));
    record.note = activity.comment.as_deref().map(|note| one_line(note, 200)).filter(|note| !note.is_empty());
    Ok(record.into())
}

fn skip(reason: Reason) -> Result<Read, Reason> {
    Ok(Read::Skip(reason))
}

/// Ghostfolio writes the year with four digits, preceded by the day and the month.
fn day(activity: &Activity<'_>) -> Result<(Date, Option<Time>), Reason> {
    let text = activity.date.as_deref().ok_or_else(|| Reason::missing("date"))?.trim();
    let wrong = || Reason::NotADate(Cell::new("date", text));
    let first: String = text.chars().take_while(char::is_ascii_digit).collect();
    let year_first = matches!(first.len(), 4 | 8);
    let year_last = text.rsplit(['-', '/', '.']).next().is_some_and(|year| year.len() == 4) && text.len() <= 10;
    let as_written_there = year_first || (year_last && activity.in_table);
    if !as_written_there {
        return Err(wrong());
    }
    let (date, time) = moment("date", text, Order::DayFirst).map_err(|_| wrong())?;
    match date < FIRST_DAY {
        true => Err(Reason::DateTooEarly { date, first: FIRST_DAY }),
        // Midnight means that no time was entered.
        false => Ok((date, time.filter(|time| *time != Time::midnight()))),
    }
}

const FIRST_DAY: Date = date(1970, 1, 1);

/// Identifies the activity's asset, or returns why it is not supported here.
fn name(activity: &Activity<'_>, record: &mut Record) -> Result<Option<Reason>, Reason> {
    let symbol =
        activity.symbol.as_deref().map(str::trim).filter(|symbol| !symbol.is_empty()).ok_or_else(|| Reason::missing("symbol"))?;
    record.isin = activity.isin.as_deref().and_then(|isin| fields::isin("isin", isin).ok());
    record.cusip = activity.cusip.as_deref().map(|cusip| one_line(cusip, 20)).filter(|cusip| !cusip.is_empty());
    record.name = activity.name.as_deref().map(|name| one_line(name, 200)).filter(|name| !name.is_empty());
    let source = activity.source.as_deref().map(str::to_uppercase);
    if source.as_deref().is_some_and(|source| COLUMNS.meaning(source) != Some("data source")) {
        let unknown = activity.source.as_deref().unwrap_or_default();
        return Err(Reason::UnknownType(Cell::new("data source", unknown)));
    }
    if source.as_deref() == Some("MANUAL") {
        return Ok(custom(symbol, record));
    }
    let is_listed = symbol.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-=^&_/:".contains(&byte));
    if !is_listed || symbol.len() > 32 {
        return Err(Reason::NotASymbol(Cell::new("symbol", symbol)));
    }
    // A table may name a security by its ISIN, and has Yahoo's symbols if it names no source.
    match (fields::isin("symbol", symbol), source.as_deref()) {
        (Ok(isin), _) => record.isin = Some(isin),
        (_, Some("YAHOO")) => record.symbol = Some(of_yahoo(symbol, activity)),
        (_, None) if activity.in_table => record.symbol = Some(of_yahoo(symbol, activity)),
        _ => record.ticker = Some(symbol.to_owned()),
    }
    Ok(None)
}

/// A custom asset: a house, a watch, a fund without a listing.
fn custom(symbol: &str, record: &mut Record) -> Option<Reason> {
    if record.isin.is_some() || record.cusip.is_some() {
        return None;
    }
    // Ghostfolio's own symbols for such assets are long numbers.
    let is_ticker = symbol.len() <= 12 && symbol.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    if is_ticker {
        record.ticker = Some(symbol.to_owned());
        return None;
    }
    Some(Reason::NotListed)
}

/// Ghostfolio leaves out the hyphen of a cryptocurrency: `BTCUSD` is Yahoo's `BTC-USD`.
fn of_yahoo(symbol: &str, activity: &Activity<'_>) -> String {
    let symbol = symbol.to_uppercase();
    let currencies = [activity.currency.as_deref().unwrap_or_default(), "USD"];
    let pair = currencies.into_iter().filter(|currency| currency.len() == 3).find_map(|currency| {
        let coin = symbol.strip_suffix(currency)?;
        let is_coin = coin.len() >= 3 && coin.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_coin.then(|| format!("{coin}-{currency}"))
    });
    pair.unwrap_or(symbol)
}
