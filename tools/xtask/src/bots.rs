//! Bots that play the demo's tournaments, so that a newcomer finds boards with players.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::checkout::Checkout;
use crate::command;
use crate::daemon::{Daemon, Ready};
use crate::instance::{BOT_ACCOUNTS, BOTS, Instance};
use crate::pidfile::PidFile;
use crate::terminal::Step;
use crate::topology;

/// Players that a board has when the bots end.
const PLAYERS: &str = "200";
/// Longest run in seconds: the boards fill while a newcomer looks round.
const LONGEST_RUN: &str = "60";
/// The bots' niceness: they wait for the processor behind everything else.
const NICENESS: &str = "15";

/// Starts the bots in the background. They play through the gateway as the app does, and end at
/// once where the boards have players enough. The mesh is up without them, so any failure is a line
/// here or in their log.
pub(crate) fn start(checkout: &Checkout, instance: &Instance) {
    let step = Step::begin("bots play the tournaments");
    if instance.running(BOTS).is_some() {
        return step.skip("runs");
    }
    match spawn(checkout, instance) {
        Ok(()) => step.skip("in the background"),
        Err(reason) => step.skip(&format!("not now: {reason:#}")),
    }
}

fn spawn(checkout: &Checkout, instance: &Instance) -> Result<()> {
    let child = daemon(checkout, instance)?.spawn(&instance.log(BOTS))?;
    // Nothing waits for the end of the bots: `down` finds them by their pid file.
    PidFile::of(child.id(), 0, 0)?.write(&instance.pid_file(BOTS))
}

fn daemon(checkout: &Checkout, instance: &Instance) -> Result<Daemon> {
    let games = checkout.games();
    ensure!(games.join("dist").is_dir(), "the games are not built");
    // The package that runs the tool may be missing even when the games are built.
    let vite = games.join("node_modules/vite");
    ensure!(vite.is_dir(), "`npm ci` in games/ is missing");
    let node = command::in_path("node").context("there is no Node.js")?;
    let (url, accounts) = (topology::playon_url(instance.ports), instance.dir.join(BOT_ACCOUNTS));
    let (node, accounts) = (node.to_string_lossy(), accounts.to_string_lossy());
    let nice = ["-n", NICENESS, &node, "tools/bots.mjs"];
    let board = ["--url", &url, "--fill", PLAYERS, "--longest", LONGEST_RUN];
    let arguments = nice.into_iter().chain(board).chain(["--accounts", &accounts]);
    Ok(Daemon {
        name: BOTS.to_owned(),
        program: PathBuf::from("nice"),
        arguments: arguments.map(str::to_owned).collect(),
        environment: Vec::new(),
        folder: games,
        user: None,
        ports: Vec::new(),
        ready: Ready::Listens,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn the_tool_is_where_up_looks_for_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        assert!(root.join("games/tools/bots.mjs").is_file());
    }
}
