"""`dripline serve` on an instance, and users who write to it through its pages and record the results."""

import re
import signal

from check import check
from client import Client
from operations import Found, History, Import, Token
from service import Server
from writer import HEADERS, Session

PASSWORD = "five long words in a row"
BOUNDARY = "part-of-a-form-of-several-parts"


class Serving(Server):
    """Context manager: a running server, which a test may also kill."""

    def __init__(self, instance, before=()):
        super().__init__(instance.binary, instance.environment, before=before)

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def get(self, path, token=None):
        client = Client(self.port)
        try:
            return client.get(path, token)
        finally:
            client.close()


class Entry:
    """A transaction added by hand."""

    def __init__(self, note):
        self.note = note

    def found(self, state):
        return {0: Found.NOTHING, 1: Found.COMPLETE}.get(state.notes.get(self.note, 0), Found.PARTIAL)

    def describe(self):
        return f"the transaction {self.note}"


class Visitor:
    """A user signed in to the web app; a success response is an acknowledgement."""

    TOKENS_MAX = 20

    def __init__(self, email, world):
        self.email, self.world, self.history, self.session, self.made = email, world, History(), None, 0
        self.unfinished = []

    @classmethod
    def sign_up(cls, instance, world):
        email = world.new_name("visitor") + "@example.com"
        instance.command("user", "add", email, "--password-stdin", stdin=PASSWORD)
        return cls(email, world)

    def sign_in(self, port):
        """Signs in once: the session outlives the server process."""
        self.session = self.session or Session(port, self.email, PASSWORD)

    def work(self, port, stopped):
        client = Client(port)
        while not stopped.is_set():
            self.one(client, self.world.rng.choice([self.entry, self.entry, self.entry, self.token, self.file]))
        client.close()

    def one(self, client, what):
        """Requests one operation, records it, and returns the response."""
        operation, answer, acknowledged = what(client)
        self.history.record(operation, acknowledged)
        return answer

    def entry(self, client):
        entry = Entry(self.world.new_name("note"))
        shares = f"1.{int(entry.note.rsplit('-')[-1]):06}"
        answer = self.session.post(client, "/ledger/new", {
            "kind": "buy", "confirmed": "unknown-WOOL", "date": "2025-03-04", "currency": "EUR", "symbol": "WOOL", "shares": shares, "price": "20", "note": entry.note})
        return entry, answer, answer.status == 303

    def token(self, client):
        if self.made >= self.TOKENS_MAX:
            return self.entry(client)
        self.made += 1
        token = Token(self.email, self.world.new_name("token"))
        answer = self.session.post(client, "/settings/access/tokens", {"name": token.name})
        return token, answer, answer.status == 200 and b"drip_pat_" in answer.body

    def file(self, client):
        file = Import(self.email, self.world.new_file(), 40)
        parts = [
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="_token"\r\n\r\n{self.session.token}\r\n',
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{file.file.name}"\r\n'
            f"Content-Type: text/csv\r\n\r\n{file.file.read_text()}\r\n--{BOUNDARY}--\r\n"]
        headers = {**HEADERS, "Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Cookie": self.session.cookie}
        staged = client.ask("POST", "/import", None, headers, "".join(parts).encode())
        found = re.fullmatch(r"/import/([0-9a-f-]+)", staged.headers.get("location", ""))
        if staged.status != 303 or not found:
            return file, staged, False
        answer = self.session.post(client, f"/import/{found.group(1)}/apply", {})
        if answer.status != 303:
            self.unfinished.append(found.group(1))
        return file, answer, answer.status == 303

    def discard_unfinished(self, client):
        """Discards unfinished imports, because an account may have no more than 20."""
        while self.unfinished:
            answer = self.session.post(client, f"/import/{self.unfinished.pop()}/discard", {})
            check(answer.status == 303, "discarding a file:", answer.describe())
