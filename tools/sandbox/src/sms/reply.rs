//! What the provider answers: in JSON to who accepts that, in XML otherwise.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::markup::escaped;

/// One line of the reply: what became of the message to one number.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Recipient {
    pub(super) status_code: u16,
    pub(super) number: String,
    pub(super) status: &'static str,
    pub(super) cost: String,
    pub(super) message_id: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Data {
    message: String,
    recipients: Vec<Recipient>,
}

/// The whole reply: HTTP 201, whatever became of the recipients.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Reply {
    #[serde(rename = "SMSMessageData")]
    data: Data,
}

impl Reply {
    pub(super) fn new(message: String, recipients: Vec<Recipient>) -> Self {
        Self { data: Data { message, recipients } }
    }

    /// In the form that the caller accepts. Whoever forgets `Accept` gets XML,
    /// as from the real one.
    pub(super) fn for_caller(self, headers: &HeaderMap) -> Response {
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        if accept.is_some_and(|accept| accept.contains("application/json")) {
            return (StatusCode::CREATED, Json(self)).into_response();
        }
        let kind = [(header::CONTENT_TYPE, "application/xml; charset=UTF-8")];
        (StatusCode::CREATED, kind, self.xml()).into_response()
    }

    fn xml(&self) -> String {
        let recipients: String = self.data.recipients.iter().map(Recipient::xml).collect();
        format!(
            "<AfricasTalkingResponse><SMSMessageData><Message>{}</Message><Recipients>{recipients}\
             </Recipients></SMSMessageData></AfricasTalkingResponse>",
            escaped(&self.data.message),
        )
    }
}

impl Recipient {
    fn xml(&self) -> String {
        format!(
            "<Recipient><number>{}</number><cost>{}</cost><status>{}</status>\
             <statusCode>{}</statusCode><messageId>{}</messageId></Recipient>",
            escaped(&self.number),
            self.cost,
            self.status,
            self.status_code,
            self.message_id,
        )
    }
}
