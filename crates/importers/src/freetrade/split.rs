//! Splits, which only the newer generation of the file has. The older one does not mention them.

use jiff::civil::Time;
use ledger::{Decimal, Ratio};

use super::record;
use crate::reading::{Line, Order, day};
use crate::{Kind, Reason, Record};

pub fn split(line: Line<'_, '_>) -> Result<Record, Reason> {
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
