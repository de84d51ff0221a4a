use jiff::civil::date;
use store::providers::{self, ProviderReport, ProviderState};

use crate::sample::Database;

#[tokio::test]
async fn provider_use_adds_up_within_a_day_and_restarts_on_the_next() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let (monday, tuesday) = (date(2026, 1, 5), date(2026, 1, 6));
    for (day, used, expected) in [(monday, 3, 3), (monday, 4, 7), (tuesday, 2, 2), (tuesday, 0, 2)] {
        let report = ProviderReport { name: "acme", day, used, ok_at: None, failed_at: None, last_error: None, open_until: None };
        providers::record(&mut tx, &report).await.unwrap();
        let state = providers::all(&mut tx).await.unwrap().remove(0);
        assert_eq!((state.day, state.used), (day, expected));
    }
}

#[tokio::test]
async fn a_provider_report_keeps_earlier_values_except_the_pause() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let day = date(2026, 1, 5);
    let silent = ProviderReport { name: "acme", day, used: 1, ok_at: None, failed_at: None, last_error: None, open_until: None };
    let failed = ProviderReport { failed_at: Some(8), last_error: Some("refused"), open_until: Some(60), ..silent };
    let zenith = ProviderReport { name: "zenith", ..silent };
    for report in [zenith, ProviderReport { ok_at: Some(5), ..silent }, failed] {
        providers::record(&mut tx, &report).await.unwrap();
    }
    let expected = ProviderState {
        name: "acme".to_owned(),
        day,
        used: 2,
        ok_at: Some(5),
        failed_at: Some(8),
        last_error: Some("refused".to_owned()),
        open_until: Some(60),
    };
    let states = providers::all(&mut tx).await.unwrap();
    assert_eq!(states[0], expected);
    assert_eq!((states.len(), states[1].name.as_str(), states[1].ok_at), (2, "zenith", None));
    providers::record(&mut tx, &ProviderReport { ok_at: Some(9), ..silent }).await.unwrap();
    let expected = ProviderState { used: 3, ok_at: Some(9), open_until: None, ..expected };
    assert_eq!(providers::all(&mut tx).await.unwrap()[0], expected);
}
