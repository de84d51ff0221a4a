//! `replay N` imitates the providers over N made-up stocks and prints its address. It reads from its input how to fail:
//! `hang`, `throttle`, `slow`, `cut`, `html`, `500`, `json`, or `heal`, and exits when the input ends.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // for benchmarks only: the panic is the report

use std::io::BufRead;
use std::time::Duration;

use replay::{Fault, Replay, World};

fn main() {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(40);
    let replay = Replay::start(World::of_quarterly_payers(count));
    println!("http://{}", replay.address);
    for line in std::io::stdin().lock().lines() {
        replay.heal();
        let fault = match line.unwrap().trim() {
            "heal" => None,
            "hang" => Some(Fault::Hang),
            "throttle" => Some(Fault::Throttle(None)),
            "slow" => Some(Fault::Slow(Duration::from_secs(3))),
            "cut" => Some(Fault::Truncate),
            "html" => Some(Fault::Html),
            "500" => Some(Fault::Status(500)),
            "json" => Some(Fault::WrongJson),
            other => panic!("{other} is no way to fail"),
        };
        fault.into_iter().for_each(|fault| replay.fail("", fault));
        println!("ok");
    }
}
