//! Files that players bring: a picture of themselves, or something for a chat room.

use axum::{
    Extension,
    extract::{Request, State},
};
use mesh::{
    Fault,
    auth::{Caller, Player},
};
use proto::auth::v1::SetProfilePictureRequest;
use serde::Serialize;
use tonic::Code;
use tracing::warn;

use super::{Outcome, form::Form};
use crate::{
    Gateway,
    envelope::{Refusal, Reply},
    media::{Kind, MediaPath, PictureError, Shelf},
    seats::Terms,
};

/// Largest picture that comes in, in bytes.
const PICTURE_LIMIT: usize = 10 * 1024 * 1024;
/// Largest file for a chat room, in bytes: the specification's number, whose message
/// says ten megabytes.
const CHAT_LIMIT: usize = 15_728_640;

/// The places that uploads take.
pub(crate) const SEATS: Terms = Terms { gauge: "uploads", reason: "TOO_MANY_UPLOADS" };

/// `POST /upload`
pub(crate) async fn upload(
    State(gateway): State<Gateway>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Outcome<Kept> {
    let player = caller.player()?;
    let _seat = gateway.uploads().take(player.id)?;
    let form = Form::read(request, CHAT_LIMIT).await?;
    let file = form.file.filter(|file| !file.is_empty());
    let file = file.ok_or_else(|| Fault::invalid_field("file", "Please choose a file."))?;
    let path = match form.kind.as_deref() {
        None | Some("PROFILE_PICTURE") => {
            keep_picture(&gateway, player, form.id.as_deref(), file).await?
        }
        Some("CHAT_MEDIA") => keep_chat_media(&gateway, player, file).await?,
        Some(_) => return Err(Fault::invalid_field("type", "There is no such type.").into()),
    };
    Ok(Reply::ok(Kept { url: path.url() }))
}

/// Where a file is now.
#[derive(Serialize)]
pub(crate) struct Kept {
    url: String,
}

async fn keep_picture(
    gateway: &Gateway,
    player: Player,
    id: Option<&str>,
    file: Vec<u8>,
) -> Result<MediaPath, Refusal> {
    if id != Some(&*player.id.to_string()) {
        return Err(Fault::new(Code::PermissionDenied, "PERMISSION_DENIED").into());
    }
    if file.len() > PICTURE_LIMIT {
        return Err(Refusal::file_too_large());
    }
    let jpeg = gateway.pictures().make(file).await?.map_err(|error| {
        Refusal::unsupported_media(match error {
            PictureError::Unreadable => "Please choose a JPEG, PNG, WebP or GIF picture.",
            PictureError::TooManyPixels => {
                "That picture is too large. Please choose a smaller one."
            }
        })
    })?;
    let path = MediaPath::picture(player.id, gateway.rng());
    keep(gateway, &path, jpeg).await?;
    let request = SetProfilePictureRequest { url: path.url() };
    // If this fails nobody knows whether it was done; the sweep will.
    let reply = gateway.upstreams().players().set_profile_picture(request).await?;
    if let Some(replaced) = reply.into_inner().replaced_url {
        forget(gateway, player, &replaced);
    }
    Ok(path)
}

async fn keep_chat_media(
    gateway: &Gateway,
    player: Player,
    file: Vec<u8>,
) -> Result<MediaPath, Refusal> {
    let Some(kind) = Kind::sniff(&file) else {
        return Err(Refusal::unsupported_media("Files of that kind cannot be sent here."));
    };
    let path = MediaPath::generate(Shelf::Chat, player.id, kind, gateway.rng());
    keep(gateway, &path, file).await?;
    Ok(path)
}

async fn keep(gateway: &Gateway, path: &MediaPath, bytes: Vec<u8>) -> Result<(), Refusal> {
    let kept = gateway.media().put(path, bytes.into()).await;
    kept.map_err(|error| Fault::failure(&error).into())
}

/// Deletes the picture that was replaced, while its player goes on; what cannot be
/// deleted now is swept up later.
fn forget(gateway: &Gateway, player: Player, url: &str) {
    let own = |path: &MediaPath| path.shelf == Shelf::Profile && path.owner == player.id;
    let Some(path) = MediaPath::from_url(url).filter(own) else {
        return;
    };
    let store = gateway.media().clone();
    gateway.shutdown().spawn_contained("replaced picture", async move {
        if let Err(error) = store.delete(&path).await {
            warn!(error = format!("{error:#}"), "a replaced picture stays for now");
        }
    });
}
