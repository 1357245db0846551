//! The command line.

use std::{path::PathBuf, time::Duration};

use clap::{Parser, Subcommand};

use crate::{
    address::{LocalDatabase, Target},
    dataset::players::Dataset,
    play_args::PlayArgs,
    process::Process,
    scenario::{Scenario, Selection},
};

/// The longest warm-up and the longest measurement: access tokens expire after 15 minutes
/// and are not refreshed during a run.
const MAX_DURATION: Duration = Duration::from_mins(1);

/// The program's arguments.
#[derive(Debug, Parser)]
#[command(name = "bench", about = "Load scenarios over the running mesh.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The program's commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the scenarios and print the table.
    Run(Box<Plan>),
    /// Offer five times the load that the mesh can carry, and print what it does.
    Overload(OverloadPlan),
    /// Serve the yardstick of reads: a bare axum server that replies with a greeting.
    /// Prints its URL, and ends when its standard input is closed.
    Hello,
    /// Serve the yardstick of fan-out: a server that broadcasts what it is sent.
    /// Prints its URL, and ends when its standard input is closed.
    Broadcast,
}

/// The parameters of an overload.
#[derive(Debug, Parser)]
pub(crate) struct OverloadPlan {
    /// The gateway, on this machine.
    #[arg(long, env = "PLAYON_URL")]
    pub(crate) url: Target,

    /// The sandbox, on this machine.
    #[arg(long, env = "SANDBOX_URL")]
    pub(crate) sandbox_url: Target,

    /// How long the overload lasts. Access tokens expire after 15 minutes.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10))]
    pub(crate) minutes: u64,

    /// Write the report to this file, and its figures beside it as JSON.
    #[arg(long, env = "FAULTS_REPORT", value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

/// The parameters of a run of scenarios.
#[derive(Debug, Parser)]
pub(crate) struct Plan {
    /// The gateway, on this machine.
    #[arg(long, env = "PLAYON_URL")]
    pub(crate) url: Target,

    /// The sandbox, on this machine.
    #[arg(long, env = "SANDBOX_URL")]
    pub(crate) sandbox_url: Target,

    /// svc-wallet's database: for the outbox and for the proof of the ledger.
    #[arg(long, env = "WALLET_DATABASE_URL", hide_env_values = true)]
    pub(crate) wallet_database_url: Option<LocalDatabase>,

    /// svc-auth's database: the players of the large data set are loaded into it.
    #[arg(long, env = "AUTH_DATABASE_URL", hide_env_values = true)]
    pub(crate) auth_database_url: Option<LocalDatabase>,

    /// svc-chat's database: rooms, messages and notifications are written into it.
    #[arg(long, env = "CHAT_DATABASE_URL", hide_env_values = true)]
    pub(crate) chat_database_url: Option<LocalDatabase>,

    /// A database for pgbench on the same server, with the role of a superuser, which also
    /// loads the large data set. Its schema `yardstick` is dropped and created.
    #[arg(long, env = "BENCH_DATABASE_URL", hide_env_values = true)]
    pub(crate) bench_database_url: Option<LocalDatabase>,

    /// Run only these scenarios; `all-large` stands for those on large data. By default all
    /// scenarios run except those on large data.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) only: Vec<Selection>,

    /// Connections, each with one request at a time.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) connections: u16,

    /// How long a scenario runs before its measurement.
    #[arg(long, default_value = "2s", value_parser = duration)]
    pub(crate) warm_up: Duration,

    /// How long a scenario is measured.
    #[arg(long, default_value = "10s", value_parser = duration)]
    pub(crate) measure: Duration,

    /// The number of requests after which a scenario ends early.
    #[arg(long, default_value_t = 5_000_000)]
    pub(crate) max_requests: u64,

    /// Players that sign up. Pairs of them pay each other; each connection uses one pair,
    /// and several share a pair when there are fewer.
    #[arg(long, default_value_t = 32, value_parser = even)]
    pub(crate) players: u16,

    /// Payments and sign-outs whose latency is measured.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) samples: u16,

    /// The number of pgbench's clients.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(2..=100))]
    pub(crate) pgbench_clients: u16,

    #[command(flatten)]
    pub(crate) hash_cost: HashCost,

    #[command(flatten)]
    pub(crate) dataset: Dataset,

    #[command(flatten)]
    pub(crate) play: PlayArgs,

    /// A process of the mesh whose processor time and memory are measured (NAME=PID).
    #[arg(long, value_name = "NAME=PID")]
    pub(crate) process: Vec<Process>,

    /// A variable that the mesh was started with; it is printed with the table (NAME=VALUE).
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) setting: Vec<String>,

    /// Write the figures as JSON to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// The parameters of Argon2id; variables and defaults are those of svc-auth.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct HashCost {
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
    /// Whether a scenario runs.
    pub(crate) fn includes(&self, scenario: Scenario) -> bool {
        Selection::includes(&self.only, scenario)
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() || time > MAX_DURATION {
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
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn names_are_separated_by_commas_or_repeated() {
        let line = "bench run --url http://127.0.0.1:1 --sandbox-url http://127.0.0.1:2 \
                    --only hello,history --only replay";
        let args = Args::try_parse_from(line.split_ascii_whitespace()).unwrap();
        let Command::Run(plan) = args.command else { panic!("{args:?}") };
        let names = [Scenario::Hello, Scenario::History, Scenario::Replay];
        assert_eq!(plan.only, names.map(Selection::One));
        assert!(plan.includes(Scenario::History) && !plan.includes(Scenario::BalanceRead));
    }

    #[test]
    fn durations_are_limited() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        for text in ["0s", "61s", "1h", "soon"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_number_of_players_is_even() {
        assert_eq!(even("4"), Ok(4));
        for text in ["0", "3", "102", "-2"] {
            assert!(even(text).is_err(), "{text}");
        }
    }
}
