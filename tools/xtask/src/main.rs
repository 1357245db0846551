//! `cargo xtask`: everything one does with this repository besides editing it.
//!
//! Plain blocking code on few crates, because a newcomer waits for this to
//! compile before the first command does anything.

#[macro_use]
mod terminal;

mod apt;
mod architecture;
mod bench;
mod builds;
mod checkout;
mod cli;
mod daemon;
mod fleet;
mod generated;
mod instance;
mod interrupt;
mod ledger;
mod mesh;
mod new_service;
mod offline;
mod ports;
mod postgres;
mod process;
mod redis;
mod secrets;
mod services;
mod shutdown;
mod stores;
mod suite;
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
