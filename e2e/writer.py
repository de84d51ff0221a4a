"""Somebody signed in to the web app who writes entries down, and keeps book of what the service said it had saved."""

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
    """A browser's cookies, good on every node."""

    def __init__(self, port, email, password):
        client = Client(port)
        page = client.get("/sign-in")
        form = {"_token": token_in(page), "email": email, "password": password, "next": "/"}
        body = urllib.parse.urlencode(form)
        answer = client.ask("POST", "/sign-in", None, {**HEADERS, "Cookie": cookies_of(page)}, body)
        check(answer.status == 303, "signing in:", answer.told())
        self.cookie = cookies_of(answer)
        self.token = token_in(client.get("/ledger/new", Cookie=self.cookie))
        client.close()

    def post(self, client, path, fields):
        body = urllib.parse.urlencode({"_token": self.token, **fields})
        return client.ask("POST", path, None, {**HEADERS, "Cookie": self.cookie}, body)


def token_in(page):
    found = re.search(r'name="_token" value="([0-9a-f]+)"', page.body.decode())
    check(found, "no form:", page.told())
    return found.group(1)


def cookies_of(answer):
    return "; ".join(line.split(";")[0] for line in answer.headers["set-cookie"] if "Max-Age=0" not in line)


class Writer:
    """Writes at one node for the length of a `with`, one entry after the other, every one under a note of its own."""

    numbers = iter(range(1, 1_000_000_000))

    def __init__(self, port, session, pause=0.02):
        self.port, self.session, self.pause, self.over = port, session, pause, threading.Event()
        self.tried, self.saved, self.answers = {}, {}, []
        self.thread = threading.Thread(target=self.write, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def write(self):
        client = Client(self.port)
        while not self.over.is_set():
            self.one(client)
            time.sleep(self.pause)
        client.close()

    def one(self, client):
        number = next(self.numbers)
        note, entry = f"note-{number}", {"symbol": "WOOL", "shares": f"1.{number:06}", "price": f"20.{number % 100:02}"}
        self.tried[note] = entry
        fields = {"kind": "buy", "date": "2025-03-04", "currency": "EUR", "note": note, **entry}
        answer = self.session.post(client, "/ledger/new", fields)
        if answer.status == 303:
            self.saved[note] = answer
        self.answers.append(answer)
        return answer

    def saved_since(self, moment):
        return [note for note, answer in list(self.saved.items()) if answer.began >= moment]

    def __exit__(self, *_):
        self.over.set()
        self.thread.join(30)

    def problems(self, exported):
        """What the ledger, as `dripline export` writes it, says against what was saved: each acknowledged entry is there exactly
        once, another one at most once, and what is there is whole."""
        found = {}
        for row in csv.DictReader(io.StringIO(exported)):
            found.setdefault(row["note"], []).append(row)
        told = []
        for note, entry in self.tried.items():
            rows = found.get(note, [])
            if note in self.saved and len(rows) != 1:
                told.append(f"{note} was acknowledged and is there {len(rows)} times")
            elif len(rows) > 1:
                told.append(f"{note} was not acknowledged and is there {len(rows)} times")
            told += [f"{note} is {row}, not {entry}" for row in rows if not is_whole(row, entry)]
        return told

    def strange(self):
        """Answers that are neither a yes nor a no. A page says no with a 503, too."""
        return [answer.told() for answer in self.answers if answer.status not in (303, 503)]


def is_whole(row, entry):
    plain = lambda figure: figure.rstrip("0").rstrip(".")
    return row["symbol"] == entry["symbol"] and row["type"] == "buy" and all(
        plain(row[figure]) == plain(entry[figure]) for figure in ("shares", "price"))


def check_ledger(writers, exported):
    problems = [problem for writer in writers for problem in writer.problems(exported)]
    check_none(problems, "an entry that is not as it was acknowledged")
    check_none([told for writer in writers for told in writer.strange()], "an answer to a form that is neither 303 nor 503")
