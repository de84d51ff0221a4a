"""The database over TLS, with a certificate from a test authority."""

import os
import subprocess

from account import PATHS
from check import check, equal, test
from postgres import url
from programs import find


@test("over TLS, the database's certificate is verified, and responses are the same")
def encrypted(world):
    folder = world.folder / "tls"
    folder.mkdir(mode=0o711)
    ours, theirs = create_authority(folder, "ours"), create_authority(folder, "theirs")
    create_certificate(folder, ours, world.primary)
    primary = world.primary
    primary.set("ssl_cert_file", f"'{folder}/server.pem'")
    primary.set("ssl_key_file", f"'{folder}/server.key'")
    primary.set("ssl", "on")
    try:
        address = url(primary).replace("sslmode=disable", "sslmode=verify-full")
        tls_settings = {"DRIPLINE_DATABASE_URL": address, "DRIPLINE_DATABASE_CA": str(ours)}
        node = world.node("encrypted", DRIPLINE_BASE_URL=world.nodes[0].environment["DRIPLINE_BASE_URL"], **tls_settings).start()
        for path in PATHS:
            equal(node.get(path, world.token).body, world.nodes[0].get(path, world.token).body, path)
        count = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'dripline' AND ssl"
        check(int(primary.sql(count)) > 0, "no connection of the node is encrypted")
        node.kill()
        check_refused(world, "an unknown authority", DRIPLINE_DATABASE_URL=address)
        check_refused(world, "another authority", DRIPLINE_DATABASE_URL=address, DRIPLINE_DATABASE_CA=str(theirs))
        by_name = address.replace("127.0.0.1", "localhost")
        check_refused(world, "another name", DRIPLINE_DATABASE_URL=by_name, DRIPLINE_DATABASE_CA=str(ours))
    finally:
        for name in ("ssl", "ssl_cert_file", "ssl_key_file"):
            primary.set(name, None)


def check_refused(world, what, **settings):
    done = world.attempt("user", "list", **settings)
    check(done.returncode == 1 and not done.stdout, f"{what} was trusted")
    check("not-a-secret" not in done.stderr, "the error message contains the password")


def create_authority(folder, name):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", folder / f"{name}.key",
            "-out", folder / f"{name}.pem")
    return folder / f"{name}.pem"


def create_certificate(folder, authority, server):
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=database", "-keyout", folder / "server.key",
            "-out", folder / "server.csr")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-days", "2", "-in", folder / "server.csr", "-CA", authority, "-CAkey", authority.with_suffix(".key"),
            "-CAcreateserial", "-extfile", folder / "names", "-out", folder / "server.pem")
    (folder / "server.key").chmod(0o600)
    (folder / "server.pem").chmod(0o644)
    if server.owner:
        os.chown(folder / "server.key", server.owner.pw_uid, server.owner.pw_gid)


def openssl(*arguments):
    subprocess.run([find("openssl"), *map(str, arguments)], check=True, capture_output=True)
