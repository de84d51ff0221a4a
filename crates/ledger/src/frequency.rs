//! How often a stock pays, and whether it has stopped.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::history::{History, days_between};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Frequency {
    Weekly,
    Monthly,
    Quarterly,
    SemiAnnual,
    Annual,
}

impl Frequency {
    pub fn as_str(self) -> &'static str {
        match self {
            Frequency::Weekly => "weekly",
            Frequency::Monthly => "monthly",
            Frequency::Quarterly => "quarterly",
            Frequency::SemiAnnual => "semi_annual",
            Frequency::Annual => "annual",
        }
    }

    pub fn payments_per_year(self) -> u32 {
        match self {
            Frequency::Weekly => 52,
            Frequency::Monthly => 12,
            Frequency::Quarterly => 4,
            Frequency::SemiAnnual => 2,
            Frequency::Annual => 1,
        }
    }

    pub fn nominal_gap_days(self) -> i32 {
        match self {
            Frequency::Weekly => 7,
            Frequency::Monthly => 30,
            Frequency::Quarterly => 91,
            Frequency::SemiAnnual => 182,
            Frequency::Annual => 365,
        }
    }

    /// Takes twice the median gap, because the median of an even count may fall on half a day.
    fn of_doubled_gap(doubled_days: i64) -> Option<Frequency> {
        const WIDEST_DAYS: [(i64, Frequency); 5] = [
            (10, Frequency::Weekly),
            (45, Frequency::Monthly),
            (135, Frequency::Quarterly),
            (270, Frequency::SemiAnnual),
            (430, Frequency::Annual),
        ];
        WIDEST_DAYS.into_iter().find(|(widest, _)| doubled_days <= 2 * widest).map(|(_, frequency)| frequency)
    }
}

/// What the regular ex-dates say. A stopped payer keeps its class: its past years are still counted in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rhythm {
    pub class: Option<Frequency>,
    pub stopped: bool,
}

impl Rhythm {
    pub fn of(history: &History, today: Date) -> Rhythm {
        let mut ex_dates: Vec<Date> = history.regular().map(|payment| payment.ex_date).collect();
        ex_dates.dedup();
        let class = class(&ex_dates, today);
        // Without a class the slowest one decides: a lone payment of years ago must not look alive.
        let gap = class.unwrap_or(Frequency::Annual).nominal_gap_days();
        let stopped = ex_dates.last().is_some_and(|last| 2 * days_between(*last, today) > 3 * i64::from(gap) + 60);
        Rhythm { class, stopped }
    }

    /// The frequency as shown: none once stopped.
    pub fn frequency(&self) -> Option<Frequency> {
        self.class.filter(|_| !self.stopped)
    }

    pub fn payments_per_year(&self) -> Option<usize> {
        self.class.map(|class| class.payments_per_year() as usize)
    }
}

fn class(ex_dates: &[Date], today: Date) -> Option<Frequency> {
    let since = today.saturating_sub(3.years());
    let recent = &ex_dates[ex_dates.partition_point(|date| *date < since)..];
    let last = &recent[recent.len().saturating_sub(8)..];
    let gaps = last.windows(2).map(|pair| days_between(pair[0], pair[1])).collect();
    Frequency::of_doubled_gap(doubled_median(gaps)?)
}

/// Twice the median: of an even count the median is the mean of the middle two.
pub(crate) fn doubled_median(mut figures: Vec<i64>) -> Option<i64> {
    figures.sort_unstable();
    let upper = figures.get(figures.len() / 2)?;
    Some(figures[(figures.len() - 1) / 2] + upper)
}
