"""The target of the attacks: the service with a test's settings, a proxy in front of it, and certificates for both."""

import os
import pathlib
import signal
import subprocess
from urllib.parse import urlsplit

import programs
import rendered
from programs import end, find, free_port, until

programs.PACKAGES |= {"nginx": "nginx-light", "slowhttptest": "slowhttptest", "wrk": "wrk"}
NEEDED = ("haproxy", "nginx", "openssl", "slowhttptest", "wrk")
EMAIL = "ana@example.com"
# The host name in the files of deploy/.
HOST = "dripline.example.com"


class World:
    def __init__(self, binary, folder, soak, seed):
        self.binary, self.folder, self.soak, self.seed = binary, folder, soak, seed
        self.started = 0
        clean = {key: value for key, value in os.environ.items() if not key.startswith("DRIPLINE_")}
        self.environment = {**clean, "DRIPLINE_DATA_DIR": str(folder / "data"), "NO_COLOR": "1"}
        self.command("user", "add", EMAIL)
        self.token = self.command("token", "create", "--user", EMAIL, "--name", "attacks").strip()
        self.certificates()

    def length(self, short, soak):
        return soak if self.soak else short

    def command(self, *arguments, stdin="", **settings):
        done = subprocess.run(
            [self.binary, *arguments], env={**self.environment, **settings}, input=stdin, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError(f"`dripline {' '.join(arguments)}` exited with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def certificates(self):
        """Creates a certificate authority for the tests, and a certificate that is valid for three months."""
        self.authority, self.certificate, self.key = (str(self.folder / name) for name in ("ca.pem", "cert.pem", "key.pem"))
        both = pathlib.Path(self.folder / "both.pem")
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        names = f"subjectAltName=DNS:localhost,DNS:{HOST},IP:127.0.0.1"
        addext = lambda *extensions: [word for extension in extensions for word in ("-addext", extension)]
        self.openssl("req", "-x509", *curve, "-days", "90", "-subj", "/CN=Authority of the tests", "-keyout",
                     str(self.folder / "ca.key"), "-out", self.authority, *addext("keyUsage=critical,keyCertSign,cRLSign"))
        self.openssl("req", "-x509", *curve, "-days", "90", "-subj", "/CN=localhost", "-CA", self.authority, "-CAkey",
                     str(self.folder / "ca.key"), "-keyout", self.key, "-out", self.certificate,
                     *addext(names, "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
                               "extendedKeyUsage=serverAuth"))
        both.write_text(pathlib.Path(self.certificate).read_text() + pathlib.Path(self.key).read_text())

    def openssl(self, *arguments):
        subprocess.run([find("openssl"), *arguments], check=True, capture_output=True)

    def service(self, **settings):
        self.started += 1
        return Service(self, self.folder / f"service-{self.started}.log", settings)

    def encrypted(self, **settings):
        return self.service(DRIPLINE_TLS_CERT=self.certificate, DRIPLINE_TLS_KEY=self.key, **settings)

    def proxy(self, kind, service):
        return Proxy(self, kind, service)


class Service:
    """Context manager: `dripline serve`."""

    def __init__(self, world, log, settings):
        self.world, self.log, self.settings = world, log, settings

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [self.world.binary, "serve", "--listen", "127.0.0.1:0"], env={**self.world.environment, **self.settings},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError(f"`dripline serve` printed no address: {self.log.read_text()[-2000:]}")
        self.port = urlsplit(self.url).port
        return self

    def sockets(self):
        """The number of sockets the service has open."""
        count = 0
        for entry in os.scandir(f"/proc/{self.process.pid}/fd"):
            try:
                count += os.readlink(entry.path).startswith("socket:")
            except OSError:
                continue
        return count

    def memory_mib(self, figure="VmRSS"):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(f"{figure}:")) / 1024

    def is_running(self):
        return self.process.poll() is None

    def __exit__(self, *_):
        end(self.process, signal.SIGTERM)


class Proxy:
    """Context manager: a proxy with its configuration from deploy/; one service plays all nodes."""

    def __init__(self, world, kind, service):
        self.world, self.kind, self.service = world, kind, service
        self.folder = world.folder / kind
        self.plain, self.port = free_port(), free_port()

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        files = rendered.Files(
            str(self.folder), str(self.world.folder / "both.pem"), self.world.certificate, self.world.key)
        make = {"haproxy": rendered.haproxy, "nginx": rendered.nginx}[self.kind]
        command = make(files, [self.service.port] * 3, self.plain, self.port)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [find(command[0]), *command[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(10, self.is_listening, self.kind)
        return self

    def is_listening(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.kind} exited: {(self.folder / 'log').read_text()[-2000:]}")
        from raw import exchange
        return bool(exchange(self.port, f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode(), self.world.authority))

    def __exit__(self, *_):
        end(self.process, signal.SIGTERM)
