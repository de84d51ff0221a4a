//! Whatever is recorded, imported, undone and switched: each payment counts once, and real rows stay as they are.

use std::collections::BTreeMap;

use app::automatic::{self, Automatic, Reinvest};
use app::book::lots;
use app::entries::{self, Filter, Kind};
use app::import::{self, FileBytes, Request};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::Decimal;
use proptest::prelude::*;
use rust_decimal::RoundingStrategy;
use uuid::Uuid;

use crate::world::shared::World as Shared;
use crate::world::{World, buy, dec, draft, sell};

/// Seven payments, 45 days apart, each paid ten days after its ex-date.
const PAYMENTS: usize = 7;

fn ex_date(payment: usize) -> Date {
    date(2026, 1, 12).saturating_add((45 * payment as i64).days())
}

fn pay_date(payment: usize) -> Date {
    ex_date(payment).saturating_add(10.days())
}

/// 0.41, 0.42, …
fn per_share(payment: usize) -> Decimal {
    Decimal::new(41 + payment as i64, 2)
}

/// On the day before the payment: 41, 42, …
fn close(payment: usize) -> Decimal {
    Decimal::from(41 + payment)
}

#[derive(Clone, Debug)]
enum Step {
    Buy {
        day: u16,
        shares: u8,
    },
    SellAll {
        day: u16,
    },
    /// A real row for a payment: this many days after its payment date, and this share of the gross arrives.
    Record {
        payment: usize,
        late: i8,
        percent: u8,
    },
    RemoveRecorded(usize),
    Import {
        payments: Vec<usize>,
        late: i8,
    },
    Undo(usize),
    Switch(Automatic),
    Reinvest(Reinvest),
    RunJob,
}

fn step() -> impl Strategy<Value = Step> {
    let payments = proptest::sample::subsequence((0..PAYMENTS).collect::<Vec<_>>(), 1..PAYMENTS);
    prop_oneof![
        1 => (0_u16..300, 1_u8..50).prop_map(|(day, shares)| Step::Buy { day, shares }),
        1 => (0_u16..300).prop_map(|day| Step::SellAll { day }),
        3 => (0..PAYMENTS, -8_i8..12, 60_u8..=102).prop_map(|(payment, late, percent)| Step::Record { payment, late, percent }),
        1 => (0_usize..4).prop_map(Step::RemoveRecorded),
        2 => (payments, -8_i8..12).prop_map(|(payments, late)| Step::Import { payments, late }),
        1 => (0_usize..3).prop_map(Step::Undo),
        2 => prop_oneof![Just(Automatic::Off), Just(Automatic::Suggest), Just(Automatic::Record)].prop_map(Step::Switch),
        2 => prop_oneof![Just(Reinvest::Off), Just(Reinvest::Fractional), Just(Reinvest::Whole)].prop_map(Step::Reinvest),
        1 => Just(Step::RunJob),
    ]
}

/// What the test knows of the ledger.
struct Model {
    /// Day and shares, negative for a sale.
    trades: Vec<(Date, Decimal)>,
    /// Sequence and payment.
    by_hand: Vec<(i64, usize)>,
    imports: Vec<(Uuid, Vec<usize>)>,
    mode: Automatic,
    reinvest: Reinvest,
}

impl Model {
    fn held(&self, before: Date) -> Decimal {
        self.trades.iter().filter(|(day, _)| *day < before).map(|(_, shares)| *shares).sum()
    }

    fn is_real(&self, payment: usize) -> bool {
        let imported = || self.imports.iter().flat_map(|(_, payments)| payments);
        self.by_hand.iter().any(|(_, one)| *one == payment) || imported().any(|one| *one == payment)
    }
}

fn gross(model: &Model, payment: usize) -> Decimal {
    model.held(ex_date(payment)) * per_share(payment)
}

