//! The texts of the market files. No field contains a comma or a quote, so none is quoted.

use std::fmt::Write;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::days::{last_weekdays, later, month_ends};
use super::dividends::History;
use super::level::price;
use super::stocks::Stock;

pub(super) fn stocks(stocks: &[Stock], today: Date) -> String {
    let mut text = "symbol,name,currency,exchange,type,isin,country,sector,industry,instrument_type,price,price_as_of,\
payout_ratio,fcf_cover,pe,ma50,ma200,low52,high52\n"
        .to_owned();
    let Some(day) = last_weekdays(today, 1).pop() else { return text };
    for stock in stocks {
        let Stock { symbol, name, unit, exchange, kind, isin, country, sector, industry, payout, fcf_cover, pe, .. } = stock;
        let Range { now, ma50, ma200, low52, high52 } = range(stock, day);
        let instrument = kind.to_lowercase();
        let _ = writeln!(
            text,
            "{symbol},{name},{unit},{exchange},{kind},{isin},{country},{sector},{industry},{instrument},{now},{day}T16:30:00Z,\
{payout},{fcf_cover},{pe},{ma50},{ma200},{low52},{high52}"
        );
    }
    text
}

pub(super) fn dividends(histories: &[History<'_>]) -> String {
    let mut text = "symbol,ex_date,pay_date,declared_date,amount,currency,kind\n".to_owned();
    for History { stock, payments, .. } in histories {
        for payment in payments {
            let kind = if payment.special { "special" } else { "regular" };
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{kind}",
                stock.symbol, payment.ex_date, payment.pay_date, payment.declared, payment.amount, stock.unit
            );
        }
    }
    text
}

pub(super) fn splits(histories: &[History<'_>]) -> String {
    let mut text = "symbol,date,ratio\n".to_owned();
    for history in histories {
        if let Some(split) = history.split {
            let _ = writeln!(text, "{},{},{}:1", history.stock.symbol, split.date, split.factor);
        }
    }
    text
}

/// Month-ends of six years, adjusted for splits.
pub(super) fn prices(stocks: &[Stock], today: Date) -> String {
    let mut text = "symbol,date,close\n".to_owned();
    let days = month_ends(today, 6);
    for stock in stocks {
        for day in &days {
            let _ = writeln!(text, "{},{day},{}", stock.symbol, price(stock, *day));
        }
    }
    text
}

struct Range {
    now: Decimal,
    ma50: Decimal,
    ma200: Decimal,
    low52: Decimal,
    high52: Decimal,
}

/// From one price a week: fifty trading days are ten of them, two hundred are forty.
fn range(stock: &Stock, day: Date) -> Range {
    let weekly: Vec<Decimal> = (0..=52).map(|weeks| price(stock, later(day, -7 * weeks))).collect();
    let mean = |prices: &[Decimal]| {
        let sum = prices.iter().fold(Decimal::ZERO, |sum, price| sum.saturating_add(*price));
        sum.checked_div(prices.len().into()).unwrap_or_default().round_dp(2)
    };
    Range {
        now: weekly[0],
        ma50: mean(&weekly[..10]),
        ma200: mean(&weekly[..40]),
        low52: weekly.iter().copied().min().unwrap_or_default(),
        high52: weekly.iter().copied().max().unwrap_or_default(),
    }
}
