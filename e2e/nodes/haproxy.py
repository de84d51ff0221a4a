"""A load balancer as a careful operator sets it up: it checks every node's readiness, and retries a GET that got no response, or
a 503, at another node. Requests that may change something are sent once."""

import signal
import socket
import subprocess

from programs import end, find, free_port, until

CONFIG = """
global
    maxconn 2000
defaults
    mode http
    timeout connect 1s
    timeout client 30s
    timeout server 10s
    timeout http-request 10s
    timeout http-keep-alive 30s
    option forwardfor
frontend public
    bind 127.0.0.1:{port}
    default_backend nodes
backend nodes
    balance roundrobin
    option httpchk GET /readyz
    http-check expect status 200
    option redispatch 1
    retries 3
    retry-on conn-failure empty-response response-timeout 503
    http-request disable-l7-retry unless METH_GET
    default-server check inter 100ms fastinter 100ms downinter 100ms fall 1 rise 1
{servers}
"""


class Haproxy:
    def __init__(self, folder, nodes):
        self.folder, self.port, self.process = folder, free_port(), None
        folder.mkdir()
        servers = "\n".join(f"    server {node.name} 127.0.0.1:{node.port}" for node in nodes)
        (folder / "haproxy.cfg").write_text(CONFIG.format(port=self.port, servers=servers))

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [find("haproxy"), "-db", "-f", str(self.folder / "haproxy.cfg")], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True)
        until(10, self.is_listening, "haproxy")

    def is_listening(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"haproxy exited: {(self.folder / 'log').read_text()[-2000:]}")
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self):
        end(self.process, signal.SIGTERM)
