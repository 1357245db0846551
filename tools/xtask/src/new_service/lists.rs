//! Makes a new service known where services are listed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::files::write;
use super::words::Words;

/// The service beside whose entries the new one's are written.
const PEER: [&str; 2] = ["chat", "room"];

/// Entries in the gateway as (file, entry): each is written after the same entry of
/// [`PEER`].
const GATEWAY: &[(&str, &str)] = &[
    (
        "gateway/src/config/mod.rs",
        "    /// svc-{{name}}.\n    #[arg(long, env)]\n    pub {{name}}_url: String,\n",
    ),
    ("gateway/src/upstreams.rs", "    {{name}}: Channel,\n"),
    (
        "gateway/src/upstreams.rs",
        "            {{name}}: base.upstream(\"svc-{{name}}\", &args.{{name}}_url)?,\n",
    ),
    (
        "gateway/src/upstreams.rs",
        "    pub(crate) fn {{name}}(&self) -> {{Name}}ServiceClient<Channel> {\n        \
         {{Name}}ServiceClient::new(self.{{name}}.clone())\n    }\n",
    ),
    ("gateway/src/upstreams.rs", "            (Upstream::{{Name}}, &self.{{name}}),\n"),
    ("gateway/src/upstreams.rs", "    /// svc-{{name}}.\n    {{Name}},\n"),
];

/// Entries elsewhere, in the same way: the image, the certificate and where they are named.
const MESH: &[(&str, &str)] = &[
    (
        "Dockerfile",
        "\nFROM runtime AS svc-{{name}}\n\
         LABEL org.opencontainers.image.title=\"svc-{{name}}\"\n\
         COPY --from=programs /programs/svc-{{name}} /svc-{{name}}\n\
         ENTRYPOINT [\"/svc-{{name}}\"]\n",
    ),
    (
        "k8s/base/gateway/deployment.yaml",
        "            - name: {{NAME}}_URL\n              \
         value: https://svc-{{name}}-headless:{{port}}\n",
    ),
    (
        "k8s/overlays/production/certificates.yaml",
        "---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata:\n  \
         name: svc-{{name}}\nspec:\n  secretName: svc-{{name}}-tls\n  \
         dnsNames: [svc-{{name}}]\n  duration: 720h\n  renewBefore: 240h\n  \
         privateKey: {algorithm: ECDSA, size: 256, rotationPolicy: Always}\n  \
         issuerRef: {kind: Issuer, name: mesh}\n  \
         usages: [digital signature, server auth, client auth]\n",
    ),
    (
        "k8s/overlays/production/README.md",
        "| `svc-{{name}}-database`, `svc-{{name}}-database-owner` | `url` each |\n",
    ),
];

const EDGES: &str = "crates/mesh/src/edges.rs";

/// The edge by which the new service has the keys of tokens, after that of a service that has no
/// more than them of svc-auth.
const KEYS: (&str, &str) = (
    "    edge(\"svc-tournament\", \"svc-auth\", &[\"playon.auth.v1.KeyService\"]),\n",
    "    edge(\"svc-{{name}}\", \"svc-auth\", &[\"playon.auth.v1.KeyService\"]),\n",
);

/// The callers of the new service, after the last edge of the list: the gateway, and an
/// example for the internal RPC.
const CALLERS: &str = "    \
     edge(\"gateway\", \"svc-{{name}}\", &[\"playon.{{name}}.v1.{{Name}}Service\"]),\n    \
     edge(\"svc-wallet\", \"svc-{{name}}\", &[\"playon.{{name}}.v1.{{Name}}InternalService\"]),\n";
/// The end of the list of edges.
const LAST_EDGE: &str = "];\n\nconst fn edge(";

/// The gateway's client, at the beginning of what it imports of the contract.
const CLIENT: (&str, &str) = (
    "use proto::{\n    Priority,\n",
    "    {{name}}::v1::{{name}}_service_client::{{Name}}ServiceClient,\n",
);

