"""Checks a rendered overlay: `check.py --root CHECKOUT RENDER.yaml`.

`cargo xtask test --only lint` renders the overlays and runs this in a virtual environment with
tools/requirements.txt. With `--programs FOLDER` it compares the containers' environment with
what each program's `--help` lists, instead of the rest.

Schemas know neither Pod Security nor what refers to what; the rules below do. Each has
a name, which its messages begin with.
"""

import argparse
import sys
from pathlib import Path

import kubernetes_validate
import yaml

import budget
import environment
import pods
import policies
import references
from resources import workloads

# Kubernetes has changed little since: what is valid in both is valid between them.
VERSIONS = ["1.34", "1.36"]

# Defined by other projects, which publish no schema in a registry.
UNCHECKED = {
    ("cert-manager.io/v1", "Certificate"),
    ("cert-manager.io/v1", "Issuer"),
    ("gateway.networking.k8s.io/v1", "Gateway"),
    ("gateway.networking.k8s.io/v1", "HTTPRoute"),
}


def schemas(resources):
    for resource in resources:
        if (resource["apiVersion"], resource["kind"]) in UNCHECKED:
            continue
        where = f"{resource['kind']} {resource['metadata']['name']}"
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(resource, version, strict=True)
            except kubernetes_validate.ValidationError as fault:
                path = ".".join(str(step) for step in fault.path)
                yield f"schema {version}: {where}: {path}: {fault.message}"
            except kubernetes_validate.SchemaNotFoundError as fault:
                yield f"schema {version}: {where}: {fault.message}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("render", type=Path)
    args = parser.parse_args()

    text = args.render.read_text()
    resources = [resource for resource in yaml.safe_load_all(text) if resource]
    # The authority of operators is an overlay without pods: some rules are about pods alone.
    has_pods = bool(workloads(resources))
    if args.programs:
        faults = list(environment.check(resources, args.programs)) if has_pods else []
        checked = "environment"
    else:
        faults = [
            *schemas(resources),
            *pods.check(resources),
            *(policies.check(resources, args.root) if has_pods else []),
            *references.check(resources, args.root),
            *(budget.check(resources) if args.render.stem == "kind" else []),
        ]
        checked = "schemas and rules"
    for fault in faults:
        print(f"  {args.render.stem}: {fault}", file=sys.stderr)
    if faults:
        sys.exit(f"{args.render.stem}: {len(faults)} faults")
    kinds = sum(1 for resource in resources if resource["kind"])
    print(f"  {args.render.stem}: {kinds} resources, {checked}: no fault")


if __name__ == "__main__":
    main()
