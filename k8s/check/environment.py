"""The containers' environment against what the programs read.

- `unknown`: a variable that the program does not list in `--help`.
- `missing`: an argument that the program requires and no variable gives.
"""

import re
import subprocess

from resources import containers, named, of_kind, workloads

# Read by libraries: the log filter, the OpenTelemetry SDK, the client of the object store. The pod's
# name and version are parts of OTEL_RESOURCE_ATTRIBUTES.
OF_LIBRARIES = re.compile(r"RUST_LOG|OTEL_\w+|AWS_\w+|POD_NAME|POD_VERSION")
IMAGE = re.compile(r".*/playon/([\w-]+):.*")


def check(resources, programs):
    secrets = {
        found["metadata"]["name"]: {*found.get("data", {}), *found.get("stringData", {})}
        for found in of_kind(resources, "Secret")
    }
    checked = 0
    for workload in workloads(resources):
        for container in containers(workload):
            image = IMAGE.fullmatch(container["image"])
            if not image or "command" in container:
                continue
            checked += 1
            yield from compare(named(workload), container, secrets, programs / image[1])
    if checked == 0:
        yield "missing: no container runs a program of ours"


def compare(where, container, secrets, program):
    options, required = arguments(program)
    given = {entry["name"] for entry in container.get("env", [])}
    # Those of a Secret that is not in the render are not known.
    for source in container.get("envFrom", []):
        given |= secrets.get(source.get("secretRef", {}).get("name"), set())
    for name in sorted(given - set(options.values())):
        if not OF_LIBRARIES.fullmatch(name):
            yield f"unknown: {where}: {program.name} has no variable {name}"
    for option in sorted(required):
        if options.get(option) not in given:
            yield f"missing: {where}: {program.name} requires --{option}"


def arguments(program):
    text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    return parse(text)


def parse(text):
    """The variable of each option, and the options that are required, from `--help`."""
    usage = re.search(r"^Usage: .*(?:\n +.*)*", text, re.MULTILINE)[0]
    required = set(re.findall(r"(?<!\[)--([\w-]+) <", usage))
    options, option = {}, None
    for line in text.splitlines():
        if start := re.match(r"\s+(?:-\w, )?--([\w-]+)", line):
            option = start[1]
        if variable := re.search(r"\[env: (\w+)", line):
            options[option] = variable[1]
    return options, required
