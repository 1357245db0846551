//! Feedback to the support.

use thiserror::Error;
use time::OffsetDateTime;
use types::{
    Email, EmailError, PlayerId, derived_id,
    writing::{self, WritingError},
};

use super::TEXT_MAX;

types::id! {
    /// Identifies a feedback.
    pub(crate) FeedbackId: "feedback"
}

/// Longest subject, in characters.
pub(crate) const SUBJECT_MAX: usize = 120;
/// Longest idempotency key of a feedback, in bytes.
const CLIENT_ID_MAX: usize = 255;

/// A feedback that was sent to the support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Feedback {
    pub(crate) id: FeedbackId,
    /// Absent for a guest.
    pub(crate) player: Option<PlayerId>,
    pub(crate) email: Email,
    pub(crate) subject: String,
    pub(crate) message: String,
    /// The trace of the call.
    pub(crate) trace: Option<String>,
    pub(crate) created_at: OffsetDateTime,
}

/// The texts of a feedback, as they were sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeedbackTexts<'a> {
    pub(crate) email: &'a str,
    pub(crate) subject: &'a str,
    pub(crate) message: &'a str,
    /// The device's idempotency key, the same for each repeat.
    pub(crate) client_id: &'a str,
}

/// Why a field of a feedback is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum FeedbackError {
    #[error("the email is missing")]
    NoEmail,
    #[error("the email is malformed")]
    MalformedEmail,
    #[error("the subject is missing")]
    NoSubject,
    #[error("the subject is too long")]
    LongSubject,
    #[error("the subject has control characters")]
    ControlInSubject,
    #[error("the message is missing")]
    NoMessage,
    #[error("the message is too long")]
    LongMessage,
    #[error("the message has control characters")]
    ControlInMessage,
    #[error("the device's name of it is not 1 to 255 visible ASCII characters")]
    ClientId,
}

impl Feedback {
    /// Parses a feedback; the error has every wrong field.
    pub(crate) fn parse(
        texts: FeedbackTexts<'_>,
        player: Option<PlayerId>,
        trace: Option<String>,
        created_at: OffsetDateTime,
    ) -> Result<Self, Vec<FeedbackError>> {
        let mut wrong = Vec::new();
        let email = Email::parse(texts.email).map_err(|error| {
            wrong.push(match error {
                EmailError::Empty => FeedbackError::NoEmail,
                EmailError::Malformed => FeedbackError::MalformedEmail,
            });
        });
        // The subject becomes a header of the mail.
        let subject = writing::line(texts.subject, SUBJECT_MAX).map_err(|error| {
            wrong.push(match error {
                WritingError::Empty => FeedbackError::NoSubject,
                WritingError::TooLong => FeedbackError::LongSubject,
                WritingError::NotPlain => FeedbackError::ControlInSubject,
            });
        });
        let message = writing::lines(texts.message, TEXT_MAX).map_err(|error| {
            wrong.push(match error {
                WritingError::Empty => FeedbackError::NoMessage,
                WritingError::TooLong => FeedbackError::LongMessage,
                WritingError::NotPlain => FeedbackError::ControlInMessage,
            });
        });
        let client_id = texts.client_id;
        if client_id.is_empty()
            || client_id.len() > CLIENT_ID_MAX
            || !client_id.bytes().all(|byte| byte.is_ascii_graphic())
        {
            wrong.push(FeedbackError::ClientId);
        }
        match (email, subject, message) {
            (Ok(email), Ok(subject), Ok(message)) if wrong.is_empty() => Ok(Self {
                id: FeedbackId::of_client(player, client_id),
                player,
                email,
                subject,
                message,
                trace,
                created_at,
            }),
            _ => Err(wrong),
        }
    }

    /// Whether a repeated call has the same content.
    pub(crate) fn is_repeated_by(&self, again: &Self) -> bool {
        (&self.email, &self.subject, &self.message)
            == (&again.email, &again.subject, &again.message)
    }

    /// The text of the feedback's mail. The support answers by replying to the mail.
    pub(crate) fn mail_text(&self) -> String {
        let writer = match self.player {
            Some(player) => format!("Player: {player}"),
            None => "Player: none, a guest".to_owned(),
        };
        let trace = self.trace.as_deref().unwrap_or("none");
        let Self { id, email, message, created_at, .. } = self;
        let email = email.as_str();
        format!(
            "{message}\n\n-- \nFrom: {email} (not verified)\n{writer}\nFeedback: {id}\nTrace: {trace}\nAt: {created_at}\n"
        )
    }

    /// The subject of the feedback's mail.
    pub(crate) fn mail_subject(&self) -> String {
        format!("[PlayOn feedback] {}", self.subject)
    }
}

impl FeedbackId {
    /// The id of the feedback that a device calls `client_id`: the same for each repeat.
    fn of_client(player: Option<PlayerId>, client_id: &str) -> Self {
        let player = player.map(PlayerId::uuid);
        let writer = player.as_ref().map_or(&[][..], |uuid| uuid.as_bytes().as_slice());
        derived_id(&[b"feedback", writer, client_id.as_bytes()]).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;
    const GOOD: FeedbackTexts<'_> = FeedbackTexts {
        email: "wanjiru@example.com",
        subject: "Duma",
        message: "Nimeipenda.\nAsante",
        client_id: "f-1",
    };

    fn parse(texts: FeedbackTexts<'_>) -> Result<Feedback, Vec<FeedbackError>> {
        Feedback::parse(texts, None, None, NOW)
    }

    #[test]
    fn every_wrong_field_is_named() {
        let nothing = FeedbackTexts { email: "", subject: " ", message: "\n", client_id: "" };
        assert_eq!(
            parse(nothing).unwrap_err(),
            [
                FeedbackError::NoEmail,
                FeedbackError::NoSubject,
                FeedbackError::NoMessage,
                FeedbackError::ClientId
            ]
        );
        let (subject, message) = ("x".repeat(SUBJECT_MAX + 1), "x".repeat(TEXT_MAX + 1));
        let long = FeedbackTexts { subject: &subject, message: &message, ..GOOD };
        assert_eq!(
            parse(long).unwrap_err(),
            [FeedbackError::LongSubject, FeedbackError::LongMessage]
        );
        assert!(parse(GOOD).is_ok());
    }

    #[test]
    fn no_subject_can_add_a_header() {
        for subject in ["a\r\nBcc: all@example.com", "a\nb", "a\0b", "a\u{85}b"] {
            let error = parse(FeedbackTexts { subject, ..GOOD }).unwrap_err();
            assert_eq!(error, [FeedbackError::ControlInSubject], "{subject:?}");
        }
    }

    #[test]
    fn the_mail_names_the_writer_and_the_trace() {
        let feedback = Feedback { trace: Some("0af7".to_owned()), ..parse(GOOD).unwrap() };
        let text = feedback.mail_text();
        for part in ["Nimeipenda.\nAsante\n", "From: wanjiru@example.com", "a guest", "Trace: 0af7"]
        {
            assert!(text.contains(part), "{text}");
        }
    }
}
