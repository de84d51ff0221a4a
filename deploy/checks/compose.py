"""What `docker compose config` would find in compose.yaml, as far as it can be found without Docker.

compose.py FOLDER: FOLDER has the secrets that compose/secrets made. Prints "ok …" or "FAILED …".
"""

import os
import re
import sys

import yaml

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def names(listed):
    return set(listed)


def faults(document, secrets):
    services = document["services"]
    for name, service in services.items():
        if "image" not in service:
            yield f"{name} has no image"
        for other in names(service.get("depends_on", [])) - names(services):
            yield f"{name} depends on {other}, which is not there"
        for secret in names(service.get("secrets", [])) - names(document["secrets"]):
            yield f"{name} uses the secret {secret}, which is not there"
        for network in names(service.get("networks", [])) - names(document["networks"]):
            yield f"{name} is in the network {network}, which is not there"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            known = os.path.exists(os.path.join(HERE, source)) if source.startswith(".") else source in document["volumes"]
            if not known:
                yield f"{name} mounts {source}, which is not there"
        for variable, value in service.get("environment", {}).items():
            if variable.endswith("_FILE") and os.path.basename(value) not in names(service["secrets"]):
                yield f"{name} reads {value} and is not given that secret"
    for secret, place in document["secrets"].items():
        if os.path.basename(place["file"]) != secret or not os.path.getsize(os.path.join(secrets, secret)):
            yield f"compose/secrets makes no {secret}"


def left_out(ignored):
    """Files that crates take into the binary from outside crates/, and that the build would miss."""
    for folder, _, files in os.walk(os.path.join(HERE, "..", "crates")):
        for file in files:
            if file.endswith(".rs") and f"{os.sep}tests{os.sep}" not in f"{folder}{os.sep}":
                with open(os.path.join(folder, file)) as source:
                    for path in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', source.read()):
                        taken = os.path.relpath(os.path.join(folder, path), os.path.join(HERE, ".."))
                        if not taken.startswith("crates") and f"!{taken}" not in ignored:
                            yield f"{taken} is left out of the build by Dockerfile.dockerignore"


def say(name, found):
    found = list(found)
    print(f"FAILED {name}: {'; '.join(found)}" if found else f"ok {name}")


with open(f"{HERE}/compose.yaml") as file:
    compose = yaml.safe_load(file)
say("compose: services, secrets, volumes and networks fit together", faults(compose, sys.argv[1]))
with open(f"{HERE}/Dockerfile.dockerignore") as file:
    say("docker: everything that is compiled in is in the context", left_out(file.read().split("\n")))
