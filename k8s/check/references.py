"""What resources name must exist.

- `reference`: Secrets, ConfigMaps (and the keys asked for), claims and service accounts.
  A Secret may come from elsewhere if the production overlay's README lists it.
- `service`: a Service selects pods that have its ports.
"""

from resources import containers, labels, named, of_kind, pod, selects, workloads

README = "k8s/overlays/production/README.md"
ISSUED = ("cert-manager.io/v1", "Certificate")


def check(resources, root):
    known = {
        kind: {found["metadata"]["name"]: keys(found) for found in of_kind(resources, kind)}
        for kind in ["Secret", "ConfigMap", "PersistentVolumeClaim", "ServiceAccount"]
    }
    # Without any Secret in the render they all come from elsewhere.
    elsewhere = "" if known["Secret"] else (root / README).read_text()
    for found in resources:
        if (found["apiVersion"], found["kind"]) == ISSUED:
            known["Secret"][found["spec"]["secretName"]] = {"ca.crt", "tls.crt", "tls.key"}
    for workload in workloads(resources):
        for kind, name, key in references(workload):
            if name not in known[kind]:
                if kind != "Secret" or f"`{name}`" not in elsewhere:
                    yield f"reference: {named(workload)}: there is no {kind} {name}"
            elif key is not None and key not in known[kind][name]:
                yield f"reference: {named(workload)}: {kind} {name} has no key {key}"
    for service in of_kind(resources, "Service"):
        yield from selected(service, resources)


def keys(resource):
    return {*resource.get("data", {}), *resource.get("stringData", {})}


def references(workload):
    """(kind, name, key or None) of everything a workload needs to start."""
    spec = pod(workload)
    if "serviceAccountName" in spec:
        yield "ServiceAccount", spec["serviceAccountName"], None
    for volume in spec.get("volumes", []):
        if "secret" in volume:
            yield "Secret", volume["secret"]["secretName"], None
            for item in volume["secret"].get("items", []):
                yield "Secret", volume["secret"]["secretName"], item["key"]
        for source in volume.get("projected", {}).get("sources", []):
            for field, kind in [("secret", "Secret"), ("configMap", "ConfigMap")]:
                if field in source and not source[field].get("optional"):
                    yield kind, source[field]["name"], None
        if "configMap" in volume:
            yield "ConfigMap", volume["configMap"]["name"], None
        if "persistentVolumeClaim" in volume:
            yield "PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"], None
    for container in containers(workload):
        for entry in container.get("env", []):
            source = entry.get("valueFrom", {})
            for field, kind in [("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap")]:
                if field in source and not source[field].get("optional"):
                    yield kind, source[field]["name"], source[field]["key"]
        for source in container.get("envFrom", []):
            for field, kind in [("secretRef", "Secret"), ("configMapRef", "ConfigMap")]:
                if field in source:
                    yield kind, source[field]["name"], None


def selected(service, resources):
    selector = {"matchLabels": service["spec"]["selector"]}
    targets = [found for found in workloads(resources) if selects(selector, labels(found))]
    if len(targets) != 1:
        yield f"service: {named(service)} selects {len(targets)} workloads"
        return
    listed = [port for container in containers(targets[0]) for port in container.get("ports", [])]
    names = {port.get("name") for port in listed} | {port["containerPort"] for port in listed}
    for port in service["spec"]["ports"]:
        target = port.get("targetPort", port["port"])
        if target not in names:
            yield f"service: {named(service)}: {named(targets[0])} has no port {target}"
