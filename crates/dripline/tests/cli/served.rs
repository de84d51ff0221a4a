//! The service as its own process.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command};

use crate::dripline::Dripline;

/// A running `dripline serve` on a free port; killed when a test fails.
pub struct Served {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub address: String,
}

impl Served {
    pub fn start(dripline: &Dripline) -> Served {
        Served::spawn(&mut dripline.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    pub fn spawn(command: &mut Command) -> Served {
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.trim_end().to_owned();
        assert!(address.contains("://127.0.0.1:") && !address.ends_with(":0"), "{address}");
        Served { child, stdout, address }
    }

    /// The status of a GET.
    pub fn get(&self, path: &str, token: Option<&str>) -> u16 {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut request = agent.get(format!("{}{path}", self.address));
        if let Some(token) = token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        request.call().unwrap().status().as_u16()
    }

    pub fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }

    /// Waits for the process to exit: its code and the rest of its output, unless that was redirected.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).unwrap();
        if let Some(mut pipe) = self.child.stderr.take() {
            pipe.read_to_string(&mut stderr).unwrap();
        }
        (self.child.wait().unwrap().code(), stdout, stderr)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
