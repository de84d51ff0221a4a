//! Configuration: flags override the environment, which overrides `dripline.toml`.

use crate::dripline::{Dripline, NOW, Ran, ran};
use crate::served::Served;

fn print(dripline: &Dripline, flags: &[&str], environment: &[(&str, &str)]) -> Ran {
    let mut command = dripline.command(&[&["config", "print"], flags].concat());
    command.env_remove("DRIPLINE_NOW").env_remove("DRIPLINE_DATA_DIR").envs(environment.iter().copied());
    ran(command.output().unwrap())
}

fn parsed(dripline: &Dripline, flags: &[&str], environment: &[(&str, &str)]) -> toml::Table {
    let output = print(dripline, flags, environment);
    assert_eq!(output.code, Some(0), "{output:?}");
    output.stdout.parse().unwrap_or_else(|error| panic!("{error} in {}", output.stdout))
}

#[test]
fn without_settings_the_defaults_apply() {
    let settings = parsed(&Dripline::new(), &[], &[]);
    let expected = "listen = \"127.0.0.1:8080\"\ndata_dir = \"./data\"\nbase_url = \"http://127.0.0.1:8080\"\ntrusted_proxies = []\nsign_up = \"invite\"\n\
        backup_every = \"60m\"\nbackup_dir = \"./data/backups\"\nbackup_days = 14";
    assert_eq!(settings, expected.parse().unwrap());
}

#[test]
fn flags_beat_environment_beats_file() {
    let dripline = Dripline::new();
    let (flag, variable, file) = ("127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003");
    dripline.write(
        "dripline.toml",
        format!("listen = \"{file}\"\ndata_dir = \"from-file\"\nbase_url = \"https://file.example\"\nnow = \"{NOW}\""),
    );
    let settings = |flags: &[&str], environment: &[(&str, &str)]| parsed(&dripline, flags, environment);
    for (key, file, name, variable, option, flag) in [
        ("listen", file, "DRIPLINE_LISTEN", variable, "--listen", flag),
        ("data_dir", "from-file", "DRIPLINE_DATA_DIR", "from-environment", "--data-dir", "from-flag"),
        ("base_url", "https://file.example", "DRIPLINE_BASE_URL", "https://env.example", "--base-url", "https://flag.example"),
        ("now", NOW, "DRIPLINE_NOW", "2026-01-01T00:00:00Z", "--now", "2026-02-02T00:00:00Z"),
    ] {
        assert_eq!(settings(&[], &[])[key].as_str(), Some(file));
        assert_eq!(settings(&[], &[(name, variable)])[key].as_str(), Some(variable));
        assert_eq!(settings(&[option, flag], &[(name, variable)])[key].as_str(), Some(flag));
        assert_eq!(settings(&[option, flag], &[])[key].as_str(), Some(flag));
    }
    dripline.write("other.toml", "listen = \"127.0.0.1:1004\"");
    assert_eq!(settings(&["--config", "other.toml"], &[])["listen"].as_str(), Some("127.0.0.1:1004"));
}

#[test]
fn a_command_uses_the_configured_data_folder() {
    let dripline = Dripline::new();
    dripline.write("dripline.toml", "data_dir = \"from-file\"");
    let mut command = dripline.command(&["migrate"]);
    assert!(command.env_remove("DRIPLINE_DATA_DIR").status().unwrap().success());
    assert!(dripline.path().join("from-file/dripline.db").is_file());
    dripline.done(&["migrate", "--data-dir", "from-flag"]);
    assert!(dripline.path().join("from-flag/dripline.db").is_file() && !dripline.data_dir().exists());
}

