//! A minimal mail server that accepts and keeps everything.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

pub struct Mailbox {
    pub url: String,
    letters: Receiver<String>,
}

impl Mailbox {
    pub fn open() -> Mailbox {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let (sender, letters) = channel();
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let sender = sender.clone();
                std::thread::spawn(move || serve(&socket, &sender));
            }
        });
        Mailbox { url, letters }
    }

    /// The next mail with its envelope, lines unfolded.
    pub fn next(&self) -> String {
        self.letters.recv_timeout(Duration::from_secs(20)).unwrap().replace("=\n", "")
    }

    /// Whether no mail arrives for a moment.
    pub fn is_empty(&self) -> bool {
        self.letters.recv_timeout(Duration::from_millis(500)).is_err()
    }

    /// The path of the link in the next mail, which must be to this address.
    pub fn link(&self, to: &str, path: &str) -> String {
        let letter = self.next();
        assert!(letter.contains(&format!("RCPT TO:<{to}>")), "{letter}");
        let found = letter.lines().find_map(|line| line.find(path).map(|at| line[at..].trim().to_owned()));
        found.unwrap_or_else(|| panic!("no {path} in {letter}"))
    }
}

fn serve(socket: &TcpStream, sender: &Sender<String>) {
    let mut writing = socket;
    let _ = writing.write_all(b"220 here\r\n");
    let (mut letter, mut in_data) = (String::new(), false);
    for line in BufReader::new(socket).lines().map_while(Result::ok) {
        letter.push_str(&line);
        letter.push('\n');
        let answer = match line.as_str() {
            "." if in_data => {
                in_data = false;
                let _ = sender.send(std::mem::take(&mut letter));
                "250 taken\r\n"
            }
            _ if in_data => continue,
            "DATA" => {
                in_data = true;
                "354 go on\r\n"
            }
            "QUIT" => "221 bye\r\n",
            _ => "250 yes\r\n",
        };
        if writing.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}
