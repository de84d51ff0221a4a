//! The fast lane: an identical request, with nothing changed since, gets the bytes of the last response, below hyper.
//!
//! Routing, header maps and hyper itself cost more than everything else about such a response. So the lane stands between the
//! socket and hyper, and hyper sees neither these requests nor their responses.
//!
//! 1. [`LaneSocket`] has just received bytes. If hyper has nothing left to send and the last request has ended, it asks the
//!    [`FastLane`].
//! 2. The lane parses the bytes in place ([`Head`]). Anything but one complete, ordinary GET goes to hyper.
//! 3. It asks the [`FrontEnd`], the one trait between the lane and the rest, to check the caller: token, versions of the data
//!    and day, as for any request. The result is a [`Scope`], at once or after a look-up ([`Check`]).
//! 4. Scope, target and Accept-Encoding are the key of the cache. A new version makes a new key, so an outdated response is
//!    never found. Requests without a token are counted against the rate limit.
//! 5. The socket sends the head as it was stored, with a new date and rate limit, and the body, in one system call.
//!
//! Any doubt leads to the normal path: a full or stopping server, or a log line to write. What a look-up has learned is passed
//! on in the request's extensions. On the normal path, a handler puts a [`Scope`] into the extensions of a response that
//! depends on nothing else, and [`Entry::store`] stores it.
//!
//! The site creates the lane from the front end in its options; without one, every request takes the normal path.

pub mod front_end;
pub mod head;
mod lane;
mod response;
mod socket;

pub use front_end::{Check, FrontEnd, PendingCheck, Scope};
pub use head::Head;
pub use lane::FastLane;
pub use socket::{LaneSocket, Learned};
