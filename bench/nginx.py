"""nginx serving files with the same bytes and headers as the product's responses: two workers, no log, keep-alive."""
import signal
import subprocess

from environment import end, find, free_port, until
from load import Connection
from machine import Meter

# Headers that nginx sets itself.
SET_BY_NGINX = {"content-length", "content-type", "etag", "date", "server", "connection", "last-modified", "accept-ranges", "transfer-encoding"}
CONFIGURATION = """
worker_processes 2;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    etag on;
    sendfile on;
    server_tokens off;
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
    default_type application/json;
    client_body_temp_path {folder}/temp; proxy_temp_path {folder}/temp; fastcgi_temp_path {folder}/temp;
    uwsgi_temp_path {folder}/temp; scgi_temp_path {folder}/temp;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
{locations}
    }}
}}
"""


class Nginx:
    def __init__(self, folder, answers):
        """`answers` has the product's headers and body by path."""
        self.port, self.address = free_port(), None
        (folder / "files").mkdir(parents=True)
        locations = []
        for path, (headers, body) in answers.items():
            (folder / "files" / path.lstrip("/")).write_bytes(body)
            header_lines = [f"            add_header {name} {quoted(value)} always;\n" for name, value in headers.items() if name not in SET_BY_NGINX]
            locations.append(f"        location = {path} {{\n{''.join(header_lines)}        }}")
        (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=self.port, locations="\n".join(locations)))
        self.process = subprocess.Popen([find("nginx"), "-c", folder / "nginx.conf", "-e", folder / "error.log"], stderr=subprocess.DEVNULL)
        self.address = f"127.0.0.1:{self.port}"
        until(10, self.is_ready, f"nginx ({folder}/error.log)")

    def is_ready(self):
        try:
            with Connection(self.address) as connection:
                return connection.ask("/", {})[0] > 0
        except OSError:
            return False

    def etag(self, path):
        with Connection(self.address) as connection:
            return connection.ask(path, {})[1]["etag"]

    def meters(self):
        return Meter(self.process.pid), None

    def stop(self):
        end(self.process, signal.SIGTERM)


def quoted(text):
    """Quotes a value for nginx's configuration."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
