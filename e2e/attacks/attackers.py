"""Attackers of every kind at once, each from its own address: attackers.py PORT SECONDS SEED, with the accounts (email, password,
token) as JSON on standard input.

They stop when the time is up. Prints the responses that each kind received, counted by status, as one JSON object."""

import asyncio
import collections
import io
import json
import random
import re
import sys
import time
import urllib.parse
import zipfile

HARD_PASSWORD = ("4@8({[<369&#!1/|0$5+7%2" * 60)[:100]
PIECE = b"x" * 65_536
PASSWORD_ACCOUNTS = 3
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


class Attacker:
    def __init__(self, storm, number, accounts):
        self.storm, self.rng = storm, random.Random(f"{storm.seed}-{number}")
        self.address, self.cookie, self.signed_in = f"127.0.1.{number + 1}", "", False
        self.account = accounts[number % len(accounts)]

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.storm.port, local_addr=(self.address, 0))

    async def ask(self, method, path, headers=None, body=b"", seconds=30):
        """Status, header lines and body; the status is 0 if there was no response."""
        fields = {"Host": "t", "Connection": "close", **({"Cookie": self.cookie} if self.cookie else {}), **(headers or {})}
        if method != "GET":
            fields["Content-Length"] = len(body)
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
        try:
            async with asyncio.timeout(seconds):
                reader, writer = await self.connect()
                try:
                    writer.write(head.encode() + body)
                    got = await reader.read(4_000_000)
                    while part := await reader.read(4_000_000):
                        got += part
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return 0, [], b""
        lines, _, rest = got.partition(b"\r\n\r\n")
        lines = lines.decode("latin-1").split("\r\n")
        return int(lines[0][9:12] or 0) if lines[0] else 0, lines[1:], rest

    def keep_cookies(self, lines):
        kept = dict(part.split("=", 1) for part in self.cookie.split("; ") if part)
        for line in lines:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, text = value.split(";")[0].partition("=")
                kept[key] = text
        self.cookie = "; ".join(f"{key}={text}" for key, text in kept.items())

    async def form_token(self, page):
        """The page's form token; None if the page was refused."""
        _, lines, body = await self.ask("GET", page)
        self.keep_cookies(lines)
        found = re.search(rb'name="_token" value="([0-9a-f]+)"', body)
        self.signed_in = self.signed_in and found is not None
        return found.group(1).decode() if found else None

    async def send(self, page, path, fields):
        token = await self.form_token(page)
        if token is None:
            return 429
        status, lines, _ = await self.ask("POST", path, FORM, urllib.parse.urlencode({"_token": token, **fields}).encode())
        self.keep_cookies(lines)
        return status

    async def sign_in(self):
        if not self.signed_in:
            self.cookie = ""
            fields = {"email": self.account["email"], "password": self.account["password"], "next": "/"}
            self.signed_in = await self.send("/sign-in", "/sign-in", fields) == 303
        return self.signed_in

    # One action of each kind of attacker.

    async def sign_up(self):
        self.cookie = ""
        email = f"{self.rng.randrange(10**12)}@example.com"
        return await self.send("/sign-up", "/sign-up", {"email": email, "password": HARD_PASSWORD, "currency": "EUR"})

    async def wrong_password(self):
        self.cookie = ""
        return await self.send("/sign-in", "/sign-in", {"email": "ana@example.com", "password": HARD_PASSWORD, "next": "/"})

    async def change_password(self):
        if not await self.sign_in():
            return 0
        return await self.send("/settings/security", "/settings/security/password", {"password": HARD_PASSWORD[:-1]})

    async def unfinished_upload(self):
        if not await self.sign_in() or not (token := await self.form_token("/import")):
            return 0
        body = multipart(token, "big.csv", b"")
        head = (f"POST /import HTTP/1.1\r\nHost: t\r\nCookie: {self.cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: "
                f"multipart/form-data; boundary=b\r\nContent-Length: {40 << 20}\r\n\r\n")
        try:
            reader, writer = await self.connect()
            writer.write(head.encode() + body[:-len(b"\r\n--b--\r\n")])
            for _ in range(600):
                writer.write(PIECE)
                await asyncio.wait_for(writer.drain(), 10)
                await asyncio.sleep(0.01)
            await asyncio.wait_for(reader.read(1), 70)
            writer.close()
        except (OSError, TimeoutError):
            pass
        return 0

    async def hostile_file(self):
        if not await self.sign_in() or not (token := await self.form_token("/import")):
            return 0
        name, content = self.rng.choice(self.storm.hostile_files)
        headers = {"Content-Type": "multipart/form-data; boundary=b", "Sec-Fetch-Site": "same-origin"}
        status, lines, _ = await self.ask("POST", "/import", headers, multipart(token, name, content))
        location = next((line[10:] for line in lines if line.lower().startswith("location: ")), None)
        if status == 303 and location:
            status, _, _ = await self.ask("GET", location)
            await self.send("/import", f"{location}/apply", {})
            await self.send("/import", f"{location}/discard", {})
        return status

    async def export(self):
        return await self.send("/settings/data", "/settings/data/export", {}) if await self.sign_in() else 0

    async def get_page(self):
        word = "".join(self.rng.choices("abcdefghij", k=8))
        path = self.rng.choice((f"/search?q={word}", "/calendar", f"/stocks/{word.upper()}", f"/p/{word}", "/developers", "/sign-in"))
        return (await self.ask("GET", path))[0]

    async def guess_token(self):
        token = "drip_pat_" + "".join(self.rng.choices("0123456789abcdef", k=36))
        return (await self.ask("GET", "/api/v1/income", {"Authorization": f"Bearer {token}"}))[0]

    async def search(self):
        word = urllib.parse.quote("".join(self.rng.choices("aeiouß𝔸é ", k=100)))
        return (await self.ask("GET", f"/api/v1/stocks?q={word}", {"Authorization": f"Bearer {self.account['token']}"}))[0]

    async def register(self):
        document = {"client_name": "Storm", "redirect_uris": [f"https://{self.rng.randrange(10**9)}.example.com/cb"]}
        return (await self.ask("POST", "/oauth/register", {"Content-Type": "application/json"}, json.dumps(document).encode()))[0]

    async def authorize(self):
        app = urllib.parse.quote(f"https://127.0.0.1:1/{self.rng.randrange(10**9)}", safe="")
        return (await self.ask("GET", f"/oauth/authorize?response_type=code&client_id={app}&redirect_uri=https%3A%2F%2Fa.example%2Fcb"))[0]

    async def nested_call(self):
        body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b"[" * 500_000 + b"]" * 500_000 + b"}"
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.rng.random() < 0.5:
            headers["Authorization"] = f"Bearer {self.account['token']}"
        return (await self.ask("POST", "/mcp", headers, body))[0]

    async def slow_head(self):
        try:
            reader, writer = await self.connect()
            for letter in b"GET /api/v1/me HTTP/1.1\r\nHost: t\r\nX: " + b"y" * 100:
                writer.write(bytes([letter]))
                await writer.drain()
                await asyncio.sleep(0.5)
            writer.close()
        except OSError:
            pass
        return 0

    async def hold_idle_connections(self):
        connections = []
        try:
            for _ in range(40):
                connections.append(await self.connect())
            await asyncio.sleep(5)
        except OSError:
            pass
        for _, writer in connections:
            writer.close()
        return 0


