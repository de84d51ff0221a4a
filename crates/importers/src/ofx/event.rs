//! What each transaction of an investment account means.

use ledger::{Decimal, Kind};

use super::blocks::Block;
use super::record::{Class, Securities, date, needed, number, record};
use crate::joining::split_ratio;
use crate::reading::fields;
use crate::{Reason, Record};

pub enum Event {
    Records(Vec<Record>),
    Dividend(Box<Record>),
    /// Positive if it was withheld.
    Tax(Decimal, Box<Record>),
    Skip(Reason),
}

pub fn read(block: &Block, securities: &Securities<'_>) -> Result<Event, Reason> {
    if let Some(reason) = skip_reason(block, securities) {
        return Ok(Event::Skip(reason));
    }
    match block.kind.as_str() {
        "BUYSTOCK" | "BUYMF" | "BUYOTHER" => Ok(Event::Records(vec![trade(block, securities, Kind::Buy)?])),
        "SELLSTOCK" | "SELLMF" | "SELLOTHER" => Ok(Event::Records(vec![trade(block, securities, Kind::Sell)?])),
        "REINVEST" => Ok(Event::Records(reinvestment(block, securities)?)),
        "INCOME" => Ok(Event::Dividend(Box::new(income(block, securities)?))),
        "RETOFCAP" => Ok(Event::Records(vec![Record {
            amount: needed(block, "TOTAL").map(Some)?,
            ..record(block, securities, Kind::ReturnOfCapital)?
        }])),
        "SPLIT" => Ok(Event::Records(vec![split(block, securities)?])),
        "TRANSFER" => Ok(Event::Records(vec![transfer(block, securities)?])),
        "INVEXPENSE" => {
            let tax = Decimal::ZERO.saturating_sub(needed(block, "TOTAL")?);
            Ok(Event::Tax(tax, Box::new(record(block, securities, Kind::Dividend)?)))
        }
        kind => Err(Reason::unsupported(kind)),
    }
}

/// Why a transaction is skipped.
fn skip_reason(block: &Block, securities: &Securities<'_>) -> Option<Reason> {
    let memo = block.get("MEMO").or(block.get("NAME")).and_then(fields::short).unwrap_or_default();
    let is = |name: &str, value: &str| block.get(name).is_some_and(|found| found.eq_ignore_ascii_case(value));
    let class = securities.class(block);
    let named = block.get("UNIQUEID").is_some();
    match block.kind.as_str() {
        "INVBANKTRAN" | "STMTTRN" => Some(Reason::Cash),
        "MARGININTEREST" => Some(Reason::Interest),
        "JRNLFUND" => Some(Reason::Cash),
        "JRNLSEC" => Some(Reason::MovedInside),
        _ if class == Class::Option => Some(Reason::unsupported_asset("option")),
        _ if class == Class::Bond => Some(Reason::unsupported_asset("bond")),
        _ if is("BUYTYPE", "BUYTOCOVER") || is("SELLTYPE", "SELLSHORT") || is("POSTYPE", "SHORT") => Some(Reason::ShortSale),
        "TRANSFER" if class == Class::Unknown && memo.to_uppercase().starts_with("EXPIRED") => {
            Some(Reason::unsupported_asset("option"))
        }
        "INCOME" if is("INCOMETYPE", "INTEREST") && class == Class::Unknown => Some(Reason::Interest),
        "INVEXPENSE" if !named || !is_tax(&memo) => Some(Reason::AccountFee),
        _ => None,
    }
}

fn is_tax(memo: &str) -> bool {
    let memo = memo.to_uppercase();
    ["TAX", "W/H", "WITHH", "WHOLD"].iter().any(|word| memo.contains(word))
}

fn trade(block: &Block, securities: &Securities<'_>, kind: Kind) -> Result<Record, Reason> {
    if block.get("REVERSALFITID").is_some() {
        return Err(Reason::ReversedMissing);
    }
    let fees = fees(block)?;
    // The total is what the account paid or received, including all charges.
    let gross = number(block, "TOTAL")?.map(|total| match kind {
        Kind::Buy => total.abs().saturating_sub(fees.unwrap_or_default()),
        _ => total.saturating_add(fees.unwrap_or_default()),
    });
    Ok(Record {
        shares: Some(needed(block, "UNITS")?.abs()),
        price: number(block, "UNITPRICE")?.filter(|price| !price.is_zero()),
        amount: gross,
        fees,
        ..record(block, securities, kind)?
    })
}

/// The sum of all charges; `None` if there are none.
fn fees(block: &Block) -> Result<Option<Decimal>, Reason> {
    let mut sum: Option<Decimal> = None;
    for name in ["COMMISSION", "FEES", "TAXES", "LOAD", "PENALTY"] {
        if let Some(charge) = number(block, name)? {
            sum = Some(sum.unwrap_or_default().saturating_add(charge.abs()));
        }
    }
    Ok(sum)
}

