//! Encryption of second factors at rest, and the life of its key.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use scratch::Scratch;
use testkit::Browser;
use totp_rs::{Builder, Secret};

use crate::dripline::{ANA, Dripline, NOW, Ran};
use crate::served::Served;

const PASSWORD: &str = "four quiet herons in march";
/// What an older version stored in the clear.
const SEED: &[u8; 20] = b"CANARY-SEED-20-BYTES";
const KEYS: [&str; 2] =
    ["0101010101010101010101010101010101010101010101010101010101010101", "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="];

/// With an account that has a password.
fn with_ana() -> Dripline {
    let dripline = Dripline::new();
    add_ana(dripline.command(&["user", "add", ANA, "--password-stdin"]));
    dripline
}

fn add_ana(mut command: Command) {
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), PASSWORD.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

fn serve(dripline: &Dripline, settings: &[(&str, &str)]) -> Served {
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    Served::spawn(command.envs(settings.iter().copied()))
}

fn run(dripline: &Dripline, arguments: &[&str], settings: &[(&str, &str)]) -> Ran {
    let output = dripline.command(arguments).envs(settings.iter().copied()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn browser(served: &Served) -> Browser {
    Browser::new(served.address.strip_prefix("http://").unwrap().parse().unwrap())
}

/// The code that an authenticator shows this many 30-second steps after the time of the tests.
fn code(seed: &[u8], steps: i64) -> String {
    let instant = NOW.parse::<jiff::Timestamp>().unwrap().as_second() + 30 * steps;
    let factor = Builder::new().with_secret(Secret::from(seed.to_vec())).with_account_name("x").build().unwrap();
    factor.generate(instant.unsigned_abs()).to_string()
}

/// Turns Ana's second factor on with the code of the previous step; returns its seed and the recovery codes.
fn turn_factor_on(served: &Served) -> (Vec<u8>, Vec<String>) {
    let browser = browser(served);
    assert_eq!(browser.sign_in(ANA, PASSWORD).header("location"), "/");
    assert_eq!(browser.fill("/settings/security", "/settings/security/factor", &[]).status, 303);
    let page = browser.get("/settings/security/factor").text();
    let seed = Secret::try_from_base32(between(&page, "<code id=\"secret\">", "<")).unwrap().as_bytes().to_vec();
    let answer = browser.post("/settings/security/factor/confirm", &[("code", &code(&seed, -1))]);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let list = between(&answer.text(), "<ul class=\"codes\">", "</ul>");
    (seed, list.split("<li>").skip(1).map(|item| item.trim_end_matches("</li>").to_owned()).collect())
}

fn between(text: &str, before: &str, after: &str) -> String {
    text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}")).1.split_once(after).unwrap().0.to_owned()
}

/// Where signing in with the password and this code redirects; the text of the page if it does not.
fn signed_in(served: &Served, code: &str) -> Result<(), String> {
    let browser = browser(served);
    let asked = browser.sign_in(ANA, PASSWORD);
    assert_eq!(asked.header("location"), "/sign-in/code?next=%2F", "the password alone opens nothing");
    browser.get("/sign-in/code");
    let answer = browser.post("/sign-in/code", &[("code", code)]);
    if answer.status == 303 { Ok(()) } else { Err(answer.text()) }
}

fn stop(served: Served) -> String {
    served.signal("TERM");
    served.end().2
}

fn raw(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

fn stored(path: &Path) -> Vec<u8> {
    raw(path).query_row("SELECT secret FROM totp", [], |row| row.get(0)).unwrap()
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
}

/// The files that contain these bytes, raw, in base 32 or in hexadecimal.
fn holding(files: &[PathBuf], bytes: &[u8]) -> Vec<PathBuf> {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let base32 = Secret::from(bytes.to_vec()).to_base32();
    let forms = [bytes.to_vec(), base32.to_lowercase().into(), base32.into(), hex.to_uppercase().into(), hex.into()];
    let holds = |path: &&PathBuf| {
        let content = std::fs::read(path).unwrap();
        forms.iter().any(|form: &Vec<u8>| content.windows(form.len()).any(|window| window == form.as_slice()))
    };
    files.iter().filter(holds).cloned().collect()
}

fn lines(dripline: &Dripline) -> Vec<String> {
    let path = dripline.data_dir().join("secret.key");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn doctor(dripline: &Dripline) -> (String, String) {
    let ran = dripline.run(&["doctor", "--json"]);
    let checks: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let check = checks.as_array().unwrap().iter().find(|check| check["check"] == "secret key").unwrap().clone();
    (check["verdict"].as_str().unwrap().to_owned(), check["finding"].as_str().unwrap().to_owned())
}

#[test]
fn a_backup_without_the_key_does_not_reveal_second_factors() {
    let dripline = with_ana();
    let served = serve(&dripline, &[]);
    let (seed, recovery) = turn_factor_on(&served);
    let ran = dripline.run(&["backup", "b.db"]);
    ran.says(&["Keep a copy of the key elsewhere"]);
    let key = lines(&dripline);
    assert_eq!(key.len(), 1);
    let files = [files_in(&dripline.data_dir()), vec![dripline.path().join("b.db")]].concat();
    assert_eq!(holding(&files, &seed), Vec::<PathBuf>::new());
    assert!(signed_in(&served, &code(&seed, 0)).is_ok(), "its owner signs in as ever");
    assert_eq!(doctor(&dripline).0, "ok");

    // Somebody else has the backup and the password.
    let thief = Dripline::new();
    std::fs::copy(dripline.path().join("b.db"), thief.path().join("b.db")).unwrap();
    thief.run(&["restore", "b.db"]).says(&["Before you start the server", "is missing", "secret.key"]);
    assert_eq!((lines_or_none(&thief), doctor(&thief).0), (None, "error".to_owned()));
    let refused = thief.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(1));
    refused.says(&["DRIPLINE_SECRET_KEY_FILE", "dripline secret rotate --lost"]);
    let sealed = stored(&thief.path().join("b.db"));
    assert_eq!((sealed.len(), sealed.windows(20).any(|window| window == seed)), (69, false));
    thief.run(&["secret", "rotate", "--lost"]).says(&["Secrets whose key is missing: 1"]);
    let there = serve(&thief, &[]);
    for bytes in [&sealed[..], &sealed[33..53], &sealed[33..]] {
        assert!(signed_in(&there, &code(bytes, 0)).is_err());
    }
    let message = signed_in(&there, &code(&seed, 1)).unwrap_err();
    assert!(message.contains("Use a recovery code") && !message.contains("secret.key"), "{message}");
    let (verdict, finding) = doctor(&thief);
    assert!(verdict == "warning" && finding.contains("dripline user factor EMAIL --off"), "{finding}");
    assert!(signed_in(&there, &recovery[0]).is_ok(), "for which no key is needed");

    // With the key the same backup is whole.
    std::fs::write(thief.data_dir().join("secret.key"), format!("{}\n{}\n", lines(&thief)[0], key[0])).unwrap();
    thief.run(&["secret", "rotate"]).says(&[": 1. Keep a copy of this key"]);
    assert!(signed_in(&there, &code(&seed, 1)).is_ok());
}

fn lines_or_none(dripline: &Dripline) -> Option<Vec<String>> {
    dripline.data_dir().join("secret.key").exists().then(|| lines(dripline))
}

/// Ana's second factor as an older version stored it.
fn with_plain_seed(dripline: &Dripline) -> PathBuf {
    let path = dripline.data_dir().join("dripline.db");
    let file = raw(&path);
    file.execute_batch("DELETE FROM encryption_keys").unwrap();
    let user: String = file.query_row("SELECT id FROM users", [], |row| row.get(0)).unwrap();
    file.execute("INSERT INTO totp (user_id, secret, confirmed_at, last_step) VALUES (?, ?, 1, 0)", (user, SEED.as_slice()))
        .unwrap();
    drop(file);
    assert!(!holding(&files_in(&dripline.data_dir()), SEED).is_empty());
    path
}

#[test]
fn plain_secrets_of_an_older_version_are_encrypted_at_the_next_start() {
    let dripline = with_ana();
    let path = with_plain_seed(&dripline);
    assert_eq!(doctor(&dripline).0, "warning");
    // Killed wherever it is, it leaves either state and no other.
    for millis in (10..).step_by(15).take(12) {
        let mut child = dripline.command(&["serve", "--listen", "127.0.0.1:0"]).spawn().unwrap();
        sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
        let encrypted = raw(&path).query_row("SELECT COUNT(*) FROM encryption_keys", [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!((stored(&path) == SEED, encrypted), if encrypted == 0 { (true, 0) } else { (false, 1) });
    }
    let served = serve(&dripline, &[]);
    assert_eq!(holding(&files_in(&dripline.data_dir()), SEED), Vec::<PathBuf>::new(), "nor in the log");
    assert!(signed_in(&served, &code(SEED, 0)).is_ok());
    dripline.done(&["backup", "b.db"]);
    assert_eq!(holding(&[dripline.path().join("b.db")], SEED), Vec::<PathBuf>::new());
    assert_eq!(lines(&dripline).len(), 1);
}

#[test]
fn an_old_backup_is_encrypted_when_it_is_restored() {
    let dripline = with_ana();
    with_plain_seed(&dripline);
    dripline.done(&["backup", "old.db"]);
    let there = Dripline::new();
    there.done(&["restore", dripline.path().join("old.db").to_str().unwrap()]);
    assert_eq!(holding(&files_in(&there.data_dir()), SEED), Vec::<PathBuf>::new());
    assert!(signed_in(&serve(&there, &[]), &code(SEED, 0)).is_ok());
}

#[test]
fn the_key_can_be_rotated_while_serving_and_old_backups_stay_usable() {
    let dripline = with_ana();
    let served = serve(&dripline, &[]);
    let (seed, _) = turn_factor_on(&served);
    dripline.done(&["backup", "before.db"]);
    let before = stored(&dripline.data_dir().join("dripline.db"));
    dripline.run(&["secret", "rotate"]).says(&["Secrets encrypted with the key"]);
    assert_ne!(stored(&dripline.data_dir().join("dripline.db"))[1..9], before[1..9]);
    assert!(signed_in(&served, &code(&seed, 0)).is_ok(), "who serves reads the new key by itself");
    // Cut short anywhere, it is there to be finished.
    for millis in (5..).step_by(15).take(12) {
        let mut child = dripline.command(&["secret", "rotate"]).spawn().unwrap();
        sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(doctor(&dripline).0, "ok");
    }
    dripline.done(&["secret", "rotate"]);
    assert!(signed_in(&served, &code(&seed, 1)).is_ok());
    stop(served);
    let keys = lines(&dripline);
    assert!(keys.len() >= 3, "{}", keys.len());
    assert_eq!(files_in(&dripline.data_dir()).iter().filter(|path| path.to_str().unwrap().contains("secret.key")).count(), 1);
    dripline.done(&["restore", "before.db"]);
    let settings = [("DRIPLINE_NOW", "2026-11-15T12:05:00Z")];
    assert!(signed_in(&serve(&dripline, &settings), &code(&seed, 10)).is_ok(), "the file keeps the older keys");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn nodes_on_one_postgresql_have_one_key() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let scratch = runtime.block_on(Scratch::empty());
    let url = scratch.url();
    let database = ("DRIPLINE_DATABASE_URL", url.as_str());
    let (first, second) = (Dripline::new(), Dripline::new());
    let mut command = first.command(&["user", "add", ANA, "--password-stdin"]);
    command.env(database.0, database.1);
    add_ana(command);
    let plain =
        "INSERT INTO totp (user_id, secret, confirmed_at, last_step) SELECT id, 'CANARY-SEED-20-BYTES'::bytea, 1, 0 FROM users";
    runtime.block_on(async { scratch.raw().await.batch_execute(plain).await.unwrap() });
    // All at once, each with the same key.
    let both = KEYS.map(|key| ("DRIPLINE_SECRET_KEY", key));
    let starts: Vec<_> = (0..4)
        .map(|_| second.command(&["serve", "--listen", "127.0.0.1:0"]).envs([database, both[0]]).spawn().unwrap())
        .collect();
    for mut start in starts {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(start.stdout.take().unwrap()), &mut line).unwrap();
        assert!(line.starts_with("http://"), "{line}");
        start.kill().unwrap();
        start.wait().unwrap();
    }
    // Another key, or one that a node would make for itself, is refused.
    for wrong in [vec![database], vec![database, both[1]]] {
        let refused = run(&second, &["serve", "--listen", "127.0.0.1:0"], &wrong);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        refused.says(&[
            "which encrypts a secret in this database (a second factor or a provider’s key), is missing",
            "DRIPLINE_SECRET_KEY",
        ]);
    }
    assert!(!second.data_dir().join("secret.key").exists());
    // The new key before the old one, on every node; then the change.
    let file = first.path().join("keys");
    std::fs::write(&file, format!("{}\n{}\n", KEYS[1], KEYS[0])).unwrap();
    let (given, in_file) = (KEYS[1].to_owned() + "," + KEYS[0], file.to_str().unwrap());
    let nodes = [[database, ("DRIPLINE_SECRET_KEY", &given)], [database, ("DRIPLINE_SECRET_KEY_FILE", in_file)]];
    let served = [serve(&first, &nodes[0]), serve(&second, &nodes[1])];
    assert!(signed_in(&served[0], &code(SEED, -1)).is_ok());
    run(&first, &["secret", "rotate"], &nodes[0]).says(&["Secrets encrypted with the key"]);
    assert!(signed_in(&served[0], &code(SEED, 0)).is_ok() && signed_in(&served[1], &code(SEED, 1)).is_ok());
    let again = run(&first, &["secret", "rotate"], &nodes[0]);
    assert_eq!(again.code, Some(1));
    again.says(&["already in use", "openssl rand -base64 32"]);
    let settings = [database, both[1], ("DRIPLINE_NOW", "2026-11-15T12:05:00Z")];
    assert!(signed_in(&serve(&second, &settings), &code(SEED, 10)).is_ok(), "the old one is needed no more");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_copy_reports_which_key_it_needs() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let scratch = runtime.block_on(Scratch::empty());
    let dripline = with_ana();
    let served = serve(&dripline, &[]);
    let (seed, _) = turn_factor_on(&served);
    stop(served);
    let url = scratch.url();
    let ran = dripline.run(&["copy", "--to", &url]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.says(&["The copy does not contain the secret key", "DRIPLINE_SECRET_KEY_FILE"]);
    let there = Dripline::new();
    let key = dripline.data_dir().join("secret.key");
    let settings = [("DRIPLINE_DATABASE_URL", url.as_str()), ("DRIPLINE_SECRET_KEY_FILE", key.to_str().unwrap())];
    assert!(signed_in(&serve(&there, &settings), &code(&seed, 0)).is_ok());
}

#[test]
fn a_key_is_private_and_never_printed() {
    let dripline = with_ana();
    stop(serve(&dripline, &[]));
    let path = dripline.data_dir().join("secret.key");
    let key = lines(&dripline).remove(0);
    assert!(!dripline.done(&["config", "print"]).contains(&key));
    for setting in ["DRIPLINE_SECRET_KEY", "DRIPLINE_SECRET_KEY_FILE"] {
        let value = if setting.ends_with("FILE") { path.to_str().unwrap() } else { &key };
        let printed = run(&dripline, &["config", "print"], &[(setting, value)]);
        assert!(printed.stdout.contains("secret_key") && !printed.stdout.contains(&key), "{printed:?}");
        stop(serve(&dripline, &[(setting, value)]));
    }
    let wrong = run(&dripline, &["serve"], &[("DRIPLINE_SECRET_KEY", "314159265")]);
    assert_eq!((wrong.code, wrong.stderr.contains("314159265")), (Some(1), false));
    wrong.says(&["DRIPLINE_SECRET_KEY must be 32 bytes", "openssl rand -base64 32"]);
    run(&dripline, &["serve"], &[("DRIPLINE_SECRET_KEY_FILE", "none")]).says(&["The secret key none can’t be read"]);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let refused = dripline.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(1));
    refused.says(&["Other users can read the secret key", "chmod 600"]);
    assert_eq!(doctor(&dripline).0, "error");
}
