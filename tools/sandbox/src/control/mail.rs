//! The mailboxes.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::reply::ApiError;
use crate::world::Shared;
use crate::world::mail::{Mail, Message};

/// The content security policy of a mail's HTML: no scripts, and links only into
/// new windows.
const POLICY: &str = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; \
                      style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

#[derive(Deserialize)]
pub(super) struct Filter {
    /// A mailbox; all by default.
    to: Option<String>,
    /// Most messages; all by default.
    limit: Option<usize>,
}

/// A message in one mailbox.
#[derive(Serialize)]
pub(super) struct View {
    to: String,
    #[serde(flatten)]
    message: Message,
}

/// `GET /control/mail?to=…`: messages, newest first, with an entry for each mailbox.
pub(super) async fn list(
    State(world): State<Shared>,
    Query(Filter { to, limit }): Query<Filter>,
) -> Json<Vec<View>> {
    let wanted =
        |recipient: &&String| to.as_ref().is_none_or(|to| recipient.eq_ignore_ascii_case(to));
    let views = |mail: &Mail| {
        let view = |to: &String| View { to: to.clone(), message: mail.message.clone() };
        mail.recipients.iter().filter(wanted).map(view).collect::<Vec<View>>()
    };
    Json(world.read(|state| {
        let views = state.mails.iter().rev().map(views).filter(|views| !views.is_empty());
        views.take(limit.unwrap_or(usize::MAX)).flatten().collect()
    }))
}

/// `GET /control/mail/{id}/html`: the message's HTML as a page.
pub(super) async fn html(
    State(world): State<Shared>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let html = world.read(|state| {
        let mail = state.mails.iter().find(|mail| mail.message.id == id);
        mail.and_then(|mail| mail.message.html.clone())
    });
    let html = html.ok_or_else(|| ApiError::not_found("no such mail, or it has no HTML"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    // Links open a new window, as in a mail program.
    Ok((headers, format!("<!doctype html><base target=\"_blank\">{html}")).into_response())
}
