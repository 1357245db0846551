//! The command line.

use std::{io::Write, path::PathBuf};

use anyhow::bail;
use clap::{Parser, Subcommand};
use time::OffsetDateTime;

use crate::{
    apply::{self, Mode},
    awards,
    catalogue::Catalogue,
    documents,
    manifest::{Kind, yaml},
    money, operators, players, runs, safety,
    service::PerService,
};

/// Operators' content, as YAML documents: games, events, videos, tournaments, chat rooms,
/// contact settings, subscription packages and payment methods.
#[derive(Debug, Parser)]
#[command(name = "playonctl", version)]
pub struct Cli {
    /// Comma-separated URLs of svc-auth.
    #[arg(long, env = "AUTH_URL", default_value = "https://127.0.0.1:50051", global = true)]
    auth_url: String,

    /// Comma-separated URLs of svc-games.
    #[arg(long, env = "GAMES_URL", default_value = "https://127.0.0.1:50053", global = true)]
    games_url: String,

    /// Comma-separated URLs of svc-tournament.
    #[arg(long, env = "TOURNAMENT_URL", default_value = "https://127.0.0.1:50054", global = true)]
    tournament_url: String,

    /// Comma-separated URLs of svc-chat.
    #[arg(long, env = "CHAT_URL", default_value = "https://127.0.0.1:50055", global = true)]
    chat_url: String,

    /// Comma-separated URLs of svc-wallet.
    #[arg(long, env = "WALLET_URL", default_value = "https://127.0.0.1:50052", global = true)]
    wallet_url: String,

    /// Folder with `ca.crt`, `tls.crt` and `tls.key`; the certificate names the operator.
    #[arg(long, env = "TLS_DIR", default_value = "target/dev/tls/playonctl", global = true)]
    tls_dir: PathBuf,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create or change what the documents describe. All are checked before the first is
    /// applied; applying them again changes nothing.
    Apply {
        #[command(flatten)]
        files: Files,
        /// Check the documents, print what would change, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Print what apply would change, field by field.
    Diff {
        #[command(flatten)]
        files: Files,
    },
    /// Print the ids and names of a kind, or one thing as a document.
    Get {
        /// The kind.
        #[arg(ignore_case = true)]
        kind: Kind,
        /// The id of the thing; by default all things of the kind.
        id: Option<String>,
    },
    /// Print everything as documents that apply takes back unchanged.
    Export,
    /// Remove a thing. Removing what does not exist changes nothing.
    Delete {
        /// The kind.
        #[arg(ignore_case = true)]
        kind: Kind,
        /// The id of the thing.
        id: String,
        /// Print what would be removed, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Look at the runs that are held, and decide on them.
    #[command(subcommand)]
    Runs(runs::Command),
    /// Look at awards of money before they are paid, and approve or refuse them. Each decision has a
    /// reason and is kept with the operator's name.
    #[command(subcommand)]
    Awards(awards::Command),
    /// Look at payments that wait for an operator, and put money right. Each operation has a reason
    /// and is kept with the operator's name; an operation over KES 10,000, or over KES 50,000 in a
    /// day (KES 250,000 of approved withdrawals), needs a second operator.
    #[command(subcommand)]
    Money(money::Command),
    /// Look at reports of messages, and keep chat rooms safe. Each change has a reason and is
    /// kept with the operator's name.
    #[command(subcommand)]
    Safety(safety::Command),
    /// Look at operators and their roles, change them, and get a certificate.
    #[command(subcommand)]
    Operators(operators::Command),
    /// Look at players' devices, and confirm one for a player who cannot.
    #[command(subcommand)]
    Players(players::Command),
}

#[derive(Debug, clap::Args)]
struct Files {
    /// YAML files, and folders with `.yaml` files.
    #[arg(short = 'f', long = "file", required = true, num_args = 1.., value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
}

/// Runs one command; what it prints goes to `out`.
pub async fn run(cli: Cli, now: OffsetDateTime, out: &mut impl Write) -> anyhow::Result<()> {
    if let Command::Runs(command) = cli.command {
        return runs::run(command, &cli.games_url, &cli.tls_dir, out).await;
    }
    if let Command::Awards(command) = cli.command {
        return awards::run(command, &cli.tournament_url, &cli.tls_dir, out).await;
    }
    if let Command::Money(command) = cli.command {
        return money::run(command, &cli.wallet_url, &cli.tls_dir, out).await;
    }
    if let Command::Safety(command) = cli.command {
        return safety::run(command, &cli.chat_url, &cli.tls_dir, out).await;
    }
    if let Command::Operators(command) = cli.command {
        return operators::run(command, &cli.auth_url, &cli.tls_dir, out).await;
    }
    if let Command::Players(command) = cli.command {
        return players::run(command, &cli.auth_url, &cli.tls_dir, out).await;
    }
    // The documents are read before the connection is made, so that a document can be checked
    // without a mesh.
    let documents = match &cli.command {
        Command::Apply { files, .. } | Command::Diff { files } => documents::read(&files.paths)?,
        _ => Vec::new(),
    };
    let urls = PerService {
        games: cli.games_url,
        tournament: cli.tournament_url,
        chat: cli.chat_url,
        wallet: cli.wallet_url,
    };
    let catalogue = Catalogue::connect(&urls, &cli.tls_dir)?;
    match cli.command {
        Command::Apply { dry_run, .. } => {
            let mode = if dry_run { Mode::DryRun } else { Mode::Apply };
            apply::apply(&catalogue, &documents, mode, now, out).await
        }
        Command::Diff { .. } => apply::apply(&catalogue, &documents, Mode::Diff, now, out).await,
        Command::Get { kind, id } => get(&catalogue, kind, id.as_deref(), out).await,
        Command::Export => {
            write!(out, "{}", yaml(catalogue.items().await?)?)?;
            Ok(())
        }
        Command::Delete { kind, id, dry_run } => {
            let change =
                if catalogue.delete(kind, &id, dry_run).await? { "deleted" } else { "unchanged" };
            let note = if dry_run { "; nothing was removed" } else { "" };
            writeln!(out, "{change:<9} {kind} {id}{note}")?;
            Ok(())
        }
        // These need no catalogue, and have returned above.
        Command::Runs(_)
        | Command::Awards(_)
        | Command::Money(_)
        | Command::Safety(_)
        | Command::Operators(_)
        | Command::Players(_) => Ok(()),
    }
}

async fn get(
    catalogue: &Catalogue,
    kind: Kind,
    id: Option<&str>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut items = catalogue.items_of([kind.service()]).await?;
    items.retain(|item| item.kind() == kind && id.is_none_or(|id| item.id() == id));
    if let Some(id) = id {
        if items.is_empty() {
            bail!("there is no {kind} {id}");
        }
        write!(out, "{}", yaml(items)?)?;
        return Ok(());
    }
    for item in items {
        writeln!(out, "{:<40} {}", item.id(), item.title())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn flags_and_variables_do_not_collide() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_kind_is_typed_in_any_case() {
        for kind in ["TvItem", "tvitem"] {
            let cli = Cli::try_parse_from(["playonctl", "get", kind]).unwrap();
            assert!(matches!(cli.command, Command::Get { kind: Kind::TvItem, id: None }));
        }
        assert!(Cli::try_parse_from(["playonctl", "get", "Player"]).is_err());
    }
}