async fn take(world: &World, model: &mut Model, step: &Step) {
    let (app, ana) = (&world.app, world.ana);
    let day = |day: u16| date(2025, 12, 1).saturating_add(i64::from(day).days());
    // A payment whose shares change after it was recorded would no longer be explained by its row.
    let fixed = |after: Date, model: &Model| (0..PAYMENTS).any(|payment| ex_date(payment) > after && model.is_real(payment));
    match step {
        Step::Buy { day: on, shares } if !fixed(day(*on), model) => {
            let bought = buy(&day(*on).to_string(), "WELL", &shares.to_string(), "10");
            entries::add(app, ana, &bought).await.unwrap();
            model.trades.push((day(*on), Decimal::from(*shares)));
        }
        Step::SellAll { day: on } if !fixed(day(*on), model) && model.trades.iter().all(|(other, _)| *other <= day(*on)) => {
            let held = model.held(Date::MAX);
            if held > Decimal::ZERO {
                entries::add(app, ana, &sell(&day(*on).to_string(), "WELL", &held.to_string(), "10")).await.unwrap();
                model.trades.push((day(*on), -held));
            }
        }
        Step::Record { payment, late, percent } if gross(model, *payment) > Decimal::ZERO && !model.is_real(*payment) => {
            let amount = (gross(model, *payment) * Decimal::new(i64::from(*percent), 2)).round_dp(2);
            let on = pay_date(*payment).saturating_add(i64::from(*late).days()).to_string();
            let dividend = entries::Draft { amount: Some(amount), ..draft(Kind::Dividend, &on, "WELL") };
            model.by_hand.push((entries::add(app, ana, &dividend).await.unwrap(), *payment));
        }
        Step::RemoveRecorded(at) if *at < model.by_hand.len() => {
            entries::remove(app, ana, model.by_hand.remove(*at).0).await.unwrap();
        }
        Step::Import { payments, late } => {
            let new = payments.iter().copied().filter(|one| gross(model, *one) > Decimal::ZERO && !model.is_real(*one));
            let payments: Vec<usize> = new.collect();
            let line = |payment: &usize| {
                let on = pay_date(*payment).saturating_add(i64::from(*late).days());
                format!("{on},dividend,WELL,{},{},USD\n", gross(model, *payment), Uuid::now_v7())
            };
            let rows: String = payments.iter().map(line).collect();
            if !payments.is_empty() {
                let text = format!("date,type,symbol,amount,id,currency\n{rows}");
                let bytes = FileBytes::Plain(text.as_bytes());
                let request = Request { user_id: ana, file_name: "a.csv", bytes, format: Some("dripline"), ..Request::default() };
                let report = import::import(app, &request, &|_, _, _| {}).await.unwrap();
                model.imports.push((report.id.unwrap(), payments));
            }
        }
        Step::Undo(at) if *at < model.imports.len() => {
            import::undo_of(app, ana, model.imports.remove(*at).0).await.unwrap();
        }
        Step::Switch(mode) => {
            automatic::set_mode(app, ana, "Main", *mode).await.unwrap();
            model.mode = *mode;
        }
        Step::Reinvest(rule) => {
            automatic::set_reinvest(app, ana, "Main", None, Some(*rule)).await.unwrap();
            model.reinvest = *rule;
        }
        Step::RunJob => drop(automatic::record_due(app).await.unwrap()),
        _ => {}
    }
}

/// What the net amount of a dividend buys at the close of its payment.
fn bought(model: &Model, payment: usize, net: Decimal) -> Decimal {
    let even = RoundingStrategy::MidpointNearestEven;
    match model.reinvest {
        Reinvest::Off => Decimal::ZERO,
        Reinvest::Fractional => (net / close(payment)).round_dp_with_strategy(8, even),
        Reinvest::Whole => (net / close(payment)).floor(),
    }
}

/// Every payment is recorded once: by its real row, else automatically if that is on. What automatic ones buy is there for the later
/// ones.
async fn check(world: &World, model: &Model, real: &BTreeMap<i64, entries::Entry>) -> BTreeMap<i64, entries::Entry> {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let rows = rows.into_iter().filter(|row| row.entry.kind == Kind::Dividend || row.entry.reinvests.is_some());
    let (automatic, now): (Vec<_>, Vec<_>) = rows.into_iter().map(|row| row.entry).partition(lots::is_automatic);
    let now: BTreeMap<i64, entries::Entry> = now.into_iter().map(|entry| (entry.sequence, entry)).collect();
    for (sequence, entry) in &now {
        assert_eq!(real.get(sequence).unwrap_or(entry), entry, "a real row has changed");
    }
    assert_eq!(now.len(), model.by_hand.len() + model.imports.iter().map(|(_, payments)| payments.len()).sum::<usize>());
    let (mut dividends, mut purchases): (Vec<_>, Vec<_>) = automatic.into_iter().partition(|entry| entry.kind == Kind::Dividend);
    dividends.sort_by_key(|entry| std::cmp::Reverse(entry.date));
    purchases.sort_by_key(|entry| std::cmp::Reverse(entry.date));
    let mut grown: Vec<(Date, Decimal)> = Vec::new();
    let due = (0..PAYMENTS).filter(|one| model.mode == Automatic::Record && !model.is_real(*one));
    for payment in due.filter(|one| pay_date(*one) <= date(2026, 11, 15)) {
        let more: Decimal = grown.iter().filter(|(day, _)| *day < ex_date(payment)).map(|(_, shares)| *shares).sum();
        let shares = model.held(ex_date(payment)) + more;
        if shares.is_zero() {
            continue;
        }
        let dividend = dividends.pop().unwrap();
        let gross = (shares * per_share(payment)).round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven);
        assert_eq!((dividend.date, dividend.shares, dividend.amount), (pay_date(payment), Some(shares.normalize()), Some(gross)));
        let bought = bought(model, payment, dividend.net.unwrap());
        if !bought.is_zero() {
            let purchase = purchases.pop().unwrap();
            assert_eq!((purchase.date, purchase.shares), (pay_date(payment), Some(bought.normalize())));
            grown.push((purchase.date, bought));
        }
    }
    assert_eq!((dividends, purchases), (Vec::new(), Vec::new()), "more than there should be");
    now
}