/// The dividend and the shares bought with it; both negated for a reversal.
fn reinvestment(block: &Block, securities: &Securities<'_>) -> Result<Vec<Record>, Reason> {
    let units = needed(block, "UNITS")?;
    let back = units.is_sign_negative();
    let price = number(block, "UNITPRICE")?.filter(|price| !price.is_zero());
    let total = match number(block, "TOTAL")? {
        Some(total) => total.abs(),
        None => price.and_then(|price| price.checked_mul(units.abs())).ok_or_else(|| Reason::missing("TOTAL"))?,
    };
    let dividend = Record {
        amount: Some(if back { Decimal::ZERO.saturating_sub(total) } else { total }),
        tax: withheld(block)?,
        note: note(block),
        ..record(block, securities, Kind::Dividend)?
    };
    let fees = fees(block)?;
    let bought = record(block, securities, if back { Kind::Sell } else { Kind::Buy })?;
    let id = bought.id.as_ref().map(|id| format!("{id} shares"));
    let amount = Some(total.saturating_sub(fees.unwrap_or_default()));
    Ok(vec![dividend, Record { second: true, shares: Some(units.abs()), price, amount, fees, id, ..bought }])
}

/// For distributions the total is the amount before tax, which is given separately.
fn income(block: &Block, securities: &Securities<'_>) -> Result<Record, Reason> {
    Ok(Record {
        amount: Some(needed(block, "TOTAL")?),
        tax: withheld(block)?,
        note: note(block),
        ..record(block, securities, Kind::Dividend)?
    })
}

fn withheld(block: &Block) -> Result<Option<Decimal>, Reason> {
    let federal = number(block, "WITHHOLDING")?.map(|tax| tax.abs());
    let state = number(block, "STATEWITHHOLDING")?.map(|tax| tax.abs());
    let all = [federal, state].into_iter().flatten().reduce(Decimal::saturating_add);
    let back = number(block, "TOTAL")?.is_some_and(|total| total.is_sign_negative()) && block.kind == "INCOME";
    Ok(all.map(|tax| if back { Decimal::ZERO.saturating_sub(tax) } else { tax }))
}

fn note(block: &Block) -> Option<String> {
    let text = match block.get("INCOMETYPE").unwrap_or_default().to_ascii_uppercase().as_str() {
        "CGLONG" => "distribution of long-term capital gains",
        "CGSHORT" => "distribution of short-term capital gains",
        "INTEREST" => "interest of a fund",
        "MISC" => "other income",
        _ => return None,
    };
    Some(text.to_owned())
}

fn transfer(block: &Block, securities: &Securities<'_>) -> Result<Record, Reason> {
    let units = needed(block, "UNITS")?;
    let out = match block.get("TFERACTION").map(str::to_ascii_uppercase).as_deref() {
        Some("OUT") => true,
        Some("IN") => false,
        _ => units.is_sign_negative(),
    };
    let kind = if out { Kind::TransferOut } else { Kind::TransferIn };
    let price = number(block, "UNITPRICE")?.filter(|price| *price > Decimal::ZERO);
    let untold = !out && price.is_none();
    Ok(Record {
        shares: Some(units.abs()),
        price,
        note: untold.then(|| "the file does not tell what the shares had cost".to_owned()),
        ..record(block, securities, kind)?
    })
}

/// By the shares before and after if given: not every broker puts the new ones in the numerator.
fn split(block: &Block, securities: &Securities<'_>) -> Result<Record, Reason> {
    let above_zero = |name: &str| number(block, name).map(|found| found.filter(|found| *found > Decimal::ZERO));
    let counts = above_zero("NEWUNITS")?.zip(above_zero("OLDUNITS")?);
    let stated = above_zero("NUMERATOR")?.zip(above_zero("DENOMINATOR")?);
    let same = |(one, other): (Decimal, Decimal), (new, old): (Decimal, Decimal)| one.checked_mul(old) == other.checked_mul(new);
    let ratio = match (stated, counts) {
        (Some((numerator, denominator)), Some(counts)) if same((denominator, numerator), counts) => (denominator, numerator),
        (Some(stated), Some(counts)) if !same(stated, counts) => {
            // A fraction was paid in cash, so the count after it does not give the ratio.
            if number(block, "FRACCASH")?.is_some_and(|cash| !cash.is_zero()) { stated } else { counts }
        }
        (Some(stated), _) => stated,
        (None, Some(counts)) => counts,
        (None, None) => {
            return Err(Reason::SplitRatioUnknown);
        }
    };
    let ratio = split_ratio::of_exchange(ratio.1, ratio.0);
    let mut record = Record { ratio, ..record(block, securities, Kind::Split)? };
    // The trade date of a split is its record date.
    if let Some(settled) = block.get("DTSETTLE") {
        record.date = date("DTSETTLE", settled)?;
    }
    Ok(record)
}
