//! The figures of the web app's pages, from database rows to the answer.

use app::App;
use app::entries::check;
use app::income::{self, expected, received};
use app::portfolios::{holdings, positions, shared};
use app::stocks::{radar_view, stock_page};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::expected::State;
use ledger::{Currency, Kind, QuoteUnit, Ratio, Safety, Split};
use store::entries::Entry;
use store::portfolios::NewPortfolio;
use store::stocks::Stock;
use store::users::NewUser;
use store::{dividends, entries, fx_rates, portfolios, radar, splits, stocks, tracking, users, versions};
use uuid::Uuid;

use super::world::shared::World as Shared;
use super::world::{buy, dec as d};

pub const TODAY: Date = date(2026, 11, 15);
pub const USER: Uuid = Uuid::from_u128(1);
const CORE: Uuid = Uuid::from_u128(10);
const OTHER: Uuid = Uuid::from_u128(11);

fn usd() -> Currency {
    Currency::parse("USD").unwrap()
}

pub struct World {
    pub app: App,
    _shared: Shared,
}

/// A user in euros with 10 OAK (dollars, at 20) and 5 ELM (euros, at 30) in Core, and 1 FIR, which has no market data, in Other.
/// OAK pays 0.50 on the 20th of February, May, August and November, with the ex-date ten days before. ELM pays nothing. A dollar
/// is 0.80 EUR (1.25 per euro). OAK trades at 40.
pub async fn world() -> World {
    let shared = Shared::new().await;
    let app = shared.at(0);
    let mut tx = app.store.write().await.unwrap();
    let user = NewUser {
        id: USER,
        email: "a@x.org".to_owned(),
        name: Some("Ana".to_owned()),
        preferred_currency: Currency::EUR,
        residence: Some("DE".to_owned()),
        password_hash: None,
        created_at: 1,
        email_verified_at: None,
    };
    users::add(&mut tx, &user).await.unwrap();
    for (id, name) in [(CORE, "Core"), (OTHER, "Other")] {
        let portfolio = NewPortfolio { id, name: name.to_owned(), is_default: id == CORE, created_at: 1, made_by: None };
        portfolios::add(&mut tx, USER, &portfolio).await.unwrap();
    }
    portfolios::share(&mut tx, USER, CORE, "oaks").await.unwrap();
    let stock = |symbol: &str, unit: &str, price: &str| Stock {
        name: Some(format!("{symbol} Inc")),
        price: Some(d(price)),
        payout_ratio: Some(d("0.4")),
        country: Some("US".to_owned()),
        ..Stock::new(symbol, QuoteUnit::parse(unit).unwrap())
    };
    stocks::upsert(&mut tx, &[stock("OAK", "USD", "40"), stock("ELM", "EUR", "30")]).await.unwrap();
    let pay_dates = (2024..=2026).flat_map(|year| [2, 5, 8, 11].map(|month| date(year, month, 20)));
    let paid: Vec<dividends::Dividend> = pay_dates
        .map(|pay_date| dividends::Dividend {
            ex_date: pay_date.saturating_sub(10.days()),
            currency: usd(),
            kind: dividends::Kind::Regular,
            pay_date: Some(pay_date),
            declared_date: None,
            amount: d("0.50"),
            provider: None,
        })
        .collect();
    dividends::upsert(&mut tx, "OAK", &paid).await.unwrap();
    fx_rates::upsert(&mut tx, &[(usd(), date(2024, 1, 2), d("1.25"))]).await.unwrap();
    let symbols = ["OAK", "ELM"].map(str::to_owned).into_iter().collect();
    tracking::replace_for_user(&mut tx, USER, &symbols).await.unwrap();
    radar::add(&mut tx, USER, "OAK", 7).await.unwrap();
    radar::add(&mut tx, USER, "NIL", 8).await.unwrap();
    entries::add(&mut tx, USER, &ledger_rows()).await.unwrap();
    tx.commit().await.unwrap();
    World { app, _shared: shared }
}

fn ledger_rows() -> Vec<Entry> {
    let buy = |sequence, symbol, shares, price, currency, date| Entry {
        kind: Kind::Buy,
        shares: Some(d(shares)),
        price: Some(d(price)),
        amount: None,
        ..row(sequence, symbol, currency, date)
    };
    let dividend = |sequence, date, gross: &str, tax: &str| Entry {
        amount: Some(d(gross)),
        tax: Some(d(tax)),
        ..row(sequence, "OAK", usd(), date)
    };
    vec![
        buy(1, "ELM", "5", "30", Currency::EUR, date(2025, 1, 2)),
        buy(2, "OAK", "10", "20", usd(), date(2025, 6, 2)),
        Entry { portfolio_id: OTHER, ..buy(3, "FIR", "1", "9", Currency::EUR, date(2025, 6, 3)) },
        dividend(4, date(2025, 8, 22), "5.00", "0.75"),
        dividend(5, date(2025, 11, 20), "4.00", "0.60"),
        dividend(6, date(2026, 5, 21), "5.00", "0.75"),
        dividend(7, date(2026, 7, 1), "1.00", "0.15"),
        Entry {
            symbol: "FIR".to_owned(),
            portfolio_id: OTHER,
            currency: Currency::EUR,
            ..dividend(8, date(2026, 7, 1), "2.00", "0")
        },
    ]
}

