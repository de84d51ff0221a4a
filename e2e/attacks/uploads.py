"""Uploads that try to exhaust memory: uploads that never end, and files unlike any broker's."""

import contextlib
import re
import socket
import threading
import time

from check import check, equal, test
from client import Client
from programs import until
from writer import Session

USERS, UPLOADS = 16, 64
MEGABYTE = 1_000_000
FILE_BYTES = 40 * MEGABYTE
# Long enough for a file of 40 MB on a busy machine.
UPLOAD_SECONDS_MAX = 120
UPLOADS_MIB_MAX, SHAPES_MIB_MAX = 200, 300
PASSWORD = "five long words in a row"
BOUNDARY = "part-of-a-form-of-several-parts"
GOOD = b"date,type,symbol,shares,price,currency\n2025-01-06,buy,WOOL,1,20,EUR\n"


def users(world, count):
    """The first `count` users; all tests share them."""
    world.users = getattr(world, "users", [])
    while len(world.users) < count:
        world.users.append(add_user(world, f"person-{len(world.users)}@example.com"))
    return world.users[:count]


def add_user(world, email):
    world.command("user", "add", email, "--password-stdin", stdin=PASSWORD)
    return email


def head(session, length):
    return (f"POST /import HTTP/1.1\r\nHost: t\r\nSec-Fetch-Site: same-origin\r\nCookie: {session.cookie}\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {length}\r\n\r\n").encode()


def parts(session, name="file.csv"):
    return (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="_token"\r\n\r\n{session.token}\r\n'
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n').encode()


END = f"\r\n--{BOUNDARY}--\r\n".encode()


class Unfinished:
    """An upload that never sends its end; `status` is the response's, if there was one."""

    def __init__(self, port, session, address):
        self.port, self.session, self.address, self.status, self.sent = port, session, address, None, False
        self.thread = threading.Thread(target=self.send, daemon=True)
        self.thread.start()

    def send(self):
        start, piece = parts(self.session), b"2025-01-06,buy,WOOL,1,20,EUR\n" * (MEGABYTE // 29)
        self.sock = socket.create_connection(("127.0.0.1", self.port), 60, source_address=(self.address, 0))
        try:
            self.sock.sendall(head(self.session, FILE_BYTES + MEGABYTE) + start)
            for _ in range(FILE_BYTES // len(piece)):
                self.sock.sendall(piece)
            self.sent = True
        except OSError:
            pass
        with contextlib.suppress(OSError, ValueError, IndexError):
            self.status = int(self.sock.recv(4_096).split()[1])
        self.sock.close()


def peak_mib(service):
    with open(f"/proc/{service.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


@test("64 uploads that never end are limited before they are read, use little memory, and release their slots")
def unfinished_uploads(world):
    with world.service() as service:
        sessions = [Session(service.port, email, PASSWORD) for email in users(world, USERS + 1)]
        ordinary = sessions.pop()
        attack = [Unfinished(service.port, sessions[at % USERS], f"127.0.0.{10 + at % USERS}") for at in range(UPLOADS)]
        time.sleep(1)
        equal(upload(service, ordinary, GOOD).status, 303, "an ordinary upload during the attack")
        for one in attack:
            one.thread.join(120)
        peak = peak_mib(service)
        statuses = sorted(str(one.status) for one in attack)
        counts = {status: statuses.count(status) for status in statuses}
        check(peak < UPLOADS_MIB_MAX, f"the service used {peak:.0f} MiB; responses: {counts}")
        check(sum(one.sent for one in attack) >= 20, f"too few uploads were accepted to be an attack: {counts}")
        check(counts.get("429", 0) >= UPLOADS - 2 * USERS, f"more than two uploads of one user were accepted: {counts}")
        for session in sessions[:4]:
            until(15, lambda: upload(service, session, GOOD).status == 303, "a free upload slot for each attacker")
        check(service.is_running(), "the service is not running")
    return f"peak {peak:.0f} MiB; {sum(one.sent for one in attack)} sent all but their end; responses {counts}"


def upload(service, session, body):
    client = Client(service.port, UPLOAD_SECONDS_MAX)
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Sec-Fetch-Site": "same-origin", "Cookie": session.cookie}
    try:
        return client.ask("POST", "/import", None, headers, parts(session) + body + END)
    finally:
        client.close()


SHAPES = {
    "one line": lambda: b"x" * FILE_BYTES,
    "a quote that is never closed": lambda: b'a,b\n1,"' + b"1,2\n" * (FILE_BYTES // 4),
    "empty JSON objects": lambda: b'{"BrokerageTransactions":[' + b"{}," * (FILE_BYTES // 3) + b"{}]}",
    "quotes": lambda: b'"' * FILE_BYTES,
    "empty XML elements": lambda: b"<FlexQueryResponse><FlexStatements><FlexStatement><Trades>" + b"<Trade/>" * (FILE_BYTES // 8)
    + b"</Trades></FlexStatement></FlexStatements></FlexQueryResponse>",
    "XML with countless attributes": lambda: b"<a " + b" ".join(b'a%d="1"' % number for number in range(FILE_BYTES // 12)) + b"/>",
}


@test("files of 40 MB unlike any broker's are read with little memory, and others can import meanwhile")
def odd_shapes(world):
    with world.service() as service:
        names = list(SHAPES)[:world.length(3, len(SHAPES))]
        sessions = [Session(service.port, email, PASSWORD) for email in users(world, len(names) + 1)]
        ordinary, statuses = sessions.pop(), {}

        def upload_and_review(name, session):
            staged = upload(service, session, SHAPES[name]())
            client = Client(service.port, UPLOAD_SECONDS_MAX)
            statuses[name] = staged.status, [client.get(staged.headers["location"], Cookie=session.cookie).status
                                             for _ in range(2) if staged.status == 303]
            client.close()

        threads = [threading.Thread(target=upload_and_review, args=one, daemon=True) for one in zip(names, sessions)]
        for thread in threads:
            thread.start()
        accepted = 0
        while any(thread.is_alive() for thread in threads):
            staged = upload(service, ordinary, GOOD)
            client = Client(service.port, UPLOAD_SECONDS_MAX)
            found = re.fullmatch(r"/import/[0-9a-f-]+", staged.headers.get("location", ""))
            accepted += bool(found) and ordinary.post(client, f"{found.group()}/discard", {}).status == 303
            client.close()
            time.sleep(0.2)
        peak = peak_mib(service)
        check(service.is_running(), "the service is not running")
        check(peak < SHAPES_MIB_MAX, f"the service used {peak:.0f} MiB: {statuses}")
        unexpected = [status for one, reviews in statuses.values() for status in (one, *reviews) if status not in (200, 303, 503)]
        check(not unexpected and any(reviews for _, reviews in statuses.values()), f"no review page: {statuses}")
        check(accepted > 0, f"no other user's file was accepted meanwhile: {statuses}")
    return f"peak {peak:.0f} MiB, {accepted} files of another user accepted meanwhile; {statuses}"
