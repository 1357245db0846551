//! `bench`: how fast the running mesh is, each scenario beside a yardstick that
//! ran on the same machine in the same minute.
//!
//! `cargo xtask bench` starts a mesh for it. The load is closed-loop: each
//! connection sends its next request when it has the reply to the last, so the
//! rate is what the mesh takes, not what somebody hoped for.

mod argon2;
mod client;
mod config;
mod cpu;
mod figures;
mod grpc_web;
mod hello;
mod live;
mod load;
mod pgbench;
mod players;
mod report;
mod run;
mod sandbox;
mod scenarios;
mod sign_out;
mod stopwatch;
mod target;
mod wallet_db;

use std::process::ExitCode;

use clap::Parser as _;
use config::{Args, Command};

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Hello => hello::serve().await,
        Command::Run(plan) => run::run(&plan).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("\nerror: {fault:#}");
            ExitCode::FAILURE
        }
    }
}