fn row(sequence: i64, symbol: &str, currency: Currency, date: Date) -> Entry {
    Entry {
        sequence,
        portfolio_id: CORE,
        date,
        kind: Kind::Dividend,
        symbol: symbol.to_owned(),
        isin: None,
        name: Some("as typed".to_owned()),
        shares: None,
        price: None,
        amount: None,
        fees: None,
        tax: None,
        net: None,
        currency,
        fx_rate: None,
        ratio: None,
        ex_date: None,
        source: "manual".to_owned(),
        source_id: None,
        note: None,
        identity: format!("row {sequence}"),
        import_id: None,
        gross_known: true,
        reinvests: None,
    }
}

#[tokio::test]
async fn received_adds_up_by_year_stock_and_portfolio_in_the_users_currency() {
    let world = world().await;
    let all = received::received(&world.app, USER, None, TODAY).await.unwrap();
    // OAK: 15 USD gross, 12.75 net, × 0.8; FIR: 2 EUR.
    let stocks: Vec<_> = all
        .by_stock
        .iter()
        .map(|stock| (stock.symbol.as_str(), stock.name.as_deref(), stock.total.net.aggregate_text()))
        .collect();
    assert_eq!(stocks, [("OAK", Some("OAK Inc"), "10.20".to_owned()), ("FIR", Some("as typed"), "2.00".to_owned())]);
    assert_eq!(all.by_portfolio[0].key, "Core");
    // 2025: 9 × 0.8 gross; (4.25 + 3.40) × 0.8 net.
    assert_eq!(
        (all.years[0].total.gross.aggregate_text(), all.years[0].total.net.aggregate_text()),
        ("7.20".into(), "6.12".into())
    );
    assert_eq!(all.years[0].months[7].net.aggregate_text(), "3.40");
    // Since 16 November 2025: 3.40, 4.25 and 0.85 USD, and 2 EUR; before: 4.25 USD.
    assert_eq!((all.last_12_months.net.aggregate_text(), all.before_12.net.aggregate_text()), ("8.80".into(), "3.40".into()));
    let core = received::received(&world.app, USER, Some("core"), TODAY).await.unwrap();
    assert_eq!((core.by_stock.len(), core.by_portfolio.len()), (1, 1));
}

#[tokio::test]
async fn each_expected_payment_is_received_different_or_missing() {
    let world = world().await;
    let all = expected::compare(&world.app, USER, None).await.unwrap();
    let states: Vec<_> = all.payments.iter().map(|one| (one.pay_date, one.state)).collect();
    // Bought in June 2025. The payment of 20 November 2026 is in the future and not listed.
    let listed = [
        (date(2026, 8, 20), State::Missing),
        (date(2026, 5, 20), State::Received),
        (date(2026, 2, 20), State::Missing),
        (date(2025, 11, 20), State::Different),
        (date(2025, 8, 20), State::Received),
    ];
    assert_eq!(states, listed);
    let different = &all.payments[3];
    assert_eq!((different.expected.aggregate_text(), different.shares), ("5.00".to_owned(), d("10")));
    assert_eq!(different.difference.unwrap().amount, d("-1.00"));
    assert_eq!(all.extra.iter().map(|one| (one.symbol.as_str(), one.date)).collect::<Vec<_>>(), [("OAK", date(2026, 7, 1))]);
    assert_eq!(all.not_compared, ["FIR"]);
}

#[tokio::test]
async fn positions_are_the_holdings_with_their_share_of_the_income() {
    let world = world().await;
    let all = positions::list(&world.app, USER, None).await.unwrap();
    let held = holdings::list(&world.app, USER, None).await.unwrap();
    let order = |one: &holdings::HoldingSummary| (one.symbol.clone(), one.shares, one.average_cost, one.portfolio.clone());
    assert_eq!(all.rows.iter().map(|row| order(&row.holding)).collect::<Vec<_>>(), held.iter().map(order).collect::<Vec<_>>());
    let outlook = income::outlook(&world.app, USER, None, 10, false).await.unwrap();
    assert_eq!((all.annual.amount, all.net_annual.amount), (outlook.income.annual, outlook.income.net_annual));
    let (elm, oak, fir) = (&all.rows[0], &all.rows[1], &all.rows[2]);
    // 10 × 2 USD × 0.8
    assert_eq!((oak.income.unwrap().aggregate_text(), oak.share_pct), ("16.00".to_owned(), Some(d("100.0"))));
    // 2 ÷ 20; the recorded withholding is 15%.
    assert_eq!((oak.yield_on_cost_pct, oak.net_income.unwrap().aggregate_text()), (Some(d("10.00")), "13.60".to_owned()));
    assert_eq!(oak.next_pay.unwrap().pay_date, date(2026, 11, 20));
    assert_eq!(oak.next_ex.unwrap().ex_date, date(2027, 2, 10));
    assert_eq!((elm.income.unwrap().aggregate_text(), elm.yield_on_cost_pct), ("0.00".to_owned(), None));
    assert_eq!((fir.price, fir.safety, fir.next_pay), (None, Safety::Unknown, None));
}

