//! `cargo xtask`: the repository's commands to build, run, test and generate.
//!
//! Plain blocking code with few dependencies, because it is compiled before the first
//! command can run.

// Processes are identified by /proc.
#[cfg(not(target_os = "linux"))]
compile_error!("xtask needs Linux: Debian, Ubuntu, or WSL with one of them");

#[macro_use]
mod terminal;

mod apt;
mod architecture;
mod bench;
mod bots;
mod builds;
mod certificates;
mod checkout;
mod cli;
mod command;
mod daemon;
mod demo;
mod faults;
mod files;
mod generated;
mod images;
mod instance;
mod interrupt;
mod jaeger;
mod k8s;
mod kind;
mod ledger;
mod mesh;
mod migrations;
#[cfg(test)]
mod observability;
mod offline;
mod pidfile;
mod ports;
mod postgres;
mod proxy;
mod python;
mod redis;
mod secrets;
mod services;
mod shutdown;
mod stores;
mod suite;
mod supply;
mod topology;
mod up;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("\nerror: {fault:#}");
            ExitCode::FAILURE
        }
    }
}