#[test]
fn printed_settings_can_be_used_as_the_file() {
    let dripline = Dripline::new();
    let environment = [
        ("DRIPLINE_DATA_DIR", "a \"quoted\" \\ fo\u{301}lder\n"),
        ("DRIPLINE_TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1,2001:db8::/32"),
        ("DRIPLINE_BASE_URL", "https://drip.example/"),
        ("DRIPLINE_NOW", NOW),
    ];
    let settings = parsed(&dripline, &[], &environment);
    assert_eq!(settings["data_dir"].as_str(), Some(environment[0].1));
    assert_eq!(settings["base_url"].as_str(), Some("https://drip.example"));
    dripline.write("dripline.toml", print(&dripline, &[], &environment).stdout);
    assert_eq!(parsed(&dripline, &[], &[]), settings);
}

#[test]
fn with_a_certificate_the_default_addresses_are_https() {
    let dripline = Dripline::new();
    let environment = [
        ("DRIPLINE_TLS_CERT", "chain.pem"),
        ("DRIPLINE_TLS_KEY", "key.pem"),
        ("DRIPLINE_LISTEN", "192.0.2.1:443"),
        ("DRIPLINE_CONNECTIONS_PER_CLIENT", "64"),
        ("DRIPLINE_REQUESTS_AT_ONCE", "7"),
        ("DRIPLINE_PUBLIC_HOLDERS", "0"),
    ];
    let settings = parsed(&dripline, &[], &environment);
    assert_eq!((settings["tls_cert"].as_str(), settings["tls_key"].as_str()), (Some("chain.pem"), Some("key.pem")));
    assert_eq!(settings["base_url"].as_str(), Some("https://192.0.2.1:443"));
    assert_eq!(settings["public_holders"].as_integer(), Some(0));
    dripline.write("dripline.toml", print(&dripline, &[], &environment).stdout);
    assert_eq!(parsed(&dripline, &[], &[]), settings);
    assert_eq!(parsed(&dripline, &["--tls-key", "other.pem"], &[])["tls_key"].as_str(), Some("other.pem"));
}

#[test]
fn one_more_language_is_named_by_a_variable_or_in_the_file() {
    let dripline = Dripline::new();
    let environment = [("DRIPLINE_MESSAGES", "lang/fr.ftl")];
    assert_eq!(parsed(&dripline, &[], &environment)["messages"].as_str(), Some("lang/fr.ftl"));
    dripline.write("dripline.toml", print(&dripline, &[], &environment).stdout);
    assert_eq!(parsed(&dripline, &[], &[])["messages"].as_str(), Some("lang/fr.ftl"));
}

