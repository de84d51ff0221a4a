//! `dripline user reset`, `password`, `factor`, `unlock` and `dripline invite …`

use std::io::Write;
use std::process::Stdio;

use crate::dripline::{ANA, Dripline, Ran, ran};

#[test]
fn a_reset_link_uses_the_public_address_and_is_never_the_same() {
    let dripline = Dripline::with_accounts();
    let link = dripline.done(&["user", "reset", ANA]);
    let secret = link.trim().strip_prefix("http://127.0.0.1:8080/reset/").unwrap();
    assert_eq!(secret.len(), 43, "256 bits of 62 letters");
    let other = dripline.done(&["user", "reset", ANA, "--base-url", "https://drip.example/"]);
    assert!(other.starts_with("https://drip.example/reset/") && !other.contains(secret), "{other}");
    dripline.refused(&["user", "reset", "nobody@example.com"], &["There is no account nobody@example.com."]);
}

#[test]
fn the_operator_must_set_a_strong_enough_password() {
    let dripline = Dripline::with_accounts();
    let set = with_input(&dripline, &["user", "password", ANA, "--password-stdin"], "four quiet herons in march\n");
    assert_eq!((set.code, set.stdout.as_str()), (Some(0), ""), "{set:?}");
    set.says(&["Password changed for ana@example.com."]);
    let weak = with_input(&dripline, &["user", "password", ANA, "--password-stdin"], "passwordpassword\n");
    assert_eq!(weak.code, Some(1));
    weak.says(&["easy to guess"]);
    assert!(!weak.stderr.contains("passwordpassword"));
    let unknown =
        with_input(&dripline, &["user", "password", "no@example.com", "--password-stdin"], "four quiet herons in march");
    unknown.says(&["There is no account no@example.com."]);
    assert_eq!(dripline.run(&["user", "password", ANA]).code, Some(2), "a password is no argument");
}

#[test]
fn an_invitation_is_made_listed_and_revoked() {
    let dripline = Dripline::new();
    let link = dripline.done(&["invite", "create"]);
    let secret = link.trim().strip_prefix("http://127.0.0.1:8080/sign-up?invite=").unwrap();
    assert_eq!(secret.len(), 43);
    dripline.done(&["invite", "create", "--days", "30"]);
    let listed = dripline.json(&["invite", "list", "--json"]);
    // The day of these tests is 2026-11-15: seven days on, and thirty.
    let expiries: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["expires"].as_str().unwrap()).collect();
    assert_eq!(expiries, ["2026-11-22T12:00:00Z", "2026-12-15T12:00:00Z"]);
    assert!(!listed.to_string().contains(secret));
    let id = listed[0]["id"].as_str().unwrap();
    dripline.done(&["invite", "revoke", id]);
    assert_eq!(dripline.json(&["invite", "list", "--json"]).as_array().unwrap().len(), 1);
    dripline
        .refused(&["invite", "revoke", id], &["There is no invitation", "Run `dripline invite list` to see all invitations."]);
    dripline.refused(&["invite", "create", "--days", "0"], &["valid for 1 to 365 days"]);
}

#[test]
fn the_operator_turns_off_a_second_factor_and_unlocks_an_account() {
    let dripline = Dripline::with_accounts();
    let off = dripline.run(&["user", "factor", ANA, "--off"]);
    assert_eq!(off.code, Some(0), "{off:?}");
    off.says(&["Two-factor authentication for ana@example.com was already off."]);
    assert_eq!(dripline.run(&["user", "factor", ANA]).code, Some(2), "it says what to do with it");
    let unlocked = dripline.run(&["user", "unlock", ANA]);
    assert_eq!(unlocked.code, Some(0), "{unlocked:?}");
    unlocked.says(&["ana@example.com can sign in again"]);
    for command in [&["user", "factor", "no@example.com", "--off"][..], &["user", "unlock", "no@example.com"]] {
        dripline.refused(command, &["There is no account no@example.com."]);
    }
}

fn with_input(dripline: &Dripline, arguments: &[&str], input: &str) -> Ran {
    let mut child = dripline.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ran(child.wait_with_output().unwrap())
}
