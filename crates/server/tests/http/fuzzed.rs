//! What the fuzz targets check for any bytes, here for sample input.

#[path = "../../../../fuzz/properties/apps.rs"]
mod apps;
#[path = "../../../../fuzz/properties/connections.rs"]
mod connections;
#[path = "../../../../fuzz/properties/fields.rs"]
mod fields;
#[path = "../../../../fuzz/properties/heads.rs"]
mod heads;
#[path = "../../../../fuzz/properties/words.rs"]
mod words;

#[test]
fn the_fuzzed_properties_hold_for_sample_input() {
    for target in ["/", "/api/v1/me?x=%20", "/a?b#c", "/<", "/?<", "/é"] {
        for fields in ["", "Authorization: Bearer a\r\nX-Forwarded-For: 1.1.1.1\r\n", "Content-Length: 2\r\n"] {
            let request = format!("GET {target} HTTP/1.1\r\nHost: x:80\r\n{fields}\r\n");
            heads::head(request.as_bytes());
            connections::connection(format!("\u{5}{request}okGET / HTTP/1.1\r\n\r\n").as_bytes());
        }
    }
    for text in ["days=5&a=%zz", "a=2026-01-01&=x", "/stocks/%20", "days=&days=", "\"x\", \"", "*"] {
        fields::query(text);
        fields::tags(text.as_bytes());
        fields::cookie(text);
    }
}

#[test]
fn the_fuzzed_properties_of_names_and_apps_hold_for_sample_input() {
    for text in ["", "drip_pat_", "000000000000000000000000000000", "ana@example.com", " a@b ", "\u{202e}App", "1,234.50", "//x"]
    {
        words::token(text);
        words::name(text);
        words::figure(text);
        words::own_path(text);
    }
    for named in ["https://app.example/cb", "http://[::1]:5/cb", "com.example.app:/cb", "http://127.0.0.1/cb", "javascript:1"] {
        apps::redirect(named, "http://127.0.0.1:49152/cb");
        apps::description(named, "max-age=60", br#"{"client_id":"https://app.example/cb"}"#);
    }
    apps::arguments(br#"{"symbol":"BRK/B","days":5,"portfolio":"a&b"}"#);
    assert_eq!(apps::basic(b"Basic YTpi"), Some(("a".to_owned(), "b".to_owned())));
}
