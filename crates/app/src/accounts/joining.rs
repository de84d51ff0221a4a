//! Creating an account through the web app.

use store::users::{self, NewUser};
use store::{Tx, invitations};
use uuid::Uuid;

use super::{NewAccount, new_user, owner};
use crate::accounts::audit::{self, Event};
use crate::authentication::secret;
use crate::{App, Error, refusal};

/// Who may create an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SignUp {
    Open,
    /// Anybody with an invitation.
    #[default]
    Invite,
    /// Only the operator.
    Closed,
}

impl SignUp {
    pub const ALL: [SignUp; 3] = [SignUp::Open, SignUp::Invite, SignUp::Closed];

    pub fn word(self) -> &'static str {
        match self {
            SignUp::Open => "open",
            SignUp::Invite => "invite",
            SignUp::Closed => "closed",
        }
    }

    pub fn parse(word: &str) -> Option<SignUp> {
        SignUp::ALL.into_iter().find(|rule| rule.word() == word)
    }
}

/// Creates an account, or leaves an existing one with this address unchanged: neither the answer nor the response time reveals
/// which. An invitation is used up either way.
pub async fn sign_up(app: &App, rule: SignUp, account: &NewAccount<'_>, invitation: Option<&str>) -> Result<(), Error> {
    let invitation = invited(app, rule, invitation).await?;
    let user = with_password(app, account).await?;
    let mut tx = app.store.write().await?;
    if let Some(hash) = &invitation {
        invitations::take(&mut tx, hash, app.clock.now_micros()).await?.then_some(()).ok_or_else(not_invited)?;
    }
    match users::by_email(&mut tx, &user.email).await? {
        Some(there) => audit::record(&mut tx, there.id, user.created_at, Event::SignUpAgain, "").await?,
        None => insert(&mut tx, &user, "sign-up").await?,
    }
    Ok(tx.commit().await?)
}

/// The hash of the invitation, if one is required and it is valid.
pub(super) async fn invited(app: &App, rule: SignUp, invitation: Option<&str>) -> Result<Option<[u8; 32]>, Error> {
    match rule {
        SignUp::Closed => Err(refusal::Account::SignUpClosed.into()),
        SignUp::Open => Ok(None),
        SignUp::Invite => {
            let hash = secret::hash(invitation.unwrap_or(""));
            let good = invitations::is_good(&mut app.store.read().await?, &hash, app.clock.now_micros()).await?;
            if good { Ok(Some(hash)) } else { Err(not_invited()) }
        }
    }
}

/// Creates the first account of the service. Refused if there is one, even if two ask at the same time.
pub async fn first(app: &App, account: &NewAccount<'_>) -> Result<Uuid, Error> {
    let taken = || Error::from(refusal::Account::FirstAccountExists);
    // Checked before the costly hash, for later visitors, and again in the transaction, for simultaneous ones.
    if !is_first_start(app).await? {
        return Err(taken());
    }
    let user = with_password(app, account).await?;
    let mut tx = app.store.write().await?;
    if !has_never_had_accounts(&mut tx).await? {
        return Err(taken());
    }
    insert(&mut tx, &user, "first").await?;
    owner::claim(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok(user.id)
}

pub async fn is_first_start(app: &App) -> Result<bool, Error> {
    has_never_had_accounts(&mut app.store.read().await?).await
}

/// After the last account was deleted, a stranger may not take over the service; the operator can add an account.
async fn has_never_had_accounts(tx: &mut Tx) -> Result<bool, Error> {
    Ok(!users::is_any(tx).await? && !store::audit::is_any(tx).await?)
}

pub(super) async fn insert(tx: &mut Tx, user: &NewUser, how: &str) -> Result<(), Error> {
    users::add(tx, user).await?;
    audit::record(tx, user.id, user.created_at, Event::AccountMade, how).await
}

pub(super) async fn with_password(app: &App, account: &NewAccount<'_>) -> Result<NewUser, Error> {
    match account.password {
        Some(_) => new_user(app, account).await,
        None => Err(refusal::Account::PasswordMissing.into()),
    }
}

pub(super) fn not_invited() -> Error {
    refusal::Account::InvitationExpired.into()
}
