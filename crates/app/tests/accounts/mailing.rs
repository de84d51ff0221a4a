//! Mail, against a server of a few lines.

use std::time::Duration;

use app::{mail, resets};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::world::{ANA, World, told};

/// Says yes to everything; hands over what it was told, a letter at a time.
async fn server() -> (String, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (sender, letters) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let (reading, mut writing) = socket.into_split();
            let mut lines = BufReader::new(reading).lines();
            writing.write_all(b"220 here\r\n").await.unwrap();
            let (mut letter, mut in_data) = (String::new(), false);
            while let Ok(Some(line)) = lines.next_line().await {
                letter.push_str(&line);
                letter.push('\n');
                let answer = match line.as_str() {
                    "." if in_data => {
                        sender.send(std::mem::take(&mut letter)).unwrap();
                        in_data = false;
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
                writing.write_all(answer.as_bytes()).await.unwrap();
            }
        }
    });
    (url, letters)
}

async fn next(letters: &mut UnboundedReceiver<String>) -> Option<String> {
    tokio::time::timeout(Duration::from_secs(5), letters.recv()).await.ok().flatten()
}

#[tokio::test]
async fn a_link_is_mailed_to_the_account_and_works() {
    let (world, _) = World::with_ana().await;
    let (url, mut letters) = server().await;
    let app = world.at(0).with_mail(Some(mail::Settings::new(&url, "Dripline <drip@example.com>").unwrap()));
    resets::request(&app, " ANA@example.com", "https://drip.example/");
    let letter = next(&mut letters).await.unwrap();
    assert!(letter.contains("RCPT TO:<ana@example.com>") && letter.contains("MAIL FROM:<drip@example.com>"), "{letter}");
    assert!(letter.contains("Content-Type: text/plain; charset=utf-8"), "{letter}");
    let link = letter.lines().find_map(|line| line.strip_prefix("https://drip.example/reset/")).unwrap();
    assert!(resets::finish(&app, link.trim(), "seven slow trams after rain").await.unwrap());
    assert_eq!(told(&world.try_password(0, ANA, "seven slow trams after rain").await), "open");
}

#[tokio::test]
async fn nobody_is_mailed_about_an_account_that_is_not_there_and_no_mailbox_is_filled() {
    let (world, _) = World::with_ana().await;
    let (url, mut letters) = server().await;
    let app = world.at(0).with_mail(Some(mail::Settings::new(&url, "drip@example.com").unwrap()));
    resets::request(&app, "nobody@example.com", "https://drip.example");
    for _ in 0..3 {
        resets::request(&app, ANA, "https://drip.example");
        assert!(next(&mut letters).await.unwrap().contains("RCPT TO:<ana@example.com>"));
    }
    resets::request(&app, ANA, "https://drip.example");
    assert!(tokio::time::timeout(Duration::from_millis(300), letters.recv()).await.is_err(), "three in half an hour");
    let later = world.at(1800).with_mail(Some(mail::Settings::new(&url, "drip@example.com").unwrap()));
    resets::request(&later, ANA, "https://drip.example");
    assert!(next(&mut letters).await.is_some());
}

#[tokio::test]
async fn without_a_server_nothing_is_mailed_and_settings_tell_no_password() {
    let (world, _) = World::with_ana().await;
    assert!(!resets::is_possible(&world.at(0)));
    resets::request(&world.at(0), ANA, "https://drip.example");
    let settings = mail::Settings::new("smtps://drip:SECRET@mail.example.com", "drip@example.com").unwrap();
    assert!(!format!("{settings:?}").contains("SECRET"));
    for bad in
        ["smtp://drip:SECRET@mail.example.com", "smtp://drip:SECRET@127.0.0.1.example.com:25", "ftp://SECRET@host", "SECRET"]
    {
        let error = mail::Settings::new(bad, "drip@example.com").unwrap_err().to_string();
        assert!(!error.contains("SECRET"), "{error}");
    }
    for good in ["smtp://localhost:2525", "smtp://[::1]:25", "smtp://u:p@mail.example.com:587?tls=required"] {
        assert!(mail::Settings::new(good, "drip@example.com").is_ok(), "{good}");
    }
}
