use jiff::civil::{Date, date};
use ledger::{Currency, Fx, QuoteUnit, Ratio, Split};
use rust_decimal::Decimal;
use store::refreshes::{self, Topic};
use store::stocks::{self, Stock};
use store::{fx_rates, prices, radar, splits, tracking, users};

use crate::sample::{Database, currency, decimal, id, new_user, stock};

#[tokio::test]
async fn a_stock_is_read_and_replaced_completely() {
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
async fn stocks_are_found_by_isin_and_known_by_symbol() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let second = Stock { isin: stock("A").isin, ..stock("A.DE") };
    stocks::upsert(&mut tx, &[second, stock("A"), stock("B")]).await.unwrap();
    let symbols = |found: Vec<Stock>| found.into_iter().map(|stock| stock.symbol).collect::<Vec<_>>();
    let known = stocks::known(&mut tx, &["B", "X", "A", "a", "B"]).await.unwrap();
    assert_eq!(known.into_iter().collect::<Vec<_>>(), ["A", "B"]);
    let found = stocks::by_isins(&mut tx, &["GB00A", "GB00"]).await.unwrap();
    assert_eq!(found.into_iter().map(symbols).collect::<Vec<_>>(), [vec!["A".to_owned(), "A.DE".to_owned()], Vec::new()]);
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
async fn a_stock_is_only_added_where_there_is_none() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert!(stocks::add(&mut tx, &stock("A")).await.unwrap());
    assert!(!stocks::add(&mut tx, &Stock { name: Some("Other".to_owned()), ..stock("A") }).await.unwrap());
    assert_eq!(stocks::by_symbol(&mut tx, "A").await.unwrap(), Some(stock("A")));
}

#[tokio::test]
async fn a_placeholder_is_deleted_once_nobody_uses_it() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    stocks::upsert(&mut tx, &[stock("A")]).await.unwrap();
    for symbol in ["GONE", "HELD", "WATCHED", "PRICED"] {
        stocks::add_placeholder(&mut tx, symbol, None, None, Currency::EUR).await.unwrap();
    }
    refreshes::enqueue(&mut tx, Topic::Quote, &["GONE", "HELD"], 5).await.unwrap();
    tracking::replace_for_user(&mut tx, id(1), &["A".to_owned(), "HELD".to_owned()].into()).await.unwrap();
    radar::add(&mut tx, id(1), "WATCHED", 1).await.unwrap();
    prices::upsert(&mut tx, "PRICED", &[(date(2026, 1, 2), decimal("1"))]).await.unwrap();
    assert_eq!(stocks::placeholders::of_user(&mut tx, id(1)).await.unwrap(), ["HELD"]);
    assert_eq!(stocks::placeholders::named_by(&mut tx, id(1)).await.unwrap(), ["HELD", "WATCHED"]);
    let symbols = ["A", "GONE", "HELD", "PRICED", "WATCHED"].map(str::to_owned);
    assert_eq!(stocks::placeholders::forget_unused(&mut tx, &symbols).await.unwrap(), 1);
    let left = stocks::known(&mut tx, &["A", "GONE", "HELD", "WATCHED", "PRICED"]).await.unwrap();
    assert_eq!(left.into_iter().collect::<Vec<_>>(), ["A", "HELD", "PRICED", "WATCHED"]);
    assert_eq!(refreshes::symbols(&mut tx, Topic::Quote).await.unwrap(), ["HELD"]);
}

#[tokio::test]
async fn listings_are_all_stocks_by_symbol_and_tracking_can_be_switched() {
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
    assert_eq!(splits::of_symbol(&mut tx, "B").await.unwrap(), [split(late, "2", "1")]);
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
    prices::upsert(&mut tx, "A", &[close(date(2026, 3, 31), "15.0")]).await.unwrap();
    assert_eq!(prices::month_ends(&mut tx, "A", date(2026, 3, 1)).await.unwrap()[0].1.to_string(), "15.0");
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
    assert_eq!(fx_rates::latest(&mut tx, date(2026, 1, 8)).await.unwrap(), [all[1]]);
    assert_eq!(fx_rates::latest(&mut tx, friday).await.unwrap(), [all[0], all[2]]);
    let fx = Fx::new(fx_rates::all(&mut tx).await.unwrap());
    assert_eq!(fx.per_euro(currency("USD"), date(2026, 1, 8)), Some(decimal("1.10")));
}
