//! What the SMS provider has delivered.

use axum::Json;
use axum::extract::{Query, State as Held};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::reply::Trouble;
use crate::world::Shared;
use crate::world::handset::Msisdn;
use crate::world::sms::Sent;

/// Whose messages to show.
#[derive(Deserialize)]
pub(super) struct Filter {
    /// All by default. A `+` that was not escaped arrives as a space.
    to: Option<String>,
}

/// `GET /control/sms?to=+2547…`: newest first.
pub(super) async fn list(
    Held(world): Held<Shared>,
    Query(Filter { to }): Query<Filter>,
) -> Result<Json<Vec<View>>, Trouble> {
    let to = to
        .map(|to| {
            Msisdn::lenient(&to).ok_or_else(|| Trouble::bad_request("to is a Kenyan mobile number"))
        })
        .transpose()?;
    Ok(Json(world.read(|state| {
        let wanted = |sent: &&Sent| to.as_ref().is_none_or(|to| sent.to == *to);
        state.sent.iter().rev().filter(wanted).cloned().map(View::from).collect()
    })))
}

/// A message as the provider addresses it.
#[derive(Serialize)]
pub(super) struct View {
    /// `+2547XXXXXXXX`
    to: String,
    from: String,
    text: String,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

impl From<Sent> for View {
    fn from(Sent { to, from, text, at }: Sent) -> Self {
        Self { to: format!("+{to}"), from, text, at }
    }
}
