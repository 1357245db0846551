//! The refusals of svc-games, with the gRPC code and REASON of each.

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;
use types::InvalidContent;

use crate::domain::{InvalidInputs, PieceRefusal, RunRefusal, Unusable};

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    #[error("no game has that id")]
    GameNotFound,
    #[error("the scores of the game cannot be proven")]
    GameNotPlayable,
    #[error("no rules module has that hash")]
    RulesNotFound,
    #[error("the game has no such level")]
    InvalidLevel,
    #[error("no tournament in the game has that id")]
    TournamentNotFound,
    #[error("the tournament has not begun, or has ended")]
    TournamentNotOn,
    #[error("the player has no run left in the round")]
    NoRunsLeft,
    #[error("there is no such run that the caller may watch or decide on")]
    RunNotFound,
    #[error("an operator decided otherwise before")]
    RunDecided,
    #[error("much cash of tournaments that are not settled depends on the game")]
    GameAtStake,
    #[error("another operator has to decide the same")]
    NeedsSecondOperator,
    #[error("no play session has that ticket")]
    SessionNotFound,
    #[error("the play session expired before its run was submitted")]
    SessionExpired,
    #[error("another run was submitted to the play session")]
    SessionUsed,
    #[error("the run of the play session has not begun")]
    RunNotBegun,
    #[error("the inputs cannot be decoded: {0}")]
    Inputs(InvalidInputs),
    #[error("the piece is not the next one, or has other than its steps")]
    InvalidPiece,
    #[error("other inputs of the piece were committed")]
    PieceTaken,
    #[error("the piece came before its steps could be played")]
    PieceTooEarly,
    #[error("the run has rested or waited for too long")]
    RunTooLate,
    #[error("the run is not proven: {0}")]
    Score(RunRefusal),
    #[error("the content is not valid: {0}")]
    Content(#[from] InvalidContent),
}

impl From<InvalidInputs> for Refused {
    fn from(invalid: InvalidInputs) -> Self {
        Self::Inputs(invalid)
    }
}

impl From<PieceRefusal> for Refused {
    fn from(refusal: PieceRefusal) -> Self {
        match refusal {
            PieceRefusal::Invalid => Self::InvalidPiece,
            PieceRefusal::Taken => Self::PieceTaken,
            PieceRefusal::TooEarly => Self::PieceTooEarly,
            PieceRefusal::TooLate => Self::RunTooLate,
        }
    }
}

impl From<Unusable> for Refused {
    fn from(unusable: Unusable) -> Self {
        match unusable {
            Unusable::Unknown => Self::SessionNotFound,
            Unusable::Expired => Self::SessionExpired,
            Unusable::Used => Self::SessionUsed,
            Unusable::NotBegun => Self::RunNotBegun,
        }
    }
}

impl Refusal for Refused {
    fn of_constraint(constraint: &str) -> Option<Self> {
        match constraint {
            "game_package" => {
                Some(Self::Content(InvalidContent::new("packageId", "is another game's")))
            }
            _ => None,
        }
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::GameNotFound => Self::new(Code::NotFound, "GAME_NOT_FOUND"),
            Refused::GameNotPlayable => Self::new(Code::FailedPrecondition, "GAME_NOT_PLAYABLE"),
            Refused::RulesNotFound => Self::new(Code::NotFound, "RULES_NOT_FOUND"),
            Refused::InvalidLevel => {
                Self::new(Code::InvalidArgument, "INVALID_LEVEL").field("level")
            }
            Refused::TournamentNotFound => Self::new(Code::NotFound, "TOURNAMENT_NOT_FOUND"),
            Refused::TournamentNotOn => Self::new(Code::FailedPrecondition, "TOURNAMENT_NOT_ON"),
            Refused::NoRunsLeft => Self::new(Code::FailedPrecondition, "NO_RUNS_LEFT"),
            Refused::RunNotFound => Self::new(Code::NotFound, "RUN_NOT_FOUND"),
            Refused::RunDecided => Self::new(Code::FailedPrecondition, "RUN_DECIDED"),
            Refused::GameAtStake => Self::new(Code::FailedPrecondition, "GAME_AT_STAKE"),
            Refused::NeedsSecondOperator => {
                Self::new(Code::FailedPrecondition, "NEEDS_SECOND_OPERATOR")
            }
            Refused::SessionNotFound => Self::new(Code::NotFound, "SESSION_NOT_FOUND"),
            Refused::SessionExpired => Self::new(Code::FailedPrecondition, "SESSION_EXPIRED"),
            Refused::SessionUsed => Self::new(Code::AlreadyExists, "SESSION_USED"),
            Refused::RunNotBegun => Self::new(Code::FailedPrecondition, "RUN_NOT_BEGUN"),
            Refused::InvalidPiece => {
                Self::new(Code::InvalidArgument, "INVALID_PIECE").field("index")
            }
            Refused::PieceTaken => Self::new(Code::AlreadyExists, "PIECE_TAKEN"),
            Refused::PieceTooEarly => Self::new(Code::FailedPrecondition, "PIECE_TOO_EARLY"),
            Refused::RunTooLate => Self::new(Code::FailedPrecondition, "RUN_TOO_LATE"),
            Refused::Inputs(InvalidInputs::TooLarge) => {
                Self::new(Code::InvalidArgument, "INPUTS_TOO_LARGE").field("inputs")
            }
            Refused::Inputs(_) => {
                Self::new(Code::InvalidArgument, "INVALID_INPUTS").field("inputs")
            }
            Refused::Content(InvalidContent { field, problem }) => {
                Self::new(Code::InvalidArgument, "INVALID_CONTENT").problem(field, problem)
            }
            Refused::Score(refusal) => {
                Self::new(Code::FailedPrecondition, "SCORE_REFUSED").param("refusal", refusal)
            }
        }
    }
}
