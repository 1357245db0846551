"""The overlay `kind` fits a node with two processors.

- `budget`: all pods together request at most 1 processor and 2 GiB, at the least number of
  replicas, with a new pod of each server beside the old ones and all Jobs. Kubernetes itself requests some 0.95
  processors on such a node.
- `priority`: a StatefulSet comes before servers. Its pod is deleted before the next one is
  scheduled, so on a full node it would wait for servers that wait for it.
"""

from resources import containers, is_server, named, of_kind, pod, workloads

CPU_MILLIS = 1_000
MEMORY_MIB = 2_048
UNITS = {"Mi": 1, "Gi": 1_024}


def check(resources):
    sums = {"cpu": 0, "memory": 0}
    for workload in workloads(resources):
        for container in containers(workload):
            requests = container.get("resources", {}).get("requests", {})
            for size, read in [("cpu", millis), ("memory", mebibytes)]:
                sums[size] += pods_of(workload, resources) * read(requests.get(size, "0"))
    if sums["cpu"] > CPU_MILLIS:
        yield f"budget: {sums['cpu']}m are requested, of {CPU_MILLIS}m"
    if sums["memory"] > MEMORY_MIB:
        yield f"budget: {sums['memory']}Mi are requested, of {MEMORY_MIB}Mi"
    classes = {found["metadata"]["name"] for found in of_kind(resources, "PriorityClass")}
    for store in of_kind(resources, "StatefulSet"):
        if pod(store).get("priorityClassName") not in classes:
            yield f"priority: {named(store)}: no PriorityClass of the overlay"


def pods_of(workload, resources):
    """The most pods of a workload during a release: a server has one more than its replicas."""
    if not is_server(workload):
        return workload["spec"].get("replicas", 1)
    scalers = of_kind(resources, "HorizontalPodAutoscaler")
    name = workload["metadata"]["name"]
    least = [s["spec"]["minReplicas"] for s in scalers if s["spec"]["scaleTargetRef"]["name"] == name]
    return sum(least) + workload["spec"]["strategy"]["rollingUpdate"]["maxSurge"]


def millis(text):
    return int(text[:-1]) if text.endswith("m") else int(text) * 1_000


def mebibytes(text):
    return int(text[:-2]) * UNITS[text[-2:]] if text[-2:] in UNITS else int(text)
