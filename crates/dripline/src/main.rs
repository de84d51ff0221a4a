//! Calls the library, so that the commands are compiled beside `server` and only linking is left for the end.

use std::process::ExitCode;

fn main() -> ExitCode {
    dripline::run()
}