#[test]
fn pages_are_served_in_a_language_from_a_file_and_what_it_lacks_is_in_english() {
    let dripline = Dripline::new();
    dripline.write("fr.ftl", "shell-sign_in = Se connecter\nerror_page-not_found_title = Page introuvable\nold = Plus rien\n");
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::spawn(command.env("DRIPLINE_MESSAGES", "fr.ftl"));
    let page = |language: &str| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request = agent.get(format!("{}/nowhere", served.address)).header("Accept-Language", language);
        request.call().unwrap().body_mut().read_to_string().unwrap()
    };
    let french = page("fr-CH, en;q=0.5");
    assert!(french.contains("<html lang=\"fr\"") && french.contains("Page introuvable"), "{french}");
    assert!(french.contains("Se connecter") && french.contains("Skip to content"), "{french}");
    assert!(page("en-US").contains("Page not found") && page("").contains("Page not found"));
    served.signal("TERM");
    let (code, _, stderr) = served.end();
    assert_eq!(code, Some(0), "{stderr}");
    for words in ["WARNING: fr.ftl is incomplete", "missing", "and ", " more"] {
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn a_message_file_that_cannot_be_used_is_an_error_at_the_start() {
    let dripline = Dripline::new();
    dripline.write("fr.ftl", "shell-sign_in = Se connecter\nshell-skip = { $n\n");
    dripline.write("notes.2026.ftl", "shell-sign_in = Se connecter\n");
    for (file, words) in [
        ("fr.ftl", ["DRIPLINE_MESSAGES: fr.ftl can’t be used", "line "]),
        ("none.ftl", ["DRIPLINE_MESSAGES: none.ftl can’t be read", "No such file"]),
        ("notes.2026.ftl", ["\"notes.2026\" is not a language", "fr.ftl"]),
    ] {
        let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
        let ran = ran(command.env("DRIPLINE_MESSAGES", file).output().unwrap());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.says(&words);
    }
}

#[test]
fn a_provider_is_set_by_variables_or_in_the_file_and_its_key_is_never_printed() {
    let dripline = Dripline::new();
    dripline.write("fmp.key", "SECRET-OF-FMP\n");
    let environment = [
        ("DRIPLINE_PROVIDER", "yahoo,fmp,ecb"),
        ("DRIPLINE_FMP_KEY_FILE", "fmp.key"),
        ("DRIPLINE_FMP_BUDGET", "300/10000"),
        ("DRIPLINE_YAHOO_URL", "http://127.0.0.1:9/yahoo"),
    ];
    let printed = print(&dripline, &[], &environment);
    assert!(!printed.stdout.contains("SECRET") && printed.stdout.contains("# key is set"), "{printed:?}");
    let settings = parsed(&dripline, &[], &environment);
    assert_eq!(settings["provider"].as_str(), Some("yahoo,fmp,ecb"));
    assert_eq!(settings["providers"]["fmp"]["budget"].as_str(), Some("300/10000"));
    assert_eq!(settings["providers"]["yahoo"]["url"].as_str(), Some("http://127.0.0.1:9/yahoo"));
    dripline.write("dripline.toml", "provider = \"fmp\"\n[providers.fmp]\nkey_file = \"fmp.key\"\nbudget = \"5/25\"\n");
    let settings = parsed(&dripline, &[], &[]);
    assert_eq!((settings["provider"].as_str(), settings["providers"]["fmp"]["budget"].as_str()), (Some("fmp"), Some("5/25")));
    assert_eq!(parsed(&dripline, &["--provider", "ecb"], &[])["provider"].as_str(), Some("ecb"), "a flag beats the file");
}

#[test]
fn the_print_says_where_the_choice_of_providers_comes_from() {
    let dripline = Dripline::new();
    let variable = [("DRIPLINE_PROVIDER", "ecb")];
    let says = |flags: &[&str], environment: &[(&str, &str)], words: &str| {
        let printed = print(&dripline, flags, environment).stdout;
        assert!(printed.contains(words), "{printed}");
    };
    says(&[], &[], "# provider isn’t set: what the owner chose in the web app applies");
    says(&[], &[("DRIPLINE_PROVIDER", " ")], "# provider isn’t set");
    dripline.write("dripline.toml", "provider = \"none\"");
    says(&[], &[], "# set in the configuration file\nprovider = \"none\"");
    says(&[], &variable, "# set in the environment with DRIPLINE_PROVIDER\nprovider = \"ecb\"");
    says(&["--provider", "yahoo"], &variable, "# set with --provider\nprovider = \"yahoo\"");
    assert!(!dripline.data_dir().exists(), "it opens no database");
}

#[test]
fn sign_up_and_mail_sender_are_printed_but_not_the_mail_server() {
    let dripline = Dripline::new();
    dripline.write("url", "smtps://drip:SECRET@mail.example.com\n");
    let environment =
        [("DRIPLINE_SIGN_UP", "invite"), ("DRIPLINE_SMTP_URL_FILE", "url"), ("DRIPLINE_MAIL_FROM", "drip@example.com")];
    let printed = print(&dripline, &[], &environment);
    assert!(printed.stdout.contains("# smtp_url is set") && !format!("{printed:?}").contains("SECRET"), "{printed:?}");
    let settings = parsed(&dripline, &[], &environment);
    assert_eq!((settings["sign_up"].as_str(), settings["mail_from"].as_str()), (Some("invite"), Some("drip@example.com")));
    dripline.write("dripline.toml", "sign_up = \"closed\"\nsmtp_url = 314159265\n");
    let printed = print(&dripline, &[], &[]);
    printed.says(&["line 2, smtp_url: the mail server’s address must be text in quotes"]);
    assert!(!printed.stderr.contains("314159265"));
}

#[test]
fn the_addresses_of_database_and_redis_are_never_printed() {
    let dripline = Dripline::new();
    dripline.write("redis", "rediss://:SECRET@redis.example:6380/1\n");
    let environment = [
        ("DRIPLINE_DATABASE_URL", "postgres://drip:SECRET@one,two/drip"),
        ("DRIPLINE_DATABASE_REPLICA_URL", "postgres://drip:SECRET@copy/drip"),
        ("DRIPLINE_DATABASE_POOLER", "transaction"),
        ("DRIPLINE_DATABASE_CA", "ca.pem"),
        ("DRIPLINE_REDIS_URL_FILE", "redis"),
        ("DRIPLINE_DRAIN_SECONDS", "20"),
    ];
    let printed = print(&dripline, &[], &environment);
    for part in ["# database_url is set\n", "# database_replica_url is set\n", "# redis_url is set\n"] {
        assert!(printed.stdout.contains(part), "{printed:?}");
    }
    assert!(!format!("{printed:?}").contains("SECRET"), "{printed:?}");
    let settings = parsed(&dripline, &[], &environment);
    assert_eq!((settings["database_connections"].as_integer(), settings["drain_seconds"].as_integer()), (Some(16), Some(20)));
    assert_eq!((settings["database_pooler"].as_str(), settings["database_ca"].as_str()), (Some("transaction"), Some("ca.pem")));
    let mut help = dripline.command(&["--help"]);
    let help = ran(help.envs(environment).output().unwrap()).stdout;
    assert!(help.contains("DRIPLINE_DATABASE_URL") && !help.contains("SECRET"), "{help}");
    dripline.write(
        "dripline.toml",
        "database_url = \"postgres://drip:SECRET@one/drip\"\ndatabase_connections = 5\nredis_url_file = \"redis\"\ndrain_seconds = 7\n",
    );
    let settings = parsed(&dripline, &[], &[("DRIPLINE_DRAIN_SECONDS", "8")]);
    assert_eq!((settings["database_connections"].as_integer(), settings["drain_seconds"].as_integer()), (Some(5), Some(8)));
    let twice = print(&dripline, &["--redis-url", "redis://:SECRET@h"], &[("DRIPLINE_REDIS_URL_FILE", "redis")]);
    assert_eq!(twice.code, Some(1));
    twice.says(&["DRIPLINE_REDIS_URL and DRIPLINE_REDIS_URL_FILE are both set. Keep one."]);
}

#[test]
fn a_backup_is_not_restored_while_another_database_is_configured() {
    let dripline = Dripline::new();
    dripline.done(&["migrate"]);
    dripline.done(&["backup", "copy.db"]);
    let ran =
        dripline.run(&["restore", "copy.db", "--database-url", "postgres://drip:SECRET@one/drip", "--data-dir", "elsewhere"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    ran.says(&["DRIPLINE_DATABASE_URL is set", "`dripline copy --from copy.db`"]);
    assert!(!ran.stderr.contains("SECRET") && !dripline.path().join("elsewhere").exists(), "{ran:?}");
}

#[test]
fn an_unreachable_database_is_reported_without_its_password() {
    let dripline = Dripline::new();
    let ran = dripline.run(&["migrate", "--database-url", "postgres://drip:SECRET@127.0.0.1:1/drip"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    ran.says(&["The database can’t be reached. Check that it is running and that DRIPLINE_DATABASE_URL is right."]);
    assert!(!ran.stderr.contains("SECRET") && !dripline.data_dir().exists(), "{ran:?}");
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let dripline = Dripline::new();
    dripline.write("dripline.toml", "listen = \"127.0.0.1:1003\"");
    let names = [
        "LISTEN",
        "DATA_DIR",
        "BASE_URL",
        "TRUSTED_PROXIES",
        "NOW",
        "CONFIG",
        "DATABASE_URL",
        "DATABASE_URL_FILE",
        "DATABASE_REPLICA_URL",
        "DATABASE_CONNECTIONS",
        "REDIS_URL",
        "REDIS_URL_FILE",
        "DRAIN_SECONDS",
        "PROVIDER",
        "SIGN_UP",
        "TLS_CERT",
        "TLS_KEY",
        "CONNECTIONS_PER_CLIENT",
        "REQUESTS_AT_ONCE",
    ];
    let names = names.map(|name| format!("DRIPLINE_{name}"));
    let empty: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    assert_eq!(parsed(&dripline, &[], &empty), parsed(&dripline, &[], &[]));
}

#[test]
fn invalid_settings_are_refused() {
    let dripline = Dripline::new();
    for (name, value, words) in [
        (
            "DRIPLINE_LISTEN",
            "8080",
            "The listen address \"8080\" is not valid. It must be an IP address with a port, such as 127.0.0.1:8080",
        ),
        ("DRIPLINE_NOW", "yesterday", "DRIPLINE_NOW is set to \"yesterday\". It must be a time such as 2026-11-15T12:00:00Z."),
        (
            "DRIPLINE_TRUSTED_PROXIES",
            "10.0.0.0/33",
            "The trusted proxy \"10.0.0.0/33\" is not valid. It must be an IP address, or a network such as 10.0.0.0/8.",
        ),
        ("DRIPLINE_CONFIG", "nowhere.toml", "nowhere.toml can’t be read"),
        ("DRIPLINE_DATABASE_URL", "mysql://x", "DRIPLINE_DATABASE_URL is not a PostgreSQL address"),
        ("DRIPLINE_REDIS_URL", "http://x", "DRIPLINE_REDIS_URL is not a valid Redis address"),
        ("DRIPLINE_DRAIN_SECONDS", "301", "DRIPLINE_DRAIN_SECONDS is set to \"301\". It must be a number from 0 to 300."),
        (
            "DRIPLINE_PROVIDER",
            "google",
            "DRIPLINE_PROVIDER has the unknown provider \"google\". Set it to none, or choose from yahoo",
        ),
        ("DRIPLINE_SIGN_UP", "maybe", "DRIPLINE_SIGN_UP is set to \"maybe\". It must be open, invite or closed."),
        ("DRIPLINE_SMTP_URL", "smtps://mail.example.com", "Set DRIPLINE_MAIL_FROM"),
        ("DRIPLINE_METRICS_LISTEN", "9090", "The listen address \"9090\" is not valid. It must be an IP address with a port"),
        ("DRIPLINE_TLS_CERT", "cert.pem", "DRIPLINE_TLS_CERT is set without DRIPLINE_TLS_KEY"),
        ("DRIPLINE_TLS_KEY", "key.pem", "DRIPLINE_TLS_KEY is set without DRIPLINE_TLS_CERT"),
        ("DRIPLINE_CONNECTIONS_PER_CLIENT", "0", "DRIPLINE_CONNECTIONS_PER_CLIENT is set to \"0\". It must be a number from 1"),
    ] {
        let output = print(&dripline, &[], &[(name, value)]);
        assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""), "{name}={value}");
        output.says(&[words]);
    }
    for (text, words) in [("listen = 8080", "listen"), ("colour = \"red\"", "unknown field `colour`"), ("listen", "expected")] {
        dripline.write("dripline.toml", text);
        let ran = print(&dripline, &[], &[]);
        assert_eq!(ran.code, Some(1), "{text}");
        ran.says(&["dripline.toml can’t be used", words]);
    }
}
