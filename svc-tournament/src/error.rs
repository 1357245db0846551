//! The refusals of svc-tournament, with the gRPC code and REASON of each.

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;
use types::InvalidContent;

use crate::domain::TournamentId;

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    #[error("no tournament has that id")]
    TournamentNotFound,
    #[error("the tournament has not begun, or is over")]
    TournamentNotOn,
    #[error("the board is being settled")]
    TournamentClosed,
    #[error("the tournament has scores and is not settled")]
    TournamentHasScores,
    #[error("{} of the tournaments do not exist", .tournaments.len())]
    UnknownTournaments {
        /// The tournaments that do not exist.
        tournaments: Vec<TournamentId>,
    },
    #[error("no award of money has that id")]
    AwardNotFound,
    #[error("the award is paid or refused already")]
    AwardDecided,
    #[error("another operator has to do the same")]
    NeedsSecondOperator,
    #[error("the content is not valid: {0}")]
    Content(#[from] InvalidContent),
    #[error("the player, or all players together, watch too much")]
    TooManyWatchers,
    #[error("the service is stopping")]
    Stopping,
}

impl Refusal for Refused {
    fn of_constraint(constraint: &str) -> Option<Self> {
        (constraint == "standing_needs_open_tournament").then_some(Self::TournamentClosed)
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TournamentNotFound => Self::new(Code::NotFound, "TOURNAMENT_NOT_FOUND"),
            Refused::TournamentNotOn => Self::new(Code::FailedPrecondition, "TOURNAMENT_NOT_ON"),
            Refused::TournamentClosed => Self::new(Code::FailedPrecondition, "TOURNAMENT_CLOSED"),
            Refused::TournamentHasScores => {
                Self::new(Code::FailedPrecondition, "TOURNAMENT_HAS_SCORES")
            }
            Refused::UnknownTournaments { tournaments } => {
                unknown_tournaments(tournaments.iter().map(ToString::to_string))
            }
            Refused::AwardNotFound => Self::new(Code::NotFound, "AWARD_NOT_FOUND"),
            Refused::AwardDecided => Self::new(Code::FailedPrecondition, "AWARD_DECIDED"),
            Refused::NeedsSecondOperator => {
                Self::new(Code::FailedPrecondition, "NEEDS_SECOND_OPERATOR")
            }
            Refused::Content(InvalidContent { field, problem }) => {
                Self::new(Code::InvalidArgument, "INVALID_CONTENT").problem(field, problem)
            }
            Refused::TooManyWatchers => Self::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"),
            Refused::Stopping => Self::unavailable(),
        }
    }
}

/// Refuses malformed and unknown tournament ids, which the refusal names.
pub(crate) fn unknown_tournaments(ids: impl Iterator<Item = String>) -> Fault {
    let mut fault = Fault::invalid_field("tournament_ids", "TOURNAMENT_NOT_FOUND");
    fault.params.push(("tournaments".into(), ids.collect::<Vec<_>>().join(",")));
    fault
}
