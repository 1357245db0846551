//! The check of `k8s/`: all overlays are rendered, and validated without a cluster and
//! without a network by the Python program in `k8s/check`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::checkout::{Checkout, Profile};
use crate::command::{in_path, run};
use crate::files;
use crate::kind;
use crate::python::{self, Packages};

const OVERLAYS: [&str; 3] = ["kind", "production", "operators"];
/// The tag of images that are not built in a check.
const TAG: &str = "0000000-check";

/// Why the check cannot run here; `None` where it can.
pub(crate) fn missing() -> Option<&'static str> {
    if renderer().is_none() {
        return Some("neither kubectl nor kustomize is installed");
    }
    None
}

/// Checks schemas and the rules of `k8s/check`, and whether each rule finds its fault.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let python = python::program(checkout, Packages::Checks, "python")?;
    let renders = render(checkout)?;
    for render in &renders {
        run(program(checkout, &python).arg(render))?;
    }
    let mut tests = Command::new(&python);
    tests.arg("-B").arg(checkout.root.join("k8s/check/test_rules.py"));
    run(tests.arg(&checkout.root).args(renders.first()))
}

/// Compares the containers' environment with the variables that the programs of a debug build read.
pub(crate) fn check_environment(checkout: &Checkout) -> Result<()> {
    let python = python::program(checkout, Packages::Checks, "python")?;
    for render in render(checkout)? {
        let mut check = program(checkout, &python);
        run(check.arg("--programs").arg(checkout.programs(Profile::Dev)).arg(render))?;
    }
    Ok(())
}

fn program(checkout: &Checkout, python: &Path) -> Command {
    let mut command = Command::new(python);
    // With -B, Python writes no compiled modules into the checkout.
    command.arg("-B").arg(checkout.root.join("k8s/check/check.py"));
    command.arg("--root").arg(&checkout.root);
    command
}

/// The command that renders the folder after it with kustomize.
fn renderer() -> Option<&'static [&'static str]> {
    if in_path("kubectl").is_some() {
        return Some(&["kubectl", "kustomize"]);
    }
    in_path("kustomize").is_some().then_some(&["kustomize", "build"])
}

/// Renders a copy of `k8s/` with generated secrets, so that the developer's own secrets stay as
/// they are.
fn render(checkout: &Checkout) -> Result<Vec<PathBuf>> {
    let folder = checkout.target.join("k8s");
    let copy = folder.join("copy");
    files::remove(&copy)?;
    let source = checkout.root.join("k8s");
    for file in files::list(&source, |entry| entry.file_name() != "generated")? {
        let to = copy.join("k8s").join(&file);
        let parent = to.parent().context("a file is in a folder")?;
        fs::create_dir_all(parent)
            .and_then(|()| fs::copy(source.join(&file), &to))
            .with_context(|| format!("cannot copy k8s/{}", file.display()))?;
    }
    kind::write_secrets_below(&copy)?;
    kind::write_release(&copy, "docker.io/playon", TAG)?;
    let [program, arguments @ ..] = renderer().context("no kustomize")? else {
        return Ok(Vec::new());
    };
    let mut renders = Vec::new();
    for overlay in OVERLAYS {
        let render = folder.join(format!("{overlay}.yaml"));
        let output =
            File::create(&render).with_context(|| format!("cannot write {}", render.display()))?;
        let overlay = copy.join("k8s/overlays").join(overlay);
        run(Command::new(program).args(arguments).arg(overlay).stdout(output))?;
        renders.push(render);
    }
    files::remove(&copy)?;
    Ok(renders)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::services::SERVICES;

    const PEER: &str = "games";

    fn index(name: &str) -> usize {
        SERVICES.iter().position(|service| *service == name).unwrap()
    }

    fn folder(name: &str) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        root.join(format!("k8s/base/svc-{name}"))
    }

    /// A file of the peer's folder, with the name, variables and port of another service.
    fn expected(name: &str, file: &str) -> String {
        let text = fs::read_to_string(folder(PEER).join(file)).unwrap();
        let text = text.replace(&format!("svc-{PEER}"), &format!("svc-{name}"));
        let variable = |name: &str| format!("{}_", name.to_uppercase());
        let text = text.replace(&variable(PEER), &variable(name));
        let port = |name: &str| (50051 + index(name)).to_string();
        text.replace(&port(PEER), &port(name))
    }

    /// A service's own settings are in patches; its resources equal those of svc-games.
    #[test]
    fn the_kubernetes_folders_of_all_services_are_alike() {
        for name in SERVICES {
            let text = |file: &str| fs::read_to_string(folder(name).join(file)).unwrap();
            let list = expected(name, "kustomization.yaml");
            let (resources, _) = list.split_once("patches:").unwrap();
            let own = text("kustomization.yaml");
            assert!(own.starts_with(resources), "svc-{name} lists other resources");
            let files = resources.lines().filter_map(|line| line.strip_prefix("  - "));
            let files = files.collect::<Vec<_>>();
            assert!(files.len() >= 6, "{files:?}");
            for file in files {
                assert_eq!(text(file), expected(name, file), "svc-{name}/{file}");
            }
        }
    }
}
