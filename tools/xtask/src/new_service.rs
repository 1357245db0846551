//! `new-service`: a service by the house's floor plan, ready to compile.

mod words;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::builds::{cargo, run};
use crate::checkout::Checkout;
use crate::generated;
use crate::offline;

use words::Words;

/// What is to be stamped.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NewService {
    /// Its name: one lower-case word (`rewards` makes svc-rewards).
    name: String,
    /// What it is about, in the singular (`reward`, `chat_room`).
    #[arg(long)]
    noun: String,
    /// The noun's plural, where that is not an added s.
    #[arg(long)]
    plural: Option<String>,
}

/// Files of a service, as (path, template). Paths hold placeholders, too.
macro_rules! templates {
    ($($path:literal from $file:literal,)*) => {
        &[$(($path, include_str!(concat!("../templates/service/", $file))),)*]
    };
}

const TEMPLATES: &[(&str, &str)] = templates! {
    "svc-{{name}}/Cargo.toml" from "Cargo.toml.in",
    "svc-{{name}}/README.md" from "README.md",
    "svc-{{name}}/build.rs" from "build.rs",
    "svc-{{name}}/sqlx.toml" from "sqlx.toml",
    "svc-{{name}}/migrations/0001_{{noun}}.sql" from "migrations/0001_noun.sql",
    "svc-{{name}}/src/main.rs" from "src/main.rs",
    "svc-{{name}}/src/lib.rs" from "src/lib.rs",
    "svc-{{name}}/src/config.rs" from "src/config.rs",
    "svc-{{name}}/src/error.rs" from "src/error.rs",
    "svc-{{name}}/src/domain/mod.rs" from "src/domain/mod.rs",
    "svc-{{name}}/src/domain/{{noun}}.rs" from "src/domain/noun.rs",
    "svc-{{name}}/src/app/mod.rs" from "src/app/mod.rs",
    "svc-{{name}}/src/app/get_{{noun}}.rs" from "src/app/get_noun.rs",
    "svc-{{name}}/src/app/list_{{nouns}}.rs" from "src/app/list_nouns.rs",
    "svc-{{name}}/src/store/mod.rs" from "src/store/mod.rs",
    "svc-{{name}}/src/store/{{noun}}.rs" from "src/store/noun.rs",
    "svc-{{name}}/src/rpc/mod.rs" from "src/rpc/mod.rs",
    "svc-{{name}}/src/rpc/convert.rs" from "src/rpc/convert.rs",
    "svc-{{name}}/src/rpc/{{nouns}}.rs" from "src/rpc/nouns.rs",
    "svc-{{name}}/tests/it/main.rs" from "tests/it/main.rs",
    "svc-{{name}}/tests/it/{{nouns}}.rs" from "tests/it/nouns.rs",
};

/// The contract; one that stands already is kept.
const CONTRACT: (&str, &str) = (
    "proto/playon/{{name}}/v1/{{name}}.proto",
    include_str!("../templates/service/contract.proto"),
);

impl NewService {
    pub(crate) fn run(&self) -> Result<()> {
        let words = Words::new(&self.name, &self.noun, self.plural.as_deref())?;
        let checkout = Checkout::find()?;
        let folder = checkout.root.join(format!("svc-{}", words.name()));
        if folder.exists() {
            bail!("{} is there already; nothing was written", checkout.shown(&folder));
        }
        stamp(&checkout.root, &words)?;
        enrol(&checkout.root, &words)?;
        generated::write(&checkout)?;
        let package = format!("svc-{}", words.name());
        run(cargo(&checkout).args(["fmt", "-p", &package]))?;
        offline::describe(&checkout, &[words.name().to_owned()], false)?;
        say!("{}", words.fill(NEXT));
        Ok(())
    }
}

/// What no program can decide.
const NEXT: &str = "
  svc-{{name}} stands and compiles; `cargo xtask up` starts it with the others.
  What only you can say:
    - its charter in svc-{{name}}/README.md, its nouns in domain/, its RPCs in proto/playon/{{name}}/v1
    - who may call it and whom it may call: docs/ARCHITECTURE.md and k8s/base
    - which of its RPCs are public: gateway/src/surface.rs
    - its error REASONs in docs/errors.md and its spans in docs/telemetry.md
