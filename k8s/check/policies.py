"""Who may connect to whom, by the network policies of a render.

- `deny`: one policy selects every pod and allows nothing.
- `policy`: each pod is selected by a policy of its own, so that none is only denied or
  forgotten. A Job's pod that is only connected from needs one for egress alone.
- `store`: a pod with the URL of a database or of Redis may connect to it, and no other pod.
- `edges`: a server may connect to another's port exactly where crates/mesh/src/edges.rs
  has an edge. The metrics port is no part of it.
"""

import re

from resources import containers, is_server, labels, named, of_kind, selects, workloads

METRICS = 9100
# The variables with which a pod finds a store.
URL_OF = {
    "postgres": re.compile(r"\w+_DATABASE_URL|PGHOST"),
    "redis": re.compile(r"REDIS_URL"),
}


def check(resources, root):
    policies = of_kind(resources, "NetworkPolicy")
    deny = [policy for policy in policies if not any_rule(policy) and for_all(policy)]
    if len(deny) != 1 or set(deny[0]["spec"]["policyTypes"]) != {"Ingress", "Egress"}:
        yield "deny: no policy denies everything to every pod"
    for workload in workloads(resources):
        own = [policy for policy in policies if not for_all(policy) and applies(policy, workload)]
        if not own:
            yield f"policy: {named(workload)}: no NetworkPolicy of its own selects it"
    for store in of_kind(resources, "StatefulSet"):
        yield from clients(policies, store, workloads(resources))
    edges = read_edges(root)
    servers = [workload for workload in workloads(resources) if is_server(workload)]
    for caller in servers:
        for callee in servers:
            if caller is callee:
                continue
            pair = (caller["metadata"]["name"], callee["metadata"]["name"])
            for port in ports(callee):
                allowed = may_connect(policies, caller, callee, port)
                if allowed and pair not in edges:
                    yield f"edges: {pair[0]} may connect to {pair[1]}:{port} without an edge"
                if not allowed and pair in edges:
                    yield f"edges: {pair[0]} has an edge to {pair[1]} and may not connect to {port}"
    names = {server["metadata"]["name"] for server in servers}
    for name in {name for edge in edges for name in edge} - names:
        yield f"edges: {name} is not deployed"


def clients(policies, store, others):
    name = store["metadata"]["name"]
    (port,) = ports(store)
    for client in others:
        entries = [entry for container in containers(client) for entry in container.get("env", [])]
        wants = any(URL_OF[name].fullmatch(entry["name"]) for entry in entries)
        allowed = may_connect(policies, client, store, port)
        # A migration has all arguments of its service and uses the database alone.
        idle = name == "redis" and client["kind"] == "Job"
        if wants and not allowed and not idle:
            yield f"store: {named(client)} uses {name} and may not connect to it"
        if allowed and not wants:
            yield f"store: {named(client)} may connect to {name} and does not use it"


def read_edges(root):
    text = (root / "crates/mesh/src/edges.rs").read_text()
    found = set(re.findall(r'edge\(\s*"([\w-]+)",\s*"([\w-]+)"', text))
    if not found:
        raise SystemExit("crates/mesh/src/edges.rs has no edge that this program can read")
    return found


def any_rule(policy):
    return bool(policy["spec"].get("ingress") or policy["spec"].get("egress"))


def for_all(policy):
    return not policy["spec"]["podSelector"]


def applies(policy, workload):
    return selects(policy["spec"]["podSelector"], labels(workload))


def ports(workload):
    listed = [port for container in containers(workload) for port in container.get("ports", [])]
    return [port["containerPort"] for port in listed if port["containerPort"] != METRICS]


def may_connect(policies, caller, callee, port):
    return direction(policies, "egress", caller, callee, port) and direction(
        policies, "ingress", callee, caller, port
    )


def direction(policies, way, selected, peer, port):
    """Whether a rule of that direction at the selected pod has the peer and the port."""
    key = {"ingress": "from", "egress": "to"}[way]
    for policy in policies:
        if not applies(policy, selected):
            continue
        for rule in policy["spec"].get(way) or []:
            peers, allowed = rule.get(key), rule.get("ports")
            if (not peers or any(matches(one, peer) for one in peers)) and (
                not allowed or any(one.get("port", port) == port for one in allowed)
            ):
                return True
    return False


def matches(rule, workload):
    if "ipBlock" in rule:
        # Pods have private addresses.
        return rule["ipBlock"]["cidr"] == "0.0.0.0/0" and not rule["ipBlock"].get("except")
    # All servers are in one namespace; `kube-system` and the like have none of them.
    namespace = rule.get("namespaceSelector")
    if namespace is not None and namespace != {}:
        return False
    return selects(rule.get("podSelector", {}), labels(workload))
