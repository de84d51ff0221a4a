//! Explanations: each tree worked out by hand, and its value the same as that of the figure.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod forecast;

use jiff::civil::{Date, date};
use ledger::explain::{self, Lot, Node, Origins, Paid, Source, Stock, Unit};
use ledger::withholding::{self, Seen};
use ledger::{
    Currency, Decimal, Entry, Event, Facts, Fx, MarketDividend, Metrics, Oversell, OwnPart, Payment, Ratio, Split, Trade,
    metrics, replay, upcoming,
};

const TODAY: Date = date(2026, 7, 15);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn usd() -> Currency {
    Currency::USD
}

/// 1 EUR = 1.25 USD.
fn fx() -> Fx {
    Fx::new([(usd(), date(2026, 7, 14), d("1.25"))])
}

/// Everything comes from the provider "acme".
struct Acme;

impl Origins for Acme {
    fn paid(&self, payment: &Payment) -> Node {
        let node = Node::number("paid", payment.paid_amount, Unit::Money(payment.currency)).as_of(payment.ex_date);
        node.with_source(Source::Provider("acme".to_owned()))
    }

    fn field(&self, _: &str, node: Node) -> Node {
        node.with_source(Source::Provider("acme".to_owned()))
    }
}

/// In dollars; traded in dollars.
fn payer(dividends: &[(Date, &str)]) -> Facts {
    let row = |(ex_date, amount): &(Date, &str)| MarketDividend {
        ex_date: *ex_date,
        pay_date: None,
        amount: d(amount),
        currency: usd(),
        special: false,
    };
    Facts {
        currency: usd(),
        dividends: dividends.iter().map(row).collect(),
        splits: Vec::new(),
        closes: Vec::new(),
        price: None,
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: None,
        fund: false,
        lenient_payout: false,
    }
}

fn quarterly(amounts: [&str; 4]) -> Facts {
    let days = [date(2025, 9, 10), date(2025, 12, 10), date(2026, 3, 10), date(2026, 6, 10)];
    payer(&days.into_iter().zip(amounts).collect::<Vec<_>>())
}

/// Yearly amounts, the last one in 2026.
fn yearly(amounts: &[&str]) -> Facts {
    let first = 2027 - amounts.len() as i16;
    payer(&(first..).map(|year| date(year, 5, 11)).zip(amounts.iter().copied()).collect::<Vec<_>>())
}

