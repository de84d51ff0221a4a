//! `dripline token …`

use crate::dripline::{ANA, BEN, Dripline, NOW};

#[test]
fn a_token_is_printed_alone_listed_without_its_secret_and_revoked() {
    let dripline = Dripline::with_accounts();
    let created = dripline.run(&["token", "create", "--user", ANA, "--name", " phone "]);
    assert_eq!(created.stderr, "");
    let token = created.stdout.strip_suffix('\n').unwrap();
    let secret = token.strip_prefix("drip_pat_").unwrap();
    assert!(secret.len() == 36 && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{token}");

    let list = &["token", "list", "--user", ANA, "--json"];
    let listed = dripline.json(list);
    assert_eq!((&listed[0]["name"], &listed[0]["created"]), (&"phone".into(), &NOW.into()));
    assert!(listed[0]["last_used"].is_null() && listed[0]["revoked"].is_null());
    assert!(!listed.to_string().contains(secret) && !dripline.done(&["token", "list", "--user", ANA]).contains(secret));

    let id = listed[0]["id"].as_str().unwrap();
    let revoked = dripline.run(&["token", "revoke", id]);
    assert_eq!((revoked.code, revoked.stdout.as_str()), (Some(0), ""));
    revoked.says(&[id, "revoked."]);
    assert_eq!(dripline.json(list)[0]["revoked"], NOW);
    dripline.refused(&["token", "revoke", id], &["There is no active token", id]);
}

#[test]
fn a_token_has_a_name_of_1_to_100_characters() {
    let dripline = Dripline::with_accounts();
    for name in ["", "  ", &"x".repeat(101), "a\nb"] {
        let words = ["Give the token a name of 1 to 100 characters"];
        dripline.refused(&["token", "create", "--user", ANA, "--name", name], &words);
    }
    dripline.done(&["token", "create", "--user", ANA, "--name", &"ü".repeat(100)]);
}

#[test]
fn the_26th_live_token_is_refused_until_one_is_revoked() {
    let dripline = Dripline::with_accounts();
    for number in 1..=25 {
        dripline.done(&["token", "create", "--user", ANA, "--name", &number.to_string()]);
    }
    let one_more = &["token", "create", "--user", ANA, "--name", "26"];
    dripline.refused(one_more, &["You have 25 active tokens, the most you can have. Revoke one first."]);
    dripline.done(&["token", "create", "--user", BEN, "--name", "his first"]);
    let id = dripline.json(&["token", "list", "--user", ANA, "--json"])[7]["id"].as_str().unwrap().to_owned();
    dripline.done(&["token", "revoke", &id]);
    dripline.done(one_more);
}

#[test]
fn an_unknown_token_id_is_refused() {
    let dripline = Dripline::with_accounts();
    dripline.refused(
        &["token", "revoke", "7"],
        &["\"7\" is not the ID of a token. Run `dripline token list --user EMAIL` to see a user’s tokens."],
    );
    let unknown = "01890000-0000-7000-8000-000000000000";
    dripline.refused(&["token", "revoke", unknown], &["There is no active token", unknown]);
}
