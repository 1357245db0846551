//! `new-service`: generates a service, its routes in the gateway and its Kubernetes
//! folder from the templates, ready to compile.

mod files;
mod lists;
mod scratch;
mod words;

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::command::{cargo, run};
use crate::generated;
use crate::offline;

use words::Words;

/// The service to generate.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NewService {
    /// Its name: one lower-case word (`rewards` makes svc-rewards).
    #[arg(required_unless_present = "check")]
    name: Option<String>,
    /// The noun that it owns, in the singular (`reward`, `chat_room`).
    #[arg(long, required_unless_present = "check")]
    noun: Option<String>,
    /// The noun's plural, where that is not an added s.
    #[arg(long)]
    plural: Option<String>,
    /// Generate a service in a copy of the checkout and run its tests, with the stores of
    /// `TEST_DATABASE_URL` and `TEST_REDIS_URL`. Changes nothing in the checkout.
    #[arg(long, hide = true, conflicts_with_all = ["name", "noun", "plural"])]
    check: bool,
}

impl NewService {
    pub(crate) fn run(&self) -> Result<()> {
        let checkout = Checkout::find()?;
        if self.check {
            return check(&checkout, |_| {});
        }
        let name = self.name.as_deref().context("a service has a name")?;
        let noun = self.noun.as_deref().context("a service has a noun")?;
        let words = Words::new(name, noun, self.plural.as_deref())?;
        let folder = checkout.root.join(format!("svc-{}", words.name()));
        if folder.exists() {
            bail!("{} exists already; nothing was written", checkout.shown(&folder));
        }
        files::stamp(&checkout.root, &words)?;
        lists::add(&checkout.root, &words)?;
        generated::write(&checkout)?;
        // Network policies and the table of allowed calls, from the list of edges.
        run(cargo(&checkout).args(["test", "--workspace", "--test", "edges"]).env("BLESS", "1"))?;
        format(&checkout, &words)?;
        offline::prepare_queries(&checkout, &[words.name().to_owned()], false)?;
        outln!("{}", words.fill(NEXT));
        Ok(())
    }
}

/// Generates a service in a copy of the checkout, builds the gateway with its routes and
/// runs its tests. `with_stores` gives a command the URLs of the stores for tests.
pub(crate) fn check(checkout: &Checkout, with_stores: impl Fn(&mut Command)) -> Result<()> {
    let words = Words::new("sample", "sample_item", None)?;
    let scratch = scratch::Scratch::copy(checkout)?;
    let copy = &scratch.checkout;
    files::stamp(&copy.root, &words)?;
    lists::add(&copy.root, &words)?;
    // With --workspace, so that cargo uses the dependencies as built for the tests.
    run(cargo(copy).args(["test", "--workspace", "--test", "generated"]).env("BLESS", "1"))?;
    run(cargo(copy).args(["test", "--workspace", "--test", "edges"]).env("BLESS", "1"))?;
    format(copy, &words)?;
    scratch.restore_times()?;
    offline::prepare_queries(copy, &[words.name().to_owned()], false)?;
    scratch.restore_times()?;
    crate::architecture::check(copy)?;
    run(cargo(copy).args(["check", "-p", "gateway", "-p", "mesh"]))?;
    let mut tests = cargo(copy);
    tests.args(["test", "-p", &words.fill("svc-{{name}}"), "--lib", "--tests"]);
    with_stores(&mut tests);
    run(&mut tests)
}

/// Formats what was generated and what it was added to.
fn format(checkout: &Checkout, words: &Words) -> Result<()> {
    run(cargo(checkout).args([
        "fmt",
        "-p",
        &words.fill("svc-{{name}}"),
        "-p",
        "gateway",
        "-p",
        "mesh",
    ]))
}

/// What is left to do by hand.
const NEXT: &str = "
  svc-{{name}} compiles, and `cargo xtask up` starts it with the others. By hand:
    - domain: its nouns and rules, and the handler of {{noun}}.created, which stands for a real upstream call
    - svc-{{name}}/README.md: what it owns and promises
    - the RPCs and their callers: proto/playon/{{name}}/v1, and crates/mesh/src/edges.rs for the callers of {{Name}}InternalService
    - k8s/base/svc-{{name}}: what it needs beyond the others, as patches (k8s/README.md)
    - its REASONs in docs/errors.md and its spans in docs/telemetry.md
";

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_generated_service_follows_the_architecture() {
        let root = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        let words = Words::new("talk", "chat_room", None).unwrap();

        files::stamp(&root, &words).unwrap();

        let checkout = Checkout { root: root.clone(), target: root.join("target") };
        crate::architecture::check(&checkout).unwrap();
        assert!(root.join("svc-talk/src/app/list_chat_rooms.rs").is_file());
        assert!(root.join("k8s/base/svc-talk/deployment.yaml").is_file());
        fs::remove_dir_all(&root).unwrap();
    }
}
