//! Canary words of one user, sent everywhere: secrets appear in no file and no log, and private data appears only in
//! the database.

mod apps;

use std::net::SocketAddr;
use std::path::Path;

use testkit::Browser;

use crate::dripline::Dripline;
use crate::served::Served;

const EMAIL: &str = "canaryaddress@example.com";
/// Secrets that are never stored in the clear.
const SECRETS: [&str; 7] = [
    "canary horse battery staple",
    "canary wrong password",
    "canarysearchterm",
    "canarycode",
    "canaryverifieroffortythreelettersatleastxxxx",
    "canaryclientsecret",
    "canarycookie",
];
/// Private data of the user.
const PRIVATE: [&str; 6] = ["canaryaddress", "Canaryportfolio", "canarynote", "canaryfile", "CANARYSYM", "canarytokenname"];
const LEDGER: &str =
    "date,type,symbol,shares,price,currency,note\n2026-01-05,buy,CANARYSYM,31337.4242,98.76543211,USD,canarynote\n";

/// Which of the words a file contains; none if it does not exist.
fn words_in<'a>(file: &Path, words: &[&'a str]) -> Vec<&'a str> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let holds = |word: &str| bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
    words.iter().copied().filter(|word| holds(word)).collect()
}

fn database(dripline: &Dripline) -> Vec<std::path::PathBuf> {
    ["dripline.db", "dripline.db-wal", "dripline.db-shm"].map(|name| dripline.data_dir().join(name)).to_vec()
}

#[test]
fn secrets_are_never_stored_in_the_clear_and_private_data_leaves_with_its_account() {
    let dripline = Dripline::with_accounts();
    let log = dripline.path().join("log");
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"]);
    let served = Served::spawn(
        command.env("DRIPLINE_SIGN_UP", "open").env("RUST_LOG", "trace").stderr(std::fs::File::create(&log).unwrap()),
    );
    let address: SocketAddr = served.address.strip_prefix("http://").unwrap().parse().unwrap();
    let [password, wrong, search, code, verifier, client_secret, cookie] = SECRETS;

    let browser = Browser::new(address);
    let account = [("email", EMAIL), ("password", password), ("currency", "USD")];
    assert_eq!(browser.fill("/sign-up", "/sign-up", &account).status, 303);
    assert_eq!(browser.sign_in(EMAIL, wrong).status, 422);
    assert_eq!(browser.sign_in(EMAIL, password).status, 303);
    dripline.done(&["portfolio", "add", "Canaryportfolio", "--user", EMAIL]);
    browser.get("/import");
    assert_eq!(browser.upload("/import", &[("portfolio", "Canaryportfolio")], "canaryfile.csv", LEDGER.as_bytes()).status, 303);
    let file = dripline.write("canaryfile.csv", LEDGER);
    dripline.done(&["import", file, "--user", EMAIL, "--portfolio", "Canaryportfolio"]);
    let token = dripline.done(&["token", "create", "--user", EMAIL, "--name", "canarytokenname"]).trim().to_owned();
    for path in [
        "/api/v1/holdings?portfolio=Canaryportfolio".to_owned(),
        format!("/api/v1/stocks?q={search}"),
        format!("/api/v1/me?access_token={token}"),
        "/api/v1/income?portfolio=canarynote".to_owned(),
        "/api/v1/stocks/CANARYSYM".to_owned(),
    ] {
        assert!(served.get(&path, Some(&token)) < 500, "{path}");
        assert!(served.get(&path, Some(&format!("{}x", &token[..token.len() - 1]))) < 500, "{path}");
    }
    for path in [format!("/stocks?q={search}"), "/holdings?portfolio=Canaryportfolio".to_owned(), "/ledger".to_owned()] {
        assert!(browser.get(&path).status < 500, "{path}");
    }
    for grant in [("code", code), ("refresh_token", code), ("device_code", code)] {
        let fields = [("grant_type", "authorization_code"), grant, ("code_verifier", verifier), ("client_secret", client_secret)];
        assert!(browser.post_raw("/oauth/token", &fields, &[]).status < 500);
    }
    let handed_out = apps::secrets(&served.address, &browser);
    browser.set_cookie("theme", cookie);
    assert_eq!(browser.get("/").status, 200);
    dripline.done(&["backup", "backup.db"]);

    let session = browser.cookie("__Host-s").or_else(|| browser.cookie("s")).unwrap();
    let form = browser.token();
    let mut secrets: Vec<&str> = SECRETS.into_iter().chain(apps::SECRETS).collect();
    secrets.extend([token.as_str(), session.as_str(), form.as_str()].into_iter().chain(handed_out.iter().map(String::as_str)));
    let backup = dripline.path().join("backup.db");
    for file in database(&dripline).iter().chain([&backup, &log]) {
        assert_eq!(words_in(file, &secrets), [""; 0], "{}", file.display());
    }
    let log_text = std::fs::read_to_string(&log).unwrap();
    let metrics = log_text.lines().find_map(|line| line.strip_prefix("Metrics at ")).unwrap();
    let metrics = ureq::get(metrics).call().unwrap().body_mut().read_to_string().unwrap();
    for (place, text) in [("log", &log_text), ("metrics", &metrics)] {
        for word in secrets.iter().chain(&PRIVATE).chain(&apps::WORDS).chain(&["31337.4242", "98.76543211"]) {
            assert!(!text.to_lowercase().contains(&word.to_lowercase()), "{word} is in the {place}");
        }
    }
    assert!(metrics.contains("dripline_http_requests_total"), "{metrics}");
    assert_eq!(words_in(&backup, &PRIVATE), PRIVATE, "it is a copy of everything");

    dripline.done(&["user", "delete", EMAIL, "--yes"]);
    served.signal("TERM");
    served.end();
    for file in database(&dripline) {
        // Symbols are shared: another user may follow it.
        let mine: Vec<&str> = PRIVATE.into_iter().filter(|word| *word != "CANARYSYM").collect();
        assert_eq!(words_in(&file, &mine), [""; 0], "{}", file.display());
    }
}
