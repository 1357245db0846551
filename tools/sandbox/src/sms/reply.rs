//! The provider's reply, in JSON where the client accepts it and else in XML.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::markup::escape;

/// The outcome for one number.
#[derive(Debug, Serialize)]
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

/// The reply: HTTP 201 whatever the outcomes are.
#[derive(Debug, Serialize)]
pub(super) struct Reply {
    #[serde(rename = "SMSMessageData")]
    data: Data,
}

impl Reply {
    pub(super) fn new(message: String, recipients: Vec<Recipient>) -> Self {
        Self { data: Data { message, recipients } }
    }

    /// The reply in the format of the `Accept` header; without one in XML, as from the real API.
    pub(super) fn negotiate(self, headers: &HeaderMap) -> Response {
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        if accept.is_some_and(|accept| accept.contains("application/json")) {
            return (StatusCode::CREATED, Json(self)).into_response();
        }
        let content_type = [(header::CONTENT_TYPE, "application/xml; charset=UTF-8")];
        (StatusCode::CREATED, content_type, self.xml()).into_response()
    }

    fn xml(&self) -> String {
        let recipients: String = self.data.recipients.iter().map(Recipient::xml).collect();
        format!(
            "<AfricasTalkingResponse><SMSMessageData><Message>{}</Message><Recipients>{recipients}\
             </Recipients></SMSMessageData></AfricasTalkingResponse>",
            escape(&self.data.message),
        )
    }
}

impl Recipient {
    fn xml(&self) -> String {
        format!(
            "<Recipient><number>{}</number><cost>{}</cost><status>{}</status>\
             <statusCode>{}</statusCode><messageId>{}</messageId></Recipient>",
            escape(&self.number),
            self.cost,
            self.status,
            self.status_code,
            self.message_id,
        )
    }
}
