//! The list of edges against what is written down elsewhere: the network policies in
//! `k8s/base/network-policies.yaml` and the table in `docs/ARCHITECTURE.md`. Both are
//! generated from it: `BLESS=1 cargo test --workspace --test edges` writes them.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test says where it cannot go on")]

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use mesh::edges::{EDGES, Edge};

const POLICIES: &str = "k8s/base/network-policies.yaml";
const ARCHITECTURE: &str = "docs/ARCHITECTURE.md";
const TABLE: &str = "| caller | upstream | may call |\n| --- | --- | --- |\n";

#[test]
fn the_network_policies_are_the_edges() {
    let file = root().join(POLICIES);
    compare(&file, &fs::read_to_string(&file).unwrap_or_default(), &policies());
}

#[test]
fn the_table_of_allowed_calls_is_the_edges() {
    let file = root().join(ARCHITECTURE);
    let text = fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(TABLE).expect("a table of allowed calls");
    let rows = rest.split_inclusive('\n').take_while(|line| line.starts_with('|'));
    let after = &rest[rows.map(str::len).sum::<usize>()..];
    compare(&file, &text, &format!("{before}{TABLE}{}{after}", table()));
}

/// Fails when the text is not the expected one, or writes it.
fn compare(file: &Path, text: &str, expected: &str) {
    if std::env::var_os("BLESS").is_some() {
        fs::write(file, expected).unwrap();
    } else {
        let file = file.display();
        assert!(
            text == expected,
            "{file} differs from crates/mesh/src/edges.rs; BLESS=1 cargo test --workspace --test edges writes it:\n{}",
            first_difference(text, expected)
        );
    }
}

fn first_difference(text: &str, expected: &str) -> String {
    let mut lines = expected.lines();
    let mut found = text.lines();
    loop {
        match (found.next(), lines.next()) {
            (None, None) => return "the end of the file".to_owned(),
            (found, expected) if found == expected => {}
            (found, expected) => return format!("  it has    {found:?}\n  expected  {expected:?}"),
        }
    }
}

fn table() -> String {
    EDGES.iter().fold(String::new(), |mut rows, Edge { caller, callee, services }| {
        let services: Vec<String> =
            services.iter().map(|name| format!("`{}`", last(name))).collect();
        writeln!(rows, "| {caller} | {callee} | {} |", services.join(", ")).unwrap();
        rows
    })
}

/// Returns the last part of a service's name: `AuthService` of `playon.auth.v1.AuthService`.
fn last(service: &str) -> &str {
    service.rsplit('.').next().unwrap_or(service)
}

/// One policy for each process: from which callers, and to which upstreams.
fn policies() -> String {
    let mut text = String::from(
        "# The calls of the mesh. Generated from crates/mesh/src/edges.rs, which has what each\n\
         # caller may call there: BLESS=1 cargo test --workspace --test edges\n",
    );
    let processes: BTreeSet<&str> =
        EDGES.iter().flat_map(|edge| [edge.caller, edge.callee]).collect();
    for (index, process) in processes.into_iter().enumerate() {
        let separator = if index > 0 { "---\n" } else { "" };
        write!(
            text,
            "{separator}apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  \
             name: {process}-calls\nspec:\n  podSelector:\n    matchLabels:\n{}  \
             policyTypes: [Ingress, Egress]\n",
            labels(process, 6)
        )
        .unwrap();
        let callers: Vec<&Edge> = EDGES.iter().filter(|edge| edge.callee == process).collect();
        if !callers.is_empty() {
            text.push_str("  ingress:\n    - from:\n");
            for edge in callers {
                text.push_str(&peer(edge.caller));
            }
            writeln!(text, "      ports:\n        - port: {}", port(process)).unwrap();
        }
        let callees: Vec<&Edge> = EDGES.iter().filter(|edge| edge.caller == process).collect();
        if !callees.is_empty() {
            text.push_str("  egress:\n");
            for edge in callees {
                let to = peer(edge.callee);
                let port = port(edge.callee);
                write!(text, "    - to:\n{to}      ports:\n        - port: {port}\n").unwrap();
            }
        }
    }
    text
}

fn peer(process: &str) -> String {
    format!("        - podSelector:\n            matchLabels:\n{}", labels(process, 14))
}

/// Labels that select servers only: the pod of a migration has no calls.
fn labels(process: &str, indent: usize) -> String {
    let name = format!("app.kubernetes.io/name: {process}");
    [name.as_str(), "app.kubernetes.io/component: server"]
        .map(|label| format!("{:indent$}{label}\n", ""))
        .concat()
}

/// The port on which the process's Deployment serves calls.
fn port(process: &str) -> String {
    let file = root().join("k8s/base").join(process).join("deployment.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let (_, rest) = text.split_once("- name: grpc\n").expect("a port called grpc");
    let line = rest.lines().next().unwrap();
    line.trim().strip_prefix("containerPort: ").expect("a containerPort").to_owned()
}

/// The workspace, from the package's folder, in which a test starts.
fn root() -> PathBuf {
    PathBuf::from("../..")
}
