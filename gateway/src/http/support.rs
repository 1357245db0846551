//! How to reach PlayOn's support.

use axum::extract::State;
use proto::chat::v1::{self as rpc, ListContactSettingsRequest, SendFeedbackRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// Cached for a minute: an operator changes a setting once in months.
const CACHING: &str = "public, max-age=60";

/// `GET /contact-us/list`
pub(crate) async fn contacts(State(gateway): State<Gateway>) -> HandlerResult<Vec<ContactSetting>> {
    let request = ListContactSettingsRequest {};
    let reply = gateway.upstreams().chat().list_contact_settings(request).await?;
    let settings = reply.into_inner().settings;
    Ok(Reply::ok(settings.into_iter().map(Into::into).collect()).cached(CACHING))
}

/// `POST /contact-us/feedback`
pub(crate) async fn feedback(
    State(gateway): State<Gateway>,
    Body(body): Body<SendFeedback>,
) -> HandlerResult<()> {
    // Without the client's id the feedback gets a new one, so that a call repeated on the way to
    // svc-chat stores it once, too.
    let client_feedback_id = body
        .client_feedback_id
        .unwrap_or_else(|| format!("{:032x}", u128::from_be_bytes(gateway.rng().bytes())));
    let request = SendFeedbackRequest {
        email: body.email,
        subject: body.subject,
        message: body.message,
        client_feedback_id,
    };
    gateway.upstreams().support().send_feedback(request).await?;
    Ok(Reply::ok(()))
}

request! {
    /// Feedback of a player or a guest to the support.
    pub(crate) struct SendFeedback {
        /// The address that the answer goes to.
        email: String = "email",
        /// The subject, of at most 120 characters.
        subject: String = "subject",
        /// The message, of at most 4,000 characters.
        message: String = "message",
        /// The device's id for the feedback. Repeats with the same id store it once.
        client_feedback_id: Option<String> = "clientFeedbackId",
    }
}

payloads!(ContactSetting);

/// A way to reach the support.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContactSetting {
    /// Email, Phone, Instagram, Twitter or Whatsapp.
    name: String,
    /// An email address, a phone number or an https URL.
    value: String,
}

impl From<rpc::ContactSetting> for ContactSetting {
    fn from(setting: rpc::ContactSetting) -> Self {
        Self { name: setting.name, value: setting.value }
    }
}
