//! Checks callers for the fast lane, as the endpoints do.

use std::net::IpAddr;

use app::authentication::tokens;
use app::oauth::Audience;
use axum::http::Extensions;
use axum::http::header::AUTHORIZATION;
use serving::address::{self, ClientKey};
use serving::limits::rate::Decision;
use serving::{ApiError, Check, FrontEnd, Head, Known, NotKnown, PendingCheck, Scope, auth};

use super::Api;
use super::caller::Access;
use super::endpoints::access;

impl FrontEnd for Api {
    fn check(&self, head: &Head<'_>) -> Option<Check> {
        let path = head.path();
        if !path.starts_with("/api/v1/") {
            return None;
        }
        if head.all(AUTHORIZATION).next().is_none() {
            let versions = self.app.store.versions_at_once().filter(|_| access(path) == Some(Access::Public))?.ok()?;
            return Some(Check::Done(self.public_scope(versions.market, versions.tracking)));
        }
        let token = auth::token(std::str::from_utf8(head.only(AUTHORIZATION)?).ok()?)?;
        if !tokens::is_well_formed(token) {
            return (access(path) == Some(Access::Token)).then_some(Check::Done(Scope::BadToken));
        }
        match tokens::session_at_once(&self.app, token, Audience::Api) {
            Some(session) => Some(Check::Done(self.user_scope(&session.ok()??)?)),
            None => Some(Check::Pending(self.check_soon(token.to_owned()))),
        }
    }

    fn count(&self, head: &Head<'_>, peer: IpAddr) -> Option<Decision> {
        let client = ClientKey::from(address::client_ip_of_head(peer, head, &self.shared.trusted_proxies));
        self.shared.limiter.check_at_once(client).filter(|decision| decision.allowed)
    }
}

impl Api {
    fn check_soon(&self, token: String) -> PendingCheck {
        let api = self.clone();
        Box::pin(async move {
            let session = tokens::session(&api.app, &token, Audience::Api).await.map_err(ApiError::from);
            let mut learned = Extensions::new();
            let scope = match session {
                Ok(Some(session)) => {
                    learned.insert(Known(session));
                    api.user_scope(&session)
                }
                Ok(None) => {
                    learned.insert(NotKnown(None));
                    None
                }
                // A failed look-up can be repeated while there is time.
                Err(error) => {
                    if app::is_wait_budget_spent() {
                        learned.insert(NotKnown(Some(error)));
                    }
                    None
                }
            };
            (scope, learned)
        })
    }
}
