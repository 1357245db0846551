//! Use cases, one a file. Each owns its transaction.

mod apply_tournament;
mod count_players;
mod decide_award;
mod get_cash_at_stake;
mod get_leaderboard;
mod get_podium;
mod get_result_proof;
mod get_round;
mod get_tournament;
mod give_award;
mod list_awards;
mod list_hall_of_fame;
mod list_player_data;
mod list_tournaments;
mod measure_awards;
mod notify;
mod notify_results;
mod notify_start;
mod pay_award;
mod read_board;
mod record_late_score;
mod record_score;
mod reserve_cash;
mod score_writer;
mod screen_awards;
mod seeds;
mod settle;
mod standings_changed;
mod sweep_changes;
mod tiers;
mod watch_standings;

use std::{ops::Deref, sync::Arc, time::Duration};

use mesh::{
    Shutdown,
    db::{Pool, Pools},
    outbox::OutboxNotifier,
    pubsub::PubSub,
};
use types::{Clock, Money, Rng};

use crate::{
    board::{FinalBoards, Shelf},
    clients::{games::Games, notifications::Notifications, persons::Persons, wallets::Wallets},
};

pub(crate) use apply_tournament::{apply_tournament, delete_tournament, list_manifests};
pub(crate) use count_players::count_players;
pub(crate) use decide_award::{decide_award, list_given_awards};
pub(crate) use get_cash_at_stake::get_cash_at_stake;
pub(crate) use get_leaderboard::{Leaderboard, get_leaderboard};
pub(crate) use get_podium::{Podium, get_podium};
pub(crate) use get_result_proof::{ProvenPlace, ResultProof, get_result_proof};
pub(crate) use get_round::{CurrentRound, get_round};
pub(crate) use get_tournament::get_tournament;
pub(crate) use give_award::pay_due_awards;
pub(crate) use list_awards::list_awards;
pub(crate) use list_hall_of_fame::list_hall_of_fame;
pub(crate) use list_player_data::list_player_data;
pub(crate) use list_tournaments::list_tournaments;
pub(crate) use measure_awards::measure_awards;
pub(crate) use notify::{NOTIFY_TOPIC, TournamentEnded, notify};
pub(crate) use notify_results::notify_results;
pub(crate) use notify_start::{Begun, START_TOPIC, notify_begun, notify_starts};
pub(crate) use pay_award::{AWARD_TOPIC, CashWon, pay_award};
pub(crate) use read_board::evict_boards;
pub(crate) use record_score::record_score;
pub(crate) use reserve_cash::{RESERVATION_TOPIC, Reserved, match_reservation};
pub(crate) use score_writer::{ScoreWriter, Scores};
pub(crate) use screen_awards::screen_awards;
pub(crate) use settle::settle;
pub(crate) use standings_changed::{STANDING_CHANNELS, StandingsPublisher};
pub(crate) use sweep_changes::sweep_changes;
pub(crate) use watch_standings::{StandingState, watch_standings};

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    /// The pool for calls, or for jobs ([`Cx::for_jobs`]).
    pub(crate) db: Pool,
    jobs_db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    pub(crate) shutdown: Shutdown,
    /// The boards in memory.
    pub(crate) boards: Shelf,
    /// The cache of settled tournaments' boards.
    pub(crate) final_boards: FinalBoards,
    /// Writes scores.
    pub(crate) scores: ScoreWriter,
    /// The channels that watchers subscribe to.
    pub(crate) pubsub: PubSub,
    /// Publishes changes of boards to watchers.
    pub(crate) standings: StandingsPublisher,
    /// Wakes the relays after a commit.
    pub(crate) outbox: OutboxNotifier,
    pub(crate) games: Games,
    pub(crate) wallets: Wallets,
    pub(crate) persons: Persons,
    pub(crate) notifications: Notifications,
    /// How long awards of money wait before they are paid.
    pub(crate) award_hold: Duration,
    /// The most cash of a tournament that one operator publishes alone, and of an award that one
    /// operator approves alone.
    pub(crate) cash_confirmed_over: Money,
    /// The most cash of all tournaments that one operator publishes alone in a day.
    pub(crate) cash_alone_a_day: Money,
}

impl Cx {
    /// The context of calls.
    pub(crate) fn new(pools: Pools, inner: Inner) -> Self {
        Self { db: pools.calls, jobs_db: pools.jobs, inner: Arc::new(inner) }
    }

    /// The context of jobs: the same with the pool for jobs and outbox deliveries.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.jobs_db.clone(), ..self.clone() }
    }
}

impl Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}