#[tokio::test]
async fn a_stock_page_has_payments_years_and_the_users_position() {
    let world = world().await;
    let page = stock_page::page(&world.app, "oak", None, Some(USER)).await.unwrap().unwrap();
    assert_eq!((page.payments.len(), page.payments[0].pay_date, page.payments[0].to_come), (12, date(2026, 11, 20), false));
    assert_eq!(
        page.years.iter().map(|year| (year.year, year.complete)).collect::<Vec<_>>(),
        [(2024, true), (2025, true), (2026, false)]
    );
    assert_eq!((page.payout_ratio, page.next.unwrap().pay_date), (Some(d("0.4")), date(2026, 11, 20)));
    let own = page.own.unwrap();
    assert_eq!((own.positions.len(), own.received.unwrap().total.gross.aggregate_text()), (1, "12.00".to_owned()));
    assert!(stock_page::page(&world.app, "OAK", None, None).await.unwrap().is_none(), "one user holds it: not public");
    assert!(stock_page::page(&world.app, "FIR", None, Some(USER)).await.unwrap().is_none());
}

#[tokio::test]
async fn the_watchlist_shows_figures_for_stocks_with_market_data() {
    let world = world().await;
    let rows = radar_view::rows(&world.app, USER).await.unwrap();
    let oak = rows[0].stock.as_ref().unwrap();
    assert_eq!((oak.yield_pct, oak.next_ex.unwrap().ex_date), (Some(d("5.00")), date(2027, 2, 10)));
    assert!(rows[1].stock.is_none() && !rows[0].is_reached());
}

#[tokio::test]
async fn a_shared_portfolio_hides_amounts_and_names_typed_by_its_owner() {
    let world = world().await;
    let hidden = shared::shared(&world.app, "OAKS").await.unwrap().unwrap();
    assert_eq!(hidden.positions.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>(), ["OAK", "ELM"]);
    assert_eq!((hidden.positions[0].share_pct, hidden.positions[0].name.as_deref()), (Some(d("100.0")), Some("OAK Inc")));
    assert!(hidden.amounts.is_none() && hidden.positions.iter().all(|one| one.amounts.is_none()));
    assert_eq!(hidden.upcoming[0].pay_date, date(2026, 11, 20));
    assert!(hidden.upcoming.iter().all(|one| one.expected.is_none()));
    let mut tx = world.app.store.write().await.unwrap();
    portfolios::set_show_amounts(&mut tx, USER, CORE, true).await.unwrap();
    tx.commit().await.unwrap();
    let shown = shared::shared(&world.app, "oaks").await.unwrap().unwrap();
    assert_eq!(shown.amounts.unwrap().annual.aggregate_text(), "16.00");
    assert_eq!(shown.upcoming[0].expected.unwrap().aggregate_text(), "5.00");
}

#[tokio::test]
async fn unshared_portfolios_and_those_of_disabled_users_are_not_found() {
    let world = world().await;
    assert!(shared::shared(&world.app, "Other").await.unwrap().is_none());
    let mut tx = world.app.store.write().await.unwrap();
    users::set_disabled(&mut tx, USER, true).await.unwrap();
    tx.commit().await.unwrap();
    assert!(shared::shared(&world.app, "oaks").await.unwrap().is_none());
}

#[tokio::test]
async fn a_purchase_after_an_announced_split_has_no_preview_of_its_income() {
    let world = world().await;
    let mut tx = world.app.store.write().await.unwrap();
    splits::upsert(&mut tx, "OAK", &[Split { date: date(2026, 11, 25), ratio: Ratio::parse("2:1").unwrap() }]).await.unwrap();
    versions::bump_market(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let income = async |day: &str| {
        let checked = check(&world.app, USER, None, &buy(day, "OAK", "10", "40")).await.unwrap();
        checked.pays.map(|[_, after]| after.income.unwrap().aggregate_text())
    };
    // 20 × 2.00 × 0.80 until the split; afterwards, 10 new shares are 5 of today's.
    assert_eq!(income("2026-11-24").await.as_deref(), Some("32.00"));
    assert_eq!(income("2026-11-25").await, None);
}
