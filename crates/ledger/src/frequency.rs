//! How often a stock pays, and whether it has stopped.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::history::{History, days_between, doubled_median};

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

    /// The class of an interval of `days ÷ parts`: a median can be a fraction of a day.
    fn of_gap(days: i64, parts: i64) -> Option<Frequency> {
        const WIDEST_DAYS: [(i64, Frequency); 5] = [
            (10, Frequency::Weekly),
            (45, Frequency::Monthly),
            (135, Frequency::Quarterly),
            (270, Frequency::SemiAnnual),
            (430, Frequency::Annual),
        ];
        WIDEST_DAYS.into_iter().find(|(widest, _)| days <= parts * widest).map(|(_, frequency)| frequency)
    }
}

/// From the regular ex-dates. A stopped payer keeps its class, which its past years need.
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
        // Without a class the slowest applies: a single payment years ago must not look active.
        let gap = class.unwrap_or(Frequency::Annual).nominal_gap_days();
        let stopped = ex_dates.last().is_some_and(|last| 2 * days_between(*last, today) > 3 * i64::from(gap) + 60);
        Rhythm { class, stopped }
    }

    /// The displayed frequency: `None` once stopped.
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
    let gaps = |payments: usize| last.windows(payments + 1).map(|span| days_between(span[0], span[payments])).collect();
    let single = Frequency::of_gap(doubled_median(gaps(1))?, 2);
    let paired = doubled_median(gaps(2)).and_then(|doubled| Frequency::of_gap(doubled, 4));
    match paired {
        // If intervals alternate (interim and final dividends, four and eight months apart), their median is one or the other by
        // chance. Over two payments they are even, and the number of payments in a year confirms it.
        Some(paired) if count_of_a_year(last) == paired.payments_per_year() as usize => Some(paired),
        _ => single,
    }
}

/// Payments in the year up to the last one, minus a fortnight, which excludes the same payment of the previous year.
fn count_of_a_year(ex_dates: &[Date]) -> usize {
    let Some(last) = ex_dates.last() else { return 0 };
    ex_dates.iter().filter(|date| days_between(**date, *last) < 350).count()
}
