"""Checks compose.yaml like `docker compose config`, as far as possible without Docker.

compose.py FOLDER: FOLDER has the secrets that compose/secrets created. Prints "ok …" or "FAILED …".
"""

import os
import re
import sys

import yaml

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def names(listed):
    return set(listed)


def problems(document, secrets):
    services = document["services"]
    for name, service in services.items():
        if "image" not in service:
            yield f"{name} has no image"
        for other in names(service.get("depends_on", [])) - names(services):
            yield f"{name} depends on {other}, which does not exist"
        for secret in names(service.get("secrets", [])) - names(document["secrets"]):
            yield f"{name} uses the secret {secret}, which does not exist"
        for network in names(service.get("networks", [])) - names(document["networks"]):
            yield f"{name} is in the network {network}, which does not exist"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            exists = os.path.exists(os.path.join(HERE, source)) if source.startswith(".") else source in document["volumes"]
            if not exists:
                yield f"{name} mounts {source}, which does not exist"
        for variable, value in service.get("environment", {}).items():
            if variable.endswith("_FILE") and os.path.basename(value) not in names(service["secrets"]):
                yield f"{name} reads {value}, but does not have that secret"
    for secret, source in document["secrets"].items():
        if os.path.basename(source["file"]) != secret or not os.path.getsize(os.path.join(secrets, secret)):
            yield f"compose/secrets does not create {secret}"


def missing_files(ignored):
    """Files outside crates/ that the crates compile in, but that are missing from the build context."""
    for folder, _, files in os.walk(os.path.join(HERE, "..", "crates")):
        for file in files:
            if file.endswith(".rs") and f"{os.sep}tests{os.sep}" not in f"{folder}{os.sep}":
                with open(os.path.join(folder, file)) as source:
                    for path in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', source.read()):
                        included = os.path.relpath(os.path.join(folder, path), os.path.join(HERE, ".."))
                        if not included.startswith("crates") and f"!{included}" not in ignored:
                            yield f"Dockerfile.dockerignore excludes {included} from the build"


def report(name, problems_found):
    problems_found = list(problems_found)
    print(f"FAILED {name}: {'; '.join(problems_found)}" if problems_found else f"ok {name}")


with open(f"{HERE}/compose.yaml") as file:
    compose = yaml.safe_load(file)
report("compose: services, secrets, volumes and networks match", problems(compose, sys.argv[1]))
with open(f"{HERE}/Dockerfile.dockerignore") as file:
    report("docker: everything that is compiled in is in the build context", missing_files(file.read().split("\n")))
