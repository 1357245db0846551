"""What every pod must be, and what a server must have.

- `image`: a tag, and not `latest`: two nodes must not run different builds.
- `resources`: requests of processor and memory, a limit of memory. No limit of the
  processor is asked for: throttling is latency.
- `restricted`: the Pod Security profile of that name, and a root file system that cannot
  be written.
- `probes`: a server has all three, and liveness does not ask for its health, because a
  restart brings no database back.
- `stop`: a server has time for its pause, LAME_DUCK and DRAIN.
- `scale`: a server has one HorizontalPodAutoscaler, one PodDisruptionBudget and a spread.
"""

import re

from resources import containers, is_server, labels, named, of_kind, pod, selects, workloads

VOLUMES = {
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
}
DRAIN = 40


def check(resources):
    for workload in workloads(resources):
        name = named(workload)
        for container in containers(workload):
            where = f"{name}, container {container['name']}"
            yield from image(where, container)
            yield from sizes(where, container)
            yield from restricted_container(where, container, pod(workload))
        yield from restricted_pod(name, pod(workload))
        if is_server(workload):
            yield from probes(name, workload)
            yield from stop(name, workload)
            yield from scale(name, workload, resources)


def image(where, container):
    _, _, tag = container["image"].rpartition("/")[2].partition(":")
    if tag in ("", "latest", "tag"):
        yield f"image: {where}: {container['image']} names no build"


def sizes(where, container):
    resources = container.get("resources", {})
    for kind, size in [("requests", "cpu"), ("requests", "memory"), ("limits", "memory")]:
        if size not in resources.get(kind, {}):
            yield f"resources: {where}: no {kind}.{size}"


def restricted_container(where, container, spec):
    security = container.get("securityContext", {})
    outer = spec.get("securityContext", {})
    if security.get("allowPrivilegeEscalation") is not False:
        yield f"restricted: {where}: allowPrivilegeEscalation is not false"
    if security.get("readOnlyRootFilesystem") is not True:
        yield f"restricted: {where}: readOnlyRootFilesystem is not true"
    if security.get("capabilities", {}) != {"drop": ["ALL"]}:
        yield f"restricted: {where}: capabilities are not dropped"
    if security.get("privileged"):
        yield f"restricted: {where}: privileged"
    if security.get("runAsNonRoot", outer.get("runAsNonRoot")) is not True:
        yield f"restricted: {where}: runAsNonRoot is not true"
    if security.get("runAsUser", outer.get("runAsUser")) in (None, 0):
        yield f"restricted: {where}: runAsUser is no user"
    for port in container.get("ports", []):
        if "hostPort" in port:
            yield f"restricted: {where}: hostPort"


def restricted_pod(name, spec):
    seccomp = spec.get("securityContext", {}).get("seccompProfile", {}).get("type")
    if seccomp != "RuntimeDefault":
        yield f"restricted: {name}: seccompProfile is not RuntimeDefault"
    for field in ["hostNetwork", "hostPID", "hostIPC"]:
        if spec.get(field):
            yield f"restricted: {name}: {field}"
    for volume in spec.get("volumes", []):
        if not VOLUMES.issuperset(volume.keys() - {"name"}):
            yield f"restricted: {name}: volume {volume['name']} is of another kind"
    if spec.get("automountServiceAccountToken") is not False:
        yield f"restricted: {name}: automountServiceAccountToken is not false"


def probes(name, workload):
    server = pod(workload)["containers"][0]
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
        if probe not in server:
            yield f"probes: {name}: no {probe}"
    for probe in ["startupProbe", "readinessProbe"]:
        if "grpc" not in server.get(probe, {}):
            yield f"probes: {name}: {probe} is not gRPC"
    if "grpc" in server.get("livenessProbe", {}):
        yield f"probes: {name}: the livenessProbe asks for the health"


def stop(name, workload):
    spec = pod(workload)
    server = spec["containers"][0]
    pause = server.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    environment = {entry["name"]: entry.get("value") for entry in server.get("env", [])}
    lame_duck = seconds(environment.get("LAME_DUCK") or "0s")
    drain = seconds(environment.get("DRAIN") or f"{DRAIN}s")
    grace = spec.get("terminationGracePeriodSeconds", 30)
    if pause == 0 or lame_duck == 0:
        yield f"stop: {name}: no preStop pause, or no LAME_DUCK"
    if grace <= pause + lame_duck + drain:
        yield f"stop: {name}: {grace} s are too few for {pause} + {lame_duck} + {drain} s"
    rolling = workload["spec"].get("strategy", {}).get("rollingUpdate", {})
    if rolling.get("maxUnavailable") != 0:
        yield f"stop: {name}: maxUnavailable is not 0"


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(s|m)", text).groups()
    return int(number) * {"s": 1, "m": 60}[unit]


def scale(name, workload, resources):
    scalers = [
        scaler
        for scaler in of_kind(resources, "HorizontalPodAutoscaler")
        if scaler["spec"]["scaleTargetRef"]["name"] == workload["metadata"]["name"]
    ]
    if len(scalers) != 1 or scalers[0]["spec"].get("minReplicas", 1) < 2:
        yield f"scale: {name}: not one HorizontalPodAutoscaler with two replicas or more"
    if "replicas" in workload["spec"]:
        yield f"scale: {name}: replicas are the HorizontalPodAutoscaler's"
    budgets = [
        budget
        for budget in of_kind(resources, "PodDisruptionBudget")
        if selects(budget["spec"]["selector"], labels(workload))
    ]
    if len(budgets) != 1:
        yield f"scale: {name}: {len(budgets)} PodDisruptionBudgets select it"
    spread = pod(workload).get("topologySpreadConstraints", [])
    if not any(selects(rule["labelSelector"], labels(workload)) for rule in spread):
        yield f"scale: {name}: no topologySpreadConstraint selects it"
