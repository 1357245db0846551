//! Daraja's error replies.

use std::borrow::Cow;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::ids;

/// An HTTP status, `errorCode` and `errorMessage`. One code has several meanings
/// that differ only by the message, so the messages are the real ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    BadCredentials,
    BadGrantType,
    BadToken,
    /// A bad token in a call about payouts.
    BadInitiatorToken,
    DuplicateOriginator,
    BadPayload,
    BadField(&'static str),
    NotFound,
    MethodNotAllowed,
    UnknownMerchant,
    WrongPassword,
    SubscriberLocked,
    StillProcessing,
    SpikeArrest,
    SystemBusy,
    Internal,
}

impl Refusal {
    fn parts(self) -> (StatusCode, &'static str, Cow<'static, str>) {
        let (status, code, message) = match self {
            Self::BadField(name) => {
                let message = format!("Bad Request - Invalid {name}");
                return (StatusCode::BAD_REQUEST, "400.002.02", message.into());
            }
            Self::BadCredentials => (400, "400.008.01", "Invalid Authentication passed"),
            Self::BadGrantType => (400, "400.008.02", "Invalid grant type passed"),
            Self::BadPayload => (400, "400.002.05", "Invalid Request Payload"),
            Self::BadToken => (404, "404.001.03", "Invalid Access Token"),
            Self::BadInitiatorToken => (401, "401.002.01", "Error Occurred - Invalid Access Token"),
            Self::DuplicateOriginator => {
                (500, "500.002.1001", "Duplicate OriginatorConversationID.")
            }
            Self::NotFound => (404, "404.001.01", "Resource not found"),
            Self::MethodNotAllowed => (405, "405.001", "Method Not Allowed"),
            Self::UnknownMerchant => (500, "500.001.1001", "Merchant does not exist"),
            Self::WrongPassword => (500, "500.001.1001", "Wrong credentials"),
            Self::SubscriberLocked => (
                500,
                "500.001.1001",
                "Unable to lock subscriber, a transaction is already in process for the current subscriber",
            ),
            Self::StillProcessing => (500, "500.001.1001", "The transaction is being processed"),
            Self::SpikeArrest => (500, "500.003.02", "Error Occurred: Spike Arrest Violation"),
            Self::SystemBusy => {
                (500, "500.003.02", "System is busy. Please try again in few minutes.")
            }
            Self::Internal => (500, "500.003.1001", "Internal Server Error"),
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, code, message.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, code, message) = self.parts();
        let body = json!({
            "requestId": ids::request_id(),
            "errorCode": code,
            "errorMessage": message,
        });
        (status, Json(body)).into_response()
    }
}
