//! Use cases, one a file. Each owns its transaction.

mod apply_content;
mod apply_rules;
mod begin_run;
mod commit_piece;
mod decide_held_run;
mod erase_players;
mod finish_run;
mod get_best_run;
mod get_game;
mod get_game_proof;
mod get_open_runs;
mod get_rules;
mod get_runs_left;
mod get_tournament_run;
mod held_runs;
mod list_content;
mod list_events;
mod list_game_players;
mod list_games;
mod list_player_data;
mod list_recent_games;
mod list_tournament_runs;
mod list_tv_items;
mod measure_held_runs;
mod prove;
mod record_score;
mod round;
mod screen_runs;
mod start_session;
mod submit_score;
mod sweep;

use std::{ops::Deref, sync::Arc};

use mesh::{
    Base,
    db::{Pool, Pools},
    grpc::erased_players::ErasedPlayers,
    outbox::OutboxNotifier,
};
use quick_cache::sync::Cache;
use types::{Clock, Rng};

use crate::{
    clients::tournaments::Tournaments,
    domain::RulesHash,
    proof::{RulesModule, Workers},
};

pub(crate) use apply_content::{apply_event, apply_game, apply_tv_item, delete_content};
pub(crate) use begin_run::begin_run;
pub(crate) use commit_piece::{CommittedPiece, commit_piece};
pub(crate) use decide_held_run::decide_held_run;
pub(crate) use erase_players::erase_players;
pub(crate) use get_best_run::get_best_run;
pub(crate) use get_game::get_game;
pub(crate) use get_game_proof::{GameProof, get_game_proof};
pub(crate) use get_open_runs::get_open_runs;
pub(crate) use get_rules::get_rules;
pub(crate) use get_runs_left::get_runs_left;
pub(crate) use get_tournament_run::{get_player_run, get_tournament_run};
pub(crate) use held_runs::{get_held_run, list_held_runs};
pub(crate) use list_content::{Content, list_content};
pub(crate) use list_events::list_events;
pub(crate) use list_game_players::list_game_players;
pub(crate) use list_games::list_games;
pub(crate) use list_player_data::list_player_data;
pub(crate) use list_recent_games::list_recent_games;
pub(crate) use list_tournament_runs::list_tournament_runs;
pub(crate) use list_tv_items::list_tv_items;
pub(crate) use measure_held_runs::measure_held_runs;
pub(crate) use record_score::{SCORE_TOPIC, ScoreRow, deliver_score};
pub(crate) use screen_runs::{RunDoubt, screen_runs};
pub(crate) use start_session::{Choice, Started, start_session};
pub(crate) use submit_score::{Score, SubmittedRun, submit_score};
pub(crate) use sweep::sweep;

/// Compiled rules modules that are kept. A game has one, or two around a new version.
const RULES_KEPT: usize = 64;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    pub(crate) db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    /// The compiled rules modules.
    pub(crate) rules: Cache<RulesHash, RulesModule>,
    pub(crate) replays: Workers,
    pub(crate) tournaments: Tournaments,
    /// Lists the players whose runs are removed.
    pub(crate) erased_players: ErasedPlayers,
    /// Wakes the relay after a commit.
    pub(crate) outbox: OutboxNotifier,
    job_pool: Pool,
}

impl Cx {
    pub(crate) fn new(
        base: &Base,
        pools: &Pools,
        tournaments: Tournaments,
        erased_players: ErasedPlayers,
    ) -> Self {
        let inner = Inner {
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            rules: Cache::new(RULES_KEPT),
            replays: Workers::new(),
            tournaments,
            erased_players,
            outbox: OutboxNotifier::default(),
            job_pool: pools.jobs.clone(),
        };
        Self { db: pools.calls.clone(), inner: Arc::new(inner) }
    }

    /// Returns the same dependencies with the connection pool for jobs.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.job_pool.clone(), inner: Arc::clone(&self.inner) }
    }
}

impl Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}
