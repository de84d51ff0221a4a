//! What the demo promises, on any day.

use std::collections::{BTreeMap, BTreeSet};

use app::operations::demo::{Files, PORTFOLIOS, files};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{Currency, Decimal, Entry, Event, Fx, Kind, Oversell, Position, Split, Trade};

/// The demo files of a day, parsed by the code that loads them.
struct Loaded {
    today: Date,
    files: Files,
    market: market::files::Files,
    records: Vec<importers::Record>,
}

/// By portfolio and symbol; `None` if everything was sold.
type Positions<'a> = BTreeMap<(&'a str, &'a str), Option<Position>>;

fn demo(today: Date) -> Loaded {
    let files = files(today);
    // Closes are most of the text; another test reads them.
    let market = market(&files, |name| name != "prices.csv");
    let file = importers::Opened::open(files.ledger.as_bytes()).unwrap();
    let parsed = importers::by_name("dripline").unwrap().read(&file);
    assert!(parsed.errors.is_empty() && parsed.skips.is_empty(), "{today}: {:?}", parsed.errors);
    Loaded { today, files, market, records: parsed.records }
}

fn market(files: &Files, wanted: fn(&str) -> bool) -> market::files::Files {
    let wanted = files.market.iter().filter(|(name, _)| wanted(name));
    market::files::parse(wanted.map(|(name, text)| (*name, text.as_bytes()))).unwrap()
}

impl Loaded {
    fn dividends(&self) -> impl Iterator<Item = &importers::Record> {
        self.records.iter().filter(|record| record.kind == Kind::Dividend)
    }

    /// Replayed by the ledger itself, which refuses to sell what is not held.
    fn positions(&self) -> Positions<'_> {
        let fx = Fx::new(self.market.fx.iter().map(|rate| (rate.currency, rate.date, rate.rate)));
        let mut entries: BTreeMap<(&str, &str), Vec<Entry>> = BTreeMap::new();
        for (sequence, record) in (0..).zip(&self.records).filter(|(_, record)| record.kind != Kind::Dividend) {
            let (shares, price) = (record.shares.unwrap(), record.price.unwrap());
            let trade = Trade { shares, amount: shares * price, fees: record.fees.unwrap_or_default(), cost_known: true };
            let event = if record.kind == Kind::Sell { Event::Sell(trade) } else { Event::Buy(trade) };
            let entry = Entry { date: record.date, sequence, currency: record.currency.unwrap(), fx_rate: None, event };
            let key = (record.portfolio.as_deref().unwrap(), record.symbol.as_deref().unwrap());
            entries.entry(key).or_default().push(entry);
        }
        let replay = |symbol: &str, entries: &[Entry]| {
            let own = self.market.splits.iter().filter(|split| split.symbol == symbol);
            let splits: Vec<Split> = own.map(|split| Split { date: split.date, ratio: split.ratio }).collect();
            ledger::replay(entries, entries[0].currency, &splits, &fx, self.today, Oversell::Refuse).unwrap()
        };
        entries.into_iter().map(|(key, entries)| (key, replay(key.1, &entries))).collect()
    }
}

/// Every 17th day of four years covers all days of the week and of the month.
#[test]
fn the_demo_files_load_on_any_day_and_hold_what_the_demo_promises() {
    for step in 0..86 {
        let demo = demo(date(2026, 9, 15).saturating_add((17 * step).days()));
        let positions = demo.positions();
        something_is_always_to_come(&demo, &positions);
        positions_are_of_many_currencies_and_countries(&demo, &positions);
        one_dividend_was_taken_back_and_booked_again(&demo);
        assert_eq!(demo.records[0].portfolio.as_deref(), Some(PORTFOLIOS[0]), "the first portfolio is the default one");
    }
}

fn something_is_always_to_come(demo: &Loaded, positions: &Positions<'_>) {
    let Loaded { today, files, market, records } = demo;
    let held = |symbol: &str| positions.iter().any(|(key, position)| key.1 == symbol && position.is_some());
    let ahead = |day: Date| *today <= day && day <= today.saturating_add(45.days());
    let ex_ahead: Vec<_> = market.dividends.iter().filter(|dividend| ahead(dividend.ex_date)).collect();
    assert!(ex_ahead.len() >= 5, "calendar on {today}: {}", ex_ahead.len());
    assert!(ex_ahead.iter().any(|dividend| held(&dividend.symbol)), "no position goes ex after {today}");
    assert!(
        ex_ahead.iter().any(|dividend| files.radar.contains(&&*dividend.symbol)),
        "nothing on the radar goes ex after {today}"
    );
    let mut paid_ahead =
        market.dividends.iter().filter(|dividend| dividend.ex_date < *today && dividend.pay_date.is_some_and(ahead));
    assert!(paid_ahead.any(|dividend| held(&dividend.symbol)), "nothing is to be paid after {today}");
    assert!(market.dividends.iter().all(|dividend| dividend.declared_date.is_some_and(|day| day < *today)), "{today}");
    assert!(market.fx.iter().all(|rate| rate.date < *today), "{today}");
    assert!(records.iter().all(|record| record.date <= *today), "{today}");
}

