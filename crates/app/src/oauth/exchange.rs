//! Exchanges a code for tokens, once.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use store::oauth::{codes, grants};
use store::users;
use subtle::ConstantTimeEq;

use super::clients::Client;
use super::tokens::{self, Issued};
use super::{Failure, Refused, audience};
use crate::App;
use crate::accounts::audit::{self, Event};
use crate::authentication::secret;

#[derive(Clone, Copy)]
pub struct CodeGiven<'a> {
    pub code: &'a str,
    pub redirect_uri: Option<&'a str>,
    pub verifier: Option<&'a str>,
    pub resource: Option<&'a str>,
}

/// Somebody with the code but without the verifier gets nothing, and does not affect the app that has both. Using a code again
/// ends everything issued for it.
pub async fn by_code(app: &App, base_url: &str, client: &Client, given: CodeGiven<'_>) -> Result<Issued, Failure> {
    let no_such = || Refused::CodeInvalid;
    let hash = secret::hash(given.code);
    let now = app.clock.now_micros();
    // Invalid codes never reach the write lock; what is read here is read again under it.
    let owner = codes::by_hash(&mut app.store.read().await?, &hash).await?.ok_or_else(no_such)?.user_id;
    let mut tx = app.store.write_for(owner).await?;
    let code = codes::by_hash(&mut tx, &hash).await?.filter(|code| code.client_id == client.id).ok_or_else(no_such)?;
    let user_id = code.user_id;
    if code.used_at.is_some() {
        if grants::revoke(&mut tx, user_id, code.grant_id, now).await? {
            audit::record(&mut tx, user_id, now, Event::TokenReused, &client.name).await?;
        }
        tx.commit().await?;
        return Err(no_such().into());
    }
    if now >= code.expires_at {
        return Err(no_such().into());
    }
    if given.redirect_uri.is_some_and(|uri| uri != code.redirect_uri) {
        return Err(Refused::RedirectMismatch.into());
    }
    check_verifier(given.verifier, &code.challenge)?;
    if given.resource.is_some() && audience(base_url, given.resource)? != code.audience {
        return Err(Refused::TargetUnknown.into());
    }
    let grant = grants::one(&mut tx, user_id, code.grant_id, now).await?.ok_or_else(no_such)?;
    if users::by_id(&mut tx, user_id).await?.is_none_or(|user| user.disabled) {
        return Err(no_such().into());
    }
    if !codes::set_used(&mut tx, &hash, now).await? {
        return Err(no_such().into());
    }
    let issued = tokens::issue_first(&mut tx, user_id, grant, now).await?;
    tx.commit().await?;
    Ok(issued)
}

fn check_verifier(given: Option<&str>, challenge: &str) -> Result<(), Refused> {
    let verifier = given.ok_or(Refused::VerifierMissing)?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(fits) {
        return Err(Refused::VerifierMalformed);
    }
    let computed = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    match bool::from(computed.as_bytes().ct_eq(challenge.as_bytes())) {
        true => Ok(()),
        false => Err(Refused::VerifierMismatch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_verifier_must_match_its_challenge() {
        // The pair of RFC 7636, appendix B.
        let (verifier, challenge) =
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(check_verifier(Some(verifier), challenge), Ok(()));
        assert_eq!(check_verifier(None, challenge).map_err(|refused| refused.code()), Err("invalid_request"));
        assert_eq!(check_verifier(Some(&"a".repeat(43)), challenge).map_err(|refused| refused.code()), Err("invalid_grant"));
        for bad in ["a".repeat(42), "a".repeat(129), format!("{}!", "a".repeat(43)), format!("{} ", "a".repeat(43))] {
            assert_eq!(check_verifier(Some(&bad), challenge).map_err(|refused| refused.code()), Err("invalid_request"), "{bad}");
        }
    }
}
