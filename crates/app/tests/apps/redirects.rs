use app::oauth::redirects::{Way, matches, shown_host, shown_origin, way};

#[test]
fn a_redirect_address_is_https_loopback_or_a_private_scheme() {
    assert_eq!(way("https://app.example/cb?x=1"), Some(Way::Web));
    assert_eq!(way("http://127.0.0.1:8080/cb"), Some(Way::Loopback));
    assert_eq!(way("http://[::1]/cb"), Some(Way::Loopback));
    assert_eq!(way("http://localhost/cb"), Some(Way::Loopback));
    assert_eq!(way("com.example.app:/cb"), Some(Way::Private));
    assert_eq!(way("cursor://anysphere/cb"), Some(Way::Private));
}

#[test]
fn unsafe_redirect_addresses_are_refused() {
    for bad in [
        "",
        "x",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "http://evil.example/cb",
        "http://127.0.0.2/cb",
        "http://localhost.evil/cb",
        "http://localhost@evil/cb",
        "http://127.0.0.1:0/cb",
        "http://127.0.0.1:99999/cb",
        "http://127.0.0.1:0000080/cb",
        "http://127.0.0.1:80@evil/cb",
        "https://",
        "https://ok@evil.example/",
        "https://evil.example;script-src/cb",
        "https://evil.example,x/cb",
        "wss://evil.example/x",
        "search-ms:query=x",
        "ms-settings:x",
        "https://app.example/cb#x",
        "https://app.example\\@evil/",
        "https://app.example/ä",
        "https://app.example/a b",
        "https:app.example",
        "blob:https://x/1",
        "com.example.app:",
        "Com.example.app:/cb",
        "7com.example.app:/cb",
        "com.example_app:/cb",
    ] {
        assert_eq!(way(bad), None, "{bad}");
    }
    assert_eq!(way(&format!("https://app.example/{}", "a".repeat(2_000))), None);
}

#[test]
fn a_redirect_address_must_match_exactly() {
    let named = "https://ok.example/cb";
    assert!(matches(named, named));
    for other in [
        "https://OK.example/cb",
        "https://ok.example/cb/",
        "https://ok.example/cb?x=1",
        "https://ok.example/%63b",
        "https://ok@evil.example/cb",
        "https://ok.example\\cb",
        "https://sub.ok.example/cb",
        "https://ok.example.evil/cb",
        "https://ok.example:443/cb",
    ] {
        assert!(!matches(named, other), "{other}");
    }
}

#[test]
fn only_the_port_of_a_loopback_address_may_differ() {
    assert!(matches("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb"));
    assert!(matches("http://localhost/callback", "http://localhost:57470/callback"));
    assert!(matches("http://[::1]:1/cb", "http://[::1]:2/cb"));
    for (named, asked) in [
        ("http://127.0.0.1/cb", "http://127.0.0.1:49152/other"),
        ("http://127.0.0.1/cb", "http://127.0.0.2:49152/cb"),
        ("http://127.0.0.1/cb", "http://localhost:49152/cb"),
        ("http://localhost/cb", "http://localhost.evil:1/cb"),
        ("https://localhost/cb", "http://localhost:1/cb"),
        ("https://ok.example/cb", "https://ok.example:444/cb"),
        ("http://localhost/cb", "http://localhost:0000080/cb"),
    ] {
        assert!(!matches(named, asked), "{named} {asked}");
    }
}

#[test]
fn a_redirect_is_shown_by_its_host_or_scheme() {
    assert_eq!(shown_host("https://app.example:8443/cb"), "app.example");
    assert_eq!(shown_host("http://127.0.0.1:5/cb"), "127.0.0.1");
    assert_eq!(shown_host("com.example.app://x/cb"), "com.example.app:");
    assert_eq!(shown_origin("https://app.example:8443/cb"), "https://app.example:8443");
    assert_eq!(shown_origin("http://[::1]:5/cb"), "http://[::1]:5");
    assert_eq!(shown_origin("com.example.app://x/cb"), "com.example.app:");
}