async fn begin() -> World {
    let world = World::new().await;
    let rows = (0..PAYMENTS).map(|one| format!("WELL,{},{},{},USD\n", ex_date(one), pay_date(one), per_share(one)));
    let text = format!("symbol,ex_date,pay_date,amount,currency\n{}", rows.collect::<String>());
    let closes = (0..PAYMENTS).map(|one| format!("WELL,{},{}\n", pay_date(one).saturating_sub(1.day()), close(one)));
    let closes = format!("symbol,date,close\n{}", closes.collect::<String>());
    app::market::load_texts(&world.app, &[("dividends.csv", text), ("prices.csv", closes)]).await.unwrap();
    entries::add(&world.app, world.ana, &buy("2025-12-01", "WELL", "100", "10")).await.unwrap();
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    #[test]
    fn no_payment_counts_twice_and_no_real_row_changes(steps in proptest::collection::vec(step(), 1..24)) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let world = begin().await;
            let trades = vec![(date(2025, 12, 1), dec("100"))];
            let mut model = Model { trades, by_hand: Vec::new(), imports: Vec::new(), mode: Automatic::Suggest, reinvest: Reinvest::Off };
            let mut real = BTreeMap::new();
            for step in &steps {
                take(&world, &mut model, step).await;
                real = check(&world, &model, &real).await;
            }
        });
    }
}

/// Two nodes on one database, each killed a hundred times while it records.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_payment_is_recorded_once_by_two_nodes_that_are_killed_at_random() {
    let world = begin().await;
    automatic::set_reinvest(&world.app, world.ana, "Main", None, Some(Reinvest::Fractional)).await.unwrap();
    automatic::set_mode(&world.app, world.ana, "Main", Automatic::Record).await.unwrap();
    let shared: &Shared = &world;
    let mut whole = 0;
    for round in 0..100_u64 {
        // What the last round recorded is gone, so that there is work.
        shared
            .file()
            .execute("DELETE FROM entries WHERE source LIKE 'automatic%' AND sequence % 2 = ?", [round as i64 % 2])
            .unwrap();
        let nodes = [shared.at(0), shared.at(0)].map(|app| tokio::spawn(async move { automatic::record_due(&app).await }));
        tokio::time::sleep(std::time::Duration::from_micros(round * 97 % 4_000)).await;
        for node in nodes {
            node.abort();
            whole += usize::from(matches!(node.await, Ok(Ok(1))));
        }
        assert_once(&world, true).await;
    }
    automatic::record_due(&world.app).await.unwrap();
    assert_once(&world, false).await;
    assert!(whole > 0, "some got through");
}

async fn assert_once(world: &World, some_missing: bool) {
    let rows = entries::list(&world.app, world.ana, &Filter::default()).await.unwrap().rows;
    let is_purchase = |entry: &entries::Entry| entry.reinvests.is_some();
    for purchases in [false, true] {
        let automatic = rows.iter().filter(|row| lots::is_automatic(&row.entry) && is_purchase(&row.entry) == purchases);
        let mut days: Vec<Date> = automatic.map(|row| row.entry.date).collect();
        let all = days.len();
        days.sort();
        days.dedup();
        assert_eq!(days.len(), all, "recorded twice");
        assert!(some_missing || all == PAYMENTS);
    }
}
