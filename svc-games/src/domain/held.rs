//! Runs that operators decide on.

use strum::{Display, EnumString};
use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{PlaySessionId, TournamentId};

/// How long after the decision the inputs of a held run are kept.
pub(crate) const HELD_INPUTS_RETENTION: Duration = Duration::days(90);

/// The time within which operators decide on a held run in a tournament.
pub(crate) const DECIDED_WITHIN: Duration = Duration::days(1);

/// Why a run is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
pub(crate) enum HoldReason {
    /// More actions a second than thumbs can make.
    InhumanRate,
    /// The inputs of another player's run over the same seed.
    SameInputs,
}

/// What an operator decides on a held run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
pub(crate) enum Decision {
    /// The score counts, at the time at which it was submitted.
    Released,
    Refused,
}

/// A run that an operator decides on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeldRun {
    pub(crate) session: PlaySessionId,
    pub(crate) player: PlayerId,
    /// Key of the game; empty if the game was removed.
    pub(crate) game_key: String,
    pub(crate) tournament: Option<TournamentId>,
    pub(crate) points: i32,
    pub(crate) reason: HoldReason,
    pub(crate) submitted_at: OffsetDateTime,
    pub(crate) elapsed_seconds: i32,
    pub(crate) actions: i32,
    /// The operator's proposal to release the run, which a second operator has to confirm.
    pub(crate) proposal: Option<Proposal>,
}

/// An operator's proposal to release a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    pub(crate) operator: String,
    pub(crate) at: OffsetDateTime,
}
