//! The figures of a stock.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::node::{Node, Rule, Source, Unit, Value};
use super::totals::{change_pct, percentage};
use super::{Origins, exchange};
use crate::dates::{days_after, doubled_median};
use crate::ex_dates::{Start, first_following};
use crate::forward::{Forward, HistoryRate, RateBasis};
use crate::growth::{GROWTH_MAX, GROWTH_MIN, Growth, YearPaid, dividend_years};
use crate::history::per_share_on;
use crate::number::Number;
use crate::safety::{COVER_MIN, LONG_STREAK_MIN, RAISED_ABOVE, STREAK_TO_END_MIN, assess, kept_min, payout_max, recent};
use crate::stock::Workings;
use crate::to_come::{Item, LAST_DAY};
use crate::yields::{mean_pct, month_yields};
use crate::{Check, Currency, Facts, Fx, Money, Payment, Ratio, Reason};

/// A stock whose figures explain themselves.
pub struct Stock<'a> {
    workings: Workings<'a>,
    origins: &'a dyn Origins,
    /// Of exchange rates.
    rates: &'a Source,
    /// Its payments are those that a user recorded, so that none of them is still to come.
    of_ledger: bool,
}

impl<'a> Stock<'a> {
    pub fn new(facts: &'a Facts, fx: &'a Fx, today: Date, origins: &'a dyn Origins, rates: &'a Source) -> Stock<'a> {
        Stock { workings: Workings::new(facts, fx, today), origins, rates, of_ledger: false }
    }

    /// From the dividends that a user recorded.
    pub fn of_ledger(facts: &'a Facts, fx: &'a Fx, today: Date, origins: &'a dyn Origins, rates: &'a Source) -> Stock<'a> {
        Stock { of_ledger: true, ..Stock::new(facts, fx, today, origins, rates) }
    }

    pub(super) fn workings(&self) -> &Workings<'a> {
        &self.workings
    }

    fn to_come(&self) -> Vec<Item> {
        let mut items = self.workings.to_come();
        items.retain(|item| !(self.of_ledger && item.declared));
        items
    }

    /// In which it trades.
    pub fn currency(&self) -> Currency {
        self.workings.facts.currency
    }

    /// The currency of the forward rate.
    pub fn rate_currency(&self) -> Currency {
        self.workings.forward.currency
    }

    /// Per share and year; unknown for a stock that nothing is known to pay.
    pub fn forward_rate(&self) -> Node {
        let Workings { history, rhythm, forward, today, .. } = &self.workings;
        let unit = Unit::Money(forward.currency);
        let found = match forward.basis {
            RateBasis::Unknown => None,
            RateBasis::Stopped => {
                let last = history.regular().next_back().map(|payment| Node::date("last_ex_date", payment.ex_date));
                let gap = Node::number("nominal_gap", rhythm.gap_days, Unit::Days);
                let inputs = last.into_iter().chain([gap, Node::date("today", *today)]).collect();
                Some(Node::number("", Decimal::ZERO, unit).by(Rule::Stopped, inputs))
            }
            RateBasis::Provider => self.provider_rate(),
            RateBasis::Unconverted(basis) => self.history_rate(basis),
            RateBasis::History(basis) => self.converted_rate(basis),
            RateBasis::Compared(basis) => {
                let inputs = self.provider_rate().zip(self.converted_rate(basis));
                inputs.and_then(|(provider, own)| Node::computed(Rule::Near, unit, vec![provider, own]))
            }
        };
        found.unwrap_or_else(|| Node::unknown("", unit, "no_payments")).named("forward_rate")
    }

    fn provider_rate(&self) -> Option<Node> {
        let Facts { forward_rate, currency, .. } = self.workings.facts;
        let rate = Node::number("provider_rate", (*forward_rate)?, Unit::Money(*currency));
        Some(self.origins.field("forward_rate", rate))
    }

    fn history_rate(&self, basis: HistoryRate) -> Option<Node> {
        let payments = basis.payments(&self.workings.history, self.workings.rhythm);
        let count = |count: usize| match count == basis.per_year {
            true => self.payments_per_year(),
            false => Node::number("payments", Decimal::from(count), Unit::Count),
        };
        let rate = basis.rate(payments.map(|payment| self.payment(payment)), count)?;
        Some(rate.named("history_rate"))
    }

    fn converted_rate(&self, basis: HistoryRate) -> Option<Node> {
        self.in_trading_currency(self.history_rate(basis)?, self.workings.history.currency)
    }

    fn in_trading_currency(&self, node: Node, from: Currency) -> Option<Node> {
        let Workings { fx, today, facts, .. } = self.workings;
        match exchange(fx, from, facts.currency, today, self.rates)? {
            Some([from, to]) => node.converted(from, to),
            None => Some(node),
        }
    }

    fn payments_per_year(&self) -> Node {
        let per_year = Node::number("payments_per_year", Decimal::from(self.workings.rhythm.per_year), Unit::Count);
        per_year.with_source(Source::Estimate)
    }

    /// Per share of today.
    fn payment(&self, payment: &Payment) -> Option<Node> {
        let Workings { facts, today, .. } = self.workings;
        let paid = self.origins.paid(payment);
        let adjusted = per_share_on(today, paid, payment.ex_date, &facts.splits, |ratio| self.sides(ratio))?;
        Some(adjusted.named("payment").as_of(payment.ex_date))
    }

    fn sides(&self, ratio: &Ratio) -> [Node; 2] {
        let side = |name, shares| self.origins.field("splits", Node::number(name, shares, Unit::Shares));
        [side("new_shares", ratio.new), side("old_shares", ratio.old)]
    }

    /// Limited, as the projection uses it.
    pub fn growth(&self) -> Node {
        let found = || {
            let rate = self.growth_over(&self.workings.totals.longest_growth()?)?;
            let [least, most] = [("least", GROWTH_MIN), ("most", GROWTH_MAX)].map(|(name, limit)| fraction(name, limit));
            Node::computed(Rule::Clamp, Unit::Fraction, vec![rate, least, most])
        };
        found().unwrap_or_else(|| Node::unknown("", Unit::Fraction, "too_few_years")).named("growth")
    }

    /// Over five years, as it is shown.
    pub fn growth_5y(&self) -> Node {
        let found = || self.growth_over(&self.workings.totals.over(5)?);
        found().unwrap_or_else(|| Node::unknown("", Unit::Fraction, "too_few_years")).named("growth_5y")
    }

    fn growth_over(&self, growth: &Growth) -> Option<Node> {
        let years = Node::number("years", growth.years, Unit::Years);
        let inputs = vec![self.year(&growth.last)?, self.year(&growth.first)?, years];
        Node::computed(Rule::GrowthPerYear, Unit::Fraction, inputs)
    }

    /// The years of the streak, and the two before it, oldest first.
    pub fn streak(&self) -> Node {
        let totals = &self.workings.totals;
        let found = || {
            let streak = totals.streak_years()?;
            let first = totals.compared.len().saturating_sub(streak as usize + 2);
            let years = totals.compared[first..].iter().map(|year| self.year(year)).collect::<Option<_>>()?;
            Some(Node::number("", streak, Unit::Years).by(Rule::Streak, years))
        };
        found().unwrap_or_else(|| Node::unknown("", Unit::Years, "too_few_years")).named("streak")
    }

    /// The total of a dividend year as it is shown.
    pub fn year_total(&self, year: i16) -> Option<Node> {
        self.year(self.workings.totals.years.iter().find(|paid| paid.year == year)?)
    }

    /// A payment per share of today.
    pub fn paid(&self, ex_date: Date, amount: Money) -> Option<Node> {
        let same = |payment: &&Payment| {
            (payment.ex_date, payment.currency) == (ex_date, amount.currency) && payment.amount == amount.amount
        };
        self.payment(self.workings.history.payments.iter().find(same)?)
    }

    /// A payment as it was paid.
    pub fn paid_then(&self, ex_date: Date, currency: Currency, special: bool) -> Option<Node> {
        let same = |payment: &&Payment| (payment.ex_date, payment.currency, payment.special) == (ex_date, currency, special);
        Some(self.origins.paid(self.workings.history.payments.iter().find(same)?).named("per_share").as_of(ex_date))
    }

    /// The total of a dividend year.
    fn year(&self, year: &YearPaid) -> Option<Node> {
        let regular: Vec<&Payment> = self.workings.history.regular().collect();
        let of_year = dividend_years(&regular).into_iter().zip(&regular).filter(|(of, _)| *of == year.year);
        let total = Node::sum(of_year.map(|(_, payment)| self.payment(payment)))?;
        Some(total.named(year.year.to_string()).in_unit(Unit::Money(self.workings.history.currency)))
    }

    /// The next regular one, declared or estimated.
    pub fn ex_dividend_date(&self) -> Node {
        let next = self.to_come().into_iter().find(|item| item.ex_date >= self.workings.today && !item.special);
        let node = match next {
            None => None,
            Some(item) if item.declared => self.declared(&item).map(|payment| {
                let paid = self.origins.paid(payment);
                Node { source: paid.source, rows: paid.rows, ..Node::date("", item.ex_date) }
            }),
            Some(item) => self.estimated(item.ex_date),
        };
        node.unwrap_or_else(|| Node::unknown("", Unit::Date, "none_expected")).named("ex_dividend_date")
    }

    fn declared(&self, item: &Item) -> Option<&Payment> {
        let same = |payment: &&Payment| (payment.ex_date, payment.special) == (item.ex_date, item.special);
        self.workings.history.payments.iter().find(same)
    }

    fn estimated(&self, ex_date: Date) -> Option<Node> {
        let Workings { history, rhythm, today, .. } = &self.workings;
        let known: Vec<Date> = history.regular().map(|payment| payment.ex_date).collect();
        let found = first_following(&known, *rhythm, ex_date, days_after(*today, LAST_DAY))?;
        let months = |months: i32| Node::number("months", months, Unit::Months);
        let reference = |name: &'static str, date: Date| match history.regular().find(|payment| payment.ex_date == date) {
            Some(payment) => Node { source: self.origins.paid(payment).source, ..Node::date(name, date) },
            None => Node::date(name, date).with_source(Source::Estimate),
        };
        let inputs = match found.from {
            Start::Month { payment, months: after } => vec![reference("reference", payment), months(after)],
            Start::Gap { payment, gaps, steps } => {
                let each = gaps.iter().map(|gap| Node::number("gap", *gap, Unit::Days)).collect();
                let gap = Node::number("gap", doubled_median(gaps)? / 2, Unit::Days).by(Rule::Median, each);
                vec![reference("last", payment), gap, Node::number("payments", steps, Unit::Count)]
            }
            Start::Dates(dates) => {
                let later = |(date, after): (Date, i32)| {
                    let inputs = vec![reference("reference", date), months(after)];
                    Node::date("date", date.saturating_add(after.months())).by(Rule::MonthsLater, inputs)
                };
                dates.into_iter().map(later).collect()
            }
        };
        Some(Node::date("", found.date).by(Rule::ExDate(found.rule), inputs).with_source(Source::Estimate))
    }

    /// The amount per share of a payment to come, which is one of those with this ex-date.
    pub fn per_share(&self, ex_date: Date, per_share: Money) -> Option<Node> {
        let Workings { facts, rhythm, today, .. } = self.workings;
        let item = &self.to_come().into_iter().find(|item| (item.ex_date, item.per_share) == (ex_date, per_share))?;
        let node = if item.declared {
            let payment = self.declared(item)?;
            let paid = self.origins.paid(payment).as_of(payment.ex_date);
            self.in_trading_currency(paid.clone(), payment.currency).unwrap_or(paid)
        } else {
            let per_payment = self.forward_rate().over(self.payments_per_year()).filter(|_| rhythm.per_year > 0)?;
            per_share_on(item.ex_date, per_payment, today, &facts.splits, |ratio| self.sides(ratio))?
        };
        Some(node.named("per_share"))
    }

    /// The price that the yield is computed from.
    pub fn price(&self) -> Option<Node> {
        let Facts { price, currency, .. } = self.workings.facts;
        Some(self.origins.field("price", Node::number("price", (*price)?, Unit::Money(*currency))))
    }

    pub fn safety(&self) -> Node {
        let Workings { facts, history, totals, .. } = &self.workings;
        let assessment = assess(facts, &self.workings.signs());
        let (rule, inputs) = match assessment.checks {
            Some(checks) => (Rule::Safety, checks.iter().map(|check| self.check(check)).collect()),
            None => {
                let payments = Node::number("payments", Decimal::from(history.regular().count()), Unit::Count);
                let years = Node::number("complete_years", Decimal::from(totals.complete()), Unit::Years);
                let fund = Node::text("fund", if facts.fund { "yes" } else { "no" });
                (Rule::TooLittleData, vec![payments, self.payout(), self.cash_cover(), fund, years])
            }
        };
        Node::text("safety", assessment.safety.as_str()).by(rule, inputs)
    }

    fn check(&self, check: &Check) -> Node {
        let Workings { facts, history, rhythm, totals, today, .. } = &self.workings;
        let limit = |limit: Decimal| fraction("limit", limit);
        let streak_min = |least: u32| Node::number("limit", least, Unit::Years);
        let streak = || Node { inputs: Vec::new(), rule: Rule::Given, ..self.streak() };
        let inputs = match check.reason {
            Reason::Cut => {
                let years = recent(&totals.compared).iter().filter_map(|year| self.year(year));
                [fraction("kept_at_least", kept_min(facts.fund))].into_iter().chain(years).collect()
            }
            Reason::Stopped => {
                let last = history.regular().next_back().map(|payment| Node::date("last_ex_date", payment.ex_date));
                let gap = Node::number("nominal_gap", rhythm.gap_days, Unit::Days);
                last.into_iter().chain([gap, Node::date("today", *today)]).collect()
            }
            Reason::Uncovered => {
                vec![
                    self.payout(),
                    limit(Decimal::ONE),
                    self.cash_cover(),
                    limit(Decimal::ONE),
                    streak(),
                    streak_min(LONG_STREAK_MIN),
                ]
            }
            Reason::YieldDoubled => {
                vec![self.relative_yield(false), limit(Decimal::TWO), self.payout(), limit(Decimal::new(90, 2))]
            }
            Reason::HighPayout => vec![self.payout(), limit(payout_max(facts))],
            Reason::ThinCashCover => vec![self.cash_cover(), limit(COVER_MIN)],
            Reason::YieldRaised => vec![self.relative_yield(true), limit(RAISED_ABOVE)],
            Reason::StreakEnded => {
                let before = Node::number("streak_before", totals.streak_before_last(), Unit::Years);
                vec![streak(), before, streak_min(STREAK_TO_END_MIN)]
            }
        };
        Node::text(check.reason.code(), check.outcome.as_str()).by(Rule::Check(check.reason.code()), inputs)
    }

    fn payout(&self) -> Node {
        self.field("payout_ratio", self.workings.facts.payout_ratio)
    }

    fn cash_cover(&self) -> Node {
        self.field("fcf_cover", self.workings.facts.fcf_cover)
    }

    fn field(&self, name: &'static str, value: Option<Decimal>) -> Node {
        self.field_in(name, value, Unit::Fraction)
    }

    pub(super) fn field_in(&self, name: &'static str, value: Option<Decimal>, unit: Unit) -> Node {
        let node = Node::new(name, value.map(Value::Number), unit);
        if value.is_some() { self.origins.field(name, node) } else { node }
    }

    /// By how many percent the yield is above its average.
    pub fn above_average(&self) -> Node {
        let ratio = Some(self.relative_yield(true)).filter(|ratio| ratio.value.is_some());
        let found = ratio.and_then(|ratio| change_pct("above_average", ratio));
        found.unwrap_or_else(|| Node::unknown("above_average", Unit::Percent, "too_few_closes"))
    }

    /// Yield ÷ its five-year average, with or without the months of the average.
    pub(super) fn relative_yield(&self, whole: bool) -> Node {
        let found = || {
            let yield_pct = self.exact_yield_pct()?;
            let average = self.average_yield()?;
            let average = if whole { average } else { average.summarised() };
            let inputs = vec![yield_pct.named("yield_pct"), average];
            Node::computed(Rule::Quotient, Unit::Fraction, inputs).filter(|_| self.workings.relative_yield.is_some())
        };
        found().unwrap_or_else(|| Node::new("", None, Unit::Fraction)).named("relative_yield")
    }

    /// In percent, two decimals.
    pub fn yield_pct(&self) -> Node {
        let reason = if self.workings.facts.price.is_some() { "no_payments" } else { "no_price" };
        let unknown = || Node::unknown("", Unit::Percent, reason);
        self.exact_yield_pct().map_or_else(unknown, |node| node.rounded(2)).named("yield_pct")
    }

    pub fn exact_yield_pct(&self) -> Option<Node> {
        let fraction = self.yield_fraction()?.named(Rule::Quotient.as_str());
        Some(fraction.times(constant(Decimal::ONE_HUNDRED))?.in_unit(Unit::Percent))
    }

    /// Forward rate ÷ price, not rounded.
    pub fn yield_fraction(&self) -> Option<Node> {
        self.workings.yield_fraction?;
        Some(self.forward_rate().over(self.price()?)?.named("yield_fraction"))
    }

    /// Over five years, in percent, two decimals.
    pub fn average_yield_pct(&self) -> Node {
        let found = || self.average_yield().map(|node| node.rounded(2)).filter(|_| self.workings.average_pct.is_some());
        found().unwrap_or_else(|| Node::unknown("average_yield_pct", Unit::Percent, "too_few_closes"))
    }

    /// Forward rate ÷ average cost, in percent, two decimals.
    pub fn yield_on_cost(&self, average_cost: Node) -> Option<Node> {
        let Forward { rate, currency, .. } = self.workings.forward;
        let comparable = average_cost.unit == Unit::Money(currency) && average_cost.decimal() > Some(Decimal::ZERO);
        if !comparable || (rate.is_zero() && !self.workings.rhythm.stopped) {
            return None;
        }
        percentage("yield_on_cost", self.forward_rate(), average_cost)
    }

    fn average_yield(&self) -> Option<Node> {
        let Workings { history, rhythm, facts, today, average_of_closes, .. } = &self.workings;
        let node = if *average_of_closes {
            let unit = Unit::Money(history.currency);
            let months: Vec<_> = month_yields(history, rhythm.per_year, &facts.closes, *today).collect();
            let each = months.iter().map(|month| {
                let paid =
                    self.origins.field("dividends", Node::number("dividends", month.dividends, unit)).as_of(month.month_end);
                let close = self.origins.field("closes", Node::number("close", month.close, Unit::Money(facts.currency)));
                Some(paid.over(close.as_of(month.closed_on))?.named("yield"))
            });
            let mean = mean_pct(months.len(), each, constant)?.in_unit(Unit::Percent);
            self.in_trading_currency(mean, history.currency)?.in_unit(Unit::Percent)
        } else {
            self.origins.field("yield_avg_5y_pct", Node::number("", facts.yield_avg_5y_pct?, Unit::Percent))
        };
        Some(node.named("average_yield_pct"))
    }
}

fn fraction(name: &'static str, value: Decimal) -> Node {
    Node::number(name, value, Unit::Fraction)
}

fn constant(value: Decimal) -> Node {
    Node::number("constant", value, Unit::Count)
}
