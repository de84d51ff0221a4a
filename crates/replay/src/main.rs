//! `replay N` imitates the providers over N made-up stocks, `replay FOLDER` over the market files in a folder, and prints its
//! address. It reads from its input how to fail:
//! `hang`, `throttle`, `slow`, `cut`, `html`, `500`, `json`, or `heal`, and exits when the input ends.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // for tests and benchmarks only: the panic is the report

use std::io::BufRead;
use std::path::Path;
use std::time::Duration;

use replay::{Fault, Replay, World};

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "40".to_owned());
    let world = argument.parse().map_or_else(|_| World::read(Path::new(&argument)), World::of_quarterly_payers);
    let replay = Replay::start(world);
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