";

/// Writes the service's files.
fn stamp(root: &Path, words: &Words) -> Result<()> {
    for (path, template) in TEMPLATES {
        write(&root.join(words.fill(path)), &words.fill(template))?;
    }
    let contract = root.join(words.fill(CONTRACT.0));
    if contract.exists() {
        return Ok(());
    }
    write(&contract, &words.fill(CONTRACT.1))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Makes the service known where services are listed.
fn enrol(root: &Path, words: &Words) -> Result<()> {
    let name = words.name();
    let member = format!("\"svc-{name}\"");
    edit(root, "Cargo.toml", |text| into_list(text, "members = [", &member))?;
    let item = format!("\"{name}\"");
    edit(root, "tools/xtask/src/services.rs", |text| {
        into_list(text, "SERVICES: &[&str] = &[", &item)
    })?;
    edit(root, "proto/src/lib.rs", |text| Some(into_proto(text, words)))
}

fn edit(root: &Path, path: &str, change: impl Fn(&str) -> Option<String>) -> Result<()> {
    let file = root.join(path);
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
    let changed = change(&text).with_context(|| format!("{path} has no list of services"))?;
    if changed == text { Ok(()) } else { write(&file, &changed) }
}

/// Adds an item at the end of the list that `opening` begins, on a line of its
/// own where the list has lines.
fn into_list(text: &str, opening: &str, item: &str) -> Option<String> {
    let start = text.find(opening)? + opening.len();
    let end = start + text.get(start..)?.find(']')?;
    let list = text.get(start..end)?;
    if list.contains(item) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::new("talk", "chat_room", None).unwrap()
    }

    #[test]
    fn lists_grow_by_one_and_only_once() {
        let members = "members = [\n    \"gateway\",\n    \"tools/*\",\n]\n";
        let grown = into_list(members, "members = [", "\"svc-talk\"").unwrap();
        assert_eq!(
            grown,
            "members = [\n    \"gateway\",\n    \"tools/*\",\n    \"svc-talk\",\n]\n"
        );
        assert_eq!(into_list(&grown, "members = [", "\"svc-talk\"").unwrap(), grown);
        let inline = "SERVICES: &[&str] = &[\"auth\", \"chat\"];";
        let grown = into_list(inline, "SERVICES: &[&str] = &[", "\"talk\"").unwrap();
        assert_eq!(grown, "SERVICES: &[&str] = &[\"auth\", \"chat\", \"talk\"];");
    }

    #[test]
    fn every_placeholder_of_every_template_is_filled() {
        let words = words();
        for (path, template) in TEMPLATES.iter().chain([&CONTRACT]) {
            let (path, text) = (words.fill(path), words.fill(template));
            assert!(!path.contains("{{") && !text.contains("{{"), "{path}: {text}");
        }
    }

    #[test]
    fn a_stamped_service_follows_the_architecture_and_is_enrolled() {
        let root = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        write(&root.join("Cargo.toml"), "members = [\n    \"gateway\",\n]\n").unwrap();
        write(&root.join("tools/xtask/src/services.rs"), "SERVICES: &[&str] = &[\"auth\"];")
            .unwrap();
        write(&root.join("proto/src/lib.rs"), "//! The contract.\n").unwrap();

        stamp(&root, &words()).unwrap();
        enrol(&root, &words()).unwrap();
        enrol(&root, &words()).unwrap();

        let checkout = Checkout { root: root.clone(), target: root.join("target") };
        crate::arrows::check(&checkout).unwrap();
        assert!(root.join("svc-talk/src/app/list_chat_rooms.rs").is_file());
        let proto = fs::read_to_string(root.join("proto/src/lib.rs")).unwrap();
        assert_eq!(proto.matches("playon.talk.v1").count(), 1);
        fs::remove_dir_all(&root).unwrap();
    }
}
