//! `bench`: measures the running mesh, and beside each scenario a yardstick on the same
//! machine in the same minute.
//!
//! `cargo xtask bench` starts a mesh for it. The load is a closed loop: each connection
//! sends its next request when it has the reply to the last, so the rate is the highest
//! that the mesh reaches with this number of connections.

mod address;
mod argon2;
mod client;
mod config;
mod cpu;
mod dataset;
mod figures;
mod grpc_web;
mod hello;
mod json;
mod large;
mod live_stream;
mod live_update;
mod load;
mod memory;
mod overload;
mod pgbench;
mod play;
mod play_args;
mod players;
mod process;
mod random;
mod report;
mod run;
mod sandbox;
mod scenario;
mod session;
mod sign_out;
mod talk;
mod wallet_db;
mod workloads;

use std::process::ExitCode;

use clap::Parser as _;
use config::{Args, Command};

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Hello => hello::serve().await,
        Command::Broadcast => talk::broadcast::serve().await,
        Command::Overload(arguments) => overload::run(&arguments).await,
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
