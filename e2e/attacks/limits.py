"""Requests that are too long, too large or malformed get an ordinary error, with and without TLS."""

import json

from check import check, check_none, test
from raw import send_and_read

LINE = "GET /api/v1/me HTTP/1.1\r\nHost: t\r\n"
CASES = {
    "a URL of 9 KB": (414, f"GET /api/v1/me?q={'a' * 9_000} HTTP/1.1\r\nHost: t\r\n\r\n"),
    "a URL of 100 KB": (414, f"GET /api/v1/me?q={'a' * 100_000} HTTP/1.1\r\nHost: t\r\n\r\n"),
    "a header of 17 KB": (431, f"{LINE}X: {'a' * 17_000}\r\n\r\n"),
    "a header of 100 KB": (431, f"{LINE}X: {'a' * 100_000}\r\n\r\n"),
    "101 headers": (431, LINE + "".join(f"X-{at}: a\r\n" for at in range(100)) + "\r\n"),
    "no host": (400, "GET /api/v1/me HTTP/1.1\r\n\r\n"),
    "two hosts": (400, f"{LINE}Host: u\r\n\r\n"),
    "two lengths": (400, "POST /api/v1/me HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    "a length and a coding": (400, "POST /api/v1/me HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "a negative length": (400, "POST /api/v1/me HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n"),
    "an unknown coding": (400, "POST /api/v1/me HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    "a space before the colon": (400, f"{LINE}X : a\r\n\r\n"),
    "a NUL": (400, f"{LINE}X: \0\r\n\r\n"),
    "a fragment": (400, "GET /api/v1/me#x HTTP/1.1\r\nHost: t\r\n\r\n"),
    "a body of 100 KB": (413, f"POST /oauth/token HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n{'a' * 1_000}"),
    "no request at all": (400, "\x01\x02\x03\r\n\r\n"),
}
# Internal details that no response may reveal.
INTERNALS = ["panick", "hyper", "axum", "tokio", "src/", ".rs", "SELECT", "sqlite", "/home", "backtrace", "thread '"]


@test("requests that are too long, too large or malformed get an ordinary error, with and without TLS")
def refused(world):
    problems = []
    with world.service() as plain, world.encrypted() as encrypted:
        for port, authority in ((plain.port, None), (encrypted.port, world.authority)):
            for name, (status, request) in CASES.items():
                got = send_and_read(port, request.encode("latin-1"), authority)
                problem = response_problem(got, status)
                if problem:
                    problems.append(f"{name}{' over TLS' if authority else ''}: {problem}")
        check(plain.is_running() and encrypted.is_running(), "the service is not running")
    check_none(problems, "wrong response")
    return f"{2 * len(CASES)} requests"


def response_problem(got, status):
    head, _, body = got.partition(b"\r\n\r\n")
    if not head.startswith(f"HTTP/1.1 {status} ".encode()):
        return f"not {status}: {got[:120]!r}"
    try:
        error = json.loads(body)["error"]
        well_formed = set(error) == {"code", "message"} and error["code"] == "bad_request"
    except (ValueError, KeyError, TypeError):
        well_formed = False
    fields = {line.split(b":")[0].lower() for line in head.split(b"\r\n")[1:]}
    if not well_formed or b"etag" not in fields:
        return f"wrong format: {got[:300]!r}"
    leaked = [word for word in INTERNALS if word.encode() in got]
    return f"it reveals {leaked}" if leaked else None
