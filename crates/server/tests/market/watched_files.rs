//! The watched folder together with a preferred provider.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use app::market::sources::{Origin, ProviderConfig};
use app::operations::jobs;
use app::{App, Clock, Sources};
use replay::Replay;

use crate::world::{NOW, QUOTED, simple};

async fn started(data: &Path, folder: &Path, replay: &Replay) -> App {
    let yahoo = ProviderConfig { name: "yahoo".to_owned(), url: Some(replay.url("yahoo")), ..ProviderConfig::default() };
    let files = ProviderConfig { name: "files".to_owned(), ..ProviderConfig::default() };
    let sources = Sources::open(Origin::File, &[yahoo, files], folder.to_owned()).unwrap();
    App::open(data, Clock::Fixed(NOW.parse().unwrap())).await.unwrap().with_sources(sources)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_does_not_restore_file_values_that_a_provider_replaced() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let stocks = folder.path().join("stocks.csv");
    std::fs::write(&stocks, "symbol,name,currency,price\nQRT,Quartz,USD,30.00\n").unwrap();
    // A day before the quote.
    let written = UNIX_EPOCH + Duration::from_secs(QUOTED as u64 - 86_400);
    std::fs::File::options().append(true).open(&stocks).unwrap().set_modified(written).unwrap();
    let replay = Replay::start(simple());
    for _ in 0..3 {
        let app = started(data.path(), folder.path(), &replay).await;
        jobs::refresh_now(&app, &[], &|_, _| {}).await.unwrap();
    }
    let app = started(data.path(), folder.path(), &replay).await;
    let stock = app::stocks::stock::stock(&app, "QRT", None, app::Viewer::Stranger).await.unwrap().unwrap();
    let price = stock.price.unwrap();
    assert_eq!((price.amount.to_string().as_str(), price.as_of.unwrap().as_second()), ("40", QUOTED));
    assert_eq!(stock.name.as_deref(), Some("QRT plc"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watched_folder_does_not_bring_back_a_removed_dividend() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("stocks.csv"), "symbol,currency\nACME,USD\n").unwrap();
    let rows = "symbol,ex_date,amount\nACME,2026-03-10,0.50\nACME,2026-06-10,0.60\n";
    std::fs::write(folder.path().join("dividends.csv"), rows).unwrap();
    let replay = Replay::start(simple());
    let ex_dates = async |app: &App| {
        jobs::refresh_now(app, &[], &|_, _| {}).await.unwrap();
        let stored = store::dividends::of_symbol(&mut app.store.read().await.unwrap(), "ACME").await.unwrap();
        stored.iter().map(|row| row.ex_date.to_string()).collect::<Vec<_>>()
    };
    let app = started(data.path(), folder.path(), &replay).await;
    assert_eq!(ex_dates(&app).await, ["2026-03-10", "2026-06-10"]);
    app::market::remove_dividend(&app, "ACME", jiff::civil::date(2026, 6, 10), &Default::default()).await.unwrap();
    drop(app);
    let app = started(data.path(), folder.path(), &replay).await;
    assert_eq!(ex_dates(&app).await, ["2026-03-10"]);
}
