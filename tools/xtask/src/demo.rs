//! The demo content, which `up` applies as an operator would.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::certificates;
use crate::checkout::Checkout;
use crate::instance::Instance;
use crate::terminal::Step;
use crate::topology;

/// The services that own the content.
pub(crate) const NEEDS: [&str; 4] = ["svc-games", "svc-tournament", "svc-chat", "svc-wallet"];
/// The folder of the documents, below the checkout's root.
const FOLDER: &str = "content/demo";

/// The prizes of all demo tournaments for a long while, in KES.
const PROMOTIONS: &str = "1000000";

/// Applies the demo content, after two operators have funded the prizes. Existing content stays as
/// it is, so this is quick from the second start on.
pub(crate) fn apply(checkout: &Checkout, instance: &Instance, programs: &Path) -> Result<()> {
    let step = Step::begin("demo content");
    let playonctl = |certificate: &str, arguments: &[&str]| -> Result<String> {
        let mut playonctl = Command::new(programs.join(certificates::OPERATORS));
        playonctl
            .current_dir(&checkout.root)
            .args(arguments)
            .envs(topology::operator_environment(instance, certificate));
        let output = playonctl.output().context("cannot run playonctl: build it first")?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr);
            bail!("the demo content: {}\n       `up --no-demo` starts without it", reason.trim());
        }
        Ok(String::from_utf8(output.stdout)?)
    };
    fund(&playonctl)?;
    if !checkout.games().join("dist").is_dir() {
        step.skip("the games are not built");
        return Ok(());
    }
    step.end(playonctl(certificates::OPERATORS, &["apply", "--file", FOLDER]).map(drop))
}

/// Funds the promotions account: the developer notes the money, and the colleague confirms it. A
/// repeat changes nothing.
fn fund(playonctl: &impl Fn(&str, &[&str]) -> Result<String>) -> Result<()> {
    let noted = playonctl(
        certificates::OPERATORS,
        &[
            "money",
            "fund",
            "--amount",
            PROMOTIONS,
            "--receipt",
            "DEMOPRIZES",
            "--reason",
            "The prizes of the demo tournaments.",
            "--request-id",
            "demo-prizes",
            "--yes",
        ],
    )?;
    // The line of an operation begins with its id.
    let operation = noted.split_whitespace().next().context("no operation was noted")?;
    playonctl(
        certificates::COLLEAGUE,
        &["money", "decide", operation, "approve", "--reason", "The demo needs prizes.", "--yes"],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_are_where_up_looks_for_them() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        for file in ["games.yaml", "events.yaml", "tv.yaml", "tournaments.yaml", "rooms.yaml"] {
            assert!(root.join(FOLDER).join(file).is_file(), "{file}");
        }
    }
}
