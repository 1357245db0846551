//! The mailboxes.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, Query, State as Held};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::reply::Trouble;
use crate::world::Shared;
use crate::world::mail::Mail;

/// What a stranger's page may do in the people's frame: show itself, and open
/// its links in new windows.
const STRANGER: &str = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; \
                        style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/// Whose mail to show.
#[derive(Deserialize)]
pub(super) struct Filter {
    /// A mailbox; all by default.
    to: Option<String>,
    /// Messages at most; all by default.
    limit: Option<usize>,
}

/// A message in one mailbox.
#[derive(Serialize)]
pub(super) struct View {
    id: String,
    to: String,
    from: String,
    subject: String,
    text: Option<String>,
    html: Option<String>,
    headers: BTreeMap<String, String>,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// `GET /control/mail?to=…`: newest first, one entry a mailbox.
pub(super) async fn list(
    Held(world): Held<Shared>,
    Query(Filter { to, limit }): Query<Filter>,
) -> Json<Vec<View>> {
    Json(world.read(|state| {
        let wanted = |mail: &&Mail| to.as_ref().is_none_or(|to| mail.is_for(to));
        let found = state.mails.iter().rev().filter(wanted).take(limit.unwrap_or(usize::MAX));
        found.flat_map(|mail| views(mail, to.as_deref())).collect()
    }))
}

/// `GET /control/mail/{id}/html`: the message as a page of its own.
pub(super) async fn html(
    Held(world): Held<Shared>,
    Path(id): Path<String>,
) -> Result<Response, Trouble> {
    let html = world.read(|state| {
        state.mails.iter().find(|mail| mail.id == id).and_then(|mail| mail.html.clone())
    });
    let html = html.ok_or_else(|| Trouble::not_found("no such mail, or it has no HTML"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(STRANGER)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    // Links leave the frame, as they leave a mail program.
    Ok((headers, format!("<!doctype html><base target=\"_blank\">{html}")).into_response())
}

fn views<'m>(mail: &'m Mail, to: Option<&'m str>) -> impl Iterator<Item = View> + 'm {
    let wanted = move |recipient: &&String| to.is_none_or(|to| recipient.eq_ignore_ascii_case(to));
    mail.recipients.iter().filter(wanted).map(|recipient| View {
        id: mail.id.clone(),
        to: recipient.clone(),
        from: mail.from.clone(),
        subject: mail.subject.clone(),
        text: mail.text.clone(),
        html: mail.html.clone(),
        headers: mail.headers.clone(),
        at: mail.at,
    })
}
