"""Connections that send exactly the bytes they are told."""

import functools
import re
import socket
import ssl


@functools.cache
def trusting(authority):
    return ssl.create_default_context(cafile=authority)


def connected(port, authority=None, seconds=5, source=""):
    """Encrypted where there is an authority to trust; from another address of this machine where one is given."""
    plain = socket.create_connection(("127.0.0.1", port), seconds, (source, 0))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if authority is None:
        return plain
    try:
        return trusting(authority).wrap_socket(plain, server_hostname="localhost")
    except OSError:
        plain.close()
        raise


def asked(port, request, authority=None, quiet=2.0):
    """Everything that comes until the other side closes, or says nothing for a while."""
    try:
        with connected(port, authority) as there:
            there.settimeout(quiet)
            there.sendall(request)
            return received(there)
    except OSError:
        return b""


def told(port, request, authority=None):
    """The answer, however much of the request was taken."""
    with connected(port, authority) as there:
        try:
            there.sendall(request)
        except OSError:
            pass
        try:
            return answer(there)
        except OSError as error:
            return repr(error).encode()


def received(there):
    got = b""
    try:
        while part := there.recv(65_536):
            got += part
    except OSError:
        pass
    return got


LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def answer(there):
    """The next answer that says its length; shorter if the connection ends before."""
    got = b""
    while True:
        head, mark, body = got.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if mark and len(body) >= (int(length.group(1)) if length else 0):
            return got
        part = there.recv(65_536)
        if not part:
            return got
        got += part
