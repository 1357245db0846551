//! Types and rules: pure, without clock, database or wire types.

mod content;
mod game;
mod held;
mod inputs;
mod manifest;
mod pieces;
mod players_of;
mod proof;
mod rules;
mod run;
mod scored_run;
mod screening;
mod session;
mod tournament;

pub(crate) use content::{Event, TvItem};
pub(crate) use game::{Game, GameId, PrizeClass};
pub(crate) use held::{
    DECIDED_WITHIN, Decision, HELD_INPUTS_RETENTION, HeldRun, HoldReason, Proposal,
};
pub(crate) use inputs::{Inputs, InvalidInputs};
pub(crate) use manifest::{ContentKind, EventManifest, GameManifest, TvItemManifest};
pub(crate) use pieces::{PieceKey, PieceLength, PieceRefusal, Pieces};
pub(crate) use players_of::PlayersOf;
pub(crate) use proof::{Proof, ScoreKey};
pub(crate) use rules::{Pace, RulesHash};
pub(crate) use run::{RunRefusal, Submission, Trust};
pub(crate) use scored_run::{Run, ScoredRun, Seeds};
pub(crate) use screening::{Answer, find_exact_presses};
pub(crate) use session::{PlaySession, PlaySessionId, RETENTION, RunOutcome, Unusable, expires_at};
pub(crate) use tournament::{
    BoardPlace, COUNTS_RETENTION, OpenRound, RUNS_RETENTION, RoundRuns, TournamentId,
    TournamentRound, TournamentScore,
};
