//! An endpoint is a type that says everything about itself once: its address, who may call it, what it reads, what it answers
//! and which cache applies. Route, description, limits and cache keys follow from that.

use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::answers::Key;
use super::caller::Caller;
use super::parameters::Parameters;
use super::{Api, Reply};

pub trait Endpoint: Sized + 'static {
    const PATH: &'static str;
    /// The name of the operation in generated clients.
    const ID: &'static str;
    const TAG: &'static str;
    const SUMMARY: &'static str;
    /// Describes the answer.
    const ANSWER: &'static str;
    /// Whether the answer can be 404.
    const NOT_FOUND: bool = false;
    /// Whether the fast lane may send the response again: it depends on nothing but the caller's scope and the request.
    const LASTING: bool = true;

    type Caller: Caller;
    type Query: Parameters;
    type Answer: Serialize + ToSchema;

    fn answer(ask: &Ask<Self>) -> impl Future<Output = Reply<Response>> + Send;
}

/// A request of a caller who may make it, with valid parameters.
pub struct Ask<E: Endpoint> {
    pub api: Api,
    pub caller: E::Caller,
    pub query: E::Query,
}

impl<E: Endpoint> Ask<E> {
    /// What the answer depends on, parameters included.
    pub fn key(&self) -> Key {
        self.caller.key(format_args!("{} {:?}", E::PATH, self.query))
    }

    /// The cached answer, or a new one.
    pub async fn cached(&self, compute: impl Future<Output = Reply<E::Answer>>) -> Reply<Response> {
        self.cached_under(self.key(), compute).await
    }

    /// The same for an answer that depends on more.
    pub async fn cached_under(&self, key: Key, compute: impl Future<Output = Reply<E::Answer>>) -> Reply<Response> {
        self.api.answer(key, compute).await
    }

    /// An answer that depends on more than versions and is not cached.
    pub fn fresh(&self, answer: &E::Answer) -> Reply<Response> {
        self.api.fresh_answer(answer)
    }
}

/// The handler of an endpoint.
pub async fn serve<E: Endpoint>(State(api): State<Api>, caller: Reply<E::Caller>, uri: Uri) -> Response {
    let caller = match caller {
        Ok(caller) => caller,
        Err(error) => return E::Caller::refuse(error.into_response()),
    };
    let (caller, reply) = match E::Query::parse(&uri) {
        Ok(query) => {
            let ask = Ask::<E> { api, caller, query };
            let reply = E::answer(&ask).await;
            (ask.caller, reply)
        }
        Err(error) => (caller, Err(error)),
    };
    caller.seal(reply.unwrap_or_else(IntoResponse::into_response), E::LASTING)
}
