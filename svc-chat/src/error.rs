//! The refusals of svc-chat, with the gRPC code and REASON of each.

use std::time::Duration;

use mesh::{Fault, Refusal};
use thiserror::Error as ThisError;
use tonic::Code;
use types::InvalidContent;

use crate::domain::{
    FeedbackError, InvalidEndpoint, InvalidKeys, InvalidQuietHours, Malformed, MessageError,
    SUBJECT_MAX, TEXT_MAX,
};

/// Why a use case failed.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub(crate) enum Refused {
    /// A fault of the service that calls; no player reads it.
    #[error("a notification is malformed: {0}")]
    Malformed(#[from] Malformed),
    /// The same.
    #[error("the source was used with other content")]
    SourceReused,
    #[error("there is no such room")]
    RoomNotFound,
    #[error("the player is a member already")]
    AlreadySubscribed,
    /// Of what members only may do.
    #[error("the player is no member")]
    NotAMember,
    /// Of leaving.
    #[error("the player is no member, and cannot leave")]
    NothingToLeave,
    /// Of a stream, with the `chat_room_uid`s.
    #[error("the player may not watch: {}", .0.join(", "))]
    NotAMemberOf(Vec<String>),
    #[error("{0}")]
    Message(#[from] MessageError),
    /// Each wrong field.
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

/// The REASON of what members only may do.
const NOT_A_MEMBER: &str = "NOT_A_MEMBER";
/// The text for one who leaves a room without being in it.
const NOT_JOINED: &str = "You have not joined this chat room.";

impl Refusal for Refused {}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Malformed(_) => Self::new(Code::InvalidArgument, "INVALID_ARGUMENT"),
            Refused::SourceReused => Self::new(Code::FailedPrecondition, "IDEMPOTENCY_KEY_REUSED"),
            Refused::RoomNotFound => Self::new(Code::NotFound, "ROOM_NOT_FOUND"),
            Refused::AlreadySubscribed => Self::new(Code::AlreadyExists, "ALREADY_SUBSCRIBED"),
            Refused::NotAMember => Self::new(Code::PermissionDenied, NOT_A_MEMBER),
            Refused::NothingToLeave => Self::with_text(Code::Aborted, NOT_A_MEMBER, NOT_JOINED),
            Refused::NotAMemberOf(rooms) => {
                Self::new(Code::PermissionDenied, NOT_A_MEMBER).param("rooms", rooms.join(","))
            }
            Refused::Message(error) => error.into(),
            Refused::Feedback(errors) => Self::invalid(errors.into_iter().map(feedback).collect()),
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
            Refused::BlockedSelf => Self::invalid_field("player_id", "You cannot block yourself."),
            Refused::TooManyBlocked => Self::new(Code::FailedPrecondition, "TOO_MANY_BLOCKED"),
            Refused::TooManyWatchers => Self::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"),
            Refused::Content(InvalidContent { field, problem }) => Self {
                fields: vec![(field.into_owned(), problem)],
                ..Self::new(Code::InvalidArgument, "INVALID_CONTENT")
            },
            Refused::PushNotOffered => Self::new(Code::FailedPrecondition, "PUSH_NOT_OFFERED"),
            Refused::Endpoint(_) | Refused::Keys(_) | Refused::SubscriptionOfAnother => {
                Self::new(Code::InvalidArgument, "INVALID_PUSH_SUBSCRIPTION")
            }
            Refused::QuietHours(error) => error.into(),
            Refused::Stopping => Self::unavailable(),
        }
    }
}

/// The field and the text of what is wrong with a feedback.
fn feedback(error: FeedbackError) -> (String, String) {
    let (field, text) = match error {
        FeedbackError::NoEmail => ("email", "Please enter your email".to_owned()),
        FeedbackError::MalformedEmail => ("email", "Please enter a valid email.".to_owned()),
        FeedbackError::NoSubject => ("subject", "Please enter a subject.".to_owned()),
        FeedbackError::LongSubject => (
            "subject",
            format!("A subject has at most {SUBJECT_MAX} characters. Please shorten it."),
        ),
        FeedbackError::ControlInSubject => {
            ("subject", "This subject has characters that we cannot send.".to_owned())
        }
        FeedbackError::NoMessage => ("message", "Please enter a message.".to_owned()),
        FeedbackError::LongMessage => {
            ("message", format!("A message has at most {TEXT_MAX} characters. Please shorten it."))
        }
        FeedbackError::ControlInMessage => {
            ("message", "This message has characters that we cannot send.".to_owned())
        }
        FeedbackError::ClientId => (
            "client_feedback_id",
            "This should be 1 to 255 visible characters without spaces.".to_owned(),
        ),
    };
    (field.to_owned(), text)
}

impl From<InvalidQuietHours> for Fault {
    fn from(error: InvalidQuietHours) -> Self {
        match error {
            InvalidQuietHours::NoTime => {
                Self::invalid_field("quiet_from", "Please choose a time of the day.")
            }
            InvalidQuietHours::Empty => Self::invalid_field(
                "quiet_until",
                "Please choose an end that differs from the start.",
            ),
        }
    }
}

impl From<MessageError> for Fault {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Empty => Self::new(Code::InvalidArgument, "EMPTY_MESSAGE"),
            MessageError::TooLong => Self::invalid_field(
                "text",
                format!("A message has at most {TEXT_MAX} characters. Please shorten it."),
            ),
            MessageError::Control => {
                Self::invalid_field("text", "This message has characters that we cannot send.")
            }
            MessageError::Media => Self::new(Code::InvalidArgument, "MEDIA_NOT_ALLOWED"),
            MessageError::ClientId => Self::invalid_field(
                "client_message_id",
                "This should be 1 to 255 visible characters without spaces.",
            ),
        }
    }
}