fn positions_are_of_many_currencies_and_countries(demo: &Loaded, positions: &Positions<'_>) {
    let open: Vec<_> = positions.iter().filter_map(|(key, position)| Some((key.1, position.as_ref()?))).collect();
    assert!((15..=18).contains(&open.len()), "{} on {}", open.len(), demo.today);
    let currencies: BTreeSet<Currency> = open.iter().map(|(_, position)| position.currency).collect();
    assert!(currencies.len() >= 5, "{currencies:?}");
    let stock = |symbol: &str| demo.market.stocks.iter().find(|stock| stock.symbol == symbol).unwrap();
    let countries: BTreeSet<_> = open.iter().map(|(symbol, _)| stock(symbol).profile.country.clone()).collect();
    assert!(countries.len() >= 6, "{countries:?}");
    assert_eq!(positions[&("Core", "T")], None, "sold out");
    // Three shares became thirty by the split, ten were bought after it.
    assert_eq!(positions[&("Core", "AVGO")].as_ref().unwrap().shares, Decimal::new(40, 0));
    assert_eq!(positions[&("Income", "O")].as_ref().unwrap().shares, Decimal::new(7575, 2));
    for watched in &demo.files.radar {
        assert!(stock(watched).tracked && !open.iter().any(|(symbol, _)| symbol == watched), "{watched}");
    }
}

fn one_dividend_was_taken_back_and_booked_again(demo: &Loaded) {
    let reversal = demo.dividends().find(|record| record.amount.is_some_and(|amount| amount < Decimal::ZERO)).unwrap();
    let key = |record: &importers::Record| (record.symbol.clone(), record.portfolio.clone(), record.ex_date);
    let booked: Vec<Decimal> =
        demo.dividends().filter(|record| key(record) == key(reversal)).filter_map(|record| record.amount).collect();
    let taken_back = reversal.amount.unwrap();
    assert_eq!(booked, [-taken_back, taken_back, -taken_back], "{}", demo.today);
    assert!(reversal.tax.unwrap() < Decimal::ZERO);
}

#[test]
fn dividends_are_shares_times_the_amount_paid_less_the_usual_tax() {
    let files = files(date(2026, 9, 15));
    let lines: Vec<&str> = files.ledger.lines().filter(|line| line.contains(",dividend,")).collect();
    // 30 shares × 3.10 CHF = 93.00, of which 35%.
    let nestle = lines.iter().find(|line| line.starts_with("2026-04") && line.contains("NESN.SW")).unwrap();
    assert_eq!(*nestle, "2026-04-23,dividend,NESN.SW,CH0038863350,30,3.1,93.00,,32.55,CHF,2026-04-20,Core,");
    // 900 shares × 15.36 p = 138.24 GBP, of which nothing.
    let legal = lines.iter().find(|line| line.starts_with("2026-06") && line.contains("LGEN.L")).unwrap();
    assert_eq!(*legal, "2026-06-05,dividend,LGEN.L,GB0005603997,900,0.1536,138.24,,0.00,GBP,2026-04-24,Income,");
    // Before the split (3 January 2025) three shares and ten times the amount: 0.65 ÷ 1.12² … as they were.
    let broadcom: Vec<&&str> = lines.iter().filter(|line| line.contains(",AVGO,")).collect();
    assert!(broadcom.iter().any(|line| line.contains(",3,5.")), "{broadcom:?}");
    assert!(broadcom.iter().any(|line| line.contains(",40,0.65,26.00,,3.90,")), "{broadcom:?}");
}

#[test]
fn five_years_of_dividends_and_ten_of_history_are_there() {
    let today = date(2028, 2, 29);
    let demo = demo(today);
    assert!(demo.dividends().any(|record| record.date < today.saturating_sub(1_800.days())));
    assert!(demo.dividends().count() > 200);
    let market = market(&demo.files, |_| true);
    assert!(market.prices.iter().all(|price| price.date < today));
    for stock in &market.stocks {
        let mut of_stock = market.dividends.iter().filter(|dividend| dividend.symbol == stock.symbol);
        assert!(of_stock.any(|dividend| dividend.ex_date < today.saturating_sub(9.years())), "{}", stock.symbol);
        assert!(market.prices.iter().filter(|price| price.symbol == stock.symbol).count() == 72, "{}", stock.symbol);
        assert!(stock.profile.low52 <= stock.price && stock.price <= stock.profile.high52, "{}", stock.symbol);
        let unit = stock.unit.currency;
        assert!(
            unit == Currency::EUR
                || market.fx.iter().any(|rate| rate.currency == unit && rate.date < today.saturating_sub(9.years()))
        );
    }
}

#[test]
fn figures_are_plain_decimals() {
    let files = files(date(2026, 12, 31));
    let texts = files.market.iter().map(|(_, text)| text.as_str()).chain([files.ledger.as_str()]);
    let mut seen = 0;
    for text in texts {
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        for line in text.lines().skip(1) {
            assert!(!line.contains('"'));
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), header.len(), "{line}");
            for (name, field) in header.iter().zip(fields) {
                if FIGURES.contains(name) && !field.is_empty() {
                    assert!(is_plain_decimal(field), "{name} in {line}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 10_000);
}

const FIGURES: [&str; 16] = [
    "price",
    "payout_ratio",
    "fcf_cover",
    "pe",
    "ma50",
    "ma200",
    "low52",
    "high52",
    "amount",
    "close",
    "rate",
    "shares",
    "fees",
    "tax",
    "net",
    "fx_rate",
];

/// `^-?\d+(\.\d+)?$`
fn is_plain_decimal(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}

#[test]
fn the_same_day_gives_the_same_files() {
    let today = date(2027, 5, 5);
    assert_eq!(files(today).ledger, files(today).ledger);
    assert_eq!(files(today).market, files(today).market);
}
