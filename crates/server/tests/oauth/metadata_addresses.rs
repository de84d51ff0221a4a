use server::oauth::document::address::{checked, is_public};

#[test]
fn a_metadata_address_is_normalised_https_with_a_path() {
    assert!(checked("https://app.example/client.json").is_ok());
    assert!(checked("https://app.example:8443/a/b?v=1").is_ok());
    for bad in [
        "http://app.example/client.json",
        "https://app.example",
        "https://app.example/",
        "https://u@app.example/c",
        "https://u:p@app.example/c",
        "https://app.example/c#x",
        "https://app.example/a/../c",
        "https://app.example/./c",
        "https://app.example/%2e%2E/c",
        "https://APP.example/c",
        "https://app.example:443/c",
        "https:///c",
        "ftp://app.example/c",
        "https://app.example/ä",
        "",
    ] {
        assert!(checked(bad).is_err(), "{bad}");
    }
}

#[test]
fn metadata_is_fetched_from_public_addresses_only() {
    for public in ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1"] {
        assert!(is_public(public.parse().unwrap()), "{public}");
    }
    for not in [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "198.19.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "fd00::1",
        "fe80::1",
        "ff02::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "64:ff9b::a00:1",
        "2001::1",
        "100::1",
    ] {
        assert!(!is_public(not.parse().unwrap()), "{not}");
    }
}
