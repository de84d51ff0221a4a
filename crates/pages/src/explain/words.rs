//! Names, values, rules and sources in the reader's language.

use app::explain::{Figure, Question, UNSAVED};
use ledger::explain::{Node, Rule, Source, Unit, Value};
use ledger::{Currency, Decimal, Money};
use messages::countries;

use crate::format::{Html, escaped};
use crate::ledger::words as ledger_words;
use crate::stock::safety::badge;
use crate::visit::{Visitor, links};

pub struct Words<'a> {
    pub visitor: &'a Visitor,
}

/// What a row is about.
pub struct Label {
    pub name: String,
    /// The portfolio of a position, the day of a payment.
    pub aside: Option<String>,
}

/// Where a value comes from.
pub struct Origin {
    pub text: String,
    pub link: Option<String>,
}

/// Why there is no value.
pub struct Problem {
    pub sentence: &'static str,
    /// The next step: its text and page.
    pub action: Option<(&'static str, String)>,
}

impl Label {
    pub fn text(&self) -> String {
        match &self.aside {
            Some(aside) => format!("{} ({aside})", self.name),
            None => self.name.clone(),
        }
    }
}

/// Amounts that are shown with four decimals.
const PER_SHARE: [&str; 13] = [
    "forward_rate",
    "provider_rate",
    "history_rate",
    "near",
    "payment",
    "paid",
    "price",
    "per_share",
    "close",
    "dividends",
    "average_cost",
    "half_a_unit",
    "rounding",
];
/// Fractions that are shown as multiples.
const TIMES: [&str; 2] = ["fcf_cover", "relative_yield"];

impl Words<'_> {
    pub fn title(&self, figure: Figure) -> &'static str {
        let name = match figure {
            // The payment of one day, not one of many.
            Figure::Expected => "expected",
            other => other.as_str(),
        };
        self.visitor.texts.explain.name(name).unwrap_or_default()
    }

    pub fn label(&self, node: &Node) -> Label {
        let t = self.visitor.texts;
        let plain = |name: &str| Label { name: name.to_owned(), aside: None };
        if let Rule::Check(code) = node.rule {
            return plain(t.explain.check(code).unwrap_or(code));
        }
        // The product of a position and its weight is named for the position.
        if let (true, Some(first)) = (is_unnamed(node) && node.rule == Rule::Product, node.inputs.first()) {
            return self.label(first);
        }
        if let Some(kind) = app::entries::Kind::parse(&node.name) {
            return plain(ledger_words::kind(t, kind));
        }
        if let Some(name) = t.explain.name(&node.name) {
            return plain(name);
        }
        let number = |prefix| node.name.strip_prefix(prefix).and_then(|number| number.parse::<u64>().ok());
        if let Some(month) = number("month_") {
            return plain(self.month(month));
        }
        if let Some(months) = number("paid_in_") {
            return plain(&t.explain.paid_in(months));
        }
        let (symbol, portfolio) = node.name.split_once(" in ").map_or((&*node.name, None), |(symbol, name)| (symbol, Some(name)));
        let date = node.as_of.map(|date| self.visitor.format.date_text(date));
        let aside: Vec<String> = portfolio.map(str::to_owned).into_iter().chain(date).collect();
        Label { name: symbol.to_owned(), aside: (!aside.is_empty()).then(|| aside.join(" · ")) }
    }

    /// From 1 to 12.
    pub fn month(&self, month: u64) -> &'static str {
        let at = usize::try_from(month).unwrap_or_default().checked_sub(1);
        at.and_then(|at| self.visitor.texts.shell.months_long.split(' ').nth(at)).unwrap_or_default()
    }

    /// As the pages show the figure.
    pub fn figure(&self, figure: Figure, node: &Node) -> Html {
        let f = self.visitor.format;
        match (&node.value, node.unit, figure) {
            (
                Some(Value::Number(number)),
                Unit::Money(currency),
                Figure::ForwardRate
                | Figure::Price
                | Figure::YearTotal
                | Figure::PerShare
                | Figure::AdjustedPayment
                | Figure::ReinvestedPrice,
            ) => f.per_share(&Money::new(*number, currency)),
            (Some(Value::Number(number)), _, Figure::ValueScore | Figure::MomentumScore | Figure::RatingScore) => {
                f.score(*number)
            }
            (Some(Value::Number(number)), Unit::Percent, Figure::AboveAverage) => f.whole_pct(*number),
            (Some(Value::Number(number)), Unit::Money(currency), figure) if figure.is_of_form() => {
                f.recorded(&ledger_words::normalized(Money::new(*number, currency)))
            }
            (Some(Value::Number(number)), Unit::Money(currency), _) => f.money(&Money::new(*number, currency)),
            (Some(Value::Number(number)), Unit::Fraction, _) => f.rate(number),
            (Some(Value::Number(number)), Unit::Years, _) => f.number(number),
            (Some(Value::Number(number)), Unit::Percent, Figure::ShareOfIncome | Figure::RestShare) => {
                let mut pct = *number;
                pct.rescale(2);
                f.pct(pct)
            }
            (Some(Value::Number(number)), Unit::Percent, _) => f.pct(number),
            _ => self.value(node),
        }
    }

    pub fn value(&self, node: &Node) -> Html {
        let text = escaped(&self.text(node));
        match (&node.value, node.unit) {
            (Some(Value::Number(number)), Unit::Money(currency)) => {
                Html(format!("<data value=\"{number}\" data-currency=\"{currency}\">{text}</data>"))
            }
            (Some(Value::Number(number)), _) => Html(format!("<data value=\"{number}\">{text}</data>")),
            (Some(Value::Date(date)), _) => self.visitor.format.date(date),
            (Some(Value::Text(_)), _) => match (node.rule, node.value_text().as_deref()) {
                (Rule::Check(_), Some(outcome)) => {
                    Html(format!("<span class=\"badge {}\">{text}</span>", outcome_class(outcome)))
                }
                _ => Html(text),
            },
            (None, _) => Html("<span class=\"missing\">–</span>".to_owned()),
        }
    }

    /// The value for formulas.
    pub fn text(&self, node: &Node) -> String {
        let (t, f) = (&self.visitor.texts.explain, self.visitor.format);
        let plain = |number: Decimal| f.marked(&number.normalize().to_string());
        match &node.value {
            None => "–".to_owned(),
            Some(Value::Date(date)) => f.date_text(*date),
            Some(Value::Text(text)) => self.word(node, text),
            Some(Value::Number(number)) => match node.unit {
                Unit::Money(currency) => self.amount(node, *number, currency),
                Unit::SquaredMoney(_) => plain(number.round_dp(2)),
                Unit::PerEuro(currency) => t.per_euro(plain(*number), currency.code()),
                Unit::Fraction if node.name == "whole" || node.name == "constant" => plain(*number),
                Unit::Fraction if TIMES.contains(&&*node.name) => self.visitor.texts.stock.times(plain(number.round_dp(2))),
                Unit::Fraction => percent(number.checked_mul(Decimal::ONE_HUNDRED).unwrap_or_default(), plain),
                Unit::Percent => percent(*number, plain),
                Unit::Years => t.years_n(whole(*number)),
                Unit::Months => t.months_n(whole(*number)),
                Unit::Days => t.days(whole(*number)),
                _ => plain(number.round_dp(8)),
            },
        }
    }

    fn amount(&self, node: &Node, number: Decimal, currency: Currency) -> String {
        let (f, money) = (self.visitor.format, Money::new(number, currency));
        let is_year = node.name.len() == 4 && node.name.bytes().all(|byte| byte.is_ascii_digit());
        // Half a cent is not zero.
        let vanishes = !number.is_zero() && number.round_dp(currency.minor_units()).is_zero();
        match is_year || vanishes || PER_SHARE.contains(&&*node.name) {
            true => f.per_share_text(&money),
            false => f.money_text(&money),
        }
    }

    fn word(&self, node: &Node, text: &str) -> String {
        let t = self.visitor.texts;
        match (&*node.name, text) {
            ("safety", word) => {
                let known = [ledger::Safety::Safe, ledger::Safety::Watch, ledger::Safety::AtRisk, ledger::Safety::Unknown];
                let safety = known.into_iter().find(|safety| safety.as_str() == word).unwrap_or(ledger::Safety::Unknown);
                badge(t, safety).1.to_owned()
            }
            ("source_country" | "residence", code) if code.len() == 2 => self.country(code).to_owned(),
            (_, "unknown") => t.shell.unknown.to_owned(),
            (_, "yes") => t.shell.yes.to_owned(),
            (_, "no") => t.shell.no.to_owned(),
            (_, "fired") => t.explain.fired.to_owned(),
            (_, "passed") => t.explain.passed.to_owned(),
            (_, "not_made") => t.explain.not_made.to_owned(),
            (_, other) => other.to_owned(),
        }
    }

    fn country(&self, code: &str) -> &'static str {
        countries::name(self.visitor.language(), code)
    }

    /// The rule of figures that are not plain arithmetic.
    pub fn sentence(&self, node: &Node) -> Option<String> {
        let t = &self.visitor.texts.explain;
        let official = || node.inputs.iter().skip(3).any(|rate| rate.value == node.value);
        Some(
            match node.rule {
                Rule::Sum if node.inputs.len() > 4 => return Some(t.rule_sum(node.inputs.len() as u64)),
                Rule::Clamp => t.rule_clamp,
                Rule::Lowest => t.rule_lowest,
                Rule::Highest => t.rule_highest,
                Rule::SquareRoot => t.rule_square_root,
                Rule::Grown => t.rule_grown,
                Rule::Points => t.rule_points,
                Rule::SafetyPoints => t.rule_safety_points,
                Rule::GrowthPerYear => t.rule_growth_per_year,
                Rule::Near if node.inputs.first().is_some_and(|provider| provider.value == node.value) => t.rule_near_provider,
                Rule::Near => t.rule_near_history,
                Rule::Withheld if official() => t.rule_withheld_official,
                Rule::Withheld => t.rule_withheld,
                Rule::Home => t.rule_home,
                Rule::UntaxedFund => t.rule_untaxed_fund,
                Rule::Given if node.rows.iter().any(|row| row == "unknown") => t.rule_unknown_source,
                Rule::Stopped => t.rule_stopped,
                Rule::Streak => t.rule_streak,
                Rule::ReplayShares => t.rule_replay_shares,
                Rule::ReplayCost => t.rule_replay_cost,
                Rule::Safety => t.rule_safety,
                Rule::TooLittleData => t.rule_too_little_data,
                Rule::Check(code) => t.fires(code)?,
                Rule::ExDate(rule) => self.ex_date(rule),
                Rule::Median => t.rule_median,
                Rule::MonthsLater => t.rule_months_later,
                Rule::Unknown => {
                    let why = t.why(&reason(node)?)?;
                    return Some(if node.value.is_some() { format!("{why} {}", t.counts_as_zero) } else { why.to_owned() });
                }
                _ => return None,
            }
            .to_owned(),
        )
    }

    fn ex_date(&self, rule: &str) -> &'static str {
        let t = &self.visitor.texts.explain;
        match rule {
            "364_days" => t.ex_364_days,
            "year_same_weekday" => t.ex_same_weekday,
            "median_gap" => t.ex_gap,
            _ if rule.ends_with("from_end") => t.ex_from_end,
            _ if rule.ends_with("from_start") => t.ex_from_start,
            _ if rule.ends_with("third_friday") => t.ex_third_friday,
            _ if rule.ends_with("median") => t.ex_median,
            _ => t.ex_same_date,
        }
    }

    /// Why the figure has no value.
    pub fn problem(&self, node: &Node, question: &Question) -> Option<Problem> {
        let t = &self.visitor.texts.explain;
        let reason = reason(node).filter(|_| node.value.is_none())?;
        let of_symbol = question.symbol.as_deref().map(|symbol| ("symbol", symbol));
        let action = match &*reason {
            "no_data" | "no_payments" | "no_price" | "no_exchange_rate" | "too_few_closes" => {
                Some((t.next_step_data, "/settings/market-data".to_owned()))
            }
            "cost_not_known" | "several_currencies" => Some((t.next_step_ledger, links::with_query("/ledger", of_symbol))),
            "too_few_figures" => Some((t.next_step_data, "/settings/market-data".to_owned())),
            "no_income" | "nothing_before" => Some((t.next_step_import, "/import".to_owned())),
            _ => None,
        };
        Some(Problem { sentence: t.why(&reason)?, action })
    }

    pub fn origins(&self, node: &Node) -> Vec<Origin> {
        let (t, f) = (&self.visitor.texts.explain, self.visitor.format);
        let plain = |text: String| Origin { text, link: None };
        let day = node.as_of.map(|date| f.date_text(date));
        match &node.source {
            Some(Source::Ledger) => match (&node.rows[..], day) {
                ([], Some(day)) => vec![plain(t.given_ledger.to_owned()), plain(day)],
                ([], None) => vec![plain(t.given_ledger.to_owned())],
                ([row], Some(day)) if row != UNSAVED => vec![transaction(t.transaction(day), row)],
                (rows, _) if rows.len() > ROWS_MAX => vec![plain(t.transactions(rows.len() as u64))],
                (rows, _) => rows.iter().map(|row| self.transaction(row)).collect(),
            },
            Some(Source::Table) => node.rows.iter().map(|row| plain(self.table_row(row))).collect(),
            Some(Source::Provider(name)) => {
                let day = day.map(|day| if is_payment(node) { t.ex_on(day) } else { day });
                [Some(self.visitor.texts.market_data.name(name).to_owned()), day].into_iter().flatten().map(plain).collect()
            }
            // What a position adds to a total.
            Some(Source::Estimate) if t.name(&node.name).is_none() => Vec::new(),
            Some(Source::Estimate) => vec![plain(t.given_estimate.to_owned())],
            None => day.map(|day| if is_payment(node) { t.ex_on(day) } else { day }).into_iter().map(plain).collect(),
        }
    }

    fn transaction(&self, row: &str) -> Origin {
        let t = &self.visitor.texts.explain;
        match row {
            UNSAVED => Origin { text: t.unsaved.to_owned(), link: None },
            row => transaction(t.transaction_n(row), row),
        }
    }

    fn table_row(&self, row: &str) -> String {
        let t = &self.visitor.texts.explain;
        match row.split_once('-') {
            Some((source, residence)) => t.table_row(self.country(source), self.country(residence)),
            None if row.len() == 2 => t.table_row_alone(self.country(row)),
            None => t.given_table.to_owned(),
        }
    }
}

const ROWS_MAX: usize = 8;

/// A step without a name of its own.
pub fn is_unnamed(node: &Node) -> bool {
    node.name == node.rule.as_str()
}

/// Of its badge.
fn outcome_class(outcome: &str) -> &'static str {
    match outcome {
        "fired" => "watch",
        "passed" => "safe",
        _ => "unknown",
    }
}

fn transaction(text: String, row: &str) -> Origin {
    Origin { text, link: Some(format!("/ledger/{}", links::escaped(row))) }
}

/// Its date is the ex-date.
fn is_payment(node: &Node) -> bool {
    ["payment", "paid", "per_share", "gross"].contains(&&*node.name)
}

fn reason(node: &Node) -> Option<String> {
    let input = node.inputs.iter().find(|input| input.name == "reason")?;
    input.value_text()
}

fn percent(number: Decimal, plain: impl Fn(Decimal) -> String) -> String {
    format!("{}%", plain(number.round_dp(2)))
}

fn whole(number: Decimal) -> i64 {
    i64::try_from(number.round_dp(0)).unwrap_or_default()
}
