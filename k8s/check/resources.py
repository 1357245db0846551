"""Pods and selectors of a render."""

WORKLOADS = {"Deployment", "StatefulSet", "DaemonSet", "Job"}


def named(resource):
    return f"{resource['kind']} {resource['metadata']['name']}"


def of_kind(resources, *kinds):
    return [resource for resource in resources if resource["kind"] in kinds]


def workloads(resources):
    return of_kind(resources, *WORKLOADS)


def pod(workload):
    return workload["spec"]["template"]["spec"]


def labels(workload):
    return workload["spec"]["template"]["metadata"].get("labels", {})


def containers(workload):
    spec = pod(workload)
    return spec.get("initContainers", []) + spec["containers"]


def is_server(workload):
    return labels(workload).get("app.kubernetes.io/component") == "server"


def selects(selector, found):
    """Whether a label selector selects these labels."""
    if selector is None:
        return False
    if any(found.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    for rule in selector.get("matchExpressions", []):
        value, values = found.get(rule["key"]), rule.get("values", [])
        holds = {
            "In": value in values,
            "NotIn": value not in values,
            "Exists": rule["key"] in found,
            "DoesNotExist": rule["key"] not in found,
        }
        if not holds[rule["operator"]]:
            return False
    return True
