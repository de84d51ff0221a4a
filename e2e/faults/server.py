"""`dripline serve` on a place, and people who write to it through its pages, keeping book."""

import re
import signal

from book import Book, Found, Import, Token
from check import check
from client import Client
from service import Server
from writer import HEADERS, Session

PASSWORD = "five long words in a row"
BOUNDARY = "part-of-a-form-of-several-parts"


class Serving(Server):
    """For the length of a `with`, unless it is killed."""

    def __init__(self, place, before=()):
        super().__init__(place.binary, place.environment, before=before)

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
    """One line of a ledger, by hand."""

    def __init__(self, note):
        self.note = note

    def found(self, state):
        return {0: Found.NOTHING, 1: Found.WHOLE}.get(state.notes.get(self.note, 0), Found.HALF)

    def told(self):
        return f"the entry {self.note}"


class Visitor:
    """Signed in to the pages; what was answered with a yes is acknowledged."""

    TOKENS_MAX = 20

    def __init__(self, email, world):
        self.email, self.world, self.book, self.session, self.made = email, world, Book(), None, 0
        self.waiting = []

    @classmethod
    def joining(cls, place, world):
        email = world.new_name("visitor") + "@example.com"
        place.command("user", "add", email, "--password-stdin", given=PASSWORD)
        return cls(email, world)

    def sign_in(self, port):
        """Once: the session outlives the process that it began with."""
        self.session = self.session or Session(port, self.email, PASSWORD)

    def work(self, port, over):
        client = Client(port)
        while not over.is_set():
            self.one(client, self.world.chance.choice([self.entry, self.entry, self.entry, self.token, self.file]))
        client.close()

    def one(self, client, what):
        """Asks for one thing; the answer that says whether it was done."""
        operation, answer, acknowledged = what(client)
        self.book.note(operation, acknowledged)
        return answer

    def entry(self, client):
        entry = Entry(self.world.new_name("note"))
        shares = f"1.{int(entry.note.rsplit('-')[-1]):06}"
        answer = self.session.post(client, "/ledger/new", {
            "kind": "buy", "date": "2025-03-04", "currency": "EUR", "symbol": "WOOL", "shares": shares, "price": "20", "note": entry.note})
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
            self.waiting.append(found.group(1))
        return file, answer, answer.status == 303

    def tidy(self, client):
        """Files that were not imported wait, and no more than 20 may."""
        while self.waiting:
            answer = self.session.post(client, f"/import/{self.waiting.pop()}/discard", {})
            check(answer.status == 303, "discarding a file:", answer.told())
