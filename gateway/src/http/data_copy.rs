//! The player's copy of what all services store about the player.

use axum::{
    body::Body,
    extract::State,
    http::header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use futures_util::TryStreamExt as _;
use mesh::Fault;
use proto::{
    Absent,
    auth::v1::{
        self as rpc, DataCopyFormat, DownloadDataCopyRequest, GetDataCopyRequest,
        RequestDataCopyRequest,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{HandlerResult, body::request, param::Query, wire::At};
use crate::{
    Gateway,
    envelope::{Refusal, Reply},
    openapi::schema::payloads,
};

/// `POST /profile/data-copy`
pub(crate) async fn request_copy(State(gateway): State<Gateway>) -> HandlerResult<DataCopy> {
    let reply = gateway.upstreams().players().request_data_copy(RequestDataCopyRequest {}).await?;
    Ok(Reply::ok(DataCopy::of(reply.into_inner().copy)?))
}

/// `GET /profile/data-copy`
pub(crate) async fn state(State(gateway): State<Gateway>) -> HandlerResult<DataCopy> {
    let reply = gateway.upstreams().players().get_data_copy(GetDataCopyRequest {}).await?;
    Ok(Reply::ok(DataCopy::of(reply.into_inner().copy)?))
}

/// `GET /profile/data-copy/file`
pub(crate) async fn file(
    State(gateway): State<Gateway>,
    Query(query): Query<File>,
) -> Result<Response, Refusal> {
    let (format, media_type, name) = match query.format.as_str() {
        "json" => (DataCopyFormat::Json, "application/json", "playon-data.json"),
        "html" => (DataCopyFormat::Html, "text/html; charset=utf-8", "playon-data.html"),
        _ => return Err(Fault::invalid_field("format", "DATA_COPY_FORMAT_UNKNOWN").into()),
    };
    let request = DownloadDataCopyRequest { format: format.into() };
    let replies = gateway.upstreams().players().download_data_copy(request).await?.into_inner();
    // The download breaks off where the stream fails, which a browser reports.
    let file = Body::from_stream(replies.map_ok(|reply| reply.part));
    let name = format!("attachment; filename=\"{name}\"");
    Ok(([(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, name)], file).into_response())
}

request! {
    /// The file of a copy.
    pub(crate) struct File {
        /// json, or html: a page that a browser shows without a connection.
        format: String = "format",
    }
}

payloads!(DataCopy);

/// The state of a copy of the player's data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataCopy {
    state: CopyState,
    /// When the copy is deleted; null when there is none.
    expires_at: Option<At>,
}

/// Whether there is a copy.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CopyState {
    /// The player has not asked for a copy, or it has expired.
    None,
    /// Services are asked. A notification says when all have replied.
    Collecting,
    /// The file can be downloaded.
    Ready,
}

impl DataCopy {
    fn of(copy: Option<rpc::DataCopy>) -> Result<Self, Absent> {
        let Some(copy) = copy else {
            return Ok(Self { state: CopyState::None, expires_at: None });
        };
        let is_complete = copy.completed_at.is_some();
        let state = if is_complete { CopyState::Ready } else { CopyState::Collecting };
        Ok(Self { state, expires_at: Some(At::promised(copy.expires_at, "expires_at")?) })
    }
}
