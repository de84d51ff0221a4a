"""The proxies' configuration files with a test's addresses, certificates and folders in place of those that an operator replaces."""

import os
import re
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))


class Files(NamedTuple):
    folder: str
    # Certificate and key in one file, and separately.
    both: str
    certificate: str
    key: str


def replace(text, pattern, replacement, times):
    """Like re.sub, but an error if the number of matches is not `times`."""
    text, found = re.subn(pattern, replacement, text, flags=re.M)
    if found != times:
        raise ValueError(f"{pattern!r} matches {found} times instead of {times} in the configuration")
    return text


def haproxy_config(files):
    """The unchanged file, except for the certificate."""
    with open(f"{HERE}/../haproxy/haproxy.cfg") as file:
        return file.read().replace("/etc/haproxy/certs/dripline.pem", files.both)


def haproxy(files, nodes, plain, tls):
    """Writes the file, and returns the command that runs it. `nodes` are three ports."""
    text = haproxy_config(files)
    text = replace(text, r"^    (user|group|chroot|stats socket) .*\n", "", 4)
    text = replace(text, r"log /dev/log local0", "log stdout format raw local0", 1)
    text = replace(text, r"maxconn 20000", "maxconn 500", 1)
    text = replace(text, r"bind :80$", f"bind 127.0.0.1:{plain}", 1)
    text = replace(text, r"bind :443 ", f"bind 127.0.0.1:{tls} ", 1)
    for number, node in enumerate(nodes, 1):
        text = replace(text, rf"10\.0\.0\.1{number}:8080", f"127.0.0.1:{node}", 2)
    with open(f"{files.folder}/haproxy.cfg", "w") as file:
        file.write(text)
    return ["haproxy", "-db", "-f", f"{files.folder}/haproxy.cfg"]


def nginx(files, nodes, plain, tls):
    """Writes the file, and returns the command that runs it. `nodes` are three ports."""
    folder = files.folder
    with open(f"{HERE}/../nginx/dripline.conf") as file:
        text = file.read()
    ports = lambda found: f"listen 127.0.0.1:{plain};" if found[1] == "80" else f"listen 127.0.0.1:{tls} ssl http2;"
    text = replace(text, r"listen (80|443 ssl http2);", ports, 2)
    text = replace(text, r"^ *listen \[::\].*\n", "", 2)
    text = text.replace("/etc/nginx/certs/dripline.pem", files.certificate).replace("/etc/nginx/certs/dripline.key", files.key)
    text = text.replace("/var/log/nginx", folder)
    for number, node in enumerate(nodes, 1):
        text = replace(text, rf"10\.0\.0\.1{number}:8080", f"127.0.0.1:{node}", 1)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = f"daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;\nevents {{}}\nhttp {{ {temporary}\n{text}}}\n"
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(config)
    return ["nginx", "-e", f"{folder}/error.log", "-p", folder, "-c", f"{folder}/nginx.conf"]
