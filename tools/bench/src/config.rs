//! What the bench is told.

use std::{path::PathBuf, time::Duration};

use clap::{Parser, Subcommand, ValueEnum};

use crate::{
    cpu::Process,
    target::{LocalDatabase, Target},
};

/// Longest that one part of a scenario may take: access tokens are good for 15
/// minutes, and nothing is refreshed while something is measured.
const LONGEST: Duration = Duration::from_mins(1);

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "bench", about = "Load scenarios over the running mesh.")]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What it can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the scenarios and print the table.
    Run(Box<Plan>),
    /// Be the first yardstick: a bare axum server that says hello in JSON. Prints
    /// its URL, and ends when its standard input does.
    Hello,
}

/// What is measured. Yardsticks come with what is held against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// `POST /api/auth/sign-in`.
    SignIn,
    /// `GET /api/auth/login`.
    Profile,
    /// `GET /api/wallets/balance`.
    Balance,
    /// `POST /api/payments/top-up` by wallet, for a friend.
    Transfer,
    /// From M-Pesa's outcome to the news on the live stream.
    Live,
    /// From a sign-out to the token's refusal.
    SignOut,
    /// Known addresses beside unknown ones.
    Stopwatch,
}

/// How it is measured.
#[derive(Debug, Parser)]
pub(crate) struct Plan {
    /// The gateway, on this machine.
    #[arg(long, env = "PLAYON_URL")]
    pub(crate) url: Target,

    /// The sandbox, whose handsets pay.
    #[arg(long, env = "SANDBOX_URL")]
    pub(crate) sandbox_url: Target,

    /// The wallet's database: for the proof of the ledger after the run.
    #[arg(long, env = "WALLET_DATABASE_URL", hide_env_values = true)]
    pub(crate) wallet_database_url: Option<LocalDatabase>,

    /// A database of the bench's own on the same server, for pgbench. Its
    /// schema `yardstick` is dropped and made anew.
    #[arg(long, env = "BENCH_DATABASE_URL", hide_env_values = true)]
    pub(crate) yardstick_database_url: Option<LocalDatabase>,

    /// Only these; all when none is named.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) only: Vec<Scenario>,

    /// Connections, each with one request at a time.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) connections: u16,

    /// Load before anything counts.
    #[arg(long, default_value = "2s", value_parser = bounded)]
    pub(crate) warm_up: Duration,

    /// Load that counts.
    #[arg(long, default_value = "10s", value_parser = bounded)]
    pub(crate) measure: Duration,

    /// Requests after which a scenario ends, however long it has run.
    #[arg(long, default_value_t = 5_000_000)]
    pub(crate) most_requests: u64,

    /// Players to sign up, in pairs that pay each other; each connection uses
    /// one pair, several share one when there are fewer.
    #[arg(long, default_value_t = 32, value_parser = even)]
    pub(crate) players: u16,

    /// Payments and sign-outs whose news are timed.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) samples: u16,

    /// pgbench's clients.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(2..=100))]
    pub(crate) pgbench_clients: u16,

    /// What a password hash of svc-auth costs.
    #[command(flatten)]
    pub(crate) cost: Cost,

    /// A process of the mesh whose time of the processor is counted (NAME=PID).
    #[arg(long, value_name = "NAME=PID")]
    pub(crate) process: Vec<Process>,

    /// How the mesh was started, for whoever reads the figures (NAME=VALUE).
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) setting: Vec<String>,

    /// Write the figures there as well.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// The parameters of Argon2id: the variables and defaults are those of svc-auth.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Cost {
    /// Memory of one password hash, in KiB.
    #[arg(long = "argon2-memory-kib", env = "ARGON2_MEMORY_KIB", default_value_t = 19 * 1024)]
    pub(crate) memory_kib: u32,

    /// Passes over that memory.
    #[arg(long = "argon2-passes", env = "ARGON2_PASSES", default_value_t = 2)]
    pub(crate) passes: u32,

    /// Lanes of one password hash.
    #[arg(long = "argon2-lanes", env = "ARGON2_LANES", default_value_t = 1)]
    pub(crate) lanes: u32,
}

impl Plan {
    /// Whether a scenario was asked for.
    pub(crate) fn wants(&self, scenario: Scenario) -> bool {
        self.only.is_empty() || self.only.contains(&scenario)
    }
}

fn bounded(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() || time > LONGEST {
        return Err("between 1ms and 1m".to_owned());
    }
    Ok(time)
}

fn even(text: &str) -> Result<u16, String> {
    match text.parse::<u16>() {
        Ok(count @ 2..=100) if count.is_multiple_of(2) => Ok(count),
        _ => Err("an even number from 2 to 100".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_agree_with_each_other() {
        Args::command().debug_assert();
    }

    #[test]
    fn load_is_bounded_in_time() {
        assert_eq!(bounded("10s"), Ok(Duration::from_secs(10)));
        for text in ["0s", "61s", "1h", "soon"] {
            assert!(bounded(text).is_err(), "{text}");
        }
    }

    #[test]
    fn players_come_in_pairs() {
        assert_eq!(even("4"), Ok(4));
        for text in ["0", "3", "102", "-2"] {
            assert!(even(text).is_err(), "{text}");
        }
    }
}