fn explained<T>(facts: &Facts, figure: impl Fn(&Stock<'_>) -> T) -> T {
    figure(&Stock::new(facts, &fx(), TODAY, &Acme, &Source::Provider("ecb".to_owned())))
}

fn figures(facts: &Facts) -> Metrics {
    metrics(facts, &fx(), TODAY)
}

/// `rule(input, input, …) = value`, with each input as `name value`.
fn line(node: &Node) -> String {
    let inputs: Vec<String> = node.inputs.iter().map(|input| format!("{} {}", input.name, text(input))).collect();
    format!("{}({}) = {}", node.rule.as_str(), inputs.join(", "), text(node))
}

fn text(node: &Node) -> String {
    node.value_text().unwrap_or_else(|| "–".to_owned())
}

fn rate(facts: &Facts) -> String {
    let node = explained(facts, |stock| stock.forward_rate());
    assert_eq!(node.decimal().unwrap_or_default(), figures(facts).forward_rate, "the figure itself");
    line(&node)
}

#[test]
fn a_declared_rate_is_the_latest_payment_times_the_payments_of_a_year() {
    assert_eq!(rate(&quarterly(["0.40", "0.50", "0.50", "0.50"])), "product(payment 0.50, payments_per_year 4) = 2.00");
    let payment = explained(&quarterly(["0.40", "0.50", "0.50", "0.50"]), |stock| stock.forward_rate()).inputs.remove(0);
    assert_eq!((payment.source.unwrap().as_str(), payment.as_of), ("acme", Some(date(2026, 6, 10))));
}

#[test]
fn a_varying_rate_is_the_sum_of_a_year() {
    let facts = quarterly(["0.40", "0.41", "0.42", "0.43"]);
    assert_eq!(rate(&facts), "sum(payment 0.43, payment 0.42, payment 0.41, payment 0.40) = 1.66");
}

#[test]
fn a_short_history_is_scaled_up_to_a_year() {
    let facts = payer(&[(date(2025, 12, 10), "0.41"), (date(2026, 3, 10), "0.42"), (date(2026, 6, 10), "0.43")]);
    // (0.41 + 0.42 + 0.43) × 4 ÷ 3 = 1.68
    assert_eq!(rate(&facts), "quotient(product 5.04, payments 3) = 1.68");
}

#[test]
fn a_rate_of_the_provider_counts_if_it_is_near() {
    let mut facts = quarterly(["0.50"; 4]);
    facts.forward_rate = Some(d("2.40"));
    assert_eq!(rate(&facts), "near(provider_rate 2.40, history_rate 2.00) = 2.40");
    facts.forward_rate = Some(d("3.01"));
    assert_eq!(rate(&facts), "near(provider_rate 3.01, history_rate 2.00) = 2.00");
    let unknown = Facts { forward_rate: Some(d("3.01")), ..payer(&[]) };
    assert_eq!(rate(&unknown), "given() = 3.01");
}

#[test]
fn a_rate_in_another_currency_is_converted_at_the_rates_of_today() {
    let mut facts = quarterly(["0.50"; 4]);
    facts.currency = Currency::EUR;
    // 2.00 USD ÷ 1.25
    assert_eq!(rate(&facts), "convert(history_rate 2.00, exchange_rate 1.25, exchange_rate 1) = 1.60");
    let rates = explained(&facts, |stock| stock.forward_rate()).inputs.split_off(1);
    let sources: Vec<_> = rates.iter().map(|rate| (rate.source.as_ref().unwrap().as_str(), rate.as_of)).collect();
    assert_eq!(sources, [("ecb", Some(date(2026, 7, 14))), ("table", None)]);
}

#[test]
fn a_payer_that_stopped_and_one_that_never_paid_have_their_reasons() {
    let stopped = payer(&[(date(2024, 3, 11), "0.50"), (date(2024, 6, 10), "0.50"), (date(2024, 9, 10), "0.50")]);
    assert_eq!(rate(&stopped), "stopped(last_ex_date 2024-09-10, nominal_gap 91, today 2026-07-15) = 0.00");
    assert_eq!(rate(&payer(&[])), "unknown(reason no_payments) = –");
}

#[test]
fn a_payment_before_a_split_is_per_share_of_today() {
    let mut facts = quarterly(["2.00", "2.00", "0.50", "0.50"]);
    facts.splits = vec![Split { date: date(2026, 1, 5), ratio: Ratio { new: d("4"), old: d("1") } }];
    let year = explained(&facts, |stock| stock.forward_rate());
    assert_eq!(line(&year), "product(payment 0.50, payments_per_year 4) = 2.00");
    let mut facts = quarterly(["2.00", "2.04", "0.52", "0.53"]);
    facts.splits = vec![Split { date: date(2026, 1, 5), ratio: Ratio { new: d("4"), old: d("1") } }];
    let year = explained(&facts, |stock| stock.forward_rate());
    assert_eq!(line(&year), "sum(payment 0.53, payment 0.52, payment 0.51, payment 0.50) = 2.06");
    assert_eq!(line(&year.inputs[2]), "quotient(product 2.04, new_shares 4) = 0.51");
}

#[test]
fn a_streak_shows_the_years_that_rose_and_those_that_did_not() {
    let facts = yearly(&["1.00", "0.90", "0.80", "0.90", "1.00", "1.10"]);
    let node = explained(&facts, |stock| stock.streak());
    // 2026 is not over. 2022 fell, 2023 fell, 2024 and 2025 rose.
    assert_eq!(line(&node), "streak(2022 0.90, 2023 0.80, 2024 0.90, 2025 1.00) = 2");
    assert_eq!(figures(&facts).streak_years, Some(2));
    assert_eq!(line(&node.inputs[3]), "sum(payment 1.00) = 1.00");
    assert_eq!(line(&explained(&yearly(&["1.00"]), |stock| stock.streak())), "unknown(reason too_few_years) = –");
}

#[test]
fn growth_is_limited() {
    // 1.61051 = 1.1^5
    let node = explained(&yearly(&["1.00", "1.1", "1.2", "1.3", "1.4", "1.61051", "2"]), |stock| stock.growth());
    assert_eq!(line(&node), "clamp(growth_per_year 0.1, least -0.1, most 0.15) = 0.1");
    assert_eq!(line(&node.inputs[0]), "growth_per_year(2025 1.61051, 2020 1.00, years 5) = 0.1");
    let doubled = yearly(&["1.00", "2.00", "2.00"]);
    let node = explained(&doubled, |stock| stock.growth());
    assert_eq!(line(&node), "clamp(growth_per_year 1, least -0.1, most 0.15) = 0.15");
    assert_eq!(figures(&doubled).growth, node.decimal());
}

#[test]
fn an_estimated_ex_date_shows_its_rule_and_what_it_starts_from() {
    // Always the last business day of May; in 2027 that is Monday, the 31st.
    let days = [date(2022, 5, 31), date(2023, 5, 31), date(2024, 5, 31), date(2025, 5, 30), date(2026, 5, 29)];
    let facts = payer(&days.map(|day| (day, "1.00")));
    let node = explained(&facts, |stock| stock.ex_dividend_date());
    assert_eq!(line(&node), "year_from_end(reference 2026-05-29, months 12) = 2027-05-31");
    assert_eq!(node.inputs[0].source.as_ref().unwrap().as_str(), "acme");
    assert_eq!(upcoming::next_ex(&figures(&facts), TODAY).unwrap().ex_date, date(2027, 5, 31));
    // Every Friday, except one on a Thursday. The median gap is seven days.
    let days = [date(2026, 6, 12), date(2026, 6, 18), date(2026, 6, 26), date(2026, 7, 3), date(2026, 7, 10)];
    let weekly = explained(&payer(&days.map(|day| (day, "0.10"))), |stock| stock.ex_dividend_date());
    assert_eq!(line(&weekly), "median_gap(last 2026-07-10, gap 7, payments 1) = 2026-07-17");
    assert_eq!(line(&weekly.inputs[1]), "median(gap 6, gap 8, gap 7, gap 7) = 7");
}

#[test]
fn a_declared_ex_date_is_the_providers() {
    let mut facts = quarterly(["0.50"; 4]);
    facts.dividends.push(MarketDividend { ex_date: date(2026, 9, 9), ..facts.dividends[3] });
    let node = explained(&facts, |stock| stock.ex_dividend_date());
    assert_eq!((line(&node).as_str(), node.source.unwrap().as_str()), ("given() = 2026-09-09", "acme"));
    let per_share = explained(&facts, |stock| stock.per_share(date(2026, 9, 9), ledger::Money::new(d("0.50"), usd()))).unwrap();
    assert_eq!(line(&per_share), "given() = 0.50");
}

#[test]
fn an_estimated_payment_is_a_part_of_the_forward_rate() {
    let facts = quarterly(["0.40", "0.41", "0.42", "0.43"]);
    let next = upcoming::next_ex(&figures(&facts), TODAY).unwrap();
    let node = explained(&facts, |stock| stock.per_share(next.ex_date, next.per_share)).unwrap();
    assert_eq!(line(&node), "quotient(forward_rate 1.66, payments_per_year 4) = 0.415");
    assert_eq!(node.decimal(), Some(next.per_share.amount));
}

#[test]
fn safety_shows_every_check_with_its_figures_and_limits() {
    let mut facts = yearly(&["1.00", "1.05", "1.10", "1.00", "1.20"]);
    facts.price = Some(d("24"));
    facts.yield_avg_5y_pct = Some(d("2"));
    facts.payout_ratio = Some(d("0.95"));
    let node = explained(&facts, |stock| stock.safety());
    assert_eq!(text(&node), figures(&facts).safety.as_str());
    assert_eq!(
        line(&node),
        "safety(cut fired, stopped passed, uncovered passed, yield_doubled fired, high_payout fired, thin_cash_cover not_made, \
         yield_raised fired, streak_ended passed) = at_risk"
    );
    // 1.00 in 2025 is less than 0.98 × 1.10; the last three calendar years and the one before them are compared.
    assert_eq!(line(&node.inputs[0]), "cut(kept_at_least 0.98, 2022 1.00, 2023 1.05, 2024 1.10, 2025 1.00) = fired");
    // 1.20 ÷ 24 = 5%, 2.5 times the average
    assert_eq!(line(&node.inputs[3]), "yield_doubled(relative_yield 2.5, limit 2, payout_ratio 0.95, limit 0.9) = fired");
    assert_eq!(line(&node.inputs[5]), "thin_cash_cover(fcf_cover –, limit 1.3) = not_made");
    let unknown = explained(&yearly(&["1.00", "1.05"]), |stock| stock.safety());
    assert_eq!(line(&unknown), "too_little_data(payments 2, payout_ratio –, fcf_cover –, fund no, complete_years 1) = unknown");
}

fn entry(sequence: i64, day: Date, event: Event) -> Entry {
    Entry { date: day, sequence, currency: usd(), fx_rate: None, event }
}

fn trade(shares: &str, amount: &str, fees: &str) -> Trade {
    Trade { shares: d(shares), amount: d(amount), fees: d(fees), cost_known: true }
}

#[test]
fn cost_and_shares_show_the_transactions_since_the_position_was_opened() {
    let mut in_euro = entry(6, date(2026, 7, 14), Event::Buy(trade("2", "80", "0")));
    in_euro.currency = Currency::EUR;
    let entries = [
        entry(1, date(2025, 1, 10), Event::Buy(trade("5", "50", "0"))),
        entry(2, date(2025, 1, 20), Event::Sell(trade("5", "60", "0"))),
        entry(3, date(2025, 2, 10), Event::Buy(trade("10", "100", "5"))),
        entry(4, date(2025, 3, 10), Event::Sell(trade("4", "60", "0"))),
        entry(5, date(2025, 4, 10), Event::ReturnOfCapital { amount: d("3") }),
        in_euro,
    ];
    let splits = [Split { date: date(2025, 6, 2), ratio: Ratio { new: d("2"), old: d("1") } }];
    let (fx, rates) = (fx(), Source::Provider("ecb".to_owned()));
    let position = replay(&entries, usd(), &splits, &fx, TODAY, Oversell::Close).unwrap().unwrap();
    let lot = Lot { entries: &entries, splits: &splits, fx: &fx, rates: &rates, origins: &Acme };
    let shares = lot.shares(&position, TODAY, false).unwrap();
    assert_eq!(line(&shares), "replay_shares(buy 10, sell 4, split 2, buy 2) = 14");
    // 105, of which 6 ÷ 10 stay: 63. 3 are returned: 60. 80 EUR are 100 USD: 160.
    let cost = lot.cost(&position, TODAY).unwrap();
    assert_eq!(
        line(&cost),
        "replay_cost(buy 10, cost 105.00, sell 4, return_of_capital 3.00, split 2, buy 2, cost 100.00) = 160.00"
    );
    assert_eq!(line(&cost.inputs[1]), "sum(amount 100.00, fees 5.00) = 105.00");
    assert_eq!(cost.inputs[1].rows, ["3"]);
    assert_eq!(line(&cost.inputs[6]), "convert(amount 80.00, exchange_rate 1, exchange_rate 1.25) = 100.00");
    let brief = lot.shares(&position, TODAY, true).unwrap();
    assert_eq!((line(&brief).as_str(), brief.rows), ("given() = 14", ["3", "4", "6"].map(str::to_owned).to_vec()));
    // 160 ÷ 14 = 11.428571428571…
    let average = explain::average_cost(vec![cost], vec![shares]).unwrap();
    assert_eq!(text(&average), position.average_cost().per_share_text());
    assert_eq!(line(&average), "quotient(cost 160.00, shares 14) = 11.4285714286");
    // Before the split, ten shares minus four.
    assert_eq!(line(&lot.shares_paid(date(2025, 5, 5)).unwrap()), "replay_shares(buy 10, sell 4) = 6");
    assert_eq!(line(&lot.shares_paid(date(2025, 6, 2)).unwrap()), "replay_shares(buy 10, sell 4, split 2) = 12");
}

#[test]
fn income_is_explained_gross_and_net() {
    let shares = Node::number("shares", d("10"), Unit::Shares);
    let rate = Node::number("forward_rate", d("2.00"), Unit::Money(usd()));
    let ecb = Source::Provider("ecb".to_owned());
    let exchange = explain::exchange(&fx(), usd(), Currency::EUR, TODAY, &ecb).unwrap();
    let income = explain::income(shares, rate, exchange).unwrap();
    // 20 USD ÷ 1.25 = 16 EUR
    assert_eq!(line(&income), "convert(product 20.00, exchange_rate 1.25, exchange_rate 1) = 16.00");
    let net = explain::net_income(income.clone(), Node::number("withholding", d("0.15"), Unit::Fraction)).unwrap();
    assert_eq!(line(&net), "product(income 16.00, difference 0.85) = 13.60");
    let total = explain::total("annual_income", Currency::EUR, vec![income.clone(), net]).unwrap();
    assert_eq!((line(&total).as_str(), total.decimals), ("sum(income 16.00, net_income 13.60) = 29.60", Some(2)));
    let growth = |rate| Node::number("growth", d(rate), Unit::Fraction);
    // (16 × 0.05 + 16 × 0.10) ÷ 32
    let mean = explain::growth_rate(vec![(income.clone(), growth("0.05")), (income, growth("0.10"))], Currency::EUR).unwrap();
    assert_eq!(line(&mean), "quotient(sum 2.40, annual_income 32.00) = 0.075");
}

fn tax(country: &'static str, fund: bool, residence: &str, paid: &[(&str, &str)]) -> Node {
    let source = withholding::Source { country: Some(country), fund };
    let rows: Vec<Paid> = (1..)
        .zip(paid)
        .map(|(sequence, (gross, tax))| Paid { sequence, date: date(2026, 6, 10), gross: d(gross), tax: d(tax) })
        .collect();
    let seen = Seen {
        gross: rows.iter().map(|row| row.gross).sum(),
        withheld: rows.iter().map(|row| row.tax).sum(),
        rounding: d("0.005") * Decimal::from(rows.len()),
    };
    let estimate = withholding::estimate(source, Some(residence), Some(seen).filter(|_| !rows.is_empty()));
    let node = explain::withholding(&estimate, source, Some(residence), &rows, Some(usd())).unwrap();
    assert_eq!(node.decimal(), Some(estimate.rate));
    node
}

#[test]
fn withholding_shows_the_dividends_or_the_rows_of_the_table() {
    // 8.78 of 58.50 is 15% but for rounding: 8.775
    let seen = tax("US", false, "ES", &[("30.00", "4.50"), ("28.50", "4.28")]);
    assert_eq!(line(&seen), "withheld(gross 58.50, withheld 8.78, rounding 0.01, treaty_rate 0.15, statutory_rate 0.3) = 0.15");
    assert_eq!((&seen.inputs[1].inputs[1].rows, &seen.inputs[3].rows), (&vec!["2".to_owned()], &vec!["US-ES".to_owned()]));
    let table = tax("US", false, "ES", &[]);
    assert_eq!(line(&table), "lowest(treaty_rate 0.15, statutory_rate 0.3) = 0.15");
    assert_eq!(line(&tax("US", false, "US", &[])), "home(source_country US, residence US) = 0");
    assert_eq!(line(&tax("IE", true, "ES", &[])), "untaxed_fund(source_country IE, fund yes) = 0");
    let unknown = tax("AQ", false, "ES", &[]);
    assert_eq!((line(&unknown).as_str(), unknown.source), ("given() = 0.15", Some(Source::Table)));
}

#[test]
fn a_payment_of_the_users_own_dividends_shows_its_transactions() {
    let part = |sequence, gross, shares| OwnPart {
        ex_date: date(2026, 6, 10),
        currency: usd(),
        sequence,
        date: date(2026, 6, 30),
        gross: d(gross),
        shares: d(shares),
    };
    let parts = [part(7, "5.00", "10"), part(9, "2.50", "5")];
    let node = explain::own_payment(parts.iter()).unwrap();
    assert_eq!(line(&node), "quotient(gross 7.50, shares 15) = 0.50");
    assert_eq!(node.inputs[0].inputs[1].rows, ["9"]);
}
