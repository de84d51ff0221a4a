//! Splits, whose ratio is given twice: as a fraction, and as the shares before and after.

use ledger::{Decimal, Kind};

use super::blocks::Block;
use super::record::{Securities, date, number, record};
use crate::joining::split_ratio;
use crate::{Reason, Record};

/// By the shares before and after if given: not every broker puts the new ones in the numerator.
pub fn split(block: &Block, securities: &Securities<'_>) -> Result<Record, Reason> {
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
