//! Delivered texts.

use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};

use super::reply::ApiError;
use crate::world::Shared;
use crate::world::msisdn::Msisdn;
use crate::world::sms::Sms;

#[derive(Deserialize)]
pub(super) struct Filter {
    /// A number; all by default. A `+` that was not escaped arrives as a space.
    to: Option<String>,
}

#[derive(Serialize)]
pub(super) struct View {
    /// The recipient's number, as `+2547XXXXXXXX`.
    to: String,
    #[serde(flatten)]
    sms: Sms,
}

/// `GET /control/sms?to=+2547…`: delivered texts, newest first.
pub(super) async fn list(
    State(world): State<Shared>,
    Query(Filter { to }): Query<Filter>,
) -> Result<Json<Vec<View>>, ApiError> {
    let parse = |to: String| {
        Msisdn::lenient(&to).ok_or_else(|| ApiError::bad_request("to is a Kenyan mobile number"))
    };
    let to = to.map(parse).transpose()?;
    Ok(Json(world.read(|state| {
        let sent = state.sent.iter().rev();
        sent.filter(|sent| to.as_ref().is_none_or(|to| sent.to == *to))
            .map(|sent| View { to: format!("+{}", sent.to), sms: sent.sms.clone() })
            .collect()
    })))
}
