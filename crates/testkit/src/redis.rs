//! A Redis for one test: `redis-server` on a free port without persistence.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A running server. Dropping it stops it.
pub struct Redis {
    port: u16,
    options: Vec<String>,
    folder: TempDir,
    child: Option<Child>,
}

impl Redis {
    pub fn start() -> Redis {
        Redis::start_with(|port, _| ["--port", &port.to_string()].map(str::to_owned).to_vec())
    }

    /// With options of `redis-server` for this port, and a folder for their files.
    pub fn start_with(options: impl Fn(u16, &Path) -> Vec<String>) -> Redis {
        for _ in 0..5 {
            let (port, folder) = (free_port(), tempfile::tempdir().unwrap());
            let options = options(port, folder.path());
            let mut redis = Redis { port, options, folder, child: None };
            if redis.launched() {
                return redis;
            }
        }
        panic!("redis-server does not start");
    }

    /// On the same port as before, without its data.
    pub fn start_again(&mut self) {
        assert!(self.launched(), "redis-server does not start again");
    }

    fn launched(&mut self) -> bool {
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"]).arg(self.folder.path());
        command.args(&self.options).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn();
        let child = child
            .unwrap_or_else(|error| panic!("redis-server cannot be started ({error}); install the Debian package redis-server"));
        let child = self.child.insert(child);
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            // In this order, because another process may listen on the port.
            let listens = TcpStream::connect(("127.0.0.1", self.port)).is_ok();
            if child.try_wait().unwrap().is_some() {
                return false;
            }
            if listens {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }

    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// `STOP` makes it hang with open connections, `CONT` resumes it.
    pub fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.as_ref().unwrap().id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Below the system's ephemeral ports, so that it stays free while the server is stopped.
fn free_port() -> u16 {
    loop {
        let port = 20_000 + (uuid::Uuid::now_v7().as_u128() % 12_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
