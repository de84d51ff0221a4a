//! BUX's transactions (CSV): trades, their fees and dividends in separate rows.

mod costs;

use std::collections::BTreeMap;

use costs::Costs;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};

use crate::joining::{moved_shares, negative_purchase};
use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};

const TIME: &str = "transaction time (cet)";
pub const COLUMNS: &[&str] = &[TIME, "transaction category", "transaction type", "transaction amount", "asset id"];

pub fn table(file: &Opened) -> Option<Table<'_>> {
    Table::find(file, COLUMNS).filter(|table| table.has("asset quantity") || table.has("trade quantity"))
}

pub fn parse(table: &Table<'_>) -> Parsed {
    let (mut costs, mut exchanges) = (Costs::default(), Exchanges::default());
    let mut parsed = rows::parse(table, |line| read(line, &mut costs, &mut exchanges));
    parsed.records.extend(exchanges.into_values().flat_map(moved_shares::as_split));
    costs.finish(&mut parsed);
    parsed
}

/// Shares added or removed by corporate actions, by ISIN and day.
type Exchanges = BTreeMap<(String, Date), Vec<Record>>;

fn read(line: Line<'_, '_>, costs: &mut Costs, exchanges: &mut Exchanges) -> Result<Read, Reason> {
    let category = line.text("transaction category").unwrap_or_default().to_lowercase();
    let kind = line.text("transaction type").unwrap_or_default();
    let moved = line.text("transfer type").unwrap_or_default().to_uppercase();
    let named = line.text("asset id").is_some();
    match category.as_str() {
        "trades" => match kind.to_lowercase() {
            kind if kind.contains("sell") => costs.trade(trade(line, Kind::Sell)?, line),
            kind if kind.contains("buy") => costs.trade(trade(line, Kind::Buy)?, line),
            _ => return Err(Reason::unsupported(kind)),
        },
        "dividends" => return dividend(line).map(Read::from),
        "fees" if named => costs.cost(line)?,
        _ if moved == "ASSET_DEPOSIT" || moved == "ASSET_REDEEM" => {
            let record = move_of(line, moved == "ASSET_DEPOSIT")?;
            if category != "corporate_actions" {
                return Ok(record.into());
            }
            exchanges.entry((record.isin.clone().unwrap_or_default(), record.date)).or_default().push(record);
        }
        "deposits" | "withdrawals" | "interest" | "fees" | "others" => return Ok(Read::Skip(Reason::Cash)),
        _ if !named => return Ok(Read::Skip(Reason::Cash)),
        _ => return Err(Reason::unsupported(format!("{category} {kind}"))),
    }
    Ok(Read::Kept)
}

/// In the asset's currency: the amount is in the account's.
fn trade(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let unit = unit(line, &["asset currency", "transaction currency"])?;
    // Older files have other column titles for trades.
    let older = line.figure("trade price")?.zip(line.figure("trade quantity")?);
    let (price, shares) = match older {
        Some(older) => older,
        None => (line.figure_needed("asset price")?, line.figure_needed("asset quantity")?),
    };
    let price = unit.normalise(price);
    let shares = Some(negative_purchase::shares_moved(kind, shares)?);
    Ok(Record { shares, price: Some(price), currency: Some(unit.currency), ..base(line, kind)? })
}

/// Newer files have gross, tax and net; older ones only the amount received.
fn dividend(line: Line<'_, '_>) -> Result<Record, Reason> {
    let gross = line.figure("dividend gross amount")?;
    let stated = gross.is_some() || line.figure("dividend net amount")?.is_some();
    let unit = match stated {
        true => unit(line, &["dividend currency", "transaction currency"])?,
        false => unit(line, &["transaction currency"])?,
    };
    let money = |name: &str| -> Result<Option<Decimal>, Reason> { Ok(line.figure(name)?.map(|figure| unit.normalise(figure))) };
    let net =
        if stated { money("dividend net amount")? } else { Some(unit.normalise(line.figure_needed("transaction amount")?)) };
    let amount = money("dividend gross amount")?;
    let is_reversal = amount.or(net).is_some_and(|paid| paid < Decimal::ZERO);
    Ok(Record {
        amount,
        // A reversal returns its tax.
        tax: money("dividend tax amount")?.map(|tax| if is_reversal { -tax.abs() } else { tax.abs() }),
        net,
        currency: Some(unit.currency),
        ..base(line, Kind::Dividend)?
    })
}

fn move_of(line: Line<'_, '_>, comes: bool) -> Result<Record, Reason> {
    let word = line.text("transaction description").or(line.text("transaction type")).and_then(fields::short);
    let base = base(line, if comes { Kind::TransferIn } else { Kind::TransferOut })?;
    let amount = comes.then_some(Decimal::ZERO);
    let currency = unit(line, &["asset currency", "transaction currency"]).ok().map(|unit| unit.currency);
    Ok(Record { shares: Some(line.figure_needed("asset quantity")?.abs()), amount, currency, note: word, ..base })
}

fn unit(line: Line<'_, '_>, columns: &[&str]) -> Result<QuoteUnit, Reason> {
    let code = line.any(columns).ok_or_else(|| Reason::missing(columns[0]))?;
    fields::unit(columns[0], code)
}

fn base(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = moment(TIME, line.need(TIME)?, Order::DayFirst)?;
    let asset = line.text("asset id");
    let isin = asset.and_then(|asset| fields::isin("asset id", asset).ok());
    Ok(Record { time, isin, name: line.text("asset name").and_then(fields::short), ..Record::new(line.number(), date, kind) })
}
