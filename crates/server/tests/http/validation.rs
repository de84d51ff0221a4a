use axum::body::Body;
use axum::http::{Request, Version};
use serving::Options;
use serving::validation::{Ambiguous, check};

const LOCAL: (&str, &str) = ("host", "drip");

fn request(target: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

fn status(request: &Request<Body>, options: &Options) -> u16 {
    check(request, options).map_or_else(|error| error.status.as_u16(), |()| 200)
}

#[test]
fn the_request_target_and_headers_have_a_maximum_length() {
    let options = Options { uri_bytes_max: 6, header_bytes_max: 20, headers_max: 3, ..Options::default() };
    for (target, headers, answer) in [
        ("/a?b=c", &[LOCAL][..], 200),
        ("/a?b=cd", &[LOCAL], 414),
        // 4 + 4 + 3 + 9 bytes, and one more.
        ("/", &[LOCAL, ("x-a", "123456789")], 200),
        ("/", &[LOCAL, ("x-a", "1234567890")], 431),
        ("/", &[LOCAL, ("a", "1"), ("b", "2")], 200),
        ("/", &[LOCAL, ("a", "1"), ("b", "2"), ("c", "3")], 431),
    ] {
        assert_eq!(status(&request(target, headers), &options), answer, "{target} {headers:?}");
    }
}

#[test]
fn a_request_has_exactly_one_valid_host() {
    let options = Options::default();
    for (hosts, answer) in [
        (&["drip.example"][..], 200),
        (&["drip.example:8443"], 200),
        (&["[::1]:80"], 200),
        (&[], 400),
        (&["drip.example", "drip.example"], 400),
        (&["ana@drip.example"], 400),
        (&["drip example"], 400),
        (&[""], 400),
    ] {
        let hosts: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
        assert_eq!(status(&request("/", &hosts), &options), answer, "{hosts:?}");
    }
    let mut old = request("/", &[]);
    *old.version_mut() = Version::HTTP_10;
    assert_eq!(status(&old, &options), 200, "before there was a Host");
}

#[test]
fn a_body_is_measured_by_its_content_length_or_its_actual_size() {
    let options = Options { body_bytes_max: 10, ..Options::default() };
    for (length, answer) in [("0", 200), ("10", 200), ("11", 413), ("ten", 413), ("-1", 413)] {
        assert_eq!(status(&request("/", &[LOCAL, ("content-length", length)]), &options), answer, "{length}");
    }
    for (body, answer) in [("0123456789", 200), ("0123456789a", 413)] {
        let (head, _) = request("/", &[LOCAL]).into_parts();
        assert_eq!(status(&Request::from_parts(head, Body::from(body)), &options), answer, "{body}");
    }
}

#[test]
fn an_ambiguous_request_is_refused() {
    let mut ambiguous = request("/", &[LOCAL]);
    ambiguous.extensions_mut().insert(Ambiguous);
    assert_eq!(status(&ambiguous, &Options::default()), 400);
}