/// The routes, at the end of the table.
const ROUTES: &str = "
    // {{Nouns_words}}
    get (\"/api/{{nouns_path}}\", Bearer, Read, {{Name}}, |m| on(m, {{nouns}}::list)),
    get (\"/api/{{nouns_path}}/{id}\", Bearer, Read, {{Name}}, |m| on(m, {{nouns}}::get)),
    get (\"/api/{{nouns_path}}/code/{code}\", Guest, Light, {{Name}}, |m| on(m, {{nouns}}::find)),
    post(\"/api/{{nouns_path}}\", Bearer, Write, {{Name}}, |m| on(m, {{nouns}}::create)),
";

/// Texts that players read, by REASON.
const TEXTS: &[(&str, &str)] = &[
    ("INVALID_{{NOUN}}_NAME", "Please enter a name of 1 to 120 characters."),
    ("{{NOUN}}_NOT_FOUND", "We could not find that {{noun_words}}."),
];

/// Adds the service to every list. A list that has it already is left as it is.
pub(super) fn add(root: &Path, words: &Words) -> Result<()> {
    let name = words.name();
    let member = format!("\"svc-{name}\"");
    edit(root, "Cargo.toml", |text| into_list(text, ("members = [", "]"), &member))?;
    let item = format!("\"{name}\"");
    edit(root, "tools/xtask/src/services.rs", |text| {
        into_list(text, ("SERVICES: &[&str] = &[", "]"), &item)
    })?;
    edit(root, "proto/src/lib.rs", |text| Some(into_proto(text, words)))?;
    edit(root, "crates/mesh/texts/en.json", |text| into_texts(text, words))?;
    let folder = words.fill("svc-{{name}}");
    edit(root, "k8s/base/kustomization.yaml", |text| into_resources(text, &folder))?;
    beside_peer_entries(root, MESH, words)?;
    edit(root, EDGES, |text| after(text, KEYS.0, &words.fill(KEYS.1)))?;
    edit(root, EDGES, |text| before(text, LAST_EDGE, &words.fill(CALLERS)))?;
    add_to_gateway(root, words)
}

fn beside_peer_entries(root: &Path, entries: &[(&str, &str)], words: &Words) -> Result<()> {
    let peer = Words::new(PEER[0], PEER[1], None)?;
    for (file, entry) in entries {
        edit(root, file, |text| after(text, &peer.fill(entry), &words.fill(entry)))?;
    }
    Ok(())
}

fn add_to_gateway(root: &Path, words: &Words) -> Result<()> {
    let peer = Words::new(PEER[0], PEER[1], None)?;
    beside_peer_entries(root, GATEWAY, words)?;
    edit(root, "gateway/src/upstreams.rs", |text| after(text, CLIENT.0, &words.fill(CLIENT.1)))?;
    edit(root, "gateway/src/http/mod.rs", |text| {
        after(text, "pub(crate) mod chat;\n", &words.fill("pub(crate) mod {{nouns}};\n"))
    })?;
    edit(root, "gateway/src/routes.rs", |text| {
        let text = into_list(text, ("http::{", "}"), &words.fill("{{nouns}}"))?;
        let text = into_list(&text, ("use Upstream::{", "}"), &words.fill("{{Name}}"))?;
        into_routes(&text, &words.fill(ROUTES))
    })?;
    for file in rust_files(&root.join("gateway/tests"))? {
        edit(root, &file.to_string_lossy(), |text| Some(beside_peer(text, &peer, words)))?;
    }
    Ok(())
}

fn edit(root: &Path, path: &str, change: impl Fn(&str) -> Option<String>) -> Result<()> {
    let file = root.join(path);
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
    let changed = change(&text).with_context(|| format!("{path} has no list of services"))?;
    if changed == text { Ok(()) } else { write(&file, &changed) }
}

/// Adds an item at the end of the list between two marks, on a line of its own where the
/// list has lines.
fn into_list(text: &str, (opening, closing): (&str, &str), item: &str) -> Option<String> {
    let start = text.find(opening)? + opening.len();
    let end = start + text.get(start..)?.find(closing)?;
    let list = text.get(start..end)?;
    if list.split([',', '\n']).any(|listed| listed.trim() == item) {
        return Some(text.to_owned());
    }
    let kept = list.trim_end().trim_end_matches(',');
    let added = if list.contains('\n') {
        format!("{kept},\n    {item},\n")
    } else {
        format!("{kept}, {item}")
    };
    Some(format!("{}{added}{}", text.get(..start)?, text.get(end..)?))
}

/// Adds an entry after another; `None` where that one is missing.
fn after(text: &str, anchor: &str, entry: &str) -> Option<String> {
    if text.contains(entry) {
        return Some(text.to_owned());
    }
    let end = text.find(anchor)? + anchor.len();
    // A block of several lines is set apart like its anchor.
    let gap = if entry.ends_with("}\n") || entry.contains("#[") { "\n" } else { "" };
    Some(format!("{}{gap}{entry}{}", text.get(..end)?, text.get(end..)?))
}

/// Adds an entry before an anchor; `None` where that one is missing.
fn before(text: &str, anchor: &str, entry: &str) -> Option<String> {
    if text.contains(entry) {
        return Some(text.to_owned());
    }
    let (head, tail) = text.split_at(text.find(anchor)?);
    Some(format!("{head}{entry}{tail}"))
}

/// Adds the routes at the end of the table.
fn into_routes(text: &str, routes: &str) -> Option<String> {
    if text.contains(routes) {
        return Some(text.to_owned());
    }
    let table = text.find("static ROUTES")?;
    let end = table + text.get(table..)?.find("\n];")? + 1;
    Some(format!("{}{routes}{}", text.get(..end)?, text.get(end..)?))
}

/// Repeats, for the new service, each line that has the peer's URL. The new line comes
/// first and clones a variable, which the peer's line may move.
fn beside_peer(text: &str, peer: &Words, words: &Words) -> String {
    let (field, own_field) = (peer.fill("{{name}}_url"), words.fill("{{name}}_url"));
    if text.contains(&own_field) {
        return text.to_owned();
    }
    let mut edited = String::new();
    for line in text.split_inclusive('\n') {
        if line.contains(&field) {
            let own = line.replace(&field, &own_field);
            let own = own.replace(&peer.fill("{{Name}}"), &words.fill("{{Name}}"));
            let own = own.replace(&peer.fill("svc-{{name}}"), &words.fill("svc-{{name}}"));
            let value =
                own.trim().strip_prefix(&own_field).and_then(|rest| rest.strip_prefix(": "));
            let is_variable = value.is_some_and(|value| {
                value.trim_end_matches(',').chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
            });
            edited.push_str(&if is_variable { own.replace(",\n", ".clone(),\n") } else { own });
        }
        edited.push_str(line);
    }
    edited
}

/// Adds the module with the generated code.
fn into_proto(text: &str, words: &Words) -> String {
    let include = words.fill("include!(\"gen/playon.{{name}}.v1.rs\");");
    if text.contains(&include) {
        return text.to_owned();
    }
    let module = words.fill(
        "\n/// svc-{{name}}: {{nouns_words}}.\npub mod {{name}} {\n    \
         #![allow(missing_docs, clippy::all, reason = \"generated\")]\n    pub mod v1 {\n        ",
    );
    format!("{}\n{module}{include}\n    }}\n}}\n", text.trim_end())
}

/// Adds the texts to the catalogue, which is sorted by REASON.
fn into_texts(text: &str, words: &Words) -> Option<String> {
    let lines = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim().lines();
    let mut entries: Vec<String> =
        lines.map(|line| line.trim().trim_end_matches(',').to_owned()).collect();
    for (reason, text) in TEXTS {
        let reason = format!("\"{}\": ", words.fill(reason));
        if !entries.iter().any(|entry| entry.starts_with(&reason)) {
            entries.push(format!("{reason}\"{}\"", words.fill(text)));
        }
    }
    entries.sort_by(|one, other| one.split('"').nth(1).cmp(&other.split('"').nth(1)));
    Some(format!("{{\n  {}\n}}\n", entries.join(",\n  ")))
}

/// Adds a folder to the resources of a kustomization.
fn into_resources(text: &str, folder: &str) -> Option<String> {
    let item = format!("  - {folder}\n");
    if text.contains(&item) {
        return Some(text.to_owned());
    }
    let start = text.find("resources:\n")? + "resources:\n".len();
    let listed =
        text.get(start..)?.split_inclusive('\n').take_while(|line| line.starts_with("  - "));
    let end = start + listed.map(str::len).sum::<usize>();
    Some(format!("{}{item}{}", text.get(..end)?, text.get(end..)?))
}

/// The Rust files below a folder.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::new("talk", "group_call", None).unwrap()
    }

    #[test]
    fn lists_grow_by_one_and_only_once() {
        let members = "members = [\n    \"gateway\",\n    \"tools/*\",\n]\n";
        let marks = ("members = [", "]");
        let grown = into_list(members, marks, "\"svc-talk\"").unwrap();
        assert_eq!(
            grown,
            "members = [\n    \"gateway\",\n    \"tools/*\",\n    \"svc-talk\",\n]\n"
        );
        assert_eq!(into_list(&grown, marks, "\"svc-talk\"").unwrap(), grown);
        let inline = "SERVICES: &[&str] = &[\"auth\", \"chat\"];";
        let marks = ("SERVICES: &[&str] = &[", "]");
        let grown = into_list(inline, marks, "\"talk\"").unwrap();
        assert_eq!(grown, "SERVICES: &[&str] = &[\"auth\", \"chat\", \"talk\"];");
    }

    #[test]
    fn an_entry_is_written_after_its_peers_or_not_at_all() {
        let entry = GATEWAY[1].1;
        let (peer, own) = ("    chat: Channel,\n", words().fill(entry));
        let text = format!("struct Upstreams {{\n{peer}}}\n");
        let grown = after(&text, peer, &own).unwrap();
        assert_eq!(grown, "struct Upstreams {\n    chat: Channel,\n    talk: Channel,\n}\n");
        assert_eq!(after(&grown, peer, &own).unwrap(), grown);
        assert_eq!(after("struct Upstreams {}\n", peer, &own), None);
    }

    #[test]
    fn the_peers_entries_are_in_the_checkout() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let peer = Words::new(PEER[0], PEER[1], None).unwrap();
        for (file, entry) in MESH {
            let text = fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(&peer.fill(entry)), "{file} has no {}", peer.fill(entry));
        }
        let anchors = [(EDGES, KEYS.0), (EDGES, LAST_EDGE), ("gateway/src/upstreams.rs", CLIENT.0)];
        for (file, anchor) in anchors {
            let text = fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(anchor), "{file} has no {anchor}");
        }
    }

    #[test]
    fn routes_are_written_at_the_end_of_the_table() {
        let table =
            "pub static ROUTES: &[Route] = &[\n    head(),\n];\n\nconst OTHER: &[u8] = &[\n];\n";
        let grown = into_routes(table, "    get(),\n").unwrap();
        assert!(
            grown.starts_with("pub static ROUTES: &[Route] = &[\n    head(),\n    get(),\n];\n")
        );
        assert_eq!(into_routes(&grown, "    get(),\n").unwrap(), grown);
    }

    #[test]
    fn the_catalogue_of_texts_stays_sorted() {
        let texts = "{\n  \"GAME_NOT_FOUND\": \"No, \\\"no\\\".\",\n  \"INTERNAL\": \"Oh.\"\n}\n";
        let grown = into_texts(texts, &words()).unwrap();
        let reasons: Vec<&str> = grown.lines().filter_map(|line| line.split('"').nth(1)).collect();
        assert_eq!(
            reasons,
            ["GAME_NOT_FOUND", "GROUP_CALL_NOT_FOUND", "INTERNAL", "INVALID_GROUP_CALL_NAME"]
        );
        assert_eq!(into_texts(&grown, &words()).unwrap(), grown);
    }

    #[test]
    fn lines_with_the_peers_url_are_repeated_once() {
        let peer = Words::new(PEER[0], PEER[1], None).unwrap();
        for (line, own) in [
            (
                "    (Upstream::Chat, &mut services.chat_url),\n",
                "    (Upstream::Talk, &mut services.talk_url),\n",
            ),
            ("    chat_url: upstreams_url,\n", "    talk_url: upstreams_url.clone(),\n"),
            ("    chat_url: closed_port(),\n", "    talk_url: closed_port(),\n"),
        ] {
            let grown = beside_peer(line, &peer, &words());
            assert_eq!(grown, format!("{own}{line}"));
            assert_eq!(beside_peer(&grown, &peer, &words()), grown);
        }
    }

    #[test]
    fn a_folder_joins_the_resources_of_the_base() {
        let base = "resources:\n  - gateway\n  - svc-chat\npatches: []\n";
        let grown = into_resources(base, "svc-talk").unwrap();
        assert_eq!(grown, "resources:\n  - gateway\n  - svc-chat\n  - svc-talk\npatches: []\n");
        assert_eq!(into_resources(&grown, "svc-talk").unwrap(), grown);
    }
}
