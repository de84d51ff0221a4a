//! For tests only: a local server that imitates the market-data providers over a small made-up world and fails
//! as they do when a test asks for it.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod fake_providers;
mod http;
mod world;

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub use http::{Reply, Request};
pub use world::{Dividend, Split, Stock, World};

/// A running replay server; each provider at its own path, `http://…/yahoo` and so on.
pub struct Replay {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    state: Mutex<State>,
}

struct State {
    world: World,
    faults: Vec<Rule>,
    seen: Vec<(Instant, String)>,
    /// Bytes of bodies sent.
    sent: usize,
}

struct Rule {
    part: String,
    fault: Fault,
    /// How many more requests it applies to; `None` for all.
    left: Option<usize>,
}

/// A way to fail.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// 429, with or without `Retry-After` seconds.
    Throttle(Option<u32>),
    /// Accepts the request and never answers.
    Hang,
    /// The right answer, but late.
    Slow(Duration),
    /// Half of the announced body.
    Truncate,
    /// Half of the announced body, and then nothing.
    Stall,
    /// An HTML page with status 200.
    Html,
    Status(u16),
    /// JSON with an unexpected shape.
    WrongJson,
    /// An endless body, up to this many bytes.
    Huge(usize),
    /// This reply instead.
    Reply(Reply),
}

impl Replay {
    pub fn start(world: World) -> Replay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { world, faults: Vec::new(), seen: Vec::new(), sent: 0 };
        let shared = Arc::new(Shared { state: Mutex::new(state) });
        let serving = shared.clone();
        std::thread::spawn(move || http::serve(listener, serving));
        Replay { address, shared }
    }

    /// The base address of a provider.
    pub fn url(&self, provider: &str) -> String {
        format!("http://{}/{provider}", self.address)
    }

    /// Every request whose path and query contain `part` fails like this from now on; the last matching rule applies.
    pub fn fail(&self, part: &str, fault: Fault) {
        self.shared.lock().faults.push(Rule { part: part.to_owned(), fault, left: None });
    }

    /// Only the next `times` matching requests fail; later ones follow the earlier rules.
    pub fn fail_times(&self, part: &str, times: usize, fault: Fault) {
        self.shared.lock().faults.push(Rule { part: part.to_owned(), fault, left: Some(times) });
    }

    /// Removes all faults.
    pub fn heal(&self) {
        self.shared.lock().faults.clear();
    }

    pub fn change(&self, change: impl FnOnce(&mut World)) {
        change(&mut self.shared.lock().world);
    }

    /// Path and query of every request so far.
    pub fn requests(&self) -> Vec<String> {
        self.shared.lock().seen.iter().map(|(_, path)| path.clone()).collect()
    }

    /// How many requests contained `part`.
    pub fn count(&self, part: &str) -> usize {
        self.requests().iter().filter(|path| path.contains(part)).count()
    }

    /// When requests containing `part` arrived.
    pub fn times(&self, part: &str) -> Vec<Instant> {
        self.shared.lock().seen.iter().filter(|(_, path)| path.contains(part)).map(|(at, _)| *at).collect()
    }

    /// How many bytes of bodies were sent to clients that read them.
    pub fn sent(&self) -> usize {
        self.shared.lock().sent
    }

    /// The most requests within any 60 seconds.
    pub fn busiest_minute(&self) -> usize {
        let times = self.times("");
        let within =
            |start: &Instant| times.iter().filter(|at| **at >= *start && at.duration_since(*start).as_secs() < 60).count();
        times.iter().map(within).max().unwrap_or(0)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn note(&self, request: &Request) {
        self.lock().seen.push((Instant::now(), request.target.clone()));
    }

    pub(crate) fn fault(&self, request: &Request) -> Option<Fault> {
        let mut state = self.lock();
        let fits = |rule: &&mut Rule| rule.left != Some(0) && request.target.contains(rule.part.as_str());
        let rule = state.faults.iter_mut().rev().find(fits)?;
        rule.left = rule.left.map(|left| left - 1);
        Some(rule.fault.clone())
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.lock().sent += bytes;
    }

    pub(crate) fn answer(&self, request: &Request) -> Reply {
        fake_providers::answer(&self.lock().world, request)
    }
}
