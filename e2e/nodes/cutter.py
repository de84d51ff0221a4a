"""A proxy in front of PostgreSQL that follows the protocol and cuts a connection at the COMMIT of a writing transaction."""

import re
import socket
import struct
import threading

from programs import free_port

WRITES = re.compile(rb"\b(INSERT|UPDATE|DELETE|MERGE|COPY)\b", re.IGNORECASE)
COMMIT = re.compile(rb"\s*COMMIT\s*;?\s*", re.IGNORECASE)
# BEFORE: the server never sees the COMMIT. SENT: the COMMIT is forwarded, and the connection is cut without waiting for the
# response. ANSWERED: the server confirms the COMMIT, but the client never receives the confirmation.
BEFORE, SENT, ANSWERED = MODES = ("before", "sent", "answered")


class Cutter:
    """Counts the COMMITs it sees, and cuts once, at the one it is armed for."""

    def __init__(self, target, writes=WRITES):
        """`writes` matches the statements that make a transaction a candidate for cutting."""
        self.target, self.writes, self.lock, self.links = target, writes, threading.Lock(), []
        self.mode, self.at, self.commits, self.cuts = None, 0, 0, 0
        self.listener = socket.create_server(("127.0.0.1", free_port()))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, mode, at=1):
        """Arms for the `at`-th COMMIT from now; without a mode it only counts."""
        with self.lock:
            self.mode, self.at, self.commits, self.cuts = mode, at, 0, 0

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.links.append(Link(self, client, socket.create_connection(("127.0.0.1", self.target), 5)))

    def mode_of_commit(self):
        """How to treat the COMMIT that has just arrived."""
        with self.lock:
            self.commits += 1
            if self.mode is None or self.commits != self.at:
                return None
            self.cuts += 1
            return self.mode

    def stop(self):
        self.listener.close()
        for link in self.links:
            link.cut()


class Link:
    def __init__(self, cutter, client, server):
        self.cutter, self.client, self.server = cutter, client, server
        self.statements, self.wrote, self.swallow = {}, False, False
        for end in (client, server):
            end.settimeout(None)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for work in (self.from_client, self.from_server):
            threading.Thread(target=self.forward, args=(work,), daemon=True).start()

    def forward(self, work):
        try:
            work()
        except (OSError, EOFError):
            pass
        self.cut()

    def from_client(self):
        self.server.sendall(self.start_up())
        while True:
            kind, body = self.message()
            whole = kind + struct.pack("!i", len(body) + 4) + body
            mode = self.cutter.mode_of_commit() if self.commits(kind, body) and self.wrote else None
            if mode == BEFORE:
                return
            # A response that arrives before the cut must not be forwarded either.
            self.swallow = mode in (ANSWERED, SENT)
            self.server.sendall(whole)
            if mode == SENT:
                return

    def commits(self, kind, body):
        """Tracks the client's messages; true for the one that commits."""
        if kind == b"Q":
            return self.runs(body[:-1])
        if kind == b"P":
            name, text = body.split(b"\0")[:2]
            self.statements[name] = text
        if kind == b"B":
            return self.runs(self.statements.get(body.split(b"\0")[1], b""))
        return False

    def runs(self, text):
        if re.match(rb"\s*(BEGIN|START)\b", text, re.IGNORECASE):
            self.wrote = False
        self.wrote = self.wrote or bool(self.cutter.writes.search(text))
        return bool(COMMIT.fullmatch(text))

    def from_server(self):
        while data := self.server.recv(65_536):
            if self.swallow:
                # Confirmed: the transaction is durable, but the client is not told.
                if b"COMMIT\0" not in data:
                    raise EOFError("the COMMIT was refused")
                return
            self.client.sendall(data)

    def start_up(self):
        """The startup message, which has no type byte."""
        size = self.read_exactly(4)
        return size + self.read_exactly(struct.unpack("!i", size)[0] - 4)

    def message(self):
        kind = self.read_exactly(1)
        return kind, self.read_exactly(struct.unpack("!i", self.read_exactly(4))[0] - 4)

    def read_exactly(self, size):
        got = b""
        while len(got) < size:
            part = self.client.recv(size - len(got))
            if not part:
                raise EOFError
            got += part
        return got

    def cut(self):
        for end in (self.client, self.server):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
