//! `images`: builds the container images, and loads them into kind.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::command::{in_path, run};
use crate::files;
use crate::kind;
use crate::services;
use crate::terminal::Step;

/// The prefix of the images' names. It includes the registry: without it docker would add this one
/// and podman another, and kind asks for this one.
const REGISTRY: &str = "docker.io/playon";

/// The options of the images that are built.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Images {
    /// Load the images into the kind cluster `playon`.
    #[arg(long)]
    load: bool,
    /// Compile without optimisation: large and slow, in a fraction of the time.
    #[arg(long)]
    debug: bool,
}

/// A program that builds images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Docker,
    Podman,
}

impl Images {
    pub(crate) fn run(&self) -> Result<()> {
        let checkout = Checkout::find()?;
        let engine =
            Engine::find(in_path("docker").is_some(), in_path("podman").is_some(), || {
                succeeds(Command::new("docker").arg("info"))
            })?;
        if self.load {
            kind::require_cluster(engine == Engine::Podman)?;
        }
        let revision = Revision::of(&checkout)?;
        let names = services::packages();
        for name in &names {
            let step = Step::announce(format!("image {}", image(name, &revision.tag)));
            step.end(run(Command::new(engine.program())
                .current_dir(&checkout.root)
                .env("DOCKER_BUILDKIT", "1")
                .args(build(name, &revision, self.debug))))?;
        }
        let images = names.iter().map(|name| image(name, &revision.tag)).collect::<Vec<_>>();
        if self.load {
            let step = Step::announce("loading the images into kind");
            step.end(load(&checkout, engine, &images))?;
        }
        kind::write_release(&checkout.root, REGISTRY, &revision.tag)?;
        outln!("\n  Built {} images with the tag {}.", images.len(), revision.tag);
        if self.load {
            outln!("  Now: cargo xtask kind-secrets && kubectl apply -k k8s/overlays/kind");
        }
        Ok(())
    }
}

impl Engine {
    /// Docker if its daemon answers, otherwise podman.
    fn find(docker: bool, podman: bool, daemon_answers: impl FnOnce() -> bool) -> Result<Self> {
        if docker && daemon_answers() {
            return Ok(Self::Docker);
        }
        if podman {
            return Ok(Self::Podman);
        }
        if docker {
            bail!(
                "docker is installed, but `docker info` fails: start its daemon (sudo systemctl start docker),\n       and be in the group docker; or install podman"
            );
        }
        bail!(
            "neither docker nor podman is installed\n       docs.docker.com/engine/install, or on Debian or Ubuntu: sudo apt-get install -y podman"
        )
    }

    fn program(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Podman => "podman",
        }
    }
}

/// The commit that the images are built from.
#[derive(Debug, PartialEq, Eq)]
struct Revision {
    /// The commit's name in full; `-dirty` with uncommitted changes.
    label: String,
    /// The label with the commit's name abbreviated.
    tag: String,
}

impl Revision {
    fn of(checkout: &Checkout) -> Result<Self> {
        let git = |arguments: &[&str]| -> Result<String> {
            let output = Command::new("git")
                .current_dir(&checkout.root)
                .args(arguments)
                .output()
                .context("cannot run git, which names the images")?;
            if !output.status.success() {
                bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
            }
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let commit = git(&["rev-parse", "HEAD"])?;
        let short = git(&["rev-parse", "--short", "HEAD"])?;
        Ok(Self::new(&commit, &short, &git(&["status", "--porcelain"])?))
    }

    fn new(commit: &str, short: &str, changes: &str) -> Self {
        let suffix = if changes.is_empty() { "" } else { "-dirty" };
        Self { label: format!("{commit}{suffix}"), tag: format!("{short}{suffix}") }
    }
}

fn image(name: &str, tag: &str) -> String {
    format!("{REGISTRY}/{name}:{tag}")
}

/// The arguments of `docker build` and `podman build`. The programs are compiled in a layer
/// that all targets share.
fn build(name: &str, revision: &Revision, debug: bool) -> Vec<String> {
    let profile = if debug { "dev" } else { "release" };
    let arguments = [
        "build".to_owned(),
        "--target".to_owned(),
        name.to_owned(),
        "--build-arg".to_owned(),
        format!("REVISION={}", revision.label),
        "--build-arg".to_owned(),
        format!("PROFILE={profile}"),
        "--tag".to_owned(),
        image(name, &revision.tag),
        ".".to_owned(),
    ];
    arguments.to_vec()
}

fn load(checkout: &Checkout, engine: Engine, images: &[String]) -> Result<()> {
    if engine == Engine::Docker {
        let mut kind = kind::command(false);
        return run(kind.args(["load", "docker-image", "--name", kind::CLUSTER]).args(images));
    }
    let archive: PathBuf = checkout.target.join("images.tar");
    files::remove(&archive)?;
    let save = ["save", "--multi-image-archive", "--output"];
    let saved = run(Command::new("podman").args(save).arg(&archive).args(images));
    let loaded = saved.and_then(|()| {
        let mut kind = kind::command(true);
        run(kind.args(["load", "image-archive", "--name", kind::CLUSTER]).arg(&archive))
    });
    // The archive is a few hundred MB that are of no more use.
    drop(fs::remove_file(&archive));
    loaded
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn podman_is_used_where_dockers_daemon_does_not_answer() {
        assert_eq!(Engine::find(true, true, || true).unwrap(), Engine::Docker);
        assert_eq!(Engine::find(true, true, || false).unwrap(), Engine::Podman);
        assert_eq!(Engine::find(false, true, || true).unwrap(), Engine::Podman);
        let down = Engine::find(true, false, || false).unwrap_err().to_string();
        assert!(down.contains("start its daemon"), "{down}");
        let none = Engine::find(false, false, || true).unwrap_err().to_string();
        assert!(none.contains("apt-get install -y podman"), "{none}");
    }

    #[test]
    fn a_tag_says_whether_the_commit_is_all() {
        let clean = Revision::new("0123456789abcdef", "0123456", "");
        assert_eq!((clean.label.as_str(), clean.tag.as_str()), ("0123456789abcdef", "0123456"));
        let dirty = Revision::new("0123456789abcdef", "0123456", " M README.md");
        assert_eq!(dirty.tag, "0123456-dirty");
        assert_eq!(dirty.label, "0123456789abcdef-dirty");
    }

    #[test]
    fn a_build_names_its_target_revision_and_registry() {
        let revision = Revision::new("0123456789abcdef", "0123456", "");
        let line = build("svc-auth", &revision, false).join(" ");
        assert_eq!(
            line,
            "build --target svc-auth --build-arg REVISION=0123456789abcdef \
             --build-arg PROFILE=release --tag docker.io/playon/svc-auth:0123456 ."
        );
        assert!(build("svc-auth", &revision, true).contains(&"PROFILE=dev".to_owned()));
    }

    #[test]
    fn the_dockerfile_has_a_target_for_every_program() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let text = fs::read_to_string(root.join("Dockerfile")).unwrap();
        for name in services::packages() {
            assert!(text.contains(&format!("FROM runtime AS {name}\n")), "no target {name}");
        }
    }
}
