//! Mail, against a minimal SMTP server.

use std::time::Duration;

use app::Error;
use app::accounts::mail::{self, LetterWriter};
use app::accounts::{self, EmailChange};
use app::authentication::resets;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::world::{ANA, PASSWORD, World, account, outcome_name};

/// Accepts everything and passes on each mail it receives.
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

fn english() -> LetterWriter {
    messages::mail::writer(messages::by_preference(""))
}

async fn next(letters: &mut UnboundedReceiver<String>) -> Option<String> {
    tokio::time::timeout(Duration::from_secs(5), letters.recv()).await.ok().flatten()
}

#[tokio::test]
async fn a_mailed_reset_link_works() {
    let (world, _) = World::with_ana().await;
    let (url, mut letters) = server().await;
    let app = world.at(0).with_mail(Some(mail::Settings::new(&url, "Dripline <drip@example.com>").unwrap()));
    assert!(resets::is_possible(&app));
    resets::request(&app, " ANA@example.com", "https://drip.example/", english());
    let letter = next(&mut letters).await.unwrap();
    assert!(letter.contains("RCPT TO:<ana@example.com>") && letter.contains("MAIL FROM:<drip@example.com>"), "{letter}");
    assert!(letter.contains("Content-Type: text/plain; charset=utf-8"), "{letter}");
    let link = letter.lines().find_map(|line| line.strip_prefix("https://drip.example/reset/")).unwrap();
    assert!(resets::finish(&app, link.trim(), "seven slow trams after rain").await.unwrap());
    assert_eq!(outcome_name(&world.try_password(0, ANA, "seven slow trams after rain").await), "open");
}

#[tokio::test]
async fn reset_mails_go_to_existing_accounts_only_and_are_rate_limited() {
    let (world, _) = World::with_ana().await;
    let (url, mut letters) = server().await;
    let app = world.at(0).with_mail(Some(mail::Settings::new(&url, "drip@example.com").unwrap()));
    resets::request(&app, "nobody@example.com", "https://drip.example", english());
    for _ in 0..3 {
        resets::request(&app, ANA, "https://drip.example", english());
        assert!(next(&mut letters).await.unwrap().contains("RCPT TO:<ana@example.com>"));
    }
    resets::request(&app, ANA, "https://drip.example", english());
    assert!(tokio::time::timeout(Duration::from_millis(300), letters.recv()).await.is_err(), "three in half an hour");
    let later = world.at(1800).with_mail(Some(mail::Settings::new(&url, "drip@example.com").unwrap()));
    resets::request(&later, ANA, "https://drip.example", english());
    assert!(next(&mut letters).await.is_some());
}

const BEN: &str = "ben@example.com";

#[tokio::test]
async fn an_email_address_changes_once_its_owner_opens_the_mailed_link() {
    let (world, id) = World::with_ana().await;
    let ben = accounts::add(&world.at(0), &account(BEN, "seven slow trams after rain")).await.unwrap();
    let (url, mut letters) = server().await;
    let app = world.at(0).with_mail(Some(mail::Settings::new(&url, "drip@example.com").unwrap()));
    let asked = accounts::change_email(&app, id, "anna@example.com", "https://drip.example/", english()).await.unwrap();
    assert_eq!(asked, EmailChange::Mailed);
    let letter = next(&mut letters).await.unwrap();
    assert!(letter.contains("RCPT TO:<anna@example.com>"), "{letter}");
    // Long lines are folded on the way.
    let letter = letter.replace("=\n", "");
    let link = letter.lines().find_map(|line| line.strip_prefix("https://drip.example/settings/email/")).unwrap().trim();
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "open", "nothing has changed yet");
    assert_eq!(accounts::finish_email_change(&app, ben, link, english()).await.unwrap(), None, "another's link");
    assert_eq!(accounts::email_of_link(&world.at(1799), id, link).await.unwrap().as_deref(), Some("anna@example.com"));
    assert_eq!(accounts::email_of_link(&world.at(1800), id, link).await.unwrap(), None, "half an hour");
    assert_eq!(accounts::finish_email_change(&app, id, link, english()).await.unwrap().as_deref(), Some("anna@example.com"));
    assert!(next(&mut letters).await.unwrap().contains("RCPT TO:<ana@example.com>"), "the address of before is told");
    assert_eq!(accounts::finish_email_change(&app, id, link, english()).await.unwrap(), None, "once");
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(0, "anna@example.com", PASSWORD).await), "open");
}

#[tokio::test]
async fn only_its_owner_learns_that_an_email_address_is_taken() {
    let (world, id) = World::with_ana().await;
    accounts::add(&world.at(0), &account(BEN, "seven slow trams after rain")).await.unwrap();
    let (url, mut letters) = server().await;
    let app = world.at(0).with_mail(Some(mail::Settings::new(&url, "drip@example.com").unwrap()));
    assert_eq!(accounts::change_email(&app, id, BEN, "https://drip.example", english()).await.unwrap(), EmailChange::Mailed);
    let letter = next(&mut letters).await.unwrap();
    assert!(letter.contains("RCPT TO:<ben@example.com>") && !letter.contains("https://"), "{letter}");
    assert_eq!(outcome_name(&world.try_password(0, BEN, "seven slow trams after rain").await), "open");
}

#[tokio::test]
async fn without_mail_an_email_address_changes_at_once_and_attempts_are_limited() {
    let (world, id) = World::with_ana().await;
    let app = world.at(0);
    accounts::add(&app, &account(BEN, "seven slow trams after rain")).await.unwrap();
    assert_eq!(accounts::change_email(&app, id, "anna@example.com", "", english()).await.unwrap(), EmailChange::Done);
    for attempt in 2..=5 {
        let refused = accounts::change_email(&app, id, BEN, "", english()).await.unwrap_err();
        assert!(matches!(refused, Error::Refused(_)), "attempt {attempt}: {refused}");
    }
    let waiting = accounts::change_email(&app, id, "anya@example.com", "", english()).await.unwrap_err();
    assert!(matches!(waiting, Error::Wait { seconds: 61 }), "{waiting}");
    assert_eq!(accounts::change_email(&world.at(60), id, "anya@example.com", "", english()).await.unwrap(), EmailChange::Done);
}

#[tokio::test]
async fn without_a_mail_server_nothing_is_sent_and_settings_never_show_the_password() {
    let (world, _) = World::with_ana().await;
    assert!(!resets::is_possible(&world.at(0)));
    resets::request(&world.at(0), ANA, "https://drip.example", english());
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
