//! Freetrade: the activity feed as CSV, in both generations of its columns.

use std::collections::HashMap;

use jiff::civil::Time;
use ledger::{Decimal, QuoteUnit, Ratio};

use crate::reading::{Line, Order, Table, Words, day, fields, moment};
use crate::reason::Cell;
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

static VENUES: Words = Words::new(include_str!("venues.txt"));

pub const COLUMNS: &[&str] = &["title", "type", "timestamp", "account currency", "buy / sell", "isin", "instrument currency"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = rows::parse(table, read);
    // Orders have the exchange; dividends of the same share do not.
    let listed = parsed.records.iter().filter_map(|record| Some((record.isin.clone()?, record.suffix?)));
    let suffixes: HashMap<String, &'static str> = listed.collect();
    for record in parsed.records.iter_mut().filter(|record| record.suffix.is_none()) {
        record.suffix = record.isin.as_ref().and_then(|isin| suffixes.get(isin).copied());
    }
    parsed
}

fn read(line: Line<'_, '_>) -> Result<Read, Reason> {
    let written = line.need("type")?;
    let kind = written.to_uppercase();
    match kind.as_str() {
        "ORDER" | "BASIC_ORDER" => order(line).map(Read::from),
        "FREESHARE_ORDER" => free_share(line).map(Read::from),
        "STOCK_SPLIT" => split(line).map(Read::from),
        "DIVIDEND" => dividend(line, Kind::Dividend, None).map(Read::from),
        "PROPERTY" => dividend(line, Kind::Dividend, Some("property income distribution")).map(Read::from),
        "RETURN_OF_CAPITAL" | "CAPITAL_REPAYMENT" => dividend(line, Kind::ReturnOfCapital, None).map(Read::from),
        _ if kind.ends_with("DIVIDEND") => {
            let words = kind.to_lowercase().replace('_', " ");
            dividend(line, Kind::Dividend, Some(&words)).map(Read::from)
        }
        _ if kind.contains("LENDING") || line.any(&["isin", "ticker"]).is_none() => Ok(Read::Skip(Reason::NoShares)),
        _ => Err(Reason::unsupported(written)),
    }
}

fn record(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = moment("timestamp", line.need("timestamp")?, Order::DayFirst)?;
    Ok(Record {
        time,
        ticker: line.text("ticker").and_then(fields::short),
        suffix: line.text("venue").and_then(suffix),
        isin: line.isin("isin"),
        name: line.text("title").and_then(fields::short),
        id: line.text("order id").and_then(fields::short),
        ..Record::new(line.number(), date, kind)
    })
}

/// The suffix of that exchange in our own notation; `None` for an order filled at several.
fn suffix(venue: &str) -> Option<&'static str> {
    VENUES.meaning_in(&venue.to_lowercase()).map(|suffix| suffix.trim_matches('-'))
}

/// The unit in that column, such as `USD`.
fn unit(line: Line<'_, '_>, name: &str) -> Result<QuoteUnit, Reason> {
    fields::unit(name, line.need(name)?)
}

/// In the instrument's currency; the fees are in the account's and are converted at the order's own rate.
fn order(line: Line<'_, '_>) -> Result<Record, Reason> {
    let kind = match line.need("buy / sell")?.to_uppercase().as_str() {
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        other => return Err(Reason::UnknownType(Cell::new("buy / sell", other))),
    };
    priced(line, Record { shares: Some(line.figure_needed("quantity")?.abs()), ..record(line, kind)? })
}

/// At its price of that day, which nobody paid.
fn free_share(line: Line<'_, '_>) -> Result<Record, Reason> {
    let shares = Some(line.figure_needed("quantity")?.abs());
    let note = Some("free share".to_owned());
    Ok(Record { note, fees: None, ..priced(line, Record { shares, ..record(line, Kind::TransferIn)? })? })
}

fn priced(line: Line<'_, '_>, record: Record) -> Result<Record, Reason> {
    let account = unit(line, "account currency")?;
    let fees = fees(line, account)?;
    let own = line.figure("price per share")?;
    if let (Some(price), Ok(instrument)) = (own, unit(line, "instrument currency")) {
        let price = instrument.normalise(price);
        let rate = match instrument.currency == account.currency || fees.is_none_or(|fees| fees.is_zero()) {
            true => Some(Decimal::ONE),
            false => rate(line, price, account)?,
        };
        if let Some(rate) = rate {
            let fees = fees.map(|fees| in_currency(fees, rate)).transpose()?;
            return Ok(Record { price: Some(price), fees, currency: Some(instrument.currency), ..record });
        }
    }
    let price = line.figure("price per share in account currency")?.ok_or_else(|| Reason::missing("price per share"))?;
    Ok(Record { price: Some(account.normalise(price)), fees, currency: Some(account.currency), ..record })
}

fn in_currency(fees: Decimal, rate: Decimal) -> Result<Decimal, Reason> {
    match rate == Decimal::ONE {
        true => Ok(fees),
        false => fees.checked_mul(rate).map(|fees| fees.round_dp(10).normalize()).ok_or(Reason::FiguresTooLarge),
    }
}

/// Stamp duty and the currency conversion fee, in the account's currency.
fn fees(line: Line<'_, '_>, account: QuoteUnit) -> Result<Option<Decimal>, Reason> {
    let mut sum = None;
    for name in ["stamp duty", "fx fee amount"] {
        if let Some(fee) = line.figure(name)? {
            let fee = account.normalise(fee.abs());
            sum = Some(sum.unwrap_or(Decimal::ZERO).checked_add(fee).ok_or(Reason::FiguresTooLarge)?);
        }
    }
    Ok(sum)
}

