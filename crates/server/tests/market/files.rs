//! The operator's folder is watched.

use std::path::Path;
use std::time::{Duration, Instant};

use app::market::sources::{Origin, ProviderConfig};
use app::{App, Clock, Sources};

fn write(folder: &Path, price: &str) {
    std::fs::write(folder.join("stocks.csv"), format!("symbol,name,currency,price\nACME,Acme,USD,{price}\n")).unwrap();
}

async fn price(app: &App) -> Option<String> {
    let stock = app::stocks::stock::stock(app, "ACME", None, app::Viewer::Stranger).await.unwrap()?;
    stock.price.map(|price| price.amount.to_string())
}

async fn soon(app: &App, wanted: &str) {
    let started = Instant::now();
    while price(app).await.as_deref() != Some(wanted) {
        assert!(started.elapsed() < Duration::from_secs(30), "{wanted} did not come: {:?}", price(app).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_file_is_loaded_and_an_invalid_one_changes_nothing() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(folder.path(), "10.00");
    let config = ProviderConfig { name: "files".to_owned(), ..ProviderConfig::default() };
    let sources = Sources::open(Origin::File, &[config], folder.path().to_owned()).unwrap();
    let app = std::sync::Arc::new(App::open(data.path(), Clock::System).await.unwrap().with_sources(sources));
    let jobs = tokio::spawn(app::operations::jobs::run(app.clone()));
    soon(&app, "10.00").await;
    write(folder.path(), "12.00 and some");
    let started = Instant::now();
    loop {
        let status = app::market::status(&app).await.unwrap();
        if let Some(failing) = status.failing.first() {
            assert!(failing.last_error.as_deref().unwrap().contains("stocks.csv"), "{failing:?}");
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "the broken file was not noticed");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(price(&app).await.as_deref(), Some("10.00"));
    write(folder.path(), "13.00");
    soon(&app, "13.00").await;
    // The failure goes after the prices have come.
    let started = Instant::now();
    while !app::market::status(&app).await.unwrap().failing.is_empty() {
        assert!(started.elapsed() < Duration::from_secs(30), "the file still counts as broken");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    jobs.abort();
}
