//! The refusals of svc-chat, with the gRPC code and REASON of each.

use std::time::Duration;

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;
use types::{InvalidContent, Text};

use crate::domain::{
    FeedbackError, InvalidEndpoint, InvalidKeys, InvalidQuietHours, Malformed, MessageError,
    SUBJECT_MAX, TEXT_MAX,
};

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    /// A fault of the calling service; never shown to a player.
    #[error("a notification is malformed: {0}")]
    Malformed(#[from] Malformed),
    /// A fault of the calling service; never shown to a player.
    #[error("the source was used with other content")]
    SourceReused,
    #[error("there is no such room")]
    RoomNotFound,
    #[error("the player is a member already")]
    AlreadySubscribed,
    /// Returned by RPCs that only members may call.
    #[error("the player is no member")]
    NotAMember,
    /// Returned by `LeaveRoom`.
    #[error("the player is no member, and cannot leave")]
    NothingToLeave,
    /// Returned by `WatchRooms`, with the rooms' `chat_room_uid`s.
    #[error("the player may not watch: {}", .0.join(", "))]
    NotAMemberOf(Vec<String>),
    #[error("{0}")]
    Message(#[from] MessageError),
    /// The error of each wrong field.
    #[error("the feedback is not valid: {0:?}")]
    Feedback(Vec<FeedbackError>),
    #[error("the player has no such message")]
    MessageNotFound,
    #[error("the player has none of these notifications")]
    NotificationNotFound,
    #[error("the player sends too fast")]
    SendingTooFast(Duration),
    #[error("an operator closed the room")]
    RoomClosed,
    #[error("an operator muted the player")]
    Muted(Duration),
    #[error("slow mode has the player wait")]
    SlowMode(Duration),
    #[error("the message has a word of the filter")]
    WordNotAllowed,
    #[error("there is no such report")]
    ReportNotFound,
    #[error("players cannot block themselves")]
    BlockedSelf,
    #[error("the player blocked too many")]
    TooManyBlocked,
    #[error("the player, or all players together, watch too much")]
    TooManyWatchers,
    #[error("the content is not valid: {0}")]
    Content(#[from] InvalidContent),
    #[error("this deployment has no key to push with")]
    PushNotOffered,
    #[error("an endpoint cannot be called: {0}")]
    Endpoint(#[from] InvalidEndpoint),
    #[error("the keys cannot be used: {0}")]
    Keys(#[from] InvalidKeys),
    #[error("the endpoint has other keys")]
    SubscriptionOfAnother,
    #[error("no quiet hours: {0}")]
    QuietHours(#[from] InvalidQuietHours),
    #[error("the service is stopping")]
    Stopping,
}

/// The REASON of a refusal for players who are no members.
const NOT_A_MEMBER: &str = "NOT_A_MEMBER";

impl Refusal for Refused {}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Malformed(_) => Self::new(Code::InvalidArgument, "INVALID_ARGUMENT"),
            Refused::SourceReused => Self::new(Code::FailedPrecondition, "IDEMPOTENCY_KEY_REUSED"),
            Refused::RoomNotFound => Self::new(Code::NotFound, "ROOM_NOT_FOUND"),
            Refused::AlreadySubscribed => Self::new(Code::AlreadyExists, "ALREADY_SUBSCRIBED"),
            Refused::NotAMember => Self::new(Code::PermissionDenied, NOT_A_MEMBER),
            Refused::NothingToLeave => Self::new(Code::Aborted, NOT_A_MEMBER),
            Refused::NotAMemberOf(rooms) => {
                Self::new(Code::PermissionDenied, NOT_A_MEMBER).param("rooms", rooms.join(","))
            }
            Refused::Message(error) => error.into(),
            Refused::Feedback(errors) => Self::invalid(errors.into_iter().map(feedback)),
            Refused::MessageNotFound => Self::new(Code::NotFound, "MESSAGE_NOT_FOUND"),
            Refused::NotificationNotFound => Self::new(Code::NotFound, "NOTIFICATION_NOT_FOUND"),
            Refused::SendingTooFast(wait) => Self::rate_limited(wait),
            Refused::RoomClosed => Self::new(Code::PermissionDenied, "ROOM_CLOSED"),
            Refused::Muted(wait) => {
                Self { retry_after: Some(wait), ..Self::new(Code::PermissionDenied, "MUTED") }
            }
            Refused::SlowMode(wait) => {
                Self { retry_after: Some(wait), ..Self::new(Code::ResourceExhausted, "SLOW_MODE") }
            }
            Refused::WordNotAllowed => {
                Self::new(Code::InvalidArgument, "WORD_NOT_ALLOWED").field("text")
            }
            Refused::ReportNotFound => Self::new(Code::NotFound, "REPORT_NOT_FOUND"),
            Refused::BlockedSelf => Self::invalid_field("player_id", "BLOCKED_SELF"),
            Refused::TooManyBlocked => Self::new(Code::FailedPrecondition, "TOO_MANY_BLOCKED"),
            Refused::TooManyWatchers => Self::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"),
            Refused::Content(InvalidContent { field, problem }) => {
                Self::new(Code::InvalidArgument, "INVALID_CONTENT").problem(field, problem)
            }
            Refused::PushNotOffered => Self::new(Code::FailedPrecondition, "PUSH_NOT_OFFERED"),
            Refused::Endpoint(_) | Refused::Keys(_) | Refused::SubscriptionOfAnother => {
                Self::new(Code::InvalidArgument, "INVALID_PUSH_SUBSCRIPTION")
            }
            Refused::QuietHours(error) => error.into(),
            Refused::Stopping => Self::unavailable(),
        }
    }
}

/// The wrong field of a feedback, and the player's text for it.
fn feedback(error: FeedbackError) -> (&'static str, Text) {
    match error {
        FeedbackError::NoEmail => ("email", "EMAIL_NEEDED".into()),
        FeedbackError::MalformedEmail => ("email", "EMAIL_MALFORMED".into()),
        FeedbackError::NoSubject => ("subject", "SUBJECT_MISSING".into()),
        FeedbackError::LongSubject => {
            ("subject", Text::new("SUBJECT_TOO_LONG").with("subject_max", SUBJECT_MAX))
        }
        FeedbackError::ControlInSubject => ("subject", "SUBJECT_NOT_PLAIN".into()),
        FeedbackError::NoMessage => ("message", "MESSAGE_MISSING".into()),
        FeedbackError::LongMessage => {
            ("message", Text::new("MESSAGE_TOO_LONG").with("max", TEXT_MAX))
        }
        FeedbackError::ControlInMessage => ("message", "MESSAGE_NOT_PLAIN".into()),
        FeedbackError::ClientId => ("client_feedback_id", "CLIENT_ID_MALFORMED".into()),
    }
}

impl From<InvalidQuietHours> for Fault {
    fn from(error: InvalidQuietHours) -> Self {
        match error {
            InvalidQuietHours::NoTime => Self::invalid_field("quiet_from", "TIME_OF_DAY_MALFORMED"),
            InvalidQuietHours::Empty => Self::invalid_field("quiet_until", "QUIET_HOURS_EMPTY"),
        }
    }
}

impl From<MessageError> for Fault {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Empty => Self::new(Code::InvalidArgument, "EMPTY_MESSAGE"),
            MessageError::TooLong => {
                Self::invalid_field("text", Text::new("MESSAGE_TOO_LONG").with("max", TEXT_MAX))
            }
            MessageError::Control => Self::invalid_field("text", "MESSAGE_NOT_PLAIN"),
            MessageError::Media => Self::new(Code::InvalidArgument, "MEDIA_NOT_ALLOWED"),
            MessageError::ClientId => {
                Self::invalid_field("client_message_id", "CLIENT_ID_MALFORMED")
            }
        }
    }
}
