//! The files of a new service, from the templates.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::words::Words;

/// Files as (path, template). Paths have placeholders, too.
macro_rules! templates {
    ($($path:literal from $file:literal,)*) => {
        &[$(($path, include_str!(concat!("../../templates/", $file))),)*]
    };
}

const SERVICE: &[(&str, &str)] = templates! {
    "svc-{{name}}/Cargo.toml" from "service/Cargo.toml.in",
    "svc-{{name}}/README.md" from "service/README.md",
    "svc-{{name}}/build.rs" from "service/build.rs",
    "svc-{{name}}/sqlx.toml" from "service/sqlx.toml",
    "svc-{{name}}/migrations/0001_{{noun}}.sql" from "service/migrations/0001_noun.sql",
    "svc-{{name}}/src/main.rs" from "service/src/main.rs",
    "svc-{{name}}/src/lib.rs" from "service/src/lib.rs",
    "svc-{{name}}/src/config.rs" from "service/src/config.rs",
    "svc-{{name}}/src/error.rs" from "service/src/error.rs",
    "svc-{{name}}/src/jobs.rs" from "service/src/jobs.rs",
    "svc-{{name}}/src/domain/mod.rs" from "service/src/domain/mod.rs",
    "svc-{{name}}/src/domain/code.rs" from "service/src/domain/code.rs",
    "svc-{{name}}/src/domain/name.rs" from "service/src/domain/name.rs",
    "svc-{{name}}/src/domain/{{noun}}.rs" from "service/src/domain/noun.rs",
    "svc-{{name}}/src/app/mod.rs" from "service/src/app/mod.rs",
    "svc-{{name}}/src/app/announce_{{noun}}.rs" from "service/src/app/announce_noun.rs",
    "svc-{{name}}/src/app/batch_get_{{nouns}}.rs" from "service/src/app/batch_get_nouns.rs",
    "svc-{{name}}/src/app/create_{{noun}}.rs" from "service/src/app/create_noun.rs",
    "svc-{{name}}/src/app/expire_{{nouns}}.rs" from "service/src/app/expire_nouns.rs",
    "svc-{{name}}/src/app/find_{{noun}}.rs" from "service/src/app/find_noun.rs",
    "svc-{{name}}/src/app/get_{{noun}}.rs" from "service/src/app/get_noun.rs",
    "svc-{{name}}/src/app/list_{{nouns}}.rs" from "service/src/app/list_nouns.rs",
    "svc-{{name}}/src/app/sweep.rs" from "service/src/app/sweep.rs",
    "svc-{{name}}/src/store/mod.rs" from "service/src/store/mod.rs",
    "svc-{{name}}/src/store/{{noun}}.rs" from "service/src/store/noun.rs",
    "svc-{{name}}/src/rpc/mod.rs" from "service/src/rpc/mod.rs",
    "svc-{{name}}/src/rpc/decode.rs" from "service/src/rpc/decode.rs",
    "svc-{{name}}/src/rpc/encode.rs" from "service/src/rpc/encode.rs",
    "svc-{{name}}/src/rpc/internal.rs" from "service/src/rpc/internal.rs",
    "svc-{{name}}/src/rpc/{{nouns}}.rs" from "service/src/rpc/nouns.rs",
    "svc-{{name}}/tests/it/main.rs" from "service/tests/it/main.rs",
    "svc-{{name}}/tests/it/create.rs" from "service/tests/it/create.rs",
    "svc-{{name}}/tests/it/expiry.rs" from "service/tests/it/expiry.rs",
    "svc-{{name}}/tests/it/harness.rs" from "service/tests/it/harness.rs",
    "svc-{{name}}/tests/it/internal.rs" from "service/tests/it/internal.rs",
    "svc-{{name}}/tests/it/list.rs" from "service/tests/it/list.rs",
    "svc-{{name}}/tests/it/read.rs" from "service/tests/it/read.rs",
    "svc-{{name}}/tests/it/replicas.rs" from "service/tests/it/replicas.rs",
    "svc-{{name}}/tests/it/schema.rs" from "service/tests/it/schema.rs",
};

