//! The certificate while it is served: replaced when its files are.

use std::time::Duration;

use server::http::tls::Tls;
use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;

/// Between two looks at the files; what has changed is served after the second.
const LOOK: Duration = Duration::from_secs(2);

/// On SIGHUP at once.
pub async fn follow(tls: Tls, mut hangup: Signal) {
    loop {
        let hung_up = tokio::select! {
            _ = hangup.recv() => true,
            () = tokio::time::sleep(LOOK) => false,
        };
        let tls = tls.clone();
        let looked = spawn_blocking(move || if hung_up { tls.reload().map(|()| true) } else { tls.look() }).await;
        match looked {
            Ok(Ok(true)) => tracing::info!("the certificate was read again and is served"),
            Ok(Err(error)) => tracing::warn!(%error, "the certificate cannot be served; the one from before still is"),
            _ => {}
        }
    }
}
