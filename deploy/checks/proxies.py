"""Checks HAProxy and nginx with the files of deploy/, in front of three fake nodes.

proxies.py FOLDER haproxy|nginx: prints "ok …" or "FAILED …" for each check, and stops what it started.
"""

import http.client
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.dont_write_bytecode = True
import rendered

folder, proxy = sys.argv[1], sys.argv[2]
files = rendered.Files(folder, f"{folder}/both.pem", f"{folder}/cert.pem", f"{folder}/key.pem")


class Node(ThreadingHTTPServer):
    """A fake node that responds like a real one, and can be made to fail."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, name):
        super().__init__(("127.0.0.1", 0), Handler)
        self.name, self.ready, self.unavailable, self.silent, self.seen = name, True, False, False, []
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def handle_error(self, request, client_address):
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        node = self.server
        if self.path == "/healthz":
            return self.answer(200, {"status": "ok"})
        if self.path == "/readyz":
            return self.answer(200, {"status": "ready"}) if node.ready else self.answer(503, {"error": {"code": "unavailable"}})
        length = int(self.headers.get("Content-Length") or 0)
        node.seen.append(self.path)
        received = 0
        while received < length:
            part = self.rfile.read(min(1 << 20, length - received))
            if not part:
                return None
            received += len(part)
        if node.silent:
            self.close_connection = True
            return None
        if self.path == "/mcp":
            return self.events()
        if node.unavailable:
            return self.answer(503, {"error": {"code": "unavailable", "message": "the node's own message"}})
        return self.answer(200, {"node": node.name, "received": received, "headers": sorted((k.lower(), v) for k, v in self.headers.items())})

    do_POST = do_GET

    def events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b"data: first\n\n")
        self.wfile.flush()
        time.sleep(0.7)
        self.wfile.write(b"data: second\n\n")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def haproxy(nodes, plain, tls):
    with open(f"{folder}/whole.cfg", "w") as file:
        file.write(rendered.haproxy_config(files))
    syntax(["haproxy", "-c", "-f", f"{folder}/whole.cfg"])
    return rendered.haproxy(files, [node.server_port for node in nodes], plain, tls)


def nginx(nodes, plain, tls):
    command = rendered.nginx(files, [node.server_port for node in nodes], plain, tls)
    syntax(command + ["-t"])
    return command


def syntax(command):
    done = subprocess.run(command, capture_output=True, text=True)
    output = done.stdout + done.stderr
    ok = done.returncode == 0 and "warning" not in output.lower() and "[warn]" not in output
    report(ok, "the file is valid, without warnings", output.strip())


def report(ok, name, details=""):
    print(f"ok {proxy}: {name}" if ok else f"FAILED {proxy}: {name}: {details}", flush=True)


def check(name, behaviour):
    try:
        found = behaviour()
        report(found is None, name, found)
    except Exception as error:  # Any error fails this check.
        report(False, name, repr(error))


trust = ssl.create_default_context(cafile=f"{folder}/cert.pem")


class Site:
    def __init__(self, plain, tls):
        self.plain, self.tls = plain, tls

    def ask(self, method, path, body=None, headers=None, plain=False):
        connection = http.client.HTTPConnection("127.0.0.1", self.plain, timeout=10) if plain else http.client.HTTPSConnection("localhost", self.tls, timeout=10, context=trust)
        try:
            connection.request(method, path, body, {"Host": "dripline.example.com", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer
        finally:
            connection.close()


def forwarded(site):
    forged = {"X-Forwarded-For": "198.51.100.9, 10.0.0.1", "Forwarded": "for=198.51.100.9", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher"}
    _, body, _ = site.ask("GET", "/who", headers=forged)
    found = [pair for pair in json.loads(body)["headers"] if "forwarded" in pair[0]]
    expected = [["x-forwarded-for", "127.0.0.1"], ["x-forwarded-proto", "https"]]
    return None if found == expected else found


def host_stays(site):
    host = dict(json.loads(site.ask("GET", "/who")[1])["headers"])["host"]
    return None if host == "dripline.example.com" else host


def retried(site, nodes):
    nodes[0].silent = True
    try:
        answers = [site.ask("GET", "/mute")[0] for _ in range(6)]
        attempts = sum(node.seen.count("/mute") for node in nodes)
        return None if answers == [200] * 6 and attempts > 6 else (answers, attempts)
    finally:
        nodes[0].silent = False


def not_retried(site, nodes):
    for node in nodes:
        node.silent = True
    try:
        status = site.ask("POST", "/once")[0]
        attempts = sum(node.seen.count("/once") for node in nodes)
        return None if status == 502 and attempts == 1 else (status, attempts)
    finally:
        for node in nodes:
            node.silent = False


def upload(site):
    size = 50 << 20
    status, body, _ = site.ask("POST", "/import", bytes(size))
    return None if status == 200 and json.loads(body)["received"] == size else (status, body[:100])


def too_large(site):
    # Only announced, not sent: it is refused because of its Content-Length.
    raw = trust.wrap_socket(socket.create_connection(("127.0.0.1", site.tls), 5), server_hostname="localhost")
    with raw:
        raw.sendall(b"POST /import HTTP/1.1\r\nHost: dripline.example.com\r\nContent-Length: 70000000\r\n\r\n")
        line = raw.recv(100).split(b"\r\n")[0]
    return None if b" 413 " in line else line


def events(site):
    connection = http.client.HTTPSConnection("localhost", site.tls, timeout=5, context=trust)
    connection.request("POST", "/mcp", b"{}", {"Host": "dripline.example.com"})
    answer = connection.getresponse()
    start = time.monotonic()
    first = answer.read1(100)
    waited = time.monotonic() - start
    rest = answer.read()
    connection.close()
    return None if first == b"data: first\n\n" and rest == b"data: second\n\n" and waited < 0.5 else (first, rest, waited)


def without_tls(site):
    program = site.ask("GET", "/api/v1/me", headers={"Authorization": "Bearer x"}, plain=True)
    feed = site.ask("GET", "/feed/drip_cal_x.ics", plain=True)[0]
    page = site.ask("GET", "/upcoming?x=1", plain=True)
    found = (program[0], json.loads(program[1])["error"]["code"], feed, page[0], page[2].headers["Location"])
    return None if found == (403, "bad_request", 403, 308, "https://dripline.example.com/upcoming?x=1") else found


def not_logged(site):
    """Some addresses are secrets themselves: the log has only their beginning."""
    for path in ("/feed/drip_cal_SECRET.ics", "/reset/SECRET", "/settings/email/SECRET", "/upcoming?q=SECRET"):
        site.ask("GET", path, headers={"Authorization": "Bearer SECRET"})
        site.ask("GET", path, plain=True)
    text = ""

    def logged():
        nonlocal text
        with open(f"{folder}/{'dripline' if proxy == 'nginx' else proxy}.log") as log:
            text = log.read()
        return all(path in text for path in ("/feed/-", "/reset/-", "/settings/email/-", "/upcoming"))
    wait_until(logged, 5)
    return text[-800:] if "SECRET" in text else None


def hidden(site):
    found = [site.ask("GET", path)[0] for path in ("/readyz", "/healthz")]
    return None if found == [404, 404] else found


def draining(site, nodes):
    """The draining node still responds, but must get no new requests."""
    nodes[1].ready = False
    try:
        spread = lambda: {json.loads(site.ask("GET", "/spread")[1])["node"] for _ in range(6)}
        if "node2" not in spread():
            return "the node got no requests before draining either"
        wait_until(lambda: "node2" not in spread(), 4)
        return None
    finally:
        nodes[1].ready = True


def own_error(site, nodes):
    for node in nodes:
        node.ready, node.unavailable = False, True
    try:
        time.sleep(3.2)  # After two failed health checks the proxy marks them down.
        status, body, _ = site.ask("GET", "/away")
        return None if status == 503 and b"own message" in body else (status, body)
    finally:
        for node in nodes:
            node.ready, node.unavailable = True, False


def node_down(site, nodes):
    nodes[2].shutdown()
    nodes[2].server_close()
    found = [site.ask(method, "/gone", body)[0] for method, body in (("GET", None), ("POST", b"x")) for _ in range(4)]
    return None if found == [200] * 8 else found


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"timed out after {seconds} s")
        time.sleep(0.1)


def answers(site):
    try:
        return site.ask("GET", "/")[0] == 200
    except OSError:
        return False


def main():
    nodes = [Node(f"node{number}") for number in (1, 2, 3)]
    site = Site(free_port(), free_port())
    try:
        command = {"haproxy": haproxy, "nginx": nginx}[proxy](nodes, site.plain, site.tls)
    except ValueError as error:
        raise SystemExit(f"FAILED {proxy}: {error}") from None
    with open(f"{folder}/{proxy}.log", "w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until(lambda: answers(site), 5)
        check("forwarded headers are set, and the client's own are removed", lambda: forwarded(site))
        check("the name of the site reaches the node", lambda: host_stays(site))
        check("a GET without a response is retried on another node", lambda: retried(site, nodes))
        check("a POST without a response is not retried", lambda: not_retried(site, nodes))
        check("a file of 50 MiB is accepted", lambda: upload(site))
        check("70 MB are refused before they are sent", lambda: too_large(site))
        check("events arrive without delay", lambda: events(site))
        check("without TLS a token is refused and a page redirected", lambda: without_tls(site))
        check("no log contains a secret address", lambda: not_logged(site))
        check("readiness is not public", lambda: hidden(site))
        if proxy == "haproxy":
            check("a draining node gets no new requests", lambda: draining(site, nodes))
            check("when no node is ready, the node's own 503 arrives", lambda: own_error(site, nodes))
            time.sleep(2.5)  # Until the proxy marks them up again.
        check("a node that is down goes unnoticed", lambda: node_down(site, nodes))
    except (TimeoutError, OSError) as error:
        with open(f"{folder}/{proxy}.log") as log:
            report(False, "the proxy responds", f"{error!r} {log.read()[-800:]}")
    finally:
        running.terminate()
        try:
            running.wait(3)
        except subprocess.TimeoutExpired:
            running.kill()


main()
