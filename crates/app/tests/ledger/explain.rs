//! Where the inputs of explanations come from.

use app::App;
use app::explain::{Figure, Question, explain};
use jiff::civil::date;
use ledger::explain::Node;
use ledger::{Currency, Kind};
use store::entries::{self, Entry};
use store::{dividends, fx_rates, provenance, stocks, versions};

use super::figures::{TODAY, USER, world};
use super::world::dec as d;

async fn explained(app: &App, figure: Figure, symbol: &str) -> Node {
    asked(app, figure, symbol).await.unwrap()
}

async fn asked(app: &App, figure: Figure, symbol: &str) -> Option<Node> {
    explain(app, USER, &Question::of(figure).of_stock(figure, symbol)).await.unwrap()
}

fn source(node: &Node) -> &str {
    node.source.as_ref().unwrap().as_str()
}

#[tokio::test]
async fn payments_prices_and_rates_name_their_providers() {
    let world = world().await;
    let app = &world.app;
    // Ten shares, each 4 × 0.50 USD, at 1.25 per euro.
    let income = explained(app, Figure::Income, "OAK").await;
    assert_eq!(income.value_text().as_deref(), Some("16.00"));
    let files = &income.inputs[0];
    assert_eq!([source(&files.inputs[1]), source(&files.inputs[0].inputs[1].inputs[0])], ["files", "files"]);

    let mut tx = app.store.write().await.unwrap();
    let mut latest = dividends::of_symbol(&mut tx, "OAK").await.unwrap().pop().unwrap();
    latest.provider = Some("fmp".to_owned());
    dividends::upsert(&mut tx, "OAK", &[latest]).await.unwrap();
    provenance::put(&mut tx, "OAK", &[("price", "yahoo")], 1).await.unwrap();
    provenance::put(&mut tx, "", &[("rates", "ecb")], 1).await.unwrap();
    fx_rates::upsert(&mut tx, &[(Currency::USD, date(2026, 11, 13), d("1.25"))]).await.unwrap();
    stocks::mark_changed(&mut tx, &["OAK"]).await.unwrap();
    versions::bump_rates(&mut tx).await.unwrap();
    versions::bump_market(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let income = explained(app, Figure::Income, "OAK").await;
    let rate = &income.inputs[0].inputs[1];
    assert_eq!(source(rate), "ecb");
    let payment = &income.inputs[0].inputs[0].inputs[1].inputs[0];
    assert_eq!((source(payment), payment.as_of), ("fmp", Some(date(2026, 11, 10))));
    let value = explained(app, Figure::Value, "OAK").await;
    assert_eq!(source(&value.inputs[0].inputs[0].inputs[1]), "yahoo");
}

#[tokio::test]
async fn a_stock_without_market_data_is_explained_by_the_users_own_dividends() {
    let world = world().await;
    let app = &world.app;
    let unknown = explained(app, Figure::Income, "FIR").await;
    assert_eq!((unknown.value_text(), unknown.inputs[0].value_text().as_deref()), (None, Some("no_data")));

    let mut tx = app.store.write_for(USER).await.unwrap();
    let recorded = entries::of_user(&mut tx, USER).await.unwrap();
    let first = recorded.iter().find(|entry| entry.symbol == "FIR" && entry.kind == Kind::Dividend).unwrap();
    let earlier = Entry { sequence: 9, date: date(2025, 7, 1), identity: "earlier".to_owned(), ..first.clone() };
    entries::add(&mut tx, USER, &[earlier]).await.unwrap();
    tx.commit().await.unwrap();
    // One share was paid 2.00 in July of both years.
    let rate = explained(app, Figure::ForwardRate, "FIR").await;
    assert_eq!(rate.value_text().as_deref(), Some("2.00"));
    let payment = &rate.inputs[0];
    assert_eq!((source(payment), payment.rule.as_str()), ("ledger", "quotient"));
    assert_eq!(
        (&payment.inputs[0].inputs[0].rows, payment.inputs[0].inputs[0].as_of),
        (&vec!["8".to_owned()], Some(date(2026, 7, 1)))
    );
    assert!(TODAY > date(2026, 7, 1));
}

#[tokio::test]
async fn nothing_is_explained_about_what_a_user_does_not_have() {
    let world = world().await;
    for (figure, symbol) in [(Figure::Income, "NIL"), (Figure::Streak, "NIL"), (Figure::Expected, "ZZZ")] {
        assert_eq!(asked(&world.app, figure, symbol).await, None, "{symbol}");
    }
}

#[tokio::test]
async fn a_payment_is_compared_with_the_transactions_recorded_for_it() {
    let world = world().await;
    let asked = |figure| Question {
        ex_date: Some(date(2025, 11, 10)),
        per_share: Some(d("0.50")),
        ..Question::of(figure).of_stock(figure, "OAK")
    };
    let of_payment = async |figure| explain(&world.app, USER, &asked(figure)).await.unwrap().unwrap();
    // Ten shares × 0.50; 4.00 is recorded in the fifth transaction.
    let due = of_payment(Figure::DuePayment).await;
    assert_eq!((due.value_text().as_deref(), due.rule.as_str(), source(&due.inputs[1])), (Some("5.00"), "product", "files"));
    let recorded = of_payment(Figure::Recorded).await;
    assert_eq!((recorded.value_text().as_deref(), &recorded.rows), (Some("4.00"), &vec!["5".to_owned()]));
    let difference = of_payment(Figure::Difference).await;
    assert_eq!((difference.value_text().as_deref(), difference.rule.as_str()), (Some("-1.00"), "difference"));
    // Of July 2026, when nothing was due.
    let asked_of_extra = Question {
        to: Some(date(2026, 7, 1)),
        per_share: Some(d("1")),
        currency: Some(Currency::parse("USD").unwrap()),
        ..Question::of(Figure::Recorded).of_stock(Figure::Recorded, "OAK")
    };
    let extra = explain(&world.app, USER, &asked_of_extra).await.unwrap().unwrap();
    assert_eq!((extra.value_text().as_deref(), &extra.rows), (Some("1.00"), &vec!["7".to_owned()]));
    let other = Question { currency: Some(Currency::EUR), ..asked_of_extra };
    assert_eq!(explain(&world.app, USER, &other).await.unwrap(), None, "another amount of that day");
}
