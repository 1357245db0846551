//! SQL, one file for each group of tables. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod best_run;
pub(crate) mod content;
pub(crate) mod erasure;
pub(crate) mod event;
pub(crate) mod game;
pub(crate) mod held_run;
pub(crate) mod player_data;
pub(crate) mod recent_game;
pub(crate) mod rules;
pub(crate) mod session;
pub(crate) mod tournament_inputs;
pub(crate) mod tournament_run;
pub(crate) mod tournament_runs;
pub(crate) mod tv_item;

use sqlx::types::Uuid;
use time::OffsetDateTime;

use crate::domain::{Proof, RulesHash, ScoreKey, TournamentRound};

/// Reads how the scores of a game or a session are proven.
fn proof(rules: Option<Vec<u8>>, key: Option<Vec<u8>>) -> sqlx::Result<Proof> {
    let rules = rules.map(|hash| decoded(hash.as_slice().try_into())).transpose()?;
    let key = key.map(|key| decoded(key.as_slice().try_into())).transpose()?;
    Ok(Proof::new(rules.map(RulesHash), key.map(ScoreKey)))
}

/// Reads the round of a session; `None` outside a tournament.
fn round(
    tournament: Option<Uuid>,
    round: Option<i32>,
    ends_at: Option<OffsetDateTime>,
) -> Option<TournamentRound> {
    let (tournament, round, ends_at) = (tournament?.into(), round?, ends_at?);
    Some(TournamentRound { tournament, round, ends_at })
}

/// Turns a value that the database holds but the domain refuses into an internal fault.
fn decoded<T, E>(value: Result<T, E>) -> sqlx::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    value.map_err(|error| sqlx::Error::Decode(error.into()))
}
