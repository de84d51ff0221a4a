//! Mail through the operator's own server.

use std::fmt;
use std::net::IpAddr;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::{Error, refusal};

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// A server that takes mail, and whom it comes from.
#[derive(Clone)]
pub struct Settings {
    transport: Transport,
    from: Mailbox,
}

/// Never the address of the server, which may hold a password.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").finish_non_exhaustive()
    }
}

pub struct Letter {
    pub to: String,
    pub subject: &'static str,
    pub text: String,
}

impl Settings {
    /// `smtps://user:password@host` or `smtp://user:password@host:587?tls=required`; without TLS on this machine only.
    pub fn new(url: &str, from: &str) -> Result<Settings, Error> {
        let from = from.trim().parse().map_err(|_| refusal::Mail::Sender { address: from.to_owned() })?;
        if !is_private(url) {
            return Err(refusal::Mail::NoTls.into());
        }
        // Not what the parser says: it may repeat the password.
        let builder = Transport::from_url(url);
        let builder = builder.map_err(|_| refusal::Mail::Server)?;
        Ok(Settings { transport: builder.build(), from })
    }
}

/// Whether nobody on the way can read along.
fn is_private(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("smtp://") else { return true };
    let host = rest.split(['/', '?']).next().unwrap_or("").rsplit('@').next().unwrap_or("");
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.split_once(']'))
        .map_or_else(|| host.split(':').next().unwrap_or(""), |(host, _)| host);
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    loopback || rest.split_once('?').is_some_and(|(_, query)| query.split('&').any(|pair| pair == "tls=required"))
}

/// Hands the letter to the server. What fails is logged without the address it was for.
pub async fn send(settings: &Settings, letter: Letter) -> bool {
    let Ok(to) = letter.to.parse::<Mailbox>() else {
        tracing::warn!("a mail was not sent: the account's address is none that mail can go to");
        return false;
    };
    let message = Message::builder().from(settings.from.clone()).to(to).subject(letter.subject);
    let Ok(message) = message.header(ContentType::TEXT_PLAIN).body(letter.text) else {
        tracing::warn!("a mail was not sent: it could not be put together");
        return false;
    };
    match settings.transport.send(message).await {
        Ok(_) => true,
        Err(error) => {
            let status = error.status().map(|code| code.to_string());
            tracing::warn!(
                status,
                timeout = error.is_timeout(),
                tls = error.is_tls(),
                "a mail was not sent: the server did not take it"
            );
            false
        }
    }
}
