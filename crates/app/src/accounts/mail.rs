//! Sends e-mail through the operator's own server.

use std::fmt;
use std::net::IpAddr;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::{Error, refusal};

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// A mail server, and the sender's address.
#[derive(Clone)]
pub struct Settings {
    transport: Transport,
    from: Mailbox,
}

/// Never shows the server's address, which may contain a password.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").finish_non_exhaustive()
    }
}

/// What an e-mail is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Letter {
    ResetPassword {
        link: String,
    },
    Unlock {
        link: String,
    },
    VerifyAddress {
        link: String,
    },
    /// To the new address of an account.
    ConfirmAddress {
        link: String,
    },
    /// To an address that somebody else tried to use for their account.
    AddressTaken,
    /// To the previous address of an account.
    AddressChanged,
    CreateAccount {
        link: String,
    },
    AccountExists {
        sign_in: String,
        reset: String,
    },
}

/// The text of an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterText {
    pub subject: String,
    pub body: String,
}

/// Writes the text of a letter in the recipient's language.
pub type LetterWriter = Box<dyn Fn(&Letter) -> LetterText + Send>;

impl Settings {
    /// `smtps://user:password@host` or `smtp://user:password@host:587?tls=required`; without TLS only to this machine.
    pub fn new(url: &str, from: &str) -> Result<Settings, Error> {
        let from = from.trim().parse().map_err(|_| refusal::Mail::Sender { address: from.to_owned() })?;
        if !is_private(url) {
            return Err(refusal::Mail::NoTls.into());
        }
        // The parser's own error may repeat the password.
        let builder = Transport::from_url(url);
        let builder = builder.map_err(|_| refusal::Mail::Server)?;
        Ok(Settings { transport: builder.build(), from })
    }
}

/// Whether nobody can read along on the way.
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

/// Passes an e-mail to the server. Failures are logged without the recipient's address.
pub async fn send(settings: &Settings, to: &str, text: LetterText) -> bool {
    let Ok(to) = to.parse::<Mailbox>() else {
        tracing::warn!("an e-mail was not sent: the address of the account is malformed");
        return false;
    };
    let message = Message::builder().from(settings.from.clone()).to(to).subject(text.subject);
    let Ok(message) = message.header(ContentType::TEXT_PLAIN).body(text.body) else {
        tracing::warn!("an e-mail was not sent: it could not be encoded");
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
                "an e-mail was not sent: the mail server did not accept it"
            );
            false
        }
    }
}
