//! `dripline version`, `dripline openapi`, help, and wrong usage.

use serde_json::Value;

use crate::dripline::{ANA, Dripline};

#[test]
fn the_version_is_printed_without_a_database() {
    let dripline = Dripline::new();
    let version = concat!("dripline ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(dripline.done(&["version"]), version);
    assert_eq!(dripline.done(&["--version"]), version);
    assert!(!dripline.data_dir().exists());
}

#[test]
fn the_openapi_document_is_printed_in_both_forms() {
    let dripline = Dripline::new();
    let (old, new): (Value, Value) = (dripline.json(&["openapi"]), dripline.json(&["openapi", "--3.1"]));
    assert_eq!(old["openapi"], "3.0.3");
    assert!(new["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = |document: &Value| document["paths"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&old), paths(&new));
    assert!(!dripline.data_dir().exists());
}

#[test]
fn help_goes_to_standard_output_and_names_every_command() {
    let help = Dripline::new().run(&["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    let commands = "serve user token portfolio radar import export market migrate doctor config openapi version";
    for command in commands.split(' ') {
        assert!(help.stdout.contains(&format!("\n  {command} ")), "{command} is missing from {}", help.stdout);
    }
}

#[test]
fn a_usage_error_exits_with_2_and_changes_nothing() {
    let dripline = Dripline::new();
    for (arguments, words) in [
        (&[][..], "Usage: dripline"),
        (&["unknown"], "unrecognized subcommand 'unknown'"),
        (&["user"], "Usage: dripline user"),
        (&["user", "add"], "<EMAIL>"),
        (&["user", "list", "--colour"], "unexpected argument '--colour'"),
        (&["token", "create", "--user", ANA], "--name <NAME>"),
        (&["token", "create", "--name", "x"], "--user <USER>"),
        (&["portfolio", "order", "--user", ANA], "<NAMES>..."),
        (&["radar", "add", "--user", ANA], "<SYMBOLS>..."),
        (&["import", "--user", ANA], "<FILES>..."),
        (&["import", "x.csv"], "--user <USER>"),
        (&["import", "x.csv", "--user", ANA, "--unresolved", "drop"], "[possible values: ask, keep]"),
        (&["export"], "--user <USER>"),
        (&["market", "load"], "<FOLDER>"),
    ] {
        let ran = dripline.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ran.says(&[words]);
    }
    assert!(!dripline.data_dir().exists());
}
