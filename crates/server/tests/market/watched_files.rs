//! The watched folder together with a preferred provider.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use app::market::sources::ProviderConfig;
use app::operations::jobs;
use app::{App, Clock, Sources};
use replay::Replay;

use crate::world::{NOW, QUOTED, simple};

async fn started(data: &Path, folder: &Path, replay: &Replay) -> App {
    let yahoo = ProviderConfig { name: "yahoo".to_owned(), url: Some(replay.url("yahoo")), ..ProviderConfig::default() };
    let files = ProviderConfig { name: "files".to_owned(), ..ProviderConfig::default() };
    let sources = Sources::open(&[yahoo, files], folder.to_owned()).unwrap();
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
