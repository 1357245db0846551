//! The command line.

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::bench::Bench;
use crate::builds;
use crate::checkout::Checkout;
use crate::faults::Faults;
use crate::generated;
use crate::images::Images;
use crate::interrupt;
use crate::k8s;
use crate::kind;
use crate::ledger;
use crate::offline;
use crate::suite::{self, Test};
use crate::up::{self, Up};

/// PlayOn's commands for development.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build and start everything, and wait; Ctrl-C stops it.
    Up(Up),
    /// Stop everything.
    Down,
    /// Show what runs.
    Status,
    /// Print the running mesh's URLs and folders as KEY=VALUE.
    Env,
    /// Check that postings sum to zero and balances equal their postings, in the ledger
    /// of `WALLET_DATABASE_URL` or of the running mesh.
    Prove,
    /// Run everything that CI runs.
    Test(Test),
    /// Run the quick part of `test`: format, architecture, generated code, clippy.
    Check {
        /// Go on after a step that failed.
        #[arg(long)]
        keep_going: bool,
    },
    /// Run the load scenarios over a mesh of their own: rates, p50, p99 and ratios.
    /// With `PLAYON_URL` and the rest of `env` set, over that mesh.
    Bench(Bench),
    /// Make parts of a mesh of its own fail, restart them one by one, and overload it: what
    /// still works, what players read, and whether anything is lost.
    Faults(Faults),
    /// Keep a room of a thousand readers for five minutes, while connections are cut and svc-chat
    /// and Redis are killed: `faults --only soak`.
    Soak(Faults),
    /// Lint the contract in proto/ and generate the code from it.
    Proto,
    /// Prepare the query data of the services for offline builds (.sqlx).
    Sqlx,
    /// Build the web app and the games, if their sources changed.
    Web,
    /// Build the container images with docker or podman, tagged by the commit.
    Images(Images),
    /// Generate passwords, keys and certificates for the overlay kind.
    KindSecrets,
    /// Render and validate k8s/, as `test` does. Compares the containers' environment with
    /// the programs of the last debug build.
    Manifests,
}

impl Cli {
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Command::Up(up) => up.run(),
            Command::Down => up::down(),
            Command::Status => up::status(),
            Command::Env => up::env(),
            Command::Prove => ledger::prove(),
            Command::Test(test) => test.run(),
            Command::Check { keep_going } => suite::check(keep_going),
            Command::Bench(bench) => bench.run(),
            Command::Faults(faults) => faults.run(),
            Command::Soak(faults) => faults.soak(),
            Command::Proto => generated::write(&Checkout::find()?),
            Command::Sqlx => {
                interrupt::catch()?;
                offline::write_queries(&Checkout::find()?)
            }
            Command::Web => builds::web(&Checkout::find()?),
            Command::Images(images) => {
                interrupt::catch()?;
                images.run()
            }
            Command::Manifests => {
                interrupt::catch()?;
                let checkout = Checkout::find()?;
                k8s::check(&checkout)?;
                k8s::check_environment(&checkout)
            }
            Command::KindSecrets => kind::write_secrets(),
        }
    }
}
