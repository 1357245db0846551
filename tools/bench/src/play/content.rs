//! The content that operators apply before a scenario: games and tournaments.

use anyhow::{Context as _, Result};
use prost_types::Timestamp;
use proto::{
    games::v1::{
        ApplyGameRequest, GameManifest, catalogue_admin_service_client::CatalogueAdminServiceClient,
    },
    tournament::v1::{
        ApplyTournamentRequest, TournamentManifest,
        tournament_admin_service_client::TournamentAdminServiceClient,
    },
};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use time::{Duration, OffsetDateTime};
use tonic::Status;

use crate::play_args::PlayArgs;
use crate::{
    address::Target,
    client::{self, Connection},
};

/// The name in the certificates of operators.
const OPERATORS: &str = mesh::edges::OPERATORS;
/// The most runs of a player in a round.
pub(crate) const RUNS_PER_ROUND: u32 = 100;
/// The time from the beginning of a tournament until now, and from now until its end.
const HALF_SPAN: Duration = Duration::days(1);
const TRIVIAL: &str = include_str!("trivial.wat");

/// The games that are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Game {
    /// A game of ten ticks that cost nothing.
    Trivial,
    DumaDash,
}

impl Game {
    /// The operators' key of the game.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Trivial => "bench-trivial",
            Self::DumaDash => "bench-duma-dash",
        }
    }
}

/// A tournament that is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tournament {
    pub(crate) id: String,
    /// The id of its game.
    pub(crate) game: String,
}

/// The rules module of the trivial game.
pub(crate) fn trivial() -> Result<Vec<u8>> {
    Ok(wat::parse_str(TRIVIAL)?)
}

/// The rules module of a game.
pub(crate) fn rules(args: &PlayArgs, game: Game) -> Result<Vec<u8>> {
    match game {
        Game::Trivial => trivial(),
        Game::DumaDash => std::fs::read(&args.rules)
            .with_context(|| format!("cannot read {} (npm run build)", args.rules.display())),
    }
}

/// Creates the game, unless it is there.
pub(crate) async fn apply_game(args: &PlayArgs, game: Game) -> Result<()> {
    let rules = rules(args, game)?;
    let manifest = GameManifest {
        key: game.key().to_owned(),
        name: game.key().to_owned(),
        package_id: format!("com.playon.{}", game.key().replace('-', "")),
        description: "A game of the bench.".to_owned(),
        game_icon: "/icon.svg".to_owned(),
        levels: 1,
        rules_sha256: hex::encode(Sha256::digest(&rules)),
        ..GameManifest::default()
    };
    let mut games = CatalogueAdminServiceClient::new(args.games(OPERATORS)?);
    let request = ApplyGameRequest { game: Some(manifest), rules, dry_run: false };
    games.apply_game(request).await.map_err(|status| refused("ApplyGame", &status))?;
    Ok(())
}

/// Creates a tournament in the game, from yesterday to tomorrow, unless one with its key is
/// there; returns it.
pub(crate) async fn apply_tournament(
    args: &PlayArgs,
    target: Target,
    game: Game,
    key: &str,
) -> Result<Tournament> {
    if let Some(tournament) = find_tournament(target, key).await? {
        return Ok(tournament);
    }
    let now = types::Clock::system().now();
    let manifest = TournamentManifest {
        key: key.to_owned(),
        name: key.to_owned(),
        description: "A tournament of the bench.".to_owned(),
        game: game.key().to_owned(),
        starts: Some(timestamp(now - HALF_SPAN)),
        ends: Some(timestamp(now + HALF_SPAN)),
        rounds: 1,
        runs_per_round: RUNS_PER_ROUND,
        ..TournamentManifest::default()
    };
    let mut tournaments = TournamentAdminServiceClient::new(args.tournament(OPERATORS)?);
    let request = ApplyTournamentRequest { tournament: Some(manifest), dry_run: false };
    let applied = tournaments.apply_tournament(request).await;
    applied.map_err(|status| refused("ApplyTournament", &status))?;
    let found = find_tournament(target, key).await?;
    found.with_context(|| format!("the tournament {key} is not in the list"))
}

/// Converts a time to the contract's type.
pub(crate) fn timestamp(at: OffsetDateTime) -> Timestamp {
    let nanos = i32::try_from(at.nanosecond()).unwrap_or_default();
    Timestamp { seconds: at.unix_timestamp(), nanos }
}

/// Finds a tournament of the bench by its name, which is its key.
async fn find_tournament(target: Target, key: &str) -> Result<Option<Tournament>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Listed {
        id: String,
        name: String,
        game_id: String,
    }
    let list = client::get("/api/tournaments")?;
    let list: Vec<Listed> = Connection::new(target).call_api(list).await?;
    let found = list.into_iter().find(|listed| listed.name == key);
    Ok(found.map(|listed| Tournament { id: listed.id, game: listed.game_id }))
}

fn refused(call: &str, status: &Status) -> anyhow::Error {
    anyhow::anyhow!("{call}: {}: {}", status.code(), status.message())
}
