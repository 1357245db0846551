//! Types and rules: pure, without clock, database or wire types.

mod award;
mod award_state;
mod given_award;
mod late_award;
mod manifest;
mod moved_up;
mod proof;
mod round;
mod score;
mod screening;
mod tournament;

pub(crate) use award::{Award, Package, PrizeClass, Tier, award_won, total_cash};
pub(crate) use award_state::{AwardDecision, AwardState};
pub(crate) use given_award::{
    AwardCause, CashAward, DecidedAward, GivenAwardId, ListedAward, OwnAward,
};
pub(crate) use late_award::{GivenAward, late_award};
pub(crate) use manifest::TournamentManifest;
pub(crate) use moved_up::{Finalist, moved_up};
pub(crate) use proof::Proof;
pub(crate) use round::Schedule;
pub(crate) use score::{NewScore, RecordedScore, Score, Standing, Trust};
pub(crate) use screening::{
    BoardPoints, IdentityKind, Outlier, SharedIdentity, SharedWithWinner, Winner, find_outlier,
    find_shared_with_winner,
};
pub(crate) use tournament::{FameEntry, GRACE, GameId, LATE_SCORES, Tournament, TournamentId};
