"""A signed-in user who adds transactions through the web app and records which of them the service acknowledged."""

import csv
import io
import re
import threading
import time
import urllib.parse

from check import check, check_none
from client import Client

HEADERS = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


class Session:
    """A browser's session cookies, valid on every node."""

    def __init__(self, port, email, password):
        client = Client(port)
        page = client.get("/sign-in")
        form = {"_token": token_in(page), "email": email, "password": password, "next": "/"}
        body = urllib.parse.urlencode(form)
        answer = client.ask("POST", "/sign-in", None, {**HEADERS, "Cookie": cookies_of(page)}, body)
        check(answer.status == 303, "signing in:", answer.describe())
        self.cookie = cookies_of(answer)
        self.token = token_in(client.get("/ledger/new", Cookie=self.cookie))
        client.close()

    def post(self, client, path, fields):
        body = urllib.parse.urlencode({"_token": self.token, **fields})
        return client.ask("POST", path, None, {**HEADERS, "Cookie": self.cookie}, body)


def token_in(page):
    found = re.search(r'name="_token" value="([0-9a-f]+)"', page.body.decode())
    check(found, "no form:", page.describe())
    return found.group(1)


def cookies_of(answer):
    return "; ".join(line.split(";")[0] for line in answer.headers["set-cookie"] if "Max-Age=0" not in line)


class Writer:
    """Context manager: adds transactions at one node, one after the other, each with a unique note."""

    numbers = iter(range(1, 1_000_000_000))

    def __init__(self, port, session, pause=0.02):
        self.port, self.session, self.pause, self.stopped = port, session, pause, threading.Event()
        self.tried, self.saved, self.answers = {}, {}, []
        self.thread = threading.Thread(target=self.write, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def write(self):
        client = Client(self.port)
        while not self.stopped.is_set():
            self.one(client)
            time.sleep(self.pause)
        client.close()

    def one(self, client):
        number = next(self.numbers)
        note, entry = f"note-{number}", {"symbol": "WOOL", "shares": f"1.{number:06}", "price": f"20.{number % 100:02}"}
        self.tried[note] = entry
        fields = {"kind": "buy", "confirmed": "unknown-WOOL", "date": "2025-03-04", "currency": "EUR", "note": note, **entry}
        answer = self.session.post(client, "/ledger/new", fields)
        if answer.status == 303:
            self.saved[note] = answer
        self.answers.append(answer)
        return answer

    def saved_since(self, moment):
        return [note for note, answer in list(self.saved.items()) if answer.began >= moment]

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join(30)

    def problems(self, exported):
        """Compares the ledger, as `dripline export` writes it, with what was sent: every acknowledged transaction must exist
        exactly once, every other one at most once, and all of them must be complete."""
        found = {}
        for row in csv.DictReader(io.StringIO(exported)):
            found.setdefault(row["note"], []).append(row)
        problems = []
        for note, entry in self.tried.items():
            rows = found.get(note, [])
            if note in self.saved and len(rows) != 1:
                problems.append(f"{note} was acknowledged but exists {len(rows)} times")
            elif len(rows) > 1:
                problems.append(f"{note} was not acknowledged and exists {len(rows)} times")
            problems += [f"{note} is {row}, not {entry}" for row in rows if not is_complete(row, entry)]
        return problems

    def unexpected(self):
        """Responses that neither acknowledge nor refuse; a page also refuses with a 503."""
        return [answer.describe() for answer in self.answers if answer.status not in (303, 503)]


def is_complete(row, entry):
    plain = lambda figure: figure.rstrip("0").rstrip(".")
    return row["symbol"] == entry["symbol"] and row["type"] == "buy" and all(
        plain(row[figure]) == plain(entry[figure]) for figure in ("shares", "price"))


def check_ledger(writers, exported):
    problems = [problem for writer in writers for problem in writer.problems(exported)]
    check_none(problems, "transaction that differs from what was acknowledged")
    check_none([problem for writer in writers for problem in writer.unexpected()], "form response that is neither 303 nor 503")
