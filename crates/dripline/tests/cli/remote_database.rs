//! Imports into a PostgreSQL that is five milliseconds away in each direction.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use scratch::Scratch;

use crate::dripline::{ANA, Dripline, ran};

const DISTANCE: Duration = Duration::from_millis(5);

/// A slow proxy to the test server that counts round trips.
struct FarAway {
    url: String,
    rounds: Arc<AtomicUsize>,
}

impl FarAway {
    fn new(url: &str) -> FarAway {
        let (start, database) = url.rsplit_once('/').unwrap();
        let (user, folder) = start.rsplit_once('@').unwrap();
        let socket = format!("{}/.s.PGSQL.5432", folder.replace("%2F", "/"));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("{user}@{}/{database}?sslmode=disable", listener.local_addr().unwrap());
        let rounds = Arc::new(AtomicUsize::new(0));
        let counted = rounds.clone();
        spawn(move || {
            for client in listener.incoming() {
                carry(client.unwrap(), UnixStream::connect(&socket).unwrap(), counted.clone());
            }
        });
        FarAway { url, rounds }
    }

    /// The number of round trips during the work.
    fn rounds<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        let before = self.rounds.load(Ordering::SeqCst);
        let result = work();
        (result, self.rounds.load(Ordering::SeqCst) - before)
    }
}

fn carry(client: TcpStream, server: UnixStream, rounds: Arc<AtomicUsize>) {
    client.set_nodelay(true).unwrap();
    // One answer to the words of greeting, too.
    let open = Arc::new(AtomicUsize::new(1));
    rounds.fetch_add(1, Ordering::SeqCst);
    let (from_client, from_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let mut asked = Messages { tags: b"SQ", skip: 0, head: vec![b'!'] };
    let waiting = open.clone();
    delayed(
        from_client,
        server,
        move |bytes| {
            let questions = asked.count(bytes);
            if questions > 0 && waiting.fetch_add(questions, Ordering::SeqCst) == 0 {
                rounds.fetch_add(1, Ordering::SeqCst);
            }
        },
        |_| {},
        |server| server.shutdown(Shutdown::Write),
    );
    let mut answered = Messages { tags: b"Z", skip: 0, head: Vec::new() };
    let arrived = move |bytes: &[u8]| {
        open.fetch_sub(answered.count(bytes), Ordering::SeqCst);
    };
    delayed(from_server, client, |_| {}, arrived, |client| client.shutdown(Shutdown::Both));
}

/// Forwards what it reads after a delay.
fn delayed<R: Read + Send + 'static, W: Write + Send + 'static>(
    mut from: R,
    mut to: W,
    mut sent: impl FnMut(&[u8]) + Send + 'static,
    mut arrived: impl FnMut(&[u8]) + Send + 'static,
    close: impl FnOnce(&W) -> std::io::Result<()> + Send + 'static,
) {
    let (sender, receiver) = mpsc::channel::<(Instant, Vec<u8>)>();
    spawn(move || {
        let mut bytes = vec![0; 65536];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            sent(&bytes[..length]);
            let _ = sender.send((Instant::now() + DISTANCE, bytes[..length].to_vec()));
        }
    });
    spawn(move || {
        for (due, bytes) in receiver {
            sleep(due.saturating_duration_since(Instant::now()));
            arrived(&bytes);
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        let _ = close(&to);
    });
}

/// Counts messages of the protocol: a letter, and the length of what follows.
struct Messages {
    tags: &'static [u8],
    /// Bytes left of the previous message.
    skip: usize,
    /// Bytes of the next message's header received so far.
    head: Vec<u8>,
}

impl Messages {
    fn count(&mut self, mut bytes: &[u8]) -> usize {
        let mut found = 0;
        while !bytes.is_empty() {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let taken = bytes.len().min(5 - self.head.len());
            self.head.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if let [tag, length @ ..] = self.head.as_slice()
                && let Ok(length) = <[u8; 4]>::try_from(length)
            {
                found += usize::from(self.tags.contains(tag));
                self.skip = u32::from_be_bytes(length) as usize - 4;
                self.head.clear();
            }
        }
        found
    }
}

/// Purchases of this many unknown symbols.
fn ledger(rows: usize, symbols: usize) -> String {
    let row = |number: usize| {
        format!(
            "20{:02}-01-02,buy,F{},{}.50,10.{:02},EUR,row {number}\n",
            10 + number % 15,
            number % symbols,
            number + 1,
            number % 100
        )
    };
    format!("date,type,symbol,shares,price,currency,note\n{}", (0..rows).map(row).collect::<String>())
}

fn succeeded(output: Output) {
    let ran = ran(output);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn an_import_into_a_distant_database_makes_few_round_trips_and_stores_the_same() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let scratch = runtime.block_on(Scratch::empty());
    let (near, far) = (Dripline::with_accounts(), Dripline::new());
    let url = scratch.url();
    succeeded(far.command(&["user", "add", ANA, "--residence", "ES"]).env("DRIPLINE_DATABASE_URL", &url).output().unwrap());
    let line = FarAway::new(&url);
    let mut waits = Vec::new();
    // A little first, so that the later ones find entries.
    for (name, rows, symbols) in [("a.csv", 60, 60), ("b.csv", 2_000, 400), ("c.csv", 6_000, 1_200)] {
        for dripline in [&near, &far] {
            dripline.write(name, ledger(rows, symbols));
        }
        near.done(&["import", name, "--user", ANA]);
        let import = || far.command(&["import", name, "--user", ANA]).env("DRIPLINE_DATABASE_URL", &line.url).output().unwrap();
        let (output, rounds) = line.rounds(import);
        succeeded(output);
        waits.push(rounds);
    }
    assert!(waits[0] < 100, "{waits:?} for 60 rows");
    assert!(waits[2] < waits[1] + 60, "{waits:?}: four thousand rows more and eight hundred symbols");
    let exported = far.command(&["export", "--user", ANA]).env("DRIPLINE_DATABASE_URL", &url).output().unwrap();
    assert_eq!(ran(exported).stdout, near.export(ANA));
}
