"""Raw connections, for sending exact bytes."""

import functools
import re
import socket
import ssl


@functools.cache
def tls_context(authority):
    return ssl.create_default_context(cafile=authority)


def connect(port, authority=None, seconds=5, source=""):
    """Uses TLS if `authority` is given; `source` is the local address to connect from."""
    plain = socket.create_connection(("127.0.0.1", port), seconds, (source, 0))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if authority is None:
        return plain
    try:
        return tls_context(authority).wrap_socket(plain, server_hostname="localhost")
    except OSError:
        plain.close()
        raise


def exchange(port, request, authority=None, quiet=2.0):
    """Everything received until the server closes the connection or is silent for `quiet` seconds."""
    try:
        with connect(port, authority) as sock:
            sock.settimeout(quiet)
            sock.sendall(request)
            return read_all(sock)
    except OSError:
        return b""


def send_and_read(port, request, authority=None):
    """The response, even if the server did not read the whole request."""
    with connect(port, authority) as sock:
        try:
            sock.sendall(request)
        except OSError:
            pass
        try:
            return read_response(sock)
        except OSError as error:
            return repr(error).encode()


def read_all(sock):
    got = b""
    try:
        while part := sock.recv(65_536):
            got += part
    except OSError:
        pass
    return got


LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def read_response(sock):
    """The next response, by its Content-Length; shorter if the connection ends early."""
    got = b""
    while True:
        head, separator, body = got.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if separator and len(body) >= (int(length.group(1)) if length else 0):
            return got
        part = sock.recv(65_536)
        if not part:
            return got
        got += part
