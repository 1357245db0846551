"""Each rule finds its fault: the render of the overlay `kind`, with one thing changed.

`cargo xtask manifests` runs it: `python test_rules.py CHECKOUT RENDER.yaml`.
"""

import copy
import sys
import unittest
from pathlib import Path

import yaml

import budget
import check
import environment
import pods
import policies
import references

ROOT, RENDER = Path(sys.argv[1]), Path(sys.argv[2])
RESOURCES = [found for found in yaml.safe_load_all(RENDER.read_text()) if found]


class Rules(unittest.TestCase):
    def setUp(self):
        self.resources = copy.deepcopy(RESOURCES)

    def find(self, kind, name):
        for found in self.resources:
            if found["kind"] == kind and found["metadata"]["name"] == name:
                return found
        raise AssertionError(f"no {kind} {name}")

    def server(self, name="svc-wallet"):
        return self.find("Deployment", name)["spec"]["template"]["spec"]["containers"][0]

    def remove(self, kind, name):
        self.resources.remove(self.find(kind, name))

    def expect(self, start):
        # Schemas are slow, so only those of the resource in question.
        kind, _, name = start.partition(": ")[2].partition(":")[0].partition(" ")
        schemas = [self.find(kind, name)] if start.startswith("schema") else []
        faults = [
            *check.schemas(schemas),
            *pods.check(self.resources),
            *policies.check(self.resources, ROOT),
            *references.check(self.resources, ROOT),
            *budget.check(self.resources),
        ]
        self.assertTrue(any(fault.startswith(start) for fault in faults), faults)

    def test_a_misspelt_field(self):
        probe = self.server()["readinessProbe"]
        probe["periodSecond"] = probe.pop("periodSeconds")
        self.expect("schema 1.34: Deployment svc-wallet: spec.template")

    def test_a_wrong_type(self):
        self.find("HorizontalPodAutoscaler", "gateway")["spec"]["maxReplicas"] = "3"
        self.expect("schema 1.36: HorizontalPodAutoscaler gateway: spec.maxReplicas")

    def test_a_kind_that_has_no_schema(self):
        self.find("Deployment", "gateway")["apiVersion"] = "apps/v2"
        self.expect("schema 1.34: Deployment gateway: Couldn't find")

    def test_no_tag(self):
        self.server()["image"] = "docker.io/playon/svc-wallet"
        self.expect("image: Deployment svc-wallet")

    def test_the_latest_tag(self):
        self.server()["image"] = "docker.io/playon/svc-wallet:latest"
        self.expect("image: Deployment svc-wallet")

    def test_more_processors_than_a_small_node_has(self):
        self.server()["resources"]["requests"]["cpu"] = "200m"
        self.expect("budget: ")

    def test_more_memory_than_a_small_node_has(self):
        self.find("StatefulSet", "redis")["spec"]["template"]["spec"]["containers"][0][
            "resources"]["requests"]["memory"] = "1Gi"
        self.expect("budget: ")

    def test_a_store_without_priority(self):
        del self.find("StatefulSet", "postgres")["spec"]["template"]["spec"]["priorityClassName"]
        self.expect("priority: StatefulSet postgres")

    def test_no_memory_limit(self):
        del self.server()["resources"]["limits"]
        self.expect("resources: Deployment svc-wallet")

    def test_a_root_file_system_that_can_be_written(self):
        self.server()["securityContext"]["readOnlyRootFilesystem"] = False
        self.expect("restricted: Deployment svc-wallet")

    def test_root(self):
        spec = self.find("Deployment", "svc-wallet")["spec"]["template"]["spec"]
        del spec["securityContext"]["runAsNonRoot"]
        self.expect("restricted: Deployment svc-wallet")

    def test_no_startup_probe(self):
        del self.server()["startupProbe"]
        self.expect("probes: Deployment svc-wallet")

    def test_liveness_by_health(self):
        self.server()["livenessProbe"] = {"grpc": {"port": 9100}}
        self.expect("probes: Deployment svc-wallet")

    def test_too_little_time_to_stop(self):
        spec = self.find("Deployment", "svc-wallet")["spec"]["template"]["spec"]
        spec["terminationGracePeriodSeconds"] = 50
        self.expect("stop: Deployment svc-wallet: 50 s are too few")

    def test_no_disruption_budget(self):
        self.remove("PodDisruptionBudget", "svc-wallet")
        self.expect("scale: Deployment svc-wallet")

    def test_no_default_deny(self):
        self.remove("NetworkPolicy", "default-deny")
        self.expect("deny:")

    def test_a_pod_without_a_policy(self):
        self.remove("NetworkPolicy", "sandbox")
        self.expect("policy: Deployment sandbox")

    def test_a_removed_policy_of_a_service(self):
        self.remove("NetworkPolicy", "svc-auth-calls")
        self.expect("edges: gateway has an edge to svc-auth and may not connect")

    def test_a_client_that_may_not_connect_to_its_store(self):
        template = self.find("Deployment", "svc-wallet")["spec"]["template"]
        del template["metadata"]["labels"]["redis-client"]
        self.expect("store: Deployment svc-wallet uses redis and may not connect")

    def test_a_pod_that_may_connect_to_a_store_of_others(self):
        template = self.find("Deployment", "svc-games")["spec"]["template"]
        template["metadata"]["labels"]["redis-client"] = "true"
        self.expect("store: Deployment svc-games may connect to redis and does not use it")

    def test_a_call_that_is_no_edge(self):
        to_wallet = {"podSelector": {"matchLabels": {"app.kubernetes.io/name": "svc-wallet"}}}
        from_games = {"podSelector": {"matchLabels": {"app.kubernetes.io/name": "svc-games"}}}
        self.find("NetworkPolicy", "svc-games-calls")["spec"]["egress"].append({"to": [to_wallet]})
        # One side is not enough for a connection.
        self.assertEqual(list(policies.check(self.resources, ROOT)), [])
        wallet = self.find("NetworkPolicy", "svc-wallet-calls")["spec"]["ingress"]
        wallet.append({"from": [from_games]})
        self.expect("edges: svc-games may connect to svc-wallet:50052 without an edge")

    def test_a_secret_that_is_not_there(self):
        self.remove("Secret", "svc-wallet-daraja")
        self.expect("reference: Deployment svc-wallet: there is no Secret")

    def test_a_key_that_is_not_there(self):
        del self.find("Secret", "svc-auth-keys")["data"]["CODE_SECRET"]
        self.expect("reference: Deployment svc-auth: Secret svc-auth-keys has no key CODE_SECRET")

    def test_a_service_that_selects_nothing(self):
        selector = self.find("Service", "svc-auth-headless")["spec"]["selector"]
        selector["app.kubernetes.io/name"] = "svc-oauth"
        self.expect("service: Service svc-auth-headless selects 0")

    def test_an_argument_is_read_from_the_help(self):
        help_text = (
            "Usage: svc [OPTIONS] --listen <LISTEN> --database-url <URL>\n\nOptions:\n"
            "      --listen <LISTEN>\n          Where [env: LISTEN=]\n"
            "      --database-url <URL>\n          Its database [env: SVC_DATABASE_URL]\n"
            "      --drain <DRAIN>\n          How long [env: DRAIN=] [default: 40s]\n"
            "  -h, --help\n          Print help\n"
        )
        options, required = environment.parse(help_text)
        self.assertEqual(required, {"listen", "database-url"})
        names = {"listen": "LISTEN", "database-url": "SVC_DATABASE_URL", "drain": "DRAIN"}
        self.assertEqual(options, names)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
