//! `playonctl`: applies what operators write.

use std::{io, process::ExitCode};

use clap::Parser as _;
use playonctl::Cli;
use types::Clock;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    match playonctl::run(cli, Clock::system().now(), &mut io::stdout()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