/// Tables of crates/mesh, as they are there.
const TABLES: &[(&str, &str)] = &[
    (
        "svc-{{name}}/migrations/0002_outbox.sql",
        include_str!("../../../../crates/mesh/src/outbox/table.sql"),
    ),
    (
        "svc-{{name}}/migrations/0003_request.sql",
        include_str!("../../../../crates/mesh/src/request.sql"),
    ),
];

const GATEWAY: &[(&str, &str)] = templates! {
    "gateway/src/http/{{nouns}}.rs" from "gateway/nouns.rs",
};

const KUBERNETES: &[(&str, &str)] = templates! {
    "k8s/base/svc-{{name}}/kustomization.yaml" from "k8s/kustomization.yaml",
    "k8s/base/svc-{{name}}/serviceaccount.yaml" from "k8s/serviceaccount.yaml",
    "k8s/base/svc-{{name}}/migration.yaml" from "k8s/migration.yaml",
    "k8s/base/svc-{{name}}/deployment.yaml" from "k8s/deployment.yaml",
    "k8s/base/svc-{{name}}/service.yaml" from "k8s/service.yaml",
    "k8s/base/svc-{{name}}/poddisruptionbudget.yaml" from "k8s/poddisruptionbudget.yaml",
    "k8s/base/svc-{{name}}/horizontalpodautoscaler.yaml" from "k8s/horizontalpodautoscaler.yaml",
};

const CONTRACT: &[(&str, &str)] = templates! {
    "proto/playon/{{name}}/v1/{{name}}.proto" from "service/contract.proto",
};

/// Writes the service's files. A contract that exists is kept.
pub(super) fn stamp(root: &Path, words: &Words) -> Result<()> {
    for (path, template) in all() {
        let file = root.join(words.fill(path));
        let is_contract = CONTRACT.iter().any(|(contract, _)| contract == path);
        if !(is_contract && file.exists()) {
            write(&file, &words.fill(template))?;
        }
    }
    Ok(())
}

/// All templates as (path, template).
fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    [SERVICE, TABLES, GATEWAY, KUBERNETES, CONTRACT].into_iter().flatten()
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placeholder_of_every_template_is_filled() {
        let words = Words::new("talk", "chat_room", None).unwrap();
        for (path, template) in all() {
            let (path, text) = (words.fill(path), words.fill(template));
            assert!(!path.contains("{{") && !text.contains("{{"), "{path}: {text}");
        }
    }

    #[test]
    fn the_kustomization_lists_every_file_of_its_folder() {
        let text = |name: &str| {
            let mut files = KUBERNETES.iter();
            files.find(|(path, _)| path.ends_with(name)).map(|(_, text)| *text).unwrap()
        };
        let (_, listed) = text("/kustomization.yaml").split_once("resources:\n").unwrap();
        let mut listed: Vec<&str> =
            listed.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
        listed.push("kustomization.yaml");
        listed.sort_unstable();
        let mut files: Vec<&str> =
            KUBERNETES.iter().filter_map(|(path, _)| path.rsplit('/').next()).collect();
        files.sort_unstable();
        assert_eq!(listed, files);
    }

    /// What one has beyond the template is in patches, so that a change of the template
    /// is made for all.
    #[test]
    fn every_services_kubernetes_folder_is_the_template() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        for name in crate::services::SERVICES {
            let words = Words::new(name, "item", None).unwrap();
            for (path, template) in KUBERNETES {
                let path = words.fill(path);
                let text = fs::read_to_string(root.join(&path)).unwrap();
                let expected = words.fill(template);
                if path.ends_with("/kustomization.yaml") {
                    assert!(text.starts_with(&expected), "{path} does not begin as its template");
                } else {
                    assert_eq!(text, expected, "{path} differs from its template");
                }
            }
        }
    }
}
