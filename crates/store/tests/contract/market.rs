use jiff::civil::{Date, date};
use ledger::{Currency, Fx, QuoteUnit, Ratio, Split};
use rust_decimal::Decimal;
use store::dividends::{self, Dividend};
use store::stocks::{self, Stock};
use store::{Tx, fx_rates, prices, splits, tracking, users};

use crate::sample::{Database, currency, decimal, id, new_user, stock};

#[tokio::test]
async fn a_stock_comes_back_whole_and_is_replaced_whole() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let bare = Stock {
        name: None,
        exchange: None,
        kind: None,
        isin: None,
        country: None,
        sector: None,
        industry: None,
        instrument_type: None,
        price: None,
        price_as_of: None,
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: None,
        tracked: false,
        placeholder: true,
        quote_unit: QuoteUnit::from(Currency::EUR),
        currency: Currency::EUR,
        ..stock("SHEL.L")
    };
    for row in [stock("SHEL.L"), bare, stock("SHEL.L")] {
        stocks::upsert(&mut tx, std::slice::from_ref(&row)).await.unwrap();
        assert_eq!(stocks::by_symbol(&mut tx, "SHEL.L").await.unwrap(), Some(row));
    }
    assert_eq!(stocks::by_symbol(&mut tx, "shel.l").await.unwrap(), None);
}

#[tokio::test]
async fn stocks_are_found_by_symbols_in_the_order_asked_and_by_isin() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let second = Stock { isin: stock("A").isin, ..stock("A.DE") };
    stocks::upsert(&mut tx, &[second, stock("A"), stock("B")]).await.unwrap();
    let symbols = |found: Vec<Stock>| found.into_iter().map(|stock| stock.symbol).collect::<Vec<_>>();
    assert_eq!(symbols(stocks::by_symbols(&mut tx, &["B", "X", "A"]).await.unwrap()), ["B", "A"]);
    assert_eq!(symbols(stocks::by_isin(&mut tx, "GB00A").await.unwrap()), ["A", "A.DE"]);
    assert!(stocks::by_isin(&mut tx, "GB00").await.unwrap().is_empty());
}

#[tokio::test]
async fn a_placeholder_never_replaces_what_is_known() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock("A")]).await.unwrap();
    assert!(!stocks::add_placeholder(&mut tx, "A", None, None, Currency::EUR).await.unwrap());
    assert_eq!(stocks::by_symbol(&mut tx, "A").await.unwrap(), Some(stock("A")));
    assert!(stocks::add_placeholder(&mut tx, "NEW", Some("New"), Some("XS1"), currency("USD")).await.unwrap());
    let made = stocks::by_symbol(&mut tx, "NEW").await.unwrap().unwrap();
    assert_eq!((made.name.as_deref(), made.isin.as_deref()), (Some("New"), Some("XS1")));
    assert_eq!((made.currency, made.quote_unit), (currency("USD"), QuoteUnit::from(currency("USD"))));
    assert!(made.placeholder && !made.tracked && made.price.is_none());
}

#[tokio::test]
async fn listings_are_every_stock_by_symbol_and_tracking_can_be_switched() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::upsert(&mut tx, &[stock("b"), stock("A"), stock("C")]).await.unwrap();
    assert_eq!(stocks::set_tracked(&mut tx, &["A", "X", "b"], false).await.unwrap(), 2);
    assert_eq!(stocks::set_tracked(&mut tx, &["b"], true).await.unwrap(), 1);
    let listings = stocks::listings(&mut tx).await.unwrap();
    let seen: Vec<_> = listings.iter().map(|one| (one.symbol.as_str(), one.tracked)).collect();
    assert_eq!(seen, [("A", false), ("C", true), ("b", true)], "byte order, as PostgreSQL will have it");
    assert_eq!(listings[0].name.as_deref(), Some("A plc"));
    assert_eq!((listings[0].exchange.as_deref(), listings[0].kind.as_deref()), (Some("LSE"), Some("EQUITY")));
}

fn paid(ex_date: Date, amount: &str) -> Dividend {
    Dividend { ex_date, currency: currency("USD"), special: false, pay_date: None, declared_date: None, amount: decimal(amount) }
}

#[tokio::test]
async fn a_dividend_of_the_same_day_currency_and_kind_is_replaced() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let day = date(2026, 2, 3);
    let special = Dividend { special: true, ..paid(day, "5.00") };
    let euro = Dividend { currency: Currency::EUR, ..paid(day, "0.9") };
    let first = paid(date(2025, 11, 3), "0.25");
    dividends::upsert(&mut tx, "A", &[paid(day, "1"), special.clone(), euro.clone(), first.clone()]).await.unwrap();
    let corrected = Dividend { pay_date: Some(date(2026, 2, 20)), declared_date: Some(date(2026, 1, 9)), ..paid(day, "1.10") };
    dividends::upsert(&mut tx, "A", std::slice::from_ref(&corrected)).await.unwrap();
    dividends::upsert(&mut tx, "B", &[paid(day, "9")]).await.unwrap();
    assert_eq!(dividends::of_symbol(&mut tx, "A").await.unwrap(), [first, euro, corrected, special]);
}

async fn symbols(tx: &mut Tx, from: Date, to: Date) -> Vec<(String, Date)> {
    dividends::calendar(tx, from, to).await.unwrap().into_iter().map(|one| (one.symbol, one.ex_date)).collect()
}

