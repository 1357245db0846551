//! The commands as typed.

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::up::{self, Up};

/// PlayOn's own commands.
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
}

impl Cli {
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Command::Up(up) => up.run(),
            Command::Down => up::down(),
            Command::Status => up::status(),
            Command::Env => up::env(),
        }
    }
}