# Each kind, how many attackers it has, and the seconds between their attempts.
KINDS = [
    (Attacker.sign_up, 6, 0.2), (Attacker.wrong_password, 4, 0.2), (Attacker.change_password, 3, 0.2),
    (Attacker.unfinished_upload, 8, 0.5), (Attacker.hostile_file, 4, 0.5), (Attacker.export, 2, 1),
    (Attacker.get_page, 6, 0.05), (Attacker.guess_token, 4, 0.05), (Attacker.search, 3, 0.1), (Attacker.register, 2, 0.2),
    (Attacker.authorize, 2, 0.2), (Attacker.nested_call, 2, 0.3), (Attacker.slow_head, 2, 0.1), (Attacker.hold_idle_connections, 2, 0.5),
]


def multipart(token, name, content):
    parts = [f'--b\r\nContent-Disposition: form-data; name="_token"\r\n\r\n{token}\r\n'.encode(),
             f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode(), content, b"\r\n--b--\r\n"]
    return b"".join(parts)


def hostile_files():
    """Files that are expensive to parse."""
    def sheet(parts):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                archive.writestr(name, text)
        return packed.getvalue()
    row = "2024-01-02,buy,AAA,1,10.00,EUR\n"
    return [
        ("line.csv", b"a" * (20 << 20)),
        ("columns.csv", (b"x," * 200_000 + b"\n") * 5),
        ("quotes.csv", b'"' * (2 << 20)),
        ("rows.csv", ("date,type,symbol,shares,price,currency\n" + row * 60_000).encode()),
        ("errors.csv", ("date,type,symbol,shares,price,currency\n" + "2024-13-45,buy,AAA,x,y,ZZZ\n" * 30_000).encode()),
        ("deep.xml", b"<a>" * 300_000 + b"</a>" * 300_000),
        ("deep.json", b"[" * 1_000_000),
        ("bomb.xlsx", sheet({"xl/workbook.xml": "<workbook/>", "xl/worksheets/sheet1.xml": "<c>0</c>" * 8_000_000})),
    ]


class Storm:
    def __init__(self, port, seconds, seed, accounts):
        self.port, self.seed, self.accounts = port, seed, accounts
        self.deadline, self.hostile_files = time.monotonic() + seconds, hostile_files()
        self.counts = collections.defaultdict(collections.Counter)

    async def attack(self, number, kind, pause):
        # Changing a password ends the account's other sessions, so these attackers have accounts of their own.
        changes_password = kind is Attacker.change_password
        attacker = Attacker(self, number, self.accounts[:PASSWORD_ACCOUNTS] if changes_password else self.accounts[PASSWORD_ACCOUNTS:])
        while time.monotonic() < self.deadline:
            self.counts[kind.__name__][await kind(attacker)] += 1
            await asyncio.sleep(pause)

    async def run(self):
        numbers = iter(range(1_000))
        tasks = [asyncio.create_task(self.attack(next(numbers), kind, pause)) for kind, count, pause in KINDS for _ in range(count)]
        await asyncio.wait(tasks, timeout=self.deadline - time.monotonic() + 5)
        failed = [task.exception() for task in tasks if task.done() and task.exception()]
        for task in tasks:
            task.cancel()
        if failed:
            raise failed[0]
        print(json.dumps(self.counts))


if __name__ == "__main__":
    port, seconds, seed = map(int, sys.argv[1:])
    asyncio.run(Storm(port, seconds, seed, json.load(sys.stdin)).run())