#[tokio::test]
async fn the_calendar_has_tracked_stocks_once_per_day_with_both_ends_included() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    let untracked = |symbol| Stock { tracked: false, ..stock(symbol) };
    stocks::upsert(&mut tx, &[stock("OPERATOR"), untracked("HELD"), untracked("NOBODY")]).await.unwrap();
    tracking::replace_for_user(&mut tx, id(1), &["HELD".to_owned()].into()).await.unwrap();
    let (first, last) = (date(2026, 2, 3), date(2026, 2, 10));
    for symbol in ["OPERATOR", "HELD", "NOBODY", "NO ROW"] {
        let special = Dividend { special: true, ..paid(first, "5") };
        let days = [date(2026, 2, 2), first, last, date(2026, 2, 11)].map(|day| paid(day, "1"));
        dividends::upsert(&mut tx, symbol, &days).await.unwrap();
        dividends::upsert(&mut tx, symbol, &[special]).await.unwrap();
    }
    let expected = [("HELD", first), ("OPERATOR", first), ("HELD", last), ("OPERATOR", last)];
    assert_eq!(symbols(&mut tx, first, last).await, expected.map(|(symbol, day)| (symbol.to_owned(), day)));
    assert!(symbols(&mut tx, last, first).await.is_empty());
    let row = &dividends::calendar(&mut tx, first, first).await.unwrap()[0];
    assert_eq!((row.name.as_deref(), row.sector.as_deref()), (Some("HELD plc"), Some("Energy")));
}

#[tokio::test]
async fn splits_come_oldest_first_and_one_of_the_same_day_is_replaced() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let split = |day, new: &str, old: &str| Split { date: day, ratio: Ratio { new: decimal(new), old: decimal(old) } };
    let (early, late) = (date(2014, 6, 9), date(2020, 8, 31));
    splits::upsert(&mut tx, "A", &[split(late, "5", "1"), split(early, "7", "1")]).await.unwrap();
    splits::upsert(&mut tx, "A", &[split(late, "4", "1.5")]).await.unwrap();
    splits::upsert(&mut tx, "B", &[split(late, "2", "1")]).await.unwrap();
    assert_eq!(splits::of_symbol(&mut tx, "A").await.unwrap(), [split(early, "7", "1"), split(late, "4", "1.5")]);
}

#[tokio::test]
async fn month_ends_are_the_last_closes_of_each_month_since_a_day() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let close = |day: Date, close: &str| -> (Date, Decimal) { (day, decimal(close)) };
    let december = close(date(2025, 12, 31), "9.5");
    let january = [close(date(2026, 1, 2), "10"), close(date(2026, 1, 29), "11.0"), close(date(2026, 1, 30), "12.00")];
    let march = [close(date(2026, 3, 1), "13"), close(date(2026, 3, 31), "14")];
    let other_year = close(date(2025, 1, 31), "8");
    let all = [other_year, december, january[0], january[1], january[2], march[0], march[1]];
    prices::upsert(&mut tx, "A", &all).await.unwrap();
    prices::upsert(&mut tx, "B", &[close(date(2026, 2, 1), "1")]).await.unwrap();
    assert_eq!(prices::month_ends(&mut tx, "A", date(2025, 1, 1)).await.unwrap(), [other_year, december, january[2], march[1]]);
    assert_eq!(prices::month_ends(&mut tx, "A", date(2026, 1, 30)).await.unwrap(), [january[2], march[1]]);
    assert_eq!(prices::of_symbol(&mut tx, "A", date(2026, 1, 29)).await.unwrap(), all[3..]);
    assert_eq!(prices::latest(&mut tx, "A", date(2026, 2, 15)).await.unwrap(), Some(january[2]));
    assert_eq!(prices::latest(&mut tx, "A", date(2024, 2, 15)).await.unwrap(), None);
    prices::upsert(&mut tx, "A", &[close(date(2026, 3, 31), "15.0")]).await.unwrap();
    assert_eq!(prices::latest(&mut tx, "A", date(2027, 1, 1)).await.unwrap().unwrap().1.to_string(), "15.0");
}

#[tokio::test]
async fn exchange_rates_come_by_currency_and_the_latest_is_on_or_before_the_day() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let rate = |code, day, rate: &str| (currency(code), day, decimal(rate));
    let (monday, friday) = (date(2026, 1, 5), date(2026, 1, 9));
    let all = [rate("GBP", friday, "0.87"), rate("USD", monday, "1.10"), rate("USD", friday, "1.20")];
    fx_rates::upsert(&mut tx, &[all[2], all[0], rate("USD", monday, "9")]).await.unwrap();
    fx_rates::upsert(&mut tx, &[all[1]]).await.unwrap();
    assert_eq!(fx_rates::all(&mut tx).await.unwrap(), all);
    assert_eq!(fx_rates::since(&mut tx, friday).await.unwrap(), [all[0], all[2]]);
    assert_eq!(fx_rates::latest(&mut tx, date(2026, 1, 8)).await.unwrap(), [all[1]]);
    assert_eq!(fx_rates::latest(&mut tx, friday).await.unwrap(), [all[0], all[2]]);
    let fx = Fx::new(fx_rates::all(&mut tx).await.unwrap());
    assert_eq!(fx.per_euro(currency("USD"), date(2026, 1, 8)), Some(decimal("1.10")));
}
