//! Reloads the certificate when its files change.

use std::time::Duration;

use serving::tls::Tls;
use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;

/// How often the files are checked. A change is served after the second check.
const LOOK: Duration = Duration::from_secs(2);

/// SIGHUP reloads immediately.
pub async fn follow(tls: Tls, mut hangup: Signal) {
    loop {
        let requested = tokio::select! {
            _ = hangup.recv() => true,
            () = tokio::time::sleep(LOOK) => false,
        };
        let tls = tls.clone();
        let looked = spawn_blocking(move || if requested { tls.reload().map(|()| true) } else { tls.look() }).await;
        match looked {
            Ok(Ok(true)) => tracing::info!("the certificate was reloaded"),
            Ok(Err(error)) => {
                let error = error.text(crate::output::language());
                tracing::warn!(error, "the certificate cannot be used; the previous one stays in use");
            }
            _ => {}
        }
    }
}
