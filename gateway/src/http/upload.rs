//! Uploads: a profile's picture, or a file for a chat room.

use axum::{Extension, extract::State};
use mesh::{
    Fault,
    auth::{Caller, Player},
};
use proto::auth::v1::SetProfilePictureRequest;
use serde::Serialize;
use tonic::Code;
use tracing::warn;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    form::{Form, UnreadForm},
};
use crate::{
    Gateway,
    envelope::{Refusal, Reply},
    media::{MediaPath, PictureError, ReceivedFile, Shelf},
    openapi::schema::payloads,
};

/// Largest picture, in bytes.
const PICTURE_LIMIT: u64 = 10 * 1024 * 1024;
/// Largest file for a chat room, in bytes. The number is the specification's, although its
/// message says ten megabytes.
const CHAT_LIMIT: u64 = 15_728_640;

/// `POST /upload`
pub(crate) async fn upload(
    State(gateway): State<Gateway>,
    Extension(caller): Extension<Caller>,
    form: UnreadForm,
) -> HandlerResult<Uploaded> {
    let player = caller.player()?;
    let permit = gateway.upload_permits().acquire(Some(player.id));
    let _permit = permit.map_err(|_| Fault::new(Code::ResourceExhausted, "TOO_MANY_UPLOADS"))?;
    let form = Form::read(form, CHAT_LIMIT).await?;
    let file = form.file.filter(|file| file.size() > 0);
    let file = file.ok_or_else(|| Fault::invalid_field("file", "FILE_MISSING"))?;
    let path = match form.kind.as_deref() {
        None | Some("PROFILE_PICTURE") => {
            store_picture(&gateway, player, form.id.as_deref(), file).await?
        }
        Some("CHAT_MEDIA") => store_chat_media(&gateway, player, file).await?,
        Some(_) => {
            return Err(Fault::invalid_field("type", "FILE_TYPE_MISSING").into());
        }
    };
    Ok(Reply::ok(Uploaded::new(&path)))
}

payloads!(Uploaded);

/// A stored file. The URL of a room's picture also contains the other fields, so that all who read
/// the message have them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Uploaded {
    url: String,
    /// A small JPEG of the picture.
    thumbnail_url: Option<String>,
    width: Option<u16>,
    height: Option<u16>,
    /// The blur hash that stands for the picture until it is loaded.
    blur_hash: Option<String>,
}

impl Uploaded {
    fn new(path: &MediaPath) -> Self {
        let shape = path.shape();
        Self {
            url: path.url(),
            thumbnail_url: path.thumbnail().map(|thumbnail| thumbnail.url()),
            width: shape.map(|shape| shape.width),
            height: shape.map(|shape| shape.height),
            blur_hash: shape.map(|shape| shape.blur_hash()),
        }
    }
}

async fn store_picture(
    gateway: &Gateway,
    player: Player,
    id: Option<&str>,
    file: ReceivedFile,
) -> Result<MediaPath, Refusal> {
    if id != Some(&*player.id.to_string()) {
        return Err(Fault::new(Code::PermissionDenied, "PERMISSION_DENIED").into());
    }
    if file.size() > PICTURE_LIMIT {
        return Err(Refusal::file_too_large());
    }
    let made = gateway.upload_memory().profile_picture(file).await?.map_err(refused)?;
    let portrait = made.value;
    let path = MediaPath::picture(player.id, gateway.rng());
    // The thumbnail is stored first, so that a picture that has a URL has its thumbnail.
    if let Some(thumbnail) = path.thumbnail() {
        store(gateway, &thumbnail, portrait.thumbnail).await?;
    }
    store(gateway, &path, portrait.picture).await?;
    let request = SetProfilePictureRequest { url: path.url() };
    // If this fails, svc-auth may have set the picture or not; the sweep deletes it if not.
    let reply = gateway.upstreams().players().set_profile_picture(request).await?;
    if let Some(replaced) = reply.into_inner().replaced_url {
        delete_replaced(gateway, player, &replaced);
    }
    Ok(path)
}

async fn store_chat_media(
    gateway: &Gateway,
    player: Player,
    file: ReceivedFile,
) -> Result<MediaPath, Refusal> {
    let named = |kind| MediaPath::generate(Shelf::Chat, player.id, kind, gateway.rng());
    if !file.is_picture().map_err(|error| Fault::failure(&error.into()))? {
        let made = gateway.upload_memory().other_file(file).await?;
        let Some((kind, bytes)) = made.value else {
            return Err(Refusal::unsupported_file("FILE_KIND_NOT_ALLOWED"));
        };
        let path = named(kind);
        store(gateway, &path, bytes).await?;
        return Ok(path);
    }
    let made = gateway.upload_memory().chat_picture(file).await?.map_err(refused)?;
    let picture = made.value;
    let path = named(picture.kind).with_shape(picture.shape);
    // The thumbnail is stored first, so that a picture that has a URL has its thumbnail.
    if let Some(thumbnail) = path.thumbnail() {
        store(gateway, &thumbnail, picture.thumbnail).await?;
    }
    store(gateway, &path, picture.bytes).await?;
    Ok(path)
}

fn refused(error: PictureError) -> Refusal {
    Refusal::unsupported_file(match error {
        PictureError::Unreadable => "PICTURE_UNREADABLE",
        PictureError::TooManyPixels => "PICTURE_TOO_LARGE",
    })
}

async fn store(gateway: &Gateway, path: &MediaPath, bytes: Vec<u8>) -> Result<(), Refusal> {
    let stored = gateway.media().put(path, bytes.into()).await;
    stored.map_err(|error| Fault::failure(&error).into())
}

/// Deletes the replaced picture in the background. If that fails, the sweep deletes it.
fn delete_replaced(gateway: &Gateway, player: Player, url: &str) {
    let own = |path: &MediaPath| path.shelf == Shelf::Profile && path.owner == player.id;
    let Some(path) = MediaPath::from_url(url).filter(own) else {
        return;
    };
    let store = gateway.media().clone();
    gateway.shutdown().spawn_contained("replaced picture", async move {
        for file in path.thumbnail().into_iter().chain([path]) {
            if let Err(error) = store.delete(&file).await {
                warn!(error = format!("{error:#}"), "a replaced picture was not deleted yet");
            }
        }
    });
}