/// Units of the instrument's currency per unit of the account's. Orders and dividends write it in opposite directions, so the
/// direction is used that leads from one price to the other.
fn rate(line: Line<'_, '_>, price: Decimal, account: QuoteUnit) -> Result<Option<Decimal>, Reason> {
    let beside = line.figure("price per share in account currency")?.map(|price| account.normalise(price));
    let Some(implied) = beside.and_then(|beside| price.checked_div(beside)) else { return Ok(None) };
    let written = [line.figure("base fx rate")?, line.figure("fx rate")?];
    let ways = written.into_iter().flatten().flat_map(|rate| [Some(rate), Decimal::ONE.checked_div(rate)]);
    let tolerance = implied.saturating_mul(Decimal::new(2, 2)).abs();
    Ok(ways.flatten().find(|way| way.saturating_sub(implied).abs() <= tolerance))
}

/// With nearly all details.
fn dividend(line: Line<'_, '_>, kind: Kind, note: Option<&str>) -> Result<Record, Reason> {
    let booked = record(line, kind)?;
    let on = |name: &str| line.text(name).map(|text| day(name, text, Order::DayFirst)).transpose();
    let date = on("dividend pay date")?.unwrap_or(booked.date);
    let time = booked.time.filter(|_| date == booked.date);
    let shares = line.figure("dividend eligible quantity")?.or(line.figure("quantity")?);
    let note = note.and_then(fields::short);
    let paid = Record { date, time, shares, note, ex_date: on("dividend ex date")?, ..booked };
    in_instrument_currency(line, paid)
}

fn in_instrument_currency(line: Line<'_, '_>, record: Record) -> Result<Record, Reason> {
    let account = unit(line, "account currency")?;
    let total = line.figure("total amount")?.or(line.figure("total amount in account currency")?);
    let total = total.map(|total| account.normalise(total));
    let per_share = line.figure("dividend amount per share")?;
    let gross = line.figure("dividend gross distribution amount")?;
    if per_share.is_none() && gross.is_none() {
        let net = Some(total.ok_or_else(|| Reason::missing("total amount"))?);
        let amount = net.filter(|_| record.kind == Kind::ReturnOfCapital);
        return Ok(Record { amount, net, currency: Some(account.currency), ..record });
    }
    let unit = unit(line, "instrument currency")?;
    let whole = |figure: Option<Decimal>| figure.map(|figure| unit.normalise(figure));
    let price = whole(per_share);
    let amount = match (whole(gross), price, record.shares) {
        (Some(gross), _, _) => gross,
        (None, Some(price), Some(shares)) => shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?.round_dp(10).normalize(),
        _ => return Err(Reason::missing("dividend eligible quantity")),
    };
    let came = total.filter(|_| unit.currency == account.currency);
    Ok(Record {
        price,
        amount: Some(amount),
        tax: whole(line.figure("dividend withheld tax amount")?),
        net: whole(line.figure("dividend net distribution amount")?).or(came),
        currency: Some(unit.currency),
        ..record
    })
}

/// Only the newer generation of the file has splits. The older one does not mention them.
fn split(line: Line<'_, '_>) -> Result<Record, Reason> {
    let booked = record(line, Kind::Split)?;
    let from = line.figure("stock split rate of share outturn from")?.filter(|part| *part > Decimal::ZERO);
    let to = line.figure("stock split rate of share outturn to")?.filter(|part| *part > Decimal::ZERO);
    let (Some(old), Some(new)) = (from, to) else {
        return Err(Reason::SplitRatioUnknown);
    };
    let keeps_old = line.text("stock split maintain holding of initial isin");
    if keeps_old.is_some_and(|kept| ["true", "yes", "y", "1"].contains(&kept.to_lowercase().as_str())) {
        return Err(Reason::unsupported("STOCK_SPLIT"));
    }
    let ex_date = line.text("stock split ex date").map(|text| day("stock split ex date", text, Order::DayFirst)).transpose()?;
    let new_isin = line.text("stock split new isin").filter(|isin| booked.isin.as_deref() != Some(isin));
    let note = new_isin.and_then(|isin| crate::reading::fields::short(&format!("under the new ISIN {isin}")));
    // A split takes effect at the start of its day, before that day's orders.
    let (date, time) = ex_date.map_or((booked.date, booked.time), |day| (day, Some(Time::midnight())));
    Ok(Record { date, time, ratio: Some(Ratio { new, old }), note, ..booked })
}

#[cfg(test)]
mod tests {
    use crate::{Kind, Opened};

    #[test]
    fn a_split_comes_before_the_orders_of_its_day() {
        // Newest first: the split is booked a day late, above the order that was filled on its ex-date.
        let text = "Title,Type,Timestamp,Account Currency,Buy / Sell,Ticker,ISIN,Quantity,Order ID,Instrument Currency,\
                    Price per Share,Stock Split Ex Date,Stock Split Rate of Share Outturn From,\
                    Stock Split Rate of Share Outturn To\n\
                    Nvidia,STOCK_SPLIT,2024-06-11T08:00:00.000Z,USD,,NVDA,US67066G1040,2,,USD,,2024-06-10,1,10\n\
                    Nvidia,ORDER,2024-06-10T15:00:00.000Z,USD,BUY,NVDA,US67066G1040,3,A2,USD,121,,,\n\
                    Nvidia,ORDER,2024-06-03T15:00:00.000Z,USD,BUY,NVDA,US67066G1040,2,A1,USD,1150,,,\n";
        let file = Opened::open(text.as_bytes()).unwrap();
        let kinds: Vec<Kind> = crate::detect(&file).unwrap().read(&file).records.iter().map(|record| record.kind).collect();
        assert_eq!(kinds, [Kind::Buy, Kind::Split, Kind::Buy]);
    }
}
